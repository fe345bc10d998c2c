//! What is asked for: quantities, their order, the axis of a series, and the kind of thing that is listed.

use std::ops::Bound::{Excluded, Included, Unbounded};

use strum::VariantArray as _;

use super::conditions::{self, Item};
use super::pieces::Pieces;
use super::sides::{against_baseline, is_better};
use crate::ask::parse::ask::is_of_device;
use crate::ask::parse::lexicon::{Section, Subject, key_called, key_of, meaning, quantities, quantity};
use crate::ask::parse::piece::{Means, Piece};
use crate::ask::parse::question::{Beyond, End, Filter, Is, Key, Order, Quantity, Question, Term, Test};
use crate::ask::parse::span::How;
use crate::ask::parse::spans::PER_RATE;
use crate::model::{Aspect, Derived, Direction, Facet, Fact, Field, Metric};
use crate::values::EntityKind;

/// Gives conditions a key according to the words next to them: `python api`, `supports TPUs`, `apache license`, `peak fp16`.
pub(super) fn roles(pieces: &mut Pieces<'_>, items: &mut Vec<Item>) {
    let subject = pieces.subject();
    let is_framework = |piece: &&Piece| piece.is_of(&[Facet::Framework]) || piece.means.is_kind(Facet::Framework);
    let frameworks = pieces.list.iter().filter(is_framework).count();
    let lists_frameworks = subject == Subject::Framework && pieces.has_kind(Facet::Framework);
    let lists_devices = pieces.has_kind(Facet::Device) || supports_formats(pieces, items);
    for place in 0..items.len() {
        let at = items[place].piece;
        // `whose core language is neither C++ nor Python`
        let passes = |means: &Means| matches!(means, Means::Filler | Means::Not | Means::Ask("is"));
        let before = (0..at).rev().find(|before| !passes(pieces.means(*before))).or(pieces.before(at));
        // `apart from NVIDIA, who makes chips`
        let behind = pieces.after(at).filter(|_| !pieces.words[pieces.list[at].words.end - 1].comma);
        let neighbours: Vec<usize> = before.into_iter().chain(behind).collect();
        if items[place].test.key == Key::from(Fact::MemoryType) {
            let is_memory = |at: &usize| pieces.means(*at).asks_for("device:memory ");
            let memory: Vec<usize> = neighbours.iter().copied().filter(is_memory).collect();
            pieces.mark_all(memory, "role");
        }
        // `gpus with fp8 support` lists devices that state a peak in this format.
        let of_rows = |item: &Item| matches!(item.facet(), Some(Facet::Stage | Facet::Network | Facet::Dataset));
        if lists_devices
            && (pieces.asks("support") || is_feature(pieces, at))
            && items[place].facet() == Some(Facet::Precision)
            && !items.iter().any(of_rows)
            && let Some(Quantity::Fact(peak)) =
                peak_of(&items[place].test).and_then(|peak| quantity(peak, Subject::Device))
        {
            items[place].test = Test::stated(Key::from(peak));
            continue;
        }
        let platform = platform_of(&items[place].test).map(|_| Facet::Vendor);
        let Some(facet) = items[place].facet().or(platform) else { continue };
        // `built on top of` precedes the backend.
        let on_top = |place: usize| matches!(&*pieces.text(place), "built" | "on");
        if facet == Facet::Framework && (frameworks > 1 || before.is_some_and(on_top)) {
            // `on the TensorFlow or the CNTK backend`
            let is_backend = |place: &usize| {
                let is_first = !pieces.list[..*place].iter().any(|piece| piece.is_of(&[Facet::Framework]));
                // `Keras backends` asks for the backends of Keras; Keras is not one of them.
                let is_next = pieces.list[at].words.end == pieces.list[*place].words.start;
                let is_beside = if *place > at { is_next && !on_top(*place) } else { on_top(*place) || !is_first };
                let is_field = pieces.quantity(*place, Subject::Rows) == Some(Quantity::Field(Field::Backend));
                is_beside && is_field && pieces.unused(*place)
            };
            let backends: Vec<usize> = neighbours.iter().copied().filter(is_backend).collect();
            if !backends.is_empty() {
                give_role(items, place, &Key::from(Field::Backend), pieces);
                pieces.mark_all(backends, "role");
            }
        }
        for &neighbour in &neighbours {
            match pieces.quantity(neighbour, subject) {
                // A fact next to a condition gives it its key if both have the same facet.
                Some(Quantity::Fact(fact)) if fact.facet() == Some(facet) => {
                    give_role(items, place, &Key::from(fact), pieces);
                    pieces.mark(neighbour, "role");
                }
                Some(Quantity::Fact(fact)) if fact.key() == facet.key() => pieces.mark(neighbour, "role"),
                // `offline scenario`
                Some(Quantity::Field(field)) if field.facet() == Some(facet) && field != Field::Backend => {
                    pieces.mark(neighbour, "role");
                }
                _ => {}
            }
        }
        let supported = (0..at).rev().find(|before| {
            pieces.list[*before].test().is_none()
                && !matches!(pieces.means(*before), Means::Filler | Means::Link(_) | Means::Ask("only"))
        });
        let is_support = |at: &usize| *pieces.means(*at) == Means::Ask("support");
        // `runs on AMD GPUs`, `rocm support`, `do AMD cards work with PyTorch`
        let kind = pieces.after(at).filter(|next| pieces.means(*next).is_kind(Facet::Device));
        let behind = pieces.after(kind.unwrap_or(at)).filter(is_support);
        let supported = supported.filter(is_support).or(behind);
        let supports = supported.is_some();
        // Frameworks name supported platforms by vendor: `does onnx runtime support AMD gpus`, `frameworks with rocm support`.
        if supports
            && frameworks > 0
            && let Some(platform) = platform_of(&items[place].test)
        {
            items[place].test = Test::one(Key::from(Fact::Platforms), platform);
            pieces.list[at].means = Means::Test(items[place].test.clone());
            pieces.mark_all(supported, "role");
            continue;
        }
        // A vendor in a list of frameworks is their steward, but `AMD GPUs` are what they run on.
        let is_made = |next: &Piece| next.is_of(&[Facet::Class, Facet::Device]) || next.means.is_kind(Facet::Device);
        let makes = pieces.list.get(at + 1).is_some_and(is_made);
        // `AMD ROCm` is one platform.
        if let Some(platform) = platform_of(&items[place].test)
            && lists_frameworks
            && items.iter().any(|other| other.piece == at + 1 && platform_of(&other.test).as_ref() == Some(&platform))
        {
            items[place].test = Test::one(Key::from(Fact::Platforms), platform);
            continue;
        }
        if facet == Facet::Vendor && lists_frameworks && !makes && items[place].facet().is_some() {
            items[place].test.key = Key::from(Fact::Steward);
            continue;
        }
        if facet == Facet::Class && place > 0 && items[place - 1].test.key == Key::from(Fact::Platforms) {
            items[place].test = items[place - 1].test.clone();
            continue;
        }
        // Support for the devices of a vendor shows in rows only; the catalog has no such fact.
        let of_maker = pieces.names(&[Facet::Vendor, Facet::Architecture]);
        if supports && frameworks > 0 && !of_maker && matches!(facet, Facet::Class | Facet::Device | Facet::Hardware) {
            let target = match items[place].test.values().first().map(String::as_str) {
                Some(class @ ("gpu" | "cpu" | "fpga" | "asic")) => class.to_owned(),
                Some(device) if device.starts_with("tpu") => "tpu".to_owned(),
                _ => continue,
            };
            items[place].test = Test::one(Key::Facet(Facet::Hardware), target);
            pieces.mark_all(supported, "role");
        }
        if supports && facet == Facet::Language {
            items[place].test.key = Key::from(Fact::ApiLanguage);
        }
    }
    // Rows do not state it (`chainer multi-node scaling imagenet`); next to a licence it is a fact: `apache multi-server lstm`.
    let names = |facets: &[Facet]| items.iter().any(|item| item.is_of(facets));
    let asks_rows = pieces.asks("tested") || pieces.any(|means| means.quantity() == Some("any:rows"));
    let of_rows = names(&[Facet::Network, Facet::Dataset]) || asks_rows && names(&[Facet::Framework]);
    if of_rows && !names(&[Facet::License, Facet::Language]) && !pieces.has_kind(Facet::Framework) {
        for item in items.extract_if(.., |item| item.facet() == Some(Facet::MultiServer)) {
            let words = pieces.list[item.piece].words.clone();
            pieces.list[item.piece] = Piece::new(words, Means::Unread, How::Unread);
        }
    }
    // Licences and languages belong to frameworks, so a class next to them is the hardware they run on: `apache java fpga`.
    let of_frameworks = items.iter().any(|item| item.is_of(&[Facet::License, Facet::Language]))
        && items.iter().all(|item| item.is_of(&[Facet::License, Facet::Language, Facet::Class, Facet::MultiServer]));
    for item in items.iter_mut().filter(|item| of_frameworks && item.facet() == Some(Facet::Class)) {
        item.test.key = Key::Facet(Facet::Hardware);
        pieces.list[item.piece].means = Means::Test(item.test.clone());
    }
    peaks(pieces, items);
}

