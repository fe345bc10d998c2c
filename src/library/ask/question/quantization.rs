//! Ways to write weights in few bits, by their names in questions: `q4_0`, `Q5_K_M`.

use super::clause::{Clause, text_clause};
use super::error::QueryError;
use super::interpreter::Interpreter;
use super::vocabulary::plain;
use crate::stores::index::{Condition, DocumentKind};

impl Interpreter<'_> {
    /// What rows of as many bits are called, where none of them is written as a word says: `q4` for `q4_0`. What is named besides
    /// the network has to have such rows.
    pub(super) fn near_quantization(&self, clause: &Clause, names: &[Clause]) -> Result<Option<Clause>, QueryError> {
        let Some(bits) = bits_of_quantization(&clause.text) else { return Ok(None) };
        let is_setup = |one: &&Clause| !matches!(one.plain_kind(), Some("network" | "parameters" | "metric"));
        let setup: Vec<Condition> = names.iter().filter(is_setup).map(|one| one.condition.clone()).collect();
        let has_rows = |text: &Condition| -> Result<bool, QueryError> {
            let all = setup.iter().cloned().chain([text.clone()]).collect();
            Ok(self.stores.index.count(DocumentKind::Measurement, &Condition::All(all))? > 0)
        };
        let near = text_clause(&format!("q{bits}"));
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
