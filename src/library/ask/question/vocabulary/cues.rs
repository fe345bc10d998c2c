//! Turns of phrase that say which kind of answer is wanted.

use super::meaning::{Cue, Link, Meaning};
use crate::ask::question::order::Superlative;
use crate::model::{Aspect, Facet, Fact, Field};
use crate::values::EntityKind;

use Meaning::{About, Along, Names, Without};

pub(in crate::ask::question) const SUPERLATIVES: &[(&str, Superlative)] = &[
    ("best", Superlative::Best),
    ("top", Superlative::Best),
    ("fastest", Superlative::Best),
    ("quickest", Superlative::Best),
    ("worst", Superlative::Worst),
    ("slowest", Superlative::Worst),
    ("highest", Superlative::Most),
    ("most", Superlative::Most),
    ("maximum", Superlative::Most),
    ("max", Superlative::Most),
    ("largest", Superlative::Most),
    ("biggest", Superlative::Most),
    ("greatest", Superlative::Most),
    ("lowest", Superlative::Least),
    ("least", Superlative::Least),
    ("fewest", Superlative::Least),
    ("minimum", Superlative::Least),
    ("min", Superlative::Least),
    ("smallest", Superlative::Least),
    ("shortest", Superlative::Least),
    ("cheapest", Superlative::Cheapest),
];

pub(in crate::ask::question) const COUNTS: &[(&str, i64)] =
    &[("single", 1), ("one", 1), ("dual", 2), ("two", 2), ("three", 3), ("quad", 4), ("four", 4), ("eight", 8)];

/// What is counted when devices are.
pub(in crate::ask::question) const DEVICE_NOUNS: &[&str] =
    &["gpu", "gpus", "device", "devices", "card", "cards", "accelerator", "accelerators", "chip", "chips", "tpus"];

/// Kinds of entities as questions name them.
pub(in crate::ask::question) const KIND_NOUNS: &[(&str, EntityKind)] = &[
    ("framework", EntityKind::Framework),
    ("frameworks", EntityKind::Framework),
    ("library", EntityKind::Framework),
    ("libraries", EntityKind::Framework),
    ("device", EntityKind::Device),
    ("devices", EntityKind::Device),
    ("network", EntityKind::Network),
    ("networks", EntityKind::Network),
    ("models", EntityKind::Network),
    ("dataset", EntityKind::Dataset),
    ("datasets", EntityKind::Dataset),
    ("source", EntityKind::Source),
    ("sources", EntityKind::Source),
];

