//! Preserves what people added to an imported file when it is imported again; pairs old rows with rows whose label was corrected.

use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;

use toml_edit::{DocumentMut, Item};

use crate::model::{Field, Measurement, Value};
use crate::reading::{
    FileKind, WrittenRow, canonical, check_measurements, table_file, toml_literal, toml_one_line, toml_text,
};
use crate::values::text::{counted, some_of};
use crate::values::{EntityId, Standing};

/// Fields that tell the standing of a number or what is odd about it. Where the import states none, a person wrote the
/// value in the file.
const REMARKS: &[Field] = &[Field::Standing, Field::StandingReason, Field::ReplacedBy, Field::Notes];

/// The top-level keys that an import writes; everything else at the top of a file was added by a person.
const WRITTEN: &[&str] = &["defaults", "table", "run"];

/// Maximum number of lost rows to list per file.
const MOST_NAMED: usize = 5;

/// An imported file merged with what people had added to it.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub(super) struct MergedFile {
    /// Its text.
    pub text: String,
    /// Number of remarks, exceptions and comments preserved.
    pub preserved: usize,
    /// Number of rows whose label the source corrected.
    pub corrected: usize,
    /// Number of those rows that stay, marked as superseded.
    pub superseded: usize,
    /// What would be lost, one line each.
    pub lost: Vec<String>,
}

/// Merges imported rows with the existing file. `imported` is the text of the rows alone. With `supersedes`, rows whose
/// label the source corrected stay, marked as superseded.
pub(super) fn merge(
    before: &str,
    rows: &[WrittenRow],
    imported: &str,
    source: &EntityId,
    supersedes: bool,
) -> MergedFile {
    let mut merged = MergedFile { text: imported.to_owned(), ..MergedFile::default() };
    if before.is_empty() || before == imported {
        return merged;
    }
    let read = |text: &str| check_measurements(Path::new("before.toml"), text, source);
    let (Ok(document), Ok(old), Ok(new)) = (before.parse::<DocumentMut>(), read(before), read(imported)) else {
        merged.lost.push("the existing file has mistakes, so manual additions cannot be recognised".to_owned());
        return merged;
    };
    let kind = FileKind::Measurements(source.clone());
    let mut rows = rows.to_vec();
    if keep_remarks(&mut rows, &old, &new, supersedes, &mut merged) {
        merged.text = table_file(&rows, &kind);
    }
    keep_exceptions(&document, &kind, &mut merged);
    keep_comments(before, &mut merged);
    merged
}

/// Copies remarks to the rows with the same identity. Returns whether anything was added to `rows`.
fn keep_remarks(
    rows: &mut Vec<WrittenRow>,
    old: &[Measurement],
    new: &[Measurement],
    supersedes: bool,
    merged: &mut MergedFile,
) -> bool {
    let kept = merged.preserved;
    let mut before: BTreeMap<&str, &Measurement> = old.iter().map(|row| (row.id(), row)).collect();
    for (row, now) in rows.iter_mut().zip(new) {
        let Some(then) = before.remove(now.id()) else { continue };
        for &field in REMARKS {
            match (then.text(field), now.text(field)) {
                (Some(remark), None) => {
                    row.set(field, toml_text(remark));
                    merged.preserved += 1;
                }
                (Some(remark), Some(other)) if remark != other => {
                    merged.lost.push(format!("{}: {field} = {remark:?}; the import says {other:?}", now.id()));
                }
                _ => {}
            }
        }
    }
    let known: BTreeSet<&str> = old.iter().map(Measurement::id).collect();
    let all: BTreeSet<&str> = known.iter().copied().chain(new.iter().map(Measurement::id)).collect();
    let (history, gone): (Vec<_>, Vec<_>) =
        old.iter().filter(|row| before.contains_key(row.id())).partition(|row| is_history(row, &all));
    rows.extend(history.into_iter().map(written_row));
    let added: Vec<&Measurement> = new.iter().filter(|row| !known.contains(row.id())).collect();
    let pairs = corrected(&gone, &added);
    let mut lost: BTreeMap<&str, ()> = gone.iter().map(|row| (row.id(), ())).collect();
    for pair in &pairs {
        lost.remove(pair.old.id());
        if supersedes {
            rows.push(pair.superseded());
            merged.superseded += 1;
        } else if merged.corrected < MOST_NAMED {
            merged.lost.push(format!("{} is now {}: {}", pair.old.id(), pair.new.id(), pair.describe_changes()));
        }
        merged.corrected += 1;
    }
    if !supersedes && pairs.len() > MOST_NAMED {
        merged.lost.push(format!("{} more whose label changed", pairs.len() - MOST_NAMED));
    }
    if !lost.is_empty() {
        // A person may have added the row, or corrected a field of it such as the batch size.
        let ids: Vec<&str> = lost.keys().copied().collect();
        let rows = counted(ids.len(), "row", "rows");
        merged.lost.push(format!("{rows} that the import has not: {}", some_of(&ids, MOST_NAMED)));
    }
    merged.preserved > kept || rows.len() > new.len()
}

