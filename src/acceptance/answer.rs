//! Options of an answer: columns, groups, order, counts, digits, scales, output file; and what is refused.

use std::fs;

use serde_json::{Value, json};

use crate::latex::read;
use crate::{Dlbench, KbCopy};

#[test]
fn columns_are_those_that_were_asked_for_in_their_order() {
    let dlbench = Dlbench::on_miniature();
    let csv =
        dlbench.ok(&["query", "deepnet50 nova", "--columns", "throughput,Batch,vendor,device_count", "-f", "csv"]);
    let lines: Vec<&str> = csv.lines().collect();
    assert_eq!(lines[0], "throughput_per_s,batch_size,vendor,device_count,derived");
    assert_eq!(lines[1], "1600,16,Acme,1,throughput_per_s");

    let text = dlbench.ok(&["query", "deepnet50 nova", "--columns", "latency,framework,license", "--all"]);
    assert!(text.contains("latency [ms]  framework"), "{text}");
    assert!(text.contains("not shown, but rows differ in it: stage, precision"), "{text}");
    let markdown = dlbench.ok(&["query", "nova", "--columns", "tdp,latency,tdp", "-f", "markdown"]);
    assert!(markdown.contains("| TDP [W] | latency [ms] |"), "{markdown}");
}

#[test]
fn a_framework_and_its_version_stand_apart_where_both_are_asked_for() {
    let dlbench = Dlbench::on_miniature();
    let together = dlbench.ok(&["query", "gridflow", "--columns", "framework,latency"]);
    assert!(together.contains("Gridflow 0.9"), "{together}");
    let apart = dlbench.ok(&["query", "gridflow", "--columns", "framework,framework-version,backend"]);
    assert!(apart.contains("Gridflow   0.9") && !apart.contains("Gridflow 0.9"), "{apart}");
}

#[test]
fn rows_are_grouped_by_what_was_asked_for() {
    let text = Dlbench::on_miniature().ok(&["query", "deepnet", "--group-by", "dataset,precision", "--all"]);
    let titles: Vec<&str> = text.lines().filter(|line| line.contains("data set not stated")).collect();
    assert_eq!(titles.len(), 1, "{text}");
    assert!(text.contains("\nTiny Pictures · fp16 · "), "{text}");
    assert!(text.contains("\nTiny Pictures · amp-fp16‡ · "), "{text}");
}

#[test]
fn the_option_sorts_as_the_word_does() {
    let dlbench = Dlbench::on_miniature();
    let option = dlbench.json(&["query", "deepnet", "--sort", "-latency", "-f", "json"]);
    let word = dlbench.json(&["query", "deepnet sort:-latency", "-f", "json"]);
    assert_eq!(option["measurements"], word["measurements"]);
    let latencies: Vec<f64> = option["measurements"]
        .as_array()
        .unwrap()
        .iter()
        .filter_map(|measurement| measurement["metrics"]["latency_ms"].as_f64())
        .collect();
    assert!(latencies.windows(2).all(|pair| pair[0] >= pair[1]) && latencies.len() == 5, "{latencies:?}");
}

#[test]
fn facets_count_all_that_matches_not_the_page() {
    let dlbench = Dlbench::on_miniature();
    let answer = dlbench.json(&["query", "deepnet", "--facets", "--limit", "1", "-f", "json"]);
    let counts = |field: &str| -> Value {
        let facets = answer["facets"].as_array().unwrap();
        facets.iter().find(|facet| facet["field"] == field).cloned().unwrap_or_default()
    };
    assert_eq!(
        counts("framework"),
        json!({ "field": "framework", "not_stated": 2,
                "values": [{ "value": "firelight", "count": 5 }, { "value": "gridflow", "count": 3 }] })
    );
    assert_eq!(counts("batch_size")["values"][0], json!({ "value": 16, "count": 5 }));
    assert_eq!(counts("class")["values"], json!([{ "value": "gpu", "count": 8 }, { "value": "fpga", "count": 2 }]));
    assert_eq!(counts("status")["values"], json!([{ "value": "reported", "count": 10 }]));
    assert_eq!(
        counts("latency_ms"),
        json!({ "field": "latency_ms", "values": [{ "value": null, "count": 5 }], "not_stated": 5 })
    );
    assert_eq!(counts("throughput_per_s")["values"][0]["count"], 7, "derived ones are counted, too");
    for facet in answer["facets"].as_array().unwrap() {
        let values = facet["values"].as_array().unwrap();
        let known: u64 = values.iter().filter_map(|value| value["count"].as_u64()).sum();
        assert_eq!(known + facet["not_stated"].as_u64().unwrap(), 10, "{facet}");
    }
    let plain = dlbench.json(&["query", "deepnet", "-f", "json"]);
    assert_eq!(plain.get("facets"), None, "they are not counted unasked");
    insta::assert_snapshot!(dlbench.columns(80).ok(&["query", "deepnet", "--facets", "--limit", "0"]));
}

