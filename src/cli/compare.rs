//! `dlbench compare`: compares measurements, in a table or as a verdict.

use clap::Args;
use dlbench::ask::answer::reading_in_words;
use dlbench::ask::compare::{
    Along, CompareDocument, CompareError, ComparePick, CompareRequest, Compared, MeanPolicy, PairVerdict, Pivot,
    PivotAxis, PivotDocument, Ratio, SCHEMA, criterion_called, measure_called,
};
use dlbench::ask::paper::{DrawnItem, PaperOutput, UsedValue};
use dlbench::ask::parse::print;
use dlbench::model::{Measure, References};
use dlbench::render::paper::ItemSetting;
use dlbench::render::pivot::{CellPart, PivotStyle};
use dlbench::render::table::{Paper, Table};
use dlbench::render::{Format, answer, contradictions, paragraph, pivot};
use dlbench::values::EntityKind;
use dlbench::values::text::{or_list, printable_name};
use dlbench::{KnowledgeBase, OpenError, render};

use super::failure::Failure;
use super::global::{Global, Outcome};
use super::options::{AuthorOptions, OutputOptions, SchemaOption, ValueOptions, choice};
use super::screen::Screen;
use crate::cli::options::ForPaper;

#[derive(Debug, Args)]
pub(super) struct CompareArgs {
    /// A question, or the ids of two or more measurements to check for comparability
    #[arg(value_name = "QUESTION | ID ID", required_unless_present = "schema")]
    question: Vec<String>,
    /// Rows: fields or catalog facts [default: what the question compares]
    #[arg(long, value_name = "FIELD,…", value_delimiter = ',')]
    rows: Vec<String>,
    /// Group rows under headings by these fields or facts (columns in machine-readable formats)
    #[arg(long, value_name = "FIELD,…", value_delimiter = ',')]
    group_by: Vec<String>,
    /// Columns: fields, facts or `metric`
    #[arg(long, visible_alias = "columns", value_name = "FIELD,…", value_delimiter = ',')]
    cols: Vec<String>,
    /// Metrics or derived measures to compare [default: the most frequent]
    #[arg(long, value_name = "METRIC,…", value_delimiter = ',')]
    metric: Vec<String>,
    /// The row or column by which the others are divided
    #[arg(long, value_name = "VALUE,…")]
    baseline: Option<String>,
    /// Show ratios to the baseline and to the best value, with geometric means
    #[arg(long, value_name = "KIND", num_args = 0..=1, require_equals = true, default_missing_value = "speed-up", value_parser = choice::<Ratio>())]
    relative: Option<Ratio>,
    /// Which of several measurements a cell shows
    #[arg(long, value_parser = choice::<ComparePick>(), default_value = "best")]
    pick: ComparePick,
    /// What cells show [default: the value, or ratios with --relative]
    #[arg(long, value_parser = choice::<CellPart>(), value_name = "WHAT,…", value_delimiter = ',')]
    cells: Vec<CellPart>,
    /// Rank the cells of each column or of each row [default: column; row if only its cells are comparable]
    #[arg(long, value_parser = choice::<Along>(), value_name = "LINE")]
    best_of: Option<Along>,
    /// What geometric means cover if rows lack different cells [default: show none]
    #[arg(long, value_parser = choice::<MeanPolicy>(), value_name = "POLICY")]
    mean: Option<MeanPolicy>,
    /// Compare values even if these fields differ; the table notes it
    #[arg(long, value_name = "FIELD,…", value_delimiter = ',')]
    relax: Vec<String>,
    /// Data set for epoch-time-s and epoch-energy-j
    #[arg(long, value_name = "DATASET")]
    dataset: Option<String>,
    #[command(flatten)]
    author: AuthorOptions,
    #[command(flatten)]
    values: ValueOptions,
    #[command(flatten)]
    writing: OutputOptions,
    #[command(flatten)]
    schema: SchemaOption,
}

