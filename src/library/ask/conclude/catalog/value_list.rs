//! The distinct values that rows have of something that is no entity: precisions, batch sizes, stages, versions.

use std::cmp::Reverse;
use std::collections::HashMap;

use indexmap::IndexMap;

use crate::ask::conclude::basis::conclusion::{Conclusion, Entry, EntryValue};
use crate::ask::conclude::basis::row_counts::RowCounts;
use crate::ask::conclude::basis::search_result::SearchResult;
use crate::ask::conclude::basis::wording::Names;
use crate::ask::question::QueryError;
use crate::model::{Aspect, Device, Field, Value};
use crate::rows::short_device_name;
use crate::stores::Stores;
use crate::values::spelling::normalise;
use crate::values::text::{and_list, counted};

/// More values than this are counted, not said.
const MOST_SAID: usize = 12;

/// Lists the values of an aspect with their rows, those of numbers in their order, versions by their numbers where the newest are
/// asked for.
///
/// # Errors
///
/// When a store fails.
pub(super) fn conclude(
    stores: &Stores,
    found: &SearchResult<'_>,
    aspect: Aspect,
    newest_first: bool,
) -> Result<Conclusion, QueryError> {
    let mut counts = RowCounts::of(stores, found.hits, aspect)?;
    if newest_first && aspect == Aspect::Field(Field::FrameworkVersion) {
        counts.values.sort_by_cached_key(|(version, _)| Reverse(numbers_of(version)));
    }
    let number = |(value, _): &(String, usize)| value.parse::<f64>().unwrap_or(f64::INFINITY);
    if aspect.is_numeric() {
        counts.values.sort_by(|a, b| number(a).total_cmp(&number(b)));
    }
    let mut names = Names::default();
    let mut said = Vec::new();
    let inside = if aspect == Aspect::Field(Field::Instance) { devices_inside(stores)? } else { HashMap::new() };
    for (value, rows) in counts.values.iter().take(MOST_SAID) {
        let rows = counted(*rows, "row", "rows");
        let beside = inside.get(&normalise(value)).map_or_else(|| rows.clone(), |device| format!("{device}; {rows}"));
        said.push(format!("{} ({beside})", names.of(aspect, value, stores)?));
    }
    let hidden = counts.values.len() - said.len();
    if hidden > 0 {
        said.push(format!("{hidden} more"));
    }
    let noun = noun(aspect);
    let mut text = match said.is_empty() {
        true => format!("No {noun} is stated by {}.", counted(found.hits.total, "row", "rows")),
        false => format!("{}: {}.", counted(counts.values.len(), &noun, &plural(&noun)), and_list(&said)),
    };
    if counts.not_stated > 0 && !said.is_empty() {
        let state = if counts.not_stated == 1 { "row states" } else { "rows state" };
        text.push_str(&format!(" {} {state} no {noun}.", counts.not_stated));
    }
    let entry = |(value, rows): (String, usize)| Entry {
        subjects: IndexMap::from([(aspect.key().to_owned(), typed(aspect, value))]),
        quantity: "measurements".to_owned(),
        value: Some(EntryValue::Number(rows as f64)),
        n: rows,
        ..Entry::default()
    };
    Ok(Conclusion { text, entries: counts.values.into_iter().map(entry).collect() })
}

/// The numbers of a version, by which it is newer or older: 2, 4 and 0 of `2.4.0a0+git1`; none of a word or of the name of a
/// revision.
fn numbers_of(version: &str) -> Vec<u64> {
    let end = version.find(|c: char| !c.is_ascii_digit() && c != '.').unwrap_or(version.len());
    let (numbers, rest) = version.split_at(end);
    let is_revision = !numbers.contains('.') && !rest.is_empty();
    if is_revision { Vec::new() } else { numbers.split('.').map_while(|part| part.parse().ok()).collect() }
}

/// What each cloud instance of the catalog has inside, by its spelling without signs: `4 x Tesla T4`.
fn devices_inside(stores: &Stores) -> Result<HashMap<String, String>, QueryError> {
    let mut inside = HashMap::new();
    for device in stores.database.entities::<Device>()? {
        for offer in &device.cloud {
            let name = short_device_name(&device);
            let told = offer.devices.filter(|count| *count > 1).map(|count| format!("{count} x {name}"));
            inside.entry(normalise(&offer.instance)).or_insert_with(|| told.unwrap_or_else(|| name.to_owned()));
        }
    }
    Ok(inside)
}

fn typed(aspect: Aspect, value: String) -> Value {
    match value.parse::<i64>() {
        Ok(count) if aspect.is_numeric() => Value::Count(count),
        _ => Value::Text(value.into()),
    }
}

/// What a value of the aspect is called: `precision`, `batch size`.
fn noun(aspect: Aspect) -> String {
    let key = aspect.key().replace('-', " ");
    key.strip_suffix(" gib").or_else(|| key.strip_suffix(" w")).unwrap_or(&key).to_owned()
}

fn plural(noun: &str) -> String {
    match noun.strip_suffix('y') {
        Some(stem) if !noun.ends_with("ay") && !noun.ends_with("ey") => format!("{stem}ies"),
        _ if noun.ends_with('s') => format!("{noun}es"),
        _ => format!("{noun}s"),
    }
}

#[cfg(test)]
mod tests {
    use crate::ask::conclude::basis::sample::{Sample, told};
    use crate::ask::question::Intent;
    use crate::model::{Aspect, Field};

    const ROWS: &str = "
[[run]]
latency-ms = 1.0
[[run]]
latency-ms = 2.0
batch-size = 4
[[run]]
latency-ms = 3.0
batch-size = 4
stage = \"train\"
";

    #[test]
    fn versions_are_newer_by_their_numbers() {
        let mut versions = ["1.9.0a0+2ecb2c7", "820504e", "2.0", "NGC 21.03", "1.13.1", "2"];
        versions.sort_by_cached_key(|version| std::cmp::Reverse(super::numbers_of(version)));
        assert_eq!(versions, ["2.0", "2", "1.13.1", "1.9.0a0+2ecb2c7", "820504e", "NGC 21.03"]);
    }

    #[test]
    fn values_are_listed_with_their_rows() {
        let sample = Sample::of(&[("one", ROWS)]);
        let mut question = sample.question("device:nova", Intent::List);
        question.wanted.candidates = Some(Aspect::Field(Field::Stage));
        let conclusion = sample.conclude(&question);
        assert_eq!(conclusion.text, "2 stages: inference (2 rows) and training (1 row).");
        question.wanted.candidates = Some(Aspect::Field(Field::BatchSize));
        let conclusion = sample.conclude(&question);
        let lines: Vec<String> = conclusion.entries.iter().map(told).collect();
        assert_eq!(lines, ["batch-size 4 2", "batch-size 16 1"]);
    }
}
