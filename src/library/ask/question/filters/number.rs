//! Filters by size: `batch>=32`, `latency<1.5s`, `throughput:1k..2k`, `year:2018..`.

use std::ops::{Bound, Range, RangeBounds as _};

use strum::VariantArray;

use super::mistakes::{not_a_number, several_bounds};
use crate::ask::question::clause::Clause;
use crate::ask::question::error::QueryError;
use crate::ask::question::grammar::{Filter, GrammarError, Operator};
use crate::ask::question::interpreter::Interpreter;
use crate::model::{Aspect, Facet, Fact, Field, Lookup as _, Metric};
use crate::stores::index::Condition;
use crate::values::Unit;
use crate::values::spelling::normalise;

/// A range of numbers.
pub(in crate::ask::question) type Bounds = (Bound<f64>, Bound<f64>);

impl<'q> Interpreter<'q> {
    pub(super) fn year(&mut self, filter: &Filter<'q>) -> Result<Clause, QueryError> {
        let mut years: Vec<String> = Vec::new();
        for bounds in all_bounds("year", Unit::Count, filter.operator, &read_values(filter)?)? {
            // Deep learning has been benchmarked for less time than this.
            years.extend(
                (1940..=2200).filter(|year| bounds.contains(&f64::from(*year))).map(|year: i32| year.to_string()),
            );
        }
        let text = self.span_text(filter);
        let values = filter.values.iter().map(|(value, _)| (*value).to_owned()).collect();
        Ok(Clause::of(&text, Facet::Year.key(), values, text.clone(), Condition::Facet(Facet::Year, years)))
    }

    pub(super) fn number_filter(&mut self, number: Aspect, filter: &Filter<'q>) -> Result<Clause, QueryError> {
        let values = read_values(filter)?;
        let mut any = Vec::new();
        for (low, high) in all_bounds(number.key(), unit_of(number), filter.operator, &values)? {
            any.push(match number {
                Aspect::Metric(metric) => Condition::Metric(metric, low, high),
                Aspect::Field(field) => self.within(field, (low, high))?,
                _ => continue,
            });
        }
        let value = self.as_read(filter, &values);
        let equivalent = format!("{}{value}", number.key());
        Ok(Clause::of(&self.span_text(filter), number.key(), vec![value], equivalent, Condition::Any(any)))
    }

    /// What stands behind a filter's key, as it was read: `>1000ms`, and in quotes what has a blank.
    pub(super) fn as_read(&self, filter: &Filter<'_>, values: &[ReadValue]) -> String {
        let first = values.first().map_or(filter.key_span.end, |(_, span)| span.start);
        let shown = values.iter().map(|(text, _)| match text.contains(char::is_whitespace) {
            true => format!("\"{text}\""),
            false => text.clone(),
        });
        format!("{}{}", &self.question[filter.key_span.end..first], shown.collect::<Vec<_>>().join(","))
    }

    /// The unit in which a filter with this key compares, where it is one of numbers.
    pub(super) fn unit_of_key(&self, key: &str) -> Result<Option<Unit>, QueryError> {
        match self.number_key(key)? {
            Some(number) => Ok(Some(unit_of(number))),
            None => Ok(Fact::filter(key).and_then(Fact::unit)),
        }
    }

    /// The measurements with a number within bounds.
    pub(in crate::ask::question) fn within(&self, field: Field, bounds: Bounds) -> Result<Condition, QueryError> {
        let Some(part) = field.part() else { return Ok(Condition::Field(field, bounds.0, bounds.1)) };
        let column = self.stores.database.aspect(Aspect::Field(field))?;
        let within = |value: &str| value.parse().is_ok_and(|number: f64| bounds.contains(&number));
        Ok(Condition::Shares(part, column.shares_with(within)))
    }

    /// The metric or numeric field that a key means.
    pub(super) fn number_key(&self, key: &str) -> Result<Option<Aspect>, QueryError> {
        if let Some(number) = Aspect::keyed(key).filter(|aspect| is_number(*aspect)) {
            return Ok(Some(number));
        }
        let is_called = |aspect: &Aspect| is_number(*aspect) && short_words(*aspect).any(|word| word == key);
        if let Some(number) = Aspect::all().find(is_called) {
            return Ok(Some(number));
        }
        let names = self.stores.database.exact(&normalise(key))?;
        let metric = names.iter().find(|name| name.facet == Facet::Metric);
        Ok(metric.and_then(|name| name.value.parse().ok()).map(Aspect::Metric))
    }
}

/// Whether an aspect is a number that the row has itself.
fn is_number(aspect: Aspect) -> bool {
    matches!(aspect, Aspect::Metric(_) | Aspect::Field(_)) && aspect.is_numeric()
}

/// Everything that can be compared by size.
pub(super) fn names() -> impl Iterator<Item = &'static str> {
    let numbers = || Aspect::all().filter(|aspect| is_number(*aspect));
    let metrics = Metric::VARIANTS.iter().flat_map(|metric| metric.spellings().iter().copied());
    let spellings = metrics.filter(|spelling| !spelling.contains(' '));
    numbers().map(Aspect::key).chain(spellings).chain(numbers().flat_map(short_words))
}

/// Short words for numeric fields; those for metrics are names of the catalog.
fn short_words(aspect: Aspect) -> impl Iterator<Item = &'static str> {
    let field = match aspect {
        Aspect::Field(field) => Some(field),
        _ => None,
    };
    field.into_iter().flat_map(|field| field.spellings().iter().copied())
}

fn unit_of(number: Aspect) -> Unit {
    match number {
        Aspect::Metric(metric) => metric.unit(),
        _ => Unit::Count,
    }
}

