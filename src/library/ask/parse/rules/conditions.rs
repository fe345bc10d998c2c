//! Conditions: combines names and bounds into a filter, with negations and alternatives.

use std::ops::Bound;

use strum::VariantArray as _;

use super::pieces::Pieces;
use crate::ask::parse::lexicon::key_of;
use crate::ask::parse::piece::Means;
use crate::ask::parse::question::{Filter, Is, Key, Term, Test};
use crate::ask::parse::span::How;
use crate::model::{Aspect, Facet, Field};
use crate::values::Target;

/// A condition and the piece that states it.
#[derive(Debug, Clone, PartialEq)]
pub(in crate::ask::parse) struct Item {
    /// The index of the piece.
    pub piece: usize,
    /// The test.
    pub test: Test,
    /// Whether the condition is negated.
    pub is_not: bool,
    /// Whether it is one of several that must all hold, each in a row of its own: `both V100 and TPU`.
    pub is_both: bool,
}

impl Item {
    /// The index of its group in [`GROUPS`].
    pub fn group(&self) -> Option<usize> {
        let facet = match self.test.key {
            Key::Facet(facet) => facet,
            Key::Aspect(Aspect::Field(Field::ComputeUnit)) => Facet::Class,
            Key::Aspect(Aspect::Field(Field::Quantization)) => Facet::Precision,
            _ => return None,
        };
        GROUPS.iter().position(|group| group.contains(&facet))
    }

    /// The facet that it tests.
    pub fn facet(&self) -> Option<Facet> {
        self.test.facet()
    }

    /// Whether it tests one of these facets.
    pub fn is_of(&self, facets: &[Facet]) -> bool {
        self.facet().is_some_and(|facet| facets.contains(&facet))
    }
}

/// Facets of the same kind of thing: two values of one group can be compared even if their fields differ.
const GROUPS: [&[Facet]; 3] = [
    &[Facet::Device, Facet::Class, Facet::Vendor, Facet::Architecture, Facet::Instance],
    &[Facet::Network, Facet::Task],
    &[Facet::Framework, Facet::Precision],
];

/// The conditions in word order. `not` negates the next one and those linked to it: `not in C++ or Python`.
pub(super) fn items(pieces: &mut Pieces<'_>) -> Vec<Item> {
    let mut items: Vec<Item> = Vec::new();
    let (mut is_not, mut is_both) = (false, false);
    let mut turning = None;
    for at in 0..pieces.list.len() {
        let stated = |pieces: &Pieces<'_>| key_of(&pieces.quantity(at, pieces.subject())?);
        // `apart from NVIDIA, who makes chips`
        let is_apart = at > 0 && pieces.words[pieces.list[at - 1].words.end - 1].comma;
        is_not &= !(is_apart && matches!(pieces.means(at), Means::Quantity(_) | Means::Kind(..)));
        match pieces.means(at) {
            Means::Not => {
                turning = Some(at);
                (is_not, is_both) = (true, false);
            }
            Means::Ask("both") => is_both = true,
            // `without tensor cores`, `gpus with tensor cores`, `which gpus have tensor cores`
            Means::Quantity(_) if is_not || states(pieces, at) => {
                let next_is_test = pieces.after(at).is_some_and(|next| pieces.list[next].test().is_some());
                let is_number = |key: &Key| matches!(key, Key::Aspect(aspect) if aspect.is_numeric());
                if let Some(key) = stated(pieces).filter(|key| !is_not || !next_is_test || is_number(key)) {
                    items.push(Item { piece: at, test: Test::stated(key), is_not, is_both: false });
                    pieces.mark(at, if is_not { "not" } else { "stated" });
                    is_not &= list_continues(pieces, at);
                }
            }
            Means::Filler | Means::Quantity(_) | Means::Ask("which") | Means::Axis("by") => {}
            Means::Link("and" | "or" | "and-on" | "versus") if is_not || is_both => {}
            // `no pods bigger than 64 chips`
            Means::Kind(_, None) if is_not => {}
            means => match pieces.list[at].test().cloned() {
                Some(test) => {
                    // A comma ends the negation for other keys: `not transformers, below 30M parameters`.
                    let by_comma = items.last().filter(|last| last.is_not).is_some_and(|last| {
                        linked(last, &Item { piece: at, ..last.clone() }, pieces) == Some(",")
                            && last.test.key != test.key
                    });
                    is_not &= !by_comma;
                    // `no batch above 32` means a batch of at most 32.
                    let complement = complement(&test).filter(|_| is_not);
                    if complement.is_some() {
                        is_not = false;
                        pieces.mark_all(turning, "not");
                    }
                    items.push(Item { piece: at, test: complement.unwrap_or(test), is_not, is_both });
                    pieces.mark(at, if is_not { "not" } else { "condition" });
                    is_not &= list_continues(pieces, at);
                    is_both &= list_continues(pieces, at);
                }
                None if matches!(means, Means::Ask("support" | "tested") | Means::Unread) => {}
                None => (is_not, is_both) = (false, false),
            },
        }
    }
    drop_brands(&mut items, pieces);
    for at in 0..pieces.list.len() {
        if *pieces.means(at) == Means::Not && items.iter().any(|item| item.is_not && item.piece > at) {
            pieces.mark(at, "not");
        }
    }
    items
}

