//! Reads words as names: the longest run of words that is a name or a common prefix of names; other words are searched as text.

use std::collections::{BTreeMap, BTreeSet};
use std::ops::Range;

use strum::{Display, IntoStaticStr};

use super::names::look_up_words;
use super::product_name::{is_other_product, is_product_line};
use super::slip::{is_english, slip_of, slip_of_beginning};
use crate::model::{Facet, Lookup, Name};
use crate::values::text::normalise;

/// Maximum number of words in a name.
const LONGEST_NAME: usize = 8;

/// Reads each word, alone or with the words after it. The same words can have several readings, which are all returned.
///
/// `has_text` tells whether a word occurs in the searchable text; only a word that is not a name and does not occur there
/// is replaced by the nearest name.
pub fn read_words<L: Lookup>(
    words: &[&str],
    names: &L,
    has_text: impl Fn(&str) -> Result<bool, L::Error>,
) -> Result<Vec<WordReading>, L::Error> {
    let mut readings = Vec::new();
    let mut at = 0;
    'words: while at < words.len() {
        let longest = LONGEST_NAME.min(words.len() - at);
        for length in (1..=longest).rev() {
            let run = at..at + length;
            let found = by_facet(look_up_words(&words[run.clone()], names)?);
            if found.is_empty() {
                continue;
            }
            // `wide resnet 101` is more specific than `wide resnet`.
            let goes_on = words.get(at + length).is_some_and(|next| next.starts_with(|c: char| c.is_ascii_digit()));
            if goes_on && let Some(reading) = read_beginning(words, at, length + 1, names, &has_text)? {
                at = reading.words.end;
                readings.push(reading);
                continue 'words;
            }
            for (facet, (values, how)) in found {
                readings.push(WordReading { words: run.clone(), facet: Some(facet), values, how, taken_for: None });
            }
            at += length;
            continue 'words;
        }
        if let Some(reading) = read_beginning(words, at, 1, names, &has_text)? {
            at = reading.words.end;
            readings.push(reading);
            continue;
        }
        if let Some(reading) = read_unnamed(words, at, names, &has_text)? {
            at = reading.words.end;
            readings.push(reading);
        } else {
            at += 1;
        }
    }
    Ok(readings)
}

/// Whether a word is long enough to contain a misspelling, and not English.
fn is_long_and_foreign(word: &str) -> bool {
    let letters = word.chars().filter(|c| c.is_alphabetic()).count();
    letters > LEAST_BEGINNING && !is_english(&word.to_lowercase())
}

fn read_unnamed<L: Lookup>(
    words: &[&str],
    at: usize,
    names: &L,
    has_text: impl Fn(&str) -> Result<bool, L::Error>,
) -> Result<Option<WordReading>, L::Error> {
    let word = words[at];
    let normal = normalise(word);
    if normal.is_empty() || FILLERS.contains(&normal.as_str()) {
        return Ok(None);
    }
    let text = WordReading {
        words: at..at + 1,
        facet: None,
        values: vec![word.to_owned()],
        how: MatchKind::Text,
        taken_for: None,
    };
    // `stable difusion`: the next word alone is not a name, but makes one together with this word.
    let next_is_none = match words.get(at + 1) {
        Some(next) => is_long_and_foreign(next) && look_up_words(&[*next], names)?.is_empty() && !has_text(next)?,
        None => false,
    };
    let least = if normal.chars().count() < 4 || has_text(word)? { 2 } else { 1 };
    // Words of three letters are near too many names.
    if least > 1 && !next_is_none {
        return Ok(Some(text));
    }
    // `efficentnet b0` is one misspelling, not a misspelling and a text.
    for length in (least..=3.min(words.len() - at)).rev() {
        let run = &words[at..at + length];
        let Some(near) = slip_of(run, names)? else {
            if let Some(reading) = read_slip_of_beginning(run, at, names)? {
                return Ok(Some(reading));
            }
            continue;
        };
        let (facet, (values, _)) = by_facet(names.exact(&near.normal)?)
            .into_iter()
            .next()
            .unwrap_or((near.facet, (vec![near.value], MatchKind::Fuzzy)));
        return Ok(Some(WordReading {
            words: at..at + length,
            facet: Some(facet),
            taken_for: values.first().cloned(),
            values,
            how: MatchKind::Fuzzy,
        }));
    }
    Ok(Some(text))
}

