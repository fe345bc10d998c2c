//! Rows that differ in one field.

use std::cmp::Ordering;

use super::context::LintContext;
use super::settings::level_of;
use crate::model::{Field, Value};

/// Of a setting with many levels each is compared with so many behind it.
const PARTNERS: usize = 2;

/// What two rows may differ in: the field, and those that go with it.
pub(in crate::contribute) type AxisFields = (Field, &'static [Field]);

/// Two rows that differ in one field, by their indices among those that were asked about, and what they differ by.
pub(in crate::contribute) struct Neighbours {
    pub rows: [usize; 2],
    /// The values of the field, as numbers that tell them apart; that of the first row first.
    pub levels: [u64; 2],
}

/// The pairs of rows that differ in the axis and in nothing but what goes with it. `rows` are indices in the loaded rows,
/// each with a number for what else they must have in common.
///
/// Partners are those whose values are next in order: batches of 4 and 8, networks of one name and another number.
pub(in crate::contribute) fn neighbours(
    context: &LintContext<'_>,
    rows: &[(usize, u64)],
    (axis, beside): AxisFields,
) -> Vec<Neighbours> {
    let but: Vec<Field> = [axis].into_iter().chain(beside.iter().copied().filter(|field| *field != axis)).collect();
    let place = |(index, (at, kind)): (usize, &(usize, u64))| {
        let setting = context.setting_but_for(*at, &but).wrapping_add(*kind);
        (setting, context.loaded.rows[*at].get().get(axis), index)
    };
    let mut placed: Vec<(u64, Option<&Value>, usize)> = rows.iter().enumerate().map(place).collect();
    placed.sort_unstable_by(|a, b| a.0.cmp(&b.0).then_with(|| in_order(a.1, b.1)).then(a.2.cmp(&b.2)));
    let mut pairs = Vec::new();
    for alike in placed.chunk_by(|a, b| a.0 == b.0).filter(|alike| alike.len() > 1) {
        // Rows of one level differ in what is not compared: they are nobody's neighbours.
        let levels = alike.chunk_by(|a, b| a.1 == b.1).filter(|same| same.len() == 1);
        let level = |index: usize| level_of(context.loaded.rows[rows[index].0].get(), axis);
        let alone: Vec<_> = levels.map(|same| (level(same[0].2), same[0].2)).collect();
        for (first, (level, a)) in alone.iter().enumerate() {
            let behind = alone.iter().skip(first + 1).take(PARTNERS);
            pairs.extend(behind.map(|(other, b)| Neighbours { rows: [*a, *b], levels: [*level, *other] }));
        }
    }
    pairs
}

/// What is not stated first, then by number or by text.
fn in_order(one: Option<&Value>, other: Option<&Value>) -> Ordering {
    match (one, other) {
        (Some(Value::Text(one)), Some(Value::Text(other))) => one.cmp(other),
        (Some(Value::Count(one)), Some(Value::Count(other))) => one.cmp(other),
        (Some(Value::Number(one)), Some(Value::Number(other))) => one.value().total_cmp(&other.value()),
        (one, other) => one.map(ToString::to_string).cmp(&other.map(ToString::to_string)),
    }
}
