//! The knowledge base as the rules see it: what was loaded, what is known beside the files, and what several rules compute from it.

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

/// The loaded knowledge base, the options of the check, and what several rules compute from them.
pub(in crate::contribute) struct LintContext<'l> {
    pub loaded: &'l Loaded,
    pub options: &'l LintOptions,
    /// The SKUs (and sub-families) of each device family.
    pub members: BTreeMap<&'l EntityId, Vec<&'l EntityId>>,
    /// What each device can do at most; of a family what its best SKU can.
    pub limits: HashMap<&'l str, DeviceLimits>,
    /// The compute capability of each device that has one.
    capabilities: HashMap<&'l str, (u32, u32)>,
    /// What each network is for, as it or the nearest of its families says.
    tasks: HashMap<&'l str, &'l str>,
    /// Each network with its families, nearest first.
    lineages: HashMap<&'l str, Vec<String>>,
    settings: Settings,
}

/// The latest compute capability of NVIDIA's architectures before matrix units for all formats: the CUDA C++ Programming
/// Guide.
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

/// An entity and its place.
pub(in crate::contribute) struct LocatedEntity<'l> {
    pub entity: &'l dyn CatalogEntity,
    pub place: &'l Located<()>,
}

impl<'l> LintContext<'l> {
    pub fn new(loaded: &'l Loaded, options: &'l LintOptions) -> Self {
        let mut members: BTreeMap<&EntityId, Vec<&EntityId>> = BTreeMap::new();
        for (id, device) in &loaded.catalog.devices {
            for family in loaded.catalog.device_lineage(id).into_iter().skip(1) {
                if let Some((family, _)) = loaded.catalog.devices.get_key_value(&family) {
                    members.entry(family).or_default().push(&device.id);
                }
            }
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
        Self { loaded, options, members, limits, capabilities, tasks: tasks.collect(), lineages, settings }
    }

    /// Where an entity stands.
    pub fn place(&self, kind: EntityKind, id: &str) -> Option<&'l Located<()>> {
        self.loaded.places.get(&(kind, id.to_owned()))
    }

    /// Whether an entity is in the catalog, be it in a file with mistakes or with a wrong name.
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

    /// The place of an offer, by its place among those of a device, and the steps from there to a key of it.
    pub fn offer(&self, device: &EntityId, at: usize, key: &str) -> Option<(&'l Located<()>, Vec<Step>)> {
        match self.loaded.offer_places.get(&(device.clone(), at)) {
            Some(row) => Some((row, vec![key.into()])),
            None => {
                Some((self.place(EntityKind::Device, device.as_str())?, vec!["cloud".into(), at.into(), key.into()]))
            }
        }
    }

    /// Whether somebody still says so: neither the measurement nor its source is disputed or retracted.
    pub fn is_claimed(&self, measurement: &Measurement) -> bool {
        let of_source = || Some(self.loaded.catalog.sources.get(measurement.source())?.standing.as_ref()?.standing);
        !matches!(measurement.standing().or_else(of_source), Some(Standing::Disputed | Standing::Retracted))
    }

    /// The compute capability of a device; of a family that states none the highest of its members.
    pub fn capability(&self, device: &str) -> Option<(u32, u32)> {
        self.capabilities.get(device).copied()
    }

