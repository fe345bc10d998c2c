//! From a question to a figure: the answer's rows with what the catalog knows of them.

use std::collections::HashMap;

use super::plot::{self, Figure, Origin, PlotError, Request, Row, Shown};
use super::query::{Answer, AnsweredMeasurement, Aspects, Page, QueryError, ask};
use crate::model::{Aspect, Device, Field, Joined, Network, Value};
use crate::stores::Stores;

/// Why a question has no figure.
#[derive(Debug, thiserror::Error)]
pub enum FigureError {
    /// The question could not be answered.
    #[error(transparent)]
    Query(#[from] QueryError),
    /// The answer cannot be drawn so.
    #[error(transparent)]
    Plot(#[from] PlotError),
}

/// The figure that a request makes of everything that a question finds.
///
/// # Errors
///
/// When the question has a mistake, when nothing is found, or when what would stand together cannot be compared.
pub fn figure(stores: &Stores, question: &str, request: &Request) -> Result<Figure, FigureError> {
    let answer = ask(stores, question, &Page { offset: 0, limit: usize::MAX })?;
    let origin =
        Origin { query: answer.query.clone(), equivalent: answer.equivalent.clone(), content: stores.content.clone() };
    Ok(plot::figure(&rows(&answer, request), request, origin)?)
}

/// What titles name, besides what a request asks for.
const TITLED: &[Field] = &[
    Field::Network,
    Field::Dataset,
    Field::Stage,
    Field::Scenario,
    Field::Precision,
    Field::Device,
    Field::DeviceCount,
    Field::Framework,
    Field::BatchSize,
    Field::Date,
];

fn rows(answer: &Answer, request: &Request) -> Vec<Row> {
    let names = Names::of(answer);
    let mut aspects = request.aspects();
    aspects.extend(TITLED.iter().copied().map(Aspect::Field));
    aspects.push(Aspect::Joined(Joined::Year));
    if request.kind == Some(plot::Kind::Roofline) {
        aspects.push(Aspect::Metric(crate::model::Metric::ThroughputPerS));
    }
    // A framework is named with its version, unless that is asked for by itself; coverage is that of all its
    // versions.
    let versions = !request.aspects().contains(&Aspect::Field(Field::FrameworkVersion))
        && !matches!(request.kind(), Ok(plot::Kind::Heatmap));
    answer
        .measurements
        .iter()
        .map(|row| {
            let shown = aspects.iter().filter_map(|aspect| Some((*aspect, names.shown(row, *aspect, versions)?)));
            let recorded = row.recorded();
            let device = recorded.text(Field::Device);
            Row {
                shown: shown.collect(),
                device: device.and_then(|id| names.largest(id)).cloned(),
                is_family: device.is_some_and(|id| names.aspects.is_family(id)),
                network: recorded.text(Field::Network).and_then(|id| names.networks.get(id).copied()).cloned(),
                facts: row.comparand().facts.clone(),
                measurement: recorded.clone(),
            }
        })
        .collect()
}

/// What the entities of an answer are called and know.
struct Names<'a> {
    aspects: Aspects<'a>,
    names: HashMap<(&'static str, &'a str), &'a str>,
    devices: Vec<&'a Device>,
    networks: HashMap<&'a str, &'a Network>,
}

impl<'a> Names<'a> {
    fn of(answer: &'a Answer) -> Self {
        let catalog = &answer.catalog;
        let mut names = HashMap::new();
        for joined in &catalog.frameworks {
            names.insert(("framework", joined.framework.id.as_str()), joined.framework.name.as_str());
        }
        for device in &catalog.devices {
            let vendor = device.vendor.as_deref().unwrap_or_default();
            let short = device.name.strip_prefix(vendor).filter(|rest| rest.starts_with(' ')).unwrap_or(&device.name);
            names.insert(("device", device.id.as_str()), short.trim());
        }
        for network in &catalog.networks {
            names.insert(("network", network.id.as_str()), network.name.as_str());
        }
        for dataset in &catalog.datasets {
            names.insert(("dataset", dataset.id.as_str()), dataset.name.as_str());
        }
        Self {
            aspects: Aspects::of(catalog),
            names,
            devices: catalog.devices.iter().collect(),
            networks: catalog.networks.iter().map(|network| (network.id.as_str(), network)).collect(),
        }
    }

    fn shown(&self, row: &AnsweredMeasurement, aspect: Aspect, versions: bool) -> Option<Shown> {
        let value = match aspect {
            // A backend computes alone where no framework is in front.
            Aspect::Field(Field::Framework) => {
                self.aspects.value(row, aspect).or_else(|| self.aspects.value(row, Aspect::Field(Field::Backend)))?
            }
            aspect => self.aspects.value(row, aspect)?,
        };
        let derived =
            matches!(aspect, Aspect::Metric(metric) if row.metric(metric).is_some_and(|(_, derived)| derived));
        let text = match (aspect, &value) {
            (Aspect::Field(Field::Framework), _) => self.framework(row, versions),
            (Aspect::Field(field), Value::Text(id)) => self.named(field, id).to_owned(),
            (_, value) => value.to_string(),
        };
        Some(Shown { text, value, derived })
    }

    fn named<'t>(&'t self, field: Field, id: &'t str) -> &'t str {
        let kind = match field {
            Field::Framework | Field::Backend => "framework",
            Field::Device => "device",
            Field::Network => "network",
            Field::Dataset => "dataset",
            _ => return id,
        };
        self.names.get(&(kind, id)).copied().unwrap_or(id)
    }

    /// `Keras 2.0.6 on Theano 0.9.0`.
    fn framework(&self, row: &AnsweredMeasurement, versions: bool) -> String {
        let recorded = row.recorded();
        let part = |name: Field, version: Field| {
            let name = self.named(name, recorded.text(name)?);
            Some(match recorded.text(version).filter(|_| versions) {
                Some(version) => format!("{name} {version}"),
                None => name.to_owned(),
            })
        };
        let front = part(Field::Framework, Field::FrameworkVersion);
        let back = part(Field::Backend, Field::BackendVersion);
        match (front, back) {
            (Some(front), Some(back)) => format!("{front} on {back}"),
            (front, back) => front.or(back).unwrap_or_default(),
        }
    }

    /// The device, or the member of the family with the highest peak in fp32.
    fn largest(&self, id: &str) -> Option<&'a Device> {
        let own = self.devices.iter().find(|device| device.id.as_str() == id).copied()?;
        if own.bandwidth_gb_per_s.is_some() && !own.peak_tflops.is_empty() {
            return Some(own);
        }
        let members = self.devices.iter().filter(|device| device.variant_of.as_ref().is_some_and(|f| f.as_str() == id));
        let peak = |device: &Device| device.peak_tflops.values().map(|peak| peak.value()).fold(0.0, f64::max);
        members.copied().max_by(|a, b| peak(a).total_cmp(&peak(b)).then_with(|| b.id.cmp(&a.id))).or(Some(own))
    }
}
