//! The size of a memory: right behind a device it means those of its family that have as much (`A100 40GB vs 80GB`), alone all
//! devices that do.

use std::collections::BTreeSet;

use super::clause::{Clause, text_clause};
use super::error::QueryError;
use super::facing::kind_of;
use super::hints::Mention;
use super::idioms::Idiom;
use super::interpreter::Interpreter;
use super::mentions::Context;
use super::question::Quantity;
use super::sentence::Sentence;
use super::sides::ReadClause;
use super::vocabulary::{POSSIBLE, RUNNING, plain};
use crate::model::{Facet, Fact, FactValue};
use crate::values::{EntityKind, Unit};

/// Words that ask whether a memory holds something.
const ENOUGH: &[&str] = &["enough", "fit", "fits"];

/// Gigabytes as people say them.
const GIGABYTES: &[&str] = &["gigabytes", "gigabyte", "gigs", "gig"];

impl Interpreter<'_> {
    /// `24GB memory`, `24 gb vram`, `24GB`: the devices that have as much.
    pub(super) fn memory(&mut self, words: &[&str], first: &str) -> Result<Option<(usize, Idiom)>, QueryError> {
        let unit = |text: &str| matches!(text, "gb" | "gib" | "mb" | "mib" | "kb" | "kib") || GIGABYTES.contains(&text);
        let digits = first.trim_end_matches(|c: char| c.is_ascii_alphabetic());
        let (number, mut taken) = match words.get(1) {
            _ if unit(&first[digits.len()..]) => (digits, 1),
            Some(second) if unit(&plain(second)) && digits.len() == first.len() => (first, 2),
            _ => return Ok(None),
        };
        let whole = words[..taken].iter().map(|word| plain(word)).collect::<String>();
        let written_out = GIGABYTES.iter().find_map(|unit| whole.strip_suffix(unit));
        let whole = written_out.map_or(whole.clone(), |number| format!("{number}gb"));
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
        // `4060 ti 16gb`, where neither is known: the size belongs to the name.
        if sentence.link.is_none() && self.is_unknown_product(&last.clause) {
            let text = format!("{} {}", last.clause.text, memory.text);
            self.unknown_names.iter_mut().filter(|name| **name == last.clause.text).for_each(|name| {
                name.clone_from(&text);
            });
            if self.asks_room() {
                self.aside(memory.text.clone(), Fact::Memory.key(), &format!("{size} GiB"));
            }
            if let Some(last) = sentence.read.pop() {
                sentence.read.push(ReadClause { clause: text_clause(&text), ..last });
            }
            return Ok(true);
        }
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
        if members.is_empty() && !is_other_side {
            let devices = reading.read_as.values.clone();
            return self.sold_in_sizes(memory, size, &devices);
        }
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

    /// `3060 12gb` of a card whose size the catalog does not state, because it was sold in several: the size is a part of its name,
    /// and is told as one by which no rows are told apart. False where a size is stated, of which this is none.
    fn sold_in_sizes(&mut self, memory: &Clause, size: f64, devices: &[String]) -> Result<bool, QueryError> {
        let stating = self.stores.database.entities_with(EntityKind::Device, Fact::Memory.key(), |_| true)?;
        if devices.iter().any(|id| stating.contains(id)) {
            return Ok(false);
        }
        // What is to fit is held against it all the same.
        match self.asks_room() {
            true => self.aside(memory.text.clone(), Fact::Memory.key(), &format!("{size} GiB")),
            false => self.leave_out(&memory.text),
        }
        Ok(true)
    }

    /// Whether it is asked anywhere in the question what a memory can hold: `can I run it on a 3060 12gb`.
    fn asks_room(&self) -> bool {
        let says = |words: &[&str]| words.iter().any(|word| self.all_words.contains(*word));
        says(POSSIBLE) && says(RUNNING) || says(ENOUGH) || self.hints.mentions.iter().any(asks_fit)
    }

    /// Whether a clause is the name of a product that nothing here is called: letters or a brand, and a number.
    fn is_unknown_product(&self, clause: &Clause) -> bool {
        let is_text = matches!(clause.readings.as_slice(), [reading] if reading.read_as.how == "text");
        let has_number = clause.text.split(' ').any(|word| {
            let digits = word.bytes().filter(u8::is_ascii_digit).count();
            digits >= 3
        });
        is_text && clause.sides.is_empty() && !clause.text.contains([':', '"']) && has_number
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
