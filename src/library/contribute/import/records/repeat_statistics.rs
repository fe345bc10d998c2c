//! Statistics of repeated measurements: count, median, mean, minimum and maximum.

use std::collections::BTreeMap;

use super::record::{MalformedInput, Record};

/// Statistics need at least so many numbers.
const LEAST: usize = 2;

/// Adds `{name.n}`, `{name.median}`, `{name.mean}`, `{name.min}` and `{name.max}` of the numbers named `name`.
pub(super) fn add_statistics(name: &str, numbers: &[f64], values: &mut BTreeMap<String, String>) {
    if numbers.len() < LEAST || numbers.iter().any(|number| !number.is_finite()) {
        return;
    }
    let mut sorted = numbers.to_vec();
    sorted.sort_by(f64::total_cmp);
    let middle = sorted.len() / 2;
    let median = match sorted.len() % 2 {
        0 => f64::midpoint(sorted[middle - 1], sorted[middle]),
        _ => sorted[middle],
    };
    let mean = sorted.iter().sum::<f64>() / sorted.len() as f64;
    for (statistic, value) in
        [("median", median), ("mean", mean), ("min", sorted[0]), ("max", sorted[sorted.len() - 1])]
    {
        values.insert(format!("{name}.{statistic}"), value.to_string());
    }
    values.insert(format!("{name}.n"), sorted.len().to_string());
}

/// One record for a table whose columns hold repeats: the statistics of each column of numbers.
///
/// # Errors
///
/// When a column holds numbers and something else.
pub(super) fn of_columns(records: &[Record]) -> Result<Vec<Record>, MalformedInput> {
    let Some(first) = records.first() else {
        return Ok(Vec::new());
    };
    let mut values = BTreeMap::new();
    for name in first.values.keys() {
        let column = records.iter().filter_map(|record| Some((record.line, record.values.get(name)?)));
        let cells: Vec<(usize, &String)> = column.filter(|(_, cell)| !cell.is_empty()).collect();
        let numbers: Vec<f64> = cells.iter().filter_map(|(_, cell)| cell.parse().ok()).collect();
        if numbers.len() == cells.len() {
            add_statistics(name, &numbers, &mut values);
        } else if !numbers.is_empty() {
            let (line, cell) = cells.iter().find(|(_, cell)| cell.parse::<f64>().is_err()).unwrap_or(&cells[0]);
            return Err(MalformedInput::new(*line, format!("expected a number in `{name}`, found `{cell}`")));
        }
    }
    Ok(vec![Record::new(values, first.line)])
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn repeats_have_a_median_between_the_middle_two() {
        let mut values = BTreeMap::new();
        add_statistics("t", &[4.0, 1.0, 2.0, 8.0], &mut values);
        let value = |name: &str| values.get(name).map(String::as_str);
        assert_eq!((value("t.median"), value("t.n"), value("t.min")), (Some("3"), Some("4"), Some("1")));
        assert_eq!(value("t.mean"), Some("3.75"));
    }
}