/// Phrases and what they mean.
pub(super) const CUES: &[(Meaning, &[&str])] = &[
    (Meaning::Link(Link::Versus), &["vs", "vs.", "versus", "against", "than", "compared to", "compared with", "relative to", "compare to", "in comparison to", "as opposed to", "v.s."]),
    (Meaning::Link(Link::Or), &["or"]),
    (Without, &["not", "without", "except", "excluding", "but not", "other than", "except for"]),
    (Meaning::Cue(Cue::Compare), &["compare", "comparing", "comparison", "comparisons", "difference between", "difference", "differences", "differences between", "head to head", "comparison of", "upgrade from", "switch from", "choose between", "choosing between", "decide between"]),
    (Meaning::Cue(Cue::Comparative), &["faster", "slower", "quicker", "better", "worse", "cheaper", "superior", "outperform", "outperforms", "beat", "beats", "times faster", "times slower", "should i buy", "should i get", "should i choose", "should i use", "buy", "instead of", "prefer"]),
    (Meaning::Cue(Cue::SpeedUp), &["speedup", "speed-up", "speed up", "speedups", "speeds up", "help", "helps", "gain", "gains", "improve", "improves", "improvement", "benefit", "benefits", "acceleration"]),
    (Meaning::Cue(Cue::Scaling), &["scaling", "scale", "scales", "strong scaling", "weak scaling", "multi gpu scaling", "scaling behaviour", "scaling behavior", "multi-gpu training scaling"]),
    (Meaning::Cue(Cue::Which), &["which", "list", "list of", "list all", "what are the", "show all", "all the", "which of the", "what are", "are there", "is there"]),
    (Meaning::Cue(Cue::Support), &["support", "supports", "supported", "run on", "runs on", "running on", "work on", "works on", "work with", "works with", "have", "has", "supporting"]),
    (Meaning::Cue(Cue::Fit), &["can i run", "can you run", "could i run", "will run on", "able to run", "possible to run"]),
    (Meaning::Cue(Cue::Describe), &["good", "good for", "good enough", "worth it", "worth", "tell me about", "what is", "what's", "whats", "describe", "info", "information", "overview", "about", "suitable", "suitable for", "enough", "specs", "specification", "specifications", "details"]),
    (Meaning::Cue(Cue::WhoMeasured), &["who measured", "who tested", "who benchmarked", "who ran", "measured by whom"]),
    (Meaning::Cue(Cue::Newest), &["latest", "newest", "most recent"]),
    (Meaning::Cue(Cue::Maintained), &["maintained", "still maintained", "actively maintained", "active", "still active", "actively developed", "still developed", "still supported", "still alive", "still used", "still in use", "in development", "under development", "still being developed", "still being maintained"]),
    (Meaning::Cue(Cue::LowPower), &["low power", "low-power", "low energy", "low wattage"]),
    (Meaning::Cue(Cue::Principles), &["principles", "principles of benchmarking", "benchmarking principles", "seven principles", "principles of benchmarks"]),
    (Meaning::Cue(Cue::YesOrNo), &["is", "are", "does", "do", "did", "will", "can", "could"]),
    (Along(Aspect::Field(Field::BatchSize)), &["batch size", "batch sizes", "larger batches", "bigger batches", "larger batch", "bigger batch", "larger batch sizes", "batch size effect", "effect of batch size", "impact of batch size", "by batch size", "per batch size", "over batch size", "by batch", "batching", "batches"]),
    (Along(Aspect::Field(Field::DeviceCount)), &["by number of gpus", "number of gpus", "number of devices", "gpu count", "device count", "by device count", "by gpu count", "more gpus", "adding gpus", "adding more gpus", "over gpus", "multiple gpus"]),
    (Along(Aspect::Field(Field::Precision)), &["by precision", "per precision", "precision effect", "effect of precision", "impact of precision", "quantization", "quantisation", "quantizing", "precisions", "precision"]),
    (Along(Aspect::Field(Field::FrameworkVersion)), &["by version", "over versions", "across versions", "between versions", "by framework version", "versions"]),
    (Along(Aspect::Field(Field::SequenceLength)), &["sequence length", "sequence lengths", "by sequence length", "context length", "effect of sequence length"]),
    (Along(Aspect::Field(Field::Threads)), &["by threads", "number of threads", "thread count", "thread scaling"]),
    (Along(Aspect::Field(Field::Device)), &["by device", "by gpu", "per device", "across devices", "across gpus"]),
    (Along(Aspect::Field(Field::Framework)), &["by framework", "across frameworks", "per framework"]),
    (Along(Aspect::Field(Field::Network)), &["by network", "by model", "across networks", "across models"]),
    (Along(Aspect::Fact(Fact::Year)), &["by year", "over the years", "over time", "year by year", "per year", "trend", "trends", "over years"]),
    (Along(Aspect::Field(Field::Mode)), &["torch.compile", "torchcompile", "compilation"]),
    (Along(Aspect::Field(Field::Layout)), &["channels_last", "channels last", "memory layout", "data layout"]),
    (About(EntityKind::HardwareClass), &["hardware classes", "hardware class", "classes of hardware", "types of hardware", "kinds of hardware", "hardware types"]),
    (About(EntityKind::Dataset), &["data sets", "data set"]),
    (Names(Facet::Stage, "train"), &["fine-tuning", "fine tuning", "finetuning", "finetune", "fine-tune", "fine tune", "trained"]),
    (Names(Facet::Stage, "eval"), &["inferencing", "inferences", "serving", "deployment", "predict", "prediction"]),
    (Names(Facet::Task, "language-model"), &["llm", "llms", "language model", "language models", "large language model", "large language models"]),
];
