//! Faults made by someone who has read only CONTRIBUTING: everyday spellings, another notation, a wrong digit.

use super::edit::Slip::{Map, Other, Set, Times, With};
use super::edit::{NewLiterals, scaled};
use super::fault::{Fault, all, line, one};
use super::record::Record;

const DEVICES: &str = "catalog/devices/";
const GPUS: &str =
    "catalog/devices/geforce|catalog/devices/tesla|catalog/devices/a100|catalog/devices/rtx|catalog/devices/quadro";
const NETWORKS: &str = "catalog/networks/";
const DATASETS: &str = "catalog/datasets/";
const FRAMEWORKS: &str = "catalog/frameworks/";
const SOURCES: &str = "catalog/sources/";
/// Frameworks whose licence was printed by a survey.
const SURVEYED: &str = "catalog/frameworks/caffe.|catalog/frameworks/chainer.|catalog/frameworks/mxnet.|catalog/frameworks/pytorch.|catalog/frameworks/singa.|catalog/frameworks/theano.";
const ROWS: &str = "measurements/";

/// A date moved by a number of years.
fn years_later(literal: &str, years: i32) -> Option<String> {
    let year: i32 = literal.trim_matches('"').get(..4)?.parse().ok()?;
    Some(literal.replacen(&year.to_string(), &(year + years).to_string(), 1))
}

/// A number with the opposite sign.
fn negative(literal: &str) -> Option<String> {
    literal.starts_with(|c: char| c.is_ascii_digit()).then(|| format!("-{literal}"))
}

/// A number in quotes.
fn quoted(literal: &str) -> Option<String> {
    literal.starts_with(|c: char| c.is_ascii_digit()).then(|| format!("\"{literal}\""))
}

/// An id in capitals, as its name may be written.
fn capitals(literal: &str) -> Option<String> {
    literal.contains(|c: char| c.is_ascii_lowercase()).then(|| literal.to_uppercase())
}

fn underscores(literal: &str) -> Option<String> {
    literal.contains('-').then(|| literal.replace('-', "_"))
}

/// Replaces a family by one member, although the source names only the family.
fn member(record: &Record) -> Option<NewLiterals> {
    let members = [
        ("a100", "a100-sxm4-40gb"),
        ("h100", "h100-sxm5-80gb"),
        ("tesla-v100", "tesla-v100-sxm2-16gb"),
        ("tesla-p100", "tesla-p100-pcie-16gb"),
    ];
    let (_, member) = members.iter().find(|(family, _)| *family == record.text("device"))?;
    Some(vec![("device", format!("\"{member}\""))])
}

/// Replaces a device by a member other than the one that the raw spelling identifies.
fn other_member(record: &Record) -> Option<NewLiterals> {
    let members = [
        ("a100-sxm4-40gb", "a100-pcie-80gb"),
        ("a100-sxm4-80gb", "a100-pcie-40gb"),
        ("a100-pcie-80gb", "a100-sxm4-40gb"),
        ("h100-sxm5-80gb", "h100-nvl-94gb"),
        ("h100-pcie-80gb", "h100-sxm5-80gb"),
        ("tesla-v100-sxm2-16gb", "tesla-v100-pcie-32gb"),
        ("tesla-v100-sxm2-32gb", "tesla-v100-sxm2-16gb"),
    ];
    let (_, other) = members.iter().find(|(member, _)| *member == record.text("device"))?;
    Some(vec![("device", format!("\"{other}\""))])
}

/// Whether the raw spelling states the board's form factor and memory size.
fn tells_member(record: &Record) -> bool {
    let raw = record.text("device-raw");
    let form = ["SXM", "PCIe", "PCIE", "DGX"].iter().any(|form| raw.contains(form));
    form && raw.contains("GB") && record.text("instance").is_empty()
}

/// Doubles the devices of an instance that other offers also have.
fn twice_the_devices(line: &str) -> Option<String> {
    let (before, after) = line.trim().strip_prefix("[\"g5.")?.rsplit_once(", ")?;
    let devices: usize = after.trim_end_matches(['[', ']', ',']).parse().ok()?;
    Some(format!("  [\"g5.{before}, {}],", 2 * devices))
}

