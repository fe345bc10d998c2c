//! Runs every command and format on a pseudo-terminal, with a knowledge base full of terminal control sequences.

use std::path::Path;
use std::process::Command;
use std::time::Instant;

use tempfile::TempDir;

use super::figures::Figures;
use crate::KbCopy;

/// Runs the command in its arguments on a pseudo-terminal, ends its input, and passes on its output.
const ON_A_TERMINAL: &str = "import os, pty, sys\nos.environ.pop('NO_COLOR', None)\ntyped = [b'\\x04\\x04\\x04']\n\
    read = lambda _: typed.pop() if typed else b''\nsys.exit(os.waitstatus_to_exitcode(pty.spawn(sys.argv[1:], stdin_read=read)) & 255)";

/// Sequences that terminals obey: titles, the clipboard, the screen, the cursor, hidden and reversed text, links, reports.
const OBEYED: &str = r"\u001b]0;title\u0007 \u001b]52;c;ZXZpbA==\u0007 \u001b[2J \u001b[8mhidden \u009b31m \u202egnp\u2069 \u001bP0;1|x\u001b\\ \u001b]8;;http://evil\u001b\\x \r over \u001b[6n \u200b \u2028";

const FORMATS: &[&str] = &["table", "json", "ndjson", "csv", "markdown", "html", "latex"];

fn hostile_kb() -> KbCopy {
    let kb = KbCopy::new();
    let name =
        |text: &str, new: &str| text.replacen(&format!("name = \"{new}"), &format!("name = \"{OBEYED} {new}"), 1);
    for (file, own) in [
        ("catalog/devices/nova-100.toml", "Acme Nova 100"),
        ("catalog/frameworks/firelight.toml", "Firelight"),
        ("catalog/sources/invented-2020.toml", "Benchmarks That Nobody Ran"),
        ("catalog/networks/deepnet-50.toml", "DeepNet-50"),
    ] {
        let text = std::fs::read_to_string(kb.path(file)).expect(file);
        let hostile = name(&text, own);
        assert_ne!(text, hostile, "{file}");
        kb.write(file, hostile);
    }
    let rows = format!(
        "\n[[run]]\nstage = \"forward\"\nprecision = \"bf16\"\nlatency-ms = 1.5\nbatch-size = 1\nlabel = \"{OBEYED}\"\nnotes = \"{OBEYED}\"\n\
         standing = \"disputed\"\nstanding-reason = \"{OBEYED}\"\n"
    );
    kb.append("measurements/invented-2020/nova.toml", &rows);
    kb.write("catalog/devices/broken.toml", format!("name = \"{OBEYED}\"\nclass = \"{OBEYED}\"\n"));
    kb.write("catalog/devices/ra\u{1b}[31mw.toml", "name = \"\u{1b}]0;title\u{7}\"\n");
    kb
}

/// Every command, in every format that it has; output files go below `folder`.
fn commands(folder: &Path) -> Vec<Vec<String>> {
    let obeyed = folder.join("\u{1b}[2J").display().to_string();
    let titled = folder.join("\u{1b}]0;title\u{7}").display().to_string();
    let mut all: Vec<Vec<&str>> = Vec::new();
    for format in FORMATS {
        all.push(vec!["query", "bf16", "-f", format]);
        all.push(vec!["query", "nova", "--all", "--explain", "-f", format]);
        all.push(vec!["compare", "nova", "--rows", "label", "--cols", "device", "-f", format]);
        all.push(vec!["table", "frameworks", "-f", format]);
        all.push(vec!["list", "devices", "-f", format]);
        all.push(vec!["show", "source", "invented-2020", "-f", format]);
        all.push(vec!["show", "network", "deepnet-50", "-f", format]);
    }
    for format in ["human", "json", "github", "sarif"] {
        all.push(vec!["check", "-f", format]);
    }
    all.extend([
        vec!["query", "\u{1b}]0;title\u{7} \u{202e}nova", "--facets"],
        vec!["query", "device:\u{9b}2Jnova"],
        vec!["plot", "bf16", "--x", "label", "--y", "latency"],
        vec!["resolve", "device", "\u{1b}[2JNova 100"],
        vec!["stats"],
        vec!["index"],
        vec!["index", "--status"],
        vec!["fmt", "--check"],
        vec!["explain", "\u{1b}[2J"],
        vec!["show", "\u{1b}]0;title\u{7}"],
        vec!["import", "timm", &*obeyed, "--source", "imagined-2018"],
        vec!["new", "device", "\u{1b}[2J\u{202e}"],
        vec!["paper", "-o", &*obeyed, "bf16"],
        vec!["diff", "\u{1b}[2J"],
        vec!["export", "-f", "json", "-o", &*obeyed],
        vec!["--kb", &*titled, "query", "x"],
    ]);
    all.into_iter().map(|args| args.into_iter().map(str::to_owned).collect()).collect()
}

