//! What figures on two axes share: scales, axis titles, and the point of a row.

use std::collections::BTreeSet;

use super::figure::{Figure, FigureAxis, Group, Origin, Panel, Point, Scale};
use super::panels::{sources, title_and_groups};
use super::request::{FigureKind, PlotRequest};
use super::row::PlottedRow;
use super::spread::ErrorBarEnds;
use crate::model::{Aspect, Field, Metric, Tier};

/// Numbers that span more than this factor get a logarithmic scale.
const WIDE: f64 = 6.0;

/// Whether panels share one scale: only if their facets are comparable.
pub(super) fn shares_a_scale(request: &PlotRequest) -> bool {
    !request.facet.iter().any(|aspect| match aspect {
        Aspect::Field(field) => field.tier() == Tier::Identity || *field == Field::Statistic,
        _ => false,
    })
}

/// A figure on two axes, each with its scale.
pub(super) fn along_axes(
    request: &PlotRequest,
    drawn: &[&PlottedRow<'_>],
    kind: FigureKind,
    axes: [(Aspect, Scale); 2],
    (groups, panels): (Vec<Group>, Vec<Panel>),
    mut notes: Vec<String>,
) -> Figure {
    let shared = shares_a_scale(request);
    if panels.len() > 1 && !shared {
        notes.push("Scales differ from panel to panel.".to_owned());
    }
    let [x, y] = axes.map(|(aspect, scale)| FigureAxis {
        label: label(aspect, drawn),
        key: aspect.json_key(),
        scale,
        limits: None,
    });
    let (title, groups) = title_and_groups(drawn, request, groups);
    Figure { kind, title, x, y, groups, panels, shared, notes, sources: sources(drawn), origin: Origin::default() }
}

/// A linear scale, or a logarithmic one if the numbers span a wide range.
pub(super) fn number_scale(numbers: impl Iterator<Item = f64>) -> Scale {
    let (mut low, mut high) = (f64::INFINITY, f64::NEG_INFINITY);
    for number in numbers {
        low = low.min(number);
        high = high.max(number);
    }
    if low > 0.0 && high / low >= WIDE { Scale::Log } else { Scale::Linear }
}

pub(super) fn point(
    row: &PlottedRow<'_>,
    at: f64,
    x: Aspect,
    y: Aspect,
    spread: Option<(f64, f64, ErrorBarEnds)>,
) -> Point {
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

/// The top-k that all rows stating this metric share.
fn top_k(rows: &[&PlottedRow<'_>], metric: Metric) -> Option<String> {
    let mut stated = rows
        .iter()
        .filter(|row| row.measurement.metric(metric).is_some())
        .map(|row| Some(row.measurement.get(Field::TopK)?.to_string()));
    let first = stated.next()??;
    stated.all(|other| other.as_ref() == Some(&first)).then_some(first)
}

/// The title of an axis: throughput says what all rows count, accuracy its top-k.
pub(super) fn label(aspect: Aspect, rows: &[&PlottedRow<'_>]) -> String {
    let counts: BTreeSet<&str> = rows.iter().filter_map(|row| row.counts()).map(Into::into).collect();
    let counted = match counts.iter().collect::<Vec<_>>().as_slice() {
        [one] => format!("{one}s"),
        _ => "items".to_owned(),
    };
    match aspect {
        Aspect::Metric(Metric::ThroughputPerS) => format!("throughput [{counted}/s]"),
        Aspect::Metric(Metric::ItemsPerJoule) => format!("energy efficiency [{counted}/J]"),
        Aspect::Metric(Metric::LatencyMs) => "latency of a batch [ms]".to_owned(),
        Aspect::Metric(metric @ (Metric::Accuracy | Metric::ErrorRate)) => match top_k(rows, metric) {
            Some(top_k) => format!("{} {}", Field::TopK.in_words(&top_k), aspect.heading()),
            None => aspect.heading().to_owned(),
        },
        Aspect::Field(Field::BatchSize) => "batch size".to_owned(),
        aspect => aspect.heading().to_owned(),
    }
}
