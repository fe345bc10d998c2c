//! Error bars: the spread of a row's samples, as a range of the value drawn.

use super::row::PlottedRow;
use crate::comparability::Spread;
use crate::model::{Aspect, Metric};

/// The meaning of an error bar's ends.
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
    /// The meaning in words, for a note.
    pub fn phrase(self) -> &'static str {
        match self {
            Self::Deviation => "one standard deviation",
            Self::Processes => "one standard deviation between processes",
            Self::Extremes => "the smallest and the largest sample",
        }
    }
}

/// The range of a row's value, if the row states one.
///
/// A row states the spread of its first metric, in that metric's unit. For a throughput derived from the time of a batch the
/// range is derived from the range of that time.
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
