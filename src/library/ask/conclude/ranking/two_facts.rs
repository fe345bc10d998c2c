//! Entities by two facts at once, `most memory but least power`: which come first in either, and which nothing else beats in both.

use std::cmp::Ordering;

use super::fact_order::{candidates, conditions, in_front, is_higher_better};
use crate::ask::conclude::basis::conclusion::{Conclusion, Entry};
use crate::ask::conclude::basis::fact_wording::{fact_name, unit_of};
use crate::ask::conclude::basis::listed_kinds::plural;
use crate::ask::conclude::basis::named::subject_key;
use crate::ask::conclude::basis::not_stated::not_stating;
use crate::ask::conclude::basis::statement::{Statement, statement};
use crate::ask::conclude::basis::wording::three;
use crate::ask::question::{Quantity, QueryError, Question};
use crate::model::{Fact, Value};
use crate::stores::Stores;
use crate::values::text::{and_list, counted};

/// So many that nothing beats in both are told, and have entries.
const TOLD: usize = 6;
const MOST_ENTRIES: usize = 15;

/// An order by a fact.
#[derive(Clone, Copy)]
struct ByFact {
    fact: Fact,
    largest_first: bool,
}

impl ByFact {
    fn compare(self, one: f64, other: f64) -> Ordering {
        let order = one.total_cmp(&other);
        if self.largest_first { order.reverse() } else { order }
    }

    fn in_words(self, value: f64) -> String {
        let unit = unit_of(self.fact).map_or_else(String::new, |unit| format!(" {unit}"));
        format!("{}{unit}", three(value))
    }
}

/// An entity with both its values.
struct Place {
    stated: [Statement; 2],
    values: [f64; 2],
}

/// Ranks the entities by two facts; `None` where a question does not ask for two orders by facts.
///
/// # Errors
///
/// When a store fails.
pub(super) fn conclude(stores: &Stores, question: &Question) -> Result<Option<Conclusion>, QueryError> {
    let [first, second] = question.wanted.orders.as_slice() else { return Ok(None) };
    let (Quantity::Fact(one), Quantity::Fact(other)) = (&first.quantity, &second.quantity) else { return Ok(None) };
    let by = [(first, *one), (second, *other)]
        .map(|(order, fact)| ByFact { fact, largest_first: order.is_largest_first(is_higher_better(fact)) });
    let kind = one.kind();
    let ids = candidates(stores, question, kind)?;
    let mut places: Vec<Place> = Vec::new();
    for id in &ids {
        let [Some(one), Some(other)] =
            [statement(stores, kind, id, by[0].fact)?, statement(stores, kind, id, by[1].fact)?]
        else {
            continue;
        };
        if let (Some(a), Some(b)) = (one.magnitude(), other.magnitude()) {
            places.push(Place { stated: [one, other], values: [a, b] });
        }
    }
    places.sort_by(|a, b| {
        let in_order = |at: usize| by[at].compare(a.values[at], b.values[at]);
        in_order(0).then_with(|| in_order(1)).then_with(|| a.stated[0].id.cmp(&b.stated[0].id))
    });
    // What comes later is no better in the first: it stands where it is better in the second than all before it.
    let mut front: Vec<&Place> = Vec::new();
    for place in &places {
        let is_ahead = |last: &&Place| by[1].compare(place.values[1], last.values[1]) == Ordering::Less;
        if front.last().is_none_or(is_ahead) {
            front.push(place);
        }
    }
    let met = conditions(question);
    let of = format!("of {}{met} both are known of {}", counted(ids.len(), kind.noun(), &plural(kind)), places.len());
    let (Some(best), Some(last)) = (front.first(), front.last()) else {
        let names = by.map(|by| fact_name(by.fact));
        let text = format!("Nothing that is asked about states both {} and {}: {of}.", names[0], names[1]);
        return Ok(Some(Conclusion { text, entries: Vec::new() }));
    };
    let [ahead, also] = by.map(|by| in_front(by.fact, by.largest_first));
    let also = lower(&also);
    let name = |place: &Place| place.stated[0].name.clone();
    let both = |place: &Place| {
        format!("{} ({}, {})", name(place), by[0].in_words(place.values[0]), by[1].in_words(place.values[1]))
    };
    let mut text = match front.len() {
        1 => format!("{ahead} and {also}: {}, first in both; {of}.", both(best)),
        _ => format!("No {} has both. {ahead}: {}; {also}: {}.", kind.noun(), both(best), both(last)),
    };
    if front.len() > 2 {
        let between: Vec<String> = spread(&front[1..front.len() - 1]).into_iter().map(both).collect();
        let more = match front.len() - 2 - between.len() {
            0 => String::new(),
            more => format!("; {more} more of these"),
        };
        text.push_str(&format!(" Between them nothing beats in both: {}{more}.", and_list(&between)));
    }
    if front.len() > 1 {
        text.push_str(&format!(" {}.", of[..1].to_uppercase() + &of[1..]));
    }
    for unknown in not_stating(stores, question, kind)? {
        text.push_str(&format!(" {unknown}"));
    }
    let mut entries = Vec::new();
    for place in front.iter().take(MOST_ENTRIES) {
        for (by, stated) in by.iter().zip(&place.stated) {
            let subject = Value::Text(stated.id.as_str().into());
            entries.push(Entry {
                subjects: [(subject_key(kind).to_owned(), subject)].into_iter().collect(),
                quantity: by.fact.file_key().to_owned(),
                value: stated.value.clone(),
                unit: unit_of(by.fact),
                n: 1,
                sources: stated.sources(),
                ..Entry::default()
            });
        }
    }
    Ok(Some(Conclusion { text, entries }))
}

