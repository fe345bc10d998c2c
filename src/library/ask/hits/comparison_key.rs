//! The comparison key: rows with equal keys are alike in everything that decides comparability.

use strum::VariantArray as _;

use super::combined_numbers::CombinedNumbers;
use super::number_map::NumberMap;
use super::shared_values::{PartNumbers, PerShare, SharedValues};
use crate::comparability::{Criterion, RowKind, must_be_known};
use crate::model::{Aspect, Fact, Field, Metric, Part, Tier};
use crate::values::{HardwareClass, Statistic};

/// A row's values in the fields of the tiers identity and axis, except for the varied fields. A required field that is not stated
/// only equals the same gap within one source.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct ComparisonKey {
    setup: u32,
    workload: u32,
    protocol: u32,
    /// The batch size of one device; 0 if unknown.
    batch: u64,
    /// The size of a single layer, or of a network within its family; 0 if irrelevant.
    size: u32,
    /// The source, if a required field is not stated; otherwise 0.
    source: u32,
}

/// The comparison keys of all shares, for the values of one metric.
#[derive(Debug)]
pub struct ComparisonKeys {
    parts: [PartKeys; Part::VARIANTS.len()],
    /// Whether the batch size may vary.
    batch_varies: bool,
    metric: Metric,
    /// The required fields for each kind of rows, as a bit mask.
    required: NumberMap<RowKind, u64>,
    /// The numbers of networks and sources.
    networks: PerShare<u32>,
    sources: PerShare<u32>,
    on_cpu: PerShare<bool>,
    /// Whether a workload states the tokens of a request, and a protocol its load.
    tokens: PerShare<bool>,
    scenarios: PerShare<bool>,
}

/// For each share of a part, the number of its key and the fields it does not state.
#[derive(Debug, Default)]
struct PartKeys {
    numbers: Vec<u32>,
    missing: Vec<u64>,
    /// The mask for a share that states nothing.
    all: u64,
}

/// The bit of the batch size, which follows from two parts.
const BATCH: u64 = 1 << 63;

impl ComparisonKey {
    /// Whether the row states all required fields.
    pub fn is_known(&self) -> bool {
        self.source == 0
    }
}

impl ComparisonKeys {
    /// The keys for the values of a metric; these fields, and fields that depend on them, may vary.
    pub fn new(values: &SharedValues, metric: Metric, varied: &[Field]) -> Self {
        let varies = |field: Field| varied.iter().any(|free| *free == field || field.differs_along(*free));
        let weighs = |field: &Field| {
            let target = if *field == Field::RelativeAccuracyTarget { Field::AccuracyTarget } else { *field };
            let tier = Criterion::Field(target).tier(metric, false);
            matches!(tier, Some(Tier::Identity | Tier::Axis)) && !varies(*field) && *field != Field::BatchSize
        };
        let fields: Vec<Field> =
            Field::VARIANTS.iter().copied().filter(|field| field.part().is_some()).filter(weighs).collect();
        let parts = Part::VARIANTS.iter().map(|part| PartKeys::of(values, *part, &fields));
        let parts: Vec<PartKeys> = parts.collect();
        let batch_varies = varies(Field::BatchSize);
        let mut required = NumberMap::default();
        for kind in kinds() {
            let must = |field| must_be_known(Criterion::Field(field), metric, kind);
            let mask =
                fields.iter().enumerate().filter(|(_, field)| must(**field)).fold(0, |mask, (at, _)| mask | 1 << at);
            let batch = if !batch_varies && must(Field::BatchSize) { BATCH } else { 0 };
            required.insert(kind, mask | batch);
        }
        let numbers = |aspect: Aspect, part: Part| {
            PerShare::new(part, values.column(aspect).map_or_else(Vec::new, |column| column.numbers().collect()))
        };
        let stated = |fields: &[Field], part: Part| {
            let mut stated = Vec::new();
            for column in fields.iter().filter_map(|field| values.column(*field)) {
                stated.resize(column.len().max(stated.len()), false);
                stated.iter_mut().zip(0..).for_each(|(stated, share)| *stated |= column.number(share) > 0);
            }
            PerShare::new(part, stated)
        };
        let is_cpu = |class: Option<&str>| class.and_then(|class| class.parse().ok()) == Some(HardwareClass::Cpu);
        Self {
            parts: parts.try_into().unwrap_or_default(),
            batch_varies,
            metric,
            required,
            networks: numbers(Field::Network.into(), Part::Workload),
            sources: numbers(Aspect::Source, Part::Setup),
            on_cpu: values.per_share(Fact::Class, is_cpu),
            tokens: stated(RowKind::TOKENS, Part::Workload),
            scenarios: stated(RowKind::LOAD, Part::Protocol),
        }
    }

