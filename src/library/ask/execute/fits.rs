//! Whether the weights of a network fit into memory: parameters times the bytes of a number format.

use std::collections::BTreeSet;
use std::ops::Bound;

use indexmap::IndexMap;

use super::entities::by_attribute;
use super::key::{NamedEntity, named};
use super::statement::statement;
use super::{Entry, EntryValue, Outcome, Remark};
use crate::ask::parse::{Ask, Filter, Is, Key, Quantity, Question, Result, Term};
use crate::model::physics::{bits_of_recipe, bytes_of};
use crate::model::{Facet, Fact, FactValue, Field, Value};
use crate::stores::Stores;
use crate::stores::index::Condition;
use crate::values::{EntityKind, Precision};

/// The number formats used if the question names none.
const USUAL: &[Precision] = &[Precision::Fp16, Precision::Int8, Precision::Int4];

/// Bytes for each parameter in training with Adam: weights, gradients and optimizer states (ZeRO, Rajbhandari et al. 2020,
/// section 3.1: 16 in mixed precision, and as many in fp32).
const BYTES_IN_TRAINING: f64 = 16.0;

/// Maximum number of devices or networks listed.
const MOST_LISTED: usize = 20;

/// One GiB in bytes.
const GIB: f64 = (1u64 << 30) as f64;

/// A format in which weights are stored.
struct Format {
    name: String,
    /// Bytes of one parameter.
    bytes: f64,
}

impl From<Precision> for Format {
    fn from(precision: Precision) -> Self {
        Self { name: precision.to_string(), bytes: bytes_of(precision) }
    }
}

/// A network or device with its size (parameters in millions, memory in GiB), or a size alone.
struct Sized {
    key: &'static str,
    id: String,
    size: f64,
    sources: Vec<String>,
}

/// Answers whether weights fit; for a network alone, their size and the devices that hold them; for a memory alone, what fits.
pub(super) fn fits(stores: &Stores, question: &Question) -> Result<Outcome> {
    let mut outcome = Outcome::of(Ask::Fits);
    let named = named(stores, &question.subject)?;
    let networks = sized(stores, &named, &question.subject, EntityKind::Network, Fact::Parameters)?;
    let devices = sized(stores, &named, &question.subject, EntityKind::Device, Fact::Memory)?;
    let stated = number(&question.subject, Field::DeviceCount.into());
    let asks_count = question.wants.contains(&Quantity::Field(Field::DeviceCount));
    // If the memory of the device is unknown, only rows can say what ran on it.
    let unsized_device = named.iter().find(|entity| entity.kind == EntityKind::Device && devices.is_empty());
    let unknown = |of: &NamedEntity, fact: Fact| {
        vec![Remark::FactUnknown { subject: of.id.clone(), quantity: fact.file_key().to_owned() }]
    };
    if let Some(device) = unsized_device {
        return Ok(outcome.prepending(unknown(device, Fact::Memory)));
    }
    let trains = question.subject.names(Facet::Stage).any(|stage| stage == "train");
    let fields = [Field::Precision, Field::Quantization, Field::WeightFormat];
    let names = fields.into_iter().flat_map(|field| question.subject.names(field));
    let mut formats: Vec<Format> = names.filter_map(|name| format_of(name)).collect();
    formats.dedup_by_key(|format| format.bytes);
    if formats.is_empty() {
        let usual = if trains { &[Precision::Fp16] } else { USUAL };
        formats.extend(usual.iter().copied().map(Format::from));
    }
    outcome.remarks.push(Remark::WeightsAlone(trains));
    // `the cheapest GPU that can hold Mixtral in 4-bit` ranks the devices with enough memory.
    if let ([network], Some(_)) = (networks.as_slice(), &question.order) {
        let least = needed(network.size, &formats[0], trains);
        let is_of_device = |term: &Term| !term.is_of(Facet::Network) && !fields.iter().any(|field| term.is_of(*field));
        let subject = question
            .subject
            .only(is_of_device)
            .with(Term::of(Fact::Memory, Is::Within(Bound::Included(rounded(least)), Bound::Unbounded)));
        let holding = Question { ask: Ask::Rank, subject: subject.clone(), wants: Vec::new(), ..question.clone() };
        let ranked = super::rank::rank(stores, &holding)?;
        return Ok(Outcome { relaxed: Some(subject), ..ranked.prepending(outcome.remarks) });
    }
    for network in &networks {
        for device in &devices {
            for format in &formats {
                // `how many H100s do I need`
                let least = (needed(network.size, format, trains) / device.size).ceil().max(1.0);
                let count = stated.unwrap_or(if asks_count { least } else { 1.0 });
                outcome.entries.extend(fit(network, device, count, format, trains));
            }
        }
        if devices.is_empty() {
            for format in &formats {
                outcome.entries.push(weights_of(network, format, trains));
            }
            if question.of == Some(Key::Facet(Facet::Device)) {
                let least = needed(network.size, &formats[0], trains);
                let holding = sized_so(stores, Fact::Memory, |memory| memory >= least)?;
                outcome.entries.extend(listed(stores, Fact::Memory, &holding, false)?);
            }
        }
    }
    // If the size of the network is unknown, do not answer with other networks.
    let unsized_network = named.iter().find(|entity| entity.kind == EntityKind::Network && networks.is_empty());
    // For a family, the answer lists the members that fit.
    let family = unsized_network.filter(|network| network.members.len() > MOST_LISTED && !devices.is_empty());
    if let Some(network) = unsized_network.filter(|_| family.is_none()) {
        outcome.remarks = unknown(network, Fact::Parameters);
    } else if networks.is_empty() {
        // If there are several memory sizes, the smallest decides.
        if let Some(device) = devices.iter().min_by(|a, b| a.size.total_cmp(&b.size)) {
            let memory = device.size * stated.unwrap_or(1.0);
            let tasks: Vec<String> = question.subject.names(Facet::Task).cloned().collect();
            let of_tasks = stores.index.entities(EntityKind::Network, &Condition::Facet(Facet::Task, tasks.clone()))?;
            let mut counts = Vec::new();
            for format in &formats {
                let mut ids = sized_so(stores, Fact::Parameters, |size| needed(size, format, trains) <= memory)?;
                ids.retain(|id| tasks.is_empty() || of_tasks.contains(id));
                ids.retain(|id| family.is_none_or(|family| family.members.contains(id)));
                if counts.is_empty() {
                    outcome.entries.extend(listed(stores, Fact::Parameters, &ids, true)?);
                }
                counts.push((format.name.clone(), ids.len()));
            }
            counts.dedup_by_key(|(_, fit)| *fit);
            let fit = Remark::LargestThatFit { shown: outcome.entries.len(), counts };
            outcome.remarks.extend((!outcome.entries.is_empty()).then_some(fit));
        }
    }
    Ok(outcome)
}

