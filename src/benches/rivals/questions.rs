//! The 20 questions: as they are asked of dlbench, and what they need in terms that can be said to any other tool.

/// A column of the rows, as the rivals have them.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Column {
    License,
    MultiServer,
    Device,
    Class,
    Vendor,
    Network,
    Stage,
    Precision,
    BatchSize,
    Year,
    LatencyMs,
    ThroughputPerS,
    EpochS,
}

/// What a row must be like.
#[derive(Debug, Clone, Copy)]
pub enum Need {
    /// One of these values.
    One(Column, &'static [&'static str]),
    /// A device or network, or what descends from it.
    Family(Column, &'static str),
    /// A framework in front or behind.
    Framework(&'static str),
    /// The words one after the other, in lower case.
    Words(&'static str),
    /// A number from one value to another, both included.
    Between(Column, f64, f64),
    /// A larger number.
    Above(Column, f64),
    /// A smaller number.
    Below(Column, f64),
    /// One of these.
    Any(&'static [Need]),
    /// None of these.
    Not(&'static Need),
}

/// A question and its order.
pub struct Question {
    /// As it is typed.
    pub ask: &'static str,
    /// Whether it finds hundreds or thousands of a million rather than a tenth of them and more.
    pub selective: bool,
    /// All of these hold; the first one is what a person would grep for.
    pub needs: &'static [Need],
    pub sort: Column,
    pub descending: bool,
}

use Column::*;
use Need::*;

const FP16: &[&str] = &["fp16", "amp-fp16"];

/// Ten selective questions, then ten broad ones.
pub const QUESTIONS: &[Question] = &[
    Question {
        ask: "fp16 V100 resnet152 sort:-throughput",
        selective: true,
        needs: &[Family(Network, "resnet-152"), Family(Device, "tesla-v100"), One(Precision, FP16)],
        sort: ThroughputPerS,
        descending: true,
    },
    Question {
        ask: "bert-large t4 sort:latency",
        selective: true,
        needs: &[Family(Network, "bert-large"), Family(Device, "tesla-t4")],
        sort: LatencyMs,
        descending: false,
    },
    Question {
        ask: "vgg16 2080 ti train sort:latency",
        selective: true,
        needs: &[Family(Network, "vgg-16"), Family(Device, "geforce-rtx-2080-ti"), One(Stage, &["train"])],
        sort: LatencyMs,
        descending: false,
    },
    Question {
        ask: "resnet-50 a100 stage:train batch>=128 sort:-throughput",
        selective: true,
        needs: &[
            Family(Network, "resnet-50"),
            Family(Device, "a100"),
            One(Stage, &["train"]),
            Between(BatchSize, 128.0, f64::INFINITY),
        ],
        sort: ThroughputPerS,
        descending: true,
    },
    Question {
        ask: "squeezenet zcu102 sort:latency",
        selective: true,
        needs: &[Family(Network, "squeezenet"), Family(Device, "zcu102")],
        sort: LatencyMs,
        descending: false,
    },
    Question {
        ask: "(titan v OR 1080 ti) vgg16 -framework:caffe2 sort:latency",
        selective: true,
        needs: &[
            Family(Network, "vgg-16"),
            Any(&[Family(Device, "titan-v"), Family(Device, "geforce-gtx-1080-ti")]),
            Not(&Framework("caffe2")),
        ],
        sort: LatencyMs,
        descending: false,
    },
    Question {
        ask: "llama-3-8b decode sort:-throughput",
        selective: true,
        needs: &[Family(Network, "llama-3-8b"), One(Stage, &["decode"])],
        sort: ThroughputPerS,
        descending: true,
    },
    Question {
        ask: "transformer-xl-base v100 precision:amp-fp16 sort:-throughput",
        selective: true,
        needs: &[Family(Network, "transformer-xl-base"), Family(Device, "tesla-v100"), One(Precision, &["amp-fp16"])],
        sort: ThroughputPerS,
        descending: true,
    },
    Question {
        ask: "\"Vulkan device 0\" sort:latency",
        selective: true,
        needs: &[Words("vulkan device 0")],
        sort: LatencyMs,
        descending: false,
    },
    Question {
        ask: "keras train sort:epoch-s",
        selective: true,
        needs: &[Framework("keras"), One(Stage, &["train"])],
        sort: EpochS,
        descending: false,
    },
    Question {
        ask: "pytorch eval sort:-throughput",
        selective: false,
        needs: &[Framework("pytorch"), One(Stage, &["eval"])],
        sort: ThroughputPerS,
        descending: true,
    },
    Question {
        ask: "class:gpu sort:-throughput",
        selective: false,
        needs: &[One(Class, &["gpu"])],
        sort: ThroughputPerS,
        descending: true,
    },
    Question {
        ask: "fp16 gpu sort:-throughput",
        selective: false,
        needs: &[One(Precision, FP16), One(Class, &["gpu"])],
        sort: ThroughputPerS,
        descending: true,
    },
    Question {
        ask: "vendor:nvidia eval batch:8..256 sort:-throughput",
        selective: false,
        needs: &[One(Vendor, &["NVIDIA"]), One(Stage, &["eval"]), Between(BatchSize, 8.0, 256.0)],
        sort: ThroughputPerS,
        descending: true,
    },
    Question {
        ask: "license:apache-2.0 sort:-throughput",
        selective: false,
        needs: &[One(License, &["Apache-2.0"])],
        sort: ThroughputPerS,
        descending: true,
    },
    Question {
        ask: "multi-server:yes class:gpu eval sort:latency",
        selective: false,
        needs: &[One(MultiServer, &["yes"]), One(Class, &["gpu"]), One(Stage, &["eval"])],
        sort: LatencyMs,
        descending: false,
    },
    Question {
        ask: "year:2020.. throughput>1000 sort:-throughput",
        selective: false,
        needs: &[One(Year, &["2020", "2021", "2022", "2023", "2024", "2025", "2026"]), Above(ThroughputPerS, 1000.0)],
        sort: ThroughputPerS,
        descending: true,
    },
    Question {
        ask: "-device:geforce-rtx-3090 precision:amp-fp16 sort:-throughput",
        selective: false,
        needs: &[One(Precision, &["amp-fp16"]), Not(&Family(Device, "geforce-rtx-3090"))],
        sort: ThroughputPerS,
        descending: true,
    },
    Question {
        ask: "(pytorch OR tensorflow) latency<20 sort:latency",
        selective: false,
        needs: &[Any(&[Framework("pytorch"), Framework("tensorflow")]), Below(LatencyMs, 20.0)],
        sort: LatencyMs,
        descending: false,
    },
    Question {
        ask: "compiled pytorch sort:-throughput",
        selective: false,
        needs: &[Words("compiled"), Framework("pytorch")],
        sort: ThroughputPerS,
        descending: true,
    },
];

impl Column {
    /// Its name in every tool.
    pub fn name(self) -> &'static str {
        match self {
            License => "license",
            MultiServer => "multi_server",
            Device => "device",
            Class => "class",
            Vendor => "vendor",
            Network => "network",
            Stage => "stage",
            Precision => "precision",
            BatchSize => "batch_size",
            Year => "year",
            LatencyMs => "latency_ms",
            ThroughputPerS => "throughput_per_s",
            EpochS => "epoch_s",
        }
    }
}

/// The columns whose values every answer counts.
pub const FACETS: &[&str] = &["source", "framework", "device", "network", "stage", "precision"];

/// How many rows an answer shows.
pub const SHOWN: usize = 20;
