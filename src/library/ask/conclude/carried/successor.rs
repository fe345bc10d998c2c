//! What came next in a series, or before: read off names, release dates and architectures, for the catalog keeps no successors, which
//! is said. Of frameworks it is told what the notes say.

use std::collections::{BTreeMap, HashMap};

use indexmap::IndexMap;

use super::history;
use super::series::{Likeness, Member, SeriesName, Way};
use crate::ask::conclude::basis::conclusion::{Conclusion, Entry, EntryValue};
use crate::ask::conclude::basis::fact_entries::overview_entries;
use crate::ask::conclude::basis::named::{NamedEntity, named_entities, subject_key};
use crate::ask::conclude::basis::noted::noted_of;
use crate::ask::question::{QueryError, Question};
use crate::model::{Device, Facet, Fact, Network, Value};
use crate::rows::short_device_name;
use crate::stores::Stores;
use crate::values::text::and_list;
use crate::values::{Date, EntityKind};

/// So many are named where several are equally near.
const MOST_NAMED: usize = 3;

/// Facts that tell one generation from the next.
const TOLD: &[Fact] = &[Fact::Architecture, Fact::Memory, Fact::Tdp, Fact::Released];

/// Tells what came next of what the question names, or before it.
///
/// # Errors
///
/// When a store fails.
pub(super) fn conclude(stores: &Stores, question: &Question, way: Way) -> Result<Conclusion, QueryError> {
    let named = named_entities(stores, question)?;
    let is_in_series =
        |named: &&NamedEntity| matches!(named.kind, EntityKind::Device | EntityKind::Network | EntityKind::Framework);
    match named.iter().find(is_in_series) {
        Some(entity) if entity.kind == EntityKind::Device => of_device(stores, entity, way),
        Some(entity) if entity.kind == EntityKind::Network => of_network(stores, entity, way),
        Some(entity) => {
            let Some(noted) = noted_of(stores, entity)? else { return Ok(Conclusion::default()) };
            let (told, entries) = history::of_one(stores, entity, &noted)?;
            Ok(Conclusion { text: format!("Which framework succeeds another one is not kept. {told}"), entries })
        }
        None => of_architecture(stores, question, way),
    }
}

/// The devices of a maker and class of which each stands for a product, none for a form of one.
fn products(stores: &Stores, like: &Device) -> Result<Vec<Member>, QueryError> {
    let devices: Vec<Device> = stores.database.entities()?;
    let by_id: HashMap<&str, &Device> = devices.iter().map(|device| (device.id.as_str(), device)).collect();
    // A family came out with the first of its members.
    let mut first: BTreeMap<&str, Date> = BTreeMap::new();
    for device in &devices {
        let (Some(date), Some(family)) = (device.release_date, &device.variant_of) else { continue };
        let earliest = first.entry(family.as_str()).or_insert(date);
        if date.is_before(*earliest) {
            *earliest = date;
        }
    }
    // Where one states no maker, the name alone tells.
    let is_of_maker =
        |device: &Device| device.vendor == like.vendor || device.vendor.is_none() || like.vendor.is_none();
    let is_alike = |device: &&Device| device.class == like.class && is_of_maker(device);
    let mut members = Vec::new();
    for device in devices.iter().filter(is_alike) {
        let called = short_device_name(device).to_owned();
        let name = SeriesName::of(&called);
        let family = device.variant_of.as_ref().and_then(|family| by_id.get(family.as_str()));
        let is_form = family.is_some_and(|family| name.is_form_of(&SeriesName::of(short_device_name(family))));
        if is_form && device.id != like.id {
            continue;
        }
        let inherited = || family.and_then(|family| family.architecture.clone());
        members.push(Member {
            id: device.id.to_string(),
            called,
            name,
            released: device.release_date.or_else(|| first.get(device.id.as_str()).copied()),
            architecture: device.architecture.clone().or_else(inherited),
        });
    }
    Ok(members)
}

/// A device as it stands among those of its maker and class.
struct InSeries {
    own: Member,
    all: Vec<Member>,
    vendor: Option<String>,
}

/// The device that is named, or the product that it is a form of; `None` where nothing is known of it.
fn in_series(stores: &Stores, id: &str) -> Result<Option<InSeries>, QueryError> {
    let Some(mut device) = stores.database.entity::<Device>(id)? else { return Ok(None) };
    // What succeeds a form of a product succeeds the product.
    if let Some(family) = &device.variant_of
        && let Some(family) = stores.database.entity::<Device>(family.as_str())?
        && SeriesName::of(short_device_name(&device)).is_form_of(&SeriesName::of(short_device_name(&family)))
    {
        device = family;
    }
    let all = products(stores, &device)?;
    let own = all.iter().find(|member| member.id == device.id.as_str()).cloned();
    Ok(own.map(|own| InSeries { own, all, vendor: device.vendor }))
}