/// The values of each facet that these names stand for. Within a facet, a value's own name takes precedence over aliases.
fn by_facet(names: Vec<Name>) -> BTreeMap<Facet, (Vec<String>, MatchKind)> {
    let mut facets: BTreeMap<Facet, (Vec<String>, MatchKind)> = BTreeMap::new();
    for own in [true, false] {
        for name in names.iter().filter(|name| name.kind.is_own() == own) {
            let how = if own { MatchKind::Exact } else { MatchKind::Alias };
            let (values, best) = facets.entry(name.facet).or_insert_with(|| (Vec::new(), how));
            if *best == how && !values.contains(&name.value) {
                values.push(name.value.clone());
            }
        }
    }
    facets
}

/// How words matched a name.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Display, IntoStaticStr)]
#[strum(serialize_all = "kebab-case")]
pub enum MatchKind {
    /// The value's own id or name.
    Exact,
    /// An alias of the value.
    Alias,
    /// A prefix of several names.
    Family,
    /// The nearest name, because none matched.
    Fuzzy,
    /// No name; searched as text.
    Text,
}

/// One reading of a run of words.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct WordReading {
    /// The range of the words.
    pub words: Range<usize>,
    /// The facet of the values; `None` for text.
    pub facet: Option<Facet>,
    /// The values of the facet that match.
    pub values: Vec<String>,
    /// How the words matched.
    pub how: MatchKind,
    /// The name that a fuzzy match chose.
    pub taken_for: Option<String>,
}

/// Up to this many letters directly after a number are the size of a network, as in `yolov5s` or `stm32h747`; more are a word.
const LONGEST_SIZE: usize = 2;

/// Minimum length of a prefix; shorter ones match too many names.
pub(super) const LEAST_BEGINNING: usize = 4;

/// Reads words as a prefix of several names: `raspberry pi` is every Raspberry Pi, `yolov5` every size of it.
///
/// A network's prefix must not be a common word: it needs a second word, a digit, or a word that occurs in no text.
pub(super) fn read_beginning<L: Lookup>(
    words: &[&str],
    at: usize,
    least: usize,
    names: &L,
    has_text: impl Fn(&str) -> Result<bool, L::Error>,
) -> Result<Option<WordReading>, L::Error> {
    const MOST_WORDS: usize = 4;
    for length in (least..=MOST_WORDS.min(words.len() - at)).rev() {
        let run = &words[at..at + length];
        let normal = normalise(&run.concat());
        let common = FILLERS.contains(&normal.as_str()) || COMMON.contains(&normal.as_str());
        let is_short = normal.chars().count() < LEAST_BEGINNING;
        let is_line = is_short && length == 1 && is_product_line(&normal);
        if common || is_short && !is_short_product(&normal) && !is_line {
            continue;
        }
        let mut found = names.beginning(&normal)?;
        if is_line {
            // `arc` means every Arc. `rtx` is skipped, because ids of such devices have another word before it.
            let is_other = |name: &Name| name.facet == Facet::Device && !continues(&name.value, &normal);
            if found.iter().any(is_other) {
                continue;
            }
            found.retain(|name| name.facet == Facet::Device);
        } else if is_short {
            found.retain(|name| name.facet == Facet::Device && goes_on_with_memory(&name.value, &normal));
        }
        let series = architectures(&found, &run.join(" "));
        found.retain(|name| continues(&name.value, &normal) || continues(&name.normal, &normal));
        let telling = length > 1 || normal.contains(|c: char| c.is_ascii_digit());
        let telling_dataset = length > 1 || !is_english(&normal);
        let kinds =
            [(Facet::Device, true), (Facet::Network, telling || !has_text(run[0])?), (Facet::Dataset, telling_dataset)];
        for (facet, telling) in kinds {
            let mut values: Vec<String> = Vec::new();
            let is_other = |name: &&Name| facet == Facet::Device && is_other_product(&name.normal, &normal);
            for name in found.iter().filter(|name| telling && name.facet == facet && !is_other(name)) {
                if !values.contains(&name.value) {
                    values.push(name.value.clone());
                }
            }
            if !values.is_empty() {
                let words = at..at + length;
                return Ok(Some(WordReading {
                    words,
                    facet: Some(facet),
                    values,
                    how: MatchKind::Family,
                    taken_for: None,
                }));
            }
        }
        // `onnx` is ONNX Runtime, if it is a prefix of only one framework.
        let of_framework: BTreeSet<&String> =
            found.iter().filter(|name| name.facet == Facet::Framework).map(|name| &name.value).collect();
        if let (Some(only), 1, true) = (of_framework.first(), of_framework.len(), telling_dataset) {
            let (facet, values) = (Some(Facet::Framework), vec![(*only).clone()]);
            let words = at..at + length;
            return Ok(Some(WordReading { words, facet, values, how: MatchKind::Family, taken_for: None }));
        }
        if !series.is_empty() {
            return Ok(Some(WordReading {
                words: at..at + length,
                facet: Some(Facet::Architecture),
                values: series,
                how: MatchKind::Family,
                taken_for: None,
            }));
        }
    }
    Ok(None)
}

