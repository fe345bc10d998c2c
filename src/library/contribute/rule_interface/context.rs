//! What the rules work on: the loaded knowledge base, information from outside its files, and indexes that several rules share.

use std::cmp::Ordering;
use std::collections::{BTreeMap, BTreeSet, HashMap};
use std::path::{Path, PathBuf};
use std::sync::LazyLock;

use rayon::prelude::*;
use serde::{Deserialize, Serialize};
use strum::VariantArray as _;
use xxhash_rust::xxh3::{xxh3_64, xxh3_64_with_seed};

use crate::model::physics::DeviceLimits;
use crate::model::{Catalog, CatalogEntity, Code, Field, Measurement, Value};
use crate::reading::{FileKind, KbFile, Loaded, Located, Step};
use crate::values::text::normalise;
use crate::values::{Date, EntityId, EntityKind, Standing};

/// The loaded knowledge base, the options of the check, and indexes that several rules use.
pub(in crate::contribute) struct LintContext<'l> {
    pub loaded: &'l Loaded,
    pub options: &'l LintOptions,
    /// The SKUs (and sub-families) of each device family.
    pub members: BTreeMap<&'l EntityId, Vec<&'l EntityId>>,
    /// The limits of each device; for a family, those of its best SKU.
    pub limits: HashMap<&'l str, DeviceLimits>,
    /// The outermost family of each device; a device without a family is its own.
    outermost: HashMap<&'l str, EntityId>,
    /// The largest memory in GiB that a device of an outermost family has.
    kin_memory: HashMap<EntityId, f64>,
    /// The compute capability of each device that has one.
    capabilities: HashMap<&'l str, (u32, u32)>,
    /// The task of each network, stated by itself or by its nearest family that has one.
    tasks: HashMap<&'l str, &'l str>,
    /// Each network and its families, nearest first.
    lineages: HashMap<&'l str, Vec<String>>,
    settings: Settings,
}

/// The latest compute capability of NVIDIA's architectures up to Turing (CUDA C++ Programming Guide).
const LATEST_OF: &[(&str, (u32, u32))] =
    &[("Kepler", (3, 7)), ("Maxwell", (5, 3)), ("Pascal", (6, 2)), ("Volta", (7, 2)), ("Turing", (7, 5))];

/// A measurement and its index in [`Loaded::rows`].
pub(in crate::contribute) struct IndexedRow<'l> {
    pub at: usize,
    pub row: &'l Located<Measurement>,
}

impl IndexedRow<'_> {
    pub fn get(&self) -> &Measurement {
        self.row.get()
    }
}

/// An entity and its place in the files.
pub(in crate::contribute) struct LocatedEntity<'l> {
    pub entity: &'l dyn CatalogEntity,
    pub place: &'l Located<()>,
}

impl<'l> LintContext<'l> {
    pub fn new(loaded: &'l Loaded, options: &'l LintOptions) -> Self {
        let mut members: BTreeMap<&EntityId, Vec<&EntityId>> = BTreeMap::new();
        let mut outermost = HashMap::new();
        let mut kin_memory: HashMap<EntityId, f64> = HashMap::new();
        for (id, device) in &loaded.catalog.devices {
            let mut lineage = loaded.catalog.device_lineage(id);
            for family in lineage.iter().skip(1) {
                if let Some((family, _)) = loaded.catalog.devices.get_key_value(family) {
                    members.entry(family).or_default().push(&device.id);
                }
            }
            let Some(last) = lineage.pop() else { continue };
            if let Some(memory) = device.memory_gib.map(|memory| memory.value()) {
                let largest = kin_memory.entry(last.clone()).or_insert(memory);
                *largest = largest.max(memory);
            }
            outermost.insert(id.as_str(), last);
        }
        let limits = loaded.catalog.devices.keys().map(|id| {
            let all = members.get(id).into_iter().flatten().copied().chain([id]);
            (id.as_str(), DeviceLimits::of(all.filter_map(|id| loaded.catalog.devices.get(id))))
        });
        let limits = limits.collect();
        let own = |id: &EntityId| -> Option<(u32, u32)> {
            let device = loaded.catalog.devices.get(id)?;
            let Some(stated) = device.compute_capability.as_deref() else {
                let architecture = device.architecture.as_deref()?;
                return LATEST_OF.iter().find(|(of, _)| *of == architecture).map(|(_, latest)| *latest);
            };
            let (major, minor) = stated.split_once('.')?;
            Some((major.parse().ok()?, minor.parse().ok()?))
        };
        let capabilities = loaded.catalog.devices.keys().filter_map(|id| {
            let of_members = || members.get(id).into_iter().flatten().filter_map(|id| own(id)).max();
            Some((id.as_str(), own(id).or_else(of_members)?))
        });
        let capabilities = capabilities.collect();
        let networks = &loaded.catalog.networks;
        let task = |id: &EntityId| networks.get(id)?.task.as_deref();
        let tasks = networks.keys().filter_map(|id| {
            let of_family = || loaded.catalog.network_lineage(id).iter().find_map(task);
            Some((id.as_str(), task(id).or_else(of_family)?))
        });
        let lineage = |id: &EntityId| loaded.catalog.network_lineage(id).iter().map(ToString::to_string).collect();
        let lineages = networks.keys().map(|id| (id.as_str(), lineage(id))).collect();
        let settings = Settings::of(&loaded.rows);
        let tasks = tasks.collect();
        Self { loaded, options, members, limits, outermost, kin_memory, capabilities, tasks, lineages, settings }
    }

