//! Adjustments of the composed question that depend on all of it.

use std::ops::Bound::{Excluded, Unbounded};

use strum::VariantArray as _;

use super::conditions;
use super::pieces::Pieces;
use super::roles::is_feature;
use super::sides::against_baseline;
use super::wants::{asks_device_trend, compared_by};
use crate::ask::parse::ask::is_of_device;
use crate::ask::parse::lexicon::key_called;
use crate::ask::parse::piece::{Means, Piece};
use crate::ask::parse::question::{Filter, Is, Key, Order, Quantity, Question, Term, Test};
use crate::ask::parse::span::How;
use crate::model::{Aspect, Derived, Facet, Fact, Field, Metric};

/// Adjustments that depend on the question as a whole.
pub(super) fn adjust_to_whole_question(pieces: &mut Pieces<'_>, question: &mut Question) {
    // A series over counts of devices includes one device: `multi gpu training scaling`.
    if question.along == Some(Aspect::Field(Field::DeviceCount)) {
        let several = Term::of(Field::DeviceCount, Is::at_least(2.0));
        question.subject.terms.retain(|term| *term != several);
    }
    // `how did the fastest training time change since 2017`
    if question.along == Some(Aspect::Fact(Fact::Year)) && !question.wants.is_empty() {
        question.order.take_if(|order| order.by == Quantity::Speed);
    }
    if asks_device_trend(pieces, question) && question.wants.iter().any(is_of_device) {
        let years = question.subject.tests_mut().filter(|test| test.facet() == Some(Facet::Year));
        years.for_each(|year| year.key = Key::from(Fact::Released));
        if pieces.says(&["gpu"]) && !question.subject.has(Facet::Class) {
            question.subject.terms.push(Term::Test(Test::one(Facet::Class.into(), "gpu")));
        }
    }
    // The power of several devices is a measured one, not the TDP of one: `how much power do eight B200s draw`.
    let counts = question.subject.tests().filter(|test| test.key == Key::from(Field::DeviceCount));
    let are_several = counts.filter_map(|test| test.is.single()).any(|count| count > 1.0);
    if are_several && question.wants.contains(&Quantity::Metric(Metric::PowerW)) {
        question.wants.retain(|want| *want != Quantity::Fact(Fact::Tdp));
    }
    // Epochs and times to accuracy imply training.
    let times = [Metric::EpochS, Metric::TimeToAccuracyS].map(Quantity::Metric);
    let is_timed = question.quantities().any(|by| times.contains(by));
    if is_timed && !question.subject.has(Facet::Stage) && !question.sides.iter().any(|side| side.has(Facet::Stage)) {
        question.subject.terms.push(Term::Test(Test::one(Facet::Stage.into(), "train")));
    }
    // `which should I rent for Llama 2 13B` asks for items per dollar.
    let is_price = |want: &Quantity| matches!(want, Quantity::Fact(Fact::Price | Fact::LaunchPrice));
    let prices = !question.wants.is_empty() && question.wants.iter().all(is_price);
    if prices && pieces.asks("choose") && question.subject.has(Facet::Network) {
        question.wants = vec![Quantity::Derived(Derived::ItemsPerDollar)];
    }
    // `every TPU generation with its memory`
    let of_generations = pieces.says(&["generation", "generations"]) && question.subject.has(Facet::Device);
    if of_generations && question.of.is_none() && question.sides.is_empty() && pieces.asks("which") {
        question.of = Some(Key::Facet(Facet::Device));
    }
    // `which of AlexNet and GoogLeNet needs the fewest multiply-adds` asks for the fact of both.
    if !question.sides.is_empty()
        && let Some(order) = question.order.take_if(|order| matches!(order.by, Quantity::Fact(_) | Quantity::Ratio(..)))
    {
        question.wants.push(order.by);
    }
    // `who makes chips that can train ResNet-50`
    let makes = question.wants == [Quantity::Fact(Fact::Vendor)] && question.order.is_none();
    if makes && pieces.list.iter().any(|piece| piece.means.is_kind(Facet::Device) && pieces.is_plural(piece)) {
        question.of = Some(Key::Facet(Facet::Vendor));
        question.wants.clear();
    }
    fitting_order(pieces, question);
    allow_excluded_rows(pieces, question);
    top_k(pieces, question);
    implied_sides(pieces, question);
    framework_facts_as_wants(pieces, question);
    items_counted(pieces, question);
    accept_formats_of_rows(pieces, question);
    enough_memory(pieces, question);
}

