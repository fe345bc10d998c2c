//! How many of the rows found have each value of an aspect.

use super::wording::Names;
use crate::ask::question::QueryError;
use crate::model::Aspect;
use crate::stores::Stores;
use crate::stores::index::Hits;

/// The values of an aspect that rows have, with the number of rows, the most frequent first.
#[derive(Debug, Default)]
pub(in crate::ask::conclude) struct RowCounts {
    /// The values and their rows.
    pub values: Vec<(String, usize)>,
    /// Rows that do not state the aspect.
    pub not_stated: usize,
}

impl RowCounts {
    /// Counts the rows found; nothing is known of an aspect that rows do not share.
    pub fn of(stores: &Stores, hits: &Hits, aspect: Aspect) -> Result<Self, QueryError> {
        let Some(part) = aspect.part() else { return Ok(Self::default()) };
        let column = stores.database.aspect(aspect)?;
        let counted = column.counts(&hits.shares[part as usize]);
        let mut values: Vec<(String, usize)> = counted.map(|(value, rows)| (value.to_owned(), rows)).collect();
        values.sort_by(|a, b| b.1.cmp(&a.1).then_with(|| a.0.cmp(&b.0)));
        let stating: usize = values.iter().map(|(_, rows)| rows).sum();
        Ok(Self { values, not_stated: hits.total.saturating_sub(stating) })
    }

    /// The rows of a value; 0 where none has it.
    pub fn rows_of(&self, value: &str) -> usize {
        self.values.iter().find(|(of, _)| of == value).map_or(0, |(_, rows)| *rows)
    }

    /// `ResNet-50 (120), VGG-16 (30) and 4 more`.
    pub fn in_words(
        &self,
        stores: &Stores,
        names: &mut Names,
        aspect: Aspect,
        most: usize,
    ) -> Result<String, QueryError> {
        let mut words = Vec::new();
        for (value, rows) in self.values.iter().take(most) {
            words.push(format!("{} ({rows})", names.of(aspect, value, stores)?));
        }
        let hidden = self.values.len().saturating_sub(most);
        Ok(match hidden {
            0 => words.join(", "),
            hidden => format!("{} and {hidden} more", words.join(", ")),
        })
    }
}
