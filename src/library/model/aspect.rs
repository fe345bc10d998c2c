//! The registry of aspects: everything about a measurement that a table can show, count, group or pivot by.

use strum::VariantArray;

use super::{Derived, Direction, Fact, Field, FieldType, Metric, Part};
use crate::values::EntityKind;
use crate::values::text::normalise;
use crate::values::text::{and_list, closest, nearest, or_list, printable};

/// An aspect of a measurement: its own field or metric, or a fact about its device, framework, network or source.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Aspect {
    /// The measurement's id.
    Id,
    /// The source's id.
    Source,
    /// A field that the measurement states.
    Field(Field),
    /// A metric that it states or that follows from others.
    Metric(Metric),
    /// A measure derived from its metrics and facts of the catalog.
    Derived(Derived),
    /// A fact of the catalog that rows have.
    Fact(Fact),
}

/// The error for a name that no aspect has.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("there is no column `{name}`")]
pub struct UnknownAspect {
    /// The name.
    pub name: String,
    /// Suggested names.
    pub help: String,
}

impl From<Field> for Aspect {
    fn from(field: Field) -> Self {
        Self::Field(field)
    }
}

impl From<Fact> for Aspect {
    fn from(fact: Fact) -> Self {
        Self::Fact(fact)
    }
}

impl Aspect {
    /// Which way is better; aspects without a direction count as higher is better.
    pub fn direction(self) -> Direction {
        match self {
            Self::Metric(metric) => metric.direction(),
            Self::Derived(derived) => derived.direction(),
            _ => Direction::Higher,
        }
    }

    /// Every aspect, in the order of answers.
    pub fn all() -> impl Iterator<Item = Self> {
        let fields = Field::VARIANTS.iter().copied().map(Self::Field);
        let facts = Fact::of_rows().map(Self::Fact);
        let metrics = Metric::VARIANTS.iter().copied().map(Self::Metric);
        let derived = Derived::VARIANTS.iter().copied().map(Self::Derived);
        [Self::Id, Self::Source].into_iter().chain(fields).chain(facts).chain(metrics).chain(derived)
    }

    /// The aspects that name an entity of the catalog, and its kind; the framework comes before the backend.
    pub fn of_entities() -> impl Iterator<Item = (Self, EntityKind)> {
        let fields = Field::of_entities().map(|(field, kind)| (Self::Field(field), kind));
        [(Self::Source, EntityKind::Source)].into_iter().chain(fields)
    }

