//! The evidence network: every setting in which two or more candidates were measured, and the effect it implies for each of them.

use std::collections::{BTreeMap, BTreeSet, HashMap, HashSet};

use dlbench_effects::{CONTEXTS, Effects, Mix, Observation};
use indexmap::{IndexMap, IndexSet};

use super::measure::{AT_ANY_BATCH, ShareKey};
use super::outcome::Remark;
use super::pair::gain;
use crate::ask::hits::{ComparisonKey, ComparisonKeys, HitColumns, LayerSizes, PartNumbers, Run, SharedValues, Usual};
use crate::ask::parse::{Filter, Is, Reach, Result, Term};
use crate::model::{Aspect, Direction, Facet, Fact, Field, Metric, Part, Source};
use crate::rows::submitter_of;
use crate::stores::Stores;
use crate::values::EntityKind;
use crate::values::text::normalise;

/// Selects the candidates among the rows, and the fields in which they may differ.
pub(in crate::ask) struct Contenders<'c> {
    /// The values that rows state.
    pub values: &'c SharedValues,
    /// The fields in which candidates may differ.
    pub varied: &'c [Field],
    /// The candidate of a row; `None` if the row belongs to none.
    pub candidate: &'c dyn Fn(u64, &PartNumbers) -> Option<ShareKey>,
    /// Whether to include settings with a single candidate: they say nothing about it, but others may be shown beside it.
    pub with_single: bool,
    /// Whether a device with small batches is another candidate than the same device at full load.
    pub by_load: bool,
}

/// Keys of candidates that consist of all rows of a side, whatever devices these name; no row has these numbers.
pub(super) const SIDES: [ShareKey; 2] = [[u32::MAX; 4], [u32::MAX - 1; 4]];

/// The key of a candidate under a load. It uses the batch part, by which devices are not otherwise identified.
pub(super) fn under_load(candidate: &ShareKey, is_light: Option<bool>) -> ShareKey {
    let mut key = *candidate;
    if let Some(is_light) = is_light {
        key[Part::Batch as usize] = u32::from(is_light);
    }
    key
}

/// Whether the key is that of a candidate with small batches.
pub(in crate::ask) fn is_light(candidate: &ShareKey) -> bool {
    candidate[Part::Batch as usize] == u32::from(true)
}

/// A row of a candidate: metric, setting, candidate, run.
pub(in crate::ask) type CountedRow = (Metric, u32, u32, Run);

/// The evidence on some candidates.
pub(in crate::ask) struct Net {
    /// The candidates, each with the parts of one of its rows; the position in the map is the candidate's number.
    pub candidates: IndexMap<ShareKey, PartNumbers>,
    /// The measurers; the position in the set is the measurer's number.
    pub measurers: IndexSet<String>,
    /// The values: one for each combination of candidate, setting and measurer.
    pub observations: Vec<Observation>,
    /// The median run of each observation.
    pub runs: Vec<(Metric, Run)>,
    /// All rows of candidates, including those in settings with one candidate.
    pub rows: Vec<CountedRow>,
    /// The fitted effects.
    pub model: Effects,
}

/// Fields in which each device uses its own best value if no two rows share one, as in comparisons.
const OWN_CHOICES: &[Field] = &[Field::BatchSize, Field::BatchSizeGlobal, Field::FrameworkVersion];

