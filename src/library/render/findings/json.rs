//! Findings as one JSON object.

use serde::Serialize;

use super::place;
use crate::contribute::check::CheckReport;
use crate::model::{Annotation, Code, Diagnostic, Severity};

#[derive(Serialize)]
struct JsonReport<'c> {
    files: usize,
    measurements: usize,
    errors: usize,
    warnings: usize,
    infos: usize,
    findings: Vec<JsonFinding<'c>>,
}

#[derive(Serialize)]
struct JsonFinding<'c> {
    code: Code,
    severity: Severity,
    message: &'c str,
    #[serde(flatten)]
    place: JsonLocation<'c>,
    help: Option<&'c str>,
    /// Whether --fix mends it.
    fixable: bool,
    related: Vec<JsonLocation<'c>>,
}

#[derive(Serialize)]
struct JsonLocation<'c> {
    file: String,
    line: usize,
    column: usize,
    end_line: usize,
    end_column: usize,
    label: &'c str,
}

/// Draws them.
pub fn draw(report: &CheckReport, findings: &[Diagnostic]) -> Result<String, crate::render::RenderError> {
    crate::render::json(&JsonReport {
        files: report.files,
        measurements: report.measurements,
        errors: report.count(Severity::Error),
        warnings: report.count(Severity::Warning),
        infos: report.count(Severity::Info),
        findings: findings.iter().map(finding).collect(),
    })
}

fn finding(diagnostic: &Diagnostic) -> JsonFinding<'_> {
    JsonFinding {
        code: diagnostic.code,
        severity: diagnostic.severity,
        message: &diagnostic.message,
        place: placed(&diagnostic.primary),
        help: diagnostic.help.as_deref(),
        fixable: diagnostic.fix.is_some(),
        related: diagnostic.related.iter().map(placed).collect(),
    }
}

fn placed(annotation: &Annotation) -> JsonLocation<'_> {
    let place = place(annotation);
    JsonLocation {
        file: place.file,
        line: place.start.0,
        column: place.start.1,
        end_line: place.end.0,
        end_column: place.end.1,
        label: &annotation.label,
    }
}
