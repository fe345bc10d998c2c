//! The value of an aspect of a row: what it states, what follows from that, and what the catalog says of what it names.

use super::entities::EntityCache;
use super::row::JoinedRow;
use crate::model::{Aspect, Field, Joined, Value};

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
            Aspect::Joined(fact) => self.fact(fact, recorded.source().as_str(), |field| recorded.text(field)),
        }
    }

    /// A fact of the entities that a measurement names: of the source with this id, or of what its fields state.
    pub fn fact<'s>(&self, fact: Joined, source: &str, stated: impl Fn(Field) -> Option<&'s str>) -> Option<Value> {
        match fact {
            Joined::License | Joined::MultiServer | Joined::Maturity => {
                let id = stated(Field::Framework).or_else(|| stated(Field::Backend))?;
                fact.of_framework(self.framework(id)?)
            }
            Joined::Family | Joined::Task | Joined::Parameters | Joined::MultiplyAdds => {
                fact.of_network(self.network(stated(Field::Network)?)?)
            }
            Joined::Year => fact.of_source(self.source(source)?),
            _ => fact.of_device(self.device(stated(Field::Device)?)?),
        }
    }
}

fn text(text: &str) -> Value {
    Value::Text(text.into())
}
