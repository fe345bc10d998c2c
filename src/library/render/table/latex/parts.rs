//! A table in parts below each other, where a page is lower than the table. Below each part stands what its own marks mean, below
//! the last one also what is said of the whole.

use std::collections::BTreeSet;
use std::ops::Range;

use super::setting::{TableSetting, shown};
use super::width::width;
use crate::render::table::content::{Cell, Column, Section, Table};
use crate::values::PageRoom;

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

/// What stands on one page.
#[derive(Clone, Default)]
struct RowsOfPart {
    /// Sections of the table by their numbers, each with which of its rows.
    sections: Vec<(usize, Range<usize>)>,
    /// The lines of its rows and their titles.
    rows: f64,
    /// The notes whose marks stand in it.
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

    /// The lines of a part of so many lines of rows with all that stands around them.
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

#[cfg(test)]
mod tests {
    use super::super::paper::Paper;
    use super::super::setting::STEPS;
    use super::*;
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
