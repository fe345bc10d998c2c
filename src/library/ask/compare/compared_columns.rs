//! The columnar data of all hits, from which tables are built before any full measurement is read.

use std::collections::{BTreeSet, HashMap};

use strum::VariantArray as _;

use super::CompareError;
use super::request::{ComparePick, CompareRequest, PivotAxis};
use crate::model::{Aspect, Derived, Fact, Field, Measure, Measurement, Metric, Part, SharedPart, Value};
use crate::rows::EntityCache;
use crate::stores::Stores;
use crate::stores::database::Database;
use crate::stores::index::{Columns, Condition};
use crate::values::EntityKind;

/// Maximum number of measurements for which an axis may require reading full rows.
const MOST_READ: usize = 20_000;

/// The measurements found, with the parts that they share.
pub(super) struct ComparedColumns {
    /// The columns of the hits; part numbers are indices into `shares`.
    pub columns: Columns,
    /// The distinct setups, workloads, protocols and batches of the hits.
    pub shares: [Vec<SharedPart>; Part::VARIANTS.len()],
    /// The measures to compare.
    pub measures: Vec<Measure>,
    /// The metrics whose columns were read.
    metrics: Vec<Metric>,
    /// Values of derived measures, per hit.
    derived: HashMap<Derived, Vec<f64>>,
    /// The full measurements, if an axis needs them.
    measurements: Vec<Measurement>,
    /// Catalog entities, as far as an axis or a measure needs them.
    entities: EntityCache<'static>,
}

impl ComparedColumns {
    pub fn of(stores: &Stores, condition: &Condition, request: &CompareRequest) -> Result<Self, CompareError> {
        let axes: Vec<PivotAxis> = request.rows.iter().chain(&request.columns).copied().collect();
        let mut metrics: Vec<Metric> = match request.measures.as_slice() {
            [] => Metric::VARIANTS.to_vec(),
            measures => measures.iter().flat_map(|measure| measure.needs()).collect(),
        };
        metrics.sort_unstable();
        metrics.dedup();
        let mut columns = stores.index.columns(condition, &metrics)?;
        let mut shares: [Vec<SharedPart>; Part::VARIANTS.len()] = Default::default();
        for part in Part::VARIANTS {
            shares[*part as usize] = read_shares(&stores.database, *part, &mut columns.parts[*part as usize])?;
        }
        let mut compared = Self {
            columns,
            shares,
            measures: request.measures.clone(),
            metrics,
            derived: HashMap::new(),
            measurements: Vec::new(),
            entities: EntityCache::default(),
        };
        if compared.measures.is_empty() {
            compared.measures = compared.usual_measures(axes.contains(&PivotAxis::Metric));
            compared.drop_other_metrics();
        }
        compared.read_rows_if_needed(stores, &axes)?;
        compared.read_catalog(stores, &axes, request)?;
        for measure in compared.measures.clone() {
            if let Measure::Derived(derived) = measure {
                let values = compared.derive(derived, request);
                compared.derived.insert(derived, values);
            }
        }
        Ok(compared)
    }

    /// Number of hits.
    pub fn len(&self) -> usize {
        self.columns.rows.len()
    }

    /// Values of a measure per hit, to eight digits; NaN where there is none.
    pub fn values(&self, measure: Measure) -> &[f64] {
        let values = match measure {
            Measure::Metric(metric) => {
                let at = self.metrics.iter().position(|other| *other == metric);
                at.map(|at| self.columns.metrics[at].as_slice())
            }
            Measure::Derived(derived) => self.derived.get(&derived).map(Vec::as_slice),
        };
        values.unwrap_or_default()
    }

    /// The value of a measure for a hit.
    pub fn value(&self, measure: Measure, hit: usize) -> f64 {
        self.values(measure).get(hit).copied().unwrap_or(f64::NAN)
    }

    /// The value of a field in a hit's shared part.
    pub fn stated(&self, hit: usize, field: Field) -> Option<&Value> {
        let part = field.part()?;
        let share = &self.shares[part as usize][self.columns.parts[part as usize][hit] as usize];
        share.get(field)
    }

