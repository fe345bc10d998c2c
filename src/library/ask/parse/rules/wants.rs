//! What is asked for: quantities, their order, the axis along which they are told, the kind of thing that is listed.

use strum::VariantArray as _;

use super::conditions::{self, Item};
use super::pieces::Pieces;
use super::sides::{against_baseline, against_one, is_better};
use crate::ask::parse::lexicon::{Section, Subject, meaning, quantities};
use crate::ask::parse::piece::{Means, Piece, Word};
use crate::ask::parse::question::{Beyond, End, Filter, Is, Key, Order, Quantity, Question, Term, Test};
use crate::ask::parse::span::How;
use crate::ask::parse::spans::PER_RATE;
use crate::model::{Aspect, Derived, Direction, Facet, Fact, Field, Metric};
use crate::values::EntityKind;

/// Conditions that get their key from what is beside them: `python api`, `supports TPUs`, `apache license`, `peak fp16`.
pub(super) fn roles(pieces: &mut Pieces<'_>, items: &mut Vec<Item>, words: &[Word<'_>]) {
    let subject = pieces.subject();
    let frameworks = pieces
        .list
        .iter()
        .filter(|piece| {
            matches!(piece.facet(), Some(Facet::Framework))
                || matches!(piece.means, Means::Kind(Key::Facet(Facet::Framework), _))
        })
        .count();
    let lists_frameworks = subject == Subject::Framework
        && pieces.list.iter().any(|piece| matches!(piece.means, Means::Kind(Key::Facet(Facet::Framework), _)));
    for place in 0..items.len() {
        let at = items[place].piece;
        // `whose core language is neither C++ nor Python`
        let not = (0..at).rev().find(|before| {
            !pieces.list[*before].is_filler() && !matches!(pieces.list[*before].means, Means::Not | Means::Ask("is"))
        });
        let neighbours = [not.or(pieces.before(at)), pieces.after(at)];
        if items[place].test.key == Key::Aspect(Aspect::Fact(Fact::MemoryType)) {
            for neighbour in neighbours.into_iter().flatten() {
                if matches!(pieces.list[neighbour].means, Means::Quantity(meaning) if meaning.contains("device:memory "))
                {
                    pieces.mark(neighbour, "role");
                }
            }
        }
        // `gpus with fp8 support`: what has a peak of it.
        let lists_devices =
            pieces.list.iter().any(|piece| matches!(piece.means, Means::Kind(Key::Facet(Facet::Device), _)));
        let of_rows = |item: &Item| matches!(item.facet(), Some(Facet::Stage | Facet::Network | Facet::Dataset));
        let is_feature = || pieces.asks("support") || is_feature(pieces, at);
        if lists_devices
            && is_feature()
            && !items.iter().any(of_rows)
            && let Test { key: Key::Facet(Facet::Precision), is: Is::OneOf(values) } = &items[place].test
            && let Some([Quantity::Fact(peak), ..]) = values
                .first()
                .and_then(|format| peak_of(format))
                .map(|peak| quantities(peak, Subject::Device))
                .as_deref()
        {
            items[place].test = Test { key: Key::Aspect(Aspect::Fact(*peak)), is: Is::Stated };
            continue;
        }
        let facet = match items[place].facet() {
            Some(facet) => facet,
            None if platform_of(&items[place].test).is_some() => Facet::Vendor,
            None => continue,
        };
        let all = pieces.words;
        let starts: Vec<usize> = pieces.list.iter().map(|piece| piece.words.start).collect();
        // `built on top of` is in front of the backend.
        let on_top = |place: usize| matches!(all[starts[place]].text.to_lowercase().as_str(), "built" | "on");
        if facet == Facet::Framework && (frameworks > 1 || not.or(pieces.before(at)).is_some_and(on_top)) {
            for neighbour in neighbours.into_iter().flatten() {
                let is_behind = neighbour > at;
                let is_backend =
                    matches!(quantity_at(pieces, neighbour, Subject::Rows), Some(Quantity::Field(Field::Backend)));
                let ahead = !is_behind
                    && !pieces.list[..neighbour].iter().any(|piece| matches!(piece.facet(), Some(Facet::Framework)));
                if is_backend && pieces.unused(neighbour) && if on_top(neighbour) { !is_behind } else { !ahead } {
                    // `on the TensorFlow or the CNTK backend`
                    give_role(items, place, &Key::Aspect(Aspect::Field(Field::Backend)), pieces, words);
                    pieces.mark(neighbour, "role");
                }
            }
        }
        for neighbour in neighbours.into_iter().flatten() {
            let Means::Quantity(meaning) = pieces.list[neighbour].means else { continue };
            let fact = match quantities(meaning, subject).into_iter().next() {
                Some(Quantity::Fact(fact)) => fact,
                // `offline scenario`
                Some(Quantity::Field(field)) if field.facet() == Some(facet) => {
                    pieces.mark(neighbour, "role");
                    continue;
                }
                _ => continue,
            };
            // A fact whose values are those of the condition says what the condition is of.
            if fact.facet() == Some(facet) {
                give_role(items, place, &Key::Aspect(Aspect::Fact(fact)), pieces, words);
                pieces.mark(neighbour, "role");
            } else if fact.key() == facet.key() {
                pieces.mark(neighbour, "role");
            }
        }
        let supported = (0..at).rev().find(|before| {
            !pieces.list[*before].is_filler()
                && pieces.list[*before].test().is_none()
                && !matches!(pieces.list[*before].means, Means::Link(_) | Means::Ask("only"))
        });
        let is_support = |at: &usize| matches!(pieces.list[*at].means, Means::Ask("support"));
        // `runs on AMD GPUs`, `rocm support`
        let supported = supported.filter(is_support).or(pieces.after(at).filter(is_support));
        let supports = supported.is_some();
        let of_frameworks = pieces.list.iter().any(|piece| {
            matches!(piece.means, Means::Kind(Key::Facet(Facet::Framework), _))
                || matches!(piece.facet(), Some(Facet::Framework))
        });
        // Frameworks name what they support by maker: `does onnx runtime support AMD gpus`, `frameworks with rocm support`.
        if supports
            && of_frameworks
            && let Some(platform) = platform_of(&items[place].test)
        {
            items[place].test = Test { key: Key::Aspect(Aspect::Fact(Fact::Platforms)), is: Is::OneOf(vec![platform]) };
            pieces.list[at].means = Means::Test(items[place].test.clone());
            pieces.mark(supported.unwrap_or(at), "role");
            continue;
        }
        // Who keeps a framework is its steward; `AMD GPUs` are what it runs on.
        let makes =
            pieces.list.get(at + 1).is_some_and(|next| matches!(next.facet(), Some(Facet::Class | Facet::Device)));
        if facet == Facet::Vendor && lists_frameworks && !makes && items[place].facet().is_some() {
            items[place].test.key = Key::Aspect(Aspect::Fact(Fact::Steward));
            continue;
        }
        let is_platform = |item: &Item| item.test.key == Key::Aspect(Aspect::Fact(Fact::Platforms));
        if facet == Facet::Class && place > 0 && is_platform(&items[place - 1]) {
            items[place].test = items[place - 1].test.clone();
            continue;
        }
        // Of a maker's devices there are rows, and no fact.
        let of_maker =
            pieces.list.iter().any(|piece| matches!(piece.facet(), Some(Facet::Vendor | Facet::Architecture)));
        if supports && of_frameworks && !of_maker && matches!(facet, Facet::Class | Facet::Device | Facet::Hardware) {
            let Is::OneOf(values) = &items[place].test.is else { continue };
            let target = match values.first().map(String::as_str) {
                Some(class @ ("gpu" | "cpu" | "fpga" | "asic")) => class.to_owned(),
                Some(device) if device.starts_with("tpu") => "tpu".to_owned(),
                _ => continue,
            };
            items[place].test = Test { key: Key::Facet(Facet::Hardware), is: Is::OneOf(vec![target]) };
            pieces.mark(supported.unwrap_or(at), "role");
        }
        if supports && facet == Facet::Language {
            items[place].test.key = Key::Aspect(Aspect::Fact(Fact::ApiLanguage));
        }
    }
    // Licences and languages are of frameworks, and what is beside them is what these run on: `apache java fpga`.
    let is_of = |item: &Item, facets: &[Facet]| item.facet().is_some_and(|facet| facets.contains(&facet));
    let of_frameworks = items.iter().any(|item| is_of(item, &[Facet::License, Facet::Language]))
        && items.iter().all(|item| is_of(item, &[Facet::License, Facet::Language, Facet::Class, Facet::MultiServer]));
    for item in items.iter_mut().filter(|item| of_frameworks && item.facet() == Some(Facet::Class)) {
        item.test.key = Key::Facet(Facet::Hardware);
        pieces.list[item.piece].means = Means::Test(item.test.clone());
    }
    peaks(pieces, items);
}

