//! Idioms that say more than a name: `best`, `single A100`, `8x V100`, `batch 16`, `cuda 9`, `pytorch 1.0`,
//! `tested on lstm`, `with a c++ api`.

use std::collections::BTreeSet;
use std::ops::Bound;

use super::clause::Clause;
use super::error::QueryError;
use super::interpreter::Interpreter;
use super::order::Superlative;
use super::vocabulary::{COUNTS, Cue, DEVICE_NOUNS, KIND_NOUNS, Meaning, SUPERLATIVES, meaning_of, plain};
use crate::model::{Aspect, Facet, Fact, FactValue, Field, Lookup as _, Part};
use crate::stores::index::Condition;
use crate::stores::resolve::named;
use crate::values::spelling::normalise;
use crate::values::{ComputeUnit, EntityKind};

/// What a turn of phrase means.
pub(super) enum Idiom {
    /// A condition.
    Clause(Clause),
    /// An order, which the metric of the question completes.
    Superlative(String, Superlative),
    /// What kind of thing is asked for.
    About(EntityKind),
    /// Nothing more: it has had its effect.
    Done,
}

/// The largest bare number in front of a device's name that counts devices: larger ones are years and products.
const MOST_BARE: i64 = 512;

/// Fields of a row that are asked for by their name and a value.
const NAMED_FIELDS: &[(&str, Field)] = &[("cuda", Field::Cuda), ("cudnn", Field::Cudnn), ("driver", Field::Driver)];

