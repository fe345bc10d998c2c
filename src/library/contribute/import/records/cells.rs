//! The conventions of table cells: multi-row headings, merged cells, footnotes, decimal commas.

use std::collections::{BTreeMap, HashSet};
use std::sync::LazyLock;

use regex::{Captures, Regex};

use super::record::{MalformedInput, Record};
use crate::contribute::recipe::{Compiled, DecimalMark};
use crate::values::text::one_line;

/// Cell contents that mean "same as the cell above".
const DITTO: &[&str] = &[
    "",
    "-",
    "–",
    "—",
    "\"",
    "\"\"",
    "''",
    ",,",
    "”",
    "″",
    "〃",
    "„",
    "^",
    "↑",
    "…",
    "...",
    "ditto",
    "do.",
    "same",
    "(same)",
    "same as above",
    "as above",
];

/// Fills empty and ditto cells of these columns with the last value above, within each table.
pub(super) fn fill(records: &mut [Record], columns: &[String]) {
    let mut carried: BTreeMap<&str, String> = BTreeMap::new();
    let mut table = None;
    for record in records {
        if table != Some(record.table) {
            carried.clear();
            table = Some(record.table);
        }
        for (at, column) in columns.iter().enumerate() {
            let cell = record.values.get(column).map(String::as_str);
            match cell {
                Some(cell) if !DITTO.contains(&cell.trim().to_lowercase().as_str()) => {
                    let cell = cell.to_owned();
                    if carried.get(column.as_str()) != Some(&cell) {
                        columns[at + 1..].iter().for_each(|inner| drop(carried.remove(inner.as_str())));
                    }
                    carried.insert(column, cell);
                }
                _ => match carried.get(column.as_str()) {
                    Some(above) => drop(record.values.insert(column.clone(), above.clone())),
                    // A ditto mark with nothing above it means an empty cell.
                    None => {
                        if let Some(cell) = record.values.get_mut(column) {
                            cell.clear();
                        }
                    }
                },
            }
        }
    }
}

/// The name of each column: its headings from top to bottom, joined by ` / `. Skips empty headings and one that repeats
/// the heading above it (a cell that spans rows). `line` is the line where the headings begin.
///
/// # Errors
///
/// When several headings give two columns the same name, so that one would hide the other.
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

/// Like [`column_names`] for a page whose cells cannot span columns: an empty upper heading repeats the one to its left.
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

/// A footnote mark `[^1]` in a cell.
static MARK: LazyLock<Regex> =
    LazyLock::new(|| Regex::new(r"\s*\[\^([^\]\s]{1,20})\]").expect("the pattern is tested"));

/// A footnote on its own line: `[^1]: text`, `<sup>1</sup> text`, `† text` or `\* text`.
static DEFINITION: LazyLock<Regex> = LazyLock::new(|| {
    let plain = r"\[\^(?P<a>[^\]\s]{1,20})\]:";
    let raised = r"<sup>(?P<b>[^<\s]{1,3})</sup>:?";
    let symbol = r"(?P<c>\\\*{1,3}|[†‡§]{1,2}|[¹²³⁴⁵⁶⁷⁸⁹])\)?:?";
    Regex::new(&format!(r"^\s*(?:[-_]\s*)?(?:{plain}|{raised}|{symbol})\s*(?P<text>\S.*)$"))
        .expect("the pattern is tested")
});

/// A raised footnote mark, as in `12<sup>1</sup>`.
static RAISED: LazyLock<Regex> =
    LazyLock::new(|| Regex::new(r"<sup>([^<\s]{1,3})</sup>").expect("the pattern is tested"));

static SYMBOL: LazyLock<Regex> = LazyLock::new(|| {
    Regex::new(r"^([~<>]?\s*\d[\d.,]*(?:\s*[a-zA-Z/%]+)?)\s*(\\?\*{1,3}|[†‡§]{1,2}|[¹²³⁴⁵⁶⁷⁸⁹])$")
        .expect("the pattern is tested")
});

/// The footnotes of a page, by mark.
#[derive(Debug, Default)]
pub(super) struct Footnotes(BTreeMap<String, String>);

impl Footnotes {
    /// Collects the footnotes of a page.
    pub fn of(page: &str) -> Self {
        let mut notes = BTreeMap::new();
        for found in page.lines().filter_map(|line| DEFINITION.captures(line)) {
            let mark = found.name("a").or_else(|| found.name("b")).or_else(|| found.name("c"));
            if let Some(mark) = mark {
                notes.entry(mark.as_str().replace('\\', "")).or_insert_with(|| one_line(&found["text"]));
            }
        }
        Self(notes)
    }

