//! Finds texts of a row that contradict its own fields: versions, counts, sizes, formats and stages in words.

use std::collections::{BTreeMap, BTreeSet, HashMap};
use std::sync::LazyLock;

use regex::Regex;

use crate::contribute::rule_interface::{Findings, IndexedRow};
use crate::model::{Field, Measurement};
use crate::values::Stage;
use crate::values::text::{normalise, or_list};

pub(super) fn pattern(text: &str) -> Regex {
    Regex::new(text).expect("the pattern is tested")
}

/// Matches `80GBx8` and `SXM4x16`.
static COUNT_BEHIND: LazyLock<Regex> = LazyLock::new(|| pattern(r"(?:G[Bb]|PCIe|SXM\d?)[_ ]?x(\d+)(?:[^\d.]|$)"));

/// Matches a number of machines with a number of devices each: `64xBM.GPU.H200.8`.
static MACHINES: LazyLock<Regex> = LazyLock::new(|| pattern(r"\b(\d+)x[A-Z][\w.-]*\.(\d+)(?:;|$)"));

static NODES: LazyLock<Regex> = LazyLock::new(|| pattern(r"^(\d+) nodes of"));

/// Matches a word and its version: `TensorRT 9.3.0`.
static VERSIONED: LazyLock<Regex> = LazyLock::new(|| pattern(r"([A-Za-z][A-Za-z-]{2,})[ :/=_-]*[vV]?(\d+(?:\.\d+)+)"));

pub(super) static VERSION: LazyLock<Regex> = LazyLock::new(|| pattern(r"\d+(?:\.\d+)+[a-z0-9]*"));

static MONTH: LazyLock<Regex> = LazyLock::new(|| pattern(r"^(?:1[6-9]|2\d)\.(?:0[1-9]|1[0-2])"));

static BITS: LazyLock<Regex> = LazyLock::new(|| pattern(r"(?i)\b(?:(\d)[- ]?bit|int(\d)\b|w(\d)a\d)"));

/// The versions that follow each word in a text.
pub(super) type Versions = BTreeMap<String, BTreeSet<String>>;

fn versions(text: &str) -> Versions {
    let mut all = Versions::new();
    for found in VERSIONED.captures_iter(text) {
        let word = found[1].trim_end_matches('-').to_lowercase();
        all.entry(word).or_default().insert(found[2].to_owned());
    }
    all
}

/// Whether one version equals the other or is a prefix of it.
pub(super) fn is_like(a: &str, b: &str) -> bool {
    a.starts_with(b) || b.starts_with(a)
}

