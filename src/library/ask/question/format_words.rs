//! Number formats by one word of their names, where another format says that formats are spoken of: `slower in half precision than in
//! single`, `double or single precision`.

use super::error::QueryError;
use super::idioms::Idiom;
use super::interpreter::Interpreter;
use super::vocabulary::{COUNTS, DEVICE_NOUNS, plain};
use crate::model::Facet;
use crate::values::Precision;

/// The words, and the formats that they are short for.
const FORMATS: &[(&str, &str)] = &[("half", "fp16"), ("single", "fp32"), ("full", "fp32"), ("double", "fp64")];

/// Words by which several formats are set side by side.
const JOINING: &[&str] = &[
    "than",
    "to",
    "vs",
    "versus",
    "against",
    "and",
    "or",
    "over",
    "in",
    "with",
    "from",
    "on",
    "for",
    "true",
    "right",
    "correct",
    "is",
    "faster",
    "slower",
    "training",
    "inference",
    "?",
];

impl Interpreter<'_> {
    /// The format that a word is short for, and how many words say it.
    pub(super) fn format_in_short(&mut self, words: &[&str]) -> Result<Option<(usize, Idiom)>, QueryError> {
        let Some((_, format)) = words.first().and_then(|word| short_format(word)) else { return Ok(None) };
        let next = words.get(1).map(|word| plain(word)).unwrap_or_default();
        // `single gpu`, `single stream`, `double the batch`: it says something of what stands behind it.
        let ends = next.is_empty() || JOINING.contains(&next.as_str()) || words[0].ends_with([',', '?', '.', ';']);
        let counts = DEVICE_NOUNS.contains(&next.as_str()) || COUNTS.iter().any(|(count, _)| *count == next);
        if !ends || counts || !self.speaks_of_formats(words[0]) {
            return Ok(None);
        }
        let text = words[0].trim_end_matches([',', '?', '.', ';']);
        let clause = self.facet_clause(text, Facet::Precision, vec![format.to_owned()], "alias")?;
        Ok(Some((1, Idiom::Clause(clause))))
    }

    /// Whether another format is named in the question, by its own name or in short beside the word for all of them.
    fn speaks_of_formats(&self, own: &str) -> bool {
        let own = plain(own);
        let others = || self.all_words.iter().filter(|word| **word != own);
        let in_full = others().any(|word| word.parse::<Precision>().is_ok());
        in_full || self.all_words.contains("precision") && others().any(|word| short_format(word).is_some())
    }
}

fn short_format(word: &str) -> Option<(&'static str, &'static str)> {
    let word = plain(word);
    FORMATS.iter().find(|(short, _)| *short == word).copied()
}

#[cfg(test)]
mod tests {
    use crate::ask::question::understand;
    use crate::stores::sample::Sample;

    #[test]
    fn a_format_is_named_in_short_beside_another_one() {
        let sample = Sample::of(&[]);
        for (question, formats) in [
            ("is nova slower in half precision than in single", &["precision:fp16", "precision:fp32"][..]),
            ("nova half vs single precision", &["precision:fp16", "precision:fp32"]),
            ("nova fp16 against single", &["precision:fp16", "precision:fp32"]),
            ("latency of a single nova", &[]),
            ("nova latency single stream", &[]),
        ] {
            let clauses = understand(question, &sample.stores).unwrap().clauses;
            let readings = clauses.iter().flat_map(|clause| &clause.readings);
            let read: Vec<&str> =
                readings.map(|one| one.equivalent.as_str()).filter(|one| one.starts_with("precision:")).collect();
            assert_eq!(read.len(), formats.len(), "{question}: {read:?}");
            assert!(formats.iter().all(|one| read.iter().any(|of| of.starts_with(one))), "{question}: {read:?}");
        }
    }
}
