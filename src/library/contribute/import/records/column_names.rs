//! The names of a table's columns, from one row of headings or from several below each other.

use std::collections::HashSet;

use super::record::MalformedInput;

/// The name of each column: its headings from top to bottom, joined by ` / `. An empty heading is left out, and so is one
/// that says what the one above it says, which is a cell that spans rows. `line` is where the headings begin.
///
/// # Errors
///
/// When two columns get the same name from several headings: one would hide the other.
pub(super) fn column_names(rows: &[Vec<String>], line: usize) -> Result<Vec<String>, MalformedInput> {
    if let [one] = rows {
        return Ok(one.clone());
    }
    let columns = rows.iter().map(Vec::len).max().unwrap_or(0);
    let mut names = Vec::with_capacity(columns);
    let mut seen = HashSet::new();
    for column in 0..columns {
        let mut headings: Vec<&str> = rows.iter().filter_map(|row| row.get(column)).map(String::as_str).collect();
        headings.retain(|heading| !heading.is_empty());
        headings.dedup();
        let name = headings.join(" / ");
        if !name.is_empty() && !seen.insert(name.clone()) {
            let rows = rows.len();
            return Err(MalformedInput::new(
                line,
                format!("two columns are called `{name}` by the {rows} rows of headings"),
            ));
        }
        names.push(name);
    }
    Ok(names)
}

/// The same for a page whose cells cannot span columns: an empty heading above others stands for the one to its left.
pub(super) fn column_names_without_spans(
    mut rows: Vec<Vec<String>>,
    line: usize,
) -> Result<Vec<String>, MalformedInput> {
    let upper = rows.len().saturating_sub(1);
    let columns = rows.iter().map(Vec::len).max().unwrap_or(0);
    for row in &mut rows[..upper] {
        row.resize(columns, String::new());
        for column in 1..columns {
            if row[column].is_empty() {
                row[column] = row[column - 1].clone();
            }
        }
    }
    column_names(&rows, line)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn row<const N: usize>(cells: [&str; N]) -> Vec<String> {
        cells.map(str::to_owned).into()
    }

    #[test]
    fn one_row_names_the_columns_as_it_is() {
        let header = row(["a", "", "a"]);
        assert_eq!(column_names(std::slice::from_ref(&header), 1).unwrap(), header);
        assert_eq!(column_names_without_spans(vec![header.clone()], 1).unwrap(), header);
    }

    #[test]
    fn headings_below_each_other_are_joined_each_once() {
        let rows = [row(["model", "T4", "T4", "note"]), row(["model", "fp32", "fp16", ""])];
        assert_eq!(column_names(&rows, 1).unwrap(), ["model", "T4 / fp32", "T4 / fp16", "note"]);
    }

    #[test]
    fn an_empty_heading_above_others_is_that_to_its_left() {
        let rows = vec![row(["", "T4", "", "V100"]), row(["model", "fp32", "fp16", "fp32", "fp16"])];
        let names = column_names_without_spans(rows, 1).unwrap();
        assert_eq!(names, ["model", "T4 / fp32", "T4 / fp16", "V100 / fp32", "V100 / fp16"]);
    }

    #[test]
    fn two_columns_of_one_name_are_told_with_their_line() {
        let mistake = column_names(&[row(["T4", "T4"]), row(["fp32", "fp32"])], 7).unwrap_err();
        let told = (mistake.line, mistake.message.as_str());
        assert_eq!(told, (7, "two columns are called `T4 / fp32` by the 2 rows of headings"));
    }
}