/// Whether a list continues after a piece.
fn list_continues(pieces: &Pieces<'_>, at: usize) -> bool {
    pieces.words[pieces.list[at].words.end - 1].comma || pieces.next_is(at, |means| means.is_link(&["and", "or"]))
}

/// Excludes the named entity and lists others of its kind: `alternatives to TensorRT that run on AMD hardware`.
pub(super) fn alternatives(pieces: &mut Pieces<'_>, items: &mut [Item]) {
    let Some(at) = pieces.find(|means| *means == Means::Ask("alternatives")) else { return };
    let named = pieces.after(at).and_then(|next| items.iter_mut().find(|item| item.piece == next));
    let facet = named.as_ref().and_then(|item| item.facet()).filter(|facet| facet.entity_kind().is_some());
    if let Some((item, facet)) = named.zip(facet) {
        item.is_not = true;
        pieces.list[at].means = Means::Kind(facet, None);
    }
}

/// `only` excludes every other value: `frameworks that run only on cpu`, `networks with only inference results`.
pub(super) fn only(pieces: &mut Pieces<'_>, items: &mut Vec<Item>) {
    for at in 0..pieces.list.len() {
        if *pieces.means(at) != Means::Ask("only") || !pieces.is_list() {
            continue;
        }
        let behind = items.iter().position(|item| item.piece > at && !item.is_not);
        let before = items.iter().rposition(|item| Some(item.piece) == pieces.before(at));
        let Some(place) = before.or(behind) else { continue };
        if !items[place].test.values().is_empty() {
            items.insert(place + 1, Item { test: others(&items[place].test), is_not: true, ..items[place].clone() });
            pieces.mark(at, "only");
        }
    }
}

/// A test that every other value of the key meets.
pub(super) fn others(test: &Test) -> Test {
    let named = test.values();
    let values = match test.key == Key::Facet(Facet::Hardware) {
        true => Target::VARIANTS.iter().map(Target::to_string).filter(|target| !named.contains(target)).collect(),
        false => ["*".to_owned()].into_iter().chain(named.iter().map(|value| format!("!{value}"))).collect(),
    };
    Test { key: test.key.clone(), is: Is::OneOf(values) }
}

/// Whether listed entities must have this quantity: it directly follows a word such as `with`, `have` or `both`.
fn states(pieces: &Pieces<'_>, at: usize) -> bool {
    let is_list = pieces.list[..at].iter().any(|piece| piece.means.kind().is_some());
    let follows = pieces.is_preceded_by(at, &["with", "have", "has", "having", "both"]);
    let goes_on = |means: &Means| matches!(means, Means::Test(_) | Means::Bound(_) | Means::Comparative(..));
    is_list && follows && !pieces.next_is(at, goes_on) && !pieces.any(|means| means.is_link(&["than"]))
}

