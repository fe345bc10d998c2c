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
    (
        NamedQuantity::always(&[G("die-size")]),
        &[
            "die size",
            "die sizes",
            "dies",
            "big are the dies",
            "how big are the dies",
            "how large are the dies",
            "how big is the die",
            "chip size",
            "die area",
            "chip area",
            "die density",
        ],
    ),
    (
        NamedQuantity::always(&[G("research-costs")]),
        &[
            "research costs",
            "research cost",
            "costs in research",
            "cost in research",
            "costs more in research",
            "cost more in research",
            "costs most in research",
            "cost of research",
            "costs of research",
            "expensive in research",
            "expensive to research",
            "research budget",
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
            "cheap prototype",
            "cheap to prototype",
            "cheapest to prototype",
            "prototyping cost",
            "prototyping costs",
            "cheapest to develop",
            "cheaper to develop",
            "cheap to design",
            "cheapest to design",
            "expensive to design",
            "most expensive to develop",
            "development budget",
            "developing one costs",
            "developing one cost",
            "developing one is",
            "developing it costs",
            "developing them costs",
            "developing such a chip costs",
            "developing an asic costs",
            "developing one costs millions",
            "developing it costs millions",
            "developing them costs millions",
            "costs millions to develop",
            "cost millions to develop",
            "costs to develop",
            "costs a lot to develop",
            "cost a lot to develop",
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
            "riskier",
            "riskiest",
            "riskiest to develop",
            "safest to develop",
            "safe to develop",
            "safest",
            "safer to develop",
            "developing an own chip",
            "developing a chip",
            "developing your own chip",
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
            "can be changed",
            "can be changed in the field",
            "can be changed later",
            "changed after production",
            "field programmable",
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
            "cheap to make",
            "cheapest to make",
            "cheap to produce",
            "cheapest to produce",
            "cheap to manufacture",
            "cheapest to manufacture",
            "cheap in volume",
            "cheapest in volume",
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
        &[
            "ubicomp",
            "ubiquitous computing",
            "pervasive computing",
            "range of uses",
            "usable everywhere",
            "used everywhere",
            "everywhere",
            "widest range of uses",
        ],
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
            "quickest to market",
            "fastest to market",
            "quicker to market",
            "faster to market",
            "soonest to market",
            "slow to market",
            "slowest to market",
            "on the market",
            "to market",
            "reach the market",
            "get to market",
            "bring to market",
            "brought to market",
            "market launch",
            "quick launch",
            "quick to launch",
            "quickest to launch",
            "fast launch",
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

/// What is done to a device in the field, and that it is done: how easy that is, is its upgradability.
const UPGRADES: &[(&str, &str)] = &[
    ("upgrade", "upgraded"),
    ("update", "updated"),
    ("reprogram", "reprogrammed"),
    ("reconfigure", "reconfigured"),
    ("modify", "modified"),
];

/// What stands in front of it where it is graded.
const EASE: &[&str] =
    &["easy to ", "easier to ", "easiest to ", "hard to ", "harder to ", "hardest to ", "difficult to "];
const ABLE: &[&str] = &["can be ", "could be ", "be "];

/// What a cost of research is said to be: how dear it is, or how much.
const DEARNESS: &[&str] = &["expensive", "costly", "pricey", "dear", "cheap", "cheaper", "cheapest", "affordable"];

/// What is done in research, in front of which a dearness or a cost stands.
const RESEARCH: &[&str] = &[
    "to research",
    "to do research",
    "to do research with",
    "to do research on",
    "to conduct research",
    "to research with",
    "for research",
    "in research",
    "research",
    "is research",
    "is research with",
    "is research on",
    "is it to research",
    "is it to do research",
    "is it to do research with",
    "is it to do research on",
    "is developing",
    "is development",
    "to prototype",
    "is it to prototype",
    "to do r&d",
    "is r&d",
    "to experiment with",
];

/// What costs are asked of in other words.
const COSTS_OF_RESEARCH: &[&str] = &[
    "cost of doing research",
    "costs of doing research",
    "cost to do research",
    "cost to research",
    "research expenses",
    "research expense",
    "price of research",
    "cost of r&d",
    "costs of r&d",
];

/// `costly to do research`, `expensive is research with`: what a chip costs is another thing.
pub(super) fn research_costs() -> impl Iterator<Item = String> {
    let of_dearness =
        DEARNESS.iter().flat_map(|dear| RESEARCH.iter().map(move |research| format!("{dear} {research}")));
    of_dearness.chain(COSTS_OF_RESEARCH.iter().map(|cost| (*cost).to_owned()))
}

/// What stands behind it where that is graded.
const EASILY: &[&str] =
    &[" easily", " easier", " easiest", " more easily", " most easily", " better", " best", " worst"];

/// `easy to reprogram`, `can be reconfigured`, `upgrade easier`.
pub(super) fn upgrades() -> impl Iterator<Item = String> {
    UPGRADES.iter().flat_map(|(verb, done)| {
        let easy = EASE.iter().map(move |ease| format!("{ease}{verb}"));
        let easily = EASILY.iter().map(move |easily| format!("{verb}{easily}"));
        easy.chain(easily).chain(ABLE.iter().map(move |able| format!("{able}{done}")))
    })
}
