//! Entities in the order of a fact: the most memory, the smallest network, the cheapest rent.

use super::fact_order::{candidates, conditions, in_front, is_higher_better};
use super::two_facts;
use crate::ask::conclude::basis::conclusion::{Conclusion, Entry};
use crate::ask::conclude::basis::fact_wording::{fact_name, unit_of, value_in_words, value_text};
use crate::ask::conclude::basis::listed::{facts_of, facts_shown};
use crate::ask::conclude::basis::listed_kinds::{aspect_of, plural};
use crate::ask::conclude::basis::named::subject_key;
use crate::ask::conclude::basis::named_behind_first::next_named;
use crate::ask::conclude::basis::not_stated::not_stating;
use crate::ask::conclude::basis::row_counts::RowCounts;
use crate::ask::conclude::basis::statement::{Statement, statement};
use crate::ask::conclude::basis::unstated_rows::unstated_conditions;
use crate::ask::conclude::basis::wording::three;
use crate::ask::question::{Quantity, QueryError, Question, Superlative};
use crate::model::{Fact, FactType, Value};
use crate::stores::Stores;
use crate::values::EntityKind;
use crate::values::text::{and_list, counted};

/// So many entities have an entry.
const MOST_ENTRIES: usize = 30;
/// So many entities are looked at whose rows do not state what is asked of them.
const MOST_UNSTATED: usize = 200;
/// So many entities that share the first place are named.
const MOST_FIRST: usize = 3;

/// An entity with the value by which it is ranked.
struct Ranked {
    /// What it is ordered by.
    magnitude: f64,
    /// The fact that states it.
    fact: Fact,
    stated: Statement,
    /// What conditions are about: the power of a card under 300 W.
    beside: Vec<Entry>,
}

/// Ranks the entities that a question is about by a fact.
pub(in crate::ask::conclude) fn conclude(
    stores: &Stores,
    question: &Question,
    fact: Fact,
) -> Result<Conclusion, QueryError> {
    if let Some(conclusion) = two_facts::conclude(stores, question)? {
        return Ok(conclusion);
    }
    let kind = fact.kind();
    let ids = candidates(stores, question, kind)?;
    // Who asks for a peak and not for that of certain units is told the highest of each device.
    let named = |fact: &Fact| question.wanted.quantities.contains(&Quantity::Fact(*fact));
    let of_tensor_cores = fact.of_tensor_cores().filter(named);
    let mut ranked: Vec<Ranked> = Vec::new();
    for id in &ids {
        for fact in of_tensor_cores.into_iter().chain([fact]) {
            let Some(stated) = statement(stores, kind, id, fact)? else { continue };
            if let Some(magnitude) = stated.magnitude() {
                ranked.push(Ranked { magnitude, fact, stated, beside: Vec::new() });
                break;
            }
        }
    }
    let largest_first = largest_first(question.wanted.superlative, fact);
    let shown = |entity: &Ranked| entity.stated.value.as_ref().map(value_text);
    ranked.sort_by(|a, b| {
        // Dates of one year go by their months.
        let by_value = a.magnitude.total_cmp(&b.magnitude).then_with(|| shown(a).cmp(&shown(b)));
        (if largest_first { by_value.reverse() } else { by_value }).then_with(|| a.stated.id.cmp(&b.stated.id))
    });
    let others: Vec<Fact> = facts_shown(question, kind).into_iter().collect();
    let others: Vec<Fact> =
        others.into_iter().filter(|other| *other != fact && Some(*other) != of_tensor_cores).collect();
    for entity in ranked.iter_mut().take(question.limit.unwrap_or(MOST_ENTRIES)) {
        entity.beside = facts_of(stores, kind, &entity.stated.id, &others)?;
    }
    let mut entries = Vec::new();
    for entity in ranked.iter().take(question.limit.unwrap_or(MOST_ENTRIES)) {
        entries.push(Entry {
            subjects: [(subject_key(kind).to_owned(), Value::Text(entity.stated.id.as_str().into()))]
                .into_iter()
                .collect(),
            quantity: entity.fact.file_key().to_owned(),
            value: entity.stated.value.clone(),
            unit: unit_of(fact),
            n: 1,
            sources: entity.stated.sources(),
            ..Entry::default()
        });
        entries.extend(entity.beside.iter().cloned());
    }
    let of = (ids.len(), next_named(question), conditions(question));
    let mut text = text(&ranked, (kind, fact), largest_first, of);
    if let Some(faster) = of_tensor_cores.filter(|_| !ranked.is_empty()) {
        let with = ranked.iter().filter(|entity| entity.fact == faster).count();
        text.push_str(&format!(
            " Peaks are dense, without sparsity: that of the tensor cores where it is known ({with}), else that without them."
        ));
    }
    text.extend(ahead_unstated(stores, question, (kind, fact), &ranked, largest_first)?);
    for unknown in not_stating(stores, question, kind)? {
        text.push_str(&format!(" {unknown}"));
    }
    Ok(Conclusion { text, entries })
}

