//! Creates a catalog entry: its id and file, a check for existing entries of that name, and aliases in the style of other entries.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};
use std::sync::LazyLock;

use regex::Regex;

use super::draft::NewError;
use super::draft::complaint;
use super::draft::{Cited, Draft};
use super::request::{Interview, ask_for};
use super::request::{NewFile, NewRequest};
use crate::model::Device;
use crate::reading::Loaded;
use crate::values::text::normalise;
use crate::values::text::{and_list, nearest};
use crate::values::{EntityId, EntityKind};

/// The path and the text of the new entry.
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
        // Derived aliases do not replace the question about aliases.
        if draft.values.contains_key(*key) && *key != "aliases" || is_stated(request, key) {
            continue;
        }
        ask_for(interview, key, example, |answer| {
            // The reader would accept the new id as a reference to an existing entity.
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

/// Whether the request itself sets the key.
fn is_stated(request: &NewRequest, key: &str) -> bool {
    request.pairs().any(|pair| pair.is_ok_and(|(stated, _)| stated == key))
}

/// Adds aliases to those that the request states.
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

/// The citation for the facts, from the request or the interview.
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
    for example in
        ["id of the catalog, or https://… of the page the facts are from", "needed: facts without a source are refused"]
    {
        if cited.is_none() {
            ask_for(interview, "source", example, |answer| {
                cited = Some(match answer.contains("://") {
                    true => page(answer, None),
                    false => Cited::Source(known(answer, catalog)?),
                });
                Ok(())
            })?;
        }
    }
    if let Some(Cited::Page { title, .. }) = &mut cited {
        *title = interview.ask("title", "what the page is")?;
    }
    let help = "--source ID of the catalog, or --url URL --title TEXT of the page with the facts";
    cited.map(Some).ok_or_else(|| NewError::request("the source of the facts is missing", help))
}

/// Looks up a source of the catalog by id; the error suggests what to do.
pub(super) fn known(id: &str, catalog: &Loaded) -> Result<EntityId, String> {
    let sources = &catalog.catalog.sources;
    if let Some(source) = sources.get(id) {
        return Ok(source.id.clone());
    }
    let (same, near) = alike(catalog, EntityKind::Source, id);
    match (same.as_slice(), near.as_slice()) {
        ([one], _) => one.parse().map_err(|_| format!("`{one}` is not an id")),
        (_, []) => {
            Err(format!("there is no source `{id}`: `dlbench list sources` names them, `dlbench new source` makes one"))
        }
        (_, near) => {
            Err(format!("there is no source `{id}`: near are {}; `dlbench new source` makes one", and_list(near)))
        }
    }
}

/// The folder with the measurements of a source.
pub(super) fn folder_of(source: &EntityId) -> PathBuf {
    Path::new("measurements").join(source.as_str())
}

/// Matches a memory size such as `32 GB` in a name; ids write it `32gb`.
static SIZE: LazyLock<Regex> =
    LazyLock::new(|| Regex::new(r"(?i)\b(\d+)\s+(gb|mb|tb)\b").expect("the pattern is tested"));

/// The id for a name in the style of existing entries: sizes in one word, without the vendor if most ids of its devices omit it.
pub(super) fn id_like_others(loaded: &Loaded, kind: EntityKind, name: &str) -> Option<EntityId> {
    let sized = SIZE.replace_all(name, "$1$2");
    let bare = match kind {
        EntityKind::Device => without_maker(loaded, &sized).filter(|(maker, _)| ids_lack(loaded, maker)),
        _ => None,
    };
    id_of(bare.map_or(&*sized, |(_, rest)| rest))
}

/// Aliases for a name in the style of existing entries: the name without its product line (`RTX 4090`), if other
/// devices of the line have such aliases and no other entry has this one.
pub(super) fn aliases_like_others(loaded: &Loaded, kind: EntityKind, name: &str) -> Vec<String> {
    if kind != EntityKind::Device {
        return Vec::new();
    }
    let bare = without_maker(loaded, name).map_or(name, |(_, rest)| rest);
    let short = bare.split_once(' ').filter(|(line, _)| is_left_out(loaded, line)).map(|(_, rest)| rest.to_owned());
    // A number alone, or fewer than three characters, would match too many things.
    let says_enough = |alias: &String| alias.contains(|c: char| c.is_alphabetic()) && alias.len() >= 3;
    let taken: BTreeSet<String> = names(loaded, kind);
    short.into_iter().filter(|alias| says_enough(alias) && !taken.contains(&normalise(alias))).collect()
}

/// Splits a name into the vendor at its start and the rest.
fn without_maker<'n>(loaded: &Loaded, name: &'n str) -> Option<(&'n str, &'n str)> {
    let makers = loaded.catalog.devices.values().filter_map(|device| device.vendor.as_deref());
    let rest = makers.filter_map(|maker| after(name, maker)).min_by_key(|rest| rest.len())?;
    Some((name[..name.len() - rest.len()].trim_end(), rest))
}

/// The rest of a name after its first word or words; `None` if the name does not start with them.
fn after<'n>(name: &'n str, first: &str) -> Option<&'n str> {
    let rest =
        name.get(..first.len()).filter(|start| start.eq_ignore_ascii_case(first)).map(|_| &name[first.len()..])?;
    rest.strip_prefix(' ').map(str::trim_start).filter(|rest| !rest.is_empty())
}

