//! Collects every name that a question can mention, and looks up the names that words stand for.

use std::collections::BTreeSet;

use strum::VariantArray;

use super::slip::is_english;
use crate::model::{Catalog, Facet, Field, Knowledge, Lookup, Metric, Name, NameKind, Part, Parts};
use crate::values::text::normalise;
use crate::values::{
    FrameworkStatus, HardwareClass, Outcome, Precision, Provenance, Scenario, Stage, Standing, Target,
};

/// Names of licences as people use them, without version.
const LICENSE_WORDS: &[(&str, &[&str])] = &[
    ("apache", &["Apache-2.0"]),
    ("apache 2", &["Apache-2.0"]),
    ("bsd", &["BSD-2-Clause", "BSD-3-Clause"]),
    ("gpl", &["GPL-2.0-only", "GPL-3.0-only", "GPL-2.0-or-later", "GPL-3.0-or-later"]),
];

/// Short names of architectures.
const ARCHITECTURE_WORDS: &[(&str, &str)] = &[("ada", "Ada Lovelace")];

/// All names of the knowledge base, sorted and unique.
pub fn collect(knowledge: &Knowledge, parts: &Parts) -> Vec<Name> {
    let mut names = NameCollector::default();
    names.vocabularies();
    names.entities(&knowledge.catalog);
    names.facts(knowledge, parts);
    names.found.into_iter().collect()
}

#[derive(Default)]
struct NameCollector {
    found: BTreeSet<Name>,
}

impl NameCollector {
    fn add(&mut self, facet: Facet, value: &str, spelling: &str, kind: NameKind) {
        let normal = normalise(spelling);
        if !normal.is_empty() {
            self.found.insert(Name { normal, facet, value: value.to_owned(), kind });
        }
    }

    fn word(&mut self, facet: Facet, value: &str, spellings: &[&str]) {
        self.add(facet, value, value, NameKind::Exact);
        for spelling in spellings {
            self.add(facet, value, spelling, NameKind::Alias);
        }
    }

    fn vocabularies(&mut self) {
        for &precision in Precision::VARIANTS {
            self.word(Facet::Precision, precision.into(), precision.spellings());
        }
        for &stage in Stage::VARIANTS {
            self.word(Facet::Stage, stage.into(), stage.spellings());
        }
        for &class in HardwareClass::VARIANTS {
            self.word(Facet::Class, class.into(), &[]);
        }
        for &scenario in Scenario::VARIANTS {
            self.word(Facet::Scenario, scenario.into(), &[]);
        }
        for &status in Provenance::VARIANTS {
            self.word(Facet::Status, status.into(), &[]);
        }
        for &outcome in Outcome::VARIANTS {
            self.word(Facet::Outcome, outcome.into(), &[]);
        }
        for &standing in Standing::VARIANTS {
            self.word(Facet::Standing, standing.into(), &[]);
        }
        for &maturity in FrameworkStatus::VARIANTS {
            self.word(Facet::Maturity, maturity.into(), &[]);
        }
        self.word(Facet::Outcome, Outcome::Oom.into(), &["out of memory"]);
        for &metric in Metric::VARIANTS {
            self.word(Facet::Metric, metric.key(), metric.spellings());
        }
        for &target in Target::VARIANTS {
            // A word that is also a hardware class means the class of the device.
            let is_class = HardwareClass::VARIANTS.iter().any(|c| <&str>::from(*c) == <&str>::from(target));
            if !is_class && target != Target::Tpu {
                self.word(Facet::Hardware, target.into(), &[]);
            }
        }
        for spelling in ["multi-server", "multi-node", "distributed"] {
            self.add(Facet::MultiServer, "yes", spelling, NameKind::Alias);
        }
        for spelling in ["single-server", "single-node"] {
            self.add(Facet::MultiServer, "no", spelling, NameKind::Alias);
        }
    }

