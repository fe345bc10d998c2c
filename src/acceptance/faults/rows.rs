//! Faults in single measurements: a mistake in one row, or in the defaults of a file.

use super::edit::Slip::{Copy, Exchange, Map, Other, Set, Times, With};
use super::facts::channels_last;
use super::fault::{Fault, line, one};
use super::record::Record;

const ALL: &str = "measurements/";
/// Sources whose rows form series over batch sizes or networks.
const SERIES: &str = "measurements/jcjohnson-2017/|measurements/u39kun-2018/|measurements/ryujaehun-2021/\
                      |measurements/nvidia-dle-2024/|measurements/undertherain-2021/|measurements/soumith-2017/\
                      |measurements/minimaxir-2017/|measurements/timm-2026/";
/// Sources that state batch latencies, on devices with a known peak and for networks with known multiply-adds.
const COMPUTED: &str = "measurements/jcjohnson-2017/|measurements/u39kun-2018/|measurements/ryujaehun-2021/\
                        |measurements/undertherain-2021/|measurements/timm-2026/";

/// Whether the text names a number format.
fn says_format(record: &Record, key: &str) -> bool {
    let text = record.text(key).to_lowercase();
    ["fp16", "fp32", "int8", "fp8", "bf16", "half"].iter().any(|format| text.contains(format))
}

/// Whether the raw spelling states the device count: `8x V100`, `7900 XTX x 2`.
pub fn says_count(record: &Record) -> bool {
    let raw = record.text("device-raw").to_lowercase();
    if raw.len() > 4 && raw[..raw.len() - 1].ends_with(" x ") {
        return true;
    }
    let digits = raw.trim_start_matches(|c: char| c.is_ascii_digit());
    digits.len() < raw.len() && digits.trim_start().starts_with(['x', '*'])
}

fn is_language(record: &Record) -> bool {
    ["bert", "gpt", "llama", "transformer", "gnmt"].iter().any(|name| record.text("network").contains(name))
}

fn is_old(record: &Record) -> bool {
    let device = record.text("device");
    ["v100", "k80", "p100", "1080", "titan-x", "980", "titan-z", "p40"].iter().any(|old| device.contains(old))
}

fn is_series(record: &Record) -> bool {
    record.number("batch-size").is_some() && record.literal("network").is_some()
}

fn is_pictured(record: &Record) -> bool {
    record.text("counts") == "image"
}

/// Multiplies the batch size by ten and leaves all metrics.
fn with_larger_batch(record: &Record) -> Option<Vec<(&'static str, String)>> {
    let batch = record.number("batch-size")?;
    Some(vec![("batch-size", format!("{:.0}", batch * 10.0))])
}

fn years(literal: &str, years: i32) -> Option<String> {
    let plain = literal.trim_matches('"');
    let year: i32 = plain.get(..4)?.parse().ok()?;
    Some(literal.replacen(&plain[..4], &(year + years).to_string(), 1))
}

