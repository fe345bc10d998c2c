//! Which rows were measured under the same conditions: in one source, with another device or another framework, and equal in
//! everything else that decides comparability.

use std::collections::HashMap;
use std::fmt::Write as _;
use std::hash::Hash;

use strum::VariantArray;
use xxhash_rust::xxh3::Xxh3DefaultBuilder;

use crate::model::{Field, Part, Parts, SharedPart, Tier};

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
