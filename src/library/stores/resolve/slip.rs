//! Misspellings of names, such as `resnt152` for ResNet-152, and the nearest names. Common English words are not misspellings.

use std::cmp::Ordering;

use crate::model::{Facet, Lookup, Name};
use crate::values::text::nearest;
use crate::values::text::normalise;

/// Minimum length of a run of letters in which a misspelling is recognised: shorter runs distinguish products.
const LEAST_LETTERS: usize = 5;

/// Minimum number of letters to allow for two errors: in a shorter word they could make another word.
const LETTERS_OF_TWO_SLIPS: usize = 10;

/// The name that these words, joined, misspell; `None` if they may be a name of their own.
///
/// # Errors
///
/// When the lookup fails.
pub fn slip_of<L: Lookup>(words: &[&str], names: &L) -> Result<Option<Name>, L::Error> {
    let Some(slip) = PossibleSlip::of(words) else { return Ok(None) };
    let near = nearest_names(&slip.wanted, names, 3)?;
    Ok(near.into_iter().find(|name| slip.is_of(&name.normal) && !ends_otherwise(&slip.wanted, &name.normal)))
}

/// The leading parts of ids of devices, networks or data sets that these words misspell: `stable difusion` for `stable-diffusion`,
/// although no entity has just that name.
///
/// # Errors
///
/// When the lookup fails.
pub fn slip_of_beginning<L: Lookup>(words: &[&str], names: &L) -> Result<Option<String>, L::Error> {
    // A possessive is an owner, not a network: `on OpenAI's own hardware`.
    let is_owner = |word: &&str| word.ends_with("'s") || word.ends_with("\u{2019}s");
    if words.last().is_some_and(is_owner) {
        return Ok(None);
    }
    let Some(slip) = PossibleSlip::of(words) else { return Ok(None) };
    let facets = [Facet::Device, Facet::Network, Facet::Dataset];
    for name in names.all()?.iter().filter(|name| facets.contains(&name.facet)) {
        for (end, _) in name.value.match_indices('-') {
            let beginning = &name.value[..end];
            // `real` in Real-ESRGAN is an English word.
            if is_english(beginning) {
                continue;
            }
            if beginning.len().abs_diff(slip.wanted.len()) <= words.len() && slip.is_of(&normalise(beginning)) {
                return Ok(Some(beginning.to_owned()));
            }
        }
    }
    Ok(None)
}

/// Words that may contain a misspelling: long enough, and not English.
struct PossibleSlip {
    /// The words, joined and normalised.
    wanted: String,
    /// The English words among them, which count as correct.
    english: Vec<String>,
    /// Maximum edit distance.
    most: usize,
}

impl PossibleSlip {
    fn of(words: &[&str]) -> Option<Self> {
        let wanted = normalise(&words.concat());
        let longest = wanted.split(|c: char| !c.is_alphabetic()).map(|run| run.chars().count()).max().unwrap_or(0);
        let is_word = |run: &str| is_english(&run.to_lowercase());
        let runs =
            || words.iter().flat_map(|word| word.split(|c: char| !c.is_alphabetic())).filter(|run| !run.is_empty());
        let english: Vec<String> = runs().filter(|run| is_word(run)).map(str::to_lowercase).collect();
        // One of several words may be English; then the other one is misspelled, and must be long enough.
        let misspelt = runs().filter(|run| !is_word(run)).map(|run| run.chars().count()).max().unwrap_or(0);
        if longest < LEAST_LETTERS || !english.is_empty() && misspelt < LEAST_LETTERS {
            return None;
        }
        let most = if longest < LETTERS_OF_TWO_SLIPS || !english.is_empty() { 1 } else { 2 };
        Some(Self { wanted, english, most })
    }

    /// Whether the words misspell a normalised name.
    fn is_of(&self, name: &str) -> bool {
        strsim::damerau_levenshtein(&self.wanted, name) <= self.most
            && numbers(&self.wanted) == numbers(name)
            && self.english.iter().all(|word| name.contains(word.as_str()))
    }
}

/// The digits in a name with their adjacent letters, which distinguish products: `EfficientNet-X0` does not misspell `B0`.
fn numbers(name: &str) -> String {
    let chars: Vec<char> = name.chars().collect();
    let digit = |at: usize| chars.get(at).is_some_and(char::is_ascii_digit);
    let beside = |at: &usize| digit(*at) || digit(at + 1) || *at > 0 && digit(at - 1);
    (0..chars.len()).filter(beside).map(|at| chars[at]).collect()
}

/// Whether a word and a name differ in two or more letters at the end: `deepspeech` does not misspell `deepspeed`.
fn ends_otherwise(word: &str, name: &str) -> bool {
    let same = word.bytes().zip(name.bytes()).take_while(|(a, b)| a == b).count();
    let sorted = |text: &str| {
        let mut bytes: Vec<u8> = text.bytes().skip(same).collect();
        bytes.sort_unstable();
        bytes
    };
    // `tensorflwo`
    sorted(word) != sorted(name)
        && same + 2 <= word.len()
        && same < name.len()
        && word.bytes().next_back() != name.bytes().next_back()
        && same * 2 > word.len()
}

