//! The sheets of an Excel workbook, which may hold several tables below each other.

use std::collections::BTreeMap;
use std::io::Cursor;

use calamine::{Data, DataRef, Reader as _, Xlsx, XlsxError};

use super::record::{MalformedInput, Record, add_captures};
use super::record_list::RecordList;
use super::workbook_archive;
use crate::contribute::recipe::Compiled;
use crate::values::text::one_line;

/// One record for each row of each table of the sheets that the recipe wants; rows without a cell are skipped. A cell is
/// named by its column's header and by the letters of its column (`{col.B}`), `{sheet}` is the sheet, and `{facts.name}` what
/// the sheets of facts say.
pub(super) fn records(bytes: &[u8], compiled: &Compiled<'_>) -> Result<Vec<Record>, MalformedInput> {
    let broken = |error: &dyn std::fmt::Display| MalformedInput::new(0, format!("expected an XLSX workbook: {error}"));
    let unpacked = workbook_archive::unpacked(bytes)?;
    let mut book: Xlsx<_> = Xlsx::new(Cursor::new(unpacked.as_slice())).map_err(|error| broken(&error))?;
    let is_of_facts = |name: &String| compiled.facts.as_ref().is_some_and(|pattern| pattern.is_match(name));
    let (of_facts, of_records): (Vec<String>, Vec<String>) = book.sheet_names().into_iter().partition(is_of_facts);
    let mut facts = BTreeMap::new();
    for name in &of_facts {
        let (rows, first) = rows_of(&mut book, name)?;
        facts.extend(rows.iter().filter_map(|(_, cells)| fact(&cells[first..])));
    }
    let mut records = RecordList::default();
    for name in &of_records {
        let mut context = facts.clone();
        context.insert("sheet".to_owned(), name.clone());
        if compiled.sheet.as_ref().is_some_and(|pattern| !add_captures(pattern, name, &mut context)) {
            continue;
        }
        let place = |line| format!("{name}:{line}");
        add_rows(rows_of(&mut book, name)?.0, &context, compiled, &place, &mut records)?;
    }
    Ok(records.into_records())
}

/// Columns that a table of results may have; a sheet may have 16,384 (support.microsoft.com: Excel specifications and limits).
const MOST_COLUMNS: u32 = 4096;

/// Cells of a sheet with all that stand empty before them, so that a few that lie far out do not fill the memory.
const MOST_CELLS: usize = 2_000_000;

/// Rows of a sheet, each with its number from 1 and the texts of its cells from the first column to the last one in use.
type SheetRows = Vec<(usize, Vec<String>)>;

/// The rows of a sheet that have a cell, and the first column in use. They are read cell by cell: what the sheet says of its own
/// extent is not believed.
fn rows_of(book: &mut Xlsx<Cursor<&[u8]>>, sheet: &str) -> Result<(SheetRows, usize), MalformedInput> {
    let broken = |error: XlsxError| MalformedInput::new(0, format!("expected an XLSX workbook: {error}"));
    let mut cells = match book.worksheet_cells_reader(sheet) {
        Ok(cells) => cells,
        // A chart has no cells.
        Err(XlsxError::NotAWorksheet(_)) => return Ok((Vec::new(), 0)),
        Err(error) => return Err(broken(error)),
    };
    let mut rows: BTreeMap<u32, Vec<(u32, String)>> = BTreeMap::new();
    let (mut first, mut end) = (u32::MAX, 0);
    while let Some(cell) = cells.next_cell().map_err(broken)? {
        let (row, column) = cell.get_position();
        if matches!(cell.get_value(), DataRef::Empty) {
            continue;
        }
        rows.entry(row).or_default().push((column, text(cell.get_value())));
        (first, end) = (first.min(column), end.max(column.saturating_add(1)));
        if end > MOST_COLUMNS || rows.len() * end as usize > MOST_CELLS {
            let limits =
                format!("{MOST_COLUMNS} columns and {MOST_CELLS} cells, those before the last one in each row counted");
            let message = format!("expected at most {limits}, in the sheet `{sheet}`");
            return Err(MalformedInput::new(row as usize + 1, message));
        }
    }
    let whole = |cells: Vec<(u32, String)>| {
        let mut texts = vec![String::new(); end as usize];
        for (column, text) in cells {
            texts[column as usize] = text;
        }
        texts
    };
    let rows: SheetRows = rows.into_iter().map(|(row, cells)| (row as usize + 1, whole(cells))).collect();
    Ok((rows, first.min(end) as usize))
}

