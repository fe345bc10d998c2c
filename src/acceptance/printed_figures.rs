//! What sources print beside their figures is in their rows; typical pitfalls of sources on language models, energy and phones.

use std::collections::HashMap;
use std::fs;
use std::path::Path;

use dlbench::model::{Field, Measurement, Metric};
use dlbench::reading::read;
use serde_json::Value;

use crate::REPOSITORY;
use crate::sources::source;

/// The sources compared in this file.
pub(crate) const COMPARED: &[&str] = &[
    "aiconfigurator-2026",
    "aiconfigurator-kernels-2026",
    "kyuz0-b70-2026",
    "kyuz0-r9700-2026",
    "lhl-strix-halo-2025",
    "llmfit-2026",
    "mlperf-inference-v5.1",
    "neuronx-inference-2026",
    "optimum-habana-2026",
    "rknn-llm-2026",
    "sglang-jax-2026",
    "tpu-recipes-trillium-2026",
];

/// A source's printed figures: how often each occurs under a name.
#[derive(Default)]
struct Printed(HashMap<(String, String), usize>);

impl Printed {
    fn add(&mut self, name: impl Into<String>, figure: Option<f64>) {
        if let Some(figure) = figure {
            *self.0.entry((name.into(), digits(figure))).or_default() += 1;
        }
    }

    /// Removes one occurrence of a figure; returns whether there was one.
    fn take(&mut self, name: &str, figure: f64) -> bool {
        let count = self.0.get_mut(&(name.to_owned(), digits(figure))).filter(|count| **count > 0);
        count.map(|count| *count -= 1).is_some()
    }
}

/// Ten significant digits: nanoseconds and milliseconds of the same time agree in these.
fn digits(figure: f64) -> String {
    format!("{figure:.9e}")
}

/// The lines of a CSV table, keyed by its header.
fn table(path: &str) -> Option<Vec<HashMap<String, String>>> {
    let text = source(path)?;
    let mut reader = csv::Reader::from_reader(text.as_bytes());
    Some(reader.deserialize().collect::<Result<_, _>>().unwrap_or_else(|error| panic!("{path}: {error}")))
}

fn json(path: &str) -> Option<Value> {
    source(path).map(|text| serde_json::from_str(&text).unwrap_or_else(|error| panic!("{path}: {error}")))
}

/// A row as in its file, merged with the file's defaults.
struct Row(toml::Table);

impl Row {
    fn text(&self, key: &str) -> &str {
        self.0.get(key).and_then(toml::Value::as_str).unwrap_or_default()
    }

    fn figure(&self, key: &str) -> Option<f64> {
        match self.0.get(key)? {
            toml::Value::Float(figure) => Some(*figure),
            toml::Value::Integer(figure) => Some(*figure as f64),
            _ => None,
        }
    }
}

/// The rows of a source, read from its measurement files.
fn rows(source: &str) -> Vec<Row> {
    let mut rows = Vec::new();
    for file in fs::read_dir(Path::new(REPOSITORY).join("measurements").join(source)).expect("the measurements") {
        let text = fs::read_to_string(file.expect("a file").path()).expect("a text");
        let file: toml::Table = text.parse().expect("TOML");
        let part =
            |of: &toml::Table, key: &str| of.get(key).and_then(toml::Value::as_table).cloned().unwrap_or_default();
        let list =
            |of: &toml::Table, key: &str| of.get(key).and_then(toml::Value::as_array).cloned().unwrap_or_default();
        let shared = part(&file, "defaults");
        for run in list(&file, "run") {
            rows.push(Row(shared.clone().into_iter().chain(run.as_table().cloned().expect("a run")).collect()));
        }
        for table in list(&file, "table") {
            let table = table.as_table().expect("a table");
            for row in list(table, "rows") {
                let cells = list(table, "columns").into_iter().zip(row.as_array().cloned().expect("a row"));
                let cells = cells.filter(|(_, cell)| cell.as_str() != Some(""));
                let cells = cells.map(|(key, cell)| (key.as_str().expect("a key").to_owned(), cell));
                rows.push(Row(shared.clone().into_iter().chain(cells).collect()));
            }
        }
    }
    rows
}