#[test]
fn every_facet_is_what_its_filter_finds() {
    let dlbench = Dlbench::on_miniature();
    let answer = dlbench.json(&["query", "deepnet", "--facets", "-f", "json"]);
    for field in ["framework", "device", "precision", "stage", "source", "vendor", "class"] {
        let facets = answer["facets"].as_array().unwrap();
        let facet = facets.iter().find(|facet| facet["field"] == field).unwrap();
        for value in facet["values"].as_array().unwrap() {
            // A family's filter includes its members, and a framework is also found as a backend.
            if field == "device" && value["value"] == "nova-100" || value["value"] == "firelight" {
                continue;
            }
            let question = format!("deepnet {field}:{}", value["value"].as_str().unwrap().to_lowercase());
            let exact = if value["value"] == "fp16" { 4 } else { dlbench.answer(&question)["total"].as_u64().unwrap() };
            assert_eq!(value["count"], exact, "{question}");
        }
    }
}

#[test]
fn ndjson_has_a_measurement_a_line() {
    let dlbench = Dlbench::on_miniature();
    let lines = dlbench.ok(&["query", "deepnet", "-f", "ndjson"]);
    let measurements: Vec<Value> = lines.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    assert_eq!(Value::Array(measurements), dlbench.answer("deepnet")["measurements"]);
}

#[test]
fn csv_and_json_say_the_same() {
    let dlbench = Dlbench::on_miniature();
    let csv = dlbench.ok(&["query", "deepnet", "--all", "-f", "csv"]);
    let mut reader = csv_rows(&csv);
    let headings = reader.remove(0);
    let answer = dlbench.answer("deepnet");
    let measurements = answer["measurements"].as_array().unwrap();
    assert_eq!(reader.len(), measurements.len());
    for (row, measurement) in reader.iter().zip(measurements) {
        for (heading, cell) in headings.iter().zip(row) {
            let value = measurement.get(heading).or_else(|| measurement["metrics"].get(heading));
            match value {
                Some(Value::String(text)) => assert_eq!(cell, text, "{heading}"),
                Some(Value::Number(number)) => assert_eq!(cell.parse::<f64>().ok(), number.as_f64(), "{heading}"),
                Some(Value::Array(derived)) => {
                    let derived: Vec<&str> = derived.iter().filter_map(Value::as_str).collect();
                    assert_eq!(*cell, derived.join(" "));
                }
                _ => assert_eq!(cell, "", "{heading}"),
            }
        }
    }
}

fn csv_rows(csv: &str) -> Vec<Vec<String>> {
    // In the miniature, only cells of notes contain commas in quotes.
    let row = |line: &str| -> Vec<String> {
        let mut cells = vec![String::new()];
        let mut quoted = false;
        for c in line.chars() {
            match c {
                '"' => quoted = !quoted,
                ',' if !quoted => cells.push(String::new()),
                c => cells.last_mut().unwrap().push(c),
            }
        }
        cells
    };
    csv.lines().map(row).collect()
}

