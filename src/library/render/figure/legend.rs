//! What colours and marks stand for: one line, or as many as are needed, above the panels.

use super::font::{TICK, width};
use super::frame::Area;
use super::hatch;
use super::palette::Palette;
use super::scene::{Anchor, Scene, SceneShape};
use crate::ask::plot::{Figure, FigureKind};

const SWATCH: f64 = 13.0;
const GAP: f64 = 14.0;

/// Draws it from `y` on; where it ends.
pub(super) fn draw(scene: &mut Scene, figure: &Figure, palette: &Palette, left: f64, y: f64, room: f64) -> f64 {
    if figure.groups.is_empty() {
        return y;
    }
    let (mut x, mut line) = (left, y + TICK);
    // In columns of one width, so that shades of one colour stand together.
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
                hatch::draw(scene, swatch, (group.hue, group.shade), palette.on(fill));
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
