//! `dlbench export`: writes the whole knowledge base.

use std::path::{Path, PathBuf};

use clap::{Args, ValueEnum};

use super::failure::Failure;
use super::global::{Global, Outcome};
use super::screen::Screen;
use dlbench::KnowledgeBase;
use dlbench::ask::export::{self, MeasurementPortions, Sheet};
use dlbench::model::{Knowledge, Value};
use dlbench::reading::create_folder;
use dlbench::render::paper;
use dlbench::render::table::CsvWriter;
use dlbench::rows::JoinedRow;
use dlbench::values::text::counted;

#[derive(Debug, Args)]
pub(super) struct ExportArgs {
    /// Output format
    #[arg(short, long, value_enum, default_value = "json")]
    format: ExportFormat,
    /// A file for JSON and SQLite; for CSV and Parquet, a folder for one file per table, or a file for the measurements
    /// only
    #[arg(short, long, value_name = "PATH", required_unless_present = "schema")]
    output: Option<PathBuf>,
    /// Write a CITATION.cff for the knowledge base to this file
    #[arg(long, value_name = "FILE")]
    citation: Option<PathBuf>,
    /// Print the JSON Schema of `-f json` and exit
    #[arg(long, conflicts_with_all = ["output", "citation"])]
    schema: bool,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
enum ExportFormat {
    /// One document: benchmark.json
    Json,
    /// One database
    Sqlite,
    /// Comma-separated values, one file per table
    Csv,
    /// Apache Parquet, one file per table
    Parquet,
}

pub(super) fn run(args: &ExportArgs, global: &Global, screen: &Screen) -> Result<Outcome, Failure> {
    let Some(output) = args.output.as_deref().filter(|_| !args.schema) else {
        screen.print(export::SCHEMA)?;
        return Ok(Outcome::Done);
    };
    let kb = global.open(screen)?;
    let content = kb.content().to_owned();
    // If no file was skipped, the stores have every measurement and can stream them.
    if kb.skipped()?.is_empty() {
        let (knowledge, rows) = (kb.catalog()?, kb.all_rows()?);
        args.write(&knowledge, &content, &mut rows.portions(), output, screen)?;
        return args.end(&kb, &knowledge, rows.len(), output, screen);
    }
    let mut knowledge = kb.knowledge()?;
    let measurements = std::mem::take(&mut knowledge.measurements);
    let count = measurements.len();
    let all: Vec<JoinedRow> = measurements.into_iter().map(JoinedRow::from).collect();
    args.write(&knowledge, &content, &mut std::iter::once(Ok(all)), output, screen)?;
    args.end(&kb, &knowledge, count, output, screen)
}

impl ExportArgs {
    fn write(
        &self,
        knowledge: &Knowledge,
        content: &str,
        rows: &mut MeasurementPortions<'_>,
        output: &Path,
        screen: &Screen,
    ) -> Result<(), Failure> {
        match self.format {
            ExportFormat::Json => Ok(export::json(knowledge, content, rows, output)?),
            ExportFormat::Sqlite => Ok(export::sqlite(&export::sheets(knowledge, content)?, rows, output)?),
            ExportFormat::Csv => tables(&export::sheets(knowledge, content)?, output, "csv", |sheet, file| {
                screen.stream(Some(file), |to| {
                    let mut writer = CsvWriter::new(to);
                    writer.row(sheet.columns.iter().map(|column| &column.key))?;
                    export::each_portion(sheet, rows, |portion| -> Result<(), Failure> {
                        for row in &portion {
                            writer.row(row.iter().map(text))?;
                        }
                        Ok(())
                    })?;
                    writer.finish()?.flush()?;
                    Ok(())
                })
            }),
            ExportFormat::Parquet => parquet(&export::sheets(knowledge, content)?, rows, output),
        }
    }

    /// Writes the citation file, and reports what was written.
    fn end(
        &self,
        kb: &KnowledgeBase,
        knowledge: &Knowledge,
        measurements: usize,
        output: &Path,
        screen: &Screen,
    ) -> Result<Outcome, Failure> {
        let citation = paper::citation(&kb.reference()?, knowledge.catalog.sources.values());
        let in_folder = matches!(self.format, ExportFormat::Csv | ExportFormat::Parquet) && output.is_dir();
        if in_folder {
            screen.deliver(&citation, Some(&output.join("CITATION.cff")))?;
        }
        if let Some(file) = &self.citation {
            screen.deliver(&citation, Some(file))?;
        }
        let measurements = counted(measurements, "measurement", "measurements");
        screen.tell(&format!("{measurements}, content {}: {}", kb.content(), output.display()));
        Ok(Outcome::Done)
    }
}

/// A cell as text; empty for unknown values.
fn text(cell: &Option<Value>) -> String {
    cell.as_ref().map_or_else(String::new, Value::to_string)
}

#[cfg(feature = "parquet")]
fn parquet(sheets: &[Sheet], rows: &mut MeasurementPortions<'_>, output: &Path) -> Result<(), Failure> {
    tables(sheets, output, "parquet", |sheet, file| Ok(export::parquet(sheet, rows, file)?))
}

#[cfg(not(feature = "parquet"))]
fn parquet(_: &[Sheet], _: &mut MeasurementPortions<'_>, _: &Path) -> Result<(), Failure> {
    Err(Failure::usage(
        "this dlbench was built without the feature `parquet`",
        "write JSON, SQLite or CSV, or build with --features parquet",
    ))
}

/// The file of each table: one per table in a folder; if the output is itself a file, only the measurements.
fn files<'s>(sheets: &'s [Sheet], output: &Path, extension: &str) -> Vec<(&'s Sheet, PathBuf)> {
    let is_file = output.extension().is_some_and(|found| found.eq_ignore_ascii_case(extension)) && !output.is_dir();
    match is_file {
        true => sheets
            .iter()
            .filter(|sheet| sheet.name == export::MEASUREMENTS)
            .map(|sheet| (sheet, output.to_owned()))
            .collect(),
        false => sheets.iter().map(|sheet| (sheet, output.join(format!("{}.{extension}", sheet.name)))).collect(),
    }
}

/// Writes each table to its file, in a folder that is created if necessary.
fn tables(
    sheets: &[Sheet],
    output: &Path,
    extension: &str,
    mut write: impl FnMut(&Sheet, &Path) -> Result<(), Failure>,
) -> Result<(), Failure> {
    for (sheet, file) in files(sheets, output, extension) {
        if file != output {
            create_folder(output)?;
        }
        write(sheet, &file)?;
    }
    Ok(())
}
