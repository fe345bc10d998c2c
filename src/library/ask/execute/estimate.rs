//! Estimates values that nobody measured: a device in settings of other devices, from its effect and theirs.

use std::collections::BTreeMap;

use dlbench_effects::Observation;
use indexmap::IndexMap;
use serde::Serialize;

use super::effects::{Contenders, EvidenceScope, Net, SIDES};
use super::key::varied_by;
use super::measure::{By, ShareKeys};
use super::plan::hits_of;
use super::ranking::identity_of;
use super::under::{RowIds, shared, sources, unit};
use crate::ask::hits::{PartNumbers, Run, SharedValues};
use crate::ask::parse::{Key, Result, Term, parse, print};
use crate::model::{Aspect, Direction, Facet, Field, Metric, Value};
use crate::stores::Stores;
use crate::values::EntityKind;

/// The JSON Schema of [`Estimates`].
pub const SCHEMA: &str = include_str!("estimate.schema.json");

/// An estimate is dropped if its interval extends by more than this factor up or down.
const WIDEST: f64 = 3.0;
/// Maximum number of settings with an estimate.
const MAX_SETTINGS: usize = 12;

/// Estimates for a device in settings in which others were measured. They are not measurements and are never exported.
#[derive(Debug, Clone, Default, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct Estimates {
    /// The question.
    pub query: String,
    /// The question in the explicit language.
    pub canonical: String,
    /// Hash of the knowledge base's content.
    pub knowledge_base: String,
    /// The id of the device for which values are estimated.
    pub device: Option<String>,
    /// Number of measurements of the device itself that match the question.
    pub measured: usize,
    /// One for each setting in which others were measured, those with most others first.
    pub estimates: Vec<Estimated>,
    /// Number of settings without an estimate because its interval would extend by more than a factor of three up or down.
    pub too_wide: usize,
    /// Why there is no estimate.
    pub refused: Option<String>,
    /// The names of the entities.
    #[serde(skip)]
    pub names: BTreeMap<(EntityKind, String), String>,
}

/// The estimated value of a device in one setting.
#[derive(Debug, Clone, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct Estimated {
    /// The key of the metric.
    pub quantity: String,
    /// The estimate.
    pub value: f64,
    /// The lower end of the interval that contains a new measurement in 9 of 10 cases.
    pub low: f64,
    /// The upper end of the interval.
    pub high: f64,
    /// The unit.
    pub unit: Option<String>,
    /// The setting, by filter key; `null` if its rows do not state it.
    pub under: IndexMap<String, Option<Value>>,
    /// Number of other devices measured in it.
    pub devices: usize,
    /// Some of the measurements on other devices from which it is estimated.
    pub measurements: Vec<String>,
    /// The sources of the measurements.
    pub sources: Vec<String>,
}

impl Estimates {
    fn refused(self, why: impl Into<String>) -> Self {
        Self { refused: Some(why.into()), ..self }
    }
}

