//! The entities that meet the conditions, by name, each with what the conditions are about and the rows that measured it.

use std::collections::BTreeSet;

use super::by_surveys::by_surveys_alone;
use super::fact;
use super::graded_classes::graded_classes;
use super::most_measured;
use super::value_list;
use crate::ask::conclude::basis::conclusion::{Conclusion, Entry};
use crate::ask::conclude::basis::fact_wording::fact_name;
use crate::ask::conclude::basis::listed::{Listed, listed};
use crate::ask::conclude::basis::listed_kinds::{aspect_of, kind_listed, name_of, plural};
use crate::ask::conclude::basis::named::named_entities;
use crate::ask::conclude::basis::not_stated::{limited_fact, none_listed, not_stating};
use crate::ask::conclude::basis::over_rows::{held_over_rows, known_by_family_alone, not_stated_in_rows};
use crate::ask::conclude::basis::row_counts::RowCounts;
use crate::ask::conclude::basis::search_result::SearchResult;
use crate::ask::conclude::basis::statement::has;
use crate::ask::conclude::basis::tested_rows::tested_on;
use crate::ask::conclude::basis::wording::Names;
use crate::ask::conclude::lookup::denial::denial;
use crate::ask::question::{Clause, Quantity, QueryError, Question};
use crate::model::{Aspect, Facet, Field};
use crate::stores::Stores;
use crate::stores::index::Condition;
use crate::values::EntityKind;
use crate::values::text::{and_list, counted, or_list};

/// More names than this are counted, not said; a table has them.
pub const NAMES_IN_LIST: usize = 8;

/// So many where every one is asked for.
const NAMES_OF_EVERY: usize = 24;

/// What some alone state is told of so many facts.
const MOST_UNKNOWN: usize = 3;

/// So many names are told behind a list.
const MOST_NAMES: usize = 6;

/// Lists what was asked for.
///
/// # Errors
///
/// When a store fails.
pub fn conclude(stores: &Stores, question: &Question, found: &SearchResult<'_>) -> Result<Conclusion, QueryError> {
    if let Some(graded) = graded_classes(stores, question)? {
        return Ok(graded);
    }
    let Some(kind) = kind_listed(question) else {
        return match question.wanted.candidates {
            // That nothing states a value says nothing where there are no rows.
            Some(_) if found.hits.total == 0 && !question.clauses.is_empty() => {
                Ok(Conclusion { text: denial(stores, question)?.in_words(), entries: Vec::new() })
            }
            Some(aspect) => value_list::conclude(stores, found, aspect, question.wanted.newest),
            None => Ok(rows_that_meet(question, found)),
        };
    };
    if let Some(aspect) = aspect_of(kind).filter(|_| question.wanted.most_measured && kind != EntityKind::Source) {
        return most_measured::conclude(stores, question, kind, aspect);
    }
    if asks_facts_of_one(stores, question, kind)? {
        return fact::conclude(stores, question, found);
    }
    let entities = listed(stores, question, kind, found.hits)?;
    let mut names = Names::default();
    let mut text = match entities.is_empty() {
        true if question.wanted.unmeasured => {
            let (noun, all) = (kind.noun(), stores.index.entities(kind, &question.condition_without(None))?);
            format!("None: each {noun} of the {} that meet this has measurements.", all.len())
        }
        true if question.wanted.each_of.len() + question.wanted.none_of.len() > 0 => {
            format!("No {} is known{}.", kind.noun(), held_over_rows(question))
        }
        true if question.clauses.len() > 1 && found.hits.total == 0 && !is_of_catalog(stores, question, kind)? => {
            match limit_met_by_none(stores, question, kind)? {
                Some(none) => none,
                None => denial(stores, question)?.in_words(),
            }
        }
        true => none_listed(stores, question, kind)?,
        false => {
            let names_all = question.wanted.every && entities.len() <= NAMES_OF_EVERY;
            let most = if names_all { NAMES_OF_EVERY } else { NAMES_IN_LIST };
            let all = sentence(stores, &mut names, &entities, kind, &held_over_rows(question), most)?;
            let is_by_age = kind == EntityKind::Source
                && question.sort.is_some_and(|sort| !sort.descending && sort.key() == Field::Date.key());
            if is_by_age { format!("The oldest first, {all}") } else { all }
        }
    };
    if let (Some(aspect), false) = (question.wanted.comparing, entities.is_empty()) {
        let of = aspect.key().replace('-', " ");
        text.push_str(&format!(
            " Each has rows of at least two {of}s that meet this; the rows counted are all of its own that do."
        ));
    }
    text.extend(by_rows_alone(stores, question, kind, &entities)?);
    text.extend(by_surveys_alone(stores, question, kind, &entities)?);
    text.extend(by_text_alone(question, &entities));
    text.extend(contradicted_by_rows(stores, question, kind, &entities)?);
    text.extend(asked_and_unknown(question, kind, &entities));
    text.extend(by_family_alone(stores, question, kind, &entities)?);
    text.extend(by_rows_left_open(stores, question, kind, &entities)?);
    for unknown in not_stating(stores, question, kind)? {
        text.push_str(&format!(" {unknown}"));
    }
    Ok(Conclusion { text, entries: entries(stores, &mut names, entities, kind)? })
}

