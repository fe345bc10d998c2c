//! `dlbench query`: ask a question.

use std::path::PathBuf;

use clap::Args;

use super::aspects::aspects;
use super::failure::Failure;
use super::render;
use super::render::answer::View;
use super::render::bibtex::bibtex;
use super::render::table::Paper;
use super::render::{answer, invitation};
use super::screen::Screen;
use super::{Format, Global, Outcome};
use crate::questions::KnowledgeBase;
use crate::questions::query::{Answer, Page, SCHEMA};
use crate::values::text::or_list;

#[derive(Debug, Args)]
pub(super) struct QueryArgs {
    /// The question: words in any order, "phrases", filters such as batch>=32 or -framework:caffe2
    #[arg(value_name = "QUESTION")]
    question: Vec<String>,
    /// How to write the answer
    #[arg(short, long, value_enum, default_value = "table")]
    format: Format,
    /// Write to this file instead, whole or not at all
    #[arg(short, long, value_name = "FILE")]
    output: Option<PathBuf>,
    /// Say how each word was read and what it leaves
    #[arg(long)]
    explain: bool,
    /// Count the values of each field in all measurements found
    #[arg(long)]
    facets: bool,
    /// Show these columns: fields, metrics, facts of the catalog [default: those that vary]
    #[arg(long, value_name = "COLUMN,…", value_delimiter = ',')]
    columns: Vec<String>,
    /// Order by this metric or field; -KEY puts the largest first
    #[arg(long, value_name = "KEY", allow_hyphen_values = true)]
    sort: Option<String>,
    /// Group rows by these fields [default: by what can be compared]
    #[arg(long, value_name = "FIELD,…", value_delimiter = ',')]
    group_by: Vec<String>,
    /// Show at most this many measurements
    #[arg(long, value_name = "N", default_value_t = 20)]
    limit: usize,
    /// Pass over this many measurements
    #[arg(long, value_name = "N", default_value_t = 0)]
    offset: usize,
    /// Show all measurements
    #[arg(long, conflicts_with_all = ["limit", "offset"])]
    all: bool,
    /// Caption of the table, for Markdown, HTML and LaTeX
    #[arg(long, value_name = "TEXT")]
    caption: Option<String>,
    /// Label of the table, for LaTeX
    #[arg(long, value_name = "LABEL")]
    label: Option<String>,
    /// Write a whole document, for HTML and LaTeX
    #[arg(long)]
    standalone: bool,
    /// Write what the answer cites to this file, in BibTeX
    #[arg(long, value_name = "FILE")]
    bib: Option<PathBuf>,
    /// Print the JSON Schema of `-f json` and stop
    #[arg(long, conflicts_with_all = ["question", "format"])]
    schema: bool,
}

pub(super) fn run(args: &QueryArgs, global: &Global, screen: &Screen) -> Result<Outcome, Failure> {
    if args.schema {
        screen.deliver(SCHEMA, args.output.as_deref())?;
        return Ok(Outcome::Done);
    }
    let view = args.view()?;
    args.refuse_what_the_format_lacks()?;
    let mut question = args.question.join(" ").trim().to_owned();
    let kb = global.open(screen)?;
    if question.is_empty() {
        screen.deliver(&invitation::draw(&kb, screen.width())?, args.output.as_deref())?;
        return Ok(Outcome::Done);
    }
    if let Some(key) = &args.sort {
        question = format!("{question} sort:{}", key.trim());
    }
    let mut found =
        kb.query_page(&question, &view.page).map_err(|error| Failure::Query { question: question.clone(), error })?;
    if args.facets {
        let counted = kb.facets(&found);
        found.facets = Some(counted.map_err(|error| Failure::Query { question: question.clone(), error })?);
    }
    let mut text = args.written(&found, &view, &kb, screen)?;
    if let Some(file) = &args.bib {
        screen.deliver(&bibtex(&kb.references_of(&found)?), Some(file))?;
    }
    if args.explain {
        let explanation =
            kb.explain(&question).map_err(|error| Failure::Query { question: question.clone(), error })?;
        let explanation = answer::explanation(&explanation, screen.width());
        match args.format {
            Format::Table => text.push_str(&explanation),
            // Other programs read the answer; people read this.
            _ => screen.tell(explanation.trim_end()),
        }
    }
    screen.deliver(&text, args.output.as_deref())?;
    Ok(if found.is_empty() { Outcome::NothingFound } else { Outcome::Done })
}

impl QueryArgs {
    fn view(&self) -> Result<View, Failure> {
        let columns = aspects(&self.columns)?;
        Ok(View {
            page: Page { offset: self.offset, limit: if self.all { usize::MAX } else { self.limit } },
            columns: (!columns.is_empty()).then_some(columns),
            group_by: aspects(&self.group_by)?,
            caption: self.caption.clone(),
        })
    }

    /// An option that would be passed over in silence is a mistake.
    fn refuse_what_the_format_lacks(&self) -> Result<(), Failure> {
        use Format::{Csv, Html, Json, Latex, Markdown, Table};
        let options: [(&str, bool, &[Format]); 6] = [
            ("--columns", !self.columns.is_empty(), &[Table, Csv, Markdown, Html, Latex]),
            ("--group-by", !self.group_by.is_empty(), &[Table, Markdown, Html, Latex]),
            ("--facets", self.facets, &[Table, Json, Markdown, Html]),
            ("--caption", self.caption.is_some(), &[Markdown, Html, Latex]),
            ("--label", self.label.is_some(), &[Latex]),
            ("--standalone", self.standalone, &[Html, Latex]),
        ];
        for (option, given, formats) in options {
            if given && !formats.contains(&self.format) {
                let names: Vec<String> = formats.iter().map(|format| format!("-f {}", format.name())).collect();
                return Err(Failure::Usage {
                    message: format!("{option} has no meaning with -f {}", self.format.name()),
                    help: Some(format!("it goes with {}", or_list(&names))),
                });
            }
        }
        Ok(())
    }

    fn written(&self, found: &Answer, view: &View, kb: &KnowledgeBase, screen: &Screen) -> Result<String, Failure> {
        let about = || {
            vec![
                format!("dlbench query: {}", found.query),
                format!("the same in filters: {}", found.equivalent),
                format!("content of the knowledge base: {}", kb.stores().content),
            ]
        };
        Ok(match self.format {
            Format::Json => render::json(found)?,
            Format::Ndjson => render::ndjson(&found.measurements)?,
            Format::Table => answer::text(found, view, screen.width()),
            Format::Csv => answer::flat(found, view).csv()?,
            Format::Markdown => answer::markdown(found, view),
            Format::Html => answer::html(found, view, &about(), self.standalone),
            Format::Latex => {
                let paper = Paper {
                    about: about(),
                    label: self.label.clone(),
                    standalone: self.standalone,
                    sources: Vec::new(),
                    cite: match self.bib {
                        Some(_) => kb.references_of(found)?.keys(),
                        None => Vec::new(),
                    },
                };
                answer::latex(found, view, paper)
            }
        })
    }
}
