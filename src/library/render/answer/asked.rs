//! Which entities a question names itself, so that they come before all others.

use std::collections::{BTreeMap, BTreeSet};

use crate::ask::answer::Answer;
use crate::model::{Facet, Field};
use crate::rows::JoinedRow;
use crate::values::EntityKind;

/// So many entities of a kind that were asked for are shown.
const MOST_ASKED: usize = 4;

/// The ids that the words of a question were read as, by kind, in the order of the question.
pub(super) struct AskedEntities<'a> {
    ids: BTreeMap<EntityKind, Vec<&'a str>>,
}

/// The ids that rows name.
pub(super) struct EntitiesOfRows<'a> {
    ids: BTreeSet<&'a str>,
}

impl<'a> EntitiesOfRows<'a> {
    pub(super) fn by(rows: &'a [JoinedRow]) -> Self {
        let fields = || Field::of_entities().map(|(field, _)| field);
        Self { ids: rows.iter().flat_map(|row| fields().filter_map(|field| row.recorded().text(field))).collect() }
    }
}

impl<'a> AskedEntities<'a> {
    pub(super) fn of(answer: &'a Answer) -> Self {
        let mut ids: BTreeMap<EntityKind, Vec<&str>> = BTreeMap::new();
        for read in answer.read_as.iter().filter(|read| !read.text.starts_with('-')) {
            let Some(kind) = read.facet.parse().ok().and_then(Facet::entity_kind) else { continue };
            // Of a family the first value is the family itself.
            let named = if read.how == "family" { 1 } else { read.values.len() };
            let ids = ids.entry(kind).or_default();
            for id in read.values.iter().take(named) {
                if !ids.contains(&id.as_str()) && ids.len() < MOST_ASKED {
                    ids.push(id);
                }
            }
        }
        Self { ids }
    }

    /// The entities that the question names, in its order; where it names none, at most `others` of those in the rows.
    pub(super) fn chosen<'e, E>(
        &self,
        kind: EntityKind,
        entities: &'e [E],
        id: impl Fn(&E) -> &str,
        rows: &EntitiesOfRows<'_>,
        others: usize,
    ) -> Vec<&'e E> {
        let asked = self.ids.get(&kind).into_iter().flatten();
        let named: Vec<&E> =
            asked.filter_map(|asked| entities.iter().find(|entity| id(entity) == *asked)).take(MOST_ASKED).collect();
        if !named.is_empty() {
            return named;
        }
        entities.iter().filter(|entity| rows.ids.contains(id(entity))).take(others).collect()
    }
}
