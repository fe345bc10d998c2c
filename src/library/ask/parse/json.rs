//! A question as JSON, for the API, assistants and Python: `{"where": {"device": "a100", "batch-size": ">=32"}, "ask": "lookup"}`.

use serde_json::{Map, Value, json};

use super::directive::{self, Directive};
use super::error::{GrammarError, QueryError, Result};
use super::filter::{Names, did_you_mean, key_named, near_help, term, unknown_key};
use super::grammar::{FilterPart, Sign, error};
use super::print;
use super::question::{Filter, Is, Key, Question, Term};
use super::{ask, number, rules::Pieces};
use crate::model::Lookup;
use crate::stores::database::DatabaseError;

/// The JSON schema of a question.
pub const QUESTION_SCHEMA: &str = include_str!("question.schema.json");

/// The keys of a question; most are those of directives.
const KEYS: [&str; 16] = [
    "where", "not", "any", "sides", "wants", "of", "along", "lines", "order", "beyond", "claim", "reach", "ask",
    "take", "offset", "sort",
];

/// The keys of an order.
const ENDS: [&str; 4] = ["best", "worst", "most", "least"];

/// The keys of `beyond`, which gives the reference of candidates.
const BEYOND: [&str; 2] = ["faster-than", "slower-than"];

/// The canonical JSON of a question.
pub fn to_json(question: &Question) -> Value {
    let mut object = Map::new();
    if !question.subject.terms.is_empty() {
        object.insert("where".to_owned(), filter_json(&question.subject));
    }
    if !question.sides.is_empty() {
        object.insert("sides".to_owned(), question.sides.iter().map(filter_json).collect());
    }
    for (word, value) in print::directives(question) {
        let (key, value) = match (word, &question.beyond) {
            ("show", _) => ("wants", value),
            (word, Some(beyond)) if BEYOND.contains(&word) => ("beyond", json!({ word: filter_json(&beyond.than) })),
            (word, _) if ENDS.contains(&word) => ("order", json!({ word: value })),
            _ => (word, value),
        };
        object.insert(key.to_owned(), value);
    }
    Value::Object(object)
}

/// A filter as JSON: an object of its tests, then `not`, then `any`; an array of objects if that would change order or drop a key.
pub fn filter_json(filter: &Filter) -> Value {
    let mut tests = Map::new();
    let (mut not, mut any) = (Vec::new(), Vec::new());
    for term in &filter.terms {
        let found = match term {
            Term::Not(filter) => {
                not.push(filter_json(filter));
                None
            }
            Term::Any(filters) => match print::numbers(filters) {
                Some((key, values)) => Some((key.key(), values.iter().map(|text| number_json(text)).collect())),
                None => {
                    any.push(Value::Array(filters.iter().map(filter_json).collect()));
                    None
                }
            },
            Term::Test(test) => Some((test.key.key(), is_json(&test.is))),
        };
        let is_in_order = match term {
            Term::Test(_) => not.is_empty() && any.is_empty(),
            Term::Not(_) => any.is_empty(),
            Term::Any(_) => found.is_none() || not.is_empty() && any.is_empty(),
        };
        let is_new = found.is_none_or(|(key, value)| tests.insert(key.to_owned(), value).is_none());
        if !is_in_order || !is_new {
            let alone = |term: &Term| filter_json(&Filter { terms: vec![term.clone()] });
            return Value::Array(filter.terms.iter().map(alone).collect());
        }
    }
    tests.extend((!not.is_empty()).then(|| ("not".to_owned(), Value::Array(not))));
    tests.extend((!any.is_empty()).then(|| ("any".to_owned(), Value::Array(any))));
    Value::Object(tests)
}

fn is_json(is: &Is) -> Value {
    match (is, is.single()) {
        (_, Some(value)) => json!(value),
        (Is::Stated, _) => json!("*"),
        (Is::Within(low, high), _) => json!(number::print(*low, *high).trim_start_matches(':')),
        (Is::OneOf(values), _) if let [only] = values.as_slice() => json!(only),
        (Is::OneOf(values), _) => json!(values),
    }
}

/// A number, or a range of them as text.
fn number_json(text: &str) -> Value {
    text.parse::<f64>().map_or_else(|_| json!(text), |number| json!(number))
}

