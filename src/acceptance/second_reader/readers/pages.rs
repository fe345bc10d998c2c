//! The second readers' parsers for tables in HTML and Markdown pages.

use std::collections::BTreeMap;

use super::pattern;

/// The HTML tables of a page. Each line is one row; the rows above the first number are the header.
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

/// A table of a page.
#[derive(Debug, Default)]
pub(super) struct Table {
    /// The headings above the table, outermost first, without the page's title.
    pub headings: Vec<String>,
    /// The lines between these headings and the table.
    pub text: Vec<String>,
    pub header: Vec<String>,
    pub rows: Vec<Vec<String>>,
}

/// The cells of a table line, without markup.
pub(super) fn cells(line: &str) -> Vec<String> {
    let line = line.trim();
    let line = line.strip_prefix('|').unwrap_or(line);
    let line = line.strip_suffix('|').unwrap_or(line);
    let marks = pattern(r"[*`]|<br ?/?>");
    let escape = pattern(r"\\(.)");
    let plain = |cell: &str| {
        let cell = marks.replace_all(&escape.replace_all(cell, "$1"), " ").into_owned();
        cell.split_whitespace().collect::<Vec<_>>().join(" ")
    };
    line.split('|').map(plain).collect()
}

/// The tables of a Markdown page whose fenced blocks have been removed.
pub(super) fn markdown_tables(page: &str) -> Vec<Table> {
    let rule = pattern(r"^\s*\|?\s*:?-+:?\s*(\|\s*:?-*:?\s*)*\|?\s*$");
    let heading = pattern(r"^(#{1,6})\s+(.*)");
    // Commented-out parts are not on the page.
    let page = pattern(r"(?s)<!--.*?-->").replace_all(page, "").into_owned();
    let lines: Vec<&str> = page.lines().collect();
    let is_rule = |at: usize| lines.get(at).is_some_and(|line| line.contains('|') && rule.is_match(line));
    let (mut markdown_tables, mut headings) = (Vec::new(), BTreeMap::new());
    // Text lines, each with the level of the heading above.
    let mut text: Vec<(usize, String)> = Vec::new();
    let mut at = 0;
    while let Some(line) = lines.get(at) {
        at += 1;
        if line.trim().is_empty() || line.trim_start().starts_with("```") {
        } else if let Some(found) = heading.captures(line) {
            let level = found[1].len();
            headings.retain(|other, _| *other < level);
            headings.insert(level, found[2].replace(['*', '`'], "").trim_matches([' ', '#']).to_owned());
            text.retain(|(other, _)| *other < level);
        } else if line.contains('|') && is_rule(at) {
            let rows = lines[at + 1..].iter().take_while(|line| line.contains('|'));
            let rows: Vec<Vec<String>> = rows.filter(|line| !rule.is_match(line)).map(|line| cells(line)).collect();
            at += 1 + lines[at + 1..].iter().take_while(|line| line.contains('|')).count();
            markdown_tables.push(Table {
                headings: headings.iter().filter(|(level, _)| **level > 1).map(|(_, name)| name.clone()).collect(),
                text: text.iter().map(|(_, line)| line.clone()).collect(),
                header: cells(line),
                rows,
            });
        } else {
            text.push((headings.keys().next_back().copied().unwrap_or_default(), line.trim().to_owned()));
        }
    }
    markdown_tables
}
