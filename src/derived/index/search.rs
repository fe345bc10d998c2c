//! Asking the index.

use std::collections::BTreeMap;
use std::ops::Bound;
use std::path::Path;

use tantivy::collector::{Collector, Count, SegmentCollector};
use tantivy::columnar::{Column, StrColumn};
use tantivy::query::{
    AllQuery, BooleanQuery, EmptyQuery, Occur, PhraseQuery, Query, RangeQuery, TermQuery, TermSetQuery,
};
use tantivy::schema::{IndexRecordOption, Term};
use tantivy::{DocId, ReloadPolicy, Score, SegmentOrdinal, SegmentReader};

use super::collected::Collected;
use super::schema::{Fields, JOINED, SOURCE_COLUMN, column_name, is_numeric, metric_name};
use super::{Index, IndexError};
use crate::model::{Facet, Field, Metric};
use crate::values::EntityKind;

/// What a document is about.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Subject {
    /// A measurement.
    Measurement,
    /// A catalog entity.
    Entity(EntityKind),
}

impl Subject {
    pub(super) fn term(self) -> &'static str {
        match self {
            Self::Measurement => "measurement",
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
    /// A field's number within bounds.
    Field(Field, Bound<f64>, Bound<f64>),
    /// A metric's value within bounds.
    Metric(Metric, Bound<f64>, Bound<f64>),
    /// Each of these; none of them is always met.
    All(Vec<Condition>),
    /// One of these.
    Any(Vec<Condition>),
    /// Not this.
    Not(Box<Condition>),
}

/// What measurements are sorted by; rows without a value come last.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Sort {
    /// A metric or a numeric field.
    pub by: SortKey,
    /// Largest first.
    pub descending: bool,
}

/// A number that a measurement may have.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum SortKey {
    /// A metric.
    Metric(Metric),
    /// A numeric field.
    Field(Field),
}

impl SortKey {
    /// The metric or numeric field of this name.
    pub fn named(name: &str) -> Option<Self> {
        let metric = name.parse().ok().map(Self::Metric);
        metric.or_else(|| {
            let field = name.parse().ok().filter(|field| is_numeric(*field));
            field.map(Self::Field)
        })
    }

    fn column(self) -> String {
        match self {
            Self::Metric(metric) => metric_name(metric),
            Self::Field(field) => column_name(field),
        }
    }
}

/// The measurements that meet a condition.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Hits {
    /// How many there are.
    pub total: usize,
    /// The rows of the page that was asked for.
    pub rows: Vec<u64>,
    /// How many name each entity, over all of them.
    pub entities: BTreeMap<EntityKind, BTreeMap<String, usize>>,
}

impl Index {
    /// Opens a finished index.
    pub fn open(path: &Path) -> Result<Self, IndexError> {
        Self::of(tantivy::Index::open_in_dir(path)?)
    }

    pub(super) fn of(index: tantivy::Index) -> Result<Self, IndexError> {
        let fields = Fields::of(&index.schema())?;
        let reader =
            index.reader_builder().reload_policy(ReloadPolicy::Manual).doc_store_cache_num_blocks(0).try_into()?;
        Ok(Self { searcher: reader.searcher(), fields })
    }

    /// How many documents of a subject meet a condition.
    pub fn count(&self, subject: Subject, condition: &Condition) -> Result<usize, IndexError> {
        Ok(self.searcher.search(&self.about(subject, condition), &Count)?)
    }

    /// Whether a word occurs in the text of any document.
    pub fn has_text(&self, word: &str) -> Result<bool, IndexError> {
        Ok(self.searcher.search(&self.text(word), &Count)? > 0)
    }

    /// The entities of a kind that meet a condition, by id.
    pub fn entities(&self, kind: EntityKind, condition: &Condition) -> Result<Vec<String>, IndexError> {
        let query = self.about(Subject::Entity(kind), condition);
        let hits = self.searcher.search(&query, &Tally { columns: vec!["entity".to_owned()], sort: None })?;
        Ok(hits.counts.into_iter().flatten().map(|(id, _)| id).collect())
    }

    /// The measurements that meet a condition: all are counted and joined, one page is returned.
    pub fn measurements(
        &self,
        condition: &Condition,
        sort: Option<Sort>,
        offset: usize,
        limit: usize,
    ) -> Result<Hits, IndexError> {
        let mut columns: Vec<String> = JOINED.iter().map(|field| column_name(*field)).collect();
        columns.push(SOURCE_COLUMN.to_owned());
        let tally = Tally { columns, sort: sort.map(|sort| sort.by.column()) };
        let mut found = self.searcher.search(&self.about(Subject::Measurement, condition), &tally)?;
        if let Some(sort) = sort {
            found.rows.sort_by(|(a, x), (b, y)| {
                let by_value = match (x, y) {
                    (Some(x), Some(y)) if sort.descending => y.total_cmp(x),
                    (Some(x), Some(y)) => x.total_cmp(y),
                    (x, y) => y.is_some().cmp(&x.is_some()),
                };
                by_value.then(a.cmp(b))
            });
        } else {
            found.rows.sort_unstable_by_key(|(row, _)| *row);
        }
        let kinds = JOINED
            .iter()
            .map(|field| match field {
                Field::Framework | Field::Backend => EntityKind::Framework,
                Field::Device => EntityKind::Device,
                Field::Network => EntityKind::Network,
                _ => EntityKind::Dataset,
            })
            .chain([EntityKind::Source]);
        let mut entities: BTreeMap<EntityKind, BTreeMap<String, usize>> = BTreeMap::new();
        for (kind, counts) in kinds.zip(found.counts) {
            let of_kind = entities.entry(kind).or_default();
            for (id, count) in counts {
                *of_kind.entry(id).or_default() += count;
            }
        }
        Ok(Hits {
            total: found.rows.len(),
            rows: found.rows.into_iter().skip(offset).take(limit).map(|(row, _)| row).collect(),
            entities,
        })
    }

