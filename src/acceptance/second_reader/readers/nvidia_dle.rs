//! NVIDIA's Deep Learning Examples: one page per network and framework, with different table columns on each; device, precision and
//! container are in the heading, in the text above, or in the column. Each knowledge base row must mean what one cell of its page
//! means.

use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;

use super::nvidia_dle_figure::Figure;
use super::pages::{Table, markdown_tables};
use super::{Fields, Source, entry, files_below, pages, pattern, read_text, recorded_rows, text};
use crate::Row;

const SOURCE: Source = Source {
    id: "nvidia-dle-2024",
    folder: "NVIDIA__DeepLearningExamples",
    also: &["framework-version", "container", "input-shape", "mode", "setting", "n", "accuracy"],
};

/// Per metric, the factors from a printed unit to the unit of the knowledge base: few columns state their unit.
const UNITS: &[(&str, &[f64])] =
    &[("latency-ms", &[1.0, 1e3]), ("throughput-per-s", &[1.0, 1e3, 1e6]), ("total-s", &[1.0, 60.0, 3600.0, 86400.0])];

/// Latencies that are not imported, counted per page: compared programs, two networks in sequence, a list of files, a header
/// without a name for the first column, a table with another table's header, and a number format that the GPU does not
/// support.
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

/// Lookup key of a figure: page, metric and value.
type Key = (String, &'static str, String);

fn key(page: &str, metric: &'static str, value: f64) -> Key {
    (page.to_owned(), metric, format!("{value:.8e}"))
}

/// The meanings of all figures on the pages, keyed by page, metric and value; and per page the number of latencies that match no
/// value in `kept`.
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
        for table in markdown_tables(&text).into_iter().chain(pages::tables(&text)) {
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

/// Framework and folders of a page, in the form used in the file names of the knowledge base.
fn stem(page: &str) -> String {
    let parts: Vec<&str> = page.split('/').collect();
    let named = parts.iter().enumerate().filter(|(at, name)| *at != 1 && *at + 1 < parts.len() && **name != "ConvNets");
    let named: Vec<String> =
        named.map(|(_, name)| name.to_lowercase().replace('_', "-").replace("v1.5", "v15")).collect();
    named.join("-")
}

#[test]
fn nvidia_dle_means_what_its_pages_say() {
    let rows = recorded_rows(SOURCE.id);
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
    super::recorded_rows_by_file(SOURCE.id)
        .into_iter()
        .map(|(file, row)| (part.replace(&file, "").into_owned(), row))
        .collect()
}

/// The first metric that the row states, with its value; `None` for a failed run.
fn measured(row: &Row) -> Option<(&'static str, f64)> {
    let of = |metric: &str| text(row, metric)?.parse().ok();
    // Where other pages have the duration of a training, this one has the time to an accuracy.
    let metrics = UNITS.iter().find_map(|(metric, _)| Some((*metric, of(metric)?)));
    metrics.or_else(|| Some(("total-s", of("time-to-accuracy-s")?)))
}

pub(super) const PRECISIONS: &[(&str, &str)] = &[
    (r"(?i)mi(?:xe)?d[- ]?precision|\bamp\b|\bmixed\b", "amp-fp16"),
    (r"(?i)\btf32", "tf32"),
    (r"(?i)fp32", "fp32"),
    (r"(?i)fp16", "fp16"),
    (r"(?i)bf16", "bf16"),
    (r"(?i)int8", "int8"),
];

/// The metric in a column.
pub(super) fn metric(column: &str) -> &'static str {
    let column = column.to_lowercase();
    if column.contains("latency") || pattern(r"^\d\d% \(ms\)|avg.*\(ms\)").is_match(&column) {
        "latency-ms"
    } else if pattern("time|hours").is_match(&column) && !column.contains("throughput") {
        "total-s"
    } else {
        "throughput-per-s"
    }
}

/// Whether a column may be of this precision. Only full and reduced precision are told apart, because pages confuse FP32 and TF32.
pub(super) fn is_of(precision: &str, column: &str) -> bool {
    let named = PRECISIONS.iter().filter(|(words, _)| pattern(words).is_match(column)).map(|(_, id)| *id);
    let named: Vec<&str> = named.collect();
    let is_full = precision.ends_with("32");
    named.is_empty() || named.iter().any(|id| id.ends_with("32") == is_full)
}

/// The number in a cell: a rate, a duration in seconds, or a duration as `h:mm:ss`.
pub(super) fn number(cell: &str) -> Option<f64> {
    if let Some(found) = pattern(r"^(\d+):(\d\d):(\d\d)").captures(cell) {
        let of = |at: usize| found[at].parse::<f64>().unwrap_or_default();
        return Some(of(1) * 3600.0 + of(2) * 60.0 + of(3));
    }
    if let Some(found) = pattern(r"^(?:(\d+)h ?)?(\d+) ?min$").captures(cell) {
        let of = |at: usize| found.get(at).map_or(0.0, |part| part.as_str().parse().unwrap_or_default());
        return Some(of(1) * 3600.0 + of(2) * 60.0);
    }
    let cell = pattern(r"^(\d+),(\d\d) ms$").replace(cell, "$1.$2 ms");
    let found = pattern(r"^~?\s*(\d[\d,]*(?: \d{3}\b)?(?:\.\d+)?(?:e[+-]?\d+)?)").captures(&cell)?;
    found[1].replace([',', ' '], "").parse().ok()
}

/// The header of a table, merged with its second line if it has one, and the rows below.
pub(super) fn header_and_rows(table: &Table) -> (Vec<String>, &[Vec<String>]) {
    let is_second = |row: &Vec<String>| !row.iter().any(|cell| !cell.ends_with('%') && number(cell).is_some());
    match table.rows.split_first() {
        Some((second, rows)) if table.header.iter().any(String::is_empty) && is_second(second) => {
            let mut above = "";
            let merged = table.header.iter().zip(second).map(|(name, below)| {
                above = if name.is_empty() { above } else { name };
                format!("{above} {below}").trim().to_owned()
            });
            (merged.collect(), rows)
        }
        _ => (table.header.clone(), &table.rows),
    }
}

/// Device patterns. A DGX model has one form factor of GPU, so its name and the memory size identify the SKU.
pub(super) const DEVICES: &[(&str, &str)] = &[
    (r"DGX A100.*A100 ([48]0)G|DGX A100 +([48]0)G", "a100-sxm4-${1}${2}gb"),
    (r"DGX-1\b.*V100 (16|32)G|^DGX-1 (16|32)G$", "tesla-v100-sxm2-${1}${2}gb"),
    (r"DGX-2H?\b.*V100\b|^DGX-2", "tesla-v100-sxm3-32gb"),
    (r"V100", "tesla-v100"),
    (r"A100", "a100"),
    (r"\bT4\b", "tesla-t4"),
    (r"\b(A[13]0)\b", "$1"),
];

/// Phrases by which a page says that FP16 in its tables means automatic mixed precision: TensorFlow's own, or a command-line
/// flag, possibly also for inference.
pub(super) const IS_AMP: &str = r"TF-AMP|\[--amp\]|For training and inference, mixed precision can be enabled by adding the `--amp`|`--amp` flag when running the training or inference|issue the `--amp` flag to the `main.py`";

/// A page with the facts that apply to all its tables.
pub(super) struct Page<'p> {
    /// Path below the folder of the source.
    pub(super) path: &'p str,
    /// Whether the page says that its mixed precision is bfloat16.
    pub(super) is_bf16: bool,
    /// Whether the page says that its FP16 is automatic mixed precision.
    pub(super) is_amp: bool,
    /// Whether one of its tables says that a batch is accumulated over several steps.
    pub(super) accumulates: bool,
    /// The last container that the page names.
    pub(super) container: String,
    /// The container with which its changelog says the tables were updated.
    pub(super) container_of_tables: String,
    /// The input shape from the description of the network or data, channels first.
    pub(super) input: String,
    /// The number of runs that inference results are averaged over, from the text below the last table.
    pub(super) samples_below: String,
}

