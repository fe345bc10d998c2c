//! The documents match the program: commands are run, entries are read, and the page on data quality is current.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::ops::Range;
use std::path::Path;

use crate::{Dlbench, KbCopy, REPOSITORY, Ran};

/// The documents that people read first.
const DOCUMENTS: &[&str] = &["README.md", "CONTRIBUTING.md"];

/// Folder of the topics of `dlbench help`.
const TOPICS: &str = "src/library/help";

/// Sample answers of many kinds, for review. It names the knowledge base that all documents were written with.
const ANSWERS: &str = "src/acceptance/ANSWERS.md";

/// While the knowledge base is the one that the documents were written with, their output must be exactly the program's. After a
/// change of the data only the form is compared: a new row must not break the tests of the person who adds it.
#[test]
fn the_output_in_the_documents_is_current() {
    let program = Dlbench::on(REPOSITORY);
    let status = program.json(&["index", "--status", "-f", "json"]);
    let content = status["content"].as_str().expect("the knowledge base has a content hash");
    let is_same = text(ANSWERS).contains(&content_line(content));
    for name in every_document() {
        let document = text(&name);
        let shown = outputs(&document);
        let mut current = document.clone();
        for output in shown.iter().rev() {
            let printed = output.printed(&program);
            assert!(!printed.trim().is_empty(), "{name}: `{}` prints nothing", output.command);
            if !is_same && std::env::var_os("DLBENCH_UPDATE_DOCS").is_none() {
                let [was, is] = [&document[output.range.clone()], &printed].map(parts);
                assert_eq!(
                    was, is,
                    "{name}: the output of `{}` has other parts: `make docs` writes it",
                    output.command
                );
            }
            current.replace_range(output.range.clone(), &printed);
        }
        if std::env::var_os("DLBENCH_UPDATE_DOCS").is_some() {
            fs::write(Path::new(REPOSITORY).join(&name), with_content_line(current, content))
                .expect("it can be written");
        } else if is_same {
            assert!(current == document, "the output shown in {name} is not current: `make docs` writes it");
        }
    }
}

#[test]
fn the_first_documents_are_short_and_their_numbers_hold() {
    let [readme, contributing] = ["README.md", "CONTRIBUTING.md"].map(text);
    assert!(readme.lines().count() <= 120 && contributing.lines().count() <= 150);
    let rows = readme.lines().filter(|line| line.starts_with("| `")).count();
    assert_eq!(rows, 8, "eight questions with a line of answer each");
    let status = Dlbench::on(REPOSITORY).json(&["index", "--status", "-f", "json"]);
    let (_, holds) = readme.split_once("It holds about").expect("how large the data are");
    let (holds, _) = holds.split_once("(").expect("as of when");
    let words: Vec<&str> = holds.split_whitespace().collect();
    for kind in ["measurements", "sources", "devices", "networks", "frameworks"] {
        let place = words.iter().position(|word| word.trim_end_matches(',') == kind).expect(kind);
        let stated: u64 = words[place - 1].replace(',', "").parse().expect("a number");
        let there = status[kind].as_u64().expect("a number");
        assert!((there / 2..=there + there / 100).contains(&stated), "{stated} {kind} are stated, {there} are there");
    }
    for link in readme.split("](").skip(1).chain(readme.split("src=\"").skip(1)) {
        let path = link.split([')', '"']).next().unwrap_or_default();
        assert!(Path::new(REPOSITORY).join(path).exists(), "README links {path}");
    }
}

#[test]
fn the_entries_in_the_help_are_read_without_a_mistake() {
    let kb = KbCopy::new();
    let document = text(&format!("{TOPICS}/records.md"));
    let mut kinds = Vec::new();
    for block in blocks(&document).iter().filter(|block| block.language == "toml") {
        let place =
            block.body.lines().next().and_then(|line| line.strip_prefix("# ")).expect("an entry begins with its path");
        kb.write(place, block.body);
        kinds.push(place.rsplit_once('/').expect("entries lie in folders").0.to_owned());
    }
    kinds.sort();
    kinds.dedup();
    assert_eq!(kinds.len(), 8, "an entry of each kind: {kinds:?}");
    kb.dlbench().ok(&["index", "--status", "-f", "json"]);
    let checked = kb.dlbench().run(&["check", "--deny", "warnings"]);
    assert_eq!(checked.code, 0, "{}", checked.stdout);
}