/// The device or network that came next of one in its series, or before it, with what both are called; `None` where none is known.
///
/// # Errors
///
/// When a store fails.
pub(super) fn nearest_relative(
    stores: &Stores,
    entity: &NamedEntity,
    way: Way,
) -> Result<Option<Relative>, QueryError> {
    let relative =
        |own: &Member, other: &Member| Relative { id: other.id.clone(), own: dated(own), called: dated(other) };
    Ok(match entity.kind {
        EntityKind::Device => in_series(stores, &entity.id)?.and_then(|series| {
            series.own.nearest(&series.all, way).first().map(|(_, other)| relative(&series.own, other))
        }),
        EntityKind::Network => {
            let (own, others) = networks(stores, &entity.id)?;
            let near = if own.name.counts_versions() { own.nearest(&others, way) } else { Vec::new() };
            near.iter().find(|(likeness, _)| likeness.is_tier).map(|(_, other)| relative(&own, other))
        }
        _ => None,
    })
}

/// What came next of something, or before it.
pub(super) struct Relative {
    pub id: String,
    /// What the one that is named is called, with its architecture and date.
    pub own: String,
    /// What the other one is called.
    pub called: String,
}

fn of_device(stores: &Stores, entity: &NamedEntity, way: Way) -> Result<Conclusion, QueryError> {
    let Some(InSeries { own, all, vendor }) = in_series(stores, &entity.id)? else { return Ok(Conclusion::default()) };
    let own = &own;
    let found = own.nearest(&all, way);
    let mut text = match found.as_slice() {
        [] => {
            let (later, vendor) = (if way == Way::Next { "later" } else { "earlier" }, vendor.as_deref());
            let generation = next_architecture(&all, own, way);
            format!(
                "No {later} device of {} is known here by a name that goes on with that of {}{}.{}",
                vendor.unwrap_or("its maker"),
                dated(own),
                if own.released.is_none() { ", whose own release is not dated" } else { "" },
                generation.unwrap_or_default()
            )
        }
        [(Likeness { is_tier: true, gap, .. }, first), others @ ..] => {
            // Of one count there may be several: v5e and v5p.
            let others = if gap.0 == 0 { &[][..] } else { &others[..others.len().min(MOST_NAMED - 1)] };
            let names: Vec<String> =
                std::iter::once(*first).chain(others.iter().map(|(_, one)| *one)).map(dated).collect();
            let came = match (way, names.len()) {
                (Way::Next, 1) => "comes after",
                (Way::Next, _) => "come after",
                (Way::Before, _) => "came before",
            };
            format!("{} {came} {}.", and_list(&names), dated(own))
        }
        several => {
            let names: Vec<String> = several.iter().take(MOST_NAMED).map(|(_, member)| dated(member)).collect();
            let came = if way == Way::Next { "after it came" } else { "before it came" };
            format!("{}: {came}, of those with most of its name, {}.", dated(own), and_list(&names))
        }
    };
    text.push_str(" Read off names, release dates and architectures: which device succeeds which is not kept.");
    let most = if matches!(found.first(), Some((likeness, _)) if likeness.is_tier) { 1 } else { MOST_NAMED };
    let mut entries = Vec::new();
    for (_, member) in found.iter().take(most) {
        entries.push(entry(EntityKind::Device, &own.id, &member.id, way));
    }
    // Beside what is named stands what it is held against.
    for member in std::iter::once(own).chain(found.iter().take(most).map(|(_, member)| *member)) {
        let members = stores.database.descendants(EntityKind::Device, &member.id)?;
        let members = members.into_iter().filter(|id| *id != member.id).collect();
        let of = NamedEntity { kind: EntityKind::Device, id: member.id.clone(), members };
        entries.extend(overview_entries(stores, &of, TOLD)?);
    }
    Ok(Conclusion { text, entries })
}

/// `A100 (Ampere, 2020-05-14)`.
fn dated(member: &Member) -> String {
    let beside: Vec<String> =
        member.architecture.iter().cloned().chain(member.released.map(|date| date.to_string())).collect();
    if beside.is_empty() { member.called.clone() } else { format!("{} ({})", member.called, beside.join(", ")) }
}

