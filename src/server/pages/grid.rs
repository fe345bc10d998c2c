//! Tables on a page, with headings that sort, cells that link, and a scrolling frame.

use maud::{Markup, html};

use dlbench::render::table::{Cell, Column, Role, Table, spanners};

/// A heading that sorts the rows of a table.
pub(super) struct HeadLink {
    /// The address of the sorted rows.
    pub address: String,
    /// Whether the rows are sorted by it, and then whether in descending order.
    pub sorted: Option<bool>,
}

/// The links of a table's headings and cells.
pub(super) struct Links<'l> {
    /// The link of a heading.
    pub head: &'l dyn Fn(&Column) -> Option<HeadLink>,
    /// The address of the thing that a cell names.
    pub cell: &'l dyn Fn(&Column, &Cell) -> Option<String>,
}

impl Links<'_> {
    /// Links for cells only.
    pub fn of_cells<'l>(cell: &'l dyn Fn(&Column, &Cell) -> Option<String>) -> Links<'l> {
        Links { head: &|_| None, cell }
    }
}

/// Reorders the columns by importance: subjects, values and ids; then the settings that a narrow terminal drops first,
/// and rarely stated ones. The frame scrolls, and users overlook columns far to the right.
pub(super) fn reorder_columns(mut table: Table) -> Table {
    let rows = table.rows().count();
    let stated = |at: usize| table.rows().filter(|row| !row[at].text.is_empty()).count();
    let mut order: Vec<(u8, u8, usize)> = table
        .columns
        .iter()
        .enumerate()
        .filter(|(at, _)| stated(*at) > 0)
        .map(|(at, column)| {
            let is_rare = 2 * stated(at) < rows;
            let is_subject = matches!(column.heading.as_str(), "device" | "network");
            let part = match (column.role, column.drop_rank) {
                (Role::Key, None) if is_subject => 0,
                (Role::Key, None) => 1,
                (Role::Value, _) if !is_rare => 2,
                (Role::Trace | Role::Origin, _) => 3,
                _ => 4,
            };
            let last_to_go = column.drop_rank.map_or(0, |rank| u8::MAX - rank);
            (part, if part == 4 { last_to_go } else { 0 }, at)
        })
        .collect();
    order.sort_unstable();
    let places: Vec<usize> = order.into_iter().map(|(.., at)| at).collect();
    for row in table.sections.iter_mut().flat_map(|section| &mut section.rows) {
        *row = places.iter().map(|at| row[*at].clone()).collect();
    }
    table.columns = places.iter().map(|at| table.columns[*at].clone()).collect();
    table
}

/// A table with its legend.
pub(super) fn drawn(table: &Table, links: &Links<'_>) -> Markup {
    let columns: Vec<&Column> = table.columns.iter().collect();
    let row_heading = columns.iter().position(|column| column.role == Role::Key && !column.numeric);
    html! {
        div.frame tabindex="0" {
            table {
                @if !table.caption.is_empty() { caption { (table.caption) } }
                thead {
                    @for level in spanners(&columns) {
                        tr {
                            @for (over, count) in level {
                                @if over.is_empty() { td colspan=(count) {} } @else { th scope="colgroup" colspan=(count) { (over) } }
                            }
                        }
                    }
                    tr { @for column in &columns { (head(column, table, links)) } }
                }
                @for section in &table.sections {
                    tbody {
                        @if let Some(title) = &section.title { tr { th scope="rowgroup" colspan=(columns.len()) { (title) } } }
                        @for row in &section.rows {
                            tr {
                                @for (at, (column, cell)) in columns.iter().zip(row).enumerate() {
                                    @if row_heading == Some(at) && !cell.text.is_empty() {
                                        th scope="row" { (inner(column, cell, table, links)) }
                                    } @else {
                                        td class=[class(column, cell)] { (inner(column, cell, table, links)) }
                                    }
                                }
                            }
                        }
                    }
                }
            }
        }
        (legend(table))
    }
}

fn head(column: &Column, table: &Table, links: &Links<'_>) -> Markup {
    let link = (links.head)(column);
    let order = link.as_ref().and_then(|link| link.sorted);
    let order = order.map(|largest_first| if largest_first { "descending" } else { "ascending" });
    let class = column.numeric.then_some("number");
    let title = column.own_title();
    let marks = html! { @for note in &column.notes { sup { (table.notes[*note].mark) } } };
    html! {
        // An empty heading cell would confuse screen readers.
        @if title.is_empty() { td {} }
        @else if let Some(link) = link {
            th scope="col" class=[class] aria-sort=[order] { a href=(link.address) rel="nofollow" { (title) } (marks) }
        } @else {
            th scope="col" class=[class] { (title) (marks) }
        }
    }
}

