//! The first line of an answer: one template for each kind of answer, at most forty words.

use indexmap::{IndexMap, IndexSet};

use super::remark::no_pair;
use super::words::{
    ROWS, SPEED_UP, Words, count_of, fact_name, grade, grouped, key_name, number, quantity_name, rounded, rows,
    sources, wanted_name,
};
use crate::ask::execute::{Entry, EntryValue, GRADES, Outcome, Remark, subjects_of};
use crate::ask::parse::{Ask, Filter, Key, Quantity, Question, Test};
use crate::model::{Aspect, Direction, Facet, Fact, Field, Value};
use crate::values::text::{and_list, capital, counted, or_list, plural, some_of};
use crate::values::{EntityKind, Grade, Unit};

/// Fewer pairs that agree decide nothing.
const MIN_PAIRS: usize = 4;

/// Maximum number of words in a first line.
pub const MOST_WORDS: usize = 40;
/// Maximum number of words for the numbers of a look-up.
const MOST_IN_LEAD: usize = 18;
/// Maximum number of candidates in the first line of a ranking.
const MOST_RANKED: usize = 3;
/// An undecided ratio within this distance of 1 is reported as no difference, any other as not decided.
const SMALL: f64 = 0.05;
/// Maximum number of values that a list or a series spells out.
const MOST_LISTED: usize = 6;

/// The first two sentences of notes; the table has the full text.
fn beginning(notes: &str) -> String {
    let ends = notes.match_indices(". ").map(|(at, _)| at);
    ends.take(2).last().map_or(notes, |end| &notes[..end]).trim_end_matches('.').to_owned()
}

/// The first line; empty if the answer is only rows and nothing sums them up.
pub fn sentence(asked: &Question, outcome: &Outcome, total: usize, words: Words<'_>) -> String {
    let template = Template { asked, outcome, total, words };
    let line = match outcome.entries.as_slice() {
        [] => template.no_value_line(),
        entries => match outcome.ask {
            Ask::Lookup => template.lookup(entries),
            Ask::Rank => template.rank(entries),
            Ask::Compare => template.compare(entries),
            Ask::Along => template.along(entries),
            Ask::Fact => template.facts(entries),
            Ask::Grade => template.grades(entries),
            Ask::List => template.list(entries),
            Ask::Overview => template.overview(entries),
            Ask::Fits => template.fits(entries),
        },
    };
    line.with_first(&template.not_stated())
        .with_first(&template.one_side())
        .with_first(template.verdict().unwrap_or_default())
        .text()
}

/// The parts of a line: always its lead and its tail, and the parts in brackets as far as they fit.
#[derive(Default)]
struct Line {
    lead: String,
    /// Each part with its rank; the highest rank is dropped first.
    brackets: Vec<(u8, String)>,
    tail: String,
}

impl Line {
    fn of(lead: impl Into<String>) -> Self {
        Self { lead: lead.into(), ..Self::default() }
    }

    /// Adds parts in brackets that are dropped only after all parts of a higher rank.
    fn with(mut self, rank: u8, parts: impl IntoIterator<Item = String>) -> Self {
        self.brackets.extend(parts.into_iter().map(|part| (rank, part)));
        self
    }

    fn then(mut self, tail: impl AsRef<str>) -> Self {
        self.tail.push_str(tail.as_ref());
        self
    }

    fn with_first(mut self, first: &str) -> Self {
        if !self.lead.is_empty() {
            self.lead.insert_str(0, first);
        }
        self
    }

    fn text(mut self) -> String {
        loop {
            let parts: Vec<&str> = self.brackets.iter().map(|(_, part)| part.as_str()).collect();
            let brackets = if parts.is_empty() { String::new() } else { format!(" ({})", parts.join(", ")) };
            let text = format!("{}{brackets}{}", self.lead, self.tail);
            let widest = self.brackets.iter().enumerate().max_by_key(|(at, (rank, _))| (*rank, *at)).map(|(at, _)| at);
            match widest {
                Some(at) if text.split_whitespace().count() > MOST_WORDS => {
                    self.brackets.remove(at);
                }
                _ if text.is_empty() || text.ends_with(['"', '\'']) => return text,
                _ => return format!("{}.", text.trim_end_matches('.')),
            }
        }
    }
}

struct Template<'a> {
    asked: &'a Question,
    outcome: &'a Outcome,
    total: usize,
    words: Words<'a>,
}

impl<'a> Template<'a> {
    /// The value that `of` extracts from the first remark it accepts.
    fn remark<T>(&self, of: impl FnMut(&'a Remark) -> Option<T>) -> Option<T> {
        self.outcome.remarks.iter().find_map(of)
    }

    /// `Memory not stated; ` if a look-up has other measures than requested, or that no rows differ only in the axis.
    fn not_stated(&self) -> String {
        if self.outcome.ask != Ask::Lookup {
            return String::new();
        }
        let has_none = self.has_no_row();
        let no_series = self.remark(|remark| match remark {
            Remark::NoSeries { axis, values } if !has_none => Some((axis, values)),
            _ => None,
        });
        if let Some((axis, values)) = no_series {
            let name =
                |(value, _): &(String, usize)| self.words.condition(axis, Some(&Value::Text(value.as_str().into())));
            let values: Vec<String> = values.iter().take(MOST_LISTED).map(name).collect();
            let none =
                if values.is_empty() { "No".to_owned() } else { format!("{}, but no", capital(&values.join(", "))) };
            return format!("{none} rows that differ only in {}; ", key_name(axis));
        }
        let asked = self.remark(|remark| if let Remark::Instead { asked, .. } = remark { Some(asked) } else { None });
        let is_wanted = |entry: &Entry| {
            let mut wants = self.asked.wants.iter();
            wants.any(|want| matches!(want, Quantity::Metric(_) | Quantity::Derived(_)) && want.key() == entry.quantity)
        };
        match asked.zip(self.outcome.entries.first().filter(|entry| !is_wanted(entry))) {
            Some((asked, _)) => format!("{} not stated; ", capital(&quantity_name(asked))),
            None => String::new(),
        }
    }

    /// Whether no row meets the whole question, or one of its sides.
    fn has_no_row(&self) -> bool {
        self.outcome.remarks.iter().any(|remark| matches!(remark, Remark::NoRow { .. }))
    }

    /// `No row of M2 Max; GeForce RTX 3090: ` if only one side was measured.
    fn one_side(&self) -> String {
        if self.outcome.ask != Ask::Lookup || self.asked.sides.len() < 2 || self.outcome.entries.is_empty() {
            return String::new();
        }
        let missing = self.outcome.remarks.iter().filter_map(|remark| match remark {
            Remark::NoRow { side, alone } if self.asked.sides.contains(side) => Some((side, *alone)),
            _ => None,
        });
        let missing: Vec<(&Filter, usize)> = missing.collect();
        if missing.len() + 1 != self.asked.sides.len() {
            return String::new();
        }
        let is_other = |side: &&Filter| missing.iter().all(|(none, _)| none != side);
        // Name the family that replaced the side.
        let found = |side: &Filter| {
            let wider = self.remark(|remark| match remark {
                Remark::Widened { from, to } if from.terms.iter().all(|term| side.terms.contains(term)) => Some(to),
                _ => None,
            });
            self.words.filter(wider.unwrap_or(side))
        };
        let other: Vec<String> = self.asked.sides.iter().filter(is_other).map(found).collect();
        // A side that has rows under other conditions is not reported as having none.
        let names: Vec<String> = missing
            .iter()
            .map(|(side, alone)| match alone {
                0 => self.words.filter(side),
                _ => format!("{} ({} under other conditions)", self.words.filter(side), grouped(*alone)),
            })
            .collect();
        let with = match self.asked.wants.first() {
            Some(wanted @ (Quantity::Metric(_) | Quantity::Derived(_))) => format!(" with {}", wanted_name(wanted)),
            _ => String::new(),
        };
        format!("No such row of {}{with}; {}: ", or_list(&names), and_list(&other))
    }

    /// `Yes: ` or `No: ` for a yes/no question.
    fn verdict(&self) -> Option<&'static str> {
        if !self.asked.holds {
            return None;
        }
        // If part of the question was not read or not met, the claim is neither confirmed nor refuted.
        let is_less = |remark: &Remark| {
            matches!(
                remark,
                Remark::Relaxed(..)
                    | Remark::NearestNumbers { .. }
                    | Remark::Widened { .. }
                    | Remark::NoRow { .. }
                    | Remark::Unread(..)
                    | Remark::NotFound { .. }
                    | Remark::FactUnknown { .. }
            )
        };
        let is_read = !self.outcome.remarks.iter().any(is_less);
        match self.outcome.entries.first().map(|entry| &entry.value) {
            Some(Some(EntryValue::Flag(false))) => Some("No: "),
            _ if !is_read => None,
            // The members of a family differ.
            Some(None) if self.outcome.entries.get(1).is_some_and(|entry| entry.low.is_some()) => Some("Some do: "),
            None | Some(None) => Some("Not shown here: "),
            Some(Some(_)) => Some("Yes: "),
        }
    }

