//! Explicit filters: which key a word means, and `key:value` as a test (`device:v100`, `batch>=32`, `cuda:9`).

use std::collections::BTreeSet;
use std::ops::Range;

use indexmap::IndexSet;
use strum::VariantArray as _;

use super::error::{GrammarError, Result};
use super::grammar::{FilterPart, Sign, error};
use super::lexicon::{GRADED, is_meant, key_called};
use super::number::all_bounds;
use super::question::{Filter, Is, Key, Term, Test};
use crate::model::{Aspect, Facet, Fact, FactType, Field, FieldType, Lookup, Metric, Name, NameKind};
use crate::stores::database::DatabaseError;
use crate::values::text::{is_like, nearest, normalise, or_list};
use crate::values::{Target, Unit};

/// The lookup of names.
pub(super) type Names<'n> = dyn Lookup<Error = DatabaseError> + 'n;

/// Synonyms of keys.
const WORDS: &[(&str, &str)] = &[
    ("version", "framework-version"),
    ("params", "parameters"),
    ("parameters-m", "parameters"),
    ("macs", "multiply-adds"),
    ("multiply-adds-g", "multiply-adds"),
    ("memory-gib", "memory"),
    ("vram", "memory"),
    ("tdp-w", "tdp"),
    ("api", "api-language"),
    ("core", "core-language"),
    ("tested", "tested-network"),
    ("release-year", "released"),
    ("kernels", "kernel-library"),
    ("input", "input-shape"),
    ("shape", "input-shape"),
];

/// The grades of hardware classes, the lowest first.
pub(super) const GRADES: [&str; 4] = ["low", "moderate", "good", "high"];

/// Normalises a key: `Batch_Size` becomes `batch-size`.
pub(super) fn plain_key(key: &str) -> String {
    key.to_ascii_lowercase().replace('_', "-")
}

/// Resolves a word to the key of a filter.
///
/// # Errors
///
/// When the lookup fails.
pub(super) fn key_named(word: &str, names: &Names<'_>) -> Result<Option<Key>> {
    let plain = plain_key(word);
    if let Some(key @ (Key::Facet(_) | Key::Rows | Key::Sources | Key::Text)) = key_called(&plain) {
        return Ok(Some(key));
    }
    if let Some(number) = number_named(&plain, names)? {
        return Ok(Some(Key::Aspect(number)));
    }
    let renamed = WORDS.iter().find(|(word, _)| *word == plain).map_or(plain.as_str(), |(_, key)| key);
    Ok(key_called(renamed))
}

/// Resolves a metric or a numeric field by its key, a short spelling, or a name of the metric.
pub(super) fn number_named(plain: &str, names: &Names<'_>) -> Result<Option<Aspect>> {
    let is_number = |aspect: &Aspect| matches!(aspect, Aspect::Metric(_) | Aspect::Field(_)) && aspect.is_numeric();
    if let Some(number) = Aspect::keyed(plain).filter(is_number) {
        return Ok(Some(number));
    }
    let fields = || Field::VARIANTS.iter().copied();
    let short = fields().find(|field| is_number(&Aspect::Field(*field)) && field.spellings().contains(&plain));
    if let Some(field) = short {
        return Ok(Some(Aspect::Field(field)));
    }
    if plain.parse::<Field>().is_ok() || Fact::filter(plain).is_some() {
        return Ok(None);
    }
    let found = names.exact(&normalise(plain))?;
    let metric = found.iter().find(|name| name.facet == Facet::Metric);
    Ok(metric.and_then(|name| name.value.parse().ok()).map(Aspect::Metric))
}

/// Every key of a filter, including synonyms.
pub(super) fn known_keys() -> impl Iterator<Item = &'static str> {
    let numbers = Field::VARIANTS.iter().flat_map(|field| field.spellings().iter().copied());
    let metrics = Metric::VARIANTS.iter().flat_map(|metric| metric.spellings().iter().copied());
    let facets = Facet::VARIANTS.iter().map(|facet| facet.key());
    ["rows", "sources", "text"]
        .into_iter()
        .chain(facets)
        .chain(Metric::VARIANTS.iter().map(|metric| metric.key()))
        .chain(metrics.filter(|spelling| !spelling.contains(' ')))
        .chain(Fact::filters().map(Fact::key))
        .chain(Field::VARIANTS.iter().map(|field| field.key()))
        .chain(numbers)
        .chain(WORDS.iter().map(|(word, _)| *word))
        .chain(GRADED)
}

