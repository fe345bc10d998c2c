//! The value of a field: a text, a count or a number.

use std::str::FromStr;
use std::sync::Arc;

use serde::{Deserialize, Serialize};

use crate::values::Decimal;

/// The value of a field.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(untagged)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub enum Value {
    /// Ids, words, dates, shapes and free text.
    Text(Arc<str>),
    /// Whole numbers.
    Count(i64),
    /// Decimal numbers.
    Number(Decimal),
}

impl Value {
    /// What the text of a word, an id or a shape says; `None` when it is no text, or none of that type.
    pub fn parse<T: FromStr>(&self) -> Option<T> {
        match self {
            Self::Text(text) => text.parse().ok(),
            Self::Count(_) | Self::Number(_) => None,
        }
    }
}

impl std::fmt::Display for Value {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Self::Text(text) => f.pad(text),
            Self::Count(count) => write!(f, "{count}"),
            Self::Number(number) => write!(f, "{number}"),
        }
    }
}
