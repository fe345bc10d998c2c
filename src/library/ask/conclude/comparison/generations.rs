//! From one generation of devices to the next: matched pairs of the architectures of one maker, in the order of their age.

use std::collections::BTreeMap;

use indexmap::IndexMap;

use super::entries::in_order;
use super::inputs::SideComparison;
use crate::ask::conclude::basis::conclusion::Conclusion;
use crate::ask::conclude::basis::device_sizes::{SizeOfDevices, of_one_size};
use crate::ask::conclude::basis::measures::{metrics_of, with_other_speeds};
use crate::ask::conclude::basis::side::Side;
use crate::ask::conclude::basis::sizes::Sizes;
use crate::ask::hits::{HitColumns, PartNumbers, SharedValues};
use crate::ask::question::{QueryError, Question};
use crate::model::{Aspect, Fact, Field, Part, Value};
use crate::stores::Stores;
use crate::stores::database::AspectColumn;
use crate::values::text::counted;

/// So many steps are told in the sentence.
const IN_TEXT: usize = 4;

/// Architectures of fewer rows are no generation that is worth a step.
const LEAST_ROWS: usize = 10;

/// An architecture whose devices have rows.
struct Generation {
    name: String,
    vendor: String,
    class: String,
    /// The first release of any of its devices.
    released: String,
    rows: usize,
}

/// Tells what each generation gains over the one before.
///
/// # Errors
///
/// When a store fails.
pub(in crate::ask::conclude) fn conclude(stores: &Stores, question: &Question) -> Result<Conclusion, QueryError> {
    let values = SharedValues::read(stores)?;
    let metrics = with_other_speeds(metrics_of(question));
    let hits = HitColumns::of(stores, &question.condition_without(None), &metrics)?;
    let architectures = stores.database.aspect(Aspect::Fact(Fact::Architecture))?;
    let architecture = |parts: &PartNumbers| of_setup(&architectures, parts);
    let generations = generations(stores, &hits, architecture)?;
    let sizes = Sizes::of_layers(stores, &values, &[&hits])?;
    let mut comparison = SideComparison::new(stores, &values, sizes, vec![Field::Device]);
    let (mut sentences, mut entries, mut unpaired) = (Vec::new(), Vec::new(), Vec::new());
    let mut sizes_told = Vec::new();
    for steps in generations.values() {
        for step in steps.windows(2) {
            let [older, newer] = step else { continue };
            let rows_of = |of: &Generation| hits.filtered(|parts| architecture(parts) == Some(of.name.as_str()));
            let pairs = comparison.pairs(&rows_of(newer), &rows_of(older), &metrics, false);
            let (pairs, size) = of_one_size(stores, &values, pairs)?;
            if pairs.is_empty() {
                unpaired.push(format!("{} and {}", older.name, newer.name));
                continue;
            }
            sizes_told.push(size);
            let supported = pairs.len();
            let (sentence, new) = comparison.of_pairs(&newer.side(), &older.side(), pairs)?;
            sentences.push((supported, sentence));
            entries.extend(new);
        }
    }
    // Few are told in the order of their age.
    if sentences.len() > IN_TEXT {
        sentences.sort_by_key(|(pairs, _)| std::cmp::Reverse(*pairs));
        sentences.truncate(IN_TEXT);
    }
    if !sentences.is_empty() {
        let size = if sizes_told.contains(&SizeOfDevices::Any) { SizeOfDevices::Any } else { SizeOfDevices::One };
        sentences.push((0, size.in_words().to_owned()));
    }
    let mut text: Vec<String> = sentences.into_iter().map(|(_, sentence)| sentence).collect();
    if text.is_empty() {
        let rows = counted(hits.len(), "row", "rows");
        text.push(format!("No two rows of successive architectures differ in the device alone ({rows})."));
    } else if !unpaired.is_empty() {
        unpaired.truncate(IN_TEXT);
        text.push(format!("No matched pair: {}.", unpaired.join("; ")));
    }
    Ok(Conclusion { text: text.join(" "), entries: in_order(entries) })
}

/// What a column says of the setup of a row.
fn of_setup<'c>(column: &'c AspectColumn, parts: &PartNumbers) -> Option<&'c str> {
    column.of(parts[Part::Setup as usize])
}

/// The architectures by maker and class, the oldest first.
fn generations<'a>(
    stores: &Stores,
    hits: &HitColumns,
    architecture: impl Fn(&PartNumbers) -> Option<&'a str>,
) -> Result<BTreeMap<(String, String), Vec<Generation>>, QueryError> {
    let column = |fact: Fact| stores.database.aspect(Aspect::Fact(fact));
    let (releases, vendors, classes) = (column(Fact::Released)?, column(Fact::Vendor)?, column(Fact::Class)?);
    let mut found: IndexMap<&str, Generation> = IndexMap::new();
    for hit in 0..hits.len() {
        let parts = hits.parts(hit);
        let (Some(name), Some(released)) = (architecture(&parts), of_setup(&releases, &parts)) else { continue };
        let of = |column: &AspectColumn| of_setup(column, &parts).unwrap_or_default().to_owned();
        let generation = found.entry(name).or_insert_with(|| Generation {
            name: name.to_owned(),
            vendor: of(&vendors),
            class: of(&classes),
            released: released.to_owned(),
            rows: 0,
        });
        generation.rows += 1;
        if released < generation.released.as_str() {
            generation.released = released.to_owned();
        }
    }
    let mut by_maker: BTreeMap<(String, String), Vec<Generation>> = BTreeMap::new();
    for generation in found.into_values().filter(|generation| generation.rows >= LEAST_ROWS) {
        by_maker.entry((generation.vendor.clone(), generation.class.clone())).or_default().push(generation);
    }
    for generations in by_maker.values_mut() {
        generations.sort_by(|a, b| a.released.cmp(&b.released).then_with(|| a.name.cmp(&b.name)));
    }
    Ok(by_maker)
}

impl Generation {
    fn side(&self) -> Side {
        let value = Value::Text(self.name.as_str().into());
        let subjects = IndexMap::from([(Fact::Architecture.key().to_owned(), value)]);
        Side { name: self.name.clone(), subjects, varied: vec![Field::Device], is_of_several: false, is_family: false }
    }
}

#[cfg(test)]
mod tests {
    use crate::ask::conclude::basis::sample::Sample;
    use crate::ask::question::Intent;
    use crate::model::{Aspect, Fact};

    #[test]
    fn where_no_architecture_is_known_that_is_said() {
        let sample = Sample::of(&[("paper-2020", "\n[[run]]\nlatency-ms = 1.0\n")]);
        let mut question = sample.question("", Intent::Relation);
        question.wanted.along = Some(Aspect::Fact(Fact::Architecture));
        let conclusion = sample.conclude(&question);
        assert_eq!(conclusion.text, "No two rows of successive architectures differ in the device alone (1 row).");
    }
}