/// Reports contradictions within the row alone.
pub(super) fn by_itself<'l>(row: &IndexedRow<'l>, read: &mut HashMap<&'l str, Versions>, found: &mut Findings) {
    let measurement = row.row.get();
    let mut tell = |field: Field, text: Field, message: String| {
        found
            .in_row(row, field.key(), message, "contradicts the row's own words")
            .beside([text.key().into()], "its words");
    };
    let raw = measurement.text(Field::FrameworkRaw);
    if let (Some(own), Some(raw), None) =
        (measurement.text(Field::FrameworkVersion), raw, measurement.text(Field::Backend))
    {
        let version = own.trim_start_matches(['v', 'V']);
        let said: Vec<&str> = VERSION.find_iter(raw).map(|version| version.as_str()).collect();
        let framework = normalise(measurement.text(Field::Framework).unwrap_or_default());
        let words = versions(raw);
        // A single version without a word before it belongs to the named software: `25.11 NeMo Container`.
        let is_named =
            words.keys().any(|word| framework.contains(&normalise(word))) || words.is_empty() && said.len() == 1;
        let is_version = version.starts_with(|c: char| c.is_ascii_digit()) && is_named;
        if is_version && !said.is_empty() && !said.iter().any(|said| is_like(said, version)) {
            let message = format!("`framework-version` is {own}, the source's {raw:?} has {}", or_list(&said));
            tell(Field::FrameworkVersion, Field::FrameworkRaw, message);
        }
    }
    let texts = [Field::Container, Field::FrameworkRaw, Field::Software];
    for (at, field) in texts.iter().enumerate() {
        for other in &texts[at + 1..] {
            let (Some(a), Some(b)) = (measurement.text(*field), measurement.text(*other)) else { continue };
            for text in [a, b] {
                read.entry(text).or_insert_with(|| versions(text));
            }
            let differs = read[a].iter().find(|(word, own)| {
                let others = read[b].get(*word);
                // Containers have their own version scheme: year and month.
                let is_one = |a: &String, b: &String| is_like(a, b) || MONTH.is_match(a) != MONTH.is_match(b);
                others.is_some_and(|others| !own.iter().any(|a| others.iter().any(|b| is_one(a, b))))
            });
            if let Some((word, _)) = differs {
                tell(
                    *field,
                    *other,
                    format!("`{field}` and `{other}` have different versions of {word:?}: {a:?}, {b:?}"),
                );
            }
        }
    }
    if let (Some(count), Some(label)) = (measurement.count(Field::DeviceCount), measurement.text(Field::Label)) {
        let number = |text: &str| text.parse::<i64>().ok();
        let behind = COUNT_BEHIND.captures(label).and_then(|found| number(&found[1]));
        let machines = MACHINES.captures(label).and_then(|found| number(&found[1])?.checked_mul(number(&found[2])?));
        if let Some(said) = behind.or(machines).filter(|said| *said != count) {
            tell(
                Field::DeviceCount,
                Field::Label,
                format!("`device-count` is {count}, the label {label:?} has {said}"),
            );
        }
    }
    for (field, text, message) in by_raw_names(measurement, read) {
        tell(field, text, message);
    }
    by_timed_and_notes(measurement, &mut tell);
    by_numbers(measurement, &mut tell);
    let nodes = measurement.text(Field::Host).and_then(|host| NODES.captures(host)?[1].parse::<i64>().ok());
    if let (Some(count), Some(nodes)) = (measurement.count(Field::DeviceCount), nodes.filter(|nodes| *nodes > 0))
        && count % nodes != 0
    {
        tell(Field::DeviceCount, Field::Host, format!("{count} devices do not divide among {nodes} nodes"));
    }
    if let (Some(format), Some(recipe)) = (measurement.text(Field::WeightFormat), measurement.text(Field::Quantization))
    {
        let said: Vec<String> = BITS
            .captures_iter(recipe)
            .filter_map(|found| Some(found.get(1).or(found.get(2)).or(found.get(3))?.as_str().to_owned()))
            .collect();
        let digits = format.trim_start_matches(|c: char| !c.is_ascii_digit());
        let own = digits.split(|c: char| !c.is_ascii_digit()).next().unwrap_or_default().to_owned();
        if !own.is_empty() && !said.is_empty() && !said.contains(&own) {
            tell(
                Field::WeightFormat,
                Field::Quantization,
                format!("weights in {format} are not quantised to {} bits ({recipe:?})", or_list(&said)),
            );
        }
    }
}

/// Fields whose version texts repeat after a word, or after the name of the software in another field.
const BEHIND_WORDS: &[(Field, &str)] = &[(Field::Cuda, "cuda"), (Field::Cudnn, "cudnn"), (Field::Driver, "driver")];
const BEHIND_NAMES: &[(Field, Field)] =
    &[(Field::FrameworkVersion, Field::Framework), (Field::BackendVersion, Field::Backend)];

/// Texts that state versions; notes are left out because they also mention versions of other rows.
const OF_VERSIONS: &[Field] = &[
    Field::DeviceRaw,
    Field::FrameworkRaw,
    Field::Container,
    Field::Software,
    Field::Setting,
    Field::Label,
    Field::Timed,
];

/// The revisions in a name, and whether each is a separate word: `v1` in `resnet_v1_101`.
fn revisions(name: &str) -> Vec<(&str, bool)> {
    static REVISION: LazyLock<Regex> = LazyLock::new(|| pattern(r"[vV](\d+(?:\.\d+)?)"));
    let ends = |c: Option<char>| !c.is_some_and(|c| c.is_ascii_alphanumeric());
    let all = REVISION.captures_iter(name).filter_map(|found| Some((found.get(0)?, found.get(1)?.as_str())));
    let is_apart = |range: std::ops::Range<usize>| {
        ends(name[..range.start].chars().next_back()) && ends(name[range.end..].chars().next())
    };
    all.map(|(whole, number)| (number, is_apart(whole.range()))).collect()
}

