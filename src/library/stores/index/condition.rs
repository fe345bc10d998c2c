//! Conditions on documents, and the tantivy query for each.

use std::ops::Bound;
use std::sync::Arc;

use tantivy::query::doc_predicate_query::{DocPredicateQuery, FunctionPredicate};
use tantivy::query::{
    AllQuery, BooleanQuery, EmptyQuery, Occur, PhraseQuery, Query, RangeQuery, TermQuery, TermSetQuery,
};
use tantivy::schema::{Field as IndexField, IndexRecordOption, Term};
use tantivy::{DocId, SegmentReader};

use super::IndexError;
use super::collected_query::CollectedQuery;
use super::open::Index;
use super::rows::{PartColumn, wanted};
use super::schema::{MEASUREMENT, SHARED, SharedText, as_stored, facet_term};
use crate::model::{Facet, Field, Metric, Part};
use crate::values::EntityKind;

/// From this many shares on, checking the column of each document is faster than a union of postings.
pub(super) const MANY_SHARES: usize = 128;

/// From this many terms on, an automaton over the dictionary is faster than a look-up of each.
const MANY_TERMS: usize = 64;

/// What a document describes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum DocumentKind {
    /// A measurement.
    Measurement,
    /// A catalog entity.
    Entity(EntityKind),
}

impl DocumentKind {
    fn term(self) -> &'static str {
        match self {
            Self::Measurement => MEASUREMENT,
            Self::Entity(kind) => kind.into(),
        }
    }
}

/// What a document must be like.
#[derive(Debug, Clone, PartialEq)]
pub enum Condition {
    /// One of these values of the facet.
    Facet(Facet, Vec<String>),
    /// These words, one after the other, in the text.
    Text(String),
    /// One of these setups, workloads, protocols or batches; no entity has one.
    Shares(Part, Vec<u32>),
    /// One of these labels and notes; no entity has one.
    Remarks(Vec<u32>),
    /// One of these entities; no measurement is one.
    Entities(EntityKind, Vec<String>),
    /// A number of the row's own within bounds; no entity has one. What rows share is asked for by [`Self::Shares`].
    Field(Field, Bound<f64>, Bound<f64>),
    /// A metric's value within bounds; no entity has one.
    Metric(Metric, Bound<f64>, Bound<f64>),
    /// Each of these; none of them is always met.
    All(Vec<Condition>),
    /// One of these.
    Any(Vec<Condition>),
    /// Not this.
    Not(Box<Condition>),
}

impl Index {
    /// Finds the documents about a subject that meet a condition.
    pub(super) fn about(&self, subject: DocumentKind, condition: &Condition) -> Result<Box<dyn Query>, IndexError> {
        let found = self.query(subject, condition)?;
        // Only measurements have their facets, shares and numbers.
        if subject == DocumentKind::Measurement && has_own_term(condition) {
            return Ok(found);
        }
        let subject = Term::from_field_text(self.fields.subject, subject.term());
        Ok(Box::new(BooleanQuery::intersection(vec![term(subject), found])))
    }

    fn query(&self, subject: DocumentKind, condition: &Condition) -> Result<Box<dyn Query>, IndexError> {
        let measured = subject == DocumentKind::Measurement;
        Ok(match condition {
            Condition::Facet(facet, values) => {
                let field = if measured { self.fields.facet } else { self.fields.entity_facet };
                self.any_term(
                    values.iter().map(|value| Term::from_field_text(field, &facet_term(*facet, value))).collect(),
                )?
            }
            Condition::Text(text) if measured => {
                let shared = self.shared_with_text(text)?;
                self.any_term(
                    shared.into_iter().map(|shared| Term::from_field_u64(self.fields.shared, shared)).collect(),
                )?
            }
            Condition::Text(text) => self.text(text),
            Condition::Entities(kind, ids) if subject == DocumentKind::Entity(*kind) => {
                self.any_term(ids.iter().map(|id| Term::from_field_text(self.fields.entity, id)).collect())?
            }
            Condition::Entities(..) => Box::new(EmptyQuery),
            _ if !measured && is_of_measurements(condition) => Box::new(EmptyQuery),
            Condition::Remarks(numbers) => self.any_term(
                numbers
                    .iter()
                    .map(|number| Term::from_field_u64(self.fields.shared, SharedText::Remark(*number).term()))
                    .collect(),
            )?,
            Condition::Shares(part, numbers) if numbers.len() < MANY_SHARES => {
                let shared = |number: &u32| SharedText::Part(*part, *number).term();
                self.any_term(
                    numbers.iter().map(|number| Term::from_field_u64(self.fields.shared, shared(number))).collect(),
                )?
            }
            Condition::Shares(part, numbers) => in_column(self.rows.column(*part).clone(), numbers),
            Condition::Field(field, low, high) => match self.fields.number(*field) {
                Some(column) => range(column, *low, *high),
                None => Box::new(EmptyQuery),
            },
            Condition::Metric(metric, low, high) => range(self.fields.metric(*metric), *low, *high),
            Condition::All(all) if all.is_empty() => Box::new(AllQuery),
            Condition::All(all) => {
                let mut clauses: Vec<(Occur, Box<dyn Query>)> = Vec::new();
                for part in all {
                    clauses.push(match part {
                        // The terms of facets can be asked in any order as they are; phrases and ranges cannot.
                        Condition::Not(inner) if matches!(**inner, Condition::Facet(..)) => {
                            (Occur::MustNot, self.query(subject, inner)?)
                        }
                        Condition::Not(inner) => {
                            (Occur::MustNot, Box::new(CollectedQuery(self.query(subject, inner)?)) as Box<dyn Query>)
                        }
                        part => (Occur::Must, self.query(subject, part)?),
                    });
                }
                // A conjunction of negations alone would match nothing.
                if clauses.iter().all(|(occur, _)| *occur == Occur::MustNot) {
                    clauses.push((Occur::Must, Box::new(AllQuery)));
                }
                Box::new(BooleanQuery::new(clauses))
            }
            Condition::Any(any) => {
                let queries = any.iter().map(|part| self.query(subject, part)).collect::<Result<_, _>>()?;
                Box::new(BooleanQuery::union(queries))
            }
            Condition::Not(_) => self.query(subject, &Condition::All(vec![condition.clone()]))?,
        })
    }

