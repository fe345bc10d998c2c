//! `dlbench init`: creates a knowledge base of your own, from the pulled or built-in one, or from a snapshot.

use std::path::PathBuf;

use clap::Args;

use super::built_in::built_in;
use super::failure::Failure;
use super::global::Outcome;
use super::screen::Screen;
use dlbench::pull::{PulledFolder, accepted_snapshot};
use dlbench::values::text::{counted, printable};
use dlbench::{KnowledgeFiles, default_data};

#[derive(Debug, Args)]
pub(super) struct InitArgs {
    /// The folder to create; an existing one must be empty
    #[arg(value_name = "DIR")]
    folder: PathBuf,
    /// Use this snapshot instead of the pulled or built-in knowledge base
    #[arg(long, value_name = "FILE")]
    from: Option<PathBuf>,
}

pub(super) fn run(args: &InitArgs, screen: &Screen) -> Result<Outcome, Failure> {
    let read;
    let snapshot = match &args.from {
        Some(path) => {
            let file = std::fs::read(path).map_err(|error| Failure::Unread { path: path.clone(), error })?;
            // The same check as in `pull`: only what the strict reader accepts becomes a knowledge base.
            read = accepted_snapshot(file)?;
            read.as_slice()
        }
        None => match (pulled(screen), built_in()) {
            (Some(pulled), _) => {
                read = pulled;
                read.as_slice()
            }
            (None, Some(built_in)) => built_in.snapshot,
            (None, None) => {
                return Err(Failure::usage(
                    "this dlbench was built without the feature `built-in`, and nothing was pulled",
                    "name a snapshot with --from FILE, or `dlbench pull` one first",
                ));
            }
        },
    };
    let manifest = KnowledgeFiles::unpacked(snapshot, &args.folder)?;
    let folder = args.folder.display();
    screen.tell(&format!(
        "{}, {}: {folder}\nhelp: `cd {folder}` and ask; `dlbench new` adds to it, `dlbench check` reports mistakes",
        counted(manifest.files.len(), "file", "files"),
        manifest.origin,
    ));
    Ok(Outcome::Done)
}

/// The pulled snapshot, if it is usable.
fn pulled(screen: &Screen) -> Option<Vec<u8>> {
    match PulledFolder::at(&default_data()?).active() {
        Ok(active) => active.map(|(_, snapshot)| snapshot),
        Err(error) => {
            screen.warn(&printable(&format!("what was pulled cannot be used: {error}")));
            None
        }
    }
}
