//! What is on a board and inside a device: how many chips, and which one.

use crate::ask::conclude::basis::conclusion::Conclusion;
use crate::ask::conclude::basis::fact_entries::overview_entries;
use crate::ask::conclude::basis::fact_wording::{fact_in_words, value_in_words};
use crate::ask::conclude::basis::named::{NamedEntity, named_entities};
use crate::ask::conclude::basis::noted::{has_any, noted, noted_of, quoted, sentences};
use crate::ask::question::{QueryError, Question};
use crate::model::Fact;
use crate::stores::Stores;
use crate::values::EntityKind;
use crate::values::text::and_list;

/// Words for what there are several of on a board.
const PARTS: &[&str] =
    &["gpu", "gpus", "chip", "chips", "die", "dies", "gcds", "soc", "socs", "gk210", "gk104", "gm204", "processors"];

/// Words for how many.
const COUNTS: &[&str] = &["one", "two", "three", "four", "eight", "both", "dual", "single"];

/// Words of sentences that say what a device is made of.
const INSIDE: &[&str] =
    &["chip", "soc", "processor", "cores", "cpu", "gpu", "module", "board", "die", "dies", "accelerator", "phone"];

/// So many sentences are told.
const MOST_TOLD: usize = 2;

/// How many chips there are on a board.
///
/// # Errors
///
/// When a store fails.
pub(super) fn of_board(stores: &Stores, question: &Question) -> Result<Conclusion, QueryError> {
    let Some(device) = device(stores, question)? else { return Ok(Conclusion::default()) };
    let Some(own) = noted_of(stores, &device)? else { return Ok(Conclusion::default()) };
    // A form that is one of several parts has its own record.
    let alone = NamedEntity { members: Vec::new(), ..device.clone() };
    let entries = overview_entries(stores, &alone, &[Fact::Chip, Fact::Architecture, Fact::Memory, Fact::Cores])?;
    let mut said = counted_parts(&own.notes);
    let mut whose = own.name.clone();
    // What is said of the family holds for its forms, and of forms for the family.
    let mut relatives = stores.database.ancestors(EntityKind::Device, &device.id)?;
    relatives.extend(device.members.iter().cloned());
    for relative in relatives.iter().filter(|relative| **relative != device.id) {
        if !said.is_empty() {
            break;
        }
        if let Some(noted) = noted(stores, EntityKind::Device, relative)? {
            said = counted_parts(&noted.notes);
            whose = noted.name;
        }
    }
    let facts: Vec<String> = entries.iter().filter_map(fact_in_words).collect();
    let facts = if facts.is_empty() { String::new() } else { format!(" The record: {}.", and_list(&facts)) };
    said.truncate(MOST_TOLD);
    let text = match said.is_empty() {
        true => format!(
            "The catalog notes no more than one chip on {}, whose record is of one device; how many there are is kept of no \
             device otherwise.{facts}",
            own.name
        ),
        false => format!("Of {whose} the catalog notes: {}{facts}", quoted(&said)),
    };
    Ok(Conclusion { text, entries })
}

/// The sentences that count chips.
fn counted_parts(notes: &str) -> Vec<String> {
    sentences(notes).filter(|one| has_any(one, PARTS) && has_any(one, COUNTS)).collect()
}

/// Which chip is inside a device.
///
/// # Errors
///
/// When a store fails.
pub(super) fn inside(stores: &Stores, question: &Question) -> Result<Conclusion, QueryError> {
    let Some(device) = device(stores, question)? else { return Ok(Conclusion::default()) };
    let Some(own) = noted_of(stores, &device)? else { return Ok(Conclusion::default()) };
    let entries = overview_entries(stores, &device, &[Fact::Chip, Fact::Architecture, Fact::Vendor, Fact::Cores])?;
    let of = |fact: Fact| entries.iter().find(|entry| entry.quantity == fact.file_key()).and_then(value_in_words);
    let mut said: Vec<String> = sentences(&own.notes).filter(|one| has_any(one, INSIDE)).collect();
    said.truncate(MOST_TOLD);
    let mut text = match (of(Fact::Chip), of(Fact::Architecture)) {
        (Some(chip), Some(architecture)) => {
            format!("Chip of {}: {chip}, of the architecture {architecture}.", own.name)
        }
        (Some(chip), None) => format!("Chip of {}: {chip}.", own.name),
        (None, Some(architecture)) => {
            format!("The name of the chip in {} is not known; its architecture is {architecture}.", own.name)
        }
        (None, None) => format!("Which chip is in {} is not known.", own.name),
    };
    if !said.is_empty() {
        text.push_str(&format!(" The catalog notes: {}", quoted(&said)));
    }
    Ok(Conclusion { text, entries })
}

fn device(stores: &Stores, question: &Question) -> Result<Option<NamedEntity>, QueryError> {
    Ok(named_entities(stores, question)?.into_iter().find(|named| named.kind == EntityKind::Device))
}
