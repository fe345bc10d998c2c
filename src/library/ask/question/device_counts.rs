//! How many devices ran: `single A100`, `8 gpus`, `8x V100`, `multi-gpu`, `more than one card`.

use std::ops::Bound;

use super::bounds::{comparator_behind, comparator_of_number, number_at, unit_at};
use super::clause::Clause;
use super::error::QueryError;
use super::filters::bounds_of;
use super::grammar::Operator;
use super::idioms::Idiom;
use super::interpreter::Interpreter;
use super::vocabulary::{COUNTS, Cue, DEVICE_NOUNS, plain};
use crate::model::{Aspect, Facet, Field, Lookup as _};
use crate::stores::database::Database;
use crate::stores::resolve::{MatchKind, named, read_words};
use crate::values::EntityKind;
use crate::values::spelling::normalise;

/// The largest bare number in front of a device's name that counts devices: larger ones are years and products.
const MOST_BARE: i64 = 512;

/// The largest bare number in front of a size that counts devices: `4 24 GB cards`.
const MOST_SIZED: i64 = 17;

/// No more devices than this have worked together.
pub(super) const LARGEST_SYSTEM: i64 = 16384;

impl Interpreter<'_> {
    /// `fastest multi-node training`: rows say how many devices ran and not in how many servers, so that several devices are
    /// all that can be asked for. Of frameworks it is a filter.
    pub(super) fn several_servers(
        &mut self,
        words: &[&str],
        first: &str,
    ) -> Result<Option<(usize, Idiom)>, QueryError> {
        let second = words.get(1).map(|word| plain(word)).unwrap_or_default();
        let apart = matches!(first, "multi" | "multiple" | "several")
            && matches!(second.as_str(), "node" | "nodes" | "server" | "servers" | "machine" | "machines");
        let of_frameworks = matches!(self.about, Some((_, EntityKind::Framework)))
            || self.hints.nouns.iter().any(|noun| noun.aspect == Aspect::Field(Field::Framework));
        let of_rows = self.hints.ranks || self.hints.has(Cue::Scaling);
        if !of_rows || of_frameworks || !(apart || matches!(first, "multi-node" | "multinode" | "multi-server")) {
            return Ok(None);
        }
        let taken = 1 + usize::from(apart);
        let text = words[..taken].join(" ");
        self.leave_out(&text);
        let clause = self.several_devices(&words[..taken])?;
        Ok(Some((taken, Idiom::Clause(clause))))
    }

    /// Rows of at least two devices.
    pub(super) fn several_devices(&self, words: &[&str]) -> Result<Clause, QueryError> {
        let field = Field::DeviceCount;
        let condition = self.within(field, (Bound::Included(2.0), Bound::Unbounded))?;
        Ok(Clause::of(&words.join(" "), field.key(), vec![">=2".to_owned()], format!("{field}>=2"), condition))
    }

    /// `single A100`, `8 gpus`, `8x V100`, `multi-gpu`.
    pub(super) fn counted_devices(
        &mut self,
        words: &[&str],
        first: &str,
        second: &str,
        is_alone: bool,
    ) -> Result<Option<(usize, Idiom)>, QueryError> {
        let apart = matches!(first, "multi" | "multiple" | "several") && DEVICE_NOUNS.contains(&second);
        if let Some(taken) = more_than_one(words) {
            return self.several_devices(&words[..taken]).map(|clause| Some((taken, Idiom::Clause(clause))));
        }
        if matches!(first, "multi-gpu" | "multigpu" | "multi-gpus" | "multi-device") || apart {
            let clause = self.several_devices(&words[..1])?;
            return Ok(Some((1 + usize::from(apart), Idiom::Clause(clause))));
        }
        let times = first.strip_suffix(['x', '×', '*']).and_then(|count| count.parse().ok());
        let in_words = COUNTS.iter().find(|(word, _)| *word == first).map(|(_, count)| *count);
        let Some(count) = times.or(in_words).or_else(|| first.parse::<i64>().ok()).filter(|count| *count > 0) else {
            return Ok(None);
        };
        if DEVICE_NOUNS.contains(&second) {
            // `8 gpus` says what they are, `8 devices` does not.
            let taken = if second.starts_with("gpu") || second.starts_with("tpu") { 1 } else { 2 };
            // `64 gpus and up`: what stands behind the noun is of the number.
            if let Some((_, operator)) = comparator_behind(&words[2..]).or_else(|| at_end(&words[2..])) {
                let bounds = bounds_of(operator, count as f64);
                let clause = self.sized(&words[..taken].join(" "), Aspect::Field(Field::DeviceCount), bounds)?;
                return Ok(clause.map(|clause| (taken, Idiom::Clause(clause))));
            }
            return Ok(Some((taken, self.number_idiom(&words[..taken], Field::DeviceCount, count)?)));
        }
        // `one 24 GB card`
        let sized = || number_at(&words[1..], &unit_at).filter(|(_, size)| size.to_lowercase().ends_with("gb"));
        if (in_words.is_some() || count < MOST_SIZED)
            && let Some((size, _)) = sized()
            && words.get(1 + size).is_some_and(|noun| DEVICE_NOUNS.contains(&plain(noun).as_str()))
        {
            return Ok(Some((1, self.number_idiom(&words[..1], Field::DeviceCount, count)?)));
        }
        // `does it fit on 2x 24GB`
        if times.is_some() && sized().is_some() {
            return Ok(Some((1, self.number_idiom(&words[..1], Field::DeviceCount, count)?)));
        }
        // `4 x K80`
        let is_times = matches!(second, "x" | "×" | "*") && times.is_none() && in_words.is_none();
        if is_times && self.begins_with_device(&words[2..])? {
            return Ok(Some((2, self.number_idiom(&words[..2], Field::DeviceCount, count)?)));
        }
        // A bare number in front of a name is as likely to be a part of something else, unless a phrase stands in front of it:
        // `on 8 V100`.
        let is_number = named(&words[..1], &self.stores.database)?.is_empty() && is_bare_count(count);
        let is_apart = is_alone && is_number && named(&words[..2.min(words.len())], &self.stores.database)?.is_empty();
        if (times.is_some() || in_words.is_some() || is_apart) && self.begins_with_device(&words[1..])? {
            return Ok(Some((1, self.number_idiom(&words[..1], Field::DeviceCount, count)?)));
        }
        Ok(None)
    }

    /// Whether words begin with the name of a device or of a class of them.
    pub(super) fn begins_with_device(&self, words: &[&str]) -> Result<bool, QueryError> {
        for length in 1..=words.len().min(4) {
            let names = self.stores.database.exact(&normalise(&words[..length].concat()))?;
            if names.iter().any(|name| matches!(name.facet, Facet::Device | Facet::Class)) {
                return Ok(true);
            }
        }
        // `8x H20`, of which nothing is called no more than that.
        let Some(first) = words.first().filter(|word| word.len() > 2) else { return Ok(false) };
        let read = read_words::<Database>(&[*first], &self.stores.database, |_| Ok(true))?;
        Ok(read.iter().any(|one| one.facet == Some(Facet::Device) && one.how == MatchKind::Family))
    }
}

