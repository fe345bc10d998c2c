//! The question as a value: the single representation of every query. Later stages never see the text.

use std::ops::Bound;

use serde::{Deserialize, Serialize};
use strum::{Display, EnumString, IntoStaticStr, VariantArray};

use super::span::Span;
use crate::model::{Aspect, Derived, Facet, Fact, Field, FieldType, Metric};

/// A parsed question. `parse(print(question)) == question`, except for `spans`.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Question {
    /// Conditions that every row or entity in the answer must meet.
    pub subject: Filter,
    /// The sides of a comparison, in word order: none, or two or more. Each side is combined (AND) with `subject`.
    pub sides: Vec<Filter>,
    /// The requested quantities, in word order.
    pub wants: Vec<Quantity>,
    /// The kind of item ranked or listed, one per line: devices, networks, precisions …
    pub of: Option<Key>,
    /// The axis of a series.
    pub along: Option<Aspect>,
    /// The key that splits a series into lines, one line per value.
    pub lines: Option<Key>,
    /// How candidates are ordered.
    pub order: Option<Order>,
    /// The reference that candidates must be better (or worse) than.
    pub beyond: Option<Beyond>,
    /// Which networks' rows count as evidence besides the requested ones.
    pub reach: Reach,
    /// Whether this is a yes/no question (`does JAX support TPUs`): yes if any row or fact meets the subject.
    pub holds: bool,
    /// The kind of answer.
    pub ask: Ask,
    /// Maximum number of candidates or rows to return (`take:5`, `limit:5`).
    pub take: Option<usize>,
    /// Number of rows to skip (`offset:20`).
    pub skip: Option<usize>,
    /// The sort order of the rows shown (`sort:-throughput`): the aspect, and whether it is descending.
    pub sort: Option<(Aspect, bool)>,
    /// How each word was read. Spans tile the words: every word lies in exactly one.
    pub spans: Vec<Span>,
}

impl Question {
    /// The requested quantities, followed by the quantity of the order.
    pub(in crate::ask) fn quantities(&self) -> impl Iterator<Item = &Quantity> {
        self.wants.iter().chain(self.order.iter().map(|order| &order.by))
    }
}

/// Which rows count as evidence on candidates, besides those of the requested networks.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default, Display, EnumString, IntoStaticStr, Serialize)]
#[serde(rename_all = "kebab-case")]
#[strum(serialize_all = "kebab-case")]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub enum Reach {
    /// The rows of all networks of the same task.
    #[default]
    Task,
    /// The rows of the same network family.
    Family,
    /// No other rows.
    Network,
}

/// The kind of answer.
#[derive(
    Debug,
    Clone,
    Copy,
    PartialEq,
    Eq,
    Hash,
    Default,
    Serialize,
    Deserialize,
    Display,
    EnumString,
    IntoStaticStr,
    VariantArray,
)]
#[serde(rename_all = "kebab-case")]
#[strum(serialize_all = "kebab-case")]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub enum Ask {
    /// The numbers measured under some conditions: `fp16 V100 resnet152`.
    #[default]
    Lookup,
    /// A ranking of candidates: `fastest GPU for training resnet50`.
    Rank,
    /// A comparison of two or more sides: `3090 vs V100 training`.
    Compare,
    /// The values along an axis: `resnet50 A100 by device-count`, `fp16 speedup T4`.
    Along,
    /// A fact of the catalog: `V100 tdp`.
    Fact,
    /// A grade of a hardware class: `fpga energy efficiency`.
    Grade,
    /// The entities (or values) that meet conditions: `frameworks tested on lstm`.
    List,
    /// What is known about an entity: `fpga`.
    Overview,
    /// Whether a network's weights fit a memory: `llama-3-70b on 2x A100`.
    Fits,
}

/// A conjunction of terms. An empty filter matches everything.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Filter {
    /// The terms, in word order.
    pub terms: Vec<Term>,
}

impl Filter {
    /// Builds a filter without repeated terms.
    pub fn of(terms: impl IntoIterator<Item = Term>) -> Self {
        let mut known: Vec<Term> = Vec::new();
        terms.into_iter().for_each(|term| known.extend(Some(term).filter(|term| !known.contains(term))));
        Self { terms: known }
    }

    /// The conjunction of both filters.
    pub(in crate::ask) fn and(&self, other: &Self) -> Self {
        Self { terms: [self.terms.as_slice(), &other.terms].concat() }
    }

    /// This filter with one more term.
    pub(in crate::ask) fn with(&self, term: Term) -> Self {
        self.and(&Self { terms: vec![term] })
    }

    /// This filter without the term at index `at`.
    pub(in crate::ask) fn without(&self, at: usize) -> Self {
        Self { terms: [&self.terms[..at], &self.terms[at + 1..]].concat() }
    }

