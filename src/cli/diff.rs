//! `dlbench diff`: the changes between two revisions, in words and numbers.

use std::collections::BTreeMap;

use clap::{Args, ValueEnum};

use super::failure::Failure;
use super::global::{Global, Outcome};
use super::screen::Screen;
use dlbench::ask::diff::{
    ChangeKind, Changes, FactChange, FieldValues, ImportedFile, MAX_LISTED_MEASUREMENTS, MeasurementChange,
    NotableValue,
};
use dlbench::render;
use dlbench::render::table::markdown_escaped;
use dlbench::values::text::{counted, printable};

#[derive(Debug, Args)]
pub(super) struct DiffArgs {
    /// The old revision: HEAD, main, a commit
    #[arg(value_name = "REV")]
    from: String,
    /// The new revision [default: the working tree]
    #[arg(value_name = "REV")]
    to: Option<String>,
    /// Output format
    #[arg(short, long, value_enum, default_value = "text")]
    format: DiffFormat,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
enum DiffFormat {
    /// Text for a terminal
    Text,
    /// For a pull request comment
    Markdown,
    /// One JSON object
    Json,
}

/// Maximum number of changes of a kind to list; further changes are only counted.
const MOST_LISTED: usize = 40;

pub(super) fn run(args: &DiffArgs, global: &Global, screen: &Screen) -> Result<Outcome, Failure> {
    let changes = global.files()?.changes(&args.from, args.to.as_deref())?;
    let text = match args.format {
        DiffFormat::Json => render::json(&changes)?,
        DiffFormat::Text => changes_text(&changes, false),
        DiffFormat::Markdown => changes_text(&changes, true),
    };
    screen.print(&text)?;
    let none = changes.entities.is_empty() && changes.measurements.is_empty();
    Ok(if none { Outcome::NothingFound } else { Outcome::Done })
}

fn changes_text(changes: &Changes, markdown: bool) -> String {
    let mut text = String::new();
    if changes.entities.is_empty() && changes.measurements.is_empty() {
        return "No entity and no measurement changed.\n".to_owned();
    }
    let heading = |line: String| if markdown { format!("### {line}\n\n") } else { format!("{line}\n") };
    if !changes.entities.is_empty() {
        text.push_str(&heading(counts("entity", "entities", changes.entities.iter().map(|change| change.change))));
        for change in changes.entities.iter().take(MOST_LISTED) {
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
        let lines = measurements(changes, markdown);
        for line in lines.iter().take(MOST_LISTED) {
            text.push_str(&format!("{}{line}\n", bullet(markdown)));
        }
        text.push_str(&more(lines.len(), markdown));
    }
    text.truncate(text.trim_end().len());
    text.push('\n');
    text
}

/// A line for each measurement, changed ones first, because a review must look at them. Many removed ones of one
/// source, and many added ones of one file, are summarised.
fn measurements(changes: &Changes, markdown: bool) -> Vec<String> {
    let mut lines = Vec::new();
    for kind in [ChangeKind::Changed, ChangeKind::Removed, ChangeKind::Added] {
        let mut by_place: BTreeMap<&str, Vec<&MeasurementChange>> = BTreeMap::new();
        for change in changes.measurements.iter().filter(|change| change.change == kind) {
            let place = if kind == ChangeKind::Added { &change.file } else { &change.source };
            by_place.entry(place).or_default().push(change);
        }
        for (place, of_place) in by_place {
            let import = changes.imports.iter().find(|import| import.path == place);
            if let (ChangeKind::Added, Some(import)) = (kind, import) {
                lines.push(imported(import, markdown));
            } else if kind == ChangeKind::Removed && of_place.len() > MAX_LISTED_MEASUREMENTS {
                let (count, source) = (of_place.len(), quoted(place, markdown));
                let first = plain(&of_place[0].what, markdown);
                lines.push(format!("{} {count} measurements of {source}, such as {first}", mark(kind)));
            } else {
                lines.extend(of_place.into_iter().map(|change| {
                    let (id, what) = (quoted(&change.id, markdown), plain(&change.what, markdown));
                    format!("{} {id} {what}: {}", mark(kind), facts(&change.facts, kind, markdown))
                }));
            }
        }
    }
    lines
}

/// Summarises the new measurements of a file: common fields, value ranges and outliers.
fn imported(import: &ImportedFile, markdown: bool) -> String {
    let path = quoted(&import.path, markdown);
    let example = plain(&import.example, markdown);
    let mut lines = vec![format!("added {} measurements in {path}, such as {example}", import.added)];
    let fields: Vec<String> = import.fields.iter().map(|field| values(field, import.added, markdown)).collect();
    lines.push(fields.join("; "));
    for metric in &import.metrics {
        let at = |value: &NotableValue| format!("{} ({})", value.value, plain(&value.what, markdown));
        let rows = if metric.rows < import.added { format!(" in {} rows", metric.rows) } else { String::new() };
        lines.push(format!(
            "{}{rows}: {} to {}, median {}",
            metric.metric,
            at(&metric.lowest),
            at(&metric.highest),
            metric.median
        ));
        for outlier in metric.outliers.iter().take(MOST_OUTLIERS) {
            lines.push(format!(
                "far from all others: {} {} {}",
                metric.metric,
                quoted(&outlier.id, markdown),
                at(outlier)
            ));
        }
    }
    lines.join(&format!("\n  {}", bullet(markdown)))
}

/// Maximum number of outliers to list for a metric.
const MOST_OUTLIERS: usize = 5;

/// `precision fp16 (300), fp32 (20), not stated (4)`.
fn values(field: &FieldValues, rows: usize, markdown: bool) -> String {
    const MOST: usize = 8;
    let name =
        |value: &Option<String>| value.as_deref().map_or("not stated".to_owned(), |value| plain(value, markdown));
    let each: Vec<String> = match field.values.as_slice() {
        [(value, _)] => vec![name(value)],
        several => several.iter().take(MOST).map(|(value, rows)| format!("{} ({rows})", name(value))).collect(),
    };
    let told: usize = field.values.iter().take(MOST).map(|(_, rows)| rows).sum();
    let more = if told < rows { format!(", others ({})", rows - told) } else { String::new() };
    format!("{} {}{more}", field.field, each.join(", "))
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

/// The text on one line, escaped so that a page shows it literally.
fn plain(text: &str, markdown: bool) -> String {
    let text = printable(text).replace('\n', " ");
    if markdown { markdown_escaped(&text) } else { text }
}

fn facts(facts: &[FactChange], change: ChangeKind, markdown: bool) -> String {
    // A new entity is reviewed in its file; all changes of an existing one are listed.
    const MOST: usize = 12;
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
    match count.saturating_sub(MOST_LISTED) {
        0 => String::new(),
        more => format!("{}… and {more} more\n", bullet(markdown)),
    }
}