#[cfg(unix)]
#[test]
fn the_commands_that_contributing_leads_with_can_be_pasted() {
    // A clone without most measurements, which take long to copy and to read.
    let clone = tempfile::TempDir::new().expect("a temporary folder");
    for folder in ["catalog", ".schemas", "measurements/u39kun-2018", "measurements/jcjohnson-2017"] {
        crate::copy(&Path::new(REPOSITORY).join(folder), &clone.path().join(folder));
    }
    let document = text("CONTRIBUTING.md");
    let blocks: Vec<Block<'_>> = blocks(&document).into_iter().filter(|block| block.language == "sh").collect();
    let lines = blocks.iter().flat_map(|block| block.body.lines()).filter(|line| !line.contains("dlbench import "));
    // The program has already been built.
    let pasted: Vec<&str> = lines.filter(|line| !line.starts_with("cargo build ")).collect();
    assert!(pasted.len() >= 5, "CONTRIBUTING leads with commands");
    let program = Dlbench::on(clone.path());
    let built = Path::new(env!("CARGO_BIN_EXE_dlbench")).parent().expect("the program lies in a folder");
    let path = format!("{}:{}", built.display(), std::env::var("PATH").unwrap_or_default());
    let mut shell = std::process::Command::new("sh");
    shell.args(["-e", "-c", &pasted.join("\n")]).current_dir(clone.path()).env("PATH", path).env_remove("DLBENCH_KB");
    let output = shell.env("DLBENCH_CACHE", &program.cache).env("NO_COLOR", "1").output().expect("there is a shell");
    let told = String::from_utf8_lossy(&output.stdout).into_owned() + &String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success(), "{told}");
    assert!(!told.contains("warning"), "{told}");
    let answer = program.answer("my-benchmark-2026");
    assert_eq!(answer["measurements"][0]["metrics"]["latency_ms"], 41.5, "{answer:#}");
    assert_eq!(answer["measurements"][0]["device"], "tesla-v100-pcie-16gb", "{answer:#}");
}

/// Commands that are not run here: they write, or run until they are stopped.
const NOT_RUN: &[&str] = &[
    "check",
    "export",
    "fmt",
    "init",
    "mcp",
    "new",
    "paper",
    "pull",
    "run",
    "schema --write",
    "serve",
    "site",
    "snapshot",
    "workers",
];

#[test]
fn the_commands_that_the_documents_name_exist() {
    let program = Dlbench::on(REPOSITORY);
    for name in every_document() {
        let document = text(&name);
        let inline = document.split('`').filter(|code| code.starts_with("dlbench ") && !code.contains('\n'));
        let shell = blocks(&document).into_iter().filter(|block| block.language == "sh");
        let shell: Vec<&str> = shell.flat_map(|block| block.body.lines()).collect();
        let shell = shell.iter().map(|line| line.split(" #").next().unwrap_or_default().trim());
        let shell = shell.filter(|line| line.starts_with("dlbench ") && !line.ends_with('\\'));
        let commands: BTreeSet<&str> = inline.chain(shell).collect();
        for command in commands {
            let typed = &command["dlbench ".len()..];
            let is_run = !NOT_RUN.iter().any(|start| typed == *start || typed.starts_with(&format!("{start} ")));
            let words = words(typed);
            let is_placeholder = |word: &String| {
                word.contains('…') || (word.len() > 2 && word.chars().all(|c| c.is_ascii_uppercase() || c == '|'))
            };
            if is_run && words.len() > 1 && !words.iter().any(is_placeholder) {
                let ran = in_repository(&program, &words);
                assert_eq!(ran.code, 0, "{name}: {command}: {}", ran.stderr);
            } else if !words[0].contains('…') {
                let help = program.ok(&[&words[0], "--help"]);
                let options = words.iter().filter(|word| word.starts_with("--") && !word.contains('…'));
                for option in options.map(|option| option.split('=').next().unwrap_or_default()) {
                    assert!(help.contains(option), "{name}: {command}: there is no {option}");
                }
            }
        }
    }
}

