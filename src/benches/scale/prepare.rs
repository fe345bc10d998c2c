//! The knowledge base of one size, and the same rows for the rivals where they take part; what is there and current is kept.

use std::fs;
use std::path::Path;
use std::process::Command;

use xxhash_rust::xxh3::Xxh3;

use super::Outcome;
use super::tools::{Place, ROOT, duckdb, example, ripgrep};

/// Makes what is missing for `size` rows.
pub fn prepare(size: usize) -> Outcome<()> {
    let place = Place::of(size);
    fs::create_dir_all(place.folder())?;
    let generate = example("generate")?;
    let like = key(&[&generate], &[Path::new(ROOT).join("catalog"), Path::new(ROOT).join("measurements")])?;
    unless_current(&place.folder().join("kb.key"), &like, || {
        println!("{size} measurements");
        run(Command::new(&generate).args(["--like", ROOT, "--rows", &size.to_string(), "--into"]).arg(place.kb()))
    })?;
    if !place.has_rivals() {
        return Ok(());
    }
    let (rivals, ask_sqlite) = (example("rivals")?, example("ask-sqlite")?);
    let like = format!("{like} {}", key(&[&rivals, &ask_sqlite], &[])?);
    unless_current(&place.folder().join("rivals.key"), &like, || {
        println!("the same rows for the rivals");
        let mut command = Command::new(&rivals);
        command.arg("--kb").arg(place.kb()).arg("--into").arg(place.folder());
        command.arg("--duckdb").arg(duckdb()?).arg("--rg").arg(ripgrep()?).arg("--ask-sqlite").arg(&ask_sqlite);
        run(&mut command)
    })
}

/// Does the work when the note in `file` is not `key`, and notes it then.
fn unless_current(file: &Path, key: &str, work: impl FnOnce() -> Outcome<()>) -> Outcome<()> {
    if fs::read_to_string(file).is_ok_and(|noted| noted == key) {
        return Ok(());
    }
    let _ = fs::remove_file(file);
    work()?;
    Ok(fs::write(file, key)?)
}

/// A hash of the programs' bytes and of all files in the folders.
fn key(programs: &[&Path], folders: &[std::path::PathBuf]) -> Outcome<String> {
    let mut hash = Xxh3::new();
    for program in programs {
        hash.update(&fs::read(program)?);
    }
    for folder in folders {
        add(folder, &mut hash)?;
    }
    Ok(format!("{:032x}", hash.digest128()))
}

fn add(folder: &Path, hash: &mut Xxh3) -> Outcome<()> {
    let mut entries: Vec<_> = fs::read_dir(folder)?.collect::<Result<_, _>>()?;
    entries.sort_by_key(fs::DirEntry::file_name);
    for entry in entries {
        if entry.path().is_dir() {
            add(&entry.path(), hash)?;
        } else {
            hash.update(entry.path().as_os_str().as_encoded_bytes());
            hash.update(&fs::read(entry.path())?);
        }
    }
    Ok(())
}

fn run(command: &mut Command) -> Outcome<()> {
    let status = command.status().map_err(|error| format!("{command:?}: {error}"))?;
    if status.success() { Ok(()) } else { Err(format!("{command:?}: {status}").into()) }
}
