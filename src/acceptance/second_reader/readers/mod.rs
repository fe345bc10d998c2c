//! Shared by all readers: the meaning of a row, and the comparison of the knowledge base with a reader's results.

mod ai_hub;
mod cloud;
mod dawnbench;
mod deepbench;
mod gpu_tables;
mod hailo;
mod language_models;
mod mlperf;
mod mlperf_rounds;
mod mlperf_summaries;
mod mlperf_training;
mod ncnn;
mod nvidia_dle;
mod nvidia_dle_figure;
mod pages;
mod vitis_ai;

use std::cell::RefCell;
use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write as _;
use std::fs;
use std::io::Write as _;
use std::path::{Path, PathBuf};
use std::rc::Rc;

use regex::Regex;

use crate::{CORRECTED, CORRECTED_LABELS, Row, rows_of};

/// Root of the repository, whose knowledge base is compared.
const REPOSITORY: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../../..");

/// The folder of source files: `DLBENCH_SOURCES`, or `shared/sources` beside the repository.
fn sources_folder() -> PathBuf {
    let named = std::env::var_os("DLBENCH_SOURCES").map(PathBuf::from);
    named.unwrap_or_else(|| Path::new(REPOSITORY).join("../shared/sources"))
}

/// The meaning of a row: the compared fields by key; a field that the source does not state is absent.
type Meaning = BTreeMap<&'static str, String>;

/// Builds a meaning from the fields that are not empty.
fn meaning<const N: usize>(fields: [(&'static str, &str); N]) -> Meaning {
    fields.into_iter().filter(|(_, value)| !value.is_empty()).map(|(key, value)| (key, value.to_owned())).collect()
}

/// Fields that are compared for every source.
const OF_EVERY_SOURCE: [&str; 8] =
    ["device", "device-count", "network", "stage", "precision", "batch-size", "framework", "statistic"];

/// A source with a second reader.
struct Source {
    /// Source id.
    id: &'static str,
    /// Name of the folder with its files.
    folder: &'static str,
    /// Fields compared in addition to those of every source.
    also: &'static [&'static str],
}

impl Source {
    /// All compared fields.
    fn fields(&self) -> impl Iterator<Item = &'static str> {
        OF_EVERY_SOURCE.into_iter().chain(self.also.iter().copied())
    }

    /// Asserts that the knowledge base has the same meanings, equally often, as `read` finds in the files of the source.
    fn assert_matches(&self, read: impl Fn(&Path) -> Vec<Meaning>) {
        let kept: Vec<Fields> = recorded_rows(self.id).iter().map(|row| self.of_row(row)).collect();
        if let Some(folder) = folder(self.folder) {
            let said: Vec<Fields> = read(&folder).iter().map(|meaning| self.of_meaning(meaning)).collect();
            self.compare(&kept, &said);
        }
        insta::assert_snapshot!(self.id, self.digest(&kept));
    }

    fn of_row(&self, row: &Row) -> Fields {
        self.fields().map(|field| text(row, field).map(|text| canonical(&text)).unwrap_or_default()).collect()
    }

    fn of_meaning(&self, meaning: &Meaning) -> Fields {
        for key in meaning.keys() {
            assert!(
                self.fields().any(|field| field == *key),
                "{}: `{key}` is not among the fields that are compared",
                self.id
            );
        }
        self.fields().map(|field| meaning.get(field).map(|text| canonical(text)).unwrap_or_default()).collect()
    }

    /// Asserts that both lists contain the same rows equally often.
    fn compare(&self, kept: &[Fields], said: &[Fields]) {
        let (mut only_kept, mut only_said) = (beyond(kept, said), beyond(said, kept));
        let labels: Vec<bool> = self.fields().map(|field| CORRECTED_LABELS.contains(&field)).collect();
        let uncorrected = |row: &&Fields| -> Fields {
            row.iter().zip(&labels).filter(|(_, is_label)| !**is_label).map(|(value, _)| value.clone()).collect()
        };
        let [own, other] = [&only_kept, &only_said].map(|rows| rows.iter().map(uncorrected).collect::<Vec<_>>());
        if CORRECTED.contains(&self.id) && beyond(&own, &other).is_empty() && beyond(&other, &own).is_empty() {
            (only_kept, only_said) = (Vec::new(), Vec::new());
        }
        let mut told = String::new();
        for fields in only_kept.iter().take(20) {
            let nearest = only_said.iter().min_by_key(|other| differing(fields, other).count());
            writeln!(told, "{}", self.difference(fields, nearest.copied())).expect("a text takes all");
        }
        for fields in only_said.iter().take(if only_kept.is_empty() { 20 } else { 0 }) {
            writeln!(told, "not kept: {}", fields.join(" | ")).expect("a text takes all");
        }
        let (kept_only, said_only) = (only_kept.len(), only_said.len());
        assert!(
            only_kept.is_empty() && only_said.is_empty(),
            "{}: {kept_only} rows mean what the source does not say, {said_only} of the source are not kept:\n{told}",
            self.id
        );
        println!("{}: {} rows compared in {} fields", self.id, kept.len(), self.fields().count());
    }

    fn difference(&self, kept: &Fields, said: Option<&Fields>) -> String {
        let Some(said) = said else { return format!("not in the source: {}", kept.join(" | ")) };
        let fields: Vec<&str> = self.fields().collect();
        let told = differing(kept, said).map(|at| format!("{} {:?}, said {:?}", fields[at], kept[at], said[at]));
        format!("{}: {}", kept.join(" | "), told.collect::<Vec<_>>().join("; "))
    }

    /// A summary: how many rows state each field, and the count of each value if there are few values.
    fn digest(&self, rows: &[Fields]) -> String {
        let mut digest = format!("{} rows\n", rows.len());
        for (at, field) in self.fields().enumerate() {
            let mut counts: BTreeMap<&str, usize> = BTreeMap::new();
            for row in rows.iter().filter(|row| !row[at].is_empty()) {
                *counts.entry(&row[at]).or_default() += 1;
            }
            let stated: usize = counts.values().sum();
            write!(digest, "{field}: {stated} state it, {} values", counts.len()).expect("a text takes all");
            if counts.len() <= 40 {
                let values = counts.iter().map(|(value, count)| format!("\n  {value} x{count}"));
                digest.extend(values);
            }
            digest.push('\n');
        }
        digest
    }
}

