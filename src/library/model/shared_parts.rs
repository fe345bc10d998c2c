//! The parts that many measurements share: who ran it on what, what was run, how it was measured, how much at once.
//!
//! A million rows have a few thousand setups. What is the same in many rows is kept, searched and counted once.

use std::collections::HashMap;
use std::hash::Hash;
use std::sync::Arc;

use indexmap::IndexSet;
use strum::VariantArray;
use xxhash_rust::xxh3::Xxh3DefaultBuilder;

use super::{Field, Measurement, Metric, Part, Value};
use crate::values::EntityId;

/// One setup, workload, protocol or batch that many measurements share.
#[derive(Debug, Clone, PartialEq)]
pub struct SharedPart {
    /// The source of a setup; all else is shared by all sources.
    pub source: Option<EntityId>,
    /// Its fields, in registry order.
    pub fields: Vec<(Field, Value)>,
    /// What was measured, by a protocol: the metrics that its rows have, derived ones too, in registry order.
    pub metrics: Vec<Metric>,
    /// How many measurements have it.
    pub rows: u64,
}

impl SharedPart {
    /// The value of one field.
    pub fn get(&self, field: Field) -> Option<&Value> {
        self.fields.iter().find(|(known, _)| *known == field).map(|(_, value)| value)
    }

    /// The text of one field, `None` when absent or not a text.
    pub fn text(&self, field: Field) -> Option<&str> {
        match self.get(field) {
            Some(Value::Text(text)) => Some(text),
            _ => None,
        }
    }
}

/// The parts and remarks of some measurements, each different one once, numbered as they first occur.
#[derive(Debug, Clone, Default)]
pub struct Parts {
    shares: [Vec<SharedPart>; Part::VARIANTS.len()],
    remarks: IndexSet<Arc<str>, Xxh3DefaultBuilder>,
    of_rows: Vec<[u32; Part::VARIANTS.len()]>,
}

impl Parts {
    /// Divides measurements into their parts.
    pub fn of(measurements: &[Measurement]) -> Self {
        let mut parts = Self { of_rows: Vec::with_capacity(measurements.len()), ..Self::default() };
        let mut known: [HashMap<Vec<u8>, u32, Xxh3DefaultBuilder>; Part::VARIANTS.len()] = Default::default();
        let mut keys: [Vec<u8>; Part::VARIANTS.len()] = Default::default();
        for measurement in measurements {
            keys.iter_mut().for_each(Vec::clear);
            keys[Part::Setup as usize].extend(measurement.source().as_str().as_bytes());
            for (field, value) in measurement.fields() {
                match (field.part(), value) {
                    (Some(part), value) => encode(*field, value, &mut keys[part as usize]),
                    (None, Value::Text(remark)) if field.is_remark() && !parts.remarks.contains(&**remark) => {
                        parts.remarks.insert(Arc::clone(remark));
                    }
                    (None, _) => {}
                }
            }
            let mut numbers = [0; Part::VARIANTS.len()];
            let protocol = &mut keys[Part::Protocol as usize];
            // UTF-8 has no byte 0xfe either.
            protocol.push(0xfe);
            protocol.extend(metrics_of(measurement).map(|metric| metric as u8));
            for (&part, key) in Part::VARIANTS.iter().zip(&keys) {
                let shares = &mut parts.shares[part as usize];
                let number = match known[part as usize].get(key) {
                    Some(number) => *number,
                    None => {
                        let number = shares.len() as u32;
                        shares.push(share(part, measurement));
                        known[part as usize].insert(key.clone(), number);
                        number
                    }
                };
                shares[number as usize].rows += 1;
                numbers[part as usize] = number;
            }
            parts.of_rows.push(numbers);
        }
        parts
    }

    /// The same with more fields of one part: what a row's key stands for is added to its share, which is divided where its rows
    /// have different ones. Shares stay numbered as they first occur.
    pub fn divided<K: Copy + Eq + Hash>(
        mut self,
        part: Part,
        of_row: impl Fn(usize) -> K,
        fields: impl Fn(K) -> Vec<(Field, Value)>,
    ) -> Self {
        let whole = std::mem::take(&mut self.shares[part as usize]);
        let shares = &mut self.shares[part as usize];
        let mut known: HashMap<(u32, K), u32, Xxh3DefaultBuilder> = HashMap::default();
        for (row, numbers) in self.of_rows.iter_mut().enumerate() {
            let (before, key) = (numbers[part as usize], of_row(row));
            let number = *known.entry((before, key)).or_insert_with(|| {
                let mut share = SharedPart { rows: 0, ..whole[before as usize].clone() };
                share.fields.extend(fields(key));
                share.fields.sort_by_key(|(field, _)| *field);
                shares.push(share);
                shares.len() as u32 - 1
            });
            shares[number as usize].rows += 1;
            numbers[part as usize] = number;
        }
        self
    }

