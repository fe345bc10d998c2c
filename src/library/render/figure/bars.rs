//! Grouped bars: vertical if their names fit below them, else horizontal.

use super::frame;
use super::frame::{Area, PanelFrame, base, horizontal, ticks_in, vertical};
use super::frame::{Extent, Tick};
use super::palette::Palette;
use super::scene::{Anchor, Scene, SceneShape};
use super::scene::{LABEL, NOTE, TICK, widest, width, wrapped};
use crate::ask::plot::{Figure, Panel, Point, Scale};

/// Share of a name's slot that its bars fill.
const FILLED: f64 = 0.8;
/// Maximum number of lines of a name below vertical bars.
const MOST_LINES: usize = 3;
/// Thickness of a horizontal bar, and the maximum width of a vertical one.
const THICKNESS: f64 = 11.0;
const WIDEST: f64 = 34.0;

fn names(figure: &Figure) -> &[String] {
    match &figure.x.scale {
        Scale::Names(names) => names,
        _ => &[],
    }
}

/// Whether bars must be horizontal because their names do not fit below vertical ones in a panel of this width.
pub(super) fn needs_horizontal_bars(figure: &Figure, w: f64) -> bool {
    let names = names(figure);
    let slot = (w - 40.0) / names.len().max(1) as f64;
    let too_wide = |name: &String| {
        let lines = wrapped(name, TICK, slot - 3.0);
        lines.len() > MOST_LINES || widest(lines.iter().map(String::as_str), TICK) > slot - 1.0
    };
    let crowded = slot * FILLED / most_at_a_name(figure) as f64;
    names.iter().any(too_wide) || crowded < 3.0
}

/// Maximum number of bars per name in any panel.
fn most_at_a_name(figure: &Figure) -> usize {
    let count = |panel: &Panel, at: usize| at_name(panel, at).count();
    let names = names(figure).len();
    let counts = figure.panels.iter().flat_map(|panel| (0..names).map(move |at| count(panel, at)));
    counts.max().unwrap_or(1).max(1)
}

/// The bars of a name, each with its group.
fn at_name(panel: &Panel, at: usize) -> impl Iterator<Item = (usize, &Point)> {
    let series = panel.series.iter();
    series.flat_map(move |series| {
        let points = series.points.iter().filter(move |point| point.x as usize == at);
        points.map(|point| (series.group.unwrap_or(0), point))
    })
}

/// Range of the value axis; panels with a shared scale use the range of all of them.
pub(super) fn extent(figure: &Figure, panel: &Panel) -> Extent {
    let of = |panel: &Panel| -> Vec<f64> {
        let points = panel.series.iter().flat_map(|series| &series.points);
        points.flat_map(|point| [point.y].into_iter().chain(point.spread.map(|(_, high)| high))).collect()
    };
    let values = if figure.shared { figure.panels.iter().flat_map(of).collect() } else { of(panel) };
    let all = figure.points().map(|(_, _, point)| point.y);
    let extent = Extent::along(&figure.y, values.into_iter(), true).written_like(all);
    if figure.y.limits.is_some() { extent } else { extent.up_to_a_mark() }
}

/// Ticks on the value axis of vertical bars in a panel of height `h`.
pub(super) fn y_ticks(figure: &Figure, panel: &Panel, h: f64) -> Vec<Tick> {
    extent(figure, panel).ticks(ticks_in(h - 3.0 * TICK))
}

/// The value beside its bar: no decimals from 100 on, one from 10 on, else two; or as recorded, if that is no longer.
fn value(point: &Point) -> String {
    let digits = if point.y.abs() >= 100.0 {
        0
    } else if point.y.abs() >= 10.0 {
        1
    } else {
        2
    };
    let short = format!("{:.digits$}", point.y);
    if point.texts[1].len() <= short.len() { point.texts[1].clone() } else { short }
}

