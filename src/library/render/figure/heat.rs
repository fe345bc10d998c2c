//! A heat map: one cell per pair of names, with its count.

use super::frame::Area;
use super::palette::Palette;
use super::scene::{Anchor, Scene, SceneShape};
use super::scene::{LABEL, NOTE, SMALLEST, TICK, widest, width};
use crate::ask::plot::{Figure, Scale};

/// Maximum width of a cell, and the height of all cells.
const WIDEST: f64 = 46.0;
const HEIGHT: f64 = 14.0;
/// Size of the colour key.
const KEY_WIDTH: f64 = 120.0;
const KEY_HEIGHT: f64 = 7.0;
/// Column names below cells narrower than this are set vertically.
const SLANTED: f64 = 40.0;

/// Draws the panels one below the other and returns their lower end.
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
    // Rotated names only need height, of which there is enough for all but sentences.
    let deepest = (page.w * 0.4).max(DEEPEST);
    let columns = cut(columns, &|name| width(name, TICK, false) > deepest);
    let room = left - 5.0;
    let rows = cut(rows, &|name| width(name, SMALLEST, false) > room);
    let deepest = widest(columns.iter().map(String::as_str), TICK);
    let most = figure.points().map(|(_, _, point)| point.count).max().unwrap_or(1);
    let mut y = key(scene, palette, (page.x, page.y), page.w, most);
    for panel in &figure.panels {
        if !panel.title.is_empty() {
            y += LABEL * 1.3;
            scene.heading((page.x, y), panel.title.clone(), LABEL, palette.ink);
            y += 5.0;
        }
        let top = y;
        for (at, name) in rows.iter().enumerate() {
            let middle = top + HEIGHT * (at as f64 + 0.5);
            let size = (TICK * room / width(name, TICK, false)).clamp(SMALLEST, TICK);
            scene.text((page.x + left - 4.0, middle + size * 0.35), name, size, palette.ink, Anchor::End);
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
            // A count too small to read is left out: the colour and the data still show it.
            let size = NOTE * ((cell - 0.8) / width(&text, NOTE, false)).min(1.0);
            if size >= SMALLEST {
                let at = (x + cell / 2.0, y + HEIGHT / 2.0 + size * 0.35);
                scene.text(at, &text, size, palette.on(fill), Anchor::Middle);
            }
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

/// Draws the colour key, from 1 to the highest count on a logarithmic scale with round counts below, and returns its lower end.
fn key(scene: &mut Scene, palette: &Palette, (left, top): (f64, f64), room: f64, most: u64) -> f64 {
    const STEPS: usize = 40;
    const NAME: &str = "measurements (log. scale)";
    let x = left + width(NAME, TICK, false) + 6.0;
    let w = KEY_WIDTH.min(room - (x - left) - 20.0);
    if most <= 1 || w < 40.0 {
        return top;
    }
    scene.text((left, top + KEY_HEIGHT), NAME, TICK, palette.ink, Anchor::Start);
    let end = (most as f64).ln();
    for step in 0..STEPS {
        let share = (step as f64 + 0.5) / STEPS as f64;
        let fill = Some(palette.few.towards(palette.many, share));
        let (x, w) = (x + w * step as f64 / STEPS as f64, w / STEPS as f64 + 0.3);
        scene.shapes.push(SceneShape::Rect { x, y: top, w, h: KEY_HEIGHT, fill, stroke: None, tip: String::new() });
    }
    let mut free = f64::NEG_INFINITY;
    for count in key_counts(most) {
        let at = x + w * (count as f64).ln() / end;
        let text = shortest(count);
        let half = width(&text, NOTE, false) / 2.0;
        if at - half > free {
            scene.text((at, top + KEY_HEIGHT + NOTE * 1.1), &text, NOTE, palette.ink, Anchor::Middle);
            free = at + half + 3.0;
        }
    }
    top + KEY_HEIGHT + NOTE * 1.1 + 8.0
}

/// The counts labelled in a colour key: powers of ten, and the highest count.
pub(super) fn key_counts(most: u64) -> Vec<u64> {
    let powers = std::iter::successors(Some(1_u64), |power| power.checked_mul(10));
    let mut counts: Vec<u64> = powers.take_while(|power| power.saturating_mul(2) < most).collect();
    counts.push(most);
    counts
}

/// Column names up to this length are never cut, even on narrow pages.
const DEEPEST: f64 = 150.0;

/// Cuts the ends of names that are too long; the data has them in full. A name whose shortened form is not unique is not cut.
fn cut(names: &[String], is_too_long: &dyn Fn(&str) -> bool) -> Vec<String> {
    let is_unique = |start: &str, own: usize| {
        let mut others = names.iter().enumerate().filter(|(at, _)| *at != own);
        others.all(|(_, other)| !other.starts_with(start))
    };
    let cut = |(at, name): (usize, &String)| {
        let mut kept: Vec<char> = name.chars().collect();
        while kept.len() > 2 && is_too_long(&(kept.iter().collect::<String>() + "…")) {
            kept.pop();
        }
        let start: String = kept.iter().collect();
        match kept.len() < name.chars().count() && is_unique(&start, at) {
            true => start + "…",
            false => name.clone(),
        }
    };
    names.iter().enumerate().map(cut).collect()
}

/// A count in short form: `987`, `1.2k`, `12k`.
pub(super) fn shortest(count: u64) -> String {
    match count {
        0..1000 => count.to_string(),
        1000..9950 => format!("{:.1}k", count as f64 / 1000.0),
        _ => format!("{:.0}k", count as f64 / 1000.0),
    }
}
