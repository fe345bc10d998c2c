//! What was measured at one size, as it is kept between measuring and writing.

use serde::{Deserialize, Serialize};

use super::Outcome;
use super::tools::{Place, bench_folder};

/// Everything measured at one size.
#[derive(Debug, Serialize, Deserialize)]
pub struct Results {
    pub rows: usize,
    pub files: usize,
    pub toml_bytes: u64,
    pub machine: super::machine::Machine,
    pub index: Index,
    /// A process of dlbench that does nothing but start and end, ms.
    pub start_ms: Times,
    /// Median and least time to open the unchanged knowledge base, ms, in this process: the refresh check and opening.
    pub open_ms: Times,
    /// Of that the walk over the files, ms.
    pub walk_ms: Times,
    pub rounds: usize,
    /// `None` where they did not take part.
    pub rivals: Option<Rivals>,
    pub questions: Vec<Question>,
}

/// What building dlbench's stores took.
#[derive(Debug, Serialize, Deserialize)]
pub struct Index {
    pub seconds: f64,
    pub peak_bytes: u64,
    pub disk_bytes: u64,
}

/// What the rivals' preparation took.
#[derive(Debug, Serialize, Deserialize)]
pub struct Rivals {
    pub csv_s: f64,
    pub sqlite_s: f64,
    pub parquet_s: f64,
    pub csv_bytes: u64,
    pub sqlite_bytes: u64,
    pub parquet_bytes: u64,
}

/// A question and what each tool took, in the order of `Tool::ALL`.
#[derive(Debug, Serialize, Deserialize)]
pub struct Question {
    pub ask: String,
    pub selective: bool,
    pub hits: u64,
    pub sqlite_form: String,
    pub duckdb_form: String,
    pub tools: Vec<Measured>,
}

/// What one tool took for one question.
#[derive(Debug, Serialize, Deserialize)]
pub struct Measured {
    pub tool: String,
    pub ms: Times,
    pub peak_bytes: u64,
    /// Why its time does not count: its answer is another one.
    pub wrong: Option<String>,
}

/// Times of the same thing.
#[derive(Debug, Clone, Copy, Default, Serialize, Deserialize)]
pub struct Times {
    pub least: f64,
    pub median: f64,
}

impl Times {
    /// Of some times in milliseconds; nothing of none.
    pub fn of(mut times: Vec<f64>) -> Self {
        times.sort_by(f64::total_cmp);
        match times.len() {
            0 => Self::default(),
            count => Self { least: times[0], median: (times[(count - 1) / 2] + times[count / 2]) / 2.0 },
        }
    }
}

/// All results that are there, the smallest size first.
pub fn all() -> Outcome<Vec<Results>> {
    let mut found: Vec<Results> = Vec::new();
    for entry in std::fs::read_dir(bench_folder())? {
        let Ok(size) = entry?.file_name().to_string_lossy().parse::<usize>() else { continue };
        if let Ok(text) = std::fs::read(Place::of(size).results()) {
            found.push(serde_json::from_slice(&text)?);
        }
    }
    found.sort_by_key(|results| results.rows);
    Ok(found)
}
