//! Writes a measured configuration as a row of a measurement file, with the record of each process.

use super::attempt::stated;
use super::environment::{ENERGY_METER, Environment, worker_fact};
use super::plan::{InputData, MeasuredModel, PlanPoint};
use super::process_run::{Attempt, MeasuredConfiguration, ProcessRun};
use super::run_workers::RunWorker;
use super::stats::{DIGITS, list, outliers, significant};
use super::stop_rule::RunLimits;
use super::{caveats, energy};
use crate::model::{Field, Metric};
use crate::reading::{RecordPart, WrittenRow, toml_literal, toml_one_line};
use crate::values::{Counted, Data, Metered, Outcome, Provenance, Stage, Statistic, Timing};

/// The context that all rows of a run share.
#[derive(Debug, Clone)]
pub struct RunContext<'r> {
    /// The worker that measured the row.
    pub worker: &'r RunWorker,
    /// Today's date.
    pub date: &'r str,
    /// The environment of the machine.
    pub environment: &'r Environment,
    /// Limits of the run.
    pub limits: &'r RunLimits,
}

/// A row under construction.
#[derive(Debug, Clone, Default)]
struct RunRow(WrittenRow);

/// The row of an attempt, with its record. `device` is the catalog id and the system's name of the device.
pub fn row_of(point: &PlanPoint, attempted: &Attempt, device: (&str, &str), shared: &RunContext<'_>) -> WrittenRow {
    let mut row = RunRow::default();
    let RunWorker { name, hello, .. } = shared.worker;
    row.text(Field::Framework, &hello.framework);
    row.text(Field::FrameworkVersion, &hello.framework_version);
    row.text(Field::Device, device.0);
    row.text(Field::DeviceRaw, device.1);
    row.number(Field::DeviceCount, 1);
    match &point.subject {
        MeasuredModel::Network(id) => row.text(Field::Network, id.as_str()),
        MeasuredModel::Module { digest, .. } => {
            row.text(Field::NetworkRaw, &format!("{} (TorchScript, XXH3 {digest})", point.subject.name()));
        }
    }
    row.text(Field::Stage, &point.stage.to_string());
    row.text(Field::Precision, &point.precision.to_string());
    row.text(Field::Allocator, point.allocator.into());
    if point.channels_last {
        row.text(Field::Layout, "channels-last");
    }
    match &point.data {
        InputData::Synthetic => row.text(Field::Data, Data::Synthetic.into()),
        InputData::Folder { dataset, .. } => {
            row.text(Field::Data, Data::Real.into());
            if let Some(dataset) = dataset {
                row.text(Field::Dataset, dataset.as_str());
            }
        }
    }
    for (field, key) in [
        (Field::Cuda, worker_fact(name.as_deref(), "cuda")),
        (Field::Cudnn, worker_fact(name.as_deref(), "cudnn")),
        (Field::Driver, "gpu-driver".to_owned()),
        (Field::Os, "os".to_owned()),
        (Field::Container, "container".to_owned()),
    ] {
        let on_gpu_only = matches!(field, Field::Cuda | Field::Cudnn | Field::Driver);
        if let Some(value) = shared.environment.get(&key).filter(|_| !on_gpu_only || point.device != "cpu") {
            row.text(field, value);
        }
    }
    row.number(Field::Date, shared.date);
    row.text(Field::Status, Provenance::Measured.into());
    if let Some(name) = point.method.name {
        row.text(Field::Protocol, name.into());
    }
    match attempted {
        Attempt::Failed { outcome, message, batch } => row.failed(point, *outcome, message, *batch),
        Attempt::Measured(measured) => row.measured(point, measured, shared),
    }
    row.0.set_record("point", toml_one_line(&point.title()));
    row.0
}

impl RunRow {
    fn text(&mut self, field: Field, value: &str) {
        self.0.set(field, toml_one_line(value));
    }

    fn number(&mut self, field: Field, value: impl ToString) {
        self.0.set(field, toml_literal(&value.to_string()));
    }