#[test]
fn every_named_format_is_in_the_help_with_an_example_that_is_read() {
    let program = Dlbench::on(REPOSITORY);
    let document = text(&format!("{TOPICS}/recipes.md"));
    let help = program.ok(&["import", "--help"]);
    let (_, formats) = help.split_once("Formats:").expect("the help lists the formats");
    let formats: Vec<&str> = formats.lines().filter_map(|line| line.strip_prefix("  ")?.split(' ').next()).collect();
    let formats: Vec<&str> = formats.into_iter().filter(|name| !name.is_empty()).collect();
    assert!(formats.len() >= 12, "{formats:?}");
    for format in formats {
        let (_, item) = document.split_once(&format!("\n- `{format}`: ")).unwrap_or_else(|| panic!("no item {format}"));
        let command = item.split("\n  `dlbench ").nth(1).and_then(|rest| rest.split('`').next()).expect("an example");
        assert!(command.starts_with(&format!("import {format} ")), "{command}");
        let ran = in_repository(&program, &words(command));
        assert_eq!((ran.code, ran.stderr.as_str()), (0, ""), "{command}");
        let written = ran.stdout.lines().find(|line| line.contains("would be written"));
        let rows = written.and_then(|line| line.split_whitespace().next()?.parse::<u32>().ok());
        assert!(format == "nvidia-smi" || rows.is_some_and(|rows| rows > 0), "{command}: {}", ran.stdout);
    }
}

#[test]
fn the_sample_in_the_help_is_what_the_file_says() {
    let document = text(&format!("{TOPICS}/recipes.md"));
    let samples: Vec<Block<'_>> = blocks(&document).into_iter().filter(|block| block.language == "csv").collect();
    assert!(!samples.is_empty(), "the help shows a sample");
    for block in samples {
        let (place, lines) = block.body.split_once('\n').expect("a sample begins with its path");
        let sample = text(place.trim_start_matches("# "));
        for line in lines.lines() {
            assert!(sample.lines().any(|other| other == line), "{line:?} is not in {place}");
        }
    }
}

#[test]
fn the_help_lists_commands_and_topics() {
    let program = Dlbench::on_miniature();
    let overview = program.ok(&[]);
    for group in ["\nAsk\n", "\nShow\n", "\nPublish\n", "\nContribute\n", "\nMeasure\n", "\nServe\n", "\nMaintain\n"] {
        assert!(overview.contains(group), "{overview}");
    }
    for same in [&["help"][..], &["--help"], &["-h"]] {
        assert_eq!(program.ok(same), overview, "{same:?}");
    }
    assert_eq!(program.ok(&["help", "query"]), program.ok(&["query", "--help"]));
    let topics = program.ok(&["help", "topics"]);
    let files =
        fs::read_dir(Path::new(REPOSITORY).join(TOPICS)).expect("topics").map(|file| file.expect("a file").path());
    let files: Vec<_> = files.filter(|path| path.extension().is_some_and(|ending| ending == "md")).collect();
    assert_eq!(files.len() + 1, dlbench::help::TOPICS.len(), "the protocol has its file with its crate");
    for topic in dlbench::help::TOPICS {
        assert!(topics.contains(topic.name) && overview.contains(topic.name), "{}", topic.name);
        let printed = program.ok(&["help", topic.name]);
        let title = topic.text.lines().next().unwrap_or_default().trim_start_matches("# ");
        assert!(printed.starts_with(&format!("{title}\n")) && !printed.contains("```"), "{printed}");
    }
    let unknown = program.run(&["help", "filtres"]);
    assert_eq!((unknown.stdout.as_str(), unknown.code), ("", 2));
    assert!(unknown.stderr.contains("did you mean `dlbench help filters`?"), "{}", unknown.stderr);
}

#[test]
fn a_question_needs_no_command_and_a_mistyped_command_is_told() {
    let program = Dlbench::on_miniature();
    assert_eq!(program.run(&["deepnet nova"]), program.run(&["query", "deepnet nova"]));
    assert_eq!(program.run(&["deepnet", "nova"]).code, 0);
    let slip = program.run(&["qury", "deepnet"]);
    assert_eq!((slip.stdout.as_str(), slip.code), ("", 2));
    assert!(slip.stderr.contains("'query'"), "{}", slip.stderr);
}

/// Runs a command from a document where its reader would, at the top of the repository.
fn in_repository(program: &Dlbench, words: &[String]) -> Ran {
    let words: Vec<&str> = words.iter().map(String::as_str).collect();
    program.ran(program.command(&words).current_dir(REPOSITORY).output().expect("the program starts"))
}

