//! What a person asked to see of an answer.

use crate::ask::answer::Page;
use crate::model::Aspect;
use crate::render::table::AuthorStyle;

/// Which columns, which groups, which rows.
#[derive(Debug, Clone, Default)]
pub struct AnswerView {
    /// The page that was asked for.
    pub page: Page,
    /// The columns that were asked for; else those that vary.
    pub columns: Option<Vec<Aspect>>,
    /// What rows are grouped by; else what is found to belong together.
    pub group_by: Vec<Aspect>,
    /// Whether the facts of entities stand in full tables; else in a line for each.
    pub facts: bool,
    /// Whether all remarks are shown rather than the most important.
    pub notes: bool,
    /// Whether nothing is said of the options of the command by which more rows are shown: a page has links for that.
    pub without_options: bool,
    /// The digits, the order and the names that were asked for.
    pub author: AuthorStyle,
    /// The caption that was asked for.
    pub caption: Option<String>,
    /// Whether sources are cited by their keys, as LaTeX does, and not by numbers.
    pub cites: bool,
}
