//! Questions that ask for less: where a question comes to nothing, one condition after the other is taken back, and said.

use super::elsewhere::{elsewhere, of_relatives};
use super::less::{GIVES_WAY, Relaxed, metric_clauses, place_called, place_of, replaced, unmeasured};
use super::other_measures::{with_other_measure, without_metric};
use crate::ask::conclude::basis::row_counts::RowCounts;
use crate::ask::conclude::basis::sources_called::sources_called;
use crate::ask::conclude::basis::statement::statement;
use crate::ask::conclude::basis::unstated_rows::not_stating;
use crate::ask::conclude::basis::wording::Names;
use crate::ask::question::{Clause, Intent, QueryError, Question};
use crate::model::{Aspect, Facet, Fact, Field};
use crate::stores::Stores;
use crate::stores::index::{Condition, DocumentKind};
use crate::values::text::{and_list, counted, or_list};
use crate::values::{EntityKind, Precision, billions_in_name};

/// So many networks are looked at for the one that is nearest in size.
const MOST_SIZED: usize = 200;

/// A size in billions is asked of networks that have hundreds of millions of parameters at least.
const LEAST_MILLIONS: f64 = 300.0;

/// Networks whose sizes are nearly as far from what is asked for are of one size: a difference of logarithms.
const ALIKE_IN_SIZE: f64 = 0.08;

/// The questions that are left of a question where less is asked for and rows are found, the nearest first.
///
/// # Errors
///
/// When a store fails.
pub(in crate::ask::conclude) fn relaxed(stores: &Stores, question: &Question) -> Result<Vec<Relaxed>, QueryError> {
    let mut all: Vec<Relaxed> = short_formats(question).into_iter().collect();
    all.extend(of_relatives(stores, question)?);
    all.extend(with_other_measure(question));
    all.extend(without_metric(stores, question)?);
    all.extend(of_source(stores, question)?);
    let free: Vec<(usize, Field)> =
        GIVES_WAY.iter().filter_map(|field| Some((place_of(question, *field)?, *field))).collect();
    // What no scenario is stated of is something else than what is asked for.
    for &(at, field) in free.iter().filter(|(_, field)| *field != Field::Scenario) {
        if let Some(unstated) = not_stating(stores, field)? {
            let text = &question.clauses[at].text;
            let stated = match stating_sides(stores, question)? {
                Some(stated) => format!("`{text}` is stated by {stated}"),
                None => format!("No row that meets the rest states `{text}`"),
            };
            let without = replaced(question, &[at], unstated);
            let rest = replaced(question, &[at], Condition::All(Vec::new()));
            let count = |of: &Question| stores.index.count(DocumentKind::Measurement, &of.condition_without(None));
            // Where all of them leave it open, they are what is asked about, as far as it is known.
            let lead = match (count(&without)?, count(&rest)?) {
                (open, all)
                    if open == all && open > 0 && field == Field::Dataset && question.wanted.sides.is_empty() =>
                {
                    let (rows, state) = if open == 1 { ("1 row", "states") } else { ("rows", "state") };
                    let all = if open == 1 { String::new() } else { format!("All {open} ") };
                    format!(
                        "{all}{rows} that meet the rest {state} no {}, so `{text}` is neither confirmed nor excluded by them:",
                        field.heading()
                    )
                }
                _ => format!("{stated}; those that state no {}:", field.heading()),
            };
            all.push(Relaxed { question: without, lead, says_why: true, follows: false, of_another: false });
        }
    }
    let (metrics, names) = metric_clauses(question);
    all.extend(free.iter().map(|(at, _)| Relaxed::without(question, &[*at], false)));
    // A ranking by something else than what was asked for is no answer.
    for &(at, _) in free.iter().filter(|_| !metrics.is_empty() && question.wanted.intent != Intent::Ranking) {
        let places: Vec<usize> = metrics.iter().copied().chain([at]).collect();
        let lead = format!("Without {names} and `{}`:", question.clauses[at].text);
        let question = unmeasured(replaced(question, &places, Condition::All(Vec::new())));
        all.push(Relaxed { question, lead, says_why: false, follows: false, of_another: false });
    }
    all.extend(of_near_size(stores, question)?);
    all.extend(wider_network(stores, question)?);
    // Who compares two devices for a network that neither ran is told what they come to in others, and who compares networks on
    // a device that ran none of them, what they come to on others.
    let work = [Field::Network, Field::Dataset, Field::Device];
    let work = work.into_iter().filter(|_| question.wanted.intent == Intent::Comparison);
    all.extend(work.filter_map(|field| place_of(question, field)).map(|at| Relaxed::without(question, &[at], false)));
    all.extend(elsewhere(stores, question, &free)?);
    let mut found = Vec::new();
    for relaxed in all {
        if stores.index.count(DocumentKind::Measurement, &relaxed.question.condition_without(None))? > 0 {
            found.push(relaxed);
        }
    }
    Ok(found)
}