    /// This filter reduced to the terms for which `passes` is true.
    pub(in crate::ask) fn only(&self, passes: impl Fn(&Term) -> bool) -> Self {
        Self { terms: self.terms.iter().filter(|term| passes(term)).cloned().collect() }
    }

    /// The top-level tests, without those in alternatives and negations.
    pub(in crate::ask) fn tests(&self) -> impl Iterator<Item = &Test> + Clone {
        self.terms.iter().filter_map(Term::test)
    }

    /// The top-level tests, mutable.
    pub(super) fn tests_mut(&mut self) -> impl Iterator<Item = &mut Test> {
        self.terms.iter_mut().filter_map(|term| if let Term::Test(test) = term { Some(test) } else { None })
    }

    /// Whether a top-level test has this key.
    pub(in crate::ask) fn has(&self, key: impl Into<Key>) -> bool {
        let key = key.into();
        self.tests().any(|test| test.key == key)
    }

    /// Whether a top-level test is of one of these facets.
    pub(in crate::ask) fn has_any(&self, facets: &[Facet]) -> bool {
        self.terms.iter().any(|term| term.facet().is_some_and(|facet| facets.contains(&facet)))
    }

    /// The values that top-level tests list for a key.
    pub(in crate::ask) fn names(&self, key: impl Into<Key>) -> impl Iterator<Item = &String> {
        let key = key.into();
        self.terms.iter().flat_map(move |term| term.names(key.clone()))
    }

    /// Every test, including those in alternatives and negations.
    pub(in crate::ask) fn all_tests(&self) -> Vec<&Test> {
        self.terms.iter().flat_map(Term::all_tests).collect()
    }
}

impl From<Test> for Filter {
    fn from(test: Test) -> Self {
        Self { terms: vec![Term::Test(test)] }
    }
}

/// One condition of a filter.
#[derive(Debug, Clone, PartialEq)]
pub enum Term {
    /// A test of one key.
    Test(Test),
    /// A negated filter.
    Not(Filter),
    /// Alternatives (OR) of two or more filters.
    Any(Vec<Filter>),
}

impl Term {
    /// A term that tests one key.
    pub(in crate::ask) fn of(key: impl Into<Key>, is: Is) -> Self {
        Self::Test(Test { key: key.into(), is })
    }

    /// Whether the term is a plain test of this key.
    pub(in crate::ask) fn is_of(&self, key: impl Into<Key>) -> bool {
        self.test().is_some_and(|test| test.key == key.into())
    }

    /// The values that the term lists for a key; empty unless it is a plain test of that key.
    pub(in crate::ask) fn names(&self, key: impl Into<Key>) -> &[String] {
        self.test().filter(|test| test.key == key.into()).map_or(&[], Test::values)
    }

    /// The test, if the term is a plain test.
    pub(in crate::ask) fn test(&self) -> Option<&Test> {
        if let Self::Test(test) = self { Some(test) } else { None }
    }

    /// The facet under test, if the term is a plain test of a facet.
    pub(super) fn facet(&self) -> Option<Facet> {
        self.test()?.facet()
    }

    /// Every test in the term, including nested ones.
    pub(in crate::ask) fn all_tests(&self) -> Vec<&Test> {
        match self {
            Self::Test(test) => vec![test],
            Self::Not(filter) => filter.all_tests(),
            Self::Any(filters) => filters.iter().flat_map(Filter::all_tests).collect(),
        }
    }
}

/// A test of one key.
#[derive(Debug, Clone, PartialEq)]
pub struct Test {
    /// The key under test.
    pub key: Key,
    /// The condition on the key's value.
    pub is: Is,
}

impl Test {
    /// A test that the key has this value.
    pub(super) fn one(key: Key, value: impl Into<String>) -> Self {
        Self { key, is: Is::OneOf(vec![value.into()]) }
    }

    /// A test that the key is stated.
    pub(super) fn stated(key: Key) -> Self {
        Self { key, is: Is::Stated }
    }

    /// The facet under test, if the key is a facet.
    pub(super) fn facet(&self) -> Option<Facet> {
        if let Key::Facet(facet) = self.key { Some(facet) } else { None }
    }

    /// The accepted values; empty for numeric tests and for [`Is::Stated`].
    pub(in crate::ask) fn values(&self) -> &[String] {
        if let Is::OneOf(values) = &self.is { values } else { &[] }
    }
}

/// What a test or a list refers to. Keys are spelled as in filters (`device`, `batch-size`, `memory`, `energy-efficiency`).
#[derive(Debug, Clone, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Key {
    /// A facet; if a facet and an aspect share a key (`device`), the facet wins.
    Facet(Facet),
    /// Any other field, metric, derived measure or fact.
    Aspect(Aspect),
    /// The id of a metric by which hardware classes are graded.
    Grade(String),
    /// The number of rows of a listed entity (`rows>=100`).
    Rows,
    /// The number of independent sources of a listed entity (`sources>=3`).
    Sources,
    /// Text search (`text:"half precision"`).
    Text,
}

