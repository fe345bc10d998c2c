//! The list-tables of a reStructuredText page, each with the headings above it.

use std::collections::BTreeMap;
use std::sync::LazyLock;

use regex::Regex;

use super::column_names::column_names_without_spans;
use super::record::{MalformedInput, Record, add_captures};
use super::record_list::RecordList;
use crate::contribute::recipe::Compiled;
use crate::values::text::one_line;

static LINK: LazyLock<Regex> =
    LazyLock::new(|| Regex::new(r"`([^`<]*?)\s*<[^>]*>`__?").expect("the pattern is tested"));
static SUBSTITUTION: LazyLock<Regex> = LazyLock::new(|| Regex::new(r"\|[A-Za-z_ ]+\|").expect("the pattern is tested"));

/// One record for each row of each list-table below a heading that the recipe wants. `{h1}` is the last heading, `{h2}`
/// the one before it, and so on; `{marks}` names the substitutions in a row, such as `star` for `|star|`.
pub(super) fn records(text: &str, compiled: &Compiled<'_>) -> Result<Vec<Record>, MalformedInput> {
    let lines: Vec<&str> = text.lines().collect();
    let mut headings: Vec<String> = Vec::new();
    let mut records = RecordList::default();
    let mut at = 0;
    while at < lines.len() {
        if is_underline(lines[at]) && at > 0 && !lines[at - 1].trim().is_empty() {
            headings.insert(0, plain(lines[at - 1]));
        }
        at += 1;
        if !lines[at - 1].trim_start().starts_with(".. list-table::") {
            continue;
        }
        let (rows, end) = rows(&lines, at);
        at = end;
        let mut context: BTreeMap<String, String> = BTreeMap::new();
        for (level, heading) in headings.iter().take(6).enumerate() {
            context.insert(format!("h{}", level + 1), heading.clone());
        }
        if let Some(pattern) = &compiled.heading
            && !headings.iter().any(|heading| add_captures(pattern, heading, &mut context))
        {
            continue;
        }
        let (headings, body) = rows.split_at(compiled.part.header_rows().min(rows.len()));
        let headings = headings.iter().map(|row| row.cells.clone()).collect();
        let header = column_names_without_spans(headings, rows.first().map_or(0, |row| row.line))?;
        for Row { line, cells, marks } in body {
            if cells.len() > header.len() {
                return Err(MalformedInput::cell_count(*line, header.len(), cells.len()));
            }
            context.insert("marks".to_owned(), marks.join(" "));
            let record = Record::of_row(context.clone(), &header, cells.iter().cloned(), *line);
            records.push(Record { table: rows.first().map_or(0, |row| row.line), ..record })?;
        }
    }
    Ok(records.into_records())
}

/// A row of a list-table.
struct Row {
    /// The line where it begins, counted from 1.
    line: usize,
    cells: Vec<String>,
    /// The names of the substitutions in it.
    marks: Vec<String>,
}

/// The rows of the list that begins at `start`, each with its line, and the line after the list.
fn rows(lines: &[&str], start: usize) -> (Vec<Row>, usize) {
    let mut rows: Vec<Row> = Vec::new();
    let mut at = start;
    while at < lines.len() {
        let line = lines[at];
        let trimmed = line.trim();
        let indented = line.starts_with([' ', '\t']);
        if !trimmed.is_empty() && !indented {
            break;
        }
        if let Some(first) = trimmed.strip_prefix("* -") {
            rows.push(Row { line: at + 1, cells: vec![plain(first)], marks: marks(first).collect() });
        } else if let Some(Row { cells, marks: of_row, .. }) = rows.last_mut() {
            of_row.extend(marks(trimmed));
            // Lists inside a cell are deeper than the cells of a row.
            let deep = line.len() - line.trim_start().len() > 5;
            match trimmed.strip_prefix('-').filter(|next| !deep && (next.is_empty() || next.starts_with(' '))) {
                Some(cell) => cells.push(plain(cell)),
                None => {
                    if let Some(cell) = cells.last_mut().filter(|_| !trimmed.is_empty()) {
                        *cell = format!("{cell} {}", plain(trimmed)).trim().to_owned();
                    }
                }
            }
        }
        at += 1;
    }
    (rows, at)
}

/// `=====` or another sign, at least three times.
fn is_underline(line: &str) -> bool {
    let line = line.trim_end();
    let sign = line.chars().next().unwrap_or(' ');
    line.len() >= 3 && "=-~^\"'*+#".contains(sign) && line.chars().all(|c| c == sign)
}

/// The names of the substitutions in a text.
fn marks(text: &str) -> impl Iterator<Item = String> + '_ {
    SUBSTITUTION.find_iter(text).map(|found| found.as_str().trim_matches('|').to_owned())
}

/// A cell's text without markup: links become their text, substitutions and emphasis fall away.
fn plain(cell: &str) -> String {
    let cell = LINK.replace_all(cell, "$1");
    let cell = SUBSTITUTION.replace_all(&cell, " ");
    let cell = cell.replace("**", "").replace("``", "").replace(['⭐', '|'], " ");
    one_line(&cell)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::contribute::recipe::Recipe;

    #[test]
    fn a_row_of_a_list_table_knows_its_heading() {
        let page = "Coco\n----\n\n.. list-table::\n   :header-rows: 1\n\n   * - Name\n     - FPS\n     - Links\n\n   * - net_a |rocket| |star|\n     - 35.6\n     - | `S <https://x>`_\n       | `PT <https://y>`_\n   * - net_b\n     -\n     - x\n\nEnd\n";
        let recipe = Recipe::parse(
            "[[table]]\nfiles = \"*\"\nformat = \"rst\"\nbatch = \"b\"\nheading = \"(?P<set>Coco)\"\n[table.set]\n",
        )
        .unwrap();
        let compiled = recipe.table[0].compiled().unwrap();
        let records = records(page, &compiled).unwrap();
        let value = |at: usize, name: &str| records[at].values.get(name).map(String::as_str);
        assert_eq!(records.len(), 2);
        assert_eq!((value(0, "Name"), value(0, "FPS"), value(0, "set")), (Some("net_a"), Some("35.6"), Some("Coco")));
        assert_eq!((value(0, "marks"), value(1, "marks")), (Some("rocket star"), Some("")));
        assert_eq!((value(0, "Links"), value(1, "FPS"), records[1].line), (Some("S PT"), Some(""), 15));
    }

    #[test]
    fn a_list_table_may_have_two_rows_of_headings() {
        let page = ".. list-table::\n   :header-rows: 2\n\n   * - Net\n     - T4\n     -\n   * - Net\n     - fp32\n     - fp16\n   * - a\n     - 1\n     - 2\n";
        let recipe =
            Recipe::parse("[[table]]\nfiles = \"*\"\nformat = \"rst\"\nbatch = \"b\"\nheader-rows = 2\n[table.set]\n")
                .unwrap();
        let records = records(page, &recipe.table[0].compiled().unwrap()).unwrap();
        let row = ["Net", "T4 / fp32", "T4 / fp16"].map(|name| records[0].values[name].as_str());
        assert_eq!((records.len(), row), (1, ["a", "1", "2"]));
    }
}
