//! `dlbench index`: build the stores that queries read, or say what they hold.

use std::time::SystemTime;

use clap::Args;
use serde::Serialize;

use super::choice::choice;
use super::failure::Failure;
use super::screen::Screen;
use super::{Format, Global, Outcome, tell_how_built};
use dlbench::render;
use dlbench::render::card;
use dlbench::render::table::Table;
use dlbench::stores::BuiltFrom;
use dlbench::stores::store::Counts;
use dlbench::values::Grid;
use dlbench::{KnowledgeBase, default_cache};

#[derive(Debug, Args)]
pub(super) struct IndexArgs {
    /// Say what the stores hold, and when and from what they were built
    #[arg(long)]
    status: bool,
    /// Build the stores from nothing, whatever the cache holds
    #[arg(long, conflicts_with = "status")]
    rebuild: bool,
    /// How to write the status
    #[arg(short, long, value_parser = choice::<Format>(), default_value = "table")]
    format: Format,
}

/// What the stores hold, and when and from what they were built.
#[derive(Debug, Serialize)]
struct Status {
    #[serde(flatten)]
    counts: Counts,
    knowledge_base: String,
    content: String,
    stores: String,
    built_at: Option<String>,
    built_now: bool,
}

pub(super) fn run(args: &IndexArgs, global: &Global, screen: &Screen) -> Result<Outcome, Failure> {
    let kb = if args.rebuild {
        let kb = KnowledgeBase::rebuild(global.root()?, default_cache())?;
        tell_how_built(&kb, screen);
        kb
    } else {
        global.open(screen)?
    };
    let status = serde_json::to_value(status(&kb)?)?;
    let text = match args.format {
        Format::Json => render::json(&status)?,
        Format::Table => card::draw("stores", &status, screen.width()),
        format => {
            let mut facts = Grid::of_texts(&["fact", "value"]);
            for (key, value) in status.as_object().into_iter().flatten() {
                facts.push(vec![key.clone(), value.as_str().map_or_else(|| value.to_string(), str::to_owned)]);
            }
            Table::from(&facts).draw(format, screen.width())?
        }
    };
    screen.print(&text)?;
    Ok(Outcome::Done)
}

fn status(kb: &KnowledgeBase) -> Result<Status, Failure> {
    let stores = kb.stores();
    let root = std::fs::canonicalize(kb.root()).unwrap_or_else(|_| kb.root().to_owned());
    let (place, built_at, built_now) = match &stores.built {
        BuiltFrom::Cache { folder, fresh } => {
            let built = std::fs::metadata(folder).and_then(|meta| meta.modified()).ok();
            (folder.display().to_string(), built, !fresh)
        }
        BuiltFrom::Memory { .. } => ("memory".to_owned(), Some(SystemTime::now()), true),
    };
    Ok(Status {
        counts: stores.store.counts()?,
        knowledge_base: root.display().to_string(),
        content: stores.content.clone(),
        stores: place,
        built_at: built_at
            .and_then(|time| jiff::Timestamp::try_from(time).ok())
            .and_then(|time| time.round(jiff::Unit::Second).ok())
            .map(|time| time.to_string()),
        built_now,
    })
}
