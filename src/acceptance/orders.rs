//! Orders and comparisons on the real knowledge base that are easily read amiss: extremes of all rows, peaks, prices, shares,
//! who is slower, and sides of which one is not known. What they say is held against the rows that were found.

use dlbench::ask::answer::Answer;
use serde_json::Value;

use crate::real_kb::{knowledge_base, on_repository};

fn ask(question: &str) -> Answer {
    let kb = knowledge_base();
    kb.query(question).unwrap_or_else(|error| panic!("{question}: {error}"))
}

/// The quantities, networks and values of entries.
fn quantities(answer: &Answer) -> Vec<&str> {
    answer.conclusion.entries.iter().map(|entry| entry.quantity.as_str()).collect()
}

#[test]
fn the_lowest_of_all_is_the_lowest_of_the_rows_found() {
    let answer = on_repository().answer("lowest latency resnet50 on jetson");
    // What most samples lie below is no lower than their middle.
    let is_least = |row: &&Value| row["statistic"] != "min" && row["standing"].is_null();
    let rows = answer["measurements"].as_array().expect("rows").iter().filter(is_least);
    let least = rows.filter_map(|row| row["metrics"]["latency_ms"].as_f64()).fold(f64::INFINITY, f64::min);
    let text = answer["conclusion"]["text"].as_str().unwrap();
    let (first, _) = text.split_once(';').expect("a first sentence");
    assert!(first.contains(&format!(" {least:.3} ms")), "{least}: {text}");
}

#[test]
fn what_was_tested_on_a_network_is_ranked_by_its_rows() {
    for question in ["slowest gpu ever tested on vgg16", "fastest framework tested on vgg16"] {
        let answer = ask(question);
        assert!(!answer.conclusion.entries.is_empty(), "{question}");
        for entry in &answer.conclusion.entries {
            let network = entry.under["network"].as_ref().map(ToString::to_string).unwrap_or_default();
            assert!(network.contains("vgg"), "{question}: {network}");
        }
    }
}

#[test]
fn a_bare_peak_is_that_of_the_fastest_units_that_are_known() {
    for question in ["highest fp16 peak", "gpus by fp16 tflops", "which accelerator has the highest bf16 peak"] {
        let answer = ask(question);
        let first = quantities(&answer).first().copied().unwrap_or_default();
        assert!(first.contains("tensor"), "{question}: {}", answer.conclusion.text);
        assert!(answer.conclusion.text.contains("tensor cores where it is known"), "{}", answer.conclusion.text);
    }
    assert_eq!(quantities(&ask("Which GPU has most HBM today")).first(), Some(&"memory-gib"));
}

#[test]
fn a_rate_for_a_price_or_a_watt_is_ranked_by_it() {
    for (question, expected) in [
        ("gpus ranked by images per second per dollar", &["items-per-dollar", "rate-per-launch-usd"][..]),
        ("tokens/s per watt llama", &["items-per-joule", "items-per-tdp-joule"]),
        ("biggest batch size anyone used for resnet50", &["batch-size"]),
        ("which framework scales best", &["scaling-efficiency"]),
        ("is the T4 cheaper than the V100", &["launch-price-usd", "usd-per-hour"]),
        ("how much does a p3.2xlarge cost", &["usd-per-hour"]),
    ] {
        let answer = ask(question);
        let found = quantities(&answer);
        assert!(!found.is_empty() && found.iter().all(|quantity| expected.contains(quantity)), "{question}: {found:?}");
    }
}

#[test]
fn a_share_of_a_peak_is_of_a_peak_that_is_known() {
    let answer = ask("what fraction of H100's peak does ResNet-50 reach");
    assert!(answer.ignored.is_empty(), "{:?}", answer.ignored);
    assert!(!answer.conclusion.entries.is_empty());
    for entry in &answer.conclusion.entries {
        let precision = [&entry.subjects.get("precision"), &entry.under.get("precision").and_then(Option::as_ref)]
            .into_iter()
            .find_map(|value| value.map(ToString::to_string));
        assert_eq!(entry.quantity, "peak-fraction");
        assert_ne!(precision.as_deref(), Some("fp32"), "TF32 or not is not known");
    }
}

#[test]
fn who_is_said_to_be_slower_is_so_where_the_other_is_faster() {
    for (question, begins) in [
        ("is the K80 slower than the P100", "Yes: "),
        ("is the P100 slower than the K80", "No: "),
        ("is pytorch slower than tensorflow", "That depends on the stage: "),
    ] {
        let text = ask(question).conclusion.text;
        assert!(text.starts_with(begins), "{question}: {text}");
    }
}

#[test]
fn no_ratio_is_over_two_stages_or_over_unlike_kernels() {
    for question in ["tensorflow vs caffe", "H100 vs A100 bert", "caffe vs torch vs tensorflow"] {
        let answer = ask(question);
        let ratios: Vec<_> = answer.conclusion.entries.iter().filter(|entry| entry.quantity == "speed-up").collect();
        assert!(ratios.len() > 2, "{question}");
        for entry in ratios {
            assert!(entry.under.contains_key("stage"), "{question}: {:?}", entry.under);
        }
    }
    let text = ask("tensorflow vs caffe alexnet").conclusion.text;
    assert!(text.contains("With kernels of different libraries (cuDNN against native)"), "{text}");
}

#[test]
fn sides_are_members_of_one_family_or_not_known_and_the_other_one_is_told() {
    let of_devices = ask("difference between A100 40GB and A100 80GB").conclusion;
    let first = of_devices.entries.first().expect("entries");
    assert!(first.subjects["device"].to_string().contains("40gb"), "{:?}", first.subjects);
    assert!(of_devices.text.contains("memory 40 against 80 GiB"), "{}", of_devices.text);
    for (question, unknown) in [
        (
            "Movidius NCS2 vs Coral USB accelerator mobilenet",
            "`Movidius NCS2` is not in the knowledge base. Of `Coral USB accelerator` alone: 20 rows",
        ),
        ("compare AMD MI100 with NVIDIA A100 on resnet50", "`AMD MI100` is not in the knowledge base; nearest:"),
    ] {
        let conclusion = ask(question).conclusion;
        assert!(conclusion.text.starts_with(unknown), "{question}: {}", conclusion.text);
        assert!(!conclusion.entries.is_empty(), "{question}");
    }
    let both = ask("jetson tx2 vs xavier nx resnet50 tensorrt fp16").conclusion.text;
    assert!(both.contains("15.7 ms") && both.contains("not comparable because"), "{both}");
}
