//! Which entities a question names itself, so that they come before all others.

use std::collections::BTreeMap;

use crate::ask::query::Answer;
use crate::model::Facet;
use crate::values::EntityKind;

/// The ids that the words of a question were read as, by kind, in the order of the question.
pub(super) struct Asked<'a> {
    ids: BTreeMap<EntityKind, Vec<&'a str>>,
}

impl<'a> Asked<'a> {
    pub(super) fn of(answer: &'a Answer) -> Self {
        let mut ids: BTreeMap<EntityKind, Vec<&str>> = BTreeMap::new();
        for read in answer.read_as.iter().filter(|read| !read.text.starts_with('-')) {
            let Some(kind) = read.facet.parse().ok().and_then(Facet::entity_kind) else { continue };
            // Of a family the first value is the family itself.
            let named = if read.how == "family" { 1 } else { read.values.len() };
            ids.entry(kind).or_default().extend(read.values.iter().take(named).map(String::as_str));
        }
        Self { ids }
    }

    /// At most `most` of the entities that the question names, in its order; where it names none, `others` of them.
    pub(super) fn chosen<'e, E>(
        &self,
        kind: EntityKind,
        entities: &'e [E],
        id: impl Fn(&E) -> &str,
        most: usize,
        others: usize,
    ) -> Vec<&'e E> {
        let asked = self.ids.get(&kind).into_iter().flatten();
        let named: Vec<&E> =
            asked.filter_map(|asked| entities.iter().find(|entity| id(entity) == *asked)).take(most).collect();
        if named.is_empty() { entities.iter().take(others).collect() } else { named }
    }
}
