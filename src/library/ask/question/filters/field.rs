//! Filters by what a row says in words: `cuda:9`, `cudnn>=7.1`, `date:2018..2019-06`, `label:*nhwc*`, `evidence>=b`.

use super::mistakes::unknown_value;
use crate::ask::question::clause::Clause;
use crate::ask::question::error::QueryError;
use crate::ask::question::grammar::{Filter, Operator};
use crate::ask::question::interpreter::Interpreter;
use crate::model::{Aspect, Field, Part};
use crate::stores::index::Condition;
use crate::values::spelling::normalise;
use crate::values::text::nearest;

impl<'q> Interpreter<'q> {
    pub(in crate::ask::question) fn field_filter(
        &mut self,
        field: Field,
        filter: &Filter<'q>,
    ) -> Result<Clause, QueryError> {
        let mut condition = Vec::new();
        for (text, span) in &filter.values {
            let ranked = field.ranks().and_then(|ranks| between_ranks(ranks, filter.operator, text));
            let (found, others) = match (field.ranks(), ranked) {
                (Some(ranks), None) => {
                    let known: Vec<String> = ranks.iter().map(|rank| format!("`{rank}`")).collect();
                    return Err(unknown_value(field.key(), text, span.clone(), &known).into());
                }
                (_, Some(wanted)) => self.with_value(field, |value| wanted.contains(&value))?,
                (None, None) => self.with_value(field, |value| passes(filter.operator, text, value))?,
            };
            let is_value = filter.operator == Operator::Is && !text.contains("..") && ranked.is_none();
            if found == Condition::Any(Vec::new()) && is_value {
                let near = nearest(text, others.iter().map(String::as_str), 3);
                let near: Vec<String> = near.iter().map(|near| format!("`{near}`")).collect();
                return Err(unknown_value(field.key(), text, span.clone(), &near).into());
            }
            condition.push(found);
        }
        let text = self.span_text(filter);
        let value = text[filter.key.len()..].to_owned();
        let equivalent = format!("{}{value}", field.key());
        Ok(Clause::of(&text, field.key(), vec![value], equivalent, Condition::Any(condition)))
    }

    /// What the rows have whose field passes, and the values that do not.
    pub(in crate::ask::question) fn with_value(
        &self,
        field: Field,
        passes: impl Fn(&str) -> bool,
    ) -> Result<(Condition, Vec<String>), QueryError> {
        let Some(part) = field.part() else { return self.with_remark(passes) };
        let column = self.stores.database.aspect(Aspect::Field(field))?;
        let others = column.values().filter(|value| !passes(value)).map(str::to_owned).collect();
        Ok((any_share(part, column.shares_with(&passes)), others))
    }

    /// The same of labels and notes.
    fn with_remark(&self, passes: impl Fn(&str) -> bool) -> Result<(Condition, Vec<String>), QueryError> {
        let mut numbers = Vec::new();
        let mut others = Vec::new();
        self.stores.database.visit_remarks(|number, value| {
            if passes(value) {
                numbers.push(number);
            } else {
                others.push(value.to_owned());
            }
        })?;
        let found = if numbers.is_empty() { Condition::Any(Vec::new()) } else { Condition::Remarks(numbers) };
        Ok((found, others))
    }
}

/// The ranks, the best first, that a filter asks for: one, a range of them in either direction, or all that are as good as one
/// (`>=b`), as bad as one (`<=b`) and the like. `None` where it names something else.
fn between_ranks(ranks: &'static [&'static str], operator: Operator, asked: &str) -> Option<&'static [&'static str]> {
    let last = ranks.len().checked_sub(1)?;
    let place = |text: &str| ranks.iter().position(|rank| rank.eq_ignore_ascii_case(text.trim()));
    let (from, to) = match (operator, asked.split_once("..")) {
        (Operator::Is, Some((low, high))) => {
            let end = |text: &str, open: usize| if text.is_empty() { Some(open) } else { place(text) };
            // An open end is the best in front and the worst behind.
            let (low, high) = (end(low, 0)?, end(high, last)?);
            (low.min(high), low.max(high) + 1)
        }
        (_, Some(_)) => return None,
        (operator, None) => {
            let place = place(asked)?;
            match operator {
                Operator::Is => (place, place + 1),
                Operator::GreaterOrEqual => (0, place + 1),
                Operator::Greater => (0, place),
                Operator::LessOrEqual => (place, last + 1),
                Operator::Less => (place + 1, last + 1),
            }
        }
    };
    ranks.get(from..to)
}

fn any_share(part: Part, shares: Vec<u32>) -> Condition {
    if shares.is_empty() { Condition::Any(Vec::new()) } else { Condition::Shares(part, shares) }
}

/// Whether a value is what a filter asks for: the same word, the beginning of a version or a date, a pattern with `*`,
/// or within a range of versions or dates.
pub(in crate::ask::question) fn passes(operator: Operator, asked: &str, value: &str) -> bool {
    use std::cmp::Ordering::{Equal, Greater, Less};
    if operator != Operator::Is {
        let Some(order) = order(value, asked) else { return false };
        return match operator {
            Operator::Less => order == Less,
            Operator::LessOrEqual => order != Greater,
            Operator::Greater => order == Greater,
            Operator::GreaterOrEqual | Operator::Is => order != Less,
        };
    }
    if let Some((low, high)) = asked.split_once("..") {
        let above = low.is_empty() || matches!(order(value, low), Some(Equal | Greater));
        let below = high.is_empty() || matches!(order(value, high), Some(Equal | Less));
        return above && below;
    }
    if asked.contains('*') {
        return glob(&asked.to_lowercase(), &value.to_lowercase());
    }
    normalise(asked) == normalise(value) || order(value, asked) == Some(Equal)
}

