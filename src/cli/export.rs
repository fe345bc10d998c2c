//! `dlbench export`: the whole knowledge base in one piece.

use std::path::{Path, PathBuf};

use clap::{Args, ValueEnum};

use super::failure::Failure;
use super::global::{Global, Outcome};
use super::screen::Screen;
use dlbench::ask::export::{self, Sheet};
use dlbench::model::Knowledge;
use dlbench::render::cff;
use dlbench::render::table::Table;
use dlbench::values::text::counted;

#[derive(Debug, Args)]
pub(super) struct ExportArgs {
    /// How to write it
    #[arg(short, long, value_enum, default_value = "json")]
    format: ExportFormat,
    /// Where to: a file for JSON and SQLite; for CSV and Parquet a folder with a file for each table, or a file for the
    /// measurements alone
    #[arg(short, long, value_name = "PATH", required_unless_present = "schema")]
    output: Option<PathBuf>,
    /// Write how to cite the knowledge base to this file, as CITATION.cff
    #[arg(long, value_name = "FILE")]
    citation: Option<PathBuf>,
    /// Print the JSON Schema of `-f json` and stop
    #[arg(long, conflicts_with_all = ["output", "citation"])]
    schema: bool,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
enum ExportFormat {
    /// One document: benchmark.json
    Json,
    /// One database
    Sqlite,
    /// Comma-separated values, a file for each table
    Csv,
    /// Apache Parquet, a file for each table
    Parquet,
}

pub(super) fn run(args: &ExportArgs, global: &Global, screen: &Screen) -> Result<Outcome, Failure> {
    let Some(output) = args.output.as_deref().filter(|_| !args.schema) else {
        screen.print(export::SCHEMA)?;
        return Ok(Outcome::Done);
    };
    let kb = global.open(screen)?;
    let content = kb.content().to_owned();
    let knowledge = kb.knowledge()?;
    match args.format {
        ExportFormat::Json => {
            let text = serde_json::to_string(&export::document(&knowledge, &content))? + "\n";
            screen.save(output, text)?;
        }
        ExportFormat::Sqlite => export::sqlite(&export::sheets(&knowledge, &content)?, output)?,
        ExportFormat::Csv => {
            tables(&export::sheets(&knowledge, &content)?, output, "csv", screen, |sheet| {
                Ok(Table::from(sheet).csv()?.into_bytes())
            })?;
        }
        ExportFormat::Parquet => parquet(&export::sheets(&knowledge, &content)?, output, screen)?,
    }
    let citation = cff::citation(&kb.reference()?, knowledge.catalog.sources.values());
    let in_folder = matches!(args.format, ExportFormat::Csv | ExportFormat::Parquet) && output.is_dir();
    if in_folder {
        screen.deliver(&citation, Some(&output.join("CITATION.cff")))?;
    }
    if let Some(file) = &args.citation {
        screen.deliver(&citation, Some(file))?;
    }
    screen.tell(&told(&knowledge, &content, output));
    Ok(Outcome::Done)
}

fn told(knowledge: &Knowledge, content: &str, output: &Path) -> String {
    let measurements = counted(knowledge.measurements.len(), "measurement", "measurements");
    format!("{measurements}, content {content}: {}", output.display())
}

#[cfg(feature = "parquet")]
fn parquet(sheets: &[Sheet], output: &Path, screen: &Screen) -> Result<(), Failure> {
    tables(sheets, output, "parquet", screen, |sheet| Ok(export::parquet(sheet)?))
}

#[cfg(not(feature = "parquet"))]
fn parquet(_: &[Sheet], _: &Path, _: &Screen) -> Result<(), Failure> {
    Err(Failure::usage(
        "this dlbench was built without the feature `parquet`",
        "write JSON, SQLite or CSV, or build with --features parquet",
    ))
}

/// A file for each table in a folder; to a file that is named as one, the measurements alone.
fn tables(
    sheets: &[Sheet],
    output: &Path,
    extension: &str,
    screen: &Screen,
    write: impl Fn(&Sheet) -> Result<Vec<u8>, Failure>,
) -> Result<(), Failure> {
    let is_file = output.extension().is_some_and(|found| found.eq_ignore_ascii_case(extension)) && !output.is_dir();
    if is_file {
        for sheet in sheets.iter().filter(|sheet| sheet.name == "measurements") {
            screen.save(output, write(sheet)?)?;
        }
        return Ok(());
    }
    for sheet in sheets {
        screen.save_in(output, &format!("{}.{extension}", sheet.name), write(sheet)?)?;
    }
    Ok(())
}
