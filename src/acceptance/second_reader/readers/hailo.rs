//! Hailo's model zoo: reStructuredText tables, one per task and data set; the accelerator is in the file's name, and the
//! compiler's version is in the text.

use std::collections::BTreeMap;
use std::path::Path;

use super::{Meaning, Source, entry, files_below, meaning, names, pattern, read_text};

const SOURCE: Source = Source {
    id: "hailo-2026",
    folder: "hailo-ai__hailo_model_zoo",
    also: &[
        "network-raw",
        "dataset",
        "framework-version",
        "software",
        "counts",
        "input-shape",
        "setting",
        "accuracy",
        "throughput-per-s",
    ],
};

/// Networks that the catalog lists under other names; the rest keep the source's name.
const NETWORKS: &[(&str, &str)] = &[
    (r"^inception_v1$", "googlenet"),
    (r"^mobilenet_v2_1\.0$", "mobilenet-v2"),
    (r"^regnetx_800mf$", "regnetx-008"),
    (r"^regnetx_1\.6gf$", "regnetx-016"),
    (r"^resnet_v1_(18|34|50)$", "resnet-$1"),
    (r"^resnext50_32x4d$", "resnext-50-32x4d"),
    (r"^squeezenet_v1\.1$", "squeezenet-1.1"),
    (r"^levit(\d+)$", "levit-$1"),
    (r"^tiny_(yolov[34])$", "$1-tiny"),
];

/// Data sets, as named in the headings; the others have no catalog entry.
const DATASETS: &[(&str, &str)] = &[
    (r"(?i)^ImageNet$", "imagenet-1k"),
    (r"(?i)^COCO$", "coco"),
    (r"(?i)^Cityscapes$", "cityscapes"),
    (r"(?i)^Pascal VOC$", "pascal-voc"),
    (r"(?i)^CIFAR100$", "cifar-100"),
];

/// A list table: the heading above it, and its rows, of which the first is the header.
type Table = (String, Vec<Vec<String>>);

/// The list tables of a page.
fn tables(text: &str) -> Vec<Table> {
    let mut tables: Vec<Table> = Vec::new();
    let (mut inside, mut heading, mut before) = (false, "", "");
    for line in text.lines() {
        if line.len() > 2 && line.chars().all(|c| "=-~^\"'*+#".contains(c)) && !before.is_empty() {
            heading = before;
        }
        before = line.trim();
        let row = line.strip_prefix("   * -");
        let cell = line.strip_prefix("     -");
        if line.starts_with(".. list-table::") {
            tables.push((heading.to_owned(), Vec::new()));
            inside = true;
        } else if !line.is_empty() && !line.starts_with(' ') {
            inside = false;
        } else if let (true, Some((_, table))) = (inside, tables.last_mut()) {
            match (row, cell, table.last_mut()) {
                (Some(row), ..) => table.push(vec![row.trim().to_owned()]),
                (_, Some(cell), Some(row)) => row.push(cell.trim().to_owned()),
                _ => {}
            }
        }
    }
    tables
}

fn of_page(path: &Path) -> Vec<Meaning> {
    let text = read_text(path);
    let (device, _) = names(path);
    let compiler = pattern(r"Hailo Dataflow Compiler v([\d.]*\d)");
    let software = compiler.captures(&text).map(|found| format!("Hailo Dataflow Compiler {}", &found[1]));
    let mark = pattern(r"\|\w+\||⭐");
    // Only images have this form of input; texts and clips do not.
    let picture = pattern(r"^(\d+)x(\d+)x([13])$");
    let mut rows = Vec::new();
    // The pages of the older accelerators say that marked networks run in performance mode.
    let is_performance = text.contains("networks run in performance mode");
    let share = pattern(r"^Hardware (?:Accuracy|Mean Accuracy|mAP|AP|AR1000|mIoU|lfw|rank1|Retrieval)");
    for (set, table) in tables(&text) {
        let (header, body) = table.split_first().expect("a header");
        for cells in body {
            let row: BTreeMap<&str, &str> =
                header.iter().zip(cells).map(|(h, cell)| (h.as_str(), cell.as_str())).collect();
            let Some(network) = row.get("Network Name").map(|name| mark.replace_all(name, "").trim().to_owned()) else {
                continue;
            };
            let is_marked =
                row.get("Network Name").is_some_and(|name| name.contains("|rocket|") || name.contains("|star|"));
            let accuracy = row.iter().find(|(name, _)| share.is_match(name)).and_then(|(_, cell)| cell.parse().ok());
            let accuracy = accuracy.filter(|share: &f64| *share > 0.0).map(|share| share / 100.0);
            let shape = row.get("Input Resolution (HxWxC)").and_then(|size| picture.captures(size));
            let shape = shape.map(|size| format!("{}x{}x{}", &size[3], &size[1], &size[2])).unwrap_or_default();
            for batch in ["1", "8"] {
                let rate = row.get(format!("FPS (Batch Size={batch})").as_str()).copied().unwrap_or_default();
                if rate.parse::<f64>().is_ok_and(|rate| rate > 0.0) {
                    rows.push(meaning([
                        ("device", &device.to_lowercase().replace("hailo", "hailo-")),
                        (
                            "network",
                            &entry(NETWORKS, &network).unwrap_or_else(|| network.to_lowercase().replace('_', "-")),
                        ),
                        ("network-raw", &network),
                        ("stage", "eval"),
                        ("batch-size", batch),
                        ("framework", "hailo-sdk"),
                        ("software", software.as_deref().unwrap_or_default()),
                        ("dataset", &entry(DATASETS, &set).unwrap_or_default()),
                        ("setting", if is_performance && is_marked { "performance mode" } else { "" }),
                        ("accuracy", &accuracy.map(|share| share.to_string()).unwrap_or_default()),
                        ("counts", "frame"),
                        ("input-shape", &shape),
                        ("throughput-per-s", rate),
                    ]));
                }
            }
        }
    }
    rows
}

#[test]
fn hailo_means_what_its_tables_say() {
    SOURCE.assert_matches(|folder| {
        files_below(&folder.join("docs"), "rst").iter().flat_map(|path| of_page(path)).collect()
    });
}
