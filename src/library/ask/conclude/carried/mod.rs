//! Answers to questions that one word carries by which no fact, metric or axis is called: successors, what became of something,
//! backends and backbones, chips inside, ratings, disagreement. Each is read off the catalog or the rows.

mod backbone;
mod backends;
mod best_grades;
mod changed_verdicts;
mod disagreement;
mod graded;
mod history;
mod operating_systems;
mod parts;
mod ratings;
mod relative;
mod reported;
mod same_grades;
mod series;
mod several_devices;
mod successor;
mod survey_table;
mod verdicts;

pub use relative::with_relative;

use super::basis::conclusion::Conclusion;
use crate::ask::question::{Carried, QueryError, Question};
use crate::stores::Stores;

/// Answers what a question is carried by; `None` where it is by nothing.
///
/// # Errors
///
/// When a store fails.
pub(super) fn conclude(stores: &Stores, question: &Question) -> Result<Option<Conclusion>, QueryError> {
    let Some(carried) = question.wanted.carried else { return Ok(None) };
    let told = match carried {
        Carried::Successor => successor::conclude(stores, question, series::Way::Next)?,
        Carried::Predecessor => successor::conclude(stores, question, series::Way::Before)?,
        Carried::History => history::conclude(stores, question)?,
        Carried::Parts => parts::of_board(stores, question)?,
        Carried::Chip => parts::inside(stores, question)?,
        Carried::RunsOn => backends::standing_on(stores, question)?,
        Carried::Backends => backends::of_framework(stores, question)?,
        Carried::Backbone => backbone::conclude(stores, question)?,
        Carried::Ratings => ratings::conclude(stores, question)?,
        Carried::Reported => reported::conclude(stores, question)?,
        Carried::Graded(grade) => graded::conclude(stores, question, grade)?,
        Carried::Disagreement => disagreement::conclude(stores, question)?,
        Carried::SeveralDevices => several_devices::conclude(stores, question)?,
        Carried::Verdicts => verdicts::conclude(stores, question)?,
        Carried::OperatingSystem => operating_systems::conclude(stores, question)?,
        Carried::SameGrades => same_grades::conclude(stores, question)?,
        Carried::BestGrades => best_grades::conclude(stores, question)?,
        Carried::ChangedVerdicts => changed_verdicts::conclude(stores, question)?,
        Carried::Table(asked) => survey_table::conclude(stores, question, asked)?,
    };
    // What is named is of a kind of which nothing of this is known: it is told as usual.
    Ok((!told.text.is_empty()).then_some(told))
}