/// Whether a few letters and digits may be a product's whole name: the H20, which the catalog has with 96 GB.
fn is_short_product(normal: &str) -> bool {
    let digits = normal.trim_start_matches(|c: char| c.is_ascii_alphabetic());
    digits.len() < normal.len() && digits.len() > 1 && digits.bytes().all(|byte| byte.is_ascii_digit())
}

/// Whether an id is a name followed by nothing but a memory size.
fn goes_on_with_memory(id: &str, normal: &str) -> bool {
    let memory =
        id.strip_prefix(normal).and_then(|rest| rest.strip_prefix('-')).and_then(|rest| rest.strip_suffix("gb"));
    memory.is_some_and(|gib| !gib.is_empty() && gib.bytes().all(|byte| byte.is_ascii_digit()))
}

/// The architectures whose names start with these words, followed by another word: every RDNA, every Versal.
fn architectures(names: &[Name], words: &str) -> Vec<String> {
    let goes_on = |value: &str| {
        let is_begun = value.get(..words.len()).is_some_and(|head| head.eq_ignore_ascii_case(words));
        is_begun && value[words.len()..].starts_with(' ')
    };
    let mut values: Vec<String> = Vec::new();
    for name in names.iter().filter(|name| name.facet == Facet::Architecture && goes_on(&name.value)) {
        if !values.contains(&name.value) {
            values.push(name.value.clone());
        }
    }
    values
}

/// Reads words as a misspelled prefix of names: every Stable Diffusion for `stable difusion`.
pub(super) fn read_slip_of_beginning<L: Lookup>(
    run: &[&str],
    at: usize,
    names: &L,
) -> Result<Option<WordReading>, L::Error> {
    let Some(beginning) = slip_of_beginning(run, names)? else { return Ok(None) };
    let normal = normalise(&beginning);
    let mut values: Vec<String> = Vec::new();
    let mut facet = None;
    for name in names.beginning(&normal)?.into_iter().filter(|name| continues(&name.value, &normal)) {
        if *facet.get_or_insert(name.facet) == name.facet && !values.contains(&name.value) {
            values.push(name.value);
        }
    }
    let words = at..at + run.len();
    let taken_for = Some(beginning);
    Ok(facet.map(|facet| WordReading { words, facet: Some(facet), values, how: MatchKind::Fuzzy, taken_for }))
}

/// Whether an id continues a normalised prefix with a part of its own: `raspberry-pi` with `-5`, `yolov5` with `s`;
/// but not `mobile` with `net`, nor `gpt4` with `all`.
fn continues(id: &str, normal: &str) -> bool {
    let mut wanted = normal.chars();
    let mut last = None;
    let mut rest = id.chars();
    loop {
        let before = rest.clone();
        match rest.next() {
            Some('-' | '.') => {}
            Some(c) => match wanted.next() {
                Some(w) if w == c => last = Some(c),
                Some(_) => return false,
                None => {
                    let part = id.len() - before.as_str().len();
                    let own = id[..part].ends_with(['-', '.']);
                    let letters = id[part..].chars().take_while(|c| c.is_alphabetic()).count();
                    let is_size = (1..=LONGEST_SIZE).contains(&letters);
                    return own || last.is_some_and(|last| last.is_ascii_digit()) && is_size;
                }
            },
            None => return false,
        }
    }
}