/// Multiplies an hourly price by the 730 hours of a month.
fn price_of_a_month(line: &str) -> Option<String> {
    let mut cells: Vec<&str> = line.strip_prefix("  [\"")?.split(", ").collect();
    let price: f64 = cells.get(3)?.trim_end_matches([']', ',']).parse().ok()?;
    let end = if cells.len() == 4 { "]," } else { "" };
    let month = format!("{:.1}{end}", price * 730.0);
    cells[3] = &month;
    Some(format!("  [\"{}", cells.join(", ")))
}

/// Whether the raw spelling has the vendor first and then the count: `Dell 8x H100`.
fn counts_behind_maker(record: &Record) -> bool {
    let raw = record.text("device-raw");
    let words: Vec<&str> = raw.split(['(', '[']).next().unwrap_or_default().split(' ').collect();
    let is_count = |word: &&str| word.len() > 1 && word.strip_suffix('x').is_some_and(|n| n.parse::<u8>().is_ok());
    words.iter().skip(1).any(is_count)
}

/// Whether the device was released in this decade, years after the oldest sources.
fn is_of_this_decade(record: &Record) -> bool {
    record.literal("release-date").is_some_and(|date| date.trim_matches('"').starts_with("202"))
}

/// Splits each layer among four times as many devices as there are.
fn split_among_more(record: &Record) -> Option<NewLiterals> {
    record.literal("tensor-parallel")?;
    let devices: usize = record.literal("device-count")?.parse().ok()?;
    Some(vec![("tensor-parallel", (4 * devices).to_string())])
}

/// Sets tensor and pipeline parallelism both to all devices.
fn split_twice(record: &Record) -> Option<NewLiterals> {
    record.literal("pipeline-parallel")?;
    let devices: usize = record.literal("device-count")?.parse().ok().filter(|devices| *devices > 1)?;
    Some(["tensor-parallel", "pipeline-parallel"].map(|key| (key, devices.to_string())).to_vec())
}

/// Whether the name states a memory size.
fn names_gigabytes(record: &Record) -> bool {
    record.text("name").split_once("GB").is_some_and(|(before, _)| before.ends_with(|c: char| c.is_ascii_digit()))
}

/// Replaces a heading by another one.
fn headed(line: &str, from: &str, to: &str) -> Option<String> {
    let (quoted, new) = (format!("\"{from}\""), format!("\"{to}\""));
    (line.starts_with("columns = ") && line.contains(&quoted) && !line.contains(&new))
        .then(|| line.replacen(&quoted, &new, 1))
}

/// Swaps two headings.
fn exchanged(line: &str, one: &str, other: &str) -> Option<String> {
    let (one, other) = (format!("\"{one}\""), format!("\"{other}\""));
    (line.starts_with("columns = ") && line.contains(&one) && line.contains(&other))
        .then(|| line.replacen(&one, "\"\u{1}\"", 1).replacen(&other, &one, 1).replacen("\"\u{1}\"", &other, 1))
}

/// Adds nine to the batch size in a text: `batch of 25`.
fn another_batch(text: &str) -> Option<String> {
    let at = ["batch of ", "batch "].iter().find_map(|word| Some(text.find(word)? + word.len()))?;
    let digits = text[at..].find(|c: char| !c.is_ascii_digit()).unwrap_or(text.len() - at);
    let batch: u64 = text[at..at + digits].parse().ok()?;
    Some(format!("{}{}{}", &text[..at], batch + 9, &text[at + digits..]))
}

/// Sets 16-bit weights for a model with eight billion parameters on 8 GB devices.
fn in_sixteen_bits(record: &Record) -> Option<NewLiterals> {
    let is_small = record.text("device-raw").contains("8GB") && record.text("network") == "llama-3-8b";
    is_small.then(|| vec![("weight-format", "\"F16\"".to_owned())])
}

/// Replaces values as if the file were of another benchmark.
fn of_another_source(record: &Record) -> Option<NewLiterals> {
    let text = |literal: &str| format!("\"{literal}\"");
    let is_short = record.literal("device").is_some() && record.literal("framework").is_some();
    is_short.then(|| vec![("device", text("rtx-a6000")), ("framework", text("llama-cpp")), ("stage", text("decode"))])
}

