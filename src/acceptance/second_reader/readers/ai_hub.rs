//! Qualcomm's AI Hub Models: one YAML file per network for the newest release, and one table for the older releases. The precision
//! is in a column, or only in the name of the network; a device may be a proxy for another chip.

use std::collections::BTreeMap;
use std::path::Path;

use super::{Meaning, Source, csv_records, entry, files_below, meaning, names, pattern, read_text};

const SOURCE: Source = Source {
    id: "ai-hub-models-2026",
    folder: "quic__ai-hub-models",
    also: &[
        "device-raw",
        "host",
        "network-raw",
        "component",
        "framework-raw",
        "framework-version",
        "compute-unit",
        "quantization",
        "weight-format",
        "activation-format",
        "mode",
        "label",
        "os",
        "software",
        "date",
        "counts",
        "sequence-length",
        "latency-ms",
        "throughput-per-s",
    ],
};

/// Chips of the phones and boards; a board called a proxy represents the chip in its name.
const DEVICES: &[(&str, &str)] = &[
    (r"^RB3 Gen 2 \(Proxy\)$", "qcs6490-proxy"),
    (r"^RB5 \(Proxy\)$", "qcs8250-proxy"),
    (r"^(\w+) \(Proxy\)$", "$1-proxy"),
    (r"RB3 Gen 2 Vision Kit", "qcs6490"),
    (r"^(SA\d+P) ADP$", "$1"),
    (r"^Dragonwing (IQ|Q)-(\d+)", "dragonwing-$1-$2"),
    (r"^Samsung Galaxy S23", "snapdragon-8-gen-2"),
    (r"^Samsung Galaxy S24", "snapdragon-8-gen-3"),
    (r"^Samsung Galaxy S25", "snapdragon-8-elite"),
    (r"^Snapdragon (\d) Elite Gen (\d) QRD$", "snapdragon-$1-elite-gen-$2"),
    (r"^Snapdragon (\d) Elite QRD$", "snapdragon-$1-elite"),
    (r"^Snapdragon (\d) Gen (\d) QRD$", "snapdragon-$1-gen-$2"),
    (r"^Snapdragon X Elite CRD$", "snapdragon-x-elite"),
];

/// Networks that the catalog lists under other names; the rest keep the source's name. The ResNets are torchvision's.
const NETWORKS: &[(&str, &str)] = &[
    (r"^llama_v2_7b_chat$", "llama-2-7b"),
    (r"^llama_v3_8b_(?:chat|instruct)$", "llama-3-8b"),
    (r"^llama_v3_1_8b_instruct$", "llama-3.1-8b-instruct"),
    (r"^llama_v3_2_3b_instruct$", "llama-3.2-3b"),
    (r"^mistral_7b_instruct_v0_3$", "mistral-7b"),
    (r"^qwen2_7b_instruct$", "qwen2-7b"),
    (r"^bert_base_uncased_hf$", "bert-base"),
    (r"^albert_base_v2_hf$", "albert-base-v2"),
    (r"^distil_bert_base_uncased_hf$", "distilbert"),
    (r"^resnet(50|101)$", "resnet-$1-v1.5"),
    (r"^resnet18$", "resnet-18"),
    (r"^resnext50$", "resnext-50-32x4d"),
    (r"^resnext101$", "resnext101-ai-hub"),
    (r"^regnet_y_800mf$", "regnety-008"),
    (r"^densenet121$", "densenet-121"),
    (r"^fastsam_s$", "fast-sam-s"),
    (r"^mnasnet05$", "mnasnet-0.5"),
    (r"^squeezenet1_1$", "squeezenet-1.1"),
    (r"^unet_segmentation$", "unet"),
];

/// Runtimes, and execution modes that the runtime's name states.
const RUN_TIMES: &[(&str, &str)] =
    &[("tflite$", "tflite"), ("onnx$|_ort", "onnx-runtime"), ("^qnn|_qnn$|^genie$", "qairt")];
const MODES: &[(&str, &str)] =
    &[("_ort_dml", "DirectML"), ("_ort$", "ORT"), ("_dlc$", "DLC"), ("context_binary|^precompiled", "context binary")];

/// The release with one file per network.
const NEWEST: &str = "v0.46.1";

/// A model with a single component that is kept as a component, because other releases measure the model as two parts.
const TWO_IN_ONE: &str = "OpenAI-Clip";

