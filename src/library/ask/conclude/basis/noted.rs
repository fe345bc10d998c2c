//! What the notes of the catalog say of something, sentence by sentence.

use super::named::NamedEntity;
use crate::ask::question::QueryError;
use crate::model::{Device, Framework, Network};
use crate::rows::short_device_name;
use crate::stores::Stores;
use crate::values::EntityKind;
use crate::values::text::one_line;

/// The name and the notes of an entity.
pub(in crate::ask::conclude) struct Noted {
    /// What people call it.
    pub name: String,
    /// Its notes; empty where there are none.
    pub notes: String,
}

/// The notes of an entity; `None` where there is no such one, or where its kind has none.
pub(in crate::ask::conclude) fn noted(
    stores: &Stores,
    kind: EntityKind,
    id: &str,
) -> Result<Option<Noted>, QueryError> {
    let of = |name: &str, notes: Option<String>| Noted { name: name.to_owned(), notes: notes.unwrap_or_default() };
    Ok(match kind {
        EntityKind::Framework => stores.database.entity::<Framework>(id)?.map(|own| of(&own.name, own.notes)),
        EntityKind::Device => {
            stores.database.entity::<Device>(id)?.map(|own| of(short_device_name(&own), own.notes.clone()))
        }
        EntityKind::Network => stores.database.entity::<Network>(id)?.map(|own| of(&own.name, own.notes)),
        _ => None,
    })
}

/// The notes of an entity that a question names.
pub(in crate::ask::conclude) fn noted_of(stores: &Stores, entity: &NamedEntity) -> Result<Option<Noted>, QueryError> {
    noted(stores, entity.kind, &entity.id)
}

/// The sentences of a text, each on one line.
pub(in crate::ask::conclude) fn sentences(text: &str) -> impl Iterator<Item = String> {
    let text = one_line(text);
    let parts: Vec<String> = text.split(". ").map(|part| part.trim().trim_end_matches('.').to_owned()).collect();
    parts.into_iter().filter(|part| !part.is_empty()).map(|part| format!("{part}."))
}

/// Whether a sentence has any of some words, whatever their case; one of several words stands in it as it is.
pub(in crate::ask::conclude) fn has_any<S: AsRef<str>>(sentence: &str, words: &[S]) -> bool {
    let low = sentence.to_lowercase();
    let has_word = |word: &str| low.split(|c: char| !c.is_alphanumeric()).any(|one| one == word);
    words.iter().map(|word| word.as_ref().to_lowercase()).any(|word| match word.chars().all(char::is_alphanumeric) {
        true => has_word(&word),
        false => low.contains(&word),
    })
}

/// A sentence of a note as it is quoted.
pub(in crate::ask::conclude) fn quoted(sentences: &[String]) -> String {
    format!("\"{}\"", sentences.join(" ").replace('"', "'"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sentences_are_found_by_whole_words() {
        let notes = "It was merged into PyTorch in 2018. Runs on\nCUDA 7.5 only.";
        let found: Vec<String> = sentences(notes).collect();
        assert_eq!(found, ["It was merged into PyTorch in 2018.", "Runs on CUDA 7.5 only."]);
        assert!(has_any(&found[0], &["Merged"]) && !has_any(&found[0], &["merge"]));
        assert!(has_any(&found[1], &["runs on"]));
    }
}
