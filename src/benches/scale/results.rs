//! Benchmark results, and the comparison of the tools' answers.

use std::collections::{BTreeMap, BTreeSet};
use std::process::Command;

use serde::{Deserialize, Serialize};
use serde_json::Value;

use super::Outcome;
use super::tools::{SizeFolder, bench_folder};

/// All results at one size.
#[derive(Debug, Serialize, Deserialize)]
pub struct Results {
    pub rows: usize,
    pub files: usize,
    pub toml_bytes: u64,
    pub machine: super::tools::Machine,
    pub index: Index,
    /// Time of a dlbench process that only starts and exits, in ms.
    pub start_ms: Times,
    /// Time to open the unchanged knowledge base in this process, in ms, including the check for changed files.
    pub open_ms: Times,
    /// The part of that time for listing the files, in ms.
    pub walk_ms: Times,
    pub rounds: usize,
    /// `None` if the rivals did not take part.
    pub rivals: Option<Rivals>,
    pub questions: Vec<Question>,
}

/// Resources used for building dlbench's stores.
#[derive(Debug, Serialize, Deserialize)]
pub struct Index {
    pub seconds: f64,
    pub peak_bytes: u64,
    pub disk_bytes: u64,
}

/// Time and size of the rivals' data.
#[derive(Debug, Serialize, Deserialize)]
pub struct Rivals {
    pub csv_s: f64,
    pub sqlite_s: f64,
    pub parquet_s: f64,
    pub csv_bytes: u64,
    pub sqlite_bytes: u64,
    pub parquet_bytes: u64,
}

/// A question and the measurement of each tool, in the order of `Tool::ALL`.
#[derive(Debug, Serialize, Deserialize)]
pub struct Question {
    pub ask: String,
    pub selective: bool,
    pub hits: u64,
    pub sqlite_form: String,
    pub duckdb_form: String,
    pub tools: Vec<Measured>,
}

/// A tool's resources for one question.
#[derive(Debug, Serialize, Deserialize)]
pub struct Measured {
    pub tool: String,
    pub ms: Times,
    pub peak_bytes: u64,
    /// If set, the tool's answer differs, so its time does not count; the text says how.
    pub wrong: Option<String>,
}

/// Minimum and median of repeated timings.
#[derive(Debug, Clone, Copy, Default, Serialize, Deserialize)]
pub struct Times {
    pub least: f64,
    pub median: f64,
}

impl Times {
    /// Summarises times in milliseconds; zeros if there are none.
    pub fn of(mut times: Vec<f64>) -> Self {
        times.sort_by(f64::total_cmp);
        match times.len() {
            0 => Self::default(),
            count => Self { least: times[0], median: (times[(count - 1) / 2] + times[count / 2]) / 2.0 },
        }
    }
}

/// All existing results, smallest size first.
pub fn all() -> Outcome<Vec<Results>> {
    let mut found: Vec<Results> = Vec::new();
    for entry in std::fs::read_dir(bench_folder())? {
        let Ok(size) = entry?.file_name().to_string_lossy().parse::<usize>() else { continue };
        if let Ok(text) = std::fs::read(SizeFolder::of(size).results()) {
            found.push(serde_json::from_slice(&text)?);
        }
    }
    found.sort_by_key(|results| results.rows);
    Ok(found)
}

/// The fields whose values every tool counts.
const FACETS: &[&str] = &["source", "framework", "device", "network", "stage", "precision"];

/// The part of an answer that all tools provide.
#[derive(Debug, Default, PartialEq)]
pub struct Answer {
    pub total: u64,
    /// Ids and values of the best rows, best first.
    rows: Vec<(String, Option<f64>)>,
    /// Number of hits for each value of each facet.
    facets: BTreeMap<(String, String), u64>,
}

impl Answer {
    /// Runs dlbench and parses its answer.
    pub fn of_dlbench(place: &SizeFolder, ask: &str, sort: &str) -> Outcome<Self> {
        let mut command = place.dlbench(&["query", "--facets", "-f", "json", "--limit", "20", "--", ask]);
        let answer: Value = serde_json::from_slice(&command.output()?.stdout)?;
        let total = answer["total"].as_u64().ok_or("an answer has a total")?;
        let measurements = answer["measurements"].as_array().ok_or("an answer has measurements")?;
        let rows = measurements.iter().map(|row| {
            let id = row["id"].as_str().unwrap_or_default().to_owned();
            (id, row["metrics"][sort].as_f64())
        });
        let mut facets = BTreeMap::new();
        for facet in answer["facets"].as_array().into_iter().flatten() {
            let name = facet["field"].as_str().unwrap_or_default();
            for value in facet["values"].as_array().into_iter().flatten().filter(|_| FACETS.contains(&name)) {
                let text = value["value"].as_str().unwrap_or_default().to_owned();
                facets.insert((name.to_owned(), text), value["count"].as_u64().unwrap_or_default());
            }
        }
        Ok(Self { total, rows: rows.collect(), facets })
    }

    /// Parses a rival's answer: lines of `total`, `row` and `facet`.
    pub fn of_rival(command: &mut Command) -> Outcome<Self> {
        let output = command.output()?;
        if !output.status.success() {
            return Err(format!("{command:?}: {}", String::from_utf8_lossy(&output.stderr)).into());
        }
        let mut answer = Self::default();
        for line in String::from_utf8(output.stdout)?.lines() {
            let cells: Vec<&str> = line.split('\t').collect();
            match cells.as_slice() {
                ["total", _, _, count, ..] => answer.total = count.parse()?,
                ["row", id, value, ..] => answer.rows.push(((*id).to_owned(), value.parse().ok())),
                // An empty value means that the field is not stated.
                ["facet", _, "", ..] => {}
                ["facet", name, value, count, ..] => {
                    answer.facets.insert(((*name).to_owned(), (*value).to_owned()), count.parse()?);
                }
                _ => return Err(format!("{command:?} said {line:?}").into()),
            }
        }
        Ok(answer)
    }

    /// How `other` differs from this correct answer. Among rows with the same value as the last row, any may be listed.
    pub fn objection(&self, other: &Self) -> Option<String> {
        if self.total != other.total {
            return Some(format!("it counts {} rather than {}", other.total, self.total));
        }
        let values = |answer: &Self| answer.rows.iter().map(|(_, value)| *value).collect::<Vec<_>>();
        if values(self) != values(other) {
            return Some("its best rows have other values".to_owned());
        }
        let last = self.rows.last().and_then(|(_, value)| *value);
        let sure = |answer: &Self| -> BTreeSet<String> {
            answer.rows.iter().filter(|(_, value)| *value != last).map(|(id, _)| id.clone()).collect()
        };
        if sure(self) != sure(other) {
            return Some("its best rows are other ones".to_owned());
        }
        let differs = |key: &&(String, String)| self.facets.get(*key) != other.facets.get(*key);
        let differing = self.facets.keys().chain(other.facets.keys()).find(differs);
        differing.map(|key| {
            let (own, others) = (self.facets.get(key), other.facets.get(key));
            format!("of {} {:?} it counts {others:?} rather than {own:?}", key.0, key.1)
        })
    }
}
