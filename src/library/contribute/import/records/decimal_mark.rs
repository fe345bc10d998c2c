//! Numbers with a decimal comma, and columns of which nobody can tell which mark they have.

use std::collections::BTreeMap;
use std::sync::LazyLock;

use regex::{Captures, Regex};

use super::record::{MalformedInput, Record};
use crate::contribute::recipe::{Compiled, DecimalMark};

/// A cell that is one number, perhaps with a sign before it and a unit behind it.
static NUMBER: LazyLock<Regex> = LazyLock::new(|| {
    let number = r"\d(?:[\d.,'’\u{a0}\u{202f} ]*\d)?";
    Regex::new(&format!(r"^([~≈<>=+−-]*\s*)({number})((?:[eE][+-]?\d+)?\s*[^\d.,]*)$")).expect("the pattern is tested")
});
/// Figures with marks between them, in a longer text.
static FIGURES: LazyLock<Regex> = LazyLock::new(|| Regex::new(r"\d[\d.,]*\d|\d").expect("the pattern is tested"));

/// What a number says of the decimal mark.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Shape {
    /// `850`: nothing.
    Whole,
    /// `17,89`, `2.733,64`, `0,411`.
    Comma,
    /// `17.89`, `2,733.64`, `1,234,567`.
    Point,
    /// `1,163`.
    EitherComma,
    /// `1.163`.
    EitherPoint,
    /// `3,224,22` is a list.
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

/// Whether figures stand in groups of three between marks.
fn is_grouped(number: &str, mark: char) -> bool {
    let mut groups = number.split(mark);
    let first = groups.next().unwrap_or_default();
    let figures = |group: &str| group.bytes().all(|byte| byte.is_ascii_digit());
    (1..=3).contains(&first.len()) && figures(first) && groups.all(|group| group.len() == 3 && figures(group))
}

/// How many numbers of a column have each shape, and the first of those that could be read in two ways.
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

/// Writes the numbers of all records with a decimal point where the recipe says that they have a comma.
///
/// # Errors
///
/// When a column that the recipe reads has numbers that could be meant either way.
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

/// A number without the blanks and apostrophes between its thousands.
fn without_blanks(number: &str) -> String {
    number.chars().filter(|c| !matches!(c, ' ' | '\'' | '’' | '\u{a0}' | '\u{202f}')).collect()
}

/// A cell whose numbers have a decimal point; `None` where it stays as it is.
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
