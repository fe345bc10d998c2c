//! Findings with locations in files and questions: carets for people; JSON, GitHub annotations and SARIF 2.1.0 for programs.

use std::borrow::Cow;
use std::ops::Range;

use annotate_snippets::renderer::DecorStyle;
use annotate_snippets::{AnnotationKind, Group, Level, Renderer, Snippet};
use serde::Serialize;
use serde_json::{Value, json};

use crate::ask::parse::GrammarError;
use crate::contribute::check::CheckReport;
use crate::contribute::rules::RULES;
use crate::model::{Annotation, Code, Diagnostic, Severity};
use crate::values::text::encoded_path;
use crate::values::text::{counted, is_invisible, printable, printable_name, printable_path};

/// A location: path with `/`, then first and last line and column, all counted from 1.
struct FileRange {
    file: String,
    start: (usize, usize),
    end: (usize, usize),
}

fn place(annotation: &Annotation) -> FileRange {
    let file = &annotation.file;
    let parts: Vec<String> = file.path.iter().map(|part| part.to_string_lossy().into_owned()).collect();
    let span = annotation.span.clone().unwrap_or(0..0);
    FileRange { file: parts.join("/"), start: file.position(span.start), end: file.position(span.end.max(span.start)) }
}

/// One GitHub workflow command per finding.
pub fn github_commands(findings: &[Diagnostic]) -> String {
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

/// Escapes a text for a GitHub workflow command, which is a single line.
fn escaped(text: &str) -> String {
    printable(text).replace('%', "%25").replace('\r', "%0D").replace('\n', "%0A")
}

fn property(text: &str) -> String {
    escaped(text).replace(':', "%3A").replace(',', "%2C")
}

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
    /// Whether `--fix` corrects it.
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

/// All findings as one JSON object.
pub fn json_object(report: &CheckReport, findings: &[Diagnostic]) -> Result<String, crate::render::RenderError> {
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

/// The findings as a SARIF log with the rules that they refer to.
pub fn sarif_log(findings: &[Diagnostic]) -> Result<String, crate::render::RenderError> {
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

/// Maximum number of findings printed; the rest is only counted, since the first findings explain most others.
const MOST_SHOWN: usize = 100;

/// Source lines longer than this are not printed.
const LONGEST_LINE: usize = 4_000;

/// Prints one finding after the other; if there are more than `MOST_SHOWN`, only the most severe.
pub fn each(findings: &[Diagnostic], width: usize) -> String {
    let renderer = Renderer::styled().decor_style(DecorStyle::Ascii).term_width(width.max(60));
    let mut text = String::new();
    let mut shown: Vec<&Diagnostic> = findings.iter().collect();
    if shown.len() > MOST_SHOWN {
        shown.sort_by_key(|finding| finding.severity);
    }
    for finding in shown.into_iter().take(MOST_SHOWN) {
        text.push_str(&one(finding, &renderer));
        text.push_str("\n\n");
    }
    if findings.len() > MOST_SHOWN {
        text.push_str(&format!("… and {} more\n\n", findings.len() - MOST_SHOWN));
    }
    text
}

/// The findings that make a knowledge base unusable, with their number.
pub fn findings(findings: &[Diagnostic], width: usize) -> String {
    let mut text = each(findings, width);
    let mut files: Vec<_> = findings.iter().map(|finding| &finding.primary.file.path).collect();
    files.dedup();
    let style = anstyle::AnsiColor::Red.on_default().bold();
    text.push_str(&format!(
        "{style}error{style:#}: the knowledge base has {} in {}; nothing was changed",
        counted(findings.len(), "mistake", "mistakes"),
        counted(files.len(), "file", "files"),
    ));
    text
}

/// A syntax error in a question, with a caret under it.
pub fn mistake(question: &str, mistake: &GrammarError) -> String {
    let renderer = Renderer::styled().decor_style(DecorStyle::Ascii);
    let span = within(question, mistake.span.clone());
    let mut group = Level::ERROR.primary_title(printable(&mistake.message)).element(
        Snippet::source(harmless(question))
            .annotation(AnnotationKind::Primary.span(span).label(printable(&mistake.label))),
    );
    if let Some(help) = &mistake.help {
        group = group.element(Level::HELP.message(printable(help)));
    }
    renderer.render(&[group])
}

fn one(finding: &Diagnostic, renderer: &Renderer) -> String {
    let level = match finding.severity {
        Severity::Error => Level::ERROR,
        Severity::Warning => Level::WARNING,
        Severity::Info => Level::INFO,
    };
    let code = finding.code.to_string();
    let mut group = Group::with_title(level.primary_title(printable_name(&finding.message)).id(code));
    group = diagnostics_placed(group, &finding.primary, AnnotationKind::Primary);
    for related in &finding.related {
        group = diagnostics_placed(group, related, AnnotationKind::Context);
    }
    if let Some(help) = &finding.help {
        group = group.element(Level::HELP.message(printable(help)));
    }
    renderer.render(&[group])
}

fn diagnostics_placed<'g>(group: Group<'g>, annotation: &'g Annotation, kind: AnnotationKind) -> Group<'g> {
    let path = printable_path(&annotation.file.path);
    let text = &annotation.file.text;
    match &annotation.span {
        Some(span) if !text.is_empty() && line_length(text, span.start) <= LONGEST_LINE => {
            let span = first_line(text, within(text, span.clone()));
            group.element(
                Snippet::source(harmless(text))
                    .path(path)
                    .annotation(kind.span(span).label(printable_name(&annotation.label))),
            )
        }
        _ => group.element(annotate_snippets::Origin::path(path)),
    }
}

/// Replaces terminal control characters by visible characters of the same UTF-8 length, so that every span still fits.
fn harmless(text: &str) -> Cow<'_, str> {
    let obeyed = |c: char| c != '\n' && c != '\t' && is_invisible(c);
    if !text.contains(obeyed) {
        return Cow::Borrowed(text);
    }
    text.chars()
        .map(|c| match c.len_utf8() {
            _ if !obeyed(c) => c,
            1 => '?',
            2 => '\u{bf}',
            3 => '\u{fffd}',
            _ => '\u{1f6c7}',
        })
        .collect::<String>()
        .into()
}

/// Clamps a span to the text and to character boundaries.
fn within(text: &str, span: Range<usize>) -> Range<usize> {
    let border = |mut at: usize| {
        at = at.min(text.len());
        while !text.is_char_boundary(at) {
            at -= 1;
        }
        at
    };
    border(span.start)..border(span.end.max(span.start))
}

/// The part of a span on its first line: a table of many lines is marked by its head.
fn first_line(text: &str, span: Range<usize>) -> Range<usize> {
    let end = text[span.clone()].find('\n').map_or(span.end, |at| span.start + at);
    span.start..end
}

fn line_length(text: &str, at: usize) -> usize {
    let at = within(text, at..at).start;
    let start = text[..at].rfind('\n').map_or(0, |newline| newline + 1);
    let end = text[at..].find('\n').map_or(text.len(), |newline| at + newline);
    end - start
}
