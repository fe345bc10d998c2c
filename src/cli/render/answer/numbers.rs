//! The numbers of an answer: columns for what varies, a line for what does not.

use std::collections::BTreeSet;

use super::super::{DIM, grid, paragraph};
use super::names::Names;
use crate::model::{Field, Measurement, Metric, Value};
use crate::questions::query::{Answer, AnsweredMeasurement, Page};
use crate::values::text::counted;
use crate::values::{Decimal, Grid, GridColumn};
use strum::VariantArray as _;

/// Fields that are columns of the numbers where they vary, in this order; the framework's versions and backend go with it.
const COLUMNS: &[Field] = &[
    Field::Network,
    Field::Dataset,
    Field::Stage,
    Field::Scenario,
    Field::Precision,
    Field::Device,
    Field::DeviceCount,
    Field::Instance,
    Field::Threads,
    Field::Framework,
    Field::KernelLibrary,
    Field::ApiLanguage,
    Field::BatchSize,
    Field::BatchSizeGlobal,
    Field::SequenceLength,
    Field::InputShape,
    Field::Layout,
    Field::Mode,
    Field::Data,
    Field::Epochs,
    Field::AccuracyTarget,
    Field::Baseline,
    Field::Label,
    Field::Cuda,
    Field::Cudnn,
    Field::Statistic,
    Field::N,
    Field::Counts,
    Field::Outcome,
];

/// Fields that are shown only where they vary.
const ONLY_IF_VARYING: &[Field] = &[Field::Counts, Field::Cuda, Field::Cudnn, Field::Label, Field::Data];

/// The measurements, what they all share in a line above, grouped where that helps.
pub(super) fn numbers(answer: &Answer, page: &Page, width: usize) -> String {
    if answer.total == 0 {
        return "No measurement matches.\n".to_owned();
    }
    let names = Names::of(answer);
    let rows: Vec<&AnsweredMeasurement> = answer.measurements.iter().collect();
    let whole = Layout::of(answer, &names, &rows, &BTreeSet::new());
    let mut summary = counted(answer.total, "measurement", "measurements");
    if rows.is_empty() {
        summary.push_str(&format!(", none shown (--limit {}, --offset {})", page.limit, page.offset));
    } else if rows.len() < answer.total {
        let last = page.offset + rows.len();
        summary.push_str(&format!(", {} to {last} shown (--limit, --offset, --all)", page.offset + 1));
    }
    if !whole.constants.is_empty() {
        summary.push_str(&format!(": {}", joined(&whole.constants)));
    }
    let mut text = paragraph("", &summary, width);
    let shared: BTreeSet<Field> = whole.constants.iter().map(|(field, _)| *field).collect();
    let groups = if answer.sorted { vec![rows] } else { groups(rows) };
    let grouped = groups.len() > 1;
    let mut hidden: BTreeSet<&str> = BTreeSet::new();
    let mut any_derived = false;
    for group in groups {
        let layout = Layout::of(answer, &names, &group, &shared);
        text.push('\n');
        if grouped {
            text.push_str(&paragraph("", &joined(&layout.constants), width));
        }
        any_derived |= layout.any_derived;
        let grid = layout.fitted(width, &mut hidden);
        text.push_str(&grid::text(&grid, width));
    }
    let mut remarks = Vec::new();
    if any_derived {
        remarks.push("* derived: items in a batch / latency".to_owned());
    }
    if !hidden.is_empty() {
        let hidden: Vec<&str> = hidden.into_iter().collect();
        remarks.push(format!("not shown for want of room: {} (-f csv has all)", hidden.join(", ")));
    }
    for remark in remarks {
        text.push_str(&format!("{DIM}{}{DIM:#}", paragraph("", &remark, width)));
    }
    text
}

/// Rows of one network and data set belong together; where most groups would be single rows, nothing is divided.
fn groups<'a>(rows: Vec<&'a AnsweredMeasurement>) -> Vec<Vec<&'a AnsweredMeasurement>> {
    let key = |row: &AnsweredMeasurement| {
        let text = |field| row.recorded().text(field).map(str::to_owned);
        (text(Field::Network), text(Field::Dataset))
    };
    let mut groups: Vec<Vec<&'a AnsweredMeasurement>> = Vec::new();
    for row in &rows {
        match groups.last_mut() {
            Some(group) if key(group[0]) == key(row) => group.push(row),
            _ => groups.push(vec![row]),
        }
    }
    if groups.len() * 2 > rows.len() { vec![rows] } else { groups }
}

pub(super) fn joined(constants: &[(Field, String)]) -> String {
    constants.iter().map(|(_, text)| text.as_str()).collect::<Vec<_>>().join(" · ")
}

/// Columns that a grid takes when nothing but long texts is wrapped.
fn natural_width(grid: &Grid) -> usize {
    const LONG: usize = 28;
    let widths = grid.columns.iter().enumerate().map(|(at, column)| {
        let cells = grid.rows.iter().map(|row| row[at].chars().count());
        let cells = cells.max().unwrap_or(0);
        let cells = if column.numeric || at + 1 == grid.columns.len() { cells } else { cells.min(LONG) };
        cells.max(column.heading.chars().count()) + 2
    });
    widths.sum()
}

/// A figure as a table shows it: a float that a program wrote out to its last bit is cut to what can be read.
fn figure(value: Decimal) -> String {
    const READABLE: u8 = 7;
    if value.significant_digits() <= READABLE {
        return value.to_string();
    }
    Decimal::derived(value.value(), READABLE - 1).map_or_else(|| value.to_string(), |cut| cut.to_string())
}

