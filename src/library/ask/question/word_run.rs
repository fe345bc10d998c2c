//! A run of words of a question and what it can mean, before it becomes a clause.

use super::vocabulary::is_brand;
use crate::model::Facet;
use crate::stores::resolve::{MatchKind, WordReading};

/// A run of words and what it can mean.
pub(super) struct WordRun {
    pub text: String,
    pub readings: Vec<WordReading>,
}

impl WordRun {
    pub fn is_text(&self) -> bool {
        self.readings.iter().all(|reading| reading.facet.is_none())
    }

    pub fn is_brand(&self) -> bool {
        let family = self.readings.iter().all(|reading| reading.how == MatchKind::Family || reading.facet.is_none());
        is_brand(&self.text.to_lowercase()) && family
    }

    pub fn is(&self, facet: Facet) -> bool {
        matches!(self.readings.as_slice(), [reading] if reading.facet == Some(facet))
    }

    pub fn has_number(&self) -> bool {
        self.text.contains(|c: char| c.is_ascii_digit())
    }

    /// A comma or the like ends a name.
    pub fn ends(&self) -> bool {
        self.text.ends_with([',', ';', ':', '?', ')'])
    }

    /// Joins what comes next to an unknown name.
    pub fn extend_unknown(&mut self, next: &str) {
        self.text = format!("{} {next}", self.text);
        self.readings = vec![WordReading {
            words: 0..1,
            facet: None,
            values: vec![self.text.clone()],
            how: MatchKind::Text,
            taken_for: None,
        }];
    }
}
