//! The stores in the cache: built once, detected when stale, rebuilt when damaged, and not used when there is no room for them.

use std::cell::Cell;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::time::Duration;

use dlbench::KnowledgeBase;
use serde_json::Value;
use tempfile::TempDir;

use crate::{Dlbench, KbCopy};

const STATUS: [&str; 4] = ["index", "--status", "-f", "json"];

const QUESTION: [&str; 4] = ["query", "deepnet", "-f", "json"];

/// Waits longer than the resolution of file times; the program does not trust files that are younger.
fn let_the_files_settle() {
    std::thread::sleep(Duration::from_millis(40));
}

/// The output of `index --status`.
fn status(dlbench: &Dlbench) -> Value {
    serde_json::from_str(&dlbench.ok(&STATUS)).expect("the status is JSON")
}

/// The folder of the current stores.
fn stores(dlbench: &Dlbench) -> PathBuf {
    let folder =
        status(dlbench)["stores"].as_str().expect("a folder").replace("<cache>", &dlbench.cache.to_string_lossy());
    PathBuf::from(folder)
}

#[test]
fn the_status_counts_each_kind_and_says_when_and_from_what_the_stores_were_built() {
    let dlbench = Dlbench::on_miniature();
    let status = status(&dlbench);
    for (kind, count) in [
        ("measurements", 10),
        ("sources", 2),
        ("frameworks", 2),
        ("devices", 4),
        ("networks", 3),
        ("datasets", 1),
        ("hardware_classes", 2),
    ] {
        assert_eq!(status[kind], count, "{kind}");
    }
    assert_eq!(status["knowledge_base"], "<kb>");
    assert!(status["stores"].as_str().is_some_and(|folder| folder.starts_with("<cache>/")), "{status}");
    assert!(status["content"].as_str().is_some_and(|hash| hash.len() == 32), "{status}");
    assert!(status["built_at"].as_str().is_some_and(|time| time.ends_with('Z')), "{status}");
}

#[test]
fn the_second_question_finds_the_stores_made() {
    let kb = KbCopy::new();
    let dlbench = kb.dlbench();
    let_the_files_settle();
    let first = status(&dlbench);
    assert_eq!(first["built_now"], true);
    let second = status(&dlbench);
    assert_eq!(second["built_now"], false);
    for key in ["content", "stores", "built_at", "measurements"] {
        assert_eq!(second[key], first[key], "{key}");
    }
}

#[test]
fn the_second_question_reads_no_file_of_the_knowledge_base() {
    let kb = KbCopy::new();
    let dlbench = kb.dlbench();
    let_the_files_settle();
    let answer = dlbench.ok(&QUESTION);
    dlbench.ok(&QUESTION);
    let strace = dlbench.cache.with_file_name("strace");
    let program = dlbench.command(&QUESTION);
    let mut traced = std::process::Command::new("strace");
    traced.args(["-f", "-e", "trace=open,openat,openat2", "-o"]).arg(&strace).arg(program.get_program());
    traced.args(program.get_args());
    for (key, value) in program.get_envs() {
        match value {
            Some(value) => traced.env(key, value),
            None => traced.env_remove(key),
        };
    }
    let Ok(output) = traced.output() else {
        eprintln!("skipped: this system has no strace");
        return;
    };
    if !output.status.success() {
        eprintln!("skipped: strace does not work here: {}", String::from_utf8_lossy(&output.stderr));
        return;
    }
    assert_eq!(String::from_utf8(output.stdout).unwrap(), answer);
    let opened = fs::read_to_string(&strace).unwrap();
    let root = kb.path("").display().to_string();
    let read: Vec<&str> = opened.lines().filter(|line| line.contains(&root) && line.contains(".toml\"")).collect();
    assert!(read.is_empty(), "\n{}", read.join("\n"));
}

#[test]
fn a_changed_file_is_noticed_at_once() {
    let kb = KbCopy::new();
    let dlbench = kb.dlbench();
    let_the_files_settle();
    dlbench.ok(&QUESTION);
    kb.replace("measurements/invented-2020/nova.toml", "latency-ms = 33.3", "latency-ms = 44.4");
    assert_eq!(dlbench.answer("latency:44.4")["total"], 1);
    assert_eq!(dlbench.answer("latency:33.3")["total"], 0);
    // A change right after a change, within the resolution of file times.
    kb.replace("measurements/invented-2020/nova.toml", "latency-ms = 44.4", "latency-ms = 55.5");
    assert_eq!(dlbench.answer("latency:55.5")["total"], 1);
}

