//! Claims checked against measurements, contradictions between sources, and disputed, superseded or retracted rows.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::Path;

use boon::{Compiler, Schemas};
use serde_json::Value;

use crate::{Dlbench, KbCopy, REPOSITORY, texts};

const PAGE: &str = "src/acceptance/EVIDENCE.md";

/// The text above the table.
const ABOVE: &str = "\
# Evidence

Every grade of hardware classes, every fact of frameworks and every figure that a survey states, held against what was measured:
by the rows up to the claim's year (`then`) and by those since. How each metric is made a number, and what that leaves out, stands
in `catalog/evidence.toml`; `dlbench evidence CLAIM --explain` tells the pairs behind a verdict. Places are tables and sections of
the survey: no copy of it that could be read has page numbers. `make docs` writes this page from `dlbench evidence -f markdown`.

";

/// The text above the second table.
const CHANCE: &str = "\n## By chance\n\nHow often chance alone would give these verdicts: the real pairs, with directions exchanged at random.\n\n";

/// Claims with the verdict that each should get: some invented or common knowledge, and some taken verbatim from public
/// texts.
const LABELLED: &str = include_str!("claims.tsv");

#[test]
fn the_page_of_evidence_among_the_documents_is_current() {
    let path = Path::new(REPOSITORY).join(PAGE);
    let page = fs::read_to_string(&path).unwrap_or_default();
    let dlbench = Dlbench::on(REPOSITORY);
    let current = [
        ABOVE,
        &dlbench.ok(&["evidence", "-f", "markdown"]),
        CHANCE,
        &dlbench.ok(&["evidence", "--chance=100", "-f", "markdown"]),
    ]
    .concat();
    if std::env::var_os("DLBENCH_UPDATE_DOCS").is_some() {
        fs::write(&path, current).expect("the page can be written");
    } else {
        assert!(current == page, "{PAGE} is not current: `make docs` writes it");
    }
}

#[test]
fn claims_get_the_verdict_that_a_person_gives_them() {
    let folder = tempfile::TempDir::new().expect("a temporary folder");
    let file = folder.path().join("claims.toml");
    let mut expected: BTreeMap<String, &str> = BTreeMap::new();
    let mut text = String::new();
    for (at, line) in LABELLED.lines().filter(|line| !line.starts_with('#')).enumerate() {
        let cells: Vec<&str> = line.split('\t').collect();
        let [verdict, by, subject, baseline, low, high, ..] = cells[..] else { panic!("six cells: {line}") };
        let id = format!("claim-{at}");
        text.push_str(&format!(
            "[[claim]]\nid = \"{id}\"\ntext = \"made up\"\nsource = \"dai-berleant-2019\"\nyear = 2026\n"
        ));
        match by.strip_prefix("fact ") {
            Some(fact) => text.push_str(&format!("device = \"{subject}\"\nfact = \"{fact}\"\nlow = {low}\n\n")),
            None => {
                let high = if high.is_empty() { String::new() } else { format!("high = {high}\n") };
                text.push_str(&format!(
                    "subject = \"{subject}\"\nbaseline = \"{baseline}\"\nby = \"{by}\"\nlow = {low}\n{high}\n"
                ));
            }
        }
        expected.insert(id, verdict);
    }
    assert!(expected.len() >= 70, "{} claims", expected.len());
    fs::write(&file, text).expect("the claims can be written");
    let file = file.to_str().expect("a path of letters");
    let found = Dlbench::on(REPOSITORY).json(&["evidence", "--claims", file, "-f", "json"]);
    let mut wrong = Vec::new();
    for claim in found["claims"].as_array().expect("claims") {
        let (id, verdict) = (claim["id"].as_str().unwrap_or_default(), claim["verdict"].as_str().unwrap_or_default());
        if expected[id].replace(' ', "-") != verdict {
            let line = LABELLED.lines().filter(|line| !line.starts_with('#')).nth(id[6..].parse().unwrap_or(0));
            wrong.push(format!("{}: {verdict}\n  {}", line.unwrap_or_default(), claim["periods"]));
        }
    }
    assert!(wrong.is_empty(), "{} of {}:\n{}", wrong.len(), expected.len(), wrong.join("\n"));
}

