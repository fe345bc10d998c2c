//! NVIDIA's Deep Learning Examples: a page for each network and framework, whose tables differ in their columns; device,
//! precision and container stand in the heading, in the line above, or in the column. What a row of the knowledge base says
//! must be what one cell of its page says.

use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;

use super::markdown::{Table, tables};
use super::{Fields, Source, entry, files_below, html, kept, meaning, pattern, read_text, text};
use crate::mlperf::Row;

const SOURCE: Source = Source {
    id: "nvidia-dle-2024",
    folder: "NVIDIA__DeepLearningExamples",
    also: &["container", "mode", "n", "accuracy"],
};

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
    ("GPUNet", &[(r"^GPUNet-([PD]?\d)$", "gpunet-$1")]),
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
    (r"(?i)mi(?:xe)?d[- ]?precision|\bamp\b|\bmixed\b", "amp-fp16"),
    (r"(?i)\btf32", "tf32"),
    (r"(?i)fp32", "fp32"),
    (r"(?i)fp16", "fp16"),
    (r"(?i)bf16", "bf16"),
    (r"(?i)int8", "int8"),
];

/// A DGX machine has one form of GPU, so that beside the memory its name says which it is.
const DEVICES: &[(&str, &str)] = &[
    (r"DGX A100.*A100 ([48]0)G|DGX A100 +([48]0)G", "a100-sxm4-${1}${2}gb"),
    (r"DGX-1\b.*V100 (16|32)G|^DGX-1 (16|32)G$", "tesla-v100-sxm2-${1}${2}gb"),
    (r"DGX-2H?\b.*V100\b|^DGX-2", "tesla-v100-sxm3-32gb"),
    (r"V100", "tesla-v100"),
    (r"A100", "a100"),
    (r"\bT4\b", "tesla-t4"),
    (r"\b(A[13]0)\b", "$1"),
];

/// Where a page says that what its tables call FP16 is automatic mixed precision: TensorFlow's own, or by a flag of the
/// command or for inference, too.
const IS_AMP: &str = r"TF-AMP|\[--amp\]|For training and inference, mixed precision can be enabled by adding the `--amp`|`--amp` flag when running the training or inference|issue the `--amp` flag to the `main.py`";

/// A page.
struct Page<'p> {
    /// Its path below the source.
    path: &'p str,
    /// Whether it says that its mixed precision is bfloat16.
    is_bf16: bool,
    /// Whether it says that its half precision is automatic mixed precision.
    is_amp: bool,
    /// Whether one of its tables says that a batch is accumulated over steps.
    accumulates: bool,
    /// The container that it names last.
    container: String,
    /// How many runs it says below its last table that an inference is the average of.
    samples_below: String,
}

