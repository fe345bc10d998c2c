//! The unit in which a time is wanted: `training minutes`, `how long, in hours`. It says that a time is asked for, and no rate; where
//! times are told in the unit in which they are kept, that is said.

use super::facing::kind_of;
use super::intent::Intent;
use super::interpreter::Interpreter;
use super::question::{Quantity, TimeUnit};
use super::seen::Seen;
use super::vocabulary::{longest_phrase, plain};
use crate::model::{Derived, Field, Metric};

/// Units that only a training or the like takes many of, in the spellings that ask for them.
const LONG: &[(&[&str], TimeUnit)] = &[
    (&["minutes", "minute", "mins"], TimeUnit { symbol: "min", name: "minute", seconds: 60.0 }),
    (&["hours", "hrs"], TimeUnit { symbol: "h", name: "hour", seconds: 3600.0 }),
    (&["days"], TimeUnit { symbol: "days", name: "day", seconds: 86_400.0 }),
];

/// Units of any time.
const SHORT: &[&str] = &["seconds", "secs", "milliseconds", "ms", "msec", "microseconds", "us"];

/// Words in front of a unit with which it is a rate, a duration or a quantity of its own: `gpu hours`.
const OTHERWISE: &[&str] =
    &["per", "/", "a", "an", "each", "every", "gpu", "tpu", "few", "several", "some", "node", "chip", "billable"];

/// The times of a training.
const OF_TRAINING: &[Metric] = &[Metric::TimeToAccuracyS, Metric::TotalS, Metric::EpochS];

/// Every metric that is a time.
const TIMES: &[Metric] = &[
    Metric::LatencyMs,
    Metric::MeanLatencyMs,
    Metric::EpochS,
    Metric::TotalS,
    Metric::TimeToAccuracyS,
    Metric::TimeToFirstTokenMs,
    Metric::TimePerOutputTokenMs,
    Metric::InterTokenLatencyMs,
];

/// The long unit that a word names.
fn long_unit(word: &str) -> Option<TimeUnit> {
    LONG.iter().find(|(names, _)| names.contains(&word)).map(|(_, unit)| *unit)
}

/// Whether a unit behind this word is part of a rate, or of a time that is stated.
fn is_otherwise(before: &str) -> bool {
    OTHERWISE.contains(&before) || before.parse::<f64>().is_ok()
}

/// The long unit in which a question wants times told; none where it divides by one, or where a number of them is a limit.
fn time_unit(question: &str) -> Option<TimeUnit> {
    let words: Vec<String> = question.split_whitespace().map(plain).collect();
    let asked_at = |at: usize| {
        let before = at.checked_sub(1).map_or("", |before| &words[before]);
        long_unit(&words[at]).filter(|_| !is_otherwise(before))
    };
    (0..words.len()).find_map(asked_at)
}

impl Interpreter<'_> {
    /// The unit that words begin with and that is wanted of the answer, and how many words name it; `before` is the word in front of
    /// them.
    pub(super) fn unit_of_answer(&mut self, words: &[&str], before: Option<&str>) -> Option<usize> {
        let lead = usize::from(plain(words.first()?) == "in");
        let unit = plain(words.get(lead)?);
        let is_long = long_unit(&unit).is_some();
        // A short one alone is the name of a quantity, or says no more.
        if !is_long && (lead == 0 || !SHORT.contains(&unit.as_str())) {
            return None;
        }
        let is_otherwise = lead == 0 && before.is_some_and(|word| is_otherwise(&plain(word)));
        let goes_on = words.get(lead + 1).is_some_and(|next| matches!(plain(next).as_str(), "per" | "a" | "of"));
        let is_phrase = longest_phrase(&words[lead..]).is_some_and(|(taken, _)| taken > 1);
        if is_otherwise || goes_on || is_phrase {
            return None;
        }
        self.heard.push(words[..=lead].join(" "));
        self.hints.unit_alone = true;
        Some(1 + lead)
    }
}

