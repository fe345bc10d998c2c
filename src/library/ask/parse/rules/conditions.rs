//! Conditions: names and bounds as a filter, with what is turned around and what is alternative.

use std::ops::Bound;

use super::Pieces;
use crate::ask::parse::question::{Filter, Is, Key, Term, Test};
use crate::ask::parse::spans::{Means, Word};
use crate::model::Facet;

/// A condition and the piece that it is of.
#[derive(Debug, Clone, PartialEq)]
pub(in crate::ask::parse) struct Item {
    /// The piece.
    pub piece: usize,
    /// The test.
    pub test: Test,
    /// Whether it must not hold.
    pub is_not: bool,
    /// Whether all of its neighbours must hold, each in a row of its own: `both V100 and TPU`.
    pub is_both: bool,
}

impl Item {
    /// The facet that it tests.
    pub fn facet(&self) -> Option<Facet> {
        match self.test.key {
            Key::Facet(facet) => Some(facet),
            _ => None,
        }
    }
}

/// The conditions of a question, in the order of the words. A `not` turns around the next one and what `and`, `or` and commas
/// link to it: `not in C++ or Python`, `other than mlperf and nvidia`, `neither A nor B`.
pub(super) fn items(pieces: &mut Pieces<'_>, words: &[Word<'_>]) -> Vec<Item> {
    let mut items: Vec<Item> = Vec::new();
    let mut is_not = false;
    let mut is_both = false;
    for at in 0..pieces.list.len() {
        let piece = &pieces.list[at];
        match &piece.means {
            Means::Not => {
                is_not = true;
                is_both = false;
            }
            Means::Ask("both") => is_both = true,
            Means::Quantity(_) if is_not && items.last().is_none_or(|last| !last.is_not || last.piece + 1 < at) => {
                // `without tensor cores`
                let Means::Quantity(meaning) = piece.means else { continue };
                let quantity = crate::ask::parse::lexicon::quantities(meaning, pieces.subject()).into_iter().next();
                let next_is_test = pieces.after(at).is_some_and(|next| pieces.list[next].test().is_some());
                if let Some(key) = quantity
                    .and_then(|quantity| crate::ask::parse::lexicon::key_of(&quantity))
                    .filter(|_| !next_is_test)
                {
                    items.push(Item { piece: at, test: Test { key, is: Is::Stated }, is_not: true, is_both: false });
                    pieces.mark(at, "not");
                    is_not = false;
                }
            }
            Means::Filler | Means::Quantity(_) => {}
            Means::Link("and" | "or" | "versus") if is_not || is_both => {}
            _ => match piece.test() {
                Some(test) => {
                    items.push(Item { piece: at, test: test.clone(), is_not, is_both });
                    pieces.mark(at, if is_not { "not" } else { "condition" });
                    let goes_on = words[pieces.list[at].words.end - 1].comma
                        || pieces
                            .after(at)
                            .is_some_and(|next| matches!(pieces.list[next].means, Means::Link("and" | "or")));
                    is_not &= goes_on;
                    is_both &= goes_on;
                }
                None if matches!(piece.means, Means::Ask("support" | "tested") | Means::Unread) => {}
                None => {
                    is_not = false;
                    is_both = false;
                }
            },
        }
    }
    for at in 0..pieces.list.len() {
        if matches!(pieces.list[at].means, Means::Not) {
            let turns = items.iter().any(|item| item.is_not && item.piece > at);
            pieces.mark(at, if turns { "not" } else { "" });
        }
    }
    items
}

/// How two conditions are linked by what stands between them: a link, a comma, or nothing but fillers.
fn linked(a: &Item, b: &Item, pieces: &Pieces<'_>, words: &[Word<'_>]) -> Option<&'static str> {
    let mut link = if words[pieces.list[a.piece].words.end - 1].comma { "," } else { "" };
    for piece in &pieces.list[a.piece + 1..b.piece] {
        match &piece.means {
            Means::Link(found @ ("and" | "or")) => link = found,
            Means::Filler | Means::Ask("both" | "support" | "tested") | Means::Not => {}
            Means::Kind(_, None) => {}
            _ => return None,
        }
    }
    Some(link)
}

/// Conditions as a filter. Two of one field of rows are alternatives; two of what a row or an entity has several of both hold,
/// unless `or` links them.
pub(super) fn filter(items: &[&Item], pieces: &Pieces<'_>, words: &[Word<'_>]) -> Filter {
    let mut terms: Vec<Term> = Vec::new();
    let mut last_of: Vec<(Key, bool, usize, &Item)> = Vec::new();
    for &item in items {
        let earlier = last_of.iter().rposition(|(key, is_not, ..)| *key == item.test.key && *is_not == item.is_not);
        let joins = earlier.is_some_and(|earlier| is_alternative(last_of[earlier].3, item, pieces, words));
        match earlier {
            Some(earlier) if joins => {
                let place = last_of[earlier].2;
                join(&mut terms[place], &item.test);
                last_of[earlier].3 = item;
            }
            _ if terms.iter().any(|term| *term == term_of(item)) => {}
            _ => {
                last_of.push((item.test.key.clone(), item.is_not, terms.len(), item));
                terms.push(term_of(item));
            }
        }
    }
    Filter { terms }
}

fn is_alternative(first: &Item, second: &Item, pieces: &Pieces<'_>, words: &[Word<'_>]) -> bool {
    let link = linked(first, second, pieces, words);
    let several = match &first.test.key {
        Key::Facet(facet) => facet.has_many_values(),
        Key::Aspect(crate::model::Aspect::Fact(fact)) => fact.facet().is_some(),
        _ => false,
    };
    match (&first.test.is, &second.test.is) {
        _ if first.is_both && second.is_both => false,
        (Is::OneOf(_), Is::OneOf(_)) if several => {
            matches!(link, Some("or" | ",")) || link == Some("and") && first.facet() == Some(Facet::Framework)
        }
        (Is::OneOf(_), Is::OneOf(_)) => !matches!(first.test.key, Key::Grade(_)),
        (Is::Within(Bound::Included(_), Bound::Included(_)), Is::Within(Bound::Included(_), Bound::Included(_))) => {
            matches!(link, Some("or" | "," | "and"))
        }
        _ => link == Some("or"),
    }
}

fn term_of(item: &Item) -> Term {
    let test = Term::Test(item.test.clone());
    if item.is_not { Term::Not(Filter { terms: vec![test] }) } else { test }
}

/// Adds an alternative to a term.
fn join(term: &mut Term, test: &Test) {
    match term {
        Term::Test(Test { is: Is::OneOf(values), .. }) if matches!(test.is, Is::OneOf(_)) => {
            let Is::OneOf(more) = &test.is else { return };
            for value in more {
                if !values.contains(value) {
                    values.push(value.clone());
                }
            }
        }
        Term::Not(filter) => {
            if let [only] = filter.terms.as_mut_slice() {
                join(only, test);
            }
        }
        Term::Any(filters) => filters.push(Filter { terms: vec![Term::Test(test.clone())] }),
        Term::Test(first) => {
            let alternatives = [first.clone(), test.clone()].map(|test| Filter { terms: vec![Term::Test(test)] });
            *term = Term::Any(alternatives.to_vec());
        }
    }
}
