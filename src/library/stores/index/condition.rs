//! Conditions on the documents of an open index: each becomes a tantivy query, or a check of columns for the documents that
//! match all other conditions.

use std::ops::{Bound, RangeBounds as _};
use std::path::Path;
use std::sync::Arc;

use tantivy::columnar::Column;
use tantivy::query::doc_predicate_query::{DocPredicateQuery, FunctionPredicate};
use tantivy::query::{
    AllQuery, BitSetDocSet, BooleanQuery, ConstScorer, EmptyQuery, EnableScoring, Explanation, Occur, PhraseQuery,
    Query, RangeQuery, Scorer, TermQuery, TermSetQuery, Weight,
};
use tantivy::schema::{Field as IndexField, IndexRecordOption, Term};
use tantivy::{BitSet, COLLECT_BLOCK_BUFFER_LEN, DocId, DocSet as _, ReloadPolicy, Score, SegmentReader, TERMINATED};

use super::IndexError;
use super::schema::{
    IndexFields, MEASUREMENT, SHARED, SharedText, as_stored, facet_term, has_column, metric_name, number_name,
};
use super::schema::{PartColumn, RowParts, wanted};
use crate::model::{Facet, Field, Metric, Part};
use crate::stores::memo::Memo;
use crate::values::EntityKind;

/// From this number of shares on, checking the column of each document is faster than a union of postings.
pub(super) const MANY_SHARES: usize = 128;

/// From this number of terms on, an automaton over the dictionary is faster than a look-up of each term.
const MANY_TERMS: usize = 64;

/// The kind of thing that a document describes.
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

/// A condition on documents.
#[derive(Debug, Clone, PartialEq)]
pub enum Condition {
    /// The facet has one of these values.
    Facet(Facet, Vec<String>),
    /// The text contains these words as a phrase.
    Text(String),
    /// The setup, workload, protocol or batch is one of these; never true of entities.
    Shares(Part, Vec<u32>),
    /// A label or note is one of these; never true of entities.
    Remarks(Vec<u32>),
    /// The document is one of these entities; never true of measurements.
    Entities(EntityKind, Vec<String>),
    /// A number that rows state individually is within bounds (for shared ones use [`Self::Shares`]); never true of entities.
    Field(Field, Bound<f64>, Bound<f64>),
    /// The value of a metric is within bounds; never true of entities.
    Metric(Metric, Bound<f64>, Bound<f64>),
    /// All of these hold; an empty list always holds.
    All(Vec<Condition>),
    /// At least one of these holds.
    Any(Vec<Condition>),
    /// This does not hold.
    Not(Box<Condition>),
}

