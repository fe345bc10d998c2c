//! The grammar of a question: bare words, "phrases", filters, negation, alternatives, groups.
//!
//! ```text
//! question    = sequence { "OR" sequence }            OR divides the whole question or group it stands in
//! sequence    = { ["-"] part }
//! part        = word | '"' text '"' | filter | "(" question ")"
//! filter      = key ":" value { "," value } | key ("<" | "<=" | ">" | ">=" | "=") number
//! value       = text without blanks | '"' text '"' | [number] ".." [number]
//! ```

use std::ops::Range;

use crate::model::{Facet, Field};

/// Groups may not stand deeper in each other than this.
const DEEPEST: usize = 32;

/// A mistake in a question, with its place.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{message}")]
pub struct GrammarError {
    /// What is wrong.
    pub message: String,
    /// The bytes of the question that are wrong.
    pub span: Range<usize>,
    /// What was expected.
    pub label: String,
    /// What to do.
    pub help: Option<String>,
}

/// A question as it is built: any of its alternatives, each a sequence of parts that all hold.
pub(super) type Alternatives<'q> = Vec<Vec<QuestionPart<'q>>>;

/// A part of a question.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct QuestionPart<'q> {
    pub negated: bool,
    pub span: Range<usize>,
    pub kind: PartKind<'q>,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum PartKind<'q> {
    /// A bare word.
    Word(&'q str),
    /// Words in quotes, meant as they stand.
    Phrase(&'q str),
    /// An explicit filter.
    Filter(Filter<'q>),
    /// Alternatives in brackets.
    Group(Alternatives<'q>),
}

/// `key operator values`.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Filter<'q> {
    pub key: &'q str,
    pub key_span: Range<usize>,
    pub operator: Operator,
    pub values: Vec<(&'q str, Range<usize>)>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Operator {
    Is,
    Less,
    LessOrEqual,
    Greater,
    GreaterOrEqual,
}

impl Operator {
    /// What holds of a number where this does not; `None` of a number that is to be the same.
    pub fn turned_round(self) -> Option<Self> {
        match self {
            Self::Is => None,
            Self::Less => Some(Self::GreaterOrEqual),
            Self::LessOrEqual => Some(Self::Greater),
            Self::Greater => Some(Self::LessOrEqual),
            Self::GreaterOrEqual => Some(Self::Less),
        }
    }

    /// The same where the other end is the better one.
    pub fn mirrored(self) -> Self {
        match self {
            Self::Is => Self::Is,
            Self::Less => Self::Greater,
            Self::LessOrEqual => Self::GreaterOrEqual,
            Self::Greater => Self::Less,
            Self::GreaterOrEqual => Self::LessOrEqual,
        }
    }

    /// How a filter writes it.
    pub fn sign(self) -> &'static str {
        match self {
            Self::Is => ":",
            Self::Less => "<",
            Self::LessOrEqual => "<=",
            Self::Greater => ">",
            Self::GreaterOrEqual => ">=",
        }
    }
}

/// Reads a question.
pub(super) fn parse(question: &str) -> Result<Alternatives<'_>, GrammarError> {
    let mut parser = Parser { text: question, at: 0 };
    let alternatives = parser.alternatives(0)?;
    if parser.at < question.len() {
        return Err(parser.error(parser.at..parser.at + 1, "a bracket is closed that was never opened", "remove it"));
    }
    Ok(alternatives)
}

struct Parser<'q> {
    text: &'q str,
    at: usize,
}

impl<'q> Parser<'q> {
    fn alternatives(&mut self, depth: usize) -> Result<Alternatives<'q>, GrammarError> {
        let mut alternatives = vec![Vec::new()];
        loop {
            self.skip_blanks();
            if self.rest().is_empty() || self.rest().starts_with(')') {
                break;
            }
            if let Some(span) = self.keyword_or() {
                let before = alternatives.last().is_some_and(Vec::is_empty);
                self.skip_blanks();
                if before || self.rest().is_empty() || self.rest().starts_with(')') {
                    return Err(self.error(span, "OR stands between two alternatives", "one of them is missing"));
                }
                alternatives.push(Vec::new());
                continue;
            }
            let part = self.part(depth)?;
            if let Some(sequence) = alternatives.last_mut() {
                sequence.push(part);
            }
        }
        Ok(alternatives)
    }

    fn part(&mut self, depth: usize) -> Result<QuestionPart<'q>, GrammarError> {
        let start = self.at;
        let negated =
            self.rest().starts_with('-') && self.rest().len() > 1 && !self.rest()[1..].starts_with(char::is_whitespace);
        if negated {
            self.at += 1;
        }
        let kind = match self.rest().chars().next() {
            Some('(') => {
                if depth >= DEEPEST {
                    return Err(self.error(start..start + 1, "the brackets are too deep", "32 is the limit"));
                }
                let open = self.at;
                self.at += 1;
                let inner = self.alternatives(depth + 1)?;
                if !self.rest().starts_with(')') {
                    return Err(self.error(open..open + 1, "this bracket is never closed", "add ) after the group"));
                }
                self.at += 1;
                PartKind::Group(inner)
            }
            Some('"') => PartKind::Phrase(self.quoted()?.0),
            _ => self.word_or_filter()?,
        };
        Ok(QuestionPart { negated, span: start..self.at, kind })
    }

    fn word_or_filter(&mut self) -> Result<PartKind<'q>, GrammarError> {
        let start = self.at;
        let word = self.take_while(|c| !matches!(c, ':' | '<' | '>' | '=' | '"'));
        let key_span = start..self.at;
        let is_key = !word.is_empty() && word.chars().all(|c| c.is_ascii_alphanumeric() || c == '-' || c == '_');
        let rest = self.rest();
        let operators = [
            ("<=", Operator::LessOrEqual),
            (">=", Operator::GreaterOrEqual),
            ("<", Operator::Less),
            (">", Operator::Greater),
            ("=", Operator::Is),
            (":", Operator::Is),
        ];
        let operator = operators.into_iter().find(|(sign, _)| rest.starts_with(sign));
        // An address is a word, and so is `MXNet:` in a sentence, unless it was meant as a filter.
        let is_filter = word.parse::<Facet>().is_ok() || word.parse::<Field>().is_ok();
        let ends = rest.strip_prefix(": ").is_some_and(|behind| !is_filter || asks_on(behind));
        let is_key = is_key && !rest.starts_with("://") && !ends;
        let (Some((sign, operator)), true) = (operator, is_key) else {
            // No filter: the signs belong to the word (`c:`, `http://…`, `->`).
            self.take_while(|c| c != '"');
            if self.at == start {
                self.at += rest.chars().next().map_or(0, char::len_utf8);
            }
            return Ok(PartKind::Word(&self.text[start..self.at]));
        };
        self.at += sign.len();
        let mut values = Vec::new();
        loop {
            let value = if self.rest().starts_with('"') {
                self.quoted()?
            } else {
                let from = self.at;
                let value = self.take_while(|c| c != ',' && c != '"');
                (value, from..self.at)
            };
            if value.0.is_empty() {
                return Err(self.error(
                    key_span.start..self.at,
                    format!("the filter `{word}` has no value"),
                    format!("write {word}{sign}… without a blank"),
                ));
            }
            values.push(value);
            if !self.rest().starts_with(',') {
                break;
            }
            self.at += 1;
        }
        Ok(PartKind::Filter(Filter { key: word, key_span, operator, values }))
    }

    fn quoted(&mut self) -> Result<(&'q str, Range<usize>), GrammarError> {
        let open = self.at;
        let inner = &self.text[open + 1..];
        let Some(length) = inner.find('"') else {
            return Err(self.error(open..open + 1, "this quote is never closed", "add \" after the phrase"));
        };
        if inner[..length].trim().is_empty() {
            return Err(self.error(open..open + length + 2, "the phrase is empty", "write words between the quotes"));
        }
        self.at = open + length + 2;
        Ok((&inner[..length], open..self.at))
    }

    fn keyword_or(&mut self) -> Option<Range<usize>> {
        let rest = self.rest();
        let after = rest.strip_prefix("OR").or_else(|| rest.strip_prefix('|'))?;
        if !(after.is_empty() || after.starts_with(char::is_whitespace) || after.starts_with('(')) {
            return None;
        }
        let start = self.at;
        self.at = self.text.len() - after.len();
        Some(start..self.at)
    }

    /// Takes characters up to a blank, a bracket or the first that `wanted` refuses.
    fn take_while(&mut self, wanted: impl Fn(char) -> bool) -> &'q str {
        let rest = self.rest();
        let end = rest.find(|c: char| c.is_whitespace() || c == '(' || c == ')' || !wanted(c)).unwrap_or(rest.len());
        self.at += end;
        &rest[..end]
    }

    fn skip_blanks(&mut self) {
        self.at = self.text.len() - self.rest().trim_start().len();
    }

    fn rest(&self) -> &'q str {
        &self.text[self.at..]
    }

    fn error(&self, span: Range<usize>, message: impl Into<String>, label: impl Into<String>) -> GrammarError {
        GrammarError { message: message.into(), span, label: label.into(), help: None }
    }
}

