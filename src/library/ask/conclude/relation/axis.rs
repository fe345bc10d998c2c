//! How a number changes along an axis: devices, batch, precision, version; and how two numbers go together.

use super::against_fact;
use super::along_batch;
use super::along_values;
use super::each_side;
use super::memory_fit;
use super::scaling;
use super::trade_off;
use crate::ask::conclude::basis::conclusion::Conclusion;
use crate::ask::conclude::basis::search_result::SearchResult;
use crate::ask::conclude::basis::wording::stage_name;
use crate::ask::conclude::basis::wording::{Names, three};
use crate::ask::conclude::comparison;
use crate::ask::conclude::comparison::generations;
use crate::ask::conclude::lookup;
use crate::ask::conclude::ranking;
use crate::ask::conclude::ranking::largest_batch;
use crate::ask::question::{Quantity, QueryError, Question, Superlative};
use crate::model::{Aspect, Fact, Field, Value};
use crate::stores::Stores;
use crate::values::text::or_list;

use crate::ask::conclude::basis::conclusion::EntryValue;

/// So many entities are told one by one.
const MOST_ENTITIES: usize = 6;

/// Tells how the numbers change along the axis.
pub fn conclude(stores: &Stores, question: &Question, found: &SearchResult<'_>) -> Result<Conclusion, QueryError> {
    // The largest batch that fits is none that follows from the weights.
    if question.wanted.sides.len() < 2
        && let Some(largest) = largest_batch::conclude(stores, question)?
    {
        return Ok(largest);
    }
    if question.wanted.quantities.contains(&Quantity::MemoryFit) {
        return memory_fit::conclude(stores, question);
    }
    if let Some(effects) = each_side::conclude(stores, question, found, &conclude)? {
        return Ok(effects);
    }
    if question.wanted.sides.len() > 1 && !is_against_one_device(question) {
        return by_entity(stores, question, comparison::conclude(stores, question, found)?);
    }
    if let Some(field) = feature_named(question) {
        let told = along_values::conclude(stores, question, field)?;
        if !told.entries.is_empty() {
            return Ok(told);
        }
        // What else differs says nothing of it; the rows with it are told as they are.
        let rows = lookup::conclude(stores, question, found)?;
        return Ok(Conclusion { text: format!("{} With it: {}", told.text, rows.text), entries: rows.entries });
    }
    match question.wanted.along {
        Some(Aspect::Field(Field::DeviceCount)) => scaling::conclude(stores, question),
        // Few rows state their hosts; how many devices ran says the same of machines that are alike.
        Some(Aspect::Field(Field::Hosts)) => {
            let told = scaling::conclude(stores, question)?;
            Ok(Conclusion { text: format!("By the number of devices, which rows state: {}", told.text), ..told })
        }
        Some(Aspect::Field(Field::BatchSize | Field::BatchSizeGlobal)) => match question.wanted.superlative {
            Some(Superlative::Best) => ranking::conclude_by(stores, question, Some(Aspect::Field(Field::BatchSize))),
            _ => along_batch::conclude(stores, question),
        },
        // The gain of a framework that is named is over the others.
        Some(Aspect::Field(Field::Framework)) if ranking::is_about(question, Field::Framework) => {
            along_values::conclude(stores, question, Field::Framework)
        }
        // By entity, a relation is a ranking.
        // Of a device that is named with a network the figures themselves are wanted.
        Some(Aspect::Field(Field::Device))
            if [Field::Device, Field::Network].iter().all(|field| ranking::is_about(question, *field)) =>
        {
            ranking::conclude_by(stores, question, None)
        }
        Some(aspect @ Aspect::Field(field)) if field.entity_kind().is_some() => {
            ranking::conclude_by(stores, question, Some(aspect))
        }
        Some(Aspect::Source) => ranking::conclude_by(stores, question, Some(Aspect::Source)),
        Some(Aspect::Field(field)) => {
            let along = along_values::conclude(stores, question, field)?;
            by_entity(stores, question, along)
        }
        Some(Aspect::Fact(Fact::Architecture)) => generations::conclude(stores, question),
        None => match trade_off::conclude(stores, question)? {
            Some(both) => Ok(both),
            None => match against_fact::conclude(stores, question)? {
                Some(against) => Ok(against),
                None => without_axis(stores, question, found),
            },
        },
        _ => lookup::conclude(stores, question, found),
    }
}

