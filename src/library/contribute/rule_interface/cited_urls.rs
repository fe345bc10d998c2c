//! Every URL in the catalog, and its place in the files.

use crate::reading::{Loaded, Located, Step};
use crate::values::EntityKind;

/// A URL and its place.
#[derive(Debug, Clone)]
pub struct CitedUrl {
    /// As it is written.
    pub url: String,
    /// The id of the entity that it belongs to.
    pub id: String,
    /// The place of the entity.
    pub place: Located<()>,
    /// The keys from there to the URL.
    pub steps: Vec<Step>,
}

/// All URLs, in the order of kinds and ids. The citations of an entity with a file of its own; those of a collection are
/// its rows' together.
pub fn cited_urls(loaded: &Loaded) -> Vec<CitedUrl> {
    let mut all = Vec::new();
    for entity in loaded.catalog.entities().filter(|entity| entity.kind() != EntityKind::HardwareClass) {
        let Some(place) = loaded.places.get(&(entity.kind(), entity.id().to_owned())) else { continue };
        let mut add = |url: &str, steps| {
            all.push(CitedUrl { url: url.to_owned(), id: entity.id().to_owned(), place: place.clone(), steps });
        };
        for (key, url) in entity.urls() {
            add(url, vec![key.into()]);
        }
        for (at, citation) in entity.citations().iter().enumerate() {
            if let Some(url) = &citation.url {
                add(url, vec!["sources".into(), at.into(), "url".into()]);
            }
        }
    }
    all
}
