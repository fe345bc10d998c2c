//! Re-reads the sources: imports reproduce every file byte for byte, and an independent reading finds every figure in the base.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::{Path, PathBuf};

use serde_json::Value;
use tempfile::TempDir;

use crate::real_kb::on_repository;
use crate::{Dlbench, REPOSITORY};
use dlbench_second_reader::{CORRECTED, CORRECTED_LABELS, rows_of};

/// Figures, keyed by a line of the values that distinguish them.
type Figures = BTreeMap<String, f64>;

/// The text of a source's file; `None` with a message if it cannot be compared.
pub(crate) fn source(path: &str) -> Option<String> {
    let file = crate::sources_folder().join(path);
    if !file.parent().is_some_and(Path::is_dir) {
        eprintln!("skipped: the sources do not lie beside the repository ({} is missing)", file.display());
        return None;
    }
    Some(fs::read_to_string(&file).unwrap_or_else(|error| panic!("{}: {error}", file.display())))
}

/// The measurements of a source in the knowledge base.
fn recorded(source: &str) -> Vec<Value> {
    let mut answer = on_repository().answer(&format!("source:{source}"));
    match answer["measurements"].take() {
        Value::Array(measurements) => measurements,
        other => panic!("{other}"),
    }
}

/// A string field of a measurement; empty if not stated.
fn text<'m>(measurement: &'m Value, key: &str) -> &'m str {
    measurement[key].as_str().unwrap_or_default()
}

/// Adds a figure; a second figure for the same key is an error of the test or of the source.
fn add(figures: &mut Figures, key: String, figure: f64) {
    if let Some(other) = figures.insert(key.clone(), figure) {
        panic!("{key} appears twice: {other} and {figure}");
    }
}

/// Sources whose figures are compared by the tests of this file; every other source is imported again by `replay`.
pub(crate) const COMPARED_BY_VALUE: &[&str] =
    &["autumnai-2018", "dai-berleant-2019", "soumith-2017", "szilard-2017", "u39kun-2018", "zer0n-2016"];

/// Fails with every figure that differs or is on one side only.
fn compare(printed: &Figures, recorded: &Figures) {
    let mut wrong = Vec::new();
    for (key, figure) in printed {
        match recorded.get(key) {
            None => wrong.push(format!("not in the knowledge base: {key}: {figure}")),
            Some(other) if other != figure => wrong.push(format!("{key}: {other} instead of {figure}")),
            Some(_) => {}
        }
    }
    for (key, figure) in recorded.iter().filter(|(key, _)| !printed.contains_key(*key)) {
        wrong.push(format!("not in the source: {key}: {figure}"));
    }
    assert!(wrong.is_empty(), "\n{}", wrong.join("\n"));
    println!("{} values compared", printed.len());
}

/// The trimmed cells of a line of a Markdown table; `None` for other lines and for separator lines.
fn cells(line: &str) -> Option<Vec<&str>> {
    let ruler = line.contains("---") && line.chars().all(|c| matches!(c, '|' | '-' | ':' | ' ' | '\t'));
    if !line.contains('|') || ruler {
        return None;
    }
    let line = line.trim();
    let line = line.strip_prefix('|').unwrap_or(line);
    let line = line.strip_suffix('|').unwrap_or(line);
    Some(line.split('|').map(str::trim).collect())
}

/// The number at the start of a cell, ignoring emphasis: `**99.5**`, `276.6 (1.8x)`, `31.3ms`.
fn number(cell: &str) -> Option<f64> {
    let cell = cell.trim_start_matches(['*', '_', ' ']);
    let end = cell.find(|c: char| !c.is_ascii_digit() && c != '.').unwrap_or(cell.len());
    cell[..end].parse().ok()
}

