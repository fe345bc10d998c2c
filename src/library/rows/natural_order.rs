//! The order in which people look for names and values.

use std::cmp::Ordering;

use crate::model::{Aspect, Field, FieldType};

/// The order of two values of an aspect: words of a closed list as that list has them (fp32 before fp16), numbers by size,
/// others in natural order; what is not stated comes last.
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
        // A text among numbers comes behind all of them: an order of which a < b < c < a could be said is none.
        (x, y) => x.is_none().cmp(&y.is_none()).then_with(|| natural(a, b)),
    }
}

/// By letters, whatever their case, and by size where both have digits: `V100` before `V1000`, `1.4.0` before `1.12.0`.
pub fn natural(a: &str, b: &str) -> Ordering {
    let (mut x, mut y) = (a.chars().peekable(), b.chars().peekable());
    loop {
        match (x.peek().copied(), y.peek().copied()) {
            // What differs in case alone has an order, too.
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
