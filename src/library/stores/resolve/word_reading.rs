//! One way in which a run of words was read.

use std::ops::Range;

use strum::{Display, IntoStaticStr};

use crate::model::Facet;

/// How words matched.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Display, IntoStaticStr)]
#[strum(serialize_all = "kebab-case")]
pub enum MatchKind {
    /// The value's own id or name.
    Exact,
    /// Another spelling of it.
    Alias,
    /// The beginning of several names.
    Family,
    /// The nearest name, because none fitted.
    Fuzzy,
    /// As text.
    Text,
}

/// One way in which a run of words was read.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct WordReading {
    /// The words, by their position.
    pub words: Range<usize>,
    /// What they are about; `None` is text.
    pub facet: Option<Facet>,
    /// The facet's values that they name.
    pub values: Vec<String>,
    /// How they led there.
    pub how: MatchKind,
    /// The name that a fuzzy match chose.
    pub taken_for: Option<String>,
}
