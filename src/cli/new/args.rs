//! The options of `dlbench new`.

use clap::{Args, ValueEnum};

use dlbench::values::{EntityId, EntityKind};

#[derive(Debug, Args)]
#[command(after_help = "A file that a benchmark wrote comes in by `dlbench import`.")]
pub(in crate::cli) struct NewArgs {
    /// What is new
    #[arg(value_enum)]
    pub kind: NewKind,
    /// Its name; of a measurement the batch, the file in the folder of its source
    #[arg(value_name = "NAME")]
    pub name: Option<String>,
    /// The id [default: made from the name]
    #[arg(long, value_name = "ID")]
    pub id: Option<EntityId>,
    /// A fact; lists with commas (authors with semicolons), keys of tables with a dot: --set peak-tflops.fp32=14.0
    #[arg(long, value_name = "KEY=VALUE")]
    pub set: Vec<String>,
    /// The source in the catalog that the facts or numbers are from
    #[arg(long, value_name = "ID")]
    pub source: Option<EntityId>,
    /// The page that the facts are from
    #[arg(long, value_name = "URL", conflicts_with = "source")]
    pub url: Option<String>,
    /// What that page is
    #[arg(long, value_name = "TEXT", requires = "url")]
    pub title: Option<String>,
    /// Ask nothing
    #[arg(long)]
    pub no_input: bool,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(in crate::cli) enum NewKind {
    Framework,
    Device,
    Network,
    Dataset,
    Source,
    Measurement,
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
