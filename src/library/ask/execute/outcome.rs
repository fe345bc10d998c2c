//! What came out: values, and what must be said of them. Both stay values until `ask/answer` words them.

use indexmap::IndexMap;
use serde::{Deserialize, Serialize};
use strum::IntoStaticStr;

use super::spread::rounded;
use crate::ask::parse::{Ask, Filter, Key};
use crate::model::{Field, Rent, Value};
use crate::values::Precision;

/// The outcome of a question.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
pub struct Outcome {
    /// The kind of answer given. It can differ from the kind asked for: if the catalog lacks a fact, rows answer.
    pub ask: Ask,
    /// The values, the telling one first; the first line of the answer is worded from the first of them.
    pub entries: Vec<Entry>,
    /// What must be said, the most important first.
    pub remarks: Vec<Remark>,
    /// The condition of the rows that answer (for the table, counts and facets), where it is not the question's own.
    #[serde(skip)]
    pub relaxed: Option<Filter>,
    /// How many rows state what was asked for, where a measure was.
    pub stating: Option<usize>,
    /// The rows of the store that come first in the table, the best first; the rest follow in their usual order.
    pub rows: Vec<u64>,
}

/// The quantity of a ratio: how many times as good something is.
pub const SPEED_UP: &str = "speed-up";

/// Ids and values by the keys of filters (`device`, `device-count`).
pub type Subjects = IndexMap<String, Value>;

/// One value that answers the question. The first nine fields are JSON's promise (DESIGN §4).
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct Entry {
    /// What it is about: ids and values by the keys of filters (`device`, `device-count`).
    pub subjects: Subjects,
    /// The other side of a comparison.
    pub baseline: Option<Subjects>,
    /// What the value is: the key of a metric, derived measure, fact or grade, or `speed-up`.
    pub quantity: String,
    /// The value; `None` where it is not known.
    pub value: Option<EntryValue>,
    /// Its unit, where it has one.
    pub unit: Option<String>,
    /// The lower end of the interval or spread.
    pub low: Option<f64>,
    /// The upper end.
    pub high: Option<f64>,
    /// How many pairs, rows or statements are behind it.
    pub n: usize,
    /// What all that is behind it shares, by the keys of filters; `None` where no row states it.
    pub under: IndexMap<String, Option<Value>>,
    /// The measurements behind it, at most 200; of a comparison the subject's and the baseline's alternately.
    pub measurements: Vec<String>,
    /// The ids of the sources behind it.
    pub sources: Vec<String>,
    /// The place in a ranking by all comparable evidence, from 1; candidates that do not differ from the first of their place share it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub rank: Option<usize>,
    /// How many independent of each other measured it, in such a ranking.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub measurers: Option<usize>,
    /// What was measured of it in the setting that most candidates share.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub measured: Option<Measured>,
    /// The metric or measure that a ratio is of.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub by: Option<String>,
    /// The two values of a ratio of one pair.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub pair: Option<PairValues>,
    /// What a fact is from, for people: names of sources and pages, which need no entry in the catalog.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub cited: Vec<String>,
    /// Whether `low` and `high` are an interval of the value (true) or the spread of what was found (false).
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub is_interval: bool,
    /// Whether it is by all comparable evidence, and not by matched pairs alone.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub of_all_evidence: bool,
    /// Whether the interval excludes "no difference", so that a winner may be named.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub is_decided: bool,
}

impl Entry {
    /// Its value, where it is a number.
    pub fn number(&self) -> Option<f64> {
        if let Some(EntryValue::Number(value)) = self.value { Some(value) } else { None }
    }

    /// A ratio by all comparable evidence with the ends of its interval, of values of this metric or measure.
    pub(super) fn of_evidence(subjects: Subjects, baseline: Subjects, estimate: [f64; 3], by: &str) -> Self {
        let [value, low, high] = estimate.map(rounded);
        Self {
            subjects,
            baseline: Some(baseline),
            quantity: SPEED_UP.to_owned(),
            value: Some(EntryValue::Number(value)),
            low: Some(low),
            high: Some(high),
            by: Some(by.to_owned()),
            is_interval: true,
            ..Self::default()
        }
    }

