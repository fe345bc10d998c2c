//! The files in `catalog/`: the keys of each kind.

use std::collections::BTreeMap;

use strum::VariantArray as _;
use toml::de::DeValue;

use super::evidence_files;
use super::evidence_files::EvidenceFile;
use super::files::FileKind;
use super::strict::{StrictTable, UNKNOWN_IS_LEFT_OUT};
use crate::model::{
    Catalog, Citation, Claim, CloudOffer, Dataset, Device, Diagnostic, Framework, GradeRecord, HardwareClassRecord,
    KbInfo, LeftOutRows, Method, MetricDefinition, Network, NumberFormat, Publication, ReportedFramework, Source,
    Standing, Unasked, Value,
};
use crate::reading::findings;
use crate::reading::findings::ValueKind;
use crate::reading::strict::unknown_key;
use crate::reading::strict::{decimal, integer};
use crate::values::text::{is_placeholder, normalise};
use crate::values::{Date, Decimal, EntityId, EntityKind, Grade, HardwareClass};

/// An entry of one catalog file.
#[derive(Debug, Clone)]
pub(super) enum CatalogEntry {
    Framework(Framework),
    Device(Device),
    Network(Network),
    Dataset(Dataset),
    Source(Source),
    HardwareClass(HardwareClassRecord),
    /// An offer for a device that is defined in another file.
    Offer(EntityId, CloudOffer),
    HardwareMetrics(Vec<MetricDefinition>),
    FrameworkMetrics(Vec<MetricDefinition>),
    Principles(Vec<MetricDefinition>),
    Evidence(EvidenceFile),
    Claims(Vec<Claim>),
}

impl CatalogEntry {
    /// The key under which a second entry would replace this one; `None` for offers and for lists, which have one file each.
    pub fn key(&self) -> Option<(EntityKind, String)> {
        Some(match self {
            Self::Framework(entry) => (EntityKind::Framework, entry.id.to_string()),
            Self::Device(entry) => (EntityKind::Device, entry.id.to_string()),
            Self::Network(entry) => (EntityKind::Network, entry.id.to_string()),
            Self::Dataset(entry) => (EntityKind::Dataset, entry.id.to_string()),
            Self::Source(entry) => (EntityKind::Source, entry.id.to_string()),
            Self::HardwareClass(entry) => (EntityKind::HardwareClass, entry.id.to_string()),
            Self::Offer(..)
            | Self::HardwareMetrics(_)
            | Self::FrameworkMetrics(_)
            | Self::Principles(_)
            | Self::Evidence(_)
            | Self::Claims(_) => return None,
        })
    }

    /// Whether the entry extends another one, which must be inserted first.
    pub fn is_addition(&self) -> bool {
        matches!(self, Self::Offer(..))
    }

    /// Inserts the entry into the catalog.
    pub fn insert_into(self, catalog: &mut Catalog) {
        match self {
            Self::Framework(entry) => drop(catalog.frameworks.insert(entry.id.clone(), entry)),
            Self::Device(entry) => drop(catalog.devices.insert(entry.id.clone(), entry)),
            Self::Network(entry) => drop(catalog.networks.insert(entry.id.clone(), entry)),
            Self::Dataset(entry) => drop(catalog.datasets.insert(entry.id.clone(), entry)),
            Self::Source(entry) => drop(catalog.sources.insert(entry.id.clone(), entry)),
            Self::HardwareClass(entry) => drop(catalog.hardware_classes.insert(entry.id, entry)),
            Self::Offer(device, offer) => {
                // A missing device is reported elsewhere.
                if let Some(device) = catalog.devices.get_mut(&device) {
                    device.cloud.push(offer);
                }
            }
            Self::HardwareMetrics(entries) => catalog.hardware_metrics = entries,
            Self::FrameworkMetrics(entries) => catalog.framework_metrics = entries,
            Self::Principles(entries) => catalog.principles = entries,
            Self::Evidence(file) => {
                catalog.evidence = file.definitions;
                catalog.contradiction = file.contradiction;
            }
            Self::Claims(entries) => catalog.claims = entries,
        }
    }
}

