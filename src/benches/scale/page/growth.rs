//! What growing costs: the same things at each size.

use std::fmt::Write as _;

use super::super::results::{Results, Rivals, Times};
use super::promises::worst;
use super::{mib, ms, power, thousands};

type Figure = (&'static str, fn(&Results) -> String);

const FIGURES: &[Figure] = &[
    ("files of measurements", |result| thousands(result.files as u64)),
    ("their size [MiB]", |result| mib(result.toml_bytes)),
    ("building the index [s]", |result| format!("{:.2}", result.index.seconds)),
    ("… measurements a second", |result| thousands((result.rows as f64 / result.index.seconds) as u64)),
    ("… memory at the peak [MiB]", |result| mib(result.index.peak_bytes)),
    ("index on disk [MiB]", |result| mib(result.index.disk_bytes)),
    ("… bytes for a measurement", |result| format!("{:.0}", result.index.disk_bytes as f64 / result.rows as f64)),
    ("finding it unchanged and opening it [ms]", |result| ms(result.open_ms.median)),
    ("… the walk over the files alone [ms]", |result| ms(result.walk_ms.median)),
    ("starting and ending the program [ms]", |result| ms(result.start_ms.median)),
    ("a selective question, the median of ten [ms]", |result| ms(middle(result, true))),
    ("… the slowest [ms]", |result| ms(worst(result, true))),
    ("… memory at the peak [MiB]", |result| mib(peak(result, true))),
    ("a broad question, the median of ten [ms]", |result| ms(middle(result, false))),
    ("… the slowest [ms]", |result| ms(worst(result, false))),
    ("… memory at the peak [MiB]", |result| mib(peak(result, false))),
    ("SQLite FTS5: building [s] and size [MiB]", |result| built(result, |r| (r.sqlite_s, r.sqlite_bytes))),
    ("Parquet: building [s] and size [MiB]", |result| built(result, |r| (r.parquet_s, r.parquet_bytes))),
    ("CSV: building [s] and size [MiB]", |result| built(result, |r| (r.csv_s, r.csv_bytes))),
];

/// The table, and the reasons for its slopes.
pub fn draw(results: &[Results], why: &str, page: &mut String) -> std::fmt::Result {
    page.push_str("## What growing costs\n\n| measurements |");
    for result in results {
        write!(page, " {} |", power(result.rows))?;
    }
    writeln!(page, "\n| --- |{}", " ---: |".repeat(results.len()))?;
    for (name, figure) in FIGURES {
        write!(page, "| {name} |")?;
        for result in results {
            write!(page, " {} |", figure(result))?;
        }
        page.push('\n');
    }
    writeln!(page, "\n{}\n", why.trim())
}

/// The median of the questions' median times, ms.
fn middle(result: &Results, selective: bool) -> f64 {
    let questions = result.questions.iter().filter(|question| question.selective == selective);
    Times::of(questions.map(|question| question.tools[0].ms.median).collect()).median
}

/// The most memory that one of the questions took.
fn peak(result: &Results, selective: bool) -> u64 {
    let questions = result.questions.iter().filter(|question| question.selective == selective);
    questions.map(|question| question.tools[0].peak_bytes).max().unwrap_or_default()
}

/// Seconds and size of a rival's rows; nothing where the rivals did not take part.
fn built(result: &Results, of: fn(&Rivals) -> (f64, u64)) -> String {
    result
        .rivals
        .as_ref()
        .map(of)
        .map_or_else(String::new, |(seconds, bytes)| format!("{seconds:.1} s, {}", mib(bytes)))
}
