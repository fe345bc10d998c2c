//! Rules about families: members that contradict them, loops, rows of a family whose member is known, and replacements.

use std::cell::OnceCell;
use std::collections::{BTreeMap, HashMap, HashSet};

use super::raw_names;
use crate::contribute::rule_interface::{CatalogNames, Check, Findings, IndexedRow, LintContext, Rule, Sample};
use crate::model::{Catalog, CatalogEntity as _, Code, Device, Field, Measurement, Severity};
use crate::reading::Step;
use crate::values::text::{and_list, normalise};
use crate::values::{EntityId, EntityKind, Provenance};

pub(in crate::contribute) const FAMILY_CONTRADICTION: Rule = Rule {
    code: Code::new(109),
    title: "a member that contradicts its family",
    severity: Severity::Error,
    page: "What a family states holds for all its members: every fact of a device but its price (a member may come out later, and a GPU of a board of two has half of it), family and task of a network that others are revisions of. A member that differs belongs to another family, or the family states too much. Where all members agree with each other, the family is told of; a member that alone differs in three facts has another family.",
    sample: Sample::edited("catalog/devices/nova-100-32gb.toml", r#""Supernova""#, r#""Hypernova""#),
    check: Check::Catalog(find_family_contradiction),
};

/// Facts in which a member may always differ from its family.
const OF_ITS_OWN: &[&str] = &["id", "name", "notes", "variant-of", "launch-price-usd"];

/// The facts of a device by key, with one key for each peak.
fn facts(device: &Device) -> Vec<(String, serde_json::Value)> {
    let serde_json::Value::Object(facts) = device.json() else { return Vec::new() };
    let each = facts.into_iter().flat_map(|(key, value)| match value {
        serde_json::Value::Object(peaks) if key == "peak_tflops" => peaks
            .into_iter()
            .map(|(format, peak)| (format!("peak-tflops.{}", format.replace('_', "-")), peak))
            .collect(),
        value => vec![(key.replace('_', "-"), value)],
    });
    let is_shared = |(key, value): &(String, serde_json::Value)| {
        (value.is_string() || value.is_number()) && !OF_ITS_OWN.contains(&key.as_str())
    };
    each.filter(is_shared).collect()
}

/// The value that a family states for a key, and the values of its members.
type Claimed<'l> = (String, Vec<(&'l EntityId, String)>);

fn find_family_contradiction(context: &LintContext<'_>, found: &mut Findings) {
    let catalog = &context.loaded.catalog;
    let mut said: BTreeMap<(EntityKind, &EntityId, String), Claimed<'_>> = BTreeMap::new();
    let mut add = |kind, family, key: &str, of_family: String, member: (_, String)| {
        said.entry((kind, family, key.to_owned())).or_insert_with(|| (of_family, Vec::new())).1.push(member);
    };
    let plain = |value: &serde_json::Value| value.as_str().map_or_else(|| value.to_string(), str::to_owned);
    for (id, device) in &catalog.devices {
        let Some(family) = device.variant_of.as_ref().and_then(|family| catalog.devices.get(family)) else { continue };
        // One GPU of a dual-GPU board has only a share of the board's facts.
        let is_part = id.as_str().strip_suffix("-gpu") == Some(family.id.as_str());
        let of_family: HashMap<String, serde_json::Value> = facts(family).into_iter().collect();
        for (key, own) in facts(device).into_iter().filter(|(_, own)| !(is_part && own.is_number())) {
            if let Some(of_family) = of_family.get(&key) {
                add(EntityKind::Device, &family.id, &key, plain(of_family), (id, plain(&own)));
            }
        }
    }
    let is_said = |of: &Option<EntityId>| of.as_ref().map(ToString::to_string);
    for (id, network) in &catalog.networks {
        let base = network.variant_of.as_ref().and_then(|base| catalog.networks.get(base));
        let Some(base) = base else { continue };
        // The base may be the family itself, which states no family.
        let families = (is_said(&network.family), is_said(&base.family));
        for (key, pair) in [("family", families), ("task", (network.task.clone(), base.task.clone()))] {
            if let (Some(own), Some(of_base)) = pair {
                add(EntityKind::Network, &base.id, key, of_base, (id, own));
            }
        }
    }
    let strangers = strangers(&said);
    for ((kind, family), (id, keys)) in
        strangers.iter().flat_map(|(of, all)| all.iter().map(move |member| (of, member)))
    {
        let Some(place) = context.place(*kind, id.as_str()) else { continue };
        let message = format!("`{id}` differs from its family `{family}` in {}", and_list(keys));
        found.at(place, ["variant-of".into()], message, "another family?").of(id);
    }
    for ((kind, family, key), (of_family, members)) in &said {
        let is_stranger = |id: &EntityId| strangers.get(&(*kind, family)).is_some_and(|all| all.contains_key(id));
        let members: Vec<&(&EntityId, String)> = members.iter().filter(|(id, _)| !is_stranger(id)).collect();
        let wrong: Vec<&(&EntityId, String)> =
            members.iter().copied().filter(|(_, own)| differs(key, own, of_family)).collect();
        let Some(place) = context.place(*kind, family.as_str()) else { continue };
        let steps = || key.split('.').map(Step::from);
        // If all members agree with each other and disagree with the family, the family is wrong.
        if let [(first, own), _, ..] = wrong.as_slice()
            && wrong.len() == members.len()
            && wrong.iter().all(|(_, other)| other == own)
        {
            let message = format!("the {key} of `{family}` is {of_family}, that of all its members {own}");
            let finding = found.at(place, steps(), message, "differs from its members").of(family);
            if let Some(first) = context.place(*kind, first.as_str()) {
                finding.related(first, "a member");
            }
            continue;
        }
        for (id, own) in wrong {
            let Some(own_place) = context.place(*kind, id.as_str()) else { continue };
            let message = format!("the {key} of `{id}` is {own}, that of its family `{family}` {of_family}");
            found
                .at(own_place, steps(), message, "differs from its family")
                .of(id)
                .help(format!("one of the two is wrong; if members may differ in it, leave `{key}` out of `{family}`"))
                .beside(["variant-of".into()], "its family")
                .related(place, "the family");
        }
    }
}