    /// It is also from what another is from.
    pub(super) fn rests_on_too(&mut self, other: &Self) {
        for (own, others) in [(&mut self.sources, &other.sources), (&mut self.cited, &other.cited)] {
            let new: Vec<String> = others.iter().filter(|name| !own.contains(name)).cloned().collect();
            own.extend(new);
        }
    }

    /// How many rows something has.
    pub(super) fn of_rows(subjects: Subjects, rows: usize) -> Self {
        let value = Some(EntryValue::Number(rows as f64));
        Self { subjects, quantity: "rows".to_owned(), value, n: rows, ..Self::default() }
    }
}

/// A measured value beside a ratio.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct Measured {
    /// The key of the metric or derived measure.
    pub quantity: String,
    /// The value.
    pub value: f64,
    /// Its unit, where it has one.
    pub unit: Option<String>,
}

/// The values of a matched pair.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct PairValues {
    /// The key of the metric or derived measure.
    pub quantity: String,
    /// Its unit, where it has one.
    pub unit: Option<String>,
    /// The subject's value.
    pub subject: f64,
    /// The baseline's.
    pub baseline: f64,
}

/// The value of an entry.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(untagged)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub enum EntryValue {
    /// Yes or no.
    Flag(bool),
    /// A number; its digits are those of the source where it is one.
    Number(f64),
    /// A word, an id, a date.
    Text(String),
    /// Several of them.
    List(Vec<String>),
}

/// A side of a comparison and what its rows state of some fields.
pub type SideChoices = (Subjects, Vec<(Field, Value)>);

/// A word of a question that names nothing.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct MissingWord {
    /// As it was typed.
    pub text: String,
    /// The names nearest to it.
    pub near: Vec<String>,
    /// How many rows say it in some other place, none of which meets the rest of the question.
    pub rows: usize,
    /// Whether it is something that the knowledge base does not keep.
    pub is_not_kept: bool,
}

impl Outcome {
    /// Nothing yet, of a kind of answer.
    pub(super) fn of(ask: Ask) -> Self {
        Self { ask, ..Self::default() }
    }

    /// The same, of which something else must be said first.
    pub(super) fn after(mut self, remarks: impl IntoIterator<Item = Remark>) -> Self {
        self.remarks.splice(0..0, remarks);
        self
    }

    /// What is known of it: facts that the catalog does not state are left out, and what was to be said of them.
    pub(super) fn known(mut self) -> Self {
        self.entries.retain(|entry| entry.n > 0);
        self.remarks.retain(|remark| !matches!(remark, Remark::FactUnknown { .. }));
        self
    }

    /// Whether nothing but another command was asked for.
    pub fn is_how_to(&self, remark: &Remark) -> bool {
        matches!(remark, Remark::HowTo(..)) && self.remarks.len() == 1 && self.entries.is_empty()
    }
}