    /// The place of an entity's entry.
    pub fn place(&self, kind: EntityKind, id: &str) -> Option<&'l Located<()>> {
        self.loaded.places.get(&(kind, id.to_owned()))
    }

    /// Whether an entity is in the catalog, even if its file has mistakes or a wrong name.
    pub fn is_listed(&self, kind: EntityKind, id: &str) -> bool {
        let is_own = |file: &KbFile| match &file.kind {
            FileKind::Entity(own, stem) => *own == kind && stem.as_str() == id,
            FileKind::Misplaced(_) => {
                let stem = file.path.file_stem().and_then(|stem| stem.to_str());
                stem.and_then(EntityId::of_name).is_some_and(|own| own.as_str() == id)
            }
            _ => false,
        };
        self.place(kind, id).is_some() || self.loaded.files.iter().any(|(file, _)| is_own(file))
    }

    /// The place of the cloud offer at index `at` of a device, and the path from that place to a key of the offer.
    pub fn offer(&self, device: &EntityId, at: usize, key: &str) -> Option<(&'l Located<()>, Vec<Step>)> {
        match self.loaded.offer_places.get(&(device.clone(), at)) {
            Some(row) => Some((row, vec![key.into()])),
            None => {
                Some((self.place(EntityKind::Device, device.as_str())?, vec!["cloud".into(), at.into(), key.into()]))
            }
        }
    }

    /// Whether the row is still claimed: neither the measurement nor its source is disputed or retracted.
    pub fn is_undisputed(&self, measurement: &Measurement) -> bool {
        let of_source = || Some(self.loaded.catalog.sources.get(measurement.source())?.standing.as_ref()?.standing);
        !matches!(measurement.standing().or_else(of_source), Some(Standing::Disputed | Standing::Retracted))
    }

    /// The compute capability of a device; for a family that states none, the highest of its members.
    pub fn capability(&self, device: &str) -> Option<(u32, u32)> {
        self.capabilities.get(device).copied()
    }

    /// The task of a network.
    pub fn task(&self, network: &str) -> Option<&'l str> {
        self.tasks.get(network).copied()
    }

    /// A network and its families, nearest first; empty if the network is not in the catalog.
    pub fn network_lineage(&self, network: &str) -> &[String] {
        self.lineages.get(network).map_or(&[], Vec::as_slice)
    }

    /// A hash of what a row (its index in [`Loaded::rows`]) shares with other rows, ignoring some fields.
    pub fn setting_but_for(&self, at: usize, but: &[Field]) -> u64 {
        self.settings.but_for(at, self.loaded.rows[at].get(), but)
    }

    /// Whether the network states parameters or multiply-adds. A network with these figures is the same work every
    /// time; a single layer can be of any size.
    pub fn has_figures(&self, measurement: &Measurement) -> bool {
        let network = measurement.text(Field::Network).and_then(|id| self.loaded.catalog.networks.get(id));
        network.is_some_and(|network| network.parameters_m.is_some() || network.multiply_adds_g.is_some())
    }

    /// Whether the network is a complete network, not a single layer, for which libraries choose another algorithm for
    /// every shape.
    pub fn is_whole_network(&self, measurement: &Measurement) -> bool {
        let has_task = || self.task(measurement.text(Field::Network)?);
        self.has_figures(measurement) || has_task().is_some()
    }

    /// Whether two devices are equal, or are members of a common family.
    pub fn is_kin(&self, a: &str, b: &str) -> bool {
        let outermost = |id: &str| self.outermost.get(id);
        a == b || outermost(a).is_some_and(|family| outermost(b) == Some(family))
    }

    /// The largest memory in GiB among the devices of the outermost family of a device.
    pub fn memory_of_kin(&self, device: &str) -> Option<f64> {
        self.kin_memory.get(self.outermost.get(device)?).copied()
    }

    /// All frameworks, devices, networks, data sets and sources.
    pub fn entities(&self) -> impl Iterator<Item = LocatedEntity<'l>> {
        let all = self.loaded.catalog.entities().filter(|entity| entity.kind() != EntityKind::HardwareClass);
        all.filter_map(|entity| Some(LocatedEntity { entity, place: self.place(entity.kind(), entity.id())? }))
    }
}