/// The named entities of a kind with their value of a fact; if there are none, the bound on the fact.
fn sized(stores: &Stores, named: &[NamedEntity], filter: &Filter, kind: EntityKind, fact: Fact) -> Result<Vec<Sized>> {
    let mut found = Vec::new();
    for entity in named.iter().filter(|entity| entity.kind == kind) {
        // A large group of networks has no single size.
        let members = entity.members.iter().filter(|_| entity.members.len() <= MOST_LISTED);
        for id in std::iter::once(&entity.id).chain(members) {
            let stated = statement(stores, kind, id, fact)?.map(|stated| stated.entry);
            let of_name = || size_of_name(id).filter(|_| fact == Fact::Parameters);
            let Some(size) = stated.as_ref().and_then(Entry::number).or_else(of_name) else { continue };
            // Members of the same size give one answer.
            if !found.iter().any(|known: &Sized| known.size == size) {
                let key = Facet::of_entities(kind).key();
                let sources = stated.map_or_else(Vec::new, |stated| stated.sources);
                found.push(Sized { key, id: id.clone(), size, sources });
            }
        }
    }
    // `on one A100 80GB`
    let stated = number(filter, fact.into());
    if let Some(size) = stated.filter(|size| found.iter().any(|one| one.size == *size)) {
        found.retain(|one| one.size == size);
    }
    if let Some(size) = stated.filter(|_| found.is_empty()) {
        found.push(Sized { key: fact.key(), id: size.to_string(), size, sources: Vec::new() });
    }
    Ok(found)
}

/// The format of a name: a number format, a recipe of known size, or the integer format with the bit width in the name.
fn format_of(name: &str) -> Option<Format> {
    if let Ok(precision) = name.parse::<Precision>() {
        return Some(precision.into());
    }
    if let Some((recipe, bits)) = bits_of_recipe(name.trim_end_matches('*')) {
        return Some(Format { name: recipe.to_owned(), bytes: bits / 8.0 });
    }
    let mut parts = name.split(['_', '-']);
    match parts.find_map(|part| part.trim_start_matches(['I', 'Q', 'i', 'q', 'w']).parse().ok()) {
        Some(4) => Some(Precision::Int4.into()),
        Some(8) => Some(Precision::Int8.into()),
        _ => None,
    }
}

/// The number of parameters, in millions, from the size in a language model's name: `falcon-40b`.
fn size_of_name(id: &str) -> Option<f64> {
    let size = id.rsplit('-').find_map(|part| part.strip_suffix('b')?.parse::<f64>().ok())?;
    Some(size * 1000.0)
}

