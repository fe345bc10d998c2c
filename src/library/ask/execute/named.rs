//! The entities that a question names.

use super::Subjects;
use crate::ask::parse::{Filter, Is, Key, QueryError, Term, Test};
use crate::model::{Facet, Value};
use crate::stores::Stores;
use crate::values::EntityKind;

/// An entity that a question names, with the members of a family.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct NamedEntity {
    pub kind: EntityKind,
    pub id: String,
    pub members: Vec<String>,
}

/// The entities that a filter names by their ids, in its order.
pub(super) fn named(stores: &Stores, filter: &Filter) -> Result<Vec<NamedEntity>, QueryError> {
    let mut named: Vec<NamedEntity> = Vec::new();
    for (kind, ids) in filter.terms.iter().filter_map(names_in) {
        for id in ids {
            if named.iter().any(|known| known.kind == kind && known.id == *id) {
                continue;
            }
            let mut members = stores.database.descendants(kind, id)?;
            members.retain(|member| member != id);
            named.push(NamedEntity { kind, id: id.clone(), members });
        }
    }
    Ok(named)
}

pub(super) fn names_in(term: &Term) -> Option<(EntityKind, &Vec<String>)> {
    match term.test()? {
        Test { key: Key::Facet(facet), is: Is::OneOf(ids) } => Some((facet.entity_kind()?, ids)),
        _ => None,
    }
}

/// An entity as the subject of an entry.
pub(super) fn subject(kind: EntityKind, id: &str) -> Subjects {
    named_so(Facet::of_entities(kind), id)
}

/// A value of a facet as the subject of an entry.
pub(super) fn named_so(facet: Facet, value: &str) -> Subjects {
    Subjects::from([(facet.key().to_owned(), Value::Text(value.into()))])
}
