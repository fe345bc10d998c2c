//! Rules about the form of texts: canonical form, invisible characters, look-alike letters, placeholders, surrounding blanks.

use std::ops::Range;
use std::sync::{Arc, LazyLock};

use regex::Regex;

use crate::contribute::rule_interface::{Check, Findings, Rule, Sample};
use crate::model::{Code, Severity, SourceFile};
use crate::reading::{FileKind, KbFile, canonical, is_canonical, texts};
use crate::values::text::{is_invisible, is_placeholder};

pub(in crate::contribute) const CANONICAL_FORM: Rule = Rule {
    code: Code::new(501),
    title: "a file that is not in canonical form",
    severity: Severity::Warning,
    page: "Keys come in the order of the schema, one blank between signs, one blank line before a table and none inside, no trailing blanks, LF at the end of every line. Then a change shows what changed and nothing else. `dlbench fmt` writes it; comments, digits and texts stay as they are.",
    sample: Sample::edited(
        "catalog/devices/nova-100-32gb.toml",
        "class = \"gpu\"\nvendor = \"Acme\"",
        "vendor =   \"Acme\"\nclass = \"gpu\"",
    ),
    check: Check::File(find_canonical_form),
};

fn find_canonical_form(listed: &KbFile, file: &Arc<SourceFile>, found: &mut Findings) {
    if matches!(listed.kind, FileKind::Misplaced(_)) || is_canonical(&file.text, &listed.kind) {
        return;
    }
    let Some(formed) = canonical(&file.text, &listed.kind).filter(|formed| *formed != file.text) else { return };
    let same = file.text.bytes().zip(formed.bytes()).take_while(|(a, b)| a == b).count();
    // The line of the first difference.
    let start = file.text.as_bytes()[..same].iter().rposition(|b| *b == b'\n').map_or(0, |newline| newline + 1);
    let end = file.text[start..].find('\n').map_or(file.text.len(), |newline| start + newline);
    let expected = formed.get(start..).and_then(|rest| rest.lines().next()).unwrap_or_default();
    let (message, label) = match file.text[start..end].strip_suffix('\r') {
        Some(line) if line == expected => {
            ("lines end with CR and LF, as on Windows", "expected LF alone at its end".to_owned())
        }
        _ => ("the file is not in canonical form", format!("expected {expected:?}")),
    };
    found
        .in_text(file, start..end, message, label)
        .help("`dlbench fmt` writes it")
        .fix("write the canonical form", vec![(0..file.text.len(), formed)]);
}

pub(in crate::contribute) const INVISIBLE_CHARACTER: Rule = Rule {
    code: Code::new(502),
    title: "an invisible character",
    severity: Severity::Error,
    page: r##"A no-break space, a zero-width space, a mark that turns the direction of writing, a noncharacter, a line's end in a name: one does not see it, but no question finds what is written with it. (The sample has one after "Nova".)"##,
    sample: Sample::edited("catalog/devices/nova-100-32gb.toml", "Acme Nova", "Acme Nova\u{200b}"),
    check: Check::File(find_invisible_character),
};

fn find_invisible_character(_: &KbFile, file: &Arc<SourceFile>, found: &mut Findings) {
    if ["\\", "\t", "\"\"\"", "'''"].iter().any(|sign| file.text.contains(sign)) {
        find_escaped(file, found);
    }
    if file.text.is_ascii() {
        return;
    }
    for (at, c) in file.text.char_indices() {
        let name = match c {
            '\u{a0}' | '\u{202f}' | '\u{2007}' => "a space that does not break",
            '\u{ad}' => "a soft hyphen",
            c if is_noncharacter(c) => "a noncharacter",
            c if c != '\n' && c != '\t' && c != '\r' && is_invisible(c) => "a character without a shape",
            _ => continue,
        };
        let space = if name.contains("space") { " " } else { "" };
        found
            .in_text(file, at..at + c.len_utf8(), format!("{name}: U+{:04X}", u32::from(c)), "nobody sees it")
            .fix("take it out", vec![(at..at + c.len_utf8(), space.to_owned())]);
    }
}

/// Whether a character is a Unicode noncharacter, which never occurs in text (23.7) and of which XML forbids some.
fn is_noncharacter(c: char) -> bool {
    matches!(c, '\u{fdd0}'..='\u{fdef}') || u32::from(c) & 0xfffe == 0xfffe
}

