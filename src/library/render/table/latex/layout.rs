//! Fits a table to the pages of a class: type size and column widths; column, page or rotated page; and splitting into parts.

use std::borrow::Cow;
use std::collections::BTreeSet;
use std::ops::Range;

use super::escaping::{BOLD, label_name, marks_of, number, raised_points, widest_piece, width};
use crate::render::table::content::spanners;
use crate::render::table::content::{Cell, Column, Role, Section, Table, TableNote};
use crate::values::{DocumentClass, PageRoom, TableLayout};

/// The layout of a column.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct ColumnSetting {
    /// The lines of its heading.
    pub head: Vec<String>,
    /// The width of its paragraphs, if its texts are wrapped.
    pub wrapped: Option<f64>,
    /// The width of the column.
    width: f64,
}

/// The layout of a table: type size, space beside columns, and the columns shown.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct TableSetting {
    /// Index into `\normalsize`, `\small`, `\footnotesize`, `\scriptsize`.
    pub size: usize,
    /// The type size in points.
    pub points: f64,
    pub gap: f64,
    pub columns: Vec<ColumnSetting>,
    /// Width of the table.
    pub width: f64,
    /// Available width.
    pub room: f64,
}

/// A combination of settings that makes a table narrower.
#[derive(Debug, Clone, Copy)]
pub(super) struct NarrowingStep {
    pub size: usize,
    gap: f64,
    /// Whether headings may take several lines.
    stacked: bool,
    /// Whether texts may be wrapped.
    wrapped: bool,
}

/// From the most readable setting to the narrowest.
pub(super) const STEPS: [NarrowingStep; 8] = [
    NarrowingStep { size: 0, gap: 6.0, stacked: false, wrapped: false },
    NarrowingStep { size: 1, gap: 6.0, stacked: false, wrapped: false },
    NarrowingStep { size: 1, gap: 6.0, stacked: true, wrapped: false },
    NarrowingStep { size: 2, gap: 6.0, stacked: true, wrapped: false },
    NarrowingStep { size: 2, gap: 4.0, stacked: true, wrapped: false },
    NarrowingStep { size: 2, gap: 4.0, stacked: true, wrapped: true },
    NarrowingStep { size: 2, gap: 3.0, stacked: true, wrapped: true },
    NarrowingStep { size: 3, gap: 3.0, stacked: true, wrapped: true },
];

/// Index of `\footnotesize` among the sizes.
pub(super) const FOOTNOTE: usize = 2;

/// Number of steps that wrap no text; `READABLE` is the number of steps that use `\footnotesize` or larger.
pub(super) const UNWRAPPED: usize = 5;

pub(super) const READABLE: usize = 7;

impl TableSetting {
    /// Whether cells may take several lines.
    pub fn wraps(&self) -> bool {
        self.columns.iter().any(|column| column.wrapped.is_some())
    }

    /// Whether the title of a section fits into the width of the table.
    pub fn title_fits(&self, title: &str) -> bool {
        width(title, self.points) <= self.width
    }

    /// The most readable of the steps in which the table fits into the width.
    pub fn fitting(table: &Table, breadth: f64, room: &PageRoom, steps: &[NarrowingStep]) -> Option<Self> {
        steps.iter().map(|step| Self::by(table, *step, breadth, room)).find(|setting| setting.width <= breadth)
    }

