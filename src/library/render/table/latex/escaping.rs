//! LaTeX text: escaping (cells, comments, labels), siunitx numbers, widths in Computer Modern (Times, Libertine are narrower).

use crate::render::table::content::TableNote;
use crate::values::text::printable;
use crate::values::{CITATION_BEGINS, CITATION_ENDS};

/// Text for a LaTeX comment, joined into one line because a comment ends with its line.
pub fn comment(text: &str) -> String {
    printable(text).split_whitespace().collect::<Vec<_>>().join(" ")
}

/// A label or bibliography key, reduced to the characters that `\label`, `\ref` and `\cite` accept.
pub fn label_name(label: &str) -> String {
    label.chars().filter(|c| is_of_label(*c)).collect()
}

/// Whether `\label`, `\ref` and `\cite` accept a character.
pub fn is_of_label(c: char) -> bool {
    c.is_ascii_graphic() && !matches!(c, '{' | '}' | '\\' | '%' | '#' | '~' | '^' | '$' | '&' | ',' | '"')
}

/// Non-ASCII letters that LaTeX sets in any font encoding.
const LETTERS: &str = "ÀÁÂÃÄÅÆÇÈÉÊËÌÍÎÏÑÒÓÔÕÖØÙÚÛÜÝßàáâãäåæçèéêëìíîïñòóôõöøùúûüýÿĀāĂăĆćĈĉĊċČčĎďĒēĔĕĖėĚěĜĝĞğĠġĤĥĨĩĪīĬĭİıĴĵĹĺĽľŁłŃńŇň\
                       ŌōŎŏŐőŒœŔŕŘřŚśŜŝŞşŠšŤťŨũŪūŬŭŮůŰűŴŵŶŷŸŹźŻżŽž";

/// Escapes text so that LaTeX may break long words, such as paths and filters, after punctuation.
pub(super) fn running(text: &str) -> String {
    let broken = |word: &str| {
        if !is_broken(word) {
            return escaped(word);
        }
        let pieces: Vec<String> = word.split_inclusive(BREAKS).map(escaped).collect();
        pieces.join("\\allowbreak{}")
    };
    text.split(' ').map(broken).collect::<Vec<_>>().join(" ")
}

/// Escapes text for LaTeX. Characters that its fonts may lack become their code point, and citation marks become `\cite`
/// with their key.
pub fn escaped(text: &str) -> String {
    let mut safe = String::new();
    let text = printable(text);
    let mut chars = text.chars();
    while let Some(c) = chars.next() {
        match c {
            CITATION_BEGINS => {
                let key: String = chars.by_ref().take_while(|c| *c != CITATION_ENDS).collect();
                safe.push_str(&format!("\\cite{{{}}}", label_name(&key)));
            }
            CITATION_ENDS => {}
            '\\' => safe.push_str("\\textbackslash{}"),
            '_' | '%' | '&' | '#' | '$' | '{' | '}' => safe.extend(['\\', c]),
            '~' => safe.push_str("\\textasciitilde{}"),
            '^' => safe.push_str("\\textasciicircum{}"),
            '<' => safe.push_str("\\textless{}"),
            '>' => safe.push_str("\\textgreater{}"),
            '|' => safe.push_str("\\textbar{}"),
            '"' => safe.push_str("{\\char34}"),
            '\n' | '\t' => safe.push(' '),
            // LaTeX would set two hyphens in a row as a dash.
            '-' if safe.ends_with('-') => safe.push_str("{}-"),
            ' '..='}' => safe.push(c),
            '\u{a0}' => safe.push('~'),
            '·' => safe.push_str("$\\cdot$"),
            '×' => safe.push_str("$\\times$"),
            'µ' | 'μ' => safe.push_str("$\\mu$"),
            '°' => safe.push_str("$^\\circ$"),
            '±' => safe.push_str("$\\pm$"),
            '²' => safe.push_str("$^2$"),
            '³' => safe.push_str("$^3$"),
            '≤' => safe.push_str("$\\le$"),
            '≥' => safe.push_str("$\\ge$"),
            '≈' => safe.push_str("$\\approx$"),
            '→' => safe.push_str("$\\to$"),
            // Outside of math mode, `\textsection` uses a bitmap font.
            '§' => safe.push_str("$\\S$"),
            '†' => safe.push_str("$\\dagger$"),
            '‡' => safe.push_str("$\\ddagger$"),
            'α' => safe.push_str("$\\alpha$"),
            'β' => safe.push_str("$\\beta$"),
            'γ' => safe.push_str("$\\gamma$"),
            '–' => safe.push_str("\\textendash{}"),
            '—' => safe.push_str("\\textemdash{}"),
            '‘' => safe.push_str("\\textquoteleft{}"),
            '’' => safe.push_str("\\textquoteright{}"),
            '“' => safe.push_str("\\textquotedblleft{}"),
            '”' => safe.push_str("\\textquotedblright{}"),
            '…' => safe.push_str("\\dots{}"),
            letter if LETTERS.contains(letter) => safe.push(letter),
            other => safe.push_str(&format!("[U+{:04X}]", u32::from(other))),
        }
    }
    safe
}

