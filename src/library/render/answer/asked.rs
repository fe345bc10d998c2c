//! Which entities a question names itself, so that they come before all others.

use std::collections::{BTreeMap, BTreeSet};

use crate::ask::answer::Answer;
use crate::ask::parse::{Is, Key, Term, Test};
use crate::model::Field;
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
        let mut asked = Self { ids: BTreeMap::new() };
        for filter in answer.asked.sides.iter().chain([&answer.asked.subject]) {
            for term in &filter.terms {
                if let Term::Test(Test { key: Key::Facet(facet), is: Is::OneOf(ids) }) = term
                    && let Some(kind) = facet.entity_kind()
                {
                    asked.add(kind, ids);
                }
            }
        }
        asked
    }

    fn add(&mut self, kind: EntityKind, named: &'a [String]) {
        let ids = self.ids.entry(kind).or_default();
        for id in named {
            if !ids.contains(&id.as_str()) && ids.len() < MOST_ASKED {
                ids.push(id);
            }
        }
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
