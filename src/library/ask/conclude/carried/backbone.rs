//! The network that another one takes its features from: by the notes of the catalog, and by the names of a family's members.

use crate::ask::conclude::basis::conclusion::{Conclusion, Entry, EntryValue};
use crate::ask::conclude::basis::listed_kinds::name_of;
use crate::ask::conclude::basis::named::{named_entities, subject_key};
use crate::ask::conclude::basis::noted::{has_any, noted_of, quoted, sentences};
use crate::ask::conclude::basis::row_counts::RowCounts;
use crate::ask::conclude::basis::wording::Names;
use crate::ask::question::{QueryError, Question};
use crate::model::{Aspect, Facet, Field, Value};
use crate::stores::Stores;
use crate::stores::index::Condition;
use crate::values::EntityKind;
use crate::values::text::{and_list, counted};

/// Words by which notes say what a network is built on.
const OF_BACKBONES: &[&str] = &["backbone", "backbones", "fpn", "resnet", "resnext", "feature", "features", "encoder"];

/// So many members are named.
const MOST_NAMED: usize = 12;

/// Tells on what the network that is named is built.
///
/// # Errors
///
/// When a store fails.
pub(super) fn conclude(stores: &Stores, question: &Question) -> Result<Conclusion, QueryError> {
    let named = named_entities(stores, question)?;
    let Some(network) = named.iter().find(|named| named.kind == EntityKind::Network) else {
        return Ok(Conclusion::default());
    };
    let noted = noted_of(stores, network)?;
    let name = noted.as_ref().map_or_else(|| network.id.clone(), |noted| noted.name.clone());
    let said: Vec<String> =
        noted.iter().flat_map(|noted| sentences(&noted.notes)).filter(|one| has_any(one, OF_BACKBONES)).collect();
    let mut names = Names::default();
    let mut called = Vec::new();
    let mut entries = Vec::new();
    let condition = Condition::Facet(Facet::Network, network.members.clone());
    let hits = stores.index.measurements(&condition, None, &[], 0, 0)?;
    let counts = RowCounts::of(stores, &hits, Aspect::Field(Field::Network))?;
    let mut members: Vec<&String> = network.members.iter().collect();
    members.sort_by_key(|member| std::cmp::Reverse(counts.rows_of(member)));
    for member in members {
        let shown = name_of(stores, &mut names, EntityKind::Network, member)?;
        entries.push(Entry {
            subjects: [(subject_key(EntityKind::Network).to_owned(), Value::Text(member.as_str().into()))].into(),
            quantity: "name".to_owned(),
            value: Some(EntryValue::Text(shown.clone())),
            n: counts.rows_of(member),
            ..Entry::default()
        });
        called.push(shown);
    }
    let by_notes = match said.is_empty() {
        true => format!("The catalog notes no backbone of {name}."),
        false => format!("Of the backbone of {name} the catalog notes: {}", quoted(&said)),
    };
    let hidden = called.len().saturating_sub(MOST_NAMED);
    called.truncate(MOST_NAMED);
    let more = if hidden > 0 { format!(" and {hidden} more") } else { String::new() };
    let by_names = match called.is_empty() {
        true => String::new(),
        false => format!(
            " It has {} here, whose names say on what each is built: {}{more}.",
            counted(network.members.len(), "member", "members"),
            if hidden > 0 { called.join(", ") } else { and_list(&called) },
        ),
    };
    Ok(Conclusion { text: format!("{by_notes}{by_names}"), entries })
}
