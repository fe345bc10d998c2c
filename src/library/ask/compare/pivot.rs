//! Pivots the measurements found into a table, ranks the cells and adds notes.

use super::CompareError;
use super::candidates::Candidates;
use super::compared_columns::ComparedColumns;
use super::labels::labels;
use super::pick_candidate::{self, PickedMeasurement};
use super::relative;
use super::request::{ComparePick, CompareRequest};
use super::table::{Pivot, PivotCell, PivotColumn, PivotRow};
use super::table_notes;
use crate::rows::EntityCache;
use crate::stores::Stores;
use crate::stores::index::Condition;

/// Compares all measurements that meet a condition.
///
/// # Errors
///
/// Fails if the request cannot be met, or if a store fails.
pub fn pivot(stores: &Stores, condition: &Condition, request: &CompareRequest) -> Result<Pivot, CompareError> {
    let compared = ComparedColumns::of(stores, condition, request)?;
    let candidates = Candidates::of(&compared, request)?;
    let mut entities = EntityCache::default();
    let rows: Vec<PivotRow> = candidates
        .rows
        .iter()
        .map(|values| Ok(PivotRow { labels: labels(&mut entities, stores, &request.rows, values)?, notes: Vec::new() }))
        .collect::<Result<_, CompareError>>()?;
    let columns: Vec<PivotColumn> = candidates
        .columns
        .iter()
        .map(|(values, measure)| {
            let labels = labels(&mut entities, stores, &request.columns, values)?;
            let heading = compared.heading(*measure);
            Ok(PivotColumn { labels, measure: measure.key(), heading, notes: Vec::new(), of: *measure })
        })
        .collect::<Result<_, CompareError>>()?;
    let mut pivot = Pivot {
        rows_by: request.rows.iter().map(|axis| axis.key().to_owned()).collect(),
        groups: request.groups.len(),
        columns_by: request.columns.iter().map(|axis| axis.key().to_owned()).collect(),
        pick: request.pick.to_string(),
        total: compared.columns.rows.len(),
        along: String::new(),
        baseline: None,
        ratio: request.relative.map(|ratio| ratio.to_string()),
        means: Vec::new(),
        subjects: Vec::new(),
        shared: Vec::new(),
        verdict: None,
        notes: Vec::new(),
        relaxed: request.relaxed.iter().map(|criterion| criterion.key().to_owned()).collect(),
        sources: Vec::new(),
        shares_first_rank: false,
        rows,
        columns,
        cells: Vec::new(),
    };
    let lines = relative::lines(&pivot, request)?;
    pivot.along = lines.along.to_string();
    let picked = pick_candidate::pick_cells(&compared, &candidates, request, lines);
    let wanted: Vec<u64> = picked.iter().map(|picked| compared.columns.rows[picked.hit]).collect();
    let measurements = stores.database.measurements(&wanted)?;
    let joined = entities.join(&stores.database, measurements)?;
    entities.load_value(&stores.database, crate::model::Field::Dataset, request.dataset.as_deref())?;
    let mut cells: Vec<Vec<Option<Box<PivotCell>>>> = vec![vec![None; pivot.columns.len()]; pivot.rows.len()];
    let mut chosen: Vec<PickedMeasurement> = Vec::with_capacity(picked.len());
    for (picked, joined) in picked.into_iter().zip(joined) {
        let place = (picked.row, picked.column);
        let cell = picked.cell(&compared, &joined, pivot.columns[place.1].of, &entities, request);
        cells[place.0][place.1] = Some(Box::new(cell));
        chosen.push(PickedMeasurement { row: place.0, column: place.1, joined });
    }
    if request.pick == ComparePick::All {
        pick_candidate::fill_all(&compared, &candidates, stores, &pivot.columns, &mut cells)?;
    }
    pivot.cells = cells;
    for id in chosen.iter().map(|chosen| chosen.joined.recorded().source().as_str()) {
        if pivot.sources.iter().all(|source| source.id.as_str() != id) {
            pivot.sources.extend(entities.source(id).cloned());
        }
    }
    relative::compare(&mut pivot, &chosen, lines, request);
    table_notes::add_notes(&mut pivot, &chosen, candidates.retracted, (stores, &mut entities), request)?;
    Ok(pivot)
}
