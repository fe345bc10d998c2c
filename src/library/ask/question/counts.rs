//! Numbers of devices and of parameters in words: `1 to 8 GPUs`, `1 2 4 8 gpus`, `7b`.

use std::ops::Bound;

use super::bounds::{Ends, Written, ends};
use super::clause::{Clause, filter_text};
use super::device_counts::LARGEST_SYSTEM;
use super::error::QueryError;
use super::interpreter::Interpreter;
use super::vocabulary::{DEVICE_NOUNS, plain};
use crate::model::{Aspect, Facet, Fact, FactValue, Field};
use crate::stores::index::Condition;
use crate::values::billions_said;

/// Words of an axis along which a question lists numbers: `resolution 128 160 192 224`.
const LISTED_ALONG: &[(&[&str], Field)] = &[
    (&["batch", "batches", "batchsize", "bs"], Field::BatchSize),
    (&["sequence", "sequences", "seq", "context", "tokens"], Field::SequenceLength),
    (&["thread", "threads"], Field::Threads),
    // A layer is divided among so many devices.
    (&["parallel", "parallelism", "tensor-parallel"], Field::DeviceCount),
    (
        &["resolution", "resolutions", "pixel", "pixels", "px", "input", "inputs", "image", "size", "sizes"],
        Field::InputShape,
    ),
];

/// The largest number of devices in front of a device's name: `3080 3090 titan` are three names.
const MOST_BEFORE_A_NAME: i64 = 512;

/// More numbers than this nobody lists.
const MOST_LISTED: usize = 32;

impl Interpreter<'_> {
    /// `1 to 8 GPUs`, `1 2 4 8 gpus`, `1 to 8 A100`: numbers of devices; the noun or the name is left to be read.
    pub(super) fn counts(&mut self, words: &[&str]) -> Result<Option<(usize, Clause)>, QueryError> {
        let is_noun = |at: usize| words.get(at).is_some_and(|word| DEVICE_NOUNS.contains(&plain(word).as_str()));
        let field = Field::DeviceCount;
        if let Some(Ends { low, high, taken, written }) = ends(words, &count_at).or_else(|| facing(words))
            && low < high
            && written != Written::Between
            && (is_noun(taken)
                || counts_before_a_name(high) && self.begins_with_device(words.get(taken..).unwrap_or_default())?)
        {
            let condition = self.within(field, (Bound::Included(low as f64), Bound::Included(high as f64)))?;
            let text = words[..taken].join(" ");
            let filter = format!("{field}:{low}..{high}");
            self.hints.along.push((text.clone(), Aspect::Field(field)));
            return Ok(Some((
                taken,
                Clause::of(&text, field.key(), vec![format!("{low}..{high}")], filter, condition),
            )));
        }
        let listed = listed_numbers(words, 100_000);
        let are_small = listed.numbers.iter().all(|count| *count <= MOST_BEFORE_A_NAME);
        let behind = words.get(listed.taken..).unwrap_or_default();
        let is_followed = is_noun(listed.taken) || are_small && self.begins_with_device(behind)?;
        if listed.numbers.len() < 2 || !is_followed || self.names_product(&words[..listed.taken])? {
            return Ok(None);
        }
        let text = words[..listed.taken].join(" ");
        // `2 or 4 gpus` are either of the two.
        if !listed.are_alternatives {
            self.hints.along.push((text.clone(), Aspect::Field(field)));
        }
        Ok(Some((listed.taken, self.any_count(&text, field, &listed.numbers)?)))
    }

    /// `batch size 1 8 32`, `128 160 192 224 input resolution`: several numbers are places on the axis that the question names, and
    /// none of them alone is a condition.
    pub(super) fn numbers_along(&mut self, words: &[&str]) -> Result<Option<(usize, Option<Clause>)>, QueryError> {
        let Listed { numbers, taken, .. } = two_ends(words).unwrap_or_else(|| listed_numbers(words, 1_000_000));
        if numbers.len() < 2 || self.names_product(&words[..taken])? {
            return Ok(None);
        }
        let question: Vec<String> = self.question.split_whitespace().map(plain).collect();
        let is_named = |names: &&[&str]| question.iter().any(|word| names.contains(&word.as_str()));
        let Some((_, field)) = LISTED_ALONG.iter().find(|(names, _)| is_named(names)) else { return Ok(None) };
        let is_range = words.get(1).is_some_and(|word| plain(word) == "to");
        if is_range && !matches!(field, Field::InputShape | Field::SequenceLength) {
            return Ok(None);
        }
        let text = words[..taken].join(" ");
        self.hints.along.push((text.clone(), Aspect::Field(*field)));
        let clause = match field {
            Field::InputShape => self.of_sides(&text, &numbers)?,
            field => Some(self.any_count(&text, *field, &numbers)?),
        };
        // `224 vs 300 pixels`
        let noun = words.get(taken).filter(|word| matches!(plain(word).as_str(), "pixels" | "pixel" | "px"));
        self.heard.extend(noun.map(|noun| (*noun).to_owned()));
        Ok(Some((taken + usize::from(noun.is_some()), clause)))
    }

    /// One of several counts.
    pub(super) fn any_count(&self, text: &str, field: Field, counts: &[i64]) -> Result<Clause, QueryError> {
        let mut any = Vec::new();
        for count in counts {
            let bound = Bound::Included(*count as f64);
            any.push(self.within(field, (bound, bound))?);
        }
        let values: Vec<String> = counts.iter().map(i64::to_string).collect();
        let filter = format!("{field}:{}", values.join(","));
        Ok(Clause::of(text, field.key(), values, filter, Condition::Any(any)))
    }

    /// `7b`, `70B`: networks with about as many parameters, as language models are called by.
    pub(super) fn parameters(&mut self, words: &[&str]) -> Result<Option<(usize, Clause)>, QueryError> {
        let Some(word) = words.first().map(|word| plain(word)) else { return Ok(None) };
        let billions = billions_said(&word).and_then(|number| number.parse::<f64>().ok());
        let Some(millions) = billions.filter(|billions| (0.1..2000.0).contains(billions)).map(|b| b * 1000.0) else {
            return Ok(None);
        };
        // Llama 2 7B has 6.74 billion, Llama 3 8B 8.03.
        let (low, high) = ((millions * 0.93).round(), (millions * 1.07).round());
        let fact = Fact::Parameters;
        let mut ids = self.stores.database.entities_with(fact.kind(), fact.key(), |value| match value {
            FactValue::Number(number) => (low..=high).contains(number),
            FactValue::Word(_) => false,
        })?;
        // What is called so need not state it.
        let called = self.stores.database.ids(fact.kind())?;
        ids.extend(called.into_iter().filter(|id| id.split('-').any(|part| part == word)));
        if ids.is_empty() {
            return Ok(None);
        }
        let ids: Vec<String> = ids.into_iter().collect();
        let (read_as, ids) = self.expanded(words[0], Facet::Network, ids, "exact")?;
        let condition = Condition::Facet(Facet::Network, ids.clone());
        let filter = filter_text(Facet::Network, &ids);
        Ok(Some((1, Clause::of(words[0], fact.key(), read_as.values, filter, condition))))
    }
}

