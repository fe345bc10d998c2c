//! Wanted measurements: a table for people and papers, and a line for other programs.

use super::table::{Cell, Column, Section, Table};
use crate::ask::evidence::{LackingClaim, LackingKind, Wanted, WantedCell};
use crate::model::Field;
use crate::values::text::counted;

/// The conditions that are told in a table, in this order.
const CONDITIONS: &[Field] = &[
    Field::Stage,
    Field::Scenario,
    Field::Division,
    Field::Precision,
    Field::BatchSize,
    Field::DeviceCount,
    Field::InputShape,
    Field::SequenceLength,
    Field::Dataset,
];

/// A row for each missing cell, the most wanted first.
pub fn table(wanted: &Wanted) -> Table {
    let asked = wanted.wanted.iter().any(|cell| cell.here.is_some() || cell.not_here.is_some());
    let text = |heading: &str| Column::key(heading, false);
    let mut columns = vec![
        text("on"),
        text("network"),
        text("measure"),
        text("under"),
        text("settles"),
        Column::key("share", true),
        Column::key("comparisons", true),
        text("like"),
    ];
    columns.extend(asked.then(|| text("here")));
    let row = |cell: &WantedCell| {
        let mut cells = vec![
            cell.on.clone(),
            cell.network.clone(),
            cell.measure.clone(),
            conditions(cell),
            settles(cell),
            if cell.share > 0.0 { cell.share.to_string() } else { String::new() },
            cell.comparisons.to_string(),
            cell.like.clone(),
        ];
        cells.extend(asked.then(|| here(cell)));
        cells.iter().map(|text| Cell::from(text.as_str())).collect()
    };
    let rows = wanted.wanted.iter().map(row).collect();
    Table { columns, sections: vec![Section { title: None, rows }], ..Table::default() }
}

/// What is left to the end of the list, and by what it is ranked.
pub fn about(wanted: &Wanted, of: usize) -> Vec<String> {
    let mut lines = Vec::new();
    if wanted.wanted.len() < of {
        let shown = counted(wanted.wanted.len(), "missing measurement", "missing measurements");
        lines.push(format!("{shown} of {of}; `--all` tells all."));
    }
    lines.push(wanted.method.clone());
    lines
}

/// `eval, fp32, batch 16`.
fn conditions(cell: &WantedCell) -> String {
    let stated = CONDITIONS.iter().filter_map(|field| {
        let value = cell.under.get(field.key())?.as_ref()?.to_string();
        Some(field.in_list(&value))
    });
    stated.collect::<Vec<_>>().join(", ")
}

/// `fpga/low-latency, gpu/low-latency: 2 of 5 networks with class:gpu`, `caffe/tested-networks: RNN, of 2 items 0 borne out`.
fn settles(cell: &WantedCell) -> String {
    let mut alike: Vec<(&LackingClaim, Vec<&str>)> = Vec::new();
    for lacking in &cell.settles {
        let of = |other: &LackingClaim| {
            let told = |lacking: &LackingClaim| (lacking.kind, lacking.units, lacking.needed);
            other.against == lacking.against && told(other) == told(lacking)
        };
        match alike.iter_mut().find(|(first, _)| of(first)) {
            Some((_, claims)) => claims.push(&lacking.claim),
            None => alike.push((lacking, vec![&lacking.claim])),
        }
    }
    let told = alike.iter().map(|(of, claims)| {
        let claims = claims.join(", ");
        match of.kind {
            LackingKind::Networks => format!("{claims}: {} of {} networks with {}", of.units, of.needed, of.against),
            LackingKind::Items => format!("{claims}: {}, of {} items {} borne out", of.against, of.needed, of.units),
        }
    });
    told.collect::<Vec<_>>().join("; ")
}

fn here(cell: &WantedCell) -> String {
    match (&cell.here, &cell.not_here) {
        (Some(device), _) => device.clone(),
        (None, Some(why)) => format!("no: {why}"),
        (None, None) => String::new(),
    }
}

/// Every missing cell in a line, for other programs.
pub fn flat(wanted: &Wanted) -> Table {
    const KEYS: &[(&str, bool)] = &[
        ("on", false),
        ("network", false),
        ("measure", false),
        ("under", false),
        ("settles", false),
        ("share", true),
        ("comparisons", true),
        ("rows", true),
        ("like", false),
        ("here", false),
        ("not_here", false),
    ];
    let row = |cell: &WantedCell| {
        let claims: Vec<&str> = cell.settles.iter().map(|lacking| lacking.claim.as_str()).collect();
        let cells = [
            cell.on.clone(),
            cell.network.clone(),
            cell.measure.clone(),
            conditions(cell),
            claims.join(" "),
            cell.share.to_string(),
            cell.comparisons.to_string(),
            cell.rows.map_or_else(String::new, |rows| rows.to_string()),
            cell.like.clone(),
            cell.here.clone().unwrap_or_default(),
            cell.not_here.clone().unwrap_or_default(),
        ];
        cells.iter().map(|text| Cell::from(text.as_str())).collect()
    };
    let columns = KEYS.iter().map(|(key, numeric)| Column::key(key, *numeric)).collect();
    let rows = wanted.wanted.iter().map(row).collect();
    Table { columns, sections: vec![Section { title: None, rows }], ..Table::default() }
}
