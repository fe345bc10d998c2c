//! Bounds that say of what they are by another one beside them: the `smaller than 16` of `batch size bigger than 1 and smaller than 16`,
//! the `more than 8` of `more than 8 but less than 24 GB`.

use super::comparison::{BoundInWords, comparison};
use super::stated_sizes::{Size, named, size_of};
use super::units::{unit_at, unit_of};
use crate::ask::question::clause::Clause;
use crate::ask::question::error::QueryError;
use crate::ask::question::interpreter::Interpreter;
use crate::ask::question::vocabulary::{DEVICE_NOUNS, plain};
use crate::model::{Aspect, Fact};

/// Words between two bounds of one thing.
const JOINING: &[&str] = &["and", "but", "yet", "also", "still", "it", "is"];

impl Interpreter<'_> {
    /// The bound behind another one that is of the same, and how many words say it.
    pub(in crate::ask::question) fn further_bound(
        &mut self,
        first: &Clause,
        words: &[&str],
    ) -> Result<Option<(usize, Clause)>, QueryError> {
        let Some(aspect) = first.plain_kind().and_then(bounded) else { return Ok(None) };
        let joint = joint(words);
        let rest = &words[joint..];
        let Some((taken, compared)) = bare_bound(rest) else { return Ok(None) };
        if self.names_product(rest)? {
            return Ok(None);
        }
        let before: Vec<&str> = first.text.split_whitespace().collect();
        let unit = (0..before.len()).find_map(|at| unit_in(&before[at..])).unwrap_or_default();
        let taken = joint + taken;
        self.bounded_as(&words[joint..taken].join(" "), aspect, compared, &unit).map(|clause| Some((taken, clause?)))
    }

    /// The bound in front of another one that says of what both are: the `more than 8` of `more than 8 and less than 24 GB`.
    pub(in crate::ask::question) fn bound_of_next(
        &mut self,
        words: &[&str],
    ) -> Result<Option<(usize, Clause)>, QueryError> {
        let Some((taken, compared)) = bare_bound(words) else { return Ok(None) };
        let behind = &words[taken..];
        let joint = joint(behind);
        let Some(Size { aspect, taken: length, .. }) = size_of(&behind[joint..], false).filter(|_| joint > 0) else {
            return Ok(None);
        };
        if self.names_product(words)? {
            return Ok(None);
        }
        let next = &behind[joint..joint + length];
        let unit = (0..next.len()).find_map(|at| unit_in(&next[at..])).unwrap_or_default();
        self.bounded_as(&words[..taken].join(" "), aspect, compared, &unit).map(|clause| Some((taken, clause?)))
    }

    /// A bound without a unit in that of another one.
    fn bounded_as(
        &mut self,
        text: &str,
        aspect: Aspect,
        compared: BoundInWords,
        unit: &str,
    ) -> Result<Option<Clause>, QueryError> {
        let BoundInWords::Than(operator, number) = compared else { return Ok(None) };
        let whole = if unit.is_empty() { number } else { format!("{number} {unit}") };
        let Some(bounds) = unit_of(aspect).and_then(|of| BoundInWords::Than(operator, whole).bounds(of)) else {
            return Ok(None);
        };
        self.sized(text, aspect, bounds)
    }
}

/// A comparison with a number that says nothing of what it is: no unit stands behind it, and nothing that is counted or measured.
fn bare_bound(words: &[&str]) -> Option<(usize, BoundInWords)> {
    // `more than one but fewer than 8 gpus`
    let said: Vec<&str> = words.iter().take(4).map(|word| if plain(word) == "one" { "1" } else { word }).collect();
    let (taken, compared) = comparison(&said, &unit_at)?;
    let is_bare = matches!(compared, BoundInWords::Than(..)) && !compared.has_unit();
    let behind = words.get(taken..).unwrap_or_default();
    let counts = behind.first().is_some_and(|word| DEVICE_NOUNS.contains(&plain(word).as_str()));
    (is_bare && !counts && named(behind).is_none()).then_some((taken, compared))
}

/// How many words join a bound with the one in front of it.
fn joint(words: &[&str]) -> usize {
    words.iter().take(3).take_while(|word| JOINING.contains(&plain(word).as_str())).count()
}

/// What the key of a condition is about, where it is a number.
pub(super) fn bounded(key: &str) -> Option<Aspect> {
    let fact = || Fact::filter(key).filter(|fact| fact.unit().is_some()).map(Aspect::Fact);
    Aspect::keyed(key).filter(|aspect| aspect.is_numeric() && !matches!(aspect, Aspect::Fact(_))).or_else(fact)
}

/// The unit of the number that a comparison which these words begin with is with.
fn unit_in(words: &[&str]) -> Option<String> {
    let (_, compared) = comparison(words, &unit_at)?;
    let unit = compared.number().trim_start_matches(|c: char| c.is_ascii_digit() || matches!(c, '.' | ' ' | '$'));
    let is_currency = compared.number().starts_with('$');
    Some(if is_currency { "usd".to_owned() } else { unit.to_owned() })
}

#[cfg(test)]
mod tests {
    use crate::ask::question::understand;
    use crate::stores::sample::Sample;

    const ROWS: &str = r#"
[[table]]
columns = ["batch-size", "latency-ms"]
rows = [[1, 2], [8, 10], [16, 20], [64, 80]]
"#;

    #[test]
    fn a_bound_without_a_unit_is_of_what_the_other_one_is() {
        let sample = Sample::without("batch-size = 16\n", &[("paper-2020", ROWS)]);
        for (question, filters, ignored) in [
            (
                "deepnet-50 batch size bigger than 1 and smaller than 16",
                &["batch-size>1", "batch-size<16"][..],
                &[][..],
            ),
            ("deepnet-50 batch size over 1 but below 16", &["batch-size>1", "batch-size<16"], &[]),
            ("deepnet-50 latency above 5 ms and below 50", &["latency-ms>5", "latency-ms<50"], &[]),
            ("deepnet-50 more than 5 and less than 50 ms", &["latency-ms>5", "latency-ms<50"], &[]),
            ("gpus with more than 8 and at most 16 GB", &["memory>8", "memory<=16"], &[]),
            // What is counted behind it is something else.
            ("deepnet-50 batch size over 1 and fewer than 4 gpus", &["batch-size>1", "device-count<4"], &[]),
            ("deepnet-50 under 16 zonks", &[], &["under 16"]),
        ] {
            let read = understand(question, &sample.stores).unwrap();
            let read_as: Vec<&str> =
                read.clauses.iter().flat_map(|clause| &clause.readings).map(|one| one.equivalent.as_str()).collect();
            assert!(filters.iter().all(|filter| read_as.contains(filter)), "{question}: {read_as:?}");
            assert!(ignored.iter().all(|words| read.ignored.iter().any(|one| one == words)), "{:?}", read.ignored);
        }
    }
}
