//! The columns of a comparison (values, spread of the samples, ratios, ranks, means), their headings, and the captions.

use strum::{Display, EnumMessage, EnumString, IntoStaticStr, VariantArray};

use crate::ask::compare::{Pivot, PivotCell, PivotColumn};
use crate::model::{Aspect, Direction, Measure, Metric, Source};
use crate::render::table::{AuthorStyle, Cell, Column, DARKEST, Role};
use crate::values::Decimal;
use crate::values::text::{and_list, capital};

/// The column layout of a comparison table.
pub(super) struct PivotLayout<'p> {
    pivot: &'p Pivot,
    look: &'p PivotStyle,
    /// The columns after the row labels.
    pub columns: Vec<ShownColumn>,
    several_measures: bool,
    /// Whether the table shows more than one part of the cells.
    several_shown: bool,
}

/// A column of the table.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum ShownColumn {
    Of(usize, CellPart),
    Trace(usize, CellTrace),
    Mean,
    CountOfMean,
}

/// What a program gets beside a cell's value to trace it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum CellTrace {
    /// The id of the measurement.
    Id,
    /// The id of the measurement's source.
    Source,
    /// `best`, or `not ranked`.
    Mark,
    /// Other settings of the measurement that decide whether numbers can be compared.
    Conditions,
}

/// The suffix of each trace column's heading.
const TRACES: [(CellTrace, &str); 4] = [
    (CellTrace::Id, "id"),
    (CellTrace::Source, "source"),
    (CellTrace::Mark, "mark"),
    (CellTrace::Conditions, "conditions"),
];

impl<'p> PivotLayout<'p> {
    pub fn of(pivot: &'p Pivot, look: &'p PivotStyle) -> Self {
        let mut columns: Vec<ShownColumn> = Vec::new();
        for at in 0..pivot.columns.len() {
            for shown in &look.shown {
                // The value gets a column even if it is missing everywhere; a ratio that no cell has does not.
                let any = pivot.cells.iter().any(|row| row[at].as_ref().is_some_and(|cell| has(cell, *shown)));
                if *shown == CellPart::Value || any {
                    columns.push(ShownColumn::Of(at, *shown));
                }
            }
        }
        if pivot.along == "column" && pivot.means.iter().any(Option::is_some) {
            columns.extend([ShownColumn::Mean, ShownColumn::CountOfMean]);
        }
        if look.exact {
            let of_column = |at: usize| TRACES.iter().map(move |(trace, _)| ShownColumn::Trace(at, *trace));
            columns.extend((0..pivot.columns.len()).flat_map(of_column));
        }
        let mut measures: Vec<&str> = pivot.columns.iter().map(|column| column.measure).collect();
        measures.sort_unstable();
        measures.dedup();
        let kinds = columns.iter().filter_map(|place| match place {
            ShownColumn::Of(_, shown) => Some(*shown),
            _ => None,
        });
        let several_shown = kinds.collect::<std::collections::BTreeSet<_>>().len() > 1;
        Self { pivot, look, columns, several_measures: measures.len() > 1, several_shown }
    }

    /// Whether a column shows this part of the cells.
    pub fn shows(&self, part: CellPart) -> bool {
        self.columns.iter().any(|column| matches!(column, ShownColumn::Of(_, shown) if *shown == part))
    }

    /// How many row axes are section titles; for a program they are columns, so none.
    pub fn groups(&self) -> usize {
        if self.look.exact { 0 } else { self.pivot.groups }
    }

    /// Number of columns that label the rows.
    fn labels(&self) -> usize {
        self.pivot.rows_by.len() - self.groups()
    }

    pub fn heads(&self) -> Vec<Column> {
        let labels = self.pivot.rows_by.iter().skip(self.groups()).map(|key| {
            let aspect = Aspect::named(key);
            let heading = aspect.map_or_else(|| key.clone(), |aspect| aspect.heading().to_owned());
            Column::key(&heading, aspect.is_some_and(Aspect::is_numeric))
        });
        let values = self.columns.iter().map(|place| match place {
            ShownColumn::Of(at, shown) => self.head(&self.pivot.columns[*at], *at, *shown),
            ShownColumn::Trace(at, trace) => self.head_of_trace(*at, *trace),
            ShownColumn::Mean => Column { role: Role::Value, ..heading_of_means(self.pivot, self.look.exact) },
            ShownColumn::CountOfMean => Column { role: Role::Value, ..Column::key("ratios", true) },
        });
        let mut heads: Vec<Column> = labels.chain(values).collect();
        for (head, place) in heads.iter_mut().skip(self.labels()).zip(&self.columns) {
            let ShownColumn::Of(at, part) = place else { continue };
            let mut cells = self.pivot.cells.iter().filter_map(|row| row[*at].as_ref());
            head.numeric = match part {
                CellPart::Value => cells.all(|cell| cell.all.len() < 2),
                CellPart::Spread => self.has_deviations_alone(*at),
                _ => true,
            };
        }
        heads
    }

