//! The tables of the database; reads measurements, and the setups, workloads, protocols and batches that they share.

use std::collections::BTreeMap;
use std::sync::{Arc, LazyLock};

use rusqlite::{Connection, Row, params};
use strum::VariantArray;

use super::{Database, DatabaseError};
use crate::model::{CODE_DIGITS, Field, FieldType, Measurement, MeasurementKey, Metric, Part, SharedPart, Value};
use crate::values::{Decimal, EntityId, ParseError};

/// Number of digits in a code.
pub(super) const CODE_LENGTH: usize = 10;

/// Columns of the `measurement` table.
const ROW: &str = "setup, workload, protocol, batch, figures";

impl Database {
    /// Number of measurements of each source.
    pub fn measurements_by_source(&self) -> Result<BTreeMap<String, u64>, DatabaseError> {
        let mut select = self.connection.prepare_cached("SELECT source, sum(rows) FROM setup GROUP BY source")?;
        let rows = select.query_map([], |row| Ok((row.get(0)?, row.get::<_, i64>(1)? as u64)))?;
        Ok(rows.collect::<Result<_, _>>()?)
    }

    /// The measurements in these rows, in the order of `rows`.
    pub fn measurements(&self, rows: &[u64]) -> Result<Vec<Measurement>, DatabaseError> {
        let mut select = self.connection.prepare_cached(&format!("SELECT {ROW} FROM measurement WHERE row = ?1"))?;
        let mut found = Vec::with_capacity(rows.len());
        for row in rows {
            let mut result = select.query([*row as i64])?;
            if let Some(row) = result.next()? {
                found.push(self.measurement(row)?);
            }
        }
        Ok(found)
    }

    /// The measurements whose id begins with `prefix`, at most `limit`, sorted by code.
    pub fn measurements_by_prefix(&self, prefix: &str, limit: usize) -> Result<Vec<Measurement>, DatabaseError> {
        let (source, code) = prefix.split_once(':').unwrap_or((prefix, ""));
        let Some((least, most)) = codes_from(code) else {
            return Ok(Vec::new());
        };
        // If the prefix ends within the source, there is no code.
        let of_source = if prefix.contains(':') { "source = ?1" } else { "substr(source, 1, length(?1)) = ?1" };
        let mut select = self.connection.prepare_cached(&format!(
            "SELECT {ROW} FROM code JOIN measurement USING (row)
             WHERE code BETWEEN ?2 AND ?3 AND setup IN (SELECT id FROM setup WHERE {of_source})
             ORDER BY code LIMIT ?4"
        ))?;
        let mut result = select.query(params![source, least, most, limit as i64])?;
        let mut found = Vec::new();
        while let Some(row) = result.next()? {
            found.push(self.measurement(row)?);
        }
        Ok(found)
    }

    /// A label or note of each of these rows, in the order of `rows`; reads nothing else.
    pub fn remarks_of(&self, rows: &[u64], field: Field) -> Result<Vec<Option<Arc<str>>>, DatabaseError> {
        let mut select = self.connection.prepare_cached("SELECT figures FROM measurement WHERE row = ?1")?;
        let mut found = Vec::with_capacity(rows.len());
        for row in rows {
            let mut result = select.query([*row as i64])?;
            let Some(row) = result.next()? else { continue };
            let figures = decode(row.get_ref(0)?.as_blob().map_err(rusqlite::Error::from)?)?;
            let number = figures.into_iter().find(|(key, _)| *key == MeasurementKey::Field(field));
            let text = number.map(|(_, number)| self.value(field, number)).transpose()?;
            found.push(text.map(|text| match text {
                Value::Text(text) => text,
                other => other.to_string().into(),
            }));
        }
        Ok(found)
    }

    /// The setups, workloads, protocols or batches with these numbers, which must be sorted and unique.
    pub fn shares(&self, part: Part, numbers: &[u32]) -> Result<Vec<SharedPart>, DatabaseError> {
        /// A look-up takes as long as scanning this number of rows.
        const PASSED_OVER: usize = 8;
        let [first, .., last] = numbers else {
            return numbers.iter().map(|number| self.share(part, *number)).collect();
        };
        if numbers.len().saturating_mul(PASSED_OVER) < (last - first) as usize {
            return numbers.iter().map(|number| self.share(part, *number)).collect();
        }
        let between = format!("{} WHERE id BETWEEN ?1 AND ?2 ORDER BY id", select_shares(part));
        let mut select = self.connection.prepare_cached(&between)?;
        let mut rows = select.query([first, last])?;
        let mut shares = Vec::with_capacity(numbers.len());
        for number in *first..=*last {
            let Some(row) = rows.next()? else { break };
            if numbers.get(shares.len()) == Some(&number) {
                shares.push(share(part, row)?);
            }
        }
        Ok(shares)
    }

