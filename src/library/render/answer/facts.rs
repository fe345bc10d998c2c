//! Facts of an answer: a line per entity, those in the question first, or all; and whether a framework was tested on its network.

use std::collections::{BTreeMap, BTreeSet};

use strum::VariantArray as _;

use super::super::table::Table;
use super::super::{DIM, heading, paragraph};
use crate::ask::answer::Answer;
use crate::ask::parse::{Is, Key, Term, Test};
use crate::ask::tables;
use crate::model::{Citation, Field, Framework, HardwareClassRecord, Source};
use crate::rows::{EntityCache, JoinedFramework, JoinedRow, short_device_name};
use crate::values::text::counted;
use crate::values::{EntityId, EntityKind, Grade, Grid, GridColumn};

/// Maximum number of entities shown per kind; the rest is counted.
const MOST_ENTITIES: usize = 12;

const FRAMEWORKS: &str = "Frameworks";

const DEVICES: &str = "Devices (peaks are dense)";

const NETWORKS: &str = "Networks";

const DATASETS: &str = "Data sets";

const CLASSES: &str = "Hardware classes: their grades";

/// Fact columns that may be dropped on a narrow terminal, the first one dropped first.
const GIVE_WAY: &[&str] =
    &["class", "released", "family", "hardware", "fp16 [TFLOP/s]", "architecture", "status", "input"];

/// The facts below the numbers: frameworks, devices, networks, datasets, grades, sources.
pub(super) fn text(answer: &Answer, width: usize) -> String {
    let mut text: String = fact_tables(answer).iter().map(|facts| under_heading(facts, width)).collect();
    if let [only] = graded(answer).as_slice() {
        text.push_str(&format!("\n{}", heading(&format!("Class {}: its grades", only.name))));
        text.push_str(&grades_of_one(only, width));
    }
    let sources = cited_sources(answer);
    if !sources.is_empty() {
        text.push_str(&format!("\n{}", heading("Sources")));
        let others = answer.catalog.sources.len() - sources.len();
        for (number, source) in sources {
            text.push_str(&paragraph(&format!("  [{number}] "), &source, width));
        }
        if others > 0 {
            text.push_str(&format!("  {others} more in the rest of the answer (-f json has all)\n"));
        }
    }
    text
}

/// A table of facts under its caption.
pub(super) fn under_heading(facts: &Table, width: usize) -> String {
    let (drawn, hidden) = facts.text_alone(width);
    let mut text = format!("\n{}{drawn}", heading(&facts.caption));
    if !hidden.is_empty() {
        let remark = format!("not shown for want of room: {}", hidden.join(", "));
        text.push_str(&format!("{DIM}{}{DIM:#}", paragraph("", &remark, width)));
    }
    text
}

/// The catalog's part of an answer as tables; a single class's grades are printed separately (`grades_of_one`).
pub(super) fn fact_tables(answer: &Answer) -> Vec<Table> {
    let catalog = &answer.catalog;
    let mut tables = Vec::new();
    let mut add = |title: &str, kind: &str, mut grid: Grid| {
        if grid.rows.is_empty() {
            return;
        }
        let hidden = grid.rows.len().saturating_sub(MOST_ENTITIES);
        grid.rows.truncate(MOST_ENTITIES);
        let caption = match hidden {
            0 => title.to_owned(),
            hidden => format!("{title} ({hidden} more: {})", format_args!("dlbench list {kind}")),
        };
        tables.push(Table { caption, ..Table::from(&grid.without_empty_columns()).giving_way(GIVE_WAY) });
    };
    add(FRAMEWORKS, "frameworks", framework_grid(answer));
    add(DEVICES, "devices", device_grid(answer));
    let only_catalog = answer.total == 0;
    if only_catalog || catalog.networks.len() <= MOST_ENTITIES {
        add(NETWORKS, "networks", tables::network_facts(&catalog.networks));
        add(DATASETS, "datasets", tables::dataset_facts(&catalog.datasets));
    }
    let classes = graded(answer);
    if classes.len() > 1 {
        add(CLASSES, "hardware-classes", grades_of_many(&classes));
    }
    tables
}

/// Device specifications under short names; families are marked.
fn device_grid(answer: &Answer) -> Grid {
    let devices = &answer.catalog.devices;
    let mut grid = tables::device_facts(devices);
    for (row, device) in grid.rows.iter_mut().zip(devices) {
        let is_family = devices.iter().any(|other| other.variant_of.as_ref() == Some(&device.id));
        let name = short_device_name(device);
        row[0] = if is_family { format!("{name} (family)") } else { name.to_owned() };
    }
    grid
}