    fn head(&self, column: &PivotColumn, at: usize, shown: CellPart) -> Column {
        let measure = self.scaled(Column::key(&column.heading, true));
        let mut over: Vec<String> = Vec::new();
        let axes = self.pivot.columns_by.iter().filter(|key| *key != "metric");
        for (key, label) in axes.zip(&column.labels) {
            let name = match &label.value {
                Some(_) => label.name.clone(),
                None => "not stated".to_owned(),
            };
            // A bare number is given its quantity; an author's own name needs none.
            let number = Aspect::named(key).filter(|aspect| aspect.is_numeric() && name.parse::<f64>().is_ok());
            over.push(number.map_or(name.clone(), |aspect| match aspect.in_words(&name) {
                words if words == name => format!("{} {name}", aspect.heading()),
                words => words,
            }));
        }
        let places = self.columns.iter().filter(|place| matches!(place, ShownColumn::Of(other, _) if *other == at));
        let split = self.several_measures && places.count() > 1;
        if self.several_measures && self.several_shown {
            over.push(if split { measure.heading.clone() } else { String::new() });
        }
        let (heading, unit) = match shown {
            CellPart::Value if split && measure.unit.is_some() => (String::new(), measure.unit.clone()),
            CellPart::Value => (measure.heading.clone(), measure.unit.clone()),
            CellPart::VsBaseline => {
                let baseline = self.pivot.baseline.as_deref().unwrap_or("baseline");
                heading(self.pivot, column, RatioTo::Baseline(baseline), self.look.exact)
            }
            CellPart::VsBest => heading(self.pivot, column, RatioTo::Best, self.look.exact),
            CellPart::Rank => ("rank".to_owned(), None),
            CellPart::Spread => {
                let heading = if self.has_deviations_alone(at) { "±" } else { "spread" };
                (heading.to_owned(), measure.unit.clone())
            }
        };
        // If all columns show the same quantity, the innermost label becomes the heading, with the unit beside it.
        let alone = !self.several_shown && !self.several_measures;
        let (heading, unit) = match (alone, over.pop()) {
            (true, Some(name)) if shown == CellPart::Value => {
                let unit = unit.or_else(|| heading.contains('/').then(|| heading.clone()));
                (name, unit)
            }
            (true, Some(name)) => (name, unit),
            (_, popped) => {
                over.extend(popped);
                (heading, unit)
            }
        };
        let notes = if shown == self.look.shown[0] { self.pivot.columns[at].notes.clone() } else { Vec::new() };
        Column { heading, unit, over, notes, role: Role::Value, ..measure }
    }

    /// The heading of the values, with the trace's name instead of the unit.
    fn head_of_trace(&self, at: usize, trace: CellTrace) -> Column {
        let values = self.head(&self.pivot.columns[at], at, CellPart::Value);
        let name = TRACES.iter().find(|(of, _)| *of == trace).map_or("", |(_, name)| *name);
        let heading = format!("{} {name}", values.heading).trim_start().to_owned();
        Column { over: values.over, role: Role::Value, ..Column::key(&heading, false) }
    }

    /// Whether the known dispersions in a column are all standard deviations.
    fn has_deviations_alone(&self, column: usize) -> bool {
        let mut cells = self.pivot.cells.iter().filter_map(|row| row[column].as_ref());
        cells.all(|cell| cell.deviation.is_some() || cell.range.is_none())
    }

    /// Scales the unit of a measure's column as the author wants.
    fn scaled(&self, measure: Column) -> Column {
        let Some(scale) = self.look.author.scale.filter(|_| !self.look.exact) else { return measure };
        match &measure.unit {
            Some(unit) => Column { unit: Some(scale.unit(unit)), ..measure },
            None => Column { heading: scale.unit(&measure.heading), ..measure },
        }
    }

