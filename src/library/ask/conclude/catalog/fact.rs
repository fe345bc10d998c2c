//! A fact of the catalog: its value, its source, and who disagrees.

use super::fact_sentence::{said_by, tell, with_unit};
use super::introduction::Introduction;
use super::rack::of_one_device;
use super::source_line::of_source;
use super::value_list;
use crate::ask::conclude::basis::asked_facts::{entities_with, facts_asked_for};
use crate::ask::conclude::basis::conclusion::{Conclusion, Entry, EntryValue};
use crate::ask::conclude::basis::fact_entries::{entry, sources_of, statements};
use crate::ask::conclude::basis::fact_wording::{fact_name, value_text};
use crate::ask::conclude::basis::measured::measured_range;
use crate::ask::conclude::basis::named::{NamedEntity, named_entities};
use crate::ask::conclude::basis::search_result::SearchResult;
use crate::ask::conclude::basis::statement::{Statement, statement};
use crate::ask::conclude::basis::wording::name_of;
use crate::ask::conclude::lookup;
use crate::ask::question::{Clause, Quantity, QueryError, Question};
use crate::model::{Aspect, Fact, FactType, Field, Measure, Metric, Source};
use crate::stores::Stores;
use crate::values::EntityKind;
use crate::values::text::and_list;

/// Of so many entities papers, citations and definitions are told.
const MOST_TOLD: usize = 3;

/// Tells the facts that were asked for.
///
/// # Errors
///
/// When a store fails.
pub fn conclude(stores: &Stores, question: &Question, found: &SearchResult<'_>) -> Result<Conclusion, QueryError> {
    let named = named_entities(stores, question)?;
    let facts = facts_asked_for(question, &named);
    let mut conclusion = Conclusion::default();
    let mut sentences = Vec::new();
    let mut unheard: Vec<(Fact, String)> = Vec::new();
    if let Some((sentence, entries)) = told_together(stores, question, &named, &facts)? {
        return Ok(Conclusion { text: sentence, entries });
    }
    // `what kind of thing is it, and is it dead`
    if question.wanted.defines {
        for entity in named.iter().take(MOST_TOLD) {
            sentences.extend(Introduction::sentence(stores, entity)?);
        }
    }
    // Where and when a source was published is what its citation says.
    let of_publication = |fact: &Fact| matches!(fact, Fact::Published | Fact::Paper | Fact::Year);
    if facts.iter().any(of_publication)
        && let Some(citation) = citations(stores, &named)?
    {
        sentences.push(citation);
    }
    let mut told: Vec<Quantity> = Vec::new();
    for fact in facts {
        if !sentences.is_empty() && of_publication(&fact) && named.iter().all(|named| named.kind == EntityKind::Source)
        {
            continue;
        }
        if let Some((sentence, entries)) = networks_measured(stores, found, &named, fact)? {
            sentences.push(sentence);
            conclusion.entries.extend(entries);
            told.push(Quantity::Fact(fact));
            continue;
        }
        let entities = entities_with(stores, question, &named, fact)?;
        let (sentence, entries) = tell(stores, question, &entities, fact)?;
        let papers = if fact == Fact::Published { papers(stores, &entities)? } else { None };
        let sentence = papers.map_or_else(|| sentence.clone(), |papers| format!("{sentence} {papers}"));
        // What is not known is told where nothing else is, or where it was asked for by a name of its own.
        match entries.is_empty() {
            true => unheard.push((fact, sentence)),
            false => {
                told.push(Quantity::Fact(fact));
                sentences.push(sentence);
            }
        }
        conclusion.entries.extend(entries);
    }
    for quantity in &question.wanted.quantities {
        if let Quantity::Metric(metric) = quantity
            && found.hits.total > 0
            && let Some((sentence, entries)) = measured(stores, question, *metric, found)?
        {
            sentences.push(sentence);
            conclusion.entries.extend(entries);
            told.push(quantity.clone());
        }
    }
    if sentences.is_empty() {
        sentences.extend(not_known_of_each(question, unheard));
    } else {
        sentences.extend(not_known(question, &told));
    }
    sentences.extend(of_one_device(question, &conclusion.entries));
    sentences.extend(counted_apart(question, &conclusion.entries));
    if sentences.is_empty() {
        sentences.push("No fact of the catalog is called so.".to_owned());
    }
    conclusion.text = sentences.join(" ");
    Ok(conclusion)
}

