//! Entities in the order of how much was measured of each: by the sources that did, then by their rows. How widely something is
//! used nobody states here, which is said.

use std::collections::{HashMap, HashSet};

use indexmap::IndexMap;

use crate::ask::conclude::basis::conclusion::{Conclusion, Entry, EntryValue};
use crate::ask::conclude::basis::listed_kinds::{name_of, plural};
use crate::ask::conclude::basis::wording::Names;
use crate::ask::hits::{HitColumns, SharedValues};
use crate::ask::question::{QueryError, Question};
use crate::model::{Aspect, Value};
use crate::stores::Stores;
use crate::values::EntityKind;
use crate::values::text::{and_list, counted};

/// So many entities are named in the sentence.
const NAMED: usize = 8;

/// So many of those with the least.
const NAMED_LAST: usize = 4;

/// So many entities have an entry.
const MOST_ENTRIES: usize = 50;

/// What was measured of an entity.
#[derive(Default)]
struct Measured {
    rows: usize,
    sources: HashSet<u32>,
}

/// Lists the entities of a kind that rows name, those of the most sources first.
///
/// # Errors
///
/// When a store fails.
pub(super) fn conclude(
    stores: &Stores,
    question: &Question,
    kind: EntityKind,
    aspect: Aspect,
) -> Result<Conclusion, QueryError> {
    let values = SharedValues::read(stores)?;
    let hits = HitColumns::of(stores, &question.condition_without(None), &[])?;
    let mut measured: HashMap<u32, Measured> = HashMap::new();
    let mut example: HashMap<u32, usize> = HashMap::new();
    for hit in 0..hits.len() {
        let parts = hits.parts(hit);
        let number = values.number(aspect, &parts);
        if number > 0 {
            let of = measured.entry(number).or_default();
            of.rows += 1;
            of.sources.insert(values.number(Aspect::Source, &parts));
            example.entry(number).or_insert(hit);
        }
    }
    let by_rows = question.wanted.by_rows;
    let weight = |of: &Measured| if by_rows { (of.rows, of.sources.len()) } else { (of.sources.len(), of.rows) };
    let mut order: Vec<(u32, Measured)> = measured.into_iter().collect();
    order.sort_by_key(|(number, of)| (std::cmp::Reverse(weight(of)), *number));
    if order.is_empty() {
        let text = format!("No row that meets the question names a {}.", kind.noun());
        return Ok(Conclusion { text, entries: Vec::new() });
    }
    let most = question.limit.unwrap_or(NAMED).min(NAMED);
    let (mut names, mut told, mut entries) = (Names::default(), Vec::new(), Vec::new());
    for (place, (number, of)) in order.iter().enumerate().take(question.limit.unwrap_or(MOST_ENTRIES)) {
        let id = example.get(number).and_then(|hit| values.text(aspect, &hits.parts(*hit)));
        let Some(id) = id else { continue };
        if place < most {
            let (sources, rows) = (counted(of.sources.len(), "source", "sources"), counted(of.rows, "row", "rows"));
            told.push(format!("{} ({sources}, {rows})", name_of(stores, &mut names, kind, id)?));
        }
        entries.push(Entry {
            subjects: IndexMap::from([(aspect.key().to_owned(), Value::Text(id.into()))]),
            quantity: if by_rows { "measurements" } else { "sources" }.to_owned(),
            value: Some(EntryValue::Number(weight(of).0 as f64)),
            n: of.rows,
            ..Entry::default()
        });
    }
    let hidden = order.len() - told.len();
    if hidden > 0 {
        told.push(format!("{hidden} more"));
    }
    let all = counted(order.len(), kind.noun(), &plural(kind));
    let lead = if by_rows { "With the most rows here" } else { "Measured by the most sources here" };
    let most = format!("{lead}, of {all}: {}.", and_list(&told));
    // Those at the other end have one row each, mostly: by which of them is told by how many are level.
    let least = order.last().map(|(_, of)| weight(of).0).unwrap_or_default();
    let level: Vec<&(u32, Measured)> = order.iter().filter(|(_, of)| weight(of).0 == least).collect();
    let mut last = Vec::new();
    for (number, _) in level.iter().rev().take(NAMED_LAST) {
        let id = example.get(number).and_then(|hit| values.text(aspect, &hits.parts(*hit)));
        last.extend(id.map(|id| name_of(stores, &mut names, kind, id)).transpose()?);
    }
    let more = level.len().saturating_sub(last.len());
    last.extend((more > 0).then(|| format!("{more} more")));
    let (one, many) = if by_rows { ("row", "rows") } else { ("source", "sources") };
    let each = if level.len() == 1 { "" } else { " each" };
    let fewest = format!("The fewest: {} with {}{each}.", and_list(&last), counted(least, one, many));
    let unmeasured = match question.clauses.is_empty() {
        true => stores.index.entities(kind, &question.condition_without(None))?.len().saturating_sub(order.len()),
        false => 0,
    };
    let none = match unmeasured {
        0 => String::new(),
        some => format!(" {} of the catalog have no row at all.", counted(some, kind.noun(), &plural(kind))),
    };
    let text = match question.wanted.fewest {
        true => format!("{fewest}{none} {most}"),
        false => format!("{most} {fewest}{none}"),
    };
    Ok(Conclusion { text, entries })
}

#[cfg(test)]
mod tests {
    use crate::ask::conclude::basis::sample::{Sample, told};
    use crate::ask::question::Intent;
    use crate::model::{Aspect, Field};

    #[test]
    fn what_most_sources_measured_comes_first_whatever_its_rows() {
        let rows = |network: &str, label: &str| {
            format!("\n[[run]]\nnetwork = \"{network}\"\nlabel = \"{label}\"\nthroughput-per-s = 5\n")
        };
        let one = rows("deepnet-50", "a");
        let two = [rows("deepnet-50", "a"), rows("deepnet-18", "b"), rows("deepnet-18", "c"), rows("deepnet-18", "d")];
        let sample = Sample::of(&[("paper-2020", &one), ("blog-2021", &two.concat())]);
        let mut question = sample.question("", Intent::List);
        question.wanted.candidates = Some(Aspect::Field(Field::Network));
        question.wanted.most_measured = true;
        let conclusion = sample.conclude(&question);
        let lines: Vec<String> = conclusion.entries.iter().map(told).collect();
        assert_eq!(lines, ["network deepnet-50 2", "network deepnet-18 1"], "{}", conclusion.text);
        assert!(conclusion.text.contains("(2 sources, 2 rows)"), "{}", conclusion.text);
        question.wanted.fewest = true;
        let conclusion = sample.conclude(&question);
        assert!(conclusion.text.starts_with("The fewest: DeepNet-18 with 1 source."), "{}", conclusion.text);
    }
}