    pub fn by(table: &Table, step: NarrowingStep, breadth: f64, room: &PageRoom) -> Self {
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

/// Gives each column its minimum width, and divides the remaining width in proportion to what each column lacks.
fn share_room(columns: &mut [ColumnSetting], least: &[f64], room: f64) {
    let spare = room - least.iter().sum::<f64>();
    let lacking: f64 = columns.iter().zip(least).map(|(column, least)| column.width - least).sum();
    for (column, least) in columns.iter_mut().zip(least) {
        let lacks = column.width - least;
        if lacks > 0.0 {
            // Rounded down to whole points, so that no line is slightly too wide.
            column.width = (least + (spare.max(0.0) * lacks / lacking).min(lacks)).floor().max(least.ceil());
            column.wrapped = Some(column.width);
        }
    }
}

/// Widens the last column below a spanning heading that is wider than its columns.
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

/// Width of a column without wrapping, heading excluded.
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

/// The smallest width to which a text cell can be wrapped.
fn narrowest_cell(cell: &Cell, notes: &[TableNote], size: f64) -> f64 {
    widest_piece(&cell.text, size) + marks_width(cell, notes, size) + width(&cell.spread, size)
}

fn marks_width(cell: &Cell, notes: &[TableNote], size: f64) -> f64 {
    width(&marks_of(&cell.notes, notes).join(","), raised_points(size))
}

/// A heading on one line, or stacked so that it is no wider than the cells below where words allow it.
fn heading_lines(column: &Column, notes: &[TableNote], size: f64, below: f64, stacked: bool) -> Vec<String> {
    let title = column.own_title();
    if !stacked {
        return vec![title];
    }
    // Non-breaking spaces keep words together.
    let words: Vec<&str> = title.split(' ').filter(|word| !word.is_empty()).collect();
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

/// The columns that are typeset; trace columns become comments after their rows.
pub(super) fn shown(columns: &[Column]) -> impl Iterator<Item = (usize, &Column)> {
    columns.iter().enumerate().filter(|(_, column)| column.role != Role::Trace)
}

/// Line height as a multiple of the type size, including rules and the space around them.
const LINE: f64 = 1.22;

/// Lines taken by rules, space around caption and float, and the legend of bold and grey.
const AROUND: f64 = 6.0;

/// Whether the table fits on one page of this height.
pub(super) fn fits(table: &Table, setting: &TableSetting, height: f64, is_last: bool) -> bool {
    let measured = PartHeights::of(table, setting, height);
    let rows: f64 = measured.rows.iter().sum();
    let titles: f64 = table.sections.iter().map(|section| lines_of_title(section.title.as_deref())).sum();
    measured.lines(rows + titles, &table.referenced_notes(), is_last) <= measured.page
}

/// Quick check whether a table can fit on a page at this type size: one with more rows than lines cannot, and is not measured.
pub(super) fn may_fit(table: &Table, room: &PageRoom, points: f64) -> bool {
    table.rows().count() as f64 <= room.height.max(room.page) / (points * LINE)
}

/// Splits the rows into as few parts as pages of this height need, all of similar height.
pub(super) fn in_rows(table: &Table, setting: &TableSetting, height: f64, is_last: bool) -> Vec<Table> {
    let measured = PartHeights::of(table, setting, height);
    let last_fits = |parts: &[RowsOfPart]| {
        parts.last().is_none_or(|part| measured.lines(part.rows, &part.notes, is_last) <= measured.page)
    };
    let mut parts = filled(table, &measured, measured.page);
    let count = parts.len() + usize::from(!last_fits(&parts));
    let all: f64 = parts.iter().map(|part| part.rows).sum();
    let mut room = measured.around + (all / count as f64).max(1.0);
    while room < measured.page {
        let even = filled(table, &measured, room);
        if even.len() <= count && last_fits(&even) {
            parts = even;
            break;
        }
        room += 1.0;
    }
    let part = |part: RowsOfPart| {
        let section = |(at, rows): (usize, Range<usize>)| {
            let section = &table.sections[at];
            Section { title: section.title.clone(), rows: section.rows[rows].to_vec() }
        };
        // Clones everything but the rows: there may be as many parts as rows, and each takes only its own.
        Table {
            caption: table.caption.clone(),
            columns: table.columns.clone(),
            sections: part.sections.into_iter().map(section).collect(),
            notes: table.notes.clone(),
            best_of: table.best_of.clone(),
            shaded_by: table.shaded_by,
            measure: table.measure.clone(),
        }
    };
    parts.into_iter().map(part).collect()
}

/// The content of one page.
#[derive(Clone, Default)]
struct RowsOfPart {
    /// Indices of the table's sections, each with the range of its rows.
    sections: Vec<(usize, Range<usize>)>,
    /// Height of its rows and section titles, in lines.
    rows: f64,
    /// Indices of the notes whose marks appear in it.
    notes: BTreeSet<usize>,
}

/// Splits the rows into parts, each filled up to a height of `lines`.
fn filled(table: &Table, measured: &PartHeights<'_>, lines: f64) -> Vec<RowsOfPart> {
    let notes = table.columns.iter().flat_map(|column| column.notes.iter().copied()).collect();
    let empty = RowsOfPart { notes, ..RowsOfPart::default() };
    let mut parts = Vec::new();
    let mut open = empty.clone();
    let mut heights = measured.rows.iter();
    for (number, section) in table.sections.iter().enumerate() {
        let title = lines_of_title(section.title.as_deref());
        let mut begun = false;
        for (at, row) in section.rows.iter().enumerate() {
            let own = heights.next().copied().unwrap_or(1.0);
            let of_row = row.iter().flat_map(|cell| cell.notes.iter().copied());
            let (rows, notes) = (own + if begun { 0.0 } else { title }, of_row.collect::<BTreeSet<usize>>());
            if open.rows > 0.0 && measured.lines(open.rows + rows, &(&open.notes | &notes), false) > lines {
                parts.push(std::mem::replace(&mut open, empty.clone()));
                begun = false;
            }
            if !begun {
                open.sections.push((number, at..at));
                open.rows += title;
                begun = true;
            }
            if let Some((_, rows)) = open.sections.last_mut() {
                rows.end = at + 1;
            }
            open.rows += own;
            open.notes.extend(notes);
        }
    }
    parts.push(open);
    parts
}

/// Heights of a table's parts, in lines of its type size.
struct PartHeights<'t> {
    table: &'t Table,
    /// Height of each row, in the order of the sections.
    rows: Vec<f64>,
    /// Width of each note on one line.
    notes: Vec<f64>,
    /// Available width of the notes.
    room: f64,
    /// Height of the caption and the headings.
    around: f64,
    /// Height of a page.
    page: f64,
}

impl<'t> PartHeights<'t> {
    fn of(table: &'t Table, setting: &TableSetting, height: f64) -> Self {
        let caption = (width(&table.caption, setting.points) / setting.room).ceil();
        let heads = setting.columns.iter().map(|column| column.head.len()).max().unwrap_or(1);
        let levels = table.columns.iter().map(|column| column.over.len()).max().unwrap_or(0);
        let notes = table.notes.iter().map(|note| width(&format!("{} {} ", note.mark, note.text), setting.points));
        Self {
            table,
            rows: table.rows().map(|row| lines_of_row(&table.columns, row, setting)).collect(),
            notes: notes.collect(),
            room: setting.room,
            around: caption + (heads + levels) as f64 + AROUND,
            page: height / (setting.points * LINE),
        }
    }

    /// Height of a part with `rows` lines of rows, including everything around them.
    fn lines(&self, rows: f64, notes: &BTreeSet<usize>, is_last: bool) -> f64 {
        let is_below = |at: usize| match self.table.notes[at].mark.as_str() {
            "" => is_last,
            _ => notes.contains(&at),
        };
        let notes: f64 = self.notes.iter().enumerate().filter(|(at, _)| is_below(*at)).map(|(_, width)| width).sum();
        rows + self.around + (notes / self.room).ceil()
    }
}

/// Height of a section's title or divider.
fn lines_of_title(title: Option<&str>) -> f64 {
    if title.is_some() { 1.3 } else { 0.3 }
}

fn lines_of_row(columns: &[Column], row: &[Cell], setting: &TableSetting) -> f64 {
    /// Wrapped lines are only partly full: the share of the width that text fills.
    const FILLED: f64 = 0.8;
    let wrapped = shown(columns).zip(&setting.columns).filter_map(|((at, _), column)| {
        column.wrapped.map(|room| (width(&row[at].text, setting.points) / (room * FILLED)).ceil())
    });
    /// Space between rows of several lines.
    const BETWEEN: f64 = 0.3;
    wrapped.fold(1.0, f64::max) + if setting.wraps() { BETWEEN } else { 0.0 }
}

/// Placement of a table, and its parts.
pub(super) struct TablePlan {
    pub layout: TableLayout,
    /// Whether LaTeX itself breaks it over pages (`longtable`).
    pub long: bool,
    pub parts: Vec<(Table, TableSetting)>,
}

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
        let height_of = |layout| if layout == TableLayout::Turned { room.page } else { room.height };
        // The settings that fit into the width, the most readable first.
        let mut narrow_enough = tries.iter().flat_map(|(layout, steps)| {
            let breadth = room.breadth(*layout);
            let settings = STEPS[..*steps].iter().map(move |step| TableSetting::by(table, *step, breadth, &room));
            settings.filter(move |setting| setting.width <= breadth).map(|setting| (*layout, setting))
        });
        let first = narrow_enough.next();
        // Smaller type on one page, with the notes below the marks, is easier to read than larger type on two.
        let is_on_one_page = |(layout, setting): &(TableLayout, TableSetting)| {
            setting.size <= FOOTNOTE && fits(table, setting, height_of(*layout), true)
        };
        let fitting = match first {
            Some(first) if !is_on_one_page(&first) => {
                let may_fit = may_fit(table, &room, room.sizes[FOOTNOTE]);
                let smaller = if may_fit { narrow_enough.find(is_on_one_page) } else { None };
                smaller.or_else(|| upright(table, paper, &first)).or(Some(first))
            }
            first => first,
        };
        let layout = fitting.as_ref().map_or_else(|| paper.layout.unwrap_or(TableLayout::Page), |(layout, _)| *layout);
        let wide: Vec<(Cow<'_, Table>, TableSetting)> = match fitting {
            Some((_, setting)) => vec![(Cow::Borrowed(table), setting)],
            None => {
                let columns = in_columns(table, room.breadth(layout), &room);
                columns.into_iter().map(|(table, setting)| (Cow::Owned(table), setting)).collect()
            }
        };
        let whole = |wide: Vec<(Cow<'_, Table>, TableSetting)>| {
            wide.into_iter().map(|(table, setting)| (table.into_owned(), setting)).collect()
        };
        let height = height_of(layout);
        let count = wide.len();
        let is_last = |at: usize| at + 1 == count;
        let all_fit = wide.iter().enumerate().all(|(at, (table, setting))| fits(table, setting, height, is_last(at)));
        if paper.bare || all_fit {
            return Self { layout, long: false, parts: whole(wide) };
        }
        // `longtable` works neither in two-column layout nor for tables in several parts; and its notes would come
        // after its end, pages away from their marks.
        let is_marked = || !table.referenced_notes().is_empty();
        if !room.has_columns() && count == 1 && layout != TableLayout::Turned && !is_marked() {
            return Self { layout, long: true, parts: whole(wide) };
        }
        let parts = wide.iter().enumerate().flat_map(|(at, (table, setting))| {
            let parts = in_rows(table, setting, height, is_last(at));
            parts.into_iter().map(move |part| (part, setting.clone()))
        });
        Self { layout, long: false, parts: parts.collect() }
    }
}

