//! What was promised, and whether it is kept.

use std::fmt::Write as _;

use super::super::results::{Question, Results};
use super::{mib, ms, power, thousands};

/// The promises are for 10^6 measurements; at 10^7 a question may take this many times as much.
const PROMISED_AT: usize = 1_000_000;
const GROWTH: f64 = 3.0;

/// A table of the promises for 10^6 and 10^7.
pub fn draw(results: &[Results], page: &mut String) -> std::fmt::Result {
    let promised: Vec<&Results> =
        results.iter().filter(|result| [PROMISED_AT, 10 * PROMISED_AT].contains(&result.rows)).collect();
    if promised.is_empty() {
        return Ok(());
    }
    page.push_str("## What is promised\n\n| measurements | promise | measured | kept |\n| --- | --- | ---: | --- |\n");
    for result in promised {
        let factor = if result.rows == PROMISED_AT { 1.0 } else { GROWTH };
        for selective in [true, false] {
            let (what, limit) = if selective { ("a selective", 10.0) } else { ("a broad", 25.0) };
            let worst = worst(result, selective);
            let promise = format!("{what} question takes {:.0} ms or less (the slowest of ten)", limit * factor);
            line(page, result, &promise, &format!("{} ms", ms(worst)), worst <= limit * factor)?;
        }
        let peak = result.questions.iter().map(|question| question.tools[0].peak_bytes).max().unwrap_or_default();
        let limit = 64.0 * factor;
        let kept = peak as f64 <= limit * 1024.0 * 1024.0;
        line(
            page,
            result,
            &format!("{limit:.0} MiB of memory or less at the peak of a question"),
            &format!("{} MiB", mib(peak)),
            kept,
        )?;
        let speed = result.rows as f64 / result.index.seconds;
        let cores = result.machine.cores;
        let promise = "the index is built at 100,000 measurements a second or more on 2 cores";
        line(page, result, promise, &format!("{} ({cores} cores)", thousands(speed as u64)), speed >= 100_000.0)?;
        let each = result.index.disk_bytes as f64 / result.rows as f64;
        line(page, result, "100 bytes on disk for a measurement or less", &format!("{each:.0} bytes"), each <= 100.0)?;
        let refresh = result.open_ms.median;
        let promise = "2 ms or less to find the knowledge base unchanged and open it";
        line(page, result, promise, &format!("{} ms", ms(refresh)), refresh <= 2.0)?;
    }
    page.push('\n');
    Ok(())
}

/// The median time of the slowest question of a kind, ms.
pub fn worst(result: &Results, selective: bool) -> f64 {
    let times = result.questions.iter().filter(|question| question.selective == selective).map(dlbench);
    times.fold(0.0, f64::max)
}

fn dlbench(question: &Question) -> f64 {
    question.tools[0].ms.median
}

fn line(page: &mut String, result: &Results, promise: &str, measured: &str, kept: bool) -> std::fmt::Result {
    let kept = if kept { "yes" } else { "**no**" };
    writeln!(page, "| {} | {promise} | {measured} | {kept} |", power(result.rows))
}
