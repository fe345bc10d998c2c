//! A roofline: what devices can do at each arithmetic intensity, and measured points below it.
//!
//! The model is that of Williams, Waterman and Patterson, Roofline: an insightful visual performance model for multicore
//! architectures, Communications of the ACM 52(4), 2009: performance <= min(peak, bandwidth x intensity).
//!
//! No source states how many bytes a network moves. A point is drawn at the most that its intensity can be: each weight
//! and each input is moved once for a batch, activations never. Its true place is further left, at the same height.

use std::collections::BTreeMap;

use super::figure::{Axis, Figure, Link, Origin, Panel, Point, Scale, Series};
use super::groups::{group_of, groups};
use super::panels::{notes, panels, sources, title};
use super::request::{Kind, PlotError, Request};
use super::row::PlottedRow;
use crate::model::{Aspect, Device, Field, Metric, NumberFormat};
use crate::values::text::counted;
use crate::values::{Precision, Shape};

/// A multiply-add is two operations.
const OPERATIONS: f64 = 2.0;
/// A training step computes the forward pass, the gradients of the activations and those of the weights.
const TRAINING: f64 = 3.0;

pub(super) fn figure(rows: &[PlottedRow<'_>], request: &Request) -> Result<Figure, PlotError> {
    let mut request = request.clone();
    // The axes of a roofline are given.
    request.x = None;
    request.y = Some(Aspect::Metric(Metric::ThroughputPerS));
    if request.group.is_empty() {
        request.group = vec![Aspect::Field(Field::Device)];
    }
    if request.label.is_empty() {
        request.label.push(Aspect::Field(Field::Network));
    }
    let named_by = request.label.clone();
    // What a roofline is for: any stage, network and batch may stand below one roof.
    for field in [Field::Network, Field::Stage, Field::InputShape, Field::BatchSize] {
        request.label.push(Aspect::Field(field));
    }
    let placed: Vec<(&PlottedRow<'_>, f64, f64)> =
        rows.iter().filter_map(|row| Some((row, place(row)?))).map(|(row, (x, y))| (row, x, y)).collect();
    if placed.is_empty() {
        let why = "a roofline needs measurements with a throughput, a precision, a batch size, a network whose parameters \
                   and multiply-adds are known, and a device whose bandwidth and peak are known";
        return Err(PlotError::Nothing(why.to_owned()));
    }
    let drawn: Vec<&PlottedRow<'_>> = placed.iter().map(|(row, _, _)| *row).collect();
    let mut remarks = Vec::new();
    if drawn.len() < rows.len() {
        let lacking = rows.len() - drawn.len();
        remarks.push(format!("{lacking} of {} measurements lack what a place takes.", rows.len()));
    }
    let divided = panels(&drawn, &request, Kind::Roofline)?;
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
        for ((_, format), (group, device, peak)) in roofs {
            let Some(bandwidth) = device.bandwidth_gb_per_s.map(|b| b.value() / 1000.0) else { continue };
            let ridge = peak / bandwidth;
            let start = (left / 4.0).min(ridge / 8.0);
            let corner = |x: f64, label: String| {
                let y = peak.min(bandwidth * x);
                Point { x, y, texts: [format!("{x:.4}"), format!("{y:.4}")], label, ..Point::default() }
            };
            let name = format!("{format} peak {} TFLOP/s", short(peak));
            let points =
                vec![corner(start, String::new()), corner(ridge, String::new()), corner(right.max(ridge * 2.0), name)];
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
        "Roofs: min(dense peak, bandwidth x intensity), from the catalog. A point stands at the most that its intensity can \
         be: weights and inputs are moved once for a batch, activations never; a training step counts as three forward passes."
            .to_owned(),
    );
    let above = placed.iter().filter(|(row, _, y)| roof(row).is_some_and(|(_, _, peak)| *y > peak)).count();
    if above > 0 {
        let points = counted(above, "point stands", "points stand");
        remarks.push(format!(
            "{points} above the roof: what is counted is the network's multiply-adds, and algorithms such as Winograd's need fewer."
        ));
    }
    if drawn.iter().any(|row| row.facts.is_family) {
        remarks.push("Where a source names a device family, the roof is that of its largest member.".to_owned());
    }
    let as_drawn = Request { x: None, y: None, ..request.clone() };
    remarks.extend(notes(&drawn, &as_drawn, Kind::Roofline));
    Ok(Figure {
        kind: Kind::Roofline,
        title: title(&drawn, &request),
        x: Axis {
            label: "arithmetic intensity, at most [FLOP/byte]".to_owned(),
            key: "intensity_flop_per_byte".to_owned(),
            scale: Scale::Log,
        },
        y: Axis { label: "performance [TFLOP/s]".to_owned(), key: "performance_tflops".to_owned(), scale: Scale::Log },
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

/// Intensity [FLOP/byte] and performance [TFLOP/s for one device] of a row.
fn place(row: &PlottedRow<'_>) -> Option<(f64, f64)> {
    roof(row)?;
    row.device?.bandwidth_gb_per_s?;
    let measurement = row.measurement;
    if row.counts() != Some("image") && row.counts() != Some("sample") && row.counts() != Some("frame") {
        return None;
    }
    let network = row.network?;
    let stage = match measurement.text(Field::Stage)? {
        "eval" | "forward" => 1.0,
        "train" => TRAINING,
        _ => return None,
    };
    let flop = OPERATIONS * stage * network.multiply_adds_g?.value() * 1e9;
    let throughput = row.number(Aspect::Metric(Metric::ThroughputPerS))?;
    let devices = measurement.count(Field::DeviceCount).unwrap_or(1) as f64;
    let batch = measurement.count(Field::BatchSize)? as f64;
    let width = bytes(precision(row)?)?;
    let shape = measurement.text(Field::InputShape).and_then(|shape| shape.parse::<Shape>().ok());
    let input: f64 = shape.or_else(|| network.input_shape.clone()).map_or(0.0, |shape| elements(&shape));
    let moved = width * (network.parameters_m?.value() * 1e6 * stage + input * batch);
    Some((flop * batch / moved, flop * throughput / devices / 1e12))
}

fn elements(shape: &Shape) -> f64 {
    shape.to_string().split('x').filter_map(|extent| extent.parse::<f64>().ok()).product()
}

fn precision(row: &PlottedRow<'_>) -> Option<Precision> {
    row.measurement.text(Field::Precision)?.parse().ok()
}

/// Bytes of a number.
fn bytes(precision: Precision) -> Option<f64> {
    Some(match precision.to_string().as_str() {
        "fp64" => 8.0,
        "fp32" | "tf32" => 4.0,
        "fp16" | "bf16" | "amp-fp16" | "amp-bf16" => 2.0,
        "fp8" | "int8" => 1.0,
        "int4" => 0.5,
        _ => return None,
    })
}

/// The device, the number format and the dense peak [TFLOP/s] that bound a row; matrix units where there are any.
fn roof<'r>(row: &PlottedRow<'r>) -> Option<(&'r Device, NumberFormat, f64)> {
    use NumberFormat::{Bf16, Bf16Tensor, Fp8Tensor, Fp16, Fp16Tensor, Fp32, Fp64, Int8, Int8Tensor, Tf32Tensor};
    let device = row.device?;
    let formats: &[NumberFormat] = match precision(row)?.to_string().as_str() {
        "fp64" => &[Fp64],
        "fp32" => &[Fp32],
        "tf32" => &[Tf32Tensor],
        "fp16" | "amp-fp16" => &[Fp16Tensor, Fp16],
        "bf16" | "amp-bf16" => &[Bf16Tensor, Bf16],
        "fp8" => &[Fp8Tensor],
        "int8" => &[Int8Tensor, Int8],
        _ => return None,
    };
    formats.iter().find_map(|format| device.peak_tflops.get(format).map(|peak| (device, *format, peak.value())))
}
