//! Comparisons: published tables are reproduced cell by cell, and invalid requests are refused.

use std::collections::BTreeMap;
use std::path::Path;

use dlbench::KnowledgeBase;
use serde_json::Value;

use crate::latex::{read, set_if_wanted};
use crate::{Dlbench, KbCopy, REPOSITORY, shared_cache};

/// u39kun's tables, in milliseconds per batch of 16.
const U39KUN: &str = include_str!("papers/u39kun.tsv");

/// szilard's tables by tool, by GPU and against CPUs, in seconds for ten epochs.
const SZILARD: &str = include_str!("papers/szilard.tsv");

/// The rows of a CSV text, keyed by heading.
fn csv(text: &str) -> Vec<BTreeMap<String, String>> {
    let mut reader = csv::Reader::from_reader(text.as_bytes());
    let headings = reader.headers().expect("headings").clone();
    let rows = reader.records().map(|row| {
        let row = row.expect("a row");
        headings.iter().map(str::to_owned).zip(row.iter().map(str::to_owned)).collect()
    });
    rows.collect()
}

/// The numbers that a LaTeX table prints, sorted.
fn numbers(tex: &str) -> Vec<String> {
    let mut numbers = read(tex).unwrap_or_else(|mistake| panic!("{mistake}\n{tex}")).numbers;
    numbers.sort();
    numbers
}

#[test]
fn u39kuns_tables_come_back_cell_by_cell() {
    let dlbench = Dlbench::on(REPOSITORY);
    let mut lines = U39KUN.lines().map(|line| line.split('\t').collect::<Vec<_>>());
    let headings = lines.next().expect("headings");
    let lines: Vec<Vec<&str>> = lines.collect();
    let mut tables: BTreeMap<(&str, &str, &str), Vec<&Vec<&str>>> = BTreeMap::new();
    for line in &lines {
        tables.entry((line[0], line[1], line[2])).or_default().push(line);
    }
    let (mut cells, mut set) = (0, Vec::new());
    for ((framework, version, precision), rows) in &tables {
        let question =
            format!("source:u39kun-2018 framework:{framework} framework-version:{version} precision:{precision}");
        let args = ["compare", &question, "--rows", "device", "--cols", "network,stage", "-f"];
        let found: Value = dlbench.json(&[&args[..], &["json"]].concat());
        let mut expected: BTreeMap<(String, String), &str> = BTreeMap::new();
        for row in rows {
            for (heading, cell) in headings.iter().zip(*row).skip(4).filter(|(_, cell)| !cell.is_empty()) {
                expected.insert((row[3].to_owned(), (*heading).to_owned()), cell);
            }
        }
        let mut values: BTreeMap<(String, String), f64> = BTreeMap::new();
        for (row, line) in found["rows"].as_array().unwrap().iter().zip(found["cells"].as_array().unwrap()) {
            for (column, cell) in found["columns"].as_array().unwrap().iter().zip(line.as_array().unwrap()) {
                let label = |labels: &Value, at: usize| labels[at]["value"].as_str().unwrap().to_owned();
                let labels = &column["labels"];
                let heading = format!("{} {}", label(labels, 0), label(labels, 1));
                if let Some(value) = cell["value"].as_f64() {
                    values.insert((label(&row["labels"], 0), heading), value);
                }
            }
        }
        assert_eq!(values.len(), expected.len(), "{question}");
        for (place, cell) in &expected {
            assert_eq!(values.get(place).copied(), cell.parse().ok(), "{question}: {place:?}");
            cells += 1;
        }
        let tex = dlbench.ok(&[&args[..], &["latex", "--label", "tab:u39kun"]].concat());
        let mut printed: Vec<String> = expected.values().map(|cell| (*cell).to_owned()).collect();
        printed.sort();
        assert_eq!(numbers(&tex), printed, "with the digits of the source");
        set.push(tex);
    }
    assert_eq!(cells, 116, "every number of the source");
    set_if_wanted(&set);
}

/// A printed table: its name, the command that reproduces it, and how to find its cells.
struct Table<'t> {
    name: &'t str,
    args: Vec<&'t str>,
    /// NDJSON keys whose values identify a row.
    rows: &'t [&'t str],
    /// Restricts the comparison to one column.
    only: Option<(&'t str, &'t str)>,
}

