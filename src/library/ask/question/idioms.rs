//! Idioms that say more than a name: `best`, `batch 16`, `top 5`. Those of one idea (how many devices, versions, what frameworks
//! are) stand in files of their own.

use std::ops::Bound;

use super::bounds::{BoundInWords, comparator_behind, comparison, unit_at};
use super::clause::Clause;
use super::error::QueryError;
use super::filters::bounds_of;
use super::interpreter::Interpreter;
use super::order::Superlative;
use super::vocabulary::{Cue, DEVICE_NOUNS, KIND_NOUNS, MEASUREMENTS, Meaning, SUPERLATIVES, meaning_of, plain};
use crate::model::{Aspect, Facet, Field, Lookup as _, Name};
use crate::stores::resolve::{ProductName, suffix_of};
use crate::values::spelling::normalise;
use crate::values::{EntityKind, Unit};

/// What a turn of phrase means.
pub(super) enum Idiom {
    /// A condition.
    Clause(Clause),
    /// An order, which the metric of the question completes.
    Superlative(String, Superlative),
    /// What kind of thing is asked for.
    About(EntityKind),
    /// Nothing more: it has had its effect.
    Done,
}

/// Words in front of the size of a batch, and of the length of a sequence.
const BATCH: &[&str] = &["batch", "bs", "batchsize"];
const SEQUENCE: &[&str] = &["seq", "sequence", "seqlen"];

