//! The matched pairs of a comparison: a line for each, with both values and their ratio.

use indexmap::IndexSet;

use super::super::table::{Cell, Column, Role, Section, Table};
use super::entries::{EntryTable, Place, heading_of};
use super::layout::SEPARATOR;
use crate::ask::answer::{Answer, number, quantity_name, rounded};
use crate::ask::execute::{Entry, EntryValue, PairValues};

/// The first pairs, what all of them share, and how many there are; `None` where the answer has none.
pub(super) fn table(answer: &Answer, most: usize) -> Option<(Table, String, usize)> {
    let paired: Vec<(&Entry, &PairValues)> =
        answer.conclusion.entries.iter().filter_map(|entry| Some((entry, entry.pair.as_ref()?))).collect();
    let (first, values) = paired.first()?;
    let entries = EntryTable::new(answer, paired.iter().map(|(entry, _)| *entry).collect());
    let (varying, alike): (Vec<Place>, Vec<Place>) =
        entries.places().into_iter().partition(|place| entries.varies(place));
    let shown = &paired[..most.min(paired.len())];
    let mut columns: Vec<Column> = Vec::new();
    let mut cells: Vec<Vec<Cell>> = vec![Vec::new(); shown.len()];
    let mut add = |column: Column, text: &dyn Fn(&Entry, &PairValues) -> String| {
        columns.push(column);
        for (row, (entry, pair)) in cells.iter_mut().zip(shown) {
            row.push(Cell::from(text(entry, pair).as_str()));
        }
    };
    let ranks = (2..=u8::MAX).take(varying.len()).collect::<Vec<_>>().into_iter().rev();
    for (rank, place) in ranks.zip(&varying) {
        add(Column { gives_way: Some(rank), ..entries.column(place) }, &|entry, _| entries.shown(place, entry));
    }
    let quantities: IndexSet<(&str, Option<&str>)> =
        paired.iter().map(|(_, pair)| (pair.quantity, pair.unit.as_deref())).collect();
    let one_unit = quantities.len() == 1;
    if !one_unit {
        add(Column::key("quantity", false), &|_, pair| {
            let name = quantity_name(pair.quantity);
            pair.unit.as_ref().map_or_else(|| name.clone(), |unit| format!("{name} [{unit}]"))
        });
    }
    let value = |name: String| Column { role: Role::Value, ..Column::key(&name, true) };
    let is_one = |side: fn(&Entry) -> String| paired.iter().all(|(entry, _)| side(entry) == side(first));
    let subject = |entry: &Entry| format!("{:?}", entry.subjects);
    let baseline = |entry: &Entry| format!("{:?}", entry.baseline);
    let names = [
        if is_one(subject) { entries.side(first, true) } else { "subject".to_owned() },
        if is_one(baseline) { entries.side(first, false) } else { "baseline".to_owned() },
    ];
    let [own, other] = names;
    add(value(own), &|_, pair| number(pair.subject));
    add(value(other), &|_, pair| number(pair.baseline));
    add(value("ratio".to_owned()), &|entry, _| match entry.value {
        Some(EntryValue::Number(ratio)) => rounded(ratio),
        _ => String::new(),
    });
    add(Column { role: Role::Origin, gives_way: Some(1), ..Column::key("source", false) }, &|entry, _| {
        entries.cited(entry)
    });
    let shared = alike.iter().filter(|place| matches!(place, Place::Under(_)));
    let mut shared: Vec<String> = shared.map(|place| entries.in_words(place, first)).collect();
    shared.retain(|part| !part.is_empty());
    if one_unit {
        shared.push(heading_of(values.quantity, values.unit.as_deref()));
    }
    let table = Table { columns, sections: vec![Section { title: None, rows: cells }], ..Table::default() };
    Some((table, shared.join(SEPARATOR), paired.len()))
}
