//! Every address that the catalog cites, and where it stands.

use crate::model::Citation;
use crate::reading::{Loaded, Placed, Step};
use crate::values::{EntityId, EntityKind};

/// An address and its place.
#[derive(Debug, Clone)]
pub struct Address {
    /// As it is written.
    pub url: String,
    /// The entity that cites it.
    pub id: EntityId,
    /// Where the entity stands.
    pub place: Placed<()>,
    /// From there to the address.
    pub steps: Vec<Step>,
}

/// All addresses, in the order of kinds and ids.
pub fn addresses(loaded: &Loaded) -> Vec<Address> {
    let catalog = &loaded.catalog;
    let mut all = Addresses { loaded, found: Vec::new() };
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

struct Addresses<'l> {
    loaded: &'l Loaded,
    found: Vec<Address>,
}

impl Addresses<'_> {
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
            self.found.push(Address { url: url.clone(), id: id.clone(), place: place.clone(), steps: steps() });
        }
    }
}