/// A member that alone differs from its family in this many facts belongs to another family.
const MOST_FACTS: usize = 3;

/// For each family, the members that alone differ from it in many facts, with the keys.
type Strangers<'s, 'l> = BTreeMap<(EntityKind, &'s EntityId), BTreeMap<&'l EntityId, Vec<&'s str>>>;

fn strangers<'s, 'l>(said: &'s BTreeMap<(EntityKind, &'l EntityId, String), Claimed<'l>>) -> Strangers<'s, 'l> {
    let mut all = Strangers::new();
    for ((kind, family, key), (of_family, members)) in said {
        let wrong: Vec<&EntityId> =
            members.iter().filter(|(_, own)| differs(key, own, of_family)).map(|(id, _)| *id).collect();
        if let ([id], true) = (wrong.as_slice(), members.len() > 1) {
            all.entry((*kind, *family)).or_default().entry(*id).or_default().push(key);
        }
    }
    for members in all.values_mut() {
        members.retain(|_, keys| keys.len() >= MOST_FACTS);
    }
    all
}

/// Whether a member contradicts its family. A member may be released later than its family.
fn differs(key: &str, own: &str, of_family: &str) -> bool {
    let known = own.len().min(of_family.len());
    match (own.parse::<f64>(), of_family.parse::<f64>()) {
        _ if key == "release-date" => own.get(..known) < of_family.get(..known),
        (Ok(own), Ok(of_family)) => own != of_family,
        _ => own != of_family,
    }
}

pub(in crate::contribute) const FAMILY_LOOP: Rule = Rule {
    code: Code::new(108),
    title: "a family that is its own member",
    severity: Severity::Error,
    page: "`variant-of` and `family` lead from the member to the family, and so on to the last one. A loop has no last one, and a question about any of them would mean all. A chain of more than 32 is taken for one: of its members only the nearest families would count.",
    sample: Sample::edited("catalog/devices/core.toml", "class =", "variant-of = \"core-9\"\nclass ="),
    check: Check::Catalog(find_family_loop),
};

fn find_family_loop(context: &LintContext<'_>, found: &mut Findings) {
    let catalog = &context.loaded.catalog;
    let loops = |parents: &[&EntityId], lineage: &dyn Fn(&EntityId) -> Vec<EntityId>, id: &EntityId| {
        parents.iter().any(|parent| lineage(parent).contains(id))
    };
    for (id, device) in &catalog.devices {
        let parents: Vec<&EntityId> = device.variant_of.iter().collect();
        if loops(&parents, &|parent| catalog.device_lineage(parent), id) {
            report_loop(context, EntityKind::Device, id, "variant-of", found);
        }
        report_long_chain(context, EntityKind::Device, id, &catalog.device_lineage(id), found);
    }
    for (id, network) in &catalog.networks {
        for (key, parent) in [("variant-of", &network.variant_of), ("family", &network.family)] {
            let parents: Vec<&EntityId> = parent.iter().collect();
            if loops(&parents, &|parent| catalog.network_lineage(parent), id) {
                report_loop(context, EntityKind::Network, id, key, found);
            }
        }
        report_long_chain(context, EntityKind::Network, id, &catalog.network_lineage(id), found);
    }
}

