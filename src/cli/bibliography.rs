//! `--bib`: the entries of what is cited go into a file that may hold others.

use std::fs;
use std::io;
use std::path::Path;

use super::failure::Failure;
use super::screen::Screen;
use dlbench::model::References;
use dlbench::render::bibtex::{bibtex, merged};
use dlbench::values::text::{and_list, printable_path};

/// Adds the entries that a file lacks; what is there stays as it is. A file that is not there is made.
///
/// # Errors
///
/// When the file is no bibliography, which is then left alone, or cannot be read or written.
pub(super) fn add_to(file: &Path, references: &References, screen: &Screen) -> Result<(), Failure> {
    let existing = match fs::read_to_string(file) {
        Ok(text) => text,
        Err(error) if error.kind() == io::ErrorKind::NotFound => {
            return screen.deliver(&bibtex(references), Some(file));
        }
        Err(error) => {
            return Err(Failure::usage(
                format!("cannot add to {}: {error}", printable_path(file)),
                "nothing was written; name another file",
            ));
        }
    };
    let merged = merged(&existing, references).map_err(|error| {
        Failure::usage(
            format!("cannot add to {}, which is no bibliography of BibTeX: {error}", printable_path(file)),
            "nothing was written; mend it or name another file",
        )
    })?;
    if !merged.differing.is_empty() {
        screen.tell(&format!(
            "note: left as it stands in {}, though it would be written otherwise now: {}",
            printable_path(file),
            and_list(&merged.differing)
        ));
    }
    if merged.text == existing { Ok(()) } else { Ok(screen.save(file, merged.text)?) }
}
