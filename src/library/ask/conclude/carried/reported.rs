//! What a survey's table says of frameworks, as it is printed, and what holds today: the one is never told as the other.

use indexmap::IndexMap;

use crate::ask::conclude::basis::conclusion::{Conclusion, Entry, EntryValue};
use crate::ask::conclude::basis::fact_entries::overview_entries;
use crate::ask::conclude::basis::fact_wording::{fact_name, value_in_words};
use crate::ask::conclude::basis::named::{NamedEntity, named_entities};
use crate::ask::question::{QueryError, Question};
use crate::model::{Facet, Fact, Framework, ReportedFramework, Value};
use crate::stores::Stores;
use crate::values::EntityKind;
use crate::values::text::{and_list, or_list};

/// What is told of today beside a row of the table.
const OF_TODAY: &[Fact] =
    &[Fact::Maturity, Fact::License, Fact::CoreLanguage, Fact::ApiLanguage, Fact::Hardware, Fact::MultiServer];

/// Tells the rows of the frameworks that are named.
///
/// # Errors
///
/// When a store fails.
pub(super) fn conclude(stores: &Stores, question: &Question) -> Result<Conclusion, QueryError> {
    let mut conclusion = Conclusion::default();
    let mut told = Vec::new();
    let mut without = Vec::new();
    let named = named_entities(stores, question)?;
    for entity in named.iter().filter(|entity| entity.kind == EntityKind::Framework) {
        let Some(framework) = stores.database.entity::<Framework>(&entity.id)? else { continue };
        let before = told.len();
        for (source, own) in &framework.reported {
            let shared = match &own.same_as {
                Some(other) => stores.database.entity::<Framework>(other.as_str())?,
                None => None,
            };
            let row = shared.as_ref().and_then(|other| other.reported.get(source)).unwrap_or(own);
            let columns = columns(row);
            if columns.is_empty() {
                continue;
            }
            let printed: Vec<String> = columns.iter().map(|(name, said)| format!("{name} {said}")).collect();
            let shares = match &row.name {
                Some(printed) if *printed != framework.name => format!(", in the row `{printed}`"),
                _ => String::new(),
            };
            told.push(format!("{source} reports of {}{shares}: {}.", framework.name, printed.join("; ")));
            conclusion.entries.extend(columns.into_iter().map(|(name, said)| Entry {
                subjects: IndexMap::from([(Facet::Framework.key().to_owned(), Value::Text(entity.id.as_str().into()))]),
                quantity: format!("reported-{}", name.replace(' ', "-")),
                value: Some(EntryValue::Text(said)),
                n: 1,
                sources: vec![source.to_string()],
                ..Entry::default()
            }));
            told.extend(row.notes.clone());
        }
        match told.len() > before {
            true => told.extend(today(stores, entity, &framework.name)?),
            false => without.push(framework.name.clone()),
        }
    }
    // A table that is not known to have a row says nothing.
    if !without.is_empty() && !told.is_empty() {
        told.push(format!("No survey here has a row of {}.", or_list(&without)));
    }
    conclusion.text = told.join(" ");
    Ok(conclusion)
}

/// The columns of a row, as they are printed.
pub(super) fn columns(row: &ReportedFramework) -> Vec<(&'static str, String)> {
    let lists = [
        ("core in", &row.core_languages),
        ("interfaces for", &row.api_languages),
        ("hardware", &row.hardware),
        ("networks tested", &row.tested_networks),
        ("data sets tested", &row.tested_datasets),
    ];
    let single = [
        ("group", row.status.map(|status| status.to_string())),
        ("licence", row.license.clone()),
        ("stability", row.multi_server.clone()),
    ];
    let single = single.into_iter().filter_map(|(name, said)| Some((name, said?)));
    let lists = lists.into_iter().filter(|(_, said)| !said.is_empty()).map(|(name, said)| (name, said.join(", ")));
    single.chain(lists).collect()
}

/// What the catalog says of the framework today: ` Today: Caffe2 is inactive; licence Apache-2.0; …`.
fn today(stores: &Stores, entity: &NamedEntity, name: &str) -> Result<Option<String>, QueryError> {
    let mut facts = Vec::new();
    for fact in OF_TODAY {
        let stated: Vec<String> =
            overview_entries(stores, entity, &[*fact])?.iter().filter_map(value_in_words).collect();
        if !stated.is_empty() {
            facts.push(format!("{} {}", fact_name(*fact), and_list(&stated)));
        }
    }
    Ok((!facts.is_empty()).then(|| format!("Of {name} today the catalog says: {}.", facts.join("; "))))
}
