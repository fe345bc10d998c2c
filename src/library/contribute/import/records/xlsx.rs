//! Reads the sheets of an Excel workbook, unpacked within a size limit because some kilobytes can expand to gigabytes.

use std::collections::BTreeMap;
use std::io::{Cursor, Read as _};
use std::sync::LazyLock;

use calamine::{Data, DataRef, Reader as _, Xlsx, XlsxError};
use flate2::Crc;
use flate2::read::DeflateDecoder;
use regex::bytes::Regex;

use super::record::RecordList;
use super::record::{MalformedInput, Record, add_captures};
use crate::contribute::recipe::Compiled;
use crate::values::text::one_line;

/// One record for each row of each table in the sheets that the recipe selects; empty rows are skipped. A cell is named
/// by its column's header and by its column's letters (`{col.B}`), `{sheet}` is the sheet's name, and `{facts.name}`
/// comes from the sheets of facts.
pub(super) fn records(bytes: &[u8], compiled: &Compiled<'_>) -> Result<Vec<Record>, MalformedInput> {
    let broken = |error: &dyn std::fmt::Display| MalformedInput::new(0, format!("expected an XLSX workbook: {error}"));
    let unpacked = unpacked(bytes)?;
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

/// Maximum columns of a table of results; a sheet may have 16,384 (support.microsoft.com: Excel specifications and limits).
const MOST_COLUMNS: u32 = 4096;

/// Maximum cells of a sheet, including the empty cells before used ones, so that a few distant cells cannot exhaust memory.
const MOST_CELLS: usize = 2_000_000;

/// The rows of a sheet: row number from 1, and the texts of its cells from the first column to the last used one.
type SheetRows = Vec<(usize, Vec<String>)>;

/// The non-empty rows of a sheet, and the first used column. Reads cell by cell, because the extent that a sheet
/// declares may be wrong.
fn rows_of(book: &mut Xlsx<Cursor<&[u8]>>, sheet: &str) -> Result<(SheetRows, usize), MalformedInput> {
    let broken = |error: XlsxError| MalformedInput::new(0, format!("expected an XLSX workbook: {error}"));
    let mut cells = match book.worksheet_cells_reader(sheet) {
        Ok(cells) => cells,
        // A chart sheet has no cells.
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

/// Reads a row of a sheet of facts: `facts.` plus the first cell is the name, the second cell is the value.
fn fact(cells: &[String]) -> Option<(String, String)> {
    let (name, value) = (cells.first()?, cells.get(1)?);
    (!name.is_empty() && !value.is_empty()).then(|| (format!("facts.{name}"), value.clone()))
}

/// Adds the records of one sheet's rows; `place` turns a row number into the record's place.
fn add_rows(
    rows: impl IntoIterator<Item = (usize, Vec<String>)>,
    context: &BTreeMap<String, String>,
    compiled: &Compiled<'_>,
    place: &dyn Fn(usize) -> String,
    records: &mut RecordList,
) -> Result<(), MalformedInput> {
    // The column names of the current table and the values from its header, once a header was seen.
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

/// A cell as text, with single blanks. A workbook stores 0.411 as 0.41100000000000003; Excel shows and computes 15 digits
/// (support.microsoft.com: Excel specifications and limits, number precision), so the number is rounded to 15 digits.
fn text(cell: &DataRef<'_>) -> String {
    match cell {
        DataRef::Float(number) => format!("{number:.14e}").parse::<f64>().unwrap_or(*number).to_string(),
        other => one_line(&Data::from(other.clone()).to_string()),
    }
}

/// The letters of a column: `A` … `Z`, `AA` …
fn letters(at: usize) -> String {
    let last = char::from(b'A' + (at % 26) as u8);
    match at / 26 {
        0 => last.to_string(),
        more => format!("{}{last}", letters(more - 1)),
    }
}

/// Maximum bytes of all parts that are read, unpacked; about the size of a million cells. Smaller in tests, to keep
/// them fast.
const MOST_UNPACKED: u64 = if cfg!(test) { 4 << 20 } else { 64 << 20 };

/// Maximum number of parts (sheets and what belongs to each) in a workbook.
const MOST_PARTS: usize = 4096;

const LOCAL: &[u8] = b"PK\x03\x04";

const ENTRY: &[u8] = b"PK\x01\x02";

const END: &[u8] = b"PK\x05\x06";

/// Compression methods of ZIP entries.
const STORED: u16 = 0;

const DEFLATED: u16 = 8;

/// Rewrites a workbook as an archive that contains the parts needed for its sheets, uncompressed.
///
/// # Errors
///
/// When the input is not a ZIP archive, or exceeds the size limit.
pub(super) fn unpacked(bytes: &[u8]) -> Result<Vec<u8>, MalformedInput> {
    let entries = entries(bytes).ok_or_else(|| broken("it is not a ZIP archive"))?;
    if entries.len() > MOST_PARTS
        || entries.iter().fold(0, |sum: u64, entry| sum.saturating_add(entry.size)) > MOST_UNPACKED
    {
        return Err(too_large());
    }
    let mut archive = NewArchive::default();
    for entry in entries {
        let content = entry.content(bytes, MOST_UNPACKED - archive.unpacked)?;
        refuse_places_outside(&content)?;
        archive.add(entry.name, &content);
    }
    Ok(archive.finish())
}

/// A cell reference or an area in a part: `B7`, `A1:C9`.
static PLACE: LazyLock<Regex> = LazyLock::new(|| {
    Regex::new(r#"\s(?:r|ref)\s*=\s*["']([A-Za-z]*)([0-9]*)(?::([A-Za-z]*)([0-9]*))?["']"#).expect("it is tested")
});

/// Rejects references beyond the last column (XFD) or row (1048576) of a sheet, and areas that end before they begin,
/// because calamine computes with them unchecked.
fn refuse_places_outside(part: &[u8]) -> Result<(), MalformedInput> {
    /// Number of letters of the last column and digits of the last row (support.microsoft.com: Excel specifications and limits).
    const LONGEST: (usize, usize) = (3, 7);
    let number = |text: &[u8], base: u32, digit: fn(u8) -> u32| {
        text.iter().fold(0_u32, |number, byte| number * base + digit(byte.to_ascii_uppercase()))
    };
    for found in PLACE.captures_iter(part) {
        let text = |at: usize| found.get(at).map_or(&b""[..], |text| text.as_bytes());
        let corners = [(text(1), text(2)), (text(3), text(4))];
        let is_long = corners.iter().any(|(letters, digits)| letters.len() > LONGEST.0 || digits.len() > LONGEST.1);
        let place = |(letters, digits): (&[u8], &[u8])| {
            (number(letters, 26, |byte| u32::from(byte - b'A') + 1), number(digits, 10, |byte| u32::from(byte - b'0')))
        };
        let is_reversed = || {
            let ((first, top), (last, bottom)) = (place(corners[0]), place(corners[1]));
            found.get(3).is_some() && (last < first || bottom < top)
        };
        if is_long || is_reversed() {
            let named = String::from_utf8_lossy(&found[0]);
            return Err(broken(&format!("`{}` is not a place of a sheet", named.trim())));
        }
    }
    Ok(())
}

fn broken(why: &str) -> MalformedInput {
    MalformedInput::new(0, format!("expected an XLSX workbook: {why}"))
}

fn too_large() -> MalformedInput {
    let limit = MOST_UNPACKED >> 20;
    MalformedInput::new(
        0,
        format!("expected a workbook of at most {MOST_PARTS} parts and {limit} MiB when it is unpacked"),
    )
}

/// A part, as described in the archive's central directory.
struct ArchiveEntry<'b> {
    name: &'b [u8],
    method: u16,
    is_encrypted: bool,
    packed: u64,
    size: u64,
    offset: u64,
}

/// The parts that hold text; pictures and programs are skipped because they hold no measurements.
fn entries(bytes: &[u8]) -> Option<Vec<ArchiveEntry<'_>>> {
    /// Bytes of the end-of-directory record, which a comment may follow.
    const END_LENGTH: usize = 22;
    const LONGEST_COMMENT: usize = u16::MAX as usize;
    let from = bytes.len().saturating_sub(END_LENGTH + LONGEST_COMMENT);
    let end = from + bytes[from..].windows(END.len()).rposition(|window| window == END)?;
    let count = u16_at(bytes, end + 10)?;
    let mut at = usize::try_from(u32_at(bytes, end + 16)?).ok()?;
    let mut entries = Vec::new();
    for _ in 0..count {
        if bytes.get(at..at + ENTRY.len())? != ENTRY {
            return None;
        }
        let [name, extra, comment] = [28, 30, 32].map(|offset| u16_at(bytes, at + offset).map(usize::from));
        let (name, extra, comment) = (name?, extra?, comment?);
        let from = at + 46;
        let mut entry = ArchiveEntry {
            name: bytes.get(from..from + name)?,
            method: u16_at(bytes, at + 10)?,
            is_encrypted: u16_at(bytes, at + 8)? & 1 == 1,
            packed: u32_at(bytes, at + 20)?.into(),
            size: u32_at(bytes, at + 24)?.into(),
            offset: u32_at(bytes, at + 42)?.into(),
        };
        entry.read_large_numbers(bytes.get(from + name..from + name + extra)?);
        if [&b".xml"[..], b".rels"].iter().any(|end| entry.name.to_ascii_lowercase().ends_with(end)) {
            entries.push(entry);
        }
        at = from + name + extra + comment;
    }
    Some(entries)
}

impl ArchiveEntry<'_> {
    /// Reads the 64-bit sizes and offset (ZIP64), which are in an extra field when the 32-bit ones are all ones.
    fn read_large_numbers(&mut self, mut extra: &[u8]) {
        const LARGE: u16 = 1;
        while let (Some(kind), Some(length)) = (u16_at(extra, 0), u16_at(extra, 2)) {
            let Some(field) = extra.get(4..4 + usize::from(length)) else { return };
            if kind == LARGE {
                let mut numbers =
                    field.chunks_exact(8).map(|bytes| bytes.iter().rev().fold(0, |n, b| n << 8 | u64::from(*b)));
                for number in [&mut self.size, &mut self.packed, &mut self.offset] {
                    if *number == u64::from(u32::MAX) {
                        *number = numbers.next().unwrap_or(*number);
                    }
                }
            }
            extra = &extra[4 + usize::from(length)..];
        }
    }

    /// The unpacked content of the part, at most `left` bytes.
    fn content(&self, bytes: &[u8], left: u64) -> Result<Vec<u8>, MalformedInput> {
        let name = String::from_utf8_lossy(self.name).into_owned();
        let packed = self.packed_bytes(bytes).ok_or_else(|| broken(&format!("`{name}` is not whole")))?;
        let mut content = Vec::new();
        match self.method {
            _ if self.is_encrypted => return Err(broken("it is encrypted")),
            STORED => content.extend_from_slice(&packed[..packed.len().min(left as usize + 1)]),
            DEFLATED => {
                let read = DeflateDecoder::new(packed).take(left + 1).read_to_end(&mut content);
                read.map_err(|error| broken(&format!("`{name}`: {error}")))?;
            }
            other => return Err(broken(&format!("`{name}` is packed by the method {other}"))),
        }
        if content.len() as u64 > left {
            return Err(too_large());
        }
        Ok(content)
    }

    fn packed_bytes<'b>(&self, bytes: &'b [u8]) -> Option<&'b [u8]> {
        let at = usize::try_from(self.offset).ok()?;
        if bytes.get(at..at.checked_add(LOCAL.len())?)? != LOCAL {
            return None;
        }
        let start = at + 30 + usize::from(u16_at(bytes, at + 26)?) + usize::from(u16_at(bytes, at + 28)?);
        bytes.get(start..start.checked_add(usize::try_from(self.packed).ok()?)?)
    }
}

