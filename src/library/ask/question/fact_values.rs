//! Words that name no entity and are values of a fact: the memory of `gpus with HBM`, the form of `V100 PCIe`, whose framework of
//! `frameworks from google`, a licence that none has.

use std::cell::RefCell;
use std::collections::BTreeSet;

use super::clause::{Clause, filter_text, quoted};
use super::error::QueryError;
use super::hints::{AskedQuantity, Mention};
use super::interpreter::Interpreter;
use super::nouns::is_noun_of_devices;
use super::vocabulary::{DEVICE_NOUNS, StaticQuantity, plain};
use super::word_run::WordRun;
use crate::model::{Facet, Fact, FactValue};
use crate::rows::Note;
use crate::stores::index::Condition;
use crate::stores::resolve::is_english;
use crate::values::EntityKind;
use crate::values::spelling::normalise;

/// So many words are looked for among the values of facts.
const MOST_FACTS: usize = 8;

impl Interpreter<'_> {
    /// A word that is no name of an entity and a value of a fact: the memory of `gpus with HBM`, whose framework of `frameworks
    /// from google`.
    pub(super) fn fact_in_words(&mut self, run: &WordRun, of_frameworks: bool) -> Result<Option<Clause>, QueryError> {
        let word = normalise(&run.text);
        let speaks_of_frameworks = of_frameworks || self.hints.speaks_of(EntityKind::Framework);
        if run.is_text() && speaks_of_frameworks && is_license(&run.text) {
            return self.license_family(&run.text).map(Some);
        }
        let is_vendor = matches!(run.readings.as_slice(), [only] if only.facet == Some(Facet::Vendor));
        let is_foreign = run.is_text() && word.len() > 2 && !is_english(&word);
        let has_figure = word.contains(|c: char| c.is_ascii_digit());
        let facts: &[Fact] = match of_frameworks {
            true if is_vendor && !self.is_of_hardware(&run.text) => &[Fact::Steward],
            true if is_foreign => &[Fact::Steward],
            // A number alone is no chip that ends so.
            false if is_foreign && has_figure && !word.bytes().all(|byte| byte.is_ascii_digit()) => {
                &[Fact::MemoryType, Fact::FormFactor, Fact::Chip]
            }
            false if is_foreign => &[Fact::MemoryType, Fact::FormFactor],
            _ => return Ok(None),
        };
        for &fact in facts {
            if self.facts_looked_for >= MOST_FACTS {
                return Ok(None);
            }
            self.facts_looked_for += 1;
            let goes_on = |stated: &str| {
                let rest = stated.strip_prefix(word.as_str());
                rest.is_some_and(|rest| rest.starts_with(|c: char| c.is_ascii_digit()))
            };
            let own = |stated: &str| match fact {
                // Whose framework it is may stand behind the name of its team: `JAX team (Google)`.
                Fact::Steward => stated.starts_with(&word) || stated.ends_with(&word),
                // `SXM` is said for SXM2 to SXM5.
                Fact::FormFactor => stated == word || goes_on(stated),
                _ => stated == word,
            };
            // `GA102` of a GA102-300, `K26` of a Kria K26; a K210 is no GK210.
            if fact == Fact::Chip {
                let found = self.entities_stating_as(fact, |stated| has_at_an_end(stated, &word))?;
                if !found.0.is_empty() {
                    return self.stating_values(&run.text, fact, found).map(Some);
                }
                continue;
            }
            let found = match self.entities_stating(fact, own)? {
                // `HBM` is that of every generation, `HBM2` no HBM2e.
                (ids, _) if ids.is_empty() && fact == Fact::MemoryType => self.entities_stating(fact, goes_on)?,
                found => found,
            };
            if !found.0.is_empty() {
                return self.stating_values(&run.text, fact, found).map(Some);
            }
        }
        Ok(None)
    }

    /// Which of several kinds of memory a device has is asked for, where nothing else is: `gddr or hbm on the a10`.
    pub(super) fn asks_for_memory(&mut self, clauses: &mut Vec<Clause>) {
        let (device, memory) = (Facet::Device.key(), Fact::MemoryType.key());
        let is_of = |clause: &Clause, kind: &str| clause.plain_kind() == Some(kind) && clause.sides.is_empty();
        let is_choice = |clause: &Clause| is_of(clause, memory) && clause.readings.len() > 1;
        let devices = clauses.iter().filter(|clause| is_of(clause, device)).count();
        let Some(at) = clauses.iter().position(is_choice) else { return };
        if clauses.len() != 2 || devices != 1 || !self.hints.mentions.is_empty() {
            return;
        }
        let text = clauses.remove(at).text;
        let asked = AskedQuantity::Only(StaticQuantity::Fact(Fact::MemoryType));
        self.notes.retain(|note| !matches!(note, Note::AnyOf { .. }));
        self.hints.mentions.push(Mention { text, asked, level: None, without: None });
    }

    /// Whether a maker is named as that of hardware: `frameworks measured on AMD`, `frameworks for Intel CPUs`.
    fn is_of_hardware(&self, maker: &str) -> bool {
        let words: Vec<String> = self.question.split_whitespace().map(plain).collect();
        let named: Vec<String> = maker.split_whitespace().map(plain).collect();
        let Some(at) = words.windows(named.len().max(1)).position(|window| window == named) else { return false };
        let before = at.checked_sub(1).and_then(|at| words.get(at));
        let behind = words.get(at + named.len());
        before.is_some_and(|word| matches!(word.as_str(), "on" | "for" | "support" | "supports" | "supporting"))
            || behind.is_some_and(|word| DEVICE_NOUNS.contains(&word.as_str()) || is_noun_of_devices(word))
    }

    /// The entities that state a value of a fact which passes, spelled as names are compared, and these values as they stand.
    fn entities_stating(
        &self,
        fact: Fact,
        passes: impl Fn(&str) -> bool,
    ) -> Result<(BTreeSet<String>, BTreeSet<String>), QueryError> {
        self.entities_stating_as(fact, |stated| passes(&normalise(stated)))
    }

    /// The same by the values as they are written.
    fn entities_stating_as(
        &self,
        fact: Fact,
        passes: impl Fn(&str) -> bool,
    ) -> Result<(BTreeSet<String>, BTreeSet<String>), QueryError> {
        let values = RefCell::new(BTreeSet::new());
        let is_of = |value: &FactValue| match value {
            FactValue::Word(stated) if passes(stated) => {
                values.borrow_mut().insert(stated.clone());
                true
            }
            _ => false,
        };
        let ids = self.stores.database.entities_with(fact.kind(), fact.key(), is_of)?;
        Ok((ids, values.into_inner()))
    }

    /// `GPL frameworks`: every licence of that family that a framework has.
    fn license_family(&self, text: &str) -> Result<Clause, QueryError> {
        let family = normalise(text);
        let (_, licenses) = self.entities_stating(Fact::License, |stated| stated.starts_with(&family))?;
        let licenses: Vec<String> = licenses.into_iter().collect();
        if licenses.is_empty() {
            let license = plain(text);
            let filter = format!("license:{license}");
            return Ok(Clause::of(text, Facet::License.key(), vec![license], filter, Condition::Any(Vec::new())));
        }
        let filter = filter_text(Facet::License, &licenses);
        let condition = Condition::Facet(Facet::License, licenses.clone());
        Ok(Clause::of(text, Facet::License.key(), licenses, filter, condition))
    }

    fn stating_values(
        &self,
        text: &str,
        fact: Fact,
        (ids, values): (BTreeSet<String>, BTreeSet<String>),
    ) -> Result<Clause, QueryError> {
        let values: Vec<String> = values.into_iter().collect();
        let condition = self.naming(fact.kind(), ids.into_iter().collect())?;
        let filtered: Vec<String> = values.iter().map(|value| quoted(value)).collect();
        let filter = format!("{}:{}", fact.key(), filtered.join(","));
        Ok(Clause::of(text, fact.key(), values, filter, condition))
    }

    /// Of a family that is named with the form of a board its members of that form: `V100 PCIe` is no V100 SXM2.
    pub(super) fn of_form(&self, text: &str, values: &[String]) -> Result<Vec<String>, QueryError> {
        let (kind, form) = (EntityKind::Device, Fact::FormFactor);
        let [family] = values else { return Ok(values.to_vec()) };
        let members = self.stores.database.descendants(kind, family)?;
        let words: Vec<String> = text.split([' ', '-']).map(normalise).filter(|word| word.len() > 2).collect();
        if members.len() < 2 || words.len() < 2 {
            return Ok(values.to_vec());
        }
        // `SXM` is said for SXM2 to SXM5.
        let is_said = |form: &str| words.iter().any(|word| form.starts_with(word.as_str()));
        let is_named = |value: &FactValue| matches!(value, FactValue::Word(form) if is_said(&normalise(form)));
        let of_form = self.stores.database.entities_with(kind, form.key(), is_named)?;
        let members: Vec<String> = members
            .into_iter()
            // The V100S is another product.
            .filter(|member| of_form.contains(member) && member.starts_with(&format!("{family}-")))
            .collect();
        Ok(if members.is_empty() { values.to_vec() } else { members })
    }
}

