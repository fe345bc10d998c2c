//! The answer as a document (Markdown, HTML, LaTeX, Typst), as parts for a page, as a flat sheet, and as streamed JSON.

use std::collections::BTreeSet;
use std::io;
use std::io::Write;

use strum::VariantArray as _;

use super::super::table::{
    Cell, Column, CsvWriter, Paper, Section, Table, html_escaped, latex_comment, markdown_escaped, provenance_comments,
    typst_escaped,
};
use super::super::{json, write_json as write_value, write_ndjson as write_lines};
use super::facts::{cited, cited_sources, cited_sources_by_id, fact_tables};
use super::layout::{AnswerView, Numbers};
use super::{entries, numbers};
use crate::ask::answer::{Answer, Place};
use crate::ask::parse::Ask;
use crate::model::{Aspect, Field, Metric, Value};
use crate::render::RenderError;
use crate::rows::{EntityCache, JoinedRow};
use crate::values::text::counted;

/// Provenance lines for the top of a document; `content` is the hash of the knowledge base.
pub fn about(answer: &Answer, content: &str) -> Vec<String> {
    vec![
        format!("dlbench query: {}", answer.query),
        format!("canonical question: {}", answer.question),
        format!("content of the knowledge base: {content}"),
    ]
}

/// The whole answer in Markdown.
pub fn markdown(answer: &Answer, view: &AnswerView, about: &[String]) -> String {
    let numbers = Numbers::of(answer, view);
    let mut text = provenance_comments(about);
    let title = view.caption.as_deref().unwrap_or(&answer.query);
    text.push_str(&format!("**{}**\n", markdown_escaped(title)));
    for sentence in entries::sentences(answer) {
        text.push_str(&format!("\n{}\n", markdown_escaped(&sentence)));
    }
    if let Some(entries) = entries::table(answer) {
        text.push_str(&format!("\n{}", entries.markdown()));
    }
    if counts_rows(answer) {
        text.push_str(&format!("\n{}\n", markdown_escaped(&numbers.summary())));
    }
    if !answer.measurements.is_empty() {
        text.push_str(&format!("\n{}", numbers.table().markdown()));
    }
    if let Some(facets) = &answer.facets {
        let all = counted(answer.total, "measurement", "measurements");
        text.push_str(&format!("\n### Values in all {all}\n\n{}", numbers::table(facets).markdown()));
    }
    for facts in fact_tables(answer) {
        text.push_str(&format!("\n### {}\n\n{}", markdown_escaped(&facts.caption), facts.markdown()));
    }
    let sources = cited_sources(answer);
    if !sources.is_empty() {
        text.push_str("\n### Sources\n\n");
        for (number, source) in sources {
            text.push_str(&format!("{number}. {}\n", markdown_escaped(&source)));
        }
    }
    if !answer.remarks.is_empty() {
        text.push_str("\n### Notes\n\n");
        for remark in &answer.remarks {
            text.push_str(&format!("- {}\n", markdown_escaped(&remark.text)));
        }
    }
    text
}

/// The whole answer in HTML: a section to embed, or a complete page.
pub fn html(answer: &Answer, view: &AnswerView, about: &[String], standalone: bool) -> String {
    let numbers = Numbers::of(answer, view);
    let title = view.caption.as_deref().unwrap_or(&answer.query);
    let mut text = provenance_comments(about);
    text.push_str(&format!("<section class=\"dlbench\">\n<h2>{}</h2>\n", html_escaped(title)));
    for sentence in entries::sentences(answer) {
        text.push_str(&format!("<p class=\"conclusion\">{}</p>\n", html_escaped(&sentence)));
    }
    if let Some(entries) = entries::table(answer) {
        text.push_str(&entries.html());
    }
    if counts_rows(answer) {
        text.push_str(&format!("<p>{}</p>\n", html_escaped(&numbers.summary())));
    }
    if !answer.measurements.is_empty() {
        text.push_str(&numbers.table().html());
    }
    if let Some(facets) = &answer.facets {
        let caption = format!("Values in all {}", counted(answer.total, "measurement", "measurements"));
        text.push_str(&Table { caption, ..numbers::table(facets) }.html());
    }
    for facts in fact_tables(answer) {
        text.push_str(&facts.html());
    }
    let sources = cited_sources(answer);
    if !sources.is_empty() {
        text.push_str("<h3>Sources</h3>\n<ol>\n");
        for (number, source) in sources {
            text.push_str(&format!("<li value=\"{number}\">{}</li>\n", html_escaped(&source)));
        }
        text.push_str("</ol>\n");
    }
    if !answer.remarks.is_empty() {
        text.push_str("<h3>Notes</h3>\n<ul>\n");
        for remark in &answer.remarks {
            text.push_str(&format!("<li>{}</li>\n", html_escaped(&remark.text)));
        }
        text.push_str("</ul>\n");
    }
    text.push_str(&provenance_footer(about));
    if standalone { whole_page(title, &text) } else { text }
}

