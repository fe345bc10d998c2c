//! What is observed about two sides: an effect for each pair of rows or counted item, by matched rows, by the gain from more
//! devices, by first years, or by breadth.

use std::collections::{BTreeMap, BTreeSet};

use super::interval::{Effects, Factor, Interval};
use super::measured::{MeasuredSides, Period};
use crate::ask::execute::measure::Possible;
use crate::ask::execute::pair::{Pairing, Picked, gain};
use crate::ask::execute::sizes::Sizes;
use crate::ask::hits::{ComparisonKey, ComparisonKeys, HitColumns, NumberMap, PartNumbers, Run, SharedValues};
use crate::ask::parse::QueryError;
use crate::model::{Aspect, Breadth, EvidenceDefinition, EvidenceKind, Fact, Field, Framework, Measure, Part};
use crate::values::Target;

/// One effect; above 0 the subject is better.
#[derive(Debug, Clone)]
pub(super) struct Observation {
    /// The unit with which the effect is correlated, usually a network.
    pub unit: String,
    /// The logarithm of a ratio, or a difference.
    pub effect: f64,
    /// The subject's value and the baseline's.
    pub values: Option<(f64, f64)>,
    /// The evidence for the subject.
    pub subject: Vec<Witness>,
    /// The evidence for the baseline.
    pub baseline: Vec<Witness>,
}

/// A piece of evidence for one side.
#[derive(Debug, Clone)]
pub(super) enum Witness {
    /// A measured row.
    Row(u64, PartNumbers),
    /// What a framework states, by its id.
    Framework(String),
}

impl Observation {
    /// The evidence for both sides.
    pub fn witnesses(&self) -> impl Iterator<Item = &Witness> {
        self.subject.iter().chain(&self.baseline)
    }

    /// The first row of each side.
    pub fn first_rows(&self) -> [Option<(u64, PartNumbers)>; 2] {
        [&self.subject, &self.baseline].map(|witnesses| witnesses.iter().find_map(Witness::row))
    }
}

impl Witness {
    /// The row, if it is one.
    pub fn row(&self) -> Option<(u64, PartNumbers)> {
        match self {
            Self::Row(row, parts) => Some((*row, *parts)),
            Self::Framework(_) => None,
        }
    }
}

/// The scale of effects.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Scale {
    /// Logarithms of ratios.
    Ratio,
    /// Differences of years.
    Years,
    /// Differences of shares.
    Share,
}

impl Scale {
    /// The word for JSON and text.
    pub fn word(self) -> &'static str {
        match self {
            Self::Ratio => "ratio",
            Self::Years => "years",
            Self::Share => "share",
        }
    }

    /// Converts an effect to the reported value.
    pub fn reported(self, effect: f64) -> f64 {
        match self {
            Self::Ratio => effect.exp(),
            Self::Years | Self::Share => effect,
        }
    }

    /// Converts a reported value to an effect.
    pub fn effect(self, reported: f64) -> f64 {
        match self {
            Self::Ratio => reported.ln(),
            Self::Years | Self::Share => reported,
        }
    }
}

/// The effects of observations with their units and, for sides that are a sample of a class (`sampled`), with their devices.
fn effects(observations: &[Observation], values: &SharedValues, sampled: [bool; 2]) -> Effects {
    let device = Aspect::Field(Field::Device);
    let devices = |side: usize| {
        let of = |observation: &Observation| {
            observation.first_rows()[side].map_or(0, |(_, parts)| values.number(device, &parts))
        };
        sampled[side].then(|| Factor::of(observations.iter().map(of)))
    };
    Effects::new(
        observations.iter().map(|observation| observation.effect).collect(),
        Factor::of(observations.iter().map(|observation| &observation.unit)),
        [devices(0), devices(1)],
    )
}

/// The rows of both sides alternately, each pair once.
pub(super) fn rows(observations: &[&Observation]) -> Vec<u64> {
    let mut seen = BTreeSet::new();
    let pairs = observations.iter().map(|observation| observation.first_rows().map(|row| row.map(|(row, _)| row)));
    pairs.filter(|pair| seen.insert(*pair)).flatten().flatten().collect()
}

