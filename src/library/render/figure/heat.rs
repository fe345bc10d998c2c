//! A heat map: a cell for each pair, its number in it.

use super::font::{LABEL, NOTE, TICK, widest, width, wrapped};
use super::frame::Area;
use super::palette::Palette;
use super::scene::{Anchor, Scene, SceneShape};
use crate::ask::plot::{Figure, Scale};

/// A cell at its largest.
const WIDEST: f64 = 46.0;
const HEIGHT: f64 = 14.0;
/// Names below cells narrower than this are turned.
const SLANTED: f64 = 40.0;

/// Draws the panels below each other; where they end.
pub(super) fn draw(scene: &mut Scene, figure: &Figure, palette: &Palette, page: Area) -> f64 {
    let (Scale::Names(columns), Scale::Names(rows)) = (&figure.x.scale, &figure.y.scale) else { return page.y };
    let left = widest(rows.iter().map(String::as_str), TICK).min(page.w * 0.4) + 5.0;
    let cell = ((page.w - left - 30.0) / columns.len().max(1) as f64).min(WIDEST);
    let flat = columns.iter().all(|name| width(name, TICK, false) < cell - 2.0);
    let turned = if flat {
        0.0
    } else if cell < SLANTED {
        -90.0
    } else {
        -45.0
    };
    let columns: Vec<String> = columns.iter().map(|name| cut(name)).collect();
    let deepest = widest(columns.iter().map(String::as_str), TICK);
    let most = figure.points().map(|(_, _, point)| point.count).max().unwrap_or(1);
    let mut y = page.y;
    for panel in &figure.panels {
        if !panel.title.is_empty() {
            y += LABEL * 1.3;
            scene.heading((page.x, y), panel.title.clone(), LABEL, palette.ink);
            y += 5.0;
        }
        let top = y;
        for (at, name) in rows.iter().enumerate() {
            let middle = top + HEIGHT * (at as f64 + 0.5);
            let name = wrapped(name, TICK, left - 5.0).into_iter().next().unwrap_or_default();
            scene.text((page.x + left - 4.0, middle + TICK * 0.35), &name, TICK, palette.ink, Anchor::End);
            for column in 0..columns.len() {
                let x = page.x + left + cell * column as f64;
                let stroke = Some((palette.background, 1.0));
                let empty = palette.grid.towards(palette.background, 0.6);
                let (w, h, y, tip) = (cell, HEIGHT, middle - HEIGHT / 2.0, String::new());
                scene.shapes.push(SceneShape::Rect { x, y, w, h, fill: Some(empty), stroke, tip });
            }
        }
        for point in panel.series.iter().flat_map(|series| &series.points) {
            let (x, y) = (page.x + left + cell * point.x, top + HEIGHT * point.y);
            let fill = palette.heat(point.count, most);
            let tip = format!("{} · {} · {}", point.texts[0], point.texts[1], point.count);
            let stroke = Some((palette.background, 1.0));
            scene.shapes.push(SceneShape::Rect { x, y, w: cell, h: HEIGHT, fill: Some(fill), stroke, tip });
            let text = shortest(point.count);
            let size = (NOTE * (cell - 2.0) / width(&text, NOTE, false)).clamp(4.5, NOTE);
            let at = (x + cell / 2.0, y + HEIGHT / 2.0 + size * 0.35);
            scene.text(at, &text, size, palette.on(fill), Anchor::Middle);
        }
        y = top + HEIGHT * rows.len() as f64;
        for (at, name) in columns.iter().enumerate() {
            let x = page.x + left + cell * (at as f64 + 0.5);
            let (text, size, color) = (name.clone(), TICK, palette.ink);
            let (anchor, dx, dy) = match turned {
                0.0 => (Anchor::Middle, 0.0, TICK * 1.2),
                -90.0 => (Anchor::End, TICK * 0.35, 4.0),
                _ => (Anchor::End, 2.0, 7.0),
            };
            scene.shapes.push(SceneShape::Text {
                x: x + dx,
                y: y + dy,
                text,
                size,
                color,
                anchor,
                bold: false,
                turned,
            });
        }
        y += match turned {
            0.0 => TICK * 1.6,
            -90.0 => deepest + 8.0,
            _ => deepest * 0.71 + 12.0,
        };
    }
    y
}

/// A name below a column: the whole one stands in the data.
fn cut(name: &str) -> String {
    const LONGEST: usize = 28;
    match name.chars().count() > LONGEST {
        true => name.chars().take(LONGEST - 1).chain(['…']).collect(),
        false => name.to_owned(),
    }
}

/// `987`, `1.2k`, `12k`.
fn shortest(count: u64) -> String {
    match count {
        0..1000 => count.to_string(),
        1000..9950 => format!("{:.1}k", count as f64 / 1000.0),
        _ => format!("{:.0}k", count as f64 / 1000.0),
    }
}
