//! Hostile text in a knowledge base and hostile questions are harmless in the output of every format.

use std::collections::BTreeSet;
use std::process::Stdio;
use std::time::{Duration, Instant};

use serde_json::Value;

use crate::latex::{papers_are_set, pdflatex, read, set_if_wanted};
use crate::{Dlbench, KbCopy, Ran};

/// Text with a meaning to LaTeX, HTML, Markdown, spreadsheets, terminals and screen readers.
const HOSTILE: &str =
    r#"=cmd|'/C calc'!A0 _%&#~^\{}$ <script>alert("1")</script> `x` **b** [l](javascript:y) \\input{/etc/passwd}"#;

const INVISIBLE: &str = "\\u001b[31mred\\u0007 \\u009b2J \\u202eturned\\u202c \\r zero\\u200bwidth \u{fffd}中é";

/// A comparison with hostile rows, columns and footnotes.
const COMPARED: &[&str] =
    &["compare", "bf16", "--rows", "framework,framework-version,label", "--cols", "device", "--relative"];

fn hostile_kb() -> KbCopy {
    let kb = KbCopy::new();
    let text = format!("{} {INVISIBLE}", HOSTILE.replace('\\', "\\\\").replace('"', "\\\""));
    kb.replace("catalog/devices/nova-100.toml", "name = \"Acme Nova 100\"", &format!("name = \"{text} device\""));
    kb.replace(
        "catalog/frameworks/firelight.toml",
        "name = \"Firelight\"\naliases",
        &format!("name = \"{text} framework\"\naliases"),
    );
    kb.replace(
        "catalog/sources/invented-2020.toml",
        "name = \"Benchmarks That Nobody Ran\"",
        &format!("name = \"{text} source\""),
    );
    let rows: String = (1..=2)
        .map(|row| {
            format!(
                "\n[[run]]\nstage = \"forward\"\nprecision = \"bf16\"\nlatency-ms = {row}.5\nbatch-size = {row}\n\
                 label = \"{text} {row}\"\nframework-version = \"={row} {text}\"\nnotes = \"{text}\"\n"
            )
        })
        .collect();
    kb.append("measurements/invented-2020/nova.toml", &rows);
    kb
}

fn assert_visible(text: &str, about: &str) {
    let hidden =
        |c: char| c != '\n' && (c.is_control() || matches!(c, '\u{200b}'..='\u{200f}' | '\u{2028}'..='\u{202e}'));
    assert!(!text.contains(hidden), "{about}: {text:?}");
}

#[test]
fn every_format_is_visible_and_nothing_more() {
    let kb = hostile_kb();
    let dlbench = kb.dlbench();
    for format in ["table", "json", "ndjson", "csv", "markdown", "html", "latex"] {
        for args in [
            &["query", "bf16"][..],
            &["query", "nova", "--all"],
            COMPARED,
            &["table", "frameworks"],
            &["list", "devices"],
            &["show", "source", "invented-2020"],
        ] {
            let ran = dlbench.run(&[args, &["-f", format]].concat());
            assert_eq!((ran.code, ran.stderr.as_str()), (0, ""), "{args:?} {format}");
            assert_visible(&ran.stdout, &format!("{args:?} {format}"));
        }
    }
    assert_visible(&dlbench.ok(&["query", "bf16", "--facets"]), "facets");
}

#[test]
fn what_somebody_typed_is_shown_and_not_obeyed() {
    let dlbench = crate::Dlbench::on_miniature();
    let typed = "\u{c}\u{1b}[31mnova\u{202e}";
    for args in [
        &["resolve", "device", typed][..],
        &["query", typed],
        &["show", "device", typed],
        &["list", typed],
        &["query", "nova", "--such-an-option", typed],
    ] {
        let ran = dlbench.run(args);
        assert_visible(&ran.stdout, &format!("{args:?}"));
        assert_visible(&ran.stderr, &format!("{args:?}"));
    }
    let ran = dlbench.run(&["resolve", "device", typed, "\u{1b}[31m"]);
    assert_eq!(ran.code, 2);
    assert_visible(&ran.stderr, "an unexpected argument");
}

