//! PyTorch Image Models: everything but model, image size and batch stands in the names of the files.

use std::path::Path;

use super::{Meaning, Source, csv_records, entry, files_below, meaning, names};

const SOURCE: Source = Source {
    id: "timm-2026",
    folder: "huggingface__pytorch-image-models",
    also: &[
        "network-raw",
        "framework-version",
        "cuda",
        "layout",
        "mode",
        "input-shape",
        "latency-ms",
        "throughput-per-s",
    ],
};

const DEVICES: &[(&str, &str)] = &[
    (r"^(?:rtx)?(3090|4090)$", "geforce-rtx-$1"),
    (r"^pro6000maxq$", "rtx-pro-6000-blackwell-max-q"),
    (r"^i9_10940x$", "core-i9-10940x"),
];

/// The models that the catalog knows by their papers' names; the others keep the source's.
const NETWORKS: &[(&str, &str)] = &[
    (r"^resnet(50|101|152)$", "resnet-$1-v1.5"),
    (r"^resnet(18|34|200|26d)$", "resnet-$1"),
    (r"^resnetv2_(50|101|152)$", "resnet-$1-v2"),
    (r"^densenet(121|161|169|201)$", "densenet-$1"),
    (r"^vgg(\d+)$", "vgg-$1"),
    (r"^vgg(\d+)_bn$", "vgg-$1-bn"),
    (r"^resnext(50|101)_(32x4d|32x8d|64x4d)$", "resnext-$1-$2"),
    (r"^seresnet50$", "se-resnet-50"),
    (r"^seresnext101_32x4d$", "se-resnext-101-32x4d"),
    (r"^wide_resnet(50|101)_2$", "wide-resnet-$1-2"),
    (r"^mnasnet_0(5|75)0?$", "mnasnet-0.$1"),
    (r"^mnasnet_100$", "mnasnet-1.0"),
    (r"^mobilenetv1_100$", "mobilenet-v1"),
    (r"^mobilenetv2_100$", "mobilenet-v2"),
    (r"^mobilenetv2_140$", "mobilenet-v2-1.4"),
    (r"^mobilenetv3_(large|small)_100$", "mobilenet-v3-$1"),
    (r"^efficientnetv2_s$", "efficientnet-v2-s"),
    (r"^nasnetalarge$", "nasnet-large"),
    (r"^regnety_040s_gn$", "regnety-040-sgn"),
    (r"^regnetz_040h$", "regnetz-040-h"),
];

/// The rows of one file; two have no figures.
fn of_file(path: &Path) -> Vec<Meaning> {
    let (_, name) = names(path);
    let parts: Vec<&str> = name.trim_end_matches(".csv").split('-').skip(1).collect();
    let (mode, parts) = parts.strip_suffix(&["dynamo"]).map_or(("", &parts[..]), |parts| ("compiled", parts));
    let [stage, precision, layout, version, cuda, device] = parts else { panic!("{name} says too little") };
    let version = match *version {
        "pt112" => "1.12",
        "pt113" => "1.13",
        "pt210" => "2.1.0",
        "pt221" => "2.2.1",
        "pt240" => "2.4.0",
        "pt291" => "2.9.1",
        other => panic!("what PyTorch is {other}?"),
    };
    let cuda = cuda.strip_prefix("cu").map(|digits| format!("{}.{}", &digits[..2], &digits[2..])).unwrap_or_default();
    let device = entry(DEVICES, device).expect("a device");
    let mut rows = Vec::new();
    for record in csv_records(path) {
        let of = |column: &str| record[&format!("{stage}_{column}")].clone();
        if of("samples_per_sec").is_empty() {
            continue;
        }
        let model = &record["model"];
        let size = of("img_size").trim_end_matches(".0").to_owned();
        rows.push(meaning([
            ("device", &device),
            ("device-count", "1"),
            ("network", &entry(NETWORKS, model).unwrap_or_else(|| model.to_lowercase().replace('_', "-"))),
            ("network-raw", model),
            ("precision", if *precision == "amp" { "amp-fp16" } else { precision }),
            ("stage", if *stage == "infer" { "eval" } else { stage }),
            ("batch-size", &of("batch_size")),
            ("framework", "pytorch"),
            ("framework-version", version),
            ("cuda", &cuda),
            ("layout", layout),
            ("mode", mode),
            ("input-shape", &format!("3x{size}x{size}")),
            ("latency-ms", &of("step_time")),
            ("throughput-per-s", &of("samples_per_sec")),
        ]));
    }
    rows
}

#[test]
fn timm_means_what_its_files_say() {
    SOURCE.holds(|folder| {
        let files = files_below(&folder.join("results"), "csv");
        files.iter().filter(|path| names(path).1.starts_with("benchmark-")).flat_map(|path| of_file(path)).collect()
    });
}