#[test]
fn with_directions_exchanged_at_random_verdicts_come_no_more_often_than_the_level() {
    let found = Dlbench::on(REPOSITORY).json(&["evidence", "--chance=100", "-f", "json"]);
    let chance = &found["by_chance"];
    let (level, shuffles) =
        (chance["level"].as_f64().expect("a level"), chance["shuffles"].as_f64().expect("a number"));
    let rates = chance["rates"].as_array().expect("rates");
    let metrics: BTreeSet<&str> = rates.iter().filter_map(|rate| rate["metric"].as_str()).collect();
    assert!(rates.len() >= 8 && metrics.len() >= 5, "{metrics:?}: {rates:#?}");
    let of = |rate: &Value| {
        let share = |key: &str| rate[key].as_f64().expect("a share");
        share("supported") + share("contradicted")
    };
    let all = rates.iter().map(of).sum::<f64>() / rates.len() as f64;
    assert!(all <= level, "{all} of all exchanges give a verdict");
    // Three standard deviations of a single rate above the level.
    let most = level + 3.0 * (level * (1.0 - level) / shuffles).sqrt();
    for rate in rates {
        assert!(of(rate) <= most, "{most}: {rate:#}");
    }
}

#[test]
fn an_effect_follows_from_its_pairs_and_these_from_rows_of_one_network() {
    let dlbench = Dlbench::on(REPOSITORY);
    let schema: Value = serde_json::from_str(&dlbench.ok(&["evidence", "--schema"])).expect("a schema");
    let (mut compiler, mut schemas) = (Compiler::new(), Schemas::new());
    compiler.add_resource("evidence.json", schema).expect("a schema");
    let schema = compiler.compile("evidence.json", &mut schemas).expect("a schema");
    let found = dlbench.json(&["evidence", "asic/computing-performance", "--explain", "-f", "json"]);
    assert_eq!(schemas.validate(&found, schema).err().map(|error| error.to_string()), None);
    let mut recomputed = 0;
    for comparison in found["claims"][0]["periods"]
        .as_array()
        .expect("periods")
        .iter()
        .flat_map(|period| period["comparisons"].as_array().expect("comparisons"))
    {
        let Some(details) = comparison["details"].as_array() else { continue };
        let mut networks: BTreeMap<&str, Vec<f64>> = BTreeMap::new();
        for pair in details {
            let (own, other) =
                (pair["subject"].as_f64().expect("a value"), pair["baseline"].as_f64().expect("a value"));
            networks.entry(pair["unit"].as_str().expect("a network")).or_default().push((own / other).ln());
        }
        let means = networks.values().map(|logs| logs.iter().sum::<f64>() / logs.len() as f64);
        let mean = (means.sum::<f64>() / networks.len() as f64).exp();
        let effect = comparison["effect"].as_f64().expect("an effect");
        assert!((mean / effect - 1.0).abs() < 0.002, "{mean} against {effect}");
        assert_eq!(comparison["units"], networks.len());
        recomputed += 1;
        let first = &details[0];
        let ids = first["measurements"].as_array().expect("rows");
        let rows: Vec<Value> =
            ids.iter().map(|id| dlbench.json(&["show", id.as_str().expect("an id"), "-f", "json"])).collect();
        for key in ["network", "stage", "scenario", "counts", "input_shape", "device_count"] {
            assert_eq!(rows[0][key], rows[1][key], "{key}: {first}");
        }
        assert_eq!(rows[0]["network"], first["unit"]);
    }
    assert!(recomputed >= 3, "{recomputed}");
}

#[test]
fn a_measurement_is_graded_by_what_it_states_and_files_do_not_state_the_grade() {
    let kb = crate::KbCopy::new();
    let dlbench = kb.dlbench();
    let total = |question: &str| dlbench.json(&["query", question, "-f", "json"])["total"].as_u64().unwrap_or(0);
    let of_each: Vec<u64> = ["a", "b", "c", "d"].iter().map(|grade| total(&format!("evidence:{grade}"))).collect();
    assert_eq!(of_each.iter().sum::<u64>(), total("source:imagined-2018,invented-2020"));
    assert_eq!(total("evidence>=b"), of_each[0] + of_each[1]);
    assert_eq!(total("evidence:c..d"), of_each[2] + of_each[3]);
    assert_eq!(total("-evidence:d"), of_each.iter().sum::<u64>() - of_each[3]);

    // Ten samples of a forward pass, under conditions in which another framework was also measured.
    let row = &dlbench.json(&["query", "nova-100 eval fp16 firelight batch:16", "-f", "json"])["measurements"][0];
    assert_eq!(
        (&row["evidence"], &row["evidence_lacks"]),
        (&"b".into(), &"code, environment, spread".into()),
        "{row:#}"
    );
    let told = dlbench.ok(&["query", "nova-100 eval", "--columns", "network,evidence,evidence-lacks", "-f", "csv"]);
    assert!(told.contains("\"code, environment, spread\""), "{told}");
    let rule = dlbench.ok(&["explain", "evidence"]);
    assert!(rule.contains("same-conditions") && rule.contains("`a`: 7 of 8"), "{rule}");
    let wrong = dlbench.run(&["query", "evidence:e"]);
    assert!(wrong.code == 2 && wrong.stderr.contains("did you mean `a`, `b`, `c` or `d`?"), "{}", wrong.stderr);

    let batch = include_str!("kb/measurements/invented-2020/nova.toml");
    kb.write(
        "measurements/invented-2020/nova.toml",
        batch.replacen("[defaults]\n", "[defaults]\nevidence = \"a\"\n", 1),
    );
    let refused = dlbench.run(&["check"]);
    assert!(refused.code == 1 && refused.stdout.contains("evidence"), "{}", refused.stdout);
}