    /// Section titles of a row, and its cells: first the labels, then the other columns.
    pub fn row(&self, at: usize) -> (Vec<String>, Vec<Cell>) {
        let row = &self.pivot.rows[at];
        let groups = self.groups();
        let axes = row.labels.iter().zip(&self.pivot.rows_by).enumerate();
        let named = axes.map(|(at, (label, key))| match (&label.value, self.look.exact) {
            (None, false) if at < groups => {
                format!("{} not stated", Aspect::named(key).map_or(key.as_str(), |aspect| aspect.heading()))
            }
            (None, false) => "not stated".to_owned(),
            _ => label.name.clone(),
        });
        let mut titles: Vec<String> = named.collect();
        let mut cells: Vec<Cell> = titles.split_off(groups).iter().map(|name| Cell::from(name.as_str())).collect();
        if let Some(first) = cells.first_mut() {
            first.notes.clone_from(&row.notes);
        }
        cells.extend(self.columns.iter().map(|column| self.cell(at, *column)));
        (titles, cells)
    }

    fn cell(&self, row: usize, place: ShownColumn) -> Cell {
        let text = |text: String| Cell { text, ..Cell::default() };
        match place {
            ShownColumn::Of(column, shown) => match &self.pivot.cells[row][column] {
                Some(cell) => self.shown(cell, shown),
                None => Cell::default(),
            },
            ShownColumn::Trace(column, trace) => match &self.pivot.cells[row][column] {
                Some(cell) => text(traced(cell, trace)),
                None => Cell::default(),
            },
            ShownColumn::Mean => text(self.pivot.means[row].map_or_else(String::new, |mean| mean.value.to_string())),
            ShownColumn::CountOfMean => text(self.pivot.means[row].map_or_else(String::new, |mean| mean.n.to_string())),
        }
    }

    fn shown(&self, cell: &PivotCell, shown: CellPart) -> Cell {
        let number = |number: Option<Decimal>| number.map_or_else(String::new, |number| number.to_string());
        let text = |text: String| Cell { text, ..Cell::default() };
        match shown {
            CellPart::VsBaseline => text(number(cell.vs_baseline)),
            CellPart::VsBest => text(number(cell.vs_best)),
            CellPart::Rank => text(cell.rank.map_or_else(String::new, |rank| rank.to_string())),
            CellPart::Spread => text(self.spread(cell).map_or_else(String::new, |(spread, _)| spread)),
            CellPart::Value if cell.all.len() > 1 => {
                let all: Vec<String> = cell.all.iter().map(|(_, value)| self.readable(*value).to_string()).collect();
                text(all.join("; "))
            }
            CellPart::Value => {
                let notes = if self.look.exact { Vec::new() } else { cell.notes.clone() };
                let Some(value) = cell.value else {
                    return Cell { text: cell.outcome.clone().unwrap_or_default(), notes, ..Cell::default() };
                };
                let value = self.readable(value);
                // A spread with a column of its own is not repeated beside the value.
                let aside = self.look.exact || self.look.shown.contains(&CellPart::Spread);
                let spread = self.spread(cell).filter(|_| !aside).map_or_else(String::new, |(_, aside)| aside);
                let muted = cell.unranked && !self.look.exact;
                let nearness = cell.nearness.filter(|_| self.look.author.shaded).unwrap_or_default();
                let shade = (nearness * f64::from(DARKEST)).round() as u8;
                Cell { text: value.to_string(), spread, best: cell.best, muted, shade, notes }
            }
        }
    }

    /// The value rounded and scaled for readers.
    fn readable(&self, value: Decimal) -> Decimal {
        if self.look.exact { value } else { self.look.author.number(value) }
    }

    /// The spread of a cell's samples, with the decimals of its value: on its own (`0.4`, `11.9–12.4`), and as shown beside the
    /// value (` ±0.4`, ` (11.9–12.4)`).
    fn spread(&self, cell: &PivotCell) -> Option<(String, String)> {
        let decimals = cell.value.map(|value| usize::from(self.readable(value).decimals()))?;
        let number = |number: f64| match self.look.exact {
            true => number.to_string(),
            false => format!("{:.decimals$}", number * self.look.author.factor()),
        };
        match (cell.deviation, cell.range) {
            (Some(deviation), _) => Some((number(deviation), format!(" ±{}", number(deviation)))),
            (None, Some((low, high))) => {
                let range = format!("{}–{}", number(low), number(high));
                Some((range.clone(), format!(" ({range})")))
            }
            (None, None) => None,
        }
    }

