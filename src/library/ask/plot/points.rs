//! One point per measurement: two numbers against each other, or a number over time.

use std::collections::{BTreeMap, HashSet};

use super::fairness::narrowed;
use super::figure::{Figure, Link, Panel, Point, Scale, Series};
use super::groups::{group_of, groups};
use super::layout::{along_axes, number_scale, point};
use super::panels::{drawable, name_of, notes, panels};
use super::pareto::{better, front};
use super::request::{FigureKind, PlotError, PlotRequest};
use super::row::PlottedRow;
use crate::model::Direction;
use crate::values::text::counted;

/// Numbers that span more than this factor get a logarithmic scale.
const WIDE: f64 = 15.0;
/// With more points than this, only the most important ones are labelled.
const MOST_NAMED: usize = 24;

pub(super) fn figure(rows: &[PlottedRow<'_>], request: &PlotRequest, kind: FigureKind) -> Result<Figure, PlotError> {
    let (x, y) = request.axes()?;
    for axis in [x, y] {
        let has_place = axis.is_numeric() || (kind == FigureKind::Timeline && super::request::is_date(axis));
        if !has_place {
            let help =
                "points take two numbers, such as --x latency --y throughput; names along an axis make --kind bars";
            return Err(PlotError::refused(format!("{} is not a number", axis.key()), help));
        }
    }
    let directions = if request.pareto { Some((better(x)?, better(y)?)) } else { None };
    let mut remarks = Vec::new();
    let drawn = narrowed(drawable(rows, request, &mut remarks)?, request, kind, &mut remarks);
    let panels = panels(&drawn, request, kind)?;
    let groups = groups(&drawn, request)?;
    let mut built = Vec::new();
    for (name, rows) in &panels {
        let mut all: Vec<(usize, Point)> = rows
            .iter()
            .map(|row| {
                let at = row.number(x).unwrap_or_default();
                let label = if request.label.is_empty() { String::new() } else { row.name(&request.label) };
                let spread = super::spread::spread(row, y);
                (group_of(row, request, &groups), Point { label, ..point(row, at, x, y, spread) })
            })
            .collect();
        all.sort_by(|(_, a), (_, b)| a.x.total_cmp(&b.x).then_with(|| a.id.cmp(&b.id)));
        // Disputed and superseded rows are drawn, but are never records or part of a front.
        let fallen: HashSet<&str> =
            rows.iter().filter(|row| !row.measurement.is_in_good_standing()).map(|row| row.measurement.id()).collect();
        let standing: Vec<usize> = (0..all.len()).filter(|at| !fallen.contains(all[*at].1.id.as_str())).collect();
        let mut lines = Vec::new();
        if let Some((x_direction, y_direction)) = directions {
            let places: Vec<(f64, f64)> = standing.iter().map(|at| (all[*at].1.x, all[*at].1.y)).collect();
            let joined: Vec<usize> =
                front(&places, x_direction, y_direction).into_iter().map(|place| standing[place]).collect();
            let on_front: Vec<Point> = joined.iter().map(|at| bare(&all[*at].1)).collect();
            name_first(&mut all, &joined, drawn.len());
            lines.push(Series { group: None, link: Link::Bare, points: on_front });
        } else if kind == FigureKind::Timeline {
            let direction = better(y).unwrap_or(Direction::Higher);
            let places: Vec<(f64, f64)> = standing.iter().map(|at| (all[*at].1.x, all[*at].1.y)).collect();
            let records: Vec<usize> = records(&places, direction).into_iter().map(|place| standing[place]).collect();
            name_first(&mut all, &records, drawn.len());
            let best: Vec<Point> = records.into_iter().map(|at| bare(&all[at].1)).collect();
            lines.push(Series { group: None, link: Link::Steps, points: best });
        }
        let mut series: BTreeMap<usize, Vec<Point>> = BTreeMap::new();
        for (group, point) in all {
            series.entry(group).or_default().push(point);
        }
        lines.extend(series.into_iter().map(|(group, points)| Series {
            group: Some(group),
            link: Link::Marks,
            points,
        }));
        built.push(Panel { title: name.clone(), series: lines });
    }
    if request.pareto {
        let way = |direction: Direction| if direction == Direction::Lower { "less" } else { "more" };
        if let Some((x_direction, y_direction)) = directions {
            remarks.push(format!(
                "Line: the Pareto front, which no point of its panel beats in both numbers ({} {} and {} {} are better).",
                way(x_direction),
                name_of(x),
                way(y_direction),
                name_of(y),
            ));
        }
    } else if kind == FigureKind::Timeline {
        remarks.push("Steps: the best value so far in the panel.".to_owned());
        let of_source = drawn.iter().filter(|row| row.shown.get(&x).is_some_and(|date| date.derived)).count();
        if of_source > 0 {
            let points = counted(of_source, "point is", "points are");
            remarks.push(format!("{points} in the middle of the year of the source: the row has no date."));
        }
    }
    if drawn.len() > MOST_NAMED && !request.label.is_empty() && (request.pareto || kind == FigureKind::Timeline) {
        remarks.push("Named are the points of the line alone.".to_owned());
    }
    remarks.extend(notes(&drawn, request, kind));
    let numbers = |aspect| drawn.iter().filter_map(move |row: &&PlottedRow<'_>| row.number(aspect));
    let scale = |aspect| if scattered(numbers(aspect)) { Scale::Log } else { Scale::Linear };
    let x_scale = if kind == FigureKind::Timeline { Scale::Years } else { scale(x) };
    let axes = [(x, x_scale), (y, scale(y))];
    Ok(along_axes(request, &drawn, kind, axes, (groups, built), remarks))
}

/// Keeps the labels of the points at the indices `first`, and replaces those of the others by numbers; if there are too many
/// points for a key, the others get no label.
fn name_first(all: &mut [(usize, Point)], first: &[usize], points: usize) {
    let others = all.iter_mut().enumerate().filter(|(at, _)| !first.contains(at));
    for (_, point) in others.map(|(_, point)| point) {
        if points <= MOST_NAMED { point.numbered = true } else { point.label.clear() }
    }
}

/// Whether numbers span such a range that a logarithmic scale shows them better.
fn scattered(numbers: impl Iterator<Item = f64>) -> bool {
    let numbers: Vec<f64> = numbers.collect();
    let (low, high) = numbers.iter().fold((f64::INFINITY, 0.0_f64), |(low, high), n| (low.min(*n), high.max(*n)));
    high / low >= WIDE && number_scale(numbers.into_iter()) == Scale::Log
}

/// A vertex of a line; the mark itself is drawn by another series.
fn bare(point: &Point) -> Point {
    Point { x: point.x, y: point.y, texts: point.texts.clone(), ..Point::default() }
}

/// Indices of the points, in order of x, that were the best at their time.
fn records(points: &[(f64, f64)], direction: Direction) -> Vec<usize> {
    let beats = |a: f64, b: f64| if direction == Direction::Lower { a < b } else { a > b };
    let mut best: Option<f64> = None;
    let mut records = Vec::new();
    for (at, (x, y)) in points.iter().enumerate() {
        // Of points on the same day only the best is a record.
        let mut same_day = points[at + 1..].iter().take_while(|(next, _)| next == x);
        if best.is_none_or(|best| beats(*y, best)) && !same_day.any(|(_, next)| beats(*next, *y)) {
            best = Some(*y);
            records.push(at);
        }
    }
    records
}
