//! Remedies for refused figures; each is tried on the same rows before it is suggested.

use std::collections::BTreeSet;

use super::draw::draw;
use super::fairness::{narrow, stated};
use super::panels::drawable;
use super::request::{AspectList, PlotError, PlotPick, PlotRequest, Remedy};
use super::row::{PlottedRow, plotted};
use crate::comparability::Criterion;
use crate::model::{Aspect, Fact, Field};
use crate::rows::{JoinedCatalog, JoinedRow};

/// Maximum number of additional facets: more would split a figure into unreadable panels.
const MOST_FACETS: usize = 3;

/// Adds working remedies to a refusal; existing remedies are not changed.
pub(super) fn advised(
    error: PlotError,
    rows: &[JoinedRow],
    catalog: &JoinedCatalog,
    request: &PlotRequest,
) -> PlotError {
    let PlotError::Refused { message, mut remedies, differing } = error else { return error };
    if differing.is_empty() || !remedies.is_empty() {
        return PlotError::Refused { message, remedies, differing };
    }
    let works = |request: &PlotRequest| draw(&plotted(rows, &[], catalog, request), request).is_ok();
    if let Some(facets) = panels(rows, catalog, request, &differing) {
        remedies.push(Remedy::Facet(AspectList(facets)));
    } else if let Some(group) = differing.first().and_then(|criterion| aspect_of(*criterion)) {
        let group: Vec<Aspect> = request.group.iter().copied().chain([group]).collect();
        if works(&PlotRequest { group: group.clone(), ..request.clone() }) {
            remedies.push(Remedy::Group(AspectList(group)));
        }
    }
    remedies.extend(narrower(rows, catalog, request));
    if request.pick.is_none() && works(&PlotRequest { pick: Some(PlotPick::Best), ..request.clone() }) {
        remedies.push(Remedy::Pick);
    }
    if remedies.is_empty() {
        remedies.push(Remedy::Advice("narrow the question".to_owned()));
    }
    PlotError::Refused { message, remedies, differing }
}

/// The aspect that shows a criterion.
fn aspect_of(criterion: Criterion) -> Option<Aspect> {
    match criterion {
        // A relative accuracy target is a field of its own.
        Criterion::Field(field) => Some(Aspect::Field(field)),
        Criterion::Class => Some(Aspect::Fact(Fact::Class)),
        Criterion::Source => Some(Aspect::Source),
    }
}

/// The facets with which the figure can be drawn.
fn panels(
    rows: &[JoinedRow],
    catalog: &JoinedCatalog,
    request: &PlotRequest,
    differing: &[Criterion],
) -> Option<Vec<Aspect>> {
    let mut tried = request.clone();
    let mut differing = differing.to_vec();
    loop {
        for aspect in differing.iter().filter_map(|criterion| panel_aspect(rows, *criterion)) {
            if tried.facet.contains(&aspect) {
                return None;
            }
            tried.facet.push(aspect);
        }
        if tried.facet.len() > MOST_FACETS + request.facet.len() {
            return None;
        }
        match draw(&plotted(rows, &[], catalog, &tried), &tried) {
            Ok(_) => return Some(tried.facet),
            Err(PlotError::Refused { differing: more, .. }) if !more.is_empty() => differing = more,
            Err(_) => return None,
        }
    }
}

/// The aspect that separates rows by a criterion; for targets and batch sizes the variant that the rows state.
fn panel_aspect(rows: &[JoinedRow], criterion: Criterion) -> Option<Aspect> {
    let states = |field: Field| rows.iter().any(|row| row.recorded().get(field).is_some());
    match criterion {
        Criterion::Field(Field::AccuracyTarget) if !states(Field::AccuracyTarget) => {
            Some(Aspect::Field(Field::RelativeAccuracyTarget))
        }
        Criterion::Field(Field::BatchSize) if !states(Field::BatchSize) => Some(Aspect::Field(Field::BatchSizeGlobal)),
        other => aspect_of(other),
    }
}

