//! Look-up of single entities and measurements of a knowledge base by id or name, and lists of all of a kind.

use std::collections::BTreeMap;

use super::KnowledgeBase;
use crate::ask::cards::{CardKind, CardLookup, card, card_of_any, id_of_name, names_beginning, with_evidence};
use crate::ask::found::entities;
use crate::ask::parse::QueryError;
use crate::ask::tables::{ListKind, list, matching};
use crate::model::{Facet, Knowledge, Measurement, Suite};
use crate::reading::{self, ReadError};
use crate::stores::database::{DatabaseError, StoredKind};
use crate::stores::resolve::Resolved;
use crate::stores::{graded, resolve_spelling};
use crate::values::{EntityId, EntityKind, Grid};

impl KnowledgeBase {
    /// Everything recorded about one entity, by id or name, or about one measurement, by the beginning of its id.
    ///
    /// # Errors
    ///
    /// When a store fails.
    pub fn card(&self, kind: CardKind, name: &str) -> Result<CardLookup, QueryError> {
        self.with_stores(|stores| with_evidence(stores, card(&stores.database, kind, name)?))
    }

    /// As [`Self::card`], for an entity of any kind.
    ///
    /// # Errors
    ///
    /// When a store fails.
    pub fn card_of_any(&self, name: &str) -> Result<CardLookup, QueryError> {
        self.with_stores(|stores| with_evidence(stores, card_of_any(&stores.database, name)?))
    }

    /// Names of entities that begin with `beginning`, of one kind or of all: ids, and names of entities whose ids do
    /// not begin with it.
    ///
    /// # Errors
    ///
    /// When the database fails.
    pub fn names_beginning(&self, kind: Option<EntityKind>, beginning: &str) -> Result<Vec<String>, DatabaseError> {
        self.with_stores(|stores| names_beginning(&stores.database, kind, beginning))
    }

    /// The rows of a list that match a question; for lists that are not of entities, the rows that contain its words.
    ///
    /// # Errors
    ///
    /// When the question has a mistake, with its place, or a store fails.
    pub fn list_matching(&self, kind: ListKind, question: &str) -> Result<Grid, QueryError> {
        let ids = match kind {
            ListKind::Entities(kind) => Some(self.with_stores(|stores| entities(stores, kind, question))?.ids),
            _ => None,
        };
        Ok(matching(self.list(kind)?, ids.as_deref(), question))
    }

    /// All entities of a kind, or the metrics, one row each.
    ///
    /// # Errors
    ///
    /// When the database fails.
    pub fn list(&self, kind: ListKind) -> Result<Grid, DatabaseError> {
        self.with_stores(|stores| list(&stores.database, kind))
    }

    /// The entity with this id; `None` when there is none.
    ///
    /// # Errors
    ///
    /// When the database fails.
    pub fn entity<E: StoredKind>(&self, id: &str) -> Result<Option<E>, DatabaseError> {
        self.with_stores(|stores| stores.database.entity(id))
    }

    /// The ids of all entities of a kind, sorted.
    ///
    /// # Errors
    ///
    /// When the database fails.
    pub fn ids(&self, kind: EntityKind) -> Result<Vec<String>, DatabaseError> {
        self.with_stores(|stores| stores.database.ids(kind))
    }

    /// The id of the entity with exactly this id or name; `None` when there is none.
    ///
    /// # Errors
    ///
    /// When the database fails.
    pub fn id_of_name(&self, kind: EntityKind, name: &str) -> Result<Option<String>, DatabaseError> {
        self.with_stores(|stores| id_of_name(&stores.database, kind, name))
    }

    /// `id` and all its descendants: a family's members.
    ///
    /// # Errors
    ///
    /// When the database fails.
    pub fn descendants(&self, kind: EntityKind, id: &str) -> Result<Vec<String>, DatabaseError> {
        self.with_stores(|stores| stores.database.descendants(kind, id))
    }

    /// Resolves a source's spelling of a device, network, framework, data set or precision.
    ///
    /// # Errors
    ///
    /// When the database fails.
    pub fn resolve(&self, facet: Facet, spelling: &str) -> Result<Resolved, DatabaseError> {
        self.with_stores(|stores| resolve_spelling(&stores.database, facet, spelling))
    }

    /// The measurement with this id; `None` when there is none.
    ///
    /// # Errors
    ///
    /// When a store fails.
    pub fn measurement(&self, id: &str) -> Result<Option<Measurement>, DatabaseError> {
        let found = self.measurements_by_prefix(id, 1)?;
        Ok(found.into_iter().find(|measurement| measurement.id() == id))
    }

    /// The measurements with these ids; empty and unknown ids are skipped.
    ///
    /// # Errors
    ///
    /// When a store fails.
    pub fn measurements<'i>(
        &self,
        ids: impl IntoIterator<Item = &'i str>,
    ) -> Result<BTreeMap<String, Measurement>, DatabaseError> {
        let mut measurements = BTreeMap::new();
        for id in ids.into_iter().filter(|id| !id.is_empty()) {
            if !measurements.contains_key(id)
                && let Some(measurement) = self.measurement(id)?
            {
                measurements.insert(id.to_owned(), measurement);
            }
        }
        Ok(measurements)
    }

    /// The first measurements whose ids begin with `prefix`, ordered by id, at most `limit`.
    ///
    /// # Errors
    ///
    /// When a store fails.
    pub fn measurements_by_prefix(&self, prefix: &str, limit: usize) -> Result<Vec<Measurement>, DatabaseError> {
        self.with_stores(|stores| stores.database.measurements_by_prefix(prefix, limit))
    }

    /// The ids of the suites that `dlbench run --suite` measures.
    ///
    /// # Errors
    ///
    /// When their folder cannot be read.
    pub fn suites(&self) -> Result<Vec<EntityId>, ReadError> {
        reading::suites(&self.root)
    }

    /// The suite with this id.
    ///
    /// # Errors
    ///
    /// When its file cannot be read; the error lists every mistake in it.
    pub fn suite(&self, id: &EntityId) -> Result<Suite, ReadError> {
        reading::suite(&self.root, id)
    }

    /// The knowledge base without its measurements, read from its files.
    ///
    /// # Errors
    ///
    /// When the files cannot be read; the error lists every mistake in them.
    pub fn catalog(&self) -> Result<Knowledge, ReadError> {
        reading::read_catalog(&self.root)
    }

    /// The whole knowledge base, read from its files, each measurement with its grade of evidence: the content of an export.
    ///
    /// # Errors
    ///
    /// When the files cannot be read; the error lists every mistake in them.
    pub fn knowledge(&self) -> Result<Knowledge, ReadError> {
        reading::read(&self.root).map(graded)
    }
}