    /// Calls `visit` for each label and note, with its number.
    pub fn visit_remarks(&self, mut visit: impl FnMut(u32, &str)) -> Result<(), DatabaseError> {
        let mut select = self.connection.prepare_cached("SELECT id, text FROM remark")?;
        let mut rows = select.query([])?;
        while let Some(row) = rows.next()? {
            visit(row.get(0)?, &row.get::<_, String>(1)?);
        }
        Ok(())
    }

    /// The value of a field of an individual row, which is stored as a number: the value itself, or the id of a remark.
    fn value(&self, field: Field, number: Decimal) -> Result<Value, DatabaseError> {
        Ok(match field.kind() {
            FieldType::Number => Value::Number(number),
            FieldType::Count => Value::Count(number.value() as i64),
            _ => Value::Text(self.remarks.get_or(number.value() as i64, |number| -> Result<_, DatabaseError> {
                let mut select = self.connection.prepare_cached("SELECT text FROM remark WHERE id = ?1")?;
                Ok(select.query_row([number], |row| row.get::<_, String>(0))?.into())
            })?),
        })
    }

    /// One setup, workload, protocol or batch.
    fn share(&self, part: Part, number: u32) -> Result<SharedPart, DatabaseError> {
        let mut select = self.connection.prepare_cached(&format!("{} WHERE id = ?1", select_shares(part)))?;
        let mut rows = select.query([number])?;
        match rows.next()? {
            Some(row) => share(part, row),
            None => Err(ParseError::expected(format!("a {part} of the number {number}")).into()),
        }
    }

    /// Reads a measurement and merges the parts that it shares with others.
    fn measurement(&self, row: &Row<'_>) -> Result<Measurement, DatabaseError> {
        let mut fields = Vec::new();
        let mut source: Option<EntityId> = None;
        for (at, &part) in Part::VARIANTS.iter().enumerate() {
            let number: u32 = row.get(at)?;
            let share = self.shares.get_or((part, number), |_| self.share(part, number).map(Arc::new))?;
            fields.extend(share.fields.iter().cloned());
            source = source.or_else(|| share.source.clone());
        }
        let mut metrics = Vec::new();
        for (figure, number) in decode(row.get_ref(4)?.as_blob().map_err(rusqlite::Error::from)?)? {
            match figure {
                MeasurementKey::Metric(metric) => metrics.push((metric, number)),
                MeasurementKey::Field(field) => fields.push((field, self.value(field, number)?)),
            }
        }
        let source = source.ok_or_else(|| ParseError::expected("a setup with a source"))?;
        Ok(Measurement::new(source, fields, metrics))
    }
}

fn select_shares(part: Part) -> &'static str {
    static OF_PARTS: LazyLock<Vec<String>> = LazyLock::new(|| {
        let columns = |part: &Part| Field::of_part(*part).map(column).collect::<Vec<_>>().join(", ");
        Part::VARIANTS
            .iter()
            .map(|part| format!("SELECT rows, source, metrics, {} FROM {part}", columns(part)))
            .collect()
    });
    &OF_PARTS[part as usize]
}

fn share(part: Part, row: &Row<'_>) -> Result<SharedPart, DatabaseError> {
    let mut fields = Vec::new();
    for (at, field) in Field::of_part(part).enumerate() {
        let at = 3 + at;
        let value = match field.kind() {
            FieldType::Count => row.get::<_, Option<i64>>(at)?.map(Value::Count),
            FieldType::Number => {
                row.get::<_, Option<String>>(at)?.map(|number| number.parse().map(Value::Number)).transpose()?
            }
            _ => row.get::<_, Option<String>>(at)?.map(|text| Value::Text(text.into())),
        };
        fields.extend(value.map(|value| (field, value)));
    }
    let source = row.get::<_, Option<String>>(1)?.map(|source| source.parse()).transpose()?;
    let metrics: Option<String> = row.get(2)?;
    let metrics = metrics.iter().flat_map(|metrics| metrics.split(' ')).filter_map(|metric| metric.parse().ok());
    Ok(SharedPart { source, fields, metrics: metrics.collect(), rows: row.get::<_, i64>(0)? as u64 })
}

/// Converts a code to a number that sorts like its text.
pub(super) fn code_number(code: &str) -> Option<i64> {
    let digit = |c: u8| CODE_DIGITS.iter().position(|digit| *digit == c);
    code.bytes().try_fold(0, |number, c| Some(number << 5 | digit(c)? as i64))
}

