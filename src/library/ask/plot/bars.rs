//! Grouped bars, and lines over a numeric axis: one value per place.

use std::collections::{BTreeMap, BTreeSet};

use strum::VariantArray as _;

use super::fairness::narrowed;
use super::figure::{Figure, Link, Panel, Point, Scale, Series};
use super::groups::{group_of, groups};
use super::ideal_lines::{EFFICIENCY, ideal_lines};
use super::layout::{along_axes, number_scale, point};
use super::panels::{drawable, name_of, notes, panels};
use super::request::{CategoryOrder, FigureKind, PlotError, PlotPick, PlotRequest, Remedy, direction_of};
use super::row::PlottedRow;
use super::spread::{ErrorBarEnds, spread};
use crate::comparability::Criterion;
use crate::model::{Aspect, Direction, Field, Tier};
use crate::rows::distinct;
use crate::values::text::{and_list, counted};

/// Maximum number of names along a bar chart.
const MOST_NAMES: usize = 60;

pub(super) fn figure(rows: &[PlottedRow<'_>], request: &PlotRequest, kind: FigureKind) -> Result<Figure, PlotError> {
    let (x, y) = request.axes()?;
    if !y.is_numeric() {
        return Err(PlotError::refused(
            format!("{} is not a number, so it has no height", y.key()),
            "--y takes a metric, or the shape is --kind heatmap",
        ));
    }
    let mut remarks = Vec::new();
    let drawn = narrowed(drawable(rows, request, &mut remarks)?, request, kind, &mut remarks);
    let panels = panels(&drawn, request, kind)?;
    let groups = groups(&drawn, request)?;
    let scale = match kind {
        FigureKind::Lines if x.is_numeric() => number_scale(drawn.iter().filter_map(|row| row.number(x))),
        FigureKind::Lines => {
            let help = "--x takes a number such as batch-size, or the shape is --kind bars";
            return Err(PlotError::refused(format!("{} is not a number to draw a line over", x.key()), help));
        }
        _ => Scale::Names(categories(&drawn, x, y, request)?),
    };
    let mut ends: BTreeSet<ErrorBarEnds> = BTreeSet::new();
    let (mut picked, mut has_ideal) = (0, false);
    let mut differing: BTreeSet<Field> = BTreeSet::new();
    let mut built = Vec::new();
    for (name, rows) in &panels {
        let mut places: BTreeMap<(usize, usize), Vec<&PlottedRow<'_>>> = BTreeMap::new();
        let mut xs: Vec<f64> = Vec::new();
        for row in rows {
            let at = match &scale {
                Scale::Names(names) => names.iter().position(|name| Some(name.as_str()) == row.text(x)).unwrap_or(0),
                _ => {
                    let number = row.number(x).unwrap_or_default();
                    xs.iter().position(|known| *known == number).unwrap_or_else(|| {
                        xs.push(number);
                        xs.len() - 1
                    })
                }
            };
            places.entry((group_of(row, request, &groups), at)).or_default().push(row);
        }
        let mut series: BTreeMap<usize, Vec<Point>> = BTreeMap::new();
        for ((group, at), rows) in &places {
            let row = match rows.as_slice() {
                [only] => only,
                many => {
                    picked += 1;
                    differing.extend(differing_fields(many));
                    pick(many, y, request.pick).ok_or_else(|| ambiguous(&places, request, kind))?
                }
            };
            let spread = spread(row, y);
            ends.extend(spread.map(|(_, _, ends)| ends));
            let at = if matches!(scale, Scale::Names(_)) { *at as f64 } else { xs[*at] };
            series.entry(*group).or_default().push(point(row, at, x, y, spread));
        }
        let link = if kind == FigureKind::Lines { Link::Line } else { Link::Marks };
        let series = series.into_iter().map(|(group, mut points)| {
            points.sort_by(|a, b| a.x.total_cmp(&b.x));
            Series { group: Some(group), link, points }
        });
        let mut series: Vec<Series> = series.collect();
        let ideal = if kind == FigureKind::Lines { ideal_lines((x, y), &series) } else { Vec::new() };
        has_ideal |= !ideal.is_empty();
        series.splice(0..0, ideal);
        built.push(Panel { title: name.clone(), series });
    }
    if has_ideal {
        remarks.push("Grey: linear scaling from one device.".to_owned());
    }
    if let (Some(pick), true) = (request.pick, picked > 0) {
        let differing: Vec<String> = differing.into_iter().map(Field::in_prose).collect();
        let in_what =
            if differing.is_empty() { String::new() } else { format!(" They differ in {}.", and_list(&differing)) };
        remarks.push(format!("Where several measurements share a place ({picked}), the {pick} one is drawn.{in_what}"));
    }
    remarks.extend(notes(&drawn, request, kind));
    if !ends.is_empty() {
        let ends: Vec<&str> = ends.into_iter().map(ErrorBarEnds::phrase).collect();
        remarks.push(format!("Error bars: {}, where the source states it.", and_list(&ends)));
    }
    // Ideal scaling is a straight line if both axes are linear or both logarithmic.
    let has_ratios = has_ideal && scale == Scale::Log && direction_of(y) == Direction::Higher && y != EFFICIENCY;
    let y_scale = if has_ratios { Scale::Log } else { Scale::Linear };
    Ok(along_axes(request, &drawn, kind, [(x, scale), (y, y_scale)], (groups, built), remarks))
}

/// The names along the axis, in display order.
fn categories(rows: &[&PlottedRow<'_>], x: Aspect, y: Aspect, request: &PlotRequest) -> Result<Vec<String>, PlotError> {
    let mut found = distinct(x, rows.iter().filter_map(|row| row.text(x)));
    if found.len() > MOST_NAMES {
        return Err(PlotError::refused(
            format!("{} values of {} are too many for bars", found.len(), name_of(x)),
            "narrow the question, or divide it with --facet",
        ));
    }
    if request.order == CategoryOrder::Value {
        let height = |name: &String| {
            let of_name = rows.iter().filter(|row| row.text(x) == Some(name.as_str()));
            of_name.filter_map(|row| row.number(y)).fold(f64::NEG_INFINITY, f64::max)
        };
        found.sort_by(|a, b| height(b).total_cmp(&height(a)));
    }
    Ok(found)
}

/// Picks one of several rows at a place, by the requested rule.
fn pick<'a, 'r>(rows: &'a [&'r PlottedRow<'r>], y: Aspect, rule: Option<PlotPick>) -> Option<&'a &'r PlottedRow<'r>> {
    let lower = direction_of(y) == Direction::Lower;
    let mut order: Vec<&'a &'r PlottedRow<'r>> = rows.iter().collect();
    order.sort_by(|a, b| {
        let (a_value, b_value) = (a.number(y).unwrap_or_default(), b.number(y).unwrap_or_default());
        let order = a_value.total_cmp(&b_value);
        let order = if lower { order } else { order.reverse() };
        // Disputed and superseded rows come last.
        let standing = b.measurement.is_in_good_standing().cmp(&a.measurement.is_in_good_standing());
        standing.then(order).then_with(|| a.measurement.id().cmp(b.measurement.id()))
    });
    match rule? {
        PlotPick::Best => order.first().copied(),
        PlotPick::Median => order.get(order.len() / 2).copied(),
        PlotPick::Latest => {
            let when = |row: &PlottedRow<'_>| {
                let own = row.number(Aspect::Field(Field::Date));
                own.or_else(|| row.number(Aspect::Fact(crate::model::Fact::Year))).unwrap_or(f64::NEG_INFINITY)
            };
            order.sort_by(|a, b| {
                let standing = b.measurement.is_in_good_standing().cmp(&a.measurement.is_in_good_standing());
                standing.then_with(|| when(b).total_cmp(&when(a)))
            });
            order.first().copied()
        }
    }
}

/// The error for several rows at a place: it says in what they differ.
fn ambiguous(
    places: &BTreeMap<(usize, usize), Vec<&PlottedRow<'_>>>,
    request: &PlotRequest,
    kind: FigureKind,
) -> PlotError {
    let crowded: Vec<&Vec<&PlottedRow<'_>>> = places.values().filter(|rows| rows.len() > 1).collect();
    let differing: BTreeSet<Field> = crowded.iter().flat_map(|rows| differing_fields(rows)).collect();
    let keys: Vec<&str> = differing.iter().map(|field| field.key()).collect();
    let distinguishing = request.distinguishing_aspects();
    let missing = differing.iter().filter(|field| !distinguishing.contains(&Aspect::Field(**field)));
    let mut criteria: Vec<Criterion> = missing.copied().map(Criterion::Field).collect();
    criteria.truncate(1);
    let sources: BTreeSet<&str> =
        crowded.iter().flat_map(|rows| rows.iter().map(|row| row.measurement.source().as_str())).collect();
    let why = match keys.as_slice() {
        [] if sources.len() > 1 => format!("they are from {}", and_list(&sources.into_iter().collect::<Vec<_>>())),
        [] => "they differ in their values alone".to_owned(),
        keys => format!("they differ in {}", and_list(keys)),
    };
    let (one, many) = if kind == FigureKind::Lines { ("point", "points") } else { ("bar", "bars") };
    let stand =
        if crowded.len() == 1 { "represents several measurements" } else { "represent several measurements each" };
    let message = format!("{} {stand}: {why}", counted(crowded.len(), one, many));
    match criteria.as_slice() {
        [] => PlotError::Refused { message, remedies: vec![Remedy::Pick], differing: criteria },
        _ => PlotError::not_comparable(message, criteria),
    }
}

/// Identity fields in which rows at one place differ.
fn differing_fields(rows: &[&PlottedRow<'_>]) -> Vec<Field> {
    let differs = |field: &Field| {
        let first = rows[0].measurement.get(*field);
        rows.iter().any(|row| row.measurement.get(*field) != first)
    };
    let fields = Field::VARIANTS.iter().copied().filter(|field| field.is_identity() && field.tier() <= Tier::Context);
    fields.filter(differs).collect()
}
