//! llama.cpp on Strix Halo: a table of llama-bench by toolbox, and two of rates behind more and more tokens in the cache.

use std::collections::BTreeMap;
use std::path::Path;

use serde_json::Value;

use super::{Meaning, Source, entry, meaning, pattern, read_text};

const SOURCE: Source = Source {
    id: "kyuz0-strix-halo-2026",
    folder: "kyuz0__amd-strix-halo-toolboxes",
    also: &[
        "device-raw",
        "network-raw",
        "framework-version",
        "kernel-library",
        "weight-format",
        "input-length",
        "output-length",
        "mode",
        "timed",
        "label",
        "n",
        "std-deviation",
        "date",
        "outcome",
        "counts",
        "throughput-per-s",
    ],
};

const NETWORKS: &[(&str, &str)] = &[
    (r"^(Qwen3\.\d-\d+B(?:-A\d+B)?|gemma-4-\d+B(?:-A\d+B)?)-", "$1"),
    (r"^(GLM-4\.7-Flash|MiniMax-M2\.7|Ministral-3-14B|DeepSeek-V4-Flash|gpt-oss-\d+b|llama-2-7b)", "$1"),
    (r"^NVIDIA-(Nemotron-3-Super)-", "$1"),
];

fn text<'v>(value: &'v Value, key: &str) -> &'v str {
    value[key].as_str().unwrap_or_default()
}

/// A number as text; nothing where it is none.
fn number(value: &Value) -> String {
    value.as_number().map(ToString::to_string).unwrap_or_default()
}

/// What every row says: the model's name ends in the format of its weights, of which only bfloat16 is also what is computed in.
fn of_model(name: &str) -> Meaning {
    let weights = pattern(r"[-.]((?:UD-)?I?Q\d\w*|BF16|mxfp4)$").captures(name).expect("the format of the weights");
    meaning([
        ("device", "radeon-8060s"),
        ("device-count", "1"),
        ("framework", "llama-cpp"),
        ("counts", "token"),
        ("network", &entry(NETWORKS, name).unwrap_or_default()),
        ("network-raw", name),
        ("weight-format", &weights[1]),
        ("precision", if &weights[1] == "BF16" { "bf16" } else { "" }),
    ])
}

/// A deviation that rounds to zero says nothing.
fn deviation(value: &Value) -> String {
    if value.as_f64() == Some(0.0) { String::new() } else { number(value) }
}

/// The rows of llama-bench: "pp512" reads so many tokens, "tg128" writes them, "@ d32768" behind so many.
fn of_bench(file: &Value) -> Vec<Meaning> {
    let date = text(&file["meta"], "generated_at").get(..7).unwrap_or_default().to_owned();
    let of_run = |run: &Value| {
        let has_failed = run["error"] == true;
        if run["tps_mean"].is_null() && !has_failed {
            return None;
        }
        let test = pattern(r"^(pp|tg)(\d+)(?: @ d(\d+))?$").captures(text(run, "test"));
        let part =
            |at: usize| test.as_ref().and_then(|test| test.get(at)).map(|part| part.as_str()).unwrap_or_default();
        let timed = match (part(1), part(3)) {
            ("", _) => format!("all tests with the context {}", text(run, "context")),
            (kind, depth) => {
                let which = if kind == "pp" { "input" } else { "output" };
                let behind =
                    if depth.is_empty() { String::new() } else { format!(", behind {depth} tokens in the cache") };
                format!("{which} tokens{behind}, by llama-bench")
            }
        };
        let build = text(&run["build"], "number");
        let mut row = of_model(text(run, "model_clean"));
        row.extend(meaning([
            ("device-raw", "AMD Strix Halo"),
            ("framework-version", &if build.is_empty() { String::new() } else { format!("b{build}") }),
            ("kernel-library", text(run, "env")),
            (
                "stage",
                if part(1) == "pp" {
                    "prefill"
                } else if part(1) == "tg" {
                    "decode"
                } else {
                    ""
                },
            ),
            ("input-length", if part(1) == "pp" { part(2) } else { "" }),
            ("output-length", if part(1) == "tg" { part(2) } else { "" }),
            ("mode", if run["fa"] == true { "flash attention" } else { "" }),
            ("timed", &timed),
            ("statistic", if has_failed { "" } else { "mean" }),
            ("std-deviation", &deviation(&run["tps_std"])),
            ("date", &date),
            ("outcome", if has_failed { "crashed" } else { "" }),
            ("throughput-per-s", &number(&run["tps_mean"])),
        ]));
        Some(row)
    };
    file["runs"].as_array().expect("runs").iter().filter_map(of_run).collect()
}

/// The rows of a file of depths; the number of a build stands with the toolboxes, and not of every build.
fn of_depths(file: &Value) -> Vec<Meaning> {
    let meta = &file["meta"];
    let of_boxes = meta["toolboxes"].as_array().into_iter().flatten().map(|toolbox| &toolbox["builds"]);
    let builds = of_boxes.chain([&meta["builds"]]).filter_map(Value::as_array).flatten();
    let builds: BTreeMap<&str, String> = builds
        .map(|build| (text(build, "hash"), number(&build["number"])))
        .filter(|(_, number)| !number.is_empty())
        .collect();
    let of_point = |point: &Value| {
        let commit = text(point, "build_commit");
        let writes = text(point, "series") == "generation";
        let tokens = number(&point[if writes { "generation_tokens" } else { "prompt_tokens" }]);
        let ubatch = format!("ubatch {}", point["ubatch"]);
        let label = match text(point, "profile") {
            "" => ubatch,
            profile => format!("profile {profile}, {ubatch}"),
        };
        let samples = point["samples"].as_array().map_or(0, Vec::len);
        let mut row = of_model(text(point, "model"));
        row.extend(meaning([
            ("device-raw", text(point, "gpu_info")),
            ("framework-version", &builds.get(commit).map_or(commit.to_owned(), |number| format!("b{number}"))),
            ("kernel-library", text(point, "toolbox").trim_start_matches("llama-")),
            ("stage", if writes { "decode" } else { "prefill" }),
            ("input-length", if writes { "" } else { &tokens }),
            ("output-length", if writes { &tokens } else { "" }),
            (
                "timed",
                &format!("{} tokens, behind {} tokens in the cache", text(point, "series"), point["starting_depth"]),
            ),
            ("label", &label),
            ("n", &samples.to_string()),
            ("statistic", "mean"),
            ("std-deviation", &deviation(&point["stddev"])),
            ("throughput-per-s", &number(&point["mean"])),
        ]));
        row
    };
    file["points"].as_array().expect("points").iter().map(of_point).collect()
}

#[test]
fn strix_halo_means_what_its_files_say() {
    SOURCE.holds(|folder: &Path| {
        let file =
            |name: &str| -> Value { serde_json::from_str(&read_text(&folder.join("docs").join(name))).expect("JSON") };
        let mut rows = of_bench(&file("results.json"));
        rows.extend(of_depths(&file("toolbox-performance-results.json")));
        rows.extend(of_depths(&file("ryzen-ai-halo-results.json")));
        rows
    });
}
