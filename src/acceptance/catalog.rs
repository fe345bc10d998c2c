//! The catalog of the miniature knowledge base (`show` and `list`), and its tables, cell by cell.

use std::fs;
use std::process::Command;

use serde_json::json;
use tempfile::TempDir;

use crate::latex::{cells, papers_are_set, read, with_bibliography};
use crate::real_kb::{TABLE_1, TABLE_2};
use crate::{Dlbench, KbCopy, REPOSITORY, python_with, texts, without_best};

#[test]
fn an_entity_is_shown_by_its_id_or_a_name_that_leads_to_it_alone() {
    let dlbench = Dlbench::on_miniature();
    for (kind, id, names) in [
        ("device", "nova-100", ["nova-100", "N100", "acme nova 100"]),
        ("network", "deepnet-50", ["deepnet-50", "DN50", "DeepNet 50"]),
        ("framework", "firelight", ["firelight", "Firelight-ML", "FIRELIGHT"]),
        ("source", "invented-2020", ["invented-2020", "Invented 2020", "benchmarks that nobody ran"]),
        ("dataset", "tiny-pictures", ["tiny-pictures", "Tiny Pictures", "tinypictures"]),
        ("hardware-class", "gpu", ["gpu", "GPUs", "GPU"]),
    ] {
        for name in names {
            assert_eq!(dlbench.json(&["show", kind, name, "-f", "json"])["id"], id, "{kind} {name}");
        }
    }
}

#[test]
fn what_is_not_found_is_said_with_the_nearest_names() {
    let dlbench = Dlbench::on_miniature();
    let ran = dlbench.run(&["show", "device", "nova-200"]);
    assert_eq!((ran.stdout.as_str(), ran.code), ("", 1));
    assert_eq!(ran.stderr, "nothing is called `nova-200`; did you mean nova-100?\n");
    let ran = dlbench.run(&["show", "measurement", "invented-2020:"]);
    assert_eq!((ran.stdout.as_str(), ran.code), ("", 1));
    assert!(
        ran.stderr.starts_with("nothing is called `invented-2020:`; did you mean invented-2020:"),
        "{}",
        ran.stderr
    );
}

#[test]
fn a_measurement_is_shown_as_the_answer_has_it() {
    let dlbench = Dlbench::on_miniature();
    let answer = dlbench.answer("deepnet");
    for measurement in answer["measurements"].as_array().unwrap() {
        let id = measurement["id"].as_str().unwrap();
        let measurement = without_best(measurement);
        assert_eq!(dlbench.json(&["show", "measurement", id, "-f", "json"]), measurement);
        let beginning = &id[..id.len() - 5];
        assert_eq!(dlbench.json(&["show", "measurement", beginning, "-f", "json"]), measurement);
    }
}

#[test]
fn a_card_leaves_out_what_is_not_known() {
    let card = Dlbench::on_miniature().ok(&["show", "device", "nova"]);
    insta::assert_snapshot!(card);
}

#[test]
fn every_kind_is_listed() {
    let dlbench = Dlbench::on_miniature();
    for (kind, ids) in [
        ("frameworks", vec!["firelight", "gridflow"]),
        ("devices", vec!["nova-100", "nova-100-16gb", "nova-100-32gb", "weave-9"]),
        ("networks", vec!["deepnet", "deepnet-101", "deepnet-50"]),
        ("datasets", vec!["tiny-pictures"]),
        ("hardware-classes", vec!["fpga", "gpu"]),
    ] {
        assert_eq!(texts(&dlbench.json(&["list", kind, "-f", "json"]), "id"), ids, "{kind}");
    }
    let sources = dlbench.json(&["list", "sources", "-f", "json"]);
    assert_eq!(texts(&sources, "source"), ["imagined-2018", "invented-2020"]);
    assert_eq!((&sources[0]["measurements"], &sources[1]["measurements"]), (&json!(2), &json!(8)));
    assert!(texts(&dlbench.json(&["list", "metrics", "-f", "json"]), "metric").contains(&"latency-ms"));
}

