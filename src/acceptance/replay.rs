//! Every imported source, read again where it lies beside the repository, gives the files that are in it byte for byte.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::{Path, PathBuf};

use tempfile::TempDir;

use crate::sources::COMPARED_BY_VALUE;
use crate::{Dlbench, REPOSITORY};

/// Sources that come in by a named format: the format, the source, and its file below the source's folder, where it is
/// not the whole folder.
const BY_FORMAT: &[(&str, &str, &str)] = &[
    ("autumnai", "autumnai-2018", "benchmark.json"),
    ("cnn-benchmarks", "jcjohnson-2017", ""),
    ("dawnbench", "dawnbench-2020", ""),
    ("lambdal", "lambdal-2025", ""),
    ("mlperf-csv", "mlperf-inference-v0.5", "summary-derived.csv"),
    ("mlperf-csv", "mlperf-inference-v0.7", "summary-derived.csv"),
    ("mlperf-csv", "mlperf-inference-v1.0", "summary-derived.csv"),
    ("mlperf-csv", "mlperf-inference-v2.0", "summary-derived.csv"),
    ("mlperf-csv", "mlperf-inference-v2.1", "summary-derived.csv"),
    ("mlperf-csv", "mlperf-inference-v3.0", "summary-derived.csv"),
    ("mlperf-csv", "mlperf-inference-v3.1", "inference-v3.1-derived.csv"),
    ("mlperf-csv", "mlperf-inference-v4.0", "inference-v4.0-derived.csv"),
    ("mlperf-json", "mlperf-automotive-v0.5", "summary_results.json"),
    ("mlperf-json", "mlperf-inference-v4.1", "summary_results.json"),
    ("mlperf-json", "mlperf-inference-v6.0", "summary_results.json"),
    ("mlperf-training", "mlperf-hpc-v3.0", "runs-derived.csv"),
    ("mlperf-training", "mlperf-training-v0.5", "runs-derived.csv"),
    ("mlperf-training", "mlperf-training-v0.6", "scores-derived.csv"),
    ("mlperf-training", "mlperf-training-v0.7", "scores-derived.csv"),
    ("mlperf-training", "mlperf-training-v1.0", "scores-derived.csv"),
    ("mlperf-training", "mlperf-training-v1.1", "scores-derived.csv"),
    ("mlperf-training", "mlperf-training-v2.0", "scores-derived.csv"),
    ("mlperf-training", "mlperf-training-v2.1", "scores-derived.csv"),
    ("mlperf-training", "mlperf-training-v3.0", "scores-derived.csv"),
    ("mlperf-training", "mlperf-training-v3.1", "scores-derived.csv"),
    ("mlperf-training", "mlperf-training-v4.0", "scores-derived.csv"),
    ("mlperf-training", "mlperf-training-v5.0", "scores-derived.csv"),
    ("mlperf-training", "mlperf-training-v5.1", "scores-derived.csv"),
    ("ncnn", "ncnn-2026", ""),
    ("pytorch-gpu-benchmark", "ryujaehun-2021", ""),
    ("timm", "timm-2026", ""),
    ("undertherain", "undertherain-2021", ""),
];

#[test]
fn every_imported_source_read_again_gives_the_same_bytes() {
    let sources = crate::sources_folder();
    if !sources.is_dir() {
        eprintln!("SKIPPED: {} is not there, so no source can be read again", sources.display());
        return;
    }
    let program = Dlbench::on(REPOSITORY);
    let (mut compared, mut rows, mut wrong) = (0, 0, Vec::new());
    for (source, words) in imports(&sources) {
        let output = TempDir::new().expect("a temporary folder");
        let folder = output.path().to_string_lossy().into_owned();
        let mut arguments = vec!["import"];
        arguments.extend(words.iter().map(String::as_str));
        arguments.extend(["--output", &folder]);
        let ran = program.run(&arguments);
        if (ran.code, ran.stderr.as_str()) != (0, "") {
            wrong.push(format!("{source}: {arguments:?} ends with {}: {}{}", ran.code, ran.stdout, ran.stderr));
            continue;
        }
        let (written, left_out) = accounted(&source, &ran.stdout);
        rows += written;
        let told = told_left_out(&source);
        if told != left_out {
            wrong.push(format!("{source}: {left_out} records are left out, its entry tells of {told}"));
        }
        let again = files(output.path());
        let kept = files(&Path::new(REPOSITORY).join("measurements").join(&source));
        let differ = again.keys().chain(kept.keys()).filter(|name| again.get(*name) != kept.get(*name));
        let mut differ: Vec<&String> = differ.collect();
        differ.sort();
        differ.dedup();
        wrong.extend(differ.iter().map(|name| format!("{source}/{name} is not what its source says today")));
        compared += 1;
    }
    assert!(wrong.is_empty(), "\n{}", wrong.join("\n"));
    println!("{compared} sources read again: {rows} measurements are the same, byte for byte");
    assert!(compared >= 29, "only {compared} sources were compared");
}