    fn about(&self, subject: Subject, condition: &Condition) -> BooleanQuery {
        let subject = Term::from_field_text(self.fields.subject, subject.term());
        BooleanQuery::intersection(vec![
            Box::new(TermQuery::new(subject, IndexRecordOption::Basic)),
            self.query(condition),
        ])
    }

    fn query(&self, condition: &Condition) -> Box<dyn Query> {
        match condition {
            Condition::Facet(facet, values) => {
                let field = self.fields.facet(*facet);
                Box::new(TermSetQuery::new(values.iter().map(|value| Term::from_field_text(field, value))))
            }
            Condition::Text(text) => self.text(text),
            Condition::Field(field, low, high) => range(&column_name(*field), self.searcher.schema(), *low, *high),
            Condition::Metric(metric, low, high) => range(&metric_name(*metric), self.searcher.schema(), *low, *high),
            Condition::All(all) if all.is_empty() => Box::new(AllQuery),
            Condition::All(all) => {
                // A conjunction of negations alone would match nothing.
                let mut clauses: Vec<(Occur, Box<dyn Query>)> = vec![(Occur::Must, Box::new(AllQuery))];
                clauses.extend(all.iter().map(|part| match part {
                    Condition::Not(inner) => (Occur::MustNot, Box::new(Collected(self.query(inner))) as Box<dyn Query>),
                    part => (Occur::Must, self.query(part)),
                }));
                if clauses.iter().skip(1).any(|(occur, _)| *occur == Occur::Must) {
                    clauses.remove(0);
                }
                Box::new(BooleanQuery::new(clauses))
            }
            Condition::Any(any) => Box::new(BooleanQuery::union(any.iter().map(|part| self.query(part)).collect())),
            Condition::Not(_) => self.query(&Condition::All(vec![condition.clone()])),
        }
    }

    /// The words of a text, one after the other; a text without words is found nowhere.
    fn text(&self, text: &str) -> Box<dyn Query> {
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
            1 => Box::new(TermQuery::new(words.remove(0), IndexRecordOption::Basic)),
            _ => Box::new(PhraseQuery::new(words)),
        }
    }
}

fn range(name: &str, schema: &tantivy::schema::Schema, low: Bound<f64>, high: Bound<f64>) -> Box<dyn Query> {
    let Ok(field) = schema.get_field(name) else {
        return Box::new(EmptyQuery);
    };
    let term = |bound: Bound<f64>| bound.map(|value| Term::from_field_f64(field, value));
    Box::new(RangeQuery::new(term(low), term(high)))
}

/// Collects the rows of all hits (with the value to sort by) and counts the values of some columns.
struct Tally {
    columns: Vec<String>,
    sort: Option<String>,
}

#[derive(Default)]
struct Tallied {
    rows: Vec<(u64, Option<f64>)>,
    counts: Vec<Vec<(String, usize)>>,
}

struct SegmentTally {
    row: Option<Column<u64>>,
    sort: Option<Column<f64>>,
    rows: Vec<(u64, Option<f64>)>,
    columns: Vec<Option<(StrColumn, Vec<usize>)>>,
}

impl Collector for Tally {
    type Fruit = Tallied;
    type Child = SegmentTally;

    fn for_segment(&self, _: SegmentOrdinal, segment: &SegmentReader) -> tantivy::Result<SegmentTally> {
        let fast = segment.fast_fields();
        let columns = self
            .columns
            .iter()
            .map(|name| {
                let column = fast.str(name)?;
                Ok(column.map(|column| {
                    let counts = vec![0; column.num_terms()];
                    (column, counts)
                }))
            })
            .collect::<tantivy::Result<_>>()?;
        Ok(SegmentTally {
            row: fast.column_opt("row")?,
            sort: match &self.sort {
                Some(name) => fast.column_opt(name)?,
                None => None,
            },
            rows: Vec::new(),
            columns,
        })
    }

    fn requires_scoring(&self) -> bool {
        false
    }

    fn merge_fruits(&self, fruits: Vec<tantivy::Result<Tallied>>) -> tantivy::Result<Tallied> {
        let mut whole = Tallied { rows: Vec::new(), counts: vec![Vec::new(); self.columns.len()] };
        for part in fruits {
            let part = part?;
            whole.rows.extend(part.rows);
            for (all, counts) in whole.counts.iter_mut().zip(part.counts) {
                all.extend(counts);
            }
        }
        Ok(whole)
    }
}

impl SegmentCollector for SegmentTally {
    type Fruit = tantivy::Result<Tallied>;

    fn collect(&mut self, doc: DocId, _: Score) {
        if let Some(row) = self.row.as_ref().and_then(|column| column.first(doc)) {
            let value = self.sort.as_ref().and_then(|column| column.first(doc));
            self.rows.push((row, value));
        }
        for (column, counts) in self.columns.iter_mut().flatten() {
            for term in column.ords().values_for_doc(doc) {
                counts[term as usize] += 1;
            }
        }
    }

    fn harvest(self) -> tantivy::Result<Tallied> {
        let mut counts = Vec::with_capacity(self.columns.len());
        for column in self.columns {
            let mut named = Vec::new();
            if let Some((column, counts)) = column {
                for (term, count) in counts.into_iter().enumerate().filter(|(_, count)| *count > 0) {
                    let mut name = String::new();
                    column.ord_to_str(term as u64, &mut name)?;
                    named.push((name, count));
                }
            }
            counts.push(named);
        }
        Ok(Tallied { rows: self.rows, counts })
    }
}
