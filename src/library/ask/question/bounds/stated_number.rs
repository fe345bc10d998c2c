//! Numbers that a sentence states: sizes, years, versions, accuracies, counts of devices and of parameters.

use super::comparison::{BoundInWords, comparison};
use super::units::unit_at;
use crate::ask::question::clause::Clause;
use crate::ask::question::comparative_words::is_comparative;
use crate::ask::question::error::QueryError;
use crate::ask::question::facing::kind_of;
use crate::ask::question::interpreter::Interpreter;
use crate::ask::question::quantization::bits_of_quantization;
use crate::ask::question::sentence::Sentence;
use crate::ask::question::sides::ReadClause;
use crate::ask::question::vocabulary::{COUNTS, DEVICE_NOUNS, Meaning, longest_phrase, plain};
use crate::ask::question::years::years;
use crate::model::{Aspect, Field, Lookup as _};
use crate::values::Unit;
use crate::values::spelling::normalise;

/// How many words were taken, and the condition that they state, where they state one.
type Taken = Option<(usize, Option<Clause>)>;

impl Interpreter<'_> {
    /// A size, a year, an accuracy or a number of parameters; no clause where it constrains nothing.
    pub(in crate::ask::question) fn stated_number(
        &mut self,
        words: &[&str],
        sentence: &Sentence<'_>,
    ) -> Result<Option<(usize, Option<Clause>)>, QueryError> {
        let some = |(taken, clause)| Some((taken, Some(clause)));
        if let Some(taken) = self.all_graded_classes(words)? {
            return Ok(Some((taken, None)));
        }
        if let Some(found) = self.version_bound(words)? {
            return Ok(some(found));
        }
        if let Some(found) = self.number_on_axis(words, sentence)? {
            return Ok(some(found));
        }
        if let Some(found) = self.numbered_field(words)? {
            return Ok(some(found));
        }
        if let Some(found) = years(words) {
            self.note_date(words, &found.1.text, sentence);
            return Ok(some(found));
        }
        if let Some(found) = self.limit_by_entity(words, sentence)? {
            return Ok(Some(found));
        }
        // `time to reach 94%`
        let last = self.hints.mentions.last().filter(|_| sentence.after_quantity);
        let reaches = last.is_some_and(|mention| ["reach", "until"].iter().any(|word| mention.text.ends_with(word)));
        if let Some(found) = self.relative_target(words, sentence)? {
            return Ok(some(found));
        }
        if let Some(found) = self.accuracy(words, reaches)? {
            return Ok(Some(found));
        }
        if let Some(found) = self.counts(words)? {
            return Ok(some(found));
        }
        if let Some(found) = self.numbers_along(words)? {
            return Ok(Some(found));
        }
        if let Some(found) = self.count_of_several(words, sentence)? {
            return Ok(Some(found));
        }
        // `is TensorRT 10 faster than 8`: a version is compared with another one.
        let is_version = |read: &ReadClause| {
            let of = read.clause.readings.first().map(|reading| reading.read_as.facet.as_str());
            of == Some(Field::FrameworkVersion.key())
        };
        let compares_versions = sentence.names.is_empty()
            && sentence.read.last().is_some_and(is_version)
            && is_comparative(words[0])
            && words.get(1).is_some_and(|word| plain(word) == "than");
        if compares_versions {
            return Ok(None);
        }
        if let Some(found) = self.faster_than_count(words, sentence)? {
            return Ok(found);
        }
        if let Some(found) = self.size(words)? {
            return Ok(Some(found));
        }
        // The 7b of `mistral 7b` is no size of other networks where nothing is called mistral.
        let unknown = match sentence.names.last() {
            Some(name) => {
                bits_of_quantization(name).is_none()
                    && self.longest_name(&[name])? == 0
                    && self.stores.database.beginning(&normalise(name))?.is_empty()
            }
            None => false,
        };
        Ok(if unknown { None } else { self.parameters(words)?.and_then(some) })
    }

    /// `is a single gpu faster than two`, `is one V100 faster than two K80s`: numbers of devices are set against each other, those of one
    /// device along the axis, those of two as their sides; `None` where no such number is.
    fn faster_than_count(&mut self, words: &[&str], sentence: &Sentence<'_>) -> Result<Option<Taken>, QueryError> {
        let [compares, than, number, behind @ ..] = words else { return Ok(None) };
        let in_words = COUNTS.iter().find(|(name, _)| plain(number) == *name).map(|(_, count)| *count);
        let count = in_words.or_else(|| plain(number).parse::<i64>().ok());
        let counts_devices = sentence.read.iter().any(|read| kind_of(&read.clause) == Field::DeviceCount.key());
        let Some(count) = count.filter(|_| counts_devices) else { return Ok(None) };
        if !is_comparative(compares) || plain(than) != "than" {
            return Ok(None);
        }
        let is_ended = behind.is_empty() || number.ends_with(['?', ',', ';']);
        if is_ended || DEVICE_NOUNS.contains(&plain(behind[0]).as_str()) {
            let text = words[..3].join(" ");
            self.hints.along.push((text.clone(), Aspect::Field(Field::DeviceCount)));
            let clause = self.any_count(&text, Field::DeviceCount, &[count])?;
            return Ok(Some(Some((3, Some(clause)))));
        }
        // What stands behind is read as a side.
        Ok(if self.begins_with_device(behind)? { Some(None) } else { None })
    }

    /// `at least 4` behind `multi-gpu runs`: how many devices are meant.
    fn count_of_several(
        &mut self,
        words: &[&str],
        sentence: &Sentence<'_>,
    ) -> Result<Option<(usize, Option<Clause>)>, QueryError> {
        let of_devices = |read: &ReadClause| kind_of(&read.clause) == Field::DeviceCount.key();
        if !sentence.names.is_empty() || !sentence.read.last().is_some_and(of_devices) {
            return Ok(None);
        }
        let Some((taken, compared @ BoundInWords::Than(..))) = comparison(words, &unit_at) else { return Ok(None) };
        let Some(bounds) = compared.bounds(Unit::Count).filter(|_| !compared.has_unit()) else { return Ok(None) };
        if self.names_product(words)?
            || longest_phrase(&words[taken..]).is_some_and(|(_, meaning)| is_measured(meaning))
        {
            return Ok(None);
        }
        let clause = self.sized(&words[..taken].join(" "), Aspect::Field(Field::DeviceCount), bounds)?;
        Ok(Some((taken, clause)))
    }
}

/// Whether a phrase names something that a number behind a comparison may be of.
fn is_measured(meaning: Meaning) -> bool {
    matches!(meaning, Meaning::Asks(_) | Meaning::AsksFor(_) | Meaning::Along(_))
}
