//! The sheets of an Excel workbook, which may hold several tables below each other.

use std::collections::BTreeMap;
use std::io::Cursor;

use calamine::{Data, Reader, Xlsx};

use super::record::{MalformedInput, Record, add_captures};
use crate::contribute::recipe::Compiled;
use crate::values::text::one_line;

/// One record for each row of each table of the sheets that the recipe wants; rows without a cell are skipped. A cell is
/// named by its column's header and by the letters of its column (`{col.B}`), `{sheet}` is the sheet, and `{facts.name}` what
/// the sheets of facts say.
pub(super) fn records(bytes: &[u8], compiled: &Compiled<'_>) -> Result<Vec<Record>, MalformedInput> {
    let broken = |error: &dyn std::fmt::Display| MalformedInput::new(0, format!("expected an XLSX workbook: {error}"));
    let mut book: Xlsx<_> = Xlsx::new(Cursor::new(bytes)).map_err(|error| broken(&error))?;
    let is_of_facts = |name: &String| compiled.facts.as_ref().is_some_and(|pattern| pattern.is_match(name));
    let (of_facts, of_records): (Vec<String>, Vec<String>) = book.sheet_names().into_iter().partition(is_of_facts);
    let mut facts = BTreeMap::new();
    for name in &of_facts {
        let range = book.worksheet_range(name).map_err(|error| broken(&error))?;
        facts.extend(range.rows().filter_map(fact));
    }
    let mut records = Vec::new();
    for name in &of_records {
        let mut context = facts.clone();
        context.insert("sheet".to_owned(), name.clone());
        if compiled.sheet.as_ref().is_some_and(|pattern| !add_captures(pattern, name, &mut context)) {
            continue;
        }
        let range = book.worksheet_range(name).map_err(|error| broken(&error))?;
        let (first_row, first_column) = range.start().unwrap_or_default();
        let rows = range.rows().enumerate().map(|(at, row)| {
            let cells = std::iter::repeat_n(String::new(), first_column as usize).chain(row.iter().map(text)).collect();
            (first_row as usize + at + 1, cells)
        });
        for mut record in of_sheet(rows, &context, compiled) {
            record.place = format!("{name}:{}", record.line);
            records.push(record);
        }
    }
    Ok(records)
}

/// A row of a sheet of facts: `facts.` and the first cell, and the second one.
fn fact(row: &[Data]) -> Option<(String, String)> {
    let (name, value) = (text(row.first()?), text(row.get(1)?));
    (!name.is_empty() && !value.is_empty()).then(|| (format!("facts.{name}"), value))
}

/// The records of one sheet's rows, each with its number.
fn of_sheet(
    rows: impl Iterator<Item = (usize, Vec<String>)>,
    context: &BTreeMap<String, String>,
    compiled: &Compiled<'_>,
) -> Vec<Record> {
    let mut records = Vec::new();
    // The names of the columns and what the header says, below a header.
    let mut table: Option<(Vec<String>, BTreeMap<String, String>)> = None;
    let mut begun = false;
    for (line, cells) in rows.filter(|(_, cells)| cells.iter().any(|cell| !cell.is_empty())) {
        let joined = cells.join("|");
        let mut said = context.clone();
        let begins = match &compiled.header {
            Some(pattern) => add_captures(pattern, &joined, &mut said),
            None => !begun,
        };
        begun = true;
        if begins {
            table = Some((cells, said));
        } else if compiled.reset.as_ref().is_some_and(|reset| reset.is_match(&joined)) {
            table = None;
        } else if let Some((header, said)) = &table {
            let mut values = said.clone();
            for (at, cell) in cells.iter().enumerate() {
                values.insert(format!("col.{}", letters(at)), cell.clone());
            }
            let named = header.iter().zip(&cells).filter(|(name, _)| !name.is_empty());
            values.extend(named.map(|(name, cell)| (name.clone(), cell.clone())));
            records.push(Record::new(values, line));
        }
    }
    records
}

/// A cell as text, without doubled blanks. A workbook keeps 0.411 as 0.41100000000000003; Excel shows and computes 15 digits
/// (support.microsoft.com: Excel specifications and limits, number precision), so no more are taken.
fn text(cell: &Data) -> String {
    match cell {
        Data::Float(number) => format!("{number:.14e}").parse::<f64>().unwrap_or(*number).to_string(),
        other => one_line(&other.to_string()),
    }
}

/// `A` … `Z`, `AA` …
fn letters(at: usize) -> String {
    let last = char::from(b'A' + (at % 26) as u8);
    match at / 26 {
        0 => last.to_string(),
        more => format!("{}{last}", letters(more - 1)),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::contribute::recipe::Recipe;

    #[test]
    fn tables_below_each_other_have_their_own_headers() {
        let recipe = Recipe::parse(
            "[[table]]\nfiles = \"*\"\nformat = \"xlsx\"\nbatch = \"b\"\nheader = \"^(?P<kind>\\\\w+)\\\\|M\"\nreset = \"^End\"\n[table.set]\n",
        )
        .unwrap();
        let rows = ["Made by X|", "|", "Dense|M", "a|1", "|", "Sparse|M", "|2", "End|", "c|3"];
        let rows = rows.iter().enumerate().map(|(at, row)| (at + 1, row.split('|').map(str::to_owned).collect()));
        let records = of_sheet(rows, &BTreeMap::new(), &recipe.table[0].compiled().unwrap());
        let told: Vec<_> =
            records.iter().map(|r| (r.line, r.values["kind"].as_str(), r.values["M"].as_str())).collect();
        assert_eq!(told, [(4, "Dense", "1"), (7, "Sparse", "2")]);
        assert_eq!(records[0].values["col.A"], "a");
    }

    #[test]
    fn a_number_has_the_digits_that_the_sheet_can_show() {
        let shown = [0.41100000000000003, 2.6216999999999997, 12.333333333333334, 64.0].map(|n| text(&Data::Float(n)));
        assert_eq!(shown, ["0.411", "2.6217", "12.3333333333333", "64"]);
    }

    #[test]
    fn a_row_of_facts_is_a_name_and_its_value() {
        let cells = |texts: [&str; 2]| texts.map(|text| Data::String(text.to_owned()));
        let found = fact(&cells(["CUDA  Version", " 10.1.243"]));
        assert_eq!(found, Some(("facts.CUDA Version".to_owned(), "10.1.243".to_owned())));
        assert_eq!(fact(&cells(["HCA Version", ""])), None);
        assert_eq!(fact(&cells(["NVIDIA DGX-1", ""])[..1]), None);
    }

    #[test]
    fn columns_have_letters() {
        assert_eq!([0, 25, 26, 701, 702].map(letters), ["A", "Z", "AA", "ZZ", "AAA"]);
    }
}
