//! Questions about something that the knowledge base does not know: one clear sentence instead of all rows.

use strum::VariantArray as _;

use super::near_products::{near_products, nearest_ids};
use crate::ask::conclude::basis::conclusion::Conclusion;
use crate::ask::conclude::basis::listed_kinds::name_of;
use crate::ask::conclude::basis::row_counts::RowCounts;
use crate::ask::conclude::basis::search_result::SearchResult;
use crate::ask::conclude::basis::wording::Names;
use crate::ask::question::{Clause, Intent, QueryError, Question};
use crate::model::{Aspect, Facet, Fact, Field, Lookup as _, Name};
use crate::stores::Stores;
use crate::stores::database::Database;
use crate::stores::index::{Condition, DocumentKind};
use crate::stores::resolve::{begins_product, is_english, nearest_names};
use crate::values::EntityKind;
use crate::values::spelling::normalise;
use crate::values::text::{and_list, capital, counted};

/// So many names are offered.
const NEAREST: usize = 3;
/// No two names have more letters in common from their beginnings; each length is a search.
const LONGEST_BEGINNING: usize = 40;
/// Letters of a word of a task that a name may hold.
const LETTERS_OF_TASK: usize = 6;
/// Letters of a name that others must begin with to be near it.
const BEGINNING: usize = 4;

/// The names that a question is about and that nothing here has: what its reader marked, sides of a comparison, and words
/// that were searched as text where so nothing was found.
///
/// # Errors
///
/// When a store fails.
pub fn unknown_names(stores: &Stores, question: &Question, total: usize) -> Result<Vec<String>, QueryError> {
    let mut unknown = question.wanted.unknown_names.clone();
    let mut add = |clause: &Clause| {
        if !unknown.contains(&clause.text) {
            unknown.push(clause.text.clone());
        }
    };
    for side in question.wanted.sides.iter().filter(|side| is_text(side)) {
        if !is_known(stores, side)? {
            add(side);
        }
    }
    if total == 0 {
        for clause in question.clauses.iter().filter(|clause| is_name(clause)) {
            if !is_known(stores, clause)? {
                add(clause);
            }
        }
    }
    Ok(unknown)
}

/// Says that what is asked about is not known, and what is nearest to it.
///
/// # Errors
///
/// When a store fails.
pub(in crate::ask::conclude) fn conclude(
    stores: &Stores,
    question: &Question,
    found: &SearchResult<'_>,
) -> Result<Option<Conclusion>, QueryError> {
    let unknown = unknown_names(stores, question, found.hits.total)?;
    if unknown.is_empty() {
        return Ok(None);
    }
    let names: Vec<String> = unknown.iter().map(|name| format!("`{name}`")).collect();
    let is = if names.len() == 1 { "is" } else { "are" };
    let mut near = Vec::new();
    let mut called = Names::default();
    for name in &unknown {
        near.extend(nearest(stores, name, &mut called)?);
    }
    near.truncate(NEAREST);
    let mut parts = String::new();
    for name in &unknown {
        parts.extend(known_part(stores, name, &mut called)?);
    }
    let near = match near.is_empty() {
        true => String::new(),
        false => format!("; nearest: {}", near.join(", ")),
    };
    // One known side is told by itself.
    let rest = match with_one_known_side(stores, question)? {
        Some(_) => String::new(),
        None => rest_of_question(stores, question, &unknown, &mut called)?.unwrap_or_default(),
    };
    Ok(Some(Conclusion {
        text: format!("{} {is} not in the knowledge base{near}.{parts}{rest}", and_list(&names)),
        entries: Vec::new(),
    }))
}

/// What of an unknown name of several words is known: ` `groq` alone is in 7 rows, of Llama 2 70B (7).`
fn known_part(stores: &Stores, name: &str, names: &mut Names) -> Result<Option<String>, QueryError> {
    let words: Vec<&str> = name.split_whitespace().collect();
    let is_word =
        |word: &str| word.len() > 2 && word.chars().all(char::is_alphabetic) && !is_english(&word.to_lowercase());
    let [first, _, ..] = words.as_slice() else { return Ok(None) };
    // What begins the names of entities is told by these.
    let begins = stores.database.beginning(&normalise(first))?;
    if !is_word(first) || !begins.is_empty() {
        return Ok(None);
    }
    let hits = stores.index.measurements(&Condition::Text((*first).to_owned()), None, &[], 0, 0)?;
    let aspect = Aspect::Field(Field::Network);
    let counts = RowCounts::of(stores, &hits, aspect)?;
    if counts.values.is_empty() {
        return Ok(None);
    }
    let told = counts.in_words(stores, names, aspect, NEAREST)?;
    Ok(Some(format!(" `{first}` alone is in {}, of {told}.", counted(hits.total, "row", "rows"))))
}

