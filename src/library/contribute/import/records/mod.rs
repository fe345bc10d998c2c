//! Reads files of every format as records: named texts, each with its line in the file.

mod cells;
mod html;
mod json;
mod lines;
mod markdown;
mod read;
mod record;
mod xlsx;

pub(super) use read::{expected, records};
pub(super) use record::{LineNumbers, MalformedInput, Record};
