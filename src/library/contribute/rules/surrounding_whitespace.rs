//! A text with blanks at its ends.

use std::sync::{Arc, LazyLock};

use regex::Regex;

use crate::contribute::rule_interface::{Check, Findings, Rule, Sample};
use crate::model::{Code, Severity, SourceFile};
use crate::reading::{FileKind, KbFile, texts};

pub(in crate::contribute) const RULE: Rule = Rule {
    code: Code::new(505),
    title: "a text with blanks at its ends",
    severity: Severity::Warning,
    page: "Blanks before and after a name are not seen, but make it another name.",
    sample: Sample::edited("catalog/devices/nova-100-32gb.toml", r#""HBM2""#, r#""HBM2 ""#),
    check: Check::File(find),
};
fn find(listed: &KbFile, file: &Arc<SourceFile>, found: &mut Findings) {
    // Recipes have patterns in which a blank means a blank.
    if matches!(listed.kind, FileKind::Recipe | FileKind::Misplaced(_)) || !ENDS.is_match(&file.text) {
        return;
    }
    for text in texts(file) {
        let trimmed = text.value.trim();
        let source = &file.text[text.span.clone()];
        // Texts of several lines end as their paragraphs do.
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

/// What there is where a text has blanks at its ends: a blank behind a quote, or one before a quote behind which no text follows.
static ENDS: LazyLock<Regex> =
    LazyLock::new(|| Regex::new(r#"["'][ \t]|[ \t]["'](?:[\s,\]}#]|\z)|\\t"#).expect("the pattern is tested"));
