//! NVIDIA's Deep Learning Examples: a page for each network and framework, whose tables differ in their columns; device,
//! precision and container stand in the heading, in the line above, or in the column. What a row of the knowledge base says
//! must be what one cell of its page says.

use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;

use super::markdown::{Table, tables};
use super::{Fields, Source, entry, files_below, kept, meaning, pattern, read_text, text};
use crate::mlperf::Row;

const SOURCE: Source = Source { id: "nvidia-dle-2024", folder: "NVIDIA__DeepLearningExamples", also: &["container"] };

/// The networks, by the end of their page's folder; of pages with several, by what stands nearest to the figure.
const NETWORKS: &[(&str, &[(&str, &str)])] = &[
    ("SE3Transformer", &[("", "se3-transformer")]),
    ("RN50v1.5", &[("", "resnet-50-v1.5")]),
    ("resnet50v1.5", &[("", "resnet-50-v1.5")]),
    ("resnext101-32x4d", &[("", "resnext-101-32x4d")]),
    ("se-resnext101-32x4d", &[("", "se-resnext-101-32x4d")]),
    ("efficientnet", &[("(?i)^efficientnet-(b[04]|widese-b[04])\\b", "efficientnet-$1")]),
    ("efficientnet_v1", &[("(?i)efficientnet[ -](?:v1-)?(b[04])\\b", "efficientnet-$1")]),
    ("efficientnet_v2", &[("", "efficientnet-v2-s")]),
    ("GPUNet", &[("", "gpunet")]),
    ("biobert", &[("", "biobert")]),
    (
        "BERT",
        &[
            (r"(?i)^(base|large)$", "bert-$1"),
            (r"(?i)\bbert[- ]?base", "bert-base"),
            (r"(?i)\bbert[- ]?large", "bert-large"),
        ],
    ),
    ("BART", &[("", "bart")]),
    ("ELECTRA", &[("", "electra")]),
    ("Transformer-XL", &[("(?i)(base|large) model", "transformer-xl-$1")]),
    ("GNMT", &[("", "gnmt")]),
    ("NCF", &[("", "ncf")]),
    ("DLRM", &[("", "dlrm")]),
    ("SIM", &[("", "sim")]),
    ("VAE-CF", &[("", "vae-cf")]),
    ("WideAndDeep", &[("", "wide-and-deep")]),
    ("PyTorch/Detection/SSD", &[("", "ssd300")]),
    ("TensorFlow/Detection/SSD", &[("", "ssd320")]),
    ("Efficientdet", &[("", "efficientdet-d0")]),
    ("MaskRCNN", &[("", "mask-rcnn")]),
    ("nnUNet", &[("", "nnunet")]),
    ("UNet_3D_Medical", &[("", "3d-unet")]),
    ("UNet_Industrial", &[("", "unet-industrial")]),
    ("UNet_Medical", &[("", "unet-medical")]),
    ("UNet3P", &[("", "unet-3-plus")]),
    ("VNet", &[("", "v-net")]),
    ("Jasper", &[("", "jasper")]),
    ("QuartzNet", &[("", "quartznet")]),
    ("wav2vec2", &[("", "wav2vec-2")]),
    ("FastPitch", &[("", "fastpitch")]),
    ("HiFiGAN", &[("", "hifi-gan")]),
    ("Tacotron2", &[("(?i)waveglow:", "waveglow"), ("(?i)tacotron 2:", "tacotron-2")]),
    ("TFT", &[("", "tft")]),
    ("MoFlow", &[("", "moflow")]),
];

const PRECISIONS: &[(&str, &str)] = &[
    (r"(?i)mixed[- ]?precision|\bamp\b|\bmixed\b", "amp-fp16"),
    (r"(?i)\btf32", "tf32"),
    (r"(?i)fp32", "fp32"),
    (r"(?i)fp16", "fp16"),
    (r"(?i)bf16", "bf16"),
    (r"(?i)int8", "int8"),
];

const DEVICES: &[(&str, &str)] =
    &[(r"V100", "tesla-v100"), (r"A100", "a100"), (r"\bT4\b", "tesla-t4"), (r"\b(A[13]0)\b", "$1")];

/// A page.
struct Page<'p> {
    /// Its path below the source.
    path: &'p str,
    /// Whether it says that its mixed precision is bfloat16.
    is_bf16: bool,
}

