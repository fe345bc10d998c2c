//! The rows of the sides of claims, each read once, with their years.

use std::collections::HashMap;
use std::rc::Rc;

use indexmap::IndexMap;

use crate::ask::execute::condition;
use crate::ask::execute::measure::derived_values;
use crate::ask::execute::plan::rows_asked;
use crate::ask::execute::under::shared;
use crate::ask::hits::{ComparisonKeys, HitColumns, PartNumbers, SharedValues};
use crate::ask::parse::{QueryError, parse};
use crate::model::{Aspect, EvidenceDefinition, Facet, Fact, Field, Measure, Metric, Part, Value};
use crate::stores::Stores;
use crate::stores::index::Condition;
use crate::values::HardwareClass;

/// A period in which rows were measured.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub(super) enum Period {
    /// Up to and including the claim's year.
    UpTo(u32),
    /// After the claim's year.
    After(u32),
}

impl Period {
    /// The periods up to and since a claim's year; none if the year is unknown.
    pub fn around_year(year: Option<i64>) -> impl Iterator<Item = Self> {
        let year = year.and_then(|year| u32::try_from(year).ok());
        year.into_iter().flat_map(|year| [Self::UpTo(year), Self::After(year)])
    }

    /// Whether a year lies in the period; an unknown year (0) never does.
    pub fn holds(self, year: u32) -> bool {
        match self {
            Self::UpTo(last) => (1..=last).contains(&year),
            Self::After(last) => year > last,
        }
    }

    /// The word for JSON and text.
    pub fn word(self) -> &'static str {
        match self {
            Self::UpTo(_) => "then",
            Self::After(_) => "since",
        }
    }
}

/// The rows of the sides of claims, with caches.
pub(super) struct MeasuredSides<'m> {
    pub stores: &'m Stores,
    pub values: &'m SharedValues,
    /// The year of each setup, 0 if unknown.
    pub years: Vec<u32>,
    /// The rows of each side that match a definition's filters, with the required metrics.
    sides: HashMap<(String, String, Vec<Metric>), Rc<HitColumns>>,
    /// The subset of these rows that has a measure.
    hits: HashMap<(String, Measure, String), Rc<HitColumns>>,
    conditions: HashMap<String, Condition>,
    keys: HashMap<(Metric, Vec<Field>), Rc<ComparisonKeys>>,
}

/// The filter that selects a hardware class.
pub(super) fn class_filter(class: HardwareClass) -> String {
    format!("class:{}", <&str>::from(class))
}

impl<'m> MeasuredSides<'m> {
    /// Reads only the years so far: that of the measurement, otherwise that of its source.
    pub fn new(stores: &'m Stores, values: &'m SharedValues) -> Self {
        let column = values.column(Aspect::Fact(Fact::Year));
        let setups = column.map_or(0, |column| column.len()) as u32;
        let year = |setup: u32| column.and_then(|column| column.of(setup)?.parse::<u32>().ok()).unwrap_or(0);
        let years = (0..setups).map(year);
        Self {
            stores,
            values,
            years: years.collect(),
            sides: HashMap::new(),
            hits: HashMap::new(),
            conditions: HashMap::new(),
            keys: HashMap::new(),
        }
    }

    /// The year of a row, 0 if unknown.
    pub fn year(&self, parts: &PartNumbers) -> u32 {
        self.years.get(parts[Part::Setup as usize] as usize).copied().unwrap_or(0)
    }

    /// The comparison keys of rows, if these fields may vary; cached.
    pub fn keys(&mut self, metric: Metric, varied: &[Field]) -> Rc<ComparisonKeys> {
        let new = || Rc::new(ComparisonKeys::new(self.values, metric, varied));
        Rc::clone(self.keys.entry((metric, varied.to_vec())).or_insert_with(new))
    }

    /// The rows of a side that match a definition's filters, have a known year and stand (not disputed, superseded or withdrawn),
    /// with all metrics that the definition's measures need; cached.
    pub fn all_of(&mut self, side: &str, definition: &EvidenceDefinition) -> Result<Rc<HitColumns>, QueryError> {
        let mut metrics: Vec<Metric> = definition.measures().flat_map(Measure::needs).collect();
        metrics.sort_unstable();
        metrics.dedup();
        let only = definition.only.as_deref();
        let key = (side.to_owned(), only.unwrap_or_default().to_owned(), metrics);
        if let Some(hits) = self.sides.get(&key) {
            return Ok(Rc::clone(hits));
        }
        let mut all = vec![self.condition(side)?];
        all.extend(only.map(|only| self.condition(only)).transpose()?);
        let hits = HitColumns::of(self.stores, &Condition::All(all), &key.2)?;
        let kept = Rc::new(hits.filtered(|parts| self.year(parts) > 0 && self.values.is_in_good_standing(parts)));
        self.sides.insert(key, Rc::clone(&kept));
        Ok(kept)
    }

    /// The rows of a side that have a measure; cached.
    pub fn of(
        &mut self,
        side: &str,
        measure: Measure,
        definition: &EvidenceDefinition,
    ) -> Result<Rc<HitColumns>, QueryError> {
        let key = (side.to_owned(), measure, definition.only.clone().unwrap_or_default());
        if let Some(hits) = self.hits.get(&key) {
            return Ok(Rc::clone(hits));
        }
        let all = self.all_of(side, definition)?;
        let kept = match measure {
            Measure::Metric(metric) => all.filtered_by_hit(|hit| all.values(metric)[hit] > 0.0),
            Measure::Derived(derived) => {
                let values = derived_values(self.stores, self.values, &all, derived)?;
                let is_kept: Vec<bool> = values.iter().map(|value| *value > 0.0).collect();
                let kept_values = values.into_iter().filter(|value| *value > 0.0).collect();
                all.filtered_by_hit(|hit| is_kept[hit]).with_values(derived.basis(), kept_values)
            }
        };
        let kept = Rc::new(kept);
        self.hits.insert(key, Rc::clone(&kept));
        Ok(kept)
    }

    /// The condition for the filters of a question; cached.
    fn condition(&mut self, filters: &str) -> Result<Condition, QueryError> {
        if let Some(class) = filters.strip_prefix("class:").and_then(|class| class.parse::<HardwareClass>().ok()) {
            return Ok(Condition::Facet(Facet::Class, vec![<&str>::from(class).to_owned()]));
        }
        if let Some(condition) = self.conditions.get(filters) {
            return Ok(condition.clone());
        }
        let condition = filtered(self.stores, filters)?;
        self.conditions.insert(filters.to_owned(), condition.clone());
        Ok(condition)
    }
}

/// The condition for the filters of a claim, definition or question; matches nothing if a word of them is unknown.
pub(in crate::ask) fn filtered(stores: &Stores, filters: &str) -> Result<Condition, QueryError> {
    let question = parse(filters, &stores.database)?;
    match question.spans.iter().any(|span| span.how.stops()) {
        true => Ok(Condition::Any(Vec::new())),
        false => condition(stores, &rows_asked(&question)),
    }
}

/// The values that all rows state and share, except for the varied fields.
pub(in crate::ask) fn stated<'p>(
    values: &SharedValues,
    rows: impl IntoIterator<Item = &'p PartNumbers>,
    varied: &[Field],
) -> IndexMap<String, Option<Value>> {
    let mut under = shared(values, rows, varied);
    under.retain(|_, value| value.is_some());
    under
}
