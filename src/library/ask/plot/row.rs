//! A row with the values that a figure shows.

use std::cmp::Ordering;
use std::collections::HashMap;

use super::request::{FigureKind, PlotRequest};
use super::same_source::qualities;
use super::scaling::efficiencies;
use crate::comparability::{ComparedRow, ComparisonFacts};
use crate::model::{Aspect, Derived, Device, Fact, Field, Measurement, Metric, Network, Value};
use crate::rows::{EntityCache, JoinedCatalog, JoinedRow, by_value, labelled};
use crate::values::{Counted, Decimal};

/// A row with the names and values that a figure shows.
#[derive(Debug, Clone)]
pub(super) struct PlottedRow<'r> {
    /// The measurement as recorded.
    pub measurement: &'r Measurement,
    /// Number of rows it stands for, in a heat map.
    pub count: u64,
    /// Catalog facts that comparisons need.
    pub facts: &'r ComparisonFacts,
    /// Known values of the requested aspects, and of those that a title may state.
    pub shown: HashMap<Aspect, ShownValue>,
    /// The device, for a roofline; `None` for a family whose members differ.
    pub device: Option<&'r Device>,
    /// The network, for a roofline.
    pub network: Option<&'r Network>,
}

/// The fields that a title states if all rows share them.
pub(super) const TITLED: &[Field] = &[
    Field::Network,
    Field::Dataset,
    Field::Stage,
    Field::Scenario,
    Field::Precision,
    Field::Device,
    Field::DeviceCount,
    Field::Framework,
    Field::BatchSize,
];

/// Prepares the rows for a figure.
pub(super) fn plotted<'r>(
    rows: &'r [JoinedRow],
    counts: &[u64],
    catalog: &'r JoinedCatalog,
    request: &PlotRequest,
) -> Vec<PlottedRow<'r>> {
    let entities = EntityCache::of_catalog(catalog);
    let mut aspects = request.aspects();
    aspects.extend(TITLED.iter().chain(&[Field::Date]).copied().map(Aspect::Field));
    aspects.push(Aspect::Fact(Fact::Year));
    if request.kind == Some(FigureKind::Roofline) {
        aspects.push(Aspect::Metric(Metric::ThroughputPerS));
    }
    // A framework is shown with its version, unless the version is requested separately; a heat map counts all versions together.
    let versions = !request.aspects().contains(&Aspect::Field(Field::FrameworkVersion))
        && !matches!(request.kind(), Ok(FigureKind::Heatmap));
    let found = values_of_other_rows(rows, &aspects);
    let plotted = rows.iter().enumerate().map(|(at, row)| {
        let shown = aspects.iter().filter_map(|aspect| {
            let of_others = || found.iter().find(|(of, _)| of == aspect).and_then(|(_, values)| values[at].clone());
            // On a time axis, a row without a date uses its source's year.
            let of_source = || {
                let is_time = request.x == Some(*aspect) && *aspect == Aspect::Field(Field::Date);
                let year = is_time.then(|| shown(&entities, row, Aspect::Fact(Fact::Year), versions)).flatten()?;
                Some(ShownValue { value: Value::Text(year.text.as_str().into()), derived: true, ..year })
            };
            Some((*aspect, shown(&entities, row, *aspect, versions).or_else(of_others).or_else(of_source)?))
        });
        let recorded = row.recorded();
        let network = recorded.text(Field::Network);
        PlottedRow {
            measurement: recorded,
            count: counts.get(at).copied().unwrap_or(1),
            facts: row.facts(),
            shown: shown.collect(),
            device: recorded.text(Field::Device).and_then(|id| catalog.device_or_like_members(id)),
            network: network.and_then(|id| catalog.networks.iter().find(|network| network.id.as_str() == id)),
        }
    });
    plotted.collect()
}

/// Values that come from other rows: scaling efficiency, and accuracies stated in another row than the speed.
fn values_of_other_rows(rows: &[JoinedRow], aspects: &[Aspect]) -> Vec<(Aspect, Vec<Option<ShownValue>>)> {
    let of_others = |aspect: &Aspect| match aspect {
        Aspect::Derived(Derived::ScalingEfficiency) => Some(efficiencies(rows)),
        Aspect::Metric(metric) if metric.is_of_quality() => Some(qualities(rows, *metric)),
        _ => None,
    };
    let shown = |value: Decimal| ShownValue { text: value.to_string(), value: Value::Number(value), derived: true };
    let found = aspects.iter().filter_map(|aspect| Some((*aspect, of_others(aspect)?)));
    found.map(|(aspect, values)| (aspect, values.into_iter().map(|value| value.map(shown)).collect())).collect()
}

