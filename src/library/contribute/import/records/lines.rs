//! Reads delimited values and log lines, in the encodings that programs write.

use std::borrow::Cow;
use std::collections::BTreeMap;

use regex::Regex;

use super::record::{LineNumbers, MalformedInput, Record, RecordList, add_captures};
use crate::contribute::recipe::Compiled;
use crate::values::text::one_line;

/// One record for each row. A row whose number of cells differs from the header's is an error.
pub(super) fn records(text: &str, delimiter: u8) -> Result<Vec<Record>, MalformedInput> {
    let mut reader = csv::ReaderBuilder::new().delimiter(delimiter).from_reader(text.as_bytes());
    let header = reader.headers().map_err(|error| MalformedInput::new(1, error.to_string()))?.clone();
    if header.iter().all(str::is_empty) {
        return Err(MalformedInput::new(1, "expected a header with the names of the columns"));
    }
    let mut records = RecordList::default();
    let mut lines = LineNumbers::of(text);
    for row in reader.records() {
        let row = row.map_err(|error| MalformedInput::of_csv(&error, text))?;
        let line = row.position().map_or(0, |position| lines.at(position));
        let values =
            header.iter().zip(row.iter()).map(|(name, cell)| (one_line(name), cell.trim().to_owned())).collect();
        records.push(Record::new(values, line))?;
    }
    Ok(records.into_records())
}

/// Returns the text without the line `sep=;` (which tells Excel the delimiter), and the delimiter: the one in the
/// recipe, else the one in that line, else the one the header uses.
///
/// # Errors
///
/// When the recipe's delimiter is not one byte.
pub(super) fn delimiter(text: &str, stated: Option<char>) -> Result<(Cow<'_, str>, u8), MalformedInput> {
    let byte = |c: char| {
        let told = || MalformedInput::new(0, format!("`delimiter = \"{c}\"` is not one character of ASCII"));
        u8::try_from(c).ok().filter(u8::is_ascii).ok_or_else(told)
    };
    let first = text.lines().next().unwrap_or_default();
    let told = first.strip_prefix("sep=").and_then(|rest| rest.chars().next());
    // The `sep=` line becomes an empty line, so that line numbers stay the same.
    let text = if told.is_some() { Cow::Owned(text.replacen(first, "", 1)) } else { Cow::Borrowed(text) };
    let header = text.lines().find(|line| !line.trim().is_empty()).unwrap_or_default();
    let of_header = || [';', '\t', '|'].into_iter().find(|c| header.contains(*c)).filter(|_| !header.contains(','));
    let delimiter = byte(stated.or(told).or_else(of_header).unwrap_or(','))?;
    Ok((text, delimiter))
}

/// Windows-1252 from 0x80 to 0x9F (unicode.org: CP1252.TXT); the other bytes are Latin-1.
const WINDOWS: [char; 32] = [
    '€', '\u{81}', '‚', 'ƒ', '„', '…', '†', '‡', 'ˆ', '‰', 'Š', '‹', 'Œ', '\u{8d}', 'Ž', '\u{8f}', '\u{90}', '‘', '’',
    '“', '”', '•', '–', '—', '˜', '™', 'š', '›', 'œ', '\u{9d}', 'ž', 'Ÿ',
];

/// Decodes UTF-8, UTF-16 with a byte order mark, else Windows-1252. The byte order mark is removed.
pub(super) fn text(bytes: &[u8]) -> Cow<'_, str> {
    let wide = |bytes: &[u8], of: fn([u8; 2]) -> u16| {
        let units: Vec<u16> = bytes.chunks_exact(2).map(|pair| of([pair[0], pair[1]])).collect();
        Cow::Owned(String::from_utf16_lossy(&units))
    };
    match bytes {
        [0xFF, 0xFE, rest @ ..] => wide(rest, u16::from_le_bytes),
        [0xFE, 0xFF, rest @ ..] => wide(rest, u16::from_be_bytes),
        [0xEF, 0xBB, 0xBF, rest @ ..] => String::from_utf8_lossy(rest),
        _ => match std::str::from_utf8(bytes) {
            Ok(text) => Cow::Borrowed(text),
            // Text with multi-byte characters and a damaged byte is still UTF-8.
            Err(_) if bytes.windows(2).any(|pair| pair[0] >= 0xC3 && (0x80..0xC0).contains(&pair[1])) => {
                String::from_utf8_lossy(bytes)
            }
            Err(_) => Cow::Owned(bytes.iter().map(|byte| windows(*byte)).collect()),
        },
    }
}

fn windows(byte: u8) -> char {
    match byte {
        0x80..=0x9F => WINDOWS[usize::from(byte - 0x80)],
        _ => char::from(byte),
    }
}

