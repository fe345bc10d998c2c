//! What rules find, and the diagnostics made of it.

use std::collections::BTreeMap;
use std::sync::Arc;

use super::context::IndexedRow;
use crate::model::{Annotation, Code, Diagnostic, Fix, Severity, SourceFile};
use crate::reading::{Located, Step, key_spans};

/// A finding before the bytes of its place are looked up.
#[derive(Debug)]
pub(in crate::contribute) struct Finding {
    /// The code of the rule.
    pub code: Code,
    severity: Severity,
    /// The entity, row or file.
    pub place: Located<()>,
    /// The keys from there to the value.
    pub steps: Vec<Step>,
    /// The measurement: its index in the loaded rows.
    pub row: Option<usize>,
    /// The entity.
    pub entity: Option<String>,
    message: String,
    label: String,
    help: Option<String>,
    related: Vec<Annotation>,
    fix: Option<Fix>,
}

impl Finding {
    pub fn help(&mut self, help: impl Into<String>) -> &mut Self {
        self.help = Some(help.into());
        self
    }

    pub fn related(&mut self, place: &Located<impl Sized>, label: &str) -> &mut Self {
        self.related.push(place.annotation(label));
        self
    }

    pub fn fix(&mut self, title: &str, edits: Vec<(std::ops::Range<usize>, String)>) -> &mut Self {
        self.fix = Some(Fix { title: title.to_owned(), edits });
        self
    }

    pub fn of(&mut self, entity: impl ToString) -> &mut Self {
        self.entity = Some(entity.to_string());
        self
    }
}

/// The findings of one rule.
#[derive(Debug)]
pub(in crate::contribute) struct Findings {
    code: Code,
    severity: Severity,
    findings: Vec<Finding>,
}

impl Findings {
    pub fn new(code: Code, severity: Severity) -> Self {
        Self { code, severity, findings: Vec::new() }
    }

    /// A finding at a key of an entity or file.
    pub fn at<T>(
        &mut self,
        place: &Located<T>,
        steps: impl IntoIterator<Item = Step>,
        message: impl Into<String>,
        label: impl Into<String>,
    ) -> &mut Finding {
        self.findings.push(Finding {
            code: self.code,
            severity: self.severity,
            place: place.place(),
            steps: steps.into_iter().collect(),
            row: None,
            entity: None,
            message: message.into(),
            label: label.into(),
            help: None,
            related: Vec::new(),
            fix: None,
        });
        let last = self.findings.len() - 1;
        &mut self.findings[last]
    }

    /// A finding at a key of a measurement.
    pub fn in_row(
        &mut self,
        row: &IndexedRow<'_>,
        key: &str,
        message: impl Into<String>,
        label: impl Into<String>,
    ) -> &mut Finding {
        let finding = self.at(row.row, [Step::from(key)], message, label);
        finding.row = Some(row.at);
        finding
    }

    /// A finding at bytes of a file's text.
    pub fn in_text(
        &mut self,
        file: &Arc<SourceFile>,
        span: std::ops::Range<usize>,
        message: impl Into<String>,
        label: impl Into<String>,
    ) -> &mut Finding {
        self.at(&Located::new((), file, span), [], message, label)
    }

    pub fn extend(&mut self, parts: Vec<Self>) {
        self.findings.extend(parts.into_iter().flat_map(|part| part.findings));
    }

    pub fn into_findings(self) -> Vec<Finding> {
        self.findings
    }
}

/// The findings as diagnostics; each file with findings is parsed once more to find the bytes of the keys.
pub(in crate::contribute) fn diagnostics(findings: Vec<Finding>) -> Vec<Diagnostic> {
    let mut by_file: BTreeMap<std::path::PathBuf, Vec<Finding>> = BTreeMap::new();
    for finding in findings {
        by_file.entry(finding.place.file().path.clone()).or_default().push(finding);
    }
    let mut diagnostics = Vec::new();
    for findings in by_file.into_values() {
        let wanted: Vec<_> = findings.iter().map(|finding| (finding.place.span(), finding.steps.as_slice())).collect();
        let spans = match findings.iter().all(|finding| finding.steps.is_empty()) {
            true => vec![None; findings.len()],
            false => key_spans(findings[0].place.file(), &wanted),
        };
        for (finding, span) in findings.into_iter().zip(spans) {
            diagnostics.push(diagnostic(finding, span));
        }
    }
    diagnostics
}

fn diagnostic(finding: Finding, span: Option<std::ops::Range<usize>>) -> Diagnostic {
    let file = finding.place.file();
    let own = finding.place.span();
    let start = || if own.is_empty() { first_key(&file.text) } else { own };
    let span = (!file.text.is_empty()).then(|| span.unwrap_or_else(start));
    let mut diagnostic =
        Diagnostic::error(finding.code, file, span, finding.message, finding.label).severity(finding.severity);
    diagnostic.help = finding.help;
    diagnostic.related = finding.related;
    diagnostic.fix = finding.fix;
    diagnostic
}

/// What is said of a whole file stands at its first line that is no comment.
fn first_key(text: &str) -> std::ops::Range<usize> {
    let mut at = 0;
    for line in text.split_inclusive('\n') {
        if !line.trim().is_empty() && !line.starts_with('#') {
            return at..at + line.trim_end().len();
        }
        at += line.len();
    }
    0..0
}
