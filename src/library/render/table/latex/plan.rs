//! How a table is put on the pages of a class: in a column, over the page or turned, and in how many parts.

use super::paper::Paper;
use super::setting::{READABLE, STEPS, Setting, UNWRAPPED, shown};
use super::width::width;
use crate::render::table::content::{Cell, Column, Role, Section, Table};
use crate::values::{PageRoom, TableLayout};

/// Where a table stands, and its parts.
pub(super) struct TablePlan {
    pub layout: TableLayout,
    /// Whether it is broken over pages by LaTeX itself.
    pub long: bool,
    pub parts: Vec<(Table, Setting)>,
}

/// A line of type is higher than its size, rules and blanks around them included.
const LINE: f64 = 1.22;
/// Lines that rules, the caption's blanks and the float's take.
const AROUND: f64 = 6.0;

impl TablePlan {
    pub fn of(table: &Table, paper: &Paper) -> Self {
        let room = paper.room();
        let tries: Vec<(TableLayout, usize)> = match paper.layout {
            Some(layout) => vec![(layout, STEPS.len())],
            None if room.has_columns() => {
                vec![(TableLayout::Column, UNWRAPPED), (TableLayout::Page, READABLE), (TableLayout::Turned, READABLE)]
            }
            None => vec![(TableLayout::Page, READABLE), (TableLayout::Turned, READABLE)],
        };
        let fitting = tries.iter().find_map(|(layout, steps)| {
            Setting::fitting(table, breadth(*layout, &room), &room, &STEPS[..*steps]).map(|setting| (*layout, setting))
        });
        // A long table upright is easier to read than parts that are turned.
        let upright = || {
            let (_, setting) = fitting.as_ref().filter(|(layout, _)| *layout == TableLayout::Turned)?;
            let is_chosen = paper.layout.is_none() && !room.has_columns();
            if !is_chosen || lines_of(table, setting) <= lines_on(setting, room.page) {
                return None;
            }
            Setting::fitting(table, room.page, &room, &STEPS).map(|setting| (TableLayout::Page, setting))
        };
        let fitting = upright().or(fitting);
        let layout = fitting.as_ref().map_or_else(|| paper.layout.unwrap_or(TableLayout::Page), |(layout, _)| *layout);
        let wide: Vec<(Table, Setting)> = match fitting {
            Some((_, setting)) => vec![(table.clone(), setting)],
            None => in_columns(table, breadth(layout, &room), &room),
        };
        let height = if layout == TableLayout::Turned { room.page } else { room.height };
        let fits = |(table, setting): &(Table, Setting)| lines_of(table, setting) <= lines_on(setting, height);
        if paper.bare || wide.iter().all(fits) {
            return Self { layout, long: false, parts: wide };
        }
        // A table that LaTeX breaks by itself has no place in a page of columns, nor among parts.
        if !room.has_columns() && wide.len() == 1 && layout != TableLayout::Turned {
            return Self { layout, long: true, parts: wide };
        }
        let parts = wide.into_iter().flat_map(|(table, setting)| {
            let lines = lines_on(&setting, height);
            in_rows(&table, lines - lines_around(&table, &setting), &setting)
                .into_iter()
                .map(move |part| (part, setting.clone()))
                .collect::<Vec<_>>()
        });
        Self { layout, long: false, parts: parts.collect() }
    }
}

/// How wide a table may be that stands so.
fn breadth(layout: TableLayout, room: &PageRoom) -> f64 {
    match layout {
        TableLayout::Column => room.column,
        TableLayout::Page => room.page,
        TableLayout::Turned => room.height,
    }
}

