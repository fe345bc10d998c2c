//! Files that nobody writes by mistake: each gives a finding, none crashes the program, and memory use stays limited.

use std::fs;
use std::process::{Command, Stdio};

use dlbench::contribute::check::run_rules;
use dlbench::contribute::rule_interface::LintOptions;
use dlbench::reading::{KbFile, canonical, list, load_texts};
use proptest::prelude::*;
use serde_json::Value;

use crate::{KbCopy, miniature_kb};

/// The findings of the check, run in an address space of 2 GiB if the system can limit it.
fn findings(kb: &KbCopy) -> Value {
    let program = kb.dlbench();
    let check = env!("CARGO_BIN_EXE_dlbench");
    let mut command = Command::new(if cfg!(unix) { "sh" } else { check });
    match cfg!(unix) {
        true => command.args(["-c", "ulimit -v 2097152; exec \"$0\" check -f json", check]),
        false => command.args(["check", "-f", "json"]),
    };
    let output = command
        .env("DLBENCH_KB", kb.path("."))
        .env("DLBENCH_CACHE", &program.cache)
        .current_dir(program.folder.path())
        .stdin(Stdio::null())
        .output()
        .expect("the program starts");
    let stderr = String::from_utf8_lossy(&output.stderr).into_owned();
    assert_eq!(output.status.code(), Some(1), "{stderr}");
    assert_eq!(stderr, "");
    serde_json::from_slice(&output.stdout).expect("the report is JSON")
}

/// The codes found in one file.
fn found_in<'r>(report: &'r Value, file: &str) -> Vec<&'r str> {
    let findings = report["findings"].as_array().expect("a report has findings");
    findings.iter().filter(|finding| finding["file"] == file).filter_map(|finding| finding["code"].as_str()).collect()
}

const FILE: &str = "catalog/devices/hostile.toml";

#[test]
fn a_file_of_a_gigabyte_is_refused_unread() {
    let kb = KbCopy::new();
    fs::File::create(kb.path(FILE)).and_then(|file| file.set_len(1 << 30)).expect("a sparse file");
    let report = findings(&kb);
    assert_eq!(found_in(&report, FILE), ["DL0002"]);
    assert_eq!(report["findings"][0]["message"], "the file has 1024 MiB, the limit is 64 MiB");
    // A query needs no more memory than the check.
    let ran = kb.dlbench().run(&["query", "nova"]);
    assert_eq!(ran.code, 0, "{}", ran.stderr);
    assert!(ran.stderr.contains("catalog/devices/hostile.toml is left out"), "{}", ran.stderr);
}

#[test]
fn nesting_without_end_is_an_error_of_syntax() {
    const DEPTH: usize = 10_000;
    let dotted = vec!["a"; DEPTH].join(".");
    for text in [
        format!("name = {}{}\n", "[".repeat(DEPTH), "]".repeat(DEPTH)),
        format!("name = {}1{}\n", "{ a = ".repeat(DEPTH), " }".repeat(DEPTH)),
        format!("name = {}\n", "[".repeat(DEPTH)),
        format!("{dotted} = 1\n"),
        format!("[{dotted}]\nb = 1\n"),
        format!("[[{dotted}]]\nb = 1\n"),
    ] {
        for file in [FILE, "measurements/invented-2020/hostile.toml"] {
            let kb = KbCopy::new();
            kb.write(file, &text);
            let report = findings(&kb);
            let found = found_in(&report, file);
            assert!(!found.is_empty(), "{}", &text[..40]);
        }
    }
}

#[test]
fn bytes_that_are_no_text_are_told_with_their_place() {
    let utf_16: Vec<u8> = "\u{feff}name = \"Nova\"\n".encode_utf16().flat_map(u16::to_le_bytes).collect();
    for (bytes, code) in [
        (b"name = \"a\0b\"\n".to_vec(), "DL0001"),
        (b"\0".repeat(4096), "DL0001"),
        (utf_16, "DL0002"),
        (b"name = \"Caf\xe9\"\nclass = \"gpu\"\n".to_vec(), "DL0002"),
        (b"name = \"\xed\xa0\x80\"\n".to_vec(), "DL0002"),
        (b"name = \"\xf0\x9f".to_vec(), "DL0002"),
        (b"\x1f\x8b\x08\x00\x00\x00".to_vec(), "DL0002"),
        (b"\r\r\rname = 1\r".to_vec(), "DL0001"),
    ] {
        let kb = KbCopy::new();
        kb.write(FILE, &bytes);
        let report = findings(&kb);
        assert!(found_in(&report, FILE).contains(&code), "{bytes:?}: {report:#}");
    }
}

