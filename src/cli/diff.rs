//! `dlbench diff`: what changed between two revisions, in words and numbers.

use std::collections::BTreeMap;

use clap::{Args, ValueEnum};

use super::failure::Failure;
use super::global::{Global, Outcome};
use super::screen::Screen;
use dlbench::ask::diff::{ChangeKind, Changes, FactChange, MeasurementChange};
use dlbench::render;
use dlbench::render::table::markdown_escaped;
use dlbench::values::text::{counted, printable};

#[derive(Debug, Args)]
pub(super) struct DiffArgs {
    /// The revision before: HEAD, main, a commit
    #[arg(value_name = "REV")]
    from: String,
    /// The revision after [default: the working tree]
    #[arg(value_name = "REV")]
    to: Option<String>,
    /// How to write the changes
    #[arg(short, long, value_enum, default_value = "text")]
    format: DiffFormat,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
enum DiffFormat {
    /// For a person at a terminal
    Text,
    /// For a comment on a pull request
    Markdown,
    /// One JSON object
    Json,
}

/// So many changes of a kind are told one by one; more are counted.
const MOST_TOLD: usize = 40;

/// More new or lost measurements of one source are told together.
const MOST_ALIKE: usize = 12;

pub(super) fn run(args: &DiffArgs, global: &Global, screen: &Screen) -> Result<Outcome, Failure> {
    let changes = global.files()?.changes(&args.from, args.to.as_deref())?;
    let text = match args.format {
        DiffFormat::Json => render::json(&changes)?,
        DiffFormat::Text => told(&changes, false),
        DiffFormat::Markdown => told(&changes, true),
    };
    screen.print(&text)?;
    let none = changes.entities.is_empty() && changes.measurements.is_empty();
    Ok(if none { Outcome::NothingFound } else { Outcome::Done })
}

fn told(changes: &Changes, markdown: bool) -> String {
    let mut text = String::new();
    if changes.entities.is_empty() && changes.measurements.is_empty() {
        return "No entity and no measurement changed.\n".to_owned();
    }
    let heading = |line: String| if markdown { format!("### {line}\n\n") } else { format!("{line}\n") };
    if !changes.entities.is_empty() {
        text.push_str(&heading(counts("entity", "entities", changes.entities.iter().map(|change| change.change))));
        for change in changes.entities.iter().take(MOST_TOLD) {
            let (mark, id) = (mark(change.change), quoted(&change.id, markdown));
            text.push_str(&format!(
                "{}{mark} {} {id}: {}\n",
                bullet(markdown),
                change.kind.noun(),
                facts(&change.facts, change.change, markdown)
            ));
        }
        text.push_str(&more(changes.entities.len(), markdown));
        text.push('\n');
    }
    if !changes.measurements.is_empty() {
        let kinds = changes.measurements.iter().map(|change| change.change);
        text.push_str(&heading(counts("measurement", "measurements", kinds)));
        let lines = measurements(&changes.measurements, markdown);
        for line in lines.iter().take(MOST_TOLD) {
            text.push_str(&format!("{}{line}\n", bullet(markdown)));
        }
        text.push_str(&more(lines.len(), markdown));
    }
    text.truncate(text.trim_end().len());
    text.push('\n');
    text
}

/// A line for each measurement, what changed first, because review must look at it; many of one source that are all new
/// or all gone share a line.
fn measurements(changes: &[MeasurementChange], markdown: bool) -> Vec<String> {
    let mut lines = Vec::new();
    for kind in [ChangeKind::Changed, ChangeKind::Removed, ChangeKind::Added] {
        let mut by_source: BTreeMap<&str, Vec<&MeasurementChange>> = BTreeMap::new();
        for change in changes.iter().filter(|change| change.change == kind) {
            by_source.entry(&change.source).or_default().push(change);
        }
        for (source, changes) in by_source {
            if kind != ChangeKind::Changed && changes.len() > MOST_ALIKE {
                let (count, source) = (changes.len(), quoted(source, markdown));
                let first = plain(&changes[0].what, markdown);
                lines.push(format!("{} {count} measurements of {source}, such as {first}", mark(kind)));
                continue;
            }
            lines.extend(changes.into_iter().map(|change| {
                let (id, what) = (quoted(&change.id, markdown), plain(&change.what, markdown));
                format!("{} {id} {what}: {}", mark(kind), facts(&change.facts, kind, markdown))
            }));
        }
    }
    lines
}

/// `3 measurements added, 1 changed`.
fn counts(one: &str, many: &str, kinds: impl Iterator<Item = ChangeKind>) -> String {
    let kinds: Vec<ChangeKind> = kinds.collect();
    let mut parts = Vec::new();
    for (kind, word) in
        [(ChangeKind::Added, "added"), (ChangeKind::Changed, "changed"), (ChangeKind::Removed, "removed")]
    {
        let count = kinds.iter().filter(|other| **other == kind).count();
        if count > 0 && parts.is_empty() {
            parts.push(format!("{} {word}", counted(count, one, many)));
        } else if count > 0 {
            parts.push(format!("{count} {word}"));
        }
    }
    parts.join(", ")
}

fn mark(kind: ChangeKind) -> &'static str {
    match kind {
        ChangeKind::Added => "added",
        ChangeKind::Changed => "changed",
        ChangeKind::Removed => "removed",
    }
}

fn bullet(markdown: bool) -> &'static str {
    if markdown { "- " } else { "  " }
}

fn quoted(id: &str, markdown: bool) -> String {
    let id = printable(id);
    if markdown { format!("`{id}`") } else { id }
}

/// Text that a line can hold and a page shows as it is.
fn plain(text: &str, markdown: bool) -> String {
    let text = printable(text).replace('\n', " ");
    if markdown { markdown_escaped(&text) } else { text }
}

fn facts(facts: &[FactChange], change: ChangeKind, markdown: bool) -> String {
    const MOST: usize = 6;
    let shown = |text: &String| match text.char_indices().nth(60) {
        Some((end, _)) => plain(&text[..end], markdown) + "…",
        None => plain(text, markdown),
    };
    let mut parts: Vec<String> = facts
        .iter()
        .take(MOST)
        .map(|fact| match (&fact.before, &fact.after) {
            (None, Some(after)) => format!("{} {}", fact.key, shown(after)),
            (Some(before), None) if change == ChangeKind::Removed => format!("{} {}", fact.key, shown(before)),
            (Some(before), None) => format!("{} no longer {}", fact.key, shown(before)),
            (Some(before), Some(after)) => {
                let change = match (before.parse::<f64>(), after.parse::<f64>()) {
                    (Ok(old), Ok(new)) if old != 0.0 => format!(" ({:+.1} %)", (new / old - 1.0) * 100.0),
                    _ => String::new(),
                };
                format!("{} {} → {}{change}", fact.key, shown(before), shown(after))
            }
            (None, None) => String::new(),
        })
        .collect();
    if facts.len() > MOST {
        parts.push(format!("and {} more", counted(facts.len() - MOST, "fact", "facts")));
    }
    parts.join(", ")
}

fn more(count: usize, markdown: bool) -> String {
    match count.saturating_sub(MOST_TOLD) {
        0 => String::new(),
        more => format!("{}… and {more} more\n", bullet(markdown)),
    }
}
