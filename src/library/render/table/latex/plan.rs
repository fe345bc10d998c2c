//! How a table is put on the pages of a class: in a column, over the page or turned, and in how many parts.

use std::borrow::Cow;

use super::paper::Paper;
use super::parts;
use super::setting::{FOOTNOTE, READABLE, STEPS, TableSetting, UNWRAPPED, shown};
use crate::render::table::content::{Role, Table};
use crate::values::{PageRoom, TableLayout};

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
            setting.size <= FOOTNOTE && parts::fits(table, setting, height_of(*layout), true)
        };
        let fitting = match first {
            Some(first) if !is_on_one_page(&first) => {
                let may_fit = parts::may_fit(table, &room, room.sizes[FOOTNOTE]);
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
        let all_fit =
            wide.iter().enumerate().all(|(at, (table, setting))| parts::fits(table, setting, height, is_last(at)));
        if paper.bare || all_fit {
            return Self { layout, long: false, parts: whole(wide) };
        }
        // A table that LaTeX breaks by itself has no place in a page of columns, nor among parts; and what its marks mean would
        // stand behind its end, pages away from them.
        let is_marked = || !table.carried_notes().is_empty();
        if !room.has_columns() && count == 1 && layout != TableLayout::Turned && !is_marked() {
            return Self { layout, long: true, parts: whole(wide) };
        }
        let parts = wide.iter().enumerate().flat_map(|(at, (table, setting))| {
            let parts = parts::in_rows(table, setting, height, is_last(at));
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
    // A row that has nothing in this part stands in another.
    let values: Vec<usize> = (0..part.columns.len()).filter(|at| part.columns[*at].role == Role::Value).collect();
    for section in part.sections.iter_mut().filter(|_| !values.is_empty()) {
        section.rows.retain(|row| values.iter().any(|at| !row[*at].text.is_empty()));
    }
    part.sections.retain(|section| !section.rows.is_empty());
    part
}
