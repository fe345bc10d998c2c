//! What became of a number or a source after it was published.

use serde::{Deserialize, Serialize};

use super::{Field, Measurement, Value};
use crate::values::{EntityId, Standing as Word};

/// A measurement or source that should not be relied on, why, and what replaces it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct Standing {
    /// What became of it.
    pub standing: Word,
    /// Why.
    pub reason: String,
    /// The source that replaces it.
    pub replaced_by: Option<EntityId>,
}

impl Standing {
    /// `retracted: another card was measured; replaced by invented-2020`.
    pub fn in_words(&self) -> String {
        let replaced_by = self.replaced_by.as_ref().map(EntityId::as_str);
        in_words(self.standing.into(), Some(&self.reason), replaced_by)
    }

    /// The same as fields of a measurement of the source; `replaced-by` is then the id of a source.
    fn fields(&self) -> impl Iterator<Item = (Field, Value)> {
        let word: &str = self.standing.into();
        let replaced_by = self.replaced_by.as_ref().map(EntityId::as_str);
        let fields = [
            (Field::Standing, Some(word)),
            (Field::StandingReason, Some(self.reason.as_str())),
            (Field::ReplacedBy, replaced_by),
        ];
        fields.into_iter().filter_map(|(field, text)| Some((field, Value::Text(text?.into()))))
    }
}

impl Measurement {
    /// Whether it stands as it was published; what does not is shown, but never ranked.
    pub fn stands(&self) -> bool {
        self.get(Field::Standing).is_none()
    }

    /// `retracted: another card was measured; replaced by invented-2020:7fk2qz9abc`; `None` where it stands.
    pub fn standing_in_words(&self) -> Option<String> {
        let standing = self.text(Field::Standing)?;
        Some(in_words(standing, self.text(Field::StandingReason), self.text(Field::ReplacedBy)))
    }

    /// The measurement with what became of its source, unless the row says what became of itself.
    pub fn with_standing_of(self, source: &Standing) -> Self {
        if !self.stands() {
            return self;
        }
        let fields = self.fields().iter().cloned().chain(source.fields()).collect();
        Self::new(self.source().clone(), fields, self.metrics().to_vec())
    }
}

fn in_words(standing: &str, reason: Option<&str>, replaced_by: Option<&str>) -> String {
    let mut text = standing.to_owned();
    if let Some(reason) = reason {
        text.push_str(": ");
        text.push_str(reason.trim_end_matches('.'));
    }
    if let Some(replaced_by) = replaced_by {
        text.push_str("; replaced by ");
        text.push_str(replaced_by);
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_row_has_the_standing_of_its_source_unless_it_has_its_own() {
        let retracted = Standing {
            standing: Word::Retracted,
            reason: "another card.".to_owned(),
            replaced_by: Some("better-2021".parse().unwrap()),
        };
        let row = |fields| Measurement::new("paper-2020".parse().unwrap(), fields, Vec::new());
        let plain = row(Vec::new());
        assert!(plain.stands());
        let inherited = plain.clone().with_standing_of(&retracted);
        assert_eq!(inherited.standing_in_words().as_deref(), Some("retracted: another card; replaced by better-2021"));
        assert_eq!(inherited.id(), plain.id(), "papers cite the id");
        let own = row(vec![(Field::Standing, Value::Text("disputed".into()))]).with_standing_of(&retracted);
        assert_eq!(own.standing_in_words().as_deref(), Some("disputed"));
    }
}
