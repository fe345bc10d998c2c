//! The registry of metrics: each has one definition, one unit and one direction, here.

use serde::Serialize;
use strum::{Display, EnumString, IntoStaticStr, VariantArray};

use crate::values::Unit;

/// Which way is better.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Direction {
    /// A smaller value is better.
    Lower,
    /// A larger value is better.
    Higher,
    /// Neither: the value describes (a utilisation).
    Neutral,
}

/// A measured quantity. The kebab-case name is the key in a measurement file, the snake_case name the key in JSON.
#[derive(
    Debug,
    Clone,
    Copy,
    PartialEq,
    Eq,
    Hash,
    PartialOrd,
    Ord,
    Display,
    EnumString,
    IntoStaticStr,
    VariantArray,
    Serialize,
)]
#[strum(serialize_all = "kebab-case")]
#[serde(rename_all = "snake_case")]
pub enum Metric {
    /// Time for one batch of the stage, in milliseconds.
    LatencyMs,
    /// Items (images, tokens … as the row says) finished in a second.
    ThroughputPerS,
    /// Time for one pass over the data set, in seconds.
    EpochS,
    /// Time for the whole task as the source defines it, in seconds.
    TotalS,
    /// Training time until the accuracy target is met, in seconds.
    TimeToAccuracyS,
    /// Memory in use on the device, in MiB.
    MemoryMib,
    /// Electrical power, in watts.
    PowerW,
    /// Energy of the task, in joules.
    EnergyJ,
    /// Items finished for each joule.
    ItemsPerJoule,
    /// Share of time the GPU was busy, in percent.
    GpuUtilPct,
    /// Share of time the CPU was busy, in percent.
    CpuUtilPct,
    /// Fraction of right answers, 0 to 1.
    Accuracy,
    /// Fraction of wrong answers, 0 to 1.
    ErrorRate,
    /// Value of the loss function on the validation set.
    Loss,
    /// Cost of the task, in US dollars.
    CostUsd,
    /// Floating-point operations, in 10^9 a second.
    Gflops,
    /// Memory traffic, in 10^9 bytes a second.
    BandwidthGbPerS,
    /// Times as fast as the row's baseline.
    Speedup,
    /// Times the performance per watt of the row's baseline.
    EfficiencyRatio,
}

