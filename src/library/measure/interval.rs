//! The interval of a measured value: of the level of a configuration, which fresh processes of it have in common.
//!
//! Iterations of one process share its fate: where its memory came to lie, which clock it met, what ran before it. However many
//! there are, they say nothing of the next process. So each process counts as one value, its level, and the interval is
//! Student's over the levels, as Kalibera and Jones compute it at the highest level of repetition ("Rigorous Benchmarking in
//! Reasonable Time", ISMM 2013, doi:10.1145/2464157.2464160; pyperf, too, starts processes rather than more iterations). It
//! asks nothing of the iterations: they may depend on each other as they like. A bootstrap over processes, and over blocks of
//! iterations within them, is too narrow with as few processes as one can wait for; `INTERVALS.md` beside this file shows
//! both, and what others come to.

use super::stats::Summary;
use crate::values::t95;

/// Processes of one configuration at most.
const MOST_PROCESSES: usize = 30;

/// The levels of processes, in the order in which they ran.
#[derive(Debug, Clone, PartialEq)]
pub struct Levels {
    values: Vec<f64>,
    pilot: usize,
}

impl Levels {
    /// `pilot` processes were planned; what ran after them was added because of the deviation of these.
    pub fn new(values: Vec<f64>, pilot: usize) -> Self {
        Self { values, pilot }
    }

    /// The levels.
    pub fn values(&self) -> &[f64] {
        &self.values
    }

    /// The mean of the levels: the value of the configuration.
    pub fn mean(&self) -> f64 {
        self.values.iter().sum::<f64>() / self.values.len() as f64
    }

    /// The standard deviation between all processes; `None` of one process.
    pub fn deviation(&self) -> Option<f64> {
        deviation(&self.values)
    }

    /// Where the mean level of all possible processes lies with 95% confidence; `None` of one process.
    ///
    /// The deviation is that of the pilot also where more processes followed. It decided how many, and only a deviation that the
    /// later ones had no part in keeps the 95% then (Stein, "A Two-Sample Test for a Linear Hypothesis Whose Power is Independent
    /// of the Variance", Annals of Mathematical Statistics 16, 1945).
    pub fn interval(&self) -> Option<(f64, f64)> {
        let half = self.half_width()? * self.mean();
        // No time is below 0.
        Some(((self.mean() - half).max(0.0), self.mean() + half))
    }

    /// Half the interval, relative to the mean.
    pub fn half_width(&self) -> Option<f64> {
        Some(self.student_error()? / (self.values.len() as f64).sqrt() / self.mean())
    }

    /// How many processes bring half the interval down to `goal`, relatively, by Stein's rule: not fewer than the pilot.
    pub fn wanted(&self, goal: f64) -> usize {
        let pilot = &self.values[..self.pilot.min(self.values.len())];
        let mean = pilot.iter().sum::<f64>() / pilot.len().max(1) as f64;
        let Some(error) = self.student_error() else { return self.pilot };
        let wanted = (error / (goal * mean)).powi(2).ceil();
        if wanted.is_finite() {
            (wanted as usize).clamp(self.pilot, MOST_PROCESSES.max(self.pilot))
        } else {
            self.pilot
        }
    }

    /// Student's multiple of the deviation of the pilot.
    fn student_error(&self) -> Option<f64> {
        let pilot = &self.values[..self.pilot.min(self.values.len())];
        Some(t95(pilot.len().checked_sub(1)? as f64) * deviation(pilot)?)
    }
}

fn deviation(values: &[f64]) -> Option<f64> {
    Summary::of(values).filter(|summary| summary.n > 1).map(|summary| summary.std_deviation)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_interval_is_students_over_processes() {
        let levels = Levels::new(vec![10.0, 11.0, 9.0, 10.5, 9.5], 5);
        assert_eq!((levels.mean(), levels.deviation().map(|s| (s * 1e4).round())), (10.0, Some(7906.0)));
        // 2.776 x 0.7906 / sqrt(5) = 0.9815.
        let (low, high) = levels.interval().unwrap();
        assert!((low - 9.0185).abs() < 1e-4 && (high - 10.9815).abs() < 1e-4, "{low} {high}");
        assert!((levels.half_width().unwrap() - 0.09815).abs() < 1e-5);
        assert_eq!(Levels::new(vec![10.0], 5).interval(), None, "one process says nothing of the next");
    }

    #[test]
    fn more_processes_are_wanted_where_they_deviate_and_the_pilot_decides() {
        let pilot = vec![10.0, 11.0, 9.0, 10.5, 9.5];
        // (2.776 x 0.7906 / 0.5)^2 = 19.3 for 5 %.
        assert_eq!(Levels::new(pilot.clone(), 5).wanted(0.05), 20);
        assert_eq!(Levels::new(pilot.clone(), 5).wanted(0.2), 5, "never fewer than were planned");
        assert_eq!(Levels::new(pilot.clone(), 5).wanted(1e-6), 30);
        assert_eq!(Levels::new(vec![10.0; 5], 5).wanted(0.01), 5);
        let mut more = pilot.clone();
        more.extend([10.0; 15]);
        let more = Levels::new(more, 5);
        assert_eq!(more.wanted(0.05), 20, "what followed changes nothing");
        assert!(more.half_width().is_some_and(|width| width < 0.05), "{more:?}");
    }
}
