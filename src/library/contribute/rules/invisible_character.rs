//! An invisible character.

use std::sync::Arc;

use crate::contribute::rule_interface::{Check, Findings, Rule, Sample};
use crate::model::{Code, Severity, SourceFile};
use crate::reading::{KbFile, texts};
use crate::values::text::is_invisible;

pub(in crate::contribute) const RULE: Rule = Rule {
    code: Code::new(502),
    title: "an invisible character",
    severity: Severity::Error,
    page: r##"A no-break space, a zero-width space, a mark that turns the direction of writing: one does not see it, but no question finds what is written with it. (The sample has one after "Nova".)"##,
    sample: Sample::edited("catalog/devices/nova-100-32gb.toml", "Acme Nova", "Acme Nova\u{200b}"),
    check: Check::File(find),
};
fn find(_: &KbFile, file: &Arc<SourceFile>, found: &mut Findings) {
    if file.text.contains('\\') {
        find_escaped(file, found);
    }
    if file.text.is_ascii() {
        return;
    }
    for (at, c) in file.text.char_indices() {
        let name = match c {
            '\u{a0}' | '\u{202f}' | '\u{2007}' => "a space that does not break",
            '\u{ad}' => "a soft hyphen",
            c if c != '\n' && c != '\t' && c != '\r' && is_invisible(c) => "a character without a shape",
            _ => continue,
        };
        let space = if name.contains("space") { " " } else { "" };
        found
            .in_text(file, at..at + c.len_utf8(), format!("{name}: U+{:04X}", u32::from(c)), "nobody sees it")
            .fix("take it out", vec![(at..at + c.len_utf8(), space.to_owned())]);
    }
}

/// What an escape makes of a text: `"Nova\u001b]0;…"` looks harmless in a review, and a terminal obeys it.
fn find_escaped(file: &Arc<SourceFile>, found: &mut Findings) {
    let obeyed = |c: &char| !matches!(c, '\n' | '\t') && is_invisible(*c);
    for text in texts(file) {
        let is_escaped = file.text.get(text.span.clone()).is_some_and(|written| written.contains('\\'));
        if let Some(c) = text.value.chars().find(obeyed).filter(|_| is_escaped) {
            let message = format!("`{}` has a character without a shape: U+{:04X}", text.key, u32::from(c));
            found.in_text(file, text.span, message, "terminals obey it instead of showing it");
        }
    }
}
