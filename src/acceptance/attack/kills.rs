//! Kills commands at each of their writes: every file of the knowledge base must then be complete, in its old or its new state, and
//! running the command again must produce the new state.

use std::collections::BTreeMap;
use std::fs;
use std::os::unix::process::ExitStatusExt as _;
use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};
use std::time::{Duration, Instant, SystemTime};

use super::figures::Figures;
use super::workers::left_behind;
use crate::{Dlbench, KbCopy, REPOSITORY};

/// System calls that change the disk; `?` makes strace skip those that this system does not have.
const WRITES: &str = "?write,?pwrite64,?writev,?rename,?renameat,?renameat2,?fsync,?fdatasync,?ftruncate,?mkdir,?mkdirat,?unlink,?unlinkat,\
                      ?link,?linkat,?chmod,?fchmod,?fchmodat";

/// A command and the preparation it needs; `<kb>` in an argument is replaced by the knowledge base.
pub struct Killed {
    name: &'static str,
    args: &'static [&'static str],
    prepare: fn(&KbCopy),
    /// A folder whose files must be all old or all new.
    whole: Option<&'static str>,
}

impl Killed {
    /// A command without preparation that writes each file separately.
    const fn of(name: &'static str, args: &'static [&'static str]) -> Self {
        Self { name, args, prepare: |_| (), whole: None }
    }
}

const RESULTS: &str = ",Timestamp,Framework,Algoritem,BenchStage,Precision,Result\n\
    0,2019-05-15T16:32:41.123456,firelight,deepnet50,eval,fp32,141.9ms\n\
    1,2019-05-15T16:33:41.123456,firelight,deepnet50,train,fp16,92.90ms\n";

const IMPORT: &[&str] = &[
    "import",
    "wrapper-csv",
    "<kb>/results.csv",
    "--source",
    "imagined-2018",
    "--device",
    "Nova 100 16GB",
    "--batch-size",
    "16",
];

pub const COMMANDS: &[Killed] = &[
    Killed {
        name: "import",
        args: IMPORT,
        whole: None,
        prepare: |kb| {
            kb.write("results.csv", RESULTS);
            assert_eq!(kb.dlbench().run(&with_place(IMPORT, kb)).code, 0);
            kb.write("results.csv", RESULTS.replace("141.9", "142.0").replace("92.90", "93.10"));
        },
    },
    Killed::of(
        "new measurement",
        &[
            "new",
            "measurement",
            "nova",
            "--source",
            "invented-2020",
            "--set",
            "framework=Firelight 1.2",
            "--set",
            "device=Nova 100 16GB",
            "--set",
            "network=DeepNet-50",
            "--set",
            "stage=eval",
            "--set",
            "precision=fp32",
            "--set",
            "batch-size=48",
            "--set",
            "counts=image",
            "--set",
            "latency-ms=41.50",
        ],
    ),
    Killed {
        name: "fmt",
        whole: None,
        args: &["fmt"],
        prepare: |kb| {
            for file in [
                "catalog/devices/weave-9.toml",
                "catalog/networks/deepnet.toml",
                "measurements/invented-2020/nova.toml",
            ] {
                let text = fs::read_to_string(kb.path(file)).expect(file);
                kb.write(file, text.replace(" = ", "   =  "));
            }
        },
    },
    Killed {
        name: "check --fix",
        whole: None,
        args: &["check", "--fix"],
        prepare: |kb| {
            kb.append("catalog/devices/weave-9.toml", "\n\n\n").append("catalog/networks/deepnet.toml", "\n\n\n");
        },
    },
    Killed {
        name: "paper",
        prepare: |kb| {
            let paper = ["paper", "-o", "<kb>/paper", "query nova", "query weave"];
            assert_eq!(kb.dlbench().run(&with_place(&paper, kb)).code, 0);
            kb.replace("measurements/invented-2020/nova.toml", "latency-ms = 33.3", "latency-ms = 44.4");
        },
        args: &["paper", "-o", "<kb>/paper", "query nova"],
        whole: Some("paper/"),
    },
    Killed::of("index --rebuild", &["index", "--rebuild"]),
    Killed {
        name: "site",
        prepare: |kb| {
            assert_eq!(kb.dlbench().run(&with_place(&["site", "-o", "<kb>/site"], kb)).code, 0);
            kb.replace("measurements/invented-2020/nova.toml", "latency-ms = 33.3", "latency-ms = 44.4");
        },
        args: &["site", "-o", "<kb>/site"],
        whole: Some("site/"),
    },
    Killed {
        name: "init",
        prepare: |kb| {
            assert_eq!(kb.dlbench().run(&with_place(&["snapshot", "-o", "<kb>/kb.tar.gz"], kb)).code, 0);
        },
        args: &["init", "<kb>/mine", "--from", "<kb>/kb.tar.gz"],
        whole: Some("mine/"),
    },
    Killed::of("export", &["export", "-o", "<kb>/all.json"]),
    Killed::of("export of tables", &["export", "-f", "csv", "-o", "<kb>/tables"]),
    Killed::of("export of a database", &["export", "-f", "sqlite", "-o", "<kb>/all.sqlite"]),
    Killed::of("export of columns", &["export", "-f", "parquet", "-o", "<kb>/columns"]),
    Killed::of("snapshot", &["snapshot", "-o", "<kb>/kb.tar.gz"]),
    Killed::of(
        "plot",
        &["plot", "nova deepnet-50 train", "--x", "precision", "--y", "latency", "-o", "<kb>/figure.svg"],
    ),
    Killed::of("query", &["query", "nova", "-f", "latex", "-o", "<kb>/nova.tex", "--bib", "<kb>/refs.bib"]),
    Killed::of("query of rows", &["query", "nova", "-f", "csv", "-o", "<kb>/nova.csv"]),
    Killed::of("schema", &["schema", "--write"]),
    Killed::of(
        "new source",
        &["new", "source", "Kept 2021", "--set", "type=misc", "--set", "url=https://example.org/kept", "--no-input"],
    ),
];

fn with_place<'a>(args: &[&'a str], kb: &KbCopy) -> Vec<&'a str> {
    // Leaked strings are acceptable, because the tests' commands live as long as the process.
    args.iter()
        .map(|arg| {
            if arg.contains("<kb>") {
                &*Box::leak(arg.replace("<kb>", &kb.path("").to_string_lossy()).into_boxed_str())
            } else {
                arg
            }
        })
        .collect()
}