    /// The geometric means of the columns, and a second row with the number of ratios in each.
    pub fn rows_of_means(&self) -> Option<Vec<Vec<Cell>>> {
        if self.pivot.along != "row" || self.pivot.means.iter().all(Option::is_none) {
            return None;
        }
        let of_ratios = if self.pivot.baseline.is_some() { CellPart::VsBaseline } else { CellPart::VsBest };
        let row = |name: &str, of: &dyn Fn(usize) -> String| -> Vec<Cell> {
            let labels = (0..self.labels()).map(|at| Cell::from(if at == 0 { name } else { "" }));
            let values = self.columns.iter().map(|place| match place {
                ShownColumn::Of(column, shown) if *shown == of_ratios => Cell::from(of(*column).as_str()),
                _ => Cell::default(),
            });
            labels.chain(values).collect()
        };
        let mean = |at: usize| self.pivot.means[at].map_or_else(String::new, |mean| mean.value.to_string());
        let count = |at: usize| self.pivot.means[at].map_or_else(String::new, |mean| mean.n.to_string());
        Some(vec![row("geometric mean", &mean), row("ratios", &count)])
    }
}

fn traced(cell: &PivotCell, trace: CellTrace) -> String {
    match trace {
        CellTrace::Id if cell.all.len() > 1 => {
            cell.all.iter().map(|(id, _)| id.as_str()).collect::<Vec<_>>().join("; ")
        }
        CellTrace::Id => cell.id.clone(),
        CellTrace::Source => cell.source.clone(),
        CellTrace::Mark if cell.best => "best".to_owned(),
        CellTrace::Mark if cell.unranked => "not ranked".to_owned(),
        CellTrace::Mark => String::new(),
        CellTrace::Conditions => cell.conditions.clone(),
    }
}

fn has(cell: &PivotCell, shown: CellPart) -> bool {
    match shown {
        CellPart::Value => true,
        CellPart::VsBaseline => cell.vs_baseline.is_some(),
        CellPart::VsBest => cell.vs_best.is_some(),
        CellPart::Rank => cell.rank.is_some(),
        CellPart::Spread => cell.deviation.is_some() || cell.range.is_some(),
    }
}

/// The denominator of a ratio.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum RatioTo<'p> {
    /// The best of the values ranked together.
    Best,
    /// The baseline, with its name.
    Baseline(&'p str),
}

/// Heading and unit of ratios: `speed relative to best [x]`, `speed-up over Titan V [x]`,
/// `latency / that of Titan V [x]`; a stable name for programs (`exact`).
pub(super) fn heading(pivot: &Pivot, column: &PivotColumn, to: RatioTo<'_>, exact: bool) -> (String, Option<String>) {
    let unit = Some("x".to_owned());
    let name = match to {
        RatioTo::Best => "best",
        RatioTo::Baseline(name) => name,
    };
    if exact {
        return (format!("vs {name}"), unit);
    }
    let measure = measure_name(column.measure, &column.heading);
    if pivot.ratio.as_deref() == Some("quotient") {
        return (format!("{measure} / that of {name}"), unit);
    }
    let of = measure_of(column);
    match (to, of.is_some_and(is_speed), of.map_or(Direction::Neutral, Measure::direction)) {
        (RatioTo::Baseline(name), true, _) => (format!("speed-up over {name}"), unit),
        (RatioTo::Best, true, _) => ("speed relative to best".to_owned(), unit),
        // If lower is better, the ratio is inverted.
        (_, false, Direction::Lower) => (format!("{measure} of {name} / own"), unit),
        (_, false, _) => (format!("{measure} relative to {name}"), unit),
    }
}

fn measure_of(column: &PivotColumn) -> Option<Measure> {
    match Aspect::keyed(column.measure)? {
        Aspect::Metric(metric) => Some(Measure::Metric(metric)),
        Aspect::Derived(derived) => Some(Measure::Derived(derived)),
        _ => None,
    }
}

/// Whether the measure is a rate or a time, so that its ratio is a speed-up.
fn is_speed(measure: Measure) -> bool {
    use Metric::{EpochS, LatencyMs, ThroughputPerS, TimeToAccuracyS, TotalS};
    matches!(measure, Measure::Metric(LatencyMs | ThroughputPerS | EpochS | TotalS | TimeToAccuracyS))
}

/// The heading of geometric means, which says what is averaged.
pub(super) fn heading_of_means(pivot: &Pivot, exact: bool) -> Column {
    let is_of_speeds = pivot.ratio.as_deref() != Some("quotient")
        && pivot.columns.iter().all(|column| measure_of(column).is_some_and(is_speed));
    Column::key(
        match (exact, is_of_speeds, pivot.baseline.is_some()) {
            (true, ..) => "geometric mean [x]",
            (false, true, true) => "geometric mean of speed-ups [x]",
            (false, true, false) => "geometric mean of relative speeds [x]",
            (false, false, _) => "geometric mean of ratios [x]",
        },
        true,
    )
}

