//! Sources by the people behind them: a reader of a paper knows no ids.

use crate::model::Source;

/// A question in which each word that names a source is who wrote it and when: `Dai and Berleant (2019)`.
pub(super) fn with_people<'s>(question: &str, sources: impl IntoIterator<Item = &'s Source> + Clone) -> String {
    let named = |word: &str| {
        let name = word.strip_prefix("source:").unwrap_or(word);
        let source = sources.clone().into_iter().find(|source| source.id.as_str() == name);
        source.map_or_else(|| word.to_owned(), Source::people_and_year)
    };
    question.split(' ').map(named).collect::<Vec<_>>().join(" ")
}
