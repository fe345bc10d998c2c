//! Tables and figures as a journal prints them: in each document class, with a bibliography, without warnings of LaTeX or BibTeX
//! and without overfull boxes. `make test-papers` compiles them, and leaves the pages in `target/papers` for inspection.

mod artefacts;

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use artefacts::table;
use dlbench::KnowledgeBase;
use dlbench::render::bibtex::bibtex;
use dlbench::values::EntityKind;

use self::artefacts::{CLASSES, PAPER, TABLES, document, figures_of, tables_of};
use crate::latex::{papers_are_set, with_bibliography};
use crate::{Dlbench, REPOSITORY, shared_cache};

fn place_of(class: &str) -> PathBuf {
    Path::new(REPOSITORY).join("target/papers").join(class)
}

/// The keys that a document cites.
fn cited(tex: &str) -> BTreeSet<&str> {
    let commands = tex.lines().filter(|line| !line.starts_with('%')).flat_map(|line| line.split("\\cite{").skip(1));
    commands.filter_map(|rest| rest.split_once('}')).flat_map(|(keys, _)| keys.split(',')).collect()
}

#[test]
fn every_citation_of_a_table_has_its_entry() {
    let folder = tempfile::TempDir::new().expect("a temporary folder");
    let dlbench = Dlbench::on(REPOSITORY);
    let tables = tables_of(&dlbench, "ieee", folder.path());
    let bib = fs::read_to_string(folder.path().join("refs.bib")).expect("a bibliography");
    let keys: Vec<&str> =
        bib.lines().filter_map(|line| line.strip_prefix('@')?.split_once('{')?.1.strip_suffix(',')).collect();
    assert_eq!(keys.iter().collect::<BTreeSet<_>>().len(), keys.len(), "nothing is repeated: {keys:?}");
    for (tex, (name, _)) in tables.iter().zip(TABLES) {
        let cited = cited(tex);
        assert!(cited.len() > 1 && cited.iter().all(|key| keys.contains(key)), "{name}: {cited:?} of {keys:?}");
        assert!(!tex.contains("[1]") && !tex.contains("{[}1{]}"), "{name} has numbers of its own: {tex}");
    }
    assert!(tables[0].contains("as reported by Dai and Berleant (2019)"), "{}", tables[0]);
    let again = dlbench.run(&[
        "query",
        "fp16 V100 resnet152",
        "-f",
        "latex",
        "--bib",
        folder.path().join("refs.bib").to_str().expect("UTF-8"),
    ]);
    assert_eq!((again.code, again.stderr.as_str()), (0, ""));
    assert_eq!(fs::read_to_string(folder.path().join("refs.bib")).expect("a bibliography"), bib);
}

/// Bibliography styles that journals and conferences require.
const STYLES: &[&str] = &["plain", "plainnat", "IEEEtran", "ACM-Reference-Format", "splncs04"];

#[test]
fn every_source_is_an_entry_that_every_style_takes() {
    if !papers_are_set() {
        return;
    }
    let kb = KnowledgeBase::open_with_cache(REPOSITORY, shared_cache()).expect("the real knowledge base");
    let sources = kb.ids(EntityKind::Source).expect("the sources");
    let references = kb.references(sources.iter().map(String::as_str), &[]).expect("references");
    let folder = tempfile::TempDir::new().expect("a temporary folder");
    fs::write(folder.path().join("refs.bib"), bibtex(&references)).expect("a bibliography");
    let mut found = String::new();
    for style in STYLES {
        let aux = format!("\\relax\n\\citation{{*}}\n\\bibstyle{{{style}}}\n\\bibdata{{refs}}\n");
        fs::write(folder.path().join("main.aux"), aux).expect("a file");
        let ran = Command::new("bibtex").arg("main").current_dir(folder.path()).output().expect("bibtex starts");
        let said = String::from_utf8_lossy(&ran.stdout);
        let complains = |line: &&str| line.contains("Warning--") || line.contains("rror");
        said.lines().filter(complains).for_each(|line| found.push_str(&format!("{style}: {line}\n")));
        let bbl = fs::read_to_string(folder.path().join("main.bbl")).expect("what BibTeX wrote");
        let unset: Vec<&String> = sources.iter().filter(|id| !bbl.contains(&format!("{{{id}}}"))).collect();
        assert!(unset.is_empty(), "{style}: {unset:?}");
    }
    assert!(found.is_empty(), "{found}");
}

