//! A new suite of one part: what `dlbench run --suite` measures.

use std::fmt::Write as _;
use std::path::Path;

use super::complaint::complaint;
use super::error::NewError;
use super::identity::id_of;
use super::interview::{Interview, ask_for};
use super::names::NameReader;
use super::request::{NewFile, NewRequest};
use crate::model::Facet;
use crate::reading::{Loaded, canonical, kind_of, toml_text};
use crate::values::text::{nearest, or_list};

/// What a suite states, how it is written, and whether it belongs to the part.
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

/// Where the suite goes, and its text.
pub(super) fn file(request: &NewRequest, catalog: &Loaded, interview: &mut dyn Interview) -> Result<NewFile, NewError> {
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

/// A value with the ids of what it names.
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
