//! Reads files of every format as records: named texts, each with the line it stands in.

mod carry_down;
mod column_names;
mod decimal_mark;
mod delimited;
mod encoding;
mod footnotes;
mod html;
mod joined_file;
mod json;
mod lines;
mod markdown;
mod page_context;
mod read;
mod record;
mod record_list;
mod repeat_statistics;
mod rst;
mod workbook_archive;
mod xlsx;

pub(super) use read::{expected, records};
pub(super) use record::{MalformedInput, Record};
