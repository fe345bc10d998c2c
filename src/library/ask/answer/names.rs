//! What the entities are called that a conclusion and the rows behind it name.

use std::collections::BTreeMap;

use crate::ask::conclude::Conclusion;
use crate::ask::question::QueryError;
use crate::model::{Aspect, Field, Value};
use crate::rows::{EntityCache, JoinedRow, entity_kind};
use crate::stores::Stores;
use crate::values::EntityKind;

/// Nobody reads the names of more entries than this.
const MOST_ENTRIES: usize = 60;

/// The names of the entities in the first entries and in rows, by kind and id.
pub(super) fn names_in(
    stores: &Stores,
    conclusion: &Conclusion,
    rows: &[JoinedRow],
) -> Result<BTreeMap<(EntityKind, String), String>, QueryError> {
    let mut entities = EntityCache::default();
    let mut names = BTreeMap::new();
    for row in rows {
        for (field, kind) in Field::of_entities() {
            let Some(id) = row.recorded().text(field) else { continue };
            entities.load(&stores.database, kind, id)?;
            names.insert((kind, id.to_owned()), entities.name(kind, id).to_owned());
        }
    }
    for entry in conclusion.entries.iter().take(MOST_ENTRIES) {
        let sides = entry.subjects.iter().chain(entry.baseline.iter().flatten());
        let shared = entry.under.iter().filter_map(|(key, value)| Some((key, value.as_ref()?)));
        for (key, value) in sides.chain(shared) {
            let (Some(kind), Value::Text(id)) = (Aspect::keyed(key).and_then(entity_kind), value) else { continue };
            // A side may be several of one kind.
            for id in id.split(',') {
                entities.load(&stores.database, kind, id)?;
                names.insert((kind, id.to_owned()), entities.name(kind, id).to_owned());
            }
        }
    }
    Ok(names)
}
