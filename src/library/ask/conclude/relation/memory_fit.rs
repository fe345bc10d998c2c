//! Whether the weights of a network fit in the memory of a device: parameters times bytes of the number format.

use indexmap::IndexMap;

use super::{ON_TOP, networks_that_fit};
use crate::ask::conclude::basis::conclusion::{Conclusion, Entry, EntryValue};
use crate::ask::conclude::basis::evidence::{RowIds, shared};
use crate::ask::conclude::basis::statement::statement;
use crate::ask::conclude::basis::wording::{Names, rounded, three};
use crate::ask::conclude::ranking::largest_batch;
use crate::ask::hits::{HitColumns, SharedValues};
use crate::ask::question::{Clause, QueryError, Question, ReadAs, Superlative};
use crate::model::physics::bytes_of;
use crate::model::{Aspect, Fact, FactValue, Field, Metric, Value};
use crate::stores::Stores;
use crate::values::text::{and_list, counted};
use crate::values::{EntityKind, Precision, billions_in_name};

/// The formats that are told where none is asked for.
const USUAL: &[Precision] = &[Precision::Fp16, Precision::Int8, Precision::Int4];

/// So many networks and devices are told.
const MOST: usize = 3;

/// Bytes for each parameter in training with Adam: weights, gradients and optimizer states (ZeRO, Rajbhandari et al. 2020,
/// section 3.1: 16 in mixed precision, and as many in fp32).
const BYTES_IN_TRAINING: f64 = 16.0;

/// A network or device that was named, with what it states and where that is from; or a memory or a number of parameters alone.
struct KnownSize {
    is_size: bool,
    id: String,
    name: String,
    size: f64,
    sources: Vec<String>,
}

impl KnownSize {
    /// What it is a value of.
    fn key(&self, field: Field, fact: Fact) -> &'static str {
        if self.is_size { fact.key() } else { field.key() }
    }

    /// Where the number of parameters is from, if not from a source.
    fn by_name(&self) -> &'static str {
        if self.sources.is_empty() && !self.is_size { ", whose name tells their number," } else { "" }
    }
}

/// So many devices are named that hold some weights.
const NAMED_DEVICES: usize = 4;

/// What the weights of a network take, and which devices hold them where these are asked for.
fn weights_alone(
    stores: &Stores,
    question: &Question,
    network: &KnownSize,
    precisions: &[Precision],
) -> Result<(String, Vec<Entry>), QueryError> {
    let weights = |precision: Precision| network.size * 1e6 * bytes_of(precision) / f64::from(1 << 30);
    let told = precisions.iter().map(|precision| format!("in {precision} {} GiB", three(weights(*precision))));
    let by_name = network.by_name();
    let mut text = format!("The weights of {}{by_name} take {}.", network.name, and_list(&told.collect::<Vec<_>>()));
    if trains(question) {
        let needed = three(network.size * 1e6 * BYTES_IN_TRAINING / f64::from(1 << 30));
        text.push_str(&format!(
            " Training with Adam takes {needed} GiB at {BYTES_IN_TRAINING} bytes a parameter, an estimate, before any activation; \
             activations grow with the batch, are most of what an image network takes, and are not known here."
        ));
    }
    let entry = |precision: &Precision| Entry {
        subjects: IndexMap::from([
            (network.key(Field::Network, Fact::Parameters).to_owned(), Value::Text(network.id.as_str().into())),
            (Field::Precision.key().to_owned(), Value::Text(precision.to_string().into())),
        ]),
        quantity: "weights-gib".to_owned(),
        value: Some(EntryValue::Number(rounded(weights(*precision)))),
        unit: Some("GiB".to_owned()),
        n: 1,
        sources: network.sources.clone(),
        ..Entry::default()
    };
    let entries = precisions.iter().map(entry).collect();
    let asks_devices = question.wanted.candidates == Some(Aspect::Field(Field::Device));
    if let Some(precision) = precisions.first().filter(|_| asks_devices) {
        let least = weights(*precision);
        let holds = |value: &FactValue| matches!(value, FactValue::Number(memory) if *memory >= least);
        let ids = stores.database.entities_with(EntityKind::Device, Fact::Memory.key(), holds)?;
        let mut holding: Vec<(f64, String)> = Vec::new();
        for id in &ids {
            let stated = statement(stores, EntityKind::Device, id, Fact::Memory)?;
            holding.extend(stated.and_then(|stated| Some((stated.number()?, stated.name))));
        }
        holding.sort_by(|a, b| a.0.total_cmp(&b.0).then_with(|| a.1.cmp(&b.1)));
        let named = holding.iter().take(NAMED_DEVICES).map(|(memory, name)| format!("{name} ({} GiB)", three(*memory)));
        let named = and_list(&named.collect::<Vec<_>>());
        let count = counted(holding.len(), "device", "devices");
        text.push_str(&match holding.is_empty() {
            true => format!(" No device is known to have as much alone as in {precision}."),
            false => format!(" Alone {count} of known memory hold them in {precision}, the smallest first: {named}."),
        });
    }
    Ok((text, entries))
}