impl Net {
    /// The evidence from the rows in `hits`, by each of the metrics.
    ///
    /// # Errors
    ///
    /// When a store fails.
    pub fn of(stores: &Stores, contenders: &Contenders<'_>, (hits, metrics): (&HitColumns, &[Metric])) -> Result<Self> {
        let values = contenders.values;
        let usual = Usual::of(values, hits);
        let mut settings: HashMap<(Metric, ComparisonKey, u32, u32), u32> = HashMap::new();
        let mut candidates: IndexMap<ShareKey, PartNumbers> = IndexMap::new();
        let mut rows: Vec<CountedRow> = Vec::new();
        let of_batches = contenders.varied.contains(&Field::BatchSize);
        let of_devices = contenders.varied.contains(&Field::Device) && !of_batches;
        let of_frameworks = contenders.varied.contains(&Field::Framework);
        let says_something = |metric: &&Metric| {
            metric.direction() != Direction::Neutral && (!of_batches || AT_ANY_BATCH.contains(metric))
        };
        // The time to an accuracy depends on the training recipe as much as on the framework, unless rules fix the recipe.
        let is_of_recipe = |metric: Metric, parts: &PartNumbers| {
            metric == Metric::TimeToAccuracyS && values.text(Field::Division, parts).is_none()
        };
        let is_evidence = |metric: Metric, parts: &PartNumbers| {
            usual.counts(parts) && usual.has_count(metric, parts) && !(of_frameworks && is_of_recipe(metric, parts))
        };
        // Frameworks name the same quantization differently; the weight format shows which integers are meant.
        let own_names: &[Field] = if of_frameworks { &[Field::Quantization] } else { &[] };
        let varied = [contenders.varied, own_names].concat();
        let with_choices = [&varied, OWN_CHOICES].concat();
        let mut of_any_choice: IndexMap<(Metric, ComparisonKey, u32), Vec<CountedRow>> = IndexMap::new();
        let layers = LayerSizes::read(stores, values, &[hits])?;
        for metric in metrics.iter().filter(|metric| says_something(metric)) {
            let keys = ComparisonKeys::new(values, *metric, &varied);
            let may_differ = of_devices && AT_ANY_BATCH.contains(metric);
            let keys_of_any_choice = may_differ.then(|| ComparisonKeys::new(values, *metric, &with_choices));
            for run @ Run { row, parts, .. } in hits.measured(*metric).filter(|run| run.value > 0.0) {
                let candidate = (contenders.candidate)(row, &parts).filter(|_| is_evidence(*metric, &parts));
                let Some(candidate) = candidate else { continue };
                let is_light = usual.is_light(*metric, &parts);
                let candidate = under_load(&candidate, contenders.by_load.then_some(is_light));
                let Some(key) = keys.key(values, &parts, layers.number(row)) else { continue };
                // Fields that a source leaves unstated make one setting within that source; no two sources measure quite the same.
                let source = values.number(Aspect::Source, &parts);
                let next = settings.len() as u32;
                let of = |field: Field| values.number(field, &parts);
                let is_named = !own_names.is_empty() && of(Field::WeightFormat) == 0;
                let name = if is_named { of(Field::Quantization) } else { 0 };
                let setting = *settings.entry((*metric, key, source, name)).or_insert(next);
                let candidate = candidates.insert_full(candidate, parts).0 as u32;
                let counted = (*metric, setting, candidate, run);
                let any_choice = keys_of_any_choice.as_ref().filter(|_| !is_light);
                if let Some(key) = any_choice.and_then(|keys| keys.key(values, &parts, layers.number(row))) {
                    of_any_choice.entry((*metric, key, source)).or_default().push(counted);
                }
                rows.push(counted);
            }
        }
        let mut many = settings.len();
        for own in of_any_choice.into_values().filter_map(at_own_choice) {
            rows.extend(own.into_iter().map(|(metric, _, candidate, run)| (metric, many as u32, candidate, run)));
            many += 1;
        }
        // A setting with a single candidate says nothing about it.
        let mut first: Vec<u32> = vec![u32::MAX; many];
        let mut shared: Vec<bool> = vec![contenders.with_single; many];
        for (_, setting, candidate, _) in &rows {
            let known = &mut first[*setting as usize];
            shared[*setting as usize] |= *known != u32::MAX && *known != *candidate;
            *known = *candidate;
        }
        let mut measurers = Measurers::read(stores, contenders.values)?;
        let beside = || rows.iter().filter(|(_, setting, ..)| shared[*setting as usize]);
        measurers.read_rows(beside().map(|(.., run)| (run.row, run.parts)))?;
        let mut names: IndexSet<String> = IndexSet::new();
        let mut groups: BTreeMap<(u32, u32, u32), Vec<(Metric, Run)>> = BTreeMap::new();
        for &(metric, setting, candidate, run) in beside() {
            let name = measurers.of_row(run.row);
            let known = names.get_index_of(name);
            let measurer = known.unwrap_or_else(|| names.insert_full(name.to_owned()).0);
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
        let model = Effects::fit(&observations);
        Ok(Self { candidates, measurers: names, observations, runs, rows, model })
    }

    /// Each observation with its metric and its median run.
    pub fn observed(&self) -> impl Iterator<Item = (&Observation, Metric, &Run)> {
        self.observations.iter().zip(&self.runs).map(|(observation, (metric, run))| (observation, *metric, run))
    }

    /// The remark on the evidence behind an order of `candidates`, or (with 0) a comparison of two sides.
    pub fn evidence_remark(&self, scope: EvidenceScope, candidates: usize) -> Remark {
        let settings: HashSet<u32> = self.observations.iter().map(|observation| observation.setting).collect();
        let (settings, values, measurers) = (settings.len(), self.observations.len(), self.measurers.len());
        Remark::Evidence { beside: scope.widened_to, candidates, values, settings, measurers }
    }

    /// The mix of contexts of the observations whose rows pass, and the candidates of these rows.
    pub fn mix_of_rows(&self, is_of: impl Fn(u64) -> bool) -> (Mix, Vec<u32>) {
        let own = self.observed().filter(|(.., run)| is_of(run.row));
        Self::mix_of(own.map(|(observation, ..)| *observation).collect())
    }

    /// Like [`mix_of_rows`](Self::mix_of_rows), for each connected group of candidates.
    pub fn mixes_by_component(&self, is_of: impl Fn(u64) -> bool) -> Vec<(Mix, Vec<u32>)> {
        let mut groups: BTreeMap<u32, Vec<Observation>> = BTreeMap::new();
        for (own, ..) in self.observed().filter(|(.., run)| is_of(run.row)) {
            groups.entry(self.model.components()[own.candidate as usize]).or_default().push(*own);
        }
        groups.into_values().map(Self::mix_of).collect()
    }

    fn mix_of(own: Vec<Observation>) -> (Mix, Vec<u32>) {
        let mut candidates: Vec<u32> = own.iter().map(|observation| observation.candidate).collect();
        candidates.sort_unstable();
        candidates.dedup();
        (Mix::of(&own), candidates)
    }
}

/// The best run of each group of candidates connected by shared values, from rows that differ only in [`OWN_CHOICES`]; `None` for
/// one group. A device with more memory runs larger batches, so without a shared batch each is compared at its best.
fn at_own_choice(mut rows: Vec<CountedRow>) -> Option<Vec<CountedRow>> {
    let mut best: Vec<CountedRow> = Vec::new();
    while let Some(&first) = rows.first() {
        let (mut settings, mut group) = (HashSet::from([first.1]), HashSet::from([first.2]));
        let mut before = 0;
        while settings.len() + group.len() > before {
            before = settings.len() + group.len();
            for (_, setting, candidate, _) in &rows {
                if settings.contains(setting) || group.contains(candidate) {
                    settings.insert(*setting);
                    group.insert(*candidate);
                }
            }
        }
        let is_of_group = |row: &CountedRow| group.contains(&row.2);
        let of_group = rows.iter().copied().filter(is_of_group);
        best.extend(of_group.reduce(|a, b| if gain(a.0.direction(), b.3.value, a.3.value) > 1.0 { b } else { a }));
        rows.retain(|row| !is_of_group(row));
    }
    (best.len() > 1).then_some(best)
}

/// The interaction terms of a candidate: number format, task and stage, batch size, network, framework. A field that is compared
/// cannot be one; its term is the device instead.
fn context(contenders: &Contenders<'_>, parts: &PartNumbers) -> [u32; CONTEXTS] {
    /// Batch sizes are binned by factors of eight; the last bin is open-ended.
    const STEP: f64 = 3.0;
    const LARGEST: u32 = 4;
    let values = contenders.values;
    let of = |field: Field| values.number(field, parts);
    let is_free = |field: &Field| contenders.varied.contains(field);
    let format = match (of(Field::Precision), of(Field::Quantization), of(Field::WeightFormat)) {
        (0, 0, weights) => weights << 20,
        (0, quantization, _) => quantization << 10,
        (precision, ..) => precision,
    };
    let work = values.number(Fact::Task, parts) << 8 | of(Field::Stage);
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

/// The rows that count as evidence in addition to those of the networks that a subject names.
pub(in crate::ask) struct EvidenceScope {
    /// The subject with its networks replaced by the wider set.
    pub filter: Filter,
    /// The tasks or networks of the wider set; empty if the subject names no network, or if the reach adds none.
    pub widened_to: Vec<String>,
}

impl EvidenceScope {
    /// Widens the subject `asked` by its reach; `own` are the rows of the subject.
    pub fn of(stores: &Stores, values: &SharedValues, asked: &Filter, reach: Reach, own: &HitColumns) -> Result<Self> {
        let mut family: Vec<String> = asked.names(Facet::Network).cloned().collect();
        let (facet, widened_to) = match reach {
            Reach::Task if !family.is_empty() => {
                let column = values.column(Fact::Task);
                let task = |workload: u32| column.and_then(|column| column.of(workload));
                let tasks: IndexSet<&str> = own.distinct(Part::Workload).filter_map(task).collect();
                (Facet::Task, tasks.into_iter().map(str::to_owned).collect())
            }
            Reach::Family => {
                for at in 0..family.len() {
                    family.extend(stores.database.ancestors(EntityKind::Network, &family[at])?);
                }
                (Facet::Network, family)
            }
            Reach::Task | Reach::Network => (Facet::Network, Vec::new()),
        };
        if widened_to.is_empty() {
            return Ok(Self { filter: asked.clone(), widened_to });
        }
        let others = asked.only(|term| term.names(Facet::Network).is_empty());
        Ok(Self { filter: others.with(Term::of(facet, Is::OneOf(widened_to.clone()))), widened_to })
    }
}

/// Who measured each row; everyone has one name.
pub(in crate::ask) struct Measurers<'m> {
    stores: &'m Stores,
    values: &'m SharedValues,
    /// The measurer's name by source id, and by normalised author.
    of_sources: HashMap<String, String>,
    of_authors: HashMap<String, String>,
    /// The measurers of the rows read so far, by row.
    of_rows: HashMap<u64, String>,
}

impl<'m> Measurers<'m> {
    /// Reads all sources; sources that share an author get one name.
    pub fn read(stores: &'m Stores, values: &'m SharedValues) -> Result<Self> {
        let sources: Vec<Source> = stores.database.entities()?;
        let authors = |source: &Source| -> Vec<String> {
            // A source without authors is a measurer of its own.
            let own = || vec![source.id.to_string()];
            if source.authors.is_empty() { own() } else { source.authors.iter().map(|name| normalise(name)).collect() }
        };
        let mut names: BTreeMap<String, String> = BTreeMap::new();
        for source in &sources {
            let authors = authors(source);
            let known: BTreeSet<String> = authors.iter().filter_map(|author| names.get(author).cloned()).collect();
            let name = known.first().or(authors.first()).cloned().unwrap_or_default();
            for other in names.values_mut().filter(|other| known.contains(*other)) {
                other.clone_from(&name);
            }
            names.extend(authors.into_iter().map(|author| (author, name.clone())));
        }
        let named = |source: &Source| {
            let first = authors(source).first().and_then(|author| names.get(author)).cloned();
            Some((source.id.to_string(), first?))
        };
        let of_sources = sources.iter().filter_map(named).collect();
        Ok(Self { stores, values, of_sources, of_authors: names.into_iter().collect(), of_rows: HashMap::new() })
    }