#[rustfmt::skip]
pub const FAULTS: &[Fault] = &[
    // Values that contradict the row's own raw spellings.
    one("the device is another than its spelling", ALL, Other("device")).when(|r| r.text("device-raw").contains(|c: char| c.is_ascii_digit())),
    one("the device is the spelling's neighbour", ALL, Map("device", |id| {
        [("1080-ti", "1080"), ("2080-ti", "2080"), ("3090-ti", "3090"), ("v100-sxm2-16gb", "v100s-pcie-32gb"),
         ("a100-sxm4-40gb", "a100-pcie-40gb"), ("rtx-4090", "rtx-4080"), ("rtx-3090", "rtx-3080"), ("h100-sxm5-80gb", "h100-pcie-80gb"),
         ("rtx-2070", "rtx-2080"), ("tesla-t4", "tesla-p4")]
            .iter().find(|(from, _)| id.trim_matches('"').ends_with(from)).map(|(from, to)| id.replacen(from, to, 1))
    })).when(|r| r.literal("device-raw").is_some()),
    one("the network is another than its spelling", ALL, Other("network")).when(|r| r.text("network-raw").contains(|c: char| c.is_ascii_digit())),
    one("the network is deeper than its spelling", ALL, Map("network", |id| {
        [("resnet-50", "resnet-101"), ("resnet-18", "resnet-34"), ("resnet-152", "resnet-50"), ("vgg-16", "vgg-19"), ("bert-base", "bert-large")]
            .iter().find(|(from, _)| id.trim_matches('"') == *from).map(|(from, to)| id.replacen(from, to, 1))
    })).when(|r| r.literal("network-raw").is_some()),
    one("the framework is another than its spelling", ALL, Other("framework")).when(|r| r.literal("framework-raw").is_some()),
    one("the data set is another than its spelling", ALL, Other("dataset")).when(|r| r.literal("dataset-raw").is_some()),
    one("the data set is of another task", ALL, Set("dataset", "\"librispeech\"")).when(|r| is_pictured(r) && r.literal("dataset").is_some()),
    one("one device where the spelling counts several", ALL, Set("device-count", "3")).when(says_count),
    one("the devices are those of all nodes twice", ALL, Times("device-count", 7.0)).when(says_count),
    one("the precision is another than the label's", ALL, Set("precision", "\"fp64\"")).when(|r| {
        ["network-raw", "device-raw", "framework-raw"].iter().any(|key| says_format(r, key))
    }),
    one("the quantisation contradicts the precision", ALL, Set("precision", "\"fp32\"")).when(|r| r.text("quantization").contains("4-bit")),
    one("the stage contradicts what was timed", ALL, Set("stage", "\"eval\"")).when(|r| r.text("timed").contains("backward")),
    one("the stage is prefill of a network of images", ALL, Set("stage", "\"prefill\"")).when(is_pictured),
    // Values that the device, the network or the task cannot have.
    one("fp8 on a device without it", ALL, Set("precision", "\"fp8\"")).when(is_old),
    one("TF32 on a device without it", ALL, Set("precision", "\"tf32\"")).when(is_old),
    one("mixed bf16 on a device without it", ALL, Set("precision", "\"amp-bf16\"")).when(is_old),
    one("bf16 on a device without it", ALL, Set("precision", "\"bf16\"")).when(is_old),
    one("the input has its channels last", ALL, Map("input-shape", channels_last)),
    one("images are counted as tokens", ALL, Set("counts", "\"token\"")).when(is_pictured),
    one("sentences are counted as images", ALL, Set("counts", "\"image\"")).when(is_language),
    one("sequences are counted as frames", ALL, Set("counts", "\"frame\"")).when(is_language),
    one("the accuracy target is in percent", ALL, Times("accuracy-target", 100.0)),
    one("the target of the reference is in percent", ALL, Times("relative-accuracy-target", 100.0)),
    one("the target of the reference is the other one", ALL, Map("relative-accuracy-target", |target| {
        Some(if target == "0.99" { "0.999" } else { "0.99" }.to_owned())
    })).when(|r| r.text("network-raw").contains("99")),
    one("the accuracy target is an error rate", ALL, Map("accuracy-target", |target| super::edit::scaled(&format!("{:.4}", 1.0 - target.parse::<f64>().ok()?), 1.0))),
    // Versions.
    one("the versions of framework and CUDA are exchanged", ALL, Exchange("framework-version", "cuda")),
    one("the versions of CUDA and cuDNN are exchanged", ALL, Exchange("cuda", "cudnn")).when(|r| {
        r.text("cuda").get(..3) != r.text("cudnn").get(..3) && !r.text("cudnn").starts_with('R')
    }),
    one("CUDA is older than the device", ALL, Set("cuda", "\"6.5\"")).when(|r| {
        ["v100", "rtx", "a100", "t4"].iter().any(|new| r.text("device").contains(new))
    }),
    one("CUDA is of a version to come", ALL, Set("cuda", "\"31.2\"")),
    one("the version is another framework's", ALL, Set("framework-version", "\"94.2\"")).when(|r| r.text("framework").contains("torch")),
    one("the driver is the version of CUDA", ALL, Copy { from: "cuda", to: "driver" }),
    // Dates.
    one("it was measured before the device came out", ALL, Map("date", |date| years(date, -12))),
    one("it was measured after the source was read", ALL, Map("date", |date| years(date, 30))),
    one("it was measured before the network was known", ALL, Set("date", "2009-05-05")).when(|r| r.text("network").contains("resnet")),
    // Batch sizes.
    one("the batch is ten times as large", SERIES, With(with_larger_batch)).when(is_series),
    one("the batch is a thousand times as large", SERIES, Times("batch-size", 1000.0)).when(is_series),
    one("batch and value are exchanged", SERIES, Exchange("batch-size", "throughput-per-s")),
    one("batch and time are exchanged", COMPUTED, Exchange("batch-size", "latency-ms")),
    one("the batch of all devices is that of one", ALL, Copy { from: "batch-size", to: "batch-size-global" }).when(|r| {
        r.number("device-count").is_some_and(|n| n > 1.0)
    }),
    // Values.
    one("the time has a digit too many", SERIES, Times("latency-ms", 10.0)).when(is_series),
    one("the time has lost a digit", SERIES, Times("latency-ms", 0.1)).when(is_series),
    one("the time is in seconds", COMPUTED, Times("latency-ms", 0.001)).when(is_series),
    one("the time is in microseconds", COMPUTED, Times("latency-ms", 1000.0)).when(is_series),
    one("the throughput has a digit too many", SERIES, Times("throughput-per-s", 10.0)).when(is_series),
    one("the throughput has lost a digit", SERIES, Times("throughput-per-s", 0.1)).when(is_series),
    one("the throughput is that of 1000 seconds", SERIES, Times("throughput-per-s", 1000.0)).when(is_series),
    one("the throughput is that of a millisecond", SERIES, Times("throughput-per-s", 0.001)).when(is_series),
    one("time and throughput are exchanged", ALL, Exchange("latency-ms", "throughput-per-s")).when(|r| {
        r.number("latency-ms").zip(r.number("throughput-per-s")).is_some_and(|(a, b)| a / b > 4.0 || b / a > 4.0)
    }),
    one("the time is that of one item", COMPUTED, With(|r| {
        let (latency, batch) = (r.literal("latency-ms")?, r.number("batch-size")?);
        (batch >= 8.0).then(|| Some(vec![("latency-ms", super::edit::scaled(latency, 1.0 / batch)?)]))?
    })),
    one("the throughput counts batches", SERIES, With(|r| {
        let (rate, batch) = (r.literal("throughput-per-s")?, r.number("batch-size")?);
        (batch >= 16.0).then(|| Some(vec![("throughput-per-s", super::edit::scaled(rate, 1.0 / batch)?)]))?
    })),
    line("a failed attempt has a value", "", "measurements/u39kun-2018/|measurements/jcjohnson-2017/", |line| {
        line.starts_with("latency-ms = ").then(|| format!("outcome = \"oom\"\n{line}"))
    }),
    one("memory is in GiB", ALL, Times("memory-mib", 1.0 / 1024.0)),
    one("memory is in KiB", ALL, Times("memory-mib", 1024.0)),
    one("power is in mW", ALL, Times("power-w", 1000.0)),
    one("power is in kW", ALL, Times("power-w", 0.001)),
    one("power has a digit too many", ALL, Times("power-w", 10.0)).when(|r| r.literal("device").is_some()),
    one("the accuracy is in percent", ALL, Times("accuracy", 100.0)),
    one("the error rate is in percent", ALL, Times("error-rate", 100.0)).when(|r| r.number("error-rate").is_some_and(|e| e > 0.01)),
    one("items per joule are per kilojoule", ALL, Times("items-per-joule", 1000.0)),
    one("items per joule are joules per item", ALL, Map("items-per-joule", |ratio| {
        let ratio: f64 = ratio.parse().ok()?;
        (!(0.5..2.0).contains(&ratio)).then(|| format!("{:.4}", 1.0 / ratio))
    })),
    one("the rate is in FLOP/s", ALL, Times("gflops", 1e9)).when(|r| !r.text("device").is_empty()),
    one("the rate is in MFLOP/s", ALL, Times("gflops", 1000.0)).when(|r| !r.text("device").is_empty()),
    one("the traffic is in MB/s", ALL, Times("bandwidth-gb-per-s", 1000.0)),
    one("the speed-up has no baseline", ALL, Map("baseline", |_| Some("\"\"".to_owned()))),
    one("lowest and highest are exchanged", ALL, Exchange("lowest", "highest")).when(|r| {
        r.number("lowest").zip(r.number("highest")).is_some_and(|(a, b)| b > a * 1.05)
    }),
    one("the deviation is larger than the value", ALL, Times("std-deviation", 1000.0)).when(|r| r.number("std-deviation").is_some_and(|d| d > 0.1)),
    one("the only sample is one of many", ALL, Set("statistic", "\"single\"")).when(|r| r.number("n").is_some_and(|n| n > 1.0)),
    one("the value lies outside its spread", ALL, Times("lowest", 1000.0)),
    one("the epoch is longer than the whole", ALL, Exchange("epoch-s", "total-s")),
    one("the epoch is in minutes", ALL, Times("epoch-s", 1.0 / 60.0)).when(|r| r.number("total-s").is_some()),
    one("the cost is in cents", ALL, Times("cost-usd", 100.0)),
    // Other fields.
    one("the instance holds another device", ALL, Set("instance", "\"p3.2xlarge\"")).when(|r| {
        ["k80", "m60", "t4", "a100"].iter().any(|other| r.text("device").contains(other))
    }),
    one("the host is the device", ALL, Set("host", "\"NVIDIA Tesla V100-SXM2-16GB\"")),
    one("the system is a processor", ALL, Set("os", "\"Intel Xeon Platinum 8280\"")),
    one("CUDA on an accelerator of another vendor", ALL, Set("device", "\"instinct-mi300x\"")).when(|r| r.literal("cuda").is_some()),
    one("CUDA on a CPU", ALL, Set("device", "\"xeon-platinum-8280\"")).when(|r| r.literal("cuda").is_some()),
    one("the sequence is longer than any", ALL, Times("sequence-length", 100_000.0)),
    one("threads are cores of all nodes", ALL, Times("threads", 10_000.0)),
];
