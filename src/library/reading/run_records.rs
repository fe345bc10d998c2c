//! The records of `dlbench run`: the samples of each row and the environment of a file. Checked strictly, no part of queries.

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

/// The table of a row that holds its record.
pub(super) const KEY: &str = "record";

/// The tables of a record that hold a process each.
pub(super) const PROCESS: &str = "process";

/// The table of a file with the environment in which its rows were measured.
const ENVIRONMENT: &str = "environment";

/// The mistakes in a row's record.
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

/// A record and a value agree to this share; values are rounded.
const ROUNDING: f64 = 1e-3;

/// The time of a row that is not the one of its statistic in the record.
pub(super) fn contradiction(
    file: &Arc<SourceFile>,
    run: &DeTable<'_>,
    record: &Spanned<DeValue<'_>>,
) -> Option<Diagnostic> {
    let time = run.get("latency-ms")?;
    let key = format!("{}-ms", run.get("statistic")?.get_ref().as_str()?);
    let record = record.get_ref().as_table()?;
    // The value of several processes is that of their levels.
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

/// What a record may hold.
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

/// Reads `[environment]`: keys are free, values texts, numbers, yes or no, or lists of these.
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

/// Times are in milliseconds, for one iteration.
fn read(mut t: StrictTable<'_, '_>) {
    // The configuration, in words, by which a run knows what it has done.
    t.text("point");
    // Why there is no number.
    t.text("message");
    // The last is the median absolute deviation from the median.
    for key in ["median-ms", "mean-ms", "minimum-ms", "p5-ms", "p95-ms", "p99-ms", "mad-ms"] {
        t.decimal(key);
    }
    // Where the value of any number of processes lies with 95% confidence: from, to; and half of that in percent of the value. Of
    // files with `samples-ms`: where the median of one process lies.
    t.numbers("interval-ms");
    t.decimal("half-width-pct");
    let outliers = t.counts("outliers", 0);
    // How many processes were planned, whose deviation decided whether more ran.
    t.count("planned-processes");
    // The value of each process, in the order in which they ran.
    t.numbers("levels-ms");
    // What timing itself costs each iteration.
    t.decimal("overhead-ns");
    t.count("parameters");
    t.count("multiply-adds");
    // What computed the outputs with which those of each process were compared, and how far apart they may lie.
    t.text("outputs-compared-with");
    t.decimal("output-tolerance");
    t.decimal("update-tolerance");
    // Of an iteration, and what told it: the meter, and what that covers.
    t.decimal("energy-per-iteration-j");
    t.text("meter");
    t.decimal("host-memory-mib");
    // The share of the processors that other processes used meanwhile, percent.
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

/// One of the processes that a row was measured by.
fn process(mut t: StrictTable<'_, '_>) {
    // Its place among all processes of the run, counted from 1.
    t.count("place");
    // From its start to its end, and what of that the samples took.
    t.decimal("began-s");
    t.decimal("whole-s");
    // What of it making the network and its weights took, and compiling it where the framework does.
    t.decimal("load-s");
    t.decimal("compile-s");
    // How far the outputs lie from the reference, as a share of the range of that, before and after one update of the weights.
    t.decimal("output-deviation");
    t.decimal("update-deviation");
    t.decimal("sampling-s");
    // Whether times still had a trend when warm-up was over.
    t.flag("unsteady");
    // Whether host-memory-mib is that of preparing, too; else of the iterations alone.
    t.flag("with-preparing");
    // Whether a loss was no finite number.
    t.flag("diverged");
    for key in [
        // Behind the samples: as many, or more where each sample is the mean of several that were timed together.
        "iterations",
        "error-rate",
        "answers",
        "host-memory-mib",
        // What the worker had before it prepared anything.
        "library-memory-mib",
        "device-memory-mib",
        // Of an iteration: page faults that the system served without a disk and from a disk, processor time in the kernel.
        "minor-faults",
        "major-faults",
        "system-ms",
        "worker-cpu-pct",
        // The share of the processors that other processes used meanwhile, and what a hypervisor took.
        "others-cpu-pct",
        "stolen-cpu-pct",
        "cpu-energy-j",
        "ram-energy-j",
        "platform-energy-j",
        "power-every-s",
        // How long the energy was metered, and iterations in that time, where it was more than the samples.
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
    // Lowest, middle and highest.
    t.numbers("clock-mhz");
    t.numbers("gpu-clock-mhz");
    // Other processes that computed on the GPU, and what held its clock down.
    t.count("gpu-others");
    t.text("gpu-throttled-by");
    let outliers = t.counts("outliers", 0);
    samples(&mut t, &outliers);
    t.finish();
}

/// The samples of one process, of which outliers are the positions, counted from 0; files of before there were several processes
/// have them in the record itself.
fn samples(t: &mut StrictTable<'_, '_>, outliers: &[i64]) {
    t.numbers("warm-up-ms");
    let samples = t.numbers("samples-ms").len();
    // By the device's own clock.
    t.numbers("device-ms");
    // Of all that is metered, the means of windows of `power-every-s`.
    t.numbers("power-w");
    if outliers.iter().any(|&at| at as usize >= samples)
        && let Some(span) = t.value("outliers").map(Spanned::span)
    {
        let message = format!("`outliers` points past the {samples} samples");
        t.report(findings::WRONG_VALUE, span, message, "positions are counted from 0");
    }
}
