//! Queries to a knowledge base: questions, comparisons, figures, tables, and their citations.

use std::path::Path;
use std::thread;

use strum::VariantArray as _;

use super::KnowledgeBase;
use crate::ask::answer::{
    Answer, Explanation, FacetCounts, Page, ask, ask_with_row_numbers, estimate, explain, facets, read,
};
use crate::ask::compare::{CompareError, CompareRequest, Compared, PairVerdict, compare, pair};
use crate::ask::contradictions::{Contradictions, contradictions};
use crate::ask::evidence::{Evidence, EvidenceRequest, Wanted, WantedRequest, evidence, wanted};
use crate::ask::execute::Estimates;
use crate::ask::found::{EntitiesFound, entities};
use crate::ask::parse::{QueryError, Span, from_json, print};
use crate::ask::plot::Figure;
use crate::ask::tables::{CatalogGrid, TableError, TableRequest, applied_to_sources, catalog_table, with_verdicts};
use crate::ask::{ComparableValues, comparable_values};
use crate::ask::{
    ExampleQuestion, FigureError, cited, cited_by, examples, figure, knowledge_base_reference, nearest_known, plot,
};
use crate::comparability::Criterion;
use crate::model::{Citation, Field, KbReference, Lookup, Measurement, Metric, References};
use crate::rows::{EntityCache, JoinedRow};
use crate::stores::database::DatabaseError;
use crate::stores::{OpenError, Stores, noted_content};
use crate::values::{EntityKind, HardwareClass, ParseError};

impl KnowledgeBase {
    /// Answers a question; the first page of measurements is in the answer.
    ///
    /// # Errors
    ///
    /// When the question has a mistake in its grammar, or a store fails.
    pub fn query(&self, question: &str) -> Result<Answer, QueryError> {
        self.query_page(question, &Page::default())
    }

    /// Ranks all devices, the devices of each class, frameworks and precisions. Each ranking takes up to a second and is cached with
    /// the index, so later questions do not wait.
    ///
    /// # Errors
    ///
    /// When a store fails.
    pub fn rank_all(&self) -> Result<(), QueryError> {
        let classes = HardwareClass::VARIANTS.iter().map(|&class| class.into());
        for subject in ["device", "framework", "precision"].into_iter().chain(classes) {
            self.query(&format!("fastest {subject}"))?;
        }
        Ok(())
    }

    /// Answers a question with another page of its measurements.
    pub fn query_page(&self, question: &str, page: &Page) -> Result<Answer, QueryError> {
        self.with_stores(|stores| ask(stores, question, page))
    }

    /// Answers a question with all of its measurements separate from the answer, to be read in portions. The answer
    /// then marks no best rows and has no remarks on all of them together.
    ///
    /// # Errors
    ///
    /// As [`query`](Self::query).
    pub fn query_rows(&self, question: &str, page: &Page) -> Result<(Answer, FoundRows<'_>), QueryError> {
        let (answer, rows) = self.with_stores(|stores| ask_with_row_numbers(stores, question, page))?;
        Ok((answer, FoundRows::of(self, rows)))
    }

