//! Papers: everything is written, every number can be traced, an author's own text is never lost, and later changes are
//! reported.

use std::collections::BTreeSet;
use std::fs;
use std::path::Path;

use tempfile::TempDir;
use toml::Value;

use crate::latex::{papers_are_set, read, with_bibliography};
use crate::{Dlbench, KbCopy, REPOSITORY, Ran};

const NOVA: &str = "measurements/invented-2020/nova.toml";

/// A paper on the miniature knowledge base.
const SPEC: &str = r#"
title = "Nova & friends: 50% faster?"

[[item]]
name = "frameworks"
caption = "Latency_by_framework & precision"
command = 'compare "deepnet50 nova eval" --rows framework --cols precision --metric latency'

[[item]]
name = "all-rows"
command = 'query "deepnet50 nova eval"'

[[item]]
name = "bars"
command = 'dlbench plot "deepnet50 nova eval" --x framework --y latency --group precision'

[[item]]
name = "catalog"
command = "table hardware"
"#;

/// A temporary folder with a paper's specification, beside which the paper is built.
struct Paper {
    folder: TempDir,
}

impl Paper {
    fn of(spec: &str) -> Self {
        let folder = TempDir::new().expect("a temporary folder");
        fs::write(folder.path().join("spec.toml"), spec).expect("a specification");
        Self { folder }
    }

    fn path(&self, name: &str) -> String {
        self.folder.path().join(name).to_string_lossy().into_owned()
    }

    fn make(&self, dlbench: &Dlbench, more: &[&str]) -> Ran {
        let ran = dlbench.run(&[&["paper", "-o", &self.path("paper"), &self.path("spec.toml")], more].concat());
        self.anywhere(ran)
    }

    fn verify(&self, dlbench: &Dlbench) -> Ran {
        self.anywhere(dlbench.run(&["paper", "--verify", &self.path("paper")]))
    }

    /// The result without the name of the temporary folder.
    fn anywhere(&self, ran: Ran) -> Ran {
        let folder = self.folder.path().to_string_lossy().into_owned();
        let text = |text: String| text.replace(&folder, "<folder>");
        Ran { stdout: text(ran.stdout), stderr: text(ran.stderr), code: ran.code }
    }

    fn text(&self, name: &str) -> String {
        fs::read_to_string(self.folder.path().join("paper").join(name))
            .unwrap_or_else(|error| panic!("{name}: {error}"))
    }

    fn lock(&self) -> Value {
        toml::from_str(&self.text("dlbench.lock")).expect("the lock is TOML")
    }
}

#[test]
fn everything_is_written_and_every_number_can_be_traced() {
    let kb = KbCopy::new();
    let paper = Paper::of(SPEC);
    let made = paper.make(&kb.dlbench(), &[]);
    assert_eq!((made.code, made.stdout.as_str()), (0, ""), "{}", made.stderr);
    insta::assert_snapshot!(made.stderr);
    insta::assert_snapshot!(paper.text("main.tex").replace(&content(&paper), "<content>"));
    let lock = paper.lock();
    let items = lock["item"].as_array().expect("items");
    let text = |value: &Value, key: &str| value.get(key).and_then(Value::as_str).unwrap_or_default().to_owned();
    let mut data = csv::Reader::from_reader(paper.text("data.csv").leak().as_bytes());
    let mut rows = data.records();
    for item in items {
        let values = item["values"].as_array().expect("values");
        assert!(!values.is_empty());
        for value in values {
            let row = rows.next().expect("a row for each value").expect("CSV");
            let traced = [
                text(item, "name"),
                text(value, "at"),
                text(value, "measure"),
                text(value, "value"),
                text(value, "id"),
            ];
            assert_eq!(row.iter().take(5).collect::<Vec<_>>(), traced);
        }
    }
    assert!(rows.next().is_none());
    // The numbers printed in a table are those in the lock.
    let values = |at: usize| -> BTreeSet<String> {
        items[at]["values"].as_array().unwrap().iter().map(|value| text(value, "value")).collect()
    };
    let set: BTreeSet<String> =
        read(&paper.text("tables/frameworks.tex")).expect("strict LaTeX").numbers.into_iter().collect();
    assert_eq!(set, values(0));
    assert!(paper.text("tables/frameworks.tex").contains(
        "\\caption{Latency\\_\\allowbreak{}by\\_\\allowbreak{}framework \\& precision}\\label{tab:frameworks}"
    ));
    assert!(paper.text("refs.bib").contains("{invented-2020,") && paper.text("refs.bib").contains("{dlbench-kb,"));
    for file in ["figures/bars.pdf", "figures/bars.svg", "figures/bars.tex", "figures/bars.csv", "tables/catalog.tex"] {
        assert!(Path::new(&paper.path("paper")).join(file).exists(), "{file}");
    }
}

