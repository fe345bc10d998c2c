//! The sides that a `vs` or an `or` links.

use super::chain::{Chain, ReadClause, filter_of};
use super::listed::{CHOSEN, alternatives, beside_unknown, listed, names_several};
use crate::ask::question::facing::{can_face, clauses_can_face, kind_of};
use crate::ask::question::hints::Hints;
use crate::ask::question::vocabulary::{Cue, Link, plain};
use crate::model::Facet;

/// A side has at most this many clauses: `2x 3090`, `pytorch cpu`.
const LONGEST_SIDE: usize = 3;

/// Joins what is linked, each chain of sides in one clause.
pub(in crate::ask::question) fn joined(read: Vec<ReadClause>, hints: &Hints) -> Vec<ReadClause> {
    let mut chains = chains(&read, hints);
    // `from V100 to A100` tells what the second is over the first.
    if hints.from_first {
        chains.iter_mut().for_each(|chain| chain.sides.reverse());
    }
    let sides: Vec<&str> =
        chains.iter().flat_map(|chain| chain.sides.iter().flatten()).map(|at| filter_of(&read, *at)).collect();
    let mut joined = Vec::new();
    for (at, one) in read.iter().enumerate() {
        // What is a side is no condition on both: `cpu vs gpu, is a gpu worth it`.
        let is_side = sides.contains(&filter_of(&read, at)) && !chains.iter().any(|chain| chain.has(at));
        if is_side {
            continue;
        }
        let of = chains.iter().find(|chain| chain.has(at));
        match of {
            None => joined.push(one.clone()),
            Some(chain) if chain.sides.iter().flatten().min() == Some(&at) => joined.extend(chain.joined(&read)),
            Some(_) => {}
        }
    }
    joined
}

/// Kinds that are set against each other by an `or` alone.
const COMPARED: &[&str] = &["device", "framework", "class", "vendor", "instance", "form-factor"];

/// Whether a count stands in front of a device: `8x V100`.
fn is_counted(read: &[ReadClause], at: usize) -> bool {
    let kind = |at: usize| read.get(at).map(|one| kind_of(&one.clause));
    kind(at) == Some("device-count") && kind(at + 1) == Some("device")
}

/// Whether a clause is what computes behind the framework in front of it: `keras with tensorflow backend`.
fn is_backend(read: &[ReadClause], at: usize) -> bool {
    let facet = |one: &ReadClause| one.clause.readings.first().map(|reading| reading.read_as.facet.clone());
    let [front, behind] = [at.checked_sub(1), Some(at)].map(|at| at.and_then(|at| read.get(at)).and_then(facet));
    front.as_deref() == Some("framework") && behind.as_deref() == Some("backend")
}

/// Whether a clause is a name with a number in it.
fn is_numbered(one: &ReadClause) -> bool {
    one.clause.text.contains(' ') && one.clause.text.contains(|c: char| c.is_ascii_digit())
}

/// Whether an `or` in front of a clause joins what is only listed, and nothing asks which of them is better: makers of what is
/// named behind them in the plural, `amd or intel gpus, training, before 2022`, or what something is excluded from, `v100 or p100 but
/// not on aws`.
fn is_set(read: &[ReadClause], at: usize, hints: &Hints) -> bool {
    let kind = |at: usize| read.get(at).map(|one| kind_of(&one.clause));
    let of_makers = kind(at) == Some("vendor")
        && kind(at + 1) == Some("class")
        && read.get(at + 1).is_some_and(|one| plain(&one.clause.text).ends_with('s'));
    let is_limited = read.iter().any(|one| kind_of(&one.clause) == Facet::Year.key());
    let asks = hints.ranks || hints.picks || hints.cues.iter().any(|cue| matches!(cue, Cue::Which | Cue::YesOrNo));
    let excludes = read.iter().any(|one| one.clause.is_excluded());
    (of_makers && is_limited || excludes || hints.either) && !asks && !hints.chooses
}

/// Whether formats are named beside a device and nothing that is run in them: `int8 or fp16 on a T4` asks which of them to take.
fn names_no_work(read: &[ReadClause]) -> bool {
    let is_of = |kinds: &[&str]| read.iter().all(|one| kinds.contains(&kind_of(&one.clause)));
    let names_device = read.iter().any(|one| kind_of(&one.clause) == Facet::Device.key());
    names_device && is_of(&["precision", "device", "stage"])
}

