//! Composition: what neighbouring pieces mean together. A rule marks the pieces that it uses; unused pieces are reported as unread.
//!
//! First the rules of [`numbers`] fuse numbers with their neighbours. Then conditions become filters, links become sides, and the
//! rest gives the requested quantities, their order and the axis.

mod adjustments;
mod axes;
mod conditions;
mod numbers;
mod orders;
mod pieces;
mod roles;
mod sides;
mod wants;

use super::piece::{Means, Number, Piece, Word};
use super::question::{Filter, Key, Question, Test};
use super::span::How;
use super::spans::looks_like_name;
use crate::model::{Facet, Fact, Field};
use crate::stores::resolve::is_english;

pub(super) use conditions::Item;
pub(in crate::ask::parse) use pieces::Pieces;

/// Maximum number of pieces that a rule takes in front of the one at which it is applied.
const REACH: usize = 4;

/// Composes a question from pieces, and returns the pieces as the rules left them.
pub(super) fn compose<'w>(list: Vec<Piece>, words: &'w [Word<'w>]) -> (Question, Pieces<'w>) {
    let mut pieces = Pieces { list, words };
    round_numbers_before_rates(&mut pieces.list, words);
    join_unknown_products(&mut pieces.list, words);
    mark_concessions_unread(&mut pieces.list, words);
    for rule in numbers::RULES {
        let mut at = 0;
        while at < pieces.list.len() {
            // Step back, because earlier pieces may be part of the fused piece.
            if pieces.unused(at) && rule(&mut pieces, at) {
                at = at.saturating_sub(REACH);
            }
            at += 1;
        }
    }
    generations_as_devices(&mut pieces);
    training_time(&mut pieces);
    let mut question = Question::default();
    let mut items = conditions::items(&mut pieces);
    conditions::alternatives(&mut pieces, &mut items);
    roles::roles(&mut pieces, &mut items);
    conditions::only(&mut pieces, &mut items);
    let sided = sides::sides(&mut pieces, &items);
    orders::orders(&mut pieces, &items, &mut question);
    orders::take(&mut pieces, &mut question);
    wants::kinds(&mut pieces, &items, &mut question, sided.is_some());
    axes::axes(&mut pieces, &items, &mut question, sided.is_some());
    wants::quantities_asked(&mut pieces, &mut question, &items, sided.is_some());
    let taken: Vec<usize> = match sided {
        Some(sided) => {
            question.sides = sided.sides;
            align_compute_units(&mut question.sides);
            sided.items
        }
        None => wants::beyond(&mut pieces, &items, &mut question),
    };
    let rest = items.iter().enumerate().filter(|(at, _)| !taken.contains(at)).map(|(_, item)| item);
    let filter = conditions::filter(&rest.collect::<Vec<_>>(), &pieces);
    question.subject.terms.splice(..0, filter.terms).for_each(drop);
    adjustments::adjust_to_whole_question(&mut pieces, &mut question);
    claim(&mut pieces, &mut question);
    unread(&mut pieces, words, &items, &question);
    (question, pieces)
}

/// A claim within a comparison is answered by the ratio; any other yes/no question is answered by whether it holds.
fn claim(pieces: &mut Pieces, question: &mut Question) {
    let compared = !question.sides.is_empty();
    question.holds = pieces.is_yes_or_no() && !compared && question.order.is_none();
    // Devices and networks are older and newer themselves, what was measured on them is not: `is the MI300X older than 2022`.
    if question.holds && question.wants.is_empty() && pieces.says(&["older", "newer"]) {
        let came_out = [(Facet::Device, Fact::Released), (Facet::Network, Fact::Published)];
        if let Some((_, date)) = came_out.into_iter().find(|(facet, _)| question.subject.has(*facet)) {
            let years = question.subject.tests_mut().filter(|test| test.facet() == Some(Facet::Year));
            years.for_each(|year| year.key = date.into());
        }
    }
    let is_claimed = |means: &Means| matches!(means, Means::Comparative(..) | Means::Link("equals"));
    for at in 0..pieces.list.len() {
        let is_supposed = match pieces.means(at) {
            Means::Comparative(..) => compared,
            Means::Number(_) => pieces.next_is(at, is_claimed),
            _ => false,
        };
        if is_supposed {
            pieces.mark(at, "claim");
        }
    }
}

