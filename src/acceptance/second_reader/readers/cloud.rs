//! Rented machines: if the files of a source name an AWS, Google or Azure instance, the rows in the knowledge base must state the
//! device and device count of that instance. In a cloud, a K80 or M60 is one of the board's two GPUs.

use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;

use serde_json::Value;

use super::REPOSITORY;
use super::{csv_records, files_below, folder, names, pattern, read_text, recorded_rows, text};
use crate::Row;

/// Accelerator instances that the sources name: a pattern, the prefix of the device id, and the devices per machine.
/// From the instance lists of AWS, Google and Microsoft.
const INSTANCES: &[(&str, &str, u64)] = &[
    (r"p2\.xlarge", "tesla-k80-gpu", 1),
    (r"p2\.2xlarge", "tesla-k80-gpu", 1),
    (r"p2\.8xlarge", "tesla-k80-gpu", 8),
    (r"p3\.2xlarge", "tesla-v100", 1),
    (r"p3\.8xlarge", "tesla-v100", 4),
    (r"p3\.16xlarge", "tesla-v100", 8),
    (r"p4d\.24xlarge", "a100-sxm4-40gb", 8),
    (r"g2\.2xlarge", "grid-k520", 1),
    (r"g3\.4xlarge", "tesla-m60-gpu", 1),
    (r"g3\.16xlarge", "tesla-m60-gpu", 4),
    (r"g4dn\.4?xlarge", "tesla-t4", 1),
    (r"g5\.12xlarge", "a10g", 4),
    (r"inf2\.(?:8x|x)large", "aws-inferentia2", 1),
    (r"inf2\.48xlarge", "aws-inferentia2", 12),
    (r"trn1\.2xlarge", "aws-trainium", 1),
    (r"trn1n?\.32xlarge", "aws-trainium", 16),
    (r"dl2q\.24xlarge", "qualcomm-cloud-ai-100", 8),
    (r"n1-standard-32-k80x8", "tesla-k80-gpu", 8),
    (r"a3-ultragpu-8g", "h200", 8),
    (r"nd96amsr_a100_v4", "a100-sxm4-80gb", 8),
    (r"nd96asr_v4", "a100-sxm4-40gb", 8),
    (r"nc24ads_a100_v4", "a100-pcie-80gb", 1),
    (r"nc48ads_a100_v4", "a100-pcie-80gb", 2),
    (r"nc96ads_a100_v4", "a100-pcie-80gb", 4),
    (r"nc80adis_h100_v5", "h100-nvl", 2),
    (r"nv72ads_a10_v5", "a10", 2),
    (r"nd40s_v2", "tesla-v100", 8),
    (r"\bnv6\b", "tesla-m60-gpu", 1),
];

/// The device prefix and devices per machine of the instance named in a text.
fn instance(text: &str) -> Option<(&'static str, u64)> {
    let found = INSTANCES.iter().find(|(name, ..)| pattern(&format!("(?i){name}")).is_match(text));
    found.map(|(_, device, each)| (*device, *each))
}

/// A source's statement about one machine: which rows it applies to, and what they must state.
struct Statement {
    /// The field in which a row names the machine, and the text it contains.
    key: (&'static str, String),
    device: &'static str,
    /// The device counts that may have run (several if the machine ran alone and together with others); `None` if the source says
    /// that only part of the machine ran.
    counts: Option<BTreeSet<u64>>,
    /// Devices per machine; without `counts`, a row has at most this many, or a multiple.
    each: u64,
}

impl Statement {
    fn applies_to(&self, row: &Row) -> bool {
        text(row, self.key.0).is_some_and(|own| own.contains(&self.key.1))
    }

