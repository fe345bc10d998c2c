//! Limits that a negation turns round: `not older than 2018`, `no pods bigger than 64 chips`, `with no more than 16 GB`, `not batch 1`.

use std::ops::Bound;

use super::comparators::comparator;
use super::comparison::comparison;
use super::further_bounds::bounded;
use super::limiting_words::lead;
use super::stated_sizes::named;
use super::units::unit_at;
use crate::ask::question::clause::{Clause, negated};
use crate::ask::question::error::QueryError;
use crate::ask::question::filters::Bounds;
use crate::ask::question::idioms::Idiom;
use crate::ask::question::interpreter::Interpreter;
use crate::ask::question::nouns::{is_noun, is_noun_of_systems};
use crate::ask::question::question::DerivedLimit;
use crate::ask::question::sentence::Sentence;
use crate::ask::question::vocabulary::{DEVICE_NOUNS, Meaning, plain, plain_words};
use crate::ask::question::years::{year_of, years};
use crate::model::{Aspect, Facet};
use crate::stores::index::Condition;

/// More words than this do not stand between a negation and the limit that it is of.
const MOST_BETWEEN: usize = 4;

/// Words between what is limited and its limit: `no cards with more than 300 W`.
const BETWEEN: &[&str] = &[
    "with", "of", "on", "at", "that", "which", "have", "has", "having", "are", "is", "ran", "ones", "runs", "rows",
    "any", "a",
];

/// What devices stand in.
const SYSTEMS: &[&str] =
    &["server", "servers", "node", "nodes", "machine", "machines", "box", "boxes", "slice", "slices"];

/// Words in front of a year that say on which side of it.
const OF_YEARS: &[&str] = &["before", "after", "since", "until", "till", "prior", "pre", "post"];

/// Words for a batch, behind which its size stands.
const OF_BATCHES: &[&str] = &["batch", "batches", "bs", "batchsize", "batch-size", "batch-sizes"];