pub(super) fn run(args: &CompareArgs, global: &Global, screen: &Screen) -> Result<Outcome, Failure> {
    let writing = &args.writing;
    if args.schema.answered(SCHEMA, writing, screen)? {
        return Ok(Outcome::Done);
    }
    args.refuse_what_the_format_lacks()?;
    let request = args.request()?;
    let (kb, asked) = global.open_and_ask(screen, |kb| args.asked(&request, kb, screen))?;
    let Asked { told, written, is_empty } = asked?;
    told.iter().for_each(|line| screen.tell(line));
    let (text, references) = written?;
    if is_empty {
        screen.tell("no measurement matches that has a value: `dlbench query` with the same question shows why");
        return Ok(Outcome::NothingFound);
    }
    writing.deliver(&text, &references, screen)?;
    kb.leave_open();
    Ok(Outcome::Done)
}

/// The result of a comparison before printing.
struct Asked {
    /// How the request was understood.
    told: Vec<String>,
    written: Result<(String, References), Failure>,
    is_empty: bool,
}

/// Reports which axes were derived from the question.
fn made_out(rows: &[PivotAxis], columns: &[PivotAxis]) -> String {
    let keys = |axes: &[PivotAxis]| axes.iter().map(|axis| axis.key()).collect::<Vec<_>>().join(",");
    match columns {
        [] => format!("made as with --rows {}", keys(rows)),
        columns => format!("made as with --rows {} --cols {}", keys(rows), keys(columns)),
    }
}

fn references(pivot: &Pivot, kb: &KnowledgeBase) -> Result<References, OpenError> {
    kb.references(pivot.sources.iter().map(|source| source.id.as_str()), &[])
}

impl CompareArgs {
    fn request(&self) -> Result<CompareRequest, Failure> {
        let axes = |names: &[String]| names.iter().map(|name| PivotAxis::called(name)).collect::<Result<Vec<_>, _>>();
        Ok(CompareRequest {
            rows: axes(&self.rows)?,
            groups: axes(&self.group_by)?,
            columns: axes(&self.cols)?,
            measures: self.metric.iter().map(|name| measure_called(name)).collect::<Result<_, _>>()?,
            baseline: self.baseline.clone(),
            relative: self.relative,
            pick: self.pick,
            along: self.best_of,
            mean: self.mean,
            relaxed: self.relax.iter().map(|name| criterion_called(name)).collect::<Result<_, _>>()?,
            dataset: None,
        })
    }

    fn asked(&self, request: &CompareRequest, kb: &KnowledgeBase, screen: &Screen) -> Result<Asked, Failure> {
        if self.is_about_ids(kb)? {
            let metric = match request.measures.as_slice() {
                [] => None,
                [Measure::Metric(metric)] => Some(*metric),
                _ => return Err(Failure::usage("a verdict is about one metric", "name one with --metric")),
            };
            let verdict = kb.verdict(&self.question, metric, &request.relaxed)?;
            let sources = verdict.sources.iter().map(|source| source.id.as_str());
            let references = self.writing.references(|| kb.references(sources, &[]))?;
            let text = self.drawn(&verdict, &references, kb, screen)?;
            return Ok(Asked { told: Vec::new(), written: Ok((text, references)), is_empty: false });
        }
        let compared = self.compared(request.clone(), kb)?;
        let remarks = reading_in_words(&compared.asked.remarks);
        let notes = remarks.iter().map(|remark| format!("note: {}", printable_name(remark)));
        let inferred = compared.inferred.iter().map(|(rows, columns)| made_out(rows, columns));
        let told = notes.chain(inferred).collect();
        let written = || {
            let references = self.writing.references(|| references(&compared.pivot, kb))?;
            Ok((self.written(&compared, &references, kb, screen)?, references))
        };
        Ok(Asked { told, written: written(), is_empty: compared.pivot.is_empty() })
    }

    /// Whether every word is the id of a measurement, or the beginning of one.
    fn is_about_ids(&self, kb: &KnowledgeBase) -> Result<bool, Failure> {
        let sources = kb.ids(EntityKind::Source)?;
        let is_id = |word: &String| {
            let source = word.split_once(':').filter(|(_, code)| !code.is_empty()).map(|(source, _)| source);
            source.is_some_and(|source| sources.iter().any(|id| id == source))
        };
        Ok(self.question.len() > 1 && self.rows.is_empty() && self.question.iter().all(is_id))
    }

