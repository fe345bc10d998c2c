//! Sides against each other: matched pairs, their ratio, and the facts that differ.

use indexmap::IndexMap;

use super::conclusion::{Conclusion, Entry};
use super::evidence::{RowIds, shared, sources, spread_out};
use super::found::Found;
use super::matched_pairs::{MatchedPair, Spread, matched_pairs};
use super::measures::metrics_of;
use super::nearest_pair::nearest_pair;
use super::side::Side;
use super::sizes::Sizes;
use super::wording::{Names, pairs_in_words, three, times_as};
use crate::ask::hits::{HitColumns, PartNumbers, SharedValues};
use crate::ask::question::{QueryError, Question};
use crate::model::{Aspect, Field, Metric, Value};
use crate::stores::Stores;
use crate::values::Precision;
use crate::values::text::{and_list, counted};

/// So many pairs are named behind the headline, and so many behind each entry below it.
const NAMED_PAIRS: (usize, usize) = (10, 3);

/// So many groups of pairs have an entry of their own.
const MOST_GROUPS: usize = 12;

/// Sets the sides of a question against each other; the last is what the others are set against, unless only others have
/// rows in common.
pub fn conclude(stores: &Stores, question: &Question, _found: &Found<'_>) -> Result<Conclusion, QueryError> {
    let mut names = Names::default();
    let values = SharedValues::read(stores)?;
    let metrics = metrics_of(question);
    let mut sides = Vec::new();
    for clause in &question.wanted.sides {
        let side = Side::of(clause, stores, &values, &mut names)?;
        let hits = HitColumns::of(stores, &question.condition_of_side(clause), &metrics)?;
        sides.push((side, hits));
    }
    let mut varied: Vec<Field> = sides.iter().flat_map(|(side, _)| side.varied.iter().copied()).collect();
    varied.sort_unstable();
    varied.dedup();
    let sizes = Sizes::of_sides(stores, &values, &sides)?;
    let mut comparison = Comparison::new(stores, &values, sizes, varied);
    let mut conclusion = Conclusion::default();
    let mut sentences: Vec<String> = Vec::new();
    let Some(baseline) = comparison.baseline(&sides, &metrics) else { return Ok(conclusion) };
    for (at, (subject, hits)) in sides.iter().enumerate() {
        if at == baseline {
            continue;
        }
        let (other, others) = &sides[baseline];
        let pairs = comparison.pairs(hits, others, &metrics, false);
        if pairs.is_empty() {
            sentences.push(comparison.no_pair((subject, hits), (other, others), &metrics)?);
            continue;
        }
        // A layer is no network: where networks can be paired, layers are told apart.
        let (layers, networks): (Vec<MatchedPair>, Vec<MatchedPair>) =
            pairs.into_iter().partition(|pair| comparison.sizes.is_layer(pair.subject.row));
        let (told, apart) = if networks.is_empty() { (layers, networks) } else { (networks, layers) };
        let (sentence, entries) = comparison.of_pairs(subject, other, &told)?;
        sentences.push(sentence);
        conclusion.entries.extend(entries);
        if !apart.is_empty() {
            let apart: Vec<&MatchedPair> = apart.iter().collect();
            let entry = comparison.entry(subject, other, &apart, NAMED_PAIRS.0)?;
            if let Some(spread) = Spread::of(apart.iter().map(|pair| pair.ratio)) {
                sentences.push(format!(
                    "In single layers it is {} ({}).",
                    three(spread.mean),
                    pairs_in_words(spread.n)
                ));
            }
            conclusion.entries.push(entry);
        }
    }
    conclusion.entries = in_order(conclusion.entries);
    conclusion.text = sentences.join(" ");
    Ok(conclusion)
}

/// Marks a headline until the entries are in order; no filter has this key.
const HEADLINE: &str = "";

/// Entries with the headlines of all sides before what they are made of.
pub(super) fn in_order(mut entries: Vec<Entry>) -> Vec<Entry> {
    entries.sort_by_key(|entry| !entry.under.contains_key(HEADLINE));
    for entry in &mut entries {
        entry.under.shift_remove(HEADLINE);
    }
    entries
}

/// What a comparison is made with.
pub(super) struct Comparison<'c> {
    stores: &'c Stores,
    values: &'c SharedValues,
    sizes: Sizes,
    names: Names,
    /// The fields in which sides differ.
    varied: Vec<Field>,
    ids: RowIds,
}

impl<'c> Comparison<'c> {
    /// A comparison of sides that differ in these fields.
    pub fn new(stores: &'c Stores, values: &'c SharedValues, sizes: Sizes, varied: Vec<Field>) -> Self {
        Self { stores, values, sizes, names: Names::default(), varied, ids: RowIds::default() }
    }

    /// The matched pairs of two sides; with `one_source` those alone of which one source measured both.
    pub fn pairs(
        &self,
        subject: &HitColumns,
        baseline: &HitColumns,
        metrics: &[Metric],
        one_source: bool,
    ) -> Vec<MatchedPair> {
        let mut pairs = matched_pairs((self.values, &self.sizes), subject, baseline, metrics, &self.varied);
        if one_source {
            pairs.retain(|pair| sources(self.values, &pair.all).len() == 1);
        }
        pairs
    }

