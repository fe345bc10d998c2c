//! The table of metrics: each metric has its one definition, unit and direction here.

use serde::{Serialize, Serializer};

use super::facet::registry;
use crate::values::Unit;
use crate::values::text::plural;

/// Which way is better.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Direction {
    /// A smaller value is better.
    Lower,
    /// A larger value is better.
    Higher,
    /// Neither: the value is descriptive (a utilisation).
    Neutral,
}

registry! {
    /// A measured quantity. A new metric is a row here: reader, stores, filters, columns, CSV and schemas follow.
    ///
    /// The order is that of the columns in files, stores and answers.
    pub enum Metric: MetricRow {
        LatencyMs, "latency-ms", "time for one batch of the stage, in milliseconds" =>
            row("latency [ms]", Unit::Milliseconds, Direction::Lower)
                .spelled(&["latency", "ms", "milliseconds", "ms per batch"]);
        MeanLatencyMs, "mean-latency-ms",
            "mean time from a query to its answer, waiting included, in milliseconds (beside a percentile or a rate)" =>
            row("mean latency [ms]", Unit::Milliseconds, Direction::Lower)
                .spelled(&["mean latency", "average latency", "mean query latency"]);
        TimeToFirstTokenMs, "time-to-first-token-ms",
            "time from a request to the first token of its answer, in milliseconds" =>
            row("first token [ms]", Unit::Milliseconds, Direction::Lower)
                .spelled(&["time to first token", "ttft", "first token latency"]);
        TimePerOutputTokenMs, "time-per-output-token-ms",
            "time of a request from its first token to its last / tokens behind the first, in milliseconds" =>
            row("per token [ms]", Unit::Milliseconds, Direction::Lower).spelled(&["time per output token", "tpot"]);
        InterTokenLatencyMs, "inter-token-latency-ms", "time between one token of a request and the next, in milliseconds" =>
            row("between tokens [ms]", Unit::Milliseconds, Direction::Lower)
                .spelled(&["inter token latency", "inter-token latency", "itl"]);
        MedianTimeToFirstTokenMs, "median-time-to-first-token-ms", "median of the time from a request to the first token of its answer, in milliseconds" =>
            row("median first token [ms]", Unit::Milliseconds, Direction::Lower);
        P90TimeToFirstTokenMs, "p90-time-to-first-token-ms", "90th percentile of the time from a request to the first token of its answer, in milliseconds" =>
            row("p90 first token [ms]", Unit::Milliseconds, Direction::Lower);
        P95TimeToFirstTokenMs, "p95-time-to-first-token-ms", "95th percentile of the time from a request to the first token of its answer, in milliseconds" =>
            row("p95 first token [ms]", Unit::Milliseconds, Direction::Lower);
        P99TimeToFirstTokenMs, "p99-time-to-first-token-ms", "99th percentile of the time from a request to the first token of its answer, in milliseconds" =>
            row("p99 first token [ms]", Unit::Milliseconds, Direction::Lower);
        MedianTimePerOutputTokenMs, "median-time-per-output-token-ms", "median of the time of a request from its first token to its last / tokens behind the first, in milliseconds" =>
            row("median per token [ms]", Unit::Milliseconds, Direction::Lower);
        P90TimePerOutputTokenMs, "p90-time-per-output-token-ms", "90th percentile of the time of a request from its first token to its last / tokens behind the first, in milliseconds" =>
            row("p90 per token [ms]", Unit::Milliseconds, Direction::Lower);
        P95TimePerOutputTokenMs, "p95-time-per-output-token-ms", "95th percentile of the time of a request from its first token to its last / tokens behind the first, in milliseconds" =>
            row("p95 per token [ms]", Unit::Milliseconds, Direction::Lower);
        P99TimePerOutputTokenMs, "p99-time-per-output-token-ms", "99th percentile of the time of a request from its first token to its last / tokens behind the first, in milliseconds" =>
            row("p99 per token [ms]", Unit::Milliseconds, Direction::Lower);
        MedianInterTokenLatencyMs, "median-inter-token-latency-ms", "median of the time between one token of a request and the next, in milliseconds" =>
            row("median between tokens [ms]", Unit::Milliseconds, Direction::Lower);
        P90InterTokenLatencyMs, "p90-inter-token-latency-ms", "90th percentile of the time between one token of a request and the next, in milliseconds" =>
            row("p90 between tokens [ms]", Unit::Milliseconds, Direction::Lower);
        P95InterTokenLatencyMs, "p95-inter-token-latency-ms", "95th percentile of the time between one token of a request and the next, in milliseconds" =>
            row("p95 between tokens [ms]", Unit::Milliseconds, Direction::Lower);
        P99InterTokenLatencyMs, "p99-inter-token-latency-ms", "99th percentile of the time between one token of a request and the next, in milliseconds" =>
            row("p99 between tokens [ms]", Unit::Milliseconds, Direction::Lower);
        ThroughputPerS, "throughput-per-s", "items (images, tokens … as the row says) finished in a second" =>
            row("throughput [/s]", Unit::PerSecond, Direction::Higher)
                .counts_items_per("s")
                .spelled(&[
                    "throughput", "images/s", "images per second", "img/s", "fps", "frames per second",
                    "samples per second", "tokens per second", "tokens/s",
                ]);
        DeviceThroughputPerS, "device-throughput-per-s",
            "items finished in a second, divided by the devices, where that is what the source states" =>
            row("of a device [/s]", Unit::PerSecond, Direction::Higher)
                .counts_items_per("s")
                .spelled(&["tokens per second per gpu", "tokens/s/gpu", "tokens per second per device"]);
        EpochS, "epoch-s", "time for one pass over the data set, in seconds" =>
            row("epoch [s]", Unit::Seconds, Direction::Lower)
                .spelled(&["epoch", "seconds per epoch", "time per epoch", "epoch time"]);
        TotalS, "total-s", "time for the whole task as the source defines it, in seconds" =>
            row("total [s]", Unit::Seconds, Direction::Lower)
                .of_whole_task()
                .spelled(&["total time", "training time"]);
        TimeToAccuracyS, "time-to-accuracy-s", "training time until the accuracy target is met, in seconds" =>
            row("time to accuracy [s]", Unit::Seconds, Direction::Lower)
                .of_whole_task()
                .spelled(&["time to accuracy", "tta"]);
        MemoryMib, "memory-mib", "memory in use on the device, in MiB" =>
            row("memory [MiB]", Unit::Mebibytes, Direction::Lower)
                .spelled(&["memory use", "memory usage", "memory footprint"]);
        PowerW, "power-w", "electrical power, in watts" =>
            row("power [W]", Unit::Watts, Direction::Lower).of_energy().spelled(&["power", "watts", "power draw"]);
        EnergyJ, "energy-j", "energy of the task, in joules" =>
            row("energy [J]", Unit::Joules, Direction::Lower)
                .of_energy()
                .of_whole_task()
                .spelled(&["energy", "joules"]);
        EnergyPerItemJ, "energy-per-item-j", "energy for one item (image, token … as the row says), in joules" =>
            row("energy of an item [J]", Unit::Joules, Direction::Lower)
                .of_energy()
                .of_an_item()
                .spelled(&["joules per item", "energy per item", "joules per token", "j/token"]);
        CpuEnergyPerItemJ, "cpu-energy-per-item-j", "what the processors took of the energy for one item, in joules" =>
            row("CPU energy of an item [J]", Unit::Joules, Direction::Lower).of_energy().of_an_item()
                .spelled(&["cpu energy"]);
        RamEnergyPerItemJ, "ram-energy-per-item-j", "what the memory of the processors took of the energy for one item, in joules" =>
            row("RAM energy of an item [J]", Unit::Joules, Direction::Lower).of_energy().of_an_item()
                .spelled(&["ram energy"]);
        GpuEnergyPerItemJ, "gpu-energy-per-item-j", "what the GPU took of the energy for one item, in joules" =>
            row("GPU energy of an item [J]", Unit::Joules, Direction::Lower).of_energy().of_an_item()
                .spelled(&["gpu energy"]);
        PlatformEnergyPerItemJ, "platform-energy-per-item-j",
            "energy of the whole platform for one item where its firmware meters that, in joules" =>
            row("platform energy of an item [J]", Unit::Joules, Direction::Lower).of_energy().of_an_item()
                .spelled(&["platform energy"]);
        EnergyPerRequestJ, "energy-per-request-j", "energy for one request and all of its answer, in joules" =>
            row("energy of a request [J]", Unit::Joules, Direction::Lower)
                .of_energy()
                .spelled(&["joules per request", "energy per request", "joules per query", "energy per query"]);
        ItemsPerJoule, "items-per-joule", "items finished for each joule" =>
            row("items [/J]", Unit::Count, Direction::Higher)
                .counts_items_per("J")
                .of_energy()
                .spelled(&["images per joule", "images/joule", "images/j", "per joule", "items per joule"]);
        GpuUtilPct, "gpu-util-pct", "share of time the GPU was busy, in percent" =>
            row("GPU use [%]", Unit::Percent, Direction::Neutral)
                .may_be_zero()
                .spelled(&["gpu utilisation", "gpu utilization", "gpu usage"]);
        CpuUtilPct, "cpu-util-pct", "share of time the CPU was busy, in percent" =>
            row("CPU use [%]", Unit::Percent, Direction::Neutral)
                .may_be_zero()
                .spelled(&["cpu utilisation", "cpu utilization", "cpu usage"]);
        Accuracy, "accuracy", "fraction of right answers, 0 to 1" =>
            row("accuracy", Unit::Fraction, Direction::Higher).of_quality().spelled(&["top1", "validation accuracy"]);
        ErrorRate, "error-rate", "fraction of wrong answers, 0 to 1" =>
            row("error rate", Unit::Fraction, Direction::Lower).of_quality().may_be_zero().spelled(&["error", "test error"]);
        Loss, "loss", "value of the loss function on the validation set" =>
            row("loss", Unit::Count, Direction::Lower).of_quality().may_be_zero().spelled(&["validation loss"]);
        CostUsd, "cost-usd", "cost of the task, in US dollars" =>
            row("cost [USD]", Unit::Dollars, Direction::Lower)
                .of_whole_task()
                .may_be_zero()
                .spelled(&["cost", "dollars"]);
        Gflops, "gflops", "floating-point operations, in 10^9 a second" =>
            row("GFLOP/s", Unit::GigaOperations, Direction::Higher)
                .spelled(&["flops", "tflops", "teraflops", "gigaflops"]);
        DeviceGflops, "device-gflops", "the model's arithmetic, in 10^9 operations a second of each device" =>
            row("GFLOP/s of a device", Unit::GigaOperations, Direction::Higher)
                .spelled(&["model tflops", "tflops per gpu", "model flops per gpu", "tflop/s/device"]);
        Mfu, "mfu",
            "model FLOPs utilisation: the model's arithmetic (nothing computed twice) as a share of the dense peak, 0 to 1" =>
            row("MFU", Unit::Fraction, Direction::Higher)
                .spelled(&["mfu", "model flops utilisation", "model flops utilization"]);
        BandwidthGbPerS, "bandwidth-gb-per-s", "memory traffic, in 10^9 bytes a second" =>
            row("bandwidth [GB/s]", Unit::GigabytesPerSecond, Direction::Higher).spelled(&["memory bandwidth"]);
        Speedup, "speedup", "times as fast as the row's baseline" =>
            row("speed-up [x]", Unit::Count, Direction::Higher)
                .relative_to_baseline()
                .spelled(&["speed-up", "times faster"]);
        EfficiencyRatio, "efficiency-ratio", "times the performance per watt of the row's baseline" =>
            row("performance per watt [x]", Unit::Count, Direction::Higher)
                .relative_to_baseline()
                .spelled(&["performance per watt", "flops per watt", "gflops per watt"]);
        #[cfg(test)] TestMetricBits, "test-metric-bits", "a row that only tests have" =>
            row("test metric [bit]", Unit::Count, Direction::Lower).spelled(&["bits of the test"]);
    }
}

