//! What our own runner keeps beside a row: every sample, and the environment. Strictly checked, never asked for in a query.

use std::sync::Arc;

use toml::Spanned;
use toml::de::{DeTable, DeValue};

use super::strict::{Strict, decimal, integer, unknown_key};
use crate::model::{Diagnostic, SourceFile};

/// The table of a row that holds its record.
pub(super) const KEY: &str = "record";

/// The table of a file that tells where its rows were measured.
const ENVIRONMENT: &str = "environment";

/// What a key of a record holds.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Holds {
    Number,
    Count,
    Text,
    Numbers,
    Counts,
}

/// The keys of a record. Times are in milliseconds, for one iteration.
const KEYS: &[(&str, Holds)] = &[
    ("median-ms", Holds::Number),
    ("mean-ms", Holds::Number),
    ("minimum-ms", Holds::Number),
    ("p5-ms", Holds::Number),
    ("p95-ms", Holds::Number),
    ("p99-ms", Holds::Number),
    // Median absolute deviation from the median.
    ("mad-ms", Holds::Number),
    // Of the median, with 95% confidence: from, to.
    ("interval-ms", Holds::Numbers),
    // Half the interval, in percent of the median.
    ("half-width-pct", Holds::Number),
    // Positions in samples-ms, counted from 0.
    ("outliers", Holds::Counts),
    // What timing itself costs each iteration.
    ("overhead-ns", Holds::Number),
    ("parameters", Holds::Count),
    ("multiply-adds", Holds::Count),
    ("host-memory-mib", Holds::Number),
    ("energy-per-iteration-j", Holds::Number),
    ("temperature-c", Holds::Number),
    ("clock-mhz", Holds::Numbers),
    // Share of the processors that other processes used meanwhile, percent.
    ("others-cpu-pct", Holds::Number),
    // The configuration, in words, by which a run knows what it has done.
    ("point", Holds::Text),
    ("message", Holds::Text),
    ("warm-up-ms", Holds::Numbers),
    ("samples-ms", Holds::Numbers),
    // By the device's own clock.
    ("device-ms", Holds::Numbers),
];

/// The mistakes in a row's record.
pub(super) fn mistakes(file: &Arc<SourceFile>, value: &Spanned<DeValue<'_>>) -> Vec<Diagnostic> {
    let error = |span, message: String, label: &str| Diagnostic::error(file, Some(span), message, label);
    let DeValue::Table(table) = value.get_ref() else {
        return vec![error(value.span(), format!("`{KEY}` is not a table"), "expected [run.record]")];
    };
    let mut found = Vec::new();
    for (name, value) in table.iter() {
        match KEYS.iter().find(|(key, _)| key == name.get_ref()) {
            None => found.push(unknown_key(file, name.span(), name.get_ref(), KEYS.iter().map(|(key, _)| *key))),
            Some((key, holds)) => {
                if let Some(expected) = mismatch(*holds, value.get_ref()) {
                    found.push(error(value.span(), format!("`{key}` cannot be read"), expected));
                }
            }
        }
    }
    let samples = table.get("samples-ms").and_then(|value| value.get_ref().as_array()).map_or(0, |items| items.len());
    found.extend(misplaced_outliers(file, table, samples));
    found
}

/// Reads `[environment]`: keys are free, values texts, numbers, yes or no, or lists of texts.
pub(super) fn environment(t: &mut Strict<'_, '_>) {
    for (name, _, value) in t.entries(ENVIRONMENT) {
        let known = |value: &DeValue<'_>| {
            value.as_str().is_some_and(|text| !text.trim().is_empty())
                || decimal(value).is_some()
                || matches!(value, DeValue::Boolean(_))
        };
        let right = match value.get_ref() {
            DeValue::Array(items) => items.iter().all(|item| known(item.get_ref())),
            other => known(other),
        };
        if !right {
            t.expected::<()>(name, value, "a text, a number, true or false, or a list of these");
        }
    }
}

/// What was expected instead, if the value is something else.
fn mismatch(holds: Holds, value: &DeValue<'_>) -> Option<&'static str> {
    let all = |right: fn(&DeValue<'_>) -> bool| matches!(value, DeValue::Array(items) if items.iter().all(|item| right(item.get_ref())));
    let number: fn(&DeValue<'_>) -> bool = |value| decimal(value).is_some_and(|number| number.value() >= 0.0);
    let count: fn(&DeValue<'_>) -> bool = |value| integer(value).is_some_and(|count| count >= 0);
    let (right, expected) = match holds {
        Holds::Number => (number(value), "expected a number of 0 or more"),
        Holds::Count => (count(value), "expected a whole number of 0 or more"),
        Holds::Text => (value.as_str().is_some(), "expected a text"),
        Holds::Numbers => (all(number), "expected a list of numbers"),
        Holds::Counts => (all(count), "expected a list of whole numbers"),
    };
    (!right).then_some(expected)
}

fn misplaced_outliers(file: &Arc<SourceFile>, table: &DeTable<'_>, samples: usize) -> Option<Diagnostic> {
    let value = table.get("outliers")?;
    let outside = |item: &Spanned<DeValue<'_>>| integer(item.get_ref()).is_some_and(|at| at as usize >= samples);
    let items = value.get_ref().as_array()?;
    items.iter().any(outside).then(|| {
        let message = format!("`outliers` points past the {samples} samples");
        Diagnostic::error(file, Some(value.span()), message, "positions are counted from 0")
    })
}