    /// Every measurement, ordered by source id, then as in its file.
    ///
    /// # Errors
    ///
    /// When the database fails.
    pub fn all_rows(&self) -> Result<FoundRows<'_>, DatabaseError> {
        Ok(FoundRows::of(self, (0..self.counts()?.measurements).collect()))
    }

    /// Example questions that have an answer in this knowledge base.
    pub fn examples(&self) -> Vec<ExampleQuestion> {
        examples(self.stores())
    }

    /// The names of the catalog. Parsing of a question depends on nothing else in it.
    pub fn names(&self) -> &impl Lookup<Error = DatabaseError> {
        &self.stores().database
    }

    /// Converts a question given as data to the explicit query language, which parses to the same question.
    ///
    /// # Errors
    ///
    /// When it does not match [`QUESTION_SCHEMA`](crate::ask::parse::QUESTION_SCHEMA), or the database fails.
    pub fn canonical(&self, question: &serde_json::Value) -> Result<String, QueryError> {
        self.with_stores(|stores| Ok(print(&from_json(question, &stores.database)?)))
    }

    /// Explains how a question is parsed, how many rows each part leaves, and how it is answered.
    ///
    /// # Errors
    ///
    /// When the question has a mistake in its grammar, or a store fails.
    pub fn explain(&self, question: &str) -> Result<Explanation, QueryError> {
        self.with_stores(|stores| explain(stores, question))
    }

    /// Where each word of a question goes, and the question in the explicit language.
    ///
    /// # Errors
    ///
    /// When the question has a mistake in its grammar, or a store fails.
    pub fn read(&self, question: &str) -> Result<(Vec<Span>, String), QueryError> {
        self.with_stores(|stores| read(stores, question))
    }

    /// Pivots all rows that a question matches.
    ///
    /// # Errors
    ///
    /// When the question has a mistake in its grammar, the request cannot be fulfilled, or a store fails.
    pub fn compare(&self, question: &str, request: &CompareRequest) -> Result<Compared, CompareError> {
        self.with_stores(|stores| compare(stores, question, request))
    }

    /// Draws the requested figure of all rows that a question matches.
    ///
    /// # Errors
    ///
    /// When the question has a mistake, when it matches no rows, or when rows to be drawn together cannot be compared.
    pub fn figure(&self, question: &str, request: &plot::PlotRequest) -> Result<Figure, FigureError> {
        self.with_stores(|stores| figure(stores, question, request))
    }

    /// The verdict on two or more measurements, given by id or id prefix: whether they can be compared, field by field.
    ///
    /// # Errors
    ///
    /// When an id matches no measurement or several, they have no metric in common, or the database fails.
    pub fn verdict(
        &self,
        ids: &[String],
        metric: Option<Metric>,
        relaxed: &[Criterion],
    ) -> Result<PairVerdict, CompareError> {
        self.with_stores(|stores| pair(stores, ids, metric, relaxed))
    }

    /// Tests claims against measurements: the catalog's claims, or the caller's.
    ///
    /// # Errors
    ///
    /// When a store fails, or a filter of a definition or claim is not a valid question.
    pub fn evidence(&self, request: &EvidenceRequest) -> Result<Evidence, QueryError> {
        self.with_stores(|stores| evidence(stores, &stores.content, request))
    }

    /// Estimates values for devices where others were measured; estimates are not measurements.
    ///
    /// # Errors
    ///
    /// When the question has a mistake in its grammar, or a store fails.
    pub fn estimate(&self, question: &str) -> Result<Estimates, QueryError> {
        self.with_stores(|stores| estimate(stores, &stores.content, question))
    }

    /// All values of a field that were measured in the same setting as another value of it.
    ///
    /// # Errors
    ///
    /// When a store fails.
    pub fn comparable_values(&self, field: Field) -> Result<ComparableValues, QueryError> {
        self.with_stores(|stores| comparable_values(stores, field))
    }

    /// Measurements that are missing, the most decisive first.
    ///
    /// # Errors
    ///
    /// When a store fails, or a filter of a definition or claim is not a valid question.
    pub fn wanted(&self, request: &WantedRequest) -> Result<Wanted, QueryError> {
        self.with_stores(|stores| wanted(stores, &stores.content, request))
    }

    /// Contradictions between two measurers of the same configuration, among the rows that a question matches.
    ///
    /// # Errors
    ///
    /// When the question has a mistake in its grammar, or a store fails.
    pub fn contradictions(&self, question: &str) -> Result<Contradictions, QueryError> {
        self.with_stores(|stores| contradictions(stores, &stores.content, question))
    }

    /// Counts the values of each field over all measurements that an answer matches, not only over its page.
    ///
    /// # Errors
    ///
    /// When a store fails.
    pub fn facets(&self, answer: &Answer) -> Result<Vec<FacetCounts>, QueryError> {
        self.with_stores(|stores| facets(stores, answer))
    }

    /// The entities of one kind that a question matches; an empty question matches all.
    ///
    /// # Errors
    ///
    /// When the question has a mistake in its grammar, or a store fails.
    pub fn entities(&self, kind: EntityKind, question: &str) -> Result<EntitiesFound, QueryError> {
        self.with_stores(|stores| entities(stores, kind, question))
    }

    /// A table of the catalog, limited to the entities that [`entities`](Self::entities) found for its filter.
    ///
    /// # Errors
    ///
    /// When a column or survey does not exist, or the database fails.
    pub fn table(&self, request: &TableRequest, found: Option<&EntitiesFound>) -> Result<CatalogGrid, TableError> {
        self.with_stores(|stores| {
            if request.sources {
                return applied_to_sources(stores, request, found);
            }
            let built = catalog_table(&stores.database, request, found)?;
            if request.evidence { with_verdicts(stores, request, built) } else { Ok(built) }
        })
    }

    /// The known measurements nearest to a new one on a class of hardware, at most two.
    ///
    /// # Errors
    ///
    /// When a store fails.
    pub fn nearest(&self, row: &Measurement, class: HardwareClass) -> Result<Vec<Measurement>, QueryError> {
        self.with_stores(|stores| nearest_known(stores, row, class))
    }

    /// The references of an answer: the sources of its measurements, or if there are none, the citations of the facts
    /// shown; and the knowledge base.
    ///
    /// # Errors
    ///
    /// When a store or a file fails.
    pub fn references_of(&self, answer: &Answer) -> Result<References, OpenError> {
        self.with_stores(|stores| cited_by(answer, stores, &self.root))
    }

    /// The sources with these ids, the sources and pages of the citations, and the knowledge base.
    ///
    /// # Errors
    ///
    /// When a store or a file fails.
    pub fn references<'i>(
        &self,
        ids: impl IntoIterator<Item = &'i str>,
        citations: &[&Citation],
    ) -> Result<References, OpenError> {
        let ids: Vec<&str> = ids.into_iter().collect();
        self.with_stores(|stores| cited(ids.iter().copied(), citations, stores, &self.root))
    }

    /// The knowledge base as a citable reference.
    ///
    /// # Errors
    ///
    /// When a store or `catalog/kb.toml` fails.
    pub fn reference(&self) -> Result<KbReference, OpenError> {
        self.with_stores(|stores| knowledge_base_reference(stores, &self.root))
    }
}

