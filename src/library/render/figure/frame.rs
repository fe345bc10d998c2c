//! Around the data: axes with ticks, grid and titles; value positions; the legend; hatch patterns for black-and-white print.

use super::palette::Palette;
use super::scene::{Anchor, Color, LABEL, SMALLEST, Scene, SceneShape, TICK, widest, width};
use crate::ask::plot::{Figure, FigureAxis, FigureKind, Panel, Scale};

/// A rectangle on the page.
#[derive(Debug, Clone, Copy)]
pub(super) struct Area {
    pub x: f64,
    pub y: f64,
    pub w: f64,
    pub h: f64,
}

/// The context for drawing one panel.
#[derive(Debug, Clone, Copy)]
pub(super) struct PanelFrame<'f> {
    pub figure: &'f Figure,
    pub panel: &'f Panel,
    pub palette: &'f Palette,
    /// The rectangle for plot, axes and labels.
    pub area: Area,
    /// Whether the value axis has its title: only in the first panel of each row.
    pub named: bool,
    /// Width of the tick labels and title left of the plot, equal in all panels.
    pub left: f64,
}

impl Area {
    pub fn bottom(&self) -> f64 {
        self.y + self.h
    }

    pub fn right(&self) -> f64 {
        self.x + self.w
    }
}

/// Width of the vertical axis title.
pub(super) const NAME: f64 = LABEL * 1.5;

/// Width of the vertical axis labels, without the title.
pub(super) fn gutter(ticks: &[Tick]) -> f64 {
    widest(ticks.iter().map(|tick| tick.text.as_str()), TICK) + 5.0
}

/// Number of ticks that fit on a vertical axis of this height.
pub(super) fn ticks_in(height: f64) -> usize {
    const EACH: f64 = 16.0;
    ((height / EACH) as usize).clamp(2, MAX_TICKS)
}

/// Draws the vertical axis of `plot`: grid lines, tick labels to the left, and the rotated title at the left edge.
pub(super) fn vertical(
    scene: &mut Scene,
    plot: Area,
    (extent, ticks): (&Extent, &[Tick]),
    (name, left): (&str, f64),
    palette: &Palette,
) {
    for tick in ticks {
        let y = plot.bottom() - extent.share(tick.at) * plot.h;
        scene.line((plot.x, y), (plot.right(), y), palette.grid, 0.5);
        scene.text((plot.x - 4.0, y + TICK * 0.35), &tick.text, TICK, palette.ink, Anchor::End);
    }
    if !name.is_empty() {
        let x = plot.x - left + LABEL * 0.9;
        // A title longer than its axis is set smaller, down to the smallest readable size.
        let share = (plot.h + 2.0 * LABEL) / super::scene::width(name, LABEL, false);
        let size = (LABEL * share).clamp(SMALLEST, LABEL);
        let (y, text, color) = (plot.y + plot.h / 2.0, name.to_owned(), palette.ink);
        scene.shapes.push(SceneShape::Text {
            x,
            y,
            text,
            size,
            color,
            anchor: Anchor::Middle,
            bold: false,
            turned: -90.0,
        });
    }
}

/// Draws a horizontal numeric axis: grid lines, tick labels and title below. Returns the lower end.
pub(super) fn horizontal(
    scene: &mut Scene,
    plot: Area,
    extent: &Extent,
    ticks: &[Tick],
    name: &str,
    palette: &Palette,
) -> f64 {
    let mut free = f64::NEG_INFINITY;
    for tick in ticks {
        let x = plot.x + extent.share(tick.at) * plot.w;
        scene.line((x, plot.y), (x, plot.bottom()), palette.grid, 0.5);
        let half = super::scene::width(&tick.text, TICK, false) / 2.0;
        // Labels that would overlap are left out.
        if x - half > free {
            // The last label must not reach into the next panel.
            let middle = x.min(plot.right() + 4.0 - half);
            scene.text((middle, plot.bottom() + TICK * 1.35), &tick.text, TICK, palette.ink, Anchor::Middle);
            free = x + half + 3.0;
        }
    }
    let y = plot.bottom() + TICK * 1.35 + LABEL * 1.45;
    scene.text((plot.x + plot.w / 2.0, y), name, LABEL, palette.ink, Anchor::Middle);
    y + LABEL * 0.3
}

