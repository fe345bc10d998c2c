//! How much is to be known of what is listed: `with more than 100 rows`, `measured by at least 3 sources`.

use super::bounds::{comparison, unit_at};
use super::interpreter::Interpreter;
use super::question::CountLimit;
use super::vocabulary::{COUNTS, plain};
use crate::values::Unit;

/// What rows are called.
const ROWS: &[&str] =
    &["row", "rows", "measurement", "measurements", "result", "results", "entry", "entries", "records", "runs"];

/// What sources are called.
const SOURCES: &[&str] = &["source", "sources", "papers", "studies", "publications", "measurers"];

/// Words between the number and what is counted.
const BETWEEN: &[&str] = &["different", "independent", "distinct", "separate", "measured", "benchmark"];

impl Interpreter<'_> {
    /// Notes a limit on how much is known of each; how many words say it.
    pub(super) fn counted_of_listed(&mut self, words: &[&str]) -> Option<usize> {
        let (taken, bounds) = match comparison(words, &unit_at) {
            Some((taken, compared)) if !compared.has_unit() => (taken, compared.bounds(Unit::Count)?),
            // `at least three sources`
            None => {
                let spelled = words.get(2).map(|word| plain(word))?;
                let (_, number) = COUNTS.iter().find(|(name, _)| *name == spelled)?;
                let number = number.to_string();
                let in_figures = [words[0], words[1], number.as_str()];
                let (taken, compared) = comparison(&in_figures, &unit_at)?;
                (taken, compared.bounds(Unit::Count)?)
            }
            Some(_) => return None,
        };
        let between = words[taken..].iter().take_while(|word| BETWEEN.contains(&plain(word).as_str())).count();
        let noun = plain(words.get(taken + between)?);
        let of_sources = SOURCES.contains(&noun.as_str());
        if !of_sources && !ROWS.contains(&noun.as_str()) {
            return None;
        }
        let taken = taken + between + 1;
        // `more than 100 results per second`
        if words.get(taken).is_some_and(|next| matches!(plain(next).as_str(), "per" | "a" | "an")) {
            return None;
        }
        let text = words[..taken].iter().map(|word| plain(word)).collect::<Vec<_>>().join(" ");
        self.hints.counted = Some(CountLimit { text, of_sources, bounds });
        Some(taken)
    }
}

#[cfg(test)]
mod tests {
    use crate::ask::question::understand;
    use crate::stores::sample::Sample;

    #[test]
    fn a_limit_on_what_is_known_of_each_is_none_on_rows() {
        let sample = Sample::of(&[]);
        for (question, limited) in [
            ("which devices have at least 3 sources", Some("at least 3 sources")),
            ("which devices have at least three different sources", Some("at least three different sources")),
            ("frameworks with more than 100 rows", Some("more than 100 rows")),
            ("networks with at least 3 gpus", None),
        ] {
            let read = understand(question, &sample.stores).unwrap();
            assert_eq!(read.wanted.counted.map(|limit| limit.text).as_deref(), limited, "{question}");
        }
    }
}
