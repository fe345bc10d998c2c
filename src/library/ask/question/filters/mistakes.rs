//! What is said of a filter that cannot be read, and the helpers that say it.

use std::ops::Range;

use crate::ask::question::grammar::{Filter, GrammarError, Operator};
use crate::values::Unit;
use crate::values::text::{nearest, or_list};

pub(super) fn plain_key(key: &str) -> String {
    key.to_ascii_lowercase().replace('_', "-")
}

pub(super) fn whole_number(filter: &Filter<'_>) -> Result<usize, GrammarError> {
    match filter.values.as_slice() {
        [(text, _)] if filter.operator == Operator::Is && text.parse::<usize>().is_ok() => {
            Ok(text.parse().unwrap_or_default())
        }
        _ => Err(GrammarError {
            message: format!("`{}` takes one whole number", filter.key),
            span: filter.key_span.clone(),
            label: format!("write {}:20", filter.key),
            help: None,
        }),
    }
}

pub(super) fn near_help<'k>(word: &str, known: impl Iterator<Item = &'k str>) -> Option<String> {
    let mut near = nearest(&plain_key(word), known, 3);
    near.dedup();
    let near: Vec<String> = near.iter().map(|near| format!("`{near}`")).collect();
    (!near.is_empty()).then(|| format!("did you mean {}?", or_list(&near)))
}

pub(super) fn no_order(key: &str, filter: &Filter<'_>) -> GrammarError {
    GrammarError {
        message: format!("`{key}` has no order"),
        span: filter.key_span.clone(),
        label: format!("write {key}:…"),
        help: None,
    }
}

pub(super) fn unknown_value(key: &str, text: &str, span: Range<usize>, near: &[String]) -> GrammarError {
    GrammarError {
        message: format!("no {key} is called `{text}`"),
        span,
        label: format!("unknown {key}"),
        help: (!near.is_empty()).then(|| format!("did you mean {}?", or_list(near))),
    }
}

pub(super) fn not_a_number(key: &str, text: &str, unit: Unit, span: Range<usize>) -> GrammarError {
    let example = if key == "year" { "2018..2020" } else { "8..64" };
    let units: Vec<String> = unit.names().take(5).map(|unit| format!("`{unit}`")).collect();
    GrammarError {
        message: format!("`{text}` is no number and no range"),
        span,
        label: format!("expected a number, or a range from low to high such as {key}:{example}"),
        help: (key != "year").then(|| format!("a unit such as {} may stand behind a number", or_list(&units))),
    }
}

/// A comparison with several numbers, which may be one with a comma for the point.
pub(super) fn several_bounds(filter: &Filter<'_>, span: Range<usize>) -> GrammarError {
    let (key, sign) = (filter.key, filter.operator.sign());
    GrammarError {
        message: format!("`{key}{sign}` takes one number"),
        span,
        label: "expected one number, with a comma only between its thousands, such as 1,500.5".to_owned(),
        help: Some(format!("alternatives are written {key}:8,64")),
    }
}