/// What must be said of an answer. Each has one wording, in `ask/answer/remark.rs`. Add a variant rather than a text.
#[derive(Debug, Clone, PartialEq, IntoStaticStr, Serialize, Deserialize)]
#[strum(serialize_all = "kebab-case")]
pub enum Remark {
    /// Words that were not read.
    Unread(Vec<String>),
    /// No row has a number that was asked for: those with the next smaller and the next larger one answer.
    #[serde(skip)]
    NearestNumbers {
        /// What was asked for.
        asked: Filter,
        /// What rows have instead.
        nearest: Filter,
    },
    /// Of prices of one device, only devices are ranked that ran the work alone.
    RanAlone,
    /// Of the networks that fit only the largest are listed.
    #[serde(skip)]
    LargestThatFit {
        /// How many are listed.
        shown: usize,
        /// How many fit in each format; those of the first are listed.
        counts: Vec<(Precision, usize)>,
    },
    /// Something that another command does.
    HowTo(String),
    /// Words that could be the subject or a bound and are no name here: nothing was concluded.
    NotFound {
        /// The words.
        words: Vec<MissingWord>,
        /// How many rows match without them.
        rest: usize,
        /// The question that finds these.
        query: String,
    },
    /// A word, and the nearest name as which it was read.
    ReadAsNearest(String, String),
    /// Words were looked for in what rows say.
    ReadAsText {
        /// The words.
        text: String,
        /// How many rows have them.
        rows: usize,
        /// Whether these rows are left out.
        left_out: bool,
    },
    /// A side without any row.
    #[serde(skip)]
    NoRow {
        /// The side.
        side: Filter,
        /// How many rows it has without the rest of the question.
        alone: usize,
    },
    /// This was left out, since nothing meets it together with the rest.
    #[serde(skip)]
    Relaxed(Filter),
    /// Nothing meets the rest with this; this family of it does.
    #[serde(skip)]
    Widened {
        /// What was named.
        from: Filter,
        /// The family.
        to: Filter,
    },
    /// So many rows match but do not state this.
    #[serde(skip)]
    Unstated(Key, usize),
    /// Of a fact that is excluded of others so many entities more do not state it.
    #[serde(skip)]
    Silent(Key, usize),
    /// A bound on something that no row states.
    #[serde(skip)]
    BoundUnstated(Key),
    /// `fp16` took in so many rows of mixed precision.
    MixedPrecision(usize),
    /// A row within the question beats what is named first, in a setting that is not comparable.
    HigherElsewhere(Box<Entry>),
    /// Both sides have rows, but no two are alike but for what is compared.
    NoPair {
        /// What the nearest two rows differ in; the network alone where the sides have none in common.
        differ: Vec<Field>,
        /// Whether these are fields that neither row states.
        unstated: bool,
        /// How many rows each of the two sides has.
        rows: [usize; 2],
    },
    /// What MLPerf's closed division says, where the pairs are of other rows.
    ClosedDivision(Box<Entry>),
    /// All pairs are of single layers, none of a whole network.
    OfLayers,
    /// A side of which no row is alike to one of the side that the others are set against.
    #[serde(skip)]
    NotPaired(Filter),
    /// All sides have the same rows.
    OneSide,
    /// So many rows belong to both sides; they count for this one alone.
    #[serde(skip)]
    RowsOfBoth {
        /// How many rows.
        rows: usize,
        /// The side.
        side: Filter,
    },
    /// No two rows are alike in these, so that each side is taken at its own best of them.
    OwnSetting(Vec<Field>),
    /// By what was asked nothing could be compared or ranked; this is by another measure.
    Instead {
        /// The key of what was asked.
        asked: String,
        /// The key of what was taken.
        by: String,
    },
    /// So many pairs say the opposite of what all say on average.
    OtherWay {
        /// How many pairs.
        pairs: usize,
        /// Of how many.
        of: usize,
        /// The farthest of them.
        entry: Box<Entry>,
    },
    /// So many pairs are left out, far from all others: failed runs, as a rule.
    FarFromOthers(usize),
    /// So many pairs are left out that are of single layers, of other libraries of kernels or of integers without a sign.
    OfOtherKind(usize),
    /// What a ranking or a ratio by all comparable evidence rests on.
    Evidence {
        /// The tasks or networks whose rows count beside those that are asked for; empty where these alone do.
        beside: Vec<String>,
        /// How many candidates are in the order; 0 where two sides are compared.
        candidates: usize,
        /// How many values beside that of another candidate.
        values: usize,
        /// In how many settings.
        settings: usize,
        /// By how many independent of each other.
        measurers: usize,
    },
    /// What all comparable evidence says of two sides, beside their pairs.
    AllEvidence {
        /// The ratio.
        entry: Box<Entry>,
        /// Whether the first line has it beside the pairs: it is unlike their mean, or decides what they leave open.
        beside: bool,
        /// Whether it is the answer rather than the pairs.
        leads: bool,
    },
    /// No setting holds both sides: the ratio is by what each was measured against.
    Indirect,
    /// Candidates that evidence connects among themselves, but not with those that are ranked.
    Apart {
        /// Some of them, the best first.
        candidates: Vec<Subjects>,
        /// How many more there are.
        more: usize,
    },
    /// Somebody's values of a candidate are far from what all others imply.
    Outlier {
        /// Who measured.
        measurer: String,
        /// The candidate.
        subjects: Subjects,
        /// How many times too high; below 1 where too low.
        factor: f64,
    },
    /// In the setting that is shown some have another ratio to the first than all settings imply.
    OtherwiseInSetting(Vec<(Subjects, f64)>),
    /// What each side chose for itself beside what is compared.
    OwnChoices(Vec<SideChoices>),
    /// The sides were not measured in one setting, so that there is no order of all.
    NoOrder,
    /// So many results are left out that are above what the hardware can give.
    AbovePeak(usize),
    /// Each candidate is taken in its own best setting, since no two are alike in all else.
    OwnBest,
    /// So many candidates are ranked by a fact, which is not known of so many others.
    RankedByFact {
        /// The key of the fact.
        fact: String,
        /// How many are ranked.
        ranked: usize,
        /// Of how many others it is not known.
        unknown: usize,
    },
    /// So many candidates have rows, but none that is alike in all else.
    Unranked {
        /// How many candidates.
        candidates: usize,
        /// Some of them.
        some: Vec<Subjects>,
    },
    /// The offers behind items per dollar; providers differ.
    Rents(Vec<(String, Rent)>),
    /// Pairs whose direct evidence contradicts the order by all evidence, the largest factor first.
    PairsAgainst(Vec<(Subjects, Subjects, f64, usize)>),
    /// Device families that are ranked together with their members.
    FamiliesRanked(Vec<String>),
    /// Runs that are left out because their accuracy target is on another data set.
    OtherGoals(Vec<(String, usize)>),
    /// Part of an inference is asked for; so many rows are of the whole, prefill and decoding together.
    OfWholeInference {
        /// How many rows.
        rows: usize,
        /// Devices that only have such rows, most rows first.
        only: Vec<String>,
    },
    /// No two rows differ in this alone; so many rows have each of these values.
    NoSeries {
        /// The key of the axis.
        axis: String,
        /// The values and their rows, the most frequent first.
        values: Vec<(String, usize)>,
    },
    /// Others state something else than the catalog.
    Disputed {
        /// The id of the entity.
        subject: String,
        /// The quantity of the entry.
        quantity: String,
        /// Each source and what it states.
        others: Vec<(String, String)>,
    },
    /// The catalog does not state this of an entity.
    FactUnknown {
        /// The id of the entity.
        subject: String,
        /// The quantity.
        quantity: String,
    },
    /// What a high grade means.
    #[serde(skip)]
    GradeDirection {
        /// The id of the metric.
        metric: String,
        /// The grade that is better, where one is.
        better: Option<crate::values::Grade>,
    },
    /// Weights are counted alone: what a run takes besides is not known here.
    WeightsAlone(bool),
    /// What is recorded beside a grade: that a survey's table and text disagree.
    GradeNote {
        /// The class.
        class: String,
        /// The id of the metric.
        metric: String,
        /// The note of the catalog.
        note: String,
    },
    /// A note from the catalog: on a network whose full training is reported (MLPerf starts some from a checkpoint), or on an
    /// entity that lacks the requested fact.
    CatalogNote(Subjects, String),
    /// What measurements say of a grade.
    GradeEvidence {
        /// The class.
        class: String,
        /// The id of the metric.
        metric: String,
        /// `supported`, `contradicted`, `mixed`; `None` where too little was measured.
        verdict: Option<String>,
        /// The verdict and what it rests on, as `dlbench evidence` words it.
        rests_on: String,
    },
    /// What must be known to judge the rows shown.
    #[serde(skip)]
    Rows(crate::rows::Note),
}
