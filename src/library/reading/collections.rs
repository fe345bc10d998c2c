//! Collection files: many small entries of one kind in a table, one per row; or the cloud instances that have devices.

use std::borrow::Cow;
use std::ops::Range;

use strum::{EnumString, IntoStaticStr, VariantArray};
use toml::Spanned;
use toml::de::{DeTable, DeValue};

use super::catalog_files::{CatalogEntry, cloud_offer, device, network};
use super::findings;
use super::findings::{Located, ValueKind, cells_of};
use super::strict::{StrictTable, plain, unknown_key};
use crate::model::{Citation, Exception, Field};
use crate::values::text::nearest_or_begun;
use crate::values::{EntityId, EntityKind};

/// The kind of a collection's rows.
#[derive(Debug, Clone, Copy, PartialEq, Eq, EnumString, IntoStaticStr, VariantArray)]
#[strum(serialize_all = "kebab-case")]
pub(super) enum CollectionKind {
    Network,
    Device,
    /// Cloud instances and the devices in them.
    Cloud,
}

/// The columns of a table of cloud instances, and the keys that its rows may share.
const OFFER_KEYS: &[&str] = &["instance", "device", "devices", "provider", "source", "usd-per-hour", "as-of"];

/// Reads `catalog/collections/<name>.toml`: `kind`, `[defaults]`, `[[sources]]` that apply to every row, and `[[table]]`s with
/// an `id` column; for cloud instances the columns are those of a device's `[[cloud]]`, and `device`.
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
    // Without a valid `kind`, the tables are not read.
    t.note("table", ValueKind::Free);
    t.finish();
    entries
}

/// A row, as the table that it would be in a file of its own.
struct EntryRow<'a> {
    /// Set for a device or network.
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
            table.report_here(findings::ROWS, "a [[table]] needs `columns` and `rows`", "both are lists");
            return None;
        };
        let mut read = Vec::new();
        for line in lines.iter() {
            let cells = match cells_of(line, columns.len()) {
                Ok(cells) => cells,
                Err((message, label)) => {
                    table.report(findings::ROWS, line.span(), message, label);
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
            let (mut id, mut written) = (None, None);
            for (column, cell) in columns.iter().zip(cells.iter()) {
                match (column.get_ref(), cell.get_ref()) {
                    (DeValue::String(name), DeValue::String(text)) if name == "id" && !text.is_empty() => {
                        (id, written) = (text.parse().ok(), Some((text, cell.span())));
                    }
                    (_, DeValue::String(text)) if text.is_empty() => {}
                    (DeValue::String(name), _) => {
                        keys.insert(Spanned::new(column.span(), name.clone()), cell.clone());
                    }
                    _ => drop(table.expected::<()>("columns", column, "the name of a key")),
                }
            }
            if id.is_some() || kind == CollectionKind::Cloud {
                read.push(EntryRow { id, table: keys, span: line.span() });
            } else if let Some((text, span)) = written {
                let meant = EntityId::of_name(text).map_or_else(String::new, |id| format!(": `{id}`?"));
                let message = format!("`{text}` is not an id");
                table.report(findings::WRONG_VALUE, span, message, format!("expected a lower-case kebab id{meant}"));
            } else {
                table.report(
                    findings::MISSING_KEY,
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

/// The values that a table of cloud instances states for all its rows, such as the provider.
fn shared_of_table<'a>(
    table: &mut StrictTable<'a, '_>,
    kind: CollectionKind,
) -> Vec<(&'static str, &'a Spanned<DeValue<'a>>)> {
    match kind {
        CollectionKind::Cloud => OFFER_KEYS.iter().filter_map(|key| Some((*key, table.value(key)?))).collect(),
        _ => Vec::new(),
    }
}

impl<'a> StrictTable<'a, '_> {
    /// The citations of an entity: each fact that they cite must be a key of the entity.
    pub fn citations(&mut self) -> Vec<Citation> {
        let keys = self.keys();
        self.each("sources", |mut citation| {
            citation.note("facts", ValueKind::Texts);
            let facts = citation.spanned_texts("facts");
            for (fact, span) in &facts {
                if !keys.contains(fact) {
                    let near = nearest_or_begun(fact, &keys, 1);
                    let label = near.first().map_or_else(String::new, |near| format!("; did you mean `{near}`?"));
                    citation.report(
                        findings::UNSTATED_FACT,
                        span.clone(),
                        format!("the citation covers `{fact}`, which this file does not state"),
                        format!("no such key above{label}"),
                    );
                }
            }
            let read = Citation {
                source: citation.id("source", EntityKind::Source),
                url: citation.text("url"),
                title: citation.text("title"),
                accessed: citation.date("accessed"),
                facts: facts.into_iter().map(|(fact, _)| fact.to_owned()).collect(),
            };
            if read.source.is_some() == read.url.is_some() {
                let span = citation.span();
                citation.report(
                    findings::CITATION,
                    span,
                    "a citation names either a `source` of the catalog or a `url`",
                    "exactly one of the two is needed",
                );
            }
            citation.finish();
            Some(read)
        })
    }

    /// Reads `[[exceptions]]`: findings of other rules that are accepted as correct.
    pub fn exceptions(&mut self) {
        let exceptions = self.each("exceptions", |mut exception| {
            let place = Located::new((), exception.file(), exception.span());
            exception.require("rule");
            exception.require("reason");
            let rule = exception.parsed("rule");
            let reason = exception.text("reason");
            let mut fields = Vec::new();
            exception.note("where", ValueKind::Fields);
            for (name, span, value) in exception.entries("where") {
                match name.parse::<Field>() {
                    Ok(field) if !field.is_computed() => {
                        fields.extend(plain(value.get_ref()).map(|text| (field, text)))
                    }
                    _ => {
                        let known = Field::of_files().map(Field::key);
                        let finding = unknown_key(exception.file(), span, name, known);
                        exception.findings().report(finding);
                    }
                }
            }
            let read = (exception.text("batch"), exception.texts("ids"));
            let count = exception.count("count");
            exception.finish();
            let ids = read.1.iter().filter_map(|id| id.parse().ok()).collect();
            Some(place.with(Exception { rule: rule?, reason: reason?, batch: read.0, ids, fields, count }))
        });
        self.findings().except(exceptions);
    }
}
