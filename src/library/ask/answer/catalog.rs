//! A question about entities of one kind alone: the same grammar, restricted to the catalog.

use crate::ask::question::{GrammarError, QueryError, understand};
use crate::rows::Note;
use crate::stores::Stores;
use crate::stores::index::DocumentKind;
use crate::values::EntityKind;

/// The entities of a kind that a question is about.
#[derive(Debug, Clone, PartialEq)]
pub struct EntitiesFound {
    /// Their ids, sorted.
    pub ids: Vec<String>,
    /// The question in explicit filters.
    pub equivalent: String,
    /// How many are wanted, and how many are passed over.
    pub limit: Option<usize>,
    /// How many are passed over.
    pub offset: Option<usize>,
    /// What must be said about the reading.
    pub notes: Vec<Note>,
    /// Parts of the question that no entity of the kind meets, though each may be about measurements.
    pub unmet: Vec<String>,
}

/// The entities of one kind that meet a question; an empty one is met by all.
///
/// # Errors
///
/// A mistake in the question with its place, or a failing store.
pub fn entities(stores: &Stores, kind: EntityKind, question: &str) -> Result<EntitiesFound, QueryError> {
    let understood = understand(question, stores)?;
    if understood.sort.is_some() {
        return Err(GrammarError {
            message: "a table of the catalog has another order".to_owned(),
            span: 0..question.len(),
            label: "an order of measurements".to_owned(),
            help: Some("--sort COLUMN orders a table of the catalog".to_owned()),
        }
        .into());
    }
    let mut ids = stores.index.entities(kind, &understood.condition_without(None))?;
    ids.sort_unstable();
    let mut unmet = Vec::new();
    if ids.is_empty() {
        for clause in &understood.clauses {
            if stores.index.count(DocumentKind::Entity(kind), &clause.condition)? == 0 {
                unmet.push(clause.text.clone());
            }
        }
    }
    Ok(EntitiesFound {
        ids,
        equivalent: understood.equivalent(),
        limit: understood.limit,
        offset: understood.offset,
        notes: understood.notes,
        unmet,
    })
}
