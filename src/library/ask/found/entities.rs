//! Finds the entities of one kind that a question is about: the same language, restricted to the catalog.

use super::interpreted::interpret;
use crate::ask::execute::{Remark, condition};
use crate::ask::parse::{Filter, GrammarError, QueryError, print, print_filter};
use crate::stores::Stores;
use crate::stores::index::DocumentKind;
use crate::values::EntityKind;

/// The entities of a kind that match a question.
#[derive(Debug, Clone, PartialEq)]
pub struct EntitiesFound {
    /// The ids, sorted.
    pub ids: Vec<String>,
    /// The question in the explicit language.
    pub equivalent: String,
    /// The requested number of entities.
    pub limit: Option<usize>,
    /// How many entities to skip.
    pub offset: Option<usize>,
    /// Remarks on how the question was read.
    pub remarks: Vec<Remark>,
    /// Filters that no entity of the kind meets, although measurements may.
    pub unmet: Vec<String>,
}

/// The entities of one kind that match a question; all of them if the question is empty.
///
/// # Errors
///
/// A mistake in the question with its position, or a store failure.
pub fn entities(stores: &Stores, kind: EntityKind, text: &str) -> Result<EntitiesFound, QueryError> {
    let asked = interpret(stores, text)?;
    if asked.question.sort.is_some() {
        return Err(GrammarError {
            message: "a table of the catalog has another order".to_owned(),
            span: 0..text.len(),
            label: "an order of measurements".to_owned(),
            help: Some("--sort COLUMN orders a table of the catalog".to_owned()),
        }
        .into());
    }
    let mut ids = stores.index.entities(kind, &asked.condition)?;
    ids.sort_unstable();
    let mut unmet = Vec::new();
    if ids.is_empty() {
        for term in &asked.question.subject.terms {
            let alone = Filter { terms: vec![term.clone()] };
            if stores.index.count(DocumentKind::Entity(kind), &condition(stores, &alone)?)? == 0 {
                unmet.push(print_filter(&alone));
            }
        }
    }
    Ok(EntitiesFound {
        ids,
        equivalent: print(&asked.question),
        limit: asked.question.take,
        offset: asked.question.skip,
        remarks: asked.remarks,
        unmet,
    })
}
