//! Error bars: what a row says about the spread of its samples, as a range of the value that is drawn.

use super::row::PlottedRow;
use crate::comparability::Spread;
use crate::model::{Aspect, Metric};

/// What the ends of an error bar are.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum ErrorBarEnds {
    /// One standard deviation to each side.
    Deviation,
    /// One standard deviation between processes to each side.
    Processes,
    /// The smallest and the largest sample.
    Extremes,
}

impl ErrorBarEnds {
    /// For a note.
    pub fn phrase(self) -> &'static str {
        match self {
            Self::Deviation => "one standard deviation",
            Self::Processes => "one standard deviation between processes",
            Self::Extremes => "the smallest and the largest sample",
        }
    }
}

/// The range of a row's value, where the row states one.
///
/// Spread is stated of the row's first metric, in its unit. A throughput that follows from the time of a batch has the
/// range that follows from the range of that time.
pub(super) fn spread(row: &PlottedRow<'_>, aspect: Aspect) -> Option<(f64, f64, ErrorBarEnds)> {
    let Aspect::Metric(metric) = aspect else { return None };
    let (first, value) = row.measurement.metrics().first().map(|(metric, value)| (*metric, value.value()))?;
    let (low, high, ends) = match Spread::of(row.measurement, first)? {
        Spread::Deviation(deviation, _) => (value - deviation, value + deviation, ErrorBarEnds::Deviation),
        Spread::Processes(deviation, _) => (value - deviation, value + deviation, ErrorBarEnds::Processes),
        Spread::Range(low, high) => (low, high, ErrorBarEnds::Extremes),
    };
    if first == metric {
        return Some((low, high, ends));
    }
    let implied = row.is_implied(metric) && first == Metric::LatencyMs && low > 0.0;
    let throughput = implied.then(|| row.number(aspect)).flatten()?;
    Some((throughput * value / high, throughput * value / low, ends))
}