    fn metric(&mut self, metric: Metric, value: f64) {
        self.0.set_metric(metric, toml_literal(&significant(value, DIGITS)));
    }

    /// Adds a number or a list of numbers to the record.
    fn literal(&mut self, key: &str, value: &str) {
        self.0.set_record(key, toml_literal(value));
    }

    fn record(&mut self, key: &str, value: f64) {
        self.literal(key, &significant(value, DIGITS));
    }

    fn failed(&mut self, point: &PlanPoint, outcome: Outcome, message: &str, batch: u32) {
        self.number(Field::BatchSize, batch);
        if let Some(shape) = &point.shape {
            self.text(Field::InputShape, &shape.to_string());
        }
        self.text(Field::Outcome, &outcome.to_string());
        self.0.set_record("message", toml_one_line(message));
    }

    fn measured(&mut self, point: &PlanPoint, measured: &MeasuredConfiguration, shared: &RunContext<'_>) {
        let (ready, summary) = (&measured.ready, &measured.summary);
        self.number(Field::BatchSize, measured.batch);
        if let Some(threads) = ready.threads {
            self.number(Field::Threads, threads);
        }
        if let Some(shape) = ready.input_shape.as_ref().filter(|shape| !shape.is_empty()) {
            let text = shape.iter().map(i64::to_string).collect::<Vec<_>>().join("x");
            let counts = ready.counts.as_deref().and_then(|counts| counts.parse().ok());
            match (counts, shape.as_slice()) {
                (Some(Counted::Sequence), [length, ..]) => self.number(Field::SequenceLength, length),
                _ => self.text(Field::InputShape, &text),
            }
        }
        if let Some(counts) = &ready.counts {
            self.text(Field::Counts, counts);
        }
        for (field, value) in stated(ready) {
            self.text(field, value);
        }
        self.number(Field::Processes, measured.processes.len());
        if point.method.total {
            self.total(point, measured);
        } else {
            let statistic = if point.method.mean { Statistic::Mean } else { Statistic::Median };
            self.text(Field::Statistic, statistic.into());
            self.number(Field::N, summary.n);
            self.text(Field::Timed, &ready.timed);
            let latency = measured.value();
            let items = ready.samples_per_iteration.map_or(f64::from(measured.batch), |items| items as f64);
            let per_s = |ms: f64| 1000.0 * items / ms;
            let (metric, [value, lowest, highest]) = match point.timing {
                Timing::Latency => (Metric::LatencyMs, [latency, summary.minimum, summary.maximum]),
                Timing::Throughput => (Metric::ThroughputPerS, [latency, summary.maximum, summary.minimum].map(per_s)),
            };
            self.metric(metric, value);
            // For small deviations, the relative deviation of the reciprocal is the same.
            let deviation = |ms: f64| ms / latency * value;
            for (field, value) in [
                (Field::Lowest, Some(lowest)),
                (Field::Highest, Some(highest)),
                (Field::StdDeviation, Some(deviation(summary.std_deviation))),
                (Field::ProcessDeviation, measured.levels.deviation().map(deviation)),
            ] {
                if let Some(value) = value {
                    self.number(field, significant(value, DIGITS));
                }
            }
            self.rates(point, measured, latency);
        }
        self.beside(point, measured, shared.environment);
        let caveats = caveats::of(measured, point, shared.environment, shared.limits);
        if !caveats.is_empty() {
            self.text(Field::Caveats, &caveats.join(" "));
        }
        if let Some(notes) = &ready.notes {
            self.text(Field::Notes, notes);
        }
        self.add_record(measured);
        if let Some(files) = &point.files {
            self.0.set_record("outputs-compared-with", toml_one_line(&files.exported.made_by));
            for (key, tolerance) in files.tolerances(point.stage, point.precision) {
                self.literal(key, &significant(tolerance, DIGITS));
            }
        }
    }

