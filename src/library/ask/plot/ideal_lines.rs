//! Lines of ideal linear scaling, drawn behind the measured ones.

use super::figure::{Link, Point, Series};
use crate::model::{Aspect, Derived, Field, Metric};

/// Lines of linear scaling from one device, if the x axis is the number of devices.
pub(super) fn ideal_lines((x, y): (Aspect, Aspect), series: &[Series]) -> Vec<Series> {
    if x != Aspect::Field(Field::DeviceCount) {
        return Vec::new();
    }
    let farthest = series.iter().flat_map(|series| &series.points).map(|point| point.x).fold(1.0, f64::max);
    let line = |one: f64, most: f64| {
        let point = |x: f64, y: f64| Point { x, y, texts: [x.to_string(), y.to_string()], ..Point::default() };
        // Many points, because a straight line becomes a curve if one axis is logarithmic.
        let steps = (0..=32).map(|step| 2_f64.powf(most.log2() * f64::from(step) / 32.0));
        let points = steps.map(|x| point(x, if y == EFFICIENCY { one } else { one * x }));
        let mut points: Vec<Point> = points.collect();
        if let Some(last) = points.last_mut() {
            last.label = "ideal".to_owned();
        }
        Series { group: None, link: Link::Bare, points }
    };
    if y == EFFICIENCY && farthest > 1.0 {
        return vec![line(1.0, farthest)];
    }
    if y != Aspect::Metric(Metric::ThroughputPerS) {
        return Vec::new();
    }
    let of_series = series.iter().filter_map(|series| {
        let one = series.points.iter().find(|point| point.x == 1.0)?.y;
        let most = series.points.iter().map(|point| point.x).fold(1.0, f64::max);
        (most > 1.0).then(|| line(one, most))
    });
    of_series.collect()
}

/// Scaling efficiency, for which 1 is ideal.
pub(super) const EFFICIENCY: Aspect = Aspect::Derived(Derived::ScalingEfficiency);
