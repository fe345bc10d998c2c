//! What a survey's table of frameworks has, as it is printed: its columns, the rows that say something, and where the catalog says
//! otherwise today.

use indexmap::IndexMap;

use super::reported::columns;
use crate::ask::conclude::basis::conclusion::{Conclusion, Entry, EntryValue};
use crate::ask::conclude::basis::fact_wording::{fact_name, value_text};
use crate::ask::conclude::basis::statement::statement;
use crate::ask::question::{AskedOfTable, Clause, QueryError, Question};
use crate::model::{Facet, Fact, Framework, ReportedFramework, Value, license_family};
use crate::stores::Stores;
use crate::values::EntityKind;
use crate::values::spelling::normalise;
use crate::values::text::{and_list, counted, some_of};

/// The facts of today that a printed row is held against.
const PRINTED_FACTS: &[Fact] =
    &[Fact::Maturity, Fact::License, Fact::CoreLanguage, Fact::ApiLanguage, Fact::MultiServer];

/// So many differences are told.
const MOST_DIFFERENCES: usize = 6;

/// So many frameworks are named.
const MOST_NAMES: usize = 24;

/// The list of definitions of what frameworks are compared by.
const METRICS: &str = "framework-metrics";

/// A framework and what a survey's table prints of it.
struct PrintedRow<'f> {
    framework: &'f Framework,
    source: String,
    row: &'f ReportedFramework,
    /// Whether the row is printed of another framework as well, which it is counted for.
    is_shared: bool,
}

/// Tells what is asked of the table.
///
/// # Errors
///
/// When a store fails.
pub(super) fn conclude(stores: &Stores, question: &Question, asked: AskedOfTable) -> Result<Conclusion, QueryError> {
    let frameworks: Vec<Framework> = stores.database.entities()?;
    let rows = printed_rows(&frameworks);
    let Some(source) = rows.first().map(|row| row.source.clone()) else { return Ok(Conclusion::default()) };
    let conditions: Vec<&Clause> = question.clauses.iter().filter(|clause| column_of(clause).is_some()).collect();
    match asked {
        AskedOfTable::Differences => differences(stores, &rows),
        AskedOfTable::Rows if !conditions.is_empty() => rows_that_say(stores, &rows, &conditions),
        AskedOfTable::Columns | AskedOfTable::Rows => in_columns(stores, &rows, &source),
    }
}

/// The rows of all tables, those of the survey with the most of them.
fn printed_rows(frameworks: &[Framework]) -> Vec<PrintedRow<'_>> {
    let mut rows = Vec::new();
    for framework in frameworks {
        for (source, own) in &framework.reported {
            let other = own.same_as.as_ref().and_then(|id| frameworks.iter().find(|other| other.id == *id));
            let shared = other.and_then(|other| other.reported.get(source));
            let row = shared.unwrap_or(own);
            if !columns(row).is_empty() {
                rows.push(PrintedRow { framework, source: source.to_string(), row, is_shared: shared.is_some() });
            }
        }
    }
    let of = |source: &str| rows.iter().filter(|row| row.source == source).count();
    let most = rows.iter().map(|row| (of(&row.source), row.source.clone())).max();
    rows.retain(|row| most.as_ref().is_some_and(|(_, source)| *source == row.source));
    rows
}

