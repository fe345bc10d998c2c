//! Training against inference: where a question names two stages, what the one takes over the other on the same setup.

use indexmap::IndexMap;

use super::inputs::SideComparison;
use crate::ask::conclude::basis::asked_names::asked_names;
use crate::ask::conclude::basis::axis_condition::without_metric;
use crate::ask::conclude::basis::conclusion::Entry;
use crate::ask::conclude::basis::measures::{metrics_of, with_other_speeds};
use crate::ask::conclude::basis::side::Side;
use crate::ask::conclude::basis::sizes::Sizes;
use crate::ask::conclude::basis::wording::stage_name;
use crate::ask::hits::{HitColumns, SharedValues};
use crate::ask::question::{QueryError, Question};
use crate::model::{Aspect, Field, Value};
use crate::stores::Stores;
use crate::values::text::capital;

/// A sentence and the entries behind it; `None` where a question names no two stages, or where no rows differ in them alone.
///
/// # Errors
///
/// When a store fails.
pub(in crate::ask::conclude) fn conclude(
    stores: &Stores,
    question: &Question,
) -> Result<Option<(String, Vec<Entry>)>, QueryError> {
    let stages = named_stages(question);
    let [first, second] = stages.as_slice() else { return Ok(None) };
    let values = SharedValues::read(stores)?;
    let metrics = with_other_speeds(metrics_of(question));
    let hits = HitColumns::of(stores, &without_metric(question).condition_without(None), &metrics)?;
    let of = |stage: &str| hits.filtered(|parts| values.text(Aspect::Field(Field::Stage), parts) == Some(stage));
    let sizes = Sizes::of_layers(stores, &values, &[&hits])?;
    let mut comparison = SideComparison::new(stores, &values, sizes, vec![Field::Stage]);
    comparison.asked = asked_names(stores, question, &mut comparison.names)?;
    let pairs = comparison.pairs(&of(second), &of(first), &metrics, false);
    if pairs.is_empty() {
        return Ok(None);
    }
    let (sentence, entries) = comparison.of_pairs(&side(second), &side(first), pairs)?;
    Ok(Some((capital(&sentence), entries)))
}

/// The stages that the words of a question name, each by the first value that it stands for; `forward` and `inference` are two.
fn named_stages(question: &Question) -> Vec<&str> {
    let mut stages: Vec<&str> = Vec::new();
    for read in question.read_as().filter(|read| read.facet == Field::Stage.key() && !read.text.starts_with('-')) {
        stages.extend(read.values.first().map(String::as_str).filter(|stage| !stages.contains(stage)));
    }
    stages
}

fn side(stage: &str) -> Side {
    let subjects = IndexMap::from([(Field::Stage.key().to_owned(), Value::Text(stage.into()))]);
    Side {
        name: stage_name(stage).to_owned(),
        subjects,
        varied: vec![Field::Stage],
        is_of_several: false,
        is_family: false,
    }
}

#[cfg(test)]
mod tests {
    use crate::ask::conclude::basis::sample::{Sample, number};
    use crate::ask::question::Intent;

    #[test]
    fn two_stages_that_are_named_stand_against_each_other_on_the_same_setup() {
        let rows = r#"
[[table]]
columns = ["stage", "device", "batch-size", "throughput-per-s"]
rows = [["eval", "nova", 16, 300], ["train", "nova", 16, 100], ["train", "core", 16, 10], ["eval", "nova", 64, 900]]
"#;
        let sample = Sample::of(&[("paper-2020", rows)]);
        let conclusion = sample.conclude(&sample.question("(stage:train OR stage:eval)", Intent::Lookup));
        let headline = conclusion.entries.iter().find(|entry| entry.quantity == "speed-up").unwrap();
        assert_eq!((number(headline), headline.n), (3.0, 1), "{}", conclusion.text);
        assert!(conclusion.text.contains("Inference is 3.00 times as fast as training"), "{}", conclusion.text);
        assert!(conclusion.text.contains("4 rows from paper-2020"), "{}", conclusion.text);
    }
}
