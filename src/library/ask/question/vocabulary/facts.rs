//! Facts of the catalog by the words that people use for them, besides the keys and spellings of their registry.

use super::meaning::{NamedQuantity, StaticQuantity};
use crate::model::{Derived, Fact, Metric};

use StaticQuantity::{Derived as D, Fact as F, Metric as M};

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

/// The dense peaks of a device's matrix units.
const TENSOR_PEAKS: &[StaticQuantity] = &[
    F(Fact::PeakFp64Tensor),
    F(Fact::PeakTf32Tensor),
    F(Fact::PeakFp16Tensor),
    F(Fact::PeakBf16Tensor),
    F(Fact::PeakFp8Tensor),
    F(Fact::PeakInt8Tensor),
    F(Fact::PeakInt4Tensor),
];

/// The peaks in whole numbers, which makers state in tera-operations a second.
const INTEGER_PEAKS: &[StaticQuantity] = &[F(Fact::PeakInt8), F(Fact::PeakInt8Tensor), F(Fact::PeakInt4Tensor)];

/// What a data set has so many of, besides the samples that it is counted in here.
const ITEMS_OF_DATA: &[&str] = &[
    "sentences",
    "sentence pairs",
    "questions",
    "question answer pairs",
    "pictures",
    "photos",
    "clips",
    "utterances",
    "recordings",
    "documents",
    "articles",
    "reviews",
    "ratings",
];

/// What is told where one of them is asked for.
pub(super) static ITEMS: NamedQuantity =
    NamedQuantity { datasets: &[F(Fact::TrainSize), F(Fact::TestSize)], ..NamedQuantity::NONE };

/// `how many sentences`, `number of clips`.
pub(super) fn items_of_data() -> impl Iterator<Item = String> {
    let counting = ["how many", "number of"];
    let items = ITEMS_OF_DATA.iter().flat_map(move |item| counting.map(|count| format!("{count} {item}")));
    items.chain(["how many tokens in".to_owned(), "how many tokens are in".to_owned()])
}

