//! The program where there is no knowledge base: it answers from the one that it carries.

use std::fs;

use serde_json::Value;
use tempfile::TempDir;

use crate::Dlbench;

/// The program in an empty folder, which no environment leads out of.
fn run(program: &Dlbench, folder: &TempDir, args: &[&str]) -> crate::Ran {
    let mut command = program.command(args);
    command.current_dir(folder.path()).env_remove("DLBENCH_KB");
    program.ran(command.output().expect("the program starts"))
}

#[test]
fn in_an_empty_folder_the_built_in_knowledge_base_answers_and_is_named() {
    let program = Dlbench::on("nowhere");
    let folder = TempDir::new().expect("a temporary folder");
    let ran = run(&program, &folder, &["query", "-f", "json", "fp16 V100 resnet152"]);
    assert_eq!(ran.code, 0, "{}", ran.stderr);
    assert!(
        ran.stderr.starts_with("note: no knowledge base here or above; this is the built-in one of "),
        "{}",
        ran.stderr
    );
    let answer: Value = serde_json::from_str(&ran.stdout).expect("JSON");
    assert!(answer["total"].as_u64() >= Some(4), "{}", answer["total"]);

    let status = run(&program, &folder, &["index", "--status", "-f", "json"]);
    let status: Value = serde_json::from_str(&status.stdout).expect("JSON");
    assert_eq!(status["built_now"], false, "the second question builds nothing");
    assert_eq!(fs::read_dir(folder.path()).expect("a folder").count(), 0, "nothing is written where one asks");
}

#[test]
fn what_would_write_says_how_to_make_a_knowledge_base_first() {
    let program = Dlbench::on("nowhere");
    let folder = TempDir::new().expect("a temporary folder");
    for args in
        [&["new", "device", "Nova 100"][..], &["check"], &["fmt"], &["run", "resnet-50"], &["schema", "--write"]]
    {
        let ran = run(&program, &folder, args);
        assert_eq!(ran.code, 2, "{args:?}");
        assert!(ran.stderr.contains("`dlbench init DIR` makes one"), "{args:?}: {}", ran.stderr);
    }
}

#[test]
fn a_knowledge_base_goes_into_a_snapshot_and_comes_out_of_it() {
    let program = Dlbench::on_miniature();
    let folder = TempDir::new().expect("a temporary folder");
    let [first, second, there] = ["a.tar.gz", "b.tar.gz", "there"].map(|name| folder.path().join(name));
    let text = |path: &std::path::Path| path.to_str().expect("UTF-8").to_owned();
    for file in [&first, &second] {
        let ran = program.run(&["snapshot", "-o", &text(file)]);
        assert_eq!(ran.code, 0, "{}", ran.stderr);
    }
    assert_eq!(fs::read(&first).expect("a file"), fs::read(&second).expect("a file"), "reproducible to the byte");

    let ran = run(&program, &folder, &["init", "there", "--from", &text(&first)]);
    assert_eq!(ran.code, 0, "{}", ran.stderr);
    let copy = Dlbench::on(&there);
    let asked = &["query", "--all", "-f", "json", "v100"];
    assert_eq!(copy.json(asked)["measurements"], program.json(asked)["measurements"]);

    let again = run(&program, &folder, &["init", "there", "--from", &text(&first)]);
    assert_eq!(again.code, 2);
    assert!(again.stderr.contains("is not empty"), "{}", again.stderr);
}

#[test]
fn a_snapshot_that_is_damaged_is_told() {
    let program = Dlbench::on_miniature();
    let folder = TempDir::new().expect("a temporary folder");
    for (content, told) in [(&b"not an archive"[..], "snapshot"), (b"", "snapshot")] {
        fs::write(folder.path().join("a.tar.gz"), content).expect("a file is written");
        let ran = run(&program, &folder, &["init", "there", "--from", "a.tar.gz"]);
        assert_eq!(ran.code, 2);
        assert!(ran.stderr.contains(told), "{}", ran.stderr);
        assert!(!folder.path().join("there").exists());
    }
}

/// The miniature with a file of its own, packed as a snapshot of a day.
fn packed(name: &str, text: &str, date: &str) -> Vec<u8> {
    let kb = crate::KbCopy::new();
    kb.write(name, text);
    let origin = dlbench_snapshot::Origin { date: Some(date.to_owned()), commit: None };
    dlbench_snapshot::pack(&kb.path(""), origin, 1).expect("a snapshot")
}

#[test]
fn init_refuses_whatever_pull_refuses() {
    let program = Dlbench::on_miniature();
    let folder = TempDir::new().expect("a temporary folder");
    let file = folder.path().join("a.tar.gz");
    let text = file.to_str().expect("UTF-8").to_owned();
    let device = "name = \"Nova 200\"\nclass = \"gpu\"\n\n[[sources]]\nsource = \"invented-2020\"\n";
    for (name, content, date, told) in [
        ("catalog/devices/nova-200.toml", "name = [\n", "2020-01-01", "mistake"),
        ("catalog/devices/nova\u{202e}-200.toml", device, "2020-01-01", ""),
        ("catalog/devices/nova-200.toml", device, "9999-12-31", "a day in the future"),
    ] {
        fs::write(&file, packed(name, content, date)).expect("a file is written");
        let ran = run(&program, &folder, &["init", "there", "--from", &text]);
        assert_eq!(ran.code, 2, "{name:?} {date}: {}", ran.stdout);
        assert!(ran.stderr.contains(told), "{name:?} {date}: {}", ran.stderr);
        assert!(!ran.stderr.contains('\u{202e}'), "{}", ran.stderr);
        assert!(!folder.path().join("there").exists(), "{name:?} {date}");
        let pulled = run(&program, &folder, &["pull", &text]);
        assert_eq!(pulled.code, 2, "{name:?} {date}: {}", pulled.stdout);
    }
    fs::write(&file, packed("catalog/devices/nova-200.toml", device, "2020-01-01")).expect("a file is written");
    let ran = run(&program, &folder, &["init", "there", "--from", &text]);
    assert_eq!(ran.code, 0, "what is right passes the same door: {}", ran.stderr);
}
