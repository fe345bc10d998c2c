//! Products whose names go on where that of a product without rows ends: the Raspberry Pi 3 Model B+ for the Raspberry Pi 3.

use super::wording::Names;
use crate::ask::question::{Clause, QueryError, Question};
use crate::model::{Aspect, Facet, Field, Lookup as _};
use crate::stores::Stores;
use crate::stores::index::{Condition, DocumentKind};
use crate::values::spelling::normalise;
use crate::values::text::and_list;

/// More relatives than this are a family that should be asked for.
const MOST: usize = 4;

/// The question about the next relatives of the one device that it names, and what is to be said of them; `None` where the
/// device has rows by itself, or no other is called so.
///
/// # Errors
///
/// When a store fails.
pub(in crate::ask::conclude) fn about_relatives(
    stores: &Stores,
    question: &Question,
) -> Result<Option<(Question, String)>, QueryError> {
    let is_of_device = |clause: &Clause| matches!(&clause.condition, Condition::Facet(Facet::Device, _));
    let mut places = (0..question.clauses.len()).filter(|at| is_of_device(&question.clauses[*at]));
    let (Some(at), None) = (places.next(), places.next()) else { return Ok(None) };
    let clause = &question.clauses[at];
    let Condition::Facet(_, own) = &clause.condition else { return Ok(None) };
    if clause.sides.len() > 1 || clause.text.contains(':') {
        return Ok(None);
    }
    let beginning = normalise(&clause.text);
    let mut relatives: Vec<(String, u64)> = Vec::new();
    for name in stores.database.beginning(&beginning)? {
        // The Snapdragon 8550 is no Snapdragon 855.
        let goes_on =
            name.normal.get(beginning.len()..).is_some_and(|rest| !rest.starts_with(|c: char| c.is_ascii_digit()));
        let known = own.contains(&name.value) || relatives.iter().any(|(id, _)| *id == name.value);
        if name.facet != Facet::Device || !goes_on || known {
            continue;
        }
        let question = about(question, at, vec![name.value.clone()]);
        let rows = stores.index.count(DocumentKind::Measurement, &question.condition_without(None))?;
        if rows > 0 {
            relatives.push((name.value, rows as u64));
        }
    }
    if relatives.is_empty() || relatives.len() > MOST {
        return Ok(None);
    }
    let mut names = Names::default();
    let mut called = Vec::new();
    for (id, _) in &relatives {
        called.push(names.of(Aspect::Field(Field::Device), id, stores)?);
    }
    let are = if called.len() == 1 { "is another product" } else { "are other products" };
    let lead = format!("No row of `{}` meets this; {}, which {are}:", clause.text, and_list(&called));
    let ids = relatives.into_iter().map(|(id, _)| id).collect();
    Ok(Some((about(question, at, ids), lead)))
}

/// The question about other devices.
fn about(question: &Question, at: usize, devices: Vec<String>) -> Question {
    let mut question = question.clone();
    let clause = &mut question.clauses[at];
    for reading in &mut clause.readings {
        // They are not what was named.
        reading.read_as.values.clone_from(&devices);
        "exact".clone_into(&mut reading.read_as.how);
    }
    clause.condition = Condition::Facet(Facet::Device, devices);
    question
}
