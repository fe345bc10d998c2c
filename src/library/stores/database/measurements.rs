//! Reading measurements, and the setups, workloads, protocols and batches that they share.

use std::collections::hash_map::Entry;
use std::collections::{BTreeMap, HashMap};
use std::sync::Arc;

use rusqlite::{Row, params};
use strum::VariantArray;

use super::packed_numbers;
use super::schema::column;
use super::{Database, DatabaseError};
use crate::model::{CODE_DIGITS, Field, FieldType, Measurement, MeasurementKey, Part, SharedPart, Value};
use crate::values::{Decimal, EntityId, ParseError};

/// Digits of a code.
pub(super) const CODE_LENGTH: usize = 10;

/// Columns of a measurement's own row.
const ROW: &str = "setup, workload, protocol, batch, figures";

impl Database {
    /// How many measurements each source has.
    pub fn measurements_by_source(&self) -> Result<BTreeMap<String, u64>, DatabaseError> {
        let mut select = self.connection.prepare_cached("SELECT source, sum(rows) FROM setup GROUP BY source")?;
        let rows = select.query_map([], |row| Ok((row.get(0)?, row.get::<_, i64>(1)? as u64)))?;
        Ok(rows.collect::<Result<_, _>>()?)
    }

    /// The measurements of some rows, in the order of `rows`.
    pub fn measurements(&self, rows: &[u64]) -> Result<Vec<Measurement>, DatabaseError> {
        let mut select = self.connection.prepare_cached(&format!("SELECT {ROW} FROM measurement WHERE row = ?1"))?;
        let mut shares = MeasurementReader::new(self);
        let mut found = Vec::with_capacity(rows.len());
        for row in rows {
            let mut result = select.query([*row as i64])?;
            if let Some(row) = result.next()? {
                found.push(shares.measurement(row)?);
            }
        }
        Ok(found)
    }

    /// The measurements whose id begins with `prefix`, at most `limit`, by code.
    pub fn measurements_by_prefix(&self, prefix: &str, limit: usize) -> Result<Vec<Measurement>, DatabaseError> {
        let (source, code) = prefix.split_once(':').unwrap_or((prefix, ""));
        let Some((least, most)) = codes_from(code) else {
            return Ok(Vec::new());
        };
        // A source named in part has no code behind it.
        let of_source = if prefix.contains(':') { "source = ?1" } else { "substr(source, 1, length(?1)) = ?1" };
        let mut select = self.connection.prepare_cached(&format!(
            "SELECT {ROW} FROM code JOIN measurement USING (row)
             WHERE code BETWEEN ?2 AND ?3 AND setup IN (SELECT id FROM setup WHERE {of_source})
             ORDER BY code LIMIT ?4"
        ))?;
        let mut result = select.query(params![source, least, most, limit as i64])?;
        let mut shares = MeasurementReader::new(self);
        let mut found = Vec::new();
        while let Some(row) = result.next()? {
            found.push(shares.measurement(row)?);
        }
        Ok(found)
    }

    /// A label or note of some rows, in the order of `rows`, without reading anything else of them.
    pub fn remarks_of(&self, rows: &[u64], field: Field) -> Result<Vec<Option<Arc<str>>>, DatabaseError> {
        let mut select = self.connection.prepare_cached("SELECT figures FROM measurement WHERE row = ?1")?;
        let mut texts: HashMap<u64, Arc<str>> = HashMap::new();
        let mut found = Vec::with_capacity(rows.len());
        for row in rows {
            let mut result = select.query([*row as i64])?;
            let Some(row) = result.next()? else { continue };
            let figures = packed_numbers::decode(row.get_ref(0)?.as_blob().map_err(rusqlite::Error::from)?)?;
            let number = figures.into_iter().find(|(key, _)| *key == MeasurementKey::Field(field));
            let Some((_, number)) = number else {
                found.push(None);
                continue;
            };
            let text = match texts.entry(number.value() as u64) {
                Entry::Occupied(known) => Arc::clone(known.get()),
                Entry::Vacant(new) => match self.value(field, number)? {
                    Value::Text(text) => Arc::clone(new.insert(text)),
                    other => Arc::clone(new.insert(other.to_string().into())),
                },
            };
            found.push(Some(text));
        }
        Ok(found)
    }