    /// The id of the given data set, looked up by id or name.
    fn dataset(&self, kb: &KnowledgeBase) -> Result<Option<String>, Failure> {
        let Some(name) = &self.dataset else { return Ok(None) };
        match kb.id_of_name(EntityKind::Dataset, name)? {
            Some(id) => Ok(Some(id)),
            None => {
                let ids = kb.ids(EntityKind::Dataset)?;
                Err(Failure::usage(format!("there is no data set `{name}`"), format!("there are {}", or_list(&ids))))
            }
        }
    }

    fn refuse_what_the_format_lacks(&self) -> Result<(), Failure> {
        let given = [&self.author.given()[..], &self.values.given()].concat();
        self.writing.refuse_what_the_format_lacks(&given)
    }

    fn question(&self) -> String {
        self.question.join(" ").trim().to_owned()
    }

    fn compared(&self, request: CompareRequest, kb: &KnowledgeBase) -> Result<Compared, Failure> {
        let request = CompareRequest { dataset: self.dataset(kb)?, ..request };
        let question = self.question();
        kb.compare(&question, &request).map_err(|error| match error {
            CompareError::Query(error) => Failure::Query { question: question.clone(), error },
            error => Failure::Compare(error),
        })
    }
}

impl CompareArgs {
    /// The comparison's table for a paper; `None` where nothing is found.
    ///
    /// # Errors
    ///
    /// When the question has a mistake, the request cannot be fulfilled, or an option is not allowed in a paper.
    pub(in crate::cli) fn paper_output(&self, kb: &KnowledgeBase, setting: &ItemSetting) -> ForPaper {
        self.writing.refuse_in_a_paper()?;
        let compared = self.compared(self.request()?, kb)?;
        let pivot = &compared.pivot;
        if pivot.is_empty() {
            return Ok(None);
        }
        self.refuse_what_nobody_reads(pivot)?;
        let references = references(pivot, kb)?;
        let mut look = self.look(pivot);
        look.caption = setting.caption.clone().or(look.caption);
        let paper = self.writing.pages.applied_to(setting.paper(self.about(&compared, kb), &references));
        Ok(Some(PaperOutput {
            drawn: DrawnItem::Table(pivot::latex(pivot, &self.question(), &look, paper)),
            used: used(pivot),
            references,
        }))
    }

    /// The lines at the top of a document that record its origin.
    fn about(&self, compared: &Compared, kb: &KnowledgeBase) -> Vec<String> {
        vec![
            format!("dlbench compare: {}", self.as_asked()),
            format!("canonical form of the question: {}", print(&compared.asked.question)),
            format!("content of the knowledge base: {}", kb.content()),
        ]
    }

    /// The command line that repeats the request.
    fn as_asked(&self) -> String {
        let mut text = format!("\"{}\"", self.question.join(" "));
        let mut option = |name: &str, values: &[String]| {
            if !values.is_empty() {
                text.push_str(&format!(" {name} {}", values.join(",")));
            }
        };
        option("--rows", &self.rows);
        option("--group-by", &self.group_by);
        option("--cols", &self.cols);
        option("--metric", &self.metric);
        option("--baseline", self.baseline.as_slice());
        option("--relax", &self.relax);
        option("--dataset", self.dataset.as_slice());
        option("--pick", &[self.pick.to_string()]);
        option("--cells", &self.cells.iter().map(ToString::to_string).collect::<Vec<_>>());
        if let Some(kind) = self.relative {
            text.push_str(&format!(" --relative={kind}"));
        }
        if let Some(line) = self.best_of {
            text.push_str(&format!(" --best-of {line}"));
        }
        if let Some(policy) = self.mean {
            text.push_str(&format!(" --mean {policy}"));
        }
        text + &self.author.as_asked() + &self.values.as_asked()
    }
}

/// The value of every cell, or of all its candidates where all are shown.
fn used(pivot: &Pivot) -> Vec<UsedValue> {
    let mut used = Vec::new();
    for (row, cells) in pivot.rows.iter().zip(&pivot.cells) {
        for (column, cell) in pivot.columns.iter().zip(cells) {
            let Some(cell) = cell else { continue };
            let names: Vec<&str> = row.labels.iter().chain(&column.labels).map(|label| label.name.as_str()).collect();
            let one = |id: &str, value: String| UsedValue {
                at: names.join(", "),
                id: id.to_owned(),
                measure: column.measure.to_owned(),
                value,
                ..UsedValue::default()
            };
            match cell.all.as_slice() {
                [] => {
                    let value = cell.value.map(|value| value.to_string()).or_else(|| cell.outcome.clone());
                    used.push(one(&cell.id, value.unwrap_or_default()));
                }
                all => used.extend(all.iter().map(|(id, value)| one(id, value.to_string()))),
            }
        }
    }
    used
}