/// What rows measured of a metric: where the question says what was run, by networks and stages, since numbers of several works are
/// no one range; else from the least to the largest.
fn measured(
    stores: &Stores,
    question: &Question,
    metric: Metric,
    found: &SearchResult<'_>,
) -> Result<Option<(String, Vec<Entry>)>, QueryError> {
    let is_work = |kind: &str| matches!(kind, "network" | "task" | "dataset");
    if !question.clauses.iter().filter_map(Clause::plain_kind).any(is_work) {
        return Ok(measured_range(stores, question, metric)?.map(|(sentence, entry)| (sentence, vec![entry])));
    }
    let mut of_rows = question.clone();
    of_rows.wanted.quantities = vec![Quantity::Metric(metric)];
    let told = lookup::conclude(stores, &of_rows, found)?;
    let text = format!("Measured {}: {}", name_of(Measure::Metric(metric)), told.text);
    Ok((!told.entries.is_empty()).then_some((text, told.entries)))
}

/// `vgg19 flops`: of a multiply-add, which is what the catalog counts, others count both operations.
fn counted_apart(question: &Question, entries: &[Entry]) -> Option<String> {
    let says_flops = question.read_as().any(|read| read.text.to_lowercase().contains("flop"));
    let first = entries.iter().find(|entry| entry.quantity == Fact::MultiplyAdds.file_key())?;
    let Some(EntryValue::Number(value)) = first.value.as_ref().filter(|_| says_flops) else { return None };
    let twice = two_decimals(*value * 2.0);
    Some(format!(
        "A multiply-add is two floating-point operations: who counts both says {twice} G FLOPs, twice the figure."
    ))
}

/// A number with two decimals, without zeros behind them.
fn two_decimals(value: f64) -> String {
    format!("{value:.2}").trim_end_matches('0').trim_end_matches('.').to_owned()
}

/// What is asked for by a name of its own and not known, while another one is: `Not known: launch price and cheapest offer.`
fn not_known(question: &Question, told: &[Quantity]) -> Option<String> {
    let mut names: Vec<String> = Vec::new();
    for asked in question.wanted.mentioned.iter().filter(|asked| !asked.is_empty()) {
        // Networks come out with their paper, frameworks with their first release.
        let of_age = |quantity: &Quantity| {
            matches!(quantity, Quantity::Fact(Fact::Released | Fact::Published | Fact::FirstRelease))
        };
        let is_told = |quantity: &Quantity| told.contains(quantity) || of_age(quantity) && told.iter().any(of_age);
        if !asked.iter().any(is_told) {
            names.extend(facts_named(asked).into_iter().map(fact_name));
        }
    }
    names.dedup();
    (!told.is_empty() && !names.is_empty()).then(|| format!("Not known: {}.", and_list(&names)))
}

/// What is said of each name where nothing that was asked for is known: of a `price` both that at launch and that of an hour, of
/// others the first that the name stands for.
fn not_known_of_each(question: &Question, unheard: Vec<(Fact, String)>) -> Vec<String> {
    let names = question.wanted.mentioned.iter().filter(|asked| !asked.is_empty());
    let wanted: Vec<Fact> = names.flat_map(|asked| facts_named(asked)).collect();
    let mut said: Vec<String> = Vec::new();
    for (fact, sentence) in &unheard {
        if wanted.contains(fact) && !said.contains(sentence) {
            said.push(sentence.clone());
        }
    }
    match said.is_empty() {
        true => unheard.into_iter().take(1).map(|(_, sentence)| sentence).collect(),
        false => said,
    }
}

