//! What is asked for: the kind of thing that is listed, quantities, and the reference that candidates are compared with.

use super::axes::axis_field;
use super::conditions::Item;
use super::orders::{divide_by_unit, is_divided, listed_subject};
use super::pieces::Pieces;
use super::roles::supports_formats;
use super::sides::is_better;
use crate::ask::parse::lexicon::{Subject, key_of, quantities, quantity};
use crate::ask::parse::piece::{Means, Piece};
use crate::ask::parse::question::{Beyond, End, Is, Key, Order, Quantity, Question, Term, Test};
use crate::model::{Aspect, Facet, Fact, Field};
use crate::values::EntityKind;

/// Sets the kind that is listed or ranked, one per line.
pub(super) fn kinds(pieces: &mut Pieces<'_>, items: &[Item], question: &mut Question, is_sided: bool) {
    if is_sided {
        return;
    }
    let asks_yes = (pieces.is_yes_or_no() || pieces.asks("fit")) && question.order.is_none() && !pieces.asks("which");
    // `which cuDNN version is quickest on Maxwell cards` asks for the version.
    let which = (0..pieces.list.len()).filter(|at| *pieces.means(*at) == Means::Ask("which"));
    let asked = which.filter_map(|at| pieces.after(at)).find(|at| axis_field(pieces, *at).is_some());
    let asks_field = question.order.is_some() && asked.is_some();
    let listed = listed_kind(pieces, items, question.order.is_some());
    question.of = listed.filter(|_| !asks_yes && !asks_field).map(Key::Facet);
    if pieces.asks("unmeasured") {
        question.subject.terms.push(Term::Test(Test { key: Key::Rows, is: Is::exactly(0.0) }));
    }
    for at in 0..pieces.list.len() {
        if pieces.means(at).kind().is_some() {
            pieces.mark(at, "kind");
        }
    }
    // `which precisions`, `what batch sizes`
    let is_tested = pieces.asks("tested") || pieces.asks("who-measured") || pieces.asks("support");
    if is_tested && (question.of.is_none() || question.of == Some(Key::Facet(Facet::Device))) {
        // `number formats measured on h100`
        let leads = (0..pieces.list.len()).find(|at| !pieces.list[*at].is_filler());
        let leads = leads.filter(|at| axis_field(pieces, *at).is_some() && pieces.is_plural(&pieces.list[*at]));
        if let Some(next) = asked.or(leads)
            && let Some(quantity) = pieces.quantity(next, Subject::Rows)
        {
            question.of = key_of(&quantity);
            pieces.mark(next, "kind");
        }
    }
    let of_frameworks = [Facet::License, Facet::Language, Facet::Hardware, Facet::MultiServer, Facet::Maturity];
    let are_frameworks = items.iter().all(|item| item.is_of(&of_frameworks));
    let are_telling = items.len() > 1 || items.iter().any(|item| item.facet() == Some(Facet::MultiServer));
    let supposed = [
        (Facet::Device, supports_formats(pieces, items)),
        (Facet::Framework, are_telling && are_frameworks && !asks_yes),
    ];
    let supposed = supposed.into_iter().find(|(_, holds)| *holds).map(|(facet, _)| Key::Facet(facet));
    let measurers = pieces.asks("who-measured").then_some(Key::Facet(Facet::Source));
    question.of = measurers.or(question.of.take()).or(supposed);
}

/// Facets whose values only describe the kind that follows them.
const DESCRIBING: &[Facet] = {
    use Facet::{Architecture, Class, Hardware, Language, License, Precision, Source, Task, Vendor, Year};
    &[Vendor, Architecture, License, Task, Precision, Hardware, Language, Class, Source, Year]
};

