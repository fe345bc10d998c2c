//! What the columns of the tables of NVIDIA's Deep Learning Examples hold, and how their cells are written.

use super::markdown::Table;
use super::pattern;

pub(super) const PRECISIONS: &[(&str, &str)] = &[
    (r"(?i)mi(?:xe)?d[- ]?precision|\bamp\b|\bmixed\b", "amp-fp16"),
    (r"(?i)\btf32", "tf32"),
    (r"(?i)fp32", "fp32"),
    (r"(?i)fp16", "fp16"),
    (r"(?i)bf16", "bf16"),
    (r"(?i)int8", "int8"),
];

/// Which metric a column holds.
pub(super) fn metric(column: &str) -> &'static str {
    let column = column.to_lowercase();
    if column.contains("latency") || pattern(r"^\d\d% \(ms\)|avg.*\(ms\)").is_match(&column) {
        "latency-ms"
    } else if pattern("time|hours").is_match(&column) && !column.contains("throughput") {
        "total-s"
    } else {
        "throughput-per-s"
    }
}

/// Whether a column is of this precision, or of none; the pages exchange FP32 and TF32 in places.
pub(super) fn is_of(precision: &str, column: &str) -> bool {
    let named = PRECISIONS.iter().filter(|(words, _)| pattern(words).is_match(column)).map(|(_, id)| *id);
    let named: Vec<&str> = named.collect();
    let is_full = precision.ends_with("32");
    named.is_empty() || named.iter().any(|id| id.ends_with("32") == is_full)
}

/// The number in a cell: a rate, a time, or a time of day.
pub(super) fn number(cell: &str) -> Option<f64> {
    if let Some(found) = pattern(r"^(\d+):(\d\d):(\d\d)").captures(cell) {
        let of = |at: usize| found[at].parse::<f64>().unwrap_or_default();
        return Some(of(1) * 3600.0 + of(2) * 60.0 + of(3));
    }
    if let Some(found) = pattern(r"^(?:(\d+)h ?)?(\d+) ?min$").captures(cell) {
        let of = |at: usize| found.get(at).map_or(0.0, |part| part.as_str().parse().unwrap_or_default());
        return Some(of(1) * 3600.0 + of(2) * 60.0);
    }
    let cell = pattern(r"^(\d+),(\d\d) ms$").replace(cell, "$1.$2 ms");
    let found = pattern(r"^~?\s*(\d[\d,]*(?: \d{3}\b)?(?:\.\d+)?(?:e[+-]?\d+)?)").captures(&cell)?;
    found[1].replace([',', ' '], "").parse().ok()
}

/// The header of a table, with a second line of it where there is one, and the rows below.
pub(super) fn header_and_rows(table: &Table) -> (Vec<String>, &[Vec<String>]) {
    let is_second = |row: &Vec<String>| !row.iter().any(|cell| !cell.ends_with('%') && number(cell).is_some());
    match table.rows.split_first() {
        Some((second, rows)) if table.header.iter().any(String::is_empty) && is_second(second) => {
            let mut above = "";
            let merged = table.header.iter().zip(second).map(|(name, below)| {
                above = if name.is_empty() { above } else { name };
                format!("{above} {below}").trim().to_owned()
            });
            (merged.collect(), rows)
        }
        _ => (table.header.clone(), &table.rows),
    }
}
