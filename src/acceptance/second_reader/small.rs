//! Two small sources of which fields were lost once: the losses of a speed test of laptops, and the two frameworks behind one
//! name of MLPerf Tiny.

use std::collections::BTreeSet;

use super::{canonical, csv_records, entry, files_below, folder, kept, text};
use crate::mlperf::Row;

/// A field as it is compared.
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
    let rows = kept("mrdbourke-2023");
    let with_loss = rows.iter().filter(|row| row.contains_key("loss"));
    let kept: BTreeSet<_> = with_loss.map(|row| ["batch-size", "total-s", "loss"].map(|key| field(row, key))).collect();
    assert_eq!(kept, said);
    assert_eq!(said.len(), 24);
}

/// The models of the shared entry, and which of its two frameworks made the design: FINN those with weights of one to three
/// bits, hls4ml the others.
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
    let rows = kept("mlperf-tiny-v0.7");
    let of_the_two = rows.iter().filter(|row| ["finn", "hls4ml"].contains(&field(row, "framework").as_str()));
    let kept: BTreeSet<_> =
        of_the_two.map(|row| ["framework", "throughput-per-s"].map(|key| field(row, key))).collect();
    assert_eq!(kept, said);
    assert_eq!(said.len(), 8);
}
