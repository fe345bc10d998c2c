//! MXNet's page of performance: device or instance, precision and version stand in the lines above the tables, the instances of
//! the GPUs in a sentence above all of them.

use std::path::Path;

use super::markdown::{Table, tables};
use super::{Meaning, Source, files_below, meaning, pattern, read_text};

const SOURCE: Source = Source {
    id: "mxnet-2023",
    folder: "apache__mxnet",
    also: &["framework-version", "cudnn", "instance", "counts", "outcome", "throughput-per-s"],
};

/// The columns; the programs that the page names build the ResNets of the second paper.
const NETWORKS: &[(&str, &str)] = &[
    ("Alexnet", "alexnet"),
    ("VGG 16", "vgg-16"),
    ("Inception-BN", "inception-v2"),
    ("Inception-v3", "inception-v3"),
    ("Resnet 50", "resnet-50-v2"),
    ("Resnet 152", "resnet-152-v2"),
];

/// A GPU of the cloud is one of the two of a board of K80 and M60.
const GPUS: &[(&str, &str)] = &[("K80", "tesla-k80-gpu"), ("M60", "tesla-m60-gpu"), ("V100", "tesla-v100")];

/// The first group of a pattern in a text.
fn said(text: &str, words: &str) -> String {
    pattern(words).captures(text).map(|found| found[1].to_owned()).unwrap_or_default()
}

fn of_table(page: &str, table: &Table) -> Vec<Meaning> {
    let text = table.text.join("\n");
    let nearest = table.text.last().map(String::as_str).unwrap_or_default();
    let is_training = table.headings.last().is_some_and(|heading| heading == "Training results");
    let cpu = said(nearest, r"^AWS EC2 (C5\.\w+):$").to_lowercase();
    let gpu = said(nearest, r"^(?:- |.*result on )(K80|M60|V100)\b");
    let instance = match cpu.is_empty() {
        true => said(page, &format!(r"\b{gpu} \(EC2 ([\w.]+)\)")),
        false => cpu.clone(),
    };
    let device = GPUS.iter().find(|(name, _)| *name == gpu).map_or("unnamed-cpu", |(_, id)| *id);
    let precision = if nearest.contains("float 16") { "fp16" } else { "" };
    let mut all = Vec::new();
    for row in &table.rows {
        for (column, cell) in table.header.iter().zip(row).skip(1) {
            let (name, times) = match column.strip_suffix("( 16)").or_else(|| column.strip_suffix("(16)")) {
                Some(name) => (name.trim(), 16),
                None => (column.as_str(), 1),
            };
            let network = NETWORKS.iter().find(|(of, _)| *of == name).map_or("", |(_, id)| *id);
            let batch: u64 = row[0].parse().expect("a batch");
            let failed = cell == "OOM";
            all.push(meaning([
                ("device", device),
                ("device-count", if cpu.is_empty() { "1" } else { "" }),
                ("network", network),
                ("stage", if is_training { "train" } else { "eval" }),
                ("precision", precision),
                ("batch-size", &(batch * times).to_string()),
                ("framework", "mxnet"),
                ("framework-version", &said(&text, r"MXNet-([\d.]+(?:rc\d+)?)")),
                ("cudnn", &said(&text, r"(?i)\bcudnn ([\d.]+\d)")),
                ("instance", &instance),
                ("counts", "image"),
                ("outcome", if failed { "oom" } else { "" }),
                ("throughput-per-s", if failed { "" } else { cell }),
            ]));
        }
    }
    all
}

#[test]
fn mxnet_means_what_its_page_says() {
    SOURCE.holds(|folder: &Path| {
        let pages = files_below(folder, "md").into_iter().map(|path| read_text(&path));
        let of_page = |page: String| -> Vec<Meaning> {
            let tables = tables(&page).into_iter().filter(|table| table.header[0] == "Batch");
            tables.flat_map(|table| of_table(&page, &table)).collect()
        };
        pages.flat_map(of_page).collect()
    });
}