/// Draws the base line of a plot.
pub(super) fn base(scene: &mut Scene, plot: Area, palette: &Palette) {
    scene.line((plot.x, plot.bottom()), (plot.right(), plot.bottom()), palette.ink, 0.8);
}

/// The range of an axis, and its scale.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Extent {
    pub low: f64,
    pub high: f64,
    pub log: bool,
    /// From this number on, labels have thousands separators.
    pub thousands: f64,
}

/// Four-digit numbers need no separator, unless longer numbers are on the same axis (`BESIDE_LONGER`).
const ALONE: f64 = 10_000.0;

const BESIDE_LONGER: f64 = 1_000.0;

/// A tick with its label.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Tick {
    pub at: f64,
    pub text: String,
}

impl Extent {
    /// The limits of an axis if set, else the range of all values plus a margin; with `from_zero` it includes zero, for bars.
    pub fn along(axis: &FigureAxis, values: impl Iterator<Item = f64>, from_zero: bool) -> Self {
        match axis.limits {
            Some((low, high)) => Self { low, high, log: axis.scale == Scale::Log, thousands: ALONE },
            None => Self::of(values, &axis.scale, from_zero),
        }
    }

    /// The range of all values plus a margin; with `from_zero` it includes zero, for bars.
    pub fn of(values: impl Iterator<Item = f64>, scale: &Scale, from_zero: bool) -> Self {
        let (mut low, mut high) = (f64::INFINITY, f64::NEG_INFINITY);
        for value in values.filter(|value| value.is_finite()) {
            low = low.min(value);
            high = high.max(value);
        }
        if low > high {
            (low, high) = (0.0, 1.0);
        }
        if *scale == Scale::Log && low > 0.0 {
            let room = (high / low).max(1.5).powf(0.06);
            return Self { low: low / room, high: high * room, log: true, thousands: ALONE };
        }
        if from_zero {
            let high = if high > 0.0 { high * 1.06 } else { high.max(0.0) };
            return Self { low: low.min(0.0), high, log: false, thousands: ALONE };
        }
        let room = match high > low {
            true => (high - low) * 0.06,
            // A single year is centred between its neighbours.
            false if *scale == Scale::Years => 2.0,
            false => high.abs().max(1.0) * 0.1,
        };
        Self { low: low - room, high: high + room, log: false, thousands: ALONE }
    }

    /// Formats labels as on the other axes of a figure with these values.
    pub fn written_like(self, values: impl Iterator<Item = f64>) -> Self {
        let largest = values.map(f64::abs).fold(self.high.abs(), f64::max);
        Self { thousands: if largest >= ALONE { BESIDE_LONGER } else { ALONE }, ..self }
    }

    /// Extends a linear range to the next tick, so that a tick is above the largest value.
    pub fn up_to_a_mark(self) -> Self {
        let marks = if self.log { Vec::new() } else { self.steps(MAX_TICKS) };
        let (Some(last), Some(step)) = (marks.last(), marks.windows(2).next().map(|pair| pair[1] - pair[0])) else {
            return self;
        };
        let high = if *last < self.high { last + step } else { self.high };
        Self { high, ..self }
    }

    /// Position of a value along the axis, 0 to 1.
    pub fn share(&self, value: f64) -> f64 {
        match self.log {
            true => (value.max(f64::MIN_POSITIVE).ln() - self.low.ln()) / (self.high.ln() - self.low.ln()),
            false => (value - self.low) / (self.high - self.low),
        }
    }

    /// About `wanted` ticks at round numbers; at least three if there is room.
    pub fn ticks(&self, wanted: usize) -> Vec<Tick> {
        let values = if self.log { self.ratios(wanted) } else { self.steps(wanted) };
        let decimals = if self.log { None } else { values.windows(2).next().map(|pair| decimals(pair[1] - pair[0])) };
        values.into_iter().map(|at| Tick { at, text: number(at, decimals, self.thousands) }).collect()
    }

