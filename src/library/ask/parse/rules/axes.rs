//! The axis of a series.

use std::ops::Bound::Included;

use super::conditions::{self, Item};
use super::pieces::Pieces;
use super::sides::against_baseline;
use crate::ask::parse::lexicon::{Subject, quantity};
use crate::ask::parse::piece::Means;
use crate::ask::parse::question::{Is, Key, Quantity, Question, Test};
use crate::model::{Aspect, Facet, Fact, Field};

/// The axis of a series: `by batch size`, `effect of cuda`, `scaling`, `batch size resnet50 V100`, `1 to 8 GPUs`.
pub(super) fn axes(pieces: &mut Pieces<'_>, items: &[Item], question: &mut Question, is_sided: bool) {
    for at in 0..pieces.list.len() {
        let axis = match pieces.means(at) {
            Means::Axis(axis) => *axis,
            Means::Link("versus") => "by",
            _ => continue,
        };
        if !pieces.unused(at) {
            continue;
        }
        let mut all = 0..pieces.list.len();
        let at_place = |place: usize| axis_at(pieces, place).map(|axis| (Some(place), axis));
        let found = match axis {
            "device-count" => Some((None, Aspect::Field(Field::DeviceCount))),
            "batch-size" => Some((None, Aspect::Field(Field::BatchSize))),
            "architecture" => Some((None, Aspect::Fact(Fact::Architecture))),
            "year" => Some((None, Aspect::Fact(Fact::Year))),
            // For a relation between two quantities, a fact is the axis.
            "relation" => all.find_map(|place| match pieces.quantity(place, Subject::Network)? {
                Quantity::Fact(fact) => Some((Some(place), Aspect::Fact(fact))),
                _ => None,
            }),
            "sort" | "ascending" | "descending" => None,
            "effect" => all.find_map(at_place),
            _ => {
                // `across NVIDIA generations`
                let is_test = |place: &usize| pieces.list[*place].is_of(&[Facet::Vendor]);
                let next = pieces.after(at);
                let behind = next.filter(is_test).and_then(|next| pieces.after(next));
                behind.or(next).and_then(at_place)
            }
        };
        if let Some((place, aspect)) = found {
            let is_kind = place.is_some_and(|place| pieces.means(place).kind().is_some());
            if (question.along.is_none() || matches!(axis, "over" | "by") && place.is_some())
                && !(is_kind && question.order.is_some())
            {
                question.along = Some(aspect);
            }
            pieces.mark_all([at].into_iter().chain(place), "axis");
        }
    }
    if question.along.is_none() && !is_sided {
        question.along = axis_of_fields(pieces, items, question).or_else(|| axis_of_ranges(pieces, items, question));
    }
}

/// The row field of a piece, if a series can run along it.
pub(super) fn axis_field(pieces: &Pieces<'_>, at: usize) -> Option<Field> {
    match pieces.quantity(at, Subject::Rows)? {
        Quantity::Field(field) if field.is_axis() => Some(field),
        _ => None,
    }
}

/// A field that nothing else uses is an axis: `batch size resnet50 V100`.
fn axis_of_fields(pieces: &mut Pieces<'_>, items: &[Item], question: &mut Question) -> Option<Aspect> {
    let opens = |means: &Means| matches!(means, Means::Filler | Means::Ask(_) | Means::Quantity(_) | Means::Link(_));
    let which = pieces.asks("which");
    let is_which = |at: usize| which && (0..at).all(|before| opens(pieces.means(before)));
    let free = || {
        let free = (0..pieces.list.len()).filter(|at| pieces.unused(*at));
        let free = free.filter_map(|at| Some((at, axis_field(pieces, at)?)));
        free.filter(|(_, field)| !items.iter().any(|item| item.test.key == Key::from(*field)))
    };
    // `does flash attention matter at short sequence lengths`
    if pieces.asks("speedup") && items.iter().any(|item| against_baseline(&item.test).is_some()) {
        return None;
    }
    // `did newer TensorFlow versions get faster`
    let compares = pieces.compares();
    let best = free().find(|(at, _)| is_which(*at));
    let lone = free().find(|(at, field)| (*field != Field::FrameworkVersion || compares) && !is_which(*at));
    let asks_list = which && (pieces.asks("tested") || question.of.is_some());
    // `what batch size gives the best throughput`
    let (at, field) = if let (Some(best), Some(order), None) = (best, &question.order, &question.of) {
        question.wants.push(order.by.clone());
        question.order = None;
        best
    } else {
        lone.filter(|_| !asks_list && question.order.is_none())?
    };
    pieces.mark(at, "axis");
    Some(Aspect::Field(field))
}

