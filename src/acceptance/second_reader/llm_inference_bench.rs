//! LLM-Inference-Bench: a table of all, and one for some of the figures. A request brings as many tokens as it asks for, and a rate
//! counts both together, but for most of one engine's.

use std::collections::BTreeMap;
use std::path::Path;

use super::{Meaning, Source, csv_records, entry, first_of_each, meaning, pattern};

const SOURCE: Source = Source {
    id: "llm-inference-bench-2025",
    folder: "argonne-lcf__LLM-Inference-Bench",
    also: &[
        "network-raw",
        "input-length",
        "output-length",
        "batch-size-global",
        "weight-format",
        "kv-cache-format",
        "tensor-parallel",
        "pipeline-parallel",
        "expert-parallel",
        "setting",
        "label",
        "counts",
        "time-to-first-token-ms",
        "latency-ms",
        "throughput-per-s",
        "power-w",
    ],
};

/// What of a row is no setting.
const RESULTS: &[&str] = &["time-to-first-token-ms", "latency-ms", "throughput-per-s", "power-w", "counts"];

/// The devices; two names are of one.
const DEVICES: &[(&str, &str)] = &[
    (r"^AMD (MI\d+X?) GPU$", "instinct-$1"),
    (r"^Nvidia (\w+) GPU$", "$1"),
    (r"^Intel (?:PVC GPU|Max 1550)$", "data-center-gpu-max-1550"),
    (r"^Habana Gaudi2$", "gaudi-2"),
    (r"^SambaNova (SN40L)$", "$1"),
];

const FRAMEWORKS: &[(&str, &str)] = &[(r"^llama\.cpp$", "llama-cpp"), (r"^(.+)$", "$1")];

const NETWORKS: &[(&str, &str)] = &[
    (r"/(Llama-2-\d+b)-hf$", "$1"),
    (r"/Meta-(Llama-3-\d+B)$", "$1"),
    (r"/(Mistral-7B|Mixtral-8x7B)-v0\.\d$", "$1"),
    (r"/(gemma-1\.1-7b)-it$", "$1"),
    (r"/(.+)$", "$1"),
];

/// A file, and what its rows bear as a label.
const FILES: &[(&str, &str)] = &[
    ("All_results.csv", ""),
    ("Fig_2_a/All_results.csv", "figure 2a"),
    ("Fig_3/A100_H100_quant_all_results.csv", "figure 3"),
    ("Fig_5_a/TP_PP_Results.csv", "figure 5a"),
    ("Fig_10/All_results.csv", "figure 10"),
    ("Fig_16_a_b/power_results.csv", "figure 16"),
    ("Fig_21/all_results_TTFT.csv", "figure 21"),
];

type Record = BTreeMap<String, String>;

/// Over how many devices each kind of splitting goes: over all, or over as many as a mixture says.
fn degree(kind: &str, long: &str, short: &str, devices: &str) -> String {
    if kind == format!("{long} Parallelism") || kind == short {
        return devices.to_owned();
    }
    let mixed = pattern(&format!(r"{long} \((\d)\)|\b{short} = (\d)"));
    let found = mixed.captures(kind);
    found.and_then(|found| Some(found.iter().skip(1).flatten().next()?.as_str().to_owned())).unwrap_or_default()
}

fn of_record(record: &Record, figure: &str) -> Meaning {
    let cell = |names: &[&str]| names.iter().find_map(|name| record.get(*name)).map(String::as_str).unwrap_or_default();
    let number = |names: &[&str]| cell(names).parse::<f64>().ok();
    let devices = cell(&["Num of Hardware"]);
    let length = cell(&["Input Output Length", "Input Length"]);
    let batch = cell(&["Batch Size"]);
    // By the digits: a product is rounded.
    let milliseconds: f64 = format!("{}e3", cell(&["Latency", "latency"])).parse().expect("a latency");
    let rate = number(&["Throughput", "throughput"]);
    let both = 2.0 * length.parse::<f64>().expect("a length") * batch.parse::<f64>().expect("a batch");
    let counts_both = rate.is_some_and(|rate| (rate * milliseconds / 1000.0 / both - 1.0).abs() < 0.01);
    let engine = cell(&["Framework"]);
    // What llama.cpp's rates of several requests count, nothing says.
    let is_read = counts_both || engine != "llama.cpp" && rate.is_some();
    // More than any device takes in watts are milliwatts.
    let watts = number(&["avg_power"]).map(|power| if power > 10_000.0 { power / 1000.0 } else { power });
    let kind = cell(&["Parallelism Type"]);
    let formats = pattern("^Weight = (.*), KV Cache = (.*)$").captures(cell(&["kv_cache_dtype"]));
    let format = |at: usize| formats.as_ref().map(|found| found[at].to_owned()).unwrap_or_default();
    let is_first = record.contains_key("Output Length");
    let name = cell(&["Model"]);
    let value = |value: Option<f64>| value.map(|value| value.to_string()).unwrap_or_default();
    meaning([
        ("device", &entry(DEVICES, cell(&["Hardware"])).unwrap_or_default()),
        ("device-count", devices),
        ("framework", &entry(FRAMEWORKS, engine).unwrap_or_default()),
        ("network", &entry(NETWORKS, name).unwrap_or_default()),
        ("network-raw", name),
        ("stage", if is_first { "prefill" } else { "eval" }),
        ("precision", if format(1) == "fp16" { "fp16" } else { "" }),
        ("weight-format", &format(1)),
        ("kv-cache-format", &format(2)),
        ("input-length", length),
        ("output-length", if is_first { cell(&["Output Length"]) } else { length }),
        ("batch-size-global", batch),
        ("tensor-parallel", &degree(kind, "Tensor", "TP", devices)),
        ("pipeline-parallel", &degree(kind, "Pipeline", "PP", devices)),
        ("expert-parallel", &degree(kind, "Expert", "EP", devices)),
        ("setting", cell(&["KV Cache"])),
        ("label", &if kind.is_empty() { figure.to_owned() } else { format!("{figure}: {kind}") }),
        ("counts", if is_read { "token" } else { "" }),
        ("time-to-first-token-ms", &value(is_first.then_some(milliseconds))),
        ("latency-ms", &value((!is_first).then_some(milliseconds))),
        ("throughput-per-s", &value(rate.filter(|_| is_read))),
        ("power-w", &value(watts)),
    ])
}

#[test]
fn llm_inference_bench_means_what_its_tables_say() {
    SOURCE.holds(|folder: &Path| {
        let mut rows = Vec::new();
        for (file, figure) in FILES {
            let records = csv_records(&folder.join(file));
            let of_file = records.iter().filter(|record| !record["Hardware"].is_empty());
            // Within a file a setting that comes again is its second figure.
            rows.extend(first_of_each(of_file.map(|record| of_record(record, figure)), RESULTS));
        }
        rows
    });
}
