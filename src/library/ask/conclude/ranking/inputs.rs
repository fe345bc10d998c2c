//! What a ranking is made with: the rows, who is ranked, and what the question asks for besides.

use std::collections::HashSet;

use indexmap::IndexMap;

use super::candidate_kind::CandidateKind;
use super::frames::Frame;
use crate::ask::conclude::basis::wording::{Names, unit};
use crate::ask::hits::{HitColumns, PartNumbers, SharedValues};
use crate::ask::question::TimeUnit;
use crate::model::{Aspect, Field, Value};
use crate::stores::Stores;

/// What a ranking is made with.
pub(super) struct Ranking<'r> {
    pub stores: &'r Stores,
    pub values: &'r SharedValues,
    pub hits: &'r HitColumns,
    pub names: Names,
    pub aspect: Aspect,
    pub kind: &'r CandidateKind,
    /// So many are named behind the first.
    pub next: usize,
    /// What the question asks for besides what a frame says, in words.
    pub conditions: Vec<String>,
    /// Whether devices of any class are ranked, so that those of other classes are told, too.
    pub tells_classes: bool,
    /// Whether the question names what was run.
    pub names_work: bool,
    /// The unit in which the question wants times of a whole training.
    pub time_unit: Option<TimeUnit>,
    /// Whether it is asked who the first is.
    pub who: bool,
    /// The rows of the store that the frame had when it was taken: those that are left out of it are told of for themselves.
    pub own: HashSet<u64>,
    /// Of how many that a name stands for the frame has one, in words.
    pub one_of: String,
}

impl Ranking<'_> {
    /// The unit of a frame's values; of a number of items what they are.
    pub fn unit(&self, frame: &Frame) -> Option<String> {
        unit(frame.measure, self.values.text(Aspect::Field(Field::Counts), &frame.parts))
    }

    /// What tells the candidate of a row from others, by the keys of filters.
    pub fn subjects(&self, parts: &PartNumbers) -> IndexMap<String, Value> {
        let stated = self.kind.identity.iter().filter_map(|aspect| {
            let value = match aspect {
                Aspect::Field(field) => self.values.value(*field, parts)?,
                other => Value::Text(self.values.text(*other, parts)?.into()),
            };
            Some((aspect.key().to_owned(), value))
        });
        stated.collect()
    }
}