/// Runs every `step`th command.
pub fn attack(step: usize) -> Figures {
    let mut figures = Figures::of("outputs on a terminal");
    let kb = hostile_kb();
    let folder = TempDir::new().expect("a temporary folder");
    let dlbench = kb.dlbench();
    for args in commands(folder.path()).iter().step_by(step) {
        let words: Vec<&str> = args.iter().map(String::as_str).collect();
        let program = dlbench.command(&[&["--no-pager"], &*words].concat());
        let mut command = Command::new("python3");
        command.args(["-c", ON_A_TERMINAL]).arg(program.get_program()).args(program.get_args());
        command
            .envs(program.get_envs().filter_map(|(key, value)| Some((key, value?))))
            .stdin(std::process::Stdio::null());
        let start = Instant::now();
        let output = command.output().expect("python3 runs");
        let text = String::from_utf8_lossy(&output.stdout).into_owned();
        figures.count(output.status.success(), start.elapsed());
        if text.trim().is_empty() && args[0] != "fmt" {
            figures.failures.push(format!("{args:?}: not a word: {}", String::from_utf8_lossy(&output.stderr)));
        }
        if let Some(obeyed) = obeyed(&text) {
            figures.failures.push(format!("{args:?}: {obeyed:?} in {text:?}"));
        }
        if text.contains("mistake in dlbench itself") {
            figures.failures.push(format!("{args:?}: {text}"));
        }
    }
    figures
}

/// The first sequence in a text that a terminal would obey, other than line ends, tabs, colours and weights.
fn obeyed(text: &str) -> Option<String> {
    // The terminal itself turns a line end into two characters.
    let mut rest = text;
    while let Some(at) = rest.find(|c: char| {
        c.is_control()
            || matches!(c, '\u{200b}'..='\u{200f}' | '\u{2028}'..='\u{202e}' | '\u{2066}'..='\u{2069}' | '\u{feff}')
    }) {
        rest = &rest[at..];
        let parameters =
            rest.strip_prefix("\u{1b}[").map(|rest| rest.trim_start_matches(|c: char| c.is_ascii_digit() || c == ';'));
        rest = match parameters {
            Some(after) if after.starts_with('m') && !rest.starts_with("\u{1b}[8m") => &after[1..],
            _ if rest.starts_with(['\n', '\t']) => &rest[1..],
            _ if rest.starts_with("\r\n") || rest.starts_with("\r\r\n") => &rest[1..],
            _ => return Some(rest.chars().take(12).collect()),
        };
    }
    None
}

#[test]
fn what_a_terminal_obeys_is_seen() {
    assert_eq!(obeyed("\u{1b}[1;33mwarning\u{1b}[0m: a\r\n\tb\r\n"), None);
    for hostile in ["\u{1b}]0;x\u{7}", "\u{1b}[2J", "a\rb", "\u{9b}m", "\u{202e}", "\u{1b}[8mx"] {
        assert!(obeyed(hostile).is_some(), "{hostile:?}");
    }
}
