//! How words of a question were read.

/// How some words of the question were read.
#[derive(Debug, Clone, PartialEq, Eq, serde::Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct ReadAs {
    /// The words.
    pub text: String,
    /// What they are about: a facet, a field, or `text`.
    pub facet: String,
    /// The values they stand for.
    pub values: Vec<String>,
    /// `exact`, `alias`, `family`, `fuzzy` or `text`.
    pub how: String,
}
