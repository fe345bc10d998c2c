//! The facets: what a word of a question can be about, and the names that lead to their values.

use std::sync::Arc;

use strum::{Display, EnumString, IntoStaticStr, VariantArray};

use crate::values::EntityKind;

/// Something that a word of a question can name. The kebab-case name is the key of an explicit filter (`device:v100`).
#[derive(
    Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Display, EnumString, IntoStaticStr, VariantArray,
)]
#[strum(serialize_all = "kebab-case")]
pub enum Facet {
    /// Numeric recipe.
    Precision,
    /// Device or device family.
    Device,
    /// Network or family of networks.
    Network,
    /// Framework, in front or as backend.
    Framework,
    /// Data set.
    Dataset,
    /// Where a number is from.
    Source,
    /// What was timed.
    Stage,
    /// How the load arrives.
    Scenario,
    /// Hardware class of the device.
    Class,
    /// Maker of the device.
    Vendor,
    /// Micro-architecture of the device.
    Architecture,
    /// Licence of the framework, as SPDX id.
    License,
    /// Core or interface language of the framework.
    Language,
    /// Whether the framework trains on several machines: `yes` or `no`.
    MultiServer,
    /// What the framework runs on.
    Hardware,
    /// How alive the framework is.
    Maturity,
    /// Task of the network or data set.
    Task,
    /// Cloud instance.
    Instance,
    /// Year of the measurement, else of its source.
    Year,
    /// A metric that the row has.
    Metric,
    /// Reported or measured.
    Status,
    /// Why there is no number.
    Outcome,
    /// What became of a number or a source after it was published.
    Standing,
}

impl Facet {
    /// Those whose values sources spell in many ways: what a spelling can be of.
    pub const SPELLED: &'static [Self] =
        &[Self::Device, Self::Network, Self::Framework, Self::Dataset, Self::Precision];

    /// The key of an explicit filter, and the facet's name in answers.
    pub fn key(self) -> &'static str {
        self.into()
    }

    /// The facet whose values are the entities of a kind.
    pub const fn of_entities(kind: EntityKind) -> Self {
        match kind {
            EntityKind::Framework => Self::Framework,
            EntityKind::HardwareClass => Self::Class,
            EntityKind::Device => Self::Device,
            EntityKind::Network => Self::Network,
            EntityKind::Dataset => Self::Dataset,
            EntityKind::Source => Self::Source,
        }
    }

    /// The kind of entities that are its values; `None` where these are words.
    pub fn entity_kind(self) -> Option<EntityKind> {
        EntityKind::VARIANTS.iter().copied().find(|kind| Self::of_entities(*kind) == self)
    }

    /// Whether one row can have several values, so that a question may ask for all of them at once.
    pub fn has_many_values(self) -> bool {
        matches!(self, Self::Framework | Self::License | Self::Language | Self::Hardware | Self::Task | Self::Metric)
    }
}

/// How a name leads to its value.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Display, EnumString, IntoStaticStr)]
#[strum(serialize_all = "kebab-case")]
pub enum NameKind {
    /// The id or the full name itself.
    Exact,
    /// Another spelling.
    Alias,
}

/// A name, in the form in which names are compared, and what it leads to.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub struct Name {
    /// Normalised spelling.
    pub normal: String,
    /// What it is about.
    pub facet: Facet,
    /// The facet's value, as indexed.
    pub value: String,
    /// Whether the spelling is the value's own.
    pub kind: NameKind,
}

/// Where names are looked up.
pub trait Lookup {
    /// What can go wrong.
    type Error;
    /// All names with this normalised spelling.
    fn exact(&self, normal: &str) -> Result<Vec<Name>, Self::Error>;
    /// All names, for the search of the nearest one.
    fn all(&self) -> Result<Arc<[Name]>, Self::Error>;
    /// All names that begin with a normalised spelling.
    fn beginning(&self, normal: &str) -> Result<Vec<Name>, Self::Error> {
        Ok(self.all()?.iter().filter(|name| name.normal.starts_with(normal)).cloned().collect())
    }
}
