//! A roofline: the attainable performance of devices at each arithmetic intensity, with measured points below it.
//!
//! The model is that of Williams, Waterman and Patterson, Roofline: an insightful visual performance model for multicore
//! architectures, Communications of the ACM 52(4), 2009: performance <= min(peak, bandwidth x intensity).
//!
//! No source states how many bytes a network moves. A point is drawn at the upper bound of its intensity: each weight and each
//! input is moved once per batch, activations never. Its true position is further left, at the same height.

use std::collections::{BTreeMap, BTreeSet};

use super::figure::{Figure, FigureAxis, Link, Origin, Panel, Point, Scale, Series};
use super::groups::{group_of, groups};
use super::panels::{notes, panels, sources, title_and_groups};
use super::request::{FigureKind, PlotError, PlotRequest};
use super::row::PlottedRow;
use crate::model::physics::{bytes_of, dense_peak, forward_passes, is_one_image, operations_per_item};
use crate::model::{Aspect, Device, Field, Metric, NumberFormat};
use crate::values::Precision;
use crate::values::text::counted;

/// A point above its roof by more than this factor was not computed in the stated arithmetic; Winograd's algorithms save 2.25 to
/// 4 times the multiplications (Lavin and Gray, Fast algorithms for convolutional neural networks, CVPR 2016).
const MAX_ABOVE_ROOF: f64 = 4.0;

