//! Which of the best values are marked: only those that a reader can check against what stands beside them.
//!
//! In one column several sets of cells may each have a best one, because cells of different sets cannot be compared. Where the
//! labels of the rows tell the sets apart, each has its mark. Where something else does that no label shows, such as a batch
//! size in a footnote, a reader would see two best values, or one that another visibly beats: then none is marked.

use std::collections::{BTreeMap, BTreeSet};

use super::pick_candidate::PickedMeasurement;
use super::request::{Along, CompareRequest};
use super::table::{Label, Pivot, PivotNote};
use crate::comparability::{AllowedAxes, Criterion, RankingKeys};
use crate::model::{Direction, Field, Measure};
use crate::values::text::and_list;

/// A cell of a line: its place among the chosen, its value, and the best of the set that it is ranked in.
#[derive(Debug, Clone, Copy)]
pub(super) struct LineCell {
    pub at: usize,
    pub value: f64,
    pub ranked_under: Option<usize>,
}

/// Takes the marks from the cells of a line whose being the best cannot be checked. In what they differ from the cells that
/// hinder it, and where nothing of the line is ranked, in what its cells differ.
pub(super) fn withdraw(
    pivot: &mut Pivot,
    chosen: &[PickedMeasurement],
    cells: &[LineCell],
    measure: Measure,
    along: Along,
    request: &CompareRequest,
) -> BTreeSet<&'static str> {
    let mut sets: BTreeMap<usize, Vec<&LineCell>> = BTreeMap::new();
    for cell in cells {
        // A cell that is ranked with nothing is a set of its own, which has no mark.
        sets.entry(cell.ranked_under.unwrap_or(usize::MAX - cell.at)).or_default().push(cell);
    }
    let is_ranked = |set: &[&LineCell]| set.iter().all(|cell| cell.ranked_under.is_some());
    let best =
        |set: &[&LineCell]| set.iter().map(|cell| cell.value).reduce(|a, b| if better(a, b, measure) { a } else { b });
    let labels = |cell: &LineCell| match along {
        Along::Column => pivot.rows[chosen[cell.at].row].labels.as_slice(),
        Along::Row => pivot.columns[chosen[cell.at].column].labels.as_slice(),
    };
    let told_apart = |one: &[&LineCell], other: &[&LineCell]| {
        let one: Vec<&[Label]> = one.iter().map(|cell| labels(cell)).collect();
        let other: Vec<&[Label]> = other.iter().map(|cell| labels(cell)).collect();
        are_told_apart(&one, &other)
    };
    let mut unmarked: Vec<usize> = Vec::new();
    let mut reasons: BTreeSet<&'static str> = BTreeSet::new();
    let asked: Vec<Field> = request.rows.iter().chain(&request.columns).filter_map(|axis| axis.field()).collect();
    let rows = cells.iter().map(|cell| chosen[cell.at].joined.compared_row()).collect();
    let keys = RankingKeys::of(rows, measure.basis(), AllowedAxes::Only(&asked), &request.relaxed);
    let place = |cell: &LineCell| cells.iter().position(|other| other.at == cell.at).unwrap_or_default();
    if measure.direction() == Direction::Neutral {
        return reasons;
    }
    // What rows and columns are made by is seen; only what is not hinders.
    let is_hidden = |criterion: &Criterion| !matches!(criterion, Criterion::Field(field) if asked.contains(field));
    let hindered = |one: &LineCell, other: &LineCell| {
        let apart = keys.apart(place(one), place(other)).into_iter().filter(is_hidden).map(Criterion::key);
        apart.collect::<Vec<_>>()
    };
    if sets.values().all(|set| !is_ranked(set)) {
        // Nothing is ranked, so nothing is marked: the reader is told why.
        for other in cells.iter().skip(1) {
            reasons.extend(hindered(&cells[0], other));
            reasons.extend([&cells[0], other].into_iter().flat_map(|cell| unranked_by_itself(pivot, &chosen[cell.at])));
        }
        return reasons;
    }
    for (key, set) in sets.iter().filter(|(_, set)| is_ranked(set)) {
        for (_, other) in sets.iter().filter(|(other, _)| *other != key) {
            let beaten = best(other).zip(best(set)).is_some_and(|(other, own)| better(other, own, measure));
            if !(is_ranked(other) || beaten) || told_apart(set, other) {
                continue;
            }
            unmarked.extend(set.iter().map(|cell| cell.at));
            reasons.extend(hindered(set[0], other[0]));
            reasons.extend([set[0], other[0]].into_iter().flat_map(|cell| unranked_by_itself(pivot, &chosen[cell.at])));
        }
    }
    for at in unmarked {
        if let Some(cell) = &mut pivot.cells[chosen[at].row][chosen[at].column] {
            cell.best = false;
            cell.nearness = None;
        }
    }
    reasons
}

/// Whether one value is better than another, which it is not where they are equal.
fn better(one: f64, other: f64, measure: Measure) -> bool {
    match measure.direction() {
        Direction::Lower => one < other,
        Direction::Higher => one > other,
        Direction::Neutral => false,
    }
}

/// Why a cell is ranked with nothing, whatever stands beside it.
fn unranked_by_itself(pivot: &Pivot, chosen: &PickedMeasurement) -> Vec<&'static str> {
    let cell = pivot.cells[chosen.row][chosen.column].as_ref();
    let mixed = cell.iter().flat_map(|cell| cell.mixed.iter().copied());
    mixed.chain((!chosen.joined.recorded().stands()).then_some("standing")).collect()
}

/// What is said of marks that were withdrawn.
pub(super) fn note(pivot: &mut Pivot, along: Along, reasons: &BTreeSet<&'static str>) {
    if reasons.is_empty() {
        return;
    }
    let reasons: Vec<&str> = reasons.iter().copied().collect();
    let text = format!(
        "No best value is marked in a {along} whose cells differ in {}, or do not state it, beside what rows and columns are made by.",
        and_list(&reasons)
    );
    pivot.notes.push(PivotNote::of_table("unmarked", text));
}

/// Whether a label tells two sets apart: one value in all of the one, another in all of the other.
fn are_told_apart(one: &[&[Label]], other: &[&[Label]]) -> bool {
    let axes = one.iter().chain(other).map(|labels| labels.len()).min().unwrap_or(0);
    let shared = |set: &[&[Label]], axis: usize| {
        let first = set.first().map(|labels| labels[axis].value.clone())?;
        set.iter().all(|labels| labels[axis].value == first).then_some(first)
    };
    (0..axes).any(|axis| match (shared(one, axis), shared(other, axis)) {
        // What neither states is nothing that tells them apart.
        (Some(one), Some(other)) => one != other,
        _ => false,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_label_that_all_share_tells_sets_apart() {
        let label = |value: &str| Label { value: Some(value.to_owned()), name: value.to_owned() };
        let row = |network: &str, device: &str| vec![label(network), label(device)];
        let rows = [row("r50", "a"), row("r50", "b"), row("vgg", "a"), row("vgg", "b")];
        let set = |places: [usize; 2]| places.map(|at| rows[at].as_slice());
        assert!(are_told_apart(&set([0, 1]), &set([2, 3])), "each network is a set");
        assert!(!are_told_apart(&set([0, 3]), &set([1, 2])), "no label says why they are two sets");
    }
}
