//! Broken knowledge bases: each error is reported with its location and a remedy, and questions are answered from the rest.

use std::fs;
use std::path::Path;

use serde_json::Value;

use crate::{Dlbench, KbCopy, Ran, notes};

/// The error of a command that needs all files of a broken knowledge base; it must print nothing on stdout. Also asserts that a
/// query is answered from the rest, names each skipped file on stderr and in the notes, and gives the same result when repeated.
fn complaint(dlbench: &Dlbench) -> String {
    let stderr = refusal(dlbench, &["stats"]);
    let asked = dlbench.run(&["query", "nova", "-f", "json"]);
    assert_eq!(dlbench.run(&["query", "nova", "-f", "json"]), asked, "asked again");
    assert!(asked.code < 2 && !asked.stderr.contains("panicked"), "{}", asked.stderr);
    let answer: Value = serde_json::from_str(&asked.stdout).expect("the answer is JSON");
    let told = notes(&answer, "left-out").concat();
    let files = stderr.lines().filter_map(|line| line.trim_start().strip_prefix("--> ")?.split(':').next());
    for file in files {
        assert!(asked.stderr.contains(&format!("warning: {file}")), "{file}: {}", asked.stderr);
        assert!(told.contains(file), "{file}: {told}");
    }
    stderr
}

/// The error of a command that cannot run on a broken knowledge base.
fn refusal(dlbench: &Dlbench, args: &[&str]) -> String {
    let Ran { stdout, stderr, code } = dlbench.run(args);
    assert_eq!((stdout.as_str(), code), ("", 2), "{stderr}");
    assert!(!stderr.contains("panicked"), "{stderr}");
    stderr
}

/// The error after one change to the miniature knowledge base.
fn complaint_after(change: impl FnOnce(&KbCopy)) -> String {
    let kb = KbCopy::new();
    change(&kb);
    complaint(&kb.dlbench())
}

#[test]
fn broken_toml_is_shown_with_its_place() {
    let stderr = complaint_after(|kb| {
        kb.replace("catalog/devices/weave-9.toml", "class = \"fpga\"", "class = \"fpga");
    });
    insta::assert_snapshot!(stderr);
}

#[test]
fn an_unknown_key_is_shown_with_the_near_ones() {
    let stderr = complaint_after(|kb| {
        kb.replace("catalog/devices/nova-100-16gb.toml", "memory-gib", "memory-gb");
    });
    insta::assert_snapshot!(stderr);
}

#[test]
fn an_unknown_key_of_a_measurement_is_shown_with_the_near_ones() {
    let stderr = complaint_after(|kb| {
        kb.replace("measurements/invented-2020/nova.toml", "latency-ms = 33.3", "latncy-ms = 33.3");
        kb.replace("measurements/imagined-2018/weave.toml", "\"power-w\"", "\"power-kw\"");
    });
    assert!(stderr.contains("unknown key `latncy-ms`"), "{stderr}");
    assert!(stderr.contains("did you mean `latency-ms`?"), "{stderr}");
    assert!(stderr.contains("unknown key `power-kw`"), "{stderr}");
    assert!(stderr.contains("--> measurements/imagined-2018/weave.toml:10:57"), "{stderr}");
}

#[test]
fn an_id_that_does_not_resolve_is_shown_with_the_near_ones() {
    let stderr = complaint_after(|kb| {
        kb.replace("measurements/invented-2020/nova.toml", "\"deepnet-101\"", "\"depnet-101\"");
    });
    insta::assert_snapshot!(stderr);
}

#[test]
fn ids_in_the_catalog_must_resolve_as_well() {
    let stderr = complaint_after(|kb| {
        kb.replace("catalog/devices/nova-100-32gb.toml", "\"nova-100\"", "\"nova-1000\"");
        kb.replace("catalog/networks/deepnet-50.toml", "\"invented-2020\"", "\"invented-2021\"");
        kb.replace("catalog/frameworks/firelight.toml", "[reported.invented-2020]", "[reported.nowhere-1999]");
        fs::rename(kb.path("measurements/imagined-2018"), kb.path("measurements/imagined-2019")).unwrap();
    });
    for message in [
        "there is no device `nova-1000`",
        "did you mean `nova-100`?",
        "there is no source `invented-2021`",
        "there is no source `nowhere-1999`",
        "there is no source `imagined-2019`",
        "error: the knowledge base has 4 mistakes in 4 files; nothing was changed",
    ] {
        assert!(stderr.contains(message), "{message}: {stderr}");
    }
}

