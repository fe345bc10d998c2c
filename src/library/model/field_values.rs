//! The fields that one measurement states, found by counting bits: most questions for one are for a field that is absent.

use super::{Field, Value};

/// Values of fields, each field at most once, in registry order.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct FieldValues {
    values: Vec<(Field, Value)>,
    /// The bit of each field that has a value; how many lie below a field's own bit is the place of its value.
    stated: u128,
}

impl FieldValues {
    /// The values in registry order; of several of one field the first.
    pub fn of(mut values: Vec<(Field, Value)>) -> Self {
        values.sort_by_key(|(field, _)| *field);
        values.dedup_by_key(|(field, _)| *field);
        let stated = values.iter().fold(0, |stated, (field, _)| stated | bit(*field));
        Self { values, stated }
    }

    /// The same with more values.
    pub fn with(mut self, more: impl IntoIterator<Item = (Field, Value)>) -> Self {
        self.values.extend(more);
        Self::of(self.values)
    }

    /// The value of one field.
    pub fn get(&self, field: Field) -> Option<&Value> {
        let bit = bit(field);
        if self.stated & bit == 0 {
            return None;
        }
        let below = (self.stated & (bit - 1)).count_ones();
        Some(&self.values[below as usize].1)
    }

    /// All of them.
    pub fn as_slice(&self) -> &[(Field, Value)] {
        &self.values
    }
}

/// The bit of a field among those of a measurement.
const fn bit(field: Field) -> u128 {
    const { assert!(<Field as strum::VariantArray>::VARIANTS.len() <= u128::BITS as usize, "a wider set of bits is needed") };
    1 << field as u32
}

#[cfg(test)]
mod tests {
    use strum::VariantArray as _;

    use super::*;

    #[test]
    fn each_value_is_found_by_its_field_and_by_no_other() {
        let every_third = || Field::VARIANTS.iter().copied().step_by(3);
        let value = |field: Field| Value::Text(field.key().into());
        let (first, later): (Vec<Field>, Vec<Field>) =
            every_third().partition(|field| (*field as usize).is_multiple_of(2));
        let pairs = |fields: Vec<Field>| fields.into_iter().rev().map(|field| (field, value(field)));
        let values = FieldValues::of(pairs(first).collect()).with(pairs(later));
        for field in Field::VARIANTS {
            let expected = every_third().any(|stated| stated == *field).then(|| value(*field));
            assert_eq!(values.get(*field), expected.as_ref(), "{field:?}");
        }
        let twice = values.clone().with([(Field::Framework, Value::Text("another".into()))]);
        assert_eq!(twice, values, "the first of a field stays");
    }
}