/// Facts of the answer's frameworks, with whether they were tested on the answer's networks and datasets.
fn framework_grid(answer: &Answer) -> Grid {
    let frameworks = &answer.catalog.frameworks;
    let mut grid = tables::framework_facts(frameworks.iter().map(|joined| &joined.framework));
    if answer.total == 0 {
        return grid;
    }
    // The long lists of everything tested are replaced by the tests in question.
    let names = EntityCache::of_catalog(&answer.catalog);
    grid.columns.truncate(7);
    for row in &mut grid.rows {
        row.truncate(7);
    }
    let columns: [(&str, TestedOn, EntityKind); 2] = [
        ("test of network listed", |joined| &joined.network_tested, EntityKind::Network),
        ("test of data set listed", |joined| &joined.dataset_tested, EntityKind::Dataset),
    ];
    for (heading, tested_on, kind) in columns {
        let single = frameworks.first().map(tested_on).filter(|tested| tested.len() == 1);
        let heading = match single.and_then(|tested| tested.keys().next()) {
            Some(id) => format!("test of {} listed", names.name(kind, id.as_str())),
            None => heading.to_owned(),
        };
        grid.columns.push(GridColumn::text(heading));
        for (row, joined) in grid.rows.iter_mut().zip(frameworks) {
            let tested = tested_on(joined);
            let yes = tested.values().filter(|tested| **tested).count();
            row.push(match tested.len() {
                0 => String::new(),
                1 => by_whom(joined, kind, yes == 1),
                all => format!("{yes} of {all}"),
            });
        }
    }
    grid
}

type TestedOn = fn(&JoinedFramework) -> &BTreeMap<EntityId, bool>;

fn graded(answer: &Answer) -> Vec<&HardwareClassRecord> {
    answer.catalog.hardware_classes.iter().filter(|class| !class.grades.is_empty()).collect()
}

/// One line per grade, with the metrics that have it.
fn grades_of_one(class: &HardwareClassRecord, width: usize) -> String {
    let mut text = String::new();
    for grade in Grade::VARIANTS {
        let metrics: Vec<String> = class
            .grades
            .iter()
            .filter(|(_, record)| record.grade == *grade)
            .map(|(metric, _)| metric.to_string().replace('-', " "))
            .collect();
        if !metrics.is_empty() {
            text.push_str(&paragraph(&format!("  {:10}", grade.to_string()), &metrics.join(", "), width));
        }
    }
    let sources: BTreeSet<String> = class.grades.values().map(|record| record.source.to_string()).collect();
    let sources: Vec<String> = sources.into_iter().collect();
    let about = format!("by {}; why: dlbench show hardware-class {}", sources.join(", "), class.id);
    text.push_str(&format!("{DIM}{}{DIM:#}", paragraph("  ", &about, width)));
    text
}

/// One row per metric, one column per class.
fn grades_of_many(classes: &[&HardwareClassRecord]) -> Grid {
    let mut grid = Grid::of_texts(&["metric"]);
    grid.columns.extend(classes.iter().map(|class| GridColumn::text(&class.name)));
    let metrics: indexmap::IndexSet<_> = classes.iter().flat_map(|class| class.grades.keys()).collect();
    for metric in metrics {
        let mut row = vec![metric.to_string().replace('-', " ")];
        row.extend(
            classes
                .iter()
                .map(|class| class.grades.get(metric).map_or_else(String::new, |record| record.grade.to_string())),
        );
        grid.push(row);
    }
    grid
}

/// The sources in the order of their numbers: the cited ones come first.
pub(super) fn ordered_sources(answer: &Answer) -> Vec<&Source> {
    let cited = cited(answer);
    let is_cited = |source: &&Source| cited.contains(source.id.as_str());
    let (mut sources, others): (Vec<&Source>, Vec<&Source>) = answer.catalog.sources.iter().partition(is_cited);
    sources.extend(others);
    sources
}

/// Ids of the sources that the shown rows and the conclusion cite.
pub(super) fn cited(answer: &Answer) -> BTreeSet<&str> {
    let of_rows = answer.measurements.iter().map(|row| row.recorded().source().as_str());
    let of_entries = answer.conclusion.entries.iter().flat_map(|entry| &entry.sources).map(String::as_str);
    let known = |id: &&str| answer.catalog.sources.iter().any(|source| source.id.as_str() == *id);
    of_rows.chain(of_entries).filter(known).collect()
}

/// The cited sources with their numbers; if none is cited, the first ones.
pub(super) fn cited_sources(answer: &Answer) -> Vec<(usize, String)> {
    let cited = cited(answer);
    let shown = if cited.is_empty() { MOST_ENTITIES } else { cited.len() };
    let sources = ordered_sources(answer).into_iter().take(shown).enumerate();
    sources.map(|(at, source)| (at + 1, citation(source))).collect()
}

/// The same sources with their ids.
pub(super) fn cited_sources_by_id(answer: &Answer) -> Vec<(String, String)> {
    let cited = cited(answer);
    let shown = if cited.is_empty() { MOST_ENTITIES } else { cited.len() };
    let sources = ordered_sources(answer).into_iter().take(shown);
    sources.map(|source| (source.id.to_string(), citation(source))).collect()
}

/// A full citation: `u39kun-2018: Sako, Ludwiczuk (2019). Title. Address at commit`.
pub fn citation(source: &Source) -> String {
    citation_parts(source).join(" ")
}

/// Authors, year and standing: `u39kun-2018: Sako, Ludwiczuk (2019)`.
pub(super) fn short_citation(source: &Source) -> String {
    let standing = source.standing.as_ref().map_or_else(String::new, |standing| format!(" [{}]", standing.in_words()));
    format!("{}{standing}", who_and_when(source))
}

