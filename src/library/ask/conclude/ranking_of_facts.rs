//! Entities in the order of a fact: the most memory, the smallest network, the cheapest rent.

use super::conclusion::{Conclusion, Entry};
use super::entity_facts::{StatedFact, entry_value, stated, unit};
use super::wording::{Names, three};
use crate::ask::question::{QueryError, Question, Superlative};
use crate::model::{Aspect, Fact, Field, Value};
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
    let mut ranked: Vec<(f64, String, StatedFact)> = Vec::new();
    for id in &ids {
        if let Some(stated) = stated(stores, kind, id, fact)?
            && let Some(number) = stated.number
        {
            ranked.push((number, id.clone(), stated));
        }
    }
    let largest_first = largest_first(question.wanted.superlative, fact);
    let shown = |stated: &StatedFact| stated.value.to_string();
    ranked.sort_by(|a, b| {
        // Dates of one year go by their months.
        let by_value = a.0.total_cmp(&b.0).then_with(|| shown(&a.2).cmp(&shown(&b.2)).then_with(|| a.1.cmp(&b.1)));
        if largest_first && a.0 != b.0 { by_value.reverse() } else { by_value }
    });
    let mut entries = Vec::new();
    for (_, id, stated) in ranked.iter().take(question.limit.unwrap_or(MOST_ENTRIES)) {
        entries.push(Entry {
            subjects: [(field.key().to_owned(), Value::Text(id.as_str().into()))].into_iter().collect(),
            quantity: fact.file_key().to_owned(),
            value: Some(entry_value(stated)),
            unit: unit(fact),
            n: 1,
            sources: stated.sources.clone(),
            ..Entry::default()
        });
    }
    let text = text(stores, &ranked, (kind, field), fact, largest_first, ids.len())?;
    Ok(Conclusion { text, entries })
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

fn text(
    stores: &Stores,
    ranked: &[(f64, String, StatedFact)],
    (kind, field): (EntityKind, Field),
    fact: Fact,
    largest_first: bool,
    of: usize,
) -> Result<String, QueryError> {
    let heading = fact.heading().split(" [").next().unwrap_or_default();
    let Some((best, ..)) = ranked.first() else {
        let entities = counted(of, kind.to_string().as_str(), kind.plural());
        return Ok(format!("No {heading} is known of any of {entities}."));
    };
    let mut names = Names::default();
    let aspect = Aspect::Field(field);
    let unit = unit(fact).map_or_else(String::new, |unit| format!(" {unit}"));
    let number = |stated: &StatedFact| match stated.value {
        Value::Text(ref text) => text.to_string(),
        _ => three(stated.number.unwrap_or(f64::NAN)),
    };
    let mut first = Vec::new();
    let alike = ranked.iter().filter(|(value, ..)| value == best).count();
    for (_, id, _) in ranked.iter().take(alike.min(3)) {
        first.push(names.of(aspect, id, stores)?);
    }
    if alike > 3 {
        first.push(format!("{} more", alike - 3));
    }
    let mut next = Vec::new();
    for (_, id, stated) in ranked.iter().skip(alike).take(2) {
        next.push(format!("{} ({})", names.of(aspect, id, stores)?, number(stated)));
    }
    let next = if next.is_empty() { String::new() } else { format!(", then {}", and_list(&next)) };
    let order = if largest_first { "Largest" } else { "Smallest" };
    Ok(format!(
        "{order} {heading}: {} with {}{unit}{next}; of {} it is known of {}.",
        and_list(&first),
        number(&ranked[0].2),
        counted(of, kind.to_string().as_str(), kind.plural()),
        ranked.len(),
    ))
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
        let conclusion = super::conclude(&sample.stores, &question, Fact::Memory).unwrap();
        let lines: Vec<String> = conclusion.entries.iter().map(told).collect();
        assert_eq!(lines, ["device nova 16", "device core 8"]);
        assert_eq!(conclusion.entries[0].quantity, "memory-gib");
        assert_eq!(conclusion.text, "Largest memory: Nova with 16 GiB, then Core (8); of 3 devices it is known of 2.");
    }
}