/// The comparator behind a noun that ends what is said: the `at most` of `8 gpus at most, mlperf`.
fn at_end(words: &[&str]) -> Option<(usize, Operator)> {
    let (taken, operator) = comparator_of_number(words)?;
    let ends = taken == words.len() || words[taken - 1].ends_with([',', ';', '.', '?']);
    ends.then_some((taken, operator))
}

/// Whether a bare number in front of a name may count devices: larger systems are made of powers of two.
fn is_bare_count(count: i64) -> bool {
    (2..=MOST_BARE).contains(&count) || (MOST_BARE..=LARGEST_SYSTEM).contains(&count) && count.count_ones() == 1
}

/// `more than one gpu`, `more than a single card`: how many words say that there are several devices.
fn more_than_one(words: &[&str]) -> Option<usize> {
    let plain_words: Vec<String> = words.iter().take(5).map(|word| plain(word)).collect();
    let plain_words: Vec<&str> = plain_words.iter().map(String::as_str).collect();
    let taken = match plain_words.as_slice() {
        ["more", "than", "a" | "one", "single", noun, ..] if DEVICE_NOUNS.contains(noun) => 5,
        ["more", "than", "a" | "one" | "1", noun, ..] if DEVICE_NOUNS.contains(noun) => 4,
        ["many" | "two", "or", "more", noun, ..] if DEVICE_NOUNS.contains(noun) => 4,
        _ => return None,
    };
    Some(taken)
}
