//! Entities and sources as resources: `dlbench://device/tesla-v100`. All can be read; only sources and classes of
//! hardware are listed, because there are too many others.

use rmcp::model::{Resource, ResourceContents, ResourceTemplate};
use strum::VariantArray as _;

use super::fit::without_nulls;
use crate::refusal::Refusal;
use crate::requests::{Cited, ShowRequest};
use dlbench::KnowledgeBase;
use dlbench::model::{HardwareClassRecord, Source};
use dlbench::values::EntityKind;

const SCHEME: &str = "dlbench://";
const JSON: &str = "application/json";
/// Number of resources listed at a time.
const PAGE: usize = 50;

fn uri(kind: EntityKind, id: &str) -> String {
    format!("{SCHEME}{}/{id}", <&str>::from(kind))
}

/// The templates of readable resources, by kind.
pub(super) fn templates() -> Vec<ResourceTemplate> {
    let kinds = EntityKind::VARIANTS.iter().map(|kind| <&str>::from(*kind)).chain(["measurement"]);
    let template = |kind: &str| {
        ResourceTemplate::new(format!("{SCHEME}{kind}/{{id}}"), kind)
            .with_description(format!("All recorded facts of a {}", kind.replace('-', " ")))
            .with_mime_type(JSON)
    };
    kinds.map(template).collect()
}

/// A page of the sources and the classes of hardware, and the cursor of the next page.
///
/// # Errors
///
/// When the cursor is invalid, or a store fails.
pub(super) fn listed(cursor: Option<&str>, kb: &KnowledgeBase) -> Result<(Vec<Resource>, Option<String>), Refusal> {
    let from: usize = match cursor {
        Some(cursor) => cursor.parse().map_err(|_| Refusal::mistake("this is not a cursor of a list of resources"))?,
        None => 0,
    };
    let mut ids: Vec<(EntityKind, String)> = Vec::new();
    for kind in [EntityKind::HardwareClass, EntityKind::Source] {
        ids.extend(kb.ids(kind)?.into_iter().map(|id| (kind, id)));
    }
    let next = from.saturating_add(PAGE);
    let has_next = next < ids.len();
    let mut resources = Vec::new();
    for (kind, id) in ids.into_iter().skip(from).take(PAGE) {
        let name = match kind {
            EntityKind::Source => kb.entity::<Source>(&id)?.map(|source| source.name),
            _ => kb.entity::<HardwareClassRecord>(&id)?.map(|class| class.name),
        };
        resources.push(Resource::new(uri(kind, &id), id).with_title(name.unwrap_or_default()).with_mime_type(JSON));
    }
    Ok((resources, has_next.then(|| next.to_string())))
}

/// Everything recorded about the thing at an address.
///
/// # Errors
///
/// When the address matches nothing, or a store fails.
pub(super) fn read(address: &str, kb: &KnowledgeBase) -> Result<ResourceContents, Refusal> {
    let parts = address.strip_prefix(SCHEME).and_then(|rest| rest.split_once('/'));
    let Some((kind, id)) = parts else { return Err(Refusal::not_found(address, Vec::new())) };
    let shown = ShowRequest { name: id.to_owned(), kind: Some(kind.to_owned()) }.shown(kb)?;
    let references = Cited::from(&shown.references).references;
    let document =
        serde_json::json!({ "title": shown.card.title, "facts": shown.card.facts, "references": references });
    let text = serde_json::to_string(&without_nulls(document))?;
    Ok(ResourceContents::text(text, address).with_mime_type(JSON))
}
