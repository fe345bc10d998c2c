//! The files in `measurements/`: `[defaults]`, then `[[run]]` rows or compact `[[table]]`s of rows.

use std::collections::{HashMap, HashSet};
use std::ops::Range;
use std::sync::Arc;

use rayon::prelude::*;
use toml::Spanned;
use toml::de::{DeTable, DeValue};
use xxhash_rust::xxh3::Xxh3DefaultBuilder;

use super::findings::{IdReference, Located, ValueKind, cells_of, list_of};
use super::strict::{StrictTable, date, decimal, expected_number, integer, unknown_key, unknown_word};
use super::{findings, run_records};
use crate::model::{Code, Diagnostic, Field, FieldType, Measurement, MeasurementKey, Metric, SourceFile, Value};
use crate::values::{EntityId, EntityKind, Shape};

/// Reads a measurement file of `source`.
pub(super) fn read(mut t: StrictTable<'_, '_>, source: &EntityId) -> Vec<Located<Measurement>> {
    let mut reader = RowReader {
        file: Arc::clone(t.file()),
        source,
        seen: HashSet::new(),
        read: HashMap::default(),
        found: Vec::new(),
        default_standing: None,
        references: Vec::new(),
        rows: Vec::new(),
    };
    reader.refer(EntityKind::Source, Ok(source.clone()), 0..0);
    // The records of our own runner are only checked here; queries do not use them.
    run_records::environment(&mut t);
    for key in ["defaults", "run", "table"] {
        t.note(key, ValueKind::Free);
    }
    let defaults = t.value("defaults");
    let runs = t.value("run");
    let tables = t.value("table");
    reader.read(defaults, runs, tables);
    let RowReader { found, references, rows, .. } = reader;
    let findings = t.findings();
    found.into_iter().for_each(|diagnostic| findings.report(diagnostic));
    references.into_iter().for_each(|reference| findings.refer(reference));
    t.exceptions();
    t.finish();
    rows
}

type FieldValues = Vec<(Field, Value)>;

struct RowReader<'s> {
    file: Arc<SourceFile>,
    source: &'s EntityId,
    /// Entities that this file has mentioned: each is looked up once.
    seen: HashSet<(EntityKind, EntityId)>,
    /// Parsed texts of this file by field: each is checked once and stored once.
    read: HashMap<(Field, String), Value, Xxh3DefaultBuilder>,
    found: Vec<Diagnostic>,
    references: Vec<IdReference>,
    rows: Vec<Located<Measurement>>,
    /// Place of a default `standing`, which applies to all rows.
    default_standing: Option<Range<usize>>,
}

