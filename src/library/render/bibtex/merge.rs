//! Adding to a bibliography that is there already.

use std::collections::BTreeMap;

use super::parse::{BibEntry, BibliographyError, entries};
use super::{bibtex, entry};
use crate::model::References;

/// A bibliography that was added to.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct MergedBibliography {
    /// All of it: what was there is as it was, and what was missing stands behind it.
    pub text: String,
    /// The keys whose entries state something else than they would now. They are kept as they are.
    pub differing: Vec<String>,
}

/// What is there with the entries that it lacks. BibTeX does not tell capitals of keys apart, so neither is done here.
///
/// # Errors
///
/// When what is there is no bibliography that BibTeX would read.
pub fn merged(existing: &str, references: &References) -> Result<MergedBibliography, BibliographyError> {
    let there: BTreeMap<String, BibEntry> =
        entries(existing)?.into_iter().map(|entry| (entry.key.to_lowercase(), entry)).collect();
    if existing.trim().is_empty() {
        return Ok(MergedBibliography { text: bibtex(references), differing: Vec::new() });
    }
    let mut text = existing.to_owned();
    let mut differing = Vec::new();
    for (key, reference) in references.iter() {
        let own = entry(key, reference);
        match there.get(&key.to_lowercase()) {
            Some(kept) if entries(&own)?.iter().any(|own| own.kind == kept.kind && own.fields == kept.fields) => {}
            Some(_) => differing.push(key.to_owned()),
            None => {
                if !text.ends_with('\n') {
                    text.push('\n');
                }
                text.push_str(&format!("\n{own}"));
            }
        }
    }
    Ok(MergedBibliography { text, differing })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::model::Reference;

    fn page(url: &str) -> References {
        let mut references = References::default();
        references.add(Reference::Page { url: url.to_owned(), title: Some("A {title}".to_owned()), accessed: None });
        references
    }

    #[test]
    fn nothing_is_repeated_and_nothing_of_an_author_is_lost() {
        let (one, two) = (page("https://example.org/1"), page("https://example.org/2"));
        let first = merged("", &one).unwrap().text;
        assert_eq!(first, bibtex(&one));
        let both = merged(&first, &two).unwrap().text;
        assert!(both.starts_with(&first) && entries(&both).unwrap().len() == 2, "{both}");
        assert_eq!(merged(&both, &one).unwrap(), MergedBibliography { text: both.clone(), differing: Vec::new() });
        // An author who mended a title keeps it, and is told.
        let mended = both
            .replacen("A \\textbraceleft{}title\\textbraceright{}", "Mine", 1)
            .replace("@misc{page-", "@Misc{PAGE-");
        let again = merged(&mended, &one).unwrap();
        assert_eq!((again.text.as_str(), again.differing.len()), (mended.as_str(), 1));
        assert!(merged("@misc{x", &one).is_err());
    }
}
