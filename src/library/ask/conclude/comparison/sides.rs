//! Sides against each other: matched pairs, their ratio, and where there are none the two numbers that are nearest.

use super::compared_sides::{ComparedSide, ComparedSides};
use super::entries::in_order;
use super::generations;
use super::inputs::{ClaimedGain, SideComparison};
use super::outcomes::Outcome;
use super::text::fairness;
use crate::ask::conclude::basis::asked_names::asked_names;
use crate::ask::conclude::basis::axis_condition::without_metric;
use crate::ask::conclude::basis::conclusion::{Conclusion, Entry};
use crate::ask::conclude::basis::matched_pairs::MatchedPair;
use crate::ask::conclude::basis::measures::measures_named;
use crate::ask::conclude::basis::named_alternatives::NamedAlternatives;
use crate::ask::conclude::basis::search_result::SearchResult;
use crate::ask::conclude::basis::side::Side;
use crate::ask::conclude::basis::sizes::Sizes;
use crate::ask::conclude::basis::wording::name_of;
use crate::ask::hits::SharedValues;
use crate::ask::question::{Clause, Quantity, QueryError, Question};
use crate::model::{Facet, Field, Metric};
use crate::stores::Stores;
use crate::values::text::{capital, or_list};

/// Sets the sides of a question against each other.
pub fn conclude(stores: &Stores, question: &Question, _found: &SearchResult<'_>) -> Result<Conclusion, QueryError> {
    let of_generations = are_architectures(question);
    // Of several the gain of each over the one before is wanted.
    if of_generations && question.wanted.sides.len() > 2 {
        let steps = generations::conclude(stores, question)?;
        if !steps.entries.is_empty() {
            return Ok(steps);
        }
    }
    let values = SharedValues::read(stores)?;
    let told = set_against(stores, question, &values)?;
    if !told.entries.is_empty() && !has_pairs(&told) && names_one_speed(question) {
        return Ok(by_other_speeds(stores, question, &values)?.unwrap_or(told));
    }
    Ok(told)
}

/// Sets the sides of a question against each other by what it names.
fn set_against(stores: &Stores, question: &Question, values: &SharedValues) -> Result<Conclusion, QueryError> {
    let compared = ComparedSides::of(stores, question, values)?;
    let sizes = Sizes::of_sides(stores, values, compared.sides.iter().map(|side| (&side.side, &side.hits)))?;
    let mut comparison = SideComparison::new(stores, values, sizes, compared.varied.clone());
    comparison.derived = compared.derived;
    comparison.whether = ClaimedGain::of(question);
    comparison.asks_batch = question.wanted.by_batch;
    comparison.fair = question.wanted.fair;
    comparison.of_generations = are_architectures(question);
    comparison.conditions = compared.conditions.clone();
    comparison.alternatives = NamedAlternatives::of(stores, question)?;
    comparison.asked = asked_names(stores, question, &mut comparison.names)?;
    comparison.of_sides(&compared)
}

/// Whether any rows are set against each other.
fn has_pairs(told: &Conclusion) -> bool {
    told.entries.iter().any(|entry| entry.baseline.is_some())
}

/// Whether a question asks for a throughput or a latency, and for nothing else.
fn names_one_speed(question: &Question) -> bool {
    let of_speed = [Metric::ThroughputPerS, Metric::LatencyMs, Metric::MeanLatencyMs].map(Quantity::Metric);
    matches!(question.wanted.quantities.as_slice(), [only] if of_speed.contains(only))
}

/// Where no rows are alike that state the speed which a question names, those that state another one; `None` where there are none,
/// either. How many times as fast something is, a latency tells as well as a throughput.
fn by_other_speeds(
    stores: &Stores,
    question: &Question,
    values: &SharedValues,
) -> Result<Option<Conclusion>, QueryError> {
    let named = measures_named(question).into_iter().map(name_of).next().unwrap_or_default();
    // What joins the sides may have another place where conditions on metrics are left out.
    let joint = question.wanted.joined_at.and_then(|at| question.clauses.get(at)).map(|clause| &clause.equivalent);
    let mut question = without_metric(question);
    question.wanted.joined_at = question.clauses.iter().position(|clause| Some(&clause.equivalent) == joint);
    question.wanted.quantities.clear();
    let told = set_against(stores, &question, values)?;
    let text = format!("By {named} alone nothing can be paired; by whatever speed rows state: {}", told.text);
    Ok(has_pairs(&told).then_some(Conclusion { text, ..told }))
}

/// Whether all sides are architectures of devices, and nothing else.
fn are_architectures(question: &Question) -> bool {
    let is_one = |side: &Clause| {
        let mut readings = side.readings.iter().map(|reading| reading.read_as.facet.as_str());
        !side.readings.is_empty() && readings.all(|facet| facet == Facet::Architecture.key())
    };
    question.wanted.sides.iter().all(is_one)
}

