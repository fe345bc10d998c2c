//! The question as a value: the one form of everything that is asked. Nothing behind it sees the text.

use std::ops::Bound;

use serde::{Deserialize, Serialize};
use strum::{Display, EnumString, IntoStaticStr, VariantArray};

use super::span::Span;
use crate::model::{Aspect, Derived, Facet, Fact, Field, FieldType, Metric};

/// What is asked. `parse(print(question)) == question`, spans aside.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Question {
    /// What holds of every row or entity the answer is about.
    pub subject: Filter,
    /// What is set against each other, in the order of the words: none, or two or more. Each holds together with `subject`.
    pub sides: Vec<Filter>,
    /// What is to be known, in the order of the words.
    pub wants: Vec<Quantity>,
    /// What a ranking or a list has one line for: devices, networks, precisions …
    pub of: Option<Key>,
    /// The axis of a series.
    pub along: Option<Aspect>,
    /// What a series has one line for.
    pub lines: Option<Key>,
    /// The order of candidates.
    pub order: Option<Order>,
    /// Candidates must be better (or worse) than this.
    pub beyond: Option<Beyond>,
    /// Whose rows count as evidence beside those that are asked for.
    pub reach: Reach,
    /// Whether it is asked if something holds (`does JAX support TPUs`): yes if any row or fact meets the subject.
    pub holds: bool,
    /// The kind of answer.
    pub ask: Ask,
    /// How many candidates or rows are wanted (`take:5`, `limit:5`).
    pub take: Option<usize>,
    /// How many rows are passed over (`offset:20`).
    pub skip: Option<usize>,
    /// The order of the rows shown (`sort:-throughput`): aspect, and whether the largest comes first.
    pub sort: Option<(Aspect, bool)>,
    /// Where each word went. Spans tile the words: every word lies in exactly one.
    pub spans: Vec<Span>,
}

impl Question {
    /// What is to be known and what the order is by.
    pub(in crate::ask) fn quantities(&self) -> impl Iterator<Item = &Quantity> {
        self.wants.iter().chain(self.order.iter().map(|order| &order.by))
    }
}

/// Whose rows say something of candidates, beside those of the networks that are named.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default, Display, EnumString, IntoStaticStr, Serialize)]
#[serde(rename_all = "kebab-case")]
#[strum(serialize_all = "kebab-case")]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub enum Reach {
    /// Those of all networks of the same task.
    #[default]
    Task,
    /// Those of the same family of networks.
    Family,
    /// None.
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
    /// Candidates in order: `fastest GPU for training resnet50`.
    Rank,
    /// Two or more sides: `3090 vs V100 training`.
    Compare,
    /// A value along an axis: `resnet50 A100 by device-count`, `fp16 speedup T4`.
    Along,
    /// A fact of the catalog: `V100 tdp`.
    Fact,
    /// A grade of a hardware class: `fpga energy efficiency`.
    Grade,
    /// The entities (or values) that meet conditions: `frameworks tested on lstm`.
    List,
    /// What is known of an entity: `fpga`.
    Overview,
    /// Whether a network's weights fit a memory: `llama-3-70b on 2x A100`.
    Fits,
}

/// Terms that all hold. Empty: everything.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Filter {
    /// In the order of the words.
    pub terms: Vec<Term>,
}

impl Filter {
    /// A filter without repeated terms.
    pub fn of(terms: impl IntoIterator<Item = Term>) -> Self {
        let mut known: Vec<Term> = Vec::new();
        terms.into_iter().for_each(|term| known.extend(Some(term).filter(|term| !known.contains(term))));
        Self { terms: known }
    }

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

    /// Its tests, to change them.
    pub(super) fn tests_mut(&mut self) -> impl Iterator<Item = &mut Test> {
        self.terms.iter_mut().filter_map(|term| if let Term::Test(test) = term { Some(test) } else { None })
    }

    /// Whether it tests a key.
    pub(in crate::ask) fn has(&self, key: impl Into<Key>) -> bool {
        let key = key.into();
        self.tests().any(|test| test.key == key)
    }

    /// Whether it tests one of some facets.
    pub(in crate::ask) fn has_any(&self, facets: &[Facet]) -> bool {
        self.terms.iter().any(|term| term.facet().is_some_and(|facet| facets.contains(&facet)))
    }

    /// The values of a key that it names.
    pub(in crate::ask) fn names(&self, key: impl Into<Key>) -> impl Iterator<Item = &String> {
        let key = key.into();
        self.terms.iter().flat_map(move |term| term.names(key.clone()))
    }

    /// Every test in it, those of alternatives and of what must not hold among them.
    pub(in crate::ask) fn all_tests(&self) -> Vec<&Test> {
        self.terms.iter().flat_map(Term::all_tests).collect()
    }
}

impl From<Test> for Filter {
    fn from(test: Test) -> Self {
        Self { terms: vec![Term::Test(test)] }
    }
}

/// A part of a filter.
#[derive(Debug, Clone, PartialEq)]
pub enum Term {
    /// A test of one key.
    Test(Test),
    /// None of this holds.
    Not(Filter),
    /// One of these holds; two or more.
    Any(Vec<Filter>),
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

