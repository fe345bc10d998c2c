//! Geometric means of ratios, each with its n. Means over unequal sets would not be comparable.

use std::collections::BTreeSet;

use super::request::{self, Along, CompareRequest};
use super::table::{GeometricMean, Pivot, PivotCell, PivotNote};
use crate::values::Decimal;

/// Significant digits of a mean; derived values have one more.
const DIGITS: u8 = 2;

/// The geometric mean of each row's ratios (along columns) or each column's (along rows), except for the line `left_out`.
///
/// If lines have ratios at different places and no policy is set, there are no means, and a note says why.
pub(super) fn means_of_ratios(
    pivot: &mut Pivot,
    along: Along,
    request: &CompareRequest,
    left_out: Option<usize>,
    ratio: impl Fn(&PivotCell) -> Option<Decimal>,
) -> Vec<Option<GeometricMean>> {
    let (lines, places) = match along {
        Along::Column => (pivot.rows.len(), pivot.columns.len()),
        Along::Row => (pivot.columns.len(), pivot.rows.len()),
    };
    let mut measures: Vec<&str> = pivot.columns.iter().map(|column| column.measure).collect();
    measures.dedup();
    // One ratio needs no mean, and ratios of different measures cannot be averaged.
    if places < 2 || measures.len() > 1 {
        return Vec::new();
    }
    let cell = |line: usize, place: usize| match along {
        Along::Column => pivot.cells[line][place].as_deref(),
        Along::Row => pivot.cells[place][line].as_deref(),
    };
    let ratios: Vec<Vec<Option<f64>>> = (0..lines)
        .map(|line| {
            let of = |place| cell(line, place).and_then(&ratio).map(Decimal::value).filter(|ratio| *ratio > 0.0);
            (0..places).map(of).collect()
        })
        .collect();
    let sets: BTreeSet<Vec<bool>> = ratios
        .iter()
        .enumerate()
        .filter(|(line, ratios)| Some(*line) != left_out && ratios.iter().any(Option::is_some))
        .map(|(_, ratios)| ratios.iter().map(Option::is_some).collect())
        .collect();
    let everywhere: Vec<bool> = (0..places).map(|place| sets.iter().all(|set| set[place])).collect();
    let counted: Option<Vec<bool>> = match (sets.len(), request.mean) {
        (0, _) => return Vec::new(),
        (1, _) | (_, Some(request::MeanPolicy::Each)) => None,
        (_, Some(request::MeanPolicy::Common)) => Some(everywhere),
        (_, None) => {
            pivot.notes.push(PivotNote::on_table(
                "no-means",
                "No geometric means: not all have ratios at the same places (--mean common takes those that all have, \
                 --mean each takes what each has).",
            ));
            return Vec::new();
        }
    };
    let means = ratios.iter().enumerate().map(|(line, ratios)| {
        let ratios = ratios.iter().enumerate();
        let ratios: Vec<f64> = ratios
            .filter(|(place, _)| counted.as_ref().is_none_or(|counted| counted[*place]))
            .filter_map(|(_, ratio)| *ratio)
            .collect();
        if ratios.is_empty() || Some(line) == left_out {
            return None;
        }
        let value = (ratios.iter().map(|ratio| ratio.ln()).sum::<f64>() / ratios.len() as f64).exp();
        Some(GeometricMean { value: Decimal::derived(value, DIGITS)?, n: ratios.len() })
    });
    let means: Vec<Option<GeometricMean>> = means.collect();
    if means.iter().flatten().all(|mean| mean.n < 2) {
        return Vec::new();
    }
    let policy = match (counted, sets.len()) {
        (Some(_), _) => Some("Geometric means are over what all have in common."),
        (None, 2..) => Some("Geometric means are over what each has, so that they do not compare like with like."),
        _ => None,
    };
    pivot.notes.extend(policy.map(|text| PivotNote::on_table("means", text)));
    means
}
