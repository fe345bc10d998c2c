//! The verdict on two sides: by the strongest measure with enough evidence, compared with the claim.

use std::collections::{BTreeSet, HashMap};

use super::document::{ByChance, ChanceRate, Comparison, EvidenceVerdict, PairEvidence};
use super::interval::{Interval, LEVEL};
use super::measured::{MeasuredSides, Period};
use super::observation::{Observation, Observed, Scale, Witness, rows};
use crate::ask::execute::Measurers;
use crate::ask::execute::spread::rounded;
use crate::ask::execute::under::{RowIds, sources, spread_out};
use crate::ask::hits::{PartNumbers, SharedValues};
use crate::ask::parse::QueryError;
use crate::model::{Aspect, EvidenceDefinition, EvidenceKind, Field, HighGrade, Measure};
use crate::stores::Stores;
use crate::values::text::counted;

/// Maximum number of pairs listed by their rows, unless all are requested.
const NAMED_PAIRS: usize = 10;

/// What a claim says about the subject relative to the baseline.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) enum Claimed {
    /// Graded higher.
    More,
    /// Graded lower.
    Less,
    /// Graded alike.
    Alike,
    /// This many times as good; without an upper end, better than that.
    Times(f64, Option<f64>),
}

impl Claimed {
    /// The verdict on an effect; above 0 the subject has more of what is graded.
    fn verdict(self, found: Interval, alike_within: f64, scale: Scale) -> EvidenceVerdict {
        use EvidenceVerdict::{Contradicted, Mixed, Supported};
        let Interval { mean, low, high } = found;
        match self {
            Self::More if low > 0.0 => Supported,
            Self::More if high < 0.0 => Contradicted,
            Self::Less if high < 0.0 => Supported,
            Self::Less if low > 0.0 => Contradicted,
            // Two one-sided tests (Schuirmann 1987): alike means surely different by less than the margin.
            Self::Alike if low > -alike_within && high < alike_within => Supported,
            Self::Alike if low > alike_within || high < -alike_within => Contradicted,
            Self::Times(least, most) => {
                let (least, most) = (scale.effect(least), most.map_or(f64::INFINITY, |most| scale.effect(most)));
                match (low, high) {
                    (low, high) if high < least || low > most => Contradicted,
                    // Without an upper end, the whole interval must be above the lower end.
                    (low, _) if most == f64::INFINITY => {
                        if low > least {
                            Supported
                        } else {
                            Mixed
                        }
                    }
                    _ if (least..=most).contains(&mean) => Supported,
                    _ => Mixed,
                }
            }
            Self::More | Self::Less | Self::Alike => Mixed,
        }
    }

    /// The word for JSON and text.
    fn word(self) -> String {
        match self {
            Self::More => "more".to_owned(),
            Self::Less => "less".to_owned(),
            Self::Alike => "alike".to_owned(),
            Self::Times(low, None) => format!("above {low} times"),
            Self::Times(low, Some(high)) if low == high => format!("{low} times"),
            Self::Times(low, Some(high)) => format!("{low} to {high} times"),
        }
    }
}

/// Judges claims, with caches of what was read.
pub(super) struct Judge<'j> {
    pub measured: MeasuredSides<'j>,
    pub measurers: Measurers<'j>,
    pub ids: RowIds,
    /// Whether to report every pair.
    pub explain: bool,
    /// The observations by definition and measure; the two sides are in the order of their names.
    pub observed: HashMap<ObservedKey, Observed>,
}

/// Metric, measure, two sides and period.
pub(super) type ObservedKey = (String, Option<Measure>, [String; 2], Period);

impl<'j> Judge<'j> {
    /// Creates a judge; so far it has only read the authors of the sources.
    pub fn new(stores: &'j Stores, values: &'j SharedValues, explain: bool) -> Result<Self, QueryError> {
        Ok(Self {
            measured: MeasuredSides::new(stores, values),
            measurers: Measurers::read(stores, values)?,
            ids: RowIds::default(),
            explain,
            observed: HashMap::new(),
        })
    }

    /// Compares two sides by a definition within a period.
    pub fn comparison(
        &mut self,
        definition: &EvidenceDefinition,
        sides: [&str; 2],
        claimed: Claimed,
        period: Period,
    ) -> Result<Comparison, QueryError> {
        let measures: Vec<Option<Measure>> = match definition.speaks {
            EvidenceKind::MatchedRows | EvidenceKind::Scaling => definition.measures().map(Some).collect(),
            _ => vec![None],
        };
        let mut lacking: Option<Comparison> = None;
        for (place, measure) in measures.into_iter().enumerate() {
            let observed = self.observed(definition, measure, sides, period)?;
            let mut comparison = self.without_verdict(&observed, sides, claimed)?;
            let counted =
                definition.counts.map_or_else(|| definition.speaks.to_string(), |breadth| breadth.to_string());
            comparison.measure = Some(measure.map_or(counted, |measure| measure.key().to_owned()));
            comparison.weak = place > 0;
            comparison.remark = too_little(definition, &comparison);
            if comparison.remark.is_none()
                && let Some(found) = observed.found
            {
                self.concludes(definition, measure, sides, period);
                // A high grade may mean the worse value.
                let negates = definition.high_grade == Some(HighGrade::Worse) && !matches!(claimed, Claimed::Times(..));
                let found = if negates { found.negated() } else { found };
                let within = definition.alike_within.map_or(0.0, |within| observed.scale.effect(within.value()));
                comparison.verdict = Some(claimed.verdict(found, within, observed.scale));
                return Ok(comparison);
            }
            // If no measure has enough evidence, report the one with the most.
            if lacking.as_ref().is_none_or(|lacking| lacking.units < comparison.units) {
                lacking = Some(comparison);
            }
        }
        Ok(lacking.unwrap_or_default())
    }

