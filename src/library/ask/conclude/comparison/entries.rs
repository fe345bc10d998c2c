//! The entries of a comparison: the headline over all pairs, then one for each group of them.

use indexmap::IndexMap;

use super::inputs::SideComparison;
use super::outcomes::Outcome;
use crate::ask::conclude::basis::conclusion::Entry;
use crate::ask::conclude::basis::evidence::{shared, sources, spread_out};
use crate::ask::conclude::basis::matched_pairs::{MatchedPair, Spread};
use crate::ask::conclude::basis::side::Side;
use crate::ask::question::QueryError;
use crate::model::{Aspect, Field, Value};

/// So many pairs are named behind the headline, and so many behind each entry below it.
pub(in crate::ask::conclude) const NAMED_PAIRS: (usize, usize) = (10, 3);

/// So many groups of pairs have an entry of their own.
const MOST_GROUPS: usize = 12;

/// Marks a headline until the entries are in order; no filter has this key.
const HEADLINE: &str = "";

/// Entries with the headlines of all sides before what they are made of.
pub(in crate::ask::conclude) fn in_order(mut entries: Vec<Entry>) -> Vec<Entry> {
    entries.sort_by_key(|entry| !entry.under.contains_key(HEADLINE));
    for entry in &mut entries {
        entry.under.shift_remove(HEADLINE);
    }
    entries
}

impl SideComparison<'_> {
    /// The headline of a side's pairs and what it is made of.
    pub(in crate::ask::conclude) fn entries(
        &mut self,
        outcome: &Outcome<'_>,
        baseline: &Side,
    ) -> Result<Vec<Entry>, QueryError> {
        if !outcome.stages.is_empty() {
            let mut entries = Vec::new();
            for stage in &outcome.stages {
                let mut of_stage = self.entries(stage, baseline)?;
                // What tells the headlines apart comes first.
                if let (Some(headline), Some(pair)) = (of_stage.first_mut(), stage.pairs.first()) {
                    let key = Field::Stage.key().to_owned();
                    let own = std::mem::take(&mut headline.under);
                    headline.under.insert(key, self.values.value(Field::Stage, &pair.subject.parts));
                    headline.under.extend(own);
                }
                entries.extend(of_stage);
            }
            return Ok(entries);
        }
        let all: Vec<&MatchedPair> = outcome.pairs.iter().collect();
        let mut headline = self.entry(outcome.subject, baseline, &all, NAMED_PAIRS.0)?;
        let mut entries = Vec::new();
        for (fields, group) in self.groups(&all) {
            let mut entry = self.entry(outcome.subject, baseline, &group, NAMED_PAIRS.1)?;
            // What the group is about comes first.
            let mut under: IndexMap<String, Option<Value>> = IndexMap::new();
            for field in fields {
                under.insert(field.key().to_owned(), self.values.value(field, &group[0].subject.parts));
            }
            under.extend(entry.under);
            entry.under = under;
            entries.push(entry);
        }
        headline.under.insert(HEADLINE.to_owned(), None);
        entries.insert(0, headline);
        Ok(entries)
    }

    /// The groups of pairs that have an entry of their own, the largest first: by network and stage, else by whatever
    /// they differ in; none where they do not.
    fn groups<'p>(&self, pairs: &[&'p MatchedPair]) -> Vec<(Vec<Field>, Vec<&'p MatchedPair>)> {
        const BY: &[&[Field]] = &[
            &[Field::Network, Field::Stage],
            &[Field::Device],
            &[Field::Framework],
            &[Field::Precision],
            &[Field::DeviceCount],
            &[Field::BatchSize],
            &[Field::Scenario],
            &[Field::FrameworkVersion],
            &[Field::InputShape],
        ];
        for by in BY {
            let by: Vec<Field> = by.iter().copied().filter(|field| !self.varied.contains(field)).collect();
            let mut groups: IndexMap<Vec<u32>, Vec<&MatchedPair>> = IndexMap::new();
            for pair in pairs {
                let numbers = by.iter().map(|field| self.values.number(Aspect::Field(*field), &pair.subject.parts));
                groups.entry(numbers.collect()).or_default().push(pair);
            }
            if by.is_empty() || groups.len() < 2 {
                continue;
            }
            let mut groups: Vec<Vec<&MatchedPair>> = groups.into_values().collect();
            groups.sort_by_key(|group| std::cmp::Reverse(group.len()));
            groups.truncate(MOST_GROUPS);
            return groups.into_iter().map(|group| (by.clone(), group)).collect();
        }
        Vec::new()
    }

    pub(in crate::ask::conclude) fn entry(
        &mut self,
        subject: &Side,
        baseline: &Side,
        pairs: &[&MatchedPair],
        named: usize,
    ) -> Result<Entry, QueryError> {
        let mut by_ratio = pairs.to_vec();
        by_ratio.sort_by(|a, b| a.ratio.total_cmp(&b.ratio));
        let spread = Spread::of(by_ratio.iter().map(|pair| pair.ratio));
        let mut named = spread_out(&by_ratio, named);
        // The first pairs are those that a reader sees: the typical before the extreme.
        let mean = spread.map_or(1.0, |spread| spread.mean);
        let apart = |pair: &MatchedPair| (pair.ratio / mean).ln().abs();
        named.sort_by(|a, b| apart(a).total_cmp(&apart(b)));
        let rows: Vec<u64> = named.into_iter().flat_map(|pair| [pair.subject.row, pair.baseline.row]).collect();
        let ends = pairs.iter().flat_map(|pair| [&pair.subject.parts, &pair.baseline.parts]);
        Ok(Entry {
            subjects: subject.subjects.clone(),
            baseline: Some(baseline.subjects.clone()),
            under: shared(self.values, ends, &self.varied),
            measurements: self.ids.of(self.stores, &rows)?,
            sources: sources(self.values, pairs.iter().flat_map(|pair| &pair.all)),
            ..Spread::entry(spread, "speed-up", pairs.len())
        })
    }
}
