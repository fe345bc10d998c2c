//! From [`Question`](crate::ask::parse::Question) to [`Outcome`]: runs a question against the stores.

mod compare;
pub(in crate::ask) mod condition;
mod counted;
pub(in crate::ask) mod effects;
mod entities;
mod estimate;
mod facts;
mod fits;
mod indirect;
pub(in crate::ask) mod key;
mod lookup;
pub(in crate::ask) mod measure;
mod nearest;
mod outcome;
pub(in crate::ask) mod pair;
pub(in crate::ask) mod plan;
mod rank;
pub(in crate::ask) mod ranking;
mod ratio;
mod relaxation;
mod series;
pub(in crate::ask) mod sizes;
pub(in crate::ask) mod spread;
mod statement;
pub(in crate::ask) mod under;
pub(in crate::ask) mod unread;

pub use condition::{checked_later, condition, values_of};
pub(in crate::ask) use effects::Measurers;
pub(in crate::ask) use entities::for_newest_source;
pub use estimate::{Estimated, Estimates, SCHEMA as ESTIMATE_SCHEMA, estimate};
pub(in crate::ask) use facts::GRADES;
pub(in crate::ask) use key::subjects_of;
pub use outcome::{Entry, EntryValue, Measured, MissingWord, Outcome, PairValues, Remark, SPEED_UP, Subjects};

use std::time::{Duration, Instant};

use crate::ask::parse::{Ask, Filter, Key, Quantity, Question, Result, Test, print};
use crate::model::{Derived, Facet, Metric};
use crate::stores::Stores;

/// Answers a question with values; `ask/answer` words them.
///
/// # Errors
///
/// When a store fails.
pub fn execute(stores: &Stores, question: &Question) -> Result<Outcome> {
    if let Some(stopped) = unread::not_found(stores, question)? {
        return Ok(stopped);
    }
    if let Some(how_to) = unread::how_to(question).filter(|_| asks_nothing_else(question)) {
        return Ok(Outcome::of(question.ask).prepending([how_to]));
    }
    let mut outcome = cached_or_executed(stores, question)?;
    if is_about_rows(outcome.ask) || outcome.ask == Ask::List {
        outcome.remarks.extend(plan::unstated(stores, question)?);
        outcome.remarks.extend(plan::mixed_precision(stores, question, &outcome)?);
    }
    Ok(outcome.prepending(unread::remarks(stores, question)?))
}

/// Whether the question asks for nothing but rows, and has no filter, order or axis.
fn asks_nothing_else(question: &Question) -> bool {
    let names_nothing = question.subject.terms.is_empty() && question.sides.is_empty();
    let wants_rows = question.wants.iter().all(|want| *want == Quantity::Rows);
    names_nothing && wants_rows && question.of.is_none() && question.order.is_none() && question.along.is_none()
}

/// The answer to a question. Slow answers, such as rankings over everything, are cached.
fn cached_or_executed(stores: &Stores, question: &Question) -> Result<Outcome> {
    /// Build hash of the code that computes answers (`build.rs`): a new build does not read old cache entries.
    const CODE: &str = env!("DLBENCH_ANSWERS");
    const WORTH_CACHING: Duration = Duration::from_millis(20);
    let name = format!("{CODE} {}", print(question));
    let is_cacheable = matches!(question.ask, Ask::Rank | Ask::Compare);
    let cached = is_cacheable.then(|| stores.cached_result(&name)).flatten();
    if let Some(outcome) = cached.and_then(|text| serde_json::from_str(&text).ok()) {
        return Ok(outcome);
    }
    let begun = Instant::now();
    let outcome = with_fallbacks(stores, question)?;
    if is_cacheable && begun.elapsed() > WORTH_CACHING && outcome.relaxed.is_none() {
        // Some remarks cannot be serialized; such an outcome is not cached.
        serde_json::to_string(&outcome).into_iter().for_each(|text| stores.cache_result(&name, &text));
    }
    Ok(outcome)
}

