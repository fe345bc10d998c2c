//! The facts of an answer: the catalog's side of the join.

use std::collections::{BTreeMap, BTreeSet};

use strum::VariantArray as _;

use super::super::{DIM, grid, heading, paragraph};
use super::names::Names;
use crate::model::HardwareClassRecord;
use crate::questions::query::{Answer, JoinedFramework};
use crate::questions::tables;
use crate::values::{EntityId, Grade, Grid, GridColumn};

/// More entities of a kind than this are counted, not shown.
const MOST_ENTITIES: usize = 12;

/// Columns of the facts that give way, the first one first, when the terminal is too narrow for all.
const GIVE_WAY: &[&str] = &["class", "released", "family", "hardware", "fp16 [TFLOP/s]", "architecture", "status"];

/// The facts under the numbers: frameworks, devices, networks, data sets, grades, sources.
pub(super) fn facts(answer: &Answer, width: usize) -> String {
    let mut text = String::new();
    for (title, facts) in fact_grids(answer) {
        let facts = grid::fitted(facts, width, GIVE_WAY);
        text.push_str(&format!("\n{}{}", heading(&title), grid::text(&facts, width)));
    }
    if let [only] = graded(answer).as_slice() {
        text.push_str(&format!("\n{}", heading(&format!("Class {}: its grades", only.name))));
        text.push_str(&grades_of_one(only, width));
    }
    if !answer.catalog.sources.is_empty() {
        text.push_str(&format!("\n{}", heading("Sources")));
        let sources = numbered_sources(answer);
        let hidden = sources.len().saturating_sub(MOST_ENTITIES);
        for (number, source) in sources.into_iter().take(MOST_ENTITIES) {
            text.push_str(&paragraph(&format!("  [{number}] "), &source, width));
        }
        if hidden > 0 {
            text.push_str(&format!("  … and {hidden} more: dlbench list sources\n"));
        }
    }
    text
}

/// The catalog's part of an answer as grids; a single class's grades are drawn by their own means.
pub(super) fn fact_grids(answer: &Answer) -> Vec<(String, Grid)> {
    let catalog = &answer.catalog;
    let mut grids = Vec::new();
    let mut add = |title: &str, kind: &str, mut grid: Grid| {
        if grid.rows.is_empty() {
            return;
        }
        let hidden = grid.rows.len().saturating_sub(MOST_ENTITIES);
        grid.rows.truncate(MOST_ENTITIES);
        let title = match hidden {
            0 => title.to_owned(),
            hidden => format!("{title} ({hidden} more: dlbench list {kind})"),
        };
        grids.push((title, grid.without_empty_columns()));
    };
    add("Frameworks", "frameworks", framework_grid(answer));
    add("Devices (peaks are dense)", "devices", device_grid(answer));
    let only_catalog = answer.total == 0;
    if only_catalog || catalog.networks.len() <= MOST_ENTITIES {
        add("Networks", "networks", tables::network_facts(&catalog.networks));
        add("Data sets", "datasets", tables::dataset_facts(&catalog.datasets));
    }
    let classes = graded(answer);
    if classes.len() > 1 {
        add("Hardware classes: their grades", "hardware-classes", grades_of_many(&classes));
    }
    grids
}

/// Specifications under short names; a family is marked as one.
fn device_grid(answer: &Answer) -> Grid {
    let devices = &answer.catalog.devices;
    let names = Names::of(answer);
    let mut grid = tables::device_facts(devices);
    for (row, device) in grid.rows.iter_mut().zip(devices) {
        let is_family = devices.iter().any(|other| other.variant_of.as_ref() == Some(&device.id));
        let name = names.devices.get(device.id.as_str()).map_or(device.name.as_str(), String::as_str);
        row[0] = if is_family { format!("{name} (family)") } else { name.to_owned() };
    }
    grid
}

/// Facts of the answer's frameworks; whether they were tested on what the answer is about.
fn framework_grid(answer: &Answer) -> Grid {
    let frameworks = &answer.catalog.frameworks;
    let mut grid = tables::framework_facts(frameworks.iter().map(|joined| &joined.framework));
    if answer.total == 0 {
        return grid;
    }
    // The long lists of everything tested give way to what was asked.
    let names = Names::of(answer);
    grid.columns.truncate(7);
    for row in &mut grid.rows {
        row.truncate(7);
    }
    let columns: [(&str, TestedOn, &BTreeMap<String, String>); 2] = [
        ("network tested", |joined| &joined.network_tested, &names.networks),
        ("data set tested", |joined| &joined.dataset_tested, &names.datasets),
    ];
    for (heading, tested_on, names) in columns {
        let single = frameworks.first().map(tested_on).filter(|tested| tested.len() == 1);
        let heading = match single.and_then(|tested| tested.keys().next()) {
            Some(id) => format!("{} tested", names.get(id.as_str()).map_or(id.as_str(), String::as_str)),
            None => heading.to_owned(),
        };
        grid.columns.push(GridColumn::text(heading));
        for (row, joined) in grid.rows.iter_mut().zip(frameworks) {
            let tested = tested_on(joined);
            let yes = tested.values().filter(|tested| **tested).count();
            row.push(match tested.len() {
                0 => String::new(),
                1 => if yes == 1 { "yes" } else { "no" }.to_owned(),
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

/// One line for each grade with the metrics that have it.
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

/// A line for each metric, a column for each class.
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

/// The sources in the order in which rows number them.
pub(super) fn numbered_sources(answer: &Answer) -> Vec<(usize, String)> {
    let cited = answer.catalog.sources.iter().map(|source| {
        let authors: Vec<&str> = source
            .authors
            .iter()
            .map(|author| author.split_once(',').map_or(author.as_str(), |(family, _)| family))
            .collect();
        let year = source.year.map_or_else(|| "no date".to_owned(), |year| year.to_string());
        let mut text = format!("{}: {} ({year}). {}.", source.id, authors.join(", "), source.name);
        if let Some(url) = &source.url {
            text.push_str(&format!(" {url}"));
        }
        if let Some(commit) = source.commit.as_deref().and_then(|commit| commit.get(..10)) {
            text.push_str(&format!(" at {commit}"));
        }
        text
    });
    cited.enumerate().map(|(at, text)| (at + 1, text)).collect()
}