impl Interpreter<'_> {
    /// The turn of phrase that these words begin with, and how many of them it takes.
    ///
    /// `before` is the plain word in front of them.
    pub(super) fn idiom(&mut self, before: Option<&str>, words: &[&str]) -> Result<Option<(usize, Idiom)>, QueryError> {
        let Some(first) = words.first().map(|word| plain(word)) else {
            return Ok(None);
        };
        if let Some((taken, order)) = order_between(words) {
            return Ok(Some((taken, Idiom::Superlative(words[..taken].join(" "), order))));
        }
        if let Some(found) = self.several_servers(words, &first)? {
            return Ok(Some(found));
        }
        if let Some(found) = self.category_of_suite(words) {
            return Ok(Some(found));
        }
        if let Some(found) = self.measured_quantity(words) {
            return Ok(Some(found));
        }
        if let Some(found) = self.modality(words)? {
            return Ok(Some(found));
        }
        if let Some(found) = self.format_in_short(words)? {
            return Ok(Some(found));
        }
        if let Some(found) =
            self.stated_absence(words, &first, &words.get(1).map(|word| plain(word)).unwrap_or_default())?
        {
            return Ok(Some(found));
        }
        if let Some((taken, clause)) = self.numbered_series(words)? {
            return Ok(Some((taken, Idiom::Clause(clause))));
        }
        if self.rents_out_what_follows(words)? {
            return Ok(Some((1, Idiom::Done)));
        }
        if let Some((taken, clause)) = self.provider(words)? {
            return Ok(Some((taken, Idiom::Clause(clause))));
        }
        if let Some(taken) = self.bus_generation(before, words) {
            return Ok(Some((taken, Idiom::Done)));
        }
        if let Some((taken, clause)) = self.stated_by_rule(words, &first)? {
            return Ok(Some((taken, Idiom::Clause(clause))));
        }
        // `single stream` is the name of something else.
        if words.len() > 1 && !self.stores.database.exact(&normalise(&words[..2].concat()))?.is_empty() {
            return Ok(None);
        }
        // Nor is `m1 max`, whose first word stands before these.
        let joins = before.is_some_and(|before| !normalise(before).is_empty());
        if joins
            && !self.stores.database.exact(&normalise(&[before.unwrap_or_default(), words[0]].concat()))?.is_empty()
        {
            return Ok(None);
        }
        // Or as `m5 max` would be, beside an M4 Max.
        if let Some(before) = before.filter(|_| joins)
            && self.ends_alike(before, &first)?
        {
            return Ok(None);
        }
        let second = words.get(1).map(|word| plain(word)).unwrap_or_default();
        if let Some(found) = self.batch_size(before, words, &first)? {
            return Ok(Some(found));
        }
        if let Some((count, taken)) = size_after(words, SEQUENCE, "length") {
            return Ok(Some((taken, self.number_idiom(&words[..taken], Field::SequenceLength, count)?)));
        }
        if let Some(stated) = self.stated_value(words[0], &first)? {
            return Ok(Some((1, stated)));
        }
        if self.epochs(words) {
            return Ok(Some((1, Idiom::Done)));
        }
        // `all 12 grades`
        if first.parse::<u8>().is_ok()
            && matches!(meaning_of(&words[1..words.len().min(2)]), Some(Meaning::Cue(Cue::Grades)))
        {
            return Ok(Some((1, Idiom::Done)));
        }
        if let Some(found) = self.limit(words, &first, &second) {
            return Ok(Some(found));
        }
        if let (Ok(count), "threads" | "thread") = (first.parse::<i64>(), second.as_str()) {
            return Ok(Some((2, self.number_idiom(&words[..2], Field::Threads, count)?)));
        }
        if let Some(found) = self.counted_devices(words, &first, &second, before.is_none())? {
            return Ok(Some(found));
        }
        if let Some(found) = self.superlative_at(words, &first, &second) {
            return Ok(Some(found));
        }
        if let Some(found) = self.version(words, &first, &second)? {
            return Ok(Some(found));
        }
        if let Some(found) = self.memory(words, &first)? {
            return Ok(Some(found));
        }
        if matches!(second.as_str(), "backend" | "backends") {
            return self.backend(words);
        }
        if first == "tested" && matches!(second.as_str(), "on" | "with" | "for") {
            // What was run on a device is a row, and no test that a framework lists.
            return if self.asks_for_runs() { Ok(Some((2, Idiom::Done))) } else { self.tested(words) };
        }
        if let Some(found) = self.open_source(words, &first)? {
            return Ok(Some(found));
        }
        if let Some(found) = self.language(words, &first, &second)? {
            return Ok(Some(found));
        }
        let kind = KIND_NOUNS.iter().find(|(noun, _)| *noun == first);
        // `training numbers from sources other than mlperf`: the numbers are asked for.
        if kind.is_some_and(|(_, kind)| *kind == EntityKind::Source) && self.asks_for_numbers_from(&first) {
            return Ok(Some((1, Idiom::Done)));
        }
        Ok(kind.map(|(_, kind)| (1, Idiom::About(*kind))))
    }

    /// Whether a word stands behind the numbers of other products of a series: the `max` of `m5 max`, where there is an M4 Max.
    fn ends_alike(&self, before: &str, word: &str) -> Result<bool, QueryError> {
        let before = plain(before);
        let letters = before.trim_end_matches(|c: char| c.is_ascii_digit());
        let is_numbered =
            !letters.is_empty() && letters.len() < before.len() && letters.chars().all(char::is_alphabetic);
        if !is_numbered || suffix_of(word).is_none() {
            return Ok(false);
        }
        let is_alike = |name: &Name| {
            let number = name.normal.strip_prefix(letters).and_then(|rest| rest.strip_suffix(word));
            let is_number = |number: &str| !number.is_empty() && number.bytes().all(|byte| byte.is_ascii_digit());
            name.facet == Facet::Device && number.is_some_and(is_number)
        };
        Ok(self.stores.database.names_like(&format!("{letters}*{word}"))?.iter().any(is_alike))
    }

    /// `batch 16`, `bs16`, `b32`.
    fn batch_size(
        &mut self,
        before: Option<&str>,
        words: &[&str],
        first: &str,
    ) -> Result<Option<(usize, Idiom)>, QueryError> {
        // `batch between 32 and 128`
        if matches!(first, "batch" | "batches" | "batchsize" | "batch-size") {
            let lead =
                1 + words[1..].iter().take_while(|word| matches!(plain(word).as_str(), "size" | "sizes")).count();
            // `batch > 1`
            if let Some((taken, compared @ (BoundInWords::Range(..) | BoundInWords::Than(..)))) =
                comparison(&words[lead..], &unit_at)
                && let Some(bounds) = compared.bounds(Unit::Count).filter(|_| !compared.has_unit())
            {
                let taken = lead + taken;
                let clause = self.sized(&words[..taken].join(" "), Aspect::Field(Field::BatchSize), bounds)?;
                return Ok(clause.map(|clause| (taken, Idiom::Clause(clause))));
            }
        }
        if let Some((count, taken)) = size_after(words, BATCH, "size") {
            // `batch size 1 8 32`: the numbers are read together.
            // `batch 64, 8 gpus` has two ends.
            let is_number = |at: usize| words.get(at).is_some_and(|next| plain(next).parse::<i64>().is_ok());
            let is_counted = words.get(taken + 1).is_some_and(|noun| DEVICE_NOUNS.contains(&plain(noun).as_str()));
            let goes_on = is_number(taken) && !is_counted;
            if goes_on && let Some((more, Some(clause))) = self.numbers_along(&words[taken - 1..])? {
                return Ok(Some((taken - 1 + more, Idiom::Clause(clause))));
            }
            // `from batch 1 to batch 128`: what the batch changes is asked for, between the two.
            if words.get(taken).is_some_and(|word| matches!(plain(word).as_str(), "to" | "through" | "up"))
                && let Some((last, more)) = size_behind(&words[taken + 1..])
                && last > count
            {
                let taken = taken + 1 + more;
                let (text, axis) = (words[..taken].join(" "), Aspect::Field(Field::BatchSize));
                self.hints.along.push((text.clone(), axis));
                let bounds = (Bound::Included(count as f64), Bound::Included(last as f64));
                let clause = self.sized(&text, axis, bounds)?;
                return Ok(clause.map(|clause| (taken, Idiom::Clause(clause))));
            }
            if let Some((more, operator)) = comparator_behind(&words[taken..]) {
                let taken = taken + more;
                let bounds = bounds_of(operator, count as f64);
                let clause = self.sized(&words[..taken].join(" "), Aspect::Field(Field::BatchSize), bounds)?;
                return Ok(clause.map(|clause| (taken, Idiom::Clause(clause))));
            }
            return Ok(Some((taken, self.number_idiom(&words[..taken], Field::BatchSize, count)?)));
        }
        // `b32`, where nothing is called so; the `b0` of a name that is spelled amiss is none.
        let goes_on = before.is_some_and(|before| is_lettered(&plain(before)));
        let has_figure = before.is_some_and(|before| before.contains(|c: char| c.is_ascii_digit()));
        let is_size = |count: &i64| (*count > 8 || has_figure) && !goes_on;
        let count = first.strip_prefix('b').and_then(|digits| digits.parse::<i64>().ok()).filter(is_size);
        match count {
            Some(count)
                if self.stores.database.exact(&normalise(first))?.is_empty()
                    && !self.is_numbered_like_devices(first, count)? =>
            {
                Ok(Some((1, self.number_idiom(&words[..1], Field::BatchSize, count)?)))
            }
            _ => Ok(None),
        }
    }

    /// Whether a letter and a number that hardly counts a batch are called as devices are: the B100, where there are B200 and B300.
    fn is_numbered_like_devices(&self, word: &str, number: i64) -> Result<bool, QueryError> {
        /// Batches are multiples of so many.
        const OF_BATCHES: i64 = 8;
        let product = ProductName::of(word);
        let (Some(own), false) = (product.number.filter(|own| own.digits > 2), number % OF_BATCHES == 0) else {
            return Ok(false);
        };
        let is_alike = |name: &Name| {
            let other = ProductName::of(&name.normal);
            let digits = other.number.map(|number| number.digits);
            name.facet == Facet::Device && other.series == product.series && digits == Some(own.digits)
        };
        Ok(self.stores.database.beginning(&product.series.concat())?.iter().any(is_alike))
    }

    /// Whether numbers are asked for that are from what a noun names.
    fn asks_for_numbers_from(&self, noun: &str) -> bool {
        let words: Vec<String> = self.question.split_whitespace().map(plain).collect();
        let Some(at) = words.iter().position(|word| word == noun).filter(|at| *at > 1) else { return false };
        let are_numbers = |word: &String| {
            MEASUREMENTS.contains(&word.as_str()) || matches!(word.as_str(), "numbers" | "figures" | "values" | "times")
        };
        matches!(words[at - 1].as_str(), "from" | "by" | "in") && words[..at - 1].iter().any(are_numbers)
    }

    pub(super) fn number_idiom(&self, words: &[&str], field: Field, count: i64) -> Result<Idiom, QueryError> {
        let value = Bound::Included(count as f64);
        let filter = format!("{field}:{count}");
        let condition = self.within(field, (value, value))?;
        let text = words.join(" ");
        let text = text.trim_end_matches([',', ';', '?']);
        Ok(Idiom::Clause(Clause::of(text, field.key(), vec![count.to_string()], filter, condition)))
    }
}