impl<'p> Page<'p> {
    fn new(path: &'p str, text: &str) -> Self {
        let mut page = Self {
            path,
            is_bf16: text.contains("BF16 mixed precision"),
            is_amp: pattern(IS_AMP).is_match(text),
            accumulates: text.contains("Accumulated Batch size"),
            container: String::new(),
            samples_below: pattern(r"averaged between (\d+) runs")
                .captures(text)
                .map(|found| found[1].to_owned())
                .unwrap_or_default(),
        };
        page.container = container(page.framework(), text);
        page
    }

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
    /// Whether the text names the program that runs TF32 where it does not run mixed precision.
    names_tf32: bool,
    /// Of how many samples the text says that they are averages.
    samples: String,
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
            is_averaged: pattern(
                r"(?i)\bnumbers?\b[^.]*\b(?:were|are) averaged\b|values presented below were averaged|Results are averages across",
            ).is_match(&text),
            names_tf32: text.contains("{AMP,TF32}"),
            samples: samples(&text),
            // The container is that of the page, or the same as before.
            container: match container(page.framework(), &text) {
                own if own.is_empty()
                    && pattern(r"DLRM Docker container|DLRM/scripts|dlrm/scripts|NGC container as before")
                        .is_match(&text) =>
                {
                    page.container.clone()
                }
                own => own,
            },
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

/// How many samples the figures of a text are averages or medians of.
fn samples(text: &str) -> String {
    let counted = pattern(
        r"(?i)\bnumbers?\b[^.]*\bwere averaged (?:over|from) (\d+)\s+(?:\w+ )?(?:iterations|steps|runs)|averaged over (\d+) (?:experiments|separate runs)|gathered from (\d+) inference runs|averages across (\d+) random seeds",
    );
    let found = counted.captures_iter(text).last();
    found
        .and_then(|found| found.iter().skip(1).flatten().next().map(|found| found.as_str().to_owned()))
        .unwrap_or_default()
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
        let beside = self.beside("^(?:GPU|DGX System)$").find_map(|(_, cell)| entry(DEVICES, cell));
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
            // One column says FP32 where the text names the program with TF32.
            Some("fp32") if self.device().starts_with("a100") && self.around.names_tf32 => "tf32".to_owned(),
            Some("fp16") if self.around.page.is_amp => "amp-fp16".to_owned(),
            precision => precision.unwrap_or_default().to_owned(),
        }
    }

    /// The batch of a GPU; of two the one of this precision, in the order that header or cell tells.
    fn batch(&self, precision: &str) -> String {
        if let Some(found) = pattern(r"\(BS=(\d+)\)").captures(self.column) {
            return found[1].to_owned();
        }
        if let Some(found) = self.batch_in_text(precision) {
            return found;
        }
        let wanted = "(?i)^(?:local )?(?:batch|bs\\b)";
        let Some((name, cell)) = self.beside(wanted).find(|(name, _)| !pattern("(?i)global|accumul").is_match(name))
        else {
            return String::new();
        };
        // A batch of all GPUs: it grows with their number.
        if name == "Batch size (TF32, BF16)" && metric(self.column) == "total-s" {
            return String::new();
        }
        if let Some(thousands) = cell.strip_suffix('k') {
            return thousands.parse().map(|number: u64| (number * 1024).to_string()).unwrap_or_default();
        }
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
        let side = if is_full == is_full_first { 1 } else { 2 };
        self.of_step(&found[side], side)
    }

    /// The batch that the command above the table or a sentence names, where no column does.
    fn batch_in_text(&self, precision: &str) -> Option<String> {
        if self.beside("(?i)batch|^bs$").next().is_some() {
            return None;
        }
        let text = self.around.table.text.join(" ");
        let dtype = if precision.ends_with("fp16") { "float16" } else { "float32" };
        let command = pattern(&format!(r"-b (\d+) --dtype {dtype}"));
        let sentence = pattern(r"results are obtained with batch size set to (\d+)");
        let found = command.captures_iter(&text).last().or_else(|| sentence.captures_iter(&text).last());
        found.map(|found| found[1].to_owned())
    }

    /// The batch of a step: a table without the accumulated batch prints that as the batch.
    fn of_step(&self, batch: &str, side: usize) -> String {
        let is_told = self.around.header.iter().any(|name| name.starts_with("Accumulated"));
        let steps = self.beside("^Accumulation steps").next().filter(|_| self.around.page.accumulates && !is_told);
        let both = pattern(r"^(\d+) and (\d+)$");
        let steps = steps.and_then(|(_, cell)| both.captures(cell)?[side].parse::<u64>().ok());
        match (batch.parse::<u64>(), steps) {
            (Ok(batch), Some(steps)) => (batch / steps).to_string(),
            _ => batch.to_owned(),
        }
    }

    /// How the network was executed, where a column, a line or the command says so.
    fn mode(&self) -> String {
        let graphs = [("CUDA Graphs ON", "CUDA graphs"), ("CUDA Graphs OFF", "without CUDA graphs")];
        if let Some((_, mode)) = graphs.into_iter().find(|(name, _)| self.column.contains(name)) {
            return mode.to_owned();
        }
        if let Some((_, cell)) = self.beside("^XLA$").next() {
            let is_on = pattern("(?i)^(?:XLA-)?(?:on|yes)$|&check;").is_match(cell);
            return if is_on { "XLA" } else { "without XLA" }.to_owned();
        }
        let line = nearest_line(self.around.table);
        let command = self.around.table.text.iter().any(|line| pattern("`python scripts/[^`]*--xla").is_match(line));
        let is_sparse = self.column.contains("ASP") && !self.column.contains("Dense");
        match () {
            () if pattern(r"\+ XLA").is_match(self.column) || line.contains("+ XLA") || command => "XLA",
            () if line.contains("pure Python") => "eager",
            () if line.contains("TorchScript") => "TorchScript",
            () if is_sparse => "automatic sparsity",
            () => "",
        }
        .to_owned()
    }

    /// The accuracy that the network reaches in this precision, where a training's time stands beside it: a share.
    fn accuracy(&self, precision: &str) -> String {
        if metric(self.column) != "total-s" {
            return String::new();
        }
        let wanted =
            r"(?i)^(?:BBOX mAP$|Final AP BBox|Accuracy|AUC|DICE|(?:FP32|AMP) Top1|(?:Mixed precision|TF32|FP32) mAP)";
        let is_no_share = pattern("(?i)/ F1|BLEU|perplexity|training");
        let columns = self.beside(wanted).filter(|(name, _)| !is_no_share.is_match(name) && is_of(precision, name));
        let share = columns.filter(|(_, cell)| !cell.contains(" / ")).filter_map(|(name, cell)| {
            let found = pattern(r"^(\d+(?:\.\d+)?)(?:$| ?%|[ <-])").captures(cell)?;
            let share: f64 = found[1].parse().ok()?;
            Some(if share > 1.0 || name.contains('%') { share / 100.0 } else { share })
        });
        let share = share.collect::<Vec<f64>>().first().copied();
        share.map(|share| share.to_string()).unwrap_or_default()
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
            None if self.medians().is_some() => "median",
            None if self.around.is_averaged => "mean",
            None => "",
        }
    }

    /// The line that tells of how many runs of which precision the median is.
    fn medians(&self) -> Option<&str> {
        self.around.table.text.iter().rev().find(|line| line.contains("We report a median of")).map(String::as_str)
    }

    /// How many samples there are.
    fn samples(&self, precision: &str) -> String {
        match self.medians() {
            Some(line) if line.contains("three (TF32)") && precision == "tf32" => "3".to_owned(),
            Some(_) => "8".to_owned(),
            None if self.around.is_inference => Some(&self.around.page.samples_below)
                .filter(|below| !below.is_empty())
                .unwrap_or(&self.around.samples)
                .clone(),
            None => self.around.samples.clone(),
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
            ("mode", &self.mode()),
            ("n", &self.samples(&precision)),
            ("accuracy", &self.accuracy(&precision)),
        ]))
    }
}

/// Whether a column is of this precision, or of none; the pages exchange FP32 and TF32 in places.
fn is_of(precision: &str, column: &str) -> bool {
    let named = PRECISIONS.iter().filter(|(words, _)| pattern(words).is_match(column)).map(|(_, id)| *id);
    let named: Vec<&str> = named.collect();
    let is_full = precision.ends_with("32");
    named.is_empty() || named.iter().any(|id| id.ends_with("32") == is_full)
}

/// The number in a cell: a rate, a time, or a time of day.
fn number(cell: &str) -> Option<f64> {
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
