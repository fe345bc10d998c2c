//! GPU tables in repositories of individuals and projects: lambdal, ryujaehun, jcjohnson, MXNet, timm.

use std::collections::BTreeMap;
use std::path::Path;

use regex::Regex;
use serde_json::Value;

use super::pages::{Table, markdown_tables};
use super::{Meaning, Source, csv_records, entry, files_below, meaning, names, pattern, read_text};

const LAMBDAL_SOURCE: Source = Source {
    id: "lambdal-2025",
    folder: "lambdal__deeplearning-benchmark",
    also: &[
        "device-raw",
        "host",
        "notes",
        "network-raw",
        "framework-version",
        "counts",
        "batch-size-global",
        "throughput-per-s",
    ],
};

const LAMBDAL_DEVICES: &[(&str, &str)] = &[
    (r"^p3\.\d+xlarge 300$", "tesla-v100-sxm2-16gb"),
    (r"^p4d\.24xlarge 400$", "a100-sxm4-40gb"),
    (r"V100 16GB 300$", "tesla-v100-sxm2-16gb"),
    (r"V100 32GB 250$", "tesla-v100-pcie-32gb"),
    (r"^Titan RTX$", "titan-rtx"),
    (r"A100 ([48]0GB) (SXM4|PCIe)", "a100-$2-$1"),
    (r"H100[ _](80GB)[ _](SXM5|PCIe)", "h100-$2-$1"),
    (r"H200_140GB_SXM", "h200-sxm-141gb"),
    (r"B200_192GB", "b200"),
    (r"GH200_96GB", "gh200-96gb"),
    (r"GH200", "gh200"),
    (r"Quadro RTX (\d000)", "quadro-rtx-$1"),
    (r"RTX Quadro (\d000)", "quadro-rtx-$1"),
    (r"RTX 6000 Ada$", "rtx-6000-ada"),
    (r"RTX A40$", "a40"),
    (r"A10$", "a10"),
    (r"RTX (A\d{3}0)$", "rtx-$1"),
    (r"([GR]TX) (\d{4})Ti(?: NVLink)?$", "geforce-$1-$2-ti"),
    (r"(RTX) (\d{4}) SUPER (?i:max-q)$", "geforce-$1-$2-super-max-q"),
    (r"(RTX) (\d{4}) (?i:max-q)$", "geforce-$1-$2-max-q"),
    (r"(RTX) (\d{4})$", "geforce-$1-$2"),
];

/// Columns, each with its network and what its program counts.
const COLUMNS: &[(&str, &str, &str)] = &[
    ("ssd", "ssd300", "image"),
    ("bert_base_squad", "bert-base", "sequence"),
    ("bert_large_squad", "bert-large", "sequence"),
    ("gnmt", "gnmt", "token"),
    ("maskrcnn", "mask-rcnn", "image"),
    ("ncf", "ncf", "sample"),
    ("resnet50", "resnet-50-v1.5", "image"),
    ("tacotron2", "tacotron-2", "frame"),
    ("transformerxlbase", "transformer-xl-base", "token"),
    ("transformerxllarge", "transformer-xl-large", "token"),
    ("waveglow", "waveglow", "sample"),
];

/// The note required for fp32 on a GPU with TF32.
const TF32: &str = "The file says fp32. On this GPU PyTorch by default computes convolutions, and before 1.12 matrix products, in TF32 (pytorch.org/docs/stable/notes/cuda.html), so it may be no plain FP32.";

type Record = BTreeMap<String, String>;

