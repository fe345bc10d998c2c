//! `dlbench table`: the catalog's own tables.

use std::cmp::Ordering;

use clap::{Args, ValueEnum};

use super::contribution::{Contribution, Drawn, Setting};
use super::failure::Failure;
use super::screen::Screen;
use super::writing::Writing;
use super::{Format, Global, Outcome};
use dlbench::KnowledgeBase;
use dlbench::ask::paper::Used;
use dlbench::ask::query::EntitiesFound;
use dlbench::ask::tables::{self, Tabled};
use dlbench::model::{
    Citation, Dataset, Device, Facet, Framework, HardwareClassRecord, Lookup as _, MetricDefinition, Network,
    References,
};
use dlbench::render::answer::{page, sheet};
use dlbench::render::table::Table;
use dlbench::stores::OpenError;
use dlbench::stores::store::Store;
use dlbench::values::spelling::normalise;
use dlbench::values::text::{and_list, nearest, or_list, printable};
use dlbench::values::{EntityId, EntityKind, Grid};

#[derive(Debug, Args)]
pub(super) struct TableArgs {
    /// Which table
    #[arg(value_enum)]
    name: Name,
    /// Of what: words and filters as of a query, such as volta, memory>=16GB or -class:cpu
    #[arg(value_name = "FILTER")]
    filter: Vec<String>,
    /// As this survey reported it, cell by cell
    #[arg(long, value_name = "SOURCE")]
    as_reported: Option<String>,
    /// Show these columns; `all` shows every one that is not empty
    #[arg(long, value_name = "COLUMN,…", value_delimiter = ',')]
    columns: Vec<String>,
    /// Order by this column; -COLUMN puts the largest first
    #[arg(long, value_name = "COLUMN", allow_hyphen_values = true)]
    sort: Option<String>,
    #[command(flatten)]
    writing: Writing,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
enum Name {
    /// The 12 qualitative metrics by hardware class
    Hardware,
    /// The 7 framework metrics
    Frameworks,
    /// Specifications of devices
    Devices,
    /// Size and cost of networks
    Networks,
    /// Size of data sets
    Datasets,
    /// The 12 hardware metrics, defined
    HardwareMetrics,
    /// The 7 framework metrics, defined
    FrameworkMetrics,
    /// The 7 principles of benchmarking
    Principles,
}

/// Columns that nobody asked for give way, the first one first, when the terminal is too narrow for all.
const GIVE_WAY: &[&str] = &["class", "released", "fp16 [TFLOP/s]", "architecture", "hardware", "status", "input"];

/// What a table is made of, and what its facts cite.
struct Built {
    grid: Grid,
    sources: Vec<String>,
    citations: Vec<Citation>,
}

/// A table, and how its question was read.
struct Made {
    table: Table,
    sources: Vec<String>,
    citations: Vec<Citation>,
    about: Vec<String>,
}

pub(super) fn run(args: &TableArgs, global: &Global, screen: &Screen) -> Result<Outcome, Failure> {
    let writing = &args.writing;
    writing.refuse_what_the_format_lacks(&[])?;
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

impl Name {
    /// The kind of entities that the table is about; `None` for lists of definitions.
    fn kind(self) -> Option<EntityKind> {
        Some(match self {
            Self::Hardware => EntityKind::HardwareClass,
            Self::Frameworks => EntityKind::Framework,
            Self::Devices => EntityKind::Device,
            Self::Networks => EntityKind::Network,
            Self::Datasets => EntityKind::Dataset,
            Self::HardwareMetrics | Self::FrameworkMetrics | Self::Principles => return None,
        })
    }
}

impl TableArgs {
    /// The table; nothing, with the reason on stderr, where no entry matches.
    fn made(&self, kb: &KnowledgeBase, screen: &Screen) -> Result<Option<Made>, Failure> {
        let filter = self.filter.join(" ");
        let found = match self.name.kind() {
            Some(kind) => {
                Some(kb.entities(kind, &filter).map_err(|error| Failure::Query { question: filter.clone(), error })?)
            }
            None => None,
        };
        for note in found.iter().flat_map(|found| &found.notes) {
            screen.tell(&printable(&note.text));
        }
        let mut built = match &self.as_reported {
            Some(source) => as_reported(kb, self, found.as_ref(), source)?,
            None => today(kb, self, found.as_ref(), &filter)?,
        };
        if built.grid.rows.is_empty() {
            tell_why_empty(self, found.as_ref(), screen);
            return Ok(None);
        }
        if let Some(found) = &found
            && self.as_reported.is_none()
            && self.name != Name::Hardware
        {
            built.grid.rows.drain(..found.offset.unwrap_or(0).min(built.grid.rows.len()));
            built.grid.rows.truncate(found.limit.unwrap_or(usize::MAX));
        }
        let mut table = Table { caption: self.caption(), ..Table::from(&built.grid) };
        if self.columns.is_empty() {
            table = table.giving_way(GIVE_WAY);
        }
        let about = vec![
            format!("dlbench table: {}", self.told(found.as_ref())),
            format!("content of the knowledge base: {}", kb.content()),
        ];
        Ok(Some(Made { table, sources: built.sources, citations: built.citations, about }))
    }

    /// What the table adds to a paper; nothing where no entry matches.
    ///
    /// # Errors
    ///
    /// When a filter has a mistake, there is no such column, or an option has no place in a paper.
    pub(super) fn contribution(
        &self,
        kb: &KnowledgeBase,
        setting: &Setting,
        screen: &Screen,
    ) -> Result<Option<Contribution>, Failure> {
        self.writing.refuse_in_a_paper()?;
        let Some(made) = self.made(kb, screen)? else { return Ok(None) };
        let references = made.references(kb)?;
        let Made { mut table, about, .. } = made;
        table.caption = setting.caption.clone().unwrap_or(table.caption);
        let paper = setting.paper(about, self.writing.label.clone(), &references);
        Ok(Some(Contribution { drawn: Drawn::Table(table.latex(&paper)), used: used(&table), references }))
    }

    /// What the table shows, in a phrase.
    fn caption(&self) -> String {
        if let Some(caption) = &self.writing.caption {
            return caption.clone();
        }
        let what = match self.name {
            Name::Hardware => "Qualitative metrics of hardware by class",
            Name::Frameworks => "Deep-learning frameworks",
            Name::Devices => "Devices (peaks are dense)",
            Name::Networks => "Networks",
            Name::Datasets => "Data sets",
            Name::HardwareMetrics => "Qualitative metrics of hardware",
            Name::FrameworkMetrics => "Qualitative metrics of frameworks",
            Name::Principles => "Principles of benchmarking",
        };
        match &self.as_reported {
            Some(source) => format!("{what}, as reported by {source}"),
            None => what.to_owned(),
        }
    }

    /// The question, for the first lines of a paper's table.
    fn told(&self, found: Option<&EntitiesFound>) -> String {
        let name = self.name.to_possible_value().map_or_else(String::new, |value| value.get_name().to_owned());
        let mut parts = vec![name];
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
        parts.join(" ")
    }
}

/// Every cell behind the column that names the rows: the first one that holds no numbers.
fn used(table: &Table) -> Vec<Used> {
    let name = table.columns.iter().position(|column| !column.numeric).unwrap_or(0);
    let rows = table.rows().flat_map(|row| {
        let cells = table.columns.iter().zip(row).skip(name + 1).filter(|(_, cell)| !cell.text.is_empty());
        cells.map(move |(column, cell)| Used {
            at: row[name].text.clone(),
            measure: column.title(),
            value: cell.text.clone(),
            ..Used::default()
        })
    });
    rows.collect()
}

fn today(kb: &KnowledgeBase, args: &TableArgs, found: Option<&EntitiesFound>, filter: &str) -> Result<Built, Failure> {
    let store = &kb.stores().store;
    let definitions = |list: &str, what: &str| -> Result<Built, Failure> {
        let grid = tables::definitions(&store.definitions(list)?, what, |entry| names_all(entry, filter));
        chosen(grid, args).map(Built::without_sources)
    };
    match args.name {
        Name::Hardware => {
            let wanted = |class: &str| found.is_none_or(|found| found.ids.iter().any(|id| id == class));
            let grid = chosen(tables::hardware(store, wanted)?, args)?;
            let mut classes: Vec<HardwareClassRecord> = store.entities()?;
            classes.retain(|class| wanted(class.id.into()));
            let grades = classes.iter().flat_map(|class| class.grades.values());
            let sources = grades.map(|grade| grade.source.to_string()).collect();
            Ok(Built { grid, sources, citations: Vec::new() })
        }
        Name::Frameworks => entities(store, args, found, |framework: &Framework| &framework.sources),
        Name::Devices => entities(store, args, found, |device: &Device| &device.sources),
        Name::Networks => entities(store, args, found, |network: &Network| &network.sources),
        Name::Datasets => entities(store, args, found, |dataset: &Dataset| &dataset.sources),
        Name::HardwareMetrics => definitions("hardware-metrics", "metric"),
        Name::FrameworkMetrics => definitions("framework-metrics", "metric"),
        Name::Principles => definitions("principles", "principle"),
    }
}

impl Built {
    fn without_sources(grid: Grid) -> Self {
        Self { grid, sources: Vec::new(), citations: Vec::new() }
    }
}

/// A row for each entity found, with what its facts cite.
fn entities<E: Tabled>(
    store: &Store,
    args: &TableArgs,
    found: Option<&EntitiesFound>,
    citations: impl Fn(&E) -> &Vec<Citation>,
) -> Result<Built, Failure> {
    let ids = found.map(|found| found.ids.as_slice()).unwrap_or_default();
    let mut all: Vec<E> = Vec::with_capacity(ids.len());
    for id in ids {
        all.extend(store.entity(id)?);
    }
    let everything = args.columns.iter().any(|name| name.trim() == "all");
    let columns = match args.columns.as_slice() {
        [] => tables::usual_columns::<E>(),
        _ if everything => E::columns().iter().collect(),
        names => names.iter().map(|name| column::<E>(name)).collect::<Result<_, _>>()?,
    };
    if let Some(order) = &args.sort {
        let (name, descending) = ordered_by(order);
        let by = column::<E>(name)?;
        all.sort_by_cached_key(|entity| Key::of(&by.value(entity), descending));
    }
    let grid = tables::facts(&all, &columns);
    // Columns that somebody named are shown, empty or not.
    let grid = if args.columns.is_empty() || everything { grid.without_empty_columns() } else { grid };
    Ok(Built {
        grid,
        sources: Vec::new(),
        citations: all.iter().flat_map(|entity| citations(entity).clone()).collect(),
    })
}

fn column<E: Tabled>(name: &str) -> Result<&'static tables::EntityColumn<E>, Failure> {
    tables::column_named(name).map_err(|near| no_column(name, &near))
}

fn no_column(name: &str, near: &[&str]) -> Failure {
    Failure::Usage {
        message: format!("there is no column `{}`", printable(name.trim())),
        help: Some(match near.len() {
            0 => "`dlbench table` without --columns shows the usual ones".to_owned(),
            1..=3 => format!("did you mean {}?", or_list(near)),
            _ => format!("the columns are {}", and_list(near)),
        }),
    }
}

/// A finished grid in the order and with the columns that were asked for, by heading.
fn chosen(mut grid: Grid, args: &TableArgs) -> Result<Grid, Failure> {
    if let (Some(order), false) = (&args.sort, grid.columns.is_empty()) {
        let (name, descending) = ordered_by(order);
        let at = place(&grid, name)?;
        grid.rows.sort_by_cached_key(|row| Key::of(&row[at], descending));
    }
    if args.columns.is_empty() || grid.columns.is_empty() || args.columns.iter().any(|name| name.trim() == "all") {
        return Ok(grid);
    }
    let places = args.columns.iter().map(|name| place(&grid, name)).collect::<Result<Vec<usize>, Failure>>()?;
    Ok(Grid {
        columns: places.iter().map(|at| grid.columns[*at].clone()).collect(),
        rows: grid.rows.iter().map(|row| places.iter().map(|at| row[*at].clone()).collect()).collect(),
    })
}

/// The column of a grid that a person calls so.
fn place(grid: &Grid, name: &str) -> Result<usize, Failure> {
    let plain = |heading: &str| normalise(heading.split_once(" [").map_or(heading, |(plain, _)| plain));
    let wanted = normalise(name);
    let is = |heading: &str| heading == name.trim() || normalise(heading) == wanted || plain(heading) == wanted;
    grid.columns.iter().position(|column| is(&column.heading)).ok_or_else(|| {
        let headings = grid.columns.iter().map(|column| column.heading.as_str());
        let near = nearest(name, headings.clone(), 3);
        no_column(name, &if near.is_empty() { headings.collect::<Vec<_>>() } else { near })
    })
}

/// `-memory` is `memory`, the largest first.
fn ordered_by(key: &str) -> (&str, bool) {
    let key = key.trim();
    key.strip_prefix('-').map_or((key, false), |name| (name, true))
}

/// The place of a cell in an order: numbers and grades by size, then texts by their letters, what is unknown last.
#[derive(PartialEq, Eq)]
struct Key {
    text: String,
    descending: bool,
}

impl Key {
    fn of(text: &str, descending: bool) -> Self {
        Self { text: text.to_owned(), descending }
    }