#[test]
fn a_bibliography_that_cannot_be_read_is_left_alone() {
    let folder = tempfile::TempDir::new().expect("a temporary folder");
    let (bib, tex) = (folder.path().join("refs.bib"), folder.path().join("t.tex"));
    fs::write(&bib, "@misc{mine,\n  title = {never closed\n").expect("a file");
    let [bib_path, tex_path] = [&bib, &tex].map(|path| path.to_str().expect("UTF-8"));
    let ran = Dlbench::on_miniature().run(&["query", "nova", "-f", "latex", "--bib", bib_path, "-o", tex_path]);
    assert_eq!((ran.code, ran.stdout.as_str()), (2, ""));
    assert!(ran.stderr.contains("line 2: ") && ran.stderr.contains("nothing was written"), "{}", ran.stderr);
    assert!(!tex.exists() && fs::read_to_string(&bib).expect("a file").starts_with("@misc{mine,"));
}

#[test]
fn the_layout_is_the_authors() {
    let dlbench = Dlbench::on(REPOSITORY);
    let tex = |more: &[&str]| {
        let asked = [
            "compare",
            "source:u39kun-2018 resnet152 pytorch",
            "--rows",
            "device",
            "--cols",
            "stage,precision",
            "-f",
            "latex",
        ];
        dlbench.ok(&[&asked[..], more].concat())
    };
    for (more, float) in [
        (&["--class", "ieee", "--layout", "column"][..], "\\begin{table}\n"),
        (&["--class", "ieee", "--layout", "page"], "\\begin{table*}\n"),
        (&["--class", "acm", "--layout", "turned"], "\\begin{sidewaystable*}\n"),
        (&["--class", "llncs", "--layout", "turned"], "\\begin{sidewaystable}\n"),
        (&["--class", "llncs", "--layout", "page"], "\\begin{table}\n"),
    ] {
        let tex = tex(more);
        assert!(tex.contains(float) && tex.contains("[ms]"), "{more:?}: {tex}");
    }
    let bare = tex(&["--bare"]);
    let set: Vec<&str> = bare.lines().filter(|line| !line.starts_with('%')).collect();
    assert!(set[0].starts_with("\\begin{tabular}") && set[set.len() - 1] == "\\end{tabular}", "{bare}");
    let named = tex(&["--order", "Titan V,tesla-v100", "--label-of", "tesla-v100=V100 (p3)", "--label", "tab:my_own"]);
    let rows: Vec<&str> =
        named.lines().filter(|line| line.ends_with("\\\\") && !line.contains("multicolumn")).collect();
    assert!(rows[1].starts_with("Titan V") && rows[2].starts_with("V100 (p3)"), "{named}");
    assert!(named.contains("\\label{tab:my_own}"), "{named}");
    let refused = dlbench.run(&["query", "v100", "-f", "latex", "--label", "tab:{x}"]);
    assert_eq!(refused.code, 2, "{}", refused.stdout);
    // A narrow text width splits the table into parts that repeat the columns which identify the rows.
    let narrow = tex(&["--text-width", "50mm", "--layout", "column"]);
    assert!(narrow.matches("\\begin{tabular}").count() > 1 && narrow.contains("(continued)"), "{narrow}");
}

/// Warnings of LaTeX that a journal would object to.
fn complaints(log: &str) -> Vec<&str> {
    let starts = ["Overfull", "LaTeX Warning", "Package ", "Class ", "LaTeX Font Warning", "pdfTeX warning"];
    // Messages about the installation rather than the tables.
    let of_others = ["You do not have the", "Package balance Warning"];
    let complains = |line: &&str| {
        !of_others.iter().any(|other| line.contains(other))
            && starts.iter().any(|start| line.starts_with(start))
            && (line.contains("Warning") || line.contains("Overfull") || line.contains("warning"))
    };
    log.lines().filter(complains).collect()
}

