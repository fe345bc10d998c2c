//! The rows of the sides of claims, each read once, their years, and who measured them.

use std::collections::{BTreeMap, BTreeSet, HashMap};
use std::rc::Rc;

use indexmap::IndexMap;

use super::observation::{Observation, Witness};
use crate::ask::execute::condition;
use crate::ask::execute::measure::derived_values;
use crate::ask::execute::under::shared;
use crate::ask::hits::{ComparisonKeys, HitColumns, PartNumbers, SharedValues};
use crate::ask::parse::{QueryError, parse};
use crate::model::{Aspect, EvidenceDefinition, Facet, Fact, Field, Measure, Metric, Part, Source, Value};
use crate::rows::submitter_of;
use crate::stores::Stores;
use crate::stores::index::Condition;
use crate::values::HardwareClass;
use crate::values::spelling::normalise;

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
pub(super) struct MeasuredSides<'m> {
    pub stores: &'m Stores,
    pub values: &'m SharedValues,
    /// The year of each setup, 0 where it is not known.
    pub years: Vec<u32>,
    /// The rows of sides that meet filters, with the metrics that were wanted of them.
    sides: HashMap<(String, String, Vec<Metric>), Rc<HitColumns>>,
    /// Those of them that have a measure.
    hits: HashMap<(String, Measure, String), Rc<HitColumns>>,
    conditions: HashMap<String, Condition>,
    keys: HashMap<(Metric, Vec<Field>), Rc<ComparisonKeys>>,
}

/// The filter of a class.
pub(super) fn class_filter(class: HardwareClass) -> String {
    format!("class:{}", <&str>::from(class))
}

impl<'m> MeasuredSides<'m> {
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

    /// The year of a row, 0 where it is not known.
    pub fn year(&self, parts: &PartNumbers) -> u32 {
        self.years.get(parts[Part::Setup as usize] as usize).copied().unwrap_or(0)
    }

    /// The keys by which rows are paired where these fields may vary.
    pub fn keys(&mut self, metric: Metric, varied: &[Field]) -> Rc<ComparisonKeys> {
        let new = || Rc::new(ComparisonKeys::new(self.values, metric, varied));
        Rc::clone(self.keys.entry((metric, varied.to_vec())).or_insert_with(new))
    }

    /// The rows of a side that meet a definition's filters, whose years are known and that stand, with all that its measures
    /// need: they are looked for once.
    pub fn all_of(&mut self, side: &str, definition: &EvidenceDefinition) -> Result<Rc<HitColumns>, QueryError> {
        let mut metrics: Vec<Metric> = Vec::new();
        for measure in definition.measures() {
            match measure {
                Measure::Metric(metric) => metrics.push(metric),
                Measure::Derived(derived) => metrics.extend(derived.needs()),
            }
        }
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
        let kept = Rc::new(hits.filtered(|parts| self.year(parts) > 0 && self.values.stands(parts)));
        self.sides.insert(key, Rc::clone(&kept));
        Ok(kept)
    }

    /// Those of them that have a measure.
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
            Measure::Metric(metric) => all.kept(|hit| all.values(metric)[hit] > 0.0),
            Measure::Derived(derived) => {
                let values = derived_values(self.stores, self.values, &all, derived)?;
                let is_kept: Vec<bool> = values.iter().map(|value| *value > 0.0).collect();
                let kept_values = values.into_iter().filter(|value| *value > 0.0).collect();
                all.kept(|hit| is_kept[hit]).with_values(derived.basis(), kept_values)
            }
        };
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
        let condition = filtered(self.stores, filters)?;
        self.conditions.insert(filters.to_owned(), condition.clone());
        Ok(condition)
    }
}

/// What the filters of a claim, a definition or a question select.
pub(super) fn filtered(stores: &Stores, filters: &str) -> Result<Condition, QueryError> {
    condition(stores, &parse(filters, &stores.database)?.subject)
}

/// What rows share and state, but for what varies.
pub(super) fn stated<'p>(
    values: &SharedValues,
    rows: impl IntoIterator<Item = &'p PartNumbers>,
    varied: &[Field],
) -> IndexMap<String, Option<Value>> {
    let mut under = shared(values, rows, varied);
    under.retain(|_, value| value.is_some());
    under
}

