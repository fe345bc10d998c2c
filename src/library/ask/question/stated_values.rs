//! What rows state in a word of its own: `npu`, `p99`, `no cudnn`, `closed vs open`.

use super::clause::{Clause, quoted};
use super::error::QueryError;
use super::hints::Hints;
use super::idioms::Idiom;
use super::interpreter::Interpreter;
use super::vocabulary::{Cue, plain};
use super::word_run::WordRun;
use crate::model::{Aspect, Field, Lookup as _};
use crate::stores::index::Condition;
use crate::values::ComputeUnit;
use crate::values::spelling::normalise;

/// Statistics that are asked for by their name.
const PERCENTILES: &[&str] = &["p90", "p95", "p99"];

/// Words that a benchmark's rules give a meaning, and that are words of everyday English, too.
struct ByRule {
    field: Field,
    values: &'static [&'static str],
    /// What stands behind one that is meant so.
    nouns: &'static [&'static str],
    /// Those that are meant so wherever MLPerf is named.
    in_mlperf: &'static [&'static str],
    /// Whether they are meant so where all of them stand in one question.
    opposed: bool,
}

const BY_RULE: &[ByRule] = &[
    ByRule {
        field: Field::Division,
        values: &["closed", "open"],
        nouns: &["division", "divisions"],
        in_mlperf: &["closed", "open"],
        opposed: true,
    },
    ByRule {
        field: Field::Availability,
        values: &["available", "preview", "rdi"],
        nouns: &["system", "systems", "submission", "submissions"],
        in_mlperf: &["preview", "rdi"],
        opposed: false,
    },
    ByRule {
        field: Field::Data,
        values: &["synthetic", "real"],
        nouns: &["data", "input", "inputs", "images", "dataset"],
        in_mlperf: &["synthetic"],
        opposed: true,
    },
];

/// Fields that say how a network was executed.
const EXECUTIONS: &[Field] = &[Field::Mode, Field::Partition, Field::Setting, Field::Layout];

/// Words that say that ways of running are spoken of.
const OF_EXECUTION: &[&str] =
    &["eager", "mode", "vs", "versus", "faster", "slower", "speedup", "speed-up", "gain", "gains", "help", "helps"];

/// Values of fields by which the axis that they lie on is called, too.
const ON_AXES: &[(&str, Field, &str)] = &[
    ("channels last", Field::Layout, "nhwc"),
    ("torch.compile", Field::Mode, "compiled"),
    ("torch compile", Field::Mode, "compiled"),
];

impl Interpreter<'_> {
    /// `npu results`: the part of a chip that ran it; `p99 latency`: the statistic that a row states.
    pub(super) fn stated_value(&mut self, word: &str, first: &str) -> Result<Option<Idiom>, QueryError> {
        let is_npu = matches!(first, "npu" | "npus") && self.stores.database.exact(&normalise(first))?.is_empty();
        let (field, value) = match first {
            _ if is_npu => (Field::ComputeUnit, <&str>::from(ComputeUnit::Npu)),
            percentile if PERCENTILES.contains(&percentile) => (Field::Statistic, percentile),
            _ => return Ok(None),
        };
        let (condition, _) = self.with_value(field, |stated| stated == value)?;
        let filter = format!("{field}:{value}");
        Ok(Some(Idiom::Clause(Clause::of(word, field.key(), vec![value.to_owned()], filter, condition))))
    }

    /// `eager`, `compile`, `nhwc`: how rows say that they were run, where a word that is no name says it.
    pub(super) fn value_in_word(&self, run: &WordRun) -> Result<Option<Clause>, QueryError> {
        if !run.is_text() {
            return Ok(None);
        }
        let word = normalise(&plain(&run.text));
        for field in EXECUTIONS {
            let column = self.stores.database.aspect(Aspect::Field(*field))?;
            let done = [format!("{word}d"), format!("{word}ed")];
            // What is done to a network is a word of everyday English, too: only beside what it is not done to.
            let is_verb = |value: &str| done.iter().any(|done| *done == value) && self.speaks_of_execution();
            let is = |value: &str| normalise(value) == word || is_verb(&normalise(value));
            if let Some(value) = column.values().find(|value| is(value)).map(str::to_owned) {
                return self.of_value(&run.text, *field, &value).map(Some);
            }
        }
        Ok(None)
    }

    /// The rows that state a value of a field.
    fn of_value(&self, text: &str, field: Field, value: &str) -> Result<Clause, QueryError> {
        let (condition, _) = self.with_value(field, |stated| stated == value)?;
        let filter = format!("{field}:{}", quoted(value));
        Ok(Clause::of(text, field.key(), vec![value.to_owned()], filter, condition))
    }

    /// Whether ways of running a network are set against each other.
    fn speaks_of_execution(&self) -> bool {
        let mut words = self.question.split_whitespace().map(plain);
        words.any(|word| OF_EXECUTION.contains(&word.as_str()))
    }

    /// `torch.compile`, `channels last` where no gain is asked for: what the axis is called by is the value that is meant.
    pub(super) fn values_on_axes(&self, clauses: &mut Vec<Clause>, hints: &mut Hints) -> Result<(), QueryError> {
        let of_gain = [Cue::SpeedUp, Cue::Effect, Cue::Compare, Cue::Comparative, Cue::Which, Cue::Correlation];
        if hints.has_link || hints.opposed || of_gain.iter().any(|cue| hints.has(*cue)) {
            return Ok(());
        }
        let mut kept = Vec::new();
        for (text, aspect) in std::mem::take(&mut hints.along) {
            let value = ON_AXES.iter().find(|(name, ..)| normalise(name) == normalise(&text));
            match value {
                Some((_, field, value)) => clauses.push(self.of_value(&text, *field, value)?),
                None => kept.push((text, aspect)),
            }
        }
        hints.along = kept;
        Ok(())
    }

    /// `no cudnn`, where a source says so itself: the value of the field that holds it.
    pub(super) fn stated_absence(
        &self,
        words: &[&str],
        first: &str,
        second: &str,
    ) -> Result<Option<(usize, Idiom)>, QueryError> {
        // `without cudnn 7`: another version may be there.
        let is_version = words.get(2).is_some_and(|next| next.starts_with(|c: char| c.is_ascii_digit()));
        if !matches!(first, "no" | "without" | "w/o") || second.is_empty() || is_version {
            return Ok(None);
        }
        let field = Field::KernelLibrary;
        let says = format!("no {second}");
        let (condition, _) = self.with_value(field, |stated| stated.eq_ignore_ascii_case(&says))?;
        if condition == Condition::Any(Vec::new()) {
            return Ok(None);
        }
        let filter = format!("{field}:{}", quoted(&says));
        let clause = Clause::of(&words[..2].join(" "), field.key(), vec![says], filter, condition);
        Ok(Some((2, Idiom::Clause(clause))))
    }

    /// `closed vs open`, `open division`, `mlperf open`, `preview systems`, `synthetic data`: a word that rows of a benchmark state
    /// by rule, where nothing else is meant by it; and how many words say it.
    pub(super) fn stated_by_rule(&self, words: &[&str], first: &str) -> Result<Option<(usize, Clause)>, QueryError> {
        let Some(of) = BY_RULE.iter().find(|of| of.values.contains(&first)) else { return Ok(None) };
        let next = words.get(1).map(|next| plain(next)).unwrap_or_default();
        let is_named = of.nouns.contains(&next.as_str());
        let of_benchmark = of.in_mlperf.contains(&first) && self.names_mlperf() && next != "source";
        let opposed = of.opposed && of.values.iter().all(|value| self.all_words.contains(*value));
        let column = self.stores.database.aspect(Aspect::Field(of.field))?;
        let is_stated = column.values().any(|value| value == first);
        if !is_stated || !is_named && !of_benchmark && !opposed {
            return Ok(None);
        }
        let taken = 1 + usize::from(is_named);
        self.of_value(&words[..taken].join(" "), of.field, first).map(|clause| Some((taken, clause)))
    }

    /// Whether one of MLPerf's benchmarks is named.
    fn names_mlperf(&self) -> bool {
        self.all_words.iter().any(|word| word.contains("mlperf"))
    }
}