/// Whether the question only asks what supports some number formats. The answer lists devices: `bf16 support list`.
fn supports_formats(pieces: &Pieces<'_>, items: &[Item]) -> bool {
    let peak = |item: &Item| matches!(item.test.is, Is::Stated) && item.facet().is_none();
    pieces.asks("support")
        && pieces.asks("which")
        && !pieces.any(|means| means.kind().is_some())
        && !items.is_empty()
        && items.iter().all(|item| item.facet() == Some(Facet::Precision) || peak(item))
}

/// Whether listed devices must have or must lack this number format: `gpus with bf16 but no fp8`.
fn is_feature(pieces: &Pieces<'_>, at: usize) -> bool {
    let is_of_rows = |piece: &Piece| matches!(piece.means, Means::Quantity("any:rows") | Means::Test(_));
    pieces.list[at].is_of(&[Facet::Precision])
        && pieces.is_preceded_by(at, &["with", "have", "has", "no", "without"])
        && !pieces.list.get(at + 1).is_some_and(is_of_rows)
}

/// The name that frameworks use for the GPUs of a vendor or of its kernel library.
fn platform_of(test: &Test) -> Option<String> {
    match (&test.key, test.values().first()?.as_str()) {
        (Key::Facet(Facet::Vendor), maker @ ("AMD" | "NVIDIA" | "Intel" | "Apple")) => {
            Some(format!("{}-gpu", maker.to_lowercase()))
        }
        (Key::Aspect(Aspect::Field(Field::KernelLibrary)), "rocm*") => Some("amd-gpu".to_owned()),
        (Key::Facet(Facet::Device), "apple-m*") => Some("apple-gpu".to_owned()),
        (Key::Facet(Facet::Device), aws) if aws.starts_with("aws-") => Some("aws-neuron".to_owned()),
        (Key::Aspect(Aspect::Field(Field::KernelLibrary)), "vulkan*") => Some("vulkan-gpu".to_owned()),
        _ => None,
    }
}