/// A long upright table instead of a rotated one in parts: it is easier to read.
fn upright(table: &Table, paper: &Paper, first: &(TableLayout, TableSetting)) -> Option<(TableLayout, TableSetting)> {
    let room = paper.room();
    if first.0 != TableLayout::Turned || paper.layout.is_some() || room.has_columns() {
        return None;
    }
    TableSetting::fitting(table, room.page, &room, &STEPS).map(|setting| (TableLayout::Page, setting))
}

/// Splits the columns into several parts, each with the columns that identify its rows.
fn in_columns(table: &Table, breadth: f64, room: &PageRoom) -> Vec<(Table, TableSetting)> {
    let all: Vec<usize> = shown(&table.columns).map(|(at, _)| at).collect();
    let named: Vec<usize> = all.iter().copied().filter(|at| table.columns[*at].role == Role::Key).collect();
    // A table with text columns only has no value columns: its first column identifies the row.
    let keys = if named.len() == all.len() { named[..named.len().min(1)].to_vec() } else { named };
    let with = |columns: &[usize]| {
        let part = only_columns(table, columns);
        let setting = TableSetting::fitting(&part, breadth, room, &STEPS);
        setting.map(|setting| (part, setting))
    };
    let mut parts: Vec<(Vec<usize>, (Table, TableSetting))> = Vec::new();
    let values: Vec<usize> = all.iter().copied().filter(|at| !keys.contains(at)).collect();
    for block in unbroken(table, &values, |columns| with(&[keys.as_slice(), columns].concat()).is_some()) {
        let longer = parts.last().map(|(columns, _)| [columns.as_slice(), &block].concat());
        if let Some((columns, part)) = longer.and_then(|columns| with(&columns).map(|part| (columns, part))) {
            parts.pop();
            parts.push((columns, part));
            continue;
        }
        let columns = [keys.as_slice(), &block].concat();
        // A block that does not fit is set as narrow as possible.
        let part = with(&columns).unwrap_or_else(|| {
            let part = only_columns(table, &columns);
            let setting = TableSetting::by(&part, STEPS[STEPS.len() - 1], breadth, room);
            (part, setting)
        });
        parts.push((columns, part));
    }
    // Sets all parts in the same type size.
    let size = parts.iter().map(|(_, (_, setting))| setting.size).max().unwrap_or(0);
    let first = STEPS.iter().position(|step| step.size >= size).unwrap_or(0);
    let alike = parts.into_iter().map(|(_, (part, setting))| {
        let setting = TableSetting::fitting(&part, breadth, room, &STEPS[first..]).unwrap_or(setting);
        (part, setting)
    });
    alike.collect()
}