impl Interpreter<'_> {
    /// The limit behind the negation that these words begin with, as their longest phrase says, turned round, and how many words say
    /// it; no clause where rows cannot be held against it.
    pub(in crate::ask::question) fn turned_round(
        &mut self,
        words: &[&str],
        phrase: Option<(usize, Meaning)>,
        sentence: &Sentence<'_>,
    ) -> Result<Option<(usize, Option<Clause>)>, QueryError> {
        let Some((negation, Meaning::Without)) = phrase else { return Ok(None) };
        // A sign ends what is denied.
        if words[negation - 1].ends_with([',', ';']) {
            return Ok(None);
        }
        for between in 0..=MOST_BETWEEN {
            let at = negation + between;
            let Some(rest) = words.get(at..).filter(|rest| !rest.is_empty()) else { break };
            if let Some((taken, clause)) = self.denied_limit(&words[..at], rest, sentence)? {
                return Ok(Some((at + taken, clause)));
            }
            let goes_on = is_limited(rest[0]) || BETWEEN.contains(&plain(rest[0]).as_str());
            if !goes_on || rest[0].ends_with([',', ';']) {
                break;
            }
        }
        Ok(None)
    }

    /// The limit that words begin with as what it leaves where it does not hold.
    fn denied_limit(
        &mut self,
        denied: &[&str],
        words: &[&str],
        sentence: &Sentence<'_>,
    ) -> Result<Option<(usize, Option<Clause>)>, QueryError> {
        let text = |taken: usize| format!("{} {}", denied.join(" "), words[..taken].join(" "));
        if !begins_limit(words) {
            let of_batch = OF_BATCHES.contains(&plain(words[0]).as_str());
            let is_number = words[0].starts_with(|c: char| c.is_ascii_digit());
            if !of_batch && !is_number || is_number && self.names_product(&words[..1])? {
                return Ok(None);
            }
            let Some((taken, Idiom::Clause(clause))) = self.idiom(None, words)? else { return Ok(None) };
            // `not 8x V100`: so many of a device are excluded together with it.
            let counts_device = self.begins_with_device(words.get(taken..).unwrap_or_default())?;
            let is_number = clause.plain_kind().and_then(bounded).is_some();
            if !is_number || counts_device && !words.get(taken).is_some_and(|word| is_limited(word)) {
                return Ok(None);
            }
            return self.opposite_of(clause, &text(taken)).map(|clause| Some((taken, Some(clause))));
        }
        let (limits, beyond) = (self.hints.limits.len(), self.hints.beyond.is_some());
        let Some((taken, clause)) = self.stated_number(words, sentence)? else { return Ok(None) };
        let text = text(taken);
        self.heard.push(text.clone());
        match clause {
            Some(clause) => {
                let dated = self.hints.dated.iter_mut().find(|dated| **dated == clause.text);
                if let Some(dated) = dated {
                    dated.clone_from(&text);
                }
                return self.opposite_of(clause, &text).map(|clause| Some((taken, Some(clause))));
            }
            None if self.hints.limits.len() > limits => {
                if let Some(DerivedLimit { text: of, bounds, .. }) = self.hints.limits.last_mut() {
                    *of = text;
                    *bounds = turned(*bounds).unwrap_or(*bounds);
                }
            }
            None if self.hints.beyond.is_some() && !beyond => {
                if let Some(beyond) = &mut self.hints.beyond {
                    beyond.is_faster = !beyond.is_faster;
                }
            }
            // What could be held against nothing is told as it was asked.
            None => {
                let limit = plain_words(&words[..taken].join(" "));
                self.ignored.retain(|ignored| *ignored != limit);
                self.leave_out(&text);
            }
        }
        Ok(Some((taken, None)))
    }

    /// What a limit leaves out, of what states the number; the words are all that say it.
    fn opposite_of(&mut self, clause: Clause, text: &str) -> Result<Clause, QueryError> {
        if let Condition::Facet(Facet::Year, _) = &clause.condition
            && let Some(years) = opposite_years(&clause.equivalent)
        {
            let readings = years.readings.into_iter();
            let readings = readings.map(|mut reading| {
                text.clone_into(&mut reading.read_as.text);
                reading
            });
            return Ok(Clause { text: text.to_owned(), readings: readings.collect(), ..years });
        }
        let value = clause.readings.first().and_then(|reading| reading.read_as.values.last().cloned());
        let aspect = clause.plain_kind().and_then(bounded).filter(|aspect| !matches!(aspect, Aspect::Derived(_)));
        if let (Some(aspect), Some(bounds)) = (aspect, value.as_deref().and_then(bounds_in).and_then(turned))
            && let Some(opposite) = self.sized(text, aspect, bounds)?
        {
            return Ok(opposite);
        }
        Ok(negated(clause))
    }
}

/// Whether words begin with a limit.
fn begins_limit(words: &[&str]) -> bool {
    let of_year = OF_YEARS.contains(&plain(words[0]).as_str())
        && words[1..].iter().take(2).any(|word| year_of(&plain(word)).is_some());
    let of_age = matches!(plain(words[0]).as_str(), "newer" | "older" | "later" | "earlier" | "younger");
    let is_range = plain(words[0]) == "between" && comparison(words, &unit_at).is_some();
    // `latency above 10 ms`
    let of_quantity =
        || named(words).is_some_and(|(taken, _)| words.get(taken..).is_some_and(|rest| comparator(rest).is_some()));
    is_range || comparator(words).is_some() || lead(words, None).is_some() || of_year || of_age || of_quantity()
}

/// Whether a word names what a limit is of: `no pods bigger than`.
fn is_limited(word: &str) -> bool {
    let word = plain(word);
    SYSTEMS.contains(&word.as_str())
        || is_noun(&word)
        || is_noun_of_systems(&word)
        || DEVICE_NOUNS.contains(&word.as_str())
}

