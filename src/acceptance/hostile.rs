//! Hostile text in a knowledge base comes out harmless in every format.

use std::collections::BTreeSet;

use serde_json::Value;

use crate::latex::{papers_are_set, pdflatex, read, set_if_wanted};
use crate::{Dlbench, KbCopy};

/// What means something to LaTeX, HTML, Markdown, spreadsheets, terminals and readers of text.
const HOSTILE: &str =
    r#"=cmd|'/C calc'!A0 _%&#~^\{}$ <script>alert("1")</script> `x` **b** [l](javascript:y) \\input{/etc/passwd}"#;
const INVISIBLE: &str = "\\u001b[31mred\\u0007 \\u009b2J \\u202eturned\\u202c \\r zero\\u200bwidth \u{fffd}中é";

/// A comparison whose rows, columns and footnotes are hostile.
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

/// A document without the comments that record what it is; none of them ends before its line does.
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

/// The tags of a page, each of them closed in its turn.
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
