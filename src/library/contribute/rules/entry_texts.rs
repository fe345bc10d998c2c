//! Finds sentences in an entry that its own facts, or the rows of its source, contradict.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::LazyLock;

use regex::{Captures, Regex};

use crate::contribute::rule_interface::{Check, Findings, LintContext, Rule, Sample};
use crate::model::{Code, Field, Measurement, Severity, Source, Suite};
use crate::reading::{FileKind, Located, Step};
use crate::values::EntityKind;
use crate::values::text::normalise;

pub(in crate::contribute) const RULE: Rule = Rule {
    code: Code::new(228),
    title: "a sentence that the data contradict",
    severity: Severity::Warning,
    page: "Notes and descriptions repeat what the data state, and one of the two is wrong where they differ. A data set of 10 classes with \"6,000 of each class\" has 60,000 samples, for training, for the test or in both. A suite described with \"three networks\" and \"batches of 16\" has these. A source with \"all 116 figures\" has 116 rows; one that measured \"on 8 to 512 H100\" has rows with 8 and with 512 devices and none with more; a batch and a shape in its sentences are those of some row. A licence is one that the notes name, if they name any, and a clock one of theirs (\"at 2.6 GHz\"). Correct the sentence, or look for the row that was lost or has another number.",
    sample: Sample::edited(
        "catalog/datasets/tiny-pictures.toml",
        "train-size = 1000",
        "train-size = 1000\nnotes = \"60 pictures of each class.\"",
    ),
    check: Check::Catalog(find),
};

fn find(context: &LintContext<'_>, found: &mut Findings) {
    datasets(context, found);
    suites(context, found);
    licenses(context, found);
    clocks(context, found);
    // If only a part of the rows is loaded, missing rows prove nothing.
    if context.options.whole {
        sources(context, found);
    }
}

fn pattern(text: &str) -> Regex {
    Regex::new(text).expect("the pattern is tested")
}

/// The whole number in a capture group: `6,000`.
fn number(captures: &Captures<'_>, group: usize) -> Option<i64> {
    captures.get(group)?.as_str().replace(',', "").parse().ok()
}

/// Matches `6,000 of each class` and `750 training images of each class`.
static OF_EACH_CLASS: LazyLock<Regex> = LazyLock::new(|| pattern(r"(\d[\d,]*)(?: [a-z]+){0,2} of each class\b"));

fn datasets(context: &LintContext<'_>, found: &mut Findings) {
    for (id, dataset) in &context.loaded.catalog.datasets {
        let (Some(notes), Some(classes)) = (&dataset.notes, dataset.classes) else { continue };
        let Some(of_each) = OF_EACH_CLASS.captures(notes).and_then(|captures| number(&captures, 1)) else { continue };
        let sizes: Vec<i64> = dataset.train_size.iter().chain(&dataset.test_size).copied().collect();
        let fits = |samples: i64| sizes.contains(&samples) || sizes.iter().sum::<i64>() == samples;
        let Some(samples) = of_each.checked_mul(classes).filter(|samples| !sizes.is_empty() && !fits(*samples)) else {
            continue;
        };
        let Some(place) = context.place(EntityKind::Dataset, id.as_str()) else { continue };
        let stated = sizes.iter().map(ToString::to_string).collect::<Vec<_>>().join(" + ");
        let message =
            format!("`{id}` has {stated} samples; its notes have {of_each} of each of {classes} classes, {samples}");
        let keys = [("test-size", dataset.test_size), ("train-size", dataset.train_size)];
        let mut keys = keys.into_iter().filter(|(_, size)| size.is_some()).map(|(key, _)| key);
        let finding = found.at(place, keys.next().map(Step::from), message, "contradicts the notes").of(id);
        finding.beside(["classes".into()], "or this").beside(["notes".into()], "the notes");
        for key in keys {
            finding.beside([key.into()], "or this");
        }
    }
}

/// The licence families that notes may mention.
static LICENSES: LazyLock<Regex> =
    LazyLock::new(|| pattern(r"(?i)\b(apache|mit|bsd|mpl|mozilla|lgpl|agpl|gpl|boost|unlicense|zlib)\b"));

static LICENSE_IDS: LazyLock<Regex> =
    LazyLock::new(|| pattern(r"\b(?:Apache-2\.0|BSD-[234]-Clause|MPL-2\.0|[AL]?GPL-[23]\.0)\b"));

