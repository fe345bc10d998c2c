//! The ML.ENERGY leaderboard: a JSON file a model and task, each with its configurations. Rates, power and energy are of all GPUs
//! of one; the time between tokens is told by percentiles, each a row of its own.

use std::path::Path;

use serde_json::Value;

use super::{Meaning, Source, entry, files_below, first_of_each, meaning, read_text};

const SOURCE: Source = Source {
    id: "ml-energy-2026",
    folder: "ml-energy__leaderboard",
    also: &[
        "device-raw",
        "network-raw",
        "dataset",
        "weight-format",
        "tensor-parallel",
        "data-parallel",
        "expert-parallel",
        "concurrency",
        "mean-output-length",
        "batch-size-global",
        "input-shape",
        "label",
        "timed",
        "counts",
        "metered",
        "inter-token-latency-ms",
        "latency-ms",
        "throughput-per-s",
        "power-w",
        "energy-per-item-j",
        "energy-per-request-j",
    ],
};

/// What of a row is no setting.
const RESULTS: &[&str] = &[
    "mean-output-length",
    "inter-token-latency-ms",
    "latency-ms",
    "throughput-per-s",
    "power-w",
    "energy-per-item-j",
    "energy-per-request-j",
];

/// The networks: instructed, thinking and coding models of one size are one network, but a coder of its own size.
const NETWORKS: &[(&str, &str)] = &[
    (r"^Qwen/Qwen3-Coder-30B-A3B-", "qwen3-30b-a3b"),
    (r"^Qwen/(Qwen3-(?:Coder-|Omni-|VL-)?\d+B(?:-A\d+B)?)(?:-Instruct|-Thinking|$)", "$1"),
    (r"/SANA(1\.5)_(\d\.\dB)_1024px", "sana-$1-$2"),
    (r"/PixArt-Sigma-XL-2-1024-MS$", "pixart-sigma-xl-2-1024"),
    (r"/HunyuanDiT-v1\.2-", "hunyuandit-1.2"),
    (r"/(Wan2\.1-T2V-\d+(?:\.\d)?B)-", "$1"),
    (r"/(DeepSeek-R1)-0528$", "$1"),
    (r"/(gemma-3-\d+b)-it$", "$1"),
    // The one whose tuned model is a network of its own here.
    (r"/(Llama-3\.1-8B-Instruct)$", "$1"),
    (r"/(Llama-3\.\d-\d+B)-Instruct", "$1"),
    (r"/(Llama-4-\w+)-17B-", "$1"),
    (r"/NVIDIA-(Nemotron-Nano-12B-v2-VL)-BF16$", "$1"),
    (r"/NVIDIA-(Nemotron-Nano-\d+B-v2)$", "$1"),
    (r"/([^/]+)$", "$1"),
];

/// The questions of a task; those that are no set of the field's have an entry of their own.
const DATASETS: &[(&str, &str)] =
    &[("^(image-chat|video-chat)$", "ml-energy-$1"), ("^(gpqa|lm-arena-chat|sourcegraph-fim)$", "$1")];

/// The recipe and the format of the weights: of fp4 weights nothing says what is computed in.
const PRECISIONS: &[(&str, [&str; 2])] =
    &[("bfloat16", ["bf16", ""]), ("fp8", ["fp8", "fp8"]), ("mxfp4", ["", "mxfp4"])];

/// A number as text; nothing where there is none.
fn number(value: &Value) -> String {
    value.as_number().map(ToString::to_string).unwrap_or_default()
}

fn text<'v>(value: &'v Value, key: &str) -> &'v str {
    value[key].as_str().unwrap_or_default()
}

/// What all rows of a configuration say.
fn shared(model: &Value, of: &Value) -> Meaning {
    let word = text(model, "weight_precision");
    let [precision, weights] = PRECISIONS.iter().find(|(own, _)| *own == word).map_or(["", ""], |(_, both)| *both);
    let name = text(model, "model_id");
    meaning([
        ("device", &text(of, "gpu_model").to_lowercase()),
        ("device-raw", text(of, "gpu_model")),
        ("device-count", &number(&of["num_gpus"])),
        ("network", &entry(NETWORKS, name).unwrap_or_default()),
        ("network-raw", name),
        ("stage", "eval"),
        ("precision", precision),
        ("weight-format", weights),
    ])
}

