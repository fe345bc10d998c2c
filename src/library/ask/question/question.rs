//! A question as it was understood: what measurements must be like, and what is to be known of them.

use std::ops::{Bound, RangeBounds as _};

use super::carrying_word::Carried;
use super::clause::Clause;
use super::intent::Intent;
use super::order::{SortOrder, Superlative};
use super::read_as::ReadAs;
use crate::model::{Aspect, Derived, Fact, Field, Metric};
use crate::rows::Note;
use crate::stores::index::Condition;
use crate::values::EntityKind;

/// A question as it was understood.
#[derive(Debug, Clone, Default)]
pub struct Question {
    /// All of these hold.
    pub clauses: Vec<Clause>,
    /// What it wants to know of what meets them.
    pub wanted: Wanted,
    /// Words that constrain nothing and were not understood.
    pub ignored: Vec<String>,
    /// The order that was asked for.
    pub sort: Option<SortOrder>,
    /// How many measurements are wanted.
    pub limit: Option<usize>,
    /// How many are passed over.
    pub offset: Option<usize>,
    /// The kind of entity that is asked for.
    pub about: Option<EntityKind>,
    /// How words were read that leave no clause.
    pub asides: Vec<ReadAs>,
    /// What must be said about the reading.
    pub notes: Vec<Note>,
}

impl Question {
    /// All clauses but one, or all of them.
    pub fn condition_without(&self, left_out: Option<usize>) -> Condition {
        let kept = self.clauses.iter().enumerate().filter(|(at, _)| Some(*at) != left_out);
        Condition::All(kept.map(|(_, clause)| clause.condition.clone()).collect())
    }

    /// Every reading of the question.
    pub fn read_as(&self) -> impl Iterator<Item = &ReadAs> {
        let readings = self.clauses.iter().flat_map(|clause| &clause.readings);
        readings.map(|reading| &reading.read_as).chain(&self.asides)
    }

    /// The question in explicit filters; asked again, it gives the same answer.
    pub fn equivalent(&self) -> String {
        let mut parts: Vec<String> = self.clauses.iter().map(|clause| clause.equivalent.clone()).collect();
        parts.extend(self.about.map(|kind| kind.plural().to_owned()));
        if let Some(sort) = self.sort {
            parts.push(format!("sort:{sort}"));
        }
        parts.extend(self.limit.map(|limit| format!("limit:{limit}")));
        parts.extend(self.offset.map(|offset| format!("offset:{offset}")));
        parts.join(" ")
    }
}