fn content(paper: &Paper) -> String {
    paper.lock()["content"].as_str().expect("a hash").to_owned()
}

#[test]
fn a_paper_on_the_real_knowledge_base_is_set_with_its_bibliography() {
    let dlbench = Dlbench::on(REPOSITORY);
    let folder = TempDir::new().unwrap();
    let output = folder.path().to_str().unwrap();
    let ran = dlbench.run(&[
        "paper",
        "-o",
        output,
        "fp16 V100 resnet152",
        "compare \"u39kun-2018 pytorch framework-version:0.3.0\" --rows device --cols network,precision",
        "plot \"source:u39kun-2018 vgg16 eval device:titan-v framework-version:0.3.0,1.4.0,0.8.1\" --x framework --y throughput --group precision",
        "table frameworks --as-reported dai-berleant-2019",
        "table hardware --as-reported dai-berleant-2019",
    ]);
    assert_eq!(ran.code, 0, "{}", ran.stderr);
    assert_eq!(dlbench.run(&["paper", "--verify", output]).code, 0);
    if !papers_are_set() {
        return;
    }
    let (log, bibtex) = with_bibliography(folder.path());
    assert!(!bibtex.to_lowercase().contains("warning"), "{bibtex}");
    assert!(!log.contains("undefined"), "no citation or reference leads nowhere: {log}");
}

#[test]
fn the_specification_in_the_help_makes_a_paper() {
    let dlbench = Dlbench::on(REPOSITORY);
    let help = dlbench.ok(&["paper", "--help"]);
    let indented = help.lines().skip_while(|line| !line.starts_with("    title = "));
    let spec = indented.take_while(|line| line.is_empty() || line.starts_with("    "));
    let paper = Paper::of(&spec.map(|line| format!("{}\n", line.trim_start())).collect::<String>());
    let made = paper.make(&dlbench, &[]);
    assert_eq!(made.code, 0, "{}", made.stderr);
    assert!(made.stderr.starts_with("1 table, 1 figure and 2 references"), "{}", made.stderr);
    assert!(paper.text("tables/speed-up.tex").contains("\\bfseries"), "values of one stage are ranked");
}

