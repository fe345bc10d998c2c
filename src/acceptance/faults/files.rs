//! Faults in whole files: a column under a wrong heading, a wrong stage or unit, a column shifted by one row.

use super::edit::Slip::{Exchange, Set, Times, With};
use super::fault::{Fault, all, line};

const COMPUTED: &str = "measurements/jcjohnson-2017/|measurements/u39kun-2018/|measurements/ryujaehun-2021/\
                        |measurements/undertherain-2021/|measurements/timm-2026/";
const LATENCIES: &str = "measurements/jcjohnson-2017/|measurements/u39kun-2018/|measurements/ryujaehun-2021/\
                         |measurements/soumith-2017/";
const THROUGHPUTS: &str = "measurements/timm-2026/|measurements/lambdal-2025/|measurements/nvidia-dle-2024/";

/// Renames a heading or key in a line of columns.
fn renamed(line: &str, from: &str, to: &str) -> Option<String> {
    let (quoted, to_quoted) = (format!("\"{from}\""), format!("\"{to}\""));
    if line.starts_with("columns = ") && line.contains(&quoted) && !line.contains(&to_quoted) {
        return Some(line.replacen(&quoted, &to_quoted, 1));
    }
    None
}

#[rustfmt::skip]
pub const FAULTS: &[Fault] = &[
    line("latencies stand under throughput", "", LATENCIES, |l| renamed(l, "latency-ms", "throughput-per-s")).anywhere(),
    line("throughputs stand under latency", "", THROUGHPUTS, |l| renamed(l, "throughput-per-s", "latency-ms")).anywhere(),
    line("lowest and highest stand in each other's column", "", "measurements/", |l| {
        (l.starts_with("columns = ") && l.contains("\"lowest\", \"highest\"")).then(|| l.replacen("\"lowest\", \"highest\"", "\"highest\", \"lowest\"", 1))
    }).anywhere(),
    line("time and throughput stand in each other's column", "", "measurements/", |l| {
        let own = "\"latency-ms\", \"throughput-per-s\"";
        (l.starts_with("columns = ") && l.contains(own)).then(|| l.replacen(own, "\"throughput-per-s\", \"latency-ms\"", 1))
    }).anywhere(),
    all("a file of inference is called training", COMPUTED, Set("stage", "\"train\"")).when(|r| r.text("stage") == "eval"),
    all("a file of training is called inference", COMPUTED, Set("stage", "\"eval\"")).when(|r| r.text("stage") == "train"),
    all("a file of throughputs in training is called inference", THROUGHPUTS, Set("stage", "\"eval\"")).when(|r| r.text("stage") == "train"),
    all("all times are in seconds", COMPUTED, Times("latency-ms", 0.001)),
    all("all times are in microseconds", COMPUTED, Times("latency-ms", 1000.0)),
    all("all throughputs are of 1000 seconds", COMPUTED, Times("throughput-per-s", 1000.0)),
    all("all throughputs are of a millisecond", COMPUTED, Times("throughput-per-s", 0.001)),
    all("all batches are eight times as large", COMPUTED, Times("batch-size", 8.0)),
    all("all batches and times are exchanged", LATENCIES, Exchange("batch-size", "latency-ms")),
    all("all throughputs count batches", "measurements/timm-2026/", With(|r| {
        let (rate, batch) = (r.literal("throughput-per-s")?, r.number("batch-size")?);
        (batch >= 8.0).then(|| Some(vec![("throughput-per-s", super::edit::scaled(rate, 1.0 / batch)?)]))?
    })),
    all("all times are those of one item", COMPUTED, With(|r| {
        let (latency, batch) = (r.literal("latency-ms")?, r.number("batch-size")?);
        (batch >= 8.0).then(|| Some(vec![("latency-ms", super::edit::scaled(latency, 1.0 / batch)?)]))?
    })),
    all("the file is of another device", "measurements/timm-2026/|measurements/ryujaehun-2021/", Set("device", "\"tesla-k80\"")),
    all("the file is of another precision", "measurements/ryujaehun-2021/|measurements/timm-2026/|measurements/lambdal-2025/", With(|r| {
        Some(vec![("precision", match r.text("precision") { "fp32" => "\"fp16\"", _ => "\"fp32\"" }.to_owned())])
    })),
    all("all inputs have their channels last", "measurements/", super::edit::Slip::Map("input-shape", super::facts::channels_last)),
    all("all counts are of tokens", COMPUTED, Set("counts", "\"token\"")),
    all("all rows have one device", "measurements/", Times("device-count", 16.0)).when(super::rows::says_count),
    all("forward is called backward", "measurements/soumith-2017/|measurements/jcjohnson-2017/", Set("stage", "\"backward\"")).when(|r| r.text("stage") == "forward"),
    all("backward is called forward", "measurements/soumith-2017/|measurements/jcjohnson-2017/", Set("stage", "\"forward\"")).when(|r| r.text("stage") == "backward"),
];