#[test]
fn szilards_tables_come_back_cell_by_cell() {
    let dlbench = Dlbench::on(REPOSITORY);
    let tools = &["framework", "backend", "api_language"][..];
    let tables = [
        Table {
            name: "k80",
            args: vec![
                "source:szilard-2017 device:tesla-k80 instance:p2.xlarge",
                "--rows",
                "framework,backend,api-language,threads",
                "--cols",
                "metric",
                "--metric",
                "total-s,gpu-util-pct,cpu-util-pct,error-rate",
                "--relative=quotient",
                "--baseline",
                "keras,tensorflow,4",
            ],
            rows: tools,
            only: Some(("measure", "total_s")),
        },
        Table {
            name: "1080",
            args: vec![
                "source:szilard-2017 (instance:p2.xlarge OR device:geforce-gtx-1080-ti) total-s>0",
                "--rows",
                "framework,backend,api-language",
                "--cols",
                "device",
                "--relative=quotient",
                "--baseline",
                "tesla-k80-gpu",
            ],
            rows: tools,
            only: Some(("device", "geforce-gtx-1080-ti")),
        },
        Table {
            name: "gpus",
            args: vec![
                "source:szilard-2017 keras (instance:p2.xlarge OR instance:p2.8xlarge OR device:grid-k520) total-s>0",
                "--rows",
                "instance,device",
            ],
            rows: &["instance", "device"],
            only: None,
        },
        Table {
            name: "cpu",
            args: vec![
                "source:szilard-2017 (instance:p2.xlarge OR device:unnamed-cpu) keras tensorflow total-s>0",
                "--rows",
                "device,threads",
                "--relative=quotient",
                "--baseline",
                "tesla-k80-gpu,4",
            ],
            rows: &["device", "threads"],
            only: None,
        },
    ];
    let (mut compared, mut slips, mut set) = (0, Vec::new(), Vec::new());
    for table in tables {
        let args = [&["compare"][..], &table.args, &["-f"]].concat();
        let cells = dlbench.ok(&[&args[..], &["ndjson"]].concat());
        let cells: Vec<Value> = cells.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
        let best_of_column = |cell: &Value| cell["vs_best"].as_f64();
        for line in SZILARD.lines().map(|line| line.split('\t').collect::<Vec<_>>()).filter(|l| l[0] == table.name) {
            let named = |cell: &&Value| {
                let values = table.rows.iter().filter_map(|key| cell[*key].as_str()).collect::<Vec<_>>();
                let kept = table.only.is_none_or(|(key, value)| cell[key] == value);
                kept && values.join(" ") == line[1]
            };
            let found: Vec<&Value> = cells.iter().filter(named).collect();
            let [cell] = found[..] else { panic!("{line:?}: {} cells of {cells:#?}", found.len()) };
            assert_eq!(cell["value"].as_f64(), line[2].parse().ok(), "{line:?}");
            compared += 1;
            let by_row = table.name == "1080";
            let ratios =
                [(line[3], if by_row { None } else { best_of_column(cell) }), (line[4], cell["vs_baseline"].as_f64())];
            for (printed, own) in ratios.into_iter().filter(|(printed, _)| !printed.is_empty()) {
                // Another test compares the columns relative to the best GTX 1080 Ti.
                let Some(own) = own else {
                    assert!(by_row, "{line:?}: {cell}");
                    continue;
                };
                let digits = printed.trim_end_matches('x');
                let decimals = digits.split_once('.').map_or(0, |(_, fraction)| fraction.len());
                if format!("{own:.decimals$}") != digits {
                    slips.push(format!("{} {}: {printed}, {own}", line[0], line[1]));
                }
                compared += 1;
            }
        }
        let tex = dlbench.ok(&[&args[..], &["latex"]].concat());
        assert!(read(&tex).is_ok(), "{:?}\n{tex}", read(&tex));
        set.push(tex);
    }
    // The source prints 1.3x for 50 s against 37 s, which is 1.35.
    assert_eq!(slips, ["k80 mxnet: 1.3x, 1.35"], "every other ratio is as printed");
    assert!(compared >= 30, "{compared} cells");
    set_if_wanted(&set);
}