/// Whether most ids of a vendor's devices omit the vendor's name.
fn ids_lack(loaded: &Loaded, maker: &str) -> bool {
    let Some(prefix) = id_of(maker) else { return false };
    let of_maker = |device: &&Device| device.vendor.as_deref().is_some_and(|own| own.eq_ignore_ascii_case(maker));
    let own: Vec<&Device> = loaded.catalog.devices.values().filter(of_maker).collect();
    own.iter().filter(|device| !device.id.as_str().starts_with(prefix.as_str())).count() * 2 > own.len()
}

/// Whether devices of a product line have aliases without the line's name: at least two, and half of them.
fn is_left_out(loaded: &Loaded, line: &str) -> bool {
    let mut of_line = (0, 0);
    for device in loaded.catalog.devices.values() {
        let bare = device.vendor.as_deref().and_then(|maker| after(&device.name, maker)).unwrap_or(&device.name);
        let Some(short) = after(bare, line) else { continue };
        let called = device.aliases.iter().any(|alias| normalise(alias) == normalise(short));
        of_line = (of_line.0 + 1, of_line.1 + usize::from(called));
    }
    of_line.1 >= 2 && of_line.1 * 2 >= of_line.0
}

/// All normalised names of the entities of a kind.
fn names(loaded: &Loaded, kind: EntityKind) -> BTreeSet<String> {
    let entities = loaded.catalog.entities().filter(|entity| entity.kind() == kind);
    let names = entities.flat_map(|entity| {
        let own = [entity.id(), entity.name()].into_iter();
        own.chain(entity.aliases().iter().map(String::as_str)).map(normalise).collect::<Vec<_>>()
    });
    names.collect()
}

/// Derives an id from a name: `Nova 100 (PCIe)` becomes `nova-100-pcie`.
pub fn id_of(name: &str) -> Option<EntityId> {
    EntityId::of_name(name)
}

/// The entities of the kind that already have this name, and those with similar names.
pub fn alike(loaded: &Loaded, kind: EntityKind, name: &str) -> (Vec<String>, Vec<String>) {
    let mut names: Vec<(String, String)> = Vec::new();
    for entity in loaded.catalog.entities().filter(|entity| entity.kind() == kind) {
        for name in entity.aliases().iter().map(String::as_str).chain([entity.name(), entity.id()]) {
            names.push((normalise(name), entity.id().to_owned()));
        }
    }
    let normal = normalise(name);
    let ids = |wanted: &[&str]| {
        let mut ids: Vec<String> = Vec::new();
        for (name, id) in &names {
            if wanted.contains(&name.as_str()) && !ids.contains(id) {
                ids.push(id.clone());
            }
        }
        ids
    };
    let same = ids(&[&normal]);
    let near = nearest(&normal, names.iter().map(|(name, _)| name.as_str()), 5);
    let near = ids(&near).into_iter().filter(|id| !same.contains(id)).collect();
    (same, near)
}

/// The path of a new entity's file.
pub fn place_of(kind: EntityKind, id: &EntityId) -> PathBuf {
    Path::new("catalog").join(kind.plural()).join(format!("{id}.toml"))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::reading::{FileKind, KbFile, kind_of, load_texts};

    fn loaded() -> Loaded {
        let entry = |id: &str, name: &str, alias: &str, vendor: &str| {
            let path = format!("catalog/devices/{id}.toml").into();
            let text = format!("name = \"{name}\"\naliases = [\"{alias}\"]\nclass = \"gpu\"\nvendor = \"{vendor}\"\n");
            (KbFile { kind: kind_of(std::path::Path::new(&path)), path, len: 0, stamp: [0; 3] }, text)
        };
        let files = [
            entry("nebula-x-50", "Acme Nebula X 50", "X 50", "Acme"),
            entry("nebula-x-60", "Acme Nebula X 60", "X 60", "Acme"),
            entry("orbit-m1", "Orbit M1", "M1", "Orbit"),
            entry("orbit-m2", "Orbit M2", "M2", "Orbit"),
        ];
        let listed: Vec<KbFile> = files.iter().map(|(file, _)| file.clone()).collect();
        load_texts(&listed, |file| match &file.kind {
            FileKind::Misplaced(fault) => Err(fault.clone()),
            _ => Ok(files
                .iter()
                .find(|(own, _)| own.path == file.path)
                .map_or_else(String::new, |(_, text)| text.clone())),
        })
    }

    #[test]
    fn a_new_device_is_called_like_its_makers_others() {
        let loaded = loaded();
        let id = |name| id_like_others(&loaded, EntityKind::Device, name).map(|id| id.to_string());
        assert_eq!(id("Acme Nebula X 70 24 GB").as_deref(), Some("nebula-x-70-24gb"));
        assert_eq!(id("Orbit M3").as_deref(), Some("orbit-m3"));
        assert_eq!(id("Somebody's Z1").as_deref(), Some("somebody-s-z1"));
    }

    #[test]
    fn the_product_line_is_left_out_where_others_leave_it_out() {
        let loaded = loaded();
        let aliases = |name| aliases_like_others(&loaded, EntityKind::Device, name);
        assert_eq!(aliases("Acme Nebula X 70"), ["X 70"]);
        assert_eq!(aliases("Acme Nebula X 60"), [""; 0], "somebody else is called so");
        assert_eq!(aliases("Acme Comet X 70"), [""; 0], "nobody is called so");
    }

    #[test]
    fn names_suggest_ids() {
        for (name, id) in [
            ("Nova 100 PCIe 32 GB", "nova-100-pcie-32-gb"),
            ("ResNet-50 v1.5", "resnet-50-v1.5"),
            ("  (C++) Library", "c-plus-plus-library"),
        ] {
            assert_eq!(id_of(name).map(|id| id.to_string()).as_deref(), Some(id));
        }
        assert_eq!(id_of("…"), None);
    }
}
