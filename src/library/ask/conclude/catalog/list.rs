//! The entities that meet the conditions, by name, each with what the conditions are about and the rows that measured it.

use super::by_surveys::by_surveys_alone;
use super::fact;
use super::graded_classes::graded_classes;
use super::list_caveats::{
    asked_and_unknown, by_family_alone, by_rows_alone, by_rows_left_open, by_text_alone, contradicted_by_rows,
    on_class, without_text_alone,
};
use super::list_each::in_each;
use super::most_measured;
use super::unstated_by_sources::with_such_rows;
use super::value_list;
use crate::ask::conclude::basis::conclusion::{Conclusion, Entry};
use crate::ask::conclude::basis::listed::{Listed, listed};
use crate::ask::conclude::basis::listed_kinds::{aspect_of, kind_listed, name_of, plural};
use crate::ask::conclude::basis::named::named_entities;
use crate::ask::conclude::basis::not_stated::{limited_fact, none_listed, not_stating};
use crate::ask::conclude::basis::over_rows::held_over_rows;
use crate::ask::conclude::basis::search_result::SearchResult;
use crate::ask::conclude::basis::wording::Names;
use crate::ask::conclude::lookup::denial::denial;
use crate::ask::question::{Quantity, QueryError, Question};
use crate::model::Field;
use crate::stores::Stores;
use crate::values::EntityKind;
use crate::values::text::{and_list, counted};

/// More names than this are counted, not said; a table has them.
pub const NAMES_IN_LIST: usize = 8;

/// So many where every one is asked for.
const NAMES_OF_EVERY: usize = 24;

/// Lists what was asked for, and what is listed beside it: the devices of `networks and devices measured in fp8`.
///
/// # Errors
///
/// When a store fails.
pub fn conclude(stores: &Stores, question: &Question, found: &SearchResult<'_>) -> Result<Conclusion, QueryError> {
    let mut all = of_one_kind(stores, question, found)?;
    for aspect in &question.wanted.beside {
        let mut of_other = question.clone();
        of_other.about = None;
        of_other.wanted.candidates = Some(*aspect);
        let other = of_one_kind(stores, &of_other, found)?;
        // What nothing has is said once.
        if other.text == all.text {
            continue;
        }
        all.text = format!("{} {}", all.text, other.text);
        all.entries.extend(other.entries);
    }
    Ok(all)
}

/// Lists what is of one kind.
fn of_one_kind(stores: &Stores, question: &Question, found: &SearchResult<'_>) -> Result<Conclusion, QueryError> {
    if let Some(graded) = graded_classes(stores, question)? {
        return Ok(graded);
    }
    // `the rounds, with the networks of each`: these are what is told of them.
    let listed_kind = match question.wanted.of_each {
        Some(_) => Some(EntityKind::Source),
        None => kind_listed(question),
    };
    let Some(kind) = listed_kind else {
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
    if let Some(of) = question.wanted.of_each.filter(|_| kind == EntityKind::Source && !entities.is_empty()) {
        return in_each(stores, question, entities, of);
    }
    let mut names = Names::default();
    let mut text = match entities.is_empty() {
        true if question.wanted.unmeasured => {
            let (noun, all) = (kind.noun(), stores.index.entities(kind, &question.condition_without(None))?);
            format!("None: each {noun} of the {} that meet this has measurements.", all.len())
        }
        true if question.wanted.each_of.len() + question.wanted.none_of.len() > 0
            || question.wanted.counted.is_some() =>
        {
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
    if let Some(with_such_rows) = with_such_rows(stores, question, kind)? {
        // Who speaks of rows asks who has such rows; who speaks of sources, which have no others.
        if question.clauses.iter().any(|clause| !clause.is_excluded()) {
            let text = format!("{} With no others: {text}", with_such_rows.text);
            return Ok(Conclusion { text, entries: with_such_rows.entries });
        }
        text = format!("{text} {}", with_such_rows.text);
    }
    // It is said first: who reads the list takes it for known.
    if let Some(caveat) = without_text_alone(question, &entities) {
        text = format!("{caveat} {text}");
    }
    text.extend(by_rows_alone(stores, question, kind, &entities)?);
    text.extend(on_class(stores, question, kind, &entities)?);
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