/// A value of a filter without the commas between its thousands, and where it stands.
pub(super) type ReadValue = (String, Range<usize>);

/// The values of a filter of numbers: `>1,000` is one number, because a comparison takes one; `:8,64` are two, and `:1,024`
/// is one, because nobody writes a number with a nought in front.
pub(super) fn read_values(filter: &Filter<'_>) -> Result<Vec<ReadValue>, GrammarError> {
    let is_bound = filter.operator != Operator::Is;
    let mut read: Vec<ReadValue> = Vec::new();
    for (text, span) in &filter.values {
        match read.last_mut() {
            // What stands in quotes is a value of its own.
            Some((before, place))
                if place.end + 1 == span.start && span.len() == text.len() && continues(before, text, is_bound) =>
            {
                before.push(',');
                before.push_str(text);
                place.end = span.end;
            }
            _ => read.push(((*text).to_owned(), span.clone())),
        }
    }
    read.iter_mut().for_each(|(text, _)| text.retain(|c| c != ','));
    match read.as_slice() {
        [(_, first), .., (_, last)] if is_bound => Err(several_bounds(filter, first.start..last.end)),
        _ => Ok(read),
    }
}

/// Whether a comma between two texts stands between the thousands of a number.
fn continues(before: &str, after: &str, is_bound: bool) -> bool {
    let head = before.trim_end_matches(|c: char| c.is_ascii_digit());
    let digits = before.len() - head.len();
    let begins = matches!(digits, 1..=3) && (head.is_empty() || head.ends_with("..") || head.ends_with('$'));
    let goes_on = digits == 3 && head.ends_with(',');
    let group = after.bytes().take_while(u8::is_ascii_digit).count();
    (begins || goes_on) && group == 3 && (is_bound || after.starts_with('0'))
}

/// The ranges that a filter's values mean; one of them is to hold.
pub(super) fn all_bounds(
    key: &str,
    unit: Unit,
    operator: Operator,
    values: &[ReadValue],
) -> Result<Vec<Bounds>, GrammarError> {
    let ranges = values.iter().map(|(text, span)| {
        bounds(operator, text, |number| unit.parse(number)).ok_or_else(|| not_a_number(key, text, unit, span.clone()))
    });
    ranges.collect()
}

/// `32`, `8..64`, `8..`, `..64`, or a number after a comparison sign.
pub(super) fn bounds(operator: Operator, text: &str, number: impl Fn(&str) -> Option<f64>) -> Option<Bounds> {
    let value = match operator {
        Operator::Is => {
            if let Some((low, high)) = text.split_once("..") {
                let bound = |text: &str| match text {
                    "" => Some(Bound::Unbounded),
                    text => number(text).map(Bound::Included),
                };
                return match (bound(low)?, bound(high)?) {
                    (Bound::Unbounded, Bound::Unbounded) => None,
                    (Bound::Included(low), Bound::Included(high)) if low > high => None,
                    both => Some(both),
                };
            }
            number(text)?
        }
        _ => number(text)?,
    };
    Some(bounds_of(operator, value))
}

/// What a comparison with a number leaves.
pub(in crate::ask::question) fn bounds_of(operator: Operator, value: f64) -> Bounds {
    match operator {
        Operator::Is => (Bound::Included(value), Bound::Included(value)),
        Operator::Less => (Bound::Unbounded, Bound::Excluded(value)),
        Operator::LessOrEqual => (Bound::Unbounded, Bound::Included(value)),
        Operator::Greater => (Bound::Excluded(value), Bound::Unbounded),
        Operator::GreaterOrEqual => (Bound::Included(value), Bound::Unbounded),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(operator: Operator, text: &str) -> Option<Bounds> {
        bounds(operator, text, |number| Unit::Milliseconds.parse(number))
    }

    #[test]
    fn ranges_take_units_at_both_ends() {
        assert_eq!(read(Operator::Is, "1ms..0.5s"), Some((Bound::Included(1.0), Bound::Included(500.0))));
        assert_eq!(read(Operator::Is, "..20"), Some((Bound::Unbounded, Bound::Included(20.0))));
        assert_eq!(read(Operator::Less, "2s"), Some((Bound::Unbounded, Bound::Excluded(2000.0))));
    }

    #[test]
    fn a_comma_divides_thousands_or_alternatives() {
        let read = |question: &str| {
            let parts = crate::ask::question::grammar::parse(question).unwrap().concat();
            let crate::ask::question::grammar::PartKind::Filter(filter) = &parts[0].kind else { panic!("{question}") };
            read_values(filter).map(|values| values.into_iter().map(|(text, _)| text).collect::<Vec<_>>().join(" | "))
        };
        for (question, values) in [
            ("latency>1,000ms", "1000ms"),
            ("latency<=12,345,678.5", "12345678.5"),
            ("price<$1,500", "$1500"),
            ("batch:1,024", "1024"),
            ("batch:1,024,2,048", "1024 | 2048"),
            ("latency:1,000..2,000ms", "1000..2000ms"),
            ("batch:1,128,256", "1 | 128 | 256"),
            ("batch:8,64", "8 | 64"),
            ("batch:\"1\",\"024\"", "1 | 024"),
        ] {
            assert_eq!(read(question).unwrap(), values, "{question}");
        }
        for question in ["latency>1,5", "batch>=8,64", "latency>0.5,100", "batch<1234,567", "batch>1,0000"] {
            assert!(read(question).is_err(), "{question}");
        }
    }

    #[test]
    fn what_is_no_range_is_refused() {
        for text in ["..", "9..8", "a..b", "", "1..2..3"] {
            assert_eq!(read(Operator::Is, text), None, "{text}");
        }
        assert_eq!(read(Operator::Less, "8..9"), None);
    }
}