/// Whether a number format is one that listed devices are to have or not to have: `gpus with bf16 but no fp8`.
fn is_feature(pieces: &Pieces<'_>, at: usize) -> bool {
    let is_of_rows = |next: usize| matches!(pieces.list[next].means, Means::Quantity("any:rows") | Means::Test(_));
    let word = pieces.list[at].words.start.checked_sub(1).map(|before| pieces.words[before].text.to_lowercase());
    let follows = word.is_some_and(|word| matches!(word.as_str(), "with" | "have" | "has" | "no" | "without"));
    let is_format = pieces.list[at].facet() == Some(Facet::Precision);
    is_format && follows && !pieces.list.get(at + 1).is_some_and(|_| is_of_rows(at + 1))
}

/// What frameworks call the GPUs of a maker, or of its library of kernels.
fn platform_of(test: &Test) -> Option<String> {
    let Is::OneOf(values) = &test.is else { return None };
    match (&test.key, values.first()?.as_str()) {
        (Key::Facet(Facet::Vendor), maker @ ("AMD" | "NVIDIA" | "Intel" | "Apple")) => {
            Some(format!("{}-gpu", maker.to_lowercase()))
        }
        (Key::Aspect(Aspect::Field(Field::KernelLibrary)), "rocm*") => Some("amd-gpu".to_owned()),
        (Key::Aspect(Aspect::Field(Field::KernelLibrary)), "vulkan*") => Some("vulkan-gpu".to_owned()),
        _ => None,
    }
}

/// Gives a condition its key, and those of the same facet that are linked to it: `written in java or scala`.
fn give_role(items: &mut [Item], place: usize, key: &Key, pieces: &Pieces<'_>, words: &[Word<'_>]) {
    let facet = items[place].facet();
    for at in place..items.len() {
        let chained = at == place
            || conditions::linked(&items[at - 1], &items[at], pieces, words).is_some_and(|link| !link.is_empty());
        if !chained || items[at].facet() != facet {
            break;
        }
        items[at].test.key = key.clone();
    }
    for at in (0..place).rev() {
        let chained = items[at].facet() == facet
            && conditions::linked(&items[at], &items[at + 1], pieces, words).is_some_and(|link| !link.is_empty());
        if !chained {
            break;
        }
        items[at].test.key = key.clone();
    }
}

/// A peak in the number format that is named beside it, or beside its bound: `more than 100 tflops fp16`.
fn peaks(pieces: &mut Pieces<'_>, items: &mut Vec<Item>) {
    let bounded = items.iter().position(|item| item.test.key == Key::Aspect(Aspect::Fact(Fact::PeakFp32)));
    let format = bounded.and_then(|bound| {
        let of = |item: &Item| item.facet() == Some(Facet::Precision);
        items.iter().position(|item| of(item) && item.piece.abs_diff(items[bound].piece) <= 1)
    });
    if let (Some(bound), Some(format)) = (bounded, format)
        && let Is::OneOf(values) = &items[format].test.is
        && let Some(peak) = values.first().and_then(|name| peak_of(name))
        && let Some(Quantity::Fact(fact)) = quantities(peak, Subject::Device).into_iter().next()
    {
        items[bound].test.key = Key::Aspect(Aspect::Fact(fact));
        items.remove(format);
    }
    let Some(at) = pieces.list.iter().position(|piece| matches!(piece.means, Means::Quantity(meaning) if meaning.contains("device:peak") || meaning.contains("any:peak"))) else { return };
    let near = items.iter().position(|item| item.facet() == Some(Facet::Precision));
    let Some(place) = near.filter(|_| matches!(pieces.subject(), Subject::Device | Subject::Class)) else { return };
    let Is::OneOf(values) = &items[place].test.is else { return };
    let Some(meaning) = values.first().and_then(|name| peak_of(name)) else { return };
    pieces.list[at].means = Means::Quantity(meaning);
    items.remove(place);
}

/// The peak of a number format as the lexicon has it, that of its fastest units first.
fn peak_of(precision: &str) -> Option<&'static str> {
    meaning(&format!("peak{}", precision.trim_start_matches("amp-")), Section::Quantity)
}

/// The quantity that a piece is, for the question's subject.
fn quantity_at(pieces: &Pieces<'_>, at: usize, subject: Subject) -> Option<Quantity> {
    match pieces.list[at].means {
        Means::Quantity(meaning) => quantities(meaning, subject).into_iter().next(),
        _ => None,
    }
}

