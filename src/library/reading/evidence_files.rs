//! The files of evidence definitions, of claims and of suites.

use strum::VariantArray as _;

use super::findings::ValueKind;
use super::strict::{StrictTable, unknown_word};
use crate::model::{
    CitedFigure, Claim, ContextDefinition, ContradictionDefinition, Derived, EvidenceDefinition, EvidenceKind, Fact,
    Field, Metric, Suite, SuitePart, measure_called,
};
use crate::values::{EntityId, EntityKind};

/// The content of `catalog/evidence.toml`.
#[derive(Debug, Clone)]
pub(super) struct EvidenceFile {
    /// The operational definitions of metrics.
    pub definitions: Vec<EvidenceDefinition>,
    /// When two measurers of the same configuration contradict each other.
    pub contradiction: Option<ContradictionDefinition>,
}

/// Reads the operational definitions: `[[definition]]`s and a `[contradiction]`.
pub(super) fn definitions(mut t: StrictTable<'_, '_>) -> EvidenceFile {
    let definitions = t.each("definition", definition);
    let contradiction = t.one("contradiction", contradiction).flatten();
    t.exceptions();
    t.citations();
    t.text("notes");
    t.finish();
    EvidenceFile { definitions, contradiction }
}

/// Reads the claims: `[[claim]]`s.
pub(super) fn claims(mut t: StrictTable<'_, '_>) -> Vec<Claim> {
    let read = t.each("claim", claim);
    t.exceptions();
    t.text("notes");
    t.finish();
    read
}

fn definition(mut t: StrictTable<'_, '_>) -> Option<EvidenceDefinition> {
    for key in ["metric", "grades", "speaks"] {
        t.require(key);
    }
    let (metric, grades, speaks) = (t.parsed("metric"), t.word("grades"), t.word("speaks"));
    let needed: &[&'static str] = match speaks {
        Some(EvidenceKind::MatchedRows | EvidenceKind::Scaling) => {
            &["measures", "high-grade", "least-units", "least-measurers", "alike-within"]
        }
        Some(EvidenceKind::Lag) => &["high-grade", "least-units", "least-measurers", "alike-within"],
        Some(EvidenceKind::Coverage) => &["counts", "high-grade", "least-units", "least-measurers", "alike-within"],
        Some(EvidenceKind::Fact) => &["fact"],
        Some(EvidenceKind::Nothing) | None => &[],
    };
    for key in needed {
        t.require(key);
    }
    let measures = known(
        &mut t,
        "measures",
        |key| measure_called(key).is_some(),
        || {
            let derived = Derived::VARIANTS.iter().map(|derived| derived.key());
            Metric::VARIANTS.iter().map(|metric| metric.key()).chain(derived).collect()
        },
    );
    let differ = fields(&mut t, "differ");
    let (only, counts, fact) = (t.text("only"), t.word("counts"), t.word::<Fact>("fact"));
    let (high_grade, alike_within) = (t.word("high-grade"), t.decimal("alike-within"));
    let (least_units, least_measurers) = (t.count("least-units"), t.count("least-measurers"));
    let least_devices = t.count("least-devices");
    let place = t.text("place");
    let (formula, not_captured) = (t.required_text("formula"), t.required_text("not-captured"));
    // Reads every key before the first early return, because the schema is generated from the keys that are read.
    t.finish();
    Some(EvidenceDefinition {
        metric: metric?,
        grades: grades?,
        speaks: speaks?,
        measures,
        differ,
        only,
        counts,
        fact: fact.map(|fact| fact.key().to_owned()),
        high_grade,
        least_units,
        least_measurers,
        least_devices,
        alike_within,
        place,
        formula: formula?,
        not_captured: not_captured?,
    })
}

fn contradiction(mut t: StrictTable<'_, '_>) -> Option<ContradictionDefinition> {
    for key in ["metrics", "context", "level", "least-pairs", "least-measurers"] {
        t.require(key);
    }
    let read = |key: &str| key.parse::<Metric>().is_ok();
    let metrics = known(&mut t, "metrics", read, || Metric::VARIANTS.iter().map(|metric| metric.key()).collect());
    let (differ, unstated) = (fields(&mut t, "differ"), fields(&mut t, "unstated"));
    let contexts = t.each("context", |mut t| {
        t.require("fields");
        let (name, fields) = (t.required_text("name"), fields(&mut t, "fields"));
        t.finish();
        Some(ContextDefinition { name: name?, fields })
    });
    let only = t.text("only");
    let (level, least_pairs, least_measurers) =
        (t.decimal("level"), t.count("least-pairs"), t.count("least-measurers"));
    let (formula, not_captured) = (t.required_text("formula"), t.required_text("not-captured"));
    t.finish();
    Some(ContradictionDefinition {
        metrics,
        differ,
        unstated,
        contexts,
        level: level?,
        least_pairs: least_pairs?,
        least_measurers: least_measurers?,
        only,
        formula: formula?,
        not_captured: not_captured?,
    })
}

