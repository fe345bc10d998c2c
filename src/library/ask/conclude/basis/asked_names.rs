//! What a question names, as people call it, for sentences about rows that do not all state it.

use indexmap::IndexMap;

use super::wording::Names;
use crate::ask::question::{QueryError, Question};
use crate::model::{Aspect, Field};
use crate::stores::Stores;
use crate::values::text::or_list;

/// What is worth naming.
const TOLD: &[Field] = &[Field::Network, Field::Framework, Field::Device, Field::Dataset];

/// What a question names besides the sides, by the keys of filters: a family of networks, a framework.
pub(in crate::ask::conclude) fn asked_names(
    stores: &Stores,
    question: &Question,
    names: &mut Names,
) -> Result<IndexMap<String, String>, QueryError> {
    let mut asked = IndexMap::new();
    for (at, clause) in question.clauses.iter().enumerate() {
        if Some(at) == question.wanted.joined_at || clause.text.starts_with('-') {
            continue;
        }
        // Of several that are named together none stands for the others.
        let mut named: IndexMap<String, Vec<String>> = IndexMap::new();
        for read in clause.readings.iter().map(|reading| &reading.read_as) {
            let Some(field) = TOLD.iter().copied().find(|field| field.key() == read.facet) else { continue };
            if let Some(value) = read.values.first().filter(|_| read.values.len() == 1 || read.how == "family") {
                let name = names.of(Aspect::Field(field), value, stores)?;
                named.entry(field.key().to_owned()).or_default().push(name);
            }
        }
        for (key, names) in named {
            asked.entry(key).or_insert_with(|| or_list(&names));
        }
    }
    Ok(asked)
}