/// The table in parts beside each other, each with the columns that name its rows.
fn in_columns(table: &Table, breadth: f64, room: &PageRoom) -> Vec<(Table, Setting)> {
    let all: Vec<usize> = shown(&table.columns).map(|(at, _)| at).collect();
    let named: Vec<usize> = all.iter().copied().filter(|at| table.columns[*at].role == Role::Key).collect();
    // A table of texts alone has no columns of values: its first column names the row.
    let keys = if named.len() == all.len() { named[..named.len().min(1)].to_vec() } else { named };
    let with = |columns: &[usize]| {
        let part = only_columns(table, columns);
        let setting = Setting::fitting(&part, breadth, room, &STEPS);
        setting.map(|setting| (part, setting))
    };
    let mut parts: Vec<(Vec<usize>, (Table, Setting))> = Vec::new();
    for at in all.iter().copied().filter(|at| !keys.contains(at)) {
        let longer = parts.last().map(|(columns, _)| [columns.as_slice(), &[at]].concat());
        if let Some((columns, part)) = longer.and_then(|columns| with(&columns).map(|part| (columns, part))) {
            parts.pop();
            parts.push((columns, part));
            continue;
        }
        let columns = [keys.as_slice(), &[at]].concat();
        // What fits nowhere is set as narrow as it can be.
        let part = with(&columns).unwrap_or_else(|| {
            let part = only_columns(table, &columns);
            let setting = Setting::by(&part, STEPS[STEPS.len() - 1], breadth, room);
            (part, setting)
        });
        parts.push((columns, part));
    }
    // All parts in one size of type.
    let size = parts.iter().map(|(_, (_, setting))| setting.size).max().unwrap_or(0);
    let first = STEPS.iter().position(|step| step.size >= size).unwrap_or(0);
    let alike = parts.into_iter().map(|(_, (part, setting))| {
        let setting = Setting::fitting(&part, breadth, room, &STEPS[first..]).unwrap_or(setting);
        (part, setting)
    });
    alike.collect()
}

/// The table with these columns, and those that trace its rows.
fn only_columns(table: &Table, columns: &[usize]) -> Table {
    let mut part = table.clone();
    for at in (0..table.columns.len()).rev() {
        if !columns.contains(&at) && table.columns[at].role != Role::Trace {
            part.remove_column(at);
        }
    }
    // A row that has nothing in this part stands in another.
    let values: Vec<usize> = (0..part.columns.len()).filter(|at| part.columns[*at].role == Role::Value).collect();
    for section in part.sections.iter_mut().filter(|_| !values.is_empty()) {
        section.rows.retain(|row| values.iter().any(|at| !row[*at].text.is_empty()));
    }
    part.sections.retain(|section| !section.rows.is_empty());
    part
}

/// The table in parts below each other, each of no more lines than there is room for.
fn in_rows(table: &Table, lines: f64, setting: &Setting) -> Vec<Table> {
    let mut parts: Vec<Vec<Section>> = vec![Vec::new()];
    let mut used = 0.0;
    for section in &table.sections {
        let title = if section.title.is_some() { 1.0 } else { 0.3 };
        let mut begun = false;
        for row in &section.rows {
            let needs = lines_of_row(&table.columns, row, setting);
            if used + needs + title > lines && used > 0.0 {
                parts.push(Vec::new());
                used = 0.0;
                begun = false;
            }
            let Some(part) = parts.last_mut() else { continue };
            if !begun {
                part.push(Section { title: section.title.clone(), rows: Vec::new() });
                used += title;
                begun = true;
            }
            if let Some(open) = part.last_mut() {
                open.rows.push(row.clone());
            }
            used += needs;
        }
    }
    parts.into_iter().map(|sections| Table { sections, ..table.clone() }).collect()
}

/// How many lines of a table's size a page has.
fn lines_on(setting: &Setting, height: f64) -> f64 {
    height / (setting.points * LINE)
}

/// How many lines a table takes with its caption, its headings and its notes.
fn lines_of(table: &Table, setting: &Setting) -> f64 {
    let rows: f64 = table.rows().map(|row| lines_of_row(&table.columns, row, setting)).sum();
    let titles = table.sections.iter().map(|section| if section.title.is_some() { 1.3 } else { 0.3 }).sum::<f64>();
    rows + titles + lines_around(table, setting)
}

/// The lines of the caption, the headings and the notes.
fn lines_around(table: &Table, setting: &Setting) -> f64 {
    let lines = |text: &str| (width(text, setting.points) / setting.room).ceil();
    let heads = setting.columns.iter().map(|column| column.head.len()).max().unwrap_or(1);
    let levels = table.columns.iter().map(|column| column.over.len()).max().unwrap_or(0);
    let notes: String = table.notes.iter().map(|note| format!("{} {} ", note.mark, note.text)).collect();
    lines(&table.caption) + lines(&notes) + (heads + levels) as f64 + AROUND
}

fn lines_of_row(columns: &[Column], row: &[Cell], setting: &Setting) -> f64 {
    /// Wrapped words leave the ends of lines empty.
    const FILLED: f64 = 0.8;
    let wrapped = shown(columns).zip(&setting.columns).filter_map(|((at, _), column)| {
        column.wrapped.map(|room| (width(&row[at].text, setting.points) / (room * FILLED)).ceil())
    });
    wrapped.fold(1.0, f64::max)
}
