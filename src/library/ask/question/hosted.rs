//! A board and what is plugged into it: the rows of a `raspberry pi 4 + coral` are those of the accelerator, whose host the board is.

use super::error::QueryError;
use super::interpreter::Interpreter;
use super::sentence::Sentence;
use super::vocabulary::plain_words;
use crate::model::{Device, Facet, Lookup as _};
use crate::values::HardwareClass;
use crate::values::spelling::normalise;

/// Signs and words that join the two.
const JOINING: &[&str] = &["+", "plus"];

/// A shorter word begins too many names.
const LEAST_LETTERS: usize = 4;

impl Interpreter<'_> {
    /// A sign between a processor and an accelerator, which takes the place of its host; how many words it takes.
    pub(super) fn accelerator_of_host<'w>(
        &mut self,
        words: &[&'w str],
        sentence: &mut Sentence<'w>,
    ) -> Result<Option<usize>, QueryError> {
        if !JOINING.contains(&words[0]) || words.len() < 2 {
            return Ok(None);
        }
        let length = self.longest_name(&words[1..])?.max(1);
        let name = &words[1..=length];
        let called = normalise(&name.concat());
        let names = match self.stores.database.exact(&called)? {
            // The first word of several: `+ coral`.
            none if none.is_empty() && called.len() >= LEAST_LETTERS => self.stores.database.beginning(&called)?,
            names => names,
        };
        let plugged: Vec<String> =
            names.into_iter().filter(|name| name.facet == Facet::Device).map(|name| name.value).collect();
        if plugged.is_empty() || self.are_of(&plugged, HardwareClass::Cpu)? {
            return Ok(None);
        }
        self.flush(sentence)?;
        let Some(host) = sentence.read.last().filter(|read| read.facet == Some(Facet::Device)) else { return Ok(None) };
        let ids: Vec<String> =
            host.clause.readings.iter().flat_map(|reading| reading.read_as.values.iter().cloned()).collect();
        if host.clause.is_excluded() || !self.are_of(&ids, HardwareClass::Cpu)? {
            return Ok(None);
        }
        if let Some(host) = sentence.read.pop() {
            sentence.link = host.link;
            let plugged = plain_words(&name.join(" "));
            self.hints.leads.push(format!(
                "`{}` is read as the host of `{plugged}`, whose rows are told on whatever host they state.",
                host.clause.text
            ));
            self.heard.push(host.clause.text);
        }
        Ok(Some(1))
    }

    /// Whether all devices are of a class.
    pub(super) fn are_of(&self, ids: &[String], class: HardwareClass) -> Result<bool, QueryError> {
        for id in ids {
            let device = self.stores.database.entity::<Device>(id)?;
            if device.is_none_or(|device| device.class != class) {
                return Ok(false);
            }
        }
        Ok(!ids.is_empty())
    }
}