    /// The metric whose values are compared.
    pub fn metric(&self) -> Metric {
        self.metric
    }

    /// The key of a row; `None` if the network or the size of a layer is unknown. Rows of different `size` have different keys.
    pub fn key(&self, values: &SharedValues, parts: &PartNumbers, size: u32) -> Option<ComparisonKey> {
        let kind = values.kind(parts);
        if self.networks.of(parts) == 0 || kind.of_layers && size == 0 {
            return None;
        }
        let share = |part: Part| parts[part as usize] as usize;
        let of = |part: Part| self.parts[part as usize].numbers.get(share(part)).copied().unwrap_or_default();
        let (on_cpu, by_tokens, by_scenario) = (self.on_cpu.of(parts), self.tokens.of(parts), self.scenarios.of(parts));
        let kind = RowKind { on_cpu, by_tokens, by_scenario, all_by_scenario: by_scenario, ..kind };
        let batch = if self.batch_varies { 0 } else { batch_key(values, parts) };
        let missing = [Part::Setup, Part::Workload, Part::Protocol]
            .into_iter()
            .map(|part| {
                let keys = &self.parts[part as usize];
                keys.missing.get(share(part)).copied().unwrap_or(keys.all)
            })
            .fold(if batch == 0 { BATCH } else { 0 }, |all, missing| all | missing);
        let unknown = missing & self.required.get(&kind).copied().unwrap_or(u64::MAX);
        Some(ComparisonKey {
            setup: of(Part::Setup),
            workload: of(Part::Workload),
            protocol: of(Part::Protocol),
            batch,
            size,
            source: if unknown == 0 { 0 } else { self.sources.of(parts) },
        })
    }
}

/// The batch size of one device as a number; a batch size known only for all devices gets a separate range.
fn batch_key(values: &SharedValues, parts: &PartNumbers) -> u64 {
    const OF_ALL: u64 = 1 << 48;
    match values.batch(parts) {
        Some(batch) => batch as u64,
        None => values.count(Field::BatchSizeGlobal, parts).map_or(0, |global| OF_ALL + global as u64),
    }
}

/// Every kind of rows: of layers, images, texts or anything else, on a CPU, with a number of tokens, under a scenario.
fn kinds() -> impl Iterator<Item = RowKind> {
    (0..32).map(|number| {
        let (task, is) = (number % 4, |bit: u8| number & bit != 0);
        let (of_layers, of_images, of_texts) = (task == 1, task == 2, task == 3);
        let (on_cpu, by_tokens, by_scenario) = (is(4), is(8), is(16));
        RowKind { of_layers, of_images, of_texts, on_cpu, by_tokens, by_scenario, all_by_scenario: by_scenario }
    })
}

impl PartKeys {
    /// The keys of a part's shares; `fields` has the fields of all parts, whose indices are the bits.
    fn of(values: &SharedValues, part: Part, fields: &[Field]) -> Self {
        let own = fields.iter().enumerate().filter(|(_, field)| field.part() == Some(part));
        let columns: Vec<(usize, Field, Option<_>)> =
            own.map(|(at, field)| (at, *field, values.column(*field))).collect();
        let shares = columns.iter().filter_map(|(_, _, column)| column.map(|column| column.len())).max().unwrap_or(0);
        let mut combined = CombinedNumbers::of(shares);
        let mut missing = vec![0; shares];
        for (at, field, column) in &columns {
            for (missing, share) in missing.iter_mut().zip(0..) {
                *missing |= u64::from(column.is_none_or(|column| column.number(share) == 0)) << at;
            }
            let Some(column) = column else { continue };
            if *field == Field::Statistic {
                let of_values: Vec<u32> = [None].into_iter().chain(column.values().map(Some)).map(extreme).collect();
                let distinct = of_values.iter().max().map_or(0, |last| *last as usize + 1);
                combined.add(distinct, |share| of_values[column.number(share) as usize]);
            } else {
                combined.add(column.distinct() + 1, |share| column.number(share));
            }
        }
        // 0 is the number of an unknown share.
        let numbers = combined.into_numbers().into_iter().map(|number| number + 1).collect();
        let all = columns.iter().fold(0, |all, (at, ..)| all | 1 << at);
        Self { numbers, missing, all }
    }
}

/// Averages (mean, median) are interchangeable; a percentile or extreme only equals itself.
fn extreme(statistic: Option<&str>) -> u32 {
    let statistic = statistic.and_then(|word| word.parse::<Statistic>().ok());
    statistic.filter(|statistic| !statistic.is_middle()).map_or(0, |statistic| statistic as u32 + 1)
}
