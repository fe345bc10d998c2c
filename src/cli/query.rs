//! `dlbench query`: answers a question.

use clap::Args;

use super::failure::Failure;
use super::global::{Global, Outcome};
use super::options::AuthorOptions;
use super::options::aspects;
use super::options::{ForPaper, FormatOption, OutputOptions, SchemaOption};
use super::screen::Screen;
use dlbench::KnowledgeBase;
use dlbench::ask::answer::{Answer, Page, SCHEMA};
use dlbench::ask::paper::{DrawnItem, PaperOutput, UsedValue};
use dlbench::model::References;
use dlbench::render;
use dlbench::render::Format;
use dlbench::render::answer::AnswerView;
use dlbench::render::paper::ItemSetting;
use dlbench::render::{answer, card};
use dlbench::rows::JoinedRow;
use dlbench::values::text::counted;

#[derive(Debug, Args)]
pub(super) struct QueryArgs {
    /// The question: words, "phrases", filters such as batch>=32 or -framework:caffe2
    #[arg(value_name = "QUESTION")]
    question: Vec<String>,
    /// Show how each word was interpreted and how many rows it matches
    #[arg(long)]
    explain: bool,
    /// Count the values of each field in all matching measurements
    #[arg(long)]
    facets: bool,
    /// Show these columns: fields, metrics, catalog facts [default: those that vary]
    #[arg(long, visible_alias = "cols", value_name = "COLUMN,…", value_delimiter = ',')]
    columns: Vec<String>,
    /// Sort by this metric or field; -KEY sorts in descending order
    #[arg(long, value_name = "KEY", allow_hyphen_values = true)]
    sort: Option<String>,
    /// Group rows by these fields [default: by comparability]
    #[arg(long, value_name = "FIELD,…", value_delimiter = ',')]
    group_by: Vec<String>,
    /// Show the facts of all entities as tables
    #[arg(long)]
    facts: bool,
    /// Show all remarks [default: the three most important]
    #[arg(long)]
    notes: bool,
    /// Show at most this many measurements [default: 20; at a terminal 8, or 4 below a conclusion]
    #[arg(long, value_name = "N")]
    limit: Option<usize>,
    /// Skip this many measurements
    #[arg(long, value_name = "N", default_value_t = 0)]
    offset: usize,
    /// Show all measurements
    #[arg(long, conflicts_with_all = ["limit", "offset"])]
    all: bool,
    #[command(flatten)]
    author: AuthorOptions,
    #[command(flatten)]
    writing: OutputOptions,
    #[command(flatten)]
    schema: SchemaOption,
}

pub(super) fn run(args: &QueryArgs, global: &Global, screen: &Screen) -> Result<Outcome, Failure> {
    let writing = &args.writing;
    if args.schema.answered(SCHEMA, writing, screen)? {
        return Ok(Outcome::Done);
    }
    let view = args.view()?;
    args.refuse_what_the_format_lacks()?;
    let question = args.question();
    if question.is_empty() {
        return args.invite(&global.open(screen)?, screen);
    }
    if args.writing.format == Format::Csv && args.writing.bib.is_none() {
        return args.stream(&question, &view, &global.open(screen)?, screen);
    }
    let (kb, asked) = global.open_and_ask(screen, |kb| args.asked(&question, &view, kb, screen))?;
    let Asked { is_empty, cut, references, mut body, explanation } = asked?;
    if let Some(explanation) = explanation {
        match &mut body {
            Body::Text(text) if writing.format == Format::Table => text.push_str(&explanation),
            // With machine-readable formats, the explanation goes to stderr.
            _ => screen.tell(explanation.trim_end()),
        }
    }
    match &body {
        Body::Text(text) => writing.deliver(text, &references, screen)?,
        Body::Json(found) => writing.stream(&references, screen, |to| Ok(render::write_json(found, to)?))?,
        Body::Lines(found) => {
            writing.stream(&references, screen, |to| Ok(render::write_ndjson(&found.measurements, to)?))?;
        }
        Body::Long => {
            screen.tell(&format!("more than {MOST_ROWS_TOGETHER} rows: written as they are read, without `best`"));
            return args.stream(&question, &view, &kb, screen);
        }
    }
    if cut > 0 {
        screen.warn(&format!(
            "{} not written: -f {} has at most {}; -f csv, -f json and -f ndjson have all",
            counted(cut, "measurement", "measurements"),
            writing.format,
            MOST_ROWS_OF_A_DOCUMENT
        ));
    }
    kb.leave_open();
    Ok(if is_empty { Outcome::NothingFound } else { Outcome::Done })
}

/// Maximum rows of a document for people: larger results are for programs, and a table of everything would be gigabytes.
const MOST_ROWS_OF_A_DOCUMENT: usize = 5_000;

