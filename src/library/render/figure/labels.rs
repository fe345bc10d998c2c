//! Labels of marks: beside them where there is room, else a number that a key below the panels explains.

use super::frame::Area;
use super::palette::Palette;
use super::scene::{Anchor, NOTE, Scene, width};

/// Space on both sides of a label.
const BLANK: f64 = 1.5;

/// Minimum distance of a label with a leader line from other marks.
const OFF_OTHERS: f64 = 4.5;

/// By how much a label must be nearer to its own mark than to any other.
const CLEARER: f64 = 2.0;

/// Leader lines are drawn only for up to this many labels; more would clutter the figure.
const MAX_LEADERS: usize = 24;

/// Labels to be placed.
pub(super) struct Labels {
    area: Area,
    taken: Vec<Area>,
    /// Positions of the marks.
    points: Vec<(f64, f64)>,
    wanted: Vec<WantedLabel>,
    /// Leader lines of the labels placed so far.
    leaders: Vec<[(f64, f64); 2]>,
}

/// A label to be placed.
struct WantedLabel {
    x: f64,
    y: f64,
    text: String,
    /// For the label of a horizontal line: where the line begins; it ends at the label's point.
    on_line_from: Option<f64>,
    /// Whether a number in the key replaces it in any case.
    numbered: bool,
}

/// How far from its point a label may be placed.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Reach {
    /// Beside its point, or on its line.
    Near,
    /// At the end of a leader line, clear of other marks.
    Far,
    /// As `Far`, wherever it covers nothing: for labels that would otherwise be lost.
    Anywhere,
}

impl Labels {
    pub fn within(area: Area) -> Self {
        Self { area, taken: Vec::new(), points: Vec::new(), wanted: Vec::new(), leaders: Vec::new() }
    }

    /// Marks that no label may cover.
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

    /// A line that no label may cover.
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

    /// Adds the label of a mark. Overlapping marks with the same label get a single one.
    pub fn add(&mut self, (x, y): (f64, f64), text: &str, numbered: bool) {
        let is_same = |other: &WantedLabel| other.text == text && (other.x - x).hypot(other.y - y) < 2.0 * HALF_MARK;
        if !text.is_empty() && !self.wanted.iter().any(is_same) {
            self.wanted.push(WantedLabel { x, y, text: text.to_owned(), on_line_from: None, numbered });
        }
    }

    /// Adds the label of a horizontal line from `left` to `right`, to be placed above or below it.
    pub fn add_on_line(&mut self, (left, right): (f64, f64), y: f64, text: &str) {
        if !text.is_empty() {
            let on_line_from = Some(left);
            self.wanted.push(WantedLabel { x: right, y, text: text.to_owned(), on_line_from, numbered: false });
        }
    }

    /// Draws each label where it covers nothing.
    pub fn draw(self, scene: &mut Scene, palette: &Palette, key: &mut NameKey) {
        for PlacedLabel { area, text, leader } in self.placed(|text| width(text, NOTE, false), key) {
            if let Some([from, to]) = leader {
                scene.line(from, to, palette.muted, 0.4);
            }
            scene.text((area.x, area.y + area.h * 0.85), &text, NOTE, palette.ink, Anchor::Start);
        }
    }

