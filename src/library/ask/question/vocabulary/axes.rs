//! Axes of relations by the words for them, and the turns of phrase around these: `effect of cudnn version`, `double the
//! batch size`.

use std::collections::HashMap;
use std::sync::LazyLock;

use crate::model::{Aspect, Fact, Field};
use crate::values::spelling::normalise;

/// What a turn of phrase has in front of an axis, and behind it.
const AROUND: &[(&str, &str)] = &[
    ("effect of ", ""),
    ("effect of the ", ""),
    ("effects of ", ""),
    ("impact of ", ""),
    ("impact of the ", ""),
    ("influence of ", ""),
    ("influence of the ", ""),
    ("", " effect"),
    ("", " impact"),
    ("", " influence"),
    ("by ", ""),
    ("per ", ""),
    ("over ", ""),
    ("function of ", ""),
    ("function of the ", ""),
    ("across ", ""),
    ("different ", ""),
    ("depend on ", ""),
    ("depend on the ", ""),
    ("depends on ", ""),
    ("depends on the ", ""),
    ("vary with ", ""),
    ("varies with ", ""),
    ("change with ", ""),
    ("changes with ", ""),
    ("grow with ", ""),
    ("grows with ", ""),
    ("scale with ", ""),
    ("scale with the ", ""),
    ("scales with ", ""),
    ("scales with the ", ""),
    ("double the ", ""),
    ("doubling ", ""),
    ("doubling the ", ""),
    ("twice the ", ""),
    ("half the ", ""),
    ("halving the ", ""),
    ("increasing ", ""),
    ("increasing the ", ""),
    ("newer ", ""),
    ("each ", ""),
    ("every ", ""),
    ("with each ", ""),
    ("with every ", ""),
    ("with each new ", ""),
    ("with every new ", ""),
];

/// Axes, the words that name them with a turn of phrase around them, and those that do so alone.
const AXES: &[(Aspect, &[&str], &[&str])] = &[
    (
        Aspect::Field(Field::BatchSize),
        &["batch size", "batch sizes"],
        &["twice the batch", "double the batch", "double batch size", "doubling the batch", "effect of batching"],
    ),
    (
        Aspect::Field(Field::DeviceCount),
        &["number of gpus", "number of devices", "number of cards", "number of chips", "gpu count", "nr of gpus"],
        &[
            "nr of gpus",
            "no. of gpus",
            "amount of gpus",
            "number of cards",
            "number of chips",
            "number of accelerators",
            "twice as many gpus",
            "twice the gpus",
            "double the gpus",
            "doubling the gpus",
        ],
    ),
    (
        Aspect::Field(Field::Hosts),
        &["nodes", "hosts", "machines", "number of nodes", "number of hosts", "number of machines", "several nodes"],
        &["node scaling", "number of nodes", "number of hosts", "number of machines", "more nodes", "more hosts"],
    ),
    (Aspect::Field(Field::Precision), &["precision", "number format", "quantization", "quantisation"], &[]),
    (
        Aspect::Field(Field::FrameworkVersion),
        &["version", "versions", "framework version", "framework versions", "software version", "release", "releases"],
        &[
            "framework version",
            "software version",
            "from version to version",
            "from release to release",
            "release to release",
            "new releases",
            "successive releases",
            "successive versions",
        ],
    ),
    (
        Aspect::Field(Field::Cuda),
        &["cuda", "cuda version", "cuda versions", "cuda toolkit"],
        &["cuda version", "cuda toolkit version"],
    ),
    (Aspect::Field(Field::Cudnn), &["cudnn", "cudnn version", "cudnn versions"], &["cudnn version"]),
    (
        Aspect::Field(Field::Driver),
        &["driver", "drivers", "driver version", "driver versions", "gpu driver"],
        &["driver version", "driver versions", "gpu driver", "gpu drivers"],
    ),
    (
        Aspect::Field(Field::SequenceLength),
        &["sequence length", "context length", "context size", "seq length", "sequence lengths"],
        &["seq length", "context size"],
    ),
    (
        Aspect::Field(Field::InputLength),
        &["input length", "prompt length", "input tokens", "prompt size"],
        &["prompt length", "prompt lengths", "input length"],
    ),
    (Aspect::Field(Field::OutputLength), &["output length", "output tokens"], &["output length"]),
    (
        Aspect::Field(Field::Concurrency),
        &["concurrency", "concurrent requests", "number of users", "parallel requests"],
        &["concurrency", "concurrent requests", "number of users"],
    ),
    (
        Aspect::Field(Field::TensorParallel),
        &["tensor parallelism", "tensor parallel degree", "tensor parallel"],
        &["tensor parallelism", "tensor parallel degree"],
    ),
    (
        Aspect::Field(Field::PipelineParallel),
        &["pipeline parallelism", "pipeline parallel degree"],
        &["pipeline parallelism"],
    ),
    (Aspect::Field(Field::ExpertParallel), &["expert parallelism", "expert parallel degree"], &["expert parallelism"]),
    (
        Aspect::Field(Field::Threads),
        &["threads", "number of threads", "thread count", "cpu threads"],
        &["threads", "more threads", "cpu threads"],
    ),
    (
        Aspect::Field(Field::InputShape),
        &["image size", "image resolution", "input size", "input resolution", "resolution", "input shape"],
        &["image resolution", "input resolution", "input resolutions", "image sizes"],
    ),
    (Aspect::Field(Field::Mode), &["execution mode", "torch.compile", "compilation"], &["execution mode"]),
    (Aspect::Field(Field::Layout), &["memory layout", "data layout", "tensor layout"], &["tensor layout"]),
    (
        Aspect::Fact(Fact::Architecture),
        &["generation", "generations", "gpu generation", "gpu generations", "architecture", "hardware generation"],
        &[
            "generation to generation",
            "from generation to generation",
            "generational",
            "each generation",
            "gpu generation",
        ],
    ),
];

