//! The entries of a conclusion as a compact table: columns for what varies, and aside what all of them share.

use indexmap::IndexMap;

use super::super::table::{Cell, Column, Role, Section, Table};
use super::layout::SEPARATOR;
use crate::ask::answer::Answer;
use crate::ask::answer::{ROWS, Words, key_name, number, quantity_name};
use crate::ask::execute::{Entry, EntryValue};
use crate::ask::parse::Ask;
use crate::model::{Aspect, Value};
use crate::rows::EntityCache;

/// More items of a list than this are counted.
const MOST_ITEMS: usize = 12;
/// What a line says of a field that no row states.
const NOT_STATED: &str = "not stated";

/// The entries of an answer, ready to be laid out.
pub(super) struct EntryTable<'a> {
    pub(super) entries: Vec<&'a Entry>,
    answer: &'a Answer,
    names: EntityCache<'a>,
    sources: Vec<&'a str>,
}

/// What one column of the entries is about.
#[derive(Clone, PartialEq, Eq)]
pub(super) enum Place {
    Subject(String),
    Baseline(String),
    Under(String),
}

impl Place {
    fn subject(&self) -> Option<&str> {
        match self {
            Self::Subject(key) => Some(key),
            _ => None,
        }
    }

    /// The key, and what an entry says of it: `None` inside where it is not stated.
    fn of<'e>(&'e self, entry: &'e Entry) -> (&'e str, Option<Option<&'e Value>>) {
        let under = |key: &String| entry.under.get(key).map(Option::as_ref);
        match self {
            Self::Subject(key) => (key, entry.subjects.get(key).map(Some).or_else(|| under(key))),
            Self::Baseline(key) => (key, entry.baseline.as_ref().and_then(|baseline| baseline.get(key)).map(Some)),
            Self::Under(key) => (key, under(key)),
        }
    }
}

impl<'a> EntryTable<'a> {
    /// The entries of an answer, as far as a table says more than the sentence; `None` where it does not.
    pub(super) fn of(answer: &'a Answer) -> Option<Self> {
        let entries = worth_showing(answer);
        (entries.len() > 1).then(|| Self::new(answer, entries))
    }

    /// Some entries of an answer.
    pub(super) fn new(answer: &'a Answer, entries: Vec<&'a Entry>) -> Self {
        let sources = super::facts::ordered_sources(answer).into_iter().map(|source| source.id.as_str()).collect();
        let names = EntityCache::of_catalog(&answer.catalog).with_names(&answer.names);
        Self { entries, answer, names, sources }
    }