/// The next quantity behind a piece that nothing uses yet, before another order or a side.
fn quantity_behind(pieces: &Pieces<'_>, at: usize, subject: Subject) -> Option<(usize, Quantity)> {
    let rest = at + 1..pieces.list.len();
    let end = rest
        .clone()
        .find(|place| {
            matches!(
                pieces.list[*place].means,
                Means::Order(..) | Means::Comparative(..) | Means::Link("versus" | "than")
            )
        })
        .unwrap_or(rest.end);
    let found =
        (at + 1..end).find(|place| matches!(pieces.list[*place].means, Means::Quantity(_)) && pieces.unused(*place))?;
    Some((found, quantity_at(pieces, found, subject)?))
}

/// The order of candidates: `fastest`, `lowest latency`, `most energy efficient`, `ranked by bandwidth`, `gpus by memory`.
pub(super) fn orders(pieces: &mut Pieces<'_>, items: &[Item], question: &mut Question) {
    // `newest results`
    let of_rows = pieces.list.iter().any(|piece| matches!(piece.means, Means::Quantity("any:rows")))
        && !pieces.list.iter().any(|piece| matches!(piece.means, Means::Kind(..)));
    let subject = if of_rows { Subject::Rows } else { listed_subject(pieces).unwrap_or(pieces.subject()) };
    let fitting = pieces.asks("fit");
    let has_device = pieces.list.iter().any(|piece| matches!(piece.means, Means::Kind(Key::Facet(Facet::Device), _)));
    let names_work =
        items.iter().any(|item| matches!(item.facet(), Some(Facet::Network | Facet::Task | Facet::Dataset)));
    let lists_instances = !names_work
        && pieces.list.iter().any(|piece| matches!(piece.means, Means::Kind(Key::Facet(Facet::Instance), _)));
    let is_of = |piece: &Piece, link: &str| matches!(piece.means, Means::Link(found) if found == link);
    let puts_in_order = pieces.asks("which")
        && !pieces.list.iter().any(|piece| piece.rule == "sides" || is_of(piece, "than") || is_of(piece, "versus"));
    for at in 0..pieces.list.len() {
        // `which network is bigger, GPT-2 or BERT-large` puts them in order.
        let (end, by) = match pieces.list[at].means {
            Means::Order(end, by) => (end, by),
            Means::Comparative(end, by @ Some(_)) if puts_in_order => (end, by),
            _ => continue,
        };
        if !pieces.unused(at) {
            continue;
        }
        // What stands directly behind says more than the order alone: `quickest time to train`, `biggest memory bandwidth`.
        let next = pieces.after(at).filter(|next| {
            pieces.unused(*next) && !matches!(pieces.list[*next].means, Means::Quantity("any:rows" | "any:speed"))
        });
        // `best images per second per watt` is by what is divided.
        let next = next.map(|next| if is_divided(pieces, next) { next + 1 } else { next });
        let beside = next.and_then(|next| Some((Some(next), quantity_at(pieces, next, subject)?)));
        // `the first gpu with tensor cores`: the oldest GPU that has any.
        let beside = match (&beside, by) {
            (Some((Some(next), Quantity::Fact(fact))), Some(by)) if by.contains(":released") => {
                let key = Key::Aspect(Aspect::Fact(*fact));
                question.subject.terms.push(Term::Test(Test { key, is: Is::Stated }));
                pieces.mark(*next, "order");
                None
            }
            _ => beside,
        };
        let is_open = by.is_none() && beside.is_none();
        // `cheapest a100 per hour`, `cheapest resnet50 images per dollar`, `cheapest gpu per image/s`
        let is_cheap = by.is_some_and(|by| by.contains("launch-price"));
        let is_price =
            |piece: &Piece| matches!(piece.means, Means::Quantity("any:rent" | "any:items-per-dollar" | PER_RATE));
        let price = (0..pieces.list.len()).find(|place| pieces.unused(*place) && is_price(&pieces.list[*place]));
        let beside = beside.or_else(|| {
            let place = price.filter(|_| is_cheap)?;
            Some((Some(place), quantity_at(pieces, place, subject)?))
        });
        // `cheapest gpu per token`
        let counts_items = |piece: &Piece| piece.test().is_some_and(|test| test.key.key() == Field::Counts.key());
        let is_per_item = is_cheap && pieces.list.iter().any(counts_items);
        let found = match by {
            _ if beside.is_some() => beside,
            _ if is_per_item => Some((None, Quantity::Derived(Derived::ItemsPerDollar))),
            // So is the price of an hour of an instance.
            Some(_) if lists_instances && is_cheap => Some((None, Quantity::Fact(Fact::Price))),
            // The price of a device is its own, whatever it runs.
            Some(by) if has_device && is_cheap => {
                quantities(by, Subject::Device).into_iter().next().map(|quantity| (None, quantity))
            }
            // `largest model for a 3090` is no memory.
            Some(by) => {
                let is_of_networks =
                    |next: usize| matches!(pieces.list[next].means, Means::Kind(Key::Facet(Facet::Network), _));
                let of = if pieces.after(at).is_some_and(is_of_networks) { Subject::Network } else { subject };
                quantities(by, of).into_iter().next().map(|quantity| (None, quantity))
            }
            None => quantity_behind(pieces, at, subject).map(|(place, quantity)| (Some(place), quantity)),
        };
        let found = found.or_else(|| {
            let before = (0..at)
                .rev()
                .find(|place| pieces.unused(*place) && matches!(pieces.list[*place].means, Means::Quantity(_)))?;
            quantity_at(pieces, before, subject).map(|quantity| (Some(before), quantity))
        });
        // `best gpu under 1 dollar per million images` is by what is limited.
        let limited = items.iter().find_map(|item| match item.test.key {
            Key::Aspect(Aspect::Derived(derived)) => Some((None, Quantity::Derived(derived))),
            _ => None,
        });
        let found = found.or(limited.filter(|_| end == End::Best));
        // `most chips in mlperf training`
        let counts = matches!(end, End::Most | End::Least) && by.is_none() && !fitting;
        let counted = pieces.after(at).filter(|next| {
            counts
                && matches!(pieces.list[*next].means, Means::Kind(Key::Facet(Facet::Device), _))
                && pieces.is_plural(&pieces.list[*next])
        });
        // `most hbm`
        let of_memory = pieces.after(at).filter(|next| {
            let test = pieces.list[*next].test();
            counts && test.is_some_and(|test| test.key == Key::Aspect(Aspect::Fact(Fact::MemoryType)))
        });
        let found = found.or(of_memory.map(|_| (None, Quantity::Fact(Fact::Memory))));
        let found = found.or(counted.map(|next| (Some(next), Quantity::Field(Field::DeviceCount))));
        let (place, quantity) = found.unwrap_or((None, Quantity::Speed));
        let quantity = shared_out(pieces, place.unwrap_or(at), quantity);
        // `cheapest image per dollar`: what money buys most of.
        let is_bought = matches!(&quantity, Quantity::Derived(derived) if derived.direction() == Direction::Higher);
        // `lowest cost per token`
        let is_least_cost = end == End::Least && quantity == Quantity::Derived(Derived::ItemsPerDollar);
        let (end, by) = (if is_cheap && is_bought || is_least_cost { End::Best } else { end }, quantity);
        // `best batch size` asks where on the axis, as `the smallest batch that reaches the peak throughput` does.
        let is_measured = || {
            let is_speed = |piece: &Piece| matches!(piece.means, Means::Quantity("any:throughput-per-s" | "any:speed"));
            !has_device && pieces.list.iter().any(is_speed)
        };
        if let (Quantity::Field(field), false, None) = (&by, fitting, question.along)
            && field.is_axis()
            && (end == End::Best || is_measured())
        {
            question.along = Some(Aspect::Field(*field));
            pieces.mark(at, "axis");
            place.iter().for_each(|place| pieces.mark(*place, "axis"));
            continue;
        }
        pieces.mark(at, "order");
        place.iter().for_each(|place| pieces.mark(*place, "order"));
        // `the fewest gpus that fit llama 70b`
        if fitting && by == Quantity::Speed {
            continue;
        }
        match &question.order {
            None => question.order = Some(Order { end, by }),
            // `top 10 cheapest gpus`
            Some(order) if order.by == Quantity::Speed && order.end == End::Best && !is_open => {
                question.order = Some(Order { end, by });
            }
            Some(_) if is_open => {}
            // `newest gpu with the best latency`: the first order leads.
            Some(_) if !question.wants.contains(&by) => question.wants.push(by),
            Some(_) => {}
        }
    }
    if question.order.is_some() {
        return;
    }
    let has_kind =
        (0..pieces.list.len()).any(|at| pieces.is_group(at) || matches!(pieces.list[at].means, Means::Kind(..)));
    let ranks = pieces.asks("rank");
    for at in 0..pieces.list.len() {
        let sorts = matches!(pieces.list[at].means, Means::Axis("sort"));
        // `resnet50 V100 sorted by latency`: rows have an order, where nothing is ranked.
        if sorts
            && !has_kind
            && let Some(place) = pieces.after(at)
            && let Some(quantity) = quantity_at(pieces, place, subject)
            && let Some(Key::Aspect(by)) = crate::ask::parse::lexicon::key_of(&quantity)
        {
            let direction = match by {
                Aspect::Metric(metric) => metric.direction(),
                Aspect::Derived(derived) => derived.direction(),
                _ => Direction::Higher,
            };
            // `sort throughput desc`
            let end = pieces
                .after(place)
                .filter(|end| matches!(pieces.list[*end].means, Means::Axis("ascending" | "descending")));
            let falls = end.map(|end| pieces.list[end].means == Means::Axis("descending"));
            end.into_iter().for_each(|end| pieces.mark(end, "sort"));
            question.sort = Some((by, falls.unwrap_or(direction != Direction::Lower)));
            question.wants.push(quantity);
            pieces.mark(at, "sort");
            pieces.mark(place, "sort");
            continue;
        }
        let by = (sorts || matches!(pieces.list[at].means, Means::Axis("by"))) && has_kind
            || matches!(pieces.list[at].means, Means::Ask("rank"));
        if !by {
            continue;
        }
        // `by fp16 tflops`, `by mobilenet v2 latency`
        let mut next = pieces.after(at);
        while let Some(place) = next.filter(|place| pieces.list[*place].test().is_some()) {
            next = pieces.after(place);
        }
        let behind = next.and_then(|place| Some((place, quantity_at(pieces, place, subject)?)));
        if let Some((place, by)) = behind {
            let by = shared_out(pieces, place, by);
            pieces.mark(at, "order");
            pieces.mark(place, "order");
            question.order = Some(Order { end: usual_end(&by), by });
            return;
        }
    }
    // `which GPU for BERT`
    let kind_for = (0..pieces.list.len()).any(|at| {
        let next = pieces.list[at].words.end;
        let which = pieces.before(at).is_some_and(|before| matches!(pieces.list[before].means, Means::Ask("which")));
        which
            && matches!(pieces.list[at].means, Means::Kind(..))
            && pieces.words.get(next).is_some_and(|word| word.text.eq_ignore_ascii_case("for"))
    });
    if kind_for {
        question.order = Some(Order { end: End::Best, by: Quantity::Speed });
    } else if ranks {
        let quantity = (0..pieces.list.len())
            .find_map(|at| Some((at, quantity_at(pieces, at, subject).filter(|_| pieces.unused(at))?)));
        let by = quantity.map_or(Quantity::Speed, |(at, quantity)| {
            pieces.mark(at, "order");
            shared_out(pieces, at, quantity)
        });
        question.order = Some(Order { end: usual_end(&by), by });
    } else if pieces.asks("choose")
        && has_kind
        && items.iter().filter(|item| item.facet() == Some(Facet::Device)).count() < 2
    {
        question.order = Some(Order { end: End::Best, by: Quantity::Speed });
    }
}