    /// The line for an outcome without entries: why there is no value.
    fn no_value_line(&self) -> Line {
        let about = self.words.filter(&self.asked.subject);
        for remark in &self.outcome.remarks {
            match remark {
                Remark::NotFound { .. } | Remark::FactUnknown { .. } | Remark::HowTo(..) => {
                    return Line::of(super::remark::in_words(remark, self.words));
                }
                Remark::RankedByFact { fact, ranked: 0, unknown } => {
                    return Line::of(format!(
                        "{} of {} is known of none",
                        capital(&quantity_name(fact)),
                        self.kinds(*unknown)
                    ));
                }
                Remark::NoRow { side, .. } => {
                    let is_new = !self.asked.subject.terms.iter().all(|term| side.terms.contains(term));
                    let side = self.words.filter(side);
                    return Line::of(format!("No row of {side}")).with(1, is_new.then_some(about));
                }
                Remark::NoPair { differ, unstated, .. } => {
                    let sides: Vec<String> = self.asked.sides.iter().map(|side| self.words.filter(side)).collect();
                    let lead = format!("No matched pair of {}", and_list(&sides));
                    let why = no_pair(differ, *unstated);
                    return Line::of(lead).with(1, (!about.is_empty()).then_some(about)).then(why);
                }
                _ => {}
            }
        }
        let about = if about.is_empty() { "this question".to_owned() } else { about };
        let wanted = self.asked.wants.first().map(wanted_name);
        match (self.outcome.ask, self.total) {
            (Ask::Grade, _) if wanted.is_none() => Line::of(format!("No grades of {about} are recorded")),
            (Ask::Fact | Ask::Grade, _) => {
                Line::of(format!("No {} is known of {about}", wanted.unwrap_or_else(|| "fact".to_owned())))
            }
            (Ask::List, 0) => Line::of(format!("No {} here: {about}", self.kind(1))),
            (_, 0) => Line::of(format!("No row matches: {about}")),
            (Ask::Rank, found) => {
                Line::of(format!("{} match, but no two candidates share a setting", rows(found))).with(1, [about])
            }
            (Ask::Compare, found) => Line::of(format!("{} match, but no two are a pair", rows(found))).with(1, [about]),
            (Ask::Along, found) => {
                let axis = self.asked.along.map_or("the axis", |axis| key_name(axis.key()));
                Line::of(format!("{} match, but none differ in {axis} alone", rows(found))).with(1, [about])
            }
            (_, found) => Line::of(format!("{}: {about}", rows(found))),
        }
    }

    /// `ResNet-152 inference 708 to 737 images/s, training 109 to 172; ResNet-152 v2 inference 96.8 to 1050 (13 rows, fp16)`.
    fn lookup(&self, entries: &[Entry]) -> Line {
        // No row meets the whole question, so the rows that meet each part are counted.
        if self.has_no_row() && entries.iter().all(|entry| entry.quantity == ROWS) {
            let told = |entry: &Entry| format!("{} {}", self.words.subjects(&entry.subjects), rows(entry.n));
            let told = entries.iter().take(MOST_RANKED).map(|entry| told(entry).trim_start().to_owned());
            let mut line = self.no_value_line();
            line.lead.truncate(line.lead.trim_end_matches('.').len());
            let how = if entries.iter().any(|entry| entry.subjects.len() > 1) { "nearest" } else { "apart" };
            return line.then(format!("; {how}: {}", told.collect::<Vec<_>>().join(", ")));
        }
        if self.asked.wants.contains(&Quantity::Rows) {
            return Line::of(format!("{} of {}", rows(self.total), self.words.filter(&self.asked.subject)));
        }
        let mut lead = String::new();
        let mut shown: Vec<&Entry> = Vec::new();
        for entry in entries {
            let before = shown.last().copied();
            let is_new_quantity = before.is_none_or(|before| before.quantity != entry.quantity);
            let is_new_unit = is_new_quantity || before.is_some_and(|before| before.unit != entry.unit);
            let unit = entry.unit.clone().filter(|_| is_new_unit);
            let states_number = entry.quantity != ROWS;
            let range = || self.words.range(&Entry { unit, ..entry.clone() });
            let amount = if states_number { range() } else { Some("no number stated".to_owned()) };
            let Some(amount) = amount else { continue };
            let place = |key: &str| entry.at(key).map(|value| self.words.condition(key, Some(value)));
            let same = |key: &str| before.is_some_and(|before| before.at(key) == entry.at(key));
            let new = |key: &str| place(key).filter(|_| !same(key) || key == "stage" && !same("network"));
            let is_rate = entry.unit.as_deref().is_some_and(|unit| unit.contains("/s"));
            let is_derived = matches!(Aspect::keyed(&entry.quantity), Some(Aspect::Derived(_)));
            let derived = if is_derived { "derived " } else { "" };
            let quantity = (states_number && is_new_quantity && (is_derived || !is_rate))
                .then(|| format!("{derived}{}", quantity_name(&entry.quantity)));
            let of_work = |other: &&Entry| ["network", "stage"].iter().all(|key| other.at(key) == entry.at(key));
            let again = shown.iter().any(of_work);
            let devices = (again && (!is_new_quantity || !same("device-count"))).then(|| devices_of(entry));
            // If entries of the same work differ in division, scenario or the like, each names its own.
            let apart = |key: &str| {
                let differs = entries.iter().filter(of_work).any(|other| other.at(key) != entry.at(key));
                place(key).filter(|_| differs)
            };
            let setting = ["component", "division", "scenario", "accuracy-target", "device-slice"].map(apart);
            let parts = [new("network"), new("stage")].into_iter().chain(setting);
            let parts = parts.chain([quantity, Some(amount), apart("metered"), devices.flatten()]);
            let part = parts.flatten().collect::<Vec<_>>().join(" ");
            if !lead.is_empty() {
                if words_in(&lead) + words_in(&part) > MOST_IN_LEAD {
                    break;
                }
                lead.push_str(if same("network") { ", " } else { "; " });
            }
            lead.push_str(&part);
            shown.push(entry);
        }
        let (Some(first), more) = (shown.first(), entries.len() - shown.len()) else { return self.no_value_line() };
        if more > 0 {
            lead.push_str(&format!(" and {}", counted(more, "more setting", "more settings")));
        }
        let of_range: usize = entries.iter().map(|entry| entry.n).sum();
        let counted = self.outcome.stating.unwrap_or(self.total).max(of_range);
        // The frame applies to the entries shown, so their rows are counted apart from all rows.
        let of_shown: usize = shown.iter().map(|entry| entry.n).sum();
        let of = if of_shown < counted { format!("{} of ", grouped(of_shown)) } else { String::new() };
        let counted = format!("{of}{}", rows(counted));
        let line = Line::of(lead).with(1, [counted]);
        let best = first.subjects.iter().filter(|(key, _)| !matches!(key.as_str(), "network" | "stage"));
        let best = self.words.conditions(best.map(|(key, value)| (key.as_str(), value)));
        let line = match (best.is_empty(), first.n) {
            (true, _) => line,
            (_, 1) => line.with(3, best),
            // Rows of a range may not be comparable: none is called best, nor lowest if a row in another setting is lower.
            _ if is_outermost(first, entries) => {
                let end = if is_lower_better(&first.quantity) { "lowest" } else { "highest" };
                // If the range of another network goes beyond this one, the network is named.
                let is_beyond = shown.iter().any(|other| other.unit == first.unit && is_beyond(other, first));
                let of = first.subjects.get("network").filter(|_| is_beyond);
                let of = of.map(|network| format!(" of {}", self.words.value("network", network))).unwrap_or_default();
                line.with(3, [format!("{end}{of}: {}", best[..best.len().min(3)].join(" "))])
            }
            _ => line,
        };
        let ids: Vec<&String> = shown.iter().flat_map(|entry| &entry.measurements).collect();
        self.framed(line, &entries[..shown.len()], &ids)
    }