fn u16_at(bytes: &[u8], at: usize) -> Option<u16> {
    Some(u16::from_le_bytes(bytes.get(at..at + 2)?.try_into().ok()?))
}

fn u32_at(bytes: &[u8], at: usize) -> Option<u32> {
    Some(u32::from_le_bytes(bytes.get(at..at + 4)?.try_into().ok()?))
}

/// An archive of uncompressed parts.
#[derive(Default)]
struct NewArchive {
    bytes: Vec<u8>,
    directory: Vec<u8>,
    parts: u16,
    unpacked: u64,
}

impl NewArchive {
    fn add(&mut self, name: &[u8], content: &[u8]) {
        let mut sum = Crc::new();
        sum.update(content);
        // Version, flags, method, time and date.
        let mut shared = vec![20, 0, 0, 0, 0, 0, 0, 0, 0, 0];
        for number in [sum.sum(), content.len() as u32, content.len() as u32, name.len() as u32] {
            shared.extend(number.to_le_bytes());
        }
        let offset = self.bytes.len() as u32;
        self.directory.extend([ENTRY, &[20, 0], &shared, &[0; 10], &offset.to_le_bytes(), name].concat());
        self.bytes.extend([LOCAL, &shared, name].concat());
        self.bytes.extend(content);
        self.parts += 1;
        self.unpacked += content.len() as u64;
    }

