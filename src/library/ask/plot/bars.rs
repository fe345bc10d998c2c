//! Bars in groups, and lines over a number: one value at each place.

use std::collections::{BTreeMap, BTreeSet};

use strum::VariantArray as _;

use super::Origin;
use super::fair::{drawable, name_of, notes, panels, sources, title};
use super::figure::{Axis, Figure, Group, Link, Panel, Point, Scale, Series};
use super::order::{self, names};
use super::request::{Kind, Order, Pick, PlotError, Request, metric_of};
use super::row::{Row, told};
use super::spread::{Ends, spread};
use crate::model::{Aspect, Direction, Field, Metric, Tier};
use crate::values::text::{and_list, counted};

/// More groups than this cannot be told apart by colour and shade.
const MOST_GROUPS: usize = 24;
/// Colours that are told apart.
const MOST_HUES: usize = 8;
/// Bars under more names than this are no figure.
const MOST_NAMES: usize = 60;
/// Numbers that span more than this are laid out in even ratios.
const WIDE: f64 = 6.0;

pub(super) fn figure(rows: &[Row], request: &Request, kind: Kind) -> Result<Figure, PlotError> {
    let (x, y) = request.axes()?;
    if !y.is_numeric() {
        return Err(PlotError::refused(
            format!("{} is no number, so that it has no height", y.key()),
            "--y takes a metric, or the shape is --kind heatmap",
        ));
    }
    let mut remarks = Vec::new();
    let drawn = drawable(rows, request, &mut remarks)?;
    let panels = panels(&drawn, request, kind)?;
    let groups = groups(&drawn, request)?;
    let scale = match kind {
        Kind::Lines if x.is_numeric() => number_scale(drawn.iter().filter_map(|row| row.number(x))),
        Kind::Lines => {
            let help = "--x takes a number such as batch-size, or the shape is --kind bars";
            return Err(PlotError::refused(format!("{} is no number to draw a line over", x.key()), help));
        }
        _ => Scale::Names(categories(&drawn, x, y, request)?),
    };
    let mut ends: BTreeSet<Ends> = BTreeSet::new();
    let mut picked = 0;
    let mut built = Vec::new();
    for (name, rows) in &panels {
        let mut places: BTreeMap<(usize, usize), Vec<&Row>> = BTreeMap::new();
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
                    pick(many, y, request.pick).ok_or_else(|| ambiguous(&places, request, kind))?
                }
            };
            let spread = spread(row, y);
            ends.extend(spread.map(|(_, _, ends)| ends));
            let at = if matches!(scale, Scale::Names(_)) { *at as f64 } else { xs[*at] };
            series.entry(*group).or_default().push(point(row, at, x, y, spread));
        }
        let link = if kind == Kind::Lines { Link::Line } else { Link::Marks };
        let series = series.into_iter().map(|(group, mut points)| {
            points.sort_by(|a, b| a.x.total_cmp(&b.x));
            Series { group: Some(group), link, points }
        });
        built.push(Panel { title: name.clone(), series: series.collect() });
    }
    if let (Some(pick), true) = (request.pick, picked > 0) {
        remarks.push(format!("Where several measurements share a place ({picked}), the {pick} one is drawn."));
    }
    remarks.extend(notes(&drawn, request, kind));
    if !ends.is_empty() {
        let ends: Vec<&str> = ends.into_iter().map(Ends::told).collect();
        remarks.push(format!("Error bars: {}, where the source states it.", and_list(&ends)));
    }
    Ok(Figure {
        kind,
        title: title(&drawn, request),
        x: Axis { label: label(x, &drawn), key: x.json_key(), scale },
        y: Axis { label: label(y, &drawn), key: y.json_key(), scale: Scale::Linear },
        groups: if request.group.is_empty() { Vec::new() } else { groups },
        panels: built,
        shared: shares_a_scale(request),
        notes: remarks,
        sources: sources(&drawn),
        origin: Origin::default(),
    })
}

/// Panels of what can be compared have one scale.
pub(super) fn shares_a_scale(request: &Request) -> bool {
    !request.facet.iter().any(|aspect| match aspect {
        Aspect::Field(field) => field.tier() == Tier::Identity || *field == Field::Statistic,
        _ => false,
    })
}

