//! The page of data quality: `dlbench stats` writes it, and no number on it falls unnoticed.

use std::collections::BTreeMap;
use std::fs;
use std::path::Path;

use crate::{Dlbench, REPOSITORY};

const PAGE: &str = "src/acceptance/QUALITY.md";

/// What stands above the tables.
const ABOVE: &str = "\
# Quality of the data

What the measurements of each source state, and what the files of the sources hold that is not here. `make docs` writes
this page from `dlbench stats -f markdown`. A test compares it with the data: a number that has risen is written anew, and
one that has fallen fails, until the line of its source is deleted here by hand and the page is written again.

";

#[test]
fn the_page_of_data_quality_among_the_documents_is_current() {
    let path = Path::new(REPOSITORY).join(PAGE);
    let page = fs::read_to_string(&path).unwrap_or_default();
    let current = ABOVE.to_owned() + &Dlbench::on(REPOSITORY).ok(&["stats", "-f", "markdown"]);
    let fallen = fallen(&numbers(&page), &numbers(&current));
    assert!(fallen.is_empty(), "{PAGE} had more, delete its line where that is right:\n{}", fallen.join("\n"));
    if std::env::var_os("DLBENCH_UPDATE_DOCS").is_some() {
        fs::write(&path, current).expect("the page can be written");
    } else {
        assert!(current == page, "{PAGE} is not current: `make docs` writes it");
    }
}

#[test]
fn a_number_that_falls_is_told() {
    let page = |share: &str| format!("| source | rows | SKU |\n| :-- | --: | --: |\n| a | 12 | {share} |\n");
    let before = numbers(&page("50.0"));
    assert_eq!(before["a"], [("rows".to_owned(), 12.0), ("SKU".to_owned(), 50.0)]);
    assert_eq!(fallen(&before, &numbers(&page("49.9"))), ["a: SKU has fallen from 50 to 49.9"]);
    assert_eq!(fallen(&before, &numbers("")), ["a is gone"]);
    assert!(fallen(&before, &numbers(&page("50.1"))).is_empty());
    assert!(fallen(&numbers(""), &before).is_empty());
}

/// The numbers of each line of the tables of sources, by their headings; what was left out may become less.
fn numbers(page: &str) -> BTreeMap<String, Vec<(String, f64)>> {
    let mut header: Vec<String> = Vec::new();
    let mut lines = BTreeMap::new();
    for line in page.lines() {
        let cells: Vec<String> = line.trim_matches('|').split('|').map(|cell| cell.trim().to_owned()).collect();
        if !line.starts_with('|') || cells[0] == "source" {
            header = if cells.iter().any(|cell| cell == "SKU") { cells } else { Vec::new() };
        } else if header.len() == cells.len() {
            let named = header.iter().zip(&cells).skip(1);
            let numbers: Vec<_> = named.filter_map(|(name, cell)| Some((name.clone(), cell.parse().ok()?))).collect();
            if !numbers.is_empty() {
                lines.insert(cells[0].clone(), numbers);
            }
        }
    }
    lines
}

fn fallen(before: &BTreeMap<String, Vec<(String, f64)>>, now: &BTreeMap<String, Vec<(String, f64)>>) -> Vec<String> {
    let mut told = Vec::new();
    for (source, numbers) in before {
        let Some(current) = now.get(source) else {
            told.push(format!("{source} is gone"));
            continue;
        };
        for (name, number) in numbers {
            let current = current.iter().find(|(other, _)| other == name).map_or(0.0, |(_, number)| *number);
            if current < *number {
                told.push(format!("{source}: {name} has fallen from {number} to {current}"));
            }
        }
    }
    told
}
