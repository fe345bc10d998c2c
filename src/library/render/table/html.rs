//! HTML tables that are readable without a style sheet and by screen readers.

use super::content::{Cell, Column, MUTED, Role, Table, TableNote};
use super::content::{TableWriter, spanners};
use crate::values::text::printable;

pub(super) struct Html {
    /// Index of the column that holds the row headings.
    row_heading: Option<usize>,
}

impl Html {
    pub(super) fn of(table: &Table) -> Self {
        Self { row_heading: table.columns.iter().position(|column| column.role == Role::Key && !column.numeric) }
    }
}

impl TableWriter for Html {
    fn open(&self, table: &Table) -> String {
        match table.caption.as_str() {
            "" => "<table>\n".to_owned(),
            caption => format!("<table>\n<caption>{}</caption>\n", escaped(caption)),
        }
    }

    fn header(&self, table: &Table) -> String {
        let mut text = "<thead>\n".to_owned();
        let columns: Vec<&Column> = table.columns.iter().collect();
        for level in spanners(&columns) {
            text.push_str("<tr>");
            for (over, count) in level {
                text.push_str(&match over {
                    "" => format!("<td colspan=\"{count}\"></td>"),
                    over => format!("<th scope=\"colgroup\" colspan=\"{count}\">{}</th>", escaped(over)),
                });
            }
            text.push_str("</tr>\n");
        }
        text.push_str("<tr>");
        for column in columns {
            let marks = column.notes.iter().map(|note| format!("<sup>{}</sup>", escaped(&table.notes[*note].mark)));
            let heading = escaped(&column.own_title()) + &marks.collect::<String>();
            text.push_str(&format!("<th scope=\"col\"{}>{heading}</th>", class(column)));
        }
        text + "</tr>\n</thead>\n"
    }

    fn section(&self, title: Option<&str>, _: usize, columns: &[Column]) -> String {
        match title {
            Some(title) => format!(
                "<tbody>\n<tr><th scope=\"rowgroup\" colspan=\"{}\">{}</th></tr>\n",
                columns.len(),
                escaped(title)
            ),
            None => "<tbody>\n".to_owned(),
        }
    }

    fn row(&self, columns: &[Column], row: &[Cell], notes: &[TableNote]) -> String {
        let mut text = "<tr>".to_owned();
        for (at, (column, cell)) in columns.iter().zip(row).enumerate() {
            let mut inner = escaped(&cell.text);
            if cell.best {
                inner = format!("<strong>{inner}</strong>");
            }
            inner.push_str(&escaped(&cell.spread));
            if cell.muted {
                inner = format!("<span style=\"opacity:.6\">{inner}</span>");
            }
            for note in &cell.notes {
                inner.push_str(&format!("<sup>{}</sup>", escaped(&notes[*note].mark)));
            }
            text.push_str(&match self.row_heading == Some(at) {
                true => format!("<th scope=\"row\">{inner}</th>"),
                false => format!("<td{}{}>{inner}</td>", class(column), ground(cell)),
            });
        }
        text + "</tr>\n"
    }

    fn section_end(&self) -> String {
        "</tbody>\n".to_owned()
    }

    fn close(&self, table: &Table) -> String {
        let mut legend: Vec<String> = table
            .legend()
            .map(|note| match note.mark.as_str() {
                "" => format!("<li>{}</li>\n", escaped(&note.text)),
                mark => format!("<li><sup>{}</sup> {}</li>\n", escaped(mark), escaped(&note.text)),
            })
            .collect();
        if table.marks_best() {
            legend.insert(0, format!("<li><strong>Bold</strong>: {}</li>\n", escaped(&table.best_of)));
        }
        if table.mutes_some() {
            legend.push(format!("<li><span style=\"opacity:.6\">Grey</span>: {MUTED}</li>\n"));
        }
        if table.shades_some() {
            legend.push(format!("<li>Shaded: {}</li>\n", escaped(table.shaded_by)));
        }
        match legend.is_empty() {
            true => "</table>\n".to_owned(),
            false => format!("</table>\n<ul class=\"legend\">\n{}</ul>\n", legend.concat()),
        }
    }
}

/// The cell's background: translucent ink over whatever background the page has.
fn ground(cell: &Cell) -> String {
    match cell.shade {
        0 => String::new(),
        shade => format!(" style=\"background:rgb(0 0 0 / {shade}%)\""),
    }
}

fn class(column: &Column) -> &'static str {
    if column.numeric { " class=\"number\"" } else { "" }
}

/// A document's provenance as comments at its top; valid in Markdown as well.
pub fn provenance_comments(about: &[String]) -> String {
    // Two hyphens in a row are not allowed in a comment.
    let line = |line: &String| format!("<!-- {} -->\n", printable(line).replace("--", "-\u{2060}-"));
    about.iter().map(line).collect()
}

/// Escapes text for HTML content and attributes.
pub fn escaped(text: &str) -> String {
    let mut safe = String::new();
    for c in printable(text).chars() {
        match c {
            '<' => safe.push_str("&lt;"),
            '>' => safe.push_str("&gt;"),
            '&' => safe.push_str("&amp;"),
            '"' => safe.push_str("&quot;"),
            '\'' => safe.push_str("&#39;"),
            '\n' => safe.push_str("<br>"),
            c => safe.push(c),
        }
    }
    safe
}

/// Escapes text for XML content and attributes: on one line, and without the noncharacters that XML forbids
/// (XML 1.0, 2.2).
pub fn xml_escaped(text: &str) -> String {
    let held = |c: char| match c {
        '\n' | '\t' => " ".to_owned(),
        '\u{fffe}' | '\u{ffff}' => c.escape_unicode().to_string(),
        c => c.to_string(),
    };
    escaped(&text.chars().map(held).collect::<String>())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn xml_holds_no_tag_without_an_end_and_no_noncharacter() {
        assert_eq!(xml_escaped("a\nb\u{fffe}\u{b}<"), "a b\\u{fffe}\\u{b}&lt;");
        assert_eq!(escaped("a\nb"), "a<br>b");
    }
}