impl Metric {
    /// The key in a measurement file.
    pub fn key(self) -> &'static str {
        self.into()
    }

    /// The key in JSON answers.
    pub fn json_key(self) -> String {
        self.key().replace('-', "_")
    }

    /// The heading of a column, with its unit.
    pub fn heading(self) -> &'static str {
        match self {
            Self::LatencyMs => "latency [ms]",
            Self::ThroughputPerS => "throughput [/s]",
            Self::EpochS => "epoch [s]",
            Self::TotalS => "total [s]",
            Self::TimeToAccuracyS => "time to accuracy [s]",
            Self::MemoryMib => "memory [MiB]",
            Self::PowerW => "power [W]",
            Self::EnergyJ => "energy [J]",
            Self::ItemsPerJoule => "items [/J]",
            Self::GpuUtilPct => "GPU use [%]",
            Self::CpuUtilPct => "CPU use [%]",
            Self::Accuracy => "accuracy",
            Self::ErrorRate => "error rate",
            Self::Loss => "loss",
            Self::CostUsd => "cost [USD]",
            Self::Gflops => "GFLOP/s",
            Self::BandwidthGbPerS => "bandwidth [GB/s]",
            Self::Speedup => "speed-up [x]",
            Self::EfficiencyRatio => "performance per watt [x]",
        }
    }

    /// The unit of the value.
    pub fn unit(self) -> Unit {
        match self {
            Self::LatencyMs => Unit::Milliseconds,
            Self::ThroughputPerS => Unit::PerSecond,
            Self::EpochS | Self::TotalS | Self::TimeToAccuracyS => Unit::Seconds,
            Self::MemoryMib => Unit::Mebibytes,
            Self::PowerW => Unit::Watts,
            Self::EnergyJ => Unit::Joules,
            Self::GpuUtilPct | Self::CpuUtilPct => Unit::Percent,
            Self::Accuracy | Self::ErrorRate => Unit::Fraction,
            Self::CostUsd => Unit::Dollars,
            Self::Gflops => Unit::GigaOperations,
            Self::BandwidthGbPerS => Unit::GigabytesPerSecond,
            Self::ItemsPerJoule | Self::Loss | Self::Speedup | Self::EfficiencyRatio => Unit::Count,
        }
    }

    /// Which way is better.
    pub fn direction(self) -> Direction {
        match self {
            Self::LatencyMs
            | Self::EpochS
            | Self::TotalS
            | Self::TimeToAccuracyS
            | Self::MemoryMib
            | Self::PowerW
            | Self::EnergyJ
            | Self::ErrorRate
            | Self::Loss
            | Self::CostUsd => Direction::Lower,
            Self::ThroughputPerS
            | Self::ItemsPerJoule
            | Self::Accuracy
            | Self::Gflops
            | Self::BandwidthGbPerS
            | Self::Speedup
            | Self::EfficiencyRatio => Direction::Higher,
            Self::GpuUtilPct | Self::CpuUtilPct => Direction::Neutral,
        }
    }

    /// What the value means.
    pub fn definition(self) -> &'static str {
        match self {
            Self::LatencyMs => "time for one batch of the stage, in milliseconds",
            Self::ThroughputPerS => "items (images, tokens … as the row says) finished in a second",
            Self::EpochS => "time for one pass over the data set, in seconds",
            Self::TotalS => "time for the whole task as the source defines it, in seconds",
            Self::TimeToAccuracyS => "training time until the accuracy target is met, in seconds",
            Self::MemoryMib => "memory in use on the device, in MiB",
            Self::PowerW => "electrical power, in watts",
            Self::EnergyJ => "energy of the task, in joules",
            Self::ItemsPerJoule => "items finished for each joule",
            Self::GpuUtilPct => "share of time the GPU was busy, in percent",
            Self::CpuUtilPct => "share of time the CPU was busy, in percent",
            Self::Accuracy => "fraction of right answers, 0 to 1",
            Self::ErrorRate => "fraction of wrong answers, 0 to 1",
            Self::Loss => "value of the loss function on the validation set",
            Self::CostUsd => "cost of the task, in US dollars",
            Self::Gflops => "floating-point operations, in 10^9 a second",
            Self::BandwidthGbPerS => "memory traffic, in 10^9 bytes a second",
            Self::Speedup => "times as fast as the row's baseline",
            Self::EfficiencyRatio => "times the performance per watt of the row's baseline",
        }
    }

    /// How the metric follows from others where it is not stated.
    pub fn implied_by(self) -> Option<&'static str> {
        match self {
            Self::ThroughputPerS => Some("items in a batch / latency"),
            Self::ItemsPerJoule => Some("throughput / power"),
            _ => None,
        }
    }

    /// Words that ask for the metric.
    pub fn spellings(self) -> &'static [&'static str] {
        match self {
            Self::LatencyMs => &["latency", "ms", "milliseconds", "ms per batch"],
            Self::ThroughputPerS => &[
                "throughput",
                "images/s",
                "images per second",
                "img/s",
                "fps",
                "frames per second",
                "samples per second",
                "tokens per second",
                "tokens/s",
            ],
            Self::EpochS => &["epoch", "seconds per epoch", "time per epoch", "epoch time"],
            Self::TotalS => &["total time", "training time"],
            Self::TimeToAccuracyS => &["time to accuracy", "tta"],
            Self::MemoryMib => &["memory use", "memory usage", "memory footprint"],
            Self::PowerW => &["power", "watts", "power draw"],
            Self::EnergyJ => &["energy", "joules"],
            Self::ItemsPerJoule => &["images per joule", "images/joule", "images/j", "per joule", "items per joule"],
            Self::GpuUtilPct => &["gpu utilisation", "gpu utilization", "gpu usage"],
            Self::CpuUtilPct => &["cpu utilisation", "cpu utilization", "cpu usage"],
            Self::Accuracy => &["top1", "validation accuracy"],
            Self::ErrorRate => &["error", "test error"],
            Self::Loss => &["validation loss"],
            Self::CostUsd => &["cost", "dollars"],
            Self::Gflops => &["flops", "tflops", "teraflops", "gigaflops"],
            Self::BandwidthGbPerS => &["memory bandwidth"],
            Self::Speedup => &["speed-up", "times faster"],
            Self::EfficiencyRatio => &["performance per watt", "flops per watt", "gflops per watt"],
        }
    }
}
