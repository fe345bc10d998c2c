//! Parses product names: vendor, series, number, and the words around a name that make it another product.

use std::ops::Range;

use super::names::Families;
use super::resolved::{Gap, Token};
use crate::model::Facet;
use crate::values::text::normalise;

/// Vendors and discontinued brands: a name means the same product with or without such a word.
const MAKERS: &[&str] = &["nvidia", "tesla", "amd", "intel", "google", "apple", "qualcomm", "aws", "xilinx", "huawei"];

/// How a word after the number changes the product.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Suffix {
    /// Another chip with the same number: RTX 3060 Ti, RTX 4090 D.
    Tier,
    /// A larger or smaller version: iPhone 15 Pro, Pixel 2 XL.
    Size,
    /// The version for portable machines.
    Portable,
}

/// Words that occur after the numbers of products.
const SUFFIXES: &[(&str, Suffix)] = &[
    ("ti", Suffix::Tier),
    ("super", Suffix::Tier),
    ("xt", Suffix::Tier),
    ("xtx", Suffix::Tier),
    ("d", Suffix::Tier),
    ("max", Suffix::Size),
    ("ultra", Suffix::Size),
    ("pro", Suffix::Size),
    ("plus", Suffix::Size),
    ("mini", Suffix::Size),
    ("lite", Suffix::Size),
    ("xl", Suffix::Size),
    ("laptop", Suffix::Portable),
    ("notebook", Suffix::Portable),
    ("mobile", Suffix::Portable),
    ("maxq", Suffix::Portable),
    ("max-q", Suffix::Portable),
];

/// The parts of a product's name, in lower case.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct ProductName {
    /// Vendors and discontinued brands, at any position.
    pub makers: Vec<String>,
    /// The words before the number: `geforce` and `rtx`; all words if there is no number.
    pub series: Vec<String>,
    /// The first number.
    pub number: Option<ProductNumber>,
    /// The words after the number: `ti`.
    pub suffix: Vec<String>,
    /// The numbers after the first one: memory, form or revision.
    pub further: Vec<u64>,
}

/// The number of a product.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct ProductNumber {
    /// The numeric value.
    pub value: u64,
    /// The number of digits as written.
    pub digits: usize,
}

impl ProductName {
    /// Parses a name as written (`GeForce RTX 3060 Ti`) or as normalised (`geforcertx3060ti`); in a normalised name, the letters on
    /// one side of a number are one word.
    pub fn of(name: &str) -> Self {
        let mut product = Self::default();
        for part in name.split(|c: char| !c.is_alphanumeric()).filter(|part| !part.is_empty()) {
            let mut rest = part;
            while !rest.is_empty() {
                let is_digit = rest.starts_with(|c: char| c.is_ascii_digit());
                let end = rest.find(|c: char| c.is_ascii_digit() != is_digit).unwrap_or(rest.len());
                let (piece, behind) = rest.split_at(end);
                rest = behind;
                product.push(piece);
            }
        }
        product
    }

    fn push(&mut self, piece: &str) {
        let number = piece.parse::<u64>().ok().filter(|_| piece.starts_with(|c: char| c.is_ascii_digit()));
        match number {
            Some(value) if self.number.is_none() => {
                self.number = Some(ProductNumber { value, digits: piece.len() });
            }
            Some(value) => self.further.push(value),
            None => {
                let word = piece.to_lowercase();
                match self.number {
                    _ if MAKERS.contains(&word.as_str()) => self.makers.push(word),
                    None => self.series.push(word),
                    Some(_) => self.suffix.push(word),
                }
            }
        }
    }

    /// The words of the series and those after the number.
    pub fn words(&self) -> impl Iterator<Item = &str> {
        self.series.iter().chain(&self.suffix).map(String::as_str)
    }

    /// All numbers, in order.
    pub fn numbers(&self) -> Vec<u64> {
        self.number.iter().map(|number| number.value).chain(self.further.iter().copied()).collect()
    }
}

/// How a word after the number changes the product; `None` if it does not.
pub fn suffix_of(word: &str) -> Option<Suffix> {
    SUFFIXES.iter().find(|(suffix, _)| *suffix == word).map(|(_, kind)| *kind)
}

