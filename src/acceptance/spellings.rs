//! Spellings: real ones with their correct readings, and invented ones close to every device. None may be misread silently.

use std::collections::{BTreeMap, BTreeSet};

use dlbench::KnowledgeBase;
use dlbench::model::{Device, Facet, Field};
use dlbench::stores::resolve::{Certainty, Resolved};
use dlbench::values::EntityKind;
use dlbench::values::text::normalise;

use crate::{Dlbench, REPOSITORY};

/// A spelling from a source and its correct reading.
struct Labelled<'t> {
    facet: Facet,
    spelling: &'t str,
    reading: &'t str,
    ids: Vec<&'t str>,
    count: &'t str,
    instance: &'t str,
    slice: &'t str,
}

const TABLES: &[&str] =
    &[include_str!("strings/gpus.tsv"), include_str!("strings/chips.tsv"), include_str!("strings/names.tsv")];

/// Minimum number of labelled spellings read correctly, per thousand; raise it after improvements, never lower it.
const RIGHT_PER_MILLE: usize = 900;

#[test]
fn real_spellings_are_read_right_or_said_to_be_unknown() {
    let kb =
        KnowledgeBase::open_with_cache(REPOSITORY, Dlbench::on(REPOSITORY).cache).expect("the knowledge base opens");
    let labelled: Vec<Labelled<'_>> = TABLES.iter().flat_map(|table| table.lines()).map(labelled).collect();
    assert!(labelled.len() >= 300, "{} spellings", labelled.len());
    let mut right = 0;
    let mut wrong = Vec::new();
    let mut missed = Vec::new();
    for label in &labelled {
        let read = kb.resolve(label.facet, label.spelling).expect("the store answers");
        match judge(label, &read) {
            Verdict::Right => right += 1,
            Verdict::Missed => missed.push(reading_line(label, &read)),
            Verdict::Wrong => wrong.push(reading_line(label, &read)),
        }
    }
    println!("{right} of {} spellings are read right", labelled.len());
    println!("not read, and said so ({}):\n{}", missed.len(), missed.join("\n"));
    assert!(wrong.is_empty(), "read wrong in silence ({}):\n{}", wrong.len(), wrong.join("\n"));
    assert!(right * 1000 >= labelled.len() * RIGHT_PER_MILLE, "only {right} of {} are right", labelled.len());
}

#[derive(Debug, PartialEq, Eq)]
enum Verdict {
    Right,
    /// The reading is unknown or less specific than stated.
    Missed,
    /// The reading differs from what the source named.
    Wrong,
}

fn judge(label: &Labelled<'_>, read: &Resolved) -> Verdict {
    let reading: &str = read.reading.into();
    let stated =
        |stated: &str, read: Option<String>| stated.is_empty() && read.is_none() || read.as_deref() == Some(stated);
    let mut read_ids: Vec<&str> = read.ids.iter().map(String::as_str).collect();
    let mut right_ids = label.ids.clone();
    read_ids.sort_unstable();
    right_ids.sort_unstable();
    let same_ids = read_ids == right_ids;
    let same_count = stated(label.count, read.count.map(|count| count.to_string()));
    let same_place = stated(label.instance, read.instance.clone()) && stated(label.slice, read.slice.clone());
    if reading == label.reading && same_ids && same_count && same_place {
        return Verdict::Right;
    }
    match read.reading {
        // A wrong count would enter the knowledge base; a missing one does not.
        _ if read.count.is_some() && !same_count => Verdict::Wrong,
        Certainty::Unknown | Certainty::Ambiguous | Certainty::List => Verdict::Missed,
        Certainty::Family if label.reading == "sku" => Verdict::Missed,
        _ if reading == label.reading && same_ids => Verdict::Missed,
        _ => Verdict::Wrong,
    }
}

fn reading_line(label: &Labelled<'_>, read: &Resolved) -> String {
    format!(
        "  {} {:?}: {} {:?} x{} where {} {:?} x{} is right",
        label.facet,
        label.spelling,
        read.reading,
        read.ids,
        read.count.map_or_else(String::new, |count| count.to_string()),
        label.reading,
        label.ids,
        label.count,
    )
}

fn labelled(line: &str) -> Labelled<'_> {
    let cells: Vec<&str> = line.split('\t').collect();
    let cell = |at: usize| cells.get(at).copied().unwrap_or_default().trim();
    Labelled {
        facet: cell(0).parse().unwrap_or_else(|_| panic!("{line:?} begins with a kind")),
        spelling: cell(2),
        reading: cell(3),
        ids: cell(4).split(',').filter(|id| !id.is_empty()).collect(),
        count: cell(5),
        instance: cell(6),
        slice: cell(7),
    }
}

