//! The explicit language: filters, groups, alternatives, negation, quotes and sides. Everything else is runs of plain words.
//!
//! ```text
//! question = sequence { "OR" sequence }                   OR splits the question or group that contains it
//! sequence = { ["-"] part }
//! part     = words | '"' text '"' | filter | group { "vs" group }
//! group    = "(" question ")"
//! filter   = key sign value { "," value } | key ":" group     sign is one of : = < <= > >=
//! value    = text without spaces | '"' text '"'
//! ```

use std::ops::{Bound, Range};

use super::error::{GrammarError, Result};

/// Maximum nesting depth of groups.
const DEEPEST: usize = 32;

/// Alternatives (OR), each a sequence of parts that must all hold (AND).
pub type Alternatives<'q> = Vec<Vec<Part<'q>>>;

/// A part of a question.
#[derive(Debug, Clone, PartialEq)]
pub struct Part<'q> {
    /// Whether a hyphen in front of it negates it.
    pub negated: bool,
    /// Its byte range, including the hyphen.
    pub place: Range<usize>,
    /// The kind of part, with its content.
    pub kind: PartKind<'q>,
}

/// The kind of a part, with its content.
#[derive(Debug, Clone, PartialEq)]
pub enum PartKind<'q> {
    /// A run of plain words; a single word if a hyphen precedes it.
    Words,
    /// Quoted words, taken literally.
    Quoted(&'q str),
    /// An explicit filter.
    Filter(FilterPart<'q>),
    /// Alternatives in brackets.
    Group(Alternatives<'q>),
    /// `vs` between two groups.
    Versus,
    /// `OR`, the first part of the alternative that follows it.
    Or,
}

/// `key sign values`.
#[derive(Debug, Clone, PartialEq)]
pub struct FilterPart<'q> {
    /// The key as typed.
    pub key: &'q str,
    /// The byte range of the key.
    pub key_place: Range<usize>,
    /// The operator between key and values.
    pub sign: Sign,
    /// The values with their byte ranges, which include quotes; empty if the value is a group.
    pub values: Vec<(&'q str, Range<usize>)>,
    /// The group after the key: `faster-than:(device:tesla-v100)`.
    pub group: Option<Alternatives<'q>>,
}

/// The operator between the key and the value of a filter.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Sign {
    /// `:` or `=`.
    Is,
    /// `<`.
    Less,
    /// `<=`.
    AtMost,
    /// `>`.
    More,
    /// `>=`.
    AtLeast,
}

impl Sign {
    /// The operators as typed, longest first.
    pub const TYPED: [(&'static str, Self); 6] = [
        ("<=", Self::AtMost),
        (">=", Self::AtLeast),
        ("<", Self::Less),
        (">", Self::More),
        ("=", Self::Is),
        (":", Self::Is),
    ];

    /// Parses an operator.
    pub fn of(typed: &str) -> Option<Self> {
        Self::TYPED.iter().find(|(known, _)| *known == typed).map(|(_, sign)| *sign)
    }

    /// The operator in the opposite direction: for inverse quantities, and for ranks listed best first.
    pub fn mirrored(self) -> Self {
        match self {
            Self::Is => Self::Is,
            Self::Less => Self::More,
            Self::AtMost => Self::AtLeast,
            Self::More => Self::Less,
            Self::AtLeast => Self::AtMost,
        }
    }

    /// The bounds that the operator sets in front of `value`.
    pub fn bounds(self, value: f64) -> (Bound<f64>, Bound<f64>) {
        match self {
            Self::Is => (Bound::Included(value), Bound::Included(value)),
            Self::Less => (Bound::Unbounded, Bound::Excluded(value)),
            Self::AtMost => (Bound::Unbounded, Bound::Included(value)),
            Self::More => (Bound::Excluded(value), Bound::Unbounded),
            Self::AtLeast => (Bound::Included(value), Bound::Unbounded),
        }
    }

    /// The indexes that the operator allows in front of `rank`, out of `count` ranks in ascending order.
    pub fn ranks(self, rank: usize, count: usize) -> Range<usize> {
        match self {
            Self::Is => rank..rank + 1,
            Self::Less => 0..rank,
            Self::AtMost => 0..rank + 1,
            Self::More => rank + 1..count,
            Self::AtLeast => rank..count,
        }
    }

    /// The operator as written in a filter.
    pub fn typed(self) -> &'static str {
        Self::TYPED.iter().rfind(|(_, sign)| *sign == self).map_or(":", |(typed, _)| typed)
    }
}

/// Parses a question. Text in the form of a filter is one if `is_filter` accepts it, otherwise it is plain words.
///
/// # Errors
///
/// Returns a mistake in the explicit language with its place, or the error of `is_filter`.
pub fn read<'q>(question: &'q str, is_filter: &dyn Fn(&FilterPart<'q>) -> Result<bool>) -> Result<Alternatives<'q>> {
    let mut parser = Parser { text: question, at: 0, is_filter };
    let mut alternatives = parser.alternatives(0)?;
    // If there are only plain words, OR links just the words next to it: `coral mobilenet OR efficientnet`.
    let is_word = |part: &Part<'_>| matches!(part.kind, PartKind::Words | PartKind::Or);
    if alternatives.iter().flatten().all(is_word) {
        let words = |part: Part<'q>| Part { kind: PartKind::Words, ..part };
        alternatives = vec![alternatives.into_iter().flatten().map(words).collect()];
    }
    if parser.at < question.len() {
        return Err(error(parser.at..parser.at + 1, "a bracket is closed that was never opened", "remove it").into());
    }
    Ok(alternatives)
}

struct Parser<'q, 'f> {
    text: &'q str,
    at: usize,
    is_filter: &'f dyn Fn(&FilterPart<'q>) -> Result<bool>,
}

impl<'q> Parser<'q, '_> {
    fn alternatives(&mut self, depth: usize) -> Result<Alternatives<'q>> {
        let mut alternatives = vec![Vec::new()];
        loop {
            self.skip_blanks();
            if self.rest().is_empty() || self.rest().starts_with(')') {
                return Ok(alternatives);
            }
            if let Some(place) = self.keyword_or() {
                let is_or = |part: &Part<'_>| matches!(part.kind, PartKind::Or);
                let is_first = alternatives.last().is_some_and(|before| before.iter().all(is_or));
                self.skip_blanks();
                if is_first || self.rest().is_empty() || self.rest().starts_with(')') {
                    return Err(error(place, "OR stands between two alternatives", "one of them is missing").into());
                }
                alternatives.push(vec![Part { negated: false, place, kind: PartKind::Or }]);
                continue;
            }
            if let Some(sequence) = alternatives.last_mut() {
                self.part(depth, sequence)?;
            }
        }
    }

    /// Adds the next part; plain words are appended to the run before them.
    fn part(&mut self, depth: usize, sequence: &mut Vec<Part<'q>>) -> Result<()> {
        let start = self.at;
        if let Some(place) = self.keyword_vs(sequence.last()) {
            sequence.push(Part { negated: false, place, kind: PartKind::Versus });
            return Ok(());
        }
        let negated = self
            .rest()
            .strip_prefix('-')
            .is_some_and(|rest| !rest.is_empty() && !rest.starts_with(char::is_whitespace));
        if negated {
            self.at += 1;
        }
        let kind = match self.rest().chars().next() {
            Some('(') => PartKind::Group(self.group(depth)?),
            Some('"') => PartKind::Quoted(self.quoted()?.0),
            _ => match self.filter(depth)? {
                Some(filter) => PartKind::Filter(filter),
                None => {
                    let is_word = self.text[start + usize::from(negated)..].starts_with(char::is_alphanumeric);
                    self.at = start;
                    self.plain(negated && is_word, sequence);
                    return Ok(());
                }
            },
        };
        sequence.push(Part { negated, place: start..self.at, kind });
        Ok(())
    }

    fn group(&mut self, depth: usize) -> Result<Alternatives<'q>> {
        let open = self.at;
        if depth >= DEEPEST {
            return Err(error(open..open + 1, "the brackets are too deep", format!("{DEEPEST} is the limit")).into());
        }
        self.at += 1;
        let inner = self.alternatives(depth + 1)?;
        if !self.rest().starts_with(')') {
            return Err(error(open..open + 1, "this bracket is never closed", "add ) after the group").into());
        }
        self.at += 1;
        Ok(inner)
    }

    /// Adds the words up to the next space, bracket or quote.
    fn plain(&mut self, negated: bool, sequence: &mut Vec<Part<'q>>) {
        let start = self.at;
        self.take_while(|c| c != '"');
        match sequence.last_mut() {
            Some(Part { kind: PartKind::Words, negated: false, place }) if !negated => place.end = self.at,
            _ => sequence.push(Part { negated, place: start..self.at, kind: PartKind::Words }),
        }
    }

    /// Parses a filter here. `None` means plain words; the caller then resets the position.
    fn filter(&mut self, depth: usize) -> Result<Option<FilterPart<'q>>> {
        let key = self.take_while(|c| !matches!(c, ':' | '<' | '>' | '=' | '"'));
        let key_place = self.at - key.len()..self.at;
        let is_key = key.starts_with(|c: char| c.is_ascii_alphabetic())
            && key.chars().all(|c| c.is_ascii_alphanumeric() || c == '-' || c == '_');
        let rest = self.rest();
        let sign = Sign::TYPED.iter().find_map(|(typed, sign)| Some((*typed, *sign, rest.strip_prefix(typed)?)));
        let Some((typed, sign, behind)) = sign.filter(|_| is_key) else { return Ok(None) };
        // A URL is a plain word, and `stage: train` (with a space) is prose.
        let is_prose = behind.starts_with(char::is_whitespace) && !behind.trim().is_empty();
        if is_prose || behind.starts_with("//") || behind.starts_with(['=', '>', '<']) && typed != ":" {
            return Ok(None);
        }
        self.at += typed.len();
        let mut filter = FilterPart { key, key_place: key_place.clone(), sign, values: Vec::new(), group: None };
        if sign == Sign::Is && behind.starts_with('(') {
            if (self.is_filter)(&filter)? {
                filter.group = Some(self.group(depth)?);
                return Ok(Some(filter));
            }
            return Ok(None);
        }
        loop {
            let from = self.at;
            let value = if self.rest().starts_with('"') {
                self.quoted()?
            } else {
                (self.take_while(|c| c != ',' && c != '"'), from..self.at)
            };
            if value.0.is_empty() {
                // A comma followed by a space belongs to the sentence and ends the filter.
                if !filter.values.is_empty() && self.rest().chars().next().is_none_or(char::is_whitespace) {
                    self.at = from - 1;
                    break;
                }
                if !(self.is_filter)(&filter)? {
                    return Ok(None);
                }
                let mistake = format!("the filter `{key}` has no value");
                return Err(
                    error(key_place.start..self.at, mistake, format!("write {key}{typed}… without a blank")).into()
                );
            }
            filter.values.push(value);
            if !self.rest().starts_with(',') {
                break;
            }
            self.at += 1;
        }
        Ok((self.is_filter)(&filter)?.then_some(filter))
    }

    fn quoted(&mut self) -> Result<(&'q str, Range<usize>), GrammarError> {
        let open = self.at;
        let inner = &self.text[open + 1..];
        let Some(length) = inner.find('"') else {
            return Err(error(open..open + 1, "this quote is never closed", "add \" after the phrase"));
        };
        if inner[..length].trim().is_empty() {
            return Err(error(open..open + length + 2, "the phrase is empty", "write words between the quotes"));
        }
        self.at = open + length + 2;
        Ok((&inner[..length], open..self.at))
    }

    fn keyword_or(&mut self) -> Option<Range<usize>> {
        let rest = self.rest();
        let after = rest.strip_prefix("OR").or_else(|| rest.strip_prefix('|'))?;
        let is_word = after.is_empty() || after.starts_with(|c: char| c.is_whitespace() || c == '(');
        is_word.then(|| self.take(rest.len() - after.len()))
    }

    /// Takes a `vs` between two groups.
    fn keyword_vs(&mut self, before: Option<&Part<'q>>) -> Option<Range<usize>> {
        let is_behind = matches!(before, Some(Part { negated: false, kind: PartKind::Group(_), .. }));
        let rest = self.rest();
        let word = rest.get(..2).filter(|word| is_behind && word.eq_ignore_ascii_case("vs"))?;
        rest[word.len()..].trim_start_matches('.').trim_start().starts_with('(').then(|| {
            let dot = usize::from(rest[word.len()..].starts_with('.'));
            self.take(word.len() + dot)
        })
    }

    fn take(&mut self, length: usize) -> Range<usize> {
        self.at += length;
        self.at - length..self.at
    }

    /// Takes characters up to a space, a bracket or the first one that `wanted` rejects.
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
}

