//! A grid as text, Markdown, CSV or JSON.

use comfy_table::{Attribute, Cell, CellAlignment, ColumnConstraint, ContentArrangement, Table, Width, presets};
use serde_json::{Map, Value};

use super::super::Format;
use super::super::failure::Failure;
use crate::values::text::printable;
use crate::values::{Grid, GridColumn};

/// Draws a grid in any format; `title` and `width` are for people.
pub(in crate::cli) fn draw(grid: &Grid, format: Format, width: usize) -> Result<String, Failure> {
    match format {
        Format::Table => Ok(text(grid, width)),
        Format::Markdown => Ok(markdown(grid)),
        Format::Csv => csv(grid),
        Format::Json => {
            let rows: Vec<Value> = grid.rows.iter().map(|row| object(&grid.columns, row)).collect();
            Ok(super::json(&rows)?)
        }
    }
}

/// A table without lines: a bold header, columns two blanks apart, wrapped to `width`.
pub(in crate::cli) fn text(grid: &Grid, width: usize) -> String {
    let mut table = Table::new();
    table
        .load_style(presets::NOTHING)
        .set_content_arrangement(ContentArrangement::Dynamic)
        .set_width(u16::try_from(width).unwrap_or(u16::MAX))
        .enforce_styling()
        .style_text_only();
    table.set_header(grid.columns.iter().map(|column| Cell::new(&column.heading).add_attribute(Attribute::Bold)));
    for row in &grid.rows {
        table.add_row(row.iter().map(|cell| Cell::new(printable(cell))));
    }
    let last = grid.columns.len().saturating_sub(1);
    let least = least_widths(grid, width);
    for (at, column) in grid.columns.iter().enumerate() {
        if let Some(drawn) = table.column_mut(at) {
            let padding = if at == last { 0 } else { 2 };
            drawn.set_padding((0, padding));
            drawn.set_constraint(ColumnConstraint::LowerBoundary(Width::Fixed(least[at] as u16 + padding)));
            if column.numeric {
                drawn.set_cell_alignment(CellAlignment::Right);
            }
        }
    }
    let mut drawn = String::new();
    for line in table.to_string().lines() {
        drawn.push_str(line.trim_end());
        drawn.push('\n');
    }
    drawn
}

/// The grid without those of the columns in `give_way` (the first one first) that find no room in `width`.
pub(in crate::cli) fn fitted(mut grid: Grid, width: usize, give_way: &[&str]) -> Grid {
    // A text of this length may be wrapped without harm.
    const WRAPPED: usize = 20;
    let needed = |grid: &Grid| -> usize {
        let columns = grid.columns.iter().enumerate().map(|(at, column)| {
            let cells = grid.rows.iter().map(|row| match column.numeric || at == 0 {
                true => row[at].chars().count(),
                false => row[at].chars().count().min(WRAPPED),
            });
            cells.max().unwrap_or(0).max(least_width(&column.heading, false)) + 2
        });
        columns.sum()
    };
    for heading in give_way {
        if needed(&grid) <= width + 2 {
            break;
        }
        if let Some(at) = grid.columns.iter().position(|column| column.heading == *heading) {
            grid.remove_column(at);
        }
    }
    grid
}

/// Columns that each column of the grid needs at least: a number is never broken in two, nor is a word of a sensible
/// length, and what a row is about keeps its line; but all of this gives way to the width.
fn least_widths(grid: &Grid, width: usize) -> Vec<usize> {
    let mut least: Vec<usize> = Vec::new();
    for (at, column) in grid.columns.iter().enumerate() {
        let cells = grid.rows.iter().map(|row| least_width(&row[at], column.numeric));
        let mut needed = cells.max().unwrap_or(0).max(least_width(&column.heading, false));
        if at == 0 {
            let widest = grid.rows.iter().map(|row| row[0].chars().count()).max().unwrap_or(0);
            needed = needed.max(widest.min(width / 3));
        }
        least.push(needed.max(1));
    }
    let gaps = 2 * least.len().saturating_sub(1);
    while least.iter().sum::<usize>() + gaps > width {
        let texts = least.iter().enumerate().filter(|(at, needed)| **needed > 4 && !grid.columns[*at].numeric);
        let widest = texts
            .max_by_key(|(_, needed)| **needed)
            .or_else(|| least.iter().enumerate().filter(|(_, needed)| **needed > 4).max_by_key(|(_, needed)| **needed));
        match widest.map(|(at, _)| at) {
            Some(at) => least[at] -= 1,
            None => break,
        }
    }
    least
}