/// Reports a licence that the notes do not mention although they mention others.
fn licenses(context: &LintContext<'_>, found: &mut Findings) {
    for (id, framework) in &context.loaded.catalog.frameworks {
        let (Some(notes), Some(license)) = (&framework.notes, &framework.license) else { continue };
        let own = license.to_string();
        let named: BTreeSet<String> = LICENSES.find_iter(notes).map(|name| name.as_str().to_lowercase()).collect();
        let mut families = LICENSES.find_iter(&own).peekable();
        let is_other = families.peek().is_some() && families.all(|name| !named.contains(&name.as_str().to_lowercase()));
        // `BSD-3-Clause` is more specific than its family.
        let ids: Vec<&str> = LICENSE_IDS.find_iter(notes).map(|id| id.as_str()).collect();
        let is_other_id = !ids.is_empty() && !ids.iter().any(|id| own.contains(id));
        if named.is_empty() || !(is_other || is_other_id) {
            continue;
        }
        let Some(place) = context.place(EntityKind::Framework, id.as_str()) else { continue };
        let message = format!("`{id}` has the license {own}, and its notes name only others");
        let finding = found.at(place, ["license".into()], message, "contradicts the notes").of(id);
        finding.beside(["notes".into()], "the notes");
    }
}

/// Matches the clock in `Six cores at 2.6 GHz`.
static CLOCK: LazyLock<Regex> = LazyLock::new(|| pattern(r"\bat (\d+(?:\.\d+)?) GHz"));

/// Relative tolerance between a stated clock and the clock in the notes.
const SAME_CLOCK: f64 = 0.03;

/// Reports a clock that differs from the one in the notes.
fn clocks(context: &LintContext<'_>, found: &mut Findings) {
    for (id, device) in &context.loaded.catalog.devices {
        let own = [("base-clock-mhz", device.base_clock_mhz), ("boost-clock-mhz", device.boost_clock_mhz)];
        let own: Vec<(&str, f64)> = own.into_iter().filter_map(|(key, clock)| Some((key, clock?.value()))).collect();
        let notes = device.notes.as_deref().unwrap_or_default();
        let said: Vec<f64> =
            CLOCK.captures_iter(notes).filter_map(|said| Some(said[1].parse::<f64>().ok()? * 1e3)).collect();
        let is_said = |(_, own): &(&str, f64)| said.iter().any(|said| (said - own).abs() <= own * SAME_CLOCK);
        let Some((key, clock)) = own.first().filter(|_| !said.is_empty() && !own.iter().any(is_said)) else { continue };
        let Some(place) = context.place(EntityKind::Device, id.as_str()) else { continue };
        let message = format!("`{id}` has a clock of {clock} MHz, its notes {} MHz", said[0]);
        let finding = found.at(place, [Step::from(*key)], message, "contradicts the notes").of(id);
        finding.beside(["notes".into()], "the notes");
    }
}

/// Matches `batches of 16`, `batch 1 and 8` and `batches of 1 to 256`.
static BATCHES: LazyLock<Regex> = LazyLock::new(|| {
    pattern(r"(?i)(?:^|[^-\w])batch(?:es)?(?: sizes?)?(?: of)? (\d[\d,]*\d|\d)\b(?: (?:to|and|or) (\d[\d,]*\d|\d)\b)?")
});

/// Matches `Three image networks`.
static NETWORKS: LazyLock<Regex> = LazyLock::new(|| pattern(r"(?i)\b([a-z]+)(?: [a-z]+)? networks\b"));

const NUMBER_WORDS: &[&str] =
    &["one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten", "eleven", "twelve"];

/// The batch sizes mentioned in a text.
fn batches(text: &str) -> Vec<i64> {
    let all = BATCHES.captures_iter(text).flat_map(|captures| [number(&captures, 1), number(&captures, 2)]);
    all.flatten().collect()
}

/// The number in the first mention of "networks" in a text.
fn networks(text: &str) -> Option<usize> {
    let word = NETWORKS.captures(text)?[1].to_lowercase();
    NUMBER_WORDS.iter().position(|other| *other == word).map(|at| at + 1)
}

fn suites(context: &LintContext<'_>, found: &mut Findings) {
    for suite in &context.loaded.suites {
        let Some(description) = &suite.description else { continue };
        let is_own = |kind: &FileKind| matches!(kind, FileKind::Suite(id) if *id == suite.id);
        let Some((_, file)) = context.loaded.files.iter().find(|(file, _)| is_own(&file.kind)) else { continue };
        for (steps, message) in of_suite(suite, description) {
            let place = Located::new((), file, 0..0);
            let finding = found.at(&place, steps, message, "contradicts the description").of(&suite.id);
            finding.beside(["description".into()], "the description");
        }
    }
}