/// One record for each line that the recipe's `line` matches, with the state set by the lines above it.
pub(super) fn lines_records(text: &str, compiled: &Compiled<'_>) -> Result<Vec<Record>, MalformedInput> {
    let mut records = RecordList::default();
    let mut said: BTreeMap<String, String> = BTreeMap::new();
    for (at, line) in text.lines().enumerate() {
        if compiled.reset.as_ref().is_some_and(|reset| reset.is_match(line)) {
            said.clear();
        }
        for state in &compiled.state {
            add_state(state, line, &mut said);
        }
        let mut values = said.clone();
        if compiled.line.as_ref().is_some_and(|pattern| add_captures(pattern, line, &mut values)) {
            records.push(Record::new(values, at + 1))?;
        }
    }
    Ok(records.into_records())
}

/// Adds what a line sets for the lines below. If the pattern has a group `key`, its text becomes a suffix: `{name.0}`.
fn add_state(pattern: &Regex, line: &str, said: &mut BTreeMap<String, String>) {
    let mut found = BTreeMap::new();
    if !add_captures(pattern, line, &mut found) {
        return;
    }
    match found.remove("key") {
        Some(key) => said.extend(found.into_iter().map(|(name, value)| (format!("{name}.{key}"), value))),
        None => said.extend(found),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::contribute::recipe::Recipe;

    #[test]
    fn the_character_is_the_stated_one_that_of_excel_or_that_of_the_header() {
        let of = |text: &str, stated| delimiter(text, stated).map(|(_, byte)| char::from(byte));
        assert_eq!(of("a;b\n1,5;2", None), Ok(';'));
        assert_eq!(of("a, mean;b\n1;2", Some(';')), Ok(';'));
        assert_eq!(of("sep=;\na,x;b\n1;2", None), Ok(';'));
        assert_eq!(of("a,b\n1;2,3", None), Ok(','));
        assert!(of("a§b", Some('§')).unwrap_err().message.contains("ASCII"));
        let (text, byte) = delimiter("sep=;\na;b\n1;2\n", None).unwrap();
        assert_eq!(records(&text, byte).unwrap()[0].line, 3);
    }

    #[test]
    fn a_row_has_its_own_line_whatever_ends_the_lines() {
        for end in ["\n", "\r\n", "\r"] {
            let text = ["a,b", "1,2", "\"3", "4\",5", "", "6,7", "8"].join(end);
            let good = text.strip_suffix("8").unwrap();
            let lines: Vec<usize> = records(good, b',').unwrap().iter().map(|row| row.line).collect();
            assert_eq!(lines, [2, 3, 6], "{end:?}");
            assert_eq!(records(&text, b',').unwrap_err().line, 7, "{end:?}");
        }
    }

    #[test]
    fn the_encodings_of_spreadsheets_are_read() {
        assert_eq!(text("\u{feff}Gerät".as_bytes()), "Gerät");
        assert_eq!(text(b"\xFF\xFEa\0\xE4\0"), "aä");
        assert_eq!(text(b"Ger\xE4t \x96 10 \x80"), "Gerät – 10 €");
        assert_eq!(text(b"\xC3\xA4 \xFF"), "ä \u{fffd}");
    }

    #[test]
    fn a_state_with_a_key_is_kept_for_each_of_its_keys() {
        let pattern = Regex::new(r"^\[(?P<key>\d+) (?P<gpu>[^\]]+)\]").unwrap();
        let mut said = BTreeMap::new();
        for line in ["[0 NVIDIA RTX]  queueC=1", "[1 Intel UHD]  queueC=1", "[1 Intel UHD]  fp16=1", "gpu_device = 1"] {
            add_state(&pattern, line, &mut said);
        }
        let expected = [("gpu.0", "NVIDIA RTX"), ("gpu.1", "Intel UHD")];
        assert_eq!(said, expected.map(|(name, value)| (name.to_owned(), value.to_owned())).into());
    }

    #[test]
    fn a_line_knows_what_was_said_above_it_since_the_reset() {
        let recipe = Recipe::parse(
            "[[table]]\nfiles = \"*\"\nformat = \"lines\"\nbatch = \"b\"\nreset = \"^### \"\n\
             state = [\"^### (?P<device>.*)\", \"^threads = (?P<threads>\\\\d+)\"]\nline = \"^(?P<net>\\\\w+) +avg = +(?P<avg>[0-9.]+)\"\n[table.set]\n",
        )
        .unwrap();
        let compiled = recipe.table[0].compiled().unwrap();
        let records = lines_records("### A\nthreads = 4\nnet  avg =  6.90\n### B\nnet avg = 7\n", &compiled).unwrap();
        let value = |at: usize, name: &str| records[at].values.get(name).map(String::as_str);
        assert_eq!((value(0, "device"), value(0, "threads"), value(0, "avg")), (Some("A"), Some("4"), Some("6.90")));
        assert_eq!((value(1, "device"), value(1, "threads"), records[1].line), (Some("B"), None, 5));
    }
}