#[test]
fn u39kun_is_recorded_figure_by_figure() {
    let Some(readme) = source("u39kun__deep-learning-benchmark/README.md") else { return };
    let (_, results) = readme.split_once("# Benchmark Results").unwrap();
    let mut printed = Figures::new();
    let mut framework = String::new();
    let mut precision = "";
    let mut columns: Vec<(String, String)> = Vec::new();
    for line in results.lines() {
        if let Some(heading) = line.strip_prefix("## ") {
            framework = heading.to_lowercase();
        } else if let Some(bits) = line.strip_prefix("### ") {
            precision = if bits == "32-bit" { "fp32" } else { "fp16" };
        } else if let Some(cells) = cells(line) {
            if cells[0] == "Model" {
                let split = |cell: &&str| cell.split_once(' ').map(|(network, stage)| (network.into(), stage.into()));
                columns = cells[1..].iter().filter_map(split).collect();
                continue;
            }
            let device = cells[0].split(" (").next().unwrap();
            for ((network, stage), cell) in columns.iter().zip(&cells[1..]) {
                if let Some(milliseconds) = number(cell) {
                    add(&mut printed, format!("{framework} {precision} {device}: {network} {stage}"), milliseconds);
                }
            }
        }
    }
    assert_eq!(printed.len(), 116);

    let mut found = Figures::new();
    for m in recorded("u39kun-2018") {
        let device = match text(&m, "device") {
            "titan-v" => "Titan V",
            "geforce-gtx-1080-ti" => "1080 Ti",
            "geforce-rtx-2080-ti" => "2080 Ti",
            "tesla-v100" => "V100",
            other => panic!("{other}"),
        };
        let network = text(&m, "network").replace('-', "");
        let of = [text(&m, "framework"), text(&m, "framework_version"), text(&m, "precision")].join(" ");
        let key = format!("{of} {device}: {network} {}", text(&m, "stage"));
        assert_eq!((&m["batch_size"], text(&m, "input_shape")), (&16.into(), "3x224x224"), "{key}");
        add(&mut found, key, m["metrics"]["latency_ms"].as_f64().unwrap());
    }
    compare(&printed, &found);
}

#[test]
fn autumnai_is_recorded_figure_by_figure() {
    let Some(json) = source("autumnai__deep-learning-benchmarks/benchmark.json") else { return };
    let json: Value = serde_json::from_str(&json).unwrap();
    let mut printed = Figures::new();
    for machine in json.as_object().unwrap().values() {
        let device = text(&machine["devices"][0], "name");
        for model in machine["models"].as_array().unwrap() {
            for run in model["frameworks"].as_array().unwrap() {
                let libraries = run["libraries"].as_array().map_or(&[][..], Vec::as_slice);
                let libraries: Vec<String> =
                    libraries.iter().map(|l| format!("{} {}", text(l, "name"), text(l, "version"))).collect();
                let of = [device, text(model, "name"), text(run, "name"), text(run, "version"), &libraries.join(", ")];
                for stage in ["forward", "backward"] {
                    let Some(milliseconds) = run[stage].as_f64() else { continue };
                    add(&mut printed, format!("{} {stage} ms", of.join(" ")), milliseconds);
                    if let Some(mebibytes) = number(text(run, "memory")) {
                        add(&mut printed, format!("{} {stage} MB", of.join(" ")), mebibytes);
                    }
                }
            }
        }
    }
    assert!(printed.len() > 52, "{}", printed.len());

    let mut found = Figures::new();
    for m in recorded("autumnai-2018") {
        let of = [
            text(&m, "device_raw"),
            text(&m, "network_raw"),
            text(&m, "framework_raw"),
            text(&m, "framework_version"),
            text(&m, "kernel_library"),
            text(&m, "stage"),
        ]
        .join(" ");
        add(&mut found, format!("{of} ms"), m["metrics"]["latency_ms"].as_f64().unwrap());
        if let Some(mebibytes) = m["metrics"]["memory_mib"].as_f64() {
            add(&mut found, format!("{of} MB"), mebibytes);
        }
    }
    compare(&printed, &found);
}