/// Contradictions between a suite and its description.
fn of_suite(suite: &Suite, description: &str) -> Vec<(Vec<Step>, String)> {
    let mut told = Vec::new();
    let stated: BTreeSet<i64> = suite.parts.iter().flat_map(|part| &part.batch_sizes).map(|n| i64::from(*n)).collect();
    for batch in batches(description).into_iter().filter(|batch| !stated.contains(batch)) {
        let message = format!("`{}` is described with a batch of {batch}, which no part has", suite.id);
        told.push((vec!["part".into(), 0.into(), "batch-sizes".into()], message));
    }
    let all: BTreeSet<&str> =
        suite.parts.iter().flat_map(|part| &part.networks).map(|network| network.as_str()).collect();
    if let Some(counted) = networks(description).filter(|counted| *counted != all.len()) {
        let message = format!("`{}` is described with {counted} networks and has {}", suite.id, all.len());
        told.push((vec!["part".into(), 0.into(), "networks".into()], message));
    }
    told
}

/// Matches `All 116 figures` and `152 rows, taken from`.
static ROWS: LazyLock<Regex> = LazyLock::new(|| {
    pattern(
        r"\bAll (\d[\d,]*) (?:figures|rows|results|numbers|measurements)\b|(?:^|[.;] )(\d[\d,]*) (?:figures|rows|results),? taken from\b",
    )
});

/// Matches `8 to 512 H100`, `4 and 16 TPU v6e` and `1 to 64 GPUs`.
static DEVICES: LazyLock<Regex> = LazyLock::new(|| {
    pattern(
        r"\b(\d[\d,]*) (to|and) (\d[\d,]*) (GPUs|chips|devices|(?:TPU )?[A-Za-z]{1,3}\d\w*(?: and [A-Z]\d+\w*)?)(?:[ .,;:)]|$)",
    )
});

static SHAPE: LazyLock<Regex> = LazyLock::new(|| pattern(r"\b3x\d{2,4}x\d{2,4}\b"));

fn sources(context: &LintContext<'_>, found: &mut Findings) {
    let mut rows: BTreeMap<&str, Vec<&Measurement>> = BTreeMap::new();
    for row in &context.loaded.rows {
        rows.entry(row.get().source().as_str()).or_default().push(row.get());
    }
    for (id, source) in &context.loaded.catalog.sources {
        let (Some(rows), Some(place)) = (rows.get(id.as_str()), context.place(EntityKind::Source, id.as_str())) else {
            continue;
        };
        for (steps, text) in texts(source) {
            for Contradicted { phrase, message } in of_source(text, rows) {
                let message = format!("`{id}` has {phrase:?}, and {message}");
                let file = place.file();
                // Point at the phrase itself, unless a line break splits it.
                let finding = match file.text.find(phrase) {
                    Some(at) => found.in_text(file, at..at + phrase.len(), message, OF_ROWS),
                    None => found.at(place, steps.clone(), message, OF_ROWS),
                };
                finding.of(id);
            }
        }
    }
}

const OF_ROWS: &str = "contradicts the rows of the source";

/// A phrase of a text, and the message about what contradicts it.
struct Contradicted<'t> {
    phrase: &'t str,
    message: String,
}

/// The matched text, without surrounding punctuation.
fn phrase<'t>(captures: &Captures<'t>) -> &'t str {
    captures.get(0).map_or("", |all| all.as_str()).trim_matches(|c: char| !c.is_alphanumeric())
}

fn texts(source: &Source) -> Vec<(Vec<Step>, &str)> {
    let method = source.method.as_ref();
    let texts = [
        (vec!["notes".into()], source.notes.as_deref()),
        (vec!["method".into(), "description".into()], method.and_then(|method| method.description.as_deref())),
        (vec!["method".into(), "timed".into()], method.and_then(|method| method.timed.as_deref())),
    ];
    texts.into_iter().filter_map(|(steps, text)| Some((steps, text?))).collect()
}

