//! What the readers share: what a row means, and the comparison of the knowledge base with what a reader finds.

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

/// The repository, whose knowledge base is compared.
const REPOSITORY: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../../..");

/// Where the files of the sources lie: the folder that `DLBENCH_SOURCES` names, else `shared/sources` beside the repository.
fn sources_folder() -> PathBuf {
    let named = std::env::var_os("DLBENCH_SOURCES").map(PathBuf::from);
    named.unwrap_or_else(|| Path::new(REPOSITORY).join("../shared/sources"))
}

/// What a row means: the fields that are compared, by their keys; absent where the source says nothing.
type Meaning = BTreeMap<&'static str, String>;

/// A meaning of what is not empty.
fn meaning<const N: usize>(fields: [(&'static str, &str); N]) -> Meaning {
    fields.into_iter().filter(|(_, value)| !value.is_empty()).map(|(key, value)| (key, value.to_owned())).collect()
}

/// What of every row is compared, whatever its source.
const OF_EVERY_SOURCE: [&str; 8] =
    ["device", "device-count", "network", "stage", "precision", "batch-size", "framework", "statistic"];

/// A source that a second reader reads.
struct Source {
    /// Its id.
    id: &'static str,
    /// The folder of its files.
    folder: &'static str,
    /// What is compared beside the fields of every source.
    also: &'static [&'static str],
}

impl Source {
    /// The fields that are compared.
    fn fields(&self) -> impl Iterator<Item = &'static str> {
        OF_EVERY_SOURCE.into_iter().chain(self.also.iter().copied())
    }

    /// Compares the knowledge base with what `read` finds in the files of the source: as many rows of each meaning.
    fn holds(&self, read: impl Fn(&Path) -> Vec<Meaning>) {
        let kept: Vec<Fields> = kept(self.id).iter().map(|row| self.of_row(row)).collect();
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

    /// That both hold the same meanings equally often.
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

    /// How many rows state each field, and how often each value where there are few.
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

/// The first row of each setting: what sources measured twice, and nothing tells apart, is kept once. The `results` are no setting.
fn first_of_each(rows: impl IntoIterator<Item = Meaning>, results: &[&str]) -> Vec<Meaning> {
    let mut seen = BTreeSet::new();
    let is_first = |row: &Meaning| {
        let settings = row.iter().filter(|(key, _)| !results.contains(key));
        seen.insert(settings.map(|(key, value)| (*key, value.clone())).collect::<Vec<_>>())
    };
    rows.into_iter().filter(is_first).collect()
}

/// The values of a row in the order of the fields; empty where it says nothing.
type Fields = Vec<String>;

/// What `these` hold more often than `those`, once for each time.
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

/// The places in which two rows differ.
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

/// A value as it is compared: a number with ten digits, so that zeros at its end do not count.
fn canonical(text: &str) -> String {
    text.parse::<f64>().map_or_else(|_| text.to_owned(), |number| number_of(format!("{number:.9e}")))
}

/// A number as people write it, of ten digits.
fn number_of(ten_digits: String) -> String {
    ten_digits.parse::<f64>().map_or(ten_digits, |number| number.to_string())
}

thread_local! {
    static PATTERNS: RefCell<BTreeMap<String, Rc<Regex>>> = const { RefCell::new(BTreeMap::new()) };
}

/// A pattern; each is compiled once.
fn pattern(text: &str) -> Rc<Regex> {
    PATTERNS.with_borrow_mut(|patterns| {
        let new = || Rc::new(Regex::new(text).expect("a pattern"));
        patterns.entry(text.to_owned()).or_insert_with(new).clone()
    })
}

/// The entry for a spelling: that of the first pattern that matches it, with what the pattern's groups hold.
fn entry(table: &[(&str, &str)], spelling: &str) -> Option<String> {
    table.iter().find_map(|(pattern, id)| {
        let mut text = String::new();
        self::pattern(pattern).captures(spelling)?.expand(id, &mut text);
        Some(text.to_lowercase())
    })
}

/// The folder of a source, `None` with a word where the sources are not at hand.
fn folder(name: &str) -> Option<PathBuf> {
    let folder = sources_folder().join(name);
    if !folder.is_dir() {
        // Not by a macro: the output of a test that passes is not shown.
        let told = writeln!(std::io::stderr(), "*** NOT COMPARED with its source: {} is not there", folder.display());
        told.expect("the standard error can be written");
    }
    folder.is_dir().then_some(folder)
}

/// The rows of a source in the knowledge base.
fn kept(source: &str) -> Vec<Row> {
    kept_by_file(source).into_iter().map(|(_, row)| row).collect()
}

/// The rows of a source in the knowledge base, each with the name of its file.
fn kept_by_file(source: &str) -> Vec<(String, Row)> {
    let folder = Path::new(REPOSITORY).join("measurements").join(source);
    let mut rows = Vec::new();
    for path in files_below(&folder, "toml") {
        let name = names(&path).1.trim_end_matches(".toml").to_owned();
        let file = read_text(&path).parse().expect("a measurement file is TOML");
        rows.extend(rows_of(&file).into_iter().map(|row| (name.clone(), row)));
    }
    rows
}

/// The files below a folder that end so, in order.
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

/// The text of a file of a source.
fn read_text(path: &Path) -> String {
    let text = fs::read_to_string(path).unwrap_or_else(|error| panic!("{}: {error}", path.display()));
    text.trim_start_matches('\u{feff}').to_owned()
}

/// The last parts of a path: the folder's name and the file's.
fn names(path: &Path) -> (String, String) {
    let name = |path: &Path| path.file_name().map(|name| name.to_string_lossy().into_owned()).unwrap_or_default();
    (path.parent().map(name).unwrap_or_default(), name(path))
}

/// The records of a CSV file, each by the names of its columns.
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
