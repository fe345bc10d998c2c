//! Who made sources, where sources are excepted: the NVIDIA of `sources other than mlperf and nvidia` made some, and no devices are
//! meant.

use super::clause::Clause;
use super::error::QueryError;
use super::facing::kind_of;
use super::interpreter::Interpreter;
use super::sentence::Sentence;
use super::vocabulary::{MEASUREMENTS, near_word, plain, plain_words};
use crate::model::{Facet, Source};
use crate::values::spelling::normalise;

/// Kinds of clauses that may name who made a source.
const MAKERS: &[&str] = &["vendor", "framework", "text"];

/// Words that ask for somebody who may have made a device or its numbers.
const WHO_MADE: &[&str] = &["who published", "who made", "who produced", "who released", "by whom"];

impl Interpreter<'_> {
    /// Whether words ask who made measurements, and no device: `who published power measurements for edge boards`.
    pub(super) fn asks_who_measured(&self, words: &[&str]) -> bool {
        let is_measurement = |word: &String| {
            let meant = near_word(word).unwrap_or(word);
            MEASUREMENTS.contains(&meant)
        };
        WHO_MADE.contains(&plain_words(&words.join(" ")).as_str()) && self.all_words.iter().any(is_measurement)
    }

    /// What is excluded beside a source, or where sources are spoken of, as the sources that are made or called by it; as it was read
    /// elsewhere, and where there are none.
    pub(super) fn as_source(
        &mut self,
        facet: Option<Facet>,
        clause: Clause,
        sentence: &Sentence<'_>,
    ) -> Result<(Option<Facet>, Clause), QueryError> {
        let is_next = sentence.without.is_some() || sentence.or_behind_excluded;
        let goes_on = sentence.excluded.as_deref() == Some(Facet::Source.key());
        let begins = || sentence.excepts && sentence.without.is_some() && self.follows_sources();
        if !MAKERS.contains(&kind_of(&clause)) || !(begins() || is_next && goes_on) {
            return Ok((facet, clause));
        }
        let name = normalise(&plain(&clause.text));
        let is_by = |source: &Source| {
            let id = source.id.to_string();
            source.authors.iter().any(|author| normalise(author) == name)
                || id.split('-').next().is_some_and(|first| first == name)
        };
        let sources: Vec<Source> = self.stores.database.entities()?;
        let ids: Vec<String> =
            sources.iter().filter(|source| is_by(source)).map(|source| source.id.to_string()).collect();
        if ids.is_empty() {
            return Ok((facet, clause));
        }
        self.facet_clause(&clause.text, Facet::Source, ids, "alias").map(|clause| (Some(Facet::Source), clause))
    }

    /// Whether what is excepted stands behind a word for sources: `sources other than nvidia`.
    fn follows_sources(&self) -> bool {
        let words: Vec<String> = self.question.split_whitespace().map(plain).collect();
        let is_of_sources = |pair: &[String]| {
            matches!(pair[0].as_str(), "source" | "sources" | "papers" | "publications" | "reports" | "origins")
                && matches!(
                    pair[1].as_str(),
                    "other" | "except" | "excluding" | "apart" | "aside" | "besides" | "but" | "minus"
                )
        };
        words.windows(2).any(is_of_sources)
    }
}

#[cfg(test)]
mod tests {
    use crate::ask::question::understand;
    use crate::stores::sample::{Sample, TWO_LATENCIES};

    #[test]
    fn several_sources_are_excepted() {
        let sample = Sample::of(&[("paper-2020", TWO_LATENCIES), ("acme-2021", TWO_LATENCIES)]);
        for (question, filters) in [
            ("results from sources other than paper-2020 and acme", &["-source:paper-2020", "-source:acme-2021"][..]),
            ("results not from paper-2020 or acme", &["-source:paper-2020", "-source:acme-2021"]),
            ("deepnet-50 from sources other than acme", &["-source:acme-2021"]),
        ] {
            let read = understand(question, &sample.stores).unwrap();
            let read_as: Vec<&str> =
                read.clauses.iter().flat_map(|clause| &clause.readings).map(|one| one.equivalent.as_str()).collect();
            assert!(
                filters.iter().all(|filter| read_as.contains(filter)),
                "{question}: {read_as:?}, {:?}",
                read.ignored
            );
        }
    }
}
