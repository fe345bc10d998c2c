//! Where the name of a mark or of a level line may stand, and the line that leads to it.

use super::frame::Area;

/// Half of the place that a mark takes.
pub(super) const HALF_MARK: f64 = 3.0;
/// From a point to its name.
pub(super) const OFF: f64 = 4.5;
/// So many times further off.
pub(super) const FURTHER: [f64; 8] = [1.7, 2.5, 3.2, 4.0, 5.0, 6.5, 8.0, 10.0];
/// Places that are tried along a line.
const ALONG: u32 = 8;

/// Where a line to a name begins, and where the name stands.
pub(super) type LabelPlace = ((f64, f64), Area);

/// Eight places around a point.
pub(super) fn around((x, y): (f64, f64), off: f64, (w, h): (f64, f64)) -> [LabelPlace; 8] {
    let slant = off * 0.7;
    let corners = [
        (x + off, y - h / 2.0),
        (x - off - w, y - h / 2.0),
        (x - w / 2.0, y - off - h),
        (x - w / 2.0, y + off),
        (x + slant, y - slant - h),
        (x - slant - w, y - slant - h),
        (x + slant, y + slant),
        (x - slant - w, y + slant),
    ];
    corners.map(|(left, top)| ((x, y), Area { x: left, y: top, w, h }))
}

/// Places all around a point and further off, each at the end of a line from there.
pub(super) fn further((x, y): (f64, f64), off: f64, (w, h): (f64, f64)) -> Vec<LabelPlace> {
    const DIRECTIONS: u32 = 24;
    /// A direction that is as good as upright or level.
    const SLANT: f64 = 0.3;
    let end = |from: f64, part: f64, size: f64| match part {
        part if part > SLANT => from,
        part if part < -SLANT => from - size,
        _ => from - size / 2.0,
    };
    let angles = (0..DIRECTIONS).map(|at| f64::from(at) * std::f64::consts::TAU / f64::from(DIRECTIONS));
    let places = angles.map(|angle| {
        let (right, down) = (angle.cos(), -angle.sin());
        (end(x + off * right, right, w), end(y + off * down, down, h))
    });
    places.map(|(left, top)| ((x, y), Area { x: left, y: top, w, h })).collect()
}

/// Places above and below a level line, from its end to its beginning.
pub(super) fn on_line((left, right): (f64, f64), y: f64, (w, h): (f64, f64)) -> Vec<LabelPlace> {
    let room = (right - 4.0 - w - left).max(0.0);
    let steps = (0..=ALONG).map(|step| right - w - 4.0 - room * f64::from(step) / f64::from(ALONG));
    let places = steps.flat_map(|x| [(x, y - h - 1.5), (x, y + 2.0)]);
    places.map(|(x, top)| ((x + w / 2.0, y), Area { x, y: top, w, h })).collect()
}

/// Places further off a level line, the nearest first, each with the place on the line that is straight above or below it.
pub(super) fn off_line((left, right): (f64, f64), y: f64, (w, h): (f64, f64)) -> Vec<LabelPlace> {
    const STEP: f64 = 5.0;
    const STEPS: u32 = 16;
    let beside = on_line((left, right), y, (w, h));
    let off = (1..=STEPS).map(|step| f64::from(step) * STEP);
    let places = off.flat_map(|off| {
        // Nearer to the beginning of a roof there are fewer marks.
        beside.iter().rev().map(move |((from, _), area)| {
            let top = if area.y < y { area.y - off } else { area.y + off };
            ((from.max(left).min(right), y), Area { y: top, ..*area })
        })
    });
    places.collect()
}

/// How far a point is from a box.
pub(super) fn distance((x, y): (f64, f64), area: &Area) -> f64 {
    (x - x.clamp(area.x, area.right())).hypot(y - y.clamp(area.y, area.bottom()))
}

/// From the edge of a point's mark, or from a line, to the nearest place of a name.
pub(super) fn leader((x, y): (f64, f64), area: &Area, of_line: bool) -> [(f64, f64); 2] {
    let mark = if of_line { 0.0 } else { HALF_MARK + 0.2 };
    let to = (x.clamp(area.x - 0.8, area.right() + 0.8), y.clamp(area.y, area.bottom()));
    let length = (to.0 - x).hypot(to.1 - y).max(1e-6);
    [(x + (to.0 - x) / length * mark, y + (to.1 - y) / length * mark), to]
}

/// Whether two lines cross each other.
pub(super) fn cross([a, b]: [(f64, f64); 2], [c, d]: [(f64, f64); 2]) -> bool {
    // On which side of a line a point lies.
    let side =
        |(x0, y0): (f64, f64), (x1, y1): (f64, f64), (x, y): (f64, f64)| (x1 - x0) * (y - y0) - (y1 - y0) * (x - x0);
    side(a, b, c) * side(a, b, d) < 0.0 && side(c, d, a) * side(c, d, b) < 0.0
}

pub(super) fn overlap(a: &Area, b: &Area) -> bool {
    a.x < b.right() && b.x < a.right() && a.y < b.bottom() && b.y < a.bottom()
}