impl Interpreter<'_> {
    /// The turn of phrase that these words begin with, and how many of them it takes.
    ///
    /// `before` is the plain word in front of them.
    pub(super) fn idiom(&mut self, before: Option<&str>, words: &[&str]) -> Result<Option<(usize, Idiom)>, QueryError> {
        let Some(first) = words.first().map(|word| plain(word)) else {
            return Ok(None);
        };
        if let Some(found) = self.several_servers(words, &first)? {
            return Ok(Some(found));
        }
        if let Some(found) = self.modality(words)? {
            return Ok(Some(found));
        }
        if let Some(found) =
            self.stated_absence(words, &first, &words.get(1).map(|word| plain(word)).unwrap_or_default())?
        {
            return Ok(Some(found));
        }
        if let Some((taken, clause)) = self.provider(words)? {
            return Ok(Some((taken, Idiom::Clause(clause))));
        }
        if let Some(clause) = self.division(words[0], &first)? {
            return Ok(Some((1, Idiom::Clause(clause))));
        }
        // `single stream` is the name of something else.
        if words.len() > 1 && !self.stores.database.exact(&normalise(&words[..2].concat()))?.is_empty() {
            return Ok(None);
        }
        // Nor is `m1 max`, whose first word stands before these.
        let joins = before.is_some_and(|before| !normalise(before).is_empty());
        if joins
            && !self.stores.database.exact(&normalise(&[before.unwrap_or_default(), words[0]].concat()))?.is_empty()
        {
            return Ok(None);
        }
        let second = words.get(1).map(|word| plain(word)).unwrap_or_default();
        if let Some((count, taken)) = size_after(words, &["batch", "bs", "batchsize"], "size") {
            // `batch size 1 8 32`: the numbers are read together.
            let goes_on = words.get(taken).is_some_and(|next| plain(next).parse::<i64>().is_ok());
            if goes_on && let Some((more, Some(clause))) = self.numbers_along(&words[taken - 1..])? {
                return Ok(Some((taken - 1 + more, Idiom::Clause(clause))));
            }
            return Ok(Some((taken, self.number_idiom(&words[..taken], Field::BatchSize, count)?)));
        }
        // `b32`, where nothing is called so; the `b0` of a name that is spelled amiss is none.
        let is_size =
            |count: &i64| *count > 8 || before.is_some_and(|before| before.contains(|c: char| c.is_ascii_digit()));
        if let Some(count) = first.strip_prefix('b').and_then(|digits| digits.parse::<i64>().ok()).filter(is_size)
            && self.stores.database.exact(&normalise(&first))?.is_empty()
        {
            return Ok(Some((1, self.number_idiom(&words[..1], Field::BatchSize, count)?)));
        }
        if let Some((count, taken)) = size_after(words, &["seq", "sequence", "seqlen"], "length") {
            return Ok(Some((taken, self.number_idiom(&words[..taken], Field::SequenceLength, count)?)));
        }
        // `npu results`: the part of a chip that ran it.
        if matches!(first.as_str(), "npu" | "npus") && self.stores.database.exact(&normalise(&first))?.is_empty() {
            let npu: &str = ComputeUnit::Npu.into();
            let (condition, _) = self.with_value(Field::ComputeUnit, |stated| stated == npu)?;
            let filter = format!("{}:{npu}", Field::ComputeUnit);
            let clause = Clause::of(words[0], Field::ComputeUnit.key(), vec![npu.to_owned()], filter, condition);
            return Ok(Some((1, Idiom::Clause(clause))));
        }
        // `p99 latency`
        if matches!(first.as_str(), "p90" | "p95" | "p99") {
            let (condition, _) = self.with_value(Field::Statistic, |stated| stated == first)?;
            let filter = format!("{}:{first}", Field::Statistic);
            let clause = Clause::of(words[0], Field::Statistic.key(), vec![first], filter, condition);
            return Ok(Some((1, Idiom::Clause(clause))));
        }
        if self.epochs(words) {
            return Ok(Some((1, Idiom::Done)));
        }
        // `all 12 grades`
        if first.parse::<u8>().is_ok()
            && matches!(meaning_of(&words[1..words.len().min(2)]), Some(Meaning::Cue(Cue::Grades)))
        {
            return Ok(Some((1, Idiom::Done)));
        }
        if let Some(found) = self.limit(words, &first, &second) {
            return Ok(Some(found));
        }
        if let (Ok(count), "threads" | "thread") = (first.parse::<i64>(), second.as_str()) {
            return Ok(Some((2, self.number_idiom(&words[..2], Field::Threads, count)?)));
        }
        if let Some(found) = self.counted_devices(words, &first, &second, before.is_none())? {
            return Ok(Some(found));
        }
        if let Some((_, superlative)) = SUPERLATIVES.iter().find(|(word, _)| *word == first) {
            if let (true, Ok(limit)) = (matches!(first.as_str(), "top" | "bottom"), second.parse::<usize>()) {
                self.limit = Some(limit);
                return Ok(Some((2, Idiom::Superlative(words[..2].join(" "), *superlative))));
            }
            return Ok(Some((1, Idiom::Superlative(words[0].to_owned(), *superlative))));
        }
        if let Some((_, field)) = NAMED_FIELDS.iter().find(|(word, _)| *word == first)
            && is_version(&second)
        {
            return self.versioned(&words[..2], &second, None, *field);
        }
        if let Some(found) = self.major_version(words, &first, &second)? {
            return Ok(Some(found));
        }
        if is_version(&second) {
            for name in self.stores.database.exact(&normalise(&first))? {
                if name.facet == Facet::Framework {
                    return self.versioned(&words[..2], &second, Some(&name.value), Field::FrameworkVersion);
                }
            }
        }
        if let Some(found) = self.memory(words, &first)? {
            return Ok(Some(found));
        }
        if matches!(second.as_str(), "backend" | "backends") {
            return self.backend(words);
        }
        if first == "tested" && matches!(second.as_str(), "on" | "with" | "for") {
            // What was run on a device is a row, and no test that a framework lists.
            return if self.asks_for_runs() { Ok(Some((2, Idiom::Done))) } else { self.tested(words) };
        }
        if let Some(found) = self.language(words, &first, &second)? {
            return Ok(Some(found));
        }
        let kind = KIND_NOUNS.iter().find(|(noun, _)| *noun == first);
        Ok(kind.map(|(_, kind)| (1, Idiom::About(*kind))))
    }

    /// `list 3`, `top 5`, `the 5 fastest`, `3 cheapest`: how many are wanted.
    fn limit(&mut self, words: &[&str], first: &str, second: &str) -> Option<(usize, Idiom)> {
        const LISTING: &[&str] = &["list", "show", "name", "first", "give"];
        let count = |word: &str| -> Option<usize> {
            let in_words =
                COUNTS.iter().find(|(name, count)| *name == word && *count > 1).map(|(_, count)| *count as usize);
            word.parse().ok().or(in_words).filter(|count| (1..=100).contains(count))
        };
        let superlative = |word: &str| SUPERLATIVES.iter().find(|(name, _)| *name == word).map(|(_, meant)| *meant);
        if let (Some(limit), Some(meant)) = (count(first), superlative(second)) {
            self.limit = Some(limit);
            return Some((2, Idiom::Superlative(words[1].to_owned(), meant)));
        }
        // `list 3` at the end, or of something: `list 8 gpu results` is no limit.
        let ends =
            words.get(2).is_none_or(|next| matches!(plain(next).as_str(), "of" | "best" | "devices" | "networks"));
        if LISTING.contains(&first)
            && ends
            && let Some(limit) = count(second)
        {
            self.limit = Some(limit);
            return Some((2, Idiom::Done));
        }
        None
    }

    pub(super) fn number_idiom(&self, words: &[&str], field: Field, count: i64) -> Result<Idiom, QueryError> {
        let value = Bound::Included(count as f64);
        let filter = format!("{field}:{count}");
        let condition = self.within(field, (value, value))?;
        Ok(Idiom::Clause(Clause::of(&words.join(" "), field.key(), vec![count.to_string()], filter, condition)))
    }

    /// `fastest multi-node training`: rows say how many devices ran and not in how many servers, so that several devices are
    /// all that can be asked for. Of frameworks it is a filter.
    fn several_servers(&mut self, words: &[&str], first: &str) -> Result<Option<(usize, Idiom)>, QueryError> {
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
    fn several_devices(&self, words: &[&str]) -> Result<Clause, QueryError> {
        let field = Field::DeviceCount;
        let condition = self.within(field, (Bound::Included(2.0), Bound::Unbounded))?;
        Ok(Clause::of(&words.join(" "), field.key(), vec![">=2".to_owned()], format!("{field}>=2"), condition))
    }

    /// `no cudnn`, where a source says so itself: the value of the field that holds it.
    fn stated_absence(&self, words: &[&str], first: &str, second: &str) -> Result<Option<(usize, Idiom)>, QueryError> {
        if !matches!(first, "no" | "without" | "w/o") || second.is_empty() {
            return Ok(None);
        }
        let field = Field::KernelLibrary;
        let says = format!("no {second}");
        let (condition, _) = self.with_value(field, |stated| stated.eq_ignore_ascii_case(&says))?;
        if condition == Condition::Any(Vec::new()) {
            return Ok(None);
        }
        let filter = format!("{field}:{}", super::clause::quoted(&says));
        let clause = Clause::of(&words[..2].join(" "), field.key(), vec![says], filter, condition);
        Ok(Some((2, Idiom::Clause(clause))))
    }

    /// `single A100`, `8 gpus`, `8x V100`, `multi-gpu`.
    fn counted_devices(
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
            return Ok(Some((taken, self.number_idiom(&words[..taken], Field::DeviceCount, count)?)));
        }
        // A bare number in front of a name is as likely to be a part of something else, unless a phrase stands in front of it:
        // `on 8 V100`.
        let is_number = named(&words[..1], &self.stores.database)?.is_empty() && (2..=MOST_BARE).contains(&count);
        let is_apart = is_alone && is_number && named(&words[..2.min(words.len())], &self.stores.database)?.is_empty();
        if (times.is_some() || in_words.is_some() || is_apart) && self.begins_with_device(&words[1..])? {
            return Ok(Some((1, self.number_idiom(&words[..1], Field::DeviceCount, count)?)));
        }
        Ok(None)
    }

    pub(super) fn begins_with_device(&self, words: &[&str]) -> Result<bool, QueryError> {
        for length in 1..=words.len().min(4) {
            let names = self.stores.database.exact(&normalise(&words[..length].concat()))?;
            if names.iter().any(|name| matches!(name.facet, Facet::Device | Facet::Class)) {
                return Ok(true);
            }
        }
        Ok(false)
    }

    /// A version behind the name of what has it; no idiom when no row has that version.
    fn versioned(
        &mut self,
        words: &[&str],
        version: &str,
        framework: Option<&str>,
        field: Field,
    ) -> Result<Option<(usize, Idiom)>, QueryError> {
        let mut condition = self.with_value(field, |value| super::filters::is_version_of(version, value))?.0;
        let mut equivalent = format!("{field}:{version}");
        let mut values = vec![version.to_owned()];
        if let Some(framework) = framework {
            let (numbers, backends) = self.setups_of(framework, version)?;
            if numbers.is_empty() {
                return Ok(None);
            }
            condition = Condition::Shares(Part::Setup, numbers);
            equivalent = format!("framework:{framework} {field}:{version}");
            if backends {
                equivalent = format!("({equivalent} OR (backend:{framework} backend-version:{version}))");
            }
            values.insert(0, framework.to_owned());
        }
        if condition == Condition::Any(Vec::new()) {
            return Ok(None);
        }
        let clause = Clause::of(&words.join(" "), field.key(), values, equivalent, condition);
        Ok(Some((words.len(), Idiom::Clause(clause))))
    }

    /// `pytorch 1.x`: any version that begins so.
    fn major_version(
        &mut self,
        words: &[&str],
        first: &str,
        second: &str,
    ) -> Result<Option<(usize, Idiom)>, QueryError> {
        let Some(version) = second.strip_suffix(".x").or_else(|| second.strip_suffix(".*")) else { return Ok(None) };
        let version = version.trim_start_matches('v');
        if !is_version(version) {
            return Ok(None);
        }
        let names = self.stores.database.exact(&normalise(first))?;
        match names.into_iter().find(|name| name.facet == Facet::Framework) {
            Some(name) => self.versioned(&words[..2], version, Some(&name.value), Field::FrameworkVersion),
            None => Ok(None),
        }
    }

    /// `pytorch 2.0` where no row has that version: a side of a comparison without rows.
    pub(super) fn unknown_version(&self, words: &[&str]) -> Result<Option<Clause>, QueryError> {
        let [name, version] = words else { return Ok(None) };
        let names = self.stores.database.exact(&normalise(name))?;
        let Some(name) = names.into_iter().find(|name| name.facet == Facet::Framework && is_version(version)) else {
            return Ok(None);
        };
        let field = Field::FrameworkVersion;
        // A range, since a version that nothing has is a mistake in a filter.
        let filter = format!("framework:{} {field}:{version}..{version}", name.value);
        let values = vec![name.value, (*version).to_owned()];
        Ok(Some(Clause::of(&words.join(" "), field.key(), values, filter, Condition::Any(Vec::new()))))
    }

    /// The setups that run a version of a framework, and whether any has it as a backend.
    fn setups_of(&self, framework: &str, version: &str) -> Result<(Vec<u32>, bool), QueryError> {
        let store = &self.stores.database;
        let running = |name: Field, of: Field| -> Result<BTreeSet<u32>, QueryError> {
            let named = store.aspect(Aspect::Field(name))?.shares_with(|value| value == framework);
            let of = store.aspect(Aspect::Field(of))?;
            let is = |share: &u32| of.of(*share).is_some_and(|value| super::filters::is_version_of(version, value));
            Ok(named.into_iter().filter(is).collect())
        };
        let mut setups = running(Field::Framework, Field::FrameworkVersion)?;
        let behind = running(Field::Backend, Field::BackendVersion)?;
        let backends = !behind.is_empty();
        setups.extend(behind);
        Ok((setups.into_iter().collect(), backends))
    }

    /// `24GB memory`, `24 gb vram`, `24GB`: the devices that have as much.
    fn memory(&mut self, words: &[&str], first: &str) -> Result<Option<(usize, Idiom)>, QueryError> {
        let unit = |text: &str| matches!(text, "gb" | "gib");
        let digits = first.trim_end_matches(|c: char| c.is_ascii_alphabetic());
        let (number, mut taken) = match words.get(1) {
            _ if unit(&first[digits.len()..]) => (digits, 1),
            Some(second) if unit(&plain(second)) && digits.len() == first.len() => (first, 2),
            _ => return Ok(None),
        };
        let Ok(size) = number.parse::<f64>() else { return Ok(None) };
        taken += words[taken..]
            .iter()
            .take_while(|word| matches!(word.to_lowercase().as_str(), "of" | "memory" | "vram" | "ram"))
            .count();
        let devices = self.stores.database.entities_with(
            EntityKind::Device,
            Fact::Memory.key(),
            |value| matches!(value, FactValue::Number(number) if *number == size),
        )?;
        if devices.is_empty() {
            return Ok(None);
        }
        let condition = self.naming(EntityKind::Device, devices.into_iter().collect())?;
        let text = words[..taken].join(" ");
        let values = vec![format!("{number} GiB")];
        let equivalent = format!("{}:{number}", Fact::Memory);
        Ok(Some((taken, Idiom::Clause(Clause::of(&text, Fact::Memory.key(), values, equivalent, condition)))))
    }

    /// `tensorflow backend`: what stands behind Keras.
    fn backend(&mut self, words: &[&str]) -> Result<Option<(usize, Idiom)>, QueryError> {
        let names = self.stores.database.exact(&normalise(words[0]))?;
        let Some(name) = names.into_iter().find(|name| name.facet == Facet::Framework) else {
            return Ok(None);
        };
        let condition = self.with_value(Field::Backend, |value| value == name.value)?.0;
        if condition == Condition::Any(Vec::new()) {
            return Ok(None);
        }
        let text = words[..2].join(" ");
        let equivalent = format!("{}:{}", Field::Backend, name.value);
        Ok(Some((2, Idiom::Clause(Clause::of(&text, Field::Backend.key(), vec![name.value], equivalent, condition)))))
    }

    /// `closed vs open`: the divisions of a benchmark, where both are named.
    fn division(&self, word: &str, first: &str) -> Result<Option<Clause>, QueryError> {
        const DIVISIONS: [&str; 2] = ["closed", "open"];
        let words: Vec<String> = self.question.split_whitespace().map(plain).collect();
        let are_named = DIVISIONS.iter().all(|division| words.iter().any(|word| word == division));
        if !DIVISIONS.contains(&first) || !are_named {
            return Ok(None);
        }
        let field = Field::Division;
        let condition = self.with_value(field, |stated| stated == first)?.0;
        let filter = format!("{field}:{first}");
        Ok(Some(Clause::of(word, field.key(), vec![first.to_owned()], filter, condition)))
    }

    /// Whether runs are asked for, of devices or in an order: `slowest gpu tested on vgg16`.
    fn asks_for_runs(&self) -> bool {
        let is_superlative = |word: &str| SUPERLATIVES.iter().any(|(name, _)| *name == plain(word));
        self.hints.speaks_of(EntityKind::Device)
            || self.named_last == Some(Facet::Device)
            || self.question.split_whitespace().any(is_superlative)
    }

    /// `tested on lstm`: the frameworks that were.
    fn tested(&mut self, words: &[&str]) -> Result<Option<(usize, Idiom)>, QueryError> {
        let start = 2 + words[2..].iter().take_while(|word| matches!(**word, "a" | "an" | "the")).count();
        for end in (start + 1..=words.len().min(start + 4)).rev() {
            let names = self.stores.database.exact(&normalise(&words[start..end].concat()))?;
            for (facet, fact) in [(Facet::Network, Fact::TestedNetwork), (Facet::Dataset, Fact::TestedDataset)] {
                let ids: Vec<&str> =
                    names.iter().filter(|name| name.facet == facet).map(|name| name.value.as_str()).collect();
                if !ids.is_empty() {
                    let ids = ids.into_iter().map(str::to_owned).collect();
                    let clause = self.tested_on(&words[..end].join(" "), fact, ids)?;
                    return Ok(Some((end, Idiom::Clause(clause))));
                }
            }
        }
        Ok(Some((2, Idiom::Done)))
    }

    /// The frameworks that were tested on any of these networks or data sets.
    pub(super) fn tested_on(&self, text: &str, fact: Fact, ids: Vec<String>) -> Result<Clause, QueryError> {
        let frameworks = self.stores.database.entities_with(
            EntityKind::Framework,
            fact.key(),
            |value| matches!(value, FactValue::Word(word) if ids.contains(word)),
        )?;
        let condition = self.naming(EntityKind::Framework, frameworks.into_iter().collect())?;
        let equivalent = format!("{fact}:{}", ids.join(","));
        Ok(Clause::of(text, fact.key(), ids, equivalent, condition))
    }

    /// `c++ api`, `python interface`, `written in c++`.
    fn language(&mut self, words: &[&str], first: &str, second: &str) -> Result<Option<(usize, Idiom)>, QueryError> {
        let (language, taken, fact) = match (first, second) {
            ("written", "in") if words.len() > 2 => (words[2], 3, Fact::CoreLanguage),
            (_, "api" | "apis" | "interface" | "bindings") => (words[0], 2, Fact::ApiLanguage),
            (_, "core") => (words[0], 2, Fact::CoreLanguage),
            _ => return Ok(None),
        };
        let names = self.stores.database.exact(&normalise(language))?;
        let Some(name) = names.into_iter().find(|name| name.facet == Facet::Language) else {
            return Ok(None);
        };
        let frameworks = self.stores.database.entities_with(
            EntityKind::Framework,
            fact.key(),
            |value| matches!(value, FactValue::Word(word) if *word == name.value),
        )?;
        let condition = self.naming(EntityKind::Framework, frameworks.into_iter().collect())?;
        let equivalent = format!("{fact}:{}", super::clause::quoted(&name.value));
        let text = words[..taken].join(" ");
        Ok(Some((taken, Idiom::Clause(Clause::of(&text, fact.key(), vec![name.value], equivalent, condition)))))
    }
}