/// UTF-8 that was read as Latin-1 and written as UTF-8 again.
fn read_as_latin_1(line: &str) -> Option<String> {
    (!line.is_ascii()).then(|| line.bytes().map(char::from).collect())
}

/// A number with its first two digits swapped.
fn exchanged_digits(literal: &str) -> Option<String> {
    let digits: Vec<char> = literal.chars().collect();
    let [first, second, rest @ ..] = digits.as_slice() else { return None };
    let changed = first != second && first.is_ascii_digit() && second.is_ascii_digit() && *second != '0';
    changed.then(|| [*second, *first].iter().chain(rest).collect())
}

#[rustfmt::skip]
pub const FACTS: &[Fault] = &[
    line("a constant behind a condition is not an id", "DL0110", "catalog/recipes/ilkarman|catalog/recipes/megatron-bridge|catalog/recipes/mxnet|catalog/recipes/tensorflow-docs", |l| {
        ["tesla-k80-", "tesla-m60-", "h100-sxm5-"].iter().find(|id| l.contains(&format!("from = \"{id}"))).map(|id| l.replacen(id, &id[..id.len() - 1], 1))
    }),
    line("a constant of a recipe is one that no imported row has", "DL0110", "catalog/recipes/mxnet-2023", |l| (l == "stage = \"eval\"").then(|| "stage = \"forward\"".to_owned())),
    line("two texts of a recipe become each other's devices", "DL0110", "catalog/recipes/hailo-2026", |l| {
        let (one, other) = ("\"15H\" = \"hailo-15h\", \"15L\" = \"hailo-15l\"", "\"15H\" = \"hailo-15l\", \"15L\" = \"hailo-15h\"");
        l.contains(one).then(|| l.replacen(one, other, 1))
    }),
    line("a side of a claim is not a class", "DL0114", "catalog/claims", |l| (l.starts_with("subject = ") || l.starts_with("baseline = ")).then(|| l.replacen("class:", "class:a", 1)).filter(|new| new != l)),
    one("the licence is another than the notes have", "catalog/frameworks/pytorch.", Set("license", "\"BSD-2-Clause\"")),
    one("the clock is another than in the notes", "catalog/collections/cpus-ncnn", Times("base-clock-mhz", 1.4)).when(|r| r.text("notes").contains(" at ") && r.text("notes").contains(" GHz")),
    one("all rows have another number of iterations", "catalog/sources/jcjohnson", Times("method.iterations", 10.0)),
    line("UTF-8 is read as Latin-1", "DL0503", "catalog/frameworks/|catalog/sources/|catalog/networks/", read_as_latin_1),
    line("a pattern lacks its closing bracket", "DL0111", "catalog/recipes/", |l| {
        let is_pattern = ["pick = ", "matches = ", "line = ", "heading = "].iter().any(|key| l.contains(key));
        l.rfind(')').filter(|at| is_pattern && !l[..*at].ends_with('\\')).map(|at| format!("{}{}", &l[..at], &l[at + 1..]))
    }),
    one("the paper is that of another year", "catalog/networks/", Other("paper")).when(|r| r.text("paper").contains("arxiv.org/abs/") && r.literal("year").is_some()),
    one("the parameters of pictures are in thousands", "catalog/networks/", Times("parameters-m", 1000.0)).when(|r| r.literal("multiply-adds-g").is_some() && r.literal("input-shape").is_some()),
    one("the licence is not that which a survey prints", SURVEYED, Map("license", |own| Some(if own.contains("BSD") || own.contains("MIT") { "\"Apache-2.0\"" } else { "\"BSD-3-Clause\"" }.to_owned()))),
    one("the parameters of billions are in billions", "catalog/networks/llama|catalog/networks/qwen|catalog/networks/mistral", Times("parameters-m", 0.001)).when(|r| r.text("name").ends_with('B')),
    one("some samples of each class are missing", DATASETS, Times("train-size", 0.9)).when(|r| r.text("notes").contains("of each class")),
    one("the bandwidth of one GPU is that of its board", "catalog/devices/tesla-m60-gpu|catalog/devices/tesla-k80-gpu", Times("bandwidth-gb-per-s", 2.0)),
    one("the commit is that of another source", SOURCES, Other("commit")),
    one("the notes are those of another source", SOURCES, Other("notes")),
    one("a suite lacks a network that it is described with", "catalog/suites/u39kun|catalog/suites/frameworks-smoke", Set("part.0.networks", "[\"vgg-16\"]")),
    one("the notes count more rows", "catalog/sources/u39kun", Map("notes", |notes| notes.contains("All 116 figures").then(|| notes.replace("116", "161")))),
    one("the description has another batch", "catalog/sources/u39kun|catalog/sources/jcjohnson", Map("method.description", another_batch)),
    one("the source is read in twenty years", SOURCES, Map("accessed", |date| years_later(date, 20))),
    one("the commit is made in twenty years", SOURCES, Map("commit-date", |date| years_later(date, 20))),
    one("a page is read in twenty years", "catalog/devices/|catalog/frameworks/|catalog/networks/", Map("sources.0.accessed", |date| years_later(date, 20))),
    one("the status is seen in twenty years", FRAMEWORKS, Map("status-date", |date| years_later(date, 20))),
    one("the latest release is that of a year to come", FRAMEWORKS, Map("latest-release-date", |date| years_later(date, 20))),
    one("the latest release is older than the first", FRAMEWORKS, Map("latest-release-date", |date| years_later(date, -30))).when(|r| r.literal("first-release").is_some()),
    one("the source is a web page", SOURCES, Set("type", "\"webpage\"")),
    one("the source is a journal", SOURCES, Set("type", "\"journal\"")),
    one("the source is of BibTeX's plural", SOURCES, Map("type", |word| Some(format!("{}s\"", &word[..word.len() - 1])))),
    one("the year has two digits", SOURCES, Map("year", |year| Some(year[2..].to_owned()))),
    one("the year is a text", SOURCES, Map("year", quoted)),
    one("the address has its scheme twice", SOURCES, Map("url", |url| url.contains("https://").then(|| url.replacen("https://", "https://https://", 1)))),
    one("the address has a blank in it", SOURCES, Map("url", |url| Some(format!("{} x\"", &url[..url.len() - 1])))),
    one("the authors are one text", SOURCES, Map("authors", |names| Some(format!("\"{}\"", names.replace(['[', ']', '"'], ""))))),
    one("the licence is an old name", FRAMEWORKS, Set("license", "\"GPL\"")),
    one("the status is a word of one's own", FRAMEWORKS, Set("status", "\"stable\"")),
    one("the language is called otherwise", FRAMEWORKS, Map("core-languages", |words| words.contains("\"C++\"").then(|| words.replace("\"C++\"", "\"cpp\"")))),
    one("a device has the alias of another one", DEVICES, Map("aliases", |names| Some(names.replacen('[', "[\"Platinum 8275CL\", ", 1)))),
    one("a source of 2018 is cited for what came later", DEVICES, Set("sources.0.source", "\"autumnai-2018\"")).when(is_of_this_decade),
    one("the language lacks a letter", FRAMEWORKS, Map("core-languages", |words| words.contains("\"Python\"").then(|| words.replace("\"Python\"", "\"Pyton\"")))),
    one("the task lacks a letter", NETWORKS, Set("task", "\"image-clasification\"")).when(|r| r.text("task") == "image-classification"),
    one("the hardware is a word of one's own", FRAMEWORKS, Set("hardware", "[\"npu\"]")),
    one("the hardware is one text", FRAMEWORKS, Set("hardware", "\"cpu, gpu\"")),
    one("a tested network is not there", FRAMEWORKS, Set("tested-networks", "[\"resnet-500\"]")),
    one("the first release is in month 13", FRAMEWORKS, Map("first-release", |date| date.contains('-').then(|| format!("\"{}-13\"", &date.trim_matches('"')[..4])))),
    one("the class is in capitals", DEVICES, Map("class", capitals)),
    one("the vendor is in small letters", GPUS, Set("vendor", "\"nvidia\"")).when(|r| r.literal("variant-of").is_some()),
    one("the architecture is in small letters", GPUS, Map("architecture", |word| Some(word.to_lowercase()))).when(|r| r.literal("variant-of").is_some()),
    one("the family is the family's name", GPUS, Map("variant-of", capitals)),
    one("the power is negative", DEVICES, Map("tdp-w", negative)),
    one("the memory is nothing", DEVICES, Set("memory-gib", "0")),
    one("the memory is in 10^9 bytes", DEVICES, Times("memory-gib", 1.073_741_824)).when(names_gigabytes),
    one("the fp16 peak is that of int8 on matrix units", GPUS, Map("peak-tflops.fp16", |peak| scaled(peak, 16.0))).when(|r| r.literal("peak-tflops.fp32").is_some()),
    one("the fp16 peak of matrix units is above that of int8", GPUS, Times("peak-tflops.fp16-tensor", 4.0)).when(|r| r.literal("peak-tflops.int8-tensor").is_some()),
    one("the hardware is all but what rows ran on", FRAMEWORKS, Map("hardware", |kinds| kinds.contains("\"gpu\"").then(|| "[\"fpga\"]".to_owned()))).when(|r| r.literal("platforms").is_some()),
    line("an instance has twice the devices", "DL0220", "catalog/collections/instances-aws", twice_the_devices),
    line("an hour costs what a month does", "DL0220", "catalog/collections/prices", price_of_a_month),
    one("the memory has its unit", DEVICES, Map("memory-gib", |gib| Some(format!("\"{gib} GB\"")))),
    one("the cores are not whole", GPUS, Map("cores", |cores| Some(format!("{cores}.5")))),
    one("the fp32 peak is in MFLOP/s", GPUS, Times("peak-tflops.fp32", 1e6)),
    one("the cores are not those of the family", GPUS, Times("cores", 1.05)).when(|r| r.literal("variant-of").is_some()),
    line("the most of a claim is below its least", "DL0114", "catalog/claims.toml", |l| l.starts_with("high = ").then(|| "high = 0.001".to_owned())),
    one("the day is one that no month has", DEVICES, Map("release-date", |date| (date.trim_matches('"').len() == 10).then(|| format!("\"{}-31-31\"", &date.trim_matches('"')[..4])))),
    one("the PCI id has a hyphen", DEVICES, Map("pci-ids", |ids| Some(ids.replace(':', "-")))),
    one("the parameters are negative", NETWORKS, Map("parameters-m", negative)),
    one("the multiply-adds are operations", NETWORKS, Times("multiply-adds-g", 2.0)).when(|r| r.literal("family").is_some()),
    one("the input has stars", NETWORKS, Map("input-shape", |shape| Some(shape.replace('x', "*")))),
    one("the task has blanks", NETWORKS, Map("task", |task| task.contains('-').then(|| task.replace('-', " ")))),
    one("the classes are a text", DATASETS, Map("classes", quoted)),
    one("the test set is a thousand times as large", DATASETS, Times("test-size", 1000.0)).when(|r| r.literal("train-size").is_some()),
];