/// The rows of a configuration of a language model: one of its rates, and one for each percentile.
fn of_language_model(model: &Value, of: &Value) -> Vec<Meaning> {
    let split = &of["parallelization"];
    let mut settings = shared(model, of);
    settings.extend(meaning([
        ("framework", "vllm"),
        ("dataset", &entry(DATASETS, text(model, "task")).unwrap_or_default()),
        ("tensor-parallel", &number(&split["tensor_parallel"])),
        ("data-parallel", &number(&split["data_parallel"])),
        ("expert-parallel", &number(&split["expert_parallel"])),
        ("concurrency", &number(&of["max_num_seqs"])),
        ("label", text(split, "notes")),
        ("counts", "token"),
        ("timed", "the steady state of a serving engine: prompts and answers, output tokens counted"),
    ]));
    let mut rates = settings.clone();
    rates.extend(meaning([
        ("metered", "device"),
        ("mean-output-length", &number(&of["avg_output_len"])),
        ("throughput-per-s", &number(&of["output_throughput_tokens_per_sec"])),
        ("power-w", &number(&of["avg_power_watts"])),
        ("energy-per-item-j", &number(&of["energy_per_token_joules"])),
        ("energy-per-request-j", &number(&of["energy_per_request_joules"])),
    ]));
    let of_percentile = |statistic: &str| {
        let mut row = settings.clone();
        let value = number(&of[format!("{statistic}_itl_ms")]);
        row.extend(meaning([("statistic", statistic), ("inter-token-latency-ms", &value)]));
        row
    };
    [rates].into_iter().chain(["median", "p90", "p95", "p99"].map(of_percentile)).collect()
}

/// The row of a configuration that makes pictures or films.
fn of_diffusion(model: &Value, of: &Value) -> Meaning {
    let is_film = !of["num_frames"].is_null();
    let what = if is_film { "video" } else { "image" };
    let extent = |key: &str| number(&of[format!("{what}_{key}")]);
    let frames = if is_film { format!("{}x", of["num_frames"]) } else { String::new() };
    let pace = if is_film { format!(", {} frames a second", of["fps"]) } else { String::new() };
    let made = if is_film { "videos" } else { "pictures" };
    let split = &of["parallelization"];
    let seconds = of["batch_latency_s"].as_f64().expect("seconds");
    let mut row = shared(model, of);
    row.extend(meaning([
        ("batch-size-global", &number(&of["batch_size"])),
        ("input-shape", &format!("3x{frames}{}x{}", extent("height"), extent("width"))),
        ("label", &format!("ring {}, Ulysses {}", split["ring_degree"], split["ulysses_degree"])),
        ("timed", &format!("a batch of prompts to finished {made} in {} steps{pace}", of["inference_steps"])),
        ("counts", what),
        ("metered", "device"),
        ("latency-ms", &(seconds * 1000.0).to_string()),
        ("throughput-per-s", &number(&of[format!("throughput_{what}s_per_sec")])),
        ("power-w", &number(&of["avg_power_watts"])),
        ("energy-per-item-j", &number(&of[format!("energy_per_{what}_joules")])),
    ]));
    row
}

fn of_file(path: &Path) -> Vec<Meaning> {
    let model: Value = serde_json::from_str(&read_text(path)).expect("JSON");
    let configurations = model["configurations"].as_array().expect("configurations");
    let of_one = |of: &Value| match of["max_num_seqs"].is_null() {
        true => vec![of_diffusion(&model, of)],
        false => of_language_model(&model, of),
    };
    configurations.iter().flat_map(of_one).collect()
}

#[test]
fn ml_energy_means_what_its_files_say() {
    SOURCE.holds(|folder| {
        let files = files_below(&folder.join("data/models"), "json");
        first_of_each(files.iter().flat_map(|path| of_file(path)), RESULTS)
    });
}
