//! MLPerf Training and HPC: a round's scores if it has them, else the runs that reached their target; each is for a whole system.

use std::collections::BTreeMap;
use std::path::Path;

use super::{Meaning, Source, csv_records, entry, meaning};

/// Fields compared in addition to those of every source.
const ALSO: &[&str] = &[
    "accuracy-target",
    "availability",
    "batch-size-global",
    "division",
    "framework-version",
    "n",
    "network-raw",
    "time-to-accuracy-s",
];

/// Rounds and the folders of their files.
const ROUNDS: &[(&str, &str)] = &[
    ("mlperf-training-v0.5", "mlcommons__training_results_v0.5"),
    ("mlperf-training-v0.6", "mlcommons__training_results_v0.6"),
    ("mlperf-training-v0.7", "mlcommons__training_results_v0.7"),
    ("mlperf-training-v1.0", "mlcommons__training_results_v1.0"),
    ("mlperf-training-v1.1", "mlcommons__training_results_v1.1"),
    ("mlperf-training-v2.0", "mlcommons__training_results_v2.0"),
    ("mlperf-training-v2.1", "mlcommons__training_results_v2.1"),
    ("mlperf-training-v3.0", "mlcommons__training_results_v3.0"),
    ("mlperf-training-v3.1", "mlcommons__training_results_v3.1"),
    ("mlperf-training-v4.0", "mlcommons__training_results_v4.0"),
    ("mlperf-training-v5.0", "mlcommons__training_results_v5.0"),
    ("mlperf-training-v5.1", "mlcommons__training_results_v5.1"),
    ("mlperf-hpc-v3.0", "mlcommons__hpc_results_v3.0"),
];

/// Patterns for accelerators and CPUs, written by hand; the first match counts.
const DEVICES: &[(&str, &str)] = &[
    (r"MI(\d+)X", "instinct-mi${1}x"),
    (r"7900 XTX", "radeon-rx-7900-xtx"),
    (r"Ascend ?910 (Pro|Premium) A", "ascend-910-$1-a"),
    (r"Ascend ?910", "ascend-910"),
    (r"Bow IPU", "bow-ipu"),
    (r"GC200", "ipu-gc200"),
    (r"Gaudi(\(R\))? ?2", "gaudi-2"),
    (r"Gaudi", "habana-gaudi"),
    (r"A100-SXM-80GB CTS", "a100-sxm4-80gb-cts"),
    (r"(?i)A100(-| - )PCIe(-| - )(\d\d) ?GB", "a100-pcie-${3}gb"),
    (r"A100-SXM4?-(\d\d)GB", "a100-sxm4-${1}gb"),
    (r"A100$", "a100"),
    (r"H100-PCIe", "h100-pcie-80gb"),
    (r"H100-SXM5-96GB", "h100-sxm5-96gb"),
    (r"H100", "h100-sxm5-80gb"),
    (r"H200-NVL", "h200-nvl-141gb"),
    (r"H200-SXM5", "h200-sxm-141gb"),
    (r"\((GB\d00)\)", "$1"),
    (r"\((B\d00)-SXM-\d+GB\)", "$1"),
    (r"V100-SXM3-(H-32GB|32GB-H)", "tesla-v100-sxm3-32gb-h"),
    (r"V100S-PCIe-32GB", "tesla-v100s-pcie-32gb"),
    (r"V100-SXM(\d)-(\d\d)GB", "tesla-v100-sxm$1-${2}gb"),
    (r"V100$", "tesla-v100"),
    (r"RTX A5000", "rtx-a5000"),
    (r"RTX 4090", "geforce-rtx-4090"),
    (r"RTX Pro 6000 SE", "rtx-pro-6000-blackwell-server"),
    (r"NVIDIA (A10G|A30|A40|L40S|L40|L4)", "$1"),
    (r"trillium", "tpu-v6e"),
    (r"(?i)tpu[- ]?(v\d[ep]?)", "tpu-$1"),
    (r"A64FX", "a64fx"),
    (r"Cooper Lake", "intel-cooper-lake"),
    (r"Sapphire Rapids", "intel-sapphire-rapids"),
    (r"Platinum 8480\+", "xeon-platinum-8480-plus"),
    (r"Platinum (8\d+[A-Z]?)", "xeon-platinum-$1"),
];

/// Networks of the benchmarks. `ssd` is identified by its quality target.
const NETWORKS: &[(&str, &str)] = &[
    (r"^resnet$", "resnet-50-v1.5"),
    (r"^bert$", "bert-large"),
    (r"^dlrm_dcnv2$", "dlrm-v2"),
    (r"^mask", "mask-rcnn"),
    (r"^unet3d$", "3d-unet"),
    (r"^rnnt$", "rnn-t"),
    (r"^gpt3$", "gpt-3-175b"),
    (r"^stable_diffusion$", "stable-diffusion-v2"),
    (r"^llama2_70b_lora$", "llama-2-70b-lora"),
    (r"^llama31_(\d+b)$", "llama-3.1-$1"),
    (r"^flux1$", "flux.1"),
    (r"^(rgat|gnn)$", "r-gat"),
    (r"^oc20$", "dimenet-plus-plus"),
    (r"^(dlrm|gnmt|transformer|ncf|minigo|retinanet|cosmoflow|deepcam|openfold)$", "$1"),
];

