//! Reads the tables of Markdown and reStructuredText pages, each with its headings and the text before it.

use std::borrow::Cow;
use std::collections::BTreeMap;
use std::sync::LazyLock;

use regex::{Captures, Regex};

use super::cells::Footnotes;
use super::cells::column_names_without_spans;
use super::record::RecordList;
use super::record::{MalformedInput, Record, add_captures};
use crate::contribute::recipe::Compiled;
use crate::values::text::one_line;

static LINK: LazyLock<Regex> = LazyLock::new(|| Regex::new(r"!?\[([^\]]*)\]\([^)]*\)").expect("the pattern is tested"));

static COMMENT: LazyLock<Regex> = LazyLock::new(|| Regex::new(r"(?s)<!--.*?-->").expect("the pattern is tested"));

static TAG: LazyLock<Regex> = LazyLock::new(|| Regex::new(r"</?[A-Za-z][^>]*>").expect("the pattern is tested"));

/// One record for each row of each table that the recipe selects. `{h1}` … `{h6}` are the headings above the table,
/// `{above}` is the text below those headings.
pub(super) fn records(text: &str, compiled: &Compiled<'_>) -> Result<Vec<Record>, MalformedInput> {
    let mut records = RecordList::default();
    let mut page = PageContext::default();
    let text = without_comments(text);
    let footnotes = Footnotes::of(&text);
    let mut lines = text.lines().enumerate().peekable();
    while let Some((at, line)) = lines.next() {
        let trimmed = line.trim();
        if let Some((level, heading)) = heading(trimmed) {
            page.heading(level, heading);
            continue;
        }
        if let Some((_, below)) = lines.peek()
            && let Some(level) = underlined(trimmed, below.trim())
        {
            page.heading(level, plain(trimmed));
            lines.next();
            continue;
        }
        let is_header = trimmed.contains('|') && lines.peek().is_some_and(|(_, next)| is_rule(next));
        if !is_header {
            page.text(trimmed);
            continue;
        }
        let mut headings = vec![cells(trimmed)];
        lines.next();
        while headings.len() < compiled.part.header_rows()
            && let Some((_, row)) = lines.next_if(|(_, row)| row.contains('|'))
        {
            headings.push(cells(row));
        }
        let wanted = match page.of_table(compiled) {
            Some(context) => Some((context, column_names_without_spans(headings, at + 1)?)),
            None => None,
        };
        while let Some((row_at, row)) = lines.next_if(|(_, row)| row.contains('|')) {
            let Some((context, header)) = &wanted else { continue };
            let row = cells(&footnotes.raised(row));
            let more = row.iter().skip(header.len()).any(|cell| !cell.is_empty());
            if more && !compiled.part.ragged {
                return Err(MalformedInput::cell_count(row_at + 1, header.len(), row.len()));
            }
            let mut record = Record { table: at + 1, ..Record::of_row(context.clone(), header, row, row_at + 1) };
            footnotes.take_marks(&mut record);
            records.push(record)?;
        }
    }
    Ok(records.into_records())
}

/// Removes HTML comments, which a rendered page does not show; every line keeps its number.
fn without_comments(text: &str) -> Cow<'_, str> {
    COMMENT.replace_all(text, |found: &Captures<'_>| "\n".repeat(found[0].matches('\n').count()))
}

/// The level and the text of a heading such as `## Heading`.
pub(super) fn heading(line: &str) -> Option<(usize, String)> {
    let level = line.bytes().take_while(|&b| b == b'#').count();
    let text = &line[level..];
    let found = (1..=6).contains(&level) && (text.is_empty() || text.starts_with([' ', '\t']));
    found.then(|| (level, plain(text)))
}

/// The level of a heading that is underlined with `=` or `-`.
fn underlined(line: &str, below: &str) -> Option<usize> {
    let only = |mark: char| below.len() >= 3 && below.chars().all(|c| c == mark);
    let is_text = !line.is_empty() && !line.contains('|') && !line.starts_with(['-', '*', '+', '>', '<', '`', '=']);
    match is_text {
        true if only('=') => Some(1),
        true if only('-') => Some(2),
        _ => None,
    }
}

