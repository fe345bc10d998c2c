//! Mistakes with their place: in files, and in questions.

use std::borrow::Cow;
use std::ops::Range;

use annotate_snippets::renderer::DecorStyle;
use annotate_snippets::{AnnotationKind, Group, Level, Renderer, Snippet};

use crate::ask::parse::GrammarError;
use crate::model::{Annotation, Diagnostic, Severity};
use crate::values::text::{counted, is_invisible, printable, printable_name, printable_path};

/// More findings than this are counted, not shown: the first ones explain most of the others.
const MOST_SHOWN: usize = 100;

/// Lines longer than this are shown without their text.
const LONGEST_LINE: usize = 4_000;

/// All findings, one after the other.
pub fn each(findings: &[Diagnostic], width: usize) -> String {
    let renderer = Renderer::styled().decor_style(DecorStyle::Ascii).term_width(width.max(60));
    let mut text = String::new();
    for finding in findings.iter().take(MOST_SHOWN) {
        text.push_str(&one(finding, &renderer));
        text.push_str("\n\n");
    }
    if findings.len() > MOST_SHOWN {
        text.push_str(&format!("… and {} more\n\n", findings.len() - MOST_SHOWN));
    }
    text
}

/// The findings of a knowledge base that cannot be used, and how many there are.
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

/// A mistake in a question, with a caret under it.
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
    group = placed(group, &finding.primary, AnnotationKind::Primary);
    for related in &finding.related {
        group = placed(group, related, AnnotationKind::Context);
    }
    if let Some(help) = &finding.help {
        group = group.element(Level::HELP.message(printable(help)));
    }
    renderer.render(&[group])
}

fn placed<'g>(group: Group<'g>, annotation: &'g Annotation, kind: AnnotationKind) -> Group<'g> {
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

/// The text with what a terminal would obey replaced by signs of the same length, so that every span still fits.
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

/// A span that lies inside the text, on character borders.
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

/// The part of a span that lies on its first line: a table of many lines is marked by its head.
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
