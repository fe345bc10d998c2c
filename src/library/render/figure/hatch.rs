//! Patterns on bars: groups are told apart where a figure is printed or copied without colours, too.

use super::frame::Area;
use super::scene::{Color, Scene, SceneShape};

/// Between the lines of a pattern, in points; those of lighter fills lie further apart.
const STEP: f64 = 3.4;
const WIDTH: f64 = 0.55;

/// The lines of a pattern, by the steps (x, y) along each of which `x * px + y * py` is a multiple of the step.
const PATTERNS: [&[(f64, f64)]; 8] = [
    &[],
    &[(1.0, 1.0)],
    &[(1.0, -1.0)],
    &[(0.0, 1.0)],
    &[(1.0, 0.0)],
    &[(1.0, 1.0), (1.0, -1.0)],
    &[(1.0, 0.0), (0.0, 1.0)],
    &[(1.0, 0.45)],
];

/// The same patterns as TikZ calls them; the first group has none.
pub(super) const IN_TIKZ: [Option<&str>; 8] = [
    None,
    Some("north east lines"),
    Some("north west lines"),
    Some("horizontal lines"),
    Some("vertical lines"),
    Some("crosshatch"),
    Some("grid"),
    Some("dots"),
];

/// Draws the pattern of a hue on a bar or a swatch.
pub(super) fn draw(scene: &mut Scene, area: Area, (hue, shade): (usize, usize), color: Color) {
    for points in lines(area, hue, shade) {
        scene.shapes.push(SceneShape::Line { points, color, width: WIDTH, dash: None });
    }
}

/// The lines of a pattern within an area, from edge to edge.
fn lines(area: Area, hue: usize, shade: usize) -> Vec<Vec<(f64, f64)>> {
    let step = STEP * if shade == 0 { 1.0 } else { 1.7 };
    let mut found = Vec::new();
    for (px, py) in PATTERNS[hue % PATTERNS.len()] {
        // Steps are counted along the normal of the lines.
        let length = px.hypot(*py);
        let (nx, ny) = (px / length, py / length);
        let corners = [(0.0, 0.0), (area.w, 0.0), (0.0, area.h), (area.w, area.h)].map(|(x, y)| x * nx + y * ny);
        let (low, high) =
            (corners.iter().copied().fold(f64::INFINITY, f64::min), corners.iter().copied().fold(0.0, f64::max));
        let mut at = (low / step).ceil() * step;
        while at < high {
            found.extend(clipped((nx, ny), at, area));
            at += step;
        }
    }
    found
}

/// The part of the line `x * nx + y * ny = at` that lies within an area, whose corner is the origin.
fn clipped((nx, ny): (f64, f64), at: f64, area: Area) -> Option<Vec<(f64, f64)>> {
    const TINY: f64 = 1e-9;
    let mut ends: Vec<(f64, f64)> = Vec::new();
    let mut add = |x: f64, y: f64| {
        let inside = (-TINY..=area.w + TINY).contains(&x) && (-TINY..=area.h + TINY).contains(&y);
        let is_new = !ends.iter().any(|(a, b)| (a - x).hypot(b - y) < 1e-6);
        if inside && is_new {
            ends.push((x, y));
        }
    };
    if ny.abs() > TINY {
        [0.0, area.w].into_iter().for_each(|x| add(x, (at - x * nx) / ny));
    }
    if nx.abs() > TINY {
        [0.0, area.h].into_iter().for_each(|y| add((at - y * ny) / nx, y));
    }
    (ends.len() == 2).then(|| ends.into_iter().map(|(x, y)| (area.x + x, area.y + y)).collect())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn no_line_of_a_pattern_leaves_its_bar() {
        let area = Area { x: 10.0, y: 20.0, w: 12.5, h: 31.0 };
        for hue in 0..PATTERNS.len() {
            let lines = lines(area, hue, 0);
            assert_eq!(lines.is_empty(), hue == 0, "pattern {hue}");
            for (x, y) in lines.into_iter().flatten() {
                assert!((9.99..=22.51).contains(&x) && (19.99..=51.01).contains(&y), "pattern {hue}: {x}, {y}");
            }
        }
        assert!(lines(Area { h: 0.0, ..area }, 1, 0).len() <= 1, "a bar of nothing");
    }
}
