//! The net of evidence: every setting in which two or more candidates were measured, and what it says of each of them.

use std::collections::{BTreeMap, HashMap, HashSet};

use dlbench_effects::{CONTEXTS, Effects, Mix, Observation};
use indexmap::{IndexMap, IndexSet};

use super::key::varied_by;
use super::measure::{AT_ANY_BATCH, By, OF_SPEED, ShareKey, ShareKeys};
use super::measurers::Measurers;
use super::outcome::Remark;
use super::pair::Run;
use super::plan::hits_of;
use crate::ask::hits::{ComparisonKey, ComparisonKeys, HitColumns, LayerSizes, PartNumbers, SharedValues};
use crate::ask::parse::{Filter, Is, Key, QueryError, Reach, Term, Test};
use crate::comparability::ComparisonFacts;
use crate::model::{Aspect, Direction, Facet, Fact, Field, Measurement, Metric, Part};
use crate::stores::Stores;
use crate::values::{Division, EntityKind};

/// Which rows are candidates, and in what these may differ.
pub(in crate::ask) struct Contenders<'c> {
    /// What rows state.
    pub values: &'c SharedValues,
    /// The fields in which candidates may differ.
    pub varied: &'c [Field],
    /// The candidate of a row; `None` of a row that is none.
    pub candidate: &'c dyn Fn(u64, &PartNumbers) -> Option<ShareKey>,
    /// Whether settings of one candidate count: they say nothing of it, but others may be told beside it.
    pub with_single: bool,
}

/// The evidence on some candidates.
pub(in crate::ask) struct Net {
    /// The candidates, each with what one of its rows shares with others; their places are their numbers.
    pub candidates: IndexMap<ShareKey, PartNumbers>,
    /// Who measured, by number.
    pub measurers: IndexSet<String>,
    /// The values, one for each candidate, setting and measurer.
    pub observations: Vec<Observation>,
    /// The run in the middle of each.
    pub runs: Vec<(Metric, Run)>,
    /// The effects.
    pub model: Effects,
}

impl Net {
    /// The evidence of some rows, by each of the metrics.
    ///
    /// # Errors
    ///
    /// When a store fails.
    pub fn of(
        stores: &Stores,
        contenders: &Contenders<'_>,
        (hits, metrics): (&HitColumns, &[Metric]),
    ) -> Result<Self, QueryError> {
        let values = contenders.values;
        let usual = Usual::of(values, hits);
        let mut measurers = Measurers::read(stores, values)?;
        let mut settings: HashMap<(Metric, ComparisonKey, u32), u32> = HashMap::new();
        let mut candidates: IndexMap<ShareKey, PartNumbers> = IndexMap::new();
        let mut counted: Vec<(Metric, u32, u32, Run)> = Vec::new();
        let of_batches = contenders.varied.contains(&Field::BatchSize);
        let says_something = |metric: &&Metric| {
            metric.direction() != Direction::Neutral && (!of_batches || AT_ANY_BATCH.contains(metric))
        };
        let layers = LayerSizes::read(stores, values, &[hits])?;
        for metric in metrics.iter().filter(|metric| says_something(metric)) {
            let keys = ComparisonKeys::new(values, *metric, contenders.varied);
            for (hit, value) in hits.values(*metric).iter().enumerate().filter(|(_, value)| **value > 0.0) {
                let parts = hits.parts(hit);
                let Some(candidate) = (contenders.candidate)(hits.row(hit), &parts).filter(|_| usual.counts(&parts))
                else {
                    continue;
                };
                let Some(key) = keys.key(values, &parts, layers.number(hits.row(hit))) else { continue };
                // What one source leaves unstated is one setting of it, and no two sources measure quite the same.
                let source = values.number(Aspect::Source, &parts);
                let next = settings.len() as u32;
                let setting = *settings.entry((*metric, key, source)).or_insert(next);
                let candidate = candidates.insert_full(candidate, parts).0 as u32;
                counted.push((*metric, setting, candidate, Run { row: hits.row(hit), parts, value: *value }));
            }
        }
        // A setting of one candidate says nothing of it.
        let mut first: Vec<u32> = vec![u32::MAX; settings.len()];
        let mut shared: Vec<bool> = vec![false; settings.len()];
        for (_, setting, candidate, _) in &counted {
            let known = &mut first[*setting as usize];
            shared[*setting as usize] |= *known != u32::MAX && *known != *candidate;
            *known = *candidate;
        }
        counted.retain(|(_, setting, ..)| contenders.with_single || shared[*setting as usize]);
        measurers.read_rows(counted.iter().map(|(.., run)| (run.row, run.parts)))?;
        let mut names: IndexSet<String> = IndexSet::new();
        let mut groups: BTreeMap<(u32, u32, u32), Vec<(Metric, Run)>> = BTreeMap::new();
        for (metric, setting, candidate, run) in counted {
            let name = measurers.of_row(run.row);
            let measurer = match names.get_index_of(name) {
                Some(number) => number,
                None => names.insert_full(name.to_owned()).0,
            };
            groups.entry((setting, candidate, measurer as u32)).or_default().push((metric, run));
        }
        let (mut observations, mut runs) = (Vec::with_capacity(groups.len()), Vec::with_capacity(groups.len()));
        for ((setting, candidate, measurer), mut of_group) in groups {
            of_group.sort_by(|a, b| a.1.value.total_cmp(&b.1.value));
            let (metric, run) = of_group[(of_group.len() - 1) / 2];
            let log = (run.value.ln() + of_group[of_group.len() / 2].1.value.ln()) / 2.0;
            let value = if metric.direction() == Direction::Lower { -log } else { log };
            let context = context(contenders, &run.parts);
            observations.push(Observation { setting, candidate, measurer, value, context });
            runs.push((metric, run));
        }
        let model = Effects::fit(&observations, None);
        Ok(Self { candidates, measurers: names, observations, runs, model })
    }

