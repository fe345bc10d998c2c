//! `dlbench compare`: measurements set against each other, in a table or as a verdict.

use std::path::PathBuf;

use clap::{Args, ValueEnum};
use serde_json::json;

use super::failure::Failure;
use super::aspects::aspect;
use super::render::pivot::{self, Look, Shown};
use super::render::table::{Cell, Column, Paper, Section, Table, markdown_escaped};
use super::render::{self, paragraph};
use super::screen::Screen;
use super::{Format, Global, Outcome};
use crate::derived::comparability::Criterion;
use crate::model::{Aspect, Measure, Metric};
use crate::questions::compare::{Along, Axis, MeanPolicy, PairVerdict, Pick, Pivot, Ratio, Request, pair};
use crate::questions::{CompareFailure, KnowledgeBase};
use crate::values::EntityKind;
use crate::values::text::{nearest, or_list, printable};

#[derive(Debug, Args)]
pub(super) struct CompareArgs {
    /// A question, or the ids of two or more measurements for a verdict on them
    #[arg(value_name = "QUESTION | ID ID", required = true)]
    question: Vec<String>,
    /// Make rows by these fields or facts of the catalog
    #[arg(long, value_name = "FIELD,…", value_delimiter = ',')]
    rows: Vec<String>,
    /// Make columns by these fields or facts, or by `metric`
    #[arg(long, visible_alias = "columns", value_name = "FIELD,…", value_delimiter = ',')]
    cols: Vec<String>,
    /// Compare these metrics or derived measures [default: what the measurements have most of]
    #[arg(long, value_name = "METRIC,…", value_delimiter = ',')]
    metric: Vec<String>,
    /// Set the others against the row or column of this name
    #[arg(long, value_name = "VALUE,…")]
    baseline: Option<String>,
    /// Show ratios: to the baseline, to the best, and geometric means
    #[arg(long, value_name = "KIND", num_args = 0..=1, require_equals = true, default_missing_value = "speed-up")]
    relative: Option<RatioArg>,
    /// Which of several measurements stands in a cell
    #[arg(long, value_enum, default_value = "best")]
    pick: PickArg,
    /// Show these of each cell [default: the value, with --relative the ratios]
    #[arg(long, value_enum, value_name = "WHAT,…", value_delimiter = ',')]
    cells: Vec<Shown>,
    /// Which cells are ranked with each other [default: those of a column, unless only those of a row can be compared]
    #[arg(long, value_enum, value_name = "LINE")]
    best_of: Option<AlongArg>,
    /// Over what geometric means are taken where rows lack different cells; they are refused otherwise
    #[arg(long, value_enum, value_name = "POLICY")]
    mean: Option<MeanArg>,
    /// Let values be compared that differ in these fields; the table says so
    #[arg(long, value_name = "FIELD,…", value_delimiter = ',')]
    relax: Vec<String>,
    /// The data set whose epochs are meant by epoch-time-s and epoch-energy-j
    #[arg(long, value_name = "DATASET")]
    dataset: Option<String>,
    /// Round values to so many significant digits
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u8).range(1..=15))]
    digits: Option<u8>,
    /// How to write the table
    #[arg(short, long, value_enum, default_value = "table")]
    format: Format,
    /// Write to this file instead, whole or not at all
    #[arg(short, long, value_name = "FILE")]
    output: Option<PathBuf>,
    /// Caption of the table
    #[arg(long, value_name = "TEXT")]
    caption: Option<String>,
    /// Label of the table, for LaTeX
    #[arg(long, value_name = "LABEL")]
    label: Option<String>,
    /// Write a whole document, for HTML and LaTeX
    #[arg(long)]
    standalone: bool,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