#[test]
fn soumith_is_recorded_figure_by_figure() {
    let Some(readme) = source("soumith__convnet-benchmarks/README.md") else { return };
    let mut printed = Figures::new();
    let mut of = String::new();
    let mut direction = "";
    let mut by_layer = false;
    for line in readme.lines() {
        if let Some(name) = line.strip_prefix("**[") {
            // **[Name](address)** - Input 128x3x224x224
            let (name, rest) = name.split_once("](").unwrap();
            let (batch, shape) = rest.rsplit_once(' ').unwrap().1.split_once('x').unwrap();
            of = format!("NVIDIA Titan X {name} {batch} {shape}");
        } else if line.starts_with("### Spatial Convolution layer") {
            of = "NVIDIA Titan X L1 + L2 + L3 + L4 + L5 128 ".to_owned();
        } else if line.contains("on Titan Black") {
            of = "Titan Black L1 + L2 + L3 + L4 + L5 128 ".to_owned();
        } else if line.starts_with("###### forward") {
            direction = "forward";
        } else if line.starts_with("###### backward") {
            direction = "backward";
        } else if let Some(cells) = cells(line) {
            let library = plain(cells[0]);
            if library.contains("ibrary") {
                by_layer = cells.contains(&"L1");
            } else if by_layer {
                let shapes = ["3x128x128", "64x64x64", "128x32x32", "128x16x16", "384x13x13"];
                for (at, shape) in shapes.into_iter().enumerate() {
                    let key = format!("NVIDIA Titan X L{} 128 {shape} {library} {direction}", at + 1);
                    add(&mut printed, key, number(cells[2 + at]).unwrap());
                }
            } else if !of.is_empty() {
                for (stage, cell) in ["train", "forward", "backward"].into_iter().zip(&cells[2..]) {
                    // A sum whose second part is missing (809+bw) is not a figure.
                    if let (Some(figure), false) = (number(cell), cell.contains('+')) {
                        add(&mut printed, format!("{of} {library} {stage}"), figure);
                    }
                }
            }
        }
    }
    assert_eq!(printed.len(), 271);

    let mut found = Figures::new();
    for m in recorded("soumith-2017") {
        let of =
            [text(&m, "device_raw"), text(&m, "network_raw"), &m["batch_size"].to_string(), text(&m, "input_shape")];
        let key = format!("{} {} {}", of.join(" "), plain(text(&m, "framework_raw")), text(&m, "stage"));
        let precision = if text(&m, "framework_raw").contains("fp16") { "fp16" } else { "fp32" };
        assert_eq!(text(&m, "precision"), precision, "{key}");
        add(&mut found, key, m["metrics"]["latency_ms"].as_f64().unwrap());
    }
    compare(&printed, &found);
}

/// A library's name without footnote and emphasis marks, which differ between the source's tables.
fn plain(name: &str) -> String {
    name.chars().filter(|c| !matches!(c, '*' | '_' | ' ')).collect()
}

#[test]
fn szilards_keras_tables_are_recorded_figure_by_figure() {
    let Some(page) = source("szilard__benchm-dl/keras_backend.md") else { return };
    let mut printed = Figures::new();
    let (mut task, mut metric, mut devices) = ("", "", Vec::new());
    for line in page.lines() {
        if let Some(heading) = line.strip_prefix("#### ") {
            metric = match heading.trim() {
                "Accuracy" => "accuracy",
                "Loss" => "loss",
                _ => "epoch_s",
            };
        } else if let Some(heading) = line.strip_prefix("### ") {
            task = heading.trim();
        } else if let Some(cells) = cells(line) {
            if cells[0] == "Backend" {
                devices = cells[1..].to_vec();
                continue;
            }
            for (device, cell) in devices.iter().zip(&cells[1..]) {
                if let Some(figure) = number(cell) {
                    add(&mut printed, format!("{task}: {} {device} {metric}", cells[0].to_lowercase()), figure);
                }
            }
        }
    }
    assert!(printed.len() > 100, "{}", printed.len());

    let mut found = Figures::new();
    for m in recorded("szilard-2017").iter().filter(|m| m["metrics"]["epoch_s"].is_number()) {
        let on = match text(m, "dataset_raw") {
            "" => String::new(),
            dataset => format!(" on {dataset}"),
        };
        let of = format!("{}{on}: {} {}", text(m, "network_raw"), text(m, "backend"), text(m, "device_raw"));
        assert_eq!(text(m, "framework"), "keras", "{of}");
        for metric in ["epoch_s", "accuracy", "loss"] {
            if let Some(figure) = m["metrics"][metric].as_f64() {
                add(&mut found, format!("{of} {metric}"), figure);
            }
        }
    }
    compare(&printed, &found);
}

