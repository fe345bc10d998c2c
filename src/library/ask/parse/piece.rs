//! The pieces of a question: neighbouring words and what they mean.

use std::ops::Range;

use super::question::{End, Is, Key, Test};
use super::span::How;
use crate::model::Facet;

/// A word of a question without the punctuation around it.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Word<'t> {
    /// As it was typed.
    pub text: &'t str,
    /// Its first byte.
    pub from: usize,
    /// Whether a comma or the like follows it.
    pub comma: bool,
}

impl Word<'_> {
    /// The byte behind it.
    pub fn to(&self) -> usize {
        self.from + self.text.len()
    }
}

/// A number with what its unit says.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Number {
    /// In the base unit of its dimension.
    pub value: f64,
    /// The upper end of a range: `16-32`.
    pub upper: Option<f64>,
    /// The dimension of its unit.
    pub dimension: Option<&'static str>,
    /// Whether a sign says "or more".
    pub or_more: bool,
    /// As it was typed, without its unit.
    pub text: String,
}

impl Number {
    /// The test for the number, or for its range.
    pub fn is(&self) -> Is {
        Is::range(self.value, self.upper.unwrap_or(self.value))
    }
}

/// What neighbouring words mean.
#[derive(Debug, Clone, PartialEq, strum::IntoStaticStr)]
#[strum(serialize_all = "lowercase")]
pub(super) enum Means {
    /// A test of one key: a name, a value, a bound.
    Test(Test),
    /// What may be asked for by name; its meaning beside each kind of subject.
    Quantity(&'static str),
    /// An order and what it is by, where the phrase says it.
    Order(End, Option<&'static str>),
    /// What sets one thing above another.
    #[strum(serialize = "order")]
    Comparative(End, Option<&'static str>),
    /// What there can be a list of, and the test that goes with it.
    Kind(Facet, Option<Test>),
    /// What links two things.
    Link(&'static str),
    /// What is in front of an axis, or is one.
    Axis(&'static str),
    /// What is beside the number of a bound.
    Bound(&'static str),
    /// What turns the next condition around.
    Not,
    /// What a question asks for.
    Ask(&'static str),
    /// A number.
    Number(Number),
    /// Something that the knowledge base does not keep.
    #[strum(serialize = "")]
    NotKept,
    /// Nothing.
    Filler,
    /// It was not read.
    #[strum(serialize = "")]
    Unread,
}

impl Means {
    /// What it may be asked for by name; its meaning beside each kind of subject.
    pub fn quantity(&self) -> Option<&'static str> {
        if let Self::Quantity(meaning) = self { Some(meaning) } else { None }
    }

    /// Whether its meaning has this part.
    pub fn asks_for(&self, part: &str) -> bool {
        self.quantity().is_some_and(|meaning| meaning.contains(part))
    }

    /// What there can be a list of.
    pub fn kind(&self) -> Option<Facet> {
        if let Self::Kind(facet, _) = self { Some(*facet) } else { None }
    }

    /// Whether it is this kind.
    pub fn is_kind(&self, facet: Facet) -> bool {
        self.kind() == Some(facet)
    }

    /// Whether it is one of these links.
    pub fn is_link(&self, links: &[&str]) -> bool {
        matches!(self, Self::Link(link) if links.contains(link))
    }
}

/// Some neighbouring words and what they mean. The pieces of a question tile its words.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Piece {
    /// The words.
    pub words: Range<usize>,
    /// What they mean.
    pub means: Means,
    /// How they were read.
    pub how: How,
    /// The rule that used it; empty until then.
    pub rule: &'static str,
}

impl Piece {
    /// A piece that no rule used yet.
    pub fn new(words: Range<usize>, means: Means, how: How) -> Self {
        Self { words, means, how, rule: "" }
    }

    /// The test that it is, or that its kind brings.
    pub fn test(&self) -> Option<&Test> {
        if let Means::Test(test) | Means::Kind(_, Some(test)) = &self.means { Some(test) } else { None }
    }

    /// The facet that it tests.
    pub fn facet(&self) -> Option<Facet> {
        self.test()?.facet()
    }

    /// Whether it tests this key.
    pub fn tests(&self, key: impl Into<Key>) -> bool {
        self.test().is_some_and(|test| test.key == key.into())
    }

    /// Whether it tests one of these facets.
    pub fn is_of(&self, facets: &[Facet]) -> bool {
        self.facet().is_some_and(|facet| facets.contains(&facet))
    }

    /// Whether it carries nothing that a rule could want.
    pub fn is_filler(&self) -> bool {
        matches!(self.means, Means::Filler)
    }
}