/// The rows of one machine.
fn of_machine(machine: &Record, batches: Option<&Record>, precision: &str) -> Vec<Meaning> {
    let name = machine.get("name_gpu").or_else(|| machine.get("")).expect("a name");
    // The newest files have the number of GPUs in the name.
    let count: u64 = match machine.get("num_gpu") {
        Some(count) => count.trim_end_matches(".0").parse().expect("a number"),
        None => pattern(r"_(\d)x[A-Z]").captures(name).expect("a number")[1].parse().expect("one"),
    };
    // The power per board, in watts, identifies the form factor of a V100 or A100.
    let watt = machine.get("watt").and_then(|watt| watt.parse::<f64>().ok()).map(|watt| watt / count as f64);
    let spelled = watt.filter(|_| name.contains("V100") || name.starts_with('p')).map(|watt| format!("{name} {watt}"));
    let device = entry(LAMBDAL_DEVICES, spelled.as_ref().unwrap_or(name))
        .unwrap_or_else(|| panic!("the second reader does not know `{name}`"));
    // All GPU generations after Turing have TF32.
    let has_tf32 = !pattern("V100|^p3|Quadro|Titan|GTX|RTX 20").is_match(name);
    let notes = if precision == "fp32" && has_tf32 { TF32 } else { "" };
    let mut rows = Vec::new();
    for (column, network, counts) in COLUMNS {
        let Some(value) = machine.get(*column) else { continue };
        let rate: f64 = value.parse().unwrap_or_default();
        // 0 means not run; 1e9 or more NCF samples, on four and eight H100, is absurd.
        if rate <= 0.0 || *column == "ncf" && rate >= 1e9 {
            continue;
        }
        let of_all: Option<u64> = batches.and_then(|batches| batches.get(*column)?.trim_end_matches(".0").parse().ok());
        let of_all = of_all.filter(|batch| *batch > 0);
        let each = of_all.filter(|batch| batch % count == 0).map(|batch| (batch / count).to_string());
        rows.push(meaning([
            ("device", &device),
            ("device-raw", name),
            ("host", if name.contains("NVLink") { "NVLink between the boards" } else { "" }),
            ("notes", notes),
            ("device-count", &count.to_string()),
            ("network", network),
            ("network-raw", column),
            ("precision", precision),
            ("stage", "train"),
            ("framework", "pytorch"),
            ("counts", counts),
            ("batch-size", &each.unwrap_or_default()),
            ("batch-size-global", &of_all.filter(|_| count > 1).map(|batch| batch.to_string()).unwrap_or_default()),
            ("throughput-per-s", value),
        ]));
    }
    rows
}

/// The rows of one throughput file and its file of batch sizes.
fn of_file(folder: &Path, name: &str, precision: &str) -> Vec<Meaning> {
    let machines = csv_records(&folder.join(format!("pytorch-train-throughput-{name}{precision}.csv")));
    let batches = if name.is_empty() {
        csv_records(&folder.join(format!("pytorch-train-bs-{precision}.csv")))
    } else {
        Vec::new()
    };
    // The two files spell one card differently.
    let spelt = |record: &Record| record.get("name_gpu").map(|name| name.replace("RTX Quadro", "Quadro RTX"));
    let of = |machine: &Record| {
        let beside = batches.iter().find(|batches| spelt(batches) == spelt(machine));
        of_machine(machine, beside, precision)
    };
    machines.iter().flat_map(of).collect()
}

#[test]
fn lambdal_means_what_its_files_say() {
    LAMBDAL_SOURCE.assert_matches(|folder| {
        let mut rows = Vec::new();
        for precision in ["fp16", "fp32"] {
            rows.extend(of_file(&folder.join("at-2022-07-06/pytorch"), "", precision));
            rows.extend(of_file(&folder.join("pytorch"), "", precision));
            rows.extend(of_file(&folder.join("pytorch"), "v2-", precision));
        }
        rows
    });
}

