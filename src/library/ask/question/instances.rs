//! Cloud instances in a question: what ran on one of them, and what ran on as many of its devices.

use std::ops::Bound;

use super::clause::{Clause, combine};
use super::error::QueryError;
use super::interpreter::Interpreter;
use crate::model::{Facet, Field};
use crate::stores::devices_of_instance;

impl Interpreter<'_> {
    /// The devices of cloud instances, each with how many of it an instance has.
    pub(super) fn devices_of_instances(&mut self, text: &str, instances: &[String]) -> Result<Vec<Clause>, QueryError> {
        let mut clauses = Vec::new();
        for instance in instances {
            for offered in devices_of_instance(&self.stores.database, instance)? {
                let mut both = vec![self.facet_clause(text, Facet::Device, vec![offered.device], "alias")?];
                if let Some(count) = offered.count {
                    let value = Bound::Included(f64::from(count));
                    let condition = self.within(Field::DeviceCount, (value, value))?;
                    let key = Field::DeviceCount.key();
                    both.push(Clause::of(text, key, vec![count.to_string()], format!("{key}:{count}"), condition));
                }
                clauses.extend(combine(both));
            }
        }
        Ok(clauses)
    }
}
