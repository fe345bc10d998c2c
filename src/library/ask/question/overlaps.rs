//! Sides that take each other in: what is faster than the H100 is sought among the other GPUs, and not among H100s as well.

use super::clause::Clause;
use super::error::QueryError;
use super::facing::kind_of;
use super::interpreter::Interpreter;
use crate::model::{Facet, Field};
use crate::stores::index::{Condition, DocumentKind};

/// Kinds of sides that stand for many devices.
const OF_MANY: &[Facet] = &[Facet::Class, Facet::Vendor, Facet::Architecture];

impl Interpreter<'_> {
    /// Takes the devices that are sides of their own out of the class, the maker or the architecture that they stand against.
    pub(super) fn sides_apart(&mut self, clauses: &mut [Clause]) -> Result<(), QueryError> {
        for clause in clauses.iter_mut().filter(|clause| clause.sides.len() > 1) {
            versions_apart(&mut clause.sides);
            self.one_where_others_are_counted(&mut clause.sides)?;
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

    /// `3090 vs 2x 2080 Ti`: beside several that are counted a device is one.
    fn one_where_others_are_counted(&self, sides: &mut [Clause]) -> Result<(), QueryError> {
        let says = |side: &Clause, key: &str| side.readings.iter().any(|reading| reading.read_as.facet == key);
        let (count, device) = (Field::DeviceCount.key(), Facet::Device.key());
        if !sides.iter().any(|side| says(side, count) && says(side, device)) {
            return Ok(());
        }
        for side in sides.iter_mut().filter(|side| says(side, device) && !says(side, count)) {
            let one = self.any_count("1", Field::DeviceCount, &[1])?;
            side.condition = Condition::All(vec![side.condition.clone(), one.condition]);
            side.equivalent = format!("({} {})", side.equivalent, one.equivalent);
            side.readings.extend(one.readings);
        }
        Ok(())
    }
}

/// `cuDNN 5 vs cuDNN 5.1`: what is of the longer version stands on its own side alone.
fn versions_apart(sides: &mut [Clause]) {
    let version = |side: &Clause| -> Option<(String, String)> {
        let [reading] = side.readings.as_slice() else { return None };
        let is_version = [Field::Cudnn, Field::Cuda, Field::Driver, Field::FrameworkVersion]
            .iter()
            .any(|field| field.key() == reading.read_as.facet);
        let (version, of) = reading.read_as.values.split_last().filter(|_| is_version)?;
        Some((format!("{} {}", reading.read_as.facet, of.join(" ")), version.clone()))
    };
    let others: Vec<Clause> = sides.to_vec();
    for side in sides {
        let Some((of, short)) = version(side) else { continue };
        for other in &others {
            let longer = version(other).filter(|(of_other, long)| {
                *of_other == of && long.strip_prefix(short.as_str()).is_some_and(|rest| rest.starts_with('.'))
            });
            if longer.is_some() {
                let apart = Condition::Not(Box::new(other.condition.clone()));
                side.condition = Condition::All(vec![side.condition.clone(), apart]);
                side.equivalent = format!("({} -({}))", side.equivalent, other.equivalent);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_version_takes_in_none_that_stands_on_another_side() {
        for (field, versions, expected) in [
            (Field::Cudnn, ["5", "5.1"], ["(cudnn:5 -(cudnn:5.1))", "cudnn:5.1"]),
            (Field::Cudnn, ["5.1", "5"], ["cudnn:5.1", "(cudnn:5 -(cudnn:5.1))"]),
            (Field::Cudnn, ["5", "6"], ["cudnn:5", "cudnn:6"]),
            (Field::Cuda, ["1", "10.2"], ["cuda:1", "cuda:10.2"]),
            // A batch of 5 is none of 5.1.
            (Field::BatchSize, ["5", "5.1"], ["batch-size:5", "batch-size:5.1"]),
        ] {
            let side = |version: &str| {
                let filter = format!("{field}:{version}");
                Clause::of(version, field.key(), vec![version.to_owned()], filter, Condition::Text(version.to_owned()))
            };
            let mut sides = versions.map(side);
            versions_apart(&mut sides);
            assert_eq!(sides.map(|side| side.equivalent), expected);
        }
    }
}
