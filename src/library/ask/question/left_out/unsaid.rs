//! Words of a question of which nothing was made. A question is answered as it was asked, or it is told in the first line what of
//! it the answer does not heed: so each word with a meaning of its own shows up in a reading, took effect otherwise, or is left
//! out aloud.

use std::collections::BTreeSet;

use crate::ask::question::asked::OF_AGE;
use crate::ask::question::candidates::USED;
use crate::ask::question::clause::Clause;
use crate::ask::question::comparative_words::is_comparative;
use crate::ask::question::facing::kind_of;
use crate::ask::question::intent::Intent;
use crate::ask::question::interpreter::Interpreter;
use crate::ask::question::nouns::is_noun;
use crate::ask::question::question::{Quantity, Wanted};
use crate::ask::question::vocabulary::{
    COUNTS, KIND_NOUNS, MEASUREMENTS, Meaning, OF_REACHING, OF_SHARES, SUPERLATIVES, is_of_change, is_qualifier,
    meaning_of, plain,
};
use crate::model::{Aspect, Derived, Facet, Fact, Field, Metric};
use crate::rows::Note;
use crate::values::Unit;
use crate::values::spelling::normalise;

/// Words that stand for instances and what they cost.
const OF_CLOUD: &[&str] = &["cloud", "online"];

/// Words for grades and how they are judged.
const OF_GRADES: &[&str] = &["high", "low", "higher", "lower", "bad", "poor", "table", "column"];

/// What a number may be told for, of which nothing is made by itself.
const OF_SHARING: &[&str] =
    &["batch", "instance", "machine", "server", "system", "chip", "board", "model", "layer", "user", "setup", "rig"];

/// Words for what computes at full rate.
const QUICK: &[&str] = &["fast", "quick"];