/// Drops a product line or maker in front of a product: `geforce 1080 ti`, `nvidia t4`, `arm graviton3`.
fn drop_brands(items: &mut Vec<Item>, pieces: &Pieces<'_>) {
    let values = |item: &Item| match item.facet() {
        Some(Facet::Device | Facet::Instance) => item.test.values().to_vec(),
        _ => Vec::new(),
    };
    // A pattern covers every id with its prefix.
    let is_of = |of: &String, id: &String| of.strip_suffix('*').is_some_and(|start| id.starts_with(start));
    // `edge detectors … on Jetson boards`
    let is_group = |at: usize| {
        let line = values(&items[at]);
        let named = items.iter().enumerate().filter(|(other, item)| *other != at && !item.is_not);
        let mut named = named.map(|(_, item)| values(item)).filter(|values| !values.is_empty());
        pieces.list[items[at].piece].how == How::Lexicon
            && !items[at].is_not
            && named.any(|ids| ids != line && ids.iter().all(|id| line.iter().any(|of| is_of(of, id))))
    };
    let is_brand = |at: usize| {
        let Some(next) = items.get(at + 1).filter(|next| next.piece == items[at].piece + 1) else { return false };
        let (line, product) = (values(&items[at]), values(next));
        let is_core = next.facet() == Some(Facet::Architecture);
        let is_product = is_core || !product.is_empty() && pieces.list[next.piece].how != How::Lexicon;
        // `nvidia t4`, `zynq zcu104`
        let is_maker = match items[at].facet() {
            // In `sapphire rapids xeons` the architecture selects among several devices.
            Some(Facet::Architecture) => product.len() == 1,
            facet => facet == Some(Facet::Vendor),
        };
        if is_maker && is_product && items[at].is_not == next.is_not {
            return true;
        }
        // `edge jetson nano`
        let is_of_line = |id: &String| line.iter().any(|of| of == id || is_of(of, id));
        let is_line = line.iter().any(|of| of.ends_with('*')) || line.len() > 1 && product.len() < line.len();
        is_line && !product.is_empty() && product != line && product.iter().all(is_of_line)
    };
    let brands: Vec<usize> = (0..items.len()).filter(|at| is_brand(*at) || is_group(*at)).collect();
    for at in brands.into_iter().rev() {
        items.remove(at);
    }
}

/// The complement of a one-sided bound.
fn complement(test: &Test) -> Option<Test> {
    let is = match test.is {
        Is::Within(Bound::Excluded(low), Bound::Unbounded) => Is::Within(Bound::Unbounded, Bound::Included(low)),
        Is::Within(Bound::Included(low), Bound::Unbounded) => Is::Within(Bound::Unbounded, Bound::Excluded(low)),
        Is::Within(Bound::Unbounded, Bound::Excluded(high)) => Is::Within(Bound::Included(high), Bound::Unbounded),
        Is::Within(Bound::Unbounded, Bound::Included(high)) => Is::Within(Bound::Excluded(high), Bound::Unbounded),
        _ => return None,
    };
    Some(Test { key: test.key.clone(), is })
}

