//! A new suite of one part: what `dlbench run --suite` measures.

use std::fmt::Write as _;
use std::path::{Path, PathBuf};

use super::super::failure::Failure;
use super::args::NewArgs;
use super::dialogue::Dialogue;
use super::names::Reader;
use dlbench::contribute::new::{complaint, id_of};
use dlbench::model::Facet;
use dlbench::reading::{Loaded, canonical, kind_of, toml_text};
use dlbench::values::text::{nearest, or_list};

/// What a suite states, how it is written, and whether it belongs to the part.
const KEYS: &[(&str, Written, bool)] = &[
    ("description", Written::Text, false),
    ("protocol", Written::Text, false),
    ("time-limit-s", Written::Bare, false),
    ("precision-goal", Written::Bare, false),
    ("networks", Written::Texts, true),
    ("stages", Written::Texts, true),
    ("precisions", Written::Texts, true),
    ("batch-sizes", Written::Numbers, true),
    ("input-shape", Written::Text, true),
    ("dataset", Written::Text, true),
];

#[derive(Clone, Copy)]
enum Written {
    Text,
    Bare,
    Texts,
    Numbers,
}

/// Where the suite goes, and its text.
pub(super) fn written(
    args: &NewArgs,
    name: &str,
    catalog: &Loaded,
    dialogue: &mut Dialogue<'_>,
) -> Result<(PathBuf, String), Failure> {
    let id = args
        .id
        .clone()
        .or_else(|| id_of(name))
        .ok_or_else(|| Failure::usage("the name makes no id", "give one with --id"))?;
    let path = Path::new("catalog/suites").join(format!("{id}.toml"));
    if catalog.files.iter().any(|(file, _)| file.path == path) {
        return Err(Failure::usage(format!("there is already a suite `{id}`"), "give another id with --id"));
    }
    let names = Reader::of(catalog)?;
    let mut stated: Vec<(&str, String)> = Vec::new();
    for pair in &args.set {
        let (key, value) = pair
            .split_once('=')
            .filter(|(_, value)| !value.trim().is_empty())
            .ok_or_else(|| Failure::usage(format!("--set {pair} states nothing"), "write --set key=value"))?;
        let Some((key, ..)) = KEYS.iter().find(|(known, ..)| *known == key) else {
            let known: Vec<&str> = KEYS.iter().map(|(key, ..)| *key).collect();
            let near = nearest(key, known.iter().copied(), 2);
            let near = if near.is_empty() { known } else { near };
            return Err(Failure::usage(
                format!("a suite has no key `{key}`"),
                &format!("did you mean {}?", or_list(&near)),
            ));
        };
        let value =
            read(key, value, &names).map_err(|why| Failure::usage(&why, "`dlbench list networks` lists them"))?;
        stated.push((key, value));
    }
    for (key, example) in args.kind.questions() {
        if stated.iter().any(|(known, _)| known == key) {
            continue;
        }
        dialogue.ask_for(key, example, |answer| {
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
    Ok((path, text))
}

/// A value with the ids of what it names.
fn read(key: &str, value: &str, names: &Reader) -> Result<String, String> {
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
                Written::Text => quoted(value),
                Written::Bare => plain(value),
                Written::Texts => list(&mut items.map(quoted)),
                Written::Numbers => list(&mut items.map(plain)),
            };
            let _ = writeln!(text, "{key} = {value}");
        }
    }
    canonical(&text, &kind_of(path)).unwrap_or(text)
}
