//! Estimates for people: the first in a line, all in a table.

use super::paragraph;
use super::table::{Cell, Column, Section, Table};
use crate::ask::answer::{Words, key_name, number, quantity_name};
use crate::ask::execute::{Estimated, Estimates};
use crate::model::Aspect;
use crate::rows::EntityCache;

/// What is estimated, or why nothing is.
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

/// All estimates; none where there are none.
pub fn table(found: &Estimates) -> Table {
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
        columns.push(Column { gives_way: Some(1), ..key(&heading) });
        for (row, one) in rows.iter_mut().zip(estimates) {
            row.push(stated(one, field).map(|value| words.value(field, &value)).unwrap_or_default());
        }
    }
    columns.push(Column { gives_way: Some(2), ..key("beside") });
    for (row, one) in rows.iter_mut().zip(estimates) {
        row.push(one.sources.join(", "));
    }
    let rows = rows.into_iter().map(|row| row.iter().map(|text| Cell::from(text.as_str())).collect()).collect();
    Table { columns, sections: vec![Section { title: None, rows }], ..Table::default() }
}
