//! Each kind of question has its kind of conclusion.

use std::collections::BTreeSet;

use super::basis::asked_facts;
use super::basis::conclusion::Conclusion;
use super::basis::found::Found;
use super::basis::row_counts::RowCounts;
use super::basis::wording::Names;
use super::catalog::{definitions, fact, fact_per, grade, instance_offers, list, overview, precision_support};
use super::comparison::{facts_side_by_side, stages_compared};
use super::lookup::denial::{Denial, denial};
use super::lookup::nearest_device;
use super::lookup::other_processors;
use super::lookup::relaxation::relaxed;
use super::lookup::unknown_subject;
use super::ranking::of_facts;
use super::{carried, comparison, lookup, ranking, relation};
use crate::ask::question::{Clause, Intent, Quantity, QueryError, Question, Superlative, as_grade};
use crate::model::{Aspect, Facet, Fact, Field};
use crate::stores::Stores;
use crate::stores::index::{DocumentKind, Hits};
use crate::values::text::{and_list, counted};

/// So many rows are told with their numbers, whatever was run.
const FEW_ROWS: usize = 12;

/// So many networks are named that rows are of.
const MOST_NETWORKS: usize = 3;

/// What an answer comes to, and of how much of the question.
pub struct Concluded {
    /// The conclusion.
    pub conclusion: Conclusion,
    /// What kind of answer it is: that of a comparison of which one side alone is known is a look-up.
    pub intent: Intent,
    /// Whether it answers the whole question although no row meets it: what is asked for follows from what rows state.
    pub follows: bool,
}

/// Draws the conclusion of an answer.
///
/// Where a question about measurements comes to nothing, conditions are taken back one at a time, and the conclusion says which.
///
/// # Errors
///
/// When a store fails.
pub fn conclude(stores: &Stores, question: &Question, found: &Found<'_>) -> Result<Concluded, QueryError> {
    let intent = question.wanted.intent;
    let of_rows = |conclusion| Concluded { conclusion, intent, follows: false };
    if let Some(unknown) = unknown_subject::conclude(stores, question, found)? {
        // Those that are known are compared all the same, and one alone is told.
        let known = match unknown_subject::without_unknown_sides(stores, question)? {
            Some(several) => Some(several),
            None => unknown_subject::with_one_known_side(stores, question)?,
        };
        let Some(known) = known else {
            let told = match fit_besides_unknown(stores, question, found)? {
                Some(fit) => Some(fit),
                None => of_nearest_device(stores, question, found)?,
            };
            return Ok(of_rows(match told {
                Some(told) => Conclusion { text: format!("{} {}", unknown.text, told.text), ..told },
                None => unknown,
            }));
        };
        let hits = stores.index.measurements(&known.condition_without(None), None, &[], 0, 0)?;
        let Concluded { conclusion, .. } = conclude_known(stores, &known, &Found { hits: &hits, ..*found })?;
        if conclusion.text.is_empty() {
            return Ok(of_rows(unknown));
        }
        let alone =
            match question.wanted.sides.iter().find(|side| known.clauses.iter().any(|one| one.text == side.text)) {
                Some(side) if known.wanted.sides.is_empty() => format!("Of `{}` alone: ", side.text),
                _ => String::new(),
            };
        let of_any_work = match alone.is_empty() {
            true => None,
            false => rows_of_any_work(stores, &known, &hits)?,
        };
        let text = format!("{} {alone}{}", unknown.text, of_any_work.as_ref().unwrap_or(&conclusion.text));
        let conclusion = Conclusion { text, ..conclusion };
        return Ok(Concluded { conclusion, intent: known.wanted.intent, follows: false });
    }
    conclude_known(stores, question, found)
}

/// `can I run a 7b on a 4060 ti 16gb`, which nothing here is called: whether it fits follows from the sizes that are named; `None`
/// where it is not asked, or where they are not.
fn fit_besides_unknown(
    stores: &Stores,
    question: &Question,
    found: &Found<'_>,
) -> Result<Option<Conclusion>, QueryError> {
    let says = |key: &str| question.read_as().any(|read| read.facet == key);
    let names_sizes = says(Fact::Memory.key()) && (says(Fact::Parameters.key()) || says(Facet::Network.key()));
    if !question.wanted.quantities.contains(&Quantity::MemoryFit) || !names_sizes {
        return Ok(None);
    }
    let mut known = question.clone();
    known.clauses.retain(|clause| !question.wanted.unknown_names.contains(&clause.text));
    known.wanted.unknown_names.clear();
    // What was measured of it is nothing, and that of others is told as theirs.
    known.wanted.quantities = vec![Quantity::MemoryFit];
    known.wanted.speed = false;
    let told = of_intent(stores, &known, found)?;
    let asks_numbers = question.wanted.speed || question.wanted.quantities.len() > 1;
    let measured = if asks_numbers { of_nearest_device(stores, question, found)? } else { None };
    let text = [Some(told.text), measured.map(|measured| measured.text)].into_iter().flatten();
    let text = text.collect::<Vec<_>>().join(" ");
    Ok((!told.entries.is_empty()).then_some(Conclusion { text, entries: told.entries }))
}