#[test]
fn the_gtx_1080_ti_against_its_best() {
    let args = [
        "compare",
        "source:szilard-2017 device:geforce-gtx-1080-ti total-s>0",
        "--rows",
        "framework,backend",
        "--relative=quotient",
        "-f",
        "csv",
    ];
    let rows = csv(&Dlbench::on(REPOSITORY).ok(&args));
    let ratio = |framework: &str, backend: &str| {
        let row = rows.iter().find(|row| row["framework"] == framework && row["backend"] == backend).unwrap();
        row["vs best [x]"].parse::<f64>().unwrap()
    };
    let printed = [("MXNet", "", 1.1), ("Keras", "TensorFlow", 1.2), ("Keras", "Theano", 3.2), ("Keras", "CNTK", 1.0)];
    for (framework, backend, printed) in printed {
        assert!((ratio(framework, backend) - printed).abs() <= 0.05, "{framework} {backend}: {rows:?}");
    }
}

/// Comparisons on both knowledge bases, for properties that every table must have.
const COMPARISONS: &[&[&str]] = &[
    &["u39kun-2018", "--rows", "device", "--cols", "framework,framework-version,precision"],
    &["resnet50 eval", "--rows", "device", "--cols", "precision", "--relative"],
    &["ncnn-2026 network:squeezenet raspberry", "--rows", "device,threads", "--cols", "precision"],
    &["mlperf-inference-v4.1 network:bert-large", "--rows", "device", "--cols", "scenario", "--pick", "median"],
    &["undertherain-2021", "--rows", "device", "--cols", "metric"],
    &["lambdal-2025 train", "--rows", "network", "--cols", "device-count", "--metric", "scaling-efficiency"],
    &["vgg16 v100", "--rows", "framework,batch-size", "--metric", "peak-fraction,throughput"],
];

#[test]
fn every_csv_is_its_table_and_every_number_in_latex_is_a_value() {
    let dlbench = Dlbench::on(REPOSITORY);
    let mut set = Vec::new();
    for args in COMPARISONS {
        let asked = [&["compare"][..], args].concat();
        let whole = dlbench.json(&[&asked[..], &["-f", "json"]].concat());
        let cells = |key: &str| -> Vec<f64> {
            let rows = whole["cells"].as_array().unwrap().iter().flat_map(|row| row.as_array().unwrap());
            rows.filter_map(|cell| cell[key].as_f64()).collect()
        };
        let mut expected = cells("value");
        if args.contains(&"--relative") {
            expected.extend(cells("vs_best"));
        }
        let rows = csv(&dlbench.ok(&[&asked[..], &["-f", "csv"]].concat()));
        assert_eq!(rows.len(), whole["rows"].as_array().unwrap().len(), "{args:?}");
        let labels: Vec<String> = args[2].split(',').map(str::to_owned).collect();
        let heading = |heading: &String| {
            let short = ["threads", "batch", "device", "network", "framework"];
            !labels.contains(heading)
                && !short.contains(&heading.as_str())
                && heading != "n"
                && heading != "geometric mean [x]"
        };
        let mut found: Vec<f64> = rows
            .iter()
            .flat_map(|row| row.iter().filter(|(name, _)| heading(name)).filter_map(|(_, cell)| cell.parse().ok()))
            .collect();
        let sort = |numbers: &mut Vec<f64>| numbers.sort_by(f64::total_cmp);
        sort(&mut expected);
        sort(&mut found);
        assert_eq!(found, expected, "{args:?}: every digit of every value");
        let all_cells = || {
            let rows = whole["cells"].as_array().unwrap().iter().flat_map(|row| row.as_array().unwrap());
            rows.filter(|cell| !cell.is_null())
        };
        let of_column = |name: &str| -> BTreeMap<String, usize> {
            let ends = |heading: &str| heading == name || heading.ends_with(&format!(" {name}"));
            let cells =
                rows.iter().flat_map(|row| row.iter().filter(|(heading, cell)| ends(heading) && !cell.is_empty()));
            cells.fold(BTreeMap::new(), |mut counts, (_, cell)| {
                *counts.entry(cell.clone()).or_default() += 1;
                counts
            })
        };
        let counted = |texts: Vec<&str>| -> BTreeMap<String, usize> {
            texts.into_iter().fold(BTreeMap::new(), |mut counts, text| {
                *counts.entry(text.to_owned()).or_default() += 1;
                counts
            })
        };
        let ids = all_cells().map(|cell| cell["id"].as_str().unwrap()).collect();
        assert_eq!(of_column("id"), counted(ids), "{args:?}: each value beside the id of its measurement");
        let sources = all_cells().map(|cell| cell["source"].as_str().unwrap()).collect();
        assert_eq!(of_column("source"), counted(sources), "{args:?}: and beside its source");
        let best = all_cells().filter(|cell| cell["best"] == true).count();
        assert_eq!(of_column("mark").get("best").copied().unwrap_or_default(), best, "{args:?}");
        assert!(!of_column("conditions").is_empty(), "{args:?}");
        let tex = dlbench.ok(&[&asked[..], &["-f", "latex"]].concat());
        let table = read(&tex).unwrap_or_else(|mistake| panic!("{args:?}: {mistake}\n{tex}"));
        let shown = |number: f64, text: &String| {
            let set: f64 = text.parse().unwrap();
            (set - number).abs() <= number.abs() * 1e-6
        };
        for value in cells("value") {
            assert!(table.numbers.iter().any(|text| shown(value, text)), "{args:?}: {value} is not set\n{tex}");
        }
        assert!(tex.starts_with("% dlbench compare: ") && tex.contains("\n% content of the knowledge base: "), "{tex}");
        for format in ["table", "markdown", "html"] {
            let text = dlbench.ok(&[&asked[..], &["-f", format]].concat());
            assert!(text.len() > 200, "{text}");
        }
        set.push(tex);
    }
    set_if_wanted(&set);
}