/// Shade levels per step of a cell's background.
const STEP: u8 = 6;

fn class(column: &Column, cell: &Cell) -> Option<String> {
    let number = column.numeric.then(|| "number".to_owned());
    let muted = cell.muted.then(|| "quiet".to_owned());
    let shade = (cell.shade > 0).then(|| format!("shade{}", cell.shade.div_ceil(STEP)));
    let whole = column.whole.then(|| "whole".to_owned());
    let classes: Vec<String> = [number, muted, shade, whole].into_iter().flatten().collect();
    (!classes.is_empty()).then(|| classes.join(" "))
}

fn inner(column: &Column, cell: &Cell, table: &Table, links: &Links<'_>) -> Markup {
    let address = (links.cell)(column, cell).filter(|_| !cell.text.is_empty());
    let text = html! { @if cell.best { strong { (cell.text) } } @else { (cell.text) } };
    html! {
        @if let Some(address) = address { a href=(address) { (text) } } @else { (text) }
        (cell.spread)
        @for note in &cell.notes { sup { (table.notes[*note].mark) } }
    }
}

fn legend(table: &Table) -> Markup {
    let notes: Vec<_> = table.legend().collect();
    let has_any = !notes.is_empty() || table.marks_best() || table.mutes_some() || table.shades_some();
    html! {
        @if has_any {
            ul.legend {
                @if table.marks_best() { li { strong { "Bold" } ": " (table.best_of) } }
                @for note in notes { li { @if !note.mark.is_empty() { sup { (note.mark) } " " } (note.text) } }
                @if table.mutes_some() { li { span.quiet { "Grey" } ": ranked with no other value" } }
                @if table.shades_some() { li { "Shaded: " (table.shaded_by) } }
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use dlbench::render::table::Section;

    #[test]
    fn values_stand_before_settings_that_few_rows_state() {
        let columns = vec![
            Column { drop_rank: Some(7), ..Column::key("label", false) },
            Column { drop_rank: Some(13), ..Column::key("division", false) },
            Column::key("device", false),
            Column { role: Role::Value, ..Column::key("power", true) },
            Column { role: Role::Value, ..Column::key("speed", true) },
            Column { role: Role::Trace, drop_rank: Some(0), ..Column::key("id", false) },
        ];
        let row = |texts: [&str; 6]| texts.map(Cell::from).to_vec();
        let rows = vec![
            row(["a", "b", "c", "", "1", "x:1"]),
            row(["", "", "c", "", "2", "x:2"]),
            row(["", "", "c", "9", "2", "x:3"]),
        ];
        let table =
            reorder_columns(Table { columns, sections: vec![Section { title: None, rows }], ..Table::default() });
        let headings: Vec<&str> = table.columns.iter().map(|column| column.heading.as_str()).collect();
        assert_eq!(headings, ["device", "speed", "id", "power", "division", "label"]);
        assert_eq!(table.sections[0].rows[0][1].text, "1");
    }

    #[test]
    fn cells_and_headings_lead_where_they_should_and_texts_are_escaped() {
        let cell = |text: &str| Cell::from(text);
        let rows = vec![vec![cell("a:1"), Cell { muted: true, shade: 9, ..cell("<1>") }]];
        let columns = vec![Column::key("id", false), Column::key("", true)];
        let table = Table { columns, sections: vec![Section { title: None, rows }], ..Table::default() };
        let head = |column: &Column| {
            (column.heading == "id").then(|| HeadLink { address: "/sorted".to_owned(), sorted: Some(true) })
        };
        let address = |_: &Column, cell: &Cell| (cell.text == "a:1").then(|| "/a".to_owned());
        let text = drawn(&table, &Links { head: &head, cell: &address }).into_string();
        assert!(text.contains(
            r#"<th scope="col" aria-sort="descending"><a href="/sorted" rel="nofollow">id</a></th><td></td>"#
        ));
        assert!(
            text.contains(r#"<th scope="row"><a href="/a">a:1</a></th><td class="number quiet shade2">&lt;1&gt;</td>"#)
        );
        assert!(!text.contains("style="), "{text}");
    }
}
