//! Decides which best values are marked: only those that a reader can verify from what is shown beside them.
//!
//! One column may contain several sets of cells, each with a best one, because cells of different sets are not comparable. If
//! the row labels distinguish the sets, each set gets a mark. If they are distinguished only by something that no label shows,
//! such as a batch size in a footnote, a reader would see two best values, or one that is visibly beaten: then none is marked.

use std::collections::{BTreeMap, BTreeSet};

use super::pick_candidate::PickedMeasurement;
use super::request::{Along, CompareRequest, PivotAxis};
use super::table::{Label, Pivot, PivotNote};
use crate::comparability::{AllowedAxes, Criterion, RankingKeys};
use crate::model::{Direction, Field, Measure, Tier};

/// A cell of a line: its index in the chosen measurements, its value, and the best cell of the set it is ranked in.
#[derive(Debug, Clone, Copy)]
pub(super) struct LineCell {
    pub at: usize,
    pub value: f64,
    pub ranked_under: Option<usize>,
}

/// Removes the marks of cells whose being best cannot be verified. Returns the criteria in which they differ from the cells that
/// prevent the mark, and for lines without any ranked cell those in which the cells differ.
pub(super) fn remove_unverified_marks(
    pivot: &mut Pivot,
    chosen: &[PickedMeasurement],
    lines: &[(Measure, Vec<LineCell>)],
    along: Along,
    request: &CompareRequest,
) -> BTreeSet<&'static str> {
    let judged: Vec<JudgedLine> = lines
        .iter()
        .filter(|(measure, _)| measure.direction() != Direction::Neutral)
        .map(|(measure, cells)| JudgedLine::of(pivot, chosen, cells, *measure, along, request))
        .collect();
    let reasons: BTreeSet<&'static str> = judged.iter().flat_map(|line| line.reasons.iter().copied()).collect();
    let mut unmarked: Vec<usize> = judged.iter().flat_map(|line| line.unmarked.iter().copied()).collect();
    // The note applies to the whole table: a criterion that prevents a mark in one line prevents it in all.
    let mixed =
        judged.iter().flat_map(|line| &line.marked).filter(|set| set.differing.iter().any(|key| reasons.contains(key)));
    unmarked.extend(mixed.flat_map(|set| set.cells.iter().copied()));
    for at in unmarked {
        if let Some(cell) = &mut pivot.cells[chosen[at].row][chosen[at].column] {
            cell.best = false;
            cell.nearness = None;
        }
    }
    reasons
}

/// The marks of one line.
#[derive(Default)]
struct JudgedLine {
    /// Cells that lose their mark.
    unmarked: Vec<usize>,
    /// Criteria in which the conflicting cells differ.
    reasons: BTreeSet<&'static str>,
    /// Sets whose best cell can be verified.
    marked: Vec<MarkedSet>,
}

/// Cells ranked together, and the criteria in which some of them invisibly differ from the others or state nothing.
struct MarkedSet {
    cells: Vec<usize>,
    differing: BTreeSet<&'static str>,
}