/// The years that are left where others are not: those from 2018 on of what is not before 2018.
fn opposite_years(filter: &str) -> Option<Clause> {
    let bound = filter.strip_prefix(Facet::Year.key())?;
    let in_words = [("<=", "after"), (">=", "before"), ("<", "since"), (">", "until")];
    let (year, front) = in_words.iter().find_map(|(sign, front)| Some((bound.strip_prefix(sign)?, *front)))?;
    years(&[front, year]).map(|(_, clause)| clause)
}

/// Bounds as a filter writes them: `>64`.
fn bounds_in(value: &str) -> Option<Bounds> {
    let number = |sign: &str| value.strip_prefix(sign)?.parse::<f64>().ok();
    let low = number(">=").map(Bound::Included).or_else(|| number(">").map(Bound::Excluded));
    let high = number("<=").map(Bound::Included).or_else(|| number("<").map(Bound::Excluded));
    match (low, high) {
        (Some(low), None) => Some((low, Bound::Unbounded)),
        (None, Some(high)) => Some((Bound::Unbounded, high)),
        _ => None,
    }
}

/// What bounds on one side leave out.
fn turned(bounds: Bounds) -> Option<Bounds> {
    match bounds {
        (Bound::Unbounded, Bound::Included(high)) => Some((Bound::Excluded(high), Bound::Unbounded)),
        (Bound::Unbounded, Bound::Excluded(high)) => Some((Bound::Included(high), Bound::Unbounded)),
        (Bound::Included(low), Bound::Unbounded) => Some((Bound::Unbounded, Bound::Excluded(low))),
        (Bound::Excluded(low), Bound::Unbounded) => Some((Bound::Unbounded, Bound::Included(low))),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use crate::ask::question::understand;
    use crate::stores::sample::Sample;

    const ROWS: &str = r#"
[[table]]
columns = ["device", "batch-size", "device-count", "latency-ms"]
rows = [["nova", 1, 1, 2], ["nova", 8, 1, 10], ["core", 16, 4, 20], ["core", 64, 8, 80]]
"#;

    #[test]
    fn a_limit_is_turned_round_by_the_negation_in_front_of_it() {
        let sample = Sample::without("batch-size = 16\n", &[("paper-2020", ROWS)]);
        for (question, filter, ignored) in [
            ("deepnet-50 no more than 4 gpus", "device-count<=4", &[][..]),
            ("deepnet-50, no systems bigger than 4 gpus", "device-count<=4", &[]),
            ("deepnet-50, no servers bigger than 4 gpus", "device-count<=4", &[]),
            ("deepnet-50, none with more than 4 gpus", "device-count<=4", &[]),
            ("deepnet-50 on nothing with more than 4 devices", "device-count<=4", &[]),
            ("deepnet-50 not batch 1", "-batch-size:1", &[]),
            ("deepnet-50 with no batch larger than 16", "batch-size<=16", &[]),
            ("deepnet-50 batch not above 16", "batch-size<=16", &[]),
            ("gpus with no more than 16 GB", "memory<=16", &[]),
            ("no cards with more than 300 W, deepnet-50", "tdp<=300", &[]),
            ("deepnet-50 without latency above 10 ms", "latency-ms<=10", &[]),
            ("deepnet-50 not faster than 10 ms", "latency-ms>=10", &[]),
            ("deepnet-50 not before 2018", "year>=2018", &[]),
            ("deepnet-50 not older than 2018", "year>=2018", &[]),
            ("deepnet-50 on nova, not under 16 zonks", "", &["not under 16"]),
        ] {
            let read = understand(question, &sample.stores).unwrap();
            let read_as: Vec<&str> =
                read.clauses.iter().flat_map(|clause| &clause.readings).map(|one| one.equivalent.as_str()).collect();
            assert!(filter.is_empty() || read_as.contains(&filter), "{question}: {read_as:?}, {:?}", read.ignored);
            assert!(
                ignored.iter().all(|words| read.ignored.iter().any(|one| one == words)),
                "{question}: {:?}",
                read.ignored
            );
        }
    }
}