/// Reads a catalog file of this kind; `None` when it is too broken to be an entry.
pub(super) fn read_entry(kind: &FileKind, table: StrictTable<'_, '_>) -> Option<CatalogEntry> {
    match kind {
        FileKind::HardwareMetrics => Some(CatalogEntry::HardwareMetrics(definitions(table, "metric"))),
        FileKind::FrameworkMetrics => Some(CatalogEntry::FrameworkMetrics(definitions(table, "metric"))),
        FileKind::Principles => Some(CatalogEntry::Principles(definitions(table, "principle"))),
        FileKind::Evidence => Some(CatalogEntry::Evidence(evidence_files::definitions(table))),
        FileKind::Claims => Some(CatalogEntry::Claims(evidence_files::claims(table))),
        FileKind::Entity(kind, id) => match kind {
            EntityKind::Framework => framework(id, table).map(CatalogEntry::Framework),
            EntityKind::Device => device(id, table).map(CatalogEntry::Device),
            EntityKind::Network => network(id, table).map(CatalogEntry::Network),
            EntityKind::Dataset => dataset(id, table).map(CatalogEntry::Dataset),
            EntityKind::Source => source(id, table).map(CatalogEntry::Source),
            EntityKind::HardwareClass => hardware_class(id, table).map(CatalogEntry::HardwareClass),
        },
        FileKind::Info
        | FileKind::Collection
        | FileKind::Recipe
        | FileKind::Suite(_)
        | FileKind::Measurements(_)
        | FileKind::Misplaced(_) => None,
    }
}

/// Reads the exceptions of an entity, and returns its citations.
fn entity_citations(t: &mut StrictTable<'_, '_>) -> Vec<Citation> {
    t.exceptions();
    t.citations()
}

fn dataset(id: &EntityId, mut t: StrictTable<'_, '_>) -> Option<Dataset> {
    let entry = Dataset {
        id: id.clone(),
        name: t.required_text("name").unwrap_or_default(),
        aliases: t.texts("aliases"),
        task: t.text("task"),
        classes: t.count("classes"),
        train_size: t.count("train-size"),
        test_size: t.count("test-size"),
        input_shape: t.parsed("input-shape"),
        license: t.text("license"),
        homepage: t.text("homepage"),
        notes: t.text("notes"),
        sources: entity_citations(&mut t),
    };
    t.finish();
    Some(entry)
}

/// An ordered list of definitions: `[[metric]]` or `[[principle]]`.
fn definitions(mut t: StrictTable<'_, '_>, key: &'static str) -> Vec<MetricDefinition> {
    let read = t.each(key, |mut item| {
        item.require("id");
        let id = item.parsed("id");
        let name = item.required_text("name");
        let definition = item.required_text("definition");
        let (better, notes) = (item.word("better"), item.text("notes"));
        item.finish();
        Some(MetricDefinition { better, notes, id: id?, name: name?, definition: definition? })
    });
    entity_citations(&mut t);
    t.text("notes");
    t.finish();
    read
}

fn hardware_class(id: &EntityId, mut t: StrictTable<'_, '_>) -> Option<HardwareClassRecord> {
    let class: Option<HardwareClass> = id.as_str().parse().ok();
    if class.is_none() {
        t.report(
            findings::MISPLACED,
            0..0,
            format!("there is no hardware class `{id}`"),
            "the classes are gpu, fpga, asic and cpu",
        );
    }
    let name = t.required_text("name");
    let (aliases, description, notes) = (t.texts("aliases"), t.text("description"), t.text("notes"));
    let sources = entity_citations(&mut t);
    let grades = t.each_key("grades", |mut grade| {
        grade.require("grade");
        grade.require("source");
        let (word, rationale) = (grade.word("grade").unwrap_or(Grade::Moderate), grade.text("rationale"));
        let (source, notes) = (grade.id("source", EntityKind::Source), grade.text("notes"));
        grade.finish();
        Some(GradeRecord { grade: word, rationale, source: source?, notes })
    });
    let reported = t
        .each_by_id("reported", EntityKind::Source, |mut survey| {
            let mut printed = BTreeMap::new();
            for (metric, span, value) in survey.entries("grades") {
                match (metric.parse(), value.get_ref()) {
                    (Ok(metric), DeValue::String(grade)) => drop(printed.insert(metric, grade.to_string())),
                    (Err(_), _) => {
                        let label = "expected an id of hardware-metrics.toml";
                        survey.report(findings::WRONG_VALUE, span, "no metric id", label);
                    }
                    (Ok(_), _) => drop(survey.expected::<()>(metric, value, "the grade as printed, in quotes")),
                }
            }
            survey.finish();
            printed
        })
        .into_iter()
        .collect();
    let entry = HardwareClassRecord {
        id: class?,
        name: name.unwrap_or_default(),
        aliases,
        description,
        notes,
        sources,
        grades,
        reported,
    };
    t.finish();
    Some(entry)
}

