//! The manifest of a finished build: file names and lengths, so that a missing or truncated file is noticed without reading it.

use std::fmt::Write as _;
use std::fs;
use std::io;
use std::path::Path;

const FILE: &str = "manifest";

/// Notes the files below `folder`.
pub(super) fn write(folder: &Path) -> io::Result<()> {
    let mut text = String::new();
    note(folder, "", &mut text)?;
    fs::write(folder.join(FILE), text)
}

/// Whether all files are there with the lengths of the manifest.
pub(super) fn holds(folder: &Path) -> bool {
    let Ok(text) = fs::read_to_string(folder.join(FILE)) else {
        return false;
    };
    let mut files = text.lines().peekable();
    files.peek().is_some()
        && files.all(|line| {
            let Some((length, name)) = line.split_once(' ') else {
                return false;
            };
            let found = fs::metadata(folder.join(name)).map(|meta| meta.len());
            found.is_ok_and(|found| length.parse() == Ok(found))
        })
}

fn note(folder: &Path, prefix: &str, text: &mut String) -> io::Result<()> {
    let mut entries: Vec<_> = fs::read_dir(folder.join(prefix))?.collect::<Result<_, _>>()?;
    entries.sort_by_key(fs::DirEntry::file_name);
    for entry in entries {
        let name = entry.file_name().to_string_lossy().into_owned();
        let name = if prefix.is_empty() { name } else { format!("{prefix}/{name}") };
        let meta = entry.metadata()?;
        // Locks come and go.
        if name.ends_with(".lock") {
            continue;
        }
        if meta.is_dir() {
            note(folder, &name, text)?;
        } else {
            let _ = writeln!(text, "{} {name}", meta.len());
        }
    }
    Ok(())
}
