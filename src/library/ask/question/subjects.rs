//! What a question is about, as the caption of a table or figure tells it.

use indexmap::IndexMap;

use super::read_as::ReadAs;
use crate::model::Aspect;

/// What was asked for of an aspect.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum AskedValue<'r> {
    /// A value, by its id where it is an entity; a family stands for its members.
    Value(&'r str),
    /// What no single value says, in the words of the question: `batch>=8`.
    Words(&'r str),
}

/// The aspects that a question names, in their order, with what it asks for of each. What it excludes, it is not about.
pub fn subjects<'r>(read_as: &'r [ReadAs], equivalent: &str) -> IndexMap<Aspect, Vec<AskedValue<'r>>> {
    let mut subjects: IndexMap<Aspect, Vec<AskedValue<'r>>> = IndexMap::new();
    for read in read_as {
        let Some(aspect) = Aspect::named(&read.facet) else { continue };
        if equivalent.contains(&format!("-{}:", read.facet)) {
            continue;
        }
        let asked = match read.values.as_slice() {
            [value] if !is_bound(value) => AskedValue::Value(value),
            [family, ..] if read.how == "family" => AskedValue::Value(family),
            _ => AskedValue::Words(&read.text),
        };
        let values = subjects.entry(aspect).or_default();
        if !values.contains(&asked) {
            values.push(asked);
        }
    }
    subjects
}

/// Whether it is a limit or a range rather than a value.
fn is_bound(value: &str) -> bool {
    value.contains(['<', '>']) || value.contains("..")
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::model::Field;

    #[test]
    fn values_families_and_bounds_are_told_and_what_is_excluded_is_not() {
        let read = |text: &str, facet: &str, values: &[&str], how: &str| ReadAs {
            text: text.to_owned(),
            facet: facet.to_owned(),
            values: values.iter().map(|value| (*value).to_owned()).collect(),
            how: how.to_owned(),
        };
        let read_as = [
            read("resnet50", "network", &["resnet-50", "resnet-50-v1.5"], "family"),
            read("inference", "stage", &["eval", "prefill", "decode"], "alias"),
            read("v100", "device", &["tesla-v100-sxm2-16gb"], "alias"),
            read("t4", "device", &["tesla-t4"], "alias"),
            read("batch>=8", "batch-size", &[">=8"], "exact"),
            read("caffe2", "framework", &["caffe2"], "exact"),
        ];
        let told: Vec<(Aspect, Vec<AskedValue<'_>>)> =
            subjects(&read_as, "network:resnet-50 -framework:caffe2").into_iter().collect();
        let field = |field, values: &[AskedValue<'static>]| (Aspect::Field(field), values.to_vec());
        assert_eq!(
            told,
            [
                field(Field::Network, &[AskedValue::Value("resnet-50")]),
                field(Field::Stage, &[AskedValue::Words("inference")]),
                field(Field::Device, &[AskedValue::Value("tesla-v100-sxm2-16gb"), AskedValue::Value("tesla-t4")]),
                field(Field::BatchSize, &[AskedValue::Words("batch>=8")]),
            ]
        );
    }
}