/// Kills the commands at `count` of their writes in total; `None` if this system cannot trace processes.
pub fn attack(count: usize) -> Option<Figures> {
    let mut figures = Figures::of("kills at writes");
    for killed in COMMANDS {
        let (before, after, writes) = states(killed)?;
        // If there are few kills, they are in the middle of the writes, where most is in progress.
        let kills = count.div_ceil(COMMANDS.len()).min(writes);
        for kill in 0..kills {
            let at = if kills == 1 { writes.div_ceil(2) } else { 1 + kill * (writes - 1) / (kills - 1) };
            let start = Instant::now();
            if let Err(wrong) = kill_at(killed, at, &before, &after) {
                figures.failures.push(format!("{} killed at write {at} of {writes}: {wrong}", killed.name));
            }
            figures.count(true, start.elapsed());
        }
    }
    Some(figures)
}

/// The files before and after the command, and the largest number of writes by one of its threads.
fn states(killed: &Killed) -> Option<(Files, Files, usize)> {
    let kb = prepared(killed);
    let before = files_of(kb.path("").as_path());
    let trace = kb.path("../").join(format!("trace-{}", std::process::id()));
    let dlbench = kb.dlbench();
    let ran = traced(
        &dlbench,
        &with_place(killed.args, &kb),
        &["-e", &format!("trace={WRITES}"), "-o", &trace.to_string_lossy()],
    );
    let text = fs::read_to_string(&trace).unwrap_or_default();
    let _ = fs::remove_file(&trace);
    let mut of_threads: BTreeMap<&str, usize> = BTreeMap::new();
    for line in text.lines().filter(|line| line.contains('(') && !line.contains("resumed")) {
        *of_threads.entry(line.split_whitespace().next().unwrap_or_default()).or_default() += 1;
    }
    match ran {
        Some(output) if output.status.success() && !of_threads.is_empty() => {
            Some((before, files_of(&kb.path("")), *of_threads.values().max()?))
        }
        // A command that fails without a kill is an error in this table and must not be skipped.
        Some(output) if !String::from_utf8_lossy(&output.stderr).contains("strace: ") => {
            panic!("{}: {}: {}", killed.name, output.status, String::from_utf8_lossy(&output.stderr));
        }
        other => {
            eprintln!("skipped: strace does not work here: {other:?}");
            None
        }
    }
}

