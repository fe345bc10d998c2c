//! Selects the claims that a question is about: those that contain all of its words.

/// Words that match every claim.
const FILLERS: &[&str] = &["a", "and", "evidence", "for", "in", "is", "of", "the", "what", "claims", "claim", "grades"];

/// A word of at least this many letters also matches as a prefix.
const STEM: usize = 3;

/// The words that a claim must contain.
pub(super) struct Selection(Vec<String>);

impl Selection {
    /// The words of a question.
    pub fn of(question: &str) -> Self {
        Self(words(question).filter(|word| !FILLERS.contains(&word.as_str())).collect())
    }

    /// Whether the texts contain all of the words.
    pub fn takes(&self, texts: &[&str]) -> bool {
        let known: Vec<String> = texts.iter().flat_map(|text| words(text)).collect();
        let is_known = |word: &String| {
            known.iter().any(|other| other == word || word.len() >= STEM && other.starts_with(word.as_str()))
        };
        self.0.iter().all(is_known)
    }
}

/// The words of a text in lower case; the separators of ids split words.
fn words(text: &str) -> impl Iterator<Item = String> {
    let parts = text.split(|c: char| !(c.is_alphanumeric() || c == '+' || c == '#' || c == '.'));
    parts.filter(|word| !word.is_empty()).map(str::to_lowercase)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_claim_is_meant_by_all_words_that_it_holds() {
        let takes =
            |question: &str| Selection::of(question).takes(&["fpga/energy-efficiency", "FPGA", "Energy efficiency"]);
        assert!(takes("") && takes("fpga energy efficiency") && takes("the evidence for energy"));
        assert!(takes("effic"), "the beginning of a word");
        assert!(!takes("gpu energy efficiency") && !takes("fpga latency"));
    }
}
