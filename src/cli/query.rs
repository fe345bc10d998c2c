//! `dlbench query`: ask a question.

use clap::Args;

use super::failure::Failure;
use super::render;
use super::render::{answer, grid, invitation};
use super::screen::Screen;
use super::{Format, Global, Outcome};
use crate::questions::query::Page;

#[derive(Debug, Args)]
pub(super) struct QueryArgs {
    /// The question: words in any order, "phrases", filters such as batch>=32 or -framework:caffe2
    #[arg(value_name = "QUESTION")]
    question: Vec<String>,
    /// How to write the answer
    #[arg(short, long, value_enum, default_value = "table")]
    format: Format,
    /// Say how each word was read and what it leaves
    #[arg(long)]
    explain: bool,
    /// Show at most this many measurements
    #[arg(long, value_name = "N", default_value_t = 20)]
    limit: usize,
    /// Pass over this many measurements
    #[arg(long, value_name = "N", default_value_t = 0)]
    offset: usize,
    /// Show all measurements
    #[arg(long, conflicts_with_all = ["limit", "offset"])]
    all: bool,
}

pub(super) fn run(args: &QueryArgs, global: &Global, screen: &Screen) -> Result<Outcome, Failure> {
    let question = args.question.join(" ").trim().to_owned();
    let kb = global.open(screen)?;
    if question.is_empty() {
        screen.print(&invitation::draw(&kb, screen.width())?)?;
        return Ok(Outcome::Done);
    }
    let page = Page { offset: args.offset, limit: if args.all { usize::MAX } else { args.limit } };
    let found =
        kb.query_page(&question, &page).map_err(|error| Failure::Query { question: question.clone(), error })?;
    let text = match args.format {
        Format::Json => render::json(&found)?,
        Format::Table => answer::text(&found, &page, screen.width()),
        Format::Csv => grid::csv(&answer::flat(&found))?,
        Format::Markdown => answer::markdown(&found),
    };
    screen.print(&text)?;
    if args.explain {
        let explanation =
            kb.explain(&question).map_err(|error| Failure::Query { question: question.clone(), error })?;
        let explanation = answer::explanation(&explanation, screen.width());
        match args.format {
            Format::Table => screen.print(&explanation)?,
            // Other programs read the answer; people read this.
            _ => screen.tell(explanation.trim_end()),
        }
    }
    Ok(if found.is_empty() { Outcome::NothingFound } else { Outcome::Done })
}
