//! Whether a device computes in a precision: by the peaks that the catalog states, and by the rows that are in it; and whether a
//! framework runs on what it has no row of.

use std::collections::BTreeSet;

use crate::ask::conclude::basis::conclusion::{Conclusion, Entry, EntryValue};
use crate::ask::conclude::basis::fact_entries;
use crate::ask::conclude::basis::fact_entries::overview_entries;
use crate::ask::conclude::basis::fact_wording::{fact_name, value_in_words};
use crate::ask::conclude::basis::named::{NamedEntity, named_entities, subject_key};
use crate::ask::conclude::basis::row_counts::RowCounts;
use crate::ask::conclude::basis::search_result::SearchResult;
use crate::ask::conclude::basis::wording::{Names, three};
use crate::ask::question::{Clause, Intent, QueryError, Question};
use crate::model::{Aspect, Facet, Fact, Field, Value};
use crate::stores::Stores;
use crate::values::EntityKind;
use crate::values::text::{and_list, counted};

/// So many devices are named that rows are on.
const MOST_DEVICES: usize = 4;

/// What names several devices at once.
const OF_GROUPS: &[Facet] = &[Facet::Architecture];

/// Answers `does the T4 support int8`; `None` where another thing is asked.
///
/// # Errors
///
/// When a store fails.
pub(in crate::ask::conclude) fn conclude(
    stores: &Stores,
    question: &Question,
    found: &SearchResult<'_>,
) -> Result<Option<Conclusion>, QueryError> {
    let Some(precision) = precision_asked_for(question) else { return Ok(None) };
    let named = named_entities(stores, question)?;
    let [device] = named.as_slice() else {
        return if named.is_empty() { of_group(stores, question, found, &precision) } else { Ok(None) };
    };
    if device.kind != EntityKind::Device {
        return Ok(None);
    }
    let keys = [format!("peak-{precision}"), format!("peak-{precision}-tensor")];
    let facts: Vec<Fact> = keys.iter().filter_map(|key| Fact::filter(key)).collect();
    let mut entries = overview_entries(stores, device, &facts)?;
    let name = fact_entries::name(stores, device)?.unwrap_or_else(|| device.id.clone());
    let rows = found.hits.total;
    let peaks: Vec<String> = entries.iter().filter_map(peak_in_words).collect();
    let full = overview_entries(stores, device, &[Fact::PeakFp32])?;
    let gain = match precision == FULL {
        true => None,
        false => gain(&entries, &full),
    };
    let is_slow = gain.is_some_and(|gain| gain < 1.0);
    let beside = gain.map_or_else(String::new, |gain| format!(", {} its {FULL} peak", times(gain)));
    let answer = match question.wanted.is_quick {
        true if is_slow => "No",
        true if gain.is_none() => "Not stated",
        false if is_slow => "Yes, but slower than in fp32",
        _ => "Yes",
    };
    let text = match (peaks.is_empty(), rows) {
        (false, 0) => format!("{answer}: {name} has {}{beside}; no row is in {precision}.", and_list(&peaks)),
        (false, rows) => format!(
            "{answer}: {name} has {}{beside}; {} in {precision}.",
            and_list(&peaks),
            counted(rows, "row was measured", "rows were measured")
        ),
        (true, 0) => {
            format!("Not stated: the catalog has no {precision} peak of {name}, and no row is in {precision}.")
        }
        (true, rows) => format!(
            "Yes, by what was measured: {} of {name} in {precision}; the catalog states no such peak.",
            counted(rows, "row is", "rows are")
        ),
    };
    if rows > 0 {
        entries.push(rows_of(device, &precision, rows));
    }
    Ok(Some(Conclusion { text, entries }))
}

