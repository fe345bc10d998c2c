//! A row that its own words contradict.

use std::collections::{BTreeSet, HashMap};
use std::path::Path;
use std::sync::LazyLock;

use regex::Regex;

use crate::contribute::rule_interface::{Check, Findings, IndexedRow, LintContext, Rule, Sample};
use crate::model::{Code, Field, Measurement, Severity};
use crate::values::{Precision, Stage};

pub(in crate::contribute) const RULE: Rule = Rule {
    code: Code::new(310),
    title: "a row that its own words contradict",
    severity: Severity::Error,
    page: "What the source wrote stands beside the fields: \"8x V100\" is neither 3 devices nor an unstated number, a file `benchmark-train-fp16` holds no inference in fp32, 4-bit weights are not fp32, one forward and one backward pass are no inference, `bert-99.9` asks for 0.999 of the reference's accuracy. Numbers in brackets are those of the machine (\"DGX-1 (8x V100)\"), of which a run uses a part or a multiple.",
    sample: Sample::edited(
        "measurements/imagined-2018/inference.toml",
        r#"device-raw = "Acme Nova 100 16GB""#,
        "device-raw = \"4x Acme Nova 100 16GB\"\ndevice-count = 3",
    ),
    check: Check::Rows(find),
};

fn find(context: &LintContext<'_>, found: &mut Findings) {
    let mut read = ReadTexts::default();
    for (at, row) in context.loaded.rows.iter().enumerate() {
        let row = IndexedRow { at, row };
        counted(&row, &mut read, found);
        precise(&row, &mut read, found);
        staged(&row, &mut read, found);
        targeted(row.get(), &row, found);
    }
}

fn pattern(text: &str) -> Regex {
    Regex::new(text).expect("the pattern is tested")
}

/// `8x V100`, `2 x 7900 XTX`, `16 * 8 * V100`: machines, and devices of each.
static LEADING_COUNT: LazyLock<Regex> =
    LazyLock::new(|| pattern(r"^\s*(\d{1,4})\s?[x*×]\s?(?:(\d{1,3})\s?[x*×]\s?)?[A-Za-z0-9]"));
/// `7900 XTX x 2`, with nothing in brackets that could be counted instead.
static TRAILING_COUNT: LazyLock<Regex> = LazyLock::new(|| pattern(r"^[^(:]*[A-Za-z0-9] ?[x*×] ?(\d{1,2})$"));
/// `1 K80 / 61 GB`.
static COUNT_BEFORE_NAME: LazyLock<Regex> =
    LazyLock::new(|| pattern(r"^\s*(\d{1,2}) ([A-Za-z][A-Za-z0-9-]*)(?:$|[\s,/(])"));
/// `Dell 8x H100 80GB SXM5`, `Lambda Cloud - 4x GTX 1080 Ti`; before brackets.
static COUNT_BEHIND_MAKER: LazyLock<Regex> =
    LazyLock::new(|| pattern(r"^[A-Za-z][^(]*?\s(\d{1,2})\s?[x×]\s?[A-Z][A-Za-z]*[ -]?[A-Za-z]*\d"));
/// What stands behind a number and is no device.
const UNITS: &[&str] = &[
    "gb", "gib", "mb", "tb", "cpu", "cpus", "core", "cores", "vcpu", "vcpus", "thread", "threads", "bit", "w", "nm",
    "node", "nodes", "x", "way", "series", "socket", "sockets", "ghz", "mhz",
];
/// `DGX-1 (8x V100 16GB)`.
static COUNT_IN_BRACKETS: LazyLock<Regex> = LazyLock::new(|| pattern(r"\((\d{1,3})\s?[x*×]\s?[A-Za-z]"));

fn counted<'l>(row: &IndexedRow<'l>, read: &mut ReadTexts<'l>, found: &mut Findings) {
    let measurement = row.row.get();
    let Some(raw) = measurement.text(Field::DeviceRaw) else { return };
    let in_brackets = |raw: &str| COUNT_IN_BRACKETS.captures(raw).and_then(|found| found[1].parse::<i64>().ok());
    let counts = *read.counts.entry(raw).or_insert_with(|| (count_of(raw), in_brackets(raw)));
    let Some(count) = measurement.count(Field::DeviceCount) else {
        if let (Some(said), None) = counts
            && said > 1
        {
            let message = format!("the source's {raw:?} has {said} devices, the row states no count");
            found
                .in_row(row, Field::DeviceRaw.key(), message, "how many were used?")
                .help(format!("{} = {said}", Field::DeviceCount.key()));
        }
        return;
    };
    let wrong = match counts {
        // So many machines with so many devices each, or a part of them.
        (Some(machines), Some(each)) => (machines * each % count != 0).then_some(machines * each),
        (Some(said), None) => (said != count).then_some(said),
        (None, Some(said)) => (said > 0 && count % said != 0 && said % count != 0).then_some(said),
        _ => None,
    };
    if let Some(said) = wrong {
        let message = format!("the source's {raw:?} has {said} devices, the row {count}");
        found
            .in_row(row, Field::DeviceCount.key(), message, "another count than its spelling's")
            .beside([Field::DeviceRaw.key().into()], "the spelling");
    }
}