/// If a side is a compute unit of a chip, a class on the other side means a compute unit as well: `snapdragon 8 gen 3 npu vs gpu`.
fn align_compute_units(sides: &mut [Filter]) {
    if sides.iter().any(|side| side.has(Field::ComputeUnit)) {
        let classes = sides.iter_mut().flat_map(Filter::tests_mut).filter(|test| test.facet() == Some(Facet::Class));
        classes.for_each(|class| class.key = Key::from(Field::ComputeUnit));
    }
}

/// Reads the generations of a product line as devices: `every TPU generation`.
fn generations_as_devices(pieces: &mut Pieces<'_>) {
    if pieces.list.iter().any(|piece| piece.is_of(&[Facet::Device])) {
        let kinds = pieces.list.iter_mut().filter(|piece| piece.means == Means::Kind(Facet::Architecture, None));
        kinds.for_each(|piece| piece.means = Means::Kind(Facet::Device, None));
    }
}

/// Reads a round number before a rate as a number, not as a product of that name: `8000 img/s`, but not `4090 img/s`.
fn round_numbers_before_rates(list: &mut [Piece], words: &[Word<'_>]) {
    for at in 1..list.len() {
        let is_rate = list[at].means.asks_for("throughput");
        let before = &mut list[at - 1];
        let text = words[before.words.start].text;
        let is_product = before.is_of(&[Facet::Device]) && before.words.len() == 1 && text.ends_with("000");
        if let Some(value) = text.parse().ok().filter(|_| is_rate && is_product) {
            let number = Number { dimension: Some("rate"), ..Number::of(value, text) };
            *before = Piece::new(before.words.clone(), Means::Number(number), How::Number);
        }
    }
}

/// `time` asks for the training time if nothing else is asked for: `gnmt training dgx-1 time`.
fn training_time(pieces: &mut Pieces<'_>) {
    const TIMES: &str = "any:time-to-accuracy-s,total-s,epoch-s";
    let is_time = |at: &usize| pieces.list[*at].is_filler() && ["time", "times"].contains(&&*pieces.text(*at));
    let asks_other = |means: &Means| matches!(means, Means::Quantity(_) | Means::Order(..) | Means::Comparative(..));
    let trains = pieces.list.iter().any(|piece| piece.test() == Some(&Test::one(Facet::Stage.into(), "train")));
    if let Some(at) = (0..pieces.list.len()).find(is_time).filter(|_| trains && !pieces.any(asks_other)) {
        pieces.list[at].means = Means::Quantity(TIMES);
        pieces.list[at].how = How::Lexicon;
    }
}

/// Marks a concession as unread, up to the next comma: `even though it has fewer parameters`.
fn mark_concessions_unread(list: &mut Vec<Piece>, words: &[Word<'_>]) {
    let Some(from) = list.iter().position(|piece| piece.means == Means::Link("although")) else { return };
    let ends = |piece: &Piece| words[piece.words.end - 1].comma;
    let to = list[from..].iter().position(ends).map_or(list.len(), |behind| from + behind + 1);
    let whole = list[from].words.start..list[to - 1].words.end;
    list.splice(from..to, [Piece { rule: "aside", ..Piece::new(whole, Means::Unread, How::Unread) }]);
}

/// A maker or product directly before an unknown word is part of an unknown name: `google colab`, `core ultra 9 285k`. A
/// capitalised filler between two unknown words belongs to the name as well: `Intel Neural Compute Stick 2`.
fn join_unknown_products(list: &mut Vec<Piece>, words: &[Word<'_>]) {
    let is_titled = |piece: &Piece| words[piece.words.start].text.starts_with(char::is_uppercase);
    let is_strange = |piece: &Piece| piece.means == Means::Unread && is_titled(piece);
    for at in (2..list.len()).rev() {
        let Some([before, piece, next]) = list.get(at - 2..=at) else { continue };
        let is_joined = before.words.end == piece.words.start && piece.words.end == next.words.start;
        if is_joined && is_strange(before) && piece.is_filler() && is_titled(piece) && is_strange(next) {
            list.splice(at - 2..=at, [Piece::new(before.words.start..next.words.end, Means::Unread, How::Unread)]);
        }
    }
    for at in (1..list.len()).rev() {
        // `Intel's Movidius`; such a join at the end of the question shortens the list by two.
        if at >= list.len() {
            continue;
        }
        let first = at - if at > 1 && words[list[at - 1].words.start].text == "s" { 2 } else { 1 };
        let (before, piece) = (&list[first], &list[at]);
        let is_joined = list[at - 1].words.end == piece.words.start && !words[piece.words.start - 1].comma;
        let is_number = words[piece.words.start].text.starts_with(|c: char| c.is_ascii_digit());
        // `the Intel Neural Compute Stick 2`
        let is_name =
            before.words.start > 0 && is_titled(piece) || !is_english(&words[piece.words.start].text.to_lowercase());
        let goes_on = before.facet() == Some(Facet::Vendor) || is_number && before.facet() == Some(Facet::Device);
        if piece.means == Means::Unread && is_name && is_joined && goes_on {
            let whole = before.words.start..piece.words.end;
            list.splice(first..=at, [Piece::new(whole, Means::Unread, How::Unread)]);
        }
    }
}

/// Classifies what no rule used: a word that could be the subject, part of a bound, or any other.
fn unread(pieces: &mut Pieces, words: &[Word<'_>], items: &[Item], question: &Question) {
    use Facet::{Architecture, Class, Dataset, Device, Framework, Instance, Network, Source, Task, Vendor};
    let names = |facets: &[Facet]| items.iter().any(|item| !item.is_not && item.is_of(facets));
    let names_entity = names(&[Device, Network, Dataset, Framework, Source, Task, Instance, Vendor, Architecture]);
    // Without a workload or without hardware in the question, a non-English word could be the missing one.
    let lacks_entity = !names(&[Network, Task, Dataset, Framework, Source])
        || !names(&[Device, Vendor, Architecture, Instance, Class]);
    // If network and device are both named, another name is not the subject: `deepspeech2 gru lstm titan x`.
    let lacks_subject = !names(&[Network]) || !names(&[Device]);
    let lists = pieces.is_list() && !pieces.orders();
    let has_parts = !question.sides.is_empty() || question.along.is_some() || question.beyond.is_some();
    let lacks_head = question.wants.is_empty() && question.order.is_none() && question.of.is_none() && !has_parts;
    // `does pruning speed up BERT`, `are wafer-scale chips quicker than GPUs`: the unread words are what has the effect.
    let is_effect = |means: &Means| {
        matches!(means, Means::Ask("speedup" | "worsens" | "changes") | Means::Axis("effect"))
            || means.is_link(&["than"])
    };
    let effect = pieces.find(is_effect).filter(|_| !has_parts).unwrap_or_default();
    let is_strange = |text: &str| {
        text.len() > 3 && text.contains(char::is_alphabetic) && !text.to_lowercase().split('-').all(is_english)
    };
    let could_be_used = |means: &Means| {
        matches!(
            means,
            Means::Number(_)
                | Means::Bound(_)
                | Means::Not
                | Means::Comparative(..)
                | Means::Order(..)
                | Means::Axis("effect" | "relation" | "year" | "device-count" | "batch-size" | "architecture")
                | Means::Link("versus" | "than" | "beats")
        )
    };
    for at in 0..pieces.list.len() {
        let piece = &pieces.list[at];
        let lone = piece.rule.is_empty() && could_be_used(&piece.means);
        if !(matches!(piece.means, Means::Unread | Means::NotKept) || lone) || piece.how == How::UnreadBound {
            continue;
        }
        let opening = ["on", "for", "vs", "versus", "with", "than", "against", "a", "an", "the", "my"];
        let follows = pieces.is_preceded_by(at, &opening);
        // `RWKV or Mamba`: the other one is asked for as well.
        let is_entity = |place: usize| pieces.list[place].facet().is_some_and(|facet| facet.entity_kind().is_some());
        let is_other = [pieces.before(at), pieces.after(at)].into_iter().flatten().any(|link| {
            let beyond = [pieces.before(link), pieces.after(link)].into_iter().flatten();
            pieces.means(link).is_link(&["or"]) && beyond.filter(|place| *place != at).any(is_entity)
        });
        let linked = pieces.previous_is(at, |means| means.is_link(&["versus", "than", "beats"]));
        let negated = pieces.previous_is(at, |means| *means == Means::Not);
        let text = words[piece.words.start].text;
        // `pixel 6`, `iphone 11`
        let is_numbered = pieces.number(at + 1).is_some() && pieces.unused(at + 1);
        let has_digit = |word: &Word<'_>| word.text.contains(|c: char| c.is_ascii_digit());
        // `phase 2` is not a name.
        let numbers = piece.means == Means::Unread
            && (lacks_entity || !is_english(&text.to_lowercase()))
            && (is_numbered || words[piece.words.clone()].iter().any(has_digit));
        // `medical imaging networks`: words in front of a kind restrict which of it are listed.
        let mut behind = pieces.list[at..].iter().skip_while(|next| next.means == Means::Unread);
        let narrows =
            lists && piece.means == Means::Unread && behind.next().is_some_and(|next| next.means.kind().is_some());
        let is_name = lacks_subject && (looks_like_name(text, piece.words.start == 0) || numbers) || narrows;
        // `carbon intensity of training GPT-3`
        let is_head = words.get(piece.words.end).is_some_and(|word| word.text == "of");
        // `a 5070 ti`
        let is_model = |number: &Number| number.dimension.is_none() && number.text.len() > 2;
        let how = match piece.means {
            // `since Pascal`
            Means::Bound(_) if numbers::DATE_BOUND_WORDS.contains(&&*text.to_lowercase()) => How::UnreadBound,
            // `microcontrollers that can do person detection`
            Means::Bound(_)
                if (piece.words.len() == 1 && !pieces.next_is(at, |next| matches!(next, Means::Number(_))))
                    || pieces.next_is(at, |next| matches!(next, Means::Test(_))) =>
            {
                How::Filler
            }
            // `that isn't in the catalog`, `did versions not matter`, `why is it not faster` exclude nothing.
            Means::Not
                if pieces
                    .after(at)
                    .is_none_or(|next| matches!(pieces.means(next), Means::Ask(_) | Means::Comparative(..))) =>
            {
                How::Unread
            }
            Means::Bound(_) | Means::Not => How::UnreadBound,
            Means::Link(_) | Means::Comparative(..) | Means::Order(..) | Means::Axis(_) => How::Unread,
            Means::Number(_)
                if at.checked_sub(1).is_some_and(|before| pieces.list[before].how == How::UnreadSubject) =>
            {
                How::UnreadSubject
            }
            Means::Number(ref number) if follows && lacks_entity && is_model(number) => How::UnreadSubject,
            Means::Number(Number { dimension: Some("euro"), .. }) => How::UnreadBound,
            Means::Number(_) if items.is_empty() => How::UnreadSubject,
            Means::Number(_) => How::Unread,
            Means::NotKept => How::UnreadSubject,
            _ if negated => How::UnreadBound,
            _ if is_other || text.len() > 4 && text.ends_with("ly") => How::Unread,
            _ if lacks_head && is_head => How::UnreadSubject,
            _ if is_name || linked || at < effect => How::UnreadSubject,
            _ if !names_entity && (items.is_empty() && !pieces.orders() || is_strange(text)) => How::UnreadSubject,
            // `lightgbm V100`
            _ if lacks_subject && (at == 0 || follows && lacks_entity) && is_strange(text) => How::UnreadSubject,
            _ => How::Unread,
        };
        pieces.list[at].how = how;
    }
    // If more words are unread than read, the rest would answer another question: `will nvidia shares go up after the next launch`.
    let is_unread = |piece: &Piece| piece.how == How::Unread && piece.means == Means::Unread;
    let many = |is: &dyn Fn(&Piece) -> bool| pieces.list.iter().filter(|piece| is(piece)).count();
    if lacks_subject && many(&is_unread) > many(&|piece| !piece.rule.is_empty()).max(2) {
        pieces.list.iter_mut().filter(|piece| is_unread(piece)).for_each(|piece| piece.how = How::UnreadSubject);
    }
}

#[cfg(test)]
mod tests {
    use crate::ask::parse::known::Known;
    use crate::ask::parse::{How, parse};

    #[test]
    fn what_is_not_read_is_said_and_a_subject_or_a_bound_stops() {
        for (text, unread) in [
            ("lightgbm higgs gpu training time", vec![("lightgbm", How::UnreadSubject), ("higgs", How::UnreadSubject)]),
            ("resnet50 V100 vs T4 colab", vec![("colab", How::Unread)]),
            ("resnet50 for 300 euros", vec![("300 euros", How::UnreadBound)]),
            ("resnet50 on a T4000", vec![("T4000", How::UnreadSubject)]),
            ("resnet50 without foo", vec![("foo", How::UnreadBound)]),
        ] {
            let question = parse(text, &Known).unwrap();
            let said = question.spans.iter().filter(|span| span.how.is_unread() && span.text != "without");
            assert_eq!(said.map(|span| (span.text.as_str(), span.how)).collect::<Vec<_>>(), unread, "{text}");
        }
    }
}