/// Sign, and the number of digits before and after the decimal point, of a plain decimal number.
pub(super) fn number(text: &str) -> Option<(bool, usize, usize)> {
    let digits = text.strip_prefix('-').unwrap_or(text);
    let (whole, fraction) = digits.split_once('.').unwrap_or((digits, ""));
    let plain = |digits: &str| digits.bytes().all(|byte| byte.is_ascii_digit());
    (!whole.is_empty() && plain(whole) && plain(fraction)).then_some((
        text.starts_with('-'),
        whole.len(),
        fraction.len(),
    ))
}

/// The marks of notes; a remark on the whole table has no mark.
pub(super) fn marks_of<'n>(own: &[usize], notes: &'n [TableNote]) -> Vec<&'n str> {
    own.iter().map(|note| notes[*note].mark.as_str()).filter(|mark| !mark.is_empty()).collect()
}

/// The marks of notes as a superscript, for text of `points` size.
pub(super) fn raised(own: &[usize], notes: &[TableNote], points: f64) -> String {
    let marks: Vec<String> = marks_of(own, notes).into_iter().map(mark).collect();
    if marks.is_empty() { String::new() } else { superscript(&marks.join(","), points) }
}

/// The smallest type size that is readable in print, in points.
const SMALLEST: f64 = 6.0;

/// From this type size on, LaTeX sets superscripts in 6 points or more.
const LARGE_ENOUGH: f64 = 7.6;

/// Size of a superscript in text of `points` size: LaTeX's own, which is 5 points below 8, but at least the smallest readable size.
pub(super) fn raised_points(points: f64) -> f64 {
    /// The share of larger type sizes that LaTeX uses for superscripts.
    const SHARE: f64 = 0.75;
    if points < LARGE_ENOUGH { SMALLEST } else { points * SHARE }
}

/// A superscript in text of `points` size; one larger than LaTeX's own is smashed, so that it does not change the line spacing.
pub(super) fn superscript(text: &str, points: f64) -> String {
    match points < LARGE_ENOUGH {
        true => format!("\\textsuperscript{{\\smash{{\\fontsize{{6}}{{7}}\\selectfont {text}}}}}"),
        false => format!("\\textsuperscript{{{text}}}"),
    }
}

/// A mark as LaTeX code.
pub(super) fn mark(mark: &str) -> String {
    match mark {
        "†" => "$\\dagger$".to_owned(),
        "‡" => "$\\ddagger$".to_owned(),
        other => escaped(other),
    }
}

/// Widths of the ASCII characters from space to tilde in thousandths of an em (cmr10.tfm); characters that LaTeX takes from
/// another font have that font's width.
const WIDTHS: [u16; 95] = [
    333, 278, 500, 833, 500, 833, 778, 278, 389, 389, 500, 778, 278, 333, 278, 500, 500, 500, 500, 500, 500, 500, 500,
    500, 500, 500, 278, 278, 778, 778, 778, 472, 778, 750, 708, 722, 764, 681, 653, 785, 750, 361, 514, 778, 625, 917,
    750, 778, 681, 778, 736, 556, 722, 750, 750, 1028, 750, 750, 611, 278, 500, 278, 500, 500, 278, 500, 556, 444, 556,
    444, 306, 500, 556, 278, 306, 528, 278, 833, 556, 500, 556, 528, 392, 394, 389, 556, 528, 722, 528, 528, 444, 500,
    278, 500, 500,
];

/// Assumed width of a character of unknown width, such as `[U+4E2D]` or a mathematical symbol.
const OTHER: u16 = 800;