/// Fails if figures in a source's rows are not printed by the source, or if fewer than `least` could be compared.
fn compare(source: &str, least: usize, mut printed: Printed, name: impl Fn(&Row) -> String, keys: &[&str]) {
    let rows = rows(source);
    let mut wrong = Vec::new();
    let mut figures = 0;
    for row in &rows {
        let name = name(row);
        for key in keys {
            let Some(figure) = row.figure(key) else { continue };
            figures += 1;
            if !printed.take(&name, figure) {
                wrong.push(format!("{name}: {key} {figure}"));
            }
        }
    }
    wrong.truncate(20);
    assert!(wrong.is_empty(), "{source} does not print\n{}", wrong.join("\n"));
    assert!(rows.len() >= least && figures >= least, "only {figures} figures of {} rows of {source}", rows.len());
    println!("{source}: {figures} figures of {} rows compared", rows.len());
}

fn parsed(cell: &str) -> Option<f64> {
    cell.parse().ok()
}

#[test]
fn serving_points_of_aiconfigurator_are_printed_there() {
    let path = "ai-dynamo__aiconfigurator/aic-core/src/aiconfigurator_core/systems/silicon_sample.csv";
    let Some(lines) = table(path) else { return };
    let mut printed = Printed::default();
    for line in &lines {
        printed.add(&line["id"], parsed(&line["silicon_ttft_ms"]));
        printed.add(&line["id"], parsed(&line["silicon_tpot_ms"]));
    }
    let keys = ["time-to-first-token-ms", "time-per-output-token-ms"];
    compare("aiconfigurator-2026", 3600, printed, |row| row.text("label").to_owned(), &keys);
}

#[test]
fn operations_of_aiconfigurator_are_printed_there() {
    let kernels = "ai-dynamo__aiconfigurator-kernels";
    let files = [
        (format!("{kernels}/gemm-derived.csv"), "gemm"),
        (format!("{kernels}/context-attention-derived.csv"), "prefill-attention"),
        (format!("{kernels}/generation-attention-derived.csv"), "decode-attention"),
        ("ai-dynamo__aiconfigurator-moe/moe-derived.csv".to_owned(), "moe"),
    ];
    let mut printed = Printed::default();
    for (file, operation) in files {
        let Some(lines) = table(&file) else { return };
        for line in &lines {
            let framework = line["framework"].to_lowercase().replace("trtllm", "tensorrt-llm");
            let of = [operation, &line["system"], &framework, &line["version"], &line["kernel_source"]];
            printed.add(of.join(" "), parsed(&line["latency"]));
        }
    }
    let name = |row: &Row| {
        let network = row.text("network").trim_start_matches("aiconfigurator-");
        let operation = ["gemm", "prefill-attention", "decode-attention"].into_iter().find(|one| *one == network);
        let of = ["device-raw", "framework", "framework-version", "kernel-library"].map(|key| row.text(key));
        format!("{} {}", operation.unwrap_or("moe"), of.join(" "))
    };
    compare("aiconfigurator-kernels-2026", 54_000, printed, name, &["latency-ms"]);
}

#[test]
fn sweeps_of_strix_halo_are_printed_there() {
    let Some(lines) = table("lhl__strix-halo-testing/llm-bench-derived.csv") else { return };
    let mut printed = Printed::default();
    for line in &lines {
        let name = format!("{} {} {}", line["test_time"], line["folder"], line["mode"]);
        for key in ["tokens_per_sec", "stddev_ts", "gtt_peak_mib", "median_power_w"] {
            printed.add(&name, parsed(&line[key]));
        }
    }
    let name = |row: &Row| {
        let mode = if row.text("stage") == "prefill" { "pp" } else { "tg" };
        format!("{} {} {mode}", row.text("label"), row.text("network-raw"))
    };
    let keys = ["throughput-per-s", "std-deviation", "memory-mib", "power-w"];
    compare("lhl-strix-halo-2025", 5200, printed, name, &keys);
}

