//! The sidebar of an answer: the values of each field in all matching rows, with multiple choice, and ranges of numbers.

use std::collections::BTreeMap;

use maud::{Markup, html};

use super::links::{about, narrowed};
use super::names::name_of;
use crate::refusal::Refusal;
use dlbench::KnowledgeBase;
use dlbench::ask::answer::{Answer, FacetCounts, ValueCount};
use dlbench::ask::parse::{Filter, Is, Key, Question, Term, print};
use dlbench::model::{Aspect, Value};
use dlbench::rows::{EntityCache, entity_kind};
use dlbench::values::EntityKind;

/// The fields that come first, in this order; the others follow.
const FIRST: [&str; 9] =
    ["precision", "stage", "device-count", "framework", "device", "network", "batch-size", "year", "source"];
/// Maximum number of values shown per field.
const MOST_VALUES: usize = 6;

/// A field and its values.
struct Choice<'a> {
    aspect: Aspect,
    values: Vec<(String, usize)>,
    chosen: Vec<&'a str>,
}

/// The sidebar; a static site has links instead of forms, which it cannot answer.
///
/// # Errors
///
/// When a store fails.
pub(super) fn aside(
    answer: &Answer,
    facets: &[FacetCounts],
    is_form: bool,
    kb: &KnowledgeBase,
) -> Result<Markup, Refusal> {
    let mut choices: Vec<Choice<'_>> = facets.iter().filter_map(|facet| choice(&answer.asked, facet)).collect();
    let place = |key: &str| FIRST.iter().position(|first| *first == key).unwrap_or(FIRST.len());
    choices.sort_by_key(|choice| place(choice.aspect.key()));
    let more = choices.split_off(choices.iter().take_while(|choice| FIRST.contains(&choice.aspect.key())).count());
    let own = named(&choices, kb)?;
    let names = EntityCache::of_catalog(&answer.catalog).with_names(&answer.names).with_names(&own);
    let base = base(answer, &choices, &more);
    let section = |choice: &Choice<'_>| {
        if is_form { fields(choice, &names) } else { links(choice, &answer.query, &names) }
    };
    Ok(html! {
        @if !choices.is_empty() || !more.is_empty() {
            aside.facets aria-label="Narrow the question" {
                @if is_form {
                    form action="/query/change" {
                        input type="hidden" name="question" value=(base);
                        @for choice in &choices { (section(choice)) }
                        button { "Apply" }
                        @if !more.is_empty() {
                            details { summary { (more.len()) " more fields" } @for choice in &more { (section(choice)) } button { "Apply" } }
                        }
                    }
                } @else {
                    @for choice in &choices { (section(choice)) }
                }
            }
        }
    })
}

/// The names of the entities shown.
fn named(choices: &[Choice<'_>], kb: &KnowledgeBase) -> Result<BTreeMap<(EntityKind, String), String>, Refusal> {
    let mut names = BTreeMap::new();
    for choice in choices {
        let Some(kind) = entity_kind(choice.aspect) else { continue };
        for (id, _) in choice.values.iter().take(MOST_VALUES) {
            let name = name_of(kind, id, kb)?;
            names.extend(name.map(|name| ((kind, id.clone()), name)));
        }
    }
    Ok(names)
}

/// The question to which choices are added: as typed, or if it has choices already, its canonical form without them.
fn base(answer: &Answer, choices: &[Choice<'_>], more: &[Choice<'_>]) -> String {
    let is_chosen = |term: &Term| {
        let of = |choice: &&Choice<'_>| chosen_by(term, choice.aspect).is_some() && !choice.chosen.is_empty();
        choices.iter().chain(more).find(of).is_some()
    };
    if !answer.asked.subject.terms.iter().any(is_chosen) {
        return answer.query.clone();
    }
    let terms = answer.asked.subject.terms.iter().filter(|term| !is_chosen(term)).cloned().collect();
    print(&Question { subject: Filter { terms }, ..answer.asked.clone() })
}

/// The values of an aspect that a term of a question selects.
fn chosen_by(term: &Term, aspect: Aspect) -> Option<&[String]> {
    let Term::Test(test) = term else { return None };
    let is_of = match &test.key {
        Key::Facet(facet) => facet.key() == aspect.key(),
        Key::Aspect(own) => *own == aspect,
        _ => false,
    };
    match &test.is {
        Is::OneOf(values) if is_of => Some(values),
        _ => None,
    }
}

/// A field with several values, or with selected ones.
fn choice<'a>(question: &'a Question, facet: &FacetCounts) -> Option<Choice<'a>> {
    let aspect = Aspect::named(&facet.field)?;
    let text = |value: &ValueCount| match value.value.as_ref()? {
        Value::Text(text) => Some(text.to_string()),
        Value::Count(count) => Some(count.to_string()),
        Value::Number(number) => Some(number.to_string()),
    };
    let mut values: Vec<(String, usize)> =
        facet.values.iter().filter_map(|value| Some((text(value)?, value.count))).collect();
    let terms = question.subject.terms.iter().filter_map(|term| chosen_by(term, aspect)).flatten();
    // A family represents members, which are listed instead; it stays part of the question.
    let chosen: Vec<&str> =
        terms.map(String::as_str).filter(|id| values.iter().any(|(value, _)| value == id)).collect();
    if values.len() < 2 && chosen.is_empty() {
        return None;
    }
    values.sort_by_key(|(value, _)| !chosen.contains(&value.as_str()));
    Some(Choice { aspect, values, chosen })
}

