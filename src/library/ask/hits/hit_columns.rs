//! The columns of all measurements that match a condition.

use super::shared_values::PartNumbers;
use crate::model::{Metric, Part};
use crate::stores::Stores;
use crate::stores::index::{Columns, Condition, IndexError};

/// All measurements that match a condition, with the values of some metrics.
#[derive(Debug, Default)]
pub struct HitColumns {
    columns: Columns,
    metrics: Vec<Metric>,
}

/// A value with its row; for the median of several values, the middle row.
#[derive(Debug, Clone, Copy)]
pub struct Run {
    /// The row in the store.
    pub row: u64,
    /// The parts that the row shares with others.
    pub parts: PartNumbers,
    /// The value.
    pub value: f64,
}

impl HitColumns {
    /// Reads the measurements that match a condition, with the values of these metrics.
    pub fn of(stores: &Stores, condition: &Condition, metrics: &[Metric]) -> Result<Self, IndexError> {
        Ok(Self { columns: stores.index.columns(condition, metrics)?, metrics: metrics.to_vec() })
    }

    /// The number of hits.
    pub fn len(&self) -> usize {
        self.columns.rows.len()
    }

    /// Whether there are no hits.
    pub fn is_empty(&self) -> bool {
        self.columns.rows.is_empty()
    }

    /// The rows in the store, in ascending order.
    pub fn rows(&self) -> &[u64] {
        &self.columns.rows
    }

    /// The row of a hit in the store.
    pub fn row(&self, hit: usize) -> u64 {
        self.columns.rows[hit]
    }

    /// Whether a row of the store is a hit.
    pub fn contains(&self, row: u64) -> bool {
        self.columns.rows.binary_search(&row).is_ok()
    }

    /// The parts of a hit.
    pub fn parts(&self, hit: usize) -> PartNumbers {
        let mut numbers = PartNumbers::default();
        for (number, column) in numbers.iter_mut().zip(&self.columns.parts) {
            *number = column[hit];
        }
        numbers
    }

    /// One part of a hit.
    pub fn part(&self, hit: usize, part: Part) -> u32 {
        self.columns.parts[part as usize][hit]
    }

    /// The distinct shares of a part among the hits, in ascending order.
    pub fn distinct(&self, part: Part) -> impl Iterator<Item = u32> {
        distinct(&self.columns.parts[part as usize])
    }

    /// The values of a metric, one for each hit; NaN if not stated, empty if the metric was not read.
    pub fn values(&self, metric: Metric) -> &[f64] {
        let at = self.metrics.iter().position(|other| *other == metric);
        at.map_or(&[], |at| &self.columns.metrics[at])
    }

    /// The hits that have a value of a metric.
    pub fn measured(&self, metric: Metric) -> impl Iterator<Item = Run> + Clone {
        let stated = self.values(metric).iter().copied().enumerate().filter(|(_, value)| value.is_finite());
        stated.map(|(hit, value)| Run { row: self.row(hit), parts: self.parts(hit), value })
    }

    /// Whether a hit has a value of any of these metrics.
    pub fn has_any(&self, hit: usize, metrics: &[Metric]) -> bool {
        metrics.iter().any(|metric| self.values(*metric)[hit].is_finite())
    }

    /// Whether a hit has a value of any metric that was read; true if none was read.
    pub fn has_value(&self, hit: usize) -> bool {
        self.metrics.is_empty() || self.columns.metrics.iter().any(|values| values[hit].is_finite())
    }

    /// The same hits with the values of a metric replaced.
    pub fn with_values(mut self, metric: Metric, values: Vec<f64>) -> Self {
        match self.metrics.iter().position(|other| *other == metric) {
            Some(at) => self.columns.metrics[at] = values,
            None => {
                self.metrics.push(metric);
                self.columns.metrics.push(values);
            }
        }
        self
    }

    /// The hits whose parts pass.
    pub fn filtered(&self, passes: impl Fn(&PartNumbers) -> bool) -> Self {
        self.filtered_by_hit(|hit| passes(&self.parts(hit)))
    }

    /// The hits that pass.
    pub fn filtered_by_hit(&self, passes: impl Fn(usize) -> bool) -> Self {
        let kept: Vec<usize> = (0..self.len()).filter(|hit| passes(*hit)).collect();
        fn of<T: Copy>(column: &[T], kept: &[usize]) -> Vec<T> {
            kept.iter().map(|hit| column[*hit]).collect()
        }
        let mut columns = Columns { rows: of(&self.columns.rows, &kept), ..Columns::default() };
        for (kept_part, part) in columns.parts.iter_mut().zip(&self.columns.parts) {
            *kept_part = of(part, &kept);
        }
        columns.metrics = self.columns.metrics.iter().map(|values| of(values, &kept)).collect();
        Self { columns, metrics: self.metrics.clone() }
    }
}

/// The distinct numbers, in ascending order; they should be small, counted from 0.
pub fn distinct(numbers: &[u32]) -> impl Iterator<Item = u32> + use<> {
    let mut seen = vec![false; numbers.iter().max().map_or(0, |last| *last as usize + 1)];
    for number in numbers {
        seen[*number as usize] = true;
    }
    (0..).zip(seen).filter_map(|(number, seen)| seen.then_some(number))
}
