//! Findings as SARIF 2.1.0, which code hosts and editors read.

use serde_json::{Value, json};

use super::place;
use crate::contribute::rules::RULES;
use crate::model::{Annotation, Diagnostic, Severity};
use crate::values::percent::encoded_path;

/// Draws them, with the rules they are of.
pub fn draw(findings: &[Diagnostic]) -> Result<String, crate::render::RenderError> {
    let used: Vec<_> = RULES.iter().filter(|rule| findings.iter().any(|finding| finding.code == rule.code)).collect();
    let rules: Vec<Value> = used
        .iter()
        .map(|rule| {
            json!({
                "id": rule.code,
                "shortDescription": { "text": rule.title },
                "fullDescription": { "text": rule.page },
                "defaultConfiguration": { "level": level(rule.severity) },
            })
        })
        .collect();
    let results: Vec<Value> = findings
        .iter()
        .map(|finding| {
            let at = used.iter().position(|rule| rule.code == finding.code);
            let mut text = format!("{} ({})", finding.message, finding.primary.label);
            if let Some(help) = &finding.help {
                text.push_str(&format!("\n{help}"));
            }
            let mut result = json!({
                "ruleId": finding.code,
                "level": level(finding.severity),
                "message": { "text": text },
                "locations": [location(&finding.primary)],
            });
            if let Some(at) = at {
                result["ruleIndex"] = json!(at);
            }
            if !finding.related.is_empty() {
                result["relatedLocations"] = finding.related.iter().map(related).collect();
            }
            result
        })
        .collect();
    crate::render::json(&json!({
        "$schema": "https://json.schemastore.org/sarif-2.1.0.json",
        "version": "2.1.0",
        "runs": [{
            "tool": { "driver": { "name": "dlbench", "version": env!("CARGO_PKG_VERSION"), "rules": rules } },
            "columnKind": "unicodeCodePoints",
            "results": results,
        }],
    }))
}

fn level(severity: Severity) -> &'static str {
    match severity {
        Severity::Error => "error",
        Severity::Warning => "warning",
        Severity::Info => "note",
    }
}

fn related(annotation: &Annotation) -> Value {
    let mut location = location(annotation);
    location["message"] = json!({ "text": annotation.label });
    location
}

fn location(annotation: &Annotation) -> Value {
    let place = place(annotation);
    json!({
        "physicalLocation": {
            "artifactLocation": { "uri": encoded_path(place.file.as_bytes()) },
            "region": {
                "startLine": place.start.0,
                "startColumn": place.start.1,
                "endLine": place.end.0,
                "endColumn": place.end.1,
            },
        },
    })
}
