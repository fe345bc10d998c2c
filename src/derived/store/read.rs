//! Reading the database.

use std::collections::BTreeMap;
use std::path::Path;

use rusqlite::{Connection, OpenFlags, OptionalExtension, Row, params};
use serde::Serialize;
use serde::de::DeserializeOwned;
use strum::VariantArray;

use super::{Store, StoreError, column};
use crate::model::{
    Dataset, Device, Field, FieldType, Framework, HardwareClassRecord, Lookup, Measurement, Metric, MetricDefinition,
    Name, NameKind, Network, Source, Value,
};
use crate::values::{Decimal, EntityId, EntityKind, ParseError};

/// How many there are of each kind.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Counts {
    /// Measurements.
    pub measurements: u64,
    /// Catalog entities by kind, the key being the kind's plural in snake_case.
    #[serde(flatten)]
    pub entities: BTreeMap<String, u64>,
}

/// A catalog entity that the store can give back whole.
pub trait StoredKind: DeserializeOwned {
    /// Its kind.
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

impl Store {
    /// Opens a finished database; it is never written to again, so no locks are taken.
    pub fn open(path: &Path) -> Result<Self, StoreError> {
        let uri = format!("file:{}?immutable=1", encoded(path));
        let flags = OpenFlags::SQLITE_OPEN_READ_ONLY | OpenFlags::SQLITE_OPEN_URI | OpenFlags::SQLITE_OPEN_NO_MUTEX;
        let connection = Connection::open_with_flags(uri, flags)?;
        // A truncated file shows itself here rather than in the middle of an answer.
        connection.query_row("SELECT count(*) FROM definition", [], |row| row.get::<_, i64>(0))?;
        Ok(Self { connection })
    }

