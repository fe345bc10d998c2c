//! The sides of a question that lists them and sets nothing against each other in words: `compare V100, T4 and P100`.

use super::chain::{Chain, ReadClause, filter_of};
use crate::ask::question::facing::kind_of;
use crate::model::Fact;

/// The device that a question names and the one that nothing is called: `compare the A100 with the MI100`.
pub(super) fn beside_unknown(read: &[ReadClause]) -> Option<Chain> {
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
pub(super) fn names_several(read: &[ReadClause]) -> bool {
    let of = |kind: &str| read.iter().filter(|one| kind_of(&one.clause) == kind && !one.clause.is_excluded()).count();
    of("device") > 1 || of("framework") > 1
}

/// Kinds of which several that are named one by one may be chosen from; the first of them also where no choice is asked for.
pub(super) const CHOSEN: &[&str] =
    &["device", "framework", "class", "network", "precision", "vendor", "instance", "source"];

/// The several of one kind that are named, where no other kind has several.
pub(super) fn alternatives(read: &[ReadClause], kinds: &[&str]) -> Option<Chain> {
    let of = |kind: &str| -> Vec<usize> {
        let is_of = |at: &usize| kind_of(&read[*at].clause) == kind && !read[*at].clause.is_excluded();
        (0..read.len()).filter(is_of).collect()
    };
    let mut several = kinds.iter().map(|kind| of(kind)).filter(|places| places.len() > 1);
    let places = several.next().filter(|_| several.next().is_none())?;
    Some(Chain { sides: places.into_iter().map(|place| vec![place]).collect(), compares: true })
}

/// The values of the one facet that a question names several of.
pub(super) fn listed(read: &[ReadClause]) -> Option<Chain> {
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
