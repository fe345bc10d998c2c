//! The state of reading a sentence.

use super::clause::{Clause, negated};
use super::sides::ReadClause;
use super::vocabulary::Link;
use crate::model::Facet;

/// The state of reading a sentence.
#[derive(Default)]
pub(super) struct Sentence<'w> {
    pub read: Vec<ReadClause>,
    /// Words gathered so far that are nothing but names and text.
    pub names: Vec<&'w str>,
    /// The word that links the next clause to those before.
    pub link: Option<Link>,
    /// Whether the next clause is excluded.
    pub without: bool,
    /// Whether a quantity was named last.
    pub after_quantity: bool,
}

impl Sentence<'_> {
    /// Adds a clause, linked or excluded as the words in front of it say.
    pub fn push(&mut self, facet: Option<Facet>, clause: Clause) {
        let link = self.link.take();
        self.after_quantity = false;
        if std::mem::take(&mut self.without) {
            self.read.push(ReadClause { facet: None, clause: negated(clause), link: None });
        } else {
            self.read.push(ReadClause { facet, clause, link });
        }
    }
}