impl From<Facet> for Key {
    fn from(facet: Facet) -> Self {
        Self::Facet(facet)
    }
}

impl From<Field> for Key {
    fn from(field: Field) -> Self {
        // The backend field shares the framework facet, but the backend of a row is not its framework.
        let own = field.facet().filter(|facet| facet.key() == field.key());
        own.map_or(Self::Aspect(Aspect::Field(field)), Self::Facet)
    }
}

impl From<Fact> for Key {
    fn from(fact: Fact) -> Self {
        Self::Aspect(Aspect::Fact(fact))
    }
}

impl From<Metric> for Key {
    fn from(metric: Metric) -> Self {
        Self::Aspect(Aspect::Metric(metric))
    }
}

impl Key {
    /// The key as written in a filter.
    pub fn key(&self) -> &str {
        match self {
            Self::Facet(facet) => facet.key(),
            Self::Aspect(aspect) => aspect.key(),
            Self::Grade(id) => id,
            Self::Rows => "rows",
            Self::Sources => "sources",
            Self::Text => "text",
        }
    }

    /// Whether its values are versions, dates or free text, which may start with a comparison operator: `cuda>=11`.
    pub(super) fn has_versions(&self) -> bool {
        match self {
            Self::Aspect(Aspect::Field(field)) => !matches!(field.kind(), FieldType::Entity(_) | FieldType::Word(_)),
            Self::Aspect(Aspect::Fact(fact)) => fact.is_version(),
            _ => false,
        }
    }
}

/// The condition on a key's value.
#[derive(Debug, Clone, PartialEq)]
pub enum Is {
    /// One of these values, spelled as in the index. The plan adds the members of a family, and `amp-fp16` to `fp16`.
    OneOf(Vec<String>),
    /// A number within bounds, in the key's own unit; a date is compared by its year.
    Within(Bound<f64>, Bound<f64>),
    /// The key has any value.
    Stated,
}

impl Is {
    /// Exactly one number.
    pub fn exactly(value: f64) -> Self {
        Self::range(value, value)
    }

    /// A range that includes both ends.
    pub(super) fn range(low: f64, high: f64) -> Self {
        Self::Within(Bound::Included(low), Bound::Included(high))
    }

    /// A range from one number upwards, including it.
    pub(super) fn at_least(low: f64) -> Self {
        Self::Within(Bound::Included(low), Bound::Unbounded)
    }

    /// The number, if the condition allows exactly one.
    pub(in crate::ask) fn single(&self) -> Option<f64> {
        match self {
            Self::Within(Bound::Included(low), Bound::Included(high)) if low == high => Some(*low),
            _ => None,
        }
    }
}

/// A quantity that a question can ask for.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub enum Quantity {
    /// Speed, in whichever metric the rows have.
    Speed,
    /// A measured metric.
    Metric(Metric),
    /// A measure derived from metrics and facts.
    Derived(Derived),
    /// A fact of an entity.
    Fact(Fact),
    /// The ratio of two facts of an entity: memory bandwidth per dollar.
    Ratio(Fact, Fact),
    /// A field of the rows: which CUDA, which batch sizes.
    Field(Field),
    /// The id of a metric by which hardware classes are graded.
    HardwareMetric(String),
    /// The id of a metric by which the survey compares frameworks.
    FrameworkMetric(String),
    /// The number of rows.
    Rows,
    /// The number of sources.
    Sources,
    /// The principles of benchmarking.
    Principles,
    /// The criteria by which hardware and frameworks are compared.
    Criteria,
}

impl Quantity {
    /// Whether this is the cost of a whole run.
    pub fn is_cost(&self) -> bool {
        use Derived::{CostPerEpochUsd, CostToAccuracyUsd};
        matches!(self, Self::Metric(Metric::CostUsd) | Self::Derived(CostPerEpochUsd | CostToAccuracyUsd))
    }
}

/// The order of candidates.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Order {
    /// Which end comes first.
    pub end: End,
    /// The quantity to order by; [`Quantity::Speed`] if the words do not say.
    pub by: Quantity,
}

/// Which end of an order comes first.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Display, EnumString, IntoStaticStr, Serialize)]
#[serde(rename_all = "kebab-case")]
#[strum(serialize_all = "kebab-case")]
pub enum End {
    /// The better one, by the quantity's direction.
    Best,
    /// The worse one.
    Worst,
    /// The larger one.
    Most,
    /// The smaller one.
    Least,
}

/// The reference that candidates must be better or worse than: `gpus faster than a V100`.
#[derive(Debug, Clone, PartialEq)]
pub struct Beyond {
    /// The filter that selects the reference.
    pub than: Filter,
    /// Whether candidates must be better than the reference, not worse.
    pub better: bool,
}
