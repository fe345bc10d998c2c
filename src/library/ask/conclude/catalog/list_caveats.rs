//! What must be said of a list: what it rests on, what rows say otherwise of it, and what is not known of some in it.

use std::collections::BTreeSet;

use crate::ask::conclude::basis::fact_wording::fact_name;
use crate::ask::conclude::basis::listed::{Listed, class_of_rows};
use crate::ask::conclude::basis::listed_kinds::{aspect_of, name_of, plural};
use crate::ask::conclude::basis::over_rows::{known_by_family_alone, not_stated_in_rows};
use crate::ask::conclude::basis::row_counts::RowCounts;
use crate::ask::conclude::basis::statement::has;
use crate::ask::conclude::basis::tested_rows::tested_on;
use crate::ask::conclude::basis::wording::Names;
use crate::ask::question::{Clause, Quantity, QueryError, Question};
use crate::model::{Aspect, Facet, Field};
use crate::stores::Stores;
use crate::stores::index::Condition;
use crate::values::EntityKind;
use crate::values::text::{and_list, counted, or_list};

/// What some alone state is told of so many facts.
const MOST_UNKNOWN: usize = 3;

/// So many names are told behind a list.
const MOST_NAMES: usize = 6;

/// What a list rests on where no more than a word of its conditions is in the texts of the entries: `import` of `frameworks that
/// import onnx` is no fact that is kept.
pub(super) fn by_text_alone(question: &Question, entities: &[Listed]) -> Option<String> {
    let is_text = |clause: &&Clause| clause.plain_kind() == Some("text") && !clause.text.contains([':', '"']);
    let words: Vec<String> =
        question.clauses.iter().filter(is_text).map(|clause| format!("`{}`", clause.text)).collect();
    let all = !words.is_empty() && words.len() == question.clauses.len() && !entities.is_empty();
    all.then(|| format!(" Found by the text alone that has {}: no fact is kept of it.", and_list(&words)))
}

/// What a list rests on that excludes a word which no fact is called by: ` No fact is kept of `frobnicate`: left out are those with
/// rows or an entry that have the word.`
pub(super) fn without_text_alone(question: &Question, entities: &[Listed]) -> Option<String> {
    let is_text = |clause: &&Clause| clause.readings.iter().all(|reading| reading.read_as.facet == "text");
    let excluded = question.wanted.none_of.iter().chain(question.clauses.iter().filter(|clause| clause.is_excluded()));
    let words: Vec<String> =
        excluded.filter(is_text).map(|clause| format!("`{}`", clause.text.trim_start_matches('-'))).collect();
    let told = !words.is_empty() && !entities.is_empty();
    told.then(|| format!("No fact is kept of {}: left out is only what has the word in a text.", and_list(&words)))
}

/// Of frameworks that are listed for not running on a class of hardware those that have rows on it: ` By its rows KILT runs on GPU
/// (16), although its entry does not say so.`
pub(super) fn contradicted_by_rows(
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

/// Of frameworks that are listed by the hardware which their entries name: whose rows are counted, and who has such rows although
/// its entry does not name it.
pub(super) fn on_class(
    stores: &Stores,
    question: &Question,
    kind: EntityKind,
    entities: &[Listed],
) -> Result<Option<String>, QueryError> {
    let Some(class) = class_of_rows(stores, question, kind)? else { return Ok(None) };
    if stores.index.entities(kind, &question.condition_without(None))?.is_empty() {
        return Ok(None);
    }
    let hits = stores.index.measurements(&class.condition, None, &[], 0, 0)?;
    let aspect = Aspect::Field(Field::Framework);
    let mut counts = RowCounts::of(stores, &hits, aspect)?;
    counts.values.retain(|(id, _)| entities.iter().all(|listed| listed.id != *id));
    let others = match counts.values.is_empty() {
        true => String::new(),
        false => {
            let told = counts.in_words(stores, &mut Names::default(), aspect, MOST_NAMES)?;
            format!(" By rows alone, whatever their entries say: {told}.")
        }
    };
    Ok(Some(format!(" Their entries name `{}`; the rows counted are those on it.{others}", class.text)))
}

/// Of the facts that are asked for of each in a list those that some or none of them state: `5 of the 12 state parameters.`
pub(super) fn asked_and_unknown(question: &Question, kind: EntityKind, entities: &[Listed]) -> Option<String> {
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
pub(super) fn by_family_alone(
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
pub(super) fn by_rows_left_open(
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

/// How many of the frameworks listed have rows of what was asked for and no listed test, in words.
pub(super) fn by_rows_alone(
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
