//! Finds the names of devices among the words of a spelling, and judges the words around them.

use std::ops::Range;

use super::families::Families;
use super::product_name::is_portable;
use super::product_words::{begins_something_else, form, is_descriptive, is_product_line, memory_gib, unit_gib};
use super::tokens::{Gap, Token};
use crate::model::Facet;
use crate::values::spelling::normalise;

/// A name has at most this many words.
const LONGEST_NAME: usize = 8;

/// A device's name found in a spelling.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct NamedDevice {
    pub id: String,
    /// The words of the name.
    pub words: Range<usize>,
    length: usize,
    /// What the words around it say.
    pub beside: Beside,
}

/// What stands beside a name.
#[derive(Debug, Clone, Default, PartialEq)]
pub(super) struct Beside {
    /// The word that makes another product of it.
    pub another: Option<String>,
    /// Memory, GiB, directly behind the name.
    pub memory_gib: Vec<f64>,
    /// The board's form directly behind the name.
    pub forms: Vec<String>,
    /// A number joined to it: `V100-8`.
    pub number: Option<u32>,
}

/// The devices that the words name: the longest names win, and none of their words is read twice.
pub(super) fn find_names<F: Families>(words: &[Token<'_>], names: &F) -> Result<Vec<NamedDevice>, F::Error> {
    let mut found: Vec<NamedDevice> = Vec::new();
    for start in 0..words.len() {
        for end in (start + 1..=words.len().min(start + LONGEST_NAME)).rev() {
            let normal = normalise(&words[start..end].iter().map(|word| word.text).collect::<String>());
            for name in names.exact(&normal)?.into_iter().filter(|name| name.facet == Facet::Device) {
                let words = start..end;
                found.push(NamedDevice { id: name.value, words, length: normal.len(), beside: Beside::default() });
            }
        }
    }
    found.sort_by(|a, b| b.length.cmp(&a.length).then(a.words.start.cmp(&b.words.start)));
    let mut kept: Vec<NamedDevice> = Vec::new();
    for one in found {
        let overlaps = |other: &NamedDevice| one.words.start < other.words.end && other.words.start < one.words.end;
        let same_words = kept.iter().any(|other| other.words == one.words);
        if same_words || !kept.iter().any(overlaps) {
            kept.push(one);
        }
    }
    let taken: Vec<Range<usize>> = kept.iter().map(|one| one.words.clone()).collect();
    for one in &mut kept {
        one.beside = beside(words, &one.words, &taken);
    }
    merged(kept, names)
}

/// Each device once; a family beside one of its members adds nothing.
fn merged<F: Families>(kept: Vec<NamedDevice>, names: &F) -> Result<Vec<NamedDevice>, F::Error> {
    let mut specific: Vec<NamedDevice> = Vec::new();
    for one in &kept {
        let members = names.members(&one.id)?;
        if let Some(same) = specific.iter_mut().find(|other| other.id == one.id) {
            same.beside.join(&one.beside);
        } else if !kept.iter().any(|other| members.iter().any(|member| member.id == other.id)) {
            specific.push(one.clone());
        }
    }
    Ok(specific)
}

impl Beside {
    /// Takes in what stands beside a second mention of the device.
    fn join(&mut self, other: &Self) {
        self.another = self.another.take().or_else(|| other.another.clone());
        self.memory_gib.extend(&other.memory_gib);
        self.forms.extend(other.forms.iter().cloned());
        self.number = self.number.or(other.number);
    }
}

/// Reads the words around a name. `taken` are the words of all names.
fn beside(words: &[Token<'_>], name: &Range<usize>, taken: &[Range<usize>]) -> Beside {
    let is_taken = |at: usize| taken.iter().any(|range| range.contains(&at));
    let mut beside = Beside::default();
    // `Apple M1 (7-core GPU)` has its bracket within the name.
    let has_bracket = words[name.clone()].iter().skip(1).any(|word| word.before == Gap::Opens);
    let mut at = name.end;
    while let Some(word) = words.get(at).filter(|_| !is_taken(at)) {
        let lower = word.lower();
        let next = words.get(at + 1).filter(|_| !is_taken(at + 1)).map(Token::lower);
        let (memory, taken) = memory_of(&lower, next.as_deref());
        // The cores of a chip are another device than its GPU, which often has the chip's name.
        if word.before == Gap::Hard && lower == "cpu" && next.as_deref() == Some("cores") {
            beside.another = Some("CPU cores".to_owned());
            return beside;
        }
        let ended = match word.before {
            Gap::Hard => true,
            Gap::Opens => memory.is_none(),
            Gap::Closes => !has_bracket && beside.memory_gib.is_empty(),
            Gap::Start | Gap::Joined | Gap::Soft => false,
        };
        if ended {
            break;
        }
        at += taken;
        if let Some(gib) = memory {
            beside.memory_gib.push(gib);
        } else if let Some(form) = form(&lower) {
            beside.forms.push(form);
        } else if lower.starts_with("gen") && lower.len() == 4 && beside.forms.iter().any(|form| form == "pcie") {
            // The generation of the bus.
        } else if describes_with_next(word, next.as_deref()) {
            at += 1;
        } else if word.is_number() && word.before == Gap::Joined && beside.number.is_none() && ends(words, at) {
            beside.number = word.text.parse().ok();
        } else if begins_something_else(&lower) {
            break;
        } else if !is_descriptive(&lower) {
            beside.another = Some(word.text.to_owned());
            return beside;
        }
    }
    let before = name.start.checked_sub(1).filter(|&at| !is_taken(at));
    if let Some(before) = before.and_then(|at| words.get(at))
        && matches!(words[name.start].before, Gap::Soft | Gap::Joined)
        && is_product_line(&before.lower())
    {
        beside.another = Some(before.text.to_owned());
        return beside;
    }
    for (at, word) in words.iter().enumerate().filter(|(at, _)| !is_taken(*at)) {
        let next = words.get(at + 1).map(Token::lower);
        if is_portable(&word.lower(), next.as_deref()) {
            beside.another = Some(word.text.to_owned());
        }
    }
    beside
}

/// Whether two words describe a device of any name: `16 cores`, `Six-Core`, `Tensor Core`, `Mobile Platform`.
fn describes_with_next(word: &Token<'_>, next: Option<&str>) -> bool {
    let number =
        word.is_number() || matches!(word.lower().as_str(), "dual" | "quad" | "six" | "eight" | "octa" | "tensor");
    match next {
        Some("core" | "cores" | "thread" | "threads") => number,
        Some("platform") => word.lower() == "mobile",
        _ => false,
    }
}

/// The memory that one or two words state, GiB, and how many words were read.
fn memory_of(word: &str, next: Option<&str>) -> (Option<f64>, usize) {
    if let Some(gib) = memory_gib(word) {
        return (Some(gib), 1);
    }
    let split = word.parse::<f64>().ok().zip(next.and_then(unit_gib));
    match split.filter(|_| next != Some("g")) {
        Some((number, unit)) => (Some(number * unit), 2),
        None => (None, 1),
    }
}

/// Whether what begins here is something else than the name before it.
fn ends(words: &[Token<'_>], at: usize) -> bool {
    words.get(at).is_none_or(|word| {
        matches!(word.before, Gap::Hard | Gap::Opens | Gap::Closes)
            || begins_something_else(&word.lower())
            || is_descriptive(&word.lower())
    })
}