fn tip(figure: &Figure, group: usize, point: &Point) -> String {
    let group = figure.groups.get(group).map_or("", |group| group.name.as_str());
    let parts = [group, &point.texts[0], &point.texts[1], &point.id];
    parts.into_iter().filter(|part| !part.is_empty()).collect::<Vec<_>>().join(" · ")
}

/// Draws vertical bars and returns the lower end of the panel.
pub(super) fn draw_vertical(scene: &mut Scene, frame: &PanelFrame<'_>) -> f64 {
    let &PanelFrame { figure, panel, palette, area, named, left } = frame;
    let extent = extent(figure, panel);
    let ticks = y_ticks(figure, panel, area.h);
    let names = names(figure);
    let slot = (area.w - left) / names.len().max(1) as f64;
    let lines: Vec<Vec<String>> = names.iter().map(|name| wrapped(name, TICK, slot - 3.0)).collect();
    let deepest = lines.iter().map(Vec::len).max().unwrap_or(1) as f64;
    let below = TICK * 1.2 * deepest + 4.0 + if named_axis(figure).is_empty() { 0.0 } else { LABEL * 1.5 };
    let plot = Area { x: area.x + left, y: area.y, w: area.w - left, h: area.h - below };
    vertical(scene, plot, (&extent, &ticks), (if named { &figure.y.label } else { "" }, left), palette);
    let thickness = (slot * FILLED / most_at_a_name(figure) as f64).min(WIDEST);
    let bar_gap = (thickness * 0.08).min(1.0);
    let fits = figure
        .points()
        .all(|(_, _, point)| width(&value(point), NOTE, false) <= thickness + 1.0 && point.spread.is_none());
    for (at, lines) in lines.iter().enumerate() {
        let bars: Vec<(usize, &Point)> = at_name(panel, at).collect();
        let middle = plot.x + slot * (at as f64 + 0.5);
        let mut x = middle - thickness * bars.len() as f64 / 2.0;
        for (group, point) in bars {
            let top = plot.bottom() - extent.share(point.y) * plot.h;
            let (hue, shade) = figure.groups.get(group).map_or((0, 0), |group| (group.hue, group.shade));
            let full = palette.hue(hue);
            scene.shapes.push(SceneShape::Rect {
                x: x + bar_gap,
                y: top,
                w: thickness - 2.0 * bar_gap,
                h: (plot.bottom() - top).max(0.0),
                fill: Some(palette.fill(hue, shade)),
                stroke: Some((full, 0.7)),
                tip: tip(figure, group, point),
            });
            let (w, h) = (thickness - 2.0 * bar_gap, (plot.bottom() - top).max(0.0));
            let bar = Area { x: x + bar_gap, y: top, w, h };
            frame::draw(scene, bar, (hue, shade), palette.on(palette.fill(hue, shade)));
            let center = x + thickness / 2.0;
            if let Some((low, high)) = point.spread {
                let place = |value: f64| plot.bottom() - extent.share(value) * plot.h;
                whisker(scene, palette, (center, place(low)), (center, place(high)), (thickness * 0.25).min(4.0));
            }
            if fits {
                scene.text((center, top - 2.0), &value(point), NOTE, palette.ink, Anchor::Middle);
            }
            x += thickness;
        }
        for (number, line) in lines.iter().enumerate() {
            let y = plot.bottom() + 3.0 + TICK * (1.0 + 1.2 * number as f64);
            scene.text((middle, y), line, TICK, palette.ink, Anchor::Middle);
        }
    }
    base(scene, plot, palette);
    let end = area.bottom();
    let name = named_axis(figure);
    if !name.is_empty() {
        scene.text((plot.x + plot.w / 2.0, end - 1.0), name, LABEL, palette.ink, Anchor::Middle);
    }
    end
}

/// Title of the category axis; empty if the categories are self-explanatory.
fn named_axis(figure: &Figure) -> &str {
    match figure.x.label.as_str() {
        "framework" | "device" | "network" | "data set" | "precision" | "stage" => "",
        label => label,
    }
}

