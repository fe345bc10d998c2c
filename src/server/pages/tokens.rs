//! The words of a question as tokens: each says how it was read, and can be removed or replaced by itself.

use maud::{Markup, html};
use schemars::JsonSchema;
use serde::Deserialize;

use super::links::about;
use dlbench::ask::parse::{How, Span};

/// A token to replace.
#[derive(Debug, Clone, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct ChangeRequest {
    /// The question.
    question: String,
    /// The first byte of the token.
    from: usize,
    /// The byte behind its last.
    to: usize,
    /// What takes its place; nothing removes it.
    #[serde(default)]
    with: String,
}

impl ChangeRequest {
    /// The address of the question that this makes.
    pub fn address(&self) -> String {
        about("/query", &replaced(&self.question, self.from, self.to, self.with.trim()))
    }
}

/// The tokens of a question; `can_change` says that a server answers the forms that replace one.
pub(super) fn tokens(question: &str, spans: &[Span], can_change: bool) -> Markup {
    let read = spans.iter().filter(|span| span.how != How::Filler);
    html! {
        ul.tokens aria-label="How the words were read" {
            @for span in read {
                li class=[span.how.is_unread().then_some("unread")] {
                    details {
                        summary { b { (span.text) } @if let Some(meaning) = meaning(span) { " " span.quiet { (meaning) } } }
                        @if can_change { form action="/query/change" {
                            input type="hidden" name="question" value=(question);
                            input type="hidden" name="from" value=(span.from);
                            input type="hidden" name="to" value=(span.to);
                            input name="with" value=(span.text) aria-label={ "Replace " (span.text) } list="names";
                            button { "Change" }
                        } }
                    }
                    a href=(about("/query", &replaced(question, span.from, span.to, ""))) aria-label={ "Remove " (span.text) } { "×" }
                }
            }
        }
    }
}

/// How a token was read, where that is not what it says itself.
fn meaning(span: &Span) -> Option<String> {
    /// More values are counted.
    const MOST: usize = 2;
    if span.how.is_unread() {
        return Some("not read".to_owned());
    }
    let values = match span.values.as_slice() {
        [] => return (!span.facet.is_empty()).then(|| span.facet.clone()),
        few if few.len() <= MOST => few.join(", "),
        many => format!("{} and {} more", many[0], many.len() - 1),
    };
    (span.how != How::Filter).then(|| format!("{} {values}", span.facet))
}

/// A question with other words in the place of some; places that are none leave it as it is.
fn replaced(question: &str, from: usize, to: usize, with: &str) -> String {
    match (question.get(..from), question.get(to..)) {
        (Some(before), Some(behind)) if from <= to => {
            let parts = [before.trim_end(), with, behind.trim_start()];
            parts.into_iter().filter(|part| !part.is_empty()).collect::<Vec<_>>().join(" ")
        }
        _ => question.to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_token_is_replaced_by_its_place() {
        assert_eq!(replaced("fp16 V100 resnet152", 5, 9, "T4"), "fp16 T4 resnet152");
        assert_eq!(replaced("fp16 V100 resnet152", 5, 9, ""), "fp16 resnet152");
        assert_eq!(replaced("fp16", 0, 4, ""), "");
        for (from, to) in [(3, 2), (0, 99), (1, 2)] {
            assert_eq!(replaced("é", from, to, "x"), "é");
        }
    }
}
