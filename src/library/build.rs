//! Layout versions of the stores and of the answers cached beside them: hashes of the code that determines their
//! content. Nobody has to bump a version by hand, and no program misreads what another version stored.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write as _;
use std::hash::{DefaultHasher, Hasher as _};
use std::path::{Path, PathBuf};
use std::{env, fs, io};

/// The folders whose code determines the stored data.
const ROOMS: [&str; 5] = ["values", "model", "reading", "comparability", "stores"];

/// The folders whose code also determines the cached answers.
const OF_ANSWERS: [&str; 3] = ["ask", "rows", "../effects"];

fn main() -> io::Result<()> {
    let version = env::var("CARGO_PKG_VERSION").expect("Cargo sets the version");
    println!("cargo::rustc-env=DLBENCH_LAYOUT=v{version}-{:016x}", hash_of(&ROOMS)?);
    println!("cargo::rustc-env=DLBENCH_ANSWERS={:016x}", hash_of(&OF_ANSWERS)?);

    println!("cargo::rerun-if-changed={LEXICON}");
    let table = lexicon_table(&fs::read_to_string(LEXICON)?)
        .map_err(|error| io::Error::other(format!("{LEXICON}: {error}")))?;
    let out = env::var_os("OUT_DIR").expect("Cargo sets the folder");
    fs::write(Path::new(&out).join("lexicon.rs"), table)
}

/// The hash of all source files of some folders.
fn hash_of(rooms: &[&str]) -> io::Result<u64> {
    let mut files = BTreeSet::new();
    for room in rooms {
        println!("cargo::rerun-if-changed={room}");
        collect(Path::new(room), &mut files)?;
    }
    let mut hasher = DefaultHasher::new();
    for file in files {
        // Git may have changed the line ends.
        hasher.write(fs::read_to_string(file)?.replace('\r', "").as_bytes());
    }
    Ok(hasher.finish())
}

/// The lexicon: phrases and their meanings.
const LEXICON: &str = "ask/parse/lexicon.toml";

/// The sections of the lexicon, by the names of the enum `Section`.
const SECTIONS: [&str; 15] = [
    "value",
    "quantity",
    "order",
    "comparative",
    "kind",
    "link",
    "axis",
    "bound",
    "not",
    "ask",
    "not-kept",
    "unit",
    "baseline",
    "number",
    "filler",
];

/// The lexicon as a Rust expression: normalised phrase, section, meaning; sorted.
fn lexicon_table(text: &str) -> Result<String, String> {
    let place = |what: &str| text[..text.find(what).unwrap_or(0)].lines().count().max(1);
    let sections: toml::Table = text.parse().map_err(|error: toml::de::Error| error.to_string())?;
    let mut phrases: BTreeMap<(String, usize), &str> = BTreeMap::new();
    for (name, section) in &sections {
        let number = SECTIONS.iter().position(|known| known == name);
        let number =
            number.ok_or_else(|| format!("line {}: there is no section {name}", place(&format!("[{name}]"))))?;
        let meanings = section.as_table().ok_or_else(|| format!("{name} is not a section"))?;
        for (meaning, list) in meanings {
            let line = || place(&format!("\"{meaning}\" = "));
            let list = list.as_array().ok_or_else(|| format!("line {}: a list of phrases is expected", line()))?;
            for phrase in list {
                let phrase = phrase.as_str().ok_or_else(|| format!("line {}: a phrase is a text", line()))?;
                let normal: String = normal(phrase);
                if let Some(other) = phrases.insert((normal, number), meaning) {
                    return Err(format!("line {}: [{name}] has `{phrase}` twice: {other:?} and {meaning:?}", line()));
                }
            }
        }
    }
    let mut table = String::from("&[\n");
    for ((phrase, section), meaning) in phrases {
        let section: String = SECTIONS[section].split('-').map(|part| part[..1].to_uppercase() + &part[1..]).collect();
        writeln!(table, "    ({phrase:?}, Section::{section}, {meaning:?}),").expect("a text takes every line");
    }
    table.push(']');
    Ok(table)
}

/// The form in which names are compared, as in `values::text::normalise`; a phrase of signs alone stays as it is.
fn normal(phrase: &str) -> String {
    let kept = |c: &char| c.is_alphanumeric() || matches!(c, '+' | '#');
    let normal: String = phrase.chars().flat_map(char::to_lowercase).filter(kept).collect();
    if normal.is_empty() { phrase.to_owned() } else { normal }
}

/// Collects the source files of a folder and its subfolders.
fn collect(folder: &Path, files: &mut BTreeSet<PathBuf>) -> io::Result<()> {
    for entry in fs::read_dir(folder)? {
        let path = entry?.path();
        if path.is_dir() {
            collect(&path, files)?;
        } else if path.extension().is_some_and(|extension| extension == "rs") {
            files.insert(path);
        }
    }
    Ok(())
}
