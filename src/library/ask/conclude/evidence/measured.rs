//! The rows of sides, each read once, and their years.

use std::collections::HashMap;
use std::rc::Rc;

use crate::ask::conclude::basis::derived_values::derived_hits;
use crate::ask::hits::{HitColumns, PartNumbers, SharedValues};
use crate::ask::question::{QueryError, understand};
use crate::model::{Aspect, Facet, Fact, Field, Measure, Metric, Part};
use crate::stores::Stores;
use crate::stores::index::Condition;
use crate::values::HardwareClass;

/// The years in which rows were measured.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub(super) enum Period {
    /// Up to a claim's year: the rows of its time.
    UpTo(u32),
    /// After it.
    After(u32),
}

impl Period {
    /// The rows of a claim's time, and those of today.
    pub fn of_claim(year: u32) -> [Self; 2] {
        [Self::UpTo(year), Self::After(year)]
    }

    /// Whether a year lies in it; 0 is not known.
    pub fn holds(self, year: u32) -> bool {
        match self {
            Self::UpTo(last) => (1..=last).contains(&year),
            Self::After(last) => year > last,
        }
    }

    /// The word in documents.
    pub fn word(self) -> &'static str {
        match self {
            Self::UpTo(_) => "then",
            Self::After(_) => "since",
        }
    }
}

/// The rows of sides.
pub(super) struct Measured<'m> {
    pub stores: &'m Stores,
    pub values: &'m SharedValues,
    /// The year of each setup, 0 where it is not known.
    pub years: Vec<u32>,
    hits: HashMap<(String, Option<Measure>, String), Rc<HitColumns>>,
    conditions: HashMap<String, Condition>,
}

/// The filter of a class.
pub(super) fn class_filter(class: HardwareClass) -> String {
    format!("class:{}", <&str>::from(class))
}

impl<'m> Measured<'m> {
    /// Nothing is read yet but the years: that of the measurement, else that of its source.
    pub fn new(stores: &'m Stores, values: &'m SharedValues) -> Self {
        let year_of = |text: &str| text.get(..4).and_then(|year| year.parse::<u32>().ok());
        let (dates, sources) = (Aspect::Field(Field::Date), Aspect::Fact(Fact::Year));
        let setups =
            [dates, sources].iter().filter_map(|aspect| values.column(*aspect)).map(|column| column.len()).max();
        let stated = |aspect: Aspect, setup: u32| values.column(aspect)?.of(setup).and_then(year_of);
        let years = (0..setups.unwrap_or(0) as u32).map(|setup| {
            let year = stated(dates, setup).or_else(|| stated(sources, setup));
            year.unwrap_or(0)
        });
        Self { stores, values, years: years.collect(), hits: HashMap::new(), conditions: HashMap::new() }
    }

    /// The year of a row, 0 where it is not known.
    pub fn year(&self, parts: &PartNumbers) -> u32 {
        self.years.get(parts[Part::Setup as usize] as usize).copied().unwrap_or(0)
    }

    /// The rows of a side with a measure, all of whose years are known and that meet a definition's filters.
    pub fn of(
        &mut self,
        side: &str,
        measure: Option<Measure>,
        only: Option<&str>,
    ) -> Result<Rc<HitColumns>, QueryError> {
        let key = (side.to_owned(), measure, only.unwrap_or_default().to_owned());
        if let Some(hits) = self.hits.get(&key) {
            return Ok(Rc::clone(hits));
        }
        let mut all = vec![self.condition(side)?];
        all.extend(only.map(|only| self.condition(only)).transpose()?);
        let condition = Condition::All(all);
        let hits = match measure {
            None => HitColumns::of(self.stores, &condition, &[])?,
            Some(Measure::Metric(metric)) => HitColumns::of(self.stores, &condition, &[metric])?,
            Some(Measure::Derived(derived)) => derived_hits(self.stores, self.values, &condition, derived)?,
        };
        let metric = measure.map(metric_of);
        let has_value = |hit: usize| metric.is_none_or(|metric| hits.values(metric)[hit] > 0.0);
        let kept = hits.kept(|hit| {
            let parts = hits.parts(hit);
            has_value(hit) && self.year(&parts) > 0 && self.values.stands(&parts)
        });
        let kept = Rc::new(kept);
        self.hits.insert(key, Rc::clone(&kept));
        Ok(kept)
    }

    /// What filters of a question select.
    fn condition(&mut self, filters: &str) -> Result<Condition, QueryError> {
        if let Some(class) = filters.strip_prefix("class:").and_then(|class| class.parse::<HardwareClass>().ok()) {
            return Ok(Condition::Facet(Facet::Class, vec![<&str>::from(class).to_owned()]));
        }
        if let Some(condition) = self.conditions.get(filters) {
            return Ok(condition.clone());
        }
        let condition = understand(filters, self.stores)?.condition_without(None);
        self.conditions.insert(filters.to_owned(), condition.clone());
        Ok(condition)
    }
}

/// The metric under which the values of a measure stand in columns.
pub(super) fn metric_of(measure: Measure) -> Metric {
    match measure {
        Measure::Metric(metric) => metric,
        Measure::Derived(derived) => derived.basis(),
    }
}