    /// The same with more fields of one part, which follow from each of its shares.
    pub fn extended(mut self, part: Part, fields: impl Fn(&SharedPart) -> Vec<(Field, Value)>) -> Self {
        for share in &mut self.shares[part as usize] {
            let more = fields(share);
            share.fields.extend(more);
            share.fields.sort_by_key(|(field, _)| *field);
        }
        self
    }

    /// The different setups, workloads, protocols or batches.
    pub fn shares(&self, part: Part) -> &[SharedPart] {
        &self.shares[part as usize]
    }

    /// The different labels, caveats and notes.
    pub fn remarks(&self) -> impl Iterator<Item = &str> {
        self.remarks.iter().map(|remark| &**remark)
    }

    /// The number of a label or a note, which is its place among the remarks.
    pub fn remark_number(&self, remark: &str) -> Option<u32> {
        self.remarks.get_index_of(remark).map(|number| number as u32)
    }

    /// The numbers of the parts of a measurement, by [`Part`].
    pub fn of_row(&self, row: usize) -> [u32; Part::VARIANTS.len()] {
        self.of_rows[row]
    }
}

fn share(part: Part, measurement: &Measurement) -> SharedPart {
    let fields = measurement.fields().iter().filter(|(field, _)| field.part() == Some(part));
    SharedPart {
        source: (part == Part::Setup).then(|| measurement.source().clone()),
        fields: fields.cloned().collect(),
        metrics: match part {
            Part::Protocol => metrics_of(measurement).collect(),
            _ => Vec::new(),
        },
        rows: 0,
    }
}

/// The metrics that a row has or implies.
fn metrics_of(measurement: &Measurement) -> impl Iterator<Item = Metric> {
    let implied = measurement.implied_metrics().map(|(metric, _)| metric);
    let mut metrics: Vec<Metric> = measurement.metrics().iter().map(|(metric, _)| *metric).chain(implied).collect();
    metrics.sort_unstable();
    metrics.into_iter()
}

/// Appends a field so that different fields or values never look alike.
fn encode(field: Field, value: &Value, key: &mut Vec<u8>) {
    key.extend([0xff, field as u8]);
    match value {
        // UTF-8 has no byte 0xff.
        Value::Text(text) => key.extend(text.as_bytes()),
        Value::Count(count) => key.extend(count.to_string().as_bytes()),
        Value::Number(number) => key.extend(number.to_string().as_bytes()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn row(framework: &str, network: &str, batch: i64) -> Measurement {
        let fields = vec![
            (Field::Framework, Value::Text(framework.into())),
            (Field::Network, Value::Text(network.into())),
            (Field::BatchSize, Value::Count(batch)),
        ];
        let metrics = vec![(Metric::LatencyMs, "3.5".parse().unwrap())];
        Measurement::new("paper-2020".parse().unwrap(), fields, metrics)
    }

    #[test]
    fn what_rows_share_is_kept_once() {
        let rows = [row("a", "x", 1), row("a", "x", 2), row("b", "x", 1)];
        let parts = Parts::of(&rows);
        assert_eq!(parts.shares(Part::Setup).iter().map(|share| share.rows).collect::<Vec<_>>(), [2, 1]);
        assert_eq!(parts.shares(Part::Workload).len(), 1);
        assert_eq!(parts.of_row(1), [0, 0, 0, 1]);
        assert_eq!(parts.of_row(2), [1, 0, 0, 0]);
        assert_eq!(parts.shares(Part::Setup)[1].text(Field::Framework), Some("b"));
    }

    #[test]
    fn neighbouring_texts_do_not_flow_together() {
        let rows = [row("ab", "c", 1), row("a", "bc", 1)];
        assert_eq!(Parts::of(&rows).shares(Part::Setup).len(), 2);
    }
}
