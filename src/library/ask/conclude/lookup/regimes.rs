//! What a headline is of: so many devices, one scenario, one thing that is metered. Numbers of different ones are never one range:
//! the largest group that answers is told, and the others beside it.

use std::collections::{BTreeMap, BTreeSet};

use crate::ask::conclude::basis::row_groups::GroupRows;
use crate::ask::conclude::basis::wording::metered_in_words;
use crate::ask::hits::{HitColumns, PartNumbers, SharedValues};
use crate::model::{Aspect, Field, Metric};
use crate::values::Division;
use crate::values::text::counted;

/// The scenario in which all queries are there from the beginning.
const OFFLINE: &str = "offline";

/// What rows count that are of no whole sequence.
const TOKEN: &str = "token";

/// How many devices worked together.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
enum Devices {
    One,
    Several,
    Unstated,
    /// Slices of whole devices together.
    Sliced,
    Slice,
}

/// What numbers of one range have in common.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash)]
struct Regime {
    devices: Devices,
    scenario: Option<String>,
    /// What the items are of, where a benchmark's rules say it: rounds changed it, and a scan of one data set is no scan of another.
    dataset: Option<String>,
    /// How long the sequences are that a rate or a latency is of, where whole sequences are counted.
    sequence: Option<i64>,
    /// Under which of a benchmark's rules.
    division: Option<String>,
    /// The accuracy that was demanded.
    target: Option<String>,
    /// What is metered, and how, where the figures are of power or energy.
    metered: Option<String>,
    timed: Option<String>,
}

/// A group in one regime, what tells it from the others, and these.
pub(super) struct InOneRegime {
    pub group: GroupRows,
    /// `on 1 device`, `offline`: empty where there is no other.
    pub which: String,
    /// The groups of the other regimes, each with what tells it.
    pub others: Vec<(String, GroupRows)>,
}

impl Regime {
    fn of(values: &SharedValues, parts: &PartNumbers, metric: Metric) -> Self {
        let text = |field: Field| values.text(Aspect::Field(field), parts).map(str::to_owned);
        let is_sliced = values.number(Aspect::Field(Field::DeviceSlice), parts) > 0;
        let devices = match values.count(Field::DeviceCount, parts) {
            Some(_) if is_sliced => Devices::Sliced,
            None if is_sliced => Devices::Slice,
            Some(1) => Devices::One,
            Some(_) => Devices::Several,
            None => Devices::Unstated,
        };
        // A token is one in whatever sequence.
        let counts_tokens = values.text(Aspect::Field(Field::Counts), parts) == Some(TOKEN);
        let of_energy = |field: Field| text(field).filter(|_| metric.is_of_energy());
        Self {
            devices,
            scenario: text(Field::Scenario),
            dataset: text(Field::Dataset).filter(|_| text(Field::Scenario).is_some()),
            sequence: values.count(Field::SequenceLength, parts).filter(|_| !counts_tokens),
            division: text(Field::Division),
            target: text(Field::AccuracyTarget).or_else(|| text(Field::RelativeAccuracyTarget)),
            metered: of_energy(Field::Metered),
            timed: of_energy(Field::Timed),
        }
    }