    fn entities(&mut self, catalog: &Catalog) {
        for entity in catalog.entities() {
            let facet = Facet::of_entities(entity.kind());
            self.add(facet, entity.id(), entity.id(), NameKind::Exact);
            self.add(facet, entity.id(), entity.name(), NameKind::Exact);
            for alias in entity.aliases() {
                self.add(facet, entity.id(), alias, NameKind::Alias);
            }
            let stem = stem_of(entity.id()).filter(|_| facet == Facet::Network);
            // `vit-base` and `vit-b` find `vit-base-patch16-224`, in addition to a network with exactly this name.
            for stem in stem.into_iter().flat_map(|stem| [Some(stem.to_owned()), by_initial(stem)]).flatten() {
                self.add(facet, entity.id(), &stem, NameKind::Stem);
            }
        }
    }

    fn facts(&mut self, knowledge: &Knowledge, parts: &Parts) {
        let catalog = &knowledge.catalog;
        for framework in catalog.frameworks.values() {
            for license in framework.license_ids() {
                self.add(Facet::License, &license, &license, NameKind::Exact);
                for (spelling, ids) in LICENSE_WORDS {
                    if ids.contains(&license.as_str()) {
                        self.add(Facet::License, &license, spelling, NameKind::Alias);
                    }
                }
            }
            for language in framework.core_languages.iter().chain(&framework.api_languages) {
                self.add(Facet::Language, language, language, NameKind::Exact);
            }
        }
        for device in catalog.devices.values() {
            if let Some(vendor) = &device.vendor {
                self.add(Facet::Vendor, vendor, vendor, NameKind::Exact);
            }
            if let Some(architecture) = &device.architecture {
                for name in device.architectures() {
                    self.add(Facet::Architecture, name, name, NameKind::Exact);
                }
                for (short, _) in ARCHITECTURE_WORDS.iter().filter(|(_, name)| name == architecture) {
                    self.add(Facet::Architecture, architecture, short, NameKind::Alias);
                }
            }
            for offer in &device.cloud {
                self.add(Facet::Instance, &offer.instance, &offer.instance, NameKind::Exact);
            }
        }
        let tasks = catalog.networks.values().filter_map(|network| network.task.as_deref());
        for task in tasks.chain(catalog.datasets.values().filter_map(|dataset| dataset.task.as_deref())) {
            self.add(Facet::Task, task, task, NameKind::Exact);
            // `translation`: machine translation, `detection`: of objects or keypoints. `learning` fits all, `counting` is a verb.
            let is_telling = |kind: &str| {
                kind.len() > 3 && kind.starts_with(char::is_alphabetic) && !["learning", "counting"].contains(&kind)
            };
            let kind = task.rsplit_once('-').filter(|(_, kind)| is_telling(kind));
            if let Some((_, kind)) = kind {
                self.add(Facet::Task, task, kind, NameKind::Alias);
            }
        }
        for year in catalog.sources.values().filter_map(|source| source.year) {
            self.add(Facet::Year, &year.to_string(), &year.to_string(), NameKind::Exact);
        }
        for setup in parts.shares(Part::Setup) {
            if let Some(year) = setup.text(Field::Date).and_then(|date| date.get(..4)) {
                self.add(Facet::Year, year, year, NameKind::Exact);
            }
            if let Some(instance) = setup.text(Field::Instance) {
                self.add(Facet::Instance, instance, instance, NameKind::Exact);
            }
        }
    }
}

/// Details that distinguish devices of one name in a spelling.
#[derive(Debug, Clone, PartialEq)]
pub struct Member {
    /// The device's id.
    pub id: String,
    /// The vendor.
    pub vendor: Option<String>,
    /// Memory, GiB.
    pub memory_gib: Option<f64>,
    /// `SXM2`, `PCIe` …
    pub form_factor: Option<String>,
}

/// A device of a cloud instance.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Offered {
    /// The device's id.
    pub device: String,
    /// Number of these devices per instance; `None` if not known.
    pub count: Option<u32>,
}