    /// What a network is for.
    pub fn task(&self, network: &str) -> Option<&'l str> {
        self.tasks.get(network).copied()
    }

    /// A network and its families, nearest first; nothing where the catalog does not have it.
    pub fn network_lineage(&self, network: &str) -> &[String] {
        self.lineages.get(network).map_or(&[], Vec::as_slice)
    }

    /// What a row (its index in [`Loaded::rows`]) has in common with others but for some fields, as a hash.
    pub fn setting_but_for(&self, at: usize, but: &[Field]) -> u64 {
        self.settings.but_for(at, self.loaded.rows[at].get(), but)
    }

    /// Whether the network has parameters or multiply-adds: a single layer is of any size, what has figures is the same
    /// work every time.
    pub fn has_figures(&self, measurement: &Measurement) -> bool {
        let network = measurement.text(Field::Network).and_then(|id| self.loaded.catalog.networks.get(id));
        network.is_some_and(|network| network.parameters_m.is_some() || network.multiply_adds_g.is_some())
    }

    /// Whether the network is one that somebody uses, and no single layer: of that the library chooses another algorithm for
    /// every shape.
    pub fn is_whole_network(&self, measurement: &Measurement) -> bool {
        let has_task = || self.task(measurement.text(Field::Network)?);
        self.has_figures(measurement) || has_task().is_some()
    }

    /// Whether two devices are one, or one is in the other's family, or both are in one.
    pub fn is_kin(&self, a: &str, b: &str) -> bool {
        let lineage = |id: &str| id.parse().map(|id| self.loaded.catalog.device_lineage(&id)).unwrap_or_default();
        let of_b = lineage(b);
        a == b || lineage(a).iter().any(|own| of_b.contains(own))
    }

    /// All frameworks, devices, networks, data sets and sources.
    pub fn entities(&self) -> impl Iterator<Item = LocatedEntity<'l>> {
        let all = self.loaded.catalog.entities().filter(|entity| entity.kind() != EntityKind::HardwareClass);
        all.filter_map(|entity| Some(LocatedEntity { entity, place: self.place(entity.kind(), entity.id())? }))
    }
}

/// Which rules run, and with what is known beside the files.
#[derive(Debug, Clone, Default)]
pub struct LintOptions {
    /// Only these rules; empty means all.
    pub only: Vec<Code>,
    /// Not these rules.
    pub skip: Vec<Code>,
    /// Rules that look at the text of one file alone look at these files only; `None` means at all.
    pub texts: Option<BTreeSet<PathBuf>>,
    /// Whether the whole knowledge base is loaded: only then is it known that nothing mentions an entity.
    pub whole: bool,
    /// Today, for rules that depend on it; `None` leaves them out.
    pub today: Option<Date>,
    /// What the servers of cited URLs answered; `None` when they were not asked.
    pub link_statuses: Option<LinkStatuses>,
    /// Which rows other sources contradict; `None` when that was not asked.
    pub contradictions: Option<Vec<RowContradiction>>,
}

impl LintOptions {
    /// Whether rules that look at the text of one file alone look at this one.
    pub(in crate::contribute) fn looks_at(&self, path: &Path) -> bool {
        self.texts.as_ref().is_none_or(|texts| texts.contains(path))
    }

    /// Whether findings of a rule are wanted.
    pub fn includes(&self, code: Code) -> bool {
        (self.only.is_empty() || self.only.contains(&code)) && !self.skip.contains(&code)
    }
}

/// What a server answers for a URL.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum LinkStatus {
    /// The page is there.
    Answers,
    /// It has moved permanently, to this URL.
    Moved(String),
    /// An HTTP status that is no success.
    HttpError(u16),
    /// No answer, and why.
    Unreachable(String),
    /// Nobody was asked, and why: it, or what it leads to, is not public.
    NotAsked(String),
}

/// Statuses by URL without its fragment.
pub type LinkStatuses = BTreeMap<String, LinkStatus>;

/// The URL that is requested: a fragment (`#…`) is never sent to the server.
pub fn without_fragment(url: &str) -> &str {
    url.split_once('#').map_or(url, |(url, _)| url)
}

/// A row whose value others contradict.
#[derive(Debug, Clone, PartialEq)]
pub struct RowContradiction {
    /// The row's id.
    pub row: String,
    /// The id of another source's row; `None` where the value is far from what its setting and its device predict.
    pub other: Option<String>,
    /// The key of the metric.
    pub metric: String,
    /// The row's value.
    pub value: f64,
    /// That of the other row, or what is predicted.
    pub other_value: f64,
    /// How many times apart they are.
    pub factor: f64,
    /// How many times would be usual.
    pub usual: f64,
    /// In which circumstances the rows differ, in words.
    pub differs: String,
}

/// A URL and its place.
#[derive(Debug, Clone)]
pub struct CitedUrl {
    /// As it is written.
    pub url: String,
    /// The id of the entity that it belongs to.
    pub id: String,
    /// The place of the entity.
    pub place: Located<()>,
    /// The keys from there to the URL.
    pub steps: Vec<Step>,
}

