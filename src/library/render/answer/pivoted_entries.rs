//! Entries as a table of two sides: several quantities of few subjects, or of many.

use indexmap::{IndexMap, IndexSet};

use super::super::table::{Cell, Column, Role, Section, Table};
use super::entries::{EntryTable, Place, value_in_words};
use crate::ask::answer::quantity_name;
use crate::ask::execute::{Entry, EntryValue};

impl EntryTable<'_> {
    /// Facts side by side: a row for each quantity and a column for each subject; `None` where the entries are no such thing.
    pub(super) fn by_subject(&self, most: usize) -> Option<Table> {
        let quantities: IndexSet<&str> = self.entries.iter().map(|entry| entry.quantity.as_str()).collect();
        let varying: Vec<Place> = self.places().into_iter().filter(|place| self.varies(place)).collect();
        let [place @ Place::Subject(_)] = varying.as_slice() else { return None };
        let subjects: IndexSet<String> = self.entries.iter().map(|entry| self.shown(place, entry)).collect();
        let whole = quantities.len() > 1 && quantities.len() * subjects.len() == self.entries.len();
        if !whole || subjects.len() > 5 {
            return None;
        }
        let mut columns = vec![Column::key("", false)];
        columns.extend(subjects.iter().map(|subject| Column { role: Role::Value, ..Column::key(subject, false) }));
        let row = |quantity: &&str| -> Vec<Cell> {
            let of = |subject: &String| {
                let mut own = self.entries.iter().filter(|entry| entry.quantity == *quantity);
                let entry = own.find(|entry| self.shown(place, entry) == *subject);
                Cell::from(entry.map_or_else(String::new, |entry| value_in_words(entry, true)).as_str())
            };
            let name = Cell::from(quantity_name(quantity).as_str());
            std::iter::once(name).chain(subjects.iter().map(of)).collect()
        };
        let rows = quantities.iter().take(most).map(row).collect();
        Some(Table { columns, sections: vec![Section { title: None, rows }], ..Table::default() })
    }

    /// Several quantities of many subjects: a row for each subject and a column for each quantity; `None` where the entries are
    /// no such thing.
    pub(super) fn by_quantity(&self, most: usize) -> Option<Table> {
        let quantities: IndexSet<&str> = self.entries.iter().map(|entry| entry.quantity.as_str()).collect();
        let varying: Vec<Place> = self.places().into_iter().filter(|place| self.varies(place)).collect();
        let [place @ Place::Subject(_)] = varying.as_slice() else { return None };
        if quantities.len() < 2 {
            return None;
        }
        let mut rows: IndexMap<String, Vec<&Entry>> = IndexMap::new();
        for entry in &self.entries {
            rows.entry(self.shown(place, entry)).or_default().push(entry);
        }
        let is_listed = |own: &Vec<&Entry>| {
            let quantities: IndexSet<&str> = own.iter().map(|entry| entry.quantity.as_str()).collect();
            quantities.len() == own.len()
        };
        if !rows.values().all(is_listed) {
            return None;
        }
        // A word that all share is what the list is of.
        let is_told = |quantity: &&str| {
            let mut own = self.entries.iter().filter(|entry| entry.quantity == *quantity);
            let Some(first) = own.next() else { return false };
            !matches!(first.value, Some(EntryValue::Text(_))) || own.any(|entry| entry.value != first.value)
        };
        let quantities: Vec<&str> = quantities.into_iter().filter(is_told).collect();
        let mut columns = vec![self.column(place)];
        for quantity in &quantities {
            let own = || self.entries.iter().filter(|entry| entry.quantity == *quantity);
            let unit = own().find_map(|entry| entry.unit.as_ref());
            let name = quantity_name(quantity);
            let heading = unit.map_or_else(|| name.clone(), |unit| format!("{name} [{unit}]"));
            let numeric = own().all(|entry| matches!(entry.value, Some(EntryValue::Number(_))));
            columns.push(Column { role: Role::Value, ..Column::key(&heading, numeric) });
        }
        columns.push(Column { role: Role::Origin, gives_way: Some(1), ..Column::key("source", false) });
        let row = |(subject, own): (&String, &Vec<&Entry>)| -> Vec<Cell> {
            let of = |quantity: &&str| {
                let entry = own.iter().find(|entry| entry.quantity == *quantity);
                Cell::from(entry.map_or_else(String::new, |entry| value_in_words(entry, false)).as_str())
            };
            let is_shown = |entry: &&&Entry| quantities.contains(&entry.quantity.as_str());
            let cited = own.iter().filter(is_shown).find(|entry| !entry.sources.is_empty());
            let cited = Cell::from(cited.map_or_else(String::new, |entry| self.cited(entry)).as_str());
            std::iter::once(Cell::from(subject.as_str())).chain(quantities.iter().map(of)).chain([cited]).collect()
        };
        let rows: Vec<Vec<Cell>> = rows.iter().take(most).map(row).collect();
        let mut table = Table { columns, sections: vec![Section { title: None, rows }], ..Table::default() };
        if table.rows().all(|row| row.last().is_none_or(|cell| cell.text.is_empty())) {
            table.remove_column(quantities.len() + 1);
        }
        Some(table)
    }
}