fn chains(read: &[ReadClause], hints: &Hints) -> Vec<Chain> {
    let kind = |at: usize| kind_of(&read[at].clause);
    // `devices from hailo or axera` are listed, whichever of the two makes them.
    let lists = hints.listed().is_some() || hints.leading.is_some();
    let mut chains: Vec<Chain> = Vec::new();
    for (at, one) in read.iter().enumerate() {
        let Some(link) = one.link else { continue };
        let compares = link == Link::Versus
            || hints.has(Cue::Comparative)
            || hints.has(Cue::Compare)
            || hints.has(Cue::Fair)
            || (COMPARED.contains(&kind(at)) || hints.chooses && link == Link::Or) && !lists && !is_set(read, at, hints)
            || kind(at) == "precision" && link == Link::Or && !lists && names_no_work(read)
            || kind(at) == "stage" && hints.has(Cue::SpeedUp)
            || is_counted(read, at)
            // A product that nothing is called so, beside another one.
            || kind(at) == "text" && at > 0 && is_numbered(one) && matches!(kind(at - 1), "device" | "text");
        let last = chains.last().and_then(|chain| chain.sides.last()).filter(|side| {
            // What is no name faces anything, but not past its own neighbour: `bert or gpt-9 on T4 or A10`.
            let is_next = side.last().is_some_and(|place| place + 1 == at);
            let stands_before = |other: &str| at > 0 && kind(at - 1) != "text" && can_face(kind(at - 1), other);
            let faces = |one: &str, other: &str| match is_next || !stands_before(other) {
                true => can_face(one, other),
                false => one == other,
            };
            let fits = |(offset, place): (usize, &usize)| {
                read.get(at + offset).is_some() && faces(kind(*place), kind(at + offset))
            };
            side.iter().enumerate().all(fits)
        });
        if let Some(length) = last.map(Vec::len) {
            if let Some(chain) = chains.last_mut() {
                chain.sides.push((at..at + length).collect());
                chain.compares |= compares;
            }
        } else if let Some((left, right)) = around(read, at) {
            let mut sides = before(read, &left);
            sides.push(left);
            sides.push(right);
            chains.push(Chain { sides, compares });
        }
    }
    // `gen 3 vs gen 5`: a number of nothing that is known is no side.
    let is_number = |at: &usize| {
        let clause = &read[*at].clause;
        kind_of(clause) == "text" && clause.text.bytes().all(|byte| byte.is_ascii_digit())
    };
    // That of a product may stand alone: `4060 or 4070`.
    let is_product = |chain: &Chain, at: &usize| {
        read[*at].clause.text.len() > 2 && chain.sides.iter().flatten().any(|other| kind(*other) == "device")
    };
    let is_none = |chain: &Chain, side: &Vec<usize>| side.iter().all(|at| is_number(at) && !is_product(chain, at));
    chains.retain(|chain| !chain.sides.iter().any(|side| is_none(chain, side)));
    // `BERT or GPT-J on T4 or A10`: rows of any of them, since several `or` set nothing against each other.
    let is_said = [Cue::Comparative, Cue::Compare, Cue::Fair].iter().any(|cue| hints.has(*cue));
    if chains.len() > 1 && !is_said && read.iter().all(|one| one.link != Some(Link::Versus)) {
        chains.iter_mut().for_each(|chain| chain.compares = false);
    }
    // `which of A, B and C is fastest`
    let is_among = hints.turns.iter().any(|(text, _)| plain(text) == "which of");
    let is_bare = hints.picks && hints.nouns.is_empty() && hints.mentions.is_empty();
    let picks = is_among && (hints.ranks || hints.has(Cue::Comparative)) || is_bare && names_several(read);
    if chains.is_empty() && (hints.has(Cue::Compare) || hints.has(Cue::Fair) || picks) {
        chains.extend(listed(read).or_else(|| beside_unknown(read)));
    }
    // `should I get a 3090, 4090 …`, and `V100, T4 and P100`, of which nothing else is asked.
    let has_no_kind = hints.nouns.is_empty() && hints.carried.is_empty() && !hints.ranks;
    // `jax and pytorch, which got higher throughput per gpu`
    if chains.is_empty() && hints.chooses {
        chains.extend(alternatives(read, CHOSEN));
    }
    let is_choice = hints.has(Cue::Comparative) && !hints.tells_change;
    let are_alone = !hints.is_sentence() && hints.enumerates;
    if chains.is_empty() && has_no_kind && (is_choice || are_alone) {
        chains.extend(alternatives(read, &CHOSEN[..3]));
    }
    chains
}

/// The sides to the left and right of a link in front of `at`.
fn around(read: &[ReadClause], at: usize) -> Option<(Vec<usize>, Vec<usize>)> {
    let kind = |at: usize| kind_of(&read[at].clause);
    let same = |length: usize| {
        length <= at
            && at + length <= read.len()
            && (0..length).all(|offset| kind(at - length + offset) == kind(at + offset))
    };
    let counted = |device: usize| device > 0 && kind(device - 1) == "device-count" && kind(device) == "device";
    // `Keras on Theano against Keras on TensorFlow`: what is said twice belongs to both sides.
    let faces = |length: usize| {
        length <= at
            && at + length <= read.len()
            && (0..length).all(|offset| can_face(kind(at - length + offset), kind(at + offset)))
    };
    let repeats = |length: usize| {
        faces(length) && (0..length).any(|offset| filter_of(read, at - length + offset) == filter_of(read, at + offset))
    };
    let repeated = (2..=LONGEST_SIDE).rev().find(|length| repeats(*length));
    if let Some(length) = repeated.or_else(|| (1..=LONGEST_SIDE).find(|length| same(*length))) {
        let mut left: Vec<usize> = (at - length..at).collect();
        if length == 1 && (counted(at - 1) || is_backend(read, at - 1)) {
            left.insert(0, at - 2);
        }
        let ends = at + length + usize::from(length == 1 && is_backend(read, at + 1));
        return Some((left, (at..ends).collect()));
    }
    let right: Vec<usize> = if is_counted(read, at) { vec![at, at + 1] } else { vec![at] };
    let facing = *right.last()?;
    let exact = (0..at).rev().find(|place| kind(*place) == kind(facing));
    let place =
        exact.or_else(|| (0..at).rev().find(|place| clauses_can_face(&read[*place].clause, &read[facing].clause)))?;
    let left = if counted(place) { vec![place - 1, place] } else { vec![place] };
    Some((left, right))
}

/// What is listed in front of a side that is a single clause: `V100 T4 P100 vs A100`.
fn before(read: &[ReadClause], left: &[usize]) -> Vec<Vec<usize>> {
    let &[place] = left else { return Vec::new() };
    let kind = kind_of(&read[place].clause);
    let mut listed: Vec<Vec<usize>> = (0..place)
        .rev()
        .take_while(|at| kind_of(&read[*at].clause) == kind && kind != "text")
        .map(|at| vec![at])
        .collect();
    listed.reverse();
    listed
}