/// Words and their base forms, one per line, sorted, after the header of the file. Searched in place: for the few look-ups of one
/// question, building a table would take longer.
const WORDS: &str = include_str!("english-words.txt");

/// Endings whose forms the list omits, each with the text that they replace.
const ENDINGS: &[(&str, &str)] = &[
    ("s", ""),
    ("es", ""),
    ("d", ""),
    ("ed", ""),
    ("r", ""),
    ("er", ""),
    ("ers", ""),
    ("rs", ""),
    ("ing", ""),
    ("ly", ""),
    ("ally", ""),
    ("ing", "e"),
    ("ies", "y"),
    ("ied", "y"),
    ("ier", "y"),
];

/// Whether a lower-case word is English; false for words of fewer than four letters.
pub fn is_english(word: &str) -> bool {
    has(word, 3)
}

/// Removes up to `endings` endings: `workers` is `work`, `er` and `s`.
fn has(word: &str, endings: usize) -> bool {
    let without = |(ending, base): &(&str, &str)| {
        let stem = word.strip_suffix(ending)?;
        (stem.len() + base.len() >= 4).then(|| format!("{stem}{base}"))
    };
    is_listed(word) || endings > 0 && ENDINGS.iter().filter_map(without).any(|base| has(&base, endings - 1))
}

/// Whether a word is a line of the list, by binary search. The header's characters sort before all letters.
fn is_listed(word: &str) -> bool {
    let mut lines = WORDS;
    while !lines.is_empty() {
        let middle = lines.len() / 2;
        let start = lines[..middle].rfind('\n').map_or(0, |before| before + 1);
        let end = lines[start..].find('\n').map_or(lines.len(), |length| start + length);
        lines = match word.cmp(&lines[start..end]) {
            Ordering::Equal => return true,
            Ordering::Less => &lines[..start],
            Ordering::Greater => lines.get(end + 1..).unwrap_or_default(),
        };
    }
    false
}

/// Maximum length of a name in bytes.
const LONGEST_NAME: usize = 200;

/// The names nearest to a word, best first.
///
/// # Errors
///
/// When the lookup fails.
pub fn nearest_names<L: Lookup>(word: &str, names: &L, limit: usize) -> Result<Vec<Name>, L::Error> {
    let normal = normalise(word);
    if normal.len() > LONGEST_NAME {
        return Ok(Vec::new());
    }
    let all = names.all()?;
    for read in [digits_for_letters(&normal), normal.strip_suffix('m').map(laptop_of).unwrap_or_default()] {
        if let Some(meant) = all.iter().find(|name| read != normal && name.normal == read) {
            return Ok(vec![meant.clone()]);
        }
    }
    let candidates = all.iter().map(|name| name.normal.as_str()).filter(|name| digits(name).eq(digits(&normal)));
    let near = nearest(&normal, candidates, limit);
    let mut found: Vec<Name> =
        near.into_iter().filter_map(|near| all.iter().find(|name| name.normal == near).cloned()).collect();
    if found.is_empty() {
        found = of_line(&normal, &all, limit);
    }
    Ok(found)
}

/// Replaces letters next to a digit by the digits 0 and 1 that they resemble: `resnet50` for `resnet5o`.
fn digits_for_letters(normal: &str) -> String {
    let mut chars: Vec<char> = normal.chars().collect();
    for at in 0..chars.len() {
        let is_digit = |at: usize| chars.get(at).is_some_and(char::is_ascii_digit);
        if is_digit(at + 1) || at > 0 && is_digit(at - 1) {
            chars[at] = match chars[at] {
                'o' => '0',
                'l' | 'i' => '1',
                other => other,
            };
        }
    }
    chars.into_iter().collect()
}

/// The laptop version of a board: `rtx5070m` means `rtx5070laptop`.
fn laptop_of(board: &str) -> String {
    format!("{board}laptop")
}

/// The products of the same line with the nearest numbers: `iphone 12` for `iphone 11`.
fn of_line(normal: &str, all: &[Name], limit: usize) -> Vec<Name> {
    /// Minimum length of a line's name.
    const LEAST: usize = 3;
    fn line(name: &str) -> Option<(&str, &str)> {
        name.find(|c: char| c.is_ascii_digit()).map(|at| name.split_at(at))
    }
    let number = |rest: &str| -> Option<i64> {
        rest[..rest.find(|c: char| !c.is_ascii_digit()).unwrap_or(rest.len())].parse().ok()
    };
    let Some((own, wanted)) = line(normal).and_then(|(own, rest)| Some((own, number(rest)?))) else {
        return Vec::new();
    };
    if own.len() < LEAST {
        return Vec::new();
    }
    let distance = |name: &Name| -> Option<i64> {
        let (of, rest) = line(&name.normal)?;
        (of == own).then_some(())?;
        Some((number(rest)? - wanted).abs())
    };
    let mut near: Vec<(i64, &Name)> = all
        .iter()
        .filter(|name| matches!(name.facet, Facet::Device | Facet::Network))
        .filter_map(|name| Some((distance(name)?, name)))
        .collect();
    near.sort_by(|a, b| a.0.cmp(&b.0).then_with(|| a.1.normal.len().cmp(&b.1.normal.len())));
    let mut found: Vec<Name> = Vec::new();
    for (_, name) in near {
        if found.len() < limit && found.iter().all(|known| known.value != name.value) {
            found.push(name.clone());
        }
    }
    found
}