    /// `RTX 4090 1301 images/s, RTX 3090 853, RTX A5500 735 (ResNet-50 v1.5, training, fp16, batch 448, PyTorch)`.
    fn rank(&self, entries: &[Entry]) -> Line {
        let first = &entries[0];
        if first.rank.is_some() {
            return self.rank_by_evidence(entries);
        }
        if first.baseline.is_some() {
            return self.compare(entries);
        }
        let ranked: Vec<&Entry> = entries.iter().filter(|entry| entry.quantity == first.quantity).collect();
        let most = self.asked.take.unwrap_or(MOST_RANKED).clamp(1, MOST_RANKED);
        let is_best = |entry: &Entry| !ranked.iter().any(|other| is_beyond(other, entry));
        // A series over years shows its ends and its best.
        let is_told = |(at, entry): &(usize, &&Entry)| match self.asked.along {
            Some(_) => *at == 0 || *at + 1 == ranked.len() || is_best(entry),
            None => *at < most,
        };
        let told = ranked.iter().enumerate().filter(is_told);
        let named: Vec<String> = told
            .map(|(at, entry)| {
                let unit = entry.unit.clone().filter(|_| at == 0 || entry.unit != first.unit);
                let amount = self.words.amount(&Entry { unit, ..(*entry).clone() });
                format!("{} {}", self.words.subjects(&entry.subjects), amount.unwrap_or_default()).trim_end().to_owned()
            })
            .collect();
        let by = capital(&heading(first));
        let kinds = match self.asked.of {
            None if first.subjects.len() > 1 && self.asked.along.is_none() => {
                counted(ranked.len(), "setting", "settings")
            }
            _ => self.kinds(ranked.len()),
        };
        let by_fact = Fact::of_file_key(&first.quantity).is_some();
        let with_rows = if by_fact && self.is_of_work() { " with such rows" } else { "" };
        let of_fact = self.remark(|remark| match remark {
            Remark::RankedByFact { ranked, unknown: 0, .. } => Some(format!("{} compared", self.kinds(*ranked))),
            Remark::RankedByFact { ranked, unknown, .. } => {
                Some(format!("{} compared, unknown for {} more", self.kinds(*ranked), grouped(*unknown)))
            }
            _ => None,
        });
        let of = of_fact.or_else(|| (ranked.len() > most).then(|| format!("{kinds}{with_rows} compared")));
        // A single candidate is not a winner.
        let is_alone = ranked.len() == 1 && self.asked.of.is_some() && self.asked.take.is_none_or(|take| take > 1);
        let others = self.remark(|remark| match remark {
            Remark::Unranked { candidates, .. } => Some(format!("{} not comparable", self.kinds(*candidates))),
            _ => None,
        });
        let alone = is_alone.then(|| others.unwrap_or_else(|| format!("the only {} with such a value", self.kind(1))));
        let line = Line::of(format!("{by}{}", named.join(", ")));
        // The frame must hold for every named candidate.
        let framed = if self.asked.along.is_some() { ranked.len() } else { named.len() };
        self.framed(line.with(1, of).with(1, alone), &entries[..framed], &[])
    }

    /// `B200 (3076 images/s) first, but 7 others may equal it: H200 0.881 times as fast (0.430 to 1.81), … (30 of 36 devices compared)`.
    fn rank_by_evidence(&self, entries: &[Entry]) -> Line {
        let first = &entries[0];
        let most = self.asked.take.unwrap_or(MOST_RANKED).clamp(2, MOST_RANKED);
        let by = first.measured.as_ref().map_or(first.quantity.as_str(), |measured| measured.quantity.as_str());
        let good = if is_of_speed(by) { "as fast".to_owned() } else { format!("as good in {}", quantity_name(by)) };
        let holds_one =
            |entry: &&Entry| entry.low.is_some_and(|low| low <= 1.0) && entry.high.is_some_and(|high| high >= 1.0);
        let (undecided, decided): (Vec<&Entry>, Vec<&Entry>) = entries[1..].iter().partition(holds_one);
        // Lists the undecided candidates; without any, the next ones in the order.
        let next = if undecided.is_empty() { &decided } else { &undecided };
        let others = next.iter().take(most - 1).enumerate().map(|(at, entry)| {
            let amount = self.words.amount(entry).unwrap_or_default();
            let times = if at == 0 { format!(" times {good}") } else { String::new() };
            let interval = ends(entry).map(|ends| format!(" ({ends})")).unwrap_or_default();
            format!("{} {amount}{times}{interval}", self.words.subjects(&entry.subjects))
        });
        let measured = self.words.measured(first).map(|measured| format!(" ({measured})"));
        // If the second is better than the first, the order begins with the worst.
        let is_last = entries.get(1).and_then(Entry::number).is_some_and(|ratio| ratio > 1.0);
        let end = if is_last { "last" } else { "first" };
        let equal = || format!(", but {} may equal it", counted(undecided.len(), "other", "others"));
        let but = if undecided.is_empty() { String::new() } else { equal() };
        let placed = format!("{}{} {end}{but}", self.words.subjects(&first.subjects), measured.unwrap_or_default());
        let lead = format!("{placed}: {}", others.collect::<Vec<_>>().join(", "));
        let of_devices = self.asked.of == Some(Key::Facet(Facet::Device));
        let many = |remark: &Remark| match remark {
            Remark::Evidence { candidates, .. } => (*candidates, 0),
            Remark::Apart { candidates, more } => (0, candidates.len() + more),
            Remark::Unranked { candidates, .. } => (0, *candidates),
            Remark::OfWholeInference { only, .. } if of_devices => (0, only.len()),
            _ => (0, 0),
        };
        let counts = self.outcome.remarks.iter().map(many);
        let (ranked, others) = counts.fold((0, 0), |all, own| (all.0 + own.0, all.1 + own.1));
        let ranked = ranked.max(entries.len());
        let of = if others > 0 { format!("{ranked} of ") } else { String::new() };
        let compared = format!("{of}{}", self.kinds(ranked + others));
        let of = (entries.len() > most || others > 0).then(|| format!("{compared} compared"));
        let shown: Vec<&String> = first.measurements.iter().collect();
        let is_apart = |beats: &Entry| {
            let own = entries.iter().find(|entry| entry.subjects == beats.subjects);
            let is_first = beats.subjects.iter().all(|(key, value)| first.at(key) == Some(value));
            !is_first && own.is_none_or(|own| is_outside(first, beats, own))
        };
        match self.beats(first, &shown) {
            // A result that nothing connects with the others, or that contradicts the order, may be better than all of them.
            Some((beats, told)) if is_apart(beats) => {
                Line::of(format!("{told} in a setting of its own; among {compared} compared, {placed}"))
            }
            _ => {
                // Name the network part or the data set that the factors apply to.
                let stated = |field: Field| Some(self.words.condition(field.key(), Some(first.stated(field.key())?)));
                let goal = stated(Field::AccuracyTarget).and(stated(Field::Dataset));
                let of = of.into_iter().chain(stated(Field::Component)).chain(goal);
                Line::of(lead).with(1, of).then(self.elsewhere(first, &shown))
            }
        }
    }

