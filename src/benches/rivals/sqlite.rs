//! The rows for the rivals (one flat record per measurement, with facts joined in), and the SQLite database with FTS5.

use std::collections::HashMap;
use std::error::Error;
use std::fs;
use std::path::Path;

use dlbench::model::{Catalog, Field, Measurement, Metric};
use dlbench::reading;
use dlbench::reading::FileKind;
use dlbench::values::{ComputeUnit, EntityId};
use rusqlite::{Connection, ToSql, params, params_from_iter};

/// Text columns of the narrow table, stored as codes.
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

/// Numeric columns of the narrow table.
const NUMBERS: &[&str] = &["batch_size", "year", "latency_ms", "throughput_per_s", "epoch_s"];

/// Columns in the FTS5 index, besides the words.
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

/// A database under construction.
pub struct Filling {
    connection: Connection,
    codes: HashMap<(&'static str, String), i64>,
    row: i64,
}

impl Filling {
    /// Creates a database in a file that must not exist.
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

    /// Builds the indexes and compacts the file.
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

/// The code of a name, assigned on first use; backends share the codes of frameworks.
fn code(codes: &mut HashMap<(&'static str, String), i64>, column: &'static str, text: &str) -> i64 {
    let kind = if column == "backend" { "framework" } else { column };
    let next = codes.len() as i64;
    *codes.entry((kind, text.to_owned())).or_insert(next)
}

/// The columns, with their types in a database.
pub const COLUMNS: &[(&str, &str)] = &[
    ("id", "VARCHAR"),
    ("source", "VARCHAR"),
    ("framework", "VARCHAR"),
    ("framework_version", "VARCHAR"),
    ("backend", "VARCHAR"),
    ("license", "VARCHAR"),
    ("multi_server", "VARCHAR"),
    ("device", "VARCHAR"),
    ("class", "VARCHAR"),
    ("vendor", "VARCHAR"),
    ("device_count", "INTEGER"),
    ("network", "VARCHAR"),
    ("task", "VARCHAR"),
    ("dataset", "VARCHAR"),
    ("stage", "VARCHAR"),
    ("precision", "VARCHAR"),
    ("batch_size", "INTEGER"),
    ("input_shape", "VARCHAR"),
    ("counts", "VARCHAR"),
    ("date", "VARCHAR"),
    ("year", "INTEGER"),
    ("outcome", "VARCHAR"),
    ("latency_ms", "DOUBLE"),
    ("throughput_per_s", "DOUBLE"),
    ("epoch_s", "DOUBLE"),
    ("accuracy", "DOUBLE"),
    ("power_w", "DOUBLE"),
    ("text", "VARCHAR"),
];

/// The position of a column.
pub fn place(name: &str) -> usize {
    COLUMNS.iter().position(|(column, _)| *column == name).expect("a column of the rows")
}

/// Passes every measurement of a knowledge base to `take`, file by file.
pub fn each(
    root: &Path,
    catalog: &Catalog,
    mut take: impl FnMut(&[String]) -> Result<(), Box<dyn Error>>,
) -> Result<usize, Box<dyn Error>> {
    let mut count = 0;
    for file in reading::list(root)? {
        let FileKind::Measurements(source) = file.kind else { continue };
        let text = fs::read_to_string(root.join(&file.path))?;
        for row in reading::check_measurements(&file.path, &text, &source)? {
            take(&flat(&row, catalog))?;
            count += 1;
        }
    }
    Ok(count)
}

fn flat(row: &Measurement, catalog: &Catalog) -> Vec<String> {
    let text = |field| row.text(field).unwrap_or_default().to_owned();
    let count = |field| row.count(field).map(|count| count.to_string()).unwrap_or_default();
    let metric = |metric| row.metric(metric).map(|value| value.to_string()).unwrap_or_default();
    let entity = |field| row.text(field).and_then(|id| id.parse::<EntityId>().ok());
    let framework = entity(Field::Framework).and_then(|id| catalog.frameworks.get(&id));
    let device = entity(Field::Device).and_then(|id| catalog.devices.get(&id));
    let unit = row.text(Field::ComputeUnit).and_then(|unit| unit.parse::<ComputeUnit>().ok());
    let class = device.and_then(|device| unit.map_or(Some(device.class), |unit| unit.class_on(device.class)));
    let network = entity(Field::Network).and_then(|id| catalog.networks.get(&id));
    let year = row.text(Field::Date).and_then(|date| date.get(..4)).map(str::to_owned);
    let year = year.or_else(|| Some(catalog.sources.get(row.source())?.year?.to_string()));
    let throughput = row.metric(Metric::ThroughputPerS).or_else(|| row.implied_throughput());
    let cells = vec![
        row.id().to_owned(),
        row.source().to_string(),
        text(Field::Framework),
        text(Field::FrameworkVersion),
        text(Field::Backend),
        framework.map(|framework| framework.license_ids().join("|")).unwrap_or_default(),
        framework
            .and_then(|framework| framework.multi_server)
            .map_or("", |yes| if yes { "yes" } else { "no" })
            .to_owned(),
        text(Field::Device),
        class.map(|class| class.to_string()).unwrap_or_default(),
        device.and_then(|device| device.vendor.clone()).unwrap_or_default(),
        count(Field::DeviceCount),
        text(Field::Network),
        network.and_then(|network| network.task.clone()).unwrap_or_default(),
        text(Field::Dataset),
        text(Field::Stage),
        text(Field::Precision),
        count(Field::BatchSize),
        text(Field::InputShape),
        text(Field::Counts),
        text(Field::Date),
        year.unwrap_or_default(),
        text(Field::Outcome),
        metric(Metric::LatencyMs),
        throughput.map(|value| value.to_string()).unwrap_or_default(),
        metric(Metric::EpochS),
        metric(Metric::Accuracy),
        metric(Metric::PowerW),
        words(row),
    ];
    // Remove separators, so that no tool has to parse quotes.
    cells.into_iter().map(|cell| cell.replace([',', '"', '\n'], " ")).collect()
}

/// The words by which dlbench finds a measurement, in lower case, with one space before and after each.
fn words(row: &Measurement) -> String {
    let mut words = String::from(" ");
    for (field, _) in row.fields() {
        let text = row.text(*field).filter(|_| field.is_searched()).unwrap_or_default().to_lowercase();
        for word in text.split(|c: char| !c.is_alphanumeric()).filter(|word| !word.is_empty()) {
            words.push_str(word);
            words.push(' ');
        }
    }
    words
}