impl Page<'_> {
    fn framework(&self) -> &'static str {
        match self.path.split('/').next().unwrap_or_default() {
            "DGLPyTorch" | "PyTorch" => "pytorch",
            "TensorFlow" | "TensorFlow2" => "tensorflow",
            "MxNet" => "mxnet",
            "PaddlePaddle" => "paddlepaddle",
            _ => "",
        }
    }
}

/// A table with what is said around it.
struct Around<'t> {
    page: &'t Page<'t>,
    table: &'t Table,
    header: &'t [String],
    is_inference: bool,
    device: Option<String>,
    /// How many GPUs the machine has.
    machine: Option<u64>,
    /// Whether the text says that one GPU ran.
    is_one: bool,
    /// Whether the text says that the figures are averages.
    is_averaged: bool,
    container: String,
}

impl<'t> Around<'t> {
    fn new(page: &'t Page<'t>, table: &'t Table, header: &'t [String]) -> Self {
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
            is_averaged: pattern(r"(?i)\bnumbers?\b[^.]*\b(?:were|are) averaged\b").is_match(&text),
            container: container(page.framework(), &text),
        }
    }
}

/// The headings and the lines of text above a table, the nearest first.
fn above(table: &Table) -> impl Iterator<Item = &str> {
    table.headings.iter().rev().chain(table.text.iter().rev()).map(String::as_str)
}

fn nearest_line(table: &Table) -> &str {
    table.text.last().map_or("", String::as_str)
}

/// The container that a text names last.
fn container(framework: &str, text: &str) -> String {
    let release = pattern(
        r"(?i)\b(?:tensorflow2?|tensorflow-1|pytorch|mxnet|paddlepaddle|the|2\.x)[ :`\[-]+((?:1[89]|2[0-3])\.(?:0[1-9]|1[0-2])(?:-tf[12])?(?:-py[23])?)\b",
    );
    // One page of TensorFlow names a container of PyTorch for its inference.
    let is_other = framework == "tensorflow" && pattern(r"(?i)in the PyTorch \d").is_match(text);
    let Some(found) = release.captures_iter(text).last().filter(|_| !is_other) else { return String::new() };
    let name = match framework {
        "pytorch" => "PyTorch",
        "mxnet" => "MXNet",
        "paddlepaddle" => "PaddlePaddle",
        _ => "TensorFlow",
    };
    format!("NGC {name} {}", &found[1])
}

/// A figure with all that stands around it.
struct Figure<'t> {
    around: &'t Around<'t>,
    row: &'t [String],
    column: &'t str,
}