/// A row of a sheet of facts: `facts.` and the first cell, and the second one.
fn fact(cells: &[String]) -> Option<(String, String)> {
    let (name, value) = (cells.first()?, cells.get(1)?);
    (!name.is_empty() && !value.is_empty()).then(|| (format!("facts.{name}"), value.clone()))
}

/// Adds the records of one sheet's rows, each with its number, of which `place` makes the record's place.
fn add_rows(
    rows: impl IntoIterator<Item = (usize, Vec<String>)>,
    context: &BTreeMap<String, String>,
    compiled: &Compiled<'_>,
    place: &dyn Fn(usize) -> String,
    records: &mut RecordList,
) -> Result<(), MalformedInput> {
    // The names of the columns and what the header says, below a header.
    let mut table: Option<(Vec<String>, BTreeMap<String, String>)> = None;
    let mut begun = false;
    let mut begins_at = 0;
    for (line, cells) in rows.into_iter().filter(|(_, cells)| cells.iter().any(|cell| !cell.is_empty())) {
        let joined = cells.join("|");
        let mut said = context.clone();
        let begins = match &compiled.header {
            Some(pattern) => add_captures(pattern, &joined, &mut said),
            None => !begun,
        };
        begun = true;
        if begins {
            table = Some((cells, said));
            begins_at = line;
        } else if compiled.reset.as_ref().is_some_and(|reset| reset.is_match(&joined)) {
            table = None;
        } else if let Some((header, said)) = &table {
            let mut values = said.clone();
            for (at, cell) in cells.iter().enumerate() {
                values.insert(format!("col.{}", letters(at)), cell.clone());
            }
            let named = header.iter().zip(&cells).filter(|(name, _)| !name.is_empty());
            values.extend(named.map(|(name, cell)| (name.clone(), cell.clone())));
            records.push(Record { place: place(line), table: begins_at, ..Record::new(values, line) })?;
        }
    }
    Ok(())
}

/// A cell as text, without doubled blanks. A workbook keeps 0.411 as 0.41100000000000003; Excel shows and computes 15 digits
/// (support.microsoft.com: Excel specifications and limits, number precision), so no more are taken.
fn text(cell: &DataRef<'_>) -> String {
    match cell {
        DataRef::Float(number) => format!("{number:.14e}").parse::<f64>().unwrap_or(*number).to_string(),
        other => one_line(&Data::from(other.clone()).to_string()),
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
        let mut records = RecordList::default();
        let compiled = recipe.table[0].compiled().unwrap();
        add_rows(rows, &BTreeMap::new(), &compiled, &|line| line.to_string(), &mut records).unwrap();
        let records = records.into_records();
        let told: Vec<_> =
            records.iter().map(|r| (r.line, r.values["kind"].as_str(), r.values["M"].as_str())).collect();
        assert_eq!(told, [(4, "Dense", "1"), (7, "Sparse", "2")]);
        assert_eq!(records[0].values["col.A"], "a");
    }

    #[test]
    fn a_number_has_the_digits_that_the_sheet_can_show() {
        let shown =
            [0.41100000000000003, 2.6216999999999997, 12.333333333333334, 64.0].map(|n| text(&DataRef::Float(n)));
        assert_eq!(shown, ["0.411", "2.6217", "12.3333333333333", "64"]);
    }

    #[test]
    fn a_row_of_facts_is_a_name_and_its_value() {
        let cells = |texts: [&str; 2]| texts.map(str::to_owned);
        let found = fact(&cells(["CUDA Version", "10.1.243"]));
        assert_eq!(found, Some(("facts.CUDA Version".to_owned(), "10.1.243".to_owned())));
        assert_eq!(fact(&cells(["HCA Version", ""])), None);
        assert_eq!(fact(&cells(["NVIDIA DGX-1", ""])[..1]), None);
    }

    #[test]
    fn columns_have_letters() {
        assert_eq!([0, 25, 26, 701, 702].map(letters), ["A", "Z", "AA", "ZZ", "AAA"]);
    }
}
