//! The metrics by which classes of hardware are graded, by the words that people use for them.

use super::meaning::{NamedQuantity, StaticQuantity};
use crate::model::{Derived, Fact, Metric};

use StaticQuantity::{Derived as D, Fact as F, Grade as G, MemoryFit, Metric as M};

/// Names of grades.
pub(super) const NAMES: &[(NamedQuantity, &[&str])] = &[
    (
        NamedQuantity { classes: &[G("computing-performance")], ..NamedQuantity::NONE },
        &["computing performance", "compute performance", "computing power", "compute power", "arithmetic performance"],
    ),
    (
        NamedQuantity::grade(&[G("low-latency")], &[M(Metric::LatencyMs)]),
        &["low latency", "short latency", "low latencies", "responsiveness", "responsive", "quick response"],
    ),
    (
        NamedQuantity::always(&[G("compatibility")]),
        &["compatibility", "compatible", "software compatibility", "framework compatibility"],
    ),
    (NamedQuantity::always(&[G("die-size")]), &["die size", "chip size", "die area", "chip area", "die density"]),
    (
        NamedQuantity::always(&[G("research-costs")]),
        &[
            "research costs",
            "research cost",
            "cost of developing",
            "costs of developing",
            "cost of development",
            "expensive to develop",
            "expensive is it to develop",
            "costly is it to develop",
            "much does it cost to develop",
            "costly to develop",
            "cheap to develop",
            "expensive development",
            "cost to develop",
            "development effort",
            "development cost",
            "development costs",
            "r&d cost",
            "r&d costs",
            "nre",
            "nre cost",
        ],
    ),
    (
        NamedQuantity::always(&[G("research-risks")]),
        &[
            "research risks",
            "research risk",
            "risks of developing",
            "risk of developing",
            "risky to develop",
            "risky is it to develop",
            "risk of failure",
            "risk of development",
            "risks of development",
            "development risk",
            "development risks",
            "r&d risk",
            "risk",
            "risks",
            "risky",
        ],
    ),
    (
        NamedQuantity::always(&[G("upgradability")]),
        &[
            "upgradability",
            "upgradeability",
            "upgradable",
            "upgradeable",
            "reprogrammable",
            "easy to upgrade",
            "reconfigurable",
            "reconfigurability",
            "flexible",
            "flexibility",
            "upgrade",
            "upgraded",
        ],
    ),
    (
        NamedQuantity {
            classes: &[G("scalability")],
            measured: &[D(Derived::ScalingEfficiency)],
            ..NamedQuantity::NONE
        },
        &[
            "scalability",
            "scalable",
            "scale badly",
            "scale best",
            "scales best",
            "scale worst",
            "scales worst",
            "scales the best",
            "scales badly",
            "scale poorly",
            "scales poorly",
            "scale well",
            "scales well",
            "scale good",
            "easy to scale",
            "hard to scale",
        ],
    ),
    (
        NamedQuantity {
            classes: &[G("chip-price")],
            devices: &[F(Fact::LaunchPrice)],
            measured: &[G("chip-price")],
            ..NamedQuantity::NONE
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
    (
        NamedQuantity {
            classes: &[G("chip-price")],
            devices: &[F(Fact::LaunchPrice)],
            measured: &[M(Metric::CostUsd)],
            ..NamedQuantity::NONE
        },
        &[
            "expensive",
            "pricey",
            "costly",
            "expensive chip",
            "expensive chips",
            "cheap chip",
            "cheap chips",
            "expensive as a chip",
        ],
    ),
    (
        NamedQuantity::always(&[G("ubicomp")]),
        &["ubicomp", "ubiquitous computing", "pervasive computing", "range of uses"],
    ),
    (
        NamedQuantity::always(&[G("time-to-market")]),
        &[
            "time to market",
            "time-to-market",
            "quick to market",
            "development time",
            "time2market",
            "time 2 market",
            "ttm",
            "fast to market",
            "speed to market",
            "time to develop",
            "design time",
        ],
    ),
    (
        NamedQuantity::always(&[MemoryFit]),
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