#[test]
fn submitted_runs_of_llmfit_are_printed_there() {
    let Some(board) = json("AlexsJones__llmfit/benchmark-cache-derived.json") else { return };
    let Some(community) = json("AlexsJones__llmfit/community-derived.json") else { return };
    let mut printed = Printed::default();
    for run in board["rows"].as_array().expect("runs") {
        let name = run["createdAt"].as_str().expect("a time");
        for key in ["tokSOut", "tokSPrefill", "ttftMs"] {
            printed.add(name, run[key].as_f64());
        }
    }
    for (file, submission) in community.as_object().expect("submissions") {
        let stem = file.rsplit('/').next().unwrap_or_default().trim_end_matches(".json");
        for result in submission["results"].as_array().expect("results") {
            for key in ["avgTps", "minTps", "maxTps", "avgTtftMs"] {
                printed.add(stem, result[key].as_f64());
            }
        }
    }
    let name = |row: &Row| row.text("label").split("; ").next().unwrap_or_default().to_owned();
    let keys = ["throughput-per-s", "lowest", "highest", "time-to-first-token-ms"];
    compare("llmfit-2026", 1200, printed, name, &keys);
}

#[test]
fn results_and_logs_of_mlperf_inference_v5_1_are_printed_there() {
    let folder = "mlcommons__inference_results_v5.1";
    let Some(results) = json(&format!("{folder}/summary_results.json")) else { return };
    let Some(logs) = table(&format!("{folder}/summary-derived.csv")) else { return };
    let mut printed = Printed::default();
    for result in results.as_array().expect("results") {
        let name = result["Location"].as_str().expect("a place").to_lowercase();
        printed.add(&name, result["Performance_Result"].as_f64());
        let power = result["Power_Result"].as_f64();
        let is_power = result["Power_Units"].as_str() == Some("Watts");
        printed.add(&name, power.map(|power| if is_power { power } else { power / 1000.0 }));
    }
    for log in &logs {
        let name = log["source_path"].split("/performance").next().unwrap_or_default().to_lowercase();
        let times = ["mean_ttft_ns", "p50_ttft_ns", "p99_ttft_ns", "mean_tpot_ns", "p50_tpot_ns", "p99_tpot_ns"];
        for key in times.into_iter().chain(["mean_latency_ns"]) {
            printed.add(&name, parsed(&log[key]).map(|nanoseconds| nanoseconds / 1e6));
        }
    }
    let name = |row: &Row| row.text("label").rsplit("; ").next().unwrap_or_default().to_lowercase();
    let keys = [
        "throughput-per-s",
        "latency-ms",
        "mean-latency-ms",
        "power-w",
        "energy-per-item-j",
        "time-to-first-token-ms",
        "time-per-output-token-ms",
    ];
    compare("mlperf-inference-v5.1", 1500, printed, name, &keys);
}

#[test]
fn served_runs_on_the_r9700_are_printed_there() {
    let Some(lines) = table("kyuz0__amd-r9700-vllm-toolboxes/vllm-runs-derived.csv") else { return };
    let mut printed = Printed::default();
    for line in &lines {
        let name = format!("{} {}", line["folder"], line["model"]);
        printed.add(&name, parsed(&line["total_tokens_per_s"]));
        for statistic in ["mean", "median", "p99"] {
            for time in ["ttft", "tpot", "itl"] {
                printed.add(&name, parsed(&line[&format!("{statistic}_{time}_ms")]));
            }
        }
    }
    let name = |row: &Row| format!("{} {}", row.text("device-raw"), row.text("network-raw"));
    let keys = ["throughput-per-s", "time-to-first-token-ms", "time-per-output-token-ms", "inter-token-latency-ms"];
    compare("kyuz0-r9700-2026", 320, printed, name, &keys);
}

#[test]
fn runs_on_the_b70_are_printed_there() {
    let mut printed = Printed::default();
    for (file, model) in [("results.json", "model_clean"), ("vllm-results.json", "model")] {
        let Some(results) = json(&format!("kyuz0__intel-b70-ai-toolboxes/docs/{file}")) else { return };
        for run in results["runs"].as_array().expect("runs") {
            let name = run[model].as_str().expect("a model");
            printed.add(name, run["tps_mean"].as_f64());
            printed.add(name, run["tps_std"].as_f64());
        }
    }
    let name = |row: &Row| row.text("network-raw").to_owned();
    compare("kyuz0-b70-2026", 90, printed, name, &["throughput-per-s", "std-deviation"]);
}