    /// Rewrites raised marks of this page's footnotes in a table row as `[^1]`.
    pub fn raised<'r>(&self, row: &'r str) -> std::borrow::Cow<'r, str> {
        RAISED.replace_all(row, |found: &regex::Captures<'_>| match self.0.contains_key(&found[1]) {
            true => format!("[^{}]", &found[1]),
            false => found[0].to_owned(),
        })
    }

    /// Removes the footnote marks from the cells of a record and attaches their footnotes.
    pub fn take_marks(&self, record: &mut Record) {
        for (name, cell) in &mut record.values {
            let mut marks: Vec<String> = MARK.captures_iter(cell).map(|found| found[1].to_owned()).collect();
            if !marks.is_empty() {
                *cell = MARK.replace_all(cell, "").into_owned();
            } else if let Some(found) =
                SYMBOL.captures(cell).filter(|found| self.0.contains_key(&found[2].replace('\\', "")))
            {
                marks.push(found[2].replace('\\', ""));
                *cell = found[1].to_owned();
            }
            let told =
                |mark: &String| self.0.get(mark).cloned().unwrap_or_else(|| format!("the source marks it with {mark}"));
            if !marks.is_empty() {
                record.notes.insert(name.clone(), marks.iter().map(told).collect::<Vec<_>>().join("; "));
            }
        }
    }
}

/// A cell that is a single number, with an optional sign before it and unit after it.
static NUMBER: LazyLock<Regex> = LazyLock::new(|| {
    let number = r"\d(?:[\d.,'’\u{a0}\u{202f} ]*\d)?";
    Regex::new(&format!(r"^([~≈<>=+−-]*\s*)({number})((?:[eE][+-]?\d+)?\s*[^\d.,]*)$")).expect("the pattern is tested")
});

/// Numbers with separators inside a longer text.
static FIGURES: LazyLock<Regex> = LazyLock::new(|| Regex::new(r"\d[\d.,]*\d|\d").expect("the pattern is tested"));

/// What the separators of a number tell about the decimal mark.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Shape {
    /// `850`: no separator.
    Whole,
    /// Decimal comma: `17,89`, `2.733,64`, `0,411`.
    Comma,
    /// Decimal point: `17.89`, `2,733.64`, `1,234,567`.
    Point,
    /// Ambiguous comma: `1,163`.
    EitherComma,
    /// Ambiguous point: `1.163`.
    EitherPoint,
    /// Not a number: `3,224,22` is a list.
    None,
}

fn shape(number: &str) -> Shape {
    let marks: Vec<char> = number.chars().filter(|c| matches!(c, ',' | '.')).collect();
    let [first, .., last] = marks.as_slice() else {
        let Some(mark) = marks.first() else { return Shape::Whole };
        let (whole, decimals) = number.split_once(*mark).unwrap_or((number, ""));
        let may_be_thousands = decimals.len() == 3 && (1..=3).contains(&whole.len()) && !whole.starts_with('0');
        return match (mark, may_be_thousands) {
            (',', true) => Shape::EitherComma,
            (',', false) => Shape::Comma,
            (_, true) => Shape::EitherPoint,
            (_, false) => Shape::Point,
        };
    };
    let whole = number.rsplit_once(*last).map_or(number, |(whole, _)| whole);
    match (first, last, marks.iter().all(|mark| mark == first)) {
        (',', ',', true) if is_grouped(number, ',') => Shape::Point,
        ('.', '.', true) if is_grouped(number, '.') => Shape::Comma,
        ('.', ',', _) if is_grouped(whole, '.') => Shape::Comma,
        (',', '.', _) if is_grouped(whole, ',') => Shape::Point,
        _ => Shape::None,
    }
}

/// Whether the digits are in groups of three between the marks.
fn is_grouped(number: &str, mark: char) -> bool {
    let mut groups = number.split(mark);
    let first = groups.next().unwrap_or_default();
    let figures = |group: &str| group.bytes().all(|byte| byte.is_ascii_digit());
    (1..=3).contains(&first.len()) && figures(first) && groups.all(|group| group.len() == 3 && figures(group))
}

/// Number of values of each shape in a column, and the first ambiguous value with its line.
#[derive(Debug, Default)]
struct Column {
    whole: usize,
    comma: usize,
    point: usize,
    either: Option<(String, usize)>,
    either_comma: usize,
    either_point: usize,
    comma_sample: String,
}

