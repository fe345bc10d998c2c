//! Findings as commands by which a workflow of GitHub annotates lines.

use super::place;
use crate::model::{Diagnostic, Severity};
use crate::values::text::printable;

/// Draws one line for each finding.
pub fn draw(findings: &[Diagnostic]) -> String {
    findings.iter().map(line).collect()
}

fn line(finding: &Diagnostic) -> String {
    let level = match finding.severity {
        Severity::Error => "error",
        Severity::Warning => "warning",
        Severity::Info => "notice",
    };
    let place = place(&finding.primary);
    let mut text = format!("{} ({})", finding.message, finding.primary.label);
    if let Some(help) = &finding.help {
        text.push_str(&format!("\n{help}"));
    }
    text.push_str(&format!("\ndlbench explain {}", finding.code));
    format!(
        "::{level} file={},line={},endLine={},col={},endColumn={},title={}::{}\n",
        property(&place.file),
        place.start.0,
        place.end.0,
        place.start.1,
        place.end.1,
        finding.code,
        escaped(&text),
    )
}

/// A command is one line; GitHub reads these escapes.
fn escaped(text: &str) -> String {
    printable(text).replace('%', "%25").replace('\r', "%0D").replace('\n', "%0A")
}

fn property(text: &str) -> String {
    escaped(text).replace(':', "%3A").replace(',', "%2C")
}