/// Which rules run, and what is known besides the files.
#[derive(Debug, Clone, Default)]
pub struct LintOptions {
    /// Run only these rules; empty means all.
    pub only: Vec<Code>,
    /// Skip these rules.
    pub skip: Vec<Code>,
    /// Restricts rules on the text of a single file to these files; `None` means all files.
    pub texts: Option<BTreeSet<PathBuf>>,
    /// Whether the whole knowledge base is loaded; only then can a rule know that nothing mentions an entity.
    pub whole: bool,
    /// Today's date, for rules that depend on it; `None` skips those rules.
    pub today: Option<Date>,
    /// Status of the cited URLs; `None` if they were not requested.
    pub link_statuses: Option<LinkStatuses>,
    /// Rows that other sources contradict; `None` if that was not computed.
    pub contradictions: Option<Vec<RowContradiction>>,
}

impl LintOptions {
    /// Whether rules on the text of a single file check this file.
    pub(in crate::contribute) fn looks_at(&self, path: &Path) -> bool {
        self.texts.as_ref().is_none_or(|texts| texts.contains(path))
    }

    /// Whether the findings of a rule are requested.
    pub fn includes(&self, code: Code) -> bool {
        (self.only.is_empty() || self.only.contains(&code)) && !self.skip.contains(&code)
    }
}

/// The result of requesting a URL.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum LinkStatus {
    /// The page exists.
    Answers,
    /// The page has moved permanently to this URL.
    Moved(String),
    /// The server returned an HTTP status other than success.
    HttpError(u16),
    /// No answer, with the reason.
    Unreachable(String),
    /// Not requested, with the reason: the host, or a host it redirects to, is not public.
    NotAsked(String),
}

/// Statuses by URL (without fragment).
pub type LinkStatuses = BTreeMap<String, LinkStatus>;

/// The part of a URL that is requested: a fragment (`#…`) is never sent to the server.
pub fn without_fragment(url: &str) -> &str {
    url.split_once('#').map_or(url, |(url, _)| url)
}

/// A row whose value other rows contradict.
#[derive(Debug, Clone, PartialEq)]
pub struct RowContradiction {
    /// The row's id.
    pub row: String,
    /// The id of another source's row; `None` if the value is far from the prediction for its setting and device.
    pub other: Option<String>,
    /// The key of the metric.
    pub metric: String,
    /// The row's value.
    pub value: f64,
    /// The value of the other row, or the predicted value.
    pub other_value: f64,
    /// The factor between the two values.
    pub factor: f64,
    /// The usual factor between such values.
    pub usual: f64,
    /// The circumstances in which the rows differ, in words.
    pub differs: String,
}

/// A URL in the catalog and its place.
#[derive(Debug, Clone)]
pub struct CitedUrl {
    /// The URL as written.
    pub url: String,
    /// The id of the entity that has it.
    pub id: String,
    /// The place of the entity.
    pub place: Located<()>,
    /// The path from there to the URL.
    pub steps: Vec<Step>,
}

