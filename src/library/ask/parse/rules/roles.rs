//! Conditions get their key from the words next to them: a role, a supported platform, the peak of a number format.

use super::conditions::{self, Item};
use super::pieces::Pieces;
use crate::ask::parse::lexicon::{Section, Subject, meaning, quantity};
use crate::ask::parse::piece::{Means, Piece};
use crate::ask::parse::question::{Is, Key, Quantity, Test};
use crate::ask::parse::span::How;
use crate::model::{Aspect, Facet, Fact, Field};

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
pub(super) fn supports_formats(pieces: &Pieces<'_>, items: &[Item]) -> bool {
    let peak = |item: &Item| matches!(item.test.is, Is::Stated) && item.facet().is_none();
    pieces.asks("support")
        && pieces.asks("which")
        && !pieces.any(|means| means.kind().is_some())
        && !items.is_empty()
        && items.iter().all(|item| item.facet() == Some(Facet::Precision) || peak(item))
}

/// Whether listed devices must have or must lack this number format: `gpus with bf16 but no fp8`.
pub(super) fn is_feature(pieces: &Pieces<'_>, at: usize) -> bool {
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
