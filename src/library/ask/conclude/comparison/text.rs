//! A comparison in words: the better side first, how many times as good it is, and what all pairs share.

use std::collections::BTreeMap;

use super::inputs::Comparison;
use super::outcomes::Outcome;
use crate::ask::conclude::basis::evidence::{shared, stated_alone};
use crate::ask::conclude::basis::matched_pairs::MatchedPair;
use crate::ask::conclude::basis::side::Side;
use crate::ask::conclude::basis::spans::spans;
use crate::ask::conclude::basis::wording::{pairs_in_words, three, times_as, times_as_derived};
use crate::ask::hits::PartNumbers;
use crate::ask::question::QueryError;
use crate::model::{Aspect, Field, Metric};
use crate::values::Precision;
use crate::values::text::{and_list, counted};

/// A factor that is claimed is reached from this share of it on.
const NEARLY: f64 = 0.95;

/// A gain below this that not three pairs of four show is hardly one.
const HARDLY: f64 = 1.05;

impl Comparison<'_> {
    /// One side against another, told from the better one.
    pub(super) fn sentence(&mut self, outcome: &Outcome<'_>, baseline: &Side) -> Result<String, QueryError> {
        let all: Vec<&MatchedPair> = outcome.pairs.iter().collect();
        let Some(metric) = all.first().map(|pair| pair.metric) else { return Ok(String::new()) };
        let wins = outcome.spread.mean >= 1.0;
        let (winner, loser) = if wins { (outcome.subject, baseline) } else { (baseline, outcome.subject) };
        let spread = if wins { outcome.spread } else { outcome.spread.inverted() };
        let better = if wins { outcome.better } else { outcome.pairs.iter().filter(|pair| pair.ratio < 1.0).count() };
        let times = three(spread.mean);
        let gain = if self.asked_is_baseline { outcome.spread.mean.recip() } else { outcome.spread.mean };
        let yes = self.whether.map_or_else(String::new, |claimed| match gain >= 1.0 && gain >= claimed * NEARLY {
            true if claimed == 1.0 && gain < HARDLY && better * 4 < spread.n * 3 => "Hardly: ".to_owned(),
            true => "Yes: ".to_owned(),
            false if gain >= 1.0 => format!("No, less than {} times: ", three(claimed)),
            false => "No: ".to_owned(),
        });
        let (mut of_winner, mut of_loser) = (Vec::new(), Vec::new());
        let of_members = |side: &Side| side.is_of_several || side.is_family;
        if of_members(winner) || of_members(loser) {
            let ends = |is_subject: bool| {
                all.iter().map(move |pair| if is_subject { &pair.subject.parts } else { &pair.baseline.parts })
            };
            (of_winner, of_loser) = (self.members(ends(wins))?, self.members(ends(!wins))?);
        }
        let (better_side, other_side) = (winner.of_members(&of_winner), loser.of_members(&of_loser));
        let mut text = format!("{yes}{better_side} is {times} {} {other_side}", self.times_as(metric));
        let frame = self.frame(&all)?;
        let frame: Vec<&str> =
            Some(frame.as_str()).filter(|frame| !frame.is_empty()).into_iter().chain(outcome.apart).collect();
        if !frame.is_empty() {
            text.push_str(&format!(" ({})", frame.join(", ")));
        }
        let mean = if spread.n > 1 { "geometric mean of " } else { "" };
        text.push_str(&format!(": {mean}{}", pairs_in_words(spread.n)));
        if let Some(range) = spread.in_words() {
            text.push_str(&format!(", {range}"));
        }
        text.push_str(&better_in(better, spread.n));
        text.push('.');
        text.extend(far_in_words(&outcome.far, wins));
        text.extend(self.mixed(&all).map(|mixed| format!(" {mixed}")));
        // Of a family it is said which members were measured, unless that is what it is called by.
        let is_other =
            |side: &Side, members: &[String]| side.is_family && !members.iter().all(|name| *name == side.name);
        let is_told = is_other(winner, &of_winner) || is_other(loser, &of_loser);
        if of_winner.len() > 1 || of_loser.len() > 1 || is_told {
            text.push_str(&format!(" Behind it: {} against {}.", and_list(&of_winner), and_list(&of_loser)));
        }
        Ok(text)
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

    fn times_as(&self, metric: Metric) -> &'static str {
        self.derived.map_or_else(|| times_as(metric), times_as_derived)
    }

    /// Several sides, the best first.
    pub(super) fn in_order_of_speed(
        &mut self,
        outcomes: &[Outcome<'_>],
        baseline: &Side,
    ) -> Result<String, QueryError> {
        let mut sorted: Vec<&Outcome<'_>> = outcomes.iter().collect();
        sorted.sort_by(|a, b| b.spread.mean.total_cmp(&a.spread.mean));
        let all: Vec<&MatchedPair> = outcomes.iter().flat_map(|outcome| &outcome.pairs).collect();
        let far: usize = outcomes.iter().map(|outcome| outcome.far.len()).sum();
        let far = match far {
            0 => String::new(),
            far => format!(" Left out: {} far from all others.", counted(far, "pair", "pairs")),
        };
        let Some(metric) = all.first().map(|pair| pair.metric) else { return Ok(String::new()) };
        let frame = self.frame(&all)?;
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

    /// What all pairs share, in words, and in what they differ from each other.
    fn frame(&mut self, pairs: &[&MatchedPair]) -> Result<String, QueryError> {
        let ends = || pairs.iter().flat_map(|pair| [&pair.subject.parts, &pair.baseline.parts]);
        let mut under = stated_alone(&shared(self.values, ends(), &self.varied));
        under.shift_remove(Field::Statistic.key());
        let varies = |key: &String| self.varied.iter().any(|field| field.key() == key);
        let asked = self.asked.iter().filter(|(key, _)| !under.contains_key(*key) && !varies(key));
        let mut words: Vec<String> = asked.map(|(_, name)| name.clone()).collect();
        words.extend(Some(self.names.frame(&under, self.stores)?).filter(|frame| !frame.is_empty()));
        let is_compared =
            |field: Field| self.varied.iter().any(|varied| field == *varied || field.varies_with(*varied));
        let is_told = |field: Field| under.contains_key(field.key()) || is_compared(field);
        words.extend(spans(self.values, ends(), is_told));
        Ok(words.join(", "))
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