    /// The words of a text, one after the other; a text without words is found nowhere.
    pub(super) fn text(&self, text: &str) -> Box<dyn Query> {
        let mut words = Vec::new();
        let Ok(mut tokenizer) = self.searcher.index().tokenizer_for_field(self.fields.text) else {
            return Box::new(EmptyQuery);
        };
        let mut stream = tokenizer.token_stream(text);
        while let Some(token) = stream.next() {
            words.push(Term::from_field_text(self.fields.text, &token.text));
        }
        match words.len() {
            0 => Box::new(EmptyQuery),
            1 => term(words.remove(0)),
            _ => Box::new(PhraseQuery::new(words)),
        }
    }

    /// The documents with one of these terms.
    fn any_term(&self, mut terms: Vec<Term>) -> Result<Box<dyn Query>, IndexError> {
        if terms.len() >= MANY_TERMS {
            // `year:2020..` asks for many years of which few have come.
            let mut there = Vec::with_capacity(terms.len());
            for term in terms {
                if self.searcher.doc_freq(&term)? > 0 {
                    there.push(term);
                }
            }
            terms = there;
        }
        Ok(match terms.len() {
            0 => Box::new(EmptyQuery),
            1 => term(terms.remove(0)),
            few if few < MANY_TERMS => Box::new(BooleanQuery::union(terms.into_iter().map(term).collect())),
            _ => Box::new(TermSetQuery::new(terms)),
        })
    }

    /// What measurements share that has a text in it.
    pub(super) fn with_shared_text(&self, text: &str) -> Box<dyn Query> {
        let shared = Term::from_field_text(self.fields.subject, SHARED);
        Box::new(BooleanQuery::intersection(vec![term(shared), self.text(text)]))
    }
}

/// Whether every document that meets the condition is a measurement, because only those have such terms.
fn has_own_term(condition: &Condition) -> bool {
    match condition {
        Condition::Facet(..)
        | Condition::Text(_)
        | Condition::Remarks(_)
        | Condition::Entities(..)
        | Condition::Field(..)
        | Condition::Metric(..)
        | Condition::Shares(..) => true,
        Condition::All(all) => all.iter().any(has_own_term),
        Condition::Any(any) => any.iter().all(has_own_term),
        Condition::Not(_) => false,
    }
}

fn is_of_measurements(condition: &Condition) -> bool {
    matches!(condition, Condition::Shares(..) | Condition::Remarks(_) | Condition::Field(..) | Condition::Metric(..))
}

fn term(term: Term) -> Box<dyn Query> {
    Box::new(TermQuery::new(term, IndexRecordOption::Basic))
}

fn range(field: IndexField, low: Bound<f64>, high: Bound<f64>) -> Box<dyn Query> {
    let term = |bound: Bound<f64>| bound.map(|value| Term::from_field_f64(field, as_stored(value)));
    Box::new(RangeQuery::new(term(low), term(high)))
}

/// The documents whose share is one of `shares`.
fn in_column(column: PartColumn, shares: &[u32]) -> Box<dyn Query> {
    let wanted = Arc::new(wanted(shares));
    Box::new(DocPredicateQuery::from(FunctionPredicate::from(move |_: &SegmentReader| {
        let (column, wanted) = (column.clone(), Arc::clone(&wanted));
        Ok(move |doc: DocId| column.retain_passing(&mut [doc], &wanted) > 0)
    })))
}