#[test]
fn szilards_own_tables_are_recorded_figure_by_figure() {
    let Some(page) = source("szilard__benchm-dl/README.md") else { return };
    let mut printed = Figures::new();
    let mut machine = "";
    let mut columns: Vec<&str> = Vec::new();
    for line in page.lines() {
        if let Some(rest) = line.strip_prefix("On ") {
            machine = rest.trim_end_matches(':');
        } else if line.starts_with("#### ") {
            machine = "";
        } else if let Some(cells) = cells(line) {
            if !cells.iter().any(|cell| number(cell).is_some()) {
                columns = cells;
                continue;
            }
            let cell =
                |name: &str| columns.iter().position(|column| *column == name).and_then(|at| cells.get(at).copied());
            // Two rows repeat a row of the table by tools, which the knowledge base has once.
            if cell("Instance") == Some("p2.xlarge") || cell("Device") == Some("GPU (P2)") {
                assert_eq!(cell("Time (s)"), Some("37"));
                continue;
            }
            let of = match (cell("Tool"), cell("Instance"), cell("Device")) {
                (Some(tool), _, _) => format!("{tool} on {machine}"),
                (_, Some(instance), _) => format!("{} of {instance}", cell("GPU").unwrap()),
                (_, _, device) => device.unwrap().to_owned(),
            };
            for (name, metric) in [
                ("Time (s)", "total_s"),
                ("GPU (%)", "gpu_util_pct"),
                ("CPU1 (%)", "cpu_util_pct"),
                ("Error rate", "error_rate"),
            ] {
                if let Some(figure) = cell(name).and_then(number) {
                    // The source prints percent to one decimal, so thousandths are whole numbers.
                    let figure = if metric == "error_rate" { (figure * 10.0).round() } else { figure };
                    add(&mut printed, format!("{of}: {metric}"), figure);
                }
            }
        }
    }
    assert!(printed.len() > 30, "{}", printed.len());

    let mut found = Figures::new();
    for m in recorded("szilard-2017").iter().filter(|m| m["metrics"]["total_s"].is_number()) {
        let device = text(m, "device_raw");
        let of = match (text(m, "framework_raw"), text(m, "instance")) {
            ("Tensorflow backend", "") => device.to_owned(),
            ("Tensorflow backend", instance) => format!("{device} of {instance}"),
            (tool, _) => format!("{tool} on {device}"),
        };
        for (metric, figure) in m["metrics"].as_object().unwrap() {
            let figure = figure.as_f64().unwrap();
            let figure = if metric == "error_rate" { (figure * 1000.0).round() } else { figure };
            add(&mut found, format!("{of}: {metric}"), figure);
        }
    }
    compare(&printed, &found);
}

#[test]
fn zer0ns_timings_are_recorded_figure_by_figure() {
    let Some(readme) = source("zer0n__deepframeworks/README.md") else { return };
    let mut printed = Figures::new();
    for row in readme.lines().filter(|line| line.starts_with("| AlexNet") || line.starts_with("| Inception v1")) {
        let cells = cells(row).unwrap();
        for (framework, cell) in ["TF 0.6", "TF 0.8", "Torch FP32"].iter().zip(&cells[1..]) {
            add(&mut printed, format!("{} {framework}", cells[0]), number(cell).unwrap());
        }
    }
    assert_eq!(printed.len(), 6);
    let mut found = Figures::new();
    for m in recorded("zer0n-2016") {
        let key = format!("{} {}", text(&m, "network_raw"), text(&m, "framework_raw"));
        add(&mut found, key, m["metrics"]["latency_ms"].as_f64().unwrap());
    }
    compare(&printed, &found);
}