/// Whether to state the number of rows: if rows are shown, or if there is no conclusion and the number is the answer.
fn counts_rows(answer: &Answer) -> bool {
    !answer.measurements.is_empty() || answer.conclusion.text.is_empty()
}

/// The end of a section, with its provenance for readers.
fn provenance_footer(about: &[String]) -> String {
    let about: Vec<String> = about.iter().map(|line| html_escaped(line)).collect();
    format!("<p><small>{}</small></p>\n</section>\n", about.join("<br>\n"))
}

/// A table in Markdown, with its caption and sources.
pub fn sheet(table: &Table, sources: &[String], about: &[String]) -> String {
    let mut text =
        format!("{}**{}**\n\n{}", provenance_comments(about), markdown_escaped(&table.caption), table.markdown());
    if !sources.is_empty() {
        text.push_str("\n### Sources\n\n");
        for (number, source) in (1..).zip(sources) {
            text.push_str(&format!("{number}. {}\n", markdown_escaped(source)));
        }
    }
    text
}

/// The rows in Typst, with the conclusion and their sources.
pub fn typst_document(answer: &Answer, view: &AnswerView, about: &[String]) -> String {
    let numbers = Numbers::of(answer, view);
    let caption = view.caption.clone().unwrap_or_else(|| answer.query.clone());
    let lead: String =
        entries::sentences(answer).iter().map(|sentence| format!("{}\n\n", typst_escaped(sentence))).collect();
    let table = printed_values(answer, view, false).unwrap_or_else(|| numbers.table());
    lead + &typst(&Table { caption, ..table }, cited_sources(answer), about)
}

/// The table that a paper prints instead of rows: the values of the conclusion if there are no rows, or if the question asks for a
/// ranking, a ratio or a series and no columns were chosen.
fn printed_values(answer: &Answer, view: &AnswerView, cites: bool) -> Option<Table> {
    let is_derived = matches!(answer.ask, Ask::Rank | Ask::Compare | Ask::Along) && view.columns.is_none();
    if answer.measurements.is_empty() || is_derived { entries::printed_table(answer, cites) } else { None }
}

/// A table with its sources in Typst.
pub fn typst(table: &Table, sources: impl IntoIterator<Item = (usize, String)>, about: &[String]) -> String {
    let mut text: String = about.iter().map(|line| format!("// {}\n", latex_comment(line))).collect();
    text.push_str("// over several pages: #show figure.where(kind: table): set block(breakable: true)\n");
    text.push_str(&table.typst());
    for (number, source) in sources {
        text.push_str(&format!("\n\\[{number}\\] {}\n", typst_escaped(&source)));
    }
    text
}

/// A table with its sources in HTML: a section to embed, or a complete page.
pub fn page(table: &Table, sources: &[String], about: &[String], standalone: bool) -> String {
    let mut text = format!("{}<section class=\"dlbench\">\n{}", provenance_comments(about), table.html());
    if !sources.is_empty() {
        let items = sources.iter().map(|source| format!("<li>{}</li>\n", html_escaped(source)));
        text.push_str(&format!("<h3>Sources</h3>\n<ol>\n{}</ol>\n", items.collect::<String>()));
    }
    text.push_str(&provenance_footer(about));
    if standalone { whole_page(&table.caption, &text) } else { text }
}

fn whole_page(title: &str, body: &str) -> String {
    format!(
        "<!doctype html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n\
         <meta name=\"viewport\" content=\"width=device-width\">\n<title>{}</title>\n<style>\n{STYLE}</style>\n</head>\n\
         <body>\n{body}</body>\n</html>\n",
        html_escaped(title)
    )
}