/// Even steps, or even ratios where the numbers are wide apart.
pub(super) fn number_scale(numbers: impl Iterator<Item = f64>) -> Scale {
    let (mut low, mut high) = (f64::INFINITY, f64::NEG_INFINITY);
    for number in numbers {
        low = low.min(number);
        high = high.max(number);
    }
    if low > 0.0 && high / low >= WIDE { Scale::Log } else { Scale::Linear }
}

pub(super) fn point(row: &Row, at: f64, x: Aspect, y: Aspect, spread: Option<(f64, f64, Ends)>) -> Point {
    let text = |aspect: Aspect| match row.shown.get(&aspect) {
        Some(shown) if aspect.is_numeric() => shown.value.to_string(),
        Some(shown) => shown.text.clone(),
        None => String::new(),
    };
    Point {
        x: at,
        y: row.number(y).unwrap_or_default(),
        texts: [text(x), text(y)],
        spread: spread.map(|(low, high, _)| (low, high)),
        id: row.measurement.id().to_owned(),
        source: row.measurement.source().to_string(),
        derived: [x, y].iter().any(|aspect| row.shown.get(aspect).is_some_and(|shown| shown.derived)),
        count: 1,
        ..Point::default()
    }
}

/// The heading of an axis: a throughput is named by what all rows count.
pub(super) fn label(aspect: Aspect, rows: &[&Row]) -> String {
    let counts: BTreeSet<&str> = rows.iter().filter_map(|row| row.counts()).collect();
    let counted = match counts.iter().collect::<Vec<_>>().as_slice() {
        [one] => format!("{one}s"),
        _ => "items".to_owned(),
    };
    match aspect {
        Aspect::Metric(Metric::ThroughputPerS) => format!("throughput [{counted}/s]"),
        Aspect::Metric(Metric::ItemsPerJoule) => format!("energy efficiency [{counted}/J]"),
        Aspect::Metric(Metric::LatencyMs) => "latency of a batch [ms]".to_owned(),
        Aspect::Field(Field::BatchSize) => "batch size".to_owned(),
        aspect => aspect.heading().to_owned(),
    }
}

/// The names along the axis, in order.
fn categories(rows: &[&Row], x: Aspect, y: Aspect, request: &Request) -> Result<Vec<String>, PlotError> {
    let mut found = names(x, rows.iter().filter_map(|row| row.text(x)));
    if found.len() > MOST_NAMES {
        return Err(PlotError::refused(
            format!("{} values of {} are too many for bars", found.len(), name_of(x)),
            "narrow the question, or divide it with --facet",
        ));
    }
    if request.order == Order::Value {
        let height = |name: &String| {
            let of_name = rows.iter().filter(|row| row.text(x) == Some(name.as_str()));
            of_name.filter_map(|row| row.number(y)).fold(f64::NEG_INFINITY, f64::max)
        };
        found.sort_by(|a, b| height(b).total_cmp(&height(a)));
    }
    Ok(found)
}

/// What colours and shades tell apart: the first aspect by colour, the others by shade.
pub(super) fn groups(rows: &[&Row], request: &Request) -> Result<Vec<Group>, PlotError> {
    let mut found: Vec<Vec<String>> = rows.iter().map(|row| row.parts(&request.group)).collect();
    found.sort_unstable_by(|a, b| order::by_values(&request.group, a, b));
    found.dedup();
    let (mut hues, mut shades): (Vec<&str>, Vec<&[String]>) = (Vec::new(), Vec::new());
    for parts in &found {
        let (first, others) = parts.split_first().map_or(("", &[][..]), |(first, others)| (first.as_str(), others));
        if !hues.contains(&first) {
            hues.push(first);
        }
        if !shades.contains(&others) {
            shades.push(others);
        }
    }
    shades.sort_unstable_by(|a, b| order::by_values(request.group.get(1..).unwrap_or_default(), *a, *b));
    if found.len() > MOST_GROUPS || hues.len() > MOST_HUES {
        let keys: Vec<&str> = request.group.iter().map(|aspect| aspect.key()).collect();
        return Err(PlotError::refused(
            format!("{} groups by {} cannot be told apart", found.len(), and_list(&keys)),
            "narrow the question, or give each a panel of its own with --facet",
        ));
    }
    let group = |parts: &Vec<String>| {
        let (first, others) = parts.split_first().map_or(("", &[][..]), |(first, others)| (first.as_str(), others));
        let named = parts.iter().zip(&request.group).map(|(part, aspect)| told(*aspect, part));
        Group {
            hue: hues.iter().position(|known| *known == first).unwrap_or(0),
            shade: shades.iter().position(|known| *known == others).unwrap_or(0),
            name: named.collect::<Vec<_>>().join(", "),
        }
    };
    Ok(found.iter().map(group).collect())
}