    /// `Tesla V100 is 1.46 times as fast as RTX 3090 (geometric mean of 12 matched pairs, interval 0.75 to 2.35, training)`.
    fn compare(&self, entries: &[Entry]) -> Line {
        let first = &entries[0];
        if let Some(line) = self.without_pair(entries) {
            return line;
        }
        let Some((baseline, value)) = first.baseline.as_ref().zip(first.number()) else {
            return self.side_by_side(entries);
        };
        let good = self.as_good();
        let (base, sides) = self.against_one(entries, self.words.subjects(baseline));
        if let Some(line) = self.by_all_evidence(first).filter(|_| sides.len() == 1) {
            return line;
        }
        let subject = self.words.subjects(&first.subjects);
        let was = if is_plural(first) { "were" } else { "was" };
        // Two or three pairs that agree.
        let is_few = first.quantity == SPEED_UP && !(first.is_decided || first.is_interval || first.of_all_evidence);
        let few = ends(first).filter(|_| is_few && sides.len() == 1 && first.n < MIN_PAIRS && first.low > Some(1.0));
        let lead = if first.quantity != SPEED_UP {
            let amount = self.words.amount(first).unwrap_or_default();
            format!("{} of {subject} against {base}: {amount}", capital(&quantity_name(&first.quantity)))
        } else if sides.len() > 1 {
            let told = sides.iter().take(MOST_RANKED).map(|(side, (ratio, entry))| {
                let pairs = if entry.of_all_evidence { String::new() } else { count_of(entry.n, "pair", "pairs") };
                let doubt = if entry.is_decided { "" } else { "not decided" };
                let notes: Vec<&str> = [pairs.as_str(), doubt].into_iter().filter(|note| !note.is_empty()).collect();
                let notes = if notes.is_empty() { String::new() } else { format!(" ({})", notes.join(", ")) };
                format!("{side} {} times{notes}", rounded(*ratio))
            });
            let more = sides.len().saturating_sub(MOST_RANKED);
            let more = if more > 0 { format!(" and {more} more") } else { String::new() };
            format!("{}{more} {good} as {base}", told.collect::<Vec<_>>().join(", "))
        } else if first.n == 1 && (first.is_decided || !first.of_all_evidence) {
            format!("{subject} was {} times {good} as {base}", rounded(value))
        } else if !first.is_decided && is_in_every_pair(first, entries) {
            format!("{subject} {was} {} times {good} as {base} in every pair", rounded(value))
        } else if let Some(ends) = &few {
            format!("{subject} {was} {ends} times {good} as {base} in {} pairs, too few to decide", first.n)
        } else if !first.is_decided && (1.0 - value).abs() < SMALL {
            let by = self.compared_by().unwrap_or_else(|| "speed".to_owned());
            format!("No difference shown between {subject} and {base} in {by}: ratio {}", rounded(value))
        } else {
            self.times_as_good(first.is_decided, is_plural(first), [&subject, &base], value)
        };
        let mean = match first.n {
            _ if first.of_all_evidence && self.outcome.ask == Ask::Rank => {
                Some("by all comparable evidence".to_owned())
            }
            _ if first.of_all_evidence => Some("by what each was measured against".to_owned()),
            0 => None,
            _ if sides.len() > 1 => Some("geometric means of matched pairs".to_owned()),
            1 => Some("1 matched pair".to_owned()),
            _ if few.is_some() => Some(format!("geometric mean {}", rounded(value))),
            n => {
                let of_layers = self.outcome.remarks.contains(&Remark::OfLayers);
                let layers = if of_layers { " of single layers" } else { "" };
                Some(format!("geometric mean of {} matched pairs{layers}", grouped(n)))
            }
        };
        let kind = match (first.is_interval, first.of_all_evidence) {
            (_, true) => "90 % interval",
            (true, false) => "interval",
            (false, false) => "spread",
        };
        let interval =
            ends(first).filter(|_| (first.n > 1 || first.of_all_evidence) && sides.len() == 1 && few.is_none());
        let interval = interval.map(|ends| format!("{kind} {ends}"));
        let line = Line::of(lead).with(1, mean).with(2, interval);
        let unpaired = self.outcome.remarks.iter().filter_map(|remark| match remark {
            Remark::NotPaired(side) => Some(format!("; no pair with {}", self.words.filter(side))),
            Remark::NoRow { side, .. } => Some(format!("; no such row of {}", self.words.filter(side))),
            _ => None,
        });
        let unpaired: IndexSet<String> = unpaired.collect();
        let line = match sides.len() {
            1 => {
                let other = self.closed_division().or_else(|| self.against_pairs());
                line.with(3, self.by_stage(first, entries)).then(other.unwrap_or_default())
            }
            _ => line,
        };
        let line = line.then(unpaired.into_iter().collect::<String>());
        // The frame must hold for the pairs of every side.
        let heads: Vec<Entry> = sides.values().map(|(_, entry)| (*entry).clone()).collect();
        self.framed(line, if sides.len() > 1 { &heads } else { &entries[..1] }, &[])
    }

