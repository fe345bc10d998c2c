//! The pieces of a question: neighbouring words and what they mean.

use std::ops::Range;

use super::question::{End, Is, Key, Test};
use super::span::How;
use crate::model::Facet;

/// A word of a question without the punctuation around it.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Word<'t> {
    /// The word as typed.
    pub text: &'t str,
    /// The byte offset of its start in the question.
    pub from: usize,
    /// Whether a comma or similar punctuation follows it.
    pub comma: bool,
}

impl Word<'_> {
    /// The byte offset of its end (exclusive).
    pub fn to(&self) -> usize {
        self.from + self.text.len()
    }
}

/// A number and the meaning of its unit.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Number {
    /// The value, in the base unit of its dimension.
    pub value: f64,
    /// The upper end of a range: `16-32`.
    pub upper: Option<f64>,
    /// The dimension of its unit.
    pub dimension: Option<&'static str>,
    /// Whether a trailing `+` makes it a lower bound.
    pub or_more: bool,
    /// The number as text, without its unit.
    pub text: String,
}

impl Number {
    /// The condition to equal the number, or to lie within its range.
    pub fn is(&self) -> Is {
        Is::range(self.value, self.upper.unwrap_or(self.value))
    }
}

/// The meaning of a piece.
#[derive(Debug, Clone, PartialEq, strum::IntoStaticStr)]
#[strum(serialize_all = "lowercase")]
pub(super) enum Means {
    /// A test of one key: a name, a value, a bound.
    Test(Test),
    /// A quantity, as its meaning for each kind of subject: `class:memory rows:memory-mib`.
    Quantity(&'static str),
    /// An order (`fastest`): which end comes first, and by which quantity if the phrase says so.
    Order(End, Option<&'static str>),
    /// A comparative (`faster`, `cheaper`), with the same parts as an order.
    #[strum(serialize = "order")]
    Comparative(End, Option<&'static str>),
    /// A kind of thing that can be listed (`gpus`), and the test that the word implies.
    Kind(Facet, Option<Test>),
    /// A link between two things: `vs`, `and`, `or`.
    Link(&'static str),
    /// A word that introduces an axis (`by`) or names one (`scaling`).
    Axis(&'static str),
    /// A bound next to a number: `under`, `at least`.
    Bound(&'static str),
    /// A negation of the next condition.
    Not,
    /// A word that says what kind of question it is: `which`, `how many`, `is`.
    Ask(&'static str),
    /// A number.
    Number(Number),
    /// A topic that the knowledge base does not cover.
    #[strum(serialize = "")]
    NotKept,
    /// A filler word without meaning.
    Filler,
    /// Words that were not read.
    #[strum(serialize = "")]
    Unread,
}

impl Means {
    /// The quantity's meaning for each kind of subject, if this is a quantity.
    pub fn quantity(&self) -> Option<&'static str> {
        if let Self::Quantity(meaning) = self { Some(meaning) } else { None }
    }

    /// Whether this is a quantity whose meaning contains `part`.
    pub fn asks_for(&self, part: &str) -> bool {
        self.quantity().is_some_and(|meaning| meaning.contains(part))
    }

    /// The kind of thing to list, if this is a kind.
    pub fn kind(&self) -> Option<Facet> {
        if let Self::Kind(facet, _) = self { Some(*facet) } else { None }
    }

    /// Whether this is a kind of this facet.
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
    /// The indexes of its words.
    pub words: Range<usize>,
    /// The meaning of the words.
    pub means: Means,
    /// How the words were read.
    pub how: How,
    /// The rule that used the piece; empty until one does.
    pub rule: &'static str,
}

impl Piece {
    /// A piece that no rule has used yet.
    pub fn new(words: Range<usize>, means: Means, how: How) -> Self {
        Self { words, means, how, rule: "" }
    }

    /// The piece's test, or the test that its kind implies.
    pub fn test(&self) -> Option<&Test> {
        if let Means::Test(test) | Means::Kind(_, Some(test)) = &self.means { Some(test) } else { None }
    }

    /// The facet of that test.
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

    /// Whether the piece is filler, which rules pass over.
    pub fn is_filler(&self) -> bool {
        matches!(self.means, Means::Filler)
    }
}
