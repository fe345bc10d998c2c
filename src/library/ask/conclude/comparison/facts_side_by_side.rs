//! What the catalog states of the sides of a comparison, side by side.

use crate::ask::conclude::basis::asked_facts::facts_asked_for;
use crate::ask::conclude::basis::conclusion::{Conclusion, Entry};
use crate::ask::conclude::basis::fact_entries::{compared_facts, overview_facts, side_entry, statements};
use crate::ask::conclude::basis::fact_wording::{fact_name, number_text, value_text};
use crate::ask::conclude::basis::named::{NamedEntity, named_sides};
use crate::ask::conclude::basis::statement::has;
use crate::ask::conclude::basis::wording::three;
use crate::ask::conclude::catalog::class_grades::grades_side_by_side;
use crate::ask::conclude::catalog::fact_sentence::tell;
use crate::ask::question::{Clause, Quantity, QueryError, Question};
use crate::model::{Fact, FactType};
use crate::stores::Stores;
use crate::values::EntityKind;

/// More facts in which sides differ than this are counted in the sentence.
const MOST_COMPARED: usize = 5;

/// The same where the differences themselves are asked for.
const MOST_OF_DIFFERENCES: usize = 12;

/// What the catalog states of the sides of a comparison where they differ, side by side: a sentence, and an entry for each
/// fact and side. Of hardware classes these are the grades. `None` where the sides are no entities of one kind.
///
/// # Errors
///
/// When a store fails.
pub(in crate::ask::conclude) fn facts_side_by_side(
    stores: &Stores,
    question: &Question,
) -> Result<Option<(String, Vec<Entry>)>, QueryError> {
    let sides = named_sides(stores, question)?;
    let Some(kind) = sides.first().map(|side| side.kind) else { return Ok(None) };
    // The facts of a family are not those of its members of one size.
    let is_sized = |side: &Clause| side.readings.iter().any(|reading| reading.read_as.facet == Fact::Parameters.key());
    if question.wanted.sides.iter().any(is_sized) {
        return Ok(None);
    }
    let of_one_kind = sides.len() == question.wanted.sides.len() && sides.iter().all(|side| side.kind == kind);
    if !of_one_kind || sides.len() < 2 {
        return Ok(None);
    }
    let rows: Vec<(String, Vec<Entry>)> = match kind {
        EntityKind::HardwareClass => grades_side_by_side(stores, &sides)?,
        _ => {
            let mut rows = Vec::new();
            let asked = facts_asked_for(question, &sides);
            let facts: Vec<Fact> = match () {
                () if !asked.is_empty() => asked,
                () if question.wanted.differences => told_facts(kind),
                () => compared_facts(kind).collect(),
            };
            for fact in facts {
                rows.extend(side_by_side(stores, &sides, fact)?.map(|entries| (fact_name(fact), entries)));
            }
            rows
        }
    };
    if rows.is_empty() {
        return Ok(None);
    }
    let of_classes = kind == EntityKind::HardwareClass;
    let most = if question.wanted.differences { MOST_OF_DIFFERENCES } else { MOST_COMPARED };
    let mut said: Vec<String> = rows
        .iter()
        .take(most)
        .map(|(name, entries)| if of_classes { graded(name, entries) } else { against(name, entries) })
        .collect();
    if rows.len() > most {
        said.push(match (rows.len() - most, of_classes) {
            (1, true) => "and 1 more grade differs".to_owned(),
            (1, false) => "and 1 more fact differs".to_owned(),
            (more, true) => format!("and {more} more grades differ"),
            (more, false) => format!("and {more} more facts differ"),
        });
    }
    if of_classes {
        let sentence = format!("Grades of the catalog: {}.", said.join("; "));
        return Ok(Some((sentence, rows.into_iter().flat_map(|(_, entries)| entries).collect())));
    }
    let sentence = format!("By the catalog: {}.", said.join(", "));
    Ok(Some((sentence, rows.into_iter().flat_map(|(_, entries)| entries).collect())))
}

/// What tells two entities of a kind apart, where their differences are asked for.
fn told_facts(kind: EntityKind) -> Vec<Fact> {
    let more: &[Fact] = match kind {
        EntityKind::Device => &[
            Fact::Class,
            Fact::Chip,
            Fact::MemoryType,
            Fact::Cores,
            Fact::TensorCores,
            Fact::PeakInt8Tensor,
            Fact::Process,
            Fact::ComputeCapability,
        ],
        EntityKind::Framework => &[Fact::Steward, Fact::FirstRelease],
        _ => &[],
    };
    overview_facts(kind).iter().chain(more).copied().collect()
}

