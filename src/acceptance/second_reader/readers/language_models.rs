//! Language-model sources: kyuz0, LLM-Inference-Bench, ML.ENERGY.

use std::collections::BTreeMap;
use std::path::Path;

use serde_json::Value;

use super::{Meaning, Source, csv_records, entry, files_below, first_of_each, meaning, pattern, read_text};

const KYUZ0_SOURCE: Source = Source {
    id: "kyuz0-strix-halo-2026",
    folder: "kyuz0__amd-strix-halo-toolboxes",
    also: &[
        "device-raw",
        "network-raw",
        "framework-version",
        "kernel-library",
        "weight-format",
        "input-length",
        "output-length",
        "mode",
        "timed",
        "label",
        "n",
        "std-deviation",
        "date",
        "outcome",
        "counts",
        "throughput-per-s",
    ],
};

const KYUZ0_NETWORKS: &[(&str, &str)] = &[
    (r"^(Qwen3\.\d-\d+B(?:-A\d+B)?|gemma-4-\d+B(?:-A\d+B)?)-", "$1"),
    (r"^(GLM-4\.7-Flash|MiniMax-M2\.7|Ministral-3-14B|DeepSeek-V4-Flash|gpt-oss-\d+b|llama-2-7b)", "$1"),
    (r"^NVIDIA-(Nemotron-3-Super)-", "$1"),
];

fn text<'v>(value: &'v Value, key: &str) -> &'v str {
    value[key].as_str().unwrap_or_default()
}

/// A number as text; empty if the value is not a number.
fn number(value: &Value) -> String {
    value.as_number().map(ToString::to_string).unwrap_or_default()
}

/// Fields shared by all rows. The model's name ends in the format of the weights, which is not the compute precision.
fn of_model(name: &str) -> Meaning {
    let weights = pattern(r"[-.]((?:UD-)?I?Q\d\w*|BF16|mxfp4)$").captures(name).expect("the format of the weights");
    meaning([
        ("device", "radeon-8060s"),
        ("device-count", "1"),
        ("framework", "llama-cpp"),
        ("counts", "token"),
        ("network", &entry(KYUZ0_NETWORKS, name).unwrap_or_default()),
        ("network-raw", name),
        ("weight-format", &weights[1]),
    ])
}

/// The deviation; empty if it was rounded to zero.
fn deviation(value: &Value) -> String {
    if value.as_f64() == Some(0.0) { String::new() } else { number(value) }
}

/// The rows of llama-bench: "pp512" reads 512 tokens, "tg128" generates 128, "@ d32768" starts after 32768 tokens of context.
fn of_bench(file: &Value) -> Vec<Meaning> {
    let date = text(&file["meta"], "generated_at").get(..7).unwrap_or_default().to_owned();
    let of_run = |run: &Value| {
        let has_failed = run["error"] == true;
        if run["tps_mean"].is_null() && !has_failed {
            return None;
        }
        let test = pattern(r"^(pp|tg)(\d+)(?: @ d(\d+))?$").captures(text(run, "test"));
        let part =
            |at: usize| test.as_ref().and_then(|test| test.get(at)).map(|part| part.as_str()).unwrap_or_default();
        let timed = match (part(1), part(3)) {
            ("", _) => format!("all tests with the context {}", text(run, "context")),
            (kind, depth) => {
                let which = if kind == "pp" { "input" } else { "output" };
                let behind =
                    if depth.is_empty() { String::new() } else { format!(", behind {depth} tokens in the cache") };
                format!("{which} tokens{behind}, by llama-bench")
            }
        };
        let build = text(&run["build"], "number");
        let mut row = of_model(text(run, "model_clean"));
        row.extend(meaning([
            ("device-raw", "AMD Strix Halo"),
            ("framework-version", &if build.is_empty() { String::new() } else { format!("b{build}") }),
            ("kernel-library", text(run, "env")),
            (
                "stage",
                if part(1) == "pp" {
                    "prefill"
                } else if part(1) == "tg" {
                    "decode"
                } else {
                    ""
                },
            ),
            ("input-length", if part(1) == "pp" { part(2) } else { "" }),
            ("output-length", if part(1) == "tg" { part(2) } else { "" }),
            ("mode", if run["fa"] == true { "flash attention" } else { "" }),
            ("timed", &timed),
            ("statistic", if has_failed { "" } else { "mean" }),
            ("std-deviation", &deviation(&run["tps_std"])),
            ("date", &date),
            ("outcome", if has_failed { "crashed" } else { "" }),
            ("throughput-per-s", &number(&run["tps_mean"])),
        ]));
        Some(row)
    };
    file["runs"].as_array().expect("runs").iter().filter_map(of_run).collect()
}

