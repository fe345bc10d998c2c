//! What a question's words say besides conditions: quantities by their names, axes, and hints at the kind of answer.

use super::carrying_word::Carried;
use super::grammar::Operator;
use super::order::Superlative;
use super::question::{Beyond, CountLimit, DerivedLimit};
use super::vocabulary::{Cue, NamedQuantity, StaticQuantity};
use crate::model::Aspect;
use crate::values::{EntityKind, Grade};

/// What words said besides conditions.
#[derive(Debug, Default)]
pub(super) struct Hints {
    /// Names of quantities, in their order.
    pub mentions: Vec<Mention>,
    /// Axes along which numbers are wanted, with their words.
    pub along: Vec<(String, Aspect)>,
    /// Turns of phrase, in their order.
    pub cues: Vec<Cue>,
    /// The words of each turn of phrase.
    pub turns: Vec<(String, Cue)>,
    /// Words that carry the question, and what they ask for.
    pub carried: Vec<(String, Carried)>,
    /// What conditions were taken from, in sentences: `Architecture of the V100: Volta.`
    pub leads: Vec<String>,
    /// The words of clauses that are said to be the only one of their kind: `on cpu only`.
    pub exclusive: Vec<String>,
    /// Nouns of what can be listed or ranked, in their order.
    pub nouns: Vec<Noun>,
    /// The plural with which the question begins, where it goes on to say of what: `gpus with int8 results`.
    pub leading: Option<Aspect>,
    /// The kinds of entities that nouns speak of, wherever they stand: the networks of `under 1 GFLOPs networks`.
    pub kinds: Vec<EntityKind>,
    /// Whether a noun names devices that are no plain processors: `accelerator`.
    pub accelerators: bool,
    /// Whether whole systems are spoken of: `systems`, `submissions`, `clusters`.
    pub systems: bool,
    /// The words of years in which something came out, not in which it was measured: `released after 2020`.
    pub dated: Vec<String>,
    /// The words by which a quantity is told for each token: `joules per token`.
    pub tokens: Option<String>,
    /// The words by which a quantity is told for each image: `images per watt`.
    pub images: Option<String>,
    /// Whether the sources themselves are spoken of, and not what they measured: `round`.
    pub rounds: bool,
    /// Whether it is asked how something is, which no yes or no answers: `by how much is it faster`.
    pub asks_how: bool,
    /// Whether two quantities are set against each other.
    pub opposed: bool,
    /// Whether a `vs` or the like was read.
    pub has_link: bool,
    /// Whether what changed is told: `speedup`, `faster`, `compare`. A `to` then stands between two sides.
    pub tells_change: bool,
    /// Whether the first of two versions was read behind a `between`, so that an `and` stands before the second.
    pub between: bool,
    /// Whether that is from the first side to the second: `from V100 to A100`.
    pub from_first: bool,
    /// Whether a phrase names the kind of entity that is asked for.
    pub asks_kind: bool,
    /// Whether it is asked which of alternatives has more or less of something: `A or B, what costs more`.
    pub chooses: bool,
    /// Whether one of several is enough, whichever: `either caffe or caffe2`.
    pub either: bool,
    /// Whether names are joined by commas or an `and`.
    pub enumerates: bool,
    /// Superlatives, in their order.
    pub superlatives: Vec<NamedSuperlative>,
    /// Whether a superlative was read.
    pub ranks: bool,
    /// Whether that is of speed or worth, so that several names are candidates: `fastest of A, B and C`.
    pub picks: bool,
    /// How many nouns came before the superlative.
    pub nouns_before_superlative: usize,
    /// What `which` stands right in front of, where that is a name: the networks of `which EfficientNet`.
    pub family_asked_for: Option<Aspect>,
    /// Whether the superlative is that of an axis: `max batch size`.
    pub superlative_of_axis: bool,
    /// How many times as good one side is said to be.
    pub claimed_factor: Option<f64>,
    /// The entity that a limit was taken from: `cheaper than the 3080`.
    pub compared_with: Option<String>,
    /// What is to be faster than something that is named: `gpus faster than a V100`.
    pub beyond: Option<Beyond>,
    /// Limits on derived measures.
    pub limits: Vec<DerivedLimit>,
    /// Of how many of the things that are named what is listed is to have rows: `on at least two of`.
    pub at_least: Option<usize>,
    /// How much is to be known of each that is listed.
    pub counted: Option<CountLimit>,
    /// For how many epochs a time is asked.
    pub epochs: Option<i64>,
    /// Whether a unit alone says that a time is wanted: `training minutes`.
    pub unit_alone: bool,
    /// What is said first where rows are told: what stands for what no row names.
    pub stand_ins: Vec<String>,
    /// How many more words the next noun may be away from a `which` to be what it asks for.
    pub words_to_noun: usize,
    /// Whether that noun stands for all of its kind: `every card`.
    pub asks_each: bool,
}

impl Hints {
    /// Whether the words are a sentence rather than key words: what is no name in it is everyday English.
    pub fn is_sentence(&self) -> bool {
        !self.cues.is_empty()
            || !self.mentions.is_empty()
            || !self.along.is_empty()
            || self.has_link
            || self.ranks
            || self.asks_kind
            || !self.carried.is_empty()
    }

    pub fn has(&self, cue: Cue) -> bool {
        self.cues.contains(&cue)
    }

    /// Whether a noun speaks of entities of a kind.
    pub fn speaks_of(&self, kind: EntityKind) -> bool {
        self.kinds.contains(&kind)
    }
}

/// A name of a quantity in a question.
#[derive(Debug, Clone)]
pub(super) struct Mention {
    /// The words.
    pub text: String,
    /// What they ask for.
    pub asked: AskedQuantity,
    /// The grade in front: `high upgradability`, `at least moderate energy efficiency`.
    pub level: Option<Level>,
    /// The words that exclude it: `without tensor cores`.
    pub without: Option<String>,
}

/// A superlative as it was read, and how many quantities were named in front of it.
#[derive(Debug, Clone)]
pub(super) struct NamedSuperlative {
    pub text: String,
    pub superlative: Superlative,
    pub mentions_before: usize,
}

/// A bound on a grade.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Level {
    pub operator: Operator,
    pub grade: Grade,
}

/// What a name of a quantity asks for.
#[derive(Debug, Clone, Copy)]
pub(super) enum AskedQuantity {
    /// This, whatever else is named.
    Only(StaticQuantity),
    /// What else is named decides.
    InContext(&'static NamedQuantity),
}

/// A noun of what can be listed or ranked.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Noun {
    /// What rows call it.
    pub aspect: Aspect,
    /// `gpus`, not `gpu`.
    pub plural: bool,
    /// Whether it stands for classes of hardware as well: `hardware`, `chip`.
    pub vague: bool,
    /// Whether a `which`, `what`, `list` or `all` asks for it.
    pub asked: bool,
}
