//! Prepares the rows of a knowledge base in each rival's best format, and the 20 questions in its language.
//!
//! ```text
//! rivals --kb FOLDER --into FOLDER --duckdb PROGRAM --rg PROGRAM --ask-sqlite PROGRAM
//! ```
//!
//! Writes `csv/` for ripgrep, `rows.parquet` for DuckDB, `rows.sqlite` for SQLite FTS5, `questions/` with each tool's
//! queries, and `prepared.json` with the time and space that this took.

mod questions;
mod sqlite;

use std::collections::BTreeMap;
use std::error::Error;
use std::fs::{self, File};
use std::io::{BufWriter, Write};
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::time::Instant;

use dlbench::model::Catalog;
use dlbench::reading;
use questions::QUESTIONS;
use serde_json::{Value, json};

type Outcome<T> = Result<T, Box<dyn Error>>;

/// Number of CSV files; ripgrep searches them in parallel.
const CSV_FILES: usize = 8;

fn main() -> Outcome<()> {
    let args = Args::parse()?;
    fs::create_dir_all(args.into.join("questions"))?;
    let catalog = catalog_of(&args.kb)?;
    let mut took: BTreeMap<&str, Value> = BTreeMap::new();
    let mut time = |what, work: &mut dyn FnMut() -> Outcome<()>| -> Outcome<()> {
        let start = Instant::now();
        work()?;
        took.insert(what, json!(start.elapsed().as_secs_f64()));
        Ok(())
    };
    let mut count = 0;
    time("csv_s", &mut || {
        count = write_csv(&args.kb, &catalog, &args.into.join("csv"))?;
        Ok(())
    })?;
    time("sqlite_s", &mut || fill_sqlite(&args.kb, &catalog, &args.into.join("rows.sqlite")))?;
    time("parquet_s", &mut || write_parquet(&args))?;
    let asked = ask(&args, &catalog)?;
    took.insert("rows", json!(count));
    took.insert("csv_bytes", json!(bytes(&args.into.join("csv"))?));
    took.insert("sqlite_bytes", json!(bytes(&args.into.join("rows.sqlite"))?));
    took.insert("parquet_bytes", json!(bytes(&args.into.join("rows.parquet"))?));
    took.insert("questions", asked);
    fs::write(args.into.join("prepared.json"), serde_json::to_string_pretty(&took)?)?;
    Ok(())
}

struct Args {
    kb: PathBuf,
    into: PathBuf,
    duckdb: String,
    rg: String,
    ask_sqlite: String,
}

impl Args {
    fn parse() -> Outcome<Self> {
        let mut given: BTreeMap<String, String> = BTreeMap::new();
        let mut args = std::env::args().skip(1);
        while let Some(name) = args.next() {
            let value = args.next().ok_or_else(|| format!("{name} has no value"))?;
            given.insert(name, value);
        }
        let mut take = |name: &str| given.remove(name).ok_or_else(|| format!("{name} is missing"));
        Ok(Self {
            kb: take("--kb")?.into(),
            into: take("--into")?.into(),
            duckdb: take("--duckdb")?,
            rg: take("--rg")?,
            ask_sqlite: take("--ask-sqlite")?,
        })
    }
}

/// Reads only the catalog, because the measurements of a large knowledge base may not fit in memory at once.
fn catalog_of(root: &Path) -> Outcome<Catalog> {
    let mut files = reading::list(root)?;
    files.retain(|file| file.path.starts_with("catalog"));
    Ok(reading::read_files(root, &files)?.catalog)
}

fn write_csv(kb: &Path, catalog: &Catalog, folder: &Path) -> Outcome<usize> {
    fs::create_dir_all(folder)?;
    let mut files = Vec::new();
    let header: Vec<&str> = sqlite::COLUMNS.iter().map(|(name, _)| *name).collect();
    for at in 0..CSV_FILES {
        let mut file = BufWriter::new(File::create(folder.join(format!("rows-{at}.csv")))?);
        writeln!(file, "{}", header.join(","))?;
        files.push(file);
    }
    let mut at = 0;
    let count = sqlite::each(kb, catalog, |cells| {
        at += 1;
        writeln!(files[at % CSV_FILES], "{}", cells.join(","))?;
        Ok(())
    })?;
    files.iter_mut().try_for_each(BufWriter::flush)?;
    Ok(count)
}

