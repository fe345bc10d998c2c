//! Reads the tables of an HTML page, or of HTML in a Markdown page, each with its headings and the text before it.

use std::collections::BTreeMap;

use html5gum::emitters::default::DefaultEmitter;
use html5gum::{StartTag, Token, Tokenizer};

use super::cells::Footnotes;
use super::cells::column_names;
use super::markdown;
use super::markdown::PageContext;
use super::record::RecordList;
use super::record::{MalformedInput, Record};
use crate::contribute::recipe::Compiled;
use crate::values::text::one_line;

/// One record for each row of each table that the recipe selects, with columns named by the table's first row, or by as
/// many rows as the recipe states. A cell that spans rows or columns is repeated in each of them. `{h1}` … `{h6}` are
/// the headings above the table, and `{comment}` is the last comment before the row.
pub(super) fn records(text: &str, compiled: &Compiled<'_>) -> Result<Vec<Record>, MalformedInput> {
    let mut reader = Reader { footnotes: Footnotes::of(text), ..Reader::default() };
    let text = Footnotes::of(text).raised(text).into_owned();
    let lines = Lines::of(&text);
    let tokens = Tokenizer::new_with_emitter(text.as_str(), DefaultEmitter::<usize>::new_with_span());
    for token in tokens {
        let Ok(token) = token;
        match token {
            Token::StartTag(tag) => {
                let line = lines.at(tag.span.start);
                reader.start(&tag, line)?;
            }
            Token::EndTag(tag) => {
                reader.end(&String::from_utf8_lossy(&tag.name), lines.at(tag.span.start), compiled)?
            }
            Token::String(string) => reader.text(&String::from_utf8_lossy(&string.value)),
            Token::Comment(comment) => reader.comment(&String::from_utf8_lossy(&comment.value)),
            Token::Doctype(_) | Token::Error(_) => {}
        }
    }
    match reader.table {
        Some(table) => {
            Err(MalformedInput::new(table.line, "the table that begins here is not closed: expected </table>"))
        }
        None => Ok(reader.records.into_records()),
    }
}

/// Byte offsets of the line ends, to look up the line of an offset.
struct Lines(Vec<usize>);

impl Lines {
    fn of(text: &str) -> Self {
        Self(text.match_indices('\n').map(|(at, _)| at).collect())
    }

    fn at(&self, offset: usize) -> usize {
        self.0.partition_point(|&end| end < offset) + 1
    }
}

#[derive(Default)]
struct Reader {
    footnotes: Footnotes,
    page: PageContext,
    heading: Option<(usize, String)>,
    table: Option<Table>,
    records: RecordList,
}

#[derive(Default)]
struct Table {
    line: usize,
    rows: Vec<Row>,
    /// The last HTML comment, which belongs to the row that follows.
    comment: String,
    /// Cells of earlier rows that span into the next rows: by column, the number of rows left and the text.
    hanging: BTreeMap<usize, (usize, String)>,
    open: bool,
}

#[derive(Default)]
struct Row {
    line: usize,
    comment: String,
    cells: Vec<Cell>,
}

struct Cell {
    text: String,
    columns: usize,
    rows: usize,
}

impl Reader {
    fn start(&mut self, tag: &StartTag<usize>, line: usize) -> Result<(), MalformedInput> {
        let name = String::from_utf8_lossy(&tag.name).into_owned();
        if let Some(level) = level(&name) {
            self.heading = Some((level, String::new()));
        }
        let Some(table) = &mut self.table else {
            if name == "table" {
                self.table = Some(Table { line, ..Table::default() });
            }
            return Ok(());
        };
        match name.as_str() {
            "table" => {
                return Err(MalformedInput::new(
                    line,
                    format!("a table inside the table of line {} is not read", table.line),
                ));
            }
            "tr" => table.begin_row(line),
            "td" | "th" => {
                // A header row may start without a `<tr>` tag.
                if !table.open {
                    table.begin_row(line);
                }
                let span = |name: &str| {
                    let value = tag.attributes.get(name.as_bytes()).map(|value| String::from_utf8_lossy(value));
                    // Spans are limited to 1 to 1000, as in the HTML standard.
                    value.and_then(|value| value.trim().parse::<usize>().ok()).unwrap_or(1).clamp(1, 1000)
                };
                let cell = Cell { text: String::new(), columns: span("colspan"), rows: span("rowspan") };
                if let Some(row) = table.rows.last_mut() {
                    row.cells.push(cell);
                }
            }
            "br" => self.text(" "),
            _ => {}
        }
        Ok(())
    }