#[test]
fn a_change_of_the_same_length_at_the_same_time_is_noticed() {
    let kb = KbCopy::new();
    let dlbench = kb.dlbench();
    let_the_files_settle();
    dlbench.ok(&QUESTION);
    assert_eq!(status(&dlbench)["built_now"], false);
    let file = kb.path("measurements/invented-2020/nova.toml");
    let before = fs::metadata(&file).unwrap();
    kb.replace("measurements/invented-2020/nova.toml", "latency-ms = 33.3", "latency-ms = 44.4");
    fs::File::options().write(true).open(&file).unwrap().set_modified(before.modified().unwrap()).unwrap();
    let after = fs::metadata(&file).unwrap();
    assert_eq!((after.len(), after.modified().unwrap()), (before.len(), before.modified().unwrap()));
    assert_eq!(dlbench.answer("latency:44.4")["total"], 1);
}

/// Mounts two images without times at one place in turn: same names, sizes, times and inodes, different content.
#[cfg(target_os = "linux")]
#[test]
fn images_of_equal_stamps_at_one_place_are_told_apart() {
    let ran =
        |program: &str, args: &[&str]| Command::new(program).args(args).output().is_ok_and(|out| out.status.success());
    let kb = KbCopy::new();
    let folder = TempDir::new().expect("a temporary folder");
    let path = |name: &str| folder.path().join(name).to_string_lossy().into_owned();
    let (place, files) = (path("mounted"), kb.path("").to_string_lossy().into_owned());
    fs::create_dir(&place).expect("a folder");
    let images = ["33.3", "44.4"].map(|latency| (latency, path(latency)));
    for (_, image) in &images {
        if !ran("mksquashfs", &[&files, image, "-all-time", "0", "-mkfs-time", "0", "-quiet", "-no-progress"]) {
            return eprintln!("NOT TESTED: images, since there is no mksquashfs of 4.5 or newer");
        }
        let file = "measurements/invented-2020/nova.toml";
        let text = fs::read_to_string(kb.path(file)).expect("a file").replace("latency-ms = 33.3", "latency-ms = 44.4");
        kb.write(file, text);
    }
    let dlbench = Dlbench::on(&place);
    for (latency, image) in images.iter().cycle().take(4) {
        if !ran("mount", &["-o", "loop,ro", image, &place]) {
            return eprintln!("NOT TESTED: images, since none can be mounted here");
        }
        let row = dlbench.run(&["query", "deepnet-101 nova", "-f", "json"]);
        assert!(ran("umount", &[&place]), "{place} is still in use");
        let row: Value = serde_json::from_str(&row.stdout).expect("JSON");
        assert_eq!(row["measurements"][0]["metrics"]["latency_ms"].to_string(), *latency);
    }
}

#[test]
fn new_and_removed_files_are_noticed() {
    let kb = KbCopy::new();
    let dlbench = kb.dlbench();
    let_the_files_settle();
    assert_eq!(status(&dlbench)["devices"], 4);
    kb.write("catalog/devices/weave-10.toml", "name = \"Loom Weave 10\"\nclass = \"fpga\"\n");
    assert_eq!(status(&dlbench)["devices"], 5);
    fs::remove_file(kb.path("catalog/devices/weave-10.toml")).unwrap();
    assert_eq!(status(&dlbench)["devices"], 4);
    fs::remove_dir_all(kb.path("measurements/imagined-2018")).unwrap();
    assert_eq!(status(&dlbench)["measurements"], 8);
}

#[test]
fn files_that_were_only_touched_are_not_built_from_again() {
    let kb = KbCopy::new();
    let dlbench = kb.dlbench();
    let_the_files_settle();
    dlbench.ok(&QUESTION);
    let text = fs::read(kb.path("catalog/devices/weave-9.toml")).unwrap();
    kb.write("catalog/devices/weave-9.toml", text);
    assert_eq!(status(&dlbench)["built_now"], false);
}

#[test]
fn a_deleted_cache_is_made_again() {
    let dlbench = Dlbench::on_miniature();
    let answer = dlbench.ok(&QUESTION);
    fs::remove_dir_all(&dlbench.cache).unwrap();
    assert!(dlbench.ok(&QUESTION) == answer, "another answer");
    let folder = stores(&dlbench);
    fs::remove_dir_all(&folder).unwrap();
    assert!(dlbench.ok(&QUESTION) == answer, "another answer");
    assert!(folder.is_dir());
}