enum PickArg {
    /// The one measured or published last
    Latest,
    /// The best value
    Best,
    /// The one in the middle; of an even number the worse of the two
    Median,
    /// All of them
    All,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
enum RatioArg {
    /// How many times as good
    SpeedUp,
    /// The value divided by the other
    Quotient,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
enum AlongArg {
    /// Those of one column
    Column,
    /// Those of one row
    Row,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
enum MeanArg {
    /// What all of them have
    Common,
    /// What each of them has
    Each,
}

pub(super) fn run(args: &CompareArgs, global: &Global, screen: &Screen) -> Result<Outcome, Failure> {
    args.refuse_what_the_format_lacks()?;
    let request = args.request()?;
    let kb = global.open(screen)?;
    if args.is_about_ids(&kb)? {
        let metric = match request.measures.as_slice() {
            [] => None,
            [Measure::Metric(metric)] => Some(*metric),
            _ => return Err(usage("a verdict is about one metric", "name one with --metric")),
        };
        let verdict = pair(kb.stores(), &args.question, metric, &request.relaxed)?;
        screen.deliver(&args.drawn(&verdict, &kb, screen)?, args.output.as_deref())?;
        return Ok(Outcome::Done);
    }
    if args.rows.is_empty() {
        return Err(usage(
            "a comparison needs rows",
            "--rows framework, --rows device, --rows device,batch-size; two ids give a verdict on two measurements",
        ));
    }
    let request = Request { dataset: args.dataset(&kb)?, ..request };
    let question = args.question.join(" ").trim().to_owned();
    let compared = kb.compare(&question, &request).map_err(|failure| match failure {
        CompareFailure::Query(error) => Failure::Query { question: question.clone(), error },
        CompareFailure::Compare(error) => Failure::Compare(error),
    })?;
    let about = vec![
        format!("dlbench compare: {}", args.as_asked()),
        format!("the question in filters: {}", compared.asked.equivalent),
        format!("content of the knowledge base: {}", kb.stores().content),
    ];
    for note in &compared.asked.notes {
        screen.tell(&format!("note: {}", printable(&note.text)));
    }
    let text = args.written(&compared.pivot, &question, about, &kb, screen)?;
    if compared.pivot.is_empty() {
        screen.tell("no measurement matches that has a value: `dlbench query` with the same question tells why");
        return Ok(Outcome::NothingFound);
    }
    screen.deliver(&text, args.output.as_deref())?;
    Ok(Outcome::Done)
}

fn usage(message: impl Into<String>, help: impl Into<String>) -> Failure {
    Failure::Usage { message: message.into(), help: Some(help.into()) }
}

impl CompareArgs {
    fn request(&self) -> Result<Request, Failure> {
        let axes = |names: &[String]| names.iter().map(|name| axis(name)).collect::<Result<Vec<_>, _>>();
        Ok(Request {
            rows: axes(&self.rows)?,
            columns: axes(&self.cols)?,
            measures: self.metric.iter().map(|name| measure(name)).collect::<Result<_, _>>()?,
            baseline: self.baseline.clone(),
            relative: self.relative.map(|kind| match kind {
                RatioArg::SpeedUp => Ratio::SpeedUp,
                RatioArg::Quotient => Ratio::Quotient,
            }),
            pick: match self.pick {
                PickArg::Latest => Pick::Latest,
                PickArg::Best => Pick::Best,
                PickArg::Median => Pick::Median,
                PickArg::All => Pick::All,
            },
            along: self.best_of.map(|line| match line {
                AlongArg::Column => Along::Column,
                AlongArg::Row => Along::Row,
            }),
            mean: self.mean.map(|policy| match policy {
                MeanArg::Common => MeanPolicy::Common,
                MeanArg::Each => MeanPolicy::Each,
            }),
            relaxed: self.relax.iter().map(|name| criterion(name)).collect::<Result<_, _>>()?,
            dataset: None,
        })
    }

    /// Whether every word is the id of a measurement, or the beginning of one.
    fn is_about_ids(&self, kb: &KnowledgeBase) -> Result<bool, Failure> {
        let sources = kb.stores().store.ids(EntityKind::Source)?;
        let is_id = |word: &String| {
            let source = word.split_once(':').filter(|(_, code)| !code.is_empty()).map(|(source, _)| source);
            source.is_some_and(|source| sources.iter().any(|id| id == source))
        };
        Ok(self.question.len() > 1 && self.rows.is_empty() && self.question.iter().all(is_id))
    }

    /// The data set that was named, by its id or a name of it.
    fn dataset(&self, kb: &KnowledgeBase) -> Result<Option<String>, Failure> {
        use crate::model::{Facet, Lookup as _};
        use crate::values::spelling::normalise;
        let Some(name) = &self.dataset else { return Ok(None) };
        let store = &kb.stores().store;
        let ids = store.ids(EntityKind::Dataset)?;
        if ids.contains(name) {
            return Ok(Some(name.clone()));
        }
        let named = store.exact(&normalise(name))?.into_iter().find(|found| found.facet == Facet::Dataset);
        let unknown = || usage(format!("there is no data set `{name}`"), format!("there are {}", or_list(&ids)));
        named.map(|found| Some(found.value)).ok_or_else(unknown)
    }

