//! A second reader of MLPerf's result files, written from their description and independently of the import: compares the
//! meaning of each knowledge base row with its source row. Skipped if the source files are missing.

use std::collections::BTreeMap;
use std::fs;

use serde_json::Value;

use super::{Meaning, folder, recorded_rows, text};
use crate::{CORRECTED_LABELS, Row};

/// Accelerators and CPUs of the four files, written by hand: a pattern for the source's spelling, and the catalog entry. The
/// first match counts.
const DEVICES: &[(&str, &str)] = &[
    (r"^firefly", "rockchip-rk3399"),
    (r"^hikey960", "kirin-960"),
    (r"^mate10pro", "kirin-970"),
    (r"^rpi4", "raspberry-pi-4-model-b"),
    (r"Mali-T860", "rockchip-rk3399-gpu"),
    (r"Mali-G71", "kirin-960-gpu"),
    (r"Mali-G72", "kirin-970-gpu"),
    (r"H200-SXM-141GB-CTS", "h200-sxm-141gb-cts"),
    (r"H200-SXM-141GB", "h200-sxm-141gb"),
    (r"H100-SXM-80GB", "h100-sxm5-80gb"),
    (r"H100-NVL-94GB", "h100-nvl-94gb"),
    (r"H100-PCIe-80GB", "h100-pcie-80gb"),
    (r"GH200.* 96GB", "gh200-96gb"),
    (r"GH200.* 144GB", "gh200-144gb"),
    (r"B200-SXM-180GB", "b200"),
    (r"(?i)A100-PCIe-40GB", "a100-pcie-40gb"),
    (r"A100-(PCIe|SXM4)", "a100"),
    (r"L40S", "l40s"),
    (r"L4$", "l4"),
    (r"RTX A5000", "rtx-a5000"),
    (r"RTX 4090", "geforce-rtx-4090"),
    (r"TITAN RTX", "titan-rtx"),
    (r"GTX 1080$", "geforce-gtx-1080"),
    (r"Quadro RTX (\d000)", "quadro-rtx-$1"),
    (r"V100 SXM3", "tesla-v100-sxm3-32gb"),
    (r"\bT4\b", "tesla-t4"),
    (r"AGX Orin 64G", "jetson-agx-orin-64gb"),
    (r"AGX Xavier", "jetson-agx-xavier"),
    (r"Xavier NX", "jetson-xavier-nx"),
    (r"Xavier$", "jetson-xavier"),
    (r"Carmel", "nvidia-carmel"),
    (r"MI300X", "instinct-mi300x"),
    (r"tpu-v3", "tpu-v3"),
    (r"TPU v5e", "tpu-v5e"),
    (r"TPU v6", "tpu-v6e"),
    (r"speedAI240 (Preview|Slim)", "untether-speedai240-$1"),
    (r"Alveo (U\d+)", "alveo-$1"),
    (r"xilinx_u280", "alveo-u280"),
    (r"xilinx_vck5000", "vck5000"),
    (r"HanGuang 800", "hanguang-800"),
    (r"Centaur Integrated AI", "centaur-ncore"),
    (r"Furiosa Renegade", "furiosa-renegade"),
    (r"Goya", "habana-goya"),
    (r"Hailo8", "hailo-8"),
    (r"Hexagon 690", "qualcomm-hexagon-690"),
    (r"Coral USB", "coral-usb-accelerator"),
    (r"IVA_FPGA_1", "iva-fpga-1"),
    (r"RecAccel", "recaccel-fpga"),
    (r"Cascade Lake", "intel-cascade-lake"),
    (r"(?i)Platinum (8592)\+", "xeon-platinum-$1-plus"),
    (r"(?i)Xeon.* (Platinum|Gold) (\d{4}[A-Z]*)", "xeon-$1-$2"),
    (r"(?i)Xeon.* E5-(2650) v3", "xeon-e5-$1-v3"),
    (r"(?i)XEON\(R\) (6980P|w7-2495X)", "xeon-$1"),
    (r"i5-8257U", "core-i5-8257u"),
    (r"I3-1005G1", "core-i3-1005g1"),
    (r"Ryzen (\d) (\w+)", "ryzen-$1-$2"),
];