    /// The source of a hit.
    pub fn source(&self, hit: usize) -> &str {
        let setup = &self.shares[Part::Setup as usize][self.columns.parts[Part::Setup as usize][hit] as usize];
        setup.source.as_ref().map_or("", |source| source.as_str())
    }

    /// The date of a hit, else of its source, as text that sorts chronologically.
    pub fn date(&self, hit: usize) -> String {
        if let Some(date) = self.stated(hit, Field::Date) {
            return date.to_string();
        }
        let Some(source) = self.entities.source(self.source(hit)) else { return String::new() };
        let commit = source.commit_date.as_ref().map(ToString::to_string);
        commit.or_else(|| source.year.map(|year| year.to_string())).unwrap_or_default()
    }

    /// The value of an axis for a hit.
    pub fn axis_value(&self, hit: usize, axis: PivotAxis) -> Option<String> {
        let PivotAxis::Aspect(aspect) = axis else { return None };
        match aspect {
            Aspect::Source => Some(self.source(hit).to_owned()),
            Aspect::Field(field) if field.part().is_some() => {
                self.stated(hit, field).map(ToString::to_string).or_else(|| field.unstated().map(str::to_owned))
            }
            Aspect::Field(field) => self.measurements.get(hit)?.get(field).map(ToString::to_string),
            Aspect::Id => self.measurements.get(hit).map(|measurement| measurement.id().to_owned()),
            Aspect::Fact(fact) => self.fact(hit, fact),
            Aspect::Metric(_) | Aspect::Derived(_) => None,
        }
    }

    /// The parts that determine an axis value; `None` if it differs per row.
    pub fn parts_of(axis: PivotAxis) -> Option<Vec<Part>> {
        let PivotAxis::Aspect(aspect) = axis else { return Some(Vec::new()) };
        match aspect {
            Aspect::Source => Some(vec![Part::Setup]),
            Aspect::Field(field) => field.part().map(|part| vec![part]),
            Aspect::Fact(fact) => fact.part().map(|part| vec![part]),
            Aspect::Id | Aspect::Metric(_) | Aspect::Derived(_) => None,
        }
    }

    /// The heading of a measure; `images/s` if all hits count the same thing.
    pub fn heading(&self, measure: Measure) -> String {
        let Some(per) = measure.items_per() else { return measure.heading().to_owned() };
        let mut counted: Vec<Option<String>> = Vec::new();
        let protocols = &self.columns.parts[Part::Protocol as usize];
        let mut seen = vec![false; self.shares[Part::Protocol as usize].len()];
        for (hit, protocol) in protocols.iter().enumerate() {
            if !seen[*protocol as usize] && !self.value(measure, hit).is_nan() {
                seen[*protocol as usize] = true;
                let counts = self.stated(hit, Field::Counts).map(ToString::to_string);
                if !counted.contains(&counts) {
                    counted.push(counts);
                }
            }
        }
        match counted.as_slice() {
            [Some(one)] => match measure {
                Measure::Metric(metric) => metric.heading_of(one).unwrap_or_else(|| measure.heading().to_owned()),
                Measure::Derived(_) => format!("{one}s/{per}"),
            },
            _ => measure.heading().to_owned(),
        }
    }

    /// The metric that most measurements have; with `several`, every metric that occurs.
    fn usual_measures(&self, several: bool) -> Vec<Measure> {
        /// The column for a table in which all attempts failed.
        const OF_FAILURES: Metric = Metric::ThroughputPerS;
        let mut counts: Vec<(usize, Metric)> = self
            .metrics
            .iter()
            .zip(&self.columns.metrics)
            .map(|(metric, values)| (values.iter().filter(|value| !value.is_nan()).count(), *metric))
            .filter(|(count, _)| *count > 0)
            .collect();
        if counts.is_empty() {
            return vec![Measure::Metric(OF_FAILURES)];
        }
        if several {
            return counts.into_iter().map(|(_, metric)| Measure::Metric(metric)).collect();
        }
        counts.sort_by_key(|(count, metric)| (std::cmp::Reverse(*count), *metric));
        counts.first().map(|(_, metric)| Measure::Metric(*metric)).into_iter().collect()
    }