    fn agrees_with(&self, row: &Row) -> bool {
        let device = text(row, "device").unwrap_or_default();
        let count: Option<u64> = text(row, "device-count").and_then(|count| count.parse().ok());
        let is_counted = match &self.counts {
            // A source may count 0 accelerators although it names one; the row then states no count.
            Some(counts) => counts.contains(&count.unwrap_or(0)),
            None => count.is_some_and(|count| count <= self.each || count.is_multiple_of(self.each)),
        };
        device.starts_with(self.device) && is_counted
    }
}

/// The first number captured by one of these patterns.
fn number(text: &str, patterns: &[&str]) -> Option<u64> {
    patterns.iter().find_map(|words| pattern(words).captures(text)?[1].parse().ok())
}

/// MLPerf rounds: the system or its description names the machine; a separate column has the number of accelerators used.
fn of_rounds(folder: &Path, file: &str) -> Vec<Statement> {
    let mut said: BTreeMap<String, Statement> = BTreeMap::new();
    for record in csv_records(&folder.join(file)) {
        let cell = |names: &[&str]| {
            names.iter().find_map(|name| record.get(*name).filter(|cell| !cell.is_empty())).cloned().unwrap_or_default()
        };
        let system = cell(&["system", "Platform"]);
        let spelled = format!("{system} {}", cell(&["system_name", "SystemName"]));
        let accelerator = cell(&["accelerator", "accelerator_model_name"]);
        let is_slice = spelled.contains("MIG") || accelerator.contains("MIG");
        // Without an accelerator, the CPU did the computation.
        if ["", "N/A", "-"].contains(&accelerator.as_str()) || is_slice {
            continue;
        }
        let Some((device, each)) = instance(&spelled) else { continue };
        let count = |names: &[&str]| cell(names).parse::<f64>().ok().map(|count| count as u64);
        let nodes = count(&["nodes", "number_of_nodes"]).unwrap_or(1);
        let own = count(&["accelerators_per_node"]).map(|own| own * nodes);
        let key = ("label", format!("; {system};"));
        said.insert(system, Statement { key, device, counts: own.map(|own| BTreeSet::from([own])), each });
    }
    said.into_values().collect()
}

/// DAWNBench: the submitter describes the machine in free text, with the number of GPUs or machines.
fn of_entries(folder: &Path) -> Vec<Statement> {
    let mut said = Vec::new();
    for path in files_below(folder, "json") {
        let entry: Value = serde_json::from_str(&read_text(&path)).expect("JSON");
        let hardware = entry["hardware"].as_str().unwrap_or_default();
        let Some((device, each)) = instance(hardware) else { continue };
        let gpus = number(hardware, &[r"^(\d+) ?(?:\* ?)?(?:K80|M60|V100)"]);
        let machines = number(hardware, &[r"^(\d+) p3\."]).unwrap_or(1);
        let key = ("label", names(&path).1.trim_end_matches(".json").to_owned());
        said.push(Statement { key, device, counts: Some(BTreeSet::from([gpus.unwrap_or(machines * each)])), each });
    }
    said
}

/// Table cells that name a machine whose devices were all used; a column `Nodes` has the number of machines.
fn of_cells(folder: &Path) -> Vec<Statement> {
    let mut machines: BTreeMap<String, BTreeSet<u64>> = BTreeMap::new();
    for path in files_below(folder, "csv") {
        for record in csv_records(&path) {
            let nodes = record.get("Nodes").and_then(|cell| cell.parse().ok()).unwrap_or(1);
            for cell in record.into_values().filter(|cell| cell.len() < 30) {
                machines.entry(cell).or_default().insert(nodes);
            }
        }
    }
    let of_cell = |(cell, nodes): (String, BTreeSet<u64>)| {
        let (device, each) = instance(&cell)?;
        let counts = nodes.into_iter().map(|nodes| nodes * each).collect();
        Some(Statement { key: ("device-raw", cell), device, counts: Some(counts), each })
    };
    machines.into_iter().filter_map(of_cell).collect()
}

/// Pages that name machines of which only one or some GPUs were used.
fn of_pages(folder: &Path) -> Vec<Statement> {
    let paths: Vec<_> = ["md", "txt"].iter().flat_map(|ending| files_below(folder, ending)).collect();
    let pages: String = paths.iter().map(|path| read_text(path)).collect();
    let of = |(name, device, each): &(&str, &'static str, u64)| {
        let found = pattern(&format!("(?i){name}")).find(&pages)?.as_str().to_owned();
        Some(Statement { key: ("instance", found), device, counts: None, each: *each })
    };
    INSTANCES.iter().filter_map(of).collect()
}

/// Reads the statements in the files below a folder.
type Reader = fn(&Path) -> Vec<Statement>;

/// The sources whose files name instances: source id, folder and reader.
const SOURCES: &[(&str, &str, Reader)] = &[
    ("aws-neuron-2026", "aws-neuron__aws-neuron-sdk", of_cells),
    ("dawnbench-2020", "stanford-futuredata__dawn-bench-entries", of_entries),
    ("lambdal-2025", "lambdal__deeplearning-benchmark", of_cells),
    ("mlperf-inference-v2.0", "mlcommons__inference_results_v2.0", |f| of_rounds(f, "summary-derived.csv")),
    ("mlperf-inference-v2.1", "mlcommons__inference_results_v2.1", |f| of_rounds(f, "summary-derived.csv")),
    ("mlperf-inference-v3.0", "mlcommons__inference_results_v3.0", |f| of_rounds(f, "summary-derived.csv")),
    ("mlperf-inference-v3.1", "mlcommons__cm4mlperf-results", |f| of_rounds(f, "inference-v3.1-derived.csv")),
    ("mlperf-inference-v4.0", "mlcommons__cm4mlperf-results", |f| of_rounds(f, "inference-v4.0-derived.csv")),
    ("mlperf-training-v1.1", "mlcommons__training_results_v1.1", |f| of_rounds(f, "runs-derived.csv")),
    ("mlperf-training-v2.0", "mlcommons__training_results_v2.0", |f| of_rounds(f, "runs-derived.csv")),
    ("mlperf-training-v2.1", "mlcommons__training_results_v2.1", |f| of_rounds(f, "runs-derived.csv")),
    ("mlperf-training-v3.1", "mlcommons__training_results_v3.1", |f| of_rounds(f, "runs-derived.csv")),
    ("mlperf-training-v5.0", "mlcommons__training_results_v5.0", |f| of_rounds(f, "runs-derived.csv")),
    ("mxnet-2023", "apache__mxnet", of_pages),
    ("szilard-2017", "szilard__benchm-dl", of_pages),
    ("tensorflow-docs-2026", "tensorflow__docs", of_pages),
];

/// Minimum share of a source's rows on rented machines that agree with the source. Raise it when the share has risen.
const LEAST: f64 = 0.95;

#[test]
fn rented_machines_have_the_devices_that_their_makers_list() {
    let mut wrong = Vec::new();
    for (source, below, read) in SOURCES {
        let Some(folder) = folder(below) else { continue };
        let (mut rows, mut right, mut missed) = (0_u32, 0_u32, BTreeSet::new());
        let said = read(&folder);
        for row in recorded_rows(source) {
            // Prefer the longest name: a shorter one may be a prefix of it.
            let of_row = said.iter().filter(|said| said.applies_to(&row)).max_by_key(|said| said.key.1.len());
            let Some(said) = of_row else { continue };
            rows += 1;
            let has_instance = ["instance", "device-raw"]
                .iter()
                .any(|key| text(&row, key).is_some_and(|own| instance(&own).is_some()));
            if said.agrees_with(&row) && has_instance {
                right += 1;
            } else {
                let of = |key| text(&row, key).unwrap_or_default();
                missed.insert(format!(
                    "{source}: `{}` is one of {:?} x {}, the row says {} x {} of {}",
                    said.key.1,
                    said.counts,
                    said.device,
                    of("device-count"),
                    of("device"),
                    of("instance")
                ));
            }
        }
        println!("{source}: {right} of {rows} rows of rented machines say device and number");
        if rows == 0 || f64::from(right) < LEAST * f64::from(rows) {
            wrong.push(format!("{source}: {right} of {rows}"));
            wrong.extend(missed.into_iter().take(10));
        }
    }
    assert!(wrong.is_empty(), "\n{}", wrong.join("\n"));
}

/// The sources with K80 or M60 rows, and their folders. For the source without a folder, the benchmark's web page, which is not
/// among its files, says that it ran in Google's cloud.
const BOARDS: &[(&str, Option<&str>)] = &[
    ("dawnbench-2020", Some("stanford-futuredata__dawn-bench-entries")),
    ("ilkarman-2018", Some("ilkarman__DeepLearningFrameworks")),
    ("keras-io-2020", Some("keras-team__keras-io")),
    ("minimaxir-2017", None),
    ("mlperf-inference-v3.0", Some("mlcommons__inference_results_v3.0")),
    ("mxnet-2023", Some("apache__mxnet")),
    ("szilard-2017", Some("szilard__benchm-dl")),
    ("tensorflow-docs-2026", Some("tensorflow__docs")),
];

/// Whether a file of a source that names a K80 or M60 also names a cloud.
fn is_rented(folder: &Path) -> bool {
    let clouds = r"(?i)\b(?:Amazon EC2|EC2|AWS|Google Compute|Google Cloud|GCE|Azure)\b|gcp_n1";
    let endings = ["md", "txt", "json", "csv"];
    let files = endings.iter().flat_map(|ending| files_below(folder, ending));
    let texts =
        files.filter(|path| path.metadata().is_ok_and(|data| data.len() < 8 << 20)).map(|path| read_text(&path));
    let boards = pattern(r"(?i)\b(?:Tesla )?(?:K80|M60)\b|nvidia_k80");
    let mut rented = texts.filter(|text| boards.is_match(text)).map(|text| pattern(clouds).is_match(&text));
    rented.any(|is_rented| is_rented)
}

#[test]
fn a_rented_k80_is_one_gpu_of_its_board() {
    let is_board = |row: &Row| text(row, "device").is_some_and(|id| pattern("^tesla-[km][86]0").is_match(&id));
    let mut compared = 0;
    for entry in std::fs::read_dir(Path::new(REPOSITORY).join("measurements")).expect("the measurements") {
        let path = entry.expect("an entry").path();
        let mut files = files_below(&path, "toml").into_iter();
        if !files.any(|path| pattern("\"tesla-[km][86]0").is_match(&read_text(&path))) {
            continue;
        }
        let source = names(&path).1;
        let below = BOARDS.iter().find(|(own, _)| *own == source).map(|(_, below)| *below);
        let below =
            below.unwrap_or_else(|| panic!("{source} has rows of a K80 or M60: what do its files say of them?"));
        let is_rented = match below.map(folder) {
            None => true,
            Some(Some(folder)) => is_rented(&folder),
            Some(None) => continue,
        };
        for row in recorded_rows(&source).iter().filter(|row| is_board(row)) {
            let device = text(row, "device").unwrap_or_default();
            assert_eq!(device.ends_with("-gpu"), is_rented, "{source}: {device}");
            compared += 1;
        }
    }
    println!("{compared} rows of K80 and M60 compared");
    assert!(compared > 0, "no row of a K80 or M60 was found: the pattern of their ids is wrong");
}