#[test]
fn runs_of_rknn_llm_are_printed_there() {
    let Some(page) = source("airockchip__rknn-llm/benchmark.md") else { return };
    let mut printed = Printed::default();
    for cell in page.lines().filter(|line| line.starts_with('|')).flat_map(|line| line.split('|')) {
        let cell = cell.trim();
        let end = cell.find(|c: char| !c.is_ascii_digit() && c != '.').unwrap_or(cell.len());
        let is_seconds = matches!(cell[end..].trim(), "s");
        printed.add("", parsed(&cell[..end]).map(|figure| if is_seconds { figure * 1000.0 } else { figure }));
    }
    let keys = ["throughput-per-s", "latency-ms", "time-to-first-token-ms"];
    compare("rknn-llm-2026", 200, printed, |_| String::new(), &keys);
}

/// Minimum number of a source's rows that state a field. Raise a number when it has risen; never lower one.
const STATED: &[(&str, Field, usize)] = &[
    ("nvidia-dle-2024", Field::Container, 8868),
    ("nvidia-dle-2024", Field::FrameworkVersion, 9098),
    ("nvidia-dle-2024", Field::DeviceCount, 9478),
    ("nvidia-dle-2024", Field::Host, 6980),
    ("nvidia-dle-2024", Field::Mode, 1638),
    ("nvidia-dle-2024", Field::Setting, 2),
    ("nvidia-dle-2024", Field::N, 2540),
    ("nvidia-dle-2024", Field::Dataset, 8890),
    ("nvidia-dle-2024", Field::InputShape, 3238),
    ("nvidia-dle-2024", Field::BatchSizeGlobal, 168),
    ("deepbench-2020", Field::Cuda, 7133),
    ("deepbench-2020", Field::Driver, 7133),
    ("deepbench-2020", Field::Os, 8728),
    ("deepbench-2020", Field::KernelLibrary, 1275),
    ("deepbench-2020", Field::SequenceLength, 1797),
    ("deepbench-2020", Field::Setting, 1249),
    ("deepbench-2020", Field::Software, 1595),
    ("ryujaehun-2021", Field::BatchSize, 3560),
    ("ryujaehun-2021", Field::InputShape, 3560),
    ("ryujaehun-2021", Field::Cuda, 3072),
    ("mxnet-2023", Field::Instance, 447),
    ("jcjohnson-2017", Field::Host, 360),
    ("jcjohnson-2017", Field::Cuda, 360),
    ("dawnbench-2020", Field::PriceUsdPerHour, 44),
    ("lambdal-2025", Field::BatchSize, 2632),
    ("ncnn-2026", Field::Os, 2900),
    ("hailo-2026", Field::DatasetRaw, 1639),
    ("hailo-2026", Field::Setting, 68),
    ("hailo-2026", Field::InputShape, 1546),
    ("hailo-2026", Field::Software, 1640),
    ("ai-hub-models-2026", Field::FrameworkVersion, 10005),
    ("mlperf-inference-v2.0", Field::Instance, 111),
    ("mlperf-training-v1.1", Field::Instance, 22),
];

/// The measurements of the repository.
fn measurements() -> Vec<Measurement> {
    read(Path::new(REPOSITORY)).expect("the knowledge base is read").measurements
}

