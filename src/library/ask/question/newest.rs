//! The newest of several sources: `newest mlperf round`, `latest mlperf results for bert`.

use std::collections::BTreeMap;

use super::clause::Clause;
use super::error::QueryError;
use super::facing::kind_of;
use super::hints::Hints;
use super::interpreter::Interpreter;
use super::question::Wanted;
use super::vocabulary::{Cue, plain};
use crate::model::{Aspect, Facet, Source};
use crate::rows::Note;
use crate::stores::index::{Condition, DocumentKind};

/// A source, by what makes it newer than another one.
#[derive(Debug, PartialEq, PartialOrd)]
struct Round {
    year: i64,
    version: Vec<u64>,
    id: String,
}

impl Interpreter<'_> {
    /// Leaves of the sources that a question names the newest, or the oldest, that has rows of the rest; it is said which. Returns
    /// whether any were left.
    pub(super) fn newest_source(
        &mut self,
        clauses: &mut [Clause],
        wanted: &Wanted,
        hints: &mut Hints,
    ) -> Result<bool, QueryError> {
        let oldest = self.superlative.as_ref().is_some_and(|(text, _)| text.eq_ignore_ascii_case("oldest"));
        let noun = hints.nouns.iter().find(|noun| noun.aspect == Aspect::Source);
        // Several rounds are listed, the newest first.
        let lists_rounds = wanted.candidates == Some(Aspect::Source) && noun.is_none_or(|noun| noun.plural);
        let asks = hints.has(Cue::Newest) || oldest && noun.is_some();
        if !asks || lists_rounds {
            return Ok(false);
        }
        let Some(at) = clauses.iter().position(is_of_several) else { return Ok(false) };
        let Condition::Facet(_, named) = &clauses[at].condition else { return Ok(false) };
        let rest: Vec<Condition> = others(clauses, at).map(|clause| clause.condition.clone()).collect();
        let words: Vec<String> = others(clauses, at).map(|clause| format!("-{}-", plain(&clause.text))).collect();
        let of_suite = |id: &&String| words.iter().any(|word| id.contains(word.as_str()));
        let narrowed = named.iter().any(|id| of_suite(&id));
        let mut rounds = Vec::new();
        for source in self.stores.database.entities::<Source>()? {
            let id = source.id.to_string();
            if !named.contains(&id) || narrowed && !of_suite(&&id) {
                continue;
            }
            let own = Condition::Facet(Facet::Source, vec![id.clone()]);
            let all = Condition::All(rest.iter().cloned().chain([own]).collect());
            if self.stores.index.count(DocumentKind::Measurement, &all)? > 0 {
                rounds.push(Round { year: source.year.unwrap_or_default(), version: version_of(&id), id });
            }
        }
        let of = rounds.len();
        let newest = outermost(rounds, oldest);
        if newest.is_empty() {
            return Ok(false);
        }
        let word = if oldest { "oldest" } else { "newest" };
        let text = format!("{word} {}", clauses[at].text);
        clauses[at] = self.facet_clause(&text, Facet::Source, newest.clone(), "alias")?;
        self.notes.push(Note::NewestOf { text, of, sources: newest });
        hints.cues.retain(|cue| *cue != Cue::Newest);
        hints.turns.retain(|(_, cue)| *cue != Cue::Newest);
        Ok(true)
    }
}

/// Whether a clause names several sources, such as all rounds of one benchmark.
fn is_of_several(clause: &Clause) -> bool {
    kind_of(clause) == Facet::Source.key()
        && clause.sides.is_empty()
        && matches!(&clause.condition, Condition::Facet(_, sources) if sources.len() > 1)
}

fn others(clauses: &[Clause], at: usize) -> impl Iterator<Item = &Clause> {
    clauses.iter().enumerate().filter(move |(other, _)| *other != at).map(|(_, clause)| clause)
}

/// `mlperf-inference-v4.1` without its version.
fn suite_of(id: &str) -> &str {
    id.rsplit_once("-v").map_or(id, |(suite, _)| suite)
}

fn version_of(id: &str) -> Vec<u64> {
    let version = id.rsplit_once("-v").map_or("", |(_, version)| version);
    version.split('.').filter_map(|part| part.parse().ok()).collect()
}

/// The last round of each suite, of those of the last year; or the first of the first.
fn outermost(mut rounds: Vec<Round>, oldest: bool) -> Vec<String> {
    rounds.sort_by(|a, b| a.partial_cmp(b).unwrap_or(std::cmp::Ordering::Equal));
    if !oldest {
        rounds.reverse();
    }
    let Some(year) = rounds.first().map(|round| round.year) else { return Vec::new() };
    let mut of_suites: BTreeMap<String, String> = BTreeMap::new();
    for round in rounds.into_iter().filter(|round| round.year == year) {
        of_suites.entry(suite_of(&round.id).to_owned()).or_insert(round.id);
    }
    of_suites.into_values().collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_last_round_of_each_suite_of_the_last_year_is_the_newest() {
        let round = |id: &str, year| Round { year, version: version_of(id), id: id.to_owned() };
        let rounds = || {
            vec![
                round("mlperf-inference-v4.0", 2024),
                round("mlperf-inference-v4.1", 2024),
                round("mlperf-training-v4.0", 2024),
                round("mlperf-inference-v0.5", 2019),
                round("mlperf-training-v0.5", 2018),
            ]
        };
        assert_eq!(outermost(rounds(), false), ["mlperf-inference-v4.1", "mlperf-training-v4.0"]);
        assert_eq!(outermost(rounds(), true), ["mlperf-training-v0.5"]);
        assert_eq!(outermost(Vec::new(), false), Vec::<String>::new());
    }
}
