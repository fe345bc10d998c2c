//! How far a name reaches in a sentence.

use super::error::QueryError;
use super::interpreter::Interpreter;
use super::targets::share_of_reference;
use crate::model::{Facet, Lookup as _, Name, NameKind};
use crate::stores::resolve::named;
use crate::values::spelling::normalise;
use crate::values::{EntityKind, billions_said};

/// A name has at most this many words.
const LONGEST_NAME: usize = 6;

impl Interpreter<'_> {
    /// How many words the longest name has that these begin with.
    pub(super) fn longest_name(&self, words: &[&str]) -> Result<usize, QueryError> {
        for length in (1..=words.len().min(LONGEST_NAME)).rev() {
            // A sign is no part of the name in front of it: `gpu <= 250 W`.
            if normalise(words[length - 1]).is_empty() {
                continue;
            }
            if !named(&words[..length], &self.stores.database)?.is_empty() {
                return Ok(length);
            }
        }
        Ok(0)
    }

    /// Whether words are a family and a size that several generations of it have: whoever asks for `llama 7b` names none.
    fn is_any_of_size(&self, words: &[&str]) -> Result<bool, QueryError> {
        let [family, size] = words else { return Ok(false) };
        if billions_said(size).is_none() || family.contains(|c: char| c.is_ascii_digit()) {
            return Ok(false);
        }
        let store = &self.stores.database;
        let of_network = |name: &Name| name.facet == Facet::Network;
        let Some(head) = store.exact(&normalise(family))?.into_iter().find(of_network) else { return Ok(false) };
        let size = size.to_lowercase();
        let members = store.descendants(EntityKind::Network, &head.value)?;
        let of_size = members.iter().filter(|id| id.split('-').any(|part| part == size));
        let own: Vec<String> = store.exact(&normalise(&words.concat()))?.into_iter().map(|name| name.value).collect();
        // What its own name goes on with is no other generation: Mistral 7B Instruct.
        let is_own = |id: &&String| {
            own.iter().any(|own| id.strip_prefix(own).is_some_and(|rest| rest.is_empty() || rest.starts_with('-')))
        };
        Ok(of_size.filter(|id| !is_own(id)).count() > 0)
    }

    /// A name without the filter in front of or behind it, and whether there was one: `resnet50 int8` is a network and a
    /// precision, although a network is called so.
    pub(super) fn without_filter(&self, words: &[&str]) -> Result<(usize, bool), QueryError> {
        const BEHIND: &[Facet] = &[Facet::Precision, Facet::Dataset, Facet::Stage];
        if words.len() < 2 {
            return Ok((words.len(), false));
        }
        let facets = |words: &[&str]| -> Result<Vec<Facet>, QueryError> {
            let names = self.stores.database.exact(&normalise(&words.concat()))?;
            Ok(names.into_iter().map(|name| name.facet).collect())
        };
        let whole = facets(words)?;
        let same = |part: &[Facet]| part.iter().any(|facet| whole.contains(facet));
        let (front, last) = words.split_at(words.len() - 1);
        // A benchmark is called so: MLPerf Training is none of training alone.
        let is_suite = whole.contains(&Facet::Source);
        let is_behind =
            |facet: &Facet| BEHIND.contains(facet) && !whole.contains(facet) && !(is_suite && *facet == Facet::Stage);
        if facets(last)?.iter().any(is_behind) && same(&facets(front)?) {
            return Ok((front.len(), true));
        }
        // `3d-unet 99.9` is how MLPerf calls the network with the accuracy that it is to keep.
        if share_of_reference(last[0]).is_some() && same(&facets(front)?) {
            return Ok((front.len(), true));
        }
        // `cifar10 cnn` is any such network on the data set, although one is called so, too.
        let (first, rest) = words.split_at(1);
        let own = self.stores.database.exact(&normalise(&words.concat()))?;
        let by_alias = own.iter().all(|name| name.kind == NameKind::Alias);
        if by_alias && facets(first)?.contains(&Facet::Dataset) && facets(rest)?.contains(&Facet::Network) {
            return Ok((1, true));
        }
        if self.is_any_of_size(words)? {
            return Ok((1, true));
        }
        if facets(first)?.contains(&Facet::Source) && !whole.contains(&Facet::Source) && same(&facets(rest)?) {
            return Ok((1, true));
        }
        Ok((words.len(), false))
    }
}
