//! Cells and column types of a LaTeX table.

use super::escaping::width;
use super::escaping::{escaped, running};
use super::escaping::{marks_of, number, raised, raised_points};
use super::layout::{TableSetting, shown};
use crate::render::table::content::{Cell, Column, Table, TableNote};

/// Type size at which the texts after numbers are compared.
const POINTS: f64 = 10.0;

/// Column types: `l` for text, `p` for wrapped text, `S` with the number format that the column needs.
pub(super) fn column_types(table: &Table, setting: &TableSetting) -> String {
    let size = setting.points;
    let types: Vec<String> = shown(&table.columns)
        .zip(&setting.columns)
        .map(|((at, column), setting)| {
            let cells = || table.rows().map(|row| &row[at]);
            if !column.numeric {
                let wrapped = |width: f64| format!(">{{\\raggedright\\arraybackslash}}p{{{width}pt}}");
                return setting.wrapped.map_or_else(|| "l".to_owned(), wrapped);
            }
            let (mut whole, mut fraction, mut sign) = (1, 0, "");
            for (minus, before, after) in cells().filter_map(|cell| number(&cell.text)) {
                whole = whole.max(before);
                fraction = fraction.max(after);
                sign = if minus { "-" } else { sign };
            }
            let format = if fraction == 0 { format!("{sign}{whole}") } else { format!("{sign}{whole}.{fraction}") };
            // The same number of marks can differ in width, so room is reserved for the widest.
            let behind = |cell: &Cell| {
                let marks = marks_of(&cell.notes, &table.notes).join(",");
                width(&cell.spread, POINTS) + width(&marks, raised_points(size) / size * POINTS)
            };
            let widest = cells().max_by(|one, other| behind(one).total_cmp(&behind(other)));
            let widest = widest.filter(|cell| behind(cell) > 0.0);
            let post = widest.map(|cell| {
                format!(",table-space-text-post={{{}{}}}", spread(cell), raised(&cell.notes, &table.notes, size))
            });
            format!("S[table-format={format}{}]", post.unwrap_or_default())
        })
        .collect();
    format!("@{{}}{}@{{}}", types.join(""))
}

/// Colour of unranked values: grey, but dark enough to read.
pub(super) const GREY: &str = "\\color{black!55}";

/// The content of a cell.
pub(super) fn latex_cell(column: &Column, cell: &Cell, notes: &[TableNote], wrapped: bool, size: f64) -> String {
    let marks = match (spread(cell), raised(&cell.notes, notes, size)) {
        (spread, marks) if spread.is_empty() => marks,
        (spread, marks) => format!("{spread}{marks}"),
    };
    let text = if wrapped { running(&cell.text) } else { escaped(&cell.text) };
    let marks = if cell.muted && !column.numeric { format!("{marks}}}") } else { marks };
    shaded(cell)
        + &match (column.numeric, number(&cell.text).is_some(), cell.best) {
            _ if cell.text.is_empty() => String::new(),
            (true, true, true) => format!("\\bfseries {text}{marks}"),
            (true, true, false) if cell.muted => format!("{GREY} {text}{marks}"),
            (true, true, false) => format!("{text}{marks}"),
            // siunitx fails on anything but a number, so other text is wrapped in braces.
            (true, false, _) => format!("{{{text}{marks}}}"),
            (false, _, true) => format!("\\textbf{{{text}}}{marks}"),
            (false, _, false) if cell.muted => format!("{{{GREY} {text}{marks}"),
            (false, _, false) => format!("{text}{marks}"),
        }
}

/// The background of a cell; siunitx leaves what precedes a number as it is.
fn shaded(cell: &Cell) -> String {
    match cell.shade {
        0 => String::new(),
        shade => format!("\\cellcolor{{black!{shade}}}"),
    }
}

/// A row of spanning headings, with a rule below each.
pub(super) fn spanning(level: &[(&str, usize)]) -> String {
    let mut cells = Vec::new();
    let mut rules = String::new();
    let mut first = 1;
    for (over, count) in level {
        let last = first + count - 1;
        if over.is_empty() {
            cells.extend(vec![String::new(); *count]);
        } else {
            cells.push(format!("\\multicolumn{{{count}}}{{c}}{{{}}}", escaped(over)));
            rules.push_str(&format!("\\cmidrule(lr){{{first}-{last}}}"));
        }
        first = last + 1;
    }
    format!("{} \\\\\n{rules}\n", cells.join(" & "))
}

/// The spread of the samples, shown after a number.
fn spread(cell: &Cell) -> String {
    if cell.spread.is_empty() { String::new() } else { format!("{{{}}}", escaped(&cell.spread)) }
}

/// Protects a row that starts with a bracket or an asterisk: after `\\` LaTeX would read it as an argument.
pub(super) fn row_start(row: &str) -> String {
    if row.starts_with(['[', '*']) { format!("{{}}{row}") } else { row.to_owned() }
}

#[cfg(test)]
mod tests {
    use super::super::layout::Paper;
    use super::super::layout::TablePlan;
    use super::*;
    use crate::render::table::content::Section;

    #[test]
    fn a_row_never_begins_with_an_argument() {
        assert_eq!(row_start("[1] & 2"), "{}[1] & 2");
        assert_eq!(row_start("a & [2]"), "a & [2]");
    }

    #[test]
    fn the_format_of_a_column_fits_its_numbers() {
        assert_eq!(number("-12.345"), Some((true, 2, 3)));
        assert_eq!(number("1e5"), None);
        assert_eq!(number(""), None);
        let mut table = Table { columns: vec![Column::key("x [s]", true)], ..Table::default() };
        let rows = ["1.25", "-300", "7"].map(|text| vec![Cell::from(text)]).to_vec();
        table.sections.push(Section { title: None, rows });
        let plan = TablePlan::of(&table, &Paper::default());
        assert_eq!(column_types(&table, &plan.parts[0].1), "@{}S[table-format=-3.2]@{}");
    }
}
