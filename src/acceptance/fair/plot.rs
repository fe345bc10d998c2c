//! A case put to a figure: what is refused, whether the advice helps, and what stands in one panel.

use std::collections::BTreeSet;
use std::rc::Rc;

use dlbench::ask::FigureError;
use dlbench::ask::plot::{Figure, FigureKind, PlotError, PlotPick, PlotRequest};
use dlbench::model::{Aspect, Field, Measurement};

use super::{Base, Case, lacking, unlike};

pub(super) fn mistakes(base: &Base, case: &Case<'_>) -> Vec<String> {
    let one = |key: &str| case.aspects(key).first().copied();
    let request = PlotRequest {
        kind: case.options.get("kind").map(|kind| kind.parse().expect("a shape")),
        x: one("x"),
        y: one("y"),
        group: case.aspects("group"),
        facet: case.aspects("facet"),
        label: case.aspects("label"),
        pick: case.options.get("pick").map(|pick| pick.parse().expect("a rule")),
        ..PlotRequest::default()
    };
    let wanted = case.must.split(';').map(str::trim).find_map(|part| part.strip_prefix("refused "));
    match (base.kb.figure(case.question, &request), wanted) {
        (Ok(figure), None) => {
            let mut wrong = lacking(case.must, &figure.notes.join(" | "));
            wrong.extend(unlike_marks(base, &figure, &case.seen()));
            wrong
        }
        (Ok(figure), Some(fields)) => vec![format!("is drawn, and should be refused for {fields}: {:?}", figure.notes)],
        (Err(FigureError::Plot(PlotError::Refused { message, help, apart })), Some(fields)) => {
            let apart: Vec<&str> = apart.iter().map(|criterion| criterion.key()).collect();
            let missing = fields.split(',').filter(|field| !apart.contains(field) && !message.contains(field));
            let mut wrong: Vec<String> =
                missing.map(|field| format!("refused, but not for {field}: {message}")).collect();
            wrong.extend(untrue_advice(base, case.question, &request, &help));
            wrong
        }
        (Err(error), None) => {
            let help = if let FigureError::Plot(PlotError::Refused { help, .. }) = &error { help.as_str() } else { "" };
            vec![format!("is not drawn: {error} ({help})")]
        }
        (Err(error), Some(_)) => vec![format!("fails otherwise: {error}")],
    }
}

/// Advice that does not help when it is followed.
fn untrue_advice(base: &Base, question: &str, request: &PlotRequest, help: &str) -> Vec<String> {
    let picked = |request: &PlotRequest| PlotRequest { pick: request.pick.or(Some(PlotPick::Best)), ..request.clone() };
    let aspects = |names: &str| names.split(',').map(|name| Aspect::called(name).expect("a field")).collect::<Vec<_>>();
    let behind = |mark: &str| {
        help.split_once(mark)
            .map(|(_, rest)| rest.split(&[' ', ';'][..]).next().unwrap_or_default().trim_end_matches(','))
    };
    let mut tries: Vec<(String, PlotRequest)> = Vec::new();
    if let Some(facets) = behind("--facet ") {
        tries.push((question.to_owned(), PlotRequest { facet: aspects(facets), ..request.clone() }));
    }
    if let Some(groups) = behind("--group ") {
        tries.push((question.to_owned(), PlotRequest { group: aspects(groups), ..request.clone() }));
    }
    if let Some((_, rest)) = help.split_once("for instance ") {
        let filters = rest.split(", or ").next().unwrap_or_default();
        let filters = filters.split(" or name a rule").next().unwrap_or_default();
        tries.push(match filters.split_once(" with --pick best") {
            Some((filters, _)) => (format!("({question}) {filters}"), picked(request)),
            None => (format!("({question}) {filters}"), request.clone()),
        });
    }
    if tries.is_empty() {
        return vec![format!("gives no advice: {help:?}")];
    }
    let failed = tries.into_iter().filter_map(|(question, request)| {
        let error = base.kb.figure(&question, &request).err()?;
        Some(format!("advice {help:?} does not help: {error}"))
    });
    failed.collect()
}

/// Marks of one panel that differ in what nobody sees.
fn unlike_marks(base: &Base, figure: &Figure, seen: &[Field]) -> Vec<String> {
    if matches!(figure.kind, FigureKind::Heatmap | FigureKind::Roofline) {
        return Vec::new();
    }
    let mut wrong = Vec::new();
    for panel in &figure.panels {
        let ids = panel.series.iter().flat_map(|series| &series.points).filter(|point| !point.id.is_empty());
        let rows: Vec<Rc<Measurement>> = ids.map(|point| base.measurement(&point.id)).collect();
        let differing: BTreeSet<&str> = rows.iter().skip(1).flat_map(|row| unlike(&rows[0], row, seen)).collect();
        if !differing.is_empty() {
            wrong.push(format!("panel {:?} has marks that differ in {differing:?}", panel.title));
        }
    }
    wrong
}