fn prepared(killed: &Killed) -> KbCopy {
    let kb = KbCopy::new();
    (killed.prepare)(&kb);
    kb
}

fn kill_at(killed: &Killed, at: usize, before: &Files, after: &Files) -> Result<(), String> {
    let kb = prepared(killed);
    let dlbench = kb.dlbench();
    let args = with_place(killed.args, &kb);
    let inject = format!("inject={WRITES}:signal=SIGKILL:when={at}");
    let output = traced(&dlbench, &args, &["-e", "trace=none", "-e", &inject, "-o", "/dev/null"]).ok_or("no strace")?;
    let ended = output.status.signal() == Some(9) || output.status.code() == Some(137) || output.status.success();
    if !ended {
        return Err(format!("{}: {}", output.status, String::from_utf8_lossy(&output.stderr)));
    }
    let found = files_of(&kb.path(""));
    for (path, content) in &found {
        let is_ours = path.split('/').any(|name| name.starts_with(".dlbench"));
        if !is_ours && ![before, after].iter().any(|state| state.get(path) == Some(content)) {
            return Err(format!("{path} is neither the old nor the new one: {:?}", String::from_utf8_lossy(content)));
        }
    }
    if let Some(lost) = before.keys().find(|path| after.contains_key(*path) && !kb.path(path).exists()) {
        return Err(format!("{lost} is lost"));
    }
    if let Some(whole) = killed.whole {
        let [found, old, new] = [&found, before, after].map(|files| below(files, whole));
        if found != old && found != new {
            return Err(format!("{whole} is half: {:?}", found.keys()));
        }
    }
    // Ages the temporary files, because a young one counts as still being written.
    age(&temporaries(&kb.path("")))?;
    // Existing files are reported (exit code 2), and the rest is done.
    let again = dlbench.run(&args);
    if let Some(kept) = temporaries(&kb.path("")).first() {
        return Err(format!("the same command again leaves {}: {}", kept.display(), again.stderr));
    }
    let left = files_of(&kb.path(""));
    if left != *after {
        let differing: Vec<&String> =
            left.keys().chain(after.keys()).filter(|path| left.get(*path) != after.get(*path)).collect();
        return Err(format!("the same command again leaves others: {differing:?}: {}", again.stderr));
    }
    let asked = dlbench.run(&["query", "nova", "-f", "json"]);
    if asked.code == 0 && asked.stderr.is_empty() { Ok(()) } else { Err(format!("asked afterwards: {}", asked.stderr)) }
}

