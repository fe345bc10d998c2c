//! Several sides in words: the best first, in each stage for itself.

use std::collections::BTreeMap;

use super::inputs::SideComparison;
use super::outcomes::Outcome;
use super::text::MOST_STAGES;
use crate::ask::conclude::basis::matched_pairs::MatchedPair;
use crate::ask::conclude::basis::side::Side;
use crate::ask::conclude::basis::wording::{pairs_in_words, three};
use crate::ask::question::QueryError;
use crate::values::text::{and_list, capital, counted};

impl SideComparison<'_> {
    /// Several sides, the best first, in each stage for itself.
    pub(super) fn in_order_of_speed(
        &mut self,
        outcomes: &[Outcome<'_>],
        baseline: &Side,
    ) -> Result<String, QueryError> {
        let parts = |outcome: &'_ Outcome<'_>| if outcome.stages.is_empty() { 1 } else { outcome.stages.len() };
        let mut stages: BTreeMap<u32, Vec<&Outcome<'_>>> = BTreeMap::new();
        for outcome in outcomes {
            let own = if parts(outcome) == 1 { std::slice::from_ref(outcome) } else { outcome.stages.as_slice() };
            for stage in own {
                let number = stage.pairs.first().map_or(0, |pair| self.stage_of(pair));
                stages.entry(number).or_default().push(stage);
            }
        }
        let mut stages: Vec<Vec<&Outcome<'_>>> = stages.into_values().collect();
        let caveats = self.caveats(&outcomes.iter().collect::<Vec<_>>(), baseline)?;
        if let [only] = stages.as_slice() {
            return Ok(self.order_of_stage(only, baseline, false)? + &caveats);
        }
        let support = |stage: &[&Outcome<'_>]| stage.iter().map(|outcome| outcome.pairs.len()).sum::<usize>();
        // What tells of more of the sides comes first.
        stages.sort_by_key(|stage| std::cmp::Reverse((stage.len(), support(stage))));
        let mut told = Vec::new();
        for stage in stages.iter().take(1 + MOST_STAGES) {
            let name = stage.first().map(|outcome| capital(&self.stage_in_words(outcome))).unwrap_or_default();
            told.push(format!("{name}: {}", self.order_of_stage(stage, baseline, true)?));
        }
        Ok(told.join(" ") + &caveats)
    }

    /// Several sides of one stage, the best first.
    fn order_of_stage(
        &mut self,
        outcomes: &[&Outcome<'_>],
        baseline: &Side,
        is_told: bool,
    ) -> Result<String, QueryError> {
        let mut sorted: Vec<&Outcome<'_>> = outcomes.to_vec();
        sorted.sort_by(|a, b| b.spread.mean.total_cmp(&a.spread.mean));
        let all: Vec<&MatchedPair> = outcomes.iter().flat_map(|outcome| &outcome.pairs).collect();
        let far: usize = outcomes.iter().map(|outcome| outcome.far.len()).sum();
        let far = match far {
            0 => String::new(),
            far => format!(" Left out: {} far from all others.", counted(far, "pair", "pairs")),
        };
        let Some(metric) = all.first().map(|pair| pair.metric) else { return Ok(String::new()) };
        let frame = self.frame(&all, is_told)?;
        let frame = if frame.is_empty() { String::new() } else { format!(" ({frame})") };
        let times_as = self.times_as(metric);
        let (before, behind): (Vec<&Outcome<'_>>, Vec<&Outcome<'_>>) =
            sorted.into_iter().partition(|outcome| outcome.spread.mean > 1.0);
        if before.is_empty() {
            let told = behind.iter().map(|outcome| {
                let times = three(outcome.spread.inverted().mean);
                let apart = outcome.apart.map_or_else(String::new, |apart| format!(", {apart}"));
                format!("{times} {times_as} {} ({}{apart})", outcome.subject.name, pairs_in_words(outcome.spread.n))
            });
            let told = and_list(&told.collect::<Vec<_>>());
            return Ok(format!("{} is first{frame}: {told}.{far}", baseline.name));
        }
        let place = |outcome: &Outcome<'_>| {
            let (times, pairs) = (three(outcome.spread.mean), pairs_in_words(outcome.spread.n));
            let apart = outcome.apart.map_or_else(String::new, |apart| format!(", {apart}"));
            format!("{} ({times} {times_as} {}, {pairs}{apart})", outcome.subject.name, baseline.name)
        };
        let mut order: Vec<String> = before.into_iter().map(place).collect();
        order.push(baseline.name.clone());
        order.extend(behind.into_iter().map(place));
        Ok(format!("In order{frame}: {}.{far}", order.join(", then ")))
    }
}
