//! A process as the record of its row keeps it, and read again to continue a run.

use super::digits::{DIGITS, list, significant};
use super::process_run::ProcessRun;
use super::stats::outliers;
use crate::reading::{RecordPart, toml_literal, toml_one_line};

/// The key of the processes in a record.
pub(super) const KEY: &str = "process";

/// A figure of a process, by its key.
type Figure = (&'static str, fn(&mut ProcessRun) -> &mut Option<f64>);

/// What is so or not so of a process, by its key.
type Flag = (&'static str, fn(&mut ProcessRun) -> &mut bool);

/// A list of times of a process, by its key.
type Times = (&'static str, fn(&mut ProcessRun) -> &mut Vec<f64>);

const FIGURES: &[Figure] = &[
    ("began-s", |run| &mut run.began_s),
    ("whole-s", |run| &mut run.whole_s),
    ("load-s", |run| &mut run.load_s),
    ("compile-s", |run| &mut run.compile_s),
    ("output-deviation", |run| &mut run.output_deviation),
    ("sampling-s", |run| &mut run.observed.seconds),
    ("iterations", |run| &mut run.iterations),
    ("error-rate", |run| &mut run.error_rate),
    ("answers", |run| &mut run.answers),
    ("host-memory-mib", |run| &mut run.observed.memory_mib),
    ("library-memory-mib", |run| &mut run.library_memory_mib),
    ("device-memory-mib", |run| &mut run.device_memory_mib),
    ("minor-faults", |run| &mut run.minor_faults),
    ("major-faults", |run| &mut run.major_faults),
    ("system-ms", |run| &mut run.system_ms),
    ("worker-cpu-pct", |run| &mut run.observed.worker_pct),
    ("others-cpu-pct", |run| &mut run.observed.others_pct),
    ("stolen-cpu-pct", |run| &mut run.observed.stolen_pct),
    ("energy-j", |run| &mut run.observed.energy_j),
    ("metered-s", |run| &mut run.observed.metered_s),
    ("metered-iterations", |run| &mut run.metered_iterations),
    ("gpu-memory-mib", |run| &mut run.observed.gpu.get_or_insert_default().memory_mib),
    ("gpu-util-pct", |run| &mut run.observed.gpu.get_or_insert_default().utilisation_pct),
    ("gpu-power-w", |run| &mut run.observed.gpu.get_or_insert_default().power_w),
    ("gpu-energy-j", |run| &mut run.observed.gpu.get_or_insert_default().energy_j),
    ("gpu-temperature-c", |run| &mut run.observed.gpu.get_or_insert_default().temperature_c),
];

const FLAGS: &[Flag] = &[
    ("unsteady", |run| &mut run.is_unsteady),
    ("with-preparing", |run| &mut run.with_preparing),
    ("diverged", |run| &mut run.has_diverged),
];

const TIMES: &[Times] = &[
    ("warm-up-ms", |run| &mut run.warm_up),
    ("samples-ms", |run| &mut run.samples),
    ("device-ms", |run| &mut run.device),
];

/// The process as a part of a record.
pub(super) fn written(process: &ProcessRun) -> RecordPart {
    // What is not there is looked for in a copy.
    let mut process = process.clone();
    let mut part = RecordPart::default();
    let mut literal = |key, text: &str| part.set(key, toml_literal(text));
    literal("place", &process.place.to_string());
    for (key, figure) in FIGURES {
        if let Some(value) = *figure(&mut process) {
            literal(key, &significant(value, DIGITS));
        }
    }
    for (key, clock) in [
        ("clock-mhz", process.observed.clock_mhz),
        ("gpu-clock-mhz", process.observed.gpu.as_ref().and_then(|gpu| gpu.clock_mhz)),
    ] {
        if let Some(clock) = clock {
            literal(key, &list(&clock));
        }
    }
    for (key, flag) in FLAGS {
        if *flag(&mut process) {
            literal(key, "true");
        }
    }
    if let Some(gpu) = process.observed.gpu.as_ref().filter(|gpu| gpu.others > 0) {
        literal("gpu-others", &gpu.others.to_string());
    }
    let outliers = outliers(&process.samples);
    if !outliers.is_empty() {
        let positions: Vec<String> = outliers.iter().map(usize::to_string).collect();
        literal("outliers", &format!("[{}]", positions.join(", ")));
    }
    for (key, times) in TIMES {
        let times = times(&mut process);
        if !times.is_empty() {
            literal(key, &list(times));
        }
    }
    let throttled = process.observed.gpu.map_or_else(Vec::new, |gpu| gpu.throttled);
    if !throttled.is_empty() {
        part.set("gpu-throttled-by", toml_one_line(&throttled.join(", ")));
    }
    part
}

/// The processes of a record, as they were written.
pub(super) fn read(record: &toml::Table) -> Vec<ProcessRun> {
    let parts = record.get(KEY).and_then(toml::Value::as_array).map_or(&[][..], Vec::as_slice);
    parts.iter().filter_map(toml::Value::as_table).map(one).collect()
}

fn one(part: &toml::Table) -> ProcessRun {
    let figure = |key: &str| part.get(key).and_then(number);
    let numbers = |key: &str| -> Vec<f64> {
        part.get(key).and_then(toml::Value::as_array).into_iter().flatten().filter_map(number).collect()
    };
    let mut process = ProcessRun { place: figure("place").map_or(0, |place| place as usize), ..ProcessRun::default() };
    for (key, flag) in FLAGS {
        *flag(&mut process) = part.get(*key).and_then(toml::Value::as_bool).unwrap_or(false);
    }
    for (key, place) in FIGURES {
        if let Some(value) = figure(key) {
            *place(&mut process) = Some(value);
        }
    }
    for (key, times) in TIMES {
        *times(&mut process) = numbers(key);
    }
    process.observed.clock_mhz = numbers("clock-mhz").try_into().ok();
    if let Some(gpu) = &mut process.observed.gpu {
        gpu.clock_mhz = numbers("gpu-clock-mhz").try_into().ok();
        gpu.others = figure("gpu-others").map_or(0, |others| others as usize);
        let reasons = part.get("gpu-throttled-by").and_then(toml::Value::as_str).unwrap_or_default();
        gpu.throttled = reasons.split(", ").filter(|reason| !reason.is_empty()).map(str::to_owned).collect();
    }
    process
}

fn number(value: &toml::Value) -> Option<f64> {
    value.as_float().or_else(|| Some(value.as_integer()? as f64))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::measure::gpu::GpuUsage;
    use crate::measure::resource_monitor::ResourceUsage;

    #[test]
    fn what_is_written_is_read_again() {
        let gpu = GpuUsage {
            power_w: Some(301.5),
            clock_mhz: Some([1200.0, 1980.0, 1980.0]),
            throttled: vec!["its power limit".to_owned(), "its temperature".to_owned()],
            others: 2,
            ..GpuUsage::default()
        };
        let process = ProcessRun {
            place: 7,
            warm_up: vec![9.5],
            samples: vec![4.0, 4.125, 4.0625, 4.0, 4.25, 90.0],
            device: vec![3.9; 6],
            is_unsteady: true,
            whole_s: Some(1.25),
            observed: ResourceUsage {
                seconds: Some(0.5),
                others_pct: Some(1.5),
                clock_mhz: Some([2000.0, 2500.0, 2600.0]),
                gpu: Some(gpu),
                ..ResourceUsage::default()
            },
            ..ProcessRun::default()
        };
        let text = format!("[[process]]\n{}", written(&process));
        assert!(text.contains("outliers = [5]"), "{text}");
        assert_eq!(read(&text.parse().unwrap()), [process]);
        let plain = ProcessRun { samples: vec![1.5, 2.5], ..ProcessRun::default() };
        let text = format!("[[process]]\n{}", written(&plain));
        assert_eq!(read(&text.parse().unwrap()), [plain], "nothing is made up: {text}");
    }
}
