//! Backends: which frameworks run on another one, and on which others a framework runs, by what rows and notes say.

use indexmap::IndexMap;

use crate::ask::conclude::basis::conclusion::{Conclusion, Entry, EntryValue};
use crate::ask::conclude::basis::noted::{has_any, noted, quoted, sentences};
use crate::ask::conclude::basis::row_counts::RowCounts;
use crate::ask::conclude::basis::wording::Names;
use crate::ask::question::{QueryError, Question};
use crate::model::{Aspect, Facet, Field, Value};
use crate::stores::Stores;
use crate::stores::index::{Condition, DocumentKind};
use crate::values::EntityKind;
use crate::values::text::{capital, counted};

/// Words by which notes say that one stands on another.
const STANDING: &[&str] =
    &["backend", "backends", "on top of", "above", "wrapper", "front end", "frontend", "runs on", "built on"];

/// So many names are told.
const MOST_NAMES: usize = 12;

/// A framework and what it is called.
struct Framework {
    id: String,
    name: String,
}

/// Which frameworks run on the one that the question names; of two, whether the first runs on the second.
///
/// # Errors
///
/// When a store fails.
pub(super) fn standing_on(stores: &Stores, question: &Question) -> Result<Conclusion, QueryError> {
    Ok(match frameworks(stores, question)?.as_slice() {
        [] => Conclusion::default(),
        [only] => on_one(stores, only)?,
        [front, behind, ..] => whether_on(stores, question, front, behind)?,
    })
}

/// Whether one framework runs on another one, by rows that name it as their backend, else by what the notes of either say.
fn whether_on(
    stores: &Stores,
    question: &Question,
    front: &Framework,
    behind: &Framework,
) -> Result<Conclusion, QueryError> {
    // `is tensorflow used as a backend of keras` names what stands behind first.
    for (front, behind, is_turned) in [(front, behind, false), (behind, front, true)] {
        let of_front = Condition::Facet(Facet::Framework, vec![front.id.clone()]);
        let both = Condition::All(vec![of_front, on_backend(stores, &behind.id)?]);
        let rows = stores.index.count(DocumentKind::Measurement, &both)?;
        if rows == 0 {
            continue;
        }
        let names_backend = question.read_as().any(|read| read.text.to_lowercase().contains("backend"));
        let lead = match question.wanted.yes_or_no {
            _ if is_turned && !names_backend => {
                format!("No row of {} names {} as its backend; it is the other way round: ", behind.name, front.name)
            }
            true => "Yes: ".to_owned(),
            false => String::new(),
        };
        let all = stores
            .index
            .count(DocumentKind::Measurement, &Condition::Facet(Facet::Framework, vec![front.id.clone()]))?;
        let noted = standing_notes(stores, front, Some(&behind.name))?;
        let noted = if noted.is_empty() { String::new() } else { format!(" The catalog notes: {noted}") };
        let text = format!(
            "{lead}{rows} of the {} of {} name {} as their backend.{noted}",
            counted(all, "row", "rows"),
            front.name,
            behind.name
        );
        return Ok(Conclusion { text, entries: vec![entry(&front.id, &behind.id, rows)] });
    }
    let no_rows = format!("no row of {} names {} as its backend.", front.name, behind.name);
    for (front, behind) in [(front, behind), (behind, front)] {
        let noted = standing_notes(stores, front, Some(&behind.name))?;
        if !noted.is_empty() {
            let text = format!("By the notes of the catalog on {}: {noted} {}", front.name, capital(&no_rows));
            return Ok(Conclusion { text, entries: vec![entry(&front.id, &behind.id, 0)] });
        }
    }
    let own = backends_of(stores, front)?;
    let text = format!("Nothing here says that {} runs on {}: {no_rows} {}", front.name, behind.name, own.text);
    Ok(Conclusion { text, ..own })
}

/// What the notes on a framework say of what it stands on, each sentence quoted; of one other alone where that is given.
fn standing_notes(stores: &Stores, framework: &Framework, behind: Option<&str>) -> Result<String, QueryError> {
    let noted = noted(stores, EntityKind::Framework, &framework.id)?;
    let is_of = |one: &String| has_any(one, STANDING) && behind.is_none_or(|behind| has_any(one, &[behind]));
    let said: Vec<String> = noted.iter().flat_map(|noted| sentences(&noted.notes)).filter(is_of).collect();
    Ok(if said.is_empty() { String::new() } else { quoted(&said) })
}

/// Which frameworks run on one.
fn on_one(stores: &Stores, framework: &Framework) -> Result<Conclusion, QueryError> {
    let Framework { id, name } = framework;
    let condition = on_backend(stores, id)?;
    let hits = stores.index.measurements(&condition, None, &[], 0, 0)?;
    let counts = RowCounts::of(stores, &hits, Aspect::Field(Field::Framework))?;
    let mut names = Names::default();
    let mut entries = Vec::new();
    for (framework, rows) in &counts.values {
        entries.push(entry(framework, id, *rows));
    }
    let mut said = Vec::new();
    for other in stores.database.ids(EntityKind::Framework)?.into_iter().filter(|other| other != id) {
        let Some(noted) = noted(stores, EntityKind::Framework, &other)? else { continue };
        let found: Vec<String> =
            sentences(&noted.notes).filter(|one| has_any(one, &[name]) && has_any(one, STANDING)).collect();
        if !found.is_empty() {
            if counts.rows_of(&other) == 0 {
                entries.push(entry(&other, id, 0));
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
    match frameworks(stores, question)?.as_slice() {
        [] => Ok(Conclusion::default()),
        [only] => backends_of(stores, only),
        [front, behind, ..] => whether_on(stores, question, front, behind),
    }
}

fn backends_of(stores: &Stores, framework: &Framework) -> Result<Conclusion, QueryError> {
    let Framework { id, name } = framework;
    let condition = Condition::Facet(Facet::Framework, vec![id.clone()]);
    let hits = stores.index.measurements(&condition, None, &[], 0, 0)?;
    let counts = RowCounts::of(stores, &hits, Aspect::Field(Field::Backend))?;
    let mut names = Names::default();
    let entries = counts.values.iter().map(|(backend, rows)| entry(id, backend, *rows)).collect();
    let by_rows = match counts.values.is_empty() {
        true => format!("No row of {name} names a backend"),
        false => {
            let told = counts.in_words(stores, &mut names, Aspect::Field(Field::Backend), MOST_NAMES)?;
            format!("Backends of {name} in its rows: {told}")
        }
    };
    let noted = standing_notes(stores, framework, None)?;
    let by_notes = if noted.is_empty() { String::new() } else { format!(" The catalog notes: {noted}") };
    Ok(Conclusion { text: format!("{by_rows}.{by_notes}"), entries })
}

/// The frameworks that the question names, in its order; those that are named as backends stand behind.
fn frameworks(stores: &Stores, question: &Question) -> Result<Vec<Framework>, QueryError> {
    let of = |key: &str| [Facet::Framework.key(), Field::FrameworkVersion.key(), Field::Backend.key()].contains(&key);
    let named = question.read_as().filter(|read| of(&read.facet)).filter_map(|read| read.values.first());
    let mut found: Vec<Framework> = Vec::new();
    for id in named {
        if found.iter().all(|known| known.id != *id)
            && let Some(noted) = noted(stores, EntityKind::Framework, id)?
        {
            found.push(Framework { id: id.clone(), name: noted.name });
        }
    }
    Ok(found)
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
