//! What is set against each other in a trade-off: two metrics, or a metric and a number of the catalog, and which of their values
//! are better.

use crate::ask::conclude::basis::fact_wording::fact_name;
use crate::ask::conclude::basis::measures::measures_named;
use crate::ask::conclude::basis::wording::name_of;
use crate::ask::conclude::ranking::fact_order::is_higher_better;
use crate::ask::hits::HitColumns;
use crate::ask::question::{Quantity, QueryError, Question};
use crate::model::{Aspect, Direction, Fact, FactType, Measure, Metric};
use crate::stores::Stores;

/// What stands on one side of a trade-off.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) enum TradedQuantity {
    /// What rows state.
    Metric(Metric),
    /// A number that the catalog states of a device or of a network.
    Fact(Fact),
}

impl TradedQuantity {
    fn of(quantity: &Quantity) -> Option<Self> {
        match quantity {
            Quantity::Metric(metric) if metric.direction() != Direction::Neutral => Some(Self::Metric(*metric)),
            Quantity::Fact(fact) if matches!(fact.value_type(), FactType::Number(_)) => Some(Self::Fact(*fact)),
            _ => None,
        }
    }

    pub fn called(self) -> String {
        match self {
            Self::Metric(metric) => name_of(Measure::Metric(metric)).to_owned(),
            Self::Fact(fact) => fact_name(fact),
        }
    }

    fn is_higher_better(self) -> bool {
        match self {
            Self::Metric(metric) => metric.direction() != Direction::Lower,
            Self::Fact(fact) => is_higher_better(fact),
        }
    }
}

/// One of the two that are set against each other, and which of its values is better.
#[derive(Debug, Clone, Copy)]
pub(super) struct Axis {
    pub measured: TradedQuantity,
    pub largest_first: bool,
}

impl Axis {
    /// Whether a value is better than another.
    pub fn better(self, one: f64, other: f64) -> bool {
        if self.largest_first { one > other } else { one < other }
    }
}

/// What a question sets against each other: the two orders that it asks for, else two metrics.
pub(super) fn axes(question: &Question) -> Option<[Axis; 2]> {
    let orders = question.wanted.orders.iter().filter_map(|order| {
        let measured = TradedQuantity::of(&order.quantity)?;
        Some(Axis { measured, largest_first: order.is_largest_first(measured.is_higher_better()) })
    });
    let orders: Vec<Axis> = orders.collect();
    if let &[first, second] = orders.as_slice() {
        return (metric_of(first).is_some() || metric_of(second).is_some()).then_some([first, second]);
    }
    let named = measures_named(question).into_iter().filter_map(|measure| match measure {
        Measure::Metric(metric) if metric.direction() != Direction::Neutral => Some(TradedQuantity::Metric(metric)),
        _ => None,
    });
    let named: Vec<Axis> =
        named.take(2).map(|measured| Axis { measured, largest_first: measured.is_higher_better() }).collect();
    match named.as_slice() {
        &[first, second] => Some([first, second]),
        _ => None,
    }
}

pub(super) fn metric_of(axis: Axis) -> Option<Metric> {
    match axis.measured {
        TradedQuantity::Metric(metric) => Some(metric),
        TradedQuantity::Fact(_) => None,
    }
}

/// The value of each row; not a number where none is stated.
pub(super) fn column(stores: &Stores, hits: &HitColumns, axis: Axis) -> Result<Vec<f64>, QueryError> {
    let fact = match axis.measured {
        TradedQuantity::Metric(metric) => return Ok(hits.values(metric).to_vec()),
        TradedQuantity::Fact(fact) => fact,
    };
    let stated = stores.database.aspect(Aspect::Fact(fact))?;
    let Some(part) = Aspect::Fact(fact).part() else { return Ok(vec![f64::NAN; hits.len()]) };
    let known: Vec<f64> =
        stated.shares().map(|text| text.and_then(|text| text.parse().ok()).unwrap_or(f64::NAN)).collect();
    let of = |hit: usize| known.get(hits.parts(hit)[part as usize] as usize).copied().unwrap_or(f64::NAN);
    Ok((0..hits.len()).map(of).collect())
}