/// A range of a field's values makes the field the axis: `from batch 1 to batch 64`, `1 to 8 GPUs`.
fn axis_of_ranges(pieces: &Pieces<'_>, items: &[Item], question: &Question) -> Option<Aspect> {
    // `does doubling the batch size from 32 to 64 help`
    let changes = pieces.asks("speedup") || pieces.asks("changes");
    let gains = changes || pieces.any(|means| *means == Means::Axis("of"));
    let is_doubled = |item: &Item| {
        gains
            && matches!(item.test.key, Key::Aspect(Aspect::Field(field)) if field.is_axis())
            && matches!(item.test.is, Is::Within(low, high) if low != high && low != std::ops::Bound::Unbounded)
    };
    let ranged = items.iter().find(|item| pieces.list[item.piece].rule == "range" || is_doubled(item));
    if let Some(Item { test: Test { key: Key::Aspect(aspect), .. }, .. }) = ranged {
        return Some(*aspect);
    }
    // `how did training improve since 2017`
    let is_of_years = |item: &&Item| item.facet() == Some(Facet::Year) || item.test.key == Key::from(Fact::Released);
    let over_years = items.iter().find(is_of_years);
    let is_range = |item: &Item| matches!(item.test.is, Is::Within(low, high) if low != high);
    if (changes && (pieces.asks("how") || pieces.is_yes_or_no()) || pieces.asks("evolve"))
        && over_years.is_some_and(is_range)
    {
        return Some(Aspect::Fact(Fact::Year));
    }
    if question.order.is_some() {
        return None;
    }
    // Several counts, or a range of them.
    let counts: Vec<&Item> = items.iter().filter(|item| item.test.key == Key::from(Field::DeviceCount)).collect();
    let is_range = |item: &&Item| matches!(item.test.is, Is::Within(Included(low), Included(high)) if low < high);
    let is_alternative = |pair: &[&Item]| conditions::linked(pair[0], pair[1], pieces) == Some("or");
    let lists = matches!(question.of, Some(Key::Facet(Facet::Source | Facet::Network | Facet::Framework)));
    let varies = (counts.len() > 1 || counts.iter().any(is_range)) && !counts.windows(2).any(is_alternative);
    (varies && !lists).then_some(Aspect::Field(Field::DeviceCount))
}

/// The axis that a piece names.
fn axis_at(pieces: &Pieces<'_>, at: usize) -> Option<Aspect> {
    // Facts of devices that no row states: `peak fp16 by release year`
    let of_device =
        |means: &Means| ["any:peak", " device:memory", " device:bandwidth"].iter().any(|of| means.asks_for(of));
    match pieces.means(at) {
        Means::Quantity(meaning) => match quantity(meaning, Subject::Rows)? {
            Quantity::Field(field) if field.is_axis() || field == Field::Date => Some(Aspect::Field(field)),
            Quantity::Fact(fact @ (Fact::Year | Fact::Architecture)) => Some(Aspect::Fact(fact)),
            Quantity::Fact(Fact::Released) if pieces.any(of_device) => Some(Aspect::Fact(Fact::Year)),
            _ => None,
        },
        Means::Kind(facet, None) => Aspect::keyed(facet.key()),
        _ => None,
    }
}
