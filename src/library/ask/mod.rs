//! All questions to a knowledge base; [`KnowledgeBase`](crate::KnowledgeBase) is the entry point.
//!
//! The path of a question through the code, from its text to its answer:
//!
//! | function | does |
//! | --- | --- |
//! | `answer::ask::answer_question` | calls all functions below |
//! | `parse::parse` | text to [`Question`](parse::Question) |
//! | `parse::spans::words` | text to words |
//! | `parse::spans::tile` | words to pieces, each the longest that can be read at its position |
//! | `parse::names::read_name` | a name of the catalog |
//! | `parse::spans::phrase_of`, `number_at` | a phrase of `lexicon.toml`, a number with its unit |
//! | `parse::rules::compose` | pieces to the parts of the question, by the rules in this order: |
//! | `parse::rules::numbers::RULES` | what each number counts or bounds |
//! | `parse::rules::conditions::items`, `filter` | the conditions |
//! | `parse::rules::sides::sides` | the sides of a comparison |
//! | `parse::rules::{orders, axes, wants}` | the wanted quantities, order and axes |
//! | `parse::ask::kind_of_answer` | selects the kind of answer |
//! | `execute::execute` | the question to an [`Outcome`](execute::Outcome) of values and remarks |
//! | `execute::unread::not_found` | stops if an unread word could be the subject or a bound |
//! | `execute::by_kind` | one file for each kind: `lookup`, `rank`, `compare`, `series`, `facts`, `entities`, `fits` |
//! | `execute::condition::condition` | a filter to an index condition |
//! | `execute::relaxation::relaxed` | weaker questions if nothing matches all conditions |
//! | `answer::sentence::sentence` | the first line |
//! | `answer::remark::worded` | each remark in its one wording |

pub mod answer;
pub mod axes;
pub mod cards;
mod comparable_values;
pub mod compare;
pub mod contradictions;
pub mod diff;
pub mod evidence;
mod examples;
pub mod execute;
pub mod export;
mod figures;
pub mod found;
mod hits;
mod nearest_measurements;
pub mod paper;
pub mod parse;
pub mod plot;
#[cfg(test)]
mod published_schema;
mod references;
mod surprising;
pub mod tables;

pub use comparable_values::{ComparableValues, comparable_values};
pub use examples::{ExampleQuestion, examples};
pub use figures::{FigureError, figure};
pub use nearest_measurements::nearest_known;
pub use references::{cited, cited_by, knowledge_base_reference};
pub use surprising::{SurprisingRow, surprising_rows};
