//! A question as explicit language: `parse(print(question))` is the question again, but for its spans.

use super::number;
use super::question::{Beyond, Claim, Filter, Is, Key, Question, Term, Test};
use crate::model::Facet;
use std::ops::Bound;

/// The canonical text of a question.
pub fn print(question: &Question) -> String {
    let mut parts: Vec<String> = Vec::new();
    let sides: Vec<String> = question.sides.iter().map(|side| format!("({})", filter(side))).collect();
    parts.extend((!sides.is_empty()).then(|| sides.join(" vs ")));
    parts.extend((!question.subject.terms.is_empty()).then(|| filter(&question.subject)));
    parts.extend(question.of.iter().map(|of| format!("of:{}", of.key())));
    let wants: Vec<String> = question.wants.iter().map(super::Quantity::key).collect();
    parts.extend((!wants.is_empty()).then(|| format!("show:{}", wants.join(","))));
    parts.extend(question.order.iter().map(|order| format!("{}:{}", order.end, order.by.key())));
    parts.extend(question.along.iter().map(|along| format!("along:{}", along.key())));
    parts.extend(question.lines.iter().map(|lines| format!("lines:{}", lines.key())));
    parts.extend(question.beyond.iter().map(|Beyond { than, better }| {
        format!("{}:({})", if *better { "faster-than" } else { "slower-than" }, filter(than))
    }));
    parts.extend(question.claim.map(|claimed| format!("claim:{}", claim(claimed))));
    parts.push(format!("ask:{}", question.ask));
    parts.extend(question.take.map(|count| format!("take:{count}")));
    parts.extend(question.skip.map(|count| format!("offset:{count}")));
    parts.extend(
        question.sort.map(|(by, descending)| format!("sort:{}{}", if descending { "-" } else { "" }, by.key())),
    );
    parts.join(" ")
}

/// A filter as explicit language, its terms apart from each other by a blank.
pub fn filter(filter: &Filter) -> String {
    filter.terms.iter().map(term).collect::<Vec<_>>().join(" ")
}

fn term(of: &Term) -> String {
    match of {
        Term::Test(of) => test(of),
        Term::Not(of) => match of.terms.as_slice() {
            [only @ (Term::Test(_) | Term::Any(_))] => format!("-{}", term(only)),
            _ => format!("-({})", filter(of)),
        },
        Term::Any(of) => match numbers(of) {
            Some((key, values)) => format!("{}:{}", key.key(), values.join(",")),
            None => format!("({})", of.iter().map(filter).collect::<Vec<_>>().join(" OR ")),
        },
    }
}

/// A test as explicit language.
pub fn test(of: &Test) -> String {
    let key = of.key.key();
    match &of.is {
        Is::Stated => format!("{key}:*"),
        Is::Within(Bound::Included(low), Bound::Unbounded) if of.key == Key::Facet(Facet::Year) => {
            format!("{key}:{low}..")
        }
        Is::Within(low, high) => format!("{key}{}", number::print(*low, *high)),
        Is::OneOf(values) => match values.as_slice() {
            // A bound of versions or dates.
            [only] if only.starts_with(['<', '>']) && !only.contains(needs_quotes) => format!("{key}{only}"),
            _ => format!("{key}:{}", values.iter().map(|value| quoted(value)).collect::<Vec<_>>().join(",")),
        },
    }
}

/// The values of alternatives of one key that are all numbers: `batch-size:8,64`.
pub(super) fn numbers(filters: &[Filter]) -> Option<(&Key, Vec<String>)> {
    let mut key = None;
    let mut values = Vec::new();
    for filter in filters {
        let [Term::Test(Test { key: of, is: Is::Within(low, high) })] = filter.terms.as_slice() else { return None };
        if *key.get_or_insert(of) != of {
            return None;
        }
        values.push(number::alternative(*low, *high));
    }
    key.filter(|_| values.len() > 1).map(|key| (key, values))
}

fn needs_quotes(c: char) -> bool {
    c.is_whitespace() || matches!(c, ',' | '(' | ')' | '"')
}

/// A value, in quotes where it would end too early; a quote within it is an apostrophe, since the language has no other.
fn quoted(value: &str) -> String {
    match value.is_empty() || value.contains(needs_quotes) {
        true => format!("\"{}\"", value.replace('"', "'")),
        false => value.to_owned(),
    }
}

/// A claim as the value of `claim:`.
pub(super) fn claim(claim: Claim) -> String {
    let times = |factor: Option<f64>| factor.map_or_else(String::new, |factor| format!("*{factor}"));
    match claim {
        Claim::Better(factor) => format!("better{}", times(factor)),
        Claim::Worse(factor) => format!("worse{}", times(factor)),
        Claim::Holds => "holds".to_owned(),
        Claim::Comparable => "comparable".to_owned(),
    }
}