/// A fact for each unit of what is directly behind it: `most memory bandwidth per dollar`, `tflops per watt`.
fn shared_out(pieces: &mut Pieces<'_>, at: usize, quantity: Quantity) -> Quantity {
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
    matches!(pieces.list[at].means, Means::Quantity("any:throughput-per-s"))
        && pieces
            .list
            .get(at + 1)
            .is_some_and(|next| matches!(next.means, Means::Quantity(by) if by.contains("any:items-per")))
}

/// Which end comes first where the words say only by what.
fn usual_end(by: &Quantity) -> End {
    match by {
        Quantity::Fact(_) | Quantity::Field(_) | Quantity::Rows | Quantity::Sources => End::Most,
        _ => End::Best,
    }
}

/// The kind of subject by what is listed: `largest network` is by parameters.
fn listed_subject(pieces: &Pieces<'_>) -> Option<Subject> {
    let facets: Vec<Facet> = pieces
        .list
        .iter()
        .filter_map(|piece| piece.test())
        .filter_map(|test| match test.key {
            Key::Facet(facet) => Some(facet),
            _ => None,
        })
        .collect();
    let only = |allowed: &[Facet]| facets.iter().all(|facet| allowed.contains(facet));
    if pieces.asks("who-measured") {
        return Some(Subject::Rows);
    }
    pieces.list.iter().find_map(|piece| match &piece.means {
        Means::Kind(Key::Facet(Facet::Network), _) if only(&[Facet::Task, Facet::Dataset]) => Some(Subject::Network),
        Means::Kind(Key::Facet(Facet::Dataset), _) => Some(Subject::Dataset),
        Means::Kind(Key::Facet(Facet::Framework), _) if only(&[Facet::License, Facet::Language]) => {
            Some(Subject::Framework)
        }
        Means::Kind(Key::Facet(Facet::Source), _) => Some(Subject::Rows),
        Means::Kind(Key::Facet(Facet::Device), _) if only(&[Facet::Class, Facet::Vendor, Facet::Architecture]) => {
            Some(Subject::Device)
        }
        _ => None,
    })
}

