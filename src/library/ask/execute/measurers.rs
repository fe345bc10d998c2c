//! Who measured: sources that share an author are one, and of a benchmark that many submit to it is the submitter.

use std::collections::{BTreeMap, BTreeSet, HashMap};

use crate::ask::hits::{PartNumbers, SharedValues};
use crate::ask::parse::QueryError;
use crate::model::{Field, Source};
use crate::rows::submitter_of;
use crate::stores::Stores;
use crate::values::text::normalise;

/// Who is behind rows, each by one name.
pub(in crate::ask) struct Measurers<'m> {
    stores: &'m Stores,
    values: &'m SharedValues,
    /// The name of those who wrote a source, and of each of its authors.
    of_sources: HashMap<String, String>,
    of_authors: HashMap<String, String>,
    /// What was read of rows.
    of_rows: HashMap<u64, String>,
}

impl<'m> Measurers<'m> {
    /// All sources, those with an author in common under one name.
    pub fn read(stores: &'m Stores, values: &'m SharedValues) -> Result<Self, QueryError> {
        let sources: Vec<Source> = stores.database.entities()?;
        let authors = |source: &Source| -> Vec<String> {
            // A source without authors is its own.
            let own = || vec![source.id.to_string()];
            if source.authors.is_empty() { own() } else { source.authors.iter().map(|name| normalise(name)).collect() }
        };
        let mut names: BTreeMap<String, String> = BTreeMap::new();
        for source in &sources {
            let authors = authors(source);
            let known: BTreeSet<String> = authors.iter().filter_map(|author| names.get(author).cloned()).collect();
            let name = known.first().or(authors.first()).cloned().unwrap_or_default();
            for other in names.values_mut().filter(|other| known.contains(*other)) {
                other.clone_from(&name);
            }
            names.extend(authors.into_iter().map(|author| (author, name.clone())));
        }
        let named = |source: &Source| {
            let first = authors(source).first().and_then(|author| names.get(author)).cloned();
            Some((source.id.to_string(), first?))
        };
        let of_sources = sources.iter().filter_map(named).collect();
        Ok(Self { stores, values, of_sources, of_authors: names.into_iter().collect(), of_rows: HashMap::new() })
    }

    /// Finds out who measured some rows.
    pub fn read_rows(&mut self, rows: impl Iterator<Item = (u64, PartNumbers)>) -> Result<(), QueryError> {
        let mut submitted: Vec<(u64, PartNumbers)> = Vec::new();
        for (row, parts) in rows {
            if !self.of_rows.contains_key(&row) {
                let name = self.of_sources.get(self.values.source(&parts)).cloned().unwrap_or_default();
                self.of_rows.insert(row, name);
                if self.values.text(Field::Division, &parts).is_some() {
                    submitted.push((row, parts));
                }
            }
        }
        let rows: Vec<u64> = submitted.iter().map(|(row, _)| *row).collect();
        for ((row, parts), label) in submitted.iter().zip(self.stores.database.remarks_of(&rows, Field::Label)?) {
            let division = self.values.text(Field::Division, parts);
            if let Some(submitter) =
                label.as_deref().zip(division).and_then(|(label, of)| submitter_of(label, Some(of)))
            {
                let name = normalise(submitter);
                self.of_rows.insert(*row, self.of_authors.get(&name).cloned().unwrap_or(name));
            }
        }
        Ok(())
    }

    /// Who measured a row that was read.
    pub fn of_row(&self, row: u64) -> &str {
        self.of_rows.get(&row).map(String::as_str).unwrap_or_default()
    }
}