/// The question about the networks that are nearest in size to those which it names and that have rows of all else: the 8B for a
/// `7b`, among all language models or among those of a family.
fn of_near_size(stores: &Stores, question: &Question) -> Result<Option<Relaxed>, QueryError> {
    let kind = EntityKind::Network;
    let (at, of_any) = match (place_called(question, Fact::Parameters.key()), place_of(question, Field::Network)) {
        (Some(at), _) => (at, true),
        (None, Some(at)) => (at, false),
        _ => return Ok(None),
    };
    let clause = &question.clauses[at];
    let named = clause.readings.first().and_then(|reading| reading.read_as.values.first());
    let Some(named) = named.filter(|_| clause.readings.len() == 1) else { return Ok(None) };
    let size = |id: &str| -> Result<Option<f64>, QueryError> {
        let stated = statement(stores, kind, id, Fact::Parameters)?;
        Ok(stated.and_then(|stated| stated.number()).or_else(|| millions_in(id)).filter(|millions| *millions > 0.0))
    };
    let wanted = if of_any { millions_in(&clause.text) } else { millions_in(&clause.text).and(size(named)?) };
    let Some(wanted) = wanted else { return Ok(None) };
    let mut family: Vec<String> = Vec::new();
    if !of_any {
        for ancestor in stores.database.ancestors(kind, named)? {
            family.extend(stores.database.descendants(kind, &ancestor)?);
        }
    }
    // What else is asked of the network is kept; its size is not.
    let rest = replaced(question, &[at], Condition::All(Vec::new())).condition_without(None);
    let hits = stores.index.measurements(&rest, None, &[], 0, 0)?;
    let mut near: Vec<(f64, String)> = Vec::new();
    for (id, _) in RowCounts::of(stores, &hits, Aspect::Field(Field::Network))?.values.into_iter().take(MOST_SIZED) {
        let is_of_family = of_any || family.contains(&id) && id != *named;
        if let Some(own) = size(&id)?.filter(|own| is_of_family && (!of_any || *own >= LEAST_MILLIONS)) {
            near.push(((own / wanted).ln().abs(), id));
        }
    }
    near.sort_by(|(a, one), (b, other)| a.total_cmp(b).then_with(|| one.cmp(other)));
    let Some((distance, first)) = near.first().cloned() else { return Ok(None) };
    let alike: Vec<String> =
        near.into_iter().filter(|(other, _)| (other - distance).abs() < ALIKE_IN_SIZE).map(|(_, id)| id).collect();
    let name = Names::default().of(Aspect::Field(Field::Network), &first, stores)?;
    let others = if alike.len() > 1 { " and others of its size" } else { "" };
    let lead = format!("No row of `{}` has all that was asked for; nearest in size, {name}{others}:", clause.text);
    let question = replaced(question, &[at], Condition::Facet(Facet::Network, alike));
    Ok(Some(Relaxed { question, lead, says_why: true, follows: false, of_another: false }))
}

/// The parameters that a name tells, in 10^6.
fn millions_in(name: &str) -> Option<f64> {
    billions_in_name(name).map(|billions| billions * 1e3)
}

/// The question about the network of which the one that is named is a variant, with all of its variants: a source may not say
/// which it ran. Where several are of it the nearest comes first: who has no YOLOv5 on a board has another YOLO.
fn wider_network(stores: &Stores, question: &Question) -> Result<Vec<Relaxed>, QueryError> {
    let kind = EntityKind::Network;
    let Some(at) = place_of(question, Field::Network) else { return Ok(Vec::new()) };
    let clause = &question.clauses[at];
    let named = clause.readings.first().and_then(|reading| reading.read_as.values.first());
    let Some(named) = named.filter(|_| clause.readings.len() == 1) else { return Ok(Vec::new()) };
    let mut wider: Vec<(String, Vec<String>)> = Vec::new();
    for ancestor in stores.database.ancestors(kind, named)?.into_iter().filter(|ancestor| ancestor != named) {
        let members = stores.database.descendants(kind, &ancestor)?;
        wider.push((ancestor, members));
    }
    wider.sort_by_key(|(_, members)| members.len());
    let is_measured = stores.index.count(DocumentKind::Measurement, &clause.condition)? > 0;
    let short_of = if is_measured { " has all that was asked for" } else { "" };
    let mut all = Vec::new();
    for (ancestor, members) in wider {
        let name = Names::default().of(Aspect::Field(Field::Network), &ancestor, stores)?;
        let lead = format!("No row of `{}`{short_of}; of {name} and its other variants:", clause.text);
        let question = replaced(question, &[at], Condition::Facet(Facet::Network, members));
        all.push(Relaxed { question, lead, says_why: true, follows: false, of_another: false });
    }
    Ok(all)
}