#[test]
fn a_spreadsheet_finds_no_formula() {
    let kb = hostile_kb();
    for args in [&["query", "bf16"][..], COMPARED, &["table", "frameworks"], &["list", "devices"]] {
        let csv = kb.dlbench().ok(&[args, &["-f", "csv"]].concat());
        let cells = csv.lines().flat_map(|line| line.split(','));
        for cell in cells.map(|cell| cell.trim_start_matches('"').trim_start()) {
            let formula = cell.starts_with(['=', '+', '-', '@']) && cell.parse::<f64>().is_err();
            assert!(!formula, "{cell:?} in {csv}");
        }
        assert!(csv.contains("'=cmd|"), "it is still there to be read: {csv}");
    }
}

#[test]
fn a_page_has_no_tags_but_ours() {
    let kb = hostile_kb();
    for args in [
        &["query", "bf16"][..],
        &["query", "nova", "--all", "--facets", "--standalone"],
        COMPARED,
        &["table", "frameworks"],
    ] {
        let html = kb.dlbench().ok(&[args, &["-f", "html"]].concat());
        let tags = well_formed(&html).unwrap_or_else(|mistake| panic!("{args:?}: {mistake}\n{html}"));
        assert!(tags.contains("table") && tags.contains("th") && !tags.contains("script"), "{tags:?}");
        assert!(html.contains("&lt;script&gt;"), "{html}");
        assert!(html.contains("scope=\"col\""), "{html}");
    }
    let page = kb.dlbench().ok(&["query", "bf16", "-f", "html", "--standalone", "--caption", "</title><b>"]);
    assert!(
        page.starts_with("<!doctype html>\n<html lang=\"en\">")
            && page.contains("<title>&lt;/title&gt;&lt;b&gt;</title>"),
        "{page}"
    );
    well_formed(&page).unwrap();
}

/// A document without its provenance comments, none of which may end before its line does.
fn without_record(text: &str) -> String {
    let mut rest = String::new();
    for line in text.lines() {
        match line.strip_prefix("<!-- ").and_then(|line| line.strip_suffix(" -->")) {
            Some(comment) => assert!(!comment.contains("--"), "{line}"),
            None => rest.push_str(&format!("{line}\n")),
        }
    }
    rest
}

/// The tags of a page; each must be closed in the right order.
fn well_formed(html: &str) -> Result<BTreeSet<String>, String> {
    let html = without_record(html);
    const ALLOWED: &str = "!doctype html head meta title style body section h2 h3 p small br table caption thead tbody tr th td sup \
                           strong ul ol li";
    let allowed: BTreeSet<&str> = ALLOWED.split_whitespace().collect();
    let mut open: Vec<&str> = Vec::new();
    let mut seen = BTreeSet::new();
    for part in html.split('<').skip(1) {
        let (tag, text) = part.split_once('>').ok_or(format!("a tag without end: {part}"))?;
        if text.contains('>') && open.last() != Some(&"style") {
            return Err(format!("a raw > in {text:?}"));
        }
        let name = tag.trim_start_matches('/').split_whitespace().next().unwrap_or_default();
        if !allowed.contains(name) {
            return Err(format!("the tag <{tag}>"));
        }
        for attribute in tag.split_whitespace().skip(1).filter(|_| name != "!doctype") {
            let known = ["scope=", "class=", "colspan=", "value=", "lang=", "charset=", "name=", "content="];
            if !known.iter().any(|known| attribute.starts_with(known)) {
                return Err(format!("the attribute {attribute}"));
            }
        }
        seen.insert(name.to_owned());
        if tag.starts_with('/') {
            if open.pop() != Some(name) {
                return Err(format!("</{name}> closes nothing"));
            }
        } else if !matches!(name, "!doctype" | "meta" | "br") {
            open.push(name);
        }
    }
    if open.is_empty() { Ok(seen) } else { Err(format!("{open:?} are never closed")) }
}

#[test]
fn markdown_has_no_tags_links_or_broken_rows() {
    let kb = hostile_kb();
    for args in [&["query", "bf16"][..], COMPARED] {
        rows_are_whole(&kb.dlbench().ok(&[args, &["-f", "markdown"]].concat()));
    }
}

fn rows_are_whole(markdown: &str) {
    let markdown = without_record(markdown);
    assert!(!markdown.replace("<br>", "").contains('<'), "{markdown}");
    assert!(!markdown.contains("[l](") && markdown.contains("\\[l\\]("), "{markdown}");
    let bars = |line: &str| line.replace("\\\\", "").replace("\\|", "").matches('|').count();
    let mut in_table = None;
    for line in markdown.lines() {
        match (line.starts_with('|'), in_table) {
            (true, None) => in_table = Some(bars(line)),
            (true, Some(columns)) => assert_eq!(bars(line), columns, "{line}"),
            (false, _) => in_table = None,
        }
    }
}