impl Seen<'_, '_> {
    /// The long unit in which times are to be told.
    pub(super) fn time_unit(&self) -> Option<TimeUnit> {
        time_unit(self.interpreter.question)
    }

    /// The time that a unit asks for, where nothing else is asked for by a name: that of a training in minutes, or of one that is
    /// named.
    pub(super) fn time_in_unit(&self, quantities: &[Quantity]) -> Vec<Quantity> {
        if !self.hints.unit_alone || !quantities.is_empty() {
            return Vec::new();
        }
        let of_training = self.clauses.iter().filter(|clause| kind_of(clause) == Field::Stage.key()).any(|clause| {
            clause.readings.iter().any(|reading| reading.read_as.values.iter().any(|stage| stage == "train"))
        });
        let is_long = self.time_unit().is_some();
        let times = if is_long || of_training { OF_TRAINING } else { &[Metric::LatencyMs] };
        times.iter().copied().map(Quantity::Metric).collect()
    }

    /// In which unit times are told where another one is wanted; look-ups and rankings tell them in that.
    pub(super) fn says_unit(&self, intent: Intent, quantities: &[Quantity]) -> Option<String> {
        if matches!(intent, Intent::Lookup | Intent::Ranking) {
            return None;
        }
        let TimeUnit { name, seconds, .. } = self.time_unit()?;
        let is_time = |quantity: &Quantity| match quantity {
            Quantity::Metric(metric) => TIMES.contains(metric),
            Quantity::Derived(measure) => *measure == Derived::EpochTimeS,
            _ => false,
        };
        quantities.iter().any(is_time).then(|| format!("Times are told in s; {one} has {seconds}.", one = a(name)))
    }
}

/// A noun with its article: `an hour`.
fn a(noun: &str) -> String {
    if noun.starts_with('h') { format!("an {noun}") } else { format!("a {noun}") }
}

#[cfg(test)]
mod tests {
    use super::time_unit;
    use crate::ask::question::Quantity;
    use crate::ask::question::understand;
    use crate::model::Metric;
    use crate::stores::sample::Sample;

    const ROWS: &str = r#"
[[table]]
columns = ["stage", "time-to-accuracy-s", "throughput-per-s"]
rows = [["train", 7200, 200]]
"#;

    #[test]
    fn a_unit_of_time_asks_for_a_time_and_is_said() {
        let sample = Sample::without("stage = \"eval\"\n", &[("paper-2020", ROWS)]);
        let time = Quantity::Metric(Metric::TimeToAccuracyS);
        for (question, asks_time, is_said) in [
            ("deepnet-50 training minutes", true, false),
            ("quickest deepnet-50 training, in minutes", true, false),
            ("deepnet-50 time to accuracy in hours, bigcard vs smallcard", true, true),
            ("deepnet-50 training throughput in images per minute", false, false),
            ("deepnet-50 training in seconds", true, false),
            ("deepnet-50 training", false, false),
        ] {
            let read = understand(question, &sample.stores).unwrap();
            assert_eq!(read.wanted.quantities.contains(&time), asks_time, "{question}: {:?}", read.wanted.quantities);
            let said = read.wanted.leads.iter().any(|lead| lead.starts_with("Times are told in s"));
            assert_eq!(said, is_said, "{question}: {:?}", read.wanted.leads);
            assert!(read.ignored.is_empty(), "{question}: {:?}", read.ignored);
        }
    }

    #[test]
    fn a_unit_is_asked_for_where_nothing_is_divided_by_it() {
        for (question, symbol) in [
            ("how many minutes does resnet-50 take to train", Some("min")),
            ("time to train bert, minutes please", Some("min")),
            ("hours of training", Some("h")),
            ("price of a T4 per minute", None),
            ("gpu hours of bert", None),
            ("trained in under 10 minutes", None),
            ("resnet-50 on a T4", None),
        ] {
            assert_eq!(time_unit(question).map(|unit| unit.symbol), symbol, "{question}");
        }
    }
}