    fn number(&self) -> Option<f64> {
        let grade = || self.text.parse().ok().map(dlbench::model::rank_of);
        self.text.parse().ok().or_else(grade)
    }
}

impl Ord for Key {
    fn cmp(&self, other: &Self) -> Ordering {
        let order = match (self.number(), other.number()) {
            (Some(a), Some(b)) => a.total_cmp(&b),
            (a, b) => a.is_none().cmp(&b.is_none()).then_with(|| self.text.cmp(&other.text)),
        };
        let order = if self.descending { order.reverse() } else { order };
        self.text.is_empty().cmp(&other.text.is_empty()).then(order)
    }
}

impl PartialOrd for Key {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

/// Whether a definition holds every word of a filter.
fn names_all(entry: &MetricDefinition, filter: &str) -> bool {
    let text = normalise(&format!("{} {} {}", entry.id, entry.name, entry.definition));
    filter.split_whitespace().all(|word| text.contains(&normalise(word)))
}

fn as_reported(
    kb: &KnowledgeBase,
    args: &TableArgs,
    found: Option<&EntitiesFound>,
    source: &str,
) -> Result<Built, Failure> {
    let store = &kb.stores().store;
    let id = source_id(store, source)?;
    let wanted = |entity: &str| found.is_none_or(|found| found.ids.iter().any(|id| id == entity));
    let grid = match args.name {
        Name::Hardware => tables::hardware_as_reported(store, &id, wanted)?,
        Name::Frameworks => tables::frameworks_as_reported(store, &id, wanted)?,
        _ => None,
    };
    let grid = grid.ok_or_else(|| Failure::Usage {
        message: format!("{id} reported no such table"),
        help: Some("surveys reported the tables `hardware` and `frameworks`".to_owned()),
    })?;
    Ok(Built { grid: chosen(grid, args)?, sources: vec![id.to_string()], citations: Vec::new() })
}

fn tell_why_empty(args: &TableArgs, found: Option<&EntitiesFound>, screen: &Screen) {
    let kind = args.name.kind().map_or("entry", EntityKind::noun);
    let unmet = found.map(|found| found.unmet.as_slice()).unwrap_or_default();
    screen.tell(&match unmet {
        [] => format!("no {kind} matches all of `{}`", printable(&args.filter.join(" "))),
        unmet => {
            let unmet: Vec<String> = unmet.iter().map(|text| format!("`{}`", printable(text))).collect();
            format!("no {kind} matches {}: a table is filtered by facts of its own entities", or_list(&unmet))
        }
    });
}

/// A source by its id, else by a name of it.
fn source_id(store: &Store, text: &str) -> Result<EntityId, Failure> {
    let ids = store.ids(EntityKind::Source)?;
    let names = store.exact(&normalise(text))?;
    let named = names.iter().find(|name| name.facet == Facet::Source).map(|name| name.value.clone());
    let id = if ids.iter().any(|id| id == text) { Some(text.to_owned()) } else { named };
    id.and_then(|id| id.parse().ok()).ok_or_else(|| Failure::Usage {
        message: format!("there is no source `{text}`"),
        help: Some(format!("the sources are {}", or_list(&ids))),
    })
}
