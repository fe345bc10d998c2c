//! The sentence that sums up the numbers found.

use std::collections::BTreeMap;

use indexmap::IndexMap;

use super::regimes::{InOneRegime, in_one_regime};
use super::summary::Lookup;
use crate::ask::conclude::basis::evidence::{shared, sources, sources_of_setups};
use crate::ask::conclude::basis::named_alternatives::NamedAlternatives;
use crate::ask::conclude::basis::row_groups::{GroupRows, RowGroups};
use crate::ask::conclude::basis::spans::{LONGEST_VALUE, spans, told_apart};
use crate::ask::conclude::basis::unlike::UnlikeRows;
use crate::ask::conclude::basis::wording::{name_of, stage_name, three};
use crate::ask::hits::{HitColumns, PartNumbers};
use crate::ask::question::{QueryError, TimeUnit};
use crate::model::{Aspect, Derived, Direction, Field, LANGUAGE_TASKS, Measure, Metric, Network, Part, Value};
use crate::values::text::{and_list, counted, or_list};

/// So many groups are told in the sentence.
const IN_TEXT: usize = 3;

/// So many are told of what a question names side by side.
const MOST_APART: usize = 4;

/// A kilowatt-hour is so many joules.
const JOULES_IN_KWH: f64 = 3.6e6;

/// So many other regimes are told beside that of the headline; of the first of several groups, and of each further one, fewer, so
/// that all fit a few lines.
const BESIDE: usize = 3;
const BESIDE_FIRST: usize = 2;
const BESIDE_FURTHER: usize = 1;

/// What else a run chose that its speed hangs on: told of the best where others chose otherwise.
const CHOSEN: &[Field] = &[
    Field::Quantization,
    Field::WeightFormat,
    Field::KernelLibrary,
    Field::AttentionBackend,
    Field::Mode,
    Field::Partition,
    Field::Setting,
];