/// Whether a line separates header and body: `|---|:--:|`, with or without outer bars, or `---+---` as database shells write it.
fn is_rule(line: &str) -> bool {
    let line = line.trim();
    line.contains('-')
        && line.contains(['|', '+'])
        && line.chars().all(|c| matches!(c, '|' | '+' | '-' | ':' | ' ' | '\t'))
}

fn cells(line: &str) -> Vec<String> {
    let line = line.trim();
    let line = line.strip_prefix('|').unwrap_or(line);
    let line = line.strip_suffix('|').unwrap_or(line);
    let mut cells = Vec::new();
    let mut cell = String::new();
    let mut escaped = false;
    for c in line.chars() {
        match c {
            '|' if !escaped => cells.push(plain(&std::mem::take(&mut cell))),
            _ => cell.push(c),
        }
        escaped = c == '\\' && !escaped;
    }
    cells.push(plain(&cell));
    cells
}

/// A cell's text without markup: links become their text, bold and tags are removed, escapes are resolved.
fn plain(cell: &str) -> String {
    let cell = LINK.replace_all(cell, "$1");
    let cell = TAG.replace_all(&cell, " ");
    let cell = cell.replace("**", "").replace('`', "");
    let mut text = String::new();
    let mut characters = cell.chars().peekable();
    while let Some(c) = characters.next() {
        match (c, characters.peek()) {
            ('\\', Some(next)) if next.is_ascii_punctuation() => {}
            _ => text.push(c),
        }
    }
    one_line(&text)
}

static RST_LINK: LazyLock<Regex> =
    LazyLock::new(|| Regex::new(r"`([^`<]*?)\s*<[^>]*>`__?").expect("the pattern is tested"));

static SUBSTITUTION: LazyLock<Regex> = LazyLock::new(|| Regex::new(r"\|[A-Za-z_ ]+\|").expect("the pattern is tested"));

/// One record for each row of each list-table below a heading that the recipe selects. `{h1}` is the last heading, `{h2}` the
/// one before it, and so on; `{marks}` has the names of the substitutions in a row, such as `star` for `|star|`.
pub(super) fn rst_records(text: &str, compiled: &Compiled<'_>) -> Result<Vec<Record>, MalformedInput> {
    let lines: Vec<&str> = text.lines().collect();
    let mut headings: Vec<String> = Vec::new();
    let mut records = RecordList::default();
    let mut at = 0;
    while at < lines.len() {
        if is_underline(lines[at]) && at > 0 && !lines[at - 1].trim().is_empty() {
            headings.insert(0, rst_plain(lines[at - 1]));
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
    /// The line where the row begins, counted from 1.
    line: usize,
    cells: Vec<String>,
    /// The names of the substitutions in the row.
    marks: Vec<String>,
}

/// The rows of the list that begins at `start`, and the first line after the list.
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
            rows.push(Row { line: at + 1, cells: vec![rst_plain(first)], marks: marks(first).collect() });
        } else if let Some(Row { cells, marks: of_row, .. }) = rows.last_mut() {
            of_row.extend(marks(trimmed));
            // Lists inside a cell are indented deeper than the cells of a row.
            let deep = line.len() - line.trim_start().len() > 5;
            match trimmed.strip_prefix('-').filter(|next| !deep && (next.is_empty() || next.starts_with(' '))) {
                Some(cell) => cells.push(rst_plain(cell)),
                None => {
                    if let Some(cell) = cells.last_mut().filter(|_| !trimmed.is_empty()) {
                        *cell = format!("{cell} {}", rst_plain(trimmed)).trim().to_owned();
                    }
                }
            }
        }
        at += 1;
    }
    (rows, at)
}

/// Whether a line is an RST underline: `=====`, or another sign at least three times.
fn is_underline(line: &str) -> bool {
    let line = line.trim_end();
    let sign = line.chars().next().unwrap_or(' ');
    line.len() >= 3 && "=-~^\"'*+#".contains(sign) && line.chars().all(|c| c == sign)
}

/// The names of the substitutions in a text.
fn marks(text: &str) -> impl Iterator<Item = String> + '_ {
    SUBSTITUTION.find_iter(text).map(|found| found.as_str().trim_matches('|').to_owned())
}

