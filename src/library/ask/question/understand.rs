//! From the parts of a question to conditions on documents, keeping how each was read.

use super::clause::{Clause, combine, either, joined, negated, text_clause};
use super::error::QueryError;
use super::grammar::{PartKind, QuestionPart, parse};
use super::interpreter::Interpreter;
use super::order::{SortOrder, Superlative};
use super::question::Question;
use super::wanted::wanted;
use crate::model::{Direction, Metric, Name};
use crate::stores::Stores;
use crate::stores::index::Condition;
use crate::stores::resolve::nearest_names;
use crate::stores::store::Store;

/// Understands a question.
///
/// # Errors
///
/// A mistake in the question with its place, or a failing store.
pub fn understand(question: &str, stores: &Stores) -> Result<Question, QueryError> {
    let alternatives = parse(question)?;
    let mut interpreter = Interpreter::new(question, stores);
    let clauses = match alternatives.as_slice() {
        [only] => interpreter.sequence(only)?,
        many => interpreter.alternatives(many, 0..question.len())?.into_iter().collect(),
    };
    interpreter.complete_superlative(&clauses);
    let wanted = wanted(&clauses, &interpreter, stores)?;
    Ok(Question {
        clauses,
        wanted,
        ignored: interpreter.ignored,
        sort: interpreter.sort,
        limit: interpreter.limit,
        offset: interpreter.offset,
        about: interpreter.about,
        asides: interpreter.asides,
        notes: interpreter.notes,
    })
}

impl<'q> Interpreter<'q> {
    fn alternatives(
        &mut self,
        alternatives: &[Vec<QuestionPart<'q>>],
        span: std::ops::Range<usize>,
    ) -> Result<Option<Clause>, QueryError> {
        let mut clauses = Vec::new();
        for sequence in alternatives {
            let parts = self.sequence(sequence)?;
            // Fillers alone (`fp16 OR the`) are no alternative.
            if parts.is_empty() {
                continue;
            }
            clauses.push(Clause {
                text: String::new(),
                equivalent: joined(parts.iter().map(|clause| clause.equivalent.as_str())),
                condition: Condition::All(parts.iter().map(|clause| clause.condition.clone()).collect()),
                readings: parts.into_iter().flat_map(|clause| clause.readings).collect(),
                sides: Vec::new(),
            });
        }
        let text = self.question[span].to_owned();
        Ok(match clauses.as_slice() {
            // In brackets, so that a minus in front takes all of it.
            [_] => {
                either(text, clauses).map(|clause| Clause { equivalent: format!("({})", clause.equivalent), ..clause })
            }
            _ => either(text, clauses),
        })
    }

    fn sequence(&mut self, parts: &[QuestionPart<'q>]) -> Result<Vec<Clause>, QueryError> {
        let mut clauses = Vec::new();
        let mut words: Vec<&str> = Vec::new();
        for part in parts {
            match &part.kind {
                PartKind::Word(word) if !part.negated => words.push(word),
                kind => {
                    let clause = match kind {
                        PartKind::Word(word) => combine(self.words(&[word])?),
                        PartKind::Phrase(phrase) => {
                            Some(Clause { text: format!("\"{phrase}\""), ..text_clause(phrase) })
                        }
                        PartKind::Filter(filter) => self.filter(filter)?,
                        PartKind::Group(inner) => self.alternatives(inner, part.span.clone())?,
                    };
                    clauses.extend(clause.map(|clause| if part.negated { negated(clause) } else { clause }));
                }
            }
        }
        let mut read = self.words(&words)?;
        read.append(&mut clauses);
        Ok(read)
    }

    /// `best` and the like order by the metric that the question names, else by throughput.
    fn complete_superlative(&mut self, clauses: &[Clause]) {
        let Some((text, superlative)) = self.superlative.clone() else { return };
        if self.sort.is_some() {
            return;
        }
        let named = clauses.iter().flat_map(|clause| &clause.readings).find_map(|reading| {
            let read = &reading.read_as;
            match (read.facet.as_str(), read.values.as_slice()) {
                ("metric", [metric]) => metric.parse::<Metric>().ok(),
                (facet, _) => facet.parse::<Metric>().ok(),
            }
        });
        let metric = named.unwrap_or(match superlative {
            Superlative::Cheapest => Metric::CostUsd,
            Superlative::Least => Metric::LatencyMs,
            _ => Metric::ThroughputPerS,
        });
        let best_is_most = metric.direction() != Direction::Lower;
        let descending = match superlative {
            Superlative::Best => best_is_most,
            Superlative::Worst => !best_is_most,
            Superlative::Most => true,
            Superlative::Least | Superlative::Cheapest => false,
        };
        let order = SortOrder::by_metric(metric, descending);
        self.sort = Some(order);
        self.aside(text, "sort", &order.to_string());
    }
}

/// Names near to the words of a clause that was read as text, as replacements for it.
pub fn near_replacements(clause: &Clause, stores: &Stores) -> Result<Vec<String>, QueryError> {
    if clause.readings.iter().any(|reading| reading.read_as.how != "text") {
        return Ok(Vec::new());
    }
    let names: Vec<Name> = nearest_names::<Store>(&clause.text, &stores.store, 3)?;
    Ok(names.into_iter().map(|name| name.value).collect())
}