/// The definition of a metric.
#[derive(Debug, Clone, Copy)]
struct MetricRow {
    heading: &'static str,
    unit: Unit,
    direction: Direction,
    spellings: &'static [&'static str],
    items_per: Option<&'static str>,
    is_of_whole_task: bool,
    is_of_quality: bool,
    is_of_energy: bool,
    is_of_an_item: bool,
    is_relative: bool,
    may_be_zero: bool,
}

/// The row of a metric; the heading has the unit in brackets.
const fn row(heading: &'static str, unit: Unit, direction: Direction) -> MetricRow {
    MetricRow {
        heading,
        unit,
        direction,
        spellings: &[],
        items_per: None,
        is_of_whole_task: false,
        is_of_quality: false,
        is_of_energy: false,
        is_of_an_item: false,
        is_relative: false,
        may_be_zero: false,
    }
}

impl MetricRow {
    /// Query words for it.
    const fn spelled(self, spellings: &'static [&'static str]) -> Self {
        Self { spellings, ..self }
    }

    /// Its value is a number of items per this unit, so a row states what it counts.
    const fn counts_items_per(self, unit: &'static str) -> Self {
        Self { items_per: Some(unit), ..self }
    }

    /// Its value covers a whole task, so data set and number of epochs are part of what is measured.
    const fn of_whole_task(self) -> Self {
        Self { is_of_whole_task: true, ..self }
    }

    /// Its value is the quality of a network's answers at the end of a task, whatever the hardware.
    const fn of_quality(self) -> Self {
        Self { is_of_quality: true, ..self.of_whole_task() }
    }

    /// Its value is a power, an energy or a rate per energy, so the metered scope is part of what is measured.
    const fn of_energy(self) -> Self {
        Self { is_of_energy: true, ..self }
    }

    /// Its value is per item, so a row states what it counts.
    const fn of_an_item(self) -> Self {
        Self { is_of_an_item: true, ..self }
    }

    /// Its value is a ratio to the row's baseline.
    const fn relative_to_baseline(self) -> Self {
        Self { is_relative: true, ..self }
    }

    /// Zero is a possible value; for other metrics it means that nothing was measured.
    const fn may_be_zero(self) -> Self {
        Self { may_be_zero: true, ..self }
    }
}

