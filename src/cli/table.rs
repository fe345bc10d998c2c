//! `dlbench table`: prints the catalog's own tables.

use clap::Args;

use super::failure::Failure;
use super::global::{Global, Outcome};
use super::options::choice;
use super::options::{AuthorOptions, SHADED};
use super::options::{ForPaper, FormatOption, OutputOptions};
use super::screen::Screen;
use dlbench::KnowledgeBase;
use dlbench::OpenError;
use dlbench::ask::answer::reading_in_words;
use dlbench::ask::found::EntitiesFound;
use dlbench::ask::paper::{DrawnItem, PaperOutput, UsedValue};
use dlbench::ask::tables::{CatalogTable, TableRequest};
use dlbench::model::{Citation, References, Source};
use dlbench::render::Format;
use dlbench::render::answer::{page, sheet};
use dlbench::render::paper::ItemSetting;
use dlbench::render::table::Table;
use dlbench::values::EntityKind;
use dlbench::values::text::{or_list, printable, printable_name};

#[derive(Debug, Args)]
pub(super) struct TableArgs {
    /// The table
    #[arg(value_parser = choice::<CatalogTable>())]
    name: CatalogTable,
    /// Words and filters as for a query, such as volta, memory>=16GB or -class:cpu
    #[arg(value_name = "FILTER")]
    filter: Vec<String>,
    /// Show what this survey reported
    #[arg(long, value_name = "SOURCE")]
    as_reported: Option<String>,
    /// Show these columns; `all` shows all non-empty ones
    #[arg(long, value_name = "COLUMN,…", value_delimiter = ',')]
    columns: Vec<String>,
    /// Sort by this column; -COLUMN sorts in descending order
    #[arg(long, value_name = "COLUMN", allow_hyphen_values = true)]
    sort: Option<String>,
    /// Show verdicts by measurements beside the grades of `hardware`
    #[arg(long)]
    evidence: bool,
    /// Apply the `principles` to each source: the share of its rows that meets them
    #[arg(long)]
    sources: bool,
    /// Group rows by these columns, which become headings
    #[arg(long, value_name = "COLUMN,…", value_delimiter = ',')]
    group_by: Vec<String>,
    /// Shade grades of `hardware`; higher is darker
    #[arg(long)]
    shade: bool,
    #[command(flatten)]
    author: AuthorOptions,
    #[command(flatten)]
    writing: OutputOptions,
}

/// Default columns that are dropped, in this order, when the terminal is too narrow for all.
const GIVE_WAY: &[&str] = &[
    "class",
    "released",
    "fp16 [TFLOP/s]",
    "architecture",
    "tested data sets",
    "tested networks",
    "latest release",
    "status",
    "input",
];

/// A table with its sources and the lines that record its origin.
struct Made {
    table: Table,
    sources: Vec<String>,
    citations: Vec<Citation>,
    about: Vec<String>,
}

