//! Names beside points, where there is room for them.

use super::font::{NOTE, width};
use super::frame::Area;
use super::palette::Palette;
use super::scene::{Anchor, Scene};

/// Names that wait for a place.
pub(super) struct Labels {
    area: Area,
    taken: Vec<Area>,
    wanted: Vec<(f64, f64, String, bool)>,
}

impl Labels {
    pub fn within(area: Area) -> Self {
        Self { area, taken: Vec::new(), wanted: Vec::new() }
    }

    /// Places that no name may cover.
    pub fn avoid(&mut self, places: impl Iterator<Item = (f64, f64)>) {
        const HALF: f64 = 2.4;
        let boxes = places.map(|(x, y)| Area { x: x - HALF, y: y - HALF, w: 2.0 * HALF, h: 2.0 * HALF });
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

    /// A name for a place; `above` puts it to the left above, as on a line that ends there.
    pub fn add(&mut self, x: f64, y: f64, text: &str, above: bool) {
        if !text.is_empty() && !self.wanted.iter().any(|(a, b, t, _)| t == text && (a - x).hypot(b - y) < 14.0) {
            self.wanted.push((x, y, text.to_owned(), above));
        }
    }

    /// Draws each name where it covers nothing.
    pub fn draw(self, scene: &mut Scene, palette: &Palette) {
        for (area, text) in self.placed() {
            scene.text((area.x, area.y + area.h * 0.85), &text, NOTE, palette.ink, Anchor::Start);
        }
    }

    /// Each name at the first of eight places where it covers nothing; a name without such a place is left out (it stands in the
    /// data).
    pub fn placed(mut self) -> Vec<(Area, String)> {
        const OFF: f64 = 4.5;
        let mut placed = Vec::new();
        for (x, y, text, above) in std::mem::take(&mut self.wanted) {
            let (w, h) = (width(&text, NOTE, false), NOTE);
            let around = [
                (x + OFF, y - h / 2.0),
                (x - OFF - w, y - h / 2.0),
                (x - w / 2.0, y - OFF - h),
                (x - w / 2.0, y + OFF),
                (x + OFF * 0.7, y - OFF * 0.7 - h),
                (x - OFF * 0.7 - w, y - OFF * 0.7 - h),
                (x + OFF * 0.7, y + OFF * 0.7),
                (x - OFF * 0.7 - w, y + OFF * 0.7),
            ];
            let on_line = [(x - w - 4.0, y - h - 1.5), (x - w - 4.0, y + 2.0)];
            let places: &[(f64, f64)] = if above { &on_line } else { &around };
            let boxes = places.iter().map(|(x, y)| Area { x: *x, y: *y, w, h });
            let free = |area: &Area| {
                let inside =
                    area.x >= self.area.x && area.right() <= self.area.right() + 4.0 && area.y >= self.area.y - 3.0;
                inside && area.bottom() <= self.area.bottom() && !self.taken.iter().any(|other| overlap(area, other))
            };
            if let Some(area) = boxes.into_iter().find(free) {
                self.taken.push(area);
                placed.push((area, text));
            }
        }
        placed
    }
}

fn overlap(a: &Area, b: &Area) -> bool {
    a.x < b.right() && b.x < a.right() && a.y < b.bottom() && b.y < a.bottom()
}