/// Reports an entity with more ancestor families than the maximum.
fn report_long_chain(
    context: &LintContext<'_>,
    kind: EntityKind,
    id: &EntityId,
    lineage: &[EntityId],
    found: &mut Findings,
) {
    const MOST: usize = Catalog::MOST_ANCESTORS;
    if let (true, Some(place)) = (lineage.len() > MOST, context.place(kind, id.as_str())) {
        let message = format!("`{id}` has {MOST} families above it or more");
        found
            .at(place, ["name".into()], message, "only the nearest ones count")
            .of(id)
            .help("a family of families is rarely deeper than three");
    }
}

fn report_loop(context: &LintContext<'_>, kind: EntityKind, id: &EntityId, key: &str, found: &mut Findings) {
    if let Some(place) = context.place(kind, id.as_str()) {
        let message = format!("`{id}` is a member of itself");
        found.at(place, [key.into()], message, "this leads back to it").of(id).help("a family names no member");
    }
}

pub(in crate::contribute) const FAMILY_MEASURED: Rule = Rule {
    code: Code::new(105),
    title: "a measurement of our own on a device family",
    severity: Severity::Warning,
    page: "Whoever measures has the device at hand and can say which SKU it is: memory size, form factor. A number at the family cannot be compared with the SKU's limits.

Numbers of other people stay at the family where their source does not say more.",
    sample: Sample::edited("measurements/imagined-2018/training.toml", r#""nova-100-16gb""#, r#""nova-100""#),
    check: Check::Row(find_family_measured),
};

fn find_family_measured(context: &LintContext<'_>, row: &IndexedRow<'_>, found: &mut Findings) {
    let measurement = row.get();
    let Some(device) = measurement.text(Field::Device) else { return };
    if measurement.provenance() != Provenance::Measured {
        return;
    }
    let Some((family, members)) = context.members.iter().find(|(family, _)| family.as_str() == device) else {
        return;
    };
    let members: Vec<String> = members.iter().take(6).map(|id| format!("`{id}`")).collect();
    found
        .in_row(row, "device", format!("`{family}` is a family, not a device one can measure on"), "which SKU was it?")
        .help(format!("its SKUs are {}", and_list(&members)));
}

pub(in crate::contribute) const SKU_IN_RAW_NAME: Rule = Rule {
    code: Code::new(106),
    title: "a family where the source names the SKU",
    severity: Severity::Warning,
    page: "`device-raw` keeps the source's spelling. Where that is a name of exactly one SKU of the family, the number belongs to the SKU.",
    sample: Sample::edited("measurements/imagined-2018/inference.toml", r#""nova-100-16gb""#, r#""nova-100""#),
    check: Check::Rows(find_sku_in_raw_name),
};

fn find_sku_in_raw_name(context: &LintContext<'_>, found: &mut Findings) {
    let devices = &context.loaded.catalog.devices;
    let mut names: HashMap<String, Vec<&EntityId>> = HashMap::new();
    for (id, device) in devices {
        for name in device.aliases.iter().chain([&device.name]) {
            let named = names.entry(normalise(name)).or_default();
            if named.last() != Some(&id) {
                named.push(id);
            }
        }
    }
    // Rows of a batch repeat their spellings, so results are cached.
    let mut seen: HashMap<(&str, &str), Option<&EntityId>> = HashMap::new();
    for (at, row) in context.loaded.rows.iter().enumerate() {
        let measurement = row.get();
        let (Some(device), Some(raw)) = (measurement.text(Field::Device), measurement.text(Field::DeviceRaw)) else {
            continue;
        };
        let sku = *seen.entry((device, raw)).or_insert_with(|| {
            let [sku] = names.get(&normalise(raw))?.as_slice() else { return None };
            let members = context.members.iter().find(|(family, _)| family.as_str() == device)?.1;
            members.contains(sku).then_some(*sku)
        });
        if let Some(sku) = sku {
            let message = format!("the source names the SKU, {raw:?}, the row only its family `{device}`");
            found
                .in_row(&IndexedRow { at, row }, "device", message, format!("`{sku}` says more"))
                .help(format!("device = \"{sku}\""));
        }
    }
}

pub(in crate::contribute) const UNKNOWN_REPLACEMENT: Rule = Rule {
    code: Code::new(112),
    title: "a replacement that is not there",
    severity: Severity::Error,
    page: "What `replaced-by` names must be in the knowledge base: the id of a measurement in a row, the id of a source in the entry of a source. Nothing replaces itself.",
    sample: Sample::edited(
        "measurements/imagined-2018/inference.toml",
        r#"precision = "fp32""#,
        "precision = \"fp32\"\nstanding = \"superseded\"\nstanding-reason = \"measured again with a newer driver\"\nreplaced-by = \"imagined-2018:0000000000\"",
    ),
    check: Check::Whole(find_unknown_replacement),
};

fn find_unknown_replacement(context: &LintContext<'_>, found: &mut Findings) {
    let ids: OnceCell<HashSet<&str>> = OnceCell::new();
    for (at, row) in context.loaded.rows.iter().enumerate() {
        let Some(other) = row.get().text(Field::ReplacedBy) else { continue };
        let ids = ids.get_or_init(|| context.loaded.rows.iter().map(|row| row.get().id()).collect());
        let row = IndexedRow { at, row };
        if row.get().id() == other {
            found.in_row(&row, "replaced-by", "the measurement replaces itself", "another one");
        } else if !ids.contains(other) {
            found.in_row(&row, "replaced-by", format!("there is no measurement `{other}`"), "no such measurement");
        }
    }
    for (id, source) in &context.loaded.catalog.sources {
        let replaced = source.standing.as_ref().and_then(|standing| standing.replaced_by.as_ref());
        if let (Some(place), true) = (context.place(EntityKind::Source, id.as_str()), replaced == Some(id)) {
            found.at(place, ["replaced-by".into()], "the source replaces itself", "another one").of(id);
        }
    }
}

pub(in crate::contribute) const UNNAMED_MEMBER: Rule = Rule {
    code: Code::new(321),
    title: "a member that the source does not name",
    severity: Severity::Warning,
    page: "A source that writes \"A100\" does not say whether it was the PCIe board or the module, of 40 GB or of 80 GB. Where the spelling names a family, and neither it nor host, label or setting says what tells the row's member from the others, the member is a guess: name the family, or state the instance or host that tells. Where they say all that tells another member (\"DGX-1 (8x V100 32GB)\" is not a PCIe board and none of 16 GB), the row names the wrong one. So does a row of `dlrm-v3` that the source calls DLRM v2, and one of a pruned network where nothing says that it was pruned. Where the source says it elsewhere, except its rows with the place as the reason.",
    sample: Sample::edited("measurements/imagined-2018/inference.toml", "Acme Nova 100 16GB", "Acme Nova 100"),
    check: Check::Rows(find_unnamed_member),
};

/// Fields that may identify the member, besides the spelling itself.
const TELLING: &[Field] = &[Field::DeviceRaw, Field::Host, Field::Label, Field::Setting];

/// Names of computers whose accelerators are modules, with the prefix of the module's word in member ids.
const MODULES: &[(&str, &str)] = &[("dgx", "sxm"), ("hgx", "sxm"), ("nvlink", "sxm")];

fn find_unnamed_member(context: &LintContext<'_>, found: &mut Findings) {
    find_unnamed_variant(context, found);
    let names = CatalogNames::of(&context.loaded.catalog, EntityKind::Device);
    // Rows of a batch repeat their spellings, so results are cached.
    let mut seen: HashMap<(&str, String), Option<NamedInstead>> = HashMap::new();
    for (at, row) in context.loaded.rows.iter().enumerate() {
        let measurement = row.get();
        let (Some(device), Some(raw)) = (measurement.text(Field::Device), measurement.text(Field::DeviceRaw)) else {
            continue;
        };
        // A person who measures has the device at hand, and an instance has one kind of device.
        if measurement.provenance() == Provenance::Measured || measurement.text(Field::Instance).is_some() {
            continue;
        }
        let key = (device, identifying_text(measurement, TELLING));
        let said = match seen.get(&key) {
            Some(known) => known.clone(),
            None => {
                let said = named_instead(context, &names, device, raw, &key.1);
                seen.insert(key, said.clone());
                said
            }
        };
        let Some(said) = said else { continue };
        let (id, any, label) = match &said {
            NamedInstead::Family(family) => (family, "any ", "does the source say which?"),
            NamedInstead::Member(member) => (member, "", "another member of its family"),
        };
        let message = format!("the source's {raw:?} is {any}`{id}`, the row says `{device}`");
        found
            .in_row(&IndexedRow { at, row }, Field::Device.key(), message, label)
            .beside([Field::DeviceRaw.key().into()], "all that it says")
            .help(format!("device = \"{id}\""));
    }
}

/// What the source states instead of the row's member.
#[derive(Clone)]
enum NamedInstead {
    /// Only the family.
    Family(EntityId),
    /// Everything that identifies another member.
    Member(EntityId),
}

/// The texts by which a row identifies its device or network, joined and normalised.
fn identifying_text(measurement: &Measurement, fields: &[Field]) -> String {
    fields.iter().filter_map(|field| measurement.text(*field)).map(normalise).collect::<Vec<_>>().join(" ")
}

/// Returns the family if the row's texts do not identify any member; another member if the texts contain all its
/// distinguishing words and not all those of the row's member.
fn named_instead(
    context: &LintContext<'_>,
    names: &CatalogNames<'_>,
    device: &str,
    raw: &str,
    told: &str,
) -> Option<NamedInstead> {
    let lineage = context.loaded.catalog.device_lineage(&device.parse().ok()?);
    let (own, families) = lineage.split_first()?;
    let words = distinguishing(own, families);
    let (said, left): (Vec<&str>, Vec<&str>) = words.into_iter().partition(|word| contains_word(word, told));
    if left.is_empty() {
        return None;
    }
    let named: Vec<&str> = names.named_in(raw).into_iter().flat_map(|(_, ids)| ids.iter().copied()).collect();
    let family = families.iter().find(|family| named.contains(&family.as_str()));
    if let Some(family) = family.filter(|_| said.is_empty() && !named.contains(&own.as_str())) {
        return Some(NamedInstead::Family((*family).clone()));
    }
    // A spelling that names another device as a whole is covered by another rule.
    if named.contains(&own.as_str())
        || !raw_names::other_than(context, names, (EntityKind::Device, device), raw).is_empty()
    {
        return None;
    }
    let members = families.iter().filter_map(|family| context.members.get(family)).flatten();
    let is_said = |member: &&EntityId| {
        let families = context.loaded.catalog.device_lineage(member);
        let words = distinguishing(member, &families[1..]);
        !words.is_empty() && words.iter().all(|word| contains_word(word, told))
    };
    let is_member = |member: &&EntityId| !lineage.contains(member) && !context.members.contains_key(*member);
    members
        .copied()
        .find(|member| is_member(member) && is_said(member))
        .map(|member| NamedInstead::Member(member.clone()))
}

/// The words of an id that its families' ids lack. One GPU of a dual-GPU board is a part of it, so `gpu` does not distinguish.
fn distinguishing<'i>(id: &'i EntityId, families: &[EntityId]) -> Vec<&'i str> {
    let of_families: Vec<&str> = families.iter().flat_map(|family| family.as_str().split('-')).collect();
    id.as_str().split('-').filter(|word| *word != "gpu" && !of_families.contains(word)).collect()
}

