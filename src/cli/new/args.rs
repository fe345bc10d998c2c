//! The options of `dlbench new`.

use clap::Args;

use crate::cli::choice::word;
use crate::cli::clock::today;
use dlbench::contribute::new::{NewKind, NewRequest};
use dlbench::values::EntityId;

#[derive(Debug, Args)]
#[command(after_help = "`dlbench import` reads files that a benchmark wrote.")]
pub(in crate::cli) struct NewArgs {
    /// Kind of the entry
    #[arg(value_parser = word::<NewKind>())]
    pub kind: NewKind,
    /// Its name; for a measurement the batch, the file in the folder of its source
    #[arg(value_name = "NAME")]
    pub name: Option<String>,
    /// The id [default: made from the name]
    #[arg(long, value_name = "ID")]
    pub id: Option<EntityId>,
    /// A fact; lists use commas (authors semicolons), keys of tables a dot: --set peak-tflops.fp32=14.0
    #[arg(long, value_name = "KEY=VALUE")]
    pub set: Vec<String>,
    /// The source of the facts or numbers, an id of catalog/sources
    #[arg(long, value_name = "ID")]
    pub source: Option<EntityId>,
    /// The page with the facts
    #[arg(long, value_name = "URL", conflicts_with = "source")]
    pub url: Option<String>,
    /// Title of that page
    #[arg(long, value_name = "TEXT", requires = "url")]
    pub title: Option<String>,
    /// Show what would be written and what the check finds; write nothing
    #[arg(long)]
    pub dry_run: bool,
    /// Never ask
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