impl<'p> Page<'p> {
    pub(super) fn new(path: &'p str, text: &str) -> Self {
        let mut page = Self {
            path,
            is_bf16: text.contains("BF16 mixed precision"),
            is_amp: pattern(IS_AMP).is_match(text),
            accumulates: text.contains("Accumulated Batch size"),
            container: String::new(),
            container_of_tables: String::new(),
            input: input(text),
            samples_below: pattern(r"averaged between (\d+) runs")
                .captures(text)
                .map(|found| found[1].to_owned())
                .unwrap_or_default(),
        };
        page.container = container(page.framework(), text);
        let renewed = pattern(r"(?i)Updated performance tables to include numbers from (\d\d\.\d\d\S*) NGC container");
        page.container_of_tables =
            renewed.captures(text).map(|found| ngc(page.framework(), &found[1])).unwrap_or_default();
        page
    }

    pub(super) fn framework(&self) -> &'static str {
        match self.path.split('/').next().unwrap_or_default() {
            "DGLPyTorch" | "PyTorch" => "pytorch",
            "TensorFlow" | "TensorFlow2" => "tensorflow",
            "MxNet" => "mxnet",
            "PaddlePaddle" => "paddlepaddle",
            _ => "",
        }
    }
}

/// A table with the facts from the text around it.
pub(super) struct Around<'t> {
    pub(super) page: &'t Page<'t>,
    pub(super) table: &'t Table,
    pub(super) header: &'t [String],
    pub(super) is_inference: bool,
    pub(super) device: Option<String>,
    /// Number of GPUs in the machine.
    pub(super) machine: Option<u64>,
    /// Whether the text says that one GPU was used.
    pub(super) is_one: bool,
    /// Whether the text says that the figures are averages.
    pub(super) is_averaged: bool,
    /// Whether the text names the program as `{AMP,TF32}`, so that runs without mixed precision use TF32.
    pub(super) names_tf32: bool,
    /// The number of samples that the text says were averaged.
    pub(super) samples: String,
    pub(super) container: String,
}

