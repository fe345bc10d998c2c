//! Rows whose latency and throughput stand in each other's place: with the batch they agree as well as before.

use std::collections::BTreeMap;
use std::path::Path;

use crate::contribute::rule_interface::{Findings, IndexedRow, LintContext};
use crate::model::{Measurement, Metric};
use crate::values::Stage;

/// Fewer rows of a file tell not what is usual.
const FEWEST: usize = 8;
/// A row does so many times more or less work a second than the middle of its file. Networks that hardly use a device do a tenth.
const FAR: f64 = 8.0;
/// And with its two values exchanged it comes so many times nearer: over all files no row that is right does.
const NEARER: f64 = 15.0;

/// A row: its index, and the logarithms of its work a second as it is and with its values exchanged.
struct Both {
    at: usize,
    own: f64,
    exchanged: f64,
}

/// Tells of the rows that fit their file only with latency and throughput exchanged; `work` is what a row has to do, where known.
pub(super) fn find(context: &LintContext<'_>, work: impl Fn(&Measurement) -> Option<f64>, found: &mut Findings) {
    let mut files: BTreeMap<(&Path, Option<Stage>), Vec<Both>> = BTreeMap::new();
    for (at, row) in context.loaded.rows.iter().enumerate() {
        let measurement = row.get();
        let value = |metric| measurement.metric(metric).map(|value| value.value()).filter(|value| *value > 0.0);
        let Some((latency, rate)) = value(Metric::LatencyMs).zip(value(Metric::ThroughputPerS)) else { continue };
        let Some(work) = work(measurement) else { continue };
        let both = Both { at, own: (rate * work).ln(), exchanged: (latency * work).ln() };
        files.entry((&row.file().path, measurement.stage())).or_default().push(both);
    }
    for rows in files.into_values().filter(|rows| rows.len() >= FEWEST) {
        let mut works: Vec<f64> = rows.iter().map(|row| row.own).collect();
        let middle = works.len() / 2;
        let usual = *works.select_nth_unstable_by(middle, f64::total_cmp).1;
        for Both { at, own, exchanged } in rows {
            if is_exchanged(own - usual, exchanged - usual) {
                let message = format!(
                    "{:.0} times off the work a second of the other rows, exchanged {:.1} times",
                    (own - usual).abs().exp(),
                    (exchanged - usual).abs().exp()
                );
                let row = IndexedRow { at, row: &context.loaded.rows[at] };
                found
                    .in_row(&row, Metric::ThroughputPerS.key(), message, "is this the time?")
                    .beside([Metric::LatencyMs.key().into()], "and this the throughput?");
            }
        }
    }
}

/// Whether a row fits only with its values exchanged: how far it is off, as logarithms.
fn is_exchanged(own: f64, exchanged: f64) -> bool {
    own.abs() > FAR.ln() && own.abs() - exchanged.abs() > NEARER.ln()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_row_is_exchanged_that_fits_only_so() {
        assert!(is_exchanged(-(116.0_f64.ln()), 1.2_f64.ln()));
        assert!(!is_exchanged(-(23.0_f64.ln()), 1.7_f64.ln()), "a network may use a device badly");
        assert!(!is_exchanged(2.0_f64.ln(), -(100.0_f64.ln())));
    }
}
