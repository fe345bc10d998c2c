//! The result of a question: values and remarks. Both stay structured until `ask/answer` words them.

use indexmap::IndexMap;
use serde::{Deserialize, Serialize};
use strum::IntoStaticStr;

use super::spread::rounded;
use crate::ask::parse::{Ask, Filter, Key};
use crate::model::{Field, Rent, Value};

/// The outcome of a question.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
pub struct Outcome {
    /// The kind of answer given. It can differ from the kind asked for: if the catalog lacks a fact, rows answer.
    pub ask: Ask,
    /// The values, most important first; the first line of the answer is worded from the first entry.
    pub entries: Vec<Entry>,
    /// Remarks on the answer, most important first.
    pub remarks: Vec<Remark>,
    /// The filter of the rows that answer (for the table, counts and facets), if it differs from the question's own.
    #[serde(skip)]
    pub relaxed: Option<Filter>,
    /// The number of rows that state the requested measure, if one was requested.
    pub stating: Option<usize>,
    /// The store rows at the head of the table, best first; the others follow in their usual order.
    pub rows: Vec<u64>,
}

/// The quantity of a ratio: how many times as good the subject is as the baseline.
pub const SPEED_UP: &str = "speed-up";

/// Ids and values, keyed by filter name (`device`, `device-count`).
pub type Subjects = IndexMap<String, Value>;

/// One value that answers the question. The first nine fields are stable.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct Entry {
    /// The subject: ids and values by filter key (`device`, `device-count`).
    pub subjects: Subjects,
    /// The other side of a comparison.
    pub baseline: Option<Subjects>,
    /// The quantity: the key of a metric, derived measure, fact or grade, or `speed-up`.
    pub quantity: String,
    /// The value; `None` if it is not known.
    pub value: Option<EntryValue>,
    /// Its unit, if it has one.
    pub unit: Option<String>,
    /// The lower end of the interval or spread.
    pub low: Option<f64>,
    /// The upper end of the interval or spread.
    pub high: Option<f64>,
    /// Number of pairs, rows or statements behind it.
    pub n: usize,
    /// The conditions that everything behind it shares, by filter key; `None` if no row states it.
    pub under: IndexMap<String, Option<Value>>,
    /// The measurements behind it, at most 200; for a comparison, subject and baseline alternately.
    pub measurements: Vec<String>,
    /// The ids of the sources behind it.
    pub sources: Vec<String>,
    /// The rank by all comparable evidence, from 1; candidates that do not differ from the first one of a rank share it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub rank: Option<usize>,
    /// Number of independent measurers, in such a ranking.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub measurers: Option<usize>,
    /// Its measured value in the setting that most candidates share.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub measured: Option<Measured>,
    /// The metric or measure of a ratio.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub by: Option<String>,
    /// The two values behind the ratio of a single pair.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub pair: Option<PairValues>,
    /// The origin of a fact, for people: names of sources and pages, which need no entry in the catalog.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub cited: Vec<String>,
    /// Whether `low` and `high` are an interval of the value (true) or the spread of the values found (false).
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub is_interval: bool,
    /// Whether it is based on all comparable evidence instead of matched pairs alone.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub of_all_evidence: bool,
    /// Whether the interval excludes "no difference", so that there is a winner.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub is_decided: bool,
}

impl Entry {
    /// The value, if it is a number.
    pub fn number(&self) -> Option<f64> {
        if let Some(EntryValue::Number(value)) = self.value { Some(value) } else { None }
    }