    /// The values of a key that it names.
    pub(in crate::ask) fn names(&self, key: impl Into<Key>) -> &[String] {
        self.test().filter(|test| test.key == key.into()).map_or(&[], Test::values)
    }

    /// The test that it is, where it is a plain one.
    pub(in crate::ask) fn test(&self) -> Option<&Test> {
        if let Self::Test(test) = self { Some(test) } else { None }
    }

    /// The facet that it tests, where it is a plain test.
    pub(super) fn facet(&self) -> Option<Facet> {
        self.test()?.facet()
    }

    /// Every test in it.
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
    /// What is tested.
    pub key: Key,
    /// What must hold of it.
    pub is: Is,
}

impl Test {
    /// That a key has this value.
    pub(super) fn one(key: Key, value: impl Into<String>) -> Self {
        Self { key, is: Is::OneOf(vec![value.into()]) }
    }

    /// That a key is stated.
    pub(super) fn stated(key: Key) -> Self {
        Self { key, is: Is::Stated }
    }

    /// The facet that it tests.
    pub(super) fn facet(&self) -> Option<Facet> {
        if let Key::Facet(facet) = self.key { Some(facet) } else { None }
    }

    /// The values of which one must hold; none where it is of numbers.
    pub(in crate::ask) fn values(&self) -> &[String] {
        if let Is::OneOf(values) = &self.is { values } else { &[] }
    }
}

/// What is tested or listed. Keys are spelled as filters are (`device`, `batch-size`, `memory`, `energy-efficiency`).
#[derive(Debug, Clone, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Key {
    /// A facet; where a facet and an aspect have one key (`device`), it is the facet.
    Facet(Facet),
    /// Any other field, metric, derived measure or fact.
    Aspect(Aspect),
    /// A metric by which hardware classes are graded, by its id.
    Grade(String),
    /// A number of rows (`rows>=100`) of an entity that is listed.
    Rows,
    /// A number of independent sources (`sources>=3`) of an entity that is listed.
    Sources,
    /// Words in texts (`text:"half precision"`).
    Text,
}

impl From<Facet> for Key {
    fn from(facet: Facet) -> Self {
        Self::Facet(facet)
    }
}

impl From<Field> for Key {
    fn from(field: Field) -> Self {
        // A backend is a framework too, and not the framework of a row.
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
    /// The key of a filter.
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

    /// Whether its values are versions, dates or free text, which a sign of comparison may precede: `cuda>=11`.
    pub(super) fn has_versions(&self) -> bool {
        match self {
            Self::Aspect(Aspect::Field(field)) => !matches!(field.kind(), FieldType::Entity(_) | FieldType::Word(_)),
            Self::Aspect(Aspect::Fact(fact)) => fact.is_version(),
            _ => false,
        }
    }
}

/// What must hold.
#[derive(Debug, Clone, PartialEq)]
pub enum Is {
    /// One of these values, in index spelling. The plan adds the members of a family, and `amp-fp16` to `fp16`.
    OneOf(Vec<String>),
    /// A number within bounds, in the key's own unit; a date by its year.
    Within(Bound<f64>, Bound<f64>),
    /// The key is stated at all.
    Stated,
}

impl Is {
    /// One number.
    pub fn exactly(value: f64) -> Self {
        Self::range(value, value)
    }

    /// From one number to another.
    pub(super) fn range(low: f64, high: f64) -> Self {
        Self::Within(Bound::Included(low), Bound::Included(high))
    }

    /// One number or more.
    pub(super) fn at_least(low: f64) -> Self {
        Self::Within(Bound::Included(low), Bound::Unbounded)
    }

    /// The one number that it allows.
    pub(in crate::ask) fn single(&self) -> Option<f64> {
        match self {
            Self::Within(Bound::Included(low), Bound::Included(high)) if low == high => Some(*low),
            _ => None,
        }
    }
}

/// Something asked for by name.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub enum Quantity {
    /// Speed, by whatever metric the rows have.
    Speed,
    /// A measured metric.
    Metric(Metric),
    /// A measure that follows from metrics and facts.
    Derived(Derived),
    /// A fact of an entity.
    Fact(Fact),
    /// A fact of an entity for each unit of another: memory bandwidth for each dollar.
    Ratio(Fact, Fact),
    /// A field of the rows: which CUDA, which batch sizes.
    Field(Field),
    /// One of the metrics by which hardware classes are graded, by its id.
    HardwareMetric(String),
    /// One of the metrics by which the survey compares frameworks, by its id.
    FrameworkMetric(String),
    /// How many rows there are.
    Rows,
    /// How many sources there are.
    Sources,
    /// The principles of benchmarking.
    Principles,
    /// What hardware and frameworks are compared by.
    Criteria,
}

impl Quantity {
    /// Whether it is what a whole run costs.
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
    /// By what; [`Quantity::Speed`] where the words leave it open.
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

/// What candidates must be better than: `gpus faster than a V100`.
#[derive(Debug, Clone, PartialEq)]
pub struct Beyond {
    /// What they are compared with.
    pub than: Filter,
    /// Whether the better ones are asked for.
    pub better: bool,
}