/// The rows of a file of context depths; build numbers are listed with the toolboxes, and some builds have none.
fn of_depths(file: &Value) -> Vec<Meaning> {
    let meta = &file["meta"];
    let of_boxes = meta["toolboxes"].as_array().into_iter().flatten().map(|toolbox| &toolbox["builds"]);
    let builds = of_boxes.chain([&meta["builds"]]).filter_map(Value::as_array).flatten();
    let builds: BTreeMap<&str, String> = builds
        .map(|build| (text(build, "hash"), number(&build["number"])))
        .filter(|(_, number)| !number.is_empty())
        .collect();
    let of_point = |point: &Value| {
        let commit = text(point, "build_commit");
        let writes = text(point, "series") == "generation";
        let tokens = number(&point[if writes { "generation_tokens" } else { "prompt_tokens" }]);
        let ubatch = format!("ubatch {}", point["ubatch"]);
        let label = match text(point, "profile") {
            "" => ubatch,
            profile => format!("profile {profile}, {ubatch}"),
        };
        let samples = point["samples"].as_array().map_or(0, Vec::len);
        let mut row = of_model(text(point, "model"));
        row.extend(meaning([
            ("device-raw", text(point, "gpu_info")),
            ("framework-version", &builds.get(commit).map_or(commit.to_owned(), |number| format!("b{number}"))),
            ("kernel-library", text(point, "toolbox").trim_start_matches("llama-")),
            ("stage", if writes { "decode" } else { "prefill" }),
            ("input-length", if writes { "" } else { &tokens }),
            ("output-length", if writes { &tokens } else { "" }),
            (
                "timed",
                &format!("{} tokens, behind {} tokens in the cache", text(point, "series"), point["starting_depth"]),
            ),
            ("label", &label),
            ("n", &samples.to_string()),
            ("statistic", "mean"),
            ("std-deviation", &deviation(&point["stddev"])),
            ("throughput-per-s", &number(&point["mean"])),
        ]));
        row
    };
    file["points"].as_array().expect("points").iter().map(of_point).collect()
}

#[test]
fn strix_halo_means_what_its_files_say() {
    KYUZ0_SOURCE.assert_matches(|folder: &Path| {
        let file =
            |name: &str| -> Value { serde_json::from_str(&read_text(&folder.join("docs").join(name))).expect("JSON") };
        let mut rows = of_bench(&file("results.json"));
        rows.extend(of_depths(&file("toolbox-performance-results.json")));
        rows.extend(of_depths(&file("ryzen-ai-halo-results.json")));
        rows
    });
}

const LLM_INFERENCE_BENCH_SOURCE: Source = Source {
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

/// Fields that are results, not settings.
const RESULTS: &[&str] = &["time-to-first-token-ms", "latency-ms", "throughput-per-s", "power-w", "counts"];

/// Devices; two of the names are the same device.
const DEVICES: &[(&str, &str)] = &[
    (r"^AMD (MI\d+X?) GPU$", "instinct-$1"),
    (r"^Nvidia (\w+) GPU$", "$1"),
    (r"^Intel (?:PVC GPU|Max 1550)$", "data-center-gpu-max-1550"),
    (r"^Habana Gaudi2$", "gaudi-2"),
    (r"^SambaNova (SN40L)$", "$1"),
];

const FRAMEWORKS: &[(&str, &str)] = &[(r"^llama\.cpp$", "llama-cpp"), (r"^(.+)$", "$1")];

const LLM_INFERENCE_BENCH_NETWORKS: &[(&str, &str)] = &[
    (r"/(Llama-2-\d+b)-hf$", "$1"),
    (r"/Meta-(Llama-3-\d+B)$", "$1"),
    (r"/(Mistral-7B|Mixtral-8x7B)-v0\.\d$", "$1"),
    (r"/(gemma-1\.1-7b)-it$", "$1"),
    (r"/(.+)$", "$1"),
];

/// Files, each with the label of its rows.
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

/// The degree of one kind of parallelism: all devices, or the number that a mixed scheme states.
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
    // Shifts the decimal point in the text, because a multiplication would round.
    let milliseconds: f64 = format!("{}e3", cell(&["Latency", "latency"])).parse().expect("a latency");
    let rate = number(&["Throughput", "throughput"]);
    let both = 2.0 * length.parse::<f64>().expect("a length") * batch.parse::<f64>().expect("a batch");
    let counts_both = rate.is_some_and(|rate| (rate * milliseconds / 1000.0 / both - 1.0).abs() < 0.01);
    let engine = cell(&["Framework"]);
    // Nothing says what llama.cpp's rates of several requests count.
    let is_read = counts_both || engine != "llama.cpp" && rate.is_some();
    // A power above that of any device in watts is in milliwatts.
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
        ("network", &entry(LLM_INFERENCE_BENCH_NETWORKS, name).unwrap_or_default()),
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
    LLM_INFERENCE_BENCH_SOURCE.assert_matches(|folder: &Path| {
        let mut rows = Vec::new();
        for (file, figure) in FILES {
            let records = csv_records(&folder.join(file));
            let of_file = records.iter().filter(|record| !record["Hardware"].is_empty());
            // A repeated setting within a file is its second figure.
            rows.extend(first_of_each(of_file.map(|record| of_record(record, figure)), RESULTS));
        }
        rows
    });
}

