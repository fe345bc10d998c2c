//! Which values of a table are marked as the best, greyed or footnoted, and what is said of it.

use std::collections::BTreeSet;

use super::artefacts::table;
use crate::{Dlbench, REPOSITORY};

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

/// The artefacts that compare what many sources measured.
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
