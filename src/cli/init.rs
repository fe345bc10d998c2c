//! `dlbench init`: a knowledge base of one's own, from the one that the program carries or from a snapshot.

use std::path::PathBuf;

use clap::Args;

use super::built_in::built_in;
use super::failure::Failure;
use super::global::Outcome;
use super::screen::Screen;
use dlbench::KnowledgeFiles;
use dlbench::values::text::counted;

#[derive(Debug, Args)]
pub(super) struct InitArgs {
    /// The folder to make; it may exist if it is empty
    #[arg(value_name = "DIR")]
    folder: PathBuf,
    /// A snapshot in the place of the built-in knowledge base
    #[arg(long, value_name = "FILE")]
    from: Option<PathBuf>,
}

pub(super) fn run(args: &InitArgs, screen: &Screen) -> Result<Outcome, Failure> {
    let read;
    let snapshot = match &args.from {
        Some(path) => {
            read = std::fs::read(path).map_err(|error| Failure::Unread { path: path.clone(), error })?;
            read.as_slice()
        }
        None => match built_in() {
            Some(built_in) => built_in.snapshot,
            None => {
                return Err(Failure::usage(
                    "this dlbench was built without the feature `built-in`",
                    "name a snapshot with --from FILE, or build with --features built-in",
                ));
            }
        },
    };
    let manifest = KnowledgeFiles::unpacked(snapshot, &args.folder)?;
    let folder = args.folder.display();
    screen.tell(&format!(
        "{}, {}: {folder}\nhelp: `cd {folder}` and ask; `dlbench new` adds to it, `dlbench check` says what is wrong",
        counted(manifest.files.len(), "file", "files"),
        manifest.origin,
    ));
    Ok(Outcome::Done)
}
