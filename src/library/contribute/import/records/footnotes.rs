//! Footnotes of cells: the mark leaves the cell, and what it stands for becomes a note of the row.

use std::collections::BTreeMap;
use std::sync::LazyLock;

use regex::Regex;

use super::record::Record;
use crate::values::text::one_line;

/// `[^1]` in a cell.
static MARK: LazyLock<Regex> =
    LazyLock::new(|| Regex::new(r"\s*\[\^([^\]\s]{1,20})\]").expect("the pattern is tested"));
/// `[^1]: text`, `<sup>1</sup> text`, `† text` or `\* text` as a line of its own.
static DEFINITION: LazyLock<Regex> = LazyLock::new(|| {
    let plain = r"\[\^(?P<a>[^\]\s]{1,20})\]:";
    let raised = r"<sup>(?P<b>[^<\s]{1,3})</sup>:?";
    let symbol = r"(?P<c>\\\*{1,3}|[†‡§]{1,2}|[¹²³⁴⁵⁶⁷⁸⁹])\)?:?";
    Regex::new(&format!(r"^\s*(?:[-_]\s*)?(?:{plain}|{raised}|{symbol})\s*(?P<text>\S.*)$"))
        .expect("the pattern is tested")
});
/// A figure with a mark behind it.
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
    /// Finds them.
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

    /// A row of a table in which raised marks of this page's footnotes are written as `[^1]`.
    pub fn raised<'r>(&self, row: &'r str) -> std::borrow::Cow<'r, str> {
        RAISED.replace_all(row, |found: &regex::Captures<'_>| match self.0.contains_key(&found[1]) {
            true => format!("[^{}]", &found[1]),
            false => found[0].to_owned(),
        })
    }

    /// Takes the marks out of the cells of a record.
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

#[cfg(test)]
mod tests {
    use super::*;

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
}
