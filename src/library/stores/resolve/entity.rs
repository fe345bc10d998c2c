//! Resolves a network, framework, data set or precision as a source spells it, including names of quantised weights.

use std::sync::LazyLock;

use regex::{Captures, Regex};

use super::names::Families;
use super::resolved::{Certainty, Resolved};
use super::slip::nearest_names;
use crate::model::{Facet, NameKind};
use crate::values::text::normalise;
use crate::values::text::or_list;

/// A version at the end of a name: ` 1.8.1+cu102`, `-2.2.0`, ` v0.11.0rc0`.
static VERSION: LazyLock<Regex> =
    LazyLock::new(|| Regex::new(r"(?i)[\s_-]+v?(\d+(?:\.\d+)+\S*|\d+)$").expect("the pattern is tested"));

/// Resolves the spelling of an entity or word of `facet`. `has_members` tells whether a value is a family.
pub fn resolve_named<F: Families>(
    input: &str,
    facet: Facet,
    names: &F,
    has_members: impl Fn(&str) -> Result<bool, F::Error>,
) -> Result<Resolved, F::Error> {
    let ids = find_exact(input, facet, names)?;
    let version = VERSION.captures(input);
    let mut formats = Formats::default();
    let (ids, version) = match version {
        Some(found) if ids.is_empty() && facet == Facet::Framework => {
            let name = &input[..found.get(0).map_or(0, |whole| whole.start())];
            (find_exact(name, facet, names)?, Some(found[1].to_owned()))
        }
        _ if ids.is_empty() && facet == Facet::Network => {
            let mut of_base = Vec::new();
            for base in quantised(input).bases {
                of_base = find_exact(&base.name, facet, names)?;
                if !of_base.is_empty() {
                    formats = base.formats;
                    break;
                }
            }
            (of_base, None)
        }
        _ => (ids, None),
    };
    let mut resolved = match ids.as_slice() {
        [] => {
            let near = nearest_names(input, names, 5)?;
            let near: Vec<String> = near.into_iter().filter(|n| n.facet == facet).map(|n| n.value).collect();
            let why = if near.is_empty() {
                format!("no {facet} of the catalog is called like this")
            } else {
                format!("no {facet} of the catalog is called like this; near are {}", or_list(&near))
            };
            Resolved::new(input, Certainty::Unknown, Vec::new(), why)
        }
        [one] if has_members(one)? => {
            Resolved::new(input, Certainty::Family, ids.clone(), format!("it names the family {one}"))
        }
        [one] => Resolved::new(input, Certainty::Sku, ids.clone(), format!("it names {one}")),
        several => {
            let why = format!("it is a name of {}", or_list(several));
            Resolved::new(input, Certainty::Ambiguous, ids.clone(), why)
        }
    };
    resolved.version = version;
    resolved.weight_format = formats.weights;
    resolved.activation_format = formats.activations;
    resolved.quantization = formats.quantization;
    Ok(resolved)
}

fn find_exact<F: Families>(text: &str, facet: Facet, names: &F) -> Result<Vec<String>, F::Error> {
    let mut ids = Vec::new();
    for name in names.exact(&normalise(text))? {
        if name.facet == facet && name.kind != NameKind::Stem && !ids.contains(&name.value) {
            ids.push(name.value);
        }
    }
    Ok(ids)
}

/// A parsed name of weights.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(super) struct QuantisedName {
    /// The name with more and more words removed, longest first: the first one that the catalog has is the network.
    pub bases: Vec<Base>,
}

/// A name without its last words, and the formats that these words state.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(super) struct Base {
    pub name: String,
    pub formats: Formats,
}

/// The formats of weights and activations that a name states.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Formats {
    /// The format of the weights: `int4`, `fp8`, or the GGUF type.
    pub weights: Option<String>,
    /// The format of the activations.
    pub activations: Option<String>,
    /// The quantisation method of the weights, as spelled in the name.
    pub quantization: Option<String>,
}

fn pattern(text: &str) -> Regex {
    Regex::new(text).expect("the pattern is tested")
}

/// The path before a name: address of a hub, folders, organisation.
static FOLDERS: LazyLock<Regex> = LazyLock::new(|| pattern(r"^(?:.*[/\\])?([^/\\]+?)[/\\]?$"));

/// The extension of a file, with the number of a part.
static ENDING: LazyLock<Regex> = LazyLock::new(|| {
    pattern(
        r"(?i)(?:[-.]\d{5}-of-\d{5})?\.(?:gguf|ggml|safetensors|bin|mlmodelc|mlpackage|onnx|pte|pth?|pb|tflite|litertlm|task|rkllm|rknn|hef)$",
    )
});