/// Whether whole parts at the beginning or at the end of a name are spelled so, as names are compared.
fn has_at_an_end(name: &str, normal: &str) -> bool {
    let cuts = name.char_indices().filter(|(_, c)| !c.is_alphanumeric()).map(|(at, _)| at);
    let mut cuts = cuts.chain([name.len()]);
    normalise(name) == normal || cuts.any(|at| normalise(&name[..at]) == normal || normalise(&name[at..]) == normal)
}

/// Whether a word is the family of a licence that SPDX knows: `lgpl`.
fn is_license(word: &str) -> bool {
    let begins = format!("{}-", plain(word).to_ascii_uppercase());
    begins.len() > 3 && spdx::identifiers::LICENSES.iter().any(|license| license.name.starts_with(&begins))
}

#[cfg(test)]
mod tests {
    use super::has_at_an_end;

    #[test]
    fn a_chip_is_named_by_whole_parts_of_its_name() {
        for (name, word, expected) in [
            ("GK210", "k210", false),
            ("GK210", "gk210", true),
            ("GA102-300-A1", "ga102", true),
            ("GA102-300-A1", "ga10", false),
            ("Kria K26", "k26", true),
            ("Kria K26", "26", false),
        ] {
            assert_eq!(has_at_an_end(name, word), expected, "{name} {word}");
        }
    }
}
