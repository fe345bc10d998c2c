//! The rows in SQLite: a narrow table of codes and numbers, indexes, and two FTS5 tables for names and words.

use std::collections::HashMap;
use std::error::Error;
use std::path::Path;

use rusqlite::{Connection, ToSql, params, params_from_iter};

use super::rows::place;

/// Texts of the narrow table, kept as codes.
const CODED: &[&str] = &[
    "source",
    "framework",
    "backend",
    "license",
    "multi_server",
    "device",
    "class",
    "vendor",
    "network",
    "stage",
    "precision",
];
/// Its numbers.
const NUMBERS: &[&str] = &["batch_size", "year", "latency_ms", "throughput_per_s", "epoch_s"];
/// What FTS5 finds a row by, besides its words.
const FACETS: &[&str] = &[
    "source",
    "framework",
    "license",
    "multi_server",
    "device",
    "class",
    "vendor",
    "network",
    "stage",
    "precision",
    "year",
];

/// A database that is being filled.
pub struct Filling {
    connection: Connection,
    codes: HashMap<(&'static str, String), i64>,
    row: i64,
}

impl Filling {
    /// A new database in a file that does not exist.
    pub fn new(path: &Path) -> Result<Self, Box<dyn Error>> {
        let connection = Connection::open(path)?;
        let columns: Vec<String> = CODED
            .iter()
            .map(|name| format!("{name} INTEGER"))
            .chain(NUMBERS.iter().map(|name| format!("{name} NUMERIC")))
            .collect();
        connection.execute_batch(&format!(
            "PRAGMA journal_mode = OFF; PRAGMA synchronous = OFF; PRAGMA page_size = 8192; PRAGMA cache_size = -262144;
             BEGIN;
             CREATE TABLE m (row INTEGER PRIMARY KEY, {});
             CREATE TABLE detail (row INTEGER PRIMARY KEY, id TEXT NOT NULL, line TEXT NOT NULL);
             CREATE TABLE name (kind TEXT NOT NULL, code INTEGER NOT NULL, name TEXT NOT NULL);
             CREATE VIRTUAL TABLE facets USING fts5({}, content='', columnsize=0, detail=column,
                 tokenize=\"unicode61 tokenchars '-._|'\");
             CREATE VIRTUAL TABLE words USING fts5(text, content='', columnsize=0);",
            columns.join(", "),
            FACETS.join(", "),
        ))?;
        Ok(Self { connection, codes: HashMap::new(), row: 0 })
    }

    /// Adds a row.
    pub fn add(&mut self, cells: &[String]) -> Result<(), Box<dyn Error>> {
        self.row += 1;
        let cell = |name: &str| Some(cells[place(name)].as_str()).filter(|cell| !cell.is_empty());
        let mut codes: Vec<Option<i64>> = Vec::with_capacity(CODED.len());
        for name in CODED {
            codes.push(cell(name).map(|text| code(&mut self.codes, name, text)));
        }
        let numbers: Vec<Option<f64>> =
            NUMBERS.iter().map(|name| cell(name).and_then(|text| text.parse().ok())).collect();
        let mut values: Vec<&dyn ToSql> = vec![&self.row];
        values.extend(codes.iter().map(|code| code as &dyn ToSql));
        values.extend(numbers.iter().map(|number| number as &dyn ToSql));
        let places = vec!["?"; values.len()].join(", ");
        self.connection.prepare_cached(&format!("INSERT INTO m VALUES ({places})"))?.execute(values.as_slice())?;
        let line =
            [cell("framework_version"), cell("batch_size"), cell("latency_ms"), cell("throughput_per_s"), cell("date")];
        let line = line.map(Option::unwrap_or_default).join("\t");
        self.connection
            .prepare_cached("INSERT INTO detail VALUES (?, ?, ?)")?
            .execute(params![self.row, cells[0], line])?;
        let mut terms: Vec<String> =
            FACETS.iter().map(|name| cell(name).unwrap_or_default().replace(' ', "_")).collect();
        if let Some(backend) = cell("backend") {
            terms[1] = format!("{} {backend}", terms[1]);
        }
        let places = vec!["?"; FACETS.len() + 1].join(", ");
        let mut insert = self
            .connection
            .prepare_cached(&format!("INSERT INTO facets (rowid, {}) VALUES ({places})", FACETS.join(", ")))?;
        let row = self.row.to_string();
        insert.execute(params_from_iter(std::iter::once(&row).chain(&terms)))?;
        let mut insert = self.connection.prepare_cached("INSERT INTO words (rowid, text) VALUES (?, ?)")?;
        insert.execute(params![self.row, cells[place("text")]])?;
        Ok(())
    }

    /// Builds the indexes, and leaves the file as small and as fast as it gets.
    pub fn finish(self) -> Result<(), Box<dyn Error>> {
        for ((kind, name), code) in &self.codes {
            self.connection.execute("INSERT INTO name VALUES (?, ?, ?)", params![kind, code, name])?;
        }
        self.connection.execute_batch(
            "CREATE INDEX name_of ON name (kind, name, code);
             CREATE INDEX code_of ON name (kind, code, name);
             CREATE INDEX by_network ON m (network, device, precision);
             CREATE INDEX by_device ON m (device);
             CREATE INDEX by_framework ON m (framework, stage);
             INSERT INTO facets(facets) VALUES ('optimize');
             INSERT INTO words(words) VALUES ('optimize');
             COMMIT;
             ANALYZE;",
        )?;
        Ok(())
    }
}

/// The code of a name, a new one for a new name; a backend is a framework.
fn code(codes: &mut HashMap<(&'static str, String), i64>, column: &'static str, text: &str) -> i64 {
    let kind = if column == "backend" { "framework" } else { column };
    let next = codes.len() as i64;
    *codes.entry((kind, text.to_owned())).or_insert(next)
}
