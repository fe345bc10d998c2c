//! What a question's words say besides conditions: quantities by their names, axes, and hints at the kind of answer.

use super::vocabulary::{Cue, NamedQuantity, StaticQuantity};
use crate::model::Aspect;

/// What words said besides conditions.
#[derive(Debug, Default)]
pub(super) struct Hints {
    /// Names of quantities, in their order.
    pub mentions: Vec<Mention>,
    /// Axes along which numbers are wanted, with their words.
    pub along: Vec<(String, Aspect)>,
    /// Turns of phrase, in their order.
    pub cues: Vec<Cue>,
    /// Nouns of what can be listed or ranked, in their order.
    pub nouns: Vec<Noun>,
    /// Whether two quantities are set against each other.
    pub opposed: bool,
    /// How many nouns came before the superlative.
    pub nouns_before_superlative: usize,
}

impl Hints {
    pub fn has(&self, cue: Cue) -> bool {
        self.cues.contains(&cue)
    }
}

/// A name of a quantity in a question.
#[derive(Debug, Clone)]
pub(super) struct Mention {
    /// The words.
    pub text: String,
    /// What they ask for.
    pub asked: Asked,
    /// The word in front, where that is a grade: `high upgradability`.
    pub level: Option<&'static str>,
}

/// What a name of a quantity asks for.
#[derive(Debug, Clone, Copy)]
pub(super) enum Asked {
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
}