    fn steps(&self, wanted: usize) -> Vec<f64> {
        let rough = (self.high - self.low) / wanted.max(1) as f64;
        let power = 10_f64.powf(rough.log10().floor());
        let step = [1.0, 2.0, 2.5, 5.0, 10.0].into_iter().map(|m| m * power).find(|step| *step >= rough * 0.999);
        let mut step = step.unwrap_or(10.0 * power);
        let held = |step: f64| (self.high / step + 1e-9).floor() - (self.low / step - 1e-9).ceil() + 1.0;
        // Two ticks are hard to read as a scale.
        let finer = [0.5, 0.2].into_iter().map(|share| share * step).find(|finer| held(*finer) >= MIN_TICKS as f64);
        if held(step) < MIN_TICKS as f64 && wanted >= MIN_TICKS {
            step = finer.unwrap_or(step);
        }
        let first = (self.low / step - 1e-9).ceil() as i64;
        let last = (self.high / step + 1e-9).floor() as i64;
        (first..=last).map(|n| n as f64 * step).collect()
    }

    fn ratios(&self, wanted: usize) -> Vec<f64> {
        let inside = |value: &f64| *value >= self.low * 0.999 && *value <= self.high * 1.001;
        let (first, last) = (self.low.log10().floor() as i32, self.high.log10().ceil() as i32);
        let of = |digits: &[f64]| -> Vec<f64> {
            let values = (first..=last).flat_map(|power| digits.iter().map(move |digit| digit * 10_f64.powi(power)));
            values.filter(inside).collect()
        };
        let choices = [&[1.0, 1.5, 2.0, 3.0, 4.0, 5.0, 6.0, 8.0][..], &[1.0, 2.0, 5.0], &[1.0, 3.0], &[1.0]];
        for digits in choices {
            let values = of(digits);
            if values.len() <= wanted + 2 {
                return values;
            }
        }
        let decades = of(&[1.0]);
        let every = decades.len().div_ceil(wanted.max(1));
        decades.into_iter().step_by(every).collect()
    }
}

fn decimals(step: f64) -> usize {
    (0..16)
        .find(|n| {
            let scaled = step * 10_f64.powi(*n);
            (scaled - scaled.round()).abs() < 1e-6 * scaled.abs().max(1.0)
        })
        .unwrap_or(0) as usize
}

/// An axis with fewer ticks than this is hard to read.
const MIN_TICKS: usize = 3;

/// Maximum number of ticks wanted on a vertical axis.
const MAX_TICKS: usize = 5;

/// Keeps every tick, or every second, third …, so that labels of this type size do not overlap on an axis of this length.
pub(super) fn thin_out(ticks: Vec<Tick>, extent: &Extent, length: f64, size: f64) -> Vec<Tick> {
    const BLANK: f64 = 3.0;
    let place = |tick: &Tick| (extent.share(tick.at) * length, width(&tick.text, size, false) / 2.0);
    let fits = |step: &usize| {
        let places: Vec<(f64, f64)> = ticks.iter().step_by(*step).map(place).collect();
        places.windows(2).all(|pair| pair[1].0 - pair[1].1 - (pair[0].0 + pair[0].1) >= BLANK)
    };
    let step = (1..=ticks.len()).find(fits).unwrap_or(1);
    ticks.into_iter().step_by(step).collect()
}

/// Formats a number: `12,500`, `0.05`, `1M`; separators from `thousands` on.
pub(super) fn number(value: f64, decimals: Option<usize>, thousands: f64) -> String {
    if value == 0.0 {
        return "0".to_owned();
    }
    if value.abs() >= 1e6 {
        return format!("{}M", trimmed(value / 1e6, 4));
    }
    let text = match decimals {
        Some(decimals) => format!("{value:.decimals$}"),
        None => trimmed(value, decimals_of(value)),
    };
    if value.abs() < thousands { text } else { grouped(&text) }
}

