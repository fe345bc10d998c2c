//! The conclusion of an answer, in the shape that `-f json` promises.

use indexmap::IndexMap;

use crate::model::Value;

/// What an answer comes to. Where nothing is known there are no entries, and the text says so.
#[derive(Debug, Clone, Default, PartialEq, serde::Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct Conclusion {
    /// One or two sentences that answer.
    pub text: String,
    /// The values behind them, the telling one first.
    pub entries: Vec<Entry>,
}

/// One value that answers the question.
#[derive(Debug, Clone, Default, PartialEq, serde::Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct Entry {
    /// What it is about: ids and values by the keys of filters (`device`, `device-count`).
    pub subjects: IndexMap<String, Value>,
    /// The other side of a comparison.
    pub baseline: Option<IndexMap<String, Value>>,
    /// What the value is: the kebab-case key of a metric, a derived measure, a fact or a metric of hardware classes.
    pub quantity: String,
    /// The value; `None` where it is not known.
    pub value: Option<EntryValue>,
    /// Its unit, where it has one.
    pub unit: Option<String>,
    /// The lower end of the interval or spread.
    pub low: Option<f64>,
    /// The upper end.
    pub high: Option<f64>,
    /// How many pairs, rows or statements are behind it.
    pub n: usize,
    /// What all that is compared in this entry shares, by the keys of filters; `None` where no row states it.
    pub under: IndexMap<String, Option<Value>>,
    /// The measurements behind it; of a comparison the subject's and the baseline's alternately.
    pub measurements: Vec<String>,
    /// The sources behind it.
    pub sources: Vec<String>,
}

/// The value of an entry.
#[derive(Debug, Clone, PartialEq, serde::Serialize)]
#[serde(untagged)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub enum EntryValue {
    /// Yes or no.
    Flag(bool),
    /// A number; its digits are those of the source where it is one.
    Number(f64),
    /// A word, an id, a date.
    Text(String),
    /// Several of them.
    List(Vec<String>),
}

/// Rows that would match if they stated a field that the question asks for.
#[derive(Debug, Clone, PartialEq, Eq, serde::Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct UnstatedField {
    /// The field's key.
    pub field: String,
    /// How many rows.
    pub rows: usize,
}