#[test]
fn every_artefact_is_printable_in_every_class() {
    if !papers_are_set() {
        return;
    }
    let dlbench = Dlbench::on(REPOSITORY);
    let mut found = String::new();
    for class in CLASSES {
        let (folder, name) = (place_of(class.name), class.name);
        fs::create_dir_all(&folder).expect("a folder");
        let tables = tables_of(&dlbench, name, &folder);
        let figures = figures_of(&dlbench, class, &folder);
        let document = document(class, &tables, &figures);
        fs::write(folder.join("main.tex"), &document).expect("a document");
        let (log, bibtex) = with_bibliography(&folder);
        for complaint in complaints(&log).into_iter().chain(bibtex.lines().filter(|line| line.contains("Warning--"))) {
            found.push_str(&format!("{name}: {complaint}\n"));
        }
        // Every cited key has an entry in the printed references.
        let bbl = fs::read_to_string(folder.join("main.bbl")).expect("what BibTeX wrote");
        let set = |key: &str| bbl.contains(&format!("{{{key}}}"));
        let unset: Vec<&str> = cited(&document).into_iter().filter(|key| !set(key)).collect();
        assert!(unset.is_empty(), "{name}: {unset:?} have no entry in {bbl}");
        let rows = TABLES.iter().position(|(name, _)| *name == "rows").expect("the table of rows");
        wrong_references(&folder, &tables[rows]).iter().for_each(|wrong| found.push_str(&format!("{name}: {wrong}\n")));
        drawn(&folder);
    }
    assert!(found.is_empty(), "{found}");
}

/// Renders the pages as images for inspection.
fn drawn(folder: &Path) {
    let _ = Command::new("pdftoppm").args(["-r", "80", "-png", "main.pdf", "page"]).current_dir(folder).status();
}

/// The rows of a printed table whose reference number belongs to a different entry than their source.
fn wrong_references(folder: &Path, table: &str) -> Vec<String> {
    // Text extraction cannot read the lines of rotated tables.
    if table.contains("{sideways") {
        return Vec::new();
    }
    let read = |name: &str| fs::read_to_string(folder.join(name)).expect("what LaTeX wrote");
    let aux = read("main.aux");
    // \bibcite{key}{4}, or {{4}{2019}{..}{..}} by natbib.
    let numbers = aux.lines().filter_map(|line| line.strip_prefix("\\bibcite{")?.split_once("}{"));
    let numbers: BTreeMap<&str, &str> =
        numbers.map(|(key, rest)| (key, rest.trim_start_matches('{').split('}').next().unwrap_or_default())).collect();
    let texts = Command::new("pdftotext").args(["-layout", "main.pdf", "main.txt"]).current_dir(folder).status();
    assert!(texts.is_ok_and(|status| status.success()), "NOT TESTED: pdftotext could not be had");
    let printed = read("main.txt");
    let (mut wrong, mut compared) = (Vec::new(), 0);
    // A row ends in the id of its measurement, which begins with its source.
    for (row, id) in table.lines().filter_map(|line| line.split_once(" \\\\ % ")) {
        let source = id.split_once(':').expect("an id").0;
        let cells = row.split(" & ").collect::<Vec<_>>();
        let value = cells.iter().rev().find_map(|cell| {
            let number = cell.trim_start_matches("\\bfseries ").split('\\').next().unwrap_or_default().trim();
            number.parse::<f64>().ok().map(|_| number)
        });
        let value = value.expect("a value");
        let line = printed.lines().find(|line| line.split_whitespace().any(|word| word.trim_end_matches('*') == value));
        let number = line.and_then(|line| line.rsplit_once('[')).and_then(|(_, rest)| rest.split_once(']'));
        compared += 1;
        if number.map(|(number, _)| number) != numbers.get(source).copied() {
            wrong.push(format!("{id} stands in {line:?}, and {source} is {:?}", numbers.get(source)));
        }
    }
    assert!(compared > 10, "{compared} rows");
    wrong
}