/// Reads a list of field keys.
fn fields(t: &mut StrictTable<'_, '_>, key: &'static str) -> Vec<String> {
    let all = || Field::of_files().map(Field::key).collect();
    known(t, key, |key| key.parse::<Field>().is_ok(), all)
}

/// Reads a list of words from a vocabulary that is not a single enum.
fn known(
    t: &mut StrictTable<'_, '_>,
    key: &'static str,
    is_known: impl Fn(&str) -> bool,
    all: impl Fn() -> Vec<&'static str>,
) -> Vec<String> {
    t.note(key, ValueKind::Words(all()));
    let mut read = Vec::new();
    for (text, span) in t.spanned_texts(key) {
        if is_known(text) {
            read.push(text.to_owned());
        } else {
            let file = t.file();
            t.findings().report(unknown_word(file, span, key, text, &all()));
        }
    }
    read
}

fn claim(mut t: StrictTable<'_, '_>) -> Option<Claim> {
    for key in ["id", "text", "source", "year"] {
        t.require(key);
    }
    let (subject, device) = (t.text("subject"), t.id("device", EntityKind::Device));
    let cited = t.one("cited", cited).flatten();
    // A claim compares two sides, or is about a device's fact, or about a figure in another work.
    let needed: &[&'static str] = match (&subject, &device, &cited) {
        (Some(_), ..) => &["baseline", "by", "low"],
        (None, Some(_), _) => &["fact", "low"],
        (None, None, Some(_)) => &["low"],
        (None, None, None) => &["subject"],
    };
    for key in needed {
        t.require(key);
    }
    let (id, text, source) = (t.parsed("id"), t.text("text"), t.id("source", EntityKind::Source));
    let (place, year, baseline, by) = (t.text("place"), t.year("year"), t.text("baseline"), t.parsed("by"));
    let (fact, low, high) = (t.word::<Fact>("fact"), t.decimal("low"), t.decimal("high"));
    let notes = t.text("notes");
    t.finish();
    Some(Claim {
        id: id?,
        text: text?,
        source: source?,
        place,
        year: year?,
        subject,
        baseline,
        by,
        device,
        fact: fact.map(|fact| fact.key().to_owned()),
        low,
        high,
        cited,
        notes,
    })
}

fn cited(mut t: StrictTable<'_, '_>) -> Option<CitedFigure> {
    for key in ["work", "url", "low"] {
        t.require(key);
    }
    let (work, url, low, high) = (t.text("work"), t.text("url"), t.decimal("low"), t.decimal("high"));
    t.finish();
    Some(CitedFigure { work: work?, url: url?, low: low?, high })
}

/// Reads a suite; `None` if it is too broken to be one.
pub(super) fn read(id: &EntityId, mut t: StrictTable<'_, '_>) -> Option<Suite> {
    let name = t.required_text("name");
    let description = t.text("description");
    let protocol = t.word("protocol");
    let time_limit_s = t.decimal("time-limit-s").map(|limit| limit.value());
    let precision_goal = t.decimal("precision-goal").map(|goal| goal.value());
    let processes = t.count("processes").and_then(|count| u32::try_from(count).ok());
    let workers = t.texts("workers");
    t.require("part");
    if let Some(value) = t.value("part")
        && value.get_ref().as_array().is_some_and(|parts| parts.is_empty())
    {
        t.expected::<()>("part", value, "a list of at least one [[part]]");
    }
    let parts = t.each("part", |part| Some(self::part(part)));
    t.finish();
    let (id, name) = (id.clone(), name?);
    Some(Suite { id, name, description, protocol, time_limit_s, precision_goal, processes, workers, parts })
}

fn part(mut t: StrictTable<'_, '_>) -> SuitePart {
    for key in ["networks", "stages", "precisions", "batch-sizes"] {
        t.require(key);
        if let Some(value) = t.value(key)
            && value.get_ref().as_array().is_some_and(|items| items.is_empty())
        {
            t.expected::<()>(key, value, "a list of at least one");
        }
    }
    let part = SuitePart {
        networks: t.ids("networks", EntityKind::Network),
        stages: t.words("stages"),
        precisions: t.words("precisions"),
        batch_sizes: t.counts("batch-sizes", 1).into_iter().filter_map(|size| u32::try_from(size).ok()).collect(),
        input_shape: t.parsed("input-shape"),
        dataset: t.id("dataset", EntityKind::Dataset),
    };
    t.finish();
    part
}