/// The question with sides of mixed precision that take in rows which state the short format alone: many sources call mixed
/// precision so.
fn short_formats(question: &Question) -> Option<Relaxed> {
    // The short format is a side of its own: its rows are none of the other.
    let of_format = |side: &Clause| side.plain_kind() == Some(Facet::Precision.key());
    let is_apart = |side: &Clause| of_format(side) && matches!(side.condition, Condition::All(_));
    if question.wanted.sides.iter().any(is_apart) {
        return None;
    }
    let mut relaxed = question.clone();
    let mut named = Vec::new();
    for side in &mut relaxed.wanted.sides {
        let Condition::Facet(Facet::Precision, values) = &mut side.condition else { continue };
        let of_value = |value: &String| {
            let mixed = value.parse::<Precision>().ok().filter(|own| own.is_mixed());
            [Precision::Fp16, Precision::Bf16]
                .into_iter()
                .find(|short| mixed.is_some() && short.mixed_counterpart() == mixed)
        };
        let shorter: Vec<String> = values.iter().filter_map(of_value).map(|format| format.to_string()).collect();
        let new: Vec<String> = shorter.into_iter().filter(|format| !values.contains(format)).collect();
        named.extend(new.iter().cloned());
        values.extend(new);
    }
    let lead = format!("With rows that say {} alone, which may be mixed precision:", or_list(&named));
    (!named.is_empty()).then_some(Relaxed {
        question: relaxed,
        lead,
        says_why: false,
        follows: false,
        of_another: false,
    })
}

/// The question about the sources that are called as a framework is which no row names: a framework's own benchmark may name
/// in its rows what that is built on.
fn of_source(stores: &Stores, question: &Question) -> Result<Option<Relaxed>, QueryError> {
    let Some(at) = place_of(question, Field::Framework) else { return Ok(None) };
    let clause = &question.clauses[at];
    if stores.index.count(DocumentKind::Measurement, &clause.condition)? > 0 {
        return Ok(None);
    }
    let mut sources: Vec<String> = Vec::new();
    for id in clause.readings.iter().flat_map(|reading| &reading.read_as.values) {
        sources.extend(sources_called(stores, id)?);
    }
    sources.sort_unstable();
    sources.dedup();
    let lead = format!("No row names `{}` as its framework; of {}, called so:", clause.text, and_list(&sources));
    let question = replaced(question, &[at], Condition::Facet(Facet::Source, sources.clone()));
    Ok((!sources.is_empty()).then_some(Relaxed { question, lead, says_why: true, follows: false, of_another: false }))
}

/// Where some sides of a comparison have rows and others have none: how many each has, in words.
fn stating_sides(stores: &Stores, question: &Question) -> Result<Option<String>, QueryError> {
    let mut of_sides = Vec::new();
    let mut any = false;
    for side in &question.wanted.sides {
        let rows = stores.index.count(DocumentKind::Measurement, &question.condition_of_side(side))?;
        any |= rows > 0;
        let rows = if rows == 0 { "no row".to_owned() } else { counted(rows, "row", "rows") };
        of_sides.push(format!("{rows} of `{}`", side.text));
    }
    Ok(any.then(|| and_list(&of_sides)))
}

#[cfg(test)]
mod tests {
    use crate::ask::conclude::basis::sample::Sample;
    use crate::ask::question::{Clause, Intent};

    const ROWS: &str = r#"
[[table]]
columns = ["device", "throughput-per-s"]
rows = [["nova", 200], ["core", 100]]
"#;

    #[test]
    fn what_was_said_in_words_is_taken_back_and_a_filter_is_not() {
        let sample = Sample::of(&[("paper-2020", ROWS)]);
        let mut question = sample.question("device:nova stage:train", Intent::Lookup);
        assert!(sample.conclude(&question).entries.is_empty());
        let stage: &mut Clause = &mut question.clauses[1];
        stage.text = "training".to_owned();
        let conclusion = sample.conclude(&question);
        assert!(conclusion.text.contains("Without `training`: 1 row"), "{}", conclusion.text);
    }
}
