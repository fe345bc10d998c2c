//! MLPerf Tiny v1.1 and v1.3: the medians of speed and energy runs, with the table of the systems beside them.

use std::collections::BTreeMap;
use std::path::Path;

use super::{Meaning, Source, csv_records, entry, meaning};

/// What is compared beside the fields of every source.
const ALSO: &[&str] = &[
    "availability",
    "counts",
    "division",
    "energy-j",
    "energy-per-item-j",
    "framework-version",
    "power-w",
    "scenario",
    "throughput-per-s",
];

/// Boards and chips, by the name of the board or the accelerator in the table of systems.
const DEVICES: &[(&str, &str)] = &[
    (r"nRF5340 DK", "nrf5340-dk"),
    (r"H7A3ZI", "nucleo-h7a3zi-q"),
    (r"L4R5ZI-P", "nucleo-l4r5zi-p"),
    (r"NUCLEO-(L4R5ZI|G0B1RE)", "nucleo-$1"),
    (r"NUCLEO-(U575ZI|U385RG)", "nucleo-$1-q"),
    (r"U3C5ZI", "nucleo-u3c5zi-q"),
    (r"M467HJ", "numaker-m467hj"),
    (r"DISCO-F746NG", "disco-f746ng"),
    (r"(CY8CPROTO-062-4343W)", "$1"),
    (r"NDP9120", "syntiant-ndp9120"),
    (r"Snapdragon", "qualcomm-sensing-hub-2025"),
    (r"Cora-Z7", "cora-z7-07s"),
    (r"^(ZC706|ZedBoard|ZyBo|ZCU106|VCU128)", "$1"),
    (r"^K1_BOARD", "k1-board"),
];

/// Frameworks, by what the table of systems says; else the name of the system.
const FRAMEWORKS: &[(&str, &str)] = &[
    (r"(?i)microTVM", "tvm"),
    (r"X-CUBE-AI", "x-cube-ai"),
    (r"ONNC", "onnc"),
    (r"HALE", "bosch-hale"),
    (r"fpgaConvNet", "fpgaconvnet"),
    (r"Plumerai", "plumerai-inference-engine"),
];

/// Versions, where the same texts have them.
const VERSIONS: &[(&str, &str)] = &[
    (r"X-CUBE-AI[- ]v?([\d.]+)", "$1"),
    (r"HALE\) version ([\d.]+)", "$1"),
    (r"Plumerai Inference Engine ([\d.]+)", "$1"),
];

fn results(folder: &Path) -> Vec<Meaning> {
    let systems = csv_records(&folder.join("systems-derived.csv"));
    let key = |submitter: &str, system: &str| format!("{submitter}/{system}");
    let systems: BTreeMap<String, BTreeMap<String, String>> =
        systems.into_iter().map(|row| (key(&row["submitter"], &row["system_file"]), row)).collect();
    let results = csv_records(&folder.join("summary-derived.csv"));
    results
        .iter()
        .map(|row| {
            let (name, _) = row["system_path"].split_once('/').expect("system/benchmark");
            let system = &systems[&key(&row["submitter"], name)];
            let said = format!("{} {name}", system["inference_framework"]);
            let streams = row["benchmark"] == "sww";
            let micro = |text: &str| text.parse::<f64>().map(|value| (value / 1e6).to_string()).unwrap_or_default();
            let energy = micro(&row["median_energy"]);
            let int8 = ["TensorFlow Int8 Quantization", "INT8"].contains(&system["quantization"].as_str());
            meaning([
                ("device", &entry(DEVICES, &system["board"]).unwrap_or_else(|| panic!("who is {}?", system["board"]))),
                ("network", &format!("mlperf-tiny-{}", row["benchmark"])),
                ("stage", "eval"),
                ("precision", if int8 { "int8" } else { "" }),
                ("batch-size", "1"),
                ("framework", &entry(FRAMEWORKS, &said).unwrap_or_default()),
                ("framework-version", &entry(VERSIONS, &said).unwrap_or_default()),
                ("statistic", if streams { "" } else { "median" }),
                ("availability", &system["status"].to_lowercase()),
                ("counts", "inference"),
                ("division", &row["division"]),
                ("scenario", if streams { "" } else { "single-stream" }),
                ("throughput-per-s", &row["median_inferences_per_second"]),
                ("power-w", &micro(&row["median_power_uw"])),
                ("energy-j", if streams { &energy } else { "" }),
                ("energy-per-item-j", if streams { "" } else { &energy }),
            ])
        })
        .collect()
}

#[test]
fn the_small_systems_do_what_their_logs_say() {
    for (id, folder) in
        [("mlperf-tiny-v1.1", "mlcommons__tiny_results_v1.1"), ("mlperf-tiny-v1.3", "mlcommons__tiny_results_v1.3")]
    {
        Source { id, folder, also: ALSO }.holds(results);
    }
}