/// Style sheet of a complete page, which also reads without one.
const STYLE: &str = "\
:root { color-scheme: light dark; }
body { font-family: system-ui, sans-serif; margin: 2rem; }
table { border-collapse: collapse; margin: 1.5rem 0; display: block; overflow-x: auto; }
caption { text-align: left; font-weight: bold; padding-bottom: .4rem; }
thead th { border-bottom: 1px solid; vertical-align: bottom; }
th, td { padding: .15rem .8rem .15rem 0; text-align: left; vertical-align: top; font-weight: normal; }
thead th, th[scope=rowgroup] { font-weight: bold; }
.number { text-align: right; font-variant-numeric: tabular-nums; }
.legend { list-style: none; padding: 0; font-size: smaller; }
";

/// The conclusion, and its values or rows as a table for a paper; `dlbench table` gives the facts as tables.
pub fn latex(answer: &Answer, view: &AnswerView, paper: Paper) -> String {
    let paper = Paper { lead: entries::sentences(answer), ..paper };
    let cited = |paper: Paper| Paper { sources: cited_sources_by_id(answer), ..paper };
    let view = &AnswerView { cites: true, ..view.clone() };
    let mut table = Numbers::of(answer, view).table();
    let whole = |caption: &str| view.caption.clone().unwrap_or_else(|| format!("{}: {caption}", answer.query));
    if let Some(entries) = printed_values(answer, view, true) {
        let caption = match entries.caption.as_str() {
            "" => view.caption.clone().unwrap_or_else(|| answer.query.clone()),
            shared => whole(shared),
        };
        return Table { caption, ..entries }.latex(&cited(paper));
    }
    // Without rows, the first table of facts is the answer.
    if let Some(facts) = fact_tables(answer).into_iter().next().filter(|_| answer.measurements.is_empty()) {
        let caption = whole(&facts.caption);
        return Table { caption, ..facts }.latex(&paper);
    }
    if view.caption.is_none() && table.caption.is_empty() {
        table.caption.clone_from(&answer.query);
    }
    table.latex(&cited(paper))
}

/// The parts of an answer, apart from its first line.
pub struct AnswerParts {
    /// Remarks that limit the answer, shown before it.
    pub before: Vec<String>,
    /// The values of the conclusion; the caption states what all of them share.
    pub values: Option<Table>,
    /// How many rows match, how many are shown, and what the shown rows share.
    pub count: String,
    /// The rows.
    pub rows: Option<Table>,
    /// The facts of the entities.
    pub facts: Vec<Table>,
    /// The cited sources: number, id, reference.
    pub sources: Vec<(usize, String, String)>,
}

/// The parts of an answer.
pub fn parts(answer: &Answer, view: &AnswerView) -> AnswerParts {
    let numbers = Numbers::of(answer, view);
    let has_rows = !answer.measurements.is_empty();
    let before = answer.remarks.iter().filter(|remark| remark.place == Place::Before);
    let has_cited = !cited(answer).is_empty();
    let cited = cited_sources(answer).into_iter().zip(cited_sources_by_id(answer)).filter(|_| has_cited);
    AnswerParts {
        before: before.map(|remark| remark.text.clone()).collect(),
        values: entries::table(answer),
        count: numbers.summary(),
        rows: has_rows.then(|| Table { caption: String::new(), ..numbers.table() }),
        facts: fact_tables(answer),
        sources: cited.map(|((number, text), (id, _))| (number, id, text)).collect(),
    }
}

/// One row per measurement, with ids and full precision; the chosen columns, else everything the rows state.
pub fn flat(answer: &Answer, view: &AnswerView) -> Table {
    let mut stated = StatedAspects::default();
    answer.measurements.iter().for_each(|row| stated.note(row));
    let columns = FlatColumns::of(answer, view, &stated);
    let cells = |row| columns.cells(row).map(|text| Cell::from(text.as_str())).collect();
    let rows = answer.measurements.iter().map(cells).collect();
    Table { columns: columns.headings(), sections: vec![Section { title: None, rows }], ..Table::default() }
}

/// Writes the output of [`flat`] as comma-separated values, reading rows a portion at a time: each call of `portions` starts from
/// the first row, once to find the columns and once to write.
///
/// # Errors
///
/// Fails if the output cannot be written, or with an error of `portions`.
pub fn write_csv<P, E>(answer: &Answer, view: &AnswerView, portions: impl Fn() -> P, to: impl Write) -> Result<(), E>
where
    P: Iterator<Item = Result<Vec<JoinedRow>, E>>,
    E: From<io::Error>,
{
    let mut stated = StatedAspects::default();
    for portion in portions() {
        portion?.iter().for_each(|row| stated.note(row));
    }
    let columns = FlatColumns::of(answer, view, &stated);
    let mut writer = CsvWriter::new(to);
    writer.row(columns.headings().iter().map(Column::title))?;
    for portion in portions() {
        for row in &portion? {
            writer.row(columns.cells(row))?;
        }
    }
    writer.finish()?.flush()?;
    Ok(())
}

