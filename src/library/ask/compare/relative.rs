//! Ranks cells, and divides them by a baseline and by the best of their line.

use std::collections::BTreeMap;

use super::CompareError;
use super::best_marks::{self, LineCell};
use super::geometric_mean;
use super::lines::{Baseline, Lines};
use super::pick_candidate::PickedMeasurement;
use super::request::{Along, CompareRequest, PivotAxis, Ratio};
use super::table::{Label, Pivot, PivotNote};
use crate::comparability::{AllowedAxes, Criterion, RankedRow, Spread, VerdictKind, compared, ranks};
use crate::model::{Direction, Field, Measure, Metric, Tier};
use crate::values::Decimal;
use crate::values::text::normalise;
use crate::values::text::{and_list, counted};

/// Maximum significant digits of a ratio; derived values have one more.
const MOST_DIGITS: u8 = 2;

/// The direction of comparison: as requested, else given by the baseline, else by what can be ranked.
pub(super) fn lines(pivot: &Pivot, request: &CompareRequest) -> Result<Lines, CompareError> {
    let baseline = request.baseline.as_deref().map(|text| base(pivot, text)).transpose()?;
    let by_baseline = baseline.map(|base| match base {
        Baseline::Row(_) => Along::Column,
        Baseline::Column(_) => Along::Row,
    });
    let along = match (request.along, by_baseline) {
        (Some(asked), Some(base)) if asked != base => Err(CompareError::request(
            format!("the baseline lies along each {base}, not along each {asked}"),
            format!("leave `--best-of {asked}` out"),
        )),
        (asked, base) => {
            let metric = pivot.columns.first().map_or(Metric::ThroughputPerS, |column| column.of.basis());
            Ok(asked.or(base).unwrap_or_else(|| default_along(request, metric)))
        }
    }?;
    Ok(Lines { along, baseline })
}

/// The default direction: within a column, unless only the row axes prevent ranking; then within a row.
fn default_along(request: &CompareRequest, metric: Metric) -> Along {
    let divides = |axis: &PivotAxis| match axis.field() {
        Some(field) => Criterion::Field(field).tier(metric, false) == Some(Tier::Identity),
        None => *axis == PivotAxis::Metric,
    };
    match (request.rows.iter().any(divides), request.columns.iter().any(divides)) {
        (true, false) if !request.columns.is_empty() => Along::Row,
        _ => Along::Column,
    }
}

/// Ranks the cells of each line, marks the best, and divides them by the baseline.
pub(super) fn compare(
    pivot: &mut Pivot,
    chosen: &[PickedMeasurement],
    Lines { along, baseline }: Lines,
    request: &CompareRequest,
) {
    let asked: Vec<Field> = request.rows.iter().chain(&request.columns).filter_map(|axis| axis.field()).collect();
    let mut lines: BTreeMap<usize, Vec<usize>> = BTreeMap::new();
    for (at, chosen) in chosen.iter().enumerate() {
        let line = if along == Along::Column { chosen.column } else { chosen.row };
        lines.entry(line).or_default().push(at);
    }
    let mut compared_lines: Vec<(Measure, Vec<LineCell>)> = Vec::new();
    for line in lines.into_values() {
        let mut by_measure: BTreeMap<Measure, Vec<usize>> = BTreeMap::new();
        for at in line {
            by_measure.entry(pivot.columns[chosen[at].column].of).or_default().push(at);
        }
        for (measure, places) in by_measure {
            let cells = rank(pivot, chosen, &places, measure, &asked, request);
            compared_lines.push((measure, cells));
        }
    }
    flag_unranked(pivot, chosen, &compared_lines);
    let unmarked = best_marks::remove_unverified_marks(pivot, chosen, &compared_lines, along, request);
    best_marks::note(pivot, along, &unmarked);
    let Some(base) = baseline else {
        if request.relative.is_some() {
            pivot.means = geometric_mean::means_of_ratios(pivot, along, request, None, |cell| cell.vs_best);
        }
        return;
    };
    let labels = match base {
        Baseline::Row(at) => &pivot.rows[at].labels,
        Baseline::Column(at) => &pivot.columns[at].labels,
    };
    let words: Vec<Label> = labels.iter().filter(|label| label.name.parse::<f64>().is_err()).cloned().collect();
    // A number names a row only if it has no other label.
    pivot.baseline = Some(if display_name(&words).is_empty() { display_name(labels) } else { display_name(&words) });
    set_against_baseline(pivot, chosen, base, &asked, request);
    if request.relative.is_some() {
        let left_out = match base {
            Baseline::Row(at) | Baseline::Column(at) => at,
        };
        pivot.means = geometric_mean::means_of_ratios(pivot, along, request, Some(left_out), |cell| cell.vs_baseline);
    }
}

