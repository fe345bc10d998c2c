//! Ways to write weights in few bits, by their names in questions: `q4_0`, `Q5_K_M`.

use super::clause::{Clause, text_clause};
use super::error::QueryError;
use super::interpreter::Interpreter;
use super::vocabulary::plain;
use crate::model::Facet;
use crate::stores::index::{Condition, DocumentKind};
use crate::values::Precision;

impl Interpreter<'_> {
    /// What rows of as many bits are called, where none of them is written as a word says: `q4` for `q4_0`, else `int4`. What is
    /// named besides the network has to have such rows.
    pub(super) fn near_quantization(&self, clause: &Clause, names: &[Clause]) -> Result<Option<Clause>, QueryError> {
        let Some(bits) = bits_of_quantization(&clause.text) else { return Ok(None) };
        let is_setup = |one: &&Clause| !matches!(one.plain_kind(), Some("network" | "parameters" | "metric"));
        let setup: Vec<Condition> = names.iter().filter(is_setup).map(|one| one.condition.clone()).collect();
        let has_rows = |text: &Condition| -> Result<bool, QueryError> {
            let all = setup.iter().cloned().chain([text.clone()]).collect();
            Ok(self.stores.index.count(DocumentKind::Measurement, &Condition::All(all))? > 0)
        };
        let all: Vec<Condition> = names.iter().map(|one| one.condition.clone()).collect();
        let meets_all = |condition: &Condition| -> Result<bool, QueryError> {
            let all = all.iter().cloned().chain([condition.clone()]).collect();
            Ok(self.stores.index.count(DocumentKind::Measurement, &Condition::All(all))? > 0)
        };
        if meets_all(&clause.condition)? {
            return Ok(None);
        }
        let near = text_clause(&format!("q{bits}"));
        if near.text != clause.text && meets_all(&near.condition)? {
            return Ok(Some(near));
        }
        // Rows that say in how many bits, and not in which way.
        let format = format!("int{bits}");
        if format.parse::<Precision>().is_ok() {
            let values = vec![format.clone()];
            let condition = Condition::Facet(Facet::Precision, values.clone());
            let filter = format!("precision:{format}");
            let in_bits = Clause::of(&clause.text, Facet::Precision.key(), values, filter, condition);
            if meets_all(&in_bits.condition)? {
                return Ok(Some(in_bits));
            }
        }
        let is_known = has_rows(&clause.condition)? || near.text == clause.text;
        Ok(if !is_known && has_rows(&near.condition)? { Some(near) } else { None })
    }
}

/// The bits of a weight, where a word is the name of a way to write them: `q4_0`, `Q5_K_M`, `iq3_xs`.
pub(super) fn bits_of_quantization(word: &str) -> Option<u8> {
    let word = plain(word).to_lowercase();
    let rest = word.strip_prefix("iq").or_else(|| word.strip_prefix('q'))?;
    let (bits, form) = rest.split_at(rest.find(|c: char| !c.is_ascii_digit()).unwrap_or(rest.len()));
    let bits: u8 = bits.parse().ok().filter(|bits| (1..=8).contains(bits))?;
    let is_form = form.is_empty() || form.starts_with('_') && form.len() > 1;
    is_form.then_some(bits)
}
