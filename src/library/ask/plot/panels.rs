//! Divides rows into panels, and collects the notes on them.

use std::collections::{BTreeMap, BTreeSet};

use strum::VariantArray as _;

use super::fairness::{first_few, is_missed, refuse_unlike};
use super::figure::Group;
use super::request::{FigureKind, PlotError, PlotRequest};
use super::row::{PlottedRow, TITLED, by_values};
use crate::comparability::Criterion;
use crate::model::{Aspect, Field, Metric, Tier};
use crate::rows::{Note, labelled};
use crate::values::Standing;
use crate::values::text::{and_list, counted};

/// Maximum number of panels in a figure.
const MOST_PANELS: usize = 24;

/// The panels of a figure, each a title with its rows.
pub(super) type Panels<'r> = Vec<(String, Vec<&'r PlottedRow<'r>>)>;

/// Divides rows into panels, and refuses panels whose rows are not comparable.
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
        refuse_unlike(rows, request, kind)?;
    }
    let mut panels: Vec<(Vec<Option<String>>, Vec<&PlottedRow<'_>>)> = panels.into_iter().collect();
    panels.sort_by(|(a, _), (b, _)| by_values(&request.facet, a, b));
    Ok(panels.into_iter().map(|(_, rows)| (rows[0].name(&request.facet), rows)).collect())
}

/// The rows with a value on both axes, and a note on the others.
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

/// The title, and the groups for the legend: a single group becomes part of the title instead.
pub(super) fn title_and_groups(
    rows: &[&PlottedRow<'_>],
    request: &PlotRequest,
    groups: Vec<Group>,
) -> (String, Vec<Group>) {
    let [only] = groups.as_slice() else { return (title(rows, request), groups) };
    let in_title = title(rows, &PlotRequest { group: Vec::new(), ..request.clone() });
    let is_titled = |aspect: &Aspect| matches!(aspect, Aspect::Field(field) if TITLED.contains(field));
    let named = [in_title.as_str(), only.name.as_str()];
    match request.group.iter().all(is_titled) || only.name.is_empty() {
        true => (in_title, Vec::new()),
        false => (named.into_iter().filter(|part| !part.is_empty()).collect::<Vec<_>>().join(" · "), Vec::new()),
    }
}

/// What all rows share and no axis, group or panel shows.
fn title(rows: &[&PlottedRow<'_>], request: &PlotRequest) -> String {
    let apart = request.distinguishing_aspects();
    let parts = TITLED.iter().copied().map(Aspect::Field).filter(|aspect| !apart.contains(aspect));
    let parts = parts.filter_map(|aspect| {
        let first = rows.first()?.text(aspect)?;
        let alike = rows.iter().all(|row| row.text(aspect) == Some(first));
        alike.then(|| labelled(aspect, first))
    });
    parts.collect::<Vec<_>>().join(" · ")
}

/// Notes on the rows drawn: missing, mixed and derived values, device families, changed standing.
pub(super) fn notes(rows: &[&PlottedRow<'_>], request: &PlotRequest, kind: FigureKind) -> Vec<String> {
    let mut notes = Vec::new();
    let all = rows.len();
    let metrics = request.metrics();
    let unknown: Vec<(Field, usize)> = Field::VARIANTS
        .iter()
        .copied()
        .filter(|field| {
            let tier = |metric: &Metric| Criterion::Field(*field).tier(*metric, false);
            let is_identity = || metrics.iter().any(|metric| tier(metric) == Some(Tier::Identity));
            let is_said_elsewhere = matches!(field, Field::Timed | Field::Label);
            matches!(field, Field::Precision | Field::BatchSize | Field::DeviceCount)
                || is_identity() && !is_said_elsewhere && kind != FigureKind::Roofline
        })
        .filter(|field| *field != Field::Baseline)
        .filter_map(|field| {
            let criterion = Criterion::Field(field);
            let missing = rows.iter().filter(|row| row.compared_row().compared(criterion).is_none()).count();
            // A field that no row states does not apply, unless the numbers depend on it.
            (missing > 0 && (missing < all || is_missed(rows, criterion, &metrics))).then_some((field, missing))
        })
        .collect();
    if !unknown.is_empty() {
        notes.push(Note::NotStated { missing: unknown, of: all }.to_string());
    }
    let throughput = Aspect::Metric(Metric::ThroughputPerS);
    let is_derived = |row: &&&PlottedRow<'_>| row.shown.get(&throughput).is_some_and(|shown| shown.derived);
    let derived = rows.iter().filter(is_derived).count();
    if derived > 0 && [request.x, request.y].contains(&Some(throughput)) {
        notes.push(Note::DerivedThroughput { rows: derived, of: Some(all) }.to_string());
    }
    for metric in metrics.iter().filter(|metric| metric.is_of_quality()) {
        let joined = rows.iter().filter(|row| row.measurement.metric(*metric).is_none()).count();
        if joined > 0 {
            notes.push(format!(
                "{joined} of {all} have their {} from another row of the same source and network.",
                metric.key()
            ));
        }
    }
    let families: BTreeSet<&str> = rows
        .iter()
        .filter(|row| row.facts.is_family)
        .filter_map(|row| row.text(Aspect::Field(Field::Device)))
        .collect();
    if !families.is_empty() {
        let families: Vec<&str> = families.into_iter().collect();
        notes.push(format!("Device families, whose members the sources do not tell apart: {}.", first_few(&families)));
    }
    let standing: BTreeSet<&str> = rows.iter().filter_map(|row| row.measurement.text(Field::Standing)).collect();
    if !standing.is_empty() {
        notes
            .push(format!("Among them are numbers that were {}.", and_list(&standing.into_iter().collect::<Vec<_>>())));
    }
    let apart = request.distinguishing_aspects();
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

/// Ids of the rows' sources, sorted.
pub(super) fn sources(rows: &[&PlottedRow<'_>]) -> Vec<String> {
    let sources: BTreeSet<String> = rows.iter().map(|row| row.measurement.source().to_string()).collect();
    sources.into_iter().collect()
}

/// The name of an aspect without its unit.
pub(super) fn name_of(aspect: Aspect) -> &'static str {
    let heading = aspect.heading();
    heading.split_once(" [").map_or(heading, |(name, _)| name)
}
