//! What data sets are made of, as people say it: images, text, speech. The catalog knows it by their tasks.

use super::error::QueryError;
use super::idioms::Idiom;
use super::interpreter::Interpreter;
use super::vocabulary::plain;
use crate::model::{Facet, LANGUAGE_TASKS};
use crate::values::EntityKind;

/// Tasks on images.
pub(super) const VISION_TASKS: &[&str] =
    &["image-classification", "object-detection", "semantic-segmentation", "instance-segmentation"];

/// Tasks on sound.
const SOUND_TASKS: &[&str] = &["speech-recognition", "speech-synthesis", "keyword-spotting"];

/// Words for what data sets hold, and the tasks of those that do.
const MODALITIES: &[(&[&str], &[&str])] = &[
    (&["image", "images", "picture", "pictures", "photo", "photos", "vision"], VISION_TASKS),
    (&["text", "texts", "textual", "language", "sentences"], LANGUAGE_TASKS),
    (&["audio", "speech", "sound", "sounds", "spoken"], SOUND_TASKS),
];

/// Words behind one of these that count it.
const COUNTING: &[&str] =
    &["per", "classes", "size", "resolution", "samples", "generation", "recognition", "synthesis"];

impl Interpreter<'_> {
    /// Whether words begin with a modality in a question about data sets.
    pub(super) fn is_modality(&self, words: &[&str]) -> bool {
        self.tasks_of_modality(words).is_some()
    }

    fn tasks_of_modality(&self, words: &[&str]) -> Option<&'static [&'static str]> {
        let first = plain(words.first()?);
        let counts = words.get(1).is_some_and(|next| COUNTING.contains(&plain(next).as_str()));
        if !self.hints.speaks_of(EntityKind::Dataset) || counts {
            return None;
        }
        MODALITIES.iter().find(|(words, _)| words.contains(&first.as_str())).map(|(_, tasks)| *tasks)
    }

    /// The modality that a word names in a question about data sets.
    pub(super) fn modality(&mut self, words: &[&str]) -> Result<Option<(usize, Idiom)>, QueryError> {
        let Some(tasks) = self.tasks_of_modality(words) else { return Ok(None) };
        let tasks = tasks.iter().map(|task| (*task).to_owned()).collect();
        let clause = self.facet_clause(words[0], Facet::Task, tasks, "alias")?;
        Ok(Some((1, Idiom::Clause(clause))))
    }
}
