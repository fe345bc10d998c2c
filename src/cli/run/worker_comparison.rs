//! The table of workers beside each other, at the end of a run with several.

use dlbench::measure::{ComparedWork, overall};
use dlbench::render::table::Table;
use dlbench::values::text::counted;
use dlbench::values::{Decimal, Grid, GridColumn};

/// Each worker's time, and how many times as fast it was as the first; nothing of a run with one worker.
pub(super) fn shown(compared: &[ComparedWork], width: usize) -> String {
    if compared.is_empty() {
        return String::new();
    }
    let mut drawn = Grid {
        columns: vec![
            GridColumn::text("configuration"),
            GridColumn::text("worker"),
            GridColumn::number("time [ms]"),
            GridColumn::number("times as fast"),
            GridColumn::text("95% interval"),
            GridColumn::number("rounds"),
            GridColumn::number("outputs off by"),
            GridColumn::number("prepared in [s]"),
        ],
        rows: Vec::new(),
    };
    for work in compared {
        for (place, worker) in work.workers.iter().enumerate() {
            let ratio = worker.ratio;
            drawn.push(vec![
                if place == 0 { work.title.clone() } else { String::new() },
                worker.name.clone(),
                digits(worker.level_ms, 4),
                ratio.map_or_else(String::new, |ratio| digits(ratio.value, 3)),
                ratio
                    .and_then(|ratio| ratio.interval)
                    .map_or_else(String::new, |(low, high)| format!("{} to {}", digits(low, 3), digits(high, 3))),
                ratio.map_or_else(String::new, |ratio| ratio.rounds.to_string()),
                worker.output_deviation.map_or_else(String::new, |share| format!("{share:.0e}")),
                worker.preparing_s.map_or_else(String::new, |seconds| digits(seconds, 2)),
            ]);
        }
    }
    let mut text = "\nEach worker beside the first of its configuration, round by round:\n".to_owned();
    text.push_str(&Table::from(&drawn.without_empty_columns()).text(width));
    for all in overall(compared).iter().filter(|all| all.count > 1) {
        text.push_str(&format!(
            "{}: {} times as fast as {}, the geometric mean of {} ({} to {})\n",
            all.name,
            digits(all.value, 3),
            all.baseline,
            counted(all.count, "configuration", "configurations"),
            digits(all.range.0, 3),
            digits(all.range.1, 3),
        ));
    }
    text
}

/// With so many significant digits.
fn digits(value: f64, count: u8) -> String {
    Decimal::derived(value, count.saturating_sub(1)).map_or_else(String::new, |number| number.to_string())
}