#[test]
fn a_paper_is_printable_in_every_class() {
    let dlbench = Dlbench::on(REPOSITORY);
    let folder = tempfile::TempDir::new().expect("a temporary folder");
    let spec = folder.path().join("spec.toml");
    fs::write(&spec, PAPER).expect("a specification");
    let mut found = String::new();
    for class in CLASSES {
        let paper = if papers_are_set() { place_of(class.name).join("paper") } else { folder.path().join(class.name) };
        fs::create_dir_all(&paper).expect("a folder");
        let asked = ["paper", "--class", class.name, "--force", "-o"];
        let paths = [&paper, &spec].map(|path| path.to_str().expect("UTF-8"));
        let made = dlbench.run(&[&asked[..], &paths].concat());
        assert_eq!(made.code, 0, "{}", made.stderr);
        let main = fs::read_to_string(paper.join("main.tex")).expect("a document");
        let spans = matches!(class.name, "ieee" | "acm");
        assert_eq!(main.contains("\\begin{figure*}"), spans, "{main}");
        assert!(main.contains("\\begin{figure}"), "{main}");
        if !papers_are_set() {
            continue;
        }
        let (log, bibtex) = with_bibliography(&paper);
        for complaint in complaints(&log).into_iter().chain(bibtex.lines().filter(|line| line.contains("Warning--"))) {
            found.push_str(&format!("{}: {complaint}\n", class.name));
        }
        drawn(&paper);
    }
    assert!(found.is_empty(), "{found}");
}

#[test]
fn no_value_of_a_column_visibly_beats_its_best() {
    let dlbench = Dlbench::on(REPOSITORY);
    let (mut marked, mut withdrawn) = (0, 0);
    for (question, more, lower) in [
        ("vgg16 train fp32 device-count:1", &["--cols", "source", "--metric", "latency"][..], true),
        (
            "source:u39kun-2018 vgg16 pytorch framework-version:0.3.0",
            &["--cols", "stage,precision", "--metric", "latency"],
            true,
        ),
        ("resnet-50 train device-count:1", &["--cols", "framework", "--metric", "throughput"], false),
        ("resnet-50 inference", &["--metric", "items-per-joule"], false),
        ("b200 OR h200 llama", &["--cols", "network", "--metric", "throughput"], false),
        (
            "resnet-50 train (v100 OR a100) device-count:1..8",
            &["--rows", "device,framework", "--cols", "device-count", "--metric", "throughput"],
            false,
        ),
    ] {
        let rows: &[&str] = if more.contains(&"--rows") { &[] } else { &["--rows", "device"] };
        let asked = [&["compare", question, "-f", "json"][..], rows, more].concat();
        let table = dlbench.json(&asked);
        let rows: Vec<&Vec<serde_json::Value>> =
            table["cells"].as_array().expect("cells").iter().map(|row| row.as_array().expect("a row")).collect();
        for column in 0..rows[0].len() {
            let cells: Vec<(f64, bool)> = rows
                .iter()
                .filter_map(|row| Some((row[column]["value"].as_f64()?, row[column]["best"].as_bool()?)))
                .collect();
            let better =
                |a: &&(f64, bool), b: &&(f64, bool)| if lower { b.0.total_cmp(&a.0) } else { a.0.total_cmp(&b.0) };
            let Some((top, is_best)) = cells.iter().max_by(better) else { continue };
            if cells.iter().any(|(_, best)| *best) {
                marked += 1;
                assert!(is_best, "{question}: {top} in column {column} beats what is marked: {cells:?}");
            }
        }
        let notes = table["notes"].as_array().expect("notes");
        withdrawn += notes.iter().filter(|note| note["code"] == "unmarked").count();
    }
    assert!(
        marked > 3 && withdrawn > 2,
        "{marked} columns with a best value, {withdrawn} tables with a reason for none"
    );
}

/// The tables and figures that compare measurements of many sources.
const OF_MANY_SOURCES: [&str; 3] = ["scaling", "resnet-50", "decode"];

