//! Missing measurements: what claims and devices lack, which of it this machine can measure, and the run that measures it.

use boon::{Compiler, Schemas};
use serde_json::Value;

use crate::{Dlbench, KbCopy, REPOSITORY, texts};

/// Latencies of one network each, measured by two different authors.
const DEFINITION: &str = r#"
[[definition]]
metric = "energy-efficiency"
grades = "hardware"
speaks = "matched-rows"
measures = ["latency-ms"]
differ = ["framework", "dataset", "timed", "threads"]
high-grade = "better"
least-units = 2
least-measurers = 1
alike-within = 1.25
formula = "made up"
not-captured = "made up"

[[sources]]
source = "imagined-2018"
"#;

const FRAMEWORK_DEFINITIONS: &str = r#"
[[definition]]
metric = "tested-networks"
grades = "framework"
speaks = "fact"
fact = "tested-network"
formula = "made up"
not-captured = "made up"

[[definition]]
metric = "compatible-hardware"
grades = "framework"
speaks = "fact"
fact = "hardware"
formula = "made up"
not-captured = "made up"
"#;

const FRAMEWORK_METRICS: &str = r#"
[[metric]]
id = "tested-networks"
name = "Tested networks"
definition = "Made up."

[[metric]]
id = "compatible-hardware"
name = "Compatible hardware"
definition = "Made up."
"#;

/// A framework that was measured on a CPU with one of two networks.
const SPARKLER: &str = r#"
name = "Sparkler"
status = "inactive"

[[sources]]
source = "invented-2020"

[reported.invented-2020]
row = 3
name = "Sparkler"
hardware = ["CPU", "GPU"]
tested-networks = ["DeepNet-50", "DeepNet-101"]
"#;

const SPARKLER_ROW: &str = r#"
[[run]]
framework = "sparkler"
device = "core-9"
device-raw = "Core"
device-count = 1
network = "deepnet-50"
input-shape = "3x64x64"
stage = "eval"
precision = "fp32"
batch-size = 16
counts = "image"
latency-ms = 2000
"#;

const CLAIMS: &str = r#"
[[claim]]
id = "gpu-before-cpu"
text = "GPUs are faster than CPUs."
source = "imagined-2018"
year = 2018
subject = "class:gpu"
baseline = "class:cpu"
by = "energy-efficiency"
low = 1
"#;

const ROWS: &str = r#"
[defaults]
framework = "firelight"
framework-version = "1.2"
device-count = 1
input-shape = "3x64x64"
stage = "eval"
precision = "fp32"
batch-size = 16
counts = "image"
statistic = "mean"

[[table]]
columns = ["device", "device-raw", "network", "threads", "latency-ms"]
rows = [
  ["nova-100-16gb", "Nova", "deepnet-50", "", 100],
  ["nova-100-16gb", "Nova", "deepnet-101", "", 200],
  ["nova-100-32gb", "Nova", "deepnet-101", "", 190],
  ["core-9", "Core", "deepnet-50", 1, 3000],
]
"#;

pub(crate) fn base() -> KbCopy {
    let kb = KbCopy::new();
    kb.write("catalog/evidence.toml", DEFINITION);
    kb.write("catalog/claims.toml", CLAIMS);
    kb.write("catalog/devices/nova-200.toml", "name = \"Acme Nova 200\"\nclass = \"gpu\"\n");
    kb.write("catalog/devices/core-9.toml", "name = \"Core 9\"\nclass = \"cpu\"\n");
    kb.write(
        "catalog/sources/forge-2021.toml",
        "name = \"forge-2021\"\ntype = \"misc\"\nauthors = [\"Smith, Eve\"]\nyear = 2021\nurl = \"https://example.org/forge\"\n",
    );
    kb.write("catalog/sources/dlbench-runs.toml", "name = \"Our runs\"\ntype = \"misc\"\n");
    kb.write("measurements/forge-2021/rows.toml", ROWS);
    kb
}

pub(crate) fn worker() -> String {
    format!("python3 {REPOSITORY}/src/acceptance/mock_worker.py")
}

/// The id of the only row that a question finds.
fn row(dlbench: &Dlbench, question: &str) -> String {
    let found = dlbench.json(&["query", question, "-f", "json"]);
    assert_eq!(found["total"], 1, "{question}");
    found["measurements"][0]["id"].as_str().expect("an id").to_owned()
}