/// All URLs of the catalog, ordered by kind and id: those of the entities and those of their citations. The entities of
/// a collection share its citations.
pub fn cited_urls(loaded: &Loaded) -> Vec<CitedUrl> {
    let mut all = Vec::new();
    for entity in loaded.catalog.entities().filter(|entity| entity.kind() != EntityKind::HardwareClass) {
        let Some(place) = loaded.places.get(&(entity.kind(), entity.id().to_owned())) else { continue };
        let mut add = |url: &str, steps| {
            all.push(CitedUrl { url: url.to_owned(), id: entity.id().to_owned(), place: place.clone(), steps });
        };
        for (key, url) in entity.urls() {
            add(url, vec![key.into()]);
        }
        for (at, citation) in entity.citations().iter().enumerate() {
            if let Some(url) = &citation.url {
                add(url, vec!["sources".into(), at.into(), "url".into()]);
            }
        }
    }
    all
}

/// The entities of one kind, indexed by every normalised name.
pub(in crate::contribute) struct CatalogNames<'l> {
    by_name: HashMap<String, Vec<&'l str>>,
    /// Whether a name without a digit is recognised inside a text.
    in_words: bool,
}

/// Maximum number of words in a name.
const MOST_WORDS: usize = 8;

/// Shorter names are ordinary words in some language.
const SHORTEST: usize = 3;

impl<'l> CatalogNames<'l> {
    pub fn of(catalog: &'l Catalog, kind: EntityKind) -> Self {
        let mut by_name: HashMap<String, Vec<&'l str>> = HashMap::new();
        for entity in catalog.entities().filter(|entity| entity.kind() == kind) {
            for name in [entity.id(), entity.name()].into_iter().chain(entity.aliases().iter().map(String::as_str)) {
                let named = by_name.entry(normalise(name)).or_default();
                if named.last() != Some(&entity.id()) {
                    named.push(entity.id());
                }
            }
        }
        Self { by_name, in_words: kind == EntityKind::Framework }
    }