#[test]
fn a_comparison_at_a_terminal_and_for_a_paper() {
    let dlbench = Dlbench::on_miniature();
    let args = ["compare", "deepnet50 nova fp16 eval", "--rows", "framework", "--cols", "precision", "--relative"];
    insta::assert_snapshot!("a_comparison_at_a_terminal", dlbench.columns(80).ok(&args));
    let dlbench = Dlbench::on_miniature();
    let tex = dlbench.ok(&[&args[..], &["-f", "latex", "--label", "tab:nova"]].concat());
    let hash = tex.lines().find_map(|line| line.strip_prefix("% content of the knowledge base: ")).expect("a hash");
    insta::assert_snapshot!("a_comparison_for_a_paper", tex.replace(hash, "<hash>"));
    let lines = dlbench.ok(&[&args[..], &["-f", "ndjson"]].concat());
    insta::assert_snapshot!("a_comparison_cell_by_cell", lines);
}

#[test]
fn classes_are_never_ranked_together_and_a_relaxation_is_printed() {
    let dlbench = Dlbench::on_miniature();
    let args = ["compare", "deepnet50 eval", "--rows", "class", "--metric", "throughput", "--relative"];
    let found = dlbench.json(&[&args[..], &["-f", "json"]].concat());
    let cells: Vec<&Value> =
        found["cells"].as_array().unwrap().iter().flat_map(|row| row.as_array().unwrap()).collect();
    assert_eq!(cells.len(), 2, "{found}");
    assert!(cells.iter().all(|cell| cell["rank"].is_null() && cell["best"] == false), "{found}");
    let codes: Vec<&str> = crate::texts(&found["notes"], "code");
    assert!(codes.contains(&"classes"), "{codes:?}");
    let relaxed =
        dlbench.json(&[&args[..], &["--relax", "class,batch-size,device-count,input-shape", "-f", "json"]].concat());
    assert_eq!(relaxed["relaxed"][0], "class");
    let text = crate::notes(&relaxed, "relaxed").concat();
    assert!(text.contains("input-shape") && text.contains("batch-size"), "{text}");
}

#[test]
fn several_candidates_are_chosen_by_a_stated_rule() {
    let kb = KbCopy::new();
    let rows: String = [("11.0", "2019"), ("9.5", "2017"), ("30.0", "2018")]
        .iter()
        .map(|(latency, date)| {
            format!(
                "\n[[run]]\nframework = \"gridflow\"\nframework-version = \"{date}\"\nstage = \"eval\"\nprecision = \"bf16\"\n\
                 batch-size = 16\ndate = \"{date}\"\nlatency-ms = {latency}\n"
            )
        })
        .collect();
    kb.append("measurements/invented-2020/nova.toml", &rows);
    let dlbench = kb.dlbench();
    for (pick, value) in [("best", 9.5), ("latest", 11.0), ("median", 11.0), ("all", 9.5)] {
        let args = ["compare", "bf16", "--rows", "framework", "--metric", "latency", "--pick", pick, "-f", "json"];
        let found = dlbench.json(&args);
        let cell = &found["cells"][0][0];
        assert_eq!((cell["value"].as_f64(), cell["candidates"].as_u64()), (Some(value), Some(3)), "{pick}: {found}");
        let said = format!("of 3 measurements, which differ in framework-version (--pick {pick})");
        assert!(crate::notes(&found, "pick").concat().contains(&said), "{found}");
        assert_eq!(cell["all"].as_array().unwrap().len(), if pick == "all" { 3 } else { 0 });
    }
}

