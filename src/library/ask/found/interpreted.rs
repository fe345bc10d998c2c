//! A question with the condition of its rows: for tables, figures and lists of everything that it finds.

use crate::ask::execute::{Remark, condition};
use crate::ask::parse::{Filter, How, QueryError, Question, Term, parse, print};
use crate::stores::Stores;
use crate::stores::index::{Condition, DocumentKind};
use crate::stores::resolve::nearest_names;

/// So many names are said to be near to a word that is none.
const NEAREST: usize = 3;

/// A question, what its rows must be like, and what must be said of its reading.
#[derive(Debug, Clone)]
pub struct Interpreted {
    /// The question.
    pub question: Question,
    /// What rows must be like; nothing meets it where a word was not read that could be the subject or a bound.
    pub condition: Condition,
    /// What must be said of the reading.
    pub remarks: Vec<Remark>,
}

/// Reads a question without answering it.
///
/// # Errors
///
/// A mistake in the question with its place, or a failing store.
pub fn interpret(stores: &Stores, text: &str) -> Result<Interpreted, QueryError> {
    let question = parse(text, &stores.database)?;
    let condition = condition(stores, &rows(&question))?;
    let remarks = remarks(stores, &question, &condition)?;
    let stops = question.spans.iter().any(|span| span.how.stops());
    Ok(Interpreted { question, condition: if stops { Condition::Any(Vec::new()) } else { condition }, remarks })
}

/// What rows must be like that answer a question: like its subject, and like one of its sides where it has any.
fn rows(question: &Question) -> Filter {
    let mut filter = question.subject.clone();
    filter.terms.extend((!question.sides.is_empty()).then(|| Term::Any(question.sides.clone())));
    filter
}

/// What must be said of how the words were read.
fn remarks(stores: &Stores, question: &Question, rest: &Condition) -> Result<Vec<Remark>, QueryError> {
    let of = |wanted: fn(How) -> bool| question.spans.iter().filter(move |span| wanted(span.how));
    let mut remarks = Vec::new();
    let mut words = Vec::new();
    for span in of(How::stops) {
        let near = nearest_names(&span.text, &stores.database, NEAREST)?;
        words.push((span.text.clone(), near.into_iter().map(|name| name.value).collect()));
    }
    if !words.is_empty() {
        let rest = stores.index.count(DocumentKind::Measurement, rest)?;
        remarks.push(Remark::NotFound { words, rest, query: print(question) });
    }
    let unread: Vec<String> = of(|how| how == How::Unread).map(|span| span.text.clone()).collect();
    if !unread.is_empty() {
        remarks.push(Remark::Unread { words: unread });
    }
    for span in of(|how| how == How::Nearest) {
        let name = span.values.first().cloned().unwrap_or_default();
        remarks.push(Remark::ReadAsNearest { text: span.text.clone(), name });
    }
    Ok(remarks)
}