/// Who would stand among those that are named if its rows stated what the question asks of them: ` EfficientNet-Lite0 (4.65 M) may
/// come first: its rows state no data set.`
fn ahead_unstated(
    stores: &Stores,
    question: &Question,
    (kind, fact): (EntityKind, Fact),
    ranked: &[Ranked],
    largest_first: bool,
) -> Result<Option<String>, QueryError> {
    let Some(aspect) = aspect_of(kind) else { return Ok(None) };
    let told = next_named(question);
    let (Some(first), Some(last)) = (ranked.first(), ranked.iter().take(1 + told).next_back()) else { return Ok(None) };
    let is_ahead = |own: f64, of: f64| if largest_first { own > of } else { own < of };
    for (field, condition) in unstated_conditions(stores, question)? {
        let hits = stores.index.measurements(&condition, None, &[], 0, 0)?;
        if hits.total == 0 {
            continue;
        }
        let mut ahead: Vec<(f64, Statement)> = Vec::new();
        for (id, _) in RowCounts::of(stores, &hits, aspect)?.values.into_iter().take(MOST_UNSTATED) {
            if ranked.iter().any(|known| known.stated.id == id) {
                continue;
            }
            let Some(stated) = statement(stores, kind, &id, fact)? else { continue };
            if let Some(own) = stated.magnitude().filter(|own| is_ahead(*own, last.magnitude)) {
                ahead.push((own, stated));
            }
        }
        ahead.sort_by(|(a, one), (b, other)| {
            let by_value = if largest_first { b.total_cmp(a) } else { a.total_cmp(b) };
            by_value.then_with(|| one.id.cmp(&other.id))
        });
        let Some((best, _)) = ahead.first() else { continue };
        let unit = unit_of(fact).map_or_else(String::new, |unit| format!(" {unit}"));
        let in_words = |(_, stated): &(f64, Statement)| {
            let value =
                stated.number().map_or_else(|| stated.value.as_ref().map_or_else(String::new, value_text), three);
            format!("{} ({value}{unit})", stated.name)
        };
        let mut names: Vec<String> = ahead.iter().take(1 + told).map(in_words).collect();
        if let Some(more) = ahead.len().checked_sub(names.len()).filter(|more| *more > 0) {
            names.push(format!("{more} more"));
        }
        let (place, its) = match (is_ahead(*best, first.magnitude), ahead.len()) {
            (true, 1) => ("come first", "its"),
            (true, _) => ("come first or among them", "their"),
            (false, 1) => ("stand among them", "its"),
            (false, _) => ("stand among them", "their"),
        };
        let field = field.heading();
        return Ok(Some(format!(" {} may {place}: {its} rows state no {field}.", and_list(&names))));
    }
    Ok(None)
}

/// Whether the largest comes first.
fn largest_first(superlative: Option<Superlative>, fact: Fact) -> bool {
    match superlative {
        Some(Superlative::Most) => true,
        Some(Superlative::Least | Superlative::Cheapest) => false,
        Some(Superlative::Worst) => !is_higher_better(fact),
        Some(Superlative::Best) | None => is_higher_better(fact),
    }
}

