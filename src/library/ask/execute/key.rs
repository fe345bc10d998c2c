//! What the keys of a question select: its tests by their keys, fields that may vary, columns of rows, the subjects of entries.

use std::ops::Bound;

use indexmap::IndexMap;

use crate::ask::parse::{End, Filter, Is, Key, Term, Test};
use crate::model::{Aspect, Direction, Facet, Fact, Field, FieldType, Value};

impl From<Facet> for Key {
    fn from(facet: Facet) -> Self {
        Self::Facet(facet)
    }
}

impl From<Field> for Key {
    fn from(field: Field) -> Self {
        field.facet().map_or(Self::Aspect(Aspect::Field(field)), Self::Facet)
    }
}

impl From<Fact> for Key {
    fn from(fact: Fact) -> Self {
        Self::Aspect(Aspect::Fact(fact))
    }
}

impl Term {
    /// A test of a key.
    pub(in crate::ask) fn of(key: impl Into<Key>, is: Is) -> Self {
        Self::Test(Test { key: key.into(), is })
    }

    /// Whether it is a test of a key.
    pub(in crate::ask) fn is_of(&self, key: impl Into<Key>) -> bool {
        self.test().is_some_and(|test| test.key == key.into())
    }

    /// Whether it is a test of one of some facets.
    pub(in crate::ask) fn is_of_any(&self, facets: &[Facet]) -> bool {
        matches!(self, Self::Test(Test { key: Key::Facet(facet), .. }) if facets.contains(facet))
    }

    /// The values of a key that it names.
    pub(in crate::ask) fn names(&self, key: impl Into<Key>) -> &[String] {
        match self.test() {
            Some(Test { key: tested, is: Is::OneOf(names) }) if *tested == key.into() => names,
            _ => &[],
        }
    }
}

impl Filter {
    /// What both say.
    pub(in crate::ask) fn and(&self, other: &Self) -> Self {
        Self { terms: [self.terms.as_slice(), &other.terms].concat() }
    }

    /// The same with one more term.
    pub(in crate::ask) fn with(&self, term: Term) -> Self {
        self.and(&Self { terms: vec![term] })
    }

    /// The same without the term at a place.
    pub(in crate::ask) fn without(&self, at: usize) -> Self {
        Self { terms: [&self.terms[..at], &self.terms[at + 1..]].concat() }
    }

    /// Those of its terms that pass.
    pub(in crate::ask) fn only(&self, passes: impl Fn(&Term) -> bool) -> Self {
        Self { terms: self.terms.iter().filter(|term| passes(term)).cloned().collect() }
    }

    /// Its tests, those of alternatives and exclusions aside.
    pub(in crate::ask) fn tests(&self) -> impl Iterator<Item = &Test> + Clone {
        self.terms.iter().filter_map(Term::test)
    }

    /// Whether it tests a key.
    pub(in crate::ask) fn has(&self, key: impl Into<Key>) -> bool {
        let key = key.into();
        self.tests().any(|test| test.key == key)
    }

    /// Whether it tests one of some facets.
    pub(in crate::ask) fn has_any(&self, facets: &[Facet]) -> bool {
        self.terms.iter().any(|term| term.is_of_any(facets))
    }

    /// The values of a key that it names.
    pub(in crate::ask) fn names(&self, key: impl Into<Key>) -> impl Iterator<Item = &String> {
        let key = key.into();
        self.terms.iter().flat_map(move |term| term.names(key.clone()))
    }
}

impl End {
    /// Whether the largest comes first, of values of which the better ones are in this direction.
    pub(super) fn is_largest(self, better: Direction) -> bool {
        match self {
            Self::Most => true,
            Self::Least => false,
            Self::Best => better != Direction::Lower,
            Self::Worst => better == Direction::Lower,
        }
    }
}

/// The fields in which sides may differ, by the keys that select them.
pub(super) fn varied_by_sides(sides: &[Filter]) -> Vec<Field> {
    fn add(filter: &Filter, fields: &mut Vec<Field>) {
        for term in &filter.terms {
            match term {
                Term::Test(test) => fields.extend(varied_by(&test.key)),
                Term::Not(filter) => add(filter, fields),
                Term::Any(any) => any.iter().for_each(|filter| add(filter, fields)),
            }
        }
    }
    let mut fields = Vec::new();
    sides.iter().for_each(|side| add(side, &mut fields));
    fields.sort_unstable();
    fields.dedup();
    fields
}

/// The fields in which two sides may differ that such a key selects.
pub(in crate::ask) fn varied_by(key: &Key) -> Vec<Field> {
    use Facet::*;
    match key {
        Key::Facet(Device | Class | Vendor | Architecture) => vec![Field::Device],
        Key::Facet(Instance) => vec![Field::Instance, Field::Device, Field::DeviceCount],
        Key::Facet(Framework | License | Language | MultiServer | Hardware | Maturity) => vec![Field::Framework],
        Key::Facet(Network | Task) => vec![Field::Network],
        Key::Facet(Source | Year | Metric | Status | Outcome | Standing) => Vec::new(),
        Key::Facet(facet) => facet.key().parse().into_iter().collect(),
        // What a recipe leaves of the weights follows from it.
        Key::Aspect(Aspect::Field(Field::Quantization)) => {
            vec![Field::Quantization, Field::WeightFormat, Field::Precision]
        }
        Key::Aspect(Aspect::Field(field)) => vec![*field],
        Key::Aspect(Aspect::Fact(fact)) => fact.naming_fields().take(1).collect(),
        _ => Vec::new(),
    }
}

/// What selects a side, by the keys of filters.
pub(in crate::ask) fn subjects_of(filter: &Filter) -> IndexMap<String, Value> {
    let mut subjects = IndexMap::new();
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
            let value = match text.parse() {
                Ok(count) if is_count => Value::Count(count),
                _ => Value::Text(text.into()),
            };
            subjects.entry(test.key.key().to_owned()).or_insert(value);
        }
    }
    subjects
}

/// Bounds as a filter has them: `16..`, `..32`, `8..16`.
fn in_bounds(low: Bound<f64>, high: Bound<f64>) -> String {
    let end = |bound: Bound<f64>| match bound {
        Bound::Included(value) | Bound::Excluded(value) => value.to_string(),
        Bound::Unbounded => String::new(),
    };
    let (low, high) = (end(low), end(high));
    if low == high { low } else { format!("{low}..{high}") }
}

/// The column of rows that a key names.
pub(super) fn aspect_of(key: &Key) -> Option<Aspect> {
    match key {
        Key::Aspect(aspect) => Some(*aspect),
        Key::Facet(facet) => Aspect::keyed(facet.key()),
        _ => None,
    }
}

/// The field of rows that a key tests.
pub(super) fn field_of(key: &Key) -> Option<Field> {
    match aspect_of(key)? {
        Aspect::Field(field) => Some(field),
        _ => None,
    }
}