impl Index {
    /// The query for the documents of this kind that meet a condition.
    pub(super) fn about(&self, subject: DocumentKind, condition: &Condition) -> Result<Box<dyn Query>, IndexError> {
        let found = self.query(subject, condition)?;
        // Only measurements have these facet terms, shares and numbers, so the kind need not be checked.
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
                        // Facet terms can be excluded in any order; hits of phrases and ranges must be collected first.
                        Condition::Not(inner) if matches!(**inner, Condition::Facet(..)) => {
                            (Occur::MustNot, self.query(subject, inner)?)
                        }
                        Condition::Not(inner) => {
                            (Occur::MustNot, Box::new(CollectedQuery(self.query(subject, inner)?)) as Box<dyn Query>)
                        }
                        part => (Occur::Must, self.query(subject, part)?),
                    });
                }
                // A conjunction of negations only would match nothing.
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

    /// A query for the words of a text as a phrase; a text without words matches nothing.
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

    /// A query for documents with at least one of these terms.
    fn any_term(&self, mut terms: Vec<Term>) -> Result<Box<dyn Query>, IndexError> {
        if terms.len() >= MANY_TERMS {
            // `year:2020..` gives terms for many years, few of which occur.
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

    /// A query for the shared texts of measurements that contain a text.
    pub(super) fn with_shared_text(&self, text: &str) -> Box<dyn Query> {
        let shared = Term::from_field_text(self.fields.subject, SHARED);
        Box::new(BooleanQuery::intersection(vec![term(shared), self.text(text)]))
    }
}

/// Whether the condition implies that the document is a measurement, because only those have such terms.
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

/// A query for the documents whose share is one of `shares`.
fn in_column(column: PartColumn, shares: &[u32]) -> Box<dyn Query> {
    let wanted = Arc::new(wanted(shares));
    Box::new(DocPredicateQuery::from(FunctionPredicate::from(move |_: &SegmentReader| {
        let (column, wanted) = (column.clone(), Arc::clone(&wanted));
        Ok(move |doc: DocId| column.retain_passing(&mut [doc], &wanted) > 0)
    })))
}

/// Lower and upper bound of a number.
pub(super) type NumberRange = (Bound<f64>, Bound<f64>);

/// A condition on a column, which every hit must meet.
#[derive(Debug, Clone, PartialEq)]
pub(super) enum ColumnFilter {
    /// A number within bounds.
    Number { column: String, bounds: NumberRange },
    /// The share has the entry `true` in `wanted`.
    Shares { part: crate::model::Part, wanted: Vec<bool> },
}

/// Splits a condition into a query for the inverted index and filters that check each document found. Both must hold.
pub(super) fn divide(condition: &Condition) -> (Condition, Vec<ColumnFilter>) {
    let mut found = Vec::new();
    let mut filters = Vec::new();
    take(condition, &mut found, &mut filters);
    (Condition::All(found), filters)
}

fn take(condition: &Condition, found: &mut Vec<Condition>, filters: &mut Vec<ColumnFilter>) {
    let within = |column, low: &Bound<f64>, high: &Bound<f64>| ColumnFilter::Number {
        column,
        bounds: (low.map(as_stored), high.map(as_stored)),
    };
    match condition {
        Condition::All(all) => all.iter().for_each(|condition| take(condition, found, filters)),
        Condition::Any(any) if any.len() == 1 => take(&any[0], found, filters),
        Condition::Metric(metric, low, high) => filters.push(within(metric_name(*metric), low, high)),
        Condition::Field(field, low, high) if has_column(*field) => {
            filters.push(within(number_name(*field), low, high));
        }
        Condition::Shares(part, shares) if shares.len() >= MANY_SHARES => {
            filters.push(ColumnFilter::Shares { part: *part, wanted: wanted(shares) });
        }
        condition => found.push(condition.clone()),
    }
}

/// A column filter with the columns of a segment.
pub(super) enum OpenColumnFilter {
    Number {
        /// `None` if no document has such a number.
        column: Option<Column<f64>>,
        bounds: NumberRange,
    },
    Shares {
        column: PartColumn,
        wanted: Vec<bool>,
    },
}

impl ColumnFilter {
    pub fn open(&self, segment: &SegmentReader, rows: &RowParts) -> tantivy::Result<OpenColumnFilter> {
        Ok(match self {
            Self::Number { column, bounds } => {
                OpenColumnFilter::Number { column: segment.fast_fields().column_opt(column)?, bounds: *bounds }
            }
            Self::Shares { part, wanted } => {
                OpenColumnFilter::Shares { column: rows.column(*part).clone(), wanted: wanted.clone() }
            }
        })
    }
}

impl OpenColumnFilter {
    /// Moves the documents that pass to the front of the block, and returns their number.
    pub fn retain_passing(&self, docs: &mut [DocId]) -> usize {
        match self {
            Self::Shares { column, wanted } => column.retain_passing(docs, wanted),
            Self::Number { column: None, .. } => 0,
            Self::Number { column: Some(column), bounds } => {
                let mut values = [None; COLLECT_BLOCK_BUFFER_LEN];
                let values = &mut values[..docs.len()];
                column.first_vals(docs, values);
                let mut count = 0;
                for at in 0..docs.len() {
                    docs[count] = docs[at];
                    count += usize::from(values[at].is_some_and(|value| bounds.contains(&value)));
                }
                count
            }
        }
    }
}

/// A query that collects all hits of another query first.
#[derive(Debug)]
pub(super) struct CollectedQuery(pub Box<dyn Query>);

impl Clone for CollectedQuery {
    fn clone(&self) -> Self {
        Self(self.0.box_clone())
    }
}

impl Query for CollectedQuery {
    fn weight(&self, scoring: EnableScoring<'_>) -> tantivy::Result<Box<dyn Weight>> {
        Ok(Box::new(CollectedWeight(self.0.weight(scoring)?)))
    }
}

struct CollectedWeight(Box<dyn Weight>);

impl Weight for CollectedWeight {
    fn scorer(&self, reader: &SegmentReader, boost: Score) -> tantivy::Result<Box<dyn Scorer>> {
        let mut hits = BitSet::with_max_value(reader.max_doc());
        let mut scorer = self.0.scorer(reader, boost)?;
        while scorer.doc() != TERMINATED {
            hits.insert(scorer.doc());
            scorer.advance();
        }
        Ok(Box::new(ConstScorer::new(BitSetDocSet::from(hits), boost)))
    }

    fn explain(&self, reader: &SegmentReader, doc: DocId) -> tantivy::Result<Explanation> {
        self.0.explain(reader, doc)
    }
}

/// An open index.
pub struct Index {
    pub(super) searcher: tantivy::Searcher,
    pub(super) fields: IndexFields,
    pub(super) rows: RowParts,
    /// The columns of numbers, by name; `None` for those that no document has.
    columns: Memo<String, Option<Column<f64>>>,
}

impl std::fmt::Debug for Index {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "Index({} documents)", self.searcher.num_docs())
    }
}

impl Index {
    /// Opens a finished index.
    pub fn open(path: &Path) -> Result<Self, IndexError> {
        Self::of(tantivy::Index::open_in_dir(path)?)
    }

    pub(super) fn of(index: tantivy::Index) -> Result<Self, IndexError> {
        let fields = IndexFields::of(&index.schema())?;
        let reader =
            index.reader_builder().reload_policy(ReloadPolicy::Manual).doc_store_cache_num_blocks(0).try_into()?;
        let rows = RowParts::open(index.directory())?;
        Ok(Self { searcher: reader.searcher(), fields, rows, columns: Memo::default() })
    }

    /// A column of numbers; `None` if no document has it. The index has one segment, whose documents are the database's rows.
    pub(super) fn column(&self, name: String) -> tantivy::Result<Option<Column<f64>>> {
        self.columns.get_or(name, |name| {
            let segment = self.searcher.segment_readers().first();
            segment.map_or(Ok(None), |segment| segment.fast_fields().column_opt(name))
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::model::{Facet, Metric, Part};

    #[test]
    fn only_what_must_hold_for_all_is_looked_up() {
        let fast = Condition::Metric(Metric::LatencyMs, Bound::Unbounded, Bound::Excluded(20.0));
        let gpu = Condition::Facet(Facet::Class, vec!["gpu".to_owned()]);
        let few = Condition::Shares(Part::Setup, vec![1, 2]);
        let many = Condition::Shares(Part::Setup, (0..200).collect());
        let (found, filters) =
            divide(&Condition::All(vec![gpu.clone(), Condition::Any(vec![fast.clone()]), few.clone(), many]));
        assert_eq!(found, Condition::All(vec![gpu.clone(), few]));
        assert_eq!(filters.len(), 2);
        let either = Condition::Any(vec![fast, gpu]);
        assert_eq!(divide(&either), (Condition::All(vec![either]), Vec::new()));
    }
}
