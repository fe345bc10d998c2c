//! The output of a run: progress, the table of results, and the comparison of workers.

use std::io::IsTerminal as _;
use std::time::Duration;

use dlbench::KnowledgeBase;
use dlbench::measure::{
    Attempt, BeginningProcess, ComparedWork, FinishedPoint, FinishedRun, PlanPoint, RunObserver, overall,
};
use dlbench::model::{Field, Measurement, Metric};
use dlbench::render::table::Table;
use dlbench::values::text::counted;
use dlbench::values::{Decimal, Grid, GridColumn, HardwareClass};
use indicatif::{ProgressBar, ProgressStyle};

use crate::cli::failure::Failure;
use crate::cli::screen::Screen;

/// The table of results; for a repetition, with the differences from the known row.
pub(super) fn table(
    finished: &FinishedRun,
    points: &[PlanPoint],
    kb: &KnowledgeBase,
    repeated: Option<&Measurement>,
    width: usize,
) -> Result<String, Failure> {
    if finished.rows.is_empty() {
        return Ok(String::new());
    }
    let mut drawn = Grid {
        columns: vec![
            GridColumn::text("configuration"),
            GridColumn::text("framework"),
            GridColumn::text("device"),
            GridColumn::number("batch"),
            GridColumn::number("latency [ms]"),
            GridColumn::number("± [%]"),
            GridColumn::number("n"),
            GridColumn::number("items/s"),
            GridColumn::number("total [s]"),
            GridColumn::number("error rate"),
            GridColumn::text("outcome"),
            GridColumn::text("where from"),
        ],
        rows: Vec::new(),
    };
    for FinishedPoint { at, row, half_width } in &finished.rows {
        let marked = |work: String| if row.get(Field::Caveats).is_some() { format!("{work} !") } else { work };
        let width = half_width.and_then(|width| Decimal::derived(100.0 * width, 2));
        let width = width.map_or_else(String::new, |width| width.to_string());
        drawn.push(cells(marked(points[*at].work()), row, (&width, "measured here")));
        let known = match repeated {
            Some(known) => vec![known.clone()],
            // Failed attempts have no comparable rows.
            None if row.get(Field::Outcome).is_some() => Vec::new(),
            None => {
                let class = if points[*at].device == "cpu" { HardwareClass::Cpu } else { HardwareClass::Gpu };
                kb.nearest(row, class).map_err(Failure::of_stores)?
            }
        };
        for known in known {
            let title = match known.text(Field::Precision) == row.text(Field::Precision) {
                true => "  known".to_owned(),
                false => format!("  known, {}", known.text(Field::Precision).unwrap_or("precision unknown")),
            };
            drawn.push(cells(title, &known, ("", known.id())));
        }
    }
    let mut table = Table::from(&drawn.without_empty_columns());
    // Ids must stay whole, so that they can be copied.
    if let Some(from) = table.columns.last_mut() {
        from.whole = true;
    }
    let mut text = table.text(width);
    if finished.rows.iter().any(|point| point.row.get(Field::Caveats).is_some()) {
        text.push_str("! with caveats, recorded with the row\n");
    }
    if let (Some(known), Some(FinishedPoint { row, .. })) = (repeated, finished.rows.first()) {
        text.push_str(&differences(known, row, width)?);
    }
    Ok(text)
}

fn cells(title: String, row: &Measurement, (half_width, from): (&str, &str)) -> Vec<String> {
    let metric = |metric| row.metric(metric).map_or_else(String::new, |value| value.readable().to_string());
    let text = |field| row.get(field).map_or_else(String::new, |value| value.to_string());
    let rate = row.metric(Metric::ThroughputPerS).or_else(|| row.implied_throughput());
    vec![
        title,
        format!("{} {}", text(Field::Framework), text(Field::FrameworkVersion)).trim().to_owned(),
        text(Field::Device),
        text(Field::BatchSize),
        metric(Metric::LatencyMs),
        half_width.to_owned(),
        text(Field::N),
        rate.map_or_else(String::new, |rate| rate.readable().to_string()),
        metric(Metric::TotalS),
        metric(Metric::ErrorRate),
        text(Field::Outcome),
        from.to_owned(),
    ]
}

