//! The page of a figure: title, legend, rows of panels, and the notes below.

use super::frame::{self, Area, PanelFrame};
use super::labels::NameKey;
use super::palette::{Palette, Theme};
use super::scene::{Anchor, Scene};
use super::scene::{LABEL, NOTE, TICK, TITLE, wrapped};
use super::{bars, heat, marks};
use crate::ask::plot::{Figure, FigureKind, Panel, Scale};

/// The appearance of a figure.
#[derive(Debug, Clone, Default)]
pub struct FigureStyle {
    /// Light or dark.
    pub theme: Theme,
    /// Width in millimetres.
    pub width_mm: f64,
    /// Height in millimetres; by default in proportion to the width.
    pub height_mm: Option<f64>,
    /// Type size of tick labels in points, to which all other type is proportional; `None` for the default.
    pub type_pt: Option<f64>,
    /// The title; `None` for the default, which states what the whole figure shares.
    pub title: Option<String>,
    /// Whether title and notes are left out, for use with a paper's own caption.
    pub plain: bool,
}

/// Margin of the page, in points.
const MARGIN: f64 = 8.0;
/// Gap between panels.
const GAP: f64 = 14.0;
/// Minimum height of a plot: lower ones are unreadable.
const MIN_PLOT_HEIGHT: f64 = 50.0;
const MM_PER_INCH: f64 = 25.4;
const POINTS_PER_INCH: f64 = 72.0;

impl FigureStyle {
    /// Factor by which type is larger than the default.
    pub(super) fn zoom(&self) -> f64 {
        self.type_pt.map_or(1.0, |size| size / TICK)
    }
}

/// Lays the figure out as shapes.
pub(super) fn laid_out(figure: &Figure, look: &FigureStyle) -> Scene {
    let palette = Palette::of(look.theme);
    // Larger type means a smaller page, scaled up.
    let zoom = look.zoom();
    let w = look.width_mm / MM_PER_INCH * POINTS_PER_INCH / zoom;
    let mut scene = Scene { width: w, height: 0.0, zoom, background: palette.background, shapes: Vec::new() };
    let room = w - 2.0 * MARGIN;
    let mut y = MARGIN;
    let title = look.title.as_deref().unwrap_or(&figure.title);
    if !look.plain && !title.is_empty() {
        for line in wrapped(title, TITLE * 1.04, room) {
            y += TITLE * 1.1;
            scene.heading((MARGIN, y), line, TITLE, palette.ink);
        }
        y += 6.0;
    }
    y = frame::draw_legend(&mut scene, figure, &palette, MARGIN, y, room);
    let page = Area { x: MARGIN, y, w: room, h: 0.0 };
    y = match figure.kind {
        FigureKind::Heatmap => heat::draw(&mut scene, figure, &palette, page),
        _ => {
            let wanted = look.height_mm.map(|height| height / MM_PER_INCH * POINTS_PER_INCH / zoom);
            let below = if look.plain {
                0.0
            } else {
                remarks(&mut Scene { shapes: Vec::new(), ..scene.clone() }, figure, &palette, 0.0, room)
            };
            let h = wanted.map_or(0.0, |height| (height - y - below - MARGIN).max(1.0));
            rows_of_panels(&mut scene, figure, &palette, Area { h, ..page })
        }
    };
    if !look.plain {
        y = remarks(&mut scene, figure, &palette, y, room);
    }
    scene.height = y + MARGIN;
    scene
}

/// Draws the rows of panels, within the height of the page if it has one, then the key of labels without room. Returns the lower
/// end.
fn rows_of_panels(scene: &mut Scene, figure: &Figure, palette: &Palette, page: Area) -> f64 {
    let mut key = NameKey::default();
    if page.h > 0.0 {
        // With a fixed height, a first pass places the labels to find the height of the key.
        panels(&mut Scene { shapes: Vec::new(), ..scene.clone() }, figure, palette, page, &mut key);
        let below = key_lines(&std::mem::take(&mut key), page.w).len() as f64 * NOTE * 1.3;
        let y = panels(scene, figure, palette, Area { h: (page.h - below).max(1.0), ..page }, &mut key);
        return draw_key(scene, palette, &key, (page.x, y), page.w);
    }
    let y = panels(scene, figure, palette, page, &mut key);
    draw_key(scene, palette, &key, (page.x, y), page.w)
}

/// The lines of the key.
fn key_lines(key: &NameKey, room: f64) -> Vec<String> {
    key.text(|entry| entry.replace(' ', "\u{a0}")).map(|text| wrapped(&text, NOTE, room)).unwrap_or_default()
}

