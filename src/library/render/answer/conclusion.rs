//! What an answer comes to, before the rows that it rests on.

use super::super::paragraph;
use crate::ask::query::Answer;

/// The conclusion and what was left out of the question; empty where nothing is concluded.
pub fn text(answer: &Answer, width: usize) -> String {
    let mut text = String::new();
    if !answer.conclusion.text.is_empty() {
        text.push_str(&paragraph("", &answer.conclusion.text, width));
        text.push('\n');
    }
    text
}