/// Sets the key of a condition, and of those of the same facet that are linked to it: `written in java or scala`.
fn give_role(items: &mut [Item], place: usize, key: &Key, pieces: &Pieces<'_>) {
    let facet = items[place].facet();
    let link = |at: usize| conditions::linked(&items[at - 1], &items[at], pieces);
    let parts = |at: usize, other: usize| items[other].facet() != facet || link(at).is_none_or(str::is_empty);
    let first = (1..=place).rev().find(|at| parts(*at, at - 1)).unwrap_or_default();
    let last = (place + 1..items.len()).find(|at| parts(*at, *at)).unwrap_or(items.len());
    items[first..last].iter_mut().for_each(|item| item.test.key = key.clone());
}

/// Uses the number format named next to a peak, or next to its bound: `more than 100 tflops fp16`.
fn peaks(pieces: &mut Pieces<'_>, items: &mut Vec<Item>) {
    let is_format = |item: &Item| item.facet() == Some(Facet::Precision);
    let bounded = items.iter().position(|item| item.test.key == Key::from(Fact::PeakFp32));
    let format = bounded.and_then(|bound| {
        items.iter().position(|item| is_format(item) && item.piece.abs_diff(items[bound].piece) <= 1)
    });
    if let (Some(bound), Some(format)) = (bounded, format)
        && let Some(Quantity::Fact(fact)) =
            peak_of(&items[format].test).and_then(|peak| quantity(peak, Subject::Device))
    {
        items[bound].test.key = Key::from(fact);
        items.remove(format);
    }
    let is_peak = |means: &Means| means.asks_for("device:peak") || means.asks_for("any:peak");
    let Some(at) = pieces.find(is_peak) else { return };
    let near = items.iter().position(is_format);
    let Some(place) = near.filter(|_| matches!(pieces.subject(), Subject::Device | Subject::Class)) else { return };
    let Some(meaning) = peak_of(&items[place].test) else { return };
    pieces.list[at].means = Means::Quantity(meaning);
    items.remove(place);
}