/// So many of them, evenly from the first to the last.
fn spread<'p>(places: &[&'p Place]) -> Vec<&'p Place> {
    if places.len() <= TOLD {
        return places.to_vec();
    }
    (0..TOLD).map(|at| places[at * (places.len() - 1) / (TOLD - 1)]).collect()
}

fn lower(text: &str) -> String {
    let mut letters = text.chars();
    letters.next().map_or_else(String::new, |first| first.to_lowercase().chain(letters).collect())
}

#[cfg(test)]
mod tests {
    use crate::ask::conclude::basis::sample::{Sample, told};
    use crate::ask::question::{Intent, Order, Quantity, Superlative};
    use crate::model::Fact;

    #[test]
    fn what_nothing_beats_in_both_is_told_from_one_end_to_the_other() {
        let devices = [
            ("Small", "memory-gib = 4\ntdp-w = 20\n"),
            ("Beaten", "memory-gib = 4\ntdp-w = 150\n"),
            ("Large", "memory-gib = 80\ntdp-w = 700\n"),
        ];
        let sample = Sample::with_devices(&devices, &[]);
        let mut question = sample.question("", Intent::Ranking);
        let order = |superlative, fact| Order { superlative, quantity: Quantity::Fact(fact) };
        question.wanted.quantities = vec![Quantity::Fact(Fact::Memory), Quantity::Fact(Fact::Tdp)];
        question.wanted.orders = vec![order(Superlative::Most, Fact::Memory), order(Superlative::Least, Fact::Tdp)];
        let conclusion = sample.conclude(&question);
        let lines: Vec<String> = conclusion.entries.iter().map(told).collect();
        let expected = ["large 80", "large 700", "nova 16", "nova 250", "core 8", "core 150", "small 4", "small 20"];
        assert_eq!(lines, expected.map(|line| format!("device {line}")), "{}", conclusion.text);
        assert_eq!(
            conclusion.text,
            "No device has both. Largest memory: Large (80 GiB, 700 W); lowest TDP: Small (4 GiB, 20 W). Between them nothing beats in both: Nova (16 GiB, 250 W) and Core (8 GiB, 150 W). Of 6 devices both are known of 5."
        );
    }
}