/// Reports control characters hidden in escapes: `"Nova\u001b]0;…"` looks harmless, but terminals obey it. A name is one line.
fn find_escaped(file: &Arc<SourceFile>, found: &mut Findings) {
    for text in texts(file) {
        let is_name = ["name", "aliases", "id"].contains(&text.key.as_str());
        let obeyed = |c: &char| is_noncharacter(*c) || is_invisible(*c) && (is_name || !matches!(c, '\n' | '\t'));
        let is_escaped = file.text.get(text.span.clone()).is_some_and(|written| written.contains('\\'));
        if let Some(c) = text.value.chars().find(obeyed).filter(|c| is_escaped || *c == '\n' || *c == '\t') {
            let message = format!("`{}` has a character without a shape: U+{:04X}", text.key, u32::from(c));
            found.in_text(file, text.span, message, "terminals obey it instead of showing it");
        }
    }
}

pub(in crate::contribute) const HOMOGLYPH: Rule = Rule {
    code: Code::new(503),
    title: "a letter that is taken for another",
    severity: Severity::Warning,
    page: r##"A Cyrillic or Greek letter among Latin ones looks the same and is found by nobody. So is `Ã©`, which the two bytes of `é` become where somebody reads UTF-8 as Latin-1 or Windows-1252: characters of which those bytes make another one are never meant. (The sample has a Cyrillic "А" in "Асme".)"##,
    sample: Sample::edited("catalog/devices/nova-100-32gb.toml", "Acme Nova", "Аcme Nova"),
    check: Check::File(find_homoglyph),
};

fn find_homoglyph(_: &KbFile, file: &Arc<SourceFile>, found: &mut Findings) {
    if file.text.is_ascii() {
        return;
    }
    for (at, _) in file.text.char_indices().filter(|(_, c)| ('\u{c2}'..='\u{f4}').contains(c)) {
        if let Some(meant) = misread(&file.text[at..]) {
            let misread = file.text[at..].chars().take(meant.len_utf8()).collect::<String>();
            let span = at..at + misread.len();
            let message = format!("{misread:?} is {:?} in UTF-8, read as Latin-1", meant.to_string());
            let fix = vec![(span.clone(), meant.to_string())];
            found.in_text(file, span, message, "one character in another encoding").fix("write what was meant", fix);
        }
    }
    let mut start = 0;
    for word in file.text.split_inclusive(|c: char| !c.is_alphanumeric()) {
        if word.chars().any(|c| c.is_ascii_alphanumeric()) {
            for (at, c) in word.char_indices() {
                if let Some(latin) = latin(c) {
                    let span = start + at..start + at + c.len_utf8();
                    let message = format!("U+{:04X} looks like the Latin letter {latin}", u32::from(c));
                    found
                        .in_text(file, span.clone(), message, "another alphabet")
                        .fix("write the Latin letter", vec![(span, latin.to_string())]);
                }
            }
        }
        start += word.len();
    }
}

/// The character that a text begins with if its UTF-8 bytes were decoded as Windows-1252 or Latin-1.
fn misread(text: &str) -> Option<char> {
    // The characters for the bytes from 0x80; unassigned bytes map to control characters.
    const WINDOWS: &str = "€\u{81}‚ƒ„…†‡ˆ‰Š‹Œ\u{8d}Ž\u{8f}\u{90}‘’“”•–—˜™š›œ\u{9d}žŸ";
    let byte = |c: char| match u8::try_from(c) {
        Ok(byte) => Some(byte),
        Err(_) => Some(0x80 + u8::try_from(WINDOWS.chars().position(|other| other == c)?).ok()?),
    };
    let bytes: Vec<u8> = text.chars().take(4).map_while(byte).collect();
    (2..=bytes.len()).find_map(|length| std::str::from_utf8(&bytes[..length]).ok()?.chars().next())
}

/// The Latin letter that a Cyrillic, Greek or full-width letter looks like.
fn latin(c: char) -> Option<char> {
    const PAIRS: &[(&str, &str)] =
        &[("аеорсухіѕј", "aeopcyxisj"), ("АВЕКМНОРСТХІЅЈ", "ABEKMHOPCTXISJ"), ("ΑΒΕΖΗΙΚΜΝΟΡΤΥΧον", "ABEZHIKMNOPTYXov")];
    if ('\u{ff21}'..='\u{ff5a}').contains(&c) {
        return char::from_u32(u32::from(c) - 0xfee0).filter(char::is_ascii_alphabetic);
    }
    PAIRS.iter().find_map(|(others, latins)| latins.chars().nth(others.chars().position(|other| other == c)?))
}

