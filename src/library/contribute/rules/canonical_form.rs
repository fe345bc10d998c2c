//! A file that is not in canonical form.

use std::sync::Arc;

use crate::contribute::rule_interface::{Check, Findings, Rule, Sample};
use crate::model::{Code, Severity, SourceFile};
use crate::reading::{FileKind, KbFile, canonical, is_canonical};

pub(in crate::contribute) const RULE: Rule = Rule {
    code: Code::new(501),
    title: "a file that is not in canonical form",
    severity: Severity::Warning,
    page: "Keys come in the order of the schema, one blank between signs, one blank line before a table and none inside, no trailing blanks, LF at the end of every line. Then a change shows what changed and nothing else. `dlbench fmt` writes it; comments, digits and texts stay as they are.",
    sample: Sample::edited(
        "catalog/devices/nova-100-32gb.toml",
        "class = \"gpu\"\nvendor = \"Acme\"",
        "vendor =   \"Acme\"\nclass = \"gpu\"",
    ),
    check: Check::File(find),
};
fn find(listed: &KbFile, file: &Arc<SourceFile>, found: &mut Findings) {
    if matches!(listed.kind, FileKind::Misplaced(_)) || is_canonical(&file.text, &listed.kind) {
        return;
    }
    let Some(formed) = canonical(&file.text, &listed.kind).filter(|formed| *formed != file.text) else { return };
    let same = file.text.bytes().zip(formed.bytes()).take_while(|(a, b)| a == b).count();
    // The line in which the two part.
    let start = file.text.as_bytes()[..same].iter().rposition(|b| *b == b'\n').map_or(0, |newline| newline + 1);
    let end = file.text[start..].find('\n').map_or(file.text.len(), |newline| start + newline);
    let expected = formed.get(start..).and_then(|rest| rest.lines().next()).unwrap_or_default();
    found
        .in_text(file, start..end, "the file is not in canonical form", format!("expected {expected:?}"))
        .help("`dlbench fmt` writes it")
        .fix("write the canonical form", vec![(0..file.text.len(), formed)]);
}
