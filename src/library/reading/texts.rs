//! Every text of a file with its key and its place.

use std::ops::Range;

use toml::Spanned;
use toml::de::{DeTable, DeValue};

use super::compact_tables::list_of;
use crate::model::SourceFile;

/// A text that stands in a file.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct LocatedText {
    /// The key it belongs to; in a compact table that of its column.
    pub key: String,
    /// The text.
    pub value: String,
    /// Where it stands, quotes included.
    pub span: Range<usize>,
    /// Whether it stands below `reported`, as somebody else printed it.
    pub reported: bool,
    /// Whether it is a cell or another item of a list.
    pub in_list: bool,
}

/// The texts of a file, in order; none of a file that is not valid TOML.
pub fn texts(file: &SourceFile) -> Vec<LocatedText> {
    let (table, errors) = DeTable::parse_recoverable(&file.text);
    let mut found = Vec::new();
    if errors.is_empty() {
        below(table.get_ref(), false, &mut found);
    }
    found.sort_by_key(|text| text.span.start);
    found
}

fn below(table: &DeTable<'_>, reported: bool, found: &mut Vec<LocatedText>) {
    if let (Some(columns), Some(rows)) = (list_of(table, "columns"), list_of(table, "rows")) {
        for row in rows {
            for (column, cell) in columns.iter().zip(row.get_ref().as_array().into_iter().flat_map(|row| row.iter())) {
                value(column.get_ref().as_str().unwrap_or_default(), cell, (reported, true), found);
            }
        }
    }
    for (key, own) in table.iter() {
        let name = key.get_ref().as_ref();
        if name != "columns" && name != "rows" {
            value(name, own, (reported || name == "reported", false), found);
        }
    }
}

fn value(key: &str, own: &Spanned<DeValue<'_>>, (reported, in_list): (bool, bool), found: &mut Vec<LocatedText>) {
    match own.get_ref() {
        DeValue::String(text) => found.push(LocatedText {
            key: key.to_owned(),
            value: text.to_string(),
            span: own.span(),
            reported,
            in_list,
        }),
        DeValue::Array(items) => items.iter().for_each(|item| value(key, item, (reported, true), found)),
        DeValue::Table(table) => below(table, reported, found),
        _ => {}
    }
}
