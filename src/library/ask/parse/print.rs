//! Prints a question in the explicit language: `parse(print(question))` is the same question, except for its spans.

use std::ops::Bound;

use serde_json::{Value, json};

use super::number;
use super::question::{Beyond, Filter, Is, Key, Order, Quantity, Question, Reach, Term, Test};
use crate::model::{Aspect, Facet};

/// The canonical text of a question.
pub fn print(question: &Question) -> String {
    let sides: Vec<String> = question.sides.iter().map(|side| format!("({})", filter(side))).collect();
    let sides = (!sides.is_empty()).then(|| sides.join(" vs "));
    let subject = (!question.subject.terms.is_empty()).then(|| filter(&question.subject));
    let text = |value: &Value| value.as_str().map_or_else(|| value.to_string(), str::to_owned);
    let directives = directives(question).into_iter().map(|(key, value)| match value {
        Value::Array(values) => format!("{key}:{}", values.iter().map(text).collect::<Vec<_>>().join(",")),
        value => format!("{key}:{}", text(&value)),
    });
    sides.into_iter().chain(subject).chain(directives).collect::<Vec<_>>().join(" ")
}

/// What a question has besides its filters: the keys of directives with their values, in canonical order.
pub(super) fn directives(question: &Question) -> Vec<(&'static str, Value)> {
    let wants: Vec<String> = question.wants.iter().map(Quantity::key).collect();
    let order = |Order { end, by }: &Order| (end.into(), json!(by.key()));
    let beyond = |Beyond { than, better }: &Beyond| {
        (if *better { "faster-than" } else { "slower-than" }, json!(format!("({})", filter(than))))
    };
    let sort = |(by, falls): (Aspect, bool)| json!(format!("{}{}", if falls { "-" } else { "" }, by.key()));
    let directives = [
        question.of.as_ref().map(|of| ("of", json!(of.key()))),
        (!wants.is_empty()).then(|| ("show", json!(wants))),
        question.order.as_ref().map(order),
        question.along.map(|along| ("along", json!(along.key()))),
        question.lines.as_ref().map(|lines| ("lines", json!(lines.key()))),
        question.beyond.as_ref().map(beyond),
        question.holds.then(|| ("claim", json!("holds"))),
        (question.reach != Reach::default()).then(|| ("reach", json!(question.reach.to_string()))),
        Some(("ask", json!(question.ask.to_string()))),
        question.take.map(|take| ("take", json!(take))),
        question.skip.map(|skip| ("offset", json!(skip))),
        question.sort.map(|order| ("sort", sort(order))),
    ];
    directives.into_iter().flatten().collect()
}

/// A filter in the explicit language, its terms separated by spaces.
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

/// A test in the explicit language.
pub fn test(of: &Test) -> String {
    let key = of.key.key();
    match &of.is {
        Is::Stated => format!("{key}:*"),
        Is::Within(Bound::Included(low), Bound::Unbounded) if of.key == Key::Facet(Facet::Year) => {
            format!("{key}:{low}..")
        }
        Is::Within(low, high) => format!("{key}{}", number::print(*low, *high)),
        Is::OneOf(values) => match values.as_slice() {
            [only] if of.key.has_versions() && only.starts_with(['<', '>']) && !only.contains(needs_quotes) => {
                format!("{key}{only}")
            }
            _ => format!("{key}:{}", values.iter().map(|value| quoted(value)).collect::<Vec<_>>().join(",")),
        },
    }
}

/// The values of numeric alternatives that share one key: `batch-size:8,64`.
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