#[test]
fn an_empty_file_and_one_of_a_single_endless_line_are_told() {
    let kb = KbCopy::new();
    kb.write(FILE, "").write("measurements/invented-2020/empty.toml", "");
    kb.write("catalog/networks/endless.toml", format!("name = \"{}\"\nfoo = 1\n", "a".repeat(20 << 20)));
    let report = findings(&kb);
    assert_eq!(found_in(&report, FILE)[0], "DL0005");
    assert_eq!(found_in(&report, "measurements/invented-2020/empty.toml")[0], "DL0301");
    assert!(found_in(&report, "catalog/networks/endless.toml").contains(&"DL0004"));
}

#[test]
fn a_chain_of_a_thousand_families_is_told_and_takes_no_minutes() {
    let kb = KbCopy::new();
    for at in 0..1_000 {
        let family = if at == 0 { String::new() } else { format!("family = \"net-{}\"\n", at - 1) };
        let text = format!("name = \"Net {at}\"\n{family}\n[[sources]]\nsource = \"imagined-2018\"\n");
        kb.write(&format!("catalog/networks/net-{at}.toml"), text);
    }
    let start = std::time::Instant::now();
    let report = findings(&kb);
    assert_eq!(found_in(&report, "catalog/networks/net-900.toml"), ["DL0108"]);
    assert!(found_in(&report, "catalog/networks/net-20.toml").is_empty());
    kb.dlbench().run(&["query", "net 900"]);
    // The time used to grow with the third power of their number.
    assert!(start.elapsed() < std::time::Duration::from_secs(60), "{:?}", start.elapsed());
}

#[test]
fn rows_and_rows_of_nonsense_are_told_in_bounded_memory() {
    let kb = KbCopy::new();
    let rows = "  [0, \"x\"],\n".repeat(50_000);
    let text = format!("[[table]]\ncolumns = [\"latency-ms\", \"stage\"]\nrows = [\n{rows}]\n");
    kb.write("measurements/invented-2020/many.toml", text);
    let ran = kb.dlbench().run(&["check"]);
    assert_eq!(ran.code, 1);
    assert!(ran.stdout.contains("50000 of 50000 values") && ran.stdout.len() < 5_000, "one finding for each column");
}

#[cfg(unix)]
#[test]
fn links_folders_and_pipes_are_told_and_not_followed() {
    use std::os::unix::fs::symlink;
    let kb = KbCopy::new();
    symlink("hostile.toml", kb.path(FILE)).unwrap();
    symlink("b.toml", kb.path("catalog/networks/a.toml")).unwrap();
    symlink("a.toml", kb.path("catalog/networks/b.toml")).unwrap();
    symlink("..", kb.path("catalog/datasets/loop")).unwrap();
    symlink("nowhere", kb.path("measurements/nowhere")).unwrap();
    // The environment of the user who runs the check, and a file beside the knowledge base.
    let secret = kb.path("..").join("secret.toml");
    fs::write(&secret, "name = \"secret\"\n").unwrap();
    symlink(&secret, kb.path("catalog/devices/secret.toml")).unwrap();
    symlink("/proc/self/environ", kb.path("catalog/devices/environ.toml")).unwrap();
    fs::create_dir(kb.path("catalog/frameworks/x.toml")).unwrap();
    let mut files = vec![FILE, "catalog/networks/a.toml", "catalog/networks/b.toml", "catalog/datasets/loop"];
    files.extend(["catalog/frameworks/x.toml", "measurements/nowhere"]);
    files.extend(["catalog/devices/secret.toml", "catalog/devices/environ.toml"]);
    if Command::new("mkfifo").arg(kb.path("catalog/sources/pipe.toml")).status().is_ok_and(|status| status.success()) {
        files.push("catalog/sources/pipe.toml");
    }
    let report = findings(&kb);
    assert_eq!(crate::check::codes(&report), vec!["DL0003"; files.len()], "{report:#}");
    for file in files {
        assert_eq!(found_in(&report, file), ["DL0003"], "{file}");
    }
}