const RYUJAEHUN_SOURCE: Source = Source {
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

const RYUJAEHUN_DEVICES: &[(&str, &str)] = &[
    (r"^GeForce RTX 2080 Ti$", "geforce-rtx-2080-ti"),
    (r"^GeForce GTX 1080 Ti$", "geforce-gtx-1080-ti"),
    (r"^TITAN (RTX|V|Xp)$", "titan-$1"),
    (r"^A100-SXM4-40GB$", "a100-sxm4-40gb"),
];

/// The note required for fp32 on the only GPU of this source that has TF32.
const RYUJAEHUN_TF32: &str = "The file says float. On this GPU PyTorch by default computes convolutions, and before 1.12 matrix products, in TF32 (pytorch.org/docs/stable/notes/cuda.html), so it may be no plain FP32.";

/// torchvision's names of the networks.
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

/// CUDA, cuDNN, operating system and date from the system information file.
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

fn ryujaehun_of_file(path: &Path, name: &Regex) -> Vec<Meaning> {
    let (folder, file) = names(path);
    let named = name.captures(&file).unwrap_or_else(|| panic!("{file} says too little"));
    let of = |group: &str| named.name(group).map_or("", |found| found.as_str());
    let precision = match of("precision") {
        "half" => "fp16",
        "double" => "fp64",
        _ => "fp32",
    };
    let [cuda, cudnn, os, date] = system(path.parent().expect("a folder"));
    // The README names the container used on the A100.
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
            ("device", &entry(RYUJAEHUN_DEVICES, of("device")).expect("a device")),
            ("device-count", if of("count").is_empty() { "1" } else { of("count") }),
            ("network", &entry(NETWORKS, network).expect("a network")),
            ("network-raw", network),
            ("precision", precision),
            ("stage", if of("stage") == "inference" { "eval" } else { "train" }),
            // From the README: 12 images of 3x224x224 per GPU.
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
            ("notes", if folder == "dgx-a100" && precision == "fp32" { RYUJAEHUN_TF32 } else { "" }),
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
    RYUJAEHUN_SOURCE.assert_matches(|folder| {
        let files = files_below(&folder.join("results"), "csv");
        // One file has a different layout and names no network.
        files.iter().filter(|path| names(path).1 != "dgx.csv").flat_map(|path| ryujaehun_of_file(path, &name)).collect()
    });
}

const JCJOHNSON_SOURCE: Source = Source {
    id: "jcjohnson-2017",
    folder: "jcjohnson__cnn-benchmarks",
    also: &["host", "os", "cuda", "cudnn", "kernel-library", "input-shape", "n", "lowest", "highest", "latency-ms"],
};

/// A card's name in the files, its name on the page, and its catalog entry.
const CARDS: &[(&str, &str, &str)] = &[
    ("GeForce GTX 1080 Ti", "GTX 1080 Ti", "geforce-gtx-1080-ti"),
    ("GeForce GTX 1080", "GTX 1080", "geforce-gtx-1080"),
    ("TITAN X", "Pascal Titan X", "titan-x-pascal"),
    ("GeForce GTX TITAN X", "Maxwell Titan X", "geforce-gtx-titan-x"),
    ("cpu", "", "xeon-e5-2630-v3"),
];

/// Host, operating system and CUDA version per card.
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

/// Networks by file name; the bottleneck blocks of fb.resnet.torch have the stride of v1.5.
const JCJOHNSON_NETWORKS: &[(&str, &str)] = &[
    (r"^(alexnet|googlenet)", "$1"),
    (r"^vgg(\d+)$", "vgg-$1"),
    (r"^(resnet-(?:50|101|152))$", "$1-v1.5"),
    ("(.+)", "$1"),
];

/// The cuDNN version as the page writes it, and as a value of `kernel-library`.
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
            ("network", &entry(JCJOHNSON_NETWORKS, model).unwrap_or_default()),
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
    JCJOHNSON_SOURCE.assert_matches(|folder: &Path| {
        let machines = machines(&read_text(&folder.join("README.md")));
        assert_eq!(machines.len(), 4, "the page names four cards");
        let runs = files_below(folder, "json").into_iter();
        let runs = runs.map(|path| serde_json::from_str(&read_text(&path)).expect("JSON"));
        runs.flat_map(|run: Value| of_run(&run, &machines)).collect()
    });
}

const MXNET_SOURCE: Source = Source {
    id: "mxnet-2023",
    folder: "apache__mxnet",
    also: &["framework-version", "cudnn", "instance", "counts", "outcome", "throughput-per-s"],
};

/// Columns; the programs named by the page build the ResNets of the second paper (v2).
const MXNET_NETWORKS: &[(&str, &str)] = &[
    ("Alexnet", "alexnet"),
    ("VGG 16", "vgg-16"),
    ("Inception-BN", "inception-v2"),
    ("Inception-v3", "inception-v3"),
    ("Resnet 50", "resnet-50-v2"),
    ("Resnet 152", "resnet-152-v2"),
];

