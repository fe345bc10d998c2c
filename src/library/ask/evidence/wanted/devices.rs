//! What devices lack: those that can be compared with few others, or with none, under conditions in which many were measured.

use std::cmp::Reverse;
use std::collections::{BTreeMap, BTreeSet, HashMap};

use super::document::WantedCell;
use super::frames::{WantedFrame, frames};
use crate::ask::evidence::measured::stated;
use crate::ask::execute::under::RowIds;
use crate::ask::hits::{ComparisonKeys, HitColumns, PartNumbers, SharedValues};
use crate::ask::parse::QueryError;
use crate::model::{Aspect, Device, Field, Metric, Part};
use crate::stores::Stores;
use crate::stores::index::Condition;
use crate::values::{Division, EntityId, HardwareClass};

/// In what rows of two devices may differ that are compared, besides what goes with these.
pub(super) const VARIED: &[Field] = &[
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

/// Whether a row counts: it stands, whoever ran it could not change the network, and it is of a whole device.
pub(super) fn counts(values: &SharedValues, parts: &PartNumbers) -> bool {
    let is_open = values.text(Aspect::Field(Field::Division), parts) == Some(Division::Open.into());
    values.stands(parts) && !is_open && values.number(Aspect::Field(Field::ComputeUnit), parts) == 0
}

/// Of so many frames, those with the most devices, a device may want to be part; one of this machine of any.
const FRAMES: usize = 300;

/// So many frames of a network are told of a device of this machine.
const FRAMES_HERE: usize = 4;

/// The frames of all rows, and with whom each device shares one.
struct Compared {
    hits: HitColumns,
    metric: Metric,
    /// Those of several devices, the largest first.
    frames: Vec<WantedFrame>,
}

/// The cells that would let devices be compared with others; `here` are devices of this machine, of which one is told for
/// each network.
pub(super) fn cells(stores: &Stores, values: &SharedValues, here: &[EntityId]) -> Result<Vec<WantedCell>, QueryError> {
    let mut partners: BTreeMap<u32, BTreeSet<u32>> = BTreeMap::new();
    let mut all = Vec::new();
    for metric in [Metric::ThroughputPerS, Metric::LatencyMs] {
        let hits =
            HitColumns::of(stores, &Condition::All(Vec::new()), &[metric])?.filtered(|parts| counts(values, parts));
        let mut frames = frames(values, &hits, &ComparisonKeys::new(values, metric, VARIED), Field::Device);
        for frame in &frames {
            for device in &frame.members {
                partners.entry(*device).or_default().extend(&frame.members);
            }
        }
        frames.retain(|frame| frame.members.len() > 1);
        frames.sort_by_key(|frame| (Reverse(frame.members.len()), frame.first));
        all.push(Compared { hits, metric, frames });
    }
    let rows = rows_of_devices(stores, values)?;
    let number = |id: &EntityId| values.column(Aspect::Field(Field::Device))?.number_of(id.as_str());
    let devices: Vec<Device> = stores.database.entities()?;
    let families: BTreeSet<&EntityId> = devices.iter().filter_map(|device| device.variant_of.as_ref()).collect();
    // Boards are compared with boards, processors with processors.
    let mut of_classes: HashMap<HardwareClass, BTreeSet<u32>> = HashMap::new();
    for device in &devices {
        of_classes.entry(device.class).or_default().extend(number(&device.id));
    }
    let nobody = BTreeSet::new();
    let mut ids = RowIds::default();
    let mut cells = Vec::new();
    for device in devices.iter().filter(|device| !families.contains(&device.id)) {
        let known = number(&device.id).and_then(|number| partners.get(&number)).unwrap_or(&nobody);
        let alike = of_classes.get(&device.class).unwrap_or(&nobody);
        let is_here = here.contains(&device.id);
        let mut gains: Vec<(usize, &Compared, &WantedFrame)> = Vec::new();
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
            // Of a network once, since the next frame of it gives less; a machine may not be able to measure the first one.
            let of_network = told.get(&frame.network).copied().unwrap_or(0);
            if (told.len() == most && of_network == 0) || of_network == if is_here { FRAMES_HERE } else { 1 } {
                continue;
            }
            told.insert(frame.network, of_network + 1);
            let parts = compared.hits.parts(frame.first);
            let Some(network) = values.text(Aspect::Field(Field::Network), &parts) else { continue };
            cells.push(WantedCell {
                on: format!("device:{}", device.id),
                network: network.to_owned(),
                measure: compared.metric.key().to_owned(),
                settles: Vec::new(),
                share: 0.0,
                comparisons: gain,
                rows: Some(rows.get(device.id.as_str()).copied().unwrap_or(0)),
                under: stated(values, [&parts], VARIED),
                like: ids.of(stores, &[compared.hits.row(frame.first)])?.into_iter().next().unwrap_or_default(),
                here: None,
                not_here: None,
            });
        }
    }
    Ok(cells)
}

/// How many rows each device has.
fn rows_of_devices(stores: &Stores, values: &SharedValues) -> Result<BTreeMap<String, usize>, QueryError> {
    let all = HitColumns::of(stores, &Condition::All(Vec::new()), &[])?;
    let mut rows: BTreeMap<String, usize> = BTreeMap::new();
    let column = values.column(Aspect::Field(Field::Device));
    let mut counts: Vec<usize> = Vec::new();
    for hit in 0..all.len() {
        let setup = all.part(hit, Part::Setup) as usize;
        counts.resize(counts.len().max(setup + 1), 0);
        counts[setup] += 1;
    }
    for (setup, count) in counts.into_iter().enumerate() {
        if let Some(device) = column.and_then(|column| column.of(setup as u32)) {
            *rows.entry(device.to_owned()).or_default() += count;
        }
    }
    Ok(rows)
}