    /// Places each label where it covers nothing and is nearest to its own point: beside it, else, if there are few
    /// labels, at the end of a leader line. A label without such a place is replaced by its number in the key; if that
    /// has no room either, the key counts it. `wide` gives the width of a text.
    pub fn placed(mut self, wide: impl Fn(&str) -> f64, key: &mut NameKey) -> Vec<PlacedLabel> {
        let wanted = std::mem::take(&mut self.wanted);
        let reaches: &[Reach] = if wanted.len() > MAX_LEADERS { &[Reach::Near] } else { &[Reach::Near, Reach::Far] };
        let (numbered, named): (Vec<WantedLabel>, Vec<WantedLabel>) =
            wanted.into_iter().partition(|label| label.numbered);
        // Line labels first, since they have no other place.
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
        // Labels that fit beside their point are placed before any leader lines.
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
            // A label as short as its number needs no number.
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

    /// Places a text at the first free position within reach, and marks the position and its leader line as taken.
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
        // Labels on a line are separated by a blank.
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

    /// Whether the leader line from a point to an area passes no other mark, to which it would seem to belong, and
    /// crosses no label.
    fn is_clear(&self, from: (f64, f64), area: &Area, of_line: bool, [off, off_line]: [f64; 2]) -> bool {
        let [start, end] = leader(from, area, of_line);
        if self.others(from).any(|other| distance(other, area) < off) {
            return false;
        }
        // With `Reach::Anywhere`, a leader line may cross other lines, but no labels.
        if off >= OFF_OTHERS && self.leaders.iter().any(|other| cross([start, end], *other)) {
            return false;
        }
        let steps = (0..=10).map(|step| f64::from(step) / 10.0);
        let mut along = steps.map(|share| (start.0 + (end.0 - start.0) * share, start.1 + (end.1 - start.1) * share));
        along.all(|at| {
            let is_off = |(px, py): (f64, f64)| (px - at.0).hypot(py - at.1) > off_line;
            // Areas wider than a mark or a step of a line are labels.
            let is_name = |other: &&Area| other.w > 2.0 * HALF_MARK + 0.1;
            let within = |other: &Area| distance(at, other) < 0.5;
            self.others(from).all(is_off) && !self.taken.iter().filter(is_name).any(within)
        })
    }

    /// All marks except the one at this point.
    fn others(&self, (x, y): (f64, f64)) -> impl Iterator<Item = (f64, f64)> {
        self.points.iter().copied().filter(move |(px, py)| (px - x).hypot(py - y) > 0.5)
    }
}

/// A label with its final position.
pub(super) struct PlacedLabel {
    pub area: Area,
    pub text: String,
    /// The leader line from the edge of its point, if the label is further away.
    pub leader: Option<[(f64, f64); 2]>,
}

/// Half the size of a mark.
pub(super) const HALF_MARK: f64 = 3.0;

/// Distance of a label from its point.
pub(super) const OFF: f64 = 4.5;

/// Multiples of that distance tried with leader lines.
pub(super) const FURTHER: [f64; 8] = [1.7, 2.5, 3.2, 4.0, 5.0, 6.5, 8.0, 10.0];

/// Number of steps tried along a line.
const ALONG: u32 = 8;

/// Start of a leader line, and the area of its label.
pub(super) type LabelPlace = ((f64, f64), Area);

/// Eight positions around a point.
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

/// Positions all around a point at a larger distance, for labels with leader lines.
pub(super) fn further((x, y): (f64, f64), off: f64, (w, h): (f64, f64)) -> Vec<LabelPlace> {
    const DIRECTIONS: u32 = 24;
    /// Directions with a smaller component than this count as horizontal or vertical.
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

/// Positions above and below a horizontal line, from its end to its beginning.
pub(super) fn on_line((left, right): (f64, f64), y: f64, (w, h): (f64, f64)) -> Vec<LabelPlace> {
    let room = (right - 4.0 - w - left).max(0.0);
    let steps = (0..=ALONG).map(|step| right - w - 4.0 - room * f64::from(step) / f64::from(ALONG));
    let places = steps.flat_map(|x| [(x, y - h - 1.5), (x, y + 2.0)]);
    places.map(|(x, top)| ((x + w / 2.0, y), Area { x, y: top, w, h })).collect()
}

/// Positions further from a horizontal line, the nearest first, each with the point on the line straight above or below it.
pub(super) fn off_line((left, right): (f64, f64), y: f64, (w, h): (f64, f64)) -> Vec<LabelPlace> {
    const STEP: f64 = 5.0;
    const STEPS: u32 = 16;
    let beside = on_line((left, right), y, (w, h));
    let off = (1..=STEPS).map(|step| f64::from(step) * STEP);
    let places = off.flat_map(|off| {
        // Near the beginning of a roof there are fewer marks.
        beside.iter().rev().map(move |((from, _), area)| {
            let top = if area.y < y { area.y - off } else { area.y + off };
            ((from.max(left).min(right), y), Area { y: top, ..*area })
        })
    });
    places.collect()
}

/// Distance of a point from a box.
pub(super) fn distance((x, y): (f64, f64), area: &Area) -> f64 {
    (x - x.clamp(area.x, area.right())).hypot(y - y.clamp(area.y, area.bottom()))
}

/// A leader line from the edge of a mark, or from a line, to the nearest point of a label.
pub(super) fn leader((x, y): (f64, f64), area: &Area, of_line: bool) -> [(f64, f64); 2] {
    let mark = if of_line { 0.0 } else { HALF_MARK + 0.2 };
    let to = (x.clamp(area.x - 0.8, area.right() + 0.8), y.clamp(area.y, area.bottom()));
    let length = (to.0 - x).hypot(to.1 - y).max(1e-6);
    [(x + (to.0 - x) / length * mark, y + (to.1 - y) / length * mark), to]
}

/// Whether two line segments cross.
pub(super) fn cross([a, b]: [(f64, f64); 2], [c, d]: [(f64, f64); 2]) -> bool {
    // The sign says on which side of a line a point lies.
    let side =
        |(x0, y0): (f64, f64), (x1, y1): (f64, f64), (x, y): (f64, f64)| (x1 - x0) * (y - y0) - (y1 - y0) * (x - x0);
    side(a, b, c) * side(a, b, d) < 0.0 && side(c, d, a) * side(c, d, b) < 0.0
}

pub(super) fn overlap(a: &Area, b: &Area) -> bool {
    a.x < b.right() && b.x < a.right() && a.y < b.bottom() && b.y < a.bottom()
}

/// Maximum number of numbered labels: nobody looks up more.
const MAX_NUMBERED_LABELS: usize = 40;

/// The key of numbered labels, shared by all panels of a figure.
#[derive(Debug, Clone, Default)]
pub(super) struct NameKey {
    names: Vec<String>,
    left_out: usize,
    /// What the bare numbers beside marks are, such as `batch`.
    unit: Option<String>,
}

impl NameKey {
    /// The number that replaces a label, such as `(3)`; `None` if there are too many, and the label is counted as left out.
    pub fn number_of(&mut self, name: &str) -> Option<String> {
        let known = self.names.iter().position(|known| known == name);
        let number = known.or_else(|| (self.names.len() < MAX_NUMBERED_LABELS).then_some(self.names.len()));
        if number.is_none() {
            self.left_out += 1;
        }
        number.map(|at| format!("({})", at + 1))
    }

    /// Adds a label to the key once its number is drawn.
    pub fn take(&mut self, name: &str) {
        if !self.names.iter().any(|known| known == name) {
            self.names.push(name.to_owned());
        }
    }

    /// Sets what the bare numbers beside marks are.
    pub fn say_unit(&mut self, unit: &str) {
        self.unit = Some(unit.to_owned());
    }

    /// Counts a label for which not even a number has room.
    pub fn leave_out(&mut self) {
        self.left_out += 1;
    }

    /// How many marks have no label.
    #[cfg(test)]
    pub fn left_out(&self) -> usize {
        self.left_out
    }

    /// The text below the panels; `None` if every mark has its label. `kept_together` formats an entry so that no line
    /// break falls inside it.
    pub fn text(&self, kept_together: impl Fn(&str) -> String) -> Option<String> {
        let named = (1..).zip(&self.names).map(|(number, name)| kept_together(&format!("({number}) {name}")));
        let mut parts: Vec<String> = Vec::new();
        parts.extend(self.unit.as_ref().map(|unit| format!("Numbers beside marks: {unit}.")));
        let named: Vec<String> = named.collect();
        parts.extend((!named.is_empty()).then(|| format!("{}.", named.join(", "))));
        parts.extend(match self.left_out {
            0 => None,
            1 => Some("1 mark has no room for its name.".to_owned()),
            many => Some(format!("{many} marks have no room for their names.")),
        });
        (!parts.is_empty()).then(|| parts.join(" "))
    }
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
        // Marks along a roof, so close that nothing fits between them.
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

    fn text(key: &NameKey) -> Option<String> {
        key.text(str::to_owned)
    }

    #[test]
    fn a_name_has_one_number_and_what_is_not_named_is_counted() {
        let mut key = NameKey::default();
        assert_eq!(text(&key), None);
        for name in ["a b", "c", "a b"] {
            assert!(key.number_of(name).is_some());
            key.take(name);
        }
        assert_eq!(key.number_of("c").as_deref(), Some("(2)"));
        key.leave_out();
        assert_eq!(text(&key).as_deref(), Some("(1) a b, (2) c. 1 mark has no room for its name."));
    }
}