    /// An option that would be passed over in silence is a mistake.
    fn refuse_what_the_format_lacks(&self) -> Result<(), Failure> {
        use Format::{Html, Latex, Markdown, Table};
        let options: [(&str, bool, &[Format]); 4] = [
            ("--caption", self.caption.is_some(), &[Table, Markdown, Html, Latex]),
            ("--label", self.label.is_some(), &[Latex]),
            ("--standalone", self.standalone, &[Html, Latex]),
            ("--digits", self.digits.is_some(), &[Table, Markdown, Html, Latex]),
        ];
        for (option, given, formats) in options {
            if given && !formats.contains(&self.format) {
                let names: Vec<String> = formats.iter().map(|format| format!("-f {}", format.name())).collect();
                return Err(usage(
                    format!("{option} has no meaning with -f {}", self.format.name()),
                    format!("it goes with {}", or_list(&names)),
                ));
            }
        }
        Ok(())
    }

    /// The command line that asks for the same again.
    fn as_asked(&self) -> String {
        let mut text = format!("\"{}\"", self.question.join(" "));
        let mut option = |name: &str, values: &[String]| {
            if !values.is_empty() {
                text.push_str(&format!(" {name} {}", values.join(",")));
            }
        };
        let word = |value: &dyn std::fmt::Debug| format!("{value:?}").to_lowercase();
        option("--rows", &self.rows);
        option("--cols", &self.cols);
        option("--metric", &self.metric);
        option("--baseline", self.baseline.as_slice());
        option("--relax", &self.relax);
        option("--dataset", self.dataset.as_slice());
        option("--pick", &[word(&self.pick)]);
        if let Some(kind) = self.relative {
            let kind = kind.to_possible_value().map_or_else(String::new, |value| value.get_name().to_owned());
            text.push_str(&format!(" --relative={kind}"));
        }
        if let Some(line) = self.best_of {
            text.push_str(&format!(" --best-of {}", word(&line)));
        }
        if let Some(policy) = self.mean {
            text.push_str(&format!(" --mean {}", word(&policy)));
        }
        text
    }

    fn look(&self, pivot: &Pivot) -> Look {
        let mut shown = self.cells.clone();
        if shown.is_empty() {
            shown.push(Shown::Value);
            if self.relative.is_some() && pivot.baseline.is_some() {
                shown.push(Shown::VsBaseline);
            }
            if self.relative.is_some() {
                shown.push(Shown::VsBest);
            }
        }
        Look { shown, digits: self.digits, caption: self.caption.clone(), exact: self.format == Format::Csv }
    }

    fn written(
        &self,
        pivot: &Pivot,
        question: &str,
        about: Vec<String>,
        kb: &KnowledgeBase,
        screen: &Screen,
    ) -> Result<String, Failure> {
        /// Nobody reads a table of more columns.
        const MOST_COLUMNS: usize = 60;
        let look = self.look(pivot);
        let for_people = matches!(self.format, Format::Table | Format::Markdown | Format::Html | Format::Latex);
        if for_people && pivot.columns.len() > MOST_COLUMNS {
            return Err(usage(
                format!("the table would have {} columns", pivot.columns.len()),
                "narrow the question, make rows of the longer field, or write -f csv",
            ));
        }
        Ok(match self.format {
            Format::Table => pivot::text(pivot, question, &look, screen.width()),
            Format::Csv => pivot::table(pivot, question, &look).csv()?,
            Format::Json => {
                let mut value = json!({ "query": question, "about": about, "knowledge_base": kb.stores().content });
                if let (Some(all), Ok(serde_json::Value::Object(of_pivot))) =
                    (value.as_object_mut(), serde_json::to_value(pivot))
                {
                    all.extend(of_pivot);
                }
                render::json(&value)?
            }
            Format::Ndjson => render::ndjson(pivot::cells(pivot))?,
            Format::Markdown => {
                let table = pivot::table(pivot, question, &look);
                let mut text = format!("**{}**\n\n{}", markdown_escaped(&table.caption), table.markdown());
                text.push_str("\n### Sources\n\n");
                for (number, source) in (1..).zip(&pivot.sources) {
                    let citation = markdown_escaped(&render::answer::citation(source));
                    text.push_str(&format!("{number}. {citation}\n"));
                }
                text
            }
            Format::Html => {
                let table = pivot::table(pivot, question, &look);
                let sources: Vec<String> = pivot.sources.iter().map(render::answer::citation).collect();
                render::answer::page(&table.caption, &table.html(), &sources, &about, self.standalone)
            }
            Format::Latex => {
                let paper =
                    Paper { about, label: self.label.clone(), standalone: self.standalone, sources: Vec::new() };
                pivot::latex(pivot, question, &look, paper)
            }
        })
    }

