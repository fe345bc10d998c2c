//! The words of the field: what names a quantity, what says which kind of answer is wanted, what says nothing.

mod cues;
mod fillers;
mod meaning;
mod phrase_book;
mod quantities;

pub(super) use cues::{COUNTS, DEVICE_NOUNS, KIND_NOUNS, SUPERLATIVES};
pub(super) use meaning::{Cue, Link, Meaning, NamedQuantity, StaticQuantity};
pub(super) use phrase_book::{LONGEST_PHRASE, meaning_of, plain};