/// Drops an order by a fact that the listed entities do not have: `which networks gain the least from tensor cores`.
fn fitting_order(pieces: &mut Pieces<'_>, question: &mut Question) {
    let Some(Key::Facet(listed)) = question.of else { return };
    let is_other = |fact: Fact| listed != Facet::Class && listed.entity_kind().is_some_and(|kind| kind != fact.kind());
    let misfits =
        |order: &mut Order| matches!(order.by, Quantity::Fact(fact) | Quantity::Ratio(fact, _) if is_other(fact));
    if let Some(order) = question.order.take_if(misfits) {
        question.wants.push(order.by);
        drop_orders(pieces);
    }
}

/// Marks the words of an order as unused, so that they are reported as unread.
fn drop_orders(pieces: &mut Pieces<'_>) {
    let orders = pieces.list.iter_mut().filter(|piece| matches!(piece.means, Means::Order(..)));
    orders.for_each(|piece| piece.rule = "");
}

/// `networks timed on anything other than NVIDIA` may also have rows on NVIDIA, unlike those `not timed on NVIDIA`.
fn allow_excluded_rows(pieces: &Pieces<'_>, question: &mut Question) {
    use Facet::{Architecture, Class, Dataset, Device, Framework, Network, Source, Vendor};
    let is_other =
        |at| *pieces.means(at) == Means::Not && ["other", "anything", "besides"].contains(&&*pieces.text(at));
    let listed = matches!(question.of, Some(Key::Facet(Network | Framework | Dataset | Source)));
    if !listed || !(0..pieces.list.len()).any(is_other) {
        return;
    }
    for term in &mut question.subject.terms {
        let of = |test: &Test| matches!(test.key, Key::Facet(Device | Vendor | Class | Architecture));
        let Term::Not(Filter { terms }) = term else { continue };
        if let Some(test) = terms.first().and_then(Term::test).filter(|test| terms.len() == 1 && of(test)) {
            *term = Term::Test(conditions::others(test));
        }
    }
}

/// Restricts accuracies to top-1 or top-5. Few sources state top-1, so it only excludes the others.
fn top_k(pieces: &Pieces<'_>, question: &mut Question) {
    let accuracy = Quantity::Metric(Metric::Accuracy);
    let is_measured = question.quantities().any(|by| *by == accuracy) || question.subject.has(Metric::Accuracy);
    let term = if pieces.says(&["top5", "top-5"]) {
        Term::of(Field::TopK, Is::exactly(5.0))
    } else if pieces.says(&["top1", "top-1"]) {
        Term::Not(Filter { terms: vec![Term::of(Field::TopK, Is::Within(Excluded(1.0), Unbounded))] })
    } else {
        return;
    };
    if is_measured {
        question.subject.terms.push(term);
        if !question.subject.has_any(&[Facet::Network, Facet::Task, Facet::Dataset]) {
            question.subject.terms.push(Term::Test(Test::one(Facet::Task.into(), "image-classification")));
        }
    }
}

/// Restricts rows to what a rate counts, if nothing else says what was run: `tokens per joule of the Orin NX`.
fn items_counted(pieces: &Pieces<'_>, question: &mut Question) {
    let says_work = |term: &Term| match term {
        Term::Test(test) => {
            let is_work = |facet| matches!(facet, Facet::Network | Facet::Task | Facet::Source | Facet::Dataset);
            test.facet().is_some_and(is_work) || test.key == Key::from(Field::Counts)
        }
        Term::Not(_) => false,
        Term::Any(filters) => !filters.is_empty(),
    };
    let terms = || question.subject.terms.iter().chain(question.sides.iter().flat_map(|side| &side.terms));
    if terms().any(says_work) {
        return;
    }
    // `100 tokens/s` is a bound on a rate, `tokens/s >= 100` another.
    let counted = |piece: &Piece| {
        let is_rate = match &piece.means {
            Means::Quantity(by) => by.contains("per-"),
            Means::Test(test) => test.key == Key::from(Metric::ThroughputPerS),
            _ => false,
        };
        let mut words = pieces.words[piece.words.clone()].iter().map(|word| word.text.to_lowercase());
        let thing = |word: String| COUNTED.iter().find(|(start, _)| word.starts_with(start)).map(|(_, thing)| *thing);
        words.find_map(thing).filter(|_| is_rate)
    };
    // For a device, frames and inferences count as images as well.
    let names_device = |term: &Term| matches!(term.facet(), Some(Facet::Device | Facet::Class | Facet::Vendor));
    let is_of_device = terms().any(names_device);
    let thing = pieces.list.iter().find_map(counted);
    if let Some(thing) = thing.filter(|thing| *thing == "token" || !is_of_device) {
        question.subject.terms.push(Term::Test(Test::one(Key::from(Field::Counts), thing)));
    }
}

/// How words begin that say what a rate counts, and the counted thing.
const COUNTED: [(&str, &str); 3] = [("tok", "token"), ("image", "image"), ("img", "image")];