/// Whether a lower-case word marks a portable machine: `laptop`, `max-q`, but not `max` alone or the `mobile` of `mobile platform`.
pub(super) fn is_portable(word: &str, next: Option<&str>) -> bool {
    match (word, next) {
        ("max", next) => next == Some("q"),
        ("mobile", Some("platform")) => false,
        _ => suffix_of(word) == Some(Suffix::Portable),
    }
}

/// Whether a normalised name extends a prefix that ends in a number such that it is another product: the RTX 3060 Ti is not an
/// RTX 3060.
pub(super) fn is_other_product(name: &str, beginning: &str) -> bool {
    let Some(rest) = name.strip_prefix(beginning) else { return false };
    // The iPhone 15 Pro Max is neither an iPhone 15 Pro nor an iPhone 15.
    if is_of_sizes(rest) && beginning.contains(|c: char| c.is_ascii_digit()) {
        return true;
    }
    // The Xeon 8380H is not a Xeon 8380.
    let is_letter = (1..=2).contains(&rest.len()) && rest.bytes().all(|byte| byte.is_ascii_lowercase());
    let is_tier =
        |(suffix, kind): &(&str, Suffix)| *kind == Suffix::Tier && suffix.len() > 1 && rest.starts_with(suffix);
    beginning.ends_with(|c: char| c.is_ascii_digit()) && (is_letter || SUFFIXES.iter().any(is_tier))
}

/// Whether letters consist of words for sizes only: `promax`.
fn is_of_sizes(letters: &str) -> bool {
    let sizes = || SUFFIXES.iter().filter(|(_, kind)| *kind == Suffix::Size);
    sizes().any(|(size, _)| letters.strip_prefix(size).is_some_and(|rest| rest.is_empty() || is_of_sizes(rest)))
}

/// Words that describe any device; the words after them are still read.
const DESCRIPTIVE: &[&str] = &[
    "accelerator",
    "accelerators",
    "aorus",
    "board",
    "boards",
    "card",
    "cards",
    "chip",
    "chips",
    "cpu",
    "cpus",
    "device",
    "devices",
    "eagle",
    "fe",
    "fpga",
    "ftw3",
    "gaming",
    "generation",
    "gpu",
    "gpus",
    "graphics",
    "igpu",
    "ipu",
    "machine",
    "memory",
    "module",
    "node",
    "nodes",
    "npu",
    "nvlink",
    "oc",
    "processor",
    "processors",
    "server",
    "single",
    "soc",
    "som",
    "strix",
    "suprim",
    "trio",
    "tuf",
    "ventus",
    "vram",
    "workstation",
];

/// Words that end a device's name because something else follows: a conjunction, another name, software, a number format.
const BEGINS_SOMETHING_ELSE: &[&str] = &[
    // connections
    "and",
    "as",
    "at",
    "by",
    "each",
    "for",
    "from",
    "in",
    "of",
    "on",
    "per",
    "running",
    "to",
    "using",
    "via",
    "vs",
    "with",
    "without",
    "x",
    // software and systems
    "aarch64",
    "android",
    "aocc",
    "arm64",
    "armnn",
    "cuda",
    "cudnn",
    "fedora",
    "ios",
    "linux",
    "macos",
    "ncnn",
    "onnx",
    "onnxruntime",
    "opencl",
    "openvino",
    "pytorch",
    "rocm",
    "ruy",
    "tensorflow",
    "tensorrt",
    "tflite",
    "trt",
    "ubuntu",
    "vllm",
    "vulkan",
    "windows",
    "x86",
    // number formats
    "amp",
    "bf16",
    "float16",
    "float32",
    "fp16",
    "fp32",
    "fp4",
    "fp64",
    "fp8",
    "half",
    "int4",
    "int8",
    "mixed",
    "tf32",
    // where it is
    "aws",
    "azure",
    "cluster",
    "colab",
    "desktop",
    "ec2",
    "gce",
    "gcp",
    "host",
    "instance",
    "lambda",
    "macbook",
    "overclock",
    "overclocked",
    "pod",
    "pods",
    "system",
    "vm",
    // vendors: the name of another component follows, or the chip of this one
    "allwinner",
    "amd",
    "amlogic",
    "apple",
    "arm",
    "broadcom",
    "google",
    "hisilicon",
    "huawei",
    "intel",
    "mediatek",
    "nvidia",
    "qualcomm",
    "rockchip",
    "samsung",
    "spacemit",
    "xilinx",
];