/// Kills `run` at `count` moments: the measurements can be read, no worker remains, and repeating the command measures the rest.
pub fn runs(count: usize) -> Figures {
    let mut figures = Figures::of("kills of run");
    let ended = |moment: Option<Duration>| -> Result<usize, String> {
        let kb = KbCopy::new();
        kb.write("catalog/sources/dlbench-runs.toml", "name = \"Our runs\"\ntype = \"misc\"\n");
        let mark = format!("pids={}", kb.path("pids").display());
        let worker = format!("python3 {REPOSITORY}/src/acceptance/mock_worker.py {mark}");
        let args = ["run", "deepnet-50", "--batch-size", "4,8", "--device-id", "nova-100", "--processes", "1"];
        let args = [&args[..], &["--time-limit", "0.1", "--wait", "0", "--seed", "6", "--worker", &worker]].concat();
        let dlbench = kb.dlbench();
        if let Some(moment) = moment {
            let mut command = dlbench.command(&args);
            let child = command.stdout(Stdio::null()).stderr(Stdio::null()).spawn();
            let mut child = child.map_err(|error| error.to_string())?;
            std::thread::sleep(moment);
            child.kill().and_then(|()| child.wait()).map_err(|error| error.to_string())?;
            let left = left_behind(&mark);
            if !left.is_empty() {
                return Err(format!("workers stay: {left:?}"));
            }
            let asked = dlbench.run(&["stats"]);
            if (asked.code, asked.stderr.as_str()) != (0, "") {
                return Err(format!("what was written cannot be read: {}", asked.stderr));
            }
            age(&temporaries(&kb.path("")))?;
        }
        let again = dlbench.run(&args);
        let kept = temporaries(&kb.path(""));
        match (again.code, kept.first()) {
            (0, None) => Ok(dlbench.answer("status:measured")["total"].as_u64().unwrap_or_default() as usize),
            (_, kept) => Err(format!("the same command again: {}, leaves {kept:?}: {}", again.code, again.stderr)),
        }
    };
    let start = Instant::now();
    let whole = ended(None);
    let takes = start.elapsed();
    for at in 0..count {
        let start = Instant::now();
        let moment = takes * at as u32 / count as u32;
        let rows = ended(Some(moment));
        figures.count(true, start.elapsed());
        if rows.is_err() || rows != whole {
            figures.failures.push(format!("run killed after {moment:?}: {rows:?}, and {whole:?} undisturbed"));
        }
    }
    figures
}

/// Sets the modification time of files back, so that they no longer count as being written.
fn age(paths: &[PathBuf]) -> Result<(), String> {
    let then = SystemTime::now() - Duration::from_secs(60);
    paths.iter().try_for_each(|path| {
        let aged = fs::File::open(path).and_then(|file| file.set_modified(then));
        aged.map_err(|error| format!("{}: {error}", path.display()))
    })
}

/// Runs a command and all of its threads under strace.
fn traced(dlbench: &Dlbench, args: &[&str], more: &[&str]) -> Option<Output> {
    let program = dlbench.command(args);
    let mut traced = Command::new("strace");
    traced.arg("-f").args(more).arg(program.get_program()).args(program.get_args());
    traced.current_dir(std::env::temp_dir()).env("RAYON_NUM_THREADS", "1");
    for (key, value) in program.get_envs() {
        match value {
            Some(value) => traced.env(key, value),
            None => traced.env_remove(key),
        };
    }
    traced.output().ok()
}

/// The files below a folder.
fn below(files: &Files, folder: &str) -> Files {
    files.iter().filter(|(path, _)| path.starts_with(folder)).map(|(path, text)| (path.clone(), text.clone())).collect()
}

/// Temporary files and folders anywhere below a folder.
fn temporaries(folder: &Path) -> Vec<PathBuf> {
    let mut found = Vec::new();
    for entry in fs::read_dir(folder).into_iter().flatten().flatten() {
        let path = entry.path();
        match path.is_dir() {
            _ if entry.file_name().to_string_lossy().starts_with(".dlbench-") => found.push(path),
            true => found.extend(temporaries(&path)),
            false => {}
        }
    }
    found
}

/// File contents, keyed by path in a folder.
type Files = BTreeMap<String, Vec<u8>>;

fn files_of(folder: &Path) -> Files {
    let mut files = Files::new();
    let mut folders = vec![folder.to_owned()];
    while let Some(place) = folders.pop() {
        for entry in fs::read_dir(&place).expect("a folder").flatten() {
            let path = entry.path();
            if path.is_dir() {
                folders.push(path);
            } else {
                let name = path.strip_prefix(folder).expect("below it").to_string_lossy().into_owned();
                files.insert(name, fs::read(&path).expect("a file"));
            }
        }
    }
    files
}