/// A device supports a number format if it states a peak or has rows in it; the catalog lacks the peaks of some devices.
fn accept_formats_of_rows(pieces: &Pieces<'_>, question: &mut Question) {
    if !pieces.asks("support") && !(0..pieces.list.len()).any(|at| is_feature(pieces, at)) {
        return;
    }
    let format_of = |peak: &Fact| Some(peak.key().strip_prefix("peak-")?.trim_end_matches("-tensor"));
    for term in &mut question.subject.terms {
        let Term::Test(Test { key: Key::Aspect(Aspect::Fact(peak)), is: Is::Stated }) = term else { continue };
        let Some(format) = format_of(peak) else { continue };
        let peaks = Fact::VARIANTS.iter().filter(|fact| format_of(fact) == Some(format));
        let stated = peaks.map(|fact| Filter::from(Test::stated(Key::from(*fact))));
        let rows = Term::Test(Test::one(Key::Facet(Facet::Precision), format));
        // Weights may be stored in a format in which nothing is computed.
        let weights = Term::Not(Test::stated(Key::from(Field::WeightFormat)).into());
        *term = Term::Any(stated.chain([Filter { terms: vec![rows, weights] }]).collect());
    }
}

/// Turns the memory in `which cards have enough memory for 40 GB` into a lower bound.
fn enough_memory(pieces: &Pieces<'_>, question: &mut Question) {
    let names_network = question.subject.has(Facet::Network) || question.subject.has(Fact::Parameters);
    let lists_devices = question.of == Some(Key::Facet(Facet::Device));
    if !pieces.asks("fit") || !lists_devices || names_network {
        return;
    }
    question.wants.retain(|want| *want != Quantity::Metric(Metric::MemoryMib));
    for memory in question.subject.tests_mut().filter(|test| test.key == Key::from(Fact::Memory)) {
        memory.is = memory.is.single().map_or(memory.is.clone(), Is::at_least);
    }
}

/// Facts of a named framework become what is wanted (`theano end of life`), unless the question asks whether they hold.
fn framework_facts_as_wants(pieces: &mut Pieces<'_>, question: &mut Question) {
    if !question.subject.has(Facet::Framework)
        || question.subject.has_any(&[Facet::Network, Facet::Device, Facet::Dataset])
        || pieces.is_yes_or_no()
        || question.of.is_some()
        || !question.sides.is_empty()
        || pieces.list.iter().any(|piece| piece.how == How::Filter)
    {
        return;
    }
    question.subject.terms.retain(|term| {
        let fact = match term.facet() {
            Some(Facet::Maturity) => Fact::Maturity,
            Some(Facet::MultiServer) => Fact::MultiServer,
            _ => return true,
        };
        question.wants.push(Quantity::Fact(fact));
        false
    });
}

/// Adds the baseline side that a speed-up implies: `fp16 speedup`, `does int8 help`, `torch.compile speedup`.
fn implied_sides(pieces: &mut Pieces<'_>, question: &mut Question) {
    // `what fp16 does to training speed`
    let effect = pieces.find(|means| matches!(means, Means::Axis("effect" | "of"))).filter(|at| pieces.unused(*at));
    let gains = effect.is_some()
        || ["speedup", "worsens", "changes"].iter().any(|gain| pieces.asks(gain))
        || pieces.asks("evolve") && pieces.asks("which")
        || pieces.compares() && question.order.is_none();
    // `fp16 speedup by network` has one line for each network.
    let lines = question.along.filter(|along| {
        matches!(along, Aspect::Field(Field::Network | Field::Device | Field::Framework | Field::Dataset))
    });
    if !gains || !question.sides.is_empty() || question.along.is_some() && lines.is_none() {
        return;
    }
    // The gain from tensor cores is that of the number formats they compute in.
    let of_tensor_cores = question.wants.contains(&Quantity::Fact(Fact::TensorCores)) && pieces.asks("speedup");
    if of_tensor_cores {
        let formats = Is::OneOf(["fp16", "amp-fp16"].map(str::to_owned).to_vec());
        question.subject.terms.push(Term::Test(Test { key: Key::Facet(Facet::Precision), is: formats }));
    }
    let mut terms = question.subject.terms.iter().enumerate();
    let Some((at, sides)) = terms.find_map(|(at, term)| Some((at, against_baseline(term.test()?)?))) else { return };
    pieces.mark_all(effect, "axis");
    // The gain is one of speed, so facts are dropped: `what speedup do tensor cores give`.
    question.wants.retain(|want| !matches!(want, Quantity::Fact(_)));
    question.wants.extend(compared_by(pieces));
    question.subject.terms.remove(at);
    question.sides = sides.to_vec();
    question.of = lines.and_then(|lines| key_called(lines.key()));
    question.along = None;
    // `which nets gain the least`: sides have no order.
    if question.order.take().is_some() {
        drop_orders(pieces);
    }
}
