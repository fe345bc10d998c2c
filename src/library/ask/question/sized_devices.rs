//! The size of a memory: right behind a device it means those of its family that have as much (`A100 40GB vs 80GB`), alone all
//! devices that do.

use std::collections::BTreeSet;

use super::clause::Clause;
use super::error::QueryError;
use super::facing::kind_of;
use super::hints::Mention;
use super::idioms::Idiom;
use super::interpreter::Interpreter;
use super::mentions::Context;
use super::question::Quantity;
use super::sentence::Sentence;
use super::sides::ReadClause;
use super::vocabulary::plain;
use crate::model::{Facet, Fact, FactValue};
use crate::values::{EntityKind, Unit};

impl Interpreter<'_> {
    /// `24GB memory`, `24 gb vram`, `24GB`: the devices that have as much.
    pub(super) fn memory(&mut self, words: &[&str], first: &str) -> Result<Option<(usize, Idiom)>, QueryError> {
        let unit = |text: &str| matches!(text, "gb" | "gib" | "mb" | "mib" | "kb" | "kib");
        let digits = first.trim_end_matches(|c: char| c.is_ascii_alphabetic());
        let (number, mut taken) = match words.get(1) {
            _ if unit(&first[digits.len()..]) => (digits, 1),
            Some(second) if unit(&plain(second)) && digits.len() == first.len() => (first, 2),
            _ => return Ok(None),
        };
        let whole = words[..taken].iter().map(|word| plain(word)).collect::<String>();
        let Some(size) = Unit::Gibibytes.parse(&whole).filter(|_| number.parse::<f64>().is_ok()) else {
            return Ok(None);
        };
        taken += words[taken..]
            .iter()
            .take_while(|word| matches!(word.to_lowercase().as_str(), "of" | "memory" | "vram" | "ram"))
            .count();
        let devices = self.stores.database.entities_with(
            EntityKind::Device,
            Fact::Memory.key(),
            |value| matches!(value, FactValue::Number(number) if *number == size),
        )?;
        // What is to fit in it is asked of no device that has as much.
        let is_room = self.hints.mentions.iter().any(asks_fit);
        if devices.is_empty() && !is_room {
            return Ok(None);
        }
        let condition = self.naming(EntityKind::Device, devices.into_iter().collect())?;
        let text = words[..taken].join(" ");
        let values = vec![format!("{size} GiB")];
        let equivalent = format!("{}:{size}", Fact::Memory);
        Ok(Some((taken, Idiom::Clause(Clause::of(&text, Fact::Memory.key(), values, equivalent, condition)))))
    }

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

/// Whether it is asked what fits.
fn asks_fit(mention: &Mention) -> bool {
    mention.asked.quantities(Context::default()) == [Quantity::MemoryFit]
}

/// The size that a memory is to have.
fn gibibytes(clause: &Clause) -> Option<f64> {
    let [reading] = clause.readings.as_slice() else { return None };
    let [value] = reading.read_as.values.as_slice() else { return None };
    let is_memory = reading.read_as.facet == Fact::Memory.key();
    value.strip_suffix(" GiB").filter(|_| is_memory)?.parse().ok()
}
