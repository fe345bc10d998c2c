//! What a worker states of how it computed, as fields of the row.

use crate::model::{Field, FieldType};
use dlbench_protocol::Ready;

/// The fields that a worker may state. The others are the plan's, or measured.
const FIELDS: &[Field] = &[
    Field::ApiLanguage,
    Field::KernelLibrary,
    Field::CudnnBenchmark,
    Field::ReducedPrecision,
    Field::Mode,
    Field::Partition,
    Field::Layout,
    Field::AttentionBackend,
    Field::Software,
];

/// What is stated; unknown keys are passed over.
pub(super) fn stated(ready: &Ready) -> impl Iterator<Item = (Field, &str)> {
    let of = |field: Field| Some((field, ready.stated.get(field.key())?.trim()));
    FIELDS.iter().copied().filter_map(of).filter(|(_, value)| !value.is_empty())
}

/// What is stated that its field cannot hold.
pub(super) fn objection(ready: &Ready) -> Option<String> {
    stated(ready).find_map(|(field, value)| match field.kind() {
        FieldType::Word(words) if !words.contains(&value) => {
            Some(format!("it states {field} = {value:?}, which is none of {}", words.join(", ")))
        }
        _ => None,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn fields_of_how_it_computed_are_taken_and_no_others() {
        let ready = |pairs: &[(&str, &str)]| Ready {
            stated: pairs.iter().map(|(key, value)| ((*key).to_owned(), (*value).to_owned())).collect(),
            ..Ready::default()
        };
        let many = ready(&[("mode", "eager"), ("device", "another"), ("software", " "), ("unheard-of", "x")]);
        assert_eq!(stated(&many).collect::<Vec<_>>(), [(Field::Mode, "eager")]);
        assert_eq!(objection(&many), None);
        let wrong = objection(&ready(&[("cudnn-benchmark", "perhaps")])).unwrap();
        assert_eq!(wrong, "it states cudnn-benchmark = \"perhaps\", which is none of on, off");
    }
}