    fn words(&self) -> Words<'_> {
        Words { names: &self.names, typed: &self.answer.read_as }
    }

    /// The subject of an entry, or its baseline.
    pub(super) fn side(&self, entry: &Entry, subject: bool) -> String {
        match (subject, &entry.baseline) {
            (true, _) => self.words().subjects(&entry.subjects),
            (false, Some(baseline)) => self.words().subjects(baseline),
            (false, None) => String::new(),
        }
    }

    /// How many rows the table of all of them has.
    pub(super) fn len(&self) -> usize {
        let pivoted = self.by_subject(usize::MAX).or_else(|| self.by_quantity(usize::MAX));
        pivoted.map_or(self.entries.len(), |table| table.rows().count())
    }

    /// What the rows behind the first so many are of, where a row is one entity.
    pub(super) fn names_behind(&self, most: usize) -> Option<Vec<String>> {
        let table = self.by_quantity(usize::MAX).or_else(|| {
            let varying: Vec<Place> = self.places().into_iter().filter(|place| self.varies(place)).collect();
            matches!(varying.as_slice(), [Place::Subject(_)]).then(|| self.table(usize::MAX))
        })?;
        Some(table.rows().skip(most).filter_map(|row| row.first().map(|cell| cell.text.to_string())).collect())
    }

    /// What all entries share, in words; empty where they share nothing.
    pub(super) fn shared(&self) -> String {
        let shared = self.places().into_iter().filter(|place| !self.varies(place));
        let parts = shared.map(|place| {
            let words = self.in_words(&place, self.entries[0]);
            if matches!(place, Place::Baseline(_)) { format!("against {words}") } else { words }
        });
        let is_said = |part: &String| !(part.is_empty() || self.is_overview() && part.ends_with(NOT_STATED));
        parts.filter(is_said).collect::<Vec<_>>().join(SEPARATOR)
    }

    fn is_overview(&self) -> bool {
        self.answer.ask == Ask::Overview
    }

    /// The first so many entries as a table.
    pub(super) fn table(&self, most: usize) -> Table {
        if let Some(pivoted) = self.by_subject(most).or_else(|| self.by_quantity(most)) {
            return pivoted;
        }
        let entries = &self.entries[..most.min(self.entries.len())];
        let mut columns = Vec::new();
        let mut cells: Vec<Vec<Cell>> = vec![Vec::new(); entries.len()];
        let mut add = |column: Column, texts: Vec<String>| {
            if texts.iter().all(String::is_empty) {
                return;
            }
            columns.push(column);
            for (row, text) in cells.iter_mut().zip(texts) {
                row.push(Cell::from(text.as_str()));
            }
        };
        let (before, under): (Vec<Place>, Vec<Place>) = self
            .places()
            .into_iter()
            .filter(|place| self.varies(place) && !(self.is_overview() && self.is_gappy_condition(place)))
            .partition(|place| !matches!(place, Place::Under(_)));
        let rank = |entry: &&Entry| entry.rank.map(|rank| rank.to_string()).unwrap_or_default();
        add(Column::key("rank", true), entries.iter().map(rank).collect());
        for place in before {
            add(self.column(&place), entries.iter().map(|entry| self.shown(&place, entry)).collect());
        }
        let same_quantity = self.entries.iter().all(|entry| entry.quantity == self.entries[0].quantity);
        let same_unit = self.entries.iter().all(|entry| entry.unit == self.entries[0].unit);
        if !same_quantity {
            add(Column::key("quantity", false), entries.iter().map(|entry| quantity_name(&entry.quantity)).collect());
        }
        let numeric = entries.iter().all(|entry| matches!(entry.value, Some(EntryValue::Number(_))));
        let mut heading = if same_quantity { quantity_name(&self.entries[0].quantity) } else { "value".to_owned() };
        if let (true, Some(unit)) = (same_unit, &self.entries[0].unit) {
            heading = format!("{heading} [{unit}]");
        }
        let value = |entry: &&Entry| value_in_words(entry, !same_unit);
        let column = Column { role: Role::Value, ..Column::key(&heading, numeric && same_unit) };
        add(column, entries.iter().map(value).collect());
        add(Column::key("range", false), entries.iter().map(|entry| range_beside(entry)).collect());
        // A number of rows is its own count.
        let counted = self.entries.iter().any(|entry| entry.n > 1 && entry.quantity != ROWS);
        if counted {
            add(Column::key("n", true), entries.iter().map(|entry| entry.n.to_string()).collect());
        }
        let measurers = |entry: &&Entry| entry.measurers.map(|many| many.to_string()).unwrap_or_default();
        add(Column { gives_way: Some(1), ..Column::key("measurers", true) }, entries.iter().map(measurers).collect());
        let measured = |entry: &&Entry| entry.measured.as_ref().map(|measured| self.words().measured(measured));
        let measured = entries.iter().map(|entry| measured(entry).unwrap_or_default());
        add(Column::key("measured", false), measured.collect());
        // What entries are about comes first among the conditions, and gives way last.
        let ranks = (2..=u8::MAX).take(under.len()).collect::<Vec<_>>().into_iter().rev();
        for (rank, place) in ranks.zip(under) {
            let column = Column { gives_way: Some(rank), ..self.column(&place) };
            add(column, entries.iter().map(|entry| self.shown(&place, entry)).collect());
        }
        let origin = Column { role: Role::Origin, gives_way: Some(1), ..Column::key("source", false) };
        add(origin, entries.iter().map(|entry| self.cited(entry)).collect());
        let id = |entry: &&Entry| match entry.measurements.as_slice() {
            [only] => only.clone(),
            _ => String::new(),
        };
        let trace = Column { role: Role::Trace, gives_way: Some(u8::MAX), whole: true, ..Column::key("id", false) };
        add(trace, entries.iter().map(id).collect());
        Table { columns, sections: vec![Section { title: None, rows: cells }], ..Table::default() }
    }

    /// What any entry is about, in the order of their first mention.
    pub(super) fn places(&self) -> Vec<Place> {
        let mut places: Vec<Place> = Vec::new();
        let mut add = |place: Place| {
            if !places.contains(&place) {
                places.push(place);
            }
        };
        for entry in &self.entries {
            entry.subjects.keys().cloned().map(Place::Subject).for_each(&mut add);
        }
        for entry in &self.entries {
            entry.baseline.iter().flat_map(IndexMap::keys).cloned().map(Place::Baseline).for_each(&mut add);
        }
        for entry in &self.entries {
            entry.under.keys().cloned().map(Place::Under).for_each(&mut add);
        }
        // What some entries are about and others were measured under stands in one column.
        let subjects: Vec<String> = places.iter().filter_map(|place| place.subject().map(str::to_owned)).collect();
        places.retain(|place| !matches!(place, Place::Under(key) if subjects.contains(key)));
        places
    }

    /// Whether a place is a condition of which some entries say nothing.
    fn is_gappy_condition(&self, place: &Place) -> bool {
        let mut shown = self.entries.iter().map(|entry| self.shown(place, entry));
        matches!(place, Place::Under(_)) && shown.any(|shown| shown.is_empty() || shown == NOT_STATED)
    }

    pub(super) fn varies(&self, place: &Place) -> bool {
        let first = self.shown(place, self.entries[0]);
        self.entries.iter().any(|entry| self.shown(place, entry) != first)
    }

    pub(super) fn column(&self, place: &Place) -> Column {
        let (Place::Subject(key) | Place::Baseline(key) | Place::Under(key)) = place;
        let aspect = Aspect::keyed(key);
        let heading = aspect.map_or_else(|| key_name(key).replace('-', " "), |aspect| aspect.heading().to_owned());
        let heading = if matches!(place, Place::Baseline(_)) { format!("against {heading}") } else { heading };
        Column::key(&heading, aspect.is_some_and(Aspect::is_numeric))
    }

    /// What an entry says of a place, with names instead of ids; empty where it says nothing.
    pub(super) fn shown(&self, place: &Place, entry: &Entry) -> String {
        let (key, value) = place.of(entry);
        match value {
            Some(Some(value)) => self.words().value(key, value),
            Some(None) => NOT_STATED.to_owned(),
            None => String::new(),
        }
    }

    /// The same in running text: `batch 16`, `precision not stated`.
    pub(super) fn in_words(&self, place: &Place, entry: &Entry) -> String {
        let (key, value) = place.of(entry);
        value.map_or_else(String::new, |value| self.words().condition(key, value))
    }

    /// The numbers of an entry's sources in the list below: `[1] [4]`.
    pub(super) fn cited(&self, entry: &Entry) -> String {
        let number = |source: &String| match self.sources.iter().position(|known| known == source) {
            Some(at) => format!("[{}]", at + 1),
            None => source.clone(),
        };
        match entry.sources.as_slice() {
            many if many.len() > 3 => format!("{} sources", many.len()),
            few => few.iter().map(number).collect::<Vec<_>>().join(" "),
        }
    }
}