    /// Frees the columns of metrics that were only read to find the most frequent one.
    fn drop_other_metrics(&mut self) {
        let needed: Vec<Metric> = self.measures.iter().flat_map(|measure| measure.needs()).collect();
        let columns = std::mem::take(&mut self.columns.metrics);
        let read = std::mem::take(&mut self.metrics).into_iter().zip(columns);
        (self.metrics, self.columns.metrics) = read.filter(|(metric, _)| needed.contains(metric)).unzip();
    }

    fn read_rows_if_needed(&mut self, stores: &Stores, axes: &[PivotAxis]) -> Result<(), CompareError> {
        let Some(own) = axes.iter().find(|axis| Self::parts_of(**axis).is_none()) else { return Ok(()) };
        if self.len() > MOST_READ {
            return Err(CompareError::request(
                format!("{} rows cannot be made of `{}`: there are {} measurements", MOST_READ, own.key(), self.len()),
                "narrow the question, or choose a field that measurements share",
            ));
        }
        self.measurements = stores.database.measurements(&self.columns.rows)?;
        Ok(())
    }

    fn read_catalog(
        &mut self,
        stores: &Stores,
        axes: &[PivotAxis],
        request: &CompareRequest,
    ) -> Result<(), CompareError> {
        let derived = self.measures.iter().any(|measure| matches!(measure, Measure::Derived(_)));
        let mut named: Vec<(Field, String)> = Vec::new();
        for field in [Field::Device, Field::Network, Field::Dataset, Field::Framework, Field::Backend] {
            let frameworks = matches!(field, Field::Framework | Field::Backend);
            let by_axis = |field: Field| {
                let is_fact = |axis: &&PivotAxis| matches!(axis, PivotAxis::Aspect(Aspect::Fact(_)));
                axes.iter().filter(is_fact).any(|axis| axis.field() == Some(field))
            };
            let wanted = if frameworks { by_axis(Field::Framework) } else { derived || by_axis(field) };
            if !wanted {
                continue;
            }
            let Some(part) = field.part() else { continue };
            let mut seen = vec![false; self.shares[part as usize].len()];
            for number in &self.columns.parts[part as usize] {
                seen[*number as usize] = true;
            }
            for share in self.shares[part as usize].iter().zip(seen).filter(|(_, seen)| *seen).map(|(share, _)| share) {
                if let Some(id) = share.text(field) {
                    named.push((field, id.to_owned()));
                }
            }
        }
        named.extend(request.dataset.iter().map(|id| (Field::Dataset, id.clone())));
        if request.pick == ComparePick::Latest || axes.contains(&PivotAxis::Aspect(Aspect::Fact(Fact::Year))) {
            let sources: BTreeSet<String> = (0..self.len()).map(|hit| self.source(hit).to_owned()).collect();
            for source in sources {
                self.entities.load(&stores.database, EntityKind::Source, &source)?;
            }
        }
        named.sort();
        named.dedup();
        for (field, id) in named {
            self.entities.load_value(&stores.database, field, Some(&id))?;
        }
        Ok(())
    }

    fn fact(&self, hit: usize, fact: Fact) -> Option<String> {
        let text = |field: Field| match self.stated(hit, field) {
            Some(Value::Text(text)) => Some(&**text),
            _ => None,
        };
        self.entities.fact(fact, self.source(hit), text).map(|value| value.to_string())
    }