fn heading(aspect: Aspect) -> String {
    let heading = aspect.heading();
    let mut letters = heading.chars();
    letters.next().map_or_else(String::new, |first| first.to_uppercase().chain(letters).collect())
}

fn fields(choice: &Choice<'_>, names: &EntityCache<'_>) -> Markup {
    let key = choice.aspect.key();
    html! {
        fieldset {
            legend { (heading(choice.aspect)) }
            @for (value, count) in choice.values.iter().take(MOST_VALUES) {
                label {
                    input type="checkbox" name=(key) value=(value) checked[choice.chosen.contains(&value.as_str())];
                    span.value { (names.value_name(choice.aspect, value)) } span.count { (count) }
                }
            }
            @if choice.values.len() > MOST_VALUES {
                @if choice.aspect.is_numeric() {
                    span.range {
                        input name={ (key) ".from" } inputmode="decimal" size="5" aria-label={ (heading(choice.aspect)) " from" } placeholder="from";
                        "–"
                        input name={ (key) ".to" } inputmode="decimal" size="5" aria-label={ (heading(choice.aspect)) " to" } placeholder="to";
                    }
                } @else {
                    span.more { (choice.values.len() - MOST_VALUES) " more" }
                }
            }
        }
    }
}

fn links(choice: &Choice<'_>, question: &str, names: &EntityCache<'_>) -> Markup {
    let key = choice.aspect.key();
    html! {
        section {
            h3 { (heading(choice.aspect)) }
            ul {
                @for (value, count) in choice.values.iter().take(MOST_VALUES) {
                    li {
                        a href=(about("/query", &narrowed(question, key, &[value]))) { (names.value_name(choice.aspect, value)) }
                        span.count { (count) }
                    }
                }
            }
        }
    }
}

/// The question that results from a form: the remaining question, replacements of parts, selected values, and ranges.
pub(crate) fn changed(fields: &[(String, String)]) -> String {
    let mut question = String::new();
    let mut chosen: Vec<(&str, Vec<&str>)> = Vec::new();
    let mut ranges: Vec<(&str, [&str; 2])> = Vec::new();
    for (name, value) in
        fields.iter().map(|(name, value)| (name.as_str(), value.trim())).filter(|(_, value)| !value.is_empty())
    {
        match (name, name.rsplit_once('.')) {
            ("question", _) => question = value.to_owned(),
            ("with", _) => question = format!("{question} {value}"),
            (_, Some((key, end @ ("from" | "to")))) => {
                let at = usize::from(end == "to");
                match ranges.iter_mut().find(|(known, _)| *known == key) {
                    Some((_, ends)) => ends[at] = value,
                    None => {
                        let mut ends = ["", ""];
                        ends[at] = value;
                        ranges.push((key, ends));
                    }
                }
            }
            (key, _) => match chosen.iter_mut().find(|(known, _)| *known == key) {
                Some((_, values)) => values.push(value),
                None => chosen.push((key, vec![value])),
            },
        }
    }
    for (key, values) in chosen {
        question = narrowed(&question, key, &values);
    }
    for (key, [from, to]) in ranges {
        question.push_str(&match (from, to) {
            ("", to) => format!(" {key}<={to}"),
            (from, "") => format!(" {key}>={from}"),
            (from, to) => format!(" {key}:{from}..{to}"),
        });
    }
    question.trim().to_owned()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_form_makes_the_question_that_it_shows() {
        let made = |fields: &[(&str, &str)]| {
            let own = |(name, value): &(&str, &str)| ((*name).to_owned(), (*value).to_owned());
            changed(&fields.iter().map(own).collect::<Vec<_>>())
        };
        assert_eq!(made(&[("question", "v100"), ("with", "precision:fp16")]), "v100 precision:fp16");
        assert_eq!(
            made(&[
                ("question", "v100"),
                ("precision", "fp16"),
                ("precision", "fp32"),
                ("stage", "eval"),
                ("stage", " ")
            ]),
            "v100 precision:fp16,fp32 stage:eval"
        );
        assert_eq!(
            made(&[
                ("question", "v100"),
                ("batch-size.from", "8"),
                ("batch-size.to", ""),
                ("year.from", "2018"),
                ("year.to", "2020")
            ]),
            "v100 batch-size>=8 year:2018..2020"
        );
        assert_eq!(made(&[("instance", "Amazon \"p3\"")]), "instance:\"Amazon p3\"");
    }
}
