//! The options of `dlbench new`.

use clap::Args;

use crate::cli::choice::word;
use crate::cli::clock::today;
use dlbench::contribute::new::{NewKind, NewRequest};
use dlbench::values::EntityId;

#[derive(Debug, Args)]
#[command(after_help = "A file that a benchmark wrote comes in by `dlbench import`.")]
pub(in crate::cli) struct NewArgs {
    /// What is new
    #[arg(value_parser = word::<NewKind>())]
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
    /// Show what would be written and what the check says of it; write nothing
    #[arg(long)]
    pub dry_run: bool,
    /// Ask nothing
    #[arg(long)]
    pub no_input: bool,
}

impl NewArgs {
    /// What is stated, under its name.
    pub fn request(&self, name: String) -> NewRequest {
        NewRequest {
            kind: self.kind,
            name,
            id: self.id.clone(),
            facts: self.set.clone(),
            source: self.source.clone(),
            url: self.url.clone(),
            title: self.title.clone(),
            today: today(),
        }
    }
}