/// How many are wanted: `top 5`, `5 fastest`, `list 3`.
pub(super) fn take(pieces: &mut Pieces<'_>, question: &mut Question) {
    for at in 0..pieces.list.len() {
        let Some(number) = pieces.number(at).filter(|number| {
            number.dimension.is_none() && number.value >= 1.0 && number.value < 1000.0 && number.value.fract() == 0.0
        }) else {
            continue;
        };
        let leads = pieces.before(at).is_none();
        let orders = |place: Option<usize>| {
            place.is_some_and(|place| {
                matches!(pieces.list[place].means, Means::Order(..) | Means::Ask("take" | "which"))
            })
        };
        let value = number.value;
        if pieces.unused(at)
            && question.order.is_some()
            && (leads || orders(pieces.before(at)) || orders(pieces.after(at)))
        {
            question.take = Some(value as usize);
            pieces.mark(at, "take");
        }
    }
}

/// Facets whose values only say more of the kind that is behind them.
const DESCRIBING: &[Facet] = {
    use Facet::{Architecture, Class, Hardware, Language, License, Precision, Source, Task, Vendor, Year};
    &[Vendor, Architecture, License, Task, Precision, Hardware, Language, Class, Source, Year]
};

/// What has one line each: the kind that is listed or ranked.
pub(super) fn kinds(pieces: &mut Pieces<'_>, items: &[Item], question: &mut Question, is_sided: bool) {
    let is_counted = |at: usize| {
        pieces.before(at).is_some_and(|before| {
            matches!(pieces.list[before].test(), Some(Test { key: Key::Aspect(Aspect::Field(Field::DeviceCount)), .. }))
                && !matches!(pieces.list[before].means, Means::Kind(..))
        })
    };
    let mut leading: Option<Key> = None;
    let mut other: Option<Key> = None;
    let mut is_lead = true;
    for at in 0..pieces.list.len() {
        let piece = &pieces.list[at];
        let facet = piece.test().and_then(|test| match test.key {
            Key::Facet(facet @ (Facet::Device | Facet::Network | Facet::Task | Facet::Architecture)) => Some(facet),
            _ => None,
        });
        // `phones under …`, `which EfficientNet is fastest`, `fastest object detector`
        let before = pieces.before(at).map(|before| &pieces.list[before].means);
        let which = matches!(before, Some(Means::Ask("which")))
            && question.order.is_some()
            && pieces.after(at).is_none_or(|next| !matches!(pieces.list[next].means, Means::Kind(..)));
        // `fastest object detector`, `fastest TPU`
        let ordered = match before {
            Some(Means::Order(_, by)) => facet == Some(Facet::Task) || facet == Some(Facet::Device) && by.is_some(),
            _ => false,
        };
        if let Some(facet) = facet.filter(|_| leading.is_none() && (pieces.is_group(at) || which || ordered)) {
            leading = Some(Key::Facet(match facet {
                Facet::Task => Facet::Network,
                Facet::Architecture => Facet::Device,
                facet => facet,
            }));
        }
        match &piece.means {
            Means::Kind(of, _) => {
                let is_not = items.iter().any(|item| item.piece == at && item.is_not);
                let by = pieces.before(at).is_some_and(|before| matches!(pieces.list[before].means, Means::Axis(_)));
                if is_not || by || is_counted(at) {
                    continue;
                }
                let prior = at.checked_sub(1).map(|before| &pieces.list[before]);
                let is_behind = prior.is_some_and(|piece| piece.is_filler() && piece.words.len() == 1) && !is_lead;
                // `GPT models`
                let is_apposed = prior.and_then(|piece| piece.facet()).map(Key::Facet).as_ref() == Some(of);
                let is_of_class = prior.is_some_and(|piece| matches!(piece.means, Means::Kind(_, Some(_))))
                    && matches!(piece.means, Means::Kind(_, None));
                if is_lead && leading.is_none() || is_of_class {
                    leading = Some(of.clone());
                } else if other.is_none() && !is_behind && !is_apposed {
                    other = Some(of.clone());
                }
                is_lead = false;
            }
            // `my model needs 40 GB, which cards have it`
            Means::Ask("which") => {
                other = leading.take().or(other);
                is_lead = true;
            }
            Means::Test(Test { key: Key::Facet(facet), .. }) if !DESCRIBING.contains(facet) => is_lead = false,
            Means::Link("versus" | "than") | Means::Axis(_) => is_lead = false,
            _ => {}
        }
    }
    if is_sided {
        return;
    }
    let asks_yes = (pieces.is_yes_or_no() || pieces.asks("fit")) && question.order.is_none() && !pieces.asks("which");
    // `all results on Intel CPUs`
    let results =
        leading.is_none() && pieces.list.iter().any(|piece| matches!(piece.means, Means::Quantity("any:rows")));
    question.of = leading.or(other).filter(|_| !asks_yes && !results);
    if pieces.asks("unmeasured") {
        let none = Is::Within(std::ops::Bound::Included(0.0), std::ops::Bound::Included(0.0));
        question.subject.terms.push(Term::Test(Test { key: Key::Rows, is: none }));
    }
    for at in 0..pieces.list.len() {
        if matches!(pieces.list[at].means, Means::Kind(..)) {
            pieces.mark(at, "kind");
        }
    }
    // `which precisions`, `what batch sizes`
    if question.of.is_none() || question.of == Some(Key::Facet(Facet::Device)) {
        let asked = (0..pieces.list.len()).find(|at| matches!(pieces.list[*at].means, Means::Ask("which")) && pieces.after(*at).is_some_and(|next| matches!(quantity_at(pieces, next, Subject::Rows), Some(Quantity::Field(field)) if field.is_axis())));
        let tested = pieces.asks("tested") || pieces.asks("who-measured") || pieces.asks("support");
        // `number formats measured on h100`
        let leads = (0..pieces.list.len()).find(|at| !pieces.list[*at].is_filler()).filter(|at| {
            let of_rows = quantity_at(pieces, *at, Subject::Rows);
            matches!(of_rows, Some(Quantity::Field(field)) if field.is_axis()) && pieces.is_plural(&pieces.list[*at])
        });
        if let Some(next) = asked.and_then(|at| pieces.after(at)).or(leads).filter(|_| tested)
            && let Some(quantity) = quantity_at(pieces, next, Subject::Rows)
        {
            question.of = crate::ask::parse::lexicon::key_of(&quantity);
            pieces.mark(next, "kind");
        }
    }
    let of_frameworks = [Facet::License, Facet::Language, Facet::Hardware, Facet::MultiServer, Facet::Maturity];
    let are_frameworks = items.iter().all(|item| item.facet().is_some_and(|facet| of_frameworks.contains(&facet)));
    if question.of.is_none() && items.len() > 1 && are_frameworks && !asks_yes {
        question.of = Some(Key::Facet(Facet::Framework));
    }
    if question.of.is_none() && pieces.asks("who-measured") {
        question.of = Some(Key::Facet(Facet::Source));
    }
}

