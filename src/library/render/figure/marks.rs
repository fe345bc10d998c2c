//! Points, lines and steps on two numeric axes. A line that a later one covers is drawn wider, with larger hollow marks.

use super::bars::whisker;
use super::frame::{Area, PanelFrame, base, horizontal, ticks_in, vertical};
use super::frame::{Extent, Tick, number, thin_out};
use super::labels::{Labels, NameKey};
use super::palette::Palette;
use super::scene::{Scene, SceneShape, TICK};
use crate::ask::plot::{Figure, FigureKind, Link, Panel, Point, Scale, Series};
use crate::model::Aspect;

/// Half the width of a mark.
const MARK: f64 = 2.7;

/// Height of what is below the plot: tick labels and the axis title.
const BELOW: f64 = 26.0;

/// Ticks on the vertical axis of a panel of height `h`.
pub(super) fn y_ticks(figure: &Figure, panel: &Panel, h: f64) -> Vec<Tick> {
    extents(figure, panel).1.ticks(ticks_in(h - BELOW))
}

/// Draws a panel and returns its lower end. Labels without room go into the key.
pub(super) fn draw(scene: &mut Scene, frame: &PanelFrame<'_>, key: &mut NameKey) -> f64 {
    let &PanelFrame { figure, panel, palette, area, named, left } = frame;
    let (x, y) = extents(figure, panel);
    let below = BELOW;
    let y_ticks = y_ticks(figure, panel, area.h);
    let plot = Area { x: area.x + left, y: area.y, w: area.w - left - 4.0, h: area.h - below };
    let x_ticks = x_ticks(figure, &x, plot.w, TICK);
    vertical(scene, plot, (&y, &y_ticks), (if named { &figure.y.label } else { "" }, left), palette);
    let end = horizontal(scene, plot, &x, &x_ticks, &figure.x.label, palette);
    base(scene, plot, palette);
    let place = |point: &Point| (plot.x + x.share(point.x) * plot.w, plot.bottom() - y.share(point.y) * plot.h);
    let labels = labels(figure, panel, (plot, &x, &y), key);
    let hidden = covered(panel, plot, (&x, &y));
    for (series, is_hidden) in panel.series.iter().zip(hidden) {
        let group = series.group.and_then(|group| figure.groups.get(group));
        let (hue, shade) = group.map_or((0, 0), |group| (group.hue, group.shade));
        let color = match series.group {
            Some(_) => palette.hue(hue),
            None => palette.muted,
        };
        let places: Vec<(f64, f64)> = series.points.iter().map(place).collect();
        let (path, width, dash) = match series.link {
            Link::Marks => (Vec::new(), 0.0, None),
            Link::Line if is_hidden => (places.clone(), 1.3 * WIDER, Palette::dash(shade)),
            Link::Line => (places.clone(), 1.3, Palette::dash(shade)),
            Link::Bare => (places.clone(), 1.1, None),
            Link::Steps => (steps(&places, plot.right()), 1.1, None),
        };
        if path.len() > 1 {
            scene.shapes.push(SceneShape::Line { points: path, color, width, dash });
        }
        if matches!(series.link, Link::Bare | Link::Steps) {
            continue;
        }
        // Crowded points are drawn small and hollow, so that they do not hide each other.
        let crowded = panel.series.iter().map(|series| series.points.len()).sum::<usize>() > 150;
        for (point, (px, py)) in series.points.iter().zip(places) {
            if let Some((low, high)) = point.spread {
                let at = |value: f64| plot.bottom() - y.share(value) * plot.h;
                whisker(scene, palette, (px, at(low)), (px, at(high)), 2.5);
            }
            let fill = if shade == 0 && !crowded && !is_hidden { color } else { palette.background };
            let group = group.map_or("", |group| group.name.as_str());
            let parts = [group, &point.label, &point.texts[0], &point.texts[1], &point.id];
            let tip = parts.into_iter().filter(|part| !part.is_empty()).collect::<Vec<_>>().join(" · ");
            let r = match (crowded, is_hidden) {
                (true, _) => 1.7,
                (false, true) => MARK * LARGER,
                (false, false) => MARK,
            };
            let fill = if crowded { None } else { Some(fill) };
            scene.shapes.push(SceneShape::Marker { x: px, y: py, r, form: hue, fill, stroke: color, tip });
        }
    }
    labels.draw(scene, palette, key);
    end
}