/// Whether a word is a number behind the letter of a batch: the `b0` in front of the `b1` of `efficientnet b0 b1`.
fn is_lettered(word: &str) -> bool {
    let digits = word.strip_prefix('b').unwrap_or_default();
    !digits.is_empty() && digits.bytes().all(|byte| byte.is_ascii_digit())
}

/// `from slow to fast`, `fastest to slowest`: how many words say in which way an order runs, and which.
fn order_between(words: &[&str]) -> Option<(usize, Superlative)> {
    let word = |at: usize| words.get(at).map(|word| plain(word)).unwrap_or_default();
    let from = usize::from(word(0) == "from");
    let is_between = matches!(word(from + 1).as_str(), "to" | "->" | "→");
    let (first, last) = (word(from), word(from + 2));
    let is_slow = |word: &str| matches!(word, "slow" | "slowest");
    let is_fast = |word: &str| matches!(word, "fast" | "fastest" | "quick" | "quickest");
    match is_between {
        true if is_slow(&first) && is_fast(&last) => Some((from + 3, Superlative::Worst)),
        true if is_fast(&first) && is_slow(&last) => Some((from + 3, Superlative::Best)),
        true if first == "newest" && last == "oldest" => Some((from + 3, Superlative::Most)),
        true if first == "oldest" && last == "newest" => Some((from + 3, Superlative::Least)),
        true => {
            // `cheapest to most expensive`
            let order = |word: &str| SUPERLATIVES.iter().find(|(name, _)| *name == word).map(|(_, order)| *order);
            let behind = order(&last)?;
            order(&first).filter(|order| *order != behind).map(|order| (from + 3, order))
        }
        _ => None,
    }
}

