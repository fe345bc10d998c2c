//! Lambda's benchmark: a row for each machine, a column for each network; the batches lie in files beside, for all GPUs.

use std::collections::BTreeMap;
use std::path::Path;

use super::{Meaning, Source, csv_records, entry, meaning, pattern};

const SOURCE: Source = Source {
    id: "lambdal-2025",
    folder: "lambdal__deeplearning-benchmark",
    also: &[
        "device-raw",
        "host",
        "notes",
        "network-raw",
        "framework-version",
        "counts",
        "batch-size-global",
        "throughput-per-s",
    ],
};

const DEVICES: &[(&str, &str)] = &[
    (r"^p3\.\d+xlarge 300$", "tesla-v100-sxm2-16gb"),
    (r"^p4d\.24xlarge 400$", "a100-sxm4-40gb"),
    (r"V100 16GB 300$", "tesla-v100-sxm2-16gb"),
    (r"V100 32GB 250$", "tesla-v100-pcie-32gb"),
    (r"^Titan RTX$", "titan-rtx"),
    (r"A100 ([48]0GB) (SXM4|PCIe)", "a100-$2-$1"),
    (r"H100[ _](80GB)[ _](SXM5|PCIe)", "h100-$2-$1"),
    (r"H200_140GB_SXM", "h200-sxm-141gb"),
    (r"B200_192GB", "b200"),
    (r"GH200_96GB", "gh200-96gb"),
    (r"GH200", "gh200"),
    (r"Quadro RTX (\d000)", "quadro-rtx-$1"),
    (r"RTX Quadro (\d000)", "quadro-rtx-$1"),
    (r"RTX 6000 Ada$", "rtx-6000-ada"),
    (r"RTX A40$", "a40"),
    (r"A10$", "a10"),
    (r"RTX (A\d{3}0)$", "rtx-$1"),
    (r"([GR]TX) (\d{4})Ti(?: NVLink)?$", "geforce-$1-$2-ti"),
    (r"(RTX) (\d{4}) SUPER (?i:max-q)$", "geforce-$1-$2-super-max-q"),
    (r"(RTX) (\d{4}) (?i:max-q)$", "geforce-$1-$2-max-q"),
    (r"(RTX) (\d{4})$", "geforce-$1-$2"),
];

/// The columns: the network and what its program counts.
const COLUMNS: &[(&str, &str, &str)] = &[
    ("ssd", "ssd300", "image"),
    ("bert_base_squad", "bert-base", "sequence"),
    ("bert_large_squad", "bert-large", "sequence"),
    ("gnmt", "gnmt", "token"),
    ("maskrcnn", "mask-rcnn", "image"),
    ("ncf", "ncf", "sample"),
    ("resnet50", "resnet-50-v1.5", "image"),
    ("tacotron2", "tacotron-2", "frame"),
    ("transformerxlbase", "transformer-xl-base", "token"),
    ("transformerxllarge", "transformer-xl-large", "token"),
    ("waveglow", "waveglow", "sample"),
];

/// What must be said of fp32 on a GPU with TF32.
const TF32: &str = "The file says fp32. On this GPU PyTorch by default computes convolutions, and before 1.12 matrix products, in TF32 (pytorch.org/docs/stable/notes/cuda.html), so it may be no plain FP32.";

type Record = BTreeMap<String, String>;

/// The rows of one machine.
fn of_machine(machine: &Record, batches: Option<&Record>, precision: &str) -> Vec<Meaning> {
    let name = machine.get("name_gpu").or_else(|| machine.get("")).expect("a name");
    // In the newest files the number of GPUs stands in the name.
    let count: u64 = match machine.get("num_gpu") {
        Some(count) => count.trim_end_matches(".0").parse().expect("a number"),
        None => pattern(r"_(\d)x[A-Z]").captures(name).expect("a number")[1].parse().expect("one"),
    };
    // The watts of one board tell the form of a V100 or A100.
    let watt = machine.get("watt").and_then(|watt| watt.parse::<f64>().ok()).map(|watt| watt / count as f64);
    let spelled = watt.filter(|_| name.contains("V100") || name.starts_with('p')).map(|watt| format!("{name} {watt}"));
    let device = entry(DEVICES, spelled.as_ref().unwrap_or(name))
        .unwrap_or_else(|| panic!("the second reader does not know `{name}`"));
    // All that came after Turing have TF32.
    let has_tf32 = !pattern("V100|^p3|Quadro|Titan|GTX|RTX 20").is_match(name);
    let notes = if precision == "fp32" && has_tf32 { TF32 } else { "" };
    let mut rows = Vec::new();
    for (column, network, counts) in COLUMNS {
        let Some(value) = machine.get(*column) else { continue };
        let rate: f64 = value.parse().unwrap_or_default();
        // 0 was not run; 1e9 samples of NCF and more are absurd, on four and eight H100.
        if rate <= 0.0 || *column == "ncf" && rate >= 1e9 {
            continue;
        }
        let of_all: Option<u64> = batches.and_then(|batches| batches.get(*column)?.trim_end_matches(".0").parse().ok());
        let of_all = of_all.filter(|batch| *batch > 0);
        let each = of_all.filter(|batch| batch % count == 0).map(|batch| (batch / count).to_string());
        rows.push(meaning([
            ("device", &device),
            ("device-raw", name),
            ("host", if name.contains("NVLink") { "NVLink between the boards" } else { "" }),
            ("notes", notes),
            ("device-count", &count.to_string()),
            ("network", network),
            ("network-raw", column),
            ("precision", precision),
            ("stage", "train"),
            ("framework", "pytorch"),
            ("counts", counts),
            ("batch-size", &each.unwrap_or_default()),
            ("batch-size-global", &of_all.filter(|_| count > 1).map(|batch| batch.to_string()).unwrap_or_default()),
            ("throughput-per-s", value),
        ]));
    }
    rows
}

/// The rows of one file of throughputs with its file of batches.
fn of_file(folder: &Path, name: &str, precision: &str) -> Vec<Meaning> {
    let machines = csv_records(&folder.join(format!("pytorch-train-throughput-{name}{precision}.csv")));
    let batches = if name.is_empty() {
        csv_records(&folder.join(format!("pytorch-train-bs-{precision}.csv")))
    } else {
        Vec::new()
    };
    // The two files spell one card differently.
    let spelt = |record: &Record| record.get("name_gpu").map(|name| name.replace("RTX Quadro", "Quadro RTX"));
    let of = |machine: &Record| {
        let beside = batches.iter().find(|batches| spelt(batches) == spelt(machine));
        of_machine(machine, beside, precision)
    };
    machines.iter().flat_map(of).collect()
}

#[test]
fn lambdal_means_what_its_files_say() {
    SOURCE.holds(|folder| {
        let mut rows = Vec::new();
        for precision in ["fp16", "fp32"] {
            rows.extend(of_file(&folder.join("at-2022-07-06/pytorch"), "", precision));
            rows.extend(of_file(&folder.join("pytorch"), "", precision));
            rows.extend(of_file(&folder.join("pytorch"), "v2-", precision));
        }
        rows
    });
}