/// Divides the columns into blocks that stay together: columns under one heading of the highest level if they fit side by
/// side, else those of the next level, down to a value with its ratios.
fn unbroken(table: &Table, columns: &[usize], fits: impl Fn(&[usize]) -> bool) -> Vec<Vec<usize>> {
    let deepest = columns.iter().map(|at| table.columns[*at].over.len()).max().unwrap_or(0);
    let mut blocks = vec![columns.to_vec()];
    for level in 1..=deepest {
        let divided = blocks.into_iter().flat_map(|block| match fits(&block) {
            true => vec![block],
            false => {
                let over = |at: &usize| table.columns[*at].over.get(..level.min(table.columns[*at].over.len()));
                block.chunk_by(|one, other| over(one) == over(other)).map(<[usize]>::to_vec).collect()
            }
        });
        blocks = divided.collect();
    }
    blocks.into_iter().flat_map(|block| if fits(&block) { vec![block] } else { singles(&block) }).collect()
}

fn singles(block: &[usize]) -> Vec<Vec<usize>> {
    block.iter().map(|at| vec![*at]).collect()
}

/// The table with only these columns, and those that trace its rows.
fn only_columns(table: &Table, columns: &[usize]) -> Table {
    let mut part = table.clone();
    for at in (0..table.columns.len()).rev() {
        if !columns.contains(&at) && table.columns[at].role != Role::Trace {
            part.remove_column(at);
        }
    }
    // Removes rows without a value in this part.
    let values: Vec<usize> = (0..part.columns.len()).filter(|at| part.columns[*at].role == Role::Value).collect();
    for section in part.sections.iter_mut().filter(|_| !values.is_empty()) {
        section.rows.retain(|row| values.iter().any(|at| !row[*at].text.is_empty()));
    }
    part.sections.retain(|section| !section.rows.is_empty());
    part
}