/// Contradictions between fields and texts: a version after the word of its field, and the revision of a network.
fn by_raw_names<'l>(
    measurement: &'l Measurement,
    read: &mut HashMap<&'l str, Versions>,
) -> Vec<(Field, Field, String)> {
    let mut told = Vec::new();
    let of_words = BEHIND_WORDS.iter().map(|(field, word)| (*field, (*word).to_owned()));
    let of_names = BEHIND_NAMES.iter().filter_map(|(field, name)| Some((*field, normalise(measurement.text(*name)?))));
    let stated: Vec<(Field, String, &str)> =
        of_words.chain(of_names).filter_map(|(field, word)| Some((field, word, measurement.text(field)?))).collect();
    let texts = OF_VERSIONS.iter().filter_map(|text| Some((*text, measurement.text(*text)?)));
    for (text, words) in texts.filter(|_| !stated.is_empty()) {
        let versions = read.entry(words).or_insert_with(|| versions(words));
        for (field, word, own) in &stated {
            let own = own.trim_start_matches(['v', 'V']);
            let of_word = versions.iter().filter(|(other, _)| normalise(other) == *word);
            let said: Vec<&str> = of_word.flat_map(|(_, said)| said).map(String::as_str).collect();
            // Containers have their own version scheme: year and month.
            let is_own = |said: &str| is_like(said, own) || MONTH.is_match(said) != MONTH.is_match(own);
            if !said.is_empty() && !versions.values().flatten().any(|said| is_own(said)) {
                told.push((*field, text, format!("`{field}` is {own}, {words:?} has {}", or_list(&said))));
            }
        }
    }
    if let (Some(id), Some(raw)) = (measurement.text(Field::Network), measurement.text(Field::NetworkRaw))
        && raw.contains(['v', 'V'])
        && id.contains("-v")
    {
        let (own, said) = (revisions(id), revisions(raw));
        let apart = |all: &[(&str, bool)]| all.iter().any(|(_, apart)| *apart);
        if apart(&own) && apart(&said) && !own.iter().any(|(own, _)| said.iter().any(|(said, _)| said == own)) {
            let said: Vec<String> = said.iter().map(|(said, _)| format!("v{said}")).collect();
            let message = format!("`network` is `{id}`, the source's {raw:?} has {}", or_list(&said));
            told.push((Field::Network, Field::NetworkRaw, message));
        }
    }
    told
}

/// Numbers that texts state in words: the field with the same number, the texts, and the pattern.
static NUMBERS: LazyLock<Vec<(Field, &[Field], Regex)>> = LazyLock::new(|| {
    let all: &[(Field, &[Field], &str)] = &[
        (Field::TopK, &[Field::Notes, Field::Timed, Field::Label], r"(?i)\btop[- ]?(\d)\b"),
        (Field::BatchSize, &[Field::Notes, Field::Timed], r"(?i)\bbatch(?: size)?(?: of)? (\d+)\b"),
        (Field::Epochs, &[Field::Notes, Field::Timed], r"\b(\d+) epochs\b"),
        (Field::Threads, &[Field::Notes, Field::Timed], r"\b(\d+) threads\b"),
        (Field::N, &[Field::Timed], r"\b(\d+) (?:runs|iterations|times|samples)\b"),
        (
            Field::InputShape,
            &[Field::NetworkRaw, Field::Label, Field::Setting],
            r"(?:^|[^\d.A-Za-z])(\d{3,4})[x×_](\d{3,4})(?:$|[^\d.A-Za-z])",
        ),
    ];
    all.iter().map(|(field, texts, numbers)| (*field, *texts, pattern(numbers))).collect()
});

