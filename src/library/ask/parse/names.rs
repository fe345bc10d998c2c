//! Names of the catalog over the words of a question: the longest, its plural, its family, the nearest.

use super::lexicon::{Section, meanings};
use super::question::{Is, Key, Test};
use super::span::How;
use super::spans::{Means, Piece, Word};
use crate::model::{Facet, Lookup, Name, NameKind};
use crate::stores::resolve::{MatchKind, is_english, named, read_words};
use crate::values::spelling::normalise;

/// A name has at most this many words.
const LONGEST_NAME: usize = 6;

/// What a name may be of, the likeliest first; what the lexicon has words for is not here.
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

/// Words as a name of values of facets.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Reading {
    words: std::ops::Range<usize>,
    values: Vec<(Facet, Vec<String>)>,
    how: How,
}

impl Reading {
    /// How many words it has.
    pub fn len(&self) -> usize {
        self.words.len()
    }

    /// Whether it is a name of a value of this facet.
    pub fn has(&self, facet: Facet) -> bool {
        self.values.iter().any(|(of, _)| *of == facet)
    }

    /// The test that it is, of its likeliest facet.
    pub fn piece(self) -> Piece {
        let (facet, values) = self.values.into_iter().next().unwrap_or((Facet::Device, Vec::new()));
        let means = Means::Test(Test { key: Key::Facet(facet), is: Is::OneOf(values) });
        Piece { words: self.words, means, how: self.how, rule: "" }
    }
}

/// The longest name that begins at a word and has more words than `least`, or as many.
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
        return of_pattern(run[0], at, names);
    }
    // Signs alone are no name, and no name ends with one.
    if normalise(run[0]).is_empty() {
        return Ok(None);
    }
    for length in (least.max(1)..=run.len()).rev() {
        if normalise(run[length - 1]).is_empty() {
            continue;
        }
        let mut found = named(&run[..length], names)?;
        found.retain(|name| FACETS.contains(&name.facet));
        // A word of the language alone is a name only where it is the value's own.
        if length == 1 && is_english(&run[0].to_lowercase()) && run[0].chars().all(char::is_lowercase) {
            found.retain(|name| {
                name.facet != Facet::Source && name.facet != Facet::Language && name.facet != Facet::Hardware
            });
        }
        if found.is_empty() {
            continue;
        }
        // `wide resnet 101` says more than `wide resnet`.
        let goes_on = run.get(length).is_some_and(|next| next.starts_with(|c: char| c.is_ascii_digit()));
        if goes_on && let Some(family) = read_family(&run, at, names)?.filter(|family| family.len() > length) {
            return Ok(Some(family));
        }
        return Ok(reading_of(found, at..at + length));
    }
    let is_phrase = !meanings(&normalise(run[0])).is_empty();
    match least {
        // Several names may begin with the words: `raspberry pi`, `yolov5`.
        0 if !is_phrase || run.len() > 1 && !is_english(&run[0].to_lowercase()) => read_family(&run, at, names),
        _ => Ok(None),
    }
}

