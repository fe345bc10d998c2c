//! The facets: what a word of a query can refer to, and the names of their values.

use std::str::FromStr;
use std::sync::Arc;

use serde::{Deserialize, Serialize};
use strum::{Display, EnumString, IntoStaticStr, VariantArray};

use crate::values::{Decimal, EntityKind};

/// Declares an enum whose variants are the rows of a table: name, key, definition, then further properties.
///
/// The kebab-case key is the name in files, filters and on the command line; in JSON and CSV it is in snake_case. The
/// definition is also the variant's documentation. A lookup is a single match: rows are constants.
macro_rules! registry {
    (
        $(#[$meta:meta])*
        pub enum $name:ident: $row:ty {
            $($(#[cfg($cfg:meta)])? $variant:ident, $key:literal, $definition:literal => $value:expr;)+
        }
    ) => {
        $(#[$meta])*
        #[derive(
            Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord,
            strum::Display, strum::EnumString, strum::IntoStaticStr, strum::VariantArray,
        )]
        pub enum $name {
            $(
                $(#[cfg($cfg)])?
                #[doc = $definition]
                #[strum(to_string = $key)]
                $variant,
            )+
        }

        impl $name {
            /// The kebab-case key.
            pub const fn key(self) -> &'static str {
                match self {
                    $($(#[cfg($cfg)])? Self::$variant => $key,)+
                }
            }

            /// The snake_case key in JSON and CSV.
            pub fn json_key(self) -> String {
                self.key().replace('-', "_")
            }

            /// The definition.
            pub const fn definition(self) -> &'static str {
                match self {
                    $($(#[cfg($cfg)])? Self::$variant => $definition,)+
                }
            }

            /// Its row of the table.
            const fn row(self) -> &'static $row {
                match self {
                    $($(#[cfg($cfg)])? Self::$variant => const { &$value },)+
                }
            }
        }
    };
}

pub(super) use registry;

/// A property that a word of a query can name. The kebab-case name is the key of an explicit filter (`device:v100`).
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
    /// Framework, as front end or back end.
    Framework,
    /// Data set.
    Dataset,
    /// Source of a number.
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
    /// Hardware that the framework supports.
    Hardware,
    /// Development status of the framework.
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
    /// The standing of a number or source after publication, such as `retracted`.
    Standing,
}

impl Facet {
    /// The facets whose values have many spellings in sources.
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

    /// The entity kind of its values; `None` where the values are words.
    pub fn entity_kind(self) -> Option<EntityKind> {
        EntityKind::VARIANTS.iter().copied().find(|kind| Self::of_entities(*kind) == self)
    }

    /// Whether a row can have several values, so that a query may require all of them at once.
    pub fn has_many_values(self) -> bool {
        matches!(self, Self::Framework | Self::License | Self::Language | Self::Hardware | Self::Task | Self::Metric)
    }
}

/// How a name relates to its value.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Display, EnumString, IntoStaticStr)]
#[strum(serialize_all = "kebab-case")]
pub enum NameKind {
    /// The id or the full name.
    Exact,
    /// Another spelling.
    Alias,
    /// The name without patch and input size, as in queries: `vit-base`. It does not match a source's spelling, which
    /// may mean another network.
    Stem,
}

impl NameKind {
    /// Whether it ranks before aliases of the same facet.
    pub fn is_own(self) -> bool {
        self != Self::Alias
    }
}

/// A name in the form in which names are compared, and the value that it refers to.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub struct Name {
    /// Normalised spelling.
    pub normal: String,
    /// The facet of the value.
    pub facet: Facet,
    /// The facet's value, as indexed.
    pub value: String,
    /// How the spelling relates to the value.
    pub kind: NameKind,
}

/// An index of names.
pub trait Lookup {
    /// The error of a lookup.
    type Error;
    /// All names with this normalised spelling.
    fn exact(&self, normal: &str) -> Result<Vec<Name>, Self::Error>;
    /// All names, to search for the nearest one.
    fn all(&self) -> Result<Arc<[Name]>, Self::Error>;
    /// All names that begin with a normalised spelling.
    fn beginning(&self, normal: &str) -> Result<Vec<Name>, Self::Error> {
        Ok(self.all()?.iter().filter(|name| name.normal.starts_with(normal)).cloned().collect())
    }
}

/// The value of a field.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(untagged)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub enum Value {
    /// Ids, words, dates, shapes and free text.
    Text(Arc<str>),
    /// Whole numbers.
    Count(i64),
    /// Decimal numbers.
    Number(Decimal),
}

impl Value {
    /// The text parsed as a word, an id or a shape; `None` when it is not a text or does not parse as that type.
    pub fn parse<T: FromStr>(&self) -> Option<T> {
        match self {
            Self::Text(text) => text.parse().ok(),
            Self::Count(_) | Self::Number(_) => None,
        }
    }
}

impl std::fmt::Display for Value {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Self::Text(text) => f.pad(text),
            Self::Count(count) => write!(f, "{count}"),
            Self::Number(number) => write!(f, "{number}"),
        }
    }
}