/// The field of what is named by a value of it and set against nothing: what `XLA` brings is told over rows without it, whatever
/// framework is named beside it.
fn feature_named(question: &Question) -> Option<Field> {
    const FEATURES: &[Field] = &[Field::Mode, Field::Layout, Field::Quantization, Field::KernelLibrary];
    let is_named = |field: &Field| question.clauses.iter().any(|clause| clause.plain_kind() == Some(field.key()));
    let is_open = matches!(question.wanted.along, None | Some(Aspect::Field(Field::Framework | Field::Precision)));
    let of_precision = question.clauses.iter().any(|clause| clause.plain_kind() == Some(Field::Precision.key()));
    let asks_axis = question.wanted.along == Some(Aspect::Field(Field::Precision)) && of_precision;
    FEATURES.iter().copied().find(is_named).filter(|_| is_open && !asks_axis && question.wanted.sides.is_empty())
}

/// Whether numbers of devices alone are set against one: `4x 2080 Ti vs 1x`.
fn is_against_one_device(question: &Question) -> bool {
    let counts = question.wanted.sides.iter().map(|side| match side.readings.as_slice() {
        [only] if only.read_as.facet == Field::DeviceCount.key() => only.read_as.values.first().map(String::as_str),
        _ => None,
    });
    let counts: Option<Vec<&str>> = counts.collect();
    counts.is_some_and(|counts| counts.contains(&"1"))
}

/// Where what is to vary was not understood, that is said in front of the numbers.
fn without_axis(stores: &Stores, question: &Question, found: &SearchResult<'_>) -> Result<Conclusion, QueryError> {
    let mut conclusion = lookup::conclude(stores, question, found)?;
    let texts = question.read_as().filter(|read| read.facet == "text").map(|read| read.text.clone());
    let words: Vec<String> = texts.chain(question.ignored.iter().cloned()).map(|word| format!("`{word}`")).collect();
    let what = match words.is_empty() {
        true => "The question names nothing along which rows could be compared".to_owned(),
        false => format!("No field of the rows is called {}, so its effect is not known", or_list(&words)),
    };
    conclusion.text = format!(
        "{what}; effects are told of the batch size, the number of devices, the precision, versions (framework, CUDA, cuDNN, \
         driver), threads, the sequence length, the input size, the execution mode and the layout. {}",
        conclusion.text
    );
    Ok(conclusion)
}

/// Adds the ratios of each network, device or framework where these are asked for: `fp16 speed-up by network`.
fn by_entity(stores: &Stores, question: &Question, mut conclusion: Conclusion) -> Result<Conclusion, QueryError> {
    let named = question.asides.iter().filter(|read| read.facet == "along").flat_map(|read| &read.values);
    let field = named.filter_map(|key| match Aspect::keyed(key)? {
        Aspect::Field(field) if field.entity_kind().is_some() => Some(field),
        _ => None,
    });
    let Some(field) = field.into_iter().next() else { return Ok(conclusion) };
    let Some(headline) = conclusion.entries.first().map(|entry| (entry.subjects.clone(), entry.baseline.clone()))
    else {
        return Ok(conclusion);
    };
    let mut names = Names::default();
    let mut told = Vec::new();
    for entry in conclusion.entries.iter().skip(1) {
        let same = entry.subjects == headline.0 && entry.baseline == headline.1;
        let (Some(Some(Value::Text(id))), Some(EntryValue::Number(ratio)), true) =
            (entry.under.get(field.key()), &entry.value, same)
        else {
            continue;
        };
        let stage = match entry.under.get(Field::Stage.key()) {
            Some(Some(stage)) => format!(" {}", stage_name(&stage.to_string())),
            _ => String::new(),
        };
        let name = names.of(Aspect::Field(field), id, stores)?;
        told.push(format!("{name}{stage} {} (n = {})", three(*ratio), entry.n));
    }
    if told.len() > 1 {
        told.truncate(MOST_ENTITIES);
        conclusion.text.push_str(&format!(" By {}: {}.", field.key(), told.join(", ")));
    }
    Ok(conclusion)
}
