//! Which rows may be ranked together, and which were measured under the same conditions.

use std::borrow::Cow;
use std::collections::{HashMap, HashSet};
use std::fmt::Write as _;
use std::hash::Hash;

use strum::VariantArray;
use xxhash_rust::xxh3::Xxh3DefaultBuilder;

use super::criterion::ComparedRow;
use super::criterion::Criterion;
use super::criterion::{RowKind, must_be_known};
use crate::model::{Field, Metric, Part, Parts, SharedPart, Tier};

/// The axes that may vary in a ranking.
#[derive(Debug, Clone, Copy)]
pub enum AllowedAxes<'f> {
    /// Every axis, because all of them are shown.
    All,
    /// These fields, and the fields that go with them.
    Only(&'f [Field]),
}

impl AllowedAxes<'_> {
    /// Whether a field is allowed by its own name.
    fn names(self, field: Field) -> bool {
        matches!(self, Self::Only(asked) if asked.contains(&field))
    }

    /// Whether a field may vary. A framework's version and other dependent fields vary with it, and likewise for a device.
    pub fn allows(self, field: Field) -> bool {
        let Self::Only(asked) = self else { return true };
        asked.contains(&field) || asked.iter().any(|asked| field.varies_with(*asked))
    }
}

/// The value of a row for a criterion, or why it equals no other row's.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
enum StatedValue<'m> {
    As(Cow<'m, str>),
    NotBy(&'m str),
    Alone(usize),
}

/// The keys that divide rows into sets that can be ranked.
pub struct RankingKeys<'m> {
    rows: Vec<ComparedRow<'m>>,
    /// The values of each row in the dividing criteria; of the axes, only those that must be known.
    keys: Vec<Vec<(Criterion, StatedValue<'m>)>>,
    /// The axes that may not vary.
    fixed_axes: Vec<Criterion>,
}

impl<'m> RankingKeys<'m> {
    /// The keys of these rows.
    pub fn of(rows: Vec<ComparedRow<'m>>, metric: Metric, asked: AllowedAxes<'_>, relaxed: &[Criterion]) -> Self {
        let of_layers = rows.iter().any(|row| row.facts.is_of_layers());
        let weighs = |criterion: &Criterion| !relaxed.contains(criterion);
        let tiers: Vec<(Criterion, Tier)> = Criterion::all()
            .filter(weighs)
            .filter_map(|criterion| Some((criterion, criterion.tier(metric, of_layers)?)))
            .collect();
        let timed_differently = timed_differently(&rows);
        let dividing: Vec<(Criterion, Tier)> =
            tiers.iter().copied().filter(|(c, tier)| may_divide(*c, *tier, asked)).collect();
        let stating = sources_that_state(&rows, &dividing);
        let key = |(at, row): (usize, &ComparedRow<'m>)| {
            let kind = RowKind::of(std::slice::from_ref(row));
            let source = row.measurement.source().as_str();
            let mut key: Vec<(Criterion, StatedValue<'m>)> = Vec::with_capacity(dividing.len() + 2);
            for (criterion, tier) in &dividing {
                let is_required = must_be_known(*criterion, metric, kind);
                if *tier == Tier::Axis && !is_required {
                    continue;
                }
                let value = match row.compared(*criterion) {
                    Some(value) => StatedValue::As(value),
                    // A row of unknown network is not comparable with any other.
                    None if *criterion == Criterion::Field(Field::Network) => StatedValue::Alone(at),
                    None if !is_required => StatedValue::As(Cow::Borrowed("")),
                    // A field that a source omits in all of its rows counts as equal in them; if it states the field in
                    // some rows, the others may have any value.
                    None if stating.contains(&(*criterion, source)) => StatedValue::Alone(at),
                    None => StatedValue::NotBy(source),
                };
                key.push((*criterion, value));
            }
            if weighs(&Criterion::Class) {
                let class = row.facts.class.map_or("", Into::into);
                key.push((Criterion::Class, StatedValue::As(Cow::Borrowed(class))));
            }
            // Available systems are not ranked with previews or research systems.
            let availability = Criterion::Field(Field::Availability);
            if weighs(&availability) && !asked.names(Field::Availability) {
                let stated = row.text(Field::Availability).or(Field::Availability.usual()).unwrap_or_default();
                key.push((availability, StatedValue::As(Cow::Borrowed(stated))));
            }
            // Within one source, different wording means different timing.
            let timed = Criterion::Field(Field::Timed);
            if weighs(&timed) {
                let divides = timed_differently.contains(&source_and_stage(row));
                let text = row.text(Field::Timed).filter(|_| divides);
                let text = text.map_or(Cow::Borrowed(""), |text| Cow::Owned(format!("{source}: {text}")));
                key.push((timed, StatedValue::As(text)));
            }
            key
        };
        let keys = rows.iter().enumerate().map(key).collect();
        let is_fixed = |criterion: Criterion| matches!(criterion, Criterion::Field(field) if !asked.allows(field));
        let axes = tiers.iter().filter(|(_, tier)| *tier == Tier::Axis).map(|(criterion, _)| *criterion);
        let fixed_axes = axes.filter(|criterion| is_fixed(*criterion)).collect();
        Self { rows, keys, fixed_axes }
    }

    /// The rows in groups that can be ranked.
    pub(super) fn groups(&self) -> Vec<Vec<usize>> {
        let mut by_identity: HashMap<&[(Criterion, StatedValue<'m>)], Vec<usize>> = HashMap::new();
        for (at, key) in self.keys.iter().enumerate() {
            by_identity.entry(key).or_default().push(at);
        }
        let mut groups: Vec<Vec<usize>> = by_identity.into_values().collect();
        // If a fixed axis is known to vary, rows that do not state it are separated.
        for criterion in &self.fixed_axes {
            groups = groups.into_iter().flat_map(|group| divided(group, &self.rows, *criterion)).collect();
        }
        groups.sort();
        groups
    }

    /// The criteria in which two rows differ, or may differ because they are unknown, so that they are not ranked together.
    pub fn apart(&self, one: usize, other: usize) -> Vec<Criterion> {
        let stated = |at: usize, criterion: Criterion| self.rows[at].compared(criterion);
        let of_key = |at: usize, criterion: Criterion| {
            self.keys[at].iter().find(|(own, _)| *own == criterion).map(|(_, value)| value)
        };
        let differs = |criterion: &Criterion| match (of_key(one, *criterion), of_key(other, *criterion)) {
            (Some(value), Some(other)) => value != other,
            // A criterion that must be known for rows of one kind need not be known for another kind.
            _ => stated(one, *criterion) != stated(other, *criterion),
        };
        let in_keys = self.keys[one].iter().chain(&self.keys[other]).map(|(criterion, _)| *criterion).filter(differs);
        let is_unlike = |criterion: &Criterion| stated(one, *criterion) != stated(other, *criterion);
        let in_axes = self.fixed_axes.iter().copied().filter(is_unlike);
        let mut apart: Vec<Criterion> = in_keys.chain(in_axes).collect();
        apart.sort_unstable();
        apart.dedup();
        apart
    }
}

/// The criteria that each source states in some of its rows.
fn sources_that_state<'m>(rows: &[ComparedRow<'m>], dividing: &[(Criterion, Tier)]) -> HashSet<(Criterion, &'m str)> {
    let stated = |row: &ComparedRow<'m>| {
        let source = row.measurement.source().as_str();
        let stated = dividing.iter().filter(|(criterion, _)| row.compared(*criterion).is_some());
        stated.map(|(criterion, _)| (*criterion, source)).collect::<Vec<_>>()
    };
    rows.iter().flat_map(stated).collect()
}

/// Whether a criterion by itself separates rows; an axis only where it must be known.
fn may_divide(criterion: Criterion, tier: Tier, asked: AllowedAxes<'_>) -> bool {
    match (criterion, tier) {
        // Sources use different wording for possibly the same timing.
        (Criterion::Field(Field::Timed), _) => false,
        (_, Tier::Identity) => true,
        (Criterion::Field(field), Tier::Axis) => !asked.allows(field),
        _ => false,
    }
}

/// A source and a stage: what is timed differs between stages.
type SourceAndStage<'m> = (&'m str, Option<&'m str>);

fn source_and_stage<'m>(row: &ComparedRow<'m>) -> SourceAndStage<'m> {
    (row.measurement.source().as_str(), row.text(Field::Stage))
}

