//! How a number changes along an axis: devices, batch, precision, version.

use super::conclusion::Conclusion;
use super::found::Found;
use super::{along_batch, along_values, comparison, lookup, memory_fit, ranking, scaling};
use crate::ask::question::{Quantity, QueryError, Question};
use crate::model::{Aspect, Field};
use crate::stores::Stores;

/// Tells how the numbers change along the axis.
pub fn conclude(stores: &Stores, question: &Question, found: &Found<'_>) -> Result<Conclusion, QueryError> {
    if question.wanted.quantities.contains(&Quantity::MemoryFit) {
        return memory_fit::conclude(stores, question);
    }
    if question.wanted.sides.len() > 1 {
        return comparison::conclude(stores, question, found);
    }
    match question.wanted.along {
        Some(Aspect::Field(Field::DeviceCount)) => scaling::conclude(stores, question),
        Some(Aspect::Field(Field::BatchSize | Field::BatchSizeGlobal)) => along_batch::conclude(stores, question),
        // By entity, a relation is a ranking.
        Some(aspect @ Aspect::Field(field)) if field.entity_kind().is_some() => {
            ranking::conclude_by(stores, question, aspect)
        }
        Some(Aspect::Source) => ranking::conclude_by(stores, question, Aspect::Source),
        Some(Aspect::Field(field)) => along_values::conclude(stores, question, field),
        _ => lookup::conclude(stores, question, found),
    }
}