    /// The observations of two sides; cached for both directions.
    fn observed(
        &mut self,
        definition: &EvidenceDefinition,
        measure: Option<Measure>,
        sides: [&str; 2],
        period: Period,
    ) -> Result<Observed, QueryError> {
        let (key, is_swapped) = observed_key(definition, measure, sides, period);
        let observed = match self.observed.get(&key) {
            Some(observed) => observed.clone(),
            None => {
                let observed = self.measured.observed(definition, measure, [&key.2[0], &key.2[1]], period)?;
                self.observed.insert(key, observed.clone());
                observed
            }
        };
        Ok(if is_swapped { observed.swapped() } else { observed })
    }

    /// Marks the observations as sufficient for a verdict.
    fn concludes(
        &mut self,
        definition: &EvidenceDefinition,
        measure: Option<Measure>,
        sides: [&str; 2],
        period: Period,
    ) {
        if let Some(observed) = self.observed.get_mut(&observed_key(definition, measure, sides, period).0) {
            observed.concludes = true;
        }
    }

    /// For all sides with a verdict, how often chance alone would give one.
    pub fn by_chance(&self, shuffles: usize) -> ByChance {
        let concluding = self.observed.iter().filter(|(_, observed)| observed.concludes);
        let mut rates: Vec<ChanceRate> = concluding
            .map(|((metric, measure, [subject, baseline], period), observed)| {
                let [more, less] = observed.effects.by_chance(shuffles);
                ChanceRate {
                    metric: metric.clone(),
                    measure: measure.map(|measure| measure.key().to_owned()),
                    period: period.word().to_owned(),
                    subject: subject.clone(),
                    baseline: baseline.clone(),
                    pairs: observed.observations.len(),
                    units: observed.effects.units(),
                    devices: observed.effects.devices(),
                    supported: rounded(more as f64 / shuffles as f64),
                    contradicted: rounded(less as f64 / shuffles as f64),
                }
            })
            .collect();
        rates.sort_by(|a, b| {
            let name = |of: &'_ ChanceRate| [&of.metric, &of.subject, &of.baseline, &of.period].map(String::clone);
            name(a).cmp(&name(b)).then_with(|| a.measure.cmp(&b.measure))
        });
        ByChance { level: rounded(1.0 - LEVEL), shuffles, rates }
    }

    /// The number of independent measurers of each side of some observations.
    fn measurers_of_sides(&mut self, observations: &[Observation]) -> Result<(usize, usize), QueryError> {
        self.measurers.read_rows(observations.iter().flat_map(Observation::witnesses).filter_map(Witness::row))?;
        let name = |witness: &'_ Witness| match witness {
            Witness::Row(row, _) => self.measurers.of_row(*row).to_owned(),
            Witness::Framework(id) => id.clone(),
        };
        let count = |side: fn(&Observation) -> &[Witness]| {
            observations.iter().flat_map(side).map(name).collect::<BTreeSet<String>>().len()
        };
        Ok((count(|observation| &observation.subject), count(|observation| &observation.baseline)))
    }

    /// The comparison, without a verdict.
    fn without_verdict(
        &mut self,
        Observed { observations, scale, effects, found, .. }: &Observed,
        sides: [&str; 2],
        claimed: Claimed,
    ) -> Result<Comparison, QueryError> {
        let (scale, found) = (*scale, *found);
        let (own, others) = self.measurers_of_sides(observations)?;
        let rows_behind = observations.iter().flat_map(Observation::witnesses).filter_map(Witness::row);
        let parts: Vec<PartNumbers> = rows_behind.map(|(_, parts)| parts).collect();
        let years: BTreeSet<u32> = parts.iter().map(|parts| self.measured.year(parts)).collect();
        let mut by_effect: Vec<&Observation> = observations.iter().collect();
        by_effect.sort_by(|a, b| a.effect.total_cmp(&b.effect));
        let named = if self.explain { by_effect.clone() } else { spread_out(&by_effect, NAMED_PAIRS) };
        let reported = |effect: f64| rounded(scale.reported(effect));
        let ends = found.filter(|found| found.low.is_finite());
        Ok(Comparison {
            subject: sides[0].to_owned(),
            baseline: sides[1].to_owned(),
            claimed: claimed.word(),
            verdict: Some(EvidenceVerdict::NoEvidence),
            unit: Some(scale.word().to_owned()),
            effect: found.map(|found| reported(found.mean)),
            low: ends.map(|found| reported(found.low)),
            high: ends.map(|found| reported(found.high)),
            pairs: observations.len(),
            units: effects.units(),
            devices: effects.devices(),
            measurers: own.min(others),
            sources: sources(self.measured.values, &parts),
            years: years.first().zip(years.last()).map(|(first, last)| (i64::from(*first), i64::from(*last))),
            measurements: self.ids.of(self.measured.stores, &rows(&named))?,
            details: if self.explain { self.details(&by_effect, scale)? } else { Vec::new() },
            ..Comparison::default()
        })
    }

    /// All pairs, in ascending order of effect.
    fn details(&mut self, observations: &[&Observation], scale: Scale) -> Result<Vec<PairEvidence>, QueryError> {
        let mut details = Vec::with_capacity(observations.len());
        for observation in observations {
            let ends = observation.first_rows().into_iter().flatten();
            let devices = ends.filter_map(|(_, parts)| self.measured.values.text(Aspect::Field(Field::Device), &parts));
            details.push(PairEvidence {
                unit: observation.unit.clone(),
                subject: observation.values.map(|(own, _)| rounded(own)),
                baseline: observation.values.map(|(_, other)| rounded(other)),
                effect: rounded(scale.reported(observation.effect)),
                devices: devices.map(str::to_owned).collect(),
                measurements: self.ids.of(self.measured.stores, &rows(&[observation]))?,
            });
        }
        Ok(details)
    }
}

