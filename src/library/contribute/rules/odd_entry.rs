//! Finds catalog entries that are the only exception to a dependency that all others follow: a chip with another
//! architecture, a network with another task than its family.

use std::collections::{BTreeMap, BTreeSet};

use serde_json::Value;

use crate::contribute::rule_interface::{Check, Findings, LintContext, LocatedEntity, Rule, Sample};
use crate::model::{Code, Network, Severity};
use crate::reading::Step;
use crate::values::EntityKind;

pub(in crate::contribute) const RULE: Rule = Rule {
    code: Code::new(226),
    title: "the one entry that says otherwise",
    severity: Severity::Warning,
    page: "In the catalog some facts follow from others: devices with one chip have one architecture, devices of one series (`alveo-u…`, `xeon-platinum-…`) one class and maker, networks with one paper one year, the rounds of a benchmark one author. Which follow from which is read off the catalog: where a fact is the same in every group of entries but for a single entry, that entry most often has a neighbour's value. The networks of a family have mostly one task, and its variants one paper: another one is told where nothing in the id accounts for it (`yolo26n-cls` classifies) and, for a paper, where networks of another family have it, or where one digit is another. A source that prints the odd value is excepted with the reason.",
    sample: Sample::edited(
        "catalog/networks/deepnet-34.toml",
        "task = \"image-classification\"",
        "task = \"object-detection\"",
    ),
    check: Check::Catalog(find),
};

/// Keys that depend on no other key: an entry's own facts, and lists of names and tests.
const FREE: &[&str] =
    &["id", "name", "notes", "aliases", "sources", "reported", "cloud", "exceptions", "url", "accessed", "standing"];

/// Minimum numbers for a dependency: groups that agree, large groups among them (of `MANY` entries), distinct values,
/// and entries in the exception's group. One in `GROUPS_PER_BROKEN` groups may have several values.
const FEWEST_AGREEING: usize = 4;
const FEWEST_OF_MANY: usize = 2;
const MANY: usize = 4;
const FEWEST_VALUES: usize = 2;
const FEWEST_IN_GROUP: usize = 5;
const GROUPS_PER_BROKEN: usize = 8;

/// One in this number of groups may have an exception, in addition to the first one.
const GROUPS_PER_ODD: usize = 16;

/// Keys whose numbers sources round differently.
const ROUNDED: &[&str] = &["process-nm"];

/// An entry: its place, and its facts including the series in its id.
struct Entry<'l> {
    located: LocatedEntity<'l>,
    facts: BTreeMap<String, String>,
}

/// The key under which the series is added to the facts.
const SERIES: &str = "series";

fn find(context: &LintContext<'_>, found: &mut Findings) {
    for kind in [EntityKind::Device, EntityKind::Network, EntityKind::Source] {
        let entries: Vec<Entry<'_>> = context
            .entities()
            .filter(|located| located.entity.kind() == kind)
            .map(|located| Entry { facts: facts(&located), located })
            .collect();
        for (key, entry, message) in dependent(&entries) {
            let place = entries[entry].located.place;
            let id = entries[entry].located.entity.id();
            found.at(place, key.split('.').map(Step::from), message, "the only entry that says so").of(id);
        }
    }
    for (key, id, message) in unlike_families(context) {
        let Some(place) = context.place(EntityKind::Network, &id) else { continue };
        found.at(place, [key.into()], message, "unlike its family").of(&id);
    }
}

/// The text and number facts of an entry, by key.
fn facts(located: &LocatedEntity<'_>) -> BTreeMap<String, String> {
    let mut facts = BTreeMap::new();
    let Value::Object(all) = located.entity.json() else { return facts };
    for (key, value) in all {
        let key = key.replace('_', "-");
        match value {
            _ if FREE.contains(&key.as_str()) || ROUNDED.contains(&key.as_str()) => {}
            Value::String(text) => drop(facts.insert(key, text)),
            Value::Number(number) => drop(facts.insert(key, number.to_string())),
            Value::Array(values) if key == "authors" => drop(facts.insert(key, Value::Array(values).to_string())),
            _ => {}
        }
    }
    // Numbers in network ids are layer counts, so they define no series.
    let has_series = located.entity.kind() != EntityKind::Network;
    if let Some(series) = series(located.entity.id()).filter(|_| has_series) {
        facts.insert(SERIES.to_owned(), series);
    }
    facts
}

