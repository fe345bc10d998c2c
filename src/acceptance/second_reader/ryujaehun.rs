//! pytorch-gpu-benchmark: a column for each network and a line for each repeat; the name of the file says the rest, and a
//! file beside it the system.

use std::path::Path;

use regex::Regex;

use super::{Meaning, Source, entry, files_below, meaning, names, pattern, read_text};

const SOURCE: Source = Source {
    id: "ryujaehun-2021",
    folder: "ryujaehun__pytorch-gpu-benchmark",
    also: &[
        "network-raw",
        "input-shape",
        "framework-version",
        "container",
        "cuda",
        "cudnn",
        "os",
        "date",
        "n",
        "label",
        "latency-ms",
        "lowest",
        "highest",
        "notes",
    ],
};

const DEVICES: &[(&str, &str)] = &[
    (r"^GeForce RTX 2080 Ti$", "geforce-rtx-2080-ti"),
    (r"^GeForce GTX 1080 Ti$", "geforce-gtx-1080-ti"),
    (r"^TITAN (RTX|V|Xp)$", "titan-$1"),
    (r"^A100-SXM4-40GB$", "a100-sxm4-40gb"),
];

/// What must be said of fp32 on the only GPU here that has TF32.
const TF32: &str = "The file says float. On this GPU PyTorch by default computes convolutions, and before 1.12 matrix products, in TF32 (pytorch.org/docs/stable/notes/cuda.html), so it may be no plain FP32.";

/// The names of torchvision.
const NETWORKS: &[(&str, &str)] = &[
    (r"^resnet(50|101|152)$", "resnet-$1-v1.5"),
    (r"^(mnasnet|squeezenet)(\d)_(\d+)$", "$1-$2.$3"),
    (r"^shufflenet_v2_x(\d)_(\d)$", "shufflenet-v2-x$1.$2"),
    (r"^mobilenet_v2$", "mobilenet-v2"),
    (r"^(resnext)(\d+)_(\w+)$", "$1-$2-$3"),
    (r"^wide_resnet(\d+)_2$", "wide-resnet-$1-2"),
    (r"^vgg(\d+)_bn$", "vgg-$1-bn"),
    (r"^(densenet|resnet|vgg)(\d+)$", "$1-$2"),
];

/// What the file about the system says: CUDA, cuDNN, system and day.
fn system(folder: &Path) -> [String; 4] {
    let path = folder.join("system_info.txt");
    let text = if path.is_file() { read_text(&path) } else { String::new() };
    let found = |wanted: &str| {
        let found = pattern(wanted).captures(&text);
        found.map(|found| found[1].to_owned()).unwrap_or_default()
    };
    let release = found(r"release='([^']+)'");
    [
        found(r"CUDA Version : (\S+)"),
        found(r"Cudnn Version : (\S+)"),
        if release.is_empty() { release } else { format!("Linux {release}") },
        found(r"benchmark start : (\S+)").replace('/', "-"),
    ]
}

fn of_file(path: &Path, name: &Regex) -> Vec<Meaning> {
    let (folder, file) = names(path);
    let named = name.captures(&file).unwrap_or_else(|| panic!("{file} says too little"));
    let of = |group: &str| named.name(group).map_or("", |found| found.as_str());
    let precision = match of("precision") {
        "half" => "fp16",
        "double" => "fp64",
        _ => "fp32",
    };
    let [cuda, cudnn, os, date] = system(path.parent().expect("a folder"));
    // The README names the container of the A100.
    let (version, container) =
        if folder == "dgx-a100" { ("NGC 20.10", "nvcr.io/nvidia/pytorch:20.10-py3") } else { ("", "") };
    let text = read_text(path);
    let mut lines = text.lines().filter(|line| !line.trim().is_empty()).map(|line| line.split(',').collect::<Vec<_>>());
    let header = lines.next().expect("a header");
    let repeats: Vec<Vec<&str>> = lines.collect();
    let mut rows = Vec::new();
    for (at, network) in header.iter().enumerate() {
        let mut times: Vec<f64> = repeats.iter().map(|line| line[at].parse().expect("a time")).collect();
        times.sort_by(f64::total_cmp);
        let middle = times.len() / 2;
        let median = f64::midpoint(times[middle], times[(times.len() - 1) / 2]);
        rows.push(meaning([
            ("device", &entry(DEVICES, of("device")).expect("a device")),
            ("device-count", if of("count").is_empty() { "1" } else { of("count") }),
            ("network", &entry(NETWORKS, network).expect("a network")),
            ("network-raw", network),
            ("precision", precision),
            ("stage", if of("stage") == "inference" { "eval" } else { "train" }),
            // The README: 12 images of 3x224x224, of each GPU.
            ("batch-size", "12"),
            ("input-shape", "3x224x224"),
            ("framework", "pytorch"),
            ("framework-version", version),
            ("container", container),
            ("cuda", &cuda),
            ("cudnn", &cudnn),
            ("os", &os),
            ("date", &date),
            ("statistic", "median"),
            ("n", &times.len().to_string()),
            ("notes", if folder == "dgx-a100" && precision == "fp32" { TF32 } else { "" }),
            ("label", format!("{folder} {}", of("card")).trim()),
            ("latency-ms", &median.to_string()),
            ("lowest", &times[0].to_string()),
            ("highest", &times[times.len() - 1].to_string()),
        ]));
    }
    rows
}

#[test]
fn ryujaehun_means_what_its_files_say() {
    let name = pattern(
        r"^(?P<device>.+?)(?:_(?P<count>\d)_gpus_)?_(?P<precision>half|float|single|double)_model_(?P<stage>train|training|inference)_benchmark(?:\((?P<card>\d)\))?\.csv$",
    );
    SOURCE.holds(|folder| {
        let files = files_below(&folder.join("results"), "csv");
        // One file of another layout names no network.
        files.iter().filter(|path| names(path).1 != "dgx.csv").flat_map(|path| of_file(path, &name)).collect()
    });
}
