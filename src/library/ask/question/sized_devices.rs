//! A device with the size of its memory right behind it is those of its family that have as much: `A100 40GB vs 80GB`.

use std::collections::BTreeSet;

use super::clause::Clause;
use super::error::QueryError;
use super::interpreter::Interpreter;
use super::sentence::Sentence;
use super::sides::{ReadClause, kind_of};
use crate::model::{Facet, Fact, FactValue};
use crate::values::EntityKind;

impl Interpreter<'_> {
    /// Narrows the device that was read last to its members with a memory, or adds those as the other side of a comparison.
    /// False where the memory is a condition of its own.
    pub(super) fn sized_device(&mut self, memory: &Clause, sentence: &mut Sentence<'_>) -> Result<bool, QueryError> {
        let Some(size) = gibibytes(memory).filter(|_| sentence.without.is_none()) else { return Ok(false) };
        let Some(last) = sentence.read.last().filter(|last| !last.clause.is_excluded()) else { return Ok(false) };
        let [reading] = last.clause.readings.as_slice() else { return Ok(false) };
        if kind_of(&last.clause) != Facet::Device.key() {
            return Ok(false);
        }
        let is_other_side = sentence.link.is_some();
        let mut family: BTreeSet<String> = reading.read_as.values.iter().cloned().collect();
        if is_other_side {
            for id in &reading.read_as.values {
                for head in self.stores.database.ancestors(EntityKind::Device, id)? {
                    family.extend(self.stores.database.descendants(EntityKind::Device, &head)?);
                }
            }
        }
        let (kind, key) = (EntityKind::Device, Fact::Memory.key());
        let is_size = |value: &FactValue| matches!(value, FactValue::Number(number) if *number == size);
        let having = self.stores.database.entities_with(kind, key, is_size)?;
        let members: Vec<String> = family.into_iter().filter(|id| having.contains(id)).collect();
        if members.is_empty() {
            return Ok(false);
        }
        let words = last.clause.text.split(' ');
        let is_own_size = |word: &&str| word.to_lowercase().contains("gb") || word.bytes().all(|b| b.is_ascii_digit());
        let own: Vec<&str> = match is_other_side {
            true => words.enumerate().take_while(|(at, word)| *at == 0 || !is_own_size(word)).map(|(_, w)| w).collect(),
            false => words.collect(),
        };
        let text = format!("{} {}", own.join(" "), memory.text);
        let clause = self.facet_clause(&text, Facet::Device, members, "alias")?;
        if is_other_side {
            sentence.push(Some(Facet::Device), clause);
        } else if let Some(last) = sentence.read.pop() {
            sentence.read.push(ReadClause { facet: Some(Facet::Device), clause, ..last });
        }
        Ok(true)
    }
}

/// The size that a memory is to have.
fn gibibytes(clause: &Clause) -> Option<f64> {
    let [reading] = clause.readings.as_slice() else { return None };
    let [value] = reading.read_as.values.as_slice() else { return None };
    let is_memory = reading.read_as.facet == Fact::Memory.key();
    value.strip_suffix(" GiB").filter(|_| is_memory)?.parse().ok()
}