/// The first row of each setting, as the import keeps one of several equal runs; fields in `results` do not count as settings.
fn first_of_each(rows: impl IntoIterator<Item = Meaning>, results: &[&str]) -> Vec<Meaning> {
    let mut seen = BTreeSet::new();
    let is_first = |row: &Meaning| {
        let settings = row.iter().filter(|(key, _)| !results.contains(key));
        seen.insert(settings.map(|(key, value)| (*key, value.clone())).collect::<Vec<_>>())
    };
    rows.into_iter().filter(is_first).collect()
}

/// The values of a row in the order of the fields; empty where the row states nothing.
type Fields = Vec<String>;

/// The rows that occur more often in `these` than in `those`, once for each extra occurrence.
fn beyond<'f>(these: &'f [Fields], those: &[Fields]) -> Vec<&'f Fields> {
    let mut left: BTreeMap<&Fields, usize> = BTreeMap::new();
    for fields in those {
        *left.entry(fields).or_default() += 1;
    }
    let mut more = Vec::new();
    for fields in these {
        match left.get_mut(fields) {
            Some(count) if *count > 0 => *count -= 1,
            _ => more.push(fields),
        }
    }
    more
}

/// The positions at which two rows differ.
fn differing(these: &Fields, those: &Fields) -> impl Iterator<Item = usize> {
    these
        .iter()
        .zip(those)
        .enumerate()
        .filter(|(_, (one, other))| one != other)
        .map(|(at, _)| at)
        .collect::<Vec<_>>()
        .into_iter()
}

/// Normalises a value for comparison: a number is rounded to ten digits, without trailing zeros.
fn canonical(text: &str) -> String {
    text.parse::<f64>().map_or_else(|_| text.to_owned(), |number| number_of(format!("{number:.9e}")))
}