#[test]
fn rows_say_what_their_sources_state_elsewhere_and_nothing_more() {
    let all = measurements();
    let of = |source: &'static str| all.iter().filter(move |row| row.source().as_str() == source);
    for (source, field, least) in STATED {
        let stated = of(source).filter(|row| row.get(*field).is_some()).count();
        assert!(stated >= *least, "{source}: {stated} rows state {}, it were {least}", field.key());
    }

    let text = |row: &Measurement, field| row.text(field).unwrap_or_default().to_owned();
    // MXNet's page states a precision for one table only, and its ResNets are v2.
    assert_eq!(of("mxnet-2023").filter(|row| row.precision().is_some()).count(), 45);
    assert_eq!(of("mxnet-2023").filter(|row| text(row, Field::Network).starts_with("resnet-")).count(), 152);
    assert!(of("mxnet-2023").all(|row| !["resnet-50", "resnet-152"].contains(&text(row, Field::Network).as_str())));
    // Pseudo FP16 computes in 32 bits.
    let pseudo: Vec<_> =
        of("deepbench-2020").filter(|row| text(row, Field::Setting).starts_with("pseudo FP16")).collect();
    assert_eq!((pseudo.len(), pseudo.iter().filter(|row| row.precision().is_some()).count()), (537, 0));
    // Clouds count the GPUs of a K80 or M60; a board has two.
    for source in
        ["mxnet-2023", "minimaxir-2017", "szilard-2017", "tensorflow-docs-2026", "dawnbench-2020", "ilkarman-2018"]
    {
        let boards = ["tesla-k80", "tesla-m60"];
        assert!(of(source).all(|row| !boards.contains(&text(row, Field::Device).as_str())), "{source}");
    }
    // The machine and the memory in a heading identify the GPU.
    let dgx = of("nvidia-dle-2024").filter(|row| text(row, Field::Host).starts_with("NVIDIA DGX"));
    let family = dgx.filter(|row| ["a100", "tesla-v100"].contains(&text(row, Field::Device).as_str()));
    assert!(family.clone().all(|row| !text(row, Field::DeviceRaw).contains("0G")), "a DGX with its memory is a SKU");
    assert_eq!(family.count(), 64);
    // A note is required if the file says fp32 on a GPU with TF32.
    for (source, rows) in [("lambdal-2025", 1610), ("ryujaehun-2021", 256)] {
        assert_eq!(of(source).filter(|row| text(row, Field::Notes).contains("in TF32")).count(), rows, "{source}");
    }
    // fb.resnet.torch has the stride of v1.5.
    for network in ["resnet-50-v1.5", "resnet-101-v1.5", "resnet-152-v1.5"] {
        assert_eq!(of("jcjohnson-2017").filter(|row| text(row, Field::Network) == network).count(), 42, "{network}");
    }
    // Number of passes over the data, also if a file counts them from 0.
    let passes = |label: &'static str| {
        let row = of("dawnbench-2020").find(|row| text(row, Field::Label) == label).expect(label);
        row.get(Field::Epochs).map(|value| value.to_string())
    };
    assert_eq!(passes("kakaobrain_custom-resnet9_1v100-braincloud_pytorch").as_deref(), Some("25"));
    assert_eq!(passes("davidcpage_resnet9_1v100-ec2_pytorch").as_deref(), Some("24"));
}

#[test]
fn a_gpu_of_ncnn_is_the_one_that_its_log_lists() {
    let all = measurements();
    let rows = || all.iter().filter(|row| row.source().as_str() == "ncnn-2026");
    let text = |row: &Measurement, field| row.text(field).unwrap_or_default().to_owned();
    let device = |raw: &str| -> Vec<String> {
        let mut devices: Vec<String> = rows()
            .filter(|row| text(row, Field::DeviceRaw).ends_with(raw))
            .map(|row| text(row, Field::Device))
            .collect();
        devices.dedup();
        devices
    };
    assert_eq!(device("Microsoft Direct3D12 (Intel(R) UHD Graphics)"), ["intel-uhd-graphics-11800h"]);
    assert_eq!(device("NVIDIA Tegra X2 (nvgpu)"), ["jetson-tx2-nx"]);
    assert_eq!(device(": AMD Radeon RX 6900 XT"), ["radeon-rx-6900-xt"]);
    assert!(rows().all(|row| !text(row, Field::Os).ends_with("CPU") && !text(row, Field::Os).ends_with("GPU")));
    let lost = rows().filter(|row| row.outcome().is_some());
    assert!(lost.clone().all(|row| text(row, Field::Device) == "rockchip-rk3588s-gpu"));
    assert_eq!(lost.count(), 19);
    assert!(rows().count() >= 8554);
}

fn text(row: &Measurement, field: Field) -> &str {
    row.text(field).unwrap_or_default()
}

fn value(row: &Measurement, metric: Metric) -> Option<f64> {
    row.metric(metric).map(|value| value.value())
}

/// The relative difference of two numbers, as a fraction of the second.
fn apart(one: f64, other: f64) -> f64 {
    (one / other - 1.0).abs()
}

#[test]
fn figures_of_language_models_are_what_their_sources_count() {
    let all = read(Path::new(REPOSITORY)).expect("the knowledge base is read").measurements;
    let of = |source: &str| -> Vec<&Measurement> { all.iter().filter(|row| row.source().as_str() == source).collect() };
    ml_energy(&of("ml-energy-2026"));
    llm_inference_bench(&of("llm-inference-bench-2025"));
    tensorrt_llm(&of("tensorrt-llm-2025"));
    megatron_bridge(&of("megatron-bridge-2026"));
    ai_hub_models(&of("ai-hub-models-2026"));
}