/// Some numbers as a grid, and what all of its rows share.
pub(super) struct Layout {
    /// The table.
    pub(super) grid: Grid,
    /// The field of each of the grid's first columns.
    fields: Vec<Field>,
    /// What all rows share, ready to be read.
    pub(super) constants: Vec<(Field, String)>,
    any_derived: bool,
}

/// Columns that give way, the first one first, when the terminal is too narrow for all.
const GIVE_WAY: &[Field] = &[
    Field::N,
    Field::Cudnn,
    Field::Cuda,
    Field::Counts,
    Field::Layout,
    Field::Instance,
    Field::Epochs,
    Field::Label,
    Field::Statistic,
    Field::Threads,
    Field::KernelLibrary,
];

impl Layout {
    /// Lays out `rows`; the fields in `elsewhere` are already said.
    pub(super) fn of(
        answer: &Answer,
        names: &Names,
        rows: &[&AnsweredMeasurement],
        elsewhere: &BTreeSet<Field>,
    ) -> Self {
        let recorded: Vec<&Measurement> = rows.iter().map(|row| row.recorded()).collect();
        let mut constants = Vec::new();
        let mut columns = Vec::new();
        for &field in COLUMNS.iter().filter(|field| !elsewhere.contains(field)) {
            let cells: Vec<String> = recorded.iter().map(|row| names.cell(row, field)).collect();
            let distinct: BTreeSet<&String> = cells.iter().collect();
            let known = cells.iter().any(|cell| !cell.is_empty());
            if distinct.len() > 1 && known {
                columns.push((field, cells));
            } else if known && !ONLY_IF_VARYING.contains(&field) {
                constants.push((field, constant(field, &cells[0])));
            }
        }
        let counts: BTreeSet<Option<&str>> = recorded.iter().map(|row| row.text(Field::Counts)).collect();
        let metrics = metrics_of(rows);
        let mut grid = Grid::default();
        for (field, _) in &columns {
            let sample = recorded.iter().find_map(|row| row.get(*field));
            grid.columns.push(GridColumn {
                heading: field.heading().to_owned(),
                numeric: !matches!(sample, None | Some(Value::Text(_))),
            });
        }
        for metric in &metrics {
            grid.columns.push(GridColumn::number(metric_heading(*metric, &counts)));
        }
        grid.columns.push(GridColumn::text("source"));
        grid.columns.push(GridColumn::text("id"));
        let mut any_derived = false;
        for (at, measurement) in rows.iter().enumerate() {
            let mut row: Vec<String> = columns.iter().map(|(_, cells)| cells[at].clone()).collect();
            for metric in &metrics {
                row.push(match measurement.metric(*metric) {
                    None => String::new(),
                    Some((value, false)) => figure(value),
                    Some((value, true)) => {
                        any_derived = true;
                        format!("{}*", figure(value))
                    }
                });
            }
            let source = measurement.recorded().source();
            let number = answer.catalog.sources.iter().position(|s| s.id == *source);
            row.push(number.map_or_else(|| source.to_string(), |number| format!("[{}]", number + 1)));
            row.push(measurement.id().to_owned());
            grid.push(row);
        }
        Self { grid, fields: columns.into_iter().map(|(field, _)| field).collect(), constants, any_derived }
    }

    /// The grid with as many columns as fit; what gave way is added to `hidden`. The id goes first: it is the widest
    /// column and the least read.
    fn fitted(mut self, width: usize, hidden: &mut BTreeSet<&'static str>) -> Grid {
        if natural_width(&self.grid) > width {
            self.grid.remove_column(self.grid.columns.len() - 1);
            hidden.insert("id");
        }
        for field in GIVE_WAY {
            if natural_width(&self.grid) <= width {
                break;
            }
            if let Some(at) = self.fields.iter().position(|f| f == field) {
                self.grid.remove_column(at);
                self.fields.remove(at);
                hidden.insert(field.heading());
            }
        }
        self.grid
    }
}

fn constant(field: Field, value: &str) -> String {
    match field {
        Field::BatchSize
        | Field::BatchSizeGlobal
        | Field::Threads
        | Field::SequenceLength
        | Field::Epochs
        | Field::AccuracyTarget
        | Field::Baseline
        | Field::KernelLibrary
        | Field::Layout
        | Field::ApiLanguage
        | Field::Outcome => format!("{} {value}", field.heading()),
        Field::DeviceCount if value == "1" => "1 device".to_owned(),
        Field::DeviceCount => format!("{value} devices"),
        Field::N => format!("n = {value}"),
        _ => value.to_owned(),
    }
}

/// `throughput [image/s]` where all rows count the same thing.
fn metric_heading(metric: Metric, counts: &BTreeSet<Option<&str>>) -> String {
    let counted: Vec<&&str> = counts.iter().flatten().collect();
    match (metric, counted.as_slice()) {
        (Metric::ThroughputPerS, [one]) => format!("{one}s/s"),
        (Metric::ItemsPerJoule, [one]) => format!("{one}s/J"),
        (metric, _) => metric.heading().to_owned(),
    }
}

pub(super) fn metrics_of(measurements: &[&AnsweredMeasurement]) -> Vec<Metric> {
    let present = |metric: &Metric| measurements.iter().any(|m| m.metric(*metric).is_some());
    Metric::VARIANTS.iter().copied().filter(present).collect()
}