impl Column {
    fn add(&mut self, number: &str, line: usize) {
        match shape(number) {
            Shape::Whole => self.whole += 1,
            Shape::Comma => {
                self.comma += 1;
                self.comma_sample = number.to_owned();
            }
            Shape::Point => self.point += 1,
            Shape::EitherComma => {
                self.either_comma += 1;
                self.either.get_or_insert((number.to_owned(), line));
            }
            Shape::EitherPoint => {
                self.either_point += 1;
                if self.either_comma == 0 {
                    self.either.get_or_insert((number.to_owned(), line));
                }
            }
            Shape::None => {}
        }
    }
}

/// Rewrites decimal commas in all records as decimal points, where the recipe says that the file has commas.
///
/// # Errors
///
/// When a column that the recipe reads has numbers that could be read either way.
pub(super) fn to_point(records: &mut [Record], compiled: &Compiled<'_>) -> Result<(), MalformedInput> {
    let decimal = compiled.part.decimal;
    if decimal == Some(DecimalMark::Point)
        || !records.iter().any(|record| record.values.values().any(|cell| cell.contains(',')))
    {
        return Ok(());
    }
    let mut columns: BTreeMap<String, Column> = BTreeMap::new();
    for record in records.iter() {
        for (name, cell) in &record.values {
            if let Some(found) = NUMBER.captures(cell) {
                columns.entry(name.clone()).or_default().add(&without_blanks(&found[2]), record.line);
            }
        }
    }
    columns.retain(|name, _| !name.is_empty() && compiled.reads_number(name));
    match decimal {
        Some(DecimalMark::Point) => {}
        Some(DecimalMark::Comma) => {
            for (name, column) in &columns {
                if column.point > 0 && column.comma > 0 {
                    return Err(mixed(name, column));
                }
            }
            let keeps_points: Vec<&String> =
                columns.iter().filter(|(_, column)| column.point > 0).map(|(name, _)| name).collect();
            for record in records {
                for (_, cell) in record.values.iter_mut().filter(|(name, _)| !keeps_points.contains(name)) {
                    if let Some(plain) = plain(cell) {
                        *cell = plain;
                    }
                }
            }
        }
        None => {
            let of_file = |count: fn(&Column) -> usize| columns.values().map(count).sum::<usize>();
            let (commas, points) = (of_file(|column| column.comma), of_file(|column| column.point));
            for (name, column) in &columns {
                let told = match () {
                    () if column.comma > 0 => column.either_comma > 0 || column.either_point > 0 && column.point == 0,
                    () if column.either_comma == 0 || column.point + column.whole > 0 => false,
                    () => commas > 0 || points == 0,
                };
                if told {
                    return Err(either(name, column));
                }
            }
        }
    }
    Ok(())
}

fn mixed(name: &str, column: &Column) -> MalformedInput {
    let message = format!(
        "`{name}` has numbers with a decimal comma ({}) and others with a decimal point: the recipe says `decimal = \",\"`",
        column.comma_sample
    );
    MalformedInput::new(0, message)
}

fn either(name: &str, column: &Column) -> MalformedInput {
    let (number, line) = column.either.clone().unwrap_or_default();
    let (thousand, decimal) = (number.replace([',', '.'], ""), number.replace(',', "."));
    let message = format!(
        "`{name}` reads in two ways: `{number}` is {thousand} or {decimal}; say `decimal = \",\"` (a comma before the \
         decimals) or `decimal = \".\"` in the recipe"
    );
    MalformedInput::new(line, message)
}

/// Removes the blanks and apostrophes that separate thousands.
fn without_blanks(number: &str) -> String {
    number.chars().filter(|c| !matches!(c, ' ' | '\'' | '’' | '\u{a0}' | '\u{202f}')).collect()
}