#[test]
fn every_source_with_measurements_is_compared_with_what_it_says() {
    let by_value = COMPARED_BY_VALUE.iter().chain(crate::printed_figures::COMPARED);
    let by_value: Vec<String> = by_value.map(|source| (*source).to_owned()).collect();
    let by_format = BY_FORMAT.iter().map(|(_, source, _)| (*source).to_owned());
    let recipes = files(&Path::new(REPOSITORY).join("catalog/recipes"));
    let by_recipe = recipes.keys().map(|name| name.trim_end_matches(".toml").to_owned());
    let measured = [crate::measured::SOURCE.to_owned()];
    let compared: BTreeSet<String> = by_value.into_iter().chain(by_format).chain(by_recipe).chain(measured).collect();
    let folders = fs::read_dir(Path::new(REPOSITORY).join("measurements")).expect("the measurements");
    let kept: BTreeSet<String> =
        folders.map(|entry| entry.expect("an entry").file_name().to_string_lossy().into_owned()).collect();
    let missing: Vec<&String> = kept.difference(&compared).collect();
    assert!(missing.is_empty(), "no test compares {missing:?}: give each a recipe, a format or a comparison");
    let gone: Vec<&String> = compared.difference(&kept).collect();
    assert!(gone.is_empty(), "{gone:?} have no measurements");
    assert!(kept.len() >= 35, "measurements of only {} sources", kept.len());
}

#[test]
fn no_measurements_lie_in_a_file_that_is_not_read() {
    let folders = fs::read_dir(Path::new(REPOSITORY).join("measurements")).expect("the measurements");
    for folder in folders {
        for file in fs::read_dir(folder.expect("an entry").path()).expect("a folder of a source") {
            let name = file.expect("an entry").file_name().to_string_lossy().into_owned();
            assert!(name.ends_with(".toml") && !name.starts_with('.'), "{name} is not read");
        }
    }
}

/// Rows read = rows written + rows left out; the rows written and those left out.
fn accounted(source: &str, account: &str) -> (usize, usize) {
    let rows = |word: &str| -> usize {
        let lines = account.lines().filter(|line| line.contains(word));
        lines.filter_map(|line| line.split_whitespace().next()?.parse::<usize>().ok()).sum()
    };
    let (read, written, left_out) = (rows("  read"), rows("  written to"), rows("  left out: "));
    assert!(read > 0 && read == written + left_out, "{source}: {read} read, {written} written, {left_out} left out");
    (written, left_out)
}

/// The records that the entry of a source says are left out, over all reasons with a count.
fn told_left_out(source: &str) -> usize {
    let reasons = entry_of(source).get("left-out").and_then(toml::Value::as_array).cloned().unwrap_or_default();
    let rows = reasons.iter().filter_map(|reason| reason.get("rows")?.as_integer());
    rows.sum::<i64>().try_into().expect("counts are positive")
}

/// The entry of a source.
fn entry_of(source: &str) -> toml::Table {
    let entry = fs::read_to_string(Path::new(REPOSITORY).join(format!("catalog/sources/{source}.toml")));
    entry.expect(source).parse().expect("the entry is TOML")
}

/// The arguments of each import, by source.
fn imports(sources: &Path) -> BTreeMap<String, Vec<String>> {
    let mut imports = BTreeMap::new();
    let text = |path: PathBuf| path.to_string_lossy().into_owned();
    for (format, source, file) in BY_FORMAT {
        let file = text(folder_of(sources, source).join(file));
        let words = [*format, &file, "--source", source].map(str::to_owned);
        imports.insert((*source).to_owned(), words.to_vec());
    }
    let recipe = |path: PathBuf, source: &str| {
        let folder = text(folder_of(sources, source));
        vec!["--recipe".to_owned(), text(path), folder, "--source".to_owned(), source.to_owned()]
    };
    for (name, _) in files(&Path::new(REPOSITORY).join("catalog/recipes")) {
        let source = name.trim_end_matches(".toml");
        let path = Path::new(REPOSITORY).join("catalog/recipes").join(&name);
        imports.insert(source.to_owned(), recipe(path, source));
    }
    imports
}

/// The folder that holds a source: `<owner>__<repository>`, told by its entry's URL.
fn folder_of(sources: &Path, source: &str) -> PathBuf {
    let entry = entry_of(source);
    let url = entry["url"].as_str().unwrap_or_default();
    let mut parts = url.trim_start_matches("https://github.com/").split('/');
    let (owner, repository) = (parts.next().unwrap_or_default(), parts.next().unwrap_or_default());
    let folder = sources.join(format!("{owner}__{repository}"));
    assert!(folder.is_dir(), "{source}: {} is not there", folder.display());
    folder
}

fn files(folder: &Path) -> BTreeMap<String, String> {
    let entries = fs::read_dir(folder).unwrap_or_else(|error| panic!("{}: {error}", folder.display()));
    let entries = entries.map(|entry| entry.expect("an entry").path());
    entries
        .filter(|path| path.extension().is_some_and(|extension| extension == "toml"))
        .map(|path| {
            let name = path.file_name().expect("a name").to_string_lossy().into_owned();
            (name, fs::read_to_string(path).expect("TOML is text"))
        })
        .collect()
}