/// A quantity with its unit in brackets.
pub(super) fn heading_of(quantity: &str, unit: Option<&str>) -> String {
    let name = quantity_name(quantity);
    unit.map_or_else(|| name.clone(), |unit| format!("{name} [{unit}]"))
}

/// The entries that a table shows. Prose and names say nothing in a table; a comparison has lines for its pairs, or else for the
/// values of its sides.
fn worth_showing(answer: &Answer) -> Vec<&Entry> {
    let is_shown = |entry: &&Entry| !matches!(entry.quantity.as_str(), "name" | "notes");
    answer.conclusion.entries.iter().filter(is_shown).collect()
}

/// The value, or the range where there is no single one.
pub(super) fn value_in_words(entry: &Entry, unit: bool) -> String {
    let value = match (&entry.value, entry.low, entry.high) {
        (Some(value), ..) => value_text(value),
        (None, Some(low), Some(high)) => format!("{} to {}", number(low), number(high)),
        _ => return "not known".to_owned(),
    };
    match &entry.unit {
        Some(of) if unit => format!("{value} {of}"),
        _ => value,
    }
}

/// A value for a person.
fn value_text(value: &EntryValue) -> String {
    match value {
        EntryValue::Flag(yes) => if *yes { "yes" } else { "no" }.to_owned(),
        EntryValue::Number(value) => number(*value),
        EntryValue::Text(text) => text.clone(),
        EntryValue::List(items) if items.len() > MOST_ITEMS => {
            format!("{} and {} more", items[..MOST_ITEMS].join(", "), items.len() - MOST_ITEMS)
        }
        EntryValue::List(items) => items.join(", "),
    }
}

/// The range of a value that has one.
fn range_beside(entry: &Entry) -> String {
    match (&entry.value, entry.low, entry.high) {
        (Some(_), Some(low), Some(high)) if low != high => format!("{} to {}", number(low), number(high)),
        _ => String::new(),
    }
}