/// The smallest and largest number of a code with this prefix; `None` if there is none.
fn codes_from(beginning: &str) -> Option<(i64, i64)> {
    let open = CODE_LENGTH.checked_sub(beginning.len())? as u32 * 5;
    let least = code_number(beginning)? << open;
    Some((least, least | ((1 << open) - 1)))
}

/// Creates the empty tables.
pub(super) fn create_tables(connection: &Connection) -> Result<(), DatabaseError> {
    connection.execute_batch(
        "CREATE TABLE entity (kind TEXT NOT NULL, id TEXT NOT NULL, body TEXT NOT NULL, PRIMARY KEY (kind, id)) WITHOUT ROWID;
         CREATE TABLE definition (list TEXT NOT NULL, position INTEGER NOT NULL, body TEXT NOT NULL, PRIMARY KEY (list, position)) WITHOUT ROWID;
         CREATE TABLE lineage (kind TEXT NOT NULL, id TEXT NOT NULL, ancestor TEXT NOT NULL, PRIMARY KEY (kind, id, ancestor)) WITHOUT ROWID;
         CREATE INDEX descendants ON lineage (kind, ancestor);
         CREATE TABLE name (normal TEXT NOT NULL, facet TEXT NOT NULL, value TEXT NOT NULL, kind TEXT NOT NULL, PRIMARY KEY (normal, facet, value, kind)) WITHOUT ROWID;
         CREATE TABLE fact (fact TEXT NOT NULL, kind TEXT NOT NULL, id TEXT NOT NULL, number REAL, word TEXT);
         CREATE INDEX fact_of_kind ON fact (fact, kind);
         CREATE TABLE skipped (path TEXT PRIMARY KEY, line INTEGER, why TEXT NOT NULL, measurements INTEGER NOT NULL) WITHOUT ROWID;
         CREATE TABLE remark (id INTEGER PRIMARY KEY, text TEXT NOT NULL);
         CREATE TABLE code (code INTEGER PRIMARY KEY, row INTEGER NOT NULL);
         CREATE TABLE measurement (
             row INTEGER PRIMARY KEY,
             setup INTEGER NOT NULL, workload INTEGER NOT NULL, protocol INTEGER NOT NULL, batch INTEGER NOT NULL,
             figures BLOB NOT NULL);",
    )?;
    for &part in Part::VARIANTS {
        let columns: Vec<String> = Field::of_part(part).map(|f| format!("{} {}", column(f), column_type(f))).collect();
        connection.execute_batch(&format!(
            "CREATE TABLE {part} (id INTEGER PRIMARY KEY, rows INTEGER NOT NULL, source TEXT, metrics TEXT, {})",
            columns.join(", ")
        ))?;
    }
    Ok(())
}

/// The name of a field's column.
pub(super) fn column(field: Field) -> String {
    field.json_key()
}

/// The SQLite type of a field's column.
fn column_type(field: Field) -> &'static str {
    match field.kind() {
        FieldType::Count => "INTEGER",
        // Stored as text, so that a decimal keeps its digits.
        _ => "TEXT",
    }
}

/// Keys from here on are fields, those below are metrics.
const FIRST_FIELD: u8 = 128;

/// Flag in the byte of decimals: the number is stored as the eight bytes of a float.
const WHOLE: u8 = 0x80;

fn packed(key: MeasurementKey) -> u8 {
    match key {
        MeasurementKey::Metric(metric) => metric as u8,
        MeasurementKey::Field(field) => FIRST_FIELD + field as u8,
    }
}

fn unpacked(key: u8) -> Option<MeasurementKey> {
    match key.checked_sub(FIRST_FIELD) {
        None => Metric::VARIANTS.get(usize::from(key)).copied().map(MeasurementKey::Metric),
        Some(field) => Field::VARIANTS.get(usize::from(field)).copied().map(MeasurementKey::Field),
    }
}

/// Appends a figure to the encoded figures of a row.
pub(super) fn encode(figure: MeasurementKey, value: Decimal, bytes: &mut Vec<u8>) {
    bytes.push(packed(figure));
    match digits(value) {
        Some(digits) => {
            bytes.push(value.decimals());
            let mut rest = ((digits << 1) ^ (digits >> 63)) as u64;
            while rest >= 0x80 {
                bytes.push(rest as u8 | 0x80);
                rest >>= 7;
            }
            bytes.push(rest as u8);
        }
        None => {
            bytes.push(value.decimals() | WHOLE);
            bytes.extend(value.value().to_le_bytes());
        }
    }
}

