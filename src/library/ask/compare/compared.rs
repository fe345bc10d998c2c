//! From a question to the table that compares the measurements it finds.

use super::labels::name;
use super::{CompareError, CompareRequest, Pivot, PivotAxis, pivot};
use crate::ask::axes::InferredAxes;
use crate::ask::found::{Interpreted, interpret};
use crate::ask::parse::{Is, Term, print_test};
use crate::model::Aspect;
use crate::rows::EntityCache;
use crate::stores::Stores;

/// A comparison, and how its question was understood.
#[derive(Debug, Clone)]
pub struct Compared {
    /// The question as it was understood.
    pub asked: Interpreted,
    /// The axes of rows and columns, if they were inferred rather than requested.
    pub inferred: Option<(Vec<PivotAxis>, Vec<PivotAxis>)>,
    /// The table.
    pub pivot: Pivot,
}

/// Pivots all measurements that a question finds. If the request states neither rows nor columns, both are inferred from the
/// question and from what it finds.
///
/// # Errors
///
/// Fails if the question has a syntax error, the request cannot be met, or a store fails.
pub fn compare(stores: &Stores, question: &str, request: &CompareRequest) -> Result<Compared, CompareError> {
    let asked = interpret(stores, question)?;
    let mut request = request.clone();
    let mut inferred = None;
    if request.rows.is_empty() && request.columns.is_empty() {
        let (rows, columns) = InferredAxes::of(stores, &asked)?.table();
        request.rows = rows.into_iter().map(PivotAxis::Aspect).collect();
        request.columns = columns.into_iter().map(PivotAxis::Aspect).collect();
        inferred = Some((request.rows.clone(), request.columns.clone()));
    }
    request.rows.retain(|axis| !request.groups.contains(axis));
    if request.rows.is_empty() {
        return Err(CompareError::request(
            "a comparison needs rows",
            "--rows framework, --rows device, --rows device,batch-size; two ids give a verdict on two measurements",
        ));
    }
    request.rows.splice(..0, request.groups.iter().copied());
    let mut pivot = pivot(stores, &asked.condition, &request)?;
    pivot.subjects = subjects_in_words(stores, &asked, &request)?;
    Ok(Compared { asked, inferred, pivot })
}

/// The question's filters in words with display names (sources by id), without those on row and column axes.
fn subjects_in_words(
    stores: &Stores,
    asked: &Interpreted,
    request: &CompareRequest,
) -> Result<Vec<(String, String)>, CompareError> {
    let mut entities = EntityCache::default();
    let mut named: Vec<(String, String)> = Vec::new();
    let question = &asked.question;
    for term in question.subject.terms.iter().chain(question.sides.iter().flat_map(|side| &side.terms)) {
        let Term::Test(test) = term else { continue };
        let Some(aspect) = Aspect::keyed(test.key.key()) else { continue };
        let axis = PivotAxis::Aspect(aspect);
        if request.rows.contains(&axis) || request.columns.contains(&axis) {
            continue;
        }
        let words = match &test.is {
            // The renderer replaces source ids by author names.
            Is::OneOf(ids) if aspect == Aspect::Source => ids.join(", "),
            Is::OneOf(values) => {
                let name = |value: &String| Ok(aspect.in_words(&name(&mut entities, stores, aspect, value)?));
                values.iter().map(name).collect::<Result<Vec<String>, CompareError>>()?.join(", ")
            }
            Is::Within(..) | Is::Stated => print_test(test),
        };
        match named.iter_mut().find(|(key, _)| key == aspect.key()) {
            Some((_, known)) if known.split(", ").any(|known| known == words) => {}
            Some((_, known)) => known.push_str(&format!(", {words}")),
            None => named.push((aspect.key().to_owned(), words)),
        }
    }
    Ok(named)
}