#[test]
fn a_file_is_written_whole_or_not_at_all() {
    let dlbench = Dlbench::on_miniature();
    let folder = tempfile::TempDir::new().unwrap();
    let file = folder.path().join("answer.txt");
    let path = file.to_str().unwrap();
    assert_eq!(dlbench.ok(&["query", "deepnet", "-o", path, "--color", "always"]), "");
    assert_eq!(fs::read_to_string(&file).unwrap(), dlbench.ok(&["query", "deepnet"]), "without styles");

    fs::write(&file, "precious").unwrap();
    assert_eq!(dlbench.run(&["query", "deepnet (", "-o", path]).code, 2);
    assert_eq!(fs::read_to_string(&file).unwrap(), "precious");
    assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 1, "nothing is left lying about");

    let nowhere = folder.path().join("no/such/folder/answer.csv");
    let ran = dlbench.run(&["query", "deepnet", "-f", "csv", "-o", nowhere.to_str().unwrap()]);
    assert_eq!((ran.code, ran.stdout.as_str()), (2, ""));
    assert!(ran.stderr.contains("cannot write") && ran.stderr.contains("answer.csv"), "{}", ran.stderr);
    assert_eq!(dlbench.ok(&["query", "deepnet", "-o", "/dev/null"]), "");
}

#[test]
fn what_has_no_meaning_is_refused_with_advice() {
    let dlbench = Dlbench::on_miniature();
    let mut told = String::new();
    for args in [
        &["query", "nova", "--columns", "latncy"][..],
        &["query", "nova", "--columns", "device,zebra"],
        &["query", "nova", "--columns", "parameter"],
        &["query", "nova", "--group-by", "framwork"],
        &["query", "nova", "--sort", "latncy"],
        &["query", "nova", "--columns", "device", "-f", "json"],
        &["query", "nova", "--group-by", "device", "-f", "csv"],
        &["query", "nova", "--facets", "-f", "latex"],
        &["query", "nova", "--label", "tab:x", "-f", "html"],
        &["query", "nova", "--caption", "x"],
        &["query", "nova", "--standalone", "-f", "markdown"],
        &["man", "qury"],
    ] {
        let ran = dlbench.run(args);
        assert_eq!((ran.stdout.as_str(), ran.code), ("", 2), "{args:?}");
        told.push_str(&format!("$ dlbench {}\n{}\n", args.join(" "), ran.stderr));
    }
    insta::assert_snapshot!(told);
    assert_eq!(dlbench.run(&["query", "nova", "--all", "--limit", "1"]).code, 2);
    assert_eq!(dlbench.run(&["query", "nova", "-f", "yaml"]).code, 2);
}

#[test]
fn rows_told_apart_by_a_long_label_alone_keep_it() {
    let kb = KbCopy::new();
    let rows: String = (1..=3)
        .map(|row| {
            format!(
                "\n[[run]]\nstage = \"forward\"\nprecision = \"bf16\"\nlatency-ms = {row}.5\nbatch-size = 1\n\
                 label = \"a long label that says how run number {row} of them differs from the other ones\"\n"
            )
        })
        .collect();
    kb.append("measurements/invented-2020/nova.toml", &rows);
    let text = kb.dlbench().columns(60).ok(&["query", "bf16"]);
    for row in 1..=3 {
        assert!(text.contains(&format!("number {row}")), "{text}");
    }
    assert!(text.lines().all(|line| line.chars().count() <= 60), "{text}");
    insta::assert_snapshot!(text.split("\nFrameworks").next().unwrap());
}

#[test]
fn nothing_is_paged_that_is_not_read_at_a_terminal() {
    let dlbench = Dlbench::on_miniature();
    let output =
        dlbench.command(&["query", "deepnet ask:lookup"]).env("DLBENCH_PAGER", "sed s/^/paged:/").output().unwrap();
    let ran = dlbench.ran(output);
    assert!(!ran.stdout.contains("paged:") && ran.stdout.contains("10 measurements"), "{ran:#?}");
}

