//! An absent value spelled as text.

use std::ops::Range;
use std::sync::{Arc, LazyLock};

use regex::Regex;

use crate::contribute::rule_interface::{Check, Findings, Rule, Sample};
use crate::model::{Code, Severity, SourceFile};
use crate::reading::{FileKind, KbFile, texts};

pub(in crate::contribute) const RULE: Rule = Rule {
    code: Code::new(504),
    title: "an absent value spelled as text",
    severity: Severity::Error,
    page: r##"What is not known is left out; in a compact row it is `""`. "n/a", "unknown", "-" would be found, counted and sorted as if they were facts. What a survey printed (`reported`, raw spellings) stays as printed."##,
    sample: Sample::edited("catalog/devices/nova-100-32gb.toml", r#""HBM2""#, r#""N/A""#),
    check: Check::File(find),
};
fn find(listed: &KbFile, file: &Arc<SourceFile>, found: &mut Findings) {
    if matches!(listed.kind, FileKind::Recipe | FileKind::Misplaced(_)) || !ABSENT.is_match(&file.text) {
        return;
    }
    let cells = matches!(listed.kind, FileKind::Measurements(_) | FileKind::Collection);
    for text in texts(file) {
        if text.reported || text.key.ends_with("-raw") || !WORDS.contains(&text.value.trim().to_lowercase().as_str()) {
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

const WORDS: &[&str] =
    &["n/a", "na", "n.a.", "none", "null", "nil", "nan", "unknown", "not known", "tbd", "todo", "-", "--", "?", "???"];

static ABSENT: LazyLock<Regex> = LazyLock::new(|| {
    Regex::new(r#"(?i)["'] *(?:n/a|na|n\.a\.|none|null|nil|nan|unknown|not known|tbd|todo|--?|\?+) *["']"#)
        .expect("the pattern is tested")
});

/// The line of a key and its value, if there is nothing else in it.
fn whole_line(text: &str, span: &Range<usize>, key: &str) -> Option<Range<usize>> {
    let start = text[..span.start].rfind('\n').map_or(0, |newline| newline + 1);
    let end = text[span.end..].find('\n').map_or(text.len(), |newline| span.end + newline + 1);
    let head = text[start..span.start].trim_end().strip_suffix('=')?.trim();
    (head == key && text[span.end..end].trim().is_empty()).then_some(start..end)
}