/// Ranges of a panel's axes. Panels with a shared scale use the range of all of them; so does the x axis of lines, such as the
/// batch size.
pub(super) fn extents(figure: &Figure, panel: &Panel) -> (Extent, Extent) {
    let panels: Vec<&Panel> = if figure.shared { figure.panels.iter().collect() } else { vec![panel] };
    let points = || panels.iter().flat_map(|panel| &panel.series).flat_map(|series| &series.points);
    let from_zero =
        figure.kind == FigureKind::Lines || (figure.kind == FigureKind::Timeline && figure.y.scale == Scale::Linear);
    let ends = |point: &Point| [Some(point.y), point.spread.map(|s| s.0), point.spread.map(|s| s.1)];
    let y = Extent::along(&figure.y, points().flat_map(ends).flatten(), from_zero);
    let all_panels = figure.points().map(|(_, _, point)| point.x);
    let x = match figure.kind {
        FigureKind::Lines => Extent::along(&figure.x, all_panels, false),
        _ => Extent::along(&figure.x, points().map(|point| point.x), false),
    };
    let all = || figure.points().map(|(_, _, point)| point);
    (x.written_like(all().map(|point| point.x)), y.written_like(all().map(|point| point.y)))
}

/// The labels of a panel's points and roofs, and what they must not cover.
pub(super) fn labels(
    figure: &Figure,
    panel: &Panel,
    (plot, x, y): (Area, &Extent, &Extent),
    key: &mut NameKey,
) -> Labels {
    let unit = shared_unit(figure);
    if let Some(unit) = unit {
        let named = Aspect::named(unit).map(|aspect| match aspect {
            Aspect::Field(field) => field.in_prose(),
            aspect => aspect.heading().to_owned(),
        });
        key.say_unit(&named.unwrap_or_else(|| unit.to_owned()));
    }
    let shown = |point: &Point| match unit {
        Some(_) => point.label.rsplit_once(' ').map_or("", |(_, number)| number).to_owned(),
        None => point.label.clone(),
    };
    let place = |point: &Point| (plot.x + x.share(point.x) * plot.w, plot.bottom() - y.share(point.y) * plot.h);
    let mut labels = Labels::within(plot);
    for series in &panel.series {
        let places: Vec<(f64, f64)> = series.points.iter().map(place).collect();
        match series.link {
            Link::Marks => labels.avoid(places.into_iter()),
            Link::Steps => labels.avoid_line(&steps(&places, plot.right())),
            Link::Bare => labels.avoid_line(&places),
            Link::Line => {
                labels.avoid_line(&places);
                labels.avoid(places.into_iter());
            }
        }
    }
    for series in &panel.series {
        match series.link {
            // The label of a roof is on its flat part, that of its slope at the middle of the slope.
            Link::Bare if series.group.is_some() => {
                if let [first, ridge, last] = series.points.as_slice() {
                    let (from, corner, to) = (place(first), place(ridge), place(last));
                    labels.add_on_line((corner.0, to.0), to.1, &last.label);
                    labels.add(((from.0 + corner.0) / 2.0, (from.1 + corner.1) / 2.0), &first.label, false);
                }
            }
            Link::Bare | Link::Steps => {
                if let Some((last, at)) = series.points.last().map(|last| (last, place(last))) {
                    labels.add(at, &last.label, false);
                }
            }
            Link::Marks | Link::Line => {
                for point in &series.points {
                    labels.add(place(point), &shown(point), point.numbered);
                }
            }
        }
    }
    labels
}

