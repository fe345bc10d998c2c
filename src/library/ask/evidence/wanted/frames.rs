//! Frames: groups of rows that differ only in the device or framework, and in what comes with it.

use std::collections::{BTreeMap, BTreeSet};

use super::document::WantedCell;
use crate::ask::evidence::judge::Judge;
use crate::ask::evidence::measured::stated;
use crate::ask::hits::{ComparisonKey, ComparisonKeys, HitColumns, NumberMap, PartNumbers, SharedValues};
use crate::ask::parse::QueryError;
use crate::model::{Aspect, Field, Metric};
use crate::stores::Stores;
use crate::stores::index::Condition;
use crate::values::Division;

/// The fields in which rows of compared devices may differ, besides those that vary with the device.
const VARIED: &[Field] = &[
    Field::Device,
    Field::Framework,
    Field::Threads,
    Field::Dataset,
    Field::Layout,
    Field::Mode,
    Field::Partition,
    Field::Setting,
    Field::Timed,
];

/// Whether a row counts: not disputed, superseded or withdrawn, not from MLPerf's open division, and of a whole device.
fn counts(values: &SharedValues, parts: &PartNumbers) -> bool {
    let is_open = values.text(Aspect::Field(Field::Division), parts) == Some(Division::Open.into());
    values.is_in_good_standing(parts) && !is_open && values.number(Aspect::Field(Field::ComputeUnit), parts) == 0
}

/// A frame of rows.
pub(super) struct WantedFrame {
    /// The number of the network.
    pub network: u32,
    /// The numbers of the devices or frameworks that were measured in the frame.
    pub members: BTreeSet<u32>,
    /// The first hit of the frame.
    pub first: usize,
}

/// Rows of whole devices and networks for one metric, grouped into frames.
pub(super) struct FramedRows {
    pub metric: Metric,
    pub hits: HitColumns,
    pub keys: ComparisonKeys,
    pub frames: Vec<WantedFrame>,
}

impl FramedRows {
    /// Reads rows with a throughput and rows with a latency; the members of frames are values of the field `of`.
    pub fn read(stores: &Stores, values: &SharedValues, of: Field) -> Result<Vec<Self>, QueryError> {
        let mut all = Vec::new();
        for metric in [Metric::ThroughputPerS, Metric::LatencyMs] {
            let hits = HitColumns::of(stores, &Condition::All(Vec::new()), &[metric])?;
            let hits = hits.filtered(|parts| counts(values, parts));
            let keys = ComparisonKeys::new(values, metric, VARIED);
            let frames = frames(values, &hits, &keys, of);
            all.push(Self { metric, hits, keys, frames });
        }
        Ok(all)
    }

    /// The wanted measurement on something, under the conditions of a hit.
    pub fn cell(&self, judge: &mut Judge<'_>, on: String, first: usize) -> Result<WantedCell, QueryError> {
        cell(judge, (&self.hits, first), VARIED, (on, self.metric.key()))
    }
}

/// The wanted measurement of a measure on something, under the conditions of a hit except for the varied fields.
pub(super) fn cell(
    judge: &mut Judge<'_>,
    (hits, first): (&HitColumns, usize),
    varied: &[Field],
    (on, measure): (String, &str),
) -> Result<WantedCell, QueryError> {
    let (stores, values) = (judge.measured.stores, judge.measured.values);
    let parts = hits.parts(first);
    Ok(WantedCell {
        on,
        network: values.text(Aspect::Field(Field::Network), &parts).unwrap_or_default().to_owned(),
        measure: measure.to_owned(),
        settles: Vec::new(),
        share: 0.0,
        comparisons: 0,
        rows: None,
        under: stated(values, [&parts], varied),
        like: judge.ids.of(stores, &[hits.row(first)])?.into_iter().next().unwrap_or_default(),
        here: None,
        not_here: None,
    })
}

/// The frames of all hits with a value of the keys' metric, in order of their first hit; `of` is the field of the members.
pub(super) fn frames(values: &SharedValues, hits: &HitColumns, keys: &ComparisonKeys, of: Field) -> Vec<WantedFrame> {
    let [network, member] = [Field::Network, of].map(Aspect::Field);
    let mut places: NumberMap<ComparisonKey, usize> = NumberMap::default();
    let mut frames: Vec<WantedFrame> = Vec::new();
    for (hit, value) in hits.values(keys.metric()).iter().enumerate().filter(|(_, value)| **value > 0.0) {
        debug_assert!(value.is_finite());
        let parts = hits.parts(hit);
        // Single layers have a key only with their size: they are not networks.
        let Some(key) = keys.key(values, &parts, 0).filter(ComparisonKey::is_known) else { continue };
        let place = *places.entry(key).or_insert_with(|| {
            let network = values.number(network, &parts);
            frames.push(WantedFrame { network, members: BTreeSet::new(), first: hit });
            frames.len() - 1
        });
        frames[place].members.extend(Some(values.number(member, &parts)).filter(|member| *member > 0));
    }
    frames
}

/// For each network the frame with the most members (the first one in a tie), sorted by number of members.
pub(super) fn largest_by_network(frames: Vec<WantedFrame>) -> Vec<WantedFrame> {
    let mut best: BTreeMap<u32, WantedFrame> = BTreeMap::new();
    for frame in frames {
        match best.get_mut(&frame.network) {
            Some(known) if known.members.len() >= frame.members.len() => {}
            Some(known) => *known = frame,
            None => drop(best.insert(frame.network, frame)),
        }
    }
    let mut best: Vec<WantedFrame> = best.into_values().collect();
    best.sort_by_key(|frame| (std::cmp::Reverse(frame.members.len()), frame.first));
    best
}
