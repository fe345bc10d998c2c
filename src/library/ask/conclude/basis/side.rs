//! A side of a comparison: what it is called, the filters that select it, and the fields in which it may differ.

use indexmap::IndexMap;

use super::listed_kinds::plural;
use super::named::is_one_family;
use super::wording::Names;
use crate::ask::hits::SharedValues;
use crate::ask::question::{Clause, QueryError};
use crate::model::{Aspect, Facet, Fact, Field, FieldType, Value};
use crate::rows::{entity_kind, labelled};
use crate::stores::Stores;
use crate::stores::index::Condition;
use crate::values::EntityKind;
use crate::values::spelling::normalise;

/// A side of a comparison.
#[derive(Debug, Clone)]
pub(in crate::ask::conclude) struct Side {
    /// What a person calls it.
    pub name: String,
    /// The filters that select it.
    pub subjects: IndexMap<String, Value>,
    /// The fields in which it may differ from the other sides.
    pub varied: Vec<Field>,
    /// Whether it is of several devices, networks or the like, none of which stands for the others.
    pub is_of_several: bool,
    /// Whether it is of a family of devices, whose members are not alike.
    pub is_family: bool,
}

/// Filters that select several devices, frameworks or networks.
const OF_SEVERAL: &[&str] = &["class", "vendor", "architecture", "task", "license", "language", "maturity"];

/// More ids than these nobody writes.
const MOST_WRITTEN: usize = 3;

impl Side {
    /// The side that a clause selects.
    pub fn of(clause: &Clause, stores: &Stores, values: &SharedValues, names: &mut Names) -> Result<Self, QueryError> {
        let mut side = Self {
            name: String::new(),
            subjects: IndexMap::new(),
            varied: Vec::new(),
            is_of_several: false,
            is_family: false,
        };
        let mut words: Vec<String> = Vec::new();
        for reading in &clause.readings {
            let read_as = &reading.read_as;
            // A word that is the value of a field (`nhwc`) is read as text.
            let by_value = match (read_as.facet.as_str(), read_as.values.as_slice()) {
                ("text", [word]) => values.fields_with(word).into_iter().next(),
                _ => None,
            };
            if let Some((field, value)) = by_value {
                words.push(value.to_owned());
                side.subjects.entry(field.key().to_owned()).or_insert_with(|| typed(field.key(), value));
                side.varied.push(field);
                continue;
            }
            let fields = varied_by(&read_as.facet);
            let (key, value) = match (Aspect::keyed(&read_as.facet), read_as.values.as_slice()) {
                // A version stands behind the name of what has it.
                (Some(Aspect::Field(field)), [named, version]) if field.heading() == "version" => {
                    let name = names.of(Aspect::Field(Field::Framework), named, stores)?;
                    side.subjects.entry("framework".to_owned()).or_insert_with(|| Value::Text(named.as_str().into()));
                    words.push(format!("{name} {version}"));
                    (field.key(), version.as_str())
                }
                // `7b` selects networks by their number of parameters, and none of them stands for it.
                (Some(Aspect::Fact(Fact::Parameters)), [_, ..]) => {
                    words.push(read_as.text.to_uppercase());
                    let value = Value::Text(read_as.text.as_str().into());
                    side.subjects.entry(read_as.facet.clone()).or_insert(value);
                    side.varied.extend(fields);
                    continue;
                }
                // One word for several entities that are no family: none of them stands for the others.
                (Some(aspect), several @ [_, _, ..])
                    if let Some(kind) = entity_kind(aspect)
                        && !is_one_family(stores, kind, read_as)? =>
                {
                    // `a100 pcie (2 kinds of device)` are no two boards.
                    let of_kind = if kind == EntityKind::Device { "kinds of device".to_owned() } else { plural(kind) };
                    words.push(format!("{} ({} {of_kind})", read_as.text, several.len()));
                    // As a filter would have it, unless nobody would write it.
                    let value = if several.len() > MOST_WRITTEN { read_as.text.clone() } else { several.join(",") };
                    let value = Value::Text(value.into());
                    side.is_of_several = true;
                    side.subjects.entry(aspect.key().to_owned()).or_insert(value);
                    side.varied.extend(fields);
                    continue;
                }
                // None of a provider's instances stands for the others.
                (Some(Aspect::Field(Field::Instance)), [one, others @ ..])
                    if !others.is_empty() || normalise(one) != normalise(&read_as.text) =>
                {
                    words.push(read_as.text.clone());
                    let value = Value::Text(read_as.text.as_str().into());
                    side.is_of_several = true;
                    side.subjects.entry(read_as.facet.clone()).or_insert(value);
                    side.varied.extend(fields);
                    continue;
                }
                (aspect, [value, ..]) => {
                    // A filter writes `device-count:2` where words say `2x`.
                    let value = value.strip_prefix(':').unwrap_or(value);
                    words.push(match aspect {
                        Some(Aspect::Field(Field::DeviceCount)) => format!("{value} x"),
                        Some(Aspect::Field(field @ (Field::Cuda | Field::Cudnn | Field::Driver))) => {
                            format!("{} {value}", field.heading())
                        }
                        // A number alone says nothing: `batch 32`.
                        Some(aspect @ Aspect::Field(field)) if field.kind() == FieldType::Count => {
                            labelled(aspect, value)
                        }
                        Some(aspect) => names.of(aspect, value, stores)?,
                        None => read_as.text.clone(),
                    });
                    (read_as.facet.as_str(), value)
                }
                (_, []) => continue,
            };
            side.is_of_several |= OF_SEVERAL.contains(&key);
            side.is_family |= key == Field::Device.key() && read_as.values.len() > 1;
            side.subjects.entry(key.to_owned()).or_insert_with(|| typed(key, value));
            side.varied.extend(fields);
        }
        // The count of devices comes in front of their name.
        words.sort_by_key(|word| !word.ends_with(" x"));
        words.dedup();
        if let [only] = words.as_mut_slice()
            && let Some(count) = only.strip_suffix(" x")
        {
            *only = if count == "1" { "1 device".to_owned() } else { format!("{count} devices") };
        }
        side.name = if words.is_empty() { clause.text.clone() } else { words.join(" ") };
        // A family that stands against some of its own members is the rest of it.
        if matches!(&clause.condition, Condition::All(all) if all.iter().any(|one| matches!(one, Condition::Not(_))))
            && clause.readings.len() == 1
        {
            // A format without the mixed recipe that computes in it is the format alone.
            let of_format = clause.readings[0].read_as.facet == Facet::Precision.key();
            let rest = if of_format { "alone" } else { "(other members)" };
            side.name = format!("{} {rest}", side.name);
        }
        // What a side is without: `-xla`.
        if let Some(without) = clause.text.strip_prefix('-') {
            side.name = format!("without {without}");
        }
        Ok(side)
    }
}

