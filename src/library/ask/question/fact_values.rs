//! Words that name no entity and are values of a fact: the memory of `gpus with HBM`, the form of `V100 PCIe`, whose framework of
//! `frameworks from google`, a licence that none has.

use std::cell::RefCell;
use std::collections::BTreeSet;

use super::clause::{Clause, quoted};
use super::error::QueryError;
use super::interpreter::Interpreter;
use super::products::WordRun;
use super::vocabulary::plain;
use crate::model::{Facet, Fact, FactValue};
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
        if run.is_text() && of_frameworks && is_license(&run.text) {
            let license = plain(&run.text);
            let filter = format!("license:{license}");
            let none = Condition::Any(Vec::new());
            return Ok(Some(Clause::of(&run.text, Facet::License.key(), vec![license], filter, none)));
        }
        let is_vendor = matches!(run.readings.as_slice(), [only] if only.facet == Some(Facet::Vendor));
        let fact = match of_frameworks {
            true if is_vendor => Fact::Steward,
            false if run.is_text() && word.len() > 2 && !is_english(&word) => Fact::MemoryType,
            _ => return Ok(None),
        };
        if self.facts_looked_for >= MOST_FACTS {
            return Ok(None);
        }
        self.facts_looked_for += 1;
        let values = RefCell::new(BTreeSet::new());
        let is_of = |value: &FactValue| match value {
            FactValue::Word(stated) if normalise(stated).starts_with(&word) => {
                values.borrow_mut().insert(stated.clone());
                true
            }
            _ => false,
        };
        let ids = self.stores.database.entities_with(fact.kind(), fact.key(), is_of)?;
        let values: Vec<String> = values.into_inner().into_iter().collect();
        if ids.is_empty() {
            return Ok(None);
        }
        let condition = self.naming(fact.kind(), ids.into_iter().collect())?;
        let filtered: Vec<String> = values.iter().map(|value| quoted(value)).collect();
        let filter = format!("{}:{}", fact.key(), filtered.join(","));
        Ok(Some(Clause::of(&run.text, fact.key(), values, filter, condition)))
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

/// Whether a word is the family of a licence that SPDX knows: `lgpl`.
fn is_license(word: &str) -> bool {
    let begins = format!("{}-", plain(word).to_ascii_uppercase());
    begins.len() > 3 && spdx::identifiers::LICENSES.iter().any(|license| license.name.starts_with(&begins))
}