/// The same of the devices of an architecture, a maker or a class: how many state a peak, and how many rows are in the format.
fn of_group(
    stores: &Stores,
    question: &Question,
    found: &SearchResult<'_>,
    precision: &str,
) -> Result<Option<Conclusion>, QueryError> {
    let is_group =
        |clause: &&Clause| clause.plain_kind().is_some_and(|kind| OF_GROUPS.iter().any(|of| of.key() == kind));
    let groups: Vec<&Clause> = question.clauses.iter().filter(is_group).collect();
    let [group] = groups.as_slice() else { return Ok(None) };
    let devices = stores.index.entities(EntityKind::Device, &group.condition)?;
    let keys = [format!("peak-{precision}"), format!("peak-{precision}-tensor")];
    let mut stating = BTreeSet::new();
    for fact in keys.iter().filter_map(|key| Fact::filter(key)) {
        stating.extend(stores.database.entities_with(EntityKind::Device, fact.key(), |_| true)?);
    }
    let able: Vec<&String> = devices.iter().filter(|id| stating.contains(*id)).collect();
    let mut entries = Vec::new();
    for id in &able {
        let device = NamedEntity { kind: EntityKind::Device, id: (*id).clone(), members: Vec::new() };
        let facts: Vec<Fact> = keys.iter().filter_map(|key| Fact::filter(key)).collect();
        entries.extend(overview_entries(stores, &device, &facts)?);
    }
    let rows = found.hits.total;
    let of = format!("{} of {}", counted(devices.len(), "device", "devices"), group.text);
    let measured = match rows {
        0 => format!("no row of them is in {precision}"),
        rows => format!("{} in {precision}", counted(rows, "row of them is", "rows of them are")),
    };
    let text = match (able.len(), rows) {
        (0, 0) => format!("Not stated: the catalog has no {precision} peak of any of the {of}, and {measured}."),
        (0, _) => format!("Yes, by what was measured: {measured}; the catalog states no such peak of any of the {of}."),
        (some, _) => format!("Yes: the catalog states a peak in {precision} of {some} of the {of}; {measured}."),
    };
    Ok(Some(Conclusion { text, entries }))
}

/// The format that others are quick or slow beside.
const FULL: &str = "fp32";

/// How many times that of another format the largest peak is; `None` where either is not stated as one number.
fn gain(peaks: &[Entry], full: &[Entry]) -> Option<f64> {
    let number = |entry: &Entry| match entry.value {
        Some(EntryValue::Number(number)) => Some(number),
        _ => None,
    };
    let own = peaks.iter().filter_map(number).reduce(f64::max)?;
    let full = full.iter().find_map(number).filter(|full| *full > 0.0)?;
    Some(own / full)
}

/// `2 times`, `1/64 of`.
fn times(gain: f64) -> String {
    let share = (1.0 / gain).round();
    match gain {
        gain if gain < 0.75 && (1.0 / gain - share).abs() < 0.05 * share => format!("1/{share} of"),
        gain => format!("{} times", three(gain)),
    }
}

/// Answers `does PlaidML support AMD`: by the rows that are on such hardware, and by the kinds of hardware that the catalog says a
/// framework runs on; whose these are it does not know.
pub(in crate::ask::conclude) fn conclude_of_framework(
    stores: &Stores,
    question: &Question,
    found: &SearchResult<'_>,
) -> Result<Option<Conclusion>, QueryError> {
    let wanted = &question.wanted;
    let of_hardware = [Facet::Vendor, Facet::Architecture, Facet::Device, Facet::Class].map(Facet::key);
    let mut hardware = question.read_as().filter(|read| of_hardware.contains(&read.facet.as_str()));
    let known = |facet: &str| of_hardware.contains(&facet) || facet == Facet::Framework.key();
    let only_support = wanted.yes_or_no
        && wanted.intent == Intent::Lookup
        && wanted.quantities.is_empty()
        && wanted.sides.is_empty()
        && !wanted.speed
        && question.read_as().all(|read| known(&read.facet) && !read.text.starts_with('-'));
    let named = named_entities(stores, question)?;
    let mut frameworks = named.iter().filter(|named| named.kind == EntityKind::Framework);
    let (true, Some(framework), None, Some(what)) =
        (only_support, frameworks.next(), frameworks.next(), hardware.next())
    else {
        return Ok(None);
    };
    let name = fact_entries::name(stores, framework)?.unwrap_or_else(|| framework.id.clone());
    let entries = overview_entries(stores, framework, &[Fact::Hardware])?;
    let kinds: Vec<String> = entries.iter().filter_map(value_in_words).collect();
    let words: Vec<&str> = std::iter::once(what).chain(hardware).map(|read| read.text.as_str()).collect();
    let is_named_once = |at: &usize| !words[..*at].contains(&words[*at]);
    let mut words: Vec<&str> = (0..words.len()).filter(is_named_once).map(|at| words[at]).collect();
    // The maker stands in front of what he makes.
    words.sort_by_key(|word| !question.read_as().any(|read| read.text == *word && read.facet == Facet::Vendor.key()));
    let what = words.join(" ");
    if found.hits.total > 0 {
        return by_rows(stores, (framework, name.as_str()), &what, found, entries).map(Some);
    }
    let text = match kinds.is_empty() {
        true => format!("Not stated: the catalog does not say what {name} runs on, and no row of it is on {what}."),
        false => format!(
            "Not stated: by the catalog {name} runs on {}, whose is not said; no row of it is on {what}.",
            kinds.join(", ")
        ),
    };
    Ok(Some(Conclusion { text, entries }))
}