pub(super) fn run(args: &TableArgs, global: &Global, screen: &Screen) -> Result<Outcome, Failure> {
    let writing = &args.writing;
    let own: [FormatOption<'_>; 2] =
        [("--group-by", !args.group_by.is_empty(), Format::FOR_PEOPLE), ("--shade", args.shade, SHADED)];
    writing.refuse_what_the_format_lacks(&[&args.author.given()[..], &own].concat())?;
    let kb = global.open(screen)?;
    let Some(made) = args.made(&kb, screen)? else { return Ok(Outcome::NothingFound) };
    let references = writing.references(|| made.references(&kb))?;
    let Made { table, about, .. } = made;
    let text = match writing.format {
        Format::Latex => table.latex(&writing.paper(about, &references)),
        Format::Html => page(&table, &[], &about, writing.standalone),
        Format::Markdown => sheet(&table, &[], &about),
        format => table.draw(format, screen.width())?,
    };
    writing.deliver(&text, &references, screen)?;
    Ok(Outcome::Done)
}

impl Made {
    fn references(&self, kb: &KnowledgeBase) -> Result<References, OpenError> {
        kb.references(self.sources.iter().map(String::as_str), &self.citations.iter().collect::<Vec<_>>())
    }
}

impl TableArgs {
    fn request(&self) -> TableRequest {
        TableRequest {
            table: self.name,
            filter: self.filter.join(" "),
            as_reported: self.as_reported.clone(),
            columns: self.columns.clone(),
            sort: self.sort.clone(),
            evidence: self.evidence,
            sources: self.sources,
        }
    }

    /// The table; `None`, with the reason on stderr, where no entry matches.
    fn made(&self, kb: &KnowledgeBase, screen: &Screen) -> Result<Option<Made>, Failure> {
        let filter = self.filter.join(" ");
        let request = self.request();
        let found = match request.kind() {
            Some(kind) => {
                Some(kb.entities(kind, &filter).map_err(|error| Failure::Query { question: filter.clone(), error })?)
            }
            None => None,
        };
        for remark in found.iter().flat_map(|found| reading_in_words(&found.remarks)) {
            screen.tell(&printable_name(&remark));
        }
        let built = kb.table(&request, found.as_ref())?;
        if built.grid.rows.is_empty() {
            tell_why_empty(self, found.as_ref(), screen);
            return Ok(None);
        }
        // A reported table has its reporter as the only source.
        let reporter = match (&self.as_reported, built.sources.first()) {
            (Some(_), Some(id)) => kb.entity::<Source>(id)?,
            _ => None,
        };
        let mut table = Table { caption: self.caption(reporter.as_ref()), ..Table::from(&built.grid) };
        if self.columns.is_empty() {
            table = table.giving_way(GIVE_WAY);
        }
        if self.shade {
            table = self.shaded(table)?;
        }
        table = table.styled(&self.author.style());
        if !self.group_by.is_empty() {
            table = self.grouped(table)?;
        }
        let mut about = vec![format!("dlbench table: {}", self.as_command_line(found.as_ref()))];
        about.extend(built.notes);
        about.push(format!("content of the knowledge base: {}", kb.content()));
        Ok(Some(Made { table, sources: built.sources, citations: built.citations, about }))
    }

    /// Shades the grades of the table.
    fn shaded(&self, table: Table) -> Result<Table, Failure> {
        let table = table.shaded_by_grade();
        match table.shades_some() {
            true => Ok(table),
            false => Err(Failure::usage("only grades are shaded", "`dlbench table hardware --shade`")),
        }
    }

    /// Groups the rows of the table.
    fn grouped(&self, table: Table) -> Result<Table, Failure> {
        let by = self.group_by.iter().map(|name| {
            table.column_called(name).ok_or_else(|| {
                let headings: Vec<&str> = table.columns.iter().map(|column| column.heading.as_str()).collect();
                Failure::usage(
                    format!("the table has no column `{}` to group by", printable(name)),
                    format!("it has {}", or_list(&headings)),
                )
            })
        });
        let by = by.collect::<Result<Vec<usize>, Failure>>()?;
        if by.len() >= table.columns.len() {
            return Err(Failure::usage("every column would be a heading of groups", "leave one for the rows"));
        }
        Ok(table.grouped(&by))
    }

    /// The table for a paper; `None` where no entry matches.
    ///
    /// # Errors
    ///
    /// When a filter has a mistake, a column does not exist, or an option is not allowed in a paper.
    pub(super) fn paper_output(&self, kb: &KnowledgeBase, setting: &ItemSetting, screen: &Screen) -> ForPaper {
        self.writing.refuse_in_a_paper()?;
        let Some(made) = self.made(kb, screen)? else { return Ok(None) };
        let references = made.references(kb)?;
        let Made { mut table, about, .. } = made;
        table.caption = setting.caption.clone().unwrap_or(table.caption);
        let paper = self.writing.pages.applied_to(setting.paper(about, &references));
        Ok(Some(PaperOutput { drawn: DrawnItem::Table(table.latex(&paper)), used: used(&table), references }))
    }

    /// A phrase that describes the table.
    fn caption(&self, reporter: Option<&Source>) -> String {
        if let Some(caption) = &self.writing.caption {
            return caption.clone();
        }
        let what = self.name.title();
        match &self.as_reported {
            Some(_) => match reporter {
                Some(source) => format!("{what}, as reported by {}", source.people_and_year()),
                None => what.to_owned(),
            },
            None if self.sources => format!("{what}, applied to sources"),
            None => what.to_owned(),
        }
    }

    /// The request, for the first lines of a paper's table.
    fn as_command_line(&self, found: Option<&EntitiesFound>) -> String {
        let mut parts = vec![self.name.to_string()];
        match found {
            Some(found) if !found.equivalent.is_empty() => parts.push(found.equivalent.clone()),
            Some(_) => {}
            None => parts.extend(self.filter.iter().cloned()),
        }
        parts.extend(self.as_reported.as_ref().map(|source| format!("--as-reported {source}")));
        if !self.columns.is_empty() {
            parts.push(format!("--columns {}", self.columns.join(",")));
        }
        parts.extend(self.sort.as_ref().map(|key| format!("--sort {key}")));
        parts.extend(self.evidence.then(|| "--evidence".to_owned()));
        parts.extend(self.sources.then(|| "--sources".to_owned()));
        if !self.group_by.is_empty() {
            parts.push(format!("--group-by {}", self.group_by.join(",")));
        }
        parts.extend(self.shade.then(|| "--shade".to_owned()));
        parts.join(" ") + &self.author.as_asked()
    }
}

/// Every cell after the column that names the rows, which is the first non-numeric one.
fn used(table: &Table) -> Vec<UsedValue> {
    let name = table.columns.iter().position(|column| !column.numeric).unwrap_or(0);
    let rows = table.rows().flat_map(|row| {
        let cells = table.columns.iter().zip(row).skip(name + 1).filter(|(_, cell)| !cell.text.is_empty());
        cells.map(move |(column, cell)| UsedValue {
            at: row[name].text.clone(),
            measure: column.title(),
            value: cell.text.clone(),
            ..UsedValue::default()
        })
    });
    rows.collect()
}

fn tell_why_empty(args: &TableArgs, found: Option<&EntitiesFound>, screen: &Screen) {
    let kind = args.request().kind().map_or("entry", EntityKind::noun);
    let unmet = found.map(|found| found.unmet.as_slice()).unwrap_or_default();
    screen.tell(&match unmet {
        [] => format!("no {kind} matches all of `{}`", printable(&args.filter.join(" "))),
        unmet => {
            let unmet: Vec<String> = unmet.iter().map(|text| format!("`{}`", printable(text))).collect();
            format!("no {kind} matches {}: a table is filtered by facts of its own entities", or_list(&unmet))
        }
    });
}
