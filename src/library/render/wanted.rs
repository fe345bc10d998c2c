//! Missing measurements: the most wanted ones, and estimates of their values.

use super::paragraph;
use super::table::{Cell, Column, Section, Table};
use crate::ask::answer::{Words, key_name, number, quantity_name};
use crate::ask::evidence::{LackingClaim, LackingKind, Wanted, WantedCell};
use crate::ask::execute::{Estimated, Estimates};
use crate::model::{Aspect, Field};
use crate::rows::EntityCache;
use crate::values::text::counted;

/// The conditions shown in the table, in this order.
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

/// One row per missing measurement, the most wanted first.
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

/// The note on a shortened list, and the ranking method.
pub fn about(wanted: &Wanted, of: usize) -> Vec<String> {
    let mut lines = Vec::new();
    if wanted.wanted.len() < of {
        let shown = counted(wanted.wanted.len(), "missing measurement", "missing measurements");
        lines.push(format!("{shown} of {of}; `--all` shows all."));
    }
    lines.push(wanted.method.clone());
    lines
}

/// Conditions as text: `eval, fp32, batch 16`.
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

/// One row per missing measurement, for programs.
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

/// The estimates as text, or why there is none.
pub fn text(found: &Estimates, width: usize) -> String {
    let cache = EntityCache::default().with_names(&found.names);
    let words = Words { names: &cache, typed: &[] };
    if let Some(why) = &found.refused {
        return paragraph("", &format!("No estimate: {why}."), width);
    }
    let Some(first) = found.estimates.first() else { return String::new() };
    let device = found
        .device
        .as_deref()
        .map(|id| words.value("device", &crate::model::Value::Text(id.into())))
        .unwrap_or_default();
    let frame = words.conditions(first.under.iter().filter_map(|(key, value)| Some((key.as_str(), value.as_ref()?))));
    let line = format!(
        "{device}: about {} ({} to {} in 9 of 10 cases), not measured but estimated: {}.",
        amount(first),
        number(first.low),
        number(first.high),
        frame.join(", "),
    );
    let mut text = paragraph("", &line, width);
    text.push('\n');
    text.push_str(&drawn(&found.estimates, words).text(width));
    text.push('\n');
    let mut notes = vec![
        "Each is for a setting in which the number of other devices that it names was measured, from these and from all comparable \
         evidence on the device; `dlbench query` has what was measured."
            .to_owned(),
    ];
    if found.measured > 0 {
        notes.push(format!("{} rows of the device itself meet the question.", found.measured));
    }
    if found.too_wide > 0 {
        notes.push(format!("{} settings more have no estimate: it would reach too far.", found.too_wide));
    }
    notes.iter().for_each(|note| text.push_str(&paragraph("- ", note, width)));
    text
}

fn amount(one: &Estimated) -> String {
    one.unit.as_ref().map_or_else(|| number(one.value), |unit| format!("{} {unit}", number(one.value)))
}

/// A table of all estimates; empty if there are none.
pub fn estimate_table(found: &Estimates) -> Table {
    let cache = EntityCache::default().with_names(&found.names);
    drawn(&found.estimates, Words { names: &cache, typed: &[] })
}

fn drawn(estimates: &[Estimated], words: Words<'_>) -> Table {
    let key = |text: &str| Column::key(text, false);
    let mut columns = vec![key("estimate"), key("interval"), Column::key("devices", true)];
    let mut rows: Vec<Vec<String>> = estimates
        .iter()
        .map(|one| {
            let measure = if one.unit.is_some() {
                amount(one)
            } else {
                format!("{} {}", quantity_name(&one.quantity), amount(one))
            };
            vec![measure, format!("{} to {}", number(one.low), number(one.high)), one.devices.to_string()]
        })
        .collect();
    let stated = |one: &Estimated, key: &str| one.under.get(key).cloned().flatten();
    let mut keys: Vec<&String> = Vec::new();
    estimates.iter().flat_map(|one| one.under.keys()).for_each(|key| {
        if !keys.contains(&key) {
            keys.push(key);
        }
    });
    for field in
        keys.into_iter().filter(|field| estimates.iter().any(|one| stated(one, field) != stated(&estimates[0], field)))
    {
        let heading =
            Aspect::keyed(field).map_or_else(|| key_name(field).to_owned(), |aspect| aspect.heading().to_owned());
        columns.push(Column { drop_rank: Some(1), ..key(&heading) });
        for (row, one) in rows.iter_mut().zip(estimates) {
            row.push(stated(one, field).map(|value| words.value(field, &value)).unwrap_or_default());
        }
    }
    columns.push(Column { drop_rank: Some(2), ..key("beside") });
    for (row, one) in rows.iter_mut().zip(estimates) {
        row.push(one.sources.join(", "));
    }
    let rows = rows.into_iter().map(|row| row.iter().map(|text| Cell::from(text.as_str())).collect()).collect();
    Table { columns, sections: vec![Section { title: None, rows }], ..Table::default() }
}
