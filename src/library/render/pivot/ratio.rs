//! What a column of ratios is called: of what they are, against what, and which way is better.

use crate::ask::compare::{Pivot, PivotColumn};
use crate::model::{Aspect, Direction, Measure, Metric};
use crate::render::table::Column;

/// What values are divided by.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum RatioTo<'p> {
    /// The best of those that they are ranked with.
    Best,
    /// The baseline, by its name.
    Baseline(&'p str),
}

/// The heading of ratios and their unit: `speed relative to best [x]`, `speed-up over Titan V [x]`, `latency / that of Titan V [x]`. For
/// a program (`exact`) it is a name that stays.
pub(super) fn heading(pivot: &Pivot, column: &PivotColumn, to: RatioTo<'_>, exact: bool) -> (String, Option<String>) {
    let unit = Some("x".to_owned());
    let name = match to {
        RatioTo::Best => "best",
        RatioTo::Baseline(name) => name,
    };
    if exact {
        return (format!("vs {name}"), unit);
    }
    let measure = super::caption::measure_name(column.measure, &column.heading);
    if pivot.ratio.as_deref() == Some("quotient") {
        return (format!("{measure} / that of {name}"), unit);
    }
    let of = measure_of(column);
    match (to, of.is_some_and(is_speed), of.map_or(Direction::Neutral, Measure::direction)) {
        (RatioTo::Baseline(name), true, _) => (format!("speed-up over {name}"), unit),
        (RatioTo::Best, true, _) => ("speed relative to best".to_owned(), unit),
        // Of what is better the smaller it is, the ratio is turned round.
        (_, false, Direction::Lower) => (format!("{measure} of {name} / own"), unit),
        (_, false, _) => (format!("{measure} relative to {name}"), unit),
    }
}

fn measure_of(column: &PivotColumn) -> Option<Measure> {
    match Aspect::keyed(column.measure)? {
        Aspect::Metric(metric) => Some(Measure::Metric(metric)),
        Aspect::Derived(derived) => Some(Measure::Derived(derived)),
        _ => None,
    }
}

/// Whether more of it, or less time, is speed.
fn is_speed(measure: Measure) -> bool {
    use Metric::{EpochS, LatencyMs, ThroughputPerS, TimeToAccuracyS, TotalS};
    matches!(measure, Measure::Metric(LatencyMs | ThroughputPerS | EpochS | TotalS | TimeToAccuracyS))
}

/// The heading of geometric means: of what they are.
pub(super) fn heading_of_means(pivot: &Pivot, exact: bool) -> Column {
    let is_of_speeds = pivot.ratio.as_deref() != Some("quotient")
        && pivot.columns.iter().all(|column| measure_of(column).is_some_and(is_speed));
    Column::key(
        match (exact, is_of_speeds, pivot.baseline.is_some()) {
            (true, ..) => "geometric mean [x]",
            (false, true, true) => "geometric mean of speed-ups [x]",
            (false, true, false) => "geometric mean of relative speeds [x]",
            (false, false, _) => "geometric mean of ratios [x]",
        },
        true,
    )
}