/// Quotes a value if necessary; a quote within it becomes an apostrophe, since the language has no escapes.
fn quoted(value: &str) -> String {
    match value.is_empty() || value.starts_with(['<', '>']) || value.contains(needs_quotes) {
        true => format!("\"{}\"", value.replace('"', "'")),
        false => value.to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::ask::parse::directive::COMPARED;
    use crate::ask::parse::filter::{GRADES, key_named, unit_of};
    use crate::ask::parse::known::Known;
    use crate::ask::parse::lexicon::GRADED;
    use crate::ask::parse::{Ask, End, from_json, parse, to_json};
    use crate::model::{Derived, Fact, FactType, Field, FieldType, Metric};
    use proptest::prelude::*;
    use proptest::sample::{select, subsequence};
    use strum::VariantArray as _;

    fn keys() -> Vec<Key> {
        let facets = Facet::VARIANTS.iter().copied().map(Key::Facet);
        let facts = Fact::VARIANTS.iter().copied().map(Aspect::Fact);
        let keys = facets.chain(Aspect::all().chain(facts).map(Key::Aspect));
        let keys = keys.chain(GRADED.map(|id| Key::Grade(id.to_owned()))).chain([Key::Rows, Key::Sources, Key::Text]);
        keys.filter(|key| key_named(key.key(), &Known).unwrap().as_ref() == Some(key)).collect()
    }

    fn bounds() -> impl Strategy<Value = Is> {
        (0.0..1e3f64, 0.5..1e6f64).prop_flat_map(|(low, more)| {
            let low = (low * 8.0).round() / 8.0;
            let ends = |value| select(vec![Bound::Included(value), Bound::Excluded(value), Bound::Unbounded]);
            let within = (ends(low), ends(low + more)).prop_map(|ends| match ends {
                (Bound::Unbounded, Bound::Unbounded) => Is::Stated,
                (low, high) => Is::Within(low, high),
            });
            prop_oneof![1 => Just(Is::exactly(low)), 7 => within]
        })
    }

    fn some_of(values: Vec<String>) -> BoxedStrategy<Is> {
        let most = values.len().min(3);
        subsequence(values, 1..=most).prop_map(Is::OneOf).boxed()
    }

    fn is_of(key: &Key) -> BoxedStrategy<Is> {
        let texts =
            ["9.0.176", "nhwc", "two words", "*nhwc*", ">=7.1", "<9", "2018..2019-06", "a,b", "x(y)", "OR", "-1"];
        let free = || some_of(texts.map(str::to_owned).to_vec());
        let owned = |words: &[&str]| some_of(words.iter().map(|word| (*word).to_owned()).collect());
        let of_facet = |facet: Facet| {
            let known: Vec<_> =
                Known::values().into_iter().filter(|(of, _)| *of == facet).map(|(_, value)| value).collect();
            if known.is_empty() { Just(Is::Stated).boxed() } else { some_of(known) }
        };
        match key {
            key if unit_of(key).is_some() => bounds().boxed(),
            Key::Facet(facet) => of_facet(*facet),
            Key::Grade(_) => owned(&GRADES),
            Key::Aspect(Aspect::Field(field)) => match (field.ranks(), field.kind()) {
                (Some(ranks), _) => owned(ranks),
                (_, FieldType::Word(words)) => owned(words),
                (_, FieldType::Entity(kind)) => of_facet(Facet::of_entities(kind)),
                _ => free(),
            },
            Key::Aspect(Aspect::Fact(fact)) => match (fact.value_type(), fact.facet()) {
                (FactType::Entity(kind), _) => of_facet(Facet::of_entities(kind)),
                (_, Some(facet)) => of_facet(facet),
                _ if fact.is_version() => owned(&["8.0", ">=8.6", "<9"]),
                _ => owned(&["sxm2", "two words", "HBM2"]),
            },
            _ => owned(&["half precision", "x", "OR", "-1", ">=2"]),
        }
    }

    fn tests() -> impl Strategy<Value = Term> {
        select(keys()).prop_flat_map(|key| is_of(&key).prop_map(move |is| Term::Test(Test { key: key.clone(), is })))
    }

    fn filters(least: usize) -> BoxedStrategy<Filter> {
        let term = tests().prop_recursive(3, 12, 3, |inner| {
            let filter = || prop::collection::vec(inner.clone(), 1..3).prop_map(Filter::of);
            prop_oneof![filter().prop_map(Term::Not), prop::collection::vec(filter(), 2..4).prop_map(Term::Any),]
        });
        prop::collection::vec(term, least..4).prop_map(Filter::of).boxed()
    }

    fn quantities() -> impl Strategy<Value = Quantity> {
        use Quantity::{Criteria, FrameworkMetric, HardwareMetric, Principles, Rows, Sources, Speed};
        let mut all = vec![Speed, Rows, Sources, Principles, Criteria];
        all.extend(Metric::VARIANTS.iter().copied().map(Quantity::Metric));
        all.extend(Derived::VARIANTS.iter().copied().map(Quantity::Derived));
        all.extend(Fact::VARIANTS.iter().copied().map(Quantity::Fact));
        all.extend([Fact::Tdp, Fact::LaunchPrice].map(|per| Quantity::Ratio(Fact::Bandwidth, per)));
        all.extend(Field::VARIANTS.iter().copied().map(Quantity::Field));
        all.extend(GRADED.map(|id| HardwareMetric(id.to_owned())));
        all.extend(COMPARED.map(|id| FrameworkMetric(id.to_owned())));
        select(all)
    }

    prop_compose! {
        fn questions()(
            subject in filters(0),
            sides in prop_oneof![Just(Vec::new()), prop::collection::vec(filters(0), 2..4)],
            wants in prop::collection::hash_set(quantities(), 0..3),
            of in prop::option::of(select(keys())),
            lines in prop::option::of(select(keys())),
            along in prop::option::of(select(Aspect::all().collect::<Vec<_>>())),
            order in prop::option::of((select(vec![End::Best, End::Worst, End::Most, End::Least]), quantities())),
            beyond in prop::option::of((filters(1), any::<bool>())),
            holds in any::<bool>(),
            reach in select(vec![Reach::Task, Reach::Family, Reach::Network]),
            ask in select(Ask::VARIANTS.to_vec()),
            (take, skip) in (prop::option::of(0..99usize), prop::option::of(0..99usize)),
            sort in prop::option::of((select(Metric::VARIANTS.to_vec()), any::<bool>())),
        ) -> Question {
            let listed = |key: Option<Key>| key.filter(|key| !matches!(key, Key::Rows | Key::Sources | Key::Text));
            Question {
                subject,
                sides,
                wants: wants.into_iter().collect(),
                of: listed(of),
                along,
                lines: listed(lines),
                order: order.map(|(end, by)| Order { end, by }),
                beyond: beyond.map(|(than, better)| Beyond { than, better }),
                holds,
                reach,
                ask,
                take,
                skip,
                sort: sort.map(|(metric, descending)| (Aspect::Metric(metric), descending)),
                spans: Vec::new(),
            }
        }
    }

    proptest! {
        #[test]
        fn what_is_printed_is_read_as_the_same_question(question in questions()) {
            let text = print(&question);
            let read = parse(&text, &Known).map(|read| Question { spans: Vec::new(), ..read });
            prop_assert_eq!(read.map_err(|error| error.to_string()), Ok(question), "{}", text);
        }

        #[test]
        fn json_is_read_as_the_same_question(question in questions()) {
            let json = to_json(&question);
            let read = from_json(&json, &Known).map_err(|error| error.to_string());
            prop_assert_eq!(read, Ok(question), "{}", json);
        }
    }
}