    /// The side that others are set against: the last of two, else the last of those with the most pairs.
    fn baseline(&self, sides: &[(Side, HitColumns)], metrics: &[Metric]) -> Option<usize> {
        if sides.len() <= 2 {
            return sides.len().checked_sub(1);
        }
        let pairs_against = |at: usize| -> usize {
            let others = sides.iter().enumerate().filter(|(other, _)| *other != at);
            others.map(|(_, (_, hits))| self.pairs(hits, &sides[at].1, metrics, false).len()).sum()
        };
        (0..sides.len()).max_by_key(|at| pairs_against(*at))
    }

    /// What some pairs come to: a sentence, the headline and what it is made of.
    pub fn of_pairs(
        &mut self,
        subject: &Side,
        baseline: &Side,
        pairs: &[MatchedPair],
    ) -> Result<(String, Vec<Entry>), QueryError> {
        let all: Vec<&MatchedPair> = pairs.iter().collect();
        let mut headline = self.entry(subject, baseline, &all, NAMED_PAIRS.0)?;
        let sentence = self.sentence(subject, baseline, &all, &headline)?;
        let mut entries = Vec::new();
        for (fields, group) in self.groups(&all) {
            let mut entry = self.entry(subject, baseline, &group, NAMED_PAIRS.1)?;
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
        Ok((sentence, entries))
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

    fn entry(
        &mut self,
        subject: &Side,
        baseline: &Side,
        pairs: &[&MatchedPair],
        named: usize,
    ) -> Result<Entry, QueryError> {
        let mut by_ratio = pairs.to_vec();
        by_ratio.sort_by(|a, b| a.ratio.total_cmp(&b.ratio));
        let spread = Spread::of(by_ratio.iter().map(|pair| pair.ratio));
        let rows: Vec<u64> =
            spread_out(&by_ratio, named).into_iter().flat_map(|pair| [pair.subject.row, pair.baseline.row]).collect();
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

    fn sentence(
        &mut self,
        subject: &Side,
        baseline: &Side,
        pairs: &[&MatchedPair],
        headline: &Entry,
    ) -> Result<String, QueryError> {
        let Some(spread) = Spread::of(pairs.iter().map(|pair| pair.ratio)) else { return Ok(String::new()) };
        let metric = pairs[0].metric;
        let mut text = format!("{} is {} {} {}", subject.name, three(spread.mean), times_as(metric), baseline.name);
        let frame = self.names.frame(&stated_alone(&headline.under), self.stores)?;
        if !frame.is_empty() {
            text.push_str(&format!(" ({frame})"));
        }
        let mean = if spread.n > 1 { "geometric mean of " } else { "" };
        text.push_str(&format!(": {mean}{}", pairs_in_words(spread.n)));
        if let Some(range) = spread.in_words() {
            text.push_str(&format!(", {range}"));
        }
        if spread.n > 1 {
            let better = pairs.iter().filter(|pair| pair.ratio > 1.0).count();
            text.push_str(&match better {
                all if all == spread.n => ", better in all of them".to_owned(),
                0 => ", better in none of them".to_owned(),
                some => format!(", better in {some}"),
            });
        }
        text.push('.');
        text.extend(self.mixed(pairs).map(|mixed| format!(" {mixed}")));
        Ok(text)
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

    /// Why there is no pair: a side without rows, else the two rows that are nearest and what keeps them apart.
    fn no_pair(
        &mut self,
        (subject, hits): (&Side, &HitColumns),
        (baseline, others): (&Side, &HitColumns),
        metrics: &[Metric],
    ) -> Result<String, QueryError> {
        let without: Vec<&str> = [(subject, hits), (baseline, others)]
            .iter()
            .filter(|(_, hits)| hits.is_empty())
            .map(|(side, _)| side.name.as_str())
            .collect();
        if !without.is_empty() {
            let other = [(subject, hits), (baseline, others)].into_iter().find(|(_, hits)| !hits.is_empty());
            let rest = other.map_or_else(String::new, |(side, hits)| {
                format!("; {} has {}", side.name, counted(hits.len(), "row", "rows"))
            });
            let has = if without.len() == 1 { "has" } else { "have" };
            return Ok(format!(
                "{} {has} no measurements under these conditions{rest}, so nothing can be paired.",
                and_list(&without)
            ));
        }
        let counts = format!(
            "No rows of {} and {} match in everything else ({} and {})",
            subject.name,
            baseline.name,
            counted(hits.len(), "row", "rows"),
            others.len()
        );
        Ok(match nearest_pair(self.stores, self.values, hits, others, metrics, &self.varied)? {
            Some((own, other, verdict)) => format!("{counts}. The nearest are {own} and {other}: {verdict}."),
            None => format!("{counts}: they have no metric in common."),
        })
    }
}

/// Only what is stated, and of the usual setting nothing that goes without saying.
fn stated_alone(under: &IndexMap<String, Option<Value>>) -> IndexMap<String, Option<Value>> {
    under.iter().filter(|(_, value)| value.is_some()).map(|(key, value)| (key.clone(), value.clone())).collect()
}

#[cfg(test)]
mod tests {
    use super::super::sample::{Sample, number};

    #[test]
    fn pairs_are_alike_in_everything_but_what_is_compared() {
        let rows = r#"
[[table]]
columns = ["device", "network", "precision", "batch-size", "throughput-per-s"]
rows = [
  ["nova", "deepnet-50", "fp32", 16, 200],
  ["core", "deepnet-50", "fp32", 16, 100],
  ["nova", "deepnet-50", "fp16", 16, 900],
  ["core", "deepnet-18", "fp32", 16, 100],
  ["nova", "deepnet-18", "fp32", 16, 800],
  ["nova", "deepnet-18", "fp32", 32, 9000],
]
"#;
        let sample = Sample::of(&[("paper-2020", rows)]);
        let conclusion = sample.conclude(&sample.versus("", &["device:nova", "device:core"]));
        let headline = &conclusion.entries[0];
        assert_eq!((number(headline), headline.n), (4.0, 2), "{}", conclusion.text);
        assert_eq!((headline.low, headline.high), (Some(2.0), Some(8.0)));
        assert_eq!(headline.measurements.len(), 4);
        assert_eq!(headline.under["precision"].as_ref().map(ToString::to_string).as_deref(), Some("fp32"));
        assert!(!headline.under.contains_key("network") && !headline.under.contains_key("device"));
        let of_groups = conclusion.entries[1..].iter().filter(|entry| entry.quantity == "speed-up");
        let mut groups: Vec<f64> = of_groups.map(number).collect();
        groups.sort_by(f64::total_cmp);
        assert_eq!(groups, [2.0, 8.0]);
        assert!(conclusion.text.starts_with("Nova is 4 times as fast as Core"), "{}", conclusion.text);
    }

    #[test]
    fn a_latency_is_better_where_it_is_lower_and_several_runs_are_one_value() {
        let rows = r#"
[[table]]
columns = ["device", "label", "latency-ms"]
rows = [["nova", "a", 1], ["nova", "b", 2], ["nova", "c", 9], ["core", "a", 6]]
"#;
        let sample = Sample::of(&[("paper-2020", rows)]);
        let conclusion = sample.conclude(&sample.versus("", &["device:nova", "device:core"]));
        assert_eq!((number(&conclusion.entries[0]), conclusion.entries[0].n), (3.0, 1), "{}", conclusion.text);
    }

    #[test]
    fn unknown_equals_nothing_between_sources_but_within_one_what_it_leaves_out() {
        let run = |device: &str, value: i64| format!("\n[[run]]\ndevice = \"{device}\"\nthroughput-per-s = {value}\n");
        let unstated = "precision = \"fp32\"\n";
        let (nova, core) = (run("nova", 200), run("core", 100));
        let apart = Sample::without(unstated, &[("paper-2020", &nova), ("blog-2021", &core)]);
        let conclusion = apart.conclude(&apart.versus("", &["device:nova", "device:core"]));
        assert!(conclusion.entries.iter().all(|entry| entry.quantity != "speed-up"), "{}", conclusion.text);
        assert!(conclusion.text.contains("unknown [precision]"), "{}", conclusion.text);
        let together = Sample::without(unstated, &[("paper-2020", &format!("{nova}{core}"))]);
        let conclusion = together.conclude(&together.versus("", &["device:nova", "device:core"]));
        assert_eq!(number(&conclusion.entries[0]), 2.0);
        let stated = Sample::of(&[("paper-2020", &nova), ("blog-2021", &core)]);
        let conclusion = stated.conclude(&stated.versus("", &["device:nova", "device:core"]));
        assert_eq!(number(&conclusion.entries[0]), 2.0, "what is stated alike pairs across sources");
        assert_eq!(conclusion.entries[0].sources, ["blog-2021", "paper-2020"]);
    }

    #[test]
    fn a_side_without_rows_is_said() {
        let rows = "[[run]]\nthroughput-per-s = 5\n";
        let sample = Sample::of(&[("paper-2020", rows)]);
        let conclusion = sample.conclude(&sample.versus("", &["device:ember", "device:nova"]));
        assert!(conclusion.entries.iter().all(|entry| entry.quantity != "speed-up"));
        assert!(conclusion.text.starts_with("Ember has no measurements"), "{}", conclusion.text);
    }

    #[test]
    fn without_a_pair_the_nearest_rows_are_named_and_what_keeps_them_apart() {
        let rows = r#"
[[run]]
throughput-per-s = 5

[[run]]
device = "core"
precision = "fp16"
throughput-per-s = 9
"#;
        let sample = Sample::of(&[("paper-2020", rows)]);
        let conclusion = sample.conclude(&sample.versus("", &["device:nova", "device:core"]));
        assert!(conclusion.entries.iter().all(|entry| entry.quantity != "speed-up"));
        assert!(conclusion.text.contains("comparable along precision"), "{}", conclusion.text);
    }
}