#[cfg(unix)]
#[test]
fn nothing_is_written_through_a_link() {
    use std::os::unix::fs::symlink;
    let outside = tempfile::TempDir::new().unwrap();
    let precious = outside.path().join("precious");
    let runs = "name = \"Our runs\"\ntype = \"misc\"\n";
    let results = ",Timestamp,Framework,Algoritem,BenchStage,Precision,Result\n0,2019-05-15T16:32:41.123456,firelight,deepnet50,eval,fp32,141.9ms\n";
    let import = |more: &'static [&str]| {
        let args =
            ["import", "wrapper-csv", "<kb>/results.csv", "--source", "imagined-2018", "--device", "Nova 100 16GB"];
        [&args, more].concat()
    };
    let worker = format!("python3 {}/src/acceptance/mock_worker.py", crate::REPOSITORY);
    let run =
        vec!["run", "deepnet-50", "--device-id", "nova-100", "--time-limit", "0.1", "--quick", "--worker", &worker];
    for (link, to, args) in [
        ("measurements/imagined-2018/results.toml", &*precious, import(&["--replace"])),
        ("measurements/imagined-2018", outside.path(), import(&[])),
        ("measurements/dlbench-runs", outside.path(), run),
        ("catalog/sources", outside.path(), vec!["new", "source", "A B 2020", "--set", "type=misc", "--no-input"]),
        (".schemas", outside.path(), vec!["schema", "--write"]),
        ("taplo.toml", &*precious, vec!["schema", "--write"]),
    ] {
        let kb = KbCopy::new();
        kb.write("results.csv", results);
        kb.write("catalog/sources/dlbench-runs.toml", runs);
        fs::write(&precious, "as it was").unwrap();
        let place = kb.path(link);
        if place.is_dir() {
            // The moved folder stays readable and in the knowledge base.
            fs::rename(&place, kb.path("moved")).unwrap();
        }
        symlink(to, &place).unwrap();
        let root = kb.path("").to_string_lossy().into_owned();
        let args: Vec<String> = args.iter().map(|arg| arg.replace("<kb>/", &root)).collect();
        let ran = kb.dlbench().run(&args.iter().map(String::as_str).collect::<Vec<_>>());
        assert!(ran.code == 2 && ran.stderr.contains("nothing is written through one"), "{link}: {ran:#?}");
        assert_eq!(fs::read_to_string(&precious).unwrap(), "as it was", "{link}");
        assert_eq!(fs::read_dir(outside.path()).unwrap().count(), 1, "{link}");
    }
}

#[cfg(unix)]
#[test]
fn a_file_that_may_not_be_read_is_told() {
    use std::os::unix::fs::PermissionsExt as _;
    let kb = KbCopy::new();
    kb.write(FILE, "name = \"a\"\n");
    fs::set_permissions(kb.path(FILE), fs::Permissions::from_mode(0o000)).unwrap();
    if fs::read(kb.path(FILE)).is_ok() {
        // Root can read everything, so run as another user.
        let folder = kb.path(".").canonicalize().unwrap();
        fs::set_permissions(&folder, fs::Permissions::from_mode(0o755)).unwrap();
        let asked = Command::new("setpriv")
            .args([
                "--reuid=65534",
                "--regid=65534",
                "--clear-groups",
                env!("CARGO_BIN_EXE_dlbench"),
                "check",
                "-f",
                "json",
            ])
            .env("DLBENCH_KB", &folder)
            .current_dir("/")
            .output();
        match asked {
            Ok(output) if output.status.code() == Some(1) => {
                let report: Value = serde_json::from_slice(&output.stdout).expect("the report is JSON");
                assert_eq!(found_in(&report, FILE), ["DL0002"], "{report:#}");
            }
            other => eprintln!("skipped: this user reads every file, and no other can be had: {other:?}"),
        }
        return;
    }
    assert_eq!(found_in(&findings(&kb), FILE), ["DL0002"]);
}

#[test]
fn hostile_names_are_shown_and_not_obeyed() {
    let kb = KbCopy::new();
    kb.write("catalog/devices/red\u{1b}[31m\u{202e}.toml", "name = \"\u{1b}\"\n");
    for format in ["human", "github", "json", "sarif"] {
        let ran = kb.dlbench().run(&["check", "-f", format]);
        assert_eq!(ran.code, 1);
        assert!(!ran.stdout.contains(['\u{1b}', '\u{202e}']), "{format}: {:?}", ran.stdout);
    }
}