/// Tells whether the weights fit.
pub(super) fn conclude(stores: &Stores, question: &Question) -> Result<Conclusion, QueryError> {
    let mut names = Names::default();
    // A size says which of a series is meant.
    let mut networks: Vec<KnownSize> = of_stated_size(stores, question, &mut names)?.into_iter().collect();
    if networks.is_empty() {
        networks = named(stores, question, Field::Network, Fact::Parameters, &mut names)?;
    }
    let mut devices = named(stores, question, Field::Device, Fact::Memory, &mut names)?;
    if devices.is_empty() {
        devices.extend(asked_memory(question));
    }
    let trains = trains(question);
    let count = asked(question, Field::DeviceCount).iter().find_map(|value| value.parse::<i64>().ok()).unwrap_or(1);
    let precisions: Vec<Precision> =
        asked(question, Field::Precision).iter().filter_map(|value| value.parse().ok()).take(1).collect();
    let precisions = match (precisions.is_empty(), trains) {
        (false, _) => precisions,
        (true, true) => vec![Precision::Fp16],
        (true, false) => USUAL.to_vec(),
    };
    let (mut sentences, mut entries) = (Vec::new(), Vec::new());
    if devices.is_empty() && !networks.is_empty() {
        for network in &networks {
            let (sentence, new) = weights_alone(stores, question, network, &precisions)?;
            sentences.push(sentence);
            entries.extend(new);
        }
        if let Some(device) = asked(question, Field::Device).first() {
            let name = names.of(Aspect::Field(Field::Device), device, stores)?;
            sentences.push(format!("The memory of {name} is not known here."));
        }
        sentences.push(if trains { IN_TRAINING } else { ON_TOP }.to_owned());
        sentences.extend(left_out_batch(question));
        return Ok(Conclusion { text: sentences.join(" "), entries });
    }
    let asks_networks = question.wanted.candidates == Some(Aspect::Field(Field::Network))
        || question.about == Some(EntityKind::Network);
    if let (true, true, Some(board)) = (networks.is_empty(), asks_networks, devices.first()) {
        let room = if board.is_size { None } else { Some((board.name.as_str(), count)) };
        return networks_that_fit::conclude(stores, board.size * count as f64, room, &precisions);
    }
    if let Some((sentence, entry)) = measured_fit(stores, question, count)? {
        sentences.push(sentence);
        entries.push(entry);
    }
    let measured = sentences.len();
    for network in &networks {
        for device in &devices {
            let memory = device.size * count as f64;
            let mut told = Vec::new();
            for &precision in &precisions {
                // Parameters are counted in millions, memory in units of 2^30 bytes.
                let weights = network.size * 1e6 * bytes_of(precision) / f64::from(1 << 30);
                let fits = weights <= memory;
                let needed = (weights / device.size).ceil();
                let fit = match fits {
                    true => "fit".to_owned(),
                    false => format!("do not fit: {needed:.0} of them are the least"),
                };
                told.push(format!("in {precision} {} GiB, which {fit}", three(weights)));
                let memory_key = device.key(Field::Device, Fact::Memory);
                let subjects: IndexMap<String, Value> = [
                    (network.key(Field::Network, Fact::Parameters), Value::Text(network.id.as_str().into())),
                    (memory_key, Value::Text(device.id.as_str().into())),
                    (Field::DeviceCount.key(), Value::Count(count)),
                    (Field::Precision.key(), Value::Text(precision.to_string().into())),
                ]
                .into_iter()
                .map(|(key, value)| (key.to_owned(), value))
                .collect();
                let mut sources: Vec<String> = network.sources.iter().chain(&device.sources).cloned().collect();
                sources.dedup();
                let fit = Entry {
                    subjects: subjects.clone(),
                    quantity: "memory-fit".to_owned(),
                    value: Some(EntryValue::Flag(fits)),
                    n: 1,
                    sources: sources.clone(),
                    ..Entry::default()
                };
                let value = Some(EntryValue::Number(rounded(weights)));
                let (quantity, unit) = ("weights-gib".to_owned(), Some("GiB".to_owned()));
                entries.extend([fit, Entry { subjects, quantity, value, unit, n: 1, sources, ..Entry::default() }]);
            }
            if trains {
                let needed = network.size * 1e6 * BYTES_IN_TRAINING / f64::from(1 << 30);
                // Activations are most of what an image network takes: what is left for them is no yes.
                let enough = match needed <= memory {
                    true => format!("leaves {} GiB for activations, which grow with the batch", three(memory - needed)),
                    false => "does not fit".to_owned(),
                };
                told.push(format!(
                    "in training with Adam at {BYTES_IN_TRAINING} bytes a parameter, an estimate, {} GiB before any \
                     activation, which {enough}",
                    three(needed)
                ));
            }
            let boards = match count {
                1 => format!("{} has", device.name),
                _ if device.is_size => format!("{count} boards of {} have together", device.id),
                _ => format!("{count} x {} have together", device.name),
            };
            let by_name = network.by_name();
            sentences.push(format!(
                "{boards} {} GiB; the weights of {}{by_name} take {}.",
                three(memory),
                network.name,
                and_list(&told),
            ));
        }
    }
    if sentences.len() == measured && measured == 0 {
        let missing = match (networks.is_empty(), devices.is_empty()) {
            (true, true) => "neither the parameters of the network nor the memory of the device are known",
            (true, false) => "the parameters of the network are not known",
            _ => "the memory of the device is not known",
        };
        return Ok(Conclusion { text: format!("It cannot be told: {missing}."), entries });
    }
    let on_top = match trains {
        true => IN_TRAINING,
        false => ON_TOP,
    };
    sentences.push(on_top.to_owned());
    sentences.extend(left_out_batch(question));
    sentences.extend(measured_batches(stores, question)?);
    Ok(Conclusion { text: sentences.join(" "), entries })
}