#[test]
fn neighbours_are_picked_under_the_same_conditions_where_such_exist() {
    let kb = KbCopy::new();
    let rows: String = [
        ("firelight", 8, 1, 8.0, ""),
        ("firelight", 32, 1, 9.0, ""),
        ("gridflow", 8, 1, 10.0, ""),
        ("gridflow", 8, 1, 5.0, "division = \"open\"\nmode = \"graph\"\n"),
        // The only row with its batch size; faster on two devices.
        ("gridflow", 64, 2, 4.0, ""),
    ]
    .iter()
    .map(|(framework, batch, devices, epoch, division)| {
        format!(
            "\n[[run]]\nframework = \"{framework}\"\nframework-version = \"7\"\nstage = \"train\"\nprecision = \"bf16\"\n\
             batch-size = {batch}\ndevice-count = {devices}\nepoch-s = {epoch:.1}\n{division}"
        )
    })
    .collect();
    kb.append("measurements/invented-2020/nova.toml", &rows);
    let args = ["compare", "bf16", "--rows", "framework", "--metric", "epoch-s", "--relative", "-f", "json"];
    let picked = |more: &[&str]| -> (Vec<f64>, Value) {
        let found: Value = kb.dlbench().json(&[&args[..], more].concat());
        let cells = found["cells"].as_array().unwrap().iter();
        (cells.map(|row| row[0]["value"].as_f64().unwrap()).collect(), found)
    };
    let (values, found) = picked(&[]);
    assert_eq!(values, [8.0, 10.0], "batch 8, one device, no open division: {found}");
    assert_eq!(found["cells"][1][0]["vs_best"].as_f64(), Some(0.8), "so that there is a ratio");
    let said = crate::notes(&found, "pick").concat();
    assert!(
        said.contains("differ in batch-size and device-count; where cells have a setting in common, it is that one"),
        "{said}"
    );
    let (values, found) = picked(&["--relax", "batch-size,device-count,division"]);
    assert_eq!(values, [8.0, 4.0], "whatever may differ is picked among all: {found}");
}

#[test]
fn the_known_dispersion_makes_ranks_shared() {
    let kb = KbCopy::new();
    let rows: String = [("firelight", 10.0, 9.0, 11.0), ("gridflow", 10.5, 9.8, 11.5)]
        .iter()
        .map(|(framework, latency, low, high)| {
            format!(
                "\n[[run]]\nframework = \"{framework}\"\nframework-version = \"7\"\nstage = \"eval\"\nprecision = \"bf16\"\n\
                 batch-size = 16\nlatency-ms = {latency:.1}\nlowest = {low:.1}\nhighest = {high:.1}\n"
            )
        })
        .collect();
    let slow = "\n[[run]]\nframework-version = \"8\"\nstage = \"eval\"\nprecision = \"bf16\"\nbatch-size = 16\nlatency-ms = 50.0\n";
    kb.append("measurements/invented-2020/nova.toml", &(rows + slow));
    let found = kb.dlbench().json(&[
        "compare",
        "bf16",
        "--rows",
        "framework,framework-version",
        "--metric",
        "latency",
        "-f",
        "json",
    ]);
    let ranks: Vec<(Option<u64>, bool)> = found["cells"]
        .as_array()
        .unwrap()
        .iter()
        .map(|row| (row[0]["rank"].as_u64(), row[0]["best"].as_bool().unwrap()))
        .collect();
    assert_eq!(ranks, [(Some(1), true), (Some(3), false), (Some(1), true)], "{found}");
    assert_eq!(crate::notes(&found, "shared-rank").len(), 1);
}