/// The words of an id up to its first number, including the letters before that number: `alveo-u`, `xeon-platinum`. A
/// part of a chip (`rockchip-rk3588-gpu`) has a series of its own.
fn series(id: &str) -> Option<String> {
    const PARTS: &[&str] = &["cpu", "gpu", "npu", "dsp", "tpu"];
    let mut words: Vec<&str> = Vec::new();
    for word in id.split('-') {
        let letters = word.find(|c: char| c.is_ascii_digit()).map_or(word, |at| &word[..at]);
        if !letters.is_empty() {
            words.push(letters);
        }
        if letters.len() < word.len() {
            break;
        }
    }
    let part = id.rsplit('-').next().filter(|part| PARTS.contains(part));
    let series = words.join("-");
    (series.len() > 1).then(|| part.map_or(series.clone(), |part| format!("{series} ({part})")))
}

/// What the groups with equal values of one key show about another key.
#[derive(Default)]
struct Learned<'e> {
    agreeing: usize,
    of_many: usize,
    broken: usize,
    values: BTreeSet<&'e str>,
    /// The exceptions: the entry, the value of the others in its group, and their number.
    odd: Vec<(usize, &'e str, usize)>,
}

/// The entries that are the only exception to a dependency: the key, the entry and a message.
fn dependent(entries: &[Entry<'_>]) -> Vec<(String, usize, String)> {
    let mut groups: BTreeMap<(&str, &str), Vec<usize>> = BTreeMap::new();
    for (at, entry) in entries.iter().enumerate() {
        for (key, value) in &entry.facts {
            groups.entry((key, value)).or_default().push(at);
        }
    }
    let mut learned: BTreeMap<(&str, &str), Learned<'_>> = BTreeMap::new();
    // Equal numbers or dates do not make a group.
    let is_name = |value: &str| value.contains(char::is_alphabetic);
    for ((by, _), group) in groups.iter().filter(|((_, value), group)| group.len() > 1 && is_name(value)) {
        let mut values: BTreeMap<&str, BTreeMap<&str, Vec<usize>>> = BTreeMap::new();
        for at in group {
            for (key, value) in entries[*at].facts.iter().filter(|(key, _)| key != by && key.as_str() != SERIES) {
                values.entry(key).or_default().entry(value).or_default().push(*at);
            }
        }
        for (key, values) in values {
            learned.entry((by, key)).or_default().add(&values);
        }
    }
    let mut told: BTreeMap<(usize, &str), (&str, &str, usize)> = BTreeMap::new();
    for ((by, key), learned) in learned.into_iter().filter(|(_, learned)| learned.is_law()) {
        for (at, usual, others) in learned.odd {
            told.entry((at, key)).or_insert((by, usual, others));
        }
    }
    let message = |((at, key), (by, usual, others)): ((usize, &str), (&str, &str, usize))| {
        let (id, facts) = (entries[at].located.entity.id(), &entries[at].facts);
        let message = format!(
            "{key} of `{id}` is {}, and {usual} in all {others} others whose {by} is {}",
            facts.get(key).map_or("", String::as_str),
            facts.get(by).map_or("", String::as_str)
        );
        (key.to_owned(), at, message)
    };
    told.into_iter().map(message).collect()
}

impl<'e> Learned<'e> {
    /// Adds the values of one key in a group, with the entries that have them.
    fn add(&mut self, values: &BTreeMap<&'e str, Vec<usize>>) {
        let count: usize = values.values().map(Vec::len).sum();
        let mut by_size: Vec<(&&str, &Vec<usize>)> = values.iter().collect();
        by_size.sort_by_key(|(_, entries)| entries.len());
        match by_size.as_slice() {
            [(value, entries)] if entries.len() > 1 => {
                self.agreeing += 1;
                self.of_many += usize::from(entries.len() >= MANY);
                self.values.insert(value);
            }
            [(_, odd), (usual, others)] if odd.len() == 1 && count >= FEWEST_IN_GROUP => {
                self.odd.push((odd[0], usual, others.len()));
            }
            [_] | [] => {}
            _ => self.broken += 1,
        }
    }

    fn is_law(&self) -> bool {
        self.broken * GROUPS_PER_BROKEN <= self.agreeing
            && (self.odd.len() == 1 || self.odd.len() * GROUPS_PER_ODD <= self.agreeing)
            && self.agreeing >= FEWEST_AGREEING
            && self.of_many >= FEWEST_OF_MANY
            && self.values.len() >= FEWEST_VALUES
    }
}

/// Minimum number and share (percent) of the members of a family with its usual value.
const FEWEST_MEMBERS: usize = 3;
const SHARE: usize = 80;

/// The share (percent) that suffices if several networks of other families have the odd value.
const SHARE_BESIDE_OTHERS: usize = 50;

/// Networks whose task or paper differs from that of all other members of their family.
fn unlike_families(context: &LintContext<'_>) -> Vec<(&'static str, String, String)> {
    let networks = &context.loaded.catalog.networks;
    let mut families: BTreeMap<&str, Vec<&Network>> = BTreeMap::new();
    for network in networks.values() {
        if let Some(family) = network.family.as_ref().or(network.variant_of.as_ref()) {
            families.entry(family.as_str()).or_default().push(network);
        }
    }
    let mut told = Vec::new();
    for (family, members) in &families {
        for key in ["task", "paper"] {
            let of = |network: &Network| match key {
                "task" => network.task.clone(),
                _ => network.paper.clone(),
            };
            let mut counts: BTreeMap<String, usize> = BTreeMap::new();
            members.iter().filter_map(|network| of(network)).for_each(|value| *counts.entry(value).or_default() += 1);
            let total: usize = counts.values().sum();
            let Some((usual, count)) = counts.iter().max_by_key(|(_, count)| **count) else { continue };
            let is_usual = |share: usize| *count >= FEWEST_MEMBERS && count * 100 >= share * (total - 1);
            if !is_usual(SHARE_BESIDE_OTHERS) {
                continue;
            }
            let alike = members.iter().filter(|network| of(network).as_ref() == Some(usual));
            let known: BTreeSet<&str> =
                alike.flat_map(|network| words(network.id.as_str())).chain(words(family)).collect();
            for network in members {
                let Some(own) = of(network).filter(|own| counts[own] == 1 && own != usual) else { continue };
                let is_kin = |other: &Network| {
                    let lineage = context.network_lineage(other.id.as_str());
                    other.id.as_str() == *family
                        || lineage.iter().any(|kin| kin == network.id.as_str() || kin == family)
                };
                let holders =
                    networks.values().filter(|other| other.id != network.id && of(other).as_ref() == Some(&own));
                let (kin, elsewhere): (Vec<_>, Vec<_>) = holders.partition(|other| is_kin(other));
                let is_odd = match key {
                    "task" => is_usual(SHARE),
                    _ if kin.is_empty() && elsewhere.is_empty() => {
                        is_usual(SHARE) && strsim::damerau_levenshtein(&own, usual) == 1
                    }
                    _ => kin.is_empty() && (is_usual(SHARE) || elsewhere.len() > 1),
                };
                if !is_odd || words(network.id.as_str()).any(|word| !known.contains(word)) {
                    continue;
                }
                let message = format!(
                    "the {key} of `{}` is {own}, that of {count} other members of `{family}` {usual}",
                    network.id
                );
                told.push((key, network.id.to_string(), message));
            }
        }
    }
    told
}

/// The words of an id that consist of letters only.
fn words(id: &str) -> impl Iterator<Item = &str> {
    id.split(['-', '.']).filter(|word| word.len() > 1 && word.bytes().all(|byte| byte.is_ascii_lowercase()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_series_ends_at_the_first_number() {
        for (id, told) in [
            ("alveo-u280", Some("alveo-u")),
            ("xeon-platinum-8255c", Some("xeon-platinum")),
            ("rockchip-rk3588-gpu", Some("rockchip-rk (gpu)")),
            ("a64fx", None),
            ("eyeriss", Some("eyeriss")),
        ] {
            assert_eq!(series(id).as_deref(), told, "{id}");
        }
    }

    #[test]
    fn one_entry_among_five_is_odd_and_two_values_of_several_break_the_rule() {
        let learned = |groups: &[&[(&'static str, usize)]]| {
            let mut learned = Learned::default();
            let mut at = 0;
            for group in groups {
                let mut values: BTreeMap<&str, Vec<usize>> = BTreeMap::new();
                for (value, count) in *group {
                    values.entry(value).or_default().extend(at..at + count);
                    at += count;
                }
                learned.add(&values);
            }
            (learned.is_law(), learned.odd.iter().map(|(at, ..)| *at).collect::<Vec<_>>())
        };
        let groups: [&[(&str, usize)]; 5] =
            [&[("gpu", 4)], &[("cpu", 5)], &[("gpu", 2)], &[("cpu", 3)], &[("gpu", 5), ("fpga", 1)]];
        assert_eq!(learned(&groups), (true, vec![19]));
        assert!(!learned(&[groups[0], groups[1], groups[4]]).0, "too few groups");
        assert!(!learned(&[groups[0], groups[1], groups[2], groups[3], &[("gpu", 5), ("fpga", 3)]]).0);
    }
}
