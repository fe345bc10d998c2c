//! The explicit language: filters, groups, alternatives, negation, quotes, sides; what is none of it is runs of plain words.
//!
//! ```text
//! question = sequence { "OR" sequence }                   OR divides the whole question or group it is in
//! sequence = { ["-"] part }
//! part     = words | '"' text '"' | filter | group { "vs" group }
//! group    = "(" question ")"
//! filter   = key sign value { "," value } | key ":" group     sign is one of : = < <= > >=
//! value    = text without blanks | '"' text '"'
//! ```

use std::ops::{Bound, Range};

use super::error::{GrammarError, Result};

/// Groups may not lie deeper in each other than this.
const DEEPEST: usize = 32;

/// Any of these, each a sequence of parts that all hold.
pub type Alternatives<'q> = Vec<Vec<Part<'q>>>;

/// A part of a question.
#[derive(Debug, Clone, PartialEq)]
pub struct Part<'q> {
    /// Whether a hyphen is in front of it.
    pub negated: bool,
    /// The bytes that are its own, the hyphen among them.
    pub place: Range<usize>,
    /// What it is.
    pub kind: PartKind<'q>,
}

/// What a part of a question is.
#[derive(Debug, Clone, PartialEq)]
pub enum PartKind<'q> {
    /// A run of plain words; one where a hyphen is in front.
    Words,
    /// Words in quotes, meant as they are.
    Quoted(&'q str),
    /// An explicit filter.
    Filter(FilterPart<'q>),
    /// Alternatives in brackets.
    Group(Alternatives<'q>),
    /// `vs` between two groups.
    Versus,
    /// `OR`, in front of the alternative behind it.
    Or,
}

/// `key sign values`.
#[derive(Debug, Clone, PartialEq)]
pub struct FilterPart<'q> {
    /// As it was typed.
    pub key: &'q str,
    /// Where the key is.
    pub key_place: Range<usize>,
    /// What is between key and values.
    pub sign: Sign,
    /// The values and where they are, those in quotes with their quotes; empty where a group is the value.
    pub values: Vec<(&'q str, Range<usize>)>,
    /// The group behind the key: `faster-than:(device:tesla-v100)`.
    pub group: Option<Alternatives<'q>>,
}

/// What is between the key and the value of a filter.
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
    /// The signs as they are typed, the longest first.
    pub const TYPED: [(&'static str, Self); 6] = [
        ("<=", Self::AtMost),
        (">=", Self::AtLeast),
        ("<", Self::Less),
        (">", Self::More),
        ("=", Self::Is),
        (":", Self::Is),
    ];

    /// The one that is typed so.
    pub fn of(typed: &str) -> Option<Self> {
        Self::TYPED.iter().find(|(known, _)| *known == typed).map(|(_, sign)| *sign)
    }

    /// What it is where the smaller is the larger: of an inverse, of ranks that begin with the best.
    pub fn mirrored(self) -> Self {
        match self {
            Self::Is => Self::Is,
            Self::Less => Self::More,
            Self::AtMost => Self::AtLeast,
            Self::More => Self::Less,
            Self::AtLeast => Self::AtMost,
        }
    }

    /// The numbers that it allows in front of one.
    pub fn bounds(self, value: f64) -> (Bound<f64>, Bound<f64>) {
        match self {
            Self::Is => (Bound::Included(value), Bound::Included(value)),
            Self::Less => (Bound::Unbounded, Bound::Excluded(value)),
            Self::AtMost => (Bound::Unbounded, Bound::Included(value)),
            Self::More => (Bound::Excluded(value), Bound::Unbounded),
            Self::AtLeast => (Bound::Included(value), Bound::Unbounded),
        }
    }

    /// Which of some ranks, the lowest first, it allows in front of one.
    pub fn ranks(self, rank: usize, count: usize) -> Range<usize> {
        match self {
            Self::Is => rank..rank + 1,
            Self::Less => 0..rank,
            Self::AtMost => 0..rank + 1,
            Self::More => rank + 1..count,
            Self::AtLeast => rank..count,
        }
    }

    /// How a filter writes it.
    pub fn typed(self) -> &'static str {
        Self::TYPED.iter().rfind(|(_, sign)| *sign == self).map_or(":", |(typed, _)| typed)
    }
}

/// Reads a question; what has the form of a filter is one where `is_filter` agrees, else it is plain words.
///
/// # Errors
///
/// A mistake in the explicit language, with its place, and what `is_filter` fails with.
pub fn read<'q>(question: &'q str, is_filter: &dyn Fn(&FilterPart<'q>) -> Result<bool>) -> Result<Alternatives<'q>> {
    let mut parser = Parser { text: question, at: 0, is_filter };
    let mut alternatives = parser.alternatives(0)?;
    // Between words alone it links what is beside it: `coral mobilenet OR efficientnet`.
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

    /// Adds the next part; words join the run before them.
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

    /// Adds the words up to the next blank, bracket or quote.
    fn plain(&mut self, negated: bool, sequence: &mut Vec<Part<'q>>) {
        let start = self.at;
        self.take_while(|c| c != '"');
        match sequence.last_mut() {
            Some(Part { kind: PartKind::Words, negated: false, place }) if !negated => place.end = self.at,
            _ => sequence.push(Part { negated, place: start..self.at, kind: PartKind::Words }),
        }
    }

    /// The filter here; `None` where there are words, and then nothing was taken that is not given back.
    fn filter(&mut self, depth: usize) -> Result<Option<FilterPart<'q>>> {
        let key = self.take_while(|c| !matches!(c, ':' | '<' | '>' | '=' | '"'));
        let key_place = self.at - key.len()..self.at;
        let is_key = key.starts_with(|c: char| c.is_ascii_alphabetic())
            && key.chars().all(|c| c.is_ascii_alphanumeric() || c == '-' || c == '_');
        let rest = self.rest();
        let sign = Sign::TYPED.iter().find_map(|(typed, sign)| Some((*typed, *sign, rest.strip_prefix(typed)?)));
        let Some((typed, sign, behind)) = sign.filter(|_| is_key) else { return Ok(None) };
        // An address is a word, and `stage: train` says in words what it means.
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
                // The comma of a sentence ends the filter in front of it.
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

    /// `vs` behind a group and in front of another.
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
}

/// A mistake with its place.
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