/// One figure, with all facts that the files state about it.
#[derive(Default)]
struct Figure<'f> {
    release: &'f str,
    model: &'f str,
    /// Component; empty if the network is in one piece.
    component: &'f str,
    precision: &'f str,
    device: &'f str,
    os: &'f str,
    run_time: &'f str,
    compute_unit: &'f str,
    /// Version of the runtime, if the compiler is a separate program.
    version: &'f str,
    compiler: &'f str,
    measured: &'f str,
    context: &'f str,
    milliseconds: &'f str,
    tokens_per_second: &'f str,
}

/// The number formats in a precision word: of the recipe, of the weights and of the activations.
fn formats(word: &str) -> [String; 3] {
    let Some(found) = pattern(r"^w(\d+)(?:a(\d+))?(_mixed)?").captures(word) else {
        let is_known = ["fp16", "fp32", "int8"].contains(&word);
        return [if is_known { word } else { "" }.to_owned(), String::new(), String::new()];
    };
    let of = |at: usize| found.get(at).map(|bits| format!("int{}", bits.as_str())).unwrap_or_default();
    [if found.get(3).is_some() { String::new() } else { of(2) }, of(1), of(2)]
}

impl Figure<'_> {
    fn meaning(&self) -> Meaning {
        let quantised = pattern(r"^(.*?)(?:_(w\d+a\d+))?_quantized$").captures(self.model);
        let base = quantised.as_ref().map_or(self.model, |found| found.get(1).expect("a name").as_str());
        // The column of an old release says int8 for everything quantised; some network names are more specific.
        let named = quantised.as_ref().and_then(|found| found.get(2)).map(|word| word.as_str());
        let word = named.filter(|_| self.precision == "int8").unwrap_or(self.precision);
        // The format of a quantised network's input and output is not its compute precision.
        let is_of_ends = quantised.is_some() && ["fp16", "fp32"].contains(&word);
        let [precision, weights, activations] = if is_of_ends { Default::default() } else { formats(word) };
        let label = match word {
            _ if is_of_ends => format!("{}, {word}", self.model),
            "float" | "uint16" => word.to_owned(),
            _ if word.contains("_mixed_") => word.to_owned(),
            _ => String::new(),
        };
        let framework = entry(RUN_TIMES, self.run_time).unwrap_or_default();
        let of_tokens = !self.tokens_per_second.is_empty();
        let software = match self.compiler {
            // In the newest release, a compiler that is also the runtime is stated only as the runtime's version.
            compiler if compiler.is_empty() || self.release == NEWEST && framework == "qairt" => {
                format!("AI Hub Models {}", self.release)
            }
            compiler => format!("AI Hub Models {}, QAIRT {compiler}", self.release),
        };
        meaning([
            ("device", &entry(DEVICES, self.device).unwrap_or_default()),
            ("device-raw", self.device),
            ("host", if self.device.ends_with("(Proxy)") { "" } else { self.device }),
            ("device-count", "1"),
            ("network", &entry(NETWORKS, base).unwrap_or_else(|| base.replace('_', "-"))),
            ("network-raw", self.model),
            ("component", self.component),
            ("stage", if of_tokens { "decode" } else { "eval" }),
            ("precision", &precision),
            ("quantization", if word.starts_with('w') { word } else { "" }),
            ("weight-format", &weights),
            ("activation-format", &activations),
            ("batch-size", "1"),
            ("framework", &framework),
            ("framework-raw", self.run_time),
            ("framework-version", if framework == "qairt" { self.compiler } else { self.version }),
            ("compute-unit", &self.compute_unit.to_lowercase()),
            (
                "mode",
                MODES.iter().find(|(words, _)| pattern(words).is_match(self.run_time)).map_or("", |(_, mode)| mode),
            ),
            ("label", &label),
            ("os", self.os),
            ("software", &software),
            ("date", self.measured.get(..10).unwrap_or_default()),
            ("counts", if of_tokens { "token" } else { "inference" }),
            ("sequence-length", self.context),
            ("latency-ms", self.milliseconds),
            ("throughput-per-s", self.tokens_per_second),
        ])
    }
}

