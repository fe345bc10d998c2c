//! Words for groups of hardware that are no class of the catalog: phones, edge boards, data-centre GPUs, ARM cores.

use crate::ask::question::vocabulary::meaning::Meaning;
use crate::model::Facet;

use Meaning::{NamesAny, NamesLike};

/// GPUs that are built for data centres, and further patterns behind them.
macro_rules! data_centre_gpus {
    ($($further:literal),*) => {
        &[
            "tesla*", "a10", "a10g", "a30*", "a40", "a100*", "h100*", "h200*", "h20-*", "gh200*", "b200*", "b300*",
            "gb200*", "gb300*", "l4", "l40*", "nvidia-a2", "nvidia-a16", "grid-*", "instinct*", "radeon-instinct*",
            "data-center-gpu-*", $($further),*
        ]
    };
}

/// Phrases and what they mean.
pub(super) const PHRASES: &[(Meaning, &[&str])] = &[
    // What a core is built for says what it is a core of.
    (
        NamesAny(
            Facet::Architecture,
            &[
                "Cortex-M0",
                "Cortex-M3",
                "Cortex-M4",
                "Cortex-M7",
                "Cortex-M33",
                "Cortex-M55",
                "RXv2",
                "RISC-V RV32IMACP",
            ],
        ),
        &["microcontroller", "microcontrollers", "micro controller", "micro controllers", "mcu", "mcus"],
    ),
    // The suite of MLPerf is for whatever runs on a few milliwatts: microcontrollers, accelerators of their size, small FPGAs.
    (NamesLike(Facet::Source, &["mlperf-tiny-*"]), &["tinyml", "tiny ml", "mlperf tiny"]),
    (
        NamesLike(
            Facet::Device,
            &[
                "snapdragon-4*",
                "snapdragon-6*",
                "snapdragon-7*",
                "snapdragon-8*",
                "kirin*",
                "dimensity*",
                "helio*",
                "exynos*",
                "apple-a*",
                "google-tensor*",
                "pixel*",
                "iphone*",
                "galaxy*",
            ],
        ),
        &[
            "phone",
            "phones",
            "smartphone",
            "smartphones",
            "mobile",
            "mobile phone",
            "mobile phones",
            "cell phone",
            "handset",
            "android",
            "android phone",
            "android phones",
            "ios",
        ],
    ),
    (
        NamesLike(
            Facet::Device,
            &[
                "jetson*",
                "coral*",
                "hailo*",
                "raspberry-pi*",
                "rockchip*",
                "rdk*",
                "axera*",
                "kria*",
                "radxa*",
                "sophgo*",
                "cvitek*",
                "syntiant-*",
                "qualcomm-cloud-ai-100-dm*",
            ],
        ),
        &[
            "edge",
            "edge device",
            "edge devices",
            "at the edge",
            "on the edge",
            "edge hardware",
            "edge computing",
            "embedded",
            "embedded devices",
            "embedded boards",
            "embedded systems",
            "edge accelerators",
        ],
    ),
    (
        NamesLike(Facet::Device, &["raspberry-pi*", "rockchip*", "radxa*", "rdk*"]),
        &[
            "single-board computer",
            "single-board computers",
            "single board computer",
            "single board computers",
            "sbc",
            "sbcs",
        ],
    ),
    (
        NamesLike(Facet::Device, &["geforce*", "radeon-rx*", "titan*"]),
        &[
            "consumer",
            "consumer gpu",
            "consumer gpus",
            "consumer card",
            "consumer cards",
            "consumer-grade",
            "consumer grade",
            "gaming gpu",
            "gaming gpus",
            "gaming card",
            "gaming cards",
        ],
    ),
    (
        NamesLike(Facet::Device, data_centre_gpus!()),
        &[
            "datacenter gpu",
            "datacenter gpus",
            "datacenter card",
            "datacenter cards",
            "data center gpu",
            "data center gpus",
            "data centre gpu",
            "data centre gpus",
            "server gpu",
            "server gpus",
            "server cards",
        ],
    ),
    // Of any class, and not of GPUs alone.
    (
        NamesLike(
            Facet::Device,
            data_centre_gpus!(
                "gaudi*",
                "habana-*",
                "aws-inferentia*",
                "aws-trainium*",
                "tpu*",
                "qualcomm-cloud-ai-100*",
                "!qualcomm-cloud-ai-100-dm*",
                "ipu-*",
                "bow-*",
                "sn40l",
                "alveo-*",
                "ascend-910*",
                "hanguang-*",
                "untether-*"
            ),
        ),
        &[
            "datacenter",
            "datacenters",
            "datacentre",
            "datacentres",
            "data center",
            "data centers",
            "data centre",
            "data centres",
            "data center line",
            "data center series",
            "data center hardware",
            "data center chips",
            "data center accelerators",
            "datacentre cards",
        ],
    ),
    (
        NamesLike(
            Facet::Device,
            &["quadro*", "rtx-a*", "rtx-*-ada*", "rtx-pro-*", "radeon-pro-*", "arc-pro-*", "radeon-ai-pro*"],
        ),
        &[
            "workstation card",
            "workstation cards",
            "workstation gpu",
            "workstation gpus",
            "workstation graphics",
            "professional card",
            "professional cards",
            "professional gpu",
            "professional gpus",
            "pro cards",
            "pro gpus",
        ],
    ),
    // A card for workstations is called so, too.
    (
        NamesLike(Facet::Device, &["*laptop*", "*max-q*", "!*rtx-pro-*max-q*"]),
        &["laptop", "laptops", "notebook", "notebooks"],
    ),
    // What the catalog says to have such cores.
    (
        NamesLike(
            Facet::Device,
            &[
                "spacemit-*",
                "starfive-*",
                "hifive-*",
                "dc-roma-*",
                "k1-board",
                "andescore-*",
                "allwinner-d1*",
                "thead-th*",
                "cvitek-sg*",
                "!spacemit-*gpu*",
                "!starfive-*gpu*",
                "!thead-*gpu*",
            ],
        ),
        &["riscv", "risc-v", "risc v", "riscv boards", "riscv chips", "risc-v boards", "risc-v chips", "risc-v cpus"],
    ),
    // What Apple builds into its desktop for studios.
    (
        NamesLike(
            Facet::Device,
            &[
                "apple-m1-max*",
                "apple-m2-max*",
                "apple-m4-max*",
                "apple-m1-ultra*",
                "apple-m2-ultra*",
                "apple-m3-ultra*",
            ],
        ),
        &["mac studio", "mac studios", "apple mac studio"],
    ),
    (NamesLike(Facet::Device, &["apple-m*"]), &["macbook", "macbooks", "apple silicon", "imac", "mac mini"]),
    (
        NamesLike(Facet::Architecture, &["cortex-a*", "neoverse*", "kryo*", "carmel", "denver*", "oryon", "ftc66*"]),
        &["arm", "arm cpu", "arm cpus", "arm processors", "arm cores", "arm64", "aarch64"],
    ),
    (
        Meaning::NamesNearest(Facet::Hardware, "gpu"),
        &[
            "cuda support",
            "nvidia support",
            "nvidia gpu support",
            "rocm support",
            "support cuda",
            "supports cuda",
            "support nvidia gpus",
            "supports nvidia gpus",
        ],
    ),
];
