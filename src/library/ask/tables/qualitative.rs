//! Tables of grades and definitions, and a survey's tables cell by cell.

use crate::model::{Framework, HardwareClassRecord, MetricDefinition};
use crate::stores::database::{Database, DatabaseError};
use crate::values::{EntityId, Grid, GridColumn, HardwareClass};

/// The order in which the survey prints the classes; CPUs, which it does not grade, come last.
const CLASS_ORDER: [HardwareClass; 4] =
    [HardwareClass::Asic, HardwareClass::Fpga, HardwareClass::Gpu, HardwareClass::Cpu];

/// The current grades of the hardware metrics by class, with the grade that is better for the user.
///
/// Only classes accepted by `wanted` are shown.
pub fn hardware(store: &Database, wanted: impl Fn(&str) -> bool) -> Result<Grid, DatabaseError> {
    let classes = graded_classes(store, |class| !class.grades.is_empty() && wanted(class.id.into()))?;
    if classes.is_empty() {
        return Ok(Grid::default());
    }
    let mut grid = Grid::of_texts(&["metric"]);
    grid.columns.extend(classes.iter().map(|class| GridColumn::text(&class.name)));
    grid.columns.push(GridColumn::text("better"));
    for metric in store.definitions("hardware-metrics")? {
        let mut row = vec![metric.name.clone()];
        for class in &classes {
            let grade = class.grades.get(&metric.id);
            row.push(grade.map_or_else(String::new, |record| record.grade.to_string()));
        }
        row.push(metric.better.map_or_else(String::new, |better| better.to_string()));
        grid.push(row);
    }
    Ok(grid)
}

/// A survey's table of hardware metrics, cell by cell; `None` if the survey graded nothing.
///
/// Only classes accepted by `wanted` are shown.
pub fn hardware_as_reported(
    store: &Database,
    source: &EntityId,
    wanted: impl Fn(&str) -> bool,
) -> Result<Option<Grid>, DatabaseError> {
    let mut classes = graded_classes(store, |class| class.reported.contains_key(source))?;
    if classes.is_empty() {
        return Ok(None);
    }
    classes.retain(|class| wanted(class.id.into()));
    if classes.is_empty() {
        return Ok(Some(Grid::default()));
    }
    let mut grid = Grid { columns: vec![GridColumn::number("#"), GridColumn::text("Attributes")], rows: Vec::new() };
    grid.columns.extend(classes.iter().map(|class| GridColumn::text(format!("{}s", class.name))));
    for (at, metric) in store.definitions("hardware-metrics")?.iter().enumerate() {
        let mut row = vec![(at + 1).to_string(), metric.name.clone()];
        for class in &classes {
            row.push(class.reported[source].get(&metric.id).cloned().unwrap_or_default());
        }
        grid.push(row);
    }
    Ok(Some(grid))
}

/// A survey's table of frameworks, cell by cell; `None` if the survey has none.
///
/// Only frameworks accepted by `wanted` are shown.
pub fn frameworks_as_reported(
    store: &Database,
    source: &EntityId,
    wanted: impl Fn(&str) -> bool,
) -> Result<Option<Grid>, DatabaseError> {
    let mut frameworks: Vec<Framework> = store.entities()?;
    let row_of = |framework: &Framework| framework.reported.get(source).and_then(|survey| survey.row);
    frameworks.retain(|framework| row_of(framework).is_some());
    frameworks.sort_by_key(row_of);
    if frameworks.is_empty() {
        return Ok(None);
    }
    let mut grid = Grid::of_texts(&[
        "#",
        "Frameworks",
        "License Type",
        "Core Codes",
        "API Codes",
        "Hardware Devices",
        "Multi-Server",
        "Tested Networks",
        "Related Datasets",
    ]);
    grid.columns[0].numeric = true;
    for framework in frameworks.into_iter().filter(|framework| wanted(framework.id.as_str())) {
        let survey = &framework.reported[source];
        let text = |text: &Option<String>| text.clone().unwrap_or_default();
        grid.push(vec![
            survey.row.map_or_else(String::new, |row| row.to_string()),
            survey.name.clone().unwrap_or(framework.name),
            text(&survey.license),
            survey.core_languages.join(", "),
            survey.api_languages.join(", "),
            survey.hardware.join("/"),
            text(&survey.multi_server),
            survey.tested_networks.join(", "),
            survey.tested_datasets.join(", "),
        ]);
    }
    Ok(Some(grid))
}

/// A numbered list of the definitions accepted by `wanted`.
pub fn definitions(entries: &[MetricDefinition], what: &str, wanted: impl Fn(&MetricDefinition) -> bool) -> Grid {
    let mut grid = Grid::of_texts(&["#", what, "definition"]);
    grid.columns[0].numeric = true;
    for (at, entry) in entries.iter().enumerate().filter(|(_, entry)| wanted(entry)) {
        grid.push(vec![(at + 1).to_string(), entry.name.clone(), entry.definition.clone()]);
    }
    grid
}

fn graded_classes(
    store: &Database,
    graded: impl Fn(&HardwareClassRecord) -> bool,
) -> Result<Vec<HardwareClassRecord>, DatabaseError> {
    let mut classes: Vec<HardwareClassRecord> = store.entities()?;
    classes.retain(graded);
    classes.sort_by_key(|class| CLASS_ORDER.iter().position(|ordered| *ordered == class.id));
    Ok(classes)
}