/// The rows of the table of older releases. If the only component has the network's name, the network is in one piece.
fn of_table(path: &Path) -> Vec<Meaning> {
    let records = csv_records(path);
    let mut components: BTreeMap<(&str, &str), Vec<&str>> = BTreeMap::new();
    for record in &records {
        let of_model = components.entry((&record["release"], &record["model"])).or_default();
        if !of_model.contains(&record["component"].as_str()) {
            of_model.push(&record["component"]);
        }
    }
    let of_record = |record: &BTreeMap<String, String>| {
        let is_whole = components[&(record["release"].as_str(), record["model"].as_str())].len() == 1
            && record["component"] != TWO_IN_ONE;
        let figure = Figure {
            release: &record["release"],
            model: &record["model"],
            component: if is_whole { "" } else { &record["component"] },
            precision: &record["precision"],
            device: &record["device"],
            os: &record["os"],
            run_time: &record["runtime"],
            compute_unit: &record["primary_compute_unit"],
            compiler: &record["qairt"],
            measured: &record["measured"],
            milliseconds: &record["inference_time_ms"],
            ..Figure::default()
        };
        figure.meaning()
    };
    records.iter().map(of_record).collect()
}

/// The values in a YAML file of mappings, each with its parent keys; list items are numbered.
fn leaves(text: &str) -> Vec<(Vec<String>, String)> {
    let mut above: Vec<(usize, String)> = Vec::new();
    let mut leaves = Vec::new();
    for (at, line) in text.lines().enumerate() {
        let mut column = line.len() - line.trim_start().len();
        let mut rest = line.trim();
        if let Some(item) = rest.strip_prefix("- ") {
            // A list may be indented as far as its key.
            above.retain(|(own, key)| *own < column || *own == column && !key.starts_with('-'));
            above.push((column, format!("-{at}")));
            (column, rest) = (column + 2, item);
        }
        let Some((key, value)) = rest.split_once(':') else { continue };
        above.retain(|(own, _)| *own < column);
        above.push((column, key.to_owned()));
        if !value.trim().is_empty() {
            leaves.push((above.iter().map(|(_, key)| key.clone()).collect(), value.trim().to_owned()));
        }
    }
    leaves
}

/// The rows of a network's file in the newest release.
fn of_network(path: &Path) -> Vec<Meaning> {
    let file = names(path).1;
    let model = file.trim_end_matches(".yaml");
    let text = read_text(path);
    let mut components = Vec::new();
    let mut runs: Vec<(Vec<String>, BTreeMap<String, String>)> = Vec::new();
    for (keys, value) in leaves(&text) {
        let [precisions, precision, _, component, metrics, device, run_time, rest @ ..] = keys.as_slice() else {
            continue;
        };
        if precisions != "precisions" || metrics != "performance_metrics" {
            continue;
        }
        if !components.contains(component) {
            components.push(component.clone());
        }
        // The rates of a language model are a list, with one item per context length.
        let item = rest.iter().find(|key| key.starts_with('-')).cloned().unwrap_or_default();
        let of = vec![precision.clone(), component.clone(), device.clone(), run_time.clone(), item];
        if runs.last().is_none_or(|(own, _)| *own != of) {
            runs.push((of, BTreeMap::new()));
        }
        let name = rest.last().map(String::as_str).unwrap_or_default().to_owned();
        runs.last_mut().expect("one was pushed").1.insert(name, value);
    }
    let of_run = |(of, values): &(Vec<String>, BTreeMap<String, String>)| {
        let value = |key: &str| values.get(key).map(String::as_str).unwrap_or_default();
        let tokens_per_second = value("tokens_per_second");
        let is_whole = components.len() == 1 && of[1] != TWO_IN_ONE || !tokens_per_second.is_empty();
        let figure = Figure {
            release: NEWEST,
            model,
            component: if is_whole { "" } else { &of[1] },
            precision: &of[0],
            device: &of[2],
            run_time: &of[3],
            compute_unit: value("primary_compute_unit"),
            version: ["tflite", "onnx_runtime"].into_iter().map(value).find(|v| !v.is_empty()).unwrap_or_default(),
            compiler: value("qairt"),
            context: value("context_length"),
            milliseconds: value("inference_time_milliseconds"),
            tokens_per_second,
            ..Figure::default()
        };
        let has_figure = !figure.milliseconds.is_empty() || !figure.tokens_per_second.is_empty();
        has_figure.then(|| figure.meaning())
    };
    runs.iter().filter_map(of_run).collect()
}

#[test]
fn ai_hub_models_mean_what_their_files_say() {
    SOURCE.assert_matches(|folder| {
        let mut rows = of_table(&folder.join("older-releases-derived.csv"));
        rows.extend(files_below(&folder.join("perf"), "yaml").iter().flat_map(|path| of_network(path)));
        rows
    });
}