/// What a question wants to know of what meets its conditions.
#[derive(Debug, Clone, Default)]
pub struct Wanted {
    /// The kind of answer.
    pub intent: Intent,
    /// What a word asks for by which no fact, metric or axis is called.
    pub carried: Option<Carried>,
    /// What the one entity that is named is set against, which its series tells: `faster than its predecessor`.
    pub relative: Option<Carried>,
    /// What is said first: where a condition was taken from.
    pub leads: Vec<String>,
    /// Whether all names of a list are wanted.
    pub every: bool,
    /// Whether the newest come first in a list of versions.
    pub newest: bool,
    /// Whether the differences of the sides are asked for, and not which of them is better.
    pub differences: bool,
    /// Of a list of sources: those that have rows of several of these.
    pub comparing: Option<Aspect>,
    /// What is set against each other, in the order of the question: two or more in a comparison, or in a relation that
    /// sets values of its axis against each other (fp16 and the fp32 that its speed-up is over), else none. Among the
    /// question's clauses one joins them all, at `joined_at`.
    pub sides: Vec<Clause>,
    /// The index of the clause that joins the sides.
    pub joined_at: Option<usize>,
    /// What is asked for by its name, in the order of the question.
    pub quantities: Vec<Quantity>,
    /// What is told of what stands first in an order by something else: the price of `the fastest card and its price`.
    pub besides: Vec<Quantity>,
    /// The same by the names that ask for them: each of these lists is what one name asks for.
    pub mentioned: Vec<Vec<Quantity>>,
    /// The order in words, where a ranking is wanted.
    pub superlative: Option<Superlative>,
    /// Where two orders are wanted at once, both of them: the most memory and the least power. Else none.
    pub orders: Vec<Order>,
    /// What a ranking or a list has a line for: devices, frameworks, networks …; a ranking without any is of the settings in
    /// which what is named was run. Of a list whose aspect names no entity
    /// (precision, batch size, stage) the distinct values of the rows found are wanted, with how many rows have each.
    pub candidates: Option<Aspect>,
    /// What is listed beside that: the devices of `networks and devices`.
    pub beside: Vec<Aspect>,
    /// What is told of each entry of a list of sources: the networks of each round.
    pub of_each: Option<Aspect>,
    /// The unit in which times of a whole training are asked for; seconds where none is.
    pub time_unit: Option<TimeUnit>,
    /// Whether a list is in the order of how much was measured of each.
    pub most_measured: bool,
    /// Whether that order is by rows: `most measurements`; else it is by sources.
    pub by_rows: bool,
    /// Whether those of which the least was measured are asked for: `fewest results`.
    pub fewest: bool,
    /// Whether whole systems are ranked, and not devices: `fastest submissions`.
    pub of_systems: bool,
    /// Whether a list is of those that no row names.
    pub unmeasured: bool,
    /// Of a list: with each of these every entity has rows.
    pub each_of: Vec<Clause>,
    /// Of a list: with so many of these at least, where not with each.
    pub at_least: Option<usize>,
    /// Of a list: with none of these any entity has rows.
    pub none_of: Vec<Clause>,
    /// Of a list: of so many rows each is, or so many sources measured it.
    pub counted: Option<CountLimit>,
    /// Along what a relation goes: device count, batch size, precision, version …
    pub along: Option<Aspect>,
    /// Whether it is asked whether something is so: the answer begins with yes or no.
    pub yes_or_no: bool,
    /// Whether the effect of something is asked for on each of the sides, and not which of them is better: `does fp16 help more on
    /// the T4 than on the P4`.
    pub effect_of_sides: bool,
    /// Whether it is asked if the sides can be compared at all.
    pub fair: bool,
    /// Whether the number of devices of a system is what is asked for: the largest cluster, the most chips.
    pub largest_system: bool,
    /// How many times as good one side is said to be as the other: 2 in `is the A100 twice as fast as the V100`.
    pub claimed_factor: Option<f64>,
    /// Whether the first side is said to be the worse one: `is the T4 slower than the P4`.
    pub claims_worse: bool,
    /// Values that a yes-or-no question supposes facts to have: `does JAX support TPUs`.
    pub claims: Vec<Claim>,
    /// Whether speed is asked for beside facts: `price and speed`.
    pub speed: bool,
    /// Whether it is to compute at full rate: `fast fp16`.
    pub is_quick: bool,
    /// For how many epochs a time or a cost is asked: `how long do 90 epochs take`.
    pub epochs: Option<i64>,
    /// Limits on what follows from rows and prices, which no column of the index holds.
    pub limits: Vec<DerivedLimit>,
    /// What candidates are to be faster than, or slower.
    pub beyond: Option<Beyond>,
    /// What something is to be the best for, where nothing is known of it: `mining bitcoin`.
    pub unknown_work: Option<String>,
    /// The words of what no source states, where it is what something is to be ranked by, or whose effect is asked for: a `quietest`.
    pub unkept: Option<String>,
    /// Whether its effect is asked for.
    pub unkept_changes: bool,
    /// Whether it is asked what something is, beside facts: `what kind of thing is PlaidML, and is it dead`.
    pub defines: bool,
    /// Whether it is asked what the measurements say to a grade: `is the claim backed up by measurements`.
    pub evidence: bool,
    /// Whether it is asked at which batches a side of a comparison is the better one.
    pub by_batch: bool,
    /// Whether it is asked who did something: `who had the lowest cost`.
    pub who: bool,
    /// What of the rows is to be told besides numbers: which version of CUDA they ran with.
    pub told: ToldFields,
    /// Names that the question is about and that the knowledge base does not have, whole and as they were written.
    pub unknown_names: Vec<String>,
}

