//! Slices of TPUs, which are called by their cores or by their chips: `v3-8` has eight cores on four chips, `v5e-8` has eight chips.
//! Rows count chips.

use super::clause::Clause;
use super::error::QueryError;
use super::interpreter::Interpreter;
use super::vocabulary::plain;
use crate::model::{Field, Lookup as _};
use crate::stores::resolve::cores_of_tpu_chip;
use crate::values::spelling::normalise;

/// A slice of TPUs.
#[derive(Debug, PartialEq, Eq)]
struct TpuSlice<'w> {
    generation: &'w str,
    chips: u32,
    /// Of those that are called by their cores.
    cores: Option<u32>,
}

/// The slice that a word names. A generation that nobody knows yet is called by its chips, as the latest are.
fn slice_of(word: &str) -> Option<TpuSlice<'_>> {
    let (generation, size) = word.split_once('-')?;
    let is_version =
        generation.strip_prefix(['v', 'V']).is_some_and(|rest| rest.starts_with(|c: char| c.is_ascii_digit()));
    let size: u32 = plain(size).parse().ok()?;
    let cores = cores_of_tpu_chip(&generation.to_lowercase()).unwrap_or(1);
    let is_whole = size > 0 && size.is_multiple_of(cores);
    (is_version && is_whole).then_some(TpuSlice { generation, chips: size / cores, cores: (cores > 1).then_some(size) })
}

/// Whether a word can be nothing but a slice, without `tpu` in front of it: of a generation that is known, of eight or more, which
/// double.
fn is_slice_alone(word: &str) -> bool {
    word.split_once('-').is_some_and(|(generation, size)| {
        let size: u32 = plain(size).parse().unwrap_or(0);
        cores_of_tpu_chip(&generation.to_lowercase()).is_some() && size >= 8 && size.is_power_of_two()
    })
}

/// Whether a word goes on a list of generations of TPUs: the `v3` of `tpus v2 v3 v4`, the `v5e` of `tpu generations: v4 vs v5e`.
fn goes_on_generations(words: &[&str], word: &str) -> bool {
    const JOINING: &[&str] =
        &["generation", "generations", "and", "or", "vs", "versus", "to", "against", "than", "over"];
    let is_generation = |word: &str| {
        let word = plain(word);
        word.starts_with('v') && word.len() <= 3 && cores_of_tpu_chip(&word).is_some()
    };
    let is_tpu = |word: &&str| matches!(plain(word).as_str(), "tpu" | "tpus");
    let joins = |before: &&str| is_generation(before) || JOINING.contains(&plain(before).as_str());
    is_generation(word) && words.iter().any(is_tpu) && words.last().is_some_and(joins)
}

/// How a slice is read: what stands in the place of its name, and the number of its chips.
pub(super) struct ReadSlice<'w> {
    /// Its generation, which goes on the name of the chip.
    pub(super) generation: &'w str,
    /// How many devices ran, unless a number in front of the slice says it.
    pub(super) chips: Option<Clause>,
    /// Whether `tpu` stands in front of it.
    pub(super) is_named: bool,
}

impl Interpreter<'_> {
    /// Whether `tpu` is meant to stand in front of a word, and something is called so: `v2 v3 v4` behind `tpu generations`.
    pub(super) fn is_tpu_generation(&self, words: &[&str], word: &str) -> Result<bool, QueryError> {
        Ok(goes_on_generations(words, word)
            && !self.stores.database.exact(&normalise(&format!("tpu{}", plain(word))))?.is_empty())
    }

    /// A word that names a slice: `tpu v3-8` is four of `tpu v3`.
    pub(super) fn slice<'w>(&mut self, words: &[&str], word: &'w str) -> Result<Option<ReadSlice<'w>>, QueryError> {
        let is_named = words.last().is_some_and(|before| matches!(plain(before).as_str(), "tpu" | "tpus"));
        let Some(slice) = slice_of(word).filter(|_| is_named || is_slice_alone(word)) else { return Ok(None) };
        let name = plain(word);
        if let Some(cores) = slice.cores {
            let (chips, noun) = (slice.chips, if slice.chips == 1 { "chip" } else { "chips" });
            self.hints.leads.push(format!("`{name}` is a slice of {chips} {noun} ({cores} cores); rows count chips."));
        }
        // `2x tpu v3-8` are two slices, which nobody counts in chips but the asker.
        let before = words.len().checked_sub(1 + usize::from(is_named)).map(|at| plain(words[at]));
        let is_counted = before.is_some_and(|word| word.trim_end_matches('x').parse::<u32>().is_ok());
        let chips = match is_counted {
            true => None,
            false => Some(self.any_count(&name, Field::DeviceCount, &[i64::from(slice.chips)])?),
        };
        Ok(Some(ReadSlice { generation: slice.generation, chips, is_named }))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn slices_are_called_by_cores_or_by_chips() {
        let read = |word| slice_of(word).map(|slice| (slice.generation, slice.chips, slice.cores));
        assert_eq!(read("v3-8"), Some(("v3", 4, Some(8))));
        assert_eq!(read("v2-32,"), Some(("v2", 16, Some(32))));
        assert_eq!(read("v5e-8"), Some(("v5e", 8, None)));
        assert_eq!(read("v3-7"), None);
        assert_eq!(read("v3"), None);
        assert_eq!(read("resnet-50"), None);
    }

    #[test]
    fn generations_of_a_list_are_of_tpus() {
        assert!(goes_on_generations(&["tpu", "generations:"], "v2"));
        assert!(goes_on_generations(&["tpu", "v2"], "v3,"));
        assert!(goes_on_generations(&["tpu", "v4", "vs"], "v5e"));
        assert!(!goes_on_generations(&["tpu", "resnet-50"], "v2"));
        assert!(!goes_on_generations(&["whisper", "v2", "vs"], "v3"));
    }

    #[test]
    fn a_slice_needs_no_tpu_in_front_where_nothing_else_is_called_so() {
        assert!(is_slice_alone("v3-8") && is_slice_alone("v4-32,") && is_slice_alone("v5e-256"));
        assert!(!is_slice_alone("v3-1") && !is_slice_alone("v3-7") && !is_slice_alone("v9-8"));
    }
}