#[test]
fn latex_is_set_as_it_is() {
    let kb = hostile_kb();
    let tables = [
        &["query", "bf16"][..],
        &["query", "nova", "--all", "--group-by", "framework"],
        &["table", "frameworks"],
        &["query", HOSTILE],
        COMPARED,
        &[
            "compare",
            "bf16",
            "--rows",
            "label",
            "--cols",
            "framework-version,device",
            "--caption",
            HOSTILE,
            "--label",
            HOSTILE,
        ],
    ]
    .map(|args| kb.dlbench().run(&[args, &["-f", "latex"]].concat()).stdout);
    for tex in &tables {
        read(tex).unwrap_or_else(|mistake| panic!("{mistake}\n{tex}"));
    }
    assert!(tables[0].contains("\\textbackslash{}input"), "{}", tables[0]);
    set_if_wanted(&tables);
}

#[test]
fn a_paper_is_set_as_it_is() {
    let kb = hostile_kb();
    let folder = tempfile::TempDir::new().expect("a temporary folder");
    let text = toml::Value::from(HOSTILE).to_string();
    let mut spec = format!("title = {text}\n");
    for (name, command) in [
        ("rows", "query bf16"),
        ("compared", "compare bf16 --rows framework,framework-version,label --cols device --relative"),
        ("catalog", "table frameworks"),
        ("points", "plot bf16 --kind scatter --x batch --y latency --group framework-version --label label"),
    ] {
        spec.push_str(&format!("[[item]]\nname = \"{name}\"\ncaption = {text}\ncommand = \"{command}\"\n"));
    }
    let (file, output) = (folder.path().join("spec.toml"), folder.path().join("paper"));
    std::fs::write(&file, spec).expect("a specification");
    let paths = [&output, &file].map(|path| path.to_str().expect("a path"));
    let made = kb.dlbench().run(&["paper", "-o", paths[0], paths[1]]);
    assert_eq!(made.code, 0, "{}", made.stderr);
    let read_file = |name: &str| std::fs::read_to_string(output.join(name)).unwrap_or_else(|e| panic!("{name}: {e}"));
    for name in ["main.tex", "refs.bib", "data.csv", "figures/points.svg", "figures/points.tex", "tables/rows.tex"] {
        assert_visible(&read_file(name), name);
    }
    for name in ["rows", "compared", "catalog"] {
        let tex = read_file(&format!("tables/{name}.tex"));
        read(&tex).unwrap_or_else(|mistake| panic!("{mistake}\n{tex}"));
    }
    let data = read_file("data.csv");
    for row in csv::Reader::from_reader(data.as_bytes()).records() {
        assert!(row.expect("CSV").iter().all(|cell| !cell.trim_start().starts_with('=')), "{data}");
    }
    assert_eq!(kb.dlbench().run(&["paper", "--verify", paths[0]]).code, 0, "what was locked comes back as it was");
    if papers_are_set() {
        pdflatex(&output);
    }
}

#[test]
fn a_question_of_several_lines_stays_in_its_comment() {
    let tex = Dlbench::on_miniature().ok(&["query", "nova\n\\input{x}\nOR deepnet", "-f", "latex"]);
    read(&tex).unwrap_or_else(|mistake| panic!("{mistake}\n{tex}"));
    assert_eq!(tex.lines().next(), Some("% dlbench query: nova \\input{x} OR deepnet"));
}

#[test]
fn json_says_it_all_in_visible_characters() {
    let kb = hostile_kb();
    let answer: Value = kb.dlbench().answer("bf16");
    let label = answer["measurements"][0]["label"].as_str().unwrap();
    assert!(label.starts_with("=cmd|") && label.contains("\u{1b}[31m") && label.contains('\u{202e}'), "{label:?}");
}

/// A limit for endless computation, not a measure of speed: more data would make such a question run forever.
const FOR_EVER: Duration = Duration::from_secs(60);

/// Long, deeply nested and strange questions, each with a description.
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

/// The result of a run, which must end by itself.
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
