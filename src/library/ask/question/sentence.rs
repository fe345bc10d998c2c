//! The state of reading a sentence.

use super::clause::{Clause, either, negated};
use super::facing::kind_of;
use super::hints::Level;
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
    /// The words that exclude what comes next.
    pub without: Option<String>,
    /// What the clause that was excluded last is about, as long as nothing but `and` or `or` stands behind it.
    pub excluded: Option<String>,
    /// Whether an `or` was read behind a clause that is excluded: what is excluded next is an alternative to it.
    pub or_behind_excluded: bool,
    /// Whether what is excluded are exceptions, each of which an `and` joins: `other than mlperf and nvidia`.
    pub excepts: bool,
    /// Whether the next clause is said to be the only one of its kind.
    pub only: bool,
    /// Whether a quantity was named last.
    pub after_quantity: bool,
    /// Whether a superlative was read last.
    pub after_superlative: bool,
    /// Whether a `by` was read last.
    pub after_by: bool,
    /// Whether the next framework is named as what computes behind another one: `backend other than`.
    pub behind_backend: bool,
    /// Whether an `and` was read last.
    pub after_and: bool,
    /// Which of the clauses are words for a class of devices or their field, such as `phone` and `tiny ml`.
    pub class_words: Vec<usize>,
    /// Whether such a word stands beside a device as another place to run: `on a raspberry pi and on a server gpu`.
    pub each_of_class_words: bool,
    /// The grade that the next quantity is to have.
    pub level: Option<Level>,
}

impl Sentence<'_> {
    /// The clauses; words for classes of devices add nothing where devices are named, unless they stand against them.
    pub fn clauses(mut self) -> Vec<ReadClause> {
        let read = &self.read;
        // `except on phones`: what is excluded is, whatever else is.
        let is_excluded = |at: &usize| self.read.get(*at).is_some_and(|clause| clause.clause.is_excluded());
        self.class_words.retain(|at| !is_excluded(at));
        let linked = |at: usize| read.get(at).is_some_and(|clause: &ReadClause| clause.link.is_some());
        self.class_words.retain(|at| !linked(*at) && !linked(at + 1));
        let named = |at: &usize| matches!(kind_of(&self.read[*at].clause), "device" | "instance") && !is_excluded(at);
        let is_word = |at: &usize| self.class_words.contains(at);
        if self.each_of_class_words || !(0..self.read.len()).any(|at| named(&at) && !is_word(&at)) {
            return self.read;
        }
        let read = self.read.into_iter().enumerate();
        read.filter(|(at, _)| !self.class_words.contains(at)).map(|(_, read)| read).collect()
    }

    /// What follows is no exception by its `and`: the batch of `except on nvidia and batch 32`.
    pub fn ends_exceptions(&mut self) {
        self.or_behind_excluded &= !self.excepts;
    }

    /// Adds a clause, linked or excluded as the words in front of it say.
    pub fn push(&mut self, facet: Option<Facet>, clause: Clause) {
        let link = self.link.take();
        self.after_quantity = false;
        // `neither a DSP nor an NPU`, `without dsp or npu`: both are.
        let goes_on = self.without.is_none() && self.or_behind_excluded && self.excluded.is_some();
        self.or_behind_excluded &= !goes_on;
        let is_excluded = self.without.take().is_some() || goes_on;
        self.excluded = is_excluded.then(|| kind_of(&clause).to_owned());
        let or_excluded = std::mem::take(&mut self.or_behind_excluded) || link == Some(Link::Or);
        if is_excluded {
            let clause = negated(clause);
            match self.read.pop() {
                // `without a Python API or without GPU support`: either of the two is enough.
                Some(before) if or_excluded => {
                    let text = format!("{} or {}", before.clause.text, clause.text);
                    let both = either(text, vec![before.clause, clause]);
                    self.read.extend(both.map(|clause| ReadClause { facet: None, clause, link: before.link }));
                }
                before => {
                    self.read.extend(before);
                    self.read.push(ReadClause { facet: None, clause, link: None });
                }
            }
        } else {
            self.read.push(ReadClause { facet, clause, link });
        }
    }
}