/// Copies the exceptions of the existing file; any other extra top-level key is reported as lost.
fn keep_exceptions(document: &DocumentMut, kind: &FileKind, merged: &mut MergedFile) {
    for (key, item) in document.iter().filter(|(key, _)| !WRITTEN.contains(key)) {
        let kept = match (key, item, merged.text.parse::<DocumentMut>()) {
            ("exceptions", Item::ArrayOfTables(exceptions), Ok(mut written)) => {
                merged.preserved += exceptions.len();
                written.insert(key, item.clone());
                canonical(&written.to_string(), kind)
            }
            _ => None,
        };
        match kept {
            Some(text) => merged.text = text,
            None => merged.lost.push(format!("`{key}`, which no import writes")),
        }
    }
}

/// Puts the comments at the head of the file back; any other comment counts as lost unless it came with preserved content.
fn keep_comments(before: &str, merged: &mut MergedFile) {
    let mut head = String::new();
    let mut in_head = true;
    let written = comments(&merged.text).into_iter().map(|(_, comment)| comment.to_owned()).collect::<Vec<_>>();
    for (line, comment) in comments(before) {
        in_head &= before.lines().take(line).all(|line| line.trim().is_empty() || line.trim_start().starts_with('#'));
        if in_head {
            head.push_str(&format!("{}\n", comment.trim_end()));
            merged.preserved += 1;
        } else if !written.iter().any(|kept| kept == comment) {
            merged.lost.push(format!("line {line}: {}", comment.trim_end()));
        }
    }
    if !head.is_empty() {
        merged.text = format!("{head}\n{}", merged.text);
    }
}

/// What surrounds a position in a TOML text.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Inside {
    /// Outside of strings.
    Plain,
    /// In a string with these quotes.
    Quoted(&'static str),
}

const QUOTES: &[&str] = &["\"\"\"", "'''", "\"", "'"];

/// Each comment from its `#` to the end of its line, with the number of the line.
pub(super) fn comments(text: &str) -> Vec<(usize, &str)> {
    let mut found = Vec::new();
    let mut inside = Inside::Plain;
    for (at, line) in text.lines().enumerate() {
        let mut rest = line;
        while let Some(c) = rest.chars().next() {
            let mut step = c.len_utf8();
            match inside {
                Inside::Plain if c == '#' => {
                    found.push((at + 1, rest));
                    break;
                }
                Inside::Plain => {
                    if let Some(quotes) = QUOTES.iter().find(|quotes| rest.starts_with(**quotes)) {
                        inside = Inside::Quoted(quotes);
                        step = quotes.len();
                    }
                }
                Inside::Quoted(quotes) if rest.starts_with(quotes) => {
                    inside = Inside::Plain;
                    step = quotes.len();
                }
                Inside::Quoted(quotes) if c == '\\' && quotes.starts_with('"') => {
                    step += rest[step..].chars().next().map_or(0, char::len_utf8);
                }
                Inside::Quoted(_) => {}
            }
            rest = &rest[step..];
        }
        if matches!(inside, Inside::Quoted(quotes) if quotes.len() == 1) {
            // A single-line string that does not end on its line is a mistake in the file.
            inside = Inside::Plain;
        }
    }
    found
}

/// An existing row, the imported row with the same values, and the fields in which they differ.
pub(super) struct Corrected<'m> {
    pub old: &'m Measurement,
    pub new: &'m Measurement,
    pub fields: Vec<Field>,
}

/// Maximum number of fields in which a corrected row may differ; a row that differs in more is another row.
const MOST_FIELDS: usize = 3;

/// Pairs removed rows with added rows that have the same values and nearly the same fields. Each added row is used
/// once; of equally near ones, the first.
pub(super) fn corrected<'m>(gone: &[&'m Measurement], added: &[&'m Measurement]) -> Vec<Corrected<'m>> {
    let mut free: Vec<&Measurement> = added.to_vec();
    let mut pairs = Vec::new();
    for old in gone {
        let near = free.iter().enumerate().filter_map(|(at, new)| {
            let fields = differing(old, new);
            let same = !old.metrics().is_empty() && old.metrics() == new.metrics();
            (same && (1..=MOST_FIELDS).contains(&fields.len())).then_some((fields.len(), at, fields))
        });
        if let Some((_, at, fields)) = near.min_by_key(|(count, at, _)| (*count, *at)) {
            pairs.push(Corrected { old, new: free.remove(at), fields });
        }
    }
    pairs
}

/// The fields in which two rows differ, ignoring source spellings and remarks.
fn differing(old: &Measurement, new: &Measurement) -> Vec<Field> {
    let is_said = |field: &Field| field.is_identity() || matches!(field, Field::Quantization);
    Field::of_files().filter(is_said).filter(|field| old.get(*field) != new.get(*field)).collect()
}

impl Corrected<'_> {
    /// Describes the change of each field: `precision was fp16 and is fp8`.
    pub fn describe_changes(&self) -> String {
        let shown = |row: &Measurement, field| row.get(field).map_or_else(|| "not stated".to_owned(), Value::to_string);
        let of = |field: &Field| {
            format!("{} was {} and is {}", field.key(), shown(self.old, *field), shown(self.new, *field))
        };
        self.fields.iter().map(of).collect::<Vec<_>>().join(", ")
    }

    /// The old row, marked as superseded by the new one.
    pub fn superseded(&self) -> WrittenRow {
        let mut row = written_row(self.old);
        row.set(Field::Standing, toml_text(Standing::Superseded.into()));
        row.set(Field::StandingReason, toml_text(&format!("the source corrected it: {}", self.describe_changes())));
        row.set(Field::ReplacedBy, toml_text(self.new.id()));
        row
    }
}

