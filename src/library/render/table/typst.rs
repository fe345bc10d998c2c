//! Tables in Typst: a figure with a caption, right-aligned numbers, and booktabs-style rules.

use super::content::{Cell, Column, MUTED, Table, TableNote};
use super::content::{TableWriter, spanners};
use crate::values::text::printable;

/// Text width in points of an A4 page with Typst's default margins.
const PAGE: f64 = 453.0;
/// Default type size, and the smallest readable in print, in points.
const USUAL: f64 = 10.0;
const SMALLEST: f64 = 6.0;
/// Space at the sides of a column in points, and the average width of a character in em.
const SIDES: f64 = 6.0;
const CHARACTER: f64 = 0.5;

pub(super) struct Typst {
    columns: usize,
    /// Type size as a share of the document's.
    share: f64,
}

impl Typst {
    pub(super) fn of(table: &Table) -> Self {
        // Longer texts are wrapped.
        const WRAPPED: usize = 20;
        let longest = |at: usize, column: &Column| {
            let of_cell = |cell: &Cell| cell.text.chars().count() + cell.spread.chars().count() + cell.notes.len();
            let cells = table.rows().map(|row| of_cell(&row[at]));
            let words = column.heading.split_whitespace().map(|word| word.chars().count());
            cells.chain(words).max().unwrap_or(1).min(WRAPPED)
        };
        let widths = table.columns.iter().enumerate().map(|(at, column)| longest(at, column) as f64);
        let gaps = SIDES * table.columns.len() as f64;
        let size = (PAGE - gaps) / (widths.sum::<f64>() * CHARACTER);
        Self { columns: table.columns.len(), share: size.clamp(SMALLEST, USUAL) / USUAL }
    }
}

/// Colour of unranked values: a readable grey.
const GREY: &str = "#text(fill: luma(45%))";

impl TableWriter for Typst {
    fn open(&self, table: &Table) -> String {
        let align = |column: &Column| if column.numeric { "right" } else { "left" };
        let align: Vec<&str> = table.columns.iter().map(align).collect();
        format!(
            // A table longer than its page continues on the next one, with its headings repeated.
            "#[\n#show figure: set block(breakable: true)\n#show table: set text(size: {:.2}em)\n#figure(\n  kind: table,\n  caption: [{}],\n  table(\n    columns: {},\n    align: ({},),\n    inset: (x: {}pt, y: 3pt),\n    stroke: none,\n    table.hline(),\n",
            self.share,
            escaped(&table.caption),
            self.columns,
            align.join(", "),
            SIDES / 2.0
        )
    }

    fn header(&self, table: &Table) -> String {
        let columns: Vec<&Column> = table.columns.iter().collect();
        let mut cells = String::new();
        for level in spanners(&columns) {
            for (over, count) in level {
                cells.push_str(&format!("      table.cell(colspan: {count}, align: center)[{}],\n", escaped(over)));
            }
        }
        for column in columns {
            let heading = escaped(&column.own_title()) + &marks(&column.notes, &table.notes);
            cells.push_str(&format!("      [{heading}],\n"));
        }
        format!("    table.header(\n{cells}    ),\n    table.hline(stroke: 0.5pt),\n")
    }

    fn section(&self, title: Option<&str>, at: usize, _: &[Column]) -> String {
        let rule = if at == 0 { "" } else { "    table.hline(stroke: 0.5pt),\n" };
        let title =
            title.map(|title| format!("    table.cell(colspan: {})[#emph[{}]],\n", self.columns, escaped(title)));
        rule.to_owned() + &title.unwrap_or_default()
    }

    fn row(&self, _: &[Column], row: &[Cell], notes: &[TableNote]) -> String {
        let cells: Vec<String> = row.iter().map(|cell| format!("{}[{}]", ground(cell), shown(cell, notes))).collect();
        format!("    {},\n", cells.join(", "))
    }

    fn close(&self, table: &Table) -> String {
        let mut legend: Vec<String> = Vec::new();
        if table.marks_best() {
            legend.push(format!("#strong[Bold]: {}", escaped(&table.best_of)));
        }
        if table.mutes_some() {
            legend.push(format!("{GREY}[Grey]: {MUTED}"));
        }
        if table.shades_some() {
            legend.push(format!("Shaded: {}", escaped(table.shaded_by)));
        }
        legend.extend(table.legend().map(|note| format!("{}{}", raised(&note.mark), escaped(&note.text))));
        let end = "    table.hline(),\n  ),\n)\n";
        match legend.is_empty() {
            true => format!("{end}]\n"),
            false => format!("{end}#block[#set text(size: 0.8em)\n{}\n]\n]\n", legend.join(" \\\n")),
        }
    }
}

/// The cell's background.
fn ground(cell: &Cell) -> String {
    match cell.shade {
        0 => String::new(),
        shade => format!("table.cell(fill: luma({}%))", 100 - shade),
    }
}

fn shown(cell: &Cell, notes: &[TableNote]) -> String {
    let text = format!("{}{}{}", escaped(&cell.text), escaped(&cell.spread), marks(&cell.notes, notes));
    match (cell.text.is_empty(), cell.best, cell.muted) {
        (false, true, _) => format!("#strong[{text}]"),
        (false, false, true) => format!("{GREY}[{text}]"),
        _ => text,
    }
}

fn marks(notes: &[usize], all: &[TableNote]) -> String {
    notes.iter().map(|note| raised(&all[*note].mark)).collect()
}

fn raised(mark: &str) -> String {
    if mark.is_empty() { String::new() } else { format!("#super[{}]", escaped(mark)) }
}

/// Escapes every character of Typst's markup.
pub fn escaped(text: &str) -> String {
    let mut safe = String::new();
    for c in printable(text).chars() {
        match c {
            '\n' => safe.push(' '),
            '\\' | '#' | '$' | '*' | '_' | '`' | '<' | '>' | '@' | '[' | ']' | '~' | '"' | '\'' | '/' | '-' | '='
            | '+' | '.' | ':' => safe.extend(['\\', c]),
            c => safe.push(c),
        }
    }
    safe
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn hostile_text_has_no_meaning() {
        assert_eq!(escaped("#eval(\"1\") [x] // $a$"), "\\#eval(\\\"1\\\") \\[x\\] \\/\\/ \\$a\\$");
        assert_eq!(escaped("1. a - b @c"), "1\\. a \\- b \\@c");
    }
}