#[test]
fn a_duplicate_measurement_is_shown_with_both_places() {
    let stderr = complaint_after(|kb| {
        let again = "\n[[run]]\nstage = \"eval\"\nprecision = \"fp16\"\nbatch-size = 16\nlatency-ms = 10.1\n";
        kb.append("measurements/invented-2020/nova.toml", again);
    });
    insta::assert_snapshot!(stderr);
}

#[test]
fn a_duplicate_in_another_file_is_shown_with_both_files() {
    let stderr = complaint_after(|kb| {
        let weave = fs::read_to_string(kb.path("measurements/imagined-2018/weave.toml")).unwrap();
        kb.write("measurements/imagined-2018/again.toml", weave);
    });
    assert_eq!(stderr.matches("appears twice").count(), 2, "{stderr}");
    for file in ["measurements/imagined-2018/again.toml:", "measurements/imagined-2018/weave.toml:"] {
        assert!(stderr.contains(file), "{file}: {stderr}");
    }
}

#[test]
fn a_folder_without_catalog_is_no_knowledge_base() {
    let kb = KbCopy::new();
    fs::remove_dir_all(kb.path("catalog")).unwrap();
    insta::assert_snapshot!(refusal(&kb.dlbench(), &["query", "nova"]), @r"
    error: <kb> (from DLBENCH_KB) is not a knowledge base: it has no folder catalog/
    help: change into a folder with a knowledge base, or name one with --kb DIR or DLBENCH_KB
    ");
}

#[test]
fn where_no_knowledge_base_is_the_program_says_how_to_name_one() {
    let folder = tempfile::TempDir::new().unwrap();
    let dlbench = Dlbench::on(folder.path());
    let output = dlbench.command(&["check"]).env_remove("DLBENCH_KB").current_dir(folder.path()).output().unwrap();
    let ran = dlbench.ran(output);
    assert_eq!((ran.stdout.as_str(), ran.code), ("", 2));
    insta::assert_snapshot!(ran.stderr, @r"
    error: no knowledge base here: neither <kb> nor a folder above it has catalog/ and measurements/
    help: change into a folder with a knowledge base, or name one with --kb DIR or DLBENCH_KB; `dlbench init DIR` makes one
    ");

    let nowhere = Dlbench::on("/nowhere/at/all").run(&["query", "nova"]);
    assert_eq!((nowhere.stdout.as_str(), nowhere.code), ("", 2));
    assert!(nowhere.stderr.contains("is not a knowledge base: it has no folder catalog/"), "{}", nowhere.stderr);
}

#[test]
fn a_knowledge_base_without_its_own_entry_is_none() {
    let kb = KbCopy::new();
    fs::remove_file(kb.path("catalog/kb.toml")).unwrap();
    let stderr = refusal(&kb.dlbench(), &["query", "nova"]);
    assert!(stderr.contains("catalog/kb.toml is missing"), "{stderr}");
}

#[test]
fn a_knowledge_base_of_a_later_schema_asks_for_a_later_program() {
    let kb = KbCopy::new();
    kb.replace("catalog/kb.toml", "schema = 1", "schema = 2");
    let stderr = refusal(&kb.dlbench(), &["query", "nova"]);
    assert!(stderr.contains("the knowledge base has schema 2, this dlbench reads 1"), "{stderr}");
    assert!(stderr.contains("--> catalog/kb.toml:2:10"), "{stderr}");
}

#[test]
fn figures_that_cannot_be_are_refused() {
    for (figure, message) in [
        ("0", "`latency-ms` is not above 0"),
        ("0.0", "`latency-ms` is not above 0"),
        ("-33.3", "`latency-ms` is not above 0"),
        ("nan", "`latency-ms` is not a number"),
        ("inf", "`latency-ms` is not a number"),
        ("\"33.3\"", "`latency-ms` is not a number"),
        ("1e999", "`latency-ms` is not a number"),
    ] {
        let stderr = complaint_after(|kb| {
            let new = format!("latency-ms = {figure}");
            kb.replace("measurements/invented-2020/nova.toml", "latency-ms = 33.3", &new);
        });
        assert!(stderr.contains(message), "{figure}: {stderr}");
        assert!(stderr.contains("--> measurements/invented-2020/nova.toml:65:14"), "{figure}: {stderr}");
        assert!(stderr.contains("has 1 mistake in 1 file"), "one mistake is told once: {stderr}");
    }
}

#[test]
fn rows_that_say_nothing_are_refused() {
    for (old, new, message) in [
        ("latency-ms = 33.3\n", "", "the row has no metric"),
        ("batch-size = 32\n", "batch-size = 0\n", "`batch-size` cannot be read"),
        ("date = 2019-12-24", "date = \"24.12.2019\"", "`date` cannot be read"),
        ("counts = \"image\"\n", "", "`throughput-per-s` does not say what it counts"),
        ("latency-ms = 33.3", "epoch-s = 1\nepoch-s = 2", "duplicate key"),
        ("[defaults]", "[defaults]\nlatency-ms = 1", "the metric `latency-ms` cannot be a default"),
    ] {
        let stderr = complaint_after(|kb| {
            kb.replace("measurements/invented-2020/nova.toml", old, new);
        });
        assert!(stderr.contains(message), "{message}: {stderr}");
    }
}

#[test]
fn a_row_of_the_wrong_length_is_refused() {
    let stderr = complaint_after(|kb| {
        kb.replace("measurements/imagined-2018/weave.toml", "233, 25, 9.32", "233, 25");
    });
    assert!(stderr.contains("the row has 4 cells, the table 5 columns"), "{stderr}");
    let stderr = complaint_after(|kb| {
        kb.replace("measurements/imagined-2018/weave.toml", "233, 25, 9.32", "233, 25, 9,32");
    });
    assert!(stderr.contains("the row has 6 cells") && stderr.contains("written with a comma?"), "{stderr}");
}

#[test]
fn a_merge_that_was_not_ended_is_named() {
    let stderr = complaint_after(|kb| {
        let merged = "<<<<<<< HEAD\ncounts = \"image\"\n=======\ncounts = \"sample\"\n>>>>>>> theirs\n";
        kb.replace("measurements/invented-2020/nova.toml", "counts = \"image\"\n", merged);
    });
    assert!(stderr.contains("a merge conflict is not resolved") && stderr.contains("1 mistake in 1 file"), "{stderr}");
}

#[test]
fn an_empty_text_is_refused() {
    for empty in ["\"\"", "\"  \"", "\"\"\"\n\"\"\""] {
        let stderr = complaint_after(|kb| {
            kb.replace("catalog/networks/deepnet.toml", "task = \"image-classification\"", &format!("task = {empty}"));
        });
        assert!(stderr.contains("`task` is empty"), "{empty}: {stderr}");
        assert!(stderr.contains("leave the key out when the fact is not known"), "{empty}: {stderr}");
    }
}

#[test]
fn a_word_outside_its_vocabulary_is_shown_with_the_words_there_are() {
    let stderr = complaint_after(|kb| {
        kb.replace("catalog/frameworks/gridflow.toml", "status = \"inactive\"", "status = \"inactiv\"");
        kb.replace("measurements/imagined-2018/weave.toml", "\"int8\"", "\"INT8\"");
        kb.replace("catalog/frameworks/firelight.toml", "\"BSD-3-Clause\"", "\"BSD-3\"");
    });
    for message in [
        "`status` cannot be \"inactiv\"",
        "expected mature, developing or inactive",
        "did you mean \"inactive\"?",
        "`precision` cannot be \"INT8\"",
        "`license` is not an SPDX expression: \"BSD-3\"",
    ] {
        assert!(stderr.contains(message), "{message}: {stderr}");
    }
}

#[test]
fn a_citation_of_a_fact_that_is_not_there_is_refused() {
    let stderr = complaint_after(|kb| {
        kb.append("catalog/networks/deepnet.toml", "facts = [\"task\", \"parameters-m\"]\n");
    });
    assert!(stderr.contains("the citation covers `parameters-m`, which this file does not state"), "{stderr}");
}

#[test]
fn a_file_that_is_not_utf_8_is_refused_with_the_place_of_the_wrong_byte() {
    let stderr = complaint_after(|kb| {
        kb.write("catalog/networks/deepnet.toml", b"name = \"DeepNet\"\nnotes = \"\xff\"\n");
    });
    assert!(stderr.contains("the file is not UTF-8: a wrong byte in line 2, after 26 bytes"), "{stderr}");
    assert!(stderr.contains("catalog/networks/deepnet.toml"), "{stderr}");
}

#[test]
fn whatever_stands_in_a_wrong_place_is_refused() {
    for (place, message) in [
        ("catalog/devices/folder.toml/inner.toml", "found a folder where a file was expected"),
        ("measurements/invented-2020/folder.toml/inner.toml", "found a folder where a file was expected"),
        ("catalog/devices/weave-10.md", "not a .toml file"),
        ("catalog/devices/Weave 10.toml", "the file's name \"Weave 10\" is not an id"),
        ("catalog/gadgets/weave-10.toml", "catalog/ has no folder gadgets/"),
        ("catalog/device/weave-10.toml", "did you mean catalog/devices/?"),
        ("catalog/weave-10.toml", "catalog/ has no such file"),
        ("measurements/weave.toml", "a file of measurements belongs into the folder of its source"),
        ("measurements/Weave 10/weave.toml", "the folder \"Weave 10\" is not a source id"),
        ("catalog/hardware-classes/abacus.toml", "there is no hardware class `abacus`"),
    ] {
        let stderr = complaint_after(|kb| {
            kb.write(place, "name = \"Abacus\"\n");
        });
        assert!(stderr.contains(message), "{place}: {stderr}");
    }
}

#[test]
fn hidden_files_and_backups_do_not_count() {
    let kb = KbCopy::new();
    kb.write("catalog/devices/.weave-9.toml.swp", "?").write("catalog/devices/weave-9.toml~", "?").write(".git/x", "?");
    assert_eq!(kb.dlbench().run(&["query", "nova"]).code, 0);
}

#[cfg(unix)]
#[test]
fn a_link_to_nowhere_and_a_link_to_itself_are_refused() {
    use std::os::unix::fs::symlink;
    let stderr = complaint_after(|kb| {
        symlink("nowhere.toml", kb.path("catalog/devices/dangling.toml")).unwrap();
        symlink("looping.toml", kb.path("catalog/devices/looping.toml")).unwrap();
    });
    assert_eq!(stderr.matches("not a regular file").count(), 2, "{stderr}");
}

#[cfg(unix)]
#[test]
fn a_pipe_among_the_files_is_refused_and_not_waited_for() {
    use std::process::Stdio;
    use std::time::{Duration, Instant};
    for place in ["catalog/devices/pipe.toml", "catalog/principles.toml"] {
        let kb = KbCopy::new();
        let _ = fs::remove_file(kb.path(place));
        let made = std::process::Command::new("mkfifo").arg(kb.path(place)).status();
        if !made.is_ok_and(|status| status.success()) {
            eprintln!("skipped: this system has no mkfifo");
            return;
        }
        let mut child = kb
            .dlbench()
            .command(&["query", "nova"])
            .stdout(Stdio::null())
            .stderr(Stdio::piped())
            .spawn()
            .expect("the program starts");
        let started = Instant::now();
        while child.try_wait().unwrap().is_none() {
            if started.elapsed() > Duration::from_secs(10) {
                child.kill().unwrap();
                panic!("the program waits for {place}, a pipe, to be written to");
            }
            std::thread::sleep(Duration::from_millis(10));
        }
        let output = child.wait_with_output().unwrap();
        let stderr = String::from_utf8(output.stderr).unwrap();
        assert_ne!(output.status.code(), Some(2), "{stderr}");
        assert!(stderr.contains(&format!("{place} is left out: not a regular file")), "{place}: {stderr}");
    }
}

#[cfg(unix)]
#[test]
fn an_unreadable_file_is_told() {
    use std::os::unix::fs::PermissionsExt as _;
    let kb = KbCopy::new();
    let file = kb.path("catalog/devices/weave-9.toml");
    fs::set_permissions(&file, fs::Permissions::from_mode(0o000)).unwrap();
    if fs::read(&file).is_ok() {
        eprintln!("skipped: this user (root?) can read every file");
        return;
    }
    let stderr = complaint(&kb.dlbench());
    assert!(stderr.contains("cannot read the file: Permission denied"), "{stderr}");
    assert!(stderr.contains("catalog/devices/weave-9.toml"), "{stderr}");
}

#[test]
fn every_broken_file_is_reported_at_once() {
    let stderr = complaint_after(|kb| {
        kb.replace("catalog/devices/weave-9.toml", "class = \"fpga\"", "class = ");
        kb.replace("catalog/frameworks/gridflow.toml", "license = \"Apache-2.0\"", "licence = \"Apache-2.0\"");
        kb.replace("measurements/imagined-2018/weave.toml", "233,", "0,");
    });
    for place in [
        "--> catalog/devices/weave-9.toml:2:",
        "--> catalog/frameworks/gridflow.toml:3:1",
        "--> measurements/imagined-2018/weave.toml:12:21",
    ] {
        assert!(stderr.contains(place), "{place}: {stderr}");
    }
}

#[test]
fn a_file_that_is_broken_does_not_make_others_look_broken() {
    let stderr = complaint_after(|kb| {
        kb.replace("catalog/devices/weave-9.toml", "class = \"fpga\"", "class = ");
    });
    assert!(!stderr.contains("there is no device"), "weave-9 is there, only broken: {stderr}");
}

#[test]
fn whichever_file_is_broken_the_rest_is_answered_from() {
    let files = listing(&crate::miniature_kb());
    let files = files.iter().map(|(path, _)| path.rsplit_once("/acceptance/kb/").expect("it lies there").1);
    for file in files.filter(|file| *file != "catalog/kb.toml") {
        let kb = KbCopy::new();
        kb.write(file, "name = \"a quote is lost\n");
        for args in [
            &["query", "nova", "-f", "json"][..],
            &["query", "fp16 deepnet firelight"],
            &["query", "fastest device for deepnet-50 eval"],
            &["query", "apache c++ frameworks"],
            &["query", "gpu latency"],
            &["table", "hardware"],
            &["list", "devices"],
            &["compare", "deepnet", "--rows", "device"],
        ] {
            let ran = kb.dlbench().run(args);
            assert!(ran.code < 2, "{file}, {args:?}: {}", ran.stderr);
            assert!(ran.stderr.contains(&format!("warning: {file}:1 is left out")), "{file}, {args:?}: {}", ran.stderr);
        }
    }
}

#[test]
fn what_names_a_device_without_its_entry_is_left_out_with_it() {
    let kb = KbCopy::new();
    let whole = kb.dlbench().answer("nova")["total"].as_u64().expect("a count");
    kb.replace("catalog/devices/nova-100-16gb.toml", "class = \"gpu\"", "class = \"gpu");
    let ran = kb.dlbench().run(&["query", "nova", "--all", "-f", "json"]);
    let answer: Value = serde_json::from_str(&ran.stdout).expect("the answer is JSON");
    let left = answer["total"].as_u64().expect("a count");
    assert_eq!(whole - left, 1);
    let told = "; and with it 1 measurement of what it describes";
    assert!(notes(&answer, "left-out")[0].contains(told), "{told}: {answer:#}");
    assert!(ran.stderr.contains(told) && ran.stderr.contains("`dlbench check` shows every mistake"), "{}", ran.stderr);
}

#[test]
fn nothing_in_a_file_is_sent_to_the_terminal_raw() {
    let stderr = complaint_after(|kb| {
        let hostile = "clazz\u{7f} = \"a\"\n\"\u{9b}31m\u{202e}\" = 1\n# \u{9b}2J\nname = 1\nx = \"\u{9b}2J\" \"\n";
        kb.write("catalog/devices/weave-10.toml", hostile);
        kb.write("catalog/devices/weave-11.toml", "class = \"\\u001b[31mfpga\\u0007\"\nname = \"x\"\n");
    });
    let raw = |c: char| c.is_control() && c != '\n' || ('\u{202a}'..='\u{202e}').contains(&c);
    assert!(!stderr.contains(raw), "{stderr:?}");
}

#[cfg(unix)]
#[test]
fn a_hostile_file_name_is_not_sent_to_the_terminal_raw() {
    let kb = KbCopy::new();
    kb.write("catalog/devices/red\u{1b}]0;title\u{7}\u{202e}.toml", "class = \"gpu\"\n");
    let ran = kb.dlbench().run(&["query", "nova", "--color", "always"]);
    assert_eq!(ran.code, 0);
    assert!(ran.stderr.contains("is left out"), "{}", ran.stderr);
    assert!(!ran.stderr.contains(['\u{7}', '\u{202e}']) && !ran.stderr.contains("\u{1b}]"), "{:?}", ran.stderr);
}

#[test]
fn a_mended_knowledge_base_is_answered_from_at_once() {
    let kb = KbCopy::new();
    let dlbench = kb.dlbench();
    assert_eq!(dlbench.run(&["query", "nova"]).code, 0);
    kb.replace("catalog/devices/weave-9.toml", "class = \"fpga\"", "class = \"fpga");
    complaint(&dlbench);
    kb.replace("catalog/devices/weave-9.toml", "class = \"fpga", "class = \"fpga\"");
    assert_eq!(dlbench.run(&["query", "nova"]).code, 0);
}

#[test]
fn a_wrong_command_line_says_how_it_is_used() {
    let dlbench = Dlbench::on_miniature();
    for args in [
        ["table", "gadgets"].as_slice(),
        &["show"],
        &["query", "nova", "-f", "jsno"],
        &["query", "nova", "--limit", "-1"],
        &["query", "nova", "--limit", "many"],
        &["qurey", "nova"],
        &["index", "--status", "--rebuild"],
    ] {
        let ran = dlbench.run(args);
        assert_eq!((ran.stdout.as_str(), ran.code), ("", 2), "{args:?}");
        assert!(ran.stderr.starts_with("error: "), "{args:?}: {}", ran.stderr);
    }
    let unknown = dlbench.run(&["table", "hardware", "--as-reported", "invented-2021"]);
    assert_eq!((unknown.stdout.as_str(), unknown.code), ("", 2));
    assert!(unknown.stderr.contains("there is no source `invented-2021`"), "{}", unknown.stderr);
}

#[test]
fn the_knowledge_base_itself_is_never_written_to() {
    let kb = KbCopy::new();
    let before = listing(&kb.path("."));
    kb.dlbench().ok(&["query", "nova"]);
    kb.dlbench().ok(&["index", "--rebuild"]);
    assert_eq!(listing(&kb.path(".")), before);
}

/// Every file below a folder, with its content.
fn listing(folder: &Path) -> Vec<(String, Vec<u8>)> {
    let mut files = Vec::new();
    let mut folders = vec![folder.to_owned()];
    while let Some(folder) = folders.pop() {
        for entry in fs::read_dir(&folder).unwrap() {
            let path = entry.unwrap().path();
            if path.is_dir() {
                folders.push(path);
            } else {
                files.push((path.display().to_string(), fs::read(&path).unwrap()));
            }
        }
    }
    files.sort();
    files
}
