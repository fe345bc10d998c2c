//! The traps in the sources of language models, of energy and of phones: what their figures count, in which unit, of what.

use std::path::Path;

use dlbench::model::{Field, Measurement, Metric};
use dlbench::reading::read;

use crate::REPOSITORY;

fn text(row: &Measurement, field: Field) -> &str {
    row.text(field).unwrap_or_default()
}

fn value(row: &Measurement, metric: Metric) -> Option<f64> {
    row.metric(metric).map(|value| value.value())
}

/// How far apart two numbers are, as a share of the second.
fn apart(one: f64, other: f64) -> f64 {
    (one / other - 1.0).abs()
}

#[test]
fn figures_of_language_models_are_what_their_sources_count() {
    let all = read(Path::new(REPOSITORY)).expect("the knowledge base is read").measurements;
    let of = |source: &str| -> Vec<&Measurement> { all.iter().filter(|row| row.source().as_str() == source).collect() };
    ml_energy(&of("ml-energy-2026"));
    llm_inference_bench(&of("llm-inference-bench-2025"));
    tensorrt_llm(&of("tensorrt-llm-2025"));
    megatron_bridge(&of("megatron-bridge-2026"));
    ai_hub_models(&of("ai-hub-models-2026"));
}

/// Power and energy are of all GPUs and of nothing else, and the energy of a token is that of an output token.
fn ml_energy(rows: &[&Measurement]) {
    assert_eq!(rows.len(), 5195);
    let metered: Vec<_> = rows.iter().filter(|row| row.metric(Metric::PowerW).is_some()).collect();
    assert_eq!(metered.len(), 1855);
    for row in rows {
        let is_of_energy = row.metrics().iter().any(|(metric, _)| metric.is_of_energy());
        assert_eq!(text(row, Field::Metered) == "device", is_of_energy, "{}", row.id());
        // A percentile stands in a row of its own.
        assert_eq!(row.statistic().is_some(), row.metric(Metric::InterTokenLatencyMs).is_some(), "{}", row.id());
    }
    for row in metered {
        let (power, rate) = (value(row, Metric::PowerW).unwrap(), value(row, Metric::ThroughputPerS).unwrap());
        let energy = value(row, Metric::EnergyPerItemJ).unwrap();
        assert!(apart(energy * rate, power) < 0.1, "{}: {energy} J x {rate}/s is not {power} W", row.id());
    }
    let of_tokens = rows.iter().filter(|row| row.metric(Metric::EnergyPerRequestJ).is_some());
    assert!(of_tokens.clone().count() > 800 && of_tokens.clone().all(|row| text(row, Field::Counts) == "token"));
    assert!(rows.iter().all(|row| row.text(Field::FrameworkVersion).is_none()), "no file names it");
}

/// Input and output tokens are counted together, with one exception, and milliwatts stand under the heading of the watts.
fn llm_inference_bench(rows: &[&Measurement]) {
    assert_eq!(rows.len(), 5906);
    let mut together = 0;
    for row in rows.iter().filter(|row| row.text(Field::Label).is_none()) {
        let (length, batch) = (row.count(Field::InputLength).unwrap(), row.count(Field::BatchSizeGlobal).unwrap());
        assert_eq!(row.count(Field::OutputLength), Some(length));
        let latency = value(row, Metric::LatencyMs).unwrap();
        if let Some(rate) = value(row, Metric::ThroughputPerS) {
            let tokens = (2 * length * batch) as f64;
            assert!(apart(rate * latency / 1000.0, tokens) < 0.01, "{}: {rate}/s", row.id());
            together += 1;
        } else {
            assert!(text(row, Field::Framework) == "llama-cpp" && batch > 1, "{}", row.id());
            assert_eq!(row.implied(Metric::ThroughputPerS), None, "what its latency is of is not known");
        }
    }
    assert!(together > 3500, "{together}");
    let powers: Vec<f64> = rows.iter().filter_map(|row| value(row, Metric::PowerW)).collect();
    assert!(powers.len() > 200 && powers.iter().all(|power| (50.0..1500.0).contains(power)), "{powers:?}");
    let kinds = ["Intel PVC GPU", "Intel Max 1550"];
    let of_kind = rows.iter().filter(|row| kinds.contains(&text(row, Field::DeviceRaw)));
    assert!(of_kind.clone().all(|row| text(row, Field::Device) == "data-center-gpu-max-1550"));
    let gaudi = rows.iter().filter(|row| text(row, Field::Framework) == "deepspeed");
    assert!(gaudi.clone().count() > 300 && gaudi.clone().all(|row| text(row, Field::Device) == "gaudi-2"));
    assert!(rows.iter().all(|row| row.precision().is_none() || text(row, Field::Label) == "figure 3"));
}

