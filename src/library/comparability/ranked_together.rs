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

/// What may be varied in a ranking.
#[derive(Debug, Clone, Copy)]
pub enum AllowedAxes<'f> {
    /// Every axis, because all of them are shown.
    All,
    /// These fields, and what goes with them.
    Only(&'f [Field]),
}

impl AllowedAxes<'_> {
    /// Whether a field was asked for by its own name.
    fn names(self, field: Field) -> bool {
        matches!(self, Self::Only(asked) if asked.contains(&field))
    }

    /// Whether a field may vary. With a framework go its versions and what is below it, with a device its place.
    pub fn allows(self, field: Field) -> bool {
        let Self::Only(asked) = self else { return true };
        asked.contains(&field) || asked.iter().any(|asked| field.varies_with(*asked))
    }
}

/// What a ranked states by a criterion, or why it is like no other.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
enum StatedValue<'m> {
    As(Cow<'m, str>),
    NotBy(&'m str),
    Alone(usize),
}

/// By what rows are divided into sets that can be ranked.
pub struct RankingKeys<'m> {
    rows: Vec<ComparedRow<'m>>,
    /// What each row states in what divides: of axes only those that must be known.
    keys: Vec<Vec<(Criterion, StatedValue<'m>)>>,
    /// The axes that nobody asked for.
    fixed_axes: Vec<Criterion>,
}

impl<'m> RankingKeys<'m> {
    /// The keys of some rows.
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
                    // What a number is about must be known.
                    None if *criterion == Criterion::Field(Field::Network) => StatedValue::Alone(at),
                    None if !is_required => StatedValue::As(Cow::Borrowed("")),
                    // What a source leaves out of all its rows is alike in them; where it states it of some, it may be
                    // anything in the others.
                    None if stating.contains(&(*criterion, source)) => StatedValue::Alone(at),
                    None => StatedValue::NotBy(source),
                };
                key.push((*criterion, value));
            }
            if weighs(&Criterion::Class) {
                let class = row.facts.class.map_or("", Into::into);
                key.push((Criterion::Class, StatedValue::As(Cow::Borrowed(class))));
            }
            // What can be bought is not set against what is announced, nor against what is in a laboratory.
            let availability = Criterion::Field(Field::Availability);
            if weighs(&availability) && !asked.names(Field::Availability) {
                let stated = row.text(Field::Availability).or(Field::Availability.usual()).unwrap_or_default();
                key.push((availability, StatedValue::As(Cow::Borrowed(stated))));
            }
            // Within one source other words are another thing.
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
        // Where an axis that was not asked for is known to vary, what does not state it is apart, too.
        for criterion in &self.fixed_axes {
            groups = groups.into_iter().flat_map(|group| divided(group, &self.rows, *criterion)).collect();
        }
        groups.sort();
        groups
    }

    /// In what two of the rows differ, or do not say whether they do, so that they are not ranked together.
    pub fn apart(&self, one: usize, other: usize) -> Vec<Criterion> {
        let stated = |at: usize, criterion: Criterion| self.rows[at].compared(criterion);
        let of_key = |at: usize, criterion: Criterion| {
            self.keys[at].iter().find(|(own, _)| *own == criterion).map(|(_, value)| value)
        };
        let differs = |criterion: &Criterion| match (of_key(one, *criterion), of_key(other, *criterion)) {
            (Some(value), Some(other)) => value != other,
            // What must be known of a row of one kind need not be of another's.
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

/// Which sources state a criterion in some of the rows.
fn sources_that_state<'m>(rows: &[ComparedRow<'m>], dividing: &[(Criterion, Tier)]) -> HashSet<(Criterion, &'m str)> {
    let stated = |row: &ComparedRow<'m>| {
        let source = row.measurement.source().as_str();
        let stated = dividing.iter().filter(|(criterion, _)| row.compared(*criterion).is_some());
        stated.map(|(criterion, _)| (*criterion, source)).collect::<Vec<_>>()
    };
    rows.iter().flat_map(stated).collect()
}

/// Whether what differs in a criterion may be apart by that alone; by an axis only where it must be known.
fn may_divide(criterion: Criterion, tier: Tier, asked: AllowedAxes<'_>) -> bool {
    match (criterion, tier) {
        // Sources have words of their own for what may be the same.
        (Criterion::Field(Field::Timed), _) => false,
        (_, Tier::Identity) => true,
        (Criterion::Field(field), Tier::Axis) => !asked.allows(field),
        _ => false,
    }
}

/// A source, and the stage of one of its rows: what is timed differs with the stage.
type SourceAndStage<'m> = (&'m str, Option<&'m str>);

fn source_and_stage<'m>(row: &ComparedRow<'m>) -> SourceAndStage<'m> {
    (row.measurement.source().as_str(), row.text(Field::Stage))
}

/// Sources that say different things of what was timed in one stage.
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
    // What every source is expected to state may be anything where one does not.
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

/// Whether each row's source has another row that differs from it in the device, or in the framework, and in nothing else that
/// decides comparability.
pub fn under_same_conditions(parts: &Parts, rows: usize) -> Vec<bool> {
    let mut alike = vec![false; rows];
    for varied in [Field::Device, Field::Framework] {
        let keys: Vec<Vec<u32>> = Part::VARIANTS.iter().map(|part| keys_but_for(parts, *part, varied)).collect();
        let of_setups = numbered(parts.shares(Part::Setup).iter().map(|share| share.text(varied)));
        let mut known: HashMap<[u32; Part::VARIANTS.len()], u32, Xxh3DefaultBuilder> = HashMap::default();
        // Of each group of rows with one key the first value, and whether there is another.
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

/// For each share of a part a number: equal where the shares are of one source, measure the same and are equal in every field of
/// identity and axis but for `varied` and what goes with it.
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

/// Numbers from 1 on in the order in which values first occur; 0 is none.
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
