//! The meaning of a figure in a table of NVIDIA's Deep Learning Examples, from its row, its column and the surrounding text.

use super::nvidia_dle::{Around, DEVICES, above, nearest_line, shape};
use super::nvidia_dle::{PRECISIONS, is_of, metric};
use super::{Meaning, entry, meaning, pattern};

/// Networks, by the end of their page's folder; on a page with several, the mention nearest to the figure decides.
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
    ("nnUNet", &[("^([23])D?$", "nnunet-${1}d")]),
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

/// A figure with its row, its column and the text around its table.
pub(super) struct Figure<'t> {
    pub(super) around: &'t Around<'t>,
    pub(super) row: &'t [String],
    pub(super) column: &'t str,
}

impl Figure<'_> {
    /// The cells of the row in columns whose name matches.
    pub(super) fn beside(&self, column: &str) -> impl Iterator<Item = (&str, &str)> {
        let column = pattern(column);
        let cells = self.around.header.iter().zip(self.row).filter(move |(name, _)| column.is_match(name));
        cells.map(|(name, cell)| (name.as_str(), cell.as_str()))
    }

    pub(super) fn device(&self) -> String {
        let beside = self.beside("^(?:GPU|DGX System)$").find_map(|(_, cell)| entry(DEVICES, cell));
        self.around.device.clone().or(beside).unwrap_or_default()
    }

    pub(super) fn precision(&self) -> String {
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

    /// The batch per GPU; if there are two, the one of this precision, in the order that the header or cell states.
    pub(super) fn batch(&self, precision: &str) -> String {
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
        // This batch covers all GPUs: it grows with their number.
        if name == "Batch size (TF32, BF16)" && metric(self.column) == "total-s" {
            return String::new();
        }
        if let Some(thousands) = cell.strip_suffix('k') {
            return thousands.parse().map(|number: u64| (number * 1024).to_string()).unwrap_or_default();
        }
        // A comma separates two numbers if the header names two precisions; elsewhere it separates thousands.
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

    /// The batch named by the command above the table or by a sentence, if no column has it.
    pub(super) fn batch_in_text(&self, precision: &str) -> Option<String> {
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

    /// The batch per step: a table without a column for the accumulated batch prints the accumulated one as the batch.
    pub(super) fn of_step(&self, batch: &str, side: usize) -> String {
        let is_told = self.around.header.iter().any(|name| name.starts_with("Accumulated"));
        let steps = self.beside("^Accumulation steps").next().filter(|_| self.around.page.accumulates && !is_told);
        let both = pattern(r"^(\d+) and (\d+)$");
        let steps = steps.and_then(|(_, cell)| both.captures(cell)?[side].parse::<u64>().ok());
        match (batch.parse::<u64>(), steps) {
            (Ok(batch), Some(steps)) => (batch / steps).to_string(),
            _ => batch.to_owned(),
        }
    }

    /// The execution mode, if a column, a line or the command states it.
    pub(super) fn mode(&self) -> String {
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
        match () {
            () if pattern(r"\+ XLA").is_match(self.column) || line.contains("+ XLA") || command => "XLA",
            () if line.contains("pure Python") => "eager",
            () if line.contains("TorchScript") => "TorchScript",
            () => "",
        }
        .to_owned()
    }

    /// Another setting: whether the weights were made sparse, which the column states.
    pub(super) fn setting(&self) -> &'static str {
        let is_sparse = self.column.contains("ASP") && !self.column.contains("Dense");
        if is_sparse { "automatic sparsity" } else { "" }
    }

    /// The accuracy that training reaches in this precision, as a fraction; only for training times.
    pub(super) fn accuracy(&self, precision: &str) -> String {
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

    /// Nodes times GPUs per node; without a column of GPUs, the number that the heading gives for the machine.
    pub(super) fn count(&self) -> String {
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

    /// One if stated, or if the heading names a card and not a machine; an inference need not have used the whole machine.
    pub(super) fn count_of_inference(&self) -> Option<u64> {
        let is_card = pattern(r"(?:\bT4|A100 40GB|[AV]100 \(\d+GB\))\s*$");
        let heading = self.around.table.headings.iter().rev().find(|heading| entry(DEVICES, heading).is_some());
        let names_card = self.around.machine.is_none() && heading.is_some_and(|heading| is_card.is_match(heading));
        (self.around.is_one || self.around.machine == Some(1) || names_card).then_some(1)
    }

    pub(super) fn statistic(&self) -> &'static str {
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

    /// The line that says over how many runs of each precision the median was taken.
    pub(super) fn medians(&self) -> Option<&str> {
        self.around.table.text.iter().rev().find(|line| line.contains("We report a median of")).map(String::as_str)
    }

    /// Number of samples.
    pub(super) fn samples(&self, precision: &str) -> String {
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

    pub(super) fn network(&self) -> String {
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
        // The networks that these pages call by the name of the family.
        let usual = [("BERT", "bert-large"), ("Transformer-XL", "transformer-xl-base")];
        let usual = || usual.iter().find(|(of, _)| of == name).map(|(_, network)| (*network).to_owned());
        nearest.or_else(usual).unwrap_or_default()
    }

    /// The shape of one sample, from a column, the text above or the page.
    pub(super) fn input(&self) -> String {
        let cell = self.beside("^(?:Resolution|Image size|Sequence length)$").find_map(|(_, cell)| shape(cell));
        let text = self.around.table.text.join(" ");
        let told = pattern(r"image resolution is (\d+ ?x ?\d+)|last stage of training \((\d+x\d+)\)").captures(&text);
        let told = told.and_then(|found| shape(found.iter().skip(1).flatten().next()?.as_str()));
        cell.or(told).unwrap_or_else(|| self.around.page.input.clone())
    }

    pub(super) fn framework(&self) -> &'static str {
        if self.column.contains("TensorRT") { "tensorrt" } else { self.around.page.framework() }
    }

    /// The version: TensorFlow's major version from the folder, or the container's release, by which the pages name the software. A
    /// column may name TensorRT's version.
    pub(super) fn version(&self) -> String {
        if let Some(found) = pattern(r"TensorRT(\d+)").captures(self.column) {
            return found[1].to_owned();
        }
        let release = pattern(r" (\d\d\.\d\d)").captures(&self.around.container);
        let release = release.map(|found| format!("NGC {}", &found[1])).unwrap_or_default();
        match (self.around.page.path.split('/').next(), release.as_str()) {
            (Some("TensorFlow"), "") => "1".to_owned(),
            (Some("TensorFlow2"), "") => "2".to_owned(),
            (Some("TensorFlow"), release) => format!("1 ({release})"),
            (Some("TensorFlow2"), release) => format!("2 ({release})"),
            _ => release,
        }
    }

    pub(super) fn meaning(&self) -> Meaning {
        let precision = self.precision();
        meaning([
            ("device", &self.device()),
            ("device-count", &self.count()),
            ("network", &self.network()),
            ("precision", &precision),
            ("stage", if self.around.is_inference { "eval" } else { "train" }),
            ("batch-size", &self.batch(&precision)),
            ("framework", self.framework()),
            ("framework-version", &self.version()),
            ("container", &self.around.container),
            ("input-shape", &self.input()),
            ("statistic", self.statistic()),
            ("mode", &self.mode()),
            ("setting", self.setting()),
            ("n", &self.samples(&precision)),
            ("accuracy", &self.accuracy(&precision)),
        ])
    }
}
