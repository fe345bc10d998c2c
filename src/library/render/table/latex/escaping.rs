//! Text that LaTeX prints as it is, in cells, comments and labels.

use super::width::{BREAKS, is_broken};
use crate::values::text::printable;
use crate::values::{CITATION_BEGINS, CITATION_ENDS};

/// Text in a comment: it ends with its line.
pub fn comment(text: &str) -> String {
    printable(text).split_whitespace().collect::<Vec<_>>().join(" ")
}

/// A label or a key of a bibliography, of the characters that `\label`, `\ref` and `\cite` take.
pub fn label_name(label: &str) -> String {
    label.chars().filter(|c| is_of_label(*c)).collect()
}

/// Whether `\label`, `\ref` and `\cite` take a character.
pub fn is_of_label(c: char) -> bool {
    c.is_ascii_graphic() && !matches!(c, '{' | '}' | '\\' | '%' | '#' | '~' | '^' | '$' | '&' | ',' | '"')
}

/// Letters beyond ASCII that LaTeX sets in any font encoding.
const LETTERS: &str = "ÀÁÂÃÄÅÆÇÈÉÊËÌÍÎÏÑÒÓÔÕÖØÙÚÛÜÝßàáâãäåæçèéêëìíîïñòóôõöøùúûüýÿĀāĂăĆćĈĉĊċČčĎďĒēĔĕĖėĚěĜĝĞğĠġĤĥĨĩĪīĬĭİıĴĵĹĺĽľŁłŃńŇň\
                       ŌōŎŏŐőŒœŔŕŘřŚśŜŝŞşŠšŤťŨũŪūŬŭŮůŰűŴŵŶŷŸŹźŻżŽž";

/// The same with long words, such as paths and filters, broken behind their signs where a line ends.
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

/// Text without meaning for LaTeX; a character that its fonts may lack stands as its number, the mark of a citation as the
/// command that cites its key.
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
            // Two in a row would become a dash.
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
            // \textsection outside of mathematics is a font of bitmaps.
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
}