pub(super) fn figure(rows: &[PlottedRow<'_>], request: &PlotRequest) -> Result<Figure, PlotError> {
    let mut request = request.clone();
    // The axes of a roofline are fixed.
    request.x = None;
    request.y = Some(Aspect::Metric(Metric::ThroughputPerS));
    if request.group.is_empty() {
        request.group = vec![Aspect::Field(Field::Device)];
    }
    if request.label.is_empty() {
        request.label.push(Aspect::Field(Field::Network));
    }
    let named_by = request.label.clone();
    // Any stage, network and batch may be below one roof; showing that is the purpose of a roofline.
    for field in [Field::Network, Field::Stage, Field::InputShape, Field::BatchSize] {
        request.label.push(Aspect::Field(field));
    }
    let mut placed: Vec<(&PlottedRow<'_>, f64, f64)> =
        rows.iter().filter_map(|row| Some((row, place(row)?))).map(|(row, (x, y))| (row, x, y)).collect();
    let can_be =
        |(row, _, y): &(&PlottedRow<'_>, f64, f64)| roof(row).is_some_and(|(_, _, peak)| *y <= MAX_ABOVE_ROOF * peak);
    let before = placed.len();
    placed.retain(can_be);
    let impossible = before - placed.len();
    if placed.is_empty() && impossible > 0 {
        let why = format!(
            "{} above the roof by more than {MAX_ABOVE_ROOF} times: another arithmetic ran than the one that is stated",
            counted(impossible, "measurement lies", "measurements lie")
        );
        return Err(PlotError::Nothing(why));
    }
    // For these the source does not say which member ran, so their roof is unknown.
    let unnamed = rows.iter().filter(|row| row.device.is_none() && row.facts.is_family).count();
    if placed.is_empty() && unnamed == rows.len() {
        let why = "every measurement is of a device family whose members differ in peak or bandwidth, so no roof is theirs: ask \
                   for a member, such as device:tesla-v100-sxm2-16gb";
        return Err(PlotError::Nothing(why.to_owned()));
    }
    if placed.is_empty() {
        let why = "a roofline needs measurements with a throughput, a precision, a batch size, a network whose parameters \
                   and multiply-adds are known, and a device whose bandwidth and peak are known";
        return Err(PlotError::Nothing(why.to_owned()));
    }
    let drawn: Vec<&PlottedRow<'_>> = placed.iter().map(|(row, _, _)| *row).collect();
    let mut remarks = Vec::new();
    if impossible > 0 {
        let points = counted(impossible, "measurement is", "measurements are");
        remarks.push(format!(
            "{points} not drawn, more than {MAX_ABOVE_ROOF} times above the roof: the arithmetic that ran is not the stated one."
        ));
    }
    if drawn.len() + impossible < rows.len() {
        let lacking = rows.len() - drawn.len() - impossible;
        let of_families = match unnamed {
            0 => String::new(),
            count => format!(" ({count} are of a device family whose members differ in peak or bandwidth)"),
        };
        remarks.push(format!(
            "{lacking} of {} measurements are not drawn: throughput, precision, batch size, the network's size or the device's peak is not known of them{of_families}.",
            rows.len()
        ));
    }
    let divided = panels(&drawn, &request, FigureKind::Roofline)?;
    let groups = groups(&drawn, &request)?;
    let xs: Vec<f64> = placed.iter().map(|(_, x, _)| *x).collect();
    let right = xs.iter().copied().fold(1.0, f64::max) * 3.0;
    let left = xs.iter().copied().fold(f64::INFINITY, f64::min);
    let mut built = Vec::new();
    for (name, rows) in &divided {
        let mut series: BTreeMap<usize, Vec<Point>> = BTreeMap::new();
        let mut roofs: BTreeMap<(String, NumberFormat), (usize, &Device, f64)> = BTreeMap::new();
        for row in rows {
            let Some((_, x, y)) = placed.iter().find(|(other, _, _)| std::ptr::eq(*other, *row)) else { continue };
            let group = group_of(row, &request, &groups);
            let label = row.name(&named_by);
            let texts = [format!("{x:.4}"), format!("{y:.4}")];
            let (id, source) = (row.measurement.id().to_owned(), row.measurement.source().to_string());
            let derived = true;
            let point = Point { x: *x, y: *y, texts, label, id, source, derived, count: 1, ..Point::default() };
            series.entry(group).or_default().push(point);
            if let Some((device, format, peak)) = roof(row) {
                roofs.insert((device.id.to_string(), format), (group, device, peak));
            }
        }
        let mut lines: Vec<Series> = Vec::new();
        // The roofs of one device share their slope, which is labelled once.
        let mut sloped: BTreeSet<String> = BTreeSet::new();
        for ((_, format), (group, device, peak)) in roofs {
            let Some(bandwidth) = device.bandwidth_gb_per_s.map(|b| b.value() / 1000.0) else { continue };
            let ridge = peak / bandwidth;
            let start = (left / 4.0).min(ridge / 8.0);
            let corner = |x: f64, label: String| {
                let y = peak.min(bandwidth * x);
                Point { x, y, texts: [format!("{x:.4}"), format!("{y:.4}")], label, ..Point::default() }
            };
            let name = format!("{format} peak {} TFLOP/s", short(peak));
            let memory = match sloped.insert(device.id.to_string()) {
                true => format!("memory {} GB/s", short(bandwidth * 1000.0)),
                false => String::new(),
            };
            let points =
                vec![corner(start, memory), corner(ridge, String::new()), corner(right.max(ridge * 2.0), name)];
            lines.push(Series { group: Some(group), link: Link::Bare, points });
        }
        lines.extend(series.into_iter().map(|(group, points)| Series {
            group: Some(group),
            link: Link::Marks,
            points,
        }));
        built.push(Panel { title: name.clone(), series: lines });
    }
    remarks.push(
        "Roofs: the smaller of the device's dense peak and of memory bandwidth × intensity, as published. A point stands at the most that its intensity can \
         be: weights and inputs are moved once for a batch, activations never; a training step counts as three forward passes."
            .to_owned(),
    );
    let above = placed.iter().filter(|(row, _, y)| roof(row).is_some_and(|(_, _, peak)| *y > peak)).count();
    if above > 0 {
        let points = counted(above, "point is", "points are");
        remarks.push(format!(
            "{points} above the roof: the network's multiply-adds are counted, and algorithms such as Winograd's need fewer."
        ));
    }
    let as_drawn = PlotRequest { x: None, y: None, ..request.clone() };
    remarks.extend(notes(&drawn, &as_drawn, FigureKind::Roofline));
    let (title, groups) = title_and_groups(&drawn, &request, groups);
    Ok(Figure {
        kind: FigureKind::Roofline,
        title,
        x: FigureAxis {
            label: "arithmetic intensity, at most [FLOP/byte]".to_owned(),
            key: "intensity_flop_per_byte".to_owned(),
            scale: Scale::Log,
            limits: None,
        },
        y: FigureAxis {
            label: "performance [TFLOP/s]".to_owned(),
            key: "performance_tflops".to_owned(),
            scale: Scale::Log,
            limits: None,
        },
        groups,
        panels: built,
        shared: true,
        notes: remarks,
        sources: sources(&drawn),
        origin: Origin::default(),
    })
}

fn short(number: f64) -> String {
    if number >= 100.0 { format!("{number:.0}") } else { format!("{}", (number * 100.0).round() / 100.0) }
}

/// Intensity [FLOP/byte] and performance per device [TFLOP/s] of a row.
fn place(row: &PlottedRow<'_>) -> Option<(f64, f64)> {
    roof(row)?;
    row.device?.bandwidth_gb_per_s?;
    let measurement = row.measurement;
    let network = row.network?;
    let (stage, counts) = (measurement.stage()?, measurement.counts().filter(|counts| is_one_image(*counts))?);
    let own_input = network.input_shape.as_ref();
    let input = measurement.input_shape().or_else(|| own_input.cloned())?;
    let operations = operations_per_item(network, stage, counts, (own_input == Some(&input)).then_some(1.0))?;
    let throughput = row.number(Aspect::Metric(Metric::ThroughputPerS))?;
    let batch = measurement.count(Field::BatchSize)? as f64;
    let weights = network.parameters_m?.value() * 1e6 * forward_passes(stage);
    let inputs = input.extents().iter().copied().map(f64::from).product::<f64>() * batch;
    let moved = bytes_of(measurement.precision()?) * (weights + inputs);
    Some((operations * batch / moved, operations * throughput / measurement.devices() as f64 / 1e12))
}

/// The device, number format and dense peak [TFLOP/s] that bound a row: the peak of its precision, or of fp32 if the device has no
/// fast units for a shorter format, which is then only used for storage.
fn roof<'r>(row: &PlottedRow<'r>) -> Option<(&'r Device, NumberFormat, f64)> {
    let device = row.device?;
    let precision = row.measurement.precision()?;
    let own = dense_peak(device, precision)?;
    let is_shorter = bytes_of(precision) < 4.0;
    let in_fp32 = dense_peak(device, Precision::Fp32).filter(|(_, peak)| is_shorter && *peak > own.1);
    let (format, peak) = in_fp32.unwrap_or(own);
    Some((device, format, peak))
}