/// The facts by which what one name asks for is told where none is known: all that a price may be, else the first.
fn facts_named(asked: &[Quantity]) -> Vec<Fact> {
    let facts = asked.iter().filter_map(|quantity| match quantity {
        Quantity::Fact(fact) => Some(*fact),
        _ => None,
    });
    let is_price = |fact: &Fact| matches!(fact, Fact::LaunchPrice | Fact::Price);
    let facts: Vec<Fact> = facts.collect();
    if facts.iter().all(is_price) { facts } else { facts.into_iter().take(1).collect() }
}

/// Where the sources that are named were published.
fn citations(stores: &Stores, named: &[NamedEntity]) -> Result<Option<String>, QueryError> {
    let mut said = Vec::new();
    for entity in named.iter().filter(|entity| entity.kind == EntityKind::Source).take(MOST_TOLD) {
        let Some(source) = stores.database.entity::<Source>(&entity.id)? else { continue };
        let venue = source.venue.as_ref().map_or_else(|| ", venue not stated".to_owned(), |venue| format!(", {venue}"));
        let url = source.url.as_ref().map_or_else(String::new, |url| format!(", {url}"));
        said.push(format!("{}{venue}{url}.", of_source(&source).trim_end_matches('.')));
    }
    Ok((!said.is_empty()).then(|| said.join(" ")))
}

/// Several facts of one entity in one sentence: `COCO: training samples 118287, test samples 5000 (source).`
fn told_together(
    stores: &Stores,
    question: &Question,
    named: &[NamedEntity],
    facts: &[Fact],
) -> Result<Option<(String, Vec<Entry>)>, QueryError> {
    let is_number = |fact: &Fact| matches!(fact.value_type(), FactType::Number(_));
    let [only] = named else { return Ok(None) };
    if facts.len() < 2 || !facts.iter().all(is_number) || question.wanted.quantities.len() != facts.len() {
        return Ok(None);
    }
    let mut entries = Vec::new();
    let mut parts = Vec::new();
    let mut cited: Vec<Statement> = Vec::new();
    for &fact in facts {
        let stated = statements(stores, only, fact)?;
        let [known] = stated.as_slice() else { return Ok(None) };
        if known.value.is_none() {
            continue;
        }
        parts.push(format!("{} {}", fact_name(fact), with_unit(fact, known.value.as_ref())));
        entries.push(entry(only.kind, &known.id, fact, known));
        cited.push(known.clone());
    }
    let Some(first) = cited.first().filter(|_| parts.len() > 1) else { return Ok(None) };
    let sources = sources_of(&cited);
    let cite = if sources.is_empty() { String::new() } else { format!(" ({})", said_by(&sources, &cited)) };
    Ok(Some((format!("{}: {}{cite}.", first.name, parts.join(", ")), entries)))
}

/// The papers of a few networks, whose year is asked for.
fn papers(stores: &Stores, entities: &[NamedEntity]) -> Result<Option<String>, QueryError> {
    let mut papers = Vec::new();
    for entity in entities.iter().take(MOST_TOLD) {
        let stated = statement(stores, entity.kind, &entity.id, Fact::Paper)?;
        papers.extend(stated.and_then(|stated| stated.value).map(|paper| value_text(&paper)));
    }
    Ok((!papers.is_empty()).then(|| format!("Paper: {}.", and_list(&papers))))
}

/// Where no framework is named, who asks which networks or data sets were tested asks which were measured.
fn networks_measured(
    stores: &Stores,
    found: &SearchResult<'_>,
    named: &[NamedEntity],
    fact: Fact,
) -> Result<Option<(String, Vec<Entry>)>, QueryError> {
    let field = match fact {
        Fact::TestedNetwork => Field::Network,
        Fact::TestedDataset => Field::Dataset,
        _ => return Ok(None),
    };
    if found.hits.total == 0 || named.iter().any(|named| named.kind == EntityKind::Framework) {
        return Ok(None);
    }
    let measured = value_list::conclude(stores, found, Aspect::Field(field), false)?;
    Ok(Some((measured.text, measured.entries)))
}
