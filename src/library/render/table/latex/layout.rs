//! How a table fits the pages of a class: font size and column widths, column, page or turned page, and parts below each other.

use std::borrow::Cow;
use std::collections::BTreeSet;
use std::ops::Range;

use super::escaping::{BOLD, label_name, marks_of, number, raised_points, widest_piece, width};
use crate::render::table::content::spanners;
use crate::render::table::content::{Cell, Column, Role, Section, Table, TableNote};
use crate::values::{DocumentClass, PageRoom, TableLayout};

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
pub(super) struct TableSetting {
    /// Of `\normalsize`, `\small`, `\footnotesize`, `\scriptsize`.
    pub size: usize,
    /// The same in points.
    pub points: f64,
    pub gap: f64,
    pub columns: Vec<ColumnSetting>,
    /// How wide the table is.
    pub width: f64,
    /// How wide it may be.
    pub room: f64,
}

/// A way to make a table narrower.
#[derive(Debug, Clone, Copy)]
pub(super) struct NarrowingStep {
    pub size: usize,
    gap: f64,
    /// Whether headings have several lines.
    stacked: bool,
    /// Whether texts are wrapped.
    wrapped: bool,
}

/// From the most readable to the narrowest.
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

/// The place of `\footnotesize` among the sizes.
pub(super) const FOOTNOTE: usize = 2;

/// The steps that wrap no text, and those that leave type as large as a footnote.
pub(super) const UNWRAPPED: usize = 5;

pub(super) const READABLE: usize = 7;

impl TableSetting {
    /// Whether cells have several lines.
    pub fn wraps(&self) -> bool {
        self.columns.iter().any(|column| column.wrapped.is_some())
    }

    /// Whether the title of a section is no wider than the table.
    pub fn title_fits(&self, title: &str) -> bool {
        width(title, self.points) <= self.width
    }

    /// The most readable setting in which a table is no wider than it may be.
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
    width(&marks_of(&cell.notes, notes).join(","), raised_points(size))
}

/// A heading in one line, or in as many as it needs to be no wider than what is below it.
fn heading_lines(column: &Column, notes: &[TableNote], size: f64, below: f64, stacked: bool) -> Vec<String> {
    let title = column.own_title();
    if !stacked {
        return vec![title];
    }
    // Blanks that hold words together do.
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

/// The columns that are set; the others are remarks behind their rows.
pub(super) fn shown(columns: &[Column]) -> impl Iterator<Item = (usize, &Column)> {
    columns.iter().enumerate().filter(|(_, column)| column.role != Role::Trace)
}

/// A line of type is higher than its size, rules and blanks around them included.
const LINE: f64 = 1.22;

/// Lines that rules, the caption's blanks and the float's take, and what bold and grey mean.
const AROUND: f64 = 6.0;

/// Whether a table is no higher than its page.
pub(super) fn fits(table: &Table, setting: &TableSetting, height: f64, is_last: bool) -> bool {
    let measured = PartHeights::of(table, setting, height);
    let rows: f64 = measured.rows.iter().sum();
    let titles: f64 = table.sections.iter().map(|section| lines_of_title(section.title.as_deref())).sum();
    measured.lines(rows + titles, &table.carried_notes(), is_last) <= measured.page
}

/// Whether a table may be no higher than a page in type of so many points: one with more rows than lines is not measured further.
pub(super) fn may_fit(table: &Table, room: &PageRoom, points: f64) -> bool {
    table.rows().count() as f64 <= room.height.max(room.page) / (points * LINE)
}

/// The table in as few parts as pages of that height need, all about equally high.
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
        // All but the rows: there may be as many parts as rows, and each takes its own.
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

/// What is on one page.
#[derive(Clone, Default)]
struct RowsOfPart {
    /// Sections of the table by their numbers, each with which of its rows.
    sections: Vec<(usize, Range<usize>)>,
    /// The lines of its rows and their titles.
    rows: f64,
    /// The notes whose marks are in it.
    notes: BTreeSet<usize>,
}

/// The rows in parts, each filled until so many lines have no room left.
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

/// How high the parts of a table are, in lines of its size.
struct PartHeights<'t> {
    table: &'t Table,
    /// The lines of each row, in the order of the sections.
    rows: Vec<f64>,
    /// How wide each note is in one line.
    notes: Vec<f64>,
    /// How wide the lines of notes may be.
    room: f64,
    /// The lines of the caption and the headings.
    around: f64,
    /// The lines of a page.
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

    /// The lines of a part of so many lines of rows with all that is around them.
    fn lines(&self, rows: f64, notes: &BTreeSet<usize>, is_last: bool) -> f64 {
        let is_below = |at: usize| match self.table.notes[at].mark.as_str() {
            "" => is_last,
            _ => notes.contains(&at),
        };
        let notes: f64 = self.notes.iter().enumerate().filter(|(at, _)| is_below(*at)).map(|(_, width)| width).sum();
        rows + self.around + (notes / self.room).ceil()
    }
}

/// The lines of what divides sections.
fn lines_of_title(title: Option<&str>) -> f64 {
    if title.is_some() { 1.3 } else { 0.3 }
}