fn text(name: &str) -> String {
    fs::read_to_string(Path::new(REPOSITORY).join(name)).expect(name)
}

/// A fenced block of a document: its language, its lines and their position in the text.
struct Block<'d> {
    language: &'d str,
    body: &'d str,
    start: usize,
}

fn blocks(document: &str) -> Vec<Block<'_>> {
    let mut found = Vec::new();
    let mut open: Option<(&str, usize)> = None;
    let mut at = 0;
    for line in document.split_inclusive('\n') {
        let after = at + line.len();
        match (line.trim_end().strip_prefix("```"), open.take()) {
            (Some(language), None) => open = Some((language, after)),
            (Some(_), Some((language, start))) => found.push(Block { language, body: &document[start..at], start }),
            (None, still) => open = still,
        }
        at = after;
    }
    found
}

/// The documents with output or commands in them, as paths in the repository.
fn every_document() -> Vec<String> {
    let topics = fs::read_dir(Path::new(REPOSITORY).join(TOPICS)).expect("topics");
    let topics = topics.map(|file| file.expect("a file").file_name().to_string_lossy().into_owned());
    let topics = topics.filter(|name| name.ends_with(".md")).map(|name| format!("{TOPICS}/{name}"));
    let mut names: Vec<String> = topics.chain(DOCUMENTS.iter().map(|name| (*name).to_owned())).collect();
    names.push(ANSWERS.to_owned());
    names.sort();
    names
}

/// Program output in a document.
struct Shown {
    command: String,
    /// Its byte range in the text.
    range: Range<usize>,
    /// Whether it is an answer's first sentence in a table, rather than all output of the command.
    is_sentence: bool,
}

impl Shown {
    /// What the program prints today.
    fn printed(&self, program: &Dlbench) -> String {
        let ran = in_repository(program, &words(&self.command));
        assert_eq!((ran.code, ran.stderr.as_str()), (0, ""), "{}", self.command);
        if !self.is_sentence {
            return ran.stdout;
        }
        let answer: serde_json::Value = serde_json::from_str(&ran.stdout).expect("JSON");
        sentence(answer["conclusion"]["text"].as_str().unwrap_or_default())
    }
}

/// The output below each `$ dlbench …` of the `console` blocks, and the sentence beside each question of a table, in order.
fn outputs(document: &str) -> Vec<Shown> {
    let mut found = Vec::new();
    for block in blocks(document).into_iter().filter(|block| block.language == "console") {
        let first = block.body.lines().next().unwrap_or_default();
        let command = first.strip_prefix("$ dlbench ").expect("a console block begins with `$ dlbench …`").to_owned();
        let range = block.start + first.len() + 1..block.start + block.body.len();
        found.push(Shown { command, range, is_sentence: false });
    }
    let mut at = document.find("| question | answer |\n").unwrap_or(document.len());
    for line in document[at..].split_inclusive('\n') {
        if let Some((question, _)) = line.strip_prefix("| `").and_then(|rest| rest.split_once("` | ")) {
            let range = at + "| `` | ".len() + question.len()..at + line.trim_end().len() - " |".len();
            found.push(Shown { command: format!("query \"{question}\" -f json"), range, is_sentence: true });
        }
        at += line.len();
    }
    found.sort_by_key(|shown| shown.range.start);
    found
}

/// A conclusion without the conditions in brackets at its end.
fn sentence(conclusion: &str) -> String {
    let first = conclusion.split("; elsewhere").next().unwrap_or_default().trim_end_matches('.');
    let mut depth = 0;
    let open = first.char_indices().rev().find(|(_, c)| {
        depth += match c {
            ')' => 1,
            '(' => -1,
            _ => 0,
        };
        depth <= 0
    });
    match open {
        Some((at, '(')) if first.len() - at > 12 => first[..at].trim_end().to_owned(),
        _ => first.to_owned(),
    }
}

/// The parts of an output that do not change when rows are added.
fn parts(output: &str) -> BTreeSet<&'static str> {
    let is_id = |line: &str| {
        let id = line.rsplit(' ').next().unwrap_or_default();
        id.split_once(':').is_some_and(|(source, row)| source.contains('-') && row.len() == 10)
    };
    let part = |line: &str| match line {
        line if line.starts_with("read as ") => Some("reading"),
        line if line.starts_with("Facts and sources") || line.starts_with("Sources") => Some("sources"),
        line if is_id(line) => Some("rows"),
        _ => None,
    };
    output.lines().filter_map(part).collect()
}

