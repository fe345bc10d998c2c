//! Methods of measuring: the runner's own, and those of sources by name.

use super::stats::{quantile, sorted};
use super::stop_rule::RunLimits;
use super::stop_rule::StopRule;
use crate::values::{Protocol, Stage};
use dlbench_protocol::{IterationUnit, SgdUpdate};

/// How one configuration is measured.
#[derive(Debug, Clone, PartialEq)]
pub struct TimingMethod {
    /// The name that is recorded; the runner's own has none.
    pub name: Option<Protocol>,
    /// What it is, for people.
    pub about: &'static str,
    /// When warm-up ends.
    pub warm_up: WarmUp,
    /// When there are enough samples.
    pub stop: StopRule,
    /// Fresh processes of each configuration.
    pub processes: u32,
    /// Whether the value of a process is the mean of its samples, rather than the median.
    pub mean: bool,
    /// How training changes the weights.
    pub update: Option<SgdUpdate>,
    /// What an iteration is.
    pub unit: IterationUnit,
    /// Whether the row's value is the total of all iterations, with the error rate after them.
    pub total: bool,
}

/// When warm-up ends.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum WarmUp {
    /// When the times have no trend any more.
    Steady,
    /// After so many iterations.
    Fixed(u32),
    /// After this many samples have gone through, in whole batches.
    Samples(u32),
}

/// The runner's own method.
pub const OWN: TimingMethod = TimingMethod {
    name: None,
    about: "5 fresh processes in mixed order, each warmed up until its times have no trend, then sampled until its median is \
            known; more processes until the 95% interval of their mean is narrow; training updates the weights",
    warm_up: WarmUp::Steady,
    stop: StopRule::Interval,
    processes: 5,
    mean: false,
    update: Some(SgdUpdate { rate: 0.01, momentum: 0.9, decay: 0.0 }),
    unit: IterationUnit::Batch,
    total: false,
};

/// The methods of sources.
pub const NAMED: &[TimingMethod] = &[
    TimingMethod {
        name: Some(Protocol::U39kun2018),
        about: "20 iterations of warm-up, mean of 20; training is a forward and a backward pass without update",
        warm_up: WarmUp::Fixed(20),
        stop: StopRule::Fixed(20),
        processes: 1,
        mean: true,
        update: None,
        unit: IterationUnit::Batch,
        total: false,
    },
    TimingMethod {
        name: Some(Protocol::Benchmarker),
        about: "mean time of a step while going once over 1,024 made-up samples, after as many of warm-up; SGD at a fixed rate",
        warm_up: WarmUp::Samples(1024),
        stop: StopRule::Samples(1024),
        processes: 1,
        mean: true,
        update: Some(SgdUpdate { rate: 0.001, momentum: 0.0, decay: 0.0 }),
        unit: IterationUnit::Batch,
        total: false,
    },
    TimingMethod {
        name: Some(Protocol::BenchmDl),
        about: "total time of 10 epochs of training on real data (SGD 0.05, momentum 0.9, decay 1e-5), then the error rate",
        warm_up: WarmUp::Fixed(0),
        stop: StopRule::Fixed(10),
        processes: 1,
        mean: false,
        update: Some(SgdUpdate { rate: 0.05, momentum: 0.9, decay: 1e-5 }),
        unit: IterationUnit::Epoch,
        total: true,
    },
];

impl TimingMethod {
    /// The method of that name.
    pub fn named(name: Protocol) -> &'static Self {
        NAMED.iter().find(|method| method.name == Some(name)).unwrap_or(&OWN)
    }

    /// The method of a known measurement's source, where there is one by name.
    pub fn of_source(source: &str) -> Option<&'static Self> {
        match source {
            "u39kun-2018" => Some(Self::named(Protocol::U39kun2018)),
            "undertherain-2021" => Some(Self::named(Protocol::Benchmarker)),
            "szilard-2017" => Some(Self::named(Protocol::BenchmDl)),
            _ => None,
        }
    }

    /// Fresh processes of each configuration, unless a person wants another number.
    pub fn processes(&self, limits: &RunLimits) -> usize {
        limits.processes.unwrap_or(self.processes).max(1) as usize
    }

    /// The level of one process, from its samples: their median, their mean, or their sum where the whole task counts.
    pub fn level(&self, samples: &[f64]) -> f64 {
        let sum: f64 = samples.iter().sum();
        match (self.total, self.mean) {
            (true, _) => sum,
            (false, true) => sum / samples.len() as f64,
            (false, false) => quantile(&sorted(samples), 0.5),
        }
    }

    /// Why a stage cannot be measured this way.
    pub fn objection(&self, stage: Stage) -> Option<String> {
        let name = self.name?;
        (self.total && stage != Stage::Train)
            .then(|| format!("the protocol {name} is one of training, not of `{stage}`"))
    }
}

impl WarmUp {
    /// Iterations that are fixed beforehand.
    pub fn count(self, batch: u32) -> Option<u32> {
        match self {
            Self::Steady => None,
            Self::Fixed(count) => Some(count),
            Self::Samples(samples) => Some(samples.div_ceil(batch)),
        }
    }
}

#[cfg(test)]
mod tests {
    use strum::VariantArray as _;

    use super::*;

    #[test]
    fn every_protocol_has_its_method() {
        for &name in Protocol::VARIANTS {
            assert_eq!(TimingMethod::named(name).name, Some(name));
        }
    }
}
