//! The records of `dlbench run`: the samples of each row and the environment of a file. Checked strictly, not used by queries.

use std::sync::Arc;

use toml::Spanned;
use toml::de::{DeTable, DeValue};

use super::findings;
use super::findings::ReadFindings;
use super::findings::TableKeys;
use super::strict::StrictTable;
use super::strict::decimal;
use super::strict::keys_read_by;
use crate::model::{Diagnostic, SourceFile};

/// The table of a row that contains its record.
pub(super) const KEY: &str = "record";

/// The tables of a record that each describe one process.
pub(super) const PROCESS: &str = "process";

/// The table of a file with the environment in which its rows were measured.
const ENVIRONMENT: &str = "environment";

/// Reports the mistakes in a row's record.
pub(super) fn mistakes(file: &Arc<SourceFile>, value: &Spanned<DeValue<'_>>) -> Vec<Diagnostic> {
    let mut findings = ReadFindings::default();
    match value.get_ref() {
        DeValue::Table(table) => read(StrictTable::new(file, table, value.span(), &mut findings)),
        _ => findings.report(Diagnostic::error(
            findings::WRONG_VALUE,
            file,
            Some(value.span()),
            format!("`{KEY}` is not a table"),
            "expected [run.record]",
        )),
    }
    findings.into_sorted()
}

/// Relative tolerance between a record and a value, which is rounded.
const ROUNDING: f64 = 1e-3;

/// Reports a row whose time differs from that of its statistic in the record.
pub(super) fn contradiction(
    file: &Arc<SourceFile>,
    run: &DeTable<'_>,
    record: &Spanned<DeValue<'_>>,
) -> Option<Diagnostic> {
    let time = run.get("latency-ms")?;
    let key = format!("{}-ms", run.get("statistic")?.get_ref().as_str()?);
    let record = record.get_ref().as_table()?;
    // With several processes, the value is computed from their levels.
    let levels = record.get("levels-ms").and_then(|levels| levels.get_ref().as_array());
    if levels.is_some_and(|levels| levels.len() > 1) {
        return None;
    }
    let recorded = decimal(record.get(key.as_str())?.get_ref())?;
    let own = decimal(time.get_ref())?;
    let is_other = (own.value() - recorded.value()).abs() > recorded.value() * ROUNDING;
    let message = format!("`latency-ms` is {own}, and `{key}` of its record {recorded}");
    is_other
        .then(|| Diagnostic::error(findings::WRONG_VALUE, file, Some(time.span()), message, "not what was recorded"))
}

/// The keys that a record may have.
pub(super) fn asked() -> TableKeys {
    keys_read_by(read)
}

/// The keys of a record, in canonical order.
pub(super) fn order() -> Vec<&'static str> {
    asked().keys.into_iter().map(|(key, _)| key).collect()
}

/// The keys of a process, in canonical order.
pub(super) fn process_order() -> Vec<&'static str> {
    keys_read_by(process).keys.into_iter().map(|(key, _)| key).collect()
}

/// Reads `[environment]`: any keys; values are texts, numbers, booleans or lists of these.
pub(super) fn environment(t: &mut StrictTable<'_, '_>) {
    for (name, _, value) in t.entries(ENVIRONMENT) {
        let known = |value: &DeValue<'_>| {
            value.as_str().is_some_and(|text| !text.trim().is_empty())
                || decimal(value).is_some()
                || matches!(value, DeValue::Boolean(_))
        };
        let right = match value.get_ref() {
            DeValue::Array(items) => items.iter().all(|item| known(item.get_ref())),
            other => known(other),
        };
        if !right {
            t.expected::<()>(name, value, "a text, a number, true or false, or a list of these");
        }
    }
}

