//! A heat map of coverage: the number of measurements of each pair.

use std::collections::BTreeMap;

use super::figure::{Figure, FigureAxis, Link, Origin, Panel, Point, Scale, Series};
use super::panels::sources;
use super::request::{CategoryOrder, FigureKind, PlotError, PlotRequest};
use super::row::PlottedRow;
use crate::model::Aspect;
use crate::rows::{distinct, natural};
use crate::values::text::counted;

/// Maximum number of values drawn per axis, the most frequent ones.
const MAX_AXIS_VALUES: usize = 24;

/// Number of measurements of each pair, by its positions on both axes.
type PairCounts = BTreeMap<(usize, usize), u64>;

pub(super) fn figure(rows: &[PlottedRow<'_>], request: &PlotRequest) -> Result<Figure, PlotError> {
    let (x, y) = request.axes()?;
    for axis in [x, y] {
        if matches!(axis, Aspect::Metric(_) | Aspect::Id) {
            let help = "a heat map counts pairs of names, such as --x device --y framework";
            return Err(PlotError::refused(format!("{} is different for nearly every measurement", axis.key()), help));
        }
    }
    let mut remarks = Vec::new();
    let known: Vec<&PlottedRow<'_>> =
        rows.iter().filter(|row| row.text(x).is_some() && row.text(y).is_some()).collect();
    let all: u64 = rows.iter().map(|row| row.count).sum();
    let unknown = (all - known.iter().map(|row| row.count).sum::<u64>()) as usize;
    if known.is_empty() {
        return Err(PlotError::Nothing(format!("no measurement states both {} and {}", x.key(), y.key())));
    }
    if unknown > 0 {
        remarks.push(format!(
            "{} without {} or {} left out.",
            counted(unknown, "measurement", "measurements"),
            x.heading(),
            y.heading()
        ));
    }
    let (xs, more_x) = axis(&known, x, request.order);
    let (ys, more_y) = axis(&known, y, request.order);
    for (aspect, more) in [(x, more_x), (y, more_y)] {
        if more > 0 {
            remarks.push(format!(
                "The {MAX_AXIS_VALUES} most frequent values of {} are drawn, {more} are not.",
                aspect.heading()
            ));
        }
    }
    let mut panels: BTreeMap<String, PairCounts> = BTreeMap::new();
    for row in &known {
        let place = |names: &[String], aspect| names.iter().position(|name| Some(name.as_str()) == row.text(aspect));
        if let (Some(at), Some(above)) = (place(&xs, x), place(&ys, y)) {
            *panels.entry(row.name(&request.facet)).or_default().entry((at, above)).or_default() += row.count;
        }
    }
    // A frequent value may only occur together with values that are not drawn.
    let cells = || panels.values().flat_map(BTreeMap::keys);
    let keep = |names: &[String], used: &dyn Fn(usize) -> bool| -> Vec<Option<usize>> {
        let mut next = 0..;
        (0..names.len()).map(|at| if used(at) { next.next() } else { None }).collect()
    };
    let kept_x = keep(&xs, &|at| cells().any(|(x, _)| *x == at));
    let kept_y = keep(&ys, &|at| cells().any(|(_, y)| *y == at));
    let kept = |names: Vec<String>, kept: &[Option<usize>]| -> Vec<String> {
        names.into_iter().zip(kept).filter_map(|(name, kept)| kept.map(|_| name)).collect()
    };
    let (xs, ys) = (kept(xs, &kept_x), kept(ys, &kept_y));
    let mut panels: Vec<(String, PairCounts)> = panels.into_iter().collect();
    panels.sort_by(|(a, _), (b, _)| natural(a, b));
    let panels = panels.into_iter().map(|(title, counts)| {
        let points = counts.into_iter().filter_map(|((at, above), count)| {
            let (at, above) = (kept_x[at]?, kept_y[above]?);
            let texts = [xs[at].clone(), ys[above].clone()];
            Some(Point { x: at as f64, y: above as f64, texts, count, ..Point::default() })
        });
        Panel { title, series: vec![Series { group: None, link: Link::Marks, points: points.collect() }] }
    });
    Ok(Figure {
        kind: FigureKind::Heatmap,
        title: format!("Coverage: {}", counted(all as usize, "measurement", "measurements")),
        panels: panels.collect(),
        x: FigureAxis {
            label: x.heading().to_owned(),
            key: x.json_key(),
            scale: Scale::Names(xs.clone()),
            limits: None,
        },
        y: FigureAxis {
            label: y.heading().to_owned(),
            key: y.json_key(),
            scale: Scale::Names(ys.clone()),
            limits: None,
        },
        groups: Vec::new(),
        shared: true,
        notes: remarks,
        sources: sources(&known),
        origin: Origin::default(),
    })
}

/// The most frequent values of an axis, and how many more there are.
fn axis(rows: &[&PlottedRow<'_>], aspect: Aspect, order: CategoryOrder) -> (Vec<String>, usize) {
    let mut counts: BTreeMap<&str, u64> = BTreeMap::new();
    for (text, count) in rows.iter().filter_map(|row| Some((row.text(aspect)?, row.count))) {
        *counts.entry(text).or_default() += count;
    }
    let mut values: Vec<(&str, u64)> = counts.into_iter().collect();
    values.sort_by(|(a, m), (b, n)| n.cmp(m).then_with(|| natural(a, b)));
    let more = values.len().saturating_sub(MAX_AXIS_VALUES);
    values.truncate(MAX_AXIS_VALUES);
    let found = values.into_iter().map(|(value, _)| value);
    let found = match order {
        CategoryOrder::Name => distinct(aspect, found),
        CategoryOrder::Value => found.map(str::to_owned).collect(),
    };
    (found, more)
}
