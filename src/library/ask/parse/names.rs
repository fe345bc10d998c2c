//! Finds catalog names among the words of a question: the longest name, plurals, families, and the nearest name.

use std::collections::BTreeSet;
use std::ops::{Bound, Range};

use indexmap::IndexSet;

use super::lexicon::{Section, meanings};
use super::piece::{Means, Piece, Word};
use super::question::{Filter, Is, Key, Term, Test};
use super::span::How;

use crate::model::{Facet, Fact, Lookup, Name};
use crate::stores::resolve::{MatchKind, is_english, look_up_words, read_words, suffix_of};
use crate::values::text::{is_like, normalise};

/// A name has at most this many words.
const LONGEST_NAME: usize = 6;

/// Vendors whose names people omit in front of a product.
const MAKERS: [&str; 6] = ["google", "apple", "samsung", "amd", "intel", "qualcomm"];

/// The facets that a name can belong to, most likely first. Facets that the lexicon covers, such as maturity, are omitted.
const FACETS: [Facet; 16] = [
    Facet::Network,
    Facet::Device,
    Facet::Framework,
    Facet::Dataset,
    Facet::Precision,
    Facet::Stage,
    Facet::Class,
    Facet::Instance,
    Facet::Vendor,
    Facet::Architecture,
    Facet::Task,
    Facet::Scenario,
    Facet::Source,
    Facet::License,
    Facet::Language,
    Facet::Hardware,
];

/// Words read as a name, with the values of each facet that it can mean.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Reading {
    words: Range<usize>,
    values: Vec<(Facet, Vec<String>)>,
    how: How,
}

impl Reading {
    /// The number of words in the name.
    pub fn len(&self) -> usize {
        self.words.len()
    }

    /// Whether it can mean a value of this facet.
    pub fn has(&self, facet: Facet) -> bool {
        self.values.iter().any(|(of, _)| *of == facet)
    }

    /// Whether it means several values of its most likely facet.
    pub fn is_group(&self) -> bool {
        self.values.first().is_some_and(|(_, values)| values.len() > 1)
    }

    /// The piece that tests its most likely facet.
    pub fn piece(self) -> Piece {
        let (facet, values) = self.values.into_iter().next().unwrap_or((Facet::Device, Vec::new()));
        let means = Means::Test(Test { key: Key::Facet(facet), is: Is::OneOf(values) });
        Piece { words: self.words, means, how: self.how, rule: "" }
    }
}

