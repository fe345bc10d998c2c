//! Tables in HTML on a Markdown page, as a person reads them: a cell that spans columns names each of them.

use super::markdown::Table;
use super::pattern;

/// The tables in HTML of a page. A line holds a row; the rows above the first number are the header.
pub(super) fn tables(page: &str) -> Vec<Table> {
    let heading = pattern(r"^#{2,6}\s+(.*)");
    let cell = pattern(r#"<td(?: colspan="(\d+)")?[^>]*>(.*?)</td>"#);
    let mark = pattern(r"<[^>]*>");
    let mut tables: Vec<Table> = Vec::new();
    let mut current: Option<Table> = None;
    let (mut above, mut text): (String, Vec<String>) = (String::new(), Vec::new());
    for line in page.lines() {
        if let Some(found) = heading.captures(line) {
            above = found[1].to_owned();
            text.clear();
        } else if line.starts_with("<table") {
            current = Some(Table { headings: vec![above.clone()], text: text.clone(), ..Table::default() });
        } else if line.starts_with("</table") {
            tables.extend(current.take());
        } else if let Some(table) = current.as_mut().filter(|_| line.starts_with("<tr")) {
            let mut cells: Vec<String> = Vec::new();
            for found in cell.captures_iter(line) {
                let spans = found.get(1).map_or(1, |columns| columns.as_str().parse().expect("a number"));
                let plain = mark.replace_all(&found[2], "").trim().to_owned();
                cells.extend(std::iter::repeat_n(plain, spans));
            }
            if cells.iter().any(|cell| cell.starts_with(|c: char| c.is_ascii_digit())) {
                table.rows.push(cells);
            } else {
                table.header.resize(cells.len(), String::new());
                for (name, below) in table.header.iter_mut().zip(&cells) {
                    *name = format!("{name} {below}").trim().to_owned();
                }
            }
        } else if current.is_none() && !line.trim().is_empty() {
            text.push(line.trim().to_owned());
        }
    }
    tables
}