impl Lookup<'_> {
    /// The numbers found, those of the network that was asked for first.
    pub(super) fn text(&mut self, groups: &RowGroups) -> Result<String, QueryError> {
        let from = sources_of_setups(self.values, self.hits.distinct(Part::Setup));
        let from = match from.as_slice() {
            [only] => format!("from {only}"),
            several => format!("from {} sources", several.len()),
        };
        let alternatives = self.alternatives.take();
        let shown = alternatives.as_ref().map_or(IN_TEXT, |named| (MOST_APART / named.named.len()).clamp(1, IN_TEXT));
        let mut told = Vec::new();
        for group in self.first(groups, shown) {
            let Some(named) = &alternatives else {
                told.push(self.group_in_words(&group, (groups.len() > 1, told.is_empty()), false)?);
                continue;
            };
            for (at, (word, own)) in named.apart(self.hits, &group).into_iter().take(MOST_APART).enumerate() {
                let own = self.group_in_words(&own, (true, told.is_empty()), at > 0)?;
                told.push(format!("`{word}`: {own}"));
            }
        }
        if let Some(named) = &alternatives {
            told.extend(self.not_told_yet(groups, named, &told)?);
        }
        let missing = alternatives.map_or_else(String::new, |named| none_of(&named, self.hits));
        let more = match groups.len().saturating_sub(shown) {
            0 => String::new(),
            1 => " There is 1 network or stage more.".to_owned(),
            more => format!(" There are {more} networks and stages more."),
        };
        let fallen = self.fallen_in_words().unwrap_or_default() + &self.failed_in_words().unwrap_or_default();
        Ok(format!("{} {from}: {}.{more}{missing}{fallen}", counted(self.hits.len(), "row", "rows"), told.join("; ")))
    }

    /// The largest group of each of what is named side by side that none of the groups told is of.
    fn not_told_yet(
        &mut self,
        groups: &RowGroups,
        named: &NamedAlternatives,
        told: &[String],
    ) -> Result<Vec<String>, QueryError> {
        let leads = |word: &str| format!("`{word}`: ");
        let is_told = |word: &str, told: &[String]| told.iter().any(|one| one.starts_with(&leads(word)));
        let mut more: Vec<String> = Vec::new();
        let missing = named.missing(self.hits.distinct(named.part));
        let has_more = |word: &str| !is_told(word, told) && !missing.contains(&word);
        if !named.named.iter().any(|(word, _)| has_more(word)) {
            return Ok(more);
        }
        for group in self.first(groups, usize::MAX) {
            for (word, own) in named.apart(self.hits, &group) {
                if !is_told(word, told) && !is_told(word, &more) && told.len() + more.len() < MOST_APART {
                    more.push(format!("{}{}", leads(word), self.group_in_words(&own, (true, false), false)?));
                }
            }
        }
        Ok(more)
    }

    /// `ResNet-50 inference on 1 device 120 to 4500 images/s (9 rows, best: …), on 2 to 8 devices 900 to 30000 (12 rows)`.
    /// Of the first group it is told as well what its rows do not state, where nothing else tells them apart.
    /// In brief it is of the same work as what is told before it.
    fn group_in_words(
        &mut self,
        group: &GroupRows,
        (several, is_first): (bool, bool),
        brief: bool,
    ) -> Result<String, QueryError> {
        // What follows from a rate was metered by nobody.
        let metric = match self.derived {
            Some(derived) if derived != Derived::EpochEnergyJ => derived.rate(),
            _ => self.measure(group.metric).basis(),
        };
        let InOneRegime { group, which, others } = in_one_regime(self.values, self.hits, group.clone(), metric);
        let best = group.best(self.measure(group.metric).direction(), 1);
        let Some((_, best)) = best.first() else { return Ok(String::new()) };
        let first = &self.hits.parts(*best);
        let text = |field: Field| self.values.text(Aspect::Field(field), first).map(str::to_owned);
        let (network, stage) = (text(Field::Network), text(Field::Stage));
        let mut words: Vec<String> = Vec::new();
        if let Some(network) = network.filter(|_| !brief) {
            words.push(self.names.of(Aspect::Field(Field::Network), &network, self.stores)?);
        }
        words.extend(stage.filter(|_| !brief).map(|stage| stage_name(&stage).to_owned()));
        let derived = self.derived.filter(|_| !brief);
        words.extend(derived.map(|derived| name_of(Measure::Derived(derived)).to_owned()));
        words.extend(Some(which).filter(|which| !which.is_empty()));
        let (scale, unit) = self.told_in(&group);
        // A rate and a latency are known by their units; a number of seconds may be that of an epoch or of a training.
        let is_known = matches!(group.metric, Metric::ThroughputPerS | Metric::LatencyMs);
        let named = self.derived.is_none() && (unit.is_empty() || !is_known) && !brief;
        words.extend(named.then(|| name_of(self.measure(group.metric)).to_owned()));
        words.push(range_in_words(&group, scale));
        words.extend(Some(unit).filter(|unit| !unit.is_empty()));
        let parts = self.parts(&group);
        let rows = UnlikeRows::of(self.values, &parts);
        let apart = rows.apart_in(group.metric);
        let mut mixed = spans(self.values, &parts, |field| !is_of_range(field) || apart.contains(&field));
        mixed.extend(kinds_of_data(&rows));
        let across = self.none_best_across(&rows, &apart, parts.len())?;
        let one_ranking = across.is_none();
        if one_ranking {
            mixed.extend(self.told_apart(&group, mixed.is_empty())?);
        }
        mixed.extend(across);
        if is_first && mixed.is_empty() && group.range().is_some_and(|(low, high)| three(low) != three(high)) {
            mixed.extend(self.not_stated(&group)?);
        }
        let row_count = (several || !others.is_empty()).then(|| counted(group.hits.len(), "row", "rows"));
        let counted_rows: String = row_count.into_iter().chain(mixed).map(|part| format!("{part}, ")).collect();
        let (detail, from) = match one_ranking {
            true => (
                self.best_in_words(&rows, first, (group.hits.len() > 1, brief))?,
                vec![self.values.source(first).to_owned()],
            ),
            // What none is the best of is told by what all have in common.
            false => (self.setting_in_words(&parts, brief)?, sources(self.values, &parts)),
        };
        let from = match from.as_slice() {
            [only] => only.clone(),
            several => format!("{} sources", several.len()),
        };
        let mut text = format!("{} ({counted_rows}{detail}{from})", words.join(" "));
        let beside = match (several, is_first) {
            (false, _) => BESIDE,
            (true, true) => BESIDE_FIRST,
            (true, false) => BESIDE_FURTHER,
        };
        for (which, other) in others.iter().take(beside) {
            let rows = counted(other.hits.len(), "row", "rows");
            text.push_str(&format!(", {which} {} ({rows})", range_in_words(other, scale)));
        }
        let hidden: usize = others.iter().skip(beside).map(|(_, other)| other.hits.len()).sum();
        if hidden > 0 {
            text.push_str(&format!(" and {} in other settings", counted(hidden, "row", "rows")));
        }
        Ok(text)
    }

    /// Why no row is the best of all: `none best across sequence 512 to 8192`; `None` where one may be.
    fn none_best_across(
        &mut self,
        rows: &UnlikeRows<'_>,
        apart: &[Field],
        count: usize,
    ) -> Result<Option<String>, QueryError> {
        let mut told = Vec::new();
        for field in apart {
            told.push(rows.span(*field, &mut self.names, self.stores)?);
        }
        told.extend((count > 1 && rows.are_of_layers()).then(|| "layers of several sizes".to_owned()));
        told.extend(rows.classes().map(|classes| format!("classes {}", and_list(&classes))));
        Ok((!told.is_empty()).then(|| format!("none best across {}", and_list(&told))))
    }

    /// The setting of the best row, or of the only one, and what else tells it from the others.
    fn best_in_words(
        &mut self,
        rows: &UnlikeRows<'_>,
        best: &PartNumbers,
        (several, brief): (bool, bool),
    ) -> Result<String, QueryError> {
        let mut setting = self.setting_in_words(&[*best], brief)?;
        let chosen = CHOSEN.iter().filter(|field| !brief && rows.differ_in(**field));
        let own = chosen.filter_map(|field| Some(field.in_list(self.values.text(Aspect::Field(*field), best)?)));
        setting.extend(own.map(|own| format!("{own}, ")));
        // A framework of several versions is several frameworks.
        let version = Field::FrameworkVersion;
        if !brief && rows.differ_with(Field::Framework, best, version) {
            let stated = self.values.text(Aspect::Field(version), best);
            setting.push_str(&stated.map_or_else(
                || format!("{} not stated, ", version.heading()),
                |stated| format!("{}, ", version.in_list(stated)),
            ));
        }
        let lead = if several && !setting.is_empty() { "best: " } else { "" };
        Ok(format!("{lead}{setting}"))
    }

    /// What rows share of a setting, each part with a comma behind it.
    fn setting_in_words(&mut self, parts: &[PartNumbers], brief: bool) -> Result<String, QueryError> {
        let under: IndexMap<String, Option<Value>> = shared(self.values, parts, &[Field::Network, Field::Stage])
            .into_iter()
            .filter(|(key, value)| value.is_some() && Self::is_of_best(key) && !brief)
            .collect();
        let setting = self.names.frame(&under, self.stores)?;
        Ok(if setting.is_empty() { String::new() } else { format!("{setting}, ") })
    }

    /// What does not stand as it was published is in no range: ` 2 disputed rows are in no range.`
    fn fallen_in_words(&self) -> Option<String> {
        let mut fallen: BTreeMap<&str, usize> = BTreeMap::new();
        for hit in 0..self.hits.len() {
            let parts = self.hits.parts(hit);
            if !self.values.stands(&parts) {
                let standing = self.values.text(Aspect::Field(Field::Standing), &parts);
                *fallen.entry(standing.unwrap_or_default()).or_default() += 1;
            }
        }
        let rows: usize = fallen.values().sum();
        let counts: Vec<String> = fallen.iter().map(|(standing, rows)| format!("{rows} {standing}")).collect();
        let are = if rows == 1 { "row is" } else { "rows are" };
        (rows > 0).then(|| format!(" {} {are} in no range.", and_list(&counts)))
    }

    /// Attempts that ended otherwise than with a number: ` 10 attempts failed (oom).`
    fn failed_in_words(&self) -> Option<String> {
        let outcome = |hit: usize| self.values.text(Aspect::Field(Field::Outcome), &self.hits.parts(hit));
        let outcomes: Vec<&str> = (0..self.hits.len()).filter_map(outcome).collect();
        let kinds: Vec<&str> =
            outcomes.iter().copied().collect::<std::collections::BTreeSet<_>>().into_iter().collect();
        let failed = counted(outcomes.len(), "attempt failed", "attempts failed");
        (!kinds.is_empty()).then(|| format!(" {failed} ({}).", and_list(&kinds)))
    }

    /// In what the values of a group are told, and how many of their own unit that is: the energy of a training in kWh.
    fn told_in(&self, group: &GroupRows) -> (f64, String) {
        let of_training = [Derived::EpochEnergyJ, Derived::EpochTdpEnergyJ, Derived::TargetTdpEnergyJ];
        match self.derived.is_some_and(|derived| of_training.contains(&derived)) {
            true => (JOULES_IN_KWH, "kWh".to_owned()),
            false => match self.time_unit.filter(|_| self.unit(group) == "s") {
                Some(TimeUnit { symbol, seconds, .. }) => (seconds, symbol.to_owned()),
                None => (1.0, self.unit(group)),
            },
        }
    }

    /// What tells the rows at the ends of the range apart: one of the fields that are compared, else the host.
    fn told_apart(&self, group: &GroupRows, is_of_one_setting: bool) -> Result<Option<String>, QueryError> {
        let end = |direction| group.best(direction, 1).first().map(|(_, hit)| self.hits.parts(*hit));
        let (Some(low), Some(high)) = (end(Direction::Lower), end(Direction::Higher)) else { return Ok(None) };
        let told = told_apart(self.values, &low, &high);
        if told.is_some() || !is_of_one_setting || group.range().is_none_or(|(low, high)| three(low) == three(high)) {
            return Ok(told);
        }
        let host = Aspect::Field(Field::Host);
        let (Some(part), hosts) = (host.part(), self.stores.database.aspect(host)?) else { return Ok(None) };
        let [low, high] = [low, high].map(|parts| hosts.of(parts[part as usize]));
        Ok(low.zip(high).filter(|(low, high)| low != high).map(|(low, high)| match low.len().max(high.len()) {
            ..=LONGEST_VALUE => format!("from host {low} to {high}"),
            _ => "on different hosts".to_owned(),
        }))
    }

    /// What none of the rows states although numbers depend on it.
    fn not_stated(&self, group: &GroupRows) -> Result<Option<String>, QueryError> {
        let parts = self.parts(group);
        let none = |field: Field| parts.iter().all(|parts| self.values.text(Aspect::Field(field), parts).is_none());
        let network = parts.first().and_then(|parts| self.values.text(Aspect::Field(Field::Network), parts));
        let network = network.map(|id| self.stores.database.entity::<Network>(id)).transpose()?.flatten();
        let task = network.and_then(|network| network.task);
        let is_of_language = task.is_some_and(|task| LANGUAGE_TASKS.contains(&task.as_str()));
        let mut silent = Vec::new();
        if none(Field::Precision) {
            silent.push("precision");
        }
        if is_of_language && none(Field::SequenceLength) && none(Field::InputLength) {
            silent.push("sequence length");
        }
        Ok((!silent.is_empty() && group.hits.len() > 1).then(|| format!("{} not stated", silent.join(" and "))))
    }

    /// Whether a field is told of the best row.
    fn is_of_best(key: &str) -> bool {
        [Field::Device, Field::Precision, Field::BatchSize, Field::DeviceCount, Field::Framework, Field::Scenario]
            .iter()
            .any(|field| field.key() == key)
    }
}

