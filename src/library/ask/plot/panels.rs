//! Divides rows into panels, and refuses incomparable numbers along one axis.

use std::borrow::Cow;
use std::collections::{BTreeMap, BTreeSet};

use strum::VariantArray as _;

use super::request::{FigureKind, PlotError, PlotRequest};
use super::row::{PlottedRow, TITLED, by_values};
use crate::comparability::Criterion;
use crate::model::{Aspect, Field, Metric, Tier};
use crate::rows::{Note, labelled};
use crate::values::Standing;
use crate::values::text::{and_list, counted};

/// More panels than this are no figure.
const MOST_PANELS: usize = 24;

/// The panels of a figure: a title and its rows each.
pub(super) type Panels<'r> = Vec<(String, Vec<&'r PlottedRow<'r>>)>;

/// Divides rows into panels, and refuses what would stand together in one of them though it cannot be compared.
pub(super) fn panels<'r>(
    rows: &[&'r PlottedRow<'r>],
    request: &PlotRequest,
    kind: FigureKind,
) -> Result<Panels<'r>, PlotError> {
    let mut panels: BTreeMap<Vec<Option<String>>, Vec<&PlottedRow<'_>>> = BTreeMap::new();
    for row in rows {
        panels.entry(row.parts(&request.facet)).or_default().push(row);
    }
    if panels.len() > MOST_PANELS {
        return Err(PlotError::refused(
            format!("{} panels are too many for a figure", panels.len()),
            "narrow the question, or take another --facet",
        ));
    }
    for rows in panels.values() {
        check(rows, request, kind)?;
    }
    let mut panels: Vec<(Vec<Option<String>>, Vec<&PlottedRow<'_>>)> = panels.into_iter().collect();
    panels.sort_by(|(a, _), (b, _)| by_values(&request.facet, a, b));
    Ok(panels.into_iter().map(|(_, rows)| (rows[0].name(&request.facet), rows)).collect())
}

