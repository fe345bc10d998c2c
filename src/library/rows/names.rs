//! Display names of entities and values, and the order in which people look for them.

use std::cmp::Ordering;

use super::entities::EntityCache;
use super::row::JoinedRow;
use crate::model::{Aspect, Device, Fact, FactType, Field, FieldType, Measurement, Value};
use crate::values::EntityKind;

/// The name of a device without its vendor: `Tesla V100` of `NVIDIA Tesla V100`.
pub fn short_device_name(device: &Device) -> &str {
    let vendor = device.vendor.as_deref().unwrap_or_default();
    device.name.strip_prefix(vendor).filter(|rest| rest.starts_with(' ')).unwrap_or(&device.name).trim()
}

/// The kind of entity that the values of an aspect refer to.
pub fn entity_kind(aspect: Aspect) -> Option<EntityKind> {
    match aspect {
        Aspect::Field(field) => field.entity_kind(),
        Aspect::Fact(fact) => match fact.value_type() {
            FactType::Entity(kind) => Some(kind),
            _ => None,
        },
        _ => None,
    }
}

impl EntityCache<'_> {
    /// The name of an entity, for a device without its vendor; the id if the name is not known.
    pub fn name<'n>(&'n self, kind: EntityKind, id: &'n str) -> &'n str {
        let name = match kind {
            EntityKind::Framework => self.framework(id).map(|framework| framework.name.as_str()),
            EntityKind::Device => self.device(id).map(short_device_name),
            EntityKind::Network => self.network(id).map(|network| network.name.as_str()),
            EntityKind::Dataset => self.dataset(id).map(|dataset| dataset.name.as_str()),
            EntityKind::Source | EntityKind::HardwareClass => None,
        };
        name.or_else(|| self.known_name(kind, id)).unwrap_or(id)
    }

    /// The display name of a value of an aspect: the name of an entity, else the value itself.
    pub fn value_name<'n>(&'n self, aspect: Aspect, value: &'n str) -> &'n str {
        entity_kind(aspect).map_or(value, |kind| self.name(kind, value))
    }

    /// The displayed value of an aspect of a row, with names instead of ids; `None` if it is not known.
    pub fn shown(&self, row: &JoinedRow, aspect: Aspect) -> Option<String> {
        match self.value(row, aspect)? {
            Value::Text(text) => Some(self.value_name(aspect, &text).to_owned()),
            value => Some(value.to_string()),
        }
    }

    /// The framework of a row with its backend: `Keras on Theano`, with versions `Keras 2.0.6 on Theano 0.9.0`.
    pub fn framework_in_full(&self, row: &Measurement, versions: bool) -> String {
        let part = |name: Field, version: Field| {
            let name = self.name(EntityKind::Framework, row.text(name)?);
            Some(match row.text(version).filter(|_| versions) {
                Some(version) => format!("{name} {version}"),
                None => name.to_owned(),
            })
        };
        let front = part(Field::Framework, Field::FrameworkVersion);
        let back = part(Field::Backend, Field::BackendVersion);
        match (front, back) {
            (Some(front), Some(back)) => format!("{front} on {back}"),
            (front, back) => front.or(back).unwrap_or_default(),
        }
    }
}

/// A fact of an entity, labelled if the value alone is unclear: `memory 16 GiB`, `API Python, C++`.
pub fn labelled_fact(fact: Fact, value: &str) -> String {
    match fact.heading().split_once(" [") {
        Some((name, "10^6]")) => format!("{value} M {name}"),
        Some((name, "10^9]")) => format!("{value} G {name}"),
        Some((name, unit)) if fact.is_numeric() => format!("{name} {value} {}", unit.trim_end_matches(']')),
        _ if fact.is_numeric() || matches!(value, "yes" | "no") => format!("{} {value}", fact.heading()),
        _ => match fact {
            Fact::CoreLanguage | Fact::ApiLanguage => format!("{} {value}", fact.heading()),
            _ => value.to_owned(),
        },
    }
}

/// A value, labelled with its field if the value alone is unclear: `1 device`, `batch 64`, `device memory 16 GiB`.
pub fn labelled(aspect: Aspect, value: &str) -> String {
    match aspect {
        Aspect::Fact(_) if aspect.is_numeric() => match aspect.heading().split_once(" [") {
            Some((name, unit)) => format!("{name} {value} {}", unit.trim_end_matches(']')),
            None => value.to_owned(),
        },
        _ => aspect.in_words(value),
    }
}