#[cfg(test)]
mod tests {
    use crate::ask::question::understand;
    use crate::stores::sample::Sample;

    const ROWS: &str = r#"
[[table]]
columns = ["kernel-library", "statistic", "latency-ms"]
rows = [["no cudnn", "p99", 200], ["cublas", "mean", 100]]
"#;

    const RUNS: &str = r#"
[[table]]
columns = ["mode", "layout", "division", "data", "availability", "latency-ms"]
rows = [
  ["eager", "nchw", "closed", "real", "available", 200],
  ["compiled", "nhwc", "open", "synthetic", "preview", 100],
]
"#;

    #[test]
    fn how_a_network_was_run_is_a_value_of_rows() {
        let sample = Sample::of(&[("paper-2020", RUNS)]);
        for (question, filters) in [
            ("deepnet-50 eager", &["mode:eager"][..]),
            ("is deepnet-50 compile faster than eager", &["mode:compiled", "mode:eager"]),
            ("deepnet-50 channels last latency", &["layout:nhwc"]),
            ("deepnet-50 open division", &["division:open"]),
            ("mlperf open deepnet-50", &["division:open"]),
            ("deepnet-50 synthetic data", &["data:synthetic"]),
            ("mlperf preview deepnet-50", &["availability:preview"]),
            // Alone it is a word of everyday English.
            ("can i compile deepnet-50", &[]),
        ] {
            let clauses = understand(question, &sample.stores).unwrap().clauses;
            let readings = clauses.iter().flat_map(|clause| &clause.readings);
            let read: Vec<&str> = readings.map(|reading| reading.equivalent.as_str()).collect();
            assert!(filters.iter().all(|filter| read.contains(filter)), "{question}: {read:?}");
            assert_eq!(read.iter().any(|one| one.starts_with("mode:")), question.contains("eager"), "{question}");
        }
    }

    #[test]
    fn what_rows_state_in_a_word_is_asked_for_by_it() {
        let sample = Sample::of(&[("paper-2020", ROWS)]);
        for (question, filter) in [
            ("nova no cudnn", "kernel-library:\"no cudnn\""),
            ("nova without cudnn", "kernel-library:\"no cudnn\""),
            // No source says that it had none of it.
            ("nova no cublas", "-text:\"cublas\""),
            ("p99 latency nova", "statistic:p99"),
        ] {
            let clauses = understand(question, &sample.stores).unwrap().clauses;
            let filters: Vec<&str> = clauses.iter().map(|clause| clause.equivalent.as_str()).collect();
            assert!(filters.contains(&filter), "{question}: {filters:?}");
        }
    }
}
