//! Whether a framework runs on several devices of one machine, of which no fact is kept: what its rows and what is nearest to it say.

use indexmap::IndexMap;

use crate::ask::conclude::basis::conclusion::{Conclusion, Entry, EntryValue};
use crate::ask::conclude::basis::fact_entries::overview_entries;
use crate::ask::conclude::basis::named::named_entities;
use crate::ask::conclude::basis::noted::noted;
use crate::ask::conclude::basis::row_counts::RowCounts;
use crate::ask::conclude::basis::wording::Names;
use crate::ask::question::{QueryError, Question};
use crate::model::{Aspect, Facet, Fact, Field, Value};
use crate::stores::Stores;
use crate::stores::index::Condition;
use crate::values::EntityKind;
use crate::values::text::counted;

/// So many names are told.
const MOST_NAMES: usize = 12;

/// Tells on how many devices the frameworks that are named, or all, were run.
///
/// # Errors
///
/// When a store fails.
pub(super) fn conclude(stores: &Stores, question: &Question) -> Result<Conclusion, QueryError> {
    let named = named_entities(stores, question)?;
    let frameworks: Vec<_> = named.into_iter().filter(|named| named.kind == EntityKind::Framework).collect();
    let several = on_several(stores)?;
    let mut conclusion = Conclusion::default();
    let mut told = Vec::new();
    for entity in &frameworks {
        let Some(own) = noted(stores, EntityKind::Framework, &entity.id)? else { continue };
        let of_it = Condition::Facet(Facet::Framework, vec![entity.id.clone()]);
        let hits = stores.index.measurements(&Condition::All(vec![of_it, several.clone()]), None, &[], 0, 0)?;
        let counts = RowCounts::of(stores, &hits, Aspect::Field(Field::DeviceCount))?;
        let largest = counts.values.iter().filter_map(|(count, _)| count.parse::<i64>().ok()).max();
        let measured = match largest {
            Some(largest) => format!(
                "Yes, by what was measured: {} of {} on 2 to {largest} devices.",
                counted(hits.total, "row is", "rows are"),
                own.name
            ),
            None => format!(
                "Not known: no row of {} is of several devices, and support of several GPUs in one server is not kept.",
                own.name
            ),
        };
        told.push(measured);
        let servers = overview_entries(stores, entity, &[Fact::MultiServer])?;
        told.extend(servers.first().and_then(|entry| match &entry.value {
            Some(EntryValue::Flag(true)) => Some(format!(
                "Of several servers the catalog says: {} trains on them ({}).",
                own.name,
                entry.sources.join(", ")
            )),
            Some(EntryValue::Flag(false)) => Some(format!(
                "Of several servers the catalog says: {} does not train on them ({}).",
                own.name,
                entry.sources.join(", ")
            )),
            _ => None,
        }));
        conclusion.entries.push(rows_of(&entity.id, hits.total));
        conclusion.entries.extend(servers);
    }
    if frameworks.is_empty() {
        let hits = stores.index.measurements(&several, None, &[], 0, 0)?;
        let counts = RowCounts::of(stores, &hits, Aspect::Field(Field::Framework))?;
        let listed = counts.in_words(stores, &mut Names::default(), Aspect::Field(Field::Framework), MOST_NAMES)?;
        let servers = stores
            .index
            .entities(EntityKind::Framework, &Condition::Facet(Facet::MultiServer, vec!["yes".to_owned()]))?;
        told.push(format!(
            "Support of several GPUs in one server is not kept. By what was measured, {} have rows of several devices: {listed}. Of \
             training on several servers the catalog says that {} do (multi-server frameworks).",
            counted(counts.values.len(), "framework", "frameworks"),
            counted(servers.len(), "framework", "frameworks"),
        ));
        conclusion.entries.extend(counts.values.iter().map(|(id, rows)| rows_of(id, *rows)));
    }
    conclusion.text = told.join(" ");
    Ok(conclusion)
}

/// The rows of more than one device.
fn on_several(stores: &Stores) -> Result<Condition, QueryError> {
    let Some(part) = Field::DeviceCount.part() else {
        return Ok(Condition::Field(Field::DeviceCount, std::ops::Bound::Included(2.0), std::ops::Bound::Unbounded));
    };
    let column = stores.database.aspect(Aspect::Field(Field::DeviceCount))?;
    Ok(Condition::Shares(part, column.shares_with(|value| value.parse::<i64>().is_ok_and(|count| count > 1))))
}

fn rows_of(id: &str, rows: usize) -> Entry {
    Entry {
        subjects: IndexMap::from([(Facet::Framework.key().to_owned(), Value::Text(id.into()))]),
        quantity: "measurements".to_owned(),
        value: Some(EntryValue::Number(rows as f64)),
        n: rows,
        ..Entry::default()
    }
}
