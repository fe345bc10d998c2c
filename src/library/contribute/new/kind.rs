//! The kinds of things that a contributor adds.

use strum::{EnumString, IntoStaticStr, VariantArray};

use crate::values::EntityKind;

/// What is new.
#[derive(Debug, Clone, Copy, PartialEq, Eq, EnumString, IntoStaticStr, VariantArray)]
#[strum(serialize_all = "kebab-case")]
pub enum NewKind {
    /// A framework of the catalog.
    Framework,
    /// A device of the catalog.
    Device,
    /// A network of the catalog.
    Network,
    /// A data set of the catalog.
    Dataset,
    /// A source of the catalog.
    Source,
    /// A measurement, at the end of its batch.
    Measurement,
    /// A suite of the catalog.
    Suite,
}

impl NewKind {
    /// The kind of entity; `None` for a measurement and a suite.
    pub fn entity(self) -> Option<EntityKind> {
        match self {
            Self::Framework => Some(EntityKind::Framework),
            Self::Device => Some(EntityKind::Device),
            Self::Network => Some(EntityKind::Network),
            Self::Dataset => Some(EntityKind::Dataset),
            Self::Source => Some(EntityKind::Source),
            Self::Measurement | Self::Suite => None,
        }
    }
}