/// The digits of a name, which must be equal in a misspelling: `v10` does not misspell `v100`.
fn digits(name: &str) -> impl Iterator<Item = char> + '_ {
    name.chars().filter(char::is_ascii_digit)
}

#[cfg(test)]
mod tests {
    use std::convert::Infallible;

    use super::*;
    use crate::model::NameKind;

    struct Names(&'static [&'static str]);

    impl Lookup for Names {
        type Error = Infallible;
        fn exact(&self, _: &str) -> Result<Vec<Name>, Infallible> {
            Ok(Vec::new())
        }
        fn all(&self) -> Result<std::sync::Arc<[Name]>, Infallible> {
            let name = |normal: &&str| Name {
                normal: (*normal).to_owned(),
                facet: Facet::Device,
                value: (*normal).to_owned(),
                kind: NameKind::Alias,
            };
            Ok(self.0.iter().map(name).collect())
        }
    }

    #[test]
    fn a_slip_may_be_of_the_beginning_of_several_names() {
        struct Ids;
        impl Lookup for Ids {
            type Error = Infallible;
            fn exact(&self, _: &str) -> Result<Vec<Name>, Infallible> {
                Ok(Vec::new())
            }
            fn all(&self) -> Result<std::sync::Arc<[Name]>, Infallible> {
                let name = |value: &str| Name {
                    normal: normalise(value),
                    facet: Facet::Network,
                    value: value.to_owned(),
                    kind: NameKind::Exact,
                };
                Ok(["stable-diffusion-v2", "stable-diffusion-xl", "resnet-50"].map(name).into())
            }
        }
        let read = |words: &[&str]| slip_of_beginning(words, &Ids).unwrap_or_else(|never| match never {});
        assert_eq!(read(&["stable", "difusion"]).as_deref(), Some("stable-diffusion"));
        assert_eq!(read(&["stable", "diversion"]), None);
    }

    #[test]
    fn a_slip_is_no_english_word_and_no_other_product() {
        let names = Names(&[
            "resnet152",
            "efficientnetb0",
            "b200",
            "pytorch",
            "supportive",
            "training",
            "m3max",
            "pixel6a",
            "g4dnxlarge",
            "yolox6",
            "tensorflow",
            "trainum",
            "stablediffusion",
        ]);
        let read =
            |words: &[&str]| slip_of(words, &names).unwrap_or_else(|never| match never {}).map(|name| name.value);
        for (words, meant) in [
            (&["resnt152"][..], "resnet152"),
            (&["efficentnet", "b0"], "efficientnetb0"),
            (&["pytroch"], "pytorch"),
            (&["tensroflwo"], "tensorflow"),
            (&["tensorflwo"], "tensorflow"),
            (&["stable", "difusion"], "stablediffusion"),
        ] {
            assert_eq!(read(words).as_deref(), Some(meant), "{words:?}");
        }
        for words in [
            &["GB200"][..],
            &["supporting"],
            &["M4", "Max"],
            &["pixel", "6"],
            &["g5.xlarge"],
            &["efficientnet", "x0"],
            &["resnet", "15"],
            &["stables", "diffusion"],
            &["table", "difusion"],
        ] {
            assert_eq!(read(words), None, "{words:?}");
        }
    }

    #[test]
    fn words_and_their_forms_are_known_and_names_are_not() {
        for word in ["supporting", "scaling", "workers", "carried", "training", "mobile", "throughput", "quadratically"]
        {
            assert!(is_english(word), "{word}");
        }
        for word in ["trainium", "pytorch", "resnt", "tensorfow", "efficentnet", "kirin"] {
            assert!(!is_english(word), "{word}");
        }
    }

    #[test]
    fn the_laptop_part_is_near_a_board_with_an_m() {
        let names = Names(&["rtx5070", "rtx5070laptop", "rtx5070ti", "arca770"]);
        let near = |word: &str| {
            let found = nearest_names(word, &names, 3).unwrap_or_else(|never| match never {});
            found.into_iter().map(|name| name.value).collect::<Vec<_>>()
        };
        assert_eq!(near("RTX5070m"), ["rtx5070laptop"]);
        assert_eq!(near("Arc A770M"), ["arca770"]);
    }

    #[test]
    fn every_word_of_the_list_is_found_and_nothing_else() {
        let words: Vec<&str> = WORDS.lines().filter(|line| !line.starts_with('#')).collect();
        assert!(words.len() > 10_000 && words.is_sorted() && WORDS.is_ascii());
        for word in words {
            assert!(is_listed(word), "{word}");
            assert!(!is_listed(&format!("{word}\n")) && !is_listed(&format!("{word}#")), "{word}");
        }
        for word in ["", "\n", "a", "zzzz", "aardvarkish"] {
            assert!(!is_listed(word), "{word:?}");
        }
    }
}
