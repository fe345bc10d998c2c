//! What can be asked for by its name: metrics, derived measures, facts and grades, with the words that people use.

use super::meaning::{NamedQuantity, StaticQuantity};
use crate::model::{Derived, Fact, Metric};

use StaticQuantity::{Derived as D, Fact as F, Grade as G, MemoryFit, Metric as M};

const NONE: NamedQuantity = NamedQuantity {
    classes: &[],
    devices: &[],
    networks: &[],
    datasets: &[],
    frameworks: &[],
    measured: &[],
    takes_precision: false,
};

/// The same whatever else is named.
const fn always(quantities: &'static [StaticQuantity]) -> NamedQuantity {
    NamedQuantity { measured: quantities, ..NONE }
}

/// A grade of classes, and what is measured instead where more than classes is named.
const fn grade(grade: &'static [StaticQuantity], measured: &'static [StaticQuantity]) -> NamedQuantity {
    NamedQuantity { classes: grade, devices: measured, networks: measured, measured, ..NONE }
}

/// The dense peaks of a device.
const PEAKS: &[StaticQuantity] = &[
    F(Fact::PeakFp64),
    F(Fact::PeakFp64Tensor),
    F(Fact::PeakFp32),
    F(Fact::PeakTf32Tensor),
    F(Fact::PeakFp16),
    F(Fact::PeakFp16Tensor),
    F(Fact::PeakBf16),
    F(Fact::PeakBf16Tensor),
    F(Fact::PeakFp8Tensor),
    F(Fact::PeakInt8),
    F(Fact::PeakInt8Tensor),
    F(Fact::PeakInt4Tensor),
];

