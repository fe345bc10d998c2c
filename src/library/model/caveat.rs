//! What disturbed a measurement of our own runner.

use strum::VariantArray;

/// A disturbance. A measurement's caveats are a text in which each has a heading and a sentence.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, VariantArray)]
pub enum Caveat {
    /// Other processes used the processors.
    BusyMachine,
    /// A hypervisor took the processors for others.
    VirtualMachine,
    /// The clock of the processors fell.
    ClockChanges,
    /// A governor changes the clock of the processors.
    FrequencyScaling,
    /// Something held the clock of the GPU down.
    Throttled,
    /// Other processes computed on the GPU.
    SharedGpu,
    /// The clock of the GPU fell.
    GpuClockChanges,
    /// Times still drifted when warm-up ended.
    NotWarm,
    /// There are fewer processes than were planned, or no second one.
    TooFewProcesses,
    /// There are fewer samples than were wanted.
    TooFewSamples,
    /// The confidence interval is wider than was wanted.
    WideInterval,
    /// The loss of a training was no finite number.
    Diverged,
    /// Many samples stand out.
    Outliers,
    /// Timing costs a part of what is timed.
    Timer,
}

impl Caveat {
    /// The words with which it begins in a text.
    pub fn heading(self) -> &'static str {
        match self {
            Self::BusyMachine => "Busy machine",
            Self::VirtualMachine => "Virtual machine",
            Self::ClockChanges => "Clock changes",
            Self::FrequencyScaling => "Frequency scaling",
            Self::Throttled => "Throttled",
            Self::SharedGpu => "Shared GPU",
            Self::GpuClockChanges => "GPU clock changes",
            Self::NotWarm => "Not warm",
            Self::TooFewProcesses => "Too few processes",
            Self::TooFewSamples => "Too few samples",
            Self::WideInterval => "Wide interval",
            Self::Diverged => "Loss not finite",
            Self::Outliers => "Outliers",
            Self::Timer => "Timer",
        }
    }

    /// The caveat with what was seen and what to do about it.
    pub fn because(self, details: &str) -> String {
        format!("{}: {details}", self.heading())
    }

    /// The caveats that a text has.
    pub fn all_in(text: &str) -> impl Iterator<Item = Self> + '_ {
        Self::VARIANTS.iter().copied().filter(|caveat| text.contains(&caveat.because("")))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn caveats_are_found_by_their_headings() {
        let text =
            [Caveat::GpuClockChanges.because("900 to 1000 MHz."), Caveat::Outliers.because("9 of 20.")].join(" ");
        assert_eq!(Caveat::all_in(&text).collect::<Vec<_>>(), [Caveat::GpuClockChanges, Caveat::Outliers]);
    }
}
