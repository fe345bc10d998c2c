//! Picks the cells of a line so that neighbours were measured under the same conditions where possible; otherwise their ratio
//! would mean little.

use std::cmp::Reverse;
use std::collections::{BTreeMap, BinaryHeap, HashMap};

use strum::VariantArray as _;

use super::compared_columns::ComparedColumns;
use crate::model::{Field, Part, Value};

/// The condition numbers of a hit, one per part.
type ConditionKey = [u32; Part::VARIANTS.len()];

/// The conditions under which hits were measured.
pub(super) struct Conditions {
    /// Condition numbers by part and share.
    pub numbers: [Vec<u32>; Part::VARIANTS.len()],
    /// Whether the device count may be chosen because it is not an axis of rows or columns.
    pub chooses_count: bool,
}

/// The candidates of one cell in a line.
pub(super) struct CellCandidates<'c> {
    /// The candidates.
    pub hits: &'c [usize],
    /// Whether it is the baseline of the line.
    pub is_baseline: bool,
}

/// How well a set of conditions fits a line; the best compares greatest.
#[derive(Debug, PartialEq, Eq, PartialOrd, Ord)]
struct Fit {
    /// Whether the baseline was measured under them.
    has_baseline: bool,
    /// Number of cells without a pick yet that were measured under them.
    cells: usize,
    /// Whether they are single-device conditions.
    is_of_one_device: bool,
    /// Number of cells whose own best pick was measured under them.
    own_picks: usize,
    /// Tie-break: the earliest hit in the store, so that the choice is deterministic.
    first: Reverse<usize>,
}

/// Picks a hit for each cell of a line; `pick` chooses among hits under the same conditions.
///
/// The conditions shared by most cells are used first, then those shared by most of the remaining cells. A cell that shares its
/// conditions with no neighbour gets its own pick, from single-device hits if it has any.
pub(super) fn pick_under_shared_conditions(
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
        // A cell that joins an already picked baseline has a neighbour as well.
        let has_neighbour = now.cells > 1 || now.cells == 1 && now.has_baseline;
        if !has_neighbour {
            continue;
        }
        // Picks since then may have reduced the fit; requeue it so that the best current fit is used next.
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