    /// The verdict on measurements, field by field.
    fn drawn(&self, verdict: &PairVerdict, kb: &KnowledgeBase, screen: &Screen) -> Result<String, Failure> {
        if self.format == Format::Json {
            return Ok(render::json(verdict)?);
        }
        let mut columns = vec![Column::key("tier", false), Column::key("field", false)];
        columns.extend(verdict.ids.iter().map(|id| Column { whole: true, ..Column::key(id, false) }));
        columns.push(Column::key("says", false));
        let mut rows: Vec<Vec<Cell>> = Vec::new();
        let metric = verdict.metric.map_or("", Metric::key);
        let mut values = vec![Cell::from("value"), Cell::from(metric)];
        values.extend(
            verdict
                .values
                .iter()
                .map(|value| Cell::from(value.map_or_else(String::new, |value| value.to_string()).as_str())),
        );
        values.push(Cell::from(match verdict.order_supported {
            Some(true) => "told apart by their dispersion",
            Some(false) => "not told apart by their dispersion",
            None => "",
        }));
        rows.push(values);
        for field in &verdict.fields {
            let mut cells = vec![Cell::from(field.tier), Cell::from(field.field)];
            cells.extend(field.values.iter().map(|value| Cell::from(value.as_deref().unwrap_or("not stated"))));
            cells.push(Cell::from(field.says));
            rows.push(cells);
        }
        let caption = self.caption.clone().unwrap_or_else(|| verdict.verdict.clone());
        let table = Table { caption, columns, sections: vec![Section { title: None, rows }], ..Table::default() };
        let about = || {
            vec![
                format!("dlbench compare: {}", self.question.join(" ")),
                format!("content of the knowledge base: {}", kb.stores().content),
            ]
        };
        let sources: Vec<String> = verdict.sources.iter().map(render::answer::citation).collect();
        Ok(match self.format {
            Format::Table => {
                let mut text = paragraph("", &verdict.verdict, screen.width());
                text.push('\n');
                text.push_str(&table.text(screen.width()));
                text
            }
            Format::Markdown => format!("**{}**\n\n{}", markdown_escaped(&table.caption), table.markdown()),
            Format::Html => render::answer::page(&table.caption, &table.html(), &sources, &about(), self.standalone),
            Format::Latex => table.latex(&Paper {
                about: about(),
                label: self.label.clone(),
                standalone: self.standalone,
                sources: (1..).zip(sources).collect(),
            }),
            other => table.draw(other, screen.width())?,
        })
    }
}

/// An axis that a person called so.
fn axis(name: &str) -> Result<Axis, Failure> {
    if matches!(name.trim().to_lowercase().as_str(), "metric" | "metrics") {
        return Ok(Axis::Metric);
    }
    match aspect(name)? {
        Aspect::Metric(_) | Aspect::Derived(_) => {
            Err(usage(format!("`{name}` is what is compared, not what is compared along"), format!("--metric {name}")))
        }
        aspect => Ok(Axis::Aspect(aspect)),
    }
}

/// A metric or derived measure that a person called so.
fn measure(name: &str) -> Result<Measure, Failure> {
    match aspect(name)? {
        Aspect::Metric(metric) => Ok(Measure::Metric(metric)),
        Aspect::Derived(derived) => Ok(Measure::Derived(derived)),
        _ => {
            let measures = Aspect::all().filter(|a| matches!(a, Aspect::Metric(_) | Aspect::Derived(_)));
            Err(usage(
                format!("`{name}` is no metric"),
                format!("there are {}", measures.map(Aspect::key).collect::<Vec<_>>().join(" ")),
            ))
        }
    }
}

/// A criterion that a person called so.
fn criterion(name: &str) -> Result<Criterion, Failure> {
    let by_heading = || match Aspect::named(name) {
        Some(Aspect::Field(field)) => Some(Criterion::Field(field)),
        _ => None,
    };
    Criterion::named(name).or_else(by_heading).ok_or_else(|| {
        let near = nearest(name, Criterion::all().map(Criterion::key), 3);
        let help = match near.as_slice() {
            [] => "any field of a measurement, class, division or source can be relaxed".to_owned(),
            near => format!("did you mean {}?", or_list(near)),
        };
        usage(format!("nothing is compared by `{name}`"), help)
    })
}