/// What the table has a column for.
fn in_columns(stores: &Stores, rows: &[PrintedRow<'_>], source: &str) -> Result<Conclusion, QueryError> {
    let definitions = stores.database.definitions(METRICS)?;
    let called: Vec<String> = definitions.iter().map(|one| one.id.as_str().replace('-', " ")).collect();
    let names: Vec<&str> = rows.iter().map(|row| row.framework.name.as_str()).collect();
    let own = rows.iter().filter(|row| !row.is_shared).count();
    let groups: Vec<String> = {
        let mut groups: Vec<String> =
            rows.iter().filter_map(|row| row.row.status).map(|status| status.to_string()).collect();
        groups.sort_unstable();
        groups.dedup();
        groups
    };
    let text = format!(
        "The table of frameworks of {source} has, beside the name and the group ({}), {} attributes: {} (dlbench table {METRICS}). \
         It has {} for {}: {}.",
        and_list(&groups),
        called.len(),
        and_list(&called),
        counted(own, "row", "rows"),
        counted(names.len(), "framework", "frameworks"),
        some_of(&names, MOST_NAMES)
    );
    let entries = definitions
        .iter()
        .map(|one| Entry {
            subjects: IndexMap::from([(METRICS.to_owned(), Value::Text(one.id.as_str().into()))]),
            quantity: "definition".to_owned(),
            value: Some(EntryValue::Text(one.definition.clone())),
            n: 1,
            sources: vec![source.to_owned()],
            ..Entry::default()
        })
        .collect();
    Ok(Conclusion { text, entries })
}

/// Where the catalog says otherwise today than the table prints.
fn differences(stores: &Stores, rows: &[PrintedRow<'_>]) -> Result<Conclusion, QueryError> {
    let mut conclusion = Conclusion::default();
    let (mut told, mut compared, mut by_fact) = (Vec::new(), 0, IndexMap::<String, usize>::new());
    let mut differing = 0;
    for row in rows {
        let id = row.framework.id.as_str();
        let before = told.len();
        for fact in PRINTED_FACTS {
            let Some(today) = statement(stores, EntityKind::Framework, id, *fact)? else { continue };
            let Some(value) = today.value.clone().filter(|_| !printed(row.row, *fact).is_empty()) else { continue };
            compared += 1;
            let Some((_, said)) = today.others.iter().find(|(source, _)| *source == row.source) else { continue };
            *by_fact.entry(fact_name(*fact)).or_default() += 1;
            let name = &row.framework.name;
            told.push(format!("{name} {}: printed {said}, today {}", fact_name(*fact), value_text(&value)));
            conclusion.entries.push(entry(id, format!("reported-{}", fact.file_key()), said, &row.source));
            conclusion.entries.push(Entry {
                value: Some(value),
                sources: today.sources(),
                ..entry(id, fact.file_key().to_owned(), "", &row.source)
            });
        }
        differing += usize::from(told.len() > before);
    }
    let Some(source) = rows.first().map(|row| &row.source) else { return Ok(conclusion) };
    let counts: Vec<String> = by_fact.iter().map(|(fact, count)| format!("{fact} {count}")).collect();
    conclusion.text = match told.is_empty() {
        true => format!("The catalog of today says the same as {source} prints, in all of {compared} cells compared."),
        false => format!(
            "Of {compared} cells of the table of frameworks of {source} that the catalog states today, {} otherwise, of {} \
             ({}): {}. A difference is a mistake of the table or a change since; which of them the notes of each framework tell \
             (dlbench show), and what rows say to it dlbench evidence.",
            counted(told.len(), "reads", "read"),
            counted(differing, "framework", "frameworks"),
            and_list(&counts),
            first_differences(&told)
        ),
    };
    Ok(conclusion)
}

/// The first of them, and how many more there are.
fn first_differences(told: &[String]) -> String {
    let mut first: Vec<String> = told.iter().take(MOST_DIFFERENCES).cloned().collect();
    if told.len() > first.len() {
        first.push(format!("{} more (-f json)", told.len() - first.len()));
    }
    and_list(&first)
}

/// The frameworks of which the table prints what the conditions say, and those of which the catalog says otherwise today.
fn rows_that_say(stores: &Stores, rows: &[PrintedRow<'_>], conditions: &[&Clause]) -> Result<Conclusion, QueryError> {
    let mut conclusion = Conclusion::default();
    let (mut names, mut unprinted, mut otherwise) = (Vec::new(), Vec::new(), Vec::new());
    for row in rows {
        let id = row.framework.id.as_str();
        let meets: Vec<Option<bool>> = conditions.iter().map(|clause| meets(row.row, clause)).collect();
        if meets.contains(&Some(false)) {
            continue;
        }
        if meets.contains(&None) {
            unprinted.push(row.framework.name.clone());
            continue;
        }
        let mut said = Vec::new();
        for fact in conditions.iter().filter_map(|clause| column_of(clause)) {
            let cell = printed(row.row, fact).join(", ");
            conclusion.entries.push(entry(id, format!("reported-{}", fact.file_key()), &cell, &row.source));
            said.push(cell);
            let today = statement(stores, EntityKind::Framework, id, fact)?;
            let differs = |(source, _): &(String, String)| *source == row.source;
            if let Some(today) = today.filter(|today| today.others.iter().any(differs))
                && let Some(value) = &today.value
            {
                otherwise.push(format!("{} ({} {})", row.framework.name, fact_name(fact), value_text(value)));
            }
        }
        said.dedup();
        names.push(format!("{} ({})", row.framework.name, said.join("; ")));
    }
    let Some(source) = rows.first().map(|row| &row.source) else { return Ok(conclusion) };
    let words: Vec<String> =
        conditions.iter().filter(|clause| clause.is_stated_alone().is_none()).map(|clause| called(clause)).collect();
    let of = and_list(&words);
    let mut sentences = vec![match names.is_empty() {
        true => format!("The table of {source} prints {of} of none of its {} frameworks.", rows.len()),
        false => format!(
            "The table of {source} prints {of} of {} of its {} frameworks: {}.",
            names.len(),
            rows.len(),
            some_of(&names, MOST_NAMES)
        ),
    }];
    if !unprinted.is_empty() {
        sentences.push(format!("It prints nothing of that of {}.", and_list(&unprinted)));
    }
    if !otherwise.is_empty() {
        sentences.push(format!("The catalog says otherwise today of {}.", and_list(&otherwise)));
    }
    conclusion.text = sentences.join(" ");
    Ok(conclusion)
}

fn entry(id: &str, quantity: String, said: &str, source: &str) -> Entry {
    Entry {
        subjects: IndexMap::from([(Facet::Framework.key().to_owned(), Value::Text(id.into()))]),
        quantity,
        value: Some(EntryValue::Text(said.to_owned())),
        n: 1,
        sources: vec![source.to_owned()],
        ..Entry::default()
    }
}

/// What a condition says, in words: `not multi-server`.
fn called(clause: &Clause) -> String {
    match clause.text.strip_prefix('-') {
        Some(text) => format!("`not {text}`"),
        None => format!("`{}`", clause.text),
    }
}

/// The column that a condition is about; `None` where the table has none of that.
fn column_of(clause: &Clause) -> Option<Fact> {
    let [reading] = clause.readings.as_slice() else { return None };
    // That a value is stated says no more than a printed cell does.
    if clause.is_stated_alone().is_some() {
        return None;
    }
    match reading.read_as.facet.parse::<Facet>() {
        Ok(Facet::License) => Some(Fact::License),
        Ok(Facet::Language) => Some(Fact::ApiLanguage),
        Ok(Facet::MultiServer) => Some(Fact::MultiServer),
        Ok(Facet::Maturity) => Some(Fact::Maturity),
        Ok(Facet::Hardware) => Some(Fact::Hardware),
        _ => Fact::filter(&reading.read_as.facet).filter(|fact| PRINTED_FACTS.contains(fact)),
    }
}

/// The cell of a row, as it is printed.
fn printed(row: &ReportedFramework, fact: Fact) -> Vec<String> {
    match fact {
        Fact::Maturity => row.status.iter().map(ToString::to_string).collect(),
        Fact::License => row.license.iter().cloned().collect(),
        Fact::MultiServer => row.multi_server.iter().cloned().collect(),
        Fact::CoreLanguage => row.core_languages.clone(),
        Fact::ApiLanguage => row.api_languages.clone(),
        Fact::Hardware => row.hardware.clone(),
        _ => Vec::new(),
    }
}

/// Whether a row says what a condition asks for; `None` where its cell is empty.
fn meets(row: &ReportedFramework, clause: &Clause) -> Option<bool> {
    let fact = column_of(clause)?;
    let cells = printed(row, fact);
    if cells.is_empty() {
        return None;
    }
    let values: Vec<&String> = clause.readings.iter().flat_map(|reading| &reading.read_as.values).collect();
    let is_of = |value: &str, cell: &str| match fact {
        Fact::MultiServer => normalise(cell).contains("multi") == (normalise(value) != "no"),
        Fact::License => {
            normalise(value).contains(&normalise(cell))
                || license_family(cell).is_some_and(|family| license_family(value) == Some(family))
        }
        _ => normalise(value) == normalise(cell),
    };
    let says = values.iter().any(|value| cells.iter().any(|cell| is_of(value, cell)));
    Some(says != clause.is_excluded())
}
