//! A ranking by one measure: its rows, and which candidate each of them is of.

use super::candidates::Candidates;
use super::measure::{By, ShareKey, ShareKeys};
use super::plan::hits_of;
use super::possible::Possible;
use crate::ask::hits::{Following, HitColumns, PartNumbers, SharedValues};
use crate::ask::parse::{End, Filter, QueryError, Question, Term};
use crate::model::{Derived, Direction, Facet, Field, Measure};
use crate::stores::Stores;

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
        let asked = self
            .question
            .order
            .as_ref()
            .and_then(|order| By::ladder(std::slice::from_ref(&order.by)).into_iter().next());
        let asked = asked.as_ref().unwrap_or(self.by);
        let direction = asked.metrics().first().map_or(Direction::Higher, |metric| asked.measure(*metric).direction());
        let end = self.question.order.as_ref().map_or(End::Best, |order| order.end);
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
