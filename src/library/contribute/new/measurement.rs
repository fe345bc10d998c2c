//! Appends a measurement to its batch, or creates a suite with one part.

use std::fmt::Write as _;
use std::path::Path;

use super::draft::{Draft, NewError, complaint};
use super::entity::{folder_of, id_of, known};
use super::request::{Interview, NewFile, NewRequest, ask_for};
use crate::model::{Facet, Field};
use crate::reading::{Loaded, canonical, kind_of, toml_text, with_run};
use crate::stores::database::Database;
use crate::stores::{catalog_store, resolve_spelling};
use crate::values::EntityId;
use crate::values::text::{nearest, or_list, printable_path};

/// The path of the batch, and its text with the measurement appended.
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

/// The source of the measurement, from the request or the interview.
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
    source.ok_or_else(|| NewError::request("the source is missing", "name it with --source ID"))
}

/// The current text of the batch; an unreadable file is an error, so that it is not overwritten.
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

/// The keys of a suite, how each is written, and whether it belongs to the suite's part.
const KEYS: &[(&str, SuiteValue, bool)] = &[
    ("description", SuiteValue::Text, false),
    ("protocol", SuiteValue::Text, false),
    ("time-limit-s", SuiteValue::Bare, false),
    ("precision-goal", SuiteValue::Bare, false),
    ("processes", SuiteValue::Bare, false),
    ("workers", SuiteValue::Texts, false),
    ("networks", SuiteValue::Texts, true),
    ("stages", SuiteValue::Texts, true),
    ("precisions", SuiteValue::Texts, true),
    ("batch-sizes", SuiteValue::Numbers, true),
    ("input-shape", SuiteValue::Text, true),
    ("dataset", SuiteValue::Text, true),
];

#[derive(Clone, Copy)]
enum SuiteValue {
    Text,
    Bare,
    Texts,
    Numbers,
}

/// The path and the text of the new suite.
pub(super) fn suite_file(
    request: &NewRequest,
    catalog: &Loaded,
    interview: &mut dyn Interview,
) -> Result<NewFile, NewError> {
    let name = &request.name;
    let id = request
        .id
        .clone()
        .or_else(|| id_of(name))
        .ok_or_else(|| NewError::request("the name makes no id", "give one with --id"))?;
    let path = Path::new("catalog/suites").join(format!("{id}.toml"));
    if catalog.files.iter().any(|(file, _)| file.path == path) {
        return Err(NewError::request(format!("there is already a suite `{id}`"), "give another id with --id"));
    }
    let names = NameReader::of(catalog)?;
    let mut stated: Vec<(&str, String)> = Vec::new();
    for pair in request.pairs() {
        let (key, value) = pair?;
        let Some((key, ..)) = KEYS.iter().find(|(known, ..)| *known == key) else {
            let known: Vec<&str> = KEYS.iter().map(|(key, ..)| *key).collect();
            let near = nearest(key, known.iter().copied(), 2);
            let near = if near.is_empty() { known } else { near };
            return Err(NewError::request(
                format!("a suite has no key `{key}`"),
                format!("did you mean {}?", or_list(&near)),
            ));
        };
        let value =
            read(key, value, &names).map_err(|why| NewError::request(&why, "`dlbench list networks` lists them"))?;
        stated.push((key, value));
    }
    for (key, example) in request.kind.questions() {
        if stated.iter().any(|(known, _)| known == key) {
            continue;
        }
        ask_for(interview, key, example, |answer| {
            let mut tried = stated.clone();
            tried.push((key, read(key, answer, &names)?));
            match complaint(catalog, &path, &text(name, &tried, &path), key) {
                Some(why) => Err(why),
                None => {
                    stated = tried;
                    Ok(())
                }
            }
        })?;
    }
    let text = text(name, &stated, &path);
    Ok(NewFile { path, text, row: None })
}