/// The answer to a question. If nothing matches: with fewer conditions, by another measure, or the facts of a named entity.
fn with_fallbacks(stores: &Stores, question: &Question) -> Result<Outcome> {
    let first = by_kind(stores, question)?;
    let is_unknown = |remark: &Remark| matches!(remark, Remark::FactUnknown { .. });
    // The catalog only knows hardware classes: rows alone show whether a framework runs on a device.
    let is_open = |entry: &Entry| entry.quantity == "rows" && entry.value.is_none();
    let is_of_parts = question.subject.has(Facet::Device) || question.subject.terms.len() > 2;
    if question.holds && is_of_parts && first.entries.first().is_some_and(is_open) {
        let parts = relaxation::rows_without_each(stores, question)?;
        return Ok(without_a_row(question, parts, first.remarks));
    }
    if question.ask == Ask::Fits && first.entries.is_empty() && first.remarks.iter().any(is_unknown) {
        // If the memory size is unknown, rows that ran on the device show that the network fits.
        let of_rows = Question { ask: Ask::Lookup, of: None, ..question.clone() };
        let rows = by_kind(stores, &of_rows)?;
        let is_of_both = question.subject.has(Facet::Device) && question.subject.has(Facet::Network);
        return Ok(match rows.entries.is_empty() {
            true if is_of_both => with_fallbacks(stores, &of_rows)?.prepending(first.remarks),
            true => first,
            false => rows.prepending(first.remarks),
        });
    }
    // `is the MI250 any good with PyTorch`
    if question.ask == Ask::Overview && first.entries.is_empty() && question.subject.terms.len() > 1 {
        return with_fallbacks(stores, &Question { ask: Ask::Lookup, ..question.clone() });
    }
    // If the catalog states the fact for no candidate, rows do not state it either.
    let is_unstated = |remark: &Remark| matches!(remark, Remark::RankedByFact { ranked: 0, unknown: 1.., .. });
    if !first.entries.is_empty() || !is_about_rows(question.ask) || first.remarks.iter().any(is_unstated) {
        return Ok(first);
    }
    // For a series with a stage: scaling in training says nothing about scaling in inference, so the stage stays.
    let has_stage = |question: &Question| question.ask != Ask::Along || question.subject.has(Facet::Stage);
    let of_stage = has_stage(question);
    let relaxed = relaxation::relaxed(stores, question)?.into_iter();
    for relaxed in relaxed.filter(|relaxed| !of_stage || has_stage(&relaxed.question)) {
        let outcome = by_kind(stores, &relaxed.question)?;
        if !outcome.entries.is_empty() {
            let relaxed_to = Some(relaxed.question.subject);
            return Ok(Outcome { relaxed: relaxed_to, ..outcome.prepending(relaxed.remarks) });
        }
    }
    // No two rows differ in the axis alone: show the rows that have the wanted measure.
    let along = match question.ask {
        Ask::Along => lookup::lookup(stores, &Question { ask: Ask::Lookup, ..question.clone() })?,
        _ => Outcome::default(),
    };
    let rows = if along.entries.is_empty() { lookup::other_measures(stores, question)? } else { along };
    if !rows.entries.is_empty() {
        return Ok(rows.prepending(first.remarks));
    }
    let apart = relaxation::row_counts_of_parts(stores, question)?;
    if !apart.is_empty() {
        return Ok(without_a_row(question, apart, first.remarks));
    }
    // Last resort: the catalog facts of the first entity in the question.
    let names_entity = |test: &&Test| matches!(test.key, Key::Facet(facet) if facet.entity_kind().is_some());
    let Some(named) = question.subject.tests().find(names_entity) else { return Ok(first) };
    let named = Filter::from(named.clone());
    let about = Question { ask: Ask::Overview, subject: named.clone(), ..question.clone() };
    let known = facts::overview(stores, &about)?;
    if !known.entries.is_empty() {
        return Ok(Outcome { relaxed: Some(named), ..known.prepending(first.remarks).prepending([no_row(question)]) });
    }
    Ok(first)
}

/// The outcome when no row meets a question: the row counts of its parts.
fn without_a_row(question: &Question, entries: Vec<Entry>, remarks: Vec<Remark>) -> Outcome {
    // Keep the full filter, so that the count of matching rows is 0.
    let relaxed = Some(question.subject.clone());
    Outcome { entries, remarks, relaxed, ..Outcome::of(Ask::Lookup) }.prepending([no_row(question)])
}