/// Estimates the values of one device in the settings in which other devices ran what the question names.
///
/// # Errors
///
/// When the question has a mistake, or a store fails.
pub fn estimate(stores: &Stores, content: &str, text: &str) -> Result<Estimates> {
    let question = parse(text, &stores.database)?;
    let (query, knowledge_base) = (text.to_owned(), content.to_owned());
    let found = Estimates { query, canonical: print(&question), knowledge_base, ..Estimates::default() };
    if let Some(span) = question.spans.iter().find(|span| span.how.is_unread()) {
        return Ok(found.refused(format!("`{}` was not read; an estimate takes every word", span.text)));
    }
    let is_device = |term: &Term| term.names(Facet::Device).len() == 1;
    let device = question.subject.only(is_device);
    if device.terms.len() != 1 {
        return Ok(found.refused("name one device"));
    }
    let mut found = Estimates { device: device.names(Facet::Device).next().cloned(), ..found };
    if !question.subject.has_any(&[Facet::Network, Facet::Task]) {
        return Ok(found.refused("name what it runs, such as a network"));
    }
    let rest = &question.subject.only(|term| !is_device(term));
    let values = &SharedValues::read(stores)?;
    let by = By::ladder(&question.wants).swap_remove(0);
    let metrics = by.metrics();
    let hits = hits_of(stores, values, rest, &by)?;
    let scope = EvidenceScope::of(stores, values, rest, question.reach, &hits)?;
    let evidence = hits_of(stores, values, &scope.filter, &by)?;
    let own = hits_of(stores, values, &scope.filter.and(&device), &by)?;
    found.measured = own.rows().iter().filter(|row| hits.contains(**row)).count();
    let counted = rest.has(Field::DeviceCount);
    let is_one = |parts: &PartNumbers| values.count(Field::DeviceCount, parts).is_none_or(|count| count == 1);
    let keys = ShareKeys::of(values, &identity_of(Aspect::Field(Field::Device)));
    let candidate = |row: u64, parts: &PartNumbers| {
        let is_named = values.number(Field::Device, parts) > 0 && (counted || is_one(parts));
        is_named.then(|| if own.contains(row) { SIDES[0] } else { keys.key(parts) })
    };
    let varied = varied_by(&Key::Facet(Facet::Device));
    let contenders = Contenders { values, varied: &varied, candidate: &candidate, with_single: true, by_load: false };
    let net = Net::of(stores, &contenders, (&evidence, &metrics))?;
    let Some(target) = net.candidates.get_index_of(&SIDES[0]).map(|number| number as u32) else {
        return Ok(found.refused("nothing of this kind was measured on the device, so that nothing is known of it"));
    };
    let mut settings: BTreeMap<u32, Vec<(Observation, Metric, Run)>> = BTreeMap::new();
    for (observation, metric, run) in net.observed() {
        if hits.contains(run.row) || observation.candidate == target {
            settings.entry(observation.setting).or_default().push((*observation, metric, *run));
        }
    }
    let is_open = |all: &Vec<(Observation, Metric, Run)>| all.iter().all(|(one, ..)| one.candidate != target);
    let mut settings: Vec<_> = settings.into_values().filter(is_open).collect();
    settings.sort_by_key(|all| std::cmp::Reverse(all.len()));
    if settings.is_empty() {
        let why = match found.measured {
            0 => "nobody measured this on another device",
            _ => "it is measured wherever others are: `dlbench query` has the values",
        };
        return Ok(found.refused(why));
    }
    let mut ids = RowIds::default();
    for all in settings {
        if found.estimates.len() == MAX_SETTINGS {
            break;
        }
        let (first, metric, run) = &all[0];
        let anchors: Vec<Observation> = all.iter().map(|(observation, ..)| *observation).collect();
        let Some(predicted) = net.model.predict(&Observation { candidate: target, ..*first }, &anchors) else {
            continue;
        };
        if predicted.half > WIDEST.ln() {
            found.too_wide += 1;
            continue;
        }
        let lower = metric.direction() == Direction::Lower;
        let at = |log: f64| three_digits(if lower { (-log).exp() } else { log.exp() });
        let (one, other) = (at(predicted.log - predicted.half), at(predicted.log + predicted.half));
        let measure = by.measure(*metric);
        let rows: Vec<u64> = all.iter().take(4).map(|(.., run)| run.row).collect();
        let parts: Vec<PartNumbers> = all.iter().map(|(.., run)| run.parts).collect();
        found.estimates.push(Estimated {
            quantity: measure.key().to_owned(),
            value: at(predicted.log),
            low: one.min(other),
            high: one.max(other),
            unit: unit(measure, values.text(Field::Counts, &run.parts)),
            under: shared(values, &parts, &varied),
            devices: all.len(),
            measurements: ids.of(stores, &rows)?,
            sources: sources(values, &parts),
        });
    }
    if found.estimates.is_empty() {
        let why = match found.too_wide {
            0 => "no setting connects the device with those that were measured in this",
            _ => "too little is known: every interval would reach farther than three times up or down",
        };
        return Ok(found.refused(why));
    }
    Ok(found)
}

/// More digits would suggest a precision that the estimate lacks.
fn three_digits(value: f64) -> f64 {
    format!("{value:.2e}").parse().unwrap_or(value)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::ask::published_schema::is_current;
    use crate::stores::sample::{Sample, table};

    #[test]
    fn the_published_schema_is_current() {
        is_current::<Estimates>("execute/estimate", SCHEMA);
    }

    /// Two devices side by side on one network, at eight batch sizes; one of them alone on another network.
    fn sample() -> Sample {
        let side_by_side = (0..8).map(|at| {
            let (batch, value) = (1 << at, 100 + 10 * at);
            let row = |device: &str, value: i32| format!("[\"{device}\", \"deepnet-50\", {batch}, {value}], ");
            row("core", value) + &row("nova", 2 * value)
        });
        let rows = side_by_side.collect::<String>() + "[\"core\", \"deepnet-18\", 8, 50]";
        let rows = table("device network batch-size throughput-per-s", &rows);
        Sample::without("batch-size = 16\n", &[("paper-2020", &rows)])
    }

    #[test]
    fn what_nobody_measured_is_estimated_beside_what_others_did() {
        let sample = sample();
        let found = estimate(&sample.stores, "", "device:nova network:deepnet-18").unwrap();
        let [only] = found.estimates.as_slice() else { panic!("{found:?}") };
        assert!((only.value - 100.0).abs() < 5.0 && only.low < 100.0 && only.high > 100.0, "{only:?}");
        assert_eq!((only.devices, found.measured), (1, 0));
        let known = estimate(&sample.stores, "", "device:nova network:deepnet-50").unwrap();
        assert!(known.estimates.is_empty() && known.refused.is_some(), "{known:?}");
    }

    #[test]
    fn what_nothing_connects_is_refused() {
        let sample = sample();
        for question in [
            "device:ember network:deepnet-50",
            "network:deepnet-50",
            "device:nova",
            "device:nova network:deepnet-18 zzz",
        ] {
            let found = estimate(&sample.stores, "", question).unwrap();
            assert!(found.estimates.is_empty() && found.refused.is_some(), "{question}: {found:?}");
        }
    }
}
