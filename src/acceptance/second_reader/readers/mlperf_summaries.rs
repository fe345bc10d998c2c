//! MLPerf Inference v6.0, Automotive v0.5 and Tiny: one summary object or record per result. Every figure is for a whole system.

use std::collections::BTreeMap;
use std::path::Path;

use serde_json::Value;

use super::{Meaning, Source, csv_records, entry, meaning, pattern, read_text};

/// Fields compared in addition to those of every source.
const ALSO: &[&str] = &[
    "availability",
    "backend",
    "counts",
    "division",
    "latency-ms",
    "network-raw",
    "os",
    "quantization",
    "relative-accuracy-target",
    "scenario",
    "setting",
    "throughput-per-s",
];

/// Patterns for accelerators and CPUs, written by hand; the first match counts.
const DEVICES: &[(&str, &str)] = &[
    (r"Instinct (MI3\d\dX)", "instinct-$1"),
    (r"Arc Pro B60 Dual 48G", "arc-pro-b60-dual-48gb"),
    (r"Arc Pro\(R\) (B\d0)", "arc-pro-$1"),
    (r"NVIDIA (B[23]00)-SXM-\d+GB", "$1"),
    (r"NVIDIA (GB[23]00)$", "$1"),
    (r"H200-(NVL|SXM)-141GB", "h200-$1-141gb"),
    (r"AGX Thor 128G", "jetson-agx-thor-128gb"),
    (r"Thor-X", "drive-thor-x"),
    (r"NVIDIA L4-PCIe-24GB", "l4"),
    (r"NVIDIA L40S", "l40s"),
    (r"RTX PRO 4500", "rtx-pro-4500-blackwell"),
    (r"RTX PRO 6000 Blackwell Server", "rtx-pro-6000-blackwell-server"),
    (r"RTX 4090", "geforce-rtx-4090"),
    (r"Ultra 7 255H \[GPU\]", "core-ultra-7-255h-gpu"),
    (r"i9-13900K", "core-i9-13900k"),
    (r"Xeon\(R\) (w7-\w+|6\d\d\dP)", "xeon-$1"),
];

/// Networks, by the model that was run.
const NETWORKS: &[(&str, &str)] = &[
    (r"^resnet", "resnet-50-v1.5"),
    (r"^bert-99", "bert-large"),
    (r"^3d-unet-", "3d-unet"),
    (r"^rgat$", "r-gat"),
    (r"^llama2-70b-", "llama-2-70b"),
    (r"^llama3[._]1-(8b|405b)", "llama-3.1-$1"),
    (r"^deeplabv3plus$", "deeplabv3-plus-automotive"),
    (r"^ssd$", "ssd-automotive"),
    (r"^(.+)$", "$1"),
];

/// A value of an object as text; empty if null.
fn of(result: &Value, name: &str) -> String {
    match &result[name] {
        Value::String(text) => text.clone(),
        Value::Null => String::new(),
        other => other.to_string(),
    }
}

/// Number of devices: the number next to the name, else the total over all nodes; CPU sockets if no accelerator is named.
fn devices(result: &Value) -> f64 {
    let accelerator = of(result, "Accelerator");
    let number = |name: &str| of(result, name).parse::<f64>().expect("a number");
    if let Some(stated) = pattern(r"\(x(\d+)\)").captures(&accelerator) {
        return stated[1].parse().expect("a number");
    }
    let total = of(result, "Total Accelerators").parse::<f64>().ok().filter(|total| *total > 0.0);
    let each = if accelerator.is_empty() { "p#" } else { "a#" };
    total.unwrap_or_else(|| number(each) * number("Nodes"))
}

/// Framework and backend.
fn software(result: &Value) -> (&'static str, &'static str) {
    let text = of(result, "Software").to_lowercase();
    let model = of(result, "Model");
    let of_torch = if text.contains("pytorch") { "pytorch" } else { "" };
    match text.as_str() {
        // NVIDIA uses the same text for all networks, but only one of them ran on vLLM.
        text if text.contains("tensorrt") && text.contains("vllm") && model.starts_with("qwen") => ("vllm", ""),
        text if text.contains("tensorrt") => ("tensorrt", ""),
        text if text.contains("vllm") => ("vllm", of_torch),
        text if text.contains("openvino") => ("openvino", ""),
        text if text.contains("onnxruntime") => ("onnx-runtime", ""),
        text if text.starts_with("pytorch") => ("pytorch", ""),
        "" | "todo" if of(result, "Platform").ends_with("_TRT") => ("tensorrt", ""),
        _ => ("", ""),
    }
}