#[test]
fn a_truncated_store_is_made_again() {
    let dlbench = Dlbench::on_miniature();
    let answer = dlbench.ok(&QUESTION);
    let store = stores(&dlbench).join("database.sqlite");
    let length = fs::metadata(&store).unwrap().len();
    for kept in [0, 1, 100, length / 2, length - 8192, length - 4000, length - 1] {
        fs::File::options().write(true).open(&store).unwrap().set_len(kept).unwrap();
        assert!(dlbench.ok(&QUESTION) == answer, "{kept} of {length} bytes were left");
        assert_eq!(fs::metadata(&store).unwrap().len(), length, "{kept} of {length} bytes were left");
    }
}

#[test]
fn a_store_of_other_bytes_is_made_again() {
    let dlbench = Dlbench::on_miniature();
    let answer = dlbench.ok(&QUESTION);
    let store = stores(&dlbench).join("database.sqlite");
    fs::write(&store, "This is not a database, however long it may be. ".repeat(1000)).unwrap();
    assert!(dlbench.ok(&QUESTION) == answer, "another answer");
    fs::remove_file(&store).unwrap();
    fs::create_dir(&store).unwrap();
    assert!(dlbench.ok(&QUESTION) == answer, "another answer");
}

#[test]
fn an_index_that_misses_a_file_is_made_again() {
    let dlbench = Dlbench::on_miniature();
    let answer = dlbench.ok(&QUESTION);
    let index = stores(&dlbench).join("index");
    let names = |folder: &Path| -> Vec<PathBuf> {
        let files = fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path());
        // Only writers use the lock and the list of managed files.
        files.filter(|file| !file.file_name().unwrap().to_string_lossy().starts_with('.')).collect()
    };
    let count = names(&index).len();
    assert!(count > 4, "an index has several files");
    for at in 0..count {
        let file = names(&index).swap_remove(at);
        fs::remove_file(&file).unwrap();
        assert!(dlbench.ok(&QUESTION) == answer, "without {}", file.display());
        let file = names(&index).swap_remove(at);
        fs::File::options().write(true).open(&file).unwrap().set_len(7).unwrap();
        assert!(dlbench.ok(&QUESTION) == answer, "{} cut to 7 bytes", file.display());
    }
}

#[test]
fn a_flipped_bit_or_a_block_of_zeros_anywhere_in_the_stores_changes_no_answer() {
    const BLOCK: usize = 4096;
    let dlbench = Dlbench::on_miniature();
    let answer = dlbench.ok(&QUESTION);
    let folder = stores(&dlbench);
    // The files of an index have different names each time.
    let files = || {
        let mut files = ["aspects.columns", "database.sqlite", "manifest"].map(|name| folder.join(name)).to_vec();
        files.extend(fs::read_dir(folder.join("index")).unwrap().map(|entry| entry.unwrap().path()));
        // Only writers use the lock and the list of managed files.
        files.retain(|file| !file.file_name().unwrap().to_string_lossy().starts_with('.'));
        files.sort();
        files
    };
    let mut random = fastrand::Rng::with_seed(7);
    for place in 0..files().len() {
        for _ in 0..3 {
            let file = &files()[place];
            let mut bytes = fs::read(file).unwrap();
            if bytes.is_empty() {
                continue;
            }
            let at = random.usize(..bytes.len());
            bytes[at] ^= 1 << random.u8(..8);
            fs::write(file, &bytes).unwrap();
            assert!(dlbench.ok(&QUESTION) == answer, "{}, a bit of byte {at}", file.display());
        }
        let file = &files()[place];
        let mut bytes = fs::read(file).unwrap();
        let start = random.usize(..bytes.len().max(1)) / BLOCK * BLOCK;
        let end = (start + BLOCK).min(bytes.len());
        bytes[start..end].fill(0);
        fs::write(file, &bytes).unwrap();
        assert!(dlbench.ok(&QUESTION) == answer, "{}, zeros from {start}", file.display());
    }
    let verified = dlbench.ok(&["index", "--verify", "-f", "json"]);
    assert_eq!(serde_json::from_str::<Value>(&verified).unwrap()["built_now"], false, "all was mended already");
}

