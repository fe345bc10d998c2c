//! Outcomes that took long, kept beside the stores that they follow from: the next process that asks the same reads them.

use std::fs;
use std::path::Path;
use std::time::{Duration, Instant};

use xxhash_rust::xxh3::{xxh3_64, xxh3_128};

use super::Outcome;
use crate::ask::parse::{Ask, QueryError, Question, print};
use crate::reading::write_whole;
use crate::stores::{Stores, create_private};

/// Another one for every change of the code that finds answers (`build.rs`).
const CODE: &str = env!("DLBENCH_ANSWERS");

/// What takes less is found again.
const WORTH_KEEPING: Duration = Duration::from_millis(20);

/// When there are so many, all of them go.
const MOST: usize = 2_000;

/// The outcome that was kept for a question, else what `find` finds.
///
/// # Errors
///
/// Those of `find`; what cannot be read or written is not kept.
pub(super) fn kept_or(
    stores: &Stores,
    question: &Question,
    find: impl FnOnce() -> Result<Outcome, QueryError>,
) -> Result<Outcome, QueryError> {
    let folder = match question.ask {
        Ask::Rank | Ask::Compare => stores.folder().map(|folder| folder.join("outcomes")),
        _ => None,
    };
    let Some(folder) = folder else { return find() };
    let asked = format!("{CODE} {}", print(question));
    let file = folder.join(format!("{:032x}", xxh3_128(asked.as_bytes())));
    if let Some(outcome) = read(&file) {
        return Ok(outcome);
    }
    let begun = Instant::now();
    let outcome = find()?;
    if begun.elapsed() > WORTH_KEEPING && outcome.relaxed.is_none() && !stores.are_touched() {
        keep(&folder, &file, &outcome);
    }
    Ok(outcome)
}

/// `None` where there is none, or it is damaged.
fn read(file: &Path) -> Option<Outcome> {
    let text = fs::read_to_string(file).ok()?;
    let (checksum, outcome) = text.split_once('\n')?;
    (checksum == checksum_of(outcome)).then(|| serde_json::from_str(outcome).ok()).flatten()
}

/// Not keeping it costs time, nothing else. An outcome with a remark that has no text form is not kept.
fn keep(folder: &Path, file: &Path, outcome: &Outcome) {
    let Ok(text) = serde_json::to_string(outcome) else { return };
    if fs::read_dir(folder).is_ok_and(|files| files.count() >= MOST) {
        let _ = fs::remove_dir_all(folder);
    }
    if create_private(folder).is_ok() {
        let _ = write_whole(file, format!("{}\n{text}", checksum_of(&text)));
    }
}

fn checksum_of(outcome: &str) -> String {
    format!("{:016x}", xxh3_64(outcome.as_bytes()))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::ask::execute::{Entry, EntryValue, Remark};

    #[test]
    fn what_was_kept_comes_back_as_it_was_and_what_is_damaged_does_not() {
        let folder = tempfile::tempdir().unwrap();
        let place = folder.path().join("outcomes");
        let file = place.join("one");
        let entry = Entry {
            quantity: "speed-up".to_owned(),
            value: Some(EntryValue::Number(0.1 + 0.2)),
            subjects: [("device".to_owned(), crate::model::Value::Text("nova".into()))].into(),
            by: Some("throughput-per-s".into()),
            is_decided: true,
            ..Entry::default()
        };
        let remarks = vec![Remark::HigherElsewhere { entry: Box::new(entry.clone()) }, Remark::OwnBest];
        let outcome = Outcome { ask: Ask::Rank, entries: vec![entry], remarks, rows: vec![7], ..Outcome::default() };
        keep(&place, &file, &outcome);
        assert_eq!(read(&file), Some(outcome));
        let text = fs::read_to_string(&file).unwrap();
        fs::write(&file, text.replace("nova", "core")).unwrap();
        assert_eq!(read(&file), None);
    }

    #[test]
    fn a_remark_without_a_text_form_is_not_kept() {
        let folder = tempfile::tempdir().unwrap();
        let file = folder.path().join("one");
        let remarks = vec![Remark::NoRow { side: crate::ask::parse::Filter::default(), alone: 0 }];
        keep(folder.path(), &file, &Outcome { remarks, ..Outcome::default() });
        assert!(!file.exists());
    }
}