    /// A ratio from all comparable evidence; `estimate` is `[value, low, high]`, `by` the key of the metric or measure.
    pub(super) fn evidence_ratio(subjects: Subjects, baseline: Subjects, estimate: [f64; 3], by: &str) -> Self {
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

    /// Adds the sources and citations of another entry to this one.
    pub(super) fn add_sources_of(&mut self, other: &Self) {
        for (own, others) in [(&mut self.sources, &other.sources), (&mut self.cited, &other.cited)] {
            let new: Vec<String> = others.iter().filter(|name| !own.contains(name)).cloned().collect();
            own.extend(new);
        }
    }

    /// An entry that counts rows.
    pub(super) fn row_count(subjects: Subjects, rows: usize) -> Self {
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
    /// Its unit, if it has one.
    pub unit: Option<String>,
}

/// The values of a matched pair.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct PairValues {
    /// The key of the metric or derived measure.
    pub quantity: String,
    /// Its unit, if it has one.
    pub unit: Option<String>,
    /// The subject's value.
    pub subject: f64,
    /// The baseline's value.
    pub baseline: f64,
}

/// The value of an entry.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(untagged)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub enum EntryValue {
    /// Yes or no.
    Flag(bool),
    /// A number, with the digits of its source if it has one.
    Number(f64),
    /// A word, an id, a date.
    Text(String),
    /// Several texts.
    List(Vec<String>),
}

/// A side of a comparison with the values that its rows state for some fields.
pub type SideChoices = (Subjects, Vec<(Field, Value)>);

/// A word of a question that matches no name.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct MissingWord {
    /// The word as typed.
    pub text: String,
    /// The nearest known names.
    pub near: Vec<String>,
    /// How many rows mention it in another field, none of which meets the rest of the question.
    pub rows: usize,
    /// Whether the knowledge base excludes this subject by design.
    pub is_not_kept: bool,
}

impl Outcome {
    /// An empty outcome of a kind of answer.
    pub(super) fn of(ask: Ask) -> Self {
        Self { ask, ..Self::default() }
    }

    /// The same outcome with these remarks put first.
    pub(super) fn prepending(mut self, remarks: impl IntoIterator<Item = Remark>) -> Self {
        self.remarks.splice(0..0, remarks);
        self
    }

    /// The outcome without facts that the catalog does not state, and without the remarks about them.
    pub(super) fn without_unknown_facts(mut self) -> Self {
        self.entries.retain(|entry| entry.n > 0);
        self.remarks.retain(|remark| !matches!(remark, Remark::FactUnknown { .. }));
        self
    }

    /// Whether this remark is the whole answer and points to another command.
    pub fn is_how_to(&self, remark: &Remark) -> bool {
        matches!(remark, Remark::HowTo(..)) && self.remarks.len() == 1 && self.entries.is_empty()
    }
}