impl Metric {
    /// The heading of a column, with its unit.
    pub fn heading(self) -> &'static str {
        self.row().heading
    }

    /// The unit of the value.
    pub fn unit(self) -> Unit {
        self.row().unit
    }

    /// Which way is better.
    pub fn direction(self) -> Direction {
        self.row().direction
    }

    /// Query words for the metric.
    pub fn spellings(self) -> &'static [&'static str] {
        self.row().spellings
    }

    /// The column heading where all rows count the same items: `images/s`, `tokens/s per device`.
    pub fn heading_of(self, counts: &str) -> Option<String> {
        let of_each = if self == Self::DeviceThroughputPerS { " per device" } else { "" };
        self.items_per().map(|per| format!("{}/{per}{of_each}", plural(counts)))
    }

    /// The unit after the slash where the value counts items: `s` of images/s.
    pub fn items_per(self) -> Option<&'static str> {
        self.row().items_per
    }

    /// Whether the value covers a whole task.
    pub fn is_of_whole_task(self) -> bool {
        self.row().is_of_whole_task
    }

    /// Whether the value measures the quality of a network's answers rather than speed.
    pub fn is_of_quality(self) -> bool {
        self.row().is_of_quality
    }

    /// Whether the value is a power, an energy or a rate per energy.
    pub fn is_of_energy(self) -> bool {
        self.row().is_of_energy
    }

    /// Whether the value counts items or is per item, so that the kind of item is part of what is measured.
    pub fn is_of_items(self) -> bool {
        self.row().items_per.is_some() || self.row().is_of_an_item
    }

    /// Whether the value is a ratio to the row's baseline.
    pub fn is_relative(self) -> bool {
        self.row().is_relative
    }

    /// Whether 0 is a possible value; for other metrics it means that nothing was measured.
    pub fn may_be_zero(self) -> bool {
        self.row().may_be_zero
    }
}

impl Serialize for Metric {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_str(&self.json_key())
    }
}