/// Sources and stages with different descriptions of what was timed.
fn timed_differently<'m>(rows: &[ComparedRow<'m>]) -> HashSet<SourceAndStage<'m>> {
    let mut first: HashMap<SourceAndStage<'m>, Option<&'m str>> = HashMap::new();
    let differs = |row: &&ComparedRow<'m>| {
        let timed = row.text(Field::Timed);
        *first.entry(source_and_stage(row)).or_insert(timed) != timed
    };
    rows.iter().filter(differs).map(source_and_stage).collect()
}

fn divided(group: Vec<usize>, rows: &[ComparedRow<'_>], criterion: Criterion) -> Vec<Vec<usize>> {
    let mut stated = group.iter().filter_map(|at| rows[*at].compared(criterion));
    let first = stated.next();
    if stated.all(|value| Some(value) == first) {
        return vec![group];
    }
    let mut parts: HashMap<Option<Cow<'_, str>>, Vec<usize>> = HashMap::new();
    // Where a source omits an expected field, its value may be anything.
    let must_be_stated = matches!(criterion, Criterion::Field(field) if field.is_expected());
    let mut alone: Vec<Vec<usize>> = Vec::new();
    for at in group {
        match rows[at].compared(criterion) {
            None if must_be_stated => alone.push(vec![at]),
            value => parts.entry(value).or_default().push(at),
        }
    }
    parts.into_values().chain(alone).collect()
}

/// Whether each row's source has another row that differs only in the device, or only in the framework, among the
/// fields that decide comparability.
pub fn under_same_conditions(parts: &Parts, rows: usize) -> Vec<bool> {
    let mut alike = vec![false; rows];
    for varied in [Field::Device, Field::Framework] {
        let keys: Vec<Vec<u32>> = Part::VARIANTS.iter().map(|part| keys_but_for(parts, *part, varied)).collect();
        let of_setups = numbered(parts.shares(Part::Setup).iter().map(|share| share.text(varied)));
        let mut known: HashMap<[u32; Part::VARIANTS.len()], u32, Xxh3DefaultBuilder> = HashMap::default();
        // For each group of rows with the same key: the first value, and whether there is a second value.
        let mut groups: Vec<(u32, bool)> = Vec::new();
        let group_of = |row: usize| -> Option<u32> {
            let numbers = parts.of_row(row);
            let value = of_setups[numbers[Part::Setup as usize] as usize];
            if value == 0 {
                return None;
            }
            let key = std::array::from_fn(|part| keys[part][numbers[part] as usize]);
            let group = *known.entry(key).or_insert_with(|| {
                groups.push((value, false));
                groups.len() as u32 - 1
            });
            let (first, several) = &mut groups[group as usize];
            *several |= *first != value;
            Some(group)
        };
        let of_rows: Vec<Option<u32>> = (0..rows).map(group_of).collect();
        for (alike, group) in alike.iter_mut().zip(of_rows) {
            *alike |= group.is_some_and(|group| groups[group as usize].1);
        }
    }
    alike
}

/// A number for each share of a part. Shares have the same number if they have the same source and metrics and are
/// equal in every identity and axis field except `varied` and the fields that go with it.
fn keys_but_for(parts: &Parts, part: Part, varied: Field) -> Vec<u32> {
    let weighs = |field: Field| {
        let is_free = field == varied || field.differs_along(varied);
        matches!(field.compared_tier(), Some(Tier::Identity | Tier::Axis)) && !is_free
    };
    let of_share = |share: &SharedPart| {
        let fields = share.fields.iter().filter(|(field, _)| weighs(*field));
        let mut key = share.source.as_ref().map(ToString::to_string).unwrap_or_default();
        for (field, value) in fields {
            let _ = write!(key, "\u{0}{field}\u{0}{value}");
        }
        share.metrics.iter().for_each(|metric| {
            let _ = write!(key, "\u{0}{metric}");
        });
        Some(key)
    };
    numbered(parts.shares(part).iter().map(of_share))
}

/// Numbers from 1 in the order of first occurrence; 0 for `None`.
fn numbered<T: Hash + Eq>(values: impl Iterator<Item = Option<T>>) -> Vec<u32> {
    let mut known: HashMap<T, u32> = HashMap::new();
    values
        .map(|value| match value {
            Some(value) => {
                let next = known.len() as u32 + 1;
                *known.entry(value).or_insert(next)
            }
            None => 0,
        })
        .collect()
}
