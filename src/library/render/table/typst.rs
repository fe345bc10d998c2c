//! Tables in Typst: a figure with a caption, numbers at the right, rules as books have them.

use super::content::{Cell, Column, MUTED, Table, TableNote};
use super::write::{TableWriter, spanners};
use crate::values::text::printable;

pub(super) struct Typst {
    columns: usize,
}

impl Typst {
    pub(super) fn of(table: &Table) -> Self {
        Self { columns: table.columns.len() }
    }
}

/// What is ranked with nothing: grey that can be read.
const GREY: &str = "#text(fill: luma(45%))";

impl TableWriter for Typst {
    fn open(&self, table: &Table) -> String {
        let align = |column: &Column| if column.numeric { "right" } else { "left" };
        let align: Vec<&str> = table.columns.iter().map(align).collect();
        format!(
            "#figure(\n  kind: table,\n  caption: [{}],\n  table(\n    columns: {},\n    align: ({},),\n    stroke: none,\n    table.hline(),\n",
            escaped(&table.caption),
            self.columns,
            align.join(", ")
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
        let cells: Vec<String> = row.iter().map(|cell| format!("[{}]", shown(cell, notes))).collect();
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
        legend.extend(table.legend().map(|note| format!("{}{}", raised(&note.mark), escaped(&note.text))));
        let end = "    table.hline(),\n  ),\n)\n";
        match legend.is_empty() {
            true => end.to_owned(),
            false => format!("{end}#block[#set text(size: 0.8em)\n{}\n]\n", legend.join(" \\\n")),
        }
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

/// Text without meaning for Typst: every sign of its markup is escaped.
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
