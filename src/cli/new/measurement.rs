//! A new measurement, at the end of its batch.

use std::path::{Path, PathBuf};

use super::super::failure::Failure;
use super::args::NewArgs;
use super::dialogue::Dialogue;
use super::entity::{folder_of, known};
use super::names::Reader;
use dlbench::contribute::new::{Draft, complaint, id_of};
use dlbench::reading::Loaded;
use dlbench::values::EntityId;

/// Where the measurement goes, and the text of that file with it.
pub(super) fn written(
    args: &NewArgs,
    batch: &str,
    mut draft: Draft,
    catalog: &Loaded,
    root: &Path,
    dialogue: &mut Dialogue<'_>,
) -> Result<(PathBuf, String), Failure> {
    let batch = id_of(batch)
        .ok_or_else(|| Failure::usage("the batch has no name", "dlbench new measurement 2026 --source ID"))?;
    let path = folder_of(&source(args, catalog, dialogue)?).join(format!("{batch}.toml"));
    let before = before(&root.join(&path))?;
    let names = Reader::of(catalog)?;
    names.read(&mut draft)?;
    for (key, example) in args.kind.questions() {
        let second = *key == "throughput-per-s" && draft.values.contains_key("latency-ms");
        if second || draft.values.contains_key(*key) {
            continue;
        }
        dialogue.ask_for(key, example, |answer| {
            let mut tried = draft.clone();
            tried.state(None, key, answer).map_err(|error| error.to_string())?;
            names.read(&mut tried).map_err(|failure| failure.to_string())?;
            match complaint(catalog, &path, &tried.measurement("", &path), key) {
                Some(why) => Err(why),
                None => {
                    draft = tried;
                    Ok(())
                }
            }
        })?;
    }
    let text = draft.measurement(&before, &path);
    Ok((path, text))
}

/// Whose measurement it is.
fn source(args: &NewArgs, catalog: &Loaded, dialogue: &mut Dialogue<'_>) -> Result<EntityId, Failure> {
    let mut source = None;
    match &args.source {
        Some(stated) => {
            source =
                Some(known(stated.as_str(), catalog).map_err(|why| Failure::usage(&why, "name it with --source ID"))?)
        }
        None => dialogue.ask_for("source", "id of the catalog; `dlbench new source` makes one", |answer| {
            source = Some(known(answer, catalog)?);
            Ok(())
        })?,
    }
    source.ok_or_else(|| Failure::usage("nothing says which source it is of", "name it with --source ID"))
}

/// What the batch holds already. A file that cannot be read must not be written over.
fn before(place: &Path) -> Result<String, Failure> {
    match std::fs::read_to_string(place) {
        Ok(text) => Ok(text),
        Err(error) if error.kind() == std::io::ErrorKind::NotFound => Ok(String::new()),
        Err(error) => {
            Err(Failure::usage(format!("{} cannot be read: {error}", place.display()), "give the batch another name"))
        }
    }
}
