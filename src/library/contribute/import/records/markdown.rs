//! The tables of a Markdown page, each with its headings and the text before it.

use std::borrow::Cow;
use std::sync::LazyLock;

use regex::{Captures, Regex};

use super::column_names::column_names_without_spans;
use super::footnotes::Footnotes;
use super::page_context::PageContext;
use super::record::{MalformedInput, Record};
use super::record_list::RecordList;
use crate::contribute::recipe::Compiled;
use crate::values::text::one_line;

static LINK: LazyLock<Regex> = LazyLock::new(|| Regex::new(r"!?\[([^\]]*)\]\([^)]*\)").expect("the pattern is tested"));
static COMMENT: LazyLock<Regex> = LazyLock::new(|| Regex::new(r"(?s)<!--.*?-->").expect("the pattern is tested"));
static TAG: LazyLock<Regex> = LazyLock::new(|| Regex::new(r"</?[A-Za-z][^>]*>").expect("the pattern is tested"));

/// One record for each row of each table that the recipe wants. `{h1}` … `{h6}` are the headings above it,
/// `{above}` the text below them.
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

/// The page without what HTML comments hide, which nobody sees on it; every line stays where it is.
fn without_comments(text: &str) -> Cow<'_, str> {
    COMMENT.replace_all(text, |found: &Captures<'_>| "\n".repeat(found[0].matches('\n').count()))
}

/// `## Heading`: its level and its text.
pub(super) fn heading(line: &str) -> Option<(usize, String)> {
    let level = line.bytes().take_while(|&b| b == b'#').count();
    let text = &line[level..];
    let found = (1..=6).contains(&level) && (text.is_empty() || text.starts_with([' ', '\t']));
    found.then(|| (level, plain(text)))
}

/// The level of a heading that the line below it underlines with `=` or `-`.
fn underlined(line: &str, below: &str) -> Option<usize> {
    let only = |mark: char| below.len() >= 3 && below.chars().all(|c| c == mark);
    let is_text = !line.is_empty() && !line.contains('|') && !line.starts_with(['-', '*', '+', '>', '<', '`', '=']);
    match is_text {
        true if only('=') => Some(1),
        true if only('-') => Some(2),
        _ => None,
    }
}

/// `|---|:--:|`, with or without outer bars; `---+---`, as a database's shell writes it.
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

/// A cell's text without markup: links become their text, bold and tags fall away, escapes are resolved.
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
}
