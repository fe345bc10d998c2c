//! Carries a cell down into the empty ones below it, as merged cells are written in text.

use std::collections::BTreeMap;

use super::record::Record;

/// What stands in a cell that means the one above.
const DITTO: &[&str] = &[
    "",
    "-",
    "–",
    "—",
    "\"",
    "\"\"",
    "''",
    ",,",
    "”",
    "″",
    "〃",
    "„",
    "^",
    "↑",
    "…",
    "...",
    "ditto",
    "do.",
    "same",
    "(same)",
    "same as above",
    "as above",
];

/// Fills the empty cells of these columns with the last value above, table by table.
pub(super) fn fill(records: &mut [Record], columns: &[String]) {
    let mut carried: BTreeMap<&str, String> = BTreeMap::new();
    let mut table = None;
    for record in records {
        if table != Some(record.table) {
            carried.clear();
            table = Some(record.table);
        }
        for (at, column) in columns.iter().enumerate() {
            let cell = record.values.get(column).map(String::as_str);
            match cell {
                Some(cell) if !DITTO.contains(&cell.trim().to_lowercase().as_str()) => {
                    let cell = cell.to_owned();
                    if carried.get(column.as_str()) != Some(&cell) {
                        columns[at + 1..].iter().for_each(|inner| drop(carried.remove(inner.as_str())));
                    }
                    carried.insert(column, cell);
                }
                _ => match carried.get(column.as_str()) {
                    Some(above) => drop(record.values.insert(column.clone(), above.clone())),
                    // A mark with nothing above it names nothing.
                    None => {
                        if let Some(cell) = record.values.get_mut(column) {
                            cell.clear();
                        }
                    }
                },
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_cell_is_carried_down_within_its_table_and_its_group() {
        let row = |table: usize, gpu: &str, net: &str| {
            let values = [("GPU", gpu), ("Net", net)].map(|(name, cell)| (name.to_owned(), cell.to_owned()));
            Record { table, ..Record::new(values.into(), 1) }
        };
        let mut records = [row(1, "A", "x"), row(1, "", "-"), row(1, "B", ""), row(1, "〃", "y"), row(2, "", "z")];
        fill(&mut records, &["GPU".to_owned(), "Net".to_owned()]);
        let told: Vec<String> = records.iter().map(|r| format!("{}{}", r.values["GPU"], r.values["Net"])).collect();
        assert_eq!(told, ["Ax", "Ax", "B", "By", "z"]);
    }
}