/// The axis of a series: `by batch size`, `effect of cuda`, `scaling`, `batch size resnet50 V100`, `1 to 8 GPUs`.
pub(super) fn axes(pieces: &mut Pieces<'_>, items: &[Item], question: &mut Question, is_sided: bool) {
    for at in 0..pieces.list.len() {
        let axis = match pieces.list[at].means {
            Means::Axis(axis) => axis,
            Means::Link("versus") => "by",
            _ => continue,
        };
        if !pieces.unused(at) {
            continue;
        }
        let found = match axis {
            "device-count" => Some((None, Aspect::Field(Field::DeviceCount))),
            "batch-size" => Some((None, Aspect::Field(Field::BatchSize))),
            "architecture" => Some((None, Aspect::Fact(Fact::Architecture))),
            "year" => Some((None, Aspect::Fact(Fact::Year))),
            // What is related to what: a field or a fact is the axis of the other.
            "relation" => {
                (0..pieces.list.len()).find_map(|place| match quantity_at(pieces, place, Subject::Network)? {
                    Quantity::Fact(fact) => Some((Some(place), Aspect::Fact(fact))),
                    _ => None,
                })
            }
            "sort" | "ascending" | "descending" => None,
            "effect" => (0..pieces.list.len()).find_map(|place| axis_at(pieces, place).map(|axis| (Some(place), axis))),
            _ => pieces.after(at).and_then(|place| axis_at(pieces, place).map(|axis| (Some(place), axis))),
        };
        if let Some((place, aspect)) = found {
            let kind = place.is_some_and(|place| matches!(pieces.list[place].means, Means::Kind(..)));
            if (question.along.is_none() || matches!(axis, "over" | "by") && place.is_some())
                && !(kind && question.order.is_some())
            {
                question.along = Some(aspect);
            }
            pieces.mark(at, "axis");
            place.iter().for_each(|place| pieces.mark(*place, "axis"));
        }
    }
    if question.along.is_some() || is_sided {
        return;
    }
    // A field that nothing else uses is an axis: `batch size resnet50 V100`.
    let asks_list = pieces.asks("which") && (pieces.asks("tested") || question.of.is_some());
    let is_which = |at: usize| {
        pieces.asks("which")
            && (0..at).all(|before| {
                pieces.list[before].is_filler()
                    || matches!(pieces.list[before].means, Means::Ask(_) | Means::Quantity(_) | Means::Link(_))
            })
    };
    // `what batch size gives the best throughput`
    let best = (0..pieces.list.len()).find_map(|at| match quantity_at(pieces, at, Subject::Rows) {
        Some(Quantity::Field(field)) if pieces.unused(at) && field.is_axis() && is_which(at) => Some((at, field)),
        _ => None,
    });
    if let (Some((at, field)), Some(order), None) = (best, &question.order, &question.of) {
        question.wants.push(order.by.clone());
        question.order = None;
        question.along = Some(Aspect::Field(field));
        pieces.mark(at, "axis");
        return;
    }
    // `did newer TensorFlow versions get faster`
    let compares = pieces.list.iter().any(|piece| matches!(piece.means, Means::Comparative(..)));
    let lone = (0..pieces.list.len()).find_map(|at| match quantity_at(pieces, at, Subject::Rows) {
        Some(Quantity::Field(field))
            if pieces.unused(at)
                && field.is_axis()
                && (field != Field::FrameworkVersion || compares)
                && !is_which(at) =>
        {
            Some((at, field))
        }
        _ => None,
    });
    if let Some((at, field)) = lone.filter(|_| !asks_list && question.order.is_none()) {
        pieces.mark(at, "axis");
        question.along = Some(Aspect::Field(field));
        return;
    }
    // `from batch 1 to batch 64`, `does doubling the batch size from 32 to 64 help`
    let gains = pieces.asks("speedup")
        || pieces.asks("changes")
        || pieces.list.iter().any(|piece| matches!(piece.means, Means::Axis("of")));
    let is_doubled = |item: &&Item| {
        gains
            && matches!(item.test, Test { key: Key::Aspect(Aspect::Field(field)), is: Is::Within(low, high) }
                if field.is_axis() && low != high && low != std::ops::Bound::Unbounded)
    };
    let ranged = items.iter().find(|item| pieces.list[item.piece].rule == "range" || is_doubled(item));
    if let Some(Item { test: Test { key: Key::Aspect(aspect), .. }, .. }) = ranged {
        question.along = Some(*aspect);
        return;
    }
    // `how did training improve since 2017`
    let over_years = items.iter().find(|item| item.facet() == Some(Facet::Year));
    let changes = pieces.asks("speedup") || pieces.asks("changes") || pieces.asks("evolve");
    if let Some(item) = over_years.filter(|_| changes && pieces.asks("how") && question.order.is_none())
        && matches!(item.test.is, Is::Within(low, high) if low != high)
    {
        question.along = Some(Aspect::Fact(Fact::Year));
        return;
    }
    // Several counts, or a range of them.
    let counts: Vec<&Item> =
        items.iter().filter(|item| item.test.key == Key::Aspect(Aspect::Field(Field::DeviceCount))).collect();
    let is_range = |item: &&Item| matches!(item.test.is, Is::Within(std::ops::Bound::Included(low), std::ops::Bound::Included(high)) if low < high);
    let alternative = counts
        .windows(2)
        .any(|pair| conditions::linked(pair[0], pair[1], pieces, pieces.words).is_some_and(|link| link == "or"));
    if alternative {
        return;
    }
    if (counts.len() > 1 || counts.iter().any(is_range))
        && !matches!(question.of, Some(Key::Facet(Facet::Source | Facet::Network | Facet::Framework)))
        && question.order.is_none()
    {
        question.along = Some(Aspect::Field(Field::DeviceCount));
    }
}

/// A series over counts of devices is not bound to several of them: `multi gpu training scaling`.
pub(super) fn free_axis(question: &mut Question) {
    if question.along == Some(Aspect::Field(Field::DeviceCount)) {
        let several = Is::Within(std::ops::Bound::Included(2.0), std::ops::Bound::Unbounded);
        question.subject.terms.retain(|term| !matches!(term, Term::Test(Test { key: Key::Aspect(Aspect::Field(Field::DeviceCount)), is }) if *is == several));
    }
}

