//! The catalog of the miniature knowledge base: one entity shown, a kind listed, a table printed.

use serde_json::json;

use crate::{Dlbench, texts, without_best};

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
        "#,Attributes,FPGAs,GPUs\n1,Energy efficiency,High,Good\n2,Chip Price,High,Low\n"
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