/// Names that a person uses besides the keys and spellings of the registries.
pub(super) const NAMES: &[(NamedQuantity, &[&str])] = &[
    (
        NamedQuantity {
            classes: &[F(Fact::Memory)],
            devices: &[F(Fact::Memory)],
            measured: &[M(Metric::MemoryMib)],
            ..NONE
        },
        &["memory", "vram", "ram", "video memory", "memory size", "memory capacity", "device memory"],
    ),
    (
        always(&[M(Metric::MemoryMib)]),
        &[
            "memory use",
            "memory usage",
            "memory footprint",
            "memory consumption",
            "memory needed",
            "memory required",
            "memory requirement",
            "memory requirements",
            "vram usage",
            "vram needed",
            "ram usage",
        ],
    ),
    (
        NamedQuantity {
            classes: &[F(Fact::Bandwidth)],
            devices: &[F(Fact::Bandwidth)],
            measured: &[M(Metric::BandwidthGbPerS)],
            ..NONE
        },
        &["bandwidth", "memory bandwidth", "vram bandwidth"],
    ),
    (always(&[F(Fact::Tdp)]), &["tdp", "thermal design power", "board power", "power limit", "power rating"]),
    (
        NamedQuantity {
            classes: &[F(Fact::Tdp), M(Metric::PowerW)],
            devices: &[F(Fact::Tdp), M(Metric::PowerW)],
            measured: &[M(Metric::PowerW)],
            ..NONE
        },
        &["power", "power consumption", "power draw", "power usage", "wattage", "watts", "watt", "power hungry"],
    ),
    (
        NamedQuantity {
            classes: PEAKS,
            devices: PEAKS,
            networks: &[F(Fact::MultiplyAdds)],
            measured: &[M(Metric::Gflops)],
            takes_precision: true,
            ..NONE
        },
        &[
            "flops",
            "tflops",
            "teraflops",
            "gflops",
            "gigaflops",
            "tops",
            "flop/s",
            "tflop/s",
            "gflop/s",
            "floating point operations",
        ],
    ),
    (
        NamedQuantity { networks: &[F(Fact::MultiplyAdds)], measured: PEAKS, takes_precision: true, ..NONE },
        &[
            "peak",
            "peak flops",
            "peak tflops",
            "peak performance",
            "peak throughput",
            "theoretical peak",
            "peak compute",
        ],
    ),
    (
        NamedQuantity {
            classes: &[F(Fact::LaunchPrice), F(Fact::Price)],
            devices: &[F(Fact::LaunchPrice), F(Fact::Price)],
            measured: &[M(Metric::CostUsd)],
            ..NONE
        },
        &["price", "prices", "cost", "costs", "dollars", "usd", "priced"],
    ),
    (always(&[F(Fact::LaunchPrice)]), &["launch price", "msrp", "retail price", "list price"]),
    (
        always(&[F(Fact::Price)]),
        &["hourly price", "price per hour", "cost per hour", "price an hour", "rent", "rental", "rental price"],
    ),
    (
        always(&[F(Fact::Parameters)]),
        &[
            "parameters",
            "params",
            "number of parameters",
            "parameter count",
            "weights",
            "number of weights",
            "model size",
        ],
    ),
    (
        NamedQuantity {
            networks: &[F(Fact::Parameters)],
            measured: &[F(Fact::TrainSize), F(Fact::TestSize), F(Fact::Classes)],
            ..NONE
        },
        &[
            "size",
            "number of images",
            "number of samples",
            "number of examples",
            "how many images does",
            "how many images are",
            "how many images in",
            "how many samples does",
            "how many samples are",
            "how big",
            "how large",
        ],
    ),
    (always(&[F(Fact::Classes)]), &["number of classes", "how many classes", "classes"]),
    (always(&[F(Fact::TrainSize)]), &["training samples", "training images", "training set size"]),
    (
        always(&[F(Fact::MultiplyAdds)]),
        &["macs", "multiply adds", "multiply accumulates", "gmacs", "mult adds", "madds"],
    ),
    (always(&[F(Fact::InputShape)]), &["input size", "input shape", "input resolution", "image size", "resolution"]),
    (
        always(&[F(Fact::Architecture)]),
        &["architecture", "microarchitecture", "micro-architecture", "gpu architecture", "chip generation"],
    ),
    (
        always(&[F(Fact::Released)]),
        &["release date", "released", "release year", "come out", "came out", "launched", "launch date", "how old"],
    ),
    (always(&[F(Fact::FirstRelease)]), &["first release", "first released", "initial release"]),
    (always(&[F(Fact::Vendor)]), &["vendor", "manufacturer", "maker", "who makes", "who manufactures"]),
    (
        NamedQuantity { devices: &[F(Fact::Vendor)], measured: &[F(Fact::Steward)], ..NONE },
        &[
            "who made",
            "who develops",
            "who developed",
            "who created",
            "who maintains",
            "who is behind",
            "who owns",
            "steward",
            "maintainer",
            "maintained by",
            "developed by",
        ],
    ),
    (
        always(&[F(Fact::License)]),
        &["license", "licence", "licensed", "license type", "licence type", "licensing", "open source license"],
    ),
    (
        always(&[F(Fact::CoreLanguage)]),
        &["core language", "core languages", "core codes", "core code", "written in", "implemented in"],
    ),
    (
        always(&[F(Fact::ApiLanguage)]),
        &[
            "api language",
            "api languages",
            "interface codes",
            "api codes",
            "interface language",
            "interface languages",
            "language bindings",
            "bindings",
            "apis",
            "api",
            "interfaces",
            "programming languages",
            "languages",
            "what languages",
        ],
    ),
    (
        always(&[F(Fact::Hardware)]),
        &["compatible hardware", "supported hardware", "hardware support", "what hardware", "supported devices"],
    ),
    (
        NamedQuantity { frameworks: &[F(Fact::MultiServer)], ..NONE },
        &[
            "support multi gpu",
            "supports multi gpu",
            "multi gpu support",
            "support multi server",
            "support distributed",
            "support multi node",
            "support distributed training",
            "distributed training support",
            "support multiple gpus",
            "support multiple servers",
            "support multiple machines",
            "multi server support",
            "multi node support",
            "run on several servers",
            "run on multiple servers",
            "stability",
        ],
    ),
    (
        always(&[F(Fact::TestedNetwork)]),
        &[
            "tested networks",
            "networks tested by",
            "networks tested",
            "tested deep learning networks",
            "networks was",
            "networks were",
            "officially tested networks",
        ],
    ),
    (
        always(&[F(Fact::TestedDataset)]),
        &["tested datasets", "tested data sets", "datasets tested by", "datasets tested", "related datasets"],
    ),
    (
        always(&[F(Fact::Maturity)]),
        &["status", "maturity", "alive", "dead", "abandoned", "deprecated", "discontinued", "development status"],
    ),
    (always(&[F(Fact::Task)]), &["task", "used for", "what for"]),
    (always(&[F(Fact::Published)]), &["published", "publication year", "paper year"]),
    (always(&[F(Fact::Cores)]), &["cores", "cuda cores", "number of cores", "how many cores", "stream processors"]),
    (always(&[F(Fact::TensorCores)]), &["tensor cores", "matrix units"]),
    (always(&[F(Fact::Process)]), &["process node", "nanometres", "nanometers", "lithography"]),
    (always(&[F(Fact::BoostClock), F(Fact::BaseClock)]), &["clock", "clock speed", "clocks", "frequency"]),
    // What was measured.
    (always(&[M(Metric::LatencyMs)]), &["latency", "latencies", "response time", "inference time", "delay"]),
    (
        always(&[M(Metric::ThroughputPerS)]),
        &[
            "throughput",
            "images/sec",
            "img/sec",
            "images a second",
            "images per sec",
            "imgs/s",
            "samples/s",
            "samples/sec",
            "sequences/s",
            "sequences/sec",
            "sequences per second",
            "queries per second",
            "qps",
            "inferences per second",
            "tokens/sec",
            "token/s",
            "tok/s",
            "tokens per sec",
            "tokens a second",
            "tps",
            "frame rate",
            "framerate",
            "frames/s",
        ],
    ),
    (
        grade(&[G("energy-efficiency")], &[M(Metric::ItemsPerJoule)]),
        &[
            "energy efficiency",
            "energy-efficient",
            "energy efficient",
            "power efficiency",
            "power efficient",
            "efficient",
            "energy saving",
        ],
    ),
    (
        always(&[M(Metric::ItemsPerJoule)]),
        &[
            "images per watt",
            "images/watt",
            "images/w",
            "img/s/w",
            "images/s/w",
            "images per second per watt",
            "throughput per watt",
            "frames per watt",
            "fps per watt",
            "fps/w",
            "samples per watt",
            "tokens per watt",
            "per watt",
            "performance per watt",
            "perf per watt",
            "perf/watt",
            "perf/w",
            "samples/j",
            "samples per joule",
            "tokens per joule",
            "tokens/j",
            "frames per joule",
            "images per j",
            "items/j",
            "inferences per joule",
            "images per kwh",
        ],
    ),
    (always(&[M(Metric::EnergyJ)]), &["energy", "energy use", "energy consumption", "energy usage", "kwh"]),
    (
        always(&[D(Derived::ItemsPerDollar)]),
        &[
            "images per dollar",
            "per dollar",
            "per usd",
            "tokens per dollar",
            "throughput per dollar",
            "samples per dollar",
            "price performance",
            "price/performance",
            "price to performance",
            "performance per dollar",
            "performance/price",
            "perf per dollar",
            "cost effective",
            "cost-effective",
            "cost efficient",
            "cost efficiency",
            "cost effectiveness",
            "value for money",
            "bang for the buck",
            "bang for buck",
            "for the money",
            "on a budget",
            "budget",
            "per euro",
        ],
    ),
    (
        always(&[D(Derived::PeakFraction)]),
        &["fraction of peak", "peak fraction", "percent of peak", "hardware utilization", "of its peak", "of the peak"],
    ),
    (
        always(&[D(Derived::ScalingEfficiency)]),
        &["scaling efficiency", "parallel efficiency", "multi gpu efficiency", "scaling factor"],
    ),
    (
        always(&[M(Metric::TimeToAccuracyS), M(Metric::TotalS), M(Metric::EpochS)]),
        &[
            "training time",
            "time to train",
            "train time",
            "how long does it take to train",
            "how long to train",
            "how long does training take",
            "how long does training",
            "how long to finish training",
            "hours to train",
            "training duration",
        ],
    ),
    (always(&[M(Metric::TimeToAccuracyS)]), &["time to accuracy", "time-to-accuracy", "time to target"]),
    (
        always(&[M(Metric::EpochS)]),
        &[
            "epoch time",
            "time per epoch",
            "seconds per epoch",
            "epoch duration",
            "time for an epoch",
            "time of an epoch",
        ],
    ),
    (always(&[M(Metric::EpochS), M(Metric::CostUsd)]), &["cost per epoch", "cost of an epoch"]),
    (
        always(&[M(Metric::CostUsd)]),
        &["cost to train", "training cost", "training costs", "cost of training", "price to train", "costs to train"],
    ),
    (
        always(&[M(Metric::Accuracy)]),
        &["accuracy", "accurate", "top1", "top-1", "top 1 accuracy", "top1 accuracy", "validation accuracy"],
    ),
    (always(&[M(Metric::ErrorRate)]), &["error", "error rate", "top-1 error", "test error"]),
    (always(&[M(Metric::GpuUtilPct)]), &["gpu utilization", "gpu utilisation", "gpu usage", "gpu load"]),
    // Grades of classes.
    (
        NamedQuantity { classes: &[G("computing-performance")], ..NONE },
        &["computing performance", "compute performance", "computing power", "compute power", "arithmetic performance"],
    ),
    (
        grade(&[G("low-latency")], &[M(Metric::LatencyMs)]),
        &["low latency", "short latency", "low latencies", "responsiveness", "quick response"],
    ),
    (
        always(&[G("compatibility")]),
        &["compatibility", "compatible", "software compatibility", "framework compatibility"],
    ),
    (always(&[G("die-size")]), &["die size", "chip size", "die area", "chip area", "die density"]),
    (
        always(&[G("research-costs")]),
        &[
            "research costs",
            "research cost",
            "development cost",
            "development costs",
            "r&d cost",
            "r&d costs",
            "nre",
            "nre cost",
        ],
    ),
    (
        always(&[G("research-risks")]),
        &[
            "research risks",
            "research risk",
            "development risk",
            "development risks",
            "r&d risk",
            "risk",
            "risks",
            "risky",
        ],
    ),
    (
        always(&[G("upgradability")]),
        &["upgradability", "upgradeability", "upgradable", "upgradeable", "reprogrammable", "easy to upgrade"],
    ),
    (
        NamedQuantity { classes: &[G("scalability")], measured: &[D(Derived::ScalingEfficiency)], ..NONE },
        &["scalability", "scalable"],
    ),
    (
        NamedQuantity {
            classes: &[G("chip-price")],
            devices: &[F(Fact::LaunchPrice)],
            measured: &[G("chip-price")],
            ..NONE
        },
        &[
            "chip price",
            "chip prices",
            "price of a chip",
            "price per chip",
            "chip cost",
            "unit price",
            "cost of a chip",
        ],
    ),
    (always(&[G("ubicomp")]), &["ubicomp", "ubiquitous computing", "pervasive computing", "range of uses"]),
    (always(&[G("time-to-market")]), &["time to market", "time-to-market", "quick to market", "development time"]),
    (
        always(&[MemoryFit]),
        &[
            "fit",
            "fits",
            "fit on",
            "fit in",
            "fit into",
            "fits on",
            "fits in",
            "fit in memory",
            "enough memory",
            "enough vram",
        ],
    ),
];

/// Whether the key of a fact asks for it; the others are words that say something else.
pub(super) fn is_asked_by_key(fact: Fact) -> bool {
    !matches!(
        fact,
        Fact::Id
            | Fact::FrameworkName
            | Fact::DeviceName
            | Fact::NetworkName
            | Fact::DatasetName
            | Fact::Family
            | Fact::Class
            | Fact::Chip
            | Fact::Process
            | Fact::Hardware
            | Fact::MultiServer
            | Fact::Notes
            | Fact::Year
    )
}