    /// What tells it from the others, as far as they differ in that; the target of what ends with it is told in any case.
    fn in_words(&self, all: &[&Self], counts: &BTreeSet<i64>, ends_with_target: bool) -> String {
        let differs = |same: &dyn Fn(&Self) -> bool| !all.iter().all(|other| same(other));
        let mut words = Vec::new();
        if differs(&|other| other.scenario == self.scenario) {
            words.push(self.scenario.clone().unwrap_or_else(|| "without a scenario".to_owned()));
        }
        // What rows of another set-up lack says nothing.
        let named = |other: &Self| other.dataset.is_none() || other.dataset == self.dataset;
        if let Some(dataset) = self.dataset.as_deref().filter(|_| differs(&named)) {
            words.push(format!("on {dataset}"));
        }
        if differs(&|other| other.division == self.division) {
            words.push(self.division.clone().unwrap_or_else(|| "without a division".to_owned()));
        }
        if differs(&|other| other.target == self.target) || (ends_with_target && self.target.is_some()) {
            words.push(self.target.as_ref().map_or_else(|| "(no target)".to_owned(), |of| format!("(target {of})")));
        }
        if differs(&|other| other.devices == self.devices) {
            words.push(match (self.devices, counts.first(), counts.last()) {
                (Devices::One, ..) => "on 1 device".to_owned(),
                (Devices::Several, Some(least), Some(most)) if least < most => format!("on {least} to {most} devices"),
                (Devices::Several, Some(count), _) => format!("on {}", counted(*count as usize, "device", "devices")),
                (Devices::Sliced, Some(least), Some(most)) if least < most => {
                    format!("on slices of {least} to {most} devices")
                }
                (Devices::Sliced, Some(count), _) => {
                    format!("on slices of {}", counted(*count as usize, "device", "devices"))
                }
                (Devices::Slice, ..) => "on a slice of a device".to_owned(),
                _ => "on an unstated number of devices".to_owned(),
            });
        }
        if differs(&|other| other.sequence == self.sequence) {
            words.push(match self.sequence {
                Some(length) => format!("at sequence {length}"),
                None => "without a sequence length".to_owned(),
            });
        }
        if differs(&|other| other.metered == self.metered) {
            words.push(metered_in_words(self.metered.as_deref()).to_owned());
        }
        if let Some(timed) = self.timed.as_deref().filter(|_| differs(&|other| other.timed == self.timed)) {
            words.push(format!("over `{timed}`"));
        }
        words.join(" ")
    }
}

/// Divides a group by its regimes. Told first is one device, where any row is of one, since that is what a name says; what ends
/// with a target is told of the most rows, which are whole systems.
pub(super) fn in_one_regime(values: &SharedValues, hits: &HitColumns, group: GroupRows, metric: Metric) -> InOneRegime {
    let mut regimes: BTreeMap<Regime, Vec<usize>> = BTreeMap::new();
    for hit in &group.hits {
        regimes.entry(Regime::of(values, &hits.parts(*hit), metric)).or_default().push(*hit);
    }
    let of_systems = matches!(metric, Metric::TimeToAccuracyS | Metric::CostUsd | Metric::TotalS);
    let of_latency = matches!(metric, Metric::LatencyMs | Metric::MeanLatencyMs);
    let all: Vec<&Regime> = regimes.keys().collect();
    let mut told: Vec<(&Regime, &Vec<usize>)> = regimes.iter().collect();
    told.sort_by_key(|(regime, rows)| {
        let place = if of_systems { Devices::One } else { regime.devices };
        // Where all queries are there from the beginning, what each waits for says nothing of how long one takes.
        let is_of_queue = of_latency && regime.scenario.as_deref() == Some(OFFLINE);
        // What says how long its sequences are says more than what does not.
        let is_silent = regime.sequence.is_none();
        let is_of_slices = matches!(place, Devices::Slice | Devices::Sliced);
        // The rules under which all ran one network come before those under which each chose its own.
        let is_open = regime.division.as_deref() == Some(Division::Open.into());
        (is_of_queue, is_of_slices, place != Devices::One, is_open, is_silent, std::cmp::Reverse(rows.len()))
    });
    let ends_with_target = metric == Metric::TimeToAccuracyS;
    let told = told.into_iter().map(|(regime, rows)| {
        let counts = rows.iter().filter_map(|hit| values.count(Field::DeviceCount, &hits.parts(*hit))).collect();
        (regime.in_words(&all, &counts, ends_with_target), group.kept(|hit| rows.binary_search(&hit).is_ok()))
    });
    let mut told = told.collect::<Vec<(String, GroupRows)>>().into_iter();
    let Some((which, first)) = told.next() else {
        return InOneRegime { group, which: String::new(), others: Vec::new() };
    };
    InOneRegime { group: first, which, others: told.collect() }
}