/// The fields and metrics that at least one row states.
#[derive(Debug, Default)]
struct StatedAspects {
    fields: BTreeSet<Field>,
    metrics: BTreeSet<Metric>,
}

impl StatedAspects {
    fn note(&mut self, row: &JoinedRow) {
        self.fields.extend(row.recorded().fields().iter().map(|(field, _)| *field));
        self.metrics.extend(row.metrics().map(|(metric, _, _)| metric));
    }

    /// Id and source, then the stated fields and metrics in registry order.
    fn aspects(&self) -> Vec<Aspect> {
        let fields = Field::VARIANTS.iter().filter(|field| self.fields.contains(field)).copied().map(Aspect::Field);
        let metrics = Metric::VARIANTS.iter().filter(|metric| self.metrics.contains(metric)).copied();
        [Aspect::Id, Aspect::Source].into_iter().chain(fields).chain(metrics.map(Aspect::Metric)).collect()
    }
}

/// The columns of the rows, and their cells.
struct FlatColumns<'a> {
    shown: Vec<Aspect>,
    /// Whether there is a column for the derived metrics of a row; needed whenever metrics are shown.
    derived: bool,
    entities: EntityCache<'a>,
}

impl<'a> FlatColumns<'a> {
    fn of(answer: &'a Answer, view: &AnswerView, stated: &StatedAspects) -> Self {
        let shown = view.columns.clone().unwrap_or_else(|| stated.aspects());
        let derived = view.columns.is_none() || shown.iter().any(|aspect| matches!(aspect, Aspect::Metric(_)));
        Self { shown, derived, entities: EntityCache::of_catalog(&answer.catalog) }
    }

    fn headings(&self) -> Vec<Column> {
        let is_number = |aspect: &Aspect| matches!(aspect, Aspect::Metric(_) | Aspect::Derived(_));
        let columns = self.shown.iter().map(|aspect| Column::key(&aspect.json_key(), is_number(aspect)));
        columns.chain(self.derived.then(|| Column::key("derived", false))).collect()
    }

    fn cells(&self, row: &JoinedRow) -> impl Iterator<Item = String> {
        let value =
            |aspect: &Aspect| self.entities.value(row, *aspect).as_ref().map_or_else(String::new, Value::to_string);
        let derived = || {
            let derived = row.metrics().filter(|(_, _, derived)| *derived).map(|(metric, _, _)| metric.json_key());
            derived.collect::<Vec<_>>().join(" ")
        };
        self.shown.iter().map(value).chain(self.derived.then(derived))
    }
}

/// The empty row list in an answer's JSON; no string value can contain this line, since JSON escapes newlines.
const NO_ROWS: &str = "\n  \"measurements\": []";

/// Writes the JSON of `-f json`: an answer without rows, with the rows of `portions` inserted.
///
/// # Errors
///
/// Fails if the output cannot be written, or with an error of `portions`.
pub fn write_json<E>(
    answer: &Answer,
    portions: impl Iterator<Item = Result<Vec<JoinedRow>, E>>,
    mut to: impl Write,
) -> Result<(), E>
where
    E: From<io::Error> + From<RenderError>,
{
    let text = json(answer)?;
    let Some((before, behind)) = text.split_once(NO_ROWS) else { return Ok(write_value(answer, to)?) };
    write!(to, "{before}\n  \"measurements\": [")?;
    let mut is_first = true;
    for portion in portions {
        for row in &portion? {
            let row = json(row)?.trim_end().replace('\n', "\n    ");
            write!(to, "{}\n    {row}", if is_first { "" } else { "," })?;
            is_first = false;
        }
    }
    write!(to, "{}]{behind}", if is_first { "" } else { "\n  " })?;
    Ok(to.flush()?)
}

/// Writes rows as JSON, one per line.
///
/// # Errors
///
/// As for [`write_json`].
pub fn write_ndjson<E: From<io::Error>>(
    portions: impl Iterator<Item = Result<Vec<JoinedRow>, E>>,
    mut to: impl Write,
) -> Result<(), E> {
    for portion in portions {
        write_lines(&portion?, &mut to)?;
    }
    Ok(to.flush()?)
}