/// Parses a question from a JSON object; names are resolved as in filters.
///
/// # Errors
///
/// Returns an unknown key or value with the nearest known ones, or an error if the lookup fails.
pub fn from_json(value: &Value, names: &impl Lookup<Error = DatabaseError>) -> Result<Question> {
    let object = value.as_object().ok_or_else(|| mistake("question", "a question is an object"))?;
    let mut question = Question::default();
    for (key, value) in object {
        let path = key.as_str();
        let take_in = |directive, values: &[String], than, question: &mut Question| {
            let part = part(path, Sign::Is, values);
            directive::take_in(directive, &part, than, names, question).map_err(|error| at(error, path))
        };
        match path {
            "where" => question.subject.terms.splice(..0, filter_of(value, path, names)?.terms).for_each(drop),
            "not" | "any" => terms_of(path, value, path, names, &mut question.subject)?,
            "sides" => {
                let sides = value.as_array().filter(|sides| sides.len() > 1);
                let sides = sides.ok_or_else(|| mistake(path, "sides are two filters or more"))?;
                question.sides = sides.iter().map(|side| filter_of(side, path, names)).collect::<Result<_, _>>()?;
            }
            "order" | "beyond" => {
                let entries = value.as_object().into_iter().flatten().collect::<Vec<_>>();
                let [(word, value)] = entries.as_slice() else {
                    let example = if path == "order" { r#"{"best": "tdp"}"# } else { r#"{"faster-than": {…}}"# };
                    return Err(mistake(path, format!("expected an object such as {example}")));
                };
                let known = if path == "order" { &ENDS[..] } else { &BEYOND };
                let directive = Directive::named(word).filter(|_| known.contains(&word.as_str()));
                let directive = directive.ok_or_else(|| not_known(word, known.iter().copied()))?;
                let than = if path == "beyond" { Some(filter_of(value, path, names)?) } else { None };
                let values = if than.is_some() { Vec::new() } else { texts(value, path)? };
                take_in(directive, &values, than, &mut question)?;
            }
            _ => {
                let word = if path == "wants" { "show" } else { path };
                let directive = Directive::named(word).filter(|_| KEYS.contains(&path));
                let directive = directive.ok_or_else(|| not_known(path, KEYS.into_iter()))?;
                let values = texts(value, path)?;
                if !values.is_empty() {
                    take_in(directive, &values, None, &mut question)?;
                }
            }
        }
    }
    if !object.contains_key("ask") {
        question.ask = ask::kind_of_answer(&question, &Pieces { list: Vec::new(), words: &[] });
        ask::adjust_to_answer_kind(&mut question);
    }
    Ok(question)
}

/// A filter: an object of tests, or an array of filters that all hold.
fn filter_of(value: &Value, path: &str, names: &Names<'_>) -> Result<Filter> {
    let mut filter = Filter::default();
    match value {
        Value::Array(all) => {
            for part in all {
                filter.terms.extend(filter_of(part, path, names)?.terms);
            }
        }
        Value::Object(object) => {
            for (key, value) in object {
                terms_of(key, value, &format!("{path}.{key}"), names, &mut filter)?;
            }
        }
        _ => return Err(mistake(path, r#"a filter is an object such as {"device": "a100"}"#)),
    }
    Ok(filter)
}

/// Adds the terms of one key to a filter.
fn terms_of(key: &str, value: &Value, path: &str, names: &Names<'_>, filter: &mut Filter) -> Result<()> {
    match key {
        "not" => {
            let all = value.as_array().map_or_else(|| std::slice::from_ref(value), Vec::as_slice);
            for value in all {
                filter.terms.push(Term::Not(filter_of(value, path, names)?));
            }
        }
        "any" => {
            let groups = value.as_array().ok_or_else(|| mistake(path, "expected an array of arrays of filters"))?;
            for group in groups {
                let all = group.as_array().filter(|all| all.len() > 1);
                let all = all.ok_or_else(|| mistake(path, "alternatives are two filters or more"))?;
                let all = all.iter().map(|one| filter_of(one, path, names)).collect::<Result<_, _>>()?;
                filter.terms.push(Term::Any(all));
            }
        }
        _ => {
            let Some(key) = key_named(key, names)? else {
                return Err(at(unknown_key(key, 0..0, &["not", "any"]).into(), path));
            };
            filter.terms.push(test_of(key, value, path, names)?);
        }
    }
    Ok(())
}

fn test_of(key: Key, value: &Value, path: &str, names: &Names<'_>) -> Result<Term> {
    let values = texts(value, path)?;
    if values.is_empty() {
        return Err(mistake(path, "there is no value"));
    }
    let name = key.key().to_owned();
    let signed = match values.as_slice() {
        [only] if key != Key::Text && !only.contains("..") => {
            Sign::TYPED.iter().find_map(|(typed, sign)| Some((*sign, only.strip_prefix(typed)?)))
        }
        _ => None,
    };
    let found = match signed {
        Some((sign, rest)) => term(key, &part(&name, sign, &[rest.trim().to_owned()]), names),
        None => term(key, &part(&name, Sign::Is, &values), names),
    };
    found.map_err(|error| at(error, path))
}

/// The values of a key as texts.
fn texts(value: &Value, path: &str) -> Result<Vec<String>> {
    let one = |value: &Value| match value {
        Value::String(text) => Ok(text.clone()),
        Value::Number(number) => Ok(number.to_string()),
        Value::Bool(is) => Ok(if *is { "yes" } else { "no" }.to_owned()),
        _ => Err(mistake(path, "expected a text, a number, or an array of them")),
    };
    match value {
        Value::Null => Ok(Vec::new()),
        Value::Array(values) => values.iter().map(one).collect(),
        value => Ok(vec![one(value)?]),
    }
}

fn part<'v>(key: &'v str, sign: Sign, values: &'v [String]) -> FilterPart<'v> {
    let values = values.iter().map(|value| (value.as_str(), 0..0)).collect();
    FilterPart { key, key_place: 0..0, sign, values, group: None }
}

fn mistake(path: &str, message: impl Into<String>) -> QueryError {
    at(error(0..0, message, "").into(), path)
}

fn not_known<'k>(word: &str, known: impl Iterator<Item = &'k str> + Clone) -> QueryError {
    let help = near_help(word, known.clone()).or_else(|| did_you_mean(&known.collect::<Vec<_>>()));
    GrammarError { help, ..error(0..0, format!("a question has no `{word}`"), "") }.into()
}

/// Adds the path in the JSON to a mistake.
fn at(error: QueryError, path: &str) -> QueryError {
    match error {
        QueryError::Grammar(error) => {
            GrammarError { message: format!("{}, in `{path}`", error.message), ..error }.into()
        }
        other => other,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::ask::parse::known::Known;

    fn read(value: &Value) -> String {
        match from_json(value, &Known) {
            Ok(question) => print::print(&question),
            Err(QueryError::Grammar(error)) => format!("{} {}", error.message, error.help.unwrap_or_default()),
            Err(error) => error.to_string(),
        }
    }

    #[test]
    fn an_assistant_may_write_it_loosely() {
        for (value, text) in [
            (
                json!({"where": {"device": "V100", "batch": ">=32"}, "not": [{"stage": "train"}], "take": 5}),
                "device:tesla-v100 batch-size>=32 -stage:train ask:lookup take:5",
            ),
            (
                json!({"sides": [{"device": "a100"}, {"device": ["v100", "t4"]}], "wants": "throughput", "ask": "compare"}),
                "(device:a100) vs (device:tesla-v100,tesla-t4) show:throughput-per-s ask:compare",
            ),
            (
                json!({"any": [[{"batch-size": [8, 64.5]}, {"memory": "16..<32GB"}]], "of": "device", "order": {"best": "tdp"}, "ask": "rank"}),
                "(batch-size:8,64.5 OR memory:16..<32) of:device best:tdp ask:rank",
            ),
            (
                json!({"where": {"devise": "a100"}}),
                "there is no filter `devise`, in `where.devise` did you mean `device` or `devices`?",
            ),
            (json!({"wher": {}}), "a question has no `wher` did you mean `where`?"),
            (json!({"where": {"device": "a10"}}), "no device is called `a10`, in `where.device` did you mean `a100`?"),
            (json!({"where": {"device": {}}}), "expected a text, a number, or an array of them, in `where.device` "),
        ] {
            assert_eq!(read(&value), text, "{value}");
        }
    }

    #[test]
    fn the_schema_has_the_keys_of_questions() {
        let schema: Value = serde_json::from_str(QUESTION_SCHEMA).unwrap();
        let keys: Vec<&String> = schema["properties"].as_object().unwrap().keys().collect();
        assert_eq!(keys, KEYS);
    }
}