#[test]
fn what_is_damaged_while_it_is_open_is_built_again_and_asked_again() {
    let cache = tempfile::TempDir::new().unwrap();
    let open = || dlbench::KnowledgeBase::open_with_cache(crate::miniature_kb(), cache.path()).unwrap();
    let answer = |kb: &dlbench::KnowledgeBase| serde_json::to_string(&kb.query("deepnet fp16").unwrap()).unwrap();
    let right = answer(&open());
    let folder = PathBuf::from(open().status().unwrap().stores);
    let is_kept = |path: &PathBuf| path.is_file() && path.extension().is_none_or(|end| end != "lock");
    let files: Vec<PathBuf> = folders_below(&folder).into_iter().filter(is_kept).collect();
    assert!(files.len() > 5, "{files:?}");
    for file in files {
        let kb = open();
        let mut bytes = fs::read(&file).unwrap_or_default();
        bytes.iter_mut().for_each(|byte| *byte = byte.wrapping_mul(31).wrapping_add(7));
        fs::write(&file, bytes).unwrap();
        assert_eq!(answer(&kb), right, "{}", file.display());
        assert_eq!(answer(&kb), right, "once more: {}", file.display());
        // The next one to open finds intact stores.
        assert_eq!(answer(&open()), right, "{}", file.display());
    }
}

#[test]
fn a_damaged_note_of_the_content_is_no_obstacle() {
    let kb = KbCopy::new();
    let dlbench = kb.dlbench();
    let_the_files_settle();
    let answer = dlbench.ok(&QUESTION);
    let stamps = stores(&dlbench).with_file_name("stamps");
    let mut damaged = 0;
    for content in ["", "../../..", "\u{0}", "0123456789abcdef0123456789abcdef"] {
        for stamp in fs::read_dir(&stamps).unwrap() {
            fs::write(stamp.unwrap().path(), content).unwrap();
            damaged += 1;
        }
        assert!(dlbench.ok(&QUESTION) == answer, "{content:?}");
    }
    assert!(damaged >= 4, "there was nothing to damage");
}

#[test]
fn a_cache_that_cannot_be_used_is_done_without_and_said() {
    let expected = Dlbench::on_miniature().ok(&QUESTION);
    let file = tempfile::NamedTempFile::new().unwrap();
    let mut places = vec![file.path().to_owned(), file.path().join("below")];
    if Path::new("/dev/full").exists() {
        places.push("/dev/full".into());
        places.push("/dev/full/x".into());
    }
    if Path::new("/proc/self").is_dir() {
        places.push("/proc/self/dlbench".into());
    }
    for place in places {
        let dlbench = Dlbench::on_miniature().with_cache(&place);
        let ran = dlbench.run(&QUESTION);
        assert_eq!(ran.code, 0, "{}: {}", place.display(), ran.stderr);
        assert!(ran.stdout == expected, "{}: another answer", place.display());
        let warning = "warning: the cache cannot be used, so everything was built in memory: <cache>";
        assert!(ran.stderr.starts_with(warning), "{}: {}", place.display(), ran.stderr);
        assert!(ran.stderr.contains("help: point DLBENCH_CACHE at a folder"), "{}", ran.stderr);

        let status: Value = serde_json::from_str(&dlbench.run(&STATUS).stdout).unwrap();
        assert_eq!((&status["stores"], &status["built_now"]), (&"memory".into(), &true.into()));
    }
}

#[cfg(target_os = "linux")]
#[test]
fn where_files_may_not_grow_it_answers_from_memory_and_is_not_ended() {
    let dlbench = Dlbench::on_miniature();
    let inner = dlbench.command(&QUESTION);
    let limited = |script: &str| {
        let mut limited = std::process::Command::new("bash");
        limited.args(["-c", script, "bash"]).arg(inner.get_program()).args(inner.get_args());
        limited.envs(inner.get_envs().filter_map(|(key, value)| Some((key, value?))));
        dlbench.ran(limited.output().unwrap())
    };
    let ran = limited("ulimit -f 4; \"$@\" | cat; exit ${PIPESTATUS[0]}");
    assert_eq!(ran.code, 0, "{}", ran.stderr);
    assert!(ran.stderr.starts_with("warning: the cache cannot be used"), "{}", ran.stderr);
    assert!(ran.stdout == Dlbench::on_miniature().ok(&QUESTION), "another answer");
    // A missing working folder does not matter if the knowledge base is named.
    let gone = limited("cd \"$(mktemp -d)\"; rmdir \"$PWD\"; exec \"$@\"");
    assert_eq!((gone.code, gone.stderr.as_str()), (0, ""));
}

