//! Applies requested scales and limits to the axes of a figure, unless they would mislead.

use super::figure::{Figure, FigureAxis, Link, Scale};
use super::request::{AxisOptions, AxisScale, FigureKind, PlotError, PlotRequest};
use crate::values::text::counted;

/// The figure with the requested axes. Points beyond the limits are removed and counted in a note.
pub(super) fn with_axes(mut figure: Figure, request: &PlotRequest) -> Result<Figure, PlotError> {
    let is_bars = figure.kind == FigureKind::Bars;
    let values: [Vec<f64>; 2] = [
        figure.points().map(|(_, _, point)| point.x).collect(),
        figure.points().map(|(_, _, point)| point.y).collect(),
    ];
    if is_bars && request.y_axis != AxisOptions::default() {
        check_bars(&request.y_axis, &values[1])?;
    }
    let [x, y] = values;
    let options = [("x", request.x_axis, x), ("y", request.y_axis, y)];
    for ((name, wanted, values), axis) in options.into_iter().zip([&mut figure.x, &mut figure.y]) {
        lay_out(axis, &wanted, &values).map_err(|message| {
            PlotError::refused(
                format!("--{name}-scale or --{name}-limits: {message}"),
                "leave it out, or take other values",
            )
        })?;
    }
    let limits = [figure.x.limits, figure.y.limits];
    if limits == [None, None] {
        return Ok(figure);
    }
    let holds = |limits: Option<(f64, f64)>, value: f64| limits.is_none_or(|(low, high)| (low..=high).contains(&value));
    let mut beyond = 0;
    for series in figure.panels.iter_mut().flat_map(|panel| &mut panel.series) {
        let all = series.points.len();
        series.points.retain(|point| holds(limits[0], point.x) && holds(limits[1], point.y));
        if matches!(series.link, Link::Marks | Link::Line) {
            beyond += all - series.points.len();
        }
    }
    if figure.points().next().is_none() {
        return Err(PlotError::Nothing("nothing lies within the limits".to_owned()));
    }
    if beyond > 0 {
        figure.notes.push(format!("{} beyond the limits of the axes not drawn.", counted(beyond, "point", "points")));
    }
    Ok(figure)
}

/// Refuses axes on which the length of a bar would not be proportional to its value.
fn check_bars(wanted: &AxisOptions, values: &[f64]) -> Result<(), PlotError> {
    let highest = values.iter().copied().fold(0.0, f64::max);
    let why = match (wanted.scale, wanted.limits) {
        (Some(AxisScale::Log), _) => "bars have no length on a logarithmic axis",
        (_, Some((low, _))) if low != 0.0 => "bars begin at 0, or their lengths are not in proportion to their values",
        (_, Some((_, high))) if high < highest => "a bar would be cut off",
        _ => return Ok(()),
    };
    Err(PlotError::refused(why, format!("--y-limits 0:{highest} or more, or points: --kind scatter or lines")))
}

fn lay_out(axis: &mut FigureAxis, wanted: &AxisOptions, values: &[f64]) -> Result<(), String> {
    let is_of_numbers = matches!(axis.scale, Scale::Linear | Scale::Log);
    if *wanted != AxisOptions::default() && matches!(axis.scale, Scale::Names(_)) {
        return Err(format!("{} has names along it", axis.label));
    }
    match wanted.scale {
        Some(_) if !is_of_numbers => return Err("an axis of dates is always linear".to_owned()),
        Some(AxisScale::Linear) => axis.scale = Scale::Linear,
        Some(AxisScale::Log) => axis.scale = Scale::Log,
        None => {}
    }
    let lowest = wanted.limits.map_or(f64::INFINITY, |(low, _)| low);
    if axis.scale == Scale::Log && values.iter().copied().fold(lowest, f64::min) <= 0.0 {
        return Err("0 has no place on a logarithmic axis".to_owned());
    }
    if wanted.limits.is_some_and(|(low, high)| low >= high) {
        return Err("the first limit is the lower one".to_owned());
    }
    axis.limits = wanted.limits;
    Ok(())
}