    /// The side that all others are compared with, and the others with their ratio to it. The first entry of two sides sums up all
    /// of their pairs, and has the better side as its subject.
    fn against_one<'e>(&self, entries: &'e [Entry], base: String) -> (String, IndexMap<String, (f64, &'e Entry)>) {
        let mut heads: IndexMap<[String; 2], (f64, &Entry)> = IndexMap::new();
        for entry in entries.iter().filter(|entry| entry.quantity == entries[0].quantity) {
            let (Some(baseline), Some(ratio)) = (&entry.baseline, entry.number()) else { continue };
            let sides = [self.words.subjects(&entry.subjects), self.words.subjects(baseline)];
            heads.entry(sides).or_insert((ratio, entry));
        }
        let is_common = |one: &String| heads.keys().all(|sides| sides.contains(one));
        let subject = self.words.subjects(&entries[0].subjects);
        let common = if is_common(&base) || !is_common(&subject) { base } else { subject };
        let told = heads.into_iter().filter_map(|([subject, baseline], (ratio, entry))| match () {
            _ if baseline == common => Some((subject, (ratio, entry))),
            _ if subject == common => Some((baseline, (ratio.recip(), entry))),
            _ => None,
        });
        let told = told.collect();
        (common, told)
    }

    /// `H100 is 1.40 times as fast as MI300X (all comparable evidence, 90 % interval 1.02 to 1.91); 20 matched pairs alone say
    /// 2.14`: the ratio from all evidence, if the matched pairs are too few or do not decide which side is better.
    fn by_all_evidence(&self, headline: &Entry) -> Option<Line> {
        let evidence = self.remark(|remark| match remark {
            Remark::AllEvidence { entry, leads: true, .. } => Some(entry),
            _ => None,
        })?;
        let (value, of_pairs) = evidence.number().zip(headline.number())?;
        let sides = [&evidence.subjects, evidence.baseline.as_ref()?].map(|side| self.words.subjects(side));
        let agrees = (value > 1.0) == (of_pairs > 1.0);
        let [subject, base] = &sides;
        let lead = self.times_as_good(evidence.is_decided && agrees, is_plural(headline), [subject, base], value);
        let interval = ends(evidence).map(|ends| format!("90 % interval {ends}"));
        let pairs = count_of(headline.n, "matched pair alone says", "matched pairs alone say");
        let cited = sources(&headline.sources).map_or_else(String::new, |of| format!(" ({of})"));
        let of = self.remark(|remark| match remark {
            Remark::Evidence { beside, .. } if !beside.is_empty() => Some(format!(" of {}", and_list(beside))),
            _ => None,
        });
        let by = format!("by all comparable evidence{}", of.unwrap_or_default().replace('-', " "));
        let line = Line::of(lead).with(1, [by]).with(1, interval);
        Some(line.then(format!("; {pairs} {}{cited}", rounded(of_pairs))))
    }

    /// `; all comparable evidence says 1.15 (90 % interval 0.884 to 1.48)`, if it must be known in addition to the pairs.
    fn against_pairs(&self) -> Option<String> {
        let evidence = self.remark(|remark| match remark {
            Remark::AllEvidence { entry, beside: true, leads: false } => Some(entry),
            _ => None,
        })?;
        let (value, ends) = evidence.number().zip(ends(evidence))?;
        Some(match evidence.is_decided {
            true => format!("; all comparable evidence says {} (90 % interval {ends})", rounded(value)),
            false => format!("; all comparable evidence leaves it open (90 % interval {ends})"),
        })
    }

    /// `; MLPerf's closed division says 1.07 (14 pairs)`, if the pairs are of other rows.
    fn closed_division(&self) -> Option<String> {
        let entry =
            self.remark(|remark| if let Remark::ClosedDivision(entry) = remark { Some(entry) } else { None })?;
        let pairs = count_of(entry.n, "pair", "pairs");
        Some(format!("; MLPerf's closed division says {} ({pairs})", rounded(entry.number()?)))
    }

    /// `H100 is 1.40 times as fast as MI300X` if that is decided, otherwise that it is not.
    fn times_as_good(&self, is_decided: bool, is_plural: bool, [subject, base]: [&str; 2], ratio: f64) -> String {
        let (ratio, is) = (rounded(ratio), if is_plural { "are" } else { "is" });
        match is_decided {
            true => format!("{subject} {is} {ratio} times {} as {base}", self.as_good()),
            false => {
                let by = self.compared_by().unwrap_or_else(|| "speed".to_owned());
                format!("Not decided whether {subject} or {base} is better in {by}: ratio {ratio}")
            }
        }
    }

    /// `No matched pair of FPGA and GPU; the nearest two differ in framework (12 rows and 40 rows)`, if sides have rows but no
    /// ratio: values of rows that are not a pair cannot be compared.
    fn without_pair(&self, entries: &[Entry]) -> Option<Line> {
        let why = self.remark(|remark| match remark {
            Remark::NoPair { differ, unstated, rows } => Some((no_pair(differ, *unstated), *rows)),
            _ => None,
        });
        let is_told = entries.len() > 1 && entries.iter().all(|entry| entry.baseline.is_none());
        let ((why, counts), [one, other, ..]) = (why.filter(|_| is_told)?, entries) else { return None };
        let names = [one, other].map(|entry| self.words.subjects(&entry.subjects));
        let lead = format!("No matched pair of {}{why}", and_list(&names));
        Some(Line::of(lead).with(1, [counts.map(rows).join(" and ")]))
    }

    /// `training 0.9 to 1.3 over 2 networks`, if the pairs are of several stages.
    fn by_stage(&self, headline: &Entry, entries: &[Entry]) -> Vec<String> {
        if headline.at("stage").is_some() {
            return Vec::new();
        }
        // The first entry of each stage sums up all of its pairs.
        let mut stages: IndexMap<String, &Entry> = IndexMap::new();
        for entry in entries[1..].iter().filter(|entry| entry.baseline == headline.baseline && entry.n < headline.n) {
            if let Some(stage) = entry.at("stage") {
                stages.entry(self.words.value("stage", stage)).or_insert(entry);
            }
        }
        if stages.len() < 2 {
            return Vec::new();
        }
        let in_words = |(stage, entry): (String, &Entry)| {
            let amount = self.words.amount(entry).unwrap_or_default();
            format!("{stage} {amount} in {}", grouped(entry.n))
        };
        stages.into_iter().map(in_words).collect()
    }

    /// The quantity by which sides are compared; `None` if it is speed.
    fn compared_by(&self) -> Option<String> {
        match self.asked.wants.iter().find(|wanted| !matches!(wanted, Quantity::Field(_)))? {
            Quantity::Speed => None,
            Quantity::Metric(metric) if is_of_speed(metric.key()) => None,
            // Name the quantity that was used, which may differ from the requested one.
            wanted @ (Quantity::Derived(_) | Quantity::Fact(_)) => match &self.outcome.entries.first()?.by {
                Some(by) => Some(quantity_name(by)),
                None => Some(wanted_name(wanted)),
            },
            wanted => Some(wanted_name(wanted)),
        }
    }

    /// `as fast`, `as good in memory`.
    fn as_good(&self) -> String {
        self.compared_by().map_or_else(|| "as fast".to_owned(), |by| format!("as good in {by}"))
    }

    /// Sides that each have a value but no ratio: facts and grades.
    fn side_by_side(&self, entries: &[Entry]) -> Line {
        match entries[0].value {
            Some(EntryValue::Text(ref text)) if text.parse::<Grade>().is_ok() => self.grades(entries),
            _ if self.outcome.remarks.iter().any(|remark| matches!(remark, Remark::NotPaired(..))) => {
                let line = Line { brackets: Vec::new(), ..self.facts(entries) };
                self.framed(line.with_first("No matched pair. "), entries, &[])
            }
            _ => self.facts(entries),
        }
    }

    /// `Throughput by device count: 1 device 97 images/s, 2 devices 190, 4 devices 371`.
    fn along(&self, entries: &[Entry]) -> Line {
        let first = &entries[0];
        if first.baseline.is_some() && entries.iter().all(|entry| entry.subjects.len() < 2) && entries.len() == 1 {
            return self.compare(entries);
        }
        let axis = self.asked.along.map_or("", Aspect::key);
        // The values along an axis tell more than a single ratio of two of them.
        let measured = entries.iter().find(|entry| entry.quantity != SPEED_UP && entry.subjects.contains_key(axis));
        let ratios = entries.iter().filter(|entry| entry.quantity == SPEED_UP).count();
        let first = measured.filter(|_| first.quantity == SPEED_UP && ratios == 1).unwrap_or(first);
        let series: Vec<&Entry> = entries.iter().filter(|entry| entry.quantity == first.quantity).collect();
        let line_of = |entry: &Entry| -> Vec<String> {
            let rest = entry.subjects.iter().filter(|(key, _)| *key != axis);
            rest.map(|(key, value)| self.words.condition(key, Some(value))).collect()
        };
        let is_like = |entry: &&Entry| line_of(entry) == line_of(first) && entry.baseline == first.baseline;
        let mut own: Vec<&Entry> = series.iter().copied().filter(is_like).collect();
        // A ratio is followed by those of its pairs, so only the first entry of each subject is used.
        let mut known = IndexSet::new();
        own.retain(|entry| first.baseline.is_none() || known.insert(self.words.subjects(&entry.subjects)));
        // Places on the axis that are numbers are sorted.
        let at = |entry: &Entry| entry.subjects.get(axis).and_then(|value| value.to_string().parse::<f64>().ok());
        if own.iter().all(|entry| at(entry).is_some()) {
            own.sort_by(|a, b| at(a).unwrap_or(0.0).total_cmp(&at(b).unwrap_or(0.0)));
        }
        let lines: IndexSet<Vec<String>> = series.iter().map(|entry| line_of(entry)).collect();
        let unit = |entry: &Entry, at: usize| {
            let unit = entry.unit.clone().filter(|_| at == 0);
            self.words.amount(&Entry { unit, ..entry.clone() })
        };
        let times = if first.quantity == SPEED_UP { " times" } else { "" };
        let place = |entry: &Entry, at: usize| {
            let shown = entry.subjects.get(axis).map(|value| self.words.condition(axis, Some(value)));
            format!("{} {}{times}", shown.unwrap_or_default(), unit(entry, at).unwrap_or_default()).trim().to_owned()
        };
        let told: Vec<String> = match own.as_slice() {
            few if few.len() <= MOST_LISTED => few.iter().enumerate().map(|(at, entry)| place(entry, at)).collect(),
            many => {
                let higher = |entry: &&&Entry| entry.number().unwrap_or(f64::NEG_INFINITY);
                let top = many.iter().max_by(|a, b| higher(a).total_cmp(&higher(b)));
                // Among ratios, the one with most pairs tells more than the highest.
                let head = many.iter().find(|entry| std::ptr::eq(**entry, first)).filter(|_| first.baseline.is_some());
                let mut told: Vec<&&Entry> = [many.first(), head.or(top), many.last()].into_iter().flatten().collect();
                told.dedup_by(|entry, other| std::ptr::eq(**entry, **other));
                told.iter().enumerate().map(|(at, entry)| place(entry, at)).collect()
            }
        };
        let name = heading(first);
        let of = line_of(first);
        let of = if of.is_empty() { self.named() } else { of };
        // `ResNet-50 A100 scaling efficiency: `
        let of = match name.is_empty() {
            _ if of.is_empty() => String::new(),
            true => format!("{}: ", of.join(" ")),
            false => format!("{} ", of.join(" ")),
        };
        let against = match &first.baseline {
            Some(base) if first.quantity == SPEED_UP => format!(" {} as {}", self.as_good(), self.words.subjects(base)),
            _ => String::new(),
        };
        let more = (lines.len() > 1).then(|| format!("; {}", counted(lines.len() - 1, "more series", "more series")));
        let more = more.unwrap_or_default();
        let pairs: usize = own.iter().map(|entry| entry.n).sum();
        let behind = if first.baseline.is_some() { count_of(pairs, "pair", "pairs") } else { rows(pairs) };
        let name = if of.is_empty() { capital(&name) } else { name };
        let line = Line::of(format!("{of}{name}{}{against}{more}", told.join(", "))).with(1, [behind]);
        // The frame must hold for every place on the axis.
        let all: Vec<Entry> = own.into_iter().cloned().collect();
        self.framed(line, &all, &[])
    }

    /// Whether a question says what was run, such as a network or a stage.
    fn is_of_work(&self) -> bool {
        let of_network = |key: &Key| match key {
            Key::Facet(Facet::Network | Facet::Task | Facet::Stage | Facet::Framework) => true,
            Key::Aspect(Aspect::Fact(fact)) => fact.kind() == EntityKind::Network,
            _ => false,
        };
        self.asked.subject.tests().any(|test| of_network(&test.key))
    }

    /// The networks, devices and frameworks that a question names, if their names are short.
    fn named(&self) -> Vec<String> {
        let subject = self.outcome.relaxed.as_ref().unwrap_or(&self.asked.subject);
        let is_of_work =
            |test: &&Test| matches!(test.key, Key::Facet(Facet::Network | Facet::Device | Facet::Framework));
        let names = subject.tests().filter(is_of_work).map(|test| self.words.filter(&test.clone().into()));
        names.filter(|name| !name.contains(',') && words_in(name) < 5).collect()
    }

    /// `TDP of Tesla V100 SXM2 16 GB: 300 W (epoch-ai-2025)`.
    fn facts(&self, entries: &[Entry]) -> Line {
        if let [Entry { value: Some(EntryValue::Flag(_)) | None, .. }, rest @ ..] = entries
            && self.asked.holds
        {
            let about = self.words.filter(&self.asked.subject);
            return match rest {
                [] if entries[0].n > 0 => Line::of(format!("{} of {about}", rows(entries[0].n))),
                [] if self.verdict().is_some() => Line::of(format!("nothing is known of {about}")),
                [] => self.no_value_line(),
                stated => self.facts(stated),
            };
        }
        // Members of a family are left to the table.
        let sides: Vec<IndexMap<String, Value>> = self.asked.sides.iter().map(subjects_of).collect();
        let is_of = |entry: &Entry, test: &Test| {
            entry.subjects.get(test.key.key()).is_some_and(|value| test.values().contains(&value.to_string()))
        };
        // A side that names several devices, such as `ipu`, has an entry for each of them.
        let is_member = |entry: &Entry, side: &Filter| side.tests().any(|test| is_of(entry, test));
        let is_named = |entry: &Entry| {
            let mut named = self.asked.subject.tests().filter(|test| is_entity(test));
            let several = |side: &&Filter| side.tests().any(|test| is_entity(test) && test.values().len() > 1);
            let mut sides = self.asked.sides.iter().filter(several);
            named.any(|test| is_of(entry, test)) || sides.any(|side| is_member(entry, side))
        };
        let is_side = |entry: &&Entry| sides.contains(&entry.subjects) || is_named(entry);
        let has_side = entries.iter().any(|entry| is_side(&entry));
        let told: Vec<&Entry> = entries.iter().filter(|entry| !has_side || is_side(entry)).collect();
        // Unknown values are left to a remark, unless all are unknown.
        let is_known = |entry: &&Entry| entry.value.is_some() || entry.low.is_some();
        let has_known = told.iter().any(is_known);
        let told: Vec<&Entry> = told.into_iter().filter(|entry| !has_known || is_known(entry)).collect();
        let is_told =
            |side: &&Filter| told.iter().any(|entry| entry.subjects == subjects_of(side) || is_member(entry, side));
        // A side with a form factor or a memory selects members of a family, which have entries of their own.
        let missing = self.asked.sides.iter().filter(|side| side.terms.len() == 1 && !is_told(side));
        let missing = missing.map(|side| self.words.filter(side));
        let missing: Vec<String> = missing.collect();
        let is_some = !told.is_empty() && !missing.is_empty() && missing.len() < self.asked.sides.len();
        let missing = if is_some { format!("; nothing of {}", or_list(&missing)) } else { String::new() };
        let mut of_quantity: IndexMap<&str, Vec<&Entry>> = IndexMap::new();
        for entry in told {
            of_quantity.entry(entry.quantity.as_str()).or_default().push(entry);
        }
        let mut parts: Vec<String> = Vec::new();
        let subjects: IndexSet<String> = entries.iter().map(|entry| self.words.subjects(&entry.subjects)).collect();
        for (quantity, own) in of_quantity.iter().take(MOST_LISTED) {
            let name = quantity_name(quantity);
            let value = |entry: &Entry| match self.words.amount(entry) {
                Some(notes) if *quantity == Fact::Notes.file_key() => beginning(&notes),
                value => value.unwrap_or_else(|| "not known".to_owned()),
            };
            let values: IndexSet<String> = own.iter().map(|entry| value(entry)).collect();
            let about = |own: &[&Entry]| -> String {
                let names: IndexSet<String> = own.iter().map(|entry| self.words.subjects(&entry.subjects)).collect();
                let names: Vec<String> = names.into_iter().collect();
                if names.len() > 2 { self.kinds(names.len()) } else { and_list(&names) }
            };
            parts.push(match (own.as_slice(), values.len()) {
                (own, 1) => format!("{name} of {}: {}", about(own), values[0]),
                (own, _) if own.len() <= 4 => {
                    let each =
                        own.iter().map(|entry| format!("{} {}", self.words.subjects(&entry.subjects), value(entry)));
                    format!("{name}: {}", each.collect::<Vec<_>>().join(", "))
                }
                (own, _) => {
                    let values: Vec<&String> = values.iter().collect();
                    let range = spread(own).map(|range| self.words.range(&range).unwrap_or_default());
                    let range = range.unwrap_or_else(|| some_of(&values, MOST_LISTED));
                    format!("{name} of {}: {range}", about(own))
                }
            });
        }
        // Several facts of one subject are listed after its name.
        let lead = match (subjects.len(), of_quantity.len()) {
            (1, 2..) if has_known => {
                let each = of_quantity.iter().take(MOST_LISTED).filter_map(|(_, own)| {
                    let entry = own.first()?;
                    Some(fact_in_words(entry, &self.words.amount(entry)?))
                });
                format!("{}: {}", subjects[0], each.collect::<Vec<_>>().join(", "))
            }
            _ => fitting(&parts, "; "),
        };
        self.cited(Line::of(capital(&lead)), entries).then(missing)
    }

    /// `Energy efficiency: FPGA moderate, GPU good; high is better (dai-berleant-2019)`.
    fn grades(&self, entries: &[Entry]) -> Line {
        let mut of_metric: IndexMap<&str, Vec<String>> = IndexMap::new();
        for entry in entries {
            let Some(value) = &entry.value else { continue };
            let shown = match value {
                EntryValue::Text(text) => grade(text),
                other => self.words.entry_value(&entry.quantity, other),
            };
            let subject = self.words.subjects(&entry.subjects);
            let measured = self.measured_verdict(entry).map(|verdict| format!(" (measurements: {verdict})"));
            let part = format!("{subject} {shown}{}", measured.unwrap_or_default());
            of_metric.entry(entry.quantity.as_str()).or_default().push(part);
        }
        let parts: Vec<String> = of_metric
            .iter()
            .map(|(metric, classes)| format!("{}: {}", quantity_name(metric), classes.join(", ")))
            .collect();
        let ungraded = self.outcome.remarks.iter().filter_map(|remark| match remark {
            Remark::FactUnknown { subject, quantity } if quantity == GRADES => Some(subject.clone()),
            _ => None,
        });
        let ungraded: Vec<String> = ungraded.collect();
        let nothing =
            if ungraded.is_empty() { String::new() } else { format!("; no grades of {}", or_list(&ungraded)) };
        self.cited(Line::of(capital(&fitting(&parts, "; ")) + &nothing), entries)
    }

    /// The verdict of measurements on a grade.
    fn measured_verdict(&self, entry: &Entry) -> Option<&str> {
        let graded = entry.subjects.get(Facet::Class.key())?.to_string();
        self.remark(|remark| match remark {
            Remark::GradeEvidence { class, metric, verdict, .. } if *class == graded && *metric == entry.quantity => {
                verdict.as_deref()
            }
            _ => None,
        })
    }

    /// `14 frameworks: PyTorch (883 rows), TensorFlow (464), Keras (237) and 11 more`.
    fn list(&self, entries: &[Entry]) -> Line {
        let mut subjects: IndexMap<String, &Entry> = IndexMap::new();
        for entry in entries {
            subjects.entry(self.words.subjects(&entry.subjects)).or_insert(entry);
        }
        let mut told = String::new();
        let mut shown = 0;
        for (subject, entry) in &subjects {
            let amount = match (entry.quantity.as_str(), &entry.value) {
                (ROWS, Some(EntryValue::Number(count))) if shown == 0 => Some(rows(*count as usize)),
                (ROWS, Some(EntryValue::Number(count))) => Some(grouped(*count as usize)),
                ("name" | "definition", _) => None,
                _ => self.words.amount(entry).filter(|amount| amount != subject),
            };
            let part = amount.map_or_else(|| subject.clone(), |amount| format!("{subject} ({amount})"));
            if shown > 0 && (shown >= MOST_LISTED || words_in(&told) + words_in(&part) > MOST_WORDS - 8) {
                break;
            }
            told.push_str(if shown > 0 { ", " } else { "" });
            told.push_str(&part);
            shown += 1;
        }
        // A ranking by a fact has entries only for the first candidates.
        let ranked =
            self.remark(|remark| if let Remark::RankedByFact { ranked, .. } = remark { Some(*ranked) } else { None });
        let all = ranked.filter(|_| self.asked.take.is_none()).unwrap_or_default().max(subjects.len());
        let more = all - shown;
        let more = if more > 0 { format!(" and {} more", grouped(more)) } else { String::new() };
        // `how many measurements come from MLPerf`
        let counts_rows = self.asked.wants.contains(&Quantity::Rows) && self.asked.order.is_none();
        let of_all = if counts_rows { format!("{} in ", rows(self.total)) } else { String::new() };
        Line::of(format!("{of_all}{}: {told}{more}", self.kinds(all)))
    }

    /// `Tesla V100: NVIDIA GPU, Volta, 300 W; 7,668 rows, most of ResNet-50 (499)`.
    fn overview(&self, entries: &[Entry]) -> Line {
        let first = &entries[0];
        let subject = match first.subjects.is_empty() {
            true => self.words.filter(self.outcome.relaxed.as_ref().unwrap_or(&self.asked.subject)),
            false => self.words.subjects(&first.subjects),
        };
        let (own, others): (Vec<&Entry>, Vec<&Entry>) =
            entries.iter().partition(|entry| entry.subjects == first.subjects);
        let mut facts: Vec<String> = Vec::new();
        for entry in own.iter().filter(|entry| entry.quantity != ROWS) {
            let Some(amount) = self.words.amount(entry) else { continue };
            match (entry.quantity.as_str(), &entry.value) {
                // Prose is left to the entity's card.
                ("name" | "notes", _) => {}
                (metric, Some(EntryValue::Text(text))) if text.parse::<Grade>().is_ok() => {
                    facts.push(format!("{} {}", quantity_name(metric), grade(text)));
                }
                _ => facts.push(fact_in_words(entry, &amount)),
            }
        }
        let kind = others.first().and_then(|entry| entry.subjects.keys().next());
        let of_kind = |entry: &&&Entry| kind.is_some_and(|kind| entry.subjects.contains_key(kind));
        let most = others.iter().filter(of_kind).take(2);
        let most = most.map(|entry| format!("{} ({})", self.words.subjects(&entry.subjects), grouped(entry.n)));
        let most: Vec<String> = most.collect();
        let most = if most.is_empty() { String::new() } else { format!(", most of {}", and_list(&most)) };
        facts.truncate(7);
        let facts = if facts.is_empty() { String::new() } else { format!("{}; ", some_that_fit(&facts, 26)) };
        let counted = own.iter().find(|entry| entry.quantity == ROWS).map_or(self.total, |entry| entry.n);
        let none = self.remark(|remark| match remark {
            Remark::NoRow { side, .. } => Some(format!("No row of {}. ", self.words.filter(side))),
            _ => None,
        });
        // If no row meets the whole question, the counted rows meet a part of it.
        let subject = if none.is_some() && first.subjects.is_empty() { "Nearest".to_owned() } else { subject };
        let line = format!("{}{subject}: {facts}{}{most}", none.unwrap_or_default(), rows(counted));
        Line::of(line.trim_start_matches(": "))
    }

    /// `Llama 3 70B fits 2 A100 SXM4 80 GB in fp16: 131 of 160 GiB`.
    fn fits(&self, entries: &[Entry]) -> Line {
        let said =
            |entry: &Entry, key: &str| entry.subjects.get(key).map(|value| self.words.condition(key, Some(value)));
        let weights = |fit: &Entry| {
            let is_of = |other: &&Entry| {
                other.unit.is_some() && other.subjects.iter().all(|(key, value)| fit.subjects.get(key) == Some(value))
            };
            entries.iter().find(is_of).and_then(Entry::number).map(rounded)
        };
        let named = |entry: &Entry| {
            let millions = entry.subjects.get("parameters").and_then(|size| size.to_string().parse::<f64>().ok());
            let size = millions.map(|millions| format!("a network of {} billion parameters", number(millions / 1e3)));
            said(entry, "network").or(size)
        };
        let trains = self.outcome.remarks.contains(&Remark::WeightsAlone(true));
        let what = if trains { "weights, gradients and optimizer states" } else { "weights" };
        let mut parts: Vec<String> = Vec::new();
        // Entries that fit come first, the widest number format first.
        let fitting_first = |entry: &&Entry| !matches!(entry.value, Some(EntryValue::Flag(true)));
        let mut ordered: Vec<&Entry> = entries.iter().collect();
        ordered.sort_by_key(fitting_first);
        for entry in ordered {
            let Some(EntryValue::Flag(fits)) = entry.value else { continue };
            let verb = match (fits, trains) {
                (true, false) => "fits",
                // Activations grow with the batch.
                (true, true) => "may be trained on",
                (false, false) => "does not fit",
                (false, true) => "cannot be trained on",
            };
            let place = match (entry.subjects.get("device-count").map(ToString::to_string), said(entry, "device")) {
                (Some(count), Some(device)) if count != "1" => format!(" {count} {device}"),
                (_, Some(device)) => format!(" {device}"),
                _ => String::new(),
            };
            let format = said(entry, "precision").map_or_else(String::new, |format| format!(" in {format}"));
            let amount = match (weights(entry), entry.high) {
                (Some(weights), Some(memory)) => format!(": {what} {weights} of {} GiB", rounded(memory)),
                _ => String::new(),
            };
            parts.push(match parts.is_empty() {
                true => {
                    let unnamed = || named(entry).map(|network| capital(&network)).unwrap_or_default();
                    let network = said(entry, "network").unwrap_or_else(unnamed);
                    format!("{network} {verb}{place}{format}{amount}")
                }
                false => format!("{verb}{format}{amount}"),
            });
        }
        if parts.is_empty() {
            let amount = |entry: &Entry| self.words.amount(entry).unwrap_or_else(|| "not known".to_owned());
            let network = named(&entries[0]).filter(|name| {
                entries
                    .iter()
                    .all(|entry| named(entry).as_ref() == Some(name) && !entry.subjects.contains_key("device"))
            });
            // `Weights of LLaMA 3 8B: fp16 14.96 GiB, int8 7.48 GiB`
            let told = entries.iter().map(|entry| match network {
                Some(_) => format!("{} {}", said(entry, "precision").unwrap_or_default(), amount(entry)),
                None => format!("{} {}", self.words.subjects(&entry.subjects), amount(entry)),
            });
            let told: Vec<String> = told.collect();
            parts = match &network {
                Some(network) => vec![format!("{} of {network}: {}", capital(what), told.join(", "))],
                None => told,
            };
        }
        let more = if trains { "; activations come on top" } else { "" };
        self.cited(Line::of(fitting(&parts, "; ")), &entries[..1]).then(more)
    }

    /// A line with its frame, its sources, and the row of another setting that beats it, unless `shown` has that row.
    fn framed(&self, line: Line, entries: &[Entry], shown: &[&String]) -> Line {
        let shared = |key: &str| entries.iter().all(|entry| entry.under.get(key) == entries[0].under.get(key));
        let is_asked = |key: &str| {
            let own: Vec<String> = entries[0].stated(key).map(ToString::to_string).into_iter().collect();
            !own.is_empty() && self.asked.subject.tests().any(|test| test.key.key() == key && test.values() == own)
        };
        let keys = entries[0].under.keys().map(String::as_str);
        let known: Vec<&str> = keys.filter(|key| !shared(key) || is_asked(key) || *key == "metered").collect();
        let frame = self.words.frame(&entries[0], &known);
        self.cited(line.with(4, frame), entries).then(self.elsewhere(&entries[0], shown))
    }

    fn cited(&self, line: Line, entries: &[Entry]) -> Line {
        // A page that is not a source of measurements has only a title.
        let of = |entry: &'_ Entry| if entry.sources.is_empty() { entry.cited.clone() } else { entry.sources.clone() };
        let ids: IndexSet<String> = entries.iter().flat_map(of).collect();
        let ids: Vec<String> = ids.into_iter().collect();
        line.with(2, sources(&ids))
    }

    /// The row within the question that beats the value of the line, in another setting.
    fn elsewhere(&self, first: &Entry, shown: &[&String]) -> String {
        self.beats(first, shown).map_or_else(String::new, |(_, told)| format!("; elsewhere {told}"))
    }

    fn beats(&self, first: &Entry, shown: &[&String]) -> Option<(&Entry, String)> {
        let beats = self.remark(|remark| match remark {
            Remark::HigherElsewhere(entry) => Some(entry.as_ref()),
            _ => None,
        });
        let is_new = |entry: &&Entry| !entry.measurements.iter().any(|id| shown.contains(&id));
        let entry = beats.filter(is_new)?;
        let amount = self.words.amount(entry).unwrap_or_default();
        let subjects = entry.subjects.iter().filter(|(key, value)| first.at(key) != Some(value));
        let (about, other): (Vec<_>, Vec<_>) =
            subjects.partition(|(key, _)| matches!(key.as_str(), "network" | "stage" | "device"));
        let about = self.words.subjects(about);
        let mut setting = self.words.conditions(other.into_iter().map(|(key, value)| (key.as_str(), value)));
        // The network is named unless the question names it.
        let is_asked = |key: &str| key != "network" || self.asked.subject.has_any(&[Facet::Network, Facet::Task]);
        let shared = entry.under.iter().filter(|(key, value)| first.under.get(*key) == Some(value) && is_asked(key));
        let shared: Vec<&str> = shared.map(|(key, _)| key.as_str()).collect();
        setting.extend(self.words.frame(entry, &shared));
        setting.truncate(3);
        setting.extend(sources(&entry.sources));
        let joint = if about.is_empty() { "" } else { " " };
        Some((entry, format!("{about}{joint}{amount} ({})", setting.join(", "))))
    }

    /// The number of ranked or listed items with their kind: `14 frameworks`.
    fn kinds(&self, count: usize) -> String {
        format!("{} {}", grouped(count), self.kind(count))
    }

    fn kind(&self, count: usize) -> String {
        let first = self.outcome.entries.first();
        let subject = first.and_then(|entry| entry.subjects.keys().next());
        let defines = first.is_some_and(|entry| entry.quantity == "definition");
        let of_subject = || {
            let key = subject?;
            key.parse::<Facet>().ok().map(Key::Facet).or_else(|| Aspect::keyed(key).map(Key::Aspect))
        };
        let noun = match self.asked.of.clone().filter(|_| !defines).or_else(of_subject) {
            Some(Key::Facet(facet)) => match facet.entity_kind() {
                Some(kind) if count == 1 => return kind.noun().to_owned(),
                Some(kind) => return kind.plural().replace('-', " "),
                None => facet.key(),
            },
            Some(Key::Aspect(aspect)) => key_name(aspect.key()),
            _ => subject.map_or("candidate", String::as_str),
        };
        if count == 1 { noun.to_owned() } else { plural(noun) }
    }
}

