//! Parts of names that stand for whole ones behind a name of the same series: the v2 of `mobilenet v1 v2 v3`, the 16 of `vgg not 16`.

use super::bounds::is_unit;
use super::clause::Clause;
use super::error::QueryError;
use super::facing::kind_of;
use super::interpreter::Interpreter;
use super::sentence::Sentence;
use super::vocabulary::{DEVICE_NOUNS, plain};
use super::word_run::WordRun;
use crate::model::{Facet, Lookup as _, Name};
use crate::stores::resolve::{MatchKind, WordReading};
use crate::values::spelling::normalise;

/// Longer words are names of their own.
const LONGEST_PART: usize = 8;

/// What has series.
const FACETS: &[Facet] = &[Facet::Network, Facet::Device];

/// How a part of a name is written: those of one series are written alike.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Form {
    /// `50`
    Number,
    /// `v2`, `b0`: one letter and a number, with that letter.
    Lettered(char),
    /// `n`
    Letter,
}

fn form_of(part: &str) -> Option<Form> {
    let mut letters = part.chars();
    let first = letters.next()?;
    let rest = letters.as_str();
    let is_number = |text: &str| !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit() || byte == b'.');
    match () {
        () if is_number(part) => Some(Form::Number),
        () if first.is_ascii_alphabetic() && is_number(rest) => Some(Form::Lettered(first)),
        () if first.is_ascii_alphabetic() && rest.is_empty() => Some(Form::Letter),
        () => None,
    }
}

/// What stands in front of the last part of a name, and that part: the `mobilenet` of `mobilenet v1`, the `vgg` of `vgg16`.
fn divided(name: &str) -> Option<(&str, &str)> {
    if let Some((front, last)) = name.trim().rsplit_once([' ', '-', '_']) {
        return Some((front, last));
    }
    let front = name.trim_end_matches(|c: char| c.is_ascii_digit());
    // `mobilenetv2`
    let front = front.strip_suffix('v').filter(|rest| rest.len() > 2).unwrap_or(front);
    (front.len() > 2 && front.len() < name.len()).then(|| name.split_at(front.len()))
}