/// A cell's text without markup: links become their text, substitutions and emphasis are removed.
fn rst_plain(cell: &str) -> String {
    let cell = RST_LINK.replace_all(cell, "$1");
    let cell = SUBSTITUTION.replace_all(&cell, " ");
    let cell = cell.replace("**", "").replace("``", "").replace(['⭐', '|'], " ");
    one_line(&cell)
}

/// The headings above the current line with the text below each, and the text since the last heading or table.
#[derive(Debug, Default)]
pub(super) struct PageContext {
    headings: [String; 6],
    /// The text of the page before its first heading, then the text below the heading of each level.
    sections: [String; 7],
    level: usize,
    before: String,
}

impl PageContext {
    /// Starts a heading of a level from 1 to 6, which ends the headings of its level and below.
    pub fn heading(&mut self, level: usize, text: String) {
        self.headings[level - 1] = text;
        self.headings[level..].iter_mut().for_each(String::clear);
        self.sections[level..].iter_mut().for_each(String::clear);
        self.level = level;
        self.before.clear();
    }

    /// Adds a line of text.
    pub fn text(&mut self, line: &str) {
        for text in [&mut self.before, &mut self.sections[self.level]] {
            text.push_str(line);
            text.push('\n');
        }
    }

    /// The context of a table that begins here: `{h1}` … `{h6}`, the text below these headings as `{above}` (the
    /// nearest heading's last, without tables) and the named groups of the recipe's patterns. `None` when the recipe
    /// does not select the table.
    pub fn of_table(&mut self, compiled: &Compiled<'_>) -> Option<BTreeMap<String, String>> {
        let before = std::mem::take(&mut self.before);
        let mut context: BTreeMap<String, String> = BTreeMap::new();
        for (at, heading) in self.headings.iter().enumerate() {
            context.insert(format!("h{}", at + 1), heading.clone());
        }
        context.insert("above".to_owned(), self.sections.concat());
        if let Some(pattern) = &compiled.heading
            && !self.headings.iter().rev().any(|heading| add_captures(pattern, heading, &mut context))
        {
            return None;
        }
        if let Some(pattern) = &compiled.text
            && !add_captures(pattern, &before, &mut context)
        {
            return None;
        }
        Some(context)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::contribute::recipe::Recipe;

    #[test]
    fn a_row_knows_its_headings_and_the_text_before() {
        let page = "# Top\n## Inference\n- V100\n\n| Batch | Resnet\\_50 |\n|---|---|\n| **1** | [10](x) |\n\n## Training\nother\n\na|b\n-|-\n1|2\n";
        let recipe = Recipe::parse(
            "[[table]]\nfiles = \"*\"\nformat = \"markdown\"\nbatch = \"b\"\nheading = \"(?P<stage>Inference)\"\ntext = \"- (?P<gpu>.*)\"\n[table.set]\n",
        )
        .unwrap();
        let compiled = recipe.table[0].compiled().unwrap();
        let records = records(page, &compiled).unwrap();
        assert_eq!(records.len(), 1);
        let value = |name: &str| records[0].values.get(name).map(String::as_str);
        assert_eq!((value("stage"), value("gpu")), (Some("Inference"), Some("V100")));
        assert_eq!((value("Batch"), value("Resnet_50"), value("h1")), (Some("1"), Some("10"), Some("Top")));
        assert_eq!(records[0].line, 7);
    }

    #[test]
    fn a_table_as_a_database_prints_it_is_read() {
        let page = "Device  | Net   | Mean (ms)\n--------+-------+----------\nOrin    | a     | 3.1\n";
        let recipe =
            Recipe::parse("[[table]]\nfiles = \"*\"\nformat = \"markdown\"\nbatch = \"b\"\n[table.set]\n").unwrap();
        let records = records(page, &recipe.table[0].compiled().unwrap()).unwrap();
        assert_eq!((records.len(), records[0].values["Mean (ms)"].as_str()), (1, "3.1"));
    }

    #[test]
    fn a_second_row_of_headings_stands_below_the_rule() {
        let page = "| | T4 | | V100 |\n|---|---|---|---|\n| Net | fp32 | fp16 | fp32 |\n| a | 1 | 2 | 3 |\n";
        let recipe = Recipe::parse(
            "[[table]]\nfiles = \"*\"\nformat = \"markdown\"\nbatch = \"b\"\nheader-rows = 2\n[table.set]\n",
        )
        .unwrap();
        let records = records(page, &recipe.table[0].compiled().unwrap()).unwrap();
        let row = ["Net", "T4 / fp32", "T4 / fp16", "V100 / fp32"].map(|name| records[0].values[name].as_str());
        assert_eq!((records.len(), records[0].line, row), (1, 4, ["a", "1", "2", "3"]));
    }

    #[test]
    fn a_heading_without_text_or_underlined_ends_the_one_above() {
        let page = "### T4\n|x|\n|-|\n|1|\n\n###\n|x|\n|-|\n|2|\n\nXeon\n----\n|x|\n|-|\n|3|\n";
        let recipe =
            Recipe::parse("[[table]]\nfiles = \"*\"\nformat = \"markdown\"\nbatch = \"b\"\n[table.set]\n").unwrap();
        let records = records(page, &recipe.table[0].compiled().unwrap()).unwrap();
        let told: Vec<_> = records.iter().map(|r| (r.values["h2"].as_str(), r.values["h3"].as_str())).collect();
        assert_eq!(told, [("", "T4"), ("", ""), ("Xeon", "")]);
    }

    #[test]
    fn what_a_comment_hides_is_neither_heading_nor_table() {
        let page = "## Shown\n<!---\n# | 8 | 3100 |\n|x|\n|-|\n|1|\n--->\n|x|\n|-|\n|2|\n";
        let recipe =
            Recipe::parse("[[table]]\nfiles = \"*\"\nformat = \"markdown\"\nbatch = \"b\"\n[table.set]\n").unwrap();
        let records = records(page, &recipe.table[0].compiled().unwrap()).unwrap();
        let told: Vec<_> = records.iter().map(|r| (r.line, r.values["x"].as_str(), r.values["h2"].as_str())).collect();
        assert_eq!(told, [(10, "2", "Shown")]);
    }

    #[test]
    fn the_text_below_each_heading_above_a_row_is_known_to_it() {
        let page = "# Top\nin 21.03\n## A\nnot here\n## B\non one GPU\n\n|x|\n|-|\n|1|\n\nmore\n\n|x|\n|-|\n|2|\n";
        let recipe =
            Recipe::parse("[[table]]\nfiles = \"*\"\nformat = \"markdown\"\nbatch = \"b\"\n[table.set]\n").unwrap();
        let records = records(page, &recipe.table[0].compiled().unwrap()).unwrap();
        let above: Vec<_> = records.iter().map(|record| record.values["above"].split_whitespace().collect()).collect();
        let above: Vec<String> = above.iter().map(|words: &Vec<&str>| words.join(" ")).collect();
        assert_eq!(above, ["in 21.03 on one GPU", "in 21.03 on one GPU more"]);
    }

    #[test]
    fn a_row_of_a_list_table_knows_its_heading() {
        let page = "Coco\n----\n\n.. list-table::\n   :header-rows: 1\n\n   * - Name\n     - FPS\n     - Links\n\n   * - net_a |rocket| |star|\n     - 35.6\n     - | `S <https://x>`_\n       | `PT <https://y>`_\n   * - net_b\n     -\n     - x\n\nEnd\n";
        let recipe = Recipe::parse(
            "[[table]]\nfiles = \"*\"\nformat = \"rst\"\nbatch = \"b\"\nheading = \"(?P<set>Coco)\"\n[table.set]\n",
        )
        .unwrap();
        let compiled = recipe.table[0].compiled().unwrap();
        let records = rst_records(page, &compiled).unwrap();
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
        let records = rst_records(page, &recipe.table[0].compiled().unwrap()).unwrap();
        let row = ["Net", "T4 / fp32", "T4 / fp16"].map(|name| records[0].values[name].as_str());
        assert_eq!((records.len(), row), (1, ["a", "1", "2"]));
    }
}