/// The architecture of the maker of which the first device came next after one, or last before it, with some of its devices.
fn next_architecture(others: &[Member], own: &Member, way: Way) -> Option<String> {
    let released = own.released?;
    let mut firsts: BTreeMap<&str, Date> = BTreeMap::new();
    for (architecture, date) in others.iter().filter_map(|one| Some((one.architecture.as_deref()?, one.released?))) {
        let first = firsts.entry(architecture).or_insert(date);
        if date.is_before(*first) {
            *first = date;
        }
    }
    let is_behind = |date: &Date| match way {
        Way::Next => released.is_before(*date),
        Way::Before => date.is_before(released),
    };
    firsts.retain(|architecture, date| is_behind(date) && Some(*architecture) != own.architecture.as_deref());
    let order = |(_, date): &(&&str, &Date)| date.to_string();
    let next = match way {
        Way::Next => firsts.iter().min_by_key(order),
        Way::Before => firsts.iter().max_by_key(order),
    };
    let (architecture, _) = next?;
    let of_it = others.iter().filter(|one| one.architecture.as_deref() == Some(*architecture));
    let mut names: Vec<String> = of_it.map(dated_without_architecture).collect();
    names.truncate(MOST_NAMED);
    let lead = if way == Way::Next { "The next architecture" } else { "The architecture before" };
    Some(format!(" {lead} with devices here is {architecture}: {}.", and_list(&names)))
}

fn dated_without_architecture(member: &Member) -> String {
    dated(&Member { architecture: None, ..member.clone() })
}

/// What architecture of the same maker came next, or before.
fn of_architecture(stores: &Stores, question: &Question, way: Way) -> Result<Conclusion, QueryError> {
    let of = Facet::Architecture.key();
    let Some(name) = question.read_as().find(|read| read.facet == of).and_then(|read| read.values.first()) else {
        return Ok(Conclusion::default());
    };
    let devices: Vec<Device> = stores.database.entities()?;
    let Some(like) = devices.iter().find(|device| device.architecture.as_ref() == Some(name)) else {
        return Ok(Conclusion::default());
    };
    let members = products(stores, like)?;
    let firsts = members.iter().filter(|one| one.architecture.as_ref() == Some(name)).filter_map(|one| one.released);
    let released = firsts.reduce(|a, b| if b.is_before(a) { b } else { a });
    let own = Member {
        id: String::new(),
        called: name.clone(),
        name: SeriesName::of(name),
        released,
        architecture: Some(name.clone()),
    };
    let vendor = like.vendor.as_deref().unwrap_or("its maker");
    let since = released.map_or_else(String::new, |date| format!(", first released {date}"));
    let next = next_architecture(&members, &own, way);
    let text = match next {
        Some(next) => format!("{name} ({vendor}{since}).{next} By the release dates of the catalog."),
        None => format!(
            "No architecture of {vendor} here is known to have come {} {name}{since}.",
            if way == Way::Next { "after" } else { "before" }
        ),
    };
    Ok(Conclusion { text, entries: Vec::new() })
}

/// A network and all others, by their ids.
fn networks(stores: &Stores, id: &str) -> Result<(Member, Vec<Member>), QueryError> {
    let member = |id: &str| Member {
        id: id.to_owned(),
        called: id.to_owned(),
        name: SeriesName::of(id),
        released: None,
        architecture: None,
    };
    Ok((member(id), stores.database.ids(EntityKind::Network)?.iter().map(|id| member(id)).collect()))
}

/// The networks that are called alike but for a count.
fn of_network(stores: &Stores, entity: &NamedEntity, way: Way) -> Result<Conclusion, QueryError> {
    let Some(network) = stores.database.entity::<Network>(&entity.id)? else { return Ok(Conclusion::default()) };
    let (own, others) = networks(stores, &entity.id)?;
    let near = if own.name.counts_versions() { own.nearest(&others, way) } else { Vec::new() };
    let counted: Vec<(Likeness, &Member)> = near.into_iter().filter(|(likeness, _)| likeness.is_tier).collect();
    let year = |network: &Network| network.year.map_or_else(String::new, |year| format!(" ({year})"));
    let called = format!("{}{}", network.name, year(&network));
    let Some((_, first)) = counted.first() else {
        let notes = network.notes.as_deref().unwrap_or_default();
        let notes = if notes.is_empty() { String::new() } else { format!(" Its notes: {notes}") };
        let text = format!(
            "Which network succeeds another one is not kept, and none here goes on with the name of {called}.{notes}"
        );
        return Ok(Conclusion { text, entries: Vec::new() });
    };
    let other = stores.database.entity::<Network>(&first.id)?;
    let other_called = other.map_or_else(|| first.id.clone(), |other| format!("{}{}", other.name, year(&other)));
    let came = if way == Way::Next { "comes after" } else { "came before" };
    let text = format!("By name {other_called} {came} {called}: which network succeeds another one is not kept.");
    Ok(Conclusion { text, entries: vec![entry(EntityKind::Network, &entity.id, &first.id, way)] })
}

fn entry(kind: EntityKind, id: &str, other: &str, way: Way) -> Entry {
    Entry {
        subjects: IndexMap::from([(subject_key(kind).to_owned(), Value::Text(id.into()))]),
        quantity: if way == Way::Next { "successor" } else { "predecessor" }.to_owned(),
        value: Some(EntryValue::Text(other.to_owned())),
        n: 1,
        ..Entry::default()
    }
}
