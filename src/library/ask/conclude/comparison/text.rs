//! A comparison in words: the better side first, how many times as good it is, and what all pairs share.

use std::collections::BTreeMap;

use super::inputs::{ClaimVerdict, SideComparison};
use super::outcomes::Outcome;
use crate::ask::conclude::basis::evidence::{shared, stated_alone};
use crate::ask::conclude::basis::matched_pairs::{MatchedPair, Spread};
use crate::ask::conclude::basis::side::Side;
use crate::ask::conclude::basis::spans::spans;
use crate::ask::conclude::basis::wording::{
    name_of, pairs_in_words, rounded, stage_name, three, times_as, times_as_derived,
};
use crate::ask::hits::PartNumbers;
use crate::ask::question::QueryError;
use crate::model::{Aspect, Field, Measure, Metric};
use crate::values::Precision;
use crate::values::text::{and_list, capital, counted};

/// So many stages are told behind the first.
pub(super) const MOST_STAGES: usize = 2;

impl SideComparison<'_> {
    /// One side against another, told from the better one; of several stages each for itself.
    pub(super) fn sentence(&mut self, outcome: &Outcome<'_>, baseline: &Side) -> Result<String, QueryError> {
        let stages: Vec<&Outcome<'_>> = match outcome.stages.as_slice() {
            [] => vec![outcome],
            stages => stages.iter().collect(),
        };
        let Some((first, others)) = stages.split_first() else { return Ok(String::new()) };
        let verdicts: Vec<Option<ClaimVerdict>> = stages.iter().map(|stage| self.verdict(stage)).collect();
        let by_precision = self.by_precision(outcome);
        let yes = match verdicts.first().copied().flatten() {
            Some(_) if by_precision.is_some() => "That depends on the precision: ".to_owned(),
            Some(_) if stages.iter().all(|stage| stage.is_open()) => "That is open: ".to_owned(),
            Some(verdict) if verdicts.iter().all(|other| *other == Some(verdict)) => verdict.in_words(),
            Some(_) => "That depends on the stage: ".to_owned(),
            None => String::new(),
        };
        let several = !others.is_empty();
        let told = self.of_stage(first, baseline, several)?;
        let mut text = if first.is_open() && yes.is_empty() { capital(&told) } else { format!("{yes}{told}") };
        text.extend(Some(outcome.apart).flatten().filter(|_| several).map(|apart| format!(" ({apart})")));
        for stage in others.iter().take(MOST_STAGES) {
            text.push_str(&format!("; {}", self.of_further_stage(stage, (first, baseline))?));
        }
        let more = others.len().saturating_sub(MOST_STAGES);
        if more > 0 {
            text.push_str(&format!("; {}", counted(more, "more stage", "more stages")));
        }
        text.push('.');
        text.extend(by_precision);
        text.extend(far_in_words(&outcome.far, first.spread.mean >= 1.0));
        let all: Vec<&MatchedPair> = outcome.pairs.iter().collect();
        text.extend(self.mixed(&all).map(|mixed| format!(" {mixed}")));
        text.extend(self.unsigned(&all, &[outcome.subject, baseline]));
        text.extend(self.behind(outcome, baseline)?);
        text.extend(self.versions_behind(outcome, baseline)?);
        text.push_str(&self.caveats(&[outcome], baseline)?);
        Ok(text)
    }

    /// What becomes of what the question says of the first side.
    fn verdict(&self, outcome: &Outcome<'_>) -> Option<ClaimVerdict> {
        let gain = if self.asked_is_baseline { outcome.spread.mean.recip() } else { outcome.spread.mean };
        let are_most = better_pairs(outcome) * 4 >= outcome.spread.n * 3;
        Some(self.whether?.verdict(gain, are_most))
    }

    /// `A100 is 2 times as fast as T4 in training (ResNet-50): geometric mean of 4 matched pairs, better in all of them`.
    pub(super) fn of_stage(
        &mut self,
        outcome: &Outcome<'_>,
        baseline: &Side,
        says_stage: bool,
    ) -> Result<String, QueryError> {
        let all: Vec<&MatchedPair> = outcome.pairs.iter().collect();
        let Some(first) = all.first() else { return Ok(String::new()) };
        let wins = outcome.spread.mean >= 1.0;
        let (winner, loser) = if wins { (outcome.subject, baseline) } else { (baseline, outcome.subject) };
        let spread = if wins { outcome.spread } else { outcome.spread.inverted() };
        let (of_winner, of_loser) = self.members_of(outcome, baseline, wins)?;
        let (better_side, other_side) = (winner.of_members(&of_winner), loser.of_members(&of_loser));
        let times_as = self.times_as(first.metric);
        let open = match outcome.is_open() {
            true => {
                format!("which of {better_side} and {other_side} is the better one is open, the pairs do not agree: ")
            }
            false => String::new(),
        };
        let mut text = format!("{open}{better_side} is {} {times_as} {other_side}", three(spread.mean));
        if says_stage {
            text.push_str(&format!(" in {}", self.stage_in_words(outcome)));
        }
        let frame = self.frame(&all, says_stage)?;
        let frame: Vec<&str> =
            Some(frame.as_str()).filter(|frame| !frame.is_empty()).into_iter().chain(outcome.apart).collect();
        if !frame.is_empty() {
            text.push_str(&format!(" ({})", frame.join(", ")));
        }
        let mean = if spread.n > 1 { "geometric mean of " } else { "" };
        text.push_str(&format!(": {mean}{}", spread_in_words(spread, better_pairs(outcome))));
        text.extend(middle_of_quality(&all, wins));
        Ok(text)
    }

    /// The same of another stage than the first, shorter: `in inference 1.40 times (12 matched pairs, …)`.
    fn of_further_stage(
        &self,
        outcome: &Outcome<'_>,
        (first, baseline): (&Outcome<'_>, &Side),
    ) -> Result<String, QueryError> {
        let wins = outcome.spread.mean >= 1.0;
        let spread = if wins { outcome.spread } else { outcome.spread.inverted() };
        let (times, stage) = (three(spread.mean), self.stage_in_words(outcome));
        let pairs = spread_in_words(spread, better_pairs(outcome));
        if wins == (first.spread.mean >= 1.0) {
            return Ok(format!("in {stage} {times} times ({pairs})"));
        }
        let winner = if wins { outcome.subject } else { baseline };
        Ok(format!("in {stage} {} is the better one, {times} times ({pairs})", winner.name))
    }

    /// The stage that the pairs share.
    pub(super) fn stage_in_words(&self, outcome: &Outcome<'_>) -> String {
        let parts = outcome.pairs.first().map(|pair| &pair.subject.parts);
        let stage = parts.and_then(|parts| self.values.text(Aspect::Field(Field::Stage), parts));
        stage.map_or("a stage that is not stated", stage_name).to_owned()
    }

    /// The members that stand for the better side and for the other one.
    fn members_of(
        &mut self,
        outcome: &Outcome<'_>,
        baseline: &Side,
        wins: bool,
    ) -> Result<(Vec<String>, Vec<String>), QueryError> {
        let of_members = |side: &Side| side.is_of_several || side.is_family;
        if !of_members(outcome.subject) && !of_members(baseline) {
            return Ok((Vec::new(), Vec::new()));
        }
        let ends = |is_subject: bool| {
            outcome.pairs.iter().map(move |pair| if is_subject { &pair.subject.parts } else { &pair.baseline.parts })
        };
        Ok((self.members(ends(wins))?, self.members(ends(!wins))?))
    }

    /// Of a family it is said which members were measured, unless that is what it is called by.
    fn behind(&mut self, outcome: &Outcome<'_>, baseline: &Side) -> Result<Option<String>, QueryError> {
        let first = outcome.stages.first().unwrap_or(outcome);
        let wins = first.spread.mean >= 1.0;
        let (winner, loser) = if wins { (outcome.subject, baseline) } else { (baseline, outcome.subject) };
        let (of_winner, of_loser) = self.members_of(outcome, baseline, wins)?;
        let is_other =
            |side: &Side, members: &[String]| side.is_family && !members.iter().all(|name| *name == side.name);
        let is_told = is_other(winner, &of_winner) || is_other(loser, &of_loser);
        let told = of_winner.len() > 1 || of_loser.len() > 1 || is_told;
        Ok(told.then(|| format!(" Behind it: {} against {}.", and_list(&of_winner), and_list(&of_loser))))
    }

    /// The devices, networks or frameworks that stand for a side in its pairs, the most frequent first.
    fn members<'p>(&mut self, rows: impl Iterator<Item = &'p PartNumbers>) -> Result<Vec<String>, QueryError> {
        const MOST_NAMED: usize = 3;
        let Some(field) = self.members_differ_in() else { return Ok(Vec::new()) };
        let mut counts: BTreeMap<&str, usize> = BTreeMap::new();
        for parts in rows {
            let id = self.values.text(Aspect::Field(field), parts);
            id.into_iter().for_each(|id| *counts.entry(id).or_default() += 1);
        }
        let mut counts: Vec<(&str, usize)> = counts.into_iter().collect();
        counts.sort_by_key(|(_, count)| std::cmp::Reverse(*count));
        let mut told = Vec::new();
        for (id, _) in counts.iter().take(MOST_NAMED) {
            told.push(self.names.of(Aspect::Field(field), id, self.stores)?);
        }
        if counts.len() > MOST_NAMED {
            told.push(format!("{} more", counts.len() - MOST_NAMED));
        }
        Ok(told)
    }

    /// What the members of a side of several are: devices, networks or frameworks.
    pub(super) fn members_differ_in(&self) -> Option<Field> {
        [Field::Device, Field::Network, Field::Framework].into_iter().find(|field| self.varied.contains(field))
    }

    pub(super) fn times_as(&self, metric: Metric) -> &'static str {
        self.derived.map_or_else(|| times_as(metric), times_as_derived)
    }

    /// What all pairs share, in words, and in what they differ from each other; without the stage where that is told.
    pub(super) fn frame(&mut self, pairs: &[&MatchedPair], tells_stage: bool) -> Result<String, QueryError> {
        let ends = || pairs.iter().flat_map(|pair| [&pair.subject.parts, &pair.baseline.parts]);
        let mut under = stated_alone(&shared(self.values, ends(), &self.varied));
        under.shift_remove(Field::Statistic.key());
        if tells_stage {
            under.shift_remove(Field::Stage.key());
        }
        let varies = |key: &String| self.varied.iter().any(|field| field.key() == key);
        let asked = self.asked.iter().filter(|(key, _)| !under.contains_key(*key) && !varies(key));
        let mut words: Vec<String> = asked.map(|(_, name)| name.clone()).collect();
        words.extend(Some(self.names.frame(&under, self.stores)?).filter(|frame| !frame.is_empty()));
        let is_compared =
            |field: Field| self.varied.iter().any(|varied| field == *varied || field.varies_with(*varied));
        let is_told = |field: Field| {
            under.contains_key(field.key()) || is_compared(field) || tells_stage && field == Field::Stage
        };
        words.extend(spans(self.values, ends(), is_told));
        Ok(words.join(", "))
    }

    /// Says where integers without a sign stand for those with one, since there are no others.
    fn unsigned(&self, pairs: &[&MatchedPair], sides: &[&Side]) -> Option<&'static str> {
        let is_named = sides.iter().any(|side| side.name == Precision::Uint8.to_string());
        let all = !pairs.is_empty() && pairs.iter().all(|pair| self.is_unsigned(pair));
        (all && !is_named).then_some(" The integers are unsigned (uint8) in all of them.")
    }

    /// Says where mixed precision stands for a short format.
    fn mixed(&self, pairs: &[&MatchedPair]) -> Option<String> {
        if !self.varied.contains(&Field::Precision) {
            return None;
        }
        let recipe = |parts: &PartNumbers| -> Option<Precision> {
            self.values.text(Aspect::Field(Field::Precision), parts)?.parse().ok()
        };
        let is_mixed = |pair: &&&MatchedPair| {
            [pair.subject.parts, pair.baseline.parts].iter().filter_map(recipe).any(Precision::is_mixed)
        };
        match pairs.iter().filter(is_mixed).count() {
            0 => None,
            all if all == pairs.len() => Some("The short format is mixed precision in all of them.".to_owned()),
            some => Some(format!("In {} the short format is mixed precision.", counted(some, "pair", "pairs"))),
        }
    }
}

