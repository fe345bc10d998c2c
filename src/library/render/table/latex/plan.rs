//! How a table is set on the pages of a class: in a column, over the page or turned, in which size, what is wrapped, and in
//! how many parts.

use super::super::content::{Cell, Column, Role, Section, Table, TableNote};
use super::super::write::spanners;
use super::Paper;
use super::cells::{marks_of, number};
use super::width::{BOLD, widest_piece, width};
use crate::values::{PageRoom, TableLayout};

/// A column as it is set.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct ColumnSetting {
    /// The lines of its heading.
    pub head: Vec<String>,
    /// Its width, where its texts are wrapped.
    pub wrapped: Option<f64>,
    /// How wide it is.
    width: f64,
}

/// A size of type, the blank beside a column, and the columns that are shown.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Setting {
    /// Of `\normalsize`, `\small`, `\footnotesize`, `\scriptsize`.
    pub size: usize,
    /// The same in points.
    points: f64,
    pub gap: f64,
    pub columns: Vec<ColumnSetting>,
    /// How wide the table is.
    pub width: f64,
    /// How wide it may be.
    pub room: f64,
}

/// Where a table stands, and its parts.
pub(super) struct TablePlan {
    pub layout: TableLayout,
    /// Whether it is broken over pages by LaTeX itself.
    pub long: bool,
    pub parts: Vec<(Table, Setting)>,
}

/// A way to make a table narrower.
#[derive(Debug, Clone, Copy)]
struct Step {
    size: usize,
    gap: f64,
    /// Whether headings have several lines.
    stacked: bool,
    /// Whether texts are wrapped.
    wrapped: bool,
}

/// From the most readable to the narrowest.
const STEPS: [Step; 8] = [
    Step { size: 0, gap: 6.0, stacked: false, wrapped: false },
    Step { size: 1, gap: 6.0, stacked: false, wrapped: false },
    Step { size: 1, gap: 6.0, stacked: true, wrapped: false },
    Step { size: 2, gap: 6.0, stacked: true, wrapped: false },
    Step { size: 2, gap: 4.0, stacked: true, wrapped: false },
    Step { size: 2, gap: 4.0, stacked: true, wrapped: true },
    Step { size: 2, gap: 3.0, stacked: true, wrapped: true },
    Step { size: 3, gap: 3.0, stacked: true, wrapped: true },
];
/// The steps that wrap no text, and those that leave type as large as a footnote.
const UNWRAPPED: usize = 5;
const READABLE: usize = 7;

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

impl Setting {
    /// Whether the title of a section is no wider than the table.
    pub fn title_fits(&self, title: &str) -> bool {
        width(title, self.points) <= self.width
    }

    /// The most readable setting in which a table is no wider than it may be.
    fn fitting(table: &Table, breadth: f64, room: &PageRoom, steps: &[Step]) -> Option<Self> {
        steps.iter().map(|step| Self::by(table, *step, breadth, room)).find(|setting| setting.width <= breadth)
    }

    fn by(table: &Table, step: Step, breadth: f64, room: &PageRoom) -> Self {
        let size = room.sizes[step.size];
        let shown: Vec<(usize, &Column)> = shown(&table.columns).collect();
        let mut columns: Vec<ColumnSetting> = Vec::with_capacity(shown.len());
        let mut least: Vec<f64> = Vec::with_capacity(shown.len());
        for (at, column) in &shown {
            let cells = || table.rows().map(|row| &row[*at]);
            let natural = natural_width(column, cells(), &table.notes, size);
            let narrowest = match column.numeric || !step.wrapped {
                true => natural,
                false => cells().map(|cell| narrowest_cell(cell, &table.notes, size)).fold(0.0, f64::max),
            };
            let head = heading_lines(column, &table.notes, size, narrowest, step.stacked);
            let of_head = head.iter().map(|line| width(line, size)).fold(0.0, f64::max);
            least.push(narrowest.max(of_head).min(natural.max(of_head)));
            columns.push(ColumnSetting { head, wrapped: None, width: natural.max(of_head) });
        }
        let gaps = 2.0 * step.gap * columns.len().saturating_sub(1) as f64;
        let natural: f64 = columns.iter().map(|column| column.width).sum::<f64>() + gaps;
        if step.wrapped && natural > breadth {
            share_room(&mut columns, &least, breadth - gaps);
        }
        widen_below_spanners(&mut columns, &shown, size, step.gap);
        let width = columns.iter().map(|column| column.width).sum::<f64>() + gaps;
        Self { size: step.size, points: size, gap: step.gap, columns, width, room: breadth }
    }
}