/// `real and synthetic data`, where rows differ in it.
fn kinds_of_data(rows: &UnlikeRows<'_>) -> Option<String> {
    let kinds: Vec<&str> = rows.texts(Aspect::Field(Field::Data)).into_iter().collect();
    (kinds.len() > 1).then(|| format!("{} data", and_list(&kinds)))
}

/// Of which of what is named no row was found: ` Of `A100` there is none.`
fn none_of(named: &NamedAlternatives, hits: &HitColumns) -> String {
    let missing: Vec<String> =
        named.missing(hits.distinct(named.part)).into_iter().map(|word| format!("`{word}`")).collect();
    if missing.is_empty() { String::new() } else { format!(" Of {} there is none.", or_list(&missing)) }
}

/// `120 to 4500`, or the one value of all.
fn range_in_words(group: &GroupRows, scale: f64) -> String {
    match group.range().map(|(low, high)| (three(low / scale), three(high / scale))) {
        Some((low, high)) if low == high => low,
        Some((low, high)) => format!("{low} to {high}"),
        None => String::new(),
    }
}

/// Whether a range over several values of a field is none of one of them, which is said.
fn is_of_range(field: Field) -> bool {
    matches!(field, Field::DeviceCount | Field::Device | Field::Precision | Field::BatchSize | Field::Scenario)
}