/// The axis that a piece names.
fn axis_at(pieces: &Pieces<'_>, at: usize) -> Option<Aspect> {
    match &pieces.list[at].means {
        Means::Quantity(meaning) => match quantities(meaning, Subject::Rows).into_iter().next()? {
            Quantity::Field(field) if field.is_axis() || field == Field::Date => Some(Aspect::Field(field)),
            Quantity::Fact(fact @ (Fact::Year | Fact::Architecture)) => Some(Aspect::Fact(fact)),
            _ => None,
        },
        Means::Kind(Key::Facet(facet), None) => Aspect::keyed(facet.key()),
        _ => None,
    }
}

/// What is to be known: the quantities that nothing else uses.
pub(super) fn quantities_asked(pieces: &mut Pieces<'_>, question: &mut Question, items: &[Item], is_sided: bool) {
    // `is the T4 cheaper than the V100`
    for piece in pieces.list.iter().filter(|_| is_sided) {
        if let Means::Comparative(_, Some(by)) = piece.means {
            question.wants.extend(quantities(by, pieces.subject()).into_iter().filter(|by| *by != Quantity::Speed));
        }
    }
    let subject = match listed_subject(pieces) {
        Some(Subject::Device) | None => pieces.subject(),
        Some(listed) => listed,
    };
    let has_speed_order = matches!(&question.order, Some(order) if order.by == Quantity::Speed);
    for at in 0..pieces.list.len() {
        let Means::Quantity(meaning) = pieces.list[at].means else { continue };
        if !pieces.unused(at) {
            continue;
        }
        pieces.mark(at, "quantity");
        if is_divided(pieces, at) {
            continue;
        }
        // `results` and `performance` of something measured ask for nothing more than its rows.
        let open = matches!(meaning, "any:rows" | "any:speed");
        let counts = pieces.asks("how-many") || question.order.is_some();
        if meaning == "any:rows" && !counts || open && has_speed_order {
            continue;
        }
        // Over counts of devices, efficiency is that of scaling.
        let scales = question.along == Some(Aspect::Field(Field::DeviceCount))
            || is_sided && items.iter().any(|item| item.test.key == Key::Aspect(Aspect::Field(Field::DeviceCount)));
        let meaning =
            if scales && meaning.contains("any:energy-efficiency") { "any:scaling-efficiency" } else { meaning };
        for quantity in quantities(meaning, subject) {
            let quantity = shared_out(pieces, at, quantity);
            let tested = crate::ask::parse::lexicon::key_of(&quantity).is_some_and(|key| {
                items.iter().any(|item| item.test.key == key && !matches!(item.test.is, Is::OneOf(_)))
            });
            if !tested && !question.wants.contains(&quantity) {
                question.wants.push(quantity);
            }
        }
    }
}

/// `the price of an A100 hour` is no launch price.
pub(super) fn drop_price(pieces: &Pieces<'_>, question: &mut Question) {
    if pieces.list.iter().any(|piece| matches!(piece.means, Means::Quantity("any:rent"))) {
        question.wants.retain(|want| *want != Quantity::Fact(Fact::LaunchPrice));
    }
}

/// What a rate counts, where nothing else says what was run: `tokens per joule of the Orin NX`.
pub(super) fn items_counted(pieces: &Pieces<'_>, question: &mut Question) {
    let counts = Key::Aspect(Aspect::Field(Field::Counts));
    let says_work = |term: &Term| match term {
        Term::Test(Test { key: Key::Facet(facet), .. }) => {
            matches!(facet, Facet::Network | Facet::Task | Facet::Source | Facet::Dataset)
        }
        Term::Test(test) => test.key == counts,
        Term::Not(_) => false,
        Term::Any(filters) => !filters.is_empty(),
    };
    let sides = || question.sides.iter().flat_map(|side| &side.terms);
    if question.subject.terms.iter().chain(sides()).any(says_work) {
        return;
    }
    // `100 tokens/s` is a bound on a rate, `tokens/s >= 100` another.
    let counted = |piece: &Piece| {
        let is_rate = match &piece.means {
            Means::Quantity(by) => by.contains("per-"),
            Means::Test(test) => test.key == Key::Aspect(Aspect::Metric(Metric::ThroughputPerS)),
            _ => false,
        };
        let mut words = pieces.words[piece.words.clone()].iter().map(|word| word.text.to_lowercase());
        let thing = |word: String| COUNTED.iter().find(|(start, _)| word.starts_with(start)).map(|(_, thing)| *thing);
        words.find_map(thing).filter(|_| is_rate)
    };
    // Frames and inferences of a device are images as well.
    let names_device = |term: &Term| {
        matches!(term, Term::Test(Test { key: Key::Facet(Facet::Device | Facet::Class | Facet::Vendor), .. }))
    };
    let is_of_device = question.subject.terms.iter().chain(sides()).any(names_device);
    let thing = pieces.list.iter().find_map(counted);
    if let Some(thing) = thing.filter(|thing| *thing == "token" || !is_of_device) {
        let is = Is::OneOf(vec![thing.to_owned()]);
        question.subject.terms.push(Term::Test(Test { key: counts, is }));
    }
}

/// How words begin that say what a rate counts.
const COUNTED: [(&str, &str); 3] = [("tok", "token"), ("image", "image"), ("img", "image")];

/// What supports a number format has a peak of it, or rows in it: the catalog has no peaks of some devices.
pub(super) fn supported(pieces: &Pieces<'_>, question: &mut Question) {
    if !pieces.asks("support") && !(0..pieces.list.len()).any(|at| is_feature(pieces, at)) {
        return;
    }
    for term in &mut question.subject.terms {
        let Term::Test(Test { key: Key::Aspect(Aspect::Fact(peak)), is: Is::Stated }) = term else { continue };
        let Some(format) = peak.key().strip_prefix("peak-") else { continue };
        let format = format.strip_suffix("-tensor").unwrap_or(format).to_owned();
        let is_of_format = |fact: &&Fact| {
            let own = fact.key().strip_prefix("peak-");
            own.is_some_and(|own| own.strip_suffix("-tensor").unwrap_or(own) == format)
        };
        let peaks = Fact::VARIANTS.iter().filter(is_of_format).map(|fact| Key::Aspect(Aspect::Fact(*fact)));
        let stated = peaks.map(|key| Filter { terms: vec![Term::Test(Test { key, is: Is::Stated })] });
        let stated: Vec<Filter> = stated.collect();
        let rows = Term::Test(Test { key: Key::Facet(Facet::Precision), is: Is::OneOf(vec![format]) });
        // Weights may be kept in a format in which nothing is computed.
        let weights = Test { key: Key::Aspect(Aspect::Field(Field::WeightFormat)), is: Is::Stated };
        let computed = vec![rows, Term::Not(Filter { terms: vec![Term::Test(weights)] })];
        *term = Term::Any(stated.into_iter().chain([Filter { terms: computed }]).collect());
    }
}