impl Interpreter<'_> {
    /// The next of a series that the name in front of it begins: MobileNet v2 of `mobilenet v1 v2 v3`, ResNet-101 of `resnet 50 101`.
    pub(super) fn next_of_series(&self, before: &WordRun, run: &WordRun) -> Result<Option<WordRun>, QueryError> {
        let part = plain(&run.text);
        let Some(facet) = FACETS.iter().find(|facet| before.is(**facet)) else { return Ok(None) };
        if !run.is_text() || part.len() > LONGEST_PART {
            return Ok(None);
        }
        let name = plain(&before.text);
        let Some((front, last)) = divided(&name) else { return Ok(None) };
        let form = form_of(&part);
        // A number behind a name that is written in one word is a batch as often as not: `resnet50 32`.
        let is_apart = form != Some(Form::Number) || name.contains(' ') || self.hints.enumerates;
        if form.is_none() || form != form_of(last) || !is_apart {
            return Ok(None);
        }
        let values = self.called(*facet, &normalise(&format!("{front} {part}")))?;
        if values.is_empty() {
            return Ok(None);
        }
        let reading = WordReading { words: 0..1, facet: Some(*facet), values, how: MatchKind::Alias, taken_for: None };
        Ok(Some(WordRun { text: format!("{front} {part}"), readings: vec![reading] }))
    }

    /// What a part of a name behind a negation excludes of the series that is named in front of it: VGG-16 of `vgg not 16`.
    pub(super) fn excluded_part(
        &mut self,
        words: &[&str],
        sentence: &Sentence<'_>,
    ) -> Result<Option<(Facet, Clause)>, QueryError> {
        let Some((facet, whole, ids)) = self.part_of_named(words, sentence)? else { return Ok(None) };
        self.facet_clause(&whole, facet, ids, "alias").map(|clause| Some((facet, clause)))
    }

    /// The facet, the name and the ids of what a part of a name stands for behind a name of the same series.
    pub(super) fn part_of_named(
        &self,
        words: &[&str],
        sentence: &Sentence<'_>,
    ) -> Result<Option<(Facet, String, Vec<String>)>, QueryError> {
        let part = plain(words[0]);
        let form = form_of(&part);
        if part.is_empty() || part.len() > LONGEST_PART || counts(form, words.get(1)) {
            return Ok(None);
        }
        // A name of its own is excluded as that.
        if part.len() > 2 && form.is_none() && self.longest_name(words)? > 0 {
            return Ok(None);
        }
        // Behind what is excluded already only more of the same is: `not 16 or 19`.
        let looked_at = if sentence.without.is_some() { sentence.read.len() } else { 1 };
        for read in sentence.read.iter().rev().take(looked_at) {
            let kind = kind_of(&read.clause);
            let Some(facet) = FACETS.iter().find(|facet| facet.key() == kind) else { continue };
            let name = plain(read.clause.text.trim_start_matches('-'));
            let front = divided(&name).filter(|(_, last)| form_of(last) == form).map(|(front, _)| front);
            // Behind what is excluded stands another one of the same series.
            let whole_name = Some(name.as_str()).filter(|_| !read.clause.is_excluded());
            for series in [whole_name, whole_name.and_then(|name| name.strip_suffix('s')), front].into_iter().flatten()
            {
                let whole = format!("{series} {part}");
                let mut ids = self.called(*facet, &normalise(&whole))?;
                if ids.is_empty() && matches!(form, Some(Form::Number | Form::Lettered(_))) {
                    ids = self.beginning_with(*facet, &normalise(&whole), part.contains('.'))?;
                }
                if !ids.is_empty() {
                    return Ok(Some((*facet, whole, ids)));
                }
            }
        }
        Ok(None)
    }

    /// The entities of a facet that are called so.
    fn called(&self, facet: Facet, normal: &str) -> Result<Vec<String>, QueryError> {
        Ok(ids_of(facet, self.stores.database.exact(normal)?))
    }

    /// The entities of a facet whose names begin so and go on with no other figure, unless a version is named: 3.1 has a size behind
    /// it.
    fn beginning_with(&self, facet: Facet, normal: &str, is_version: bool) -> Result<Vec<String>, QueryError> {
        let names = self.stores.database.beginning(normal)?.into_iter();
        let goes_on = |name: &Name| {
            !is_version
                && name.normal.get(normal.len()..).is_some_and(|rest| rest.starts_with(|c: char| c.is_ascii_digit()))
        };
        Ok(ids_of(facet, names.filter(|name| !goes_on(name)).collect()))
    }
}

/// Whether a number counts what stands behind it.
fn counts(form: Option<Form>, next: Option<&&str>) -> bool {
    let is_counted = |next: &&str| {
        let next = plain(next);
        DEVICE_NOUNS.contains(&next.as_str()) || is_unit(&next) || matches!(next.as_str(), "threads" | "cores" | "x")
    };
    form == Some(Form::Number) && next.is_some_and(is_counted)
}

/// The ids of a facet among names, each once.
fn ids_of(facet: Facet, names: Vec<Name>) -> Vec<String> {
    let mut ids: Vec<String> = Vec::new();
    for name in names.into_iter().filter(|name| name.facet == facet) {
        if !ids.contains(&name.value) {
            ids.push(name.value);
        }
    }
    ids
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn parts_of_one_series_are_written_alike() {
        for (name, front, last) in [
            ("mobilenet v1", "mobilenet", "v1"),
            ("resnet-50", "resnet", "50"),
            ("vgg16", "vgg", "16"),
            ("mobilenetv2", "mobilenet", "v2"),
            ("efficientnet b0", "efficientnet", "b0"),
        ] {
            assert_eq!(divided(name), Some((front, last)), "{name}");
        }
        assert_eq!(divided("bert"), None);
        assert_eq!(form_of("v2"), form_of("v11"));
        assert_ne!(form_of("v2"), form_of("b2"));
        assert_eq!(form_of("50"), Some(Form::Number));
        assert_eq!(form_of("large"), None);
    }
}