/// Reports fields whose number differs from the numbers in a text; one matching side of an input shape is enough.
fn by_numbers(measurement: &Measurement, tell: &mut impl FnMut(Field, Field, String)) {
    for (field, texts, numbers) in NUMBERS.iter() {
        let Some(value) = measurement.get(*field) else { continue };
        let own = value.to_string();
        for (text, words) in texts.iter().filter_map(|text| Some((*text, measurement.text(*text)?))) {
            let said: BTreeSet<&str> = numbers
                .captures_iter(words)
                .flat_map(|found| found.iter().skip(1).flatten().collect::<Vec<_>>())
                .map(|number| number.as_str())
                .collect();
            if !said.is_empty() && !own.split('x').any(|own| said.contains(own)) {
                let said: Vec<&str> = said.into_iter().collect();
                tell(*field, text, format!("`{field}` is {own}, `{text}` says {}", or_list(&said)));
            }
        }
    }
}

/// Number formats in a sentence; the groups are in the order of [`FORMAT_NAMES`].
static FORMATS: LazyLock<Regex> =
    LazyLock::new(|| pattern(r"(?i)\b(?:(tf32)|(fp16|float16)|(bf16|bfloat16)|(fp32|float32)|(int8)|(fp8)|(int4))\b"));

const FORMAT_NAMES: &[&str] = &["tf32", "fp16", "bf16", "fp32", "int8", "fp8", "int4"];

static OF_OUTPUT: LazyLock<Regex> = LazyLock::new(|| pattern(r"(?i)\b(?:output|generated|written)\b"));

static OF_INPUT: LazyLock<Regex> = LazyLock::new(|| pattern(r"(?i)\b(?:input tokens|prompt tokens|reading)\b"));

static OF_INFERENCE: LazyLock<Regex> = LazyLock::new(|| pattern(r"(?i)\b(?:inferences?|evaluation mode)\b"));

static OF_TRAINING: LazyLock<Regex> = LazyLock::new(|| pattern(r"(?i)\b(?:training|fine-tuning|backward)\b"));

/// Whether `timed` describes inference while the stage is training, or vice versa; a forward pass belongs to both.
pub(super) fn is_of_other_stage(timed: &str, stage: Stage) -> bool {
    let (own, other) = match stage {
        Stage::Forward => return false,
        Stage::Train | Stage::Backward => (&OF_TRAINING, &OF_INFERENCE),
        _ => (&OF_INFERENCE, &OF_TRAINING),
    };
    other.is_match(timed) && !own.is_match(timed)
}