/// What was measured of the rest of a question on the device that is nearest to the one which nothing here is called.
fn of_nearest_device(
    stores: &Stores,
    question: &Question,
    found: &Found<'_>,
) -> Result<Option<Conclusion>, QueryError> {
    let of_rows = matches!(question.wanted.intent, Intent::Lookup | Intent::Relation);
    let Some((mut about, name)) = nearest_device::about_nearest(stores, question)?.filter(|_| of_rows) else {
        return Ok(None);
    };
    about.wanted.intent = Intent::Lookup;
    about.wanted.quantities.retain(|quantity| *quantity != Quantity::MemoryFit);
    let told = lookup::conclude(stores, &about, found)?;
    let text = format!("On the {name}, the nearest with such rows: {}", told.text);
    Ok((!told.entries.is_empty()).then_some(Conclusion { text, ..told }))
}

/// What many rows are of where a question does not say what was run: numbers of work that nobody asked for say nothing of a product
/// that could not be compared.
fn rows_of_any_work(stores: &Stores, question: &Question, hits: &Hits) -> Result<Option<String>, QueryError> {
    let of_work = |key: &str| matches!(key, "network" | "task" | "dataset" | "parameters" | "source");
    let names_work = question.clauses.iter().any(|clause| clause.plain_kind().is_some_and(of_work));
    if names_work || hits.total <= FEW_ROWS {
        return Ok(None);
    }
    let aspect = Aspect::Field(Field::Network);
    let counts = RowCounts::of(stores, hits, aspect)?;
    let told = counts.in_words(stores, &mut Names::default(), aspect, MOST_NETWORKS)?;
    Ok(Some(format!("{} of {told}.", counted(hits.total, "row", "rows"))))
}

/// The conclusion on a question of which all that it is about is known.
fn conclude_known(stores: &Stores, question: &Question, found: &Found<'_>) -> Result<Concluded, QueryError> {
    let Concluded { conclusion, intent, follows } = without_leads(stores, question, found)?;
    let parts = question.wanted.leads.iter().map(String::as_str).chain([conclusion.text.as_str()]);
    let text = parts.filter(|part| !part.is_empty()).collect::<Vec<_>>().join(" ");
    Ok(Concluded { conclusion: Conclusion { text, ..conclusion }, intent, follows })
}

/// The same without what is said first of where conditions were taken from.
fn without_leads(stores: &Stores, question: &Question, found: &Found<'_>) -> Result<Concluded, QueryError> {
    let intent = question.wanted.intent;
    if let Some(conclusion) = carried::conclude(stores, question)? {
        return Ok(Concluded { conclusion, intent, follows: found.hits.total == 0 });
    }
    if let Some(conclusion) = of_catalog_alone(stores, question, found)? {
        return Ok(Concluded { conclusion, intent, follows: false });
    }
    let mut follows = false;
    let mut conclusion = of_intent(stores, question, found)?;
    let alone = side_alone(stores, question, found)?;
    if let Some((word, alone)) = &alone {
        conclusion.text = format!("{} Of `{word}`: {}", conclusion.text, alone.text);
    }
    let has_no_rows = found.hits.total == 0 && question.wanted.sides.is_empty() && !question.clauses.is_empty();
    let is_denied = has_no_rows && conclusion.entries.is_empty() && is_of_rows(question);
    let denied = if is_denied { Some(denial(stores, question)?) } else { None };
    if is_of_rows(question) && !tells_something(question, &conclusion) {
        let why = denied.as_ref().map_or((conclusion.text.as_str(), None), Denial::parts);
        match with_less(stores, question, found, why)? {
            Some(nearest) => {
                Concluded { conclusion, follows, .. } = nearest;
                // What takes the place of all that was asked for leaves out no side that did answer.
                if let Some((word, alone)) = alone.as_ref().filter(|(_, alone)| !conclusion.text.contains(&alone.text))
                {
                    conclusion.text = format!("{} Of `{word}`: {}", conclusion.text, alone.text);
                }
            }
            None => conclusion.text = denied.map_or(conclusion.text, Denial::in_words),
        }
    }
    conclusion.entries.extend(alone.into_iter().flat_map(|(_, alone)| alone.entries));
    let conclusion = match question.wanted.intent {
        Intent::Comparison => with_facts(stores, question, conclusion)?,
        _ => conclusion,
    };
    Ok(Concluded { conclusion, intent, follows })
}

