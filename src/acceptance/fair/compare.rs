//! A case put to a comparison: what it says, and which of its values it marks as the best.

use std::rc::Rc;

use dlbench::ask::compare::{CompareRequest, Pivot, PivotAxis, measure_called};
use dlbench::model::{Field, Measurement};

use super::{Base, Case, demands, lacking, unlike};

pub(super) fn mistakes(base: &Base, case: &Case<'_>) -> Vec<String> {
    let axes = |key: &str| case.aspects(key).into_iter().map(PivotAxis::Aspect).collect();
    let metrics = case.options.get("metric").copied().unwrap_or_default().split(',').filter(|name| !name.is_empty());
    let request = CompareRequest {
        rows: axes("rows"),
        columns: axes("cols"),
        measures: metrics.map(|name| measure_called(name).expect("a measure")).collect(),
        ..CompareRequest::default()
    };
    let found = match base.kb.compare(case.question, &request) {
        Ok(found) => found.pivot,
        Err(error) => return vec![format!("fails: {error}")],
    };
    let mut said: Vec<String> = found.notes.iter().map(|note| note.text.clone()).collect();
    said.extend(found.shared.iter().map(|(key, value)| format!("{key} {value}")));
    let labels = found.rows.iter().map(|row| &row.labels).chain(found.columns.iter().map(|column| &column.labels));
    said.extend(labels.flatten().map(|label| label.name.clone()));
    said.extend(found.columns.iter().map(|column| column.heading.clone()));
    let outcomes = found.cells.iter().flatten().flatten().filter_map(|cell| cell.outcome.clone());
    said.extend(outcomes.map(|outcome| format!("outcome {outcome}")));
    let mut wrong = lacking(case.must, &said.join(" | "));
    let marked = found.cells.iter().flatten().flatten().filter(|cell| cell.best).count();
    if demands(case.must, "no best") && marked > 0 {
        wrong.push(format!("{marked} values are marked as the best"));
    }
    if found.cells.iter().flatten().flatten().next().is_none() {
        wrong.push("finds nothing".to_owned());
    }
    wrong.extend(unfair_marks(base, &found, &case.seen()));
    wrong
}

/// Marks that a reader could not check: beside a better value that no label tells apart, or ranked with nothing that is alike.
fn unfair_marks(base: &Base, found: &Pivot, seen: &[Field]) -> Vec<String> {
    let mut wrong = Vec::new();
    let by_column = found.along == "column";
    let lines = if by_column { found.columns.len() } else { found.rows.len() };
    for line in 0..lines {
        let cells = found.cells.iter().enumerate().flat_map(|(row, cells)| {
            cells.iter().enumerate().filter_map(move |(column, cell)| Some((row, column, cell.as_deref()?)))
        });
        let cells: Vec<_> =
            cells.filter(|(row, column, _)| if by_column { *column == line } else { *row == line }).collect();
        let best: Vec<_> = cells.iter().filter(|(.., cell)| cell.best).collect();
        for (.., cell) in &best {
            let own = base.measurement(&cell.id);
            let ranked: Vec<Rc<Measurement>> = cells
                .iter()
                .filter(|(.., other)| other.rank.is_some() && other.id != cell.id)
                .map(|(.., other)| base.measurement(&other.id))
                .collect();
            if !ranked.iter().any(|other| unlike(&own, other, seen).is_empty()) {
                let why: Vec<_> = ranked.iter().map(|other| unlike(&own, other, seen)).collect();
                wrong.push(format!("{} is marked, and nothing ranked is like it: {why:?}", cell.id));
            }
        }
    }
    wrong
}
