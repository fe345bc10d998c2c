//! What can be asked of a knowledge base: questions, comparisons, figures, tables, and what they cite.

use std::path::Path;
use std::thread;

use strum::VariantArray as _;

use super::KnowledgeBase;
use crate::ask::answer::{Answer, Explanation, FacetCounts, Page, ask, ask_apart, estimate, explain, facets};
use crate::ask::compare::{CompareError, CompareRequest, Compared, PairVerdict, compare, pair};
use crate::ask::contradictions::{Contradictions, contradictions};
use crate::ask::evidence::{Evidence, EvidenceRequest, Wanted, WantedRequest, evidence, wanted};
use crate::ask::execute::Estimates;
use crate::ask::found::{EntitiesFound, entities};
use crate::ask::parse::{QueryError, from_json, print};
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
        self.asked(|stores| ask(stores, question, page))
    }

    /// Answers a question with its measurements apart, to be read a portion at a time, however many they are. Which of them are the best,
    /// and what must be said of all together, the answer does not tell then.
    ///
    /// # Errors
    ///
    /// As [`query`](Self::query).
    pub fn query_rows(&self, question: &str, page: &Page) -> Result<(Answer, FoundRows<'_>), QueryError> {
        let (answer, rows) = self.asked(|stores| ask_apart(stores, question, page))?;
        Ok((answer, FoundRows::of(self, rows)))
    }

    /// Every measurement, by id of its source and then in the order of its file.
    ///
    /// # Errors
    ///
    /// When the database fails.
    pub fn all_rows(&self) -> Result<FoundRows<'_>, DatabaseError> {
        Ok(FoundRows::of(self, (0..self.counts()?.measurements).collect()))
    }

    /// Questions to begin with that have an answer here.
    pub fn examples(&self) -> Vec<ExampleQuestion> {
        examples(self.stores())
    }

    /// The names of the catalog, which are all that a question is read by.
    pub fn names(&self) -> &impl Lookup<Error = DatabaseError> {
        &self.stores().database
    }

    /// A question given as data, in the explicit language; asked as text, it is the same question.
    ///
    /// # Errors
    ///
    /// When it is not as [`QUESTION_SCHEMA`](crate::ask::parse::QUESTION_SCHEMA) says, or the database fails.
    pub fn canonical(&self, question: &serde_json::Value) -> Result<String, QueryError> {
        self.asked(|stores| Ok(print(&from_json(question, &stores.database)?)))
    }

    /// Says how a question is read, what each part of it leaves, and how it is answered.
    ///
    /// # Errors
    ///
    /// When the question has a mistake in its grammar, or a store fails.
    pub fn explain(&self, question: &str) -> Result<Explanation, QueryError> {
        self.asked(|stores| explain(stores, question))
    }

    /// Pivots everything that a question finds.
    ///
    /// # Errors
    ///
    /// When the question has a mistake in its grammar, the request cannot be met, or a store fails.
    pub fn compare(&self, question: &str, request: &CompareRequest) -> Result<Compared, CompareError> {
        self.asked(|stores| compare(stores, question, request))
    }

    /// The figure that a request makes of everything that a question finds.
    ///
    /// # Errors
    ///
    /// When the question has a mistake, when nothing is found, or when what would stand together cannot be compared.
    pub fn figure(&self, question: &str, request: &plot::PlotRequest) -> Result<Figure, FigureError> {
        self.asked(|stores| figure(stores, question, request))
    }

    /// The verdict on two or more measurements, named by their ids or beginnings of ids: whether they can be compared,
    /// field by field.
    ///
    /// # Errors
    ///
    /// When an id leads to no measurement or to several, they have no metric in common, or the database fails.
    pub fn verdict(
        &self,
        ids: &[String],
        metric: Option<Metric>,
        relaxed: &[Criterion],
    ) -> Result<PairVerdict, CompareError> {
        self.asked(|stores| pair(stores, ids, metric, relaxed))
    }

    /// Holds claims against what was measured: the catalog's, or somebody's own.
    ///
    /// # Errors
    ///
    /// When a store fails, or a filter of a definition or claim is no question.
    pub fn evidence(&self, request: &EvidenceRequest) -> Result<Evidence, QueryError> {
        self.asked(|stores| evidence(stores, &stores.content, request))
    }

    /// What a device would do where others were measured: no measurement.
    ///
    /// # Errors
    ///
    /// When the question has a mistake in its grammar, or a store fails.
    pub fn estimate(&self, question: &str) -> Result<Estimates, QueryError> {
        self.asked(|stores| estimate(stores, &stores.content, question))
    }

    /// All values of what one field tells apart beside which another was measured in the same setting.
    ///
    /// # Errors
    ///
    /// When a store fails.
    pub fn comparable_values(&self, field: Field) -> Result<ComparableValues, QueryError> {
        self.asked(|stores| comparable_values(stores, field))
    }

    /// Measurements that nobody has made, those first that would settle most.
    ///
    /// # Errors
    ///
    /// When a store fails, or a filter of a definition or claim is no question.
    pub fn wanted(&self, request: &WantedRequest) -> Result<Wanted, QueryError> {
        self.asked(|stores| wanted(stores, &stores.content, request))
    }

    /// Where two who measured the same do not agree, of the rows that a question finds.
    ///
    /// # Errors
    ///
    /// When the question has a mistake in its grammar, or a store fails.
    pub fn contradictions(&self, question: &str) -> Result<Contradictions, QueryError> {
        self.asked(|stores| contradictions(stores, &stores.content, question))
    }

    /// Counts the values of each field over all measurements that an answer found, not only over its page.
    ///
    /// # Errors
    ///
    /// When a store fails.
    pub fn facets(&self, answer: &Answer) -> Result<Vec<FacetCounts>, QueryError> {
        self.asked(|stores| facets(stores, answer))
    }

    /// The entities of one kind that a question is about; an empty question is about all.
    ///
    /// # Errors
    ///
    /// When the question has a mistake in its grammar, or a store fails.
    pub fn entities(&self, kind: EntityKind, question: &str) -> Result<EntitiesFound, QueryError> {
        self.asked(|stores| entities(stores, kind, question))
    }

    /// A table of the catalog, of the entities that [`entities`](Self::entities) found for its filter.
    ///
    /// # Errors
    ///
    /// When there is no such column or survey, or the database fails.
    pub fn table(&self, request: &TableRequest, found: Option<&EntitiesFound>) -> Result<CatalogGrid, TableError> {
        self.asked(|stores| {
            if request.sources {
                return applied_to_sources(stores, request, found);
            }
            let built = catalog_table(&stores.database, request, found)?;
            if request.evidence { with_verdicts(stores, request, built) } else { Ok(built) }
        })
    }

    /// The known measurements nearest to a new one on a class of hardware, two at most.
    ///
    /// # Errors
    ///
    /// When a store fails.
    pub fn nearest(&self, row: &Measurement, class: HardwareClass) -> Result<Vec<Measurement>, QueryError> {
        self.asked(|stores| nearest_known(stores, row, class))
    }

    /// What an answer cites: the sources of its measurements, what the facts shown cite where there is none, and the
    /// knowledge base.
    ///
    /// # Errors
    ///
    /// When a store or a file fails.
    pub fn references_of(&self, answer: &Answer) -> Result<References, OpenError> {
        self.asked(|stores| cited_by(answer, stores, &self.root))
    }

    /// The sources of these ids, what the citations name, and the knowledge base.
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
        self.asked(|stores| cited(ids.iter().copied(), citations, stores, &self.root))
    }

    /// The knowledge base as a paper cites it.
    ///
    /// # Errors
    ///
    /// When a store or `catalog/kb.toml` fails.
    pub fn reference(&self) -> Result<KbReference, OpenError> {
        self.asked(|stores| knowledge_base_reference(stores, &self.root))
    }
}

