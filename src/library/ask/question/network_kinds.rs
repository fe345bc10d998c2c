//! Networks by their kind: those of a task in the plural, `object detectors`, and those that are built alike, `transformers`.

use super::clause::{Clause, filter_text};
use super::error::QueryError;
use super::interpreter::Interpreter;
use super::vocabulary::{Meaning, plain};
use crate::model::{Aspect, Facet, Field};
use crate::stores::index::Condition;
use crate::values::EntityKind;

impl Interpreter<'_> {
    /// Records that networks are named in the plural, which may be what is asked for: `which llms are there`, `language models you hold`,
    /// `object detectors in the catalog`.
    pub(super) fn note_networks(&mut self, begins: bool, after: &[&str]) {
        let network = Aspect::Field(Field::Network);
        self.hints.note_asked(network);
        let words: Vec<String> = after.iter().take(3).map(|word| plain(word)).collect();
        let words: Vec<&str> = words.iter().map(String::as_str).collect();
        let of_catalog = matches!(
            words.as_slice(),
            ["you" | "known", ..]
                | ["in", "the" | "your", "catalog" | "catalogue" | "database" | "knowledge"]
                | ["in", "catalog" | "catalogue", ..]
        );
        self.hints.note_leading(network, begins, after.first().copied().filter(|_| of_catalog));
    }

    /// The networks that a phrase means: those of a kind, of which there are too many to look for the members of each, or those of
    /// which the catalog states a fact.
    pub(super) fn networks_meant(&self, text: &str, meaning: Meaning) -> Result<Option<Clause>, QueryError> {
        let kind = EntityKind::Network;
        let ids: Vec<String> = match meaning {
            Meaning::NetworksOf(of) => self.stores.database.ids(kind)?.into_iter().filter(|id| of.has(id)).collect(),
            Meaning::NetworksStating(fact) => {
                self.stores.database.entities_with(kind, fact.key(), |_| true)?.into_iter().collect()
            }
            _ => Vec::new(),
        };
        Ok(of_networks(text, ids))
    }
}

/// A clause of networks; `None` of none.
fn of_networks(text: &str, values: Vec<String>) -> Option<Clause> {
    if values.is_empty() {
        return None;
    }
    let condition = Condition::Facet(Facet::Network, values.clone());
    let filter = filter_text(Facet::Network, &values);
    let mut clause = Clause::of(text, Facet::Network.key(), values, filter, condition);
    clause.readings[0].read_as.how = "alias".to_owned();
    Some(clause)
}
