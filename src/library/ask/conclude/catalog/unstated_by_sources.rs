//! Sources with rows that leave fields out, beside those of which no row states them at all: most sources state a field in some
//! of their rows.

use indexmap::IndexMap;

use crate::ask::conclude::basis::conclusion::{Conclusion, Entry, EntryValue};
use crate::ask::conclude::basis::row_counts::RowCounts;
use crate::ask::conclude::basis::wording::Names;
use crate::ask::question::{Clause, QueryError, Question};
use crate::model::{Aspect, Value};
use crate::stores::Stores;
use crate::stores::index::Condition;
use crate::values::EntityKind;
use crate::values::text::{counted, or_list};

/// So many sources are named.
const MOST_NAMED: usize = 8;

/// `56 sources have 20855 rows that state neither …: …`; `None` where something else is listed, or where no row leaves all of it
/// out.
///
/// # Errors
///
/// When a store fails.
pub(super) fn with_such_rows(
    stores: &Stores,
    question: &Question,
    kind: EntityKind,
) -> Result<Option<Conclusion>, QueryError> {
    let none_of = &question.wanted.none_of;
    let asks_stated = |clause: &Clause| clause.readings.iter().any(|reading| reading.read_as.values == ["stated"]);
    if kind != EntityKind::Source || none_of.is_empty() || !none_of.iter().all(asks_stated) {
        return Ok(None);
    }
    let beside = question.clauses.iter().filter(|clause| !clause.is_excluded());
    let left_out = none_of.iter().map(|clause| Condition::Not(Box::new(clause.condition.clone())));
    let condition = Condition::All(beside.map(|clause| clause.condition.clone()).chain(left_out).collect());
    let hits = stores.index.measurements(&condition, None, &[], 0, 0)?;
    let counts = RowCounts::of(stores, &hits, Aspect::Source)?;
    if counts.values.is_empty() {
        return Ok(None);
    }
    let fields: Vec<String> =
        none_of.iter().map(|clause| format!("`{}`", clause.text.trim_start_matches('-'))).collect();
    let told = counts.in_words(stores, &mut Names::default(), Aspect::Source, MOST_NAMED)?;
    let have = if counts.values.len() == 1 { "source has" } else { "sources have" };
    let text = format!(
        "{} {have} {} without {}: {told}.",
        counts.values.len(),
        counted(hits.total, "row", "rows"),
        or_list(&fields)
    );
    let entry = |(source, rows): &(String, usize)| Entry {
        subjects: IndexMap::from([(Aspect::Source.key().to_owned(), Value::Text(source.as_str().into()))]),
        quantity: "measurements".to_owned(),
        value: Some(EntryValue::Number(*rows as f64)),
        n: *rows,
        sources: vec![source.clone()],
        ..Entry::default()
    };
    Ok(Some(Conclusion { text, entries: counts.values.iter().map(entry).collect() }))
}
