//! A letter that looks like another.

use std::sync::Arc;

use crate::contribute::rule_interface::{Check, Findings, Rule, Sample};
use crate::model::{Code, Severity, SourceFile};
use crate::reading::KbFile;

pub(in crate::contribute) const RULE: Rule = Rule {
    code: Code::new(503),
    title: "a letter that looks like another",
    severity: Severity::Warning,
    page: r##"A Cyrillic or Greek letter among Latin ones looks the same and is found by nobody. (The sample has a Cyrillic "А" in "Асme".)"##,
    sample: Sample::edited("catalog/devices/nova-100-32gb.toml", "Acme Nova", "Аcme Nova"),
    check: Check::File(find),
};
fn find(_: &KbFile, file: &Arc<SourceFile>, found: &mut Findings) {
    if file.text.is_ascii() {
        return;
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

/// The Latin letter that a Cyrillic, Greek or full-width one is taken for.
fn latin(c: char) -> Option<char> {
    const PAIRS: &[(&str, &str)] =
        &[("аеорсухіѕј", "aeopcyxisj"), ("АВЕКМНОРСТХІЅЈ", "ABEKMHOPCTXISJ"), ("ΑΒΕΖΗΙΚΜΝΟΡΤΥΧον", "ABEZHIKMNOPTYXov")];
    if ('\u{ff21}'..='\u{ff5a}').contains(&c) {
        return char::from_u32(u32::from(c) - 0xfee0).filter(char::is_ascii_alphabetic);
    }
    PAIRS.iter().find_map(|(others, latins)| latins.chars().nth(others.chars().position(|other| other == c)?))
}
