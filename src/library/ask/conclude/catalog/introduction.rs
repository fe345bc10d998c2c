//! What an entity is, in a few words: its kind, who makes it, since when, and what the notes of the catalog call it.

use crate::ask::conclude::basis::fact_entries::{self, sources_of, statements};
use crate::ask::conclude::basis::fact_wording::value_text;
use crate::ask::conclude::basis::named::NamedEntity;
use crate::ask::conclude::basis::noted::{noted_of, quoted, sentences};
use crate::ask::conclude::basis::statement::Statement;
use crate::ask::question::QueryError;
use crate::model::Fact;
use crate::stores::Stores;
use crate::values::EntityKind;
use crate::values::text::and_list;

/// Nouns of sentences that say what something is; one of them stands early in such a sentence.
const DEFINING: &[&str] = &[
    "accelerator",
    "board",
    "card",
    "chip",
    "compiler",
    "core",
    "cores",
    "engine",
    "form",
    "framework",
    "instance",
    "kit",
    "language",
    "layer",
    "library",
    "machine",
    "microcontroller",
    "module",
    "networks",
    "processor",
    "runtime",
    "server",
    "slice",
    "toolkit",
    "version",
    "wrapper",
];

/// Beginnings of sentences that say something else: of a survey, of a table, of who measured.
const OTHERS: &[&str] = &["not ", "the survey", "the epoch", "measured", "peak", "counted", "sizes"];

/// A noun of these stands within so many words of a sentence that says what something is.
const EARLY: usize = 9;

/// Notes are quoted up to so many letters.
const LONGEST_NOTE: usize = 220;

/// What an entity is.
pub(super) struct Introduction {
    /// `a framework`.
    kind: String,
    /// Who makes it.
    maker: Option<String>,
    /// Since when it is there.
    since: Option<String>,
    /// Who says so.
    sources: Vec<String>,
    /// What the notes of the catalog call it, as a sentence.
    pub noted: Option<String>,
}

impl Introduction {
    /// What an entity is; `None` of a kind of which nothing says it.
    pub fn of(stores: &Stores, entity: &NamedEntity) -> Result<Option<Self>, QueryError> {
        let stated = |fact: Fact| -> Result<Vec<Statement>, QueryError> {
            let stated = statements(stores, entity, fact)?;
            Ok(stated.into_iter().filter(|one| one.value.is_some()).collect())
        };
        let value = |stated: &[Statement]| {
            let mut values: Vec<String> = stated.iter().filter_map(|one| one.value.as_ref().map(value_text)).collect();
            values.sort();
            values.dedup();
            (!values.is_empty()).then(|| and_list(&values))
        };
        let notes = noted_of(stores, entity)?.map(|noted| noted.notes).unwrap_or_default();
        let plain = |kind: &str, noted: Option<String>| Self {
            kind: kind.to_owned(),
            maker: None,
            since: None,
            sources: Vec::new(),
            noted,
        };
        Ok(match entity.kind {
            EntityKind::Device => {
                let (classes, makers) = (stated(Fact::Class)?, stated(Fact::Vendor)?);
                let Some(class) = value(&classes).map(|class| class.to_uppercase()) else { return Ok(None) };
                let article = if class.starts_with(['A', 'F']) { "an" } else { "a" };
                Some(Self {
                    maker: value(&makers),
                    sources: sources_of(classes.iter().chain(&makers)),
                    ..plain(&format!("{article} {class}"), called(&notes))
                })
            }
            EntityKind::Framework => {
                let (stewards, released) = (stated(Fact::Steward)?, stated(Fact::FirstRelease)?);
                Some(Self {
                    maker: value(&stewards),
                    since: value(&released),
                    sources: sources_of(stewards.iter().chain(&released)),
                    ..plain("a framework", told(&notes))
                })
            }
            EntityKind::Network => Some(plain("a network", called(&notes))),
            EntityKind::Dataset => Some(plain("a data set", None)),
            _ => None,
        })
    }

    /// `HanGuang 800: an ASIC of Alibaba (epoch-ai-2025). The catalog notes: "Inference chip."`
    pub fn sentence(stores: &Stores, entity: &NamedEntity) -> Result<Option<String>, QueryError> {
        let Some(own) = Self::of(stores, entity)? else { return Ok(None) };
        let name = fact_entries::name(stores, entity)?.unwrap_or_else(|| entity.id.clone());
        let noted = own.noted.as_ref().map_or_else(String::new, |noted| format!(" {noted}"));
        Ok(Some(format!("{name}: {}.{noted}", own.in_words())))
    }

    /// `an ASIC of Alibaba (epoch-ai-2025)`.
    pub fn in_words(&self) -> String {
        let maker = self.maker.as_ref().map_or_else(String::new, |maker| format!(" of {maker}"));
        let since = self.since.as_ref().map_or_else(String::new, |since| format!(", first released {since}"));
        let said_by = match self.sources.as_slice() {
            [] => String::new(),
            few => format!(" ({})", and_list(&few.iter().take(2).cloned().collect::<Vec<_>>())),
        };
        format!("{}{maker}{since}{said_by}", self.kind)
    }
}

/// The sentence of notes that says what something is: `Inference chip.`
fn called(notes: &str) -> Option<String> {
    let is_defining = |sentence: &&String| {
        let low = sentence.to_lowercase();
        let mut words = low.split(|c: char| !c.is_alphanumeric()).filter(|word| !word.is_empty()).take(EARLY);
        !OTHERS.iter().any(|other| low.starts_with(other)) && words.any(|word| DEFINING.contains(&word))
    };
    let sentence = sentences(notes).find(|sentence| is_defining(&sentence))?;
    (sentence.len() <= LONGEST_NOTE).then(|| in_quotes(sentence))
}

/// What notes say of a framework, but for that it is none of the survey; a sentence that says what it is comes first.
fn told(notes: &str) -> Option<String> {
    if let Some(called) = called(notes) {
        return Some(called);
    }
    let mut told = String::new();
    for sentence in sentences(notes).filter(|sentence| sentence != "Not in the survey.") {
        if told.len() + sentence.len() > LONGEST_NOTE {
            break;
        }
        told = if told.is_empty() { sentence } else { format!("{told} {sentence}") };
    }
    (!told.is_empty()).then(|| in_quotes(told))
}

/// What the notes of the catalog say, as a sentence.
fn in_quotes(note: String) -> String {
    format!("The catalog notes: {}", quoted(&[note]))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_notes_call_something_is_told_and_what_they_say_of_tables_is_not() {
        for (notes, expected) in [
            ("Inference chip. The table adds 205 TOP/s.", Some("Inference chip.")),
            ("Peak rates at the boost clock of the card.", None),
            ("The survey calls the core Python.", None),
            ("Not in the survey. A runtime for phones.", Some("A runtime for phones.")),
        ] {
            let expected = expected.map(|note| in_quotes(note.to_owned()));
            assert_eq!(called(notes), expected, "{notes}");
        }
        assert_eq!(told("Not in the survey. In MLPerf on GPUs."), Some(in_quotes("In MLPerf on GPUs.".to_owned())));
        assert_eq!(told("Not in the survey."), None);
    }
}