fn who_and_when(source: &Source) -> String {
    let family = |author: &String| author.split_once(',').map_or(author.clone(), |(family, _)| family.to_owned());
    let authors: Vec<String> = source.authors.iter().map(family).collect();
    let year = source.year.map_or_else(|| "no date".to_owned(), |year| year.to_string());
    format!("{}: {} ({year})", source.id, authors.join(", "))
}

/// The parts of a citation: authors and year, title, address, standing.
pub(super) fn citation_parts(source: &Source) -> Vec<String> {
    let mut parts = vec![format!("{}.", who_and_when(source)), format!("{}.", source.name)];
    parts.extend(source.url.as_ref().map(|url| match source.commit.as_deref().and_then(|commit| commit.get(..10)) {
        Some(commit) => format!("{url} at {commit}"),
        None => url.clone(),
    }));
    parts.extend(source.standing.as_ref().map(|standing| format!("[{}]", standing.in_words())));
    parts
}

/// Whether a test is listed, and by whom: `yes (pytorch.org)`, `no (dai-berleant-2019)`.
pub(super) fn by_whom(joined: &JoinedFramework, kind: EntityKind, listed: bool) -> String {
    format!("{} ({})", if listed { "yes" } else { "no" }, test_sources(&joined.framework, kind))
}

/// The same as a phrase: `no test on ResNet-152 listed (dai-berleant-2019), yet 9 rows here`.
pub(super) fn in_words(
    joined: &JoinedFramework,
    kind: EntityKind,
    id: &EntityId,
    listed: bool,
    answer: &Answer,
) -> String {
    let names = EntityCache::of_catalog(&answer.catalog);
    let name = names.name(kind, id.as_str());
    let said_by = test_sources(&joined.framework, kind);
    if listed {
        return format!("tested on {name} ({said_by})");
    }
    let field = if kind == EntityKind::Network { Field::Network } else { Field::Dataset };
    let framework = joined.framework.id.as_str();
    let ran = answer.measurements.iter().filter(|row| {
        let row = row.recorded();
        row.text(Field::Framework) == Some(framework) && row.text(field) == Some(id.as_str())
    });
    match ran.count() {
        0 => format!("no test on {name} listed ({said_by})"),
        rows => format!("no test on {name} listed ({said_by}), yet {} here", counted(rows, "row", "rows")),
    }
}

/// The sources for the networks or datasets that a framework was tested on.
fn test_sources(framework: &Framework, kind: EntityKind) -> String {
    let key = if kind == EntityKind::Network { "tested-networks" } else { "tested-datasets" };
    let names: Vec<String> = Citation::covering(&framework.sources, key).map(Citation::short_name).collect();
    if names.is_empty() { "the catalog".to_owned() } else { names.join(", ") }
}

/// Maximum number of entities per kind taken from the question.
const MAX_ASKED: usize = 4;

/// Ids of the entities in the question, by kind and in its order.
pub(super) struct AskedEntities<'a> {
    ids: BTreeMap<EntityKind, Vec<&'a str>>,
}

/// Ids of the entities that the rows refer to.
pub(super) struct EntitiesOfRows<'a> {
    ids: BTreeSet<&'a str>,
}

impl<'a> EntitiesOfRows<'a> {
    pub(super) fn by(rows: &'a [JoinedRow]) -> Self {
        let fields = || Field::of_entities().map(|(field, _)| field);
        Self { ids: rows.iter().flat_map(|row| fields().filter_map(|field| row.recorded().text(field))).collect() }
    }
}

impl<'a> AskedEntities<'a> {
    pub(super) fn of(answer: &'a Answer) -> Self {
        let mut asked = Self { ids: BTreeMap::new() };
        for filter in answer.asked.sides.iter().chain([&answer.asked.subject]) {
            for term in &filter.terms {
                if let Term::Test(Test { key: Key::Facet(facet), is: Is::OneOf(ids) }) = term
                    && let Some(kind) = facet.entity_kind()
                {
                    asked.add(kind, ids);
                }
            }
        }
        asked
    }

    fn add(&mut self, kind: EntityKind, named: &'a [String]) {
        let ids = self.ids.entry(kind).or_default();
        for id in named {
            if !ids.contains(&id.as_str()) && ids.len() < MAX_ASKED {
                ids.push(id);
            }
        }
    }

    /// The entities in the question, in its order; if it has none of this kind, at most `others` of those in the rows.
    pub(super) fn chosen<'e, E>(
        &self,
        kind: EntityKind,
        entities: &'e [E],
        id: impl Fn(&E) -> &str,
        rows: &EntitiesOfRows<'_>,
        others: usize,
    ) -> Vec<&'e E> {
        let asked = self.ids.get(&kind).into_iter().flatten();
        let named: Vec<&E> =
            asked.filter_map(|asked| entities.iter().find(|entity| id(entity) == *asked)).take(MAX_ASKED).collect();
        if !named.is_empty() {
            return named;
        }
        entities.iter().filter(|entity| rows.ids.contains(id(entity))).take(others).collect()
    }
}