const ML_ENERGY_SOURCE: Source = Source {
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

/// Fields that are results, not settings.
const ML_ENERGY_RESULTS: &[&str] = &[
    "mean-output-length",
    "inter-token-latency-ms",
    "latency-ms",
    "throughput-per-s",
    "power-w",
    "energy-per-item-j",
    "energy-per-request-j",
];

/// Networks: instruct, thinking and coding models of one size are one network, unless the coding model has its own size.
const ML_ENERGY_NETWORKS: &[(&str, &str)] = &[
    (r"^Qwen/Qwen3-Coder-30B-A3B-", "qwen3-30b-a3b"),
    (r"^Qwen/(Qwen3-(?:Coder-|Omni-|VL-)?\d+B(?:-A\d+B)?)(?:-Instruct|-Thinking|$)", "$1"),
    (r"/SANA(1\.5)_(\d\.\dB)_1024px", "sana-$1-$2"),
    (r"/PixArt-Sigma-XL-2-1024-MS$", "pixart-sigma-xl-2-1024"),
    (r"/HunyuanDiT-v1\.2-", "hunyuandit-1.2"),
    (r"/(Wan2\.1-T2V-\d+(?:\.\d)?B)-", "$1"),
    (r"/(DeepSeek-R1)-0528$", "$1"),
    (r"/(gemma-3-\d+b)-it$", "$1"),
    // The only tuned model that has its own network entry.
    (r"/(Llama-3\.1-8B-Instruct)$", "$1"),
    (r"/(Llama-3\.\d-\d+B)-Instruct", "$1"),
    (r"/(Llama-4-\w+)-17B-", "$1"),
    (r"/NVIDIA-(Nemotron-Nano-12B-v2-VL)-BF16$", "$1"),
    (r"/NVIDIA-(Nemotron-Nano-\d+B-v2)$", "$1"),
    (r"/([^/]+)$", "$1"),
];

/// The prompts of a task; sets that are not established data sets have entries of their own.
const DATASETS: &[(&str, &str)] =
    &[("^(image-chat|video-chat)$", "ml-energy-$1"), ("^(gpqa|lm-arena-chat|sourcegraph-fim)$", "$1")];

/// Weight precision, with the compute precision and the weight format: for fp4 weights the source does not say what is computed in.
const PRECISIONS: &[(&str, [&str; 2])] =
    &[("bfloat16", ["bf16", ""]), ("fp8", ["fp8", "fp8"]), ("mxfp4", ["", "mxfp4"])];

/// Fields shared by all rows of a configuration.
fn shared(model: &Value, of: &Value) -> Meaning {
    let word = text(model, "weight_precision");
    let [precision, weights] = PRECISIONS.iter().find(|(own, _)| *own == word).map_or(["", ""], |(_, both)| *both);
    let name = text(model, "model_id");
    meaning([
        ("device", &text(of, "gpu_model").to_lowercase()),
        ("device-raw", text(of, "gpu_model")),
        ("device-count", &number(&of["num_gpus"])),
        ("network", &entry(ML_ENERGY_NETWORKS, name).unwrap_or_default()),
        ("network-raw", name),
        ("stage", "eval"),
        ("precision", precision),
        ("weight-format", weights),
    ])
}

/// The rows of a language-model configuration: one with its rates, and one per percentile.
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

/// The row of a configuration that generates images or videos.
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
    ML_ENERGY_SOURCE.assert_matches(|folder| {
        let files = files_below(&folder.join("data/models"), "json");
        first_of_each(files.iter().flat_map(|path| of_file(path)), ML_ENERGY_RESULTS)
    });
}
