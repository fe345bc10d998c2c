//! Names of the catalog in running text: which entities a raw spelling names.

use std::collections::HashMap;

use crate::model::Catalog;
use crate::values::EntityKind;
use crate::values::spelling::normalise;

/// The entities of one kind by every name, normalised.
pub(in crate::contribute) struct CatalogNames<'l> {
    by_name: HashMap<String, Vec<&'l str>>,
    /// Whether a name counts inside a text without a digit.
    in_words: bool,
}

/// Words of the longest name.
const MOST_WORDS: usize = 8;
/// Shorter names are words of any language.
const SHORTEST: usize = 3;

impl<'l> CatalogNames<'l> {
    pub fn of(catalog: &'l Catalog, kind: EntityKind) -> Self {
        let mut by_name: HashMap<String, Vec<&'l str>> = HashMap::new();
        for entity in catalog.entities().filter(|entity| entity.kind() == kind) {
            for name in [entity.id(), entity.name()].into_iter().chain(entity.aliases().iter().map(String::as_str)) {
                let named = by_name.entry(normalise(name)).or_default();
                if named.last() != Some(&entity.id()) {
                    named.push(entity.id());
                }
            }
        }
        Self { by_name, in_words: kind == EntityKind::Framework }
    }

    /// The entities that a text names, each with its normalised name: the longest names with a digit, from the left. A name
    /// without a digit counts only where it is the whole text, or a framework's.
    pub fn named_in(&self, text: &str) -> Vec<(String, &[&'l str])> {
        let whole = normalise(text);
        if let Some(ids) = self.by_name.get(&whole) {
            return vec![(whole, ids)];
        }
        let is_sign = |c: char| !(c.is_alphanumeric() || matches!(c, '+' | '#' | '.'));
        let words: Vec<String> = text.split(is_sign).map(normalise).filter(|word| !word.is_empty()).collect();
        let (mut named, mut at) = (Vec::new(), 0);
        while at < words.len() {
            let longest = (at + 1..=words.len().min(at + MOST_WORDS)).rev().find_map(|end| {
                let name = words[at..end].concat();
                let digit = name.contains(|c: char| c.is_ascii_digit());
                let product = name.len() >= SHORTEST && digit || self.in_words && name.len() > SHORTEST;
                Some((end, self.by_name.get(&name).filter(|_| product)?, name))
            });
            match longest {
                Some((end, ids, name)) => {
                    named.push((name, ids.as_slice()));
                    at = end;
                }
                None => at += 1,
            }
        }
        named
    }
}
