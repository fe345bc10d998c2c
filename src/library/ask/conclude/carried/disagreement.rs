//! Where those who measured the same do not agree, by the definition of a contradiction that the catalog states.

use indexmap::IndexMap;

use crate::ask::conclude::basis::conclusion::{Conclusion, Entry, EntryValue};
use crate::ask::conclude::basis::row_counts::RowCounts;
use crate::ask::conclude::basis::wording::{Names, rounded, three};
use crate::ask::conclude::evidence::{Contradiction, contradictions_of_rows};
use crate::ask::question::{QueryError, Question};
use crate::model::{Aspect, Metric, Value};
use crate::stores::Stores;
use crate::stores::index::Condition;
use crate::values::text::{and_list, counted};

/// So many are told.
const MOST_TOLD: usize = 3;

/// So many fields in which their circumstances differ.
const MOST_FIELDS: usize = 4;

/// So many sources are named where nothing can be held against each other.
const MOST_SOURCES: usize = 6;

/// So many have an entry.
const MOST_ENTRIES: usize = 20;

/// Tells who contradicts whom about the rows that are asked about.
///
/// # Errors
///
/// When a store fails.
pub(super) fn conclude(stores: &Stores, question: &Question) -> Result<Conclusion, QueryError> {
    let asked = (!question.clauses.is_empty()).then(|| question.condition_without(None));
    let found = contradictions_of_rows(stores, "", "", asked.as_ref())?;
    if found.formula.is_none() {
        let text = "The catalog does not say when two sources contradict each other.".to_owned();
        return Ok(Conclusion { text, entries: Vec::new() });
    }
    if found.compared == 0 {
        return nothing_compared(stores, asked.as_ref());
    }
    let agree = found.compared.saturating_sub(found.unexplained);
    let compared = counted(
        found.compared,
        "pair of independent measurers of one configuration",
        "pairs of independent measurers of one configuration",
    );
    let mut names = Names::default();
    let mut told = Vec::new();
    for line in found.contradictions.iter().take(MOST_TOLD) {
        told.push(in_words(stores, &mut names, line)?);
    }
    let hidden = found.contradictions.len().saturating_sub(told.len());
    let more =
        if hidden > 0 { format!("; and {hidden} more (dlbench evidence --contradictions)") } else { String::new() };
    let text = match told.is_empty() {
        true => format!("No contradiction: of {compared} all agree within what is usual."),
        false => format!(
            "Of {compared} {} farther apart than repetitions and known context explain, the other {agree} do not. The \
             farthest: {}{more}.",
            if found.unexplained == 1 { "1 lies".to_owned() } else { format!("{} lie", found.unexplained) },
            told.join("; ")
        ),
    };
    let entries = found.contradictions.iter().take(MOST_ENTRIES).map(entry).collect();
    Ok(Conclusion { text, entries })
}

/// Says that no two can be held against each other, and whose rows there are.
fn nothing_compared(stores: &Stores, asked: Option<&Condition>) -> Result<Conclusion, QueryError> {
    let all = Condition::All(Vec::new());
    let hits = stores.index.measurements(asked.unwrap_or(&all), None, &[], 0, 0)?;
    let counts = RowCounts::of(stores, &hits, Aspect::Source)?;
    let sources = counts.in_words(stores, &mut Names::default(), Aspect::Source, MOST_SOURCES)?;
    let rows = match hits.total {
        0 => "There is no row of it.".to_owned(),
        total => format!("Its {} are of {sources}.", counted(total, "row", "rows")),
    };
    let text = format!(
        "No two who are independent of each other measured one configuration of this, so no figures can be held against each \
         other as equals. {rows}"
    );
    let entry = |(source, rows): &(String, usize)| Entry {
        subjects: IndexMap::from([("source".to_owned(), Value::Text(source.as_str().into()))]),
        quantity: "measurements".to_owned(),
        value: Some(EntryValue::Number(*rows as f64)),
        n: *rows,
        sources: vec![source.clone()],
        ..Entry::default()
    };
    Ok(Conclusion { text, entries: counts.values.iter().map(entry).collect() })
}

/// `throughput of ResNet-50 training, fp16: 1.6 times, 780 (a) against 490 (b), 1.2 are usual`.
fn in_words(stores: &Stores, names: &mut Names, line: &Contradiction) -> Result<String, QueryError> {
    let heading =
        line.metric.parse::<Metric>().map_or_else(|_| line.metric.clone(), |metric| metric.heading().to_owned());
    let under: IndexMap<String, Option<Value>> = line
        .under
        .iter()
        .filter(|(_, value)| value.is_some())
        .map(|(key, value)| (key.clone(), value.clone()))
        .collect();
    let frame = names.frame(&under, stores)?;
    let mut fields: Vec<&str> = line.differences.iter().map(|difference| difference.field.as_str()).collect();
    fields.truncate(MOST_FIELDS);
    let differing = if fields.is_empty() { String::new() } else { format!("; they differ in {}", and_list(&fields)) };
    Ok(format!(
        "{heading} of {frame}: {} ({}, {}) against {} ({}, {}), {} times where {} are usual{differing}",
        three(line.higher.value),
        line.higher.measurer,
        line.higher.source,
        three(line.lower.value),
        line.lower.measurer,
        line.lower.source,
        three(line.factor),
        three(line.usual),
    ))
}

fn entry(line: &Contradiction) -> Entry {
    let source = |id: &str| IndexMap::from([("source".to_owned(), Value::Text(id.into()))]);
    Entry {
        subjects: source(&line.higher.source),
        baseline: Some(source(&line.lower.source)),
        quantity: line.metric.clone(),
        value: Some(EntryValue::Number(rounded(line.factor))),
        unit: Some("times".to_owned()),
        low: Some(line.lower.value),
        high: Some(line.higher.value),
        n: 2,
        under: line.under.clone(),
        measurements: vec![line.higher.measurement.clone(), line.lower.measurement.clone()],
        sources: vec![line.higher.source.clone(), line.lower.source.clone()],
    }
}
