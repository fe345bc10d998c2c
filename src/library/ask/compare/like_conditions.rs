//! Under which conditions the cells of a line are picked: neighbours under the same ones where such exist, so that a ratio of
//! them means something.

use std::cmp::Reverse;
use std::collections::{BTreeMap, BinaryHeap, HashMap};

use strum::VariantArray as _;

use super::compared_columns::ComparedColumns;
use crate::model::{Field, Part, Value};

/// Numbers of the conditions of a hit, by part.
type ConditionKey = [u32; Part::VARIANTS.len()];

/// What a hit was measured under.
pub(super) struct Conditions {
    /// By part and share.
    pub numbers: [Vec<u32>; Part::VARIANTS.len()],
    /// Whether the device count may be chosen, because neither rows nor columns are made by it.
    pub chooses_count: bool,
}

/// A cell of a line.
pub(super) struct CellCandidates<'c> {
    /// The candidates.
    pub hits: &'c [usize],
    /// Whether the others are set against it.
    pub is_baseline: bool,
}

/// How well conditions fit a line, the best last.
#[derive(Debug, PartialEq, Eq, PartialOrd, Ord)]
struct Fit {
    /// Whether the baseline was measured under them.
    has_baseline: bool,
    /// Under them were measured so many cells that have no pick yet.
    cells: usize,
    /// Whether they are those of one device.
    is_of_one_device: bool,
    /// Of so many cells they have the pick that the cell would have by itself.
    own_picks: usize,
    /// Of equal ones the first of the store, so that the choice is the same every time.
    first: Reverse<usize>,
}

/// The pick of each cell of a line; `pick` chooses among the hits of one condition.
///
/// The conditions that most cells were measured under go first, then those that most of the others were; a cell that shares
/// its conditions with no neighbour has its own pick, of one device where it has such.
pub(super) fn picks(
    compared: &ComparedColumns,
    conditions: &Conditions,
    cells: &[CellCandidates<'_>],
    pick: impl Fn(&[usize]) -> usize,
) -> Vec<usize> {
    let alone: Vec<usize> = cells.iter().map(|cell| pick(cell.hits)).collect();
    if cells.iter().all(|cell| cell.hits.len() < 2) {
        return alone;
    }
    let mut under: HashMap<ConditionKey, BTreeMap<usize, Vec<usize>>> = HashMap::new();
    for (at, cell) in cells.iter().enumerate() {
        for hit in cell.hits {
            let key = std::array::from_fn(|part| {
                let share = compared.columns.parts[part][*hit] as usize;
                conditions.numbers[part].get(share).copied().unwrap_or_default()
            });
            under.entry(key).or_default().entry(at).or_default().push(*hit);
        }
    }
    let one_device = |hit: usize| compared.stated(hit, Field::DeviceCount) == Some(&Value::Count(1));
    let mut picked: Vec<Option<usize>> = vec![None; cells.len()];
    let fit = |shared: &BTreeMap<usize, Vec<usize>>, picked: &[Option<usize>]| {
        let open = || shared.iter().filter(|(at, _)| picked[**at].is_none());
        let hits = || shared.values().flatten().copied();
        Fit {
            has_baseline: shared
                .iter()
                .any(|(at, own)| cells[*at].is_baseline && picked[*at].is_none_or(|hit| own.contains(&hit))),
            cells: open().count(),
            is_of_one_device: conditions.chooses_count && hits().next().is_some_and(one_device),
            own_picks: open().filter(|(at, hits)| hits.contains(&alone[**at])).count(),
            first: Reverse(hits().min().unwrap_or_default()),
        }
    };
    let several = under.iter().filter(|(_, shared)| shared.len() > 1);
    let mut waiting: BinaryHeap<(Fit, ConditionKey)> =
        several.map(|(key, shared)| (fit(shared, &picked), *key)).collect();
    while let Some((fitted, key)) = waiting.pop() {
        let Some(shared) = under.get(&key) else { continue };
        let now = fit(shared, &picked);
        // A cell that joins a picked baseline has a neighbour, too.
        let has_neighbour = now.cells > 1 || now.cells == 1 && now.has_baseline;
        if !has_neighbour {
            continue;
        }
        // What was picked since has left the others fewer cells: what fits best now goes first.
        if now != fitted {
            waiting.push((now, key));
            continue;
        }
        for (at, hits) in shared {
            if picked[*at].is_none() {
                picked[*at] = Some(pick(hits));
            }
        }
    }
    let by_itself = |at: usize| {
        let single: Vec<usize> = cells[at].hits.iter().copied().filter(|hit| one_device(*hit)).collect();
        if conditions.chooses_count && !single.is_empty() { pick(&single) } else { alone[at] }
    };
    picked.into_iter().enumerate().map(|(at, hit)| hit.unwrap_or_else(|| by_itself(at))).collect()
}