/// The longest name of at least `least` words that begins at word `at`.
///
/// # Errors
///
/// When the lookup fails.
pub(super) fn read_name<L: Lookup>(
    words: &[Word<'_>],
    at: usize,
    least: usize,
    names: &L,
) -> Result<Option<Reading>, L::Error> {
    let run = run_at(words, at);
    if run[0].contains('*') && run[0].len() > 2 {
        return read_pattern(run[0], at, names);
    }
    // Punctuation alone is not a name. A name does not end with punctuation or begin with a link.
    let is_link = meanings(&normalise(run[0])).iter().any(|(_, section, _)| *section == Section::Link);
    if normalise(run[0]).is_empty() || is_link {
        return Ok(None);
    }
    for length in (least.max(1)..=run.len()).rev() {
        // `TPU v4 is` must not be read as several TPU v4i.
        if normalise(run[length - 1]).is_empty() || length > 1 && ["is", "as"].contains(&run[length - 1]) {
            continue;
        }
        // `V100s` is a plural, but `V100S` is another product.
        let is_plural = run[length - 1]
            .strip_suffix('s')
            .filter(|one| one.bytes().rev().take_while(u8::is_ascii_digit).count() > 2);
        let singular = is_plural.map(|one| look_up_words(&[&run[..length - 1], &[one]].concat(), names));
        let mut found = singular.transpose()?.unwrap_or_default();
        if found.is_empty() {
            found = look_up_words(&run[..length], names)?;
        }
        found.retain(|name| FACETS.contains(&name.facet));
        // The `go` of `go up` is not the language.
        if length == 1 && run[0].len() < 3 && run[0].chars().all(|c| c.is_ascii_lowercase()) {
            found.retain(|name| name.facet != Facet::Language);
        }
        // A single English word in lower case never names a source or a kind of supported hardware.
        if length == 1 && is_english(&run[0].to_lowercase()) && run[0].chars().all(char::is_lowercase) {
            found.retain(|name| name.facet != Facet::Source && name.facet != Facet::Hardware);
        }
        if found.is_empty() || length > 1 && last_word_is_separate(&found, &run[..length], names)? {
            continue;
        }
        // `wide resnet 101` is more specific than `wide resnet`.
        let goes_on = run.get(length).is_some_and(|next| next.starts_with(|c: char| c.is_ascii_digit()));
        if goes_on && let Some(family) = read_family(&run, at, names)?.filter(|family| family.len() > length) {
            return Ok(Some(family));
        }
        // `bert-99.9`: the share of the reference accuracy is read as a separate number.
        let is_share = length > 1 && matches!(run[length - 1], "99" | "99.9");
        return Ok(reading_of(found, at..at + length - usize::from(is_share)));
    }
    let is_phrase = !meanings(&normalise(run[0])).is_empty();
    match least {
        // The words may be the beginning of several names: `raspberry pi`, `yolov5`.
        0 if !is_phrase || run.len() > 1 && !is_english(&run[0].to_lowercase()) => read_family(&run, at, names),
        _ => Ok(None),
    }
}

/// The name nearest to a word that is neither English nor a phrase of the lexicon.
///
/// # Errors
///
/// When the lookup fails.
pub(super) fn nearest_name<L: Lookup>(words: &[Word<'_>], at: usize, names: &L) -> Result<Option<Reading>, L::Error> {
    let run = run_at(words, at);
    // A product without its vendor: `pixel 2`.
    for length in (1..=run.len().min(3)).rev() {
        let product = run[..length].concat();
        if product.contains(|c: char| c.is_ascii_digit()) && product.contains(char::is_alphabetic) {
            for maker in MAKERS {
                let found = look_up_words(&[&format!("{maker}{product}")], names)?;
                if let Some(reading) = reading_of(found, at..at + length).filter(|reading| reading.has(Facet::Device)) {
                    return Ok(Some(Reading { how: How::Alias, ..reading }));
                }
            }
        }
    }
    let near = read_words(&run[..run.len().min(3)], names, |word| Ok(is_known_word(word)))?;
    let reading = near.into_iter().find(|reading| reading.words.start == 0 && reading.how == MatchKind::Fuzzy);
    Ok(reading.and_then(|reading| {
        let facet = reading.facet.filter(|facet| FACETS.contains(facet))?;
        let words = at..at + reading.words.end;
        Some(Reading { words, values: vec![(facet, reading.values)], how: How::Nearest })
    }))
}

/// Replaces patterns by the values that they match: every Jetson for `jetson-*`.
///
/// # Errors
///
/// When the lookup fails.
pub(super) fn expand<L: Lookup>(filter: &mut Filter, names: &L) -> Result<(), L::Error> {
    let mut sizes = Vec::new();
    for term in &mut filter.terms {
        match term {
            Term::Test(Test { key: Key::Facet(facet), is: Is::OneOf(values) }) => {
                if values.iter().any(|value| value.contains('*')) {
                    let found = match_patterns(*facet, values, names)?;
                    if !found.is_empty() {
                        *values = found;
                    } else if let Some(size) = values.iter().find_map(|value| size_in(value)) {
                        // No name contains the size, so it becomes a condition on the number of parameters: `deepseek r1 671b`.
                        let name = |value: &String| value.split("-*").next().unwrap_or_default().to_owned();
                        *values = values.iter().map(name).collect();
                        sizes.push(Term::of(Fact::Parameters, nominal_size_range(size)));
                    } else {
                        // None of the plain names exists, so the patterns remain.
                        values.retain(|value| value.contains('*'));
                    }
                }
            }
            Term::Test(_) => {}
            Term::Not(inner) => expand(inner, names)?,
            Term::Any(all) => all.iter_mut().try_for_each(|inner| expand(inner, names))?,
        }
    }
    filter.terms.extend(sizes);
    Ok(())
}

/// The size in a name pattern such as `llama-*70b`, in millions of parameters.
fn size_in(pattern: &str) -> Option<f64> {
    let (_, size) = pattern.split_once("-*")?;
    let factor = if size.ends_with('b') { 1000.0 } else { 1.0 };
    size.strip_suffix(['b', 'm'])?.parse::<f64>().ok().map(|size| size * factor)
}

/// The range of parameters for a nominal size: 70.6 billion count as 70b, but 8.03 billion not as 7b.
pub(super) fn nominal_size_range(millions: f64) -> Is {
    Is::Within(Bound::Included((millions * 0.9).round()), Bound::Included((millions * 1.12).round()))
}

/// The values of a facet that some patterns match, sorted.
pub(super) fn match_patterns<L: Lookup>(facet: Facet, patterns: &[String], names: &L) -> Result<Vec<String>, L::Error> {
    let all = names.all()?;
    // `!cpu` excludes it from what the other patterns match.
    let out: Vec<&str> = patterns.iter().filter_map(|pattern| pattern.strip_prefix('!')).collect();
    let is_meant = |value: &str| {
        patterns.iter().any(|pattern| is_like(pattern, value)) && !out.iter().any(|pattern| is_like(pattern, value))
    };
    let meant = all.iter().filter(|name| name.facet == facet && is_meant(&name.value));
    let found: BTreeSet<String> = meant.map(|name| name.value.clone()).collect();
    Ok(found.into_iter().collect())
}

/// Whether a word is English or in the lexicon, and therefore not a misspelt name.
fn is_known_word(word: &str) -> bool {
    let lower = word.to_lowercase();
    is_english(&lower) || !meanings(&normalise(&lower)).is_empty()
}

/// The words from `at` on that can belong to one name: none after a comma.
fn run_at<'t>(words: &[Word<'t>], at: usize) -> Vec<&'t str> {
    let mut run = Vec::new();
    for word in words[at..].iter().take(LONGEST_NAME) {
        run.push(word.text);
        if word.comma {
            break;
        }
    }
    run
}

