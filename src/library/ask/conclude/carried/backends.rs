//! Backends: which frameworks run on another one, and on which others a framework runs, by what rows and notes say.

use indexmap::IndexMap;

use super::noted::{has_any, noted, quoted, sentences};
use crate::ask::conclude::basis::conclusion::{Conclusion, Entry, EntryValue};
use crate::ask::conclude::basis::named::named_entities;
use crate::ask::conclude::basis::row_counts::RowCounts;
use crate::ask::conclude::basis::wording::Names;
use crate::ask::question::{QueryError, Question};
use crate::model::{Aspect, Facet, Field, Value};
use crate::stores::Stores;
use crate::stores::index::Condition;
use crate::values::EntityKind;
use crate::values::text::counted;

/// Words by which notes say that one stands on another.
const STANDING: &[&str] =
    &["backend", "backends", "on top of", "above", "wrapper", "front end", "frontend", "runs on", "built on"];

/// So many names are told.
const MOST_NAMES: usize = 12;

/// Which frameworks run on the one that the question names.
///
/// # Errors
///
/// When a store fails.
pub(super) fn standing_on(stores: &Stores, question: &Question) -> Result<Conclusion, QueryError> {
    let Some((id, name)) = framework(stores, question)? else { return Ok(Conclusion::default()) };
    let condition = on_backend(stores, &id)?;
    let hits = stores.index.measurements(&condition, None, &[], 0, 0)?;
    let counts = RowCounts::of(stores, &hits, Aspect::Field(Field::Framework))?;
    let mut names = Names::default();
    let mut entries = Vec::new();
    for (framework, rows) in &counts.values {
        entries.push(entry(framework, &id, *rows));
    }
    let mut said = Vec::new();
    for other in stores.database.ids(EntityKind::Framework)?.into_iter().filter(|other| *other != id) {
        let Some(noted) = noted(stores, EntityKind::Framework, &other)? else { continue };
        let found: Vec<String> =
            sentences(&noted.notes).filter(|one| has_any(one, &[&name]) && has_any(one, STANDING)).collect();
        if !found.is_empty() {
            if counts.rows_of(&other) == 0 {
                entries.push(entry(&other, &id, 0));
            }
            said.push(format!("{} ({})", noted.name, quoted(&found)));
        }
    }
    let by_rows = match counts.values.is_empty() {
        true => format!("No row names {name} as the backend of another framework"),
        false => {
            let told = counts.in_words(stores, &mut names, Aspect::Field(Field::Framework), MOST_NAMES)?;
            let rows = counted(hits.total, "row", "rows");
            format!("On {name} as their backend run, by {rows}: {told}")
        }
    };
    let by_notes = match said.is_empty() {
        true => String::new(),
        false => format!(" By the notes of the catalog: {}.", said.join("; ")),
    };
    Ok(Conclusion { text: format!("{by_rows}.{by_notes} No list of backends is kept beside these."), entries })
}

/// On which others the framework runs that the question names.
///
/// # Errors
///
/// When a store fails.
pub(super) fn of_framework(stores: &Stores, question: &Question) -> Result<Conclusion, QueryError> {
    let Some((id, name)) = framework(stores, question)? else { return Ok(Conclusion::default()) };
    let condition = Condition::Facet(Facet::Framework, vec![id.clone()]);
    let hits = stores.index.measurements(&condition, None, &[], 0, 0)?;
    let counts = RowCounts::of(stores, &hits, Aspect::Field(Field::Backend))?;
    let mut names = Names::default();
    let entries = counts.values.iter().map(|(backend, rows)| entry(&id, backend, *rows)).collect();
    let noted = noted(stores, EntityKind::Framework, &id)?;
    let said: Vec<String> =
        noted.iter().flat_map(|noted| sentences(&noted.notes)).filter(|one| has_any(one, STANDING)).collect();
    let by_rows = match counts.values.is_empty() {
        true => format!("No row of {name} names a backend"),
        false => {
            let told = counts.in_words(stores, &mut names, Aspect::Field(Field::Backend), MOST_NAMES)?;
            format!("Backends of {name} in its rows: {told}")
        }
    };
    let by_notes = if said.is_empty() { String::new() } else { format!(" The catalog notes: {}", quoted(&said)) };
    Ok(Conclusion { text: format!("{by_rows}.{by_notes}"), entries })
}

/// The framework that the question names, and what it is called.
fn framework(stores: &Stores, question: &Question) -> Result<Option<(String, String)>, QueryError> {
    // What is named as a backend is what others stand on.
    let backend = question.read_as().find(|read| read.facet == Field::Backend.key());
    if let Some(id) = backend.and_then(|read| read.values.first()) {
        return Ok(noted(stores, EntityKind::Framework, id)?.map(|noted| (id.clone(), noted.name)));
    }
    let named = named_entities(stores, question)?;
    let Some(entity) = named.into_iter().find(|named| named.kind == EntityKind::Framework) else { return Ok(None) };
    let name = noted(stores, entity.kind, &entity.id)?.map(|noted| noted.name);
    Ok(name.map(|name| (entity.id, name)))
}

/// The rows that ran on a backend.
fn on_backend(stores: &Stores, id: &str) -> Result<Condition, QueryError> {
    let column = stores.database.aspect(Aspect::Field(Field::Backend))?;
    let shares = column.shares_with(|value| value == id);
    let named = Field::Backend.part().map(|part| Condition::Shares(part, shares));
    Ok(Condition::Any(named.into_iter().collect()))
}

fn entry(framework: &str, backend: &str, rows: usize) -> Entry {
    Entry {
        subjects: IndexMap::from([(Facet::Framework.key().to_owned(), Value::Text(framework.into()))]),
        quantity: Field::Backend.key().to_owned(),
        value: Some(EntryValue::Text(backend.to_owned())),
        n: rows,
        ..Entry::default()
    }
}
