//! A new measurement, at the end of its batch.

use std::path::Path;

use super::complaint::complaint;
use super::entity::{folder_of, known};
use super::error::NewError;
use super::identity::id_of;
use super::interview::{Interview, ask_for};
use super::names::NameReader;
use super::request::{NewFile, NewRequest};
use crate::reading::{Loaded, kind_of, with_run};
use crate::values::EntityId;
use crate::values::text::printable_path;

/// Where the measurement goes, and the text of that file with it.
pub(super) fn file(
    request: &NewRequest,
    catalog: &Loaded,
    root: &Path,
    interview: &mut dyn Interview,
) -> Result<NewFile, NewError> {
    let mut draft = request.draft()?;
    let batch = id_of(&request.name)
        .ok_or_else(|| NewError::request("the batch has no name", "dlbench new measurement 2026 --source ID"))?;
    let path = folder_of(&source(request, catalog, interview)?).join(format!("{batch}.toml"));
    let before = before(&root.join(&path))?;
    let names = NameReader::of(catalog)?;
    names.read(&mut draft)?;
    for (key, example) in request.kind.questions() {
        let second = *key == "throughput-per-s" && draft.values.contains_key("latency-ms");
        if second || draft.values.contains_key(*key) {
            continue;
        }
        ask_for(interview, key, example, |answer| {
            let mut tried = draft.clone();
            tried.state(None, key, answer).map_err(|error| error.to_string())?;
            names.read(&mut tried).map_err(|failure| failure.to_string())?;
            match complaint(catalog, &path, &with_run("", &tried.row(), &kind_of(&path)), key) {
                Some(why) => Err(why),
                None => {
                    draft = tried;
                    Ok(())
                }
            }
        })?;
    }
    let row = draft.row();
    let text = with_run(&before, &row, &kind_of(&path));
    Ok(NewFile { path, text, row: Some(row) })
}

/// Whose measurement it is.
fn source(request: &NewRequest, catalog: &Loaded, interview: &mut dyn Interview) -> Result<EntityId, NewError> {
    let mut source = None;
    match &request.source {
        Some(stated) => {
            source = Some(
                known(stated.as_str(), catalog).map_err(|why| NewError::request(&why, "name it with --source ID"))?,
            )
        }
        None => ask_for(interview, "source", "id of the catalog; `dlbench new source` makes one", |answer| {
            source = Some(known(answer, catalog)?);
            Ok(())
        })?,
    }
    source.ok_or_else(|| NewError::request("nothing says which source it is of", "name it with --source ID"))
}

/// What the batch holds already. A file that cannot be read must not be written over.
fn before(place: &Path) -> Result<String, NewError> {
    match std::fs::read_to_string(place) {
        Ok(text) => Ok(text),
        Err(error) if error.kind() == std::io::ErrorKind::NotFound => Ok(String::new()),
        Err(error) => Err(NewError::request(
            format!("{} cannot be read: {error}", printable_path(place)),
            "give the batch another name",
        )),
    }
}