/// Decodes figures, in the order in which they were appended.
pub(super) fn decode(mut bytes: &[u8]) -> Result<Vec<(MeasurementKey, Decimal)>, ParseError> {
    let mut figures = Vec::new();
    while !bytes.is_empty() {
        figures.push(next(&mut bytes).ok_or_else(|| ParseError::expected("figures, not a damaged row"))?);
    }
    Ok(figures)
}

fn next(bytes: &mut &[u8]) -> Option<(MeasurementKey, Decimal)> {
    let figure = unpacked(take(bytes)?)?;
    let decimals = take(bytes)?;
    let value = if decimals & WHOLE != 0 {
        let (float, rest) = bytes.split_first_chunk()?;
        *bytes = rest;
        f64::from_le_bytes(*float)
    } else {
        let mut digits: u64 = 0;
        let mut shift = 0;
        loop {
            let byte = take(bytes)?;
            digits |= u64::from(byte & 0x7f).checked_shl(shift)?;
            shift += 7;
            if byte & 0x80 == 0 {
                break;
            }
        }
        let digits = (digits >> 1) as i64 ^ -((digits & 1) as i64);
        digits as f64 / 10f64.powi(i32::from(decimals))
    };
    Some((figure, Decimal::new(value, decimals & !WHOLE)?))
}

fn take(bytes: &mut &[u8]) -> Option<u8> {
    let (first, rest) = bytes.split_first()?;
    *bytes = rest;
    Some(*first)
}

/// The number without its decimal point, if it can be restored from that bit by bit.
fn digits(value: Decimal) -> Option<i64> {
    /// Larger powers of ten are not exact as floats.
    const MOST_DECIMALS: u8 = 22;
    /// Larger whole numbers are not exact as floats.
    const MOST: f64 = 9_007_199_254_740_992.0;
    if value.decimals() > MOST_DECIMALS {
        return None;
    }
    let scale = 10f64.powi(i32::from(value.decimals()));
    let digits = (value.value() * scale).round();
    // Compares with the value as decoded: an integer cannot be negative zero.
    let back = |digits: i64| digits as f64 / scale;
    (digits.abs() <= MOST && back(digits as i64).to_bits() == value.value().to_bits()).then_some(digits as i64)
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn code_text(number: i64) -> String {
        (0..CODE_LENGTH).rev().map(|at| char::from(CODE_DIGITS[(number >> (5 * at) & 31) as usize])).collect()
    }

    #[test]
    fn a_code_is_a_number_and_back() {
        for code in ["0000000000", "7fk2qz9abc", "zzzzzzzzzz"] {
            assert_eq!(code_text(code_number(code).unwrap()), code);
        }
        assert_eq!(code_number("7fk2l"), None, "l is not a digit");
    }

    #[test]
    fn a_beginning_spans_its_codes() {
        let (least, most) = codes_from("7f").unwrap();
        assert_eq!((code_text(least).as_str(), code_text(most).as_str()), ("7f00000000", "7fzzzzzzzz"));
        assert_eq!(codes_from("7fk2qz9abc").map(|(least, most)| least == most), Some(true));
        assert_eq!(codes_from("7fk2qz9abcd"), None);
    }

    fn there_and_back(value: Decimal) -> (Decimal, usize) {
        let mut bytes = Vec::new();
        encode(MeasurementKey::Metric(Metric::LatencyMs), value, &mut bytes);
        let read = decode(&bytes).unwrap();
        assert_eq!(read.len(), 1);
        assert_eq!(read[0].0, MeasurementKey::Metric(Metric::LatencyMs));
        (read[0].1, bytes.len())
    }

    #[test]
    fn a_usual_figure_takes_five_bytes() {
        let value: Decimal = "887.34".parse().unwrap();
        assert_eq!(there_and_back(value), (value, 5));
    }

    #[test]
    fn what_is_damaged_is_an_error() {
        for bytes in [&[255, 0, 1][..], &[0], &[0, 2], &[0, 2, 0x80], &[0, 0x82, 1]] {
            assert!(decode(bytes).is_err(), "{bytes:?}");
        }
    }

    proptest! {
        #[test]
        fn every_number_comes_back_to_the_last_bit(value in proptest::num::f64::NORMAL, decimals in 0u8..31) {
            let value = Decimal::new(value, decimals).unwrap();
            let back = there_and_back(value).0;
            prop_assert_eq!(back.value().to_bits(), value.value().to_bits());
            prop_assert_eq!(back.decimals(), decimals);
        }

        #[test]
        fn every_printed_number_comes_back(text in "-?[0-9]{1,8}\\.[0-9]{0,6}[0-9]") {
            let value: Decimal = text.parse().unwrap();
            prop_assert_eq!(there_and_back(value).0.to_string(), value.to_string());
        }
    }
}
