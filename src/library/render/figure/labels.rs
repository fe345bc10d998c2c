//! Names beside points, where there is room for them.

use super::font::{NOTE, width};
use super::frame::Area;
use super::palette::Palette;
use super::scene::{Anchor, Scene};

/// Names that wait for a place.
pub(super) struct Labels {
    area: Area,
    taken: Vec<Area>,
    /// Where marks stand.
    points: Vec<(f64, f64)>,
    wanted: Vec<WantedLabel>,
}

/// A name that waits for a place.
struct WantedLabel {
    x: f64,
    y: f64,
    text: String,
    /// Where the level line begins that the name stands on and that ends at its point.
    on_line_from: Option<f64>,
}

impl Labels {
    pub fn within(area: Area) -> Self {
        Self { area, taken: Vec::new(), points: Vec::new(), wanted: Vec::new() }
    }

    /// Places that no name may cover.
    pub fn avoid(&mut self, places: impl Iterator<Item = (f64, f64)>) {
        const HALF: f64 = 2.4;
        let places: Vec<(f64, f64)> = places.collect();
        self.points.extend_from_slice(&places);
        let boxes = places.into_iter().map(|(x, y)| Area { x: x - HALF, y: y - HALF, w: 2.0 * HALF, h: 2.0 * HALF });
        self.taken.extend(boxes);
    }

    /// A line that no name may cover.
    pub fn avoid_line(&mut self, path: &[(f64, f64)]) {
        const STEP: f64 = 3.0;
        for pair in path.windows(2) {
            let ((x0, y0), (x1, y1)) = (pair[0], pair[1]);
            let steps = ((x1 - x0).hypot(y1 - y0) / STEP).ceil().max(1.0);
            for step in 0..=steps as usize {
                let share = step as f64 / steps;
                let (x, y) = (x0 + (x1 - x0) * share, y0 + (y1 - y0) * share);
                self.taken.push(Area { x: x - 0.5, y: y - 0.5, w: 1.0, h: 1.0 });
            }
        }
    }

    /// A name for a place.
    pub fn add(&mut self, x: f64, y: f64, text: &str) {
        let is_same = |other: &WantedLabel| other.text == text && (other.x - x).hypot(other.y - y) < 14.0;
        if !text.is_empty() && !self.wanted.iter().any(is_same) {
            self.wanted.push(WantedLabel { x, y, text: text.to_owned(), on_line_from: None });
        }
    }

    /// A name for a level line from `left` to `right`, above or below it.
    pub fn add_on_line(&mut self, (left, right): (f64, f64), y: f64, text: &str) {
        if !text.is_empty() {
            self.wanted.push(WantedLabel { x: right, y, text: text.to_owned(), on_line_from: Some(left) });
        }
    }

    /// Draws each name where it covers nothing.
    pub fn draw(self, scene: &mut Scene, palette: &Palette) {
        for PlacedLabel { area, text, leader } in self.placed(|text| width(text, NOTE, false)) {
            if let Some([from, to]) = leader {
                scene.line(from, to, palette.muted, 0.4);
            }
            scene.text((area.x, area.y + area.h * 0.85), &text, NOTE, palette.ink, Anchor::Start);
        }
    }