    /// What all of it rests on.
    pub fn rests_on(&self, wider: Option<Wider>) -> Remark {
        let settings: HashSet<u32> = self.observations.iter().map(|observation| observation.setting).collect();
        Remark::Evidence {
            beside: wider.map(|wider| wider.of).unwrap_or_default(),
            values: self.observations.len(),
            settings: settings.len(),
            measurers: self.measurers.len(),
        }
    }

    /// The mix of contexts of the evidence that some rows are, and the candidates that these are of.
    pub fn of_rows(&self, is_of: impl Fn(u64) -> bool) -> (Mix, Vec<u32>) {
        let own = self.observations.iter().zip(&self.runs).filter(|(_, (_, run))| is_of(run.row));
        let own: Vec<Observation> = own.map(|(observation, _)| *observation).collect();
        let mut candidates: Vec<u32> = own.iter().map(|observation| observation.candidate).collect();
        candidates.sort_unstable();
        candidates.dedup();
        (Mix::of(&own), candidates)
    }
}

/// The contexts a candidate may interact with: number format, kind of work, batch size, network, framework. The context that is
/// itself compared is replaced by the device.
fn context(contenders: &Contenders<'_>, parts: &PartNumbers) -> [u32; CONTEXTS] {
    /// Batches in steps of eight times, the largest together.
    const STEP: f64 = 3.0;
    const LARGEST: u32 = 4;
    let values = contenders.values;
    let of = |field: Field| values.number(Aspect::Field(field), parts);
    let is_free = |field: &Field| contenders.varied.contains(field);
    let format = match (of(Field::Precision), of(Field::Quantization), of(Field::WeightFormat)) {
        (0, 0, weights) => weights << 20,
        (0, quantization, _) => quantization << 10,
        (precision, ..) => precision,
    };
    let work = values.number(Aspect::Fact(Fact::Task), parts) << 8 | of(Field::Stage);
    let batch = values.batch(parts).map_or(0, |batch| {
        let step = ((batch.max(1) as f64).log2() / STEP) as u32;
        step.min(LARGEST) + 1
    });
    let own = [
        (Field::Precision, format),
        (Field::Stage, work),
        (Field::BatchSize, batch),
        (Field::Network, of(Field::Network)),
        (Field::Framework, of(Field::Framework)),
    ];
    own.map(|(field, level)| if is_free(&field) { of(Field::Device) } else { level })
}

/// Whose rows count beside those of the networks that a subject names.
pub(in crate::ask) struct Wider {
    /// The subject, with its networks replaced by these.
    pub filter: Filter,
    /// The tasks or the networks.
    pub of: Vec<String>,
}

impl Wider {
    /// `None` where the subject names no network, or nothing else says something of it.
    ///
    /// # Errors
    ///
    /// When a store fails.
    pub fn of(
        stores: &Stores,
        values: &SharedValues,
        (subject, reach): (&Filter, Reach),
        own: &HitColumns,
    ) -> Result<Option<Self>, QueryError> {
        let named = |term: &Term| match term {
            Term::Test(Test { key: Key::Facet(Facet::Network), is: Is::OneOf(names) }) => Some(names.clone()),
            _ => None,
        };
        let networks: Vec<String> = subject.terms.iter().filter_map(named).flatten().collect();
        let (facet, of) = match reach {
            _ if networks.is_empty() => return Ok(None),
            Reach::Network => return Ok(None),
            Reach::Family => {
                let mut family = networks;
                for at in 0..family.len() {
                    family.extend(stores.database.ancestors(EntityKind::Network, &family[at])?);
                }
                (Facet::Network, family)
            }
            Reach::Task => {
                let column = values.column(Aspect::Fact(Fact::Task));
                let task = |workload: u32| column.and_then(|column| column.of(workload));
                let tasks: IndexSet<&str> = own.distinct(Part::Workload).filter_map(task).collect();
                (Facet::Task, tasks.into_iter().map(str::to_owned).collect())
            }
        };
        let others = subject.terms.iter().filter(|term| named(term).is_none()).cloned();
        let wider = Term::Test(Test { key: Key::Facet(facet), is: Is::OneOf(of.clone()) });
        let filter = Filter { terms: others.chain([wider]).collect() };
        Ok((!of.is_empty()).then_some(Self { filter, of }))
    }
}

