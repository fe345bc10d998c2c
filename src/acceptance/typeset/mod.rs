//! Tables and figures as a journal prints them: in each class, with its bibliography, without a warning of LaTeX or BibTeX and without a
//! box that is too wide. `make test-papers` sets them, and leaves the pages in `target/papers` to be looked at.

mod artefacts;

use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use self::artefacts::{CLASSES, TABLES, document, figures_of, tables_of};
use crate::latex::{papers_are_set, with_bibliography};
use crate::{Dlbench, REPOSITORY};

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
    // A narrow text gets parts, each with what names its rows.
    let narrow = tex(&["--text-width", "50mm", "--layout", "column"]);
    assert!(narrow.matches("\\begin{tabular}").count() > 1 && narrow.contains("(continued)"), "{narrow}");
}

/// What LaTeX says that a journal would send back.
fn complaints(log: &str) -> Vec<&str> {
    let starts = ["Overfull", "LaTeX Warning", "Package ", "Class ", "LaTeX Font Warning", "pdfTeX warning"];
    // What is of the installation and not of the tables.
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
        // Every printed reference is the entry of its key, once.
        let bbl = fs::read_to_string(folder.join("main.bbl")).expect("what BibTeX wrote");
        let set = |key: &str| bbl.contains(&format!("{{{key}}}"));
        let unset: Vec<&str> = cited(&document).into_iter().filter(|key| !set(key)).collect();
        assert!(unset.is_empty(), "{name}: {unset:?} have no entry in {bbl}");
        let _ = Command::new("pdftoppm").args(["-r", "80", "-png", "main.pdf", "page"]).current_dir(&folder).status();
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
    ] {
        let asked = [&["compare", question, "--rows", "device", "-f", "json"][..], more].concat();
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
