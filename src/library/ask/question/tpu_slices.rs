//! Slices of TPUs, which are called by their cores or by their chips: `v3-8` has eight cores on four chips, `v5e-8` has eight chips.
//! Rows count chips.

use super::interpreter::Interpreter;
use super::vocabulary::plain;
use crate::stores::resolve::cores_of_tpu_chip;

/// How many chips are counted, as a question writes it.
const TIMES: &[(u32, &str)] = &[
    (1, "1x"),
    (2, "2x"),
    (4, "4x"),
    (8, "8x"),
    (16, "16x"),
    (32, "32x"),
    (64, "64x"),
    (128, "128x"),
    (256, "256x"),
    (512, "512x"),
    (1024, "1024x"),
    (2048, "2048x"),
];

/// A slice of TPUs.
#[derive(Debug, PartialEq, Eq)]
struct TpuSlice<'w> {
    generation: &'w str,
    chips: u32,
    by_cores: bool,
}

/// The slice that a word behind `tpu` names.
fn slice_of(word: &str) -> Option<TpuSlice<'_>> {
    let (generation, size) = word.split_once('-')?;
    let is_version =
        generation.strip_prefix(['v', 'V']).is_some_and(|rest| rest.starts_with(|c: char| c.is_ascii_digit()));
    let size: u32 = plain(size).parse().ok().filter(|size| *size > 0)?;
    // A generation that nobody knows yet is called by its chips, as the latest are.
    let cores = cores_of_tpu_chip(&generation.to_lowercase()).unwrap_or(1);
    is_version.then_some(TpuSlice { generation, chips: size / cores, by_cores: cores > 1 })
}

impl Interpreter<'_> {
    /// Puts the generation of a slice in the place of its name, and the number of its chips in front of it: `tpu v3-8` is `4x tpu v3`.
    /// A slice of a size that there is none of leaves its size out, which is said.
    pub(super) fn chips_of_slice<'w>(&mut self, words: &mut Vec<&'w str>, word: &'w str) -> &'w str {
        let is_tpu = words.last().is_some_and(|before| matches!(plain(before).as_str(), "tpu" | "tpus"));
        let Some(slice) = slice_of(word).filter(|_| is_tpu) else { return word };
        let Some((_, times)) = TIMES.iter().find(|(chips, _)| *chips == slice.chips) else {
            self.leave_out(&format!("slice {}", plain(word)));
            return slice.generation;
        };
        // `2x tpu v3-8` are two slices, which nobody counts in chips but the asker.
        let is_counted = words.len() > 1 && plain(words[words.len() - 2]).trim_end_matches('x').parse::<u32>().is_ok();
        if !is_counted {
            words.insert(words.len() - 1, times);
        }
        if slice.by_cores {
            let (chips, noun) = (slice.chips, if slice.chips == 1 { "chip" } else { "chips" });
            self.hints.leads.push(format!(
                "`{}` is a slice of {chips} {noun} ({} cores); rows count chips.",
                plain(word),
                2 * chips
            ));
        }
        slice.generation
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn slices_are_called_by_cores_or_by_chips() {
        let read = |word| slice_of(word).map(|slice| (slice.generation, slice.chips, slice.by_cores));
        assert_eq!(read("v3-8"), Some(("v3", 4, true)));
        assert_eq!(read("v2-32,"), Some(("v2", 16, true)));
        assert_eq!(read("v5e-8"), Some(("v5e", 8, false)));
        assert_eq!(read("v3"), None);
        assert_eq!(read("resnet-50"), None);
    }
}