/// Contradictions between a text of a source's entry and the rows of the source.
fn of_source<'t>(text: &'t str, rows: &[&Measurement]) -> Vec<Contradicted<'t>> {
    let mut told = Vec::new();
    if let Some(captures) = ROWS.captures(text)
        && let Some(counted) = number(&captures, 1).or_else(|| number(&captures, 2))
        && usize::try_from(counted) != Ok(rows.len())
    {
        let message = format!("there are {} rows", rows.len());
        told.push(Contradicted { phrase: phrase(&captures), message });
    }
    for captures in DEVICES.captures_iter(text) {
        let message = of_range(&captures, rows);
        told.extend(message.map(|message| Contradicted { phrase: phrase(&captures), message }));
    }
    let stated = |field: Field| -> BTreeSet<i64> { rows.iter().filter_map(|row| row.count(field)).collect() };
    let all: BTreeSet<i64> = [Field::BatchSize, Field::BatchSizeGlobal].into_iter().flat_map(stated).collect();
    for captures in BATCHES.captures_iter(text).filter(|_| !all.is_empty()) {
        let numbers = [number(&captures, 1), number(&captures, 2)];
        if let Some(batch) = numbers.into_iter().flatten().find(|batch| !all.contains(batch)) {
            let message = format!("no row has a batch of {batch}");
            told.push(Contradicted { phrase: phrase(&captures), message });
        }
    }
    let shapes: BTreeSet<&str> = rows.iter().filter_map(|row| row.text(Field::InputShape)).collect();
    for shape in SHAPE.find_iter(text).map(|shape| shape.as_str()) {
        if !shapes.is_empty() && !shapes.contains(shape) {
            told.push(Contradicted { phrase: shape, message: "no row has this input".to_owned() });
        }
    }
    told
}

/// A message if the rows do not have the device counts that a text mentions.
fn of_range(captures: &Captures<'_>, rows: &[&Measurement]) -> Option<String> {
    let (least, most) = (number(captures, 1)?, number(captures, 3)?);
    let names: Vec<String> = captures[4].split(" and ").map(normalise).collect();
    let is_named = |row: &&&Measurement| {
        let own = [Field::Device, Field::DeviceRaw].map(|field| normalise(row.text(field).unwrap_or_default()));
        names.iter().any(|name| own.iter().any(|own| own.contains(name)))
    };
    let named: Vec<i64> = rows.iter().filter(is_named).filter_map(|row| row.count(Field::DeviceCount)).collect();
    let all = || rows.iter().filter_map(|row| row.count(Field::DeviceCount)).collect();
    let counts: Vec<i64> = if named.is_empty() { all() } else { named };
    let (fewest, largest) = (*counts.iter().min()?, *counts.iter().max()?);
    let is_right = match &captures[2] {
        "to" => (fewest, largest) == (least, most),
        _ => counts.contains(&least) && counts.contains(&most),
    };
    (!is_right).then(|| match fewest == largest {
        true => format!("its rows have {fewest}"),
        false => format!("its rows have {fewest} to {largest}"),
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::model::Value;

    #[test]
    fn sentences_name_batches_and_networks() {
        assert_eq!(batches("Three networks, batches of 16 images; batch 1 and 8."), [16, 1, 8]);
        assert_eq!(batches("Batches of 1 to 1,256"), [1, 1256]);
        assert_eq!(batches("batched by 4, a micro-batch of 8"), [0; 0]);
        assert_eq!(networks("Three image networks, inference"), Some(3));
        assert_eq!(networks("Two small networks"), Some(2));
        assert_eq!(networks("Small networks of every kind"), None);
    }

    #[test]
    fn rows_are_those_of_the_sentences() {
        let row = |devices: i64, batch: i64| {
            let fields = vec![
                (Field::Device, Value::Text("h100".into())),
                (Field::DeviceCount, Value::Count(devices)),
                (Field::BatchSize, Value::Count(batch)),
            ];
            Measurement::new("x".parse().unwrap(), fields, Default::default())
        };
        let rows = [row(8, 1), row(64, 2), row(512, 4)];
        let told = |text: &str| of_source(text, &rows.iter().collect::<Vec<_>>()).len();
        assert_eq!(told("All 3 figures: Llama on 8 to 512 H100, batches of 1 to 4."), 0);
        assert_eq!(told("All 4 figures stand in the README."), 1);
        assert_eq!(told("Llama on 8 to 128 H100 (2025)."), 1);
        assert_eq!(told("Llama on 8 and 64 H100."), 0);
        assert_eq!(told("At batch 8."), 1);
        assert_eq!(told("1 to 3 tokens; 2 rows of the table"), 0);
    }

    #[test]
    fn samples_of_each_class_are_counted() {
        let of = |text: &str| OF_EACH_CLASS.captures(text).and_then(|captures| number(&captures, 1));
        assert_eq!(of("Colour images, 6,000 of each class; a part"), Some(6000));
        assert_eq!(of("750 training images of each class, not cleaned"), Some(750));
        assert_eq!(of("50,000 more are unlabelled"), None);
    }
}
