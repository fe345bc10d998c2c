//! How much room a figure of pgfplots has: its axes are as wide as what stands beside them leaves of the width that was asked for.

use super::super::bars;
use super::super::canvas::FigureStyle;
use super::super::font::{widest, width};
use super::super::frame::ticks_in;
use super::super::marks::extents;
use super::super::ticks::Extent;
use crate::ask::plot::{Figure, FigureKind, Scale};

/// More names than this stand beside lying bars.
const MOST_STANDING: usize = 6;
/// Points of TeX in a millimetre.
const PT_PER_MM: f64 = 72.27 / 25.4;
/// `\footnotesize` of a paper set in 10 points.
const TICK: f64 = 8.0;
/// Between a tick and its text, and the room that a turned name takes.
const TICK_GAP: f64 = 5.0;
const NAME: f64 = 18.0;
/// Behind the last tick's text.
const RIGHT: f64 = 8.0;
/// The least width of a panel with what stands beside it.
const LEAST: f64 = 115.0;
/// The bar of a colour key with its numbers and its name.
const COLOUR_KEY: f64 = 56.0;
/// The height of a row of a heat map.
pub(super) const ROW: f64 = 14.2;

/// The room of a figure, in points of TeX.
#[derive(Debug, Clone, Copy)]
pub(super) struct Room {
    /// How many panels stand side by side.
    pub across: usize,
    /// The width of the axes of a panel, without what stands beside them.
    pub w: f64,
    /// Their height; nothing is left to the shape.
    pub h: f64,
    /// Between two panels.
    pub gap: f64,
    /// What stands to the left of the first axis.
    pub left: f64,
    /// The whole width.
    pub all: f64,
    /// The size of the numbers along axes.
    pub tick: f64,
}

impl Room {
    pub(super) fn of(figure: &Figure, look: &FigureStyle) -> Self {
        let all = look.width_mm * PT_PER_MM;
        let count = figure.panels.len();
        let wanted = match count {
            1 => 1,
            2 | 4 => 2,
            _ => 3,
        };
        let across = wanted.min((all / LEAST).floor().max(1.0) as usize);
        let tick = look.type_pt.unwrap_or(if across > 2 { TICK - 1.0 } else { TICK });
        let (left, right) = match (&figure.x.scale, &figure.y.scale) {
            (Scale::Names(columns), Scale::Names(rows)) if figure.kind == FigureKind::Heatmap => {
                let slanted = widest(columns.iter().map(String::as_str), tick - 1.0) / 2.0;
                let most = figure.points().map(|(_, _, point)| point.count).max().unwrap_or(1);
                let beside = widest(rows.iter().map(String::as_str), tick) + TICK_GAP;
                (beside.max(slanted), if most > 1 { COLOUR_KEY } else { RIGHT })
            }
            (Scale::Names(names), _) if lies(figure) => {
                (widest(names.iter().map(String::as_str), tick) + TICK_GAP, 2.0 * RIGHT)
            }
            _ => (widest_value(figure, tick) + TICK_GAP + NAME, RIGHT),
        };
        let gap = left - if left > NAME + TICK_GAP { NAME } else { 0.0 } + RIGHT;
        let w = (all - left - right - gap * (across - 1) as f64) / across as f64;
        let down = count.div_ceil(across) as f64;
        // Above each row of panels stands a title, below it the texts and the name of the axis.
        let around = if count > 1 { 46.0 } else { 30.0 };
        let h = match look.height_mm {
            Some(height) => ((height * PT_PER_MM) / down - around).max(40.0),
            None if count > 1 => (w * 0.72).max(60.0),
            None => w * if figure.kind == FigureKind::Bars { 0.55 } else { 0.66 },
        };
        Self { across, w: w.max(40.0), h, gap, left, all, tick }
    }
}

/// Whether bars lie, since their names would not fit side by side.
pub(super) fn lies(figure: &Figure) -> bool {
    let Scale::Names(names) = &figure.x.scale else { return false };
    let long = names.iter().map(|name| name.chars().count()).max().unwrap_or(0);
    figure.kind == FigureKind::Bars && (names.len() > MOST_STANDING || long * names.len() > 90)
}

/// The widest text along the axis of values.
fn widest_value(figure: &Figure, size: f64) -> f64 {
    /// Numbers of a height that nobody knows yet.
    const USUAL_HEIGHT: f64 = 120.0;
    let of_extent = |extent: &Extent| {
        extent.ticks(ticks_in(USUAL_HEIGHT)).iter().map(|tick| width(&tick.text, size, false)).fold(0.0, f64::max)
    };
    let of_panel = |panel| match figure.kind {
        FigureKind::Bars => of_extent(&bars::extent(figure, panel)),
        _ => of_extent(&extents(figure, panel).1),
    };
    figure.panels.iter().map(of_panel).fold(0.0, f64::max)
}