fn text(
    ranked: &[Ranked],
    (kind, fact): (EntityKind, Fact),
    largest_first: bool,
    (of, next, met): (usize, usize, String),
) -> String {
    let name = fact_name(fact);
    let Some(best) = ranked.first() else {
        return match of {
            0 => format!("No {} meets these conditions.", kind.noun()),
            of => format!("No {name} is known of any of {}.", counted(of, kind.noun(), &plural(kind))),
        };
    };
    let unit = unit_of(fact).map_or_else(String::new, |unit| format!(" {unit}"));
    let number = |entity: &Ranked| match (&entity.stated.value, entity.stated.number()) {
        // A year is not rounded.
        (Some(value), Some(_)) if fact == Fact::Published => value_text(value),
        (_, Some(number)) => three(number),
        (value, None) => value.as_ref().map_or_else(String::new, value_text),
    };
    let alike = ranked.iter().filter(|entity| entity.stated.value == best.stated.value).count();
    let mut first: Vec<String> = ranked
        .iter()
        .take(alike.min(MOST_FIRST))
        .map(|entity| match beside(entity).join(", ") {
            none if none.is_empty() => entity.stated.name.clone(),
            beside => format!("{} ({beside})", entity.stated.name),
        })
        .collect();
    if alike > MOST_FIRST {
        first.push(format!("{} more", alike - MOST_FIRST));
    }
    let behind = ranked.iter().skip(alike).take(next).map(|entity| {
        let mut said = vec![format!("{}{unit}", number(entity))];
        said.extend(beside(entity));
        format!("{} ({})", entity.stated.name, said.join(", "))
    });
    let behind: Vec<String> = behind.collect();
    let next = if behind.is_empty() { String::new() } else { format!(", then {}", and_list(&behind)) };
    format!(
        "{}: {} with {}{unit}{next}; of {}{met} it is known of {}.",
        in_front(fact, largest_first),
        and_list(&first),
        number(best),
        counted(of, kind.noun(), &plural(kind)),
        ranked.len(),
    )
}

/// The numbers that stand beside a name.
fn beside(entity: &Ranked) -> Vec<String> {
    let is_number = |entry: &&Entry| {
        Fact::of_file_key(&entry.quantity).is_some_and(|fact| matches!(fact.value_type(), FactType::Number(_)))
    };
    entity.beside.iter().filter(is_number).filter_map(value_in_words).collect()
}

#[cfg(test)]
mod tests {
    use crate::ask::conclude::basis::sample::{Sample, told};
    use crate::ask::question::{Intent, Quantity, Superlative};
    use crate::model::{Aspect, Fact, Field};

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
        assert_eq!(
            conclusion.text,
            "Largest memory: Nova with 16 GiB, then Core (8 GiB); of 3 devices it is known of 2."
        );
    }

    #[test]
    fn what_limits_the_candidates_stands_beside_them() {
        let sample = Sample::of(&[]);
        let mut question = sample.question("tdp<200", Intent::Ranking);
        question.wanted.quantities = vec![Quantity::Fact(Fact::Memory)];
        question.wanted.superlative = Some(Superlative::Most);
        let conclusion = sample.conclude(&question);
        assert_eq!(
            conclusion.text,
            "Largest memory: Core (150 W) with 8 GiB; of 1 device it is known of 1. 1 more states no TDP."
        );
    }

    #[test]
    fn who_would_come_first_but_for_what_its_rows_do_not_state_is_told() {
        let rows = "\n[[run]]\nnetwork = \"deepnet-18\"\nthroughput-per-s = 1\n\n[[run]]\nprecision = \"fp16\"\nthroughput-per-s = 2\n";
        let sample = Sample::without("precision = \"fp32\"\n", &[("paper-2020", rows)]);
        let mut question = sample.question("precision:fp16", Intent::Ranking);
        question.wanted.candidates = Some(Aspect::Field(Field::Network));
        question.wanted.quantities = vec![Quantity::Fact(Fact::MultiplyAdds)];
        question.wanted.superlative = Some(Superlative::Least);
        let text = sample.conclude(&question).text;
        assert!(text.contains("DeepNet-18 (1.80 G) may come first: its rows state no precision."), "{text}");
    }
}
