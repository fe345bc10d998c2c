//! Sides against each other: matched pairs, their ratio, and where there are none the two numbers that are nearest.

use indexmap::IndexMap;

use super::asked_names::asked_names;
use super::best_batch_pairs::best_batch_pairs;
use super::compared_sides::{ComparedSide, ComparedSides};
use super::conclusion::{Conclusion, Entry};
use super::evidence::{RowIds, shared, sources, spread_out};
use super::found::Found;
use super::matched_pairs::{MatchedPair, Picked, Spread, matched_pairs};
use super::side::Side;
use super::sizes::Sizes;
use super::wording::{Names, pairs_in_words, three};
use crate::ask::hits::{HitColumns, SharedValues};
use crate::ask::question::{QueryError, Question};
use crate::model::{Aspect, Derived, Field, Metric, Value};
use crate::stores::Stores;

/// So many pairs are named behind the headline, and so many behind each entry below it.
const NAMED_PAIRS: (usize, usize) = (10, 3);

/// So many groups of pairs have an entry of their own.
const MOST_GROUPS: usize = 12;

/// Sets the sides of a question against each other.
pub fn conclude(stores: &Stores, question: &Question, _found: &Found<'_>) -> Result<Conclusion, QueryError> {
    let values = SharedValues::read(stores)?;
    let compared = ComparedSides::of(stores, question, &values)?;
    let sizes = Sizes::of_sides(stores, &values, compared.sides.iter().map(|side| (&side.side, &side.hits)))?;
    let mut comparison = Comparison::new(stores, &values, sizes, compared.varied.clone());
    comparison.derived = compared.derived;
    comparison.whether = question.wanted.yes_or_no.then_some(question.wanted.claimed_factor.unwrap_or(1.0));
    comparison.fair = question.wanted.fair;
    comparison.conditions = compared.conditions.clone();
    comparison.asked = asked_names(stores, question, &mut comparison.names)?;
    comparison.of_sides(&compared)
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
    pub stores: &'c Stores,
    pub values: &'c SharedValues,
    pub sizes: Sizes,
    pub names: Names,
    /// The fields in which sides differ.
    pub varied: Vec<Field>,
    /// What stands in the place of the metric that it follows from.
    pub derived: Option<Derived>,
    /// Where the question wants a yes or a no: how many times as good the first side is said to be.
    pub whether: Option<f64>,
    /// Whether it is asked if the sides can be compared at all.
    pub fair: bool,
    /// Whether the side that is asked about, the first, is the one that the others are set against.
    pub asked_is_baseline: bool,
    /// What the question names besides the sides.
    pub asked: IndexMap<String, String>,
    /// The words of what else the question asks for.
    pub conditions: Vec<String>,
    pub ids: RowIds,
}

/// A side against the baseline.
pub(super) struct Outcome<'o> {
    pub subject: &'o Side,
    pub spread: Spread,
    /// In how many pairs the subject is better.
    pub better: usize,
    pub pairs: Vec<MatchedPair>,
    /// Those of single layers, where networks are paired as well.
    pub layers: Vec<MatchedPair>,
    /// What each side has its own of besides what is compared, in words.
    pub apart: Option<&'static str>,
}

impl<'c> Comparison<'c> {
    /// A comparison of sides that differ in these fields.
    pub fn new(stores: &'c Stores, values: &'c SharedValues, sizes: Sizes, varied: Vec<Field>) -> Self {
        Self {
            stores,
            values,
            sizes,
            names: Names::default(),
            varied,
            derived: None,
            whether: None,
            fair: false,
            asked_is_baseline: false,
            asked: IndexMap::new(),
            conditions: Vec::new(),
            ids: RowIds::default(),
        }
    }

    /// The matched pairs of two sides; with `one_source` those alone of which one source measured both.
    pub fn pairs(
        &self,
        subject: &HitColumns,
        baseline: &HitColumns,
        metrics: &[Metric],
        one_source: bool,
    ) -> Vec<MatchedPair> {
        let mut pairs =
            matched_pairs((self.values, &self.sizes), subject, baseline, metrics, &self.varied, Picked::Middle);
        if one_source {
            pairs.retain(|pair| sources(self.values, &pair.all).len() == 1);
        }
        pairs
    }

    fn of_sides(&mut self, compared: &ComparedSides) -> Result<Conclusion, QueryError> {
        let mut conclusion = Conclusion::default();
        let (sides, without): (Vec<&ComparedSide>, Vec<&ComparedSide>) =
            compared.sides.iter().partition(|side| !side.hits.is_empty());
        let mut sentences: Vec<String> = compared.lead.iter().cloned().collect();
        if !without.is_empty() {
            let (sentence, entries) = self.without_rows(&without, &sides, &compared.metrics)?;
            sentences.push(sentence);
            conclusion.entries.extend(entries);
        }
        if sides.len() < 2 {
            return Ok(Conclusion { text: sentences.join(" "), ..conclusion });
        }
        let Some((baseline, outcomes)) = self.outcomes(&sides, &compared.metrics)? else { return Ok(conclusion) };
        let against = &sides[baseline].side;
        sentences.extend(self.fair.then(|| fairness(&outcomes)));
        self.asked_is_baseline = compared.sides.first().is_some_and(|first| std::ptr::eq(&first.side, against));
        match outcomes.as_slice() {
            [] => {}
            [only] => sentences.push(self.sentence(only, against)?),
            several => sentences.push(self.in_order_of_speed(several, against)?),
        }
        for outcome in &outcomes {
            conclusion.entries.extend(self.entries(outcome, against)?);
            if let Some(spread) = Spread::of(outcome.layers.iter().map(|pair| pair.ratio)) {
                let layers: Vec<&MatchedPair> = outcome.layers.iter().collect();
                let (own, mean, n) = (&outcome.subject.name, three(spread.mean), pairs_in_words(spread.n));
                sentences.push(format!("In single layers the ratio of {own} to {} is {mean} ({n}).", against.name));
                conclusion.entries.push(self.entry(outcome.subject, against, &layers, NAMED_PAIRS.0)?);
            }
        }
        let is_told = |side: &Side| outcomes.iter().any(|outcome| std::ptr::eq(outcome.subject, side));
        for (_, side) in sides.iter().enumerate().filter(|(at, side)| *at != baseline && !is_told(&side.side)) {
            let (mut sentence, entries) = self.no_pair(side, sides[baseline], &compared.metrics)?;
            // Of several sides one sentence each is enough.
            if sides.len() > 2 && !entries.is_empty() {
                sentence = sentence.split(" No row of ").next().unwrap_or_default().to_owned();
            }
            sentences.push(sentence);
            conclusion.entries.extend(entries);
        }
        conclusion.entries = in_order(conclusion.entries);
        conclusion.text = sentences.join(" ");
        Ok(conclusion)
    }