/// How many devices a spelling counts, outside brackets.
fn count_of(raw: &str) -> Option<i64> {
    if let Some(found) = LEADING_COUNT.captures(raw) {
        let each = found.get(2).and_then(|each| each.as_str().parse::<i64>().ok()).unwrap_or(1);
        return found[1].parse::<i64>().ok().map(|machines| machines * each);
    }
    let named = COUNT_BEFORE_NAME.captures(raw).filter(|found| !UNITS.contains(&found[2].to_lowercase().as_str()));
    named.or_else(|| TRAILING_COUNT.captures(raw)).or_else(|| COUNT_BEHIND_MAKER.captures(raw))?[1].parse().ok()
}

static FORMAT: LazyLock<Regex> = LazyLock::new(|| {
    pattern(r"(?i)(?:^|[^a-z0-9])(fp8|fp16|fp32|int8|int4|bf16|tf32|half|float16|float32|bfloat16|amp)(?:$|[^a-z0-9])")
});

/// Words of a file's name that elsewhere may mean something else.
static IN_STEM: LazyLock<Regex> = LazyLock::new(|| pattern(r"(?i)(?:^|[^a-z0-9])(float|double)(?:$|[^a-z0-9])"));

fn precise<'l>(row: &IndexedRow<'l>, read: &mut ReadTexts<'l>, found: &mut Findings) {
    let measurement = row.row.get();
    let Some(precision) = measurement.precision() else { return };
    if let Some(recipe) = measurement.text(Field::Quantization) {
        let bits = [("4-bit", 4), ("8-bit", 8), ("int4", 4), ("int8", 8)];
        let said = bits.iter().find(|(text, _)| recipe.to_lowercase().contains(text)).map(|(_, bits)| *bits);
        let own = bits_of(precision);
        if said.is_some_and(|said| own > said * 2) {
            let message = format!("weights of {recipe:?} are not computed in {precision}");
            found.in_row(row, Field::Precision.key(), message, "contradicts the quantisation");
        }
    }
    let raw = [Field::NetworkRaw, Field::DeviceRaw, Field::FrameworkRaw].map(|field| measurement.text(field));
    let mut said: BTreeSet<String> = read.stem(row).formats.clone();
    for text in raw.into_iter().flatten() {
        said.extend(read.formats.entry(text).or_insert_with(|| formats_in(text)).iter().cloned());
    }
    if !said.is_empty() && !said.iter().any(|said| is_said(said, precision)) {
        let said: Vec<&str> = said.iter().map(String::as_str).collect();
        let message = format!("the source says {}, the row {precision}", said.join(" and "));
        found.in_row(row, Field::Precision.key(), message, "another format than in its words");
    }
}

fn formats_in(text: &str) -> BTreeSet<String> {
    FORMAT.captures_iter(text).map(|found| found[1].to_lowercase()).collect()
}

/// What texts say that many rows share: each is read once.
#[derive(Default)]
struct ReadTexts<'l> {
    formats: HashMap<&'l str, BTreeSet<String>>,
    counts: HashMap<&'l str, Counts>,
    stems: HashMap<&'l Path, Stem>,
}

/// How many devices a spelling counts, outside brackets and in them.
type Counts = (Option<i64>, Option<i64>);

/// What the name of a file says.
#[derive(Clone)]
struct Stem {
    name: String,
    formats: BTreeSet<String>,
    train: bool,
    infer: bool,
}

impl<'l> ReadTexts<'l> {
    fn stem(&mut self, row: &IndexedRow<'l>) -> &Stem {
        let path = row.row.file().path.as_path();
        self.stems.entry(path).or_insert_with(|| {
            let name = path.file_stem().map(|stem| stem.to_string_lossy().into_owned()).unwrap_or_default();
            let mut formats = formats_in(&name);
            formats.extend(IN_STEM.captures_iter(&name).map(|found| found[1].to_lowercase()));
            Stem { formats, train: IN_TRAINING.is_match(&name), infer: IN_INFERENCE.is_match(&name), name }
        })
    }
}