/// The cache key of the observations, and whether it has the sides swapped.
fn observed_key(
    definition: &EvidenceDefinition,
    measure: Option<Measure>,
    sides: [&str; 2],
    period: Period,
) -> (ObservedKey, bool) {
    let is_swapped = sides[0] > sides[1];
    let ordered = if is_swapped { [sides[1], sides[0]] } else { sides };
    ((definition.metric.to_string(), measure, ordered.map(str::to_owned), period), is_swapped)
}

/// Why the evidence is too little for a conclusion; `None` if it is enough.
fn too_little(definition: &EvidenceDefinition, found: &Comparison) -> Option<String> {
    let least = |least: Option<i64>| least.and_then(|least| usize::try_from(least).ok()).unwrap_or(1);
    let (units, measurers) = (least(definition.least_units), least(definition.least_measurers));
    let devices = least(definition.least_devices);
    let unit = match definition.speaks {
        EvidenceKind::Coverage => ("thing counted", "things counted"),
        _ => ("network", "networks"),
    };
    if found.units == 0 {
        return Some("nothing was measured on both".to_owned());
    }
    let mut lacks = Vec::new();
    if found.units < units {
        lacks.push(format!("{} of {units} needed", counted(found.units, unit.0, unit.1)));
    }
    if let Some(known) = found.devices.filter(|known| *known < devices) {
        lacks.push(format!("{} of {devices} needed on each side", counted(known, "device", "devices")));
    }
    if found.measurers < measurers {
        let who = counted(found.measurers, "independent measurer", "independent measurers");
        lacks.push(format!("{who} of {measurers} needed on each side"));
    }
    (!lacks.is_empty()).then(|| lacks.join(", "))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_verdict_is_what_the_whole_interval_says() {
        use EvidenceVerdict::*;
        let at = |low: f64, high: f64| Interval { mean: (low + high) / 2.0, low, high };
        let of = |claimed: Claimed, low: f64, high: f64| claimed.verdict(at(low, high), 0.2, Scale::Ratio);
        assert_eq!(of(Claimed::More, 0.1, 0.5), Supported);
        assert_eq!(of(Claimed::More, -0.5, -0.1), Contradicted);
        assert_eq!(of(Claimed::More, -0.1, 0.5), Mixed);
        assert_eq!(of(Claimed::Less, -0.5, -0.1), Supported);
        assert_eq!(of(Claimed::Alike, -0.1, 0.1), Supported);
        assert_eq!(of(Claimed::Alike, 0.3, 0.5), Contradicted);
        assert_eq!(of(Claimed::Alike, -0.1, 0.5), Mixed);
        let times = |low: f64, high: Option<f64>| Claimed::Times(low, high);
        assert_eq!(of(times(3.0, Some(10.0)), 4f64.ln(), 6f64.ln()), Supported);
        assert_eq!(of(times(3.0, Some(10.0)), 1f64.ln(), 2f64.ln()), Contradicted);
        assert_eq!(of(times(3.0, Some(10.0)), 1f64.ln(), 4f64.ln()), Mixed, "the middle is 2");
        assert_eq!(of(times(1.0, None), 0.1, 0.5), Supported);
        assert_eq!(of(times(1.0, None), -0.1, 0.5), Mixed);
        assert_eq!(of(times(1.0, None), -0.5, -0.1), Contradicted);
    }
}