/// The differences between a known measurement and its repetition.
fn differences(known: &Measurement, row: &Measurement, width: usize) -> Result<String, Failure> {
    use strum::VariantArray as _;
    let mut drawn = Grid::of_texts(&["differs", "known", "here"]);
    let shown = |row: &Measurement, field| row.get(field).map_or_else(|| "not stated".to_owned(), |v| v.to_string());
    let footnotes = [Field::Notes, Field::Caveats, Field::Status, Field::Label, Field::Lowest, Field::Highest];
    for &field in Field::VARIANTS.iter().filter(|field| !footnotes.contains(field)) {
        let (before, now) = (shown(known, field), shown(row, field));
        if before != now {
            drawn.push(vec![field.key().to_owned(), before, now]);
        }
    }
    let mut text = format!("\n{} repeated here:\n", known.id());
    for metric in [Metric::LatencyMs, Metric::ThroughputPerS, Metric::TotalS, Metric::ErrorRate] {
        if let (Some(before), Some(now)) = (known.metric(metric), row.metric(metric)) {
            text.push_str(&compare_metric(metric, before, now));
        }
    }
    if known.metric(Metric::LatencyMs).is_none()
        && let (Some(before), Some(now)) = (known.metric(Metric::ThroughputPerS), row.implied_throughput())
    {
        text.push_str(&compare_metric(Metric::ThroughputPerS, before, now));
    }
    Ok(text + &Table::from(&drawn).text(width))
}

/// The known and the new value of a metric, with their ratio.
fn compare_metric(metric: Metric, known: Decimal, here: Decimal) -> String {
    let times = Decimal::derived(here.value() / known.value(), 2).map_or_else(String::new, |times| times.to_string());
    format!("{metric}: {known} known, {here} here: {times} times\n")
}

/// The time of each worker and its speed relative to the first; empty for a run with one worker.
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

/// A number with this many significant digits.
fn digits(value: f64, count: u8) -> String {
    Decimal::derived(value, count.saturating_sub(1)).map_or_else(String::new, |number| number.to_string())
}

/// The progress bar, and lines above it.
pub(super) struct Progress<'s> {
    screen: &'s Screen,
    bar: ProgressBar,
}

impl<'s> Progress<'s> {
    /// Creates the progress display before the first process.
    pub fn new(screen: &'s Screen) -> Self {
        let bar = match std::io::stderr().is_terminal() {
            true => ProgressBar::new(0),
            false => ProgressBar::hidden(),
        };
        if let Ok(style) = ProgressStyle::with_template("{spinner} [{elapsed}] {bar:24} {pos}/{len} {msg}") {
            bar.set_style(style);
        }
        bar.enable_steady_tick(Duration::from_millis(500));
        Self { screen, bar }
    }

    /// Removes the bar.
    pub fn end(&self) {
        self.bar.finish_and_clear();
    }

    fn line(&self, text: &str) {
        self.bar.suspend(|| self.screen.tell(text));
    }
}

impl RunObserver for Progress<'_> {
    fn begins(&mut self, process: BeginningProcess<'_>) {
        self.bar.set_length(process.total as u64);
        self.bar.set_position(process.done as u64);
        let (number, of) = process.number;
        let which = if of == 1 { String::new() } else { format!(" (process {number} of {of})") };
        self.bar.set_message(format!("{}{which}", process.title));
    }

    fn epoch(&mut self, number: usize, of: Option<usize>, seconds: f64) {
        let of = of.map_or_else(String::new, |of| format!(" of {of}"));
        self.line(&format!("  epoch {number}{of} took {} s", rounded(seconds)));
    }

    fn already_complete(&mut self, title: &str) {
        self.line(&format!("{title}: already in the file"));
    }

    fn done(&mut self, title: &str, attempted: &Attempt, row: &Measurement) {
        let text = match attempted {
            Attempt::Failed { outcome, message, .. } => format!("{title}: {outcome} ({message})"),
            Attempt::Measured(measured) => {
                let width = measured.levels.half_width();
                let width = width.map_or_else(String::new, |width| format!(" ± {:.1}%", 100.0 * width));
                let value = |metric| row.metric(metric).map(|value| value.to_string());
                match (value(Metric::TotalS), value(Metric::ErrorRate)) {
                    (Some(total), Some(error)) => format!("{title}: {total} s in all, error rate {error}"),
                    _ if row.metric(Metric::LatencyMs).is_none() => {
                        let rate = value(Metric::ThroughputPerS).unwrap_or_default();
                        format!("{title}: {rate} a second{width}")
                    }
                    _ => {
                        let samples = counted(measured.summary.n, "sample", "samples");
                        let processes = counted(measured.processes.len(), "process", "processes");
                        format!("{title}: {} ms{width} ({samples} of {processes})", rounded(measured.value()))
                    }
                }
            }
        };
        self.line(&text);
        if let Some(caveats) = row.text(Field::Caveats) {
            self.line(&format!("  {caveats}"));
        }
    }

    fn note(&mut self, text: &str) {
        self.line(&format!("note: {text}"));
    }
}

/// Rounded for progress messages.
fn rounded(value: f64) -> String {
    Decimal::derived(value, 4).map_or_else(|| value.to_string(), |value| value.to_string())
}