impl RowReader<'_> {
    fn read(
        &mut self,
        defaults: Option<&Spanned<DeValue<'_>>>,
        runs: Option<&Spanned<DeValue<'_>>>,
        tables: Option<&Spanned<DeValue<'_>>>,
    ) {
        let defaults = match defaults.map(|value| (value.get_ref(), value.span())) {
            None => Vec::new(),
            Some((DeValue::Table(table), _)) => self.defaults(table, &[]),
            Some((_, span)) => {
                self.report(findings::WRONG_VALUE, span, "`defaults` is not a table", "expected [defaults]");
                Vec::new()
            }
        };
        for (run, span) in self.tables_of("run", runs) {
            let mut fields = Vec::new();
            let mut metrics = Vec::new();
            let mut stated = false;
            for (name, value) in run.iter() {
                let key = MeasurementKey::named(name.get_ref());
                stated |= matches!(key, Some(MeasurementKey::Metric(_)));
                match key {
                    Some(key) => self.cell(key, value, &mut fields, &mut metrics),
                    None if name.get_ref() == run_records::KEY => {
                        self.found.extend(run_records::mistakes(&self.file, value));
                        self.found.extend(run_records::contradiction(&self.file, run, value));
                    }
                    None => self.unknown(name.span(), name.get_ref()),
                }
            }
            self.push(&defaults, fields, metrics, stated, span);
        }
        for (table, span) in self.tables_of("table", tables) {
            self.compact(&defaults, table, span);
        }
        if runs.is_none() && tables.is_none() {
            self.report(findings::NO_METRIC, 0..0, "the file has no measurements", "expected [[run]] or [[table]]");
        }
    }

    /// Reads a `[[table]]`: `columns` are the keys of each of the `rows`; every other key is a default of this table.
    fn compact(&mut self, defaults: &FieldValues, table: &DeTable<'_>, span: Range<usize>) {
        let own = self.defaults(table, &["columns", "rows"]);
        let defaults = merged(defaults, own);
        let (Some(columns), Some(rows)) = (list_of(table, "columns"), list_of(table, "rows")) else {
            self.report(findings::ROWS, span, "a [[table]] needs `columns` and `rows`", "both are lists");
            return;
        };
        let mut keys = Vec::with_capacity(columns.len());
        for column in columns {
            let name = column.get_ref().as_str().unwrap_or_default();
            match MeasurementKey::named(name) {
                Some(key) if keys.contains(&Some(key)) => {
                    let message = format!("the column `{name}` appears twice");
                    self.report(findings::ROWS, column.span(), message, "here again");
                    keys.push(None);
                }
                Some(key) => keys.push(Some(key)),
                None => {
                    self.unknown(column.span(), name);
                    keys.push(None);
                }
            }
        }
        for row in rows {
            let cells = match cells_of(row, keys.len()) {
                Ok(cells) => cells,
                Err((message, label)) => {
                    self.report(findings::ROWS, row.span(), message, label);
                    continue;
                }
            };
            let mut fields = Vec::new();
            let mut metrics = Vec::new();
            let mut stated = false;
            for (key, cell) in keys.iter().zip(cells.iter()) {
                let absent = cell.get_ref().as_str() == Some("");
                if let (Some(key), false) = (key, absent) {
                    stated |= matches!(key, MeasurementKey::Metric(_));
                    self.cell(*key, cell, &mut fields, &mut metrics);
                }
            }
            self.push(&defaults, fields, metrics, stated, row.span());
        }
    }

    fn defaults(&mut self, table: &DeTable<'_>, reserved: &[&str]) -> FieldValues {
        let mut fields = Vec::new();
        for (name, value) in table.iter() {
            let text = name.get_ref().as_ref();
            match MeasurementKey::named(text) {
                _ if reserved.contains(&text) => {}
                Some(MeasurementKey::Field(field)) => {
                    if field == Field::Standing {
                        self.default_standing = Some(name.span());
                    }
                    let key = MeasurementKey::named(text).expect("just parsed");
                    self.cell(key, value, &mut fields, &mut Vec::new());
                }
                Some(MeasurementKey::Metric(metric)) => {
                    let label = "state it in each row";
                    let message = format!("the metric `{metric}` cannot be a default");
                    self.report(findings::METRIC_DEFAULT, name.span(), message, label);
                }
                None => self.unknown(name.span(), text),
            }
        }
        fields
    }

    /// Adds a row. `stated`: whether the row has a metric at all, even one with an invalid value.
    fn push(
        &mut self,
        defaults: &FieldValues,
        own: FieldValues,
        metrics: Vec<(Metric, crate::values::Decimal)>,
        stated: bool,
        span: Range<usize>,
    ) {
        // A mistake in a default is reported once, at the default.
        let is_default = !own.iter().any(|(field, _)| *field == Field::Standing);
        let fields = merged(defaults, own);
        let has = |field| fields.iter().any(|(f, _)| *f == field);
        if metrics.is_empty() && stated {
            // The invalid metric has been reported.
            return;
        }
        if metrics.is_empty() && !has(Field::Outcome) {
            self.report(
                findings::NO_METRIC,
                span,
                "the row has no metric",
                "state at least one (such as latency-ms), or an `outcome` when the attempt failed",
            );
            return;
        }
        if has(Field::Standing) && !has(Field::StandingReason) {
            let label = "add `standing-reason`: what is wrong with it, or what took its place";
            let span = if is_default { self.default_standing.clone().unwrap_or(span) } else { span };
            if self
                .found
                .last()
                .is_some_and(|last| last.code == findings::MISSING_KEY && last.primary.span.as_ref() == Some(&span))
            {
                return;
            }
            self.report(findings::MISSING_KEY, span, "the row's `standing` has no reason", label);
            return;
        }
        if let Some((metric, _)) = metrics.iter().find(|(metric, _)| metric.items_per().is_some())
            && !has(Field::Counts)
        {
            self.report(
                findings::UNCOUNTED,
                span,
                format!("`{metric}` does not say what it counts"),
                "add `counts`: image, sample, token, sequence, query, frame or inference",
            );
            return;
        }
        let measurement = Measurement::new(self.source.clone(), fields, metrics);
        self.rows.push(Located::new(measurement, &self.file, span));
    }

    /// Reads one value into the fields or metrics of a row.
    fn cell(
        &mut self,
        key: MeasurementKey,
        value: &Spanned<DeValue<'_>>,
        fields: &mut FieldValues,
        metrics: &mut Vec<(Metric, crate::values::Decimal)>,
    ) {
        match key {
            MeasurementKey::Field(field) => fields.extend(self.field(field, value).map(|value| (field, value))),
            MeasurementKey::Metric(metric) => match decimal(value.get_ref()) {
                Some(number) if number.value() > 0.0 => metrics.push((metric, number)),
                Some(number) if number.value() == 0.0 && metric.may_be_zero() => metrics.push((metric, number)),
                Some(_) => self.report(
                    findings::NOT_POSITIVE,
                    value.span(),
                    format!("`{metric}` is not above 0"),
                    "leave it out when it was not measured; state an `outcome` when the attempt failed",
                ),
                None => {
                    let message = format!("`{metric}` is not a number");
                    self.report(findings::WRONG_VALUE, value.span(), message, expected_number(value.get_ref()));
                }
            },
        }
    }

    fn field(&mut self, field: Field, value: &Spanned<DeValue<'_>>) -> Option<Value> {
        let Some(text) = value.get_ref().as_str() else {
            return self.checked(field, value);
        };
        // Allocating the key is cheaper than checking the text again.
        let key = (field, text.to_owned());
        if let Some(known) = self.read.get(&key) {
            return Some(known.clone());
        }
        let read = self.checked(field, value)?;
        self.read.insert(key, read.clone());
        Some(read)
    }

    fn checked(&mut self, field: Field, value: &Spanned<DeValue<'_>>) -> Option<Value> {
        let span = value.span();
        let text = value.get_ref().as_str().map(str::trim).filter(|text| !text.is_empty());
        let (read, expected) = match field.kind() {
            FieldType::Entity(kind) => {
                let id = text.and_then(|text| text.parse::<EntityId>().ok());
                if let Some(text) = text {
                    self.refer(kind, id.clone().ok_or_else(|| text.to_owned()), span.clone());
                }
                (id.map(|id| Value::Text(id.as_str().into())), "an id in lower-case kebab form, such as \"tesla-v100\"")
            }
            FieldType::Word(words) => match text {
                Some(text) if !words.contains(&text) => {
                    let finding = unknown_word(&self.file, span, field.key(), text, words);
                    self.found.push(finding);
                    return None;
                }
                text => (text.map(|text| Value::Text(text.into())), "a word in quotes"),
            },
            FieldType::Text => (text.map(|text| Value::Text(text.into())), "a text in quotes, not empty"),
            FieldType::Count => {
                (integer(value.get_ref()).filter(|&count| count >= 1).map(Value::Count), "a whole number of 1 or more")
            }
            FieldType::Number => (decimal(value.get_ref()).map(Value::Number), "a number"),
            FieldType::Date => (
                date(value.get_ref()).map(|date| Value::Text(date.to_string().into())),
                "a date: 2017-12-07, or \"2017-12\" or \"2017\" in quotes",
            ),
            FieldType::Shape => (
                text.and_then(|text| text.parse::<Shape>().ok()).map(|shape| Value::Text(shape.to_string().into())),
                "a shape such as \"3x224x224\"",
            ),
        };
        if read.is_none() {
            let message = format!("`{field}` cannot be read");
            self.report(findings::WRONG_VALUE, span, message, format!("expected {expected}"));
        }
        read
    }

    fn refer(&mut self, kind: EntityKind, id: Result<EntityId, String>, span: Range<usize>) {
        if id.as_ref().map_or(true, |id| self.seen.insert((kind, id.clone()))) {
            self.references.push(IdReference { file: Arc::clone(&self.file), span: Some(span), kind, id });
        }
    }

    fn tables_of<'t>(
        &mut self,
        key: &str,
        value: Option<&'t Spanned<DeValue<'t>>>,
    ) -> Vec<(&'t DeTable<'t>, Range<usize>)> {
        let Some(value) = value else {
            return Vec::new();
        };
        let mut tables = Vec::new();
        if let DeValue::Array(items) = value.get_ref() {
            for item in items.iter() {
                match item.get_ref() {
                    DeValue::Table(table) => tables.push((table, item.span())),
                    _ => self.report(
                        findings::WRONG_VALUE,
                        item.span(),
                        format!("`{key}` holds something else than tables"),
                        format!("expected [[{key}]]"),
                    ),
                }
            }
        } else {
            self.report(
                findings::WRONG_VALUE,
                value.span(),
                format!("`{key}` is not a list of tables"),
                format!("expected [[{key}]], in two brackets"),
            );
        }
        tables
    }

    fn unknown(&mut self, span: Range<usize>, name: &str) {
        let finding = unknown_key(&self.file, span, name, MeasurementKey::all_names());
        self.found.push(finding);
    }

    fn report(&mut self, code: Code, span: Range<usize>, message: impl Into<String>, label: impl Into<String>) {
        self.found.push(Diagnostic::error(code, &self.file, Some(span), message, label));
    }
}