/// Whether words begin with the size of a batch or a sequence: `batch 16`.
pub(super) fn states_size(words: &[&str]) -> bool {
    !words.is_empty() && (size_after(words, BATCH, "size").is_some() || size_after(words, SEQUENCE, "length").is_some())
}

/// `batch 16`, `batch size 16`, `batch size of 16`, `bs16`: the number, and how many words say it.
fn size_after(words: &[&str], names: &[&str], second: &str) -> Option<(i64, usize)> {
    let first = words[0].to_lowercase().replace(['-', '_'], "");
    for name in names {
        let whole = format!("{name}{second}");
        let Some(rest) = first.strip_prefix(&whole).or_else(|| first.strip_prefix(name)) else { continue };
        if let Ok(count) = plain(rest).parse() {
            return Some((count, 1));
        }
        if rest.is_empty() {
            let skipped = words[1..].iter().take_while(|word| word.to_lowercase() == second || **word == "of").count();
            let count = plain(words.get(1 + skipped)?).parse().ok()?;
            return Some((count, 2 + skipped));
        }
    }
    None
}

/// The batch that words behind a `to` end with, and how many they are: `batch 128`, `to 128`.
fn size_behind(words: &[&str]) -> Option<(i64, usize)> {
    let lead = usize::from(words.first().is_some_and(|word| plain(word) == "to"));
    let rest: Vec<String> = words.get(lead..)?.iter().take(4).map(|word| plain(word)).collect();
    let rest: Vec<&str> = rest.iter().map(String::as_str).collect();
    let first = rest.first()?;
    let named = size_after(&rest, &["batch", "bs", "batchsize"], "size");
    let (count, taken) = named.or_else(|| Some((first.parse().ok()?, 1)))?;
    Some((count, lead + taken))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_way_of_an_order_is_read_between_its_ends() {
        for (question, expected) in [
            ("from slow to fast", Some((4, Superlative::Worst))),
            ("slowest to fastest, any", Some((3, Superlative::Worst))),
            ("fastest to slowest", Some((3, Superlative::Best))),
            ("from T4 to A100", None),
            ("slow", None),
        ] {
            let words: Vec<&str> = question.split(' ').collect();
            assert_eq!(order_between(&words), expected, "{question}");
        }
    }

    #[test]
    fn sizes_are_read_in_every_usual_form() {
        for (words, expected) in [
            (&["batch", "16"][..], Some((16, 2))),
            (&["batch", "size", "of", "16", "v100"], Some((16, 4))),
            (&["bs16"], Some((16, 1))),
            (&["batch-size", "8"], Some((8, 2))),
            (&["batch", "64,", "int8"], Some((64, 2))),
            (&["bs64?"], Some((64, 1))),
            (&["batch", "norm"], None),
            (&["batch"], None),
            (&["bsd", "16"], None),
        ] {
            assert_eq!(size_after(words, &["batch", "bs", "batchsize"], "size"), expected, "{words:?}");
        }
    }
}
