//! What people added to a file that an import wrote: a further import keeps it, or says what it would lose.

use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;

use toml_edit::{DocumentMut, Item};

use super::comments::comments;
use super::corrected::{corrected, is_history, written};
use crate::model::{Field, Measurement};
use crate::reading::{FileKind, WrittenRow, canonical, check_measurements, table_file, toml_text};
use crate::values::EntityId;
use crate::values::text::{counted, some_of};

/// Fields that say what became of a number or what is odd about it. Where the import states none, what stands there is a
/// person's.
const REMARKS: &[Field] = &[Field::Standing, Field::StandingReason, Field::ReplacedBy, Field::Notes];

/// What the reader of a file of measurements knows at its top; an import writes the first two.
const WRITTEN: &[&str] = &["defaults", "table", "run"];

/// So many rows that would be lost are named of each file.
const MOST_NAMED: usize = 5;

/// A file with what was imported and what people had added to it.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub(super) struct MergedFile {
    /// Its text.
    pub text: String,
    /// Remarks, exceptions and comments that were kept.
    pub kept: usize,
    /// Rows whose label the source corrected.
    pub corrected: usize,
    /// Those of them that stay as superseded ones.
    pub superseded: usize,
    /// What would be lost, a line each.
    pub lost: Vec<String>,
}

/// Merges the rows of an import with the file that is there. `imported` is the text of the rows alone. Rows whose label the
/// source corrected stay as superseded ones where `supersedes` says so.
pub(super) fn merged(
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
        merged.lost.push("what stands there has mistakes, so that nobody can tell what was added".to_owned());
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

/// Adds remarks to the rows of the same identity; whether there were any.
fn keep_remarks(
    rows: &mut Vec<WrittenRow>,
    old: &[Measurement],
    new: &[Measurement],
    supersedes: bool,
    merged: &mut MergedFile,
) -> bool {
    let kept = merged.kept;
    let mut before: BTreeMap<&str, &Measurement> = old.iter().map(|row| (row.id(), row)).collect();
    for (row, now) in rows.iter_mut().zip(new) {
        let Some(then) = before.remove(now.id()) else { continue };
        for &field in REMARKS {
            match (then.text(field), now.text(field)) {
                (Some(remark), None) => {
                    row.set(field, toml_text(remark));
                    merged.kept += 1;
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
    rows.extend(history.into_iter().map(written));
    let added: Vec<&Measurement> = new.iter().filter(|row| !known.contains(row.id())).collect();
    let pairs = corrected(&gone, &added);
    let mut lost: BTreeMap<&str, ()> = gone.iter().map(|row| (row.id(), ())).collect();
    for pair in &pairs {
        lost.remove(pair.old.id());
        if supersedes {
            rows.push(pair.superseded());
            merged.superseded += 1;
        } else if merged.corrected < MOST_NAMED {
            merged.lost.push(format!("{} is now {}: {}", pair.old.id(), pair.new.id(), pair.told()));
        }
        merged.corrected += 1;
    }
    if !supersedes && pairs.len() > MOST_NAMED {
        merged.lost.push(format!("{} more whose label changed", pairs.len() - MOST_NAMED));
    }
    if !lost.is_empty() {
        // The row may be one that a person added to the file, or one whose batch size, say, a person corrected.
        let ids: Vec<&str> = lost.keys().copied().collect();
        let rows = counted(ids.len(), "row", "rows");
        merged.lost.push(format!("{rows} that the import has not: {}", some_of(&ids, MOST_NAMED)));
    }
    merged.kept > kept || rows.len() > new.len()
}

/// Adds the exceptions of the file; what else stands at its top would be lost.
fn keep_exceptions(document: &DocumentMut, kind: &FileKind, merged: &mut MergedFile) {
    for (key, item) in document.iter().filter(|(key, _)| !WRITTEN.contains(key)) {
        let kept = match (key, item, merged.text.parse::<DocumentMut>()) {
            ("exceptions", Item::ArrayOfTables(exceptions), Ok(mut written)) => {
                merged.kept += exceptions.len();
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

/// Puts the comments at the head of the file there again; others would be lost, unless they came with what was kept.
fn keep_comments(before: &str, merged: &mut MergedFile) {
    let mut head = String::new();
    let mut in_head = true;
    let written = comments(&merged.text).into_iter().map(|(_, comment)| comment.to_owned()).collect::<Vec<_>>();
    for (line, comment) in comments(before) {
        in_head &= before.lines().take(line).all(|line| line.trim().is_empty() || line.trim_start().starts_with('#'));
        if in_head {
            head.push_str(&format!("{}\n", comment.trim_end()));
            merged.kept += 1;
        } else if !written.iter().any(|kept| kept == comment) {
            merged.lost.push(format!("line {line}: {}", comment.trim_end()));
        }
    }
    if !head.is_empty() {
        merged.text = format!("{head}\n{}", merged.text);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
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
        merged(before, &rows, &text, &source(), false)
    }

    const ADDED: &str = "# Read by two people.\n\n[defaults]\nstage = \"eval\"\n\n[[table]]\n\
        columns = [\"batch-size\", \"standing\", \"standing-reason\", \"notes\", \"latency-ms\"]\nrows = [\n  \
        [1, \"disputed\", \"another card\", \"\", 2.50],\n  [2, \"\", \"\", \"by hand: # is no comment here\", 3.50],\n]\n\n\
        [[exceptions]]\nrule = \"DL0405\"\nreason = \"the whole machine\"  # he said\n";

    #[test]
    fn what_people_added_is_kept_while_values_change() {
        let merged = again(ADDED, &["2.60", "3.50"]);
        assert_eq!((merged.text.as_str(), &*merged.lost), (&*ADDED.replace("2.50", "2.60"), &[][..]));
        assert_eq!(merged.kept, 5, "three remarks, an exception and a comment");
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
}
