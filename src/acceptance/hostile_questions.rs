//! Questions that nobody asks but somebody sends: they end, in words, with nothing raw, however long or deep they are.

use std::process::Stdio;
use std::time::{Duration, Instant};

use crate::{Dlbench, Ran};

/// No measure of speed: whoever computes for so long at so little data would for ever at more.
const FOR_EVER: Duration = Duration::from_secs(60);

/// Long, deep and strange questions, each with what it is.
fn hostile() -> Vec<(&'static str, String)> {
    let controls: String = (1..32u8).map(char::from).collect();
    vec![
        ("a word of 100 kB", "a".repeat(100_000)),
        ("a name 16,000 times", "deepnet".repeat(14_000)),
        ("digits", "9".repeat(100_000)),
        ("words", "nova ".repeat(2_000)),
        ("unknown words", (0..100).map(|at| format!("zq{at} ")).collect()),
        ("combining marks", format!("e{}", "\u{301}".repeat(50_000))),
        ("wide characters", "字".repeat(30_000)),
        ("joined emoji", "👩‍👩‍👧‍👦".repeat(3_000)),
        ("brackets that only open", "(".repeat(100_000)),
        ("brackets that only close", ")".repeat(100_000)),
        ("brackets as deep as allowed", format!("{}nova{}", "(".repeat(32), ")".repeat(32))),
        ("deep brackets, often", format!("{}nova{} ", "(".repeat(31), ")".repeat(31)).repeat(100)),
        ("deep negations", format!("{}nova{}", "-(".repeat(31), ")".repeat(31))),
        ("alternatives", vec!["nova"; 2_000].join(" OR ")),
        ("nothing but OR", "OR ".repeat(30_000)),
        ("sides without end", "nova or core vs ".repeat(2_000)),
        ("negated words", "-nova ".repeat(300)),
        ("minus signs", "-".repeat(100_000)),
        ("filters", "batch>=1 ".repeat(300)),
        ("a filter of many values", format!("device:{}", vec!["nova"; 2_000].join(","))),
        ("a filter of commas", format!("device:{}", ",".repeat(50_000))),
        ("a long value", format!("device:{}", "x".repeat(100_000))),
        ("a long key", format!("{}:1", "k".repeat(100_000))),
        ("colons", "a:".repeat(40_000)),
        ("phrases", "\"a b\" ".repeat(100)),
        ("a long phrase", format!("\"{}\"", "a ".repeat(500))),
        ("orders", "sort:-latency ".repeat(5_000)),
        ("an address", format!("https://{}", "a/".repeat(40_000))),
        ("stars", "*".repeat(50_000)),
        ("regular expressions", "(a+)+$ [^a]{1,1000000} \\d+ (?:x|y)* .* (?R) \\1".to_owned()),
        ("numbers out of range", "batch:1e308..1e309 latency<1e-400 year:1..99999999999".to_owned()),
        ("no numbers", "batch:nan latency<inf throughput:-0..-0 n:0x10".to_owned()),
        ("control characters", controls.repeat(100)),
        ("escapes", "nova \u{1b}]0;title\u{7} \u{1b}[2J \u{9b}31m \u{202e}evil".repeat(100)),
        ("escapes in a filter", "device:\u{1b}[31mred \u{1b}P\u{1b}\\:x".to_owned()),
        ("separators", "nova\u{2028}deepnet\u{2029}fp16\u{feff}\u{200b}train\u{a0}oom".repeat(100)),
        ("format strings", "%s%n {} {0} ${HOME} $(id) `id` '; DROP TABLE measurement; --".to_owned()),
    ]
}

#[test]
fn hostile_questions_end_in_words() {
    let dlbench = Dlbench::on_miniature();
    dlbench.ok(&["index"]);
    for (what, question) in hostile() {
        for more in [["-f", "table"], ["-f", "json"]] {
            let ran = ended(&dlbench, &["query", "--explain", more[0], more[1], "--", &question], what);
            assert!([0, 1, 2].contains(&ran.code), "{what}: exit code {}", ran.code);
            assert!(!ran.stderr.contains("panicked"), "{what}: {}", ran.stderr);
            assert!(ran.code == 0 || !(ran.stdout.is_empty() && ran.stderr.is_empty()), "{what}: not a word");
            for text in [&ran.stdout, &ran.stderr] {
                let raw = text.chars().find(|c| {
                    c.is_control() && *c != '\n' || ('\u{202a}'..='\u{202e}').contains(c) || *c == '\u{200b}'
                });
                assert_eq!(raw, None, "{what}: printed raw");
            }
        }
    }
}

/// What a run left behind that ended by itself.
fn ended(dlbench: &Dlbench, args: &[&str], what: &str) -> Ran {
    let mut child = dlbench.command(args).stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().expect("it starts");
    let (out, err) = (child.stdout.take().expect("a pipe"), child.stderr.take().expect("a pipe"));
    let read = |mut from: Box<dyn std::io::Read + Send>| {
        std::thread::spawn(move || {
            let mut bytes = Vec::new();
            from.read_to_end(&mut bytes).expect("it can be read");
            bytes
        })
    };
    let (out, err) = (read(Box::new(out)), read(Box::new(err)));
    let start = Instant::now();
    let status = loop {
        if let Some(status) = child.try_wait().expect("it can be waited for") {
            break status;
        }
        if start.elapsed() > FOR_EVER {
            child.kill().expect("it can be ended");
            panic!("{what}: not done after {FOR_EVER:?}");
        }
        std::thread::sleep(Duration::from_millis(5));
    };
    let (stdout, stderr) = (out.join().expect("read whole"), err.join().expect("read whole"));
    dlbench.ran(std::process::Output { status, stdout, stderr })
}