impl Entry {
    /// The value of a key in its subjects, or else in the conditions that its rows share.
    fn at(&self, key: &str) -> Option<&Value> {
        self.subjects.get(key).or_else(|| self.stated(key))
    }

    /// The value of a key in the conditions that its rows share.
    fn stated(&self, key: &str) -> Option<&Value> {
        self.under.get(key)?.as_ref()
    }
}

/// Whether there are at least four pairs and all have the direction of the mean.
fn is_in_every_pair(mean: &Entry, entries: &[Entry]) -> bool {
    let pairs = entries.iter().filter(|entry| entry.pair.is_some() && entry.baseline == mean.baseline);
    let ratios: Vec<f64> = pairs.filter_map(Entry::number).collect();
    mean.n >= MIN_PAIRS && ratios.len() == mean.n && ratios.iter().all(|ratio| *ratio > 1.0)
}

/// The name of the quantity in front of its values. A rate or a ratio needs none, because its unit says what it is.
fn heading(entry: &Entry) -> String {
    let is_rate = entry.unit.as_deref().is_some_and(|unit| unit.contains("/s"));
    if is_rate || entry.quantity == SPEED_UP { String::new() } else { format!("{}: ", quantity_name(&entry.quantity)) }
}

/// `0.884 to 1.48`: the ends of an interval.
fn ends(entry: &Entry) -> Option<String> {
    entry.low.zip(entry.high).map(|(low, high)| format!("{} to {}", rounded(low), rounded(high)))
}