#[test]
fn a_mean_over_unequal_sets_is_refused_until_a_policy_is_named() {
    let dlbench = Dlbench::on(REPOSITORY);
    let args = [
        "compare",
        "source:u39kun-2018 fp32 eval device:titan-v,geforce-gtx-1080-ti,geforce-rtx-2080-ti -framework-version:1.0.0 -framework-version:1.12.0",
        "--rows",
        "framework",
        "--cols",
        "network,device",
        "--relative",
        "--baseline",
        "pytorch",
        "-f",
        "json",
    ];
    let refused = dlbench.json(&args);
    assert_eq!(
        (refused["means"].as_array().unwrap().len(), crate::notes(&refused, "no-means").len()),
        (0, 1),
        "{refused}"
    );
    // Caffe2 has VGG-16 and ResNet-152 on two devices, TensorFlow on three.
    for (policy, counts) in [("common", [4, 4]), ("each", [4, 6])] {
        let found = dlbench.json(&[&args[..], &["--mean", policy]].concat());
        let n: Vec<u64> = found["means"].as_array().unwrap().iter().filter_map(|mean| mean["n"].as_u64()).collect();
        assert_eq!(n, counts, "{policy}: {found}");
    }
    let common = dlbench.json(&[&args[..], &["--mean", "common"]].concat());
    // 31.3/57.5, 39.3/47.0, 48.9/74.4, 57.8/77.9 of Caffe2.
    let expected = (31.3_f64 / 57.5 * 39.3 / 47.0 * 48.9 / 74.4 * 57.8 / 77.9).powf(0.25);
    let mean = common["means"][0]["value"].as_f64().unwrap();
    assert!((mean - expected).abs() < 0.005, "{mean} {expected}");
}

#[test]
fn the_papers_images_per_joule_meet() {
    let found = Dlbench::on(REPOSITORY).json(&[
        "compare",
        "source:dai-berleant-2019 items-per-joule>0",
        "--rows",
        "device,statistic",
        "--metric",
        "images per joule",
        "-f",
        "json",
    ]);
    let mut values: Vec<(String, f64)> = Vec::new();
    for (row, cells) in found["rows"].as_array().unwrap().iter().zip(found["cells"].as_array().unwrap()) {
        values.push((row["labels"][0]["value"].as_str().unwrap().to_owned(), cells[0]["value"].as_f64().unwrap()));
        assert_eq!((&cells[0]["rank"], &cells[0]["best"]), (&Value::Null, &Value::Bool(false)), "no ranking: {cells}");
    }
    let expected = [("arria-10-gx1150", 9.3), ("eyeriss", 125.9), ("tesla-k40", 2.1), ("tesla-k40", 3.4)];
    assert_eq!(values, expected.map(|(device, value)| (device.to_owned(), value)), "{found}");
}

#[test]
fn a_verdict_on_two_measurements_is_given_field_by_field() {
    let dlbench = Dlbench::on_miniature();
    let rows = dlbench.answer("deepnet50 nova eval fp16");
    let ids = crate::texts(&rows["measurements"], "id");
    insta::assert_snapshot!(dlbench.ok(&["compare", ids[0], ids[1]]));
    let verdict = dlbench.json(&["compare", ids[0], ids[1], "-f", "json"]);
    assert_eq!(verdict["kind"], "along");
    for format in ["csv", "markdown", "html", "latex"] {
        assert!(dlbench.ok(&["compare", ids[0], ids[1], "-f", format]).contains("framework"));
    }
}

#[test]
fn what_cannot_be_compared_is_refused_with_help() {
    let dlbench = Dlbench::on_miniature();
    let mut told = String::new();
    for args in [
        &["compare", "deepnet", "--cols", "network"][..],
        &["compare", "deepnet", "--rows", "framwork"],
        &["compare", "deepnet", "--rows", "latency"],
        &["compare", "deepnet", "--rows", "framework", "--metric", "device"],
        &["compare", "deepnet", "--rows", "framework", "--baseline", "tensorflw"],
        &["compare", "deepnet", "--rows", "framework", "--relax", "divers"],
        &["compare", "deepnet", "--rows", "framework", "--dataset", "imagenet"],
        &["compare", "deepnet (", "--rows", "framework"],
        &["compare", "deepnet", "--rows", "framework", "-f", "csv", "--label", "x"],
        &["compare", "invented-2020:zzz", "invented-2020:yyy"],
    ] {
        let ran = dlbench.run(args);
        assert_eq!((ran.stdout.as_str(), ran.code), ("", 2), "{args:?}");
        told.push_str(&format!("$ dlbench {}\n{}\n", args.join(" "), ran.stderr));
    }
    insta::assert_snapshot!(told);
    let empty = dlbench.run(&["compare", "deepnet power>1e9", "--rows", "framework"]);
    assert_eq!(empty.code, 1, "{empty:?}");
}

