//! Operating systems, of which no fact is kept: on which of them rows were run, which says nothing of others.

use indexmap::IndexMap;

use crate::ask::conclude::basis::conclusion::{Conclusion, Entry, EntryValue};
use crate::ask::conclude::basis::row_counts::RowCounts;
use crate::ask::conclude::basis::wording::Names;
use crate::ask::question::{Carried, QueryError, Question, ReadAs};
use crate::model::{Aspect, Field, Value};
use crate::stores::Stores;
use crate::stores::index::Condition;
use crate::values::text::counted;

/// So many names are told.
const MOST_NAMES: usize = 5;

/// Names of systems in questions, and what rows call them.
const SYSTEMS: &[(&str, &[&str])] = &[
    ("windows", &["windows"]),
    ("mac", &["mac", "darwin"]),
    ("os x", &["mac", "darwin"]),
    ("osx", &["mac", "darwin"]),
    ("linux", &["linux", "ubuntu", "centos", "debian", "red hat", "rhel", "fedora"]),
    ("freebsd", &["freebsd"]),
];

/// Says that nothing is kept of it, and what rows state.
///
/// # Errors
///
/// When a store fails.
pub(super) fn conclude(stores: &Stores, question: &Question) -> Result<Conclusion, QueryError> {
    let column = stores.database.aspect(Aspect::Field(Field::Os))?;
    let asked = asked_systems(question);
    let is_asked = |value: &str| asked.is_empty() || asked.iter().any(|word| value.to_lowercase().contains(word));
    let stating = Field::Os.part().map(|part| Condition::Shares(part, column.shares_with(is_asked)));
    let kept = question.clauses.iter().filter(|clause| !clause.is_excluded()).map(|clause| clause.condition.clone());
    let condition = Condition::All(kept.chain(stating).collect());
    let hits = stores.index.measurements(&condition, None, &[], 0, 0)?;
    let count = |field: Field| RowCounts::of(stores, &hits, Aspect::Field(field));
    let (systems, frameworks) = (count(Field::Os)?, count(Field::Framework)?);
    let mut names = Names::default();
    let lead = "Operating systems are not kept of frameworks, so which run on one and which do not cannot be told.";
    let text = match hits.total {
        0 => format!("{lead} No row of this states such a one, either."),
        rows => format!(
            "{lead} Nearest: {} such a one as what it was run on, which says nothing of others: {}; of {}.",
            counted(rows, "row states", "rows state"),
            systems.in_words(stores, &mut names, Aspect::Field(Field::Os), MOST_NAMES)?,
            frameworks.in_words(stores, &mut names, Aspect::Field(Field::Framework), MOST_NAMES)?,
        ),
    };
    let entries = systems.values.iter().map(|(system, rows)| Entry {
        subjects: IndexMap::from([(Field::Os.key().to_owned(), Value::Text(system.as_str().into()))]),
        quantity: "measurements".to_owned(),
        value: Some(EntryValue::Number(*rows as f64)),
        n: *rows,
        ..Entry::default()
    });
    Ok(Conclusion { text, entries: entries.collect() })
}

/// What rows call the systems that the question names.
fn asked_systems(question: &Question) -> Vec<&'static str> {
    let is_asked = |read: &&ReadAs| read.values.iter().any(|value| value == Carried::OperatingSystem.key());
    let texts: Vec<String> = question.read_as().filter(is_asked).map(|read| read.text.to_lowercase()).collect();
    let named = SYSTEMS.iter().filter(|(name, _)| texts.iter().any(|text| text.contains(name)));
    named.flat_map(|(_, words)| words.iter().copied()).collect()
}