/// Fields that may identify the variant of a network.
const TELLING_OF_NETWORK: &[Field] = &[Field::NetworkRaw, Field::Label, Field::Setting, Field::Notes];

/// Minimum length of a word that spellings never omit: `pruned`, but not `bn` or `v2`.
const LONG: usize = 5;

fn find_unnamed_variant(context: &LintContext<'_>, found: &mut Findings) {
    let networks = || context.loaded.catalog.networks.keys().map(EntityId::as_str);
    let mut variants: HashMap<&str, Vec<&str>> = HashMap::new();
    for id in networks() {
        for original in originals(context, id) {
            variants.entry(original).or_default().push(id);
        }
    }
    let says = |told: &str, word: &&str| told.contains(&normalise(word));
    // Caches, per spelling, the words of the variant that it omits, and another variant whose words it has completely.
    type Unsaid<'l> = (Vec<&'l str>, Option<&'l str>);
    let mut seen: HashMap<(&str, &str), Unsaid<'_>> = HashMap::new();
    for (at, row) in context.loaded.rows.iter().enumerate() {
        let measurement = row.get();
        let (Some(network), Some(raw)) = (measurement.text(Field::Network), measurement.text(Field::NetworkRaw)) else {
            continue;
        };
        let (left, other) = seen.entry((network, raw)).or_insert_with(|| {
            let raw = normalise(raw);
            let mut left = words_of_variant(context, network);
            left.retain(|word| !says(&raw, word));
            let originals = originals(context, network);
            let siblings = || originals.iter().filter_map(|original| variants.get(original)).flatten();
            let is_said = |other: &&&str| {
                let words = words_of_variant(context, other);
                let is_other = !words.is_empty() && **other != network && !originals.contains(other);
                is_other && words.iter().all(|word| says(&raw, word))
            };
            let other = if left.is_empty() { None } else { siblings().find(is_said).copied() };
            (left, other)
        });
        let is_long = |word: &&&str| word.len() >= LONG && word.bytes().all(|byte| byte.is_ascii_lowercase());
        if other.is_none() && !left.iter().any(|word| is_long(&word)) {
            continue;
        }
        let told = identifying_text(measurement, TELLING_OF_NETWORK);
        let unsaid = || left.iter().filter(|word| !says(&told, word));
        let message = match (other, unsaid().find(is_long)) {
            (Some(other), _) if unsaid().next().is_some() => {
                format!("the source's {raw:?} is `{other}`, the row says `{network}`")
            }
            (None, Some(word)) => format!("the source's {raw:?} says nothing of {word:?}, the row says `{network}`"),
            _ => continue,
        };
        found
            .in_row(&IndexedRow { at, row }, Field::Network.key(), message, "another variant")
            .beside([Field::NetworkRaw.key().into()], "what it says");
    }
}