/// Reads a record. Times are in milliseconds per iteration.
fn read(mut t: StrictTable<'_, '_>) {
    // The configuration in words, by which a resumed run recognises the rows it has finished.
    t.text("point");
    // The reason why there is no number.
    t.text("message");
    // mad-ms is the median absolute deviation from the median.
    for key in ["median-ms", "mean-ms", "minimum-ms", "p5-ms", "p95-ms", "p99-ms", "mad-ms"] {
        t.decimal(key);
    }
    // The 95% confidence interval (from, to) of the value over any number of processes, and its half-width in percent of the value.
    // In files with `samples-ms`: the interval of the median of one process.
    t.numbers("interval-ms");
    t.decimal("half-width-pct");
    let outliers = t.counts("outliers", 0);
    // The number of processes planned; their deviation decided whether more ran.
    t.count("planned-processes");
    // The value of each process, in the order of execution.
    t.numbers("levels-ms");
    // The overhead of timing, per iteration.
    t.decimal("overhead-ns");
    t.count("parameters");
    t.count("multiply-adds");
    // What computed the reference outputs to which those of each process were compared, and the allowed deviations.
    t.text("outputs-compared-with");
    t.decimal("output-tolerance");
    t.decimal("update-tolerance");
    // Energy per iteration; the meter that measured it, and what that meter covers.
    t.decimal("energy-per-iteration-j");
    t.text("meter");
    t.decimal("host-memory-mib");
    // Share of the processors used by other processes during the measurement, percent.
    t.decimal("others-cpu-pct");
    t.decimal("temperature-c");
    t.numbers("clock-mhz");
    samples(&mut t, &outliers);
    t.each(PROCESS, |part| {
        process(part);
        Some(())
    });
    t.finish();
}

/// Reads one of the processes that measured a row.
fn process(mut t: StrictTable<'_, '_>) {
    // Its position among all processes of the run, counted from 1.
    t.count("place");
    // When the process began and how long it ran; sampling-s is the part of that in which the samples were taken.
    t.decimal("began-s");
    t.decimal("whole-s");
    // The part spent on building the network and its weights, and on compiling it where the framework does.
    t.decimal("load-s");
    t.decimal("compile-s");
    // Deviation of the outputs from the reference as a share of the reference's range, before and after one update of the weights.
    t.decimal("output-deviation");
    t.decimal("update-deviation");
    t.decimal("sampling-s");
    // Whether times still had a trend at the end of warm-up.
    t.flag("unsteady");
    // Whether host-memory-mib includes preparation; otherwise it covers the iterations alone.
    t.flag("with-preparing");
    // Whether a loss was not a finite number.
    t.flag("diverged");
    for key in [
        // Iterations behind the samples: equal to them, or more if each sample is the mean of several timed together.
        "iterations",
        "error-rate",
        "answers",
        "host-memory-mib",
        // Memory of the worker before it prepared anything.
        "library-memory-mib",
        "device-memory-mib",
        // Per iteration: page faults served without disk access and with it, and processor time in the kernel.
        "minor-faults",
        "major-faults",
        "system-ms",
        "worker-cpu-pct",
        // Share of the processors used by other processes meanwhile, and share taken by a hypervisor.
        "others-cpu-pct",
        "stolen-cpu-pct",
        "cpu-energy-j",
        "ram-energy-j",
        "platform-energy-j",
        "power-every-s",
        // How long energy was metered and how many iterations ran in that time, where longer than the samples.
        "metered-s",
        "metered-iterations",
        "gpu-memory-mib",
        "gpu-util-pct",
        "gpu-power-w",
        "gpu-energy-j",
        "gpu-temperature-c",
    ] {
        t.decimal(key);
    }
    // Lowest, median and highest.
    t.numbers("clock-mhz");
    t.numbers("gpu-clock-mhz");
    // Number of other processes computing on the GPU, and what throttled its clock.
    t.count("gpu-others");
    t.text("gpu-throttled-by");
    let outliers = t.counts("outliers", 0);
    samples(&mut t, &outliers);
    t.finish();
}

/// Reads the samples of one process. `outliers` are positions in `samples-ms`, counted from 0. Files written before there
/// were several processes have the samples in the record itself.
fn samples(t: &mut StrictTable<'_, '_>, outliers: &[i64]) {
    t.numbers("warm-up-ms");
    let samples = t.numbers("samples-ms").len();
    // Measured by the device's own clock.
    t.numbers("device-ms");
    // Total power of everything metered, as means over windows of `power-every-s`.
    t.numbers("power-w");
    if outliers.iter().any(|&at| at as usize >= samples)
        && let Some(span) = t.value("outliers").map(Spanned::span)
    {
        let message = format!("`outliers` points past the {samples} samples");
        t.report(findings::WRONG_VALUE, span, message, "positions are counted from 0");
    }
}