/// Look-up of devices, members of families, and cloud instances.
pub trait Families: Lookup {
    /// The device itself; `None` when there is none.
    fn device(&self, id: &str) -> Result<Option<Member>, Self::Error>;

    /// All devices below this one, without itself; empty if it is not a family.
    fn members(&self, id: &str) -> Result<Vec<Member>, Self::Error>;

    /// The devices of a cloud instance, by its normalised name; empty if the catalog does not have it.
    fn offers(&self, instance: &str) -> Result<Vec<Offered>, Self::Error>;
}

/// A network's id without patch, window and input size: `swin-tiny` of `swin-tiny-patch4-window7-224`.
fn stem_of(id: &str) -> Option<&str> {
    let (stem, rest) = id.split_once("-patch")?;
    let is_size = |part: &str| part.trim_start_matches("window").bytes().all(|byte| byte.is_ascii_digit());
    rest.split('-').all(is_size).then_some(stem)
}

/// A stem with the initial of its size, as papers write it: `vit-l` for `vit-large`.
fn by_initial(stem: &str) -> Option<String> {
    let (family, size) = stem.rsplit_once('-')?;
    let is_written_so = ["vit", "swin", "deit"].contains(&family);
    (is_written_so && ["tiny", "small", "base", "large", "huge"].contains(&size))
        .then(|| format!("{family}-{}", &size[..1]))
}

/// Series names that people omit before a number: `2080 super max-q`.
const SERIES: &[&str] = &["rtx", "gtx", "rx"];

/// Words for portable devices that people put before the number.
const FORMS: &[&str] = &["laptop", "notebook"];

/// Whether a word for portable devices precedes a number of four digits: `laptop 3070`.
fn is_form_with_number(form: &str, number: &str) -> bool {
    let number = number.trim_end_matches(['?', ',', '.', '!']);
    let is_number = number.len() == 4 && number.bytes().all(|byte| byte.is_ascii_digit());
    is_number && FORMS.contains(&form.to_lowercase().as_str())
}

/// The names that all of these words together stand for: as written, with an omitted series added, in reverse order
/// (`orin agx`), or without the plural (`TPUs`).
///
/// # Errors
///
/// When the lookup fails.
pub fn look_up_words<L: Lookup>(words: &[&str], names: &L) -> Result<Vec<Name>, L::Error> {
    let joined = words.concat();
    if joined.len() > 100 {
        return Ok(Vec::new());
    }
    let normal = normalise(&joined);
    let mut exact = names.exact(&normal)?;
    exact.retain(|name| keeps_point(&joined, &name.value));
    if !exact.is_empty() || normal.is_empty() {
        return Ok(exact);
    }
    let of_devices = |mut found: Vec<Name>| {
        found.retain(|name| name.facet == Facet::Device);
        found
    };
    // `Groq's LPU`
    if let [owner, rest @ ..] = words
        && let (Some(owner), false) = (owner.strip_suffix("'s"), rest.is_empty())
    {
        return look_up_words(&[&[owner], rest].concat(), names);
    }
    let is_number = normal.len() == 4 && normal.bytes().all(|byte| byte.is_ascii_digit());
    if (words.len() > 1 || is_number) && normal.starts_with(|c: char| c.is_ascii_digit()) {
        for series in SERIES {
            let found = of_devices(names.exact(&format!("{series}{normal}"))?);
            if !found.is_empty() {
                return Ok(found);
            }
        }
    }
    // `laptop 3070`, `laptop RTX 3070`
    if let [form, series @ .., number] = words
        && series.iter().all(|series| SERIES.contains(&series.to_lowercase().as_str()))
        && is_form_with_number(form, number)
    {
        return Ok(of_devices(look_up_words(&[series, &[*number, *form]].concat(), names)?));
    }
    if let [first, second] = words {
        let turned = || names.exact(&normalise(&[*second, *first].concat()));
        let found = match first.chars().chain(second.chars()).all(char::is_alphabetic) {
            true => of_devices(turned()?),
            false => of_networks(first, second, turned)?,
        };
        if !found.is_empty() {
            return Ok(found);
        }
    }
    let found = of_version(words, &normal, names)?;
    if !found.is_empty() {
        return Ok(found);
    }
    // The `s` of `yolov5 n s m` is a size, not a plural.
    if words.len() > 1 && words.last().is_some_and(|last| last.eq_ignore_ascii_case("s")) {
        return Ok(Vec::new());
    }
    // `V100S` is a different product than several `V100s`.
    let last = words.last().copied().unwrap_or_default().trim_end_matches(|c: char| !c.is_alphanumeric());
    let is_plural = last.ends_with('s') && normal.len() > 2 && !is_english(&last.to_lowercase());
    match normal.strip_suffix('s').filter(|_| is_plural) {
        Some(singular) => Ok(of_things(names.exact(singular)?)),
        None => Ok(Vec::new()),
    }
}