/// What a question that asks for less comes to, the nearest that comes to anything, behind the reason why it is asked.
fn with_less(
    stores: &Stores,
    question: &Question,
    found: &Found<'_>,
    (why, nearest): (&str, Option<&str>),
) -> Result<Option<Concluded>, QueryError> {
    for less in relaxed(stores, question)? {
        let other = of_intent(stores, &less.question, found)?;
        if tells_something(question, &other) {
            let why = if less.says_why { "" } else { why };
            // What is named ran something else, which says as much as what ran elsewhere.
            let nearest = nearest.filter(|_| less.of_another).unwrap_or_default();
            let parts = [why, nearest, &less.lead, &other.text];
            let text = parts.into_iter().filter(|part| !part.is_empty()).collect::<Vec<_>>().join(" ");
            let conclusion = Conclusion { text: text.trim().to_owned(), entries: other.entries };
            return Ok(Some(Concluded { conclusion, intent: question.wanted.intent, follows: less.follows }));
        }
    }
    Ok(None)
}

/// What was measured of the one side of a comparison that has rows; `None` where several have, or none.
fn side_alone(
    stores: &Stores,
    question: &Question,
    found: &Found<'_>,
) -> Result<Option<(String, Conclusion)>, QueryError> {
    if question.wanted.intent != Intent::Comparison {
        return Ok(None);
    }
    let mut measured = Vec::new();
    for side in &question.wanted.sides {
        let rows = stores.index.count(DocumentKind::Measurement, &question.condition_of_side(side))?;
        measured.extend((rows > 0).then_some(side));
    }
    let [only] = measured.as_slice() else { return Ok(None) };
    let Some(about) = unknown_subject::about_side(question, only) else { return Ok(None) };
    let alone = lookup::conclude(stores, &about, found)?;
    if alone.entries.is_empty()
        && let Some(nearest) = with_less(stores, &about, found, ("", None))?
    {
        return Ok(Some((only.text.clone(), nearest.conclusion)));
    }
    Ok(Some((only.text.clone(), alone)))
}

/// Of a chip whose name stands for its CPU, the numbers of its other processors as well: these are entities of their own.
fn with_other_processors(
    stores: &Stores,
    question: &Question,
    numbers: Conclusion,
    found: &Found<'_>,
) -> Result<Conclusion, QueryError> {
    let Some(others) = other_processors::about_others(stores, question)? else { return Ok(numbers) };
    let told = lookup::conclude(stores, &others, found)?;
    if told.entries.is_empty() {
        return Ok(numbers);
    }
    let text = format!("{} These are of its CPU; of its other processors: {}", numbers.text, told.text);
    Ok(Conclusion { text, entries: [numbers.entries, told.entries].concat() })
}

fn of_intent(stores: &Stores, question: &Question, found: &Found<'_>) -> Result<Conclusion, QueryError> {
    match question.wanted.intent {
        Intent::Lookup => {
            let numbers = lookup::conclude(stores, question, found)?;
            let numbers = with_other_processors(stores, question, numbers, found)?;
            // Who names training and inference is told what the one takes over the other, too.
            Ok(match stages_compared::conclude(stores, question)? {
                Some((sentence, entries)) => Conclusion {
                    text: format!("{} {sentence}", numbers.text),
                    entries: [numbers.entries, entries].concat(),
                },
                None => numbers,
            })
        }
        Intent::Ranking => ranking::conclude(stores, question, found),
        Intent::Comparison if question.wanted.sides.len() < 2 => alike_sides(stores, question, found),
        Intent::Comparison => comparison::conclude(stores, question, found),
        Intent::Relation => {
            let told = relation::conclude(stores, question, found)?;
            Ok(match measured_beside_fit(stores, question, found)? {
                Some(measured) => Conclusion {
                    text: format!("{} {}", told.text, measured.text),
                    entries: [told.entries, measured.entries].concat(),
                },
                None => told,
            })
        }
        Intent::Fact => fact::conclude(stores, question, found),
        Intent::Grade => grade::conclude(stores, question, found),
        Intent::List => list::conclude(stores, question, found),
        Intent::Overview => overview::conclude(stores, question, found),
    }
}