impl SideComparison<'_> {
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
            [only] => {
                sentences.extend(self.by_batch(only, against));
                sentences.push(self.sentence(only, against)?);
            }
            several => sentences.push(self.in_order_of_speed(several, against)?),
        }
        sentences.extend(self.without_pairs(&outcomes));
        sentences.extend(outcomes.iter().find_map(|outcome| outcome.size).map(|size| size.in_words().to_owned()));
        for outcome in &outcomes {
            conclusion.entries.extend(self.entries(outcome, against)?);
            let (sentence, entries) = self.asides(outcome, against)?;
            sentences.extend(sentence);
            conclusion.entries.extend(entries);
        }
        let is_told = |side: &Side| outcomes.iter().any(|outcome| std::ptr::eq(outcome.subject, side));
        for (_, side) in sides.iter().enumerate().filter(|(at, side)| *at != baseline && !is_told(&side.side)) {
            let (mut sentence, entries) = self.no_pair(side, sides[baseline], &compared.metrics)?;
            // Of several sides one sentence each is enough.
            if sides.len() > 2 && !entries.is_empty() {
                sentence = sentence.split(" No row of ").next().unwrap_or_default().to_owned();
            } else if sides.len() > 2 {
                let (own, other) = (&side.side.name, &against.name);
                sentence = format!("No row of {own} ({}) could be paired with one of {other}.", side.hits.len());
            }
            sentences.push(sentence);
            conclusion.entries.extend(entries);
        }
        conclusion.entries = in_order(conclusion.entries);
        conclusion.text = sentences.join(" ");
        // Names of hardware and formats are written as they are; a stage is an English word.
        if against.varied == [Field::Stage] {
            conclusion.text = capital(&conclusion.text);
        }
        Ok(conclusion)
    }

    /// What is named besides the sides and no pair is of: `No pair is of `resnet50`.`
    fn without_pairs(&self, outcomes: &[Outcome<'_>]) -> Option<String> {
        let parts = || outcomes.iter().flat_map(|outcome| &outcome.pairs).map(|pair| pair.subject.parts);
        parts().next()?;
        let missing = self.alternatives.iter().flat_map(|named| {
            let shares = parts().map(|parts| parts[named.part as usize]);
            named.missing(shares).into_iter().map(|word| format!("`{word}`"))
        });
        let missing: Vec<String> = missing.collect();
        (!missing.is_empty()).then(|| format!("No pair is of {}.", or_list(&missing)))
    }

    /// What some pairs come to: a sentence, the headline and what it is made of.
    pub fn of_pairs(
        &mut self,
        subject: &Side,
        baseline: &Side,
        pairs: Vec<MatchedPair>,
    ) -> Result<(String, Vec<Entry>), QueryError> {
        let Some(outcome) = self.outcome_of(subject, pairs) else { return Ok((String::new(), Vec::new())) };
        let (mut sentence, mut entries) = (self.sentence(&outcome, baseline)?, self.entries(&outcome, baseline)?);
        let (apart, others) = self.asides(&outcome, baseline)?;
        sentence.extend(apart.map(|apart| format!(" {apart}")));
        entries.extend(others);
        Ok((sentence, entries))
    }
}

#[cfg(test)]
mod tests {
    use crate::ask::conclude::basis::sample::{Sample, number};
    use crate::ask::question::{Intent, Quantity};
    use crate::model::Metric;

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
        assert!(conclusion.text.contains("not both state it: precision"), "{}", conclusion.text);
        let together = Sample::without(unstated, &[("paper-2020", &format!("{nova}{core}"))]);
        let conclusion = together.conclude(&together.versus("", &["device:nova", "device:core"]));
        assert_eq!(number(&conclusion.entries[0]), 2.0);
        let stated = Sample::of(&[("paper-2020", &nova), ("blog-2021", &core)]);
        let conclusion = stated.conclude(&stated.versus("", &["device:nova", "device:core"]));
        assert_eq!(number(&conclusion.entries[0]), 2.0, "what is stated alike pairs across sources");
        assert_eq!(conclusion.entries[0].sources, ["blog-2021", "paper-2020"]);
    }

    #[test]
    fn where_one_speed_pairs_nothing_another_one_tells_as_much() {
        let rows = r#"
[[run]]
throughput-per-s = 100
precision = "fp16"

[[run]]
device = "core"
throughput-per-s = 50
precision = "int8"

[[run]]
stage = "train"
epoch-s = 2

[[run]]
device = "core"
stage = "train"
epoch-s = 6
"#;
        let sample = Sample::of(&[("paper-2020", rows)]);
        let mut question = sample.versus("", &["device:nova", "device:core"]);
        question.wanted.quantities = vec![Quantity::Metric(Metric::ThroughputPerS)];
        let told = sample.conclude(&question);
        assert_eq!((number(&told.entries[0]), told.entries[0].n), (3.0, 1), "{}", told.text);
        assert!(told.text.starts_with("By throughput alone nothing can be paired"), "{}", told.text);
    }

    #[test]
    fn sides_that_are_read_as_one_are_told_as_that() {
        let sample = Sample::of(&[("paper-2020", "[[run]]\nthroughput-per-s = 5\n")]);
        let told = sample.conclude(&sample.question("device:nova", Intent::Comparison));
        assert!(
            told.text.starts_with("Both sides are read as one, so nothing is set against it: 1 row"),
            "{}",
            told.text
        );
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