impl JudgedLine {
    fn of(
        pivot: &Pivot,
        chosen: &[PickedMeasurement],
        cells: &[LineCell],
        measure: Measure,
        along: Along,
        request: &CompareRequest,
    ) -> Self {
        let mut sets: BTreeMap<usize, Vec<&LineCell>> = BTreeMap::new();
        for cell in cells {
            // An unranked cell is a set of its own, without a mark.
            sets.entry(cell.ranked_under.unwrap_or(usize::MAX - cell.at)).or_default().push(cell);
        }
        let is_ranked = |set: &[&LineCell]| set.iter().all(|cell| cell.ranked_under.is_some());
        let best = |set: &[&LineCell]| {
            set.iter().map(|cell| cell.value).reduce(|a, b| if better(a, b, measure) { a } else { b })
        };
        let labels = |cell: &LineCell| match along {
            Along::Column => pivot.rows[chosen[cell.at].row].labels.as_slice(),
            Along::Row => pivot.columns[chosen[cell.at].column].labels.as_slice(),
        };
        let axes = if along == Along::Column { &request.rows } else { &request.columns };
        // The metric axis has no column labels.
        let axes = axes.iter().filter(|axis| **axis != PivotAxis::Metric);
        let divides: Vec<bool> = axes.map(|axis| divides(*axis, measure)).collect();
        let told_apart = |one: &[&LineCell], other: &[&LineCell]| {
            let one: Vec<&[Label]> = one.iter().map(|cell| labels(cell)).collect();
            let other: Vec<&[Label]> = other.iter().map(|cell| labels(cell)).collect();
            are_distinguished(&one, &other, &divides)
        };
        let asked: Vec<Field> = request.rows.iter().chain(&request.columns).filter_map(|axis| axis.field()).collect();
        let rows = cells.iter().map(|cell| chosen[cell.at].joined.compared_row()).collect();
        let keys = RankingKeys::of(rows, measure.basis(), AllowedAxes::Only(&asked), &request.relaxed);
        let place = |cell: &LineCell| cells.iter().position(|other| other.at == cell.at).unwrap_or_default();
        // Only differences that rows and columns do not show prevent a mark.
        let is_hidden = |criterion: &Criterion| !matches!(criterion, Criterion::Field(field) if asked.contains(field));
        let hindered = |one: &LineCell, other: &LineCell| {
            let apart = keys.apart(place(one), place(other)).into_iter().filter(is_hidden).map(Criterion::key);
            apart.collect::<Vec<_>>()
        };
        let unranked = |cell: &LineCell| unranked_by_itself(pivot, &chosen[cell.at]);
        let mut judged = Self::default();
        if sets.values().all(|set| !is_ranked(set)) {
            // If nothing is ranked, nothing is marked; the reasons are reported.
            for other in cells.iter().skip(1) {
                judged.reasons.extend(hindered(&cells[0], other));
                judged.reasons.extend([&cells[0], other].into_iter().flat_map(unranked));
            }
            return judged;
        }
        for (key, set) in sets.iter().filter(|(_, set)| is_ranked(set)) {
            let hinders = |other: &[&LineCell]| {
                let beaten = best(other).zip(best(set)).is_some_and(|(other, own)| better(other, own, measure));
                (is_ranked(other) || beaten) && !told_apart(set, other)
            };
            let hindering: Vec<&LineCell> =
                sets.iter().filter(|(other, of)| *other != key && hinders(of)).map(|(_, of)| of[0]).collect();
            if hindering.is_empty() {
                let differing = set.iter().skip(1).flat_map(|cell| hindered(set[0], cell)).collect();
                judged.marked.push(MarkedSet { cells: set.iter().map(|cell| cell.at).collect(), differing });
                continue;
            }
            judged.unmarked.extend(set.iter().map(|cell| cell.at));
            for other in hindering {
                judged.reasons.extend(hindered(set[0], other));
                judged.reasons.extend([set[0], other].into_iter().flat_map(unranked));
            }
        }
        judged
    }
}

/// Whether different values of an axis prevent a common ranking, so that its labels separate two rankings. Along the other axes
/// cells are ranked: a mark means that one value of such an axis is better than another.
fn divides(axis: PivotAxis, measure: Measure) -> bool {
    axis.key() == Criterion::Class.key()
        || axis
            .field()
            .is_some_and(|field| Criterion::Field(field).tier(measure.basis(), false) == Some(Tier::Identity))
}

/// Whether one value is strictly better than another.
fn better(one: f64, other: f64, measure: Measure) -> bool {
    match measure.direction() {
        Direction::Lower => one < other,
        Direction::Higher => one > other,
        Direction::Neutral => false,
    }
}

/// The reasons why a cell is excluded from every ranking.
fn unranked_by_itself(pivot: &Pivot, chosen: &PickedMeasurement) -> Vec<&'static str> {
    let cell = pivot.cells[chosen.row][chosen.column].as_ref();
    let mixed = cell.iter().flat_map(|cell| cell.mixed.iter().copied());
    mixed.chain((!chosen.joined.recorded().is_in_good_standing()).then_some("standing")).collect()
}

/// Adds the note on removed marks.
pub(super) fn note(pivot: &mut Pivot, along: Along, reasons: &BTreeSet<&'static str>) {
    if reasons.is_empty() {
        return;
    }
    let reasons: Vec<&str> = reasons.iter().copied().collect();
    pivot.notes.push(PivotNote::on_criteria("unmarked", &reasons, |reasons| {
        format!(
            "No best value is marked where values of its {along} that are not ranked with it beat it or have a best of their own: beyond what rows and columns show, they differ in {reasons}, or do not state it."
        )
    }));
}

/// Whether a label of a dividing axis distinguishes two sets: each set has a single value there, and the two values differ.
fn are_distinguished(one: &[&[Label]], other: &[&[Label]], divides: &[bool]) -> bool {
    let axes = one.iter().chain(other).map(|labels| labels.len()).min().unwrap_or(0).min(divides.len());
    let shared = |set: &[&[Label]], axis: usize| {
        let first = set.first().map(|labels| labels[axis].value.clone())?;
        set.iter().all(|labels| labels[axis].value == first).then_some(first)
    };
    (0..axes).filter(|axis| divides[*axis]).any(|axis| match (shared(one, axis), shared(other, axis)) {
        // An axis that neither set states does not distinguish them.
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
        let divides = [true, false];
        assert!(are_distinguished(&set([0, 1]), &set([2, 3]), &divides), "each network is a set");
        assert!(!are_distinguished(&set([0, 3]), &set([1, 2]), &divides), "no label says why they are two sets");
        assert!(!are_distinguished(&set([0, 2]), &set([1, 3]), &divides), "devices are what is ranked");
    }
}