/// The version of the file format that this program reads.
const SCHEMA: i64 = 1;

/// Reads `catalog/kb.toml`.
pub(in crate::reading) fn read_info(mut t: StrictTable<'_, '_>) -> Option<KbInfo> {
    let name = t.required_text("name");
    t.require("schema");
    let schema = t.count("schema");
    if let (Some(found), Some(value)) = (schema, t.value("schema"))
        && found > SCHEMA
    {
        t.report(
            findings::LATER_SCHEMA,
            value.span(),
            format!("the knowledge base has schema {found}, this dlbench reads {SCHEMA}"),
            "update dlbench",
        );
    }
    // The oldest program version that can read these files: for people, and for older versions of this program.
    t.text("oldest-reader");
    let license = t.required_text("license");
    let url = t.text("url");
    let notes = t.text("notes");
    let unasked = t.each("unasked", unasked);
    t.finish();
    Some(KbInfo { name: name?, schema: schema?, license: license?, url, notes, unasked })
}

/// Reads an address that `check --online` skips.
fn unasked(mut t: StrictTable<'_, '_>) -> Option<Unasked> {
    let address = t.required_text("address");
    let reason = t.required_text("reason");
    t.finish();
    Some(Unasked { address: address?, reason: reason? })
}

/// Reads a network.
pub(in crate::reading) fn network(id: &EntityId, mut t: StrictTable<'_, '_>) -> Option<Network> {
    let entry = Network {
        id: id.clone(),
        name: t.required_text("name").unwrap_or_default(),
        aliases: t.texts("aliases"),
        family: t.id("family", EntityKind::Network),
        variant_of: t.id("variant-of", EntityKind::Network),
        differs_in: t.text("differs-in"),
        task: t.text("task"),
        input_shape: t.parsed("input-shape"),
        parameters_m: t.decimal("parameters-m"),
        active_parameters_m: t.decimal("active-parameters-m"),
        multiply_adds_g: t.decimal("multiply-adds-g"),
        paper: t.text("paper"),
        year: t.year("year"),
        notes: t.text("notes"),
        sources: entity_citations(&mut t),
    };
    t.finish();
    Some(entry)
}

fn source(id: &EntityId, mut t: StrictTable<'_, '_>) -> Option<Source> {
    let entry = Source {
        id: id.clone(),
        name: t.required_text("name").unwrap_or_default(),
        aliases: t.texts("aliases"),
        entry_type: t.required_text("type").unwrap_or_default(),
        authors: t.texts("authors"),
        year: t.year("year"),
        venue: t.text("venue"),
        url: t.text("url"),
        doi: t.text("doi"),
        published: t.one("published", published).flatten(),
        commit: t.text("commit"),
        commit_date: t.date("commit-date"),
        dated: dated(&mut t),
        dated_by: t.word("dated-by"),
        accessed: t.date("accessed"),
        license: t.text("license"),
        standing: standing(&mut t),
        method: t.one("method", method),
        left_out: t.each("left-out", left_out),
        notes: t.text("notes"),
    };
    t.exceptions();
    t.finish();
    Some(entry)
}

/// Reads `dated`, which requires `dated-by`: without it the date has no meaning.
fn dated(t: &mut StrictTable<'_, '_>) -> Option<Date> {
    let dated = t.date("dated");
    if dated.is_some() {
        t.require("dated-by");
    }
    dated
}

/// Reads `standing` with its reason and replacement, which are keys of the source itself.
fn standing(t: &mut StrictTable<'_, '_>) -> Option<Standing> {
    let standing = t.word("standing");
    let reason = t.text("standing-reason");
    let replaced_by = t.id("replaced-by", EntityKind::Source);
    if standing.is_some() {
        t.require("standing-reason");
    } else if reason.is_some() || replaced_by.is_some() {
        t.require("standing");
    }
    Some(Standing { standing: standing?, reason: reason?, replaced_by })
}

/// Reads the published version, with everything that a bibliography entry of its type needs.
fn published(mut t: StrictTable<'_, '_>) -> Option<Publication> {
    t.require("year");
    let entry_type = t.required_text("type");
    let name = t.required_text("name");
    let year = t.year("year");
    let venue = t.required_text("venue");
    let pages = t.required_text("pages");
    let publisher = t.required_text("publisher");
    let place = t.text("place");
    let doi = t.required_text("doi");
    t.finish();
    Some(Publication {
        entry_type: entry_type?,
        name: name?,
        year: year?,
        venue: venue?,
        pages: pages?,
        publisher: publisher?,
        place,
        doi: doi?,
    })
}