/// Columns that a cell needs at least.
fn least_width(cell: &str, unbroken: bool) -> usize {
    const LONGEST_WORD: usize = 20;
    if unbroken {
        return cell.chars().count();
    }
    let words = cell.split_whitespace().map(|word| word.chars().count());
    words.max().unwrap_or(0).min(LONGEST_WORD)
}

/// A Markdown table.
pub(in crate::cli) fn markdown(grid: &Grid) -> String {
    let escape = |cell: &str| printable(cell).replace('\\', "\\\\").replace('|', "\\|").replace('\n', "<br>");
    let line = |cells: Vec<String>| format!("| {} |\n", cells.join(" | "));
    let mut drawn = line(grid.columns.iter().map(|column| escape(&column.heading)).collect());
    drawn.push_str(&line(
        grid.columns.iter().map(|column| if column.numeric { "---:" } else { "---" }.to_owned()).collect(),
    ));
    for row in &grid.rows {
        drawn.push_str(&line(row.iter().map(|cell| escape(cell)).collect()));
    }
    drawn
}

/// Comma-separated values with a header. A text that a spreadsheet would take for a formula is made one that it does not.
pub(in crate::cli) fn csv(grid: &Grid) -> Result<String, Failure> {
    let mut writer = csv::Writer::from_writer(Vec::new());
    writer.write_record(grid.columns.iter().map(|column| harmless(&column.heading)))?;
    for row in &grid.rows {
        writer.write_record(row.iter().map(|cell| harmless(cell)))?;
    }
    let bytes = writer.into_inner().map_err(|error| Failure::Output(error.into_error()))?;
    Ok(String::from_utf8_lossy(&bytes).into_owned())
}

fn harmless(cell: &str) -> String {
    let formula = cell.starts_with(['=', '+', '-', '@', '\t', '\r']) && cell.parse::<f64>().is_err();
    if formula { format!("'{cell}") } else { cell.to_owned() }
}

fn object(columns: &[GridColumn], row: &[String]) -> Value {
    let cells = columns.iter().zip(row).map(|(column, cell)| {
        let value = match cell.as_str() {
            "" => Value::Null,
            number if column.numeric => {
                serde_json::from_str::<serde_json::Number>(number).map_or_else(|_| number.into(), Value::Number)
            }
            text => text.into(),
        };
        (column.heading.clone(), value)
    });
    Value::Object(cells.collect::<Map<_, _>>())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn sample() -> Grid {
        let mut grid =
            Grid { columns: vec![GridColumn::text("name"), GridColumn::number("latency [ms]")], rows: Vec::new() };
        grid.push(vec!["=cmd|x".to_owned(), "21.7".to_owned()]);
        grid.push(vec!["b\u{1b}[31m".to_owned(), String::new()]);
        grid
    }

    #[test]
    fn a_grid_is_harmless_in_every_format() {
        assert_eq!(csv(&sample()).unwrap(), "name,latency [ms]\n'=cmd|x,21.7\nb\u{1b}[31m,\n");
        assert!(markdown(&sample()).contains("| =cmd\\|x | 21.7 |"));
        assert!(!markdown(&sample()).contains('\u{1b}'));
        let json = draw(&sample(), Format::Json, 80).unwrap();
        assert!(json.contains("\"latency [ms]\": 21.7") && json.contains("null"));
    }

    #[test]
    fn text_stands_in_columns() {
        let drawn = anstream::adapter::strip_str(&text(&sample(), 80)).to_string();
        assert_eq!(drawn, "name         latency [ms]\n=cmd|x               21.7\nb\\u{1b}[31m\n");
    }

    #[test]
    fn a_wrapped_header_is_bold_and_nothing_else() {
        let mut grid = sample();
        grid.columns[1].heading = "a rather long heading of many words".to_owned();
        let drawn = text(&grid, 30);
        for line in drawn.lines() {
            let plain = anstream::adapter::strip_str(line).to_string();
            let is_row = plain.starts_with("=cmd") || plain.starts_with('b');
            assert_eq!(line.contains("\u{1b}[1m"), !is_row, "{line:?}");
        }
    }
}