/// Gives each column its least width, and what is left to those that lack most, in equal shares of what they lack.
fn share_room(columns: &mut [ColumnSetting], least: &[f64], room: f64) {
    let spare = room - least.iter().sum::<f64>();
    let lacking: f64 = columns.iter().zip(least).map(|(column, least)| column.width - least).sum();
    for (column, least) in columns.iter_mut().zip(least) {
        let lacks = column.width - least;
        if lacks > 0.0 {
            // Downwards, to whole points: no line may be a hair too wide.
            column.width = (least + (spare.max(0.0) * lacks / lacking).min(lacks)).floor().max(least.ceil());
            column.wrapped = Some(column.width);
        }
    }
}

/// What stands over columns and is wider than they are makes the last of them wider.
fn widen_below_spanners(columns: &mut [ColumnSetting], shown: &[(usize, &Column)], size: f64, gap: f64) {
    let heads: Vec<&Column> = shown.iter().map(|(_, column)| *column).collect();
    for level in spanners(&heads) {
        let mut first = 0;
        for (over, count) in level {
            let below = &mut columns[first..first + count];
            let room = below.iter().map(|column| column.width).sum::<f64>() + 2.0 * gap * (count - 1) as f64;
            if let Some(last) = below.last_mut() {
                last.width += (width(over, size) - room).max(0.0);
            }
            first += count;
        }
    }
}

/// The width of a column whose cells are not wrapped, without its heading.
fn natural_width<'c>(column: &Column, cells: impl Iterator<Item = &'c Cell>, notes: &[TableNote], size: f64) -> f64 {
    let (mut whole, mut fraction, mut minus, mut best, mut behind, mut text) = (0, 0, false, false, 0.0_f64, 0.0_f64);
    for cell in cells {
        let marks = marks_width(cell, notes, size) + width(&cell.spread, size);
        match number(&cell.text).filter(|_| column.numeric) {
            Some((sign, before, after)) => {
                whole = whole.max(before);
                fraction = fraction.max(after);
                minus |= sign;
                best |= cell.best;
                behind = behind.max(marks);
            }
            None => {
                let bold = if cell.best { BOLD } else { 1.0 };
                text = text.max(width(&cell.text, size) * bold + marks);
            }
        }
    }
    let digits = "0".repeat(whole + fraction);
    let signs = if fraction > 0 { "." } else { "" };
    let minus = if minus { "+" } else { "" };
    let bold = if best { BOLD } else { 1.0 };
    text.max(width(&format!("{digits}{signs}{minus}"), size) * bold + behind)
}

/// The width to which a cell of text can be wrapped.
fn narrowest_cell(cell: &Cell, notes: &[TableNote], size: f64) -> f64 {
    widest_piece(&cell.text, size) + marks_width(cell, notes, size) + width(&cell.spread, size)
}

fn marks_width(cell: &Cell, notes: &[TableNote], size: f64) -> f64 {
    /// A raised mark is set in the size of an index.
    const RAISED: f64 = 0.75;
    width(&marks_of(&cell.notes, notes).join(","), size * RAISED)
}

/// A heading in one line, or in as many as it needs to be no wider than what stands below it.
fn heading_lines(column: &Column, notes: &[TableNote], size: f64, below: f64, stacked: bool) -> Vec<String> {
    let title = column.own_title();
    if !stacked {
        return vec![title];
    }
    let words: Vec<&str> = title.split_whitespace().collect();
    let marks = marks_of(&column.notes, notes).join(",");
    let widest = words.iter().map(|word| width(word, size)).fold(below, f64::max);
    let mut lines: Vec<String> = Vec::new();
    for (at, word) in words.iter().enumerate() {
        let behind = if at + 1 == words.len() { width(&marks, size) } else { 0.0 };
        match lines.last_mut() {
            Some(line) if width(&format!("{line} {word}"), size) + behind <= widest => {
                line.push(' ');
                line.push_str(word);
            }
            _ => lines.push((*word).to_owned()),
        }
    }
    if lines.is_empty() { vec![title] } else { lines }
}

/// The columns that are set; the others are remarks behind their rows.
pub(super) fn shown(columns: &[Column]) -> impl Iterator<Item = (usize, &Column)> {
    columns.iter().enumerate().filter(|(_, column)| column.role != Role::Trace)
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