/// The peaks of a number format in the lexicon, that of the fastest units first.
fn peak_of(format: &Test) -> Option<&'static str> {
    meaning(&format!("peak{}", format.values().first()?.trim_start_matches("amp-")), Section::Quantity)
}

/// The next unused quantity after a piece, up to another order or a side.
fn quantity_behind(pieces: &Pieces<'_>, at: usize, subject: Subject) -> Option<(usize, Quantity)> {
    let ends = |of: &Means| matches!(of, Means::Order(..) | Means::Comparative(..) | Means::Link("versus" | "than"));
    let mut rest = (at + 1..pieces.list.len()).take_while(|place| !ends(pieces.means(*place)));
    let found = rest.find(|place| pieces.means(*place).quantity().is_some() && pieces.unused(*place))?;
    Some((found, pieces.quantity(found, subject)?))
}

/// The order of candidates: `fastest`, `lowest latency`, `most energy efficient`, `ranked by bandwidth`, `gpus by memory`.
pub(super) fn orders(pieces: &mut Pieces<'_>, items: &[Item], question: &mut Question) {
    let has_kind = pieces.any(|means| means.kind().is_some());
    // `between the first MLPerf round and the latest one` asks for a series over the years.
    let by_date = |at: &usize| matches!(pieces.means(*at), Means::Order(_, Some(by)) if by.contains(":released"));
    let dates: Vec<usize> = (0..pieces.list.len()).filter(by_date).collect();
    if dates.len() == 2 && pieces.has_kind(Facet::Source) {
        question.along = Some(Aspect::Fact(Fact::Year));
        // The speed of a round is the time of its fastest training.
        let trains = items.iter().any(|item| item.test == Test::one(Facet::Stage.into(), "train"));
        if trains && !pieces.any(|means| means.quantity().is_some()) {
            question.wants.push(Quantity::Metric(Metric::TimeToAccuracyS));
        }
        pieces.mark_all(dates, "axis");
        return;
    }
    // `newest results`
    let of_rows = !has_kind && pieces.any(|means| means.quantity() == Some("any:rows"));
    let subject = if of_rows { Subject::Rows } else { listed_subject(pieces).unwrap_or(pieces.subject()) };
    let puts_in_order = pieces.asks("which")
        && !pieces.list.iter().any(|piece| piece.rule == "sides" || piece.means.is_link(&["than", "versus"]));
    for at in 0..pieces.list.len() {
        // `which network is bigger, GPT-2 or BERT-large` puts them in order.
        let (end, by) = match *pieces.means(at) {
            Means::Order(end, by) => (end, by),
            Means::Comparative(end, by @ Some(_)) if puts_in_order => (end, by),
            _ => continue,
        };
        if pieces.unused(at) {
            order_at(pieces, at, (end, by), subject, items, question);
        }
    }
    if question.order.is_some() {
        return;
    }
    let has_kind = has_kind || (0..pieces.list.len()).any(|at| pieces.is_group(at));
    for at in 0..pieces.list.len() {
        let sorts = *pieces.means(at) == Means::Axis("sort");
        // `resnet50 V100 sorted by latency` sorts rows, since nothing is ranked.
        if sorts
            && !has_kind
            && let Some(place) = sorted_by(pieces, at)
            && let Some(quantity) = pieces.quantity(place, subject)
            && let Some(Key::Aspect(by)) = key_of(&quantity)
        {
            // `sort throughput desc`
            let end =
                pieces.after(place).filter(|end| matches!(pieces.means(*end), Means::Axis("ascending" | "descending")));
            let falls = end.map(|end| *pieces.means(end) == Means::Axis("descending"));
            question.sort = Some((by, falls.unwrap_or(by.direction() != Direction::Lower)));
            question.wants.push(quantity);
            pieces.mark_all([at, place].into_iter().chain(end), "sort");
            continue;
        }
        let ranks = *pieces.means(at) == Means::Ask("rank");
        if !ranks && !(has_kind && (sorts || *pieces.means(at) == Means::Axis("by"))) {
            continue;
        }
        // `by fp16 tflops`, `by mobilenet v2 latency`
        let mut next = if sorts { sorted_by(pieces, at) } else { pieces.after(at) };
        while let Some(place) = next.filter(|place| pieces.list[*place].test().is_some()) {
            next = pieces.after(place);
        }
        if let Some((place, by)) = next.and_then(|place| Some((place, pieces.quantity(place, subject)?))) {
            let by = divide_by_unit(pieces, place, by);
            pieces.mark_all([at, place], "order");
            question.order = Some(Order { end: usual_end(&by), by });
            return;
        }
    }
    // `which GPU for BERT`, but not `list every GPU for BERT`
    let is_for = |at: usize| {
        pieces.words.get(pieces.list[at].words.end).is_some_and(|word| word.text.eq_ignore_ascii_case("for"))
    };
    let kind_for = !pieces.says(&["list", "every", "all"])
        && (0..pieces.list.len()).any(|at| {
            let is_one = pieces.means(at).kind().is_some() && !pieces.is_plural(&pieces.list[at]);
            is_one && pieces.previous_is(at, |means| *means == Means::Ask("which")) && is_for(at)
        });
    let is_device = |item: &&Item| item.facet() == Some(Facet::Device);
    let chooses =
        pieces.asks("choose") && !pieces.asks("support") && has_kind && items.iter().filter(is_device).count() < 2;
    if !kind_for && pieces.asks("rank") {
        let mut free = (0..pieces.list.len()).filter(|at| pieces.unused(*at));
        let found = free.find_map(|at| Some((at, pieces.quantity(at, subject)?)));
        let by = found.map_or(Quantity::Speed, |(at, quantity)| {
            pieces.mark(at, "order");
            divide_by_unit(pieces, at, quantity)
        });
        question.order = Some(Order { end: usual_end(&by), by });
    } else if kind_for || chooses {
        question.order = Some(Order { end: End::Best, by: Quantity::Speed });
    }
}

