//! Reads the catalog from the database: entities, their families and their names.

use std::any::Any;
use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use rusqlite::{OptionalExtension, params};
use serde::Serialize;
use serde::de::DeserializeOwned;
use strum::VariantArray;

use super::{Database, DatabaseError};
use crate::model::{
    Claim, ContradictionDefinition, Dataset, Device, EvidenceDefinition, FactValue, Framework, HardwareClassRecord,
    Lookup, MetricDefinition, Name, Network, SkippedFile, Source,
};
use crate::values::{EntityKind, ParseError};

/// Numbers of measurements and of entities of each kind.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Counts {
    /// Number of measurements.
    pub measurements: u64,
    /// Number of catalog entities by kind; the key is the kind's plural in snake_case.
    #[serde(flatten)]
    pub entities: BTreeMap<String, u64>,
}

/// A type of catalog entity that is stored completely.
pub trait StoredKind: DeserializeOwned + Clone + Send + Sync + 'static {
    /// The kind of the entities.
    const KIND: EntityKind;
}

macro_rules! stored {
    ($($entity:ty => $kind:ident),+ $(,)?) => {
        $(impl StoredKind for $entity {
            const KIND: EntityKind = EntityKind::$kind;
        })+
    };
}

stored! {
    Framework => Framework,
    Device => Device,
    Network => Network,
    Dataset => Dataset,
    Source => Source,
    HardwareClassRecord => HardwareClass,
}

impl Database {
    /// The numbers of measurements and of entities of each kind.
    pub fn counts(&self) -> Result<Counts, DatabaseError> {
        let measurements =
            self.connection.query_row("SELECT count(*) FROM measurement", [], |row| row.get::<_, i64>(0))?;
        let mut entities = BTreeMap::new();
        for kind in EntityKind::VARIANTS {
            let count = self.connection.query_row(
                "SELECT count(*) FROM entity WHERE kind = ?1",
                [<&str>::from(*kind)],
                |row| row.get::<_, i64>(0),
            )?;
            entities.insert(kind.plural().replace('-', "_"), count as u64);
        }
        Ok(Counts { measurements: measurements as u64, entities })
    }

    /// Files with mistakes, whose content is not in the store; by path.
    pub fn skipped(&self) -> Result<Vec<SkippedFile>, DatabaseError> {
        let mut select = self.connection.prepare_cached("SELECT path, line, why, measurements FROM skipped")?;
        let files = select.query_map([], |row| {
            Ok(SkippedFile {
                path: row.get(0)?,
                line: row.get::<_, Option<i64>>(1)?.map(|line| line as usize),
                why: row.get(2)?,
                measurements: row.get::<_, i64>(3)? as usize,
            })
        })?;
        Ok(files.collect::<Result<_, _>>()?)
    }

    /// The entity with this id.
    pub fn entity<E: StoredKind>(&self, id: &str) -> Result<Option<E>, DatabaseError> {
        let known = self.entities.get_or((E::KIND, id.to_owned()), |_| -> Result<_, DatabaseError> {
            let body: Option<String> = self
                .connection
                .prepare_cached("SELECT body FROM entity WHERE kind = ?1 AND id = ?2")?
                .query_row(params![<&str>::from(E::KIND), id], |row| row.get(0))
                .optional()?;
            let entity: Option<E> = body.map(|body| serde_json::from_str(&body)).transpose()?;
            Ok(entity.map(|entity| Arc::new(entity) as Arc<dyn Any + Send + Sync>))
        })?;
        Ok(known.and_then(|entity| entity.downcast_ref().cloned()))
    }

    /// All entities of a kind, by id.
    pub fn entities<E: StoredKind>(&self) -> Result<Vec<E>, DatabaseError> {
        let mut select = self.connection.prepare_cached("SELECT body FROM entity WHERE kind = ?1 ORDER BY id")?;
        let bodies = select.query_map([<&str>::from(E::KIND)], |row| row.get::<_, String>(0))?;
        bodies.map(|body| Ok(serde_json::from_str(&body?)?)).collect()
    }

    /// The ids of a kind, sorted.
    pub fn ids(&self, kind: EntityKind) -> Result<Vec<String>, DatabaseError> {
        let mut select = self.connection.prepare_cached("SELECT id FROM entity WHERE kind = ?1 ORDER BY id")?;
        let ids = select.query_map([<&str>::from(kind)], |row| row.get(0))?;
        Ok(ids.collect::<Result<_, _>>()?)
    }

    /// `id` and everything it descends from.
    pub fn ancestors(&self, kind: EntityKind, id: &str) -> Result<Vec<String>, DatabaseError> {
        self.relatives("SELECT ancestor FROM lineage WHERE kind = ?1 AND id = ?2 ORDER BY ancestor", kind, id)
    }

    /// `id` and everything that descends from it: the members of a family.
    pub fn descendants(&self, kind: EntityKind, id: &str) -> Result<Vec<String>, DatabaseError> {
        self.relatives("SELECT id FROM lineage WHERE kind = ?1 AND ancestor = ?2 ORDER BY id", kind, id)
    }

    /// All pairs `(id, ancestor)` of a kind, without the pairs of an entity with itself.
    fn lineages(&self, kind: EntityKind) -> Result<Vec<(String, String)>, DatabaseError> {
        let mut select =
            self.connection.prepare_cached("SELECT id, ancestor FROM lineage WHERE kind = ?1 AND id <> ancestor")?;
        let pairs = select.query_map([<&str>::from(kind)], |row| Ok((row.get(0)?, row.get(1)?)))?;
        Ok(pairs.collect::<Result<_, _>>()?)
    }

