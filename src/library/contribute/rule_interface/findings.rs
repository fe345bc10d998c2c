//! Findings of the rules, and their conversion to diagnostics.

use std::collections::BTreeMap;
use std::sync::Arc;

use super::context::IndexedRow;
use crate::model::{Annotation, Code, Diagnostic, Fix, Severity, SourceFile};
use crate::reading::{Located, Step, key_spans};
use crate::values::EntityKind;

/// A fact of an entity: its kind, its id, and its dotted key, such as `peak-tflops.fp32`.
pub(in crate::contribute) type Fact = (EntityKind, String, String);

/// A finding whose place is not yet resolved to bytes.
#[derive(Debug)]
pub(in crate::contribute) struct Finding {
    /// The code of the rule.
    pub code: Code,
    severity: Severity,
    /// The place of the entity, row or file.
    pub place: Located<()>,
    /// The path from there to the value.
    pub steps: Vec<Step>,
    /// The measurement, as an index into the loaded rows.
    pub row: Option<usize>,
    /// The id of the entity.
    pub entity: Option<String>,
    /// The catalog facts on which the judgement of a measurement depends.
    pub rests_on: Vec<Fact>,
    message: String,
    label: String,
    help: Option<String>,
    related: Vec<Annotation>,
    /// Other keys of the same entity, row or file, each with a label.
    beside: Vec<(Vec<Step>, &'static str)>,
    fix: Option<Fix>,
}

impl Finding {
    /// Also points at another key of the same entity, row or file.
    pub fn beside(&mut self, steps: impl IntoIterator<Item = Step>, label: &'static str) -> &mut Self {
        self.beside.push((steps.into_iter().collect(), label));
        self
    }

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

    /// Records that the finding depends on this catalog fact; does nothing if no entity is given.
    pub fn rests_on(&mut self, kind: EntityKind, id: Option<&str>, key: impl Into<String>) -> &mut Self {
        if let Some(id) = id {
            self.rests_on.push((kind, id.to_owned(), key.into()));
        }
        self
    }

    pub fn severity(&self) -> Severity {
        self.severity
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

    /// Adds a finding at a key of an entity or file.
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
            rests_on: Vec::new(),
            message: message.into(),
            label: label.into(),
            help: None,
            related: Vec::new(),
            beside: Vec::new(),
            fix: None,
        });
        let last = self.findings.len() - 1;
        &mut self.findings[last]
    }

    /// Adds a finding at a key of a measurement.
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

    /// Adds a finding at a byte range of a file's text.
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

/// Converts findings to diagnostics; parses each file with findings again to locate the keys.
pub(in crate::contribute) fn diagnostics(findings: Vec<Finding>) -> Vec<Diagnostic> {
    let mut by_file: BTreeMap<std::path::PathBuf, Vec<Finding>> = BTreeMap::new();
    for finding in findings {
        by_file.entry(finding.place.file().path.clone()).or_default().push(finding);
    }
    let mut diagnostics = Vec::new();
    for findings in by_file.into_values() {
        let own = findings.iter().map(|finding| (finding.place.span(), finding.steps.as_slice()));
        let beside = findings
            .iter()
            .flat_map(|finding| finding.beside.iter().map(|(steps, _)| (finding.place.span(), steps.as_slice())));
        let wanted: Vec<_> = own.chain(beside).collect();
        let spans = match wanted.iter().all(|(_, steps)| steps.is_empty()) {
            true => vec![None; wanted.len()],
            false => key_spans(findings[0].place.file(), &wanted),
        };
        let (own, beside) = spans.split_at(findings.len());
        let mut beside = beside.iter();
        for (finding, span) in findings.into_iter().zip(own) {
            let others: Vec<_> = beside.by_ref().take(finding.beside.len()).cloned().collect();
            diagnostics.push(diagnostic(finding, span.clone(), others));
        }
    }
    diagnostics
}

fn diagnostic(
    finding: Finding,
    span: Option<std::ops::Range<usize>>,
    beside: Vec<Option<std::ops::Range<usize>>>,
) -> Diagnostic {
    let file = finding.place.file();
    let own = finding.place.span();
    let start = || if own.is_empty() { first_key(&file.text) } else { own };
    let span = (!file.text.is_empty()).then(|| span.unwrap_or_else(start));
    let mut diagnostic =
        Diagnostic::error(finding.code, file, span, finding.message, finding.label).severity(finding.severity);
    diagnostic.help = finding.help;
    diagnostic.related = finding.related;
    for ((_, label), span) in finding.beside.into_iter().zip(beside) {
        let file = Arc::clone(&diagnostic.primary.file);
        diagnostic.related.extend(span.map(|span| Annotation { file, span: Some(span), label: label.to_owned() }));
    }
    diagnostic.fix = finding.fix;
    diagnostic
}

/// The range of the first line that is neither blank nor a comment, where a finding about the whole file is shown.
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
