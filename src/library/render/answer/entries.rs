//! The conclusion of an answer: its first line, and a compact table of its entries or matched pairs.

use indexmap::{IndexMap, IndexSet};

use super::super::table::{Cell, Column, Role, Section, Table, TableNote};
use super::super::{DIM, paragraph};
use super::layout::SEPARATOR;
use crate::ask::answer::{Answer, Place, ROWS, SPEED_UP, Words, is_of_speed, key_name, number, quantity_name, rounded};
use crate::ask::execute::{Entry, EntryValue, PairValues};
use crate::ask::parse::Ask;
use crate::model::{Aspect, Field, Value};
use crate::rows::EntityCache;
use crate::values::citation_mark;
use crate::values::text::and_list;

/// Longer lists are cut after this many items and the rest is counted.
const MOST_ITEMS: usize = 12;

/// Characters per printed line at the smallest type size; also the assumed width of a terminal of unknown width.
const PRINTED: usize = 100;

/// Shown for a field that the rows do not state.
const NOT_STATED: &str = "not stated";

/// The entries of an answer, prepared for layout.
pub(super) struct EntryTable<'a> {
    pub(super) entries: Vec<&'a Entry>,
    answer: &'a Answer,
    names: EntityCache<'a>,
    sources: Vec<&'a str>,
    /// Whether sources are cited by key instead of by number.
    cites: bool,
}

/// The content of an entry column: a key of the subject, of the baseline, or of the conditions.
#[derive(Clone, PartialEq, Eq)]
pub(super) enum EntryPlace {
    Subject(String),
    Baseline(String),
    Under(String),
}

impl EntryPlace {
    fn subject(&self) -> Option<&str> {
        match self {
            Self::Subject(key) => Some(key),
            _ => None,
        }
    }

    /// The key, and its value in an entry: `None` if the entry lacks the key, `Some(None)` if the value is not stated.
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
    /// The entries of an answer, or `None` if a table says no more than the sentence.
    pub(super) fn of(answer: &'a Answer) -> Option<Self> {
        let entries = worth_showing(answer);
        (entries.len() > 1).then(|| Self::new(answer, entries))
    }

    /// Only these entries of an answer.
    pub(super) fn new(answer: &'a Answer, entries: Vec<&'a Entry>) -> Self {
        let sources = super::facts::ordered_sources(answer).into_iter().map(|source| source.id.as_str()).collect();
        let names = EntityCache::of_catalog(&answer.catalog).with_names(&answer.names);
        Self { entries, answer, names, sources, cites: false }
    }

    fn citing(self, cites: bool) -> Self {
        Self { cites, ..self }
    }