fn method(mut t: StrictTable<'_, '_>) -> Method {
    let method = Method {
        timed: t.text("timed"),
        warm_up: t.count("warm-up"),
        iterations: t.count("iterations"),
        statistic: t.text("statistic"),
        data: t.word("data"),
        description: t.text("description"),
    };
    t.finish();
    method
}

fn left_out(mut t: StrictTable<'_, '_>) -> Option<LeftOutRows> {
    t.require("reason");
    let (reason, rows) = (t.text("reason"), t.count("rows"));
    t.finish();
    Some(LeftOutRows { reason: reason?, rows })
}

/// Reads a device; `None` if it does not state its class.
pub(in crate::reading) fn device(id: &EntityId, mut t: StrictTable<'_, '_>) -> Option<Device> {
    let name = t.required_text("name");
    let aliases = t.texts("aliases");
    let variant_of = t.id("variant-of", EntityKind::Device);
    t.require("class");
    let class: Option<HardwareClass> = t.word("class");
    let entry = Device {
        id: id.clone(),
        name: name.unwrap_or_default(),
        aliases,
        variant_of,
        // A device without a class is dropped, but its other keys are still read and checked.
        class: class.unwrap_or(HardwareClass::Gpu),
        vendor: t.text("vendor"),
        architecture: t.text("architecture"),
        chip: t.text("chip"),
        form_factor: t.text("form-factor"),
        memory_gib: t.decimal("memory-gib"),
        memory_type: t.text("memory-type"),
        bandwidth_gb_per_s: t.decimal("bandwidth-gb-per-s"),
        cores: t.count("cores"),
        tensor_cores: t.count("tensor-cores"),
        tdp_w: t.decimal("tdp-w"),
        base_clock_mhz: t.decimal("base-clock-mhz"),
        boost_clock_mhz: t.decimal("boost-clock-mhz"),
        process_nm: t.decimal("process-nm"),
        release_date: t.date("release-date"),
        launch_price_usd: t.decimal("launch-price-usd"),
        compute_capability: t.text("compute-capability"),
        pci_ids: t.texts("pci-ids"),
        notes: t.text("notes"),
        peak_tflops: peaks(&mut t),
        cloud: t.each("cloud", cloud_offer),
        rent: None,
        sources: entity_citations(&mut t),
        reported: claims(&mut t),
    };
    t.finish();
    class.map(|_| entry)
}

fn peaks(t: &mut StrictTable<'_, '_>) -> BTreeMap<NumberFormat, Decimal> {
    let mut peaks = BTreeMap::new();
    t.note("peak-tflops", ValueKind::Numbers(NumberFormat::VARIANTS.iter().map(|&format| format.into()).collect()));
    for (name, span, value) in t.entries("peak-tflops") {
        match (name.parse::<NumberFormat>(), decimal(value.get_ref())) {
            (Ok(format), Some(peak)) if peak.value() > 0.0 => drop(peaks.insert(format, peak)),
            (Ok(_), _) => drop(t.expected::<()>(name, value, "a number above 0, in TFLOP/s")),
            (Err(_), _) => {
                let formats = NumberFormat::VARIANTS.iter().map(|&format| format.into());
                let finding: Diagnostic = unknown_key(t.file(), span, name, formats);
                t.findings().report(finding);
            }
        }
    }
    peaks
}

/// Reads a cloud instance that has the device.
pub(in crate::reading) fn cloud_offer(mut t: StrictTable<'_, '_>) -> Option<CloudOffer> {
    let provider = t.required_text("provider");
    let instance = t.required_text("instance");
    t.require("source");
    let (devices, usd_per_hour) = (t.count("devices"), t.decimal("usd-per-hour"));
    let (as_of, source) = (t.date("as-of"), t.id("source", EntityKind::Source));
    t.finish();
    Some(CloudOffer { devices, usd_per_hour, as_of, source: source?, provider: provider?, instance: instance? })
}

/// Reads `[reported.<source>]` of a device: any keys; values are texts or numbers.
fn claims(t: &mut StrictTable<'_, '_>) -> BTreeMap<EntityId, BTreeMap<String, Value>> {
    let mut reported = BTreeMap::new();
    for (source, span, value) in t.entries("reported") {
        let Some(source) = t.id_of("reported", source, span, EntityKind::Source) else {
            continue;
        };
        let DeValue::Table(table) = value.get_ref() else {
            t.expected::<()>("reported", value, "a table [reported.<source>]");
            continue;
        };
        let mut claims = BTreeMap::new();
        for (key, value) in table.iter() {
            let claim = match value.get_ref() {
                DeValue::String(text) => Some(Value::Text(text.as_ref().into())),
                other => integer(other).map(Value::Count).or_else(|| decimal(other).map(Value::Number)),
            };
            match claim {
                Some(claim) => drop(claims.insert(key.get_ref().to_string(), claim)),
                None => drop(t.expected::<()>(key.get_ref(), value, "a text or a number")),
            }
        }
        reported.insert(source, claims);
    }
    reported
}