/// The quantity that a sort command sorts by, which follows it (`sort by latency`) or precedes it (`tops per watt sort desc`).
fn sorted_by(pieces: &Pieces<'_>, at: usize) -> Option<usize> {
    let is_quantity = |place: &usize| pieces.means(*place).quantity().is_some();
    let behind = pieces.after(at);
    let is_open = behind.is_none_or(|next| matches!(pieces.means(next), Means::Axis("ascending" | "descending")));
    let mut before = (0..at).rev().skip_while(|place| pieces.list[*place].is_filler());
    // `tops per watt` begins with the numerator.
    let first = before.next().filter(is_quantity).filter(|_| is_open);
    let first = first.map(|last| before.next().filter(is_quantity).unwrap_or(last));
    first.or(behind)
}

/// Finds what an order word orders by, and applies it to the question.
fn order_at(
    pieces: &mut Pieces<'_>,
    at: usize,
    (end, by): (End, Option<&'static str>),
    subject: Subject,
    items: &[Item],
    question: &mut Question,
) {
    let fitting = pieces.asks("fit");
    let has_device = pieces.has_kind(Facet::Device);
    let names_work = items.iter().any(|item| item.is_of(&[Facet::Network, Facet::Task, Facet::Dataset]));
    let lists_instances = !names_work && pieces.has_kind(Facet::Instance);
    let in_cloud = names_work && items.iter().any(|item| item.facet() == Some(Facet::Instance));
    // The quantity directly after the order word is more specific than it: `quickest time to train`, `biggest memory bandwidth`.
    let is_open = |means: &Means| matches!(means, Means::Quantity("any:rows" | "any:speed"));
    let next = pieces.after(at).filter(|next| pieces.unused(*next) && !is_open(pieces.means(*next)));
    // `best images per second per watt` orders by the quotient, which is the next piece.
    let next = next.map(|next| if is_divided(pieces, next) { next + 1 } else { next });
    let mut beside = next.and_then(|next| Some((Some(next), pieces.quantity(next, subject)?)));
    // `the first gpu with tensor cores`: the oldest GPU that has any.
    if let Some((Some(next), Quantity::Fact(fact))) = beside
        && by.is_some_and(|by| by.contains(":released"))
    {
        question.subject.terms.push(Term::Test(Test::stated(Key::from(fact))));
        pieces.mark(next, "order");
        beside = None;
    }
    let is_open = by.is_none() && beside.is_none();
    // `cheapest a100 per hour`, `cheapest resnet50 images per dollar`, `cheapest gpu per image/s`
    let is_cheap = by.is_some_and(|by| by.contains("launch-price"));
    let is_price = |means: &Means| matches!(means, Means::Quantity("any:rent" | "any:items-per-dollar" | PER_RATE));
    let price = (0..pieces.list.len()).find(|place| pieces.unused(*place) && is_price(pieces.means(*place)));
    let at_place = |place: usize| Some((Some(place), pieces.quantity(place, subject)?));
    let beside = beside.or_else(|| at_place(price.filter(|_| is_cheap)?));
    // `cheapest gpu per token`
    let is_per_item = is_cheap && pieces.list.iter().any(|piece| piece.tests(Field::Counts));
    let alone = |quantity: Option<Quantity>| Some((None, quantity?));
    let found = match by {
        _ if beside.is_some() => beside,
        _ if is_per_item => alone(Some(Quantity::Derived(Derived::ItemsPerDollar))),
        // The price of an instance is that of an hour.
        Some(_) if lists_instances && is_cheap => alone(Some(Quantity::Fact(Fact::Price))),
        // `how many H100s were in the largest MLPerf training submission`
        Some(by)
            if by.contains("device:memory")
                && pieces.asks("how-many")
                && !has_device
                && pieces.names(&[Facet::Device]) =>
        {
            alone(Some(Quantity::Field(Field::DeviceCount)))
        }
        // Price and release date of a device do not depend on what it runs: `which TPU generation first supported training`.
        // In a cloud the cost of the run is meant.
        Some(by) if has_device && (is_cheap && !in_cloud || fitting || by.contains("device:released")) => {
            alone(quantity(by, Subject::Device))
        }
        // `largest model for a 3090` does not mean memory, `smallest microcontroller` does not mean parameters.
        Some(by) if pieces.next_is(at, |next| next.is_kind(Facet::Network)) => alone(quantity(by, Subject::Network)),
        Some(by) if pieces.after(at).is_some_and(|next| pieces.list[next].is_of(&[Facet::Architecture])) => {
            alone(quantity(by, Subject::Device))
        }
        Some(by) => alone(quantity(by, subject)),
        None => quantity_behind(pieces, at, subject).map(|(place, quantity)| (Some(place), quantity)),
    };
    let is_free = |place: &usize| pieces.unused(*place) && pieces.means(*place).quantity().is_some();
    let before = || (0..at).rev().find(is_free).and_then(at_place);
    // `best gpu under 1 dollar per million images` orders by the bounded quantity.
    let limited = items.iter().find_map(|item| match item.test.key {
        Key::Aspect(Aspect::Derived(derived)) => Some((None, Quantity::Derived(derived))),
        _ => None,
    });
    // `most hbm`, `most chips in mlperf training`
    let counts = matches!(end, End::Most | End::Least) && by.is_none() && !fitting;
    let counted = || {
        let next = pieces.after(at).filter(|_| counts)?;
        let piece = &pieces.list[next];
        if piece.tests(Fact::MemoryType) {
            return Some((None, Quantity::Fact(Fact::Memory)));
        }
        let is_several = piece.means.is_kind(Facet::Device) && pieces.is_plural(piece);
        is_several.then_some((Some(next), Quantity::Field(Field::DeviceCount)))
    };
    let found = found.or_else(before).or(limited.filter(|_| end == End::Best)).or_else(counted);
    let (place, by) = found.unwrap_or((None, Quantity::Speed));
    // `newest GPU you have measurements for`
    if matches!(by, Quantity::Fact(_)) && pieces.asks("tested") {
        question.subject.terms.push(Term::Test(Test { key: Key::Rows, is: Is::at_least(1.0) }));
    }
    let by = divide_by_unit(pieces, place.unwrap_or(at), by);
    // `cheapest image per dollar` and `lowest cost per token` put first what gets most for the money.
    let is_bought = is_cheap && matches!(&by, Quantity::Derived(derived) if derived.direction() == Direction::Higher);
    let is_least_cost = end == End::Least && by == Quantity::Derived(Derived::ItemsPerDollar);
    let end = if is_bought || is_least_cost { End::Best } else { end };
    let places = [at].into_iter().chain(place);
    // `best batch size` asks for a place on the axis, as `the smallest batch that reaches the peak throughput` does.
    let is_speed = |means: &Means| matches!(means, Means::Quantity("any:throughput-per-s" | "any:speed"));
    if let Quantity::Field(field) = by
        && !fitting
        && question.along.is_none()
        && field.is_axis()
        && (end == End::Best || !has_device && pieces.any(is_speed))
    {
        question.along = Some(Aspect::Field(field));
        pieces.mark_all(places, "axis");
        return;
    }
    pieces.mark_all(places, "order");
    match &question.order {
        // `the fewest gpus that fit llama 70b`
        _ if fitting && by == Quantity::Speed => {}
        None => question.order = Some(Order { end, by }),
        // `top 10 cheapest gpus`
        Some(order) if order.by == Quantity::Speed && order.end == End::Best && !is_open => {
            // `fastest ResNet-50 training in the latest MLPerf round`
            question.wants.extend(pieces.has_kind(Facet::Source).then_some(Quantity::Speed));
            question.order = Some(Order { end, by });
        }
        // `newest gpu with the best latency`: the first order leads.
        Some(_) if !is_open && !question.wants.contains(&by) => question.wants.push(by),
        Some(_) => {}
    }
}

/// Divides a fact by the unit directly after it: `most memory bandwidth per dollar`, `tflops per watt`.
fn divide_by_unit(pieces: &mut Pieces<'_>, at: usize, quantity: Quantity) -> Quantity {
    let per = match pieces.list.get(at + 1).map(|next| &next.means) {
        Some(Means::Quantity("any:items-per-dollar")) => Fact::LaunchPrice,
        Some(Means::Quantity("any:items-per-joule")) => Fact::Tdp,
        _ => return quantity,
    };
    match quantity {
        Quantity::Fact(fact) if fact.is_numeric() && fact.kind() == EntityKind::Device && fact != per => {
            pieces.mark(at + 1, "ratio");
            Quantity::Ratio(fact, per)
        }
        other => other,
    }
}

/// Whether a rate is divided by what follows: `tokens/s per watt`.
fn is_divided(pieces: &Pieces<'_>, at: usize) -> bool {
    let by = pieces.list.get(at + 1).and_then(|next| next.means.quantity());
    pieces.means(at).quantity() == Some("any:throughput-per-s") && by.is_some_and(|by| by.contains("any:items-per"))
}

/// The end that comes first if the words only name the quantity.
fn usual_end(by: &Quantity) -> End {
    match by {
        Quantity::Fact(_) | Quantity::Field(_) | Quantity::Rows | Quantity::Sources => End::Most,
        _ => End::Best,
    }
}

/// The kind of subject that the listed kind implies: `largest network` is by parameters.
fn listed_subject(pieces: &Pieces<'_>) -> Option<Subject> {
    let only = |allowed: &[Facet]| pieces.list.iter().filter_map(Piece::facet).all(|facet| allowed.contains(&facet));
    if pieces.asks("who-measured") {
        return Some(Subject::Rows);
    }
    pieces.list.iter().find_map(|piece| match piece.means.kind()? {
        Facet::Network if only(&[Facet::Task, Facet::Dataset]) => Some(Subject::Network),
        Facet::Dataset => Some(Subject::Dataset),
        Facet::Framework if only(&[Facet::License, Facet::Language]) => Some(Subject::Framework),
        Facet::Source => Some(Subject::Rows),
        Facet::Device if only(&[Facet::Class, Facet::Vendor, Facet::Architecture]) => Some(Subject::Device),
        _ => None,
    })
}

/// The number of results wanted: `top 5`, `5 fastest`, `list 3`.
pub(super) fn take(pieces: &mut Pieces<'_>, question: &mut Question) {
    let orders = |means: &Means| matches!(means, Means::Order(..) | Means::Ask("take" | "which"));
    if question.order.is_none() && !pieces.asks("which") {
        return;
    }
    for at in 0..pieces.list.len() {
        let Some(number) = pieces.number(at) else { continue };
        let (value, is_plain) = (number.value, number.dimension.is_none() && number.value.fract() == 0.0);
        let is_count = is_plain && (1.0..1000.0).contains(&value) && pieces.text(at) != "single";
        let is_beside = pieces.before(at).is_none() || pieces.previous_is(at, orders) || pieces.next_is(at, orders);
        if is_count && is_beside && pieces.unused(at) {
            question.take = Some(value as usize);
            pieces.mark(at, "take");
        }
    }
}

/// Facets whose values only describe the kind that follows them.
const DESCRIBING: &[Facet] = {
    use Facet::{Architecture, Class, Hardware, Language, License, Precision, Source, Task, Vendor, Year};
    &[Vendor, Architecture, License, Task, Precision, Hardware, Language, Class, Source, Year]
};

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

/// The row field of a piece, if a series can run along it.
fn axis_field(pieces: &Pieces<'_>, at: usize) -> Option<Field> {
    match pieces.quantity(at, Subject::Rows)? {
        Quantity::Field(field) if field.is_axis() => Some(field),
        _ => None,
    }
}

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
fn asks_device_trend(pieces: &Pieces<'_>, question: &Question) -> bool {
    use Facet::{Dataset, Framework, Network, Source, Stage, Task};
    question.along == Some(Aspect::Fact(Fact::Year))
        && !pieces.names(&[Dataset, Framework, Network, Source, Stage, Task])
}

/// The quantities of comparatives, except speed: `cheaper`, `does int8 cost accuracy`.
fn compared_by(pieces: &Pieces<'_>) -> Vec<Quantity> {
    let by = |piece: &Piece| if let Means::Comparative(_, by) = piece.means { by } else { None };
    let by = pieces.list.iter().filter_map(by).flat_map(|by| quantities(by, pieces.subject()));
    by.filter(|by| *by != Quantity::Speed).collect()
}

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