/// The limit that nothing of a kind is known to meet, and what is stated instead; `None` where each is met by something.
fn limit_met_by_none(stores: &Stores, question: &Question, kind: EntityKind) -> Result<Option<String>, QueryError> {
    for clause in question.clauses.iter().filter(|clause| limited_fact(clause, kind).is_some()) {
        if stores.index.entities(kind, &clause.condition)?.is_empty() {
            let alone = Question { clauses: vec![clause.clone()], ..question.clone() };
            return none_listed(stores, &alone, kind).map(Some);
        }
    }
    Ok(None)
}

/// What a list rests on where no more than a word of its conditions is in the texts of the entries: `import` of `frameworks that
/// import onnx` is no fact that is kept.
fn by_text_alone(question: &Question, entities: &[Listed]) -> Option<String> {
    let is_text = |clause: &&Clause| clause.plain_kind() == Some("text") && !clause.text.contains([':', '"']);
    let words: Vec<String> =
        question.clauses.iter().filter(is_text).map(|clause| format!("`{}`", clause.text)).collect();
    let all = !words.is_empty() && words.len() == question.clauses.len() && !entities.is_empty();
    all.then(|| format!(" Found by the text alone that has {}: no fact is kept of it.", and_list(&words)))
}

/// Of frameworks that are listed for not running on a class of hardware those that have rows on it: ` By its rows KILT runs on GPU
/// (16), although its entry does not say so.`
fn contradicted_by_rows(
    stores: &Stores,
    question: &Question,
    kind: EntityKind,
    entities: &[Listed],
) -> Result<Option<String>, QueryError> {
    let is_excluded = |clause: &&Clause| {
        let key = clause.readings.first().map(|reading| reading.read_as.facet.as_str());
        clause.is_excluded() && matches!(key, Some("class" | "hardware"))
    };
    let classes = question.clauses.iter().filter(is_excluded).flat_map(|clause| &clause.readings);
    let classes: BTreeSet<String> = classes.flat_map(|reading| reading.read_as.values.iter().cloned()).collect();
    if kind != EntityKind::Framework || classes.is_empty() || entities.is_empty() {
        return Ok(None);
    }
    let ids = entities.iter().map(|listed| listed.id.clone()).collect();
    let rows = Condition::All(vec![
        Condition::Facet(Facet::Framework, ids),
        Condition::Facet(Facet::Class, classes.iter().cloned().collect()),
    ]);
    let hits = stores.index.measurements(&rows, None, &[], 0, 0)?;
    let aspect = Aspect::Field(Field::Framework);
    let counts = RowCounts::of(stores, &hits, aspect)?;
    if counts.values.is_empty() {
        return Ok(None);
    }
    let told = counts.in_words(stores, &mut Names::default(), aspect, MOST_NAMES)?;
    let classes: Vec<String> = classes.into_iter().collect();
    Ok(Some(format!(" Their rows say otherwise of some: on {} ran {told}.", or_list(&classes))))
}