/// All values of candidates beside which another was measured in the same setting.
#[derive(Debug, Default)]
pub struct ComparableValues {
    /// The candidates, by number.
    pub candidates: Vec<String>,
    /// Who measured, by number.
    pub measurers: Vec<String>,
    /// The values, by setting.
    pub values: Vec<Observation>,
    /// The measurement behind each.
    pub measurements: Vec<Measurement>,
}

/// The values of what one field tells apart: devices, frameworks, precisions, batch sizes.
///
/// # Errors
///
/// When a store fails.
pub fn comparable_values(stores: &Stores, field: Field) -> Result<ComparableValues, QueryError> {
    let values = SharedValues::read(stores)?;
    let by = By::Metrics(OF_SPEED.to_vec());
    let hits = hits_of(stores, &values, &Filter::default(), &by)?;
    let key = field.facet().map_or(Key::Aspect(Aspect::Field(field)), Key::Facet);
    let varied = varied_by(&key);
    let keys = ShareKeys::of(&values, &[Aspect::Field(field)]);
    let candidate = |_: u64, parts: &PartNumbers| values.value(field, parts).map(|_| keys.key(parts));
    let contenders = Contenders { values: &values, varied: &varied, candidate: &candidate, with_single: false };
    let net = Net::of(stores, &contenders, (&hits, &by.metrics()))?;
    let name = |parts: &PartNumbers| values.value(field, parts).map(|value| value.to_string()).unwrap_or_default();
    let mut rows: Vec<u64> = net.runs.iter().map(|(_, run)| run.row).collect();
    rows.sort_unstable();
    rows.dedup();
    let found = stores.database.measurements(&rows)?;
    let behind = |(_, run): &(Metric, Run)| Some(found[rows.binary_search(&run.row).ok()?].clone());
    Ok(ComparableValues {
        candidates: net.candidates.values().map(name).collect(),
        measurers: net.measurers.into_iter().collect(),
        measurements: net.runs.iter().filter_map(behind).collect(),
        values: net.observations,
    })
}

/// Which rows count: no extreme of several runs, no single layer and no run of MLPerf's other divisions, unless all are of that kind.
pub(super) struct Usual<'u> {
    values: &'u SharedValues,
    layers: Vec<bool>,
    all_layers: bool,
    all_open: bool,
    all_extreme: bool,
}

impl<'u> Usual<'u> {
    /// Those of some rows.
    pub fn of(values: &'u SharedValues, hits: &HitColumns) -> Self {
        let column = values.column(Aspect::Fact(Fact::Task));
        let of = |task: Option<&str>| ComparisonFacts { task: task.map(str::to_owned), ..ComparisonFacts::default() };
        let layers = column.map(|column| column.of_shares(|task| of(task).is_of_layers())).unwrap_or_default();
        let usual = Self { values, layers, all_layers: false, all_open: false, all_extreme: false };
        let all = |is: &dyn Fn(&PartNumbers) -> bool| (0..hits.len()).all(|hit| is(&hits.parts(hit)));
        let (all_layers, all_open) = (all(&|parts| usual.is_layer(parts)), all(&|parts| usual.is_open(parts)));
        let all_extreme = all(&|parts| values.is_extreme(parts));
        Self { all_layers, all_open, all_extreme, ..usual }
    }

    /// Whether a row counts.
    pub fn counts(&self, parts: &PartNumbers) -> bool {
        self.values.stands(parts)
            && (self.all_layers || !self.is_layer(parts))
            && (self.all_open || !self.is_open(parts))
            && (self.all_extreme || !self.values.is_extreme(parts))
    }

    fn is_layer(&self, parts: &PartNumbers) -> bool {
        self.layers.get(parts[Part::Workload as usize] as usize) == Some(&true)
    }

    fn is_open(&self, parts: &PartNumbers) -> bool {
        let division = self.values.text(Aspect::Field(Field::Division), parts);
        division.is_some_and(|division| division != <&str>::from(Division::Closed))
    }
}