/// Decimals for four significant digits, at least four: `0.000025` is readable, `3e-5` is not.
pub(super) fn decimals_of(value: f64) -> usize {
    const DIGITS: i32 = 4;
    if value == 0.0 {
        return 0;
    }
    (DIGITS - 1 - value.abs().log10().floor() as i32).max(DIGITS) as usize
}

/// A number without trailing zeros, with at most `decimals` decimals and never an exponent.
pub(super) fn trimmed(value: f64, decimals: usize) -> String {
    let text = format!("{value:.decimals$}");
    text.trim_end_matches('0').trim_end_matches('.').to_owned()
}

/// Inserts thousands separators.
fn grouped(text: &str) -> String {
    let (whole, fraction) = text.split_once('.').map_or((text, ""), |(whole, fraction)| (whole, fraction));
    let (sign, digits) = whole.strip_prefix('-').map_or(("", whole), |digits| ("-", digits));
    let mut out = String::new();
    for (at, digit) in digits.chars().enumerate() {
        if at > 0 && (digits.len() - at) % 3 == 0 {
            out.push(',');
        }
        out.push(digit);
    }
    if fraction.is_empty() { format!("{sign}{out}") } else { format!("{sign}{out}.{fraction}") }
}

/// Distance between hatch lines in points (larger for lighter fills); `WIDTH` is their line width.
const STEP: f64 = 3.4;

const WIDTH: f64 = 0.55;

/// Hatch patterns by the normals (x, y) of their lines, on which `x * px + y * py` is a multiple of the step.
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

/// The TikZ names of the same patterns; the first group has none.
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

