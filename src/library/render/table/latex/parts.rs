//! A table in parts below each other, where a page is lower than the table.

use super::setting::{TableSetting, shown};
use super::width::width;
use crate::render::table::content::{Cell, Column, Section, Table};

/// A line of type is higher than its size, rules and blanks around them included.
const LINE: f64 = 1.22;
/// Lines that rules, the caption's blanks and the float's take.
const AROUND: f64 = 6.0;

/// Whether a table is no higher than its page; its notes stand below the last part alone.
pub(super) fn fits(table: &Table, setting: &TableSetting, height: f64, is_last: bool) -> bool {
    let rows: f64 = table.rows().map(|row| lines_of_row(&table.columns, row, setting)).sum();
    let titles = table.sections.iter().map(|section| if section.title.is_some() { 1.3 } else { 0.3 }).sum::<f64>();
    rows + titles + lines_around(table, setting, is_last) <= lines_on(setting, height)
}

/// The table in as few parts as pages of that height need, all about equally high.
pub(super) fn in_rows(table: &Table, setting: &TableSetting, height: f64, is_last: bool) -> Vec<Table> {
    let lines = lines_on(setting, height);
    let each = lines - lines_around(table, setting, false);
    // Below the last part stand the notes.
    let last = lines - lines_around(table, setting, is_last);
    let mut parts = filled(table, setting, each);
    let over = parts.last().is_some_and(|part| part.lines > last);
    let count = parts.len() + usize::from(over);
    let all: f64 = parts.iter().map(|part| part.lines).sum();
    let mut room = (all / count as f64).max(1.0);
    while room < each {
        let even = filled(table, setting, room);
        if even.len() <= count && even.last().is_some_and(|part| part.lines <= last) {
            parts = even;
            break;
        }
        room += 1.0;
    }
    parts.into_iter().map(|part| Table { sections: part.sections, ..table.clone() }).collect()
}

/// What stands on one page.
#[derive(Default)]
struct RowsOfPart {
    sections: Vec<Section>,
    lines: f64,
}

/// The rows in parts, each filled until it has no room left.
fn filled(table: &Table, setting: &TableSetting, room: f64) -> Vec<RowsOfPart> {
    let mut parts = vec![RowsOfPart::default()];
    for section in &table.sections {
        let title = if section.title.is_some() { 1.0 } else { 0.3 };
        let mut begun = false;
        for row in &section.rows {
            let needs = lines_of_row(&table.columns, row, setting);
            if parts.last().is_some_and(|part| part.lines + needs + title > room && part.lines > 0.0) {
                parts.push(RowsOfPart::default());
                begun = false;
            }
            let Some(part) = parts.last_mut() else { continue };
            if !begun {
                part.sections.push(Section { title: section.title.clone(), rows: Vec::new() });
                part.lines += title;
                begun = true;
            }
            if let Some(open) = part.sections.last_mut() {
                open.rows.push(row.clone());
            }
            part.lines += needs;
        }
    }
    parts
}

/// How many lines of a table's size a page has.
fn lines_on(setting: &TableSetting, height: f64) -> f64 {
    height / (setting.points * LINE)
}

/// The lines of the caption and the headings, and of the notes where they stand there.
fn lines_around(table: &Table, setting: &TableSetting, has_notes: bool) -> f64 {
    let lines = |text: &str| (width(text, setting.points) / setting.room).ceil();
    let heads = setting.columns.iter().map(|column| column.head.len()).max().unwrap_or(1);
    let levels = table.columns.iter().map(|column| column.over.len()).max().unwrap_or(0);
    let notes = table.notes.iter().filter(|_| has_notes).map(|note| format!("{} {} ", note.mark, note.text));
    lines(&table.caption) + lines(&notes.collect::<String>()) + (heads + levels) as f64 + AROUND
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
}