/// What was measured of the rest of the question, counted by what the unknown name may be one of: ` Rows with `vgg19` are of …`.
fn rest_of_question(
    stores: &Stores,
    question: &Question,
    unknown: &[String],
    names: &mut Names,
) -> Result<Option<String>, QueryError> {
    let mut words: Vec<String> = Vec::new();
    let mut conditions = Vec::new();
    let mut kinds: Vec<&str> = Vec::new();
    let known_sides = question.clauses.iter().flat_map(|clause| &clause.sides).filter(|side| !is_text(side));
    let known = question.clauses.iter().filter(|clause| clause.sides.is_empty()).chain(known_sides);
    for clause in known.filter(|clause| !is_text(clause) && !unknown.contains(&clause.text)) {
        let word = format!("`{}`", clause.text);
        if !words.contains(&word) {
            words.push(word);
        }
        conditions.push(clause.condition.clone());
        kinds.extend(clause.plain_kind());
    }
    // Two known sides are answered for themselves.
    let sides = question.wanted.sides.iter().filter(|side| !is_text(side)).count();
    if question.wanted.sides.len() > 1 && sides > 0 {
        return Ok(None);
    }
    let of_entity = |kind: &&str| {
        matches!(
            kind.parse(),
            Ok(Facet::Device | Facet::Network | Facet::Framework | Facet::Dataset | Facet::Source | Facet::Task)
        )
    };
    if !kinds.iter().any(of_entity) || sides > 1 {
        return Ok(None);
    }
    let hits = stores.index.measurements(&Condition::All(conditions), None, &[], 0, 0)?;
    if hits.total == 0 {
        return each_for_itself(stores, question, unknown, names);
    }
    let missing = [Field::Device, Field::Network, Field::Framework];
    let Some(field) = missing.into_iter().find(|field| !kinds.contains(&field.key())) else { return Ok(None) };
    let aspect = Aspect::Field(field);
    let mut counts = RowCounts::of(stores, &hits, aspect)?;
    if counts.values.is_empty() {
        return Ok(None);
    }
    // What is of the same series is nearest to who asks for another member.
    let series = nearest_ids(stores, unknown)?;
    let place = |id: &String| series.iter().position(|near| near == id).unwrap_or(usize::MAX);
    counts.values.sort_by_key(|(id, _)| place(id));
    let told = counts.in_words(stores, names, aspect, NEAREST)?;
    Ok(Some(format!(" Rows with {} are of {told}.", and_list(&words))))
}

/// Where nothing meets all that is known of a question, what was measured of each entity that it names: ` No row has both; rows with
/// `densenet 121` are of V100 (40); rows with `coreml` are of iPhone 13 (2).`
fn each_for_itself(
    stores: &Stores,
    question: &Question,
    unknown: &[String],
    names: &mut Names,
) -> Result<Option<String>, QueryError> {
    let mut told = Vec::new();
    for clause in question.clauses.iter().filter(|clause| !is_text(clause) && !unknown.contains(&clause.text)) {
        let beside = match clause.plain_kind() {
            Some("network" | "framework" | "task") => Field::Device,
            Some("device") => Field::Network,
            _ => continue,
        };
        let hits = stores.index.measurements(&clause.condition, None, &[], 0, 0)?;
        let counts = RowCounts::of(stores, &hits, Aspect::Field(beside))?;
        if !counts.values.is_empty() {
            let ran = counts.in_words(stores, names, Aspect::Field(beside), NEAREST)?;
            told.push(format!("rows with `{}` are of {ran}", clause.text));
        }
    }
    Ok(match told.len() {
        0 => None,
        1 => Some(format!(" {}.", capital(&told[0]))),
        _ => Some(format!(" No row has all the rest; {}.", told.join("; "))),
    })
}

/// The question without the sides that nothing here has; `None` where fewer than two are left.
pub(in crate::ask::conclude) fn without_unknown_sides(
    stores: &Stores,
    question: &Question,
) -> Result<Option<Question>, QueryError> {
    let mut known = question.clone();
    known.wanted.unknown_names.clear();
    known.wanted.sides.clear();
    for side in &question.wanted.sides {
        if !is_text(side) || is_known(stores, side)? {
            known.wanted.sides.push(side.clone());
        }
    }
    Ok((known.wanted.sides.len() > 1).then_some(known))
}

/// The question about the one side that is known; `None` where there is none, or several.
pub(in crate::ask::conclude) fn with_one_known_side(
    stores: &Stores,
    question: &Question,
) -> Result<Option<Question>, QueryError> {
    let mut known = Vec::new();
    for side in &question.wanted.sides {
        if !is_text(side) || is_known(stores, side)? {
            known.push(side);
        }
    }
    Ok(match known.as_slice() {
        // What nothing is called is a device as likely as a network.
        [only] if only.plain_kind() != Some(Facet::Network.key()) => about_side(question, only),
        _ => None,
    })
}

/// The question about one of its sides.
pub(in crate::ask::conclude) fn about_side(question: &Question, side: &Clause) -> Option<Question> {
    let at = question.wanted.joined_at?;
    let mut about = question.clone();
    *about.clauses.get_mut(at)? = side.clone();
    about.wanted.sides.clear();
    about.wanted.joined_at = None;
    about.wanted.intent = Intent::Lookup;
    about.wanted.unknown_names.clear();
    Some(about)
}

