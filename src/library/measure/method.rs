//! Timing methods: the runner's own, and the protocols of sources.

use super::stats::{quantile, sorted};
use super::stop_rule::RunLimits;
use super::stop_rule::StopRule;
use crate::values::{Protocol, Stage};
use dlbench_protocol::{IterationUnit, SgdUpdate};

/// How one configuration is measured.
#[derive(Debug, Clone, PartialEq)]
pub struct TimingMethod {
    /// The protocol name that is recorded; `None` for the runner's own method.
    pub name: Option<Protocol>,
    /// A description for people.
    pub about: &'static str,
    /// When warm-up ends.
    pub warm_up: WarmUp,
    /// When a process has enough samples.
    pub stop: StopRule,
    /// Number of fresh processes per configuration.
    pub processes: u32,
    /// Whether the value of a process is the mean of its samples instead of the median.
    pub mean: bool,
    /// How training changes the weights.
    pub update: Option<SgdUpdate>,
    /// The unit of an iteration: a batch or an epoch.
    pub unit: IterationUnit,
    /// Whether the row's value is the total time of all iterations, and the error rate is measured after them.
    pub total: bool,
}

/// When warm-up ends.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum WarmUp {
    /// When the times no longer have a trend.
    Steady,
    /// After this number of iterations.
    Fixed(u32),
    /// After this many samples, rounded up to whole batches.
    Samples(u32),
}

/// The runner's own method.
pub const OWN_METHOD: TimingMethod = TimingMethod {
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

/// The protocols of sources.
pub const SOURCE_METHODS: &[TimingMethod] = &[
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
    /// The method with this name.
    pub fn named(name: Protocol) -> &'static Self {
        SOURCE_METHODS.iter().find(|method| method.name == Some(name)).unwrap_or(&OWN_METHOD)
    }

    /// The protocol of a source, if it has one.
    pub fn of_source(source: &str) -> Option<&'static Self> {
        match source {
            "u39kun-2018" => Some(Self::named(Protocol::U39kun2018)),
            "undertherain-2021" => Some(Self::named(Protocol::Benchmarker)),
            "szilard-2017" => Some(Self::named(Protocol::BenchmDl)),
            _ => None,
        }
    }

    /// Number of fresh processes per configuration: the user's choice, else that of the method.
    pub fn processes(&self, limits: &RunLimits) -> usize {
        limits.processes.unwrap_or(self.processes).max(1) as usize
    }

    /// The level of one process: the median of its samples, their mean, or their sum if the method measures the whole task.
    pub fn level(&self, samples: &[f64]) -> f64 {
        let sum: f64 = samples.iter().sum();
        match (self.total, self.mean) {
            (true, _) => sum,
            (false, true) => sum / samples.len() as f64,
            (false, false) => quantile(&sorted(samples), 0.5),
        }
    }

    /// Why this method cannot measure a stage; `None` if it can.
    pub fn objection(&self, stage: Stage) -> Option<String> {
        let name = self.name?;
        (self.total && stage != Stage::Train)
            .then(|| format!("the protocol {name} is one of training, not of `{stage}`"))
    }
}

impl WarmUp {
    /// Number of iterations, if it is fixed in advance.
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
