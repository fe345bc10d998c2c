//! Reads words as names: the longest run of words that is a name wins; words that match no name are searched as text.

use std::collections::{BTreeMap, BTreeSet};
use std::ops::Range;

use strum::{Display, IntoStaticStr};

use super::english::is_english;
use super::slip::{slip_of, slip_of_beginning};
use crate::model::{Facet, Lookup, Name, NameKind};
use crate::values::spelling::normalise;

/// A name has at most this many words.
const LONGEST_NAME: usize = 8;

/// Words that carry no meaning of their own in a question.
const FILLERS: &[&str] = &[
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

/// Words with which names begin and that say nothing alone: `core` is not every Intel Core.
const COMMON: &[&str] = &["core", "cores"];

/// So many letters directly behind a number tell sizes of a network apart, as in `yolov5s` and `stm32h747`; more are a word.
const LONGEST_SIZE: usize = 2;

/// A shorter prefix matches too many names.
const LEAST_BEGINNING: usize = 4;

/// How words matched.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Display, IntoStaticStr)]
#[strum(serialize_all = "kebab-case")]
pub enum MatchKind {
    /// The value's own id or name.
    Exact,
    /// Another spelling of it.
    Alias,
    /// The beginning of several names.
    Family,
    /// The nearest name, because none fitted.
    Fuzzy,
    /// As text.
    Text,
}

/// One way in which a run of words was read.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct WordReading {
    /// The words, by their position.
    pub words: Range<usize>,
    /// What they are about; `None` is text.
    pub facet: Option<Facet>,
    /// The facet's values that they name.
    pub values: Vec<String>,
    /// How they led there.
    pub how: MatchKind,
    /// The name that a fuzzy match chose.
    pub taken_for: Option<String>,
}

/// Reads each word, alone or with its neighbours. Several readings of the same words stand side by side.
///
/// `has_text` tells whether a word occurs in the searchable text; only a word that neither is a name nor occurs anywhere
/// is taken for the nearest name.
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
            let found = by_facet(named(&words[run.clone()], names)?);
            if found.is_empty() {
                continue;
            }
            // `wide resnet 101` says more than `wide resnet`.
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

/// Series whose name people leave out in front of a number: `2080 super max-q`.
const SERIES: &[&str] = &["rtx", "gtx", "rx"];

/// Words for a form of devices that people put in front of the number.
const FORMS: &[&str] = &["laptop", "notebook"];

/// Whether a word for a form of devices stands in front of a number of four figures: `laptop 3070`.
pub fn is_form_with_number(form: &str, number: &str) -> bool {
    let number = number.trim_end_matches(['?', ',', '.', '!']);
    let is_number = number.len() == 4 && number.bytes().all(|byte| byte.is_ascii_digit());
    is_number && FORMS.contains(&form.to_lowercase().as_str())
}

/// The names that words are, all of them together: as they stand, with the series that is left out, in the other order
/// (`orin agx`), or as a plural (`TPUs`).
///
/// # Errors
///
/// When the lookup fails.
pub fn named<L: Lookup>(words: &[&str], names: &L) -> Result<Vec<Name>, L::Error> {
    let joined = words.concat();
    if joined.len() > 100 {
        return Ok(Vec::new());
    }
    let normal = normalise(&joined);
    let exact = names.exact(&normal)?;
    if !exact.is_empty() || normal.is_empty() {
        return Ok(exact);
    }
    let of_devices = |mut found: Vec<Name>| {
        found.retain(|name| name.facet == Facet::Device);
        found
    };
    let is_number = normal.len() == 4 && normal.bytes().all(|byte| byte.is_ascii_digit());
    if (words.len() > 1 || is_number) && normal.starts_with(|c: char| c.is_ascii_digit()) {
        for series in SERIES {
            let found = of_devices(names.exact(&format!("{series}{normal}"))?);
            if !found.is_empty() {
                return Ok(found);
            }
        }
    }
    // `laptop 3070`
    if let [form, number] = words
        && is_form_with_number(form, number)
    {
        return Ok(of_devices(named(&[*number, *form], names)?));
    }
    if let [first, second] = words {
        let turned = || names.exact(&normalise(&[*second, *first].concat()));
        let found = match first.chars().chain(second.chars()).all(char::is_alphabetic) {
            true => of_devices(turned()?),
            false => of_networks(first, second, turned)?,
        };
        if !found.is_empty() {
            return Ok(found);
        }
    }
    // `V100S` is another product than several `V100s`.
    let last = words.last().copied().unwrap_or_default().trim_end_matches(|c: char| !c.is_alphanumeric());
    let is_plural = last.ends_with('s') && normal.len() > 2 && !is_english(&last.to_lowercase());
    match normal.strip_suffix('s').filter(|_| is_plural) {
        Some(singular) => Ok(of_things(names.exact(singular)?)),
        None => Ok(Vec::new()),
    }
}

/// The networks that are called by the second word and then the first: `u-net 3d`, `v2 mobilenet`. Numbers alone count things.
fn of_networks<E>(first: &str, second: &str, turned: impl Fn() -> Result<Vec<Name>, E>) -> Result<Vec<Name>, E> {
    let says_which = |word: &str| {
        let digits = word.chars().filter(char::is_ascii_digit).count();
        (1..=2).contains(&digits) && word.chars().any(char::is_alphabetic) && word.len() < 4
    };
    let is_name = |word: &str| word.len() > 2 && word.chars().all(|c| c.is_alphabetic() || c == '-');
    let one_of_each = says_which(second) && is_name(first) || says_which(first) && is_name(second);
    if !one_of_each {
        return Ok(Vec::new());
    }
    let mut found = turned()?;
    found.retain(|name| name.facet == Facet::Network);
    Ok(found)
}

