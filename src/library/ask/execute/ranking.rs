//! What is ranked: what tells one candidate from another, and the rows of a ranking by one measure.

use super::key::{aspect_of, varied_by};
use super::measure::{By, ShareKey, ShareKeys};
use super::outcome::Subjects;
use super::plan::hits_of;
use super::possible::Possible;
use crate::ask::hits::{Following, HitColumns, PartNumbers, SharedValues};
use crate::ask::parse::{End, Filter, Key, Quantity, QueryError, Question, Term, Test};
use crate::model::{Aspect, Derived, Direction, Facet, Fact, Field, Measure, Value};
use crate::stores::Stores;

/// What is ranked.
pub(super) struct Candidates {
    /// What tells one from another.
    pub identity: Vec<Aspect>,
    /// What may vary among them.
    pub varied: Vec<Field>,
    /// Whether each is ranked by what one device does.
    pub one_device: bool,
    /// Whether any way to the goal is a candidate, each by what it came to: what training to a target costs, the fastest run.
    pub by_row: bool,
}

/// What a run may choose for itself: the settings that are ranked where nothing else is.
const SETTINGS: &[Field] = &[
    Field::Precision,
    Field::Quantization,
    Field::BatchSize,
    Field::BatchSizeGlobal,
    Field::Device,
    Field::Framework,
    Field::FrameworkVersion,
    Field::Mode,
    Field::Layout,
    Field::Scenario,
];

impl Candidates {
    /// The candidates of a question.
    pub fn of(question: &Question) -> Self {
        let tested = |key: &Key| question.subject.terms.iter().any(|term| tests(term, key));
        let aspect = question.of.as_ref().map(|of| aspect_of(of).unwrap_or(Aspect::Source));
        let by_cost = question.order.as_ref().is_some_and(|order| order.by.is_cost());
        let by_row = question.of.is_none();
        // What a run costs is that of the whole machine, and where no device is named a run is of any machine.
        let mut measures = question.wants.iter().chain(question.order.iter().map(|order| &order.by));
        let of_whole_task = measures.any(|by| matches!(by, Quantity::Metric(metric) if metric.is_of_whole_task()));
        let whole = by_row && (by_cost || of_whole_task || !tested(&Facet::Device.into()));
        let machine: &[Field] = if whole || of_whole_task { &[Field::Instance, Field::DeviceCount] } else { &[] };
        let (identity, varied) = match (aspect, &question.of) {
            // The best of each year is in a setting of its own.
            (Some(aspect @ Aspect::Fact(Fact::Year)), _) => (vec![aspect], [SETTINGS, machine].concat()),
            (Some(aspect), Some(key)) => (identity_of(aspect), varied_by(key)),
            _ => {
                let all = [SETTINGS, machine].concat();
                let open = all.iter().copied().filter(|field| !tested(&(*field).into()));
                // Members of a network's family are other work, those of a device's are settings of it.
                ([Field::Network].into_iter().chain(open).map(Aspect::Field).collect(), all)
            }
        };
        let counted = tested(&Field::DeviceCount.into());
        let of_devices = varied.contains(&Field::Device) && !varied.contains(&Field::DeviceCount);
        Self { identity, varied, one_device: of_devices && !counted && !whole, by_row }
    }

    /// What tells the candidate of a row from others, by the keys of filters.
    pub fn subjects(&self, values: &SharedValues, parts: &PartNumbers) -> Subjects {
        let stated = self.identity.iter().filter_map(|aspect| {
            let value = match aspect {
                Aspect::Field(field) => values.value(*field, parts)?,
                other => Value::Text(values.text(*other, parts)?.into()),
            };
            Some((aspect.key().to_owned(), value))
        });
        stated.collect()
    }
}

/// What distinguishes candidates that one aspect names: the cores of a chip are another device than its neural unit.
pub(in crate::ask) fn identity_of(aspect: Aspect) -> Vec<Aspect> {
    match aspect {
        Aspect::Field(Field::Device) => vec![aspect, Aspect::Field(Field::ComputeUnit)],
        other => vec![other],
    }
}

/// Whether a term tests a key, or excludes values of it.
fn tests(term: &Term, key: &Key) -> bool {
    match term {
        Term::Test(Test { key: tested, .. }) => tested == key,
        Term::Not(filter) => filter.terms.iter().any(|term| tests(term, key)),
        Term::Any(any) => any.iter().any(|filter| filter.terms.iter().any(|term| tests(term, key))),
    }
}

/// So many candidates have entries where nobody asks for a number of them.
pub(super) const MOST: usize = 30;