/// Larger results for programs are streamed, without marks of the best rows, which need all rows in memory.
const MOST_ROWS_TOGETHER: usize = 20_000;

/// The result of a question before printing.
struct Asked {
    /// Whether nothing was found.
    is_empty: bool,
    /// Number of requested rows that are not written.
    cut: usize,
    references: References,
    body: Body,
    explanation: Option<String>,
}

/// An answer that is complete, or one that is streamed.
enum Body {
    Text(String),
    Json(Box<Answer>),
    Lines(Box<Answer>),
    /// Too many rows for memory: the query runs again and streams them.
    Long,
}

impl QueryArgs {
    fn view(&self) -> Result<AnswerView, Failure> {
        let columns = aspects(&self.columns)?;
        Ok(AnswerView {
            page: self.page(),
            facts: self.facts,
            notes: self.notes,
            columns: (!columns.is_empty()).then_some(columns),
            group_by: aspects(&self.group_by)?,
            caption: self.writing.caption.clone(),
            author: self.author.style(),
            without_options: false,
            cites: false,
        })
    }

    /// The page for the format: smaller for people than for programs.
    fn page(&self) -> Page {
        let most = match self.writing.format {
            format if format.is_for_people() => MOST_ROWS_OF_A_DOCUMENT,
            // Citations are computed from rows in memory.
            Format::Json | Format::Ndjson if self.writing.bib.is_none() => MOST_ROWS_TOGETHER,
            _ => usize::MAX,
        };
        Page { most, ..self.page_asked() }
    }

    fn page_asked(&self) -> Page {
        // A request for a row layout shows that rows are wanted.
        let laid_out = !self.columns.is_empty() || !self.group_by.is_empty();
        match (self.all, self.limit, self.writing.format) {
            (true, ..) => Page::of(self.offset, usize::MAX),
            (_, Some(limit), _) => Page::of(self.offset, limit),
            (_, None, Format::Table) if laid_out => Page::of(self.offset, Page::for_person(0).limit),
            (_, None, Format::Table) => Page::for_person(self.offset),
            (_, None, format) if format.is_for_people() && !laid_out => Page::for_document(self.offset),
            (_, None, _) => Page { offset: self.offset, ..Page::default() },
        }
    }

    /// The page in a paper, which has all rows by default.
    fn page_of_a_paper(&self) -> Page {
        match (self.all, self.limit) {
            (false, None) => Page { offset: self.offset, ..Page::default() },
            _ => self.page(),
        }
    }

    /// The question with the requested order.
    fn question(&self) -> String {
        let question = self.question.join(" ").trim().to_owned();
        match &self.sort {
            Some(key) if !question.is_empty() => format!("sort:{} {question}", key.trim()),
            _ => question,
        }
    }

    /// Shows example questions if no question was given.
    fn invite(&self, kb: &KnowledgeBase, screen: &Screen) -> Result<Outcome, Failure> {
        let counts = kb.counts()?;
        let sources = counts.entities.get("sources").copied().unwrap_or(0) as usize;
        let text = card::draw_invitation(counts.measurements as usize, sources, &kb.examples(), screen.width());
        screen.deliver(&text, self.writing.output.as_deref())?;
        Ok(Outcome::Done)
    }

    fn asked(&self, question: &str, view: &AnswerView, kb: &KnowledgeBase, screen: &Screen) -> Result<Asked, Failure> {
        let found = self.found(question, view, kb)?;
        let references = self.writing.references(|| kb.references_of(&found))?;
        let cut = cut(&found, &view.page);
        // Reported where the rows are streamed.
        let is_long = cut > 0 && !self.writing.format.is_for_people();
        let explanation = if is_long { None } else { self.explanation(question, kb, screen)? };
        Ok(Asked {
            is_empty: found.is_empty(),
            cut,
            body: match self.writing.format {
                _ if is_long => Body::Long,
                Format::Json => Body::Json(Box::new(found)),
                Format::Ndjson => Body::Lines(Box::new(found)),
                _ => Body::Text(self.written(&found, view, &references, kb, screen)?),
            },
            explanation,
            references,
        })
    }

    fn found(&self, question: &str, view: &AnswerView, kb: &KnowledgeBase) -> Result<Answer, Failure> {
        let failed = |error| Failure::Query { question: question.to_owned(), error };
        let mut found = kb.query_page(question, &view.page).map_err(failed)?;
        if self.facets {
            found.facets = Some(kb.facets(&found).map_err(failed)?);
        }
        Ok(found)
    }

