//! The devices that a cloud instance or a system has which a question names: they stand for it where no row names it.

use std::ops::Bound;

use super::clause::{Clause, combine, either, quoted};
use super::error::QueryError;
use super::interpreter::Interpreter;
use super::vocabulary::plain;
use super::word_run::WordRun;
use crate::model::{Device, Facet, Field, Lookup as _};
use crate::stores::devices_of_instance;
use crate::stores::index::{Condition, DocumentKind};
use crate::values::spelling::normalise;

impl Interpreter<'_> {
    /// Notes what ran on the devices of an instance that is named, which stands for it where no row that meets the rest names it.
    pub(super) fn note_unnamed_instances(&mut self, text: &str, instances: &[String]) -> Result<(), QueryError> {
        let devices = self.devices_of_instances(text, instances)?;
        self.alike_instances.extend(either(text.to_owned(), devices));
        Ok(())
    }

    /// `resnet50 on p5.48xlarge`, where rows of the network name another instance or none: what ran on as many of its devices, which is
    /// said. An instance of which rows are told is no other one.
    pub(super) fn instances_by_devices(&mut self, clauses: &mut [Clause]) -> Result<(), QueryError> {
        for alike in std::mem::take(&mut self.alike_instances) {
            let is_it = |clause: &Clause| {
                clause.text == alike.text && clause.plain_kind() == Some(Facet::Instance.key()) && !clause.is_excluded()
            };
            for at in 0..clauses.len() {
                if clauses[at].sides.iter().any(is_it) {
                    clauses[at] = self.side_by_devices(clauses, at, &is_it, &alike)?;
                }
            }
            let Some(at) = clauses.iter().position(is_it) else { continue };
            let others: Vec<Condition> = clauses
                .iter()
                .enumerate()
                .filter(|(other, _)| *other != at)
                .map(|(_, one)| one.condition.clone())
                .collect();
            let has_rows = |condition: &Condition| {
                let all = others.iter().cloned().chain([condition.clone()]).collect();
                self.stores.index.count(DocumentKind::Measurement, &Condition::All(all)).map(|rows| rows > 0)
            };
            if others.is_empty() || has_rows(&clauses[at].condition)? || !has_rows(&alike.condition)? {
                continue;
            }
            self.hints.stand_ins.push(stands_in(&alike.text));
            clauses[at] = alike;
        }
        Ok(())
    }

    /// The same of a side of a comparison.
    fn side_by_devices(
        &mut self,
        clauses: &[Clause],
        at: usize,
        is_it: &impl Fn(&Clause) -> bool,
        alike: &Clause,
    ) -> Result<Clause, QueryError> {
        let others = clauses.iter().enumerate().filter(|(other, _)| *other != at);
        let rest: Vec<Condition> = others.map(|(_, one)| one.condition.clone()).collect();
        let mut sides = clauses[at].sides.clone();
        for side in sides.iter_mut().filter(|side| is_it(side)) {
            let all = rest.iter().cloned().chain([side.condition.clone()]).collect();
            if self.stores.index.count(DocumentKind::Measurement, &Condition::All(all))? == 0 {
                self.hints.stand_ins.push(stands_in(&side.text));
                side.clone_from(alike);
            }
        }
        let joined = either(clauses[at].text.clone(), sides.clone());
        Ok(joined.map_or_else(|| clauses[at].clone(), |whole| Clause { sides, ..whole }))
    }

    /// The devices of cloud instances, each with how many of it an instance has.
    fn devices_of_instances(&mut self, text: &str, instances: &[String]) -> Result<Vec<Clause>, QueryError> {
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

    /// The instances of a series that the catalog knows and no row names, by the devices that they have; `None` where there are none.
    pub(super) fn offered_series(
        &mut self,
        word: &str,
        is_of: &impl Fn(&&str) -> bool,
    ) -> Result<Option<Clause>, QueryError> {
        if self.stores.database.exact(&normalise(word))?.iter().any(|name| name.facet == Facet::Device) {
            return Ok(None);
        }
        let devices: Vec<Device> = self.stores.database.entities()?;
        let offers = devices.iter().flat_map(|device| &device.cloud).map(|offer| offer.instance.as_str());
        let mut values: Vec<String> = offers.filter(|instance| is_of(instance)).map(str::to_owned).collect();
        values.sort_unstable();
        values.dedup();
        if values.is_empty() {
            return Ok(None);
        }
        self.note_unnamed_instances(word, &values)?;
        let names: Vec<String> = values.iter().map(|value| quoted(value)).collect();
        let filter = format!("{}:{}", Field::Instance, names.join(","));
        let condition = Condition::Facet(Facet::Instance, values.clone());
        Ok(Some(Clause::of(word, Facet::Instance.key(), values, filter, condition)))
    }

    /// `gb200 nvl72`: a system that is called by its devices and how many of them it has, which are told for it.
    pub(super) fn note_rack(&mut self, run: &WordRun) {
        let devices_of = |word: &str| plain(word).strip_prefix("nvl").and_then(|count| count.parse::<u32>().ok());
        if let Some(count) = run.text.split(' ').find_map(devices_of).filter(|count| *count > 1) {
            self.hints
                .leads
                .push(format!("`{}` is a system of {count} devices: facts are told of one of them.", run.text));
        }
    }
}

/// What is said where devices stand for an instance.
fn stands_in(instance: &str) -> String {
    format!("No row that meets the rest names `{instance}`; told are rows of as many devices as it has.")
}
