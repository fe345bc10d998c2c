//! The rows of a heat map: one per distinct combination, with counts, so that a map of everything reads only some thousand rows.

use std::collections::HashMap;

use crate::ask::found::Interpreted;
use crate::ask::hits::HitColumns;
use crate::ask::parse::QueryError;
use crate::ask::plot::PlotRequest;
use crate::model::{Aspect, Field};
use crate::stores::Stores;
use crate::stores::database::AspectColumn;

/// Aspects that distinguish rows of a heat map besides its axes: the backend replaces a missing framework, and the figure lists
/// its sources.
const ALSO: [Aspect; 3] = [Aspect::Source, Aspect::Field(Field::Framework), Aspect::Field(Field::Backend)];

/// Representative rows, and how many rows each stands for.
type CountedRows = (Vec<u64>, Vec<u64>);

/// Representative rows for everything that a question finds, with counts; `None` if an axis differs per row or the question limits
/// the rows.
pub(super) fn coverage_rows(
    stores: &Stores,
    asked: &Interpreted,
    request: &PlotRequest,
) -> Result<Option<CountedRows>, QueryError> {
    if asked.question.take.is_some() || asked.question.skip.is_some() {
        return Ok(None);
    }
    let mut columns: Vec<(usize, AspectColumn)> = Vec::new();
    for aspect in request.aspects().into_iter().chain(ALSO) {
        let Some(part) = aspect.part() else { return Ok(None) };
        columns.push((part as usize, stores.database.aspect(aspect)?));
    }
    let hits = HitColumns::of(stores, &asked.condition, &[])?;
    let mut places: HashMap<Vec<u32>, usize> = HashMap::new();
    let (mut rows, mut counts): (Vec<u64>, Vec<u64>) = (Vec::new(), Vec::new());
    let mut key: Vec<u32> = Vec::with_capacity(columns.len());
    for hit in 0..hits.len() {
        let parts = hits.parts(hit);
        key.clear();
        key.extend(columns.iter().map(|(part, column)| column.number(parts[*part])));
        match places.get(&key) {
            Some(place) => counts[*place] += 1,
            None => {
                places.insert(key.clone(), rows.len());
                rows.push(hits.row(hit));
                counts.push(1);
            }
        }
    }
    Ok(Some((rows, counts)))
}
