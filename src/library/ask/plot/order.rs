//! Names in the order in which people look for them.

use std::cmp::Ordering;

use crate::model::{Aspect, Field, FieldType};

/// The order of an aspect's values: words of a closed list as that list has them (fp32 before fp16), others by name.
pub(super) fn by_value(aspect: Aspect, a: &str, b: &str) -> Ordering {
    let place = |text: &str| match aspect {
        Aspect::Field(field) => match Field::kind(field) {
            FieldType::Word(words) => words.iter().position(|word| *word == text),
            _ => None,
        },
        _ => None,
    };
    match (place(a), place(b)) {
        (Some(a), Some(b)) => a.cmp(&b),
        _ => by_name(a, b),
    }
}

/// The same for several aspects at once.
pub(super) fn by_values<'v>(
    aspects: &[Aspect],
    a: impl IntoIterator<Item = &'v String>,
    b: impl IntoIterator<Item = &'v String>,
) -> Ordering {
    let pairs = aspects.iter().zip(a.into_iter().zip(b));
    let mut orders = pairs.map(|(aspect, (a, b))| by_value(*aspect, a, b));
    orders.find(|order| order.is_ne()).unwrap_or(Ordering::Equal)
}

/// By letters, runs of digits by size: `V100` before `V1000`, `1.4.0` before `1.12.0`.
pub(super) fn by_name(a: &str, b: &str) -> Ordering {
    let (mut a, mut b) = (a.chars().peekable(), b.chars().peekable());
    loop {
        match (a.peek().copied(), b.peek().copied()) {
            (None, None) => return Ordering::Equal,
            (None, _) => return Ordering::Less,
            (_, None) => return Ordering::Greater,
            (Some(x), Some(y)) if x.is_ascii_digit() && y.is_ascii_digit() => {
                let (x, y) = (digits(&mut a), digits(&mut b));
                let order = x.len().cmp(&y.len()).then_with(|| x.cmp(&y));
                if order.is_ne() {
                    return order;
                }
            }
            (Some(x), Some(y)) => {
                let order = x.to_lowercase().cmp(y.to_lowercase()).then(x.cmp(&y));
                if order.is_ne() {
                    return order;
                }
                a.next();
                b.next();
            }
        }
    }
}

/// The digits that come next, without zeros in front.
fn digits(chars: &mut std::iter::Peekable<std::str::Chars<'_>>) -> String {
    let mut digits = String::new();
    while let Some(digit) = chars.next_if(char::is_ascii_digit) {
        if !(digits.is_empty() && digit == '0') {
            digits.push(digit);
        }
    }
    digits
}

/// The different values of an aspect, in order.
pub(super) fn names<'n>(aspect: Aspect, names: impl IntoIterator<Item = &'n str>) -> Vec<String> {
    let mut names: Vec<&str> = names.into_iter().collect();
    names.sort_unstable_by(|a, b| by_value(aspect, a, b));
    names.dedup();
    names.into_iter().map(str::to_owned).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_in_names_go_by_size() {
        let unsorted = ["TensorFlow 1.12.0", "TensorFlow 1.4.0", "caffe2", "Tesla V100", "A100", "TensorFlow 1.4.0"];
        assert_eq!(
            names(Aspect::Field(Field::Device), unsorted),
            ["A100", "caffe2", "TensorFlow 1.4.0", "TensorFlow 1.12.0", "Tesla V100"]
        );
    }
}