    /// Finds the measurers of rows: the submitter for a benchmark division, otherwise the authors of the source.
    pub fn read_rows(&mut self, rows: impl Iterator<Item = (u64, PartNumbers)>) -> Result<()> {
        let mut submitted: Vec<(u64, PartNumbers)> = Vec::new();
        for (row, parts) in rows {
            if !self.of_rows.contains_key(&row) {
                let name = self.of_sources.get(self.values.source(&parts)).cloned().unwrap_or_default();
                self.of_rows.insert(row, name);
                if self.values.text(Field::Division, &parts).is_some() {
                    submitted.push((row, parts));
                }
            }
        }
        let rows: Vec<u64> = submitted.iter().map(|(row, _)| *row).collect();
        for ((row, parts), label) in submitted.iter().zip(self.stores.database.remarks_of(&rows, Field::Label)?) {
            let division = self.values.text(Field::Division, parts);
            if let Some(submitter) =
                label.as_deref().zip(division).and_then(|(label, of)| submitter_of(label, Some(of)))
            {
                let name = normalise(submitter);
                self.of_rows.insert(*row, self.of_authors.get(&name).cloned().unwrap_or(name));
            }
        }
        Ok(())
    }

    /// The measurer of a row that was read before.
    pub fn of_row(&self, row: u64) -> &str {
        self.of_rows.get(&row).map(String::as_str).unwrap_or_default()
    }
}