/// Networks, like the devices; for the many MobileNets and EfficientNets, suffixes that state a precision are removed first.
const NETWORKS: &[(&str, &str)] = &[
    (r"(?i)llama-2-7b", "llama-2-7b"),
    (r"^llama2-70b-99(\.9)? depthpruned", "llama-2-70b-depth-pruned"),
    (r"^llama2-70b-99(\.9)? sparse", "llama-2-70b-sparse"),
    (r"^llama2-70b", "llama-2-70b"),
    (r"^stable-diffusion-xl lcm", "stable-diffusion-xl-lcm"),
    (r"^stable-diffusion-xl", "stable-diffusion-xl"),
    (r"^mobilebert-14layer", "mobilebert-14layer-pruned50"),
    (r"^mobilebert", "mobilebert"),
    (r"^bert-base-pruned95_obs", "bert-base-pruned95-obs"),
    (r"^(o?bert-(base|large)-pruned\d\d)", "$1"),
    (r"^o?bert-large-base", "bert-large"),
    (r"^bert-99", "bert-large"),
    (r"^gptj-", "gpt-j-6b"),
    (r"^dlrm-v2-", "dlrm-v2"),
    (r"^dlrm-", "dlrm"),
    (r"^3d-unet-", "3d-unet"),
    (r"^resnet(50)?( |$)", "resnet-50-v1.5"),
    (r"^rnnt", "rnn-t"),
    (r"^(ssd-large|ssd-resnet34)", "ssd-resnet-34"),
    (r"^ssd-mobilenet-v1-fpn", "ssd-mobilenet-v1-fpn"),
    (r"^(ssd-mobilenet-v\d-edgetpu)", "$1"),
    (r"^(ssd-small|ssd-mobilenet)", "ssd-mobilenet-v1"),
    (r"^yolo-v3", "yolov3"),
    (r"^(mobilenet|mobilenet-v1-1\.0-224)( |$)", "mobilenet-v1"),
    (r"^mobilenet-v2-1\.0-224", "mobilenet-v2"),
    (r"^mobilenet-v2-1\.4-224", "mobilenet-v2-1.4"),
    (r"^mobilenet-v3-(large|small)-minimalistic_224_1\.0", "mobilenet-v3-$1-minimalistic"),
    (r"^mobilenet-v3-(large|small)_224_0\.75", "mobilenet-v3-$1-0.75-224"),
    (r"^mobilenet-v3-(large|small)_224_1\.0", "mobilenet-v3-$1"),
    (r"^(\S+)", "$1"),
];

/// The entry for a spelling in one of these tables; panics if there is none.
fn entry(table: &[(&str, &str)], spelling: &str) -> String {
    super::entry(table, spelling).unwrap_or_else(|| panic!("the second reader does not know `{spelling}`"))
}

/// The framework named in a description of the software.
fn framework(software: &str) -> Option<&'static str> {
    let text = software.to_lowercase();
    let has = |words: &str| text.contains(words);
    let named = [
        ("kilt", "kilt"),
        ("vllm", "vllm"),
        ("deepsparse", "deepsparse"),
        ("(tensorrt-", "tf-trt"),
        ("tensorrt", "tensorrt"),
        ("_trt", "tensorrt"),
        ("armnn", "arm-nn"),
        ("tflite", "tflite"),
        ("tensorflow-lite", "tflite"),
        ("openvino", "openvino"),
        ("imaigine", "imaigine-sdk"),
        ("flax", "flax"),
        ("pytorch", "pytorch"),
        ("inaccel keras", "inaccel"),
        ("synapse", "synapseai"),
        ("snapdragon neural", "snpe"),
        ("hailo", "hailo-sdk"),
        ("mxnet", "mxnet"),
        ("tensorflow", "tensorflow"),
        ("tf", "tensorflow"),
    ];
    named.iter().find(|(words, _)| has(words)).map(|(_, id)| *id)
}

/// The accuracy target of a category.
fn target(category: &str) -> Option<&'static str> {
    [("-99.9", "0.999"), ("-99", "0.99")].iter().find(|(end, _)| category.ends_with(end)).map(|(_, share)| *share)
}

