//! A new entry of the catalog.

use std::path::{Path, PathBuf};

use super::complaint::complaint;
use super::draft::{Cited, Draft};
use super::error::NewError;
use super::house_style::{aliases_like_others, id_like_others};
use super::identity::{alike, id_of, place_of};
use super::interview::{Interview, ask_for};
use super::request::{NewFile, NewRequest};
use crate::reading::Loaded;
use crate::values::text::and_list;
use crate::values::{EntityId, EntityKind};

/// Where the entry goes, and its text.
pub(super) fn file(
    request: &NewRequest,
    kind: EntityKind,
    catalog: &Loaded,
    interview: &mut dyn Interview,
) -> Result<NewFile, NewError> {
    let (name, mut draft) = (&request.name, request.draft()?);
    let (same, near) = alike(catalog, kind, name);
    if !same.is_empty() {
        return Err(NewError::request(
            format!("there is already a {} called {name:?}: {}", kind.noun(), and_list(&same)),
            format!("`dlbench show {kind} {}` shows it", same[0]),
        ));
    }
    if !near.is_empty() {
        interview.tell(&format!("near are {}: is it none of them?", and_list(&near)));
    }
    let id = request
        .id
        .clone()
        .or_else(|| id_like_others(catalog, kind, name))
        .ok_or_else(|| NewError::request("the name makes no id", "give one with --id"))?;
    let path = place_of(kind, &id);
    let is_there = catalog.files.iter().any(|(file, _)| file.path == path);
    if is_there || catalog.places.contains_key(&(kind, id.to_string())) {
        return Err(NewError::request(
            format!("there is already a {} `{id}`", kind.noun()),
            "give another id with --id",
        ));
    }
    if request.id.is_none() && id_of(name).is_some_and(|plain| plain != id) {
        interview.tell(&format!("its id is {id}, as its like are called; --id gives another"));
    }
    draft.values.insert("name".to_owned(), name.clone());
    add_aliases(&mut draft, aliases_like_others(catalog, kind, name), interview);
    draft.inherit(kind, catalog);
    for (key, example) in request.kind.questions() {
        // Those that are derived are no reason not to ask for others.
        if draft.values.contains_key(*key) && *key != "aliases" || is_stated(request, key) {
            continue;
        }
        ask_for(interview, key, example, |answer| {
            // The reader would take it for an entity that is there.
            if ["variant-of", "family"].contains(key) && answer == id.as_str() {
                return Err(format!("`{id}` is this one itself: a family is an entry of its own"));
            }
            let mut tried = draft.clone();
            let own = tried.values.get(*key).map_or_else(|| answer.to_owned(), |own| format!("{own}, {answer}"));
            tried.state(Some(kind), key, &own).map_err(|error| error.to_string())?;
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
    let accessed = request.today.map_or_else(String::new, |today| today.to_string());
    if kind == EntityKind::Source {
        if draft.values.contains_key("url") {
            draft.values.entry("accessed".to_owned()).or_insert(accessed);
        }
        draft.values.entry("type".to_owned()).or_insert("misc".to_owned());
    } else {
        draft.citation = citation(request, &accessed, catalog, interview)?;
    }
    let text = draft.entity(kind, &path);
    Ok(NewFile { path, text, row: None })
}

/// Whether the request itself states the key.
fn is_stated(request: &NewRequest, key: &str) -> bool {
    request.pairs().any(|pair| pair.is_ok_and(|(stated, _)| stated == key))
}

/// States spellings beside those that are stated.
fn add_aliases(draft: &mut Draft, aliases: Vec<String>, interview: &mut dyn Interview) {
    if aliases.is_empty() {
        return;
    }
    interview.tell(&format!("it is also called {}, as its like are", and_list(&aliases)));
    let stated = draft.values.get("aliases").map(|stated| stated.split(',').map(|alias| alias.trim().to_owned()));
    let mut all: Vec<String> = stated.into_iter().flatten().collect();
    all.extend(aliases.into_iter().filter(|alias| !all.contains(alias)).collect::<Vec<_>>());
    draft.values.insert("aliases".to_owned(), all.join(", "));
}

/// Where the facts are from.
fn citation(
    request: &NewRequest,
    accessed: &str,
    catalog: &Loaded,
    interview: &mut dyn Interview,
) -> Result<Option<Cited>, NewError> {
    let page =
        |url: &str, title: Option<String>| Cited::Page { url: url.to_owned(), title, accessed: accessed.to_owned() };
    if let Some(source) = &request.source {
        return Ok(Some(Cited::Source(source.clone())));
    }
    if let Some(url) = &request.url {
        return Ok(Some(page(url, request.title.clone())));
    }
    let mut cited = None;
    ask_for(interview, "source", "id of the catalog, or https://… of the page the facts are from", |answer| {
        cited = Some(if answer.contains("://") { page(answer, None) } else { Cited::Source(known(answer, catalog)?) });
        Ok(())
    })?;
    if let Some(Cited::Page { title, .. }) = &mut cited {
        *title = interview.ask("title", "what the page is")?;
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