/// The SPDX expression for a spelling such as `apache 2` or `MIT or Apache`.
fn meant_license(license: &str) -> Option<String> {
    let imprecise = spdx::Expression::canonicalize(license).ok().flatten();
    if let Some(meant) = imprecise.filter(|meant| spdx::Expression::parse(meant).is_ok()) {
        return Some(meant);
    }
    // `BSD 3` is a prefix of `BSD-3-Clause`; the shortest id with the prefix is the plain licence.
    let beginning = normalise(license);
    let ids = spdx::identifiers::LICENSES.iter().map(|license| license.name);
    let begins = ids.filter(|id| !beginning.is_empty() && normalise(id).starts_with(&beginning));
    begins.min_by_key(|id| id.len()).map(str::to_owned)
}

/// Reads `license` of a framework: an SPDX expression.
fn license(t: &mut StrictTable<'_, '_>) -> Option<String> {
    let license_span = t.value("license").map(|value| value.span());
    let license = t.text("license");
    if let (Some(license), Some(span)) = (&license, license_span)
        && let Err(error) = spdx::Expression::parse(license)
    {
        let message = format!("`license` is not an SPDX expression: {license:?}");
        let label = format!("{}; see spdx.org/licenses for the ids", error.reason);
        let finding = Diagnostic::error(findings::LICENSE, t.file(), Some(span), message, label);
        t.findings().report(match meant_license(license) {
            _ if is_placeholder(license) => finding.help(UNKNOWN_IS_LEFT_OUT),
            Some(meant) => finding.help(format!("did you mean {meant:?}?")),
            None => finding,
        });
    }
    license
}

fn framework(id: &EntityId, mut t: StrictTable<'_, '_>) -> Option<Framework> {
    let entry = Framework {
        id: id.clone(),
        name: t.required_text("name").unwrap_or_default(),
        aliases: t.texts("aliases"),
        status: t.word("status"),
        status_date: t.date("status-date"),
        license: license(&mut t),
        core_languages: t.texts("core-languages"),
        api_languages: t.texts("api-languages"),
        hardware: t.words("hardware"),
        platforms: t.words("platforms"),
        platforms_by_plug_in: t.words("platforms-by-plug-in"),
        multi_server: t.flag("multi-server"),
        tested_networks: t.ids("tested-networks", EntityKind::Network),
        tested_datasets: t.ids("tested-datasets", EntityKind::Dataset),
        steward: t.text("steward"),
        first_release: t.date("first-release"),
        latest_release: t.text("latest-release"),
        latest_release_date: t.date("latest-release-date"),
        homepage: t.text("homepage"),
        repository: t.text("repository"),
        notes: t.text("notes"),
        sources: entity_citations(&mut t),
        reported: t.each_by_id("reported", EntityKind::Source, reported_framework).into_iter().collect(),
    };
    t.finish();
    Some(entry)
}

fn reported_framework(mut t: StrictTable<'_, '_>) -> ReportedFramework {
    let ratings = t
        .entries("ratings")
        .into_iter()
        .filter_map(|(name, _, value)| {
            let stars = decimal(value.get_ref()).filter(|stars| (0.0..=5.0).contains(&stars.value()));
            match stars {
                Some(stars) => Some((name.to_owned(), stars)),
                None => t.expected("ratings", value, "a number of stars from 0 to 5"),
            }
        })
        .collect();
    let entry = ReportedFramework {
        row: t.count("row").and_then(|row| u32::try_from(row).ok()),
        same_as: t.id("same-as", EntityKind::Framework),
        name: t.text("name"),
        status: t.word("status"),
        license: t.text("license"),
        core_languages: t.texts("core-languages"),
        api_languages: t.texts("api-languages"),
        hardware: t.texts("hardware"),
        multi_server: t.text("multi-server"),
        tested_networks: t.texts("tested-networks"),
        tested_datasets: t.texts("tested-datasets"),
        ratings,
        notes: t.text("notes"),
    };
    t.finish();
    entry
}