/// Compares the meaning of rows with that of their source rows, by key; every row must be in the source.
fn compare(rows: &[Row], said: &BTreeMap<String, Meaning>, key: impl Fn(&Row) -> String) {
    let mut wrong = Vec::new();
    for row in rows {
        let key = key(row);
        let Some(said) = said.get(&key) else { panic!("{key} is not in the source") };
        for field in FIELDS {
            let (ours, theirs) = (text(row, field), said.get(field).cloned());
            let same = match (&ours, &theirs) {
                (Some(ours), Some(theirs)) => match (ours.parse::<f64>(), theirs.parse::<f64>()) {
                    (Ok(a), Ok(b)) => (a - b).abs() <= 1e-9 * b.abs(),
                    _ => ours == theirs,
                },
                (ours, theirs) => ours == theirs,
            };
            // Other documents can refine these labels: the form factor of an A100, or the model that the open division ran.
            let is_nearer =
                theirs.as_ref().is_none_or(|theirs| ours.as_ref().is_some_and(|ours| ours.starts_with(theirs)));
            let is_told_elsewhere = CORRECTED_LABELS.contains(field) && (is_nearer || key.starts_with("open"));
            if !same && !is_told_elsewhere {
                wrong.push(format!("{key}: {field} is {ours:?}, the source says {theirs:?}"));
            }
        }
    }
    let shown: Vec<&String> = wrong.iter().take(20).collect();
    assert!(wrong.is_empty(), "{} fields differ, such as {shown:#?}", wrong.len());
    println!("{} rows compared in {} fields", rows.len(), FIELDS.len());
}

/// Compared fields.
const FIELDS: &[&str] = &[
    "device",
    "device-count",
    "device-slice",
    "network",
    "precision",
    "stage",
    "scenario",
    "division",
    "availability",
    "framework",
    "statistic",
    "relative-accuracy-target",
    "batch-size",
    "throughput-per-s",
    "latency-ms",
    "mean-latency-ms",
    "power-w",
    "energy-per-item-j",
    "metered",
];

/// The meaning of a row in the first rounds; `None` if it is not a result of its own.
fn of_first_rounds(row: &csv::StringRecord, header: &csv::StringRecord) -> Option<Meaning> {
    let of = |name: &str| header.iter().position(|column| column == name).and_then(|at| row.get(at)).unwrap_or("");
    let metric = of("metric").to_lowercase();
    let scenario = of("scenario").to_lowercase();
    if metric == "samples per query" || scenario == "offline" && metric.contains("latency") {
        return None;
    }
    let mut meaning = Meaning::new();
    let mut say = |key, value: String| drop(meaning.insert(key, value));
    let accelerator = of("accelerator");
    let has_accelerator = !["", "-", "N/A"].contains(&accelerator);
    let system = of("system");
    let board = ["firefly", "hikey960", "mate10pro", "rpi4"].iter().any(|board| system.starts_with(board));
    let spelling = match (has_accelerator, board, of("host_processor")) {
        (true, ..) => accelerator,
        (_, true, _) => system,
        (.., "") => system,
        (.., processor) => processor,
    };
    say("device", entry(DEVICES, spelling));
    let number = |name: &str| of(name).parse::<u64>().ok();
    if accelerator.contains("MIG") {
        say("device-slice", "1x1g.5gb MIG".to_owned());
    } else {
        let each = number(if has_accelerator { "accelerators_per_node" } else { "host_processors_per_node" });
        // Two TPU v3 cores are one chip.
        let cores = if accelerator.starts_with("tpu-") { 2 } else { 1 };
        each.into_iter()
            .for_each(|each| say("device-count", (each * number("nodes").unwrap_or(1) / cores).to_string()));
    }
    let benchmark = of("benchmark");
    let plain = benchmark.replace("non-quantized", "").replace("quantized", "");
    say("network", entry(NETWORKS, plain.trim_matches('-').trim_end_matches("-mlperf").trim_end_matches('-')));
    let named = [("non-quantized", "fp32"), ("quantized", "int8"), ("_float", "fp32"), ("_uint8", "uint8")];
    let precision = named.iter().find(|(word, _)| benchmark.contains(word)).map(|(_, precision)| *precision);
    let precision =
        precision.or_else(|| ["int8", "bf16"].into_iter().find(|word| system.ends_with(&format!("-{word}"))));
    precision.into_iter().for_each(|precision| say("precision", precision.to_owned()));
    say("stage", "eval".to_owned());
    say("scenario", scenario.replace("stream", "-stream"));
    say("division", of("division").to_owned());
    let availability = match of("status").to_lowercase().as_str() {
        "" => None,
        "preview" => Some("preview"),
        "available" | "on-premise" => Some("available"),
        _ => Some("rdi"),
    };
    availability.into_iter().for_each(|word| say("availability", word.to_owned()));
    let software = if of("framework").starts_with("CUDA 11") { of("software") } else { of("framework") };
    let software = if software.is_empty() { system } else { software };
    framework(software).into_iter().for_each(|id| say("framework", id.to_owned()));
    target(benchmark).into_iter().for_each(|share| say("relative-accuracy-target", share.to_owned()));
    let milliseconds = |text: &str| (text.parse::<f64>().expect("nanoseconds") / 1e6).to_string();
    if metric.starts_with("90th percentile") {
        say("statistic", "p90".to_owned());
        say("latency-ms", milliseconds(of("value")));
    } else {
        say("throughput-per-s", of("value").to_owned());
    }
    say("mean-latency-ms", milliseconds(of("mean_latency_ns")));
    Some(meaning)
}

