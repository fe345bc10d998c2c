//! DAWNBench: one file per entry, in the submitter's own words. Compares the values that are lost most easily: the price of the
//! machine, the batch size somewhere below "misc", the time or latency, and the cost.

use std::collections::{BTreeMap, BTreeSet};

use serde_json::Value;

use super::{canonical, csv_records, entry, files_below, folder, names, pattern, read_text, recorded_rows, text};
use crate::Row;

/// A number in an entry, with or without quotes; `None` if the value is not a number.
fn number(value: &Value) -> Option<String> {
    let text = value.as_str().map_or_else(|| value.to_string(), str::to_owned);
    pattern(r"^\d+(?:\.\d+)?$").is_match(&text).then(|| canonical(&text))
}

/// The batch size that an entry states once for the whole run, under any of its names.
fn batch(entry: &Value) -> Option<String> {
    let misc = &entry["misc"];
    if let Some(found) = misc.as_str().and_then(|misc| pattern(r"total batch size: (\d+)").captures(misc)) {
        return Some(found[1].to_owned());
    }
    let places = [
        &misc["perGpuBatchSize"],
        &misc["batchSize"],
        &misc["batch_size"],
        &misc["params"]["batch_size"],
        &misc["optimizer"]["batchSize"],
    ];
    places.into_iter().find_map(number)
}

/// An entry on eight GPUs that does not say whether its batch size is per GPU or for all GPUs.
const NOT_SAID_OF_WHAT: &str = "fastai_pytorch";

#[test]
fn dawnbench_keeps_prices_batches_and_costs() {
    let Some(folder) = folder("stanford-futuredata__dawn-bench-entries") else { return };
    let rows = recorded_rows("dawnbench-2020");
    let mut by_label: BTreeMap<String, Vec<_>> = BTreeMap::new();
    for row in &rows {
        by_label.entry(text(row, "label").unwrap_or_default()).or_default().push(row);
    }
    let (mut prices, mut batches, mut lost) = (0, 0, BTreeSet::new());
    for path in files_below(&folder, "json") {
        let entry: Value = serde_json::from_str(&read_text(&path)).expect("JSON");
        let (task, name) = names(&path);
        let label = name.trim_end_matches(".json").to_owned();
        // Results that are not imported are counted in the source's entry.
        let Some(rows) = by_label.get(&label) else { continue };
        let has = |keys: &[&str], value: &str| {
            rows.iter().any(|row| keys.iter().any(|key| text(row, key).is_some_and(|own| canonical(&own) == value)))
        };
        if let Some(price) = number(&entry["costPerHour"]) {
            prices += 1;
            if !has(&["price-usd-per-hour"], &price) {
                lost.insert(format!("{label}: {price} dollars an hour"));
            }
        }
        if task == "inference" {
            for (key, field) in [("latency", "latency-ms"), ("cost", "cost-usd")] {
                if let Some(value) = number(&entry[key]).filter(|value| !has(&[field], value) && value != "0") {
                    lost.insert(format!("{label}: {key} {value}"));
                }
            }
        } else if let Some(batch) = batch(&entry).filter(|_| label != NOT_SAID_OF_WHAT) {
            batches += 1;
            if !has(&["batch-size", "batch-size-global"], &batch) {
                lost.insert(format!("{label}: a batch of {batch}"));
            }
        }
    }
    assert!(lost.is_empty(), "stated and not kept: {lost:#?}");
    assert!(prices >= 44 && batches >= 28, "{prices} prices and {batches} batches are stated");
    assert_eq!(rows.iter().filter(|row| text(row, "price-usd-per-hour").is_some()).count(), prices, "prices are kept");
}

/// A field normalised for comparison.
fn field(row: &Row, key: &str) -> String {
    text(row, key).map(|text| canonical(&text)).unwrap_or_default()
}

#[test]
fn mrdbourke_keeps_every_loss() {
    let Some(folder) = folder("mrdbourke__mac-ml-speed-test") else { return };
    let mut said: BTreeSet<[String; 3]> = BTreeSet::new();
    for path in files_below(&folder, "csv") {
        for record in csv_records(&path) {
            let of = |key: &str| record.get(key).cloned().unwrap_or_default();
            if of("train_loss").parse::<f64>().is_ok() {
                said.insert(["batch_size", "train_runtime", "train_loss"].map(|key| canonical(&of(key))));
            }
        }
    }
    let rows = recorded_rows("mrdbourke-2023");
    let with_loss = rows.iter().filter(|row| row.contains_key("loss"));
    let kept: BTreeSet<_> = with_loss.map(|row| ["batch-size", "total-s", "loss"].map(|key| field(row, key))).collect();
    assert_eq!(kept, said);
    assert_eq!(said.len(), 24);
}

/// Models of the shared entry, and which of its two frameworks built the design: FINN those with one- to three-bit weights,
/// hls4ml the others.
const DESIGNS: &[(&str, &str)] = &[(r"-W\dA\d$", "finn"), (r"(?:AD|RN)\d\d$", "hls4ml")];

#[test]
fn hls4ml_and_finn_are_told_apart() {
    let Some(folder) = folder("mlcommons__tiny_results_v0.7") else { return };
    let records = csv_records(&folder.join("summary-derived.csv"));
    let shared = records.iter().filter(|record| record["submitter"] == "hls4ml-finn");
    let said: BTreeSet<[String; 2]> = shared
        .map(|record| {
            let framework = entry(DESIGNS, &record["system_path"]).expect("a design of one of the two");
            [framework, canonical(&record["median_inferences_per_second"])]
        })
        .collect();
    let rows = recorded_rows("mlperf-tiny-v0.7");
    let of_the_two = rows.iter().filter(|row| ["finn", "hls4ml"].contains(&field(row, "framework").as_str()));
    let kept: BTreeSet<_> =
        of_the_two.map(|row| ["framework", "throughput-per-s"].map(|key| field(row, key))).collect();
    assert_eq!(kept, said);
    assert_eq!(said.len(), 8);
}
