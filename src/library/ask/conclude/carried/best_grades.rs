//! Which class of hardware is graded best in the most metrics: a low cost is a good grade, as a high performance is.

use std::collections::BTreeSet;

use indexmap::IndexMap;

use crate::ask::conclude::basis::conclusion::{Conclusion, Entry, EntryValue};
use crate::ask::conclude::basis::named::named_entities;
use crate::ask::conclude::catalog::class_grades::{METRICS, classes_compared, grades_of, spelled};
use crate::ask::question::{QueryError, Question, Superlative};
use crate::model::{Facet, HardwareClassRecord, MetricDefinition, Value, rank_of};
use crate::stores::Stores;
use crate::values::text::and_list;

/// The metrics in which a class has the best grade.
struct Wins<'m> {
    name: String,
    id: String,
    /// Nobody else has this grade.
    alone: Vec<&'m MetricDefinition>,
    /// Another class has it, too.
    shared: Vec<&'m MetricDefinition>,
}

impl Wins<'_> {
    /// `GPU is graded best in 5 of 12 metrics, alone in 3: …`
    fn of_one(&self, end: &str, of: usize, sources: &str) -> String {
        let alone = match self.alone.len() {
            0 => "alone in none".to_owned(),
            several => {
                let names: Vec<String> = self.alone.iter().map(|one| spelled(one)).collect();
                format!("alone in {several}: {}", and_list(&names))
            }
        };
        format!("{} is graded {end} in {} of {of} metrics, {alone} ({sources}).", self.name, self.count())
    }

    fn count(&self) -> usize {
        self.alone.len() + self.shared.len()
    }

    /// `ASIC 7 (alone in low latency and …; shared in ubicomp)`
    fn in_words(&self) -> String {
        let names =
            |metrics: &[&MetricDefinition]| and_list(&metrics.iter().map(|one| spelled(one)).collect::<Vec<_>>());
        let parts: Vec<String> = [("alone in", &self.alone), ("shared in", &self.shared)]
            .into_iter()
            .filter(|(_, metrics)| !metrics.is_empty())
            .map(|(lead, metrics)| format!("{lead} {}", names(metrics)))
            .collect();
        match parts.is_empty() {
            true => format!("{} 0", self.name),
            false => format!("{} {} ({})", self.name, self.count(), parts.join("; ")),
        }
    }
}

/// Counts in how many metrics each class has the best grade, or the worst where that is asked for.
///
/// # Errors
///
/// When a store fails.
pub(super) fn conclude(stores: &Stores, question: &Question) -> Result<Conclusion, QueryError> {
    let classes = classes_compared(stores, question)?;
    let definitions = stores.database.definitions(METRICS)?;
    let is_worst = matches!(question.wanted.superlative, Some(Superlative::Worst | Superlative::Least));
    let (directed, undirected): (Vec<&MetricDefinition>, Vec<&MetricDefinition>) =
        definitions.iter().partition(|metric| metric.better.is_some());
    let mut wins: Vec<Wins<'_>> = classes.iter().map(Wins::of).collect();
    for metric in directed.iter().copied() {
        let mut grades = grades_of(&classes, metric);
        if is_worst {
            grades.reverse();
        }
        let Some(first) = grades.first().map(|(_, grade)| rank_of(grade.grade)) else { continue };
        let winners: Vec<&str> = grades
            .iter()
            .filter(|(_, grade)| rank_of(grade.grade) == first)
            .map(|(class, _)| class.name.as_str())
            .collect();
        // A grade that all of them have sets none apart.
        if winners.len() == classes.len() {
            continue;
        }
        for own in wins.iter_mut().filter(|own| winners.contains(&own.name.as_str())) {
            if winners.len() == 1 { &mut own.alone } else { &mut own.shared }.push(metric);
        }
    }
    wins.sort_by_key(|own| std::cmp::Reverse((own.count(), own.alone.len())));
    let [first, ..] = wins.as_slice() else { return Ok(Conclusion::default()) };
    let leaders: Vec<&str> =
        wins.iter().filter(|own| own.count() == first.count()).map(|own| own.name.as_str()).collect();
    let sources: BTreeSet<String> =
        classes.iter().flat_map(|class| class.grades.values()).map(|grade| grade.source.to_string()).collect();
    let sources: Vec<String> = sources.into_iter().collect();
    let end = if is_worst { "worst" } else { "best" };
    let told: Vec<String> = wins.iter().map(Wins::in_words).collect();
    let named: Vec<String> = named_entities(stores, question)?.into_iter().map(|named| named.id).collect();
    let lead = match wins.iter().filter(|own| named.contains(&own.id)).collect::<Vec<_>>().as_slice() {
        [own] => own.of_one(end, definitions.len(), &and_list(&sources)),
        _ => format!(
            "Graded {end} in the most metrics: {} with {} of {} ({}).",
            and_list(&leaders),
            first.count(),
            definitions.len(),
            and_list(&sources)
        ),
    };
    let mut text = format!(
        "{lead} By class: {}. Low is the better grade in {}; a grade that all have is counted for none, and each metric counts \
         once, which is no weighing of the survey's.",
        told.join(", "),
        and_list(&low_is_better(&directed)),
    );
    if !undirected.is_empty() {
        let names: Vec<String> = undirected.iter().map(|metric| spelled(metric)).collect();
        text.push_str(&format!(" Neither end is better in {}, which is left out.", and_list(&names)));
    }
    let entries = wins
        .iter()
        .map(|own| Entry {
            subjects: IndexMap::from([(Facet::Class.key().to_owned(), Value::Text(own.id.as_str().into()))]),
            quantity: format!("{end}-grades"),
            value: Some(EntryValue::Number(own.count() as f64)),
            n: own.count(),
            sources: sources.clone(),
            ..Entry::default()
        })
        .collect();
    Ok(Conclusion { text, entries })
}

impl Wins<'_> {
    fn of(class: &HardwareClassRecord) -> Self {
        Self { name: class.name.clone(), id: class.id.to_string(), alone: Vec::new(), shared: Vec::new() }
    }
}

fn low_is_better(metrics: &[&MetricDefinition]) -> Vec<String> {
    let is_low = |metric: &&&MetricDefinition| metric.better == Some(crate::values::Grade::Low);
    metrics.iter().filter(is_low).map(|metric| spelled(metric)).collect()
}