impl Side {
    /// Its name, with the member that stands for it where one alone does: `EPYC 9V45 (of epyc, 19 devices)`.
    pub fn of_members(&self, members: &[String]) -> String {
        match members {
            [only] if self.is_of_several => {
                let name =
                    self.name.strip_suffix(')').map_or_else(|| self.name.clone(), |name| name.replacen(" (", ", ", 1));
                format!("{only} (of {name})")
            }
            _ => self.name.clone(),
        }
    }
}

/// The fields that may differ between two sides that are all or one of them selected by such a filter.
pub(in crate::ask::conclude) fn varied_by(key: &str) -> Vec<Field> {
    let by_facet = match key.parse::<Facet>() {
        Ok(Facet::Device | Facet::Class | Facet::Vendor | Facet::Architecture) => Some(vec![Field::Device]),
        Ok(Facet::Instance) => Some(vec![Field::Instance, Field::Device, Field::DeviceCount]),
        Ok(Facet::Framework | Facet::License | Facet::Language | Facet::MultiServer | Facet::Maturity) => {
            Some(vec![Field::Framework])
        }
        Ok(Facet::Network | Facet::Task) => Some(vec![Field::Network]),
        Ok(Facet::Source | Facet::Year | Facet::Metric | Facet::Status | Facet::Outcome | Facet::Standing) => {
            Some(Vec::new())
        }
        _ => None,
    };
    by_facet.unwrap_or_else(|| match Aspect::keyed(key) {
        Some(Aspect::Field(field)) => vec![field],
        Some(Aspect::Fact(fact)) => fact.naming_fields().take(1).collect(),
        _ => Vec::new(),
    })
}

/// The value of a filter: a number where its field is one.
pub(in crate::ask::conclude) fn typed(key: &str, value: &str) -> Value {
    let text = || Value::Text(value.into());
    match Aspect::keyed(key) {
        Some(Aspect::Field(field)) if field.kind() == FieldType::Count => {
            value.parse().map_or_else(|_| text(), Value::Count)
        }
        _ => text(),
    }
}