/// The observations of two sides, and the scale of their effects.
#[derive(Clone)]
pub(super) struct Observed {
    pub observations: Vec<Observation>,
    pub scale: Scale,
    /// The effects with the factors that correlate them.
    pub effects: Effects,
    /// The mean effect and its interval.
    pub found: Option<Interval>,
    /// Whether the evidence was enough for a verdict.
    pub concludes: bool,
}

impl Observed {
    /// The same observations with the sides swapped.
    pub fn swapped(&self) -> Self {
        let swapped = self.observations.iter().map(|observation| Observation {
            unit: observation.unit.clone(),
            effect: 0.0 - observation.effect,
            values: observation.values.map(|(own, other)| (other, own)),
            subject: observation.baseline.clone(),
            baseline: observation.subject.clone(),
        });
        Self {
            observations: swapped.collect(),
            found: self.found.map(Interval::negated),
            effects: self.effects.clone(),
            ..*self
        }
    }
}

impl MeasuredSides<'_> {
    /// The observations of two sides by a definition; `measure` is the one compared if the definition uses rows.
    pub fn observed(
        &mut self,
        definition: &EvidenceDefinition,
        measure: Option<Measure>,
        sides: [&str; 2],
        period: Period,
    ) -> Result<Observed, QueryError> {
        let (observations, scale) = match (definition.speaks, measure) {
            (EvidenceKind::MatchedRows, Some(measure)) => {
                (self.matched(definition, measure, sides, period)?, Scale::Ratio)
            }
            (EvidenceKind::Scaling, Some(measure)) => (self.scaling(definition, measure, sides, period)?, Scale::Ratio),
            (EvidenceKind::Lag, _) => (self.lags(definition, sides, period)?, Scale::Years),
            (EvidenceKind::Coverage, _) => (self.coverage(definition, sides, period)?, Scale::Share),
            _ => (Vec::new(), Scale::Ratio),
        };
        // Counted items have no device, and a side that names devices is not a sample.
        let by_devices = definition.speaks != EvidenceKind::Coverage;
        let effects = effects(&observations, self.values, sides.map(|side| by_devices && !side.contains("device:")));
        let found = effects.interval();
        Ok(Observed { observations, scale, effects, found, concludes: false })
    }

    /// The rows of two sides within a period.
    fn within(
        &mut self,
        definition: &EvidenceDefinition,
        measure: Measure,
        sides: [&str; 2],
        period: Period,
    ) -> Result<[HitColumns; 2], QueryError> {
        let mut of = |side: &str| -> Result<HitColumns, QueryError> {
            let hits = self.of(side, measure, definition)?;
            Ok(hits.filtered(|parts| period.holds(self.year(parts))))
        };
        Ok([of(sides[0])?, of(sides[1])?])
    }

    /// Pairs the best row of each side and year with the other side's, among rows that differ only in the varied fields.
    fn matched(
        &mut self,
        definition: &EvidenceDefinition,
        measure: Measure,
        sides: [&str; 2],
        period: Period,
    ) -> Result<Vec<Observation>, QueryError> {
        let [subject, baseline] = self.within(definition, measure, sides, period)?;
        if subject.is_empty() || baseline.is_empty() {
            return Ok(Vec::new());
        }
        let varied = varied(definition);
        let keys = self.keys(measure.basis(), &varied);
        // Single layers have a key only with their size: they are not networks.
        let sizes = Sizes::default();
        let pairing = Pairing {
            values: self.values,
            sizes: &sizes,
            varied: &varied,
            picked: Picked::Best,
            strata: Some(&self.years),
        };
        let mut possible = Possible::new(self.stores, self.values);
        let mut observations = Vec::new();
        for pair in pairing.all_pairs(&subject, &baseline, &keys) {
            let mut is_possible = true;
            for run in [&pair.subject, &pair.baseline] {
                // A failed run would show as the best of many.
                is_possible &= possible.is_possible(&run.parts, measure, run.value)?;
            }
            if is_possible && let Some(unit) = network(self.values, &pair.subject.parts) {
                let witness = |run: &Run| vec![Witness::Row(run.row, run.parts)];
                observations.push(Observation {
                    unit: unit.to_owned(),
                    effect: pair.ratio.ln(),
                    values: Some((pair.subject.value, pair.baseline.value)),
                    subject: witness(&pair.subject),
                    baseline: witness(&pair.baseline),
                });
            }
        }
        Ok(observations)
    }

    /// The gain from doubling the devices, by network: each kind of device of one side against each of the other.
    fn scaling(
        &mut self,
        definition: &EvidenceDefinition,
        measure: Measure,
        sides: [&str; 2],
        period: Period,
    ) -> Result<Vec<Observation>, QueryError> {
        let [subject, baseline] = self.within(definition, measure, sides, period)?;
        let fields: Vec<Field> = definition.differing_fields().chain([Field::DeviceCount]).collect();
        let keys = self.keys(measure.basis(), &fields);
        let gains = |hits: &HitColumns| gains(self.values, &keys, hits, &self.years);
        let (own, others) = (gains(&subject), gains(&baseline));
        let mut observations = Vec::new();
        for ((unit, _), own) in &own {
            let of_network = (unit.clone(), 0)..=(unit.clone(), u32::MAX);
            observations.extend(others.range(of_network).map(|(_, other)| Observation {
                unit: unit.clone(),
                effect: own.gain - other.gain,
                values: Some((own.gain.exp(), other.gain.exp())),
                subject: own.witnesses.clone(),
                baseline: other.witnesses.clone(),
            }));
        }
        Ok(observations)
    }

    /// The years in which each network was first measured on both sides, if both lie within the period.
    fn lags(
        &mut self,
        definition: &EvidenceDefinition,
        sides: [&str; 2],
        period: Period,
    ) -> Result<Vec<Observation>, QueryError> {
        let mut firsts = Vec::new();
        for side in sides {
            let hits = self.all_of(side, definition)?;
            let mut first: BTreeMap<String, (u32, u64, PartNumbers)> = BTreeMap::new();
            for hit in 0..hits.len() {
                let parts = hits.parts(hit);
                let (year, Some(unit)) = (self.year(&parts), network(self.values, &parts)) else { continue };
                match first.get_mut(unit) {
                    Some(known) if known.0 <= year => {}
                    Some(known) => *known = (year, hits.row(hit), parts),
                    None => drop(first.insert(unit.to_owned(), (year, hits.row(hit), parts))),
                }
            }
            firsts.push(first);
        }
        let [subject, baseline] = firsts.as_slice() else { return Ok(Vec::new()) };
        let both = subject.iter().filter_map(|(unit, own)| Some((unit, own, baseline.get(unit)?)));
        let within = both.filter(|(_, own, other)| match period {
            Period::UpTo(_) => period.holds(own.0.max(other.0)),
            Period::After(_) => period.holds(own.0.min(other.0)),
        });
        let observed = within.map(|(unit, own, other)| Observation {
            unit: unit.clone(),
            effect: f64::from(other.0) - f64::from(own.0),
            values: Some((own.0.into(), other.0.into())),
            subject: vec![Witness::Row(own.1, own.2)],
            baseline: vec![Witness::Row(other.1, other.2)],
        });
        Ok(observed.collect())
    }

    /// Which frameworks or tasks have rows on each side; a framework also counts by the hardware it claims to support.
    fn coverage(
        &mut self,
        definition: &EvidenceDefinition,
        sides: [&str; 2],
        period: Period,
    ) -> Result<Vec<Observation>, QueryError> {
        let aspect = match definition.counts {
            Some(Breadth::Tasks) => Aspect::Fact(Fact::Task),
            _ => Aspect::Field(Field::Framework),
        };
        let mut covered: Vec<BTreeMap<String, Vec<Witness>>> = Vec::new();
        for side in sides {
            let hits = self.all_of(side, definition)?;
            let mut units: BTreeMap<String, Vec<Witness>> = BTreeMap::new();
            for hit in 0..hits.len() {
                let parts = hits.parts(hit);
                if period.holds(self.year(&parts))
                    && let Some(unit) = self.values.text(aspect, &parts)
                    && !units.contains_key(unit)
                {
                    units.insert(unit.to_owned(), vec![Witness::Row(hits.row(hit), parts)]);
                }
            }
            covered.push(units);
        }
        // What a framework states holds for today.
        if definition.counts == Some(Breadth::Frameworks) && matches!(period, Period::After(_)) {
            let frameworks: Vec<Framework> = self.stores.database.entities()?;
            for (units, side) in covered.iter_mut().zip(sides) {
                for framework in frameworks.iter().filter(|framework| supports(framework, side)) {
                    let witness = Witness::Framework(framework.id.to_string());
                    units.entry(framework.id.to_string()).or_default().push(witness);
                }
            }
        }
        let [subject, baseline] = covered.as_slice() else { return Ok(Vec::new()) };
        let units: BTreeSet<&String> = subject.keys().chain(baseline.keys()).collect();
        let observed = units.into_iter().map(|unit| {
            let of = |side: &BTreeMap<String, Vec<Witness>>| side.get(unit).cloned().unwrap_or_default();
            let has = |side: &BTreeMap<String, Vec<Witness>>| if side.contains_key(unit) { 1.0 } else { 0.0 };
            Observation {
                unit: unit.clone(),
                effect: has(subject) - has(baseline),
                values: Some((has(subject), has(baseline))),
                subject: of(subject),
                baseline: of(baseline),
            }
        });
        Ok(observed.collect())
    }
}