impl<'t> Around<'t> {
    pub(super) fn new(page: &'t Page<'t>, table: &'t Table, header: &'t [String]) -> Self {
        let text = table.text.join(" ");
        let machine = pattern(r"\((?:\w+ with )?(\d+) ?x|\b(\d+)x (?:NVIDIA )?[AVT]\d");
        let machine = above(table).find_map(|text| {
            let found = machine.captures(text)?;
            found.get(1).or_else(|| found.get(2))?.as_str().parse().ok()
        });
        let stage = pattern("(?i)inference|-TRT|evaluation performance|train");
        let headings = table.headings.iter().rev().map(String::as_str);
        let said = headings.chain([nearest_line(table)]).find(|text| stage.is_match(text)).unwrap_or_default();
        Self {
            page,
            table,
            header,
            is_inference: !pattern("(?i)train").is_match(said),
            device: above(table).find_map(|text| entry(DEVICES, text)),
            machine,
            is_one: pattern(r"(?i)on a single GPU|benchmark\.py -n 1 ").is_match(&text),
            is_averaged: pattern(
                r"(?i)\bnumbers?\b[^.]*\b(?:were|are) averaged\b|values presented below were averaged|Results are averages across",
            ).is_match(&text),
            names_tf32: text.contains("{AMP,TF32}"),
            samples: samples(&text),
            // If the text names none, it is the page's last container or the one of the changelog.
            container: match container(page.framework(), &text) {
                own if own.is_empty()
                    && pattern(r"DLRM Docker container|DLRM/scripts|dlrm/scripts|NGC container as before")
                        .is_match(&text) =>
                {
                    page.container.clone()
                }
                own if own.is_empty() => page.container_of_tables.clone(),
                own => own,
            },
        }
    }
}

/// The headings and text lines above a table, nearest first.
pub(super) fn above(table: &Table) -> impl Iterator<Item = &str> {
    table.headings.iter().rev().chain(table.text.iter().rev()).map(String::as_str)
}

pub(super) fn nearest_line(table: &Table) -> &str {
    table.text.last().map_or("", String::as_str)
}

/// The last container that a text names.
pub(super) fn container(framework: &str, text: &str) -> String {
    let release = pattern(
        r"(?i)\b(?:tensorflow2?|tensorflow-1|pytorch|mxnet|paddlepaddle|the|2\.x)[ :`\[-]+((?:1[89]|2[0-3])\.(?:0[1-9]|1[0-2])(?:-tf[12])?(?:-py[23])?)\b",
    );
    // One TensorFlow page names a PyTorch container for its inference.
    let is_other = framework == "tensorflow" && pattern(r"(?i)in the PyTorch \d").is_match(text);
    let Some(found) = release.captures_iter(text).last().filter(|_| !is_other) else { return String::new() };
    ngc(framework, &found[1])
}

/// The name of NVIDIA's container of a framework and release.
fn ngc(framework: &str, release: &str) -> String {
    let name = match framework {
        "pytorch" => "PyTorch",
        "mxnet" => "MXNet",
        "paddlepaddle" => "PaddlePaddle",
        _ => "TensorFlow",
    };
    format!("NGC {name} {release}")
}

/// The input shape stated in a page's text: photographs have three channels, microscope images one.
fn input(text: &str) -> String {
    const INPUTS: &[(&str, &str)] = &[
        (r"(?:crop to|input size is fixed to|Decreasing the input size to) (\d+) ?x ?(\d+)", "3x${1}x$2"),
        (r"Random (\d+x\d+x\d+)x(\d) crop", "${2}x$1"),
        (r"padded to (\d+x\d+) to fit the input of the network", "1x$1"),
    ];
    entry(INPUTS, text).unwrap_or_default()
}

/// The shape in a cell, channels first; `None` if the cell does not state the channels.
pub(super) fn shape(cell: &str) -> Option<String> {
    let cell = cell.replace(' ', "");
    let extents: Option<Vec<u64>> = cell.split('x').map(|extent| extent.parse().ok()).collect();
    match extents?.as_slice() {
        [height, width] if height == width => Some(format!("3x{height}x{width}")),
        [space @ .., channels] if space.len() > 1 && *channels <= 4 => {
            let space: Vec<String> = space.iter().map(u64::to_string).collect();
            Some(format!("{channels}x{}", space.join("x")))
        }
        _ => None,
    }
}

/// The number of samples that a text says were averaged.
pub(super) fn samples(text: &str) -> String {
    let counted = pattern(
        r"(?i)\bnumbers?\b[^.]*\bwere averaged (?:over|from) (\d+)\s+(?:\w+ )?(?:iterations|steps|runs)|averaged over (\d+) (?:experiments|separate runs)|gathered from (\d+) inference runs|averages across (\d+) random seeds",
    );
    let found = counted.captures_iter(text).last();
    found
        .and_then(|found| found.iter().skip(1).flatten().next().map(|found| found.as_str().to_owned()))
        .unwrap_or_default()
}
