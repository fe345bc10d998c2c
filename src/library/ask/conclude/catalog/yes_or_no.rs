//! Questions that a fact answers with yes or no: does a framework run on TPUs, is it under the MIT licence.

use crate::ask::conclude::basis::conclusion::EntryValue;
use crate::ask::conclude::basis::fact_wording::{fact_name, unit_of, value_text};
use crate::ask::conclude::basis::statement::{Statement, fact_of_facet};
use crate::ask::question::Question;
use crate::model::Fact;
use crate::values::spelling::normalise;
use crate::values::text::or_list;

/// The values that a question supposes a fact to have, which it wants to be told to hold or not; `None` where it supposes
/// nothing.
pub(super) fn expected(question: &Question, fact: Fact) -> Option<Vec<String>> {
    let claimed = question.wanted.claims.iter().filter(|claim| claim.fact == fact).map(|claim| claim.value.clone());
    let mut values: Vec<String> = claimed.collect();
    if values.is_empty() {
        let readings = question.read_as().filter(|read| !read.text.starts_with('-'));
        let is_about = |facet: &str| {
            let of_kind = fact_of_facet(facet, fact.kind());
            // One filter stands for both languages.
            of_kind == Some(fact) || of_kind == Some(Fact::ApiLanguage) && fact == Fact::CoreLanguage
        };
        values.extend(readings.filter(|read| is_about(&read.facet)).flat_map(|read| read.values.iter().cloned()));
    }
    (!values.is_empty()).then_some(values)
}

/// `Yes: JAX runs on cpu, gpu, tpu`; `None` where nothing was to be confirmed, or where members of a family differ.
pub(super) fn yes_or_no(fact: Fact, name: &str, stated: &[&Statement], expected: Option<&[String]>) -> Option<String> {
    if fact != Fact::MultiServer && expected.is_none() {
        return None;
    }
    let Some(value) = stated.first().and_then(|stated| stated.value.as_ref()) else {
        return Some(format!("Not stated: the catalog does not say the {} of {name}", fact_name(fact)));
    };
    if stated.iter().any(|other| other.value.as_ref() != Some(value)) {
        return None;
    }
    let holds = holds(value, expected.unwrap_or_default());
    let told = told(fact, name, value);
    Some(match (holds, expected) {
        (true, _) => format!("Yes: {told}"),
        (false, Some(expected)) if !matches!(value, EntryValue::Flag(_)) => {
            let few: Vec<&str> = expected.iter().take(2).map(String::as_str).collect();
            format!("No: {told}, not {}", or_list(&few))
        }
        _ => format!("No: {told}"),
    })
}

/// Whether a value is or holds one that was expected.
fn holds(value: &EntryValue, expected: &[String]) -> bool {
    let is_one = |text: &str| expected.iter().any(|expected| normalise(expected) == normalise(text));
    match value {
        EntryValue::Flag(yes) => *yes,
        EntryValue::List(items) => items.iter().any(|item| is_one(item)),
        EntryValue::Text(text) => is_one(text),
        EntryValue::Number(_) => true,
    }
}

/// A fact of an entity as a clause: `JAX runs on cpu, gpu, tpu`.
fn told(fact: Fact, name: &str, value: &EntryValue) -> String {
    let shown = value_text(value);
    match (fact, value) {
        (Fact::MultiServer, EntryValue::Flag(true)) => format!("{name} trains on several servers"),
        (Fact::MultiServer, EntryValue::Flag(false)) => format!("{name} does not train on several servers"),
        (Fact::Hardware, _) => format!("{name} runs on {shown}"),
        (Fact::License, _) => format!("{name} is under {shown}"),
        (Fact::CoreLanguage, _) => format!("the core of {name} is written in {shown}"),
        (Fact::ApiLanguage, _) => format!("{name} has official interfaces for {shown}"),
        (Fact::Maturity | Fact::Architecture | Fact::Task, _) => format!("{name} is {shown}"),
        (Fact::Vendor, _) => format!("{name} is made by {shown}"),
        (Fact::TestedNetwork | Fact::TestedDataset, _) => format!("tests of {name} are listed on {shown}"),
        (fact, _) => {
            let unit = unit_of(fact).map_or_else(String::new, |unit| format!(" {unit}"));
            format!("{name} has a {} of {shown}{unit}", fact_name(fact))
        }
    }
}

#[cfg(test)]
mod tests {
    use crate::ask::conclude::basis::sample::Sample;
    use crate::ask::question::{Intent, Quantity};
    use crate::model::Fact;

    #[test]
    fn what_is_to_be_confirmed_is_confirmed_first() {
        let sample = Sample::of(&[]);
        let ask = |filters: &str, fact: Fact| {
            let mut question = sample.question(filters, Intent::Fact);
            question.wanted.quantities = vec![Quantity::Fact(fact)];
            sample.conclude(&question).text
        };
        assert_eq!(ask("framework:firelight license:mit", Fact::License), "Yes: Firelight is under MIT.");
        assert_eq!(
            ask("framework:firelight language:python", Fact::CoreLanguage),
            "No: the core of Firelight is written in C++, not Python."
        );
        assert_eq!(ask("framework:firelight", Fact::MultiServer), "No: Firelight does not train on several servers.");
        assert_eq!(ask("framework:firelight", Fact::License), "Licence of Firelight: MIT.");
    }
}
