//! `dlbench compare`: measurements set against each other, in a table or as a verdict.

mod recorded;
mod written;

use clap::Args;

use super::author_options::{AuthorOptions, ValueOptions};
use super::choice::choice;
use super::failure::Failure;
use super::global::{Global, Outcome};
use super::output_options::{OutputOptions, SchemaOption};
use super::screen::Screen;
use dlbench::KnowledgeBase;
use dlbench::OpenError;
use dlbench::ask::answer::reading_in_words;
use dlbench::ask::compare::{
    Along, CompareError, ComparePick, CompareRequest, Compared, MeanPolicy, Pivot, PivotAxis, Ratio, SCHEMA,
    criterion_called, measure_called,
};
use dlbench::model::{Measure, References};
use dlbench::render::pivot::CellPart;
use dlbench::values::EntityKind;
use dlbench::values::text::{or_list, printable_name};

#[derive(Debug, Args)]
pub(super) struct CompareArgs {
    /// A question, or the ids of two or more measurements for a verdict on them
    #[arg(value_name = "QUESTION | ID ID", required_unless_present = "schema")]
    question: Vec<String>,
    /// Rows: fields or facts of the catalog [default: what the question compares]
    #[arg(long, value_name = "FIELD,…", value_delimiter = ',')]
    rows: Vec<String>,
    /// Group rows by these fields or facts, as headings (as columns in formats for programs)
    #[arg(long, value_name = "FIELD,…", value_delimiter = ',')]
    group_by: Vec<String>,
    /// Columns: fields or facts, or `metric`
    #[arg(long, visible_alias = "columns", value_name = "FIELD,…", value_delimiter = ',')]
    cols: Vec<String>,
    /// Metrics or derived measures to compare [default: the most frequent]
    #[arg(long, value_name = "METRIC,…", value_delimiter = ',')]
    metric: Vec<String>,
    /// The row or column that the others are divided by
    #[arg(long, value_name = "VALUE,…")]
    baseline: Option<String>,
    /// Show ratios: to the baseline, to the best, and geometric means
    #[arg(long, value_name = "KIND", num_args = 0..=1, require_equals = true, default_missing_value = "speed-up", value_parser = choice::<Ratio>())]
    relative: Option<Ratio>,
    /// Which of several measurements a cell shows
    #[arg(long, value_parser = choice::<ComparePick>(), default_value = "best")]
    pick: ComparePick,
    /// What a cell shows [default: the value; with --relative the ratios]
    #[arg(long, value_parser = choice::<CellPart>(), value_name = "WHAT,…", value_delimiter = ',')]
    cells: Vec<CellPart>,
    /// Which cells are ranked together [default: those of a column, or of a row if only they are comparable]
    #[arg(long, value_parser = choice::<Along>(), value_name = "LINE")]
    best_of: Option<Along>,
    /// What geometric means cover if rows lack different cells [default: refuse]
    #[arg(long, value_parser = choice::<MeanPolicy>(), value_name = "POLICY")]
    mean: Option<MeanPolicy>,
    /// Compare values that differ in these fields; the table says so
    #[arg(long, value_name = "FIELD,…", value_delimiter = ',')]
    relax: Vec<String>,
    /// The data set of epoch-time-s and epoch-energy-j
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
        screen.tell("no measurement matches that has a value: `dlbench query` with the same question tells why");
        return Ok(Outcome::NothingFound);
    }
    writing.deliver(&text, &references, screen)?;
    kb.leave_open();
    Ok(Outcome::Done)
}

/// What came of a comparison, not yet printed.
struct Asked {
    /// How it was understood.
    told: Vec<String>,
    written: Result<(String, References), Failure>,
    is_empty: bool,
}

/// Tells which axes were made out of the question.
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

    /// The data set that was named, by its id or a name of it.
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