impl Interpreter<'_> {
    /// Leaves out the words that show up nowhere.
    pub(in crate::ask::question) fn leave_out_unsaid(&mut self, clauses: &[Clause], wanted: &Wanted) {
        // Which of the sides is newer is told by when they came out.
        if wanted.sides.len() > 1 && wanted.quantities.contains(&Quantity::Fact(Fact::Released)) {
            self.ignored.retain(|word| !OF_AGE.contains(&word.as_str()));
        }
        // The grade that is told says whether it is that.
        if wanted.intent == Intent::Grade {
            self.ignored.retain(|word| !matches!(word.as_str(), "moderate" | "medium"));
            self.heard.extend(["moderate", "medium"].map(str::to_owned));
        }
        let said = self.said(clauses, wanted);
        let words = std::mem::take(&mut self.words_read);
        let is_said = |word: &str| said.contains(&normalise(&plain(word)));
        for pair in words.windows(2).filter(|pair| plain(&pair[0]) == "per" && !is_said(&pair[1])) {
            // `per instance`: what a number is told for changes it. Times belong to the unit of a rate.
            if OF_SHARING.contains(&plain(&pair[1]).as_str()) {
                self.leave_out(&pair.join(" "));
            }
        }
        for word in words {
            let normal = normalise(&plain(&word));
            if !normal.is_empty() && !said.contains(&normal) && self.says_something(&plain(&word), clauses, wanted) {
                self.leave_out(&word);
            }
        }
    }

    /// Notes the words of conditions, which may be taken back where something else is made of them.
    pub(in crate::ask::question) fn note_heard(&mut self, clauses: &[Clause]) {
        self.heard.extend(clauses.iter().flat_map(texts_of));
    }

    /// All words that show up in how the question was read.
    fn said(&self, clauses: &[Clause], wanted: &Wanted) -> BTreeSet<String> {
        let mut texts: Vec<String> = self.heard.clone();
        texts.extend(clauses.iter().chain(&wanted.each_of).chain(&wanted.none_of).flat_map(texts_of));
        texts.extend(self.asides.iter().map(|aside| aside.text.clone()));
        texts.extend(self.ignored.iter().chain(&self.unknown_names).cloned());
        texts.extend(self.about.iter().map(|(text, _)| text.clone()));
        let hints = &self.hints;
        texts.extend(hints.turns.iter().map(|(text, _)| text.clone()));
        texts.extend(hints.along.iter().map(|(text, _)| text.clone()));
        texts.extend(hints.mentions.iter().map(|mention| mention.text.clone()));
        texts.extend(wanted.limits.iter().map(|limit| limit.text.clone()));
        // What is best is asked of what has an order.
        let is_ordered = match wanted.intent {
            Intent::Lookup | Intent::Fact | Intent::Overview => false,
            // How much was measured is one order, whose two ends are told.
            Intent::List => !wanted.most_measured || self.superlative.iter().all(|(text, _)| plain(text) == "fewest"),
            _ => true,
        };
        texts.extend(self.superlative.iter().filter(|_| is_ordered).map(|(text, _)| text.clone()));
        // `top 10 cheapest`: how many is said by the one, and by what by the other.
        let is_count =
            |text: &str| self.limit.is_some() && matches!(plain(text).split(' ').next(), Some("top" | "bottom"));
        let counted = hints.superlatives.iter().filter(|one| !wanted.orders.is_empty() || is_count(&one.text));
        texts.extend(counted.map(|one| one.text.clone()));
        for note in &self.notes {
            match note {
                Note::Fuzzy { text, taken_for } => texts.extend([text.clone(), taken_for.clone()]),
                Note::Plural { text, one, .. } => texts.extend([text.clone(), one.clone()]),
                Note::InsideOfLabels { text } | Note::NoneOfYear { year: text } => texts.push(text.clone()),
                Note::NotKept { text, .. } | Note::StatesNone { text } | Note::NewestOf { text, .. } => {
                    texts.push(text.clone());
                }
                Note::AnyOf { values } => texts.extend(values.iter().cloned()),
                _ => {}
            }
        }
        let words = texts.iter().flat_map(|text| text.split_whitespace());
        // A minus in front of what is excluded is no part of the word.
        words.map(|word| normalise(&plain(word.trim_start_matches('-')))).collect()
    }

    /// Whether a word says something that the answer might have heeded.
    fn says_something(&self, word: &str, clauses: &[Clause], wanted: &Wanted) -> bool {
        let is_known = || {
            is_noun(word)
                || KIND_NOUNS.iter().any(|(noun, _)| *noun == word)
                || COUNTS.iter().any(|(count, _)| *count == word)
        };
        // What share of a peak is reached is read from these words.
        let of_share = wanted.quantities.contains(&Quantity::Derived(Derived::PeakFraction))
            && (OF_SHARES.contains(&word) || OF_REACHING.contains(&word));
        let is_relation =
            || matches!(wanted.intent, Intent::Relation | Intent::Comparison | Intent::Ranking | Intent::Grade);
        match meaning_of(&[word]) {
            Some(Meaning::Nothing) if is_of_change(word) => !is_relation() && wanted.unkept.is_none(),
            Some(Meaning::Nothing) if is_qualifier(word) => !self.is_heeded(word, clauses, wanted),
            Some(_) => false,
            None if of_share => false,
            // `which of the two is faster`
            None if let Some((_, count)) = COUNTS.iter().find(|(name, count)| *name == word && *count > 1) => {
                let is_number = |of: usize| i64::try_from(of).is_ok_and(|of| of == *count);
                let of_named = clauses.iter().any(|clause| is_number(clause.sides.len().max(clause.readings.len())));
                !of_named && !self.limit.is_some_and(is_number)
            }
            None if OF_AGE.contains(&word) && wanted.quantities.contains(&Quantity::Fact(Fact::Released)) => false,
            // What rows have was run.
            None if USED.contains(&word) && matches!(wanted.candidates, Some(Aspect::Field(_))) => false,
            // What has no rows of something is listed by that.
            _ if MEASUREMENTS.contains(&word) && (wanted.unmeasured || !wanted.none_of.is_empty()) => false,
            None => SUPERLATIVES.iter().any(|(name, _)| *name == word) || !is_known(),
        }
    }

    /// Whether what a word narrows is narrowed by what else the question was read as.
    fn is_heeded(&self, word: &str, clauses: &[Clause], wanted: &Wanted) -> bool {
        let of_price = |quantity: &Quantity| {
            matches!(
                quantity,
                Quantity::Fact(Fact::Price | Fact::LaunchPrice)
                    | Quantity::Metric(Metric::CostUsd)
                    | Quantity::Derived(Derived::ItemsPerDollar)
            )
        };
        match word {
            word if OF_CLOUD.contains(&word) => {
                wanted.quantities.iter().any(of_price)
                    || self.hints.nouns.iter().any(|noun| noun.aspect == Aspect::Field(Field::Instance))
                    || clauses.iter().any(|clause| kind_of(clause) == Facet::Instance.key())
            }
            // What is compared over several pairs is told by their geometric mean.
            "geometric" | "geomean" => matches!(wanted.intent, Intent::Comparison | Intent::Relation),
            word if QUICK.contains(&word) => wanted.is_quick && wanted.yes_or_no,
            // What is set against each other is alike in all else.
            "same" => wanted.sides.len() > 1 || !matches!(wanted.intent, Intent::Lookup | Intent::List),
            "minute" | "minutes" | "hour" | "hours" => {
                wanted.quantities.iter().any(|one| of_price(one) || is_time(one))
            }
            // Each grade is told with what a high one means.
            word if OF_GRADES.contains(&word) && wanted.intent == Intent::Grade => true,
            word if is_comparative(word) => {
                self.hints.has_link || self.hints.opposed || !matches!(wanted.intent, Intent::Lookup | Intent::List)
            }
            _ => false,
        }
    }
}