/// The vendors' product lines: a name after such a word is a different product than the name alone (`Quadro P4` is not a
/// Tesla P4).
const PRODUCT_LINES: &[&str] = &[
    "adreno",
    "alveo",
    "arc",
    "ascend",
    "athlon",
    "atom",
    "bow",
    "celeron",
    "core",
    "dimensity",
    "drive",
    "epyc",
    "exynos",
    "firepro",
    "gaudi",
    "geforce",
    "grid",
    "gt",
    "gtx",
    "hailo",
    "helio",
    "instinct",
    "iphone",
    "iris",
    "jetson",
    "kirin",
    "kria",
    "mali",
    "nvs",
    "opteron",
    "pentium",
    "phenom",
    "quadro",
    "radeon",
    "rtx",
    "rx",
    "ryzen",
    "snapdragon",
    "tegra",
    "tesla",
    "threadripper",
    "titan",
    "tpu",
    "vega",
    "versal",
    "xeon",
    "zynq",
];

pub(super) fn is_descriptive(word: &str) -> bool {
    DESCRIPTIVE.contains(&word) || is_operating_point(word)
}

pub(super) fn begins_something_else(word: &str) -> bool {
    BEGINS_SOMETHING_ELSE.contains(&word)
}

/// Whether a word is a product line.
pub fn is_product_line(word: &str) -> bool {
    PRODUCT_LINES.contains(&word)
}

/// A clock or a voltage: `30mhz`, `0v9`.
fn is_operating_point(word: &str) -> bool {
    let digits = |text: &str| !text.is_empty() && text.bytes().all(|b| b.is_ascii_digit());
    word.strip_suffix("mhz").or_else(|| word.strip_suffix("ghz")).is_some_and(digits)
        || word.split_once('v').is_some_and(|(volts, tenths)| digits(volts) && digits(tenths))
}

/// The form of a board that distinguishes SKUs: `SXM4`, `PCIe`, `NVL` …
pub(super) fn form(word: &str) -> Option<String> {
    let forms = ["sxm", "sxm2", "sxm3", "sxm4", "sxm5", "pcie", "nvl", "dgxs", "oam", "cnx", "fhhl", "hgx"];
    forms.contains(&word).then(|| word.to_owned())
}

/// Parses a word such as `16GB`, `32G` or `1536MB`, in GiB.
pub(super) fn memory_gib(word: &str) -> Option<f64> {
    let word = word.to_lowercase();
    let digits = word.find(|c: char| !c.is_ascii_digit())?;
    let number: f64 = word[..digits].parse().ok()?;
    unit_gib(&word[digits..]).map(|gib| number * gib)
}

/// A unit of memory in GiB.
pub(super) fn unit_gib(unit: &str) -> Option<f64> {
    match unit {
        "gb" | "gib" | "g" => Some(1.0),
        "mb" | "mib" => Some(1.0 / 1024.0),
        _ => None,
    }
}

/// Maximum number of words in a name.
const LONGEST_NAME: usize = 8;

/// A device's name found in a spelling.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct NamedDevice {
    pub id: String,
    /// The range of the name's words.
    pub words: Range<usize>,
    length: usize,
    /// The details around the name.
    pub beside: Beside,
}

/// Details around a name.
#[derive(Debug, Clone, Default, PartialEq)]
pub(super) struct Beside {
    /// A word that makes it another product.
    pub another: Option<String>,
    /// Memory, GiB, directly after the name.
    pub memory_gib: Vec<f64>,
    /// Forms of the board directly after the name.
    pub forms: Vec<String>,
    /// A number joined to it: `V100-8`.
    pub number: Option<u32>,
}

