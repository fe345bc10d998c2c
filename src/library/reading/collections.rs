//! Collection files: many small entries of one kind in one table, a row each; or the cloud instances that hold devices.

use std::borrow::Cow;
use std::ops::Range;

use strum::{EnumString, IntoStaticStr, VariantArray};
use toml::Spanned;
use toml::de::{DeTable, DeValue};

use super::catalog_files::{CatalogEntry, cloud_offer, device, network};
use super::codes;
use super::compact_tables::cells_of;
use super::located::Located;
use super::strict::StrictTable;
use super::table_keys::ValueKind;
use crate::values::{EntityId, EntityKind};

/// What the rows of a collection are.
#[derive(Debug, Clone, Copy, PartialEq, Eq, EnumString, IntoStaticStr, VariantArray)]
#[strum(serialize_all = "kebab-case")]
pub(super) enum CollectionKind {
    Network,
    Device,
    /// Cloud instances and the devices in them.
    Cloud,
}

/// The columns of a table of cloud instances.
const OFFER_KEYS: &[&str] = &["instance", "device", "devices", "provider", "source", "usd-per-hour", "as-of"];

/// Reads `catalog/collections/<name>.toml`: `kind`, `[defaults]`, `[[sources]]` that cover every row, and `[[table]]`s with
/// an `id` column; of cloud instances the columns are those of a device's `[[cloud]]`, and `device`.
pub(super) fn read(mut t: StrictTable<'_, '_>) -> Vec<Located<CatalogEntry>> {
    t.require("kind");
    let kind: Option<CollectionKind> = t.word("kind");
    t.note("defaults", ValueKind::Free);
    let defaults = match t.value("defaults").map(Spanned::get_ref) {
        Some(DeValue::Table(table)) => Some(table),
        _ => None,
    };
    let citations = t.citations();
    t.exceptions();
    let mut entries = Vec::new();
    if let Some(kind) = kind {
        for row in rows(&mut t, defaults, kind) {
            let place = Located::new((), t.file(), row.span.clone());
            let mut inner = StrictTable::new(place.file(), &row.table, row.span.clone(), t.findings());
            let entry = match (kind, row.id) {
                (CollectionKind::Device, Some(id)) => device(&id, inner).map(|mut device| {
                    device.sources.clone_from(&citations);
                    CatalogEntry::Device(device)
                }),
                (CollectionKind::Network, Some(id)) => network(&id, inner).map(|mut network| {
                    network.sources.clone_from(&citations);
                    CatalogEntry::Network(network)
                }),
                _ => {
                    let device = inner.required_id("device", EntityKind::Device);
                    let offer = cloud_offer(inner);
                    device.zip(offer).map(|(device, offer)| CatalogEntry::Offer(device, offer))
                }
            };
            entries.extend(entry.map(|entry| place.with(entry)));
        }
    }
    // A collection without a kind has none of the others read.
    t.note("table", ValueKind::Free);
    t.finish();
    entries
}

/// A row as the table that a file of its own would hold.
struct EntryRow<'a> {
    /// Of a device or network.
    id: Option<EntityId>,
    table: DeTable<'a>,
    span: Range<usize>,
}

fn rows<'a>(t: &mut StrictTable<'a, '_>, defaults: Option<&DeTable<'a>>, kind: CollectionKind) -> Vec<EntryRow<'a>> {
    t.each("table", |mut table| {
        let shared = shared_of_table(&mut table, kind);
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
            for (key, value) in &shared {
                keys.insert(Spanned::new(value.span(), Cow::Borrowed(*key)), (*value).clone());
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
            if id.is_some() || kind == CollectionKind::Cloud {
                read.push(EntryRow { id, table: keys, span: line.span() });
            } else {
                table.report(
                    codes::MISSING_KEY,
                    line.span(),
                    "the row has no id",
                    "the column `id` holds a lower-case kebab id",
                );
            }
        }
        table.finish();
        Some(read)
    })
    .into_iter()
    .flatten()
    .collect()
}

/// What a table of cloud instances states for all its rows, such as the provider.
fn shared_of_table<'a>(
    table: &mut StrictTable<'a, '_>,
    kind: CollectionKind,
) -> Vec<(&'static str, &'a Spanned<DeValue<'a>>)> {
    match kind {
        CollectionKind::Cloud => OFFER_KEYS.iter().filter_map(|key| Some((*key, table.value(key)?))).collect(),
        _ => Vec::new(),
    }
}