/// Turns the memory in `which cards have enough memory for 40 GB` into a lower bound.
pub(super) fn enough_memory(pieces: &Pieces<'_>, question: &mut Question) {
    let of_network = |term: &Term| match term {
        Term::Test(Test { key: Key::Facet(Facet::Network), .. }) => true,
        Term::Test(test) => test.key == Key::Aspect(Aspect::Fact(Fact::Parameters)),
        _ => false,
    };
    let lists_devices = question.of == Some(Key::Facet(Facet::Device));
    if !pieces.asks("fit") || !lists_devices || question.subject.terms.iter().any(of_network) {
        return;
    }
    question.wants.retain(|want| *want != Quantity::Metric(Metric::MemoryMib));
    for term in &mut question.subject.terms {
        if let Term::Test(Test { key: Key::Aspect(Aspect::Fact(Fact::Memory)), is }) = term
            && let Is::Within(low, high) = *is
            && low == high
        {
            *is = Is::Within(low, std::ops::Bound::Unbounded);
        }
    }
}

/// What is asked for beside speed, or beside a cost of no kind, says more: `how costly is research with asics`.
pub(super) fn drop_speed(question: &mut Question) {
    let grade = |id: &str| Quantity::HardwareMetric(id.to_owned());
    let of_research = question.wants.contains(&grade("research-costs"));
    if question.wants.len() > 1 {
        question.wants.retain(|want| *want != Quantity::Speed && !(of_research && *want == grade("chip-price")));
    }
}

/// What candidates must be better than: `gpus faster than a V100`, `networks newer than bert`, `more vram than an rtx 3080`. The
/// conditions behind `than` that it took.
pub(super) fn beyond(pieces: &mut Pieces<'_>, items: &[Item], question: &mut Question) -> Vec<usize> {
    // `which framework outperforms tensorflow`
    let beats = pieces.list.iter().position(|piece| matches!(piece.means, Means::Link("beats")));
    let beats = beats.filter(|_| pieces.is_list());
    let than = pieces.list.iter().position(|piece| matches!(piece.means, Means::Link("than")));
    let Some(than) = than.or(beats) else { return Vec::new() };
    let comparative = (0..than).rev().find(|at| matches!(pieces.list[*at].means, Means::Comparative(..)));
    let Some(comparative) = comparative.or(beats) else { return Vec::new() };
    let (end, by) = match pieces.list[comparative].means {
        Means::Comparative(end, by) => (end, by),
        _ => (End::Best, Some("speed")),
    };
    let taken: Vec<usize> = (0..items.len())
        .filter(|at| {
            items[*at].piece > than
                && matches!(
                    items[*at].facet(),
                    Some(
                        Facet::Device
                            | Facet::Network
                            | Facet::Framework
                            | Facet::Dataset
                            | Facet::Class
                            | Facet::Source
                            | Facet::Architecture
                    )
                )
        })
        .take(1)
        .collect();
    if taken.is_empty() || !pieces.is_list() {
        return Vec::new();
    }
    let subject = listed_subject(pieces).unwrap_or(pieces.subject());
    let by = match by {
        Some(by) => quantities(by, subject).into_iter().next(),
        None => question.wants.first().cloned(),
    };
    let by = by.unwrap_or(Quantity::Speed);
    question.wants.retain(|want| *want != by);
    let terms = taken.iter().map(|at| Term::Test(items[*at].test.clone())).collect();
    question.beyond = Some(Beyond { than: Filter { terms }, better: is_better(end) });
    // By speed is what `faster-than` says.
    if by != Quantity::Speed {
        question.order = Some(Order { end, by });
    }
    pieces.mark(than, "beyond");
    pieces.mark(comparative, "beyond");
    taken
}

/// What is said of a named framework and is a fact of it is asked for: `theano end of life`. Where it is asked whether that is so, it
/// stays supposed: `is theano still maintained`.
pub(super) fn facts_supposed(pieces: &mut Pieces<'_>, question: &mut Question) {
    let names = question
        .subject
        .terms
        .iter()
        .any(|term| matches!(term, Term::Test(Test { key: Key::Facet(Facet::Framework), .. })));
    let others = question.subject.terms.iter().any(|term| {
        matches!(term, Term::Test(Test { key: Key::Facet(Facet::Network | Facet::Device | Facet::Dataset), .. }))
    });
    if !names
        || others
        || pieces.is_yes_or_no()
        || question.of.is_some()
        || !question.sides.is_empty()
        || pieces.list.iter().any(|piece| piece.how == How::Filter)
    {
        return;
    }
    question.subject.terms.retain(|term| {
        let fact = match term {
            Term::Test(Test { key: Key::Facet(Facet::Maturity), .. }) => Fact::Maturity,
            Term::Test(Test { key: Key::Facet(Facet::MultiServer), .. }) => Fact::MultiServer,
            _ => return true,
        };
        question.wants.push(Quantity::Fact(fact));
        false
    });
}

/// The other side that a gain supposes: `fp16 speedup`, `does int8 help`, `torch.compile speedup`.
pub(super) fn implied_sides(pieces: &mut Pieces<'_>, question: &mut Question) {
    // `what fp16 does to training speed`
    let effect = pieces.list.iter().position(|piece| piece.means == Means::Axis("effect") && piece.rule.is_empty());
    let gains = effect.is_some()
        || pieces.asks("speedup")
        || pieces.asks("worsens")
        || pieces.asks("changes")
        || pieces.list.iter().any(|piece| matches!(piece.means, Means::Comparative(..))) && question.order.is_none();
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
    let found = question.subject.terms.iter().enumerate().find_map(|(at, term)| match term {
        Term::Test(test) => against_baseline(test).or_else(|| against_one(test)).map(|sides| (at, sides)),
        _ => None,
    });
    if let Some((at, sides)) = found {
        effect.iter().for_each(|at| pieces.mark(*at, "axis"));
        // A gain is one of speed: `what speedup do tensor cores give`.
        question.wants.retain(|want| !matches!(want, Quantity::Fact(_)));
        let subject = pieces.subject();
        // `does int8 cost accuracy`
        for piece in &pieces.list {
            if let Means::Comparative(_, Some(by)) = piece.means {
                question.wants.extend(quantities(by, subject).into_iter().filter(|by| *by != Quantity::Speed));
            }
        }
        question.subject.terms.remove(at);
        question.sides = sides.to_vec();
        question.of = lines.and_then(|lines| crate::ask::parse::lexicon::key_called(lines.key()));
        question.along = None;
        // `which nets gain the least`: sides have no order, and no list.
        if question.order.take().is_some() {
            let orders = pieces.list.iter_mut().filter(|piece| matches!(piece.means, Means::Order(..)));
            orders.for_each(|piece| piece.rule = "");
        }
    }
}
