//! Words that several names begin with: a series, a family, the sizes of a network.

use std::collections::BTreeSet;

use super::english::is_english;
use super::fillers::{COMMON, FILLERS};
use super::product_name::is_other_product;
use super::product_words::is_product_line;
use super::slip::slip_of_beginning;
use super::word_reading::{MatchKind, WordReading};
use crate::model::{Facet, Lookup, Name};
use crate::values::spelling::normalise;

/// So many letters directly behind a number tell sizes of a network apart, as in `yolov5s` and `stm32h747`; more are a word.
const LONGEST_SIZE: usize = 2;

/// A shorter prefix matches too many names.
pub(super) const LEAST_BEGINNING: usize = 4;

/// Words that several names begin with: `raspberry pi` is every Raspberry Pi, `yolov5` every size of it.
///
/// A network must be told from a common word: by a second word, a digit, or because the word occurs in no text.
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
            // `arc` is each Arc; the `rtx` of others stands behind a word of its own.
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

/// Whether a few letters and figures may be a product's whole name: the H20, of which the catalog has the one with 96 GB.
fn is_short_product(normal: &str) -> bool {
    let digits = normal.trim_start_matches(|c: char| c.is_ascii_alphabetic());
    digits.len() < normal.len() && digits.len() > 1 && digits.bytes().all(|byte| byte.is_ascii_digit())
}

/// Whether an id is no more than a name and the size of a memory.
fn goes_on_with_memory(id: &str, normal: &str) -> bool {
    let memory =
        id.strip_prefix(normal).and_then(|rest| rest.strip_prefix('-')).and_then(|rest| rest.strip_suffix("gb"));
    memory.is_some_and(|gib| !gib.is_empty() && gib.bytes().all(|byte| byte.is_ascii_digit()))
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

/// What is called as a slip of its beginning says: every Stable Diffusion for `stable difusion`.
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

#[cfg(test)]
mod tests {
    use super::*;

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
