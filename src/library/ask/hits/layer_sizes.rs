//! The sizes of single layers, which are in the names of runs and not in any part that rows share.

use std::collections::HashMap;

use super::hit_columns::HitColumns;
use super::number_map::NumberMap;
use super::shared_values::SharedValues;
use crate::comparability::ComparisonFacts;
use crate::model::Field;
use crate::stores::Stores;
use crate::stores::database::DatabaseError;

/// Names are not read for more rows of layers than this; no conclusion is based on them.
const MAX_LAYER_ROWS: usize = 6000;

/// The sizes of layers, as numbers of distinct size names, by row.
#[derive(Debug, Default)]
pub struct LayerSizes {
    by_row: NumberMap<u64, u32>,
}

impl LayerSizes {
    /// Reads the names of all rows of layers, unless there are too many.
    pub fn read(stores: &Stores, values: &SharedValues, sides: &[&HitColumns]) -> Result<Self, DatabaseError> {
        let of_layers = |hits: &HitColumns, hit: usize| values.kind(&hits.parts(hit)).of_layers;
        let layers =
            sides.iter().flat_map(|hits| (0..hits.len()).filter(|hit| of_layers(hits, *hit)).map(|hit| hits.row(hit)));
        let mut rows: Vec<u64> = layers.collect();
        rows.sort_unstable();
        rows.dedup();
        if rows.len() > MAX_LAYER_ROWS {
            return Ok(Self::default());
        }
        let mut numbers: HashMap<String, u32> = HashMap::new();
        let mut by_row = NumberMap::with_capacity_and_hasher(rows.len(), Default::default());
        for (row, name) in rows.iter().zip(stores.database.remarks_of(&rows, Field::Label)?) {
            let Some(name) = name else { continue };
            let next = numbers.len() as u32 + 1;
            let number = *numbers.entry(ComparisonFacts::size_of_layer(&name).to_owned()).or_insert(next);
            by_row.insert(*row, number);
        }
        Ok(Self { by_row })
    }

    /// The number of the size of a row's layer; 0 if it is not a layer, or the size is unknown.
    pub fn number(&self, row: u64) -> u32 {
        self.by_row.get(&row).copied().unwrap_or_default()
    }
}
