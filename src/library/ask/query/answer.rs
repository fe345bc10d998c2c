//! The answer, in the shape that `-f json` promises.

use std::collections::BTreeMap;

use serde::ser::{Serialize, SerializeMap, Serializer};
use strum::VariantArray;

use crate::comparability::{Comparand, Facts};
use crate::model::{
    Dataset, Device, Field, Framework, HardwareClassRecord, Measurement, Metric, Network, Source, Value,
};
use crate::stores::index::ShareCounts;
use crate::values::{Decimal, EntityId};

/// The joined answer to a question.
#[derive(Debug, Clone, PartialEq, serde::Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct Answer {
    /// The question as it was asked.
    pub query: String,
    /// How each word was read.
    pub read_as: Vec<ReadAs>,
    /// All measurements that match; `measurements` holds a page of them.
    pub total: usize,
    /// The page of measurements.
    pub measurements: Vec<AnsweredMeasurement>,
    /// The catalog entities that the matching measurements name, and those that match by themselves.
    pub catalog: CatalogAnswer,
    /// What a reader must know to judge the numbers.
    pub notes: Vec<Note>,
    /// Questions near this one that have an answer.
    pub suggestions: Vec<Suggestion>,
    /// How often each value occurs in all measurements that match, where that was asked for.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub facets: Option<Vec<FacetCounts>>,
    /// How many of all measurements that match have each setup, workload, protocol and batch.
    #[serde(skip)]
    pub(super) shares: ShareCounts,
    /// The question in explicit filters; asked again, it gives the same answer.
    #[serde(skip)]
    pub equivalent: String,
    /// Whether the measurements are in an order that was asked for.
    #[serde(skip)]
    pub sorted: bool,
}

impl Answer {
    /// Whether nothing was found in either view.
    pub fn is_empty(&self) -> bool {
        self.total == 0 && self.catalog.is_empty()
    }
}

/// The values of one aspect, and how many measurements have each.
#[derive(Debug, Clone, PartialEq, serde::Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct FacetCounts {
    /// The aspect's key, in snake_case.
    pub field: String,
    /// Its values, the most frequent one first. For a metric: how many measurements have one, under `null`.
    pub values: Vec<ValueCount>,
    /// Measurements of which the value is not known.
    pub not_stated: usize,
}

/// One value, and how many measurements have it.
#[derive(Debug, Clone, PartialEq, serde::Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct ValueCount {
    /// The value; `null` stands for any number, where numbers are too many to be told apart.
    pub value: Option<Value>,
    /// How many measurements have it.
    pub count: usize,
}

/// How some words of the question were read.
#[derive(Debug, Clone, PartialEq, Eq, serde::Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct ReadAs {
    /// The words.
    pub text: String,
    /// What they are about: a facet, a field, or `text`.
    pub facet: String,
    /// The values they stand for.
    pub values: Vec<String>,
    /// `exact`, `alias`, `family`, `fuzzy` or `text`.
    pub how: String,
}

/// A measurement of an answer.
#[derive(Debug, Clone, PartialEq)]
pub struct AnsweredMeasurement {
    measurement: Measurement,
    implied: Vec<(Metric, Decimal)>,
    facts: Facts,
}

impl From<Measurement> for AnsweredMeasurement {
    fn from(measurement: Measurement) -> Self {
        Self { implied: measurement.implied_metrics().collect(), facts: Facts::default(), measurement }
    }
}

impl AnsweredMeasurement {
    /// The measurement as it was recorded.
    pub fn recorded(&self) -> &Measurement {
        &self.measurement
    }