/// A remark on an answer. Each has one wording, in `ask/answer/remark.rs`. Add a variant rather than a text.
#[derive(Debug, Clone, PartialEq, IntoStaticStr, Serialize, Deserialize)]
#[strum(serialize_all = "kebab-case")]
pub enum Remark {
    /// Words that were not read.
    Unread(Vec<String>),
    /// No row has a requested number; rows with the next smaller and the next larger number answer.
    #[serde(skip)]
    NearestNumbers {
        /// The filter with the requested number.
        asked: Filter,
        /// The filter with the nearest numbers that rows have.
        nearest: Filter,
    },
    /// The price is that of one device, so only devices that ran the work alone are ranked.
    RanAlone,
    /// Only the largest of the networks that fit are listed.
    #[serde(skip)]
    LargestThatFit {
        /// How many are listed.
        shown: usize,
        /// How many fit in each format; the networks listed are those of the first format.
        counts: Vec<(String, usize)>,
    },
    /// The question asks for something that another command does (the task, such as `cite` or `export`).
    HowTo(String),
    /// Words that could be the subject or a bound but match no name: there is no conclusion.
    NotFound {
        /// The words.
        words: Vec<MissingWord>,
        /// How many rows match without them.
        rest: usize,
        /// The question without the words, which finds these rows.
        query: String,
    },
    /// A word and the nearest name, as which it was read.
    ReadAsNearest(String, String),
    /// Words were searched for in the text of rows.
    ReadAsText {
        /// The words.
        text: String,
        /// How many rows contain them.
        rows: usize,
        /// Whether these rows are left out.
        left_out: bool,
    },
    /// A side that has no row.
    #[serde(skip)]
    NoRow {
        /// The side.
        side: Filter,
        /// How many rows it has without the rest of the question.
        alone: usize,
    },
    /// This condition was dropped, because nothing meets it together with the rest.
    #[serde(skip)]
    Relaxed(Filter),
    /// Nothing meets this condition together with the rest, but its family does.
    #[serde(skip)]
    Widened {
        /// The original condition.
        from: Filter,
        /// The family that replaces it.
        to: Filter,
    },
    /// How many more rows match but do not state this key.
    #[serde(skip)]
    Unstated(Key, usize),
    /// With a fact excluded by `not`: how many more entities do not state it.
    #[serde(skip)]
    Silent(Key, usize),
    /// A bound on something that no row states; the bound is not applied.
    #[serde(skip)]
    BoundUnstated(Key),
    /// How many of the rows that match `fp16` are mixed precision.
    MixedPrecision(usize),
    /// A row within the question beats the first result, in a setting that is not comparable.
    HigherElsewhere(Box<Entry>),
    /// Both sides have rows, but no two rows differ only in what is compared.
    NoPair {
        /// The fields in which the nearest two rows differ; the network alone if the sides have no network in common.
        differ: Vec<Field>,
        /// Whether `differ` lists fields that neither row states.
        unstated: bool,
        /// How many rows each of the two sides has.
        rows: [usize; 2],
    },
    /// The ratio in MLPerf's closed division, if the matched pairs come from other rows.
    ClosedDivision(Box<Entry>),
    /// All pairs are of single layers, none of a whole network.
    OfLayers,
    /// A side none of whose rows can be paired with the side that the others are compared with.
    #[serde(skip)]
    NotPaired(Filter),
    /// Both sides select the same rows.
    OneSide,
    /// Rows that match both sides; they count for one side only.
    #[serde(skip)]
    RowsOfBoth {
        /// The side for which they count.
        rows: usize,
        /// The side.
        side: Filter,
    },
    /// No two rows agree in these fields, so each side is compared at its own best value of them.
    OwnSetting(Vec<Field>),
    /// Nothing could be compared or ranked by the requested measure; another measure is used.
    Instead {
        /// The key of the requested measure.
        asked: String,
        /// The key of the measure used.
        by: String,
    },
    /// Pairs that say the opposite of the mean of all pairs.
    OtherWay {
        /// How many pairs say the opposite.
        pairs: usize,
        /// How many pairs there are in all.
        of: usize,
        /// The pair farthest from the mean.
        entry: Box<Entry>,
    },
    /// How many pairs were left out as outliers; usually these are failed runs.
    FarFromOthers(usize),
    /// How many pairs were left out because they are of single layers, other kernel libraries or unsigned integers.
    OfOtherKind(usize),
    /// What a ranking or a ratio from all comparable evidence is based on.
    Evidence {
        /// The tasks or networks whose rows also count as evidence; empty if only the requested rows count.
        beside: Vec<String>,
        /// How many candidates are ranked; 0 if two sides are compared.
        candidates: usize,
        /// How many measured values it uses, from settings with two or more candidates.
        values: usize,
        /// How many settings they come from.
        settings: usize,
        /// How many independent measurers they come from.
        measurers: usize,
    },
    /// The ratio of two sides from all comparable evidence, in addition to their matched pairs.
    AllEvidence {
        /// The ratio.
        entry: Box<Entry>,
        /// Whether the first line shows it beside the pairs: it differs from their mean, or decides what they leave open.
        beside: bool,
        /// Whether it replaces the pairs as the answer.
        leads: bool,
    },
    /// No setting contains both sides: the ratio goes through what each was measured against.
    Indirect,
    /// Candidates that are connected with each other by evidence, but not with the ranked ones.
    Apart {
        /// Some of these candidates, best first.
        candidates: Vec<Subjects>,
        /// How many more there are.
        more: usize,
    },
    /// One measurer's values of a candidate are far from what all others imply.
    Outlier {
        /// Who measured.
        measurer: String,
        /// The candidate.
        subjects: Subjects,
        /// The factor by which they are too high; below 1 if they are too low.
        factor: f64,
    },
    /// Candidates whose ratio to the first, in the setting shown, differs from the ratio that all settings imply.
    OtherwiseInSetting(Vec<(Subjects, f64)>),
    /// The execution choices (mode, layout) in which the sides differ, apart from what is compared.
    OwnChoices(Vec<SideChoices>),
    /// The sides were not all measured in one setting, so the ratios give no overall order.
    NoOrder,
    /// How many results were left out because they exceed what the hardware can compute.
    AbovePeak(usize),
    /// Each candidate is shown at its own best row, because no two rows are alike in everything else.
    OwnBest,
    /// Candidates are ranked by a catalog fact that is unknown for others.
    RankedByFact {
        /// The key of the fact.
        fact: String,
        /// How many are ranked.
        ranked: usize,
        /// How many more candidates lack the fact.
        unknown: usize,
    },
    /// Candidates that have rows, but none comparable with those of the ranked candidates.
    Unranked {
        /// How many candidates.
        candidates: usize,
        /// Some of them.
        some: Vec<Subjects>,
    },
    /// The rental offers behind items per dollar; prices differ by provider.
    Rents(Vec<(String, Rent)>),
    /// Pairs whose direct evidence contradicts the order by all evidence, the largest factor first.
    PairsAgainst(Vec<(Subjects, Subjects, f64, usize)>),
    /// Device families that are ranked together with their members.
    FamiliesRanked(Vec<String>),
    /// Runs that are left out because their accuracy target is on another data set.
    OtherGoals(Vec<(String, usize)>),
    /// The question asks for one phase of inference; more rows cover the whole, prefill and decoding together.
    OfWholeInference {
        /// How many rows.
        rows: usize,
        /// Devices that only have such rows, most rows first.
        only: Vec<String>,
    },
    /// No two rows differ in the axis alone.
    NoSeries {
        /// The key of the axis.
        axis: String,
        /// The values and their rows, the most frequent first.
        values: Vec<(String, usize)>,
    },
    /// Other sources state something else than the catalog.
    Disputed {
        /// The id of the entity.
        subject: String,
        /// The quantity of the entry.
        quantity: String,
        /// Each source and what it states.
        others: Vec<(String, String)>,
    },
    /// The catalog does not state this quantity for an entity.
    FactUnknown {
        /// The id of the entity.
        subject: String,
        /// The quantity.
        quantity: String,
    },
    /// Which grade of a metric is better.
    #[serde(skip)]
    GradeDirection {
        /// The id of the metric.
        metric: String,
        /// The better grade, if there is one.
        better: Option<crate::values::Grade>,
    },
    /// The memory estimate counts weights only (`false`) or also gradients and optimizer states (`true`); activations are extra.
    WeightsAlone(bool),
    /// A note on a grade, for example that a survey's table and text disagree.
    GradeNote {
        /// The class.
        class: String,
        /// The id of the metric.
        metric: String,
        /// The note from the catalog.
        note: String,
    },
    /// A note from the catalog: on a network whose full training is reported (MLPerf starts some from a checkpoint), or on an
    /// entity that lacks the requested fact.
    CatalogNote(Subjects, String),
    /// What measurements say about a grade.
    GradeEvidence {
        /// The class.
        class: String,
        /// The id of the metric.
        metric: String,
        /// `supported`, `contradicted` or `mixed`; `None` if too little was measured.
        verdict: Option<String>,
        /// The verdict and its basis, as `dlbench evidence` words it.
        rests_on: String,
    },
    /// A note needed to judge the rows shown.
    #[serde(skip)]
    Rows(crate::rows::Note),
}
