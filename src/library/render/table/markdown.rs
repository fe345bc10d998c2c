//! Tables in GitHub-flavoured Markdown.

use super::content::{Cell, Column, MUTED, Table, TableNote};
use super::content::{TableWriter, raised};
use crate::values::text::printable;

pub(super) struct Markdown;

impl TableWriter for Markdown {
    fn open(&self, _: &Table) -> String {
        String::new()
    }

    fn header(&self, table: &Table) -> String {
        let marks = |column: &Column| -> String {
            column.notes.iter().map(|note| escaped(&raised(&table.notes[*note].mark))).collect()
        };
        let headings = line(table.columns.iter().map(|column| escaped(&column.title()) + &marks(column)));
        let rules = line(table.columns.iter().map(|column| if column.numeric { "---:" } else { "---" }.to_owned()));
        headings + &rules
    }

    /// Markdown has no sections, so a title is a row of its own.
    fn section(&self, title: Option<&str>, _: usize, columns: &[Column]) -> String {
        let Some(title) = title else { return String::new() };
        let cells = columns.iter().enumerate();
        line(cells.map(|(at, _)| if at == 0 { format!("**{}**", escaped(title)) } else { String::new() }))
    }

    fn row(&self, _: &[Column], row: &[Cell], notes: &[TableNote]) -> String {
        line(row.iter().map(|cell| {
            let text = escaped(&cell.text);
            let marks: String = cell.notes.iter().map(|note| escaped(&raised(&notes[*note].mark))).collect();
            let spread = escaped(&cell.spread);
            match (cell.best, cell.muted && !text.is_empty()) {
                (true, _) => format!("**{text}**{spread}{marks}"),
                (false, true) => format!("*{text}*{spread}{marks}"),
                (false, false) => format!("{text}{spread}{marks}"),
            }
        }))
    }

    fn close(&self, table: &Table) -> String {
        let mut legend: Vec<String> =
            table.legend().map(|note| escaped(format!("{} {}", raised(&note.mark), note.text).trim_start())).collect();
        if table.marks_best() {
            legend.insert(0, format!("**Bold**: {}", escaped(&table.best_of)));
        }
        if table.mutes_some() {
            legend.push(format!("*Italic*: {MUTED}"));
        }
        if legend.is_empty() { String::new() } else { format!("\n{}\n", legend.join("  \n")) }
    }
}

fn line(cells: impl Iterator<Item = String>) -> String {
    format!("| {} |\n", cells.collect::<Vec<_>>().join(" | "))
}

/// Escapes text for Markdown and for pages generated from it.
pub fn escaped(text: &str) -> String {
    let text = printable(text);
    // Brackets alone are not a link, and units are in brackets.
    let links = ["](", "][", "]:"].iter().any(|link| text.contains(link));
    let mut safe = String::new();
    for c in text.chars() {
        match c {
            '\n' => safe.push_str("<br>"),
            '<' => safe.push_str("&lt;"),
            '>' => safe.push_str("&gt;"),
            '&' => safe.push_str("&amp;"),
            '\\' | '|' | '*' | '`' => safe.extend(['\\', c]),
            '[' | ']' if links => safe.extend(['\\', c]),
            '#' | '-' | '+' if safe.is_empty() && text.len() > 1 => safe.extend(['\\', c]),
            '~' if safe.ends_with('~') => safe.push_str("\\~"),
            // Inside a word an underscore has no meaning.
            '_' if !safe.ends_with(|c: char| c.is_alphanumeric()) => safe.push_str("\\_"),
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
        assert_eq!(escaped("a|b <script> *x* `y`"), "a\\|b &lt;script&gt; \\*x\\* \\`y\\`");
        assert_eq!(escaped("[x](javascript:y)"), "\\[x\\](javascript:y)");
        assert_eq!(escaped("latency [ms]"), "latency [ms]");
        assert_eq!(escaped("__x__ ~~y~~ # z"), "\\_\\_x_\\_ ~\\~y~\\~ # z");
        assert_eq!(escaped("# title"), "\\# title");
        assert_eq!(escaped("a\u{1b}b"), "a\\\\u{1b}b");
    }
}
