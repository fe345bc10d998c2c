//! A question that asks for less: some of its clauses are replaced, and said.

use crate::ask::question::{Clause, Quantity, Question};
use crate::model::{Facet, Field, Metric};
use crate::stores::index::Condition;
use crate::values::text::and_list;

/// A question that asks for less.
#[derive(Debug, Clone)]
pub(in crate::ask::conclude) struct Relaxed {
    /// What is left of it.
    pub question: Question,
    /// What was taken back, in words.
    pub lead: String,
    /// Whether these words say why the question itself comes to nothing.
    pub says_why: bool,
    /// Whether nothing of the question is given up: what is asked for follows from what rows state.
    pub follows: bool,
    /// Whether it is about something else than what is named: another device, another network.
    pub of_another: bool,
}

/// What may be taken back, what weighs least first. What a question is about never is: its devices, networks, frameworks.
pub(super) const GIVES_WAY: &[Field] = &[
    Field::InputShape,
    Field::Dataset,
    Field::Statistic,
    Field::Cudnn,
    Field::Cuda,
    Field::Driver,
    Field::Layout,
    Field::Mode,
    Field::Partition,
    Field::Setting,
    Field::Threads,
    Field::Stage,
    Field::Scenario,
    Field::SequenceLength,
    Field::BatchSize,
    Field::FrameworkVersion,
    Field::Precision,
    Field::DeviceCount,
];

/// The metric that a quantity is.
pub(super) fn metric(quantity: &Quantity) -> Option<Metric> {
    match quantity {
        Quantity::Metric(metric) => Some(*metric),
        _ => None,
    }
}

/// The question without a metric that is asked for.
pub(super) fn unmeasured(mut question: Question) -> Question {
    question.wanted.quantities.retain(|quantity| metric(quantity).is_none());
    question
}

/// The clauses that ask for rows with a metric, and their words.
pub(super) fn metric_clauses(question: &Question) -> (Vec<usize>, String) {
    let of_metric = |(_, clause): &(usize, &Clause)| clause.plain_kind() == Some(Facet::Metric.key());
    let found: Vec<(usize, &Clause)> = question.clauses.iter().enumerate().filter(of_metric).collect();
    let names: Vec<String> = found.iter().map(|(_, clause)| format!("`{}`", clause.text)).collect();
    (found.into_iter().map(|(at, _)| at).collect(), names.join(" and "))
}

/// The clause about a field that a person said in words; who writes a filter wants nothing else.
pub(super) fn place_of(question: &Question, field: Field) -> Option<usize> {
    place_called(question, field.key())
}

/// The same of the key of a filter.
pub(super) fn place_called(question: &Question, key: &str) -> Option<usize> {
    let is_in_words = |clause: &Clause| !clause.text.contains([':', '<', '>', '=', '"']);
    question.clauses.iter().position(|clause| clause.plain_kind() == Some(key) && is_in_words(clause))
}

/// The question with another condition in the place of some clauses, whose places stay.
pub(super) fn replaced(question: &Question, places: &[usize], condition: Condition) -> Question {
    let mut question = question.clone();
    for at in places {
        let clause = &mut question.clauses[*at];
        let (readings, sides) = (Vec::new(), Vec::new());
        let (text, equivalent) = (String::new(), String::new());
        *clause = Clause { text, equivalent, condition: condition.clone(), readings, sides };
    }
    question
}

impl Relaxed {
    /// The question without some clauses, which is said.
    pub(super) fn without(question: &Question, places: &[usize], of_another: bool) -> Self {
        let words: Vec<String> = places.iter().map(|at| format!("`{}`", question.clauses[*at].text)).collect();
        Self {
            lead: format!("Without {}:", and_list(&words)),
            question: replaced(question, places, Condition::All(Vec::new())),
            says_why: false,
            follows: false,
            of_another,
        }
    }
}
