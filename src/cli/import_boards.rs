//! `dlbench import nvidia-smi`: which devices of the catalog a machine's boards are, and drafts of those it has not.

use std::path::Path;

use super::failure::Failure;
use super::global::{Global, Outcome};
use super::screen::Screen;
use dlbench::WriteError;
use dlbench::contribute::import::new_devices::{CatalogMatch, IdentifiedBoard};
use dlbench::values::text::{or_list, printable_path};

/// What is known is told in lines that begin with `#`, so that what is printed can be a file of the catalog.
pub(super) fn run(
    files: &[String],
    output: Option<&Path>,
    dry_run: bool,
    global: &Global,
    screen: &Screen,
) -> Result<Outcome, Failure> {
    if files.is_empty() {
        return Err(Failure::usage(
            "no file of the format nvidia-smi is named",
            "nvidia-smi -q -x > board.xml, then dlbench import nvidia-smi board.xml",
        ));
    }
    let kb = global.open_files(screen)?;
    let mut boards = Vec::new();
    for file in files {
        boards.extend(kb.identify_boards(Path::new(file))?);
    }
    let mut open = false;
    for board in &boards {
        open |= matches!(board.catalog_match, CatalogMatch::Ambiguous { .. });
        screen.print(&told(board, output, dry_run, screen)?)?;
    }
    Ok(if open { Outcome::NothingFound } else { Outcome::Done })
}

fn told(found: &IdentifiedBoard, output: Option<&Path>, dry_run: bool, screen: &Screen) -> Result<String, WriteError> {
    let name = match found.count {
        1 => found.board.name.clone(),
        count => format!("{count} x {}", found.board.name),
    };
    Ok(match &found.catalog_match {
        CatalogMatch::Known { id, differences } if differences.is_empty() => {
            format!("# {name} is {id}, and its entry says what the file says\n")
        }
        CatalogMatch::Known { id, differences } => {
            let lines: Vec<String> = differences.iter().map(|line| format!("#   {line}\n")).collect();
            format!("# {name} is {id}\n{}", lines.concat())
        }
        CatalogMatch::Ambiguous { ids, why } => format!("# {name} is {}, but {why}\n", or_list(ids)),
        CatalogMatch::Unknown { id, draft } => match output.filter(|_| !dry_run) {
            None => format!(
                "# {name} has no entry; this draft of catalog/devices/{id}.toml is for you to complete\n{draft}"
            ),
            Some(folder) => {
                let path = folder.join(format!("{id}.toml"));
                if path.symlink_metadata().is_ok() {
                    return Ok(format!("# {name} has no entry; {} is there already\n", printable_path(&path)));
                }
                screen.save_in(folder, &format!("{id}.toml"), draft)?;
                format!("# {name} has no entry; its draft is for you to complete: {}\n", printable_path(&path))
            }
        },
    })
}
