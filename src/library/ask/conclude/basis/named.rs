//! Which entities a question names, with the members of families, in the order of the question.

use crate::ask::question::{QueryError, Question, ReadAs};
use crate::model::Facet;
use crate::stores::Stores;
use crate::values::EntityKind;

/// More devices than this that one word names say nothing together.
const MOST_TOGETHER: usize = 8;

/// An entity that a question names.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct NamedEntity {
    /// Its kind.
    pub kind: EntityKind,
    /// Its id; of a family that of the family.
    pub id: String,
    /// What descends from it; empty where it is no family.
    pub members: Vec<String>,
}

/// The entities that the words of a question name. What it leaves out is not among them.
///
/// # Errors
///
/// When a store fails.
pub fn named_entities(stores: &Stores, question: &Question) -> Result<Vec<NamedEntity>, QueryError> {
    named_by(stores, question.read_as())
}

/// The entity that each side of a comparison names first; fewer than there are sides where one names none.
///
/// # Errors
///
/// When a store fails.
pub fn named_sides(stores: &Stores, question: &Question) -> Result<Vec<NamedEntity>, QueryError> {
    let mut sides = Vec::new();
    for side in &question.wanted.sides {
        let named = named_by(stores, side.readings.iter().map(|reading| &reading.read_as))?;
        // One of several stands for none of the others.
        let Some(first) = named.first() else { continue };
        if named[1..].iter().all(|other| other.kind != first.kind) {
            sides.push(first.clone());
        } else if named.len() <= MOST_TOGETHER
            && let [reading] = side.readings.as_slice()
            && reading.read_as.facet == subject_key(first.kind)
        {
            // One name of a few, such as the forms of the A100 with 40 GB: what they state goes together.
            let members: Vec<String> = named.iter().map(|one| one.id.clone()).collect();
            sides.push(NamedEntity { kind: first.kind, id: members.join(","), members });
        }
    }
    Ok(sides)
}

fn named_by<'r>(stores: &Stores, readings: impl Iterator<Item = &'r ReadAs>) -> Result<Vec<NamedEntity>, QueryError> {
    let mut named: Vec<NamedEntity> = Vec::new();
    for read in readings.filter(|read| !read.text.starts_with('-')) {
        let Some(kind) = read.facet.parse().ok().and_then(Facet::entity_kind) else { continue };
        // Of a family the first value is the family itself; else one word may be the name of several.
        let heads = if is_one_family(stores, kind, read)? { 1 } else { read.values.len() };
        for id in read.values.iter().take(heads) {
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

/// Whether a word names a family, which is the first of its values, and nothing besides its members.
pub(in crate::ask::conclude) fn is_one_family(
    stores: &Stores,
    kind: EntityKind,
    read: &ReadAs,
) -> Result<bool, QueryError> {
    let Some(head) = read.values.first().filter(|_| read.how == "family") else { return Ok(false) };
    let members = stores.database.descendants(kind, head)?;
    Ok(read.values.iter().all(|value| members.contains(value)))
}

/// The key by which filters and entries name an entity of a kind.
pub fn subject_key(kind: EntityKind) -> &'static str {
    Facet::of_entities(kind).key()
}
