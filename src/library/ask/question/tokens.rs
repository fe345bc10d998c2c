//! Quantities that are told for each token or image: rows that count images or sentences are none of `tokens per second`, and
//! clicks or words none of `images per watt`.

use super::clause::Clause;
use super::error::QueryError;
use super::facing::kind_of;
use super::hints::Hints;
use super::interpreter::Interpreter;
use super::modality::VISION_TASKS;
use super::question::Quantity;
use crate::model::{Facet, Field};
use crate::stores::index::{Condition, DocumentKind};

/// Words for what a language model reads and writes.
const WORDS: &[&str] = &["token", "tokens", "tok", "toks", "tps"];

/// Words for what a network that sees takes in.
const OF_IMAGES: &[&str] = &["image", "images", "img", "imgs", "picture", "pictures"];

/// What rows say that count images, and those that may, where the network sees.
const IMAGES: &[&str] = &["image", "frame"];
const MAY_BE_IMAGES: &[&str] = &["sample", "inference", "query"];

/// What a row says that counts them.
const TOKEN: &str = "token";

impl Hints {
    /// Records that a quantity is told for each token, where its value counts items at all: a time to the first token does not.
    pub fn note_tokens(&mut self, text: &str, quantities: &[Quantity]) {
        let of_items = |quantity: &Quantity| match quantity {
            Quantity::Metric(metric) => metric.is_of_items(),
            Quantity::Derived(measure) => measure.items_per().is_some(),
            _ => false,
        };
        let says = |words: &[&str]| {
            text.split(|c: char| !c.is_alphanumeric()).any(|word| words.contains(&word.to_lowercase().as_str()))
        };
        if quantities.iter().any(of_items) && says(WORDS) {
            self.tokens.get_or_insert_with(|| text.to_owned());
        }
        if quantities.iter().any(of_items) && says(OF_IMAGES) {
            self.images.get_or_insert_with(|| text.to_owned());
        }
    }
}

impl Interpreter<'_> {
    /// Leaves the rows that count tokens, where any of those that meet the rest does.
    pub(super) fn counting_tokens(&mut self, clauses: &mut Vec<Clause>, hints: &Hints) -> Result<(), QueryError> {
        let key = Field::Counts.key();
        let Some(text) = hints.tokens.as_ref().filter(|_| !clauses.iter().any(|clause| kind_of(clause) == key)) else {
            return Ok(());
        };
        let (condition, _) = self.with_value(Field::Counts, |counted| counted == TOKEN)?;
        // Where those that meet the rest state no unit of the chip, what is told without it still counts tokens.
        let kinds = |clause: &&Clause| matches!(kind_of(clause), "device" | "network" | "framework" | "source");
        let with = |clause: &Clause| clause.condition.clone();
        let whole: Vec<Condition> = clauses.iter().map(with).collect();
        let named: Vec<Condition> = clauses.iter().filter(kinds).map(with).collect();
        let names_any = !named.is_empty();
        for mut all in [Some(whole), names_any.then_some(named)].into_iter().flatten() {
            all.push(condition.clone());
            if self.stores.index.count(DocumentKind::Measurement, &Condition::All(all))? > 0 {
                clauses.push(Clause::of(text, key, vec![TOKEN.to_owned()], format!("{key}:{TOKEN}"), condition));
                break;
            }
        }
        Ok(())
    }
}

impl Interpreter<'_> {
    /// Leaves the rows that count images, where nothing says what was run and any of those that meet the rest does.
    pub(super) fn counting_images(&mut self, clauses: &mut Vec<Clause>, hints: &Hints) -> Result<(), QueryError> {
        let key = Field::Counts.key();
        let names_work = clauses.iter().any(|clause| {
            matches!(kind_of(clause), "network" | "dataset" | "task" | "parameters") || kind_of(clause) == key
        });
        let Some(text) = hints.images.as_ref().filter(|_| !names_work) else { return Ok(()) };
        let (images, _) = self.with_value(Field::Counts, |counted| IMAGES.contains(&counted))?;
        let (others, _) = self.with_value(Field::Counts, |counted| MAY_BE_IMAGES.contains(&counted))?;
        let tasks: Vec<String> = VISION_TASKS.iter().map(|task| (*task).to_owned()).collect();
        let filter =
            format!("({key}:{} OR ({key}:{} task:{}))", IMAGES.join(","), MAY_BE_IMAGES.join(","), tasks.join(","));
        let seen = Condition::All(vec![others, Condition::Facet(Facet::Task, tasks)]);
        let condition = Condition::Any(vec![images, seen]);
        let all = clauses.iter().map(|clause| &clause.condition).chain([&condition]).cloned().collect();
        if self.stores.index.count(DocumentKind::Measurement, &Condition::All(all))? > 0 {
            clauses.push(Clause::of(text, key, vec!["image".to_owned()], filter, condition));
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::model::{Derived, Metric};

    #[test]
    fn tokens_count_only_in_quantities_of_items() {
        let noted = |text: &str, quantity: Quantity| {
            let mut hints = Hints::default();
            hints.note_tokens(text, &[quantity]);
            hints.tokens.is_some()
        };
        assert!(noted("tokens per second", Quantity::Metric(Metric::ThroughputPerS)));
        assert!(noted("J/token", Quantity::Metric(Metric::EnergyPerItemJ)));
        assert!(noted("cost per million tokens", Quantity::Derived(Derived::ItemsPerDollar)));
        assert!(!noted("images per second", Quantity::Metric(Metric::ThroughputPerS)));
        assert!(!noted("time to first token", Quantity::Metric(Metric::TimeToFirstTokenMs)));
    }
}