/// Whether a version begins with the one that was asked for: 9.0.176 is a 9.0.
pub(in crate::ask::question) fn is_version_of(asked: &str, value: &str) -> bool {
    order(value, asked) == Some(std::cmp::Ordering::Equal)
}

/// How two versions or dates compare, as far as the asked one goes: 9.0.176 equals 9. `None` when one is neither.
fn order(value: &str, asked: &str) -> Option<std::cmp::Ordering> {
    let numbers = |text: &str| -> Option<Vec<u64>> {
        text.strip_prefix('v').unwrap_or(text).split(['.', '-', '/']).map(|part| part.parse().ok()).collect()
    };
    let asked = numbers(asked)?;
    let mut value = leading_numbers(value)?;
    value.truncate(asked.len());
    Some(value.cmp(&asked))
}

/// The numbers that a version begins with: 1.12 of `1.12.0rc1` are 1, 12, 0.
fn leading_numbers(text: &str) -> Option<Vec<u64>> {
    let mut numbers = Vec::new();
    for part in text.strip_prefix('v').unwrap_or(text).split(['.', '-', '/', '+', ' ']) {
        let digits = part.find(|c: char| !c.is_ascii_digit()).unwrap_or(part.len());
        match part[..digits].parse() {
            Ok(number) => numbers.push(number),
            Err(_) => break,
        }
        if digits < part.len() {
            break;
        }
    }
    (!numbers.is_empty()).then_some(numbers)
}

/// Whether a text matches a pattern in which `*` stands for any run of characters.
fn glob(pattern: &str, text: &str) -> bool {
    let mut parts = pattern.split('*');
    let Some(rest) = text.strip_prefix(parts.next().unwrap_or_default()) else { return false };
    let mut rest = rest;
    let mut last = "";
    let mut any_star = false;
    for part in parts {
        any_star = true;
        last = part;
        match rest.find(part) {
            Some(at) => rest = &rest[at + part.len()..],
            None => return false,
        }
    }
    if !any_star {
        return rest.is_empty();
    }
    last.is_empty() || text.ends_with(last) && text.len() >= pattern.len() - pattern.matches('*').count()
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn a_version_is_met_by_its_beginning() {
        for (operator, asked, value, expected) in [
            (Operator::Is, "9", "9.0.176", true),
            (Operator::Is, "9.0", "9.0.176", true),
            (Operator::Is, "9", "90", false),
            (Operator::Is, "1.12", "1.12.0rc1", true),
            (Operator::Is, "1.1", "1.12", false),
            (Operator::GreaterOrEqual, "10", "9.2", false),
            (Operator::GreaterOrEqual, "10", "10.1", true),
            (Operator::Less, "10", "9.2", true),
            (Operator::Is, "2018..2019-06", "2019-06-15", true),
            (Operator::Is, "2018..", "2017-12", false),
            (Operator::Is, "NHWC", "nhwc", true),
            (Operator::Is, "*flow*", "TensorFlow 1", true),
            (Operator::Is, "*flow", "TensorFlow 1", false),
            (Operator::Is, "11.0", "1111", false),
        ] {
            assert_eq!(passes(operator, asked, value), expected, "{asked} {value}");
        }
    }

    #[test]
    fn a_better_rank_is_more() {
        const RANKS: &[&str] = &["a", "b", "c", "d"];
        for (operator, asked, expected) in [
            (Operator::Is, "b", Some(&RANKS[1..2])),
            (Operator::Is, "B", Some(&RANKS[1..2])),
            (Operator::Is, "a..c", Some(&RANKS[..3])),
            (Operator::Is, "c..a", Some(&RANKS[..3])),
            (Operator::Is, "..b", Some(&RANKS[..2])),
            (Operator::Is, "c..", Some(&RANKS[2..])),
            (Operator::GreaterOrEqual, "b", Some(&RANKS[..2])),
            (Operator::Greater, "a", Some(&RANKS[..0])),
            (Operator::LessOrEqual, "c", Some(&RANKS[2..])),
            (Operator::Less, "d", Some(&RANKS[4..])),
            (Operator::Is, "e", None),
            (Operator::Less, "a..b", None),
        ] {
            assert_eq!(between_ranks(RANKS, operator, asked), expected, "{operator:?} {asked}");
        }
    }

    proptest! {
        #[test]
        fn a_pattern_of_stars_matches_everything(text in "\\PC{0,12}") {
            prop_assert!(glob("*", &text));
            prop_assert!(glob(&text.replace('*', ""), &text.replace('*', "")));
        }

        #[test]
        fn no_pattern_panics(pattern in "[*aé]{0,6}", text in "[aé]{0,6}") {
            let _ = glob(&pattern, &text);
        }
    }
}