#[test]
fn the_figures_of_the_surveys_text_stand_in_its_text() {
    let Some(paper) = source("../papers/dai-berleant-2019.md") else { return };
    let paper = paper.replace(',', "");
    let numbers: Vec<f64> = paper
        .split(|c: char| !c.is_ascii_digit() && c != '.')
        .filter_map(|word| word.trim_matches('.').parse().ok())
        .collect();
    let mut compared = 0;
    for m in recorded("dai-berleant-2019") {
        for (metric, figure) in m["metrics"].as_object().unwrap() {
            let figure = figure.as_f64().unwrap();
            // The survey prints TFLOP/s and milliwatts where the knowledge base has GFLOP/s and watts.
            let printed = match metric.as_str() {
                "gflops" if !numbers.contains(&figure) => figure / 1000.0,
                "power_w" if !numbers.contains(&figure) => (figure * 1000.0).round(),
                _ => figure,
            };
            assert!(numbers.contains(&printed), "{metric} {printed} is not in the survey: {m:#}");
            compared += 1;
        }
    }
    assert!(compared >= 20, "{compared}");
    println!("{compared} values compared");
}

#[test]
fn the_surveys_tables_are_recorded_cell_by_cell() {
    let Some(table) = source("daiweiworking__BenchmarkDeepLearning/table1-hardware.csv") else { return };
    let reported = |name: &str| on_repository().ok(&["table", name, "--as-reported", "dai-berleant-2019", "-f", "csv"]);
    assert_eq!(rows(&reported("hardware")), rows(&table));
    let Some(table) = source("daiweiworking__BenchmarkDeepLearning/table2-frameworks.csv") else { return };
    assert_eq!(rows(&reported("frameworks")), rows(&table));
}

/// The rows of a CSV file below its header, with uniform spaces after commas in lists.
fn rows(table: &str) -> Vec<Vec<String>> {
    let list = |cell: &str| cell.split(',').map(str::trim).collect::<Vec<_>>().join(", ");
    let mut reader = csv::Reader::from_reader(table.as_bytes());
    reader.records().map(|row| row.unwrap().iter().map(list).collect()).collect()
}

/// Sources imported by a named format: the format, the source, and its file below the source's folder; empty for the whole
/// folder.
const BY_FORMAT: &[(&str, &str, &str)] = &[
    ("autumnai", "autumnai-2018", "benchmark.json"),
    ("cnn-benchmarks", "jcjohnson-2017", ""),
    ("dawnbench", "dawnbench-2020", ""),
    ("lambdal", "lambdal-2025", ""),
    ("mlperf-csv", "mlperf-inference-v0.5", "summary-derived.csv"),
    ("mlperf-csv", "mlperf-inference-v0.7", "summary-derived.csv"),
    ("mlperf-csv", "mlperf-inference-v1.0", "summary-derived.csv"),
    ("mlperf-csv", "mlperf-inference-v2.0", "summary-derived.csv"),
    ("mlperf-csv", "mlperf-inference-v2.1", "summary-derived.csv"),
    ("mlperf-csv", "mlperf-inference-v3.0", "summary-derived.csv"),
    ("mlperf-csv", "mlperf-inference-v3.1", "inference-v3.1-derived.csv"),
    ("mlperf-csv", "mlperf-inference-v4.0", "inference-v4.0-derived.csv"),
    ("mlperf-json", "mlperf-automotive-v0.5", "summary_results.json"),
    ("mlperf-json", "mlperf-inference-v4.1", "summary_results.json"),
    ("mlperf-json", "mlperf-inference-v6.0", "summary_results.json"),
    ("mlperf-training", "mlperf-hpc-v3.0", "runs-derived.csv"),
    ("mlperf-training", "mlperf-training-v0.5", "runs-derived.csv"),
    ("mlperf-training", "mlperf-training-v0.6", "scores-derived.csv"),
    ("mlperf-training", "mlperf-training-v0.7", "scores-derived.csv"),
    ("mlperf-training", "mlperf-training-v1.0", "scores-derived.csv"),
    ("mlperf-training", "mlperf-training-v1.1", "scores-derived.csv"),
    ("mlperf-training", "mlperf-training-v2.0", "scores-derived.csv"),
    ("mlperf-training", "mlperf-training-v2.1", "scores-derived.csv"),
    ("mlperf-training", "mlperf-training-v3.0", "scores-derived.csv"),
    ("mlperf-training", "mlperf-training-v3.1", "scores-derived.csv"),
    ("mlperf-training", "mlperf-training-v4.0", "scores-derived.csv"),
    ("mlperf-training", "mlperf-training-v5.0", "scores-derived.csv"),
    ("mlperf-training", "mlperf-training-v5.1", "scores-derived.csv"),
    ("ncnn", "ncnn-2026", ""),
    ("pytorch-gpu-benchmark", "ryujaehun-2021", ""),
    ("timm", "timm-2026", ""),
    ("undertherain", "undertherain-2021", ""),
];