fn fill_sqlite(kb: &Path, catalog: &Catalog, path: &Path) -> Outcome<()> {
    if path.exists() {
        fs::remove_file(path)?;
    }
    let mut filling = sqlite::Filling::new(path)?;
    sqlite::each(kb, catalog, |cells| filling.add(cells))?;
    filling.finish()
}

/// Sorted by the columns that questions name most, so that DuckDB can skip most row groups.
fn write_parquet(args: &Args) -> Outcome<()> {
    let columns: Vec<String> = sqlite::COLUMNS.iter().map(|(name, kind)| format!("'{name}': '{kind}'")).collect();
    let csv = args.into.join("csv/*.csv");
    let parquet = args.into.join("rows.parquet");
    let statement = format!(
        "COPY (SELECT * FROM read_csv('{}', header = true, nullstr = '', columns = {{{}}}) ORDER BY network, device) \
         TO '{}' (FORMAT parquet, COMPRESSION zstd);",
        csv.display(),
        columns.join(", "),
        parquet.display()
    );
    run(Command::new(&args.duckdb).args(["-c", &statement]))?;
    Ok(())
}

/// Writes each question in each language; returns the data that timing needs.
fn ask(args: &Args, catalog: &Catalog) -> Outcome<Value> {
    let absolute = |name: &str| fs::canonicalize(args.into.join(name)).map(|path| path.display().to_string());
    let (parquet, csv, database) = (absolute("rows.parquet")?, absolute("csv")?, absolute("rows.sqlite")?);
    let mut asked = Vec::new();
    for (at, question) in QUESTIONS.iter().enumerate() {
        let place = |name: &str| args.into.join("questions").join(format!("{:02}-{name}", at + 1));
        fs::write(place("ripgrep.sh"), questions::shell(question, catalog, &args.rg, &csv))?;
        let order = if question.descending { "desc" } else { "asc" };
        let sqlite =
            questions::sqlite(question, catalog).map(|from| format!("{}\n{order}\n{from}\n", question.sort.name()));
        let sqlite = faster(&place("sqlite.txt"), &["fts5", "scan"], &sqlite, |file| {
            let mut command = Command::new(&args.ask_sqlite);
            command.arg(&database).arg(file);
            command
        })?;
        let duckdb = questions::duckdb(question, catalog, &parquet);
        let duckdb = faster(&place("duckdb.sql"), &["collected", "twice"], &duckdb, |file| {
            let mut command = Command::new(&args.duckdb);
            command.args(["-init", "/dev/null", "-f"]).arg(file);
            command
        })?;
        asked.push(json!({
            "ask": question.ask,
            "selective": question.selective,
            "sort": question.sort.name(),
            "sqlite_form": sqlite,
            "duckdb_form": duckdb,
        }));
    }
    Ok(Value::Array(asked))
}

/// Writes the faster form of a question, by the best of three runs each; returns its name.
fn faster<'n>(
    file: &Path,
    names: &[&'n str],
    forms: &[String],
    command: impl Fn(&Path) -> Command,
) -> Outcome<&'n str> {
    let mut best = None;
    for (name, form) in names.iter().zip(forms) {
        fs::write(file, form)?;
        for _ in 0..3 {
            let start = Instant::now();
            run(command(file).stdout(Stdio::null()))?;
            let took = start.elapsed();
            if best.is_none_or(|(known, _, _)| took < known) {
                best = Some((took, *name, form));
            }
        }
    }
    let (_, name, form) = best.ok_or("a question has a form")?;
    fs::write(file, form)?;
    Ok(name)
}

fn run(command: &mut Command) -> Outcome<()> {
    let status = command.status().map_err(|error| format!("{command:?}: {error}"))?;
    if status.success() { Ok(()) } else { Err(format!("{command:?}: {status}").into()) }
}

/// Size in bytes of a file, or of all files in a folder.
fn bytes(path: &Path) -> Outcome<u64> {
    if path.is_file() {
        return Ok(fs::metadata(path)?.len());
    }
    let mut sum = 0;
    for entry in fs::read_dir(path)? {
        sum += bytes(&entry?.path())?;
    }
    Ok(sum)
}