    /// Each name at the first of eight places where it covers nothing, near its point or, where few names are wanted, further off
    /// at a line from there; a name without such a place is left out (it stands in the data). No name stands nearer to another
    /// point than to its own, but at the end of its line. `wide` tells how wide a text is set.
    pub fn placed(mut self, wide: impl Fn(&str) -> f64) -> Vec<PlacedLabel> {
        const OFF: f64 = 4.5;
        /// So many times further off.
        const FURTHER: [f64; 2] = [2.5, 4.0];
        /// Places that are tried along a line.
        const ALONG: u32 = 8;
        /// More names at lines would be a thicket.
        const FEW: usize = 24;
        /// By so much a name is nearer to its own point than to any other.
        const CLEARER: f64 = 2.0;
        let mut placed = Vec::new();
        let wanted = std::mem::take(&mut self.wanted);
        let near_only = wanted.len() > FEW;
        for WantedLabel { x, y, text, on_line_from } in wanted {
            let (w, h) = (wide(&text), NOTE);
            let around = |off: f64| {
                [
                    (x + off, y - h / 2.0),
                    (x - off - w, y - h / 2.0),
                    (x - w / 2.0, y - off - h),
                    (x - w / 2.0, y + off),
                    (x + off * 0.7, y - off * 0.7 - h),
                    (x - off * 0.7 - w, y - off * 0.7 - h),
                    (x + off * 0.7, y + off * 0.7),
                    (x - off * 0.7 - w, y + off * 0.7),
                ]
            };
            // From the end of the line to its beginning.
            let on_line = |left: f64| {
                let room = (x - 4.0 - w - left).max(0.0);
                let steps = (0..=ALONG).map(move |step| x - w - 4.0 - room * f64::from(step) / f64::from(ALONG));
                steps.flat_map(|x| [(x, y - h - 1.5), (x, y + 2.0)]).collect::<Vec<_>>()
            };
            let near = on_line_from.map_or_else(|| around(OFF).to_vec(), on_line);
            let is_point = on_line_from.is_none();
            let further = FURTHER.iter().filter(|_| is_point && !near_only).flat_map(|times| around(OFF * times));
            let boxes = near.iter().map(|place| (*place, false)).chain(further.map(|place| (place, true)));
            let boxes = boxes.map(|((x, y), is_far)| (Area { x, y, w, h }, is_far));
            let free = |area: &Area| {
                let inside =
                    area.x >= self.area.x && area.right() <= self.area.right() + 4.0 && area.y >= self.area.y - 3.0;
                inside && area.bottom() <= self.area.bottom() && !self.taken.iter().any(|other| overlap(area, other))
            };
            let own = |area: &Area| {
                let to_own = distance((x, y), area);
                let others = self.points.iter().filter(|(px, py)| (px - x).hypot(py - y) > 0.5);
                !others.into_iter().any(|other| distance(*other, area) < to_own + CLEARER)
            };
            // A line that crosses another mark would be read as that one's.
            let clear = |area: &Area| {
                let [from, to] = leader((x, y), area);
                let steps = (0..=10).map(|step| f64::from(step) / 10.0);
                let mut along = steps.map(|share| (from.0 + (to.0 - from.0) * share, from.1 + (to.1 - from.1) * share));
                let others = || self.points.iter().filter(|(px, py)| (px - x).hypot(py - y) > 0.5);
                along.all(|(lx, ly)| others().all(|(px, py)| (px - lx).hypot(py - ly) > CLEARER))
            };
            let is_plain = |area: &Area, is_far: bool| match is_far {
                true => clear(area),
                false => on_line_from.is_some() || own(area),
            };
            if let Some((area, is_far)) = boxes.into_iter().find(|(area, far)| free(area) && is_plain(area, *far)) {
                self.taken.push(area);
                let leader = is_far.then(|| leader((x, y), &area));
                placed.push(PlacedLabel { area, text, leader });
            }
        }
        placed
    }
}

/// A name where it is drawn.
pub(super) struct PlacedLabel {
    pub area: Area,
    pub text: String,
    /// From the edge of its point to the name, where that stands further off.
    pub leader: Option<[(f64, f64); 2]>,
}

/// How far a point is from a box.
fn distance((x, y): (f64, f64), area: &Area) -> f64 {
    (x - x.clamp(area.x, area.right())).hypot(y - y.clamp(area.y, area.bottom()))
}

/// From the edge of a point's mark to the nearest place of a name.
fn leader((x, y): (f64, f64), area: &Area) -> [(f64, f64); 2] {
    const MARK: f64 = 3.2;
    let to = (x.clamp(area.x - 0.8, area.right() + 0.8), y.clamp(area.y, area.bottom()));
    let length = (to.0 - x).hypot(to.1 - y).max(1e-6);
    [(x + (to.0 - x) / length * MARK, y + (to.1 - y) / length * MARK), to]
}

fn overlap(a: &Area, b: &Area) -> bool {
    a.x < b.right() && b.x < a.right() && a.y < b.bottom() && b.y < a.bottom()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_name_stands_nearer_to_its_own_point_than_to_any_other() {
        let points = [(50.0, 50.0), (58.0, 44.0), (66.0, 40.0), (70.0, 52.0)];
        let mut labels = Labels::within(Area { x: 0.0, y: 0.0, w: 200.0, h: 100.0 });
        labels.avoid(points.into_iter());
        for (at, (x, y)) in points.into_iter().enumerate() {
            labels.add(x, y, &format!("batch {at}"));
        }
        let placed = labels.placed(|text| text.len() as f64 * 3.5);
        assert!(placed.len() > 2, "{} names", placed.len());
        for label in placed.iter().filter(|label| label.leader.is_none()) {
            let own: usize = label.text.trim_start_matches("batch ").parse().unwrap();
            let to_own = distance(points[own], &label.area);
            let mut others = points.iter().enumerate().filter(|(at, _)| *at != own);
            assert!(others.all(|(_, other)| distance(*other, &label.area) > to_own), "{}", label.text);
        }
    }
}
