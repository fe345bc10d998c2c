//! What was seen beside several processes, as one figure.

use super::stats::Summary;

/// The mean of values that are known, each weighed by its time.
pub(super) fn mean(values: impl Iterator<Item = (Option<f64>, f64)>) -> Option<f64> {
    let known: Vec<(f64, f64)> = values.filter_map(|(value, time)| Some((value?, time))).collect();
    let time: f64 = known.iter().map(|(_, time)| time).sum();
    let sum: f64 = known.iter().map(|(value, time)| value * time).sum();
    (time > 0.0).then_some(sum / time)
}

/// The lowest, the middle of the middle ones, and the highest.
pub(super) fn clocks(all: impl Iterator<Item = [f64; 3]>) -> Option<[f64; 3]> {
    let all: Vec<[f64; 3]> = all.collect();
    let at = |place: usize| Summary::of(&all.iter().map(|clocks| clocks[place]).collect::<Vec<_>>());
    Some([at(0)?.minimum, at(1)?.median, at(2)?.maximum])
}