    fn end(&mut self, name: &str, line: usize, compiled: &Compiled<'_>) -> Result<(), MalformedInput> {
        if level(name).is_some()
            && let Some((level, text)) = self.heading.take()
        {
            self.page.heading(level, one_line(&text));
        }
        match (name, &mut self.table) {
            ("tr" | "thead", Some(table)) => table.open = false,
            ("table", Some(_)) => {
                let table = self.table.take().unwrap_or_default();
                if let Some(context) = self.page.of_table(compiled) {
                    table.add_records(&context, compiled.part.header_rows(), &self.footnotes, &mut self.records)?;
                }
            }
            ("table", None) => return Err(MalformedInput::new(line, "this ends a table that did not begin")),
            _ => {}
        }
        Ok(())
    }

    fn text(&mut self, text: &str) {
        if let Some(table) = &mut self.table {
            if let Some(cell) = table.rows.last_mut().filter(|_| table.open).and_then(|row| row.cells.last_mut()) {
                cell.text.push_str(text);
            }
        } else if let Some((_, heading)) = &mut self.heading {
            heading.push_str(text);
        } else {
            for line in text.lines().map(str::trim) {
                match markdown::heading(line) {
                    Some((level, heading)) => self.page.heading(level, heading),
                    None => self.page.text(line),
                }
            }
        }
    }

    fn comment(&mut self, text: &str) {
        if let Some(table) = &mut self.table {
            table.comment = one_line(text);
        }
    }
}

impl Table {
    fn begin_row(&mut self, line: usize) {
        self.rows.push(Row { line, comment: std::mem::take(&mut self.comment), cells: Vec::new() });
        self.open = true;
    }

    fn add_records(
        mut self,
        context: &BTreeMap<String, String>,
        header_rows: usize,
        footnotes: &Footnotes,
        records: &mut RecordList,
    ) -> Result<(), MalformedInput> {
        let rows = std::mem::take(&mut self.rows);
        let mut rows = rows.into_iter().filter(|row| !row.cells.is_empty());
        let mut headings = Vec::new();
        for row in rows.by_ref().take(header_rows) {
            headings.push(self.laid_out(row)?);
        }
        let header = column_names(&headings, self.line)?;
        for row in rows {
            let mut context = context.clone();
            context.insert("comment".to_owned(), row.comment.clone());
            let line = row.line;
            let cells = self.laid_out(row)?;
            if cells.len() > header.len() {
                return Err(MalformedInput::cell_count(line, header.len(), cells.len()));
            }
            let mut record = Record { table: self.line, ..Record::of_row(context, &header, cells, line) };
            footnotes.take_marks(&mut record);
            records.push(record)?;
        }
        Ok(())
    }

    /// The texts of a row, one per column, including cells that span down from earlier rows.
    fn laid_out(&mut self, row: Row) -> Result<Vec<String>, MalformedInput> {
        let mut texts: Vec<String> = Vec::new();
        let mut next = Vec::new();
        let mut cells = row.cells.into_iter();
        loop {
            let at = texts.len();
            if let Some((rows, text)) = self.hanging.remove(&at) {
                texts.push(text.clone());
                if rows > 1 {
                    next.push((at, (rows - 1, text)));
                }
                continue;
            }
            let Some(cell) = cells.next() else { break };
            let text = one_line(&cell.text);
            let places = cell.columns * cell.rows;
            if at + cell.columns > MOST_COLUMNS || places > 1 && text.len() * places > MOST_SPANNED {
                let limits =
                    format!("{MOST_COLUMNS} columns, and {} MiB where a cell spans others", MOST_SPANNED >> 20);
                return Err(MalformedInput::new(row.line, format!("expected a table of at most {limits}")));
            }
            for column in at..at + cell.columns {
                texts.push(text.clone());
                if cell.rows > 1 {
                    next.push((column, (cell.rows - 1, text.clone())));
                }
            }
        }
        self.hanging.extend(next);
        Ok(texts)
    }
}

/// Maximum columns of a table of results.
const MOST_COLUMNS: usize = 4096;

/// Maximum bytes of one cell's text, summed over all the places that the cell spans.
const MOST_SPANNED: usize = 16 << 20;