/// How a paper sets a table: what is around it, and its placement.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Paper {
    /// Comment lines at the top: the origin of the table.
    pub about: Vec<String>,
    /// The conclusions of the table, one sentence each: paragraphs before it in a standalone document, else comments.
    pub lead: Vec<String>,
    /// The label for cross-references.
    pub label: Option<String>,
    /// Whether the output is a complete document.
    pub standalone: bool,
    /// Whether the output is only the `tabular`; everything around it becomes comments.
    pub bare: bool,
    /// References to the sources, with the keys by which the table cites them.
    pub sources: Vec<(String, String)>,
    /// Whether the caption is already LaTeX code.
    pub raw_caption: bool,
    /// Keys of everything that the table cites.
    pub cite: Vec<String>,
    /// Name, without extension, of the bibliography file with these keys; a standalone document loads it.
    pub bibliography: Option<String>,
    /// The document class.
    pub class: DocumentClass,
    /// Text width in points, if it differs from the class's.
    pub width: Option<f64>,
    /// Placement of the table; `None` means wherever it fits.
    pub layout: Option<TableLayout>,
}

impl Paper {
    /// The space on its pages.
    pub(super) fn room(&self) -> PageRoom {
        let room = self.class.room();
        self.width.map_or(room, |width| room.of_width(width))
    }

