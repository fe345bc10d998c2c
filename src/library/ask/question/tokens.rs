//! Quantities that are told for each token: rows that count images or sentences are none of `tokens per second`.

use super::clause::Clause;
use super::error::QueryError;
use super::hints::Hints;
use super::interpreter::Interpreter;
use super::question::Quantity;
use super::sides::kind_of;
use crate::model::Field;
use crate::stores::index::{Condition, DocumentKind};

/// Words for what a language model reads and writes.
const WORDS: &[&str] = &["token", "tokens", "tok", "toks", "tps"];

/// What a row says that counts them.
const TOKEN: &str = "token";

impl Hints {
    /// Records that a quantity is told for each token, where its value counts items at all: a time to the first token does not.
    pub fn note_tokens(&mut self, text: &str, quantities: &[Quantity]) {
        let of_items = |quantity: &Quantity| match quantity {
            Quantity::Metric(metric) => metric.is_of_items(),
            Quantity::Derived(measure) => measure.items_per().is_some(),
            _ => false,
        };
        let says_tokens =
            || text.split(|c: char| !c.is_alphanumeric()).any(|word| WORDS.contains(&word.to_lowercase().as_str()));
        if quantities.iter().any(of_items) && says_tokens() {
            self.tokens.get_or_insert_with(|| text.to_owned());
        }
    }
}

impl Interpreter<'_> {
    /// Leaves the rows that count tokens, where any of those that meet the rest does.
    pub(super) fn counting_tokens(&mut self, clauses: &mut Vec<Clause>, hints: &Hints) -> Result<(), QueryError> {
        let key = Field::Counts.key();
        let Some(text) = hints.tokens.as_ref().filter(|_| !clauses.iter().any(|clause| kind_of(clause) == key)) else {
            return Ok(());
        };
        let (condition, _) = self.with_value(Field::Counts, |counted| counted == TOKEN)?;
        let all = clauses.iter().map(|clause| &clause.condition).chain([&condition]).cloned().collect();
        if self.stores.index.count(DocumentKind::Measurement, &Condition::All(all))? > 0 {
            clauses.push(Clause::of(text, key, vec![TOKEN.to_owned()], format!("{key}:{TOKEN}"), condition));
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::model::{Derived, Metric};

    #[test]
    fn tokens_count_only_in_quantities_of_items() {
        let noted = |text: &str, quantity: Quantity| {
            let mut hints = Hints::default();
            hints.note_tokens(text, &[quantity]);
            hints.tokens.is_some()
        };
        assert!(noted("tokens per second", Quantity::Metric(Metric::ThroughputPerS)));
        assert!(noted("J/token", Quantity::Metric(Metric::EnergyPerItemJ)));
        assert!(noted("cost per million tokens", Quantity::Derived(Derived::ItemsPerDollar)));
        assert!(!noted("images per second", Quantity::Metric(Metric::ThroughputPerS)));
        assert!(!noted("time to first token", Quantity::Metric(Metric::TimeToFirstTokenMs)));
    }
}
