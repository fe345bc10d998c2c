//! What a page of NVIDIA's Deep Learning Examples says around its tables: container, machine, device, samples.

use super::markdown::Table;
use super::{entry, pattern};

/// A DGX machine has one form of GPU, so that beside the memory its name says which it is.
pub(super) const DEVICES: &[(&str, &str)] = &[
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
pub(super) const IS_AMP: &str = r"TF-AMP|\[--amp\]|For training and inference, mixed precision can be enabled by adding the `--amp`|`--amp` flag when running the training or inference|issue the `--amp` flag to the `main.py`";

/// A page.
pub(super) struct Page<'p> {
    /// Its path below the source.
    pub(super) path: &'p str,
    /// Whether it says that its mixed precision is bfloat16.
    pub(super) is_bf16: bool,
    /// Whether it says that its half precision is automatic mixed precision.
    pub(super) is_amp: bool,
    /// Whether one of its tables says that a batch is accumulated over steps.
    pub(super) accumulates: bool,
    /// The container that it names last.
    pub(super) container: String,
    /// The container in which its changelog says that its tables were made anew.
    pub(super) container_of_tables: String,
    /// The input that it tells of where it describes the network or the data, channels first.
    pub(super) input: String,
    /// How many runs it says below its last table that an inference is the average of.
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

/// A table with what is said around it.
pub(super) struct Around<'t> {
    pub(super) page: &'t Page<'t>,
    pub(super) table: &'t Table,
    pub(super) header: &'t [String],
    pub(super) is_inference: bool,
    pub(super) device: Option<String>,
    /// How many GPUs the machine has.
    pub(super) machine: Option<u64>,
    /// Whether the text says that one GPU ran.
    pub(super) is_one: bool,
    /// Whether the text says that the figures are averages.
    pub(super) is_averaged: bool,
    /// Whether the text names the program that runs TF32 where it does not run mixed precision.
    pub(super) names_tf32: bool,
    /// Of how many samples the text says that they are averages.
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
            // The container is that of the page, or the same as before.
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

/// The headings and the lines of text above a table, the nearest first.
pub(super) fn above(table: &Table) -> impl Iterator<Item = &str> {
    table.headings.iter().rev().chain(table.text.iter().rev()).map(String::as_str)
}

pub(super) fn nearest_line(table: &Table) -> &str {
    table.text.last().map_or("", String::as_str)
}

/// The container that a text names last.
pub(super) fn container(framework: &str, text: &str) -> String {
    let release = pattern(
        r"(?i)\b(?:tensorflow2?|tensorflow-1|pytorch|mxnet|paddlepaddle|the|2\.x)[ :`\[-]+((?:1[89]|2[0-3])\.(?:0[1-9]|1[0-2])(?:-tf[12])?(?:-py[23])?)\b",
    );
    // One page of TensorFlow names a container of PyTorch for its inference.
    let is_other = framework == "tensorflow" && pattern(r"(?i)in the PyTorch \d").is_match(text);
    let Some(found) = release.captures_iter(text).last().filter(|_| !is_other) else { return String::new() };
    ngc(framework, &found[1])
}

/// NVIDIA's container of a framework, by its release.
fn ngc(framework: &str, release: &str) -> String {
    let name = match framework {
        "pytorch" => "PyTorch",
        "mxnet" => "MXNet",
        "paddlepaddle" => "PaddlePaddle",
        _ => "TensorFlow",
    };
    format!("NGC {name} {release}")
}

/// The input that the text of a page tells of: photographs have three channels, pictures of cells one.
fn input(text: &str) -> String {
    const INPUTS: &[(&str, &str)] = &[
        (r"(?:crop to|input size is fixed to|Decreasing the input size to) (\d+) ?x ?(\d+)", "3x${1}x$2"),
        (r"Random (\d+x\d+x\d+)x(\d) crop", "${2}x$1"),
        (r"padded to (\d+x\d+) to fit the input of the network", "1x$1"),
    ];
    entry(INPUTS, text).unwrap_or_default()
}

/// The shape in a cell, channels first; `None` where the channels are not said.
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

/// How many samples the figures of a text are averages or medians of.
pub(super) fn samples(text: &str) -> String {
    let counted = pattern(
        r"(?i)\bnumbers?\b[^.]*\bwere averaged (?:over|from) (\d+)\s+(?:\w+ )?(?:iterations|steps|runs)|averaged over (\d+) (?:experiments|separate runs)|gathered from (\d+) inference runs|averages across (\d+) random seeds",
    );
    let found = counted.captures_iter(text).last();
    found
        .and_then(|found| found.iter().skip(1).flatten().next().map(|found| found.as_str().to_owned()))
        .unwrap_or_default()
}