/// The filters with which a figure of the most common rows can be drawn.
fn narrower(rows: &[JoinedRow], catalog: &JoinedCatalog, request: &PlotRequest) -> Option<Remedy> {
    let kind = request.kind().ok()?;
    let all = plotted(rows, &[], catalog, request);
    let mut kept: Vec<&PlottedRow<'_>> = drawable(&all, request, &mut Vec::new()).ok()?;
    let chosen = narrow(&mut kept, request, kind);
    let ids: BTreeSet<&str> = kept.iter().map(|row| row.measurement.id()).collect();
    let filters: Option<Vec<String>> = chosen.iter().map(|(criterion, _)| filter(&kept, &all, *criterion)).collect();
    let filters = filters.filter(|filters| !filters.is_empty())?.join(" ");
    let narrowed: Vec<JoinedRow> = rows.iter().filter(|row| ids.contains(row.id())).cloned().collect();
    let tried = draw(&plotted(&narrowed, &[], catalog, request), request);
    let needs_a_rule = || {
        let picked = PlotRequest { pick: Some(PlotPick::Best), ..request.clone() };
        request.pick.is_none() && draw(&plotted(&narrowed, &[], catalog, &picked), &picked).is_ok()
    };
    match tried {
        Ok(_) => Some(Remedy::Narrow(filters)),
        Err(_) if needs_a_rule() => Some(Remedy::NarrowAndPick(filters)),
        Err(_) => None,
    }
}

/// The filter that keeps the rows with the same value of a criterion and excludes the others; `None` if no filter expresses it.
fn filter(kept: &[&PlottedRow<'_>], all: &[PlottedRow<'_>], criterion: Criterion) -> Option<String> {
    let own = kept.first()?;
    let quoted = |text: String| {
        if text.contains(|c: char| !c.is_alphanumeric() && !"-._".contains(c)) { format!("\"{text}\"") } else { text }
    };
    let stating = |field: Field| Some(format!("{}:{}", field.key(), quoted(own.measurement.get(field)?.to_string())));
    let leaving_out = |field: Field| {
        let kept = stated(own, criterion);
        let others: BTreeSet<String> = all
            .iter()
            .filter(|row| stated(row, criterion) != kept)
            .filter_map(|row| Some(row.measurement.get(field)?.to_string()))
            .collect();
        let others: Vec<String> = others.into_iter().map(quoted).collect();
        (!others.is_empty()).then(|| format!("-{}:{}", field.key(), others.join(",")))
    };
    match criterion {
        Criterion::Field(Field::AccuracyTarget) => {
            stating(Field::AccuracyTarget).or_else(|| stating(Field::RelativeAccuracyTarget))
        }
        Criterion::Field(Field::BatchSize) => stating(Field::BatchSize).or_else(|| stating(Field::BatchSizeGlobal)),
        // Statistics of the centre (mean, median …) are comparable whatever their name.
        Criterion::Field(Field::Statistic) if own.measurement.statistic().is_none_or(|own| own.is_middle()) => {
            leaving_out(Field::Statistic)
        }
        // A version filter matches all versions that begin with it, so longer ones are excluded.
        Criterion::Field(field @ (Field::FrameworkVersion | Field::BackendVersion)) => {
            let own_version = stated(own, criterion)?;
            let is_longer = |other: &String| *other != own_version && other.starts_with(own_version.as_str());
            let longer = all.iter().filter_map(|row| stated(row, criterion)).filter(is_longer);
            let longer: BTreeSet<String> = longer.map(quoted).collect();
            let longer: Vec<String> = longer.into_iter().collect();
            let own_filter = stating(field)?;
            Some(match longer.as_slice() {
                [] => own_filter,
                longer => format!("{own_filter} -{}:{}", field.key(), longer.join(",")),
            })
        }
        Criterion::Field(field) => stating(field).or_else(|| leaving_out(field)),
        Criterion::Class => Some(format!("class:{}", stated(own, criterion)?)),
        Criterion::Source => Some(format!("source:{}", own.measurement.source())),
    }
}
