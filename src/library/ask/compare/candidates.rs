//! Groups measurements by the table cell that they belong to.

use std::cmp::Ordering;
use std::collections::HashMap;

use super::CompareError;
use super::compared_columns::ComparedColumns;
use super::request::{CompareRequest, PivotAxis};
use crate::model::{Field, Measure, Part, SharedPart};
use crate::rows::by_value;
use crate::values::Standing;

/// One value per axis.
pub(super) type AxisValues = Vec<Option<String>>;

/// The measurements found, grouped by cell.
pub(super) struct Candidates {
    /// The axis values of each row, in order.
    pub rows: Vec<AxisValues>,
    /// The axis values and the measure of each column.
    pub columns: Vec<(AxisValues, Measure)>,
    /// Hits with a value, by row and column.
    pub cells: HashMap<(usize, usize), Vec<usize>>,
    /// Hits without a value because the attempt failed, by row and column.
    pub failed: HashMap<(usize, usize), Vec<usize>>,
    /// Number of hits left out because they were retracted.
    pub retracted: usize,
}

impl Candidates {
    pub fn of(compared: &ComparedColumns, request: &CompareRequest) -> Result<Self, CompareError> {
        if request.rows.contains(&PivotAxis::Metric) {
            return Err(CompareError::request("rows cannot be made of metrics", "columns can: --cols metric"));
        }
        let mut rows = AxisKeys::of(compared, &request.rows);
        let mut keys = AxisKeys::of(compared, &request.columns);
        let (row_order, row_values) = rows.ordered(&request.rows);
        let (key_order, key_values) = keys.ordered(&request.columns);
        let measures = compared.measures.len();
        let mut cells: HashMap<(usize, usize), Vec<usize>> = HashMap::new();
        let mut failed: HashMap<(usize, usize), Vec<usize>> = HashMap::new();
        let mut retracted = 0;
        let protocols = || compared.shares[Part::Protocol as usize].iter();
        let standing = |share: &SharedPart| share.text(Field::Standing).and_then(|word| word.parse().ok());
        let is_retracted: Vec<bool> = protocols().map(|share| standing(share) == Some(Standing::Retracted)).collect();
        let has_failed: Vec<bool> = protocols().map(|share| share.text(Field::Outcome).is_some()).collect();
        let values: Vec<&[f64]> = compared.measures.iter().map(|measure| compared.values(*measure)).collect();
        for hit in 0..compared.len() {
            let protocol = compared.columns.parts[Part::Protocol as usize][hit] as usize;
            if is_retracted[protocol] {
                retracted += 1;
                continue;
            }
            let (row, key) = (row_order[rows.of_hits[hit]], key_order[keys.of_hits[hit]]);
            let mut any = false;
            for (at, values) in values.iter().enumerate() {
                if !values[hit].is_nan() {
                    cells.entry((row, key * measures + at)).or_default().push(hit);
                    any = true;
                }
            }
            if !any && has_failed[protocol] {
                failed.entry((row, key * measures)).or_default().push(hit);
            }
        }
        let columns = key_values
            .iter()
            .flat_map(|values| compared.measures.iter().map(|measure| (values.clone(), *measure)))
            .collect();
        Ok(Self { rows: row_values, columns, cells, failed, retracted }.without_empty())
    }

    /// Removes rows and columns without any cell.
    fn without_empty(self) -> Self {
        let used = |count: usize, of: fn(&(usize, usize)) -> usize| -> Vec<bool> {
            let mut used = vec![false; count];
            self.cells.keys().chain(self.failed.keys()).for_each(|place| used[of(place)] = true);
            used
        };
        let rows = used(self.rows.len(), |place| place.0);
        let mut columns = used(self.columns.len(), |place| place.1);
        // Failed attempts are assigned to the first measure's column. A column with nothing else is removed, unless all
        // attempts failed.
        if !self.cells.is_empty() {
            columns = vec![false; columns.len()];
            self.cells.keys().for_each(|place| columns[place.1] = true);
        }
        let places = |used: &[bool]| -> Vec<usize> {
            used.iter().scan(0, |next, used| Some(std::mem::replace(next, *next + usize::from(*used)))).collect()
        };
        let (row_places, column_places) = (places(&rows), places(&columns));
        let moved = |cells: HashMap<(usize, usize), Vec<usize>>| {
            let kept = cells.into_iter().filter(|(place, _)| rows[place.0] && columns[place.1]);
            kept.map(|(place, hits)| ((row_places[place.0], column_places[place.1]), hits)).collect()
        };
        Self {
            rows: retained(self.rows, &rows),
            columns: retained(self.columns, &columns),
            cells: moved(self.cells),
            failed: moved(self.failed),
            retracted: self.retracted,
        }
    }
}