/// All URLs, in the order of kinds and ids. The citations of an entity with a file of its own; those of a collection are
/// its rows' together.
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

/// The entities of one kind by every name, normalised.
pub(in crate::contribute) struct CatalogNames<'l> {
    by_name: HashMap<String, Vec<&'l str>>,
    /// Whether a name counts inside a text without a digit.
    in_words: bool,
}

/// Words of the longest name.
const MOST_WORDS: usize = 8;

/// Shorter names are words of any language.
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

    /// The entities that a text names, each with its normalised name: the longest names with a digit, from the left. A name
    /// without a digit counts only where it is the whole text, or a framework's.
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

/// Of a setting with many levels each is compared with so many behind it.
const PARTNERS: usize = 2;

/// What two rows may differ in: the field, and those that go with it.
pub(in crate::contribute) type AxisFields = (Field, &'static [Field]);

/// Two rows that differ in one field, by their indices among those that were asked about, and what they differ by.
pub(in crate::contribute) struct Neighbours {
    pub rows: [usize; 2],
    /// The values of the field, as numbers that distinguishes them; that of the first row first.
    pub levels: [u64; 2],
}

/// The pairs of rows that differ in the axis and in nothing but what goes with it. `rows` are indices in the loaded rows,
/// each with a number for what else they must have in common.
///
/// Partners are those whose values are next in order: batches of 4 and 8, networks of one name and another number.
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
        // Rows of one level differ in what is not compared: they are nobody's neighbours.
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

/// What is not stated first, then by number or by text.
fn in_order(one: Option<&Value>, other: Option<&Value>) -> Ordering {
    match (one, other) {
        (Some(Value::Text(one)), Some(Value::Text(other))) => one.cmp(other),
        (Some(Value::Count(one)), Some(Value::Count(other))) => one.cmp(other),
        (Some(Value::Number(one)), Some(Value::Number(other))) => one.value().total_cmp(&other.value()),
        (one, other) => one.map(ToString::to_string).cmp(&other.map(ToString::to_string)),
    }
}

/// The setting of each row: its source and every field that distinguishes measurements, as a sum of hashes, so that any of
/// the fields can be taken out again.
pub(in crate::contribute) struct Settings(Vec<u64>);

impl Settings {
    /// The settings of rows, in their order.
    pub fn of(rows: &[Located<Measurement>]) -> Self {
        let whole = |row: &Located<Measurement>| {
            let measurement = row.get();
            let source = xxh3_64_with_seed(measurement.source().as_str().as_bytes(), u64::MAX);
            let fields = measurement.fields().iter().filter(|(field, _)| field.is_identity());
            fields.fold(source, |sum, (field, value)| sum.wrapping_add(hash_of(*field, value)))
        };
        Self(rows.par_iter().map(whole).collect())
    }

    /// The setting of a row (its index, and itself) but for some fields.
    pub fn but_for(&self, at: usize, measurement: &Measurement, but: &[Field]) -> u64 {
        let taken_out = but.iter().filter(|field| field.is_identity());
        taken_out.fold(self.0[at], |sum, field| match measurement.get(*field) {
            Some(value) => sum.wrapping_sub(hash_of(*field, value)),
            None => sum,
        })
    }
}

/// The value of a field as a number; 0 where it is not stated.
pub(in crate::contribute) fn level_of(measurement: &Measurement, field: Field) -> u64 {
    measurement.get(field).map_or(0, |value| hash_of(field, value))
}

/// The value of a field as a number.
pub(in crate::contribute) fn hash_of(field: Field, value: &Value) -> u64 {
    let seed = seed_of(field);
    match value {
        Value::Text(text) => xxh3_64_with_seed(text.as_bytes(), seed),
        Value::Count(count) => xxh3_64_with_seed(&count.to_le_bytes(), seed),
        other => xxh3_64_with_seed(other.to_string().as_bytes(), seed),
    }
}

/// What tells equal values of different fields apart: made of the field's name, so that no finding hangs on its place in the table.
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
