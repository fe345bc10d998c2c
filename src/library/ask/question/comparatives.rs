//! What stands in front of what it belongs to: `twice as fast as`, `at least moderate energy efficiency`, `no cudnn`.

use super::bounds::comparator;
use super::carrying_word::Carried;
use super::clause::{negated, text_clause};
use super::error::QueryError;
use super::facing::kind_of;
use super::grammar::Operator;
use super::hints::Level;
use super::idioms::Idiom;
use super::interpreter::Interpreter;
use super::sentence::Sentence;
use super::vocabulary::{COUNTS, Cue, Link, Meaning, Quality, StaticQuantity, comparative, longest_phrase, plain};
use crate::model::Field;
use crate::values::Grade;

/// Words for grades, and how one is meant where no comparator says it: `low research costs` are no more than low.
const LEVELS: &[(&str, Grade, Operator)] = &[
    ("high", Grade::High, Operator::GreaterOrEqual),
    ("good", Grade::Good, Operator::GreaterOrEqual),
    ("moderate", Grade::Moderate, Operator::Is),
    ("medium", Grade::Moderate, Operator::Is),
    ("low", Grade::Low, Operator::LessOrEqual),
    ("little", Grade::Low, Operator::LessOrEqual),
    ("minimal", Grade::Low, Operator::LessOrEqual),
];

/// Words by which grades are spoken of.
const GRADING: &[&str] = &["grade", "grades", "graded", "rated", "rating", "ratings", "scored", "marked", "judged"];

/// Words for what is graded.
const OF_CLASSES: &[&str] = &[
    "hardware", "class", "classes", "metric", "metrics", "gpu", "gpus", "fpga", "fpgas", "asic", "asics", "cpu", "cpus",
];

/// How much better one side is said to be.
#[derive(Debug, PartialEq)]
struct ClaimedFactor {
    factor: f64,
    /// How many words say it.
    taken: usize,
    /// Whether the other side comes next: `… faster than`.
    links: bool,
}

impl Interpreter<'_> {
    /// Takes words that say something of those behind them; how many, or `None` where they do not.
    pub(super) fn said_of_what_follows(
        &mut self,
        words: &[&str],
        sentence: &mut Sentence<'_>,
    ) -> Result<Option<usize>, QueryError> {
        // `double the batch size` is an axis.
        let is_axis = matches!(longest_phrase(words), Some((taken, Meaning::Along(_))) if taken > 1);
        if let Some(claimed) = claimed_factor(words).filter(|_| !is_axis) {
            self.flush(sentence)?;
            self.hints.claimed_factor = Some(claimed.factor);
            self.hints.cues.push(Cue::Comparative);
            self.hints.has_link |= claimed.links;
            if claimed.links && !sentence.read.is_empty() {
                sentence.link = Some(Link::Versus);
            } else {
                self.hints.cues.push(Cue::Compare);
            }
            return Ok(Some(claimed.taken));
        }
        let is_rated = matches!(self.hints.turns.last(), Some((_, Cue::Grades)));
        if let Some((taken, level)) = level(words, is_rated) {
            self.flush(sentence)?;
            sentence.level = Some(level);
            return Ok(Some(taken));
        }
        if let Some(grade) = self.grade_alone(words) {
            self.flush(sentence)?;
            self.hints.carried.push((words[0].to_owned(), Carried::Graded(grade)));
            return Ok(Some(1));
        }
        if sentence.link == Some(Link::Versus) && sentence.names.is_empty() {
            if let Some(taken) = self.opposite(words, sentence) {
                return Ok(Some(taken));
            }
            return self.other_count(words, sentence);
        }
        Ok(None)
    }

    /// `which hardware was given moderate`: a grade that stands in front of nothing that is graded.
    pub(super) fn grade_alone(&self, words: &[&str]) -> Option<Grade> {
        let first = plain(words.first()?);
        let (_, grade, operator) = LEVELS.iter().find(|(word, ..)| *word == first)?;
        let has = |any: &[&str]| any.iter().any(|word| self.all_words.contains(*word));
        // `low power` is another thing.
        let is_other = |(taken, meaning)| taken > 1 && !matches!(meaning, Meaning::Cue(Cue::Describe));
        if longest_phrase(words).is_some_and(is_other) {
            return None;
        }
        // No other thing is moderate.
        // `GPUs got 'Good' somewhere`
        let is_quoted = words[0].starts_with(['\'', '‘', '’', '“', '"']);
        let is_grade = (*operator == Operator::Is || is_quoted) && has(OF_CLASSES);
        // `what attributes rate high`
        let rates =
            has(&["rate", "rates", "score", "scores"]) && has(&["attribute", "attributes", "metric", "metrics"]);
        (has(GRADING) || rates || is_grade).then_some(*grade)
    }

    /// `no cudnn` behind `cudnn vs`.
    fn opposite(&self, words: &[&str], sentence: &mut Sentence<'_>) -> Option<usize> {
        let [no, what, ..] = words else { return None };
        let before = &sentence.read.last()?.clause;
        if !matches!(plain(no).as_str(), "no" | "without" | "not") || plain(what) != plain(&before.text) {
            return None;
        }
        let clause = match kind_of(before) {
            // How a source calls it may be known: `no cuDNN`.
            "text" => text_clause(&format!("no {}", plain(what))),
            _ => negated(before.clone()),
        };
        sentence.push(None, clause);
        Some(2)
    }

    /// `1` behind `2 GPUs vs`.
    fn other_count(&mut self, words: &[&str], sentence: &mut Sentence<'_>) -> Result<Option<usize>, QueryError> {
        let key = Field::DeviceCount.key();
        let counted = sentence.read.iter().any(|read| kind_of(&read.clause) == key);
        // `4x 2080 Ti vs 1x`
        let in_words = |word: &str| COUNTS.iter().find(|(name, _)| plain(word) == *name).map(|(_, count)| *count);
        let number =
            |word: &str| plain(word).trim_end_matches(['x', '×']).parse::<i64>().ok().or_else(|| in_words(word));
        let count = words.first().and_then(|word| number(word)).filter(|count| *count < 10_000);
        let (Some(count), true) = (count, counted && self.longest_name(words)? <= 1) else { return Ok(None) };
        if let Idiom::Clause(clause) = self.number_idiom(&words[..1], Field::DeviceCount, count)? {
            sentence.push(None, clause);
        }
        Ok(Some(1))
    }
}