/// The metric under which the values of a measure stand in columns.
pub(super) fn metric_of(measure: Measure) -> Metric {
    match measure {
        Measure::Metric(metric) => metric,
        Measure::Derived(derived) => derived.basis(),
    }
}

/// Who stands behind rows, each by one name.
pub(super) struct Measurers<'m> {
    stores: &'m Stores,
    values: &'m SharedValues,
    /// The name of those who wrote a source, and of each of its authors.
    of_sources: HashMap<String, String>,
    of_authors: HashMap<String, String>,
    /// What was read of rows.
    of_rows: HashMap<u64, String>,
}

impl<'m> Measurers<'m> {
    /// All sources, those with an author in common under one name.
    pub fn read(stores: &'m Stores, values: &'m SharedValues) -> Result<Self, QueryError> {
        let sources: Vec<Source> = stores.database.entities()?;
        let authors = |source: &Source| -> Vec<String> {
            // A source without authors is its own.
            let own = || vec![source.id.to_string()];
            if source.authors.is_empty() { own() } else { source.authors.iter().map(|name| normalise(name)).collect() }
        };
        let mut names: BTreeMap<String, String> = BTreeMap::new();
        for source in &sources {
            let authors = authors(source);
            let known: BTreeSet<String> = authors.iter().filter_map(|author| names.get(author).cloned()).collect();
            let name = known.first().or(authors.first()).cloned().unwrap_or_default();
            for other in names.values_mut().filter(|other| known.contains(*other)) {
                other.clone_from(&name);
            }
            names.extend(authors.into_iter().map(|author| (author, name.clone())));
        }
        let named = |source: &Source| {
            let first = authors(source).first().and_then(|author| names.get(author)).cloned();
            Some((source.id.to_string(), first?))
        };
        let of_sources = sources.iter().filter_map(named).collect();
        Ok(Self { stores, values, of_sources, of_authors: names.into_iter().collect(), of_rows: HashMap::new() })
    }

    /// How many independent of each other measured each side of some observations.
    pub fn of_sides(&mut self, observations: &[Observation]) -> Result<(usize, usize), QueryError> {
        let witnesses =
            observations.iter().flat_map(|observation| observation.subject.iter().chain(&observation.baseline));
        self.read_rows(witnesses.filter_map(|witness| match witness {
            Witness::Row(row, parts) => Some((*row, *parts)),
            Witness::Framework(_) => None,
        }))?;
        let count = |side: fn(&Observation) -> &[Witness]| {
            let names: BTreeSet<&str> = observations.iter().flat_map(side).map(|witness| self.name(witness)).collect();
            names.len()
        };
        Ok((count(|observation| &observation.subject), count(|observation| &observation.baseline)))
    }

    /// Finds out who measured some rows.
    pub fn read_rows(&mut self, rows: impl Iterator<Item = (u64, PartNumbers)>) -> Result<(), QueryError> {
        let mut submitted: Vec<(u64, PartNumbers)> = Vec::new();
        for (row, parts) in rows {
            if !self.of_rows.contains_key(&row) {
                let name = self.of_sources.get(self.values.source(&parts)).cloned().unwrap_or_default();
                self.of_rows.insert(row, name);
                if self.values.text(Aspect::Field(Field::Division), &parts).is_some() {
                    submitted.push((row, parts));
                }
            }
        }
        let rows: Vec<u64> = submitted.iter().map(|(row, _)| *row).collect();
        for ((row, parts), label) in submitted.iter().zip(self.stores.database.remarks_of(&rows, Field::Label)?) {
            let division = self.values.text(Aspect::Field(Field::Division), parts);
            if let Some(submitter) =
                label.as_deref().zip(division).and_then(|(label, of)| submitter_of(label, Some(of)))
            {
                let name = normalise(submitter);
                self.of_rows.insert(*row, self.of_authors.get(&name).cloned().unwrap_or(name));
            }
        }
        Ok(())
    }

    /// Who measured a row that was read.
    pub fn of_row(&self, row: u64) -> &str {
        self.of_rows.get(&row).map(String::as_str).unwrap_or_default()
    }

    fn name<'n>(&'n self, witness: &'n Witness) -> &'n str {
        match witness {
            Witness::Row(row, _) => self.of_row(*row),
            Witness::Framework(id) => id,
        }
    }
}
