//! What rows have beside each entry of a list: the networks of each round of a benchmark.

use std::collections::BTreeMap;

use indexmap::IndexMap;

use crate::ask::conclude::basis::conclusion::{Conclusion, Entry, EntryValue};
use crate::ask::conclude::basis::listed::Listed;
use crate::ask::conclude::basis::wording::Names;
use crate::ask::question::{QueryError, Question};
use crate::model::{Aspect, Value};
use crate::stores::Stores;
use crate::values::text::{counted, some_of};

/// So many values are named of each.
const MOST_NAMES: usize = 10;

/// So many entries are told with theirs; a table has them all.
const MOST_TOLD: usize = 12;

/// Tells the values of an aspect that the rows of each listed source have, the most frequent first.
///
/// # Errors
///
/// When a store fails.
pub(super) fn in_each(
    stores: &Stores,
    question: &Question,
    mut listed: Vec<Listed>,
    of: Aspect,
) -> Result<Conclusion, QueryError> {
    let (Some(source_part), Some(part)) = (Aspect::Source.part(), of.part()) else { return Ok(Conclusion::default()) };
    let columns = stores.index.columns(&question.condition_without(None), &[])?;
    let (sources, values) = (stores.database.aspect(Aspect::Source)?, stores.database.aspect(of)?);
    let mut rows: BTreeMap<&str, BTreeMap<&str, usize>> = BTreeMap::new();
    for (source, value) in columns.parts[source_part as usize].iter().zip(&columns.parts[part as usize]) {
        if let (Some(source), Some(value)) = (sources.of(*source), values.of(*value)) {
            *rows.entry(source).or_default().entry(value).or_default() += 1;
        }
    }
    let mut names = Names::default();
    let (mut told, mut entries) = (Vec::new(), Vec::new());
    // Rounds are known in the order of their names.
    listed.sort_by(|a, b| a.id.cmp(&b.id));
    for listed in &listed {
        let Some(own) = rows.get(listed.id.as_str()) else { continue };
        let mut own: Vec<(&str, usize)> = own.iter().map(|(value, rows)| (*value, *rows)).collect();
        own.sort_by(|a, b| b.1.cmp(&a.1).then_with(|| a.0.cmp(b.0)));
        let mut named = Vec::new();
        for (value, rows) in &own {
            named.push(names.of(of, value, stores)?);
            entries.push(Entry {
                subjects: IndexMap::from([
                    (Aspect::Source.key().to_owned(), Value::Text(listed.id.as_str().into())),
                    (of.key().to_owned(), Value::Text((*value).into())),
                ]),
                quantity: "measurements".to_owned(),
                value: Some(EntryValue::Number(*rows as f64)),
                n: *rows,
                sources: vec![listed.id.clone()],
                ..Entry::default()
            });
        }
        let rows = counted(listed.rows, "row", "rows");
        told.push(format!("{} ({rows}): {}", listed.id, some_of(&named, MOST_NAMES)));
    }
    let hidden = told.len().saturating_sub(MOST_TOLD);
    told.truncate(MOST_TOLD);
    let more = if hidden > 0 { format!("; and {hidden} more (-f json)") } else { String::new() };
    let count = counted(told.len() + hidden, "source", "sources");
    let text = format!("{count} with the {}s of each: {}{more}.", of.key().replace('-', " "), told.join("; "));
    Ok(Conclusion { text, entries })
}