/// The kind that the words list or rank.
fn listed_kind(pieces: &Pieces<'_>, items: &[Item], is_ordered: bool) -> Option<Facet> {
    let counts = |means: &Means| matches!(means, Means::Test(test) if test.key == Field::DeviceCount.into());
    let (mut leading, mut other) = (None, None);
    let mut is_lead = true;
    for at in 0..pieces.list.len() {
        let piece = &pieces.list[at];
        // `phones under …`, `which EfficientNet is fastest`
        let before = pieces.before(at).map(|before| pieces.means(before));
        let which = is_ordered && before == Some(&Means::Ask("which")) && !pieces.next_is(at, |of| of.kind().is_some());
        // `fastest object detector`, `fastest TPU`
        let listed = match piece.facet() {
            Some(Facet::Task) => Some((Facet::Network, matches!(before, Some(Means::Order(..))))),
            Some(Facet::Architecture) => Some((Facet::Device, false)),
            Some(Facet::Device) => Some((Facet::Device, matches!(before, Some(Means::Order(_, Some(_)))))),
            Some(Facet::Network) => Some((Facet::Network, false)),
            _ => None,
        };
        if let Some((facet, ordered)) = listed
            && leading.is_none()
            && (ordered || which || pieces.is_group(at))
        {
            leading = Some(facet);
        }
        match &piece.means {
            Means::Kind(of, test) => {
                let is_not = items.iter().any(|item| item.piece == at && item.is_not);
                if is_not || before.is_some_and(counts) || matches!(before, Some(Means::Axis(_))) {
                    continue;
                }
                let prior = at.checked_sub(1).map(|before| &pieces.list[before]);
                let is_behind = prior.is_some_and(|piece| piece.is_filler() && piece.words.len() == 1) && !is_lead;
                // `GPT models`
                let is_apposed = prior.and_then(Piece::facet) == Some(*of);
                let is_of_class = test.is_none() && prior.is_some_and(|of| matches!(of.means, Means::Kind(_, Some(_))));
                if is_lead && leading.is_none() || is_of_class {
                    leading = Some(*of);
                } else if other.is_none() && !is_behind && !is_apposed {
                    other = Some(*of);
                }
                is_lead = false;
            }
            // `my model needs 40 GB, which cards have it`
            Means::Ask("which") => {
                other = leading.take().or(other);
                is_lead = true;
            }
            Means::Test(test) => is_lead &= test.facet().is_none_or(|facet| DESCRIBING.contains(&facet)),
            Means::Link("versus" | "than") | Means::Axis(_) => is_lead = false,
            _ => {}
        }
    }
    // `all results on Intel CPUs`
    let results = leading.is_none() && pieces.any(|means| means.quantity() == Some("any:rows"));
    leading.or(other).filter(|_| !results)
}

/// Adds the quantities that nothing else uses to the requested ones.
pub(super) fn quantities_asked(pieces: &mut Pieces<'_>, question: &mut Question, items: &[Item], is_sided: bool) {
    // `is the T4 cheaper than the V100`
    if is_sided {
        question.wants.extend(compared_by(pieces));
    }
    let subject = match listed_subject(pieces) {
        _ if asks_device_trend(pieces, question) => Subject::Device,
        Some(Subject::Device) | None => pieces.subject(),
        Some(listed) => listed,
    };
    let by_speed = matches!(&question.order, Some(order) if order.by == Quantity::Speed);
    let counts = pieces.asks("how-many") || question.order.is_some();
    // With counts of devices, `efficiency` means scaling efficiency.
    let counts_devices = items.iter().any(|item| item.test.key == Key::from(Field::DeviceCount));
    let scales = question.along == Some(Aspect::Field(Field::DeviceCount)) || is_sided && counts_devices;
    for at in 0..pieces.list.len() {
        let Some(meaning) = pieces.means(at).quantity().filter(|_| pieces.unused(at)) else { continue };
        pieces.mark(at, "quantity");
        // `results` and `performance` of something measured ask for nothing more than its rows.
        let is_open = matches!(meaning, "any:rows" | "any:speed") && by_speed || meaning == "any:rows" && !counts;
        // `the 40 GB and the 80 GB version`
        let of_device = at.checked_sub(1).and_then(|before| pieces.list[before].test()).is_some_and(
            |test| matches!(test.key, Key::Aspect(Aspect::Fact(fact)) if fact.kind() == EntityKind::Device),
        );
        let is_form = meaning == "any:framework-version" && of_device;
        if is_open || is_form || is_divided(pieces, at) {
            continue;
        }
        let is_bare = counts_devices && pieces.text(at) == "efficiency";
        let is_of_scaling = (scales || is_bare) && meaning.contains("any:energy-efficiency");
        let meaning = if is_of_scaling { "any:scaling-efficiency" } else { meaning };
        for quantity in quantities(meaning, subject) {
            let quantity = divide_by_unit(pieces, at, quantity);
            let key = key_of(&quantity);
            let is_bound = |item: &Item| Some(&item.test.key) == key.as_ref() && !matches!(item.test.is, Is::OneOf(_));
            if !items.iter().any(is_bound) && !question.wants.contains(&quantity) {
                question.wants.push(quantity);
            }
        }
    }
    // A more specific quantity replaces speed or a general cost: `how costly is research with asics`.
    let grade = |id: &str| Quantity::HardwareMetric(id.to_owned());
    let of_research = question.wants.contains(&grade("research-costs"));
    if question.wants.len() > 1 {
        question.wants.retain(|want| *want != Quantity::Speed && !(of_research && *want == grade("chip-price")));
    }
    // `the price of an A100 hour` is not a launch price.
    if pieces.any(|means| means.quantity() == Some("any:rent")) {
        question.wants.retain(|want| *want != Quantity::Fact(Fact::LaunchPrice));
    }
}