fn no_row(question: &Question) -> Remark {
    Remark::NoRow { side: plan::rows_asked(question), alone: 0 }
}

/// Whether a kind of answer is about rows.
fn is_about_rows(ask: Ask) -> bool {
    matches!(ask, Ask::Lookup | Ask::Rank | Ask::Compare | Ask::Along)
}

/// The outcome of a question about a table of sample measurements.
#[cfg(test)]
fn outcome((columns, rows): (&str, &str), question: &str) -> Outcome {
    use crate::stores::sample::{Sample, table};
    asked(&Sample::of(&[("paper-2020", &table(columns, rows))]), question)
}

/// The outcome of a question typed in words.
#[cfg(test)]
fn asked(sample: &crate::stores::sample::Sample, question: &str) -> Outcome {
    let question = crate::ask::parse::parse(question, &sample.stores.database).unwrap();
    execute(&sample.stores, &question).unwrap()
}

/// The same question about the grade that corresponds to its measure, such as energy efficiency for items per joule.
fn as_grade_question(question: &Question) -> Option<Question> {
    let by = question.wants.first().or(question.order.as_ref().map(|order| &order.by))?;
    let metric = match by {
        Quantity::Derived(Derived::ItemsPerTdpJoule) => "energy-efficiency",
        Quantity::Metric(metric) if metric.is_of_energy() => "energy-efficiency",
        Quantity::Metric(Metric::LatencyMs) => "low-latency",
        Quantity::Speed => "computing-performance",
        _ => return None,
    };
    Some(Question { wants: vec![Quantity::HardwareMetric(metric.to_owned())], order: None, ..question.clone() })
}

fn by_kind(stores: &Stores, question: &Question) -> Result<Outcome> {
    let question = &plan::as_executed(question);
    match question.ask {
        Ask::Lookup if plan::is_of_everything(stores, question)? => facts::overview(stores, question),
        Ask::Lookup => lookup::lookup(stores, question),
        Ask::Rank => rank::rank(stores, question),
        Ask::Compare => {
            let compared = compare::compare(stores, question)?;
            let is_class = |side: &Filter| side.terms.iter().all(|term| !term.names(Facet::Class).is_empty());
            // Two classes without a ratio: their grades say more than two rows of different work.
            let has_ratio = compared.entries.first().is_some_and(|entry| entry.quantity == outcome::SPEED_UP);
            let names_work = question.subject.has_any(&[Facet::Framework, Facet::Network]);
            let is_of_classes = question.sides.iter().all(is_class) && !names_work;
            // If one class has no value, only the grades compare both.
            let is_told = |side: &Filter| compared.entries.iter().any(|entry| entry.subjects == key::subjects_of(side));
            let is_one_sided = question.sides.iter().all(is_class) && !question.sides.iter().all(is_told);
            // Grades describe classes, not a network or a device.
            let names_part = names_work || question.subject.has(Facet::Device);
            let graded = as_grade_question(question).filter(|_| is_one_sided && !names_part);
            let own = (is_of_classes && question.wants.is_empty()).then(|| question.clone());
            let (is_open, Some(grades)) = (graded.is_some(), graded.or(own).filter(|_| !has_ratio)) else {
                return Ok(compared);
            };
            let is_why = |remark: &Remark| match remark {
                Remark::NoRow { .. } => is_open,
                remark => matches!(remark, Remark::NoPair { .. }),
            };
            Ok(facts::grades(stores, &grades)?.prepending(compared.remarks.into_iter().filter(is_why)))
        }
        Ask::Along => series::series(stores, question),
        Ask::Fact => facts::facts(stores, question),
        Ask::Grade => facts::grades(stores, question),
        Ask::List => {
            let listed = entities::entities(stores, question)?;
            let of_formats = question.of == Some(Key::Facet(Facet::Precision));
            if listed.entries.is_empty() && of_formats { facts::formats(stores, question) } else { Ok(listed) }
        }
        Ask::Overview => {
            let known = facts::overview(stores, question)?;
            // The catalog may have entries for what nobody has measured: `cerebras`.
            match known.entries.is_empty() {
                true => entities::entities(stores, &Question { ask: Ask::List, ..question.clone() }),
                false => Ok(known),
            }
        }
        Ask::Fits => fits::fits(stores, question),
    }
}