/// Whether a sentence goes on behind a colon and a blank, where a value would have none: `die size metric: which class is best`.
fn asks_on(behind: &str) -> bool {
    const BEGINNING: &[&str] = &[
        "which", "what", "who", "when", "where", "why", "how", "is", "are", "does", "do", "did", "can", "should",
        "the", "a", "an", "any", "all", "my", "i", "give", "show", "list",
    ];
    let mut words = behind.split_whitespace();
    let begins = words.next().is_some_and(|first| BEGINNING.contains(&first.to_lowercase().as_str()));
    begins && words.next().is_some()
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn words(question: &str) -> Vec<String> {
        parse(question).unwrap().concat().iter().map(|part| format!("{:?}", part.kind)).collect()
    }

    #[test]
    fn words_phrases_and_filters_are_told_apart() {
        assert_eq!(
            words("fp16 \"exact phrase\" batch>=32"),
            [
                "Word(\"fp16\")",
                "Phrase(\"exact phrase\")",
                "Filter(Filter { key: \"batch\", key_span: 20..25, operator: GreaterOrEqual, values: [(\"32\", 27..29)] })"
            ]
        );
    }

    #[test]
    fn signs_inside_words_stay_there() {
        for word in ["c++", "resnet-152", "https://x.y/z"] {
            assert_eq!(words(word), [format!("Word({word:?})")]);
        }
        assert_eq!(words("c++"), ["Word(\"c++\")"]);
    }

    #[test]
    fn alternatives_divide_the_group_they_stand_in() {
        let alternatives = parse("(v100 OR titan v) resnet").unwrap();
        assert_eq!(alternatives.len(), 1);
        let PartKind::Group(inner) = &alternatives[0][0].kind else { panic!("a group comes first") };
        assert_eq!(inner.iter().map(Vec::len).collect::<Vec<_>>(), [1, 2]);
    }

    #[test]
    fn mistakes_have_a_place() {
        for (question, place) in [("a (b", 2..3), ("a) b", 1..2), ("\"a", 0..1), ("a OR", 2..4), ("stage:", 0..6)] {
            assert_eq!(parse(question).unwrap_err().span, place, "{question}");
        }
        let deep = "(".repeat(100_000);
        assert!(parse(&deep).is_err());
    }

    proptest! {
        #[test]
        fn no_question_panics(question in "\\PC{0,60}") {
            let _ = parse(&question);
        }

        #[test]
        fn no_mix_of_signs_panics(question in "[a:\"()<>=, |OR\\-.é]{0,40}") {
            if let Err(error) = parse(&question) {
                prop_assert!(error.span.start <= error.span.end);
                prop_assert!(question.get(error.span.start..).is_some());
            }
        }
    }
}
