//! Counts the rows and sources of values that rows state, and of entities that they reference.

use std::collections::{BTreeMap, BTreeSet};

use indexmap::IndexMap;

use super::Entry;
use super::condition::condition;
use super::key::{aspect_of, subject};
use super::spread::in_order;
use crate::ask::hits::HitColumns;
use crate::ask::parse::{Key, Quantity, Question, Result};
use crate::model::{Aspect, Direction, Part, Value};
use crate::stores::Stores;
use crate::values::EntityKind;

/// The values of a field or fact over the rows of a question, those with the most rows first.
pub(super) fn values(stores: &Stores, question: &Question, of: &Key) -> Result<Vec<Entry>> {
    let Some(aspect) = aspect_of(of) else { return Ok(Vec::new()) };
    let hits = HitColumns::of(stores, &condition(stores, &question.subject)?, &[])?;
    let found = sorted(rows_by_value(stores, &hits, aspect)?, question);
    let entry = |found: Found| {
        let subject = IndexMap::from([(aspect.key().to_owned(), Value::Text(found.id.into()))]);
        Entry { sources: found.sources.into_iter().collect(), ..Entry::row_count(subject, found.rows) }
    };
    Ok(found.into_iter().map(entry).collect())
}

/// The row count and sources of each entity or value.
pub(super) type Counts = BTreeMap<String, (usize, BTreeSet<String>)>;

/// An entity or value with its row count and sources.
pub(super) struct Found {
    pub id: String,
    pub rows: usize,
    pub sources: BTreeSet<String>,
}

impl Found {
    pub fn entry(&self, kind: EntityKind) -> Entry {
        let sources = match kind {
            EntityKind::Source => vec![self.id.clone()],
            _ => self.sources.iter().cloned().collect(),
        };
        Entry { sources, ..Entry::row_count(subject(kind, &self.id), self.rows) }
    }
}

/// The row count and sources of each value of an aspect, over the hits.
pub(super) fn rows_by_value(stores: &Stores, hits: &HitColumns, aspect: Aspect) -> Result<Counts> {
    let mut counts = Counts::new();
    let Some(part) = aspect.part() else { return Ok(counts) };
    let column = stores.database.aspect(aspect)?;
    let sources = stores.database.aspect(Aspect::Source)?;
    let mut by_pair: BTreeMap<(u32, u32), usize> = BTreeMap::new();
    for hit in 0..hits.len() {
        let of = (column.number(hits.part(hit, part)), sources.number(hits.part(hit, Part::Setup)));
        *by_pair.entry(of).or_default() += 1;
    }
    let values: Vec<&str> = column.values().collect();
    let names: Vec<&str> = sources.values().collect();
    for ((value, source), rows) in by_pair {
        let Some(value) = (value as usize).checked_sub(1).and_then(|at| values.get(at)) else { continue };
        let (all, of) = counts.entry((*value).to_owned()).or_default();
        *all += rows;
        of.extend((source as usize).checked_sub(1).and_then(|at| names.get(at)).map(|name| (*name).to_owned()));
    }
    Ok(counts)
}

/// Sorts by row count, largest first, unless the question asks for another order.
pub(super) fn sorted(counts: Counts, question: &Question) -> Vec<Found> {
    let by_sources = matches!(&question.order, Some(order) if order.by == Quantity::Sources);
    let most_first = question.order.as_ref().is_none_or(|order| order.end.is_largest(Direction::Higher));
    let number = |found: &Found| (if by_sources { found.sources.len() } else { found.rows }) as f64;
    let mut found: Vec<Found> = counts.into_iter().map(|(id, (rows, sources))| Found { id, rows, sources }).collect();
    found.sort_by(|a, b| in_order(number(a), number(b), most_first).then_with(|| a.id.cmp(&b.id)));
    found
}