fn rank(
    pivot: &mut Pivot,
    chosen: &[PickedMeasurement],
    places: &[usize],
    measure: Measure,
    asked: &[Field],
    request: &CompareRequest,
) -> Vec<LineCell> {
    let contending: Vec<(usize, Decimal)> = places
        .iter()
        .filter_map(|at| {
            let cell = pivot.cells[chosen[*at].row][chosen[*at].column].as_ref()?;
            // A cell picked among unlike measurements represents none of them, and disputed values are not ranked.
            let ranked = cell.mixed.is_empty() && chosen[*at].joined.recorded().is_in_good_standing();
            cell.value.filter(|_| ranked).map(|value| (*at, value))
        })
        .collect();
    let metric = measure.basis();
    let ranked_rows: Vec<RankedRow<'_>> = contending
        .iter()
        .map(|(at, value)| RankedRow {
            row: chosen[*at].joined.compared_row(),
            value: value.value(),
            spread: match measure {
                Measure::Metric(metric) => Spread::of(chosen[*at].joined.recorded(), metric),
                Measure::Derived(_) => None,
            },
        })
        .collect();
    let placed = ranks(&ranked_rows, measure.direction(), metric, AllowedAxes::Only(asked), &request.relaxed);
    // Each ranked cell, with the best of the cells it is ranked with.
    let mut under: Vec<(usize, usize)> = Vec::with_capacity(contending.len());
    for ((at, value), placed) in contending.iter().zip(placed) {
        let Some(placed) = placed else { continue };
        under.push((*at, contending[placed.best].0));
        let best = contending[placed.best].1;
        pivot.shares_first_rank |= placed.is_best() && value.value() != best.value();
        let Some(cell) = &mut pivot.cells[chosen[*at].row][chosen[*at].column] else { continue };
        cell.rank = Some(placed.rank);
        cell.best = placed.is_best();
        cell.nearness = quotient(*value, best, measure, Ratio::SpeedUp).map(|ratio| ratio.value().clamp(0.0, 1.0));
        if let Some(ratio) = request.relative {
            cell.vs_best = quotient(*value, best, measure, ratio);
        }
    }
    let valued = places.iter().filter_map(|at| {
        let cell = pivot.cells[chosen[*at].row][chosen[*at].column].as_ref()?;
        Some((*at, cell.value?.value()))
    });
    let ranked_under = |at: usize| under.iter().find(|(other, _)| *other == at).map(|(_, best)| *best);
    valued.map(|(at, value)| LineCell { at, value, ranked_under: ranked_under(at) }).collect()
}

/// Flags unranked cells if other cells of the table are ranked, whether or not they are alone in their line. Measures without a
/// better direction are never ranked, so they are not flagged.
fn flag_unranked(pivot: &mut Pivot, chosen: &[PickedMeasurement], lines: &[(Measure, Vec<LineCell>)]) {
    let ranks = |(measure, _): &&(Measure, Vec<LineCell>)| measure.direction() != Direction::Neutral;
    let cells: Vec<&LineCell> = lines.iter().filter(ranks).flat_map(|(_, cells)| cells).collect();
    if cells.iter().all(|cell| cell.ranked_under.is_none()) {
        return;
    }
    for cell in cells.into_iter().filter(|cell| cell.ranked_under.is_none()) {
        if let Some(cell) = &mut pivot.cells[chosen[cell.at].row][chosen[cell.at].column] {
            cell.unranked = true;
        }
    }
}

/// Divides every cell by the baseline's cell in its line, if the two are comparable.
fn set_against_baseline(
    pivot: &mut Pivot,
    chosen: &[PickedMeasurement],
    base: Baseline,
    asked: &[Field],
    request: &CompareRequest,
) {
    let place: BTreeMap<(usize, usize), &PickedMeasurement> =
        chosen.iter().map(|chosen| ((chosen.row, chosen.column), chosen)).collect();
    let (mut refused, mut crossing) = (BTreeMap::<Vec<&str>, usize>::new(), 0);
    for own in chosen {
        let other = match base {
            Baseline::Row(row) => (row, own.column),
            Baseline::Column(column) => (own.row, column),
        };
        let measure = pivot.columns[own.column].of;
        let same = pivot.columns[other.1].of == measure;
        let (Some(other), true, true) = (place.get(&other), same, other != (own.row, own.column)) else { continue };
        let cell = |chosen: &PickedMeasurement| pivot.cells[chosen.row][chosen.column].as_ref();
        let (Some(one), Some(two)) = (cell(own), cell(other)) else { continue };
        let (Some(value), Some(baseline)) = (one.value, two.value) else { continue };
        let verdict =
            compared(&[other.joined.compared_row(), own.joined.compared_row()], measure.basis(), &request.relaxed);
        let mut against: Vec<&str> = match verdict.kind() {
            VerdictKind::NotComparable | VerdictKind::Unknown => {
                verdict.deciding().into_iter().map(Criterion::key).collect()
            }
            _ => {
                let unasked = |criterion: &Criterion| match criterion {
                    Criterion::Field(field) => !AllowedAxes::Only(asked).allows(*field),
                    _ => true,
                };
                let axes = verdict.axes.iter().map(|difference| difference.criterion);
                axes.filter(unasked).map(Criterion::key).collect()
            }
        };
        against.extend(one.mixed.iter().chain(&two.mixed));
        against.sort_unstable();
        against.dedup();
        if !against.is_empty() {
            *refused.entry(against).or_default() += 1;
            continue;
        }
        crossing += usize::from(verdict.classes.is_some());
        let ratio = quotient(value, baseline, measure, request.relative.unwrap_or_default());
        if let Some(cell) = &mut pivot.cells[own.row][own.column] {
            cell.vs_baseline = ratio;
        }
    }
    for (fields, count) in refused {
        let several = fields.len() > 1;
        let note = PivotNote::on_criteria("not-against-baseline", &fields, |fields| {
            format!(
                "{} not set against the baseline: {fields} {} or {} not known",
                counted(count, "cell is", "cells are"),
                if several { "differ" } else { "differs" },
                if several { "are" } else { "is" },
            )
        });
        let (text, printed) = (format!("{} (--relax allows it).", note.text), note.printed.map(|said| said + "."));
        pivot.notes.push(PivotNote { text, printed, ..note });
    }
    if crossing > 0 {
        let text = "Ratios to the baseline cross classes of hardware; nothing is ranked across them.";
        pivot.notes.push(PivotNote::on_table("classes", text));
    }
}

