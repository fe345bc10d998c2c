//! Which claims a question is about: those that hold all of its words.

use super::framework_facts::FactClaim;
use super::grades::GradeClaim;
use super::wanted::WantedCell;
use crate::model::Claim;

/// Words of questions that every claim meets.
const FILLERS: &[&str] = &["a", "and", "evidence", "for", "in", "is", "of", "the", "what", "claims", "claim", "grades"];

/// From so many letters on a word may be the beginning of another.
const STEM: usize = 3;

/// The words that a claim must hold.
pub(super) struct Selection {
    words: Vec<String>,
}

impl Selection {
    /// The words of a question.
    pub fn of(question: &str) -> Self {
        let words = words(question).filter(|word| !FILLERS.contains(&word.as_str()));
        Self { words: words.collect() }
    }

    /// Whether a grade is meant: by its class, its metric, its source.
    pub fn takes_grade(&self, claim: &GradeClaim<'_>) -> bool {
        let class = claim.class;
        let names = class.aliases.iter().filter(|alias| !alias.contains(' ')).cloned().collect::<Vec<_>>().join(" ");
        self.takes(&[&claim.id(), &class.name, &names, &claim.metric.name, claim.grade.source.as_str(), "grade"])
    }

    /// Whether a fact of a framework is meant.
    pub fn takes_fact(&self, claim: &FactClaim<'_>) -> bool {
        let names = claim.framework.aliases.join(" ");
        let (name, metric) = (&claim.framework.name, &claim.metric.name);
        self.takes(&[&claim.id(), name, &names, metric, claim.fact.key(), claim.survey.as_str(), "framework fact"])
    }

    /// Whether a figure of a text is meant.
    pub fn takes_figure(&self, claim: &Claim) -> bool {
        let by = claim.by.as_ref().map(ToString::to_string).unwrap_or_default();
        self.takes(&[claim.id.as_str(), &claim.text, claim.source.as_str(), &by, "figure"])
    }

    /// Whether a wanted cell is meant: by its class or device, its network, what it settles, its conditions.
    pub fn takes_cell(&self, cell: &WantedCell) -> bool {
        let settles: Vec<&str> = cell.settles.iter().map(|claim| claim.claim.as_str()).collect();
        let under: Vec<String> = cell.under.values().flatten().map(ToString::to_string).collect();
        self.takes(&[&cell.on, &cell.network, &cell.measure, &settles.join(" "), &under.join(" ")])
    }

    fn takes(&self, texts: &[&str]) -> bool {
        let held: Vec<String> = texts.iter().flat_map(|text| words(text)).collect();
        let is_held = |word: &String| {
            held.iter().any(|other| other == word || word.len() >= STEM && other.starts_with(word.as_str()))
        };
        self.words.iter().all(is_held)
    }
}

/// The words of a text in small letters; what joins ids divides words.
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
        assert!(takes(""));
        assert!(takes("fpga energy efficiency"));
        assert!(takes("the evidence for energy"));
        assert!(takes("effic"), "the beginning of a word");
        assert!(!takes("gpu energy efficiency"));
        assert!(!takes("fpga latency"));
    }
}
