//! A measurement joined with its entities, its JSON form, and the submitter of a run.

use std::collections::{BTreeMap, BTreeSet};

use serde::ser::{Serialize, SerializeMap, Serializer};
use strum::VariantArray as _;

use crate::comparability::{ComparedRow, ComparisonFacts};
use crate::model::{Field, Measurement, Metric};
use crate::values::text::or_list;
use crate::values::{Decimal, Division};

/// A measurement joined with the catalog facts of its entities: the row of answers, tables, figures, comparisons and
/// exports.
#[derive(Debug, Clone, PartialEq)]
pub struct JoinedRow {
    measurement: Measurement,
    implied: Vec<(Metric, Decimal)>,
    facts: ComparisonFacts,
    /// The metrics in which it is the best of the comparable rows of its answer; `None` outside an answer.
    best: Option<Vec<Metric>>,
}

impl From<Measurement> for JoinedRow {
    /// A measurement without facts from the catalog.
    fn from(measurement: Measurement) -> Self {
        Self::new(measurement, ComparisonFacts::default())
    }
}

impl JoinedRow {
    /// Joins a measurement with the facts of the catalog.
    pub fn new(measurement: Measurement, facts: ComparisonFacts) -> Self {
        Self { implied: measurement.implied_metrics().collect(), facts, best: None, measurement }
    }

    /// The measurement as it was recorded.
    pub fn recorded(&self) -> &Measurement {
        &self.measurement
    }

    /// The measurement and its facts, as comparisons take them.
    pub fn compared_row(&self) -> ComparedRow<'_> {
        ComparedRow { measurement: &self.measurement, facts: &self.facts }
    }

    /// The facts of the catalog that comparisons need.
    pub fn facts(&self) -> &ComparisonFacts {
        &self.facts
    }

    /// Records the metrics in which this row is the best of the comparable rows of its answer.
    pub fn set_best(&mut self, metrics: Vec<Metric>) {
        self.best = Some(metrics);
    }

    /// Whether its value of a metric is the best among the comparable rows of its answer.
    pub fn is_best(&self, metric: Metric) -> bool {
        self.best.as_ref().is_some_and(|best| best.contains(&metric))
    }

    /// The id of the measurement.
    pub fn id(&self) -> &str {
        self.measurement.id()
    }

    /// The value of a metric, and whether it is derived from other metrics rather than recorded.
    pub fn metric(&self, metric: Metric) -> Option<(Decimal, bool)> {
        let recorded = self.measurement.metric(metric).map(|value| (value, false));
        recorded.or_else(|| {
            let implied = self.implied.iter().find(|(implied, _)| *implied == metric);
            implied.map(|(_, value)| (*value, true))
        })
    }

    /// The formula that derives a metric which the source does not state.
    pub fn implied_by(&self, metric: Metric) -> Option<&'static str> {
        self.measurement.implied_by(metric)
    }

    /// All metrics of the row, including derived ones, with whether each is derived.
    pub fn metrics(&self) -> impl Iterator<Item = (Metric, Decimal, bool)> + '_ {
        Metric::VARIANTS
            .iter()
            .filter_map(|&metric| self.metric(metric).map(|(value, derived)| (metric, value, derived)))
    }
}

/// The distinct formulas that derive a metric in these rows, as a list in words.
pub fn formulas<'r>(rows: impl IntoIterator<Item = &'r JoinedRow>, metric: Metric) -> String {
    let formulas: BTreeSet<&str> = rows.into_iter().filter_map(|row| row.implied_by(metric)).collect();
    or_list(&formulas.into_iter().collect::<Vec<_>>())
}

impl Serialize for JoinedRow {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut map = serializer.serialize_map(None)?;
        map.serialize_entry("id", self.id())?;
        map.serialize_entry("source", self.measurement.source())?;
        for &field in Field::VARIANTS {
            let value = self.measurement.get(field);
            match field.unstated() {
                Some(word) if value.is_none() => map.serialize_entry(&field.json_key(), word)?,
                _ if value.is_some() || field.is_promised() => map.serialize_entry(&field.json_key(), &value)?,
                _ => {}
            }
        }
        let metrics: BTreeMap<String, Decimal> =
            self.metrics().map(|(metric, value, _)| (metric.json_key(), value)).collect();
        let derived: Vec<String> =
            self.metrics().filter(|(_, _, derived)| *derived).map(|(metric, _, _)| metric.json_key()).collect();
        map.serialize_entry("metrics", &metrics)?;
        map.serialize_entry("derived", &derived)?;
        if let Some(best) = &self.best {
            let best: Vec<String> = best.iter().map(|metric| metric.json_key()).collect();
            map.serialize_entry("best", &best)?;
        }
        map.end()
    }
}

/// The submitter of an MLPerf run, whose label is `division; submitter; system; benchmark`. With `None` any division
/// matches.
pub fn submitter_of<'l>(label: &'l str, division: Option<&str>) -> Option<&'l str> {
    let mut parts = label.split("; ");
    let first = parts.next()?;
    let is_division = match division {
        Some(division) => first == division,
        None => first.parse::<Division>().is_ok(),
    };
    parts.next().filter(|_| is_division)
}

#[cfg(test)]
mod tests {
    use super::submitter_of;

    #[test]
    fn a_submitter_stands_behind_the_division() {
        assert_eq!(submitter_of("closed; Xilinx; R7525_VCK5000; resnet50", Some("closed")), Some("Xilinx"));
        assert_eq!(submitter_of("closed; Xilinx; R7525_VCK5000; resnet50", None), Some("Xilinx"));
        assert_eq!(submitter_of("resnet50; 3x224x224", Some("closed")), None);
        assert_eq!(submitter_of("resnet50; 3x224x224", None), None);
    }
}