#[test]
fn shells_and_manuals_know_every_command() {
    let dlbench = Dlbench::on_miniature();
    for shell in ["bash", "zsh", "fish", "powershell", "elvish"] {
        let script = dlbench.ok(&["completions", shell]);
        for word in ["query", "--facets", "--group-by", "completions"] {
            assert!(script.contains(word.trim_start_matches('-')), "{shell}: {word}");
        }
    }
    let folder = tempfile::TempDir::new().unwrap();
    dlbench.ok(&["man", "-o", folder.path().to_str().unwrap()]);
    let page = fs::read_to_string(folder.path().join("dlbench-query.1")).unwrap();
    assert_eq!(page, dlbench.ok(&["man", "query"]));
    assert!(page.starts_with(".ie") && page.contains("\\-\\-facets"), "{page}");
    assert!(dlbench.ok(&["man"]).contains("dlbench\\-query(1)"), "the main page names the others");
}

#[cfg(unix)]
#[test]
fn a_shell_completes_names_and_runs_nothing_that_is_typed() {
    let dlbench = Dlbench::on_miniature();
    let folder = tempfile::TempDir::new().unwrap();
    let [script, ran] = ["script", "ran"].map(|name| folder.path().join(name));
    fs::write(&script, dlbench.ok(&["completions", "bash"])).unwrap();
    let completed = |typed: &str| {
        let program = dlbench.command(&[]);
        let mut bash = std::process::Command::new("bash");
        let line = "source $1; typed=$2; shift 2; program=(\"$@\"); dlbench() { \"${program[@]}\" \"$@\"; }; \
                    COMP_WORDS=(dlbench query \"$typed\"); COMP_CWORD=2; _dlbench_with_names dlbench \"$typed\" query; echo \"${COMPREPLY[@]}\"";
        bash.args(["-c", line, "bash"]).arg(&script).arg(typed).arg(program.get_program()).args(program.get_args());
        bash.envs(program.get_envs().filter_map(|(key, value)| Some((key, value?))));
        String::from_utf8(bash.output().expect("bash runs").stdout).unwrap()
    };
    let names = completed("weav");
    assert!(names.contains("weave-9"), "{names}");
    completed(&format!("\"$(touch {}) weav", ran.display()));
    assert!(!ran.exists());
}

#[test]
fn rows_are_sorted_by_words_and_facts_too() {
    let dlbench = Dlbench::on_miniature();
    let column = |question: &str, key: &str| -> Vec<String> {
        let csv = dlbench.ok(&["query", question, "--columns", key, "--all", "-f", "csv"]);
        csv.lines()
            .skip(1)
            .map(|line| line.split(',').next().unwrap_or_default().trim_matches('"').to_owned())
            .collect()
    };
    for (question, key) in [("deepnet sort:framework", "framework"), ("deepnet sort:precision", "precision")] {
        let found = column(question, key);
        let (known, unknown): (Vec<_>, Vec<_>) = found.iter().cloned().partition(|word| !word.is_empty());
        let mut sorted = known.clone();
        sorted.sort();
        assert!(known.windows(2).any(|pair| pair[0] != pair[1]), "{known:?} tells nothing");
        assert_eq!(found, [sorted, unknown].concat(), "{question}");
    }
    let years = column("deepnet sort:-year", "year");
    assert!(years.windows(2).all(|pair| pair[0] >= pair[1]) && years.first() > years.last(), "{years:?}");
    let refused = dlbench.run(&["query", "sort:id device:nova-100"]);
    assert_eq!(refused.code, 2);
    assert!(refused.stderr.contains("nothing to sort by is called `id`"), "{}", refused.stderr);
    // With a subject, an unknown sort key is reported and the rest is answered.
    let said = dlbench.run(&["query", "deepnet sort:id"]);
    assert!(said.code == 0 && said.stdout.contains("Not read: sort:id"), "{}", said.stdout);
}

