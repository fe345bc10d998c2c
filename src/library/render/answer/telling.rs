//! What tells rows apart that are alike in all that has a column of its own: they would look like repetitions of each other.

use strum::VariantArray as _;

use crate::model::{Field, Tier};
use crate::rows::JoinedRow;

/// What stands in the column of the framework: `Keras 2.0.6 on Theano 0.9.0`.
const IN_FULL: &[Field] = &[Field::FrameworkVersion, Field::Backend, Field::BackendVersion];

/// What else may tell rows apart that are alike in all that has a column.
fn is_telling(field: &Field) -> bool {
    matches!(field.compared_tier(), Some(Tier::Identity | Tier::Axis)) || *field == Field::Host
}

/// The fields that tell apart rows which are alike in all of these columns: what was timed, how devices share the work, the host.
pub(super) fn telling_apart(rows: &[&JoinedRow], columns: &[Field]) -> Vec<Field> {
    let mut alike: Vec<Vec<&JoinedRow>> = vec![rows.to_vec()];
    // A count of samples that differs by chance is no reason.
    let is_about = |field: &&Field| !matches!(field.tier(), Tier::Disclosure);
    for field in columns.iter().chain(IN_FULL).filter(is_about) {
        alike = divided(alike, *field);
    }
    let is_other = |field: &&Field| is_telling(field) && !columns.contains(field) && !IN_FULL.contains(field);
    // The machine around the devices tells less than what ran.
    let (hosts, others): (Vec<&Field>, Vec<&Field>) =
        Field::VARIANTS.iter().filter(is_other).partition(|field| **field == Field::Host);
    let mut telling = Vec::new();
    for field in others.into_iter().chain(hosts) {
        let before = alike.len();
        alike = divided(alike, *field);
        if alike.len() > before {
            telling.push(*field);
        }
    }
    telling
}

/// Each of some groups of rows divided by a field.
fn divided(groups: Vec<Vec<&JoinedRow>>, field: Field) -> Vec<Vec<&JoinedRow>> {
    let mut divided = Vec::with_capacity(groups.len());
    for group in groups {
        let mut parts: Vec<(Option<String>, Vec<&JoinedRow>)> = Vec::new();
        for row in group {
            let value = row.recorded().get(field).map(ToString::to_string);
            match parts.iter_mut().find(|(of, _)| *of == value) {
                Some((_, own)) => own.push(row),
                None => parts.push((value, vec![row])),
            }
        }
        divided.extend(parts.into_iter().map(|(_, own)| own));
    }
    divided
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::model::{Measurement, Value};

    #[test]
    fn only_rows_that_look_alike_are_told_apart_by_more() {
        let row = |stated: &[(Field, &str)]| -> JoinedRow {
            let fields = stated.iter().map(|(field, value)| (*field, Value::Text((*value).into())));
            Measurement::new("a".parse().unwrap(), fields.collect(), Vec::new()).into()
        };
        let short = row(&[(Field::Device, "x"), (Field::Timed, "512 tokens"), (Field::Host, "h")]);
        let long = row(&[(Field::Device, "x"), (Field::Timed, "2048 tokens"), (Field::Host, "i")]);
        let other = row(&[(Field::Device, "y"), (Field::Timed, "2048 tokens")]);
        let columns = [Field::Device];
        assert_eq!(telling_apart(&[&short, &long], &columns), [Field::Timed], "what is first told is enough");
        assert!(telling_apart(&[&short, &other], &columns).is_empty(), "the device tells them apart");
        assert!(telling_apart(&[&short, &short], &columns).is_empty());
    }
}