/// The unit in which the values of a key are compared; `None` if they are not numbers.
pub(super) fn unit_of(key: &Key) -> Option<Unit> {
    match key {
        Key::Facet(Facet::Year) | Key::Rows | Key::Sources => Some(Unit::Count),
        Key::Aspect(Aspect::Metric(metric)) => Some(metric.unit()),
        Key::Aspect(Aspect::Derived(measure)) => Some(measure.unit()),
        Key::Aspect(Aspect::Fact(fact)) => fact.unit(),
        Key::Aspect(aspect @ Aspect::Field(_)) => aspect.is_numeric().then_some(Unit::Count),
        _ => None,
    }
}

/// Converts a filter to a term; several ranges of numbers become alternatives.
///
/// # Errors
///
/// Returns a value that the key cannot have with its place and the nearest names, or an error if the lookup fails.
pub(super) fn term(key: Key, filter: &FilterPart<'_>, names: &Names<'_>) -> Result<Term> {
    let is = match (&key, filter.values.as_slice()) {
        (_, [("*", _)]) if filter.sign == Sign::Is => Is::Stated,
        (key, _) if unit_of(key).is_some() => {
            let unit = unit_of(key).unwrap_or(Unit::Count);
            let mut all = all_bounds(filter, key.key(), unit)?
                .into_iter()
                .map(|(low, high)| Test { key: key.clone(), is: Is::Within(low, high) });
            return Ok(match (all.next(), all.len()) {
                (Some(only), 0) => Term::Test(only),
                (first, _) => Term::Any(first.into_iter().chain(all).map(Filter::from).collect()),
            });
        }
        (Key::Facet(facet), _) => Is::OneOf(named_values(*facet, facet.key(), true, filter, names)?),
        (Key::Grade(_), _) => Is::OneOf(ranked("grade", &GRADES, false, filter)?),
        (Key::Aspect(Aspect::Field(field)), _) => Is::OneOf(field_values(*field, filter, names)?),
        (Key::Aspect(Aspect::Fact(fact)), _) => Is::OneOf(fact_values(*fact, filter, names)?),
        _ => {
            in_order(key.key(), filter)?;
            Is::OneOf(filter.values.iter().map(|(text, _)| (*text).to_owned()).collect())
        }
    };
    Ok(Term::Test(Test { key, is }))
}

/// What the values of a filter resolve to, without duplicates.
fn each_value(of: &FilterPart<'_>, found: impl Fn(&str, &Range<usize>) -> Result<Vec<String>>) -> Result<Vec<String>> {
    let mut values: IndexSet<String> = IndexSet::new();
    for (text, place) in &of.values {
        values.extend(found(text, place)?);
    }
    Ok(values.into_iter().collect())
}

/// Resolves values of a facet by name or pattern. An unknown value is an error if `strict`, and is otherwise left as typed.
fn named_values(of: Facet, key: &str, strict: bool, filter: &FilterPart<'_>, names: &Names<'_>) -> Result<Vec<String>> {
    in_order(key, filter)?;
    each_value(filter, |text, place| {
        let found = if text.contains('*') { like(of, text, names)? } else { called(of, text, names)? };
        match (found.is_empty(), strict) {
            (true, true) => Err(unknown(key, text, place.clone(), &near_values(of, text, names)?).into()),
            (true, false) => Ok(vec![text.to_owned()]),
            (false, _) => Ok(found),
        }
    })
}