/// Rates are those of all GPUs together; Blackwell keeps its weights in four bits, Hopper in eight.
fn tensorrt_llm(rows: &[&Measurement]) {
    assert_eq!(rows.len(), 328);
    for row in rows {
        let devices = row.count(Field::DeviceCount).unwrap();
        let split = |field| row.count(field).unwrap();
        assert_eq!(split(Field::TensorParallel) * split(Field::PipelineParallel), devices, "{}", row.id());
        assert!(row.metric(Metric::DeviceThroughputPerS).is_none());
        let is_hopper = text(row, Field::Device).starts_with('h');
        assert_eq!(text(row, Field::Precision), if is_hopper { "fp8" } else { "fp4" }, "{}", row.id());
    }
}

/// Rates are those of one GPU, releases of the container are different runs, and a foot mark is no digit.
fn megatron_bridge(rows: &[&Measurement]) {
    assert_eq!(rows.len(), 282);
    assert!(
        rows.iter().all(|row| row.text(Field::FrameworkVersion).is_some() && row.text(Field::Stage) == Some("train"))
    );
    let marked: Vec<_> = rows.iter().filter(|row| row.text(Field::Notes).is_some()).collect();
    assert_eq!(marked.len(), 3);
    assert!(marked.iter().all(|row| value(row, Metric::DeviceGflops).unwrap() < 1e6));
    let one = rows.iter().find(|row| {
        text(row, Field::Network) == "deepseek-v3"
            && text(row, Field::Device) == "gb300"
            && text(row, Field::FrameworkVersion) == "26.08"
    });
    let one = one.expect("DeepSeek-V3 on GB300 in 26.08");
    assert_eq!(value(one, Metric::DeviceThroughputPerS), Some(6288.0));
    assert_eq!(one.implied(Metric::ThroughputPerS).map(|rate| rate.to_string()).as_deref(), Some("1609728"));
}

/// A stand-in is no chip, a part is no network, and a release is not the next one.
fn ai_hub_models(rows: &[&Measurement]) {
    assert_eq!(rows.len(), 28741);
    for row in rows {
        let is_stand_in = text(row, Field::DeviceRaw).ends_with("(Proxy)");
        assert_eq!(text(row, Field::Device).ends_with("-proxy"), is_stand_in, "{}", row.id());
        assert!(text(row, Field::Software).starts_with("AI Hub Models v"), "{}", row.id());
        let of_tokens = text(row, Field::Counts) == "token";
        assert_eq!(row.metric(Metric::ThroughputPerS).is_some(), of_tokens, "{}", row.id());
        assert_eq!(row.text(Field::ComputeUnit).is_none(), of_tokens, "{}", row.id());
        // What a quantised network brings and takes in fp16 is not what it computes in.
        let is_quantised = text(row, Field::NetworkRaw).ends_with("quantized");
        assert!(!is_quantised || !["fp16", "fp32"].contains(&text(row, Field::Precision)), "{}", row.id());
    }
    let of = |network: &'static str| rows.iter().filter(move |row| text(row, Field::NetworkRaw) == network);
    assert!(of("whisper_tiny").count() > 50 && of("whisper_tiny").all(|row| row.text(Field::Component).is_some()));
    assert!(of("mobilenet_v2").count() > 100 && of("mobilenet_v2").all(|row| row.text(Field::Component).is_none()));
    assert!(rows.iter().filter(|row| text(row, Field::ComputeUnit) == "cpu").count() > 700, "what fell back is said");
}