fn content_line(content: &str) -> String {
    format!("<!-- written with the knowledge base {content} -->")
}

fn with_content_line(document: String, content: &str) -> String {
    let Some(start) = document.find("<!-- written with the knowledge base ") else { return document };
    let end = start + document[start..].find("-->").expect("the end of the comment") + "-->".len();
    format!("{}{}{}", &document[..start], content_line(content), &document[end..])
}

/// Splits a command line with double quotes into words.
fn words(command: &str) -> Vec<String> {
    let parts = command.split('"').enumerate();
    let words = parts.flat_map(|(at, part)| match at % 2 {
        0 => part.split_whitespace().map(str::to_owned).collect(),
        _ => vec![part.to_owned()],
    });
    words.collect()
}

const PAGE: &str = "src/acceptance/QUALITY.md";

/// The text at the top of the page, above the tables.
const ABOVE: &str = "\
# Quality of the data

What the measurements of each source state, and what the files of the sources hold that is not here. `make docs` writes
this page from `dlbench stats -f markdown`. A test compares it with the data: a number that has risen is written anew, and
one that has fallen fails, until the line of its source is deleted here by hand and the page is written again.

";

#[test]
fn the_page_of_data_quality_among_the_documents_is_current() {
    let path = Path::new(REPOSITORY).join(PAGE);
    let page = fs::read_to_string(&path).unwrap_or_default();
    let current = ABOVE.to_owned() + &Dlbench::on(REPOSITORY).ok(&["stats", "-f", "markdown"]);
    let fallen = fallen(&numbers(&page), &numbers(&current));
    assert!(fallen.is_empty(), "{PAGE} had more, delete its line where that is right:\n{}", fallen.join("\n"));
    if std::env::var_os("DLBENCH_UPDATE_DOCS").is_some() {
        fs::write(&path, current).expect("the page can be written");
    } else {
        assert!(current == page, "{PAGE} is not current: `make docs` writes it");
    }
}

#[test]
fn a_number_that_falls_is_told() {
    let page = |share: &str| format!("| source | rows | SKU |\n| :-- | --: | --: |\n| a | 12 | {share} |\n");
    let before = numbers(&page("50.0"));
    assert_eq!(before["a"], [("rows".to_owned(), 12.0), ("SKU".to_owned(), 50.0)]);
    assert_eq!(fallen(&before, &numbers(&page("49.9"))), ["a: SKU has fallen from 50 to 49.9"]);
    assert_eq!(fallen(&before, &numbers("")), ["a is gone"]);
    assert!(fallen(&before, &numbers(&page("50.1"))).is_empty());
    assert!(fallen(&numbers(""), &before).is_empty());
}

/// The numbers in each line of the source tables, by heading; only the number left out may decrease.
fn numbers(page: &str) -> BTreeMap<String, Vec<(String, f64)>> {
    let mut header: Vec<String> = Vec::new();
    let mut lines = BTreeMap::new();
    for line in page.lines() {
        let cells: Vec<String> = line.trim_matches('|').split('|').map(|cell| cell.trim().to_owned()).collect();
        if !line.starts_with('|') || cells[0] == "source" {
            header = if cells.iter().any(|cell| cell == "SKU") { cells } else { Vec::new() };
        } else if header.len() == cells.len() {
            let named = header.iter().zip(&cells).skip(1);
            let numbers: Vec<_> = named.filter_map(|(name, cell)| Some((name.clone(), cell.parse().ok()?))).collect();
            if !numbers.is_empty() {
                lines.insert(cells[0].clone(), numbers);
            }
        }
    }
    lines
}

fn fallen(before: &BTreeMap<String, Vec<(String, f64)>>, now: &BTreeMap<String, Vec<(String, f64)>>) -> Vec<String> {
    let mut told = Vec::new();
    for (source, numbers) in before {
        let Some(current) = now.get(source) else {
            told.push(format!("{source} is gone"));
            continue;
        };
        for (name, number) in numbers {
            let current = current.iter().find(|(other, _)| other == name).map_or(0.0, |(_, number)| *number);
            if current < *number {
                told.push(format!("{source}: {name} has fallen from {number} to {current}"));
            }
        }
    }
    told
}
