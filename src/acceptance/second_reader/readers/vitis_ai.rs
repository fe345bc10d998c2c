//! Vitis AI's model zoo: one table per board and release, and one file for release 3.5.

use std::path::Path;

use super::pages::{Table, markdown_tables};
use super::{Meaning, Source, csv_records, entry, meaning, pattern, read_text};

const SOURCE: Source = Source {
    id: "vitis-ai-2022",
    folder: "Xilinx__Vitis-AI",
    also: &[
        "device-raw",
        "network-raw",
        "framework-version",
        "framework-raw",
        "threads",
        "timed",
        "counts",
        "outcome",
        "input-shape",
        "latency-ms",
        "throughput-per-s",
    ],
};

/// Boards by heading; revisions of a board are not distinguished.
const BOARDS: &[(&str, &str)] = &[
    (r"^(ZCU10[24])", "$1"),
    (r"^(Ultra96|VCK190|VCK5000|VEK280)$", "$1"),
    (r"^Kria KV260 SOM$", "kria-kv260"),
    (r"^U50 ?lv$", "alveo-u50lv"),
    (r"^U55C DWC$", "alveo-u55c"),
    (r"^([UV]\d+)$", "alveo-$1"),
];

/// A network keeps the source's name, without the trailing release.
fn network(name: &str) -> String {
    let release = pattern(r"(?:(g)-[12]\.[05]|-3\.5|(kitti)-2\.0)$");
    let name = name.to_lowercase().replace('_', "-");
    let name = release.replace(&name, "$1$2").into_owned();
    // Without its release, this name would be that of a different network.
    if name == "tf-inceptionv3" { "vitis-tf-inceptionv3".to_owned() } else { name }
}

/// Fields shared by all rows of a board.
fn board(heading: &str, name: &str) -> Meaning {
    meaning([
        ("device", &entry(BOARDS, heading).unwrap_or_else(|| panic!("the second reader does not know `{heading}`"))),
        ("device-raw", heading),
        ("device-count", "1"),
        ("network", &network(name)),
        ("network-raw", name),
        ("precision", "int8"),
        ("stage", "eval"),
        ("framework", "vitis-ai"),
        ("timed", "end to end"),
        ("counts", "frame"),
    ])
}

/// The rows of one release's table; every release repeats results of the last SDK before it, which count only if `is_first`.
fn of_table(table: &Table, is_first: bool) -> Vec<Meaning> {
    let heading = table.headings.last().and_then(|heading| heading.strip_prefix("Performance on "));
    let Some(heading) = heading.map(str::trim) else { return Vec::new() };
    let measured = pattern(r"easured with (?:Vitis AI ([\d.]*\d) and|the previous (AI SDK v[\d.]*\d))");
    let measured = table.text.iter().find_map(|line| measured.captures(line)).expect("what it was measured with");
    if measured.get(2).is_some() && !is_first {
        return Vec::new();
    }
    let mut rows = Vec::new();
    for cells in &table.rows {
        let row: Vec<(&str, &str)> =
            table.header.iter().zip(cells).map(|(h, cell)| (h.as_str(), cell.as_str())).collect();
        let of = |wanted: &dyn Fn(&str) -> bool| row.iter().find(|(name, _)| wanted(name)).map(|(_, cell)| *cell);
        let Some(name) = of(&|name| name == "Name" || name == "GPU Model Standard Name") else { continue };
        let mut say = |more: &[(&'static str, &str)]| {
            let mut said = board(heading, name);
            let version = measured.get(1).map(|version| ("framework-version", version.as_str()));
            let sdk = measured.get(2).map(|sdk| ("framework-raw", sdk.as_str()));
            let all = version.into_iter().chain(sdk).chain(more.iter().copied());
            said.extend(all.filter(|(_, value)| !value.is_empty()).map(|(key, value)| (key, value.to_owned())));
            rows.push(said);
        };
        if let Some(latency) = of(&|name| name.contains("latency") && name.ends_with("20")) {
            say(&[("threads", "20"), ("latency-ms", latency)]);
        }
        let latency = of(&|name| name.contains("latency") && name.ends_with('1')).unwrap_or_default();
        for (column, value) in row.iter().filter(|(name, value)| name.contains("throughput") && *value != "-") {
            let (rate, threads) = value.split_once(" (").unwrap_or((value, ""));
            match (*value, column.contains("Single")) {
                ("NA", true) => say(&[("threads", "1"), ("outcome", "crashed")]),
                ("NA", false) => say(&[("outcome", "crashed")]),
                (_, true) => say(&[("threads", "1"), ("latency-ms", latency), ("throughput-per-s", rate)]),
                _ => say(&[("threads", threads.trim_end_matches(" thread)")), ("throughput-per-s", rate)]),
            }
        }
    }
    rows
}

/// The rows of release 3.5.
fn of_release_3_5(path: &Path) -> Vec<Meaning> {
    let picture = pattern(r"^(\d+)\*(\d+)\*3$");
    let mut rows = Vec::new();
    for record in csv_records(path) {
        let name = &record["Vitis-AI Model Name Zoo Name"];
        for (column, rate) in record.iter().filter(|(column, rate)| column.contains("E2E") && *rate != "/") {
            if name.is_empty() {
                continue;
            }
            let mut said = board(column.split_whitespace().next().unwrap_or_default(), name);
            said.insert("framework-version", "3.5".to_owned());
            if column.contains("Single") {
                said.insert("threads", "1".to_owned());
            }
            if let Some(size) = picture.captures(&record["Input Dims(HWC)"]) {
                said.insert("input-shape", format!("3x{}x{}", &size[1], &size[2]));
            }
            said.insert("throughput-per-s", rate.clone());
            rows.push(said);
        }
    }
    rows
}

#[test]
fn vitis_ai_means_what_its_tables_say() {
    SOURCE.assert_matches(|folder| {
        let mut rows = of_release_3_5(&folder.join("v3.5/docsrc/source/docs/reference/ModelZoo_Github.csv"));
        let pages =
            ["v1.4.1/models/AI-Model-Zoo/README.md", "v2.0/models/AI-Model-Zoo/README.md", "v2.5/model_zoo/README.md"];
        for page in pages {
            let is_first = page.starts_with("v1.4.1");
            rows.extend(
                markdown_tables(&read_text(&folder.join(page))).iter().flat_map(|table| of_table(table, is_first)),
            );
        }
        rows
    });
}