/// Where all that is to be set against each other is read as one, that is said in front of what was measured of it.
fn alike_sides(stores: &Stores, question: &Question, found: &Found<'_>) -> Result<Conclusion, QueryError> {
    let numbers = lookup::conclude(stores, question, found)?;
    let mut words: Vec<String> = Vec::new();
    for clause in question.clauses.iter().filter(|clause| clause.readings.len() > 1) {
        let values = |at: usize| &clause.readings[at].read_as.values;
        if (1..clause.readings.len()).all(|at| values(at) == values(0)) {
            words.extend(clause.readings.iter().map(|reading| format!("`{}`", reading.read_as.text)));
        }
    }
    words.dedup();
    let lead = match words.len() {
        0 | 1 => "Both sides are read as one, so nothing is set against it".to_owned(),
        _ => format!("{} are read as one, so nothing is set against it", and_list(&words)),
    };
    Ok(Conclusion { text: format!("{lead}: {}", numbers.text), ..numbers })
}

/// `can I run a 7B on an M2, and how many tokens/s`: besides whether it fits, what was measured; `None` where nothing is asked of
/// that.
fn measured_beside_fit(
    stores: &Stores,
    question: &Question,
    found: &Found<'_>,
) -> Result<Option<Conclusion>, QueryError> {
    let is_measured = |quantity: &Quantity| matches!(quantity, Quantity::Metric(_) | Quantity::Derived(_));
    let fits = question.wanted.quantities.contains(&Quantity::MemoryFit);
    let asks_numbers = question.wanted.speed || question.wanted.quantities.iter().any(is_measured);
    if !fits || !asks_numbers || question.wanted.sides.len() > 1 {
        return Ok(None);
    }
    let mut measured = question.clone();
    measured.wanted.quantities.retain(is_measured);
    measured.wanted.intent = Intent::Lookup;
    let told = lookup::conclude(stores, &measured, found)?;
    if !told.entries.is_empty() {
        // A memory alone is that of many devices.
        let of_any = !question.read_as().any(|read| read.facet == Facet::Device.key());
        let memory = question.clauses.iter().find(|clause| clause.plain_kind() == Some(Fact::Memory.key()));
        let on =
            memory.filter(|_| of_any).map_or_else(String::new, |memory| format!(" on devices of `{}`", memory.text));
        return Ok(Some(Conclusion { text: format!("Measured{on}: {}", told.text), ..told }));
    }
    let nearest = with_less(stores, &measured, found, ("", None))?;
    Ok(nearest.map(|nearest| nearest.conclusion))
}

/// Where facts or grades alone are asked for, ranked or set against each other, they are the answer.
fn of_catalog_alone(stores: &Stores, question: &Question, found: &Found<'_>) -> Result<Option<Conclusion>, QueryError> {
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
    found: &Found<'_>,
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

/// Whether the question is about measurements.
fn is_of_rows(question: &Question) -> bool {
    // Whether weights fit follows from the catalog.
    let fits = question.wanted.quantities.contains(&Quantity::MemoryFit);
    let of_rows = [Intent::Lookup, Intent::Ranking, Intent::Comparison, Intent::Relation];
    of_rows.contains(&question.wanted.intent) && !fits
}

/// Whether a conclusion answers: a comparison does with numbers of two sides, others with any.
fn tells_something(question: &Question, conclusion: &Conclusion) -> bool {
    if question.wanted.sides.len() < 2 {
        return !conclusion.entries.is_empty();
    }
    let subjects = || conclusion.entries.iter().map(|entry| format!("{:?}", entry.subjects)).collect::<BTreeSet<_>>();
    conclusion.entries.iter().any(|entry| entry.baseline.is_some()) || subjects().len() > 1
}

/// A comparison joins both views: behind the numbers come the facts in which the sides differ. Of classes alone the grades come
/// first: what two of their devices did says little of them.
fn with_facts(stores: &Stores, question: &Question, conclusion: Conclusion) -> Result<Conclusion, QueryError> {
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

#[cfg(test)]
impl super::basis::sample::Sample {
    /// The conclusion on a question.
    pub fn conclude(&self, question: &Question) -> Conclusion {
        let catalog = crate::rows::JoinedCatalog::default();
        let condition = question.condition_without(None);
        let hits = self.stores.index.measurements(&condition, None, &[], 0, 20).unwrap();
        conclude(&self.stores, question, &Found { hits: &hits, catalog: &catalog }).unwrap().conclusion
    }
}