pub(in crate::contribute) const PLACEHOLDER_TEXT: Rule = Rule {
    code: Code::new(504),
    title: "an absent value spelled as text",
    severity: Severity::Error,
    page: r##"What is not known is left out; in a compact row it is `""`. "n/a", "unknown", "-" would be found, counted and sorted as if they were facts. What a survey printed (`reported`) stays as printed; a source's own spelling of a device or a network names it."##,
    sample: Sample::edited("catalog/devices/nova-100-32gb.toml", r#""HBM2""#, r#""N/A""#),
    check: Check::File(find_placeholder_text),
};

fn find_placeholder_text(listed: &KbFile, file: &Arc<SourceFile>, found: &mut Findings) {
    if matches!(listed.kind, FileKind::Recipe | FileKind::Misplaced(_)) || !ABSENT.is_match(&file.text) {
        return;
    }
    let cells = matches!(listed.kind, FileKind::Measurements(_) | FileKind::Collection);
    for text in texts(file) {
        if text.reported || !is_placeholder(&text.value) {
            continue;
        }
        let message = format!("`{}` is {:?}: an absent value spelled as text", text.key, text.value);
        let finding = found.in_text(file, text.span.clone(), message, "leave it out when it is not known");
        if cells && text.in_list {
            finding.fix("write it as absent", vec![(text.span, "\"\"".to_owned())]);
        } else if let Some(line) = whole_line(&file.text, &text.span, &text.key) {
            finding.fix("remove the key", vec![(line, String::new())]);
        }
    }
}

static ABSENT: LazyLock<Regex> = LazyLock::new(|| {
    Regex::new(r#"(?i)["'] *(?:n/a|na|n\.a\.|none|null|nil|nan|unknown|not known|tbd|todo|--?|\?+) *["']"#)
        .expect("the pattern is tested")
});

/// The whole line of a key and its value, if it contains nothing else.
fn whole_line(text: &str, span: &Range<usize>, key: &str) -> Option<Range<usize>> {
    let start = text[..span.start].rfind('\n').map_or(0, |newline| newline + 1);
    let end = text[span.end..].find('\n').map_or(text.len(), |newline| span.end + newline + 1);
    let head = text[start..span.start].trim_end().strip_suffix('=')?.trim();
    (head == key && text[span.end..end].trim().is_empty()).then_some(start..end)
}

pub(in crate::contribute) const SURROUNDING_WHITESPACE: Rule = Rule {
    code: Code::new(505),
    title: "a text with blanks at its ends",
    severity: Severity::Warning,
    page: "Blanks before and after a name are not seen, but make it another name.",
    sample: Sample::edited("catalog/devices/nova-100-32gb.toml", r#""HBM2""#, r#""HBM2 ""#),
    check: Check::File(find_surrounding_whitespace),
};

fn find_surrounding_whitespace(listed: &KbFile, file: &Arc<SourceFile>, found: &mut Findings) {
    // Recipes contain patterns, in which a blank is significant.
    if matches!(listed.kind, FileKind::Recipe | FileKind::Misplaced(_)) || !ENDS.is_match(&file.text) {
        return;
    }
    for text in texts(file) {
        let trimmed = text.value.trim();
        let source = &file.text[text.span.clone()];
        // Multi-line texts end with their paragraphs' line breaks.
        if trimmed == text.value || trimmed.is_empty() || source.starts_with("\"\"\"") || source.starts_with("'''") {
            continue;
        }
        let message = format!("`{}` has blanks at its ends", text.key);
        let finding = found.in_text(file, text.span.clone(), message, "remove them");
        if let Some(inner) = source.get(1..source.len() - 1).filter(|inner| !inner.contains('\\')) {
            let quote = &source[..1];
            finding.fix("remove the blanks", vec![(text.span, format!("{quote}{}{quote}", inner.trim()))]);
        }
    }
}

/// A quick test for texts with blanks at their ends: a blank after a quote, or before a closing quote.
static ENDS: LazyLock<Regex> =
    LazyLock::new(|| Regex::new(r#"["'][ \t]|[ \t]["'](?:[\s,\]}#]|\z)|\\t"#).expect("the pattern is tested"));