#[cfg(unix)]
#[test]
fn a_cache_that_can_only_be_read_still_serves() {
    use std::os::unix::fs::PermissionsExt as _;
    let kb = KbCopy::new();
    let dlbench = kb.dlbench();
    let_the_files_settle();
    let answer = dlbench.ok(&QUESTION);
    let folder = stores(&dlbench).parent().unwrap().to_owned();
    let set = |mode| fs::set_permissions(&folder, fs::Permissions::from_mode(mode)).unwrap();
    set(0o555);
    let probe = folder.join("probe");
    let is_root = fs::write(&probe, "").is_ok();
    if is_root {
        fs::remove_file(probe).unwrap();
        eprintln!("only half a test: this user (root?) can write everywhere");
    }
    assert!(dlbench.ok(&QUESTION) == answer, "what is there is used");
    kb.replace("measurements/invented-2020/nova.toml", "latency-ms = 33.3", "latency-ms = 44.4");
    let changed = dlbench.run(&QUESTION);
    set(0o755);
    assert_eq!(changed.code, 0);
    assert!(changed.stdout.contains("44.4"), "what changed is answered from memory");
    assert!(is_root || changed.stderr.starts_with("warning: the cache cannot be used"), "{}", changed.stderr);
}

#[cfg(target_os = "linux")]
#[test]
fn a_full_disk_is_done_without_and_said() {
    let disk = tempfile::TempDir::new().unwrap();
    let mount = |size: &str| {
        let mut mount = std::process::Command::new("mount");
        mount.args(["-t", "tmpfs", "-o", size, "dlbench-test"]).arg(disk.path()).stderr(Stdio::null());
        mount.status().is_ok_and(|status| status.success())
    };
    // The disk has room for a few files, but not for the stores.
    if !mount("size=64k") {
        eprintln!("skipped: this user may not mount a small disk");
        return;
    }
    let ran = Dlbench::on_miniature().with_cache(disk.path().join("cache")).run(&QUESTION);
    let left: Vec<PathBuf> =
        folders_below(disk.path()).into_iter().filter(|f| f.ends_with("database.sqlite")).collect();
    let _ = std::process::Command::new("umount").arg(disk.path()).status();
    assert_eq!(ran.code, 0, "{}", ran.stderr);
    assert!(ran.stdout == Dlbench::on_miniature().ok(&QUESTION), "another answer");
    assert!(ran.stderr.starts_with("warning: the cache cannot be used"), "{}", ran.stderr);
    assert!(left.is_empty(), "what was begun is taken away again: {left:?}");
}

/// Every path below a folder.
fn folders_below(folder: &Path) -> Vec<PathBuf> {
    let mut found = Vec::new();
    for entry in fs::read_dir(folder).into_iter().flatten().flatten() {
        found.push(entry.path());
        found.extend(folders_below(&entry.path()));
    }
    found
}

#[test]
fn many_processes_at_once_all_answer() {
    let dlbench = Dlbench::on_miniature();
    let expected = Dlbench::on_miniature().ok(&QUESTION);
    for round in ["from an empty cache", "from a cache that is there", "from a damaged cache"] {
        if round == "from a damaged cache" {
            fs::write(stores(&dlbench).join("database.sqlite"), "").unwrap();
        }
        let children: Vec<_> = (0..8)
            .map(|_| dlbench.command(&QUESTION).stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap())
            .collect();
        for child in children {
            let ran = dlbench.ran(child.wait_with_output().unwrap());
            assert_eq!((ran.stderr.as_str(), ran.code), ("", 0), "{round}");
            assert!(ran.stdout == expected, "{round}: another answer");
        }
    }
    let left = folders_below(&dlbench.cache);
    let unfinished: Vec<_> = left.iter().filter(|path| path.to_string_lossy().contains("building-")).collect();
    assert!(unfinished.is_empty(), "{unfinished:?}");
}

