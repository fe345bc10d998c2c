//! The sides of a comparison: what stands on both sides of a `vs`, or the values of one facet that a question compares.

use super::clause::{Clause, any_of, combine, either};
use super::facing::{HARDWARE, can_face, clauses_can_face, kind_of};
use super::hints::Hints;
use super::vocabulary::{Cue, Link, plain};
use crate::model::{Facet, Fact};
use crate::stores::index::Condition;

/// A clause as it was read; linked to those before by a `vs` or an `or`.
#[derive(Debug, Clone)]
pub(super) struct ReadClause {
    /// The facet, where it is about one alone and is joined with others about it.
    pub facet: Option<Facet>,
    /// The clause.
    pub clause: Clause,
    /// What links it to those before.
    pub link: Option<Link>,
}

/// A side has at most this many clauses: `2x 3090`, `pytorch cpu`.
const LONGEST_SIDE: usize = 3;

/// The clauses that stand against each other, by their places.
struct Chain {
    sides: Vec<Vec<usize>>,
    /// Whether they are compared, not only listed.
    compares: bool,
}

/// Joins what is linked, each chain of sides in one clause.
pub(super) fn joined(read: Vec<ReadClause>, hints: &Hints) -> Vec<ReadClause> {
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

fn filter_of(read: &[ReadClause], at: usize) -> &str {
    &read[at].clause.equivalent
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
    (of_makers && is_limited || excludes) && !asks && !hints.chooses
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
    let is_choice = hints.has(Cue::Comparative) && !hints.tells_change;
    let are_alone = !hints.is_sentence() && hints.enumerates;
    if chains.is_empty() && has_no_kind && (is_choice || are_alone) {
        chains.extend(alternatives(read));
    }
    chains
}

/// The device that a question names and the one that nothing is called: `compare the A100 with the MI100`.
fn beside_unknown(read: &[ReadClause]) -> Option<Chain> {
    let is_device = |one: &ReadClause| kind_of(&one.clause) == "device";
    let is_unknown = |one: &ReadClause| {
        let text = &one.clause.text;
        let has = |of: fn(char) -> bool| text.chars().any(of);
        kind_of(&one.clause) == "text" && has(|c| c.is_ascii_digit()) && has(char::is_alphabetic)
    };
    let places: Vec<usize> = (0..read.len()).filter(|at| is_device(&read[*at]) || is_unknown(&read[*at])).collect();
    let devices = places.iter().filter(|at| is_device(&read[**at])).count();
    (places.len() == 2 && devices == 1)
        .then(|| Chain { sides: places.into_iter().map(|place| vec![place]).collect(), compares: true })
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

/// Kinds of clauses of which several are sides where a question compares and sets nothing against each other in words.
const LISTED: &[&str] = &[
    "device",
    "framework",
    "class",
    "precision",
    "network",
    "vendor",
    "architecture",
    "instance",
    "source",
    "stage",
    "cudnn",
    "cuda",
    "driver",
    "form-factor",
    "parameters",
    "memory",
    "batch-size",
    "threads",
];

/// Whether several devices or frameworks are named one by one, and none is linked to another.
fn names_several(read: &[ReadClause]) -> bool {
    let of = |kind: &str| read.iter().filter(|one| kind_of(&one.clause) == kind && !one.clause.is_excluded()).count();
    of("device") > 1 || of("framework") > 1
}

/// The several devices, frameworks or classes that are named, where no other kind has several.
fn alternatives(read: &[ReadClause]) -> Option<Chain> {
    let kinds = ["device", "framework", "class"];
    let of = |kind: &str| -> Vec<usize> {
        let is_of = |at: &usize| kind_of(&read[*at].clause) == kind && !read[*at].clause.is_excluded();
        (0..read.len()).filter(is_of).collect()
    };
    let mut several = kinds.iter().map(|kind| of(kind)).filter(|places| places.len() > 1);
    let places = several.next().filter(|_| several.next().is_none())?;
    Some(Chain { sides: places.into_iter().map(|place| vec![place]).collect(), compares: true })
}

/// The values of the one facet that a question names several of.
fn listed(read: &[ReadClause]) -> Option<Chain> {
    let several =
        |kind: &str| -> Vec<usize> { (0..read.len()).filter(|at| kind_of(&read[*at].clause) == kind).collect() };
    let Some(places) = LISTED.iter().map(|kind| several(kind)).find(|places| places.len() > 1) else {
        return with_unknown(read);
    };
    // `A100 40GB and A100 80GB`: what is said twice is told apart by what stands behind it.
    let is_alike = places.iter().all(|at| filter_of(read, *at) == filter_of(read, places[0]));
    let behind = |at: usize| read.get(at + 1).map(|one| kind_of(&one.clause));
    if is_alike && places.iter().all(|at| behind(*at) == Some(Fact::Memory.key())) {
        return Some(Chain { sides: places.into_iter().map(|at| vec![at, at + 1]).collect(), compares: true });
    }
    Some(Chain { sides: places.into_iter().map(|place| vec![place]).collect(), compares: true })
}

/// `compare AMD MI100 with NVIDIA A100`, of which one is known: a word with a figure and the maker in front of it against the
/// device.
fn with_unknown(read: &[ReadClause]) -> Option<Chain> {
    let is = |at: usize, kind: &str| read.get(at).is_some_and(|one| kind_of(&one.clause) == kind);
    let has = |at: usize, of: fn(char) -> bool| read[at].clause.text.contains(of);
    let is_product = |at: &usize| is(*at, "text") && has(*at, |c| c.is_ascii_digit()) && has(*at, char::is_alphabetic);
    let unknown: Vec<usize> = (0..read.len()).filter(is_product).collect();
    let devices: Vec<usize> = (0..read.len()).filter(|at| is(*at, "device")).collect();
    let (&[unknown], &[device]) = (unknown.as_slice(), devices.as_slice()) else { return None };
    let with_maker = |at: usize| match at.checked_sub(1).filter(|before| is(*before, "vendor")) {
        Some(maker) => vec![maker, at],
        None => vec![at],
    };
    let mut sides = vec![with_maker(unknown), with_maker(device)];
    sides.sort_unstable();
    Some(Chain { sides, compares: true })
}

impl Chain {
    fn has(&self, at: usize) -> bool {
        self.sides.iter().any(|side| side.contains(&at))
    }

    /// One clause of all sides.
    fn joined(&self, read: &[ReadClause]) -> Option<ReadClause> {
        let side = |places: &Vec<usize>| combine(places.iter().map(|at| read[*at].clause.clone()).collect());
        let mut sides: Vec<Clause> = self.sides.iter().filter_map(side).collect();
        settle(&mut sides);
        stand_apart(&mut sides);
        let joint = if self.compares { " vs " } else { " or " };
        let text = sides.iter().map(|side| side.text.as_str()).collect::<Vec<_>>().join(joint);
        let facet = facet_of(sides.first()?);
        let clause = match facet {
            Some(facet) if sides.iter().all(|side| facet_of(side) == Some(facet)) => any_of(facet, sides.clone()),
            _ => either(text.clone(), sides.clone())?,
        };
        let sides = if self.compares { sides } else { Vec::new() };
        Some(ReadClause { facet: None, clause: Clause { text, sides, ..clause }, link: None })
    }
}

/// What is a side of its own is none of the family that it stands against: `V100S vs V100`.
fn stand_apart(sides: &mut [Clause]) {
    let ids = |side: &Clause| match side.readings.as_slice() {
        // A number format takes in the mixed recipe, which is none of its members.
        [only] if matches!(only.condition, Condition::Facet(Facet::Device | Facet::Network, _)) => {
            only.read_as.values.clone()
        }
        _ => Vec::new(),
    };
    let named: Vec<Vec<String>> = sides.iter().map(ids).collect();
    let conditions: Vec<(Condition, String)> =
        sides.iter().map(|side| (side.condition.clone(), side.equivalent.clone())).collect();
    for (at, side) in sides.iter_mut().enumerate() {
        let own = &named[at];
        let within = |other: &usize| {
            *other != at
                && !named[*other].is_empty()
                && named[*other].len() < own.len()
                && named[*other].iter().all(|id| own.contains(id))
        };
        let members: Vec<usize> = (0..named.len()).filter(within).collect();
        if members.is_empty() {
            continue;
        }
        let mut all = vec![side.condition.clone()];
        for member in &members {
            all.push(Condition::Not(Box::new(conditions[*member].0.clone())));
            side.equivalent = format!("({} -{})", side.equivalent, conditions[*member].1);
            side.readings[0].read_as.values.retain(|id| !named[*member].contains(id));
        }
        side.condition = Condition::All(all);
    }
}

/// The facet of a clause that asks for values of one alone.
pub(super) fn facet_of(clause: &Clause) -> Option<Facet> {
    match clause.condition {
        Condition::Facet(facet, _) if facet.key() == kind_of(clause) => Some(facet),
        _ => None,
    }
}

/// Of a side that can be read in several ways (L4 is a device and a layer) the reading that faces the others.
fn settle(sides: &mut [Clause]) {
    let sure = sides.iter().find(|side| side.readings.len() == 1).map(|side| kind_of(side).to_owned());
    let Some(kind) = sure else { return };
    for side in sides.iter_mut().filter(|side| side.readings.len() > 1) {
        let one_text = side.readings.iter().all(|reading| reading.read_as.text == side.text);
        let hardware = HARDWARE.contains(&kind.as_str());
        let is_alike = |facet: &str| facet == kind || hardware && HARDWARE.contains(&facet);
        let Some(reading) = side.readings.iter().find(|reading| one_text && is_alike(&reading.read_as.facet)) else {
            continue;
        };
        if matches!(reading.condition, Condition::Facet(..)) {
            *side = reading.clone().clause();
        }
    }
}
