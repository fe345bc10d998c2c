//! A question about entities of one kind alone: the same language, restricted to the catalog.

use super::words::Words;
use crate::ask::execute::condition;
use crate::ask::parse::{Filter, GrammarError, QueryError, parse, print};
use crate::rows::EntityCache;
use crate::stores::Stores;
use crate::stores::index::DocumentKind;
use crate::values::EntityKind;

/// The entities of a kind that a question is about.
#[derive(Debug, Clone, PartialEq)]
pub struct EntitiesFound {
    /// Their ids, sorted.
    pub ids: Vec<String>,
    /// The question in the explicit language.
    pub equivalent: String,
    /// How many are wanted.
    pub limit: Option<usize>,
    /// How many are passed over.
    pub offset: Option<usize>,
    /// What must be said about the reading.
    pub notes: Vec<String>,
    /// Parts of the question that no entity of the kind meets, though each may be about measurements.
    pub unmet: Vec<String>,
}

/// The entities of one kind that a question is about; an empty one is about all.
///
/// # Errors
///
/// A mistake in the question with its place, or a failing store.
pub fn entities(stores: &Stores, kind: EntityKind, question: &str) -> Result<EntitiesFound, QueryError> {
    let asked = parse(question, &stores.database)?;
    if asked.sort.is_some() {
        return Err(GrammarError {
            message: "a table of the catalog has another order".to_owned(),
            span: 0..question.len(),
            label: "an order of measurements".to_owned(),
            help: Some("--sort COLUMN orders a table of the catalog".to_owned()),
        }
        .into());
    }
    let mut ids = stores.index.entities(kind, &condition(stores, &asked.subject)?)?;
    ids.sort_unstable();
    let mut unmet = Vec::new();
    if ids.is_empty() {
        let names = EntityCache::default();
        let words = Words { names: &names };
        for term in &asked.subject.terms {
            let alone = Filter { terms: vec![term.clone()] };
            if stores.index.count(DocumentKind::Entity(kind), &condition(stores, &alone)?)? == 0 {
                unmet.push(words.filter(&alone));
            }
        }
    }
    let unread: Vec<&str> =
        asked.spans.iter().filter(|span| span.how.is_unread()).map(|span| span.text.as_str()).collect();
    let notes = (!unread.is_empty()).then(|| format!("Not read: {}.", unread.join(", ")));
    Ok(EntitiesFound {
        ids,
        equivalent: print(&asked),
        limit: asked.take,
        offset: asked.skip,
        notes: notes.into_iter().collect(),
        unmet,
    })
}