/// The memory in GiB for a number of parameters, given in millions.
fn needed(parameters: f64, format: &Format, trains: bool) -> f64 {
    parameters * 1e6 * if trains { BYTES_IN_TRAINING } else { format.bytes } / GIB
}

/// The two entries for a network on devices: whether it fits, and its size.
fn fit(network: &Sized, device: &Sized, count: f64, format: &Format, trains: bool) -> [Entry; 2] {
    let weights = weights_of(network, format, trains);
    let mut subjects = weights.subjects.clone();
    subjects.shift_insert(1, device.key.to_owned(), Value::Text(device.id.as_str().into()));
    subjects.shift_insert(2, Field::DeviceCount.key().to_owned(), Value::Count(count as i64));
    let mut sources = [network.sources.as_slice(), &device.sources].concat();
    sources.dedup();
    let weights = Entry { subjects, sources, ..weights };
    let fits = Entry {
        quantity: "memory-fit".to_owned(),
        value: Some(EntryValue::Flag(needed(network.size, format, trains) <= device.size * count)),
        unit: None,
        // The available memory.
        high: Some(device.size * count),
        is_decided: true,
        ..weights.clone()
    };
    [fits, weights]
}

fn weights_of(network: &Sized, format: &Format, trains: bool) -> Entry {
    let quantity = if trains { "training-gib" } else { "weights-gib" };
    Entry {
        subjects: IndexMap::from([
            (network.key.to_owned(), Value::Text(network.id.as_str().into())),
            (Field::Precision.key().to_owned(), Value::Text(format.name.as_str().into())),
        ]),
        quantity: quantity.to_owned(),
        value: Some(EntryValue::Number(rounded(needed(network.size, format, trains)))),
        unit: Some("GiB".to_owned()),
        n: 1,
        sources: network.sources.clone(),
        ..Entry::default()
    }
}

/// The entities whose number passes a test.
fn sized_so(stores: &Stores, fact: Fact, passes: impl Fn(f64) -> bool) -> Result<BTreeSet<String>> {
    let passes = |value: &FactValue| matches!(value, FactValue::Number(size) if passes(*size));
    Ok(stores.database.entities_with(fact.kind(), fact.key(), passes)?)
}

/// The first entities in order of a fact.
fn listed(stores: &Stores, fact: Fact, ids: &BTreeSet<String>, largest_first: bool) -> Result<Vec<Entry>> {
    Ok(by_attribute(stores, fact.into(), ids, largest_first)?.into_iter().take(MOST_LISTED).collect())
}

fn rounded(number: f64) -> f64 {
    (number * 100.0).round() / 100.0
}

/// The number that a filter sets for a key: the exact value, otherwise the upper bound, otherwise the lower one.
fn number(filter: &Filter, key: Key) -> Option<f64> {
    use std::ops::Bound::{Excluded, Included};
    filter.tests().filter(|test| test.key == key).find_map(|test| match test.is {
        // `13b` is searched as 0.9 to 1.12 times that number; undo it.
        Is::Within(Included(low), Included(high)) if key == Fact::Parameters.into() && low < high => {
            Some((low / 0.9).round())
        }
        Is::Within(_, Included(number) | Excluded(number)) | Is::Within(Included(number) | Excluded(number), _) => {
            Some(number)
        }
        _ => None,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn weights_are_parameters_times_bytes() {
        let network = Sized { key: "network", id: "x".to_owned(), size: 7_000.0, sources: Vec::new() };
        let device = Sized { key: "device", id: "y".to_owned(), size: 16.0, sources: Vec::new() };
        let [fits, weights] = fit(&network, &device, 1.0, &Precision::Fp16.into(), false);
        assert_eq!(fits.value, Some(EntryValue::Flag(true)));
        assert_eq!(weights.value, Some(EntryValue::Number(13.04)));
        let [fits, _] = fit(&network, &device, 1.0, &Precision::Fp16.into(), true);
        assert_eq!(fits.value, Some(EntryValue::Flag(false)));
    }

    #[test]
    fn a_recipe_takes_more_than_the_bits_of_its_name() {
        let format = |name: &str| format_of(name).map(|format| (format.name, format.bytes));
        assert_eq!(format("Q4*"), Some(("Q4_K_M".to_owned(), 4.8944 / 8.0)));
        assert_eq!(format("Q8_0"), Some(("Q8_0".to_owned(), 8.5008 / 8.0)));
        assert_eq!(format("awq-w4"), Some(("int4".to_owned(), 0.5)));
        assert_eq!(format("sq8h"), None);
    }
}
