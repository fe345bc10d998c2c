//! What a number hangs on and its row does not state: unknown is never equal to unknown.

use crate::ask::hits::{PartNumbers, SharedValues};
use crate::comparability::{ComparisonFacts, Criterion, RowKind, must_be_known};
use crate::model::{Aspect, Fact, Field, Metric};

/// What is told of where it is not stated, in this order.
pub(in crate::ask::conclude) const TOLD: &[Field] =
    &[Field::Precision, Field::BatchSize, Field::SequenceLength, Field::Framework];

/// The fields that must be known of a value of a metric before it can be compared, and that its row does not state.
pub(in crate::ask::conclude) fn unstated_fields(
    values: &SharedValues,
    parts: &PartNumbers,
    metric: Metric,
) -> impl Iterator<Item = Field> {
    let states = |field: Field| match field {
        Field::BatchSize => {
            values.batch(parts).is_some() || values.number(Aspect::Field(Field::BatchSizeGlobal), parts) > 0
        }
        field => values.number(Aspect::Field(field), parts) > 0,
    };
    let any = |fields: &[Field]| fields.iter().any(|field| states(*field));
    let fact = |fact: Fact| values.text(Aspect::Fact(fact), parts);
    let facts = ComparisonFacts {
        class: fact(Fact::Class).and_then(|class| class.parse().ok()),
        task: fact(Fact::Task).map(str::to_owned),
        ..ComparisonFacts::default()
    };
    let kind = RowKind::of_row(&facts, any(RowKind::TOKENS), any(RowKind::LOAD));
    // How a target is reached is free.
    let is_free = move |field: &Field| metric == Metric::TimeToAccuracyS && *field == Field::SequenceLength;
    let told = TOLD.iter().copied().filter(move |field| !is_free(field));
    told.filter(move |field| must_be_known(Criterion::Field(*field), metric, kind) && !states(*field))
}