/// The rows of a file without the labels that may be corrected; every figure and everything else must be unchanged.
fn rows_but_for_corrections(text: &str) -> Vec<String> {
    let mut rows = rows_of(&text.parse().expect("a measurement file is TOML"));
    for row in &mut rows {
        row.retain(|key, _| !CORRECTED_LABELS.contains(&key.as_str()));
    }
    let mut rows: Vec<String> = rows.iter().map(|row| format!("{row:?}")).collect();
    rows.sort();
    rows
}

#[test]
fn every_imported_source_read_again_gives_the_same_bytes() {
    let sources = crate::sources_folder();
    if !sources.is_dir() {
        eprintln!("SKIPPED: {} is not there, so no source can be read again", sources.display());
        return;
    }
    let program = Dlbench::on(REPOSITORY);
    let (mut compared, mut rows, mut wrong) = (0, 0, Vec::new());
    for (source, words) in imports(&sources) {
        let output = TempDir::new().expect("a temporary folder");
        let folder = output.path().to_string_lossy().into_owned();
        let kept = files(&Path::new(REPOSITORY).join("measurements").join(&source));
        // A `standing` set by hand is kept when its source is imported over the existing file.
        for (name, text) in kept.iter().filter(|(_, text)| text.contains("\"standing\"")) {
            fs::write(output.path().join(name), text).expect("a file of the folder");
        }
        let mut arguments = vec!["import"];
        arguments.extend(words.iter().map(String::as_str));
        arguments.extend(["--output", &folder]);
        let ran = program.run(&arguments);
        if (ran.code, ran.stderr.as_str()) != (0, "") {
            wrong.push(format!("{source}: {arguments:?} ends with {}: {}{}", ran.code, ran.stdout, ran.stderr));
            continue;
        }
        let (written, left_out) = accounted(&source, &ran.stdout);
        rows += written;
        let told = told_left_out(&source);
        if told != left_out {
            wrong.push(format!("{source}: {left_out} records are left out, its entry tells of {told}"));
        }
        let again = files(output.path());
        let differ = again.keys().chain(kept.keys()).filter(|name| again.get(*name) != kept.get(*name));
        let mut differ: Vec<&String> = differ.collect();
        differ.sort();
        differ.dedup();
        differ.retain(|name| {
            let rows = |files: &BTreeMap<String, String>| files.get(*name).map(|text| rows_but_for_corrections(text));
            !CORRECTED.contains(&source.as_str()) || rows(&again) != rows(&kept)
        });
        wrong.extend(differ.iter().map(|name| format!("{source}/{name} is not what its source says today")));
        compared += 1;
    }
    assert!(wrong.is_empty(), "\n{}", wrong.join("\n"));
    println!("{compared} sources read again: {rows} measurements are the same, byte for byte");
    assert!(compared >= 29, "only {compared} sources were compared");
}

#[test]
fn every_source_with_measurements_is_compared_with_what_it_says() {
    let by_value = COMPARED_BY_VALUE.iter().chain(crate::printed_figures::COMPARED);
    let by_value: Vec<String> = by_value.map(|source| (*source).to_owned()).collect();
    let by_format = BY_FORMAT.iter().map(|(_, source, _)| (*source).to_owned());
    let recipes = files(&Path::new(REPOSITORY).join("catalog/recipes"));
    let by_recipe = recipes.keys().map(|name| name.trim_end_matches(".toml").to_owned());
    let measured = [crate::real_kb::SOURCE.to_owned()];
    let compared: BTreeSet<String> = by_value.into_iter().chain(by_format).chain(by_recipe).chain(measured).collect();
    let folders = fs::read_dir(Path::new(REPOSITORY).join("measurements")).expect("the measurements");
    let kept: BTreeSet<String> =
        folders.map(|entry| entry.expect("an entry").file_name().to_string_lossy().into_owned()).collect();
    let missing: Vec<&String> = kept.difference(&compared).collect();
    assert!(missing.is_empty(), "no test compares {missing:?}: give each a recipe, a format or a comparison");
    let gone: Vec<&String> = compared.difference(&kept).collect();
    assert!(gone.is_empty(), "{gone:?} have no measurements");
    assert!(kept.len() >= 35, "measurements of only {} sources", kept.len());
}

