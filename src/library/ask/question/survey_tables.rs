//! What is asked of the tables of surveys as a whole: the columns of the table of frameworks, what holds otherwise today, and which
//! verdicts on grades changed since.

use super::carrying_word::{AskedOfTable, Carried};
use super::clause::Clause;
use super::facing::kind_of;
use super::seen::Seen;
use super::vocabulary::Cue;
use crate::model::Facet;
use crate::values::EntityKind;

/// Words by which two periods are set against each other.
const OF_PERIODS: &[&str] =
    &["changed", "change", "changes", "differ", "differs", "different", "flipped", "period", "periods", "shifted"];

/// Words around a survey's table that its answer says itself.
const OF_TABLES: &[&str] = &["table", "tables", "survey", "survey's", "own", "anything", "row", "rows"];

/// The words that say no more than an answer of this kind tells itself.
pub(super) fn words_heard(carried: Carried) -> Vec<&'static str> {
    match carried {
        Carried::ChangedVerdicts => OF_PERIODS.iter().chain(&["since", "then", "years", "time"]).copied().collect(),
        Carried::Table(_) => OF_TABLES.to_vec(),
        _ => Vec::new(),
    }
}

impl Seen<'_, '_> {
    /// `which verdicts changed since the survey`: those of the one period against those of the other.
    pub(super) fn on_periods(&self) -> Option<Carried> {
        let says = |words: &[&str]| words.iter().any(|word| self.interpreter.all_words.contains(*word));
        let of_verdicts = self.hints.carried.iter().any(|(_, carried)| *carried == Carried::Verdicts)
            || self.hints.has(Cue::Evidence);
        (of_verdicts && says(OF_PERIODS)).then_some(Carried::ChangedVerdicts)
    }

    /// `is anything in the survey's table of frameworks outdated`: what is asked of the table where several words ask.
    pub(super) fn of_table(&self) -> Option<Carried> {
        let mut asked = self.hints.carried.iter().filter_map(|(_, carried)| match carried {
            Carried::Table(asked) => Some(*asked),
            _ => None,
        });
        let first = asked.next()?;
        let differs = first == AskedOfTable::Differences || asked.any(|other| other == AskedOfTable::Differences);
        Some(Carried::Table(if differs { AskedOfTable::Differences } else { first }))
    }

    /// Whether the survey's table of frameworks is spoken of, and nothing is named but what it has a column for.
    pub(super) fn is_of_table(&self) -> bool {
        let says = |words: &[&str]| words.iter().any(|word| self.interpreter.all_words.contains(*word));
        let of_columns = |clause: &Clause| {
            let columns =
                ["license", "language", "core-language", "api-language", "multi-server", "maturity", "hardware"];
            let key = kind_of(clause);
            key == "source" || key == "text" || columns.contains(&key)
        };
        let names_source = self.clauses.iter().any(|clause| kind_of(clause) == Facet::Source.key());
        let speaks = self.hints.speaks_of(EntityKind::Framework) || says(&["framework", "frameworks"]);
        speaks
            && (self.hints.has(Cue::Survey) || names_source || says(&["table", "survey", "survey's"]))
            && self.clauses.iter().all(of_columns)
    }
}
