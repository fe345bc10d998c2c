//! Faults in facts: a value in the catalog is wrong, although it is plausible on its own.

use super::edit::Slip::{Copy, Exchange, Map, Other, Set, Times, With};
use super::fault::{Fault, one};
use super::record::Record;

const DEVICES: &str = "catalog/devices/";
const GPUS: &str = "catalog/devices/geforce|catalog/devices/tesla|catalog/devices/a100|catalog/devices/rtx\
                    |catalog/devices/quadro|catalog/devices/h100|catalog/devices/titan|catalog/devices/a10\
                    |catalog/devices/a40|catalog/devices/l4|catalog/devices/h200";
const NETWORKS: &str = "catalog/networks/|catalog/collections/networks-";
const DATASETS: &str = "catalog/datasets/";
const FRAMEWORKS: &str = "catalog/frameworks/";
const SOURCES: &str = "catalog/sources/";

/// Replaces the first occurrence of a text, if there is one.
fn replaced(literal: &str, from: &str, to: &str) -> Option<String> {
    literal.contains(from).then(|| literal.replacen(from, to, 1))
}

/// A date moved by a number of years.
fn years_later(literal: &str, years: i32) -> Option<String> {
    let plain = literal.trim_matches('"');
    let year: i32 = plain.get(..4)?.parse().ok()?;
    Some(literal.replacen(&plain[..4], &(year + years).to_string(), 1))
}

/// The extents of an image shape with the channels last: `224x224x3`.
pub fn channels_last(literal: &str) -> Option<String> {
    let plain = literal.trim_matches('"');
    let extents: Vec<&str> = plain.split('x').collect();
    let [channels, height, width] = extents.as_slice() else { return None };
    (["1", "3"].contains(channels)).then(|| format!("\"{height}x{width}x{channels}\""))
}

/// Adds ten to the last number in a text.
fn another_number(literal: &str) -> Option<String> {
    let end = literal.rfind(|c: char| c.is_ascii_digit())? + 1;
    let start = literal[..end].rfind(|c: char| !c.is_ascii_digit()).map_or(0, |at| at + 1);
    let number: u64 = literal[start..end].parse().ok()?;
    Some(format!("{}{}{}", &literal[..start], number + 10, &literal[end..]))
}

fn of_all_tensor_rates(record: &Record) -> Option<Vec<(&'static str, String)>> {
    let keys = [
        "peak-tflops.fp16-tensor",
        "peak-tflops.bf16-tensor",
        "peak-tflops.tf32-tensor",
        "peak-tflops.int8-tensor",
        "peak-tflops.fp8-tensor",
        "peak-tflops.int4-tensor",
    ];
    let doubled = |key: &'static str| Some((key, super::edit::scaled(record.literal(key)?, 2.0)?));
    let all: Vec<_> = keys.into_iter().filter_map(doubled).collect();
    (!all.is_empty()).then_some(all)
}

fn has_clock(record: &Record) -> bool {
    record.number("boost-clock-mhz").is_some() && record.number("peak-tflops.fp32").is_some()
}

