//! The form of a list of words.

/// Words of a language and the English ones in their place; none where they say nothing here.
pub(super) type Words = &'static [(&'static str, &'static str)];