#[rustfmt::skip]
pub const ROWS_FAULTS: &[Fault] = &[
    one("the rate is not that of the time in another table", "measurements/guolinke-2017/", Times("throughput-per-s", 0.6)).when(|r| r.text("counts") == "sample"),
    one("digits are exchanged in one of two tables", "measurements/guolinke-2017/", Map("throughput-per-s", exchanged_digits)).when(|r| r.text("counts") == "sample" && r.literal("throughput-per-s").is_some()),
    one("tokens come faster than the weights can be read", "measurements/xiongjiedai-2024/", Times("throughput-per-s", 4.0)).when(|r| r.text("stage") == "decode" && r.text("weight-format") == "F16" && r.literal("device-count") == Some("1")),
    one("the time is not what was recorded", "measurements/dlbench-runs/smoke", Times("latency-ms", 1.04)).when(|r| r.text("statistic") == "median"),
    one("the accuracy is the share of errors", "measurements/keras-io-2020/", Map("accuracy", |own| Some(format!("{:.3}", 1.0 - own.parse::<f64>().ok()?)))),
    one("the stage is training where inference was timed", ROWS, Set("stage", "\"train\"")).when(|r| r.text("stage") == "eval" && r.literal("timed").is_some()),
    one("the time to an accuracy is in minutes", "measurements/mlperf-training", Times("time-to-accuracy-s", 1.0 / 60.0)),
    one("the step takes longer than its tokens", "measurements/tpu-recipes-2026/", Times("device-throughput-per-s", 1.7)),
    one("the time is in seconds on a board of few networks", "measurements/stm32ai-model-zoo-2024/", Times("latency-ms", 0.001)),
    one("the price is that of ten machines", "measurements/dawnbench-2020/", Times("price-usd-per-hour", 10.0)).when(|r| r.text("instance") == "p3.16xlarge"),
    one("cuDNN is another than in the raw name", "measurements/u39kun-2018/", Set("cudnn", "\"7.0.0.5\"")).when(|r| r.text("device-raw").contains("CuDNN 7.4")),
    one("the revision is another than in the raw name", "measurements/tf-trt-models-2018/", Set("network", "\"resnet-50-v2\"")).when(|r| r.text("network-raw").contains("resnet_v1")),
    one("the weights are in a format that does not fit", "measurements/xiongjiedai-2024/", With(in_sixteen_bits)),
    one("a throughput of any source has a digit too many", ROWS, Times("throughput-per-s", 10.0)),
    one("the family is a member that the source does not name", ROWS, With(member)).when(|r| r.literal("device-raw").is_some()),
    one("the member is another one than the spelling tells", ROWS, With(other_member)).when(tells_member),
    one("the network is a variant that nothing speaks of", ROWS, Map("network", |id| (id == "\"resnet-50-v1.5\"").then(|| "\"resnet-50-bootstrapnas-a\"".to_owned()))).when(|r| r.literal("network-raw").is_some()),
    one("the count is not that behind the maker", ROWS, Times("device-count", 3.0)).when(counts_behind_maker),
    one("the time is negative", ROWS, Map("latency-ms", negative)),
    one("the throughput is a text", ROWS, Map("throughput-per-s", quoted)),
    one("the batch is nothing", ROWS, Set("batch-size", "0")),
    one("the batch is a text", ROWS, Map("batch-size", quoted)),
    one("the devices are none", ROWS, Set("device-count", "0")),
    one("the stage is training", ROWS, Set("stage", "\"training\"")),
    one("the precision is spelled out", ROWS, Set("precision", "\"float32\"")),
    one("the precision is in capitals", ROWS, Map("precision", capitals)),
    one("images are counted in the plural", ROWS, Set("counts", "\"images\"")),
    one("the statistic is the average", ROWS, Set("statistic", "\"average\"")),
    one("the network is in capitals", ROWS, Map("network", capitals)),
    one("the framework is in capitals", ROWS, Map("framework", capitals)),
    one("the device has underscores", ROWS, Map("device", underscores)),
    one("the data set is in capitals", ROWS, Map("dataset", capitals)),
    one("the tensors are split among more devices", ROWS, With(split_among_more)),
    one("the tensors and the layers are split among the same devices", ROWS, With(split_twice)),
    one("the device is another than with the same spelling elsewhere", "measurements/dawnbench-2020/|measurements/mlperf-training|measurements/lambdal-2025/", Other("device")).when(|r| r.literal("device-raw").is_some()),
    one("the network is another than with the same spelling elsewhere", "measurements/mlperf-training|measurements/soumith-2017/", Other("network")).when(|r| r.literal("network-raw").is_some()),
    one("the places of an accuracy are not those of the notes", "measurements/dawnbench-2020/", Set("top-k", "1")).when(|r| r.text("notes").contains("top 5")),
    one("the product is faster than the device", "measurements/deepbench-2020/train-gemm", Times("latency-ms", 0.1)).when(|r| r.text("precision") == "fp32" && r.number("latency-ms").is_some_and(|t| t > 1.0) && r.text("label").contains("N 7000")),
    one("CUDA is years younger than the row", "measurements/dawnbench-2020/|measurements/u39kun-2018/|measurements/mxnet-2023/", Set("cuda", "\"12.4\"")),
    one("the version is years younger than the row", "measurements/dawnbench-2020/", Set("framework-version", "\"2.6.0\"")).when(|r| r.text("framework") == "pytorch"),
    one("the data set has a number more than its spelling", ROWS, Set("dataset", "\"cifar-100\"")).when(|r| r.text("dataset") == "cifar-10" && r.literal("dataset-raw").is_some()),
    one("the picture is another than in the raw name", "measurements/esp-dl-2026/|measurements/vitis-ai-2022/", Set("input-shape", "\"3x768x768\"")).when(|r| r.text("network-raw").contains("_416_416_")),
    one("the larger picture has the rate of a smaller one", "measurements/efficientvit-2025/|measurements/timm-2026/", Times("throughput-per-s", 2.3)).when(|r| r.text("input-shape") == "3x384x384" && r.text("network").contains("efficientvit-l")),
    line("the time to an accuracy is that of all", "DL0315", "measurements/mlperf-training-v2.1/|measurements/mlperf-training-v1.1/", |l| headed(l, "time-to-accuracy-s", "total-s")).anywhere(),
    one("the data set is of questions", ROWS, Set("dataset", "\"squad\"")).when(|r| r.text("dataset").starts_with("cifar") || r.text("dataset").starts_with("imagenet")),
    one("the version is a driver's", ROWS, Set("framework-version", "\"535.104.05\"")),
    one("the version is of years to come", ROWS, Map("framework-version", |version| (version.starts_with("\"0.") || version.starts_with("\"1.")).then(|| "\"2.8.0\"".to_owned()))).when(|r| ["pytorch", "tensorflow"].contains(&r.text("framework"))),
    one("the samples are none", ROWS, Set("n", "0")),
    one("the accuracy is above 1", ROWS, Set("accuracy", "1.7")),
    one("memory is in bytes", ROWS, Times("memory-mib", 1_048_576.0)),
    one("the highest lies below the value", ROWS, Map("highest", |value| scaled(value, 0.01))),
    one("the input has blanks", ROWS, Map("input-shape", |shape| shape.contains('x').then(|| shape.replace('x', " x ")))),
    one("the day is that of no month", ROWS, Map("date", |date| (date.trim_matches('"').len() >= 10).then(|| format!("\"{}-02-30\"", &date.trim_matches('"')[..4])))),
    one("the sequence is negative", ROWS, Map("sequence-length", negative)),
    line("the heading says seconds", "", ROWS, |l| headed(l, "latency-ms", "latency-s")),
    line("the heading says batch", "", ROWS, |l| headed(l, "batch-size", "batch")),
    line("two headings are one", "", ROWS, |l| headed(l, "device-raw", "network-raw").or_else(|| {
        l.starts_with("columns = [\"").then(|| l.replacen("columns = [\"", "columns = [\"stage\", \"stage\", \"", 1))
    })).anywhere(),
];

#[rustfmt::skip]
pub const FILES: &[Fault] = &[
    all("the statistic is not that of the method", "measurements/jcjohnson-2017/|measurements/mlperf-training-v3.1/", Map("statistic", |own| Some(if own == "\"mean\"" { "\"median\"" } else { "\"mean\"" }.to_owned()))),
    all("a whole column of times is in seconds", "measurements/lambdal-2025/|measurements/nvidia-dle-2024/|measurements/esp-dl-2026/|measurements/stm32ai-model-zoo-2024/|measurements/undertherain-2021/", Times("latency-ms", 0.001)),
    all("the file is one of another source", "measurements/torchtitan-2026/", With(of_another_source)),
    line("network and its spelling stand in each other's column", "", ROWS, |l| exchanged(l, "network", "network-raw")).anywhere(),
    line("device and its spelling stand in each other's column", "", ROWS, |l| exchanged(l, "device", "device-raw")).anywhere(),
    line("network and precision stand in each other's column", "", ROWS, |l| exchanged(l, "network", "precision")).anywhere(),
    all("all stages are capitals", ROWS, Map("stage", capitals)),
    all("all devices have underscores", ROWS, Map("device", underscores)),
];