    /// Adds the result of a method that measures the total time of the task.
    fn total(&mut self, point: &PlanPoint, measured: &MeasuredConfiguration) {
        let processes = measured.processes.len();
        let epochs = measured.summary.n / processes;
        self.number(Field::Epochs, epochs);
        let statistic = if processes == 1 { Statistic::Single } else { Statistic::Mean };
        self.text(Field::Statistic, statistic.into());
        self.number(Field::N, processes);
        let update = point.method.update.map_or_else(String::new, |update| {
            format!(" with SGD (rate {}, momentum {}, decay {})", update.rate, update.momentum, update.decay)
        });
        self.text(Field::Timed, &format!("training for {epochs} epochs{update}, loading included"));
        self.metric(Metric::EpochS, measured.summary.median / 1000.0);
        self.metric(Metric::TotalS, measured.value() / 1000.0);
        let errors: Option<Vec<f64>> = measured.processes.iter().map(|process| process.error_rate).collect();
        let answers: Option<f64> = measured.processes.iter().map(|process| process.answers).sum();
        if let Some((errors, answers)) = errors.zip(answers) {
            // As many digits as this number of answers can resolve.
            let digits = answers.max(1.0).log10().ceil() as usize;
            let error = errors.iter().sum::<f64>() / errors.len() as f64;
            self.0.set_metric(Metric::ErrorRate, toml_literal(&format!("{error:.digits$}")));
        }
    }

    /// Adds rates of work, for networks that exist to measure them.
    fn rates(&mut self, point: &PlanPoint, measured: &MeasuredConfiguration, latency: f64) {
        let MeasuredModel::Network(id) = &point.subject else { return };
        let one_pass = matches!(point.stage, Stage::Eval | Stage::Forward);
        let layer = id.as_str().starts_with("convnet-layer") || id.as_str().starts_with("dlbench-matrix");
        if let (true, true, Some(count)) = (one_pass, layer, measured.ready.multiply_adds) {
            let operations = 2.0 * count as f64 * f64::from(measured.batch);
            self.metric(Metric::Gflops, operations / latency / 1e6);
        }
        if let Some(bytes) = measured.ready.bytes_moved {
            self.metric(Metric::BandwidthGbPerS, bytes as f64 / latency / 1e6);
        }
    }

    /// Adds resource usage: memory, utilisation, power and energy.
    fn beside(&mut self, point: &PlanPoint, measured: &MeasuredConfiguration, environment: &Environment) {
        let seen = &measured.observed;
        let memory = match &seen.gpu {
            Some(gpu) => gpu.memory_mib.or(measured.device_memory_mib()),
            None if point.device == "cpu" => seen.memory_mib,
            None => measured.device_memory_mib(),
        };
        let energy = seen.energy();
        let power = energy.map(|(joules, seconds)| joules / seconds.max(1e-9));
        let power = power.or(seen.gpu.as_ref().and_then(|gpu| gpu.power_w)).filter(|&watts| watts > 0.0);
        for (metric, value) in [
            (Metric::MemoryMib, memory),
            (Metric::PowerW, power),
            (Metric::GpuUtilPct, seen.gpu.as_ref().and_then(|gpu| gpu.utilisation_pct)),
            (Metric::CpuUtilPct, seen.worker_pct),
        ] {
            if let Some(value) = value {
                self.0.set_metric(metric, toml_literal(&significant(value, 3)));
            }
        }
        let of_gpu = seen.gpu.as_ref().map(|gpu| gpu.energy_j);
        let items = measured.ready.samples_per_iteration.map_or(f64::from(measured.batch), |items| items as f64);
        for (metric, joules) in [
            (Metric::EnergyPerItemJ, energy.map(|(joules, _)| joules)),
            (Metric::CpuEnergyPerItemJ, seen.parts.cpu_j),
            (Metric::RamEnergyPerItemJ, seen.parts.ram_j),
            (Metric::GpuEnergyPerItemJ, of_gpu.flatten()),
            (Metric::PlatformEnergyPerItemJ, seen.parts.platform_j),
        ] {
            if let Some(joules) = joules.filter(|joules| energy.is_some() && *joules > 0.0) {
                let of_item = joules / measured.metered_iterations() / items;
                self.0.set_metric(metric, toml_literal(&significant(of_item, DIGITS)));
            }
        }
        // Without the energy counter of a GPU, only its power is stated, which does not include the processors.
        let with_processors = seen.parts.cpu_j.is_some() && energy.is_some();
        let meters = [of_gpu.map(|_| energy::NVML), environment.get(ENERGY_METER).filter(|_| with_processors)];
        let meters: Vec<&str> = meters.into_iter().flatten().collect();
        if power.is_some() && !meters.is_empty() {
            let metered = if meters.len() > 1 { Metered::Parts } else { Metered::Device };
            self.text(Field::Metered, metered.into());
            self.0.set_record("meter", toml_one_line(&meters.join("; ")));
        }
    }

