//! Answers that the catalog alone gives, and what it adds to a comparison of numbers.

use crate::ask::conclude::basis::asked_facts;
use crate::ask::conclude::basis::conclusion::Conclusion;
use crate::ask::conclude::basis::search_result::SearchResult;
use crate::ask::conclude::catalog::{definitions, fact, fact_per, grade, instance_offers, precision_support};
use crate::ask::conclude::comparison;
use crate::ask::conclude::comparison::facts_side_by_side;
use crate::ask::conclude::lookup::unknown_subject;
use crate::ask::conclude::ranking::of_facts;
use crate::ask::question::{Clause, Intent, Quantity, QueryError, Question, Superlative, as_grade};
use crate::model::Facet;
use crate::stores::Stores;

/// Where facts or grades alone are asked for, ranked or set against each other, they are the answer.
pub(super) fn of_catalog_alone(
    stores: &Stores,
    question: &Question,
    found: &SearchResult<'_>,
) -> Result<Option<Conclusion>, QueryError> {
    if let Some(definitions) = definitions::conclude(stores, question)? {
        return Ok(Some(definitions));
    }
    if let Some(offers) = instance_offers::conclude(stores, question)? {
        return Ok(Some(offers));
    }
    if let Some(derived) = fact_per::conclude(stores, question)? {
        return Ok(Some(derived));
    }
    if let Some(supported) = precision_support::conclude(stores, question, found)? {
        return Ok(Some(supported));
    }
    if let Some(support) = precision_support::conclude_of_framework(stores, question, found)? {
        return Ok(Some(support));
    }
    match question.wanted.intent {
        Intent::Comparison => match grade::grades_of_sides(stores, question)? {
            Some(graded) => Ok(Some(graded)),
            None => match facts_side_by_side::facts_of_sides(stores, question)? {
                Some(facts) if question.wanted.speed => {
                    let measured = comparison::conclude(stores, question, found)?;
                    let text = format!("{} {}", facts.text, measured.text);
                    Ok(Some(Conclusion { text, entries: [facts.entries, measured.entries].concat() }))
                }
                None => facts_beside_class(stores, question, found),
                facts => Ok(facts),
            },
        },
        // The biggest cluster is none of the largest memory.
        Intent::Ranking if question.wanted.largest_system => Ok(None),
        Intent::Ranking => match asked_facts::ranked_by(question) {
            Some(fact) => of_facts::conclude(stores, question, fact).map(Some),
            None => Ok(None),
        },
        _ => Ok(None),
    }
}

/// `a gpu with more memory than the H100`: that of the device, and who among its class has the most; `None` where more than facts
/// is asked for, or where no device stands against a class. Speed says nothing of it.
fn facts_beside_class(
    stores: &Stores,
    question: &Question,
    found: &SearchResult<'_>,
) -> Result<Option<Conclusion>, QueryError> {
    let only_facts = question.wanted.quantities.iter().all(|quantity| matches!(quantity, Quantity::Fact(_)));
    let is_of = |side: &&Clause, facet: Facet| side.plain_kind() == Some(facet.key());
    let of = |facet: Facet| question.wanted.sides.iter().find(|side| is_of(side, facet));
    let (Some(fact), Some(class), Some(device)) =
        (asked_facts::ranked_by(question), of(Facet::Class), of(Facet::Device))
    else {
        return Ok(None);
    };
    let (true, Some(about_device), Some(mut of_class)) = (
        only_facts && question.wanted.sides.len() == 2,
        unknown_subject::about_side(question, device),
        unknown_subject::about_side(question, class),
    ) else {
        return Ok(None);
    };
    of_class.wanted.superlative = Some(Superlative::Most);
    let own = fact::conclude(stores, &about_device, found)?;
    let ranked = of_facts::conclude(stores, &of_class, fact)?;
    let text = format!("{} {}", own.text, ranked.text);
    Ok(Some(Conclusion { text, entries: [own.entries, ranked.entries].concat() }))
}

/// A comparison joins both views: behind the numbers come the facts in which the sides differ. Of classes alone the grades come
/// first: what two of their devices did says little of them.
pub(super) fn with_facts(
    stores: &Stores,
    question: &Question,
    conclusion: Conclusion,
) -> Result<Conclusion, QueryError> {
    let Some((sentence, facts)) = facts_side_by_side::facts_side_by_side(stores, question)? else {
        return Ok(conclusion);
    };
    let of_classes = facts.first().is_some_and(|fact| fact.subjects.contains_key(Facet::Class.key()));
    let is_paired = conclusion.entries.iter().any(|entry| entry.baseline.is_some());
    // Where nothing that was measured of classes can be paired, the grade that judges what is asked for is the answer.
    if of_classes && !is_paired {
        let mut graded = question.clone();
        graded.wanted.quantities = question.wanted.quantities.iter().filter_map(as_grade).collect();
        graded.wanted.quantities.dedup();
        if let Some(graded) = grade::grades_of_sides(stores, &graded)? {
            let text = format!("{} {}", graded.text, conclusion.text).trim().to_owned();
            return Ok(Conclusion { text, entries: [graded.entries, conclusion.entries].concat() });
        }
    }
    let facts = Conclusion { text: sentence, entries: facts };
    // Who asks in what they differ is told that first.
    let is_first = of_classes && (question.clauses.len() == 1 || !is_paired) || question.wanted.differences;
    let (first, second) = if is_first { (facts, conclusion) } else { (conclusion, facts) };
    let text = [first.text, second.text].join(" ").trim().to_owned();
    Ok(Conclusion { text, entries: first.entries.into_iter().chain(second.entries).collect() })
}
