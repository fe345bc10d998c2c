//! The usual differences between values of one source and measurer: between repetitions, and if one kind of context differs.

use std::collections::BTreeMap;

use super::configurations::{Configuration, Repetitions};
use super::document::Allowance;
use crate::ask::execute::spread::quantile;
use crate::ask::execute::spread::rounded;
use crate::model::ContradictionDefinition;

/// Maximum number of settings compared with each other for one measurer and configuration.
const SETTINGS: usize = 24;

/// The usual factors, as logarithms.
pub(super) struct Usual {
    repetitions: UsualFactor,
    contexts: Vec<UsualFactor>,
}

/// A usual factor (`None` if there is too little evidence), with the number of pairs and measurers behind it.
struct UsualFactor {
    factor: Option<f64>,
    pairs: usize,
    measurers: usize,
}

/// The factors between values of one measurer as logarithms, by measurer.
#[derive(Default)]
struct Factors<'c>(BTreeMap<&'c str, Vec<f64>>);

impl<'c> Factors<'c> {
    fn push(&mut self, measurer: &'c str, factor: f64) {
        self.0.entry(measurer).or_default().push(factor);
    }

    /// The median over measurers of each one's quantile, so that a source with many rows counts as much as any other.
    fn usual(self, definition: &ContradictionDefinition) -> UsualFactor {
        let least = |count: i64| usize::try_from(count).unwrap_or(usize::MAX).max(1);
        let telling = self.0.into_values().filter(|factors| factors.len() >= least(definition.least_pairs));
        let (mut pairs, mut quantiles) = (0, Vec::new());
        for mut factors in telling {
            pairs += factors.len();
            factors.sort_by(f64::total_cmp);
            quantiles.push(quantile(&factors, definition.level.value()));
        }
        quantiles.sort_by(f64::total_cmp);
        let measurers = quantiles.len();
        let factor = (measurers >= least(definition.least_measurers)).then(|| quantile(&quantiles, 0.5));
        UsualFactor { factor, pairs, measurers }
    }
}

impl Usual {
    /// Computes the usual factors from all differences within a measurer.
    pub fn of(all: &[Configuration], definition: &ContradictionDefinition) -> Self {
        let mut repetitions = Factors::default();
        let mut contexts: Vec<Factors<'_>> = definition.contexts.iter().map(|_| Factors::default()).collect();
        for (measurer, settings) in all.iter().flat_map(|configuration| &configuration.measurers) {
            let apart = |set: &Repetitions| set.range().filter(|_| set.runs.len() > 1);
            for (low, high) in settings.iter().filter_map(apart) {
                repetitions.push(measurer, (high / low).ln());
            }
            for (at, own) in settings.iter().take(SETTINGS).enumerate() {
                let of_source = |other: &&Repetitions| other.source == own.source;
                for other in settings.iter().take(SETTINGS).skip(at + 1).filter(of_source) {
                    let mut unlike = own.circumstances.unlike(&other.circumstances);
                    if let (Some(kind), None) = (unlike.next(), unlike.next())
                        && let (Some(own), Some(other)) = (own.middle(), other.middle())
                    {
                        contexts[kind].push(measurer, (own / other).ln().abs());
                    }
                }
            }
        }
        let usual = |factors: Factors<'_>| factors.usual(definition);
        Self { repetitions: usual(repetitions), contexts: contexts.into_iter().map(usual).collect() }
    }

    /// The logarithm of the factor that repetitions explain; 0 if there is too little evidence.
    pub fn repetitions(&self) -> f64 {
        self.repetitions.factor.unwrap_or(0.0)
    }

    /// The logarithm of the factor that a kind of context explains; 0 if there is too little evidence.
    pub fn context(&self, kind: usize) -> f64 {
        self.contexts.get(kind).and_then(|usual| usual.factor).unwrap_or(0.0)
    }

    /// The usual factors for the JSON output.
    pub fn allowances(&self, definition: &ContradictionDefinition) -> Vec<Allowance> {
        let contexts = definition.contexts.iter().map(|kind| (kind.name.clone(), kind.fields.clone()));
        let names = [("repetitions".to_owned(), Vec::new())].into_iter().chain(contexts);
        let told =
            names.zip([&self.repetitions].into_iter().chain(&self.contexts)).map(|((name, fields), told)| Allowance {
                name,
                fields,
                factor: told.factor.map(|factor| rounded(factor.exp())),
                pairs: told.pairs,
                measurers: told.measurers,
            });
        told.collect()
    }
}