/// GPUs; in the cloud a K80 or M60 means one of the board's two GPUs.
const GPUS: &[(&str, &str)] = &[("K80", "tesla-k80-gpu"), ("M60", "tesla-m60-gpu"), ("V100", "tesla-v100")];

/// The first group that a pattern captures in a text.
fn first_capture(text: &str, words: &str) -> String {
    pattern(words).captures(text).map(|found| found[1].to_owned()).unwrap_or_default()
}

fn of_table(page: &str, table: &Table) -> Vec<Meaning> {
    let text = table.text.join("\n");
    let nearest = table.text.last().map(String::as_str).unwrap_or_default();
    let is_training = table.headings.last().is_some_and(|heading| heading == "Training results");
    let cpu = first_capture(nearest, r"^AWS EC2 (C5\.\w+):$").to_lowercase();
    let gpu = first_capture(nearest, r"^(?:- |.*result on )(K80|M60|V100)\b");
    let instance = match cpu.is_empty() {
        true => first_capture(page, &format!(r"\b{gpu} \(EC2 ([\w.]+)\)")),
        false => cpu.clone(),
    };
    let device = GPUS.iter().find(|(name, _)| *name == gpu).map_or("unnamed-cpu", |(_, id)| *id);
    let precision = if nearest.contains("float 16") { "fp16" } else { "" };
    let mut all = Vec::new();
    for row in &table.rows {
        for (column, cell) in table.header.iter().zip(row).skip(1) {
            let (name, times) = match column.strip_suffix("( 16)").or_else(|| column.strip_suffix("(16)")) {
                Some(name) => (name.trim(), 16),
                None => (column.as_str(), 1),
            };
            let network = MXNET_NETWORKS.iter().find(|(of, _)| *of == name).map_or("", |(_, id)| *id);
            let batch: u64 = row[0].parse().expect("a batch");
            let failed = cell == "OOM";
            all.push(meaning([
                ("device", device),
                ("device-count", if cpu.is_empty() { "1" } else { "" }),
                ("network", network),
                ("stage", if is_training { "train" } else { "eval" }),
                ("precision", precision),
                ("batch-size", &(batch * times).to_string()),
                ("framework", "mxnet"),
                ("framework-version", &first_capture(&text, r"MXNet-([\d.]+(?:rc\d+)?)")),
                ("cudnn", &first_capture(&text, r"(?i)\bcudnn ([\d.]+\d)")),
                ("instance", &instance),
                ("counts", "image"),
                ("outcome", if failed { "oom" } else { "" }),
                ("throughput-per-s", if failed { "" } else { cell }),
            ]));
        }
    }
    all
}

#[test]
fn mxnet_means_what_its_page_says() {
    MXNET_SOURCE.assert_matches(|folder: &Path| {
        let pages = files_below(folder, "md").into_iter().map(|path| read_text(&path));
        let of_page = |page: String| -> Vec<Meaning> {
            let tables = markdown_tables(&page).into_iter().filter(|table| table.header[0] == "Batch");
            tables.flat_map(|table| of_table(&page, &table)).collect()
        };
        pages.flat_map(of_page).collect()
    });
}

const TIMM_SOURCE: Source = Source {
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

const TIMM_DEVICES: &[(&str, &str)] = &[
    (r"^(?:rtx)?(3090|4090)$", "geforce-rtx-$1"),
    (r"^pro6000maxq$", "rtx-pro-6000-blackwell-max-q"),
    (r"^i9_10940x$", "core-i9-10940x"),
];

/// Models that the catalog lists under their papers' names; the others keep the source's name.
const TIMM_NETWORKS: &[(&str, &str)] = &[
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

/// The rows of one file; rows without results (there are two) are skipped.
fn timm_of_file(path: &Path) -> Vec<Meaning> {
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
    let device = entry(TIMM_DEVICES, device).expect("a device");
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
            ("network", &entry(TIMM_NETWORKS, model).unwrap_or_else(|| model.to_lowercase().replace('_', "-"))),
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
    TIMM_SOURCE.assert_matches(|folder| {
        let files = files_below(&folder.join("results"), "csv");
        files
            .iter()
            .filter(|path| names(path).1.starts_with("benchmark-"))
            .flat_map(|path| timm_of_file(path))
            .collect()
    });
}