/// Whether a clause is a word searched as text that may be a name: one with a figure in it, or none that is English.
fn is_name(clause: &Clause) -> bool {
    let is_word = is_text(clause) && clause.sides.is_empty() && !clause.text.starts_with(['"', '-']);
    let letters = clause.text.chars().filter(|c| c.is_alphabetic()).count();
    let has_figure = clause.text.chars().any(|c| c.is_ascii_digit());
    is_word && letters > 0 && (has_figure || letters > BEGINNING && !is_english(&clause.text.to_lowercase()))
}

/// Whether a clause is nothing but words that were searched as text.
fn is_text(clause: &Clause) -> bool {
    matches!(clause.readings.as_slice(), [reading] if reading.read_as.how == "text")
}

/// Whether any measurement or entity has the words.
fn is_known(stores: &Stores, clause: &Clause) -> Result<bool, QueryError> {
    if begins_product::<Database>(&clause.text, &stores.database)? {
        return Ok(false);
    }
    if stores.index.count(DocumentKind::Measurement, &clause.condition)? > 0 {
        return Ok(true);
    }
    for kind in EntityKind::VARIANTS {
        if stores.index.count(DocumentKind::Entity(*kind), &clause.condition)? > 0 {
            return Ok(true);
        }
    }
    Ok(false)
}

/// What is called nearly so, else what begins so.
fn nearest(stores: &Stores, word: &str, names: &mut Names) -> Result<Vec<String>, QueryError> {
    let mut near: Vec<Name> = nearest_names::<Database>(word, &stores.database, NEAREST)?;
    if near.len() < NEAREST {
        near.extend(near_products(stores, word)?);
    }
    if near.is_empty() {
        near = beginning_alike(stores, &normalise(word))?;
    }
    let mut called: Vec<String> = Vec::new();
    for name in near {
        let Some(kind) = name.facet.entity_kind() else { continue };
        let name = name_of(stores, names, kind, &name.value)?;
        if !called.contains(&name) && called.len() < NEAREST {
            called.push(name);
        }
    }
    // What is of the task that it speaks of is as near as what is spelled nearly so.
    let of_task = of_task(stores, word, names)?;
    if !of_task.is_empty() {
        called.truncate(1);
    }
    for network in of_task {
        if !called.contains(&network) && called.len() < NEAREST {
            called.push(network);
        }
    }
    Ok(called)
}

/// The networks most measured of the task that a name speaks of: those of speech recognition for `deepspeech`.
fn of_task(stores: &Stores, word: &str, names: &mut Names) -> Result<Vec<String>, QueryError> {
    let word = normalise(word);
    let tasks = stores.database.aspect(Aspect::Fact(Fact::Task))?;
    let speaks_of = |task: &&str| task.split('-').any(|part| part.len() >= LETTERS_OF_TASK && word.contains(part));
    let mut spoken: Vec<String> = tasks.values().filter(speaks_of).map(str::to_owned).collect();
    spoken.dedup();
    if spoken.is_empty() {
        return Ok(Vec::new());
    }
    let hits = stores.index.measurements(&Condition::Facet(Facet::Task, spoken), None, &[], 0, 0)?;
    let counts = RowCounts::of(stores, &hits, Aspect::Field(Field::Network))?;
    let mut called = Vec::new();
    for (network, _) in counts.values.iter().take(NEAREST) {
        called.push(name_of(stores, names, EntityKind::Network, network)?);
    }
    Ok(called)
}

/// The names that share the longest beginning with a word, as long as it is more than a few letters or an English word.
fn beginning_alike(stores: &Stores, word: &str) -> Result<Vec<Name>, QueryError> {
    let letters: Vec<char> = word.chars().collect();
    let leads = letters.iter().take_while(|c| c.is_alphabetic()).count();
    // MovieLens and Movidius share no more than chance.
    let least = BEGINNING.max(letters.len() / 2 + 1);
    for length in (least..letters.len().min(LONGEST_BEGINNING)).rev() {
        let beginning: String = letters[..length].iter().collect();
        if leads < BEGINNING || is_english(&beginning) {
            break;
        }
        let mut names = stores.database.beginning(&beginning)?;
        if !names.is_empty() {
            names.sort_by_key(|name| name.normal.len());
            return Ok(names);
        }
    }
    Ok(Vec::new())
}

#[cfg(test)]
mod tests {
    use crate::ask::conclude::basis::sample::Sample;
    use crate::ask::question::Intent;

    #[test]
    fn what_is_not_known_is_said_with_what_is_nearest() {
        let sample = Sample::of(&[]);
        let question = sample.question("deepnet-99", Intent::Overview);
        let conclusion = sample.conclude(&question);
        assert!(
            conclusion.text.starts_with("`deepnet-99` is not in the knowledge base; nearest: DeepNet-"),
            "{}",
            conclusion.text
        );
        assert!(conclusion.entries.is_empty());
    }
}
