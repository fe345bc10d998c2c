//! Contradictions among sources, made by hand: those that are, and those that repetitions, context, stated dispersion, a common
//! author or different conditions explain.

use boon::{Compiler, Schemas};
use serde_json::Value;

use crate::{KbCopy, texts};

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

/// What all rows share.
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

/// Rows of each source. One is told from the other by its batch.
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
    // An author of the first one, too.
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

    // Batch 17: only one states the layout, and nothing is known of how much that explains. Batch 10: nothing differs.
    // Batch 12: another version, which is usually worth 1.1 times 1.5.
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
    // Batch 18 lies within repetitions, 11 is explained by the version, 13 by the deviations.
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
    // Asked for by its file, a new row is told with the other one.
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
        // Where a line may break in it LaTeX is told.
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