impl Figure<'_> {
    /// The cells of the row whose column's name matches.
    fn beside(&self, column: &str) -> impl Iterator<Item = (&str, &str)> {
        let column = pattern(column);
        let cells = self.around.header.iter().zip(self.row).filter(move |(name, _)| column.is_match(name));
        cells.map(|(name, cell)| (name.as_str(), cell.as_str()))
    }

    fn device(&self) -> String {
        let beside = self.beside("^GPU$").find_map(|(_, cell)| entry(DEVICES, cell));
        self.around.device.clone().or(beside).unwrap_or_default()
    }

    fn precision(&self) -> String {
        if let Some((_, mark)) = self.beside("^AMP$").next() {
            return if mark.contains("check") { "amp-fp16".to_owned() } else { String::new() };
        }
        let named = |text: &str| -> Vec<&str> {
            PRECISIONS.iter().filter(|(words, _)| pattern(words).is_match(text)).map(|(_, id)| *id).collect()
        };
        let all = self.around.header.join(" ");
        let beside = self.beside("(?i)^precision").map(|(_, cell)| cell);
        let around =
            beside.chain([nearest_line(self.around.table)]).chain(above(self.around.table)).chain([all.as_str()]);
        let own = named(self.column).first().copied();
        let precision = own.or_else(|| around.map(named).find(|found| found.len() == 1).map(|found| found[0]));
        match precision {
            Some("amp-fp16") if self.around.page.is_bf16 => "amp-bf16".to_owned(),
            precision => precision.unwrap_or_default().to_owned(),
        }
    }

    /// The batch of a GPU; of two the one of this precision, in the order that header or cell tells.
    fn batch(&self, precision: &str) -> String {
        if let Some(found) = pattern(r"\(BS=(\d+)\)").captures(self.column) {
            return found[1].to_owned();
        }
        let wanted = "(?i)^(?:local )?(?:batch|bs\\b)";
        let Some((name, cell)) = self.beside(wanted).find(|(name, _)| !pattern("(?i)global|accumul").is_match(name))
        else {
            return String::new();
        };
        // A comma parts two numbers where the header names two precisions, and thousands elsewhere.
        let is_one = pattern(r"^\d+(?:,\d{3})*$").is_match(cell) && !name.contains("precision, ");
        if is_one {
            return cell.replace(',', "");
        }
        let two = pattern(r"^(\d+)(?:@\w+| \(\w+\))?\D+(\d+)(?:@\w+| \(AMP\))?$");
        let Some(found) = two.captures(cell) else { return String::new() };
        let is_full_first = pattern(r"(?i)(?:tf|fp)32\)?\W+(?:and\W+)?(?:fp16|bf16|mixed|\d+ \(amp)|TF\) / ")
            .is_match(&format!("{name} {cell}"));
        let is_full = matches!(precision, "tf32" | "fp32");
        found[if is_full == is_full_first { 1 } else { 2 }].to_owned()
    }

    /// Nodes times GPUs; or as many as the heading says that the machine has.
    fn count(&self) -> String {
        let number = |(_, cell): (&str, &str)| cell.parse::<u64>().ok();
        let nodes = self.beside(r"(?i)^[^/]*\bnodes?\b[^/]*$").find_map(number);
        let gpus = self.beside("(?i)^(?:number of |num |#)?gpus?(?: ?/ ?node)?$").find_map(number);
        let is_all = self.around.header.iter().any(|name| name == "# Nodes");
        let machine = self.around.machine;
        let count = match (nodes, gpus) {
            (Some(nodes), gpus) if !is_all => gpus.or(machine).map(|each| nodes * each),
            (_, Some(gpus)) => Some(gpus),
            _ if self.around.is_inference => self.count_of_inference(),
            _ => machine,
        };
        count.map(|count| count.to_string()).unwrap_or_default()
    }

    /// One where it is said, or where the heading names a card and not a machine; what a machine has need not have run.
    fn count_of_inference(&self) -> Option<u64> {
        let is_card = pattern(r"(?:\bT4|A100 40GB|[AV]100 \(\d+GB\))\s*$");
        let heading = self.around.table.headings.iter().rev().find(|heading| entry(DEVICES, heading).is_some());
        let names_card = self.around.machine.is_none() && heading.is_some_and(|heading| is_card.is_match(heading));
        (self.around.is_one || self.around.machine == Some(1) || names_card).then_some(1)
    }

    fn statistic(&self) -> &'static str {
        let share = pattern(r"(?i)(?:^|[^\d.])(50|90|95|99|100) ?%|p(50|90|95|99)\b").captures(self.column);
        match share.as_ref().and_then(|found| found.get(1).or_else(|| found.get(2))).map(|found| found.as_str()) {
            Some("50") => "median",
            Some("90") => "p90",
            Some("95") => "p95",
            Some("99") => "p99",
            Some(_) => "max",
            None if pattern(r"(?i)\bavg|average|mean\b").is_match(self.column) => "mean",
            None if self.around.is_averaged => "mean",
            None => "",
        }
    }

    fn network(&self) -> String {
        let folder = format!("/{}", self.around.page.path.trim_end_matches("/README.md"));
        let own = NETWORKS.iter().find(|(name, _)| folder.ends_with(&format!("/{name}")));
        let Some((name, networks)) = own else { return String::new() };
        if let [("", network)] = networks {
            return (*network).to_owned();
        }
        let cells = self.row.iter().map(String::as_str);
        let around =
            cells.chain(self.around.table.text.iter().rev().map(String::as_str)).chain(above(self.around.table));
        let nearest = around.filter_map(|text| entry(networks, text)).next();
        // What the pages of one network call by its family's name.
        let usual = [("BERT", "bert-large"), ("Transformer-XL", "transformer-xl-base")];
        let usual = || usual.iter().find(|(of, _)| of == name).map(|(_, network)| (*network).to_owned());
        nearest.or_else(usual).unwrap_or_default()
    }

    fn framework(&self) -> &'static str {
        if self.column.contains("TensorRT") { "tensorrt" } else { self.around.page.framework() }
    }

    fn meaning(&self) -> Fields {
        let precision = self.precision();
        SOURCE.of_meaning(&meaning([
            ("device", &self.device()),
            ("device-count", &self.count()),
            ("network", &self.network()),
            ("precision", &precision),
            ("stage", if self.around.is_inference { "eval" } else { "train" }),
            ("batch-size", &self.batch(&precision)),
            ("framework", self.framework()),
            ("container", &self.around.container),
            ("statistic", self.statistic()),
        ]))
    }
}

