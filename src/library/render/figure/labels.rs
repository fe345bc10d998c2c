//! Names beside points, where there is room for them; else a number, whose name stands in a key below the panels.

use super::font::{NOTE, width};
use super::frame::Area;
use super::label_places::{
    FURTHER, HALF_MARK, OFF, around, cross, distance, further, leader, off_line, on_line, overlap,
};
use super::name_key::NameKey;
use super::palette::Palette;
use super::scene::{Anchor, Scene};

/// To both sides of a name.
const BLANK: f64 = 1.5;
/// So far a name at the end of a line is from marks that are not its own.
const OFF_OTHERS: f64 = 4.5;
/// By so much a name is nearer to its own point than to any other.
const CLEARER: f64 = 2.0;
/// More names at lines would be a thicket.
const FEW: usize = 24;

/// Names that wait for a place.
pub(super) struct Labels {
    area: Area,
    taken: Vec<Area>,
    /// Where marks stand.
    points: Vec<(f64, f64)>,
    wanted: Vec<WantedLabel>,
    /// Lines from marks to names that have a place.
    leaders: Vec<[(f64, f64); 2]>,
}

/// A name that waits for a place.
struct WantedLabel {
    x: f64,
    y: f64,
    text: String,
    /// Where the level line begins that the name stands on and that ends at its point.
    on_line_from: Option<f64>,
    /// Whether a number stands for it in any case.
    numbered: bool,
}

/// How far off its point a name may stand.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Reach {
    /// Beside its point or on its line.
    Near,
    /// At the end of a line from there, clear of other marks.
    Far,
    /// The same wherever it covers nothing: what would have no name at all is there.
    Anywhere,
}

impl Labels {
    pub fn within(area: Area) -> Self {
        Self { area, taken: Vec::new(), points: Vec::new(), wanted: Vec::new(), leaders: Vec::new() }
    }