/// The value that a row shows for an aspect.
fn shown(entities: &EntityCache<'_>, row: &JoinedRow, aspect: Aspect, versions: bool) -> Option<ShownValue> {
    if aspect == Aspect::Field(Field::Framework) {
        // Without a framework, the backend ran on its own.
        let value = entities.value(row, aspect).or_else(|| entities.value(row, Aspect::Field(Field::Backend)))?;
        return Some(ShownValue { text: entities.framework_in_full(row.recorded(), versions), value, derived: false });
    }
    let derived = matches!(aspect, Aspect::Metric(metric) if row.metric(metric).is_some_and(|(_, derived)| derived));
    Some(ShownValue { text: entities.shown(row, aspect)?, value: entities.value(row, aspect)?, derived })
}

/// A known value.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct ShownValue {
    /// The text for readers: a name, not an id.
    pub text: String,
    /// The value itself.
    pub value: Value,
    /// Whether it was computed from other values of the row.
    pub derived: bool,
}

impl ShownValue {
    /// The value as a number, if it is one; dates as fractional years.
    pub fn number(&self) -> Option<f64> {
        match &self.value {
            Value::Number(number) => Some(number.value()),
            Value::Count(count) => Some(*count as f64),
            Value::Text(text) => date(text),
        }
    }
}

/// A date as a fractional year: `2019-03-27` as 2019.23; a month or a year counts as its middle.
fn date(text: &str) -> Option<f64> {
    const DAYS: f64 = 365.25;
    /// Days of the year before each month.
    const BEFORE: [f64; 12] = [0., 31., 59., 90., 120., 151., 181., 212., 243., 273., 304., 334.];
    text.parse::<crate::values::Date>().ok()?;
    let mut parts = text.split('-').map(|part| part.parse::<f64>().ok());
    let year = parts.next()??;
    let Some(month) = parts.next().flatten() else { return Some(year + 0.5) };
    let before = BEFORE.get(month as usize - 1)?;
    let day = parts.next().flatten().unwrap_or(15.0);
    Some(year + (before + day - 1.0) / DAYS)
}

impl PlottedRow<'_> {
    /// The row in the form that comparability checks take.
    pub(super) fn compared_row(&self) -> ComparedRow<'_> {
        ComparedRow { measurement: self.measurement, facts: self.facts }
    }

    /// The text of an aspect; `None` if it is not known.
    pub(super) fn text(&self, aspect: Aspect) -> Option<&str> {
        self.shown.get(&aspect).map(|shown| shown.text.as_str())
    }

    /// The number of an aspect.
    pub(super) fn number(&self, aspect: Aspect) -> Option<f64> {
        self.shown.get(&aspect)?.number()
    }

    /// Several aspects as one name; unknown values become `… not stated`.
    pub(super) fn name(&self, aspects: &[Aspect]) -> String {
        name_of_parts(aspects, &self.parts(aspects))
    }

    /// The text of each aspect; `None` if it is not known.
    pub(super) fn parts(&self, aspects: &[Aspect]) -> Vec<Option<String>> {
        aspects.iter().map(|aspect| self.text(*aspect).map(str::to_owned)).collect()
    }

    /// What the throughput counts.
    pub(super) fn counts(&self) -> Option<Counted> {
        self.measurement.counts()
    }

    /// Whether the metric is derived from the time of a batch.
    pub(super) fn is_implied(&self, metric: Metric) -> bool {
        metric == Metric::ThroughputPerS && self.measurement.metric(metric).is_none()
    }
}

/// Values of several aspects as one name; unknown values become `… not stated`.
pub(super) fn name_of_parts(aspects: &[Aspect], parts: &[Option<String>]) -> String {
    let named = aspects.iter().zip(parts).map(|(aspect, part)| match part {
        Some(text) => labelled(*aspect, text),
        None => format!("{} not stated", aspect.heading()),
    });
    named.collect::<Vec<_>>().join(", ")
}

/// The order of two rows by the values of several aspects.
pub(super) fn by_values(aspects: &[Aspect], a: &[Option<String>], b: &[Option<String>]) -> Ordering {
    let pairs = aspects.iter().zip(a.iter().zip(b));
    let mut orders = pairs.map(|(aspect, (a, b))| by_value(*aspect, a.as_deref(), b.as_deref()));
    orders.find(|order| order.is_ne()).unwrap_or(Ordering::Equal)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn dates_lie_where_they_belong() {
        let at =
            |text: &str| ShownValue { text: text.to_owned(), value: Value::Text(text.into()), derived: false }.number();
        assert_eq!(at("2019"), Some(2019.5));
        assert_eq!(at("2019-01-01"), Some(2019.0));
        assert!(at("2019-06").is_some_and(|x| (x - 2019.45).abs() < 0.01));
        assert_eq!(at("soon"), None);
    }
}