    /// The kebab-case key, unique among all aspects.
    pub fn key(self) -> &'static str {
        match self {
            Self::Id => "id",
            Self::Source => "source",
            Self::Field(field) => field.key(),
            Self::Metric(metric) => metric.key(),
            Self::Derived(measure) => measure.key(),
            Self::Fact(fact) => fact.key(),
        }
    }

    /// The aspect with this key.
    pub fn keyed(key: &str) -> Option<Self> {
        Self::all().find(|aspect| aspect.key() == key)
    }

    /// The snake_case key of JSON and CSV, with the unit.
    pub fn json_key(self) -> String {
        match self {
            Self::Fact(fact) => fact.row_json_key(),
            _ => self.key().replace('-', "_"),
        }
    }

    /// The aspect with this key, heading or spelling; case, spaces, hyphens and underscores do not matter.
    pub fn named(name: &str) -> Option<Self> {
        let key = name.trim().to_lowercase().replace(['_', ' '], "-");
        let wanted = normalise(name);
        let is = |text: &str| normalise(text) == wanted;
        let exact = Self::all().find(|aspect| aspect.key() == key);
        let by_key = || Self::all().find(|aspect| is(aspect.key()));
        exact.or_else(by_key).or_else(|| Self::all().find(|aspect| aspect.spellings().any(is)))
    }

    /// As [`Self::named`], with an error that suggests names.
    ///
    /// # Errors
    ///
    /// When no aspect has this name.
    pub fn called(name: &str) -> Result<Self, UnknownAspect> {
        Self::named(name).ok_or_else(|| {
            let near = Self::near(name);
            let help = match near.as_slice() {
                [] => {
                    /// Maximum number of suggestions: a list of all would fill the screen.
                    const MOST: usize = 10;
                    let closest = closest(&name.to_lowercase(), Self::all().map(Self::key), MOST);
                    format!("the nearest are {}; `dlbench query --schema` has all", and_list(&closest))
                }
                near => format!("did you mean {}?", or_list(near)),
            };
            UnknownAspect { name: printable(name.trim()), help }
        })
    }

    /// The keys nearest to an unknown name, best first.
    pub fn near(name: &str) -> Vec<&'static str> {
        let wanted = name.trim().to_lowercase().replace(['_', ' '], "-");
        let names: Vec<(&str, &str)> = Self::all()
            .flat_map(|aspect| aspect.spellings().chain([aspect.key()]).map(move |name| (name, aspect.key())))
            .collect();
        let near = nearest(&wanted, names.iter().map(|(name, _)| *name), 3);
        let key_of = |near: &str| names.iter().find(|(name, _)| *name == near).map(|(_, key)| *key);
        let mut keys: Vec<&str> = Vec::new();
        for key in near.into_iter().filter_map(key_of) {
            if !keys.contains(&key) {
                keys.push(key);
            }
        }
        if keys.is_empty() && wanted.len() >= 3 {
            keys = Self::all().map(Self::key).filter(|key| key.contains(&wanted)).take(3).collect();
        }
        keys
    }

    /// The part of a measurement that determines the aspect; `None` for the row's own. Metrics belong to the protocol,
    /// which records which metrics its rows have.
    pub fn part(self) -> Option<Part> {
        match self {
            Self::Id | Self::Derived(_) => None,
            Self::Field(field) => field.part(),
            Self::Metric(_) => Some(Part::Protocol),
            Self::Fact(fact) => fact.part(),
            Self::Source => Some(Part::Setup),
        }
    }

    /// Whether its values are numbers.
    pub fn is_numeric(self) -> bool {
        match self {
            Self::Id | Self::Source => false,
            Self::Field(field) => matches!(field.kind(), FieldType::Count | FieldType::Number),
            Self::Metric(_) | Self::Derived(_) => true,
            Self::Fact(fact) => fact.is_numeric(),
        }
    }

    /// A short column heading, with the unit in brackets.
    pub fn heading(self) -> &'static str {
        match self {
            Self::Id | Self::Source => self.key(),
            Self::Field(field) => field.heading(),
            Self::Metric(metric) => metric.heading(),
            Self::Derived(measure) => measure.heading(),
            Self::Fact(fact) => fact.row_heading(),
        }
    }

    /// A value as worded in running text about rows: `fp16`, `batch 16`, `4 devices`.
    pub fn in_words(self, value: &str) -> String {
        match self {
            Self::Field(field) => field.in_words(value),
            _ => value.to_owned(),
        }
    }

    /// Other names than the key.
    fn spellings(self) -> impl Iterator<Item = &'static str> {
        let more: &[&str] = match self {
            Self::Metric(metric) => metric.spellings(),
            Self::Derived(measure) => measure.spellings(),
            Self::Fact(fact) => fact.spellings(),
            Self::Field(field) => field.spellings(),
            _ => &[],
        };
        let heading = self.heading();
        let without_unit = heading.split_once(" [").map_or(heading, |(name, _)| name);
        [heading, without_unit].into_iter().chain(more.iter().copied())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::BTreeSet;

    #[test]
    fn every_key_is_unique_and_leads_to_its_aspect() {
        let keys: BTreeSet<&str> = Aspect::all().map(Aspect::key).collect();
        assert_eq!(keys.len(), Aspect::all().count());
        for aspect in Aspect::all() {
            assert_eq!(Aspect::named(aspect.key()), Some(aspect));
            assert_eq!(Aspect::named(&aspect.json_key()), Some(aspect));
        }
    }

    #[test]
    fn people_use_other_names() {
        for (name, aspect) in [
            ("Batch", Aspect::Field(Field::BatchSize)),
            ("latency", Aspect::Metric(Metric::LatencyMs)),
            ("images/s", Aspect::Metric(Metric::ThroughputPerS)),
            ("framework version", Aspect::Field(Field::FrameworkVersion)),
            ("TDP", Aspect::Fact(Fact::Tdp)),
        ] {
            assert_eq!(Aspect::named(name), Some(aspect), "{name}");
        }
        assert_eq!(Aspect::named("zebra"), None);
        assert_eq!(Aspect::near("framwork"), ["framework"]);
        assert_eq!(Aspect::near("latncy"), ["latency-ms"]);
        assert!(Aspect::near("zebra").is_empty());
    }
}