/// A last word that describes the format of the weights.
static LAST: LazyLock<Regex> = LazyLock::new(|| {
    let gguf = r"(?P<gguf>(?:ud-|i1-)?(?:i?q\d(?:_(?:[0-9]|k|xxs|xs|s|m|l|xl|nl|[048]_[048]))+|tq\d_\d|mq\d))";
    let mixed =
        r"(?P<mixed>(?:quantized[.-])?w(?P<w>\d+)a(?P<a>\d+)(?:[-_.]?(?:int8|int4|fp8|g\d+|sym|asym|dynamic))*)";
    let mlc = r"(?P<mlc>q(?P<mlcbits>\d)f\d+(?:_\d)?)";
    let float = r"(?P<float>(?:nvfp4|mxfp4|mxfp8|fp4|fp8)(?:[-_](?:dynamic|static|kv|block|tensor|e4m3|e5m2))*)";
    let bits = r"(?P<bits>u?int(?P<i>[2-8])|(?P<b>[2-8])[-_]?bits?|(?P<bpw>\d(?:\.\d+)?)bpw)";
    let method = r"(?P<method>awq|gptq|hqq|exl2|exl3|autoround|auto-round|eetq|aqlm|spqr|nf4|bnb|dwq|smoothquant)";
    let plain = r"(?P<plain>bf16|fp16|f16|fp32|f32)";
    let mark = r"(?P<mark>gguf|ggml|mlx|mlc|onnx|openvino|ov|unsloth|imatrix|marlin|qat|quantized|quant|hf|latest|dynamic|[12]x(?:8|15|16)|g?(?:32|64|128)g|gs?-?(?:32|64|128))";
    // The data set on which timm trained: `resnet50.a1_in1k`.
    let trained = r"(?P<trained>\.[a-z0-9]+(?:_[a-z0-9]+)*_in\d+k(?:_ft_in\d+k)?)";
    let formats = format!(r"{gguf}|{mixed}|{mlc}|{float}|{bits}|{method}|{plain}|{mark}");
    pattern(&format!(r"(?i)(?:[-_.:@\s(\[]+(?:{formats})[)\]]?|{trained})$"))
});

/// The spelling without its file extension, then repeatedly without one more format word, each with the word removed.
pub(super) fn shorter_names(spelling: &str) -> Vec<(&str, Option<Captures<'_>>)> {
    let mut name = &spelling[..ENDING.find(spelling).map_or(spelling.len(), |ending| ending.start())];
    let mut shorter = Vec::new();
    if name != spelling {
        shorter.push((name, None));
    }
    while let Some(found) = LAST.captures(name) {
        name = &name[..found.get(0).map_or(0, |whole| whole.start())];
        if name.is_empty() {
            break;
        }
        shorter.push((name, Some(found)));
    }
    shorter
}

/// Removes words that describe the format of the weights from the end of a name.
pub(super) fn quantised(text: &str) -> QuantisedName {
    let text = text.trim();
    let file = FOLDERS.captures(text).and_then(|found| found.get(1)).map_or(text, |last| last.as_str());
    let shorter = shorter_names(file);
    let is_named = file != text && shorter.first().is_none_or(|(_, word)| word.is_some());
    let whole = is_named.then(|| Base { name: file.to_owned(), formats: Formats::default() });
    let mut words = Words::default();
    let bases = shorter.into_iter().map(|(name, word)| {
        if let Some(word) = word {
            words.add(&|group: &str| word.name(group).map(|text| text.as_str().to_owned()));
        }
        Base { name: name.to_owned(), formats: words.formats() }
    });
    QuantisedName { bases: whole.into_iter().chain(bases).collect() }
}

/// The words that were removed, from last to first.
#[derive(Debug, Default)]
struct Words {
    weights: Option<String>,
    activations: Option<String>,
    quantization: Vec<String>,
}

impl Words {
    fn add(&mut self, group: &impl Fn(&str) -> Option<String>) {
        let mut told = None;
        if let Some(gguf) = group("gguf") {
            self.weights = Some(gguf.to_uppercase().replacen("I1-", "", 1));
        } else if let Some(mixed) = group("mixed") {
            let lower = mixed.to_lowercase();
            let number = if lower.contains("fp8") { "fp" } else { "int" };
            let kept = |bits: &str| if bits == "16" { None } else { Some(format!("{number}{bits}")) };
            self.weights = group("w").and_then(|bits| kept(&bits));
            self.activations = group("a").and_then(|bits| kept(&bits));
            told = Some(mixed.trim_start_matches(|c: char| !matches!(c, 'w' | 'W')).to_owned());
        } else if let Some(mlc) = group("mlc") {
            self.weights = group("mlcbits").map(|bits| format!("int{bits}"));
            told = Some(mlc);
        } else if let Some(float) = group("float") {
            let format = float.to_lowercase();
            let format = format.split(['-', '_']).next().unwrap_or_default().to_owned();
            self.weights.get_or_insert(if format == "mxfp4" { "MXFP4".to_owned() } else { format });
            told = Some(float);
        } else if group("bits").is_some() {
            if let Some(bits) = group("i").or_else(|| group("b")) {
                self.weights.get_or_insert(format!("int{bits}"));
            }
            told = group("bits");
        } else if let Some(method) = group("method") {
            // NF4 and the formats of bitsandbytes are not integers.
            if ["nf4", "bnb"].contains(&method.to_lowercase().as_str()) {
                self.weights = None;
            }
            told = Some(method);
        } else if let Some(plain) = group("plain") {
            let plain = plain.to_lowercase();
            self.weights.get_or_insert(if plain.starts_with('f') {
                format!("fp{}", &plain[plain.len() - 2..])
            } else {
                plain
            });
        }
        self.quantization.extend(told);
    }

