//! The best row of each candidate, in whatever setting, of those that the hardware can give.

use std::collections::HashSet;

use indexmap::IndexMap;

use super::Outcome;
use super::measure::ShareKey;
use super::outcome::{Entry, Remark};
use super::possible::Possible;
use super::ranking::{MOST, Ranking};
use super::spread::{in_order, rounded};
use super::under::{RowIds, item_counted};
use crate::ask::hits::{PartNumbers, Run, Usual};
use crate::ask::parse::{Ask, QueryError};
use crate::model::{Direction, Facet, Fact, Field, Metric};
use crate::values::EntityKind;

/// So many results are looked at in search of one that the hardware can give.
const LOOKED_AT: usize = 60;

impl Ranking<'_> {
    /// The work of a row: networks of one size are alike, whatever they were trained for.
    pub fn work(&self, parts: &PartNumbers) -> [u32; 3] {
        let values = self.values;
        let size = values.text(Fact::Parameters, parts).and_then(|size| size.parse::<f64>().ok());
        let number = values.number(Field::Network, parts);
        // In steps of a tenth; no size has so large a number.
        let network = size.map_or(u32::MAX - number, |size| (10.0 * size.ln() + 1000.0).round() as u32);
        let counts = values.text(Field::Counts, parts);
        let item = if counts == Some("inference") { 0 } else { item_counted(values, parts) };
        [network, values.number(Field::Stage, parts), item]
    }

    /// Candidates by their best row in the metric that most of them state. The rows are not comparable. Accuracies are top-1 only.
    pub fn by_own_best(&self, by_quality: bool) -> Result<Outcome, QueryError> {
        let mut outcome = Outcome::of(Ask::Rank);
        let first_answer =
            |parts: &PartNumbers| self.values.text(Field::TopK, parts).is_none_or(|answers| answers == "1");
        let counts = |parts: &PartNumbers| !by_quality || first_answer(parts);
        let of_metric = |metric: Metric| self.best(metric, &counts).map(|best| (metric, best));
        let of_all: Vec<_> = self.by.metrics().into_iter().map(of_metric).collect::<Result<_, _>>()?;
        // Of two metrics of as many candidates the usual one, which comes first.
        let Some((metric, (mut best, impossible))) = of_all.into_iter().rev().max_by_key(|(_, (best, _))| best.len())
        else {
            return Ok(outcome);
        };
        // Another part of a network is other work.
        let part = |run: &Run| self.values.number(Field::Component, &run.parts);
        if let Some(first) = best.first().copied() {
            best.retain(|run| part(run) == part(&first));
        }
        if metric == Metric::TimeToAccuracyS || metric.is_of_quality() {
            outcome.remarks.extend(self.to_one_goal(&mut best));
        }
        best.truncate(self.question.take.unwrap_or(MOST).max(1));
        outcome.rows = best.iter().map(|run| run.row).collect();
        let ids = RowIds::default().of(self.stores, &outcome.rows)?;
        outcome.entries = best.iter().zip(ids).map(|(run, id)| self.entry(metric, run, id)).collect();
        // Settings of one network need not name it.
        let network = Field::Network.key();
        let is_one = |pair: &[Entry]| pair[0].subjects.get(network) == pair[1].subjects.get(network);
        if self.kind.by_row && outcome.entries.windows(2).all(is_one) {
            outcome.entries.iter_mut().for_each(|entry| drop(entry.subjects.shift_remove(network)));
        }
        outcome.remarks.extend((outcome.entries.len() > 1 && !self.kind.by_row).then_some(Remark::OwnBest));
        outcome.remarks.extend((impossible > 0).then_some(Remark::AbovePeak(impossible)));
        Ok(outcome)
    }

    /// Keeps the runs on the most frequent data set: accuracies on different data sets do not compare.
    fn to_one_goal(&self, best: &mut Vec<Run>) -> Option<Remark> {
        let dataset = |run: &Run| self.values.text(Field::Dataset, &run.parts).unwrap_or_default();
        let mut counts: IndexMap<&str, usize> = IndexMap::new();
        best.iter().for_each(|run| *counts.entry(dataset(run)).or_default() += 1);
        counts.sort_by(|_, a, _, b| b.cmp(a));
        let (most, _) = counts.shift_remove_index(0)?;
        best.retain(|run| dataset(run) == most);
        let others = counts.into_iter().map(|(name, runs)| (name.to_owned(), runs)).collect::<Vec<_>>();
        (!others.is_empty()).then_some(Remark::OtherGoals(others))
    }

    /// The row that is before a run in the order of values: of the same kind of items, and one that its hardware can give.
    pub fn higher_elsewhere(&self, metric: Metric, run: &Run) -> Result<Option<Remark>, QueryError> {
        let values = self.values;
        // Numbers of other work say nothing against the first, nor do its own.
        let by_tokens = values.text(Field::Counts, &run.parts) == Some("token");
        let lengths: &[Field] =
            if by_tokens { &[] } else { &[Field::SequenceLength, Field::InputLength, Field::OutputLength] };
        let of_work = [&[Field::Component], lengths].concat();
        // If the question names a family and the first row does not say which member ran, any member counts.
        let any_member =
            self.question.subject.has(Facet::Network) && values.text(Fact::Parameters, &run.parts).is_none();
        let kind = |parts: &PartNumbers| {
            let of: Vec<u32> = of_work.iter().map(|of| values.number(*of, parts)).collect();
            let [network, stage, item] = self.work(parts);
            ([if any_member { 0 } else { network }, stage, item], of)
        };
        // A network has a usual size of its input.
        let shape = |parts: &PartNumbers| values.number(Field::InputShape, parts);
        let own_shape = shape(&run.parts);
        let is_shaped = |parts: &PartNumbers| own_shape == 0 || shape(parts) == 0 || shape(parts) == own_shape;
        let asked = kind(&run.parts);
        let (best, _) = self.best(metric, &|parts| kind(parts) == asked && is_shaped(parts))?;
        let Some(best) = best.first() else { return Ok(None) };
        let is_first = self.is_of_family(&best.parts, &run.parts)?;
        if is_first || in_order(best.value, run.value, self.is_largest_first(metric)).is_ge() {
            return Ok(None);
        }
        let id = RowIds::default().of(self.stores, &[best.row])?.into_iter().next().unwrap_or_default();
        Ok(Some(Remark::HigherElsewhere(Box::new(self.entry(metric, best, id)))))
    }

    /// Whether a row is of the same candidate as another, or of its family.
    fn is_of_family(&self, parts: &PartNumbers, of: &PartNumbers) -> Result<bool, QueryError> {
        let name = |parts: &PartNumbers| self.kind.subjects(self.values, parts);
        let device = |parts: &PartNumbers| self.values.text(Field::Device, parts);
        let (Some(family), Some(member)) = (device(parts), device(of)) else { return Ok(name(parts) == name(of)) };
        let families = self.stores.database.ancestors(EntityKind::Device, member)?;
        Ok(name(parts) == name(of) || families.iter().any(|id| id == family && id != member))
    }

    fn is_largest_first(&self, metric: Metric) -> bool {
        (self.by.measure(metric).direction() == Direction::Lower) == self.worst_first()
    }

    /// The best possible run of each candidate, in order, and how many better ones exceed the hardware peak.
    fn best(&self, metric: Metric, passes: &dyn Fn(&PartNumbers) -> bool) -> Result<(Vec<Run>, usize), QueryError> {
        let measure = self.by.measure(metric);
        let usual = Usual::of(self.values, &self.hits);
        let candidate = |run: &Run| {
            let counts = usual.counts(&run.parts) && (self.kind.by_row || usual.has_count(metric, &run.parts));
            self.alone(&run.parts).filter(|_| counts && run.value > 0.0 && passes(&run.parts))
        };
        let runs = self.hits.measured(metric);
        let mut sorted: Vec<(ShareKey, Run)> = runs.filter_map(|run| Some((candidate(&run)?, run))).collect();
        let largest_first = self.is_largest_first(metric);
        sorted.sort_by(|(_, a), (_, b)| in_order(a.value, b.value, largest_first).then(a.row.cmp(&b.row)));
        let mut possible = Possible::new(self.stores, self.values);
        let mut known: HashSet<ShareKey> = HashSet::new();
        let (mut best, mut impossible) = (Vec::new(), 0);
        for (at, (candidate, run)) in sorted.into_iter().enumerate() {
            if known.contains(&candidate) {
                continue;
            }
            if at < LOOKED_AT && !possible.is_possible(&run.parts, measure, run.value)? {
                impossible += 1;
                continue;
            }
            known.insert(candidate);
            best.push(run);
        }
        Ok((best, impossible))
    }

    /// What one row says of its candidate.
    fn entry(&self, metric: Metric, run: &Run, id: String) -> Entry {
        let value = (self.by.measure(metric), rounded(run.value));
        Entry {
            subjects: self.kind.subjects(self.values, &run.parts),
            measurements: vec![id],
            ..Entry::measured(self.values, value, &[run.parts], &self.kind.varied)
        }
    }
}