    fn finish(mut self) -> Vec<u8> {
        let (start, length) = (self.bytes.len() as u32, self.directory.len() as u32);
        self.bytes.append(&mut self.directory);
        let parts = self.parts.to_le_bytes();
        self.bytes
            .extend([END, &[0; 4], &parts, &parts, &length.to_le_bytes(), &start.to_le_bytes(), &[0; 2]].concat());
        self.bytes
    }
}

#[cfg(test)]
mod tests {
    use std::io::Write as _;

    use flate2::Compression;
    use flate2::write::DeflateEncoder;

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

    /// An archive with one compressed part whose directory entry states a wrong size.
    fn packed(content: &[u8], stated: u32) -> Vec<u8> {
        let mut encoder = DeflateEncoder::new(Vec::new(), Compression::fast());
        encoder.write_all(content).unwrap();
        let packed = encoder.finish().unwrap();
        let mut archive = NewArchive::default();
        archive.add(b"a.xml", &packed);
        archive.directory[10] = DEFLATED as u8;
        archive.directory[24..28].copy_from_slice(&stated.to_le_bytes());
        archive.finish()
    }

    #[test]
    fn places_outside_every_sheet_are_refused() {
        let of = |cell: &str| refuse_places_outside(format!("<c {cell}><v>1</v></c>").as_bytes());
        for place in ["r=\"XFD1048576\"", "ref='A1:B3'", "r:id=\"rIdABCDEFGH12345678901\"", "ref=\"A1\"", "r=\"12\""] {
            assert!(of(place).is_ok(), "{place}");
        }
        for place in ["r=\"ABCDEFGH1\"", "r=\"A99999999999\"", " r = 'ZZZZZZZ1'", "ref=\"B3:A1\"", "ref=\"A3:A1\""] {
            let told = of(place).unwrap_err().message;
            assert!(told.contains("is not a place of a sheet"), "{place}: {told}");
        }
    }

    #[test]
    fn what_is_unpacked_is_packed_no_more() {
        let archive = unpacked(&packed(b"<a/>", 4)).unwrap();
        assert!(archive.windows(4).any(|window| window == b"<a/>"));
        assert_eq!(unpacked(&archive).unwrap(), archive);
        assert!(unpacked(b"PK\x05\x06").is_err() && unpacked(b"").is_err());
    }

    #[test]
    fn a_workbook_that_is_large_or_says_so_is_refused() {
        let bomb = packed(&vec![b' '; MOST_UNPACKED as usize + 1], 4);
        assert!(bomb.len() < 1 << 20);
        for archive in [bomb, packed(b"<a/>", u32::MAX)] {
            let told = unpacked(&archive).unwrap_err().message;
            assert!(told.contains("at most 4096 parts and 4 MiB"), "{told}");
        }
    }
}