/// The cell with decimal commas turned into points; `None` if it stays unchanged.
fn plain(cell: &str) -> Option<String> {
    let point = |number: &str| number.replace('.', "").replace(',', ".");
    if let Some(found) = NUMBER.captures(cell) {
        let number = without_blanks(&found[2]);
        return match shape(&number) {
            Shape::Comma | Shape::EitherComma | Shape::EitherPoint => {
                Some(format!("{}{}{}", &found[1], point(&number), &found[3]))
            }
            Shape::Whole if number != found[2] => Some(format!("{}{number}{}", &found[1], &found[3])),
            _ => None,
        };
    }
    let replaced = FIGURES.replace_all(cell, |found: &Captures<'_>| match shape(&found[0]) {
        Shape::Comma | Shape::EitherComma => point(&found[0]),
        _ => found[0].to_owned(),
    });
    (replaced != cell).then(|| replaced.into_owned())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::contribute::recipe::Recipe;

    #[test]
    fn a_cell_is_carried_down_within_its_table_and_its_group() {
        let row = |table: usize, gpu: &str, net: &str| {
            let values = [("GPU", gpu), ("Net", net)].map(|(name, cell)| (name.to_owned(), cell.to_owned()));
            Record { table, ..Record::new(values.into(), 1) }
        };
        let mut records = [row(1, "A", "x"), row(1, "", "-"), row(1, "B", ""), row(1, "〃", "y"), row(2, "", "z")];
        fill(&mut records, &["GPU".to_owned(), "Net".to_owned()]);
        let told: Vec<String> = records.iter().map(|r| format!("{}{}", r.values["GPU"], r.values["Net"])).collect();
        assert_eq!(told, ["Ax", "Ax", "B", "By", "z"]);
    }

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

    #[test]
    fn a_mark_becomes_the_note_of_its_cell() {
        let page = "| a |\n|-|\n| 1[^x] |\n\n[^x]: with the fan\n<sup>2</sup> at night\n\\* of two runs\n† hot\n";
        let notes = Footnotes::of(page);
        for (cell, plain, note) in [
            ("92.15[^x]", "92.15", Some("with the fan")),
            ("92.15 [^9]", "92.15", Some("the source marks it with 9")),
            ("7*", "7", Some("of two runs")),
            ("7.5 ms†", "7.5 ms", Some("hot")),
            ("7‡", "7‡", None),
            ("A*", "A*", None),
            ("", "", None),
        ] {
            let mut record = Record::new([("c".to_owned(), cell.to_owned())].into(), 1);
            notes.take_marks(&mut record);
            assert_eq!(
                (record.values["c"].as_str(), record.notes.get("c").map(String::as_str)),
                (plain, note),
                "{cell}"
            );
        }
        assert_eq!(notes.raised("| 92.15<sup>2</sup> | 10<sup>6</sup> |"), "| 92.15[^2] | 10<sup>6</sup> |");
    }

    fn read(cells: &[&str], decimal: &str) -> Result<Vec<String>, MalformedInput> {
        let recipe = format!(
            "[[table]]\nfiles = \"*\"\nformat = \"csv\"\nbatch = \"b\"\n{decimal}\n[table.set]\nlatency-ms = \"{{ms}}\"\n"
        );
        let recipe = Recipe::parse(&recipe).unwrap();
        let compiled = recipe.table[0].compiled().unwrap();
        let record = |cell: &&str| Record::new([("ms".to_owned(), (*cell).to_owned())].into(), 2);
        let mut records: Vec<Record> = cells.iter().map(record).collect();
        to_point(&mut records, &compiled)?;
        Ok(records.into_iter().map(|record| record.values["ms"].clone()).collect())
    }

    #[test]
    fn a_decimal_comma_becomes_a_point_where_the_recipe_says_so() {
        let cells = ["1,163", "23,412 ms", "1.024,000", "62", "28,5 ± 0,3", "3,224,22", "1 024,5", "k. A."];
        let expected = ["1.163", "23.412 ms", "1024.000", "62", "28.5 ± 0.3", "3,224,22", "1024.5", "k. A."];
        assert_eq!(read(&cells, "decimal = \",\"").unwrap(), expected);
    }

    #[test]
    fn a_column_that_reads_both_ways_is_refused() {
        for cells in [&["1,163", "2.733,64"][..], &["1,163", "17,89"], &["1,163", "2,500"], &["2.733", "859,85"]] {
            let told = read(cells, "").unwrap_err().message;
            assert!(told.contains("`ms` reads in two ways") && told.contains("decimal = \",\""), "{told}");
        }
        assert!(read(&["17,89", "12.5"], "decimal = \",\"").unwrap_err().message.contains("decimal point"));
    }

    #[test]
    fn a_column_that_shows_its_mark_is_read() {
        for cells in [&["1,163", "23.4"][..], &["1,163", "850"], &["1,234,567", "1,163"], &["17,89", "0,411"]] {
            assert_eq!(read(cells, "").unwrap(), cells);
        }
        assert_eq!(read(&["1,163", "2,500"], "decimal = \".\"").unwrap(), ["1,163", "2,500"]);
    }
}
