//! NVIDIA's Deep Learning Examples: a page for each network and framework, whose tables differ in their columns; device,
//! precision and container stand in the heading, in the line above, or in the column. What a row of the knowledge base says
//! must be what one cell of its page says.

use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;

use super::markdown::tables;
use super::nvidia_dle_column::{header_and_rows, metric, number};
use super::nvidia_dle_figure::Figure;
use super::nvidia_dle_page::{Around, Page};
use super::{Fields, Source, files_below, html, kept, pattern, read_text, text};
use crate::mlperf::Row;

const SOURCE: Source = Source {
    id: "nvidia-dle-2024",
    folder: "NVIDIA__DeepLearningExamples",
    also: &["framework-version", "container", "input-shape", "mode", "setting", "n", "accuracy"],
};

/// What a figure may be in the unit of the knowledge base: the units are printed in few columns.
const UNITS: &[(&str, &[f64])] =
    &[("latency-ms", &[1.0, 1e3]), ("throughput-per-s", &[1.0, 1e3, 1e6]), ("total-s", &[1.0, 60.0, 3600.0, 86400.0])];

/// Latencies that are no measurements here, by their page: of programs that are compared, of two networks after each other,
/// of a list of files, of a header that names no first column, of a table with the header of another, and of a format that the
/// GPU does not have.
const LEFT_OUT: &[(&str, usize)] = &[
    ("cuda-optimized", 90),
    ("pytorch-fastpitch", 141),
    ("pytorch-gpunet", 6),
    ("pytorch-hifigan", 160),
    ("pytorch-tacotron2", 144),
    ("pytorch-tacotron2-trtis-cpp", 40),
    ("pytorch-wav2vec2", 32),
    ("tensorflow-gnmt", 168),
    ("tensorflow2-efficientnet-v1", 16),
];

/// A figure as it is looked up: the page, the metric and the value.
type Key = (String, &'static str, String);

fn key(page: &str, metric: &'static str, value: f64) -> Key {
    (page.to_owned(), metric, format!("{value:.8e}"))
}

/// What every figure of the pages means, by its page and value, and by page how many latencies have none of the values that
/// are kept.
fn figures(folder: &Path, kept: &BTreeSet<Key>) -> (BTreeMap<Key, Vec<Fields>>, BTreeMap<String, usize>) {
    let computed = pattern(
        "(?i)speed ?up|scaling|accuracy|score|loss|overhead|epoch|batch|gpus?$|duration|^bs$|length|nodes|steps|dataset|model",
    );
    let mut figures: BTreeMap<Key, Vec<Fields>> = BTreeMap::new();
    let mut left: BTreeMap<String, usize> = BTreeMap::new();
    for path in files_below(folder, "md") {
        let text = read_text(&path);
        let below = path.strip_prefix(folder).expect("a path below").to_string_lossy().into_owned();
        let page = Page::new(&below, &text);
        for table in tables(&text).into_iter().chain(html::tables(&text)) {
            let (header, rows) = header_and_rows(&table);
            let around = Around::new(&page, &table, &header);
            for row in rows {
                for (column, cell) in header.iter().zip(row).filter(|(column, _)| !computed.is_match(column)) {
                    let Some(value) = number(cell) else { continue };
                    let figure = Figure { around: &around, row, column };
                    let (metric, units) = UNITS.iter().find(|(name, _)| *name == metric(column)).expect("a metric");
                    let said = SOURCE.of_meaning(&figure.meaning());
                    let keys: Vec<Key> = units.iter().map(|unit| key(&stem(&below), metric, value * unit)).collect();
                    if *metric == "latency-ms" && !keys.iter().any(|key| kept.contains(key)) {
                        *left.entry(stem(&below)).or_default() += 1;
                    }
                    for key in keys {
                        figures.entry(key).or_default().push(said.clone());
                    }
                }
            }
        }
    }
    (figures, left)
}

/// The framework and the folders of a page, as the files of the knowledge base are named.
fn stem(page: &str) -> String {
    let parts: Vec<&str> = page.split('/').collect();
    let named = parts.iter().enumerate().filter(|(at, name)| *at != 1 && *at + 1 < parts.len() && **name != "ConvNets");
    let named: Vec<String> =
        named.map(|(_, name)| name.to_lowercase().replace('_', "-").replace("v1.5", "v15")).collect();
    named.join("-")
}

#[test]
fn nvidia_dle_means_what_its_pages_say() {
    let rows = kept(SOURCE.id);
    if let Some(folder) = super::folder(SOURCE.folder) {
        let rows_by_page = rows_by_page();
        let measured_of = |(file, row): &(String, Row)| measured(row).map(|(metric, value)| key(file, metric, value));
        let (figures, left) = figures(&folder, &rows_by_page.iter().filter_map(measured_of).collect());
        let left: Vec<(&str, usize)> = left.iter().map(|(page, count)| (page.as_str(), *count)).collect();
        assert_eq!(left, LEFT_OUT, "latencies that are not kept");
        let mut wrong: BTreeMap<&str, Vec<String>> = BTreeMap::new();
        for (file, row) in &rows_by_page {
            let Some((metric, value)) = measured(row) else { continue };
            let own = SOURCE.of_row(row);
            let said = figures.get(&key(file, metric, value)).map_or(&[][..], Vec::as_slice);
            if !said.contains(&own) {
                let nearest = said.iter().min_by_key(|other| super::differing(&own, other).count());
                wrong.entry(file).or_default().push(format!("{value}: {}", SOURCE.difference(&own, nearest)));
            }
        }
        let shown = wrong.iter().map(|(file, rows)| format!("{file}, {} rows, such as {}", rows.len(), rows[0]));
        let shown = shown.collect::<Vec<_>>().join("\n");
        assert!(wrong.is_empty(), "rows mean what their pages do not say:\n{shown}");
        println!("{}: {} rows compared in {} fields", SOURCE.id, rows.len(), SOURCE.fields().count());
    }
    let kept: Vec<Fields> = rows.iter().map(|row| SOURCE.of_row(row)).collect();
    insta::assert_snapshot!(SOURCE.id, SOURCE.digest(&kept));
}

/// The rows of the knowledge base, each with the page that its file is named after.
fn rows_by_page() -> Vec<(String, Row)> {
    let part = pattern("-(?:trt-|mrpc-)?(?:inference|training|total|evaluation|scale|multi-node)(?:-.*)?$");
    super::kept_by_file(SOURCE.id).into_iter().map(|(file, row)| (part.replace(&file, "").into_owned(), row)).collect()
}

/// The first of a row's metrics; a run that failed has none.
fn measured(row: &Row) -> Option<(&'static str, f64)> {
    let of = |metric: &str| text(row, metric)?.parse().ok();
    // The time to an accuracy stands on its page where the others have the time of a training.
    let metrics = UNITS.iter().find_map(|(metric, _)| Some((*metric, of(metric)?)));
    metrics.or_else(|| Some(("total-s", of("time-to-accuracy-s")?)))
}
