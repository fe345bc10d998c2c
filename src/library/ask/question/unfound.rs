//! Words that are no name and that no text holds together with the rest: they are left out, and said.

use super::clause::Clause;
use super::error::QueryError;
use super::interpreter::Interpreter;
use super::mentions::Context;
use crate::stores::index::Condition;

/// Each is a search; what is behind the last is left out unseen.
const MOST_SEARCHES: usize = 12;

impl Interpreter<'_> {
    /// Leaves out the bare words that find nothing together with the rest of the question.
    ///
    /// Where nothing else says what is asked about, they stay: an answer about everything would be none.
    pub(super) fn leave_out_unfound(&mut self, clauses: &mut Vec<Clause>) -> Result<(), QueryError> {
        if !clauses.iter().any(is_bare_text) {
            return Ok(());
        }
        let names: Vec<Clause> = clauses.iter().filter(|clause| !is_bare_text(clause)).cloned().collect();
        let named = Context::of(&names);
        let asks = named.classes
            || named.tasks
            || self.superlative.is_some()
            || self.about.is_some()
            || !self.hints.mentions.is_empty();
        let mut held: Vec<Condition> = names.iter().map(|clause| clause.condition.clone()).collect();
        let rest = self.finds(&Condition::All(held.clone()))?;
        let mut searches = 0;
        let mut kept = Vec::new();
        for clause in std::mem::take(clauses) {
            if !is_bare_text(&clause) {
                kept.push(clause);
                continue;
            }
            // Every second text has a small number in it.
            let is_number = clause.text.len() < 4 && clause.text.bytes().all(|byte| byte.is_ascii_digit());
            let is_product = !is_number && clause.text.contains(|c: char| c.is_ascii_digit());
            searches += 1;
            held.push(clause.condition.clone());
            let searched = rest && !is_number && searches <= MOST_SEARCHES;
            let found = searched && self.finds(&Condition::All(held.clone()))?;
            // An answer about everything, or about facts of everything, is none to who asks about a product.
            let needed = !named.has_entity() && (is_product || !asks && searches == 1);
            if found || needed {
                kept.push(clause);
            } else {
                held.pop();
                self.ignored.push(clause.text);
            }
        }
        *clauses = kept;
        Ok(())
    }
}

/// Whether a clause is a bare word that was read as text.
fn is_bare_text(clause: &Clause) -> bool {
    let [reading] = clause.readings.as_slice() else { return false };
    reading.read_as.how == "text" && reading.read_as.values.first() == Some(&clause.text) && clause.sides.is_empty()
}