/// Names of facts.
pub(super) const NAMES: &[(NamedQuantity, &[&str])] = &[
    (
        NamedQuantity {
            classes: &[F(Fact::Memory)],
            devices: &[F(Fact::Memory)],
            measured: &[M(Metric::MemoryMib)],
            ..NamedQuantity::NONE
        },
        &[
            "memory",
            "vram",
            "ram",
            "video memory",
            "memory size",
            "memory capacity",
            "device memory",
            "hbm size",
            "hbm capacity",
            "how much hbm",
        ],
    ),
    (
        NamedQuantity { devices: &[F(Fact::Memory), F(Fact::MemoryType)], ..NamedQuantity::NONE },
        &["memory amount", "amount of memory", "hbm amount", "amount of hbm", "ddr amount", "amount of ddr"],
    ),
    (
        NamedQuantity::always(&[M(Metric::MemoryMib)]),
        &[
            "memory use",
            "memory usage",
            "peak memory",
            "peak memory usage",
            "peak mb",
            "peak gb",
            "peak vram",
            "memory hog",
            "memory hogs",
            "memory hungry",
            "memory-hungry",
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
            ..NamedQuantity::NONE
        },
        &["bandwidth", "memory bandwidth", "vram bandwidth"],
    ),
    (
        NamedQuantity::always(&[F(Fact::Tdp)]),
        &["tdp", "thermal design power", "board power", "power limit", "power rating"],
    ),
    (
        NamedQuantity {
            classes: &[F(Fact::Tdp), M(Metric::PowerW)],
            devices: &[F(Fact::Tdp), M(Metric::PowerW)],
            measured: &[M(Metric::PowerW)],
            ..NamedQuantity::NONE
        },
        &[
            "power",
            "power consumption",
            "peak power",
            "power draw",
            "power drawn",
            "watts drawn",
            "power usage",
            "wattage",
            "watts",
            "watt",
            "power hungry",
        ],
    ),
    (
        NamedQuantity {
            classes: PEAKS,
            devices: PEAKS,
            networks: &[F(Fact::MultiplyAdds)],
            measured: &[M(Metric::Gflops)],
            takes_precision: true,
            ..NamedQuantity::NONE
        },
        &[
            "flops",
            "tflops",
            "teraflops",
            "gflops",
            "gigaflops",
            "flop/s",
            "tflop/s",
            "gflop/s",
            "floating point operations",
        ],
    ),
    (
        NamedQuantity { measured: INTEGER_PEAKS, takes_precision: true, ..NamedQuantity::NONE },
        &["tops", "peak tops", "trillion operations per second", "tera operations per second", "ai tops"],
    ),
    (
        // No network changes what a device can do at most: beside one the share is meant that it reaches.
        NamedQuantity {
            classes: PEAKS,
            devices: PEAKS,
            networks: &[F(Fact::MultiplyAdds)],
            frameworks: PEAKS,
            measured: &[D(Derived::PeakFraction)],
            takes_precision: true,
            ..NamedQuantity::NONE
        },
        &[
            "peak",
            "peak flops",
            "peak flop/s",
            "peak tflops",
            "peak tflop/s",
            "theoretical peak",
            "theoretical maximum",
            "theoretical flops",
            "theoretical tflops",
            "theoretical performance",
            "peak compute",
        ],
    ),
    (
        NamedQuantity {
            classes: PEAKS,
            devices: PEAKS,
            frameworks: PEAKS,
            measured: &[M(Metric::ThroughputPerS)],
            takes_precision: true,
            ..NamedQuantity::NONE
        },
        &["peak performance", "peak throughput"],
    ),
    (
        NamedQuantity { measured: TENSOR_PEAKS, takes_precision: true, ..NamedQuantity::NONE },
        &[
            "tensor tflops",
            "tensor flops",
            "tensor tops",
            "tensor peak",
            "tensor performance",
            "tensor core tflops",
            "tensor core flops",
            "tensor core performance",
            "tensor core peak",
        ],
    ),
    (
        NamedQuantity { devices: PEAKS, takes_precision: true, needs_precision: true, ..NamedQuantity::NONE },
        &["performance"],
    ),
    (
        NamedQuantity {
            classes: &[F(Fact::LaunchPrice), F(Fact::Price)],
            devices: &[F(Fact::LaunchPrice), F(Fact::Price)],
            measured: &[M(Metric::CostUsd)],
            ..NamedQuantity::NONE
        },
        &[
            "price",
            "prices",
            "cost",
            "costs",
            "dollars",
            "usd",
            "cost in dollars",
            "costs in dollars",
            "cost in usd",
            "price in dollars",
            "priced",
            "pay for",
            "to pay",
            "i pay",
            "you pay",
            "we pay",
            "one pay",
            "people pay",
            "people pay for",
            "must pay",
        ],
    ),
    (NamedQuantity::always(&[F(Fact::LaunchPrice)]), &["launch price", "msrp", "retail price", "list price"]),
    (
        NamedQuantity::always(&[F(Fact::Price)]),
        &[
            "hourly price",
            "price per hour",
            "cost per hour",
            "price an hour",
            "per hour at",
            "per hour from",
            "an hour at",
            "rent",
            "rental",
            "rental price",
            "hourly cost",
            "hourly rate",
            "rate per hour",
            "cost an hour",
            "an hour of",
            "an hour on",
            "cost of an hour",
            "cost of one hour",
            "price of an hour",
            "one hour of",
        ],
    ),
    (
        NamedQuantity::always(&[F(Fact::ActiveParameters), F(Fact::Parameters)]),
        &["active parameters", "activated parameters", "active params"],
    ),
    (
        NamedQuantity::always(&[F(Fact::Parameters)]),
        &[
            "parameters",
            "params",
            "number of parameters",
            "number of params",
            "param count",
            "params count",
            "parameter count",
            "weights",
            "number of weights",
            "model size",
        ],
    ),
    // Of what the size is, what else is named says.
    (
        NamedQuantity {
            classes: &[F(Fact::TrainSize), F(Fact::TestSize), F(Fact::Classes)],
            devices: &[F(Fact::Memory)],
            networks: &[F(Fact::Parameters)],
            measured: &[F(Fact::TrainSize), F(Fact::TestSize), F(Fact::Classes)],
            ..NamedQuantity::NONE
        },
        &["size"],
    ),
    (
        NamedQuantity {
            networks: &[F(Fact::Parameters)],
            measured: &[F(Fact::TrainSize), F(Fact::TestSize), F(Fact::Classes)],
            ..NamedQuantity::NONE
        },
        &[
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
    (
        NamedQuantity { datasets: &[F(Fact::TestSize)], ..NamedQuantity::NONE },
        &["validation set", "validation images", "validation samples", "validation split", "val set", "test split"],
    ),
    (
        NamedQuantity::always(&[F(Fact::Classes), F(Fact::TrainSize), F(Fact::TestSize)]),
        &[
            "classes and images",
            "classes and samples",
            "classes and training images",
            "classes and training samples",
            "how many classes and images",
            "how many classes and samples",
            "how many classes and training images",
            "how many images and classes",
            "how many samples and classes",
            "images and classes",
            "samples and classes",
        ],
    ),
    (NamedQuantity::always(&[F(Fact::Classes)]), &["number of classes", "how many classes", "classes"]),
    (
        NamedQuantity::always(&[F(Fact::TrainSize)]),
        &[
            "training samples",
            "training images",
            "training pictures",
            "training photos",
            "training examples",
            "training sentences",
            "training pairs",
            "training set size",
            "training dataset size",
            "training data size",
            "training data set size",
            "size of the training set",
            "size of the training data",
            "dataset size",
            "data set size",
        ],
    ),
    (
        NamedQuantity::always(&[F(Fact::MultiplyAdds)]),
        &[
            "macs",
            "multiply adds",
            "multiply accumulates",
            "gmacs",
            "mult adds",
            "madds",
            "flops per forward pass",
            "gflops per forward pass",
            "flops per image",
            "gflops per image",
            "flops per inference",
            "gflops per inference",
            "macs per image",
            "macs per inference",
            "operations per image",
            "operations per inference",
            "flop count",
            "number of flops",
        ],
    ),
    (
        NamedQuantity::always(&[F(Fact::InputShape)]),
        &["input size", "input shape", "input resolution", "image size", "resolution"],
    ),
    (
        NamedQuantity::always(&[F(Fact::Architecture)]),
        &[
            "architecture",
            "microarchitecture",
            "micro-architecture",
            "gpu architecture",
            "chip generation",
            "what generation",
            "which generation",
        ],
    ),
    (
        NamedQuantity {
            networks: &[F(Fact::Published)],
            frameworks: &[F(Fact::FirstRelease)],
            measured: &[F(Fact::Released)],
            ..NamedQuantity::NONE
        },
        &[
            "release date",
            "released",
            "release year",
            "come out",
            "came out",
            "launched",
            "launch date",
            "announced",
            "and when",
            "introduced",
            "unveiled",
            "created",
            "founded",
            "how old",
        ],
    ),
    (NamedQuantity::always(&[F(Fact::FirstRelease)]), &["first release", "first released", "initial release"]),
    (NamedQuantity::always(&[F(Fact::Vendor)]), &["vendor", "manufacturer", "maker", "who manufactures"]),
    (
        NamedQuantity { devices: &[F(Fact::Vendor)], measured: &[F(Fact::Steward)], ..NamedQuantity::NONE },
        &[
            "who makes",
            "who made",
            "who develops",
            "who developed",
            "who created",
            "who maintains",
            "who is behind",
            "company behind",
            "which company is behind",
            "what company is behind",
            "which company",
            "what company",
            "by whom",
            "by which company",
            "by what company",
            "who built",
            "who released",
            "who published",
            "who launched",
            "who introduced",
            "who builds",
            "who owns",
            "steward",
            "maintainer",
            "maintained by",
            "developed by",
            "by whom",
            "and by whom",
            "who released",
            "who wrote",
        ],
    ),
    (
        NamedQuantity::always(&[F(Fact::License)]),
        &[
            "license",
            "licence",
            "licenses",
            "licences",
            "licensed",
            "license type",
            "licence type",
            "licensing",
            "open source license",
            "commercially",
            "commercial use",
            "for commercial use",
            "free for commercial use",
            "allowed for commercial use",
            "ok for commercial use",
            "free to use",
            "free to use commercially",
        ],
    ),
    (
        NamedQuantity::always(&[F(Fact::CoreLanguage)]),
        &["core language", "core languages", "core codes", "core code", "written in", "implemented in"],
    ),
    (
        NamedQuantity::always(&[F(Fact::CoreLanguage), F(Fact::ApiLanguage)]),
        &[
            "programming language",
            "implementation language",
            "what language is",
            "which language is",
            "in what language is",
            "in which language is",
        ],
    ),
    (
        NamedQuantity::always(&[F(Fact::ApiLanguage)]),
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
        NamedQuantity::always(&[F(Fact::Hardware)]),
        &["compatible hardware", "supported hardware", "hardware support", "what hardware", "supported devices"],
    ),
    (
        NamedQuantity { frameworks: &[F(Fact::MultiServer)], ..NamedQuantity::NONE },
        &[
            "support multi server",
            "support distributed",
            "support multi node",
            "support distributed training",
            "distributed training support",
            "support multiple servers",
            "support multiple machines",
            "multi server support",
            "multi node support",
            "use several servers",
            "use multiple servers",
            "use more than one server",
            "use several machines",
            "use multiple machines",
            "use several nodes",
            "use multiple nodes",
            "able to use several servers",
            "able to use multiple servers",
            "able to use several machines",
            "able to use multiple machines",
            "run on several servers",
            "run on more than one server",
            "runs on more than one server",
            "run on more than one machine",
            "runs on more than one machine",
            "run on more than one node",
            "work on more than one server",
            "work on more than one machine",
            "run on multiple servers",
            "train on multiple servers",
            "train on several servers",
            "train on multiple machines",
            "train on several machines",
            "train on multiple nodes",
            "train on several nodes",
            "train across multiple servers",
            "train across multiple machines",
            "train across multiple nodes",
            "train across servers",
            "train across machines",
            "train across nodes",
            "train on more than one server",
            "train on more than one machine",
            "do distributed training",
            "do multi node training",
            "do multi-node training",
            "do multi server training",
            "run distributed training",
            "distribute training",
            "run on multiple machines",
            "run on several machines",
            "run on multiple nodes",
            "run across machines",
            "scale across machines",
            "scale across servers",
            "stability",
        ],
    ),
    (
        NamedQuantity { frameworks: &[F(Fact::TestedNetwork)], ..NamedQuantity::NONE },
        &[
            "tested networks",
            "networks tested by",
            "networks tested",
            "tested deep learning networks",
            "networks was",
            "officially tested networks",
        ],
    ),
    (
        NamedQuantity::always(&[F(Fact::TestedDataset)]),
        &["tested datasets", "tested data sets", "datasets tested by", "datasets tested", "related datasets"],
    ),
    (NamedQuantity::always(&[F(Fact::Maturity)]), &["status", "maturity", "alive", "development status"]),
    (NamedQuantity::always(&[F(Fact::Task)]), &["task", "used for", "what for"]),
    (
        NamedQuantity {
            devices: &[F(Fact::Released)],
            frameworks: &[F(Fact::FirstRelease)],
            networks: &[F(Fact::Published)],
            measured: &[F(Fact::Published)],
            ..NamedQuantity::NONE
        },
        &["year of introduction", "introduction year", "year of publication", "year of release", "year it came out"],
    ),
    (NamedQuantity::always(&[F(Fact::Published)]), &["published", "publication year", "paper year"]),
    (
        NamedQuantity::always(&[F(Fact::Cores)]),
        &["cores", "cuda cores", "number of cores", "how many cores", "stream processors"],
    ),
    (NamedQuantity::always(&[F(Fact::TensorCores)]), &["tensor cores", "matrix units"]),
    (NamedQuantity::always(&[F(Fact::Process)]), &["process node", "nanometres", "nanometers", "lithography"]),
    (
        NamedQuantity::always(&[F(Fact::BoostClock), F(Fact::BaseClock)]),
        &["clock", "clock speed", "clocks", "frequency"],
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