#[test]
fn a_wrong_reading_is_told_from_a_missing_one() {
    let label = labelled("device\ts\tV100\tfamily\ttesla-v100\t8\t\t");
    let read = |reading, ids: &[&str], count| Resolved {
        input: "V100".to_owned(),
        reading,
        ids: ids.iter().map(|id| (*id).to_owned()).collect(),
        count,
        instance: None,
        host: None,
        slice: None,
        version: None,
        weight_format: None,
        activation_format: None,
        quantization: None,
        why: String::new(),
    };
    assert_eq!(judge(&label, &read(Certainty::Family, &["tesla-v100"], Some(8))), Verdict::Right);
    assert_eq!(judge(&label, &read(Certainty::Family, &["tesla-v100"], None)), Verdict::Missed);
    assert_eq!(judge(&label, &read(Certainty::Unknown, &[], None)), Verdict::Missed);
    assert_eq!(judge(&label, &read(Certainty::Family, &["tesla-v100"], Some(4))), Verdict::Wrong);
    assert_eq!(judge(&label, &read(Certainty::Sku, &["tesla-v100-sxm2-16gb"], Some(8))), Verdict::Wrong);
}

fn repository() -> KnowledgeBase {
    KnowledgeBase::open_with_cache(REPOSITORY, Dlbench::on(REPOSITORY).cache).expect("the knowledge base opens")
}

fn devices(kb: &KnowledgeBase) -> Vec<Device> {
    let ids = kb.ids(EntityKind::Device).expect("the store answers");
    ids.iter().filter_map(|id| kb.entity::<Device>(id).expect("the store answers")).collect()
}

/// Suffixes by which vendors name a different product.
const SUFFIXES: &[&str] = &[
    "XT",
    "XTX",
    "Ultra",
    "Laptop",
    "Laptop GPU",
    "Notebook",
    "of Notebook",
    "(Laptop)",
    "Mobile",
    "lite",
    "2GB",
    "(3GB)",
    "Ti",
    "Super",
    "Ti SUPER",
    "Max-Q",
    "with Max-Q Design",
    "D",
    "S",
    "Pro",
    "Max",
    "Plus",
    "NX",
    "M",
    "GRE",
    "Duo",
    "II",
    "v9",
    "SXM9",
    "2",
];

fn is_kind(suffix: &str) -> bool {
    matches!(suffix, "GPU" | "CPU" | "NPU")
}

/// Whether a device has this name.
fn has_this_name(device: &Device, name: &str, suffix: &str) -> bool {
    let spelling = normalise(&format!("{name} {suffix}").replace("with Max-Q Design", "Max-Q"));
    let wanted = normalise(&suffix.replace("with Max-Q Design", "Max-Q"));
    let names = [device.id.as_str(), device.name.as_str()].into_iter().chain(device.aliases.iter().map(String::as_str));
    let carries = |own: &str| {
        let own = normalise(own);
        spelling.contains(&own) && (own == spelling || own.contains(&wanted))
    };
    names.into_iter().any(carries)
}

/// Whether a suffix states only what the device's entry states: memory size or form factor.
fn is_stated_by(device: &Device, suffix: &str) -> bool {
    let mut rest = normalise(suffix);
    for form in device.form_factor.iter().map(|form| normalise(form)) {
        rest = rest.replace(&form, "");
    }
    if let Some(gib) = device.memory_gib {
        rest = rest.replace(&format!("{gib}gb"), "");
    }
    // On Apple devices, the unified memory size is chosen with the computer.
    let is_memory = |rest: &str| rest.strip_suffix("gb").is_some_and(|gib| gib.bytes().all(|b| b.is_ascii_digit()));
    rest.is_empty() || device.vendor.as_deref() == Some("Apple") && is_memory(&rest)
}