/// The nearest name to a word that is no English word and no phrase.
///
/// # Errors
///
/// When the lookup fails.
pub(super) fn nearest_name<L: Lookup>(words: &[Word<'_>], at: usize, names: &L) -> Result<Option<Reading>, L::Error> {
    let run = run_at(words, at);
    let near = read_words(&run[..run.len().min(3)], names, |word| Ok(is_known_word(word)))?;
    let reading = near.into_iter().find(|reading| reading.words.start == 0 && reading.how == MatchKind::Fuzzy);
    Ok(reading.and_then(|reading| {
        let facet = reading.facet.filter(|facet| FACETS.contains(facet))?;
        let words = at..at + reading.words.end;
        Some(Reading { words, values: vec![(facet, reading.values)], how: How::Nearest })
    }))
}

/// The values that patterns stand for: `jetson*`, without those of `!*orin*`.
///
/// # Errors
///
/// When the lookup fails.
pub(super) fn expand<L: Lookup>(test: &mut Test, names: &L) -> Result<(), L::Error> {
    let (Key::Facet(facet), Is::OneOf(values)) = (&test.key, &mut test.is) else { return Ok(()) };
    if !values.iter().any(|value| value.contains('*')) {
        return Ok(());
    }
    let (without, with): (Vec<&str>, Vec<&str>) =
        values.iter().map(String::as_str).partition(|value| value.starts_with('!'));
    let mut found = Vec::new();
    for name in names.all()?.into_iter().filter(|name| name.facet == *facet && name.kind == NameKind::Exact) {
        let is_with = with.iter().any(|pattern| matches(pattern, &name.value));
        let is_without = without.iter().any(|pattern| matches(&pattern[1..], &name.value));
        if is_with && !is_without && !found.contains(&name.value) {
            found.push(name.value);
        }
    }
    if !found.is_empty() {
        found.sort();
        *values = found;
    }
    Ok(())
}

/// Whether a text is as a pattern with `*` for any run of characters says.
pub(super) fn matches(pattern: &str, text: &str) -> bool {
    let (pattern, text) = (pattern.to_lowercase(), text.to_lowercase());
    let mut parts = pattern.split('*');
    let Some(mut rest) = parts.next().and_then(|first| text.strip_prefix(first)) else { return false };
    let parts: Vec<&str> = parts.collect();
    for (place, part) in parts.iter().enumerate() {
        let is_last = place + 1 == parts.len();
        match rest.find(part) {
            _ if is_last => return rest.ends_with(part),
            Some(at) => rest = &rest[at + part.len()..],
            None => return false,
        }
    }
    rest.is_empty()
}

/// Whether a word is one of the language or of the lexicon, and no slip of a name.
fn is_known_word(word: &str) -> bool {
    let lower = word.to_lowercase();
    is_english(&lower) || !meanings(&normalise(&lower)).is_empty()
}

/// The words from one on that a name could have: none behind a comma.
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
    let readings = read_words(&run[..run.len().min(4)], names, |_| Ok(true))?;
    let family = readings.into_iter().find(|reading| reading.words.start == 0 && reading.how == MatchKind::Family);
    // A beginning that goes on with words of the lexicon alone has no number of its own.
    Ok(family.and_then(|reading| {
        let facet = reading.facet.filter(|facet| FACETS.contains(facet))?;
        Some(Reading { words: at..at + reading.words.end, values: vec![(facet, reading.values)], how: How::Alias })
    }))
}

fn of_pattern<L: Lookup>(pattern: &str, at: usize, names: &L) -> Result<Option<Reading>, L::Error> {
    let mut all = names.all()?;
    all.retain(|name| name.kind == NameKind::Exact && FACETS.contains(&name.facet) && matches(pattern, &name.value));
    Ok(reading_of(all, at..at + 1))
}

/// Names as one reading: a value's own name before other spellings of the same facet, the likeliest facet first.
fn reading_of(found: Vec<Name>, words: std::ops::Range<usize>) -> Option<Reading> {
    let mut values: Vec<(Facet, Vec<String>)> = Vec::new();
    let mut is_exact = false;
    for facet in FACETS {
        let of_facet = || found.iter().filter(move |name| name.facet == facet);
        let has_own = of_facet().any(|name| name.kind == NameKind::Exact);
        let mut of: Vec<String> = Vec::new();
        for name in of_facet().filter(|name| !has_own || name.kind == NameKind::Exact) {
            if !of.contains(&name.value) {
                of.push(name.value.clone());
            }
        }
        if !of.is_empty() {
            is_exact |= values.is_empty() && has_own;
            values.push((facet, of));
        }
    }
    let how = if is_exact { How::Exact } else { How::Alias };
    (!values.is_empty()).then_some(Reading { words, values, how })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_pattern_takes_any_run_of_characters() {
        for (pattern, text, expected) in [
            ("jetson*", "jetson-nano", true),
            ("jetson*", "my-jetson", false),
            ("*laptop*", "rtx-3080-laptop", true),
            ("llama-*70b", "llama-2-70b", true),
            ("llama-*70b", "llama-2-70b-lora", false),
            ("HBM*", "hbm2", true),
            ("v100", "v100", true),
            ("v100", "v1000", false),
        ] {
            assert_eq!(matches(pattern, text), expected, "{pattern} {text}");
        }
    }
}