/// Width of a citation in em, set as a number in brackets.
const CITATION: f64 = 1.6;

/// Fonts of smaller sizes are wider relative to their size: the digits of cmr9, cmr8, cmr7 and cmr6 are 0.514, 0.531, 0.569
/// and 0.611 em wide.
const SMALL_IS_WIDER: [(f64, f64); 4] = [(6.5, 1.222), (7.5, 1.14), (8.5, 1.063), (9.5, 1.028)];

/// Factor by which bold digits are wider.
pub(super) const BOLD: f64 = 1.15;

/// Width of a text at a type size, both in points.
pub fn width(text: &str, size: f64) -> f64 {
    let mut ems = 0.0;
    let mut cited = false;
    for c in text.chars() {
        match c {
            CITATION_BEGINS => {
                cited = true;
                ems += CITATION;
            }
            CITATION_ENDS => cited = false,
            _ if cited => {}
            c => ems += f64::from(char_width(c)) / 1000.0,
        }
    }
    let wider = SMALL_IS_WIDER.iter().find(|(below, _)| size < *below).map_or(1.0, |(_, wider)| *wider);
    ems * size * wider
}

/// Width of a character in thousandths of an em.
fn char_width(c: char) -> u16 {
    let at = u32::from(c).checked_sub(u32::from(' ')).and_then(|at| usize::try_from(at).ok());
    match at.and_then(|at| WIDTHS.get(at)) {
        Some(width) => *width,
        None if c.is_alphabetic() => 556,
        None if c == '·' || c == '’' || c == '‘' => 278,
        None => OTHER,
    }
}

/// Width of the widest part of a text that LaTeX cannot break.
pub(super) fn widest_piece(text: &str, size: f64) -> f64 {
    pieces(text).into_iter().map(|piece| width(piece, size)).fold(0.0, f64::max)
}

/// Characters after which a long word may be broken.
pub(super) const BREAKS: &[char] = &['-', '/', ',', ':', '=', '_', '.', ';'];

/// Words longer than this may be broken.
pub(super) const LONG_WORD: usize = 14;

/// The unbreakable parts of a text: its words, with long ones split where they may be broken.
pub(super) fn pieces(text: &str) -> Vec<&str> {
    let words = text.split_whitespace();
    words.flat_map(|word| if is_broken(word) { word.split_inclusive(BREAKS).collect() } else { vec![word] }).collect()
}

/// Whether a word may be broken after punctuation.
pub(super) fn is_broken(word: &str) -> bool {
    word.chars().count() > LONG_WORD && !word.contains(CITATION_BEGINS)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn hostile_text_is_set_as_it_is_written() {
        assert_eq!(
            escaped("50%_a & b#1 {x}~^$"),
            "50\\%\\_a \\& b\\#1 \\{x\\}\\textasciitilde{}\\textasciicircum{}\\$"
        );
        assert_eq!(escaped("\\input{x}"), "\\textbackslash{}input\\{x\\}");
        assert_eq!(escaped("a<b --c\u{1b}"), "a\\textless{}b -{}-c\\textbackslash{}u\\{1b\\}");
        assert_eq!(escaped("中\u{202e}é"), "[U+4E2D]\\textbackslash{}u\\{202e\\}é");
        assert_eq!(escaped(&format!("{}, cuda", crate::values::citation_mark("a-2019"))), "\\cite{a-2019}, cuda");
        assert_eq!(
            running("as nova/p3.16xlarge_it says"),
            "as nova/\\allowbreak{}p3.\\allowbreak{}16xlarge\\_\\allowbreak{}it says"
        );
        assert_eq!(escaped("a § of it"), "a $\\S$ of it");
        assert_eq!(label_name("tab:my_table"), "tab:my_table");
        assert_eq!(comment("a\n\\end{document}"), "a \\end{document}");
    }

    #[test]
    fn digits_are_half_as_wide_as_the_size() {
        assert!((width("12.5", 10.0) - 17.78).abs() < 0.01);
        assert!((width("M", 10.0) - 9.17).abs() < 0.01);
        assert!((width(&crate::values::citation_mark("a-very-long-key-2019"), 10.0) - 16.0).abs() < 0.01);
        assert_eq!(pieces("a nova/p3.16xlarge,container"), ["a", "nova/", "p3.", "16xlarge,", "container"]);
    }
}
