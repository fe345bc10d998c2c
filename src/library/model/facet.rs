//! The facets: what a word of a question can be about, and the names that lead to their values.

use std::str::FromStr;
use std::sync::Arc;

use serde::{Deserialize, Serialize};
use strum::{Display, EnumString, IntoStaticStr, VariantArray};

use crate::values::{Decimal, EntityKind};

/// Declares an enum whose variants are the rows of a table: name, key, definition, then what is known of it.
///
/// The kebab-case key is the name in files, filters and on the command line; in JSON and CSV it is in snake_case. The
/// definition is the variant's documentation too. A lookup is one jump: rows are constants.
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

            /// What it is.
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
    /// The name without patch and input size, as people write it in questions: `vit-base`. A source's spelling is not read by it,
    /// since it may be of another network.
    Stem,
}

impl NameKind {
    /// Whether it comes before the other spellings of a facet.
    pub fn is_own(self) -> bool {
        self != Self::Alias
    }
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
    /// What the text of a word, an id or a shape says; `None` when it is no text, or none of that type.
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