fn meaning_of(result: &Value) -> Meaning {
    let accelerator = of(result, "Accelerator");
    let spelling = if accelerator.is_empty() { of(result, "Processor") } else { accelerator };
    let device = entry(DEVICES, &spelling).unwrap_or_else(|| panic!("the second reader does not know `{spelling}`"));
    let used = of(result, "UsedModel");
    let types = of(result, "weight_data_types").to_lowercase().replace("bfloat16", "bf16");
    let (precision, quantization) = if types.contains(',') { ("", types.as_str()) } else { (types.as_str(), "") };
    let (framework, backend) = software(result);
    let category = of(result, "Model");
    let target = [("-99.9", "0.999"), ("-99", "0.99")].iter().find(|(end, _)| category.ends_with(end));
    let (unit, value) = (of(result, "Performance_Units"), of(result, "Performance_Result"));
    let seconds = || (value.parse::<f64>().expect("a latency") * 1e3).to_string();
    let (counts, latency, rate) = match unit.as_str() {
        "Latency (ms)" => ("query", value.clone(), ""),
        "Latency (s)" => ("query", seconds(), ""),
        // The submission checker counts tokens here, although the summary says samples.
        "Samples/s" if category == "whisper" => ("token", String::new(), value.as_str()),
        "Samples/s" => ("sample", String::new(), value.as_str()),
        "Tokens/s" => ("token", String::new(), value.as_str()),
        "Queries/s" => ("query", String::new(), value.as_str()),
        other => panic!("the second reader does not know the unit `{other}`"),
    };
    let availability = of(result, "Availability").replace("development", "rdi");
    let limit =
        pattern(r"\(Power Cap (\d+) W\)").captures(&spelling).map(|watts| format!("power limit {} W", &watts[1]));
    meaning([
        ("device", &device),
        ("device-count", &devices(result).to_string()),
        ("network", &entry(NETWORKS, &used).unwrap_or_default()),
        ("network-raw", &used),
        ("stage", "eval"),
        ("precision", precision),
        ("quantization", quantization),
        ("framework", framework),
        ("backend", backend),
        ("availability", &availability),
        ("counts", counts),
        ("division", &of(result, "Category")),
        ("scenario", &of(result, "Scenario").to_lowercase().replace("stream", "-stream")),
        ("setting", limit.as_deref().unwrap_or_default()),
        ("relative-accuracy-target", target.map_or("", |(_, share)| share)),
        ("latency-ms", &latency),
        ("throughput-per-s", rate),
        ("os", &of(result, "operating_system")),
    ])
}

/// The results of a summary that are not inferred from others, use one kind of accelerator, and have no constant-rate load.
fn summary(folder: &Path) -> Vec<Meaning> {
    let text = read_text(&folder.join("summary_results.json"));
    let results: Vec<Value> = serde_json::from_str(&text).expect("a list of results");
    let own = results.iter().filter(|result| of(result, "inferred") != "1");
    let one_kind = own.filter(|result| !of(result, "Accelerator").contains(" and "));
    one_kind.filter(|result| of(result, "Scenario") != "ConstantStream").map(meaning_of).collect()
}

#[test]
fn the_newest_summaries_mean_what_they_say() {
    for (id, folder) in [
        ("mlperf-inference-v6.0", "gbeezybez__inference_results_v6.0"),
        ("mlperf-automotive-v0.5", "mlcommons__automotive_results_v0.5"),
    ] {
        Source { id, folder, also: ALSO }.assert_matches(summary);
    }
}

/// Fields compared in addition to those of every source.
const MLPERF_TINY_ALSO: &[&str] = &[
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

/// Boards and chips, by the name of the board or accelerator in the table of systems.
const MLPERF_TINY_DEVICES: &[(&str, &str)] = &[
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

/// Frameworks, by the text in the table of systems, else by the system's name.
const FRAMEWORKS: &[(&str, &str)] = &[
    (r"(?i)microTVM", "tvm"),
    (r"X-CUBE-AI", "x-cube-ai"),
    (r"ONNC", "onnc"),
    (r"HALE", "bosch-hale"),
    (r"fpgaConvNet", "fpgaconvnet"),
    (r"Plumerai", "plumerai-inference-engine"),
];

/// Versions, from the same texts.
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
                (
                    "device",
                    &entry(MLPERF_TINY_DEVICES, &system["board"])
                        .unwrap_or_else(|| panic!("who is {}?", system["board"])),
                ),
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
        Source { id, folder, also: MLPERF_TINY_ALSO }.assert_matches(results);
    }
}
