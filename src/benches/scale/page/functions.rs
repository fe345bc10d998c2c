//! The functions by themselves, as criterion kept their times.

use std::fmt::Write as _;
use std::fs;
use std::path::Path;

use serde_json::Value;

use super::super::tools::ROOT;

/// A table of every function that was measured; nothing where none was.
pub fn draw(page: &mut String) -> std::fmt::Result {
    let mut lines = Vec::new();
    let folder = Path::new(ROOT).join("target/criterion");
    for group in folders(&folder) {
        collect(&group, &mut lines);
    }
    if lines.is_empty() {
        return Ok(());
    }
    lines.sort_by(|a, b| a.0.cmp(&b.0));
    page.push_str(
        "## Functions\n\n\
         In one process that is warm where nothing else is said, by criterion: the estimate of the median and its confidence interval of 95 %.\n\n\
         | function | median | from | to |\n| --- | ---: | ---: | ---: |\n",
    );
    for (name, [median, low, high]) in lines {
        writeln!(page, "| {name} | {} | {} | {} |", time(median), time(low), time(high))?;
    }
    Ok(())
}

/// Estimates lie in `new/` below the folders of each group, function and input.
fn collect(folder: &Path, lines: &mut Vec<(String, [f64; 3])>) {
    let new = folder.join("new");
    let read = |name: &str| -> Option<Value> { serde_json::from_slice(&fs::read(new.join(name)).ok()?).ok() };
    if let (Some(estimates), Some(about)) = (read("estimates.json"), read("benchmark.json")) {
        let median = &estimates["median"];
        let interval = &median["confidence_interval"];
        let numbers = [&median["point_estimate"], &interval["lower_bound"], &interval["upper_bound"]];
        let name = about["title"].as_str().or_else(|| about["full_id"].as_str()).unwrap_or_default();
        lines.push((name.replace('/', ": "), numbers.map(|number| number.as_f64().unwrap_or_default())));
        return;
    }
    for below in folders(folder) {
        collect(&below, lines);
    }
}

fn folders(folder: &Path) -> Vec<std::path::PathBuf> {
    let entries = fs::read_dir(folder).into_iter().flatten().flatten();
    entries.map(|entry| entry.path()).filter(|path| path.is_dir()).collect()
}

/// Nanoseconds in the unit that suits them.
fn time(ns: f64) -> String {
    match ns {
        ns if ns < 1e3 => format!("{ns:.1} ns"),
        ns if ns < 1e6 => format!("{:.2} µs", ns / 1e3),
        ns if ns < 1e9 => format!("{:.2} ms", ns / 1e6),
        ns => format!("{:.2} s", ns / 1e9),
    }
}