/// The networks of which this one is a variant, nearest first.
fn originals<'l>(context: &LintContext<'l>, network: &str) -> Vec<&'l str> {
    let variant_of = |id: &str| context.loaded.catalog.networks.get(id)?.variant_of.as_ref().map(EntityId::as_str);
    let mut all = Vec::new();
    let mut next = variant_of(network);
    while let Some(original) = next.filter(|original| !all.contains(original)) {
        all.push(original);
        next = variant_of(original);
    }
    all
}

/// The words of a variant's id that the ids of its originals lack.
fn words_of_variant<'i>(context: &LintContext<'_>, network: &'i str) -> Vec<&'i str> {
    let originals = originals(context, network);
    let of_originals: Vec<&str> = originals.iter().flat_map(|original| original.split('-')).collect();
    network.split('-').filter(|word| !originals.is_empty() && !of_originals.contains(word)).collect()
}

/// Whether the row's texts contain a word of an id: "SXM" matches `sxm4`, "40G" matches `40gb`.
fn contains_word(word: &str, told: &str) -> bool {
    let letters = word.trim_end_matches(|c: char| c.is_ascii_digit());
    let stem = match () {
        () if word.starts_with(|c: char| c.is_ascii_digit()) => word.strip_suffix('b').unwrap_or(word),
        () if letters.len() > 1 => letters,
        () => word,
    };
    told.contains(stem) || MODULES.iter().any(|(computer, module)| *module == stem && told.contains(computer))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_member_that_alone_differs_in_three_facts_has_another_family() {
        let ids: Vec<EntityId> = ["nova-100", "nova-100-16gb", "core-9"].map(|id| id.parse().unwrap()).into();
        let said = |keys: &[&str]| {
            let members = || vec![(&ids[1], "Supernova".to_owned()), (&ids[2], "Dwarf".to_owned())];
            let all = keys
                .iter()
                .map(|key| ((EntityKind::Device, &ids[0], (*key).to_owned()), ("Supernova".to_owned(), members())));
            all.collect::<BTreeMap<_, _>>()
        };
        let three = said(&["architecture", "chip", "vendor"]);
        let told = strangers(&three);
        assert_eq!(told[&(EntityKind::Device, &ids[0])].keys().collect::<Vec<_>>(), [&&ids[2]]);
        let two = said(&["architecture", "chip"]);
        assert!(strangers(&two).values().all(BTreeMap::is_empty));
    }

    #[test]
    fn a_word_of_an_id_is_told_as_people_write_it() {
        for (word, told) in [("sxm4", "nvidiaa100sxm"), ("40gb", "a10040g"), ("sxm5", "dgxh100"), ("v4", "tpuv4")] {
            assert!(contains_word(word, told), "{word} by {told}");
        }
        for (word, told) in [("40gb", "a100"), ("pcie", "a100"), ("v4", "tpuv3"), ("80gb", "dgxa100")] {
            assert!(!contains_word(word, told), "{word} by {told}");
        }
    }
}
