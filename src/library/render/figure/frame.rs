//! Axes: grid, marks with their texts, names.

use super::font::{LABEL, SMALLEST, TICK, widest};
use super::palette::Palette;
use super::scene::{Anchor, Scene, SceneShape};
use super::ticks::{Extent, Tick};
use crate::ask::plot::{Figure, Panel};

/// A part of the page.
#[derive(Debug, Clone, Copy)]
pub(super) struct Area {
    pub x: f64,
    pub y: f64,
    pub w: f64,
    pub h: f64,
}

/// What is drawn of a figure in one place.
#[derive(Debug, Clone, Copy)]
pub(super) struct PanelFrame<'f> {
    pub figure: &'f Figure,
    pub panel: &'f Panel,
    pub palette: &'f Palette,
    /// Where axes and names have room.
    pub area: Area,
    /// Whether the axis of values is named: once in each row of panels.
    pub named: bool,
    /// What the texts of its marks and its name take, in all panels alike.
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

/// The room that the name of the vertical axis takes.
pub(super) const NAME: f64 = LABEL * 1.5;

/// The room that the texts of the vertical axis take, without its name.
pub(super) fn gutter(ticks: &[Tick]) -> f64 {
    widest(ticks.iter().map(|tick| tick.text.as_str()), TICK) + 5.0
}

/// How many marks a vertical axis of this height has room for.
pub(super) fn ticks_in(height: f64) -> usize {
    const EACH: f64 = 16.0;
    ((height / EACH) as usize).clamp(2, 5)
}

/// The vertical axis of `plot`: lines across, texts to the left, the name turned at the left end of what they take.
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
        // A name is no longer than its axis and what stands at it, as far as it can be read.
        let share = (plot.h + 2.0 * LABEL) / super::font::width(name, LABEL, false);
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

/// A horizontal axis of numbers: lines upwards, texts below, the name below them. Where it ends.
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
        let half = super::font::width(&tick.text, TICK, false) / 2.0;
        // Texts that would touch are left out.
        if x - half > free {
            // The last text does not reach into the next panel.
            let middle = x.min(plot.right() + 4.0 - half);
            scene.text((middle, plot.bottom() + TICK * 1.35), &tick.text, TICK, palette.ink, Anchor::Middle);
            free = x + half + 3.0;
        }
    }
    let y = plot.bottom() + TICK * 1.35 + LABEL * 1.45;
    scene.text((plot.x + plot.w / 2.0, y), name, LABEL, palette.ink, Anchor::Middle);
    y + LABEL * 0.3
}

/// The line on which everything stands.
pub(super) fn base(scene: &mut Scene, plot: Area, palette: &Palette) {
    scene.line((plot.x, plot.bottom()), (plot.right(), plot.bottom()), palette.ink, 0.8);
}
