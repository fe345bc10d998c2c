//! MLPerf Inference v6.0 and Automotive v0.5: one object a result in a summary file. Every figure is that of a whole system.

use std::path::Path;

use serde_json::Value;

use super::{Meaning, Source, entry, meaning, pattern, read_text};

/// What is compared beside the fields of every source.
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

/// Accelerators and processors, as a person reads them; the first pattern that matches counts.
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

/// A value of an object as text.
fn of(result: &Value, name: &str) -> String {
    match &result[name] {
        Value::String(text) => text.clone(),
        Value::Null => String::new(),
        other => other.to_string(),
    }
}

/// How many devices: the number beside the name, else those of all nodes; sockets where no accelerator is named.
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

/// The framework and what computes below it.
fn software(result: &Value) -> (&'static str, &'static str) {
    let text = of(result, "Software").to_lowercase();
    let model = of(result, "Model");
    let of_torch = if text.contains("pytorch") { "pytorch" } else { "" };
    match text.as_str() {
        // One text for all networks of NVIDIA, of which vLLM ran one.
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

/// The results of a summary that are no copies of others, of one kind of accelerator and at a known rate.
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
        Source { id, folder, also: ALSO }.holds(summary);
    }
}
