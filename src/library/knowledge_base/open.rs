//! The door to a knowledge base for programs.

use std::path::{Path, PathBuf};

use crate::ask::compare::{CompareFailure, Compared, Request, compare};
use crate::ask::plot::{self, Figure};
use crate::ask::query::{
    Answer, EntitiesFound, Explanation, FacetCounts, Page, QueryError, ask, entities, explain, facets,
};
use crate::ask::{ExampleQuestion, FigureError, cited, cited_by, examples, figure, knowledge_base_reference};
use crate::model::{Citation, KbReference, Measurement, References};
use crate::stores::store::{Counts, StoreError};
use crate::stores::{OpenError, Stores};
use crate::values::EntityKind;

/// An open knowledge base.
///
/// ```
/// use dlbench::KnowledgeBase;
///
/// # fn main() -> Result<(), Box<dyn std::error::Error>> {
/// # std::env::set_current_dir(concat!(env!("CARGO_MANIFEST_DIR"), "/../.."))?;
/// let kb = KnowledgeBase::open(".")?;
/// let answer = kb.query("fp16 V100 resnet152")?;
/// assert!(answer.total >= 4);
/// for measurement in &answer.measurements {
///     println!("{}", measurement.id());
/// }
/// # Ok(())
/// # }
/// ```
#[derive(Debug)]
pub struct KnowledgeBase {
    root: PathBuf,
    stores: Stores,
}

impl KnowledgeBase {
    /// Opens the knowledge base at `root`, the folder that holds `catalog/` and `measurements/`. What is derived from
    /// its files is kept in the user's cache folder and built again when a file has changed.
    ///
    /// # Errors
    ///
    /// When the files cannot be read, with every mistake in them.
    pub fn open(root: impl AsRef<Path>) -> Result<Self, OpenError> {
        Self::open_with_cache(root, default_cache())
    }

    /// The same with another cache folder.
    pub fn open_with_cache(root: impl AsRef<Path>, cache: impl AsRef<Path>) -> Result<Self, OpenError> {
        let root = root.as_ref();
        Ok(Self { stores: Stores::open(root, cache.as_ref())?, root: root.to_owned() })
    }

    /// The same, building everything from nothing.
    pub fn rebuild(root: impl AsRef<Path>, cache: impl AsRef<Path>) -> Result<Self, OpenError> {
        let root = root.as_ref();
        Ok(Self { stores: Stores::rebuild(root, cache.as_ref())?, root: root.to_owned() })
    }

    /// Answers a question; the first page of measurements is in the answer.
    ///
    /// # Errors
    ///
    /// When the question has a mistake in its grammar, or a store fails.
    pub fn query(&self, question: &str) -> Result<Answer, QueryError> {
        self.query_page(question, &Page::default())
    }

    /// The same for another page.
    pub fn query_page(&self, question: &str, page: &Page) -> Result<Answer, QueryError> {
        ask(&self.stores, question, page)
    }

    /// Questions to begin with that have an answer here.
    pub fn examples(&self) -> Vec<ExampleQuestion> {
        examples(&self.stores)
    }

    /// Says how a question is read, what each part of it leaves, and how it is answered.
    ///
    /// # Errors
    ///
    /// When the question has a mistake in its grammar, or a store fails.
    pub fn explain(&self, question: &str) -> Result<Explanation, QueryError> {
        explain(&self.stores, question)
    }

    /// Pivots everything that a question finds.
    ///
    /// # Errors
    ///
    /// When the question has a mistake in its grammar, the request cannot be met, or a store fails.
    pub fn compare(&self, question: &str, request: &Request) -> Result<Compared, CompareFailure> {
        compare(&self.stores, question, request)
    }

    /// The figure that a request makes of everything that a question finds.
    ///
    /// # Errors
    ///
    /// When the question has a mistake, when nothing is found, or when what would stand together cannot be compared.
    pub fn figure(&self, question: &str, request: &plot::Request) -> Result<Figure, FigureError> {
        figure(&self.stores, question, request)
    }

    /// Counts the values of each field over all measurements that an answer found, not only over its page.
    ///
    /// # Errors
    ///
    /// When a store fails.
    pub fn facets(&self, answer: &Answer) -> Result<Vec<FacetCounts>, QueryError> {
        facets(&self.stores, answer)
    }

    /// The entities of one kind that a question is about; an empty question is about all.
    ///
    /// # Errors
    ///
    /// When the question has a mistake in its grammar, or a store fails.
    pub fn entities(&self, kind: EntityKind, question: &str) -> Result<EntitiesFound, QueryError> {
        entities(&self.stores, kind, question)
    }

    /// The measurement with this id; `None` when there is none.
    ///
    /// # Errors
    ///
    /// When a store fails.
    pub fn measurement(&self, id: &str) -> Result<Option<Measurement>, StoreError> {
        let found = self.stores.store.measurements_by_prefix(id, 1)?;
        Ok(found.into_iter().find(|measurement| measurement.id() == id))
    }

    /// What an answer cites: the sources of its measurements, what the facts shown cite where there is none, and the
    /// knowledge base.
    ///
    /// # Errors
    ///
    /// When a store or a file fails.
    pub fn references_of(&self, answer: &Answer) -> Result<References, OpenError> {
        cited_by(answer, &self.stores, &self.root)
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
        cited(ids, citations, &self.stores, &self.root)
    }

    /// The knowledge base as a paper cites it.
    ///
    /// # Errors
    ///
    /// When a store or `catalog/kb.toml` fails.
    pub fn reference(&self) -> Result<KbReference, OpenError> {
        knowledge_base_reference(&self.stores, &self.root)
    }

    /// Hash of the content of the files: the same content has the same hash, wherever the files lie.
    pub fn content(&self) -> &str {
        &self.stores.content
    }

    /// How many measurements there are, and how many entities of each kind.
    ///
    /// # Errors
    ///
    /// When the database fails.
    pub fn counts(&self) -> Result<Counts, StoreError> {
        self.stores.store.counts()
    }

    /// The folder that holds the files.
    pub fn root(&self) -> &Path {
        &self.root
    }

    /// The stores derived from the files.
    pub fn stores(&self) -> &Stores {
        &self.stores
    }
}

/// Where derived stores are kept unless said otherwise: `DLBENCH_CACHE`, else `dlbench` in the user's cache folder, else
/// in the system's folder for temporary files.
pub fn default_cache() -> PathBuf {
    match std::env::var_os("DLBENCH_CACHE") {
        Some(folder) if !folder.is_empty() => PathBuf::from(folder),
        _ => dirs::cache_dir().unwrap_or_else(std::env::temp_dir).join("dlbench"),
    }
}