/// What comes on top of the estimate of a training.
const IN_TRAINING: &str = "Activations and the framework's own memory come on top.";

/// Whether a training is asked about.
fn trains(question: &Question) -> bool {
    asked(question, Field::Stage).iter().any(|stage| stage.as_str() == "train")
}

/// A network of the size that a question states, `llama 70b`, of the family that it names.
fn of_stated_size(stores: &Stores, question: &Question, names: &mut Names) -> Result<Option<KnownSize>, QueryError> {
    let family = asked(question, Field::Network);
    // Of no network in particular the number itself is what is asked about.
    if family.is_empty()
        && let Some(read) = question.read_as().find(|read| read.facet == Fact::Parameters.key())
        && let Some(billions) = billions_in_name(&read.text)
    {
        let name = format!("a network of {} parameters", read.text);
        return Ok(Some(KnownSize {
            is_size: true,
            id: read.text.clone(),
            name,
            size: billions * 1e3,
            sources: Vec::new(),
        }));
    }
    let sized = question.read_as().filter(|read| read.facet == Fact::Parameters.key()).flat_map(|read| &read.values);
    for id in sized.filter(|id| family.is_empty() || family.contains(id)) {
        let stated = statement(stores, EntityKind::Network, id, Fact::Parameters)?;
        let number = stated.as_ref().and_then(|stated| stated.number());
        let name = names.of(Aspect::Field(Field::Network), id, stores)?;
        let sources = stated.filter(|_| number.is_some()).map(|stated| stated.sources()).unwrap_or_default();
        if let Some(size) = number.or_else(|| Some(billions_in_name(id)? * 1e3)) {
            return Ok(Some(KnownSize { is_size: false, id: id.clone(), name, size, sources }));
        }
    }
    Ok(None)
}

/// The memory that a question names without a device: `in 8 GB`.
fn asked_memory(question: &Question) -> Option<KnownSize> {
    let mut read = question.read_as().filter(|read_as| read_as.facet == Fact::Memory.key());
    let text = read.find_map(|read_as| read_as.values.first().cloned())?;
    let size = text.split(' ').next()?.trim_start_matches([':', '=', '<', '>']).parse().ok()?;
    let (id, name) = (format!("{size} GiB"), "One board".to_owned());
    Some(KnownSize { id, name, size, sources: Vec::new(), is_size: true })
}

/// A row that shows that it fits: the network in that stage on so many such devices, with the largest batch that is stated.
fn measured_fit(stores: &Stores, question: &Question, count: i64) -> Result<Option<(String, Entry)>, QueryError> {
    let values = SharedValues::read(stores)?;
    let metrics = [Metric::ThroughputPerS, Metric::LatencyMs];
    let hits = HitColumns::of(stores, &question.condition_without(None), &metrics)?;
    let ran = |hit: usize| {
        let parts = hits.parts(hit);
        let of_count = values.count(Field::DeviceCount, &parts) == Some(count);
        of_count && values.stands(&parts) && metrics.iter().any(|metric| hits.values(*metric)[hit].is_finite())
    };
    let largest = (0..hits.len()).filter(|hit| ran(*hit)).max_by_key(|hit| (values.batch(&hits.parts(*hit)), *hit));
    let Some(hit) = largest else { return Ok(None) };
    let parts = hits.parts(hit);
    let under = shared(&values, [&parts], &[]);
    let stated = under.iter().filter(|(_, value)| value.is_some()).map(|(key, value)| (key.clone(), value.clone()));
    let frame = Names::default().frame(&stated.collect(), stores)?;
    let source = values.source(&parts).to_owned();
    let entry = Entry {
        subjects: [(Field::DeviceCount.key().to_owned(), Value::Count(count))].into_iter().collect(),
        quantity: "memory-fit".to_owned(),
        value: Some(EntryValue::Flag(true)),
        n: 1,
        under,
        measurements: RowIds::default().of(stores, &[hits.row(hit)])?,
        sources: vec![source.clone()],
        ..Entry::default()
    };
    Ok(Some((format!("Yes, it was measured: {frame} ({source})."), entry)))
}