    /// The entities named in a text, each with its normalised name. Searches from the left for the longest names with a
    /// digit. A name without a digit counts only as the whole text, or if it is a framework's.
    pub fn named_in(&self, text: &str) -> Vec<(String, &[&'l str])> {
        let whole = normalise(text);
        if let Some(ids) = self.by_name.get(&whole) {
            return vec![(whole, ids)];
        }
        let is_sign = |c: char| !(c.is_alphanumeric() || matches!(c, '+' | '#' | '.'));
        let words: Vec<String> = text.split(is_sign).map(normalise).filter(|word| !word.is_empty()).collect();
        let (mut named, mut at) = (Vec::new(), 0);
        while at < words.len() {
            let longest = (at + 1..=words.len().min(at + MOST_WORDS)).rev().find_map(|end| {
                let name = words[at..end].concat();
                let digit = name.contains(|c: char| c.is_ascii_digit());
                let product = name.len() >= SHORTEST && digit || self.in_words && name.len() > SHORTEST;
                Some((end, self.by_name.get(&name).filter(|_| product)?, name))
            });
            match longest {
                Some((end, ids, name)) => {
                    named.push((name, ids.as_slice()));
                    at = end;
                }
                None => at += 1,
            }
        }
        named
    }
}

/// In a setting with many levels, each level is paired with this many following levels.
const PARTNERS: usize = 2;

/// The field in which two rows differ, and the fields that may change with it.
pub(in crate::contribute) type AxisFields = (Field, &'static [Field]);

/// Two rows that differ in one field: their indices into the given rows, and their levels.
pub(in crate::contribute) struct Neighbours {
    pub rows: [usize; 2],
    /// The values of the field as hashes, in the order of `rows`.
    pub levels: [u64; 2],
}

/// Finds the pairs of rows that differ only in the axis and in the fields that change with it. `rows` are indices into
/// the loaded rows, each with a hash of whatever else must be equal.
///
/// Rows are paired with their next values in order: batch sizes 4 and 8, networks that differ in their number.
pub(in crate::contribute) fn neighbours(
    context: &LintContext<'_>,
    rows: &[(usize, u64)],
    (axis, beside): AxisFields,
) -> Vec<Neighbours> {
    let but: Vec<Field> = [axis].into_iter().chain(beside.iter().copied().filter(|field| *field != axis)).collect();
    let place = |(index, (at, kind)): (usize, &(usize, u64))| {
        let setting = context.setting_but_for(*at, &but).wrapping_add(*kind);
        (setting, context.loaded.rows[*at].get().get(axis), index)
    };
    let mut placed: Vec<(u64, Option<&Value>, usize)> = rows.iter().enumerate().map(place).collect();
    placed.sort_unstable_by(|a, b| a.0.cmp(&b.0).then_with(|| in_order(a.1, b.1)).then(a.2.cmp(&b.2)));
    let mut pairs = Vec::new();
    for alike in placed.chunk_by(|a, b| a.0 == b.0).filter(|alike| alike.len() > 1) {
        // Rows with the same level differ in something that is not compared, so they are not paired.
        let levels = alike.chunk_by(|a, b| a.1 == b.1).filter(|same| same.len() == 1);
        let level = |index: usize| level_of(context.loaded.rows[rows[index].0].get(), axis);
        let alone: Vec<_> = levels.map(|same| (level(same[0].2), same[0].2)).collect();
        for (first, (level, a)) in alone.iter().enumerate() {
            let behind = alone.iter().skip(first + 1).take(PARTNERS);
            pairs.extend(behind.map(|(other, b)| Neighbours { rows: [*a, *b], levels: [*level, *other] }));
        }
    }
    pairs
}

/// Orders missing values first, then by number or text.
fn in_order(one: Option<&Value>, other: Option<&Value>) -> Ordering {
    match (one, other) {
        (Some(Value::Text(one)), Some(Value::Text(other))) => one.cmp(other),
        (Some(Value::Count(one)), Some(Value::Count(other))) => one.cmp(other),
        (Some(Value::Number(one)), Some(Value::Number(other))) => one.value().total_cmp(&other.value()),
        (one, other) => one.map(ToString::to_string).cmp(&other.map(ToString::to_string)),
    }
}

/// The setting of each row: a sum of hashes of its source and every identity field, so that any field can be subtracted
/// again.
pub(in crate::contribute) struct Settings(Vec<u64>);

impl Settings {
    /// The settings of rows, in row order.
    pub fn of(rows: &[Located<Measurement>]) -> Self {
        let whole = |row: &Located<Measurement>| {
            let measurement = row.get();
            let source = xxh3_64_with_seed(measurement.source().as_str().as_bytes(), u64::MAX);
            let fields = measurement.fields().iter().filter(|(field, _)| field.is_identity());
            fields.fold(source, |sum, (field, value)| sum.wrapping_add(hash_of(*field, value)))
        };
        Self(rows.par_iter().map(whole).collect())
    }

    /// The setting of a row (its index and the row) without some fields.
    pub fn but_for(&self, at: usize, measurement: &Measurement, but: &[Field]) -> u64 {
        let taken_out = but.iter().filter(|field| field.is_identity());
        taken_out.fold(self.0[at], |sum, field| match measurement.get(*field) {
            Some(value) => sum.wrapping_sub(hash_of(*field, value)),
            None => sum,
        })
    }
}

/// The hash of a field's value; 0 if the row does not state it.
pub(in crate::contribute) fn level_of(measurement: &Measurement, field: Field) -> u64 {
    measurement.get(field).map_or(0, |value| hash_of(field, value))
}

/// The hash of a field's value.
pub(in crate::contribute) fn hash_of(field: Field, value: &Value) -> u64 {
    let seed = seed_of(field);
    match value {
        Value::Text(text) => xxh3_64_with_seed(text.as_bytes(), seed),
        Value::Count(count) => xxh3_64_with_seed(&count.to_le_bytes(), seed),
        other => xxh3_64_with_seed(other.to_string().as_bytes(), seed),
    }
}

/// Separates equal values of different fields. Derived from the field's name, so that field order does not change findings.
fn seed_of(field: Field) -> u64 {
    static SEEDS: LazyLock<Vec<u64>> =
        LazyLock::new(|| Field::VARIANTS.iter().map(|field| xxh3_64(field.key().as_bytes())).collect());
    SEEDS[field as usize]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_value_is_told_by_the_name_of_its_field_and_not_by_its_place() {
        for &field in Field::VARIANTS {
            assert_eq!(seed_of(field), xxh3_64(field.key().as_bytes()), "{field}");
        }
        let text = Value::Text("7".into());
        assert_ne!(hash_of(Field::Network, &text), hash_of(Field::Device, &text));
    }
}