/// How two conditions are linked by what is between them: a link, a comma, or nothing but fillers.
pub(super) fn linked(a: &Item, b: &Item, pieces: &Pieces<'_>) -> Option<&'static str> {
    let mut link = if pieces.words[pieces.list[a.piece].words.end - 1].comma { "," } else { "" };
    // An exclusion added by `only` has the same piece as its condition.
    for piece in pieces.list.get(a.piece + 1..b.piece).unwrap_or_default() {
        match &piece.means {
            Means::Link(found @ ("and" | "or" | "and-on")) => link = found,
            Means::Filler | Means::Ask("both" | "support" | "tested" | "only") | Means::Not | Means::Kind(_, None) => {}
            _ => return None,
        }
    }
    Some(link)
}

/// Builds a filter. Conditions on one field are alternatives; on a field with several values all hold, unless `or` links them.
pub(super) fn filter(items: &[&Item], pieces: &Pieces<'_>) -> Filter {
    let mut terms: Vec<Term> = Vec::new();
    let mut last_of: Vec<(Key, bool, usize, &Item)> = Vec::new();
    for (at, &item) in items.iter().enumerate() {
        // `on fpga or tpu`: values of one group are alternatives, although their fields differ.
        let before = at.checked_sub(1).map(|before| items[before]).filter(|before| !before.is_not && !item.is_not);
        let one_group = before.is_some_and(|before| {
            (before.test.key != item.test.key || matches!(terms.last(), Some(Term::Any(_))))
                && (before.group().is_some_and(|of| item.group() == Some(of)) || is_union(before, item, pieces))
                && linked(before, item, pieces) == Some("or")
        });
        let own = before.filter(|_| one_group).map(|before| Filter::from(before.test.clone()));
        if let (Some(own), Some(last)) = (own, terms.last_mut()) {
            let mut any = if let Term::Any(any) = last { any.clone() } else { vec![Filter::of([last.clone()])] };
            if any.last() == Some(&own) {
                any.push(item.test.clone().into());
                *last = Term::Any(any);
                continue;
            }
        }
        let earlier = last_of.iter().rposition(|(key, is_not, ..)| *key == item.test.key && *is_not == item.is_not);
        let joins = earlier.is_some_and(|earlier| is_alternative(last_of[earlier].3, item, pieces));
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

/// Whether `OR` is between two conditions, which makes any two of them alternatives.
pub(super) fn is_union(first: &Item, second: &Item, pieces: &Pieces<'_>) -> bool {
    let between = &pieces.list[first.piece + 1..second.piece];
    between.iter().any(|piece| matches!(pieces.words[piece.words.start].text, "OR" | "|"))
}

fn is_alternative(first: &Item, second: &Item, pieces: &Pieces<'_>) -> bool {
    let link = linked(first, second, pieces);
    let several = match &first.test.key {
        Key::Facet(facet) => facet.has_many_values(),
        Key::Aspect(Aspect::Fact(fact)) => fact.facet().is_some(),
        _ => false,
    };
    match (&first.test.is, &second.test.is) {
        _ if first.is_both && second.is_both || link == Some("and-on") => false,
        (Is::OneOf(_), Is::OneOf(_)) if several => {
            matches!(link, Some("or" | ",")) || link == Some("and") && first.facet() == Some(Facet::Framework)
        }
        (Is::OneOf(_), Is::OneOf(_)) => !matches!(first.test.key, Key::Grade(_)),
        (Is::Within(Bound::Included(_), Bound::Included(_)), Is::Within(Bound::Included(_), Bound::Included(_))) => {
            // `2024 2025`, `1 2 4 8 gpus`
            link.is_some() || first.facet() == Some(Facet::Year)
        }
        _ => link == Some("or"),
    }
}

fn term_of(item: &Item) -> Term {
    if item.is_not { Term::Not(item.test.clone().into()) } else { Term::Test(item.test.clone()) }
}

/// Adds an alternative to a term.
fn join(term: &mut Term, test: &Test) {
    match term {
        Term::Test(Test { is: Is::OneOf(values), .. }) if matches!(test.is, Is::OneOf(_)) => {
            let new = test.values().iter().filter(|value| !values.contains(value)).cloned();
            values.extend(new.collect::<Vec<_>>());
        }
        Term::Not(filter) => {
            if let [only] = filter.terms.as_mut_slice() {
                join(only, test);
            }
        }
        Term::Any(filters) => filters.push(test.clone().into()),
        Term::Test(first) => *term = Term::Any([first.clone(), test.clone()].map(Filter::from).to_vec()),
    }
}