/// Prints a number of ten digits without trailing zeros.
fn number_of(ten_digits: String) -> String {
    ten_digits.parse::<f64>().map_or(ten_digits, |number| number.to_string())
}

thread_local! {
    static PATTERNS: RefCell<BTreeMap<String, Rc<Regex>>> = const { RefCell::new(BTreeMap::new()) };
}

/// Compiles a pattern, once per text.
fn pattern(text: &str) -> Rc<Regex> {
    PATTERNS.with_borrow_mut(|patterns| {
        let new = || Rc::new(Regex::new(text).expect("a pattern"));
        patterns.entry(text.to_owned()).or_insert_with(new).clone()
    })
}

/// The entry of the first pattern that matches the spelling, with the captured groups inserted, in lower case.
fn entry(table: &[(&str, &str)], spelling: &str) -> Option<String> {
    table.iter().find_map(|(pattern, id)| {
        let mut text = String::new();
        self::pattern(pattern).captures(spelling)?.expand(id, &mut text);
        Some(text.to_lowercase())
    })
}

/// The folder of a source; prints a warning and returns `None` if it does not exist.
fn folder(name: &str) -> Option<PathBuf> {
    let folder = sources_folder().join(name);
    if !folder.is_dir() {
        // Not with a print macro, because the output of a passing test is not shown.
        let told = writeln!(std::io::stderr(), "*** NOT COMPARED with its source: {} is not there", folder.display());
        told.expect("the standard error can be written");
    }
    folder.is_dir().then_some(folder)
}

/// The knowledge base's rows from a source.
fn recorded_rows(source: &str) -> Vec<Row> {
    recorded_rows_by_file(source).into_iter().map(|(_, row)| row).collect()
}

/// The knowledge base's rows from a source, each with the stem of its file's name.
fn recorded_rows_by_file(source: &str) -> Vec<(String, Row)> {
    let folder = Path::new(REPOSITORY).join("measurements").join(source);
    let mut rows = Vec::new();
    for path in files_below(&folder, "toml") {
        let name = names(&path).1.trim_end_matches(".toml").to_owned();
        let file = read_text(&path).parse().expect("a measurement file is TOML");
        rows.extend(rows_of(&file).into_iter().map(|row| (name.clone(), row)));
    }
    rows
}

/// The files below a folder with this extension, sorted.
fn files_below(folder: &Path, ending: &str) -> Vec<PathBuf> {
    let mut found = BTreeSet::new();
    for entry in fs::read_dir(folder).expect("a folder") {
        let path = entry.expect("an entry").path();
        if path.is_dir() {
            found.extend(files_below(&path, ending));
        } else if path.extension().is_some_and(|extension| extension == ending) {
            found.insert(path);
        }
    }
    found.into_iter().collect()
}

/// Reads a file of a source, without the byte order mark.
fn read_text(path: &Path) -> String {
    let text = fs::read_to_string(path).unwrap_or_else(|error| panic!("{}: {error}", path.display()));
    text.trim_start_matches('\u{feff}').to_owned()
}

/// The last two components of a path: the name of the folder and of the file.
fn names(path: &Path) -> (String, String) {
    let name = |path: &Path| path.file_name().map(|name| name.to_string_lossy().into_owned()).unwrap_or_default();
    (path.parent().map(name).unwrap_or_default(), name(path))
}

/// The records of a CSV file, keyed by column name.
fn csv_records(path: &Path) -> Vec<BTreeMap<String, String>> {
    let text = read_text(path);
    let mut reader = csv::ReaderBuilder::new().flexible(true).from_reader(text.as_bytes());
    let header = reader.headers().expect("a header").clone();
    let named = |record: csv::StringRecord| {
        header.iter().zip(record.iter()).map(|(name, value)| (name.to_owned(), value.trim().to_owned())).collect()
    };
    reader.records().map(|record| named(record.expect("a record"))).collect()
}

/// A field of a row as text.
fn text(row: &Row, key: &str) -> Option<String> {
    match row.get(key)? {
        toml::Value::String(text) => Some(text.clone()),
        toml::Value::Float(number) => Some(number.to_string()),
        other => Some(other.to_string()),
    }
}
