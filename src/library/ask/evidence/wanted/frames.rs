//! Frames: rows that are alike in all that decides comparability but the device or the framework, and what goes with it.

use std::collections::{BTreeMap, BTreeSet};

use crate::ask::hits::{ComparisonKey, ComparisonKeys, HitColumns, NumberMap, SharedValues};
use crate::model::{Aspect, Field};

/// The rows of one frame.
pub(super) struct WantedFrame {
    /// The number of the network.
    pub network: u32,
    /// The numbers of the devices, or of the frameworks, whichever are set against each other.
    pub members: BTreeSet<u32>,
    /// Its first hit.
    pub first: usize,
}

/// The frames of all hits with a value of the keys' metric, in the order of their first hits; `of` says what their members are.
pub(super) fn frames(values: &SharedValues, hits: &HitColumns, keys: &ComparisonKeys, of: Field) -> Vec<WantedFrame> {
    let [network, member] = [Field::Network, of].map(Aspect::Field);
    let mut places: NumberMap<ComparisonKey, usize> = NumberMap::default();
    let mut frames: Vec<WantedFrame> = Vec::new();
    for (hit, value) in hits.values(keys.metric()).iter().enumerate().filter(|(_, value)| **value > 0.0) {
        debug_assert!(value.is_finite());
        let parts = hits.parts(hit);
        // Single layers have a key with their size alone: they are not networks.
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

/// Of each network the frame with the most members, those with the most first; of as many the one that comes first.
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