    /// Streams the rows: a program may request all of them.
    fn stream(
        &self,
        question: &str,
        view: &AnswerView,
        kb: &KnowledgeBase,
        screen: &Screen,
    ) -> Result<Outcome, Failure> {
        let failed = |error| Failure::Query { question: question.to_owned(), error };
        let page = Page { most: usize::MAX, ..view.page.clone() };
        let (mut found, rows) = kb.query_rows(question, &page).map_err(failed)?;
        if self.facets {
            found.facets = Some(kb.facets(&found).map_err(failed)?);
        }
        if let Some(explanation) = self.explanation(question, kb, screen)? {
            screen.tell(explanation.trim_end());
        }
        let portions = || rows.portions().map(|portion| portion.map_err(Failure::from));
        screen.stream(self.writing.output.as_deref(), |to| match self.writing.format {
            Format::Json => answer::write_json(&found, portions(), to),
            Format::Ndjson => answer::write_ndjson(portions(), to),
            _ => answer::write_csv(&found, view, portions, to),
        })?;
        Ok(if found.is_empty() { Outcome::NothingFound } else { Outcome::Done })
    }

    /// The explanation of how the question was parsed, if requested.
    fn explanation(&self, question: &str, kb: &KnowledgeBase, screen: &Screen) -> Result<Option<String>, Failure> {
        if !self.explain {
            return Ok(None);
        }
        let explained = kb.explain(question);
        let explained = explained.map_err(|error| Failure::Query { question: question.to_owned(), error })?;
        Ok(Some(answer::explanation(&explained, screen.width())))
    }

    fn refuse_what_the_format_lacks(&self) -> Result<(), Failure> {
        use Format::{Html, Json, Markdown, Table};
        let own: [FormatOption<'_>; 3] = [
            ("--columns", !self.columns.is_empty(), Format::WITH_COLUMNS),
            ("--group-by", !self.group_by.is_empty(), Format::FOR_PEOPLE),
            ("--facets", self.facets, &[Table, Json, Markdown, Html]),
        ];
        // Rows for spreadsheets are not styled.
        let author = self.author.given().map(|(option, given, _)| (option, given, Format::FOR_PEOPLE));
        self.writing.refuse_what_the_format_lacks(&[&own[..], &author].concat())
    }

    fn written(
        &self,
        found: &Answer,
        view: &AnswerView,
        references: &References,
        kb: &KnowledgeBase,
        screen: &Screen,
    ) -> Result<String, Failure> {
        Ok(match self.writing.format {
            Format::Table => answer::text(found, view, screen.width()),
            Format::Markdown => answer::markdown(found, view, &answer::about(found, kb.content())),
            Format::Html => answer::html(found, view, &answer::about(found, kb.content()), self.writing.standalone),
            Format::Latex => {
                answer::latex(found, view, self.writing.paper(answer::about(found, kb.content()), references))
            }
            Format::Typst => answer::typst_document(found, view, &answer::about(found, kb.content())),
            format => answer::flat(found, view).draw(format, screen.width())?,
        })
    }

    /// The answer's table for a paper; `None` where nothing is found.
    ///
    /// # Errors
    ///
    /// When the question has a mistake, or an option is not allowed in a paper.
    pub(super) fn paper_output(&self, kb: &KnowledgeBase, setting: &ItemSetting) -> ForPaper {
        self.writing.refuse_in_a_paper()?;
        let mut view = self.view()?;
        view.caption = setting.caption.clone().or(view.caption);
        view.page = self.page_of_a_paper();
        let found = self.found(&self.question(), &view, kb)?;
        if found.is_empty() {
            return Ok(None);
        }
        if cut(&found, &view.page) > 0 {
            return Err(Failure::usage(
                format!(
                    "{} are more than a table of a paper holds",
                    counted(found.total, "measurement", "measurements")
                ),
                format!("ask for less, or for --limit {MOST_ROWS_OF_A_DOCUMENT}"),
            ));
        }
        let references = kb.references_of(&found)?;
        let paper = self.writing.pages.applied_to(setting.paper(answer::about(&found, kb.content()), &references));
        Ok(Some(PaperOutput {
            drawn: DrawnItem::Table(answer::latex(&found, &view, paper)),
            used: found.measurements.iter().flat_map(used).collect(),
            references,
        }))
    }
}

/// Number of requested rows that an answer leaves out because of the limit of the document.
fn cut(found: &Answer, page: &Page) -> usize {
    let asked = found.total.saturating_sub(page.offset).min(page.limit);
    if found.measurements.len() == page.most { asked.saturating_sub(page.most) } else { 0 }
}

/// Every value of a row; the row's id suffices as its position.
fn used(row: &JoinedRow) -> Vec<UsedValue> {
    let figures = row.metrics().map(|(metric, value, _)| (metric.key().to_owned(), value.to_string()));
    let figure = |(measure, value)| UsedValue { id: row.id().to_owned(), measure, value, ..UsedValue::default() };
    figures.map(figure).collect()
}