/// Looks up the values of a facet: an exact spelling wins, else every value with this name or alias, and values of the lexicon.
pub(super) fn called(facet: Facet, text: &str, names: &Names<'_>) -> Result<Vec<String>> {
    let found: Vec<Name> = names.exact(&normalise(text))?.into_iter().filter(|name| name.facet == facet).collect();
    if found.iter().any(|name| name.value == text) {
        return Ok(vec![text.to_owned()]);
    }
    let mut values: BTreeSet<String> = found.into_iter().map(|name| name.value).collect();
    let plain = text.to_ascii_lowercase();
    match facet {
        // `gpu` names a class in most questions, so supported hardware is parsed here.
        Facet::Hardware => values.extend(plain.parse::<Target>().ok().map(|target| target.to_string())),
        Facet::MultiServer if ["yes", "true", "1"].contains(&plain.as_str()) => values.extend(["yes".to_owned()]),
        Facet::MultiServer if ["no", "false", "0"].contains(&plain.as_str()) => values.extend(["no".to_owned()]),
        _ => values.extend(is_meant(facet, text).then(|| text.to_owned())),
    }
    Ok(values.into_iter().collect())
}

/// The values of a facet that have a name matching a pattern with `*`.
fn like(facet: Facet, pattern: &str, names: &Names<'_>) -> Result<Vec<String>> {
    let normal: Vec<String> = pattern.split('*').map(normalise).collect();
    let pattern = normal.join("*");
    let found = names.beginning(&normal[0])?.into_iter();
    let found = found.filter(|name| name.facet == facet && is_like(&pattern, &name.normal));
    let values: BTreeSet<String> = found.map(|name| name.value).collect();
    Ok(values.into_iter().collect())
}

/// The values of a facet whose names are nearest to a text.
fn near_values(facet: Facet, text: &str, names: &Names<'_>) -> Result<Vec<String>> {
    let all = names.all()?;
    let all: Vec<&Name> = all.iter().filter(|name| name.facet == facet).collect();
    let mut values: Vec<String> = Vec::new();
    for normal in nearest(&normalise(text), all.iter().map(|name| name.normal.as_str()), 3) {
        values.extend(all.iter().filter(|name| name.normal == normal).map(|name| name.value.clone()));
    }
    values.dedup();
    if facet == Facet::Hardware {
        return Ok(Target::VARIANTS.iter().map(Target::to_string).collect());
    }
    if values.is_empty() && facet.entity_kind().is_none() && all.len() <= 20 {
        values.extend(all.iter().filter(|name| name.kind == NameKind::Exact).map(|name| name.value.clone()));
        values.sort();
        values.dedup();
    }
    Ok(values)
}

/// Resolves the values of a field: ids if it refers to entities, words of its list, else as typed. With a comparison operator they
/// are versions or dates: `>=7.1`. Rows are not consulted; whether any row has the value shows when the query runs.
fn field_values(field: Field, filter: &FilterPart<'_>, names: &Names<'_>) -> Result<Vec<String>> {
    if let Some(ranks) = field.ranks() {
        return Ok(ranked(field.key(), ranks, true, filter)?);
    }
    match field.kind() {
        FieldType::Entity(kind) => named_values(Facet::of_entities(kind), field.key(), true, filter, names),
        FieldType::Word(words) => {
            in_order(field.key(), filter)?;
            let one = |(text, place): &(&str, Range<usize>)| {
                let found = words.iter().find(|word| normalise(word) == normalise(text));
                let near = || Some(nearest(text, words.iter().copied(), 3)).filter(|near| !near.is_empty());
                let near = || near().map_or_else(|| owned(words), |near| owned(&near));
                match found {
                    Some(word) => Ok((*word).to_owned()),
                    None if text.contains('*') => Ok((*text).to_owned()),
                    None => Err(unknown(field.key(), text, place.clone(), &near()).into()),
                }
            };
            filter.values.iter().map(one).collect()
        }
        _ => Ok(as_typed(filter)),
    }
}

/// The values as typed, each with the comparison operator.
fn as_typed(filter: &FilterPart<'_>) -> Vec<String> {
    let sign = if filter.sign == Sign::Is { "" } else { filter.sign.typed() };
    filter.values.iter().map(|(text, _)| format!("{sign}{text}")).collect()
}