/// The ratio of two values; `None` for fractions of right answers or of busy time, which have no speed-up.
fn quotient(value: Decimal, other: Decimal, measure: Measure, ratio: Ratio) -> Option<Decimal> {
    use Metric::{Accuracy, ErrorRate, Loss};
    let direction = measure.direction();
    if direction == Direction::Neutral || matches!(measure, Measure::Metric(Accuracy | ErrorRate | Loss)) {
        return None;
    }
    let (over, under) = match (ratio, direction) {
        (Ratio::SpeedUp, Direction::Lower) => (other, value),
        _ => (value, other),
    };
    if under.value() == 0.0 {
        return None;
    }
    let digits = over.significant_digits().min(under.significant_digits());
    Decimal::derived(over.value() / under.value(), digits.min(MOST_DIGITS))
}

/// The name of a row or column: its stated labels, joined.
pub(super) fn display_name(labels: &[Label]) -> String {
    let stated: Vec<&str> = labels.iter().map(|label| label.name.as_str()).filter(|name| !name.is_empty()).collect();
    stated.join(" ")
}

/// The row or column that the user named as baseline.
fn base(pivot: &Pivot, text: &str) -> Result<Baseline, CompareError> {
    let wanted: Vec<String> = text.split(',').map(normalise).filter(|part| !part.is_empty()).collect();
    let rows = pivot.rows.iter().map(|row| &row.labels).enumerate().map(|(at, labels)| (Baseline::Row(at), labels));
    let columns = pivot
        .columns
        .iter()
        .map(|column| &column.labels)
        .enumerate()
        .map(|(at, labels)| (Baseline::Column(at), labels));
    let all: Vec<(Baseline, &Vec<Label>)> = rows.chain(columns).filter(|(_, labels)| !labels.is_empty()).collect();
    let stated = |labels: &[Label]| -> Vec<[String; 2]> {
        let stated = labels.iter().filter_map(|label| Some([normalise(label.value.as_ref()?), normalise(&label.name)]));
        stated.collect()
    };
    let is = |names: &[String; 2], part: &String| names.contains(part);
    let exact = |labels: &[Label]| {
        let names = stated(labels);
        names.len() == wanted.len() && names.iter().zip(&wanted).all(|(names, part)| is(names, part))
            || normalise(&display_name(labels)) == normalise(text)
    };
    let within = |labels: &[Label]| wanted.iter().all(|part| stated(labels).iter().any(|names| is(names, part)));
    let find = |which: &dyn Fn(&[Label]) -> bool| -> Vec<(Baseline, String)> {
        all.iter().filter(|(_, labels)| which(labels)).map(|(base, labels)| (*base, display_name(labels))).collect()
    };
    let mut found = find(&exact);
    if found.is_empty() && !wanted.is_empty() {
        found = find(&within);
    }
    match found.as_slice() {
        [(only, _)] => Ok(*only),
        // Columns with the same labels are several measures of one column; the first one is used.
        [(Baseline::Column(first), name), rest @ ..] if rest.iter().all(|(_, other)| other == name) => {
            Ok(Baseline::Column(*first))
        }
        [] => {
            /// Maximum number of names suggested.
            const SHOWN: usize = 12;
            let names = all.iter().map(|(_, labels)| display_name(labels)).filter(|name| !name.is_empty());
            let names: Vec<String> = names.take(SHOWN).collect();
            Err(CompareError::request(
                format!("no row or column is called `{text}`"),
                format!("there are {}", and_list(&names)),
            ))
        }
        several => {
            let names: Vec<&str> = several.iter().map(|(_, name)| name.as_str()).collect();
            Err(CompareError::request(
                format!("`{text}` may be any of {}", and_list(&names)),
                "name more of its values, with commas between them",
            ))
        }
    }
}