/// Words without a meaning of their own in a question.
pub(super) const FILLERS: &[&str] = &[
    "a",
    "an",
    "and",
    "are",
    "at",
    "backend",
    "benchmark",
    "benchmarks",
    "between",
    "by",
    "can",
    "compare",
    "compared",
    "comparison",
    "do",
    "does",
    "for",
    "from",
    "get",
    "give",
    "has",
    "have",
    "how",
    "i",
    "in",
    "is",
    "it",
    "licence",
    "licensed",
    "license",
    "many",
    "me",
    "much",
    "my",
    "number",
    "numbers",
    "of",
    "on",
    "or",
    "performance",
    "result",
    "results",
    "running",
    "runs",
    "show",
    "speed",
    "support",
    "supports",
    "than",
    "that",
    "the",
    "there",
    "to",
    "use",
    "uses",
    "using",
    "versus",
    "vs",
    "what",
    "which",
    "with",
];

/// Words that begin names but are too common alone: `core` does not mean every Intel Core.
pub(super) const COMMON: &[&str] = &["core", "cores"];

#[cfg(test)]
mod tests {
    use std::convert::Infallible;

    use super::*;
    use crate::model::NameKind;

    struct Few(Vec<Name>);

    impl Lookup for Few {
        type Error = Infallible;
        fn exact(&self, normal: &str) -> Result<Vec<Name>, Infallible> {
            Ok(self.0.iter().filter(|name| name.normal == normal).cloned().collect())
        }
        fn all(&self) -> Result<std::sync::Arc<[Name]>, Infallible> {
            Ok(self.0.clone().into())
        }
    }

    fn few() -> Few {
        let name = |normal: &str, facet, value: &str, kind| Name {
            normal: normal.to_owned(),
            facet,
            value: value.to_owned(),
            kind,
        };
        Few(vec![
            name("v100", Facet::Device, "tesla-v100", NameKind::Alias),
            name("v100sxm2", Facet::Device, "tesla-v100-sxm2-16gb", NameKind::Alias),
            name("resnet152", Facet::Network, "resnet-152", NameKind::Exact),
            name("resnet", Facet::Network, "resnet", NameKind::Exact),
        ])
    }

    fn read(words: &[&str]) -> Vec<(Option<Facet>, String, MatchKind)> {
        read_words(words, &few(), |_| Ok(false))
            .unwrap()
            .into_iter()
            .map(|reading| (reading.facet, reading.values.join(","), reading.how))
            .collect()
    }

    #[test]
    fn the_longest_run_of_words_that_is_a_name_wins() {
        let device = Some(Facet::Device);
        assert_eq!(read(&["V100", "SXM2"]), [(device, "tesla-v100-sxm2-16gb".into(), MatchKind::Alias)]);
        assert_eq!(read(&["V100", "on", "resnet", "152"])[1].1, "resnet-152");
    }

    #[test]
    fn a_slip_is_taken_for_the_nearest_name_with_the_same_digits() {
        assert_eq!(read(&["resnt152"]), [(Some(Facet::Network), "resnet-152".into(), MatchKind::Fuzzy)]);
        assert_eq!(read(&["resnet15"])[0].2, MatchKind::Text);
        assert_eq!(read(&["v10"])[0].2, MatchKind::Text);
    }

    #[test]
    fn a_word_with_which_no_name_begins_is_text() {
        assert_eq!(read(&["tesla"])[0].2, MatchKind::Text);
    }

    #[test]
    fn a_word_that_occurs_in_text_is_no_slip() {
        let readings = read_words(&["resnt152"], &few(), |_| Ok(true)).unwrap();
        assert_eq!(readings[0].how, MatchKind::Text);
    }

    #[test]
    fn a_short_name_goes_on_with_a_memory_alone() {
        for (id, normal, expected) in [
            ("h20-96gb", "h20", true),
            ("h200-sxm-141gb", "h20", false),
            ("h20-sxm", "h20", false),
            ("a10-24gb", "a1", false),
        ] {
            assert_eq!(is_short_product(normal) && goes_on_with_memory(id, normal), expected, "{id} {normal}");
        }
    }

    #[test]
    fn a_beginning_stands_for_every_name_that_goes_on_with_a_part_of_its_own() {
        for (id, normal, expected) in [
            ("raspberry-pi-5", "raspberrypi", true),
            ("yolov5s", "yolov5", true),
            ("mobilenet-v2", "mobile", false),
            ("resnet-152", "resnet15", false),
            ("resnet-152", "resnet152", false),
            ("tesla-v100", "v100", false),
        ] {
            assert_eq!(continues(id, normal), expected, "{id} {normal}");
        }
    }
}