    /// The ids of entities of a kind with a fact that passes.
    ///
    /// A SKU that does not state the fact inherits its family's. A family that does not state it passes if all its members do:
    /// then it does not matter which of them a row means.
    pub fn entities_with(
        &self,
        kind: EntityKind,
        fact: &str,
        passes: impl Fn(&FactValue) -> bool,
    ) -> Result<BTreeSet<String>, DatabaseError> {
        let mut select =
            self.connection.prepare_cached("SELECT id, number, word FROM fact WHERE fact = ?1 AND kind = ?2")?;
        let mut rows = select.query(params![fact, <&str>::from(kind)])?;
        let mut passing = BTreeSet::new();
        let mut stating = BTreeSet::new();
        while let Some(row) = rows.next()? {
            let id: String = row.get(0)?;
            let value = match row.get::<_, Option<f64>>(1)? {
                Some(number) => FactValue::Number(number),
                None => FactValue::Word(row.get(2)?),
            };
            if passes(&value) {
                passing.insert(id.clone());
            }
            stating.insert(id);
        }
        if kind == EntityKind::Device {
            let lineages = self.lineages(kind)?;
            let inheriting = lineages.iter().filter(|(id, family)| !stating.contains(id) && passing.contains(family));
            let inherited: Vec<String> = inheriting.map(|(id, _)| id.clone()).collect();
            // Members inherit before families are checked, so that members of members are included.
            passing.extend(inherited);
            let mut members: BTreeMap<&str, (usize, usize)> = BTreeMap::new();
            for (id, family) in &lineages {
                let (all, good) = members.entry(family).or_default();
                *all += 1;
                *good += usize::from(passing.contains(id));
            }
            let whole = members.into_iter().filter(|(family, (all, good))| all == good && !stating.contains(*family));
            let whole: Vec<String> = whole.map(|(family, _)| family.to_owned()).collect();
            passing.extend(whole);
        }
        Ok(passing)
    }

    fn relatives(&self, sql: &'static str, kind: EntityKind, id: &str) -> Result<Vec<String>, DatabaseError> {
        self.relatives.get_or((sql, kind, id.to_owned()), |_| {
            let mut select = self.connection.prepare_cached(sql)?;
            let ids = select.query_map(params![<&str>::from(kind), id], |row| row.get(0))?;
            Ok(ids.collect::<Result<_, _>>()?)
        })
    }

    /// An ordered list of definitions: `hardware-metrics`, `framework-metrics` or `principles`.
    pub fn definitions(&self, list: &str) -> Result<Vec<MetricDefinition>, DatabaseError> {
        self.listed(list)
    }

    /// The definitions by which metrics are judged from measurements, in the order of the file.
    pub fn evidence_definitions(&self) -> Result<Vec<EvidenceDefinition>, DatabaseError> {
        self.listed("evidence")
    }

    /// When two measurers of the same configuration contradict each other; `None` if the catalog does not define it.
    pub fn contradiction_definition(&self) -> Result<Option<ContradictionDefinition>, DatabaseError> {
        Ok(self.listed("contradiction")?.pop())
    }

    /// The claims, in the order of the file.
    pub fn claims(&self) -> Result<Vec<Claim>, DatabaseError> {
        self.listed("claims")
    }

    fn listed<T: DeserializeOwned>(&self, list: &str) -> Result<Vec<T>, DatabaseError> {
        let mut select =
            self.connection.prepare_cached("SELECT body FROM definition WHERE list = ?1 ORDER BY position")?;
        let bodies = select.query_map([list], |row| row.get::<_, String>(0))?;
        bodies.map(|body| Ok(serde_json::from_str(&body?)?)).collect()
    }
}

impl Lookup for Database {
    type Error = DatabaseError;

    fn exact(&self, normal: &str) -> Result<Vec<Name>, DatabaseError> {
        self.names.get_or(normal.to_owned(), |_| {
            self.select_names("SELECT normal, facet, value, kind FROM name WHERE normal = ?1", params![normal])
        })
    }

    fn all(&self) -> Result<Arc<[Name]>, DatabaseError> {
        if let Some(all) = self.all_names.get() {
            return Ok(Arc::clone(all));
        }
        let all = self.select_names("SELECT normal, facet, value, kind FROM name", params![])?;
        Ok(Arc::clone(self.all_names.get_or_init(|| all.into())))
    }

    fn beginning(&self, normal: &str) -> Result<Vec<Name>, DatabaseError> {
        // A range, because SQLite would prepare a statement with a bound pattern each time. No name contains `char::MAX`.
        let end = format!("{normal}{}", char::MAX);
        self.select_names(
            "SELECT normal, facet, value, kind FROM name WHERE normal >= ?1 AND normal < ?2",
            params![normal, end],
        )
    }
}

impl Database {
    fn select_names(&self, sql: &str, params: impl rusqlite::Params) -> Result<Vec<Name>, DatabaseError> {
        let mut select = self.connection.prepare_cached(sql)?;
        let mut rows = select.query(params)?;
        let mut names = Vec::new();
        while let Some(row) = rows.next()? {
            let facet: String = row.get(1)?;
            let kind: String = row.get(3)?;
            names.push(Name {
                normal: row.get(0)?,
                facet: facet.parse().map_err(|_| ParseError::expected(format!("a facet, not {facet:?}")))?,
                value: row.get(2)?,
                kind: kind.parse().map_err(|_| ParseError::expected(format!("a kind of name, not {kind:?}")))?,
            });
        }
        Ok(names)
    }
}