fn read_family<L: Lookup>(run: &[&str], at: usize, names: &L) -> Result<Option<Reading>, L::Error> {
    let run = &run[..run.len().min(4)];
    // A suffix such as `lite` picks a member of a product line; no name begins with it.
    if suffix_of(&run[0].to_lowercase()).is_some() {
        return Ok(None);
    }
    // An unknown word is a family if it begins several names, or names with a size: `xlnet`, `rwkv`, not `facebook`.
    let is_sized = |value: &String| value.rsplit('-').next().is_some_and(|size| size.ends_with('b') && size.len() < 4);
    for is_strange in [true, false] {
        let readings = read_words(run, names, |word| Ok(!is_strange || is_known_word(word)))?;
        let family = readings.into_iter().find(|reading| reading.words.start == 0 && reading.how == MatchKind::Family);
        let family =
            family.filter(|family| !is_strange || family.values.len() > 1 || family.values.iter().all(is_sized));
        if let Some((facet, reading)) = family.and_then(|family| Some((family.facet?, family))) {
            let (words, values) = (at..at + reading.words.end, vec![(facet, reading.values)]);
            // `3d` begins the name of a task but does not name a task.
            let is_entity = FACETS.contains(&facet) && facet.entity_kind().is_some();
            return Ok(is_entity.then_some(Reading { words, values, how: How::Alias }));
        }
    }
    Ok(None)
}

fn read_pattern<L: Lookup>(pattern: &str, at: usize, names: &L) -> Result<Option<Reading>, L::Error> {
    let all = names.all()?;
    let meant = all.iter().filter(|name| FACETS.contains(&name.facet));
    let meant = meant.filter(|name| is_like(pattern, &name.value)).cloned();
    Ok(reading_of(meant.collect(), at..at + 1))
}

/// Whether a name's last word has a meaning of its own and does not change the name: `resnet50 int8`, `A100 PCIe`.
fn last_word_is_separate<L: Lookup>(found: &[Name], run: &[&str], names: &L) -> Result<bool, L::Error> {
    let Some((last, shorter)) = run.split_last() else { return Ok(false) };
    let normal = normalise(last);
    let is_own = |name: &Name| matches!(name.facet, Facet::Precision | Facet::Stage | Facet::Dataset);
    let says = meanings(&normal).iter().any(|(_, section, _)| matches!(section, Section::Value | Section::Kind))
        || names.exact(&normal)?.iter().any(is_own);
    let values = |names: &[Name]| names.iter().map(|name| name.value.clone()).collect::<BTreeSet<_>>();
    Ok(says && values(&look_up_words(shorter, names)?) == values(found))
}

/// Combines names into one reading: a value's own name wins over aliases of the same facet, the most likely facet first.
fn reading_of(found: Vec<Name>, words: Range<usize>) -> Option<Reading> {
    let mut values: Vec<(Facet, Vec<String>)> = Vec::new();
    let mut is_exact = false;
    for facet in FACETS {
        let of_facet = || found.iter().filter(move |name| name.facet == facet);
        let has_own = of_facet().any(|name| name.kind.is_own());
        let own = of_facet().filter(|name| !has_own || name.kind.is_own());
        let of: IndexSet<String> = own.map(|name| name.value.clone()).collect();
        if !of.is_empty() {
            // A facet with a value of exactly this name comes before facets with an alias.
            let place = if has_own && !is_exact { 0 } else { values.len() };
            is_exact |= has_own;
            values.insert(place, (facet, of.into_iter().collect()));
        }
    }
    let how = if is_exact { How::Exact } else { How::Alias };
    (!values.is_empty()).then_some(Reading { words, values, how })
}