#[test]
fn attempts_that_all_failed_are_a_table_of_failures() {
    let dlbench = Dlbench::on_miniature();
    for words in [["compare", "oom", "--rows", "device"], ["compare", "oom", "--rows", "network"]] {
        let ran = dlbench.run(&words);
        assert!(ran.code == 0 && ran.stdout.contains("oom"), "{words:?}: {ran:#?}");
    }
}

#[test]
fn axes_that_nobody_names_are_those_that_the_question_is_about() {
    let dlbench = Dlbench::on(REPOSITORY);
    for (question, axes) in [
        ("a100 vs v100 resnet-50 training", "--rows device,device-count --cols network"),
        ("fp32 vs fp16 a100", "--rows network,stage --cols precision"),
        ("pytorch vs tensorflow v100", "--rows network,stage --cols framework"),
    ] {
        let inferred = dlbench.run(&["compare", question, "-f", "csv"]);
        assert_eq!(inferred.code, 0, "{question}: {}", inferred.stderr);
        assert!(inferred.stderr.contains(&format!("made as with {axes}\n")), "{question}: {}", inferred.stderr);
        let mut named = vec!["compare", question, "-f", "csv"];
        named.extend(axes.split(' '));
        let cells =
            |text: &str| text.lines().filter(|line| !line.starts_with('#')).map(str::to_owned).collect::<Vec<_>>();
        assert_eq!(cells(&dlbench.ok(&named)), cells(&inferred.stdout), "{question}");
    }
}

#[test]
fn a_figure_without_axes_shows_what_the_question_is_about() {
    let dlbench = Dlbench::on(REPOSITORY);
    for (question, x) in [
        ("resnet-50-v1.5 train batch size v100 fp16", "batch-size"),
        ("a100 vs v100 vs t4 resnet-50-v1.5 inference", "device"),
        ("pytorch vs tensorflow resnet-50 train", "framework"),
    ] {
        let file = dlbench.cache.with_file_name(format!("{x}.json"));
        let ran = dlbench.run(&["plot", question, "-o", &file.to_string_lossy()]);
        assert_eq!(ran.code, 0, "{question}: {}", ran.stderr);
        let drawn: Value = serde_json::from_str(&std::fs::read_to_string(&file).expect("a figure")).expect("JSON");
        let text = drawn.to_string();
        assert!(text.contains("the most common"), "{question}: what was left out is said\n{text}");
    }
}

const PAIRS: &str = include_str!("comparability.tsv");

/// Minimum agreement; less is an error of the program or of the human judge.
const LEAST_AGREEMENT: f64 = 0.97;

#[test]
fn verdicts_agree_with_those_made_by_hand() {
    let kb = KnowledgeBase::open_with_cache(Path::new(REPOSITORY), shared_cache()).expect("the real knowledge base");
    let (mut agreeing, mut judged, mut told) = (0, 0, Vec::new());
    let mut by_verdict: BTreeMap<&str, (usize, usize)> = BTreeMap::new();
    for line in PAIRS.lines().skip(1) {
        let [a, b, metric, verdict, fields, why] = line.split('\t').collect::<Vec<_>>()[..] else {
            panic!("six columns: {line}")
        };
        let ids = [a.to_owned(), b.to_owned()];
        let found = kb.verdict(&ids, metric.parse().ok(), &[]).unwrap_or_else(|error| panic!("{line}: {error}"));
        let kind = serde_json::to_value(found.kind).expect("a word");
        let decides = |field: &str| found.verdict.contains(field);
        let agrees = kind == verdict && fields.split(',').filter(|field| !field.is_empty()).all(decides);
        judged += 1;
        agreeing += usize::from(agrees);
        let counts = by_verdict.entry(verdict).or_default();
        counts.0 += usize::from(agrees);
        counts.1 += 1;
        if !agrees {
            told.push(format!(
                "{a} {b} {metric}\n  by hand: {verdict} [{fields}], {why}\n  found:   {}",
                found.verdict
            ));
        }
    }
    println!("{agreeing} of {judged} verdicts agree with those made by hand");
    for (verdict, (agreeing, judged)) in &by_verdict {
        println!("  {verdict}: {agreeing} of {judged}");
    }
    println!("{}", told.join("\n"));
    assert!(judged >= 200, "only {judged} pairs are judged");
    assert!(by_verdict.len() >= 4, "{by_verdict:?}");
    let agreement = agreeing as f64 / judged as f64;
    assert!(agreement >= LEAST_AGREEMENT, "{agreeing} of {judged}:\n{}", told.join("\n"));
}
