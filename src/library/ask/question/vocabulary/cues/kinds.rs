//! Words for the kinds of entities that are listed or ranked.

use crate::ask::question::vocabulary::meaning::Meaning;
use crate::values::EntityKind;

use Meaning::About;

/// Kinds of entities as questions name them.
pub(in crate::ask::question) const KIND_NOUNS: &[(&str, EntityKind)] = &[
    ("framework", EntityKind::Framework),
    ("frameworks", EntityKind::Framework),
    ("library", EntityKind::Framework),
    ("libraries", EntityKind::Framework),
    ("device", EntityKind::Device),
    ("devices", EntityKind::Device),
    ("network", EntityKind::Network),
    ("networks", EntityKind::Network),
    ("models", EntityKind::Network),
    ("nets", EntityKind::Network),
    ("dataset", EntityKind::Dataset),
    ("datasets", EntityKind::Dataset),
    ("source", EntityKind::Source),
    ("sources", EntityKind::Source),
    ("papers", EntityKind::Source),
    ("studies", EntityKind::Source),
    ("articles", EntityKind::Source),
    ("publications", EntityKind::Source),
];

/// Phrases and what they mean.
pub(super) const PHRASES: &[(Meaning, &[&str])] = &[
    (
        About(EntityKind::HardwareClass),
        &[
            "hardware classes",
            "hardware class",
            "classes of hardware",
            "types of hardware",
            "kinds of hardware",
            "hardware types",
            "what hardware class",
            "which hardware class",
            "what class of hardware",
            "which class of hardware",
            "what kind of hardware",
            "which kind of hardware",
        ],
    ),
    (About(EntityKind::Dataset), &["data sets", "data set"]),
];