/// What a question asks for in a field.
fn asked(question: &Question, field: Field) -> Vec<String> {
    let readings = question.read_as().filter(|read_as| read_as.facet == field.key());
    readings.flat_map(|read_as| read_as.values.iter().cloned()).collect()
}

/// The entities that a question names and whose size is known.
fn named(
    stores: &Stores,
    question: &Question,
    field: Field,
    fact: Fact,
    names: &mut Names,
) -> Result<Vec<KnownSize>, QueryError> {
    let kind = if field == Field::Network { EntityKind::Network } else { EntityKind::Device };
    let mut found: Vec<KnownSize> = Vec::new();
    // Of a family the one that it is called by.
    let read = question.read_as().filter(|read_as| read_as.facet == field.key());
    let ids = read.flat_map(|read_as| {
        let heads = if read_as.how == "family" && field == Field::Network { 1 } else { read_as.values.len() };
        read_as.values.iter().take(heads).cloned()
    });
    for id in ids {
        let name = names.of(Aspect::Field(field), &id, stores)?;
        let stated = statement(stores, kind, &id, fact)?.filter(|stated| stated.value.is_some());
        let (size, sources) = match stated {
            Some(stated) => (stated.number(), stated.sources()),
            None if field == Field::Network => (billions_in_name(&name).map(|billions| billions * 1000.0), Vec::new()),
            None => (None, Vec::new()),
        };
        if let Some(size) = size.filter(|_| found.len() < MOST) {
            found.push(KnownSize { id, name, size, sources, is_size: false });
        }
    }
    Ok(found)
}

/// That a batch which is asked for takes no part: what it needs follows from no fact that is kept.
fn left_out_batch(question: &Question) -> Option<String> {
    let is_batch = |clause: &&Clause| clause.plain_kind() == Some(Field::BatchSize.key());
    let batch = question.clauses.iter().find(is_batch)?;
    Some(format!(
        "`{}` takes no part in this: what it takes grows with the batch, and no fact here tells it.",
        batch.text
    ))
}

/// Where a batch is asked about, the largest that was measured under the rest: `Measured: The largest batch … is 64.`
fn measured_batches(stores: &Stores, question: &Question) -> Result<Option<String>, QueryError> {
    const OF_BATCH: &[Field] = &[Field::BatchSize, Field::Precision];
    let is_batch = |clause: &Clause| OF_BATCH.iter().any(|field| clause.plain_kind() == Some(field.key()));
    if left_out_batch(question).is_none() {
        return Ok(None);
    }
    let mut largest = question.clone();
    largest.clauses.retain(|clause| !is_batch(clause));
    largest.wanted.quantities.clear();
    largest.wanted.superlative = Some(Superlative::Most);
    let values = vec![Field::BatchSize.key().to_owned()];
    let (text, facet, how) = ("batch".to_owned(), "along".to_owned(), "exact".to_owned());
    largest.asides.push(ReadAs { text, facet, values, how });
    let told = largest_batch::conclude(stores, &largest)?;
    Ok(told.filter(|told| !told.entries.is_empty()).map(|told| format!("In whatever precision: {}", told.text)))
}

#[cfg(test)]
mod tests {
    use crate::ask::conclude::basis::conclusion::EntryValue;
    use crate::ask::conclude::basis::sample::Sample;
    use crate::ask::question::{Intent, Quantity};

    #[test]
    fn weights_are_held_against_the_memory() {
        let sample = Sample::of(&[]);
        let mut question = sample.question("network:deepnet-50 device:core", Intent::Relation);
        question.wanted.quantities = vec![Quantity::MemoryFit];
        let conclusion = sample.conclude(&question);
        let first = &conclusion.entries[0];
        assert_eq!((first.quantity.as_str(), first.value.clone()), ("memory-fit", Some(EntryValue::Flag(true))));
        // 25.6 million numbers of two bytes.
        assert_eq!(conclusion.entries[1].value, Some(EntryValue::Number(0.04768)));
        assert!(conclusion.text.starts_with("Core has 8 GiB; the weights of DeepNet-50"), "{}", conclusion.text);
    }
}
