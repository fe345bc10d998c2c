//! What the rows found state of fields that a question wants told: with which versions they ran, and that they do not say.

use indexmap::IndexMap;

use crate::ask::conclude::basis::conclusion::{Conclusion, Entry, EntryValue};
use crate::ask::conclude::basis::row_counts::RowCounts;
use crate::ask::conclude::basis::wording::Names;
use crate::ask::question::{QueryError, Question};
use crate::model::{Aspect, Field, Value};
use crate::stores::Stores;
use crate::values::text::{capital, counted};

/// So many values are told.
const MOST_VALUES: usize = 6;

/// Tells these fields; `None` where none is asked for, or no row meets the question.
///
/// # Errors
///
/// When a store fails.
pub(in crate::ask::conclude) fn told_fields(
    stores: &Stores,
    question: &Question,
) -> Result<Option<Conclusion>, QueryError> {
    if question.wanted.told.fields.is_empty() {
        return Ok(None);
    }
    let hits = stores.index.measurements(&question.condition_without(None), None, &[], 0, 0)?;
    if hits.total == 0 {
        return Ok(None);
    }
    let mut conclusion = Conclusion::default();
    let mut told = Vec::new();
    for field in &question.wanted.told.fields {
        let aspect = Aspect::Field(*field);
        let counts = RowCounts::of(stores, &hits, aspect)?;
        let name = match field {
            Field::Cuda => "CUDA version".to_owned(),
            Field::Cudnn => "cuDNN version".to_owned(),
            other => capital(other.heading()),
        };
        let rows = counted(hits.total, "row", "rows");
        if counts.values.is_empty() {
            told.push(format!("{name}: none of the {rows} that meet this states it."));
            continue;
        }
        let values = counts.in_words(stores, &mut Names::default(), aspect, MOST_VALUES)?;
        let silent = match counts.not_stated {
            0 => String::new(),
            some => format!("; not stated in {}", counted(some, "row", "rows")),
        };
        told.push(format!("{name} by the rows that meet this: {values}{silent}."));
        conclusion.entries.extend(counts.values.into_iter().map(|(value, rows)| Entry {
            subjects: IndexMap::from([(field.key().to_owned(), Value::Text(value.into()))]),
            quantity: "measurements".to_owned(),
            value: Some(EntryValue::Number(rows as f64)),
            n: rows,
            ..Entry::default()
        }));
    }
    conclusion.text = told.join(" ");
    Ok(Some(conclusion))
}
