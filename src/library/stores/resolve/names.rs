//! Collects every name that a question can mention.

use std::collections::BTreeSet;

use strum::VariantArray;

use crate::model::{Catalog, Facet, Field, Knowledge, Metric, Name, NameKind, Part, Parts};
use crate::values::spelling::normalise;
use crate::values::{
    FrameworkStatus, HardwareClass, Outcome, Precision, Provenance, Scenario, Stage, Standing, Target,
};

/// Spellings of the licences that people use without the version.
const LICENSE_WORDS: &[(&str, &[&str])] = &[
    ("apache", &["Apache-2.0"]),
    ("apache 2", &["Apache-2.0"]),
    ("bsd", &["BSD-2-Clause", "BSD-3-Clause"]),
    ("gpl", &["GPL-2.0-only", "GPL-3.0-only", "GPL-2.0-or-later", "GPL-3.0-or-later"]),
];

/// What people call architectures in short.
const ARCHITECTURE_WORDS: &[(&str, &str)] = &[("ada", "Ada Lovelace")];

/// Every name of the knowledge base, sorted, each once.
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
            // What is also a hardware class asks for the class of the device.
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
                self.add(Facet::Architecture, architecture, architecture, NameKind::Exact);
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
            // `translation` is machine translation, `detection` that of objects or keypoints.
            let kind = task.rsplit_once('-').filter(|(_, kind)| kind.starts_with(char::is_alphabetic));
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
