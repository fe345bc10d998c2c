//! The value of an aspect of a row: what it states, what follows from that, and what the catalog says of what it names.

use super::entities::EntityCache;
use super::row::JoinedRow;
use crate::model::{Aspect, Fact, Field, Value};
use crate::values::EntityKind;

impl EntityCache<'_> {
    /// The value of one aspect of a row; `None` when it is not known.
    ///
    /// A measurement that does not say otherwise was reported.
    pub fn value(&self, row: &JoinedRow, aspect: Aspect) -> Option<Value> {
        let recorded = row.recorded();
        match aspect {
            Aspect::Id => Some(text(row.id())),
            Aspect::Source => Some(text(recorded.source().as_str())),
            Aspect::Field(field) => recorded.get(field).cloned().or_else(|| field.unstated().map(text)),
            Aspect::Metric(metric) => row.metric(metric).map(|(value, _)| Value::Number(value)),
            Aspect::Derived(measure) => {
                let id = |field| recorded.text(field);
                let catalog = self.catalog_inputs(id(Field::Device), id(Field::Network), id(Field::Dataset));
                measure.of(recorded, &catalog).map(Value::Number)
            }
            Aspect::Fact(fact) => self.fact(fact, recorded.source().as_str(), |field| recorded.text(field)),
        }
    }

    /// A fact of the entities that a measurement names: of the source with this id, or of what its fields state.
    pub fn fact<'s>(&self, fact: Fact, source: &str, stated: impl Fn(Field) -> Option<&'s str>) -> Option<Value> {
        let named = || fact.naming_fields().find_map(&stated);
        match fact.kind() {
            EntityKind::Framework => fact.value(self.framework(named()?)?),
            EntityKind::Device => fact.value(self.device(named()?)?),
            EntityKind::Network => fact.value(self.network(named()?)?),
            EntityKind::Dataset => fact.value(self.dataset(named()?)?),
            EntityKind::Source => fact.value(self.source(source)?),
            EntityKind::HardwareClass => None,
        }
    }
}

fn text(text: &str) -> Value {
    Value::Text(text.into())
}