#[test]
fn questions_during_rebuilds_are_answered() {
    let dlbench = Dlbench::on_miniature();
    let expected = dlbench.ok(&QUESTION);
    let spawn = |args: &[&str]| dlbench.command(args).stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
    for _ in 0..3 {
        let rebuilds: Vec<_> = (0..3).map(|_| spawn(&["index", "--rebuild"])).collect();
        let questions: Vec<_> = (0..5).map(|_| spawn(&QUESTION)).collect();
        for question in questions {
            let ran = dlbench.ran(question.wait_with_output().unwrap());
            assert_eq!(ran.code, 0, "{}", ran.stderr);
            assert!(ran.stdout == expected, "another answer");
        }
        for rebuild in rebuilds {
            let ran = dlbench.ran(rebuild.wait_with_output().unwrap());
            assert_eq!(ran.code, 0, "{}", ran.stderr);
        }
    }
}

#[test]
fn sixteen_processes_answer_from_one_state_each_while_files_change_and_stores_are_rebuilt() {
    const FILE: &str = "measurements/imagined-2018/weave.toml";
    let kb = KbCopy::new();
    let before = fs::read_to_string(kb.path(FILE)).unwrap();
    let rows: String = (2..=20)
        .map(|batch| {
            format!("[[run]]\ndevice = \"weave-9\"\nnetwork = \"deepnet-50\"\nbatch-size = {batch}\nlatency-ms = {batch}.5\n")
        })
        .collect();
    let after = before.replace("233", "933") + &rows;
    // Replaced in one step, as by an editor or a pull: every process finds either the old or the new text.
    let replace = |text: &str| {
        fs::write(kb.path("measurements/imagined-2018/.new"), text).unwrap();
        fs::rename(kb.path("measurements/imagined-2018/.new"), kb.path(FILE)).unwrap();
    };
    let question = ["query", "deepnet", "--all", "-f", "json"];
    let answer_to = |text: &str| {
        replace(text);
        kb.dlbench().ok(&question)
    };
    let right = [answer_to(&after), answer_to(&before)];
    assert!(right[0] != right[1], "the states differ");

    let dlbench = kb.dlbench();
    let spawn = |args: &[&str]| dlbench.command(args).stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
    for (round, state) in [&after, &before, &after, &before].into_iter().enumerate() {
        let rebuilds: Vec<_> = (0..2).map(|_| spawn(&["index", "--rebuild"])).collect();
        let early: Vec<_> = (0..8).map(|_| spawn(&question)).collect();
        replace(state);
        let late: Vec<_> = (0..8).map(|_| spawn(&question)).collect();
        for (is_late, child) in
            early.into_iter().map(|child| (false, child)).chain(late.into_iter().map(|child| (true, child)))
        {
            let ran = dlbench.ran(child.wait_with_output().unwrap());
            assert_eq!((ran.stderr.as_str(), ran.code), ("", 0), "round {round}");
            // A process that started after the change must answer from the new state.
            let allowed = if is_late { &right[round % 2..=round % 2] } else { &right[..] };
            assert!(
                allowed.contains(&ran.stdout),
                "round {round}, late: {is_late}: an answer from no state\n{}",
                ran.stdout
            );
        }
        for rebuild in rebuilds {
            let ran = dlbench.ran(rebuild.wait_with_output().unwrap());
            assert_eq!((ran.stderr.as_str(), ran.code), ("", 0), "round {round}");
        }
        assert!(dlbench.ok(&question) == right[round % 2], "round {round}: another answer afterwards");
    }
}

#[test]
fn two_builds_give_the_same_answers_byte_for_byte() {
    let (one, other) = (Dlbench::on_miniature(), Dlbench::on_miniature());
    for args in [
        QUESTION.as_slice(),
        &["query", "fp16 nova", "-f", "json"],
        &["query", "fp16 nova", "--explain"],
        &["query", "apache java fpga", "-f", "json"],
        &["query", "nova zebra", "-f", "json"],
        &["list", "devices", "-f", "json"],
        &["show", "device", "nova", "-f", "json"],
        &["table", "frameworks", "-f", "csv"],
    ] {
        let first = one.run(args);
        assert!(other.run(args) == first, "{args:?}");
        one.ok(&["index", "--rebuild"]);
        assert!(one.run(args) == first, "{args:?} after a rebuild");
    }
    let content = |dlbench: &Dlbench| status(dlbench)["content"].clone();
    assert_eq!(content(&one), content(&other));
    assert_eq!(content(&KbCopy::new().dlbench()), content(&one), "the content is the same wherever it lies");
}