/// Merges `own` over `defaults`; notes are concatenated, because a default note is true of each row.
fn merged(defaults: &FieldValues, own: FieldValues) -> FieldValues {
    let mut fields = own;
    for (field, value) in defaults {
        match fields.iter_mut().find(|(f, _)| f == field) {
            None => fields.push((*field, value.clone())),
            Some((Field::Notes, note)) => *note = Value::Text(format!("{note} {value}").into()),
            Some(_) => {}
        }
    }
    fields
}

/// The sort keys of rows, followed by batch size and id.
const ORDER: [Field; 8] = [
    Field::Network,
    Field::Dataset,
    Field::Stage,
    Field::Precision,
    Field::Device,
    Field::Framework,
    Field::Backend,
    Field::FrameworkVersion,
];

/// Sorts measurements by what was run, how, on which device, by which framework, by batch size and by id.
///
/// Rows share few distinct texts: each field's texts are sorted once, and rows are compared by the ranks of their texts.
pub(super) fn canonical(measurements: Vec<Measurement>) -> Vec<Measurement> {
    let ranks: Vec<HashMap<&str, u32, Xxh3DefaultBuilder>> =
        ORDER.par_iter().map(|field| ranks(&measurements, *field)).collect();
    let mut keys: Vec<([u32; ORDER.len()], i64, &str, usize)> = measurements
        .par_iter()
        .enumerate()
        .map(|(at, measurement)| {
            let mut key = [0; ORDER.len()];
            for ((place, field), ranks) in key.iter_mut().zip(ORDER).zip(&ranks) {
                *place = measurement.text(field).and_then(|text| ranks.get(text).copied()).unwrap_or(0);
            }
            // Rows without a batch size come before batch size 1.
            (key, measurement.count(Field::BatchSize).unwrap_or(0), measurement.id(), at)
        })
        .collect();
    keys.par_sort_unstable();
    let order: Vec<usize> = keys.into_iter().map(|(_, _, _, at)| at).collect();
    let mut taken: Vec<Option<Measurement>> = measurements.into_iter().map(Some).collect();
    order.into_iter().filter_map(|at| taken[at].take()).collect()
}

