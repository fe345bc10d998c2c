//! How each word of a question was read.

use serde::Serialize;
use strum::IntoStaticStr;

/// Consecutive words, and how they were read. Each word of a question is in exactly one span.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct Span {
    /// The words as typed.
    pub text: String,
    /// Byte offset of their start in the question.
    pub from: usize,
    /// Byte offset of their end in the question, exclusive.
    pub to: usize,
    /// Their meaning: the key of a filter, or of a word of the language (`order`, `link`, `filler` …); empty if unread.
    pub facet: String,
    /// The values that they mean, as spelled in the canonical form.
    pub values: Vec<String>,
    /// How they were read.
    pub how: How,
    /// The composition rule that used them; `--explain` shows it for debugging.
    #[serde(skip)]
    pub rule: &'static str,
}

/// How words were read.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, IntoStaticStr)]
#[serde(rename_all = "kebab-case")]
#[strum(serialize_all = "kebab-case")]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub enum How {
    /// The value's own name.
    Exact,
    /// Another name of the value.
    Alias,
    /// The nearest known name.
    Nearest,
    /// A phrase of the lexicon.
    Lexicon,
    /// A number with or without a unit.
    Number,
    /// An explicit filter.
    Filter,
    /// Neither a name nor a phrase: searched for in the text of rows and their notes.
    Text,
    /// A word without meaning (`the`, `please`).
    Filler,
    /// Not read, but nothing else depends on it: the answer reports it and remains valid.
    Unread,
    /// Not read, and possibly the subject: there is no conclusion.
    UnreadSubject,
    /// Not read, and part of a bound: there is no conclusion.
    UnreadBound,
}

impl How {
    /// Whether the words were not read.
    pub fn is_unread(self) -> bool {
        matches!(self, Self::Unread | Self::UnreadSubject | Self::UnreadBound)
    }

    /// Whether these words are unread and prevent a conclusion.
    pub fn stops(self) -> bool {
        matches!(self, Self::UnreadSubject | Self::UnreadBound)
    }
}
