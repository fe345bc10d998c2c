//! Who submitted a run to a benchmark: the Intel of `gaudi results not submitted by intel`, which is not who made the device.

use super::clause::{Clause, quoted};
use super::error::QueryError;
use super::facing::kind_of;
use super::interpreter::Interpreter;
use super::sentence::Sentence;
use super::vocabulary::plain;
use crate::model::Field;
use crate::rows::submitter_of;
use crate::stores::index::Condition;
use crate::values::spelling::normalise;

/// Words in front of the `by` of who submitted something.
const SUBMITTED: &[&str] = &["submitted", "entered"];

/// What is submitted, in front of the `by` or `from` of who did.
const SUBMISSIONS: &[&str] = &["submission", "submissions", "entries", "entry"];

/// A submitter has no longer name.
const LONGEST: usize = 3;

/// Fewer letters begin too many names.
const LEAST_LETTERS: usize = 3;

impl Interpreter<'_> {
    /// `submitted by intel`, `submissions from dell`, and the `by habana` of `neither submitted by intel nor by habana`: adds the
    /// rows that somebody submitted; how many words say it. Who submitted none is left out, and told.
    pub(super) fn submitted_by<'w>(
        &mut self,
        words: &[&'w str],
        sentence: &mut Sentence<'w>,
    ) -> Result<Option<usize>, QueryError> {
        let word = |at: usize| words.get(at).map(|word| plain(word)).unwrap_or_default();
        let of_submitter = |facet: Option<&str>| facet == Some(Field::Label.key());
        let is_next = sentence.without.is_some()
            && (of_submitter(sentence.excluded.as_deref())
                || sentence.read.last().is_some_and(|last| of_submitter(Some(kind_of(&last.clause)))));
        let lead = match (word(0).as_str(), word(1).as_str()) {
            (first, "by") if SUBMITTED.contains(&first) => 2,
            (first, "by" | "from") if SUBMISSIONS.contains(&first) => 2,
            ("by", _) if is_next => 1,
            // `not submitted by dell or nvidia`
            _ if sentence.or_behind_excluded && of_submitter(sentence.excluded.as_deref()) => 0,
            _ => return Ok(None),
        };
        let Some(behind) = words.get(lead..).filter(|behind| !behind.is_empty()) else { return Ok(None) };
        for length in (1..=behind.len().min(LONGEST)).rev() {
            let name = behind[..length].join(" ");
            if let Some(clause) = self.of_submitter(&words[..lead + length].join(" "), &name)? {
                self.flush(sentence)?;
                sentence.push(None, clause);
                return Ok(Some(lead + length));
            }
        }
        Ok(None)
    }

    /// The rows of a submitter, by the labels that benchmarks give their rows; `None` where it is that of none.
    fn of_submitter(&self, text: &str, name: &str) -> Result<Option<Clause>, QueryError> {
        let normal = normalise(&plain(name));
        if normal.len() < LEAST_LETTERS {
            return Ok(None);
        }
        // HabanaLabs is Habana, and Dell_Technologies Dell.
        let is_by = |label: &str| submitter_of(label, None).is_some_and(|of| normalise(of).starts_with(&normal));
        let found = std::cell::RefCell::new(std::collections::BTreeSet::new());
        let (condition, _) = self.with_value(Field::Label, |label| {
            let is_it = is_by(label);
            if let Some(of) = submitter_of(label, None).filter(|_| is_it) {
                found.borrow_mut().insert(of.to_owned());
            }
            is_it
        })?;
        if condition == Condition::Any(Vec::new()) {
            return Ok(None);
        }
        let key = Field::Label.key();
        let submitters: Vec<String> = found.into_inner().into_iter().collect();
        let patterns: Vec<String> = submitters.iter().map(|of| quoted(&format!("*; {of}; *"))).collect();
        let filter = format!("{key}:{}", patterns.join(","));
        Ok(Some(Clause::of(text, key, submitters, filter, condition)))
    }
}

#[cfg(test)]
mod tests {
    use crate::ask::question::understand;
    use crate::stores::sample::Sample;

    const ROWS: &str = r#"
[[table]]
columns = ["device", "label", "latency-ms"]
rows = [["nova", "closed; Acme; box-1; deepnet", 200], ["nova", "closed; Zonk_Labs; box-2; deepnet", 100], ["core", "open; Acme; box-3; deepnet", 90]]
"#;

    #[test]
    fn who_submitted_a_run_is_not_who_made_the_device() {
        let sample = Sample::of(&[("paper-2020", ROWS)]);
        for (question, filter, rows) in [
            ("nova submitted by acme", "label:\"*; Acme; *\"", 1),
            ("nova results not submitted by acme", "-label:\"*; Acme; *\"", 1),
            ("results neither submitted by acme nor by zonk", "-label:\"*; Zonk_Labs; *\"", 0),
            ("submissions from acme", "label:\"*; Acme; *\"", 2),
        ] {
            let read = understand(question, &sample.stores).unwrap();
            let filters: Vec<&str> =
                read.clauses.iter().flat_map(|clause| &clause.readings).map(|one| one.equivalent.as_str()).collect();
            assert!(filters.contains(&filter), "{question}: {filters:?}, {:?}", read.ignored);
            let found = sample.stores.index.measurements(&read.condition_without(None), None, &[], 0, 0).unwrap();
            assert_eq!(found.total, rows, "{question}: {filters:?}");
        }
    }
}