    fn words(&self) -> Words<'_> {
        Words { names: &self.names, typed: &self.answer.read_as }
    }

    /// The subject of an entry as text, or its baseline.
    pub(super) fn side(&self, entry: &Entry, subject: bool) -> String {
        match (subject, &entry.baseline) {
            (true, _) => self.words().subjects(&entry.subjects),
            (false, Some(baseline)) => self.words().subjects(baseline),
            (false, None) => String::new(),
        }
    }

    /// Number of rows of the full table.
    pub(super) fn len(&self) -> usize {
        let pivoted = self.by_subject(usize::MAX).or_else(|| self.by_quantity(usize::MAX));
        pivoted.map_or(self.entries.len(), |table| table.rows().count())
    }

    /// Names of the rows after the first `most`, if each row is one entity.
    pub(super) fn names_behind(&self, most: usize) -> Option<Vec<String>> {
        let table = self.by_quantity(usize::MAX).or_else(|| {
            let varying: Vec<EntryPlace> = self.places().into_iter().filter(|place| self.varies(place)).collect();
            matches!(varying.as_slice(), [EntryPlace::Subject(_)]).then(|| self.table(usize::MAX))
        })?;
        Some(table.rows().skip(most).filter_map(|row| row.first().map(|cell| cell.text.to_string())).collect())
    }

    /// The conditions that all entries share, as text; empty if there are none.
    pub(super) fn shared(&self) -> String {
        let shared = self.places().into_iter().filter(|place| !self.varies(place));
        let parts = shared.map(|place| {
            let words = self.in_words(&place, self.entries[0]);
            if matches!(place, EntryPlace::Baseline(_)) { format!("against {words}") } else { words }
        });
        let is_said = |part: &String| !(part.is_empty() || self.is_overview() && part.ends_with(NOT_STATED));
        parts.filter(is_said).collect::<Vec<_>>().join(SEPARATOR)
    }

    fn is_overview(&self) -> bool {
        self.answer.ask == Ask::Overview
    }

    /// The first `most` entries as a table.
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
        let (before, under): (Vec<EntryPlace>, Vec<EntryPlace>) = self
            .places()
            .into_iter()
            .filter(|place| self.varies(place) && !(self.is_overview() && self.is_gappy_condition(place)))
            .partition(|place| !matches!(place, EntryPlace::Under(_)));
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
        let is_ratio = same_quantity && self.entries[0].quantity == SPEED_UP;
        if is_ratio && self.entries[0].by.as_deref().is_some_and(|by| !is_of_speed(by)) {
            "times as good".clone_into(&mut heading);
        }
        if let (true, Some(unit)) = (same_unit, &self.entries[0].unit) {
            heading = format!("{heading} [{unit}]");
        }
        let value = |entry: &&Entry| value_in_words(entry, !same_unit);
        let column = Column { role: Role::Value, ..Column::key(&heading, numeric && same_unit) };
        add(column, entries.iter().map(value).collect());
        add(Column::key("range", false), entries.iter().map(|entry| range_beside(entry)).collect());
        // A row count needs no column `n`.
        let counted = self.entries.iter().any(|entry| entry.n > 1 && entry.quantity != ROWS);
        if counted {
            add(Column::key("n", true), entries.iter().map(|entry| entry.n.to_string()).collect());
        }
        let measurers = |entry: &&Entry| entry.measurers.map(|many| many.to_string()).unwrap_or_default();
        add(Column { drop_rank: Some(1), ..Column::key("measurers", true) }, entries.iter().map(measurers).collect());
        let measured = entries.iter().map(|entry| self.words().measured(entry).unwrap_or_default());
        add(Column::key("measured", false), measured.collect());
        // Of the conditions, network and stage come first, then the number of devices unless the column `measured` states it.
        let mut under = under;
        let says_devices = self.entries.iter().any(|entry| entry.measured.is_some());
        under.sort_by_key(|place| match place.of(self.entries[0]).0 {
            "network" | "stage" => 0,
            "device-count" if !says_devices => 1,
            _ => 2,
        });
        let ranks = (2..=u8::MAX).take(under.len()).collect::<Vec<_>>().into_iter().rev();
        for (rank, place) in ranks.zip(under) {
            add(self.condition_column(&place, rank), entries.iter().map(|entry| self.shown(&place, entry)).collect());
        }
        let origin = Column { role: Role::Origin, drop_rank: Some(1), ..Column::key("source", false) };
        add(origin, entries.iter().map(|entry| self.cited(entry)).collect());
        let id = |entry: &&Entry| match entry.measurements.as_slice() {
            [only] => only.clone(),
            _ => String::new(),
        };
        let trace = Column { role: Role::Trace, drop_rank: Some(u8::MAX), whole: true, ..Column::key("id", false) };
        add(trace, entries.iter().map(id).collect());
        Table { columns, sections: vec![Section { title: None, rows: cells }], ..Table::default() }
    }

    /// The columns of all entries, in order of first appearance.
    pub(super) fn places(&self) -> Vec<EntryPlace> {
        let mut places: Vec<EntryPlace> = Vec::new();
        let mut add = |place: EntryPlace| {
            if !places.contains(&place) {
                places.push(place);
            }
        };
        for entry in &self.entries {
            entry.subjects.keys().cloned().map(EntryPlace::Subject).for_each(&mut add);
        }
        for entry in &self.entries {
            entry.baseline.iter().flat_map(IndexMap::keys).cloned().map(EntryPlace::Baseline).for_each(&mut add);
        }
        for entry in &self.entries {
            entry.under.keys().cloned().map(EntryPlace::Under).for_each(&mut add);
        }
        // A key that is a subject in some entries and a condition in others gets a single column.
        let subjects: Vec<String> = places.iter().filter_map(|place| place.subject().map(str::to_owned)).collect();
        places.retain(|place| !matches!(place, EntryPlace::Under(key) if subjects.contains(key)));
        places
    }

    /// Whether this is a condition that some entries do not state.
    fn is_gappy_condition(&self, place: &EntryPlace) -> bool {
        let mut shown = self.entries.iter().map(|entry| self.shown(place, entry));
        matches!(place, EntryPlace::Under(_)) && shown.any(|shown| shown.is_empty() || shown == NOT_STATED)
    }

    pub(super) fn varies(&self, place: &EntryPlace) -> bool {
        let first = self.shown(place, self.entries[0]);
        self.entries.iter().any(|entry| self.shown(place, entry) != first)
    }

    pub(super) fn column(&self, place: &EntryPlace) -> Column {
        let (EntryPlace::Subject(key) | EntryPlace::Baseline(key) | EntryPlace::Under(key)) = place;
        let aspect = Aspect::keyed(key);
        let heading = aspect.map_or_else(|| key_name(key).replace('-', " "), |aspect| aspect.heading().to_owned());
        let heading = if matches!(place, EntryPlace::Baseline(_)) { format!("against {heading}") } else { heading };
        Column::key(&heading, aspect.is_some_and(Aspect::is_numeric))
    }

    /// The column of a condition with its drop rank. Network and stage are never dropped, since values of different work are not
    /// comparable; nor are devices, unless the entries are ranked and so name them beside the value.
    fn condition_column(&self, place: &EntryPlace, rank: u8) -> Column {
        let (first, key) = (self.entries[0], place.of(self.entries[0]).0);
        let is_work = [Field::Network, Field::Stage].map(Field::key).contains(&key)
            || key == Field::DeviceCount.key() && first.rank.is_none();
        Column { drop_rank: Some(rank).filter(|_| !is_work), ..self.column(place) }
    }

    /// The value of an entry in this column, with names instead of ids; empty if the entry lacks the key.
    pub(super) fn shown(&self, place: &EntryPlace, entry: &Entry) -> String {
        let (key, value) = place.of(entry);
        match value {
            Some(Some(value)) => self.words().value(key, value),
            Some(None) => NOT_STATED.to_owned(),
            None => String::new(),
        }
    }

    /// The same value in running text: `batch 16`, `precision not stated`.
    pub(super) fn in_words(&self, place: &EntryPlace, entry: &Entry) -> String {
        let (key, value) = place.of(entry);
        value.map_or_else(String::new, |value| self.words().condition(key, value))
    }

    /// The numbers of an entry's sources in the list of sources, or their keys: `[1] [4]`.
    pub(super) fn cited(&self, entry: &Entry) -> String {
        let number = |source: &String| match self.sources.iter().position(|known| known == source) {
            Some(at) => format!("[{}]", at + 1),
            None => source.clone(),
        };
        match entry.sources.as_slice() {
            keys if self.cites => keys.iter().map(|key| citation_mark(key)).collect::<Vec<_>>().join(" "),
            // A page that is not a source of measurements has only a title.
            [] => entry.cited.join(", "),
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

/// The entries that a table shows, without notes and names, which say nothing in a table.
fn worth_showing(answer: &Answer) -> Vec<&Entry> {
    let is_shown = |entry: &&Entry| !matches!(entry.quantity.as_str(), "name" | "notes");
    answer.conclusion.entries.iter().filter(is_shown).collect()
}

/// The value, or its range if there is no single value.
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

/// A value as text for people.
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

/// The range of an entry that has a value as well.
fn range_beside(entry: &Entry) -> String {
    match (&entry.value, entry.low, entry.high) {
        (Some(_), Some(low), Some(high)) if low != high => format!("{} to {}", number(low), number(high)),
        _ => String::new(),
    }
}

impl EntryTable<'_> {
    /// Facts side by side: one row per quantity, one column per subject; `None` if the entries do not form such a table.
    pub(super) fn by_subject(&self, most: usize) -> Option<Table> {
        let quantities: IndexSet<&str> = self.entries.iter().map(|entry| entry.quantity.as_str()).collect();
        let varying: Vec<EntryPlace> = self.places().into_iter().filter(|place| self.varies(place)).collect();
        let [place @ EntryPlace::Subject(_)] = varying.as_slice() else { return None };
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

    /// Several quantities of many subjects: one row per subject, one column per quantity; `None` if the entries do not form such a
    /// table.
    pub(super) fn by_quantity(&self, most: usize) -> Option<Table> {
        let quantities: IndexSet<&str> = self.entries.iter().map(|entry| entry.quantity.as_str()).collect();
        let varying: Vec<EntryPlace> = self.places().into_iter().filter(|place| self.varies(place)).collect();
        let [place @ EntryPlace::Subject(_)] = varying.as_slice() else { return None };
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
        // A text that all subjects share describes the list itself, so it gets no column.
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
        columns.push(Column { role: Role::Origin, drop_rank: Some(1), ..Column::key("source", false) });
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

/// Maximum number of table rows on a terminal.
const MOST_LINES: usize = 12;

/// Maximum number of entries in a document's table.
const MOST_IN_DOCUMENT: usize = 20;

/// Maximum number of omitted list entries that are named instead of counted.
const MOST_NAMED: usize = 30;

/// Remarks that limit the answer, the first line, and the table of its values.
pub fn text(answer: &Answer, width: usize) -> String {
    sentences(answer).iter().map(|sentence| paragraph("", sentence, width)).collect::<String>() + &values(answer, width)
}

/// Remarks that limit the answer, then the first line.
pub(super) fn sentences(answer: &Answer) -> Vec<String> {
    let before = answer.remarks.iter().filter(|remark| remark.place == Place::Before);
    let before = before.map(|remark| remark.text.clone());
    before.chain(Some(answer.conclusion.text.clone()).filter(|text| !text.is_empty())).collect()
}

/// The values as a terminal table, preceded by what they share and followed by a count of omitted rows.
pub(super) fn values(answer: &Answer, width: usize) -> String {
    let Some((table, shared, all)) = shown(answer, MOST_LINES, false) else { return String::new() };
    let mut text = String::new();
    if !shared.is_empty() {
        text.push_str(&format!("{DIM}{}{DIM:#}", paragraph("", &shared, width)));
    }
    let rows = table.rows().count();
    text.push_str(&table.text_alone(width).0);
    text + &more(answer, rows, all, width)
}

/// The table of at most `most` values, what all of them share, and their total number.
fn shown(answer: &Answer, most: usize, cites: bool) -> Option<(Table, String, usize)> {
    if says_all(answer) {
        return None;
    }
    // Values along an axis are shown as a series, even if a few of them are matched pairs.
    let is_series = answer.ask == Ask::Along && answer.conclusion.entries.iter().any(|entry| entry.pair.is_none());
    if !is_series && let Some((table, shared, all)) = pairs_table(answer, most, cites) {
        return Some((table, shared, all));
    }
    let entries = EntryTable::of(answer)?.citing(cites);
    Some((entries.table(most), entries.shared(), entries.len()))
}

/// Whether the first line, or the table of rows, already states everything in the entries.
fn says_all(answer: &Answer) -> bool {
    let entries = &answer.conclusion.entries;
    match answer.ask {
        Ask::Lookup => !answer.measurements.is_empty(),
        Ask::Fact | Ask::Grade => entries.len() < 3,
        _ => false,
    }
}

/// A line for the rows that the table omits.
fn more(answer: &Answer, rows: usize, all: usize, width: usize) -> String {
    let hidden = all.saturating_sub(rows);
    if hidden == 0 {
        return String::new();
    }
    let names = match (answer.ask, hidden) {
        (Ask::List, 1..=MOST_NAMED) => EntryTable::of(answer).and_then(|entries| entries.names_behind(rows)),
        _ => None,
    };
    let text = match names {
        Some(names) => format!("{hidden} more: {}", names.join(", ")),
        None => format!("{hidden} more: -f json"),
    };
    format!("{DIM}{}{DIM:#}", paragraph("", &text, width))
}

/// The values as a table for a document; the caption states what all of them share.
pub(super) fn table(answer: &Answer) -> Option<Table> {
    let (table, shared, _) = shown(answer, MOST_IN_DOCUMENT, false)?;
    Some(Table { caption: shared, ..table })
}

/// As [`table`], for print: conditions that do not fit are listed below. With `cites`, sources are cited by key.
pub(super) fn printed_table(answer: &Answer, cites: bool) -> Option<Table> {
    let (mut table, shared, all) = shown(answer, MOST_IN_DOCUMENT, false)?;
    // Id columns become comments in print.
    let is_id =
        |heading: &String| table.columns.iter().any(|column| column.role == Role::Trace && column.heading == *heading);
    let (_, mut hidden) = table.text_alone(PRINTED);
    hidden.retain(|heading| !is_id(heading));
    if cites {
        (table, ..) = shown(answer, MOST_IN_DOCUMENT, cites)?;
    }
    hidden.iter().for_each(|heading| table.remove_heading(heading));
    let rows = table.rows().count();
    let more = (all > rows).then(|| format!("The first {rows} of {all}."));
    let hidden = (!hidden.is_empty()).then(|| format!("Not printed: {}.", and_list(&hidden)));
    let notes = more.into_iter().chain(hidden);
    table.notes.extend(notes.map(|text| TableNote { mark: String::new(), text }));
    Some(Table { caption: shared, ..table })
}

/// The first `most` pairs, what all of them share, and their number; `None` if the answer has no pairs.
fn pairs_table(answer: &Answer, most: usize, cites: bool) -> Option<(Table, String, usize)> {
    let paired: Vec<(&Entry, &PairValues)> =
        answer.conclusion.entries.iter().filter_map(|entry| Some((entry, entry.pair.as_ref()?))).collect();
    let (first, values) = paired.first()?;
    let entries = EntryTable::new(answer, paired.iter().map(|(entry, _)| *entry).collect()).citing(cites);
    let (varying, alike): (Vec<EntryPlace>, Vec<EntryPlace>) =
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
        add(entries.condition_column(place, rank), &|entry, _| entries.shown(place, entry));
    }
    let quantities: IndexSet<(&str, Option<&str>)> =
        paired.iter().map(|(_, pair)| (pair.quantity.as_str(), pair.unit.as_deref())).collect();
    let one_unit = quantities.len() == 1;
    if !one_unit {
        add(Column::key("quantity", false), &|_, pair| {
            let name = quantity_name(&pair.quantity);
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
    add(Column { role: Role::Origin, drop_rank: Some(1), ..Column::key("source", false) }, &|entry, _| {
        entries.cited(entry)
    });
    let shared = alike.iter().filter(|place| matches!(place, EntryPlace::Under(_)));
    let mut shared: Vec<String> = shared.map(|place| entries.in_words(place, first)).collect();
    shared.retain(|part| !part.is_empty());
    if one_unit {
        shared.push(heading_of(&values.quantity, values.unit.as_deref()));
    }
    let table = Table { columns, sections: vec![Section { title: None, rows: cells }], ..Table::default() };
    Some((table, shared.join(SEPARATOR), paired.len()))
}