impl KnowledgeBase {
    /// Opens the knowledge base at `root` and asks it, with the same result as [`open_with_cache`](Self::open_with_cache) and
    /// `ask` one after the other.
    ///
    /// `ask` begins with the stores of the content that the files had last, while another thread looks at the files. Where they
    /// have changed, what came of it is dropped, and it is asked once more: it must do nothing but return.
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
            // A thread that panicked has seen nothing.
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

/// Rows that are in memory at a time.
const PORTION: usize = 2048;

/// The rows that a question finds, in their order.
#[derive(Debug)]
pub struct FoundRows<'k> {
    kb: &'k KnowledgeBase,
    /// The content in which the rows have these numbers.
    content: String,
    numbers: Vec<u64>,
}

impl<'k> FoundRows<'k> {
    pub(super) fn of(kb: &'k KnowledgeBase, numbers: Vec<u64>) -> Self {
        Self { kb, content: kb.content().to_owned(), numbers }
    }

    /// How many there are.
    pub fn len(&self) -> usize {
        self.numbers.len()
    }

    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.numbers.is_empty()
    }

    /// All of them from the beginning, joined with what the catalog says of them.
    pub fn portions(&self) -> impl Iterator<Item = Result<Vec<JoinedRow>, DatabaseError>> {
        let mut entities = EntityCache::default();
        self.numbers.chunks(PORTION).map(move |portion| {
            self.kb.asked(|stores| {
                if stores.content != self.content {
                    return Err(ParseError::expected("files that do not change while they are read").into());
                }
                entities.join(&stores.database, stores.database.measurements(portion)?)
            })
        })
    }
}