/// The devices whose names occur in the words: longer names win, and each word belongs to one name at most.
pub(super) fn find_names<F: Families>(words: &[Token<'_>], names: &F) -> Result<Vec<NamedDevice>, F::Error> {
    let mut found: Vec<NamedDevice> = Vec::new();
    for start in 0..words.len() {
        for end in (start + 1..=words.len().min(start + LONGEST_NAME)).rev() {
            let normal = normalise(&words[start..end].iter().map(|word| word.text).collect::<String>());
            for name in names.exact(&normal)?.into_iter().filter(|name| name.facet == Facet::Device) {
                let words = start..end;
                found.push(NamedDevice { id: name.value, words, length: normal.len(), beside: Beside::default() });
            }
        }
    }
    found.sort_by(|a, b| b.length.cmp(&a.length).then(a.words.start.cmp(&b.words.start)));
    let mut kept: Vec<NamedDevice> = Vec::new();
    for one in found {
        let overlaps = |other: &NamedDevice| one.words.start < other.words.end && other.words.start < one.words.end;
        let same_words = kept.iter().any(|other| other.words == one.words);
        if same_words || !kept.iter().any(overlaps) {
            kept.push(one);
        }
    }
    let taken: Vec<Range<usize>> = kept.iter().map(|one| one.words.clone()).collect();
    for one in &mut kept {
        one.beside = beside(words, one, &taken);
    }
    merged(kept, names)
}

/// Lists each device once, and drops a family beside one of its members.
fn merged<F: Families>(kept: Vec<NamedDevice>, names: &F) -> Result<Vec<NamedDevice>, F::Error> {
    let mut specific: Vec<NamedDevice> = Vec::new();
    for one in &kept {
        let members = names.members(&one.id)?;
        if let Some(same) = specific.iter_mut().find(|other| other.id == one.id) {
            same.beside.join(&one.beside);
        } else if !kept.iter().any(|other| members.iter().any(|member| member.id == other.id)) {
            specific.push(one.clone());
        }
    }
    Ok(specific)
}

impl Beside {
    /// Merges the details around a second mention of the device.
    fn join(&mut self, other: &Self) {
        self.another = self.another.take().or_else(|| other.another.clone());
        self.memory_gib.extend(&other.memory_gib);
        self.forms.extend(other.forms.iter().cloned());
        self.number = self.number.or(other.number);
    }
}

/// Parses the words around a name. `taken` are the word ranges of all names.
fn beside(words: &[Token<'_>], of: &NamedDevice, taken: &[Range<usize>]) -> Beside {
    let name = &of.words;
    let is_taken = |at: usize| taken.iter().any(|range| range.contains(&at));
    let mut beside = Beside::default();
    // In `Apple M1 (7-core GPU)` the bracket is part of the name.
    let has_bracket = words[name.clone()].iter().skip(1).any(|word| word.before == Gap::Opens);
    let mut at = name.end;
    while let Some(word) = words.get(at).filter(|_| !is_taken(at)) {
        let lower = word.lower();
        let next = words.get(at + 1).filter(|_| !is_taken(at + 1)).map(Token::lower);
        let (memory, taken) = memory_of(&lower, next.as_deref());
        // The CPU cores of a chip are a different device than its GPU, which often has the chip's name.
        if word.before == Gap::Hard && lower == "cpu" && next.as_deref() == Some("cores") {
            beside.another = Some("CPU cores".to_owned());
            return beside;
        }
        let ended = match word.before {
            Gap::Hard => true,
            Gap::Opens => memory.is_none(),
            Gap::Closes => !has_bracket && beside.memory_gib.is_empty(),
            Gap::Start | Gap::Joined | Gap::Soft => false,
        };
        if ended {
            break;
        }
        at += taken;
        if let Some(gib) = memory {
            beside.memory_gib.push(gib);
        } else if let Some(form) = form(&lower) {
            beside.forms.push(form);
        } else if lower.starts_with("gen") && lower.len() == 4 && beside.forms.iter().any(|form| form == "pcie") {
            // Skip the generation of the bus.
        } else if describes_with_next(word, next.as_deref()) {
            at += 1;
        } else if word.is_number() && word.before == Gap::Joined && beside.number.is_none() && ends(words, at) {
            beside.number = word.text.parse().ok();
        } else if begins_something_else(&lower) {
            break;
        } else if !is_descriptive(&lower) {
            beside.another = Some(word.text.to_owned());
            return beside;
        }
    }
    let before = name.start.checked_sub(1).filter(|&at| !is_taken(at));
    if let Some(before) = before.and_then(|at| words.get(at))
        && matches!(words[name.start].before, Gap::Soft | Gap::Joined)
        && is_product_line(&before.lower())
        // A name may lack its product's line: `RX` before `7900 XTX 24GB`.
        && !of.id.split('-').any(|part| part == before.lower())
    {
        beside.another = Some(before.text.to_owned());
        return beside;
    }
    for (at, word) in words.iter().enumerate().filter(|(at, _)| !is_taken(*at)) {
        let next = words.get(at + 1).map(Token::lower);
        if is_portable(&word.lower(), next.as_deref()) {
            beside.another = Some(word.text.to_owned());
        }
    }
    beside
}

/// Whether two words together describe any device: `16 cores`, `Six-Core`, `Tensor Core`, `Mobile Platform`.
fn describes_with_next(word: &Token<'_>, next: Option<&str>) -> bool {
    let number =
        word.is_number() || matches!(word.lower().as_str(), "dual" | "quad" | "six" | "eight" | "octa" | "tensor");
    match next {
        Some("core" | "cores" | "thread" | "threads") => number,
        Some("platform") => word.lower() == "mobile",
        _ => false,
    }
}

/// The memory that one or two words state, GiB, and the number of words read.
fn memory_of(word: &str, next: Option<&str>) -> (Option<f64>, usize) {
    if let Some(gib) = memory_gib(word) {
        return (Some(gib), 1);
    }
    let split = word.parse::<f64>().ok().zip(next.and_then(unit_gib));
    match split.filter(|_| next != Some("g")) {
        Some((number, unit)) => (Some(number * unit), 2),
        None => (None, 1),
    }
}

/// Whether the words from here on do not belong to the name before.
fn ends(words: &[Token<'_>], at: usize) -> bool {
    words.get(at).is_none_or(|word| {
        matches!(word.before, Gap::Hard | Gap::Opens | Gap::Closes)
            || begins_something_else(&word.lower())
            || is_descriptive(&word.lower())
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_name_is_taken_apart_as_it_is_written_and_as_names_are_compared() {
        let told = |name: &str| {
            let product = ProductName::of(name);
            let number = product.number.map_or(0, |number| number.value);
            (product.makers.join(" "), product.series.join(" "), number, product.suffix.join(" "), product.further)
        };
        for (name, makers, series, number, suffix, further) in [
            ("NVIDIA GeForce RTX 3060 Ti", "nvidia", "geforce rtx", 3060, "ti", &[][..]),
            ("geforcertx3060ti", "", "geforcertx", 3060, "ti", &[]),
            ("Tesla V100 SXM2 16 GB", "tesla", "v", 100, "sxm gb", &[2, 16]),
            ("Intel Arc B580", "intel", "arc b", 580, "", &[]),
            ("Jetson AGX Orin", "", "jetson agx orin", 0, "", &[]),
            ("99999999999999999999999", "", "99999999999999999999999", 0, "", &[]),
            ("", "", "", 0, "", &[]),
        ] {
            let expected = (makers.into(), series.into(), number, suffix.into(), further.to_vec());
            assert_eq!(told(name), expected, "{name}");
        }
    }

    #[test]
    fn what_stands_behind_a_number_may_make_another_product() {
        for (name, beginning, expected) in [
            ("rtx3060ti", "rtx3060", true),
            ("rtx3060tilaptop", "rtx3060", true),
            ("xeon8380h", "xeon8380", true),
            ("iphone15promax", "iphone15pro", true),
            ("iphone15promax", "iphone15", true),
            ("rtx306012gb", "rtx3060", false),
            ("rtx3060desktop", "rtx3060", false),
            ("raspberrypi4", "raspberrypi", false),
            ("rtx4090", "rtx3060", false),
        ] {
            assert_eq!(is_other_product(name, beginning), expected, "{name} of {beginning}");
        }
        assert!(is_portable("max", Some("q")) && !is_portable("max", None) && is_portable("laptop", None));
    }

    #[test]
    fn memory_and_forms_are_told_from_names() {
        assert_eq!((memory_gib("16GB"), memory_gib("32g"), memory_gib("1536MB")), (Some(16.0), Some(32.0), Some(1.5)));
        assert_eq!((memory_gib("GB200"), memory_gib("A16"), memory_gib("16")), (None, None, None));
        assert!(form("sxm4").is_some() && form("sx").is_none());
        assert!(is_descriptive("30mhz") && is_descriptive("0v9") && !is_descriptive("v2"));
    }
}