fn retained<T>(items: Vec<T>, wanted: &[bool]) -> Vec<T> {
    items.into_iter().zip(wanted).filter(|(_, wanted)| **wanted).map(|(item, _)| item).collect()
}

/// The distinct keys of all hits along some axes, numbered by first occurrence.
struct AxisKeys {
    /// The key number of each hit.
    of_hits: Vec<usize>,
    keys: Vec<AxisValues>,
}

impl AxisKeys {
    fn of(compared: &ComparedColumns, axes: &[PivotAxis]) -> Self {
        let axes: Vec<AxisNumbers> = axes.iter().map(|axis| AxisNumbers::of(compared, *axis)).collect();
        let mut numbers: HashMap<Vec<u32>, usize> = HashMap::new();
        let mut keys: Vec<AxisValues> = Vec::new();
        let mut of_hits = Vec::with_capacity(compared.len());
        let mut key: Vec<u32> = Vec::with_capacity(axes.len());
        for hit in 0..compared.len() {
            key.clear();
            key.extend(axes.iter().map(|axis| axis.number(compared, hit)));
            let number = match numbers.get(&key) {
                Some(number) => *number,
                None => {
                    let values = axes.iter().zip(&key).map(|(axis, number)| axis.values[*number as usize].clone());
                    keys.push(values.collect());
                    numbers.insert(key.clone(), keys.len() - 1);
                    keys.len() - 1
                }
            };
            of_hits.push(number);
        }
        Self { of_hits, keys }
    }

    /// The keys in display order, and the position of each key number in it.
    fn ordered(&mut self, axes: &[PivotAxis]) -> (Vec<usize>, Vec<AxisValues>) {
        let mut order: Vec<usize> = (0..self.keys.len()).collect();
        order.sort_by(|a, b| by_values(&self.keys[*a], &self.keys[*b], axes));
        let mut places = vec![0; order.len()];
        for (place, number) in order.iter().enumerate() {
            places[*number] = place;
        }
        (places, order.into_iter().map(|number| std::mem::take(&mut self.keys[number])).collect())
    }
}

/// The values of one axis, interned as numbers.
struct AxisNumbers {
    values: AxisValues,
    /// Indexed by share if the axis belongs to a part, else by hit.
    numbers: Vec<u32>,
    part: Option<Part>,
}

impl AxisNumbers {
    fn of(compared: &ComparedColumns, axis: PivotAxis) -> Self {
        const UNSEEN: u32 = u32::MAX;
        let part = ComparedColumns::parts_of(axis).and_then(|parts| parts.first().copied());
        let mut values: AxisValues = Vec::new();
        let mut known: HashMap<Option<String>, u32> = HashMap::new();
        let mut number = |value: Option<String>| {
            *known.entry(value).or_insert_with_key(|value| {
                values.push(value.clone());
                values.len() as u32 - 1
            })
        };
        let numbers = match part {
            // Each share is evaluated once, at the first hit that has it.
            Some(part) => {
                let mut numbers = vec![UNSEEN; compared.shares[part as usize].len()];
                for (hit, share) in compared.columns.parts[part as usize].iter().enumerate() {
                    let place = &mut numbers[*share as usize];
                    if *place == UNSEEN {
                        *place = number(compared.axis_value(hit, axis));
                    }
                }
                numbers
            }
            None => (0..compared.len()).map(|hit| number(compared.axis_value(hit, axis))).collect(),
        };
        Self { values, numbers, part }
    }

    fn number(&self, compared: &ComparedColumns, hit: usize) -> u32 {
        match self.part {
            Some(part) => self.numbers[compared.columns.parts[part as usize][hit] as usize],
            None => self.numbers[hit],
        }
    }
}

/// Order of two keys, axis by axis.
fn by_values(a: &AxisValues, b: &AxisValues, axes: &[PivotAxis]) -> Ordering {
    let orders = axes.iter().zip(a.iter().zip(b)).map(|(axis, (a, b))| match axis {
        PivotAxis::Aspect(aspect) => by_value(*aspect, a.as_deref(), b.as_deref()),
        PivotAxis::Metric => Ordering::Equal,
    });
    orders.into_iter().find(|order| order.is_ne()).unwrap_or(Ordering::Equal)
}
