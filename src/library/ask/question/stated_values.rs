//! What rows state in a word of its own: `npu`, `p99`, `no cudnn`, `closed vs open`.

use super::clause::{Clause, quoted};
use super::error::QueryError;
use super::idioms::Idiom;
use super::interpreter::Interpreter;
use super::vocabulary::plain;
use crate::model::{Field, Lookup as _};
use crate::stores::index::Condition;
use crate::values::ComputeUnit;
use crate::values::spelling::normalise;

/// Statistics that are asked for by their name.
const PERCENTILES: &[&str] = &["p90", "p95", "p99"];

/// The divisions of a benchmark.
const DIVISIONS: &[&str] = &["closed", "open"];

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

    /// `no cudnn`, where a source says so itself: the value of the field that holds it.
    pub(super) fn stated_absence(
        &self,
        words: &[&str],
        first: &str,
        second: &str,
    ) -> Result<Option<(usize, Idiom)>, QueryError> {
        if !matches!(first, "no" | "without" | "w/o") || second.is_empty() {
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

    /// `closed vs open`: the divisions of a benchmark, where both are named.
    pub(super) fn division(&self, word: &str, first: &str) -> Result<Option<Clause>, QueryError> {
        let words: Vec<String> = self.question.split_whitespace().map(plain).collect();
        let are_named = DIVISIONS.iter().all(|division| words.iter().any(|word| word == division));
        if !DIVISIONS.contains(&first) || !are_named {
            return Ok(None);
        }
        let field = Field::Division;
        let condition = self.with_value(field, |stated| stated == first)?.0;
        let filter = format!("{field}:{first}");
        Ok(Some(Clause::of(word, field.key(), vec![first.to_owned()], filter, condition)))
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