/// `Yes, by what was measured: 3 rows of tinygrad are on amd gpus (Instinct MI300X (1) …); by the catalog it runs on gpu.`
fn by_rows(
    stores: &Stores,
    (framework, name): (&NamedEntity, &str),
    what: &str,
    found: &SearchResult<'_>,
    mut entries: Vec<Entry>,
) -> Result<Conclusion, QueryError> {
    let devices = Aspect::Field(Field::Device);
    let counts = RowCounts::of(stores, found.hits, devices)?;
    let told = counts.in_words(stores, &mut Names::default(), devices, MOST_DEVICES)?;
    let kinds: Vec<String> = entries.iter().filter_map(value_in_words).collect();
    let by_catalog = match kinds.is_empty() {
        true => "the catalog does not say what it runs on".to_owned(),
        false => format!("by the catalog it runs on {}", kinds.join(", ")),
    };
    let rows = found.hits.total;
    entries.push(counted_rows(&[(subject_key(EntityKind::Framework), framework.id.as_str())], rows));
    let are = counted(rows, "row of it is", "rows of it are");
    let text = format!("Yes, {name} ran on {what}: {are} on such devices, {told}; {by_catalog}.");
    Ok(Conclusion { text, entries })
}

/// The precision, where the question is about nothing but it and devices and wants a yes or a no.
fn precision_asked_for(question: &Question) -> Option<String> {
    let wanted = &question.wanted;
    if !wanted.yes_or_no || wanted.intent != Intent::Lookup || !wanted.quantities.is_empty() || !wanted.sides.is_empty()
    {
        return None;
    }
    let is_about =
        |facet: &str| [Facet::Precision, Facet::Device].iter().chain(OF_GROUPS).any(|own| own.key() == facet);
    let mut readings = question.read_as();
    if question.read_as().any(|read| !is_about(&read.facet) || read.text.starts_with('-')) {
        return None;
    }
    readings.find(|read| read.facet == Facet::Precision.key())?.values.first().cloned()
}

/// `an int8 tensor peak of 130 TOP/s`.
fn peak_in_words(entry: &Entry) -> Option<String> {
    let fact = Fact::of_file_key(&entry.quantity)?;
    let name = fact_name(fact);
    let article = if name.starts_with(['a', 'e', 'i', 'o', 'u']) { "an" } else { "a" };
    Some(format!("{article} {name} of {}", value_in_words(entry)?))
}

fn rows_of(device: &NamedEntity, precision: &str, rows: usize) -> Entry {
    counted_rows(&[(subject_key(EntityKind::Device), &device.id), (Facet::Precision.key(), precision)], rows)
}

/// How many rows there are of what these keys and values name.
fn counted_rows(subjects: &[(&str, &str)], rows: usize) -> Entry {
    let subject = |(key, value): &(&str, &str)| ((*key).to_owned(), Value::Text((*value).into()));
    Entry {
        subjects: subjects.iter().map(subject).collect(),
        quantity: "measurements".to_owned(),
        value: Some(EntryValue::Number(rows as f64)),
        n: rows,
        ..Entry::default()
    }
}

#[cfg(test)]
mod tests {
    use crate::ask::conclude::basis::sample::Sample;
    use crate::ask::question::Intent;

    #[test]
    fn a_peak_or_a_row_says_that_a_device_computes_in_a_precision() {
        let sample = Sample::of(&[("one", "\n[[run]]\nlatency-ms = 1.0\n")]);
        let ask = |filters: &str| {
            let mut question = sample.question(filters, Intent::Lookup);
            question.wanted.yes_or_no = true;
            sample.conclude(&question).text
        };
        assert_eq!(ask("device:core precision:fp32"), "Yes: Core has a fp32 peak of 10 TFLOP/s; no row is in fp32.");
        assert_eq!(
            ask("device:nova precision:fp32"),
            "Yes, by what was measured: 1 row is of Nova in fp32; the catalog states no such peak."
        );
        assert_eq!(
            ask("device:ember precision:fp16"),
            "Not stated: the catalog has no fp16 peak of Ember, and no row is in fp16."
        );
    }
}
