//! `from V100 to A100`, `did PyTorch get faster from 1.0 to 2.0`: what changed between two sides.

use super::error::QueryError;
use super::facing::kind_of;
use super::idioms::Idiom;
use super::interpreter::Interpreter;
use super::sentence::Sentence;
use super::vocabulary::{Cue, Link, Meaning, longest_phrase, plain};

impl Interpreter<'_> {
    /// Looks for a word that tells a change, wherever it stands: `TPU v2 to v3 improvement`.
    pub(super) fn note_change(&mut self, words: &[&str]) {
        if !words.iter().any(|word| matches!(plain(word).as_str(), "to" | "between")) {
            return;
        }
        let tells = |rest: &[&str]| {
            matches!(longest_phrase(rest), Some((_, Meaning::Cue(Cue::SpeedUp | Cue::Comparative | Cue::Compare))))
        };
        self.hints.tells_change |= (0..words.len()).any(|at| tells(&words[at..]));
    }

    /// `from` in front of the first side, `to` between the two; how many words that takes, or `None` where they are neither.
    pub(super) fn change_between<'w>(
        &mut self,
        words: &[&'w str],
        sentence: &mut Sentence<'w>,
    ) -> Result<Option<usize>, QueryError> {
        if !self.hints.tells_change {
            return Ok(None);
        }
        let word = plain(words[0]);
        match word.as_str() {
            "from" => {
                // `from 1 to 8 GPUs`
                let is_count = words.get(1).is_some_and(|next| plain(next).parse::<i64>().is_ok());
                if is_count && self.longest_name(&words[1..])? == 0 {
                    return Ok(None);
                }
                self.flush(sentence)?;
                self.hints.from_first |= words.iter().any(|word| plain(word) == "to");
                self.version_of_framework(words, sentence)
            }
            // `between 1.0 and 1.8`, which are no numbers of anything.
            "between" => {
                let is_version = |at: usize| {
                    words
                        .get(at)
                        .is_some_and(|word| plain_version(word).split('.').filter(|part| is_number(part)).count() > 1)
                };
                if !is_version(1) || !is_version(3) || words.get(2).is_none_or(|word| plain(word) != "and") {
                    return Ok(None);
                }
                self.flush(sentence)?;
                let taken = self.version_of_framework(words, sentence)?;
                self.hints.from_first |= taken.is_some();
                self.hints.between = taken.is_some();
                Ok(taken)
            }
            "and" if std::mem::take(&mut self.hints.between) => {
                self.flush(sentence)?;
                sentence.link = Some(Link::Versus);
                Ok(Some(1))
            }
            "to" => {
                self.flush(sentence)?;
                let Some(second) = words.get(1) else { return Ok(None) };
                let has_figure = second.contains(|c: char| c.is_ascii_digit());
                if sentence.read.is_empty() || !has_figure && self.longest_name(&words[1..])? == 0 {
                    return Ok(None);
                }
                sentence.link = Some(Link::Versus);
                Ok(Some(1))
            }
            _ => Ok(None),
        }
    }

    /// `from 1.0` behind the name of a framework is its version.
    fn version_of_framework(
        &mut self,
        words: &[&str],
        sentence: &mut Sentence<'_>,
    ) -> Result<Option<usize>, QueryError> {
        let Some(version) = words.get(1).filter(|word| word.starts_with(|c: char| c.is_ascii_digit())) else {
            return Ok(None);
        };
        let Some(at) = sentence.read.iter().rposition(|read| kind_of(&read.clause) == "framework") else {
            return Ok(None);
        };
        let name = sentence.read[at].clause.text.clone();
        let whole = [name.as_str(), plain_version(version)];
        let clause = match self.idiom(None, &whole)? {
            Some((2, Idiom::Clause(clause))) => Some(clause),
            _ => self.unknown_version(&whole)?,
        };
        let Some(clause) = clause else { return Ok(None) };
        // The version says of which framework it is.
        sentence.read.remove(at);
        sentence.push(None, clause);
        Ok(Some(2))
    }
}

fn is_number(word: &str) -> bool {
    !word.is_empty() && word.bytes().all(|byte| byte.is_ascii_digit())
}

fn plain_version(word: &str) -> &str {
    word.trim_end_matches([',', '?', '.'])
}
