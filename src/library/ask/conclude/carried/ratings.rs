//! How frameworks are rated: the stars that a source gave, and whether a kind of network is among those with a listed test.

use indexmap::IndexMap;

use crate::ask::conclude::basis::conclusion::{Conclusion, Entry, EntryValue};
use crate::ask::conclude::basis::listed_kinds::name_of;
use crate::ask::conclude::basis::named::named_entities;
use crate::ask::conclude::basis::wording::Names;
use crate::ask::question::{Clause, QueryError, Question};
use crate::model::{Citation, Facet, Fact, Framework, Value};
use crate::stores::Stores;
use crate::stores::index::{Condition, DocumentKind};
use crate::values::EntityKind;
use crate::values::text::{and_list, counted};

/// Tells the ratings of the frameworks that are named, and what is known of each on the networks that are named.
///
/// # Errors
///
/// When a store fails.
pub(super) fn conclude(stores: &Stores, question: &Question) -> Result<Conclusion, QueryError> {
    let named = named_entities(stores, question)?;
    let is_network = |clause: &&Clause| clause.plain_kind() == Some(Facet::Network.key());
    let networks: Vec<&Clause> = question.clauses.iter().filter(is_network).collect();
    let mut conclusion = Conclusion::default();
    let mut told = Vec::new();
    let mut unrated = Vec::new();
    let mut names = Names::default();
    for entity in named.iter().filter(|entity| entity.kind == EntityKind::Framework) {
        let Some(framework) = stores.database.entity::<Framework>(&entity.id)? else { continue };
        for network in &networks {
            told.push(on_network(stores, &mut names, &framework, network, &mut conclusion.entries)?);
        }
        let mut stars = Vec::new();
        for (source, reported) in framework.reported.iter().filter(|(_, reported)| !reported.ratings.is_empty()) {
            let rated: Vec<String> =
                reported.ratings.iter().map(|(of, stars)| format!("{} {stars}", of.replace('-', " "))).collect();
            stars.push(format!("{} ({source})", and_list(&rated)));
            conclusion.entries.extend(reported.ratings.iter().map(|(of, stars)| Entry {
                subjects: subject(&entity.id),
                quantity: format!("rating-{of}"),
                value: Some(EntryValue::Number(stars.value())),
                unit: Some("stars of 5".to_owned()),
                n: 1,
                sources: vec![source.to_string()],
                ..Entry::default()
            }));
        }
        match stars.is_empty() {
            true => unrated.push(framework.name.clone()),
            false => told.push(format!("Stars of {}, of 5: {}.", framework.name, stars.join("; "))),
        }
    }
    if !unrated.is_empty() {
        told.push(format!("No source here rates {}.", and_list(&unrated)));
    }
    if !networks.is_empty() {
        told.push("How good a framework is for a kind of network no source here grades.".to_owned());
    }
    conclusion.text = told.join(" ");
    Ok(conclusion)
}

/// Whether the networks of a clause are among those with a listed test, and how many rows there are of both.
fn on_network(
    stores: &Stores,
    names: &mut Names,
    framework: &Framework,
    network: &Clause,
    entries: &mut Vec<Entry>,
) -> Result<String, QueryError> {
    let values: Vec<&String> = network.readings.iter().flat_map(|reading| &reading.read_as.values).collect();
    let mut tested = Vec::new();
    for id in &framework.tested_networks {
        // The test of a family is that of what is asked for, and the other way round.
        let family = stores.database.ancestors(EntityKind::Network, id.as_str())?;
        if family.iter().any(|one| values.contains(&one)) {
            tested.push(name_of(stores, names, EntityKind::Network, id.as_str())?);
        }
    }
    let of_framework = Condition::Facet(Facet::Framework, vec![framework.id.to_string()]);
    let both = Condition::All(vec![of_framework, network.condition.clone()]);
    let rows = stores.index.count(DocumentKind::Measurement, &both)?;
    let measured = if rows == 0 { "no row".to_owned() } else { counted(rows, "row", "rows") };
    let cited: Vec<String> =
        Citation::covering(&framework.sources, Fact::TestedNetwork.cited_key()).map(Citation::short_name).collect();
    let by = if cited.is_empty() { String::new() } else { format!(" ({})", cited.join(", ")) };
    entries.push(Entry {
        subjects: subject(framework.id.as_str()),
        quantity: Fact::TestedNetwork.file_key().to_owned(),
        value: Some(EntryValue::List(tested.clone())),
        n: tested.len(),
        sources: cited,
        ..Entry::default()
    });
    let text = &network.text;
    Ok(match (tested.is_empty(), framework.tested_networks.is_empty()) {
        (false, _) => {
            let are = if tested.len() == 1 { "is" } else { "are" };
            format!(
                "Of `{text}`, {} {are} among the networks with a listed test of {}{by}; {measured} of both.",
                and_list(&tested),
                framework.name
            )
        }
        (true, false) => {
            let mut others = Vec::new();
            for id in &framework.tested_networks {
                others.push(name_of(stores, names, EntityKind::Network, id.as_str())?);
            }
            format!(
                "The listed tests of {} are of {}{by}, none of `{text}`; {measured} of both.",
                framework.name,
                and_list(&others)
            )
        }
        (true, true) => format!("No listed test of {} is known; {measured} of it and `{text}`.", framework.name),
    })
}

fn subject(id: &str) -> IndexMap<String, Value> {
    IndexMap::from([(Facet::Framework.key().to_owned(), Value::Text(id.into()))])
}
