//! What is ranked: what tells one candidate from another, and in what they may differ.

use super::key::{aspect_of, varied_by};
use super::outcome::Subjects;
use crate::ask::hits::{PartNumbers, SharedValues};
use crate::ask::parse::{Key, Quantity, Question, Term, Test};
use crate::model::{Aspect, Facet, Fact, Field, Value};

/// What is ranked.
pub(super) struct Candidates {
    /// What tells one from another.
    pub identity: Vec<Aspect>,
    /// What may vary among them.
    pub varied: Vec<Field>,
    /// Whether each is ranked by what one device does.
    pub one_device: bool,
    /// Whether any way to the goal is a candidate, each by what it came to: what training to a target costs, the fastest run.
    pub by_row: bool,
}

/// What a run may choose for itself: the settings that are ranked where nothing else is.
const SETTINGS: &[Field] = &[
    Field::Precision,
    Field::Quantization,
    Field::BatchSize,
    Field::BatchSizeGlobal,
    Field::Device,
    Field::Framework,
    Field::FrameworkVersion,
    Field::Mode,
    Field::Layout,
    Field::Scenario,
];

impl Candidates {
    /// The candidates of a question.
    pub fn of(question: &Question) -> Self {
        let tested = |key: &Key| question.subject.terms.iter().any(|term| tests(term, key));
        let aspect = question.of.as_ref().map(|of| aspect_of(of).unwrap_or(Aspect::Source));
        let by_cost = question.order.as_ref().is_some_and(|order| order.by.is_cost());
        let by_row = question.of.is_none();
        // What a run costs is that of the whole machine, and where no device is named a run is of any machine.
        let mut measures = question.wants.iter().chain(question.order.iter().map(|order| &order.by));
        let of_whole_task = measures.any(|by| matches!(by, Quantity::Metric(metric) if metric.is_of_whole_task()));
        let whole = by_row && (by_cost || of_whole_task || !tested(&Facet::Device.into()));
        let machine: &[Field] = if whole || of_whole_task { &[Field::Instance, Field::DeviceCount] } else { &[] };
        let (identity, varied) = match (aspect, &question.of) {
            // The best of each year is in a setting of its own.
            (Some(aspect @ Aspect::Fact(Fact::Year)), _) => (vec![aspect], [SETTINGS, machine].concat()),
            (Some(aspect), Some(key)) => (identity_of(aspect), varied_by(key)),
            _ => {
                let all = [SETTINGS, machine].concat();
                let open = all.iter().copied().filter(|field| !tested(&(*field).into()));
                // Members of a network's family are other work, those of a device's are settings of it.
                ([Field::Network].into_iter().chain(open).map(Aspect::Field).collect(), all)
            }
        };
        let counted = tested(&Field::DeviceCount.into());
        let of_devices = varied.contains(&Field::Device) && !varied.contains(&Field::DeviceCount);
        Self { identity, varied, one_device: of_devices && !counted && !whole, by_row }
    }

    /// What tells the candidate of a row from others, by the keys of filters.
    pub fn subjects(&self, values: &SharedValues, parts: &PartNumbers) -> Subjects {
        let stated = self.identity.iter().filter_map(|aspect| {
            let value = match aspect {
                Aspect::Field(field) => values.value(*field, parts)?,
                other => Value::Text(values.text(*other, parts)?.into()),
            };
            Some((aspect.key().to_owned(), value))
        });
        stated.collect()
    }
}

/// What distinguishes candidates that one aspect names: the cores of a chip are another device than its neural unit.
pub(in crate::ask) fn identity_of(aspect: Aspect) -> Vec<Aspect> {
    match aspect {
        Aspect::Field(Field::Device) => vec![aspect, Aspect::Field(Field::ComputeUnit)],
        other => vec![other],
    }
}

/// Whether a term tests a key, or excludes values of it.
fn tests(term: &Term, key: &Key) -> bool {
    match term {
        Term::Test(Test { key: tested, .. }) => tested == key,
        Term::Not(filter) => filter.terms.iter().any(|term| tests(term, key)),
        Term::Any(any) => any.iter().any(|filter| filter.terms.iter().any(|term| tests(term, key))),
    }
}