#[test]
fn a_name_that_hides_a_control_behind_an_escape_is_told() {
    let kb = KbCopy::new();
    kb.write(FILE, "name = \"Nova \\u001b]0;owned\\u0007\"\nclass = \"gpu\"\nvendor = \"\\\"Acme\\\"\"\n");
    let report = findings(&kb);
    assert_eq!(found_in(&report, FILE), ["DL0204", "DL0502", "DL0225"], "{report:#}");
    let messages = crate::texts(&report["findings"], "message");
    assert!(messages.contains(&"`name` has a character without a shape: U+001B"), "{report:#}");
    for (name, told) in [
        ("\"Nova\\n200\"", "U+000A"),
        ("\"Nova\\t200\"", "U+0009"),
        ("\"\"\"Nova\n200\"\"\"", "U+000A"),
        ("\"Nova\\ufdd0200\"", "U+FDD0"),
        ("\"Nova\\ufffe200\"", "U+FFFE"),
        ("\"Nova\\U0001ffff200\"", "U+1FFFF"),
    ] {
        kb.write(FILE, format!("name = {name}\nclass = \"gpu\"\n"));
        let report = findings(&kb);
        let messages = crate::texts(&report["findings"], "message");
        let told = format!("`name` has a character without a shape: {told}");
        assert!(messages.contains(&&*told), "{name}: {report:#}");
    }
    kb.write(FILE, "name = \"Nova \u{fdd0}200\"\nclass = \"gpu\"\n");
    let report = findings(&kb);
    assert!(crate::texts(&report["findings"], "message").contains(&"a noncharacter: U+FDD0"), "{report:#}");
}

#[test]
fn lines_that_end_as_on_windows_are_told_as_such_at_the_first_of_them() {
    let kb = KbCopy::new();
    let text = "name = \"Nova 200\"\nclass = \"gpu\"\n\n[[sources]]\nsource = \"invented-2020\"\n";
    for (text, line) in [
        (text.replace('\n', "\r\n"), 1),
        (text.replacen("gpu\"\n", "gpu\"\r\n", 1), 2),
        (text.replacen("[[sources]]\n", "[[sources]]\r\n", 1), 4),
    ] {
        kb.write(FILE, &text);
        let ran = kb.dlbench().run(&["check", "-f", "json"]);
        let report: Value = serde_json::from_str(&ran.stdout).expect("JSON");
        let told = report["findings"].as_array().expect("findings").iter();
        let told: Vec<_> = told.filter(|finding| finding["code"] == "DL0501").collect();
        assert_eq!(told.len(), 1, "{report:#}");
        assert_eq!(told[0]["message"], "lines end with CR and LF, as on Windows");
        assert_eq!((told[0]["line"].as_u64(), told[0]["file"].as_str()), (Some(line), Some(FILE)));
    }
}

/// The files of the miniature knowledge base with their texts.
fn miniature() -> Vec<(KbFile, String)> {
    let files = list(&miniature_kb()).expect("the miniature knowledge base can be listed");
    let text = |file: &KbFile| fs::read_to_string(miniature_kb().join(&file.path)).expect("the file is text");
    files.into_iter().map(|file| (file.clone(), text(&file))).collect()
}

proptest! {
    /// A short run of what `make fuzz` does without end: moves any part of a file to any other place and inserts any character.
    #[test]
    fn no_text_makes_the_reader_the_rules_or_the_formatter_fail(
        which in any::<prop::sample::Index>(),
        cuts in prop::collection::vec((any::<prop::sample::Index>(), any::<prop::sample::Index>(), 0_usize..40), 1..5),
        sign in prop::sample::select(vec!["\"", "[", "]", "{", "}", "=", ".", "#", "\n", "\\", "''", "\u{0}", "\u{a0}", "é", "1e400", "-"]),
    ) {
        let mut files = miniature();
        let at = which.index(files.len());
        let mut letters: Vec<char> = files[at].1.chars().collect();
        for (from, to, length) in cuts {
            let start = from.index(letters.len() + 1);
            let end = (start + length).min(letters.len());
            let part: Vec<char> = letters.drain(start..end).chain(sign.chars()).collect();
            let place = to.index(letters.len() + 1);
            letters.splice(place..place, part);
        }
        files[at].1 = letters.into_iter().collect();
        let listed: Vec<KbFile> = files.iter().map(|(file, _)| file.clone()).collect();
        let text = |file: &KbFile| files.iter().find(|(other, _)| other.path == file.path).map(|(_, text)| text.clone());
        let loaded = load_texts(&listed, |file| Ok(text(file).unwrap_or_default()));
        for finding in run_rules(&loaded, &LintOptions { whole: true, ..LintOptions::default() }) {
            let text = &finding.primary.file.text;
            let span = finding.primary.span.clone().unwrap_or(0..0);
            prop_assert!(text.get(span.clone()).is_some(), "{span:?} of {text:?}");
            if let Some(fix) = &finding.fix {
                fix.applied_to(text);
            }
        }
        let (file, text) = &files[at];
        if let Some(once) = canonical(text, &file.kind) {
            prop_assert_eq!(canonical(&once, &file.kind), Some(once.clone()), "{}", once);
        }
    }
}