/// Names of what there can be several of.
fn of_things(mut found: Vec<Name>) -> Vec<Name> {
    let facets = [Facet::Device, Facet::Class, Facet::Network, Facet::Framework, Facet::Dataset];
    found.retain(|name| facets.contains(&name.facet));
    found
}

/// Words that several names begin with: `raspberry pi` is every Raspberry Pi, `yolov5` every size of it.
///
/// A network must be told from a common word: by a second word, a digit, or because the word occurs in no text.
fn read_beginning<L: Lookup>(
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
        if normal.chars().count() < LEAST_BEGINNING || common {
            continue;
        }
        let mut found = names.beginning(&normal)?;
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
        // `onnx` is ONNX Runtime, where no other framework is called so.
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

/// The architectures among names that begin with words and go on with a part of their own: each RDNA, each Versal.
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

/// Whether a name goes on behind a number in a way that makes another product of it: the RTX 3060 Ti is no RTX 3060.
fn is_other_product(name: &str, beginning: &str) -> bool {
    let whole = name.strip_prefix(beginning);
    // The iPhone 15 Pro Max is no iPhone 15 Pro.
    if whole.is_some_and(|rest| LARGER_PRODUCTS.contains(&rest)) && beginning.contains(|c: char| c.is_ascii_digit()) {
        return true;
    }
    let rest = whole.filter(|_| beginning.ends_with(|c: char| c.is_ascii_digit()));
    // The Xeon 8380H is no Xeon 8380.
    let is_suffix = |rest: &str| (1..=2).contains(&rest.len()) && rest.bytes().all(|byte| byte.is_ascii_lowercase());
    rest.is_some_and(|rest| is_suffix(rest) || OTHER_PRODUCTS.iter().any(|suffix| rest.starts_with(suffix)))
}

/// Whether words with a number are the beginning of devices' names and no name themselves: nothing is called RTX 3060, although
/// the text of the RTX 3060 Ti has the words.
///
/// # Errors
///
/// When the lookup fails.
pub fn begins_product<L: Lookup>(text: &str, names: &L) -> Result<bool, L::Error> {
    let normal = normalise(text);
    if !text.contains(' ') || !normal.contains(|c: char| c.is_ascii_digit()) || !names.exact(&normal)?.is_empty() {
        return Ok(false);
    }
    // An iPhone 15 Pro is no Pro Max.
    let is_number = normal.ends_with(|c: char| c.is_ascii_digit());
    let is_other = |name: &Name| is_number || is_other_product(&name.normal, &normal);
    Ok(names.beginning(&normal)?.iter().any(|name| name.facet == Facet::Device && is_other(name)))
}

/// Words that end the name of a larger or smaller product than the one in front of them.
const LARGER_PRODUCTS: &[&str] = &["max", "plus", "ultra", "mini", "lite", "pro"];

/// Suffixes of the names of products that make others of them.
const OTHER_PRODUCTS: &[&str] = &["ti", "super", "xt"];

/// Whether an id begins with a normalised spelling and goes on with a part of its own: `raspberry-pi` and `-5`,
/// `yolov5` and `s`, but not `mobile` and `net`, nor `gpt4` and `all`.
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

/// Whether a word is long enough to hold a slip and no English word.
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
    // `stable difusion`: the next word is none, and makes a name of both.
    let next_is_none = match words.get(at + 1) {
        Some(next) => is_long_and_foreign(next) && named(&[*next], names)?.is_empty() && !has_text(next)?,
        None => false,
    };
    let least = if normal.chars().count() < 4 || has_text(word)? { 2 } else { 1 };
    // Three letters are near to too many names.
    if least > 1 && !next_is_none {
        return Ok(Some(text));
    }
    // `efficentnet b0` is one slip, not a slip and a text.
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

/// What is called as a slip of its beginning says: every Stable Diffusion for `stable difusion`.
fn read_slip_of_beginning<L: Lookup>(run: &[&str], at: usize, names: &L) -> Result<Option<WordReading>, L::Error> {
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

/// The values of each facet that some names lead to. A value's own name beats other spellings within a facet.
fn by_facet(names: Vec<Name>) -> BTreeMap<Facet, (Vec<String>, MatchKind)> {
    let mut facets: BTreeMap<Facet, (Vec<String>, MatchKind)> = BTreeMap::new();
    for own in [true, false] {
        for name in names.iter().filter(|name| (name.kind == NameKind::Exact) == own) {
            let how = if own { MatchKind::Exact } else { MatchKind::Alias };
            let (values, best) = facets.entry(name.facet).or_insert_with(|| (Vec::new(), how));
            if *best == how && !values.contains(&name.value) {
                values.push(name.value.clone());
            }
        }
    }
    facets
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::convert::Infallible;

    struct Few(Vec<Name>);

    impl Lookup for Few {
        type Error = Infallible;
        fn exact(&self, normal: &str) -> Result<Vec<Name>, Infallible> {
            Ok(self.0.iter().filter(|name| name.normal == normal).cloned().collect())
        }
        fn all(&self) -> Result<Vec<Name>, Infallible> {
            Ok(self.0.clone())
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
        let readings = read(&["tesla"]);
        assert_eq!(readings[0].2, MatchKind::Text, "no name of the few begins with it");
    }

    #[test]
    fn a_word_that_occurs_in_text_is_no_slip() {
        let readings = read_words(&["resnt152"], &few(), |_| Ok(true)).unwrap();
        assert_eq!(readings[0].how, MatchKind::Text);
    }
}