/// Whether a quantity is a time.
fn is_time(quantity: &Quantity) -> bool {
    matches!(quantity, Quantity::Metric(metric) if matches!(metric.unit(), Unit::Seconds | Unit::Milliseconds))
}

/// The words of a clause, of all its readings and sides.
fn texts_of(clause: &Clause) -> Vec<String> {
    let readings = clause.readings.iter().map(|reading| reading.read_as.text.clone());
    let mut texts: Vec<String> = [clause.text.clone()].into_iter().chain(readings).collect();
    texts.extend(clause.sides.iter().flat_map(texts_of));
    texts
}

#[cfg(test)]
mod tests {
    use std::sync::{LazyLock, Mutex, PoisonError};

    use proptest::prelude::*;

    use super::*;
    use crate::ask::question::understand;
    use crate::stores::sample::{Sample, TWO_LATENCIES};

    #[test]
    fn what_narrows_a_question_is_heeded_or_told() {
        let sample = Sample::of(&[("paper-2020", TWO_LATENCIES)]);
        for (question, ignored) in [
            ("energy of deepnet-50 on nova per instance", &["per instance"][..]),
            ("images per second of deepnet-50 on nova", &[]),
            ("latency of deepnet-50 on nova", &[][..]),
            ("fast deepnet-50 on nova", &["fast"]),
            ("how fast is deepnet-50 on nova", &[]),
            ("does nova have fast fp16", &[]),
            ("cloud latency of nova", &["cloud"]),
            ("is the latency of nova lower than that of core", &[]),
            ("please show me the results of nova", &[]),
            ("which is newer, nova or core", &[]),
        ] {
            assert_eq!(understand(question, &sample.stores).unwrap().ignored, ignored, "{question}");
        }
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(48))]

        #[test]
        fn no_word_with_a_meaning_of_its_own_is_lost(places in prop::collection::vec(0..WORDS.len(), 1..8)) {
            static SAMPLE: LazyLock<Mutex<Sample>> = LazyLock::new(|| Mutex::new(Sample::of(&[("paper-2020", TWO_LATENCIES)])));
            let sample = SAMPLE.lock().unwrap_or_else(PoisonError::into_inner);
            let words: Vec<&str> = places.iter().map(|place| WORDS[*place]).collect();
            let question = words.join(" ");
            let read = understand(&question, &sample.stores).unwrap();
            let wanted = &read.wanted;
            let mut told: Vec<String> = read.read_as().map(|one| one.text.clone()).collect();
            told.extend(read.ignored.iter().chain(&wanted.unknown_names).cloned());
            told.extend(read.notes.iter().map(ToString::to_string));
            told.extend(wanted.none_of.iter().chain(&wanted.each_of).map(|clause| clause.text.clone()));
            let told = told.join(" ").to_lowercase();
            for word in words.iter().filter(|word| MEANT.contains(word)) {
                prop_assert!(told.contains(word), "`{word}` of `{question}` is lost: {told}");
            }
        }
    }

    /// Words that say something wherever they stand.
    const MEANT: &[&str] =
        &["deepnet-50", "nova", "core", "fp16", "frimble", "zonk42", "7.75", "250w", "modern", "video"];

    /// Words of questions, those among them.
    const WORDS: &[&str] = &[
        "deepnet-50",
        "nova",
        "core",
        "fp16",
        "frimble",
        "zonk42",
        "7.75",
        "250w",
        "modern",
        "video",
        "vs",
        "not",
        "without",
        "or",
        "and",
        "latency",
        "memory",
        "newer",
        "than",
        "fastest",
        "which",
        "gpus",
        "how",
        "the",
        "of",
        "on",
        "list",
        "effect",
        "backend",
        "only",
        "both",
        "is",
        "faster",
        "batch",
        "16",
        "scaling",
        "per",
        "under",
        "results",
        "cards",
    ];

    #[test]
    fn the_words_of_everything_that_was_read_are_said() {
        let sample = Sample::of(&[("paper-2020", TWO_LATENCIES)]);
        let read = understand("nova vs core latency under 500 ms", &sample.stores).unwrap();
        let words: Vec<String> = read.clauses.iter().flat_map(texts_of).collect();
        for word in ["nova", "core", "under"] {
            assert!(words.iter().any(|text| text.contains(word)), "{word}: {words:?}");
        }
    }
}