/// Words that identify a framework. The first ones may occur together in a text, one for each benchmark.
const FRAMEWORKS: &[(&str, &str)] = &[
    ("mxnet", "mxnet"),
    ("pytorch", "pytorch"),
    ("tensorflow", "tensorflow"),
    ("hugectr", "hugectr"),
    ("dgl", "dgl"),
    ("nemo", "nemo"),
    ("composer", "composer"),
    ("mindspore", "mindspore"),
    ("popart", "popart"),
    ("paddlepaddle", "paddlepaddle"),
    ("tinygrad", "tinygrad"),
    ("llmboost", "llmboost"),
    ("bigdl", "bigdl"),
    ("caffe", "caffe"),
    ("maxtext", "maxtext"),
    ("maxdiffusion", "maxdiffusion"),
];

/// The frameworks named in a text.
fn named(text: &str) -> Vec<&'static str> {
    let text = text.to_lowercase();
    FRAMEWORKS.iter().filter(|(word, _)| text.contains(word)).map(|(_, id)| *id).collect()
}

/// The framework named by the description; if it names several or none, the one named by the system.
fn framework(text: &str, system: &str) -> Option<&'static str> {
    match text {
        "JAX" => return Some("jax"),
        "PAX" => return Some("paxml"),
        "TF" | "TF-research" | "research-tf" | "tf2.0" | "TenorFLow 2.2" => return Some("tensorflow"),
        _ if text.starts_with("Lingvo") => return Some("lingvo"),
        _ if text.starts_with("2.2.0.dev") => return Some("pytorch"),
        _ => {}
    }
    match named(text).as_slice() {
        [one] => Some(one),
        // MosaicML trained with PyTorch below its own library, Composer.
        ["pytorch", "composer"] => None,
        _ => match named(system).as_slice() {
            [one] => Some(one),
            _ => None,
        },
    }
}

/// The version of the framework, if only one is named; a container's release does not count.
fn version(text: &str) -> String {
    let found = super::pattern(r"(?i)^(?:custom |Intel )?[a-z]+[ -]v?(\d+\.\d+(?:\.[^\s,]+)?)").captures(text);
    let version = found.map(|found| found[1].to_owned()).unwrap_or_default();
    let release = super::pattern(r"^\d\d\.\d\d$").is_match(&version);
    if text.starts_with("2.2.0.dev") {
        text.to_owned()
    } else if release || named(text).len() > 1 {
        String::new()
    } else {
        version
    }
}

/// The target quality that ends a run of the closed division, for metrics that are a fraction: accuracy, average precision, area
/// under a curve and the like.
fn target(round: &str, benchmark: &str, logged: &str) -> String {
    let shares = ["resnet", "ssd", "ncf", "bert", "dlrm", "dlrm_dcnv2", "unet3d", "minigo", "retinanet", "rgat", "gnn"];
    if !shares.contains(&benchmark) {
        return String::new();
    }
    if !logged.is_empty() {
        return logged.to_owned();
    }
    let since_v2 = !["v0.6", "v0.7", "v1.0", "v1.1"].iter().any(|early| round.ends_with(early));
    match benchmark {
        "resnet" => "0.759",
        "bert" if round.ends_with("v0.7") => "0.712",
        "bert" | "rgat" | "gnn" => "0.72",
        "ssd" if since_v2 => "0.34",
        "ssd" => "0.23",
        "retinanet" => "0.34",
        "unet3d" => "0.908",
        "dlrm" => "0.8025",
        "dlrm_dcnv2" => "0.80275",
        _ => "0.5",
    }
    .to_owned()
}

type Row = BTreeMap<String, String>;

/// The records of a round that are results.
fn rows(folder: &Path) -> Vec<(Row, Option<Row>)> {
    let runs = csv_records(&folder.join("runs-derived.csv"));
    let scores = folder.join("scores-derived.csv");
    if !scores.is_file() {
        let ended = |run: &Row| {
            let below = match (run["final_quality"].parse::<f64>(), run["quality_target"].parse::<f64>()) {
                (Ok(reached), Ok(target)) => reached < target,
                _ => false,
            };
            !run["time_to_train_min"].is_empty() && !run["variant"].starts_with("weak") && !below
        };
        return runs.into_iter().filter(ended).map(|run| (run, None)).collect();
    }
    let key = |row: &Row| ["division", "submitter", "system", "benchmark"].map(|name| row[name].clone());
    let mut first: BTreeMap<[String; 4], Row> = BTreeMap::new();
    for run in runs {
        first.entry(key(&run)).or_insert(run);
    }
    let mut seen = BTreeMap::new();
    for score in csv_records(&scores).into_iter().filter(|score| !score["score_min"].is_empty()) {
        let run = first[&key(&score)].clone();
        seen.entry(key(&score)).or_insert((run, Some(score)));
    }
    seen.into_values().collect()
}

