//! Reads files of every format as records: named texts, each with the line it is in.

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