/// `twice as fast as`, `2x faster than`, `30% slower`, `double the`.
fn claimed_factor(words: &[&str]) -> Option<ClaimedFactor> {
    let word = |at: usize| words.get(at).map(|word| plain(word)).unwrap_or_default();
    let first = word(0);
    let number = |text: &str| text.parse::<f64>().ok().filter(|number| *number > 0.0 && *number < 10_000.0);
    let (factor, percent, at) = match first.as_str() {
        "twice" | "double" => (2.0, false, 1),
        "thrice" | "triple" => (3.0, false, 1),
        "half" => (0.5, false, 1),
        _ => {
            let glued = first.strip_suffix(['x', '×']).and_then(number).map(|n| (n, false, 1));
            let in_percent = first.strip_suffix('%').and_then(number).map(|n| (n, true, 1));
            let apart = || match (number(&first)?, word(1).as_str()) {
                (n, "times" | "x" | "fold") => Some((n, false, 2)),
                (n, "%" | "percent") => Some((n, true, 2)),
                _ => None,
            };
            glued.or(in_percent).or_else(apart)?
        }
    };
    let better = |is_better: bool| match (percent, is_better) {
        (false, true) => factor,
        (false, false) => 1.0 / factor,
        (true, true) => 1.0 + factor / 100.0,
        (true, false) => 1.0 - factor / 100.0,
    };
    let next = word(at);
    if next == "as" && word(at + 2) == "as" {
        return Some(ClaimedFactor { factor: better(word(at + 1) != "slow"), taken: at + 3, links: true });
    }
    if let Some(compared) = comparative(&next).filter(|compared| compared.quality != Quality::Age) {
        // `more energy efficient than` leaves the quantity to be read.
        let links = word(at + 1) == "than";
        return Some(ClaimedFactor { factor: better(compared.is_better()), taken: at + 1 + usize::from(links), links });
    }
    (next == "the" && !percent).then_some(ClaimedFactor { factor, taken: at + 1, links: false })
}

/// `high`, `at least moderate` in front of what classes are graded by; behind `rated` a word may stand between: `good for`.
fn level(words: &[&str], is_rated: bool) -> Option<(usize, Level)> {
    let (sign, compared) = comparator(words).map_or((0, None), |(taken, operator)| (taken, Some(operator)));
    let first = words.get(sign).map(|word| plain(word))?;
    let (_, grade, usual) = LEVELS.iter().find(|(word, ..)| *word == first)?;
    let is_between = |word: &&str| matches!(plain(word).as_str(), "for" | "in" | "on" | "at" | "by" | "with");
    let between = words.get(sign + 1).filter(|word| is_rated && is_between(word)).map_or(0, |_| 1);
    let behind = words.get(sign + 1 + between..)?;
    // `low latency` is what is graded.
    if compared.is_none() && between == 0 && longest_phrase(words).is_some_and(|(taken, _)| taken > 1) {
        return None;
    }
    let (_, Meaning::Asks(named)) = longest_phrase(behind)? else { return None };
    let graded = named.classes.iter().chain(named.measured).any(|of| matches!(of, StaticQuantity::Grade(_)));
    graded.then_some((sign + 1 + between, Level { operator: compared.unwrap_or(*usual), grade: *grade }))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn claimed_factors_are_read_in_every_usual_form() {
        for (question, expected) in [
            ("twice as fast as the V100", Some((2.0, 4, true))),
            ("2x faster than V100", Some((2.0, 3, true))),
            ("3 times slower than V100", Some((1.0 / 3.0, 4, true))),
            ("30% faster", Some((1.3, 2, false))),
            ("half as fast as", Some((0.5, 4, true))),
            ("double the throughput of", Some((2.0, 2, false))),
            ("8x V100", None),
            ("2 GPUs", None),
        ] {
            let words: Vec<&str> = question.split(' ').collect();
            let found = claimed_factor(&words).map(|claimed| (claimed.factor, claimed.taken, claimed.links));
            assert_eq!(found, expected, "{question}");
        }
    }

    #[test]
    fn grades_stand_in_front_of_what_is_graded() {
        let read = |question: &str| level(&question.split(' ').collect::<Vec<_>>(), false);
        let rated = |question: &str| level(&question.split(' ').collect::<Vec<_>>(), true);
        let at_least = |grade| Level { operator: Operator::GreaterOrEqual, grade };
        assert_eq!(read("at least moderate energy efficiency"), Some((3, at_least(Grade::Moderate))));
        assert_eq!(read("high upgradability"), Some((1, at_least(Grade::High))));
        assert_eq!(read("low research costs"), Some((1, Level { operator: Operator::LessOrEqual, grade: Grade::Low })));
        assert_eq!(rated("good for low latency"), Some((2, at_least(Grade::Good))));
        assert_eq!(rated("good for resnet50"), None);
        assert_eq!(read("good for low latency"), None);
        assert_eq!(read("low latency"), None);
        assert_eq!(read("high throughput"), None);
    }
}
