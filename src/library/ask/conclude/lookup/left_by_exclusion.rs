//! What is left where a question excludes hardware or software: who asks for anything but NVIDIA is told whose it is then.

use crate::ask::conclude::basis::row_counts::RowCounts;
use crate::ask::conclude::basis::search_result::SearchResult;
use crate::ask::conclude::basis::wording::Names;
use crate::ask::question::{Clause, QueryError, Question, is_hardware};
use crate::model::{Aspect, Facet, Fact, Field};
use crate::stores::Stores;
use crate::values::text::and_list;

/// So many of what is left are named.
const NAMED: usize = 5;

/// More devices or frameworks than this are no short list: the rest of nearly everything.
const MOST: usize = 40;

/// ` Left without `nvidia`: Habana (120), Google (40) …; devices: …`; `None` where nothing is excluded whose rest has several names.
///
/// # Errors
///
/// When a store fails.
pub(super) fn left(
    stores: &Stores,
    question: &Question,
    found: &SearchResult<'_>,
) -> Result<Option<String>, QueryError> {
    let is_named =
        |clause: &&Clause| clause.is_excluded() && clause.readings.iter().all(|one| one.read_as.values != ["stated"]);
    let excluded: Vec<&Clause> = question.clauses.iter().filter(is_named).collect();
    let kind = |clause: &Clause| clause.readings.first().map(|one| one.read_as.facet.clone()).unwrap_or_default();
    let of = |is: &dyn Fn(&str) -> bool| -> Vec<String> {
        let clauses = excluded.iter().filter(|clause| is(&kind(clause)));
        clauses.map(|clause| format!("`{}`", clause.text.trim_start_matches('-'))).collect()
    };
    let hardware = of(&|kind| is_hardware(kind) && kind != Facet::Instance.key());
    let software = of(&|kind| kind == Facet::Framework.key());
    // Whose they are is asked where a maker is left out, or a class.
    let of_makers = !of(&|kind| kind == Facet::Vendor.key() || kind == Facet::Class.key()).is_empty();
    let (words, aspects) = match (hardware.is_empty(), software.is_empty()) {
        (false, _) if of_makers => (hardware, vec![Aspect::Fact(Fact::Vendor), Aspect::Field(Field::Device)]),
        (false, _) => (hardware, vec![Aspect::Field(Field::Device)]),
        (true, false) => (software, vec![Aspect::Field(Field::Framework)]),
        _ => return Ok(None),
    };
    let mut told = Vec::new();
    for aspect in aspects {
        // Whoever is asked for by name needs no list of it.
        let is_named =
            question.clauses.iter().any(|clause| !clause.is_excluded() && clause.plain_kind() == Some(aspect.key()));
        let counts = RowCounts::of(stores, found.hits, aspect)?;
        if is_named || !(2..=MOST).contains(&counts.values.len()) {
            continue;
        }
        told.push(counts.in_words(stores, &mut Names::default(), aspect, NAMED)?);
    }
    Ok((!told.is_empty()).then(|| format!("Left without {} (rows): {}.", and_list(&words), told.join("; "))))
}