/// Whole numbers that are listed one behind the other.
struct Listed {
    numbers: Vec<i64>,
    /// How many words list them.
    taken: usize,
    /// Whether an `or` joins them, and nothing else.
    are_alternatives: bool,
}

/// The numbers below a limit that words begin with: `1 2 4 8`, `1, 2 and 4`, `2 or 4`.
fn listed_numbers(words: &[&str], limit: i64) -> Listed {
    let number = |word: &&str| {
        plain(word).parse::<i64>().ok().filter(|number| (1..limit).contains(number) && !word.starts_with('+'))
    };
    let mut listed = Listed { numbers: Vec::new(), taken: 0, are_alternatives: false };
    while listed.numbers.len() < MOST_LISTED {
        let joint = words.get(listed.taken).map(|word| plain(word)).filter(|_| !listed.numbers.is_empty());
        let is_or = matches!(joint.as_deref(), Some("or" | "/"));
        let is_joint = |word: &str| matches!(word, "and" | "&" | "vs" | "versus" | "against" | "→" | "->" | "then");
        let between = usize::from(is_or || joint.as_deref().is_some_and(is_joint));
        let Some(next) = words.get(listed.taken + between).and_then(number) else { break };
        listed.are_alternatives |= is_or;
        listed.numbers.push(next);
        listed.taken += between + 1;
    }
    listed
}

/// `(224 to 448)`: from one size to another.
fn two_ends(words: &[&str]) -> Option<Listed> {
    let [low, link, high, ..] = words else { return None };
    let (low, high) = (count_at(&[low])?.1, count_at(&[high])?.1);
    (plain(link) == "to").then(|| Listed { numbers: vec![low, high], taken: 3, are_alternatives: false })
}

/// `2 vs 8`: the one over the other.
fn facing(words: &[&str]) -> Option<Ends<i64>> {
    let [low, link, high, ..] = words else { return None };
    let (_, low) = count_at(&[low])?;
    let (_, high) = count_at(&[high]).filter(|_| matches!(plain(link).as_str(), "vs" | "versus" | "against"))?;
    Some(Ends { low, high, taken: 3, written: Written::Bare })
}

/// Whether a number in front of a device's name may count devices: larger systems are made of powers of two.
fn counts_before_a_name(number: i64) -> bool {
    number <= MOST_BEFORE_A_NAME || number <= LARGEST_SYSTEM && number.count_ones() == 1
}

/// A whole number that may count something.
fn count_at(words: &[&str]) -> Option<(usize, i64)> {
    let count = plain(words.first()?).parse::<i64>().ok().filter(|count| (1..100_000).contains(count))?;
    Some((1, count))
}