/// The fields in which rows of a pair may differ: those of the definition, and the device.
fn varied(definition: &EvidenceDefinition) -> Vec<Field> {
    definition.differing_fields().chain([Field::Device]).collect()
}

fn network<'v>(values: &'v SharedValues, parts: &PartNumbers) -> Option<&'v str> {
    values.text(Aspect::Field(Field::Network), parts)
}

/// Whether a framework claims to support a class; Google's TPU is an ASIC.
fn supports(framework: &Framework, side: &str) -> bool {
    let class = side.strip_prefix("class:").unwrap_or_default();
    framework.hardware.iter().any(|target| match target {
        Target::Tpu => class == "asic",
        other => <&str>::from(*other) == class,
    })
}

/// The gain from doubling the devices on a network, as the logarithm of a factor.
struct Gain {
    gain: f64,
    witnesses: Vec<Witness>,
}

/// The gains of a side by network and kind of device: the mean over sets of rows that differ only in the device count.
fn gains(
    values: &SharedValues,
    keys: &ComparisonKeys,
    hits: &HitColumns,
    years: &[u32],
) -> BTreeMap<(String, u32), Gain> {
    // The runs of a series must also be of the same year.
    type Series = BTreeMap<i64, Vec<Run>>;
    let mut series: NumberMap<(ComparisonKey, u32, u32), Series> = NumberMap::default();
    for run in hits.measured(keys.metric()) {
        let parts = run.parts;
        let Some(devices) = values.count(Field::DeviceCount, &parts) else { continue };
        let year = years.get(parts[Part::Setup as usize] as usize).copied().unwrap_or(0);
        let device = values.number(Aspect::Field(Field::Device), &parts);
        if let Some(key) = keys.key(values, &parts, 0).filter(|_| devices > 0) {
            series.entry((key, device, year)).or_default().entry(devices).or_default().push(run);
        }
    }
    let mut sums: BTreeMap<(String, u32), (Vec<f64>, Vec<Witness>)> = BTreeMap::new();
    for ((_, device, _), mut runs) in series {
        for runs in runs.values_mut() {
            runs.sort_by(|a, b| a.value.total_cmp(&b.value).then(a.row.cmp(&b.row)));
        }
        let middle = |runs: &Vec<Run>| runs.get(runs.len() / 2).copied();
        let ends = runs.first_key_value().zip(runs.last_key_value());
        let Some(((fewest, first), (most, last))) = ends.filter(|((fewest, _), (most, _))| most > fewest) else {
            continue;
        };
        let (Some(first), Some(last)) = (middle(first), middle(last)) else { continue };
        let Some(unit) = network(values, &first.parts) else { continue };
        let better = gain(keys.metric().direction(), last.value, first.value);
        let (gains, witnesses) = sums.entry((unit.to_owned(), device)).or_default();
        gains.push(better.ln() / (*most as f64 / *fewest as f64).log2());
        witnesses.extend([first, last].map(|run| Witness::Row(run.row, run.parts)));
    }
    let mean = |gains: Vec<f64>| gains.iter().sum::<f64>() / gains.len() as f64;
    sums.into_iter().map(|(unit, (gains, witnesses))| (unit, Gain { gain: mean(gains), witnesses })).collect()
}