/// An error bar.
pub(super) fn whisker(scene: &mut Scene, palette: &Palette, from: (f64, f64), to: (f64, f64), half: f64) {
    scene.line(from, to, palette.ink, 0.8);
    for (x, y) in [from, to] {
        let upright = from.0 == to.0;
        let (dx, dy) = if upright { (half, 0.0) } else { (0.0, half) };
        scene.line((x - dx, y - dy), (x + dx, y + dy), palette.ink, 0.8);
    }
}

/// Maximum number of ticks on a horizontal value axis of this length.
pub(super) fn ticks_below(w: f64) -> usize {
    if w > 250.0 { 6 } else { 3 }
}

/// Draws horizontal bars and returns the lower end of the panel.
pub(super) fn draw_horizontal(scene: &mut Scene, frame: &PanelFrame<'_>) -> f64 {
    let &PanelFrame { figure, panel, palette, area, .. } = frame;
    let extent = extent(figure, panel);
    let ticks = extent.ticks(ticks_below(area.w));
    // Names without a bar in this panel take no space.
    let present: Vec<usize> = (0..names(figure).len()).filter(|at| at_name(panel, *at).next().is_some()).collect();
    let most = area.w * 0.42;
    let lines: Vec<Vec<String>> = present.iter().map(|at| wrapped(&names(figure)[*at], TICK, most)).collect();
    let left = widest(lines.iter().flatten().map(String::as_str), TICK) + 5.0;
    let slots: Vec<f64> = present
        .iter()
        .zip(&lines)
        .map(|(at, lines)| {
            (at_name(panel, *at).count() as f64 * THICKNESS + 5.0).max(lines.len() as f64 * TICK * 1.2 + 3.0)
        })
        .collect();
    // Space for the value after the longest bar.
    let behind =
        widest(figure.points().map(|(_, _, point)| value(point)).collect::<Vec<_>>().iter().map(String::as_str), NOTE);
    let plot = Area { x: area.x + left, y: area.y, w: area.w - left - behind * 0.6, h: slots.iter().sum() };
    let end = horizontal(scene, plot, &extent, &ticks, &figure.y.label, palette);
    let mut y = plot.y;
    for ((at, lines), slot) in present.iter().zip(&lines).zip(&slots) {
        let bars: Vec<(usize, &Point)> = at_name(panel, *at).collect();
        let middle = y + slot / 2.0;
        for (number, line) in lines.iter().enumerate() {
            let line_y = middle + TICK * (0.35 + 1.2 * (number as f64 - (lines.len() - 1) as f64 / 2.0));
            scene.text((plot.x - 4.0, line_y), line, TICK, palette.ink, Anchor::End);
        }
        let mut top = middle - THICKNESS * bars.len() as f64 / 2.0;
        for (group, point) in bars {
            let (hue, shade) = figure.groups.get(group).map_or((0, 0), |group| (group.hue, group.shade));
            let length = extent.share(point.y) * plot.w;
            scene.shapes.push(SceneShape::Rect {
                x: plot.x,
                y: top + 0.7,
                w: length.max(0.0),
                h: THICKNESS - 1.4,
                fill: Some(palette.fill(hue, shade)),
                stroke: Some((palette.hue(hue), 0.7)),
                tip: tip(figure, group, point),
            });
            let bar = Area { x: plot.x, y: top + 0.7, w: length.max(0.0), h: THICKNESS - 1.4 };
            frame::draw(scene, bar, (hue, shade), palette.on(palette.fill(hue, shade)));
            let center = top + THICKNESS / 2.0;
            let mut after = plot.x + length;
            if let Some((low, high)) = point.spread {
                let place = |value: f64| plot.x + extent.share(value) * plot.w;
                whisker(scene, palette, (place(low), center), (place(high), center), 2.5);
                after = after.max(place(high));
            }
            scene.text((after + 2.5, center + NOTE * 0.35), &value(point), NOTE, palette.muted, Anchor::Start);
            top += THICKNESS;
        }
        y += slot;
    }
    scene.line((plot.x, plot.y), (plot.x, plot.bottom()), palette.ink, 0.8);
    end
}