#[test]
fn every_value_that_is_ranked_with_nothing_is_grey_and_every_mark_stands_in_a_cell() {
    let dlbench = Dlbench::on(REPOSITORY);
    for asked in OF_MANY_SOURCES.map(table) {
        let of = |format: &'static str| -> Vec<&'static str> { [asked, &["--pick", "best", "-f", format]].concat() };
        let (tex, table) = (dlbench.ok(&of("latex")), dlbench.json(&of("json")));
        let rows = table["cells"].as_array().expect("cells").iter();
        let cells: Vec<&serde_json::Value> =
            rows.flat_map(|row| row.as_array().expect("a row")).filter(|cell| !cell["value"].is_null()).collect();
        let alone = cells.iter().filter(|cell| cell["rank"].is_null()).count();
        assert!(alone > 0 && alone < cells.len(), "{asked:?}: {alone} of {} values", cells.len());
        let parts: Vec<(&str, &str)> =
            tex.split("\\begin{tabular}").skip(1).filter_map(|part| part.split_once("\\end{tabular}")).collect();
        let grey: usize = parts.iter().map(|(body, _)| body.matches("\\color{black!55}").count()).sum();
        assert_eq!(grey, alone, "{asked:?}: {tex}");
        for (body, legend) in parts {
            let defined = legend.lines().filter_map(|line| line.strip_prefix("\\textsuperscript{")?.split_once("}~"));
            let defined: BTreeSet<&str> = defined.map(|(mark, _)| mark).collect();
            let marks = body.split("\\textsuperscript{").skip(1);
            let raised: BTreeSet<&str> =
                marks.flat_map(|rest| rest.split_once('}').expect("a mark").0.split(',')).collect();
            assert_eq!(raised, defined, "{asked:?}: the marks of a part, and what stands below it");
        }
    }
}

#[test]
fn a_best_value_is_available_and_differs_unseen_in_nothing_that_hinders_a_best() {
    let dlbench = Dlbench::on(REPOSITORY);
    let of = |asked: &[&str]| dlbench.json(&[asked, &["--pick", "best", "-f", "json"]].concat());
    let best_ids = |table: &serde_json::Value| -> Vec<String> {
        let rows = table["cells"].as_array().expect("cells").iter();
        let cells = rows.flat_map(|row| row.as_array().expect("a row")).filter(|cell| cell["best"] == true);
        cells.map(|cell| cell["id"].as_str().expect("an id").to_owned()).collect()
    };
    let by_precision = of(table("resnet-50"));
    for id in best_ids(&by_precision) {
        let answer = dlbench.json(&["query", &id, "-f", "json"]);
        let availability = &answer["measurements"][0]["availability"];
        assert!(availability.is_null() || availability == "available", "{id}: {availability}");
    }
    let decoding = of(table("decode"));
    let notes = decoding["notes"].as_array().expect("notes");
    let unmarked = notes.iter().find(|note| note["code"] == "unmarked").expect("a note on marks");
    assert!(unmarked["text"].as_str().expect("a sentence").contains("weight-format"), "{unmarked}");
    let rows = decoding["cells"].as_array().expect("cells").iter();
    for cell in rows.flat_map(|row| row.as_array().expect("a row")).filter(|cell| cell["best"] == true) {
        let answer = dlbench.json(&["query", cell["id"].as_str().expect("an id"), "-f", "json"]);
        let stated = &answer["measurements"][0]["weight_format"];
        assert!(stated.is_null(), "{cell} is marked, though others of its row do not state the format of weights");
    }
    let failed = dlbench.ok(&[table("decode"), &["-f", "latex"]].concat());
    assert!(failed.contains("{oom\\textsuperscript{"), "a cell without a value has its notes: {failed}");
    assert!(failed.contains("oom: the attempt ran out of memory"), "{failed}");
}

#[test]
fn what_all_values_share_stands_below_a_caption_of_an_authors_own() {
    let asked = ["compare", "resnet152 eval fp16 V100", "--rows", "framework", "-f", "latex", "--caption", "Mine"];
    let tex = Dlbench::on(REPOSITORY).ok(&asked);
    assert!(tex.contains("\\caption{Mine}") && tex.contains("All values: "), "{tex}");
    let all = tex.lines().find(|line| line.starts_with("All values: ")).expect("a note");
    assert!(all.contains("eval") && all.contains("fp16") && all.contains("1 device"), "{all}");
}