/// Whether the question asks how devices changed over the years: `how has GPU memory grown since 2012`.
pub(super) fn asks_device_trend(pieces: &Pieces<'_>, question: &Question) -> bool {
    use Facet::{Dataset, Framework, Network, Source, Stage, Task};
    question.along == Some(Aspect::Fact(Fact::Year))
        && !pieces.names(&[Dataset, Framework, Network, Source, Stage, Task])
}

/// The quantities of comparatives, except speed: `cheaper`, `does int8 cost accuracy`.
pub(super) fn compared_by(pieces: &Pieces<'_>) -> Vec<Quantity> {
    let by = |piece: &Piece| if let Means::Comparative(_, by) = piece.means { by } else { None };
    let by = pieces.list.iter().filter_map(by).flat_map(|by| quantities(by, pieces.subject()));
    by.filter(|by| *by != Quantity::Speed).collect()
}

/// The reference of a comparison (`faster than a V100`, `newer than bert`), and the conditions after `than` that it used.
pub(super) fn beyond(pieces: &mut Pieces<'_>, items: &[Item], question: &mut Question) -> Vec<usize> {
    if !pieces.is_list() {
        return Vec::new();
    }
    // `which framework outperforms tensorflow`
    let beats = pieces.find(|means| means.is_link(&["beats"]));
    let Some(than) = pieces.find(|means| means.is_link(&["than"])).or(beats) else { return Vec::new() };
    let compares = |at: &usize| matches!(pieces.means(*at), Means::Comparative(..));
    let Some(comparative) = (0..than).rev().find(compares).or(beats) else { return Vec::new() };
    let (end, by) = match *pieces.means(comparative) {
        Means::Comparative(end, by) => (end, by),
        _ => (End::Best, Some("speed")),
    };
    use Facet::{Architecture, Class, Dataset, Device, Framework, Network, Source};
    let compared = [Device, Network, Framework, Dataset, Class, Source, Architecture];
    let is_compared = |item: &Item| item.piece > than && item.facet().is_some_and(|facet| compared.contains(&facet));
    let Some(taken) = items.iter().position(is_compared) else { return Vec::new() };
    let subject = listed_subject(pieces).unwrap_or(pieces.subject());
    let by = if let Some(by) = by { quantity(by, subject) } else { question.wants.first().cloned() };
    let by = by.unwrap_or(Quantity::Speed);
    question.wants.retain(|want| *want != by);
    question.beyond = Some(Beyond { than: items[taken].test.clone().into(), better: is_better(end) });
    // `faster-than` already implies speed.
    if by != Quantity::Speed {
        question.order = Some(Order { end, by });
    }
    pieces.mark_all([than, comparative], "beyond");
    vec![taken]
}