impl ClaimVerdict {
    /// `Yes: `
    fn in_words(self) -> String {
        match self {
            Self::Yes => "Yes: ".to_owned(),
            Self::Hardly => "Hardly: ".to_owned(),
            Self::LessThan(factor) => format!("No, less than {} times: ", three(factor)),
            Self::No => "No: ".to_owned(),
        }
    }
}

/// Of an accuracy, whose ratio says little, the two values in the middle pair: `, accuracy 0.717 against 0.708 in the middle one`.
fn middle_of_quality(pairs: &[&MatchedPair], wins: bool) -> Option<String> {
    let mut sorted: Vec<&&MatchedPair> = pairs.iter().filter(|pair| pair.metric.is_of_quality()).collect();
    sorted.sort_by(|a, b| a.ratio.total_cmp(&b.ratio));
    let middle = sorted.get(sorted.len() / 2)?;
    let (own, other) = (rounded(middle.subject.value), rounded(middle.baseline.value));
    let (better, worse) = if wins { (own, other) } else { (other, own) };
    let place = if sorted.len() > 1 { " in the middle one" } else { "" };
    Some(format!(", {} {better} against {worse}{place}", name_of(Measure::Metric(middle.metric))))
}

/// In how many pairs the better side is better.
fn better_pairs(outcome: &Outcome<'_>) -> usize {
    match outcome.spread.mean >= 1.0 {
        true => outcome.better,
        false => outcome.pairs.iter().filter(|pair| pair.ratio < 1.0).count(),
    }
}

