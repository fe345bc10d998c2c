//! The kinds of entities that can be listed, and what they are called.

use super::wording::Names;
use crate::ask::question::{QueryError, Question};
use crate::model::{Aspect, Fact};
use crate::stores::Stores;
use crate::values::EntityKind;

/// What people call an entity; a source is known by its id.
pub(in crate::ask::conclude) fn name_of(
    stores: &Stores,
    names: &mut Names,
    kind: EntityKind,
    id: &str,
) -> Result<String, QueryError> {
    match aspect_of(kind) {
        Some(aspect) => names.of(aspect, id, stores),
        None => Ok(id.to_owned()),
    }
}

/// The aspect of rows that names entities of a kind.
pub(in crate::ask::conclude) fn aspect_of(kind: EntityKind) -> Option<Aspect> {
    match kind {
        EntityKind::HardwareClass => Some(Aspect::Fact(Fact::Class)),
        kind => Aspect::of_entities().find(|(_, of)| *of == kind).map(|(aspect, _)| aspect),
    }
}

/// The kind of entities that an aspect of rows names.
pub(in crate::ask::conclude) fn kind_of(aspect: Aspect) -> Option<EntityKind> {
    match aspect {
        Aspect::Fact(Fact::Class) => Some(EntityKind::HardwareClass),
        aspect => Aspect::of_entities().find(|(of, _)| *of == aspect).map(|(_, kind)| kind),
    }
}

/// What several entities of a kind are called: `data sets`.
pub(in crate::ask::conclude) fn plural(kind: EntityKind) -> String {
    if kind == EntityKind::Dataset { "data sets".to_owned() } else { kind.plural().replace('-', " ") }
}

/// The kind of entities that a list is of, where it is of entities.
pub(in crate::ask::conclude) fn kind_listed(question: &Question) -> Option<EntityKind> {
    question.about.or_else(|| question.wanted.candidates.and_then(kind_of))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::model::Field;

    #[test]
    fn kinds_and_aspects_name_each_other() {
        for kind in [EntityKind::Device, EntityKind::Network, EntityKind::HardwareClass, EntityKind::Source] {
            assert_eq!(aspect_of(kind).and_then(kind_of), Some(kind));
        }
        assert_eq!(kind_of(Aspect::Field(Field::Precision)), None);
    }
}