fn lines_of_row(columns: &[Column], row: &[Cell], setting: &TableSetting) -> f64 {
    /// Wrapped words leave the ends of lines empty.
    const FILLED: f64 = 0.8;
    let wrapped = shown(columns).zip(&setting.columns).filter_map(|((at, _), column)| {
        column.wrapped.map(|room| (width(&row[at].text, setting.points) / (room * FILLED)).ceil())
    });
    /// The blank between rows of several lines.
    const BETWEEN: f64 = 0.3;
    wrapped.fold(1.0, f64::max) + if setting.wraps() { BETWEEN } else { 0.0 }
}

/// Where a table stands, and its parts.
pub(super) struct TablePlan {
    pub layout: TableLayout,
    /// Whether it is broken over pages by LaTeX itself.
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
        // The settings that are no wider than they may be, the most readable first.
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
        // A table that LaTeX breaks by itself has no place in a page of columns, nor among parts; and what its marks mean would
        // are behind its end, pages away from them.
        let is_marked = || !table.carried_notes().is_empty();
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

/// A long table upright in the place of one that would be turned and in parts: it is easier to read.
fn upright(table: &Table, paper: &Paper, first: &(TableLayout, TableSetting)) -> Option<(TableLayout, TableSetting)> {
    let room = paper.room();
    if first.0 != TableLayout::Turned || paper.layout.is_some() || room.has_columns() {
        return None;
    }
    TableSetting::fitting(table, room.page, &room, &STEPS).map(|setting| (TableLayout::Page, setting))
}

/// The table in parts beside each other, each with the columns that name its rows.
fn in_columns(table: &Table, breadth: f64, room: &PageRoom) -> Vec<(Table, TableSetting)> {
    let all: Vec<usize> = shown(&table.columns).map(|(at, _)| at).collect();
    let named: Vec<usize> = all.iter().copied().filter(|at| table.columns[*at].role == Role::Key).collect();
    // A table of texts alone has no columns of values: its first column names the row.
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
        // What fits nowhere is set as narrow as it can be.
        let part = with(&columns).unwrap_or_else(|| {
            let part = only_columns(table, &columns);
            let setting = TableSetting::by(&part, STEPS[STEPS.len() - 1], breadth, room);
            (part, setting)
        });
        parts.push((columns, part));
    }
    // All parts in one size of type.
    let size = parts.iter().map(|(_, (_, setting))| setting.size).max().unwrap_or(0);
    let first = STEPS.iter().position(|step| step.size >= size).unwrap_or(0);
    let alike = parts.into_iter().map(|(_, (part, setting))| {
        let setting = TableSetting::fitting(&part, breadth, room, &STEPS[first..]).unwrap_or(setting);
        (part, setting)
    });
    alike.collect()
}

/// The columns in blocks that no break divides: those under one heading of the highest level as far as they fit beside each
/// other, else those of the next level, a value with its ratios at last.
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

/// The table with these columns, and those that trace its rows.
fn only_columns(table: &Table, columns: &[usize]) -> Table {
    let mut part = table.clone();
    for at in (0..table.columns.len()).rev() {
        if !columns.contains(&at) && table.columns[at].role != Role::Trace {
            part.remove_column(at);
        }
    }
    // A row that has nothing in this part is in another.
    let values: Vec<usize> = (0..part.columns.len()).filter(|at| part.columns[*at].role == Role::Value).collect();
    for section in part.sections.iter_mut().filter(|_| !values.is_empty()) {
        section.rows.retain(|row| values.iter().any(|at| !row[*at].text.is_empty()));
    }
    part.sections.retain(|section| !section.rows.is_empty());
    part
}

/// What a paper says around a table, and on which pages it stands.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Paper {
    /// What is in comments at the top: where the table is from.
    pub about: Vec<String>,
    /// What the table comes to, a sentence each: paragraphs before it in a document of its own, else comments.
    pub lead: Vec<String>,
    /// The label, after the caption.
    pub label: Option<String>,
    /// Whether the table comes as a whole document.
    pub standalone: bool,
    /// Whether the tabular comes alone: what is around it is in comments.
    pub bare: bool,
    /// The sources in words, by the keys that the table cites.
    pub sources: Vec<(String, String)>,
    /// Whether the caption is LaTeX already.
    pub raw_caption: bool,
    /// The keys of all that the table cites.
    pub cite: Vec<String>,
    /// The name of the file that holds their entries, without its ending; a document of its own reads it.
    pub bibliography: Option<String>,
    /// The class of the document.
    pub class: DocumentClass,
    /// The width of its text in points, where it is not that of the class.
    pub width: Option<f64>,
    /// Where on a page the table stands; nothing is where it fits.
    pub layout: Option<TableLayout>,
}

impl Paper {
    /// The room on its pages.
    pub(super) fn room(&self) -> PageRoom {
        let room = self.class.room();
        self.width.map_or(room, |width| room.of_width(width))
    }

    /// The keys that are cited: those of a bibliography, else those of the sources.
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
        // Each ten rows have a note of six lines.
        for (at, row) in table.sections[0].rows.iter_mut().enumerate() {
            row[0].notes.push(at / 10);
        }
        table.notes = (0..6).map(|at| TableNote { mark: at.to_string(), text: "a long note ".repeat(40) }).collect();
        let setting = TableSetting::by(&table, STEPS[0], room.page, &room);
        let parts = in_rows(&table, &setting, room.height, true);
        assert!(parts.len() > 1, "{} parts", parts.len());
        for (at, part) in parts.iter().enumerate() {
            assert!(fits(part, &setting, room.height, at + 1 == parts.len()), "part {at}");
            assert!(part.carried_notes().len() < table.notes.len(), "part {at} has the notes of all");
        }
    }
}
