//! Sides that take each other in: what is faster than the H100 is sought among the other GPUs, and not among H100s as well.

use super::clause::Clause;
use super::error::QueryError;
use super::interpreter::Interpreter;
use super::sides::kind_of;
use crate::model::Facet;
use crate::stores::index::{Condition, DocumentKind};

/// Kinds of sides that stand for many devices.
const OF_MANY: &[Facet] = &[Facet::Class, Facet::Vendor, Facet::Architecture];

impl Interpreter<'_> {
    /// Takes the devices that are sides of their own out of the class, the maker or the architecture that they stand against.
    pub(super) fn sides_apart(&mut self, clauses: &mut [Clause]) -> Result<(), QueryError> {
        for clause in clauses.iter_mut().filter(|clause| clause.sides.len() > 1) {
            let is_device = |side: &&Clause| kind_of(side) == Facet::Device.key() && side.readings.len() == 1;
            let devices: Vec<Clause> = clause.sides.iter().filter(is_device).cloned().collect();
            let is_of_many = |side: &Clause| OF_MANY.iter().any(|facet| facet.key() == kind_of(side));
            for side in clause.sides.iter_mut().filter(|side| is_of_many(side) && side.readings.len() == 1) {
                for device in &devices {
                    let both = Condition::All(vec![side.condition.clone(), device.condition.clone()]);
                    if self.stores.index.count(DocumentKind::Measurement, &both)? == 0 {
                        continue;
                    }
                    let apart = Condition::Not(Box::new(device.condition.clone()));
                    side.condition = Condition::All(vec![side.condition.clone(), apart]);
                    side.equivalent = format!("({} -{})", side.equivalent, device.equivalent);
                }
            }
        }
        Ok(())
    }
}
