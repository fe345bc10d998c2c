//! `which GPUs support bf16`, `devices with fp16 but no bf16`: what devices can compute in, by the peaks that the catalog states
//! and by the rows that are in it.

use std::collections::BTreeSet;

use super::clause::Clause;
use super::error::QueryError;
use super::facing::kind_of;
use super::hints::Hints;
use super::interpreter::Interpreter;
use super::question::{Quantity, Wanted};
use super::vocabulary::{Cue, MEASURED, MEASUREMENTS, plain};
use crate::model::{Aspect, Device, Facet, Fact, Field};
use crate::rows::Note;
use crate::stores::index::Condition;
use crate::values::EntityKind;

impl Interpreter<'_> {
    /// Makes conditions on devices of the precisions that they are to support: the devices of which the catalog states such a
    /// peak, and, unless it is that of tensor cores, those of which a row is in the precision. Of one that is excluded those
    /// of which the catalog states other peaks, and neither a peak nor a row in it of any device of the same architecture.
    pub(super) fn able_devices(
        &mut self,
        clauses: &mut [Clause],
        wanted: &mut Wanted,
        hints: &Hints,
    ) -> Result<(), QueryError> {
        let tensor = wanted.quantities.contains(&Quantity::Fact(Fact::TensorCores));
        // What was measured is another question than what a device can do.
        let mut words = self.question.split_whitespace().map(plain);
        let of_rows = words.any(|word| MEASUREMENTS.iter().chain(MEASURED).any(|of| *of == word));
        let hardware =
            |clause: &Clause| matches!(kind_of(clause), "precision" | "class" | "vendor" | "architecture" | "stage");
        if !tensor && !hints.has(Cue::Support) && of_rows || !clauses.iter().all(hardware) {
            return Ok(());
        }
        let mut facts = Vec::new();
        for clause in clauses.iter_mut().filter(|clause| kind_of(clause) == Facet::Precision.key()) {
            let Some(precision) = clause.readings.first().and_then(|reading| reading.read_as.values.first()).cloned()
            else {
                continue;
            };
            let of_matrix_units = Fact::filter(&format!("peak-{precision}-tensor"));
            let of_others = Fact::filter(&format!("peak-{precision}")).filter(|_| !tensor);
            let peaks: Vec<Fact> = of_matrix_units.into_iter().chain(of_others).collect();
            let stating = self.stating_any(&peaks)?;
            if stating.is_empty() {
                continue;
            }
            let rows = match &clause.condition {
                Condition::Not(inner) => (**inner).clone(),
                condition => condition.clone(),
            };
            let ran = if tensor { BTreeSet::new() } else { self.devices_of_rows(&rows)? };
            let able: BTreeSet<String> = stating.into_iter().chain(ran).collect();
            let ids = if clause.is_excluded() { self.unable(&able)? } else { able };
            let of_devices = self.facet_clause(&clause.text, Facet::Device, ids.into_iter().collect(), "alias")?;
            if clause.is_excluded() {
                self.notes.push(Note::StatesNone { text: format!("no {}", clause.text.trim_start_matches('-')) });
            } else {
                facts.extend(peaks);
            }
            *clause = Clause { readings: std::mem::take(&mut clause.readings), ..of_devices };
        }
        if !facts.is_empty() {
            wanted.quantities.retain(|quantity| *quantity != Quantity::Fact(Fact::TensorCores));
            wanted.quantities.extend(facts.into_iter().map(Quantity::Fact));
        }
        Ok(())
    }

    fn stating_any(&self, facts: &[Fact]) -> Result<BTreeSet<String>, QueryError> {
        let mut ids = BTreeSet::new();
        for fact in facts {
            ids.extend(self.stores.database.entities_with(EntityKind::Device, fact.key(), |_| true)?);
        }
        Ok(ids)
    }

    fn devices_of_rows(&self, condition: &Condition) -> Result<BTreeSet<String>, QueryError> {
        let device = Aspect::Field(Field::Device);
        let Some(part) = device.part() else { return Ok(BTreeSet::new()) };
        let hits = self.stores.index.measurements(condition, None, &[], 0, 0)?;
        let column = self.stores.database.aspect(device)?;
        Ok(column.counts(&hits.shares[part as usize]).map(|(id, _)| id.to_owned()).collect())
    }

    /// The devices of which some peak is stated and that are none of those which can, nor of an architecture of theirs.
    fn unable(&self, able: &BTreeSet<String>) -> Result<BTreeSet<String>, QueryError> {
        let store = &self.stores.database;
        let peaks: Vec<Fact> = Fact::filters().filter(|fact| fact.key().starts_with("peak-")).collect();
        let mut unable = self.stating_any(&peaks)?;
        for id in able {
            for relative in
                store.ancestors(EntityKind::Device, id)?.iter().chain(&store.descendants(EntityKind::Device, id)?)
            {
                unable.remove(relative);
            }
            unable.remove(id);
        }
        // What one product of an architecture computes in, the others do as well.
        let devices: Vec<Device> = store.entities()?;
        let of_able = devices.iter().filter(|device| able.contains(device.id.as_str()));
        let architectures: BTreeSet<&str> = of_able.filter_map(|device| device.architecture.as_deref()).collect();
        let is_alike = |device: &&Device| device.architecture.as_deref().is_some_and(|own| architectures.contains(own));
        for device in devices.iter().filter(is_alike) {
            unable.remove(device.id.as_str());
        }
        Ok(unable)
    }
}