/// Of the facts that are asked for of each in a list those that some or none of them state: `5 of the 12 state parameters.`
fn asked_and_unknown(question: &Question, kind: EntityKind, entities: &[Listed]) -> Option<String> {
    let asked = question.wanted.quantities.iter().filter_map(|quantity| match quantity {
        Quantity::Fact(fact) if has(kind, *fact) => Some(*fact),
        _ => None,
    });
    // What was measured is told of rows, and of none of what a list has a line for.
    let measured = question.wanted.quantities.iter().filter_map(|quantity| match quantity {
        Quantity::Metric(metric) if kind != EntityKind::Source => Some(metric.heading()),
        _ => None,
    });
    let mut said: Vec<String> =
        measured.take(1).map(|name| format!("No {name} is shown: it is of rows, not of {}", plural(kind))).collect();
    for fact in asked {
        let key = fact.file_key();
        let known = entities.iter().filter(|listed| listed.facts.iter().any(|entry| entry.quantity == key)).count();
        match known {
            0 => said.push(format!("None of them states {}", fact_name(fact))),
            some if some < entities.len() => {
                let state = if some == 1 { "states" } else { "state" };
                said.push(format!("{some} of the {} {state} {}", entities.len(), fact_name(fact)));
            }
            _ => {}
        }
    }
    // Of several peaks each device has some.
    if said.is_empty() || said.len() > MOST_UNKNOWN || entities.is_empty() {
        return None;
    }
    Some(format!(" {}.", said.join(". ")))
}

/// Of a list of what has no rows of something those of which a source that names the family alone may have run one: ` A100 PCIe
/// 40 GB has none of its own, but its family has some that name no member.`
fn by_family_alone(
    stores: &Stores,
    question: &Question,
    kind: EntityKind,
    entities: &[Listed],
) -> Result<Option<String>, QueryError> {
    let Some(aspect) = aspect_of(kind).filter(|_| !question.wanted.none_of.is_empty()) else { return Ok(None) };
    let ids: Vec<&str> = entities.iter().map(|listed| listed.id.as_str()).collect();
    let known = known_by_family_alone(stores, question, (kind, aspect), &ids)?;
    let told = first_names(stores, kind, &known)?;
    Ok(match known.len() {
        0 => None,
        1 => Some(format!(" {} has none of its own, but its family has some that name no member.", told[0])),
        _ => Some(format!(
            " {} have none of their own, but their families have some that name no member.",
            and_list(&told)
        )),
    })
}

/// Of the same list those that are no proof: ` RNN-T and Whisper have rows that state no data set, which may be of it.`
fn by_rows_left_open(
    stores: &Stores,
    question: &Question,
    kind: EntityKind,
    entities: &[Listed],
) -> Result<Option<String>, QueryError> {
    let Some(aspect) = aspect_of(kind).filter(|_| !question.wanted.none_of.is_empty()) else { return Ok(None) };
    let ids: Vec<&str> = entities.iter().map(|listed| listed.id.as_str()).collect();
    let mut text = String::new();
    for (field, open) in not_stated_in_rows(stores, question, aspect, &ids)? {
        let told = and_list(&first_names(stores, kind, &open)?);
        let verb = if open.len() == 1 { "has" } else { "have" };
        text.push_str(&format!(" {told} {verb} rows that state no {}, which may be of it.", field.heading()));
    }
    Ok(Some(text))
}

/// The names of the first of several, and how many more there are.
fn first_names(stores: &Stores, kind: EntityKind, ids: &[String]) -> Result<Vec<String>, QueryError> {
    let mut names = Names::default();
    let mut told = Vec::new();
    for id in ids.iter().take(MOST_UNKNOWN) {
        told.push(name_of(stores, &mut names, kind, id)?);
    }
    if let Some(more) = ids.len().checked_sub(told.len()).filter(|more| *more > 0) {
        told.push(format!("{more} more"));
    }
    Ok(told)
}

/// Whether each condition alone is one on what is listed, rather than on its rows.
fn is_of_catalog(stores: &Stores, question: &Question, kind: EntityKind) -> Result<bool, QueryError> {
    for clause in &question.clauses {
        if stores.index.entities(kind, &clause.condition)?.is_empty() {
            return Ok(false);
        }
    }
    Ok(true)
}

