//! Every URL in the catalog, and its place in the files.

use crate::model::Citation;
use crate::reading::{Loaded, Located, Step};
use crate::values::{EntityId, EntityKind};

/// A URL and its place.
#[derive(Debug, Clone)]
pub struct CitedUrl {
    /// As it is written.
    pub url: String,
    /// The entity that it belongs to.
    pub id: EntityId,
    /// The place of the entity.
    pub place: Located<()>,
    /// The keys from there to the URL.
    pub steps: Vec<Step>,
}

/// All URLs, in the order of kinds and ids.
pub fn cited_urls(loaded: &Loaded) -> Vec<CitedUrl> {
    let catalog = &loaded.catalog;
    let mut all = UrlCollector { loaded, found: Vec::new() };
    for (id, entity) in &catalog.frameworks {
        all.of(EntityKind::Framework, id, &[("homepage", &entity.homepage), ("repository", &entity.repository)]);
        all.cited(EntityKind::Framework, id, &entity.sources);
    }
    for (id, entity) in &catalog.devices {
        all.cited(EntityKind::Device, id, &entity.sources);
    }
    for (id, entity) in &catalog.networks {
        all.of(EntityKind::Network, id, &[("paper", &entity.paper)]);
        all.cited(EntityKind::Network, id, &entity.sources);
    }
    for (id, entity) in &catalog.datasets {
        all.of(EntityKind::Dataset, id, &[("homepage", &entity.homepage)]);
        all.cited(EntityKind::Dataset, id, &entity.sources);
    }
    for (id, entity) in &catalog.sources {
        all.of(EntityKind::Source, id, &[("url", &entity.url)]);
    }
    all.found
}

struct UrlCollector<'l> {
    loaded: &'l Loaded,
    found: Vec<CitedUrl>,
}

impl UrlCollector<'_> {
    fn of(&mut self, kind: EntityKind, id: &EntityId, urls: &[(&str, &Option<String>)]) {
        for (key, url) in urls {
            self.add(kind, id, url, || vec![(*key).into()]);
        }
    }

    /// The citations of an entity with a file of its own; those of a collection are its rows' together.
    fn cited(&mut self, kind: EntityKind, id: &EntityId, citations: &[Citation]) {
        for (at, citation) in citations.iter().enumerate() {
            self.add(kind, id, &citation.url, || vec!["sources".into(), at.into(), "url".into()]);
        }
    }

    fn add(&mut self, kind: EntityKind, id: &EntityId, url: &Option<String>, steps: impl Fn() -> Vec<Step>) {
        let place = self.loaded.places.get(&(kind, id.to_string()));
        if let (Some(url), Some(place)) = (url, place) {
            self.found.push(CitedUrl { url: url.clone(), id: id.clone(), place: place.clone(), steps: steps() });
        }
    }
}