/// The lines of a pattern, clipped to an area.
fn lines(area: Area, hue: usize, shade: usize) -> Vec<Vec<(f64, f64)>> {
    let step = STEP * if shade == 0 { 1.0 } else { 1.7 };
    let mut found = Vec::new();
    for (px, py) in PATTERNS[hue % PATTERNS.len()] {
        // Distances are measured along the normal of the lines.
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

/// The part of the line `x * nx + y * ny = at` within an area, relative to the area's corner.
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

const SWATCH: f64 = 13.0;

const GAP: f64 = 14.0;

/// Draws the legend below `y` and returns its lower end.
pub(super) fn draw_legend(scene: &mut Scene, figure: &Figure, palette: &Palette, left: f64, y: f64, room: f64) -> f64 {
    if figure.groups.is_empty() {
        return y;
    }
    let (mut x, mut line) = (left, y + TICK);
    // Columns of equal width, so that shades of one colour line up.
    let widest = figure.groups.iter().map(|group| width(&group.name, TICK, false)).fold(0.0, f64::max);
    let column = (widest + SWATCH + 4.0 + GAP).min(room);
    let natural: f64 = figure.groups.iter().map(|group| width(&group.name, TICK, false) + SWATCH + 4.0 + GAP).sum();
    let in_columns = natural - GAP > room;
    for group in &figure.groups {
        let step = if in_columns { column } else { width(&group.name, TICK, false) + SWATCH + 4.0 + GAP };
        if x > left && x + step - GAP > left + room {
            x = left;
            line += TICK * 1.5;
        }
        let middle = line - TICK * 0.35;
        let (full, fill) = (palette.hue(group.hue), palette.fill(group.hue, group.shade));
        match figure.kind {
            FigureKind::Bars => {
                let (h, w) = (TICK * 0.95, SWATCH);
                let stroke = Some((full, 0.8));
                let tip = String::new();
                let swatch = Area { x, y: middle - h / 2.0, w, h };
                scene.shapes.push(SceneShape::Rect { x, y: swatch.y, w, h, fill: Some(fill), stroke, tip });
                draw(scene, swatch, (group.hue, group.shade), palette.on(fill));
            }
            kind => {
                if matches!(kind, FigureKind::Lines | FigureKind::Roofline) {
                    let points = vec![(x, middle), (x + SWATCH, middle)];
                    let dash = Palette::dash(group.shade);
                    scene.shapes.push(SceneShape::Line { points, color: full, width: 1.3, dash });
                }
                let fill = Some(if group.shade == 0 { full } else { palette.background });
                let (x, y, r, form) = (x + SWATCH / 2.0, middle, 2.7, group.hue);
                scene.shapes.push(SceneShape::Marker { x, y, r, form, fill, stroke: full, tip: String::new() });
            }
        }
        scene.text((x + SWATCH + 4.0, line), &group.name, TICK, palette.ink, Anchor::Start);
        x += step;
    }
    line + 8.0
}

#[cfg(test)]
mod tests {
    use super::*;

    fn texts(low: f64, high: f64, log: bool) -> Vec<String> {
        Extent { low, high, log, thousands: ALONE }
            .written_like(std::iter::empty())
            .ticks(5)
            .into_iter()
            .map(|tick| tick.text)
            .collect()
    }

    #[test]
    fn a_mark_is_above_the_highest_bar_and_a_year_between_its_neighbours() {
        let bars = |high: f64| Extent::of([high].into_iter(), &Scale::Linear, true).up_to_a_mark();
        for (highest, end) in [(511.0, 600.0), (4218.0, 5000.0), (0.76, 1.0)] {
            assert_eq!(bars(highest).high, end);
            assert_eq!(bars(highest).ticks(MAX_TICKS).last().map(|tick| tick.at), Some(end));
        }
        let year = Extent::of([2021.5].into_iter(), &Scale::Years, false);
        assert_eq!((year.low, year.high), (2019.5, 2023.5));
    }

    #[test]
    fn ticks_are_round_numbers() {
        assert_eq!(texts(0.0, 1046.0, false), ["0", "250", "500", "750", "1000"]);
        assert_eq!(texts(0.0, 0.9, false), ["0", "0.2", "0.4", "0.6", "0.8"]);
        assert_eq!(texts(0.0, 25000.0, false), ["0", "5,000", "10,000", "15,000", "20,000", "25,000"]);
        assert_eq!(texts(0.8, 150.0, true), ["1", "2", "5", "10", "20", "50", "100"]);
        assert_eq!(texts(1.0, 1e8, true), ["1", "100", "10,000", "1M", "100M"]);
        assert_eq!(texts(0.0, 0.0001, false), ["0", "0.00002", "0.00004", "0.00006", "0.00008", "0.00010"]);
        assert_eq!(texts(0.00001, 0.0002, true), ["0.00001", "0.00002", "0.00005", "0.0001", "0.0002"]);
        assert_eq!(number(0.000_025, None, ALONE), "0.000025");
        let low = Extent::of([40.0].into_iter(), &Scale::Linear, true);
        assert_eq!(low.ticks(3).len(), 3, "{low:?}");
    }

    #[test]
    fn marks_that_would_touch_are_left_out_at_even_steps() {
        let extent = Extent::of([1.0, 256.0].into_iter(), &Scale::Log, false);
        let batches = || (0..9).map(|power| 2_f64.powi(power)).map(|at| Tick { at, text: number(at, None, ALONE) });
        let texts = |length: f64| -> Vec<String> {
            thin_out(batches().collect(), &extent, length, 8.0).into_iter().map(|tick| tick.text).collect()
        };
        assert_eq!(texts(300.0).len(), 9);
        assert_eq!(texts(79.0), ["1", "4", "16", "64", "256"]);
    }

    #[test]
    fn values_stand_where_they_belong() {
        let extent = Extent::of([10.0, 1000.0].into_iter(), &Scale::Log, false);
        assert!((extent.share(100.0) - 0.5).abs() < 1e-9);
        let extent = Extent::of([5.0, 10.0].into_iter(), &Scale::Linear, true);
        assert_eq!((extent.low, extent.share(0.0)), (0.0, 0.0));
        let one = Extent::of([7.0].into_iter(), &Scale::Linear, false);
        assert!(one.share(7.0) > 0.4 && one.share(7.0) < 0.6);
    }

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