/// Power and energy cover all GPUs and nothing else, and energy per token means per output token.
fn ml_energy(rows: &[&Measurement]) {
    assert_eq!(rows.len(), 5195);
    let metered: Vec<_> = rows.iter().filter(|row| row.metric(Metric::PowerW).is_some()).collect();
    assert_eq!(metered.len(), 1855);
    for row in rows {
        let is_of_energy = row.metrics().iter().any(|(metric, _)| metric.is_of_energy());
        assert_eq!(text(row, Field::Metered) == "device", is_of_energy, "{}", row.id());
        // Each percentile has its own row.
        assert_eq!(row.statistic().is_some(), row.metric(Metric::InterTokenLatencyMs).is_some(), "{}", row.id());
    }
    for row in metered {
        let (power, rate) = (value(row, Metric::PowerW).unwrap(), value(row, Metric::ThroughputPerS).unwrap());
        let energy = value(row, Metric::EnergyPerItemJ).unwrap();
        assert!(apart(energy * rate, power) < 0.1, "{}: {energy} J x {rate}/s is not {power} W", row.id());
    }
    let of_tokens = rows.iter().filter(|row| row.metric(Metric::EnergyPerRequestJ).is_some());
    assert!(of_tokens.clone().count() > 800 && of_tokens.clone().all(|row| text(row, Field::Counts) == "token"));
    assert!(rows.iter().all(|row| row.text(Field::FrameworkVersion).is_none()), "no file names it");
}

/// Input and output tokens are counted together, with one exception; some power values under the heading of watts are milliwatts.
fn llm_inference_bench(rows: &[&Measurement]) {
    assert_eq!(rows.len(), 5906);
    let mut together = 0;
    for row in rows.iter().filter(|row| row.text(Field::Label).is_none()) {
        let (length, batch) = (row.count(Field::InputLength).unwrap(), row.count(Field::BatchSizeGlobal).unwrap());
        assert_eq!(row.count(Field::OutputLength), Some(length));
        let latency = value(row, Metric::LatencyMs).unwrap();
        if let Some(rate) = value(row, Metric::ThroughputPerS) {
            let tokens = (2 * length * batch) as f64;
            assert!(apart(rate * latency / 1000.0, tokens) < 0.01, "{}: {rate}/s", row.id());
            together += 1;
        } else {
            assert!(text(row, Field::Framework) == "llama-cpp" && batch > 1, "{}", row.id());
            assert_eq!(row.implied(Metric::ThroughputPerS), None, "what its latency is of is not known");
        }
    }
    assert!(together > 3500, "{together}");
    let powers: Vec<f64> = rows.iter().filter_map(|row| value(row, Metric::PowerW)).collect();
    assert!(powers.len() > 200 && powers.iter().all(|power| (50.0..1500.0).contains(power)), "{powers:?}");
    let kinds = ["Intel PVC GPU", "Intel Max 1550"];
    let of_kind = rows.iter().filter(|row| kinds.contains(&text(row, Field::DeviceRaw)));
    assert!(of_kind.clone().all(|row| text(row, Field::Device) == "data-center-gpu-max-1550"));
    let gaudi = rows.iter().filter(|row| text(row, Field::Framework) == "deepspeed");
    assert!(gaudi.clone().count() > 300 && gaudi.clone().all(|row| text(row, Field::Device) == "gaudi-2"));
    assert!(rows.iter().all(|row| row.precision().is_none() || text(row, Field::Label) == "figure 3"));
}

/// Rates are for all GPUs together; weights have four bits on Blackwell and eight on Hopper.
fn tensorrt_llm(rows: &[&Measurement]) {
    assert_eq!(rows.len(), 328);
    for row in rows {
        let devices = row.count(Field::DeviceCount).unwrap();
        let split = |field| row.count(field).unwrap();
        assert_eq!(split(Field::TensorParallel) * split(Field::PipelineParallel), devices, "{}", row.id());
        assert!(row.metric(Metric::DeviceThroughputPerS).is_none());
        let is_hopper = text(row, Field::Device).starts_with('h');
        assert_eq!(text(row, Field::Precision), if is_hopper { "fp8" } else { "fp4" }, "{}", row.id());
    }
}

