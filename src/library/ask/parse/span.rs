//! How each word of a question was read.

use serde::Serialize;
use strum::IntoStaticStr;

/// Some neighbouring words and how they were read. The spans of a question tile its words.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct Span {
    /// The words as they were typed.
    pub text: String,
    /// The first byte of the question that is theirs.
    pub from: usize,
    /// The byte behind their last.
    pub to: usize,
    /// What they are about: the key of a filter, or of a word of the language (`order`, `link`, `filler` …); empty where unread.
    pub facet: String,
    /// The values they stand for, as the canonical form spells them.
    pub values: Vec<String>,
    /// How they were read.
    pub how: How,
    /// The composition rule that used them; for people who debug, `--explain` shows it.
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
    /// Another name of it.
    Alias,
    /// The nearest known name.
    Nearest,
    /// A phrase of the lexicon.
    Lexicon,
    /// A number with or without a unit.
    Number,
    /// An explicit filter.
    Filter,
    /// No name and no phrase: looked for in what rows and their notes say.
    Text,
    /// A word that carries nothing (`the`, `please`).
    Filler,
    /// Not read, and nothing else depends on it: it is said, and the answer stands.
    Unread,
    /// Not read, and it could be the subject: the conclusion stops.
    UnreadSubject,
    /// Not read, and it is part of a bound: the conclusion stops.
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
