//! Whether a word is a slip of a name, such as `resnt152` of ResNet-152.
//!
//! A near name is taken only for what is no English word and no other product's name: products of one line differ by a
//! letter or a digit (`GB200` and `B200`, `M4 Max` and `M3 Max`), so only longer letters can hold a slip.

use super::english::is_english;
use super::nearest::nearest_names;
use crate::model::{Lookup, Name};
use crate::values::spelling::normalise;

/// A run of letters shorter than this tells products apart and is no place for a slip.
const LEAST_LETTERS: usize = 5;

/// From so many letters on two slips are one too many still to be another word.
const LETTERS_OF_TWO_SLIPS: usize = 10;

/// The name that some words, written as one, are a slip of; `None` where they may as well be something of their own.
///
/// # Errors
///
/// When the lookup fails.
pub fn slip_of<L: Lookup>(words: &[&str], names: &L) -> Result<Option<Name>, L::Error> {
    let wanted = normalise(&words.concat());
    let longest = wanted.split(|c: char| !c.is_alphabetic()).map(|run| run.chars().count()).max().unwrap_or(0);
    let is_word = |run: &str| is_english(&run.to_lowercase());
    let runs = || words.iter().flat_map(|word| word.split(|c: char| !c.is_alphabetic())).filter(|run| !run.is_empty());
    let english: Vec<String> = runs().filter(|run| is_word(run)).map(str::to_lowercase).collect();
    // A word of several may be English: what is misspelt is the other one, and long enough.
    let misspelt = runs().filter(|run| !is_word(run)).map(|run| run.chars().count()).max().unwrap_or(0);
    if longest < LEAST_LETTERS || !english.is_empty() && misspelt < LEAST_LETTERS {
        return Ok(None);
    }
    let most = if longest < LETTERS_OF_TWO_SLIPS || !english.is_empty() { 1 } else { 2 };
    let near = nearest_names(&wanted, names, 3)?;
    let is_slip = |name: &Name| {
        strsim::damerau_levenshtein(&wanted, &name.normal) <= most
            && numbers(&wanted) == numbers(&name.normal)
            && english.iter().all(|word| name.normal.contains(word.as_str()))
    };
    Ok(near.into_iter().find(is_slip))
}

/// The numbers in a name with the letters beside them, which tell products apart: `EfficientNet-X0` is no slip of `B0`.
fn numbers(name: &str) -> String {
    let chars: Vec<char> = name.chars().collect();
    let digit = |at: usize| chars.get(at).is_some_and(char::is_ascii_digit);
    let beside = |at: &usize| digit(*at) || digit(at + 1) || *at > 0 && digit(at - 1);
    (0..chars.len()).filter(beside).map(|at| chars[at]).collect()
}

#[cfg(test)]
mod tests {
    use std::convert::Infallible;

    use super::*;
    use crate::model::{Facet, NameKind};

    struct Names(&'static [&'static str]);

    impl Lookup for Names {
        type Error = Infallible;
        fn exact(&self, _: &str) -> Result<Vec<Name>, Infallible> {
            Ok(Vec::new())
        }
        fn all(&self) -> Result<Vec<Name>, Infallible> {
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
}