/// Bits of the numbers that a recipe multiplies.
fn bits_of(precision: Precision) -> u32 {
    (crate::model::physics::bytes_of(precision) * 8.0) as u32
}

fn is_said(word: &str, precision: Precision) -> bool {
    let own = precision.to_string();
    let word = match word {
        "half" | "float16" => "fp16",
        "float32" | "float" => "fp32",
        "double" => "fp64",
        "bfloat16" => "bf16",
        other => other,
    };
    // A format may stand for its recipe, and quantised weights are computed with in a longer one.
    own == word
        || own.strip_prefix("amp-") == Some(word)
        || word == "amp" && own.starts_with("amp")
        || bits_of(precision) <= 4
}

static IN_TRAINING: LazyLock<Regex> = LazyLock::new(|| pattern(r"(?i)(?:^|[^a-z])train(?:ing)?(?:$|[^a-z])"));
static IN_INFERENCE: LazyLock<Regex> = LazyLock::new(|| pattern(r"(?i)(?:^|[^a-z])infer(?:ence)?(?:$|[^a-z])"));

fn staged<'l>(row: &IndexedRow<'l>, read: &mut ReadTexts<'l>, found: &mut Findings) {
    let measurement = row.row.get();
    let Some(stage) = measurement.stage() else { return };
    let Stem { name: stem, train, infer, .. } = read.stem(row);
    let (train, infer) = (*train, *infer);
    let is_training = matches!(stage, Stage::Train | Stage::Forward | Stage::Backward);
    if train && !infer && !is_training || infer && !train && is_training {
        let message = format!("the file `{stem}` holds a row of `{stage}`");
        found.in_row(row, Field::Stage.key(), message, "another stage than the file's name says");
        return;
    }
    let timed = measurement.text(Field::Timed).map(str::to_lowercase).unwrap_or_default();
    if IN_TRAINING.is_match(&timed) && !IN_INFERENCE.is_match(&timed) && !is_training {
        let message = format!("a training was timed, the row says `{stage}`");
        found
            .in_row(row, Field::Stage.key(), message, "contradicts what was timed")
            .beside([Field::Timed.key().into()], "what was timed");
        return;
    }
    let backward = timed.contains("backward") && !timed.contains("no backward") && !timed.contains("without");
    if backward && !matches!(stage, Stage::Train | Stage::Backward) {
        let message = format!("a backward pass was timed, the row says `{stage}`");
        found
            .in_row(row, Field::Stage.key(), message, "contradicts what was timed")
            .beside([Field::Timed.key().into()], "what was timed");
    }
}

/// `bert-99.9`.
static TARGET: LazyLock<Regex> = LazyLock::new(|| pattern(r"-(99(?:\.9)?)$"));

fn targeted(measurement: &Measurement, row: &IndexedRow<'_>, found: &mut Findings) {
    let Some(target) = measurement.number(Field::RelativeAccuracyTarget) else { return };
    let raw = measurement.text(Field::NetworkRaw).unwrap_or_default();
    let Some(said) = TARGET.captures(raw).and_then(|found| found[1].parse::<f64>().ok()) else { return };
    if (target.value() * 100.0 - said).abs() > 0.05 {
        let message = format!("{raw:?} asks for {said} % of the reference's accuracy, the row for {target}");
        found.in_row(row, Field::RelativeAccuracyTarget.key(), message, "another target than its name's");
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn spellings_count_their_devices() {
        for (raw, count) in [
            ("8x V100", Some(8)),
            ("2x 7900 XTX", Some(2)),
            ("16 * 8 * Tesla-V100", Some(128)),
            ("7900 XTX x 2", Some(2)),
            ("1 K80 / 61 GB / 4 CPU (Amazon EC2 [p2.xlarge])", Some(1)),
            ("60 GB / 16 CPU (Google Cloud)", None),
            ("3070 8GB", None),
            ("Jetson TX2 (Cortex-A57 2.0Ghz x 4)", None),
            ("16 p3.16xlarge (AWS)", None),
            ("V100*1", Some(1)),
            ("Dell 8x H100 80GB SXM5", Some(8)),
            ("Lambda GPU Cloud - 4x GTX 1080 Ti", Some(4)),
            ("Snapdragon 8 Gen 2 (Kyro 3.20 GHz + 2.8 GHz x 2 + 2.00 GHz * 3)", None),
            ("Alibaba Cloud [ecs.gn6i-c8g1.2xlarge]", None),
        ] {
            assert_eq!(count_of(raw), count, "{raw}");
        }
    }
}