/// A ranking by one measure.
pub(super) struct Ranking<'r> {
    pub stores: &'r Stores,
    pub question: &'r Question,
    pub values: &'r SharedValues,
    pub kind: &'r Candidates,
    pub by: &'r By,
    /// The rows that are asked for.
    pub hits: HitColumns,
    /// Whether whole networks are ranked: parts of them are other work.
    of_wholes: bool,
    /// Whether each candidate is ranked by what one device does.
    one_device: bool,
    /// How many devices count as one: a server has two processors, which are seldom measured alone.
    most_of_one: i64,
    identities: ShareKeys,
    /// Whether a row states what names a candidate.
    naming: Vec<Following<bool>>,
}

impl<'r> Ranking<'r> {
    /// `None` where no row has the measure.
    pub fn of(
        stores: &'r Stores,
        question: &'r Question,
        values: &'r SharedValues,
        kind: &'r Candidates,
        by: &'r By,
    ) -> Result<Option<Self>, QueryError> {
        let hits = possible_hits(stores, values, &question.subject, by)?;
        let is_cpu = |term: &Term| term.names(Facet::Class) == ["cpu"];
        let most_of_one = if question.subject.terms.iter().any(is_cpu) { 2 } else { 1 };
        let is_one = |parts: &PartNumbers| counts_as_one(values, parts, most_of_one);
        let metrics = by.metrics();
        let mut measured = (0..hits.len()).filter(|hit| hits.has_any(*hit, &metrics)).peekable();
        if measured.peek().is_none() {
            return Ok(None);
        }
        let has_one = measured.clone().any(|hit| is_one(&hits.parts(hit)));
        let of_wholes =
            !question.subject.has(Field::Component) && measured.any(|hit| is_of_whole(values, &hits.parts(hit)));
        let one_device = kind.one_device && has_one && !by.is_of_any_count();
        let identities = ShareKeys::of(values, &kind.identity);
        let naming = kind.identity.iter().map(|aspect| values.following(*aspect, |text| text.is_some())).collect();
        Ok(Some(Self {
            stores,
            question,
            values,
            kind,
            by,
            hits,
            of_wholes,
            one_device,
            most_of_one,
            identities,
            naming,
        }))
    }

    /// What a row is of, if it names that.
    pub fn named(&self, parts: &PartNumbers) -> Option<ShareKey> {
        let is_named = self.naming.iter().any(|naming| naming.of(parts));
        is_named.then(|| self.identities.key(parts))
    }

    /// The candidate of a row.
    pub fn candidate(&self, parts: &PartNumbers) -> Option<ShareKey> {
        self.named(parts).filter(|_| !self.of_wholes || is_of_whole(self.values, parts))
    }

    /// The candidate of a row whose value is that of one device, where each is ranked by what one does.
    pub fn alone(&self, parts: &PartNumbers) -> Option<ShareKey> {
        let is_one = !self.one_device || counts_as_one(self.values, parts, self.most_of_one);
        self.candidate(parts).filter(|_| is_one)
    }

    /// Whether the worst comes first.
    pub fn worst_first(&self) -> bool {
        // The least energy is the most items per joule where rows state these.
        let order = self.question.order.as_ref();
        let asked = order.map(|order| By::ladder(std::slice::from_ref(&order.by)).swap_remove(0));
        let asked = asked.as_ref().unwrap_or(self.by);
        let direction = asked.measure(asked.metrics()[0]).direction();
        let end = order.map_or(End::Best, |order| order.end);
        end.is_largest(direction) == (direction == Direction::Lower)
    }
}

/// The rows that meet a filter; of fractions of a peak those that are none above it.
pub(super) fn possible_hits(
    stores: &Stores,
    values: &SharedValues,
    filter: &Filter,
    by: &By,
) -> Result<HitColumns, QueryError> {
    let hits = hits_of(stores, values, filter, by)?;
    let By::Derived(derived @ Derived::PeakFraction) = by else { return Ok(hits) };
    let mut possible = Possible::new(stores, values);
    let of_hits = hits.values(derived.basis()).iter().enumerate();
    let is_possible =
        of_hits.map(|(hit, value)| possible.is_possible(&hits.parts(hit), Measure::Derived(*derived), *value));
    let is_possible: Vec<bool> = is_possible.collect::<Result<_, _>>()?;
    Ok(hits.kept(|hit| is_possible[hit]))
}

/// Whether a row is of a whole network.
fn is_of_whole(values: &SharedValues, parts: &PartNumbers) -> bool {
    values.number(Field::Component, parts) == 0
}

/// Whether a row is of at most so many devices.
fn counts_as_one(values: &SharedValues, parts: &PartNumbers, most: i64) -> bool {
    values.count(Field::DeviceCount, parts).is_none_or(|count| count <= most)
}