    /// Adds the record: the summary of the samples, and all samples of each process.
    fn add_record(&mut self, measured: &MeasuredConfiguration) {
        let summary = &measured.summary;
        for (key, value) in [
            ("median-ms", summary.median),
            ("mean-ms", summary.mean),
            ("minimum-ms", summary.minimum),
            ("p5-ms", summary.p5),
            ("p95-ms", summary.p95),
            ("p99-ms", summary.p99),
            ("mad-ms", summary.mad),
        ] {
            self.record(key, value);
        }
        if let (Some((low, high)), Some(width)) = (measured.levels.interval(), measured.levels.half_width()) {
            self.literal("interval-ms", &list(&[low, high]));
            self.literal("half-width-pct", &significant(100.0 * width, 3));
        }
        self.literal("planned-processes", &measured.planned.to_string());
        self.literal("levels-ms", &list(measured.levels.values()));
        if let Some(overhead) = measured.ready.overhead_ns {
            self.record("overhead-ns", overhead);
        }
        for (key, count) in [("parameters", measured.ready.parameters), ("multiply-adds", measured.ready.multiply_adds)]
        {
            if let Some(count) = count.filter(|&count| count > 0) {
                self.literal(key, &count.to_string());
            }
        }
        let seen = &measured.observed;
        for (key, value) in [
            ("host-memory-mib", seen.memory_mib),
            ("others-cpu-pct", seen.others_pct),
            ("temperature-c", seen.gpu.as_ref().and_then(|gpu| gpu.temperature_c)),
        ] {
            if let Some(value) = value {
                self.literal(key, &significant(value, 3));
            }
        }
        let clock = seen.gpu.as_ref().map_or(seen.clock_mhz, |gpu| gpu.clock_mhz);
        if let Some(clock) = clock {
            self.literal("clock-mhz", &list(&clock));
        }
        for process in &measured.processes {
            self.0.add_to_record(KEY, written(process));
        }
    }
}

/// The key of the list of processes in a record.
pub(super) const KEY: &str = "process";

/// A number in the record of a process: its key, and the field that holds it.
type Figure = (&'static str, fn(&mut ProcessRun) -> &mut Option<f64>);

/// A boolean in the record of a process: its key, and the field that holds it.
type Flag = (&'static str, fn(&mut ProcessRun) -> &mut bool);

/// A list of times in the record of a process: its key, and the field that holds it.
type Times = (&'static str, fn(&mut ProcessRun) -> &mut Vec<f64>);

const FIGURES: &[Figure] = &[
    ("began-s", |run| &mut run.began_s),
    ("whole-s", |run| &mut run.whole_s),
    ("load-s", |run| &mut run.load_s),
    ("compile-s", |run| &mut run.compile_s),
    ("output-deviation", |run| &mut run.output_deviation),
    ("update-deviation", |run| &mut run.update_deviation),
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
    ("cpu-energy-j", |run| &mut run.observed.parts.cpu_j),
    ("ram-energy-j", |run| &mut run.observed.parts.ram_j),
    ("platform-energy-j", |run| &mut run.observed.parts.platform_j),
    ("power-every-s", |run| &mut run.observed.power_every_s),
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
    ("power-w", |run| &mut run.observed.power_w),
];

/// Converts a process to a part of a record.
pub(super) fn written(process: &ProcessRun) -> RecordPart {
    // The accessors need mutable access (and create a missing `gpu`), so they work on a copy.
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

/// Reads the processes back from a record.
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