/// Rows of two frameworks in two stages, some with dispersion.
fn with_spreads() -> KbCopy {
    let kb = KbCopy::new();
    let mut rows = String::new();
    for (framework, stage, latency, spread) in [
        ("firelight", "eval", "10.25", "std-deviation = 0.51"),
        ("gridflow", "eval", "11.50", "std-deviation = 0.25"),
        ("firelight", "train", "40.00", "lowest = 39.0\nhighest = 42.5"),
        ("gridflow", "train", "32.00", ""),
    ] {
        rows.push_str(&format!(
            "\n[[run]]\nframework = \"{framework}\"\nframework-version = \"7\"\nstage = \"{stage}\"\nprecision = \"bf16\"\nbatch-size = 16\nlatency-ms = {latency}\n{spread}\n"
        ));
    }
    kb.append("measurements/invented-2020/nova.toml", &rows);
    kb
}

const COMPARED: &[&str] = &["compare", "bf16", "--rows", "framework", "--cols", "stage", "--metric", "latency"];

/// The non-empty lines of a text, without trailing spaces.
fn lines(text: &str) -> Vec<&str> {
    text.lines().map(str::trim_end).filter(|line| !line.is_empty()).collect()
}

#[test]
fn how_far_samples_lie_apart_has_columns_of_its_own() {
    let kb = with_spreads();
    let asked = |more: &[&str]| kb.dlbench().ok(&[COMPARED, &["--cells", "value,spread"], more].concat());
    let csv = asked(&["-f", "csv"]);
    // The values are followed by the ids that trace them.
    for (line, begins) in lines(&csv).iter().zip([
        "framework,eval latency [ms],eval ± [ms],train latency [ms],train spread [ms],eval latency id,",
        "Firelight,10.25,0.51,40.00,39–42.5,",
        "Gridflow,11.50,0.25,32.00,,",
    ]) {
        assert!(line.starts_with(begins), "{csv}");
    }
    let text = asked(&[]);
    assert!(text.contains("0.51") && !text.contains("±0.51") && text.contains("39.00–42.50"), "{text}");
    assert!(text.contains("standard deviation of the samples"), "{text}");
    let tex = asked(&["-f", "latex"]);
    let set = read(&tex).unwrap_or_else(|mistake| panic!("{mistake}: {tex}"));
    assert!(set.numbers.contains(&"0.51".to_owned()), "{tex}");
    // Without a spread column, the spread is printed next to the value.
    let beside = kb.dlbench().ok(COMPARED);
    assert!(beside.contains("±0.51") && beside.contains("(39.00–42.50)"), "{beside}");
}

#[test]
fn rows_stand_in_groups_under_what_they_share() {
    let kb = with_spreads();
    let asked = ["compare", "bf16", "--rows", "framework", "--group-by", "stage", "--metric", "latency"];
    let text = kb.dlbench().ok(&asked);
    let order: Vec<usize> = ["eval", "Firelight", "train"]
        .iter()
        .map(|word| lines(&text).iter().position(|line| line.trim_start().starts_with(word)).expect("a line"))
        .collect();
    assert!(order.is_sorted(), "{text}");
    let tex = kb.dlbench().ok(&[&asked[..], &["-f", "latex"]].concat());
    assert!(tex.contains("\\textit{train}") && !tex.contains("stage &"), "{tex}");
    // Formats for programs get a column; each group has its best value.
    let csv = kb.dlbench().ok(&[&asked[..], &["-f", "csv"]].concat());
    assert!(csv.starts_with("stage,framework,"), "{csv}");
    let json = kb.dlbench().json(&[&asked[..], &["-f", "json"]].concat());
    assert_eq!(json["rows_by"], serde_json::json!(["stage", "framework"]));
    let best = json["cells"].as_array().expect("rows").iter().map(|row| row[0]["best"].as_bool().expect("a flag"));
    assert_eq!(best.filter(|best| *best).count(), 2, "{json}");
    let table = kb.dlbench().ok(&["table", "devices", "--columns", "device,class,memory", "--group-by", "class"]);
    assert!(lines(&table).iter().any(|line| line.trim() == "gpu") && !table.contains("class"), "{table}");
    let refused = kb.dlbench().run(&["table", "devices", "--group-by", "zebra"]);
    assert!(refused.code == 2 && refused.stderr.contains("no column `zebra`"), "{}", refused.stderr);
}

