//! How far a name reaches in a sentence.

use super::error::QueryError;
use super::interpreter::Interpreter;
use crate::model::{Facet, Lookup as _};
use crate::values::spelling::normalise;

/// A name has at most this many words.
const LONGEST_NAME: usize = 6;

impl Interpreter<'_> {
    /// How many words the longest name has that these begin with.
    pub(super) fn longest_name(&self, words: &[&str]) -> Result<usize, QueryError> {
        for length in (1..=words.len().min(LONGEST_NAME)).rev() {
            let run = words[..length].concat();
            if run.len() < 100 && !self.stores.store.exact(&normalise(&run))?.is_empty() {
                return Ok(length);
            }
        }
        Ok(0)
    }

    /// A name without the filter in front of or behind it, and whether there was one: `resnet50 int8` is a network and a
    /// precision, although a network is called so.
    pub(super) fn without_filter(&self, words: &[&str]) -> Result<(usize, bool), QueryError> {
        const BEHIND: &[Facet] = &[Facet::Precision, Facet::Dataset, Facet::Stage];
        if words.len() < 2 {
            return Ok((words.len(), false));
        }
        let facets = |words: &[&str]| -> Result<Vec<Facet>, QueryError> {
            let names = self.stores.store.exact(&normalise(&words.concat()))?;
            Ok(names.into_iter().map(|name| name.facet).collect())
        };
        let whole = facets(words)?;
        let same = |part: &[Facet]| part.iter().any(|facet| whole.contains(facet));
        let (front, last) = words.split_at(words.len() - 1);
        if facets(last)?.iter().any(|facet| BEHIND.contains(facet) && !whole.contains(facet)) && same(&facets(front)?) {
            return Ok((front.len(), true));
        }
        let (first, rest) = words.split_at(1);
        if facets(first)?.contains(&Facet::Source) && !whole.contains(&Facet::Source) && same(&facets(rest)?) {
            return Ok((1, true));
        }
        Ok((words.len(), false))
    }
}