#[test]
fn the_first_rounds_mean_what_their_tables_say() {
    for (round, own) in [("v0.5", 569), ("v0.7", 946)] {
        let Some(folder) = folder(&format!("mlcommons__inference_results_{round}")) else { return };
        let mut reader = csv::Reader::from_path(folder.join("summary-derived.csv")).expect("the table");
        let header = reader.headers().expect("a header").clone();
        let mut said = BTreeMap::new();
        for row in reader.records() {
            let row = row.expect("a row");
            if let Some(meaning) = of_first_rounds(&row, &header) {
                let key = format!("{}; {}; {}; {} {}", &row[0], &row[1], &row[2], &row[3], meaning["scenario"]);
                assert!(said.insert(key.clone(), meaning).is_none(), "{key} appears twice");
            }
        }
        assert_eq!(said.len(), own, "results of {round} that are not copies");
        let rows = recorded_rows(&format!("mlperf-inference-{round}"));
        assert_eq!(rows.len(), own);
        let label = |row: &Row| text(row, "label").expect("a label");
        compare(&rows, &said, |row| format!("{} {}", label(row), text(row, "scenario").expect("a scenario")));
    }
}

/// The meaning of a result object of v4.1.
fn of_summary(result: &Value) -> Meaning {
    let of = |name: &str| match &result[name] {
        Value::String(text) => text.clone(),
        Value::Null => String::new(),
        other => other.to_string(),
    };
    let mut meaning = Meaning::new();
    let mut say = |key, value: String| drop(meaning.insert(key, value));
    let accelerator = of("Accelerator");
    let (spelling, each) =
        if accelerator.is_empty() { (of("Processor"), of("p#")) } else { (accelerator.clone(), of("a#")) };
    say("device", entry(DEVICES, &spelling));
    let number = |text: &str| text.parse::<f64>().expect("a number");
    say("device-count", (number(&each) * number(&of("Nodes"))).to_string());
    let platform = of("Platform");
    let changed = ["DepthPruned", "Sparse", "LCM"].into_iter().find(|end| platform.ends_with(end)).unwrap_or("");
    say("network", entry(NETWORKS, format!("{} {}", of("UsedModel"), changed.to_lowercase()).trim()));
    say("precision", of("weight_data_types").to_lowercase().replace("float", "fp"));
    say("stage", "eval".to_owned());
    say("scenario", of("Scenario").to_lowercase().replace("stream", "-stream"));
    say("division", of("Category"));
    say("availability", of("Availability"));
    framework(&format!("{} {}", of("Software"), platform.replace("pytorch", "")))
        .into_iter()
        .for_each(|id| say("framework", id.to_owned()));
    target(&of("Model")).into_iter().for_each(|share| say("relative-accuracy-target", share.to_owned()));
    let value = of("Performance_Result");
    say(if of("Performance_Units").starts_with("Latency") { "latency-ms" } else { "throughput-per-s" }, value);
    match of("Power_Units").as_str() {
        "Watts" => say("power-w", of("Power_Result")),
        "millijoules" => say("energy-per-item-j", (number(&of("Power_Result")) / 1e3).to_string()),
        _ => {}
    }
    if !of("Power_Units").is_empty() {
        say("metered", "wall".to_owned());
    }
    meaning
}

#[test]
fn the_summary_of_v4_1_means_what_it_says() {
    let Some(folder) = folder("mlcommons__inference_results_v4.1") else { return };
    let file = fs::read_to_string(folder.join("summary_results.json")).expect("the summary");
    let results: Vec<Value> = serde_json::from_str(&file).expect("a list of results");
    let location = |result: &Value| result["Location"].as_str().expect("a location").to_owned();
    let said: BTreeMap<String, Meaning> = results.iter().map(|result| (location(result), of_summary(result))).collect();
    let rows = recorded_rows("mlperf-inference-v4.1");
    assert_eq!((said.len(), rows.len()), (937, 937));
    compare(&rows, &said, |row| {
        let label = text(row, "label").expect("a label");
        label.rsplit("; ").next().unwrap_or_default().to_owned()
    });
}
