//! The order of candidates or rows, and how many are wanted.

use super::conditions::Item;
use super::pieces::Pieces;
use crate::ask::parse::lexicon::{Subject, key_of, quantity};
use crate::ask::parse::piece::{Means, Piece};
use crate::ask::parse::question::{End, Is, Key, Order, Quantity, Question, Term, Test};
use crate::ask::parse::spans::PER_RATE;
use crate::model::{Aspect, Derived, Direction, Facet, Fact, Field, Metric};
use crate::values::EntityKind;

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

/// The next unused quantity after a piece, up to another order or a side.
fn quantity_behind(pieces: &Pieces<'_>, at: usize, subject: Subject) -> Option<(usize, Quantity)> {
    let ends = |of: &Means| matches!(of, Means::Order(..) | Means::Comparative(..) | Means::Link("versus" | "than"));
    let mut rest = (at + 1..pieces.list.len()).take_while(|place| !ends(pieces.means(*place)));
    let found = rest.find(|place| pieces.means(*place).quantity().is_some() && pieces.unused(*place))?;
    Some((found, pieces.quantity(found, subject)?))
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

/// Divides a fact by the unit directly after it: `most memory bandwidth per dollar`, `tflops per watt`.
pub(super) fn divide_by_unit(pieces: &mut Pieces<'_>, at: usize, quantity: Quantity) -> Quantity {
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
pub(super) fn is_divided(pieces: &Pieces<'_>, at: usize) -> bool {
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
pub(super) fn listed_subject(pieces: &Pieces<'_>) -> Option<Subject> {
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