/// A unit in which long times are told.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct TimeUnit {
    /// As it stands behind a number: `min`.
    pub symbol: &'static str,
    /// One of it in words: `minute`.
    pub name: &'static str,
    /// One of it in seconds.
    pub seconds: f64,
}

/// Fields of rows that are to be told.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct ToldFields {
    /// The fields.
    pub fields: Vec<Field>,
    /// Whether nothing else is asked for.
    pub alone: bool,
}

/// What is to be faster than something that is named, or slower: the devices of `gpus faster than a V100`.
#[derive(Debug, Clone)]
pub struct Beyond {
    /// What is compared, by its field.
    pub field: Field,
    /// What is named.
    pub reference: Clause,
    /// Whether the faster ones are asked for.
    pub is_faster: bool,
}

/// An order by a quantity: the most memory.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Order {
    /// Which value comes first.
    pub superlative: Superlative,
    /// What it is a value of.
    pub quantity: Quantity,
}

impl Order {
    /// Whether the larger value comes first; `natural` says whether it does where the words leave that to the quantity.
    pub fn is_largest_first(&self, natural: bool) -> bool {
        match self.superlative {
            Superlative::Most => true,
            Superlative::Least | Superlative::Cheapest => false,
            Superlative::Best => natural,
            Superlative::Worst => !natural,
        }
    }
}

/// A limit on a derived measure: `more than 1000 images per dollar`.
#[derive(Debug, Clone, PartialEq)]
pub struct DerivedLimit {
    /// The words.
    pub text: String,
    /// What is limited.
    pub measure: Derived,
    /// Where its values must lie.
    pub bounds: (Bound<f64>, Bound<f64>),
}

impl DerivedLimit {
    /// Whether a value lies within it.
    pub fn is_met_by(&self, value: f64) -> bool {
        self.bounds.contains(&value)
    }
}

/// How much is to be known of what is listed: rows, or sources that measured it.
#[derive(Debug, Clone, PartialEq)]
pub struct CountLimit {
    /// The words.
    pub text: String,
    /// Whether sources are counted, and not rows.
    pub of_sources: bool,
    /// Where the number must lie.
    pub bounds: (Bound<f64>, Bound<f64>),
}

impl CountLimit {
    /// Whether a number lies within it.
    pub fn is_met_by(&self, number: usize) -> bool {
        self.bounds.contains(&(number as f64))
    }
}

/// What a yes-or-no question supposes of an entity that it names.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Claim {
    /// The fact.
    pub fact: Fact,
    /// The value that it is supposed to have, as the catalog spells it where it has it.
    pub value: String,
}

/// Something that a question asks for by its name.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Quantity {
    /// A measured metric.
    Metric(Metric),
    /// A measure that follows from metrics and facts.
    Derived(Derived),
    /// A fact of an entity.
    Fact(Fact),
    /// One of the metrics by which hardware classes are graded, by its id.
    HardwareMetric(String),
    /// One of the metrics by which the survey compares frameworks, by its id.
    FrameworkMetric(String),
    /// Whether a network's weights fit in a device's memory.
    MemoryFit,
    /// The principles of benchmarking.
    Principles,
    /// What hardware and frameworks are compared by.
    Criteria,
}

impl Quantity {
    /// Its key: that of the metric, measure, fact or grade.
    pub fn key(&self) -> String {
        match self {
            Self::Metric(metric) => metric.key().to_owned(),
            Self::Derived(measure) => measure.key().to_owned(),
            Self::Fact(fact) => fact.key().to_owned(),
            Self::HardwareMetric(id) | Self::FrameworkMetric(id) => id.clone(),
            Self::MemoryFit => "memory-fit".to_owned(),
            Self::Principles => "principles".to_owned(),
            Self::Criteria => "criteria".to_owned(),
        }
    }
}

impl Question {
    /// What measurements of one side of a comparison must be like.
    pub fn condition_of_side(&self, side: &Clause) -> Condition {
        let common = self.condition_without(self.wanted.joined_at);
        Condition::All(vec![common, side.condition.clone()])
    }
}