/// Refuses rows that differ in what is measured, unless that is what tells them apart.
fn check(rows: &[&PlottedRow<'_>], request: &PlotRequest, kind: FigureKind) -> Result<(), PlotError> {
    let metrics: Vec<Metric> = request.x.into_iter().chain(request.y).filter_map(super::request::metric_of).collect();
    let per_item = metrics.iter().any(|metric| metric.items_per().is_some());
    let counts: BTreeSet<&str> = rows.iter().filter_map(|row| row.counts()).map(Into::into).collect();
    if per_item && counts.len() > 1 {
        let counts: Vec<String> = counts.iter().map(|count| format!("{count}s")).collect();
        return Err(PlotError::refused(
            format!("{} cannot stand on one axis", and_list(&counts)),
            "give each a panel of its own with --facet counts, or narrow the question, for instance counts:image",
        ));
    }
    let differing = differing(rows, request, |criterion, of_layers| is_identity(criterion, &metrics, kind, of_layers));
    if differing.is_empty() {
        return Ok(());
    }
    let told: Vec<String> =
        differing.iter().map(|(criterion, values)| format!("{} ({})", criterion.key(), few(values))).collect();
    Err(PlotError::refused(
        format!("the measurements differ in {}, so that their numbers cannot be compared", and_list(&told)),
        advice(&differing),
    ))
}

/// In what rows differ among the criteria that count, unless that is what tells them apart: each with its values.
fn differing(
    rows: &[&PlottedRow<'_>],
    request: &PlotRequest,
    counts: impl Fn(Criterion, bool) -> bool,
) -> Vec<(Criterion, Vec<String>)> {
    let of_layers = rows.iter().any(|row| row.facts.is_of_layers());
    let identity: Vec<Criterion> = Criterion::all().filter(|criterion| counts(*criterion, of_layers)).collect();
    let apart = request.told_apart_by();
    let is_told =
        |criterion: &&Criterion| matches!(criterion, Criterion::Field(field) if apart.contains(&Aspect::Field(*field)));
    let accounted: Vec<Criterion> = identity.iter().filter(is_told).copied().collect();
    let mut differing: Vec<(Criterion, Vec<String>)> = Vec::new();
    for criterion in identity {
        // What follows from another field that is told apart (the input of a network) needs no telling.
        let mut values: BTreeMap<String, BTreeSet<String>> = BTreeMap::new();
        for row in rows {
            let stated = |criterion: Criterion| row.compared_row().compared(criterion).map(Cow::into_owned);
            if let Some(value) = stated(criterion) {
                let key: Vec<String> = accounted.iter().map(|other| stated(*other).unwrap_or_default()).collect();
                values.entry(key.join("\n")).or_default().insert(value);
            }
        }
        if values.values().any(|values| values.len() > 1) {
            let all: BTreeSet<String> = values.into_values().flatten().collect();
            differing.push((criterion, all.into_iter().collect()));
        }
    }
    differing
}

/// The rows of the most common kind where the request wants what can be compared only, and a note on which they are. Beside
/// what a value is, the number of devices and the precision decide it.
pub(super) fn narrowed<'r>(
    rows: Vec<&'r PlottedRow<'r>>,
    request: &PlotRequest,
    kind: FigureKind,
    notes: &mut Vec<String>,
) -> Vec<&'r PlottedRow<'r>> {
    if !request.narrowed {
        return rows;
    }
    let metrics: Vec<Metric> = request.x.into_iter().chain(request.y).filter_map(super::request::metric_of).collect();
    let decides = |criterion: Criterion, of_layers: bool| {
        let also = [Field::DeviceCount, Field::Precision, Field::Counts].map(Criterion::Field);
        also.contains(&criterion) || is_identity(criterion, &metrics, kind, of_layers)
    };
    let all = rows.len();
    let mut kept = rows;
    let mut chosen: Vec<String> = Vec::new();
    while let Some((criterion, _)) = differing(&kept, request, decides).into_iter().next() {
        let stated = |row: &PlottedRow<'_>| row.compared_row().compared(criterion).map(Cow::into_owned);
        let mut rows_of: BTreeMap<String, usize> = BTreeMap::new();
        kept.iter().filter_map(|row| stated(row)).for_each(|value| *rows_of.entry(value).or_default() += 1);
        // Of equal ones the first by name, so that the same question is drawn alike each time.
        let Some((most, _)) = rows_of.into_iter().rev().max_by_key(|(_, rows)| *rows) else { break };
        kept.retain(|row| stated(row).as_ref() == Some(&most));
        chosen.push(format!("{} {most}", criterion.key()));
    }
    if !chosen.is_empty() {
        notes.push(format!(
            "Drawn are the {} of {} with {}, the most common; others cannot be compared with them.",
            kept.len(),
            counted(all, "measurement", "measurements"),
            and_list(&chosen),
        ));
    }
    kept
}

/// How to divide rows that differ in this.
fn advice(differing: &[(Criterion, Vec<String>)]) -> String {
    let panels: Vec<&str> = differing
        .iter()
        .filter(|(criterion, _)| matches!(criterion, Criterion::Field(_)))
        .map(|(criterion, _)| criterion.key())
        .collect();
    let narrower = differing.first().map_or_else(String::new, |(criterion, values)| match criterion {
        Criterion::Field(_) => format!("{}:{}", criterion.key(), values[0]),
        // A division stands in the name of the run alone.
        _ => format!("\"{}\"", values[0]),
    });
    match panels.as_slice() {
        [] => format!("narrow the question, for instance {narrower}"),
        panels => format!(
            "give each a panel of its own with --facet {}, or narrow the question, for instance {narrower}",
            panels.join(",")
        ),
    }
}

/// Whether a criterion says what a value is, so that values which differ in it are never drawn together unasked: the
/// identity of every comparison, but for what a figure of two numbers shows.
fn is_identity(criterion: Criterion, metrics: &[Metric], kind: FigureKind, of_layers: bool) -> bool {
    let Criterion::Field(field) = criterion else { return false };
    match field {
        // In the source's own words; that they differ is said in a note.
        Field::Timed => false,
        // A latency is that of a batch; against a second number the batch is what is traded.
        Field::BatchSize if !matches!(kind, FigureKind::Bars | FigureKind::Timeline) => false,
        // Each size of a layer is a point of its own.
        Field::Label if !matches!(kind, FigureKind::Bars | FigureKind::Lines) => false,
        _ => metrics.iter().any(|metric| criterion.tier(*metric, of_layers) == Some(Tier::Identity)),
    }
}

/// The rows that have a place along both axes, and a note on the others.
pub(super) fn drawable<'r>(
    rows: &'r [PlottedRow<'_>],
    request: &PlotRequest,
    notes: &mut Vec<String>,
) -> Result<Vec<&'r PlottedRow<'r>>, PlotError> {
    let (x, y) = request.axes()?;
    let has = |row: &PlottedRow<'_>, aspect: Aspect| match aspect.is_numeric() || super::request::is_date(aspect) {
        true => row.number(aspect).is_some_and(f64::is_finite),
        false => row.text(aspect).is_some(),
    };
    let is_retracted = |row: &PlottedRow<'_>| row.measurement.standing() == Some(Standing::Retracted);
    let drawn: Vec<&PlottedRow<'_>> =
        rows.iter().filter(|row| has(row, x) && has(row, y) && !is_retracted(row)).collect();
    let lacking = [y, x].into_iter().filter_map(|axis| {
        let count = rows.iter().filter(|row| !has(row, axis)).count();
        (count > 0).then(|| format!("{count} without {}", name_of(axis)))
    });
    let retracted = rows.iter().filter(|row| is_retracted(row)).count();
    let lacking: Vec<String> =
        lacking.chain((retracted > 0).then(|| format!("{retracted} that were retracted"))).collect();
    if drawn.is_empty() {
        return Err(PlotError::Nothing(format!(
            "of {} found, {}",
            counted(rows.len(), "measurement", "measurements"),
            and_list(&lacking)
        )));
    }
    if !lacking.is_empty() {
        notes.push(format!("Not drawn: {}.", and_list(&lacking)));
    }
    Ok(drawn)
}