/// The number in a cell: a rate, a time, or a time of day.
fn number(cell: &str) -> Option<f64> {
    if let Some(found) = pattern(r"^(\d+):(\d\d):(\d\d)").captures(cell) {
        let of = |at: usize| found[at].parse::<f64>().unwrap_or_default();
        return Some(of(1) * 3600.0 + of(2) * 60.0 + of(3));
    }
    let cell = pattern(r"^(\d+),(\d\d) ms$").replace(cell, "$1.$2 ms");
    let found = pattern(r"^~?\s*(\d[\d,]*(?: \d{3}\b)?(?:\.\d+)?(?:e[+-]?\d+)?)").captures(&cell)?;
    found[1].replace([',', ' '], "").parse().ok()
}

/// The header of a table, with a second line of it where there is one, and the rows below.
fn header_and_rows(table: &Table) -> (Vec<String>, &[Vec<String>]) {
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

/// What a figure may be in the unit of the knowledge base: the units are printed in few columns.
const UNITS: &[(&str, &[f64])] =
    &[("latency-ms", &[1.0, 1e3]), ("throughput-per-s", &[1.0, 1e3, 1e6]), ("total-s", &[1.0, 60.0, 3600.0, 86400.0])];

/// Which of these a column holds.
fn metric(column: &str) -> &'static str {
    let column = column.to_lowercase();
    if column.contains("latency") || pattern(r"^\d\d% \(ms\)|avg.*\(ms\)").is_match(&column) {
        "latency-ms"
    } else if pattern("time|hours").is_match(&column) && !column.contains("throughput") {
        "total-s"
    } else {
        "throughput-per-s"
    }
}

/// Latencies that are no measurements here, by their page: of programs that are compared, of two networks after each other,
/// of a list of files, of a header that names no first column, of a table with the header of another, and of a format that the
/// GPU does not have.
const LEFT_OUT: &[(&str, usize)] = &[
    ("cuda-optimized", 90),
    ("pytorch-fastpitch", 141),
    ("pytorch-gpunet", 6),
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
        let page = Page { path: &below, is_bf16: text.contains("BF16 mixed precision") };
        for table in tables(&text) {
            let (header, rows) = header_and_rows(&table);
            let around = Around::new(&page, &table, &header);
            for row in rows {
                for (column, cell) in header.iter().zip(row).filter(|(column, _)| !computed.is_match(column)) {
                    let Some(value) = number(cell) else { continue };
                    let figure = Figure { around: &around, row, column };
                    let (metric, units) = UNITS.iter().find(|(name, _)| *name == metric(column)).expect("a metric");
                    let said = figure.meaning();
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
        let mut wrong = Vec::new();
        for (file, row) in &rows_by_page {
            let Some((metric, value)) = measured(row) else { continue };
            let own = SOURCE.of_row(row);
            let said = figures.get(&key(file, metric, value)).map_or(&[][..], Vec::as_slice);
            if !said.contains(&own) {
                let nearest = said.iter().min_by_key(|other| super::differing(&own, other).count());
                wrong.push(format!("{file} {value}: {}", SOURCE.difference(&own, nearest)));
            }
        }
        let shown = wrong.iter().take(20).cloned().collect::<Vec<_>>().join("\n");
        assert!(wrong.is_empty(), "{} rows mean what their pages do not say:\n{shown}", wrong.len());
        println!("{}: {} rows compared in {} fields", SOURCE.id, rows.len(), SOURCE.fields().count());
    }
    let kept: Vec<Fields> = rows.iter().map(|row| SOURCE.of_row(row)).collect();
    insta::assert_snapshot!(SOURCE.id, SOURCE.digest(&kept));
}

/// The rows of the knowledge base, each with the page that its file is named after.
fn rows_by_page() -> Vec<(String, Row)> {
    let part = pattern("-(?:trt-)?(?:inference|training|total|evaluation|scale|multi-node)(?:-.*)?$");
    super::kept_by_file(SOURCE.id).into_iter().map(|(file, row)| (part.replace(&file, "").into_owned(), row)).collect()
}

/// The first of a row's metrics; a run that failed has none.
fn measured(row: &Row) -> Option<(&'static str, f64)> {
    UNITS.iter().find_map(|(metric, _)| Some((*metric, text(row, metric)?.parse().ok()?)))
}