#[test]
fn no_measurements_lie_in_a_file_that_is_not_read() {
    let folders = fs::read_dir(Path::new(REPOSITORY).join("measurements")).expect("the measurements");
    for folder in folders {
        for file in fs::read_dir(folder.expect("an entry").path()).expect("a folder of a source") {
            let name = file.expect("an entry").file_name().to_string_lossy().into_owned();
            assert!(name.ends_with(".toml") && !name.starts_with('.'), "{name} is not read");
        }
    }
}

/// Checks that rows read = rows written + rows left out; returns the latter two.
fn accounted(source: &str, account: &str) -> (usize, usize) {
    let rows = |word: &str| -> usize {
        let lines = account.lines().filter(|line| line.contains(word));
        lines.filter_map(|line| line.split_whitespace().next()?.parse::<usize>().ok()).sum()
    };
    let (read, written, left_out) = (rows("  read"), rows("  written to"), rows("  left out: "));
    assert!(read > 0 && read == written + left_out, "{source}: {read} read, {written} written, {left_out} left out");
    (written, left_out)
}

/// The number of records that a source's entry says are left out, over all reasons with a count.
fn told_left_out(source: &str) -> usize {
    let reasons = entry_of(source).get("left-out").and_then(toml::Value::as_array).cloned().unwrap_or_default();
    let rows = reasons.iter().filter_map(|reason| reason.get("rows")?.as_integer());
    rows.sum::<i64>().try_into().expect("counts are positive")
}

/// The catalog entry of a source.
fn entry_of(source: &str) -> toml::Table {
    let entry = fs::read_to_string(Path::new(REPOSITORY).join(format!("catalog/sources/{source}.toml")));
    entry.expect(source).parse().expect("the entry is TOML")
}

/// The arguments of each import, by source.
fn imports(sources: &Path) -> BTreeMap<String, Vec<String>> {
    let mut imports = BTreeMap::new();
    let text = |path: PathBuf| path.to_string_lossy().into_owned();
    for (format, source, file) in BY_FORMAT {
        let file = text(folder_of(sources, source).join(file));
        let words = [*format, &file, "--source", source].map(str::to_owned);
        imports.insert((*source).to_owned(), words.to_vec());
    }
    let recipe = |path: PathBuf, source: &str| {
        let folder = text(folder_of(sources, source));
        vec!["--recipe".to_owned(), text(path), folder, "--source".to_owned(), source.to_owned()]
    };
    for (name, _) in files(&Path::new(REPOSITORY).join("catalog/recipes")) {
        let source = name.trim_end_matches(".toml");
        let path = Path::new(REPOSITORY).join("catalog/recipes").join(&name);
        imports.insert(source.to_owned(), recipe(path, source));
    }
    imports
}

/// The folder of a source, `<owner>__<repository>`, from the URL in its entry.
fn folder_of(sources: &Path, source: &str) -> PathBuf {
    let entry = entry_of(source);
    let url = entry["url"].as_str().unwrap_or_default();
    let mut parts = url.trim_start_matches("https://github.com/").split('/');
    let (owner, repository) = (parts.next().unwrap_or_default(), parts.next().unwrap_or_default());
    let folder = sources.join(format!("{owner}__{repository}"));
    assert!(folder.is_dir(), "{source}: {} is not there", folder.display());
    folder
}

fn files(folder: &Path) -> BTreeMap<String, String> {
    let entries = fs::read_dir(folder).unwrap_or_else(|error| panic!("{}: {error}", folder.display()));
    let entries = entries.map(|entry| entry.expect("an entry").path());
    entries
        .filter(|path| path.extension().is_some_and(|extension| extension == "toml"))
        .map(|path| {
            let name = path.file_name().expect("a name").to_string_lossy().into_owned();
            (name, fs::read_to_string(path).expect("TOML is text"))
        })
        .collect()
}