    /// The keys to cite: those of the bibliography, else those of the sources.
    pub(super) fn keys(&self) -> Vec<String> {
        let of_sources = self.sources.iter().map(|(key, _)| key).filter(|_| self.cite.is_empty());
        self.cite.iter().chain(of_sources).map(|key| label_name(key)).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::{Paper, STEPS, *};
    use crate::render::table::content::TableNote;

    fn long(rows: usize, notes: usize) -> Table {
        let rows = (0..rows).map(|at| vec![Cell::from(at.to_string().as_str())]).collect();
        let note = TableNote { mark: String::new(), text: "What must be said of these numbers. ".repeat(10) };
        Table {
            columns: vec![Column::key("row", false)],
            sections: vec![Section { title: None, rows }],
            notes: vec![note; notes],
            ..Table::default()
        }
    }

    #[test]
    fn no_part_is_left_with_a_few_rows_and_the_notes_have_room() {
        let room = Paper::default().room();
        for (rows, notes) in [(30, 0), (30, 4), (100, 0), (100, 4), (200, 2)] {
            let table = long(rows, notes);
            let setting = TableSetting::by(&table, STEPS[0], room.page, &room);
            let parts = in_rows(&table, &setting, room.height, true);
            let counts: Vec<usize> = parts.iter().map(|part| part.rows().count()).collect();
            assert_eq!(counts.iter().sum::<usize>(), rows);
            let (least, most) = (counts.iter().min().expect("a part"), counts.iter().max().expect("a part"));
            assert!(least * 2 >= *most, "{rows} rows with {notes} notes: {counts:?}");
            assert!(parts.iter().enumerate().all(|(at, part)| fits(
                part,
                &setting,
                room.height,
                at + 1 == parts.len()
            )));
        }
    }

    #[test]
    fn each_part_leaves_room_for_the_notes_of_its_own_marks() {
        let room = Paper::default().room();
        let mut table = long(60, 0);
        // Every ten rows share a note of six lines.
        for (at, row) in table.sections[0].rows.iter_mut().enumerate() {
            row[0].notes.push(at / 10);
        }
        table.notes = (0..6).map(|at| TableNote { mark: at.to_string(), text: "a long note ".repeat(40) }).collect();
        let setting = TableSetting::by(&table, STEPS[0], room.page, &room);
        let parts = in_rows(&table, &setting, room.height, true);
        assert!(parts.len() > 1, "{} parts", parts.len());
        for (at, part) in parts.iter().enumerate() {
            assert!(fits(part, &setting, room.height, at + 1 == parts.len()), "part {at}");
            assert!(part.referenced_notes().len() < table.notes.len(), "part {at} has the notes of all");
        }
    }
}