#[rustfmt::skip]
pub const FAULTS: &[Fault] = &[
    // Wrong unit, wrong scale, shifted decimal point.
    one("the power is ten times as much", DEVICES, Times("tdp-w", 10.0)),
    one("the power is a tenth", GPUS, Times("tdp-w", 0.1)),
    one("the power is in mW", DEVICES, Times("tdp-w", 1000.0)),
    one("the power is in kW", DEVICES, Times("tdp-w", 0.001)),
    one("the bandwidth is in Gbit/s", GPUS, Times("bandwidth-gb-per-s", 8.0)),
    one("the bandwidth is in TB/s", GPUS, Times("bandwidth-gb-per-s", 0.001)),
    one("the bandwidth is in MB/s", DEVICES, Times("bandwidth-gb-per-s", 1000.0)),
    one("the bandwidth has lost a digit", GPUS, Times("bandwidth-gb-per-s", 0.1)),
    one("the memory is in MiB", GPUS, Times("memory-gib", 1024.0)),
    one("the memory is in Gbit", GPUS, Times("memory-gib", 8.0)),
    one("the memory has a digit too many", GPUS, Times("memory-gib", 10.0)),
    one("the boost clock is in GHz", GPUS, Times("boost-clock-mhz", 0.001)),
    one("the boost clock is in kHz", GPUS, Times("boost-clock-mhz", 1000.0)),
    one("the base clock is in GHz", GPUS, Times("base-clock-mhz", 0.001)),
    one("the base clock has lost a digit", GPUS, Times("base-clock-mhz", 0.1)),
    one("the process is in 10^-10 m", GPUS, Times("process-nm", 10.0)),
    one("the price is in cents", GPUS, Times("launch-price-usd", 100.0)),
    one("the price has a digit too many", GPUS, Times("launch-price-usd", 10.0)),
    one("the price has lost a digit", GPUS, Times("launch-price-usd", 0.1)),
    one("the fp32 peak is in GFLOP/s", GPUS, Times("peak-tflops.fp32", 1000.0)),
    one("the fp64 peak is in GFLOP/s", GPUS, Times("peak-tflops.fp64", 1000.0)),
    one("the fp16 peak has a digit too many", GPUS, Times("peak-tflops.fp16", 10.0)),
    one("the tensor peak is in PFLOP/s", GPUS, Times("peak-tflops.fp16-tensor", 0.001)),
    one("the price of a cloud is that of a month", DEVICES, Times("cloud.0.usd-per-hour", 730.0)),
    one("the price of a cloud is in cents", DEVICES, Times("cloud.0.usd-per-hour", 100.0)),
    one("a cloud has ten times the devices", DEVICES, Times("cloud.0.devices", 10.0)),
    // Another row or column of the same data sheet.
    one("power and memory are exchanged", GPUS, Exchange("tdp-w", "memory-gib")),
    one("power and bandwidth are exchanged", GPUS, Exchange("tdp-w", "bandwidth-gb-per-s")).when(|r| {
        r.number("tdp-w").zip(r.number("bandwidth-gb-per-s")).is_some_and(|(a, b)| b / a > 2.5 || a / b > 2.5)
    }),
    one("the clocks are exchanged", GPUS, Exchange("base-clock-mhz", "boost-clock-mhz")),
    one("cores and matrix units are exchanged", GPUS, Exchange("cores", "tensor-cores")),
    one("the cores have a digit too many", GPUS, Times("cores", 10.0)).when(has_clock),
    one("the cores are multiprocessors of 64", GPUS, Times("cores", 1.0 / 64.0)).when(has_clock),
    one("the cores are half", GPUS, Times("cores", 0.5)).when(has_clock),
    one("the matrix units are ten times as many", GPUS, Times("tensor-cores", 10.0)),
    one("the matrix units are the cores", GPUS, Copy { from: "cores", to: "tensor-cores" }),
    one("the matrix units are twice as many", GPUS, Times("tensor-cores", 2.0)),
    one("the boost clock is another card's", GPUS, Times("boost-clock-mhz", 1.23)).when(has_clock),
    one("the fp32 peak is the sparse one", GPUS, Times("peak-tflops.fp32", 2.0)).when(has_clock),
    one("the fp32 peak is at another clock", GPUS, Times("peak-tflops.fp32", 1.2)).when(has_clock),
    one("the fp32 peak is that of multiply-adds", GPUS, Times("peak-tflops.fp32", 0.5)).when(has_clock),
    one("the peaks of fp32 and fp16 are exchanged", GPUS, Exchange("peak-tflops.fp32", "peak-tflops.fp16")),
    one("the peaks of fp64 and fp32 are exchanged", GPUS, Exchange("peak-tflops.fp64", "peak-tflops.fp32")),
    one("the fp64 peak is that of fp32", GPUS, Copy { from: "peak-tflops.fp32", to: "peak-tflops.fp64" }),
    one("the fp16 peak is the matrix units'", GPUS, Copy { from: "peak-tflops.fp16-tensor", to: "peak-tflops.fp16" }),
    one("the matrix units' fp16 is the plain one", GPUS, Copy { from: "peak-tflops.fp16", to: "peak-tflops.fp16-tensor" }),
    one("the matrix units' fp16 is sparse", GPUS, Times("peak-tflops.fp16-tensor", 2.0)),
    one("the matrix units' int8 is sparse", GPUS, Times("peak-tflops.int8-tensor", 2.0)),
    one("the matrix units' int8 is that of fp16", GPUS, Copy { from: "peak-tflops.fp16-tensor", to: "peak-tflops.int8-tensor" }),
    one("the matrix units' TF32 is sparse", GPUS, Times("peak-tflops.tf32-tensor", 2.0)),
    one("the matrix units' fp8 is sparse", GPUS, Times("peak-tflops.fp8-tensor", 2.0)),
    one("the matrix units' int4 is a quarter", GPUS, Times("peak-tflops.int4-tensor", 0.25)),
    one("all rates of the matrix units are sparse", GPUS, With(of_all_tensor_rates)),
    one("the memory is that of a sibling", DEVICES, Times("memory-gib", 2.0)).when(|r| r.text("name").contains("GB")),
    // Another value of the same kind.
    one("the compute capability is of another generation", GPUS, Other("compute-capability")),
    one("the architecture is another", GPUS, Other("architecture")).when(|r| r.literal("chip").is_some()),
    one("the die is another", GPUS, Other("chip")),
    one("the vendor is another", GPUS, Set("vendor", "\"AMD\"")),
    one("the process is of another generation", GPUS, Times("process-nm", 2.0)),
    one("the kind of memory is of another generation", GPUS, Other("memory-type")).when(|r| r.literal("chip").is_some()),
    one("the form factor is another", DEVICES, Other("form-factor")).when(|r| {
        let name = r.text("name").to_lowercase();
        name.contains("sxm") || name.contains("pcie")
    }),
    one("the class is another", GPUS, Set("class", "\"fpga\"")),
    one("the family is another", GPUS, Other("variant-of")),
    one("the name is another product's", GPUS, Map("name", another_number)),
    one("an alias is another product's", GPUS, Map("aliases", |literal| {
        Some(literal.replacen('[', "[\"Tesla T4\", ", 1))
    })),
    one("a PCI id is another board's", DEVICES, Other("pci-ids")),
    // Dates.
    one("it came out eight years later", GPUS, Map("release-date", |date| years_later(date, 8))),
    one("it came out eight years earlier", GPUS, Map("release-date", |date| years_later(date, -8))),
    one("it came out three years later", GPUS, Map("release-date", |date| years_later(date, 3))),
    one("it came out four years earlier", GPUS, Map("release-date", |date| years_later(date, -4))),
    one("it came out in another century", DEVICES, Map("release-date", |date| replaced(date, "20", "21"))),
    one("a price held before it came out", DEVICES, Map("cloud.0.as-of", |date| years_later(date, -12)))
        .when(|r| r.literal("release-date").is_some()),
    // Networks.
    one("the parameters are in ones", NETWORKS, Times("parameters-m", 1e6)),
    one("the parameters are in thousands", NETWORKS, Times("parameters-m", 1000.0)),
    one("the parameters are in 10^9", NETWORKS, Times("parameters-m", 0.001)).when(|r| r.number("multiply-adds-g").is_some()),
    one("the parameters have a digit too many", NETWORKS, Times("parameters-m", 10.0)).when(|r| r.number("multiply-adds-g").is_some()),
    one("the parameters have lost a digit", NETWORKS, Times("parameters-m", 0.1)).when(|r| r.number("multiply-adds-g").is_some()),
    one("the multiply-adds are in millions", NETWORKS, Times("multiply-adds-g", 1000.0)),
    one("the multiply-adds are in 10^12", NETWORKS, Times("multiply-adds-g", 0.001)),
    one("the multiply-adds have a digit too many", NETWORKS, Times("multiply-adds-g", 10.0)),
    one("the multiply-adds have lost a digit", NETWORKS, Times("multiply-adds-g", 0.1)),
    one("parameters and multiply-adds are exchanged", NETWORKS, Exchange("parameters-m", "multiply-adds-g")).when(|r| {
        r.number("parameters-m").zip(r.number("multiply-adds-g")).is_some_and(|(a, b)| a > 8.0 * b)
    }),
    one("the network is ten years younger", NETWORKS, Map("year", |year| years_later(year, 10))),
    one("the network is thirty years older", NETWORKS, Map("year", |year| years_later(year, -30))),
    one("the network is two years older than its paper", NETWORKS, Map("year", |year| years_later(year, -2)))
        .when(|r| r.text("paper").contains("arxiv.org")),
    one("the input has its channels last", NETWORKS, Map("input-shape", channels_last)),
    one("the input has lost a digit", NETWORKS, Map("input-shape", |shape| {
        replaced(shape, "x224x224", "x22x22")
    })).when(|r| r.number("multiply-adds-g").is_some()),
    one("the task is another", NETWORKS, Set("task", "\"machine-translation\"")).when(|r| r.literal("input-shape").is_some()),
    one("the family of the network is another", NETWORKS, Set("family", "\"bert\"")).when(|r| r.literal("input-shape").is_some()),
    one("the name of the network is another's", "catalog/networks/", Map("name", another_number)),
    // Data sets.
    one("the classes have a digit too many", DATASETS, Times("classes", 10.0)),
    one("training and test set are exchanged", DATASETS, Exchange("train-size", "test-size")),
    one("the training set is in thousands", DATASETS, Times("train-size", 0.001)),
    one("the pictures have their channels last", DATASETS, Map("input-shape", channels_last)),
    // Frameworks.
    one("the first release is twenty years later", FRAMEWORKS, Map("first-release", |date| years_later(date, 20))),
    one("the first release is forty years earlier", FRAMEWORKS, Map("first-release", |date| years_later(date, -40))),
    one("it runs on FPGAs only", "catalog/frameworks/pytorch|catalog/frameworks/tensorflow.|catalog/frameworks/mxnet|catalog/frameworks/torch.|catalog/frameworks/caffe2|catalog/frameworks/neon", Set("hardware", "[\"fpga\"]")),
    one("the repository is another framework's", FRAMEWORKS, Other("repository")),
    one("the homepage is another framework's", FRAMEWORKS, Other("homepage")),
    // Sources.
    one("the source is of another year", SOURCES, Map("year", |year| years_later(year, -5))),
    one("the source is of a year to come", SOURCES, Map("year", |year| years_later(year, 20))),
    one("the source was read before it appeared", SOURCES, Map("accessed", |date| years_later(date, -15))),
    one("the commit has lost a letter", SOURCES, Map("commit", |commit| Some(format!("{}\"", &commit[..commit.len() - 2])))),
    one("the commit is the name of a branch", SOURCES, Set("commit", "\"master\"")),
    one("the address is another source's", SOURCES, Other("url")),
    one("the DOI is an address", SOURCES, Map("doi", |doi| Some(doi.replacen('"', "\"https://doi.org/", 1)))),
    one("the licence has a blank for its hyphen", SOURCES, Map("license", |license| replaced(license, "-", " "))),
];
