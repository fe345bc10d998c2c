//! A case put to a table of the catalog. It holds facts of entities and no measurement: what asks for measurements is refused, and
//! named; entities that must not be taken for each other have rows and columns of their own.

use dlbench::ask::tables::{CatalogTable, TableRequest};

use super::{Base, Case, lacking};

pub(super) fn mistakes(base: &Base, case: &Case<'_>) -> Vec<String> {
    let table: CatalogTable = case.options.get("table").expect("a table").parse().expect("a table");
    let columns = case.options.get("columns").copied().unwrap_or_default().split(',').filter(|name| !name.is_empty());
    let request = TableRequest {
        table,
        filter: case.question.to_owned(),
        as_reported: None,
        columns: columns.map(str::to_owned).collect(),
        sort: None,
        evidence: false,
        sources: case.options.get("sources") == Some(&"yes"),
    };
    let found = match request.kind().map(|kind| base.kb.entities(kind, case.question)).transpose() {
        Ok(found) => found,
        // What no row states of a field is no value of it.
        Err(error)
            if case.must.split(',').any(|part| error.to_string().contains(part.trim_start_matches("refused "))) =>
        {
            return Vec::new();
        }
        Err(error) => return vec![format!("fails: {error}")],
    };
    let built = match base.kb.table(&request, found.as_ref()) {
        Ok(built) => built,
        Err(error) => return vec![format!("fails: {error}")],
    };
    let rows = &built.grid.rows;
    let refused = case.must.split(';').map(str::trim).filter_map(|part| part.strip_prefix("refused "));
    let unmet = found.as_ref().map(|found| found.unmet.join(" ")).unwrap_or_default();
    let mut wrong = Vec::new();
    for words in refused {
        if !rows.is_empty() {
            wrong.push(format!("shows {} rows, and should be refused for {words}", rows.len()));
        }
        let missing = words.split(',').filter(|word| !unmet.contains(word));
        wrong.extend(missing.map(|word| format!("refused, but not for {word}: {unmet:?}")));
    }
    let said: Vec<String> = built.grid.columns.iter().map(|column| column.heading.clone()).collect();
    let said = said.into_iter().chain(rows.iter().map(|row| row.join(" | "))).chain(built.notes.iter().cloned());
    wrong.extend(lacking(case.must, &said.collect::<Vec<_>>().join("\n")));
    // Entities of the same name could not be told from each other.
    let names: Vec<&String> = rows.iter().map(|row| &row[0]).collect();
    let twice = names.iter().enumerate().find(|(at, name)| names[..*at].contains(name));
    wrong.extend(twice.map(|(_, name)| format!("two rows are called {name}")));
    wrong
}