/// Reports a stage that `timed` contradicts, and a precision that the notes contradict.
fn by_timed_and_notes(measurement: &Measurement, tell: &mut impl FnMut(Field, Field, String)) {
    let stage = measurement.stage();
    if let (Some(timed), Some(stage)) = (measurement.text(Field::Timed), stage)
        && is_of_other_stage(timed, stage)
    {
        tell(Field::Stage, Field::Timed, format!("`stage` is {stage}, timed was {timed:?}"));
    }
    if let (Some(timed), Some(stage @ (Stage::Prefill | Stage::Decode))) = (measurement.text(Field::Timed), stage) {
        let (own, other) = if stage == Stage::Prefill { (&OF_INPUT, &OF_OUTPUT) } else { (&OF_OUTPUT, &OF_INPUT) };
        if other.is_match(timed) && !own.is_match(timed) {
            tell(Field::Stage, Field::Timed, format!("`stage` is {stage}, timed were {timed:?}"));
        }
    }
    if let (Some(notes), Some(precision)) = (measurement.text(Field::Notes), measurement.text(Field::Precision)) {
        let said: BTreeSet<&str> = FORMATS
            .captures_iter(notes)
            .filter_map(|found| (0..FORMAT_NAMES.len()).find(|at| found.get(at + 1).is_some()))
            .map(|at| FORMAT_NAMES[at])
            .collect();
        let own = precision.strip_prefix("amp-").unwrap_or(precision);
        // Notes that mention several formats contradict the row only if its own is not among them.
        if FORMAT_NAMES.contains(&own) && !said.is_empty() && !said.contains(own) {
            let said: Vec<&str> = said.into_iter().collect();
            tell(
                Field::Precision,
                Field::Notes,
                format!("`precision` is {precision}, the notes speak of {}", or_list(&said)),
            );
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::model::Value;

    #[test]
    fn labels_count_devices() {
        let of = |text: &str| MACHINES.captures(text).map(|found| (found[1].to_owned(), found[2].to_owned()));
        assert_eq!(of("closed; Oracle; 64xBM.GPU.H200.8; bert"), Some(("64".into(), "8".into())));
        assert_eq!(of("aws_m7g.2xlarge-tflite-v22.11"), None);
        assert_eq!(&COUNT_BEHIND.captures("H100_PCIe_80GBx8_TRT").unwrap()[1], "8");
    }

    #[test]
    fn raw_names_state_versions_and_revisions() {
        let told = |fields: &[(Field, &'static str)]| {
            let fields = fields.iter().map(|(field, text)| (*field, Value::Text((*text).into()))).collect();
            let measurement = Measurement::new("x".parse().unwrap(), fields, Default::default());
            by_raw_names(&measurement, &mut HashMap::new()).into_iter().map(|(field, ..)| field).collect::<Vec<_>>()
        };
        let on = |cuda| told(&[(Field::Cuda, cuda), (Field::DeviceRaw, "2080 Ti (CUDA 10.0.130, CuDNN 7.4.2)")]);
        assert_eq!((on("9.0.176"), on("10.0")), (vec![Field::Cuda], vec![]));
        let of = |id, raw| told(&[(Field::Network, id), (Field::NetworkRaw, raw)]);
        assert_eq!(of("resnet-101-v2", "resnet_v1_101"), [Field::Network]);
        assert_eq!(of("resnet-101-v2", "resnet_v2_101"), []);
        assert_eq!(of("mobilenet-v2", "mobilenetv2_s8_v1_p4"), []);
        assert_eq!(of("yolov11n", "yolo11n_s8_v1_p4"), []);
    }

    #[test]
    fn sentences_name_the_stage_and_the_precision() {
        let told = |fields: &[(Field, &'static str)]| {
            let fields = fields.iter().map(|(field, text)| (*field, Value::Text((*text).into()))).collect();
            let mut told = Vec::new();
            let measurement = Measurement::new("x".parse().unwrap(), fields, Default::default());
            by_timed_and_notes(&measurement, &mut |field, _, _| told.push(field));
            told
        };
        let timed = |stage, timed| told(&[(Field::Stage, stage), (Field::Timed, timed)]);
        assert_eq!(timed("prefill", "output tokens, by llama-bench"), [Field::Stage]);
        assert_eq!(timed("train", "one inference"), [Field::Stage]);
        assert_eq!(timed("eval", "forward and backward"), [Field::Stage]);
        assert_eq!(timed("forward", "forward in training"), []);
        assert_eq!(timed("decode", "output tokens, behind input tokens in the cache"), []);
        let noted = |precision, notes| told(&[(Field::Precision, precision), (Field::Notes, notes)]);
        assert_eq!(noted("fp32", "PyTorch computes it in TF32 by default."), [Field::Precision]);
        assert_eq!(noted("amp-fp16", "Weights in fp32, products in fp16."), []);
        assert_eq!(noted("fp32", "Called single precision."), []);
        let counted = |field, number: &'static str, text, words: &'static str| {
            let mut told = Vec::new();
            let fields = vec![(field, Value::Text(number.into())), (text, Value::Text(words.into()))];
            let measurement = Measurement::new("x".parse().unwrap(), fields, Default::default());
            by_numbers(&measurement, &mut |field, _, _| told.push(field));
            !told.is_empty()
        };
        assert!(counted(Field::TopK, "1", Field::Notes, "Accuracy: top 5."));
        assert!(counted(Field::InputShape, "3x608x608", Field::NetworkRaw, "dk_yolov3_voc_416_416_65.42G"));
        assert!(!counted(Field::InputShape, "3x512x512", Field::NetworkRaw, "ppseg_lite_1024x512"));
        assert!(!counted(Field::BatchSize, "64", Field::Timed, "one batch of 64, or of 1 at the end"));
    }
}
