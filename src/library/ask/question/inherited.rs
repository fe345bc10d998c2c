//! The second side of a comparison that goes on where the first one began: `resnet 50 vs 101`.

use super::bounds::is_unit;
use super::error::QueryError;
use super::facing::kind_of;
use super::idioms::Idiom;
use super::interpreter::Interpreter;
use super::sentence::Sentence;
use super::vocabulary::{DEVICE_NOUNS, longest_phrase, plain};
use crate::model::{Facet, Lookup as _};
use crate::values::spelling::normalise;

impl Interpreter<'_> {
    /// `7` behind `cuDNN 5 and`: what goes on where the last name began, unless the number counts what stands behind it.
    pub(super) fn inherited_by_and(
        &mut self,
        words: &[&str],
        sentence: &mut Sentence<'_>,
    ) -> Result<Option<usize>, QueryError> {
        let is_number = words[0].starts_with(|c: char| c.is_ascii_digit());
        let next = words.get(1).map(|word| plain(word)).unwrap_or_default();
        let counts = is_number
            && (DEVICE_NOUNS.contains(&next.as_str())
                || is_unit(&next)
                || matches!(next.as_str(), "threads" | "cores" | "epochs" | "nodes" | "x" | "times")
                || self.begins_with_device(&words[1..])?);
        if counts { Ok(None) } else { self.inherited(words, sentence) }
    }

    /// `101` behind `resnet 50 vs`: the second side goes on where the first one began. How many words it takes.
    pub(super) fn inherited(
        &mut self,
        words: &[&str],
        sentence: &mut Sentence<'_>,
    ) -> Result<Option<usize>, QueryError> {
        let word = words[0];
        let Some(before) = sentence.read.last() else { return Ok(None) };
        let begun: Vec<String> = before.clause.text.split_whitespace().map(str::to_owned).collect();
        // `without cudnn vs cudnn 5.1` names the library again.
        let is_named = begun.last().is_some_and(|last| plain(last) == plain(word));
        if word.len() > 40 || longest_phrase(words).is_some() || is_named {
            return Ok(None);
        }
        // `scala` behind `written in java or` is no language of any kind.
        if let Some((_, front)) = begun.split_last().filter(|(_, front)| !front.is_empty()) {
            let kind = kind_of(&before.clause).to_owned();
            let whole: Vec<&str> = front.iter().map(String::as_str).chain([word]).collect();
            let taken_whole = |(taken, _): &(usize, Idiom)| *taken == whole.len();
            let is_word = !word.starts_with(|c: char| c.is_ascii_digit());
            if is_word
                && let Some((_, Idiom::Clause(clause))) = self.idiom(None, &whole)?.filter(taken_whole)
                && kind_of(&clause) == kind
            {
                sentence.push(None, clause);
                return Ok(Some(1));
            }
        }
        if self.longest_name(words)? > 0 {
            return Ok(None);
        }
        // `pi 5` behind `raspberry pi 4 vs`.
        if let [first, second, ..] = words
            && begun.len() > 1
            && begun[1].eq_ignore_ascii_case(first)
        {
            let whole = format!("{} {first} {second}", begun[0]);
            let exact = self.stores.database.exact(&normalise(&whole))?;
            if let Some(name) = exact.into_iter().find(|name| name.facet == Facet::Device) {
                let clause = self.facet_clause(&whole, Facet::Device, vec![name.value], "alias")?;
                sentence.push(Some(Facet::Device), clause);
                return Ok(Some(2));
            }
        }
        for length in (1..begun.len().min(5)).rev() {
            let whole: Vec<&str> = begun[..length].iter().map(String::as_str).chain([word]).collect();
            if let Some((_, Idiom::Clause(clause))) =
                self.idiom(None, &whole)?.filter(|(taken, _)| *taken == whole.len())
            {
                sentence.push(None, clause);
                return Ok(Some(1));
            }
            if let Some(clause) = self.unknown_version(&whole)? {
                sentence.push(None, clause);
                return Ok(Some(1));
            }
            let exact = self.stores.database.exact(&normalise(&whole.concat()))?;
            let beginning = || self.stores.database.beginning(&normalise(&whole.concat()));
            let found = if exact.is_empty() { beginning()? } else { exact };
            let facet = before.facet.or_else(|| kind_of(&before.clause).parse().ok());
            let mut values: Vec<String> = Vec::new();
            for name in found.into_iter().filter(|name| Some(name.facet) == facet) {
                if !values.contains(&name.value) {
                    values.push(name.value);
                }
            }
            if let (Some(facet), false) = (facet, values.is_empty()) {
                // `pcie` behind `A100 sxm vs` is as much as `A100 pcie` alone.
                if facet == Facet::Device {
                    values = self.of_form(&whole.join(" "), &values)?;
                }
                let clause = self.facet_clause(&whole.join(" "), facet, values, "alias")?;
                sentence.push(Some(facet), clause);
                return Ok(Some(1));
            }
        }
        Ok(None)
    }
}