/// Draws the key and returns its lower end.
fn draw_key(scene: &mut Scene, palette: &Palette, key: &NameKey, (x, from): (f64, f64), room: f64) -> f64 {
    let mut y = from;
    for line in key_lines(key, room) {
        y += NOTE * 1.3;
        scene.text((x, y), &line, NOTE, palette.ink, Anchor::Start);
    }
    y
}

/// Draws the rows of panels, all with the same plot size and label width, and returns their lower end.
fn panels(scene: &mut Scene, figure: &Figure, palette: &Palette, page: Area, key: &mut NameKey) -> f64 {
    let count = figure.panels.len();
    let across = match count {
        1 => 1,
        2 | 4 => 2,
        _ => 3,
    };
    // Narrow pages have fewer panels in a row; a single text column has room for two.
    let across = across.min(((page.w + GAP) / 115.0).floor().max(1.0) as usize);
    let width = |name: f64| (page.w - name - GAP * (across - 1) as f64) / across as f64;
    let is_horizontal = matches!(figure.kind, FigureKind::Bars) && bars::needs_horizontal_bars(figure, width(0.0));
    // The title of the value axis is left of the first panel in each row.
    let name = if is_horizontal { 0.0 } else { frame::NAME };
    let w = width(name);
    let down = count.div_ceil(across) as f64;
    let titles: f64 =
        figure.panels.chunks(across).map(|row| row.iter().map(|panel| titled(panel, w)).fold(0.0, f64::max)).sum();
    let own_height = match page.h {
        0.0 => height(figure, w, count),
        all => ((all - titles - GAP * (down - 1.0)) / down).max(MIN_PLOT_HEIGHT),
    };
    let gutter = |panel: &Panel| match &figure.x.scale {
        Scale::Names(_) => frame::gutter(&bars::y_ticks(figure, panel, own_height)),
        _ => frame::gutter(&marks::y_ticks(figure, panel, own_height)),
    };
    let gutter = figure.panels.iter().map(gutter).fold(0.0, f64::max);
    let mut y = page.y;
    for (number, row) in figure.panels.chunks(across).enumerate() {
        let mut bottom = y;
        for (at, panel) in row.iter().enumerate() {
            let named = at == 0;
            let own = if named { name } else { 0.0 };
            let x = page.x + at as f64 * (w + GAP) + name - own;
            let area = Area { x, y, w: w + own, h: own_height };
            let mut top = y;
            if !panel.title.is_empty() {
                for line in wrapped(&panel.title, LABEL * 1.05, w) {
                    top += LABEL * 1.15;
                    scene.heading((area.x, top), line, LABEL, palette.ink);
                }
                top += 5.0;
            }
            let area = Area { y: top, ..area };
            let frame = PanelFrame { figure, panel, palette, area, named, left: gutter + own };
            let end = match (&figure.x.scale, is_horizontal) {
                (Scale::Names(_), true) => bars::draw_horizontal(scene, &frame),
                (Scale::Names(_), false) => bars::draw_vertical(scene, &frame),
                _ => marks::draw(scene, &frame, key),
            };
            bottom = bottom.max(end);
        }
        y = bottom + if (number + 1) * across < count { GAP } else { 0.0 };
    }
    y
}

/// Height of a panel's title.
fn titled(panel: &Panel, w: f64) -> f64 {
    if panel.title.is_empty() { 0.0 } else { wrapped(&panel.title, LABEL * 1.05, w).len() as f64 * LABEL * 1.15 + 5.0 }
}

/// Height of a panel's plot with its labels.
fn height(figure: &Figure, w: f64, panels: usize) -> f64 {
    let share = match figure.kind {
        FigureKind::Scatter | FigureKind::Roofline => 0.72,
        _ => 0.6,
    };
    let least = if panels > 2 { 120.0 } else { 150.0 };
    (w * share).clamp(least, 300.0)
}

fn remarks(scene: &mut Scene, figure: &Figure, palette: &Palette, from: f64, room: f64) -> f64 {
    let mut lines: Vec<String> = figure.notes.clone();
    let sources = match figure.sources.len() {
        1 => format!("Source: {}.", figure.sources[0]),
        0..=6 => format!("Sources: {}.", figure.sources.join(", ")),
        many => format!("{many} sources, listed with the data."),
    };
    let content = figure.origin.content.get(..12).unwrap_or(&figure.origin.content);
    lines.push(format!("{sources} dlbench {}, content {content}.", env!("CARGO_PKG_VERSION")));
    let mut y = from + 6.0;
    for line in lines.iter().flat_map(|line| wrapped(line, NOTE, room)) {
        y += NOTE * 1.3;
        scene.text((MARGIN, y), &line, NOTE, palette.muted, Anchor::Start);
    }
    y
}
