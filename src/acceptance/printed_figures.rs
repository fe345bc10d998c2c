//! Sources that come in by no recipe and no format: each figure of their rows is one that the source prints under the same name, and
//! none is taken twice. What a source prints and is left out is counted in its entry.
//!
//! The sources are not part of the repository. Where a copy of them lies beside it, they are compared; elsewhere each test says that it
//! is skipped.

use std::collections::HashMap;
use std::fs;
use std::path::Path;

use serde_json::Value;

use crate::REPOSITORY;
use crate::sources::source;

/// The sources that are compared here.
pub(crate) const COMPARED: &[&str] = &[
    "aiconfigurator-2026",
    "aiconfigurator-kernels-2026",
    "kyuz0-b70-2026",
    "kyuz0-r9700-2026",
    "lhl-strix-halo-2025",
    "llmfit-2026",
    "mlperf-inference-v5.1",
    "rknn-llm-2026",
];

/// What a source prints: how often each figure stands under a name.
#[derive(Default)]
struct Printed(HashMap<(String, String), usize>);

impl Printed {
    fn add(&mut self, name: impl Into<String>, figure: Option<f64>) {
        if let Some(figure) = figure {
            *self.0.entry((name.into(), digits(figure))).or_default() += 1;
        }
    }

    /// Takes a figure away; whether it was there.
    fn take(&mut self, name: &str, figure: f64) -> bool {
        let count = self.0.get_mut(&(name.to_owned(), digits(figure))).filter(|count| **count > 0);
        count.map(|count| *count -= 1).is_some()
    }
}

/// Ten digits: nanoseconds and milliseconds of one time agree in these.
fn digits(figure: f64) -> String {
    format!("{figure:.9e}")
}

/// The lines of a table with a head.
fn table(path: &str) -> Option<Vec<HashMap<String, String>>> {
    let text = source(path)?;
    let mut reader = csv::Reader::from_reader(text.as_bytes());
    Some(reader.deserialize().collect::<Result<_, _>>().unwrap_or_else(|error| panic!("{path}: {error}")))
}

fn json(path: &str) -> Option<Value> {
    source(path).map(|text| serde_json::from_str(&text).unwrap_or_else(|error| panic!("{path}: {error}")))
}

/// A row as its file has it, with what the rows of the file share.
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

/// The rows of a source, read from its files.
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

/// Fails with the rows of a source of which a figure is not printed; fewer rows than `least` would be no comparison.
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
