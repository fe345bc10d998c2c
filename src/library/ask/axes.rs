//! Chooses the axes of a table or figure if none are named: those that the question compares or asks for, then whatever differs
//! among the measurements found.

use std::collections::BTreeSet;

use strum::VariantArray as _;

use super::found::Interpreted;
use super::hits::{HitColumns, SharedValues};
use super::parse::{Filter, Key, Quantity, QueryError, Term};

use crate::model::{Aspect, Field, Metric};
use crate::stores::Stores;

/// Fields tried after those of the question, most important first.
const USUAL: &[Field] = &[
    Field::Device,
    Field::Framework,
    Field::Network,
    Field::Precision,
    Field::DeviceCount,
    Field::BatchSize,
    Field::FrameworkVersion,
    Field::Dataset,
];
/// Fields that separate columns: values that differ in them must not share a cell.
const DIVIDING: &[Field] = &[Field::Network, Field::Stage];
/// The weight of a throughput when choosing the metric.
const THROUGHPUT_WEIGHT: usize = 4;
/// A table may have this many columns, however few rows it has.
const FEW_COLUMNS: usize = 6;
/// Maximum number of values distinguished by colour.
const MOST_COLOURS: usize = 8;

/// The inferred axes.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct InferredAxes {
    /// The aspects with several values among the hits, most important first, with the number of values.
    varied: Vec<(Aspect, usize)>,
    /// The metric: the one in the question, otherwise the most frequently stated one.
    pub metric: Option<Metric>,
}

impl InferredAxes {
    /// Infers the axes of a question.
    ///
    /// # Errors
    ///
    /// When a store fails.
    pub fn of(stores: &Stores, asked: &Interpreted) -> Result<Self, QueryError> {
        let hits = HitColumns::of(stores, &asked.condition, Metric::VARIANTS)?;
        let values = SharedValues::read(stores)?;
        let order = named(asked).into_iter().chain(USUAL.iter().chain(DIVIDING).copied().map(Aspect::Field));
        let mut varied: Vec<(Aspect, usize)> = Vec::new();
        for aspect in order {
            if varied.iter().any(|(other, _)| *other == aspect) {
                continue;
            }
            let numbers: BTreeSet<u32> = (0..hits.len()).map(|hit| values.number(aspect, &hits.parts(hit))).collect();
            let several = numbers.iter().filter(|number| **number > 0).count();
            if several > 1 {
                varied.push((aspect, several));
            }
        }
        let asked_for = asked.question.wants.iter().find_map(|quantity| match quantity {
            Quantity::Metric(metric) => Some(*metric),
            _ => None,
        });
        let stated = |metric: &Metric| hits.values(*metric).iter().filter(|value| !value.is_nan()).count();
        // A throughput follows from most latencies, but not the other way round.
        let weight = |metric: &Metric| match metric {
            Metric::ThroughputPerS => THROUGHPUT_WEIGHT * stated(metric),
            metric => stated(metric),
        };
        let most = || Metric::VARIANTS.iter().copied().rev().max_by_key(weight).filter(|metric| stated(metric) > 0);
        Ok(Self { varied, metric: asked_for.or_else(most) })
    }

    /// The aspects for the rows and for the columns of a table. Values that must not share a cell get separate columns or, if these
    /// would be more than the values of the first aspect, separate rows.
    pub fn table(&self) -> (Vec<Aspect>, Vec<Aspect>) {
        let Some((first, several)) = self.varied.first().copied() else { return Default::default() };
        let mut rows = vec![first];
        // Results on one device do not stand for results on eight.
        let count = Aspect::Field(Field::DeviceCount);
        rows.extend((first == Aspect::Field(Field::Device) && self.varies(count)).then_some(count));
        let dividing = self
            .varied
            .iter()
            .filter(|(aspect, _)| *aspect != first && DIVIDING.iter().any(|field| Aspect::Field(*field) == *aspect));
        let kinds: usize = dividing.clone().map(|(_, several)| several).product();
        let mut columns: Vec<Aspect> = dividing.map(|(aspect, _)| *aspect).collect();
        columns.sort_by_key(|aspect| DIVIDING.iter().position(|field| Aspect::Field(*field) == *aspect));
        if kinds > several.max(FEW_COLUMNS) { (columns, rows) } else { (rows, columns) }
    }

    /// The axis of a figure.
    pub fn along(&self) -> Option<Aspect> {
        self.varied.first().map(|(aspect, _)| *aspect)
    }

    /// The aspect that colours distinguish in a figure.
    pub fn colours(&self) -> Option<Aspect> {
        let along = self.along();
        let fits = |(aspect, several): &&(Aspect, usize)| Some(*aspect) != along && *several <= MOST_COLOURS;
        self.varied.iter().find(fits).map(|(aspect, _)| *aspect)
    }

    fn varies(&self, aspect: Aspect) -> bool {
        self.varied.iter().any(|(varied, _)| *varied == aspect)
    }
}

/// The aspects that the question compares, ranks or follows.
fn named(asked: &Interpreted) -> Vec<Aspect> {
    let question = &asked.question;
    let of_sides = question.sides.iter().flat_map(keys);
    let keys = of_sides.chain(&question.of).filter_map(|key| Aspect::keyed(key.key()));
    let mut named: Vec<Aspect> = Vec::new();
    for aspect in keys.chain(question.along).chain(question.lines.as_ref().and_then(|key| Aspect::keyed(key.key()))) {
        if !named.contains(&aspect) && !matches!(aspect, Aspect::Metric(_) | Aspect::Derived(_)) {
            named.push(aspect);
        }
    }
    named
}

/// The keys that select a side.
fn keys(side: &Filter) -> impl Iterator<Item = &Key> {
    side.terms.iter().filter_map(|term| match term {
        Term::Test(test) => Some(&test.key),
        Term::Not(_) | Term::Any(_) => None,
    })
}
