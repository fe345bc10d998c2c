//! The words of the field: what names a quantity, what says which kind of answer is wanted, what says nothing.

mod axes;
mod brands;
mod comparatives;
mod cues;
mod facts;
mod fillers;
mod foreign;
mod grades;
mod meaning;
mod measures;
mod near;
mod phrase_book;
mod phrase_table;

pub(super) use axes::{field_at, is_bare_axis};
pub(super) use brands::{HARDWARE_BRANDS, is_brand, is_branded};
pub(super) use comparatives::{Comparative, Quality, comparative, comparative_of_two, is_winning, sets_behind};
pub(super) use cues::{
    COUNTS, DEVICE_NOUNS, GAINS, HOLDING, KIND_NOUNS, MEASURED, MEASUREMENTS, OF_REACHING, OF_SHARES, POSSIBLE,
    RUNNING, STAGE_OF_QUANTITY, SUPERLATIVES,
};
pub(super) use fillers::{is_of_change, is_qualifier};
pub(super) use foreign::in_english;
pub(super) use meaning::{Cue, Link, Meaning, NamedQuantity, StaticQuantity};
pub(super) use measures::PER_DEVICE;
pub(super) use near::near_word;
pub(super) use phrase_book::{LONGEST_PHRASE, longest_phrase, meaning_of, plain, plain_words};