const DEFINITION: &str = r#"
[contradiction]
metrics = ["throughput-per-s", "latency-ms"]
differ = ["framework-version"]
unstated = ["layout"]
level = 0.9
least-pairs = 2
least-measurers = 1
formula = "made up"
not-captured = "made up"

[[contradiction.context]]
name = "software"
fields = ["framework-version", "driver"]

[[contradiction.context]]
name = "execution"
fields = ["layout"]
"#;

/// Defaults of all rows.
const DEFAULTS: &str = r#"
[defaults]
framework = "firelight"
device = "nova-100-16gb"
device-raw = "Nova"
device-count = 1
network = "deepnet-50"
input-shape = "3x64x64"
stage = "eval"
counts = "image"
statistic = "mean"

[[table]]
columns = ["batch-size", "precision", "framework-version", "layout", "label", "throughput-per-s", "std-deviation", "n"]
rows = [
"#;

/// Rows of each source; they are distinguished by batch size.
const ROWS: &[(&str, &str, &str)] = &[
    (
        "forge-2021",
        "Smith, Eve",
        r#"
  [1, "fp16", "1.0", "", "run 1", 100, "", ""],
  [1, "fp16", "1.0", "", "run 2", 110, "", ""],
  [2, "fp16", "1.0", "", "run 1", 100, "", ""],
  [2, "fp16", "1.0", "", "run 2", 110, "", ""],
  [3, "fp16", "1.0", "", "", 100, "", ""],
  [3, "fp16", "1.1", "", "", 150, "", ""],
  [4, "fp16", "1.0", "", "", 100, "", ""],
  [4, "fp16", "1.1", "", "", 150, "", ""],
  [10, "fp16", "1.0", "", "", 100, "", ""],
  [11, "fp16", "1.0", "", "", 100, "", ""],
  [12, "fp16", "1.0", "", "", 100, "", ""],
  [13, "fp16", "1.0", "", "", 100, 40, 1],
  [14, "fp16", "1.0", "", "", 100, "", ""],
  [15, "", "1.0", "", "", 100, "", ""],
  [16, "fp16", "1.0", "NCHW", "", 100, "", ""],
  [17, "fp16", "1.0", "NCHW", "", 100, "", ""],
  [18, "fp16", "1.0", "", "", 100, "", ""],
"#,
    ),
    (
        "anvil-2022",
        "Weaver, Max",
        r#"
  [10, "fp16", "1.0", "", "", 300, "", ""],
  [11, "fp16", "2.0", "", "", 160, "", ""],
  [12, "fp16", "2.0", "", "", 170, "", ""],
  [13, "fp16", "1.0", "", "", 130, 40, 1],
  [15, "", "1.0", "", "", 900, "", ""],
  [16, "fp16", "1.0", "NHWC", "", 900, "", ""],
  [17, "fp16", "1.0", "", "", 900, "", ""],
  [18, "fp16", "1.0", "", "", 105, "", ""],
"#,
    ),
    // This source shares an author with the first.
    (
        "forge-2023",
        "Smith, Eve",
        r#"
  [14, "fp16", "1.0", "", "", 500, "", ""],
"#,
    ),
];

#[test]
fn contradictions_made_by_hand_are_told_and_what_explains_itself_is_not() {
    let kb = KbCopy::new();
    let empty = kb.dlbench().run(&["evidence", "--contradictions"]);
    assert_eq!((empty.code, empty.stdout.as_str()), (1, ""));
    assert!(empty.stderr.contains("does not say when two sources contradict each other"), "{}", empty.stderr);

    kb.write("catalog/evidence.toml", DEFINITION);
    for (source, author, rows) in ROWS {
        let entry = format!(
            "name = \"{source}\"\ntype = \"misc\"\nauthors = [\"{author}\"]\nyear = 2021\nurl = \"https://example.org/{source}\"\n"
        );
        kb.write(&format!("catalog/sources/{source}.toml"), entry);
        kb.write(&format!("measurements/{source}/rows.toml"), format!("{DEFAULTS}{}]\n", rows.trim_end()));
    }
    let dlbench = kb.dlbench();
    let found = dlbench.json(&["evidence", "--contradictions", "-f", "json"]);
    let schema: Value =
        serde_json::from_str(&dlbench.ok(&["evidence", "--contradictions", "--schema"])).expect("a schema");
    let (mut compiler, mut schemas) = (Compiler::new(), Schemas::new());
    compiler.add_resource("contradictions.json", schema).expect("a schema");
    let schema = compiler.compile("contradictions.json", &mut schemas).expect("a schema");
    assert_eq!(schemas.validate(&found, schema).err().map(|error| error.to_string()), None);

    // Batch 17: only one row states the layout, whose usual effect is unknown. Batch 10: nothing differs.
    // Batch 12: different versions, which usually explain a factor of 1.1 times 1.5.
    let told: Vec<(f64, f64, i64)> = found["contradictions"]
        .as_array()
        .expect("contradictions")
        .iter()
        .map(|line| {
            let number = |value: &Value| value.as_f64().expect("a number");
            let batch = line["under"]["batch-size"].as_i64().expect("a batch");
            (number(&line["factor"]), number(&line["usual"]), batch)
        })
        .collect();
    assert_eq!(told, [(9.0, 1.1, 17), (3.0, 1.1, 10), (1.7, 1.65, 12)], "{found:#}");
    let counts =
        ["compared", "within_repetitions", "explained", "within_spread", "unexplained"].map(|key| found[key].as_i64());
    // Batch 18 is within repetitions, 11 is explained by the version, 13 by the deviations.
    assert_eq!(counts, [Some(6), Some(1), Some(1), Some(1), Some(3)]);
    let usual = found["allowances"].as_array().expect("allowances");
    assert_eq!(texts(&found["allowances"], "name"), ["repetitions", "software", "execution"]);
    assert_eq!(usual.iter().map(|line| line["factor"].as_f64()).collect::<Vec<_>>(), [Some(1.1), Some(1.5), None]);

    let first = &found["contradictions"][0];
    assert_eq!(
        (first["higher"]["source"].as_str(), first["lower"]["source"].as_str()),
        (Some("anvil-2022"), Some("forge-2021"))
    );
    assert_eq!(first["differences"].as_array().map(Vec::len), Some(1), "{first:#}");
    assert_eq!(
        (first["differences"][0]["lower"].as_str(), &first["differences"][0]["higher"]),
        (Some("NCHW"), &Value::Null)
    );
    for side in ["higher", "lower"] {
        let id = first[side]["measurement"].as_str().expect("an id");
        let row = dlbench.json(&["show", id, "-f", "json"]);
        assert_eq!(row["metrics"]["throughput_per_s"].as_f64(), first[side]["value"].as_f64());
    }
    let of_one = dlbench.json(&["evidence", "--contradictions", "batch:10", "-f", "json"]);
    assert_eq!(of_one["contradictions"].as_array().map(Vec::len), Some(1));
    // A check of only the new file reports its row together with the contradicting one.
    let new = kb.path("measurements/anvil-2022");
    let told =
        dlbench.run(&["check", "--contradictions", "--only", "DL0416", new.to_str().expect("a path of letters")]);
    for said in [
        "DL0416",
        "anvil-2022:",
        "forge-2021:",
        "9 times apart, where 1.1 would be usual",
        "layout not stated against NCHW",
    ] {
        assert!(told.stdout.contains(said), "{said}: {}", told.stdout);
    }
    assert_eq!(told.stdout.matches("warning[DL0416]").count(), 3, "{}", told.stdout);
    let unasked = dlbench.run(&["check", "--only", "DL0416"]);
    assert_eq!((unasked.code, unasked.stdout.contains("DL0416")), (0, false), "{}", unasked.stdout);
    for format in ["table", "markdown", "html", "latex", "csv", "ndjson"] {
        let written = dlbench.ok(&["evidence", "--contradictions", "-f", format]);
        // LaTeX output has break points in names.
        assert!(written.replace("\\allowbreak{}", "").contains("anvil-2022"), "{format}: {written}");
    }
}

#[test]
fn principles_are_applied_to_sources_by_what_their_rows_state() {
    let dlbench = crate::Dlbench::on_miniature();
    let table = dlbench.ok(&["table", "principles", "--sources", "-f", "csv"]);
    insta::assert_snapshot!(table);
    let refused = dlbench.run(&["table", "devices", "--sources"]);
    assert_eq!(refused.code, 2);
    assert!(
        refused.stderr.contains("only the principles of benchmarking are applied to sources"),
        "{}",
        refused.stderr
    );
}

const STANDING_ROWS: &str = "measurements/invented-2020/nova.toml";

/// The miniature knowledge base with its fastest DeepNet-50 row retracted.
fn with_the_fastest_retracted() -> KbCopy {
    let kb = KbCopy::new();
    let retracted =
        "standing = \"retracted\"\nstanding-reason = \"another card\"\nreplaced-by = \"invented-2020:7fk2qz9abc\"";
    kb.replace(STANDING_ROWS, "latency-ms = 10.0", &format!("{retracted}\nlatency-ms = 10.0"));
    kb
}

#[test]
fn what_was_retracted_is_shown_with_its_reason_behind_all_others() {
    let kb = with_the_fastest_retracted();
    insta::assert_snapshot!(kb.dlbench().ok(&["query", "deepnet50 nova fp16 eval"]));
}

#[test]
fn what_was_retracted_is_never_the_best() {
    let latencies = |kb: &KbCopy, question: &str| -> Vec<f64> {
        let answer = kb.dlbench().answer(question);
        let rows = answer["measurements"].as_array().expect("rows");
        rows.iter().map(|row| row["metrics"]["latency_ms"].as_f64().expect("a latency")).collect()
    };
    let (stands, retracted) = (KbCopy::new(), with_the_fastest_retracted());
    for question in ["fastest deepnet50 nova eval", "deepnet50 nova eval sort:latency"] {
        assert_eq!(latencies(&stands, question), [10.0, 12.5, 21.5], "{question}");
        assert_eq!(latencies(&retracted, question), [12.5, 21.5, 10.0], "{question}");
    }
    assert_eq!(latencies(&retracted, "fastest deepnet50 nova eval limit:2"), [12.5, 21.5]);
    assert_eq!(latencies(&retracted, "deepnet50 nova eval sort:latency limit:1 offset:2"), [10.0]);
    let text = stands.dlbench().ok(&["query", "deepnet50 nova fp16 eval"]);
    assert!(text.contains("10.0^"), "{text}");
    let text = retracted.dlbench().ok(&["query", "deepnet50 nova fp16 eval"]);
    assert!(text.contains("10.0§1 ") && !text.contains("10.0^"), "{text}");
}

#[test]
fn programs_are_told_too() {
    let kb = with_the_fastest_retracted();
    let answer = kb.dlbench().answer("fastest deepnet50 nova eval limit:2");
    let note = &answer["remarks"][0];
    assert_eq!(note["code"], "standing");
    assert_eq!(note["text"], "1 retracted measurement comes behind all others and is never marked as best.");
    let answer = kb.dlbench().answer("deepnet50 nova eval");
    let row = answer["measurements"].as_array().and_then(|rows| rows.last()).expect("rows");
    assert_eq!((&row["standing"], &row["standing_reason"]), (&"retracted".into(), &"another card".into()));
    assert_eq!(row["replaced_by"], "invented-2020:7fk2qz9abc");
    for format in ["csv", "markdown", "html", "latex"] {
        let text = kb.dlbench().ok(&["query", "deepnet50 nova eval", "-f", format]);
        let whole = text.replace("\\allowbreak{}", "");
        assert!(whole.contains("another card") && whole.contains("invented-2020:7fk2qz9abc"), "{format}: {text}");
    }
}

#[test]
fn it_is_found_by_its_standing() {
    let kb = with_the_fastest_retracted();
    for question in ["standing:retracted", "retracted", "retracted deepnet50"] {
        assert_eq!(kb.dlbench().answer(question)["total"], 1, "{question}");
    }
    assert_eq!(kb.dlbench().answer("deepnet50 nova eval -standing:retracted")["total"], 2);
    assert_eq!(kb.dlbench().run(&["query", "standing:disputed"]).code, 1, "a known word that no row has");
    assert_eq!(kb.dlbench().run(&["query", "standing:disputd"]).code, 2, "an unknown word");
}

#[test]
fn a_superseded_source_takes_its_rows_with_it() {
    let kb = KbCopy::new();
    let text = "standing = \"superseded\"\nstanding-reason = \"measured again\"\nreplaced-by = \"invented-2020\"\n";
    kb.append("catalog/sources/imagined-2018.toml", text);
    assert_eq!(kb.dlbench().run(&["check"]).code, 0);
    let answer = kb.dlbench().answer("deepnet50 eval");
    let last = answer["measurements"].as_array().and_then(|rows| rows.last()).expect("rows");
    assert_eq!((&last["source"], &last["standing"]), (&"imagined-2018".into(), &"superseded".into()));
    assert_eq!(last["replaced_by"], "invented-2020");
    let rows = kb.dlbench().ok(&["query", "weave 9 deepnet50"]);
    assert!(rows.contains("§1 superseded: measured again; replaced by invented-2020"), "{rows}");
    let found = kb.dlbench().answer("sources standing:superseded");
    assert_eq!(found["catalog"]["sources"][0]["standing"]["reason"], "measured again", "{found:#}");
}

#[test]
fn what_nobody_claims_any_more_may_break_physics() {
    let kb = KbCopy::new();
    kb.replace(STANDING_ROWS, "latency-ms = 21.5", "latency-ms = 0.0215");
    let rows = kb.path(STANDING_ROWS);
    let rows = rows.to_str().expect("a path in UTF-8");
    let ran = kb.dlbench().run(&["check", rows]);
    assert!(ran.stdout.contains("error[DL0401]"), "{}", ran.stdout);
    let disputed = "standing = \"disputed\"\nstanding-reason = \"seconds, by the looks of it\"\nlatency-ms = 0.0215";
    kb.replace(STANDING_ROWS, "latency-ms = 0.0215", disputed);
    let ran = kb.dlbench().run(&["check", rows]);
    assert_eq!(ran.code, 0, "{}", ran.stdout);
}

#[test]
fn a_standing_needs_a_reason_and_a_replacement_that_is_there() {
    let kb = KbCopy::new();
    kb.replace(
        "measurements/invented-2020/nova.toml",
        "latency-ms = 33.3",
        "standing = \"retracted\"\nlatency-ms = 33.3",
    );
    let ran = kb.dlbench().run(&["check", "--skip", "DL05"]);
    assert!(ran.stdout.contains("the row's `standing` has no reason"), "{}", ran.stdout);
    let reason =
        "standing = \"retracted\"\nstanding-reason = \"another card\"\nreplaced-by = \"invented-2020:0000000000\"";
    kb.replace("measurements/invented-2020/nova.toml", "standing = \"retracted\"", reason);
    let ran = kb.dlbench().run(&["check", "--skip", "DL05"]);
    assert!(ran.stdout.contains("error[DL0112]: there is no measurement `invented-2020:0000000000`"), "{}", ran.stdout);
    kb.replace("measurements/invented-2020/nova.toml", "replaced-by = \"invented-2020:0000000000\"\n", "");
    assert_eq!(kb.dlbench().run(&["check", "--skip", "DL05"]).code, 0);
    let answer = kb.dlbench().answer("deepnet-101 latency:33.3");
    assert_eq!(answer["measurements"][0]["standing"], "retracted", "{answer:#}");
    assert_eq!(answer["measurements"][0]["standing_reason"], "another card");

    kb.append("catalog/sources/imagined-2018.toml", "standing = \"superseded\"\nreplaced-by = \"invented-2020\"\n");
    let ran = kb.dlbench().run(&["check", "--skip", "DL05"]);
    assert!(ran.stdout.contains("the key `standing-reason` is missing"), "{}", ran.stdout);
    kb.append("catalog/sources/imagined-2018.toml", "standing-reason = \"measured again\"\n");
    assert_eq!(kb.dlbench().run(&["check", "--skip", "DL05"]).code, 0);
    let source = kb.dlbench().json(&["show", "source", "imagined-2018", "-f", "json"]);
    assert_eq!(source["standing"]["replaced_by"], "invented-2020");
}
