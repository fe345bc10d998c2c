//! What devices lack: rows under conditions in which many other devices were measured.

use std::cmp::Reverse;
use std::collections::{BTreeMap, BTreeSet, HashMap};

use super::document::WantedCell;
use super::frames::{FramedRows, WantedFrame};
use crate::ask::evidence::judge::Judge;
use crate::ask::parse::QueryError;
use crate::model::{Aspect, Device, Field, Part};
use crate::stores::index::Condition;
use crate::values::{EntityId, HardwareClass};

/// How many frames are considered for a device, those with the most devices first; for a device of this machine all are.
const FRAMES: usize = 300;

/// Maximum number of frames of one network listed for a device of this machine.
const FRAMES_HERE: usize = 4;

/// The measurements that would make devices comparable with others. Devices of this machine (`here`) get up to
/// [`FRAMES_HERE`] for each network, the others only the best one.
pub(super) fn cells(judge: &mut Judge<'_>, here: &[EntityId]) -> Result<Vec<WantedCell>, QueryError> {
    let (stores, values) = (judge.measured.stores, judge.measured.values);
    let mut partners: BTreeMap<u32, BTreeSet<u32>> = BTreeMap::new();
    let mut all = FramedRows::read(stores, values, Field::Device)?;
    for FramedRows { frames, .. } in &mut all {
        for frame in frames.iter() {
            for device in &frame.members {
                partners.entry(*device).or_default().extend(&frame.members);
            }
        }
        // Only frames with several devices, the largest first.
        frames.retain(|frame| frame.members.len() > 1);
        frames.sort_by_key(|frame| (Reverse(frame.members.len()), frame.first));
    }
    let column = stores.database.aspect(Aspect::Field(Field::Device))?;
    let counted = stores.index.measurements(&Condition::All(Vec::new()), None, &[], 0, 0)?;
    let rows: HashMap<&str, usize> = column.counts(&counted.shares[Part::Setup as usize]).collect();
    let number = |id: &EntityId| column.number_of(id.as_str());
    let devices: Vec<Device> = stores.database.entities()?;
    let families: BTreeSet<&EntityId> = devices.iter().filter_map(|device| device.variant_of.as_ref()).collect();
    // Compare boards with boards and processors with processors.
    let mut of_classes: HashMap<HardwareClass, BTreeSet<u32>> = HashMap::new();
    for device in &devices {
        of_classes.entry(device.class).or_default().extend(number(&device.id));
    }
    let nobody = BTreeSet::new();
    let mut cells = Vec::new();
    for device in devices.iter().filter(|device| !families.contains(&device.id)) {
        let known = number(&device.id).and_then(|number| partners.get(&number)).unwrap_or(&nobody);
        let alike = of_classes.get(&device.class).unwrap_or(&nobody);
        let is_here = here.contains(&device.id);
        let mut gains: Vec<(usize, &FramedRows, &WantedFrame)> = Vec::new();
        for compared in &all {
            let most = if is_here { compared.frames.len() } else { FRAMES };
            let is_new = |other: &&u32| alike.contains(other) && !known.contains(other);
            let gain = |frame: &WantedFrame| frame.members.iter().filter(is_new).count();
            gains.extend(compared.frames.iter().take(most).map(|frame| (gain(frame), compared, frame)));
        }
        gains.retain(|(gain, ..)| *gain > 0);
        gains.sort_by_key(|(gain, compared, frame)| (Reverse(*gain), compared.metric, frame.first));
        let most = if is_here { gains.len() } else { 1 };
        let mut told: BTreeMap<u32, usize> = BTreeMap::new();
        for (gain, compared, frame) in gains {
            // One frame of a network is enough, as the next adds less; but this machine may be unable to measure the first one.
            let of_network = told.get(&frame.network).copied().unwrap_or(0);
            if (told.len() == most && of_network == 0) || of_network == if is_here { FRAMES_HERE } else { 1 } {
                continue;
            }
            told.insert(frame.network, of_network + 1);
            cells.push(WantedCell {
                comparisons: gain,
                rows: Some(rows.get(device.id.as_str()).copied().unwrap_or(0)),
                ..compared.cell(judge, format!("device:{}", device.id), frame.first)?
            });
        }
    }
    Ok(cells)
}