fn is_lower_better(quantity: &str) -> bool {
    Aspect::keyed(quantity).is_some_and(|aspect| aspect.direction() == Direction::Lower)
}

/// Whether the metric with this key is a speed.
pub fn is_of_speed(quantity: &str) -> bool {
    let Some(Aspect::Metric(metric)) = Aspect::keyed(quantity) else { return false };
    metric.items_per() == Some("s") || matches!(metric.unit(), Unit::Seconds | Unit::Milliseconds)
}

/// Whether a test names entities.
fn is_entity(test: &Test) -> bool {
    matches!(test.key, Key::Facet(facet) if facet.entity_kind().is_some())
}

/// The number of devices on which the rows of an entry ran, in words; `None` if the entry does not have the key.
fn devices_of(entry: &Entry) -> Option<String> {
    match (entry.under.get("device-count"), entry.subjects.contains_key("device-count")) {
        (_, true) => Some("on several devices".to_owned()),
        (Some(Some(count)), _) => {
            Some(format!("on {count} device{}", if *count == Value::Count(1) { "" } else { "s" }))
        }
        (Some(None), _) => Some("on an unstated number of devices".to_owned()),
        (None, _) => None,
    }
}

fn words_in(text: &str) -> usize {
    text.split_whitespace().count()
}

