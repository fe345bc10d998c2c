//! Markdown pages as a person reads them: each table with the headings it stands under and the text below them.

use std::collections::BTreeMap;

use super::pattern;

/// A table of a page.
#[derive(Debug, Default)]
pub(super) struct Table {
    /// The headings above it, the topmost first; that of the page is left out.
    pub headings: Vec<String>,
    /// The lines below these headings and above the table.
    pub text: Vec<String>,
    pub header: Vec<String>,
    pub rows: Vec<Vec<String>>,
}

/// The cells of a line of a table, without marks.
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

/// The tables of a page, of which fenced blocks were cut out.
pub(super) fn tables(page: &str) -> Vec<Table> {
    let rule = pattern(r"^\s*\|?\s*:?-+:?\s*(\|\s*:?-*:?\s*)*\|?\s*$");
    let heading = pattern(r"^(#{1,6})\s+(.*)");
    // What a comment hides is not on the page.
    let page = pattern(r"(?s)<!--.*?-->").replace_all(page, "").into_owned();
    let lines: Vec<&str> = page.lines().collect();
    let is_rule = |at: usize| lines.get(at).is_some_and(|line| line.contains('|') && rule.is_match(line));
    let (mut tables, mut headings) = (Vec::new(), BTreeMap::new());
    // Each with the level of the heading that it stands below.
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
            tables.push(Table {
                headings: headings.iter().filter(|(level, _)| **level > 1).map(|(_, name)| name.clone()).collect(),
                text: text.iter().map(|(_, line)| line.clone()).collect(),
                header: cells(line),
                rows,
            });
        } else {
            text.push((headings.keys().next_back().copied().unwrap_or_default(), line.trim().to_owned()));
        }
    }
    tables
}