/// A measurement in the form in which files state it.
pub(super) fn written_row(measurement: &Measurement) -> WrittenRow {
    let mut row = WrittenRow::default();
    for (field, value) in measurement.fields().iter().filter(|(field, _)| !field.is_computed()) {
        let value = match value {
            Value::Text(text) => toml_one_line(text),
            number => toml_literal(&number.to_string()),
        };
        row.set(*field, value);
    }
    for (metric, value) in measurement.metrics() {
        row.set_metric(*metric, toml_literal(&value.to_string()));
    }
    row
}

/// Whether a row was superseded by an earlier import. Such rows are in no source; they stay while the row that replaces
/// them is in the file, whether that row was itself replaced or not.
pub(super) fn is_history(old: &Measurement, known: &BTreeSet<&str>) -> bool {
    let replaced_by = old.text(Field::ReplacedBy);
    old.standing() == Some(Standing::Superseded) && replaced_by.is_some_and(|id| known.contains(id))
}

#[cfg(test)]
mod tests {
    use super::{comments, *};
    use crate::model::Metric;
    use crate::reading::toml_literal;

    fn source() -> EntityId {
        "imagined-2018".parse().unwrap()
    }

    fn rows(latencies: &[&str]) -> (Vec<WrittenRow>, String) {
        let row = |(at, latency): (usize, &&str)| {
            let mut row = WrittenRow::default();
            row.set(Field::Stage, toml_text("eval"));
            row.set(Field::BatchSize, toml_literal(&(at + 1).to_string()));
            row.set_metric(Metric::LatencyMs, toml_literal(latency));
            row
        };
        let rows: Vec<WrittenRow> = latencies.iter().enumerate().map(row).collect();
        let text = table_file(&rows, &FileKind::Measurements(source()));
        (rows, text)
    }

    fn again(before: &str, latencies: &[&str]) -> MergedFile {
        let (rows, text) = rows(latencies);
        merge(before, &rows, &text, &source(), false)
    }

    const ADDED: &str = "# Read by two people.\n\n[defaults]\nstage = \"eval\"\n\n[[table]]\n\
        columns = [\"batch-size\", \"standing\", \"standing-reason\", \"notes\", \"latency-ms\"]\nrows = [\n  \
        [1, \"disputed\", \"another card\", \"\", 2.50],\n  [2, \"\", \"\", \"by hand: # is not a comment here\", 3.50],\n]\n\n\
        [[exceptions]]\nrule = \"DL0405\"\nreason = \"the whole machine\"  # he said\n";

    #[test]
    fn what_people_added_is_kept_while_values_change() {
        let merged = again(ADDED, &["2.60", "3.50"]);
        assert_eq!((merged.text.as_str(), &*merged.lost), (&*ADDED.replace("2.50", "2.60"), &[][..]));
        assert_eq!(merged.preserved, 5, "three remarks, an exception and a comment");
        assert_eq!(again(&merged.text, &["2.60", "3.50"]).text, merged.text, "and again");
    }

    #[test]
    fn what_cannot_be_kept_is_told() {
        let lost = |before: &str| again(before, &["2.50", "3.50"]).lost.join("\n");
        assert_eq!(lost(ADDED), "");
        let added = check_measurements(Path::new("a.toml"), ADDED, &source()).unwrap();
        let gone = again(ADDED, &["2.50"]).lost;
        assert_eq!(gone, [format!("1 row that the import has not: {}", added[1].id())], "a person may have added it");
        let (_, plain) = rows(&["2.50", "3.50"]);
        assert!(lost(&plain.replace("rows = [", "rows = [ # odd")).contains("line 6: # odd"), "{plain}");
        assert!(lost(&format!("{plain}\n[environment]\nos = \"x\"\n")).contains("`environment`"));
        assert!(lost("<<<<<<< ours\n").contains("has mistakes"));
        let retracted = ADDED.replace("[1, ", "[9, ");
        let told = "batch-size was 9 and is 1";
        assert!(lost(&retracted).contains(told), "{}", lost(&retracted));
    }

    #[test]
    fn a_sign_in_a_text_is_no_comment() {
        let text = "# one\na = \"# no\\\" # no\"  # two\nb = '''\n# no\n'''\nc = '\\' # three\nd = \"\"\"\\\"\"\" # no\n\"\"\"#four\n";
        assert_eq!(comments(text), [(1, "# one"), (2, "# two"), (6, "# three"), (8, "#four")]);
    }
}