    /// How many there are of each kind.
    pub fn counts(&self) -> Result<Counts, StoreError> {
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

    /// How many measurements each source has.
    pub fn measurements_by_source(&self) -> Result<BTreeMap<String, u64>, StoreError> {
        let mut select = self.connection.prepare("SELECT source, count(*) FROM measurement GROUP BY source")?;
        let rows = select.query_map([], |row| Ok((row.get(0)?, row.get::<_, i64>(1)? as u64)))?;
        Ok(rows.collect::<Result<_, _>>()?)
    }

    /// One entity.
    pub fn entity<E: StoredKind>(&self, id: &str) -> Result<Option<E>, StoreError> {
        let body: Option<String> = self
            .connection
            .prepare_cached("SELECT body FROM entity WHERE kind = ?1 AND id = ?2")?
            .query_row(params![<&str>::from(E::KIND), id], |row| row.get(0))
            .optional()?;
        Ok(body.map(|body| serde_json::from_str(&body)).transpose()?)
    }

    /// All entities of a kind, by id.
    pub fn entities<E: StoredKind>(&self) -> Result<Vec<E>, StoreError> {
        let mut select = self.connection.prepare("SELECT body FROM entity WHERE kind = ?1 ORDER BY id")?;
        let bodies = select.query_map([<&str>::from(E::KIND)], |row| row.get::<_, String>(0))?;
        bodies.map(|body| Ok(serde_json::from_str(&body?)?)).collect()
    }

    /// The ids of a kind, sorted.
    pub fn ids(&self, kind: EntityKind) -> Result<Vec<String>, StoreError> {
        let mut select = self.connection.prepare("SELECT id FROM entity WHERE kind = ?1 ORDER BY id")?;
        let ids = select.query_map([<&str>::from(kind)], |row| row.get(0))?;
        Ok(ids.collect::<Result<_, _>>()?)
    }

    /// `id` and everything it descends from.
    pub fn ancestors(&self, kind: EntityKind, id: &str) -> Result<Vec<String>, StoreError> {
        self.relatives("SELECT ancestor FROM lineage WHERE kind = ?1 AND id = ?2 ORDER BY ancestor", kind, id)
    }

    /// `id` and everything that descends from it: a family's members.
    pub fn descendants(&self, kind: EntityKind, id: &str) -> Result<Vec<String>, StoreError> {
        self.relatives("SELECT id FROM lineage WHERE kind = ?1 AND ancestor = ?2 ORDER BY id", kind, id)
    }

    fn relatives(&self, sql: &str, kind: EntityKind, id: &str) -> Result<Vec<String>, StoreError> {
        let mut select = self.connection.prepare_cached(sql)?;
        let ids = select.query_map(params![<&str>::from(kind), id], |row| row.get(0))?;
        Ok(ids.collect::<Result<_, _>>()?)
    }

    /// An ordered list of definitions: `hardware-metrics`, `framework-metrics` or `principles`.
    pub fn definitions(&self, list: &str) -> Result<Vec<MetricDefinition>, StoreError> {
        let mut select = self.connection.prepare("SELECT body FROM definition WHERE list = ?1 ORDER BY position")?;
        let bodies = select.query_map([list], |row| row.get::<_, String>(0))?;
        bodies.map(|body| Ok(serde_json::from_str(&body?)?)).collect()
    }

    /// The measurements of some rows, in the order of `rows`.
    pub fn measurements(&self, rows: &[u64]) -> Result<Vec<Measurement>, StoreError> {
        let mut select = self.connection.prepare_cached(&select_measurements("row = ?1"))?;
        let mut found = Vec::with_capacity(rows.len());
        for row in rows {
            let mut result = select.query([*row as i64])?;
            if let Some(row) = result.next()? {
                found.push(self.measurement(row)?);
            }
        }
        Ok(found)
    }

    /// The measurements whose id begins with `prefix`, at most `limit`.
    pub fn measurements_by_prefix(&self, prefix: &str, limit: usize) -> Result<Vec<Measurement>, StoreError> {
        let mut select = self
            .connection
            .prepare_cached(&select_measurements("id >= ?1 AND substr(id, 1, length(?1)) = ?1 ORDER BY id LIMIT ?2"))?;
        let mut result = select.query(params![prefix, limit as i64])?;
        let mut found = Vec::new();
        while let Some(row) = result.next()? {
            found.push(self.measurement(row)?);
        }
        Ok(found)
    }

    fn measurement(&self, row: &Row<'_>) -> Result<Measurement, StoreError> {
        let number: i64 = row.get(0)?;
        let id: String = row.get(1)?;
        let source: EntityId = row.get::<_, String>(2)?.parse()?;
        let mut fields = Vec::new();
        for (at, &field) in Field::VARIANTS.iter().enumerate() {
            let value = match field.kind() {
                FieldType::Count => row.get::<_, Option<i64>>(3 + at)?.map(Value::Count),
                FieldType::Number => {
                    row.get::<_, Option<String>>(3 + at)?.map(|number| number.parse().map(Value::Number)).transpose()?
                }
                _ => row.get::<_, Option<String>>(3 + at)?.map(|text| Value::Text(text.into())),
            };
            fields.extend(value.map(|value| (field, value)));
        }
        let mut select = self.connection.prepare_cached("SELECT metric, value, decimals FROM metric WHERE row = ?1")?;
        let mut metrics = Vec::new();
        let mut rows = select.query([number])?;
        while let Some(row) = rows.next()? {
            let name: String = row.get(0)?;
            let metric: Metric = name.parse().map_err(|_| ParseError::expected(format!("a metric, not {name:?}")))?;
            metrics.extend(Decimal::new(row.get(1)?, row.get(2)?).map(|value| (metric, value)));
        }
        metrics.sort_by_key(|(metric, _)| *metric);
        Ok(Measurement::restored(source, id.into(), fields, metrics))
    }
}

impl Lookup for Store {
    type Error = StoreError;

    fn exact(&self, normal: &str) -> Result<Vec<Name>, StoreError> {
        self.names("SELECT normal, facet, value, kind FROM name WHERE normal = ?1", params![normal])
    }

    fn all(&self) -> Result<Vec<Name>, StoreError> {
        self.names("SELECT normal, facet, value, kind FROM name", params![])
    }
}

impl Store {
    fn names(&self, sql: &str, params: impl rusqlite::Params) -> Result<Vec<Name>, StoreError> {
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
                kind: if kind == <&str>::from(NameKind::Exact) { NameKind::Exact } else { NameKind::Alias },
            });
        }
        Ok(names)
    }
}

fn select_measurements(condition: &str) -> String {
    let columns: Vec<String> = Field::VARIANTS.iter().map(|&field| column(field)).collect();
    format!("SELECT row, id, source, {} FROM measurement WHERE {condition}", columns.join(", "))
}

/// A path inside an SQLite URI: everything but plain characters percent-encoded.
fn encoded(path: &Path) -> String {
    let mut text = String::new();
    for &byte in path.as_os_str().as_encoded_bytes() {
        if byte.is_ascii_alphanumeric() || matches!(byte, b'/' | b'-' | b'_' | b'.') {
            text.push(char::from(byte));
        } else {
            text.push_str(&format!("%{byte:02X}"));
        }
    }
    text
}
