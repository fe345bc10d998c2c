//! The door to a knowledge base for programs.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

use super::compare::{CompareError, Pivot, Request, pivot};
use super::query::{
    Answer, Asked, EntitiesFound, Explanation, FacetCounts, Page, QueryError, ask, asked, entities, explain, facets,
};
use crate::model::{Citation, KbReference, Measurement, Reference, References, Source};
use crate::reading;
use crate::stores::store::StoreError;
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
        let asked = asked(&self.stores, question)?;
        let pivot = pivot(&self.stores, &asked.condition, request)?;
        Ok(Compared { asked, pivot })
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
        let catalog = &answer.catalog;
        let ids = answer.measurements.iter().map(|row| row.recorded().source().as_str());
        let mut references = self.references(ids, &[])?;
        if answer.measurements.is_empty() {
            let facts = catalog.frameworks.iter().flat_map(|joined| &joined.framework.sources);
            let facts = facts.chain(catalog.devices.iter().flat_map(|device| &device.sources));
            let facts = facts.chain(catalog.networks.iter().flat_map(|network| &network.sources));
            let facts = facts.chain(catalog.datasets.iter().flat_map(|dataset| &dataset.sources));
            let facts: Vec<&Citation> =
                facts.chain(catalog.hardware_classes.iter().flat_map(|class| &class.sources)).collect();
            let sources = catalog.sources.iter().map(|source| source.id.as_str());
            references = self.references(sources, &facts)?;
        }
        Ok(references)
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
        let mut references = References::default();
        for id in ids.into_iter().collect::<BTreeSet<_>>() {
            if let Some(source) = self.stores.store.entity::<Source>(id)? {
                references.add(Reference::Source(Box::new(source)));
            }
        }
        for citation in citations {
            references.add_citation(citation, |id| self.stores.store.entity(id))?;
        }
        references.add(Reference::KnowledgeBase(self.reference()?));
        Ok(references)
    }

    /// The knowledge base as a paper cites it.
    ///
    /// # Errors
    ///
    /// When a store or `catalog/kb.toml` fails.
    pub fn reference(&self) -> Result<KbReference, OpenError> {
        let info = reading::info(&self.root)?;
        let sources: Vec<Source> = self.stores.store.entities()?;
        let accessed = sources.iter().filter_map(|source| source.accessed).max();
        Ok(KbReference { name: info.name, content: self.stores.content.clone(), license: info.license, accessed })
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

/// A comparison, and how its question was read.
#[derive(Debug, Clone)]
pub struct Compared {
    /// The question as it was understood.
    pub asked: Asked,
    /// The table.
    pub pivot: Pivot,
}

/// Why there is no comparison.
#[derive(Debug, thiserror::Error)]
pub enum CompareFailure {
    /// The question has a mistake, or a store failed under it.
    #[error(transparent)]
    Query(#[from] QueryError),
    /// The request cannot be met, or a store failed.
    #[error(transparent)]
    Compare(#[from] CompareError),
}

/// Where derived stores are kept unless said otherwise: `DLBENCH_CACHE`, else `dlbench` in the user's cache folder, else
/// in the system's folder for temporary files.
pub fn default_cache() -> PathBuf {
    match std::env::var_os("DLBENCH_CACHE") {
        Some(folder) if !folder.is_empty() => PathBuf::from(folder),
        _ => dirs::cache_dir().unwrap_or_else(std::env::temp_dir).join("dlbench"),
    }
}
