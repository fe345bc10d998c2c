//! cnn-benchmarks: a file a run with the repeats of three times; machine, system and CUDA stand in the page, for each card.

use std::collections::BTreeMap;
use std::path::Path;

use serde_json::Value;

use super::{Meaning, Source, entry, files_below, meaning, pattern, read_text};

const SOURCE: Source = Source {
    id: "jcjohnson-2017",
    folder: "jcjohnson__cnn-benchmarks",
    also: &["host", "os", "cuda", "cudnn", "kernel-library", "input-shape", "n", "lowest", "highest", "latency-ms"],
};

/// What a file calls a card, what the page calls it, and its entry.
const CARDS: &[(&str, &str, &str)] = &[
    ("GeForce GTX 1080 Ti", "GTX 1080 Ti", "geforce-gtx-1080-ti"),
    ("GeForce GTX 1080", "GTX 1080", "geforce-gtx-1080"),
    ("TITAN X", "Pascal Titan X", "titan-x-pascal"),
    ("GeForce GTX TITAN X", "Maxwell Titan X", "geforce-gtx-titan-x"),
    ("cpu", "", "xeon-e5-2630-v3"),
];

/// The machine of each card: host, system, CUDA.
fn machines(page: &str) -> BTreeMap<String, [String; 3]> {
    let page = page.split_whitespace().collect::<Vec<_>>().join(" ");
    let sentence = pattern(
        r"The ([\w ]+?) benchmarks were run on a machine with (?:an|dual) Intel (.+?)(?: CPU| processors \([^)]*\)) and (\d+)GB RAM running (Ubuntu [\d.]+) with the CUDA ([\d.]+) (Release Candidate|release)\.",
    );
    let mut machines = BTreeMap::new();
    for found in sentence.captures_iter(&page) {
        let two = if found[0].contains("dual Intel") { "two " } else { "" };
        let candidate = if &found[6] == "release" { "" } else { " RC" };
        let machine =
            [format!("{two}{}, {} GB", &found[2], &found[3]), found[4].to_owned(), format!("{}{candidate}", &found[5])];
        for card in found[1].split(" and ") {
            machines.insert(card.to_owned(), machine.clone());
        }
    }
    machines
}

/// The networks, by the names of their files: the bottlenecks of fb.resnet.torch have the stride of v1.5.
const NETWORKS: &[(&str, &str)] = &[
    (r"^(alexnet|googlenet)", "$1"),
    (r"^vgg(\d+)$", "vgg-$1"),
    (r"^(resnet-(?:50|101|152))$", "$1-v1.5"),
    ("(.+)", "$1"),
];

/// cuDNN as the page writes it, and as a library is called.
fn cudnn(number: &str) -> [&'static str; 2] {
    match number {
        "4007" => ["4.0.07", "cuDNN 4"],
        "5005" => ["5.0.05", "cuDNN 5.0"],
        "5105" => ["5.1.05", "cuDNN 5.1"],
        "5110" => ["5.1.10", "cuDNN 5.1.10"],
        _ => ["", "no cuDNN"],
    }
}

fn of_run(run: &Value, machines: &BTreeMap<String, [String; 3]>) -> Vec<Meaning> {
    let text = |value: &Value| value.as_str().map_or_else(|| value.to_string(), str::to_owned);
    let of = |key: &str| text(&run["opt"][key]);
    let (_, card, device) = CARDS.iter().find(|(name, ..)| *name == text(&run["gpu_name"])).expect("a known card");
    let empty = <[String; 3]>::default();
    let [host, os, cuda] = machines.get(*card).unwrap_or(&empty);
    let model = of("model_t7");
    let model = model.rsplit('/').next().unwrap_or_default().trim_end_matches(".t7");
    let [version, library] = cudnn(&text(&run["cudnn_version"]));
    let stages = [("forward_times", "forward"), ("backward_times", "backward"), ("total_times", "train")];
    let of_stage = |(times, stage): (&str, &str)| {
        let mut times: Vec<f64> = run[times].as_array()?.iter().filter_map(Value::as_f64).collect();
        times.sort_by(f64::total_cmp);
        let ms = |seconds: f64| (seconds * 1000.0).to_string();
        let middle = (times[(times.len() - 1) / 2] + times[times.len() / 2]) / 2.0;
        Some(meaning([
            ("device", device),
            ("device-count", if card.is_empty() { "2" } else { "1" }),
            ("network", &entry(NETWORKS, model).unwrap_or_default()),
            ("stage", stage),
            ("batch-size", &of("batch_size")),
            ("framework", "torch"),
            ("statistic", "median"),
            ("host", host),
            ("os", os),
            ("cuda", cuda),
            ("cudnn", version),
            ("kernel-library", library),
            ("input-shape", &format!("3x{}x{}", of("image_height"), of("image_width"))),
            ("n", &times.len().to_string()),
            ("lowest", &ms(times[0])),
            ("highest", &ms(times[times.len() - 1])),
            ("latency-ms", &ms(middle)),
        ]))
    };
    stages.into_iter().filter_map(of_stage).collect()
}

#[test]
fn jcjohnson_means_what_its_runs_and_page_say() {
    SOURCE.holds(|folder: &Path| {
        let machines = machines(&read_text(&folder.join("README.md")));
        assert_eq!(machines.len(), 4, "the page names four cards");
        let runs = files_below(folder, "json").into_iter();
        let runs = runs.map(|path| serde_json::from_str(&read_text(&path)).expect("JSON"));
        runs.flat_map(|run: Value| of_run(&run, &machines)).collect()
    });
}