    /// The setups, workloads, protocols or batches of some numbers, which are in order and each there once.
    pub fn shares(&self, part: Part, numbers: &[u32]) -> Result<Vec<SharedPart>, DatabaseError> {
        /// Looking one up takes as long as passing over so many.
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

    /// Shows the labels and notes of measurements with their numbers.
    pub fn visit_remarks(&self, mut visit: impl FnMut(u32, &str)) -> Result<(), DatabaseError> {
        let mut select = self.connection.prepare_cached("SELECT id, text FROM remark")?;
        let mut rows = select.query([])?;
        while let Some(row) = rows.next()? {
            visit(row.get(0)?, &row.get::<_, String>(1)?);
        }
        Ok(())
    }

    /// The value of a field of a row's own, which is kept as a number: itself, or that of a remark.
    fn value(&self, field: Field, number: Decimal) -> Result<Value, DatabaseError> {
        Ok(match field.kind() {
            FieldType::Number => Value::Number(number),
            FieldType::Count => Value::Count(number.value() as i64),
            _ => {
                let mut select = self.connection.prepare_cached("SELECT text FROM remark WHERE id = ?1")?;
                Value::Text(select.query_row([number.value() as i64], |row| row.get::<_, String>(0))?.into())
            }
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
}

/// Puts measurements together, reading each shared part once.
struct MeasurementReader<'s> {
    store: &'s Database,
    known: [HashMap<u32, SharedPart>; Part::VARIANTS.len()],
}

impl<'s> MeasurementReader<'s> {
    fn new(store: &'s Database) -> Self {
        Self { store, known: Default::default() }
    }

    fn measurement(&mut self, row: &Row<'_>) -> Result<Measurement, DatabaseError> {
        let mut fields = Vec::new();
        let mut source: Option<EntityId> = None;
        for (at, &part) in Part::VARIANTS.iter().enumerate() {
            let number: u32 = row.get(at)?;
            let share = match self.known[at].entry(number) {
                Entry::Occupied(known) => known.into_mut(),
                Entry::Vacant(new) => new.insert(self.store.share(part, number)?),
            };
            fields.extend(share.fields.iter().cloned());
            source = source.or_else(|| share.source.clone());
        }
        let mut metrics = Vec::new();
        for (figure, number) in packed_numbers::decode(row.get_ref(4)?.as_blob().map_err(rusqlite::Error::from)?)? {
            match figure {
                MeasurementKey::Metric(metric) => metrics.push((metric, number)),
                MeasurementKey::Field(field) => fields.push((field, self.store.value(field, number)?)),
            }
        }
        let source = source.ok_or_else(|| ParseError::expected("a setup with a source"))?;
        Ok(Measurement::new(source, fields, metrics))
    }
}

fn select_shares(part: Part) -> String {
    let columns: Vec<String> = Field::of_part(part).map(column).collect();
    format!("SELECT rows, source, metrics, {} FROM {part}", columns.join(", "))
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

/// A code as a number that sorts like its text.
pub(super) fn code_number(code: &str) -> Option<i64> {
    let digit = |c: u8| CODE_DIGITS.iter().position(|digit| *digit == c);
    code.bytes().try_fold(0, |number, c| Some(number << 5 | digit(c)? as i64))
}

/// The least and the largest number of a code that begins like this; `None` when none does.
fn codes_from(beginning: &str) -> Option<(i64, i64)> {
    let open = CODE_LENGTH.checked_sub(beginning.len())? as u32 * 5;
    let least = code_number(beginning)? << open;
    Some((least, least | ((1 << open) - 1)))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn code_text(number: i64) -> String {
        (0..CODE_LENGTH).rev().map(|at| char::from(CODE_DIGITS[(number >> (5 * at) & 31) as usize])).collect()
    }

    #[test]
    fn a_code_is_a_number_and_back() {
        for code in ["0000000000", "7fk2qz9abc", "zzzzzzzzzz"] {
            assert_eq!(code_text(code_number(code).unwrap()), code);
        }
        assert_eq!(code_number("7fk2l"), None, "l is no digit");
    }

    #[test]
    fn a_beginning_spans_its_codes() {
        let (least, most) = codes_from("7f").unwrap();
        assert_eq!((code_text(least).as_str(), code_text(most).as_str()), ("7f00000000", "7fzzzzzzzz"));
        assert_eq!(codes_from("7fk2qz9abc").map(|(least, most)| least == most), Some(true));
        assert_eq!(codes_from("7fk2qz9abcd"), None);
    }
}