/// The word before the number in all labels of a figure, such as `batch` in `batch 16`: stated once in the key, it saves room.
fn shared_unit(figure: &Figure) -> Option<&str> {
    let marks = figure.points().filter(|(_, series, _)| matches!(series.link, Link::Marks | Link::Line));
    let mut units = marks.map(|(.., point)| point.label.as_str()).filter(|label| !label.is_empty()).map(|label| {
        let (unit, number) = label.rsplit_once(' ')?;
        // A term of the field, not a name such as that of a network.
        let is_word = unit.starts_with(char::is_lowercase);
        (is_word && number.parse::<f64>().is_ok()).then_some(unit)
    });
    let first = units.next()??;
    units.all(|unit| unit == Some(first)).then_some(first)
}

/// The x values of a line figure, if they are few enough for one tick each.
pub(super) fn few_values(figure: &Figure) -> Option<Vec<f64>> {
    const MAX_TICKED_VALUES: usize = 14;
    // Computed lines have points of their own.
    let measured = figure.points().filter(|(_, _, point)| point.count > 0);
    let mut values: Vec<f64> = measured.map(|(_, _, point)| point.x).collect();
    values.sort_by(f64::total_cmp);
    values.dedup();
    (figure.kind == FigureKind::Lines && values.len() <= MAX_TICKED_VALUES).then_some(values)
}

/// Ticks at the values themselves if there are few, such as batch sizes; labels of this type size do not overlap.
pub(super) fn x_ticks(figure: &Figure, extent: &Extent, w: f64, size: f64) -> Vec<Tick> {
    thin_out(all_x_ticks(figure, extent, w), extent, w, size)
}

fn all_x_ticks(figure: &Figure, extent: &Extent, w: f64) -> Vec<Tick> {
    if let Some(values) = few_values(figure) {
        return values.into_iter().map(|at| Tick { at, text: number(at, None, extent.thousands) }).collect();
    }
    if figure.x.scale == Scale::Years {
        return years(extent, ((w / 45.0) as usize).clamp(2, 8));
    }
    extent.ticks(((w / 45.0) as usize).clamp(2, 8))
}

/// Ticks at the beginning of years, or of half or quarter years and months if there are few years.
pub(super) fn years(extent: &Extent, wanted: usize) -> Vec<Tick> {
    let span = extent.high - extent.low;
    let steps = [1.0 / 12.0, 0.25, 0.5, 1.0, 2.0, 5.0, 10.0];
    let step = steps.into_iter().find(|step| span / step <= wanted as f64).unwrap_or(20.0);
    let first = (extent.low / step - 1e-9).ceil() as i64;
    let last = (extent.high / step + 1e-9).floor() as i64;
    let text = |at: f64| match (at.floor(), ((at - at.floor()) * 12.0).round() as u32 + 1) {
        (year, _) if step >= 1.0 => format!("{year:.0}"),
        (year, month) => format!("{year:.0}-{month:02}"),
    };
    (first..=last).map(|n| n as f64 * step).map(|at| Tick { at, text: text(at + 1e-6) }).collect()
}

/// The corners of a step line: horizontal from each point to the next one's x, then vertical; the last value extends to the end.
fn steps(points: &[(f64, f64)], right: f64) -> Vec<(f64, f64)> {
    let mut path: Vec<(f64, f64)> = Vec::new();
    for (x, y) in points {
        if let Some((_, before)) = path.last().copied() {
            path.push((*x, before));
        }
        path.push((*x, *y));
    }
    path.extend(path.last().map(|(_, y)| (right, *y)));
    path
}

/// By how much the marks of a covered line are larger (`LARGER`) and the line is wider (`WIDER`).
pub(super) const LARGER: f64 = 1.75;

pub(super) const WIDER: f64 = 2.6;

/// For each series, whether a later line covers it: the later line has a point within half a mark's width of each of its
/// points.
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