/// The rank of each text of a field, from 1; versions are sorted numerically: 1.4 before 1.12.
fn ranks(measurements: &[Measurement], field: Field) -> HashMap<&str, u32, Xxh3DefaultBuilder> {
    let mut ranks: HashMap<&str, u32, Xxh3DefaultBuilder> = HashMap::default();
    for text in measurements.iter().filter_map(|measurement| measurement.text(field)) {
        ranks.entry(text).or_default();
    }
    let mut texts: Vec<&str> = ranks.keys().copied().collect();
    match field {
        Field::FrameworkVersion => texts.sort_by_cached_key(|text| version_key(text)),
        _ => texts.sort_unstable(),
    }
    for (rank, text) in texts.into_iter().enumerate() {
        ranks.insert(text, rank as u32 + 1);
    }
    ranks
}

fn version_key(version: &str) -> Vec<(u64, String)> {
    version.split(['.', '-', '+', ' ']).map(|part| (part.parse().unwrap_or(u64::MAX), part.to_owned())).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::model::{Metric, Value};

    #[test]
    fn versions_and_batches_order_by_size_and_the_unknown_comes_first() {
        let row = |version: Option<&str>, batch: Option<i64>| {
            let mut fields: Vec<(Field, Value)> = Vec::new();
            fields.extend(version.map(|version| (Field::FrameworkVersion, Value::Text(version.into()))));
            fields.extend(batch.map(|batch| (Field::BatchSize, Value::Count(batch))));
            let metrics = vec![(Metric::LatencyMs, "1.0".parse().unwrap())];
            Measurement::new("paper-2020".parse().unwrap(), fields, metrics)
        };
        let rows =
            [row(Some("1.12"), Some(1)), row(Some("1.4"), Some(128)), row(Some("1.4"), Some(16)), row(None, None)];
        let ordered = canonical(rows.to_vec());
        let shown: Vec<(Option<&str>, Option<i64>)> =
            ordered.iter().map(|row| (row.text(Field::FrameworkVersion), row.count(Field::BatchSize))).collect();
        assert_eq!(shown, [(None, None), (Some("1.4"), Some(16)), (Some("1.4"), Some(128)), (Some("1.12"), Some(1))]);
    }
}