/// The place of a row's group.
pub(super) fn group_of(row: &Row, request: &Request, groups: &[Group]) -> usize {
    let name = row.name(&request.group);
    groups.iter().position(|group| group.name == name).unwrap_or(0)
}

/// One of several rows at a place, by the rule that was asked for.
fn pick<'a, 'r>(rows: &'a [&'r Row], y: Aspect, rule: Option<Pick>) -> Option<&'a &'r Row> {
    let lower = metric_of(y).is_some_and(|metric| metric.direction() == Direction::Lower);
    let mut order: Vec<&'a &'r Row> = rows.iter().collect();
    order.sort_by(|a, b| {
        let (a_value, b_value) = (a.number(y).unwrap_or_default(), b.number(y).unwrap_or_default());
        let order = a_value.total_cmp(&b_value);
        let order = if lower { order } else { order.reverse() };
        // What was disputed or superseded stands behind everything else.
        let standing = b.measurement.stands().cmp(&a.measurement.stands());
        standing.then(order).then_with(|| a.measurement.id().cmp(b.measurement.id()))
    });
    match rule? {
        Pick::Best => order.first().copied(),
        Pick::Median => order.get(order.len() / 2).copied(),
        Pick::Latest => {
            let when = |row: &Row| {
                let own = row.number(Aspect::Field(Field::Date));
                own.or_else(|| row.number(Aspect::Joined(crate::model::Joined::Year))).unwrap_or(f64::NEG_INFINITY)
            };
            order.sort_by(|a, b| {
                let standing = b.measurement.stands().cmp(&a.measurement.stands());
                standing.then_with(|| when(b).total_cmp(&when(a)))
            });
            order.first().copied()
        }
    }
}

/// Says in what the rows differ that share a place.
fn ambiguous(places: &BTreeMap<(usize, usize), Vec<&Row>>, request: &Request, kind: Kind) -> PlotError {
    let crowded: Vec<&Vec<&Row>> = places.values().filter(|rows| rows.len() > 1).collect();
    let differs = |field: &&Field| {
        crowded.iter().any(|rows| {
            let first = rows[0].measurement.get(**field);
            rows.iter().any(|row| row.measurement.get(**field) != first)
        })
    };
    let differing = Field::VARIANTS.iter().filter(differs).filter(|field| field.is_identity());
    let keys: Vec<&str> = differing.filter(|field| field.tier() <= Tier::Context).map(|field| field.key()).collect();
    let more: Vec<&&str> =
        keys.iter().filter(|key| !request.told_apart_by().iter().any(|a| a.key() == **key)).collect();
    let advice = match more.first() {
        Some(key) => format!("tell them apart with --group {key} or --facet {key}, narrow the question, or "),
        None => String::new(),
    };
    let sources: BTreeSet<&str> =
        crowded.iter().flat_map(|rows| rows.iter().map(|row| row.measurement.source().as_str())).collect();
    let why = match keys.as_slice() {
        [] if sources.len() > 1 => format!("they are from {}", and_list(&sources.into_iter().collect::<Vec<_>>())),
        [] => "they differ in their values alone".to_owned(),
        keys => format!("they differ in {}", and_list(keys)),
    };
    let (one, many) = if kind == Kind::Lines { ("point", "points") } else { ("bar", "bars") };
    let stand =
        if crowded.len() == 1 { "stands for several measurements" } else { "stand for several measurements each" };
    PlotError::refused(
        format!("{} {stand}: {why}", counted(crowded.len(), one, many)),
        format!("{advice}name a rule with --pick best, latest or median"),
    )
}