    /// Values of a derived measure, per hit.
    fn derive(&self, measure: Derived, request: &CompareRequest) -> Vec<f64> {
        let of = |metric, hit| self.value(Measure::Metric(metric), hit);
        if measure == Derived::ScalingEfficiency {
            return self.scaling();
        }
        let mut factors: HashMap<[u32; 3], Option<f64>> = HashMap::new();
        (0..self.len())
            .map(|hit| {
                let shares =
                    [Part::Setup, Part::Workload, Part::Protocol].map(|part| self.columns.parts[part as usize][hit]);
                let factor = *factors.entry(shares).or_insert_with(|| {
                    let text = |field| self.stated(hit, field).map(ToString::to_string);
                    let dataset = request.dataset.clone().or_else(|| text(Field::Dataset));
                    let (device, network) = (text(Field::Device), text(Field::Network));
                    let (device, network, dataset) = (device.as_deref(), network.as_deref(), dataset.as_deref());
                    let catalog = self.entities.catalog_inputs(device, network, dataset);
                    catalog.factor(measure, |field| self.stated(hit, field))
                });
                let power = of(Metric::PowerW, hit);
                let power = (!power.is_nan()).then_some(power);
                factor.and_then(|factor| measure.value(factor, of(measure.rate(), hit), power)).unwrap_or(f64::NAN)
            })
            .collect()
    }

    /// Scaling efficiency: throughput per device over the best single-device throughput under otherwise equal conditions.
    fn scaling(&self) -> Vec<f64> {
        let throughput = |hit| self.value(Measure::Metric(Metric::ThroughputPerS), hit);
        let devices = |hit: usize| match self.stated(hit, Field::DeviceCount) {
            Some(Value::Count(count)) => Some(*count),
            _ => None,
        };
        let mut setups: HashMap<String, u32> = HashMap::new();
        let like: Vec<u32> = self.shares[Part::Setup as usize]
            .iter()
            .map(|share| {
                let own = [Field::DeviceCount, Field::DeviceRaw, Field::Instance, Field::Host];
                let fields: Vec<_> = share.fields.iter().filter(|(field, _)| !own.contains(field)).collect();
                let next = setups.len() as u32;
                *setups.entry(format!("{:?} {fields:?}", share.source)).or_insert(next)
            })
            .collect();
        let count = |hit: usize, field: Field| match self.stated(hit, field) {
            Some(Value::Count(count)) => Some(*count),
            _ => None,
        };
        // The batch size per device, computed from the global one if it is not stated.
        let batch = |hit: usize| {
            let of_all =
                || count(hit, Field::BatchSizeGlobal).zip(devices(hit)).map(|(all, devices)| all / devices.max(1));
            count(hit, Field::BatchSize).or_else(of_all)
        };
        let key = |hit: usize| {
            let number = |part: Part| self.columns.parts[part as usize][hit];
            (like[number(Part::Setup) as usize], number(Part::Workload), number(Part::Protocol), batch(hit))
        };
        let mut single: HashMap<_, f64> = HashMap::new();
        for hit in (0..self.len()).filter(|hit| devices(*hit) == Some(1) && !throughput(*hit).is_nan()) {
            let best = single.entry(key(hit)).or_insert(0.0);
            *best = best.max(throughput(hit));
        }
        (0..self.len())
            .map(|hit| match (devices(hit), single.get(&key(hit))) {
                (Some(count), Some(one)) if count > 1 && *one > 0.0 => throughput(hit) / (count as f64 * one),
                _ => f64::NAN,
            })
            .collect()
    }
}

/// Reads the shared parts of the hits and renumbers them densely, so that unused parts cost neither time nor memory.
fn read_shares(database: &Database, part: Part, hits: &mut [u32]) -> Result<Vec<SharedPart>, CompareError> {
    let mut numbers = hits.to_vec();
    numbers.sort_unstable();
    numbers.dedup();
    let mut places: Vec<u32> = vec![0; numbers.last().map_or(0, |last| *last as usize + 1)];
    for (place, number) in (0..).zip(&numbers) {
        places[*number as usize] = place;
    }
    for hit in hits {
        *hit = places[*hit as usize];
    }
    Ok(database.shares(part, &numbers)?)
}