/// A part of a cell that the table can show.
#[derive(
    Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Display, EnumMessage, EnumString, IntoStaticStr, VariantArray,
)]
#[strum(serialize_all = "kebab-case")]
pub enum CellPart {
    /// The value
    Value,
    /// The ratio to the baseline
    VsBaseline,
    /// The ratio to the best comparable value
    VsBest,
    /// The rank among comparable values
    Rank,
    /// The spread of its samples: their standard deviation, else the smallest and the largest
    Spread,
}

/// How a comparison is rendered.
#[derive(Debug, Clone, Default)]
pub struct PivotStyle {
    /// The parts of each cell to show.
    pub shown: Vec<CellPart>,
    /// Digits, order, names and shading that the author wants.
    pub author: AuthorStyle,
    /// A caption that replaces the default one.
    pub caption: Option<String>,
    /// Whether numbers keep all digits and nothing is beside them, for programs.
    pub exact: bool,
    /// Whether sources are cited by key, as in LaTeX, instead of by number.
    pub cites: bool,
}

/// Separator between the parts of a caption.
const SEPARATOR: &str = " · ";

/// Caption on screen: the question, and what all cells share.
pub(super) fn asked(pivot: &Pivot, question: &str) -> String {
    let shared = shared(pivot).join(SEPARATOR);
    if shared.is_empty() { question.to_owned() } else { format!("{question}: {shared}") }
}

/// Caption in print: the measures and their axes, the subject of the question, and what all cells share. A reader of a paper
/// knows neither the filters nor the ids.
pub(super) fn printed(pivot: &Pivot) -> String {
    let mut measures: Vec<String> = Vec::new();
    for column in &pivot.columns {
        let name = measure_name(column.measure, &column.heading);
        if !measures.contains(&name) {
            measures.push(name);
        }
    }
    let by = pivot.rows_by.iter().chain(&pivot.columns_by).filter(|key| *key != "metric");
    let by: Vec<String> = by
        .map(|key| match Aspect::named(key) {
            Some(Aspect::Field(field)) => field.in_prose(),
            Some(aspect) => aspect.heading().to_owned(),
            None => key.clone(),
        })
        .collect();
    let parts = fixed(pivot);
    let title = format!("{} by {}", capital(&and_list(&measures)), and_list(&by));
    if parts.is_empty() { title } else { format!("{title}: {parts}") }
}

/// The subject of the question, and what all cells share.
pub(super) fn fixed(pivot: &Pivot) -> String {
    let told = |key: &str| pivot.shared.iter().any(|(shared, _)| shared == key);
    let subjects = pivot.subjects.iter().filter(|(key, _)| !told(key)).map(|(key, words)| match key.as_str() {
        "source" => people(pivot, words),
        _ => words.clone(),
    });
    let parts: Vec<String> = subjects.chain(shared(pivot)).collect();
    parts.join(SEPARATOR)
}

/// Name of a measure without its unit: `throughput`, `items per joule`.
pub(super) fn measure_name(key: &str, heading: &str) -> String {
    let named = Aspect::named(key).map_or(heading, |aspect| aspect.heading());
    match Column::key(named, true).heading.as_str() {
        // A heading of `items` means that the unit says what is counted; the key is clearer.
        "items" => key.replace('-', " "),
        name => name.to_owned(),
    }
}

/// Authors and years of the sources that a question filters by.
fn people(pivot: &Pivot, ids: &str) -> String {
    let named = |id: &str| {
        let source = pivot.sources.iter().find(|source| source.id.as_str() == id);
        source.map_or_else(|| id.to_owned(), Source::people_and_year)
    };
    ids.split(", ").map(named).collect::<Vec<_>>().join(", ")
}

/// The values that all cells share, in words.
fn shared(pivot: &Pivot) -> Vec<String> {
    let shared = pivot.shared.iter().map(|(key, value)| match (key.as_str(), value.as_str()) {
        ("device-count", "1") => "1 device".to_owned(),
        ("device-count", count) => format!("{count} devices"),
        ("n", n) => format!("n = {n}"),
        ("batch-size", batch) => format!("batch {batch}"),
        (
            "network" | "dataset" | "stage" | "scenario" | "precision" | "device" | "framework" | "statistic" | "timed"
            | "instance",
            value,
        ) => value.to_owned(),
        (key, value) => match Aspect::named(key) {
            Some(Aspect::Field(field)) => field.in_print(value),
            Some(aspect) => format!("{} {value}", aspect.heading()),
            None => format!("{key} {value}"),
        },
    });
    shared.collect()
}
