//! Reads words as names: the longest run of words that is a name wins; words that match no name are searched as text.

use std::collections::BTreeMap;

use super::beginning::{LEAST_BEGINNING, read_beginning, read_slip_of_beginning};
use super::english::is_english;
use super::fillers::FILLERS;
use super::named::named;
use super::slip::slip_of;
use super::word_reading::{MatchKind, WordReading};
use crate::model::{Facet, Lookup, Name, NameKind};
use crate::values::spelling::normalise;

/// A name has at most this many words.
const LONGEST_NAME: usize = 8;

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
}