    /// The side that the others are set against, and what they come to: the last of two; of several the best, where it has
    /// pairs with as many as any.
    fn outcomes<'o>(
        &self,
        sides: &[&'o ComparedSide],
        metrics: &[Metric],
    ) -> Result<Option<(usize, Vec<Outcome<'o>>)>, QueryError> {
        let against = |baseline: usize| -> Result<Vec<Outcome<'o>>, QueryError> {
            let others = sides.iter().enumerate().filter(|(at, _)| *at != baseline);
            let outcomes = others.map(|(_, side)| self.outcome(side, sides[baseline], metrics));
            Ok(outcomes.collect::<Result<Vec<_>, _>>()?.into_iter().flatten().collect())
        };
        let Some(last) = sides.len().checked_sub(1) else { return Ok(None) };
        if sides.len() == 2 {
            return Ok(Some((last, against(last)?)));
        }
        let rank = |outcomes: &[Outcome<'o>]| {
            let is_first = outcomes.iter().all(|outcome| outcome.spread.mean <= 1.0);
            (outcomes.len(), is_first, outcomes.iter().map(|outcome| outcome.pairs.len()).sum::<usize>())
        };
        let mut most = (last, against(last)?);
        let mut left: Vec<usize> = (0..last).collect();
        while rank(&most.1) < (sides.len() - 1, true, 0) && !left.is_empty() {
            // The best of those known comes next: all others may be told from it.
            let best = most.1.iter().max_by(|a, b| a.spread.mean.total_cmp(&b.spread.mean));
            let is_best = |at: &usize| best.is_some_and(|best| std::ptr::eq(best.subject, &sides[*at].side));
            let next = left.iter().position(is_best).unwrap_or(left.len() - 1);
            let at = left.swap_remove(next);
            let outcomes = against(at)?;
            if rank(&outcomes) >= rank(&most.1) {
                most = (at, outcomes);
            }
        }
        Ok(Some(most))
    }

    fn outcome<'o>(
        &self,
        subject: &'o ComparedSide,
        baseline: &ComparedSide,
        metrics: &[Metric],
    ) -> Result<Option<Outcome<'o>>, QueryError> {
        let (mut pairs, mut apart) = (self.pairs(&subject.hits, &baseline.hits, metrics, false), None);
        if pairs.is_empty() {
            let (compared, both) = ((self.values, &self.sizes), (&subject.hits, &baseline.hits));
            if let Some((at_best, words)) = best_batch_pairs(self.stores, compared, both, metrics, &self.varied)? {
                (pairs, apart) = (at_best, Some(words));
            }
        }
        // A layer is no network: where networks can be paired, layers are told apart.
        let (layers, networks): (Vec<MatchedPair>, Vec<MatchedPair>) =
            pairs.into_iter().partition(|pair| self.sizes.is_layer(pair.subject.row));
        let (pairs, layers) = if networks.is_empty() { (layers, networks) } else { (networks, layers) };
        Ok(Outcome::of(&subject.side, pairs, layers).map(|outcome| Outcome { apart, ..outcome }))
    }

    /// What some pairs come to: a sentence, the headline and what it is made of.
    pub fn of_pairs(
        &mut self,
        subject: &Side,
        baseline: &Side,
        pairs: Vec<MatchedPair>,
    ) -> Result<(String, Vec<Entry>), QueryError> {
        let Some(outcome) = Outcome::of(subject, pairs, Vec::new()) else { return Ok((String::new(), Vec::new())) };
        Ok((self.sentence(&outcome, baseline)?, self.entries(&outcome, baseline)?))
    }

    /// The headline of a side's pairs and what it is made of.
    fn entries(&mut self, outcome: &Outcome<'_>, baseline: &Side) -> Result<Vec<Entry>, QueryError> {
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
}

impl<'o> Outcome<'o> {
    /// What some pairs come to; `None` of none.
    fn of(subject: &'o Side, pairs: Vec<MatchedPair>, layers: Vec<MatchedPair>) -> Option<Self> {
        let spread = Spread::of(pairs.iter().map(|pair| pair.ratio))?;
        let better = pairs.iter().filter(|pair| pair.ratio > 1.0).count();
        Some(Self { subject, spread, better, pairs, layers, apart: None })
    }
}

/// Whether sides can be compared, by what was found to compare.
fn fairness(outcomes: &[Outcome<'_>]) -> String {
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

/// Only what is stated, and of the usual setting nothing that goes without saying.
pub(super) fn stated_alone(under: &IndexMap<String, Option<Value>>) -> IndexMap<String, Option<Value>> {
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