/// `12 matched pairs, middle half 1.20 to 1.50, better in 11`.
fn spread_in_words(spread: Spread, better: usize) -> String {
    let range = spread.in_words().map_or_else(String::new, |range| format!(", {range}"));
    format!("{}{range}{}", pairs_in_words(spread.n), better_in(better, spread.n))
}

/// How many pairs are left out, and what they come to: ` Left out: 3 pairs far from all others (0.0043 to 0.12 times).`
fn far_in_words(far: &[f64], wins: bool) -> Option<String> {
    let ratios = || far.iter().map(|ratio| if wins { *ratio } else { ratio.recip() });
    let (low, high) = (ratios().reduce(f64::min)?, ratios().reduce(f64::max)?);
    let range = if far.len() == 1 { three(low) } else { format!("{} to {}", three(low), three(high)) };
    Some(format!(" Left out: {} far from all others ({range} times).", counted(far.len(), "pair", "pairs")))
}

/// In how many of several pairs the better side is better.
fn better_in(better: usize, of: usize) -> String {
    match better {
        _ if of < 2 => String::new(),
        all if all == of => ", better in all of them".to_owned(),
        0 => ", better in none of them".to_owned(),
        some => format!(", better in {some}"),
    }
}

/// Whether sides can be compared, by what was found to compare.
pub(super) fn fairness(outcomes: &[Outcome<'_>]) -> String {
    let pairs: usize =
        outcomes.iter().filter(|outcome| outcome.apart.is_none()).map(|outcome| outcome.pairs.len()).sum();
    match pairs {
        0 => "No two rows of them are alike in everything else that decides comparability.".to_owned(),
        pairs => format!(
            "Fair is what is alike in everything else that decides comparability, as in {} here.",
            pairs_in_words(pairs)
        ),
    }
}