/// One fact, or one grade, of each side of a comparison.
fn side_by_side(stores: &Stores, sides: &[NamedEntity], fact: Fact) -> Result<Option<Vec<Entry>>, QueryError> {
    let of_sides: Vec<Entry> = sides
        .iter()
        .map(|side| side_entry(stores, side, fact))
        .collect::<Result<Vec<_>, _>>()?
        .into_iter()
        .flatten()
        .collect();
    let differs = of_sides.windows(2).any(|pair| {
        let values = |entry: &Entry| (entry.value.clone(), entry.low, entry.high);
        values(&pair[0]) != values(&pair[1])
    });
    Ok((of_sides.len() == sides.len() && differs).then_some(of_sides))
}

/// What the catalog states of the sides of a comparison where facts alone are asked for, alike or not; `None` where more is
/// asked for, or where a side is no entity that can state them.
///
/// # Errors
///
/// When a store fails.
pub(in crate::ask::conclude) fn facts_of_sides(
    stores: &Stores,
    question: &Question,
) -> Result<Option<Conclusion>, QueryError> {
    let quantities = &question.wanted.quantities;
    let sides = named_sides(stores, question)?;
    let only_facts = !quantities.is_empty() && quantities.iter().all(|quantity| matches!(quantity, Quantity::Fact(_)));
    let Some(kind) = sides.first().map(|side| side.kind).filter(|_| only_facts) else { return Ok(None) };
    let facts = facts_asked_for(question, &sides);
    let are_able = sides.iter().all(|side| side.kind == kind) && facts.iter().all(|fact| has(kind, *fact));
    if !are_able || sides.len() != question.wanted.sides.len() {
        return Ok(None);
    }
    let mut conclusion = Conclusion::default();
    let mut sentences = Vec::new();
    for fact in facts {
        let (sentence, entries) = tell(stores, question, &sides, fact)?;
        sentences.push(sentence);
        sentences.extend(ratio_of_two(stores, &sides, fact)?);
        conclusion.entries.extend(entries);
    }
    conclusion.text = sentences.join(" ");
    Ok(Some(conclusion))
}

/// `That of A is 1.5 times that of B.`
fn ratio_of_two(stores: &Stores, sides: &[NamedEntity], fact: Fact) -> Result<Option<String>, QueryError> {
    let [a, b] = sides else { return Ok(None) };
    let number = |side: &NamedEntity| -> Result<Option<(String, f64)>, QueryError> {
        let stated = statements(stores, side, fact)?;
        Ok(match stated.as_slice() {
            [only] => only.number().filter(|number| *number > 0.0).map(|number| (only.name.clone(), number)),
            _ => None,
        })
    };
    let (Some(a), Some(b)) = (number(a)?, number(b)?) else { return Ok(None) };
    if matches!(fact.value_type(), FactType::Date) || fact == Fact::Published || a.1 == b.1 {
        return Ok(None);
    }
    let (larger, smaller) = if a.1 > b.1 { (a, b) } else { (b, a) };
    Ok(Some(format!("That of {} is {} times that of {}.", larger.0, three(larger.1 / smaller.1), smaller.0)))
}

/// `memory 16 against 32 GiB`.
fn against(name: &str, entries: &[Entry]) -> String {
    let values: Vec<String> = entries.iter().map(entry_in_words).collect();
    let unit = entries.first().and_then(|entry| entry.unit.clone()).map_or_else(String::new, |unit| format!(" {unit}"));
    format!("{name} {}{unit}", values.join(" against "))
}

/// `low latency GPU low, FPGA moderate`.
fn graded(name: &str, entries: &[Entry]) -> String {
    let class = |entry: &Entry| entry.subjects.values().next().map(ToString::to_string).unwrap_or_default();
    let grades = entries.iter().map(|entry| format!("{} {}", class(entry).to_uppercase(), entry_in_words(entry)));
    format!("{name} {}", grades.collect::<Vec<_>>().join(", "))
}

/// The value of an entry, or its range, without the unit.
fn entry_in_words(entry: &Entry) -> String {
    match (&entry.value, entry.low, entry.high) {
        (Some(value), ..) => value_text(value),
        (None, Some(low), Some(high)) => format!("{} to {}", number_text(low), number_text(high)),
        _ => "not known".to_owned(),
    }
}