fn whole(text: &str) -> Option<f64> {
    text.parse().ok().filter(|number| *number > 0.0)
}

/// Number of devices used over all nodes: accelerators (in chips), or CPU sockets.
fn devices(run: &Row, score: Option<&Row>) -> Option<f64> {
    let accelerator = run["accelerator"].as_str();
    let nodes = whole(&run["nodes"]);
    // For these TPUs, two cores are one chip, and the name states the cores of the whole system.
    if let Some((_, cores)) = accelerator.split_once("tpuv2-").or(accelerator.split_once("tpuv3-")) {
        return Some(whole(cores)? / 2.0);
    }
    let system = run["system"].as_str();
    if accelerator.is_empty() && run["host_processor"].is_empty() {
        return whole(super::pattern(r"_(\d+)xV100").captures(system)?.get(1)?.as_str());
    }
    if ["", "NA", "N/A"].contains(&accelerator) {
        let by_name = super::pattern(r"_(\d)s_\dx").captures(system).and_then(|found| whole(&found[1]));
        let in_words =
            super::pattern(r"node (\d)x Intel").captures(&run["system_name"]).and_then(|found| whole(&found[1]));
        let by_name = by_name.or(in_words);
        return Some(whole(&run["host_processors_per_node"]).or(by_name)? * nodes?);
    }
    let total = score.and_then(|score| whole(&score["accelerators_total"]));
    let product = whole(&run["accelerators_per_node"]).zip(nodes).map(|(each, nodes)| each * nodes);
    assert!(score.is_none() || total == product, "{system}: {total:?} accelerators, {product:?} by its nodes");
    product
}

/// The meaning of a result.
fn of_result(round: &str, run: &Row, score: Option<&Row>) -> Meaning {
    let result = score.unwrap_or(run);
    let (accelerator, system, benchmark) =
        (run["accelerator"].as_str(), run["system"].as_str(), run["benchmark"].as_str());
    let accelerator = accelerator.replace("(R)", "");
    let spelling = match accelerator.as_str() {
        "" | "NA" | "N/A" if run["host_processor"].is_empty() => system.trim_end_matches("_mxnet"),
        "" | "NA" | "N/A" => &run["host_processor"],
        "TPU" => system,
        named => {
            named.split('(').next().map_or(named, |before| if named.contains("GPU (") { named } else { before }).trim()
        }
    };
    let quality: f64 = run["final_quality"].parse().unwrap_or_default();
    let network = match benchmark {
        "ssd" if quality > 0.3 => Some("retinanet".to_owned()),
        "ssd" => Some("mlperf-training-ssd".to_owned()),
        _ => entry(NETWORKS, benchmark),
    };
    let minutes = score.map_or(&run["time_to_train_min"], |score| &score["score_min"]);
    let seconds = minutes.parse::<f64>().expect("minutes") * 60.0;
    let text = result["framework"].as_str();
    let framework = framework(text, system);
    let is_open = run["division"] == "open";
    meaning([
        ("device", &entry(DEVICES, spelling).unwrap_or_default()),
        ("device-count", &devices(run, score).map(|count| count.to_string()).unwrap_or_default()),
        ("network", &network.expect("a benchmark that is known")),
        ("network-raw", benchmark),
        ("stage", "train"),
        ("framework", framework.unwrap_or_default()),
        ("framework-version", &framework.map(|_| version(text)).unwrap_or_default()),
        ("statistic", if score.is_some() { "mean" } else { "" }),
        ("n", score.map_or("1", |score| &score["runs"])),
        ("division", &run["division"]),
        (
            "availability",
            match run["status"].to_lowercase().as_str() {
                "" => "",
                "preview" => "preview",
                "research" => "rdi",
                _ => "available",
            },
        ),
        ("batch-size-global", &result["global_batch_size"]),
        (
            "accuracy-target",
            &if is_open && run["quality_target"].is_empty() {
                String::new()
            } else {
                target(round, benchmark, &run["quality_target"])
            },
        ),
        ("time-to-accuracy-s", &seconds.to_string()),
    ])
}

#[test]
fn trainings_mean_what_their_logs_say() {
    for (id, folder) in ROUNDS {
        let source = Source { id, folder, also: ALSO };
        // Results without a named device are not imported.
        let names_device = |run: &Row| {
            !run["accelerator"].is_empty() || !run["host_processor"].is_empty() || run["system"].contains("V100")
        };
        source.assert_matches(|folder| {
            let rows = rows(folder);
            let named = rows.iter().filter(|(run, _)| names_device(run));
            named.map(|(run, score)| of_result(id, run, score.as_ref())).collect()
        });
    }
}