/// `batch 16`, `batch size 16`, `batch size of 16`, `bs16`: the number, and how many words say it.
fn size_after(words: &[&str], names: &[&str], second: &str) -> Option<(i64, usize)> {
    let first = words[0].to_lowercase().replace(['-', '_'], "");
    for name in names {
        let whole = format!("{name}{second}");
        let Some(rest) = first.strip_prefix(&whole).or_else(|| first.strip_prefix(name)) else { continue };
        if let Ok(count) = rest.parse() {
            return Some((count, 1));
        }
        if rest.is_empty() {
            let skipped = words[1..].iter().take_while(|word| word.to_lowercase() == second || **word == "of").count();
            let count = words.get(1 + skipped)?.parse().ok()?;
            return Some((count, 2 + skipped));
        }
    }
    None
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

fn is_version(word: &str) -> bool {
    let word = word.strip_prefix('v').unwrap_or(word);
    word.starts_with(|c: char| c.is_ascii_digit())
        && word.chars().all(|c| c.is_ascii_digit() || c == '.')
        && !word.ends_with('.')
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sizes_are_read_in_every_usual_form() {
        for (words, expected) in [
            (&["batch", "16"][..], Some((16, 2))),
            (&["batch", "size", "of", "16", "v100"], Some((16, 4))),
            (&["bs16"], Some((16, 1))),
            (&["batch-size", "8"], Some((8, 2))),
            (&["batch", "norm"], None),
            (&["batch"], None),
            (&["bsd", "16"], None),
        ] {
            assert_eq!(size_after(words, &["batch", "bs", "batchsize"], "size"), expected, "{words:?}");
        }
    }

    #[test]
    fn versions_are_numbers_with_points() {
        assert!(is_version("1.0") && is_version("9") && is_version("v2.1.0"));
        assert!(!is_version("1.") && !is_version("v") && !is_version("16gb"));
    }
}
