//! Questions to a knowledge base of a few invented rows, for the tests of conclusions.

use super::conclusion::{Entry, EntryValue};
use crate::ask::question::{Clause, Intent, Question, understand};
use crate::model::{Aspect, Field};
use crate::stores::index::Condition;
pub(in crate::ask::conclude) use crate::stores::sample::Sample;

impl Sample {
    /// A question in explicit filters, of a kind.
    pub fn question(&self, filters: &str, intent: Intent) -> Question {
        let mut question = understand(filters, &self.stores).unwrap();
        question.wanted.intent = intent;
        if intent == Intent::Ranking {
            question.wanted.candidates.get_or_insert(Aspect::Field(Field::Device));
        }
        question
    }

    /// Some sides against each other, each in explicit filters.
    pub fn versus(&self, common: &str, sides: &[&str]) -> Question {
        let mut question = self.question(common, Intent::Comparison);
        let side = |filters: &&str| {
            let clauses = understand(filters, &self.stores).unwrap().clauses;
            let condition = Condition::All(clauses.iter().map(|clause| clause.condition.clone()).collect());
            let readings = clauses.into_iter().flat_map(|clause| clause.readings).collect();
            let (text, equivalent) = ((*filters).to_owned(), (*filters).to_owned());
            Clause { text, equivalent, condition, readings, sides: Vec::new() }
        };
        let sides: Vec<Clause> = sides.iter().map(side).collect();
        let any = Condition::Any(sides.iter().map(|side| side.condition.clone()).collect());
        question.wanted.joined_at = Some(question.clauses.len());
        question.clauses.push(Clause::of("sides", "device", Vec::new(), String::new(), any));
        question.wanted.sides = sides;
        question
    }
}

/// The number of an entry.
pub(in crate::ask::conclude) fn number(entry: &Entry) -> f64 {
    match entry.value {
        Some(EntryValue::Number(number)) => number,
        _ => f64::NAN,
    }
}

/// What an entry is about: `device nova 2.0`.
pub(in crate::ask::conclude) fn told(entry: &Entry) -> String {
    let subjects = entry.subjects.iter().map(|(key, value)| format!("{key} {value}"));
    format!("{} {}", subjects.collect::<Vec<_>>().join(" "), number(entry))
}