#[test]
fn what_became_of_a_paper_is_told() {
    let kb = KbCopy::new();
    let paper = Paper::of(SPEC);
    assert_eq!(paper.make(&kb.dlbench(), &[]).code, 0);
    let same = paper.verify(&kb.dlbench());
    assert_eq!((same.code, same.stderr.as_str()), (0, ""), "{}", same.stdout);
    assert!(same.stdout.starts_with("All ") && same.stdout.contains("has the same content"), "{}", same.stdout);

    kb.append("catalog/kb.toml", "\n# Nothing that a paper uses.\n");
    let other = paper.verify(&kb.dlbench());
    assert_eq!(other.code, 0, "{}", other.stdout);
    assert!(other.stdout.contains("none of them has"), "{}", other.stdout);

    kb.replace(NOVA, "latency-ms = 21.5", "latency-ms = 22.5");
    let retracted = "standing = \"retracted\"\nstanding-reason = \"another card\"\nlatency-ms = 12.5";
    kb.replace(NOVA, "latency-ms = 12.5", retracted);
    let better =
        "\n[[run]]\ndriver = \"500.1\"\nstage = \"eval\"\nprecision = \"fp16\"\nbatch-size = 16\nlatency-ms = 9.0\n";
    kb.append(NOVA, better);
    let changed = paper.verify(&kb.dlbench());
    assert_eq!(changed.code, 1);
    insta::assert_snapshot!(changed.stdout + &changed.stderr);

    let chosen = SPEC.replace("--group precision", "--group precision --pick best");
    fs::write(paper.path("spec.toml"), chosen).unwrap();
    let again = paper.make(&kb.dlbench(), &[]);
    assert_eq!(again.code, 0, "nothing was edited: {}", again.stderr);
    assert_eq!(paper.verify(&kb.dlbench()).code, 0, "the values of today");
}

#[test]
fn nothing_that_an_author_wrote_is_lost() {
    let kb = KbCopy::new();
    let paper = Paper::of(SPEC);
    assert_eq!(paper.make(&kb.dlbench(), &[]).code, 0);
    let own = paper.text("main.tex") + "% My own words.\n";
    fs::write(paper.path("paper/main.tex"), &own).unwrap();
    let again = paper.make(&kb.dlbench(), &[]);
    assert_eq!(again.code, 2);
    insta::assert_snapshot!(again.stderr);
    assert_eq!(paper.text("main.tex"), own);
    let told = paper.verify(&kb.dlbench());
    assert_eq!(told.code, 0);
    assert!(told.stderr.contains("main.tex was edited by hand"), "{}", told.stderr);
    assert_eq!(paper.make(&kb.dlbench(), &["--force"]).code, 0);
    assert_ne!(paper.text("main.tex"), own);
    // Files that an item no longer produces are deleted.
    let less = SPEC.replace("name = \"bars\"", "name = \"columns\"");
    fs::write(paper.path("spec.toml"), less).unwrap();
    assert_eq!(paper.make(&kb.dlbench(), &[]).code, 0);
    assert!(!Path::new(&paper.path("paper/figures/bars.svg")).exists());
    assert!(Path::new(&paper.path("paper/figures/columns.svg")).exists());
}

#[test]
fn a_mistake_is_told_with_its_item() {
    let kb = KbCopy::new();
    let item = |command: &str| format!("[[item]]\nname = \"one\"\ncommand = '{command}'\n");
    let mut told = String::new();
    for spec in [
        "[[item]]\nname = \"one\"\ncomand = \"query x\"\n".to_owned(),
        "title = \"nothing\"\n".to_owned(),
        item("query \"deepnet50\" -f csv"),
        item("check"),
        item("query \"deepnet50"),
        item("compare \"deepnet50 nova eval\" --rows framwork"),
        item("query \"deepnet50 batch>=\""),
    ] {
        let paper = Paper::of(&spec);
        let ran = paper.make(&kb.dlbench(), &[]);
        assert_eq!((ran.code, ran.stdout.as_str()), (2, ""), "{spec}");
        assert!(!Path::new(&paper.path("paper")).exists(), "nothing is written");
        told.push_str(&format!("{}\n", ran.stderr));
    }
    insta::assert_snapshot!(told);
    let nothing = Paper::of(&item("query \"deepnet50 xyzzy9\"")).make(&kb.dlbench(), &[]);
    assert_eq!(nothing.code, 1);
    assert!(nothing.stderr.contains("item `one` finds nothing, so nothing was written"), "{}", nothing.stderr);
    let nowhere = kb.dlbench().run(&["paper", "--verify", "/nowhere"]);
    assert_eq!(nowhere.code, 2);
    assert!(nowhere.stderr.contains("cannot read /nowhere/dlbench.lock"), "{}", nowhere.stderr);
}