    /// The measurement as comparisons see it.
    pub fn comparand(&self) -> Comparand<'_> {
        Comparand { measurement: &self.measurement, facts: &self.facts }
    }

    /// The same with what the catalog says of it.
    pub(super) fn with_facts(self, facts: Facts) -> Self {
        Self { facts, ..self }
    }

    /// Its id.
    pub fn id(&self) -> &str {
        self.measurement.id()
    }

    /// The value of a metric, and whether it is derived from others rather than recorded.
    pub fn metric(&self, metric: Metric) -> Option<(Decimal, bool)> {
        let recorded = self.measurement.metric(metric).map(|value| (value, false));
        recorded.or_else(|| {
            let implied = self.implied.iter().find(|(implied, _)| *implied == metric);
            implied.map(|(_, value)| (*value, true))
        })
    }

    /// All metrics it has, derived ones too.
    pub fn metrics(&self) -> impl Iterator<Item = (Metric, Decimal, bool)> + '_ {
        Metric::VARIANTS
            .iter()
            .filter_map(|&metric| self.metric(metric).map(|(value, derived)| (metric, value, derived)))
    }
}

/// Fields that every measurement of an answer has, null when unknown.
pub(super) const PROMISED: &[Field] = &[
    Field::Framework,
    Field::FrameworkVersion,
    Field::Backend,
    Field::Device,
    Field::DeviceRaw,
    Field::DeviceCount,
    Field::Network,
    Field::Dataset,
    Field::Stage,
    Field::Precision,
    Field::BatchSize,
    Field::Statistic,
    Field::N,
    Field::Date,
    Field::Outcome,
];

impl Serialize for AnsweredMeasurement {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut map = serializer.serialize_map(None)?;
        map.serialize_entry("id", self.id())?;
        map.serialize_entry("source", self.measurement.source())?;
        for &field in Field::VARIANTS {
            let value = self.measurement.get(field);
            match field {
                Field::Status => {
                    map.serialize_entry("status", self.measurement.text(field).unwrap_or("reported"))?;
                }
                field if value.is_some() || PROMISED.contains(&field) => {
                    map.serialize_entry(&field.json_key(), &value)?;
                }
                _ => {}
            }
        }
        let metrics: BTreeMap<String, Decimal> =
            self.metrics().map(|(metric, value, _)| (metric.json_key(), value)).collect();
        let derived: Vec<String> =
            self.metrics().filter(|(_, _, derived)| *derived).map(|(metric, _, _)| metric.json_key()).collect();
        map.serialize_entry("metrics", &metrics)?;
        map.serialize_entry("derived", &derived)?;
        map.end()
    }
}

/// The qualitative half of an answer.
#[derive(Debug, Clone, PartialEq, Default, serde::Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct CatalogAnswer {
    /// Frameworks.
    pub frameworks: Vec<JoinedFramework>,
    /// Devices; a family comes with its SKUs.
    pub devices: Vec<Device>,
    /// Hardware classes with their grades.
    pub hardware_classes: Vec<HardwareClassRecord>,
    /// Networks.
    pub networks: Vec<Network>,
    /// Data sets.
    pub datasets: Vec<Dataset>,
    /// Sources.
    pub sources: Vec<Source>,
}

impl CatalogAnswer {
    /// Whether it names nothing.
    pub fn is_empty(&self) -> bool {
        self.frameworks.is_empty()
            && self.devices.is_empty()
            && self.hardware_classes.is_empty()
            && self.networks.is_empty()
            && self.datasets.is_empty()
            && self.sources.is_empty()
    }
}

/// A framework, and which of the answer's networks and data sets its makers tested.
#[derive(Debug, Clone, PartialEq, serde::Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct JoinedFramework {
    /// Its record.
    #[serde(flatten)]
    pub framework: Framework,
    /// Whether each network of the answer is, itself or by its family, among the officially tested ones.
    pub network_tested: BTreeMap<EntityId, bool>,
    /// Whether each data set of the answer is among the officially tested ones.
    pub dataset_tested: BTreeMap<EntityId, bool>,
}

/// Something a reader must know.
#[derive(Debug, Clone, PartialEq, Eq, serde::Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct Note {
    /// A stable word for programs.
    pub code: &'static str,
    /// The sentence for people.
    pub text: String,
}

impl Note {
    pub(super) fn new(code: &'static str, text: impl Into<String>) -> Self {
        Self { code, text: text.into() }
    }
}

/// A question near the one that was asked.
#[derive(Debug, Clone, PartialEq, Eq, serde::Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct Suggestion {
    /// The question.
    pub query: String,
    /// How many measurements it finds.
    pub total: usize,
}
