//! A new entry of the catalog.

use std::path::{Path, PathBuf};

use super::super::clock::today;
use super::super::failure::Failure;
use super::args::NewArgs;
use super::dialogue::Dialogue;
use dlbench::contribute::new::{Cited, Draft, alike, complaint, id_of, place_of};
use dlbench::reading::Loaded;
use dlbench::values::text::and_list;
use dlbench::values::{EntityId, EntityKind};

/// Where the entry goes, and its text.
pub(super) fn written(
    args: &NewArgs,
    kind: EntityKind,
    name: &str,
    mut draft: Draft,
    catalog: &Loaded,
    dialogue: &mut Dialogue<'_>,
) -> Result<(PathBuf, String), Failure> {
    let (same, near) = alike(catalog, kind, name);
    if !same.is_empty() {
        return Err(Failure::usage(
            format!("there is already a {} called {name:?}: {}", kind.noun(), and_list(&same)),
            &format!("`dlbench show {kind} {}` shows it", same[0]),
        ));
    }
    if !near.is_empty() {
        dialogue.screen.tell(&format!("near are {}: is it none of them?", and_list(&near)));
    }
    let id = args
        .id
        .clone()
        .or_else(|| id_of(name))
        .ok_or_else(|| Failure::usage("the name makes no id", "give one with --id"))?;
    let path = place_of(kind, &id);
    let is_there = catalog.files.iter().any(|(file, _)| file.path == path);
    if is_there || catalog.places.contains_key(&(kind, id.to_string())) {
        return Err(Failure::usage(format!("there is already a {} `{id}`", kind.noun()), "give another id with --id"));
    }
    draft.values.insert("name".to_owned(), name.to_owned());
    draft.inherit(kind, catalog);
    for (key, example) in args.kind.questions() {
        if draft.values.contains_key(*key) {
            continue;
        }
        dialogue.ask_for(key, example, |answer| {
            // The reader would take it for an entity that is there.
            if ["variant-of", "family"].contains(key) && answer == id.as_str() {
                return Err(format!("`{id}` is this one itself: a family is an entry of its own"));
            }
            let mut tried = draft.clone();
            tried.state(Some(kind), key, answer).map_err(|error| error.to_string())?;
            tried.inherit(kind, catalog);
            match complaint(catalog, &path, &tried.entity(kind, &path), key) {
                Some(why) => Err(why),
                None => {
                    draft = tried;
                    Ok(())
                }
            }
        })?;
    }
    let accessed = today().map_or_else(String::new, |today| today.to_string());
    if kind == EntityKind::Source {
        if draft.values.contains_key("url") {
            draft.values.entry("accessed".to_owned()).or_insert(accessed);
        }
        draft.values.entry("type".to_owned()).or_insert("misc".to_owned());
    } else {
        draft.citation = citation(args, &accessed, catalog, dialogue)?;
    }
    let text = draft.entity(kind, &path);
    Ok((path, text))
}

/// Where the facts are from.
fn citation(
    args: &NewArgs,
    accessed: &str,
    catalog: &Loaded,
    dialogue: &mut Dialogue<'_>,
) -> Result<Option<Cited>, Failure> {
    let page =
        |url: &str, title: Option<String>| Cited::Page { url: url.to_owned(), title, accessed: accessed.to_owned() };
    if let Some(source) = &args.source {
        return Ok(Some(Cited::Source(source.clone())));
    }
    if let Some(url) = &args.url {
        return Ok(Some(page(url, args.title.clone())));
    }
    let mut cited = None;
    dialogue.ask_for("source", "id of the catalog, or https://… of the page the facts are from", |answer| {
        cited = Some(if answer.contains("://") { page(answer, None) } else { Cited::Source(known(answer, catalog)?) });
        Ok(())
    })?;
    if let Some(Cited::Page { title, .. }) = &mut cited {
        *title = dialogue.ask("title", "what the page is")?;
    }
    Ok(cited)
}

/// A source of the catalog, or what to do.
pub(super) fn known(id: &str, catalog: &Loaded) -> Result<EntityId, String> {
    let sources = &catalog.catalog.sources;
    if let Some(source) = sources.get(id) {
        return Ok(source.id.clone());
    }
    let (same, near) = alike(catalog, EntityKind::Source, id);
    match (same.as_slice(), near.as_slice()) {
        ([one], _) => one.parse().map_err(|_| format!("`{one}` is no id")),
        (_, []) => {
            Err(format!("there is no source `{id}`: `dlbench list sources` names them, `dlbench new source` makes one"))
        }
        (_, near) => {
            Err(format!("there is no source `{id}`: near are {}; `dlbench new source` makes one", and_list(near)))
        }
    }
}

/// Where measurements of a source go.
pub(super) fn folder_of(source: &EntityId) -> PathBuf {
    Path::new("measurements").join(source.as_str())
}