/// The names of axes, and the turns of phrase around them, as they are compared.
struct AxisNames {
    around: Vec<(String, String)>,
    named: HashMap<String, Aspect>,
    alone: HashMap<String, Aspect>,
}

static NAMES: LazyLock<AxisNames> = LazyLock::new(|| {
    let named = AXES.iter().flat_map(|(axis, named, _)| named.iter().map(|name| (normalise(name), *axis)));
    let alone = AXES.iter().flat_map(|(axis, _, alone)| alone.iter().map(|name| (normalise(name), *axis)));
    AxisNames {
        around: AROUND.iter().map(|(before, behind)| (normalise(before), normalise(behind))).collect(),
        named: named.collect(),
        alone: alone.collect(),
    }
});

/// The axis that a phrase names, in the form in which names are compared. The turns of phrase are taken off here, since
/// all of them around all names would be some thousand phrases.
pub(super) fn axis_of(normal: &str) -> Option<Aspect> {
    let AxisNames { around, named, alone } = &*NAMES;
    let without = |(before, behind): &(String, String)| {
        named.get(normal.strip_prefix(before.as_str())?.strip_suffix(behind.as_str())?)
    };
    alone.get(normal).or_else(|| around.iter().find_map(without)).copied()
}

/// The field that words begin with the name of, and how many words name it: the `driver` of `without driver`.
pub(in crate::ask::question) fn field_at(words: &[&str]) -> Option<(usize, Field)> {
    (1..=words.len().min(3)).rev().find_map(|length| {
        let normal = normalise(&words[..length].concat());
        match NAMES.named.get(&normal).or_else(|| NAMES.alone.get(&normal)) {
            Some(Aspect::Field(field)) => Some((length, *field)),
            _ => None,
        }
    })
}

/// Whether a phrase names an axis without any turn of phrase around it: `input resolution`.
pub(in crate::ask::question) fn is_bare_axis(phrase: &str) -> bool {
    NAMES.alone.contains_key(&normalise(phrase))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::ask::question::vocabulary::LONGEST_PHRASE;

    /// Every phrase that names an axis.
    fn phrases() -> impl Iterator<Item = (Aspect, String)> {
        AXES.iter().flat_map(|(aspect, named, alone)| {
            let around = named
                .iter()
                .flat_map(|name| AROUND.iter().map(move |(before, behind)| format!("{before}{name}{behind}")));
            around.chain(alone.iter().map(|name| (*name).to_owned())).map(|phrase| (*aspect, phrase))
        })
    }

    #[test]
    fn each_phrase_names_its_axis_and_is_short_enough_to_be_looked_for() {
        for (axis, phrase) in phrases() {
            assert_eq!(axis_of(&normalise(&phrase)), Some(axis), "{phrase}");
            assert!(phrase.split(' ').count() <= LONGEST_PHRASE && phrase.len() < 60, "{phrase}");
        }
        assert_eq!(axis_of("batchsize"), None, "an axis needs a turn of phrase");
    }
}
