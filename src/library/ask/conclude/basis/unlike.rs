//! In what rows differ so that none of them is the best of all: what is measured of them is not the same thing.

use std::collections::{BTreeMap, BTreeSet};

use strum::VariantArray as _;

use super::wording::Names;
use crate::ask::hits::{PartNumbers, SharedValues, distinct};
use crate::ask::question::QueryError;
use crate::comparability::{ComparisonFacts, Criterion};
use crate::model::{Aspect, Fact, Field, FieldType, Metric, Part, Tier};
use crate::stores::Stores;
use crate::values::text::{and_list, counted};

/// So many values are named, and none that is longer than this.
const MOST_NAMED: usize = 2;
const LONGEST: usize = 32;

/// Rows, and what they state: each share is looked at once, however many rows have it.
pub(in crate::ask::conclude) struct UnlikeRows<'r> {
    values: &'r SharedValues,
    rows: &'r [PartNumbers],
    shares: [Vec<u32>; Part::VARIANTS.len()],
}

impl<'r> UnlikeRows<'r> {
    /// Some rows.
    pub fn of(values: &'r SharedValues, rows: &'r [PartNumbers]) -> Self {
        let shares = std::array::from_fn(|part| {
            let of_part: Vec<u32> = rows.iter().map(|parts| parts[part]).collect();
            distinct(&of_part).collect()
        });
        Self { values, rows, shares }
    }

    /// The numbers of the different values that rows state of an aspect; 0 where one states none.
    fn numbers(&self, aspect: Aspect) -> BTreeSet<u32> {
        let Some(part) = aspect.part() else { return BTreeSet::new() };
        let column = self.values.column(aspect);
        self.shares[part as usize].iter().map(|share| column.map_or(0, |column| column.number(*share))).collect()
    }

    /// The different values that rows state of an aspect, sorted.
    pub fn texts(&self, aspect: Aspect) -> BTreeSet<&str> {
        let (Some(part), Some(column)) = (aspect.part(), self.values.column(aspect)) else { return BTreeSet::new() };
        self.shares[part as usize].iter().filter_map(|share| column.of(*share)).collect()
    }

    /// Whether rows differ in a field, one that does not state it among them.
    pub fn differ_in(&self, field: Field) -> bool {
        self.numbers(Aspect::Field(field)).len() > 1
    }

    /// Whether rows that state the same as this one of a field differ in another.
    pub fn differ_with(&self, shared: Field, one: &PartNumbers, other: Field) -> bool {
        let number = |field: Field, parts: &PartNumbers| self.values.number(Aspect::Field(field), parts);
        let mut like = self.rows.iter().filter(|parts| number(shared, parts) == number(shared, one));
        like.any(|parts| number(other, parts) != number(other, one))
    }

    /// The classes of hardware of their devices, where these are several: none is the best of all.
    pub fn classes(&self) -> Option<Vec<&str>> {
        let classes: Vec<&str> = self.texts(Aspect::Fact(Fact::Class)).into_iter().collect();
        (classes.len() > 1).then_some(classes)
    }

    /// The fields in which rows differ that keep values of a metric out of one ranking. Of what few sources have a word for,
    /// what is not stated is the whole, and another thing than a part of it.
    pub fn apart_in(&self, metric: Metric) -> Vec<Field> {
        let divides = |field: &Field| {
            let tier = Criterion::Field(*field).tier(metric, false);
            tier == Some(Tier::Identity) && *field != Field::Statistic && field.part().is_some()
        };
        let differ = |field: &Field| match *field {
            Field::Timed => self.are_timed_differently(),
            Field::BatchSize => self.differ_in_batch(),
            field => {
                let mut numbers = self.numbers(Aspect::Field(field));
                if field.is_expected() {
                    numbers.remove(&0);
                }
                numbers.len() > 1
            }
        };
        Field::VARIANTS.iter().copied().filter(divides).filter(differ).collect()
    }

    fn differ_in_batch(&self) -> bool {
        let mut stated = self.rows.iter().filter_map(|parts| self.values.batch(parts));
        let first = stated.next();
        stated.any(|batch| Some(batch) != first)
    }

    /// Whether one source times two things: sources have words of their own for what may be the same.
    fn are_timed_differently(&self) -> bool {
        let timed = Aspect::Field(Field::Timed);
        if self.numbers(timed).len() < 2 {
            return false;
        }
        let mut first: BTreeMap<u32, u32> = BTreeMap::new();
        self.rows.iter().any(|parts| {
            let number = self.values.number(timed, parts);
            *first.entry(self.values.number(Aspect::Source, parts)).or_insert(number) != number
        })
    }

    /// Whether all are of single layers, whose sizes stand in the names of their runs.
    pub fn are_of_layers(&self) -> bool {
        let tasks = self.texts(Aspect::Fact(Fact::Task));
        let is_layer =
            |task: &str| ComparisonFacts { task: Some(task.to_owned()), ..ComparisonFacts::default() }.is_of_layers();
        !tasks.is_empty() && tasks.into_iter().all(is_layer)
    }

    /// What rows state of a field in which they differ: `sequence 512 to 8192`, `data set CIFAR-100 and Food-101`.
    pub fn span(&self, field: Field, names: &mut Names, stores: &Stores) -> Result<String, QueryError> {
        let heading = field.heading();
        if field == Field::Timed {
            return Ok("what was timed".to_owned());
        }
        if matches!(field.kind(), FieldType::Count | FieldType::Number) {
            let stated: Vec<f64> = match field {
                Field::BatchSize => {
                    self.rows.iter().filter_map(|parts| Some(self.values.batch(parts)? as f64)).collect()
                }
                _ => self.texts(Aspect::Field(field)).into_iter().filter_map(|text| text.parse().ok()).collect(),
            };
            let least = stated.iter().copied().reduce(f64::min);
            let most = stated.iter().copied().reduce(f64::max);
            return Ok(match (least, most) {
                (Some(least), Some(most)) if least < most => format!("{heading} {least} to {most}"),
                (Some(only), _) => format!("{heading} {only} and none stated"),
                _ => heading.to_owned(),
            });
        }
        let is_whole = self.numbers(Aspect::Field(field)).contains(&0);
        let mut told = Vec::new();
        for value in self.texts(Aspect::Field(field)) {
            told.push(names.of(Aspect::Field(field), value, stores)?);
        }
        if told.len() > MOST_NAMED || told.iter().any(|name| name.len() > LONGEST) {
            return Ok(counted(told.len(), heading, &format!("{heading}s")));
        }
        told.extend(is_whole.then(|| "none stated".to_owned()));
        Ok(format!("{heading} {}", and_list(&told)))
    }
}
