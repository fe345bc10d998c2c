//! Values that rows state, and entities that they name, with the rows and sources of each.

use std::collections::{BTreeMap, BTreeSet};

use indexmap::IndexMap;

use super::Entry;
use super::condition::condition;
use super::named::subject;
use crate::ask::hits::HitColumns;
use crate::ask::parse::{End, Key, Quantity, QueryError, Question};
use crate::model::{Aspect, Facet, Fact, Part, Value};
use crate::stores::Stores;
use crate::values::EntityKind;

/// The values of a field or fact over the rows of a question, those of most rows first.
pub(super) fn values(stores: &Stores, question: &Question, of: &Key) -> Result<Vec<Entry>, QueryError> {
    let aspect = match of {
        Key::Facet(facet) => aspect_of(*facet),
        Key::Aspect(aspect) => Some(*aspect),
        _ => None,
    };
    let Some(aspect) = aspect else { return Ok(Vec::new()) };
    let hits = HitColumns::of(stores, &condition(stores, &question.subject)?, &[])?;
    let found = sorted(rows_by_value(stores, &hits, aspect)?, question);
    let entry = |found: Found| {
        let subject = IndexMap::from([(aspect.key().to_owned(), Value::Text(found.id.into()))]);
        Entry { sources: found.sources.into_iter().collect(), ..Entry::of_rows(subject, found.rows) }
    };
    Ok(found.into_iter().map(entry).collect())
}

/// The aspect of a row whose values a facet names.
fn aspect_of(facet: Facet) -> Option<Aspect> {
    Some(match facet {
        Facet::Source => Aspect::Source,
        Facet::Class => Aspect::Fact(Fact::Class),
        Facet::Vendor => Aspect::Fact(Fact::Vendor),
        Facet::Architecture => Aspect::Fact(Fact::Architecture),
        Facet::Task => Aspect::Fact(Fact::Task),
        Facet::License => Aspect::Fact(Fact::License),
        Facet::Maturity => Aspect::Fact(Fact::Maturity),
        Facet::Year => Aspect::Fact(Fact::Year),
        other => Aspect::keyed(other.key())?,
    })
}

/// The rows and sources of each entity or value.
pub(super) type Counts = BTreeMap<String, (usize, BTreeSet<String>)>;

/// An entity, or a value, with its rows.
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
        Entry { sources, ..Entry::of_rows(subject(kind, &self.id), self.rows) }
    }
}

/// The rows and sources of each value of an aspect among rows.
pub(super) fn rows_by_value(stores: &Stores, hits: &HitColumns, aspect: Aspect) -> Result<Counts, QueryError> {
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

/// Those of most rows first, unless another order is asked for.
pub(super) fn sorted(counts: Counts, question: &Question) -> Vec<Found> {
    let by_sources = matches!(&question.order, Some(order) if order.by == Quantity::Sources);
    let fewest = matches!(&question.order, Some(order) if matches!(order.end, End::Least | End::Worst));
    let number = |found: &Found| if by_sources { found.sources.len() } else { found.rows };
    let mut found: Vec<Found> = counts.into_iter().map(|(id, (rows, sources))| Found { id, rows, sources }).collect();
    found.sort_by(|a, b| {
        let by_number = number(b).cmp(&number(a));
        (if fewest { by_number.reverse() } else { by_number }).then_with(|| a.id.cmp(&b.id))
    });
    found
}
