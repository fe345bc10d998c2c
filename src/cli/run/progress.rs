//! Progress on stderr: a bar on a terminal, a line for each result everywhere.

use std::io::IsTerminal as _;
use std::time::Duration;

use indicatif::{ProgressBar, ProgressStyle};

use crate::cli::screen::Screen;
use dlbench::measure::{Attempt, BeginningProcess, RunObserver};
use dlbench::model::{Field, Measurement, Metric};
use dlbench::values::Decimal;
use dlbench::values::text::counted;

/// The bar and the lines.
pub(super) struct Progress<'s> {
    screen: &'s Screen,
    bar: ProgressBar,
}

impl<'s> Progress<'s> {
    /// Before the first process.
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

    /// Takes the bar away.
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

    fn stands_already(&mut self, title: &str) {
        self.line(&format!("{title}: stands in the file already"));
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

/// With the digits that matter on the way.
fn rounded(value: f64) -> String {
    Decimal::derived(value, 4).map_or_else(|| value.to_string(), |value| value.to_string())
}