    fn formats(&self) -> Formats {
        let words: Vec<&str> = self.quantization.iter().rev().map(String::as_str).collect();
        Formats {
            weights: self.weights.clone(),
            activations: self.activations.clone(),
            quantization: (!words.is_empty()).then(|| words.join("-")),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_of_weights_are_taken_apart() {
        for (text, base, weights, activations, quantization) in [
            ("llama3.1:8b-instruct-q4_K_M", "llama3.1:8b-instruct", "Q4_K_M", "", ""),
            ("llama3.1:8b-instruct-q8_0", "llama3.1:8b-instruct", "Q8_0", "", ""),
            ("mlx-community/Meta-Llama-3.1-8B-Instruct-4bit", "Meta-Llama-3.1-8B-Instruct", "int4", "", "4bit"),
            (
                "hugging-quants/Meta-Llama-3.1-8B-Instruct-AWQ-INT4",
                "Meta-Llama-3.1-8B-Instruct",
                "int4",
                "",
                "AWQ-INT4",
            ),
            (
                "neuralmagic/Meta-Llama-3.1-8B-Instruct-quantized.w8a8",
                "Meta-Llama-3.1-8B-Instruct",
                "int8",
                "int8",
                "w8a8",
            ),
            ("bartowski/Meta-Llama-3.1-8B-Instruct-GGUF", "Meta-Llama-3.1-8B-Instruct", "", "", ""),
            ("models/Meta-Llama-3.1-8B-Instruct-Q4_K_M.gguf", "Meta-Llama-3.1-8B-Instruct", "Q4_K_M", "", ""),
            ("Llama-3.3-70B-Instruct-UD-Q4_K_XL-00001-of-00002.gguf", "Llama-3.3-70B-Instruct", "UD-Q4_K_XL", "", ""),
            ("mistral-7b-v0.1.Q5_0.gguf", "mistral-7b-v0.1", "Q5_0", "", ""),
            ("hf.co/unsloth/Qwen3-4B-GGUF:IQ4_XS", "Qwen3-4B", "IQ4_XS", "", ""),
            ("RedHatAI/Llama-3.3-70B-Instruct-FP8-dynamic", "Llama-3.3-70B-Instruct", "fp8", "", "FP8-dynamic"),
            ("Qwen/Qwen2.5-7B-Instruct-GPTQ-Int8", "Qwen2.5-7B-Instruct", "int8", "", "GPTQ-Int8"),
            ("unsloth/Llama-3.2-3B-Instruct-bnb-4bit", "Llama-3.2-3B-Instruct", "", "", "bnb-4bit"),
            ("nvidia/DeepSeek-R1-NVFP4", "DeepSeek-R1", "nvfp4", "", "NVFP4"),
            ("Llama-2-7b-chat-hf-q4f16_1-MLC", "Llama-2-7b-chat", "int4", "", "q4f16_1"),
            ("Qwen2.5-32B-Instruct-w4a16-g128", "Qwen2.5-32B-Instruct", "int4", "", "w4a16-g128"),
            ("gemma-3-27b-it-qat-4bit", "gemma-3-27b-it", "int4", "", "4bit"),
            ("tinyllama-1.1b.f16.gguf", "tinyllama-1.1b", "fp16", "", ""),
            ("ISTA-DASLab/Llama-2-7b-AQLM-2Bit-1x16-hf", "Llama-2-7b", "int2", "", "AQLM-2Bit"),
        ] {
            let last = quantised(text).bases.pop().unwrap_or_default();
            let some = |text: &str| (!text.is_empty()).then(|| text.to_owned());
            let expected =
                Formats { weights: some(weights), activations: some(activations), quantization: some(quantization) };
            assert_eq!((last.name.as_str(), &last.formats), (base, &expected), "{text}");
        }
        assert!(quantised("ResNet-50 v1.5").bases.is_empty());
    }
}
