//! The metrics in which several classes of hardware are graded alike: `name the metrics where fpga and gpu got the same grade`.

use super::clause::Clause;
use super::error::QueryError;
use super::facing::kind_of;
use super::intent::Intent;
use super::interpreter::Interpreter;
use super::question::{Quantity, Wanted};
use crate::model::{Facet, HardwareClassRecord};
use crate::values::text::and_list;

impl Interpreter<'_> {
    /// Of the grades that are asked for leaves those that all classes which are named have in common, and says how many these are.
    pub(super) fn graded_alike(&self, clauses: &[Clause], wanted: &mut Wanted) -> Result<(), QueryError> {
        if !wanted.alike || wanted.intent != Intent::Grade {
            return Ok(());
        }
        let of_class = clauses.iter().filter(|clause| kind_of(clause) == Facet::Class.key() && !clause.is_excluded());
        let named: Vec<String> =
            of_class.flat_map(|clause| &clause.readings).flat_map(|reading| reading.read_as.values.clone()).collect();
        let mut classes: Vec<HardwareClassRecord> = self.stores.database.entities()?;
        classes.retain(|class| {
            let id: &str = class.id.into();
            !class.grades.is_empty() && (named.is_empty() || named.iter().any(|named| named == id))
        });
        let grade_of = |class: &HardwareClassRecord, metric: &str| {
            class.grades.iter().find(|(id, _)| id.as_str() == metric).map(|(_, record)| record.grade)
        };
        let is_alike = |quantity: &Quantity| match quantity {
            Quantity::HardwareMetric(id) => {
                let first = classes.first().and_then(|class| grade_of(class, id));
                first.is_some() && classes.iter().all(|class| grade_of(class, id) == first)
            }
            _ => false,
        };
        if classes.len() < 2 {
            return Ok(());
        }
        let names: Vec<&str> = classes.iter().map(|class| class.name.as_str()).collect();
        let alike: Vec<Quantity> = wanted.quantities.iter().filter(|one| is_alike(one)).cloned().collect();
        let metrics: Vec<String> = alike.iter().map(|quantity| quantity.key().replace('-', " ")).collect();
        let (all, names) = (wanted.quantities.len(), and_list(&names));
        wanted.leads.push(match metrics.as_slice() {
            [] => format!("{names} are graded alike in none of {all} metrics."),
            _ => format!("{names} are graded alike in {} of {all} metrics: {}.", metrics.len(), and_list(&metrics)),
        });
        if !alike.is_empty() {
            wanted.mentioned = alike.iter().map(|quantity| vec![quantity.clone()]).collect();
            wanted.quantities = alike;
        }
        Ok(())
    }
}