/// The networks whose version is written without its `v`: `yolo4tiny`, `yolo8n`. A number as a separate word may be a count:
/// `mobilenet 2 gpus`.
fn of_version<L: Lookup>(words: &[&str], normal: &str, names: &L) -> Result<Vec<Name>, L::Error> {
    const LEAST_LETTERS: usize = 3;
    let is_count = words.len() > 1 && words.last().is_some_and(|last| last.bytes().all(|byte| byte.is_ascii_digit()));
    let letters = normal.bytes().take_while(u8::is_ascii_lowercase).count();
    let digits = normal[letters..].bytes().take_while(u8::is_ascii_digit).count();
    if is_count || letters < LEAST_LETTERS || !(1..=2).contains(&digits) || normal[..letters].ends_with('v') {
        return Ok(Vec::new());
    }
    let mut found = names.exact(&format!("{}v{}", &normal[..letters], &normal[letters..]))?;
    found.retain(|name| name.facet == Facet::Network);
    Ok(found)
}

/// The networks whose name has the two words in reverse order: `u-net 3d`, `v2 mobilenet`. Bare numbers are counts.
fn of_networks<E>(first: &str, second: &str, turned: impl Fn() -> Result<Vec<Name>, E>) -> Result<Vec<Name>, E> {
    let says_which = |word: &str| {
        let digits = word.chars().filter(char::is_ascii_digit).count();
        (1..=2).contains(&digits) && word.chars().any(char::is_alphabetic) && word.len() < 4
    };
    let is_name = |word: &str| word.len() > 2 && word.chars().all(|c| c.is_alphabetic() || c == '-');
    let one_of_each = says_which(second) && is_name(first) || says_which(first) && is_name(second);
    if !one_of_each {
        return Ok(Vec::new());
    }
    let mut found = turned()?;
    found.retain(|name| name.facet == Facet::Network);
    Ok(found)
}

/// Keeps the names of things that can be counted.
fn of_things(mut found: Vec<Name>) -> Vec<Name> {
    let facets = [Facet::Device, Facet::Class, Facet::Network, Facet::Framework, Facet::Dataset];
    found.retain(|name| facets.contains(&name.facet));
    found
}

/// Whether a value keeps the decimal points of a text, if it has the digits around them: OPT 1.3B is not `opt-13b`.
fn keeps_point(text: &str, value: &str) -> bool {
    let is_digit = |c: Option<char>| c.is_some_and(|c| c.is_ascii_digit());
    let mut points = text.match_indices('.').map(|(at, _)| text.split_at(at));
    points.all(|(whole, part)| {
        let (whole, part) = (whole.chars().next_back(), part.chars().nth(1));
        let joined: String = [whole, part].into_iter().flatten().collect();
        !is_digit(whole) || !is_digit(part) || !value.contains(&joined)
    })
}
