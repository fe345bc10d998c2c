//! What a paper cites: a source of the catalog, a page, or the knowledge base itself.

use std::collections::BTreeMap;

use xxhash_rust::xxh3::xxh3_64;

use super::{CODE_DIGITS, Citation, Source};
use crate::values::Date;

/// The knowledge base as something that can be cited.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct KbReference {
    /// Its name.
    pub name: String,
    /// Hash of its content.
    pub content: String,
    /// Where it can be had, where that is stated.
    pub url: Option<String>,
    /// SPDX expression for its records.
    pub license: String,
    /// The newest date on which one of its sources was read.
    pub accessed: Option<Date>,
}

/// Something that a paper cites.
#[derive(Debug, Clone, PartialEq)]
pub enum Reference {
    /// A source of the catalog.
    Source(Box<Source>),
    /// A page that a fact cites and that has no entry in the catalog.
    Page {
        /// Where it is.
        url: String,
        /// What it is.
        title: Option<String>,
        /// When it was read.
        accessed: Option<Date>,
    },
    /// The knowledge base.
    KnowledgeBase(KbReference),
}

impl Reference {
    /// The key under which a paper cites it. It depends on nothing but the id or the address, so that it stays the same.
    pub fn key(&self) -> String {
        match self {
            Self::Source(source) => source.id.to_string(),
            Self::Page { url, .. } => {
                // Eight of 32 digits: two of 10^4 pages share a key with a chance of 5 in 10^5.
                let mut bits = xxh3_64(url.as_bytes());
                let digits = (0..8).map(|_| {
                    let digit = char::from(CODE_DIGITS[(bits & 31) as usize]);
                    bits >>= 5;
                    digit
                });
                format!("page-{}", digits.collect::<String>())
            }
            Self::KnowledgeBase(_) => "dlbench-kb".to_owned(),
        }
    }
}

/// What a result cites, each thing once, by key.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct References(BTreeMap<String, Reference>);

impl References {
    /// Adds a reference.
    pub fn add(&mut self, reference: Reference) {
        self.0.entry(reference.key()).or_insert(reference);
    }

    /// Adds all of others.
    pub fn extend(&mut self, others: &Self) {
        for (key, reference) in &others.0 {
            self.0.entry(key.clone()).or_insert_with(|| reference.clone());
        }
    }

    /// Adds what a citation names: a source by `source`, which looks its id up, or a page.
    ///
    /// # Errors
    ///
    /// What `source` fails with.
    pub fn add_citation<E>(
        &mut self,
        citation: &Citation,
        source: impl FnOnce(&str) -> Result<Option<Source>, E>,
    ) -> Result<(), E> {
        if let Some(id) = &citation.source {
            if let Some(source) = source(id.as_str())? {
                self.add(Reference::Source(Box::new(source)));
            }
        } else if let Some(url) = &citation.url {
            let (title, accessed) = (citation.title.clone(), citation.accessed);
            self.add(Reference::Page { url: url.clone(), title, accessed });
        }
        Ok(())
    }

    /// The references, by key.
    pub fn iter(&self) -> impl Iterator<Item = (&str, &Reference)> {
        self.0.iter().map(|(key, reference)| (key.as_str(), reference))
    }

    /// The keys, sorted.
    pub fn keys(&self) -> Vec<String> {
        self.0.keys().cloned().collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_page_has_the_key_of_its_address_alone() {
        let page = |title: Option<&str>| Reference::Page {
            url: "https://example.org/a".to_owned(),
            title: title.map(str::to_owned),
            accessed: None,
        };
        assert_eq!(page(None).key(), page(Some("A")).key());
        assert_eq!(page(None).key().len(), "page-".len() + 8);
        let mut references = References::default();
        references.add(page(Some("A")));
        references.add(page(None));
        assert_eq!(references.keys().len(), 1);
    }
}