/// What all rows have in common and no axis, group or panel says.
pub(super) fn title(rows: &[&PlottedRow<'_>], request: &PlotRequest) -> String {
    let apart = request.told_apart_by();
    let parts = TITLED.iter().copied().map(Aspect::Field).filter(|aspect| !apart.contains(aspect));
    let parts = parts.filter_map(|aspect| {
        let first = rows.first()?.text(aspect)?;
        let alike = rows.iter().all(|row| row.text(aspect) == Some(first));
        alike.then(|| labelled(aspect, first))
    });
    parts.collect::<Vec<_>>().join(" · ")
}

/// What must be said of rows that stand together: what is unknown, mixed, derived, of a family, of a changed standing.
pub(super) fn notes(rows: &[&PlottedRow<'_>], request: &PlotRequest, kind: FigureKind) -> Vec<String> {
    let mut notes = Vec::new();
    let all = rows.len();
    let metrics: Vec<Metric> = request.x.into_iter().chain(request.y).filter_map(super::request::metric_of).collect();
    let unknown: Vec<(Field, usize)> = Field::VARIANTS
        .iter()
        .copied()
        .filter(|field| {
            matches!(field, Field::Precision | Field::BatchSize)
                || is_identity(Criterion::Field(*field), &metrics, kind, false)
        })
        .filter(|field| *field != Field::Baseline)
        .filter_map(|field| {
            let missing = rows.iter().filter(|row| row.measurement.get(field).is_none()).count();
            // What nobody states does not apply.
            (missing > 0 && missing < all).then_some((field, missing))
        })
        .collect();
    if !unknown.is_empty() {
        notes.push(Note::NotStated { missing: unknown, of: all }.to_string());
    }
    let derived = rows.iter().filter(|row| row.shown.values().any(|shown| shown.derived)).count();
    if derived > 0 && metrics.contains(&Metric::ThroughputPerS) {
        notes.push(Note::DerivedThroughput { rows: derived, of: Some(all) }.to_string());
    }
    let families: BTreeSet<&str> = rows
        .iter()
        .filter(|row| row.facts.is_family)
        .filter_map(|row| row.text(Aspect::Field(Field::Device)))
        .collect();
    if !families.is_empty() {
        let families: Vec<&str> = families.into_iter().collect();
        notes.push(format!("Device families, whose members the sources do not tell apart: {}.", few(&families)));
    }
    let standing: BTreeSet<&str> = rows.iter().filter_map(|row| row.measurement.text(Field::Standing)).collect();
    if !standing.is_empty() {
        notes
            .push(format!("Among them are numbers that were {}.", and_list(&standing.into_iter().collect::<Vec<_>>())));
    }
    let apart = request.told_apart_by();
    let mixed: Vec<&str> = [Field::Stage, Field::Statistic, Field::Scenario]
        .into_iter()
        .filter(|field| apart.contains(&Aspect::Field(*field)) && !request.facet.contains(&Aspect::Field(*field)))
        .filter(|field| rows.iter().filter_map(|row| row.measurement.text(*field)).collect::<BTreeSet<_>>().len() > 1)
        .map(Field::key)
        .collect();
    if !mixed.is_empty() {
        notes.push(format!("Values that differ in {} are not alternatives to each other.", and_list(&mixed)));
    }
    notes
}

/// The sources of rows, sorted.
pub(super) fn sources(rows: &[&PlottedRow<'_>]) -> Vec<String> {
    let sources: BTreeSet<String> = rows.iter().map(|row| row.measurement.source().to_string()).collect();
    sources.into_iter().collect()
}

/// The name of an aspect without its unit.
pub(super) fn name_of(aspect: Aspect) -> &'static str {
    let heading = aspect.heading();
    heading.split_once(" [").map_or(heading, |(name, _)| name)
}

/// The first few of some things, and how many more there are.
pub(super) fn few<S: AsRef<str>>(items: &[S]) -> String {
    const FEW: usize = 4;
    let shown: Vec<&str> = items.iter().take(FEW).map(AsRef::as_ref).collect();
    match items.len().saturating_sub(FEW) {
        0 => shown.join(", "),
        more => format!("{} and {more} more", shown.join(", ")),
    }
}
