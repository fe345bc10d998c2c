//! What the documents show is what the program does: their commands are run, their entries are read.

use std::collections::BTreeSet;
use std::fs;
use std::path::Path;

use crate::{Dlbench, KbCopy, REPOSITORY, Ran};

const DOCUMENTS: &[&str] = &["README.md", "CONTRIBUTING.md"];
/// Answers of many kinds, to be looked at.
const ANSWERS: &str = "src/acceptance/ANSWERS.md";

#[test]
fn the_output_in_the_documents_is_current() {
    for name in DOCUMENTS.iter().chain([&ANSWERS]) {
        let document = text(name);
        let current = with_current_output(&document);
        if std::env::var_os("DLBENCH_UPDATE_DOCS").is_some() {
            fs::write(Path::new(REPOSITORY).join(name), current).expect("the document can be written");
        } else {
            assert!(current == document, "the output shown in {name} is not current: `make docs` writes it");
        }
    }
}

#[test]
fn the_entries_in_contributing_are_read_without_a_mistake() {
    let kb = KbCopy::new();
    let document = text("CONTRIBUTING.md");
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
    // A clone, but for most of its measurements: they take long to copy and to read.
    let clone = tempfile::TempDir::new().expect("a temporary folder");
    for folder in ["catalog", ".schemas", "measurements/u39kun-2018", "measurements/jcjohnson-2017"] {
        crate::copy(&Path::new(REPOSITORY).join(folder), &clone.path().join(folder));
    }
    let document = text("CONTRIBUTING.md");
    let blocks: Vec<Block<'_>> = blocks(&document).into_iter().filter(|block| block.language == "sh").collect();
    let lines = blocks.iter().flat_map(|block| block.body.lines()).filter(|line| !line.contains("dlbench import "));
    // The program is built already.
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

#[test]
fn the_commands_that_the_documents_name_exist() {
    let program = Dlbench::on(REPOSITORY);
    for name in DOCUMENTS {
        let document = text(name);
        let mentions: BTreeSet<&str> =
            document.split('`').filter(|code| code.starts_with("dlbench ") && !code.contains('…')).collect();
        // What these do is tried on a copy.
        let writes = |mention: &&str| {
            ["new", "fmt", "check --fix", "schema --write", "init", "site", "snapshot", "pull", "run"]
                .iter()
                .any(|word| mention[8..].starts_with(word))
        };
        assert!(!mentions.is_empty(), "{name} names commands");
        for mention in mentions.into_iter().filter(|mention| !writes(mention)) {
            let words = words(&mention["dlbench ".len()..]);
            let ran = in_repository(&program, &words);
            assert_eq!(ran.code, 0, "{mention}: {}", ran.stderr);
        }
    }
}

#[test]
#[ignore = "holds the answers from before the engine of ask/parse and ask/execute: to be rewritten for it"]
fn the_questions_in_the_readme_have_answers() {
    let program = Dlbench::on(REPOSITORY);
    let document = text("README.md");
    let rows = document.lines().filter_map(|line| line.strip_prefix("| `")?.split_once("` |"));
    let questions: Vec<&str> = rows.map(|(question, _)| question).collect();
    assert!(questions.len() >= 7, "{questions:?}");
    for question in questions {
        assert_eq!(program.run(&["query", "--", question]).code, 0, "{question}");
    }
}

#[test]
fn every_named_format_is_in_contributing_with_an_example_that_is_read() {
    let program = Dlbench::on(REPOSITORY);
    let document = text("CONTRIBUTING.md");
    let help = program.ok(&["import", "--help"]);
    let (_, formats) = help.split_once("Formats:").expect("the help lists the formats");
    let formats: Vec<&str> = formats.lines().filter_map(|line| line.strip_prefix("  ")?.split(' ').next()).collect();
    let formats: Vec<&str> = formats.into_iter().filter(|name| !name.is_empty()).collect();
    assert!(formats.len() >= 12, "{formats:?}");
    for format in formats {
        let row = document.lines().find(|line| line.starts_with(&format!("| `{format}` |")));
        let row = row.unwrap_or_else(|| panic!("{format} has no row in CONTRIBUTING.md"));
        let command = row.split("`dlbench ").nth(1).and_then(|rest| rest.split('`').next()).expect("an example");
        let ran = in_repository(&program, &words(command));
        assert_eq!((ran.code, ran.stderr.as_str()), (0, ""), "{command}");
        let written = ran.stdout.lines().find(|line| line.contains("would be written"));
        let rows = written.and_then(|line| line.split_whitespace().next()?.parse::<u32>().ok());
        assert!(format == "nvidia-smi" || rows.is_some_and(|rows| rows > 0), "{command}: {}", ran.stdout);
    }
}

#[test]
fn the_sample_in_contributing_is_what_the_file_says() {
    for block in blocks(&text("CONTRIBUTING.md")).iter().filter(|block| block.language == "csv") {
        let (place, lines) = block.body.split_once('\n').expect("a sample begins with its path");
        let sample = text(place.trim_start_matches("# "));
        for line in lines.lines() {
            assert!(sample.lines().any(|other| other == line), "{line:?} is not in {place}");
        }
    }
}

/// Runs a command of a document where its reader stands: at the top of the repository.
fn in_repository(program: &Dlbench, words: &[String]) -> Ran {
    let words: Vec<&str> = words.iter().map(String::as_str).collect();
    program.ran(program.command(&words).current_dir(REPOSITORY).output().expect("the program starts"))
}

fn text(name: &str) -> String {
    fs::read_to_string(Path::new(REPOSITORY).join(name)).expect(name)
}

/// A fenced block of a document: its language, and where its lines stand in the text.
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

/// The document with the output below each `$ dlbench …` of its `console` blocks as the program prints it today.
fn with_current_output(document: &str) -> String {
    let program = Dlbench::on(REPOSITORY);
    let mut current = document.to_owned();
    for block in blocks(document).iter().rev().filter(|block| block.language == "console") {
        let first = block.body.lines().next().unwrap_or_default();
        let command = first.strip_prefix("$ dlbench ").expect("a console block begins with `$ dlbench …`");
        let words = words(command);
        let ran = in_repository(&program, &words);
        assert_eq!((ran.code, ran.stderr.as_str()), (0, ""), "{command}");
        let output = ran.stdout;
        current.replace_range(block.start..block.start + block.body.len(), &format!("{first}\n{output}"));
    }
    current
}

/// The words of a command line with double quotes.
fn words(command: &str) -> Vec<String> {
    let parts = command.split('"').enumerate();
    let words = parts.flat_map(|(at, part)| match at % 2 {
        0 => part.split_whitespace().map(str::to_owned).collect(),
        _ => vec![part.to_owned()],
    });
    words.collect()
}
