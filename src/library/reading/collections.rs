//! Collection files: many small entries of one kind in one table, a row each.

use std::ops::Range;

use toml::Spanned;
use toml::de::{DeTable, DeValue};

use super::catalog_files::{CatalogEntry, device, network};
use super::codes;
use super::compact_tables::cells_of;
use super::located::Located;
use super::strict::StrictTable;
use super::table_keys::ValueKind;
use crate::values::{EntityId, EntityKind};

/// Reads `catalog/collections/<name>.toml`: `kind`, `[defaults]`, `[[sources]]` that cover every row, and `[[table]]`s with
/// an `id` column.
pub(super) fn read(mut t: StrictTable<'_, '_>) -> Vec<Located<CatalogEntry>> {
    t.require("kind");
    let kind_span = t.value("kind").map_or(0..0, Spanned::span);
    let kind: Option<EntityKind> = t.word("kind");
    t.note("defaults", ValueKind::Free);
    let defaults = match t.value("defaults").map(Spanned::get_ref) {
        Some(DeValue::Table(table)) => Some(table),
        _ => None,
    };
    let citations = t.citations();
    t.exceptions();
    let mut entries = Vec::new();
    match kind {
        Some(kind @ (EntityKind::Device | EntityKind::Network)) => {
            for row in rows(&mut t, defaults) {
                let place = Located::new((), t.file(), row.span.clone());
                let inner = StrictTable::new(place.file(), &row.table, row.span.clone(), t.findings());
                let entry = match kind {
                    EntityKind::Device => device(&row.id, inner).map(|mut device| {
                        device.sources.clone_from(&citations);
                        CatalogEntry::Device(device)
                    }),
                    _ => network(&row.id, inner).map(|mut network| {
                        network.sources.clone_from(&citations);
                        CatalogEntry::Network(network)
                    }),
                };
                entries.extend(entry.map(|entry| place.with(entry)));
            }
        }
        Some(other) => {
            let message = format!("there are no collections of the kind `{other}`");
            t.report(codes::WRONG_VALUE, kind_span, message, "expected network or device");
        }
        None => {}
    }
    // A collection without a kind has none of the others read.
    t.note("table", ValueKind::Free);
    t.finish();
    entries
}

/// A row as the table that a file of its own would hold.
struct EntryRow<'a> {
    id: EntityId,
    table: DeTable<'a>,
    span: Range<usize>,
}

fn rows<'a>(t: &mut StrictTable<'a, '_>, defaults: Option<&DeTable<'a>>) -> Vec<EntryRow<'a>> {
    t.each("table", |mut table| {
        let columns = table.value("columns");
        let lines = table.value("rows");
        let (Some(DeValue::Array(columns)), Some(DeValue::Array(lines))) =
            (columns.map(Spanned::get_ref), lines.map(Spanned::get_ref))
        else {
            table.report_here(codes::ROWS, "a [[table]] needs `columns` and `rows`", "both are lists");
            return None;
        };
        let mut read = Vec::new();
        for line in lines.iter() {
            let cells = match cells_of(line, columns.len()) {
                Ok(cells) => cells,
                Err((message, label)) => {
                    table.report(codes::ROWS, line.span(), message, label);
                    continue;
                }
            };
            let mut keys = DeTable::new();
            for (key, value) in defaults.into_iter().flat_map(|defaults| defaults.iter()) {
                keys.insert(key.clone(), value.clone());
            }
            let mut id = None;
            for (column, cell) in columns.iter().zip(cells.iter()) {
                match (column.get_ref(), cell.get_ref()) {
                    (DeValue::String(name), DeValue::String(text)) if name == "id" => id = text.parse().ok(),
                    (_, DeValue::String(text)) if text.is_empty() => {}
                    (DeValue::String(name), _) => {
                        keys.insert(Spanned::new(column.span(), name.clone()), cell.clone());
                    }
                    _ => drop(table.expected::<()>("columns", column, "the name of a key")),
                }
            }
            match id {
                Some(id) => read.push(EntryRow { id, table: keys, span: line.span() }),
                None => table.report(
                    codes::MISSING_KEY,
                    line.span(),
                    "the row has no id",
                    "the column `id` holds a lower-case kebab id",
                ),
            }
        }
        table.finish();
        Some(read)
    })
    .into_iter()
    .flatten()
    .collect()
}