#[test]
fn what_would_settle_a_claim_comes_first_and_then_what_makes_a_device_comparable() {
    let kb = base();
    let dlbench = kb.dlbench();
    let found = dlbench.json(&["wanted", "-f", "json"]);
    let schema: Value = serde_json::from_str(&dlbench.ok(&["wanted", "--schema"])).expect("a schema");
    let (mut compiler, mut schemas) = (Compiler::new(), Schemas::new());
    compiler.add_resource("wanted.json", schema).expect("a schema");
    let schema = compiler.compile("wanted.json", &mut schemas).expect("a schema");
    assert_eq!(schemas.validate(&found, schema).err().map(|error| error.to_string()), None);

    // Two networks are needed: both sides have one of them, and the GPUs have another.
    let first = &found["wanted"][0];
    assert_eq!((&first["on"], &first["network"]), (&"class:cpu".into(), &"deepnet-101".into()), "{found:#}");
    assert_eq!(first["share"], 1.0);
    assert_eq!(first["comparisons"], 2, "two devices were measured so");
    assert_eq!(
        first["settles"],
        serde_json::json!([{ "claim": "gpu-before-cpu", "kind": "networks", "against": "class:gpu", "units": 1, "needed": 2 }])
    );
    assert_eq!(first["like"], row(&dlbench, "source:forge-2021 device:nova-100-16gb network:deepnet-101").as_str());
    assert_eq!(first["under"]["batch-size"], 16);
    // The newest board has no rows; on DeepNet-101 there are two rows of its class.
    let on: Vec<(String, i64)> = found["wanted"]
        .as_array()
        .expect("cells")
        .iter()
        .map(|cell| (cell["on"].as_str().unwrap_or_default().to_owned(), cell["comparisons"].as_i64().unwrap_or(0)))
        .collect();
    assert!(on.contains(&("device:nova-200".to_owned(), 2)), "{on:?}");
    assert!(!on[1..].iter().any(|(on, _)| on.starts_with("class:")), "{on:?}");

    // With the missing row added, the claim needs no more measurements.
    kb.write(
        "measurements/forge-2021/rows.toml",
        ROWS.replace("3000],\n", "3000],\n  [\"core-9\", \"Core\", \"deepnet-101\", 1, 6000],\n"),
    );
    let settled = dlbench.json(&["wanted", "-f", "json"]);
    assert!(!texts(&settled["wanted"], "on").iter().any(|on| on.starts_with("class:")), "{settled:#}");
    for format in ["table", "markdown", "html", "latex", "csv", "ndjson"] {
        // Formats may insert break points into a name, so only its start is compared.
        assert!(dlbench.ok(&["wanted", "-f", format]).contains("deepnet-"), "{format}");
    }
    let nothing = dlbench.run(&["wanted", "zebra"]);
    assert_eq!((nothing.code, nothing.stdout.as_str()), (1, ""));
}

#[test]
fn what_a_survey_says_of_a_framework_wants_a_row_that_bears_it_out() {
    let kb = base();
    kb.write("catalog/evidence.toml", DEFINITION.to_owned() + FRAMEWORK_DEFINITIONS);
    kb.write("catalog/framework-metrics.toml", FRAMEWORK_METRICS);
    kb.write("catalog/frameworks/sparkler.toml", SPARKLER);
    kb.write("measurements/forge-2021/sparkler.toml", SPARKLER_ROW);
    let dlbench = kb.dlbench();
    let found = dlbench.json(&["wanted", "sparkler", "--worker", &worker(), "-f", "json"]);
    let cells = found["wanted"].as_array().expect("cells");
    let on = |filters: &str| cells.iter().find(|cell| cell["on"] == filters).unwrap_or_else(|| panic!("{found:#}"));
    let network = on("framework:sparkler");
    assert_eq!(network["network"], "deepnet-101");
    assert_eq!(network["share"], 1.0, "the other network was measured");
    assert_eq!(
        network["settles"][0],
        serde_json::json!({ "claim": "sparkler/tested-networks", "kind": "items", "against": "DeepNet-101", "units": 1, "needed": 2 })
    );
    assert_eq!(
        dlbench.json(&["show", network["like"].as_str().expect("an id"), "-f", "json"])["network"],
        "deepnet-101"
    );
    assert_eq!(network["not_here"], "the worker here runs firelight");
    assert_eq!(on("framework:sparkler class:gpu")["settles"][0]["claim"], "sparkler/compatible-hardware");
    assert!(dlbench.ok(&["wanted", "sparkler"]).contains("of 2 items 1 borne out"));
    // A framework that has the rows needs none.
    assert_eq!(dlbench.run(&["wanted", "framework firelight"]).code, 1);
}

#[test]
fn what_is_wanted_is_measured_where_the_worker_can() {
    let kb = base();
    let (dlbench, worker) = (kb.dlbench(), worker());
    let asked = dlbench.json(&["wanted", "--worker", &worker, "-f", "json"]);
    let cells = asked["wanted"].as_array().expect("cells");
    assert_eq!(cells[0]["here"], "cpu", "{asked:#}");
    let elsewhere = cells.iter().find(|cell| cell["on"].as_str().is_some_and(|on| on.starts_with("device:nova")));
    assert_eq!(elsewhere.expect("a board")["here"], Value::Null);
    assert!(elsewhere.expect("a board")["not_here"].as_str().is_some_and(|why| why.contains("here")));
    let here = dlbench.json(&["wanted", "--here", "--worker", &worker, "-f", "json"]);
    assert!(here["wanted"].as_array().expect("cells").iter().all(|cell| cell["here"] == "cpu"));

    // If a network's multiply-adds are unknown, so is the time of an iteration.
    let dry = ["run", "--wanted=1", "--worker", &worker, "--device-id", "core-9", "--dry-run"];
    let unknown = dlbench.run(&dry);
    assert!(unknown.code == 2 && unknown.stderr.contains("or an unknown time"), "{}", unknown.stderr);
    kb.replace("catalog/networks/deepnet-101.toml", "family =", "multiply-adds-g = 0.01\nfamily =");
    let plan = dlbench.run(&dry);
    assert_eq!(plan.code, 0, "{}", plan.stderr);
    assert!(plan.stderr.contains("deepnet-101") && plan.stderr.contains("towards gpu-before-cpu"), "{}", plan.stderr);
    let measured = dlbench.run(&[
        "run",
        "--wanted=1",
        "--worker",
        &worker,
        "--device-id",
        "core-9",
        "--time-limit",
        "1",
        "--wait",
        "0",
        "--processes",
        "1",
    ]);
    assert_eq!(measured.code, 0, "{}", measured.stderr);
    let rows = dlbench.json(&["query", "source:dlbench-runs device:core-9", "-f", "json"]);
    assert_eq!(texts(&rows["measurements"], "network"), ["deepnet-101"]);
    assert_eq!(rows["measurements"][0]["batch_size"], 16);

    let both = dlbench.run(&["run", "deepnet-50", "--wanted"]);
    assert_eq!(both.code, 2);
}