    /// Places that no name may cover.
    pub fn avoid(&mut self, places: impl Iterator<Item = (f64, f64)>) {
        let places: Vec<(f64, f64)> = places.collect();
        self.points.extend_from_slice(&places);
        let boxes = places.into_iter().map(|(x, y)| Area {
            x: x - HALF_MARK,
            y: y - HALF_MARK,
            w: 2.0 * HALF_MARK,
            h: 2.0 * HALF_MARK,
        });
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

    /// A name for a place. Marks that touch each other and have the same name are named once.
    pub fn add(&mut self, (x, y): (f64, f64), text: &str, numbered: bool) {
        let is_same = |other: &WantedLabel| other.text == text && (other.x - x).hypot(other.y - y) < 2.0 * HALF_MARK;
        if !text.is_empty() && !self.wanted.iter().any(is_same) {
            self.wanted.push(WantedLabel { x, y, text: text.to_owned(), on_line_from: None, numbered });
        }
    }

    /// A name for a level line from `left` to `right`, above or below it.
    pub fn add_on_line(&mut self, (left, right): (f64, f64), y: f64, text: &str) {
        if !text.is_empty() {
            let on_line_from = Some(left);
            self.wanted.push(WantedLabel { x: right, y, text: text.to_owned(), on_line_from, numbered: false });
        }
    }

    /// Draws each name where it covers nothing.
    pub fn draw(self, scene: &mut Scene, palette: &Palette, key: &mut NameKey) {
        for PlacedLabel { area, text, leader } in self.placed(|text| width(text, NOTE, false), key) {
            if let Some([from, to]) = leader {
                scene.line(from, to, palette.muted, 0.4);
            }
            scene.text((area.x, area.y + area.h * 0.85), &text, NOTE, palette.ink, Anchor::Start);
        }
    }

    /// Each name where it covers nothing and stands nearer to its own point than to any other: beside its point, else, where few
    /// names are wanted, at a line from there. Where a name has no such place, its number in the key stands in its place; where that
    /// has none either, the key counts it. `wide` tells how wide a text is set.
    pub fn placed(mut self, wide: impl Fn(&str) -> f64, key: &mut NameKey) -> Vec<PlacedLabel> {
        let wanted = std::mem::take(&mut self.wanted);
        let reaches: &[Reach] = if wanted.len() > FEW { &[Reach::Near] } else { &[Reach::Near, Reach::Far] };
        let (numbered, named): (Vec<WantedLabel>, Vec<WantedLabel>) =
            wanted.into_iter().partition(|label| label.numbered);
        // Lines are named first: a name on a line has no other place.
        let (on_lines, mut waiting): (Vec<WantedLabel>, Vec<WantedLabel>) =
            named.into_iter().partition(|label| label.on_line_from.is_some());
        let mut placed = Vec::new();
        let mut without = Vec::new();
        for label in on_lines {
            match reaches.iter().find_map(|reach| self.place(&label, &label.text, wide(&label.text), *reach)) {
                Some(found) => placed.push(found),
                None => without.push(label),
            }
        }
        // What has a place beside its point takes it before lines are drawn from the others.
        for reach in reaches {
            for label in std::mem::take(&mut waiting) {
                match self.place(&label, &label.text, wide(&label.text), *reach) {
                    Some(found) => placed.push(found),
                    None => waiting.push(label),
                }
            }
        }
        for label in without.into_iter().chain(waiting).chain(numbered) {
            let Some(number) = key.number_of(&label.text) else { continue };
            // A name as short as a number needs none.
            if wide(&label.text) <= wide(&number)
                && let Some(found) = self.place(&label, &label.text, wide(&label.text), Reach::Anywhere)
            {
                placed.push(found);
                continue;
            }
            let reaches = [Reach::Near, Reach::Far, Reach::Anywhere];
            match reaches.into_iter().find_map(|reach| self.place(&label, &number, wide(&number), reach)) {
                Some(found) => {
                    key.take(&label.text);
                    placed.push(found);
                }
                None => key.leave_out(),
            }
        }
        placed
    }

    /// A text at the first place within reach where it covers nothing; the place is taken then, and so is that of its line.
    fn place(&mut self, label: &WantedLabel, text: &str, w: f64, reach: Reach) -> Option<PlacedLabel> {
        let h = NOTE;
        let &WantedLabel { x, y, on_line_from, .. } = label;
        let places = match (on_line_from, reach) {
            (Some(left), Reach::Near) => on_line((left, x), y, (w, h)),
            (Some(left), _) => off_line((left, x), y, (w, h)),
            (None, Reach::Near) => around((x, y), OFF, (w, h)).to_vec(),
            (None, _) => FURTHER.iter().flat_map(|times| further((x, y), OFF * times, (w, h))).collect(),
        };
        let found = places.into_iter().find(|(from, area)| {
            self.is_free(area)
                && match reach {
                    Reach::Far => self.is_clear(*from, area, on_line_from.is_some(), [OFF_OTHERS, HALF_MARK]),
                    Reach::Anywhere => self.is_clear(*from, area, on_line_from.is_some(), [HALF_MARK, 1.0]),
                    Reach::Near => on_line_from.is_some() || self.is_nearest((x, y), area),
                }
        });
        let (from, area) = found?;
        // Between two names on a line there is a blank.
        self.taken.push(Area { x: area.x - BLANK, w: area.w + 2.0 * BLANK, ..area });
        let leader = (reach != Reach::Near).then(|| leader(from, &area, on_line_from.is_some()));
        if let Some(line) = leader {
            self.avoid_line(&line);
            self.leaders.push(line);
        }
        Some(PlacedLabel { area, text: text.to_owned(), leader })
    }

    /// Whether an area lies within the axes and covers nothing.
    fn is_free(&self, area: &Area) -> bool {
        let inside = area.x >= self.area.x && area.right() <= self.area.right() + 4.0 && area.y >= self.area.y - 3.0;
        inside && area.bottom() <= self.area.bottom() && !self.taken.iter().any(|other| overlap(area, other))
    }

    /// Whether an area is nearer to a point than to any other mark.
    fn is_nearest(&self, (x, y): (f64, f64), area: &Area) -> bool {
        let to_own = distance((x, y), area);
        !self.others((x, y)).any(|other| distance(other, area) < to_own + CLEARER)
    }

    /// Whether the line from a point to an area passes no other mark, which it would be read as the line of, and crosses no
    /// name.
    fn is_clear(&self, from: (f64, f64), area: &Area, of_line: bool, [off, off_line]: [f64; 2]) -> bool {
        let [start, end] = leader(from, area, of_line);
        if self.others(from).any(|other| distance(other, area) < off) {
            return false;
        }
        // What would have no name at all may cross a line, but no name.
        if off >= OFF_OTHERS && self.leaders.iter().any(|other| cross([start, end], *other)) {
            return false;
        }
        let steps = (0..=10).map(|step| f64::from(step) / 10.0);
        let mut along = steps.map(|share| (start.0 + (end.0 - start.0) * share, start.1 + (end.1 - start.1) * share));
        along.all(|at| {
            let is_off = |(px, py): (f64, f64)| (px - at.0).hypot(py - at.1) > off_line;
            // What is wider than a step of a line or a mark is a name.
            let is_name = |other: &&Area| other.w > 2.0 * HALF_MARK + 0.1;
            let within = |other: &Area| distance(at, other) < 0.5;
            self.others(from).all(is_off) && !self.taken.iter().filter(is_name).any(within)
        })
    }

    /// The marks besides that of a point.
    fn others(&self, (x, y): (f64, f64)) -> impl Iterator<Item = (f64, f64)> {
        self.points.iter().copied().filter(move |(px, py)| (px - x).hypot(py - y) > 0.5)
    }
}

/// A name where it is drawn.
pub(super) struct PlacedLabel {
    pub area: Area,
    pub text: String,
    /// From the edge of its point to the name, where that stands further off.
    pub leader: Option<[(f64, f64); 2]>,
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
            labels.add((x, y), &format!("batch {at}"), false);
        }
        let placed = labels.placed(|text| text.len() as f64 * 3.5, &mut NameKey::default());
        assert_eq!(placed.len(), points.len());
        for label in placed.iter().filter(|label| label.leader.is_none()) {
            let own: usize = label.text.trim_start_matches("batch ").parse().unwrap();
            let to_own = distance(points[own], &label.area);
            let mut others = points.iter().enumerate().filter(|(at, _)| *at != own);
            assert!(others.all(|(_, other)| distance(*other, &label.area) > to_own), "{}", label.text);
        }
    }

    #[test]
    fn a_name_without_room_is_a_number_in_a_key_and_a_roof_has_a_line_to_its_name() {
        let area = Area { x: 0.0, y: 0.0, w: 80.0, h: 60.0 };
        let mut labels = Labels::within(area);
        // Marks along a roof, so close that nothing stands between them.
        let marks: Vec<(f64, f64)> = (0..13).map(|at| (4.0 + f64::from(at) * 6.0, 30.0)).collect();
        labels.avoid(marks.iter().copied());
        labels.avoid_line(&[(0.0, 30.0), (80.0, 30.0)]);
        labels.add_on_line((0.0, 80.0), 30.0, "fp32 peak");
        for (at, mark) in marks.iter().enumerate() {
            labels.add(*mark, &format!("a network of a long name {at}"), false);
        }
        let mut key = NameKey::default();
        let placed = labels.placed(|text| text.len() as f64 * 3.5, &mut key);
        let roof = placed.iter().find(|label| label.text == "fp32 peak").expect("the name of the roof");
        assert!(roof.leader.is_some(), "marks stand above and below the roof: {:?}", roof.area);
        assert_eq!(placed.len() + key.left_out(), 1 + marks.len(), "no mark is passed over in silence");
        assert!(placed.iter().filter(|label| label.text.starts_with('(')).count() > 8, "{}", placed.len());
        let told = key.text(str::to_owned).expect("a key");
        assert!(told.starts_with("(1) a network of a long name "), "{told}");
        for (at, one) in placed.iter().enumerate() {
            assert!(placed[at + 1..].iter().all(|other| !overlap(&one.area, &other.area)), "{}", one.text);
        }
    }
}