/// Whether facts of a named entity are asked for: `number of images of the COCO data set`.
fn asks_facts_of_one(stores: &Stores, question: &Question, kind: EntityKind) -> Result<bool, QueryError> {
    let asks = question.wanted.quantities.iter().any(|quantity| matches!(quantity, Quantity::Fact(_)));
    Ok(asks && named_entities(stores, question)?.iter().any(|named| named.kind == kind && named.members.is_empty()))
}

/// Where entities of no kind are asked for, rows are.
fn rows_that_meet(question: &Question, found: &SearchResult<'_>) -> Conclusion {
    let text = match found.hits.total {
        _ if question.clauses.is_empty() => "What is left of the question selects nothing by itself.".to_owned(),
        0 => "Nothing meets these conditions.".to_owned(),
        rows => format!("{} these conditions.", counted(rows, "measurement meets", "measurements meet")),
    };
    Conclusion { text, entries: Vec::new() }
}

/// `22 devices, 9 of them with measurements: A100 (80 GiB; 5203 rows), …`.
fn sentence(
    stores: &Stores,
    names: &mut Names,
    entities: &[Listed],
    kind: EntityKind,
    held: &str,
    most: usize,
) -> Result<String, QueryError> {
    let mut said = Vec::new();
    for listed in entities.iter().take(most) {
        said.push(listed.in_words(stores, names, kind)?);
    }
    let hidden = entities.len() - said.len();
    if hidden > 0 {
        said.push(format!("{hidden} more"));
    }
    let measured = entities.iter().filter(|listed| listed.rows > 0).count();
    let measured = match measured {
        _ if kind == EntityKind::HardwareClass || measured == entities.len() => String::new(),
        0 if entities.len() == 1 => ", without measurements".to_owned(),
        0 => ", none of them with measurements".to_owned(),
        some => format!(", {some} of them with measurements"),
    };
    Ok(format!("{}{held}{measured}: {}.", counted(entities.len(), kind.noun(), &plural(kind)), and_list(&said)))
}

/// How many of the frameworks listed have rows of what was asked for and no listed test, in words.
fn by_rows_alone(
    stores: &Stores,
    question: &Question,
    kind: EntityKind,
    entities: &[Listed],
) -> Result<Option<String>, QueryError> {
    if kind != EntityKind::Framework || entities.is_empty() {
        return Ok(None);
    }
    let stating = stores.index.entities(kind, &question.condition_without(None))?;
    if tested_on(question).is_none() {
        // Whose hardware a framework runs on is no fact of it.
        let of_rows = "By rows alone: what else a framework can run on is not told by that.";
        let names_hardware = |one: &str| matches!(one, "vendor" | "device" | "architecture");
        let of_hardware = |clause: &Clause| clause.readings.iter().any(|one| names_hardware(&one.read_as.facet));
        let is_known = !stating.is_empty() || !question.clauses.iter().any(of_hardware);
        return Ok((!is_known).then(|| format!(" {of_rows}")));
    }
    let mut names = Names::default();
    let mut others = Vec::new();
    for listed in entities.iter().filter(|listed| !stating.contains(&listed.id)) {
        others.push(name_of(stores, &mut names, kind, &listed.id)?);
    }
    let are = if others.len() == 1 { "is" } else { "are" };
    let told = match others.as_slice() {
        [] => return Ok(None),
        few if few.len() <= MOST_NAMES => and_list(few),
        many => counted(many.len(), "framework", "frameworks"),
    };
    Ok(Some(format!(" {told} {are} here by rows alone, without a listed test.")))
}

fn entries(
    stores: &Stores,
    names: &mut Names,
    entities: Vec<Listed>,
    kind: EntityKind,
) -> Result<Vec<Entry>, QueryError> {
    let mut entries = Vec::new();
    for listed in entities {
        let is_bare = listed.facts.is_empty() && listed.main.is_empty() && listed.rows == 0;
        let name = if is_bare { name_of(stores, names, kind, &listed.id)? } else { String::new() };
        entries.extend(listed.into_entries(kind, name));
    }
    Ok(entries)
}