impl CompareArgs {
    fn written(
        &self,
        compared: &Compared,
        references: &References,
        kb: &KnowledgeBase,
        screen: &Screen,
    ) -> Result<String, Failure> {
        let (pivot, question, about) = (&compared.pivot, self.question(), self.about(compared, kb));
        let look = self.look(pivot);
        let format = self.writing.format;
        if format.is_for_people() {
            self.refuse_what_nobody_reads(pivot)?;
        }
        let sources: Vec<String> = pivot.sources.iter().map(answer::citation).collect();
        Ok(match format {
            Format::Table => pivot::text(pivot, &question, &look, screen.width()),
            Format::Json => render::json(&CompareDocument::Table(PivotDocument {
                query: &question,
                about: &about,
                knowledge_base: kb.content(),
                pivot,
            }))?,
            Format::Ndjson => render::ndjson(pivot::cells(pivot))?,
            Format::Markdown => answer::sheet(&pivot::table(pivot, &question, &look), &sources, &about),
            Format::Html => {
                answer::page(&pivot::table(pivot, &question, &look), &sources, &about, self.writing.standalone)
            }
            Format::Typst => pivot::typst(pivot, &question, &look, &about),
            Format::Latex => pivot::latex(pivot, &question, &look, self.writing.paper(about, references)),
            Format::Csv => pivot::csv(pivot, &look)?,
        })
    }

    /// The verdict on measurements as text, field by field.
    fn drawn(
        &self,
        said: &PairVerdict,
        references: &References,
        kb: &KnowledgeBase,
        screen: &Screen,
    ) -> Result<String, Failure> {
        let caption = self.writing.caption.clone().unwrap_or_else(|| said.verdict.clone());
        let table = Table { caption, ..contradictions::verdict_table(said) };
        let about = vec![
            format!("dlbench compare: {}", self.question.join(" ")),
            format!("content of the knowledge base: {}", kb.content()),
        ];
        let sources: Vec<String> = said.sources.iter().map(answer::citation).collect();
        Ok(match self.writing.format {
            Format::Json => render::json(&CompareDocument::Verdict(said))?,
            Format::Table => {
                let mut text = paragraph("", &said.verdict, screen.width());
                text.push('\n');
                text.push_str(&table.text(screen.width()));
                text
            }
            Format::Markdown => answer::sheet(&table, &sources, &about),
            Format::Html => answer::page(&table, &sources, &about, self.writing.standalone),
            Format::Latex => {
                let paper = self.writing.paper(about, references);
                let keys = said.sources.iter().map(|source| source.id.to_string());
                table.latex(&Paper { sources: keys.zip(sources).collect(), ..paper })
            }
            format => table.draw(format, screen.width())?,
        })
    }

    fn look(&self, pivot: &Pivot) -> PivotStyle {
        let mut shown = self.cells.clone();
        if shown.is_empty() {
            shown.push(CellPart::Value);
            if self.relative.is_some() && pivot.baseline.is_some() {
                shown.push(CellPart::VsBaseline);
            }
            if self.relative.is_some() {
                shown.push(CellPart::VsBest);
            }
        }
        PivotStyle {
            shown,
            author: self.values.applied_to(self.author.style()),
            caption: self.writing.caption.clone(),
            exact: self.writing.format.is_delimited(),
            cites: false,
        }
    }

    fn refuse_what_nobody_reads(&self, pivot: &Pivot) -> Result<(), Failure> {
        /// A wider table is unreadable.
        const MOST_COLUMNS: usize = 60;
        match pivot.columns.len() {
            0..=MOST_COLUMNS => Ok(()),
            count => Err(Failure::usage(
                format!("the table would have {count} columns"),
                "narrow the question, make rows of the longer field, or write -f csv",
            )),
        }
    }
}