impl KnowledgeBase {
    /// Opens the knowledge base at `root` and runs `ask` on it, with the same result as
    /// [`open_with_cache`](Self::open_with_cache) followed by `ask`.
    ///
    /// `ask` starts at once on the latest cached stores while another thread checks the files. If they have changed,
    /// its result is dropped and it runs again on new stores: it must have no side effects.
    ///
    /// # Errors
    ///
    /// As [`open`](Self::open).
    pub fn open_and_ask<T>(root: &Path, cache: &Path, ask: impl Fn(&Self) -> T) -> Result<(Self, T), OpenError> {
        let (ahead, content) = thread::scope(|scope| {
            let looking = scope.spawn(|| noted_content(root, cache));
            let ahead = Stores::of_latest(root, cache).map(|stores| {
                let kb = Self::of(stores, root, cache);
                let answer = ask(&kb);
                (kb, answer)
            });
            // A panic in the thread counts as no result.
            (ahead, looking.join().ok().flatten())
        });
        if let Some((kb, answer)) = ahead
            && content.as_deref() == Some(kb.content())
        {
            return Ok((kb, answer));
        }
        let kb = Self::open_with_cache(root, cache)?;
        let answer = ask(&kb);
        Ok((kb, answer))
    }
}

/// Number of rows in memory at a time.
const PORTION: usize = 2048;

/// The rows that a question matches, in order.
#[derive(Debug)]
pub struct FoundRows<'k> {
    kb: &'k KnowledgeBase,
    /// Hash of the content to which the row numbers refer.
    content: String,
    numbers: Vec<u64>,
}

impl<'k> FoundRows<'k> {
    pub(super) fn of(kb: &'k KnowledgeBase, numbers: Vec<u64>) -> Self {
        Self { kb, content: kb.content().to_owned(), numbers }
    }

    /// Number of rows.
    pub fn len(&self) -> usize {
        self.numbers.len()
    }

    /// Whether there are no rows.
    pub fn is_empty(&self) -> bool {
        self.numbers.is_empty()
    }

    /// All rows in portions, joined with the catalog's facts about them.
    pub fn portions(&self) -> impl Iterator<Item = Result<Vec<JoinedRow>, DatabaseError>> {
        let mut entities = EntityCache::default();
        self.numbers.chunks(PORTION).map(move |portion| {
            self.kb.with_stores(|stores| {
                if stores.content != self.content {
                    return Err(ParseError::expected("files that do not change while they are read").into());
                }
                entities.join(&stores.database, stores.database.measurements(portion)?)
            })
        })
    }
}