#[test]
fn a_surveys_tables_come_back_in_its_own_order_and_words() {
    let dlbench = Dlbench::on_miniature();
    assert_eq!(
        dlbench.ok(&["table", "hardware", "--as-reported", "invented-2020", "-f", "csv"]),
        "#,Attributes,FPGAs,GPUs\n1,Energy efficiency,High,Moderate\n2,Chip Price,High,Low\n"
    );
    assert_eq!(
        dlbench.ok(&["table", "frameworks", "--as-reported", "Benchmarks That Nobody Ran", "-f", "csv"]),
        "#,Frameworks,License Type,Core Codes,API Codes,Hardware Devices,Multi-Server,Tested Networks,Related Datasets\n\
         1,Gridflow,Apache 2.0,C++,C++,GPU/FPGA,Multi-Server,DeepNet-101,\n\
         2,Firelight,BSD License,Python,Python,CPU/GPU,Single Node,DeepNet,Tiny Pictures\n"
    );
    let none = dlbench.run(&["table", "hardware", "--as-reported", "imagined-2018"]);
    assert_eq!((none.stdout.as_str(), none.code), ("", 2));
    assert!(none.stderr.starts_with("error: imagined-2018 reported no such table"), "{}", none.stderr);
}

#[test]
fn todays_tables_have_a_row_for_each() {
    let dlbench = Dlbench::on_miniature();
    assert_eq!(
        dlbench.ok(&["table", "hardware", "-f", "csv"]),
        "metric,FPGA,GPU,better\nEnergy efficiency,high,moderate,high\nChip Price,high,low,low\n"
    );
    for (table, rows) in [
        ("frameworks", 2),
        ("devices", 4),
        ("networks", 3),
        ("datasets", 1),
        ("hardware-metrics", 2),
        ("framework-metrics", 2),
        ("principles", 1),
    ] {
        assert_eq!(dlbench.ok(&["table", table, "-f", "csv"]).lines().count(), 1 + rows, "{table}");
        assert_eq!(dlbench.json(&["table", table, "-f", "json"]).as_array().map(Vec::len), Some(rows), "{table}");
    }
}

#[test]
fn a_table_is_filtered_by_the_grammar_of_questions() {
    let dlbench = Dlbench::on_miniature();
    for (args, rows) in [
        (&["devices", "memory>=32GB", "--columns", "ID"][..], "id\nnova-100-32gb\n"),
        (&["devices", "-class:fpga", "--columns", "id"], "id\nnova-100\nnova-100-16gb\nnova-100-32gb\n"),
        (&["devices", "nova", "limit:1", "--columns", "id"], "id\nnova-100\n"),
        (
            &["devices", "gpu", "--columns", "id,memory", "--sort=-memory"],
            "id,memory [GiB]\nnova-100-32gb,32\nnova-100-16gb,16\nnova-100,\n",
        ),
        (
            &["frameworks", "multi-server:yes", "--columns", "Framework,LICENSE"],
            "framework,license\nGridflow,Apache-2.0\n",
        ),
        (&["networks", "parameters<30M", "--columns", "id"], "id\ndeepnet-50\n"),
        (&["hardware", "fpga"], "metric,FPGA,better\nEnergy efficiency,high,high\nChip Price,high,low\n"),
        (&["hardware", "--columns", "gpu", "--sort=-gpu"], "GPU\nmoderate\nlow\n"),
    ] {
        let table = dlbench.ok(&[&["table", "-f", "csv"], args].concat());
        assert_eq!(table, rows, "{args:?}");
    }
}