#[test]
fn knowledge_bases_do_not_share_stores() {
    let (one, other) = (KbCopy::new(), KbCopy::new());
    let cache = tempfile::TempDir::new().unwrap();
    fs::remove_dir_all(other.path("measurements/imagined-2018")).unwrap();
    let first = one.dlbench().with_cache(cache.path());
    let second = other.dlbench().with_cache(cache.path());
    for _ in 0..2 {
        assert_eq!(status(&first)["measurements"], 10);
        assert_eq!(status(&second)["measurements"], 8);
    }
}

const FILE: &str = "measurements/invented-2020/nova.toml";

/// A copy of the miniature that is queried for the number of rows with a latency; also counts the queries that this took.
struct Asked {
    kb: KbCopy,
    cache: TempDir,
}

impl Asked {
    fn new() -> Self {
        let asked = Self { kb: KbCopy::new(), cache: TempDir::new().unwrap() };
        asked.let_the_files_settle();
        asked
    }

    /// Waits longer than the resolution of file times; the program does not trust files that are younger.
    fn let_the_files_settle(&self) {
        std::thread::sleep(Duration::from_millis(40));
    }

    fn rows(&self, latency: &str) -> (usize, usize) {
        let times = Cell::new(0);
        let ask = |kb: &KnowledgeBase| {
            times.set(times.get() + 1);
            kb.query(&format!("latency:{latency}")).unwrap().total
        };
        let (kb, rows) = KnowledgeBase::open_and_ask(&self.kb.path(""), self.cache.path(), ask).unwrap();
        assert_eq!(kb.query(&format!("latency:{latency}")).unwrap().total, rows, "what is left open says the same");
        (rows, times.get())
    }

    /// The cache's note on the content that the files had last.
    fn latest(&self) -> std::path::PathBuf {
        let of_kb = fs::read_dir(self.cache.path()).unwrap().next().expect("the cache of one").unwrap();
        of_kb.path().join("latest")
    }
}

#[test]
fn what_was_asked_of_files_that_have_changed_is_asked_again() {
    let asked = Asked::new();
    assert_eq!(asked.rows("33.3"), (1, 1), "nothing is known yet");
    assert_eq!(asked.rows("33.3"), (1, 1), "ahead of the look at the files");
    asked.kb.replace(FILE, "latency-ms = 33.3", "latency-ms = 44.4");
    // Young files are always read again.
    assert_eq!(asked.rows("33.3"), (0, 2));
    assert_eq!(asked.rows("44.4").0, 1);
    asked.let_the_files_settle();
    assert_eq!(asked.rows("44.4").0, 1);
    assert_eq!(asked.rows("44.4"), (1, 1));
    // The stores of the earlier content are kept, but are not used for the new content.
    asked.kb.replace(FILE, "latency-ms = 44.4", "latency-ms = 33.3");
    asked.let_the_files_settle();
    assert_eq!(asked.rows("44.4"), (0, 2));
    assert_eq!(asked.rows("33.3"), (1, 1));
}

#[test]
fn a_mistake_in_the_files_is_told_whatever_was_answered_ahead() {
    let asked = Asked::new();
    assert_eq!(asked.rows("33.3"), (1, 1));
    asked.kb.write("catalog/kb.toml", "this is = no knowledge base");
    let opened = KnowledgeBase::open_and_ask(&asked.kb.path(""), asked.cache.path(), |_| ());
    assert!(opened.is_err());
    fs::remove_dir_all(asked.kb.path("catalog")).unwrap();
    let opened = KnowledgeBase::open_and_ask(&asked.kb.path(""), asked.cache.path(), |_| ());
    assert!(opened.is_err());
}

#[test]
fn a_wrong_note_of_the_last_content_costs_time_alone() {
    let asked = Asked::new();
    assert_eq!(asked.rows("33.3"), (1, 1));
    let other = Asked::new();
    other.kb.replace(FILE, "latency-ms = 33.3", "latency-ms = 44.4");
    other.let_the_files_settle();
    assert_eq!(other.rows("44.4"), (1, 1));
    for note in [fs::read(other.latest()).unwrap(), b"../..".to_vec(), vec![0; 9], Vec::new()] {
        fs::write(asked.latest(), &note).unwrap();
        assert_eq!(asked.rows("33.3"), (1, 1), "{note:?}");
        assert_eq!(asked.rows("33.3"), (1, 1), "{note:?}");
    }
}