/// The level of a heading tag, `h1` … `h6`.
fn level(name: &str) -> Option<usize> {
    name.strip_prefix('h')?.parse().ok().filter(|level| (1..=6).contains(level))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::contribute::recipe::Recipe;

    fn read(page: &str, more: &str) -> Result<Vec<Record>, MalformedInput> {
        let recipe = format!("[[table]]\nfiles = \"*\"\nformat = \"html\"\nbatch = \"b\"\n{more}\n[table.set]\n");
        let recipe = Recipe::parse(&recipe).unwrap();
        records(page, &recipe.table[0].compiled().unwrap())
    }

    #[test]
    fn a_row_knows_its_headings_its_comment_and_its_line() {
        let page = "# Top\n\n<h2>Speed of <b>A</b></h2>\nOn 8 cards\n<table><tbody>\n<!-- HEADER -->\n<th>Name</th>\n<th>time<br/>(s)</th>\n\
             <!-- ROW: a -->\n <tr><td><a href=\"x\">Net&nbsp;A</a></td>\n<td>0.5</td></tr>\n</tbody></table>\n## Other\n<table><tr><th>Name</th></tr><tr><td>no</td></tr></table>";
        let records = read(page, "heading = \"^Speed of (?P<gpu>.+)$\"\ntext = \"On (?P<n>\\\\d)\"").unwrap();
        assert_eq!(records.len(), 1);
        let value = |name: &str| records[0].values.get(name).map(String::as_str);
        assert_eq!((value("Name"), value("time (s)"), value("gpu")), (Some("Net A"), Some("0.5"), Some("A")));
        assert_eq!((value("comment"), value("n"), value("h1")), (Some("ROW: a"), Some("8"), Some("Top")));
        assert_eq!(records[0].line, 10);
    }

    #[test]
    fn a_cell_that_spans_stands_in_each_place() {
        let page = "<table><tr><th>a</th><th>b</th><th>c</th></tr><tr><td rowspan=2>1</td><td colspan=2>2</td></tr><tr><td>3</td><td>4</td></tr></table>";
        let records = read(page, "").unwrap();
        let row = |at: usize| ["a", "b", "c"].map(|name| records[at].values[name].clone());
        assert_eq!((row(0), row(1)), (["1", "2", "2"].map(str::to_owned), ["1", "3", "4"].map(str::to_owned)));
    }

    #[test]
    fn headings_in_several_rows_name_a_column_together() {
        let page = "<table><thead><tr><th rowspan=2>Model</th><th colspan=2>Accuracy</th><th colspan=2>Rate<br>(1/s)</th></tr>\
                    <tr><th>INT8</th><th>FP32</th><th>INT8</th><th>FP32</th></tr></thead>\
                    <tbody><tr><td rowspan=2>a</td><td>1</td><td>2</td><td>3</td><td>4</td></tr>\
                    <tr><td>5</td><td>6</td><td>7</td><td>8</td></tr></tbody></table>";
        let records = read(page, "header-rows = 2").unwrap();
        let row = |at: usize| {
            let names = ["Model", "Accuracy / INT8", "Accuracy / FP32", "Rate (1/s) / INT8", "Rate (1/s) / FP32"];
            names.map(|name| records[at].values[name].clone()).join(" ")
        };
        assert_eq!((records.len(), row(0), row(1)), (2, "a 1 2 3 4".to_owned(), "a 5 6 7 8".to_owned()));
        assert!(read("<table><tr><th>a</th></tr></table>", "header-rows = 2").unwrap().is_empty());
        assert!(Recipe::parse("[[table]]\nheader-rows = 0").unwrap_err().to_string().contains("header-rows"));
    }

    #[test]
    fn cells_that_span_more_than_a_table_has_are_refused() {
        let wide = "<td colspan=1000>a</td>".repeat(5);
        let long = format!("<td colspan=1000 rowspan=1000>{}</td>", "a".repeat(100));
        for cells in [wide, long] {
            let mistake = read(&format!("<table>\n<tr><th>a</th></tr>\n<tr>{cells}</tr></table>"), "").unwrap_err();
            assert!(mistake.line == 3 && mistake.message.contains("at most 4096 columns"), "{mistake:?}");
        }
    }

    #[test]
    fn a_broken_table_is_told_with_its_line() {
        let page = "<table>\n<tr><th>a</th></tr>\n<tr><td>1</td><td>2</td></tr>\n</table>";
        let mistake = read(page, "").unwrap_err();
        assert_eq!((mistake.line, mistake.message.as_str()), (3, "expected 1 cells as in the header, found 2"));
        assert_eq!(read("\n<table><tr><th>a</th></tr>", "").unwrap_err().line, 2);
    }
}
