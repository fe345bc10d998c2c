//! What was not read of a question, and what follows: some words are only reported, some stop the conclusion.

use super::condition::condition;
use super::outcome::{Outcome, Remark};
use super::plan::rows_asked;
use crate::ask::parse::{How, QueryError, Question, Span, Term, print_filter};
use crate::stores::Stores;
use crate::stores::index::DocumentKind;
use crate::stores::resolve::nearest_names;

/// So many near names are given for a word.
const NEAR_NAMES: usize = 3;

/// A longer question is not one that somebody types.
const LONGEST_QUERY: usize = 120;

/// What spans are about that mean something only together with their neighbours.
const TYING: &[&str] = &["link", "not", "bound", "axis", "filler"];

/// The outcome of a question of which a word stops the conclusion: what was not found, and what the rest would find.
///
/// # Errors
///
/// When a store fails.
pub(in crate::ask) fn not_found(stores: &Stores, question: &Question) -> Result<Option<Outcome>, QueryError> {
    let stopping: Vec<&Span> =
        question.spans.iter().filter(|span| span.how.stops() && span.text.contains(char::is_alphanumeric)).collect();
    if stopping.is_empty() {
        return Ok(None);
    }
    let mut words = Vec::new();
    for span in stopping {
        let near = nearest_names(&span.text, &stores.database, NEAR_NAMES)?;
        let mut names: Vec<String> = Vec::new();
        for name in near {
            if !names.contains(&name.value) {
                names.push(name.value);
            }
        }
        words.push((span.text.clone(), names));
    }
    let is_unread = |at: usize| question.spans.get(at).is_some_and(|span| span.how.is_unread());
    // A word that ties what was not read to the rest goes with it: `3090 vs mi8`.
    let goes_with = |at: usize, span: &Span| {
        let neighbours = [at.checked_sub(1), Some(at + 1)];
        TYING.contains(&span.facet.as_str()) && neighbours.into_iter().flatten().any(is_unread)
    };
    let read = question.spans.iter().enumerate().filter(|(at, span)| !span.how.is_unread() && !goes_with(*at, span));
    let read: Vec<&str> = read.map(|(_, span)| span.text.as_str()).collect();
    // Words that carry nothing find everything.
    let says_nothing = question.spans.iter().all(|span| span.how.is_unread() || span.how == How::Filler);
    let filter = rows_asked(question);
    let rest = if says_nothing || filter.terms.is_empty() {
        0
    } else {
        stores.index.count(DocumentKind::Measurement, &condition(stores, &filter)?)?
    };
    // The words of alternatives do not say where their brackets are.
    let has_brackets = filter.terms.iter().any(|term| !matches!(term, Term::Test(_)));
    let query = match rest {
        0 => String::new(),
        _ if has_brackets && print_filter(&filter).len() > LONGEST_QUERY => String::new(),
        _ if has_brackets => print_filter(&filter),
        _ => read.join(" "),
    };
    // What else was not read would not change what is missing, and is said all the same.
    let others = question.spans.iter().filter(|span| span.how == How::Unread).map(|span| span.text.clone());
    let others: Vec<String> = others.filter(|text| text.contains(char::is_alphanumeric)).collect();
    let mut remarks = vec![Remark::NotFound { words, rest, query }];
    remarks.extend((!others.is_empty()).then_some(Remark::Unread { words: others }));
    Ok(Some(Outcome { ask: question.ask, remarks, ..Outcome::default() }))
}

/// What must be said of the reading before the answer: the words that were not read, and the names that were guessed.
pub(in crate::ask) fn remarks(question: &Question) -> Vec<Remark> {
    let unread: Vec<String> =
        question.spans.iter().filter(|span| span.how.is_unread()).map(|span| span.text.clone()).collect();
    let mut remarks = Vec::new();
    if !unread.is_empty() {
        remarks.push(Remark::Unread { words: unread });
    }
    for span in question.spans.iter().filter(|span| span.how == How::Nearest) {
        // A quantity is called by what it is of: `any:latency-ms`.
        let name = span.values.first().map(|value| value.rsplit(':').next().unwrap_or(value).to_owned());
        let name = name.unwrap_or_default();
        remarks.push(Remark::ReadAsNearest { text: span.text.clone(), name });
    }
    remarks
}

#[cfg(test)]
mod tests {
    use crate::ask::execute::{Remark, execute};
    use crate::ask::parse::{Filter, How, Is, Key, Question, Span, Term, Test};
    use crate::model::Facet;
    use crate::stores::sample::{Sample, TWO_LATENCIES};

    fn span(text: &str, how: How) -> Span {
        Span { text: text.to_owned(), from: 0, to: text.len(), facet: String::new(), values: Vec::new(), how, rule: "" }
    }

    #[test]
    fn a_subject_that_was_not_read_stops_the_conclusion_and_any_other_word_does_not() {
        let sample = Sample::of(&[("paper-2020", TWO_LATENCIES)]);
        let device = Test { key: Key::Facet(Facet::Device), is: Is::OneOf(vec!["nova".to_owned()]) };
        let mut question = Question {
            subject: Filter { terms: vec![Term::Test(device)] },
            spans: vec![span("nova", How::Exact), span("deepnet-5", How::UnreadSubject)],
            ..Question::default()
        };
        let outcome = execute(&sample.stores, &question).unwrap();
        let [Remark::NotFound { words, rest, query }] = outcome.remarks.as_slice() else { panic!("{outcome:?}") };
        assert_eq!((outcome.entries.len(), *rest, query.as_str(), words[0].0.as_str()), (0, 1, "nova", "deepnet-5"));
        question.spans[1].how = How::Unread;
        let outcome = execute(&sample.stores, &question).unwrap();
        assert_eq!(outcome.remarks.first(), Some(&Remark::Unread { words: vec!["deepnet-5".to_owned()] }));
        assert_eq!(outcome.entries.len(), 1);
    }
}
