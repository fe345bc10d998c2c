//! The id and the file of a new entry, and the entries that are called like it.

use std::path::{Path, PathBuf};

use crate::reading::Loaded;
use crate::values::spelling::normalise;
use crate::values::text::nearest;
use crate::values::{EntityId, EntityKind};

/// The id that a name suggests: `Nova 100 (PCIe)` is `nova-100-pcie`.
pub fn id_of(name: &str) -> Option<EntityId> {
    EntityId::of_name(name)
}

/// Entities of the kind that have this name already, and those with names near to it.
pub fn alike(loaded: &Loaded, kind: EntityKind, name: &str) -> (Vec<String>, Vec<String>) {
    let mut names: Vec<(String, String)> = Vec::new();
    for entity in loaded.catalog.entities().filter(|entity| entity.kind() == kind) {
        for name in entity.aliases().iter().map(String::as_str).chain([entity.name(), entity.id()]) {
            names.push((normalise(name), entity.id().to_owned()));
        }
    }
    let normal = normalise(name);
    let ids = |wanted: &[&str]| {
        let mut ids: Vec<String> = Vec::new();
        for (name, id) in &names {
            if wanted.contains(&name.as_str()) && !ids.contains(id) {
                ids.push(id.clone());
            }
        }
        ids
    };
    let same = ids(&[&normal]);
    let near = nearest(&normal, names.iter().map(|(name, _)| name.as_str()), 5);
    let near = ids(&near).into_iter().filter(|id| !same.contains(id)).collect();
    (same, near)
}

/// Where a new entity goes.
pub fn place_of(kind: EntityKind, id: &EntityId) -> PathBuf {
    Path::new("catalog").join(kind.plural()).join(format!("{id}.toml"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_suggest_ids() {
        for (name, id) in [
            ("Nova 100 PCIe 32 GB", "nova-100-pcie-32-gb"),
            ("ResNet-50 v1.5", "resnet-50-v1.5"),
            ("  (C++) Library", "c-plus-plus-library"),
        ] {
            assert_eq!(id_of(name).map(|id| id.to_string()).as_deref(), Some(id));
        }
        assert_eq!(id_of("…"), None);
    }
}
