//! What the keys of a question select: fields that may vary, columns of rows, entities, and subjects of entries.

use std::collections::BTreeSet;
use std::ops::Bound;

use super::Subjects;
use crate::ask::parse::{End, Filter, Is, Key, Result, Term, Test};
use crate::model::{Aspect, Direction, Facet, Field, FieldType, Value};
use crate::stores::Stores;
use crate::values::EntityKind;

impl End {
    /// Whether the largest value comes first, given the direction of better values.
    pub(super) fn is_largest(self, better: Direction) -> bool {
        match self {
            Self::Most => true,
            Self::Least => false,
            Self::Best => better != Direction::Lower,
            Self::Worst => better == Direction::Lower,
        }
    }
}

/// The fields in which sides may differ, derived from the keys that select the sides.
pub(super) fn varied_by_sides(sides: &[Filter]) -> Vec<Field> {
    let tests = sides.iter().flat_map(Filter::all_tests);
    let fields: BTreeSet<Field> = tests.flat_map(|test| varied_by(&test.key)).collect();
    fields.into_iter().collect()
}

/// The fields that may differ between sides selected by a key.
pub(in crate::ask) fn varied_by(key: &Key) -> Vec<Field> {
    use Facet::*;
    match key {
        Key::Facet(Device | Class | Vendor | Architecture) => vec![Field::Device],
        Key::Facet(Instance) => vec![Field::Instance, Field::Device, Field::DeviceCount],
        Key::Facet(Framework | License | Language | MultiServer | Hardware | Maturity) => vec![Field::Framework],
        Key::Facet(Network | Task) => vec![Field::Network],
        Key::Facet(Source | Year | Metric | Status | Outcome | Standing) => Vec::new(),
        Key::Facet(facet) => facet.key().parse().into_iter().collect(),
        // The quantization recipe determines the weight format.
        Key::Aspect(Aspect::Field(Field::Quantization)) => {
            vec![Field::Quantization, Field::WeightFormat, Field::Precision]
        }
        Key::Aspect(Aspect::Field(field)) => vec![*field],
        Key::Aspect(Aspect::Fact(fact)) => fact.naming_fields().take(1).collect(),
        _ => Vec::new(),
    }
}

/// The conditions that select a side, by filter key.
pub(in crate::ask) fn subjects_of(filter: &Filter) -> Subjects {
    let mut subjects = Subjects::new();
    for term in &filter.terms {
        let (tests, is_not) = match term {
            Term::Test(test) => (vec![test], false),
            Term::Not(filter) => (filter.tests().collect(), true),
            Term::Any(_) => continue,
        };
        for test in tests {
            let is_count = matches!(test.key, Key::Aspect(Aspect::Field(field)) if field.kind() == FieldType::Count);
            let text = match &test.is {
                Is::OneOf(values) => values.join(","),
                Is::Stated => "*".to_owned(),
                Is::Within(low, high) => in_bounds(*low, *high),
            };
            let text = if is_not { format!("-{text}") } else { text };
            let count = text.parse().ok().filter(|_| is_count);
            let value = count.map_or_else(|| Value::Text(text.into()), Value::Count);
            subjects.entry(test.key.key().to_owned()).or_insert(value);
        }
    }
    subjects
}

/// Bounds in filter syntax: `16..`, `..32`, `8..16`.
fn in_bounds(low: Bound<f64>, high: Bound<f64>) -> String {
    let end = |bound: Bound<f64>| match bound {
        Bound::Included(value) | Bound::Excluded(value) => value.to_string(),
        Bound::Unbounded => String::new(),
    };
    let (low, high) = (end(low), end(high));
    if low == high { low } else { format!("{low}..{high}") }
}

/// The column that a key refers to.
pub(super) fn aspect_of(key: &Key) -> Option<Aspect> {
    match key {
        Key::Aspect(aspect) => Some(*aspect),
        Key::Facet(facet) => Aspect::keyed(facet.key()),
        _ => None,
    }
}

/// The field that a key tests.
pub(super) fn field_of(key: &Key) -> Option<Field> {
    if let Aspect::Field(field) = aspect_of(key)? { Some(field) } else { None }
}

/// A named entity; `members` are the other entities of its family.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct NamedEntity {
    pub kind: EntityKind,
    pub id: String,
    pub members: Vec<String>,
}

/// The entities that a filter names by id, in the order of the filter.
pub(super) fn named(stores: &Stores, filter: &Filter) -> Result<Vec<NamedEntity>> {
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

/// The subjects of an entry about an entity.
pub(super) fn subject(kind: EntityKind, id: &str) -> Subjects {
    named_so(Facet::of_entities(kind), id)
}

/// The subjects of an entry about a value of a facet.
pub(super) fn named_so(facet: Facet, value: &str) -> Subjects {
    Subjects::from([(facet.key().to_owned(), Value::Text(value.into()))])
}
