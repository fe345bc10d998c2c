//! A measured configuration as a row of a measurement file.

use super::agreement::tolerance;
use super::caveats;
use super::digits::{DIGITS, list, significant};
use super::energy_meter;
use super::environment::{ENERGY_METER, Environment, worker_fact};
use super::limits::RunLimits;
use super::plan_point::{InputData, MeasuredModel, PlanPoint};
use super::process_record;
use super::process_run::{Attempt, MeasuredConfiguration};
use super::run_workers::RunWorker;
use super::stated_fields::stated;
use crate::model::{Field, Metric};
use crate::reading::{WrittenRow, toml_literal, toml_one_line};
use crate::values::{Counted, Data, Metered, Outcome, Provenance, Stage, Statistic, Timing};

/// What all rows of a run share.
#[derive(Debug, Clone)]
pub struct RunContext<'r> {
    /// The worker that measured the row.
    pub worker: &'r RunWorker,
    /// Today.
    pub date: &'r str,
    /// The machine.
    pub environment: &'r Environment,
    /// Limits of the run.
    pub limits: &'r RunLimits,
}

/// A row that is being filled.
#[derive(Debug, Clone, Default)]
struct RunRow(WrittenRow);

/// A row and its record. `device` is the id in the catalog and the name that the system gives.
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

    /// Adds to the record what is no text: a number or a list of them.
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
            // What deviates little deviates by as large a share of its reciprocal.
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
        self.keep(measured);
        if let Some(files) = &point.files {
            self.0.set_record("outputs-compared-with", toml_one_line(&files.exported.made_by));
            if let Some(tolerance) = tolerance(point.precision, &files.exported) {
                self.literal("output-tolerance", &significant(tolerance, DIGITS));
            }
        }
    }

    /// A method whose value is the time of the whole task.
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
            // As many digits as that many answers can tell apart.
            let digits = answers.max(1.0).log10().ceil() as usize;
            let error = errors.iter().sum::<f64>() / errors.len() as f64;
            self.0.set_metric(Metric::ErrorRate, toml_literal(&format!("{error:.digits$}")));
        }
    }

    /// Rates of work, for the workloads whose purpose they are.
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

    /// What was sampled beside the run.
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
        if let Some((joules, _)) = energy {
            self.record("energy-per-iteration-j", joules / measured.metered_iterations());
        }
        let meter = if seen.gpu.is_some() { Some(energy_meter::NVML) } else { environment.get(ENERGY_METER) };
        if let (Some(_), Some(meter)) = (power, meter) {
            self.text(Field::Metered, Metered::Device.into());
            self.0.set_record("meter", toml_one_line(meter));
        }
    }

    /// The record: what the samples come to, and every sample of each process.
    fn keep(&mut self, measured: &MeasuredConfiguration) {
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
            self.0.add_to_record(process_record::KEY, process_record::written(process));
        }
    }
}
