//! `dlbench estimate`: estimates values that were not measured.

use clap::Args;

use super::failure::Failure;
use super::global::{Global, Outcome};
use super::options::choice;
use super::screen::Screen;
use dlbench::ask::execute::ESTIMATE_SCHEMA;
use dlbench::render;
use dlbench::render::{Format, wanted};

#[derive(Debug, Args)]
#[command(
    after_help = "An estimate is not a measurement: it is never exported, and no table or figure of measurements has it."
)]
pub(super) struct EstimateArgs {
    /// One device and its workload, such as llama-3-8b decode on RTX 5090
    #[arg(value_name = "QUESTION", required_unless_present = "schema")]
    question: Vec<String>,
    /// Output format: table, json, csv or markdown
    #[arg(short, long, value_parser = choice::<Format>(), default_value = "table")]
    format: Format,
    /// Print the JSON Schema of `-f json` and exit
    #[arg(long, conflicts_with_all = ["question", "format"])]
    schema: bool,
}

pub(super) fn run(args: &EstimateArgs, global: &Global, screen: &Screen) -> Result<Outcome, Failure> {
    if args.schema {
        screen.print(ESTIMATE_SCHEMA)?;
        return Ok(Outcome::Done);
    }
    let kb = global.open(screen)?;
    let question = args.question.join(" ");
    let found = kb.estimate(&question).map_err(|error| Failure::Query { question: question.clone(), error })?;
    let text = match args.format {
        Format::Json => render::json(&found)?,
        Format::Table => wanted::text(&found, screen.width()),
        Format::Csv | Format::Markdown => wanted::estimate_table(&found).draw(args.format, screen.width())?,
        other => {
            return Err(Failure::usage(
                format!("estimates are not written as {other}"),
                "they are not measurements: take table, json, csv or markdown".to_owned(),
            ));
        }
    };
    screen.print(&text)?;
    Ok(if found.estimates.is_empty() { Outcome::NothingFound } else { Outcome::Done })
}
