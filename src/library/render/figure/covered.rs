//! Lines that others hide: they are drawn wider and with larger, hollow marks, so that both are seen.

use super::frame::Area;
use super::ticks::Extent;
use crate::ask::plot::{Link, Panel, Point, Series};

/// How much larger the marks of a line are that another hides, and how much wider it is.
pub(super) const LARGER: f64 = 1.75;
pub(super) const WIDER: f64 = 2.6;

/// For each series of a panel whether a line that is drawn after it hides it: at each of its points the other has one no further
/// off than half a mark.
pub(super) fn covered(panel: &Panel, plot: Area, (x, y): (&Extent, &Extent)) -> Vec<bool> {
    const HALF_MARK: f64 = 2.2;
    let place = |point: &Point| (x.share(point.x) * plot.w, y.share(point.y) * plot.h);
    let hides = |other: &Series, own: &Point| {
        let (px, py) = place(own);
        other.points.iter().map(place).any(|(ox, oy)| (ox - px).hypot(oy - py) <= HALF_MARK)
    };
    let is_line = |series: &Series| series.link == Link::Line;
    let series = panel.series.iter().enumerate();
    let hidden = series.map(|(at, own)| {
        let mut later = panel.series[at + 1..].iter().filter(|other| is_line(other));
        is_line(own) && later.any(|other| own.points.iter().all(|point| hides(other, point)))
    });
    hidden.collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_line_below_another_is_hidden_and_one_that_parts_from_it_is_not() {
        let line = |values: [f64; 3]| {
            let points = (0..3).map(|at| Point { x: f64::from(at), y: values[at as usize], ..Point::default() });
            Series { group: None, link: Link::Line, points: points.collect() }
        };
        let panel = |series: Vec<Series>| Panel { title: String::new(), series };
        let plot = Area { x: 0.0, y: 0.0, w: 100.0, h: 100.0 };
        let extent = Extent::of([0.0, 100.0].into_iter(), &crate::ask::plot::Scale::Linear, false);
        let of = |panel: &Panel| covered(panel, plot, (&extent, &extent));
        assert_eq!(of(&panel(vec![line([1.0, 50.0, 90.0]), line([1.5, 49.0, 91.0])])), [true, false]);
        assert_eq!(of(&panel(vec![line([1.0, 50.0, 90.0]), line([1.5, 49.0, 80.0])])), [false, false]);
    }
}
