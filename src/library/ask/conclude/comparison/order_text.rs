//! Several sides in words: the best first, in each stage for itself.

use std::collections::{BTreeMap, HashSet};

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

    /// Several sides of one stage, the best first; those apart that were set against the baseline in other settings, and those of
    /// which the pairs do not agree.
    fn order_of_stage(
        &mut self,
        outcomes: &[&Outcome<'_>],
        baseline: &Side,
        is_told: bool,
    ) -> Result<String, QueryError> {
        let (open, decided): (Vec<&Outcome<'_>>, Vec<&Outcome<'_>>) =
            outcomes.iter().copied().partition(|outcome| outcome.is_open());
        let groups = by_setting(&decided);
        let mut told = Vec::new();
        if let ([one], true) =
            (groups.as_slice(), outcomes.len() == 1 || groups.first().is_some_and(|one| one.len() > 1))
        {
            told.push(self.order_of_setting(one, baseline, is_told)?);
        } else {
            for group in &groups {
                told.push(match group.as_slice() {
                    [only] => capital(&format!("{}.", self.of_stage(only, baseline, false)?)),
                    several => self.order_of_setting(several, baseline, is_told)?,
                });
            }
        }
        for outcome in &open {
            told.push(capital(&format!("{}.", self.of_stage(outcome, baseline, false)?)));
        }
        if by_setting(outcomes).len() > 1 {
            told.push("These were not measured in one setting, so no order of all is told.".to_owned());
        }
        Ok(told.join(" "))
    }

    /// Several sides that were set against the baseline in one setting, the best first.
    fn order_of_setting(
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

/// Outcomes in groups that share rows of the baseline, the largest first: what two sides come to against rows of different settings
/// puts them in no order.
fn by_setting<'s, 'o>(outcomes: &[&'s Outcome<'o>]) -> Vec<Vec<&'s Outcome<'o>>> {
    let mut groups: Vec<(HashSet<u64>, Vec<&'s Outcome<'o>>)> = Vec::new();
    for outcome in outcomes {
        let mut rows: HashSet<u64> = outcome.pairs.iter().map(|pair| pair.baseline.row).collect();
        let mut members = vec![*outcome];
        let (joined, apart): (Vec<_>, Vec<_>) = groups.into_iter().partition(|(of, _)| !of.is_disjoint(&rows));
        for (of, others) in joined {
            rows.extend(of);
            members.splice(0..0, others);
        }
        groups = apart;
        groups.push((rows, members));
    }
    groups.sort_by_key(|(_, members)| std::cmp::Reverse(members.len()));
    groups.into_iter().map(|(_, members)| members).collect()
}

#[cfg(test)]
mod tests {
    use crate::ask::conclude::basis::sample::Sample;

    #[test]
    fn sides_that_were_measured_in_different_settings_have_no_order() {
        let rows = |other: &str| {
            format!(
                r#"
[[table]]
columns = ["framework", "device", "latency-ms"]
rows = [
  ["firelight", "nova", 10], ["firelight", "core", 20],
  ["{other}", "core", 30], ["{other}", "ember", 40],
]
"#
            )
        };
        let apart = Sample::of(&[("paper-2020", &rows("gridflow"))]);
        let apart = apart.conclude(&apart.versus("", &["device:nova", "device:core", "device:ember"])).text;
        assert!(apart.contains("no order of all") && !apart.contains("In order"), "{apart}");
        assert!(apart.contains("Nova is 2 times as fast as Core"), "{apart}");
    }
}