/// Resolves the values of a fact: entities by name, others as typed.
fn fact_values(fact: Fact, filter: &FilterPart<'_>, names: &Names<'_>) -> Result<Vec<String>> {
    if fact.is_version() {
        return Ok(as_typed(filter));
    }
    in_order(fact.key(), filter)?;
    let facet = match fact.value_type() {
        FactType::Entity(kind) => Some(Facet::of_entities(kind)),
        _ => fact.facet(),
    };
    match facet {
        Some(facet) => named_values(facet, fact.key(), false, filter, names),
        None => each_value(filter, |text, _| Ok(vec![text.to_owned()])),
    }
}

/// The ranks that a filter selects: one, a range in either direction, or all on one side. `best_first`: `ranks` starts at the best.
fn ranked(key: &str, ranks: &[&str], best_first: bool, filter: &FilterPart<'_>) -> Result<Vec<String>, GrammarError> {
    let place_of = |text: &str| ranks.iter().position(|rank| rank.eq_ignore_ascii_case(text.trim()));
    let last = ranks.len() - 1;
    let mut wanted: Vec<usize> = Vec::new();
    for (text, place) in &filter.values {
        let found = match (filter.sign, text.split_once("..")) {
            (Sign::Is, Some((low, high))) => {
                let end = |text: &str, open| if text.is_empty() { Some(open) } else { place_of(text) };
                end(low, 0).zip(end(high, last)).map(|(a, b)| a.min(b)..a.max(b) + 1)
            }
            (_, Some(_)) => None,
            (sign, None) => {
                let sign = if best_first { sign.mirrored() } else { sign };
                place_of(text).map(|at| sign.ranks(at, ranks.len()))
            }
        };
        let Some(found) = found.filter(|found| !found.is_empty()) else {
            return Err(unknown(key, text, place.clone(), &owned(ranks)));
        };
        wanted.extend(found.filter(|at| !wanted.contains(at)).collect::<Vec<_>>());
    }
    Ok(wanted.into_iter().map(|at| ranks[at].to_owned()).collect())
}

fn owned(words: &[&str]) -> Vec<String> {
    words.iter().map(|word| (*word).to_owned()).collect()
}

/// Rejects a comparison of values that have no order.
fn in_order(key: &str, filter: &FilterPart<'_>) -> Result<(), GrammarError> {
    match filter.sign {
        Sign::Is => Ok(()),
        _ => Err(error(filter.key_place.clone(), format!("`{key}` has no order"), format!("write {key}:…"))),
    }
}

/// Advice that names the keys nearest to a word.
pub(super) fn near_help<'k>(word: &str, known: impl Iterator<Item = &'k str>) -> Option<String> {
    did_you_mean(&nearest(&plain_key(word), known, 3))
}

/// Advice to write one of these instead.
pub(super) fn did_you_mean<S: AsRef<str>>(near: &[S]) -> Option<String> {
    let near: Vec<String> = near.iter().map(|near| format!("`{}`", near.as_ref())).collect();
    (!near.is_empty()).then(|| format!("did you mean {}?", or_list(&near)))
}

/// The error for a value that a key cannot have.
pub(super) fn unknown(key: &str, text: &str, place: Range<usize>, near: &[String]) -> GrammarError {
    let unknown = error(place, format!("no {key} is called `{text}`"), format!("unknown {key}"));
    GrammarError { help: did_you_mean(near), ..unknown }
}

/// The error for a key that does not exist.
pub(super) fn unknown_key(word: &str, place: Range<usize>, others: &[&'static str]) -> GrammarError {
    let help = near_help(word, known_keys().chain(others.iter().copied())).unwrap_or_else(|| {
        let facets: Vec<&str> = Facet::VARIANTS.iter().map(|facet| facet.key()).collect();
        format!(
            "the filters are {}, every metric (dlbench list metrics), every field of a measurement, and facts such as memory, tdp, parameters, api-language",
            facets.join(", ")
        )
    });
    GrammarError { help: Some(help), ..error(place, format!("there is no filter `{word}`"), "no such filter") }
}