/// Builds an error for a place in the question.
pub(super) fn error(place: Range<usize>, message: impl Into<String>, label: impl Into<String>) -> GrammarError {
    GrammarError { message: message.into(), span: place, label: label.into(), help: None }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::ask::parse::QueryError;
    use proptest::prelude::*;

    fn parse(question: &str) -> Result<Alternatives<'_>, GrammarError> {
        read(question, &|filter| Ok(filter.key != "word")).map_err(|error| match error {
            QueryError::Grammar(error) => error,
            other => panic!("{other}"),
        })
    }

    fn shown(question: &str) -> String {
        let show = |part: &Part<'_>| {
            let kind = match &part.kind {
                PartKind::Words => question[part.place.clone()].to_owned(),
                PartKind::Quoted(text) => format!("{text:?}"),
                PartKind::Filter(filter) => {
                    let values: Vec<_> = filter.values.iter().map(|(value, _)| *value).collect();
                    format!("{} {} {}", filter.key, filter.sign.typed(), values.join("; "))
                }
                PartKind::Group(inner) => format!("{} groups", inner.len()),
                PartKind::Versus => "versus".to_owned(),
                PartKind::Or => return String::new(),
            };
            format!("{}[{kind}]", if part.negated { "-" } else { "" })
        };
        let alternatives = parse(question).unwrap();
        let sequences = alternatives.iter().map(|sequence| sequence.iter().map(show).collect::<Vec<_>>().join(" "));
        sequences.collect::<Vec<_>>().join(" OR ")
    }

    #[test]
    fn words_phrases_and_filters_are_distinguished() {
        for (question, expected) in [
            ("fp16 on \"exact phrase\" batch>=32 now", "[fp16 on] [\"exact phrase\"] [batch >= 32] [now]"),
            ("-device:v100,t4 -(a OR b) -tf", "-[device : v100; t4] -[2 groups] -[-tf]"),
            ("(a) vs (b) vs. (c) vs d", "[1 groups] [versus] [1 groups] [versus] [1 groups] [vs d]"),
            ("word:x https://x.y/z stage: train", "[word:x https://x.y/z stage: train]"),
            ("a OR b c | d", "[a] [OR] [b c] [|] [d]"),
            ("a OR (b c) | d", "[a] OR  [1 groups] OR  [d]"),
            ("batch >= 32 batch> 3 a==b", "[batch >= 32 batch> 3 a==b]"),
            ("device:v100, resnet", "[device : v100] [, resnet]"),
            ("text:\"two words\",x", "[text : two words; x]"),
            ("5:3 ORDER", "[5:3 ORDER]"),
        ] {
            assert_eq!(shown(question), expected, "{question}");
        }
    }

    #[test]
    fn mistakes_have_a_place() {
        for (question, place) in
            [("a (b", 2..3), ("a) b", 1..2), ("\"a", 0..1), ("a OR", 2..4), ("stage:", 0..6), ("a batch>", 2..8)]
        {
            assert_eq!(parse(question).unwrap_err().span, place, "{question}");
        }
        assert!(parse(&"(".repeat(100_000)).is_err());
    }

    proptest! {
        #[test]
        fn parts_tile_the_question_and_errors_point_into_it(question in "[a:\"()<>=, |OvsR\\-.é]{0,40}") {
            match parse(&question) {
                Ok(alternatives) => for sequence in alternatives {
                    for pair in sequence.windows(2) {
                        prop_assert!(pair[0].place.end <= pair[1].place.start);
                        prop_assert!(question[pair[0].place.end..pair[1].place.start].trim().is_empty());
                    }
                },
                Err(error) => prop_assert!(question.get(error.span).is_some()),
            }
        }
    }
}