#[test]
fn digits_multiples_names_and_order_are_the_authors() {
    let kb = with_spreads();
    let dlbench = kb.dlbench();
    let own = ["--digits", "2", "--order", "gridflow", "--label-of", "gridflow=GF", "--label-of", "firelight=Fire"];
    let compared = dlbench.ok(&[COMPARED, &own[..], &["-f", "markdown"]].concat());
    let rows: Vec<&str> = lines(&compared).into_iter().filter(|line| line.starts_with("| ")).collect();
    assert!(rows[rows.len() - 2].starts_with("| GF | 12"), "{compared}");
    let scaled = dlbench.ok(&[COMPARED, &["--scale", "k"]].concat());
    assert!(scaled.contains("[s]") && scaled.contains("0.01025 ±0.00051"), "{scaled}");
    let queried = dlbench.ok(&[&["query", "bf16 stage:eval"], &own[..]].concat());
    let begins = |word: &str| lines(&queried).iter().position(|line| line.starts_with(word)).expect("a row");
    assert!(begins("GF 7") < begins("Fire 7") && queried.contains("figures are rounded"), "{queried}");
    assert!(lines(&queried)[begins("Fire 7")].contains(" 10"), "{queried}");
    let table =
        dlbench.ok(&["table", "devices", "--order", "loom weave 9", "--label-of", "loom-weave-9=Weave", "-f", "csv"]);
    assert!(lines(&table)[1].starts_with("Weave,"), "{table}");
    // An option that a format does not support is refused, not ignored.
    for args in
        [&["query", "bf16", "--digits", "2", "-f", "csv"][..], &["table", "devices", "--digits", "2", "-f", "json"]]
    {
        assert_eq!(dlbench.run(args).code, 2, "{args:?}");
    }
}

#[test]
fn a_shade_is_as_dark_as_its_value_is_near_the_best_that_it_can_be_compared_with() {
    let kb = with_spreads();
    let dlbench = kb.dlbench();
    let shades = |tex: &str| -> Vec<u8> {
        let grounds = tex.split("\\cellcolor{black!").skip(1);
        grounds.map(|rest| rest.split('}').next().expect("an end").parse().expect("percent")).collect()
    };
    let tex = dlbench.ok(&[COMPARED, &["--shade", "-f", "latex"]].concat());
    read(&tex).unwrap_or_else(|mistake| panic!("{mistake}: {tex}"));
    // 10.25 of 10.25 ms and 32 of 40 in the first row, then 10.25 of 11.5 and 32 of 32.
    assert_eq!(shades(&tex), [30, 24, 27, 30], "{tex}");
    assert!(tex.contains("colortbl") && tex.contains("Shaded: the darker"), "{tex}");
    // Values that are not ranked are not shaded.
    let unlike = ["compare", "deepnet50", "--rows", "framework", "--metric", "latency", "--shade", "-f", "latex"];
    assert!(shades(&dlbench.ok(&unlike)).is_empty(), "differing stages");
    let typst = dlbench.ok(&[COMPARED, &["--shade", "-f", "typst"]].concat());
    assert_eq!(typst.matches("table.cell(fill: luma(").count(), 4, "{typst}");
    let grades = dlbench.ok(&["table", "hardware", "--shade", "-f", "latex"]);
    assert!(
        shades(&grades).iter().all(|shade| [8, 15, 23, 30].contains(shade)) && !shades(&grades).is_empty(),
        "{grades}"
    );
    for args in [&["table", "devices", "--shade", "-f", "latex"][..], &["table", "hardware", "--shade"]] {
        assert_eq!(dlbench.run(args).code, 2, "{args:?}");
    }
}

#[test]
fn what_a_table_was_made_with_stands_in_its_first_line() {
    let asked =
        ["compare", "deepnet50 fp16 eval", "--rows", "framework", "--digits", "2", "--cells", "value", "-f", "latex"];
    let tex = Dlbench::on_miniature().ok(&asked);
    assert!(
        tex.lines().next().is_some_and(|line| line.contains("--cells value") && line.contains("--digits 2")),
        "{tex}"
    );
}