/// Compares two values of an aspect: words of a closed list in the order of the list (fp32 before fp16), numbers by size,
/// others in natural order; missing values last.
pub fn by_value(aspect: Aspect, a: Option<&str>, b: Option<&str>) -> Ordering {
    let (Some(a), Some(b)) = (a, b) else { return a.is_none().cmp(&b.is_none()) };
    if let Aspect::Field(field) = aspect
        && let FieldType::Word(words) = Field::kind(field)
    {
        let place = |text: &str| words.iter().position(|word| *word == text);
        return place(a).cmp(&place(b));
    }
    let number = |text: &str| text.parse::<f64>().ok().filter(|_| aspect.is_numeric());
    match (number(a), number(b)) {
        (Some(x), Some(y)) => x.total_cmp(&y).then_with(|| a.cmp(b)),
        // A text comes behind all numbers; otherwise the order would not be transitive (a < b < c < a).
        (x, y) => x.is_none().cmp(&y.is_none()).then_with(|| natural(a, b)),
    }
}

/// Natural order: ignores case, and compares digits by their value: `V100` before `V1000`, `1.4.0` before `1.12.0`.
pub fn natural(a: &str, b: &str) -> Ordering {
    let (mut x, mut y) = (a.chars().peekable(), b.chars().peekable());
    loop {
        match (x.peek().copied(), y.peek().copied()) {
            // Texts that differ only in case are ordered as well.
            (None, None) => return a.cmp(b),
            (Some(c), Some(d)) if c.is_ascii_digit() && d.is_ascii_digit() => {
                let (m, n) = (digits(&mut x), digits(&mut y));
                let order = m.len().cmp(&n.len()).then_with(|| m.cmp(&n));
                if order.is_ne() {
                    return order;
                }
            }
            (Some(c), Some(d)) => {
                let order = c.to_lowercase().cmp(d.to_lowercase());
                if order.is_ne() {
                    return order;
                }
                x.next();
                y.next();
            }
            (c, d) => return c.is_some().cmp(&d.is_some()),
        }
    }
}

/// Takes the next digits, without leading zeros.
fn digits(chars: &mut std::iter::Peekable<std::str::Chars<'_>>) -> String {
    let mut digits = String::new();
    while let Some(digit) = chars.next_if(char::is_ascii_digit) {
        if !(digits.is_empty() && digit == '0') {
            digits.push(digit);
        }
    }
    digits
}

/// The distinct values of an aspect, sorted.
pub fn distinct<'n>(aspect: Aspect, values: impl IntoIterator<Item = &'n str>) -> Vec<String> {
    let mut values: Vec<&str> = values.into_iter().collect();
    values.sort_unstable_by(|a, b| by_value(aspect, Some(a), Some(b)));
    values.dedup();
    values.into_iter().map(str::to_owned).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_ordered_as_people_read_them() {
        let mut names = ["resnet-152", "resnet-50", "densenet-161", "resnet-50-v1.5", "Alexnet"];
        names.sort_by(|a, b| natural(a, b));
        assert_eq!(names, ["Alexnet", "densenet-161", "resnet-50", "resnet-50-v1.5", "resnet-152"]);
        let unsorted = ["TensorFlow 1.12.0", "TensorFlow 1.4.0", "caffe2", "Tesla V100", "A100", "TensorFlow 1.4.0"];
        assert_eq!(
            distinct(Aspect::Field(Field::Device), unsorted),
            ["A100", "caffe2", "TensorFlow 1.4.0", "TensorFlow 1.12.0", "Tesla V100"]
        );
    }

    #[test]
    fn numbers_and_texts_together_have_one_order() {
        let values = ["2", "10", "1e3", "1f", "0.5", "0.25", "2.0", "nan", "inf", "", "16 on all devices", "é", "É"];
        for aspect in [Aspect::Field(Field::BatchSize), Aspect::Field(Field::Label)] {
            let is_less = |a: &str, b: &str| by_value(aspect, Some(a), Some(b)).is_lt();
            let pairs: Vec<(&str, &str)> = values.iter().flat_map(|a| values.map(|b| (*a, b))).collect();
            for ((a, b), c) in pairs.iter().flat_map(|pair| values.map(|c| (*pair, c))) {
                assert!(!(is_less(a, b) && is_less(b, c)) || is_less(a, c), "{a:?} < {b:?} < {c:?}");
                assert_eq!(by_value(aspect, Some(a), Some(b)), by_value(aspect, Some(b), Some(a)).reverse());
            }
        }
    }

    #[test]
    fn words_follow_their_list_and_numbers_their_size() {
        let precision = Aspect::Field(Field::Precision);
        assert_eq!(by_value(precision, Some("fp32"), Some("fp16")), Ordering::Less);
        assert_eq!(by_value(precision, None, Some("fp64")), Ordering::Greater);
        assert_eq!(by_value(Aspect::Field(Field::AccuracyTarget), Some("0.5"), Some("0.25")), Ordering::Greater);
        assert_eq!(by_value(Aspect::Field(Field::FrameworkVersion), Some("1.4"), Some("1.12")), Ordering::Less);
    }
}