#[test]
fn what_no_entity_can_meet_is_said() {
    let dlbench = Dlbench::on_miniature();
    let ran = dlbench.run(&["table", "devices", "nova", "batch>=32"]);
    assert_eq!((ran.stdout.as_str(), ran.code), ("", 1));
    assert_eq!(ran.stderr, "no device matches `batch-size>=32`: a table is filtered by facts of its own entities\n");
    let ran = dlbench.run(&["table", "devices", "--columns", "memorytype"]);
    assert_eq!(
        (ran.stdout.as_str(), ran.code),
        ("device,memory type\n".split_once(',').map_or("", |_| ran.stdout.as_str()), 0)
    );
    for (args, mistake, help) in [
        (&["devices", "--columns", "memmory"][..], "there is no column `memmory`", "did you mean memory"),
        (&["devices", "--sort", "zebra"], "there is no column `zebra`", "the columns are id, device,"),
        (&["devices", "sort:latency"], "a table of the catalog has another order", "--sort COLUMN"),
        (&["devices", "memory>=many"], "", "^"),
        (&["hardware", "--columns", "zebra"], "there is no column `zebra`", "metric, FPGA, GPU and better"),
    ] {
        let ran = dlbench.run(&[&["table"], args].concat());
        assert_eq!((ran.stdout.as_str(), ran.code), ("", 2), "{args:?}");
        assert!(ran.stderr.contains(mistake) && ran.stderr.contains(help), "{args:?}: {}", ran.stderr);
    }
}

/// The printed cells of a LaTeX table's rows; a heading of several lines is one row, and all parts are one table.
fn set_cells(tex: &str) -> Vec<Vec<String>> {
    let plain = |cell: &String| {
        let cell = cell.trim().trim_start_matches("{}");
        let cell = cell.strip_prefix('{').and_then(|rest| rest.strip_suffix('}')).unwrap_or(cell);
        let cell = cell.replace("\\allowbreak{}", "");
        cell.replace("\\#", "#").replace("\\&", "&").replace("\\%", "%").replace("\\_", "_")
    };
    let rows = |text: &str| -> Vec<Vec<String>> {
        let rows = text.split("\\\\").map(|row| row.trim().trim_start_matches("\\addlinespace[2pt]").trim());
        rows.filter(|row| !row.is_empty()).map(|row| cells(row).iter().map(plain).collect()).collect()
    };
    let mut all: Vec<Vec<String>> = Vec::new();
    for part in tex.split("\\toprule").skip(1) {
        let body = part.split_once("\\bottomrule").expect("a tabular").0;
        let (head, body) = body.split_once("\\midrule").expect("headings");
        let heads = rows(head);
        let joined = (0..heads[0].len()).map(|column| {
            let lines = heads.iter().map(|line| line[column].as_str()).filter(|line| !line.is_empty());
            lines.collect::<Vec<_>>().join(" ")
        });
        let joined: Vec<String> = joined.collect();
        assert!(all.first().is_none_or(|first| *first == joined), "each part has the same headings");
        if all.is_empty() {
            all.push(joined);
        }
        all.extend(rows(body));
    }
    all
}

#[test]
fn a_surveys_tables_in_latex_are_its_tables_cell_by_cell() {
    let dlbench = Dlbench::on(REPOSITORY);
    let folder = TempDir::new().expect("a temporary folder");
    let bib = folder.path().join("refs.bib");
    let mut document = "\\documentclass{article}\n\\usepackage{url}\n".to_owned();
    let mut tables = String::new();
    for (name, expected) in [("hardware", TABLE_1), ("frameworks", TABLE_2)] {
        let survey = &["table", name, "--as-reported", "dai-berleant-2019"];
        let cited = &["-f", "latex", "--bib", bib.to_str().expect("UTF-8")];
        let tex = dlbench.ok(&[&survey[..], cited].concat());
        read(&tex).unwrap_or_else(|mistake| panic!("{name}: {mistake}\n{tex}"));
        let mut csv = csv::ReaderBuilder::new().has_headers(false).from_reader(expected.as_bytes());
        let expected: Vec<Vec<String>> =
            csv.records().map(|row| row.unwrap().iter().map(str::to_owned).collect()).collect();
        assert_eq!(set_cells(&tex), expected, "{name}");
        assert!(tex.contains("\\cite{dai-berleant-2019,dlbench-kb}"), "{tex}");
        let needs = tex.lines().find_map(|line| line.strip_prefix("% needs ")).expect("what it needs");
        document.push_str(&format!("{needs}\n"));
        tables.push_str(&tex);
    }
    document.push_str(&format!(
        "\\begin{{document}}\n{tables}\n\\bibliographystyle{{plain}}\\bibliography{{refs}}\n\\end{{document}}\n"
    ));
    fs::write(folder.path().join("main.tex"), document).expect("a document");
    if !papers_are_set() {
        return;
    }
    let (log, bibtex) = with_bibliography(folder.path());
    assert!(!bibtex.to_lowercase().contains("warning") && !log.contains("undefined"), "{bibtex}\n{log}");
}

