//! Entities in the order of a fact: the most memory, the smallest network, the cheapest rent.

use super::conclusion::{Conclusion, Entry};
use super::fact_wording::{unit_of, value_text};
use super::statement::{Statement, statement};
use super::wording::three;
use crate::ask::question::{QueryError, Question, Superlative};
use crate::model::{Fact, Field, Value};
use crate::stores::Stores;
use crate::values::EntityKind;
use crate::values::text::{and_list, counted};

/// So many entities have an entry.
const MOST_ENTRIES: usize = 30;

/// Ranks the entities that a question is about by a fact.
pub(super) fn conclude(stores: &Stores, question: &Question, fact: Fact) -> Result<Conclusion, QueryError> {
    let kind = fact.kind();
    let Some(field) = Field::of_entities().find(|(_, of)| *of == kind).map(|(field, _)| field) else {
        return Ok(Conclusion::default());
    };
    let ids = stores.index.entities(kind, &question.condition_without(None))?;
    let mut ranked: Vec<(f64, Statement)> = Vec::new();
    for id in &ids {
        let stated = statement(stores, kind, id, fact)?;
        ranked.extend(stated.and_then(|stated| Some((stated.magnitude()?, stated))));
    }
    let largest_first = largest_first(question.wanted.superlative, fact);
    let shown = |stated: &Statement| stated.value.as_ref().map(value_text);
    ranked.sort_by(|a, b| {
        // Dates of one year go by their months.
        let by_value =
            a.0.total_cmp(&b.0).then_with(|| shown(&a.1).cmp(&shown(&b.1)).then_with(|| a.1.id.cmp(&b.1.id)));
        if largest_first && a.0 != b.0 { by_value.reverse() } else { by_value }
    });
    let mut entries = Vec::new();
    for (_, stated) in ranked.iter().take(question.limit.unwrap_or(MOST_ENTRIES)) {
        entries.push(Entry {
            subjects: [(field.key().to_owned(), Value::Text(stated.id.as_str().into()))].into_iter().collect(),
            quantity: fact.file_key().to_owned(),
            value: stated.value.clone(),
            unit: unit_of(fact),
            n: 1,
            sources: stated.sources(),
            ..Entry::default()
        });
    }
    Ok(Conclusion { text: text(&ranked, kind, fact, largest_first, ids.len()), entries })
}

/// Whether the largest comes first; a price, a power and a size are better where they are lower.
fn largest_first(superlative: Option<Superlative>, fact: Fact) -> bool {
    let lower_is_better = matches!(
        fact,
        Fact::Tdp | Fact::LaunchPrice | Fact::Price | Fact::Process | Fact::Parameters | Fact::MultiplyAdds
    );
    match superlative {
        Some(Superlative::Most) => true,
        Some(Superlative::Least | Superlative::Cheapest) => false,
        Some(Superlative::Worst) => lower_is_better,
        Some(Superlative::Best) | None => !lower_is_better,
    }
}

fn text(ranked: &[(f64, Statement)], kind: EntityKind, fact: Fact, largest_first: bool, of: usize) -> String {
    let heading = fact.heading().split(" [").next().unwrap_or_default();
    let Some((best, _)) = ranked.first() else {
        let entities = counted(of, kind.to_string().as_str(), kind.plural());
        return format!("No {heading} is known of any of {entities}.");
    };
    let unit = unit_of(fact).map_or_else(String::new, |unit| format!(" {unit}"));
    let number = |stated: &Statement| match (&stated.value, stated.number()) {
        (_, Some(number)) => three(number),
        (value, None) => value.as_ref().map_or_else(String::new, value_text),
    };
    let alike = ranked.iter().filter(|(value, _)| value == best).count();
    let mut first: Vec<String> = ranked.iter().take(alike.min(3)).map(|(_, stated)| stated.name.clone()).collect();
    if alike > 3 {
        first.push(format!("{} more", alike - 3));
    }
    let behind = ranked.iter().skip(alike).take(2);
    let next: Vec<String> = behind.map(|(_, stated)| format!("{} ({})", stated.name, number(stated))).collect();
    let next = if next.is_empty() { String::new() } else { format!(", then {}", and_list(&next)) };
    let order = if largest_first { "Largest" } else { "Smallest" };
    format!(
        "{order} {heading}: {} with {}{unit}{next}; of {} it is known of {}.",
        and_list(&first),
        number(&ranked[0].1),
        counted(of, kind.to_string().as_str(), kind.plural()),
        ranked.len(),
    )
}

#[cfg(test)]
mod tests {
    use super::super::sample::{Sample, told};
    use crate::ask::question::{Intent, Quantity, Superlative};
    use crate::model::Fact;

    #[test]
    fn devices_are_ranked_by_what_they_state() {
        let sample = Sample::of(&[]);
        let mut question = sample.question("", Intent::Ranking);
        question.wanted.quantities = vec![Quantity::Fact(Fact::Memory)];
        question.wanted.superlative = Some(Superlative::Most);
        let conclusion = sample.conclude(&question);
        let lines: Vec<String> = conclusion.entries.iter().map(told).collect();
        assert_eq!(lines, ["device nova 16", "device core 8"]);
        assert_eq!(conclusion.entries[0].quantity, "memory-gib");
        assert_eq!(conclusion.text, "Largest memory: Nova with 16 GiB, then Core (8); of 3 devices it is known of 2.");
    }
}