/// Joins as many parts as leave room for the brackets, at least one.
fn fitting(parts: &[String], joint: &str) -> String {
    let mut words = 0;
    let fits = |part: &&String| {
        let is_first = words == 0;
        words += words_in(part);
        is_first || words <= MOST_WORDS - 10
    };
    let shown: Vec<&str> = parts.iter().take_while(fits).map(String::as_str).collect();
    let more = parts.len() - shown.len();
    let more = if more > 0 { format!(" and {more} more") } else { String::new() };
    format!("{}{more}", shown.join(joint))
}

/// Joins the parts that fit into `most` words, skipping those that do not.
fn some_that_fit(parts: &[String], most: usize) -> String {
    let mut words = 0;
    let fits = |part: &&String| {
        let is_room = words + words_in(part) <= most;
        words += if is_room { words_in(part) } else { 0 };
        is_room
    };
    parts.iter().filter(fits).map(String::as_str).collect::<Vec<_>>().join(", ")
}

/// The numbers of several entries from the least to the largest, as one entry; `None` if they are not numbers.
fn spread(own: &[&Entry]) -> Option<Entry> {
    let numbers: Vec<f64> = own.iter().map(|entry| entry.number()).collect::<Option<_>>()?;
    let low = numbers.iter().copied().fold(f64::INFINITY, f64::min);
    let high = numbers.iter().copied().fold(f64::NEG_INFINITY, f64::max);
    Some(Entry { value: None, low: Some(low), high: Some(high), ..own[0].clone() })
}

/// A fact in words, with its name unless the value is self-explanatory: `memory 16 GiB`, `Apache-2.0`.
fn fact_in_words(entry: &Entry, amount: &str) -> String {
    let Some(fact) = Fact::of_file_key(&entry.quantity) else {
        return format!("{} {amount}", quantity_name(&entry.quantity));
    };
    match (fact, &entry.value) {
        (Fact::Class, Some(EntryValue::Text(class))) => class.to_uppercase(),
        (Fact::Vendor | Fact::Published | Fact::Task | Fact::Maturity | Fact::License | Fact::Architecture, _) => {
            amount.to_owned()
        }
        (Fact::Released, _) => format!("released {amount}"),
        (Fact::Hardware, _) => format!("runs on {amount}"),
        (Fact::MultiServer, Some(EntryValue::Flag(true))) => "trains on several servers".to_owned(),
        (Fact::MultiServer, Some(EntryValue::Flag(false))) => "trains on one server only".to_owned(),
        _ => format!("{} {amount}", fact_name(fact)),
    }
}

/// Whether the subject of an entry takes a plural verb: `8 devices`.
fn is_plural(entry: &Entry) -> bool {
    entry.subjects.iter().next().is_some_and(|(key, value)| {
        // Several names of one form factor or precision take a singular verb.
        let is_of_one = ["form-factor", "precision"].contains(&key.as_str());
        key == "device-count" && value.to_string() != "1" || !is_of_one && value.to_string().contains(',')
    })
}

/// Whether no other entry of the same quantity, network, stage and device count goes beyond the better end of this one.
fn is_outermost(entry: &Entry, entries: &[Entry]) -> bool {
    let is_like = |other: &&Entry| {
        let same = |key: &&str| other.at(key) == entry.at(key);
        other.quantity == entry.quantity && ["network", "stage", "device-count"].iter().all(same)
    };
    !entries.iter().filter(is_like).any(|other| is_beyond(other, entry))
}

/// Whether the better end of an entry is better than that of another.
fn is_beyond(entry: &Entry, other: &Entry) -> bool {
    let is_low = is_lower_better(&other.quantity);
    let end = |entry: &Entry| if is_low { entry.low } else { entry.high }.or(entry.number());
    let ends = end(entry).zip(end(other)).filter(|_| entry.quantity == other.quantity);
    ends.is_some_and(|(own, other)| if is_low { own < other } else { own > other })
}

/// Whether the measured ratio of a candidate to the first is outside the interval of its evidence.
fn is_outside(first: &Entry, beats: &Entry, own: &Entry) -> bool {
    let Some((value, measured)) = beats.number().zip(first.measured.as_ref()) else { return false };
    let ratio = if is_lower_better(&measured.quantity) { measured.value / value } else { value / measured.value };
    let is_alike = beats.quantity == measured.quantity && devices_of(beats) == devices_of(first);
    is_alike && own.low.zip(own.high).is_some_and(|(low, high)| ratio < low || ratio > high)
}