/// Rates are per GPU, container releases are separate runs, and footnote marks are not digits.
fn megatron_bridge(rows: &[&Measurement]) {
    assert_eq!(rows.len(), 282);
    assert!(
        rows.iter().all(|row| row.text(Field::FrameworkVersion).is_some() && row.text(Field::Stage) == Some("train"))
    );
    let marked: Vec<_> = rows.iter().filter(|row| row.text(Field::Notes).is_some()).collect();
    assert_eq!(marked.len(), 3);
    assert!(marked.iter().all(|row| value(row, Metric::DeviceGflops).unwrap() < 1e6));
    let one = rows.iter().find(|row| {
        text(row, Field::Network) == "deepseek-v3"
            && text(row, Field::Device) == "gb300"
            && text(row, Field::FrameworkVersion) == "26.08"
    });
    let one = one.expect("DeepSeek-V3 on GB300 in 26.08");
    assert_eq!(value(one, Metric::DeviceThroughputPerS), Some(6288.0));
    assert_eq!(one.implied(Metric::ThroughputPerS).map(|rate| rate.to_string()).as_deref(), Some("1609728"));
}

/// A proxy is not the chip it represents, a component is not a network, and a release is not the next one.
fn ai_hub_models(rows: &[&Measurement]) {
    assert_eq!(rows.len(), 28741);
    for row in rows {
        let is_stand_in = text(row, Field::DeviceRaw).ends_with("(Proxy)");
        assert_eq!(text(row, Field::Device).ends_with("-proxy"), is_stand_in, "{}", row.id());
        assert!(text(row, Field::Software).starts_with("AI Hub Models v"), "{}", row.id());
        let of_tokens = text(row, Field::Counts) == "token";
        assert_eq!(row.metric(Metric::ThroughputPerS).is_some(), of_tokens, "{}", row.id());
        assert_eq!(row.text(Field::ComputeUnit).is_none(), of_tokens, "{}", row.id());
        // The fp16 inputs and outputs of a quantised network are not its compute precision.
        let is_quantised = text(row, Field::NetworkRaw).ends_with("quantized");
        assert!(!is_quantised || !["fp16", "fp32"].contains(&text(row, Field::Precision)), "{}", row.id());
    }
    let of = |network: &'static str| rows.iter().filter(move |row| text(row, Field::NetworkRaw) == network);
    assert!(of("whisper_tiny").count() > 50 && of("whisper_tiny").all(|row| row.text(Field::Component).is_some()));
    assert!(of("mobilenet_v2").count() > 100 && of("mobilenet_v2").all(|row| row.text(Field::Component).is_none()));
    assert!(rows.iter().filter(|row| text(row, Field::ComputeUnit) == "cpu").count() > 700, "what fell back is said");
}

/// Pages without a stored copy: their figures were typed twice, once into the rows and once into this file.
const TYPED: &str = include_str!("printed_accelerators.txt");

#[test]
fn figures_that_were_copied_by_hand_are_those_that_were_typed_a_second_time() {
    let mut printed: HashMap<&str, Printed> = HashMap::new();
    let mut of = "";
    for line in TYPED.lines().skip_while(|line| !line.contains("-2026")) {
        if let Some(source) = line.strip_prefix("# ") {
            of = source;
            continue;
        }
        let (_, figures) = line.rsplit_once(": ").expect("`place: figures`");
        for figure in figures.split([' ', ';']).filter(|figure| !figure.is_empty()) {
            let number =
                |text: &str| text.replace(',', "").parse::<f64>().unwrap_or_else(|_| panic!("{line}: {figure}"));
            let value = figure.strip_suffix('s').map_or_else(|| number(figure), |seconds| number(seconds) * 1000.0);
            printed.entry(of).or_default().add("", Some(value));
        }
    }
    assert_eq!(printed.len(), 4);
    let all = read(Path::new(REPOSITORY)).expect("the knowledge base is read").measurements;
    for (source, mut printed) in printed {
        for row in all.iter().filter(|row| row.source().as_str() == source) {
            for (metric, figure) in row.metrics() {
                assert!(printed.take("", figure.value()), "{}: {metric} {figure} is not printed", row.id());
            }
        }
        let left: Vec<_> = printed.0.iter().filter(|(_, count)| **count > 0).collect();
        assert!(left.is_empty(), "{source} prints what no row has: {left:?}");
    }
}