/// The value of a key, with names of networks and data sets replaced by ids.
fn read(key: &str, value: &str, names: &NameReader) -> Result<String, String> {
    let facet = match key {
        "networks" => Facet::Network,
        "dataset" => Facet::Dataset,
        _ => return Ok(value.trim().to_owned()),
    };
    let ids: Result<Vec<String>, String> = value.split(',').map(|name| names.id(facet, name.trim())).collect();
    Ok(ids?.join(", "))
}

fn text(name: &str, stated: &[(&str, String)], path: &Path) -> String {
    let quoted = |text: &str| toml_text(text).to_string();
    let list = |items: &mut dyn Iterator<Item = String>| format!("[{}]", items.collect::<Vec<_>>().join(", "));
    let mut text = format!("name = {}\n", quoted(name));
    for of_part in [false, true] {
        if of_part {
            text.push_str("\n[[part]]\n");
        }
        for (key, written, _) in KEYS.iter().filter(|(.., part)| *part == of_part) {
            let Some((_, value)) = stated.iter().find(|(known, _)| known == key) else { continue };
            let plain = |text: &str| text.parse::<f64>().map_or_else(|_| quoted(text), |_| text.to_owned());
            let items = value.split(',').map(str::trim);
            let value = match written {
                SuiteValue::Text => quoted(value),
                SuiteValue::Bare => plain(value),
                SuiteValue::Texts => list(&mut items.map(quoted)),
                SuiteValue::Numbers => list(&mut items.map(plain)),
            };
            let _ = writeln!(text, "{key} = {value}");
        }
    }
    canonical(&text, &kind_of(path)).unwrap_or(text)
}

/// Resolves names against the catalog, even if other files have mistakes.
pub(super) struct NameReader(Database);

impl NameReader {
    pub fn of(loaded: &Loaded) -> Result<Self, NewError> {
        Ok(Self(catalog_store(&loaded.catalog)?))
    }

    /// The id that a name resolves to.
    pub fn id(&self, facet: Facet, name: &str) -> Result<String, String> {
        let resolved = resolve_spelling(&self.0, facet, name).map_err(|error| error.to_string())?;
        resolved.entity().map(str::to_owned).ok_or_else(|| format!("`{name}`: {}", resolved.why))
    }

    /// Replaces names by ids; also sets what the name states in addition, such as a version or a count.
    pub fn read(&self, draft: &mut Draft) -> Result<(), NewError> {
        for (field, kind) in Field::of_entities() {
            let Some(spelling) = draft.values.get(field.key()).cloned() else { continue };
            let resolved = resolve_spelling(&self.0, Facet::of_entities(kind), &spelling)?;
            let [id] = resolved.ids.as_slice() else {
                return Err(NewError::request(
                    format!("`{}` is not a {} of the catalog: {}", spelling, kind.noun(), resolved.why),
                    format!("`dlbench list {}` lists them, `dlbench new {kind}` makes one", kind.plural()),
                ));
            };
            if resolved.entity().is_none() {
                return Err(NewError::request(format!("`{spelling}`: {}", resolved.why), "name the id"));
            }
            if *id != spelling {
                draft.values.insert(field.key().to_owned(), id.clone());
                if let Some(raw) = field.raw() {
                    draft.values.entry(raw.key().to_owned()).or_insert(spelling);
                }
            }
            if let (Some(field), Some(version)) = (field.version(), resolved.version) {
                draft.values.entry(field.key().to_owned()).or_insert(version);
            }
            for (of_name, format) in [
                (Field::WeightFormat, resolved.weight_format),
                (Field::ActivationFormat, resolved.activation_format),
                (Field::Quantization, resolved.quantization),
            ] {
                if let Some(format) = format.filter(|_| field == Field::Network) {
                    draft.values.entry(of_name.key().to_owned()).or_insert(format);
                }
            }
            if field == Field::Device
                && let Some(count) = resolved.count
            {
                draft.values.entry(Field::DeviceCount.key().to_owned()).or_insert(count.to_string());
            }
        }
        Ok(())
    }
}
