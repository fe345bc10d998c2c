//! The system of most devices that anybody measured, or of fewest: who asks for the most chips asks for no time that they took.

use std::collections::BTreeSet;

use indexmap::IndexMap;

use crate::ask::conclude::basis::axis_condition::condition_beside;
use crate::ask::conclude::basis::conclusion::{Conclusion, Entry, EntryValue};
use crate::ask::conclude::basis::evidence::{RowIds, shared, sources};
use crate::ask::conclude::basis::wording::Names;
use crate::ask::hits::{HitColumns, PartNumbers, SharedValues};
use crate::ask::question::{QueryError, Question, Superlative};
use crate::model::{Aspect, Field, Value};
use crate::stores::Stores;
use crate::values::text::{and_list, counted};

/// What is told of a system.
const TOLD: &[Field] = &[Field::Device, Field::Instance, Field::Network, Field::Stage];

/// So many of the next smaller numbers are named.
const NAMED_BEHIND: usize = 2;

/// So many devices are named that ran in one number.
const NAMED_DEVICES: usize = 3;

/// Tells the system of most devices; `None` where a question asks for something else.
///
/// # Errors
///
/// When a store fails.
pub(super) fn conclude(stores: &Stores, question: &Question) -> Result<Option<Conclusion>, QueryError> {
    let is_largest = match question.wanted.superlative {
        Some(Superlative::Most) => true,
        Some(Superlative::Least) => false,
        _ => return Ok(None),
    };
    if !question.wanted.largest_system {
        return Ok(None);
    }
    let values = SharedValues::read(stores)?;
    let (condition, _) = condition_beside(question, Field::DeviceCount);
    let hits = HitColumns::of(stores, &condition, &[])?;
    let count = |hit: usize| values.count(Field::DeviceCount, &hits.parts(hit));
    let stating: Vec<(i64, usize)> = (0..hits.len())
        .filter(|hit| values.stands(&hits.parts(*hit)))
        .filter_map(|hit| Some((count(hit)?, hit)))
        .collect();
    let counts: BTreeSet<i64> = stating.iter().map(|(count, _)| *count).collect();
    let mut ordered: Vec<i64> = counts.into_iter().collect();
    if is_largest {
        ordered.reverse();
    }
    let rows = counted(hits.len(), "row", "rows");
    let Some((first, others)) = ordered.split_first() else {
        let text = format!("None of {rows} states on how many devices it ran.");
        return Ok(Some(Conclusion { text, entries: Vec::new() }));
    };
    let word = if is_largest { "Most" } else { "Fewest" };
    let (mut names, mut ids) = (Names::default(), RowIds::default());
    let (mut told, mut entries) = (Vec::new(), Vec::new());
    for count in [first].into_iter().chain(others.iter().take(NAMED_BEHIND)) {
        let of: Vec<usize> = stating.iter().filter(|(own, _)| own == count).map(|(_, hit)| *hit).collect();
        let parts: Vec<PartNumbers> = of.iter().map(|hit| hits.parts(*hit)).collect();
        let setting = setting(&values, &parts, (&mut names, stores))?;
        let from = sources(&values, &parts);
        told.push(format!("{count} ({setting}; {})", and_list(&from)));
        let rows: Vec<u64> = of.iter().take(3).map(|hit| hits.row(*hit)).collect();
        entries.push(Entry {
            subjects: IndexMap::from([(Field::DeviceCount.key().to_owned(), Value::Count(*count))]),
            quantity: Field::DeviceCount.key().to_owned(),
            value: Some(EntryValue::Number(*count as f64)),
            n: of.len(),
            under: shared(&values, &parts, &[Field::DeviceCount]),
            measurements: ids.of(stores, &rows)?,
            sources: from,
            ..Entry::default()
        });
    }
    let behind = if told.len() > 1 { format!(", then {}", and_list(&told[1..])) } else { String::new() };
    let stating = stating.len();
    let text =
        format!("{word} devices of a system that was measured: {}{behind}; {stating} of {rows} state them.", told[0]);
    Ok(Some(Conclusion { text, entries }))
}

/// On which devices and with which networks some rows ran: `H100 SXM5 80 GB, GPT-3 175B training`.
fn setting(
    values: &SharedValues,
    rows: &[PartNumbers],
    (names, stores): (&mut Names, &Stores),
) -> Result<String, QueryError> {
    let under = shared(values, rows, &[Field::DeviceCount]);
    let is_told = |key: &String| TOLD.iter().any(|field| field.key() == key);
    let alike: IndexMap<String, Option<Value>> =
        under.into_iter().filter(|(key, value)| value.is_some() && is_told(key)).collect();
    let names_device = alike.contains_key(Field::Device.key());
    let mut told = Vec::new();
    if !names_device {
        let device = Aspect::Field(Field::Device);
        let ids: BTreeSet<&str> = rows.iter().filter_map(|parts| values.text(device, parts)).collect();
        for id in ids.into_iter().take(NAMED_DEVICES) {
            told.push(names.of(device, id, stores)?);
        }
    }
    let devices = and_list(&told);
    let frame = names.frame(&alike, stores)?;
    Ok([devices, frame].into_iter().filter(|part| !part.is_empty()).collect::<Vec<_>>().join(", "))
}

#[cfg(test)]
mod tests {
    use crate::ask::conclude::basis::sample::{Sample, told};
    use crate::ask::question::{Intent, Superlative};

    #[test]
    fn the_system_of_most_devices_is_told_and_no_time_that_it_took() {
        let rows = r#"
[[table]]
columns = ["device", "device-count", "time-to-accuracy-s"]
rows = [["nova", 8, 900], ["core", 512, 60], ["nova", 64, 200]]
"#;
        let sample = Sample::of(&[("paper-2020", rows)]);
        let mut question = sample.question("", Intent::Ranking);
        question.wanted.superlative = Some(Superlative::Most);
        question.wanted.largest_system = true;
        let conclusion = sample.conclude(&question);
        assert_eq!(told(&conclusion.entries[0]), "device-count 512 512");
        assert!(
            conclusion.text.starts_with("Most devices of a system that was measured: 512 (DeepNet-50 inference, Core"),
            "{}",
            conclusion.text
        );
    }
}