#[test]
fn a_made_up_neighbour_of_a_device_is_unknown_unless_an_entry_has_this_very_name() {
    let kb = repository();
    let devices = devices(&kb);
    let by_id: BTreeMap<&str, &Device> = devices.iter().map(|device| (device.id.as_str(), device)).collect();
    // Also try the suffixes by which catalog devices extend the name of another one.
    let mut suffixes: BTreeSet<String> = SUFFIXES.iter().map(|suffix| (*suffix).to_owned()).collect();
    for longer in &devices {
        let beginning = devices.iter().filter_map(|device| longer.name.strip_prefix(&device.name));
        suffixes.extend(beginning.filter(|rest| rest.starts_with(' ')).map(|rest| rest.trim().to_owned()));
    }
    // Text in brackets is an explanation, and every device may be called a GPU or a CPU.
    let explains = |suffix: &str| suffix.contains('(') || suffix.starts_with("of the ") || is_kind(suffix);
    suffixes.retain(|suffix| SUFFIXES.contains(&suffix.as_str()) || !explains(suffix));
    let mut tried = 0;
    let mut wrong = Vec::new();
    // After a comma, a clock rate or the name of the chip, a suffix would no longer modify the device's name.
    let ends_with_name =
        |device: &Device| [" of the ", ", ", " GHz)", "not named"].iter().all(|end| !device.name.contains(end));
    for (at, device) in devices.iter().enumerate().filter(|(_, device)| ends_with_name(device)) {
        // Each suffix is tried with many devices, and each device with many suffixes.
        let of_device = suffixes.iter().enumerate().filter(|(number, _)| (at + number) % 12 == 0);
        for suffix in of_device.map(|(_, suffix)| suffix.as_str()).chain(["+"]) {
            tried += 1;
            let blank = if suffix == "+" { "" } else { " " };
            let spelling = format!("{}{blank}{suffix}", device.name);
            let read = kb.resolve(Facet::Device, &spelling).expect("the store answers");
            let Some(id) = read.entity() else { continue };
            let members = kb.descendants(EntityKind::Device, id).expect("the store answers");
            let stated = members.iter().any(|member| is_stated_by(by_id[member.as_str()], suffix));
            // `GeForce RTX 3060` plus `Ti 8 GB` is a different card, followed by what its entry states.
            let behind =
                spelling.split_once(&by_id[id].name).is_some_and(|(_, rest)| is_stated_by(by_id[id], rest.trim()));
            if !stated && !behind && !has_this_name(by_id[id], &device.name, suffix) {
                wrong.push(format!("{spelling} => {id} ({})", read.why));
            }
        }
    }
    println!("{tried} neighbours of {} devices with {} suffixes", devices.len(), suffixes.len());
    assert!(tried >= 1000, "{tried}");
    assert!(wrong.is_empty(), "{} neighbours are taken for their relatives:\n{}", wrong.len(), wrong.join("\n"));
}

/// Spellings with rows that differ because another place in the source says more.
const SAID_ELSEWHERE: &[(&str, &str)] = &[
    // The instance has an NPU; the figures are for a chip that the source names in its text.
    ("Alibaba Cloud [ecs.ebman1.26xlarge]", "hanguang-800"),
];

#[test]
fn no_spelling_of_a_source_is_read_as_another_device() {
    let kb = repository();
    let knowledge = kb.knowledge().expect("the knowledge base is read");
    let mut spellings: BTreeSet<(&str, &str)> = BTreeSet::new();
    for row in &knowledge.measurements {
        if let (Some(raw), Some(device)) = (row.text(Field::DeviceRaw), row.text(Field::Device)) {
            spellings.insert((raw, device));
        }
    }
    assert!(spellings.len() >= 400, "{}", spellings.len());
    let mut wrong = Vec::new();
    let mut unread = 0;
    for (raw, device) in &spellings {
        let read = kb.resolve(Facet::Device, raw).expect("the store answers");
        let Some(id) = read.entity() else {
            unread += 1;
            continue;
        };
        let below = |family: &str, id: &str| {
            kb.descendants(EntityKind::Device, family).expect("the store answers").iter().any(|member| member == id)
        };
        // The row may know the SKU of a family, or which part of the board computed; an unnamed device cannot be checked.
        let part = device.strip_prefix(id).is_some_and(|part| matches!(part, "-cpu" | "-gpu"));
        let elsewhere = SAID_ELSEWHERE.contains(&(*raw, *device)) || device.starts_with("unnamed-");
        if id != *device && !below(id, device) && !below(device, id) && !part && !elsewhere {
            wrong.push(format!("{raw:?}: {id}, but the row says {device}"));
        }
    }
    println!("{} spellings, {unread} of them not read", spellings.len());
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
    assert!(unread * 4 <= spellings.len(), "{unread} of {} spellings are not read", spellings.len());
}

#[test]
fn every_cloud_instance_of_the_catalog_is_its_devices() {
    let kb = repository();
    let mut seen = 0;
    for device in devices(&kb) {
        for offer in &device.cloud {
            seen += 1;
            let read = kb.resolve(Facet::Device, &offer.instance).expect("the store answers");
            assert_eq!(read.entity(), Some(device.id.as_str()), "{}: {}", offer.instance, read.why);
            let devices = offer.devices.and_then(|count| u32::try_from(count).ok());
            assert_eq!(read.count, devices, "{}", offer.instance);
            assert!(read.instance.is_some(), "{}", offer.instance);
        }
    }
    assert!(seen >= 150, "{seen}");
    let read = kb.resolve(Facet::Device, "g4dn.xlarge").expect("the store answers");
    assert_eq!((read.entity(), read.count, read.instance.as_deref()), (Some("tesla-t4"), Some(1), Some("g4dn.xlarge")));
}