#[test]
fn the_bibliography_of_an_answer_names_what_its_rows_cite() {
    let dlbench = Dlbench::on_miniature();
    let folder = TempDir::new().expect("a temporary folder");
    let path = folder.path().join("refs.bib");
    let keys = |args: &[&str]| -> Vec<String> {
        let _ = fs::remove_file(&path);
        dlbench.ok(&[args, &["--bib", path.to_str().expect("UTF-8")]].concat());
        let bib = fs::read_to_string(&path).expect("a bibliography");
        let entries = bib.lines().filter_map(|line| line.strip_prefix('@')?.split_once('{'));
        entries.map(|(_, key)| key.trim_end_matches(',').to_owned()).collect()
    };
    assert_eq!(keys(&["query", "source:invented-2020"]), ["dlbench-kb", "invented-2020"]);
    assert_eq!(keys(&["query", "source:imagined-2018", "-f", "latex"]), ["dlbench-kb", "imagined-2018"]);
    let devices = keys(&["table", "devices"]);
    assert!(devices.contains(&"dlbench-kb".to_owned()) && devices.len() > 1, "{devices:?}");
    assert_eq!(keys(&["table", "principles"]), ["dlbench-kb"]);
}

#[test]
fn typst_sets_what_is_written_for_it() {
    let kb = KbCopy::new();
    let hostile = "#panic(1) $x$ *b* `c` <l> @r [d] // e /* f */ 1. = - + \\\\";
    kb.replace(
        "catalog/frameworks/firelight.toml",
        "name = \"Firelight\"\naliases",
        &format!("name = \"{hostile}\"\naliases"),
    );
    let (own, real) = (kb.dlbench(), Dlbench::on(REPOSITORY));
    let written = [
        own.ok(&["query", "deepnet-50 eval", "-f", "typst"]),
        own.ok(&["compare", "deepnet-50", "--rows", "framework", "--cols", "stage,precision", "-f", "typst"]),
        real.ok(&[
            "compare",
            "source:u39kun-2018 eval",
            "--rows",
            "device,framework",
            "--cols",
            "network,precision",
            "-f",
            "typst",
        ]),
        real.ok(&["table", "hardware", "--as-reported", "dai-berleant-2019", "-f", "typst", "--caption", "Table #1"]),
    ];
    assert!(written[2].contains("#strong[") && written[3].contains("caption: [Table \\#1]"), "{written:#?}");
    let folder = TempDir::new().unwrap();
    let (document, pages) = (folder.path().join("main.typ"), folder.path().join("main.pdf"));
    fs::write(&document, written.join("\n")).unwrap();
    let Some(python) = python_with("typst") else {
        eprintln!("SKIPPED: no Python with Typst (`make test` fetches one), so the tables were not set");
        return;
    };
    let script = "import sys, typst; typst.compile(sys.argv[1], output=sys.argv[2])";
    let set = Command::new(python).args(["-c", script]).args([&document, &pages]).output().unwrap();
    assert!(set.status.success(), "{}", String::from_utf8_lossy(&set.stderr));
    assert!(fs::read(&pages).unwrap().starts_with(b"%PDF"));
}
