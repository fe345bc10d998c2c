//! Generations of PCI Express, which no source states and no text tells: `PCIe 4 or newer`, `pci express gen 3 vs gen 5`.

use super::interpreter::Interpreter;
use super::vocabulary::{DEVICE_NOUNS, plain};
use crate::rows::Note;

/// Names of the bus.
const BUS: &[&[&str]] = &[&["pcie"], &["pci-e"], &["pci-express"], &["pci", "express"]];

/// Words behind a generation that take in the later ones, or the earlier.
const AND_OTHERS: &[&str] =
    &["newer", "later", "above", "up", "higher", "better", "older", "earlier", "below", "lower"];

impl Interpreter<'_> {
    /// The generation of the bus that these words begin with: it constrains nothing, which is said.
    pub(super) fn bus_generation(&mut self, before: Option<&str>, words: &[&str]) -> Option<usize> {
        let is_bus = |word: &str| BUS.iter().any(|names| *names == [word]);
        // The bus may be a part of the name in front: `A100 PCIe`.
        let bus = before.map(plain).filter(|before| is_bus(before));
        let own = words.iter().take(6).map(|word| plain(word));
        let plain_words: Vec<String> = bus.iter().cloned().chain(own).collect();
        // `gen 3` behind another name is a part of that.
        let taken = generation(&plain_words, before.is_some_and(|before| !before.is_empty()))?;
        let speaks_of_bus = |word: &str| BUS.iter().any(|names| names[0] == word);
        let mut all = std::iter::once(plain_words[0].clone()).chain(self.question.split_whitespace().map(plain));
        if !all.any(|word| speaks_of_bus(&word)) {
            return None;
        }
        let note = Note::NotKept { text: plain_words[..taken].join(" "), instead: true };
        if !self.notes.contains(&note) {
            self.notes.push(note);
        }
        Some(taken - usize::from(bus.is_some()))
    }
}

/// How many words name a generation; without the bus in front only where no name stands there.
fn generation(words: &[String], is_behind_name: bool) -> Option<usize> {
    let begins =
        |names: &&&[&str]| words.len() >= names.len() && names.iter().zip(words).all(|(name, word)| name == word);
    let lead = BUS.iter().find(begins).map_or(0, |names| names.len());
    let rest: Vec<&str> = words[lead..].iter().map(String::as_str).collect();
    let is_number = |word: &str| word.parse::<f32>().is_ok_and(|number| (1.0..8.0).contains(&number));
    let (taken, is_said) = match rest.as_slice() {
        ["gen" | "generation", number, ..] if is_number(number) => (2, true),
        ["version", number, ..] if is_number(number) && lead > 0 => (2, true),
        [word, ..] if word.strip_prefix("gen").is_some_and(is_number) => (1, true),
        // 4.0 counts nothing.
        [number, ..] if is_number(number) && lead > 0 => (1, number.contains('.')),
        _ => return None,
    };
    let counts = rest.get(taken).is_some_and(|next| DEVICE_NOUNS.contains(next));
    if lead == 0 && (!is_said || is_behind_name) || !is_said && counts {
        return None;
    }
    let more = match rest.get(taken..) {
        Some(["or" | "and", others, ..]) if AND_OTHERS.contains(others) => 2,
        _ => 0,
    };
    Some(lead + taken + more)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_generation_is_told_from_names_and_counts() {
        for (words, is_behind_name, taken) in [
            ("pcie 4 or newer", true, Some(4)),
            ("pcie 4.0 cards", true, Some(2)),
            ("pci express gen 3 vs", false, Some(4)),
            ("pcie gen5", true, Some(2)),
            ("gen 5 change", false, Some(2)),
            // Snapdragon 8 Gen 3, A100 PCIe 4 GPUs, V100 PCIe 16 GB.
            ("gen 3", true, None),
            ("pcie 4 gpus", true, None),
            ("pcie 16 gb", true, None),
            ("5 networks", false, None),
            ("2.0 with", false, None),
        ] {
            let words: Vec<String> = words.split(' ').map(str::to_owned).collect();
            assert_eq!(generation(&words, is_behind_name), taken, "{words:?}");
        }
    }
}
